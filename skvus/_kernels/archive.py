"""Insertion into an archive of mutually non-dominated members, and the choice of one.

An index tells for each objective and each of some levels which members are at most at that
level, as sets of bits. What may dominate a new point is the intersection of one set for each
objective, 64 members in a word; what is left is compared in full.
"""

import numpy as np

from skvus._kernels._jit import helper, kernel
from skvus._kernels._search import n_below

_ONE = np.uint64(1)
_BLOCK = 32  # words that are looked at together


@helper
def _level_of(value, bounds, d):
    """How many bounds of an objective are below a value.

    Halves without branches, whose outcome nothing could predict.
    """
    low, n = 0, bounds.shape[1]
    while n > 1:
        half = n // 2
        low += half if bounds[d, low + half - 1] < value else 0
        n -= half
    return low + (1 if bounds[d, low] < value else 0)


@helper
def _levels_of(point, bounds, levels):
    """Level of each objective."""
    for d in range(point.size):
        levels[d] = _level_of(point[d], bounds, d)


@helper
def _is_below(low, high):
    """Whether every objective of `low` is at most that of `high`."""
    d = 0
    while d < low.size and low[d] <= high[d]:
        d += 1
    return d == low.size


@helper
def _enter(index, levels, slot):
    """Note in the index that the member at `slot` has these levels."""
    word, bit = slot >> 6, _ONE << np.uint64(slot & 63)
    for d in range(levels.size):
        for level in range(levels[d], index.shape[1]):
            index[d, level, word] |= bit


@helper
def _leave(index, slot):
    """Note in the index that there is no member at `slot`."""
    word, others = slot >> 6, ~(_ONE << np.uint64(slot & 63))
    for d in range(index.shape[0]):
        for level in range(index.shape[1]):
            index[d, level, word] &= others


@helper
def _lowest_bit(word):
    """Place of the lowest bit that is set."""
    place = 0
    while word & np.uint64(0xFF) == 0:
        word >>= np.uint64(8)
        place += 8
    while word & _ONE == 0:
        word >>= _ONE
        place += 1
    return place


@helper
def _may_be_below(index, levels, start, found):
    """Sets of the members that may be below a point of these levels; whether there is any.

    Loops without branches over many words, which compile to vector instructions.
    """
    n = min(found.size, index.shape[2] - start)
    found[:n] = index[0, levels[0], start : start + n]
    found[n:] = 0
    for d in range(1, levels.size):
        some = np.uint64(0)
        members = index[d, levels[d], start : start + n]
        for w in range(n):
            found[w] &= members[w]
            some |= found[w]
        if some == 0:
            return False
    return True


@helper
def _may_be_above(index, levels, start, found):
    """Sets of the members that a point of these levels may be below; whether there is any."""
    n = min(found.size, index.shape[2] - start)
    found[:n] = index[0, index.shape[1] - 1, start : start + n]  # all members
    found[n:] = 0
    for d in range(levels.size):
        if levels[d] > 0:
            some = np.uint64(0)
            members = index[d, levels[d] - 1, start : start + n]
            for w in range(n):
                found[w] &= ~members[w]
                some |= found[w]
            if some == 0:
                return False
    return True


@helper
def _is_covered(keys, size, index, point, levels, found):
    """Whether a member is below `point`, or equal."""
    for start in range(0, (size + 63) >> 6, found.size):
        if _may_be_below(index, levels, start, found):
            for w in range(found.size):
                word = found[w]
                while word != 0:
                    if _is_below(keys[((start + w) << 6) + _lowest_bit(word)], point):
                        return True
                    word &= word - _ONE
    return False


@helper
def _n_above(keys, size, index, point, levels, found, above):
    """Write the places of the members that `point` is below, in order; count them."""
    n = 0
    for start in range(0, (size + 63) >> 6, found.size):
        if _may_be_above(index, levels, start, found):
            for w in range(found.size):
                word = found[w]
                while word != 0:
                    slot = ((start + w) << 6) + _lowest_bit(word)
                    if _is_below(point, keys[slot]):
                        above[n] = slot
                        n += 1
                    word &= word - _ONE
    return n


@kernel
def indexed(keys, size, bounds, n_words):
    """Index of the members, which are the first `size` rows of `keys`.

    Parameters
    ----------
    keys : ndarray of int64, shape (capacity, n_keys)
    size : int
    bounds : ndarray of int64, shape (n_keys, n_levels - 1)
        Ascending in each row. A value is at the level that is the number of bounds below it.
    n_words : int
        Room for ``64 * n_words`` members.

    Returns
    -------
    index : ndarray of uint64, shape (n_keys, n_levels, n_words)
        Bit s of ``[d, level]`` is set if objective d of member s is at most at this level.
    """
    index = np.zeros((bounds.shape[0], bounds.shape[1] + 1, n_words), dtype=np.uint64)
    for d in range(index.shape[0]):
        for slot in range(size):
            bit = _ONE << np.uint64(slot & 63)
            index[d, _level_of(keys[slot, d], bounds, d), slot >> 6] |= bit
        for level in range(1, index.shape[1]):  # who is at a level is at most at the next
            for word in range(n_words):
                index[d, level, word] |= index[d, level - 1, word]
    return index


@kernel
def admit(keys, size, index, bounds, origin, new_keys):
    """Insert one after the other what no member is below; take out what it is below.

    Parameters
    ----------
    keys : ndarray of int64, shape (capacity, n_keys)
        The members are the first `size` rows; there must be room for all new ones. Changed.
    size : int
    index, bounds : ndarray
        As for `indexed`. The index is changed.
    origin : ndarray of int64, shape (capacity,)
        0, 1, 2, ...; changed on the way and restored.
    new_keys : ndarray of int64, shape (n, n_keys)

    Returns
    -------
    size : int
        Number of members afterwards.
    slots : ndarray of int64
        Places whose member has changed.
    sources : ndarray of int64
        Where each of these members was before, or ``capacity + i`` for the new one i.
    """
    capacity = keys.shape[0]
    n = new_keys.shape[0]
    levels = np.empty(keys.shape[1], dtype=np.int64)
    moved_levels = np.empty(keys.shape[1], dtype=np.int64)
    found = np.empty(_BLOCK, dtype=np.uint64)
    above = np.empty(size + n, dtype=np.int64)
    touched = np.empty(size + 2 * n, dtype=np.int64)
    n_touched = 0
    for i in range(n):
        point = new_keys[i]
        _levels_of(point, bounds, levels)
        if _is_covered(keys, size, index, point, levels, found):
            continue
        n_above = _n_above(keys, size, index, point, levels, found, above)
        for slot in above[:n_above][::-1]:  # what takes its place is no other one of these
            size -= 1
            _leave(index, slot)
            if slot != size:
                _levels_of(keys[size], bounds, moved_levels)
                _leave(index, size)
                keys[slot] = keys[size]
                _enter(index, moved_levels, slot)
            origin[slot] = origin[size]
            touched[n_touched] = slot
            n_touched += 1
        keys[size] = point
        _enter(index, levels, size)
        origin[size] = capacity + i
        touched[n_touched] = size
        n_touched += 1
        size += 1
    slots = np.unique(touched[:n_touched])
    sources = origin[slots]
    origin[slots] = slots
    n_kept = n_below(slots, size)
    return size, slots[:n_kept], sources[:n_kept]


@kernel
def parts_of_range(values, n_parts):
    """Which of some equal parts of their range values lie in, and how many lie in each."""
    low, high = values.min(), values.max()
    width = high - low + 1
    parts = np.empty(values.size, dtype=np.int64)
    counts = np.zeros(n_parts, dtype=np.int64)
    for i in range(values.size):
        parts[i] = (values[i] - low) * n_parts // width
        counts[parts[i]] += 1
    return parts, counts
