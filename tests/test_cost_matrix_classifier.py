"""The classifier of least expected cost: its decisions, its priors, what it refuses."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import load_iris, make_blobs
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import DataConversionWarning, NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import (
    FixedThresholdClassifier,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, RadiusNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from skvus.classifiers import CostMatrixClassifier
from skvus.front import ROCFront
from skvus.metrics import expected_cost

COST = np.array([[0.0, 1.0, 4.0], [2.0, 0.0, 1.0], [10.0, 5.0, 0.0]])
MEMBER = ROCFront.from_rates([np.eye(3)], costs=COST[np.newaxis])[0]


class Given(ClassifierMixin, BaseEstimator):
    """A classifier whose cases are their own posteriors."""

    def __init__(self, classes=None):
        self.classes = classes

    def fit(self, X, y):
        self.classes_ = np.unique(y) if self.classes is None else np.asarray(self.classes)
        return self

    def predict_proba(self, X):
        return np.asarray(X)


class GivenLogs(Given):
    """The same, with logarithms of its own."""

    def predict_log_proba(self, X):
        with np.errstate(divide="ignore"):
            return np.log(X)


class NeverFitted(LogisticRegression):
    def fit(self, X, y, sample_weight=None):
        raise AssertionError("fitted in spite of bad input")


@pytest.fixture(scope="module")
def iris():
    """Two features on which the classes overlap."""
    X, y = load_iris(return_X_y=True)
    return X[:, :2], y


@pytest.fixture(scope="module")
def two_classes(iris):
    X, y = iris
    return X[y > 0], y[y > 0] - 1


def given_proba(proba, cost_matrix=None, **options):
    """Predictions from posteriors of the classes 0, 1, ..."""
    proba = np.asarray(proba, dtype=float)
    labels = np.arange(proba.shape[1])
    model = CostMatrixClassifier(Given(), cost_matrix, **options)
    return model.fit(np.eye(labels.size), labels).predict(proba).tolist()


# --- decisions --------------------------------------------------------------------


@pytest.mark.parametrize(
    "estimator",
    [
        LogisticRegression(),
        GaussianNB(),
        KNeighborsClassifier(4),
        DecisionTreeClassifier(max_depth=2, random_state=0),
        RandomForestClassifier(5, random_state=0),
    ],
    ids=lambda estimator: type(estimator).__name__,
)
@pytest.mark.parametrize("cost_matrix", [None, 7.0 * (1.0 - np.eye(3))])
def test_equal_costs_change_no_decision(estimator, cost_matrix, iris):
    X, y = iris
    model = CostMatrixClassifier(estimator, cost_matrix).fit(X, y)
    inner = clone(estimator).fit(X, y)
    np.testing.assert_array_equal(model.predict(X), inner.predict(X))
    np.testing.assert_array_equal(model.predict_proba(X), inner.predict_proba(X))
    assert model.score(X, y) == inner.score(X, y)


@pytest.mark.parametrize("threshold", [0.25, 0.4, 0.5, 0.77])
def test_two_classes_are_a_threshold(threshold, two_classes):
    X, y = two_classes
    cost_matrix = [[0.0, threshold], [1.0 - threshold, 0.0]]
    ours = CostMatrixClassifier(LogisticRegression(), cost_matrix).fit(X, y).predict(X)
    fixed = FixedThresholdClassifier(
        LogisticRegression(), threshold=threshold, response_method="predict_proba"
    )
    np.testing.assert_array_equal(ours, fixed.fit(X, y).predict(X))
    assert 0 < ours.sum() < ours.size


def test_ties_go_to_the_lowest_class_and_not_to_the_positive_one():
    X = np.array([[0.75, 0.25], [0.7, 0.3]])
    assert given_proba(X, [[0.0, 0.25], [0.75, 0.0]]) == [0, 1]
    fixed = FixedThresholdClassifier(Given(), threshold=0.25, response_method="predict_proba")
    assert fixed.fit(np.eye(2), [0, 1]).predict(X).tolist() == [1, 1]
    assert given_proba([[0.2, 0.4, 0.4], [1 / 3, 1 / 3, 1 / 3]]) == [1, 0]


def test_credit_costs_of_statlog():
    # calling a bad customer good costs five times what the reverse does, which makes a
    # threshold of 1/6 (Elkan 2001, theorem 1)
    bad = np.array([0.0, 0.16, 1 / 6 - 1e-6, 1 / 6 + 1e-6, 0.17, 1.0])
    cost_matrix = [[0, 1], [5, 0]]
    assert given_proba(np.column_stack([1 - bad, bad]), cost_matrix) == [0, 0, 0, 1, 1, 1]


def test_the_likeliest_class_may_be_wrong_and_the_least_likely_right():
    # 0.5 * 0 + 0.3 * 2 + 0.2 * 10 = 2.6, 0.5 * 1 + 0.2 * 5 = 1.5, 0.5 * 4 + 0.3 * 1 = 2.3
    model = CostMatrixClassifier(Given(), COST).fit(np.eye(3), [0, 1, 2])
    X = [[0.5, 0.3, 0.2], [0.4, 0.2, 0.4], [0.9, 0.05, 0.05]]
    np.testing.assert_allclose(
        model.expected_costs(X), [[2.6, 1.5, 2.3], [4.4, 2.4, 1.8], [0.6, 1.15, 3.65]]
    )
    assert model.predict(X).tolist() == [1, 2, 0]


def test_decisions_cost_least_on_the_cases_themselves():
    # the posteriors are true: no other rule has a lower expectation
    rng = np.random.default_rng(0)
    proba = rng.dirichlet(np.ones(3), size=20_000)
    y = (rng.random((20_000, 1)) > np.cumsum(proba, axis=1)).sum(axis=1)
    costs = {
        name: expected_cost(y, given_proba(proba, matrix), cost_matrix=COST)
        for name, matrix in {"own": COST, "equal": None, "reversed": COST.T}.items()
    }
    assert costs["own"] < 0.9 * costs["equal"]
    assert costs["own"] < 0.9 * costs["reversed"]


@pytest.mark.parametrize("n_classes", [4, 7])
def test_many_classes(n_classes):
    rng = np.random.default_rng(n_classes)
    proba = rng.dirichlet(np.ones(n_classes), size=100)
    cost = rng.exponential(size=(n_classes, n_classes)) * (1 - np.eye(n_classes))
    assert given_proba(proba, cost) == np.argmin(proba @ cost, axis=1).tolist()


# --- forms of costs and labels ----------------------------------------------------


def test_costs_by_label_or_by_place(iris):
    X, y = iris
    names = np.array(["setosa", "versicolor", "virginica"])
    frame = pd.DataFrame(COST, index=names, columns=names).iloc[[2, 0, 1], [1, 2, 0]]
    pairs = {(a, b): COST[k, j] for k, a in enumerate(names) for j, b in enumerate(names)}
    expected = CostMatrixClassifier(GaussianNB(), COST).fit(X, y)
    for given in (COST, COST.tolist(), frame, pairs):
        model = CostMatrixClassifier(GaussianNB(), given).fit(X, names[y])
        np.testing.assert_array_equal(model.cost_matrix_, COST)
        np.testing.assert_array_equal(model.classes_, names)
        np.testing.assert_array_equal(model.predict(X), names[expected.predict(X)])


def test_costs_follow_the_classes_of_the_estimator():
    # an estimator may have an order of its own
    model = CostMatrixClassifier(Given(["low", "mid", "high"]), COST)
    model.fit(np.eye(3), ["high", "low", "mid"])
    assert model.classes_.tolist() == ["low", "mid", "high"]
    assert model.predict([[0.5, 0.3, 0.2], [0.9, 0.05, 0.05]]).tolist() == ["mid", "low"]
    assert model.train_priors_.tolist() == [1 / 3, 1 / 3, 1 / 3]
    by_name = {"high": {"low": 10, "mid": 5}, "low": {"mid": 1, "high": 4}}
    by_name["mid"] = {"low": 2, "high": 1}
    again = clone(model).set_params(cost_matrix=by_name).fit(np.eye(3), ["high", "low", "mid"])
    np.testing.assert_array_equal(again.cost_matrix_, COST)


def test_ordered_labels_reach_the_estimator_as_they_are():
    class Ordered(Given):
        def fit(self, X, y):
            self.classes_ = np.asarray(y.cat.categories)
            return self

    y = pd.Series(pd.Categorical(["b", "a"], categories=["b", "a"], ordered=True))
    assert CostMatrixClassifier(Ordered()).fit(np.eye(2), y).classes_.tolist() == ["b", "a"]


def test_labels_in_a_column(iris):
    X, y = iris
    model = CostMatrixClassifier(GaussianNB(), COST)
    with pytest.warns(DataConversionWarning) as caught:
        model.fit(X, y[:, np.newaxis])
    assert len(caught) == 1
    np.testing.assert_array_equal(model.predict(X), clone(model).fit(X, y).predict(X))


def test_single_precision_and_fortran_order():
    rng = np.random.default_rng(0)
    proba = rng.dirichlet(np.ones(3), size=30)
    expected = given_proba(proba, COST)
    assert given_proba(np.asfortranarray(proba), COST) == expected
    model = CostMatrixClassifier(Given(), COST).fit(np.eye(3), [0, 1, 2])
    assert model.predict(proba.astype(np.float32)).tolist() == expected


# --- priors -----------------------------------------------------------------------


@pytest.mark.parametrize("estimator", [GaussianNB, QuadraticDiscriminantAnalysis])
def test_adjusted_posteriors_are_bayes_for_gaussian_classes(estimator, iris):
    X, y = iris
    X, y = X[10:], y[10:]  # classes of different sizes
    priors = [0.7, 0.05, 0.25]
    model = CostMatrixClassifier(estimator(), COST, priors=priors).fit(X, y)
    bayes = estimator(priors=np.array(priors)).fit(X, y)
    np.testing.assert_allclose(model.predict_proba(X), bayes.predict_proba(X), atol=1e-12)
    np.testing.assert_allclose(
        model.predict_log_proba(X), bayes.predict_log_proba(X), atol=1e-9
    )
    np.testing.assert_array_equal(
        model.predict(X),
        CostMatrixClassifier(FrozenEstimator(bayes), COST).fit(X, y).predict(X),
    )
    assert not np.allclose(model.predict_proba(X), model.estimator_.predict_proba(X), atol=0.05)


def test_adjusted_posteriors_are_elkans():
    # "The Foundations of Cost-Sensitive Learning", theorem 2
    p, b, new = np.linspace(0.0, 1.0, 11), 0.25, 0.6
    model = CostMatrixClassifier(Given(), priors=[1 - new, new])
    model.fit(np.full((4, 2), 0.5), [0, 0, 0, 1])
    expected = new * (p - p * b) / (b - p * b + new * p - b * new)
    proba = model.predict_proba(np.column_stack([1 - p, p]))
    np.testing.assert_allclose(proba[:, 1], expected, atol=1e-15)
    np.testing.assert_allclose(proba.sum(axis=1), 1.0, rtol=1e-15)


def test_priors_of_training_change_nothing(iris):
    X, y = iris
    priors = {2: 0.4, 0: 0.2, 1: 0.4}
    X, y = X[25:], y[25:]
    model = CostMatrixClassifier(GaussianNB(), priors=priors).fit(X, y)
    np.testing.assert_allclose(model.priors_, model.train_priors_)
    np.testing.assert_allclose(model.predict_proba(X), model.estimator_.predict_proba(X))


def test_forms_of_priors(iris):
    X, y = iris
    for priors in ([0.1, 0.2, 0.7], {1: 0.2, 0: 0.1, 2: 0.7}, pd.Series([0.1, 0.2, 0.7])):
        model = CostMatrixClassifier(GaussianNB(), priors=priors).fit(X, y)
        np.testing.assert_allclose(model.priors_, [0.1, 0.2, 0.7])
    assert CostMatrixClassifier(GaussianNB()).fit(X, y).priors_ is None


def test_training_priors_are_weighted(iris):
    X, y = iris
    weight = np.array([1.0, 2.0, 5.0])[y]
    model = CostMatrixClassifier(GaussianNB(), priors=[0.5, 0.25, 0.25])
    model.fit(X, y, sample_weight=weight)
    np.testing.assert_allclose(model.train_priors_, [0.125, 0.25, 0.625])
    bayes = GaussianNB(priors=[0.5, 0.25, 0.25]).fit(X, y, sample_weight=weight)
    np.testing.assert_allclose(model.predict_proba(X), bayes.predict_proba(X), atol=1e-12)


@pytest.mark.parametrize("estimator", [Given(), GivenLogs()])
def test_classes_of_prior_zero(estimator):
    model = CostMatrixClassifier(estimator, priors=[0.75, 0.25, 0.0]).fit(np.eye(3), [0, 1, 2])
    X = np.array([[0.2, 0.2, 0.6], [0.0, 0.0, 1.0], [0.0, 0.5, 0.5]])
    # what only the impossible class could explain says nothing about the others
    expected = [[0.75, 0.25, 0.0], [0.75, 0.25, 0.0], [0.0, 1.0, 0.0]]
    np.testing.assert_allclose(model.predict_proba(X), expected, atol=1e-15)
    np.testing.assert_allclose(np.exp(model.predict_log_proba(X)), expected, atol=1e-15)
    assert model.predict(X).tolist() == [0, 0, 1]


def test_logarithms_go_further_than_posteriors():
    X, y = make_blobs(100, centers=[[0.0], [40.0]], random_state=0)
    model = CostMatrixClassifier(GaussianNB(), priors=[0.9, 0.1]).fit(X, y)
    logs = model.predict_log_proba([[-30.0]])
    assert model.predict_proba([[-30.0]])[0, 1] == 0.0
    inner = model.estimator_.predict_log_proba([[-30.0]])
    assert logs[0, 1] == pytest.approx(inner[0, 1] + np.log(0.1 / 0.9))
    plain = CostMatrixClassifier(GaussianNB()).fit(X, y)
    np.testing.assert_array_equal(
        plain.predict_log_proba(X), plain.estimator_.predict_log_proba(X)
    )


def test_decision_function_is_the_estimators_unless_there_are_priors(iris):
    X, y = iris
    model = CostMatrixClassifier(LogisticRegression(), COST).fit(X, y)
    np.testing.assert_array_equal(
        model.decision_function(X), model.estimator_.decision_function(X)
    )
    assert not hasattr(CostMatrixClassifier(GaussianNB()), "decision_function")
    assert not hasattr(
        CostMatrixClassifier(LogisticRegression(), priors=[0.2, 0.2, 0.6]), "decision_function"
    )


# --- frozen estimators ------------------------------------------------------------


def test_frozen_estimators_are_not_fitted_again(iris):
    X, y = iris
    inner = LogisticRegression().fit(X, y)
    coefficients = inner.coef_.copy()
    model = CostMatrixClassifier(FrozenEstimator(inner), COST, priors=[0.5, 0.5, 0.0])
    few = np.r_[0:20, 50:60]  # nothing of the last class
    model.fit(X[few], y[few], sample_weight=np.where(y[few] == 0, 1.0, 6.0))
    np.testing.assert_array_equal(model.classes_, [0, 1, 2])
    np.testing.assert_allclose(model.train_priors_, [0.25, 0.75, 0.0])
    np.testing.assert_array_equal(inner.coef_, coefficients)
    expected = inner.predict_proba(X)[:, :2] * [2.0, 2 / 3]
    expected /= expected.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(model.predict_proba(X)[:, :2], expected)
    scaled = make_pipeline(StandardScaler(), FrozenEstimator(inner))
    assert CostMatrixClassifier(scaled, COST).fit(X[few], y[few]).classes_.size == 3


def test_frozen_estimators_that_do_not_fit_the_labels(iris):
    X, y = iris
    inner = LogisticRegression().fit(X[:100], y[:100])
    model = CostMatrixClassifier(FrozenEstimator(inner))
    with pytest.raises(
        ValueError, match=r"y must hold classes that estimator knows, \[0, 1\]; got \[2\], too"
    ):
        model.fit(X, y)
    with pytest.raises(ValueError, match=r"priors must be 0 for .*got \[0\.5\] for \[1\]"):
        model.set_params(priors=[0.5, 0.5]).fit(X[:50], y[:50])
    with pytest.raises(NotFittedError):
        CostMatrixClassifier(FrozenEstimator(LogisticRegression())).fit(X, y)


# --- bad input --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"cost_matrix": COST[:2, :2]}, r"cost_matrix must have shape \(3, 3\)"),
        ({"cost_matrix": COST + 1.0}, "cost_matrix must have a zero diagonal"),
        ({"cost_matrix": -COST}, "cost_matrix must not be negative"),
        ({"cost_matrix": {(0, 1): 1.0}}, "cost_matrix must name the cost of"),
        (
            {"cost_matrix": MEMBER},
            "got OperatingPoint. Its costs are its attribute cost_matrix",
        ),
        ({"priors": [0.5, 0.5]}, r"priors must have shape \(3,\)"),
        ({"priors": {0: 0.5, 1: 0.5}}, "priors has labels, and it must name the classes"),
        ({"priors": [0.5, 0.5, 0.5]}, "priors must be non-negative and sum to 1"),
    ],
)
def test_bad_parameters_are_refused_before_the_fit(options, message, iris):
    with pytest.raises(ValueError, match=message):
        CostMatrixClassifier(NeverFitted(), **options).fit(*iris)


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (np.zeros(150), r"y must have cases of at least two classes; got one class: \[0.0\]"),
        (np.linspace(0.1, 0.9, 150), "one class for each case. Unknown label type: continuous"),
        (np.ones((150, 2)), "y should be a 1d array"),
        (np.full(150, np.nan), "Input y contains NaN"),
        (np.array(["a", 1] * 75, dtype=object), "y must hold labels of one type"),
        ([0, 1], "inconsistent numbers of samples"),
    ],
)
def test_bad_labels_are_refused_before_the_fit(y, message, iris):
    with pytest.raises(ValueError, match=message):
        CostMatrixClassifier(NeverFitted()).fit(iris[0], y)


@pytest.mark.parametrize(
    ("weight", "message"),
    [
        (np.ones(3), r"sample_weight must have shape \(150,\); got \(3,\)"),
        (np.full(150, -1.0), "sample_weight must not be negative"),
        (np.zeros(150), "sample_weight must have a positive entry; all are zero"),
    ],
)
def test_bad_weights_are_refused_before_the_fit(weight, message, iris):
    with pytest.raises(ValueError, match=message):
        CostMatrixClassifier(NeverFitted()).fit(*iris, sample_weight=weight)


def test_priors_of_a_class_whose_cases_have_no_weight(iris):
    X, y = iris
    weight = np.where(y == 2, 0.0, 1.0)
    with pytest.raises(ValueError, match=r"priors must be 0 .* got \[0.2\] for \[2\]"):
        CostMatrixClassifier(NeverFitted(), priors=[0.4, 0.4, 0.2]).fit(
            X, y, sample_weight=weight
        )


@pytest.mark.parametrize(
    "estimator",
    [
        LinearSVC(),
        LinearRegression(),
        make_pipeline(StandardScaler(), LinearSVC()),
        None,
        "svc",
    ],
)
def test_estimators_without_posteriors(estimator, iris):
    name = type(estimator).__name__ if hasattr(estimator, "fit") else repr(estimator)
    with pytest.raises(TypeError, match=f"predict_proba; got {name}") as error:
        CostMatrixClassifier(estimator).fit(*iris)
    decides = hasattr(estimator, "decision_function")
    assert ("CalibratedClassifierCV makes posteriors" in str(error.value)) == decides
    with pytest.raises(TypeError, match=r"the class LogisticRegression\. Give an inst"):
        CostMatrixClassifier(LogisticRegression).fit(*iris)


def test_nothing_is_predicted_before_the_fit(iris):
    X, y = iris
    model = CostMatrixClassifier(LogisticRegression())
    for method in ("predict", "predict_proba", "predict_log_proba", "decision_function"):
        with pytest.raises(NotFittedError):
            getattr(model, method)(X)
    with pytest.raises(NotFittedError):
        model.expected_costs(X)
    with pytest.raises(NotFittedError):
        model.calibration(X, y)


def test_a_failed_fit_leaves_nothing_behind(iris):
    model = CostMatrixClassifier(NeverFitted())
    with pytest.raises(AssertionError):
        model.fit(*iris)
    assert not [name for name in vars(model) if name.endswith("_")]


@pytest.mark.parametrize(
    ("proba", "message"),
    [
        ([[0.5, np.nan, 0.5]], "predict_proba of Given must be finite"),
        ([[0.5, 0.5]], r"predict_proba of Given must have a column for each of the 3 classes"),
        (
            [[1.5, -0.5, 0.0]],
            "predict_proba of Given must not be negative; its minimum is -0.5",
        ),
    ],
)
def test_bad_posteriors(proba, message):
    model = CostMatrixClassifier(Given()).fit(np.eye(3), [0, 1, 2])
    with pytest.raises(ValueError, match=message):
        model.predict(proba)


def test_posteriors_that_are_zero_but_for_rounding():
    assert given_proba([[1.0 + 1e-9, -1e-9, 0.0]], COST) == [0]


def test_cases_without_neighbours():
    X, y = [[0.0], [0.1], [5.0], [5.1], [5.2]], [0, 0, 1, 1, 1]
    inner = RadiusNeighborsClassifier(1.0, outlier_label="most_frequent")
    assert CostMatrixClassifier(inner).fit(X, y).predict([[99.0], [0.0]]).tolist() == [1, 0]
