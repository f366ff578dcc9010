"""Ready scorers inside scikit-learn."""

import pickle
import re

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.ensemble import StackingClassifier
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.feature_selection import RFECV
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import Ridge, RidgeClassifier
from sklearn.metrics import make_scorer, roc_auc_score
from sklearn.model_selection import (
    GridSearchCV,
    PredefinedSplit,
    StratifiedKFold,
    cross_val_score,
    cross_validate,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import skvus

NAMES = skvus.get_scorer_names()
# the score that each scorer must equal: function, options, response of the estimator
SOFT = ("predict_proba", "decision_function")
DIRECT = {
    "angle_vus": (skvus.angle_vus_score, {}, "predict_proba"),
    "hand_till": (skvus.hand_till_score, {}, SOFT),
    "one_vs_rest_auc": (skvus.one_vs_rest_auc_score, {}, SOFT),
    "ordered_vus": (skvus.ordered_vus_score, {}, "predict_proba"),
    "ordinal_vus": (skvus.ordinal_vus_score, {}, "rank"),
    "pdi": (skvus.pdi_score, {}, SOFT),
    "simplified_vus": (skvus.simplified_vus_score, {}, "predict_proba"),
    "hand_till_crisp_1a": (skvus.hand_till_crisp_score, {"variant": "1a"}, "predict"),
    "hand_till_crisp_1b": (skvus.hand_till_crisp_score, {"variant": "1b"}, "predict"),
    "hand_till_crisp_2": (skvus.hand_till_crisp_score, {"variant": "2"}, "predict"),
    "hand_till_crisp_3": (skvus.hand_till_crisp_score, {"variant": "3"}, "predict"),
    "macro_average": (skvus.macro_average_score, {}, "predict"),
    "modified_macro_average": (skvus.modified_macro_average_score, {}, "predict"),
    "one_point_auc": (skvus.one_point_auc_score, {}, "predict"),
    "polytope_vus": (skvus.polytope_vus_score, {}, "predict"),
    "soft_polytope_vus": (skvus.soft_polytope_vus_score, {}, "predict_proba"),
}
CRISP_NAMES = [name for name in NAMES if DIRECT[name][2] == "predict"]
FOLDS = StratifiedKFold(3)
every_name = pytest.mark.parametrize("name", NAMES)


def direct(name, estimator, X, y, **weights):
    function, options, response = DIRECT[name]
    if response == "rank":
        ranks = np.arange(len(estimator.classes_))
        predicted = np.round(estimator.predict_proba(X) @ ranks, 10)
    else:
        response = "predict_proba" if response == SOFT else response
        predicted = getattr(estimator, response)(X)
    return function(y, predicted, **options, **weights)


def direct_by_fold(name, estimator, X, y):
    return [
        direct(name, clone(estimator).fit(X[train], y[train]), X[test], y[test])
        for train, test in FOLDS.split(X, y)
    ]


@pytest.fixture(scope="module")
def iris():
    """Two features on which the classes overlap."""
    X, y = load_iris(return_X_y=True)
    return X[::2, :2], y[::2]


@pytest.fixture(scope="module")
def two_classes(iris):
    X, y = iris
    return X[y > 0], y[y > 0]


def test_names_are_sorted_and_known_here():
    assert sorted(DIRECT) == NAMES


@every_name
def test_in_cross_val_score(name, iris):
    X, y = iris
    scores = cross_val_score(GaussianNB(), X, y, scoring=skvus.get_scorer(name), cv=FOLDS)
    np.testing.assert_allclose(scores, direct_by_fold(name, GaussianNB(), X, y), rtol=1e-12)
    assert (scores > 0.05).all()
    assert (scores < 1.0).all()


@pytest.mark.parametrize("name", [name for name in NAMES if name != "angle_vus"])
def test_in_grid_search(name, iris):
    X, y = iris
    # a neighbourhood of all training cases is a trivial classifier
    grid = {"kneighborsclassifier__n_neighbors": [50, 5]}
    model = make_pipeline(StandardScaler(), KNeighborsClassifier())
    search = GridSearchCV(model, grid, scoring=skvus.get_scorer(name), cv=FOLDS).fit(X, y)
    assert search.best_index_ == 1
    means = search.cv_results_["mean_test_score"]
    assert means[1] > means[0] + 0.01
    assert search.score(X, y) == pytest.approx(direct(name, search.best_estimator_, X, y))


def test_all_at_once_and_in_two_processes(iris):
    X, y = iris
    scoring = {name: skvus.get_scorer(name) for name in NAMES}
    results = cross_validate(GaussianNB(), X, y, scoring=scoring, cv=FOLDS)
    parallel = cross_validate(GaussianNB(), X, y, scoring=scoring, cv=FOLDS, n_jobs=2)
    for name in NAMES:
        expected = direct_by_fold(name, GaussianNB(), X, y)
        np.testing.assert_allclose(results[f"test_{name}"], expected, rtol=1e-12)
        np.testing.assert_array_equal(results[f"test_{name}"], parallel[f"test_{name}"])


def test_all_at_once_in_grid_search(iris):
    X, y = iris
    scoring = {name: skvus.get_scorer(name) for name in NAMES}
    search = GridSearchCV(
        KNeighborsClassifier(),
        {"n_neighbors": [50, 5]},
        scoring=scoring,
        refit="soft_polytope_vus",
        cv=FOLDS,
    ).fit(X, y)
    assert search.best_params_ == {"n_neighbors": 5}
    for name in set(NAMES) - {"angle_vus"}:  # which likes a trivial classifier best
        assert search.cv_results_[f"rank_test_{name}"].tolist() == [2, 1]
    assert search.cv_results_["mean_test_angle_vus"][0] == 1.0


@every_name
def test_pickle_and_clone(name, iris):
    X, y = iris
    estimator = GaussianNB().fit(X, y)
    scorer = skvus.get_scorer(name)
    expected = direct(name, estimator, X, y)
    assert scorer(estimator, X, y) == pytest.approx(expected, rel=1e-12)
    assert pickle.loads(pickle.dumps(scorer))(estimator, X, y) == scorer(estimator, X, y)
    search = clone(GridSearchCV(GaussianNB(), {}, scoring=scorer))
    assert search.scoring is not scorer
    assert search.scoring(estimator, X, y) == scorer(estimator, X, y)


@every_name
def test_each_call_makes_a_fresh_copy(name):
    with sklearn.config_context(enable_metadata_routing=True):
        changed = skvus.get_scorer(name)
        changed.set_score_request(sample_weight=True)
        fresh = skvus.get_scorer(name)
        assert changed is not fresh
        assert changed.get_metadata_routing().score.requests["sample_weight"] is True
        assert fresh.get_metadata_routing().score.requests.get("sample_weight") is None


def test_list_of_names_is_a_fresh_copy():
    skvus.get_scorer_names().clear()
    assert skvus.get_scorer_names() == NAMES


@every_name
def test_two_classes(name, two_classes):
    X, y = two_classes
    scores = cross_val_score(GaussianNB(), X, y, scoring=skvus.get_scorer(name), cv=FOLDS)
    np.testing.assert_allclose(scores, direct_by_fold(name, GaussianNB(), X, y), rtol=1e-12)
    assert (scores > 0.3).all()
    assert (scores < 1.0).all()


def test_soft_scorers_are_given_one_column_for_two_classes(two_classes):
    X, y = two_classes
    estimator = GaussianNB().fit(X, y)
    proba = estimator.predict_proba(X)
    score = skvus.get_scorer("soft_polytope_vus")(estimator, X, y)
    assert score == pytest.approx(skvus.soft_polytope_vus_score(y, proba[:, 1]), rel=1e-12)
    assert score == pytest.approx(skvus.soft_polytope_vus_score(y, proba), rel=1e-12)
    # the wrong column would be another score
    assert score > skvus.soft_polytope_vus_score(y, proba[:, 0]) + 0.1


@every_name
@pytest.mark.parametrize("names", [["setosa", "versicolor", "virginica"], ["z", "b", "m"]])
def test_text_labels(name, names, iris):
    X, y = iris
    text = np.array(names)[y]
    estimator, renamed = GaussianNB().fit(X, y), GaussianNB().fit(X, text)
    scorer = skvus.get_scorer(name)
    if name == "ordinal_vus":  # the order of the names matters, so they must be given
        scorer = skvus.get_scorer(name, labels=names)
    expected = skvus.get_scorer(name)(estimator, X, y)
    assert scorer(renamed, X, text) == pytest.approx(expected, rel=1e-9)


@every_name
def test_text_labels_of_two_classes(name, two_classes):
    X, y = two_classes
    text = np.where(y == 1, "no", "a yes")  # sorted the other way round
    scorer = skvus.get_scorer(name)
    expected = scorer(GaussianNB().fit(X, y), X, y)
    assert scorer(GaussianNB().fit(X, text), X, text) == pytest.approx(expected, rel=1e-9)


@every_name
def test_weights_are_routed(name, iris):
    X, y = iris
    weights = np.random.default_rng(0).exponential(size=y.size)
    with sklearn.config_context(enable_metadata_routing=True):
        estimator = GaussianNB().set_fit_request(sample_weight=False)
        scorer = skvus.get_scorer(name).set_score_request(sample_weight=True)
        scores = cross_val_score(
            estimator, X, y, scoring=scorer, cv=FOLDS, params={"sample_weight": weights}
        )
        unrequested = skvus.get_scorer(name)
        # scikit-learn 1.6 raises the TypeError
        refused = (sklearn.exceptions.UnsetMetadataPassedError, TypeError)
        with pytest.raises(refused, match="sample_weight"):
            cross_val_score(
                estimator,
                X,
                y,
                scoring=unrequested,
                cv=FOLDS,
                params={"sample_weight": weights},
            )
    expected, unweighted = [], []
    for train, test in FOLDS.split(X, y):
        fitted = GaussianNB().fit(X[train], y[train])
        unweighted.append(direct(name, fitted, X[test], y[test]))
        expected.append(direct(name, fitted, X[test], y[test], sample_weight=weights[test]))
    np.testing.assert_allclose(scores, expected, rtol=1e-12)
    assert np.abs(scores - unweighted).min() > 1e-4


@pytest.fixture(scope="module")
def missing_class():
    """A test fold without class 2; its predictions name all three classes."""
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1, 2], 10)
    X = (y + rng.normal(scale=0.8, size=30))[:, np.newaxis]
    fold = PredefinedSplit(np.where((y < 2) & (np.arange(30) % 2 == 0), 0, -1))
    train, test = next(fold.split())
    predicted = GaussianNB().fit(X[train], y[train]).predict(X[test])
    assert set(predicted) == {0, 1, 2}
    return X, y, fold


@every_name
def test_fold_without_a_class_is_undefined(name, missing_class):
    X, y, fold = missing_class
    with pytest.warns(UndefinedMetricWarning, match="The score is undefined"):
        scores = cross_val_score(GaussianNB(), X, y, scoring=skvus.get_scorer(name), cv=fold)
    assert np.isnan(scores).all()


@every_name
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
def test_undefined_folds_leave_a_grid_search_without_a_ranking(name, missing_class):
    X, y, fold = missing_class
    grid = {"var_smoothing": [1e-1, 1e-9, 1e-3]}
    search = GridSearchCV(GaussianNB(), grid, scoring=skvus.get_scorer(name), cv=fold)
    with pytest.warns(UserWarning, match="test scores are non-finite"):
        search.fit(X, y)
    assert np.isnan(search.cv_results_["mean_test_score"]).all()
    # no candidate beats another, and the first one is taken
    assert len(set(search.cv_results_["rank_test_score"])) == 1
    assert search.best_index_ == 0


@every_name
def test_a_replacement_keeps_the_grid_search_going(name, missing_class):
    X, y, fold = missing_class
    function, options, response = DIRECT[name]
    scorer = make_scorer(
        function,
        response_method="predict" if response == "rank" else response,
        replace_undefined_by=0.25,
        labels=[0, 1, 2],
        **options,
    )
    grid = {"var_smoothing": [1e-1, 1e-9]}
    search = GridSearchCV(GaussianNB(), grid, scoring=scorer, cv=fold).fit(X, y)
    assert search.cv_results_["mean_test_score"].tolist() == [0.25, 0.25]


@every_name
def test_a_class_that_a_fold_does_not_name_is_known_from_the_estimator(name):
    # neither the cases nor the predictions of the fold show that there is a third class
    X, y = np.arange(30.0)[:, np.newaxis], np.repeat([0, 1, 2], 10)
    fold = PredefinedSplit(np.where((y < 2) & (np.arange(30) % 2 == 0), 0, -1))
    arguments = {"estimator": GaussianNB(), "X": X, "y": y, "cv": fold}
    with pytest.warns(UndefinedMetricWarning, match=r"no case .*of \[2\]"):
        assert np.isnan(cross_val_score(**arguments, scoring=skvus.get_scorer(name))).all()
    replaced = skvus.get_scorer(name, replace_undefined_by=0.25)
    assert cross_val_score(**arguments, scoring=replaced).tolist() == [0.25]


@pytest.mark.parametrize("name", CRISP_NAMES)
def test_scorers_of_scikit_learn_need_labels_for_that(name):
    X, y = np.arange(30.0)[:, np.newaxis], np.repeat([0, 1, 2], 10)
    fold = PredefinedSplit(np.where((y < 2) & (np.arange(30) % 2 == 0), 0, -1))
    arguments = {"estimator": GaussianNB(), "X": X, "y": y, "cv": fold}
    function, options, _ = DIRECT[name]
    unaware = make_scorer(function, **options)
    assert not np.isnan(cross_val_score(**arguments, scoring=unaware)).any()
    named = make_scorer(function, labels=[0, 1, 2], **options)
    with pytest.warns(UndefinedMetricWarning, match=r"no case .*of \[2\]"):
        assert np.isnan(cross_val_score(**arguments, scoring=named)).all()


@pytest.mark.parametrize("labels", [[0, 1, 2], ["a", "b", "c"]])
@every_name
def test_a_class_that_training_has_not_seen_is_never_called(name, labels):
    X, codes = np.arange(30.0)[:, np.newaxis], np.repeat([0, 1, 2], 10)
    y = np.array(labels)[codes]
    estimator = GaussianNB().fit(X[codes < 2], y[codes < 2])
    score = skvus.get_scorer(name)(estimator, X, y)
    called = np.column_stack([estimator.predict_proba(X), np.zeros(30)])
    function, options, response = DIRECT[name]
    predicted = estimator.predict(X) if response == "predict" else called
    if response == "rank":
        predicted = np.round(called @ [0.0, 1.0, 2.0], 10)
    assert score == pytest.approx(function(y, predicted, labels=labels, **options))


def test_scorers_take_parameters_of_their_score(iris):
    X, y = iris
    estimator = GaussianNB().fit(X, y)
    scorer = skvus.get_scorer("polytope_vus", normalize="range")
    expected = skvus.polytope_vus_score(y, estimator.predict(X), normalize="range")
    assert scorer(estimator, X, y) == pytest.approx(expected)
    assert "normalize='range'" in repr(scorer)
    with pytest.raises(TypeError, match=r"takes .*normalize.*; got power"):
        skvus.get_scorer("polytope_vus", power=2)


def test_estimators_without_classes_are_scored_by_the_labels_of_the_data(iris):
    X, y = iris

    class Oracle:
        def predict(self, X):
            return y

    assert skvus.get_scorer("macro_average")(Oracle(), X, y) == 1.0


@pytest.mark.parametrize("name", ["accuracy", "VUS", None, 3, ["macro_average"]])
def test_unknown_name_lists_the_known_ones(name):
    with pytest.raises(ValueError, match="name must be one of") as error:
        skvus.get_scorer(name)
    for known in NAMES:
        assert repr(known) in str(error.value)


def test_soft_scorer_refuses_an_estimator_without_probabilities(iris):
    X, y = iris
    estimator = RidgeClassifier().fit(X, y)
    with pytest.raises(AttributeError, match="predict_proba"):
        skvus.get_scorer("soft_polytope_vus")(estimator, X, y)


ANY_SCORE = [name for name in NAMES if DIRECT[name][2] == SOFT]


@pytest.mark.parametrize("name", ANY_SCORE)
def test_real_scores_may_come_from_decision_functions(name, iris, two_classes):
    for X, y in (iris, two_classes):
        estimator = RidgeClassifier().fit(X, y)
        function = DIRECT[name][0]
        expected = function(y, estimator.decision_function(X))
        assert skvus.get_scorer(name)(estimator, X, y) == pytest.approx(expected)
        assert expected > 0.5


def test_the_sum_rule_takes_decision_functions(iris):
    X, y = iris
    estimator = RidgeClassifier().fit(X, y)
    expected = skvus.ordered_vus_score(y, estimator.decision_function(X), distance="sum")
    assert skvus.get_scorer("ordered_vus", distance="sum")(estimator, X, y) == expected
    with pytest.raises(AttributeError, match="predict_proba"):
        skvus.get_scorer("ordered_vus")(estimator, X, y)


@pytest.mark.parametrize("n_seen", [2, 3])
@pytest.mark.parametrize("name", ANY_SCORE)
def test_decision_functions_know_nothing_of_classes_that_training_has_not_seen(name, n_seen):
    X, y = np.arange(40.0)[:, np.newaxis], np.repeat([0, 1, 2, 3], 10)
    seen, tested = y < n_seen, y <= n_seen
    estimator = RidgeClassifier().fit(X[seen], y[seen])
    score = skvus.get_scorer(name)(estimator, X[tested], y[tested])
    decision = estimator.decision_function(X[tested])
    if n_seen == 2:
        decision = np.column_stack([-decision, decision])
    padded = np.column_stack([decision, np.full(tested.sum(), min(0.0, decision.min()))])
    assert score == pytest.approx(DIRECT[name][0](y[tested], padded))


def test_ordinal_scorer_of_a_regressor(iris):
    X, y = iris
    estimator = Ridge().fit(X, y)
    expected = skvus.ordinal_vus_score(y, estimator.predict(X))
    assert skvus.get_scorer("ordinal_vus")(estimator, X, y) == expected
    scores = cross_val_score(Ridge(), X, y, scoring=skvus.get_scorer("ordinal_vus"), cv=FOLDS)
    assert (scores > 1 / 6).all()


def test_ordinal_scorer_of_a_classifier_without_probabilities(iris):
    X, y = iris
    names = np.array(["small", "middle", "tall"])
    estimator = RidgeClassifier().fit(X, names[y])
    places = {name: rank for rank, name in enumerate(names)}
    ranks = [places[label] for label in estimator.predict(X)]
    scorer = skvus.get_scorer("ordinal_vus", labels=names)
    expected = skvus.ordinal_vus_score(y, ranks)
    assert scorer(estimator, X, names[y]) == pytest.approx(expected)
    # sorted as text, the classes are not in their order
    assert skvus.get_scorer("ordinal_vus")(estimator, X, names[y]) < expected


def test_ordinal_scorer_keeps_the_order_of_its_labels(iris):
    X, y = iris
    names = np.array(["small", "middle", "tall"])
    estimator = GaussianNB().fit(X, names[y])
    columns = np.searchsorted(estimator.classes_, names)
    ranks = np.round(estimator.predict_proba(X)[:, columns] @ [0.0, 1.0, 2.0], 10)
    scorer = skvus.get_scorer("ordinal_vus", labels=names)
    assert scorer(estimator, X, names[y]) == skvus.ordinal_vus_score(y, ranks)


@pytest.mark.parametrize("labels", [[2, 1, 0], [1, 2, 0]])
@pytest.mark.parametrize("name", [name for name in NAMES if name != "ordinal_vus"])
def test_labels_may_come_in_any_order(name, labels, iris):
    X, y = iris
    estimator = GaussianNB().fit(X, y)
    expected = skvus.get_scorer(name)(estimator, X, y)
    score = skvus.get_scorer(name, labels=labels)(estimator, X, y)
    assert score == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("name", ANY_SCORE)
def test_labels_may_come_in_any_order_for_decision_functions(name, two_classes):
    X, y = two_classes
    estimator = RidgeClassifier().fit(X, y)
    expected = skvus.get_scorer(name)(estimator, X, y)
    score = skvus.get_scorer(name, labels=[2, 1])(estimator, X, y)
    assert score == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("name", [name for name in NAMES if DIRECT[name][2] != "predict"])
def test_labels_must_name_all_classes_of_the_estimator(name, iris):
    X, y = iris
    estimator = GaussianNB().fit(X, y)
    with pytest.raises(ValueError, match="labels must name all classes of the estimator"):
        skvus.get_scorer(name, labels=[0, 1])(estimator, X, y)


BAD_PARAMETERS = {
    "ordered_vus": {"distance": "x"},
    "simplified_vus": {"ties": "wek"},
    "angle_vus": {"limit": 90},
    "ordinal_vus": {"ties": None},
    "pdi": {"replace_undefined_by": "worst"},
    "polytope_vus": {"normalize": "Max"},
    "soft_polytope_vus": {"method": "hull"},
    "hand_till": {"labels": [0, 0, 1]},
}


@pytest.mark.parametrize("name", BAD_PARAMETERS)
def test_bad_parameters_are_refused_when_the_scorer_is_made(name):
    ((parameter, value),) = BAD_PARAMETERS[name].items()
    with pytest.raises(ValueError, match=f"{parameter} must"):
        skvus.get_scorer(name, **{parameter: value})


def test_one_versus_one_columns_are_not_taken_for_classes(iris):
    X, y = iris
    for model in (SVC(decision_function_shape="ovo"), make_pipeline(SVC())):
        model = model.set_params(
            **({"svc__decision_function_shape": "ovo"} if hasattr(model, "steps") else {})
        )
        with pytest.raises(ValueError, match="decision_function_shape must be 'ovr'"):
            skvus.get_scorer("hand_till")(model.fit(X, y), X, y)
    assert skvus.get_scorer("hand_till")(SVC().fit(X, y), X, y) > 0.8


@pytest.mark.parametrize(
    "wrapped",
    [
        lambda model: GridSearchCV(model, {"C": [1.0]}),
        lambda model: make_pipeline(make_pipeline(model)),
        lambda model: GridSearchCV(make_pipeline(model), {"svc__C": [1.0]}),
        lambda model: RFECV(
            model, importance_getter=lambda fitted: np.ones(fitted.n_features_in_)
        ),
        lambda model: StackingClassifier([("bayes", GaussianNB())], model),
    ],
)
def test_one_versus_one_columns_of_wrapped_classifiers(iris, wrapped):
    X, y = iris
    scorer = skvus.get_scorer("hand_till")
    assert scorer(wrapped(SVC()).fit(X, y), X, y) > 0.8
    one_versus_one = wrapped(SVC(decision_function_shape="ovo")).fit(X, y)
    for model in (one_versus_one, FrozenEstimator(one_versus_one)):
        with pytest.raises(ValueError, match="decision_function_shape must be 'ovr'"):
            scorer(model, X, y)


@pytest.mark.parametrize("name", skvus.get_scorer_names())
def test_a_classifier_of_one_class_has_no_score(iris, name):
    X, y = iris
    estimator = GaussianNB().fit(X[:20], y[:20])
    with pytest.warns(UndefinedMetricWarning):
        assert np.isnan(skvus.get_scorer(name)(estimator, X[:20], y[:20]))
    assert skvus.get_scorer(name, replace_undefined_by=0.25)(estimator, X[:20], y[:20]) == 0.25


def test_ordinal_scorer_of_two_classes_takes_the_decision_function(two_classes):
    X, y = two_classes
    estimator = RidgeClassifier().fit(X, y)
    expected = roc_auc_score(y, estimator.decision_function(X))
    assert skvus.get_scorer("ordinal_vus")(estimator, X, y) == pytest.approx(expected)
    reverse = skvus.get_scorer("ordinal_vus", labels=[2, 1])(estimator, X, y)
    assert reverse == pytest.approx(expected)


def test_ordered_categories_have_an_order(iris):
    X, y = iris
    names = ["small", "middle", "tall"]
    ordered = pd.Series(pd.Categorical.from_codes(y, names, ordered=True))
    estimator = GaussianNB().fit(X, np.array(names)[y])
    expected = skvus.get_scorer("ordinal_vus")(GaussianNB().fit(X, y), X, y)
    score = skvus.get_scorer("ordinal_vus")(estimator, X, ordered)
    assert score == pytest.approx(expected, rel=1e-9)
    assert skvus.ordinal_vus_score(ordered, X[:, 0]) == skvus.ordinal_vus_score(y, X[:, 0])


def test_labels_of_another_type_than_the_estimator_s(iris):
    X, y = iris
    estimator = GaussianNB().fit(X, y)
    with pytest.raises(ValueError, match="labels of one type"):
        skvus.get_scorer("hand_till")(estimator, X, np.array(["a", "b", "c"])[y])


@pytest.mark.parametrize("name", skvus.get_scorer_names())
def test_what_is_no_estimator(name):
    with pytest.raises((TypeError, AttributeError), match=r"^estimator must have predict"):
        skvus.get_scorer(name, labels=[0, 1, 2])(None, np.zeros((3, 1)), [0, 1, 2])


@pytest.mark.parametrize("name", ["ordered_vus", "macro_average", "ordinal_vus"])
@pytest.mark.parametrize("bad", [None, [0, None, 2], [[0, 1, 2]], [0, "one", 2]])
def test_labels_that_are_none(iris, name, bad):
    X, y = iris
    with pytest.raises(ValueError, match="y_true must"):
        skvus.get_scorer(name)(GaussianNB().fit(X, y), X[:3], bad)


def test_costs_have_a_scorer_of_their_own():
    with pytest.raises(
        ValueError, match=r"got 'expected_cost'\. make_cost_scorer\(cost_matrix\) "
    ):
        skvus.get_scorer("expected_cost")


@pytest.mark.parametrize(
    "name", ["balanced_accuracy", "roc_auc", "roc_auc_ovo", "roc_auc_ovr", "accuracy"]
)
def test_names_of_scikit_learn(name):
    with pytest.raises(ValueError, match=rf"name must .*; got '{name}'\. ") as error:
        skvus.get_scorer(name)
    if name == "accuracy":
        assert str(error.value).endswith(" whose name scoring= takes as it is.")
        return
    (ours,) = re.findall(rf"scikit-learn calls {name} is '(\w+)' here\.$", str(error.value))
    X, y = load_iris(return_X_y=True)
    kept = y > 0 if name == "roc_auc" else y >= 0
    X, y = X[kept, 1:2], y[kept]
    model = GaussianNB().fit(X, y)
    expected = sklearn.metrics.get_scorer(name)(model, X, y)
    assert skvus.get_scorer(ours)(model, X, y) == pytest.approx(expected)
