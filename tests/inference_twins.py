"""Slow, obvious counterparts of standard errors: every tuple, every pair, plain loops.

A component belongs to a case: the score with the mean over the class of this case replaced
by the value at it, so that the weighted mean over each class is the score. Components are
lists of fractions in the order of the cases; `y` has codes 0..K-1, each with a case. One
column s of scores of two classes stands for the columns (-s, s).
"""

from fractions import Fraction
from itertools import permutations, product
from math import prod

import numpy as np
from ordering_twins import enumerated_angle_score, enumerated_score
from ranking_twins import mean_credit, ordinal_by_tuples, pdi_by_tuples


def members(y):
    """Indices of the cases of each class."""
    return [[x for x, code in enumerate(y) if code == c] for c in range(max(y) + 1)]


def exact_weights(y, weights):
    weights = [1] * len(y) if weights is None else np.asarray(weights).tolist()
    return [Fraction(w) for w in weights]


def rows_of(scores):
    """A list of scores for each case, one for each class; fractions stay what they are."""
    rows = np.asarray(scores).tolist()
    return rows if isinstance(rows[0], list) else [[-s, s] for s in rows]


def tuple_components(y, weights, credit):
    """Weighted mean of `credit(tuple of cases)` over the tuples that each case is in."""
    weights = exact_weights(y, weights)
    won, total = [Fraction(0)] * len(y), [Fraction(0)] * len(y)
    for cases in product(*members(y)):
        earned = Fraction(credit(cases))
        for x in cases:
            # its own weight is left out, which may be zero
            share = prod(weights[other] for other in cases if other != x)
            won[x] += share * earned
            total[x] += share
    return [a / b for a, b in zip(won, total, strict=True)]


def ordering_components(y, scores, distance, ties, weights=None):
    """Of ordered VUS; of simplified VUS with `distance` "product"."""
    if np.ndim(scores) == 1:  # any real score: no corner to be far from, no logarithm
        distance = "sum"
        scores = [Fraction(s) for s in np.asarray(scores).tolist()]
    rows = rows_of(scores)
    rows = rows if isinstance(rows[0][0], Fraction) else np.array(rows)

    def credit(cases):
        # the score of a problem with a single tuple is the credit of this tuple
        chosen = [rows[x] for x in cases]
        chosen = chosen if isinstance(rows, list) else np.array(chosen)
        return enumerated_score(range(len(cases)), chosen, distance, ties)

    return tuple_components(y, weights, credit)


def angle_components(y, proba, limit, weights=None):
    if np.ndim(proba) == 1:  # every limit asks for a pair that is not in the wrong order
        return ordering_components(y, proba, "sum", "weak", weights)
    proba = np.asarray(proba, dtype=float)

    def credit(cases):
        return enumerated_angle_score(np.arange(len(cases)), proba[list(cases)], limit)

    return tuple_components(y, weights, credit)


def ordinal_components(y, scores, ties, weights=None):
    def credit(cases):
        chosen = [scores[x] for x in cases]
        return ordinal_by_tuples(range(len(cases)), chosen, [1] * len(cases), ties)

    return tuple_components(y, weights, credit)


def pdi_components(y, scores, weights=None):
    rows = rows_of(scores)

    def credit(cases):
        n = len(cases)
        return sum(pdi_by_tuples(range(n), [rows[x] for x in cases], [1] * n)) / n

    return tuple_components(y, weights, credit)


def pair_components(y, scores, weights, coefficients):
    """Of the sum of `coefficients[i][j]` * A(i|j) over all i other than j."""
    rows, weights, classes = rows_of(scores), exact_weights(y, weights), members(y)

    def wins_of_first(chosen):
        first, second = chosen
        return Fraction(1 + (first > second) - (first < second), 2)

    def area(i, j, x):
        """A(i|j), with x standing for all cases of its class."""
        sides = []
        for k in (i, j):
            if y[x] == k:
                sides.append([(rows[x][i], Fraction(1))])
            else:
                sides.append([(rows[case][i], weights[case]) for case in classes[k]])
        return mean_credit(sides, wins_of_first)

    pairs = list(permutations(range(len(classes)), 2))
    return [sum(coefficients[i][j] * area(i, j, x) for i, j in pairs) for x in range(len(y))]


def hand_till_components(y, scores, weights=None):
    n = len(members(y))
    return pair_components(y, scores, weights, [[Fraction(1, n * (n - 1))] * n] * n)


def one_vs_rest_components(y, scores, weights=None, average="macro"):
    """With the weights of the classes taken as known."""
    case_weights = exact_weights(y, weights)
    totals = [sum(case_weights[x] for x in cases) for cases in members(y)]
    everything = sum(totals)
    coefficients = []
    for own in totals:
        share = own / everything if average == "weighted" else Fraction(1, len(totals))
        # the entry of a class against itself is never looked at
        coefficients.append([share * other / (everything - own) for other in totals])
    return pair_components(y, scores, weights, coefficients)


def as_floats(*lists):
    return [np.array([float(value) for value in values]) for values in lists]


def delong_covariance(components_a, components_b, y, weights=None):
    """Sum over the classes of the covariance of the mean; cases without weight are no cases."""
    a, b = as_floats(components_a, components_b)
    if weights is None:
        return sum(np.cov(a[own], b[own], ddof=1)[0, 1] / len(own) for own in members(y))
    w = np.asarray(weights, dtype=float)
    covariance = 0.0
    for own in members(y):
        own = [x for x in own if w[x] > 0.0]
        n, total = len(own), sum(w[x] for x in own)
        # the mean over any class is the score
        mean_a = sum(w[x] * a[x] for x in own) / total
        mean_b = sum(w[x] * b[x] for x in own) / total
        # without case x the mean of its class moves by w / (total - w) times its distance
        moves = [w[x] / (total - w[x]) for x in own]
        products = [(a[x] - mean_a) * (b[x] - mean_b) for x in own]
        covariance += (n - 1) / n * sum(m**2 * p for m, p in zip(moves, products, strict=True))
    return covariance


def two_class_delong(y, score_a, score_b):
    """(auc_a, auc_b, var_a, var_b, cov_ab) in the letters of DeLong et al., 1988."""
    areas, v10, v01 = [], [], []
    for score in (score_a, score_b):
        X = [s for s, code in zip(score, y, strict=True) if code == 1]
        Y = [s for s, code in zip(score, y, strict=True) if code == 0]
        m, n = len(X), len(Y)
        psi = np.zeros((m, n))
        for i in range(m):
            for j in range(n):
                psi[i, j] = 1.0 if Y[j] < X[i] else 0.5 if Y[j] == X[i] else 0.0
        areas.append(psi.sum() / (m * n))
        v10.append(psi.sum(axis=1) / n)
        v01.append(psi.sum(axis=0) / m)

    def covariance(r, s):
        s10 = sum((v10[r] - areas[r]) * (v10[s] - areas[s])) / (m - 1)
        s01 = sum((v01[r] - areas[r]) * (v01[s] - areas[s])) / (n - 1)
        return s10 / m + s01 / n

    return (*areas, covariance(0, 0), covariance(1, 1), covariance(0, 1))


def ordinal_three_class_variance(x0, x1, x2):
    """Variance of the share of triples with x0 < x1 < x2, ties shared."""
    a = np.asarray(x0)[:, np.newaxis, np.newaxis]
    b = np.asarray(x1)[np.newaxis, :, np.newaxis]
    c = np.asarray(x2)[np.newaxis, np.newaxis, :]
    credits = 1.0 * ((a < b) & (b < c))
    credits += ((a == b) & (b < c)) / 2
    credits += ((a < b) & (b == c)) / 2
    credits += ((a == b) & (b == c)) / 6
    by_case = [credits.mean(axis=others) for others in ((1, 2), (0, 2), (0, 1))]
    return sum(np.var(values, ddof=1) / len(values) for values in by_case)


def clustered_covariance(components_a, components_b, y, groups, weights=None):
    """Obuchowski's (1997), for any number of classes; cases without weight are no cases."""
    a, b = as_floats(components_a, components_b)
    w = np.ones(len(y)) if weights is None else np.asarray(weights, dtype=float)
    classes = [[x for x in own if w[x] > 0.0] for own in members(y)]
    totals = [sum(w[x] for x in own) for own in classes]
    names = sorted({groups[x] for own in classes for x in own})

    def sums(values, c):
        """For each group, the sum over its cases of class c of w (V - score).

        More, if without the group the others weigh more than their number says.
        """
        mean = sum(w[x] * values[x] for x in classes[c]) / totals[c]
        found = []
        for name in names:
            own = [x for x in classes[c] if groups[x] == name]
            even = 1.0 - len(own) / len(classes[c])
            weighted = 1.0 - sum(w[x] for x in own) / totals[c]
            found.append(sum(w[x] * (values[x] - mean) for x in own) * even / weighted)
        return found

    covariance = 0.0
    for c, d in product(range(len(classes)), repeat=2):
        n = len({groups[x] for x in classes[c]}) if c == d else len(names)
        products = sum(s * t for s, t in zip(sums(a, c), sums(b, d), strict=True))
        covariance += n / (n - 1) * products / (totals[c] * totals[d])
    return covariance


def leave_one_out_jackknife(score, y, rows, groups=None):
    """Variance of `score(y, rows)`: cases left out within classes, or groups as a whole."""
    y, rows = np.asarray(y), np.asarray(rows)

    def spread(left_out):
        values = [score(np.delete(y, x, axis=0), np.delete(rows, x, axis=0)) for x in left_out]
        mean, n = sum(values) / len(values), len(values)
        return (n - 1) / n * sum((value - mean) ** 2 for value in values)

    if groups is None:
        return sum(spread(own) for own in members(y))
    groups = np.asarray(groups)
    return spread([np.flatnonzero(groups == name) for name in np.unique(groups)])


def holm(pvalues):
    """Adjusted p-values: of m, the j-th smallest times m - j + 1, never below a smaller one."""
    m = len(pvalues)
    order = sorted(range(m), key=lambda i: pvalues[i])
    adjusted = [0.0] * m
    for rank, i in enumerate(order):
        steps = [(m - j) * pvalues[order[j]] for j in range(rank + 1)]  # j from zero
        adjusted[i] = min(1.0, max(steps))
    return adjusted
