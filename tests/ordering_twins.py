"""Slow, obvious counterparts of the ordering scores: all tuples, all permutations."""

from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import permutations, product

import numpy as np

# sums of a few square roots of small rationals that differ do so long before this
_DECIMAL_TIE = Decimal("1e-20")


def float_prices(scores, distance):
    """Prices as pairs (zeros, price)."""
    if distance == "euclidean":
        corners = np.eye(scores.shape[1])
        prices = np.linalg.norm(scores[:, np.newaxis, :] - corners, axis=2)
    elif distance == "sum":
        prices = -scores
    else:
        prices = -np.log(np.where(scores > 0.0, scores, 1.0))
    zeros = (scores == 0.0) if distance == "product" else np.zeros_like(scores)
    return zeros, prices


def is_float_tie(a, b):
    return abs(a - b) <= 1e-11


def rational_prices(scores, distance):
    """Prices of rows of fractions, as pairs (zeros, price); sums of roots to 50 digits."""
    zeros = [[distance == "product" and p == 0 for p in row] for row in scores]
    if distance == "sum":
        return zeros, [[-p for p in row] for row in scores]
    if distance == "product":  # products are compared, not sums of logarithms
        return zeros, [[p if p else Fraction(1) for p in row] for row in scores]
    prices = []
    with localcontext() as context:
        context.prec = 50
        for row in scores:
            squares = sum(p * p for p in row)
            from_corners = [squares - 2 * p + 1 for p in row]
            prices.append(
                [(Decimal(d.numerator) / Decimal(d.denominator)).sqrt() for d in from_corners]
            )
    return zeros, prices


def number_of_cheapest(costs, is_tie):
    """How many assignments are the cheapest; 0 if the first is not among them."""
    first_zeros, first = costs[0]
    number = 0
    for zeros, cost in costs:
        if zeros < first_zeros:
            return 0
        if zeros == first_zeros:
            if is_tie(cost, first):
                number += 1
            elif cost < first:
                return 0
    return number


def credit(number, ties):
    if number == 0:
        return Fraction(0)
    return {
        "share": Fraction(1, number),
        "strict": Fraction(int(number == 1)),
        "weak": Fraction(1),
    }[ties]


def assignment_costs(tuple_, zeros, prices, combine):
    n = len(tuple_)
    for names in permutations(range(n)):  # the identity comes first
        yield (
            sum(int(zeros[x][j]) for x, j in zip(tuple_, names, strict=True)),
            combine([prices[x][j] for x, j in zip(tuple_, names, strict=True)]),
        )


def minus_product(factors):
    result = Fraction(1)
    for factor in factors:
        result *= factor
    return -result


def enumerated_score(y, scores, distance, ties, weight=None):
    """Mean credit over all tuples of floats or of fractions."""
    is_rational = isinstance(scores[0][0], Fraction)
    zeros, prices = (rational_prices if is_rational else float_prices)(scores, distance)
    combine, is_tie = sum, is_float_tie
    if is_rational:
        combine = minus_product if distance == "product" else sum
        is_tie = (
            (lambda a, b: abs(a - b) < _DECIMAL_TIE)
            if distance == "euclidean"
            else (lambda a, b: a == b)
        )
    weight = [Fraction(1)] * len(y) if weight is None else [Fraction(w) for w in weight]
    total = earned = Fraction(0)
    by_class = [[i for i, label in enumerate(y) if label == k] for k in range(max(y) + 1)]
    for tuple_ in product(*by_class):
        share = Fraction(1)
        for x in tuple_:
            share *= weight[x]
        total += share
        number = number_of_cheapest(
            list(assignment_costs(tuple_, zeros, prices, combine)), is_tie
        )
        earned += share * credit(number, ties)
    return earned / total


def enumerated_angle_score(y, proba, limit, weight=None):
    """Share of tuples that pass the angle heuristic, as the paper draws it."""
    n = proba.shape[1]
    weight = np.ones(len(y)) if weight is None else weight
    total = earned = 0.0
    for tuple_ in product(*(np.flatnonzero(y == k) for k in range(n))):
        rows = proba[list(tuple_)]
        seen = rows - rows.mean(axis=0)
        corners = np.eye(n) - rows.mean(axis=0)
        if limit == "sector":
            passes = (np.diagonal(seen)[:, np.newaxis] >= seen - 1e-12).all()
        else:
            lengths = np.linalg.norm(seen, axis=1) * np.linalg.norm(corners, axis=1)
            least = 0.0 if limit == "right_angle" else 1.0 / (n - 1)
            passes = ((seen * corners).sum(axis=1) >= least * lengths - 1e-12).all()
        share = np.prod(weight[list(tuple_)])
        total += share
        earned += share * passes
    return earned / total


def dominated_volume(hits):
    """Volume of the boxes between the origin and each point, by inclusion of grid cells."""
    hits = np.asarray(hits)
    axes = [np.unique(np.append(hits[:, k], 0.0)) for k in range(hits.shape[1])]
    volume = 0.0
    for cell in product(*(range(axis.size - 1) for axis in axes)):
        corner = np.array([axis[i + 1] for axis, i in zip(axes, cell, strict=True)])
        if (hits >= corner - 1e-12).all(axis=1).any():
            sides = [axis[i + 1] - axis[i] for axis, i in zip(axes, cell, strict=True)]
            volume += np.prod(sides)
    return volume
