"""The search keeps to what is true when classifiers, operators and users do strange things."""

import multiprocessing
import pickle
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import pytest
from deap import base
from scipy import stats
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import ConvergenceWarning, FitFailedWarning, NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import confusion_matrix, pairwise_distances
from sklearn.model_selection import RepeatedStratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.utils.validation import check_is_fitted

from skvus import (
    BestScore,
    ParetoROCSearch,
    ProbabilisticKNeighborsClassifier,
    ROCFront,
    WithinLimits,
)
from skvus.datasets import make_ripley_mixture

SMALL = {"n_generations": 3, "n_costs": 10, "n_initial": 10, "random_state": 0, "cv": 2}
SMOOTHING = {"var_smoothing": stats.loguniform(1e-9, 1)}


@pytest.fixture(scope="module")
def flowers():
    """Iris with noise, so that the classes overlap."""
    X, y = load_iris(return_X_y=True)
    return X + np.random.default_rng(0).normal(size=X.shape), y


def small(estimator, *arguments, **options):
    return ParetoROCSearch(estimator, *arguments, **{**SMALL, **options})


def toolbox(**operators):
    box = base.Toolbox()
    for name, operator in operators.items():
        box.register(name, operator)
    return box


# --- classifiers ------------------------------------------------------------------


class Reversed(ClassifierMixin, BaseEstimator):
    """Classes, and posteriors, in descending order."""

    def fit(self, X, y):
        self.inner_ = GaussianNB().fit(X, y)
        self.classes_ = self.inner_.classes_[::-1]

    def predict_proba(self, X):
        return self.inner_.predict_proba(X)[:, ::-1]


def test_classes_in_another_order_are_refused(flowers):
    with pytest.raises(ValueError, match=r"classes_ of Reversed must be .* in their order"):
        small(Reversed()).fit(*flowers)


class ReturnsNothing(GaussianNB):
    def fit(self, X, y):
        super().fit(X, y)


@pytest.mark.parametrize("distributions", [None, SMOOTHING])
def test_fits_that_return_nothing(flowers, distributions):
    found = small(ReturnsNothing(), distributions).fit(*flowers).front_
    np.testing.assert_array_equal(
        found.rates, small(GaussianNB(), distributions).fit(*flowers).front_.rates
    )


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        ((), {"evolve": "weights"}),
        (({"logisticregression__C": [0.1, 1.0]},), {}),
        (({"logisticregression__C": [0.1, 1.0]},), {"cv": "resubstitution"}),
        ((), {"evolve": "weights", "cv": "prefit", "refit": False}),
    ],
    ids=["weights", "params", "resubstitution", "prefit"],
)
def test_transformers_that_work_in_place(flowers, arguments, options):
    X, y = flowers[0] * 3 + 5, flowers[1]
    before = X.copy()
    found = []
    for copy in (False, True):
        model = make_pipeline(StandardScaler(copy=copy), LogisticRegression())
        if options.get("cv") == "prefit":
            model.fit(before.copy(), y)
        search = small(model, *arguments, **options).fit(X, y)
        search.set_operating_point(0)
        found.append(search.front_)
        np.testing.assert_array_equal(X, before)
        counts = search.cv_results_["counts"].sum(axis=0)
        np.testing.assert_array_equal(counts, search.front_.counts[0])
    np.testing.assert_array_equal(found[0].rates, found[1].rates)


def test_weights_of_other_shapes_in_some_folds():
    X = pd.DataFrame({"a": ["u", "v", "w"] * 20, "b": np.arange(60.0)})
    X.loc[7, "a"] = "rare"
    y = np.arange(60) % 3
    encoder = make_column_transformer(
        (OneHotEncoder(handle_unknown="ignore"), ["a"]), remainder="passthrough"
    )
    model = make_pipeline(encoder, StandardScaler(), LogisticRegression())
    with pytest.raises(ValueError, match=r"same shapes .* in fold 0 and .* in fold 1"):
        small(model, evolve="weights").fit(X, y)
    # one fold of one shape, but all data have another
    split = [(np.delete(np.arange(60), 7), np.arange(7))]
    with pytest.raises(ValueError, match=r"same shapes .* in all data"):
        small(model, evolve="weights", cv=split).fit(X, y)


def test_folds_start_alike_where_weights_are_moved():
    """Hidden units of networks that start differently do not correspond."""
    X, y = make_ripley_mixture(150, random_state=0)
    network = MLPClassifier((4,), max_iter=1000, solver="lbfgs", alpha=0.1)
    search = small(network, evolve="weights").fit(X, y)
    again = small(network, evolve="weights").fit(X, y)
    np.testing.assert_array_equal(search.front_.costs, again.front_.costs)
    np.testing.assert_array_equal(search.predict_proba(X), again.predict_proba(X))
    assert search.estimator_.random_state is not None
    assert network.random_state is None


class Brittle(LogisticRegression):
    """Has no posteriors where weights are large."""

    def predict_proba(self, X):
        proba = super().predict_proba(X)
        return proba if np.abs(self.coef_).max() < 50.0 else np.full_like(proba, np.nan)


def test_candidates_without_finite_posteriors_are_left_out(flowers):
    options = {"evolve": "weights", "step": 1e300}
    with pytest.warns(FitFailedWarning, match=r"3 of \d fits failed.*weight_step"):
        search = small(Brittle(), **options).fit(*flowers)
    assert len(search.front_)
    with pytest.raises(ValueError, match="finite"):
        small(Brittle(), error_score="raise", **options).fit(*flowers)


class NoSuchWeights(GaussianNB):
    def __init__(self, weights=None):
        super().__init__()
        self.weights = weights

    def get_weights(self):
        return self.weights

    def set_weights(self, arrays):
        raise AssertionError


@pytest.mark.parametrize("weights", [None, [], "text", [["a"]]])
def test_weights_that_are_none(flowers, weights):
    with pytest.raises(TypeError, match="evolve='weights' takes"):
        small(NoSuchWeights(weights), evolve="weights").fit(*flowers)


def test_sparse_coefficients_are_no_weights(flowers):
    fitted = LogisticRegression().fit(*flowers).sparsify()
    with pytest.raises(TypeError, match="dense arrays"):
        small(fitted, evolve="weights", cv="prefit", refit=False).fit(*flowers)


def test_leave_one_out_at_the_end_of_a_pipeline():
    X, y = make_ripley_mixture([50, 40, 30], random_state=0)
    neighbours = ProbabilisticKNeighborsClassifier()
    search = small(make_pipeline(StandardScaler(), neighbours), cv="resubstitution").fit(X, y)
    proba = neighbours.fit(StandardScaler().fit_transform(X), y).predict_proba(None)
    for member, cost in zip(search.front_, search.front_.costs, strict=True):
        counts = confusion_matrix(y, (proba @ cost).argmin(axis=1))
        np.testing.assert_array_equal(member.counts, counts)


@pytest.mark.parametrize(
    ("model", "distributions"),
    [
        (KNeighborsClassifier(weights="distance"), {"n_neighbors": [5, 150]}),
        (ProbabilisticKNeighborsClassifier(), {"n_neighbors": [5, 150]}),
    ],
)
def test_no_candidate_is_judged_by_its_training_data(flowers, model, distributions):
    """One that cannot leave a case out has failed; it is not better than the others."""
    with pytest.warns(FitFailedWarning, match="n_neighbors"):
        search = small(model, distributions, cv="resubstitution").fit(*flowers)
    assert {params["n_neighbors"] for params in search.front_.params} == {5}
    with pytest.raises(ValueError, match="n_neighbors"):
        small(model, distributions, cv="resubstitution", error_score="raise").fit(*flowers)


def test_frozen_neighbours_leave_out_cases_of_their_own(flowers):
    X, y = flowers
    frozen = FrozenEstimator(KNeighborsClassifier().fit(X[::2], y[::2]))
    found = small(frozen, cv="resubstitution").fit(X[1::2], y[1::2]).front_
    expected = small(frozen.estimator, cv="prefit", refit=False).fit(X[1::2], y[1::2]).front_
    np.testing.assert_array_equal(found.counts, expected.counts)


def test_fitted_classifiers_of_pairs(flowers):
    X, y = flowers
    model = ProbabilisticKNeighborsClassifier(metric="precomputed")
    model.fit(pairwise_distances(X[::2]), y[::2])
    pairs = pairwise_distances(X[1::2], X[::2])
    search = small(model, cv="prefit", refit=False).fit(pairs[10:], y[1::2][10:])
    plain = ProbabilisticKNeighborsClassifier().fit(X[::2], y[::2])
    expected = small(plain, cv="prefit", refit=False).fit(X[1::2][10:], y[1::2][10:])
    np.testing.assert_array_equal(search.front_.counts, expected.front_.counts)


def test_no_intercept_where_none_was_wanted(flowers):
    model = LogisticRegression(fit_intercept=False)
    search = small(model, evolve="weights", n_generations=10).fit(*flowers)
    np.testing.assert_array_equal(search.estimator_.intercept_, 0.0)
    assert len(search.best_params_["weight_step"]) == 12


class Drawing(RandomForestClassifier):
    """Different at each fit."""


def test_what_was_found_is_what_is_shown(flowers):
    """A classifier that is not reproducible is not fitted again to tell how it did."""
    search = small(Drawing(3), {"max_depth": [1, 2, 3]}).fit(*flowers)
    member = search.front_[search.best_index_]
    np.testing.assert_array_equal(search.cv_results_["counts"].sum(axis=0), member.counts)


class CountedFits(GaussianNB):
    n_fits = 0

    def fit(self, X, y, sample_weight=None):
        type(self).n_fits += 1
        return super().fit(X, y, sample_weight)


def test_the_same_parameters_are_fitted_once(flowers):
    CountedFits.n_fits = 0
    search = small(CountedFits(), {"var_smoothing": [1e-9, 0.1]}, n_generations=20)
    search.fit(*flowers)
    assert CountedFits.n_fits == 2 * 2 + 1  # both values in both folds, and one on all data
    assert len({params["var_smoothing"] for params in search.front_.params}) == 2


def test_one_is_not_one_point_zero(flowers):
    """A share of all features, or one of them."""
    X, y = flowers
    forest = RandomForestClassifier(5, random_state=0)
    search = small(forest, {"max_features": [1, 1.0]}, n_generations=10).fit(X, y)
    kinds = [type(params["max_features"]) for params in search.front_.params]
    for kind in (int, float, int):
        search.set_operating_point(kinds.index(kind))
        assert type(search.estimator_.max_features) is kind


def test_choices_go_by_the_options_of_the_fit(flowers):
    X, y = flowers
    search = small(GaussianNB(), SMOOTHING).fit(X, y)
    search.set_params(refit=False, step_scale="absolute")
    other = next(i for i, p in enumerate(search.front_.params) if p != search.best_params_)
    search.set_operating_point(other)
    assert search.estimator_.var_smoothing == search.front_.params[other]["var_smoothing"]


def test_memory_of_posteriors_is_bounded(flowers, monkeypatch):
    import skvus.search._evaluation as evaluation

    whole = small(GaussianNB(), {"var_smoothing": [1e-9, 0.1, 0.5]}, n_generations=20)
    whole.fit(*flowers)
    monkeypatch.setattr(evaluation, "_MOST_CELLS", 450)  # one candidate
    search = small(CountedFits(), {"var_smoothing": [1e-9, 0.1, 0.5]}, n_generations=20)
    CountedFits.n_fits = 0
    search.fit(*flowers)
    assert CountedFits.n_fits > 7
    np.testing.assert_array_equal(search.front_.costs, whole.front_.costs)


# --- operators --------------------------------------------------------------------


def test_threads_do_not_mix_up_candidates(flowers):
    X, y = flowers
    options = {"evolve": "weights", "n_offspring": 8, "n_generations": 10}
    serial = small(LogisticRegression(), **options).fit(X, y)
    with ThreadPoolExecutor(4) as pool:
        operators = toolbox(map=lambda f, individuals: pool.map(f, individuals))
        search = small(LogisticRegression(), toolbox=operators, n_jobs=2, **options).fit(X, y)
    np.testing.assert_array_equal(search.front_.costs, serial.front_.costs)
    np.testing.assert_array_equal(search.front_.counts, serial.front_.counts)


@pytest.mark.parametrize("evolve", ["params", "weights"])
def test_a_map_over_processes(flowers, evolve):
    """As DEAP's users are used to."""
    model, distributions = LogisticRegression(), None
    if evolve == "params":
        model, distributions = GaussianNB(), SMOOTHING
    options = {"n_offspring": 3, "evolve": evolve}
    serial = small(model, distributions, **options).fit(*flowers)
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        search = small(model, distributions, toolbox=toolbox(map=pool.map), **options)
        search.fit(*flowers)
    np.testing.assert_array_equal(search.front_.costs, serial.front_.costs)
    np.testing.assert_array_equal(search.front_.counts, serial.front_.counts)


@pytest.mark.parametrize(
    ("operators", "error", "message"),
    [
        ({"select": lambda members, k: []}, ValueError, "select of toolbox must return 1 indi"),
        ({"select": lambda members, k: None}, TypeError, "select of toolbox must return a seq"),
        ({"mutate": lambda member: None}, TypeError, "mutate of toolbox must return a tuple"),
        ({"mutate": lambda member: member}, TypeError, "mutate of toolbox must return a tuple"),
        ({"mutate": lambda member: ("a",)}, ValueError, "mutate of toolbox .* 1 finite"),
        ({"mutate": lambda member: ([1, 2],)}, ValueError, "mutate of toolbox .* 1 finite"),
        ({"map": lambda function, members: []}, ValueError, "map of toolbox must return 10"),
        ({"map": lambda function, members: None}, TypeError, "map of toolbox must return a"),
        (
            {"evaluate": lambda member: np.full((150, 3), -0.5)},
            ValueError,
            "evaluate of toolbox must not be negative",
        ),
        (
            {"evaluate": lambda member: np.full((15, 3), 0.5)},
            ValueError,
            r"evaluate of toolbox must return posteriors of shape \(150, 3\)",
        ),
    ],
)
def test_operators_of_the_wrong_kind(flowers, operators, error, message):
    with pytest.raises(error, match=message):
        small(GaussianNB(), SMOOTHING, toolbox=toolbox(**operators)).fit(*flowers)


def test_wrong_numbers_of_weights(flowers):
    operators = toolbox(mutate=lambda member: (member[:3],))
    with pytest.raises(ValueError, match=r"mutate of toolbox .* one for each weight"):
        small(LogisticRegression(), evolve="weights", toolbox=operators).fit(*flowers)


def test_an_evaluation_that_uses_one_buffer(flowers):
    X, y = flowers
    buffer = np.empty((y.size, 3))

    def evaluate(individual):
        buffer[:] = GaussianNB(**individual.params).fit(X, y).predict_proba(X)
        return buffer

    def anew(individual):
        return evaluate(individual).copy()

    options = {"cv": "resubstitution", "n_initial": 1}  # one candidate at a time
    found = [
        small(GaussianNB(), SMOOTHING, toolbox=toolbox(evaluate=function), **options)
        for function in (evaluate, anew)
    ]
    fronts = [search.fit(X, y).front_ for search in found]
    np.testing.assert_array_equal(fronts[0].counts, fronts[1].counts)
    # rates in each split are those of the same evaluation
    member = fronts[1][found[1].best_index_]
    np.testing.assert_array_equal(found[1].cv_results_["counts"].sum(axis=0), member.counts)


def test_proposals_of_a_toolbox_are_all_that_is_tried(flowers):
    def propose(rng, n, individuals):
        costs = np.zeros((n, 3, 3))
        costs[:, ~np.eye(3, dtype=bool)] = rng.uniform(1.0, 2.0, size=(n, 6))
        return costs

    search = small(GaussianNB(), toolbox=toolbox(propose_costs=propose)).fit(*flowers)
    entries = search.front_.costs[:, ~np.eye(3, dtype=bool)]
    assert (entries.max(axis=1) <= 2.0 * entries.min(axis=1)).all()


def test_large_costs_do_not_overflow(flowers):
    def propose(rng, n, archive):
        return np.where(np.eye(3, dtype=bool), 0.0, 1e308) * rng.random((n, 3, 3))

    costs = small(GaussianNB(), cost_proposal=propose).fit(*flowers).front_.costs
    np.testing.assert_allclose(costs.sum(axis=(1, 2)), 1.0)


# --- costs that are roughly known -------------------------------------------------

EXPECTED = np.array([[0.0, 1.0, 1.0], [5.0, 0.0, 1.0], [20.0, 10.0, 0.0]])


@pytest.mark.parametrize(("size", "distance"), [(1.0, 0.5), (10.0, 0.2), (1000.0, 0.02)])
def test_mixed_costs_keep_to_what_is_expected(flowers, size, distance):
    search = small(GaussianNB(), cost_alpha=size * EXPECTED, n_generations=50, n_costs=100)
    costs = search.fit(*flowers).front_.costs
    assert np.abs(costs - EXPECTED / EXPECTED.sum()).max() < distance


def test_expected_costs_by_label(flowers):
    X, y = flowers
    names = np.array(["setosa", "versicolor", "virginica"])
    frame = pd.DataFrame(100 * EXPECTED, index=names, columns=names)
    pairs = {(a, b): frame.loc[a, b] for a in names for b in names if a != b}
    search = small(GaussianNB(), cost_alpha=100 * EXPECTED).fit(X, names[y])
    for other in (frame, frame.loc[names[::-1], names[[1, 0, 2]]], pairs):
        found = small(GaussianNB(), cost_alpha=other).fit(X, names[y])
        np.testing.assert_array_equal(found.front_.costs, search.front_.costs)
        drawn = ROCFront.from_predictions(
            names[y], search.predict_proba(X), cost_alpha=other, n_costs=50, random_state=0
        )
        expected = ROCFront.from_predictions(
            names[y],
            search.predict_proba(X),
            cost_alpha=100 * EXPECTED,
            n_costs=50,
            random_state=0,
        )
        np.testing.assert_array_equal(drawn.costs, expected.costs)
    with pytest.raises(ValueError, match="cost_alpha has labels"):
        small(GaussianNB(), cost_alpha=frame.rename(index={"setosa": "rose"})).fit(X, names[y])


# --- what is judged ---------------------------------------------------------------


def test_repeated_cases_make_no_limit_surer(flowers):
    X, y = flowers
    splitter = RepeatedStratifiedKFold(n_splits=3, n_repeats=4, random_state=0)
    search = small(GaussianNB(), cv=splitter).fit(X, y)
    np.testing.assert_array_equal(search.front_.counts.sum(axis=(1, 2)), 4 * y.size)
    np.testing.assert_array_equal(search.front_.class_sizes, [50, 50, 50])


def test_a_class_without_weight_in_training(flowers):
    X, y = flowers
    weight = np.ones(y.size)
    weight[y == 0] = 0.0
    weight[np.flatnonzero(y == 0)[:3]] = 1.0  # all in the first fold
    with pytest.raises(ValueError, match="of positive weight, to train on; split 0"):
        small(LogisticRegression()).fit(X, y, sample_weight=weight)


def test_weights_by_the_name_of_a_step(flowers):
    X, y = flowers
    weight = 1.0 + y
    model = make_pipeline(StandardScaler(), LogisticRegression())
    search = small(model).fit(X, y, logisticregression__sample_weight=weight)
    np.testing.assert_allclose(search.front_.counts[0].sum(axis=1), [50.0, 100.0, 150.0])


def test_masked_labels_are_refused(flowers):
    X, y = flowers
    with pytest.raises(ValueError, match="y must not have masked entries"):
        small(GaussianNB()).fit(X, np.ma.array(y, mask=y == 1))
    with pytest.raises(ValueError, match="X must be cases"):
        small(GaussianNB()).fit(None, y)


@pytest.mark.parametrize(
    "cv",
    [
        [3],
        [(np.arange(500), [1])],
        [(np.array([0.5]), np.array([1]))],
        [(None, None)],
        [(np.ones(3, dtype=bool), np.ones(3, dtype=bool))],
        [(np.ones(150, dtype=bool), np.zeros(150, dtype=bool))],
        [([[1]], [2])],
        {},
        b"x",
        GaussianNB,
        np.array(3),
    ],
)
def test_splits_of_the_wrong_kind(flowers, cv):
    with pytest.raises(ValueError, match=r"^cv must"):
        small(GaussianNB(), cv=cv).fit(*flowers)


@pytest.mark.parametrize(
    "options",
    [
        {"verbose": "x"},
        {"verbose": 1.5},
        {"n_jobs": 0},
        {"n_jobs": "x"},
        {"n_jobs": 1.5},
        {"cost_alpha": True},
        {"operating_point": True},
        {"operating_point": object},
    ],
)
def test_wrong_options_leave_an_earlier_fit_alone(flowers, options):
    search = small(GaussianNB()).fit(*flowers)
    front = search.front_
    (name,) = options
    with pytest.raises((TypeError, ValueError), match=rf"^{name} must"):
        search.set_params(**options).fit(*flowers)
    assert search.front_ is front


def test_scores_of_ones_own_as_rules(flowers):
    rule = BestScore(lambda y_true, y_pred: float((y_true == y_pred).mean()))
    search = small(GaussianNB(), operating_point=rule).fit(*flowers)
    errors = search.front_.counts.sum(axis=(1, 2)) - np.einsum("mkk->m", search.front_.counts)
    assert errors[search.best_index_] == errors.min()


# --- distributions ----------------------------------------------------------------


def test_values_of_several_lengths(flowers):
    sizes = [(2,), (2, 2)]
    model = MLPClassifier(max_iter=20, random_state=0, solver="lbfgs")
    with pytest.warns(ConvergenceWarning):
        search = small(model, {"hidden_layer_sizes": sizes}, n_initial=4).fit(*flowers)
    assert search.best_params_["hidden_layer_sizes"] in sizes
    values = np.array([None, np.array([0.2, 0.3, 0.5])], dtype=object)
    search = small(GaussianNB(), {"priors": values}).fit(*flowers)
    for index in range(0, len(search.front_), 5):
        search.set_operating_point(index)
        counts = search.cv_results_["counts"].sum(axis=0)
        np.testing.assert_array_equal(counts, search.front_.counts[index])


def test_a_histogram_is_a_distribution(flowers):
    histogram = stats.rv_histogram(np.histogram(np.linspace(0.1, 1.0, 100)))
    search = small(GaussianNB(), {"var_smoothing": histogram}).fit(*flowers)
    assert 0.1 <= search.best_params_["var_smoothing"] <= 1.0


def test_several_sets_of_parameters(flowers):
    X, y = flowers
    sets = [
        {"weights": ["uniform"], "n_neighbors": stats.randint(1, 5)},
        {"weights": ["distance"], "n_neighbors": stats.randint(20, 40), "p": [1, 3]},
    ]
    search = small(KNeighborsClassifier(), sets, n_generations=30, n_offspring=2).fit(X, y)
    kinds = {params["weights"] for params in search.front_.params}
    assert kinds == {"uniform", "distance"}
    for params in search.front_.params:
        if params["weights"] == "uniform":
            assert set(params) == {"weights", "n_neighbors"}
            assert 1 <= params["n_neighbors"] < 5
        else:
            assert set(params) == {"weights", "n_neighbors", "p"}
            assert 20 <= params["n_neighbors"] < 40
    for index in range(0, len(search.front_), 20):  # parameters of one set leave the other
        search.set_operating_point(index)
        counts = search.cv_results_["counts"].sum(axis=0)
        np.testing.assert_array_equal(counts, search.front_.counts[index])
    parts = [
        {"clf": [LogisticRegression()], "clf__C": [0.1, 1.0]},
        {"clf": [GaussianNB()], "clf__var_smoothing": stats.loguniform(1e-9, 1)},
    ]
    model = Pipeline([("clf", LogisticRegression())])
    found = small(model, parts, n_generations=10).fit(X, y)
    assert {type(params["clf"]) for params in found.front_.params} == {
        LogisticRegression,
        GaussianNB,
    }
    again = small(
        KNeighborsClassifier(), tuple(sets), n_generations=30, n_offspring=2, n_jobs=2
    ).fit(X, y)
    np.testing.assert_array_equal(again.front_.costs, search.front_.costs)
    for wrong in ([], [{}], [sets[0], 3]):
        with pytest.raises(TypeError, match="or a list of such dicts"):
            small(KNeighborsClassifier(), wrong).fit(X, y)


@pytest.mark.parametrize(
    "distribution", [stats.uniform(0, -1), stats.norm(scale=[1.0, 2.0])], ids=["nan", "two"]
)
def test_distributions_that_give_no_numbers(flowers, distribution):
    with pytest.raises(ValueError, match=r"param_distributions\['var_smoothing'\] must be"):
        small(GaussianNB(), {"var_smoothing": distribution}).fit(*flowers)


@pytest.mark.skipif(not hasattr(stats, "Uniform"), reason="distributions of newer scipy")
def test_distributions_of_newer_scipy(flowers):
    uniform = {"var_smoothing": stats.Uniform(a=0.1, b=1.0)}
    found = {
        scale: small(GaussianNB(), uniform, step_scale=scale, step=0.3).fit(*flowers)
        for scale in ("relative", "absolute")
    }
    values = {
        scale: [params["var_smoothing"] for params in search.front_.params]
        for scale, search in found.items()
    }
    assert values["relative"] != values["absolute"]
    assert all(0.1 <= value <= 1.0 for found in values.values() for value in found)
    with pytest.raises(TypeError, match="must be a frozen distribution"):
        small(GaussianNB(), {"var_smoothing": stats.Uniform}).fit(*flowers)
    if hasattr(stats, "Binomial"):
        whole = {"n_neighbors": stats.Binomial(n=30, p=0.5)}
        search = small(KNeighborsClassifier(), whole).fit(*flowers)
        assert type(search.best_params_["n_neighbors"]) is int


# --- interruption and copies ------------------------------------------------------


class Interrupting(GaussianNB):
    """Interrupted at its n-th fit."""

    n_fits = 0

    def __init__(self, at=0, var_smoothing=1e-9):
        super().__init__(var_smoothing=var_smoothing)
        self.at = at

    def fit(self, X, y):
        type(self).n_fits += 1
        if type(self).n_fits == self.at:
            raise KeyboardInterrupt
        return super().fit(X, y)


@pytest.mark.parametrize("at", [3, 8, 20, 22, 25])
@pytest.mark.parametrize("store", [True, False])
def test_interrupts_at_any_time(flowers, at, store):
    X, y = flowers
    Interrupting.n_fits = 0
    search = small(Interrupting(at), SMOOTHING, on_interrupt="keep", store_cv_results=store)
    with pytest.warns(UserWarning, match="nterrupted after"):
        search.fit(X, y)
    assert search.interrupted_
    assert search.predict(X).shape == y.shape
    Interrupting.n_fits = 0
    search = small(Interrupting(at), SMOOTHING, store_cv_results=store)
    with pytest.raises(KeyboardInterrupt):
        search.fit(X, y)
    # the classifier is made when it is asked for
    with pytest.raises(AttributeError, match="set_operating_point chooses one"):
        search.predict(X)
    search.set_operating_point("distance")
    assert search.predict(X).shape == y.shape


@pytest.mark.parametrize("evolve", ["costs", "weights"])
def test_an_interrupted_search_can_be_used(flowers, evolve):
    calls = iter(range(100))

    def propose(rng, n, archive):
        if next(calls) == 3:
            raise KeyboardInterrupt
        return rng.random((n, 3, 3)) * (1.0 - np.eye(3))

    X, y = flowers
    search = small(LogisticRegression(), evolve=evolve, cost_proposal=propose)
    with pytest.raises(KeyboardInterrupt):
        search.fit(X, y)
    assert search.logbook_.select("generation") == [0, 1, 2]
    assert search.set_operating_point("distance").predict(X).shape == y.shape


def test_copies_of_a_search_over_weights_can_choose(flowers):
    X, y = flowers
    search = small(LogisticRegression(), evolve="weights", n_generations=10).fit(X, y)
    copy = pickle.loads(pickle.dumps(search))
    for index in range(0, len(search.front_), 7):
        search.set_operating_point(index)
        copy.set_operating_point(index)
        np.testing.assert_array_equal(copy.predict_proba(X), search.predict_proba(X))
        np.testing.assert_array_equal(copy.cost_matrix_, search.cost_matrix_)
    assert np.isnan(copy.cv_results_["rates"]).all()  # the data are gone
    # but not those of the member that was chosen then
    again = pickle.loads(pickle.dumps(search))
    chosen = search.best_index_
    again.set_operating_point((chosen + 1) % len(search.front_)).set_operating_point(chosen)
    np.testing.assert_array_equal(again.cv_results_["rates"], search.cv_results_["rates"])


def test_no_classifier_without_refit(flowers):
    search = small(GaussianNB(), refit=False).fit(*flowers)
    for chosen in (search, search.set_operating_point(0), pickle.loads(pickle.dumps(search))):
        with pytest.raises(AttributeError, match="Use refit=True"):
            chosen.predict(flowers[0])
        chosen.set_operating_point("distance")


def test_fresh_data_need_the_right_classifier(flowers):
    X, y = flowers
    search = small(GaussianNB(), SMOOTHING).fit(X, y)
    with pytest.raises(ValueError, match="classifiers with other params"):
        search.front_.evaluate(y, search.predict_proba(X))
    own = search.front_[[search.best_index_]].evaluate(y, search.predict_proba(X))
    confusion = confusion_matrix(y, search.predict(X))
    np.testing.assert_array_equal(own.counts[0], confusion)


def test_limits_by_the_way(flowers):
    """Everything at once: limits, labels, threads."""
    X, y = flowers
    found = []

    def fit():
        search = small(GaussianNB(), SMOOTHING, operating_point=WithinLimits({2: 0.6}))
        found.append(search.fit(X, y).cost_matrix_)

    threads = [threading.Thread(target=fit) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    np.testing.assert_array_equal(*found)


# --- two classes ------------------------------------------------------------------


class Given(ClassifierMixin, BaseEstimator):
    """A fitted classifier whose features are the posteriors."""

    classes_ = np.array([0, 1])

    def __sklearn_is_fitted__(self):
        return True

    def fit(self, X, y):
        return self

    def predict_proba(self, X):
        return X


def test_certain_posteriors_have_their_ends():
    y = np.array([0, 0, 0, 1, 1, 1])
    p = np.array([0.0, 0.2, 1.0, 0.0, 0.7, 1.0])
    scores = np.column_stack([1 - p, p])
    search = small(Given(), cv="prefit", refit=False).fit(scores, y)
    front = ROCFront.from_predictions(y, scores)
    points = {tuple(member) for member in search.front_.counts[:, [0, 1], [1, 0]].tolist()}
    assert (0, 3) in points  # always class 0
    np.testing.assert_array_equal(search.front_.counts, front.counts)


def test_expected_costs_of_two_classes(flowers):
    X, y = flowers
    alpha = np.array([[0.0, 1000.0], [1000.0, 0.0]])
    search = small(GaussianNB(), cost_alpha=alpha).fit(X[y > 0], y[y > 0])
    assert np.abs(search.front_.costs[:, [0, 1], [1, 0]] - 0.5).max() < 0.1


def test_nothing_found_is_not_fitted(flowers):
    search = small(LogisticRegression(), {"C": [-1.0]})
    with pytest.raises(ValueError, match="None of the 10 candidates"):
        search.fit(*flowers)
    assert search.interrupted_
    with pytest.raises(NotFittedError):
        check_is_fitted(search)


def test_failures_in_processes_of_others_are_told(flowers):
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        search = small(LogisticRegression(), {"C": [-1.0, 1.0]}, toolbox=toolbox(map=pool.map))
        with pytest.warns(FitFailedWarning, match="candidates were left out"):
            search.fit(*flowers)


def test_all_thresholds_are_tried_once(flowers):
    X, y = flowers
    search = small(GaussianNB(), n_generations=50).fit(X[y > 0], y[y > 0])
    assert search.n_evaluations_ <= 2 * 101 + 2
