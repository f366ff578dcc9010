"""The packing linear programme behind every discard test.

``g(v) = max sum(weights)`` subject to ``weights @ points <= v``, ``weights >= 0``:
how much of the classifiers in `points` fits under `v`. A mixture of them is at
least as good as `v` in every coordinate if and only if ``g(v) >= 1``.
"""

import numpy as np

from skvus._kernels._jit import helper, kernel

# Entering columns must gain more than this, pivots be larger than this. The rates
# are of the order of one, so absolute thresholds are meaningful.
_GAIN = 1e-11
_PIVOT = 1e-11
_TIE = 1e-14
_PROOF = 1e-10
# General solvers and whether they simplify the programme first: near-equal classifiers defeat
# the first in up to one of a hundred programmes, the next ones more rarely.
_SOLVERS = (("highs", True), ("highs-ds", False), ("highs-ipm", False))


@helper
def _enter(columns, n_columns, prices, gains, cautious):
    """Index of the column that gains most (cautiously: the first that gains), or -1.

    `columns` is (d, m), so that the inner loop vectorises.
    """
    gains[:n_columns] = 1.0
    for k in range(prices.size):
        price = prices[k]
        if price != 0.0:
            for j in range(n_columns):
                gains[j] -= price * columns[k, j]
    best = -1
    best_gain = _GAIN
    for j in range(n_columns):
        if gains[j] > best_gain:
            best = j
            best_gain = gains[j]
            if cautious:
                break
    return best


@helper
def _leave(column, values, cautious, basis):
    """Row of the ratio test; ties go to the largest pivot, or to the first variable."""
    best = -1
    best_ratio = np.inf
    for k in range(column.size):
        if column[k] <= _PIVOT:
            continue
        ratio = values[k] / column[k]
        if cautious:
            wins_tie = best >= 0 and basis[k] < basis[best]
        else:
            wins_tie = best >= 0 and column[k] > column[best]
        if ratio < best_ratio - _TIE or (ratio <= best_ratio + _TIE and wins_tie):
            best = k
            best_ratio = min(ratio, best_ratio)
    return best


@helper
def _pivot(inverse, values, column, leaving):
    """Bring the entering column, expressed in the basis, into row `leaving`."""
    d = values.size
    pivot = column[leaving]
    for k in range(d):
        inverse[leaving, k] /= pivot
    values[leaving] = max(0.0, values[leaving] / pivot)
    for b in range(d):
        if b != leaving and column[b] != 0.0:
            for k in range(d):
                inverse[b, k] -= column[b] * inverse[leaving, k]
            values[b] = max(0.0, values[b] - column[b] * values[leaving])


@helper
def _is_certified(columns, v, basis, values, prices, total):
    """Whether weights and prices prove each other optimal.

    Near-equal columns in one basis make its inverse inaccurate. The prices were compared
    with the columns themselves; what is left is that the weights fit and the sums agree.
    """
    d, m = columns.shape
    worth = 0.0
    for k in range(d):
        used = 0.0
        for b in range(d):
            if basis[b] < m:
                used += values[b] * columns[k, basis[b]]
        if used > v[k] + _PROOF:
            return False
        worth += prices[k] * v[k]
    return abs(worth - total) <= _PROOF * max(1.0, total)


@helper
def pack(columns, v, working, members, n_working, weights):
    """Solve one programme by the revised simplex method.

    Parameters
    ----------
    columns : (d, m) array
        Classifiers as columns of off-diagonal rates.
    v : (d,) array
        What they have to fit under, non-negative.
    working : (d, m) array, members : (m,) int array, n_working : int
        Working set: copies of the columns that are priced first, and which they are.
        The others are priced only when none of these gains; one that enters joins the
        set, so a sequence of similar programmes soon prices only the few classifiers
        that matter.
    weights : (m,) array
        Receives the optimal weights; a single one where g(v) is infinite.

    Returns
    -------
    total : float
        g(v); infinite if a column is zero, and nan if the result could not be proved.
    n_working : int
        New size of the working set.
    """
    d, m = columns.shape
    inverse = np.zeros((d, d))
    basis = np.empty(d, dtype=np.int64)
    values = np.empty(d)
    column = np.empty(d)
    prices = np.empty(d)
    gains = np.empty(m)
    for k in range(d):
        inverse[k, k] = 1.0
        basis[k] = m + k  # the slack of row k
        values[k] = v[k]
    entering = m
    for step in range(50 * (d + 10)):
        # Dantzig's rule is fast, Bland's rule cannot cycle: start with the first.
        cautious = step > 10 * (d + 10)
        for k in range(d):
            prices[k] = 0.0
            for b in range(d):
                if basis[b] < m:
                    prices[k] += inverse[b, k]
        entering = -1
        if not cautious:
            entering = _enter(working, n_working, prices, gains, False)
            if entering >= 0:
                entering = members[entering]
        if entering < 0:
            entering = _enter(columns, m, prices, gains, cautious)
            if entering >= 0 and n_working < m and not cautious:
                for k in range(d):
                    working[k, n_working] = columns[k, entering]
                members[n_working] = entering
                n_working += 1
        if entering < 0:
            for k in range(d):  # a slack with a negative price gains by returning
                if prices[k] < -_GAIN:
                    entering = m + k
                    break
        if entering < 0:
            break
        for b in range(d):
            if entering >= m:
                column[b] = inverse[b, entering - m]
                continue
            column[b] = 0.0
            for k in range(d):
                column[b] += inverse[b, k] * columns[k, entering]
        leaving = _leave(column, values, cautious, basis)
        if leaving < 0:
            largest = 1.0
            if entering < m:
                largest = columns[:, entering].max()
            for j in range(m):
                weights[j] = 1.0 if j == entering else 0.0
            # a perfect classifier, to working precision, fits without limit
            return np.inf if largest <= 2.0 * _PIVOT else np.nan, n_working
        _pivot(inverse, values, column, leaving)
        basis[leaving] = entering
    for j in range(m):
        weights[j] = 0.0
    total = 0.0
    for b in range(d):
        if basis[b] < m:
            weights[basis[b]] = values[b]
            total += values[b]
    if entering >= 0 or not _is_certified(columns, v, basis, values, prices, total):
        return np.nan, n_working
    return total, n_working


@kernel
def packing_values(columns, samples, working, members, n_working, weights):
    """g(v) for each row v of `samples`; returns the size of the working set as well.

    `weights` has as many rows as `samples`, or one that is written over.
    """
    values = np.empty(samples.shape[0])
    for s in range(samples.shape[0]):
        values[s], n_working = pack(
            columns, samples[s], working, members, n_working, weights[s % len(weights)]
        )
    return values, n_working


class Packing:
    """The programmes of one set of points, which share their working set."""

    def __init__(self, points):
        self._columns = np.ascontiguousarray(points.T)
        self._working = np.empty_like(self._columns)
        self._members = np.empty(points.shape[0], dtype=np.int64)
        self._n_working = 0

    def values(self, samples, *, return_weights=False):
        """g of each row of `samples`, and the weights that reach it on request."""
        n_rows = samples.shape[0] if return_weights else 1
        weights = np.empty((n_rows, self._columns.shape[1]))
        values, self._n_working = packing_values(
            self._columns, samples, self._working, self._members, self._n_working, weights
        )
        for s in np.flatnonzero(np.isnan(values)):  # near-equal classifiers
            values[s], weights[s % n_rows] = _pack_generally(self._columns, samples[s])
        return (values, weights) if return_weights else values


def _pack_generally(columns, v):
    """The same programme by a general solver, slower and harder to upset."""
    from scipy.optimize import linprog

    tight = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}
    for method, presolve in _SOLVERS:
        options = {**tight, "presolve": presolve}
        result = linprog(
            -np.ones(columns.shape[1]), A_ub=columns, b_ub=v, method=method, options=options
        )
        if result.status in (0, 3):
            break
    if result.status == 3:  # unbounded: a classifier that is as good as perfect
        weights = np.zeros(columns.shape[1])
        weights[columns.max(axis=0).argmin()] = 1.0
        return np.inf, weights
    if result.status != 0:
        raise ArithmeticError(f"A discard test failed ({result.message}): round the rates.")
    return -result.fun, result.x
