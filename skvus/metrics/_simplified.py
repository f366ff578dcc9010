"""Landgrebe and Duin's simplified volume under the ROC hypersurface."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal, Unpack, overload

import numpy as np
from numpy.typing import ArrayLike

from skvus._soft import check_soft_problem
from skvus._typing import Seed, Ties, TupleOptions
from skvus._validation import (
    check_generator,
    check_integer,
    check_replacement,
    undefined_score,
)
from skvus.metrics._grid import check_grid, grid_volume, surface_hits
from skvus.metrics._ordering import (
    METHODS,
    OrderingResult,
    chance_and_perfection,
    check_ordering_options,
    mean_credit,
)
from skvus.metrics._prices import check_for_distance

SIMPLIFIED_METHODS = (*METHODS, "grid")


class _Options(TupleOptions, total=False):
    """Options of `simplified_vus_score` beside `return_details`."""

    ties: Ties
    method: Literal["auto", "exact", "sampled", "grid"]
    n_steps: int


@overload
def simplified_vus_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    return_details: Literal[True],
    **options: Unpack[_Options],
) -> OrderingResult: ...


@overload
def simplified_vus_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    return_details: bool = False,
    **options: Unpack[_Options],
) -> float: ...


def simplified_vus_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    ties: Ties = "share",
    method: Literal["auto", "exact", "sampled", "grid"] = "auto",
    n_steps: int = 100,
    n_tuples: int | None = None,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    random_state: Seed = None,
    n_jobs: int | None = None,
    return_details: bool = False,
    replace_undefined_by: float = np.nan,
) -> float:
    r"""Volume under the surface of the true rates of all classes.

    Each weighting :math:`\Phi > 0` of the classes makes a crisp classifier,
    :math:`\arg\max_j \Phi_j p_j(x)`, with the true rates
    :math:`\xi_{11}, \dots, \xi_{QQ}`. The score is the volume under the surface of all of
    them,

    .. math:: \int \cdots \int \xi_{QQ} \, d\xi_{Q-1,Q-1} \cdots d\xi_{11}.

    It equals the share of tuples, one case from each class, for which the identity has the
    largest product :math:`\prod_i p_{\pi(i)}(x_i)` of all permutations, and is computed as
    that: no grid, no limit to six classes.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True labels.
    y_score : array-like of shape (n_samples, n_classes) or (n_samples,)
        Non-negative scores, usually probabilities, a column for each class in the order
        of `labels`. For two classes also any real score of the second class.
    ties : {"share", "strict", "weak"}, default="share"
        Credit of a tuple for which k permutations have the largest product, the identity
        among them: 1/k; nothing unless k = 1, the volume if a case on the border of a
        region counts as wrong; or 1, the volume if it counts as right. A grid ignores it.
    method : {"auto", "exact", "sampled", "grid"}, default="auto"
        "exact" counts all tuples, "sampled" draws some of them, "auto" counts as long as
        that takes a few seconds. "grid" is the paper's way, for up to six classes: linear
        interpolation between operating points on a grid, then the trapezoid rule.
    n_steps : int, default=100
        Points on each axis of a grid, at least 2.
    n_tuples : int or None, default=None
        Number of tuples to draw, as in `ordered_vus_score`.
    labels : array-like of shape (n_classes,), default=None
        The classes in the order of the columns. By default the sorted labels of `y_true`.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights of the samples.
    random_state : int, RandomState, Generator or None, default=None
        Used where tuples or, on a grid, operating points are drawn. The same for any
        `n_jobs`.
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
    ordered_vus_score : The same with other prices; complexity and ties are described there.
    simplified_vus_bounds : Chance and perfection.
    operating_points : The surface itself.

    Notes
    -----
    For positive scores, columns may be multiplied by constants (other priors) without
    changing anything but the approximations of a grid. Zeros cannot be outweighed: of two
    permutations the one with fewer zeros is better, and among equals the product of the
    others decides. Where zeros are in the way of the own class itself, this is more generous
    than the volume: a class that is never called, a column of zeros, has no volume at all.

    A grid has a bias: the trapezoid rule lies above the convex surface of a random
    classifier (.1666752 instead of 1/6 for 100 steps), and between the operating points of a
    small sample the linear interpolation cuts through the steps. For three classes it uses
    all operating points as long as there are at most 1000 distinct score vectors, else a
    sample of them. It takes O(n_steps^(Q-1)) time, and raises when that is more than 2·10^8
    points.

    References
    ----------
    .. [1] T. C. W. Landgrebe, R. P. W. Duin, "A simplified volume under the ROC
       hypersurface", 2007.

    Examples
    --------
    >>> from skvus.datasets import make_ordered_gaussians
    >>> from skvus.metrics import simplified_vus_score
    >>> _, y, posteriors, volume = make_ordered_gaussians(
    ...     3000, return_posteriors=True, return_volume=True, random_state=0
    ... )
    >>> simplified_vus_score(y, posteriors, return_details=True)
    OrderingResult(0.535763, exact, 1000000000 tuples)
    >>> round(volume, 6)  # of infinitely many cases
    0.536152
    >>> round(simplified_vus_score(y, posteriors, method="grid", random_state=0), 3)
    0.536
    """
    check_ordering_options(ties, method, SIMPLIFIED_METHODS, n_tuples, n_jobs, return_details)
    n_steps = check_integer("n_steps", n_steps, minimum=2)
    replacement = check_replacement(replace_undefined_by)
    # without a seed nothing is drawn from the global generator unless it is needed
    rng = None if random_state is None else check_generator(random_state)
    problem = check_soft_problem(y_true, y_score, labels=labels, sample_weight=sample_weight)
    check_for_distance(problem.scores, "product")
    if method == "grid":
        check_grid(problem.n_classes, n_steps)
    if problem.undefined is not None:
        score = undefined_score(problem.undefined, replacement)
        return OrderingResult(score, np.nan, "undefined", 0) if return_details else score
    if method == "grid":
        rng = check_generator(rng)
        volume = grid_volume(surface_hits(problem, rng), n_steps, rng)
        result = OrderingResult(volume, np.nan, "grid", 0)
    else:
        result = mean_credit(problem, "product", ties, method, n_tuples, rng, n_jobs)
    return result if return_details else result.score


@overload
def simplified_vus_bounds(
    n_classes: int, *, exact: Literal[True]
) -> tuple[Fraction, Fraction]: ...


@overload
def simplified_vus_bounds(
    n_classes: int, *, exact: Literal[False] = False
) -> tuple[float, float]: ...


def simplified_vus_bounds(
    n_classes: int, *, exact: bool = False
) -> tuple[float, float] | tuple[Fraction, Fraction]:
    r"""Simplified VUS of a classifier that knows nothing, and of a perfect one.

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
        Volume under the surface of a random classifier, :math:`\sum_k \xi_{kk} = 1`. Not a
        lower bound, as the paper has it: a classifier that is worse than chance scores
        less.
    perfect : float or Fraction
        Volume under the surface of a perfect classifier.

    See Also
    --------
    simplified_vus_score : The score.
    ordered_vus_bounds : The same bounds for the other prices.

    References
    ----------
    .. [1] T. C. W. Landgrebe, R. P. W. Duin, "A simplified volume under the ROC
       hypersurface", 2007, section 4.1 and appendix A.

    Examples
    --------
    >>> from skvus.metrics import simplified_vus_bounds
    >>> simplified_vus_bounds(3, exact=True)
    (Fraction(1, 6), Fraction(1, 1))
    """
    return chance_and_perfection(n_classes, exact)
