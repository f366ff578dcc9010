"""From scores to what it costs to call a case by the name of another class.

Prices become integers on a grid far finer than any difference that is taken for one, so
that sums along cycles are exact and do not depend on their order.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from skvus._blocks import float_blocks, row_blocks
from skvus._soft import one_column, require_probabilities

DISTANCES = ("euclidean", "sum", "product")
# Sums of prices that differ by less are ties: posteriors that tie on paper differ in their
# last bits. Relative to 1 for distances and logarithms, to the scores themselves for sums.
_TIE = 1e-12
_BITS = 61  # sums along a cycle must stay below 2**61
_COARSEST = 1e-6  # of a typical score, what the grid of integers may blur


class PricedCases(NamedTuple):
    """Cases of one class each: what every other name would cost more, and their weight.

    ``rows[i]`` has shape (n_i, Q) and zeros in column i. Equal rows are one case with the
    weight of all, and ``which[i]`` tells the row of each case of class i. For two classes
    `rows` holds two vectors of scores instead, the larger the more they speak for the second
    class.
    """

    rows: list
    weights: list
    which: list
    tolerance: int

    @property
    def sizes(self):
        """Number of distinct cases in each class."""
        return [len(weight) for weight in self.weights]


def price_cases(problem, distance):
    """Prices of all cases under one of `DISTANCES`, once `check_for_distance` has passed."""
    n_classes = problem.n_classes
    scores = one_column(problem.scores)
    if scores.ndim == 1:
        rows = np.asarray(scores, dtype=float)[:, np.newaxis]
        tolerance = 0
    else:
        rows, tolerance = _PRICES[distance](scores)
        for block in row_blocks(*rows.shape):
            own = problem.codes[block, np.newaxis]
            rows[block] -= np.take_along_axis(rows[block], own, axis=1)
        if n_classes == 2:  # both costs grow with how much speaks for the own class
            rows = np.where(problem.codes == 1, rows[:, 0], -rows[:, 1])[:, np.newaxis]
    merged = [merge_equal(*part) for part in problem.split(rows)]
    cases, weights, which = map(list, zip(*merged, strict=True))
    if n_classes == 2:
        cases = [values[:, 0] for values in cases]
    return PricedCases(cases, weights, which, tolerance)


def check_for_distance(scores, distance):
    """Raise unless these scores make sense under this distance."""
    if scores.ndim == 1:
        return
    if distance == "euclidean":
        require_probabilities(scores, "with distance='euclidean'")
    elif distance == "product" and scores.min() < 0.0:
        raise ValueError(
            "y_score must not be negative under the product rule; its minimum is "
            f"{scores.min():.6g}. Scores of any sign order under the product rule as their "
            "exponentials do: ordered_vus_score(..., distance='sum')."
        )


def merge_equal(rows, weight):
    """Distinct rows, the total weight of each, and the distinct row of each row."""
    columns = np.ascontiguousarray(rows).view(np.uint64).reshape(rows.shape)
    keys = columns @ _hash_factors(columns.shape[1])
    ascending = np.sort(keys)
    if (ascending[1:] != ascending[:-1]).all():
        return rows, weight, np.arange(len(rows))
    _, first, which = np.unique(keys, return_index=True, return_inverse=True)
    distinct = rows[first]
    if (distinct[which] != rows).any():  # two rows with one key
        distinct, which = np.unique(rows, axis=0, return_inverse=True)
    which = which.ravel()
    return distinct, np.bincount(which, weights=weight, minlength=len(distinct)), which


@lru_cache
def _hash_factors(n_columns):
    """Odd numbers without a pattern."""
    numbers = np.random.default_rng(0).integers(2**63, size=n_columns, dtype=np.uint64)
    return 2 * numbers + np.uint64(1)


def _euclidean_prices(scores):
    """Distances from the corners; subtracting from a full sum would cancel near a corner."""
    n_classes = scores.shape[1]
    return _on_grid(scores, _corner_distances, n_classes * np.sqrt(2.0), 1.0)


def _corner_distances(scores):
    squares = scores**2
    before, after = np.zeros_like(squares), np.zeros_like(squares)
    before[:, 1:] = np.cumsum(squares[:, :-1], axis=1)
    after[:, :-1] = np.cumsum(squares[:, :0:-1], axis=1)[:, ::-1]
    return np.sqrt(before + after + (1.0 - scores) ** 2)


def _sum_prices(scores):
    """Minus the scores, seen from the largest of each row."""
    n_classes = scores.shape[1]
    # a power of two changes no digit, and keeps differences of huge scores finite
    farthest = float(max(abs(scores.min()), abs(scores.max())))
    exponent = -np.frexp(farthest)[1] - 1
    largest, most = np.empty(len(scores)), 0.0
    for rows, block in float_blocks(scores):
        largest[rows] = np.abs(block).max(axis=1)
        most = max(most, _below_largest(block, exponent).max())
    positive = largest[largest > 0.0]
    typical = np.sort(positive)[positive.size // 2] if positive.size else 0.0
    scale = np.ldexp(typical, exponent)  # zero if the largest is too far from it
    reach = n_classes * most
    if n_classes * np.ldexp(reach, -_BITS) > _COARSEST * scale:
        digits = np.log10(most) - exponent * np.log10(2.0) - np.log10(typical)
        raise ValueError(
            "y_score must not span so wide a range with distance='sum': rows differ by up to "
            f"1e{digits:+.0f} times a typical score. Clip or rank the scores."
        )
    return _on_grid(scores, lambda block: _below_largest(block, exponent), reach, scale)


def _below_largest(scores, exponent):
    scores = np.ldexp(scores, exponent)
    return scores.max(axis=1, keepdims=True) - scores


def _product_prices(scores):
    """Minus the logarithms; a zero outweighs any sum of finite ones."""
    n_classes = scores.shape[1]
    has_zero, highest, lowest = False, -np.inf, np.inf
    for _, block in float_blocks(scores):
        logs, is_zero = _logs(block)
        has_zero |= bool(is_zero.any())
        highest = max(highest, logs.max(where=~is_zero, initial=-np.inf))
        lowest = min(lowest, logs.min(where=~is_zero, initial=np.inf))
    reach = n_classes * max(0.0, highest - lowest)  # no price if all scores are zero
    zero = 0.0
    if has_zero:
        zero = 2.0 * reach + 1.0
        reach = 2.0 * n_classes * zero

    def prices(block):
        logs, is_zero = _logs(block)
        # among assignments with equally many zeros, a constant for all the others is the same
        return np.where(is_zero, zero, highest - logs)

    return _on_grid(scores, prices, reach, 1.0)


def _logs(scores):
    """Logarithms with zeros in place of those of zeros, and where these are."""
    is_zero = scores == 0.0
    return np.log(np.where(is_zero, 1.0, scores)), is_zero


def _on_grid(scores, prices, reach, scale):
    """Integers in place of the prices of each block, and the tolerance in the same unit.

    `reach` bounds the sums along cycles; half a unit of rounding for each of at most
    2 Q prices stays within the tolerance.
    """
    exponent = _BITS - int(np.frexp(max(reach, scale, np.finfo(float).tiny))[1])
    integers = np.empty(scores.shape, dtype=np.int64)
    for rows, block in float_blocks(scores):
        integers[rows] = np.rint(np.ldexp(prices(block), exponent))
    return integers, int(np.ldexp(_TIE * scale, exponent)) + scores.shape[1]


_PRICES = {
    "euclidean": _euclidean_prices,
    "sum": _sum_prices,
    "product": _product_prices,
}
