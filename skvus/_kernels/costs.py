"""Scores and cost matrices in, decisions and confusion counts out.

A case with scores p is called ``argmin_j sum_k p_k cost[k, j]``. Expected costs that agree to
`TIE`, relative to the least, count as equal, and ties go to the lowest class: sums that are
equal on paper may differ in their last bits. All kernels add in the order of k, so they agree
on every case. Cases weigh whole units, so that counts are exact.
"""

import numpy as np

from skvus._kernels._jit import kernel

TIE = 1e-12
_WITHIN = 1.0 + TIE
# what a block of cases or costs takes must fit the nearest cache
_CASES = 256
_COSTS = 64


@kernel
def cheapest_classes(scores, cost):
    """The class that each case is called, for one cost matrix."""
    n, n_classes = scores.shape
    called = np.empty(n, dtype=np.int64)
    values = np.empty(n_classes)
    for i in range(n):
        least = np.inf
        for j in range(n_classes):
            values[j] = 0.0
            for k in range(n_classes):
                if k != j:
                    values[j] += scores[i, k] * cost[k, j]
            least = min(least, values[j])
        called[i] = n_classes
        for j in range(n_classes - 1, -1, -1):
            if values[j] <= least * _WITHIN:
                called[i] = j
    return called


@kernel
def two_class_cost_counts(scores, codes, units, costs):
    """Confusion counts of two classes; cases are in ascending order of p_1 / p_0.

    Those up to some case are called 0: O(log n) a cost matrix.
    """
    n = codes.size
    before = np.zeros((n + 1, 2), dtype=np.int64)
    for i in range(n):
        before[i + 1] = before[i]
        before[i + 1, codes[i]] += units[i]
    counts = np.empty((costs.shape[0], 2, 2), dtype=np.int64)
    for c in range(costs.shape[0]):
        low, high = 0, n
        while low < high:
            middle = (low + high) // 2
            value_0 = scores[middle, 1] * costs[c, 1, 0]
            value_1 = scores[middle, 0] * costs[c, 0, 1]
            if value_0 <= value_1 * _WITHIN:
                low = middle + 1
            else:
                high = middle
        counts[c, :, 0] = before[low]
        counts[c, :, 1] = before[n] - before[low]
    return counts


@kernel
def three_class_cost_counts(scores, starts, units, costs):
    """Confusion counts of three classes for each of the cost matrices.

    `scores` has shape (3, n), with the cases of class k at ``starts[k]:starts[k + 1]``.
    The inner loop has no branch, so it runs several cases at a time.
    """
    counts = np.zeros((costs.shape[0], 3, 3), dtype=np.int64)
    for true in range(3):
        for first in range(starts[true], starts[true + 1], _CASES):
            block = slice(first, min(first + _CASES, starts[true + 1]))
            score_0, score_1, score_2 = scores[0, block], scores[1, block], scores[2, block]
            unit = units[block]
            total = unit.sum()
            for c in range(costs.shape[0]):
                cost_01, cost_02 = costs[c, 0, 1], costs[c, 0, 2]
                cost_10, cost_12 = costs[c, 1, 0], costs[c, 1, 2]
                cost_20, cost_21 = costs[c, 2, 0], costs[c, 2, 1]
                called_0 = 0
                called_2 = 0
                for i in range(unit.size):
                    value_0 = score_1[i] * cost_10 + score_2[i] * cost_20
                    value_1 = score_0[i] * cost_01 + score_2[i] * cost_21
                    value_2 = score_0[i] * cost_02 + score_1[i] * cost_12
                    limit_2 = value_2 * _WITHIN
                    is_0 = (value_0 <= value_1 * _WITHIN) & (value_0 <= limit_2)
                    is_2 = (limit_2 < value_0) & (limit_2 < value_1)
                    called_0 += unit[i] if is_0 else 0
                    called_2 += unit[i] if is_2 else 0
                counts[c, true, 0] += called_0
                counts[c, true, 1] += total - called_0 - called_2
                counts[c, true, 2] += called_2
    return counts


@kernel
def cost_counts(scores, codes, units, costs):
    """Confusion counts of any number of classes; `costs` has shape (Q, Q, m)."""
    n, n_classes = scores.shape
    n_costs = costs.shape[2]
    counts = np.zeros((n_costs, n_classes, n_classes), dtype=np.int64)
    values = np.empty((n_classes, _COSTS))
    limit = np.empty(_COSTS)
    called = np.empty(_COSTS, dtype=np.int64)
    for first in range(0, n_costs, _COSTS):
        size = min(_COSTS, n_costs - first)
        for i in range(n):
            limit[:] = np.inf
            for j in range(n_classes):
                value = values[j]
                value[:] = 0.0
                for k in range(n_classes):
                    if k != j:
                        score = scores[i, k]
                        cost = costs[k, j, first : first + size]
                        for c in range(size):
                            value[c] += score * cost[c]
                for c in range(size):
                    limit[c] = min(limit[c], value[c])
            for c in range(size):
                limit[c] *= _WITHIN
            for j in range(n_classes - 1, -1, -1):
                value = values[j]
                for c in range(size):
                    called[c] = j if value[c] <= limit[c] else called[c]
            for c in range(size):
                counts[first + c, codes[i], called[c]] += units[i]
    return counts
