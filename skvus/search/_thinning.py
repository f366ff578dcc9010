"""Fewer members, none of which is far from what was there.

Objectives are cut into boxes of whole numbers of units, each a power of two wide, and a box
keeps one member. Where boxes must grow, they grow together in pairs, so that what was once in
one box stays in one. Hence, however often an archive is thinned: for every operating point
that was ever offered there is a member that is in no objective worse by the width of a box.
"""

import numpy as np

# Shifts that leave nothing of any number.
_MOST = 62


def thinned(keys, sums, number, most, shifts, units):
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

    Returns
    -------
    kept : ndarray of int64
        Members, ascending.
    shifts : ndarray of int64
        Logarithms of the widths now.

    Notes
    -----
    O(m D log m) for each time that boxes grow. Growing in one objective at most halves the
    number of boxes. The best member in each objective stays, too, if there is room for twice
    as many.
    """
    shifts = shifts.copy()
    order = np.lexsort((number, sums))  # the first of a box stays
    n_ends = keys.shape[1] if most >= 2 * keys.shape[1] else 0
    ends = order[np.argmin(keys[order], axis=0)][:n_ends]
    while True:
        boxes = keys[order] >> shifts
        first = np.unique(boxes, axis=0, return_index=True)[1]
        kept = np.union1d(order[first], ends)
        if kept.size <= most:
            return kept, shifts
        shifts[np.argmin(np.where(shifts < _MOST, units * 2.0**shifts, np.inf))] += 1


def widths(shifts, units):
    """How much worse a member may be than what there was: less than a box, nothing if exact."""
    return np.where(shifts > 0, units * (2.0**shifts - 1.0), 0.0)
