"""From scores to operating points: cost matrices are drawn, tried and sifted.

Pure functions on arrays. Costs are tried block by block, so that memory does not grow with
their number but with the size of the front.
"""

from typing import NamedTuple

import numpy as np

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
        sums = np.bincount(self.codes, weights=self.weight, minlength=self.n_classes)
        squares = np.bincount(self.codes, weights=self.weight**2, minlength=self.n_classes)
        return sums**2 / squares

    def tally(self, costs):
        """Rates and counts of each cost matrix; whole counts unless cases have weights."""
        units = counts_of_costs(self.scores, self.codes, self.units, costs)
        rates = units / units.sum(axis=2, keepdims=True)
        if self.unit_weight is None:
            return rates, units
        return rates, units * self.unit_weight[:, np.newaxis]


def make_cases(scores, codes, weight, is_weighted):
    """Cases in whole units."""
    if not is_weighted:
        return Cases(scores, codes, weight, np.ones(codes.size, dtype=np.int64), None)
    n_classes = scores.shape[1]
    units = whole_units(codes, weight, n_classes)
    sums = np.bincount(codes, weights=weight, minlength=n_classes)
    unit_sums = np.zeros(n_classes, dtype=np.int64)
    np.add.at(unit_sums, codes, units)
    return Cases(scores, codes, weight, units, sums / unit_sums)


def counts_of_costs(scores, codes, units, costs):
    """Confusion counts, in units, of the decisions that each cost matrix leads to."""
    from skvus._kernels.costs import cost_counts, three_class_cost_counts

    n_classes = scores.shape[1]
    scores = rescaled(scores)
    costs = rescaled(costs.reshape(len(costs), -1)).reshape(costs.shape)
    if n_classes != 3:
        columns = np.ascontiguousarray(costs.transpose(1, 2, 0))
        return cost_counts(scores, codes, units, columns)
    order = np.argsort(codes, kind="stable")
    starts = np.searchsorted(codes[order], np.arange(4))
    columns = np.ascontiguousarray(scores[order].T)
    return three_class_cost_counts(columns, starts, units[order], costs)


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


def drawn_costs(n_costs, n_classes, alpha, *, family, rng):
    """Yield blocks of cost matrices that sum to one.

    The first is the mean of all that may be drawn. With one `alpha` for all entries, matrices
    that make one decision free follow: they lead to the ends of the surface, as the ends of
    an ROC curve belong to it.
    """
    n_left = n_costs
    first = _fixed_costs(n_classes, alpha, family)[:n_costs]
    per_block = max(1, _BLOCK_CELLS // n_classes**2)
    while n_left:
        n_block = min(n_left, per_block)
        n_drawn = n_block - len(first)
        weights = rng.dirichlet(alpha, size=n_drawn)
        yield np.concatenate([first, _as_costs(weights, n_classes, family)])
        first = first[:0]
        n_left -= n_block


def all_weighting_costs(cases):
    """A cost matrix for each non-dominated weighting of two or three classes."""
    distinct, mass = collapse(log_columns(cases.scores), cases.codes, cases.weight)
    _, phis = all_weighted_points(distinct, mass, pareto=True)
    return _as_costs(normalised_weights(phis), cases.n_classes, "weights")


def _fixed_costs(n_classes, alpha, family):
    costs = _as_costs((alpha / alpha.sum())[np.newaxis], n_classes, family)
    if (alpha != alpha[0]).any():
        return costs
    if family == "weights":
        return np.concatenate([costs, _as_costs(np.eye(n_classes), n_classes, family)])
    ends = np.tile(costs, (n_classes, 1, 1))
    classes = np.arange(n_classes)
    ends[classes, :, classes] = 0.0
    return np.concatenate([costs, ends / ends.sum(axis=(1, 2), keepdims=True)])


def _as_costs(weights, n_classes, family):
    """Cost matrices from weights of all mistakes, or of the classes that are missed."""
    costs = np.zeros((len(weights), n_classes, n_classes))
    if family == "weights":
        weights = np.repeat(weights / (n_classes - 1.0), n_classes - 1, axis=1)
    costs[:, off_diagonal(n_classes)] = weights
    return costs
