"""Workers of joblib and of a real cluster: the same bits, data sent once, deaths survived."""

import os
import pickle
import signal
import threading
import time
import warnings

import numpy as np
import pytest
from joblib import parallel_config
from scipy.stats import loguniform
from search_cases import outcome, quick
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import FitFailedWarning
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

from skvus.search import _sharing as sharing
from skvus.search._sharing import Shared, Workers

SMOOTHING = {"var_smoothing": loguniform(1e-9, 1.0)}
OPTIONS = {"param_distributions": SMOOTHING, "n_offspring": 3, "n_generations": 4}
BACKENDS = ["loky", "threading", "multiprocessing"]


class Counted(str):
    """Something of an estimator that counts how often it is sent; fingerprints only read it."""

    n_sent = 0

    def __reduce__(self):
        type(self).n_sent += 1
        return str, ("load",)

    def __deepcopy__(self, memo):
        return self


class Carrier(GaussianNB):
    """Carries something."""

    def __init__(self, var_smoothing=1e-9, load=None):
        super().__init__(var_smoothing=var_smoothing)
        self.load = load


class Slow(GaussianNB):
    """Takes a while to fit, so that workers can be killed meanwhile."""

    def fit(self, X, y, sample_weight=None):
        time.sleep(0.05)
        return super().fit(X, y, sample_weight)


class Fatal(GaussianNB):
    """Kills its worker, once: the file that it leaves says that it did."""

    def __init__(self, var_smoothing=1e-9, mark=None):
        super().__init__(var_smoothing=var_smoothing)
        self.mark = mark

    def fit(self, X, y, sample_weight=None):
        try:
            os.close(os.open(self.mark, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            return super().fit(X, y, sample_weight)
        os.kill(os.getpid(), signal.SIGKILL)


@pytest.fixture(scope="module")
def serial(iris):
    """What a search finds alone."""
    return outcome(quick(**OPTIONS).fit(*iris))


@pytest.fixture(scope="module")
def client():
    """A cluster of two processes on this machine."""
    pytest.importorskip("distributed")
    from distributed import Client, LocalCluster

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # whatever this release says of others'
        with (
            LocalCluster(
                n_workers=2,
                threads_per_worker=1,
                processes=True,
                dashboard_address=None,
                # the folder of the tests is that of their modules
                env={"PYTHONPATH": os.path.dirname(__file__)},
            ) as cluster,
            Client(cluster) as client,
        ):
            yield client


# --- the same bits ----------------------------------------------------------------


@pytest.mark.parametrize("backend", BACKENDS)
def test_backends_find_the_same(iris, serial, backend):
    with parallel_config(backend=backend, n_jobs=2):
        assert outcome(quick(**OPTIONS).fit(*iris)) == serial
    with parallel_config(backend=backend):
        assert outcome(quick(**OPTIONS, n_jobs=2).fit(*iris)) == serial


@pytest.mark.parametrize("options", [{"max_front_size": 20}, {"n_islands": 2}])
def test_workers_find_the_same_with(iris, options):
    """Whatever happens between candidates does so for any number of them at a time."""
    options = {**OPTIONS, "n_costs": 50, **options}
    alone, helped = quick(**options).fit(*iris), quick(**options, n_jobs=2).fit(*iris)
    assert outcome(alone) == outcome(helped)
    assert alone.logbook_.select("size") == helped.logbook_.select("size")


def test_any_number_of_workers_finds_the_same(iris, serial):
    for n_jobs in (1, 2, 3, -1):
        assert outcome(quick(**OPTIONS, n_jobs=n_jobs).fit(*iris)) == serial


@pytest.mark.filterwarnings("ignore")
def test_a_cluster_finds_the_same(iris, serial, client):
    with parallel_config(backend="dask"):
        search = quick(**OPTIONS).fit(*iris)
        islands = quick(**OPTIONS, n_islands=2).fit(*iris)
        weights = quick(LogisticRegression(), evolve="weights", n_offspring=2).fit(*iris)
    assert outcome(search) == serial
    assert outcome(islands) == outcome(quick(**OPTIONS, n_islands=2).fit(*iris))
    alone = quick(LogisticRegression(), evolve="weights", n_offspring=2).fit(*iris)
    assert outcome(weights) == outcome(alone)


@pytest.mark.filterwarnings("ignore")
def test_a_cluster_does_the_fits(iris, client):
    from test_pareto_search_options import KnowsItsProcess

    processes = {info["pid"] for info in client.run(lambda: {"pid": os.getpid()}).values()}
    with parallel_config(backend="dask"):
        search = quick(KnowsItsProcess(), cv=0.3, refit=False).fit(*iris)
    assert search.estimator_.process_ in processes


@pytest.mark.filterwarnings("ignore")
def test_a_cluster_is_not_asked_for_single_trees(iris, client):
    """Joblib would make a task of the cluster of each."""
    from distributed import get_task_stream

    model = RandomForestClassifier(30, random_state=0)
    with get_task_stream(client) as stream, parallel_config(backend="dask"):
        quick(model, {"max_depth": [1, 2, 3]}, n_initial=4, n_generations=2).fit(*iris)
    # trees of the last fit are, which is made here and not by a worker; there are 540 others
    assert 0 < len(stream.data) < 120


@pytest.mark.parametrize("step", [0.0, 0.2])
def test_displaced_weights_are_evaluated_by_workers(iris, monkeypatch, step):
    import skvus.search._evaluation as evaluation

    monkeypatch.setattr(evaluation, "_WORTH_SENDING", 0.0)
    options = {"evolve": "weights", "n_offspring": 3, "n_generations": 4, "step": step}
    alone = quick(LogisticRegression(), **options).fit(*iris)
    for backend in ("loky", "threading"):
        with parallel_config(backend=backend, n_jobs=2):
            assert outcome(quick(LogisticRegression(), **options).fit(*iris)) == outcome(alone)


def test_decisions_are_counted_by_threads(iris, monkeypatch):
    import skvus.search._tally as tally

    X, y = iris
    weight = np.random.default_rng(0).uniform(0.5, 2.0, size=y.size)
    for given in (None, weight):
        alone = quick().fit(X, y, sample_weight=given)
        monkeypatch.setattr(tally, "_WORTH_A_THREAD", 1)
        helped = quick(n_jobs=2).fit(X, y, sample_weight=given)
        monkeypatch.undo()
        assert outcome(alone) == outcome(helped)


# --- data are sent once -----------------------------------------------------------


@pytest.mark.parametrize("backend", ["loky", "multiprocessing", "dask"])
@pytest.mark.filterwarnings("ignore")
def test_data_are_sent_once(iris, request, backend):
    """One estimator with its data is packed, for some forty fits."""
    if backend == "dask":
        request.getfixturevalue("client")
    Counted.n_sent = 0
    options = {} if backend == "dask" else {"n_jobs": 2}
    with parallel_config(backend=backend, **options):
        quick(Carrier(load=Counted()), **OPTIONS).fit(*iris)
    assert Counted.n_sent == 1


def test_shared_things_are_unpacked_once():
    X = np.random.default_rng(0).random((300, 500))  # more than a megabyte
    shared = Shared({"X": X, "names": ["a", "b"]})
    data = pickle.dumps(shared)
    first, again = pickle.loads(data), pickle.loads(data)
    assert first.content is again.content
    np.testing.assert_array_equal(first.content["X"], X)
    assert first.content["names"] == ["a", "b"]
    # what goes on from a worker is what arrived there
    assert pickle.loads(pickle.dumps(first)).content is first.content


def test_workers_forget_old_data():
    for number in range(20):
        pickle.loads(pickle.dumps(Shared(np.full(10, number))))
    assert len(sharing._held) <= 4


def test_what_a_notebook_defines_is_sent(iris):
    class Local(GaussianNB):
        """Of no module."""

    alone = quick(Local(), **OPTIONS).fit(*iris)
    assert outcome(alone) == outcome(quick(Local(), **OPTIONS, n_jobs=2).fit(*iris))


# --- deaths -----------------------------------------------------------------------


def test_a_worker_that_dies_is_replaced(iris, tmp_path):
    alone = quick(**OPTIONS).fit(*iris)
    model = Fatal(mark=str(tmp_path / "mark"))
    with pytest.warns(UserWarning, match=r"Workers died .*; what they had to do is done anew"):
        search = quick(model, **OPTIONS, n_jobs=2).fit(*iris)
    assert outcome(search) == outcome(alone)
    assert (tmp_path / "mark").exists()


class Deadly(GaussianNB):
    """Always kills its worker."""

    def fit(self, X, y, sample_weight=None):
        if self.var_smoothing > 0.5:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().fit(X, y, sample_weight)


def test_candidates_that_kill_all_workers_are_left_out(iris, monkeypatch):
    """As those whose fits fail otherwise: out of memory, for instance."""
    monkeypatch.setattr(sharing, "_TRIES", 1)
    distributions = {"var_smoothing": [0.1, 0.2, 0.3, 1.0]}
    options = {"n_initial": 4, "n_generations": 0, "cv": 0.3}
    with (
        pytest.warns(UserWarning, match="Workers died"),
        pytest.warns(FitFailedWarning, match=r"Its workers died: TerminatedWorkerError"),
    ):
        search = quick(Deadly(), distributions, **options, n_jobs=2).fit(*iris)
    assert {params["var_smoothing"] for params in search.front_.params} <= {0.1, 0.2, 0.3}
    with pytest.raises(RuntimeError, match="worker process"):
        quick(Deadly(), distributions, **options, n_jobs=2, error_score="raise").fit(*iris)


@pytest.mark.filterwarnings("ignore")
def test_a_cluster_that_loses_a_worker(iris, client):
    alone = quick(Slow(), **{**OPTIONS, "n_generations": 8}).fit(*iris)
    pids = list(client.run(os.getpid).values())
    killer = threading.Timer(1.5, os.kill, (pids[0], signal.SIGKILL))
    killer.start()
    with parallel_config(backend="dask"):
        search = quick(Slow(), **{**OPTIONS, "n_generations": 8}).fit(*iris)
    killer.join()
    assert outcome(search) == outcome(alone)
    client.wait_for_workers(2, timeout=60)
    assert pids[0] not in client.run(os.getpid).values()


def test_errors_of_tasks_are_no_deaths():
    def fail():
        raise RuntimeError("of the task")

    with Workers(2) as workers, warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(RuntimeError, match="of the task"):
            workers(fail, (), [(), ()])


def test_results_that_are_none_are_taken_for_deaths():
    """Clusters have given None for tasks that they cancelled."""
    answers = iter([[None], [sharing.Done([5])]])
    with Workers(2) as workers:
        workers._parallel = lambda tasks: next(answers)
        workers._opened_for = 0
        workers._reopen = lambda: setattr(workers, "_parallel", lambda tasks: next(answers))
        with pytest.warns(UserWarning, match="some results are missing"):
            assert workers(abs, (), [(-5,)]) == [5]
