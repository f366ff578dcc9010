"""Which samples lie above a member of a front in every coordinate.

For each coordinate and each level that a member has in it, a set of bits tells the members up
to that level. The members below a sample are the intersection of one set a coordinate.
"""

import numpy as np

from skvus._kernels._bits import popcount
from skvus._kernels._jit import helper, kernel

_BLOCK = 4  # words that are intersected at once
_CELLS = 1024  # of [0, 1], to look up where the levels of a cell begin


@kernel
def level_guide(levels, starts):
    """For each coordinate and cell of [0, 1], the number of levels below the cell.

    `levels` has the distinct values of each coordinate in ascending order, those of
    coordinate d from ``starts[d] - d`` on: a row of the sets is for what is below all of them.
    """
    n_coordinates = starts.size - 1
    guide = np.empty((n_coordinates, _CELLS), dtype=np.int64)
    for d in range(n_coordinates):
        first = starts[d] - d
        n_levels = starts[d + 1] - starts[d] - 1
        below = 0
        for cell in range(_CELLS):
            while below < n_levels and levels[first + below] * _CELLS < cell:
                below += 1
            guide[d, cell] = below
    return guide


@helper
def _row(levels, starts, guide, d, value):
    """Row of the highest level of coordinate d up to a value, non-negative."""
    first = starts[d] - d
    n_levels = starts[d + 1] - starts[d] - 1
    below = guide[d, min(np.int64(value * _CELLS), _CELLS - 1)]
    while below < n_levels and levels[first + below] <= value:
        below += 1
    return starts[d] + below


@kernel
def level_sets(levels, starts, guide, points):
    """Sets of members up to each level; row ``starts[d]`` is empty."""
    n_members, n_coordinates = points.shape
    n_words = _BLOCK * -(-n_members // (64 * _BLOCK))
    sets = np.zeros((starts[n_coordinates], n_words), dtype=np.uint64)
    for d in range(n_coordinates):
        for i in range(n_members):
            row = _row(levels, starts, guide, d, points[i, d])
            sets[row, i // 64] |= np.uint64(1) << np.uint64(i % 64)
        for row in range(starts[d] + 1, starts[d + 1]):
            for word in range(n_words):
                sets[row, word] |= sets[row - 1, word]
    return sets


@kernel
def covered(sets, levels, starts, guide, samples):
    """Whether any member is below each sample."""
    n_coordinates = starts.size - 1
    found = np.zeros(samples.shape[0], dtype=np.bool_)
    rows = np.empty(n_coordinates, dtype=np.int64)
    common = np.empty(_BLOCK, dtype=np.uint64)
    for s in range(samples.shape[0]):
        for d in range(n_coordinates):
            rows[d] = _row(levels, starts, guide, d, samples[s, d])
        for first in range(0, sets.shape[1], _BLOCK):
            _intersect(sets, rows, first, common)
            if (common[0] | common[1] | common[2] | common[3]) != 0:
                found[s] = True
                break
    return found


@helper
def _intersect(sets, rows, first, common):
    """A block of words of the intersection of some sets."""
    for word in range(_BLOCK):
        common[word] = sets[rows[0], first + word]
    for d in range(1, rows.size):
        row = sets[rows[d]]
        for word in range(_BLOCK):
            common[word] &= row[first + word]


@kernel
def cover_counts(sets, levels, starts, guide, samples):
    """Number of members below each sample."""
    n_coordinates = starts.size - 1
    numbers = np.zeros(samples.shape[0], dtype=np.int64)
    rows = np.empty(n_coordinates, dtype=np.int64)
    common = np.empty(_BLOCK, dtype=np.uint64)
    for s in range(samples.shape[0]):
        for d in range(n_coordinates):
            rows[d] = _row(levels, starts, guide, d, samples[s, d])
        for first in range(0, sets.shape[1], _BLOCK):
            _intersect(sets, rows, first, common)
            for word in range(_BLOCK):
                numbers[s] += np.int64(popcount(common[word]))
    return numbers


@kernel
def cover(points, columns, is_covered):
    """Mark the samples that one of a few points is below: no sets are worth their while.

    `columns` has a row for each coordinate, so that loops run over several samples at a time.
    """
    n_coordinates, n = columns.shape
    is_below = np.empty(n, dtype=np.bool_)
    for i in range(points.shape[0]):
        is_below[:] = True
        for d in range(n_coordinates):
            value = points[i, d]
            column = columns[d]
            for s in range(n):
                is_below[s] &= value <= column[s]
        for s in range(n):
            is_covered[s] |= is_below[s]
