"""Scores, weightings and classes in, confusion counts out.

Cases weigh whole units, so that sums are exact in any order. Ties go to the lowest class.
"""

import numpy as np

from skvus._kernels._jit import kernel

# what a block of cases or weightings takes must fit the nearest cache
_BLOCK = 256


@kernel
def three_class_counts(scores, starts, units, weights):
    """Confusion counts of ``argmax_j (scores_j * weights_j)`` for each weighting.

    `scores` has shape (3, n), with the cases of class k at ``starts[k]:starts[k + 1]``.
    The inner loop has no branch, so it runs several cases at a time.
    """
    counts = np.zeros((weights.shape[0], 3, 3), dtype=np.int64)
    for true in range(3):
        for first in range(starts[true], starts[true + 1], _BLOCK):
            block = slice(first, min(first + _BLOCK, starts[true + 1]))
            score_0, score_1, score_2 = scores[0, block], scores[1, block], scores[2, block]
            unit = units[block]
            total = unit.sum()
            for c in range(weights.shape[0]):
                weight_0, weight_1, weight_2 = weights[c, 0], weights[c, 1], weights[c, 2]
                called_0 = 0
                called_2 = 0
                for i in range(unit.size):
                    value_0 = score_0[i] * weight_0
                    value_1 = score_1[i] * weight_1
                    value_2 = score_2[i] * weight_2
                    called_0 += unit[i] if (value_0 >= value_1) & (value_0 >= value_2) else 0
                    called_2 += unit[i] if (value_2 > value_0) & (value_2 > value_1) else 0
                counts[c, true, 0] += called_0
                counts[c, true, 1] += total - called_0 - called_2
                counts[c, true, 2] += called_2
    return counts


@kernel
def class_counts(scores, codes, units, weights, in_logs):
    """Confusion counts of ``argmax_j (scores_j * weights_j)`` for any number of classes.

    `scores` has shape (n, Q), `weights` (Q, m). With `in_logs` both are logarithms, and
    ``scores_j + weights_j`` decides.
    """
    n, n_classes = scores.shape
    n_weights = weights.shape[1]
    counts = np.zeros((n_weights, n_classes, n_classes), dtype=np.int64)
    best = np.empty(_BLOCK)
    called = np.empty(_BLOCK, dtype=np.int64)
    for first in range(0, n_weights, _BLOCK):
        last = min(first + _BLOCK, n_weights)
        for i in range(n):
            for k in range(n_classes):
                score = scores[i, k]
                weight = weights[k, first:last]
                for c in range(weight.size):
                    value = score + weight[c] if in_logs else score * weight[c]
                    is_better = k == 0 or value > best[c]
                    best[c] = value if is_better else best[c]
                    called[c] = k if is_better else called[c]
            for c in range(last - first):
                counts[first + c, codes[i], called[c]] += units[i]
    return counts
