"""Slow, obvious counterparts of the scores that compare ranks: every tuple, one by one.

All take codes 0..K-1, scores and weights as lists, and answer in fractions.
"""

from fractions import Fraction
from itertools import groupby, pairwise, product
from math import factorial, prod


def by_class(codes, scores, weights):
    """A list of (score, weight) for each class."""
    cases = [[] for _ in range(max(codes) + 1)]
    for code, score, weight in zip(codes, scores, weights, strict=True):
        cases[code].append((score, Fraction(weight)))
    return cases


def mean_credit(cases, credit):
    """Weighted mean of `credit(scores)` over all tuples of one case from each list."""
    won = total = Fraction(0)
    for chosen in product(*cases):
        weight = prod(w for _, w in chosen)
        won += weight * credit([score for score, _ in chosen])
        total += weight
    return won / total


def ordinal_by_tuples(codes, scores, weights, ties="share"):
    def credit(chosen):
        if any(a > b for a, b in pairwise(chosen)):
            return 0
        runs = [len(list(run)) for _, run in groupby(chosen)]
        if ties == "share":
            return Fraction(1, prod(map(factorial, runs)))
        return int(ties == "weak" or max(runs) == 1)

    return mean_credit(by_class(codes, scores, weights), credit)


def pdi_by_tuples(codes, scores, weights):
    """One index for each class; `scores` has a row for each case."""

    def top(k):
        def credit(chosen):
            best = max(chosen)
            return Fraction(int(chosen[k] == best), chosen.count(best))

        return credit

    return [
        mean_credit(by_class(codes, [row[k] for row in scores], weights), top(k))
        for k in range(max(codes) + 1)
    ]


def _wins_of_first(chosen):
    first, second = chosen
    return Fraction(1 + (first > second) - (first < second), 2)


def hand_till_by_pairs(codes, scores, weights):
    """The matrix of A_ij, None on the diagonal."""
    n_classes = max(codes) + 1

    def directed(i, j):
        column = by_class(codes, [row[i] for row in scores], weights)
        return mean_credit([column[i], column[j]], _wins_of_first)

    return [
        [(directed(i, j) + directed(j, i)) / 2 if i != j else None for j in range(n_classes)]
        for i in range(n_classes)
    ]


def one_vs_rest_by_pairs(codes, scores, weights):
    """One area for each class."""
    areas = []
    for k in range(max(codes) + 1):
        column = by_class(codes, [row[k] for row in scores], weights)
        rest = [case for j, cases in enumerate(column) if j != k for case in cases]
        areas.append(mean_credit([column[k], rest], _wins_of_first))
    return areas
