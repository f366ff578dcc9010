"""Operating points that a soft classifier reaches by weighting its classes.

Pure functions on arrays: logarithms of scores in, points of off-diagonal rates out.
"""

import numpy as np

from skvus._rates import off_diagonal
from skvus.metrics._volumes import non_dominated

# Differences of logarithms closer than this, relative to their size, count as equal:
# posteriors that tie on paper differ in the last bits of their logarithms.
_TIE = 1e-12
_SEARCH_CASES = 2000
_BLOCK_ROWS = 200_000


def log_columns(scores):
    """Logarithms of non-negative scores, or (0, rank of s) for one real score s.

    A case without any positive score goes to the first class, as `argmax` would have it.
    """
    if scores.ndim == 1:
        ranks = np.unique(scores, return_inverse=True)[1].ravel()
        return np.column_stack([np.zeros_like(scores), ranks.astype(float)])
    if scores.min() < 0.0:
        raise ValueError(
            "y_score must not be negative when classes are weighted; its minimum is "
            f"{scores.min():.6g}. Pass probabilities, or exp(decision_function)."
        )
    with np.errstate(divide="ignore"):
        logs = np.log(scores)
    logs[~scores.any(axis=1), 0] = 0.0
    return logs


def collapse(log_scores, codes, weight):
    """Distinct score vectors (up to a factor), and the weight of each class on each."""
    relative = log_scores - log_scores.max(axis=1, keepdims=True)
    distinct, which = np.unique(relative, axis=0, return_inverse=True)
    mass = np.zeros(distinct.shape)
    np.add.at(mass, (which.ravel(), codes), weight)
    return distinct, mass


def all_operating_points(distinct, mass):
    """Every non-dominated operating point of two or three classes, as rates."""
    list_counts = _two_class_counts if mass.shape[1] == 2 else _three_class_counts
    counts = list_counts(distinct, mass)
    totals = np.repeat(mass.sum(axis=0), mass.shape[1] - 1)
    return counts / totals


def sampled_operating_points(log_scores, codes, weight, n_costs, rng):
    """Operating points near the optimum of each of `n_costs` random cost matrices.

    The weightings are searched on a sample of the cases and applied to all of them: any
    weighting makes a valid operating point.
    """
    from skvus._kernels.arrangement import weightings_for_costs
    from skvus._kernels.rates import weighted_counts

    n_classes = log_scores.shape[1]
    mask = off_diagonal(n_classes)
    costs = np.zeros((n_costs, n_classes, n_classes))
    # more uneven than flat: flat costs of many classes are all much alike
    costs[:, mask] = rng.dirichlet(np.full(mask.sum(), 0.5), size=n_costs)
    used = _stratified_sample(codes, weight, n_classes, rng)
    totals = np.bincount(codes[used], weights=weight[used], minlength=n_classes)
    shares = weight[used] / totals[codes[used]]
    phis = weightings_for_costs(log_scores[used], codes[used], shares, costs, 2)
    counts = weighted_counts(log_scores, codes, weight, phis)[:, mask]
    totals = np.bincount(codes, weights=weight, minlength=n_classes)
    points = np.unique(counts, axis=0) / np.repeat(totals, n_classes - 1)
    return points[non_dominated(points)]


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


def _two_class_counts(distinct, mass):
    threshold = _snap(distinct[:, 0] - distinct[:, 1])  # called 1 once phi_1 exceeds it
    levels, which = np.unique(threshold, return_inverse=True)
    level_mass = np.zeros((levels.size, 2))
    np.add.at(level_mass, which, mass)
    called = np.concatenate([np.zeros((1, 2)), np.cumsum(level_mass, axis=0)])
    # a score of zero for one class cannot be outweighed
    reachable = np.append(levels, np.inf) > -np.inf
    reachable[-1] = levels[-1] < np.inf
    counts = np.column_stack([called[:, 0], level_mass[:, 1].sum() - called[:, 1]])[reachable]
    return counts[non_dominated(counts)]


def _three_class_counts(distinct, mass):
    """Sweep lines of constant phi_1 and of constant phi_2 just below every case.

    A cell of the arrangement is closed under componentwise maxima, so it has a largest
    corner, and the line that bounds it there is one of these; weightings with phi_1 near
    infinity are covered by one line more.
    """
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
    fronts = [_swept(vertical, upward), _swept(horizontal, rightward)]
    counts = np.concatenate(fronts)
    return counts[non_dominated(counts)]


def _swept(lines, arguments):
    """Non-dominated counts along all lines, a block of lines at a time."""
    from skvus._kernels.arrangement import sweep_lines

    n_cases = arguments[0].size
    per_block = max(1, _BLOCK_ROWS // (n_cases + 1))
    fronts = [np.empty((0, 6))]
    for start in range(0, lines.size, per_block):
        counts = sweep_lines(lines[start : start + per_block], *arguments)
        fronts.append(counts[non_dominated(counts)])
    return np.concatenate(fronts)


def _snap(values):
    """Make near-equal values equal; undefined ones become infinite."""
    values = np.where(np.isnan(values), np.inf, values)
    order = np.argsort(values)
    ascending = values[order]
    with np.errstate(invalid="ignore"):  # infinities are equal to themselves only
        apart = np.diff(ascending) > _TIE * np.maximum(1.0, np.abs(ascending[1:]))
    infinite = np.isinf(ascending[1:]) | np.isinf(ascending[:-1])
    starts = np.append(True, np.where(infinite, ascending[1:] != ascending[:-1], apart))
    snapped = np.empty_like(values)
    snapped[order] = ascending[starts][np.cumsum(starts) - 1]
    return snapped
