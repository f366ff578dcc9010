"""Random operations for a long time: does memory grow, is anything left behind?

    python -m benchmarks.soak --minutes 10 --seed 0

Scores, fronts, searches, files, workers and interrupts in random order. Each result that can be
computed twice is compared. Prints resources as they develop; the exit code is 1 if memory,
threads or open files grew after the first third, or if a result was wrong.
"""

import argparse
import gc
import os
import pickle
import random
import signal
import sys
import tempfile
import threading
import time
import warnings
from collections import Counter
from contextlib import suppress
from pathlib import Path

import numpy as np
from scipy.stats import loguniform
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

import skvus
from benchmarks.timing import table

# growth that an allocator may show without a leak
_MEMORY = 40e6
_ROWS = 20


# --- what there is to do ----------------------------------------------------------


def draw_problem(rng, most=400):
    """Labels and scores of some cases; every class is there."""
    n_classes = int(rng.integers(2, 6))
    n = int(rng.integers(10 * n_classes, most))
    y = np.append(np.arange(n_classes), rng.integers(n_classes, size=n - n_classes))
    scores = rng.dirichlet(np.ones(n_classes), size=n)
    scores[np.arange(n), y] += rng.exponential(0.3, size=n)
    scores /= scores.sum(axis=1, keepdims=True)
    if rng.random() < 0.3:
        scores = np.round(scores, 1) + 1e-3  # ties
        scores /= scores.sum(axis=1, keepdims=True)
    return y, scores


def scores(rng, folder):
    y, p = draw_problem(rng)
    names = ("ordered_vus", "simplified_vus", "hand_till", "pdi", "one_vs_rest_auc")
    name = names[rng.integers(len(names))]
    score = getattr(skvus, f"{name}_score")
    options = {"random_state": 0} if name in names[:2] else {}
    assert score(y, p, **options) == score(y, p, **options)


def crisp_scores(rng, folder):
    y, p = draw_problem(rng)
    labels = np.arange(p.shape[1])
    value = skvus.polytope_vus_score(y, p.argmax(axis=1), labels=labels)
    assert 0.0 <= value <= 1.0 + 1e-9


def inference(rng, folder):
    y, p = draw_problem(rng, most=150)
    seed = int(rng.integers(100))
    method = ("delong", "bootstrap")[rng.integers(2)]
    options = {"method": method} | ({"random_state": seed} if method == "bootstrap" else {})
    skvus.score_inference(y, p, score="hand_till", **options)


def fronts(rng, folder):
    y, p = draw_problem(rng)
    front = skvus.ROCFront.from_predictions(y, p, n_costs=500, random_state=0)
    front.gini(random_state=0)
    front.select("distance")
    front.evaluate(y, p)


def files(rng, folder):
    y, p = draw_problem(rng)
    front = skvus.ROCFront.from_predictions(y, p, n_costs=300, random_state=0)
    path = folder / "front.skvus"
    front.save(path)
    again = skvus.ROCFront.load(path)
    assert np.array_equal(again.rates, front.rates)
    data = bytearray(path.read_bytes())
    data[rng.integers(len(data))] ^= 1 + int(rng.integers(255))
    path.write_bytes(bytes(data))
    with suppress(ValueError):
        skvus.ROCFront.load(path)
    merged = skvus.ROCFront.merge(front, again)
    assert len(merged) == len(front)


def draw_search(rng, **options):
    """A small search of some kind, with its data."""
    X = rng.normal(size=(90, 3)) + np.repeat(np.arange(3), 30)[:, np.newaxis]
    y = np.repeat(np.arange(3), 30)
    kind = rng.integers(3)
    model = LogisticRegression(max_iter=50) if kind == 2 else GaussianNB()
    if kind == 1:
        options["param_distributions"] = {"var_smoothing": loguniform(1e-9, 1.0)}
    if kind == 2:
        options["evolve"] = "weights"
    drawn = {
        "n_offspring": int(rng.integers(1, 4)),
        "n_islands": int(rng.integers(1, 3)),
        "max_front_size": [None, 20][rng.integers(2)],
        "n_initial": 5,
        "n_generations": int(rng.integers(1, 15)),
        "cv": 3,
        "random_state": int(rng.integers(1000)),
    }
    return skvus.ParetoROCSearch(model, **{**drawn, **options}), X, y


def searches(rng, folder):
    search, X, y = draw_search(rng)
    search.fit(X, y).set_operating_point("knee").predict(X)
    copy = pickle.loads(pickle.dumps(search))
    assert np.array_equal(copy.predict(X), search.predict(X))


def workers(rng, folder):
    search, X, y = draw_search(rng, n_generations=2)
    alone = search.fit(X, y).front_.rates
    assert np.array_equal(search.set_params(n_jobs=2).fit(X, y).front_.rates, alone)


def interrupts(rng, folder):
    """Ctrl-C at some moment, as often as it takes; the file leads to the same end."""
    search, X, y = draw_search(rng, n_generations=60)
    whole = search.fit(X, y).front_
    path = folder / "search.skvus"
    search.set_params(checkpoint=path, checkpoint_every=[None, 1, 5][rng.integers(3)])
    for _ in range(5):
        delay = float(rng.uniform(0.001, 0.1))
        timer = threading.Timer(delay, os.kill, (os.getpid(), signal.SIGINT))
        with suppress(KeyboardInterrupt):
            timer.start()
            search.fit(X, y)
            timer.join()
            time.sleep(0.01)  # a late one comes now
    assert np.array_equal(search.fit(X, y).front_.rates, whole.rates)
    for left in folder.iterdir():
        left.unlink()


def warm_starts(rng, folder):
    search, X, y = draw_search(rng, n_generations=8)
    whole = search.fit(X, y).front_.rates
    search.set_params(n_generations=3, warm_start=True)
    part = skvus.ParetoROCSearch(**search.get_params(deep=False)).fit(X, y)
    assert np.array_equal(part.set_params(n_generations=8).fit(X, y).front_.rates, whole)


def bad_input(rng, folder):
    y, p = draw_problem(rng)
    p[rng.integers(len(p)), 0] = np.nan
    for call in (skvus.ordered_vus_score, skvus.ROCFront.from_predictions):
        try:
            call(y, p)
        except ValueError:
            continue
        raise AssertionError("a wrong input was taken")


# --- how it is done ---------------------------------------------------------------

OPERATIONS = {
    scores: 30,
    crisp_scores: 10,
    inference: 10,
    fronts: 10,
    files: 10,
    searches: 8,
    interrupts: 3,
    warm_starts: 4,
    workers: 1,
    bad_input: 5,
}


def resources():
    """Memory in bytes, threads, open files and child processes of this process."""
    gc.collect()
    with open("/proc/self/status") as file:
        lines = dict(line.split(":", 1) for line in file)
    memory = 1024 * int(lines["VmRSS"].split()[0])
    children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
    n_files = len(os.listdir("/proc/self/fd"))
    return memory, int(lines["Threads"]), n_files, len(children)


def soak(minutes, seed):
    """Work for some minutes; return what was done, resources by time, and what failed."""
    chance, rng = random.Random(seed), np.random.default_rng(seed)
    counts, failures, rows = Counter(), [], []
    functions, weights = zip(*OPERATIONS.items(), strict=True)
    with tempfile.TemporaryDirectory() as name:
        for function in functions:  # compile, start workers
            function(rng, Path(name))
        ends = time.monotonic() + 60.0 * minutes
        every, due = 60.0 * minutes / _ROWS, time.monotonic()
        while time.monotonic() < ends:
            (function,) = chance.choices(functions, weights)
            state = rng.bit_generator.state
            try:
                function(rng, Path(name))
            except Exception as error:
                failures.append((function.__name__, state, repr(error)))
            counts[function.__name__] += 1
            if time.monotonic() >= due:
                rows.append((60.0 * minutes - ends + time.monotonic(), *resources()))
                due += every
    rows.append((60.0 * minutes, *resources()))
    return counts, rows, failures


def main(arguments):
    parser = argparse.ArgumentParser(prog="python -m benchmarks.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    warnings.simplefilter("ignore")
    signal.signal(signal.SIGINT, signal.default_int_handler)  # also in the background
    before = set(os.listdir(tempfile.gettempdir()))
    counts, rows, failures = soak(options.minutes, options.seed)
    table(
        f"soak, {options.minutes:g} minutes, seed {options.seed}",
        ["s", "memory", "threads", "files", "children"],
        [[f"{s:.0f}", f"{m / 1e6:.0f} MB", *rest] for s, m, *rest in rows],
    )
    table("operations", ["what", "times"], counts.most_common())
    settled = rows[len(rows) // 3]
    last = rows[-1]
    grown = [
        what
        for what, was, now, slack in (
            ("memory", settled[1], last[1], _MEMORY),
            ("threads", settled[2], last[2], 4),
            ("open files", settled[3], last[3], 8),
        )
        if now > was + slack
    ]
    left = set(os.listdir(tempfile.gettempdir())) - before
    print(f"\n{sum(counts.values())} operations, {len(failures)} failures")
    print(f"memory after a third {settled[1] / 1e6:.0f} MB, at the end {last[1] / 1e6:.0f} MB")
    print(f"left in the folder of temporary files: {sorted(left) or 'nothing'}")
    for failure in failures[:5]:
        print(*failure)
    print(f"grown: {', '.join(grown) or 'nothing'}")
    return 1 if grown or failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
