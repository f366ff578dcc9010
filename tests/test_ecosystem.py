"""Scorers and searches where scikit-learn and its neighbours take them."""

from copy import deepcopy

import array_api_strict
import joblib
import numpy as np
import optuna
import pandas as pd
import pytest
import skops.io
from optuna_integration.sklearn import OptunaSearchCV
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.feature_selection import RFECV, SequentialFeatureSelector
from sklearn.inspection import permutation_importance
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import make_scorer
from sklearn.model_selection import (
    HalvingGridSearchCV,
    RandomizedSearchCV,
    StratifiedKFold,
    TunedThresholdClassifierCV,
    cross_val_predict,
    cross_val_score,
    cross_validate,
    learning_curve,
    permutation_test_score,
    validation_curve,
)
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import skvus

# one for each kind of prediction: labels, probabilities, any score, one rank, costs
COSTS = [[0, 1, 4], [1, 0, 1], [4, 1, 0]]
SCORERS = {
    "polytope_vus": skvus.get_scorer("polytope_vus"),
    "ordered_vus": skvus.get_scorer("ordered_vus"),
    "hand_till": skvus.get_scorer("hand_till"),
    "ordinal_vus": skvus.get_scorer("ordinal_vus"),
    "cost": skvus.make_cost_scorer(COSTS),
}
each_scorer = pytest.mark.parametrize("scorer", SCORERS.values(), ids=SCORERS)


@pytest.fixture
def model():
    return make_pipeline(StandardScaler(), LogisticRegression())


def by_hand(model, X, y, scorer, cv):
    """What cross-validation is."""
    return [
        scorer(clone(model).fit(X[train], y[train]), X[test], y[test])
        for train, test in cv.split(X, y)
    ]


def test_cross_validate_with_all_at_once(model, iris):
    X, y = iris
    cv = StratifiedKFold(3)
    result = cross_validate(model, X, y, scoring=SCORERS, cv=cv, return_train_score=True)
    for name, scorer in SCORERS.items():
        np.testing.assert_array_equal(result[f"test_{name}"], by_hand(model, X, y, scorer, cv))
        assert np.isfinite(result[f"train_{name}"]).all()


@each_scorer
def test_permutation_importance_finds_the_noise(scorer, model, iris):
    X, y = iris
    X = np.column_stack([X[:, 0], np.random.default_rng(0).normal(size=len(y))])
    fitted = model.fit(X, y)
    signal, noise = permutation_importance(
        fitted, X, y, scoring=scorer, n_repeats=5, random_state=0
    ).importances_mean
    assert signal > 0.1 > abs(noise)


@each_scorer
def test_learning_and_validation_curves(scorer, model, iris):
    X, y = iris
    cv = StratifiedKFold(3)
    whole = by_hand(model, X, y, scorer, cv)
    sizes, _, scores = learning_curve(
        model, X, y, train_sizes=[0.3, 1.0], scoring=scorer, cv=cv, shuffle=True, random_state=0
    )
    assert sizes.tolist() == [30, 100]
    np.testing.assert_allclose(scores[1], whole, atol=0.02)  # shuffled, else the same
    _, curve = validation_curve(
        model,
        X,
        y,
        param_name="logisticregression__C",
        param_range=[1e-4, 1.0],
        scoring=scorer,
        cv=cv,
    )
    np.testing.assert_array_equal(curve[1], whole)


@each_scorer
def test_permutation_test_score(scorer, model, iris):
    score, by_chance, pvalue = permutation_test_score(
        model, *iris, scoring=scorer, cv=3, n_permutations=19, random_state=0
    )
    assert score > by_chance.max()
    assert pvalue == 0.05


@each_scorer
def test_successive_halving(scorer, iris):
    # each step has more cases: the last compares on nearly all of them
    search = HalvingGridSearchCV(
        LogisticRegression(),
        {"C": [1e-6, 1e-3, 1.0, 10.0]},
        scoring=scorer,
        cv=3,
        min_resources=30,
        random_state=0,
    ).fit(*iris)
    assert search.n_iterations_ == 2
    assert search.best_params_["C"] >= 1e-3
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()


@each_scorer
def test_feature_elimination(scorer, iris):
    X, y = iris
    noise = np.random.default_rng(0).normal(size=(len(y), 4))
    elimination = RFECV(LogisticRegression(max_iter=1000), scoring=scorer, cv=3)
    assert elimination.fit(np.hstack([X, noise]), y).support_[:2].any()
    assert elimination.cv_results_["mean_test_score"].shape == (6,)
    selection = SequentialFeatureSelector(
        LogisticRegression(max_iter=1000), n_features_to_select=1, scoring=scorer, cv=3
    )
    assert selection.fit(np.hstack([noise, X[:, :1]]), y).get_support().argmax() == 4


@pytest.mark.parametrize(
    ("scorer", "plain"),
    [
        (skvus.get_scorer("macro_average"), make_scorer(skvus.macro_average_score)),
        (
            skvus.make_cost_scorer([[0, 1], [8, 0]]),
            make_scorer(
                skvus.expected_cost, greater_is_better=False, cost_matrix=[[0, 1], [8, 0]]
            ),
        ),
    ],
    ids=["macro_average", "cost"],
)
def test_tuned_thresholds(scorer, plain, iris):
    X, y = iris
    X, y = X[y > 0], y[y > 0] - 1
    found, expected = (
        TunedThresholdClassifierCV(LogisticRegression(), scoring=scoring, cv=3).fit(X, y)
        for scoring in (scorer, plain)
    )
    assert found.best_threshold_ == expected.best_threshold_
    assert found.best_score_ == expected.best_score_


def test_several_scores_of_a_random_search(iris):
    search = RandomizedSearchCV(
        RandomForestClassifier(n_estimators=5, random_state=0),
        {"max_depth": [1, 2, 3], "min_samples_leaf": [1, 5, 20]},
        n_iter=4,
        scoring=SCORERS,
        refit="ordered_vus",
        cv=3,
        random_state=0,
    ).fit(*iris)
    results = pd.DataFrame(search.cv_results_)
    assert results["mean_test_ordered_vus"].idxmax() == search.best_index_
    assert search.score(*iris) == SCORERS["ordered_vus"](search, *iris)


@each_scorer
@pytest.mark.filterwarnings(
    "ignore::optuna.exceptions.ExperimentalWarning",
    # its parts about each other and about scikit-learn
    "ignore::FutureWarning",
    "ignore::DeprecationWarning",
)
def test_optuna(scorer, iris):
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    search = OptunaSearchCV(
        LogisticRegression(),
        {"C": optuna.distributions.FloatDistribution(1e-6, 10.0, log=True)},
        scoring=scorer,
        n_trials=6,
        cv=3,
        random_state=0,
    ).fit(*iris)
    assert search.best_score_ == max(trial.value for trial in search.trials_)
    np.testing.assert_allclose(
        search.best_score_,
        np.mean(cross_val_score(clone(search.best_estimator_), *iris, scoring=scorer, cv=3)),
    )


# ----------------------------------------------------------------------------- persistence

SEARCHES = {
    "costs": (LogisticRegression(), {}),
    "costs, named rates": (
        make_pipeline(StandardScaler(), LogisticRegression()),
        {"operating_point": skvus.WithinLimits({("setosa", "virginica"): 0.5, "setosa": 0.9})},
    ),
    "costs, named costs": (
        LogisticRegression(),
        {
            "operating_point": skvus.LeastCost(
                pd.DataFrame(COSTS, *[["setosa", "versicolor", "virginica"]] * 2)
            )
        },
    ),
    "params": (
        skvus.ProbabilisticKNeighborsClassifier(),
        {"param_distributions": {"n_neighbors": [3, 9], "beta": [0.5, 2.0]}},
    ),
    "weights": (
        MLPClassifier((2,), max_iter=2000, solver="lbfgs", random_state=0),
        {"evolve": "weights"},
    ),
}


@pytest.fixture(scope="module", params=SEARCHES)
def fitted_search(request, iris):
    X, y = iris
    estimator, options = SEARCHES[request.param]
    search = skvus.ParetoROCSearch(estimator, n_generations=5, random_state=0, **options)
    return search.fit(X, np.array(["setosa", "versicolor", "virginica"])[y])


def assert_same_search(one, other, X):
    np.testing.assert_array_equal(one.predict(X), other.predict(X))
    np.testing.assert_array_equal(one.predict_proba(X), other.predict_proba(X))
    np.testing.assert_array_equal(one.front_.rates, other.front_.rates)
    assert repr(one) == repr(other)
    assert one.operating_point == other.operating_point
    rule = skvus.WithinLimits({"versicolor": 0.2})
    np.testing.assert_array_equal(
        clone_with_point(one, rule).predict(X), clone_with_point(other, rule).predict(X)
    )


def clone_with_point(search, rule):
    """A copy at another operating point."""
    return deepcopy(search).set_operating_point(rule)


def test_a_search_persists_without_code(fitted_search, iris):
    data = skops.io.dumps(fitted_search)
    untrusted = skops.io.get_untrusted_types(data=data)
    with pytest.raises(TypeError, match="skvus"):
        skops.io.loads(data)
    ours = [name for name in untrusted if name.startswith("skvus.")]
    # what scikit-learn itself brings along, a tree of neighbours or an optimiser
    assert all(name.startswith("sklearn.") for name in set(untrusted) - set(ours))
    assert_same_search(fitted_search, skops.io.loads(data, trusted=untrusted), iris[0])


def test_a_search_persists_by_joblib(fitted_search, iris, tmp_path):
    joblib.dump(fitted_search, tmp_path / "search.joblib", compress=3)
    assert_same_search(fitted_search, joblib.load(tmp_path / "search.joblib"), iris[0])


def test_costs_by_label_persist_without_code(iris):
    X, y = iris
    costs = {"a": {"b": 1, "c": 4}, "b": {"a": 1, "c": 1}, "c": {"a": 4, "b": 1}}
    classifier = skvus.CostMatrixClassifier(LogisticRegression(), costs)
    classifier.fit(X, np.array(["a", "b", "c"])[y])
    data = skops.io.dumps(classifier)
    loaded = skops.io.loads(data, trusted=skops.io.get_untrusted_types(data=data))
    np.testing.assert_array_equal(loaded.predict(X), classifier.predict(X))
    assert loaded.cost_matrix == costs


@pytest.mark.parametrize(
    "rule",
    [
        skvus.WithinLimits({("a", "b"): 0.1, "a": 0.3}),
        skvus.LeastCost({("a", "b"): 2.0, ("b", "a"): 1.0}, priors={"a": 0.3, "b": 0.7}),
        skvus.Lexicographic([[("a", "b")], [("b", "a")]]),
        skvus.BestScore("accuracy"),
    ],
    ids=lambda rule: type(rule).__name__,
)
def test_rules_persist_without_code(rule):
    data = skops.io.dumps(rule)
    trusted = skops.io.get_untrusted_types(data=data)
    assert all(name.startswith("skvus.") for name in trusted)
    assert skops.io.loads(data, trusted=trusted) == rule


def test_comparisons_persist_without_code(iris):
    X, y = iris
    scores = {
        name: cross_val_predict(LogisticRegression(C=c), X, y, method="predict_proba")
        for name, c in (("loose", 1.0), ("tight", 1e-3), (("of", 3), 0.1))
    }
    table = skvus.compare_many(y, scores, score="pdi")
    data = skops.io.dumps(table)
    trusted = skops.io.get_untrusted_types(data=data)
    assert all(name.startswith("skvus.") for name in trusted)
    for loaded in (skops.io.loads(data, trusted=trusted), deepcopy(table)):
        assert loaded.names == table.names
        assert loaded.rows == table.rows
        assert loaded.results == table.results
        assert loaded["tight", "loose"] == table["tight", "loose"]
        assert repr(loaded) == repr(table)
        np.testing.assert_array_equal(loaded.scores, table.scores)


@pytest.mark.parametrize("name", SCORERS)
def test_scorers_persist_without_code(name, model, iris):
    fitted = model.fit(*iris)
    data = skops.io.dumps(SCORERS[name])
    loaded = skops.io.loads(data, trusted=skops.io.get_untrusted_types(data=data))
    assert loaded(fitted, *iris) == SCORERS[name](fitted, *iris)


# -------------------------------------------------------------- arrays of other libraries


class Unreadable:
    """An array on a device that numpy cannot read."""

    shape = (6, 3)

    def __dlpack__(self, **_):
        raise BufferError("not in the memory of the host")

    def __array__(self, *_, **__):
        raise RuntimeError("copy it to the host first")


@pytest.fixture(scope="module")
def predictions(iris):
    X, y = iris
    return y, cross_val_predict(LogisticRegression(), X, y, method="predict_proba")


@pytest.mark.parametrize("name", skvus.get_scorer_names())
def test_scores_take_arrays_of_the_standard(name, predictions):
    y, proba = predictions
    scorer = skvus.get_scorer(name)
    takes = {"predict": proba.argmax(axis=1), "rank": proba @ [0.0, 1.0, 2.0]}
    given = takes.get(scorer.response_method, proba)
    weight = np.linspace(1.0, 2.0, len(y))
    expected = scorer.score_func(y, given, sample_weight=weight, **scorer.kwargs)
    as_array = array_api_strict.asarray
    found = scorer.score_func(
        as_array(y), as_array(given), sample_weight=as_array(weight), **scorer.kwargs
    )
    assert found == expected


def test_fronts_and_tests_take_arrays_of_the_standard(predictions):
    y, proba = predictions
    arrays = [array_api_strict.asarray(array) for array in predictions]
    one = skvus.ROCFront.from_predictions(y, proba, random_state=0)
    other = skvus.ROCFront.from_predictions(*arrays, random_state=0)
    np.testing.assert_array_equal(one.rates, other.rates)
    assert skvus.score_inference(y, proba) == skvus.score_inference(*arrays)


@pytest.mark.parametrize(
    "estimator",
    [
        skvus.ProbabilisticKNeighborsClassifier(),
        skvus.CostMatrixClassifier(LogisticRegression(), COSTS),
        skvus.ParetoROCSearch(LogisticRegression(), n_generations=3, random_state=0),
    ],
    ids=lambda estimator: type(estimator).__name__,
)
def test_estimators_take_arrays_of_the_standard(estimator, iris):
    arrays = [array_api_strict.asarray(array) for array in iris]
    expected = clone(estimator).fit(*iris).predict(iris[0])
    np.testing.assert_array_equal(clone(estimator).fit(*arrays).predict(arrays[0]), expected)


def test_what_numpy_cannot_read_is_refused_by_name(predictions, iris):
    y, proba = predictions
    refused = "must be an array that numpy can read.*got a Unreadable.*copy it to the host"
    with pytest.raises(ValueError, match=f"y_score {refused}"):
        skvus.ordered_vus_score(y, Unreadable())
    with pytest.raises(ValueError, match=f"y_true {refused}"):
        skvus.ordered_vus_score(Unreadable(), proba)
    with pytest.raises(ValueError, match=f"y_pred {refused}"):
        skvus.polytope_vus_score(y, Unreadable())
    with pytest.raises(ValueError, match=f"sample_weight {refused}"):
        skvus.ordered_vus_score(y, proba, sample_weight=Unreadable())
    with pytest.raises(ValueError, match=f"X {refused}"):
        skvus.ProbabilisticKNeighborsClassifier().fit(Unreadable(), y)
    with pytest.raises(ValueError, match=f"y {refused}"):
        skvus.CostMatrixClassifier(LogisticRegression(), COSTS).fit(iris[0], Unreadable())


class OnlyByInterface:
    """An array that has the interface of the standard, and nothing that numpy looks for."""

    def __init__(self, array):
        self._array = array

    def __dlpack__(self, **options):
        return self._array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self._array.__dlpack_device__()


class Elsewhere:
    """An array of a library without the standard, which says how to copy it."""

    shape = (150,)

    def __len__(self):
        return 150

    def __array__(self, *_, **__):
        raise TypeError("call to_numpy")


def test_arrays_are_read_by_their_interface(predictions):
    y, proba = predictions
    assert skvus.pdi_score(y, OnlyByInterface(proba)) == skvus.pdi_score(y, proba)


def test_arrays_without_the_standard_are_refused_by_name(predictions):
    y, proba = predictions
    refused = "must be an array that numpy can read.*got a Elsewhere.*call to_numpy"
    with pytest.raises(ValueError, match=f"y_score {refused}"):
        skvus.pdi_score(y, Elsewhere())
    with pytest.raises(ValueError, match=f"y_true {refused}"):
        skvus.pdi_score(Elsewhere(), proba)
    with pytest.raises(ValueError, match=f"sample_weight {refused}"):
        skvus.pdi_score(y, proba, sample_weight=Elsewhere())
    with pytest.raises(ValueError, match=f"cost_matrix {refused}"):
        skvus.expected_cost(y, y, cost_matrix=Elsewhere())
    with pytest.raises(ValueError, match=f"groups {refused}"):
        skvus.score_inference(y, proba, groups=Elsewhere())


def test_missing_values_of_pandas_are_called_missing(predictions):
    y, proba = predictions
    frame = pd.DataFrame(proba).astype("Float64")
    assert skvus.pdi_score(y, frame) == skvus.pdi_score(y, proba)
    frame.iloc[3, 1] = pd.NA
    with pytest.raises(ValueError, match="y_score must be finite; it has missing values"):
        skvus.pdi_score(y, frame)


@pytest.mark.skipif(not hasattr(np.dtypes, "StringDType"), reason="since numpy 2")
def test_text_of_any_length(predictions):
    y, proba = predictions
    names = np.array(["setosa", "versicolor", "virginica"])[y]
    text = names.astype(np.dtypes.StringDType())
    assert skvus.pdi_score(text, proba) == skvus.pdi_score(names, proba)


class Backwards(LogisticRegression):
    """A classifier whose tables have the classes in another order than it says."""

    def predict_proba(self, X):
        return pd.DataFrame(super().predict_proba(X)[:, ::-1], columns=self.classes_[::-1])


def test_columns_of_estimators_are_not_mixed_up(iris):
    X, y = iris
    fitted, named = Backwards().fit(X, y), "predict_proba of Backwards must have its columns in"
    for scorer in ("pdi", "ordinal_vus"):
        with pytest.raises(ValueError, match=named):
            skvus.get_scorer(scorer)(fitted, X, y)
    with pytest.raises(ValueError, match=named):
        skvus.CostMatrixClassifier(Backwards(), COSTS).fit(X, y).predict(X)
    with pytest.raises(ValueError, match=named):
        skvus.ParetoROCSearch(Backwards(), n_generations=1).fit(X, y)


# ------------------------------------------------------------------------ results as tables


def test_results_become_tables(predictions):
    y, proba = predictions
    other = proba[:, [0, 2, 1]]
    result = skvus.score_inference(y, proba, score="pdi")
    frame = result.to_frame(0.9)
    assert frame.shape[0] == 1
    assert frame.loc[0, ["low", "high"]].tolist() == list(result.confidence_interval(0.9))
    assert frame.loc[0, "score"] == result.score

    comparison = skvus.compare_scores(y, proba, other, score="pdi")
    row = comparison.to_frame().iloc[0]
    assert (row["score"], row["other_score"]) == comparison.scores
    assert (row["low"], row["high"]) == tuple(comparison.confidence_interval())

    test = skvus.permutation_test(y, proba, score="pdi", n_permutations=9, random_state=0)
    row = test.to_frame().iloc[0]
    assert row["by_chance_low"] <= row["by_chance"] <= row["by_chance_high"] < row["score"]
    assert (row["pvalue"], row["n_permutations"]) == (0.1, 9)

    points = skvus.operating_points(y, proba)
    frame = points.to_frame()
    np.testing.assert_array_equal(
        frame[[f"weight {k}" for k in range(3)]].to_numpy(), points.weights
    )
    np.testing.assert_array_equal(frame["rate 2 as 1"], points.rates[:, 2, 1])
    assert frame.shape == (len(points.weights), 9)


def test_an_undefined_result_becomes_a_table():
    with pytest.warns(UserWarning, match="undefined"):
        result = skvus.score_inference([0, 0], [[0.5, 0.5]] * 2, score="pdi", labels=[0, 1])
    assert result.to_frame()[["score", "low", "high"]].isna().to_numpy().all()


def test_fronts_become_tables(predictions):
    y, proba = predictions
    front = skvus.ROCFront.from_predictions(y, proba, random_state=0)
    comparison = front.compare(front[::2])
    frame = comparison.to_frame()
    assert frame["gini"].tolist() == [comparison.gini, comparison.other_gini]
    assert frame["alone"].tolist() == [comparison.delta, comparison.other_delta]
    frame = front.mix([0, 1], [3, 1]).to_frame()
    assert frame.to_dict("list") == {"member": [0, 1], "odds": [0.75, 0.25]}
