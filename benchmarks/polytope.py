"""The polytope VUS against the paper's two-hull route and a general solver."""

import sys
from pathlib import Path
from time import perf_counter

import numpy as np

from benchmarks.timing import seconds, show, table
from skvus import is_discarded, polytope_vus, soft_polytope_vus_score
from skvus.metrics._volumes import prune

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from slow_twins import off_diagonal_points, packed, two_hull_volume, with_trivial_points


def good_rates(n, n_classes, seed=0):
    rng = np.random.default_rng(seed)
    return 0.6 * np.eye(n_classes) + 0.4 * rng.dirichlet(np.ones(n_classes), (n, n_classes))


def front_rates(n, n_classes, seed=0):
    """Classifiers on a curved front: all of them are vertices of the hull."""
    rng = np.random.default_rng(seed)
    mask = ~np.eye(n_classes, dtype=bool)
    directions = np.abs(rng.normal(size=(n, mask.sum())))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    rates = np.zeros((n, n_classes, n_classes))
    rates[:, mask] = 0.5 / (n_classes - 1) * (1.0 - directions)
    diagonal = np.arange(n_classes)
    rates[:, diagonal, diagonal] = 1.0 - rates.sum(axis=2)
    return rates


def against_two_hulls():
    rows = []
    for n in (1, 2, 10):
        ours, theirs, apart = [], [], []
        for seed in range(5):
            rates = good_rates(n, 3, seed)
            ours.append(seconds(lambda rates=rates: polytope_vus(rates, method="exact")))
            start = perf_counter()
            twin = two_hull_volume(rates)
            theirs.append(perf_counter() - start)
            apart.append(abs(polytope_vus(rates) / twin - 1.0))
        ratio = np.median(np.array(theirs) / np.array(ours))
        rows.append(
            [
                n,
                show(np.median(ours)),
                show(np.median(theirs)),
                f"{ratio:.0f}x",
                f"{max(apart):.0e}",
            ]
        )
    head = ["classifiers", "exact", "two hulls", "ratio", "difference"]
    table("Three classes, exact route against two hulls (medians of 5 sets)", head, rows)


def growth():
    for n_classes, sizes in ((3, (10, 30, 100, 300, 1000, 3000)), (4, (2, 4, 8, 16, 24))):
        rows, previous = [], None
        for n in sizes:
            rates = front_rates(n, n_classes)
            spent = seconds(
                lambda rates=rates: polytope_vus(rates, method="exact"), repeats=1, at_least=0.0
            )
            slope = ""
            if previous:
                slope = f"{np.log(spent / previous[1]) / np.log(n / previous[0]):.2f}"
            rows.append([n, show(spent), slope])
            previous = n, spent
        title = f"{n_classes} classes, exact, no classifier superfluous: growth"
        table(title, ["classifiers", "time", "exponent"], rows)


def closed_form():
    rows = []
    for n_classes in range(2, 9):
        rates = good_rates(1, n_classes)
        spent = seconds(lambda rates=rates: polytope_vus(rates))
        rows.append([n_classes, (n_classes - 1) ** n_classes, show(spent)])
    table("One classifier, closed form", ["classes", "maps", "time"], rows)


def automatic():
    rows = []
    for n_classes in range(2, 7):
        for name, make in (("random", good_rates), ("front", front_rates)):
            rates = make(10_000, n_classes)
            start = perf_counter()
            share, error = polytope_vus(rates, normalize="max", random_state=0, return_std=True)
            spent = perf_counter() - start
            rows.append(
                [
                    n_classes,
                    name,
                    len(prune(rates)),
                    f"{share:.4f}",
                    f"{error:.4f}",
                    show(spent),
                ]
            )
    head = ["classes", "set", "left", "share", "error", "time"]
    table('10,000 classifiers, method="auto"', head, rows)


def membership():
    rows = []
    for n_classes, n in ((3, 10), (3, 1000), (6, 100)):
        rates, candidates = good_rates(n, n_classes), good_rates(200, n_classes, seed=1)
        points = with_trivial_points(rates, n_classes)
        vectors = off_diagonal_points(candidates)
        ours = seconds(lambda c=candidates, r=rates: is_discarded(c, r), repeats=3) / 200
        start = perf_counter()
        for v in vectors[:20]:
            packed(points, v)
        theirs = (perf_counter() - start) / 20
        rows.append([n_classes, n, show(ours), show(theirs), f"{theirs / ours:.0f}x"])
    head = ["classes", "classifiers", "kernel", "HiGHS via scipy", "ratio"]
    table("One discard test", head, rows)


def soft():
    rows = []
    rng = np.random.default_rng(0)
    for n in (100, 300, 500, 1000, 2000):
        y = np.arange(n) % 3
        logits = rng.normal(size=(n, 3))
        logits[np.arange(n), y] += 1.5
        proba = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
        times, scores = [], []
        for method in ("exact", "bound"):
            start = perf_counter()
            result = soft_polytope_vus_score(
                y, proba, method=method, random_state=0, return_details=True
            )
            times.append(perf_counter() - start)
            scores.append(result.score)
            if method == "exact":
                left = result.n_operating_points
        rows.append(
            [
                n,
                left,
                show(times[0]),
                show(times[1]),
                f"{100 * (1 - scores[1] / scores[0]):.2f}%",
            ]
        )
    head = ["cases", "operating points", "exact", "bound", "bound is low by"]
    table("Soft classifier of three classes", head, rows)


def run():
    """Print all tables."""
    polytope_vus(good_rates(2, 3), method="monte_carlo", n_samples=32)
    against_two_hulls()
    growth()
    closed_form()
    automatic()
    membership()
    soft()
