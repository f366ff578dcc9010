"""Which operating points no other one dominates, decided in whole numbers.

Counts of cases are compared as they are. Rates that come without counts, or from weighted
cases, are compared as whole multiples of `GRID`: rates that agree to about 1e-12 count as
equal, so that no rounding decides who is dominated.
"""

from math import lcm

import numpy as np

from skvus._rates import off_diagonal

GRID = 2.0**-40
OBJECTIVES = ("rates", "miss_rates", "false_alarms")
_MOST_OBJECTIVES = 255  # of the dominance filter
_EXACT = 2**53  # whole numbers up to this are exact as floats


def comparison_keys(rates, counts):
    """Whole numbers with zeros on the diagonal, and the total of each class in their unit.

    Parameters
    ----------
    rates : ndarray of shape (m, Q, Q)
    counts : ndarray of int of shape (m, Q, Q) or None
        Used if there are whole counts, and as many cases of each class for all members.
    """
    n_classes = rates.shape[1]
    diagonal = np.arange(n_classes)
    if counts is not None and counts.dtype.kind == "i" and len(counts):
        totals = counts.sum(axis=2)
        if (totals == totals[0]).all():
            keys = counts.copy()
            keys[:, diagonal, diagonal] = 0
            return keys, totals[0]
    keys = np.rint(rates / GRID).astype(np.int64)
    keys[:, diagonal, diagonal] = 0
    return keys, np.full(n_classes, round(1.0 / GRID))


def non_dominated_members(keys, totals, objectives):
    """Indices of members with distinct keys that none dominates, in the order of their keys.

    Of members with equal keys the first stays. Dominance is decided on the objectives; members
    that are equal in these but not in their keys all stay, since none dominates the other.
    """
    points = keys[:, off_diagonal(keys.shape[1])]
    order = np.lexsort(points.T[::-1])
    points = points[order]
    is_new = np.append(True, (points[1:] != points[:-1]).any(axis=1))[: order.size]
    order = order[is_new]
    if objectives == "rates":
        return order[_is_non_dominated(points[is_new])]
    values = objective_values(keys[order], totals, objectives)
    distinct, which = np.unique(values, axis=0, return_inverse=True)
    return order[_is_non_dominated(distinct)[which.ravel()]]


def objective_values(keys, totals, objectives):
    """Whole numbers in the order of the objectives, whatever their unit."""
    if objectives == "rates":
        return keys[:, off_diagonal(keys.shape[1])]
    if objectives == "miss_rates":
        return keys.sum(axis=2)
    unit = lcm(*totals.tolist())
    if unit * len(totals) < _EXACT:
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
