"""Operating points of a soft classifier over class weightings.

A case with posteriors p is called ``argmax_j (log p_j + phi_j)``. For three classes
and ``phi_0 = 0`` it is called 0 while ``phi_1 <= u`` and ``phi_2 <= w``, and between
1 and 2 the sign of ``phi_1 - phi_2 - d`` decides, with ``u = log p_0 - log p_1``,
``w = log p_0 - log p_2`` and ``d = log p_2 - log p_1``. The case cuts the plane of
weightings along a tropical line with its apex at (u, w); the cells of all these
lines are the operating points.
"""

import numpy as np

from skvus._kernels._jit import helper, kernel


@helper
def _pass(case, source, counts, between, mass, level, slope, calls):
    """Call a case ``calls[2]`` instead of `source`, and note what keeps it there."""
    for true in range(3):
        counts[true, source] -= mass[case, true]
        counts[true, calls[2]] += mass[case, true]
    between[2, 0] = max(between[2, 0], level[case])
    between[2, 1] = max(between[2, 1], slope[case])


@helper
def _write(row, values, order):
    """Write what is off the diagonal of ``values[a, b]``, renamed by `order`, in row order."""
    for a in range(3):
        for b in range(3):
            i, j = order[a], order[b]
            if i != j:
                row[2 * i + (j if j < i else j - 1)] = values[a, b]


@helper
def _farthest_sides(at, side, order_slope):
    """Largest side below `at` among ``order_slope[b:]``, for each b."""
    farthest = np.full(side.size + 1, -np.inf)
    for b in range(side.size - 1, -1, -1):
        here = side[order_slope[b]]
        farthest[b] = max(farthest[b + 1], here) if here < at else farthest[b + 1]
    return farthest


@helper
def _sweep_line(
    at, side, level, slope, order_level, order_slope, mass, calls, out, least, n_out
):
    """Write the cells along one line that no other line writes, from one end on.

    Cases with ``side >= at`` are called ``calls[0]`` until the sweep passes their
    `level`; the others are called ``calls[1]`` until it passes ``at + slope``. Then
    both are called ``calls[2]``. The line runs an infinitesimal step below `at`, so
    among equal values the sloped ones come first.

    A cell ends at this line for as long as a case with ``side == at`` is called
    ``calls[0]``: there the sweep stops, unless there is no such case. Sweeps to the right
    leave out what a vertical line bounds, too: its own sweep has met it.
    """
    n = side.size
    counts = np.zeros((3, 3))
    n_on_line = 0
    for i in range(n):
        n_on_line += side[i] == at
        for true in range(3):
            counts[true, calls[0] if side[i] >= at else calls[1]] += mass[i, true]
    is_beyond = n_on_line == 0
    is_second = calls[1] > calls[2]
    between = np.full((3, 3), -np.inf)  # least differences of phi, by the role of a call
    names = np.arange(3)
    with_bounds = least.shape[0] > 0
    if with_bounds:
        farthest = _farthest_sides(at, side, order_slope)
        between[0, 1] = -np.inf if is_beyond else -at
    a = 0
    b = 0
    while n_on_line > 0 or is_beyond:
        while a < n and side[order_level[a]] < at:
            a += 1
        while b < n and side[order_slope[b]] >= at:
            b += 1
        next_level = level[order_level[a]] if a < n else np.inf
        next_slope = at + slope[order_slope[b]] if b < n else np.inf
        tolerance = 0.0
        if abs(next_level) < np.inf:
            tolerance = 1e-12 * max(1.0, abs(at), abs(next_level))
        is_new = not is_second or next_slope < next_level - tolerance
        # what lies at minus infinity is passed before the start
        if is_new and min(next_level, next_slope) > -np.inf:
            _write(out[n_out], counts, names)
            if with_bounds:
                between[0, 2] = -next_level
                between[1, 0] = farthest[b]
                between[1, 2] = -slope[order_slope[b]] if b < n else -np.inf
                _write(least[n_out], between, calls)
            n_out += 1
        if next_level == np.inf and next_slope == np.inf:
            break
        if next_slope <= next_level + tolerance:
            here = slope[order_slope[b]]
            while b < n and slope[order_slope[b]] == here:
                if side[order_slope[b]] < at:
                    _pass(order_slope[b], calls[1], counts, between, mass, level, slope, calls)
                b += 1
        else:
            while a < n and level[order_level[a]] == next_level:
                if side[order_level[a]] >= at:
                    _pass(order_level[a], calls[0], counts, between, mass, level, slope, calls)
                    n_on_line -= side[order_level[a]] == at
                a += 1
    return n_out


@kernel
def sweep_cells(lines, side, level, slope, order_level, order_slope, mass, calls, with_bounds):
    """Cells along several parallel lines, as rows of off-diagonal counts, and their bounds.

    `side`, `level` and `slope` must already have near-equal values made equal. Bounds are
    the least values of ``phi_i - phi_j`` in the cell; without them their array is empty.
    """
    most = lines.size * (side.size + 1)
    out = np.empty((most, 6))
    least = np.empty((most if with_bounds else 0, 6))
    n_out = 0
    for at in lines:
        n_out = _sweep_line(
            at, side, level, slope, order_level, order_slope, mass, calls, out, least, n_out
        )
    return out[:n_out], least[:n_out]


def sweep_lines(*arrays):
    """Cells along several parallel lines, without their bounds."""
    return sweep_cells(*arrays, False)[0]


@helper
def _between(low, high, otherwise):
    """A number strictly between two bounds of which either may be infinite."""
    if low > -np.inf and high < np.inf:
        return 0.5 * (low + high)
    if low > -np.inf:
        return low + 1.0
    if high < np.inf:
        return high - 1.0
    return otherwise


@helper
def _search_coordinate(log_scores, codes, shares, cost, phi, j):
    """Set ``phi[j]`` to the best value for this cost, the others held fixed.

    As ``phi[j]`` rises, case after case passes its threshold and is called j instead of
    the best of the other classes: sort the thresholds and add up what that saves.
    """
    n, n_classes = log_scores.shape
    threshold = np.empty(n)
    saving = np.empty(n)
    for i in range(n):
        rival = -1
        best = -np.inf
        for k in range(n_classes):
            if k != j and (rival < 0 or log_scores[i, k] + phi[k] > best):
                rival = k
                best = log_scores[i, k] + phi[k]
        threshold[i] = best - log_scores[i, j] if best > -np.inf else -np.inf
        saving[i] = shares[i] * (cost[codes[i], rival] - cost[codes[i], j])
    order = np.argsort(threshold)
    saved = 0.0
    most_saved = -np.inf
    best_phi = phi[j]
    passed = -np.inf
    for a in range(n + 1):
        ahead = threshold[order[a]] if a < n else np.inf
        # only between thresholds that differ is there a place to stop
        margin = 1e-12 * max(1.0, abs(passed)) if passed > -np.inf else 0.0
        if ahead > passed + margin and saved > most_saved:
            most_saved = saved
            best_phi = _between(passed, ahead, phi[j])
        if ahead == np.inf:
            break
        saved += saving[order[a]]
        passed = ahead
    phi[j] = best_phi


@kernel
def weightings_for_costs(log_scores, codes, shares, costs, n_passes):
    """Log weightings that nearly minimise each cost, by search along coordinates."""
    n_classes = log_scores.shape[1]
    phis = np.zeros((costs.shape[0], n_classes))
    for c in range(costs.shape[0]):
        for k in range(n_classes):  # start where being wrong about k is dear
            phis[c, k] = np.log(costs[c, k].sum() + 1e-3)
        for _ in range(n_passes):
            for j in range(n_classes):
                _search_coordinate(log_scores, codes, shares, costs[c], phis[c], j)
    return phis
