"""Volumes under the ROC surface as the share of tuples in the right order."""

from __future__ import annotations

from fractions import Fraction
from math import factorial, prod
from typing import Literal, Self, Unpack, overload

import numpy as np
from numpy.typing import ArrayLike

from skvus._soft import check_soft_problem
from skvus._typing import Seed, Ties, TupleMethod, TupleOptions
from skvus._validation import (
    check_generator,
    check_integer,
    check_option,
    check_replacement,
    shorten,
    undefined_score,
)
from skvus.metrics._prices import DISTANCES, check_for_distance, price_cases
from skvus.metrics._tuples import (
    AUTO_STEPS,
    MOST_STEPS,
    TIES,
    exact_score,
    exact_steps,
    ordering_sampler,
)

METHODS = ("auto", "exact", "sampled")
_LEAST_TUPLES = 10**5
MOST_JOBS = 10_000
MOST_TUPLES = 10**12  # weeks
# n_tuples=None draws at most so many that about 10^9 sums of prices are looked at
_MOST_SUMS = 10**9


class OrderingResult(float):
    """A share of tuples, and how it was found.

    A float with attributes, made by `ordered_vus_score`, `simplified_vus_score` and
    `angle_vus_score` with ``return_details=True``.

    Parameters
    ----------
    score : float
        The share.
    standard_error : float
        Standard error of drawing tuples, 0.0 where all were counted, NaN where it is
        unknown. It says nothing about how the score varies from one set of cases to another.
    method : str
        "exact", "sampled", "grid", or "undefined" where a class has no case.
    n_tuples : int
        Tuples that were counted or drawn.

    Attributes
    ----------
    score : float
        The same as ``float(result)``.
    is_exact : bool
        Whether all tuples were counted.

    See Also
    --------
    ordered_vus_score : Makes it.
    simplified_vus_score : Makes it.
    angle_vus_score : Makes it.

    Examples
    --------
    >>> from skvus.metrics import OrderingResult
    >>> result = OrderingResult(0.75, 0.0, "exact", 1000)
    >>> result
    OrderingResult(0.75, exact, 1000 tuples)
    >>> result > 0.5, result.is_exact
    (True, True)
    """

    standard_error: float
    method: str
    n_tuples: int

    def __new__(cls, score: float, standard_error: float, method: str, n_tuples: int) -> Self:
        result = super().__new__(cls, score)
        result.standard_error = standard_error
        result.method = method
        result.n_tuples = n_tuples
        return result

    def __getnewargs__(self):
        return float(self), self.standard_error, self.method, self.n_tuples

    @property
    def score(self) -> float:
        """The share as a plain float."""
        return float(self)

    @property
    def is_exact(self) -> bool:
        """Whether all tuples were counted."""
        return self.method == "exact"

    def __repr__(self) -> str:
        has_error = self.standard_error > 0.0
        error = f" +/- {self.standard_error:.2g} sampling of tuples" * has_error
        tuples = f", {self.n_tuples} tuple{'s' * (self.n_tuples != 1)}" * (self.n_tuples > 0)
        return f"OrderingResult({float(self):.6g}{error}, {self.method}{tuples})"


class _Options(TupleOptions, total=False):
    """Options of `ordered_vus_score` beside `return_details`."""

    distance: Literal["euclidean", "sum", "product"]
    ties: Ties
    method: TupleMethod


@overload
def ordered_vus_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    return_details: Literal[True],
    **options: Unpack[_Options],
) -> OrderingResult: ...


@overload
def ordered_vus_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    return_details: bool = False,
    **options: Unpack[_Options],
) -> float: ...


def ordered_vus_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    distance: Literal["euclidean", "sum", "product"] = "euclidean",
    ties: Ties = "share",
    method: TupleMethod = "auto",
    n_tuples: int | None = None,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    random_state: Seed = None,
    n_jobs: int | None = None,
    return_details: bool = False,
    replace_undefined_by: float = np.nan,
) -> float:
    r"""Share of tuples, one case from each class, that are in the right order.

    Each case of a tuple has a price :math:`d_j` for being called j. The tuple is ordered if
    calling each case by its own class is the cheapest assignment of the Q names to the Q
    cases:

    .. math:: \sum_i d_i(x_i) \le \sum_i d_{\pi(i)}(x_i) \quad\text{for all permutations } \pi.

    For two classes this is the area under the ROC curve; for three, Dreiseitl's volume
    under the ROC surface.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True labels.
    y_score : array-like of shape (n_samples, n_classes) or (n_samples,)
        Scores, a column for each class in the order of `labels`. For two classes also any
        real score of the second class.
    distance : {"euclidean", "sum", "product"}, default="euclidean"
        The price: the distance :math:`\lVert p - e_j \rVert` from the corner of the
        simplex, which takes probabilities; :math:`-p_j`, which takes any real scores; or
        :math:`-\log p_j`, which takes non-negative ones.
    ties : {"share", "strict", "weak"}, default="share"
        Credit of a tuple for which k assignments are the cheapest, its own among them: 1/k,
        nothing unless k = 1, or 1.
    method : {"auto", "exact", "sampled"}, default="auto"
        "exact" counts all tuples, "sampled" draws some of them. "auto" counts as long as
        that takes a few seconds.
    n_tuples : int or None, default=None
        Number of tuples to draw, at least 2. By default as many as make the error of
        drawing a tenth of the error that comes from having these cases and no others, but
        at least 10^5 and at most about 10^9 / Q³. Ignored where all are counted.
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
        Between 0 and 1; 1/Q! by chance.

    See Also
    --------
    simplified_vus_score : The product rule, as a volume.
    angle_vus_score : A heuristic in place of the assignment.
    ordinal_vus_score : One score and classes that have an order.
    pdi_score : One class at a time.
    ordered_vus_bounds : Chance and perfection.

    Notes
    -----
    The identity is a cheapest assignment iff the graph with the weights
    :math:`d_j(x_i) - d_i(x_i)` has no negative cycle, so a tuple takes O(Q³) rather than Q!
    steps. All tuples are counted in O(n log n) for two classes; in O(n²) for three, with
    2.6 s and 0.6 GB for 10,000 cases a class; beyond by a walk over the tuples of all classes
    but the largest, which is counted by bitsets: O(n³) for four classes, 0.1 s for 100 cases a
    class. Equal rows count as one case with their joint weight, so trees and k-nn
    are faster. A drawn tuple takes about 0.5 µs for up to ten classes. Prices are whole
    numbers of 64 bits, for which scores of any precision are read block by block; together
    with their sorted copies they take three times the memory of scores of double precision.

    Sums that differ by less than 1e-12 count as equal (of a typical score, for "sum"; up to
    1e-8 for hundreds of classes with zeros under "product"), because posteriors that tie on
    paper differ in their last bits. For two classes whose rows sum to
    one the second column decides by itself, as in `sklearn.metrics.roc_auc_score`, under every
    rule. Under "product" a zero is worse than any number of positive ones; a row of zeros says
    nothing. Logits under "sum" order as their softmax does under "product". Ties beyond 20
    classes that are all entangled with each other (more than 10^6 states) have their number
    of cheapest assignments estimated.

    References
    ----------
    .. [1] S. Dreiseitl, "Towards more efficient multiclass AUC computations", 2019.
    .. [2] S. Dreiseitl, L. Ohno-Machado, M. Binder, "Comparing three-class diagnostic tests
       by three-way ROC analysis", Medical Decision Making 20, 2000.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import cross_val_predict
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from skvus.metrics import ordered_vus_score
    >>> X, y = load_iris(return_X_y=True)
    >>> proba = cross_val_predict(GaussianNB(), X, y, method="predict_proba")
    >>> ordered_vus_score(y, proba, return_details=True)
    OrderingResult(0.982, exact, 125000 tuples)
    """
    check_option("distance", distance, DISTANCES)
    check_ordering_options(ties, method, METHODS, n_tuples, n_jobs, return_details)
    replacement = check_replacement(replace_undefined_by)
    # without a seed nothing is drawn from the global generator unless it is needed
    rng = None if random_state is None else check_generator(random_state)
    problem = check_soft_problem(y_true, y_score, labels=labels, sample_weight=sample_weight)
    check_for_distance(problem.scores, distance)
    if problem.undefined is not None:
        score = undefined_score(problem.undefined, replacement)
        return OrderingResult(score, np.nan, "undefined", 0) if return_details else score
    result = mean_credit(problem, distance, ties, method, n_tuples, rng, n_jobs)
    return result if return_details else result.score


@overload
def ordered_vus_bounds(
    n_classes: int, *, exact: Literal[True]
) -> tuple[Fraction, Fraction]: ...


@overload
def ordered_vus_bounds(
    n_classes: int, *, exact: Literal[False] = False
) -> tuple[float, float]: ...


def ordered_vus_bounds(
    n_classes: int, *, exact: bool = False
) -> tuple[float, float] | tuple[Fraction, Fraction]:
    r"""Ordered VUS of a classifier that knows nothing, and of a perfect one.

    .. math:: \frac{1}{Q!}, \qquad 1

    Parameters
    ----------
    n_classes : int
        Number of classes Q, at least 2.
    exact : bool, default=False
        Whether to return fractions.

    Returns
    -------
    chance : float or Fraction
        Score of a constant classifier, under ``ties="share"``. Not a lower bound: a
        classifier that is worse than chance scores less.
    perfect : float or Fraction
        Score of a perfect classifier.

    See Also
    --------
    ordered_vus_score : The score.
    simplified_vus_bounds : The same bounds for the other volume.

    Examples
    --------
    >>> from skvus.metrics import ordered_vus_bounds
    >>> ordered_vus_bounds(4, exact=True)
    (Fraction(1, 24), Fraction(1, 1))
    """
    return chance_and_perfection(n_classes, exact)


def chance_and_perfection(n_classes, exact):
    """Share of ordered tuples of a constant classifier, and of a perfect one."""
    n_classes = check_integer("n_classes", n_classes, minimum=2, maximum=100_000)
    check_option("exact", exact, (False, True))
    bounds = Fraction(1, factorial(n_classes)), Fraction(1)
    return bounds if exact else tuple(map(float, bounds))


def check_ordering_options(ties, method, methods, n_tuples, n_jobs, return_details):
    """Check what the scores over tuples have in common."""
    check_option("ties", ties, TIES)
    check_option("method", method, methods)
    check_option("return_details", return_details, (False, True))
    if n_tuples is not None and check_integer("n_tuples", n_tuples, minimum=2) > MOST_TUPLES:
        raise ValueError(f"n_tuples must be at most {MOST_TUPLES:.0e}; got {n_tuples!r}.")
    check_n_jobs(n_jobs)


def check_n_jobs(n_jobs):
    """Raise unless `n_jobs` is what joblib takes."""
    if n_jobs is not None and (
        isinstance(n_jobs, bool) or not isinstance(n_jobs, (int, np.integer)) or n_jobs == 0
    ):
        raise ValueError(f"n_jobs must be None or an integer other than 0; got {n_jobs!r}.")
    if n_jobs is not None and abs(int(n_jobs)) > MOST_JOBS:
        raise ValueError(f"n_jobs must be between ±{MOST_JOBS:,}; got {n_jobs!r}.")


def mean_credit(problem, distance, ties, method, n_tuples, rng, n_jobs):
    """Share of ordered tuples of a defined problem, with details."""
    cases = price_cases(problem, distance)
    steps = exact_steps(cases.sizes)
    if method == "exact" and steps > MOST_STEPS:
        raise_too_many(steps, cases.sizes)
    if method == "exact" or (method == "auto" and steps <= AUTO_STEPS):
        score = exact_score(cases, ties, n_jobs)
        n_tuples = prod(np.bincount(problem.codes).tolist())
        return OrderingResult(score, 0.0, "exact", n_tuples)
    return sampled_result(ordering_sampler(cases, ties), n_tuples, rng, n_jobs)


def raise_too_many(steps, sizes):
    """Refuse a count that would take too long, with advice."""
    raise ValueError(
        f"method='exact' would take about {steps:.0e} steps, hours at 20 ns each, for classes "
        f"of {shorten(sizes)} distinct cases. Use method='sampled', with a standard error."
    )


def sampled_result(sampler, n_tuples, rng, n_jobs):
    """Mean credit of drawn tuples, as many as are needed unless a number is given."""
    rng = check_generator(rng)
    if n_tuples is None:
        most = max(2 * 10**4, min(2 * 10**7, _MOST_SUMS // len(sampler.weights) ** 3))
        n_tuples = sampler.enough_tuples(rng, min(_LEAST_TUPLES, most), most)
    score, error = sampler.mean_credit(int(n_tuples), rng, n_jobs)
    return OrderingResult(score, error, "sampled", int(n_tuples))
