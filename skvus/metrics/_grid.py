"""Landgrebe and Duin's integration: resample the surface on a grid, trapezoid rule."""

import numpy as np

from skvus._rates import points_to_rates
from skvus.metrics._operating import (
    all_operating_points,
    class_totals,
    collapse,
    log_columns,
    n_vectors,
    sampled_weightings,
    whole_units,
)
from skvus.metrics._volumes import non_dominated

MOST_CLASSES = 6
_MOST_POINTS = 2 * 10**8
_MOST_LISTED = 1000  # distinct score vectors of three classes
_N_WEIGHTS = 10_000
# operating points that are triangulated; the triangulation grows fast with the dimension
_MOST_VERTICES = {2: 10**6, 3: 20_000, 4: 2_000, 5: 400, 6: 120}


def check_grid(n_classes, n_steps):
    """Raise before a grid is made that would be too large."""
    if n_classes > MOST_CLASSES:
        raise ValueError(
            f"method='grid' takes at most {MOST_CLASSES} classes; got {n_classes}. Use "
            "method='auto', which takes any number."
        )
    n_points = n_steps ** (n_classes - 1)
    if n_points > _MOST_POINTS:
        most = int(_MOST_POINTS ** (1 / (n_classes - 1)))
        raise ValueError(
            f"n_steps must be at most {most} for {n_classes} classes with method='grid', "
            f"which looks at n_steps**{n_classes - 1} points; got {n_steps}."
        )


def surface_hits(problem, rng):
    """True rates of each class at operating points, the trivial ones among them."""
    logs, codes, weight = log_columns(problem.scores), problem.codes, problem.weight
    n_classes = logs.shape[1]
    is_listed = n_classes <= 3 and (
        n_classes == 2 or n_vectors(logs, beyond=_MOST_LISTED) <= _MOST_LISTED
    )
    if is_listed:
        points = all_operating_points(*collapse(logs, codes, weight))
        rates = points_to_rates(points, n_classes)
        return np.concatenate([np.eye(n_classes), np.diagonal(rates, axis1=1, axis2=2)])
    from skvus._kernels.rates import class_counts

    phis = sampled_weightings(logs, codes, weight, _N_WEIGHTS, rng)
    units = whole_units(codes, weight, n_classes)
    counts = class_counts(logs, codes, units, np.ascontiguousarray(phis.T), True)
    hits = np.diagonal(counts, axis1=1, axis2=2) / class_totals(codes, units, n_classes)
    return np.concatenate([np.eye(n_classes), hits])


def grid_volume(hits, n_steps, rng):
    """Volume under the surface of the last rate over the others.

    Parameters
    ----------
    hits : (m, Q) array
        True rates of each class at m operating points, the trivial ones among them.
    n_steps : int
        Grid points on each axis.
    rng : Generator
        Chooses among operating points when there are too many.
    """
    n_classes = hits.shape[1]
    vertices = _surface_vertices(hits)
    most = _MOST_VERTICES[n_classes]
    if len(vertices) > most:
        corners = np.flatnonzero((vertices == 0.0).sum(axis=1) >= n_classes - 1)
        chosen = np.union1d(rng.choice(len(vertices), most, replace=False), corners)
        vertices = vertices[chosen]
    axis = np.linspace(0.0, 1.0, n_steps)
    # of several heights over one point the surface has the largest
    vertices = vertices[np.lexsort(vertices.T)]
    _, last = np.unique(vertices[::-1, :-1], axis=0, return_index=True)
    vertices = vertices[::-1][last]
    if n_classes == 2:
        from scipy.integrate import trapezoid

        return float(trapezoid(np.interp(axis, *vertices.T, right=0.0), axis))
    return min(1.0, _trapezoid(_interpolator(vertices), axis, vertices))


def _surface_vertices(hits):
    """Points that no other beats, also when some classes do not matter.

    A surface ends where a rate is zero: there the best of the other rates count.
    """
    n_classes = hits.shape[1]
    vertices = []
    for subset in range(1, 2**n_classes):
        mattering = np.array([bool(subset >> k & 1) for k in range(n_classes)])
        part = np.unique(np.where(mattering, hits, 0.0), axis=0)
        vertices.append(part[non_dominated(1.0 - part)])
    return np.unique(np.concatenate(vertices), axis=0)


def _interpolator(vertices):
    from scipy.interpolate import LinearNDInterpolator

    return LinearNDInterpolator(vertices[:, :-1], vertices[:, -1], fill_value=0.0)


def _trapezoid(surface, axis, vertices):
    """Tensor trapezoid rule, a slab at a time."""
    n_axes = vertices.shape[1] - 1
    ends = np.ones(axis.size)
    ends[[0, -1]] = 0.5
    others = np.stack(np.meshgrid(*[axis] * (n_axes - 1), indexing="ij"), axis=-1)
    others = others.reshape(-1, n_axes - 1)
    weights = ends
    for _ in range(n_axes - 2):
        weights = np.multiply.outer(weights, ends)
    sums = others.sum(axis=1)
    # a point beyond every vertex has no height
    farthest = vertices[:, :-1].sum(axis=1).max() + 1e-9
    total = 0.0
    for at, end in zip(axis, ends, strict=True):
        near = sums + at <= farthest
        points = np.column_stack([np.full(near.sum(), at), others[near]])
        total += end * (weights.ravel()[near] * surface(points)).sum()
    return float(total * (axis[1] - axis[0]) ** n_axes)
