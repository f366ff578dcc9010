"""How much workers help where fits dominate, and what a file costs that a search writes."""

import tempfile
import time
from functools import partial
from pathlib import Path

import numpy as np
from joblib import cpu_count, parallel_config
from scipy.stats import loguniform
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from threadpoolctl import threadpool_limits

from benchmarks.timing import show, table
from skvus import ParetoROCSearch, ProbabilisticKNeighborsClassifier
from skvus.datasets import make_ripley_mixture


class Laborious(GaussianNB):
    """Takes a tenth of a second to fit: sums in Python, of one core."""

    def fit(self, X, y, sample_weight=None):
        total = 0
        for number in range(2_000_000):
            total += number
        return super().fit(X, y, sample_weight)


def _timed(search, X, y, **config):
    start = time.perf_counter()
    with parallel_config(**config) if config else threadpool_limits():
        search.fit(X, y)
    return time.perf_counter() - start


def workers():
    """Two processes against one, which has all of the machine that two have."""
    X, y = make_ripley_mixture(300, random_state=0)
    options = {"n_offspring": 4, "n_initial": 8, "n_generations": 4}
    distributions = {"var_smoothing": loguniform(1e-9, 1.0)}
    rows = []
    for folds, backend in ((5, "loky"), (2, "loky"), (5, "multiprocessing"), (5, "dask")):
        make = partial(ParetoROCSearch, Laborious(), distributions, cv=folds, random_state=0)
        with _cluster(backend) as config:
            make(n_generations=0, n_initial=2).fit(X, y)  # compile
            with parallel_config(**config):
                make(n_generations=0, n_initial=2).fit(X, y)  # start workers
            alone, helped = make(**options), make(**options)
            one = _timed(alone, X, y)
            two = _timed(helped, X, y, **config)
        same = np.array_equal(alone.front_.rates, helped.front_.rates)
        rows.append([backend, folds, show(one), show(two), f"{one / two:.2f}x", same])
    table(
        f"search with two workers, 24 candidates, fits of 0.1 s, {cpu_count()} cores",
        ["backend", "folds", "alone", "two workers", "ratio", "same bits"],
        rows,
    )


class _cluster:  # noqa: N801 - used like a function
    """What `parallel_config` takes for two workers of a backend."""

    def __init__(self, backend):
        self._backend = backend
        self._client = None

    def __enter__(self):
        if self._backend != "dask":
            return {"backend": self._backend, "n_jobs": 2}
        from distributed import Client

        self._client = Client(n_workers=2, threads_per_worker=1, dashboard_address=None)
        return {"backend": "dask"}

    def __exit__(self, *error):
        if self._client is not None:
            self._client.shutdown()


def checkpoints():
    """A search that writes files against the same one that does not."""
    X, y = make_ripley_mixture(300, random_state=0)
    rows = []
    for every in (None, 100, 10, 1):
        options = {"n_generations": 1000, "random_state": 0, "cv": 2}
        model = KNeighborsClassifier(10)
        ParetoROCSearch(model, **{**options, "n_generations": 10}).fit(X, y)
        start = time.perf_counter()
        bare = ParetoROCSearch(model, **options).fit(X, y)
        without = time.perf_counter() - start
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "search.skvus"
            start = time.perf_counter()
            ParetoROCSearch(model, **options, checkpoint=path, checkpoint_every=every).fit(X, y)
            with_files = time.perf_counter() - start
            size = path.stat().st_size
        ratio = f"{with_files / without:.2f}x"
        name = "by time" if every is None else every
        members = f"{len(bare.front_):,}"
        rows.append(
            [name, members, f"{size / 1e6:.1f} MB", show(without), show(with_files), ratio]
        )
    table(
        "checkpoints of 1,000 generations of costs, a millisecond each",
        ["every", "members", "file", "without", "with", "ratio"],
        rows,
    )


def thinning():
    """G of thinned fronts against that of all members, and of as many at random."""
    X, y = make_ripley_mixture(300, random_state=0)
    model = ProbabilisticKNeighborsClassifier(10, 1.0)
    options = {"n_generations": 500, "random_state": 0}
    start = time.perf_counter()
    whole = ParetoROCSearch(model, **options).fit(X, y)
    took = time.perf_counter() - start
    rows = [["all", f"{len(whole.front_):,}", f"{whole.gini_:.4f}", "", "0", show(took)]]
    for most in (5000, 2000, 1000, 500, 100):
        start = time.perf_counter()
        thin = ParetoROCSearch(model, **options, max_front_size=most)
        thin.fit(X, y)
        took = time.perf_counter() - start
        n, m = len(thin.front_), len(whole.front_)
        draws = [
            whole.front_[np.random.default_rng(seed).permutation(m)[:n]] for seed in range(3)
        ]
        at_random = np.mean([front.gini(random_state=0) for front in draws])
        rows.append(
            [
                f"{most:,}",
                f"{len(thin.front_):,}",
                f"{thin.gini_:.4f}",
                f"{at_random:.4f}",
                f"{thin.front_resolution_.max():.2f}",
                show(took),
            ]
        )
    table(
        "max_front_size, 50,000 operating points of three classes",
        ["asked for", "members", "G", "G of as many at random", "resolution", "fit"],
        rows,
    )


def run():
    workers()
    checkpoints()
    thinning()
