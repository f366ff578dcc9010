"""Which operating points no other one dominates, decided in whole numbers.

Counts of cases are compared as they are. Rates that come without counts, or from weighted
cases, are compared as whole multiples of `GRID`, about 1e-12, to which they are rounded, so
that the rounding of sums and quotients hardly ever decides who is dominated.
"""

from math import lcm
from typing import NamedTuple

import numpy as np

from skvus._rates import off_diagonal

GRID = 2.0**-40
OBJECTIVES = ("rates", "miss_rates", "false_alarms")
_MOST_OBJECTIVES = 255  # of the dominance filter
_EXACT = 2**53  # whole numbers up to this are exact as floats


class Comparison(NamedTuple):
    """What members are compared by.

    Whole counts with zeros on the diagonal and the number of cases of each class; or rates as
    multiples of the grid, and no numbers of cases.
    """

    keys: np.ndarray
    rates: np.ndarray
    totals: np.ndarray | None

    @property
    def points(self):
        """Off-diagonal entries as whole numbers."""
        return self.keys[:, off_diagonal(self.keys.shape[1])]

    def sums(self, axis):
        """Sums of the rates of mistakes, in whole numbers of some unit."""
        if self.totals is None:
            return _on_grid((self.rates * off_diagonal(self.rates.shape[1])).sum(axis=axis))
        if axis == 2:
            return self.keys.sum(axis=2)
        return _sums_of_fractions(self.keys, self.totals)


def comparison_of(rates, counts):
    """Compare by counts if they are whole, and of as many cases of each class for all."""
    if counts is not None and counts.dtype.kind == "i" and len(counts):
        totals = counts.sum(axis=2)
        if (totals == totals[0]).all():
            return Comparison(counts * off_diagonal(counts.shape[1]), rates, totals[0])
    return Comparison(_on_grid(rates) * off_diagonal(rates.shape[1]), rates, None)


def _on_grid(rates):
    return np.rint(rates / GRID).astype(np.int64)


def non_dominated_members(comparison, objectives):
    """Indices of distinct members that none dominates, in lexicographic order of their rates.

    Of equal members the first stays. Dominance is decided on the objectives; members that are
    equal in these but not in their rates all stay, since none dominates the other.
    """
    order = lexicographic_order(comparison)
    points = comparison.points[order]
    is_new = np.append(True, (points[1:] != points[:-1]).any(axis=1))[: order.size]
    order = order[is_new]
    if objectives == "rates":
        return order[_is_non_dominated(points[is_new])]
    sums = comparison.sums(2 if objectives == "miss_rates" else 1)[order]
    distinct, which = np.unique(sums, axis=0, return_inverse=True)
    return order[_is_non_dominated(distinct)[which.ravel()]]


def lexicographic_order(comparison):
    """Indices of members in the order of their rates."""
    return np.lexsort(comparison.points.T[::-1])


def objective_keys(rates, counts, objectives):
    """Objectives of each member as whole numbers that compare across calls on the same cases.

    Like `Comparison`, but sums of fractions beyond what machine integers hold are compared as
    multiples of the grid: ranks among these members would say nothing about others.
    """
    if objectives == "rates" and counts is not None and counts.dtype.kind == "i":
        return counts[:, off_diagonal(counts.shape[1])]
    comparison = comparison_of(rates, counts)
    if objectives == "rates":
        return comparison.points
    axis = 2 if objectives == "miss_rates" else 1
    is_large = axis == 1 and comparison.totals is not None and _too_large(comparison.totals)
    if is_large:
        comparison = Comparison(comparison.keys, rates, None)
    return comparison.sums(axis)


def objective_units(counts, objectives):
    """What one is worth in each of the `objective_keys`, as a rate."""
    n_classes = counts.shape[1]
    n_objectives = n_classes * (n_classes - 1) if objectives == "rates" else n_classes
    if counts.dtype.kind != "i":
        return np.full(n_objectives, GRID)
    totals = counts[0].sum(axis=1)
    if objectives != "false_alarms":
        return np.repeat(1.0 / totals, n_objectives // n_classes)
    return np.full(n_classes, GRID if _too_large(totals) else 1.0 / lcm(*totals.tolist()))


def _too_large(totals):
    return lcm(*totals.tolist()) * len(totals) >= _EXACT


def _sums_of_fractions(keys, totals):
    """Column sums of ``keys / totals`` in multiples of a common fraction, or their ranks."""
    unit = lcm(*totals.tolist())
    if not _too_large(totals):
        return (keys * (unit // totals)[:, np.newaxis]).sum(axis=1)
    # beyond what machine integers hold: sums in Python's, then their ranks
    factors = np.array([unit // total for total in totals.tolist()], dtype=object)
    sums = (keys.astype(object) * factors[:, np.newaxis]).sum(axis=1)
    ranks = [np.unique(column, return_inverse=True)[1].ravel() for column in sums.T]
    return np.column_stack(ranks)


def check_objective_count(n_classes, objectives):
    """Raise if there are more objectives than the filter takes."""
    n_objectives = n_classes if objectives != "rates" else n_classes * (n_classes - 1)
    if n_objectives > _MOST_OBJECTIVES:
        advice = "" if objectives != "rates" else "; objectives='miss_rates' has one a class"
        raise ValueError(
            f"objectives={objectives!r} has {n_objectives} objectives for {n_classes} classes, "
            f"and at most {_MOST_OBJECTIVES} can be compared{advice}."
        )


def _is_non_dominated(points):
    """Mask of the rows that no other one dominates; the rows are distinct."""
    import moocore

    if len(points) < 2:
        return np.ones(len(points), dtype=bool)
    return moocore.is_nondominated(np.asarray(points, dtype=float))
