"""Rows of large arrays a block at a time, so that what is made of them stays small.

Scores come as they were given: of single or double precision, read-only, mapped from a file,
in any order in memory. What is computed from them is computed from blocks of doubles, so that
a result is that of the whole array in double precision, bit by bit.
"""

import numpy as np

_BLOCK_CELLS = 2**18  # 2 MB of floats


def row_blocks(n_rows, n_columns):
    """Slices of rows that together are all of them."""
    # for many classes no less than what a table of all pairs of them is worth
    size = max(_BLOCK_CELLS // max(1, n_columns), 16 * n_columns)
    return [slice(start, min(start + size, n_rows)) for start in range(0, n_rows, size)]


def float_rows(scores, rows):
    """A block of rows as new doubles in C order, which kernels take."""
    return np.array(scores[rows], dtype=np.float64, order="C")


def float_blocks(scores):
    """Yield blocks of rows, and what they hold as new doubles."""
    for rows in row_blocks(*scores.shape):
        yield rows, float_rows(scores, rows)
