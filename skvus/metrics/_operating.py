"""Operating points that a soft classifier reaches by weighting its classes.

Pure functions on arrays: scores or their logarithms in, counts or rates out. A log
weighting phi calls a case ``argmax_j (log p_j + phi_j)``; where many of them call every case
alike, they make up a cell.
"""

from itertools import combinations

import numpy as np

from skvus._blocks import float_blocks, row_blocks
from skvus._rates import off_diagonal
from skvus._soft import require_non_negative
from skvus.metrics._prices import merge_equal
from skvus.metrics._volumes import non_dominated

# Differences of logarithms closer than this, relative to their size, count as equal:
# posteriors that tie on paper differ in the last bits of their logarithms.
TIE = 1e-12
# Log weights further apart than this would leave the range of floats.
WIDEST = 700.0
_SEARCH_CASES = 2000
_MOST_SEARCH_STEPS = 2 * 10**8
_BLOCK_ROWS = 200_000


def log_columns(scores):
    """Logarithms of non-negative scores, or (0, rank of s) for one real score s.

    A case without any positive score goes to the first class, as `argmax` would have it.
    """
    if scores.ndim == 1:
        ranks = np.unique(scores, return_inverse=True)[1].ravel()
        return np.column_stack([np.zeros_like(scores), ranks.astype(float)])
    require_non_negative(scores)
    logs = np.empty(scores.shape)
    with np.errstate(divide="ignore"):
        for rows, block in float_blocks(scores):
            np.log(block, out=logs[rows])
            logs[rows][~block.any(axis=1), 0] = 0.0
    return logs


def finite_range(log_scores):
    """Smallest and largest logarithm of the scores that are not zero."""
    smallest, largest = np.inf, -np.inf
    for rows in row_blocks(*log_scores.shape):
        block = log_scores[rows]
        is_finite = np.isfinite(block)
        smallest = min(smallest, block.min(where=is_finite, initial=np.inf))
        largest = max(largest, block.max(where=is_finite, initial=-np.inf))
    return smallest, largest


def whole_units(codes, weight, n_classes):
    """Sample weights in whole units, a unit being 2**-53 or so of the weight of a class.

    Their sums are exact, so that the order of addition does not matter, and counts that are
    equal on paper are equal.
    """
    totals = np.bincount(codes, weights=weight, minlength=n_classes)
    exponents = 52 - np.frexp(totals)[1]
    return np.rint(np.ldexp(weight, exponents[codes])).astype(np.int64)


def class_totals(codes, units, n_classes):
    """Units of each class."""
    totals = np.zeros(n_classes, dtype=np.int64)
    np.add.at(totals, codes, units)
    return totals


def decision_counts(scores, codes, units, weights):
    """Confusion counts of ``argmax(weights * scores)`` for each row of weights.

    Products are rounded as numpy rounds them. Powers of two keep the largest product of a
    case within the range of floats, whatever the scale of the scores and weights.
    """
    weights = _rescaled_rows(weights, 1022)
    counts = None
    for rows, block in float_blocks(scores):  # whole numbers add up to the same in any order
        part = _block_counts(_rescaled_rows(block, 0), codes[rows], units[rows], weights)
        counts = part if counts is None else np.add(counts, part, out=counts)
    return counts


def _block_counts(scores, codes, units, weights):
    from skvus._kernels.rates import class_counts, three_class_counts

    n_classes = scores.shape[1]
    if n_classes > 3:
        columns = np.ascontiguousarray(weights.T)
        return class_counts(scores, codes, units, columns, False)
    order = np.argsort(codes, kind="stable")
    starts = np.searchsorted(codes[order], np.arange(4))
    rows = np.zeros((3, codes.size))  # a class without score and weight is never called
    rows[:n_classes] = scores[order].T
    columns = np.zeros((weights.shape[0], 3))
    columns[:, :n_classes] = weights
    counts = three_class_counts(rows, starts, units[order], columns)
    return counts[:, :n_classes, :n_classes]


def _rescaled_rows(rows, exponent):
    """Rows times powers of two: the largest number of each is just below 2**exponent."""
    exponents = np.frexp(rows.max(axis=1, keepdims=True))[1]
    return np.ldexp(rows, exponent - exponents)


def collapse(log_scores, codes, weight):
    """Distinct score vectors (up to a factor), and the units of each class on each.

    The vectors are in lexicographic order.
    """
    distinct, which = _distinct_vectors(log_scores)
    order = np.lexsort(distinct.T[::-1])
    mass = np.zeros(distinct.shape)
    units = whole_units(codes, weight, mass.shape[1])
    np.add.at(mass, (which, codes), units)
    return distinct[order], mass[order]


def n_vectors(log_scores, *, beyond=np.inf):
    """Number of distinct score vectors (up to a factor).

    If the first cases show that there are more than `beyond`, their number will do.
    """
    first = log_scores[: int(min(4.0 * beyond, len(log_scores)))]
    number = len(_distinct_vectors(first)[0])
    if number > beyond or len(first) == len(log_scores):
        return number
    return len(_distinct_vectors(log_scores)[0])


def _distinct_vectors(log_scores):
    relative = log_scores - log_scores.max(axis=1, keepdims=True)
    distinct, _, which = merge_equal(relative, np.broadcast_to(1.0, len(relative)))
    return distinct, which


def all_operating_points(distinct, mass):
    """Every non-dominated operating point of two or three classes, as rates."""
    cells = list_cells(distinct, mass, with_bounds=False)
    counts = np.concatenate([part[non_dominated(part)] for part, _ in cells])
    totals = np.repeat(mass.sum(axis=0), mass.shape[1] - 1)
    return counts[non_dominated(counts)] / totals


def all_weighted_points(distinct, mass, *, pareto):
    """Distinct off-diagonal counts of two or three classes, with a log weighting for each.

    The weightings are the centres of the cells. Cells without room for a weighting that
    rounding cannot spoil are left out: they are as thin as what counts as a tie, or need
    weights beyond the range of floats.
    """
    parts = []
    moved = _moved_by_snapping(distinct)
    for counts, least in list_cells(distinct, mass, with_bounds=True):
        phis, depth = cell_centres(least, mass.shape[1])
        size = np.abs(least, where=np.isfinite(least), out=np.zeros(least.shape)).max(axis=1)
        has_room = depth > 2.0 * moved + 0.1 * TIE * np.maximum(1.0, size)
        has_room &= phis.max(axis=1) < WIDEST
        part = counts[has_room], phis[has_room]
        parts.append(distinct_rows(*part, pareto) if pareto else part)
    counts, phis = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    return distinct_rows(counts, phis, pareto)


def distinct_rows(counts, weightings, pareto):
    """Sorted distinct rows of counts, each with a weighting; pruned on demand."""
    order = np.lexsort(counts.T[::-1])
    counts = counts[order]
    kept = np.append(True, (counts[1:] != counts[:-1]).any(axis=1))[: order.size]
    if pareto:
        kept[kept] = non_dominated(counts[kept])
    return counts[kept], weightings[order[kept]]


def cell_centres(least, n_classes):
    """Log weightings deep inside of cells, and how deep: at most 1 from every border.

    A cell is given by lower bounds of all ``phi_i - phi_j``. They can be raised by as much
    as the largest mean of a cycle of them is below zero (R. Karp, "A characterization of the
    minimum cycle mean in a digraph", 1978). The smallest ``phi >= 0`` is returned.
    """
    bounds = np.full((least.shape[0], n_classes, n_classes), -np.inf)
    bounds[:, off_diagonal(n_classes)] = least
    walks = [np.zeros((least.shape[0], n_classes))]  # largest sums of walks by their length
    for _ in range(n_classes):
        walks.append((bounds + walks[-1][:, np.newaxis, :]).max(axis=2))
    is_cyclic = walks[-1] > -np.inf
    mean = np.full(walks[-1].shape, np.inf)
    for length, walk in enumerate(walks[:-1]):
        rise = np.subtract(walks[-1], walk, where=is_cyclic, out=np.full(walk.shape, -np.inf))
        mean = np.minimum(mean, rise / (n_classes - length))
    depth = np.minimum(1.0, -mean.max(axis=1))
    phis = walks[0]
    for _ in range(n_classes - 1):
        longer = (bounds + phis[:, np.newaxis, :]).max(axis=2) + depth[:, np.newaxis]
        phis = np.maximum(phis, longer)
    return phis, depth


def sampled_operating_points(log_scores, codes, weight, n_costs, rng):
    """Operating points near the optimum of each of `n_costs` random cost matrices."""
    from skvus._kernels.rates import class_counts

    n_classes = log_scores.shape[1]
    phis = searched_weightings(log_scores, codes, weight, n_costs, rng)
    units = whole_units(codes, weight, n_classes)
    columns = np.ascontiguousarray(phis.T)
    counts = class_counts(log_scores, codes, units, columns, True)
    points = np.unique(counts[:, off_diagonal(n_classes)], axis=0)
    points = points / np.repeat(class_totals(codes, units, n_classes), n_classes - 1)
    return points[non_dominated(points)]


def searched_weightings(log_scores, codes, weight, n_costs, rng):
    """Log weightings near the optimum of each of `n_costs` random cost matrices.

    They are searched on a sample of the cases and serve for all of them: any weighting makes
    a valid operating point.
    """
    from skvus._kernels.arrangement import weightings_for_costs

    n_classes = log_scores.shape[1]
    mask = off_diagonal(n_classes)
    costs = np.zeros((n_costs, n_classes, n_classes))
    # more uneven than flat: flat costs of many classes are all much alike
    costs[:, mask] = rng.dirichlet(np.full(mask.sum(), 0.5), size=n_costs)
    used = _stratified_sample(codes, weight, n_classes, rng)
    totals = np.bincount(codes[used], weights=weight[used], minlength=n_classes)
    shares = weight[used] / totals[codes[used]]
    return weightings_for_costs(log_scores[used], codes[used], shares, costs, 2)


def sampled_weightings(log_scores, codes, weight, n_weights, rng):
    """Log weightings for as many different operating points of many classes as possible.

    Equal weights, one class above all others, and about a tenth searched for random costs,
    fewer for many classes.
    The rest lie next to where cases change sides: between a class of reference and each other
    one the scores of a random case tie, as often as not of the same case.
    """
    n_cases, n_classes = log_scores.shape
    smallest, largest = finite_range(log_scores)
    trivial = (1.0 + (largest - smallest)) * np.eye(n_classes)
    steps = min(n_cases, _SEARCH_CASES) * n_classes**2
    n_searched = min(-(-n_weights // 10), 1 + _MOST_SEARCH_STEPS // steps)
    searched = searched_weightings(log_scores, codes, weight, n_searched, rng)
    reference = rng.integers(n_classes, size=(n_weights, 1))
    cases = rng.integers(n_cases, size=(n_weights, n_classes))
    is_same = rng.random((n_weights, n_classes)) < 0.5
    cases = np.where(is_same, cases[:, :1], cases)
    with np.errstate(invalid="ignore"):
        phis = log_scores[cases, reference] - log_scores[cases, np.arange(n_classes)]
    phis[~np.isfinite(phis)] = 0.0  # there is no tie with a score of zero
    steps = 10.0 ** rng.uniform(-6.0, 0.0, size=(n_weights, 1))
    phis += steps * rng.normal(size=phis.shape)
    everything = [np.zeros((1, n_classes)), trivial, searched, phis]
    return np.concatenate(everything)[:n_weights]


def normalised_weights(phis):
    """Weights that sum to one, the least of them at least 1e-304."""
    relative = np.maximum(phis - phis.max(axis=-1, keepdims=True), -WIDEST)
    weights = np.exp(relative)
    return weights / weights.sum(axis=-1, keepdims=True)


def _stratified_sample(codes, weight, n_classes, rng):
    """Indices of at most about `_SEARCH_CASES` cases, some of every class."""
    positive = np.flatnonzero(weight > 0.0)
    if positive.size <= _SEARCH_CASES:
        return positive
    chosen = []
    for k in range(n_classes):
        cases = positive[codes[positive] == k]
        chosen.append(rng.permutation(cases)[: max(1, _SEARCH_CASES // n_classes)])
    return np.sort(np.concatenate(chosen))


def list_cells(distinct, mass, *, with_bounds):
    """Yield off-diagonal counts of all cells, and the least differences of phi in them.

    Two classes make one block, three a block of lines at a time. Without bounds the second
    array is empty.
    """
    if mass.shape[1] == 2:
        yield _two_class_cells(distinct, mass)
    else:
        yield from _three_class_cells(distinct, mass, with_bounds)


def _two_class_cells(distinct, mass):
    threshold = _snap(distinct[:, 0] - distinct[:, 1])  # called 1 once phi_1 exceeds it
    levels, which = np.unique(threshold, return_inverse=True)
    level_mass = np.zeros((levels.size, 2))
    np.add.at(level_mass, which, mass)
    called = np.concatenate([np.zeros((1, 2)), np.cumsum(level_mass, axis=0)])
    counts = np.column_stack([called[:, 0], level_mass[:, 1].sum() - called[:, 1]])
    least = np.column_stack([-np.append(levels, np.inf), np.append(-np.inf, levels)])
    # a score of zero for one class cannot be outweighed
    reachable = np.append(levels, np.inf) > -np.inf
    reachable[-1] = levels[-1] < np.inf
    return counts[reachable], least[reachable]


def _three_class_cells(distinct, mass, with_bounds):
    """Sweep lines of constant phi_1 and of constant phi_2 just below every case.

    A cell of the arrangement is closed under componentwise maxima, so it has a largest
    corner, and the line that bounds it there is one of these; weightings with phi_1 near
    infinity are covered by one line more.
    """
    from skvus._kernels.arrangement import sweep_cells

    with np.errstate(invalid="ignore"):  # two zero scores: neither call can happen
        u = _snap(distinct[:, 0] - distinct[:, 1])
        w = _snap(distinct[:, 0] - distinct[:, 2])
        d = _snap(distinct[:, 2] - distinct[:, 1])
    largest = max(np.abs(x[np.isfinite(x)]).max(initial=0.0) for x in (u, w, d))
    beyond = 4.0 * largest + 1.0
    order_u, order_w, order_d = (np.argsort(x, kind="stable") for x in (u, w, d))
    vertical = np.append(np.unique(u[np.isfinite(u)]), beyond)
    horizontal = np.unique(w[np.isfinite(w)])
    upward = (u, w, -d, order_w, order_d[::-1].copy(), mass, np.array([0, 1, 2]))
    rightward = (w, u, d, order_u, order_d, mass, np.array([0, 2, 1]))
    per_block = max(1, _BLOCK_ROWS // (len(distinct) + 1))
    for lines, arguments in ((vertical, upward), (horizontal, rightward)):
        for start in range(0, lines.size, per_block):
            yield sweep_cells(lines[start : start + per_block], *arguments, with_bounds)


def _snap(values):
    """Make near-equal values equal; undefined ones become infinite."""
    values = np.where(np.isnan(values), np.inf, values)
    order = np.argsort(values)
    ascending = values[order]
    with np.errstate(invalid="ignore"):  # infinities are equal to themselves only
        apart = np.diff(ascending) > TIE * np.maximum(1.0, np.abs(ascending[1:]))
    infinite = np.isinf(ascending[1:]) | np.isinf(ascending[:-1])
    starts = np.append(True, np.where(infinite, ascending[1:] != ascending[:-1], apart))
    snapped = np.empty_like(values)
    snapped[order] = ascending[starts][np.cumsum(starts) - 1]
    return snapped


def _moved_by_snapping(distinct):
    """How far `_snap` moves a difference of logarithms at most."""
    moved = 0.0
    for i, j in combinations(range(distinct.shape[1]), 2):
        with np.errstate(invalid="ignore"):
            difference = distinct[:, i] - distinct[:, j]
            change = np.abs(_snap(difference) - difference)
        moved = max(moved, change[np.isfinite(change)].max(initial=0.0))
    return moved
