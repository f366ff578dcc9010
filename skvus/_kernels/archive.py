"""Insertion into an archive of mutually non-dominated members.

The objectives of a member are whole numbers, packed into 64-bit words as fields with a guard
bit above each. ``((b | guards) - a) & guards`` keeps a guard where the field of a is at most
that of b: one subtraction compares several objectives.
"""

import numpy as np

from skvus._kernels._jit import helper, kernel

_BLOCK = 32  # members that are compared before asking whether one dominates


@kernel
def packed(keys, n_bits):
    """Words of rows of non-negative whole numbers below ``2**n_bits``."""
    n, n_keys = keys.shape
    per_word = 64 // (n_bits + 1)
    words = np.zeros((n, -(-n_keys // per_word)), dtype=np.uint64)
    for i in range(n):
        for d in range(n_keys):
            shift = np.uint64((d % per_word) * (n_bits + 1))
            words[i, d // per_word] |= np.uint64(keys[i, d]) << shift
    return words


@helper
def _guard_bits(n_bits):
    """A word with the guard bit of every field."""
    guards = np.uint64(0)
    for field in range(64 // (n_bits + 1)):
        guards |= np.uint64(1) << np.uint64(field * (n_bits + 1) + n_bits)
    return guards


@helper
def _is_below(low, high, guards):
    """Whether every objective of `low` is at most that of `high`."""
    word = 0
    while word < low.size and ((high[word] | guards) - low[word]) & guards == guards:
        word += 1
    return word == low.size


@helper
def _is_covered(words, size, new, guards):
    """Whether a member is below `new`, or equal."""
    first = new[0] | guards
    for start in range(0, size, _BLOCK):
        end = min(start + _BLOCK, size)
        candidates = 0
        for s in range(start, end):
            candidates += ((first - words[s, 0]) & guards) == guards
        if candidates == 0:
            continue
        for s in range(start, end):
            if _is_below(words[s], new, guards):
                return True
    return False


@kernel
def admit(words, size, new_words, n_bits):
    """Insert one after the other what no member is below; take out what it is below.

    Parameters
    ----------
    words : ndarray of uint64, shape (capacity, n_words)
        The members are the first `size` rows; there must be room for all new ones. Changed.
    size : int
    new_words : ndarray of uint64, shape (n, n_words)
    n_bits : int
        As for `packed`.

    Returns
    -------
    origin : ndarray of int64
        For each member afterwards, the row that it had, or ``capacity + i`` for the new one i.
    """
    capacity = words.shape[0]
    guards = _guard_bits(n_bits)
    origin = np.empty(size + new_words.shape[0], dtype=np.int64)
    for s in range(size):
        origin[s] = s
    for i in range(new_words.shape[0]):
        new = new_words[i]
        if _is_covered(words, size, new, guards):
            continue
        s = 0
        while s < size:
            if _is_below(new, words[s], guards):
                size -= 1
                words[s] = words[size]
                origin[s] = origin[size]
            else:
                s += 1
        words[size] = new
        origin[size] = capacity + i
        size += 1
    return origin[:size]
