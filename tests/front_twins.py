"""Slow, obvious counterparts of what is said about fronts of misclassification rates.

A rate matrix is Q lists of Q numbers, `R[k][j]` the share of class k that is called j. A point
is the tuple of its D = Q(Q-1) off-diagonal entries in row order. All of them are to be small.
"""

from fractions import Fraction
from itertools import combinations, product
from math import comb, factorial, isclose, sqrt

import numpy as np
from scipy.optimize import linprog

# --- numbers ----------------------------------------------------------------------


def as_fraction(x):
    """The very number that a float, of numpy or not, stands for."""
    return Fraction(x.item() if hasattr(x, "item") else x)


def as_decimal(x):
    """The number that a float was written as: 0.1 is 1/10."""
    return Fraction(str(x))


def subsets(items):
    """All subsets, the empty one first."""
    for size in range(len(items) + 1):
        yield from combinations(items, size)


def all_smallest(values):
    """Set of the indices of the smallest value, ties included."""
    best = min(values)
    return {i for i, value in enumerate(values) if value == best}


def all_largest(values):
    """Set of the indices of the largest value, ties included."""
    best = max(values)
    return {i for i, value in enumerate(values) if value == best}


# --- decisions and rates ----------------------------------------------------------


def expected_costs(p, cost, exact=as_fraction):
    """sum_k cost[k][j] p_k for every class j that one may call."""
    n_classes = len(cost)
    return [
        sum(exact(cost[k][j]) * exact(p[k]) for k in range(n_classes)) for j in range(n_classes)
    ]


def decide(p, cost, exact=as_fraction):
    """argmin_j sum_k cost[k][j] p_k, the lowest class of those tied."""
    return min(all_smallest(expected_costs(p, cost, exact)))


def confusion(y, scores, cost, weights=None, exact=as_fraction):
    """C[k][j] = sum of the weights of the cases of class k that are called j."""
    weights = [1] * len(y) if weights is None else [exact(w) for w in weights]
    counts = [[0] * len(cost) for _ in cost]
    for k, p, weight in zip(y, scores, weights, strict=True):
        counts[k][decide(p, cost, exact)] += weight
    return counts


def rate_matrix(counts):
    """R[k][j] = C[k][j] / sum_i C[k][i]."""
    return [[as_fraction(c) / as_fraction(sum(row)) for c in row] for row in counts]


def trivial_matrix(n_classes, always):
    """Rates of the classifier that calls every case the same."""
    return [[int(j == always) for j in range(n_classes)] for _ in range(n_classes)]


def rates_of(matrix):
    """The D off-diagonal entries, R[0][1], R[0][2], ..., R[1][0], ..."""
    n_classes = len(matrix)
    return tuple(matrix[k][j] for k in range(n_classes) for j in range(n_classes) if j != k)


def miss_rates_of(matrix):
    """sum_{j != k} R[k][j] for every class k: how much of it is called something else."""
    n_classes = len(matrix)
    return tuple(
        sum(matrix[k][j] for j in range(n_classes) if j != k) for k in range(n_classes)
    )


def false_alarms_of(matrix):
    """sum_{k != j} R[k][j] for every class j: how much of the others is called it."""
    n_classes = len(matrix)
    return tuple(
        sum(matrix[k][j] for k in range(n_classes) if k != j) for j in range(n_classes)
    )


# --- dominance --------------------------------------------------------------------


def weakly_dominates(a, b):
    """a_c <= b_c for every c."""
    return all(u <= v for u, v in zip(a, b, strict=True))


def dominates(a, b):
    """a_c <= b_c for every c and a_c < b_c for some c."""
    return weakly_dominates(a, b) and any(u < v for u, v in zip(a, b, strict=True))


def first_of_equals(points):
    """Indices of the points that no earlier one equals."""
    points = [tuple(point) for point in points]
    return [i for i, point in enumerate(points) if point not in points[:i]]


def non_dominated(points):
    """Indices of the points that no other dominates; of equal points the first."""
    return [
        i
        for i in first_of_equals(points)
        if not any(dominates(other, points[i]) for other in points)
    ]


# --- volumes ----------------------------------------------------------------------


def simplex_volume(n_classes):
    """vol{x in [0,1]^D : sum x <= Q-1} = 1/D! sum_k (-1)^k C(D,k) (Q-1-k)^D over k < Q-1."""
    d = n_classes * (n_classes - 1)
    terms = [(-1) ** k * comb(d, k) * (n_classes - 1 - k) ** d for k in range(n_classes - 1)]
    return Fraction(sum(terms), factorial(d))


def corner_volume(p, n_classes):
    """vol{x in P : x >= p} = 1/D! sum_S (-1)^|S| (Q-1 - sum p - sum_{c in S} (1 - p_c))_+^D."""
    p = [as_fraction(v) for v in p]
    d = n_classes * (n_classes - 1)
    assert len(p) == d
    assert all(0 <= v <= 1 for v in p)
    slack = n_classes - 1 - sum(p)
    total = Fraction(0)
    # S are the coordinates that exceed one; nothing is left of an empty simplex.
    for sides in subsets([1 - v for v in p]) if slack > 0 else ():
        total += (-1) ** len(sides) * max(slack - sum(sides), 0) ** d
    return total / factorial(d)


def join(points):
    """Largest of every coordinate: what all of them dominate begins here."""
    return [max(column) for column in zip(*points, strict=True)]


def gini(points, n_classes):
    """G = 1/vol(P) sum_{A not empty} (-1)^(|A|+1) vol{x in P : x >= join(A)}."""
    dominated = Fraction(0)
    for chosen in subsets(points):
        if chosen:
            dominated += (-1) ** (len(chosen) + 1) * corner_volume(join(chosen), n_classes)
    return dominated / simplex_volume(n_classes)


def delta(xs, ys, n_classes):
    """Share of P where (1 - prod_x (1 - [x <= z])) prod_y (1 - [y <= z]) is one, z in P."""
    dominated = Fraction(0)
    # Both products multiplied out: a term for every non-empty A of xs and every B of ys.
    for a, b in product(subsets(xs), subsets(ys)):
        if a:
            sign = (-1) ** (len(a) + 1 + len(b))
            dominated += sign * corner_volume(join([*a, *b]), n_classes)
    return dominated / simplex_volume(n_classes)


# --- the same volumes by other routes ---------------------------------------------


def evaluate(polynomial, x):
    """c_0 + c_1 x + c_2 x^2 + ..."""
    return sum(c * x**i for i, c in enumerate(polynomial))


def antiderivative(polynomial):
    """c_0 x + c_1 x^2 / 2 + c_2 x^3 / 3 + ..."""
    return [Fraction(0)] + [Fraction(c) / (i + 1) for i, c in enumerate(polynomial)]


def difference(a, b):
    """Coefficients of a - b."""
    length = max(len(a), len(b))
    a = a + [0] * (length - len(a))
    b = b + [0] * (length - len(b))
    return [u - v for u, v in zip(a, b, strict=True)]


def piece_of(pieces, i):
    """The polynomial on [i, i+1] of a volume that is 0 before its pieces and 1 after them."""
    if i < 0:
        return [Fraction(0)]
    return pieces[i] if i < len(pieces) else [Fraction(1)]


def cube_pieces(d):
    """Polynomials in u of V_d(i + u), by V_d(t) = integral of V_{d-1} from t-1 to t."""
    pieces = []
    for n_pieces in range(1, d + 1):
        longer = []
        for i in range(n_pieces):
            before = antiderivative(piece_of(pieces, i - 1))
            here = antiderivative(piece_of(pieces, i))
            changed = difference(here, before)
            changed[0] += evaluate(before, 1)
            longer.append(changed)
        pieces = longer
    return pieces


def cube_below(d, t):
    """V_d(t) = vol{x in [0,1]^d : sum x <= t}, by exact repeated integration."""
    t = as_fraction(t)
    i = t.numerator // t.denominator
    return evaluate(piece_of(cube_pieces(d), i), t - i)


def gini_by_cells(points, n_classes, n_cells):
    """G of points whose coordinates are multiples of 1/n_cells: add up the dominated cells."""
    d = n_classes * (n_classes - 1)
    points = [[as_fraction(v) * n_cells for v in point] for point in points]
    assert all(v.denominator == 1 for point in points for v in point)
    limit = n_cells * (n_classes - 1)
    # A cell that begins at i / n_cells holds V_d(limit - sum i) / n_cells^D of P.
    volumes = [cube_below(d, t) / n_cells**d for t in range(limit + 1)]
    dominated = whole = Fraction(0)
    for cell in product(range(n_cells), repeat=d):
        volume = volumes[max(limit - sum(cell), 0)]
        whole += volume
        if any(weakly_dominates(point, cell) for point in points):
            dominated += volume
    return dominated / whole


def sample_simplex(n_classes, n, seed):
    """n even draws from P, by throwing away what of the cube lies outside it."""
    rng = np.random.default_rng(seed)
    kept = np.empty((0, n_classes * (n_classes - 1)))
    while len(kept) < n:
        x = rng.random((100_000, kept.shape[1]))
        kept = np.vstack([kept, x[x.sum(axis=1) <= n_classes - 1]])
    return kept[:n]


def gini_by_sampling(points, n_classes, n, seed):
    """Share of n even draws from P that some point dominates."""
    x = sample_simplex(n_classes, n, seed)
    dominated = np.zeros(n, dtype=bool)
    for point in points:
        dominated |= (x >= np.array(point, dtype=float)).all(axis=1)
    return dominated.mean()


# --- the hull ---------------------------------------------------------------------


def excess_of_mixtures(point, others):
    """min over convex combinations z of the others of max_c (z_c - point_c)."""
    others = np.array(others, dtype=float)
    n, d = others.shape
    result = linprog(
        np.append(np.zeros(n), 1.0),
        A_ub=np.column_stack([others.T, -np.ones(d)]),
        b_ub=np.array(point, dtype=float),
        A_eq=np.append(np.ones(n), 0.0)[np.newaxis],
        b_eq=[1.0],
        bounds=[(0, None)] * n + [(None, None)],
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )
    assert result.status == 0
    return result.fun


def hull_members(points):
    """Indices of the points that no mixture of the others weakly dominates; equals count once.

    They are those that are the only best for some weights, a hyperplane away from the rest.
    """
    distinct = first_of_equals(points)
    members = []
    for i in distinct:
        others = [points[j] for j in distinct if j != i]
        excess = excess_of_mixtures(points[i], others) if others else 1.0
        # Floats decide between zero and more than zero: better to fail than to guess.
        assert not 1e-10 < excess < 1e-7, "too close to call"
        if excess > 1e-8:
            members.append(i)
    return members


def optimal_members(points, weights):
    """All indices of the smallest sum_c w_c x_c."""
    return all_smallest(
        [
            sum(as_fraction(w) * as_fraction(x) for w, x in zip(weights, point, strict=True))
            for point in points
        ]
    )


# --- choosing a member ------------------------------------------------------------


def simplex_distance(matrix):
    """(sum of off-diagonal rates - (Q-1)) / sqrt(D), negative if better than chance."""
    n_classes = len(matrix)
    excess = sum(rates_of(matrix)) - (n_classes - 1)
    return float(excess) / sqrt(n_classes * (n_classes - 1))


def most_distant(rates):
    """Smallest sum of off-diagonal rates, then the smallest largest one."""
    return all_smallest([(sum(rates_of(m)), max(rates_of(m))) for m in rates])


def expected_cost(matrix, cost, priors):
    """sum_kj prior_k cost[k][j] R[k][j]."""
    n_classes = len(matrix)
    return sum(
        as_fraction(priors[k]) * as_fraction(cost[k][j]) * as_fraction(matrix[k][j])
        for k in range(n_classes)
        for j in range(n_classes)
    )


def least_cost(rates, cost, priors):
    """argmin sum_kj prior_k cost[k][j] R[k][j]."""
    return all_smallest([expected_cost(matrix, cost, priors) for matrix in rates])


def rate_at(matrix, key, classes):
    """R[true][predicted] for a pair of labels, the miss rate for a bare one."""
    classes = list(classes)
    if isinstance(key, tuple):
        true, predicted = key
        return matrix[classes.index(true)][classes.index(predicted)]
    return miss_rates_of(matrix)[classes.index(key)]


def within_limits(rates, limits, classes, exact=as_decimal):
    """Indices of the matrices with rate <= limit for every key; a limit means what it reads."""
    return {
        i
        for i, matrix in enumerate(rates)
        if all(rate_at(matrix, key, classes) <= exact(limit) for key, limit in limits.items())
    }


def lexicographic(rates, groups, classes):
    """Smallest sum of the rates of the first group, of those left the second's, and so on."""
    left = set(range(len(rates)))
    for keys in groups:
        sums = {i: sum(rate_at(rates[i], key, classes) for key in keys) for i in left}
        left = {i for i in left if sums[i] == min(sums.values())}
    return left


def best_balanced_accuracy(rates):
    """argmax 1/Q sum_k R[k][k]."""
    return all_largest([sum(m[k][k] for k in range(len(m))) for m in rates])


def best_accuracy(rates, priors):
    """argmax sum_k prior_k R[k][k]."""
    return all_largest(
        [sum(as_fraction(priors[k]) * m[k][k] for k in range(len(m))) for m in rates]
    )


def labels_of(counts):
    """Lists of true and of predicted classes with this confusion matrix of integers."""
    y_true, y_pred = [], []
    for k, row in enumerate(counts):
        for j, count in enumerate(row):
            y_true += [k] * count
            y_pred += [j] * count
    return y_true, y_pred


def best_score(counts, metric):
    """argmax metric(y_true, y_pred), up to rounding."""
    scores = [metric(*labels_of(matrix)) for matrix in counts]
    best = max(scores)
    return {i for i, s in enumerate(scores) if isclose(s, best, rel_tol=1e-12, abs_tol=1e-12)}


# --- limits with confidence -------------------------------------------------------


def binomial_at_most(k, n, p):
    """P(X <= k) = sum_{i <= k} C(n,i) p^i (1-p)^(n-i)."""
    # Over the common denominator: reducing every term takes most of the time.
    a, b = p.numerator, p.denominator
    return Fraction(sum(comb(n, i) * a**i * (b - a) ** (n - i) for i in range(k + 1)), b**n)


def bisect_zero(decreasing):
    """Where a decreasing function of [0, 1] crosses zero, to 2^-55."""
    low, high = Fraction(0), Fraction(1)
    for _ in range(55):
        middle = (low + high) / 2
        if decreasing(middle) > 0:
            low = middle
        else:
            high = middle
    return float((low + high) / 2)


def clopper_pearson_upper(k, n, confidence):
    """The p with P(X <= k) = 1 - confidence, one if k = n."""
    alpha = 1 - as_decimal(confidence)
    if k == n:
        return 1.0
    return bisect_zero(lambda p: binomial_at_most(k, n, p) - alpha)


def clopper_pearson_lower(k, n, confidence):
    """The p with P(X >= k) = 1 - confidence, zero if k = 0."""
    alpha = 1 - as_decimal(confidence)
    if k == 0:
        return 0.0
    return bisect_zero(lambda p: alpha - (1 - binomial_at_most(k - 1, n, p)))


def clopper_pearson(k, n, confidence):
    """Both bounds, each with half of 1 - confidence."""
    one_sided = (1 + as_decimal(confidence)) / 2
    return clopper_pearson_lower(k, n, one_sided), clopper_pearson_upper(k, n, one_sided)


# --- two classes ------------------------------------------------------------------


def threshold_path(y, s):
    """(share of 0 called 1, share of 1 called 0) of `s > t`, from all called 0 to all 1."""
    n_negative, n_positive = list(y).count(0), list(y).count(1)
    path = []
    for t in [*sorted(set(s), reverse=True), float("-inf")]:
        alarms = sum(v > t for k, v in zip(y, s, strict=True) if k == 0)
        misses = sum(v <= t for k, v in zip(y, s, strict=True) if k == 1)
        path.append((Fraction(int(alarms), n_negative), Fraction(int(misses), n_positive)))
    return path


def all_threshold_points(y, s):
    """Set of all (false alarm, miss) points that some threshold gives."""
    return set(threshold_path(y, s))


def auc(y, s):
    """Share of pairs of a 0 and a 1 in which the 1 has the larger score, ties one half."""
    negative = [v for k, v in zip(y, s, strict=True) if k == 0]
    positive = [v for k, v in zip(y, s, strict=True) if k == 1]
    pairs = list(product(positive, negative))
    return sum(Fraction(2 * int(u > v) + int(u == v), 2) for u, v in pairs) / len(pairs)
