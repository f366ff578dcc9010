"""Structural components: the mean credit of the tuples that contain a case.

Pure functions on arrays. A score that is a mean over tuples of one case from each class is
the mean of the components of any class; their scatter is its variance (DeLong et al., 1988).
"""

from math import prod
from typing import NamedTuple

import numpy as np

from skvus.metrics._prices import PricedCases
from skvus.metrics._tuples import (
    TIES,
    Triples,
    countable,
    exact_steps,
    in_threads,
    walk,
    walking_order,
)

# a step of a count with components takes longer, about so many times
_SLOWER = 3
_PIECE_STEPS = 2**24
_CORNER_BYTES = 8
_EVEN = 1e-13


class Components(NamedTuple):
    """Components of all cases, in their order.

    Where tuples were drawn, `values` are estimates. The draws come in independent groups:
    `sums` and `counts`, of shape (n_groups, n), hold the credit and the whole number of the
    drawn tuples with each case, `batches` the mean credit of independent batches.
    """

    score: float
    values: np.ndarray
    sums: np.ndarray | None = None
    counts: np.ndarray | None = None
    batches: np.ndarray | None = None

    @property
    def is_exact(self):
        """Whether all tuples were counted."""
        return self.sums is None


def counted(values, codes, weight):
    """Components of which all tuples were counted."""
    # a sum of weighted shares may miss certainty by some bits; what is tiny stays as it is
    even = np.rint(values)
    values = np.where((even != 0.0) & (np.abs(values - even) < _EVEN), even, values)
    first = codes == codes[0]
    score = float(np.average(values[first], weights=weight[first]))
    return Components(float(np.clip(score, 0.0, 1.0)), values)


def products(ours, theirs):
    """Estimates of (V - score)(V' - score') for each case, without the noise of drawing.

    Tuples of one group are drawn together; only products across groups are free of noise
    that a case's two estimates have in common. Each group has its own score, which follows
    a case of much weight.
    """
    if ours.is_exact:
        return (ours.values - ours.score) * (theirs.values - theirs.score)
    n_groups, n = ours.counts.shape
    our_means, their_means = (
        part.batches.reshape(n_groups, -1).mean(axis=1) for part in (ours, theirs)
    )
    drawn, squares, one, other, own = np.zeros((5, n))
    for g in range(n_groups):  # one at a time: all of them may take gigabytes
        counts = ours.counts[g].astype(float)
        ours_away = ours.sums[g] - our_means[g] * counts
        theirs_away = theirs.sums[g] - their_means[g] * counts
        drawn += counts
        squares += counts**2
        one += ours_away
        other += theirs_away
        own += ours_away * theirs_away
    with np.errstate(invalid="ignore", divide="ignore"):
        return (one * other - own) / (drawn**2 - squares)


# --- ordered tuples ---------------------------------------------------------------


def component_steps(sizes):
    """About how many steps the exact components of these numbers of cases take."""
    if len(sizes) <= 3:
        return exact_steps(sizes) * (1 if len(sizes) == 2 else _SLOWER)
    *others, second, largest = sorted(sizes)
    # once with the largest class last, once with the second largest
    again = prod(others) * largest * (len(sizes) ** 2 + len(sizes) * -(-second // 64)) // 4
    return exact_steps(sizes) + again


def ordering_components(cases, ties, n_jobs):
    """Components of the distinct cases of each class under one of `TIES`."""
    weights, _ = countable(cases.weights)
    cases = PricedCases(cases.rows, weights, cases.which, cases.tolerance)
    find = {2: _two_classes, 3: _three_classes}.get(len(cases.rows), _many_classes)
    return find(cases, TIES.index(ties), n_jobs)


def _two_classes(cases, ties, n_jobs):
    tied = (0.5, 0.0, 1.0)[ties]
    low, high = cases.rows
    components = []
    # the larger score wins, so the first class is seen upside down
    for own, other, weight in ((-low, -high, cases.weights[1]), (high, low, cases.weights[0])):
        order = np.argsort(other, kind="stable")
        below = np.concatenate([[0.0], np.cumsum(weight[order])])
        less = below[np.searchsorted(other[order], own - cases.tolerance)]
        up_to = np.searchsorted(other[order], own + cases.tolerance, side="right")
        components.append((less + tied * (below[up_to] - less)) / below[-1])
    return components


def _three_classes(cases, ties, n_jobs):
    from skvus._kernels.triple_components import spread_triples

    triples = Triples(cases)
    n_ties = np.arange(6)
    credits = (1.0 / (1.0 + n_ties), 1.0 * (n_ties == 0), np.ones(6))[ties]
    earned = [np.zeros(part.size) for part in triples.weights]
    for block, table, a0, b0, rank in triples.blocks(_CORNER_BYTES):
        # a piece ends with a sum over the whole table
        steps = max(_PIECE_STEPS, 4 * table.size)
        pieces = triples.pieces((table, a0, b0, rank), steps, credits)
        first, second, third = zip(*in_threads(spread_triples, pieces, n_jobs), strict=True)
        earned[0][block] = np.sum(first, axis=0)
        earned[1] += np.concatenate(second)
        earned[2][triples.by_g] += np.sum(third, axis=0)
    totals = [part.sum() for part in triples.weights]
    components = [None] * 3
    for k, name in enumerate(triples.names):
        components[name] = earned[k] / (prod(totals) / totals[k])
    return components


def _many_classes(cases, ties, n_jobs):
    """Two walks: what is counted by bitsets in one is walked over in the other."""
    names = walking_order(cases.sizes)
    _, earned = walk(cases, names, ties, n_jobs)
    again = [names[-1], *names[1:-1], names[0]]
    _, (largest, *_) = walk(cases, again, ties, n_jobs)
    totals = [part.sum() for part in cases.weights]
    components = [None] * len(names)
    for name, part in zip(names, [*earned, largest], strict=True):
        others = prod(totals) / totals[name]
        components[name] = part / (cases.weights[name] * others)
    return components


# --- ranks ------------------------------------------------------------------------


def ordinal_components(scores, codes, weight, totals, credits):
    """Components of the share of tuples whose scores ascend with the class."""
    from skvus._kernels.rank_components import ordered_components

    order = np.argsort(scores)
    components = np.empty(scores.size)
    components[order] = ordered_components(
        scores[order], codes[order], weight[order], totals, credits
    )
    return components


def top_components(columns, codes, weight, totals):
    """Components of the polytomous discrimination index."""
    from skvus._kernels.rank_components import top_components as add

    factor = 1.0 / totals.size
    parts = _column_by_column(columns, codes, weight, lambda k: (add, totals, factor))
    return _without_remains(parts)


def area_components(columns, codes, weight, totals, shares):
    """Components of a sum of areas; ``shares[k, j]`` belongs to class k against class j."""
    from skvus._kernels.rank_components import pair_components as add

    parts = _column_by_column(columns, codes, weight, lambda k: (add, totals, shares[k]))
    # areas without a class are the same for all its cases
    means = np.bincount(codes, weight * parts) / totals
    return _without_remains(parts + ((means.sum() / 2) - means)[codes])


def _without_remains(components):
    """Components that are differences of sums, without the bits that are left of zeros."""
    return np.where(np.abs(components) < _EVEN, 0.0, components)


def _column_by_column(columns, codes, weight, kernel_of):
    components = np.zeros(codes.size)
    for k, column in enumerate(columns):
        add, totals, factor = kernel_of(k)
        order = np.argsort(column)
        part = np.zeros(codes.size)
        add(column[order], codes[order], weight[order], k, totals, factor, part)
        components[order] += part
    return components
