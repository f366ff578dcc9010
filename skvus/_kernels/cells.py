"""Sums over the pieces of a discard region: maps of columns to rows, and cone cells."""

import numpy as np

from skvus._kernels._jit import helper, kernel


@kernel
def sum_over_maps(rates, table):
    r"""Sum of ``max(0, 1 - sum_j rates[phi(j), j]) * table[key(phi)]`` over all maps.

    `phi` runs over the maps of columns to rows with ``phi(j) != j``, and
    ``key(phi) = sum_j Q**phi(j)`` indexes `table` by how often each row is hit.
    Depth first, abandoning a branch as soon as its sum cannot stay below one.
    """
    n_classes = rates.shape[0]
    power = np.ones(n_classes, dtype=np.int64)
    for i in range(1, n_classes):
        power[i] = power[i - 1] * n_classes
    # least[j]: what columns j, j+1, ... add at the very least
    least = np.zeros(n_classes + 1)
    for j in range(n_classes - 1, -1, -1):
        smallest = np.inf
        for i in range(n_classes):
            if i != j:
                smallest = min(smallest, rates[i, j])
        least[j] = least[j + 1] + smallest
    row = np.full(n_classes, -1, dtype=np.int64)
    partial = np.zeros(n_classes + 1)
    key = np.zeros(n_classes + 1, dtype=np.int64)
    total = 0.0
    j = 0
    while j >= 0:
        row[j] += 1
        if row[j] == j:
            row[j] += 1
        if row[j] >= n_classes:
            row[j] = -1
            j -= 1
            continue
        partial[j + 1] = partial[j] + rates[row[j], j]
        if partial[j + 1] + least[j + 1] >= 1.0:
            continue
        key[j + 1] = key[j] + power[row[j]]
        if j == n_classes - 1:
            total += (1.0 - partial[j + 1]) * table[key[j + 1]]
        else:
            j += 1
    return total


@helper
def _determinant(matrix):
    """Determinant by elimination with partial pivoting; destroys `matrix`."""
    n = matrix.shape[0]
    det = 1.0
    for k in range(n):
        pivot = k
        for i in range(k + 1, n):
            if abs(matrix[i, k]) > abs(matrix[pivot, k]):
                pivot = i
        if matrix[pivot, k] == 0.0:
            return 0.0
        if pivot != k:
            det = -det
            for c in range(k, n):
                matrix[k, c], matrix[pivot, c] = matrix[pivot, c], matrix[k, c]
        det *= matrix[k, k]
        for i in range(k + 1, n):
            factor = matrix[i, k] / matrix[k, k]
            if factor != 0.0:
                for c in range(k + 1, n):
                    matrix[i, c] -= factor * matrix[k, c]
    return det


@helper
def _divide_by_linear(series, strides, sizes, hits):
    """Divide a truncated power series in place by ``1 - sum_i y_i hits[i]``."""
    for index in range(series.size):
        value = series[index]
        for i in range(sizes.size):
            if (index // strides[i]) % sizes[i] > 0:
                value += hits[i] * series[index - strides[i]]
        series[index] = value


@kernel
def sum_of_cells(points, hits, row_of_direction, simplices, apex):
    """Total of ``det * [y^n] prod 1 / (1 - sum_i y_i hits_i)`` over cone cells.

    Parameters
    ----------
    points : (m, d) array
        Classifiers as vectors of off-diagonal rates.
    hits : (m, q) array
        Diagonal rates of the same classifiers.
    row_of_direction : (d,) array
        The row of the rate matrix in which each coordinate lies.
    simplices : (f, d) array
        Facets of the cone. Entries below `m` are classifiers, entry ``m + k`` is
        the unbounded direction of coordinate k.
    apex : int
        Coordinate whose direction is joined to every facet without it.

    Returns
    -------
    total : float
        d! times the volume.
    """
    m, d = points.shape
    n_rows = hits.shape[1]
    matrix = np.empty((d + 1, d + 1))
    sizes = np.empty(n_rows, dtype=np.int64)
    strides = np.empty(n_rows, dtype=np.int64)
    buffer = np.empty((d // n_rows + 1) ** n_rows)
    total = 0.0
    for f in range(simplices.shape[0]):
        sizes[:] = 1
        skip = False
        for k in range(d):
            vertex = simplices[f, k]
            if vertex == m + apex:
                skip = True
                break
            if vertex < m:
                matrix[k, 0] = 1.0
                matrix[k, 1:] = points[vertex]
            else:
                matrix[k, :] = 0.0
                matrix[k, 1 + vertex - m] = 1.0
                sizes[row_of_direction[vertex - m]] += 1
        if skip:
            continue
        matrix[d, :] = 0.0
        matrix[d, 1 + apex] = 1.0
        sizes[row_of_direction[apex]] += 1
        det = abs(_determinant(matrix))
        if det == 0.0:
            continue
        length = 1
        for i in range(n_rows):
            strides[i] = length
            length *= sizes[i]
        series = buffer[:length]
        series[:] = 0.0
        series[0] = 1.0
        for k in range(d):
            if simplices[f, k] < m:
                _divide_by_linear(series, strides, sizes, hits[simplices[f, k]])
        total += det * series[length - 1]
    return total
