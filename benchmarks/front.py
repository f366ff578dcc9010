"""Fronts of operating points: how long it takes to build and to measure them."""

import numpy as np

from benchmarks.inference import once
from benchmarks.timing import in_child, seconds, show, show_bytes, table
from skvus import ROCFront
from skvus._rates import rates_to_points
from skvus.front._build import drawn_costs, make_cases
from skvus.front._measures import exact_share
from skvus.metrics import sample_better_than_random

_CHILD = """
import numpy as np
from skvus import ROCFront
rng = np.random.default_rng(0)
n, n_classes, n_costs = {n}, {n_classes}, {n_costs}
y = np.arange(n) % n_classes
scores = rng.normal(size=(n, n_classes))
scores[np.arange(n), y] += 1.5
scores = np.exp(scores)
scores /= scores.sum(axis=1, keepdims=True)
ROCFront.from_predictions(y[:200], scores[:200], n_costs=100)
"""


def problem(n=300, n_classes=3, seed=0, lead=1.5):
    """Posteriors of a classifier that is right about three times out of four."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % n_classes
    logits = rng.normal(size=(n, n_classes))
    logits[np.arange(n), y] += lead
    scores = np.exp(1.5 * logits)
    return y, scores / scores.sum(axis=1, keepdims=True)


def random_costs(n_costs, n_classes, seed=0):
    alpha = np.ones(n_classes * (n_classes - 1))
    rng = np.random.default_rng(seed)
    blocks = drawn_costs(n_costs, alpha, np.ones(n_classes), family="costs", rng=rng)
    return np.concatenate(list(blocks))


def numpy_counts(y, scores, costs, block=2000):
    """A straightforward evaluation with numpy, vectorised over blocks of cost matrices."""
    n_classes = scores.shape[1]
    counts = np.empty((len(costs), n_classes, n_classes), dtype=np.int64)
    for start in range(0, len(costs), block):
        part = costs[start : start + block]
        called = np.argmin(np.matmul(scores, part), axis=2)
        cells = called + n_classes * y + n_classes**2 * np.arange(len(part))[:, np.newaxis]
        tallied = np.bincount(cells.ravel(), minlength=len(part) * n_classes**2)
        counts[start : start + block] = tallied.reshape(-1, n_classes, n_classes)
    return counts


def numpy_counts_one_by_one(y, scores, costs):
    """The same with a Python loop over the cost matrices."""
    n_classes = scores.shape[1]
    counts = np.empty((len(costs), n_classes, n_classes), dtype=np.int64)
    for i, cost in enumerate(costs):
        cells = n_classes * y + np.argmin(scores @ cost, axis=1)
        counts[i] = np.bincount(cells, minlength=n_classes**2).reshape(n_classes, n_classes)
    return counts


def numpy_covered(points, samples, block=100):
    """Whether a member is below each sample: a comparison of all pairs, in blocks."""
    found = np.empty(len(samples), dtype=bool)
    for start in range(0, len(samples), block):
        part = samples[start : start + block, np.newaxis]
        found[start : start + block] = (points <= part).all(axis=2).any(axis=1)
    return found


def run():
    evaluation()
    coverage()
    exact_volume()
    growth()


def evaluation():
    y, scores = problem()
    cases = make_cases(scores, y, np.ones(y.size), None)
    rows = []
    for n_costs in (10_000, 100_000, 1_000_000):
        costs = random_costs(n_costs, 3)
        ours = seconds(lambda costs=costs: cases.tally(costs), repeats=2)
        blocks = seconds(lambda costs=costs: numpy_counts(y, scores, costs), repeats=1)
        sample = costs[:10_000]
        loop = seconds(
            lambda sample=sample: numpy_counts_one_by_one(y, scores, sample), repeats=1
        )
        loop *= n_costs / len(sample)
        assert np.array_equal(cases.tally(sample)[1], numpy_counts(y, scores, sample))
        rows.append(
            [f"{n_costs:,}", show(ours), show(blocks), f"{blocks / ours:.0f}x"]
            + [show(loop), f"{loop / ours:.0f}x"]
        )
    table(
        "Confusion counts of cost matrices, 300 cases of three classes "
        "(numpy: blocks, then a loop extrapolated from 10,000)",
        ["costs", "skvus", "blocks", "ratio", "loop", "ratio"],
        rows,
    )


def front_of(n_members, seed=0):
    """A front with at least so many members, cut to their number."""
    y, scores = problem(seed=seed)
    front = ROCFront.from_predictions(y, scores, n_costs=100_000, random_state=seed)
    chosen = np.random.default_rng(0).choice(len(front), n_members, replace=False)
    return front[np.sort(chosen)]


def numpy_covered_by_member(points, samples):
    """The same with a loop over the members."""
    found = np.zeros(len(samples), dtype=bool)
    for point in points:
        found |= (point <= samples).all(axis=1)
    return found


def coverage():
    front = front_of(7000)
    points = np.ascontiguousarray(rates_to_points(front.rates))
    samples = sample_better_than_random(100_000, 3, random_state=0)
    options = {"method": "monte_carlo", "random_state": 0}
    ours = seconds(lambda: front.gini(**options), repeats=5)
    gini, error = front.gini(return_std=True, **options)
    rows = [["skvus, drawing included", show(ours), "", f"{gini:.4f} ± {error:.4f}"]]
    by_column = np.asfortranarray(points)
    for name, function, members in (
        ("numpy, all pairs", numpy_covered, points),
        ("numpy, a member at a time", numpy_covered_by_member, points),
        ("numpy, all pairs, stored by coordinate", numpy_covered, by_column),
    ):
        spent, found = once(lambda f=function, m=members: f(m, samples))
        rows.append([name, show(spent), f"{spent / ours:.0f}x", f"{found.mean():.4f}"])
    table(
        "G from 100,000 samples of a front with 7,000 members of three classes",
        ["", "time", "ratio", "G"],
        rows,
    )


def exact_volume():
    import moocore

    rows = []
    for n_members in (300, 1000, 3000):
        points = rates_to_points(front_of(n_members).rates)
        ours = seconds(lambda points=points: exact_share(points, 3), repeats=2)
        peer = seconds(
            lambda points=points: moocore.hypervolume(points, ref=np.ones(6)), repeats=1
        )
        rows.append([f"{n_members:,}", show(ours), show(peer), f"{peer / ours:.1f}x"])
    table(
        "Exact G against moocore's exact hypervolume of the same points (six dimensions)",
        ["members", "skvus", "moocore", "ratio"],
        rows,
    )


def growth():
    rows = []
    for n, n_classes, n_costs in (
        (10_000, 3, 10_000),
        (100_000, 3, 10_000),
        (1_000_000, 3, 10_000),
        (10_000, 10, 1000),
        (100_000, 10, 1000),
    ):
        setup = _CHILD.format(n=n, n_classes=n_classes, n_costs=n_costs)
        call = "len(ROCFront.from_predictions(y, scores, n_costs=n_costs, random_state=0))"
        child = in_child(setup, call)
        rows.append(
            [f"{n:,} x {n_classes}", f"{n_costs:,}", show(child.wall)]
            + [f"{1e9 * child.wall / (n * n_costs):.2f} ns", f"{float(child.result):,.0f}"]
            + [show_bytes(child.peak - child.before)]
        )
    table(
        "Growth with the number of cases (memory beyond what the data take)",
        ["cases", "costs", "time", "a case and cost", "members", "memory"],
        rows,
    )
