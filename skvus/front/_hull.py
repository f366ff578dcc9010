"""Members that are optimal for linear costs. Pure functions on points."""

import numpy as np

# Directions drawn to find the knee and most of the vertices; always the same ones.
N_DIRECTIONS = 20_000
_BLOCK_CELLS = 2**22
# A point that is better than all mixtures by less than this is no vertex: it may be rounding.
_MARGIN = 1e-9
_PROGRAMMES_PER_ROUND = 200


def optimal_counts(points):
    """How often each point is the cheapest, over flat Dirichlet weights of the coordinates.

    An estimate of the size of each normal cone.
    """
    rng = np.random.default_rng(0)
    wins = np.zeros(len(points), dtype=np.int64)
    per_block = max(1, _BLOCK_CELLS // len(points))
    for start in range(0, N_DIRECTIONS, per_block):
        n_block = min(per_block, N_DIRECTIONS - start)
        weights = rng.dirichlet(np.ones(points.shape[1]), size=n_block)
        cheapest = np.argmin(weights @ points.T, axis=1)
        wins += np.bincount(cheapest, minlength=len(points))
    return wins


def hull_vertices(points):
    """Indices of the vertices of the lower convex hull of mutually non-dominated points.

    A point is no vertex if some mixture of others is at least as good in every coordinate.
    Vertices that are known from random weights reject most points; where they do not suffice,
    the weights that prove it lead to another vertex (Clarkson 1994). So the size of the
    linear programmes is that of the result.
    """
    from skvus._kernels.packing import Packing

    if points.shape[1] == 2:
        return _chain(points)
    is_vertex = optimal_counts(points) > 0
    is_open = ~is_vertex
    while is_open.any():
        candidates = np.flatnonzero(is_open)
        packed = Packing(points[is_vertex]).values(points[candidates])
        is_open[candidates[packed >= 1.0 - _MARGIN]] = False
        vertices = points[is_vertex]
        for i in np.flatnonzero(is_open)[:_PROGRAMMES_PER_ROUND]:
            found = _vertex_beyond(points, vertices, i)
            if is_vertex[found]:  # found a moment ago, or the difference is rounding
                is_open[i] = not (points[found] == vertices).all(axis=1).any()
            is_vertex[found] = True
            is_open[found] = False
    return np.flatnonzero(is_vertex)


def _chain(points):
    """Vertices in the plane, by Andrew's monotone chain."""
    chain: list[int] = []
    for i in np.lexsort(points.T[::-1]):
        while len(chain) > 1 and not _is_below(*points[[chain[-2], chain[-1], i]]):
            chain.pop()
        chain.append(i)
    return np.sort(np.array(chain))


def _is_below(a, b, c):
    """Whether b is below the line from a to c, by more than rounding."""
    rise, run = (b[1] - a[1]) * (c[0] - a[0]), (c[1] - a[1]) * (b[0] - a[0])
    return run - rise > 1e-12 * (abs(rise) + abs(run))


def _vertex_beyond(points, vertices, i):
    """A vertex that is cheaper than all known ones for weights that favour point i."""
    from scipy.optimize import linprog

    # weights w >= 0 with w @ vertex >= 1 for all vertices and w @ point as small as can be
    result = linprog(points[i], A_ub=-vertices, b_ub=-np.ones(len(vertices)))
    if result.status != 0:
        return i
    values = points @ (result.x / result.x.sum())
    ties = np.flatnonzero(values <= values.min() + _MARGIN * 1e-3)
    # of those that tie, the first in lexicographic order is a vertex
    return ties[np.lexsort(points[ties].T[::-1])[0]]
