"""Costs and steps that a search tries: functions of a source of randomness."""

import numpy as np

from skvus._rates import off_diagonal
from skvus.front._build import as_costs, fixed_costs

# Laplace scale of the logarithm of a cost that is changed
_COST_STEP = 0.7


def dirichlet_costs(rng, n, alpha, shares):
    """Cost matrices that sum to one, from a Dirichlet distribution.

    Parameters
    ----------
    rng : Generator
    n : int
    alpha : ndarray of shape (D,)
    shares : ndarray of shape (Q,)
        What is drawn is divided by these: ones to draw costs, class frequencies to draw the
        weights that rates have in the expected cost.
    """
    return as_costs(rng.dirichlet(alpha, size=n), shares, "costs")


def first_costs(alpha, shares, *, is_known):
    """Equal costs, the centre of what is drawn, and ones that make a decision free.

    Of costs that are roughly known, only the centre.
    """
    if is_known:
        return as_costs(alpha[np.newaxis], shares, "costs")
    return fixed_costs(alpha, shares, "costs")


def varied_costs(rng, costs):
    """Cost matrices in each of which one entry is multiplied by a random factor.

    Parameters
    ----------
    rng : Generator
    costs : ndarray of shape (n, Q, Q)
        Zeros, off the diagonal, are taken for a thousandth of the mean, so that they can grow.
    """
    n, n_classes = costs.shape[:2]
    mask = off_diagonal(n_classes)
    entries = costs[:, mask]
    entries = np.where(entries > 0.0, entries, 1e-3 / entries.shape[1])
    chosen = rng.integers(entries.shape[1], size=n)
    entries[np.arange(n), chosen] *= np.exp(rng.laplace(0.0, _COST_STEP, size=n))
    return as_costs(entries, np.ones(n_classes), "costs")


def redrawn_costs(rng, costs, alpha):
    """Cost matrices in each of which the share of one entry is drawn anew.

    The share of an entry is Beta distributed, whatever the proportions of the others: costs
    of the Dirichlet distribution stay costs of that distribution.

    Parameters
    ----------
    rng : Generator
    costs : ndarray of shape (n, Q, Q)
        Sums are one.
    alpha : ndarray of shape (D,)
    """
    n, n_classes = costs.shape[:2]
    entries = costs[:, off_diagonal(n_classes)]
    chosen = rng.integers(alpha.size, size=n)
    shares = rng.beta(alpha[chosen], alpha.sum() - alpha[chosen])
    rows = np.arange(n)
    entries[rows, chosen] = 0.0
    left = entries.sum(axis=1)
    # where nothing else is left, the others are as expected
    is_alone = left == 0.0
    entries[is_alone] = alpha
    entries[rows, chosen] = 0.0
    entries *= ((1.0 - shares) / entries.sum(axis=1))[:, np.newaxis]
    entries[rows, chosen] = shares
    return as_costs(entries, np.ones(n_classes), "costs")


def reflected(values, low, high):
    """Values mirrored at the ends of an interval, as often as needed; one end may be open."""
    values = np.asarray(values, dtype=float)
    if np.isinf(low) and np.isinf(high):
        return values
    if np.isinf(high):
        return low + np.abs(values - low)
    if np.isinf(low):
        return high - np.abs(high - values)
    if high == low:
        return np.full_like(values, low)
    width = high - low
    folded = np.mod(values - low, 2.0 * width)
    return np.clip(low + np.where(folded > width, 2.0 * width - folded, folded), low, high)
