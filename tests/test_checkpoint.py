"""Checkpoints: what a search goes on from, to the same bits."""

import json
import resource
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy.stats import loguniform
from search_cases import Interrupted, outcome, quick
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import ShuffleSplit, StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from skvus import ParetoROCSearch
from skvus.search._checkpoint import Checkpoint

SMOOTHING = {"var_smoothing": loguniform(1e-9, 1.0)}
SEARCHES = {
    "costs": {},
    "dirichlet": {"cost_proposal": "dirichlet"},
    "params": {"estimator": GaussianNB(), "param_distributions": SMOOTHING, "n_offspring": 2},
    "weights": {"estimator": LogisticRegression(), "evolve": "weights", "n_generations": 9},
    "miss_rates": {"objectives": "miss_rates"},
    "false_alarms": {"objectives": "false_alarms", "n_costs": 40},
    "thinned": {"max_front_size": 30, "n_costs": 50},
    "islands": {"n_islands": 3},
    "stored": {"estimator": GaussianNB(), "param_distributions": SMOOTHING}
    | {"store_cv_results": True},
    "share": {"cv": 0.4},
    "uniform": {"estimator": GaussianNB(), "param_distributions": SMOOTHING}
    | {"selection": "uniform"},
}


def as_said(search):
    """What the search found and noted, but for seconds."""
    log = {name: search.logbook_.select(name) for name in search.logbook_.header}
    rows = {name: repr(value) for name, value in search.cv_results_.items()}
    log.pop("seconds")
    rows.pop("seconds", None)
    return *outcome(search), log, rows, search.n_evaluations_, repr(search.best_params_)


def options_of(name):
    return {"n_generations": 8, **SEARCHES[name]}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "search.skvus"


# --- the same bits ----------------------------------------------------------------


@pytest.mark.parametrize("name", SEARCHES)
def test_a_resumed_search_ends_like_one_in_one_piece(iris, path, name):
    options = options_of(name)
    whole = quick(**options).fit(*iris)
    for n_generations in (0, 3, 4, options["n_generations"], options["n_generations"]):
        part = quick(**{**options, "n_generations": n_generations}, checkpoint=path)
        part.fit(*iris)
    assert as_said(part) == as_said(whole)
    assert part.n_generations_ == options["n_generations"]


@pytest.mark.parametrize("every", [1, 3, None])
def test_checkpoints_change_nothing(iris, path, every):
    whole = quick(n_generations=7).fit(*iris)
    search = quick(n_generations=7, checkpoint=path, checkpoint_every=every).fit(*iris)
    assert as_said(search) == as_said(whole)
    assert path.exists()


@pytest.mark.parametrize("at", [1, 2, 9, 17, 29, 31, 40, 44])
@pytest.mark.parametrize("n_offspring", [1, 3])
def test_ctrl_c_loses_nothing(iris, path, at, n_offspring):
    """Not even what there was since the last file."""
    options = {"estimator": Interrupted(), "param_distributions": SMOOTHING}
    options |= {"n_offspring": n_offspring, "n_generations": 5, "store_cv_results": True}
    Interrupted.n_fits, Interrupted.at = 0, None
    whole = quick(**options).fit(*iris)
    Interrupted.n_fits, Interrupted.at = 0, at
    search = quick(**options, checkpoint=path, checkpoint_every=10**6)
    with pytest.raises(KeyboardInterrupt):
        search.fit(*iris)
    n_before = Interrupted.n_fits
    search.fit(*iris)
    assert as_said(search) == as_said(whole)
    if at > 10:  # what was fitted is not fitted again, but for the generation that was cut
        assert Interrupted.n_fits - n_before < 30 + 15 * n_offspring + 1
    assert not search.interrupted_


def test_no_seed_is_needed(iris, path):
    """The source of randomness is in the file, and so are the shares that it drew."""
    options = {"random_state": None, "cv": 0.4, "n_generations": 6, "checkpoint": path}
    first = quick(RandomForestClassifier(5), **{**options, "n_generations": 3}).fit(*iris)
    search = quick(RandomForestClassifier(5), **options).fit(*iris)
    assert search.logbook_.select("size")[:4] == first.logbook_.select("size")
    again = quick(RandomForestClassifier(5), **options).fit(*iris)
    assert outcome(again) == outcome(search)
    np.testing.assert_array_equal(again.predict_proba(iris[0]), search.predict_proba(iris[0]))


@pytest.mark.parametrize("kind", [np.random.RandomState, np.random.default_rng])
def test_sources_of_randomness_are_taken_up(iris, path, kind):
    whole = quick(random_state=kind(5), n_generations=6).fit(*iris)
    quick(random_state=kind(5), checkpoint=path, n_generations=3).fit(*iris)
    search = quick(random_state=kind(5), checkpoint=path, n_generations=6).fit(*iris)
    assert outcome(search) == outcome(whole)


def test_other_generators(iris, path):
    for bits in (np.random.MT19937, np.random.Philox, np.random.SFC64, np.random.PCG64DXSM):
        own = path.with_suffix(f".{bits.__name__}")
        whole = quick(random_state=np.random.Generator(bits(1)), n_generations=4).fit(*iris)
        for n_generations in (2, 4):
            rng = np.random.Generator(bits(1))
            search = quick(random_state=rng, n_generations=n_generations, checkpoint=own)
            search.fit(*iris)
        assert outcome(search) == outcome(whole)


def test_failures_are_counted_across(iris, path):
    options = {"param_distributions": {"var_smoothing": [-1.0, 0.5, 1.0]}, "n_generations": 6}

    def told(search):
        with pytest.warns(match="candidates were left out") as caught:
            search.fit(*iris)
        (message,) = (str(w.message) for w in caught if "left out" in str(w.message))
        return message.split(".")[0]

    whole = told(quick(**options))
    told(quick(**{**options, "n_generations": 2}, checkpoint=path))
    assert told(quick(**options, checkpoint=path)) == whole


def test_other_workers_may_go_on(iris, path):
    options = {"estimator": GaussianNB(), "param_distributions": SMOOTHING, "n_offspring": 3}
    whole = quick(**options, n_generations=4).fit(*iris)
    quick(**options, n_generations=2, checkpoint=path, n_jobs=2).fit(*iris)
    search = quick(**options, n_generations=4, checkpoint=path, operating_point="knee")
    assert outcome(search.fit(*iris))[:2] == outcome(whole)[:2]


# --- another search ---------------------------------------------------------------


def changed(**options):
    return lambda X, y: (X, y, options)


def other_cell(X, y):
    X = X.copy()
    X[17, 1] += 1e-9
    return X, y, {}


def other_label(X, y):
    y = y.copy()
    y[3] = 2
    return X, y, {}


MISMATCHES = {
    "X": other_cell,
    "y": other_label,
    "estimator": changed(estimator=GaussianNB(var_smoothing=1e-8)),
    "random_state": changed(random_state=1),
    "n_costs": changed(n_costs=11),
    "n_islands": changed(n_islands=2),
    "max_front_size": changed(max_front_size=1000),
    "splits of cv": changed(cv=4),
    "cv": changed(cv="resubstitution"),
    "cost_alpha": changed(cost_alpha=0.5),
    "cost_proposal": changed(cost_proposal=lambda rng, n, archive: rng.random((n, 3, 3))),
    "evolve": changed(estimator=LogisticRegression(), evolve="weights"),
    "param_distributions": changed(param_distributions={"var_smoothing": [1.0]}),
    "selection": changed(selection="uniform"),
    "store_cv_results": changed(store_cv_results=True),
}


@pytest.mark.parametrize("name", MISMATCHES)
def test_another_search_is_refused(iris, path, name):
    quick(checkpoint=path).fit(*iris)
    before = path.read_bytes()
    X, y, options = MISMATCHES[name](*iris)
    search = quick(**options, checkpoint=path)
    with pytest.raises(ValueError, match=f"is of another search: .*{name}.* changed since"):
        search.fit(X, y)
    assert path.read_bytes() == before
    assert not hasattr(search, "front_")


def test_weights_and_what_fit_gets_matter(iris, path):
    X, y = iris
    weight = np.ones(y.size)
    quick(checkpoint=path).fit(X, y, sample_weight=weight)
    with pytest.raises(ValueError, match=r"another search: parameters of fit, sample_weight"):
        quick(checkpoint=path).fit(X, y, sample_weight=2.0 * weight)


def test_splitters_that_shuffle_anew_are_refused_at_once(iris, path):
    for cv in (StratifiedKFold(3, shuffle=True), ShuffleSplit(2)):
        with pytest.raises(ValueError, match="cv must make the same splits in each part"):
            quick(checkpoint=path, cv=cv).fit(*iris)
    assert not path.exists()
    quick(checkpoint=path, cv=StratifiedKFold(3, shuffle=True, random_state=0)).fit(*iris)


def test_fewer_generations_than_are_done(iris, path):
    quick(checkpoint=path, n_generations=5).fit(*iris)
    with pytest.raises(ValueError, match="n_generations must be at least 5"):
        quick(checkpoint=path, n_generations=4).fit(*iris)


def test_equal_data_of_another_kind_in_another_process(iris, path):
    """Functions, pipelines and distributions are the same in all processes."""
    code = """
import sys
import numpy as np
from scipy.stats import loguniform
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from skvus import ParetoROCSearch

X, y = load_iris(return_X_y=True)
model = make_pipeline(FunctionTransformer(np.log1p), LogisticRegression())
search = ParetoROCSearch(
    model, {"logisticregression__C": loguniform(0.1, 10)}, n_generations=int(sys.argv[2]),
    n_initial=3, n_costs=10, cv=3, random_state=0, checkpoint=sys.argv[1])
search.fit(X[:, :2], np.array(["a", "b", "c"])[y])
print(search.n_evaluations_)
"""
    for n_generations, expected in ((1, 40), (2, 50)):
        done = subprocess.run(
            [sys.executable, "-c", code, str(path), str(n_generations)],
            capture_output=True,
            text=True,
            check=True,
        )
        assert int(done.stdout) == expected
    model = make_pipeline(FunctionTransformer(np.log1p), LogisticRegression())
    distributions = {"logisticregression__C": loguniform(0.1, 10)}
    names = np.array(["a", "b", "c"])
    search = quick(model, distributions, n_initial=3, n_generations=2, checkpoint=path)
    search.fit(iris[0], names[iris[1]])
    whole = clone(search).set_params(checkpoint=None).fit(iris[0], names[iris[1]])
    assert outcome(search) == outcome(whole)


# --- damage -----------------------------------------------------------------------


@pytest.fixture(scope="module")
def pair_of_files(tmp_path_factory, iris):
    """The last file of a search and the one before, and what it found."""
    path = tmp_path_factory.mktemp("search") / "search.skvus"
    search = quick(n_generations=4, checkpoint=path, checkpoint_every=1).fit(*iris)
    previous = Path(f"{path}.previous")
    return path.read_bytes(), previous.read_bytes(), outcome(search)


def placed(pair, folder):
    path = folder / "search.skvus"
    for name, data in ((path, pair[0]), (Path(f"{path}.previous"), pair[1])):
        name.write_bytes(data)
    return path


@pytest.mark.parametrize("n_left", [0, 1, 100, 1000, -1, -1000])
def test_truncated_files_are_refused_for_the_previous_one(
    iris, pair_of_files, tmp_path, n_left
):
    path = placed(pair_of_files, tmp_path)
    path.write_bytes(pair_of_files[0][:n_left])
    with pytest.warns(UserWarning, match=r"checkpoint is refused: .*skvus.*damaged.*previous"):
        search = quick(n_generations=4, checkpoint=path).fit(*iris)
    assert outcome(search) == pair_of_files[2]
    # and the next one finds good files
    assert outcome(quick(n_generations=4, checkpoint=path).fit(*iris)) == pair_of_files[2]


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(where=st.floats(0, 1, exclude_max=True), flip=st.integers(1, 255))
def test_tampered_files_are_refused_or_say_the_same(iris, pair_of_files, where, flip):
    """Bytes that nobody reads, such as dates within the archive, may change."""
    import tempfile
    import warnings

    with tempfile.TemporaryDirectory() as folder:
        path = placed(pair_of_files, Path(folder))
        data = bytearray(pair_of_files[0])
        data[int(where * len(data))] ^= flip
        path.write_bytes(bytes(data))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            search = quick(n_generations=4, checkpoint=path).fit(*iris)
        assert outcome(search) == pair_of_files[2]


def test_two_damaged_files_are_an_error(iris, pair_of_files, tmp_path):
    path = placed(pair_of_files, tmp_path)
    for name in (path, Path(f"{path}.previous")):
        name.write_bytes(name.read_bytes()[:-5])
    search = quick(n_generations=4, checkpoint=path)
    with (
        pytest.warns(UserWarning, match="is refused"),
        pytest.raises(
            ValueError, match=r"checkpoint is refused: .* remove .* and .* to start anew"
        ),
    ):
        search.fit(*iris)
    assert not hasattr(search, "front_")


def test_a_file_of_something_else_is_refused(iris, path):
    search = quick().fit(*iris)
    search.front_.save(path)
    with pytest.raises(ValueError, match=r"checkpoint is refused: .*its kind is"):
        quick(checkpoint=path).fit(*iris)
    assert search.front_.load(path)  # and it is left alone


def forged(data, folder, change):
    """A file with other contents and the right checksum."""
    from skvus._files import read_archive, write_archive
    from skvus.search._checkpoint import KIND, VERSION

    path = folder / "forged.skvus"
    path.write_bytes(data)
    header, arrays = read_archive(path, kind=KIND, version=VERSION)
    change(header, arrays)
    write_archive(path, kind=KIND, version=VERSION, header=header, arrays=arrays)
    return path.read_bytes()


FORGERIES = {
    "rates": lambda h, a: a.update({"0_rates": a["0_rates"] + 1.0}),
    "fewer": lambda h, a: a.update({"0_costs": a["0_costs"][1:]}),
    "counts": lambda h, a: a.update({"0_counts": a["0_counts"].astype(float)}),
    "genomes": lambda h, a: a.update({"0_candidate": a["0_candidate"] + 1000}),
    "diagonal": lambda h, a: a.update({"0_costs": np.roll(a["0_costs"], 1)}),
    "shares": lambda h, a: a["0_shares"].__setitem__(0, 5e-324),
    "missing": lambda h, a: a.pop("0_number"),
    "nan": lambda h, a: a["0_costs"].__setitem__((0, 0, 1), np.nan),
    "islands": lambda h, a: h["state"].update(islands=[]),
    "count": lambda h, a: h["state"]["islands"][0].update(turn=-1),
    "source": lambda h, a: h["state"]["islands"][0].update(rng={"bit_generator": "eval"}),
    "state": lambda h, a: h["state"]["islands"][0]["rng"].update(state="x"),
    "header": lambda h, a: h["state"].pop("n_fits"),
    "log": lambda h, a: a.pop("0_log_size"),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_forged_files_are_refused_for_the_previous_one(iris, pair_of_files, tmp_path, name):
    path = placed(pair_of_files, tmp_path)
    path.write_bytes(forged(pair_of_files[0], tmp_path, FORGERIES[name]))
    with pytest.warns(UserWarning, match=r"checkpoint is refused: .*damaged.*is tried instead"):
        search = quick(n_generations=4, checkpoint=path).fit(*iris)
    assert outcome(search) == pair_of_files[2]


def test_files_are_data_only(pair_of_files, tmp_path):
    path = placed(pair_of_files, tmp_path)
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            if name.endswith(".npy"):
                with archive.open(name) as file:
                    assert np.lib.format.read_array(file, allow_pickle=False).dtype != object
            else:
                json.loads(archive.read(name))


def test_what_killed_writers_left_is_removed(iris, path):
    left = path.parent / f".{path.name}.part-0123456789abcdef"
    left.write_bytes(b"half a file")
    quick(checkpoint=path).fit(*iris)
    assert sorted(p.name for p in path.parent.iterdir()) == [path.name]


# --- a full disk ------------------------------------------------------------------

FULL = """
import resource, sys, warnings
sys.path.insert(0, sys.argv[2])
from search_cases import outcome, quick
from sklearn.datasets import load_iris

X, y = load_iris(return_X_y=True)
whole = quick(n_generations=6).fit(X[:, :2], y)
quick(n_generations=1, checkpoint=sys.argv[1]).fit(X[:, :2], y)
before = open(sys.argv[1], "rb").read()
resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) // 2, resource.RLIM_INFINITY))
search = quick(n_generations=6, checkpoint=sys.argv[1], checkpoint_every=1)
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    search.fit(X[:, :2], y)
assert outcome(search) == outcome(whole)
assert open(sys.argv[1], "rb").read() == before
print(len(caught), caught[0].message)
"""


def test_a_full_disk_warns_and_the_search_goes_on(path):
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(path), str(Path(__file__).parent)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("1 checkpoint could not be written")
    assert sorted(p.name for p in path.parent.iterdir()) == [path.name]
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] == resource.RLIM_INFINITY


def test_a_folder_that_vanishes(iris, tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir()

    def costs(rng, n, archive):
        if folder.exists():
            for file in folder.iterdir():
                file.unlink()
            folder.rmdir()
        return rng.random((n, 3, 3)) * (1.0 - np.eye(3))

    search = quick(checkpoint=folder / "search.skvus", checkpoint_every=1, cost_proposal=costs)
    with pytest.warns(UserWarning, match="checkpoint could not be written"):
        search.fit(*iris)
    assert search.predict(iris[0]).shape == iris[1].shape


# --- bad input --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "error", "match"),
    [
        ({"checkpoint": 5}, TypeError, "checkpoint must be None or the path of a file; got 5"),
        ({"checkpoint": "{folder}"}, ValueError, "checkpoint must be the path of a file"),
        ({"checkpoint": "{folder}/none/x"}, ValueError, "in a folder that can be written to"),
        ({"checkpoint": "{folder}/x", "checkpoint_every": 0}, ValueError, "checkpoint_every"),
        ({"checkpoint": "{folder}/x", "checkpoint_every": 1.5}, ValueError, "checkpoint_every"),
        ({"checkpoint_every": 5}, ValueError, "checkpoint_every must be None without"),
    ],
)
def test_bad_options(iris, tmp_path, options, error, match):
    filled = {
        name: value.format(folder=tmp_path) if isinstance(value, str) else value
        for name, value in options.items()
    }
    with pytest.raises(error, match=match):
        quick(**filled).fit(*iris)


def test_foreign_generators_are_refused(iris, path):
    class Own(np.random.PCG64):
        pass

    with pytest.raises(ValueError, match="random_state must be a Generator of numpy's own"):
        quick(random_state=np.random.Generator(Own(1)), checkpoint=path).fit(*iris)


def test_files_are_written_by_time(path, monkeypatch):
    """At most every second, and no more than a twentieth of the time."""
    import skvus.search._checkpoint as module

    now = [0.0]
    monkeypatch.setattr(module.time, "monotonic", lambda: now[0])
    checkpoint = Checkpoint(path, None)
    checkpoint.begin({}, {})
    assert not checkpoint.is_due()
    now[0] = 1.1
    assert checkpoint.is_due()
    monkeypatch.setattr(module, "write_archive", lambda *a, **k: now.__setitem__(0, now[0] + 1))
    checkpoint.write(module.State({}, {}))  # takes a second
    now[0] += 19.0
    assert not checkpoint.is_due()
    now[0] += 1.1
    assert checkpoint.is_due()


def test_paths_of_any_kind(iris, path):
    quick(n_generations=1, checkpoint=str(path)).fit(*iris)
    search = quick(checkpoint=path).fit(*iris)
    assert outcome(search) == outcome(quick().fit(*iris))
    assert isinstance(search, ParetoROCSearch)
