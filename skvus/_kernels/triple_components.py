"""What each case of three classes earns: the loop of `triples`, booked case by case.

A pair (x1, x2) credits all x0 in a quadrant of ranks. Its two own cases are booked from the
table of the quadrants' weights; for the cases x0 the credit is noted at the corner of the
quadrant, and sums over all corners beyond their ranks are taken once, at the end.
"""

import numpy as np

from skvus._kernels._jit import helper, kernel
from skvus._kernels._search import n_below
from skvus._kernels.triples import merge_ranks


@helper
def _spread_tied(table, corners, cuts_a, cuts_b, ties, weight, credits):
    """Book a quadrant with ties, rectangle by rectangle; return what it earns.

    ``cuts[p] .. cuts[p + 1]`` are the ranks at which p of the two conditions on a
    coordinate are ties.
    """
    earned = 0.0
    for p in range(3):
        low_u, high_u = cuts_a[p], cuts_a[p + 1]
        if high_u == low_u:
            continue
        for q in range(3):
            low_v, high_v = cuts_b[q], cuts_b[q + 1]
            credit = credits[ties + p + q]
            if high_v == low_v or credit == 0.0:
                continue
            inside = table[high_u, high_v] - table[low_u, high_v]
            inside -= table[high_u, low_v] - table[low_u, low_v]
            earned += credit * inside
            corners[high_u, high_v] += weight * credit
            corners[low_u, high_v] -= weight * credit
            corners[high_u, low_v] -= weight * credit
            corners[low_u, low_v] += weight * credit
    return earned


@helper
def _sums_beyond(corners, rank_b, earned):
    """Sum the corners beyond the ranks of each case; the cases come sorted by a."""
    n = rank_b.size
    below = np.zeros(n + 1)
    for u in range(n, 0, -1):
        for v in range(n + 1):
            below[v] += corners[u, v]
        total = 0.0
        for v in range(rank_b[u - 1] + 1, n + 1):
            total += below[v]
        earned[u - 1] = total


@kernel
def spread_triples(table, a0, b0, rank_b0, a1, b1, w1, b2, g2, w2, by_b2, tolerance, credits):
    """Credit that each case shares in, weighted by the other two cases of the triple.

    Parameters
    ----------
    table, a0, b0, a1, b1, w1, b2, g2, w2, by_b2, tolerance : as in `triples.count_triples`
    rank_b0 : (n0,) int array
        Ranks in `b0` of the cases that are sorted by `a0`.
    credits : (6,) array
        Credit of a triple by the number of its ties.

    Returns
    -------
    earned0, earned1, earned2 : arrays
        In the order of `a0`, `a1` and `b2`.
    """
    n0, n2 = a0.size, b2.size
    corners = np.zeros((n0 + 1, n0 + 1))
    earned0, earned1, earned2 = np.empty(n0), np.zeros(a1.size), np.zeros(n2)
    low_a, high_a = np.empty(n2, np.int64), np.empty(n2, np.int64)
    low_b, high_b = np.empty(n2, np.int64), np.empty(n2, np.int64)
    low_g, high_g = np.empty(n2, np.int64), np.empty(n2, np.int64)
    as_they_come = np.arange(n2)
    merge_ranks(b2, by_b2, 0, b0, tolerance, low_b, high_b)
    for i in range(a1.size):
        shift = a1[i] - b1[i]
        lo_a = n_below(a0, a1[i] - tolerance)
        hi_a = n_below(a0, a1[i] + tolerance + 1)
        merge_ranks(b2, by_b2, shift, a0, tolerance, low_a, high_a)
        merge_ranks(g2, as_they_come, a1[i], b0, tolerance, low_g, high_g)
        for x in range(n_below(g2, -shift - tolerance), n2):
            u, last_u = min(lo_a, low_a[x]), min(hi_a, high_a[x])
            v, last_v = min(low_b[x], low_g[x]), min(high_b[x], high_g[x])
            is_tie = g2[x] <= tolerance - shift
            weight = w1[i] * w2[x]
            if u == last_u and v == last_v and not is_tie:
                earned = credits[0] * table[u, v]
                corners[u, v] += weight * credits[0]
            else:
                cuts_a = (0, u, min(max(lo_a, low_a[x]), last_u), last_u)
                cuts_b = (0, v, min(max(low_b[x], low_g[x]), last_v), last_v)
                earned = _spread_tied(
                    table, corners, cuts_a, cuts_b, int(is_tie), weight, credits
                )
            earned1[i] += w2[x] * earned
            earned2[x] += w1[i] * earned
    _sums_beyond(corners, rank_b0, earned0)
    return earned0, earned1, earned2
