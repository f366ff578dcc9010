"""Volumes that nobody else on PyPI computes: against plain ways to get them."""

import sys
from functools import cache
from itertools import permutations, product
from pathlib import Path

import numpy as np

import skvus
from benchmarks.ordering import cases, tuned_triples
from benchmarks.peers.measuring import OURS, Bout, Section, hold
from benchmarks.polytope import good_rates

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))

from slow_twins import two_hull_volume

TEXT = """
No package on PyPI computes these for three classes or more, as far as we could find. The plain
ways are written with numpy as one would write them, or as loops that numba compiles; they are
ours, so that they say how much an algorithm gains and nothing about anybody else's work.
"""


@cache
def compiled_loop():
    """Loops over all triples and all orders of their names, compiled."""
    from numba import njit

    orders = np.array(list(permutations(range(3))))

    @njit
    def credit(first, second, third):
        total = 0.0
        for one in first:
            for other in second:
                for last in third:
                    own = one[0] + other[1] + last[2]
                    cheapest, ties = True, 0
                    for order in orders:
                        cost = one[order[0]] + other[order[1]] + last[order[2]]
                        if cost < own - 1e-12:
                            cheapest = False
                            break
                        ties += cost <= own + 1e-12
                    if cheapest:
                        total += 1.0 / ties
        return total / (len(first) * len(second) * len(third))

    return credit


def by_loop(y, proba):
    """The volume of ordered triples by distances from the corners."""
    prices = np.linalg.norm(proba[:, np.newaxis, :] - np.eye(3), axis=2)
    return compiled_loop()(*(prices[y == k] for k in range(3)))


def increasing_triples(y, scores):
    """Share of triples in increasing order, by comparison of all."""
    first, second, third = (scores[y == k] for k in range(3))
    below = (first[:, np.newaxis] < second).mean(axis=0)
    above = (second[:, np.newaxis] < third).mean(axis=1)
    return (below * above).mean()


def largest_of_tuples(y, proba):
    """Polytomous discrimination index of classes without ties, by a look at all tuples."""
    classes = np.unique(y)
    shares = []
    for k in classes:
        columns = [proba[y == j, k] for j in classes]
        shares.append(
            np.mean(
                [row[k] >= max(row) for row in product(*columns)]
            )  # no ties: one is largest
        )
    return np.mean(shares)


def _ordered(n):
    y, proba = cases(n)
    return Bout(
        {
            OURS: lambda: skvus.ordered_vus_score(y, proba, method="exact"),
            "numpy, all triples": lambda: tuned_triples(y, proba, "euclidean"),
            "numba, all triples": lambda: by_loop(y, proba),
        }
    )


def _ordinal(n):
    y, proba = cases(n)
    scores = proba @ np.arange(3)
    return Bout(
        {
            OURS: lambda: skvus.ordinal_vus_score(y, scores),
            "numpy, all pairs": lambda: increasing_triples(y, scores),
        }
    )


def _discrimination(n):
    y, proba = cases(n)
    return Bout(
        {
            OURS: lambda: skvus.pdi_score(y, proba),
            "Python, all triples": lambda: largest_of_tuples(y, proba),
        }
    )


def _polytope(n):
    rates = good_rates(n, 3, seed=1)
    return Bout(
        {
            OURS: lambda: skvus.polytope_vus(rates, method="exact"),
            "scipy, two hulls": lambda: two_hull_volume(rates),
        },
        apart=lambda found: np.ptp(list(found.values())) / found[OURS],
    )


def run(quick):
    """All contests with plain ways."""
    same = {"tolerance": 1e-9, "quick": quick, "x": "cases a class", "power": 3.0}
    found = [
        hold(
            "Ordered triples",
            "`ordered_vus_score`, exact, against the costs of all assignments of all triples",
            sizes=(10, 20, 40) if quick else (25, 50, 100, 200, 400, 800, 1600, 3200),
            make=_ordered,
            chart="tuples",
            **same,
        ),
        hold(
            "Triples in increasing order",
            "`ordinal_vus_score` against a comparison of all pairs of neighbouring classes",
            sizes=(30, 60, 120) if quick else (30, 100, 300, 1000, 3000, 10_000),
            make=_ordinal,
            chart="tuples",
            **same,
        ),
        hold(
            "Polytomous discrimination index",
            "`pdi_score` against a look at all triples",
            sizes=(5, 10, 20) if quick else (10, 20, 40, 80, 160, 1000, 10_000),
            make=_discrimination,
            chart="tuples",
            **same,
        ),
        hold(
            "Volume of the polytope of a set of classifiers",
            "`polytope_vus`, exact, against the route of Ferri et al.: half-spaces, then hulls "
            "(difference relative; the plain way loses digits)",
            sizes=(1,) if quick else (1, 3, 10, 30),
            make=_polytope,
            **{**same, "x": "classifiers", "tolerance": 1e-5},
        ),
    ]
    return Section("Volumes without a peer", TEXT, found)
