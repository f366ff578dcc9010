"""Volume under the ROC surface that a soft classifier reaches by weighting its classes."""

import numpy as np

from skvus._labels import check_soft_targets
from skvus._rates import points_to_rates, why_undefined
from skvus._validation import (
    check_generator,
    check_integer,
    check_option,
    check_replacement,
    check_sample_weight,
    check_scores,
    undefined_score,
)
from skvus.metrics._operating import (
    all_operating_points,
    collapse,
    log_columns,
    sampled_operating_points,
)
from skvus.metrics._polytope import NORMALIZE, check_volume_classes, rescale
from skvus.metrics._volumes import exact_volume, prune, volume

METHODS = ("auto", "exact", "bound")
# Distinct score vectors up to which all operating points of three classes are listed:
# one to two seconds ("auto"), about half a minute and two gigabytes ("exact").
_AUTO_CASES = 500
_EXACT_CASES = 3000


class VUSResult:
    """A volume, and how sure one can be of it.

    Made by `soft_polytope_vus_score` with ``return_details=True``; ``float(result)`` is
    the score.

    Parameters
    ----------
    score : float
        The volume on the scale that was asked for.
    standard_error : float
        Standard error of the integration, 0.0 where it is exact.
    method : str
        How the volume of the operating points was integrated: "exact" or "monte_carlo";
        "undefined" where a class has no case.
    is_lower_bound : bool
        Whether only some of the operating points were used, so that the true volume is at
        least the one given.
    n_operating_points : int
        Mutually non-dominated operating points that were used.

    Attributes
    ----------
    is_exact : bool
        Whether all operating points were used and integrated exactly.

    See Also
    --------
    soft_polytope_vus_score : Makes it.

    Examples
    --------
    >>> from skvus.metrics import VUSResult
    >>> VUSResult(0.9, 0.0, "exact", False, 12)
    VUSResult(score=0.9, exact, 12 operating points)
    """

    def __init__(self, score, standard_error, method, is_lower_bound, n_operating_points):
        self.score = score
        self.standard_error = standard_error
        self.method = method
        self.is_lower_bound = is_lower_bound
        self.n_operating_points = n_operating_points

    @property
    def is_exact(self):
        """Whether nothing was left out and nothing sampled."""
        return self.method == "exact" and not self.is_lower_bound

    def __float__(self):
        return self.score

    def __repr__(self):
        kind = "lower bound" if self.is_lower_bound else self.method
        error = f" ± {self.standard_error:.2g}" if self.standard_error > 0.0 else ""
        return (
            f"VUSResult(score={self.score:.6g}{error}, {kind}, "
            f"{self.n_operating_points} operating points)"
        )


def soft_polytope_vus_score(
    y_true,
    y_score,
    *,
    labels=None,
    sample_weight=None,
    normalize="max",
    method="auto",
    n_costs=1000,
    random_state=None,
    return_details=False,
    replace_undefined_by=np.nan,
):
    r"""Volume under the ROC surface of a classifier that gives probabilities.

    Each weighting :math:`\Phi > 0` of the classes makes a crisp classifier,
    :math:`\arg\max_j \Phi_j p_j(x)`. The score is the polytope VUS of all of them
    together, the multi-class counterpart of the area under the convex hull of a ROC curve.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True labels.
    y_score : array-like of shape (n_samples, n_classes) or (n_samples,)
        Non-negative scores, usually probabilities, a column for each class in the order
        of `labels`. For two classes also any real score of the second class.
    labels : array-like of shape (n_classes,), default=None
        The classes in the order of the columns. By default the sorted labels of `y_true`.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights of the samples.
    normalize : {"max", "range", None}, default="max"
        Share of the maximum, position between minimum and maximum, or raw volume.
    method : {"auto", "exact", "bound"}, default="auto"
        "exact" lists every operating point: any number of cases for two classes, up to
        3000 distinct score vectors for three, else it raises. "bound" searches the best
        weighting for each of `n_costs` random costs: a lower bound for any number of
        classes. "auto" is exact for two classes and for up to 500 distinct score vectors
        of three, and a bound otherwise.
    n_costs : int, default=1000
        Number of random costs of a bound.
    random_state : int, RandomState, Generator or None, default=None
        Used by bounds and by the integration for four and more classes.
    return_details : bool, default=False
        Whether to return a `VUSResult` that tells how the number came about.
    replace_undefined_by : float, default=np.nan
        Returned when a class (a label or a column of `y_score`) has no true case. NaN
        comes with an `UndefinedMetricWarning`, any other number without.

    Returns
    -------
    score : float or VUSResult
        The larger the better; at least the volume of the trivial classifiers.

    See Also
    --------
    polytope_vus_score : For one crisp classifier.
    polytope_vus : For any set of crisp classifiers.

    Notes
    -----
    Scores may be multiplied by a constant in each column (other priors) and in each row
    without changing anything. Ties in the argmax go to the first class.

    For three classes the weightings that change nothing are the cells of an arrangement
    of tropical lines, one for each distinct score vector, (n+1)(n+2)/2 cells without ties.
    They are listed in O(n²) and pruned to the mutually non-dominated ones, whose volume
    `polytope_vus` computes: 0.5 s for n = 300, 10 s for n = 2000. A bound takes
    O(n_costs · n · Q²), with the search on at most 2000 cases, and is typically 0.1% to 2%
    low; for four and more classes its volume is estimated, with a standard error.

    References
    ----------
    .. [1] C. Ferri, J. Hernández-Orallo, M. A. Salido, "Volume under the ROC surface
       for multi-class problems", ECML 2003, sections 4.5 and 6.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import cross_val_predict
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from skvus.metrics import soft_polytope_vus_score
    >>> X, y = load_iris(return_X_y=True)
    >>> proba = cross_val_predict(GaussianNB(), X, y, method="predict_proba")
    >>> soft_polytope_vus_score(y, proba, return_details=True)
    VUSResult(score=0.982361, exact, 44 operating points)
    """
    check_option("normalize", normalize, NORMALIZE)
    check_option("method", method, METHODS)
    check_option("return_details", return_details, (False, True))
    check_integer("n_costs", n_costs, minimum=1)
    replacement = check_replacement(replace_undefined_by)
    scores = check_scores(y_score)
    classes, codes = check_soft_targets(y_true, scores, labels=labels)
    weight = check_sample_weight(sample_weight, len(scores))
    log_scores = log_columns(scores)
    n_classes = log_scores.shape[1]
    check_volume_classes(n_classes)
    rng = check_generator(random_state)
    if classes is None:
        reason = f"y_score has {n_classes} columns, y_true fewer classes."
    else:
        totals = np.bincount(codes, weights=weight, minlength=n_classes)
        reason = why_undefined(classes, totals)
    if reason is not None:
        result = VUSResult(undefined_score(reason, replacement), np.nan, "undefined", False, 0)
        return result if return_details else result.score
    result = _soft_volume(log_scores, codes, weight, method, n_costs, rng)
    result.score, result.standard_error = rescale(
        result.score, result.standard_error, n_classes, normalize
    )
    return result if return_details else result.score


def _soft_volume(log_scores, codes, weight, method, n_costs, rng):
    n_classes = log_scores.shape[1]
    is_exact = False
    if n_classes <= 3 and method != "bound":
        distinct, mass = collapse(log_scores, codes, weight)
        limit = _EXACT_CASES if method == "exact" else _AUTO_CASES
        is_exact = n_classes == 2 or len(distinct) <= limit
    if method == "exact" and not is_exact:
        raise ValueError(
            f"method='exact' takes two classes, or three with at most {_EXACT_CASES} distinct "
            f"score vectors; got {n_classes} classes and {len(codes)} cases. Use "
            "method='bound', which gives a lower bound."
        )
    if is_exact:
        points = all_operating_points(distinct, mass)
    else:
        points = sampled_operating_points(log_scores, codes, weight, n_costs, rng)
    members = prune(points_to_rates(points, n_classes))
    if n_classes <= 3:  # operating points of one classifier: few of them are on the hull
        share, error, integrated = exact_volume(members), 0.0, "exact"
    else:
        share, error, integrated = volume(members, method="auto", rng=rng)
    return VUSResult(share, error, integrated, not is_exact, len(members))
