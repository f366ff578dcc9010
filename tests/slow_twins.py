"""Slow, obvious counterparts of the kernels: clarity before speed, other routes if any."""

from fractions import Fraction
from itertools import pairwise, product
from math import factorial

import numpy as np
from scipy.optimize import linprog
from scipy.spatial import ConvexHull, HalfspaceIntersection, QhullError


def off_diagonal_points(rates):
    """Rows of off-diagonal rates; works for floats and for fractions."""
    n_classes = len(rates[0])
    return [
        [rates_[k][j] for k in range(n_classes) for j in range(n_classes) if j != k]
        for rates_ in rates
    ]


def trivial(n_classes):
    return [
        [[int(j == always) for j in range(n_classes)] for _ in range(n_classes)]
        for always in range(n_classes)
    ]


def with_trivial_points(rates, n_classes):
    return np.array(off_diagonal_points([*np.asarray(rates).tolist(), *trivial(n_classes)]))


def closed_form_fraction(rates):
    """Raw VUS of one matrix of fractions, term by term."""
    q = len(rates)
    total = Fraction((q - 1) ** (q - 1))
    completions = {}
    for phi in product(range(q), repeat=q):
        if any(phi[j] == j for j in range(q)):
            continue
        slack = 1 - sum(rates[phi[j]][j] for j in range(q))
        if slack <= 0:
            continue
        n = [q - 1 - phi.count(i) for i in range(q)]
        key = tuple(n)
        if key not in completions:
            completions[key] = _completions([rates[i][i] for i in range(q)], n)
        total += slack * completions[key]
    return total / factorial(q * (q - 1))


def _completions(hits, n):
    total = Fraction(0)
    for a in product(*(range(k + 1) for k in n)):
        term = Fraction(factorial(sum(a)))
        for hit, power in zip(hits, a, strict=True):
            term = term * hit**power / factorial(power)
        total += term
    return total


# --- a set of classifiers in rational arithmetic ----------------------------------


def set_volume_fraction(rates):
    """Raw VUS of a list of matrices of fractions, by a placing triangulation of the cone."""
    q = len(rates[0])
    d = q * (q - 1)
    points = off_diagonal_points([*rates, *trivial(q)])
    generators = [[Fraction(0)] + [Fraction(int(k == c)) for c in range(d)] for k in range(d)]
    generators += [[Fraction(1), *map(Fraction, point)] for point in points]
    hits = [None] * d + [[m[i][i] for i in range(q)] for m in [*rates, *trivial(q)]]
    return sum(_cell_volume(cell, generators, hits, q) for cell in _placing(generators))


def _placing(generators):
    """Simplicial cells: place vector after vector, join it to the facets that it sees."""
    size = len(generators[0])
    first = list(range(size))  # all directions and one point: independent
    cells = [tuple(first)]
    facets = {}
    for leave in first:
        facet = frozenset(first) - {leave}
        facets[facet] = _normal(facet, generators, generators[leave])
    for new in range(size, len(generators)):
        visible = [f for f, normal in facets.items() if _dot(normal, generators[new]) > 0]
        horizon = {}
        for facet in visible:
            cells.append((*sorted(facet), new))
            for leave in facet:
                ridge = facet - {leave}
                horizon[ridge] = None if ridge in horizon else facet
            del facets[facet]
        for ridge, facet in horizon.items():
            if facet is None:
                continue
            (inside,) = facet - ridge
            side = ridge | {new}
            facets[side] = _normal(side, generators, generators[inside])
    return cells


def _dot(a, b):
    return sum(x * y for x, y in zip(a, b, strict=True))


def _normal(facet, generators, inside):
    """Vector orthogonal to the facet, negative on the vector `inside`."""
    size = len(inside)
    rows = [list(generators[g]) for g in facet]
    pivots = []
    for column in range(size):
        pivot = next((r for r in range(len(pivots), len(rows)) if rows[r][column] != 0), None)
        if pivot is None:
            free = column
            continue
        rank = len(pivots)
        rows[rank], rows[pivot] = rows[pivot], rows[rank]
        rows[rank] = [x / rows[rank][column] for x in rows[rank]]
        for r in range(len(rows)):
            if r != rank and rows[r][column] != 0:
                factor = rows[r][column]
                rows[r] = [x - factor * y for x, y in zip(rows[r], rows[rank], strict=True)]
        pivots.append(column)
    normal = [Fraction(0)] * size
    normal[free] = Fraction(1)
    for rank, column in enumerate(pivots):
        normal[column] = -rows[rank][free]
    return normal if _dot(normal, inside) < 0 else [-x for x in normal]


def _determinant(rows):
    rows = [list(row) for row in rows]
    det = Fraction(1)
    for k in range(len(rows)):
        pivot = next((r for r in range(k, len(rows)) if rows[r][k] != 0), None)
        if pivot is None:
            return Fraction(0)
        if pivot != k:
            rows[k], rows[pivot] = rows[pivot], rows[k]
            det = -det
        det *= rows[k][k]
        for r in range(k + 1, len(rows)):
            factor = rows[r][k] / rows[k][k]
            rows[r] = [x - factor * y for x, y in zip(rows[r], rows[k], strict=True)]
    return det


def _cell_volume(cell, generators, hits, q):
    d = q * (q - 1)
    det = abs(_determinant([generators[g] for g in cell]))
    n = [sum(1 for g in cell if g < d and g // (q - 1) == i) for i in range(q)]
    series = {(0,) * q: Fraction(1)}
    for g in cell:
        if g < d:
            continue
        divided = {}
        for a in product(*(range(k + 1) for k in n)):
            value = series.get(a, Fraction(0))
            for i in range(q):
                if a[i]:
                    before = a[:i] + (a[i] - 1,) + a[i + 1 :]
                    value += Fraction(hits[g][i]) * divided[before]
            divided[a] = value
        series = divided
    return det * series.get(tuple(n), Fraction(0)) / factorial(d)


# --- the paper's own route --------------------------------------------------------


def two_hull_volume(rates, n_classes=3):
    """Half-space intersection for the facets, another for the vertices, a hull's volume.

    Qhull's defaults give up on most sets; a joggled run is slower and good to 1e-5.
    """
    try:
        return _two_hull_volume(rates, n_classes, None)
    except QhullError:
        return _two_hull_volume(rates, n_classes, "QJ")


def _two_hull_volume(rates, n_classes, options):
    points = with_trivial_points(rates, n_classes)
    d = points.shape[1]
    # facets y @ v >= 1 of the region are the vertices of {y >= 0 : points @ y >= 1}
    interior = 2.0 / points.sum(axis=1).min()
    roof = 4.0 * max(interior, 1.0 / points[points > 0.0].min())
    halfspaces = np.concatenate(
        [
            np.column_stack([-points, np.ones(len(points))]),
            np.column_stack([-np.eye(d), np.zeros(d)]),
            np.column_stack([np.eye(d), np.full(d, -roof)]),
        ]
    )
    polar = HalfspaceIntersection(halfspaces, np.full(d, interior), qhull_options=options)
    facets = np.unique(np.round(polar.intersections, 7), axis=0)
    facets = facets[facets.max(axis=1) < 0.99 * roof]
    limits = np.kron(np.eye(n_classes), np.ones(n_classes - 1))
    region = np.concatenate(
        [
            np.column_stack([-facets, np.ones(len(facets))]),
            np.column_stack([-np.eye(d), np.zeros(d)]),
            np.column_stack([limits, -np.ones(n_classes)]),
        ]
    )
    norms = np.linalg.norm(region[:, :-1], axis=1)
    centre = linprog(
        np.append(np.zeros(d), -1.0),
        A_ub=np.column_stack([region[:, :-1], norms]),
        b_ub=-region[:, -1],
        bounds=[(None, None)] * d + [(0, None)],
    ).x[:-1]
    vertices = HalfspaceIntersection(region, centre, qhull_options=options).intersections
    return ConvexHull(np.unique(np.round(vertices, 8), axis=0), qhull_options=options).volume


def corner_hull_volume(rates, n_classes=3):
    """Volume of the hull of every way to make the classifiers worse, row by row."""
    corners = []
    for matrix in [*np.asarray(rates, dtype=float), *np.array(trivial(n_classes), dtype=float)]:
        for targets in product(range(n_classes), repeat=n_classes):
            worse = matrix.copy()
            for row, target in enumerate(targets):
                worse[row, target] += worse[row, row]
                worse[row, row] -= matrix[row, row]
            corners.append(worse)
    corners = np.unique(np.round(off_diagonal_points(corners), 12), axis=0)
    return ConvexHull(corners, qhull_options="QJ").volume


# --- membership -------------------------------------------------------------------


def packed(points, v):
    """g(v), by a general solver."""
    if not np.asarray(points).any(axis=1).all():
        return np.inf
    result = linprog(-np.ones(len(points)), A_ub=np.transpose(points), b_ub=v)
    assert result.status == 0
    return -result.fun


def sampled_share(rates, n_classes, n_samples, rng):
    """Share of uniform valid rates that are discarded, with its standard error."""
    points = with_trivial_points(rates, n_classes)
    mask = ~np.eye(n_classes, dtype=bool)
    samples = rng.dirichlet(np.ones(n_classes), size=(n_samples, n_classes))[:, mask]
    inside = np.array([packed(points, v) >= 1.0 for v in samples])
    return inside.mean(), inside.std(ddof=1) / np.sqrt(n_samples)


# --- operating points -------------------------------------------------------------


def _representatives(critical):
    """A positive number in each interval between the critical ones."""
    critical = sorted({c for c in critical if c is not None and c > 0})
    if not critical:
        return [Fraction(1)]
    middles = [(a + b) / 2 for a, b in pairwise(critical)]
    return [critical[0] / 2, *middles, critical[-1] * 2]


def _ratio(a, b):
    return Fraction(a, b) if b else None


def operating_counts_by_hand(codes, scores):
    """All (3, 3) confusion counts of argmax(weights * scores), exactly.

    `scores` are integers. Each interval of the second weight is met at a representative,
    then each interval of the third.
    """
    first = [_ratio(p[0], p[1]) for p in scores]
    for p in scores:  # where a boundary of one case crosses a boundary of another
        for r in scores:
            if p[2] and r[1]:
                first.append(Fraction(p[0] * r[2], p[2] * r[1]))
    found = set()
    for phi1 in _representatives(first):
        second = []
        for p in scores:
            if p[2]:
                second += [Fraction(p[0], p[2]), phi1 * Fraction(p[1], p[2])]
        for phi2 in _representatives(second):
            counts = [[0] * 3 for _ in range(3)]
            for code, p in zip(codes, scores, strict=True):
                weighted = [Fraction(p[0]), phi1 * p[1], phi2 * p[2]]
                counts[code][weighted.index(max(weighted))] += 1
            found.add(tuple(map(tuple, counts)))
    return found


def non_dominated_rows(rows):
    """Distinct rows that no other row weakly dominates."""
    rows = sorted(set(map(tuple, rows)))
    return {
        a
        for a in rows
        if not any(b != a and all(x <= y for x, y in zip(b, a, strict=True)) for b in rows)
    }
