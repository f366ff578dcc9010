"""Volumes that fronts dominate below the simplex of random allocation.

Pure functions on points, the off-diagonal rates in row order. All volumes are shares of P, the
region better than random.
"""

from dataclasses import dataclass
from math import lgamma, log
from typing import NamedTuple

import numpy as np

from skvus._validation import check_generator
from skvus.front._coverage import Cover
from skvus.metrics._random_simplex import (
    random_simplex_volume,
    uniform_below_simplex,
    uniform_in_simplex,
)
from skvus.metrics._volumes import non_dominated

# Members below the simplex up to which three classes are exact in a second or a few, and at
# all: the limits are numbers, not times, so that results do not depend on the machine.
AUTO_MEMBERS = 10_000
EXACT_MEMBERS = 50_000
_NEAR = 1e-12
# samples that are compared at once
_BLOCK = 2**16


class Share(NamedTuple):
    """A share of P, its standard error, and how it was found."""

    value: float
    std: float
    method: str


@dataclass
class Sampling:
    """How to measure a share: the method, and for sampling how many samples of which seed.

    One seed gives the same samples of P to all shares that are to be compared. Without one,
    it is drawn from the global generator when it is needed first, if it is.
    """

    method: str
    n_samples: int
    seed: int | None

    def generator(self):
        """A source of randomness that starts anew."""
        if self.seed is None:
            self.seed = drawn_seed(None)
        return np.random.default_rng(self.seed)


def drawn_seed(random_state):
    """A seed from any source of randomness."""
    return int(check_generator(random_state).integers(2**63))


def dominated_share(points, without, n_classes, sampling):
    """Share of P that some point dominates and no point of `without` does."""
    points, without = _below_simplex(points, n_classes), _below_simplex(without, n_classes)
    if len(points) and len(without):
        points = points[~Cover(without).covers(points)]
    if not len(points):
        return Share(0.0, 0.0, "exact")
    if not len(without) and not points.any(axis=1).all():
        return Share(1.0, 0.0, "exact")
    if exact_is_allowed(len(points) + len(without), n_classes, sampling.method):
        union = exact_share(np.concatenate([points, without]), n_classes)
        value = union - exact_share(without, n_classes) if len(without) else union
        return Share(float(np.clip(value, 0.0, 1.0)), 0.0, "exact")
    return sampled_share(points, without, n_classes, sampling)


def _below_simplex(points, n_classes):
    """Points that are below the simplex by more than rounding; others dominate nothing of P."""
    return points[n_classes - 1.0 - points.sum(axis=1) > _NEAR]


def exact_is_allowed(n_members, n_classes, method):
    """Decide between the exact volume and sampling; refuse what cannot be exact."""
    if method == "monte_carlo":
        return False
    if n_classes == 2:
        return True
    most = {"auto": AUTO_MEMBERS, "exact": EXACT_MEMBERS}[method] if n_classes == 3 else 0
    if method == "exact" and n_members > most:
        what = f"at most {most} members" if n_classes == 3 else "two or three classes"
        raise ValueError(
            f"method='exact' takes {what}; got {n_members} members of {n_classes} classes. Use "
            "method='monte_carlo', whose standard error return_std=True tells."
        )
    return n_members <= most


def exact_share(points, n_classes):
    """Share that two or three classes dominate; members must be below the simplex."""
    from skvus._kernels.boxes import union_volume

    n_rates = points.shape[1]
    points = points[non_dominated(points)]
    if n_rates == 2:
        return _staircase_share(points)
    # in this order the first coordinates, which stay free for longest, vary most
    order = np.argsort(-points.std(axis=0), kind="stable")
    total = union_volume(np.ascontiguousarray(points[:, order]), n_classes - 1.0)
    return total / (np.exp(lgamma(n_rates + 1.0)) * random_simplex_volume(n_classes))


def _staircase_share(points):
    """Twice the area between the staircase of two classes and the diagonal."""
    points = points[np.argsort(points[:, 0])]
    starts, heights = points.T
    ends = np.append(starts[1:], 1.0)
    ends = np.maximum(starts, np.minimum(ends, 1.0 - heights))
    widths = ends - starts
    return float((widths * (2.0 * (1.0 - heights) - starts - ends)).sum())


def sampled_share(points, without, n_classes, sampling):
    """Monte Carlo estimate and its standard error.

    If the boxes of the members, taken one by one, are smaller than P together, samples are
    drawn from the boxes rather than from P (Karp and Luby's method): that has the smaller
    variance, whatever the overlap, and works for shares of 1e-100.
    """
    rng, n_samples = sampling.generator(), sampling.n_samples
    ours = Cover(points)
    rivals = Cover(without) if len(without) else None
    log_sizes = _log_box_sizes(points, n_classes)
    if np.logaddexp.reduce(log_sizes) < 0.0:
        return _share_from_boxes(points, ours, rivals, log_sizes, n_classes, n_samples, rng)
    hits = 0
    for n_block in blocks_of(n_samples):
        samples = uniform_below_simplex(n_block, n_classes, rng)
        is_hit = ours.covers(samples)
        if rivals is not None:
            is_hit[is_hit] = ~rivals.covers(samples[is_hit])
        hits += int(is_hit.sum())
    # one more hit and one more miss, so that none at all does not look certain
    chance = (hits + 1.0) / (n_samples + 2.0)
    std = np.sqrt(chance * (1.0 - chance) / n_samples)
    return Share(hits / n_samples, float(std), "monte_carlo")


def _log_box_sizes(points, n_classes):
    """Log volumes of ``{x >= point, sum(x) <= Q - 1}`` as shares of P."""
    n_rates = points.shape[1]
    volume = random_simplex_volume(n_classes, exact=True)
    log_volume = log(volume.numerator) - log(volume.denominator)
    slack = n_classes - 1.0 - points.sum(axis=1)
    return n_rates * np.log(slack) - lgamma(n_rates + 1.0) - log_volume


def _share_from_boxes(points, ours, rivals, log_sizes, n_classes, n_samples, rng):
    """Draw a box by its size and a sample in it; of c boxes around it, each counts 1/c.

    Boxes reach beyond 1 here, so that their sizes are powers; samples there count nothing.
    """
    slack = n_classes - 1.0 - points.sum(axis=1)
    total = np.exp(np.logaddexp.reduce(log_sizes))
    chances = np.exp(log_sizes - log_sizes.max())
    chances /= chances.sum()
    sums = np.zeros(2)
    for n_block in blocks_of(n_samples):
        boxes = rng.choice(len(points), size=n_block, p=chances)
        samples = uniform_in_simplex(n_block, points.shape[1], rng)
        samples = points[boxes] + slack[boxes, np.newaxis] * samples
        counts_for = (samples <= 1.0).all(axis=1)
        if rivals is not None:
            counts_for[counts_for] = ~rivals.covers(samples[counts_for])
        # rounding may put a sample below its own box
        n_around = np.maximum(1, ours.count(samples[counts_for]))
        sums += (1.0 / n_around).sum(), (1.0 / n_around**2.0).sum()
    mean, square = sums / n_samples
    variance = max(square - mean**2, 1.0 / n_samples) / n_samples
    return Share(float(min(1.0, total * mean)), float(total * np.sqrt(variance)), "monte_carlo")


def blocks_of(n_samples):
    """Sizes of the blocks in which samples are drawn."""
    return (min(_BLOCK, n_samples - start) for start in range(0, n_samples, _BLOCK))
