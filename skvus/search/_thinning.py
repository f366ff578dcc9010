"""Fewer members, none of which is far from what was there.

Objectives are cut into boxes of whole numbers of units, each a power of two wide, and a box
keeps one member. Where boxes must grow, they grow together in pairs, so that what was once in
one box stays in one. Hence, however often an archive is thinned: for every operating point
that was ever offered there is a member that is in no objective worse by the width of a box.

Some members stay beside these: the best in each objective, and a few that dominate what all
dominate of some samples of the region better than random, so that G hardly suffers.
"""

import numpy as np

from skvus._rates import rates_to_points
from skvus.search._following import samples_to_follow

# Shifts that leave nothing of any number.
_MOST = 62


def thinned(keys, sums, number, most, shifts, units, fixed):
    """Members that stay, and how wide the boxes are now.

    Parameters
    ----------
    keys : ndarray of int64, shape (m, D)
        Objectives in whole numbers of their units.
    sums : ndarray of shape (m,)
        The member of a box that stays is the one of least sum, of equal ones the oldest.
    number : ndarray of int64, shape (m,)
        Tells the age.
    most : int
        How many may stay.
    shifts : ndarray of int64, shape (D,)
        Logarithms of the widths so far, in units.
    units : ndarray of shape (D,)
        What a unit of each objective is: the narrowest boxes grow first.
    fixed : ndarray of int64
        Members that stay whatever their boxes; at most half of `most`.

    Returns
    -------
    kept : ndarray of int64
        Members, ascending.
    shifts : ndarray of int64
        Logarithms of the widths now.

    Notes
    -----
    O(m D log m) for each time that boxes grow. Growing in one objective at most halves the
    number of boxes. The best member in each objective stays, too, if there is room for four
    times as many.
    """
    shifts = shifts.copy()
    order = np.lexsort((number, sums))  # the first of a box stays
    n_ends = keys.shape[1] if most >= 4 * keys.shape[1] else 0
    ends = order[np.argmin(keys[order], axis=0)][:n_ends]
    fixed = np.union1d(ends, fixed).astype(np.int64)
    while True:
        boxes = keys[order] >> shifts
        first = np.unique(boxes, axis=0, return_index=True)[1]
        kept = np.union1d(order[first], fixed)
        if kept.size <= most:
            return kept, shifts
        shifts[np.argmin(np.where(shifts < _MOST, units * 2.0**shifts, np.inf))] += 1


def covering(points, samples, most):
    """A few members that together are below the samples that any member is below.

    Samples that few members are below come first. Of these members the one stays that is below
    most of the samples, each of which counts the less the more members are below it.

    Parameters
    ----------
    points : ndarray of shape (m, D)
    samples : ndarray of shape (s, D)
    most : int
        How many members there may be; the last samples may then have none.

    Returns
    -------
    chosen : ndarray of int64
        Members, in the order of their choice.

    Notes
    -----
    O(m s D) steps.
    """
    from skvus._kernels.covering import chosen_below, numbers_below

    numbers = numbers_below(points, samples)
    order = np.argsort(numbers, kind="stable")
    return chosen_below(points, samples, numbers, order, most)


def widths(shifts, units):
    """How much worse a member may be than what there was: less than a box, nothing if exact."""
    return np.where(shifts > 0, units * (2.0**shifts - 1.0), 0.0)


def thinned_members(members, most, shifts, units):
    """Indices of at most so many members of an archive, and the widths that lead to them."""
    points = rates_to_points(members.rates)
    samples = samples_to_follow(members.rates.shape[1])
    fixed = covering(points, samples, most // 4)
    shifts = np.zeros(units.size, dtype=np.int64) if shifts is None else shifts
    return thinned(members.keys, points.sum(axis=1), members.number, most, shifts, units, fixed)
