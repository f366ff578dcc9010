"""How many threads run at once, where workers of joblib and threads of kernels meet.

Linux only: the threads of a process and of its children are counted in ``/proc``.
"""

import os
import subprocess
import sys
from pathlib import Path
from select import select
from time import perf_counter
from typing import NamedTuple

import numpy as np

from benchmarks.timing import table

_SETUP = """
import sys, time, warnings
import joblib
import numpy as np
from joblib import Parallel, delayed, parallel_config
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from scipy.stats import loguniform
import skvus

warnings.simplefilter("ignore")
rng = np.random.default_rng(0)


def posteriors(n, n_classes=3):
    y = np.arange(n) % n_classes
    scores = rng.normal(size=(n, n_classes))
    scores[np.arange(n), y] += 1.0
    scores = np.exp(scores)
    return y, scores / scores.sum(axis=1, keepdims=True)


y, proba = posteriors(18_000)  # several pieces, which threads can share
small_y, small = posteriors(300)
others = {name: np.roll(proba, 3 * k, axis=0) for k, name in enumerate("ab")}
X, labels = make_classification(
    1000, 20, n_informative=10, n_classes=3, class_sep=0.5, random_state=0
)
model = LogisticRegression(max_iter=200)


def ordered(n_jobs=None):
    return skvus.ordered_vus_score(y, proba, n_jobs=n_jobs)


def side_by_side(backend, n_jobs=None):
    with parallel_config(backend, n_jobs=2):
        Parallel()(delayed(ordered)(n_jobs) for _ in range(2))


def inference(name, n_jobs, **options):
    skvus.score_inference(small_y, small, score=name, n_jobs=n_jobs, random_state=0, **options)


def searched(n_jobs):
    skvus.ParetoROCSearch(
        model, {"C": loguniform(1e-3, 1e3)}, n_generations=5, n_initial=5, n_offspring=4,
        n_jobs=n_jobs, random_state=0,
    ).fit(X, labels)


def folds(n_jobs, inner=None):
    scorer = skvus.get_scorer("ordered_vus", n_jobs=inner)
    cross_val_score(model, X, labels, scoring=scorer, n_jobs=n_jobs, cv=8)


def grid(n_jobs, inner=None):
    scorer = skvus.get_scorer("simplified_vus", n_jobs=inner)
    GridSearchCV(
        model, {"C": [0.01, 0.1, 1.0, 10.0]}, scoring=scorer, n_jobs=n_jobs, cv=3
    ).fit(X, labels)


def task():
    CALL


task()  # compiles, starts workers
print("ready", flush=True)
sys.stdin.readline()
start = time.perf_counter()
while time.perf_counter() - start < SECONDS:
    task()
print("done", flush=True)
sys.stdin.readline()
"""
# what runs, the call, and how many threads were asked for
CASES = [
    ("ordered_vus_score", "ordered()", 1),
    ("  n_jobs=2", "ordered(2)", 2),
    ("  in 2 workers of loky", "side_by_side('loky')", 2),
    ("  in 2 threads of joblib", "side_by_side('threading')", 2),
    ("  in 2 workers of multiprocessing", "side_by_side('multiprocessing')", 2),
    ("  n_jobs=-1, in 2 workers of loky", "side_by_side('loky', -1)", 2),
    ("  n_jobs=-1, in 2 threads of joblib", "side_by_side('threading', -1)", 2),
    ("  n_jobs=-1, in 2 of multiprocessing", "side_by_side('multiprocessing', -1)", 2),
    ("  n_jobs=2, in 2 workers of loky", "side_by_side('loky', 2)", 4),
    (
        "score_inference, bootstrap",
        "inference('ordered_vus', 1, method='bootstrap', n_resamples=300)",
        1,
    ),
    ("  n_jobs=2", "inference('ordered_vus', 2, method='bootstrap', n_resamples=300)", 2),
    ("compare_many, n_jobs=2", "skvus.compare_many(y, others, n_jobs=2)", 2),
    (
        "permutation_test, n_jobs=2",
        "skvus.permutation_test(small_y, small, n_permutations=300, n_jobs=2, random_state=0)",
        2,
    ),
    (
        "ROCFront, G",
        "skvus.ROCFront.from_predictions(small_y, small, n_costs=20_000).gini()",
        1,
    ),
    ("ParetoROCSearch, and BLAS of the fits", "searched(1)", os.cpu_count()),
    ("  n_jobs=2", "searched(2)", 2),
    ("cross_val_score, n_jobs=2", "folds(2)", 2),
    ("GridSearchCV, n_jobs=2, and -1 of the scorer", "grid(2, -1)", 2),
]


class Usage(NamedTuple):
    """What was seen of a process and its children."""

    alive: int  # threads
    running: float  # threads that run or wait for a core, in half of the looks at least
    most: float  # in all but 5% of the looks: with those that hand out work
    load: float  # seconds of processors for a second
    wall: float


def threads_of(pid):
    """State and seconds of all threads of a process and its children, by their numbers."""
    parents = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                parents[int(name)] = int(_fields(f"/proc/{name}/stat")[1])
            except OSError:
                continue  # has ended
    tree = {pid}
    while grown := {child for child, parent in parents.items() if parent in tree} - tree:
        tree |= grown
    found = {}
    for process in tree:
        try:
            for thread in os.listdir(f"/proc/{process}/task"):
                state, *rest = _fields(f"/proc/{process}/task/{thread}/stat")
                ticks = int(rest[10]) + int(rest[11])
                found[int(thread)] = state, ticks / os.sysconf("SC_CLK_TCK")
        except OSError:
            continue
    return found


def _fields(path):
    return Path(path).read_text().rpartition(")")[2].split()


def usage(call, seconds=1.0):
    """Run a call in a child for some seconds, and look at it from outside."""
    code = _SETUP.replace("CALL", call).replace("SECONDS", str(seconds))
    with subprocess.Popen(
        [sys.executable, "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[1],
    ) as child:
        assert child.stdout.readline() == "ready\n"
        before, start = threads_of(child.pid), perf_counter()
        print(file=child.stdin, flush=True)
        looks, alive, spent = [], 0, {}
        while not select([child.stdout], [], [], 0.01)[0]:
            now = threads_of(child.pid)
            alive = max(alive, len(now))
            looks.append(sum(state == "R" for state, _ in now.values()))
            spent |= {thread: ticks for thread, (_, ticks) in now.items()}
        wall = perf_counter() - start
        assert child.stdout.readline() == "done\n"
        child.stdin.close()
    total = sum(spent.values()) - sum(ticks for _, ticks in before.values())
    running, most = np.quantile(looks, [0.5, 0.95])
    return Usage(alive, running, most, total / wall, wall)


def run():
    if not Path("/proc/self/task").exists():
        print("\nthreads can be counted on Linux only")
        return
    rows = []
    for name, call, asked in CASES:
        seen = usage(call)
        rows.append(
            [name, asked, f"{seen.running:.0f}", f"{seen.most:.0f}"]
            + [f"{seen.load:.2f}", seen.alive]
        )
    table(
        f"Threads that run or wait for one of {os.cpu_count()} cores (in half of the looks, in "
        "95% of them), and seconds of processors for a second",
        ["", "asked for", "running", "95%", "load", "alive"],
        [[name.ljust(44), *rest] for name, *rest in rows],
    )
