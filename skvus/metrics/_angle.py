"""Dreiseitl's angle heuristic for tuples in the right order."""

from __future__ import annotations

from math import fsum, prod
from typing import Literal, Unpack, overload

import numpy as np
from numpy.typing import ArrayLike

from skvus._soft import check_soft_problem, one_column, require_probabilities
from skvus._typing import Seed, TupleMethod, TupleOptions
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
    stack,
)

LIMITS = ("right_angle", "cosine", "sector")
_PIECE_TUPLES = 2**20


class _Options(TupleOptions, total=False):
    """Options of `angle_vus_score` beside `return_details`."""

    limit: Literal["right_angle", "cosine", "sector"]
    method: TupleMethod


@overload
def angle_vus_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    return_details: Literal[True],
    **options: Unpack[_Options],
) -> OrderingResult: ...


@overload
def angle_vus_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    return_details: bool = False,
    **options: Unpack[_Options],
) -> float: ...


def angle_vus_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    limit: Literal["right_angle", "cosine", "sector"] = "right_angle",
    method: TupleMethod = "auto",
    n_tuples: int | None = None,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    random_state: Seed = None,
    n_jobs: int | None = None,
    return_details: bool = False,
    replace_undefined_by: float = np.nan,
) -> float:
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
    simplified_vus_score : Another volume, which does not depend on priors.

    Notes
    -----
    The paper proposes it because it takes the assignment to cost Q! steps. It does not:
    `ordered_vus_score` counts all tuples of three classes in O(n²), where this rule, which
    ties all three cases together by their mean, has to look at n³ of them. It is here to
    compare. A tuple takes O(Q²) steps, 20 ns for three classes. Scores are sorted by class into
    a copy of double precision.

    Ties get full credit: equal probability vectors pass, so a constant classifier scores 1.
    The paper prints the stricter limit as :math:`|\cos\alpha| \le 1/(N - 1)`; an absolute
    value would refuse cases that lie exactly towards their corner. For two classes all
    limits give the share of pairs that are not in the wrong order.

    References
    ----------
    .. [1] S. Dreiseitl, "Towards more efficient multiclass AUC computations", 2019,
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
    cases = AngleCases(problem, limit)
    if method == "exact" and cases.steps > MOST_STEPS:
        raise_too_many(cases.steps, cases.sizes)
    if method == "exact" or (method == "auto" and cases.steps <= AUTO_STEPS):
        earned, total = cases.earned(n_jobs)
        score = min(1.0, fsum(earned[cases.order[0]]) / total)
        return OrderingResult(score, 0.0, "exact", prod(np.bincount(problem.codes).tolist()))
    return sampled_result(cases.sampler(), n_tuples, rng, n_jobs)


class AngleCases:
    """Probability vectors of each class, equal ones merged, under one of `LIMITS`."""

    def __init__(self, problem, limit):
        merged = [
            merge_equal(np.asarray(rows, dtype=float), weight)
            for rows, weight in problem.split(problem.scores)
        ]
        self.proba, self.weights, self.which = map(list, zip(*merged, strict=True))
        self.rule = LIMITS.index(limit)
        # the largest class first, which is split into pieces
        self.order = sorted(range(problem.n_classes), key=lambda k: -self.sizes[k])

    @property
    def sizes(self):
        """Number of distinct cases in each class."""
        return [len(part) for part in self.proba]

    @property
    def steps(self):
        """About how many steps it takes to look at all tuples."""
        return prod(self.sizes) * len(self.sizes) ** 2 // 8

    def earned(self, n_jobs):
        """Weight of the tuples with each case that pass, and of all tuples."""
        from skvus._kernels.angles import sum_all_angles

        weights, total = countable(self.weights)
        proba = [self.proba[k][:, self.order] for k in self.order]
        starts = np.cumsum([0, *map(len, proba)])
        size = max(1, _PIECE_TUPLES // prod(len(part) for part in proba[1:]))
        stacked = (np.concatenate(proba), np.concatenate([weights[k] for k in self.order]))
        pieces = [
            (*stacked, starts, first, min(first + size, len(proba[0])), self.rule)
            for first in range(0, len(proba[0]), size)
        ]
        sums = np.sum(in_threads(sum_all_angles, pieces, n_jobs), axis=0)
        parts = dict(zip(self.order, np.split(sums, starts[1:-1]), strict=True))
        return [parts[k] for k in range(len(parts))], total

    def components(self, n_jobs):
        """Share of the tuples with each distinct case that pass."""
        earned, total = self.earned(n_jobs)
        weights, _ = countable(self.weights)
        return [
            part * (weight.sum() / total) / weight
            for part, weight in zip(earned, weights, strict=True)
        ]

    def credit_function(self):
        """Function from picks, the index of a distinct case in each class, to credits."""
        return self._credits_of(self.proba)

    def sampler(self):
        """Sampler of tuples, with strata of cases that are alike."""
        # sorted by the probability of their own class
        orders = [np.argsort(part[:, k], kind="stable") for k, part in enumerate(self.proba)]
        weights = [part[order] for part, order in zip(self.weights, orders, strict=True)]
        return TupleSampler(weights, self._credits_of(self.proba, orders))

    def _credits_of(self, proba, orders=None):
        from skvus._kernels.angles import angle_credits

        rule, stacked = self.rule, stack(proba, orders)
        starts = np.cumsum([0, *map(len, proba[:-1])])
        return lambda picks: angle_credits(stacked, picks + starts, rule)
