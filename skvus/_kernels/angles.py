"""Dreiseitl's heuristic: whether each case of a tuple lies towards its own corner.

Seen from the mean m of the tuple, case i with the probabilities p lies towards corner i if
the angle between p - m and e_i - m is small enough, or if p - m is largest in coordinate i.
"""

import numpy as np

from skvus._kernels._jit import helper, kernel

_TIE = 1e-12  # angles that are right on paper are so up to rounding


@helper
def _is_towards(p, mean, own, limit):
    """Whether one case passes: limit 0 right angle, 1 cosine, 2 sector."""
    n = mean.size
    if limit == 2:
        lead = p[own] - mean[own]
        farthest = lead
        for j in range(n):
            farthest = max(farthest, p[j] - mean[j])
        return farthest <= lead + _TIE
    product = p[own] - mean[own]
    length = 0.0
    corner = 1.0 - 2.0 * mean[own]
    for j in range(n):
        away = p[j] - mean[j]
        product -= away * mean[j]
        length += away * away
        corner += mean[j] * mean[j]
    if limit == 1:
        return product >= np.sqrt(length * max(corner, 0.0)) / (n - 1) - _TIE
    return product >= -_TIE


@helper
def _angle_credit(proba, picks, mean, limit):
    n = picks.size
    for j in range(n):
        mean[j] = 0.0
        for k in range(n):
            mean[j] += proba[picks[k], j]
        mean[j] /= n
    for k in range(n):
        if not _is_towards(proba[picks[k]], mean, k, limit):
            return 0.0
    return 1.0


@kernel
def angle_credits(proba, picks, limit):
    """Credits of tuples; `picks` holds the row of each class's case."""
    mean = np.empty(proba.shape[1])
    credits = np.empty(picks.shape[0])
    for t in range(picks.shape[0]):
        credits[t] = _angle_credit(proba, picks[t], mean, limit)
    return credits


@kernel
def sum_all_angles(proba, weight, starts, first, stop, limit):
    """Weight of all tuples that pass and begin with the cases `first` to `stop`.

    Booked under each of their cases.
    """
    n = starts.size - 1
    earned = np.zeros(proba.shape[0])
    mean = np.empty(n)
    picks = starts[:-1].copy()
    for x in range(first, stop):
        picks[0] = x
        picks[1:] = starts[1:-1]
        while True:
            if _angle_credit(proba, picks, mean, limit) > 0.0:
                product = 1.0
                for k in range(n):
                    product *= weight[picks[k]]
                for k in range(n):
                    earned[picks[k]] += product
            k = n - 1  # the next tuple, the last class running fastest
            while k > 0 and picks[k] + 1 == starts[k + 1]:
                picks[k] = starts[k]
                k -= 1
            if k == 0:
                break
            picks[k] += 1
    return earned
