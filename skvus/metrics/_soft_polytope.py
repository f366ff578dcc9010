"""Volume under the ROC surface that a soft classifier reaches by weighting its classes."""

from __future__ import annotations

from typing import Literal, Self, Unpack, overload

import numpy as np
from numpy.typing import ArrayLike

from skvus._rates import points_to_rates
from skvus._soft import check_soft_problem
from skvus._typing import Normalization, ScoreOptions, Seed
from skvus._validation import (
    check_generator,
    check_integer,
    check_option,
    check_replacement,
    undefined_score,
)
from skvus.metrics._operating import (
    all_operating_points,
    collapse,
    log_columns,
    n_vectors,
    sampled_operating_points,
)
from skvus.metrics._polytope import NORMALIZE, check_volume_classes, rescale, warn_if_lost
from skvus.metrics._volumes import exact_volume, prune, volume

METHODS = ("auto", "exact", "bound")
# Distinct score vectors up to which all operating points of three classes are listed:
# about a second ("auto"), about a minute and two gigabytes ("exact").
_AUTO_CASES = 500
_EXACT_CASES = 3000


class VUSResult(float):
    """A volume, and how sure one can be of it.

    A float with attributes, made by `soft_polytope_vus_score` with ``return_details=True``.

    Parameters
    ----------
    score : float
        The volume on the scale that was asked for.
    standard_error : float
        Standard error of the integration, 0.0 where it is exact. It says nothing about how
        the score varies from one set of cases to another.
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
    score : float
        The same as ``float(result)``.
    is_exact : bool
        Whether all operating points were used and integrated exactly.

    See Also
    --------
    soft_polytope_vus_score : Makes it.

    Examples
    --------
    >>> from skvus.metrics import VUSResult
    >>> result = VUSResult(0.9, 0.0, "exact", False, 12)
    >>> result
    VUSResult(0.9, exact, 12 operating points)
    >>> result > 0.5, round(result, 1), result.is_exact
    (True, 0.9, True)
    """

    standard_error: float
    method: str
    is_lower_bound: bool
    n_operating_points: int

    def __new__(
        cls,
        score: float,
        standard_error: float,
        method: str,
        is_lower_bound: bool,
        n_operating_points: int,
    ) -> Self:
        result = super().__new__(cls, score)
        result.standard_error = standard_error
        result.method = method
        result.is_lower_bound = is_lower_bound
        result.n_operating_points = n_operating_points
        return result

    def __getnewargs__(self):
        return (
            float(self),
            self.standard_error,
            self.method,
            self.is_lower_bound,
            self.n_operating_points,
        )

    @property
    def score(self) -> float:
        """The volume as a plain float."""
        return float(self)

    @property
    def is_exact(self) -> bool:
        """Whether nothing was left out and nothing sampled."""
        return self.method == "exact" and not self.is_lower_bound

    def __repr__(self) -> str:
        kind = "lower bound" if self.is_lower_bound else self.method
        has_error = self.standard_error > 0.0
        error = f" +/- {self.standard_error:.2g} integration error" * has_error
        points = f"{self.n_operating_points} operating point" + "s" * (
            self.n_operating_points != 1
        )
        return f"VUSResult({float(self):.6g}{error}, {kind}, {points})"


class _Options(ScoreOptions, total=False):
    """Options of `soft_polytope_vus_score` beside `return_details`."""

    normalize: Normalization | None
    method: Literal["auto", "exact", "bound"]
    n_costs: int
    random_state: Seed


@overload
def soft_polytope_vus_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    return_details: Literal[True],
    **options: Unpack[_Options],
) -> VUSResult: ...


@overload
def soft_polytope_vus_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    return_details: bool = False,
    **options: Unpack[_Options],
) -> float: ...


def soft_polytope_vus_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    normalize: Normalization | None = "max",
    method: Literal["auto", "exact", "bound"] = "auto",
    n_costs: int = 1000,
    random_state: Seed = None,
    return_details: bool = False,
    replace_undefined_by: float = np.nan,
) -> float:
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
    `polytope_vus` computes: 0.3 s for n = 300, 5 s for 1000, 20 s for 2000. A bound takes
    O(n_costs · n · Q²), with the search on at most 2000 cases. With 1000 costs it is 0.1%
    to 0.3% low for three classes, a few per cent for four to six, and much more beyond,
    where `n_costs` should be raised until the score settles. From four classes on its
    volume is estimated, with a standard error. Logarithms of the scores are kept in an array
    of double precision.

    The weightings are chosen on the cases that they are scored on, as those of an ROC curve
    are, so the score is optimistic: pure noise scores 0.25 for 30 cases of three classes
    and 0.12 for 150, where chance is 0.044. Compare scores from the same number of cases.

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
    VUSResult(0.982361, exact, 44 operating points)
    """
    check_option("normalize", normalize, NORMALIZE)
    check_option("method", method, METHODS)
    check_option("return_details", return_details, (False, True))
    n_costs = check_integer("n_costs", n_costs, minimum=1, maximum=10**9)
    replacement = check_replacement(replace_undefined_by)
    problem = check_soft_problem(y_true, y_score, labels=labels, sample_weight=sample_weight)
    log_scores = log_columns(problem.scores)
    check_volume_classes(problem.n_classes)
    # without a seed nothing is drawn from the global generator unless it is needed
    rng = None if random_state is None else check_generator(random_state)
    if problem.undefined is not None:
        score = undefined_score(problem.undefined, replacement)
        return VUSResult(score, np.nan, "undefined", False, 0) if return_details else score
    share, std, *how = _soft_volume(
        log_scores, problem.codes, problem.weight, method, n_costs, rng
    )
    score, std = rescale(share, std, problem.n_classes, normalize)
    if return_details:
        return VUSResult(score, std, *how)
    warn_if_lost(share, std, "return_details=True tells both")
    return score


def _soft_volume(log_scores, codes, weight, method, n_costs, rng):
    n_classes = log_scores.shape[1]
    is_exact = False
    if n_classes <= 3 and method != "bound":
        limit = _EXACT_CASES if method == "exact" else _AUTO_CASES
        is_exact = n_classes == 2 or n_vectors(log_scores, beyond=limit) <= limit
    if method == "exact" and not is_exact:
        raise ValueError(
            f"method='exact' takes two classes, or three with at most {_EXACT_CASES} distinct "
            f"score vectors; got {n_classes} classes and {len(codes)} cases. Use "
            "method='bound', which gives a lower bound."
        )
    if is_exact:
        points = all_operating_points(*collapse(log_scores, codes, weight))
    else:
        rng = check_generator(rng)
        points = sampled_operating_points(log_scores, codes, weight, n_costs, rng)
    members = prune(points_to_rates(points, n_classes))
    share, std, integrated = _integrate(members, method, rng)
    is_lower_bound = not is_exact and share < 1.0
    return share, std, integrated, is_lower_bound, len(members)


def _integrate(members, method, rng):
    """Volume of the operating points of one classifier, few of which are on the hull."""
    if members.shape[1] > 3:
        return volume(members, method="auto", rng=rng)
    try:
        return exact_volume(members), 0.0, "exact"
    except ArithmeticError:
        if method == "exact":
            raise
        return volume(members, method="monte_carlo", rng=rng)
