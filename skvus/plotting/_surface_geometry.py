"""The surface of true rates over all class weightings, as a mesh of operating points.

Pure functions on arrays. A log weighting phi calls a case ``argmax_j (log p_j + phi_j)``. For
three classes, lines hold the first two weights in proportion while the third grows: on each of
them the first two true rates fall and the third rises. Lines side by side are a grid of
weightings, and its image a mesh of operating points.

The volume below such a mesh approaches the simplified VUS with shared ties: a triple of cases
is below the surface if some weighting gets all three right, and a straight line through a
border with tied cases stands for calling any share of them either way.
"""

from typing import NamedTuple

import numpy as np

from skvus._blocks import float_blocks
from skvus._soft import one_column, require_non_negative
from skvus.metrics._operating import TIE, class_totals, normalised_weights, whole_units

# Points of the curve of two classes, at most.
_MOST_POINTS = 2000
# Cases of each class that decide where the mesh of three classes is drawn; its points are
# operating points of all cases.
_MOST_CASES = 5000


class Surface(NamedTuple):
    """Operating points of two or three classes.

    `true_rates` and `weights` have shape (n_points, 2), or (n_lines, n_steps, 3); `equal` has
    the true rates of equal weights. The latter two are None where scores of two classes are
    no probabilities.
    """

    true_rates: np.ndarray
    weights: np.ndarray | None
    equal: np.ndarray | None


def make_surface(problem, n_steps):
    """The surface of a checked problem of two or three classes."""
    if problem.n_classes == 2:
        return _curve(problem)
    return _mesh(problem, n_steps)


def volume_below(true_rates):
    """Area or volume between the origin and the interpolated points.

    Four points need not lie in a plane: the mean of both ways to make two triangles of them.
    """
    if true_rates.ndim == 2:
        return float(np.linalg.det(np.stack([true_rates[1:], true_rates[:-1]], 1)).sum() / 2.0)
    a, b, c, d = _corners(true_rates)
    triangles = np.stack([(a, b, c), (a, c, d), (a, b, d), (b, c, d)])
    return float(np.linalg.det(np.moveaxis(triangles, 1, -2)).sum() / 12.0)


def four_corners(true_rates):
    """The quadrilaterals of a mesh, those without area left out: (m, 4, 3)."""
    corners = np.stack(_corners(true_rates), axis=-2).reshape(-1, 4, 3)
    diagonals = corners[:, 2] - corners[:, 0], corners[:, 3] - corners[:, 1]
    return corners[np.abs(np.cross(*diagonals)).max(axis=1) > 1e-12]


def _corners(mesh):
    return mesh[:-1, :-1], mesh[1:, :-1], mesh[1:, 1:], mesh[:-1, 1:]


def finite_logs(scores):
    """Logarithms, those of zeros so low that fewer zeros are always preferred.

    That is how `simplified_vus_score` has it. Zeros cannot be outweighed by weights, so what
    lies beyond is the limit of scores that tend to zero together.
    """
    require_non_negative(scores)
    logs = np.empty(scores.shape)
    highest, lowest, has_zero = -np.inf, np.inf, False
    for rows, block in float_blocks(scores):
        is_zero = block == 0.0
        logs[rows] = np.log(np.where(is_zero, 1.0, block))
        logs[rows][is_zero] = -np.inf
        has_zero |= bool(is_zero.any())
        highest = max(highest, logs[rows].max())
        lowest = min(lowest, logs[rows].min(where=~is_zero, initial=np.inf))
    if has_zero:
        spread = highest - lowest if lowest < np.inf else 0.0
        highest = highest if lowest < np.inf else 0.0
        np.maximum(logs, highest - scores.shape[1] * spread - 1.0, out=logs)
    return logs


def _curve(problem):
    """True rates of two classes from all called the second to all called the first."""
    scores = one_column(problem.scores)
    is_one = scores.ndim == 1
    if is_one:
        level = np.asarray(scores, dtype=float)
    else:
        logs = finite_logs(scores)
        level = logs[:, 1] - logs[:, 0]
    units = whole_units(problem.codes, problem.weight, 2)
    mass = np.where(problem.codes[:, np.newaxis] == np.arange(2), units[:, np.newaxis], 0)
    levels, centres, passed = _cells(level, mass, 0.0 if is_one else TIE)
    totals = passed[-1]
    true_rates = np.column_stack([passed[:, 0], totals[1] - passed[:, 1]]) / totals
    is_proba = not is_one or (levels[0] >= 0.0 and levels[-1] <= 1.0)
    equal = None
    if is_proba:
        equal = true_rates[np.searchsorted(levels, 0.5 if is_one else 0.0, side="right")]
    kept = _spread_out(true_rates)
    weights = _two_weights(centres[kept], is_one) if is_proba else None
    return Surface(true_rates[kept], weights, equal)


def _two_weights(centres, is_one):
    """Weights that call a case the second class if its score exceeds a threshold."""
    if is_one:
        centres = np.clip(centres, 0.0, 1.0)
        return np.column_stack([centres, 1.0 - centres])
    phis = np.column_stack([centres, np.zeros(centres.size)])
    phis[[0, -1]] = [[-np.inf, 0.0], [0.0, -np.inf]]
    return _weights(phis)


def _spread_out(true_rates):
    """Which points of a curve to keep: all, or as many as are seen, evenly along it."""
    if len(true_rates) <= _MOST_POINTS:
        return np.arange(len(true_rates))
    travelled = true_rates[:, 0] - true_rates[:, 1] + 1.0
    places = np.linspace(0.0, travelled[-1], _MOST_POINTS)
    return np.unique(np.append(np.searchsorted(travelled, places[:-1]), len(true_rates) - 1))


def _mesh(problem, n_steps):
    """True rates of three classes on a grid of weightings."""
    codes, weight = problem.codes, problem.weight
    logs = finite_logs(problem.scores)
    phis = _grid(*_some_cases(logs, codes, weight), n_steps)
    wanted = np.vstack([phis.reshape(-1, 3), np.zeros(3)])
    rates = _true_rates(logs, codes, weight, wanted)
    return Surface(rates[:-1].reshape(phis.shape), _weights(phis), rates[-1])


def _some_cases(logs, codes, weight):
    """Cases of each class, evenly among them, and what share of their class each one is.

    Half by weight, half by number: what a few heavy cases do lies between those of no weight.
    """
    chosen = []
    for k in range(3):
        own = np.flatnonzero(codes == k)
        number = min(own.size, _MOST_CASES)
        chosen.append(own[np.linspace(0.0, own.size - 1.0, number).astype(int)])
    chosen = np.concatenate(chosen)
    logs, codes, weight = logs[chosen], codes[chosen], weight[chosen]
    share = weight / np.bincount(codes, weights=weight)[codes] + 1.0 / np.bincount(codes)[codes]
    return logs, codes, 0.5 * share


def _grid(logs, codes, share, n_steps):
    """Log weightings on lines, equal shares of the cases between them and along them."""
    base = codes < 2
    inner = _places(logs[base, 0] - logs[base, 1], share[base], n_steps)
    lines = [(0.0, -np.inf), *((0.0, phi) for phi in inner), (-np.inf, 0.0)]
    phis = np.empty((n_steps + 1, n_steps + 1, 3))
    for i, pair in enumerate(lines):
        # all cases, also those that are wrong all along the line: so places change little from
        # one line to the next, and what is joined belongs together
        level = (logs[:, :2] + np.array(pair)).max(axis=1) - logs[:, 2]
        phis[i, :, :2] = pair
        phis[i, 1:-1, 2] = _places(level, share, n_steps)
    phis[:, 0, 2] = -np.inf
    phis[:, -1] = -np.inf, -np.inf, 0.0
    return phis


def _places(level, share, n_steps):
    """Places inside a line that divide what is passed along it into equal parts.

    Where much is passed at once, they are spread between the cells on both sides: there other
    lines may cross.
    """
    levels, centres, passed = _cells(level, share, TIE)
    wanted = np.linspace(0.0, passed[-1], n_steps + 1)[1:-1]
    places = np.interp(wanted, passed, centres)
    below = np.clip(np.searchsorted(levels, places) - 1, 0, None)
    # on a level rounding would decide who is called what
    for nearest in (below, np.minimum(below + 1, levels.size - 1)):
        near = np.abs(places - levels[nearest]) <= 1e-9 * np.maximum(1.0, np.abs(places))
        places = np.where(near, centres[nearest], places)
    return places


def _cells(level, mass, tie):
    """Distinct levels, a place in each cell between them, and the mass that it has passed."""
    order = np.argsort(level, kind="stable")
    ascending = level[order]
    near = tie * np.maximum(1.0, np.abs(ascending[1:]))
    last = np.append(np.flatnonzero(np.diff(ascending) > near), level.size - 1)
    levels = ascending[last]
    following = ascending[last[:-1] + 1]
    inner = levels[:-1] + 0.5 * (following - levels[:-1])
    centres = np.concatenate([[ascending[0] - 1.0], inner, [levels[-1] + 1.0]])
    sums = np.cumsum(mass[order], axis=0)[last]
    return levels, centres, np.concatenate([np.zeros_like(sums[:1]), sums])


def _true_rates(logs, codes, weight, phis):
    from skvus._kernels.rates import class_counts

    units = whole_units(codes, weight, 3)
    counts = class_counts(logs, codes, units, np.ascontiguousarray(phis.T), True)
    return np.diagonal(counts, axis1=1, axis2=2) / class_totals(codes, units, 3)


def _weights(phis):
    """Weights that sum to one, zero where their logarithm is minus infinity."""
    return np.where(phis == -np.inf, 0.0, normalised_weights(phis))
