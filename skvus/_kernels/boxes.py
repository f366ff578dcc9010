"""Volume of a union of boxes below a hyperplane.

A box is ``{x : p <= x <= 1}``. Below the hyperplane ``sum(x) <= level`` its volume, times d!,
is ``s^d - sum_i max(0, s - (1 - p_i))^d`` with ``s = level - sum(p)``, as long as no two
coordinates can pass 1 at once: for a level of at most two.
"""

import numpy as np

from skvus._kernels._jit import helper, kernel


@helper
def _power(base, exponent):
    result = 1.0
    while exponent > 0:
        if exponent % 2 == 1:
            result *= base
        base *= base
        exponent //= 2
    return result


@helper
def _box(corner, level):
    """d! times the volume of one box below the hyperplane."""
    slack = level
    for x in corner:
        slack -= x
    if slack <= 0.0:
        return 0.0
    volume = _power(slack, corner.size)
    for x in corner:
        beyond = slack - 1.0 + x
        if beyond > 0.0:
            volume -= _power(beyond, corner.size)
    return volume


@helper
def _sorted_rows(rows, n_rows, column):
    """The first rows in ascending order of a column, by Shell's sort.

    numba's own sort would take most of the time that it takes to compile this file.
    """
    order = np.arange(n_rows)
    gap = 1
    while gap < n_rows:
        gap = 3 * gap + 1
    while gap > 1:
        gap //= 3
        for i in range(gap, n_rows):
            row = order[i]
            key = rows[row, column]
            j = i
            while j >= gap and rows[order[j - gap], column] > key:
                order[j] = order[j - gap]
                j -= gap
            order[j] = row
    ascending = np.empty((n_rows, rows.shape[1]))
    for i in range(n_rows):
        ascending[i] = rows[order[i]]
    return ascending


@helper
def _staircase(ascending, level):
    """Union of boxes that differ in the first two coordinates, sorted by the second."""
    d = ascending.shape[1]
    common = np.empty(d)
    last = -1
    total = 0.0
    for k in range(ascending.shape[0]):
        if last >= 0:
            if ascending[k, 0] >= ascending[last, 0]:
                continue
            for i in range(d):
                common[i] = max(ascending[k, i], ascending[last, i])
            total -= _box(common, level)
        total += _box(ascending[k], level)
        last = k
    return total


@helper
def _insert(corner, corners, n_corners, n_free):
    """Add a corner to mutually non-dominated ones; returns how many there are then."""
    for a in range(n_corners):
        is_beaten = True
        for i in range(n_free):
            if corners[a, i] > corner[i]:
                is_beaten = False
                break
        if is_beaten:
            # one that beats others is likely to beat more: let it be met earlier
            earlier = a // 2
            for i in range(corner.size):
                corners[a, i], corners[earlier, i] = corners[earlier, i], corners[a, i]
            return n_corners
    a = 0
    while a < n_corners:
        beats = True
        for i in range(n_free):
            if corners[a, i] < corner[i]:
                beats = False
                break
        if beats:
            n_corners -= 1
            corners[a] = corners[n_corners]
        else:
            a += 1
    corners[n_corners] = corner
    return n_corners + 1


@helper
def _union(corners, n_corners, n_free, level):
    """d! times the volume of the union of the first boxes, below the hyperplane.

    The boxes differ in the first `n_free` coordinates only. The method of WFG (While,
    Bradstreet, Barone 2012) with another measure: in ascending order of the last free
    coordinate, a box adds its volume without what it shares with the boxes before it. What it
    shares is a union of boxes again, which agree in that coordinate. Boxes beyond the
    hyperplane are dropped on the way, and there are many: that is why it is fast.
    """
    d = corners.shape[1]
    if n_corners == 0:
        return 0.0
    if n_corners == 1:
        return _box(corners[0], level)
    ascending = _sorted_rows(corners, n_corners, n_free - 1)
    if n_free == 2:
        return _staircase(ascending, level)
    shared = np.empty((n_corners, d))
    common = np.empty(d)
    total = 0.0
    for k in range(n_corners):
        n_shared = 0
        # from the nearest one on: those are the likeliest to beat the others
        for j in range(k - 1, -1, -1):
            height = 0.0
            for i in range(d):
                common[i] = max(ascending[k, i], ascending[j, i])
                height += common[i]
            if height < level:
                n_shared = _insert(common, shared, n_shared, n_free - 1)
        total += _box(ascending[k], level)
        total -= _union(shared, n_shared, n_free - 1, level)
    return total


@kernel
def union_volume(corners, level):
    """d! times the volume of the union of boxes below the hyperplane, for d >= 2."""
    return _union(corners, corners.shape[0], corners.shape[1], level)
