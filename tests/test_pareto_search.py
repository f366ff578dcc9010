"""The search itself: interruption, progress, operators, bad input."""

import random
import signal
import sys
import threading

import numpy as np
import pytest
from deap import base, tools
from scipy import stats
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_wine, make_blobs
from sklearn.exceptions import FitFailedWarning, NotFittedError
from sklearn.linear_model import LogisticRegression, Perceptron, Ridge, RidgeClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skvus import CostMatrixClassifier, ParetoROCSearch, ROCFront, WithinLimits
from skvus.search._interrupts import InterruptGuard

SMALL = {"n_generations": 5, "n_costs": 20, "n_initial": 10, "random_state": 0}


@pytest.fixture(scope="module")
def wine():
    """Two measurements, on which the cultivars overlap."""
    X, y = load_wine(return_X_y=True)
    return X[:, [1, 2]], y


class Counting(ClassifierMixin, BaseEstimator):
    """Gaussian classes; does something at its n-th fit."""

    calls = 0

    def __init__(self, at=None, action=None, smoothing=1e-9):
        self.at = at
        self.action = action
        self.smoothing = smoothing

    def __sklearn_clone__(self):
        return type(self)(self.at, self.action, self.smoothing)

    def fit(self, X, y):
        type(self).calls += 1
        if type(self).calls == self.at:
            self.action()
        self.inner_ = GaussianNB(var_smoothing=self.smoothing).fit(X, y)
        self.classes_ = self.inner_.classes_
        self.n_features_in_ = X.shape[1]
        return self

    def predict_proba(self, X):
        return self.inner_.predict_proba(X)

    def predict(self, X):
        return self.inner_.predict(X)


def interrupt():
    raise KeyboardInterrupt


def counting(at=None, action=None):
    Counting.calls = 0
    return Counting(at, action)


SMOOTHING = {"smoothing": stats.loguniform(1e-6, 1e2)}


# --- interruption ---------------------------------------------------------------------


def test_an_interrupt_keeps_the_front_and_is_raised(wine):
    search = ParetoROCSearch(counting(71, interrupt), SMOOTHING, **SMALL)
    with pytest.raises(KeyboardInterrupt):
        search.fit(*wine)
    assert search.interrupted_
    assert len(search.front_) > 1
    assert search.logbook_[-1]["generation"] == 4  # 50 fits to start, 5 a generation
    with pytest.raises(AttributeError, match="no classifier"):
        search.predict(wine[0])


def test_an_interrupt_can_leave_a_usable_search(wine):
    X, y = wine
    search = ParetoROCSearch(counting(61, interrupt), SMOOTHING, on_interrupt="keep", **SMALL)
    with pytest.warns(UserWarning, match="Interrupted after 2 of 5"):
        search.fit(X, y)
    assert search.interrupted_
    assert search.predict(X).shape == y.shape
    # what was found is what an uninterrupted search had found by then
    shorter = ParetoROCSearch(counting(), SMOOTHING, **{**SMALL, "n_generations": 2})
    shorter.fit(X, y)
    assert not shorter.interrupted_
    np.testing.assert_array_equal(search.front_.rates, shorter.front_.rates)
    np.testing.assert_array_equal(search.front_.costs, shorter.front_.costs)


def test_a_second_interrupt_is_always_raised(wine):
    calls = []

    def twice():
        calls.append(1)
        Counting.calls = 60  # the refit is interrupted, too
        raise KeyboardInterrupt

    search = ParetoROCSearch(counting(61, twice), SMOOTHING, on_interrupt="keep", **SMALL)
    with (
        pytest.warns(UserWarning, match="Interrupted"),
        pytest.raises(KeyboardInterrupt),
    ):
        search.fit(*wine)
    assert len(calls) == 2
    assert len(search.front_) > 1


def test_an_interrupt_before_there_is_an_archive(wine):
    search = ParetoROCSearch(counting(1, interrupt), SMOOTHING, on_interrupt="keep", **SMALL)
    with pytest.raises(KeyboardInterrupt):
        search.fit(*wine)
    assert search.interrupted_
    assert not hasattr(search, "front_")


def test_nothing_of_an_earlier_fit_outlives_an_interrupt(wine):
    X, y = wine
    search = ParetoROCSearch(counting(), SMOOTHING, **SMALL).fit(X, y)
    search.set_params(estimator=counting(70, interrupt))
    with pytest.raises(KeyboardInterrupt):
        search.fit(X, y)
    assert not hasattr(search, "best_estimator_")


def test_insertion_is_not_torn_by_ctrl_c():
    done = []

    def critical():
        with InterruptGuard() as guard:
            with guard.whole():
                signal.raise_signal(signal.SIGINT)
                done.append("whole")
            done.append("never")

    with pytest.raises(KeyboardInterrupt):
        critical()
    assert done == ["whole"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    with InterruptGuard(), pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)  # at once where nothing can be torn
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_signals_that_are_ignored_stay_so():
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with InterruptGuard() as guard, guard.whole():
            signal.raise_signal(signal.SIGINT)
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def test_the_front_outlives_any_failure(wine):
    def die():
        raise MemoryError("no more")

    search = ParetoROCSearch(counting(61, die), SMOOTHING, error_score="raise", **SMALL)
    with pytest.raises(MemoryError, match="no more"):
        search.fit(*wine)
    assert search.interrupted_
    assert len(search.front_) > 1
    assert search.logbook_.select("generation")[-1] == 2
    with pytest.raises(AttributeError, match="no classifier"):
        search.predict(wine[0])


def test_other_threads_search_too(wine):
    found = []
    thread = threading.Thread(
        target=lambda: found.append(ParetoROCSearch(GaussianNB(), **SMALL).fit(*wine))
    )
    thread.start()
    thread.join()
    expected = ParetoROCSearch(GaussianNB(), **SMALL).fit(*wine)
    np.testing.assert_array_equal(found[0].front_.rates, expected.front_.rates)


# --- progress -------------------------------------------------------------------------


def test_a_bar_shows_how_far_the_search_is(wine, capsys):
    ParetoROCSearch(GaussianNB(), verbose=1, **SMALL).fit(*wine)
    shown = capsys.readouterr().err
    assert "5/5" in shown
    assert "110 evaluations" in shown
    assert "front" in shown
    assert "G 0." in shown


def test_lines_without_tqdm(wine, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    ParetoROCSearch(GaussianNB(), verbose=1, **SMALL).fit(*wine)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 6
    assert lines[-1].startswith("ParetoROCSearch: generation 5/5, 110 evaluations, front ")


def test_callbacks_of_scikit_learn(wine, capsys):
    callback = pytest.importorskip("sklearn.callback")
    seen = []

    class Watch:
        """Counts generations, and stops after three."""

        def setup(self, estimator, context):
            seen.append("setup")

        def on_fit_task_begin(self, estimator, context, **options):
            pass

        def on_fit_task_end(self, estimator, context, **options):
            seen.append(context.task_name)
            return seen.count("generation") == 3

        def teardown(self, estimator, context):
            seen.append("teardown")

    search = ParetoROCSearch(GaussianNB(), **SMALL).set_callbacks(Watch())
    search.fit(*wine)
    assert seen[0] == "setup"
    assert seen[-1] == "teardown"
    assert seen.count("generation") == len(search.logbook_) - 1 == 3
    ParetoROCSearch(GaussianNB(), **SMALL).set_callbacks(callback.ProgressBar()).fit(*wine)


# --- operators ------------------------------------------------------------------------


def test_operators_of_deap_replace_ours(wine):
    X, y = wine
    toolbox = base.Toolbox()
    toolbox.register("select", tools.selTournament, tournsize=3)
    toolbox.register("mutate", tools.mutGaussian, mu=0.0, sigma=0.2, indpb=1.0)
    options = {"param_distributions": SMOOTHING, "n_offspring": 2, **SMALL}
    state = random.getstate()
    fronts = [
        ParetoROCSearch(GaussianNBWithSmoothing(), toolbox=given, **options).fit(X, y).front_
        for given in (toolbox, toolbox, None)
    ]
    assert random.getstate() == state  # left as it was
    np.testing.assert_array_equal(fronts[0].costs, fronts[1].costs)
    assert fronts[0].params != fronts[2].params


class GaussianNBWithSmoothing(Counting):
    """The same, for parameters named as above."""


def test_selections_that_look_at_all_members(wine):
    toolbox = base.Toolbox()
    toolbox.register("select", tools.selNSGA2)
    search = ParetoROCSearch(counting(), SMOOTHING, toolbox=toolbox, **SMALL).fit(*wine)
    assert len(search.front_) > 1


def test_costs_and_evaluation_by_a_toolbox(wine):
    X, y = wine
    proba = GaussianNB().fit(X, y).predict_proba(X)
    asked = []
    toolbox = base.Toolbox()

    def propose(rng, n, archive):
        asked.append((n, archive.costs.shape, len(archive)))
        return np.broadcast_to(1.0 - np.eye(3), (n, 3, 3))

    toolbox.register("propose_costs", propose)
    toolbox.register("evaluate", lambda individual: proba)
    options = {**SMALL, "cost_proposal": "dirichlet"}
    search = ParetoROCSearch(GaussianNB(), cv="resubstitution", toolbox=toolbox, **options)
    search.fit(X, y)
    assert asked[0] == (10, (0, 3, 3), 0)
    assert asked[1] == (20, (1, 3, 3), 1)
    assert len(search.front_) == 1  # equal costs only
    np.testing.assert_array_equal(search.predict(X), GaussianNB().fit(X, y).predict(X))


def test_a_map_of_ones_own(wine):
    used = []

    def counted(function, individuals):
        used.append(len(individuals))
        return [function(individual) for individual in individuals]

    toolbox = base.Toolbox()
    toolbox.register("map", counted)
    options = {"param_distributions": SMOOTHING, "n_offspring": 3, **SMALL}
    mine = ParetoROCSearch(counting(), toolbox=toolbox, **options).fit(*wine)
    ours = ParetoROCSearch(counting(), **options).fit(*wine)
    assert used == [10, 3, 3, 3, 3, 3]
    assert mine.front_.rates.shape[1:] == ours.front_.rates.shape[1:]


def test_costs_within_bounds(wine):
    X, y = wine

    def bounded(rng, n, archive):
        costs = rng.dirichlet(np.ones(6), size=n)
        matrices = np.zeros((n, 3, 3))
        matrices[:, ~np.eye(3, dtype=bool)] = np.clip(costs, 0.1, 0.3)
        return matrices

    front = ParetoROCSearch(GaussianNB(), cost_proposal=bounded, **SMALL).fit(X, y).front_
    costs = front.costs[:, ~np.eye(3, dtype=bool)]
    assert (costs.max(axis=1) / costs.min(axis=1)).max() <= 3.0 + 1e-9


def test_costs_that_are_roughly_known(wine):
    X, y = wine
    expected = np.array([[0.0, 1.0, 8.0], [1.0, 0.0, 1.0], [1.0, 1.0, 0.0]])
    front = (
        ParetoROCSearch(
            GaussianNB(), cost_alpha=100.0 * expected, cost_proposal="dirichlet", **SMALL
        )
        .fit(X, y)
        .front_
    )
    shares = expected / expected.sum()
    assert np.abs(front.costs - shares).max() < 0.1


# --- weights --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "estimator",
    [
        LogisticRegression(),
        make_pipeline(StandardScaler(), LogisticRegression()),
        MLPClassifier((3,), solver="lbfgs", max_iter=30, random_state=0),
    ],
    ids=["linear", "pipeline", "perceptron"],
)
@pytest.mark.parametrize("cv", [3, "resubstitution"])
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_weights_are_displaced_and_restored(wine, estimator, cv):
    X, y = wine
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    options = {**SMALL, "n_generations": 40, "step": 0.05}
    search = ParetoROCSearch(estimator, evolve="weights", cv=cv, **options).fit(X, y)
    displaced = [member.params["weight_step"] for member in search.front_]
    assert any(np.any(step) for step in displaced)
    if cv == "resubstitution":
        chosen = search.front_[search.best_index_]
        counts = [
            [np.sum((y == k) & (search.predict(X) == j)) for j in range(3)] for k in range(3)
        ]
        np.testing.assert_array_equal(counts, chosen.counts)
    assert not hasattr(estimator, "classes_")


class Protocol(GaussianNB):
    """Offers its means to be evolved."""

    def get_weights(self):
        return [self.theta_]

    def set_weights(self, arrays):
        (self.theta_,) = arrays


def test_weights_by_protocol(wine):
    search = ParetoROCSearch(Protocol(), evolve="weights", **SMALL).fit(*wine)
    assert search.front_.params[0]["weight_step"].shape == (6,)
    assert isinstance(search.best_estimator_, CostMatrixClassifier)


def test_weights_of_what_has_none(wine):
    with pytest.raises(TypeError, match="get_weights"):
        ParetoROCSearch(GaussianNB(), evolve="weights", **SMALL).fit(*wine)


class Deaf(GaussianNB):
    """Has weights that it does not use."""

    def fit(self, X, y):
        self.coef_, self.intercept_ = np.ones((3, 2)), np.ones(3)
        return super().fit(X, y)


def test_weights_that_change_nothing(wine):
    with pytest.raises(TypeError, match="does not change"):
        ParetoROCSearch(Deaf(), evolve="weights", **SMALL).fit(*wine)


# --- bad input ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"n_costs": 0}, ValueError, "n_costs must be an integer of at least 1; got 0"),
        ({"n_initial": 0}, ValueError, "n_initial must be"),
        ({"n_offspring": 1.5}, ValueError, "n_offspring must be"),
        ({"n_generations": -1}, ValueError, "n_generations must be"),
        ({"evolve": "all"}, ValueError, "evolve must be one of"),
        ({"evolve": "params"}, ValueError, "param_distributions must be given"),
        ({"evolve": "weights", "param_distributions": {"at": [1]}}, ValueError, "must be None"),
        ({"objectives": "error"}, ValueError, "objectives must be one of"),
        ({"step": -1.0}, ValueError, "step must be a finite number"),
        ({"step": np.nan}, ValueError, "step must be a finite number"),
        ({"step_scale": "log"}, ValueError, "step_scale must be one of"),
        ({"selection": "best"}, ValueError, "selection must be one of"),
        ({"cost_alpha": 0.0}, ValueError, "cost_alpha must be positive"),
        ({"cost_alpha": np.ones((2, 2))}, ValueError, "cost_alpha must be a number or have"),
        ({"cost_proposal": "random"}, ValueError, "cost_proposal must be one of"),
        ({"cv": "loo"}, ValueError, "cv must be one of"),
        ({"cv": 1.5}, ValueError, "cv as a share must be between 0 and 1"),
        ({"cv": 1}, ValueError, "cv must be an integer of at least 2"),
        ({"cv": object()}, ValueError, "cv must be None, an int"),
        ({"cv": []}, ValueError, "cv must make at least one split"),
        ({"cv": "prefit"}, ValueError, "refit must be False"),
        ({"cv": "prefit", "refit": False}, NotFittedError, "not fitted"),
        ({"refit": "yes"}, ValueError, "refit must be one of"),
        ({"on_interrupt": "stop"}, ValueError, "on_interrupt must be one of"),
        ({"error_score": "nan"}, ValueError, "error_score must be 'raise' or a number"),
        ({"toolbox": "deap"}, TypeError, "toolbox must be a deap.base.Toolbox"),
        ({"random_state": "seed"}, ValueError, "random_state must be"),
        ({"operating_point": "best"}, (TypeError, ValueError), "operating_point cannot be met"),
        (
            {"operating_point": WithinLimits({"wine": 0.1})},
            (TypeError, ValueError),
            "operating_point cannot be met",
        ),
        (
            {"operating_point": WithinLimits({2: 0.001}, confidence=0.95)},
            ValueError,
            "operating_point cannot be met",
        ),
        ({"param_distributions": {}}, TypeError, "at least one"),
        ({"param_distributions": [1]}, TypeError, "must be a dict"),
        ({"param_distributions": {"depth": [1]}}, ValueError, "'depth' is none of"),
        ({"param_distributions": {"at": []}}, TypeError, "not empty"),
        ({"param_distributions": {"at": 3}}, TypeError, "must be a list of values"),
        ({"param_distributions": {"at": "abc"}}, TypeError, "must be a list of values"),
        ({"param_distributions": {"at": stats.uniform}}, TypeError, "must be a frozen"),
    ],
)
def test_wrong_options_are_named_before_any_fit(wine, options, error, message):
    search = ParetoROCSearch(counting(1, pytest.fail), **{**SMALL, **options})
    with pytest.raises(error, match=message):
        search.fit(*wine)


@pytest.mark.parametrize(
    "estimator", [Perceptron(), RidgeClassifier(), LogisticRegression, None, "tree"]
)
def test_estimators_without_posteriors(wine, estimator):
    with pytest.raises(TypeError, match="estimator must be an instance of a classifier"):
        ParetoROCSearch(estimator).fit(*wine)


@pytest.mark.parametrize(
    ("estimator", "end"),
    [
        (
            LogisticRegression,
            r"got the class LogisticRegression\. Give an instance: Logis.*\(\)\.",
        ),
        (Ridge(), r"got Ridge\(\)\."),
        ("tree", r"got 'tree'\."),
        (make_pipeline(StandardScaler(), RidgeClassifier()), r"decides by\."),
        (Perceptron(), r"CalibratedClassifierCV makes posteriors .* decides by\."),
    ],
)
def test_what_to_do_about_estimators_without_posteriors(wine, estimator, end):
    with pytest.raises(TypeError, match=f"{end}$"):
        ParetoROCSearch(estimator).fit(*wine)


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("C", "logisticregression__C"),
        ("logisticregresion__C", "logisticregression__C"),
        ("StandardScaler__with_mean", "standardscaler__with_mean"),
        ("logisticregression__penalti", "logisticregression__penalty"),
        ("verbos", "verbose"),
        ("svc__C", "logisticregression__C"),
    ],
)
def test_names_of_parameters_that_are_near(wine, name, meant):
    estimator = make_pipeline(StandardScaler(), LogisticRegression())
    search = ParetoROCSearch(estimator, param_distributions={name: [1, 2]})
    with pytest.raises(
        ValueError, match=rf"none of Pipeline\. Did you mean '{meant}'\? They are"
    ):
        search.fit(*wine)
    for far in ("zzz", "logisticregression__zzz"):
        with pytest.raises(ValueError, match=rf"'{far}' is none of Pipeline\. They are"):
            search.set_params(param_distributions={far: [1]}).fit(*wine)


def test_one_class(wine):
    X, _ = wine
    with pytest.raises(ValueError, match="at least two classes"):
        ParetoROCSearch(counting(1, pytest.fail)).fit(X, np.zeros(len(X)))


def test_a_split_without_some_class(wine):
    X, y = wine
    first = np.flatnonzero(y < 2), np.flatnonzero(y == 2)
    with pytest.raises(ValueError, match=r"to train on; split 0 has none of \[2\]"):
        ParetoROCSearch(counting(1, pytest.fail), cv=[first]).fit(X, y)
    with pytest.raises(ValueError, match=r"to validate on, .* none of \[2\]"):
        ParetoROCSearch(counting(1, pytest.fail), cv=[(np.arange(len(y)), first[0])]).fit(X, y)


def test_limits_that_the_front_cannot_meet_cost_no_work(wine):
    X, y = wine
    rule = WithinLimits({0: 0.0, 1: 0.0, 2: 0.0})
    search = ParetoROCSearch(GaussianNB(), operating_point=rule, **SMALL)
    with pytest.raises(ValueError, match="limits"):
        search.fit(X, y)
    assert isinstance(search.front_, ROCFront)
    search.set_operating_point("distance")
    assert search.predict(X).shape == y.shape


def fail():
    raise ValueError("no luck")


def test_fits_that_fail_are_left_out(wine):
    search = ParetoROCSearch(counting(53, fail), SMOOTHING, **SMALL, store_cv_results=True)
    with pytest.warns(FitFailedWarning, match=r"1 of 75 fits failed.*'smoothing'"):
        search.fit(*wine)
    assert (search.cv_results_["n_entered"] == -1).sum() == 1


def test_fits_that_fail_can_be_raised(wine):
    search = ParetoROCSearch(counting(53, fail), SMOOTHING, **SMALL, error_score="raise")
    with pytest.raises(ValueError, match="no luck"):
        search.fit(*wine)


class Hopeless(Counting):
    def fit(self, X, y):
        fail()


def test_when_all_fits_fail(wine):
    with pytest.raises(ValueError, match=r"(?s)None of the 10 candidates.*50 of 50.*no luck"):
        ParetoROCSearch(Hopeless(), SMOOTHING, **SMALL).fit(*wine)
    with pytest.raises(ValueError, match="no luck"):
        ParetoROCSearch(Hopeless(), **SMALL).fit(*wine)


def test_not_fitted(wine):
    search = ParetoROCSearch(GaussianNB())
    for method in ("predict", "predict_proba", "predict_log_proba"):
        with pytest.raises(NotFittedError):
            getattr(search, method)(wine[0])
    with pytest.raises(NotFittedError):
        search.set_operating_point("knee")


def test_proposals_of_the_wrong_kind(wine):
    for wrong in (np.ones((20, 3, 3)), np.zeros((20, 3, 3)), np.ones((3, 3)), None):
        with pytest.raises(ValueError, match="cost_proposal"):
            ParetoROCSearch(
                GaussianNB(), cost_proposal=lambda *_, wrong=wrong: wrong, **SMALL
            ).fit(*wine)


def test_inputs_stay_as_they_are(wine):
    X, y = wine[0].copy(), wine[1].copy()
    weight = np.linspace(1.0, 2.0, len(y))
    given = X.copy(), y.copy(), weight.copy()
    for array in (X, y, weight):
        array.flags.writeable = False
    ParetoROCSearch(GaussianNB(), **SMALL).fit(X, y, sample_weight=weight)
    for array, copy in zip((X, y, weight), given, strict=True):
        np.testing.assert_array_equal(array, copy)


# --- parameters -----------------------------------------------------------------------


class OnlyDraws:
    """A distribution as scikit-learn's random search takes it: no quantiles."""

    def rvs(self, random_state=None):
        return random_state.uniform(0.1, 10.0)


@pytest.mark.parametrize("step_scale", ["relative", "absolute"])
def test_distributions_of_every_kind(step_scale):
    X, y = make_blobs(120, centers=3, cluster_std=4.0, random_state=0)
    distributions = {
        "logisticregression__C": stats.loguniform(1e-3, 1e3),
        "logisticregression__max_iter": stats.randint(100, 200),
        "logisticregression__tol": OnlyDraws(),
        "logisticregression__class_weight": [None, "balanced"],
        "standardscaler": [StandardScaler(), "passthrough"],
    }
    search = ParetoROCSearch(
        make_pipeline(StandardScaler(), LogisticRegression()),
        distributions,
        step_scale=step_scale,
        store_cv_results=True,
        cv=2,
        **SMALL,
    ).fit(X, y)
    tried = search.cv_results_["params"]
    assert len(tried) == 15
    assert {type(p["logisticregression__max_iter"]) for p in tried} == {int}
    assert all(100 <= p["logisticregression__max_iter"] < 200 for p in tried)
    assert all(1e-3 <= p["logisticregression__C"] <= 1e3 for p in tried)
    assert all(0.1 <= p["logisticregression__tol"] <= 10.0 for p in tried)
    assert {str(p["standardscaler"]) for p in tried} == {"StandardScaler()", "passthrough"}
    assert search.best_params_ == search.front_.params[search.best_index_]
    assert (
        search.estimator_.get_params()["logisticregression__C"]
        == (search.best_params_["logisticregression__C"])
    )
