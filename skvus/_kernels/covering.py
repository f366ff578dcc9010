"""A few members that together are below the samples that any member is below."""

import numpy as np

from skvus._kernels._jit import helper, kernel


@helper
def _is_below(point, sample):
    d = 0
    while d < point.size and point[d] <= sample[d]:
        d += 1
    return d == point.size


@kernel
def numbers_below(points, samples):
    """Number of points that are below each sample."""
    numbers = np.zeros(samples.shape[0], dtype=np.int64)
    for i in range(points.shape[0]):
        for s in range(samples.shape[0]):
            if _is_below(points[i], samples[s]):
                numbers[s] += 1
    return numbers


@kernel
def chosen_below(points, samples, numbers, order, most):
    """For each sample in an order that no chosen point is below, the worthiest that is.

    A point is worth what it has of the samples, each of which the `numbers` share.
    """
    worth = np.zeros(points.shape[0])
    for i in range(points.shape[0]):
        for s in range(samples.shape[0]):
            if _is_below(points[i], samples[s]):
                worth[i] += 1.0 / numbers[s]
    is_done = numbers == 0
    chosen = np.empty(min(most, samples.shape[0]), dtype=np.int64)
    n = 0
    for s in order:
        if n == chosen.size:
            break
        if is_done[s]:
            continue
        best = -1
        for i in range(points.shape[0]):
            if (best < 0 or worth[i] > worth[best]) and _is_below(points[i], samples[s]):
                best = i
        chosen[n] = best
        n += 1
        for other in range(samples.shape[0]):
            is_done[other] |= _is_below(points[best], samples[other])
    return chosen[:n]
