"""From scores to operating points: cost matrices are drawn, tried and sifted.

Pure functions on arrays. Costs are tried block by block, so that memory does not grow with
their number but with the size of the front.
"""

from typing import NamedTuple

import numpy as np

from skvus._blocks import float_blocks, row_blocks
from skvus._costs import rescaled
from skvus._rates import off_diagonal
from skvus.front._dominance import comparison_of, non_dominated_members
from skvus.metrics._operating import (
    all_weighted_points,
    collapse,
    log_columns,
    normalised_weights,
    whole_units,
)

# costs that are tried at once: their counts take up to 64 MB
_BLOCK_CELLS = 2**23
# members of a front: their rates, counts and costs take up to a gigabyte each
_MOST_CELLS = 2**27


class Cases(NamedTuple):
    """Scored cases as the kernels take them, and what a unit of each class weighs."""

    scores: np.ndarray
    codes: np.ndarray
    weight: np.ndarray
    units: np.ndarray
    unit_weight: np.ndarray | None

    @property
    def n_classes(self):
        """Number of classes."""
        return self.scores.shape[1]

    @property
    def class_sizes(self):
        """Number of cases of each class; with weights, the number that is worth as much.

        Kish's effective size: the square of the sum of weights by the sum of their squares.
        """
        largest = np.zeros(self.n_classes)
        np.maximum.at(largest, self.codes, self.weight)
        relative = self.weight / largest[self.codes]  # squares of tiny weights would vanish
        sums = np.bincount(self.codes, weights=relative, minlength=self.n_classes)
        squares = np.bincount(self.codes, weights=relative**2, minlength=self.n_classes)
        return sums**2 / squares

    @property
    def shares(self):
        """Frequencies of the classes."""
        return np.bincount(self.codes, weights=self.weight) / self.weight.sum()

    @property
    def implied_frequencies(self):
        """How frequent the scores take the classes to be, whatever their weight in the data.

        Calibrated posteriors of classes with frequencies f have the mean f, which is the mean
        of their means within the classes, weighed by f: a stationary distribution. A little of
        equal frequencies is mixed in, so that there is only one.
        """
        sums = [np.zeros((0, self.n_classes))] * self.n_classes
        for rows, block in float_blocks(self.scores):
            scores = rescaled(block)
            totals = scores.sum(axis=1, keepdims=True)
            shares = scores / np.where(totals > 0.0, totals, 1.0)
            shares *= self.weight[rows, np.newaxis]
            for k in range(self.n_classes):
                # one row after the other, so that the sum is the same in blocks of any size
                own = np.concatenate([sums[k], shares[self.codes[rows] == k]])
                sums[k] = own.sum(axis=0, keepdims=True) if len(own) else own
        means = np.concatenate(sums)
        for k in range(self.n_classes):
            means[k] /= self.weight[self.codes == k].sum()
        means = 0.99 * means + 0.01 / self.n_classes
        means /= means.sum(axis=1, keepdims=True)
        system = np.vstack([means.T - np.eye(self.n_classes), np.ones(self.n_classes)])
        return np.linalg.lstsq(system, np.append(np.zeros(self.n_classes), 1.0), rcond=None)[0]

    def with_scores(self, scores, part=slice(None)):
        """The same cases, or some of them, with other scores."""
        arrays = (self.codes[part], self.weight[part], self.units[part])
        return Cases(scores[part], *arrays, self.unit_weight)

    def tally(self, costs):
        """Rates and counts of each cost matrix; whole counts unless cases have weights."""
        return self.in_weights(self._counts(costs))

    def _counts(self, costs):
        """Confusion counts in units, of some rows at a time."""
        if self.n_classes == 2:  # which are counted in the order of all of them
            return counter_of_costs(self.scores, self.codes, self.units)(costs)
        counts = None
        for rows in row_blocks(*self.scores.shape):
            cases = self.scores[rows], self.codes[rows], self.units[rows]
            part = counter_of_costs(*cases)(costs)
            counts = part if counts is None else np.add(counts, part, out=counts)
        return counts

    def in_weights(self, units):
        """Rates of counts in units; these as they are, or what they weigh."""
        rates = units / units.sum(axis=2, keepdims=True)
        if self.unit_weight is None:
            return rates, units
        with np.errstate(over="ignore"):  # sums of weights near the end of the range of floats
            counts = units * self.unit_weight[:, np.newaxis]
        return rates, np.minimum(counts, np.finfo(float).max)


class Tally:
    """Cases made ready to be counted for many costs, with some of them at a time."""

    def __init__(self, cases):
        self._count = counter_of_costs(cases.scores, cases.codes, cases.units)
        self._in_weights = cases.in_weights

    def __call__(self, costs):
        """Rates and counts of each cost matrix; whole counts unless cases have weights."""
        return self._in_weights(self._count(costs))


def make_cases(scores, codes, weight, sample_weight):
    """Cases in whole units; `weight` is `sample_weight` as checked, up to a power of two."""
    if sample_weight is None:
        return Cases(scores, codes, weight, np.ones(codes.size, dtype=np.int64), None)
    n_classes = scores.shape[1]
    units = whole_units(codes, weight, n_classes)
    sums = np.bincount(codes, weights=weight, minlength=n_classes)
    unit_sums = np.zeros(n_classes, dtype=np.int64)
    np.add.at(unit_sums, codes, units)
    exponent = np.frexp(np.asarray(sample_weight, dtype=float).max())[1]
    return Cases(scores, codes, weight, units, np.ldexp(sums / unit_sums, exponent))


def counter_of_costs(scores, codes, units):
    """Function that gives the confusion counts, in units, of the decisions of cost matrices."""
    from skvus._kernels.costs import (
        cost_counts,
        three_class_cost_counts,
        two_class_cost_counts,
    )

    n_classes = scores.shape[1]
    scores = rescaled(scores)
    if n_classes == 2:
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            odds = np.nan_to_num(scores[:, 1] / scores[:, 0], nan=0.0, posinf=np.inf)
        order = np.argsort(odds, kind="stable")
        cases = scores[order], codes[order], units[order]
        return lambda costs: two_class_cost_counts(*cases, _in_range(costs))
    if n_classes == 3:
        order = np.argsort(codes, kind="stable")
        starts = np.searchsorted(codes[order], np.arange(4))
        cases = np.ascontiguousarray(scores[order].T), starts, units[order]
        return lambda costs: three_class_cost_counts(*cases, _in_range(costs))

    def count(costs):
        columns = np.ascontiguousarray(_in_range(costs).transpose(1, 2, 0))
        return cost_counts(scores, codes, units, columns)

    return count


def _in_range(costs):
    """Costs times powers of two, so that products with scores neither vanish nor overflow."""
    return rescaled(costs.reshape(len(costs), -1)).reshape(costs.shape)


def sifted(cases, cost_blocks, objectives):
    """Rates, counts and costs of the non-dominated members of all blocks."""
    best = None
    for costs in cost_blocks:
        found = (*cases.tally(costs), costs)
        if best is not None:
            found = tuple(map(np.concatenate, zip(best, found, strict=True)))
        rates, counts, _ = found
        kept = non_dominated_members(comparison_of(rates, counts), objectives)
        best = tuple(array[kept] for array in found)
        _refuse_too_many(len(kept), cases.n_classes, objectives)
    return best


def _refuse_too_many(n_members, n_classes, objectives):
    if n_members * n_classes**2 > _MOST_CELLS:
        advice = " or objectives='miss_rates'" if objectives == "rates" else ""
        raise ValueError(
            f"The front has {n_members:,} members of {n_classes} classes already, whose rates, "
            f"counts and costs fill the memory. Use fewer costs, n_costs={n_members // 2}"
            f"{advice}."
        )


def drawn_costs(n_costs, alpha, shares, *, family, rng):
    """Yield blocks of cost matrices that sum to one.

    Parameters
    ----------
    n_costs : int
    alpha : ndarray
        Dirichlet parameters of all mistakes, or of all classes for ``family="weights"``.
    shares : ndarray of shape (Q,)
        What is drawn is divided by these: with the class frequencies it is the weights of the
        rates in the expected cost that are drawn, with ones the costs themselves.
    family : {"costs", "weights"}
    rng : Generator
    """
    n_classes = len(shares)
    first = fixed_costs(alpha, shares, family)[:n_costs]
    per_block = max(1, _BLOCK_CELLS // n_classes**2)
    n_left = n_costs
    while n_left:
        n_block = min(n_left, per_block)
        drawn = rng.dirichlet(alpha, size=n_block - len(first))
        yield np.concatenate([first, as_costs(drawn, shares, family)])
        first = first[:0]
        n_left -= n_block


def all_weighting_costs(cases):
    """A cost matrix for each non-dominated weighting of two or three classes."""
    distinct, mass = collapse(log_columns(cases.scores), cases.codes, cases.weight)
    _, phis = all_weighted_points(distinct, mass, pareto=True)
    # no weights lead to one class for all where scores of others are certain; costs do
    weights = np.vstack([normalised_weights(phis), np.eye(cases.n_classes)])
    return as_costs(weights, np.ones(cases.n_classes), "weights")


def fixed_costs(alpha, shares, family):
    """Equal costs, the centre of what is drawn, and costs that make one decision free.

    The last lead to the ends of the surface, as the ends of an ROC curve belong to it.
    """
    n_classes = len(shares)
    ones = np.ones(n_classes)
    equal = as_costs(np.ones((1, alpha.size)), ones, family)
    centre = as_costs(alpha[np.newaxis], shares, family)
    ends = np.tile(equal, (n_classes, 1, 1))
    classes = np.arange(n_classes)
    if family == "weights":
        ends = as_costs(np.eye(n_classes), ones, family)
    else:
        ends[classes, :, classes] = 0.0
        ends /= ends.sum(axis=(1, 2), keepdims=True)
    return np.concatenate([equal, centre, ends])


def as_costs(weights, shares, family):
    """Cost matrices that sum to one, from weights of mistakes or of the classes missed."""
    n_classes = len(shares)
    costs = np.zeros((len(weights), n_classes, n_classes))
    if family == "weights":
        weights = np.repeat(weights, n_classes - 1, axis=1)
    costs[:, off_diagonal(n_classes)] = weights
    costs /= shares[:, np.newaxis]
    return costs / costs.sum(axis=(1, 2), keepdims=True)
