"""The classifier of least expected cost inside scikit-learn: checks, weights, searches."""

import pickle

import numpy as np
import pandas as pd
import pytest
import sklearn
from scipy import sparse
from sklearn.base import clone, is_classifier
from sklearn.datasets import load_iris, make_blobs
from sklearn.exceptions import UnsetMetadataPassedError
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import (
    FixedThresholdClassifier,
    GridSearchCV,
    cross_val_predict,
    cross_val_score,
)
from sklearn.naive_bayes import GaussianNB, MultinomialNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils import estimator_html_repr, get_tags
from sklearn.utils.estimator_checks import estimator_checks_generator

from skvus.classifiers import CostMatrixClassifier
from skvus.metrics import expected_cost, make_cost_scorer

COST = np.array([[0.0, 1.0, 4.0], [2.0, 0.0, 1.0], [10.0, 5.0, 0.0]])
# scikit-learn's checks have classes of any number, so they take no matrix and no priors
CHECKED = [LogisticRegression(), MultinomialNB(), DecisionTreeClassifier(random_state=0)]
CHECKS = [
    pytest.param(model, check, id=f"{type(model.estimator).__name__}-{check.func.__name__}")
    for estimator in CHECKED
    for model, check in estimator_checks_generator(CostMatrixClassifier(estimator))
]


@pytest.fixture(scope="module")
def iris():
    """Two features on which the classes overlap."""
    X, y = load_iris(return_X_y=True)
    return X[:, :2], y


@pytest.mark.parametrize(("estimator", "check"), CHECKS)
def test_is_an_estimator_of_scikit_learn(estimator, check):
    check(estimator)


# --- sample weights and metadata --------------------------------------------------


def test_weights_reach_the_estimator(iris):
    X, y = iris
    weight = np.random.default_rng(0).exponential(size=y.size)
    model = CostMatrixClassifier(LogisticRegression(), COST).fit(X, y, sample_weight=weight)
    inner = LogisticRegression().fit(X, y, sample_weight=weight)
    np.testing.assert_array_equal(model.predict_proba(X), inner.predict_proba(X))
    assert not np.allclose(model.estimator_.coef_, LogisticRegression().fit(X, y).coef_)


def test_weights_by_the_name_of_a_step(iris):
    X, y = iris
    weight = np.array([1.0, 1.0, 2.0])[y]
    pipeline = make_pipeline(StandardScaler(), LogisticRegression())
    model = CostMatrixClassifier(pipeline, COST)
    model.fit(X, y, logisticregression__sample_weight=weight)
    np.testing.assert_allclose(model.train_priors_, [0.25, 0.25, 0.5])
    inner = clone(pipeline).fit(X, y, logisticregression__sample_weight=weight)
    np.testing.assert_array_equal(model.predict_proba(X), inner.predict_proba(X))
    with pytest.raises(ValueError, match="does not accept the sample_weight"):
        model.fit(X, y, sample_weight=weight)


def test_estimators_without_weights(iris):
    X, y = iris
    model = CostMatrixClassifier(KNeighborsClassifier(), COST)
    with pytest.raises(
        TypeError, match=r"sample_weight must be None .* estimator is KNeighborsClassifier\(\)"
    ):
        model.fit(X, y, sample_weight=np.ones(y.size))


def test_metadata_are_routed(iris):
    X, y = iris
    weight = np.random.default_rng(0).exponential(size=y.size)
    expected = LogisticRegression().fit(X, y, sample_weight=weight).predict_proba(X)
    with sklearn.config_context(enable_metadata_routing=True):
        inner = LogisticRegression().set_fit_request(sample_weight=True)
        model = CostMatrixClassifier(inner, COST).fit(X, y, sample_weight=weight)
        np.testing.assert_array_equal(model.predict_proba(X), expected)
        share = weight[y == 0].sum() / weight.sum()
        assert model.train_priors_[0] == pytest.approx(share)
        # an estimator that is not to have weights has learnt frequencies without them
        unweighted = LogisticRegression().set_fit_request(sample_weight=False)
        model = CostMatrixClassifier(unweighted, COST).fit(X, y, sample_weight=weight)
        np.testing.assert_allclose(model.train_priors_, 1 / 3)
        with pytest.raises(UnsetMetadataPassedError, match="sample_weight"):
            CostMatrixClassifier(LogisticRegression(), COST).fit(X, y, sample_weight=weight)
        with pytest.raises(TypeError, match="unexpected argument"):
            CostMatrixClassifier(LogisticRegression(), COST).fit(X, y, colour=weight)
        frozen = FrozenEstimator(LogisticRegression().fit(X, y))
        model = CostMatrixClassifier(frozen, COST).fit(X, y, sample_weight=weight)
        assert model.train_priors_[0] == pytest.approx(share)


def test_metadata_are_routed_through_a_search(iris):
    X, y = iris
    weight = np.random.default_rng(0).exponential(size=y.size)
    with sklearn.config_context(enable_metadata_routing=True):
        inner = LogisticRegression().set_fit_request(sample_weight=True)
        model = CostMatrixClassifier(inner, COST).set_fit_request(sample_weight=True)
        scorer = make_cost_scorer(COST).set_score_request(sample_weight=True)
        search = GridSearchCV(model, {"estimator__C": [0.01, 1.0]}, scoring=scorer, cv=3)
        search.fit(X, y, sample_weight=weight)
        by_hand = clone(search.best_estimator_).fit(X, y, sample_weight=weight)
        np.testing.assert_array_equal(search.predict(X), by_hand.predict(X))
        np.testing.assert_array_equal(
            search.best_estimator_.train_priors_, by_hand.train_priors_
        )


# --- inside scikit-learn ----------------------------------------------------------


def test_in_a_search_over_parameters_of_both(iris):
    X, y = iris
    grid = {"estimator__C": [0.001, 1.0], "cost_matrix": [None, COST]}
    search = GridSearchCV(
        CostMatrixClassifier(LogisticRegression()), grid, scoring=make_cost_scorer(COST), cv=3
    ).fit(X, y)
    assert search.best_params_["estimator__C"] == 1.0
    assert search.best_params_["cost_matrix"] is COST
    assert search.best_estimator_.estimator_.C == 1.0


def test_in_a_pipeline_around_and_inside(iris):
    X, y = iris
    inside = CostMatrixClassifier(make_pipeline(StandardScaler(), LogisticRegression()), COST)
    around = make_pipeline(StandardScaler(), CostMatrixClassifier(LogisticRegression(), COST))
    np.testing.assert_array_equal(inside.fit(X, y).predict(X), around.fit(X, y).predict(X))
    assert inside.n_features_in_ == 2
    scores = cross_val_score(around, X, y, scoring=make_cost_scorer(COST), cv=3)
    predicted = cross_val_predict(around, X, y, cv=3)
    assert -scores.mean() == pytest.approx(expected_cost(y, predicted, cost_matrix=COST))


def test_data_frames_keep_their_names(iris):
    X, y = iris
    frame = pd.DataFrame(X, columns=["length", "width"])
    model = CostMatrixClassifier(LogisticRegression(), COST).fit(frame, pd.Series(y))
    assert model.feature_names_in_.tolist() == ["length", "width"]
    assert model.n_features_in_ == 2
    expected = CostMatrixClassifier(LogisticRegression(), COST).fit(X, y)
    np.testing.assert_array_equal(model.predict(frame), expected.predict(X))
    assert not hasattr(expected, "feature_names_in_")
    assert not hasattr(model.fit(X, y), "feature_names_in_")
    assert not hasattr(CostMatrixClassifier(LogisticRegression()), "n_features_in_")


def test_sparse_cases(iris):
    X, y = iris
    model = CostMatrixClassifier(LogisticRegression(), COST).fit(sparse.csr_array(X), y)
    expected = CostMatrixClassifier(LogisticRegression(), COST).fit(X, y)
    np.testing.assert_array_equal(model.predict(sparse.csr_array(X)), expected.predict(X))


def test_tags_are_those_of_the_estimator():
    X, y = make_blobs(150, centers=3, cluster_std=3.0, random_state=0)
    assert is_classifier(CostMatrixClassifier(LogisticRegression()))
    # neighbours by given distances: folds must cut rows and columns
    nearest = CostMatrixClassifier(KNeighborsClassifier(metric="precomputed"), COST)
    assert get_tags(nearest).input_tags.pairwise
    distances = np.linalg.norm(X[:, np.newaxis] - X, axis=2)
    scores = cross_val_score(nearest, distances, y, cv=3)
    expected = cross_val_score(CostMatrixClassifier(KNeighborsClassifier(), COST), X, y, cv=3)
    np.testing.assert_array_equal(scores, expected)
    assert get_tags(CostMatrixClassifier(LogisticRegression())).input_tags.sparse
    assert not get_tags(CostMatrixClassifier(GaussianNB())).input_tags.sparse
    assert not get_tags(
        CostMatrixClassifier(KNeighborsClassifier())
    ).classifier_tags.multi_label
    assert get_tags(KNeighborsClassifier()).classifier_tags.multi_label
    binary = CostMatrixClassifier(FixedThresholdClassifier(LogisticRegression()))
    assert not get_tags(binary).classifier_tags.multi_class


def test_clone_pickle_and_representations(iris):
    X, y = iris
    names = [0, 1, 2]
    frame = pd.DataFrame(COST, index=names, columns=names)
    model = CostMatrixClassifier(LogisticRegression(), frame, priors={0: 0.5, 1: 0.3, 2: 0.2})
    model.fit(X, y)
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict(X), model.predict(X))
    copy = clone(model)
    assert not hasattr(copy, "estimator_")
    np.testing.assert_array_equal(copy.fit(X, y).predict_proba(X), model.predict_proba(X))
    short = CostMatrixClassifier(LogisticRegression(), [[0, 1], [2, 0]])
    assert " ".join(repr(short).split()) == (
        "CostMatrixClassifier(cost_matrix=[[0, 1], [2, 0]], estimator=LogisticRegression())"
    )
    assert "CostMatrixClassifier" in estimator_html_repr(model)
    assert "LogisticRegression" in estimator_html_repr(model)
