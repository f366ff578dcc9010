"""Tuples of three classes in O(n²): whether the identity is a cheapest assignment.

With prices ``d_j`` of calling a case j, ``a = d_0 - d_1`` and ``b = d_0 - d_2``, the cases
(x0, x1, x2) are ordered iff

    a0 <= a1,  a0 <= (a1 - b1) + b2,  b0 <= b2,  b0 <= a1 + (b2 - a2),  b1 - a1 <= b2 - a2,

and each of the five that holds with equality is another assignment that is as cheap. So a
pair (x1, x2) asks how many x0 lie in a quadrant: a lookup in a table of ranks. The ranks of
the sums are found by merging, because for a fixed x1 they grow with b2 or with b2 - a2.
"""

import numpy as np

from skvus._kernels._jit import helper, kernel
from skvus._kernels._search import n_below


@kernel
def quadrant_table(rank_b, weight, table):
    """Fill ``table[u, v]``: weight of the cases with a-rank below u and b-rank below v.

    The cases come sorted by a; `table` comes as zeros and has their number plus one as
    its side.
    """
    n = rank_b.size
    for u in range(1, n + 1):
        table[u, rank_b[u - 1] + 1] += weight[u - 1]
        run = table[0, 0]
        for v in range(1, n + 1):
            run += table[u, v]
            table[u, v] = table[u - 1, v] + run


@helper
def _add_tied(table, cuts_a, cuts_b, ties, weight, mass):
    """Share the cases of a quadrant among numbers of ties.

    ``cuts[p] .. cuts[p + 1]`` are the ranks at which p of the two conditions on a
    coordinate are ties.
    """
    for p in range(3):
        if cuts_a[p + 1] == cuts_a[p]:
            continue
        for q in range(3):
            if cuts_b[q + 1] > cuts_b[q]:
                inside = table[cuts_a[p + 1], cuts_b[q + 1]] - table[cuts_a[p], cuts_b[q + 1]]
                inside -= table[cuts_a[p + 1], cuts_b[q]] - table[cuts_a[p], cuts_b[q]]
                mass[ties + p + q] += weight * inside


@helper
def merge_ranks(values, order, shift, ascending, tolerance, low, high):
    """Ranks of ``shift + values`` in `ascending`, below and up to the tolerance."""
    n = ascending.size
    lo = 0
    hi = 0
    for k in range(order.size):
        x = order[k]
        value = shift + values[x]
        while hi < n and ascending[hi] <= value + tolerance:
            hi += 1
        high[x] = hi
        low[x] = hi
        if hi > 0 and ascending[hi - 1] >= value - tolerance:  # ties, mostly there are none
            while ascending[lo] < value - tolerance:
                lo += 1
            low[x] = lo


@kernel
def count_triples(table, a0, b0, a1, b1, w1, b2, g2, w2, by_b2, tolerance):
    """Weight of the ordered triples, by the number of ties among the five conditions.

    Parameters
    ----------
    table : (n0 + 1, n0 + 1) array
        From `quadrant_table`.
    a0, b0 : (n0,) int arrays
        Sorted, each by itself.
    a1, b1, w1 : (n1,) arrays
    b2, g2, w2 : (n2,) arrays
        ``g2 = b2 - a2``, by which all three are sorted.
    by_b2 : (n2,) int array
        Indices that sort `b2`.
    tolerance : int
        Differences up to this size are ties.

    Returns
    -------
    mass : (6,) array of floats
    """
    n0, n2 = a0.size, b2.size
    mass = np.zeros(6)
    low_a, high_a = np.empty(n2, np.int32), np.empty(n2, np.int32)
    low_b, high_b = np.empty(n2, np.int32), np.empty(n2, np.int32)
    merge_ranks(b2, by_b2, 0, b0, tolerance, low_b, high_b)
    for i in range(a1.size):
        shift = a1[i] - b1[i]
        lo_a = n_below(a0, a1[i] - tolerance)
        hi_a = n_below(a0, a1[i] + tolerance + 1)
        merge_ranks(b2, by_b2, shift, a0, tolerance, low_a, high_a)
        first = 0
        hi = 0
        untied = 0.0
        for x in range(n_below(g2, -shift - tolerance), n2):
            value = a1[i] + g2[x]
            while hi < n0 and b0[hi] <= value + tolerance:
                hi += 1
            lo = hi
            if hi > 0 and b0[hi - 1] >= value - tolerance:
                while b0[first] < value - tolerance:
                    first += 1
                lo = first
            u, last_u = min(lo_a, low_a[x]), min(hi_a, high_a[x])
            v, last_v = min(low_b[x], lo), min(high_b[x], hi)
            is_tie = g2[x] <= tolerance - shift
            if u == last_u and v == last_v and not is_tie:
                untied += w2[x] * table[u, v]
            else:
                cuts_a = (0, u, min(max(lo_a, low_a[x]), last_u), last_u)
                cuts_b = (0, v, min(max(low_b[x], lo), last_v), last_v)
                _add_tied(table, cuts_a, cuts_b, int(is_tie), w1[i] * w2[x], mass)
        mass[0] += w1[i] * untied
    return mass
