"""From scores to what it costs to call a case by the name of another class.

Prices become integers on a grid far finer than any difference that is taken for one, so
that sums along cycles are exact and do not depend on their order.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

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
        rows = scores[:, np.newaxis]
        tolerance = 0
    else:
        prices, tolerance = _PRICES[distance](scores)
        rows = prices - prices[np.arange(len(prices)), problem.codes][:, np.newaxis]
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
    squares = scores**2
    before, after = np.zeros_like(squares), np.zeros_like(squares)
    before[:, 1:] = np.cumsum(squares[:, :-1], axis=1)
    after[:, :-1] = np.cumsum(squares[:, :0:-1], axis=1)[:, ::-1]
    distances = np.sqrt(before + after + (1.0 - scores) ** 2)
    return _on_grid(distances, n_classes * np.sqrt(2.0), 1.0, n_classes)


def _sum_prices(scores):
    """Minus the scores, seen from the largest of each row."""
    n_classes = scores.shape[1]
    # a power of two changes no digit, and keeps differences of huge scores finite
    scores = np.ldexp(scores, -np.frexp(np.abs(scores).max())[1] - 1)
    largest = np.abs(scores).max(axis=1)
    prices = scores.max(axis=1, keepdims=True) - scores
    positive = largest[largest > 0.0]
    scale = np.sort(positive)[positive.size // 2] if positive.size else 0.0
    reach = n_classes * prices.max()
    if n_classes * np.ldexp(reach, -_BITS) > _COARSEST * scale:
        raise ValueError(
            "y_score must not span so wide a range with distance='sum': rows differ by up to "
            f"{prices.max() / scale:.0e} times a typical score. Clip or rank the scores."
        )
    return _on_grid(prices, reach, scale, n_classes)


def _product_prices(scores):
    """Minus the logarithms; a zero outweighs any sum of finite ones."""
    n_classes = scores.shape[1]
    is_zero = scores == 0.0
    logs = np.log(np.where(is_zero, 1.0, scores))
    finite = logs[~is_zero]
    # among assignments with equally many zeros, a constant for all the others is the same
    prices = np.where(is_zero, 0.0, finite.max(initial=-np.inf) - logs)
    reach = n_classes * prices.max()
    if is_zero.any():
        zero = 2.0 * reach + 1.0
        prices[is_zero] = zero
        reach = 2.0 * n_classes * zero
    return _on_grid(prices, reach, 1.0, n_classes)


def _on_grid(prices, reach, scale, n_classes):
    """Integers in place of prices, and the tolerance in the same unit.

    `reach` bounds the sums along cycles; half a unit of rounding for each of at most
    2 Q prices stays within the tolerance.
    """
    exponent = _BITS - int(np.frexp(max(reach, scale, np.finfo(float).tiny))[1])
    integers = np.rint(np.ldexp(prices, exponent)).astype(np.int64)
    return integers, int(np.ldexp(_TIE * scale, exponent)) + n_classes


_PRICES = {
    "euclidean": _euclidean_prices,
    "sum": _sum_prices,
    "product": _product_prices,
}
