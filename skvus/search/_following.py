"""How good an archive is, followed while it grows."""

from functools import cache

import numpy as np

from skvus._rates import rates_to_points
from skvus.metrics._random_simplex import uniform_below_simplex

COLUMNS = ("generation", "evaluations", "size", "gini", "distance", "seconds")
# Samples of the region that is better than random, to follow G by.
N_SAMPLES = 2048


@cache
def samples_to_follow(n_classes):
    """The same samples of the region that is better than random for all searches."""
    samples = uniform_below_simplex(N_SAMPLES, n_classes, np.random.default_rng(0))
    samples.flags.writeable = False
    return samples


class Following:
    """G from samples, and the distance of the best member from the random simplex.

    An archive only improves, unless it is thinned: what is dominated stays so, and only new
    members and samples that are left need a look.

    Parameters
    ----------
    n_classes : int
    """

    def __init__(self, n_classes):
        self._left = np.ascontiguousarray(samples_to_follow(n_classes).T)
        self._n_classes = n_classes
        self._least_sum = np.inf

    @property
    def gini(self):
        """Share of the samples that is dominated."""
        return 1.0 - self._left.shape[1] / N_SAMPLES

    @property
    def distance(self):
        """Distance of the best member from the random simplex, negative if it is better."""
        n_rates = self._n_classes * (self._n_classes - 1)
        return float((self._least_sum - (self._n_classes - 1)) / np.sqrt(n_rates))

    def add(self, rates):
        """Take note of the rates of new members."""
        from skvus._kernels.dominance import cover

        points = rates_to_points(rates)
        self._least_sum = min(self._least_sum, points.sum(axis=1).min())
        is_covered = np.zeros(self._left.shape[1], dtype=bool)
        cover(points, self._left, is_covered)
        if is_covered.any():
            self._left = np.ascontiguousarray(self._left[:, ~is_covered])
