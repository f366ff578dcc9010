"""Kernels in threads, in workers and after a fork: the same bits, no deadlock, no crash.

Each case is a process of its own, so that a crash or a deadlock is seen as what it is.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import skvus

ROOT = Path(skvus.__file__).parents[1]
_TIMEOUT = 180  # a deadlock, even on a slow machine

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")

# what most processes start with; a child that hangs is stopped by an alarm
_SETUP = """
import multiprocessing, os, signal, sys, threading, time, warnings
import numpy as np
import skvus
from joblib import Parallel, delayed, parallel_config
from skvus.metrics._parallel import in_parallel
from skvus.metrics._tuples import in_threads

rng = np.random.default_rng(0)
if multiprocessing.get_start_method() == "forkserver":  # since Python 3.14
    multiprocessing.set_start_method("fork", force=True)  # workers know these functions


def posteriors(n, n_classes):
    y = np.arange(n) % n_classes
    scores = rng.dirichlet(np.ones(n_classes), n)
    scores[np.arange(n), y] += 0.3
    return y, scores / scores.sum(axis=1, keepdims=True)


three, four = posteriors(150, 3), posteriors(60, 4)
rates = 0.6 * np.eye(3) + 0.4 * rng.dirichlet(np.ones(3), (8, 3))


def kernels(n_jobs=None):
    front = skvus.ROCFront.from_predictions(*three, n_costs=300, random_state=0)
    options = {"method": "sampled", "n_tuples": 20_000, "random_state": 0}
    return [
        skvus.ordered_vus_score(*three, n_jobs=n_jobs),
        skvus.ordered_vus_score(*four, n_jobs=n_jobs),
        skvus.ordered_vus_score(*four, n_jobs=n_jobs, **options),
        skvus.hand_till_score(*three),
        skvus.soft_polytope_vus_score(*three),
        skvus.polytope_vus(rates),
        front.gini(method="monte_carlo", n_samples=2000, random_state=0),
        skvus.score_inference(*three, n_jobs=n_jobs).standard_error,
    ]


def replicates(n_jobs):
    return skvus.score_inference(
        *three, score="pdi", method="bootstrap", n_resamples=70, n_jobs=n_jobs, random_state=0
    ).standard_error


def in_many_threads(function, n_threads=6):
    found, barrier = [], threading.Barrier(n_threads)

    def run():
        barrier.wait()
        found.append(function())

    threads = [threading.Thread(target=run) for _ in range(n_threads)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == n_threads, "a thread died"
    return found


def in_fork(function):
    pid = os.fork()
    if not pid:
        signal.alarm(90)
        try:
            os._exit(0 if function() else 3)
        finally:
            os._exit(4)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
"""


def run(code, *, setup=_SETUP, timeout=_TIMEOUT, **environment):
    """Run a script; it must end by itself, and well."""
    done = subprocess.run(
        [sys.executable, "-c", setup + code],
        capture_output=True,
        text=True,
        timeout=timeout,
        cwd=ROOT,
        env={**os.environ, **environment},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


# --- forks ------------------------------------------------------------------------


@needs_fork
def test_fork_after_kernels_in_threads():
    run("""
expected = kernels()
assert all(found == expected for found in in_many_threads(kernels, 3))
assert kernels(n_jobs=2) == expected
in_fork(lambda: kernels() == expected and kernels(n_jobs=2) == expected)
in_fork(lambda: all(found == expected for found in in_many_threads(kernels, 3)))
assert kernels(n_jobs=2) == expected
""")


@needs_fork
def test_fork_while_kernels_run():
    run("""
expected = kernels()
has_time = threading.Event()
busy = [
    threading.Thread(target=lambda: [kernels() for _ in range(1000) if not has_time.is_set()])
    for _ in range(2)
]
for thread in busy:
    thread.start()
for _ in range(2):
    in_fork(lambda: kernels(n_jobs=2) == expected)
has_time.set()
for thread in busy:
    thread.join()
assert kernels() == expected
""")


@needs_fork
def test_fork_after_workers():
    """joblib itself would wait for the workers of its parent, which never answer."""
    run("""
expected, again = replicates(2), kernels()
in_fork(lambda: replicates(2) == expected)
in_fork(lambda: replicates(-1) == expected and kernels(2) == again)
assert replicates(2) == expected == replicates(1)
""")


@needs_fork
def test_workers_that_are_forked():
    run("""
warnings.simplefilter("ignore", DeprecationWarning)  # of Python 3.12: forks and threads
expected = kernels(n_jobs=2)
with multiprocessing.get_context("fork").Pool(2) as pool:
    found = [pool.apply_async(kernels, (n_jobs,)) for n_jobs in (1, 2, -1)]
    assert all(one.get(timeout=90) == expected for one in found)
with parallel_config("multiprocessing", n_jobs=2):
    assert all(one == expected for one in Parallel()(delayed(kernels)(2) for _ in range(3)))
    assert replicates(2) == replicates(1)
""")


@needs_fork
@pytest.mark.long
def test_searches_after_a_fork():
    run("""
from scipy.stats import loguniform
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression

X, y = load_iris(return_X_y=True)


def searched(n_jobs):
    search = skvus.ParetoROCSearch(
        LogisticRegression(max_iter=1000), {"C": loguniform(1e-2, 1e2)},
        n_generations=5, n_initial=3, n_jobs=n_jobs, random_state=0,
    )
    return search.fit(X[:, :2], y).front_.rates.tolist()


expected = searched(1)
in_fork(lambda: searched(1) == expected)
with parallel_config("multiprocessing"):
    assert searched(2) == expected
with parallel_config("threading"):
    assert searched(2) == expected
    in_fork(lambda: searched(2) == expected)
assert searched(2) == expected
""")


# --- threads ----------------------------------------------------------------------


def test_many_threads_at_once():
    run("""
expected = kernels()
for found in in_many_threads(lambda: [kernels() for _ in range(2)]):
    assert all(one == expected for one in found)
""")


def test_archives_in_many_threads():
    run("""
from skvus.search._archive import Archive, Members

keys = rng.multinomial(2000, np.ones(6) / 6, size=4000)


def filled():
    archive = Archive()
    for first in range(0, len(keys), 100):
        part, number = keys[first : first + 100], first + np.arange(100)
        rows = np.zeros((100, 3, 3))
        archive.insert(Members(part, rows, rows, rows, number, number))
    return archive.members.number.tolist()


expected = filled()
assert all(found == expected for found in in_many_threads(filled))
""")


_COMPILED = """
found = in_many_threads(lambda: [skvus.hand_till_score(*three), skvus.pdi_score(*three)])
assert all(one == found[0] for one in found)
print(*found[0])
"""


def test_threads_that_compile_at_once(tmp_path):
    first = run(_COMPILED, NUMBA_CACHE_DIR=str(tmp_path))
    assert list(tmp_path.rglob("*.nbi"))
    assert run(_COMPILED, NUMBA_CACHE_DIR=str(tmp_path)) == first


@pytest.mark.long
def test_processes_that_compile_at_once(tmp_path):
    code = "print(skvus.hand_till_score(*three), skvus.pdi_score(*three))"
    children = [
        subprocess.Popen(
            [sys.executable, "-c", _SETUP + code],
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)},
        )
        for _ in range(3)
    ]
    found = [child.communicate(timeout=_TIMEOUT)[0] for child in children]
    assert [child.returncode for child in children] == [0] * 3
    assert found[0]
    assert len(set(found)) == 1


def test_nowhere_to_write(tmp_path):
    """Neither beside the kernels nor at home: files are where directories should be."""
    copy = tmp_path / "skvus"
    shutil.copytree(
        Path(skvus.__file__).parent, copy, ignore=shutil.ignore_patterns("__pycache__")
    )
    for directory in [copy, *(path for path in copy.rglob("*") if path.is_dir())]:
        (directory / "__pycache__").touch()
    home = tmp_path / "home"
    home.touch()
    environment = {key: value for key, value in os.environ.items() if "NUMBA" not in key}
    environment |= {"HOME": str(home), "XDG_CACHE_HOME": str(home), "PYTHONPATH": str(tmp_path)}
    code = (
        "import numpy, skvus; print(skvus.__file__, skvus.pdi_score([0, 1, 2], numpy.eye(3)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        timeout=_TIMEOUT,
        cwd=tmp_path,
        env=environment,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == [str(copy / "__init__.py"), "1.0"]
    assert not list(tmp_path.rglob("*.nbi"))


# --- no more threads than cores ---------------------------------------------------


def test_workers_share_the_cores():
    """All cores inside a worker are one; BLAS and OpenMP there have their part of them."""
    run("""
from joblib import cpu_count

warnings.simplefilter("ignore", DeprecationWarning)  # of Python 3.12: forks and threads


def who():
    time.sleep(0.02)
    return threading.get_ident()


def n_threads(n_jobs):
    return len(set(in_threads(who, [()] * 10, n_jobs)))


def most_threads(block):
    from threadpoolctl import threadpool_info

    kernels()
    np.ones((300, 300)) @ np.ones((300, 300))
    return np.array([max(pool["num_threads"] for pool in threadpool_info())])


assert n_threads(None) == n_threads(1) == 1
assert n_threads(2) <= 2
assert n_threads(-1) <= os.cpu_count()
for backend in ("threading", "loky", "multiprocessing"):
    with parallel_config(backend, n_jobs=2):
        assert Parallel()(delayed(n_threads)(n_jobs) for n_jobs in (-1, -2, None, 1)) == [1] * 4
found = in_parallel(most_threads, [([0],)] * 4, 2, 0, "")  # in those of loky
assert (found <= max(1, cpu_count() // 2)).all(), found
""")


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="threads are not listed")
def test_kernels_start_no_threads():
    """What joblib's threads leave behind is gone; numba has no pool of its own."""
    run("""
def n_alive():
    return len(os.listdir("/proc/self/task"))


np.ones((500, 500)) @ np.ones((500, 500))  # BLAS and OpenMP have their threads by now
kernels()
before = n_alive()
kernels()
assert n_alive() == before
kernels(n_jobs=2)
for _ in range(100):
    if n_alive() == before:
        break
    time.sleep(0.05)  # until those of joblib have ended
else:
    raise AssertionError((before, n_alive()))
""")
