"""Posteriors and decisions in, confusion counts out."""

import numpy as np

from skvus._kernels._jit import kernel


@kernel
def weighted_counts(log_scores, codes, sample_weight, phis):
    """Confusion counts of ``argmax_j (log_scores_j + phi_j)`` for each weighting.

    Ties go to the lowest class.
    """
    n, n_classes = log_scores.shape
    counts = np.zeros((phis.shape[0], n_classes, n_classes))
    for c in range(phis.shape[0]):
        for i in range(n):
            called = 0
            best = log_scores[i, 0] + phis[c, 0]
            for k in range(1, n_classes):
                value = log_scores[i, k] + phis[c, k]
                if value > best:
                    best = value
                    called = k
            counts[c, codes[i], called] += sample_weight[i]
    return counts
