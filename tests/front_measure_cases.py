"""Fronts for tests of what is measured on them."""

from fractions import Fraction

import numpy as np
from front_twins import rates_of, trivial_matrix
from hypothesis import strategies as st
from strategies import floats, fraction_rates

from skvus import ROCFront

F = Fraction
METHODS = ("auto", "exact", "monte_carlo")


def perfect_matrix(n_classes):
    return [[int(k == j) for j in range(n_classes)] for k in range(n_classes)]


@st.composite
def fraction_sets(draw, n_classes, max_size=6):
    """Rate matrices of fractions: good, poor, trivial, perfect, repeated, sharing rows."""
    kinds = [*["any", "good", "good", "share", "again"] * 3, "trivial", "trivial", "perfect"]
    matrices = []
    for _ in range(draw(st.integers(1, max_size))):
        kind = draw(st.sampled_from(kinds))
        rates = draw(fraction_rates(n_classes, (1, 2, 3, 4)))
        if kind == "good":  # two cases right for each one left to chance
            rates = [[(x + 2 * (k == j)) / F(3) for j, x in enumerate(row)]
                     for k, row in enumerate(rates)]  # fmt: skip
        if kind == "trivial":
            rates = trivial_matrix(n_classes, draw(st.integers(0, n_classes - 1)))
        if kind == "perfect":
            rates = perfect_matrix(n_classes)
        if matrices and kind in ("share", "again"):
            other = draw(st.sampled_from(matrices))
            row = draw(st.integers(0, n_classes - 1))
            rates = [rates[k] if kind == "share" and k == row else other[k]
                     for k in range(n_classes)]  # fmt: skip
        matrices.append(rates)
    return matrices


def front_of(matrices, **options):
    return ROCFront.from_rates([floats(matrix) for matrix in matrices], **options)


def points_of(matrices):
    return [rates_of(matrix) for matrix in matrices]


def has_volume(point, q):
    """Whether what the point dominates in P is more than a face."""
    return sum(point) < q - 1 and max(point) < 1


def good_rates(rng, n_members, n_classes, errors):
    """Smooth random rates whose off-diagonal ones sum to about `errors` in each row."""
    rates = rng.dirichlet(np.ones(n_classes), size=(n_members, n_classes))
    return (1.0 - errors) * np.eye(n_classes) + errors * rates


def as_points(rates):
    """Points of floats, in Python's numbers."""
    return [rates_of(matrix) for matrix in np.asarray(rates).tolist()]


def z_scores(measure, truth, n_seeds):
    """Errors in units of their own estimate, one for each seed."""
    found = [measure(random_state=seed, return_std=True) for seed in range(n_seeds)]
    return np.array([(value - truth) / std for value, std in found])
