"""Slow, obvious counterparts of the scores of crisp decisions, straight from the formulas.

Plain Python loops over lists: nothing here is shared with the package.
"""

import math


def rate_matrix(y_true, y_pred, weights, classes):
    """R[k][j]: share of the weight of true class k that is predicted as j."""
    rates = []
    for k in classes:
        total = sum(w for t, w in zip(y_true, weights, strict=True) if t == k)
        row = []
        for j in classes:
            cell = 0.0
            for t, p, w in zip(y_true, y_pred, weights, strict=True):
                if t == k and p == j:
                    cell += w
            row.append(cell / total)
        rates.append(row)
    return rates


def macro_average(rates):
    return sum(rates[i][i] for i in range(len(rates))) / len(rates)


def modified_macro_average(rates, power):
    hits = [rates[i][i] for i in range(len(rates))]
    if power == 0:
        return math.prod(hits) ** (1 / len(hits))
    return (sum(hit**power for hit in hits) / len(hits)) ** (1 / power)


def one_point(rates):
    q = len(rates)
    errors = sum(rates[i][j] for i in range(q) for j in range(q) if i != j)
    return max(1 / q, 1 - errors / q)


def _mean_over_pairs(rates, area):
    q = len(rates)
    areas = [max(0.5, area(i, j)) for i in range(q) for j in range(i + 1, q)]
    return sum(areas) / len(areas)


def hand_till_1a(rates):
    return _mean_over_pairs(rates, lambda i, j: (rates[i][i] + rates[j][j]) / 2)


def hand_till_1b(rates):
    return _mean_over_pairs(rates, lambda i, j: 1 - (rates[i][j] + rates[j][i]) / 2)


def hand_till_2(rates):
    def area(i, j):
        left_of_i = rates[i][i] + rates[i][j]
        left_of_j = rates[j][j] + rates[j][i]
        if left_of_i == 0 or left_of_j == 0:
            return 0.5
        return 1 - (rates[i][j] / left_of_i + rates[j][i] / left_of_j) / 2

    return _mean_over_pairs(rates, area)


def hand_till_3(rates):
    """One class versus the rest, from the condensed two-by-two matrix of the paper."""
    classes = range(len(rates))
    areas = []
    for i in classes:
        missed = sum(rates[i][j] for j in classes if j != i)
        miss = missed / sum(rates[i][j] for j in classes)
        alarms = sum(rates[k][i] for k in classes if k != i)
        false_alarm = alarms / sum(rates[k][j] for k in classes if k != i for j in classes)
        areas.append(max(0.5, 1 - miss / 2 - false_alarm / 2))
    return sum(areas) / len(areas)


HAND_TILL = {"1a": hand_till_1a, "1b": hand_till_1b, "2": hand_till_2, "3": hand_till_3}


def expected_cost(y_true, y_pred, cost, priors, weights, classes):
    """Mean cost of the cases, or the costs of the classes weighted by given priors."""
    place = {label: place for place, label in enumerate(classes)}
    if priors is None:
        paid = sum(
            w * cost[place[t]][place[p]]
            for t, p, w in zip(y_true, y_pred, weights, strict=True)
        )
        return paid / sum(weights)
    rates = rate_matrix(y_true, y_pred, weights, classes)
    total = 0.0
    for k in range(len(classes)):
        for j in range(len(classes)):
            total += priors[k] * cost[k][j] * rates[k][j]
    return total


_CODES = {  # above, tied, below
    "sign": (1.0, 0.0, -1.0),
    "half": (1.0, 0.5, 0.0),
    "above": (1.0, 0.0, 0.0),
}


def ranking_discrepancy(a, b, coding):
    """2 sum_{j<i} |M1(i, j) - M2(i, j)| / (n (n - 1))."""
    above, tied, below = _CODES[coding]

    def ranked(scores, i, j):
        if scores[i] > scores[j]:
            return above
        return tied if scores[i] == scores[j] else below

    n = len(a)
    total = 0.0
    for i in range(n):
        for j in range(i):
            total += abs(ranked(a, i, j) - ranked(b, i, j))
    return 2 * total / (n * (n - 1))


def polygon_area(rates):
    """Area under the ROC polygon of one two-class point, or under the diagonal if greater."""
    false_positive, true_positive = rates[0][1], rates[1][1]
    corners = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (false_positive, true_positive)]
    twice = 0.0
    for (x0, y0), (x1, y1) in zip(corners, corners[1:] + corners[:1], strict=True):
        twice += x0 * y1 - x1 * y0
    return max(0.5, twice / 2)
