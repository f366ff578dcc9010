"""Dreiseitl's angle heuristic for tuples in the right order."""

from math import fsum, prod

import numpy as np

from skvus._soft import check_soft_problem, one_column, require_probabilities
from skvus._validation import (
    check_generator,
    check_option,
    check_replacement,
    undefined_score,
)
from skvus.metrics._ordering import (
    METHODS,
    OrderingResult,
    check_ordering_options,
    mean_credit,
    raise_too_many,
    sampled_result,
)
from skvus.metrics._prices import merge_equal
from skvus.metrics._tuples import (
    AUTO_STEPS,
    MOST_STEPS,
    TupleSampler,
    countable,
    in_threads,
)

LIMITS = ("right_angle", "cosine", "sector")
_PIECE_TUPLES = 2**20


def angle_vus_score(
    y_true,
    y_score,
    *,
    limit="right_angle",
    method="auto",
    n_tuples=None,
    labels=None,
    sample_weight=None,
    random_state=None,
    n_jobs=None,
    return_details=False,
    replace_undefined_by=np.nan,
):
    r"""Share of tuples in which each case lies towards its own corner of the simplex.

    For one case from each class with the probability vectors :math:`p_i` and their mean m,
    the tuple passes if the angle at m between :math:`p_i` and the corner :math:`e_i` is at
    most 90° for every i:

    .. math:: (p_i - m) \cdot (e_i - m) \ge 0.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True labels.
    y_score : array-like of shape (n_samples, n_classes) or (n_samples,)
        Probabilities, a column for each class in the order of `labels`. For two classes
        also any real score of the second class.
    limit : {"right_angle", "cosine", "sector"}, default="right_angle"
        "right_angle" is the rule that the paper uses; "cosine" its stricter first form, a
        cosine of at least 1/(Q - 1); "sector" the picture behind it, each case in its own
        part of the simplex around m: :math:`p_{ii} - m_i \ge p_{ij} - m_j` for all j.
    method : {"auto", "exact", "sampled"}, default="auto"
        "exact" looks at all tuples, "sampled" draws some of them. "auto" looks at all as
        long as that takes a few seconds.
    n_tuples : int or None, default=None
        Number of tuples to draw, as in `ordered_vus_score`.
    labels : array-like of shape (n_classes,), default=None
        The classes in the order of the columns. By default the sorted labels of `y_true`.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights of the samples.
    random_state : int, RandomState, Generator or None, default=None
        Used where tuples are drawn. The same for any `n_jobs`.
    n_jobs : int or None, default=None
        Number of threads.
    return_details : bool, default=False
        Whether to return an `OrderingResult` that tells how the number came about.
    replace_undefined_by : float, default=np.nan
        Returned when a class (a label or a column of `y_score`) has no true case. NaN
        comes with an `UndefinedMetricWarning`, any other number without.

    Returns
    -------
    score : float or OrderingResult
        Between 0 and 1.

    See Also
    --------
    ordered_vus_score : What it approximates, exactly and faster.

    Notes
    -----
    The paper proposes it because it takes the assignment to cost Q! steps. It does not:
    `ordered_vus_score` counts all tuples of three classes in O(n²), where this rule, which
    ties all three cases together by their mean, has to look at n³ of them. It is here to
    compare. A tuple takes O(Q²) steps, 20 ns for three classes.

    Ties get full credit: equal probability vectors pass, so a constant classifier scores 1.
    The paper prints the stricter limit as :math:`|\cos\alpha| \le 1/(N - 1)`; an absolute
    value would refuse cases that lie exactly towards their corner. For two classes all
    limits give the share of pairs that are not in the wrong order.

    References
    ----------
    .. [1] S. Dreiseitl, "Towards more efficient multiclass AUC computations", 2018,
       section 2.

    Examples
    --------
    >>> from skvus.datasets import make_softmax_gaussians
    >>> from skvus.metrics import angle_vus_score, ordered_vus_score
    >>> y_score, y = make_softmax_gaussians(90, random_state=0)
    >>> round(angle_vus_score(y, y_score), 3), round(ordered_vus_score(y, y_score), 3)
    (0.86, 0.849)
    """
    check_option("limit", limit, LIMITS)
    check_ordering_options("weak", method, METHODS, n_tuples, n_jobs, return_details)
    replacement = check_replacement(replace_undefined_by)
    # without a seed nothing is drawn from the global generator unless it is needed
    rng = None if random_state is None else check_generator(random_state)
    problem = check_soft_problem(y_true, y_score, labels=labels, sample_weight=sample_weight)
    require_probabilities(problem.scores, "to have angles")
    if problem.undefined is not None:
        score = undefined_score(problem.undefined, replacement)
        return OrderingResult(score, np.nan, "undefined", 0) if return_details else score
    if one_column(problem.scores).ndim == 1:
        result = mean_credit(problem, "euclidean", "weak", method, n_tuples, rng, n_jobs)
    else:
        result = _mean_angle_credit(problem, limit, method, n_tuples, rng, n_jobs)
    return result if return_details else result.score


def _mean_angle_credit(problem, limit, method, n_tuples, rng, n_jobs):
    merged = [merge_equal(*part) for part in problem.split(problem.scores)]
    # the largest class first, which is split into pieces
    order = sorted(range(problem.n_classes), key=lambda k: -len(merged[k][1]))
    proba = [merged[k][0][:, order] for k in order]
    weights = [merged[k][1] for k in order]
    sizes = [len(part) for part in proba]
    rule = LIMITS.index(limit)
    steps = prod(sizes) * len(sizes) ** 2 // 8
    if method == "exact" and steps > MOST_STEPS:
        raise_too_many(steps, sizes)
    if method == "exact" or (method == "auto" and steps <= AUTO_STEPS):
        score = _all_angles(proba, weights, rule, n_jobs)
        return OrderingResult(score, 0.0, "exact", prod(np.bincount(problem.codes).tolist()))
    return sampled_result(_angle_sampler(proba, weights, rule), n_tuples, rng, n_jobs)


def _all_angles(proba, weights, rule, n_jobs):
    from skvus._kernels.angles import sum_all_angles

    starts = np.cumsum([0, *map(len, proba)])
    size = max(1, _PIECE_TUPLES // prod(len(part) for part in proba[1:]))
    weights, total = countable(weights)
    stacked = (np.concatenate(proba), np.concatenate(weights), starts)
    pieces = [
        (*stacked, first, min(first + size, len(proba[0])), rule)
        for first in range(0, len(proba[0]), size)
    ]
    return min(1.0, fsum(in_threads(sum_all_angles, pieces, n_jobs)) / total)


def _angle_sampler(proba, weights, rule):
    from skvus._kernels.angles import angle_credits

    # strata of cases that are alike: sorted by the probability of their own class
    orders = [np.argsort(part[:, k], kind="stable") for k, part in enumerate(proba)]
    ordered = [part[order] for part, order in zip(proba, orders, strict=True)]
    stacked = np.concatenate(ordered)
    starts = np.cumsum([0, *map(len, proba[:-1])])
    weights = [weight[order] for weight, order in zip(weights, orders, strict=True)]
    return TupleSampler(weights, lambda picks: angle_credits(stacked, picks + starts, rule))
