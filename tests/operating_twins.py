"""Slow, obvious counterparts of what is said about operating points."""

from fractions import Fraction
from itertools import combinations, pairwise

import numpy as np
from scipy.optimize import linear_sum_assignment


def rates_by_numpy(y, scores, weights, n_classes, sample_weight=None):
    """Confusion rates of one weighting, straight from `np.argmax`."""
    called = np.argmax(np.asarray(weights) * scores, axis=1)
    sample_weight = np.ones(len(y)) if sample_weight is None else np.asarray(sample_weight)
    rates = np.full((n_classes, n_classes), np.nan)
    for k in range(n_classes):
        if (y == k).any():
            total = sample_weight[y == k].sum()
            for j in range(n_classes):
                rates[k, j] = sample_weight[(y == k) & (called == j)].sum() / total
    return rates


def two_class_counts_by_hand(codes, scores):
    """All (2, 2) confusion counts of argmax(weights * scores), integer scores, exactly."""
    ratios = sorted({Fraction(p[0], p[1]) for p in scores if p[0] and p[1]})
    middles = [(a + b) / 2 for a, b in pairwise(ratios)]
    ends = [ratios[0] / 2, ratios[-1] * 2] if ratios else [Fraction(1)]
    found = set()
    for phi in [*ends, *middles]:
        counts = [[0, 0], [0, 0]]
        for code, p in zip(codes, scores, strict=True):
            counts[code][int(phi * p[1] > p[0])] += 1
        found.add(tuple(map(tuple, counts)))
    return found


def counts_by_transport(codes, scores):
    """All confusion counts of positive scores without ties, for any number of classes.

    A weighting makes the best of all assignments that call as many cases what it does, and
    every such number has its weighting: the prices of the transportation problem.
    """
    n, n_classes = scores.shape
    found = set()
    for bars in combinations(range(n + n_classes - 1), n_classes - 1):
        sizes = np.diff([-1, *bars, n + n_classes - 1]) - 1
        called = np.repeat(np.arange(n_classes), sizes)
        rows, columns = linear_sum_assignment(-np.log(scores)[:, called])
        counts = np.zeros((n_classes, n_classes), dtype=int)
        np.add.at(counts, (codes[rows], called[columns]), 1)
        found.add(tuple(map(tuple, counts.tolist())))
    return found


def as_counts(rates, codes):
    """Rates of unweighted cases back to a set of tuples of counts."""
    totals = np.bincount(codes, minlength=rates.shape[1])[:, np.newaxis]
    counts = rates * totals
    assert np.abs(counts - np.rint(counts)).max() < 1e-9
    return {tuple(map(tuple, matrix)) for matrix in np.rint(counts).astype(int).tolist()}


def spread_weights(n, n_classes, spread, rng):
    """Random weightings, evenly spread on a logarithmic scale."""
    return np.exp(rng.uniform(-spread, spread, size=(n, n_classes)))


def true_rates(rates):
    return np.einsum("...kk->...k", rates)


def is_reached(rates, target):
    """Whether some of these operating points has all the true rates wanted."""
    return bool((true_rates(rates) >= target).all(axis=1).any())
