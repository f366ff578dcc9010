"""The region of rates that are better than those of random allocation."""

from __future__ import annotations

from fractions import Fraction
from math import comb, factorial
from typing import Literal, overload

import numpy as np

from skvus._typing import Floats, Seed
from skvus._validation import MOST_CELLS, check_generator, check_integer, check_option


@overload
def random_simplex_volume(n_classes: int, *, exact: Literal[True]) -> Fraction: ...


@overload
def random_simplex_volume(n_classes: int, *, exact: Literal[False] = False) -> float: ...


def random_simplex_volume(n_classes: int, *, exact: bool = False) -> float | Fraction:
    r"""Volume of the region of rates that are better than random allocation.

    Random allocation has off-diagonal rates that sum to Q - 1. Below it lies

    .. math:: P = \{x \in [0, 1]^D : \sum_i x_i \le Q - 1\}, \quad D = Q (Q - 1), \quad
        \mathrm{vol}(P) = \frac{1}{D!} \sum_{k=0}^{Q-1} (-1)^k \binom{D}{k} (Q - 1 - k)^D,

    the distribution function of a sum of D uniform variables (Irwin and Hall).

    Parameters
    ----------
    n_classes : int
        Number of classes Q, at least 2.
    exact : bool, default=False
        Whether to return a `fractions.Fraction`.

    Returns
    -------
    volume : float or Fraction
        1/2 for two classes, 29/360 for three. As a float it is zero from 20 classes on.

    See Also
    --------
    sample_better_than_random : Uniform samples of the region.
    skvus.ROCFront.gini : The share of the region that a front dominates.

    Notes
    -----
    Equation 15 of [1]_ has the first two terms of the sum: exact for two and three classes,
    1e-4 too small for four to six. O(Q) products of whole numbers of O(D log Q) digits.

    References
    ----------
    .. [1] R. M. Everson, J. E. Fieldsend, "Multi-class ROC analysis from a multi-objective
       optimisation perspective", Pattern Recognition Letters 27, 2006, section 5.

    Examples
    --------
    >>> from skvus.metrics import random_simplex_volume
    >>> random_simplex_volume(3, exact=True)
    Fraction(29, 360)
    >>> round(random_simplex_volume(3), 4)
    0.0806
    """
    n_classes = check_integer("n_classes", n_classes, minimum=2, maximum=200)
    check_option("exact", exact, (False, True))
    n_rates = n_classes * (n_classes - 1)
    total = sum(
        (-1) ** k * comb(n_rates, k) * (n_classes - 1 - k) ** n_rates for k in range(n_classes)
    )
    volume = Fraction(total, factorial(n_rates))
    return volume if exact else float(volume)


def sample_better_than_random(n: int, n_classes: int, random_state: Seed = None) -> Floats:
    r"""Uniform samples of the rates that are better than random allocation.

    Parameters
    ----------
    n : int
        Number of samples.
    n_classes : int
        Number of classes Q, at least 2.
    random_state : int, RandomState, Generator or None, default=None
        Source of randomness.

    Returns
    -------
    points : ndarray of shape (n, Q(Q-1))
        Off-diagonal rates in row order, each in [0, 1], that sum to at most Q - 1.

    See Also
    --------
    random_simplex_volume : The volume of the region.
    ROCFront : Its G and delta are shares of that region.

    Notes
    -----
    A flat Dirichlet draw of D + 1 components times Q - 1, without the last component, is
    uniform in the simplex; those with a rate above 1 are drawn again, fewer than one in ten for
    any number of classes. O(n D). The rates of one true class may sum to more than 1: the
    region takes no heed of that [1]_.

    References
    ----------
    .. [1] R. M. Everson, J. E. Fieldsend, "Multi-class ROC analysis from a multi-objective
       optimisation perspective", Pattern Recognition Letters 27, 2006, section 5.

    Examples
    --------
    >>> from skvus.metrics import sample_better_than_random
    >>> points = sample_better_than_random(1000, 3, random_state=0)
    >>> points.shape, bool(points.sum(axis=1).max() <= 2.0)
    ((1000, 6), True)
    """
    n_classes = check_integer("n_classes", n_classes, minimum=2, maximum=10_000)
    n = check_integer("n", n, minimum=0, maximum=MOST_CELLS // n_classes**2)
    return uniform_below_simplex(n, n_classes, check_generator(random_state))


def uniform_below_simplex(n, n_classes, rng):
    """Uniform samples of P, drawn until there are enough."""
    from skvus._kernels.simplex import shares_within

    n_rates = n_classes * (n_classes - 1)
    points = np.empty((n, n_rates))
    n_done = 0
    while n_done < n:
        drawn = rng.standard_exponential((n - n_done, n_rates + 1))
        n_done = shares_within(drawn, n_classes - 1.0, 1.0, points, n_done)
    return points


def uniform_in_simplex(n, n_rates, rng):
    """Uniform samples of ``x >= 0, sum(x) <= 1``: spacings of exponential variables."""
    from skvus._kernels.simplex import shares_within

    points = np.empty((n, n_rates))
    shares_within(rng.standard_exponential((n, n_rates + 1)), 1.0, np.inf, points, 0)
    return points
