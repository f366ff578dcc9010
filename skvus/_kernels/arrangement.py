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
def _move(counts, mass, case, source, target):
    for true in range(3):
        counts[true, source] -= mass[case, true]
        counts[true, target] += mass[case, true]


@helper
def _sweep_line(at, side, level, slope, order_level, order_slope, mass, calls, out, n_out):
    """Write the operating points along one line, from one end to the other.

    Cases with ``side >= at`` are called ``calls[0]`` until the sweep passes their
    `level`; the others are called ``calls[1]`` until it passes ``at + slope``. Then
    both are called ``calls[2]``. The line runs an infinitesimal step below `at`, so
    among equal values the sloped ones come first.
    """
    n = side.size
    counts = np.zeros((3, 3))
    for i in range(n):
        called = calls[0] if side[i] >= at else calls[1]
        for true in range(3):
            counts[true, called] += mass[i, true]
    a = 0
    b = 0
    while True:
        while a < n and side[order_level[a]] < at:
            a += 1
        while b < n and side[order_slope[b]] >= at:
            b += 1
        next_level = level[order_level[a]] if a < n else np.inf
        next_slope = at + slope[order_slope[b]] if b < n else np.inf
        nearest = min(next_level, next_slope)
        if nearest > -np.inf:  # what lies at minus infinity is passed before the start
            for true in range(3):
                k = 0
                for called in range(3):
                    if called != true:
                        out[n_out, 2 * true + k] = counts[true, called]
                        k += 1
            n_out += 1
        if nearest == np.inf:
            return n_out
        tolerance = 1e-12 * max(1.0, abs(at), abs(nearest)) if nearest > -np.inf else 0.0
        if next_slope <= next_level + tolerance:
            here = slope[order_slope[b]]
            while b < n and slope[order_slope[b]] == here:
                if side[order_slope[b]] < at:
                    _move(counts, mass, order_slope[b], calls[1], calls[2])
                b += 1
        else:
            while a < n and level[order_level[a]] == next_level:
                if side[order_level[a]] >= at:
                    _move(counts, mass, order_level[a], calls[0], calls[2])
                a += 1


@kernel
def sweep_lines(lines, side, level, slope, order_level, order_slope, mass, calls):
    """Operating points along several parallel lines, as rows of off-diagonal counts.

    `side`, `level` and `slope` must already have near-equal values made equal.
    """
    out = np.empty((lines.size * (side.size + 1), 6))
    n_out = 0
    for at in lines:
        n_out = _sweep_line(
            at, side, level, slope, order_level, order_slope, mass, calls, out, n_out
        )
    return out[:n_out]


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
