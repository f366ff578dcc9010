"""The search around classifiers of all kinds, for any number of classes."""

import numpy as np
import pytest
from scipy import stats
from search_cases import NAMES, assert_consistent, members_alike, small
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_iris, make_blobs
from sklearn.ensemble import (
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
    StackingClassifier,
    VotingClassifier,
)
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import pairwise_distances, roc_auc_score, roc_curve
from sklearn.model_selection import (
    cross_val_predict,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

# --- classifiers ------------------------------------------------------------------


class NearestMean(ClassifierMixin, BaseEstimator):
    """No more than a classifier must have."""

    def __init__(self, sharpness=1.0):
        self.sharpness = sharpness

    def fit(self, X, y):
        """Fit."""
        self.classes_, codes = np.unique(y, return_inverse=True)
        self.means_ = np.array([X[codes == k].mean(axis=0) for k in range(codes.max() + 1)])
        return self

    def predict_proba(self, X):
        """Posteriors."""
        likeness = np.exp(-self.sharpness * pairwise_distances(X, self.means_))
        return likeness / likeness.sum(axis=1, keepdims=True)

    def predict(self, X):
        """Labels."""
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


FLOWERS = load_iris()
SEVERAL = [("nb", GaussianNB()), ("lr", LogisticRegression(max_iter=1000))]
CLASSIFIERS = [
    (CalibratedClassifierCV(GaussianNB(), cv=2), {"estimator__var_smoothing": [1e-9, 0.1]}),
    (CalibratedClassifierCV(SVC(), cv=2), {"estimator__C": stats.loguniform(0.1, 10)}),
    (VotingClassifier(SEVERAL, voting="soft"), {"lr__C": [0.1, 1.0]}),
    (StackingClassifier(SEVERAL, cv=2), {"final_estimator": [LogisticRegression(C=0.5), None]}),
    (
        HistGradientBoostingClassifier(max_iter=3, random_state=0),
        {"max_leaf_nodes": stats.randint(3, 9)},
    ),
    (
        GradientBoostingClassifier(n_estimators=3, random_state=0),
        {"learning_rate": stats.uniform(0.1, 1.0)},
    ),
    (RandomForestClassifier(5, random_state=0), {"max_depth": [1, 3, None]}),
    (GaussianNB(), {"var_smoothing": stats.loguniform(1e-9, 1)}),
    (
        make_pipeline(StandardScaler(), CalibratedClassifierCV(SVC(kernel="linear"), cv=2)),
        {"calibratedclassifiercv__estimator__C": [0.1, 1.0]},
    ),
    (KNeighborsClassifier(), {"n_neighbors": stats.randint(1, 20)}),
    (NearestMean(), {"sharpness": stats.expon()}),
    (FrozenEstimator(GaussianNB().fit(FLOWERS.data, NAMES[FLOWERS.target])), None),
]


@pytest.mark.parametrize(
    ("estimator", "distributions"),
    [(estimator, None) for estimator, _ in CLASSIFIERS]
    + [pair for pair in CLASSIFIERS if pair[1] is not None],
    ids=lambda value: type(value).__name__ if hasattr(value, "fit") else "",
)
def test_classifiers(estimator, distributions):
    X, y = load_iris(return_X_y=True)
    search = small(estimator, distributions, cv=2, n_initial=3).fit(X, NAMES[y])
    assert_consistent(search, X)
    assert search.score(X, NAMES[y]) > 0.6
    if distributions is not None:
        assert len(search.front_.params) == len(search.front_)
        for name, value in search.best_params_.items():
            found = search.estimator_.get_params()[name]
            if hasattr(found, "random_state"):  # set where it was not
                found = clone(found).set_params(random_state=None)
            assert repr(found) == repr(value)


@pytest.mark.parametrize(
    "estimator",
    [
        LogisticRegression(),
        MLPClassifier(3, max_iter=20, random_state=0),
        make_pipeline(StandardScaler(), LogisticRegression()),
    ],
)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_weights_of_classifiers(iris, estimator):
    X, y = iris
    search = small(estimator, evolve="weights", n_generations=10).fit(X, y)
    assert_consistent(search, X)
    assert 0 < len(members_alike(search)) < len(search.front_)


def test_weights_that_there_are_not(iris):
    X, y = iris
    with pytest.raises(TypeError, match="evolve='weights' takes a classifier with coef_"):
        small(GaussianNB(), evolve="weights").fit(X, y)


@pytest.mark.parametrize("distributions", [None, {"n_neighbors": [3, 9]}])
@pytest.mark.parametrize("cv", [3, 0.3, "resubstitution"])
def test_matrices_of_all_pairs(iris, cv, distributions):
    X, y = iris
    X = X + np.random.default_rng(0).normal(scale=1e-3, size=X.shape)  # no distance twice
    pairs = pairwise_distances(X)
    options = {"weights": "distance"} if cv == "resubstitution" else {}
    precomputed = KNeighborsClassifier(metric="precomputed", **options)
    search = small(precomputed, distributions, cv=cv).fit(pairs, y)
    plain = small(KNeighborsClassifier(**options), distributions, cv=cv).fit(X, y)
    np.testing.assert_allclose(search.front_.rates, plain.front_.rates)
    np.testing.assert_array_equal(search.predict(pairs), plain.predict(X))


def test_no_classifier_with_posteriors(iris):
    X, y = iris
    with pytest.raises(TypeError, match="CalibratedClassifierCV"):
        small(SVC()).fit(X, y)


# --- numbers of classes -----------------------------------------------------------


@pytest.mark.parametrize("proposal", ["mixed"])
def test_two_classes_are_the_staircase(pair, proposal):
    X, y = pair
    search = small(cv=5, cost_proposal=proposal).fit(X, y)
    proba = cross_val_predict(LogisticRegression(), X, y, cv=5, method="predict_proba")[:, 1]
    assert np.unique(proba).size == y.size
    alarms, hits, _ = roc_curve(y, proba, drop_intermediate=False)
    n_negative, n_positive = np.bincount(y)
    points = np.rint(np.column_stack([alarms * n_negative, (1 - hits) * n_positive]))
    is_dominated = [
        ((points <= point).all(axis=1) & (points < point).any(axis=1)).any() for point in points
    ]
    expected = np.unique(points[~np.array(is_dominated)], axis=0)
    found = search.front_.counts[:, [0, 1], [1, 0]]
    np.testing.assert_array_equal(np.unique(found, axis=0), expected)
    assert len(found) == len(expected)
    assert (hits >= alarms).all()  # no dip
    assert search.gini_ == pytest.approx(2 * roc_auc_score(y, proba) - 1, abs=1e-12)
    assert search.gini_std_ == 0.0


@pytest.mark.parametrize("n_classes", [4, 5])
@pytest.mark.parametrize("evolve", ["costs", "params", "weights"])
def test_more_classes(n_classes, evolve):
    X, y = make_blobs(120, centers=n_classes, cluster_std=3.0, random_state=0)
    distributions = {"C": [0.1, 1.0]} if evolve == "params" else None
    search = small(None, distributions, evolve=evolve, n_costs=30).fit(X, y)
    assert search.front_.n_classes == n_classes
    assert search.front_.rates.shape[1:] == (n_classes, n_classes)
    assert 0.0 <= search.gini_ <= 1.0
    assert_consistent(search, X)
