"""Warm starts, time limits and islands."""

import pickle
import time
import warnings

import numpy as np
import pytest
from scipy.stats import loguniform, pareto
from search_cases import Interrupted, outcome, quick
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.naive_bayes import GaussianNB

from skvus import ROCFront, WithinLimits
from skvus.search._steps import Deadline

SMOOTHING = {"var_smoothing": loguniform(1e-9, 1.0)}

# --- warm start -------------------------------------------------------------------


@pytest.mark.parametrize("starts_warm", [True, False])
@pytest.mark.parametrize("distributions", [None, SMOOTHING])
def test_warm_starts_go_on(iris, starts_warm, distributions):
    whole = quick(param_distributions=distributions, n_generations=9).fit(*iris)
    search = quick(param_distributions=distributions, n_generations=2, warm_start=starts_warm)
    search.fit(*iris)
    for n_generations in (5, 9):
        search.set_params(n_generations=n_generations, warm_start=True).fit(*iris)
    assert outcome(search) == outcome(whole)
    assert search.logbook_.select("size") == whole.logbook_.select("size")
    assert search.n_generations_ == 9


def test_warm_starts_of_copies(iris):
    whole = quick(n_generations=6).fit(*iris)
    search = quick(n_generations=3, warm_start=True).fit(*iris)
    copy = pickle.loads(pickle.dumps(search)).set_params(n_generations=6)
    assert outcome(copy.fit(*iris)) == outcome(whole)
    # clones are not fitted, so there is nothing to go on from
    assert outcome(clone(search).set_params(n_generations=6).fit(*iris)) == outcome(whole)
    # what was not to be continued is not in the copy, which says so
    copy = pickle.loads(pickle.dumps(quick(n_generations=3).fit(*iris)))
    with pytest.warns(UserWarning, match="warm_start has nothing to go on from"):
        copy.set_params(n_generations=6, warm_start=True).fit(*iris)
    assert outcome(copy) == outcome(whole)


def test_warm_starts_with_other_data_are_refused(iris):
    X, y = iris
    search = quick(warm_start=True).fit(X, y)
    front = search.front_
    with pytest.raises(ValueError, match=r"warm_start would continue is of another search: X "):
        search.fit(X + 1e-6, y)
    with pytest.raises(ValueError, match=r"another search: n_costs changed"):
        search.set_params(n_costs=17).fit(X, y)
    assert search.front_ is front  # it is as it was
    search = quick().fit(X, y)  # also if nobody could know that it is to be continued
    with pytest.raises(ValueError, match="is of another search: X changed"):
        search.set_params(warm_start=True, n_generations=5).fit(X + 1e-6, y)
    with pytest.raises(ValueError, match="n_generations must be at least 2"):
        search.set_params(n_generations=1).fit(X, y)


def test_cold_starts_start_anew(iris):
    search = quick(n_generations=4).fit(*iris)
    again = search.set_params(n_generations=2).fit(*iris)
    assert outcome(again) == outcome(quick(n_generations=2).fit(*iris))


@pytest.mark.parametrize("at", [5, 20, 32, 40])
def test_warm_starts_go_on_after_ctrl_c(iris, at):
    whole = quick(Interrupted(), SMOOTHING, n_generations=5).fit(*iris)
    Interrupted.n_fits, Interrupted.at = 0, at
    search = quick(Interrupted(), SMOOTHING, n_generations=5, warm_start=True)
    with pytest.raises(KeyboardInterrupt):
        search.fit(*iris)
    assert search.interrupted_
    Interrupted.at = None
    assert outcome(search.fit(*iris)) == outcome(whole)
    assert not search.interrupted_


def test_files_and_memory_agree(iris, tmp_path):
    path = tmp_path / "search.skvus"
    whole = quick(n_generations=6).fit(*iris)
    search = quick(n_generations=3, warm_start=True, checkpoint=path).fit(*iris)
    search.set_params(n_generations=6).fit(*iris)
    assert outcome(search) == outcome(whole)
    assert outcome(quick(n_generations=6, checkpoint=path).fit(*iris)) == outcome(whole)


# --- time -------------------------------------------------------------------------


class Slow(GaussianNB):
    """Takes a while to fit."""

    def fit(self, X, y, sample_weight=None):
        time.sleep(0.02)
        return super().fit(X, y, sample_weight)


def test_time_is_kept(iris):
    quick(Slow(), SMOOTHING).fit(*iris)  # compile
    start = time.monotonic()
    search = quick(Slow(), SMOOTHING, n_generations=10**6, max_time=2.0).fit(*iris)
    # one generation and the final fit are beyond it at most; machines may be slow
    assert time.monotonic() - start < 6.0
    assert 0 < search.n_generations_ < 10**6
    assert not search.interrupted_
    assert search.logbook_.select("generation")[-1] == search.n_generations_
    search.set_operating_point(WithinLimits({2: 0.5})).predict(iris[0])


@pytest.mark.filterwarnings("ignore:max_time=0 ended the search at its start")
@pytest.mark.parametrize("options", [{}, {"param_distributions": SMOOTHING}, {"n_islands": 2}])
def test_no_time_leaves_a_usable_search(iris, options):
    search = quick(**options, max_time=0, n_generations=50).fit(*iris)
    assert search.n_generations_ == 0
    assert len(search.front_) > 1
    assert search.predict(iris[0]).shape == iris[1].shape
    assert len(search.logbook_) == options.get("n_islands", 1)


def test_a_start_that_is_cut_says_so(iris):
    search = quick(param_distributions=SMOOTHING, max_time=0.0, n_islands=2)
    with pytest.warns(UserWarning, match=r"ended the search at its start, after 2 of 20 cand"):
        search.fit(*iris)


@pytest.mark.filterwarnings("ignore:max_time")
def test_a_search_in_pieces_of_time_is_the_whole(iris, tmp_path):
    path = tmp_path / "search.skvus"
    whole = quick(param_distributions=SMOOTHING, n_generations=4).fit(*iris)
    options = {"param_distributions": SMOOTHING, "n_generations": 4}
    n_pieces = 0
    while True:
        search = quick(**options, checkpoint=path, max_time=0.0).fit(*iris)
        n_pieces += 1
        if search.n_generations_ == 4:
            break
        assert n_pieces < 30
    assert n_pieces > 3
    assert outcome(search) == outcome(whole)


def test_deadlines_look_ahead(monkeypatch):
    import skvus.search._steps as module

    now = [0.0]
    monkeypatch.setattr(module.time, "monotonic", lambda: now[0])
    deadline = Deadline(10.0)
    now[0] = 1.0
    deadline.begin()
    now[0] = 5.0
    assert not deadline.is_near()  # another step would end at 9
    now[0] = 6.5
    assert not deadline.is_near()  # or, as long as the shortest, at 8
    now[0] = 8.7
    assert deadline.is_near()  # at 10.2
    endless = Deadline(None)
    endless.begin()
    assert not endless.is_near()


@pytest.mark.parametrize("value", [-1.0, np.nan, np.inf, "soon", True])
def test_bad_times(iris, value):
    with pytest.raises(ValueError, match="max_time must be"):
        quick(max_time=value).fit(*iris)


def test_nothing_could_be_fitted_in_time(iris):
    search = quick(param_distributions={"var_smoothing": [-1.0]}, max_time=0.0)
    with pytest.raises(
        ValueError, match=r"None of the 1 candidates that max_time=0.0 had time"
    ):
        search.fit(*iris)


# --- islands ----------------------------------------------------------------------


@pytest.mark.parametrize("objectives", ["rates", "miss_rates"])
@pytest.mark.parametrize("distributions", [None, SMOOTHING])
def test_islands_are_merged(iris, distributions, objectives):
    search = quick(
        param_distributions=distributions, n_islands=3, n_generations=5, objectives=objectives
    ).fit(*iris)
    assert len(search.island_fronts_) == 3
    merged = ROCFront.merge(*search.island_fronts_)
    np.testing.assert_array_equal(merged.rates, search.front_.rates)
    np.testing.assert_array_equal(merged.costs, search.front_.costs)
    assert merged.params == search.front_.params
    rates = {front.rates.tobytes() for front in search.island_fronts_}
    assert len(rates) == 3  # each goes its own way
    assert search.n_evaluations_ == 3 * (5 * 10 + (100 if distributions else 10))
    log = search.logbook_
    assert log.header[0] == "island"
    assert log.select("island") == 6 * [0, 1, 2]
    assert log.select("generation") == [g for g in range(6) for _ in range(3)]
    assert search.predict(iris[0]).shape == iris[1].shape


def test_islands_know_nothing_of_each_other(iris):
    """Whether there is another one changes nothing but the merged front."""
    two = quick(n_islands=2, n_generations=5).fit(*iris).island_fronts_
    three = quick(n_islands=3, n_generations=5).fit(*iris).island_fronts_
    for one, same in zip(two, three, strict=False):
        np.testing.assert_array_equal(one.rates, same.rates)


def test_islands_of_weights_choose_their_own_models(iris):
    from sklearn.linear_model import LogisticRegression

    search = quick(LogisticRegression(), evolve="weights", n_islands=2, n_generations=6)
    search.fit(*iris)
    for index in range(0, len(search.front_), 25):
        search.set_operating_point(index)
        counts = search.cv_results_["counts"].sum(axis=0)
        np.testing.assert_array_equal(counts, search.front_.counts[index])


def test_one_island_is_the_whole(iris):
    search = quick().fit(*iris)
    assert search.island_fronts_ == [search.front_]
    assert search.logbook_.header[0] == "generation"


def test_islands_take_workers(iris):
    options = {"param_distributions": SMOOTHING, "n_islands": 2, "n_generations": 3}
    alone, helped = quick(**options), quick(**options, n_jobs=2)
    assert outcome(alone.fit(*iris)) == outcome(helped.fit(*iris))


def test_progress_of_islands(iris, capsys):
    quick(n_islands=2, verbose=1).fit(*iris)
    assert "2/2" in "".join(capsys.readouterr())


# --- the same whoever fits --------------------------------------------------------


def test_classifiers_without_a_seed_are_seeded(iris):
    """The same random_state gives the same bits, whatever is unset in the estimator."""
    options = {"param_distributions": {"max_depth": [1, 2, 3]}, "n_initial": 3}
    first = quick(RandomForestClassifier(3), **options).fit(*iris)
    again = quick(RandomForestClassifier(3), **options).fit(*iris)
    helped = quick(RandomForestClassifier(3), **options, n_jobs=2).fit(*iris)
    other = quick(RandomForestClassifier(3), **options, random_state=1).fit(*iris)
    assert outcome(first) == outcome(again) == outcome(helped)
    assert outcome(first) != outcome(other)
    np.testing.assert_array_equal(first.predict_proba(iris[0]), again.predict_proba(iris[0]))
    assert first.estimator.random_state is None  # what was given stays as it was


def test_nothing_is_said_without_need(iris):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        quick(n_islands=2, max_front_size=20, warm_start=True, max_time=60).fit(*iris)


def test_ctrl_c_while_a_kernel_is_called(iris):
    """It comes as the cause of another error then, and leaves as what it is."""

    class Torn(GaussianNB):
        n_fits = 0

        def fit(self, X, y, sample_weight=None):
            type(self).n_fits += 1
            if type(self).n_fits == 35:
                raise SystemError("a result with an exception set") from KeyboardInterrupt()
            return super().fit(X, y, sample_weight)

    options = {"error_score": "raise", "n_generations": 5}
    search = quick(Torn(), SMOOTHING, **options)
    with pytest.raises(KeyboardInterrupt):
        search.fit(*iris)
    assert search.interrupted_
    Torn.n_fits = 0
    with pytest.warns(UserWarning, match="Interrupted after"):
        search.set_params(on_interrupt="keep").fit(*iris)
    assert search.predict(iris[0]).shape == iris[1].shape


def test_fronts_of_any_labels_can_be_saved(iris, tmp_path):
    import pandas as pd

    X, y = iris
    names = np.array(["a", "b", "c"])[y]
    for labels in (pd.Series(names), pd.Series(names, dtype=object), names.astype(object)):
        front = quick().fit(X, labels).front_
        front.save(tmp_path / "front.skvus")
        again = ROCFront.load(tmp_path / "front.skvus")
        assert again.classes.tolist() == ["a", "b", "c"]
        assert len(ROCFront.merge(front, again)) == len(front)


# --- what attackers found ---------------------------------------------------------


def test_warm_starts_leave_other_files_alone(iris, tmp_path):
    path = tmp_path / "search.skvus"
    search = quick(warm_start=True).fit(*iris)
    path.write_text("something else")
    with pytest.raises(ValueError, match="checkpoint is refused"):
        search.set_params(checkpoint=path, n_generations=4).fit(*iris)
    assert path.read_text() == "something else"
    path.unlink()
    quick(n_costs=17, checkpoint=path).fit(*iris)
    before = path.read_bytes()
    with pytest.raises(ValueError, match="another search: n_costs"):
        search.fit(*iris)
    assert path.read_bytes() == before


def test_changes_in_place_are_seen(iris):
    X, y = iris
    X = X.copy()
    search = quick(RandomForestClassifier(3)).fit(X, y)
    search.set_params(estimator__max_depth=1, warm_start=True, n_generations=4)
    with pytest.raises(ValueError, match="another search: estimator"):
        search.fit(X, y)
    search = quick().fit(X, y)
    X[:] = 0.0
    with pytest.raises(ValueError, match="another search: X"):
        search.set_params(warm_start=True, n_generations=4).fit(X, y)


def test_copies_that_are_to_be_continued_later(iris):
    whole = quick(n_generations=4).fit(*iris)
    search = quick().fit(*iris).set_params(warm_start=True)
    copy = pickle.loads(pickle.dumps(search)).set_params(n_generations=4)
    assert outcome(copy.fit(*iris)) == outcome(whole)


def test_ctrl_c_before_the_first_fit_leaves_what_was(iris):
    Interrupted.at = None
    search = quick(Interrupted(), warm_start=True).fit(*iris)
    front = search.front_
    Interrupted.n_fits, Interrupted.at = 0, 1
    with pytest.raises(KeyboardInterrupt):
        search.set_params(n_generations=5).fit(*iris)
    assert search.front_ is front
    Interrupted.at = None
    assert outcome(search.fit(*iris)) == outcome(
        quick(Interrupted(), n_generations=5).fit(*iris)
    )


class Costs:
    """Random costs until somebody presses Ctrl-C."""

    n_calls, at = 0, None

    def __call__(self, rng, n, archive):
        """Costs."""
        type(self).n_calls += 1
        if type(self).n_calls == type(self).at:
            raise KeyboardInterrupt
        return rng.random((n, 3, 3)) * (1.0 - np.eye(3))


def test_ctrl_c_in_functions_of_others(iris, tmp_path):
    """What is left is the state before the generation that they broke off."""
    options = {"cost_proposal": Costs(), "n_generations": 20}
    whole = quick(**options).fit(*iris)
    Costs.n_calls, Costs.at = 0, 8
    path = tmp_path / "search.skvus"
    search = quick(**options, checkpoint=path, checkpoint_every=10**6)
    with pytest.raises(KeyboardInterrupt):
        search.fit(*iris)
    assert search.n_generations_ == 6
    assert path.exists()
    assert outcome(search.fit(*iris)) == outcome(whole)


def test_ctrl_c_while_the_front_is_made(iris, tmp_path, monkeypatch):
    import signal

    import skvus.search._steps as module

    class Found(module.Found):
        @classmethod
        def of(cls, *arguments):
            signal.raise_signal(signal.SIGINT)
            return module_found.of(*arguments)

    module_found = module.Found
    monkeypatch.setattr(module, "Found", Found)
    path = tmp_path / "search.skvus"
    search = quick(checkpoint=path, on_interrupt="keep")
    with pytest.warns(UserWarning, match="Interrupted after 2 of 2"):
        search.fit(*iris)
    assert search.predict(iris[0]).shape == iris[1].shape
    assert path.exists()
    with pytest.raises(KeyboardInterrupt):
        quick().fit(*iris)


class Choosy(GaussianNB):
    """Cannot be fitted with large parameters."""

    def fit(self, X, y, sample_weight=None):
        if self.var_smoothing > 0.5:
            raise RuntimeError("too large")
        return super().fit(X, y, sample_weight)


@pytest.mark.filterwarnings("ignore")
def test_islands_without_members(iris):
    """Some find nothing at the start: the others go on."""
    distributions = {"var_smoothing": [0.1, 0.2, 1.0, 2.0]}
    sizes = set()
    for seed in range(6):
        options = {"n_islands": 3, "n_initial": 1, "random_state": seed}
        try:
            search = quick(Choosy(), distributions, **options).fit(*iris)
        except ValueError as error:
            assert "None of the 3 candidates of the start" in str(error)  # noqa: PT017
            continue
        sizes.add(len(search.island_fronts_))
        assert search.n_generations_ == 2
        short = quick(Choosy(), distributions, **options, max_time=0.0).fit(*iris)
        assert len(short.front_)
    assert len(sizes) > 1


@pytest.mark.filterwarnings("ignore")
def test_time_that_is_too_short_for_a_good_candidate(iris, tmp_path):
    """Each part gets on, also if it finds nothing."""
    options = {"checkpoint": tmp_path / "search.skvus", "max_time": 0.0, "random_state": 2}
    distributions = {"var_smoothing": [0.1, 1.0, 2.0, 3.0]}
    n_failed = 0
    for _ in range(15):
        try:
            search = quick(Choosy(), distributions, **options).fit(*iris)
        except ValueError:
            n_failed += 1
            continue
        break
    assert len(search.front_)
    assert n_failed < 14


@pytest.mark.filterwarnings("ignore")
def test_genomes_without_end_can_be_resumed(iris, tmp_path):
    """Absolute steps may draw infinite values, whose candidates are left out."""
    options = {"step_scale": "absolute", "checkpoint": tmp_path / "search.skvus"}
    distributions = {"var_smoothing": pareto(0.002)}
    quick(param_distributions=distributions, **options, n_initial=8).fit(*iris)
    search = quick(param_distributions=distributions, **options, n_initial=8, n_generations=4)
    assert search.fit(*iris).n_generations_ == 4


def test_names_that_are_too_long_are_refused(iris, tmp_path):
    with pytest.raises(ValueError, match="checkpoint must have a name of at most"):
        quick(checkpoint=tmp_path / ("y" * 240)).fit(*iris)


def test_ctrl_c_while_a_file_gets_its_name(iris, tmp_path, monkeypatch):
    import os
    import signal

    replace, path = os.replace, tmp_path / "search.skvus"

    def interrupted(source, target):
        replace(source, target)
        if str(target) == str(path):
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(os, "replace", interrupted)
    search = quick(checkpoint=path, checkpoint_every=1)
    with pytest.raises(KeyboardInterrupt):
        search.fit(*iris)
    assert search.interrupted_
    assert path.exists()
