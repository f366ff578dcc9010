"""Shares of ordered tuples, ranks and operating points against plain ways to get them."""

from itertools import permutations
from time import perf_counter

import numpy as np
from sklearn.datasets import make_classification
from sklearn.metrics import roc_auc_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

import skvus
from benchmarks.timing import in_child, seconds, show, show_bytes, table

DISTANCES = ("euclidean", "sum", "product")
# of a child: the cases, and what is to be compiled or loaded
SETUP = """
import skvus
from benchmarks.ordering import cases
skvus.ordered_vus_score(*cases(3), method="exact")
skvus.ordered_vus_score(*cases(3), method="sampled", n_tuples=2)
y, proba = cases({size})
"""


def cases(n_per_class, n_classes=3, signal=1.5, seed=0):
    """Labels and posteriors without ties."""
    rng = np.random.default_rng(seed)
    y = np.tile(np.arange(n_classes), n_per_class)
    logits = rng.normal(size=(y.size, n_classes))
    logits[np.arange(y.size), y] += signal
    proba = np.exp(logits)
    proba /= proba.sum(axis=1, keepdims=True)
    return y, proba


def prices_of(y, proba, distance):
    if distance == "euclidean":
        prices = np.linalg.norm(proba[:, np.newaxis, :] - np.eye(3), axis=2)
    else:
        prices = -proba if distance == "sum" else -np.log(proba)
    return [prices[y == k] for k in range(3)]


def all_triples(y, proba, distance):
    """Mean credit of all triples, the straightforward way: costs of all permutations."""
    first, second, third = prices_of(y, proba, distance)
    costs = np.stack(
        [
            first[:, i, np.newaxis, np.newaxis] + second[:, j, np.newaxis] + third[:, k]
            for i, j, k in permutations(range(3))
        ]
    )
    is_cheapest = costs <= costs.min(axis=0) + 1e-12
    return (is_cheapest[0] / is_cheapest.sum(axis=0)).mean()


def tuned_triples(y, proba, distance):
    """The same in blocks that stay in cache, with counters of one byte."""
    first, second, third = prices_of(y, proba, distance)
    credit = 0.0
    size = max(1, 10**5 // (len(second) * len(third)))
    for start in range(0, len(first), size):
        block = first[start : start + size]
        own, *others = (
            block[:, i, np.newaxis, np.newaxis] + second[:, j, np.newaxis] + third[:, k]
            for i, j, k in permutations(range(3))
        )
        n_cheapest = np.ones(own.shape, dtype=np.int8)
        for other in others:
            n_cheapest[other < own - 1e-12] = 100  # not the cheapest
            n_cheapest += np.abs(other - own) <= 1e-12
        credit += (1.0 / n_cheapest[n_cheapest < 100]).sum()
    return credit / (len(first) * len(second) * len(third))


def against_all_triples():
    rows = []
    for n, twin, repeats in (
        (100, all_triples, 10),
        (100, tuned_triples, 10),
        (400, tuned_triples, 2),
    ):
        y, proba = cases(n)
        for distance in DISTANCES:
            ours = seconds(
                lambda y=y, p=proba, d=distance: skvus.ordered_vus_score(y, p, distance=d),
                repeats=20,
            )
            theirs = seconds(
                lambda y=y, p=proba, d=distance, f=twin: f(y, p, d), repeats=repeats
            )
            apart = skvus.ordered_vus_score(y, proba, distance=distance) - twin(
                y, proba, distance
            )
            times = [show(ours), show(theirs), f"{theirs / ours:.0f}x"]
            name = twin.__name__.replace("_", " ")
            rows.append([n, distance, name, *times, f"{abs(apart):.0e}"])
    head = ["cases a class", "distance", "twin", "exact", "numpy", "ratio", "difference"]
    table("Three classes, exact against all triples in numpy", head, rows)


def growth():
    sizes, times = (1000, 2000, 4000, 8000), []
    for n in sizes:
        y, proba = cases(n)
        times.append(
            seconds(
                lambda y=y, proba=proba: skvus.ordered_vus_score(y, proba, method="exact"),
                repeats=3,
                at_least=0.0,
            )
        )
    exponents = np.diff(np.log(times)) / np.diff(np.log(sizes))
    rows = [
        [n, show(spent), slope]
        for n, spent, slope in zip(
            sizes, times, ["", *(f"{x:.2f}" for x in exponents)], strict=True
        )
    ]
    rows.append(["all", "", f"{exponents.mean():.2f}"])
    table("Three classes, exact: growth", ["cases a class", "time", "exponent"], rows)


def large():
    rows = []
    for text, size, options in (
        ("10,000 a class, exact", 10_000, 'method="exact"'),
        ("the same, two threads", 10_000, 'method="exact", n_jobs=2'),
        ("10^7 rows, auto", 3_333_334, "random_state=0"),
        ("the same, two threads", 3_333_334, "random_state=0, n_jobs=2"),
    ):
        call = f"skvus.ordered_vus_score(y, proba, {options}, return_details=True)"
        child = in_child(SETUP.format(size=size), call)
        rows.append(
            [
                text,
                child.result,
                show(child.wall),
                show(child.cpu),
                show_bytes(child.peak),
                show_bytes(child.before),
            ]
        )
    head = ["three classes", "result", "time", "CPU", "peak memory", "before the call"]
    table("Large: each in a process of its own", head, rows)


def many_classes():
    rows = []
    for n_classes, n, signal, options in (
        (4, 100, 1.5, {"method": "exact"}),
        (4, 200, 1.5, {"method": "exact"}),
        (5, 30, 1.5, {"method": "exact"}),
        (5, 60, 1.5, {"method": "exact"}),
        (10, 1000, 3.0, {"method": "sampled", "n_tuples": 10**6}),
        (10, 1000, 3.0, {}),
        (100, 100, 4.5, {}),
    ):
        y, proba = cases(n, n_classes, signal)
        few = {**options, "n_tuples": 2, "random_state": 0}
        skvus.ordered_vus_score(*cases(2, n_classes), **few)  # compile, load
        start = perf_counter()
        result = skvus.ordered_vus_score(
            y, proba, random_state=0, return_details=True, **options
        )
        spent = perf_counter() - start
        rows.append(
            [
                n_classes,
                n,
                result.method,
                f"{result.n_tuples:.2g}",
                f"{result:.4f}",
                f"{result.standard_error:.1e}",
                show(spent),
            ]
        )
    head = ["classes", "cases a class", "method", "tuples", "score", "error", "time"]
    table("More classes", head, rows)


def ranks():
    y, proba = cases(1000, 50, 3.0)
    rows = []
    for name, score, multi_class in (
        ("hand_till_score", skvus.hand_till_score, "ovo"),
        ("one_vs_rest_auc_score", skvus.one_vs_rest_auc_score, "ovr"),
    ):
        ours = seconds(lambda score=score: score(y, proba), repeats=3)
        start = perf_counter()
        theirs = roc_auc_score(y, proba, multi_class=multi_class)
        spent = perf_counter() - start
        apart = abs(score(y, proba) - theirs)
        rows.append([name, show(ours), show(spent), f"{spent / ours:.1f}x", f"{apart:.0e}"])
    head = ["50 classes, 50,000 rows", "time", "scikit-learn", "ratio", "difference"]
    table("Ranks", head, rows)
    rows = []
    for n_classes in (2, 3, 10):
        y, proba = cases(10**6 // n_classes, n_classes)
        rank = proba @ np.arange(n_classes)
        ordinal = seconds(lambda y=y, s=rank: skvus.ordinal_vus_score(y, s), repeats=2)
        pdi = seconds(lambda y=y, p=proba: skvus.pdi_score(y, p), repeats=2)
        rows.append([n_classes, show(ordinal), show(pdi)])
    table("A million rows", ["classes", "ordinal_vus_score", "pdi_score"], rows)


def equal_rows():
    X, y = make_classification(
        40_000, 6, n_informative=4, n_redundant=0, n_classes=3, class_sep=0.6, random_state=0
    )
    train, test = slice(0, 20_000), slice(20_000, None)
    rng = np.random.default_rng(0)
    rows = []
    for name, model in (
        ("decision tree, depth 6", DecisionTreeClassifier(max_depth=6, random_state=0)),
        ("15 nearest neighbours", KNeighborsClassifier(15)),
    ):
        proba = model.fit(X[train], y[train]).predict_proba(X[test])
        jittered = proba + 1e-6 * rng.dirichlet(np.ones(3), len(proba))
        jittered /= jittered.sum(axis=1, keepdims=True)
        for distance in ("euclidean", "product"):
            as_is, distinct = (
                seconds(
                    lambda p=p, d=distance: skvus.ordered_vus_score(
                        y[test], p, distance=d, method="exact"
                    ),
                    repeats=3,
                )
                for p in (proba, jittered)
            )
            n_rows = len(np.unique(proba, axis=0))
            rows.append(
                [
                    name,
                    distance,
                    n_rows,
                    show(as_is),
                    show(distinct),
                    f"{distinct / as_is:.0f}x",
                ]
            )
    head = ["20,000 rows of a", "distance", "distinct", "as they are", "jittered", "ratio"]
    table("Equal rows count as one", head, rows)


def argmax_rates(y, proba, weights):
    """Confusion rates of each weighting, one by one."""
    n_classes = proba.shape[1]
    rates = np.empty((len(weights), n_classes, n_classes))
    for i, weight in enumerate(weights):
        called = (proba * weight).argmax(axis=1)
        counts = np.bincount(n_classes * y + called, minlength=n_classes**2)
        counts = counts.reshape(n_classes, n_classes)
        rates[i] = counts / counts.sum(axis=1, keepdims=True)
    return rates


def operating():
    rows = []
    for n_classes in (3, 4, 10):
        y, proba = cases(300 // n_classes, n_classes)
        weights = np.random.default_rng(0).dirichlet(np.ones(n_classes), 20_000)
        ours = seconds(
            lambda y=y, p=proba, w=weights: skvus.operating_rates(y, p, w), repeats=3
        )
        some = weights[:2000]
        theirs = 10 * seconds(lambda y=y, p=proba, w=some: argmax_rates(y, p, w), repeats=3)
        same = np.array_equal(
            skvus.operating_rates(y, proba, some), argmax_rates(y, proba, some)
        )
        rows.append(
            [
                n_classes,
                y.size,
                f"{len(weights) / ours:.3g}",
                f"{len(weights) / theirs:.3g}",
                f"{theirs / ours:.0f}x",
                "yes" if same else "NO",
            ]
        )
    head = ["classes", "cases", "operating_rates / s", "numpy argmax / s", "ratio", "equal"]
    table("Weightings evaluated in a second", head, rows)
    rows = []
    for n in (100, 300, 1000):
        y, proba = cases(n // 3 + 1)
        y, proba = y[:n], proba[:n]
        points = skvus.operating_points(y, proba)
        ours = seconds(lambda y=y, p=proba: skvus.operating_points(y, p), repeats=2)
        some = points.weights[:2000]
        each = seconds(lambda y=y, p=proba, w=some: argmax_rates(y, p, w), repeats=2) / len(
            some
        )
        n_points = len(points.weights)
        rows.append(
            [
                n,
                n_points,
                show(ours),
                f"{n_points / ours:.3g}",
                f"{1 / each:.3g}",
                f"{each * n_points / ours:.0f}x",
            ]
        )
    head = ["cases", "points", "operating_points", "points / s", "numpy argmax / s", "ratio"]
    table("All operating points of three classes, found and evaluated", head, rows)


def angles():
    rows = []
    for n_classes, n in ((3, 50), (3, 100), (3, 300), (4, 50)):
        y, proba = cases(n, n_classes)
        ours, heuristic = (
            seconds(
                lambda s=score, y=y, p=proba: s(y, p, method="exact"), repeats=2, at_least=0.01
            )
            for score in (skvus.ordered_vus_score, skvus.angle_vus_score)
        )
        rows.append([n_classes, n, show(ours), show(heuristic), f"{heuristic / ours:.1f}x"])
    head = ["classes", "cases a class", "ordered, exact", "angles, exact", "ratio"]
    table("The angle heuristic is no faster", head, rows)


def run():
    """Print all tables."""
    against_all_triples()
    growth()
    large()
    many_classes()
    ranks()
    equal_rows()
    operating()
    angles()
