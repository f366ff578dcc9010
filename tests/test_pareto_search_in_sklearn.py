"""The search for a ROC surface inside scikit-learn: checks, data, folds, weights, options."""

import os
import pickle
from copy import deepcopy
from inspect import signature

import joblib
import numpy as np
import pandas as pd
import pytest
import sklearn
from deap import base, tools
from scipy import sparse, stats
from sklearn.base import BaseEstimator, ClassifierMixin, clone, is_classifier
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_iris, make_blobs
from sklearn.ensemble import (
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
    StackingClassifier,
    VotingClassifier,
)
from sklearn.exceptions import FitFailedWarning, NotFittedError, UnsetMetadataPassedError
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import confusion_matrix, pairwise_distances, roc_auc_score, roc_curve
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    KFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedGroupKFold,
    StratifiedKFold,
    StratifiedShuffleSplit,
    cross_val_predict,
    cross_val_score,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils import estimator_html_repr, get_tags
from sklearn.utils.estimator_checks import estimator_checks_generator
from sklearn.utils.validation import check_is_fitted

from skvus import CostMatrixClassifier, LeastCost, ParetoROCSearch, ROCFront, WithinLimits

COST = np.array([[0.0, 1.0, 4.0], [2.0, 0.0, 1.0], [10.0, 5.0, 0.0]])


def small(estimator=None, *arguments, **options):
    """A search that takes a moment."""
    defaults = {"n_generations": 2, "n_costs": 10, "n_initial": 10, "cv": 3, "random_state": 0}
    estimator = LogisticRegression() if estimator is None else estimator
    return ParetoROCSearch(estimator, *arguments, **{**defaults, **options})


def outcome(search):
    """All that the search found, to the last bit."""
    front = search.front_
    return front.rates.tobytes(), front.costs.tobytes(), search.cost_matrix_.tobytes()


def members_alike(search):
    """Members with the parameters of the chosen one."""
    values = [tuple(np.ravel(value) for value in p.values()) for p in search.front_.params]
    chosen = values[search.best_index_]
    return [i for i, value in enumerate(values) if all(map(np.array_equal, value, chosen))]


def assert_consistent(search, X):
    """What is chosen is a member, and decides by its costs."""
    member = search.front_[search.best_index_]
    np.testing.assert_array_equal(search.cv_results_["counts"].sum(axis=0), member.counts)
    np.testing.assert_array_equal(search.cost_matrix_, search.front_.costs[search.best_index_])
    proba = search.estimator_.predict_proba(X)
    np.testing.assert_array_equal(search.predict_proba(X), proba)
    expected = search.classes_[(proba @ search.cost_matrix_).argmin(axis=1)]
    assert (search.predict(X) == expected).mean() > 0.99  # but for ties to 1e-12
    np.testing.assert_array_equal(search.best_estimator_.predict(X), search.predict(X))


@pytest.fixture(scope="module")
def iris():
    """Two features on which the classes overlap."""
    X, y = load_iris(return_X_y=True)
    return X[:, :2], y


@pytest.fixture(scope="module")
def pair():
    """Two classes that overlap."""
    return make_blobs(
        150, centers=[[0.0, 0.0], [1.8, 0.8]], cluster_std=1.0, n_features=2, random_state=0
    )


# --- scikit-learn's own checks ----------------------------------------------------

CHECKED = {
    "costs": small(),
    "five_folds": small(cv=None),
    "resubstitution": small(cv="resubstitution"),
    "hold_out": small(cv=0.3),
    "weights": small(evolve="weights"),
    "params": small(None, {"C": [0.1, 1.0]}, error_score="raise"),
    "tree": small(DecisionTreeClassifier(random_state=0)),
}
# the reason for which scikit-learn excuses TunedThresholdClassifierCV; a tree has no
# decision_function, to which decisions are compared
EXPECTED_FAILED = {"check_classifiers_train": "Threshold at probability 0.5 does not hold"}
CHECKS = [
    pytest.param(
        model,
        check,
        id=f"{kind}-{check.func.__name__}-{number}",
        marks=[pytest.mark.xfail(reason=EXPECTED_FAILED[check.func.__name__])]
        if check.func.__name__ in EXPECTED_FAILED and kind != "tree"
        else [],
    )
    for kind, search in CHECKED.items()
    for number, (model, check) in enumerate(estimator_checks_generator(search))
]


@pytest.mark.parametrize(("estimator", "check"), CHECKS)
def test_is_an_estimator_of_scikit_learn(estimator, check):
    check(estimator)


# --- as a part of something else --------------------------------------------------


def test_in_a_pipeline_around_and_inside(iris):
    X, y = iris
    inside = small(make_pipeline(StandardScaler(), LogisticRegression()), cv="resubstitution")
    around = make_pipeline(StandardScaler(), small(cv="resubstitution"))
    np.testing.assert_array_equal(inside.fit(X, y).predict(X), around.fit(X, y).predict(X))
    assert inside.n_features_in_ == 2
    assert is_classifier(around)


def test_in_cross_validation(iris):
    X, y = iris
    search = small()
    scores = cross_val_score(search, X, y, cv=3)
    predicted = cross_val_predict(search, X, y, cv=3)
    assert scores.mean() == pytest.approx((predicted == y).mean())
    proba = cross_val_predict(search, X, y, cv=3, method="predict_proba")
    inner = cross_val_predict(LogisticRegression(), X, y, cv=3, method="predict_proba")
    np.testing.assert_array_equal(proba, inner)


def test_in_a_grid_search_over_parameters_of_both(iris):
    X, y = iris
    grid = {"cost_alpha": [0.3, 1.0], "estimator__C": [1e-6, 1.0]}
    outer = GridSearchCV(small(), grid, cv=3).fit(X, y)
    assert outer.best_params_["estimator__C"] == 1.0
    assert outer.best_estimator_.estimator_.C == 1.0
    assert outer.best_estimator_.cost_alpha == outer.best_params_["cost_alpha"]
    assert_consistent(outer.best_estimator_, X)


def test_parameters_and_copies(iris):
    X, y = iris
    search = small(None, {"C": [0.1, 1.0]}, cost_alpha=np.ones((3, 3)))
    params = search.get_params(deep=True)
    assert params["estimator__C"] == 1.0
    assert set(search.get_params(deep=False)) == set(signature(ParetoROCSearch).parameters)
    search.set_params(n_generations=3, estimator__max_iter=500)
    copy = clone(search)
    assert copy.n_generations == 3
    assert copy.estimator.max_iter == 500
    assert copy.estimator is not search.estimator
    with pytest.raises(NotFittedError):
        copy.predict(X)
    with pytest.raises(NotFittedError):
        copy.set_operating_point("knee")
    before = {name: repr(value) for name, value in search.get_params().items()}
    search.fit(X, y)
    assert {name: repr(value) for name, value in search.get_params().items()} == before
    assert not hasattr(search.estimator, "coef_")
    assert not hasattr(clone(search), "front_")
    with pytest.raises(ValueError, match="Invalid parameter"):
        search.set_params(colour=1)


def test_how_it_looks(iris):
    X, y = iris
    search = small(step=0.2)
    assert repr(search).startswith("ParetoROCSearch(")
    assert "estimator=LogisticRegression()" in repr(search)
    assert "step=0.2" in repr(search)
    assert "selection" not in repr(search)
    for model in (search, search.fit(X, y), make_pipeline(StandardScaler(), search)):
        page = estimator_html_repr(model)
        assert "ParetoROCSearch" in page
        assert "LogisticRegression" in page


@pytest.mark.parametrize(
    ("arguments", "options"),
    [((), {}), (({"C": stats.loguniform(0.01, 10)},), {}), ((), {"evolve": "weights"})],
    ids=["costs", "params", "weights"],
)
def test_copies_by_pickle(iris, arguments, options):
    X, y = iris
    search = small(None, *arguments, **options).fit(X, y)
    data = pickle.dumps(search)
    assert X.tobytes()[:160] not in data
    assert X[y == 1].tobytes()[:160] not in data
    assert np.asfortranarray(X).tobytes(order="F")[:160] not in data
    for copy in (pickle.loads(data), deepcopy(search)):
        assert outcome(copy) == outcome(search)
        np.testing.assert_array_equal(copy.predict(X), search.predict(X))
        np.testing.assert_array_equal(copy.predict_proba(X), search.predict_proba(X))
        assert [dict(row) for row in copy.logbook_] == [dict(row) for row in search.logbook_]


def test_another_operating_point_of_an_unpickled_search(iris):
    X, y = iris
    search = small(n_costs=50).fit(X, y)
    copy = pickle.loads(pickle.dumps(search))
    rule = LeastCost(COST)
    copy.set_operating_point(rule)
    search.set_operating_point(rule)
    assert copy.best_index_ == search.best_index_
    np.testing.assert_array_equal(copy.predict(X), search.predict(X))
    np.testing.assert_array_equal(copy.cv_results_["counts"], search.cv_results_["counts"])


def test_an_unpickled_search_has_no_data_for_another_classifier(iris):
    X, y = iris
    search = small(None, {"C": stats.loguniform(0.01, 10)}, n_generations=10).fit(X, y)
    other = next(i for i in range(len(search.front_)) if i not in members_alike(search))
    copy = pickle.loads(pickle.dumps(search))
    index, predicted = copy.best_index_, copy.predict(X)
    with pytest.raises(ValueError, match="training data, which copies and files"):
        copy.set_operating_point(other)
    # and nothing has changed
    assert copy.best_index_ == index
    np.testing.assert_array_equal(copy.predict(X), predicted)


def test_an_unpickled_search_keeps_its_member(iris):
    # the classifier of the chosen member is there: no data are needed
    X, y = iris
    search = small(None, {"C": stats.loguniform(0.01, 10)}).fit(X, y)
    copy = pickle.loads(pickle.dumps(search))
    copy.set_operating_point(search.best_index_)
    np.testing.assert_array_equal(copy.predict(X), search.predict(X))


# --- data -------------------------------------------------------------------------


def test_data_frames(iris):
    X, y = iris
    expected = small().fit(X, y)
    frame = pd.DataFrame(X, columns=["length", "width"], index=np.arange(len(y))[::-1] * 2)
    search = small().fit(frame, pd.Series(y, index=frame.index))
    assert outcome(search) == outcome(expected)
    assert search.feature_names_in_.tolist() == ["length", "width"]
    assert not hasattr(expected, "feature_names_in_")
    np.testing.assert_array_equal(search.predict(frame), expected.predict(X))
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        search.predict(X)
    with pytest.raises(ValueError, match="feature names should match"):
        search.predict(frame.rename(columns={"width": "depth"}))
    with pytest.warns(UserWarning, match="was fitted without feature names"):
        expected.predict(frame)


def test_polars_frames(iris):
    polars = pytest.importorskip("polars")
    X, y = iris
    expected = small().fit(X, y)
    frame = polars.DataFrame({"length": X[:, 0], "width": X[:, 1]})
    for labels in (y, polars.Series(y)):
        search = small().fit(frame, labels)
        assert outcome(search) == outcome(expected)
        assert search.feature_names_in_.tolist() == ["length", "width"]
        np.testing.assert_array_equal(search.predict(frame), expected.predict(X))


NAMES = np.array(["setosa", "versicolor", "virginica"])


@pytest.mark.parametrize(
    "wrap",
    [
        lambda names: names,
        lambda names: names.astype(object),
        lambda names: names.tolist(),
        lambda names: pd.Series(names, index=np.arange(len(names)) + 7),
        lambda names: pd.Series(names).astype("category"),
        lambda names: pd.Categorical(names),
        lambda names: pd.Series(names).astype("string"),
    ],
    ids=["str", "object", "list", "series", "category", "categorical", "string"],
)
@pytest.mark.parametrize("cv", [3, "resubstitution"])
def test_labels_of_any_kind(iris, wrap, cv):
    X, y = iris
    expected = small(cv=cv).fit(X, y)
    search = small(cv=cv).fit(X, wrap(NAMES[y]))
    assert search.classes_.tolist() == NAMES.tolist()
    assert search.front_.classes.tolist() == NAMES.tolist()
    assert outcome(search) == outcome(expected)
    np.testing.assert_array_equal(search.predict(X), NAMES[expected.predict(X)])
    assert search.set_operating_point(WithinLimits({"setosa": 0.1})).best_index_ >= 0


def test_lists_and_a_column_of_labels(iris):
    X, y = iris
    expected = small().fit(X, y)
    search = small().fit(X.tolist(), y.tolist())
    assert outcome(search) == outcome(expected)
    np.testing.assert_array_equal(search.predict(X.tolist()), expected.predict(X))
    with pytest.warns(sklearn.exceptions.DataConversionWarning):
        search = small().fit(X, y[:, np.newaxis])
    assert outcome(search) == outcome(expected)


@pytest.mark.parametrize(
    "kind",
    [
        sparse.csr_matrix,
        sparse.coo_matrix,
        sparse.csc_matrix,
        sparse.csr_array,
        sparse.coo_array,
    ],
)
@pytest.mark.parametrize("cv", [3, 0.4, "resubstitution"])
def test_sparse_data(iris, kind, cv):
    X, y = iris
    expected = small(DecisionTreeClassifier(max_depth=3, random_state=0), cv=cv).fit(X, y)
    search = small(DecisionTreeClassifier(max_depth=3, random_state=0), cv=cv).fit(kind(X), y)
    assert outcome(search) == outcome(expected)
    np.testing.assert_array_equal(search.predict(sparse.csr_matrix(X)), expected.predict(X))


@pytest.mark.parametrize("wrap", [list, np.array, pd.Series], ids=["list", "array", "series"])
def test_text(wrap):
    rng = np.random.default_rng(0)
    words = [["goal", "team", "match"], ["vote", "party", "law"], ["atom", "cell", "star"]]
    y = np.repeat(["sport", "politics", "science"], 20)
    texts = [
        " ".join(rng.choice(words[k] + words[rng.integers(3)], 4))
        for k in np.repeat([0, 1, 2], 20)
    ]
    model = make_pipeline(TfidfVectorizer(), LogisticRegression())
    search = small(model, {"logisticregression__C": [0.1, 10.0]}).fit(wrap(texts), y)
    assert search.predict(wrap(["goal team match goal"])).tolist() == ["sport"]
    assert_consistent(search, wrap(texts))
    assert small(model, cv="resubstitution").fit(wrap(texts), y).predict(wrap(texts)).size == 60


def test_input_tags():
    assert get_tags(small()).input_tags.sparse
    assert not get_tags(small(GaussianNB())).input_tags.sparse
    assert get_tags(small(HistGradientBoostingClassifier())).input_tags.allow_nan
    assert get_tags(small(KNeighborsClassifier(metric="precomputed"))).input_tags.pairwise


def test_missing_values_reach_those_who_take_them(iris):
    X, y = iris
    X = X.copy()
    X[::7, 0] = np.nan
    model = HistGradientBoostingClassifier(max_iter=5, min_samples_leaf=5)
    search = small(model).fit(X, y)
    assert_consistent(search, X)
    with pytest.raises(ValueError, match="contains NaN"):
        small().fit(X, y)
    with pytest.raises(ValueError, match="contains NaN"):
        small(None, {"C": [0.1, 1.0]}).fit(X, y)


# --- sample weights and metadata --------------------------------------------------


class Witness(LogisticRegression):
    """Looks whether what comes with cases is that of the same cases."""

    def fit(self, X, y, sample_weight=None, marks=None, whole=None, few=(1, 2)):
        """Fit."""
        if marks is not None:
            np.testing.assert_array_equal(np.asarray(marks), X[:, 0])
        if sample_weight is not None:
            np.testing.assert_array_equal(sample_weight, X[:, 0])
        assert whole is None or whole == "all of it"
        assert tuple(few) == (1, 2)
        self.n_marks_ = None if marks is None else len(marks)
        return super().fit(X, y, sample_weight=sample_weight)


@pytest.mark.parametrize("evolve", ["costs", "params", "weights"])
def test_weights_reach_the_fits_and_the_rates(iris, evolve):
    X, y = iris
    weight = np.random.default_rng(0).exponential(size=y.size)
    distributions = {"C": [1.0]} if evolve == "params" else None
    search = small(None, distributions, evolve=evolve).fit(X, y, sample_weight=weight)
    sizes = np.bincount(y, weights=weight)
    np.testing.assert_allclose(
        search.front_.counts.sum(axis=2), np.tile(sizes, (len(search.front_), 1))
    )
    np.testing.assert_allclose(search.front_.priors, sizes / sizes.sum())
    assert outcome(search) != outcome(small(None, distributions, evolve=evolve).fit(X, y))
    if evolve != "weights":
        inner = LogisticRegression().fit(X, y, sample_weight=weight)
        np.testing.assert_array_equal(search.predict_proba(X), inner.predict_proba(X))
    assert small(Witness(), distributions, evolve=evolve).fit(X, y, sample_weight=X[:, 0])


def test_integer_weights_are_repetitions(iris):
    X, y = iris
    weight = np.random.default_rng(1).integers(0, 4, size=y.size)
    options = {"cv": "resubstitution", "n_costs": 40}
    model = DecisionTreeClassifier(max_depth=2, random_state=0)
    weighted = small(model, **options).fit(X, y, sample_weight=weight)
    repeated = small(model, **options).fit(np.repeat(X, weight, axis=0), np.repeat(y, weight))
    np.testing.assert_allclose(weighted.front_.rates, repeated.front_.rates, atol=1e-12)
    np.testing.assert_allclose(weighted.front_.counts, repeated.front_.counts, atol=1e-9)
    assert weighted.gini_ == pytest.approx(repeated.gini_, abs=1e-12)
    np.testing.assert_array_equal(weighted.predict(X), repeated.predict(X))


def test_weights_of_one_do_nothing(iris):
    X, y = iris
    weighted = small().fit(X, y, sample_weight=np.ones(y.size))
    np.testing.assert_allclose(weighted.front_.rates, small().fit(X, y).front_.rates)


def test_estimators_without_weights(iris):
    X, y = iris
    weight = np.ones(y.size)
    with pytest.raises(
        TypeError, match=r"sample_weight must be None .* estimator is KNeighborsClassifier\(\)"
    ):
        small(KNeighborsClassifier()).fit(X, y, sample_weight=weight)
    # a classifier that is fitted already needs none: they are for the rates
    fitted = KNeighborsClassifier().fit(X, y)
    search = small(fitted, cv="prefit", refit=False).fit(X, y, sample_weight=2 * weight)
    np.testing.assert_allclose(search.front_.counts.sum(axis=2), 100.0)


@pytest.mark.parametrize("cv", [3, "resubstitution", 0.3, "prefit"])
def test_a_class_without_weight(iris, cv):
    X, y = iris
    model = DecisionTreeClassifier(max_depth=2).fit(X, y)
    search = small(model, cv=cv, refit=cv != "prefit")
    with pytest.raises(ValueError, match="class"):
        search.fit(X, y, sample_weight=(y != 1).astype(float))


def test_weights_are_routed(iris):
    X, y = iris
    weight = np.random.default_rng(0).exponential(size=y.size)
    expected = small().fit(X, y, sample_weight=weight)
    with sklearn.config_context(enable_metadata_routing=True):
        inner = LogisticRegression().set_fit_request(sample_weight=True)
        search = small(inner).fit(X, y, sample_weight=weight)
        assert outcome(search) == outcome(expected)
        np.testing.assert_array_equal(search.predict_proba(X), expected.predict_proba(X))
        # weights of the rates alone
        unweighted = LogisticRegression().set_fit_request(sample_weight=False)
        search = small(unweighted).fit(X, y, sample_weight=weight)
        sizes = np.bincount(y, weights=weight)
        np.testing.assert_allclose(search.front_.counts[0].sum(axis=1), sizes)
        plain = LogisticRegression().fit(X, y)
        np.testing.assert_array_equal(search.predict_proba(X), plain.predict_proba(X))
        with pytest.raises(UnsetMetadataPassedError, match="sample_weight"):
            small().fit(X, y, sample_weight=weight)
        with pytest.raises(TypeError, match="unexpected argument"):
            small().fit(X, y, colour=weight)


def test_weights_are_routed_through_a_grid_search(iris):
    X, y = iris
    weight = np.random.default_rng(0).exponential(size=y.size)
    with sklearn.config_context(enable_metadata_routing=True):
        inner = LogisticRegression().set_fit_request(sample_weight=True)
        search = small(inner).set_fit_request(sample_weight=True)
        search.set_score_request(sample_weight=True)
        outer = GridSearchCV(search, {"estimator__C": [0.01, 1.0]}, cv=3)
        outer.fit(X, y, sample_weight=weight)
        by_hand = clone(outer.best_estimator_).fit(X, y, sample_weight=weight)
        assert outcome(outer.best_estimator_) == outcome(by_hand)


@pytest.mark.parametrize("routing", [False, True])
@pytest.mark.parametrize("splitter", [GroupKFold(3), StratifiedGroupKFold(3)])
def test_groups_reach_the_splitter(iris, splitter, routing):
    X, y = iris
    groups = np.arange(y.size) % 10
    splits = list(splitter.split(X, y, groups))
    expected = small(cv=splits).fit(X, y)
    with sklearn.config_context(enable_metadata_routing=routing):
        search = small(cv=splitter).fit(X, y, groups=groups)
    assert outcome(search) == outcome(expected)
    assert len(search.cv_results_["counts"]) == 3
    np.testing.assert_array_equal(
        search.cv_results_["counts"].sum(axis=(1, 2)), [len(test) for _, test in splits]
    )


def test_groups_are_asked_for(iris):
    X, y = iris
    with pytest.raises(ValueError, match="'groups' parameter should not be None"):
        small(cv=GroupKFold(3)).fit(X, y)


@pytest.mark.parametrize("evolve", ["costs", "params", "weights"])
@pytest.mark.parametrize("wrap", [np.asarray, list, pd.Series])
def test_what_goes_with_cases_is_cut_to_folds(iris, evolve, wrap):
    X, y = iris
    distributions = {"C": [0.1, 1.0]} if evolve == "params" else None
    search = small(Witness(), distributions, evolve=evolve)
    search.fit(X, y, marks=wrap(X[:, 0]), whole="all of it", few=(1, 2))
    assert search.estimator_.n_marks_ == y.size
    with sklearn.config_context(enable_metadata_routing=True):
        witness = Witness().set_fit_request(marks=True)
        search = small(witness, distributions, evolve=evolve, cv=GroupKFold(2))
        search.fit(X, y, marks=wrap(X[:, 0]), groups=np.arange(y.size) % 5)
    assert search.estimator_.n_marks_ == y.size


# --- folds ------------------------------------------------------------------------


class CountedFolds(StratifiedKFold):
    """Counts how often splits are made."""

    n_calls = 0

    def split(self, X, y, groups=None):
        """Splits."""
        type(self).n_calls += 1
        return super().split(X, y, groups)


def test_none_is_five_stratified_folds(iris):
    X, y = iris
    search = small(cv=None).fit(X, y)
    for cv in (5, np.int64(5), StratifiedKFold(5), list(StratifiedKFold(5).split(X, y))):
        assert outcome(small(cv=cv).fit(X, y)) == outcome(search)
    generator = small(cv=StratifiedKFold(5).split(X, y)).fit(X, y)
    assert outcome(generator) == outcome(search)
    assert search.cv_results_["counts"].shape == (5, 3, 3)
    proba = cross_val_predict(LogisticRegression(), X, y, cv=5, method="predict_proba")
    front = search.front_
    order = np.concatenate([test for _, test in StratifiedKFold(5).split(X, y)])
    for index in range(len(front)):
        predicted = front.predict(proba, index)
        np.testing.assert_array_equal(front.counts[index], confusion_matrix(y, predicted))
    assert sorted(order) == list(range(y.size))


def test_masks_are_splits_too(iris):
    X, y = iris
    splits = list(StratifiedKFold(3).split(X, y))
    masks = [tuple(np.isin(np.arange(y.size), part) for part in split) for split in splits]
    assert outcome(small(cv=masks).fit(X, y)) == outcome(small(cv=3).fit(X, y))


@pytest.mark.parametrize("share", [0.4, np.float64(0.4), np.float32(0.5)])
def test_a_share_is_held_out(iris, share):
    X, y = iris
    search = small(cv=share).fit(X, y)
    assert search.cv_results_["counts"].shape == (1, 3, 3)
    np.testing.assert_array_equal(search.front_.counts.sum(axis=2), round(50 * share))
    assert outcome(search) == outcome(small(cv=share).fit(X, y))
    assert outcome(search) != outcome(small(cv=share, random_state=1).fit(X, y))
    # with a single classifier, there is one without refit, too
    kept = small(cv=share, refit=False).fit(X, y)
    assert outcome(kept) == outcome(search)
    assert not np.array_equal(kept.predict_proba(X), search.predict_proba(X))
    with pytest.raises(AttributeError, match="no classifier"):
        small(cv=3, refit=False).fit(X, y).predict(X)


def test_repeats_are_pooled(iris):
    X, y = iris
    search = small(cv=RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=0))
    search.fit(X, y)
    np.testing.assert_array_equal(search.front_.counts.sum(axis=(1, 2)), 2 * y.size)
    assert search.cv_results_["counts"].shape == (6, 3, 3)
    search = small(cv=ShuffleSplit(4, test_size=30, random_state=0)).fit(X, y)
    np.testing.assert_array_equal(search.front_.counts.sum(axis=(1, 2)), 120)
    assert_consistent(search, X)


@pytest.mark.parametrize("evolve", ["costs", "params", "weights"])
def test_splits_are_made_once(iris, evolve):
    X, y = iris
    CountedFolds.n_calls = 0
    distributions = {"C": [0.1, 1.0]} if evolve == "params" else None
    search = small(None, distributions, evolve=evolve, cv=CountedFolds(3)).fit(X, y)
    search.set_operating_point("knee").set_operating_point(0)
    assert CountedFolds.n_calls == 1


def test_prefit(iris):
    X, y = iris
    fitted = LogisticRegression().fit(X[::2], y[::2])
    coef = fitted.coef_.copy()
    with pytest.raises(ValueError, match="refit must be False for cv='prefit'"):
        small(fitted, cv="prefit").fit(X[1::2], y[1::2])
    with pytest.raises(NotFittedError):
        small(cv="prefit", refit=False).fit(X, y)
    with pytest.raises(ValueError, match="does not go with evolve='params'"):
        small(fitted, {"C": [1.0]}, cv="prefit", refit=False).fit(X, y)
    search = small(fitted, cv="prefit", refit=False).fit(X[1::2], y[1::2])
    assert search.estimator_ is fitted
    proba = fitted.predict_proba(X[1::2])
    for member, cost in zip(search.front_, search.front_.costs, strict=True):
        by_hand = CostMatrixClassifier(FrozenEstimator(fitted), cost).fit(X, y)
        confusion = confusion_matrix(y[1::2], by_hand.predict(X[1::2]))
        np.testing.assert_array_equal(member.counts, confusion)
    larger = ROCFront.from_predictions(y[1::2], proba, n_costs=20_000, random_state=0)
    assert search.gini_ <= larger.gini() + 0.05
    moved = small(fitted, cv="prefit", refit=False, evolve="weights", n_generations=10)
    moved.fit(X[1::2], y[1::2])
    np.testing.assert_array_equal(fitted.coef_, coef)
    assert_consistent(moved, X)


def test_prefit_with_two_classes(pair):
    X, y = pair
    fitted = GaussianNB().fit(X[::2], y[::2])
    search = small(fitted, cv="prefit", refit=False).fit(X[1::2], y[1::2])
    front = ROCFront.from_estimator(fitted, X[1::2], y[1::2])
    np.testing.assert_array_equal(search.front_.rates, front.rates)
    assert search.gini_ == front.gini()


def test_prefit_with_a_class_that_y_lacks(iris):
    X, y = iris
    fitted = LogisticRegression().fit(X, y)
    search = small(fitted, cv="prefit", refit=False)
    with pytest.raises(ValueError, match="class"):
        search.fit(X[y > 0], y[y > 0])


def test_resubstitution(iris):
    X, y = iris
    X = X + np.random.default_rng(0).normal(scale=1e-3, size=X.shape)  # no case twice
    search = small(DecisionTreeClassifier(random_state=0), cv="resubstitution").fit(X, y)
    np.testing.assert_array_equal(search.front_.rates, [np.eye(3)])
    assert search.gini_ == pytest.approx(1.0)
    assert search.cv_results_["rates"].shape == (1, 3, 3)
    np.testing.assert_array_equal(search.predict(X), y)
    # leave-one-out posteriors, where there are any
    search = small(KNeighborsClassifier(1), cv="resubstitution", n_costs=30).fit(X, y)
    left_out = KNeighborsClassifier(1).fit(X, y).predict_proba(None)
    for index in range(len(search.front_)):
        confusion = confusion_matrix(y, search.front_.predict(left_out, index))
        np.testing.assert_array_equal(search.front_.counts[index], confusion)
    assert search.gini_ < 0.99


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
            assert repr(search.estimator_.get_params()[name]) == repr(value)


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


# --- workers ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        ((), {}),
        (({"C": stats.loguniform(0.01, 10)},), {"n_offspring": 2}),
        ((), {"evolve": "weights"}),
    ],
    ids=["costs", "params", "weights"],
)
def test_workers_do_not_matter(iris, arguments, options):
    X, y = iris
    search = small(None, *arguments, **options, n_jobs=1).fit(X, y)
    found = [
        clone(search).fit(X, y),
        clone(search).set_params(n_jobs=2).fit(X, y),
        clone(search).set_params(n_jobs=None).fit(X, y),
        search.fit(X, y),
    ]
    with joblib.parallel_backend("threading", n_jobs=2):
        found.append(clone(search).set_params(n_jobs=None).fit(X, y))
        found.append(clone(search).set_params(n_jobs=2).fit(X, y))
    for other in found:
        assert outcome(other) == outcome(search)
        np.testing.assert_array_equal(other.predict(X), search.predict(X))
        np.testing.assert_equal(other.best_params_, search.best_params_)
    generator = clone(search).set_params(random_state=np.random.RandomState(0)).fit(X, y)
    assert outcome(generator) == outcome(
        clone(search).set_params(random_state=np.random.RandomState(0)).fit(X, y)
    )


# --- attributes -------------------------------------------------------------------


@pytest.mark.parametrize("evolve", ["costs", "params", "weights"])
def test_attributes(iris, evolve):
    X, y = iris
    distributions = {"C": stats.loguniform(0.01, 10)} if evolve == "params" else None
    frame = pd.DataFrame(X, columns=["length", "width"])
    search = small(
        None, distributions, evolve=evolve, n_generations=5, store_cv_results=True
    ).fit(frame, y)
    text = ParetoROCSearch.__doc__.split("Attributes\n")[1].split("See Also\n")[0]
    names = [line.split(" : ")[0].strip() for line in text.splitlines() if "_ : " in line]
    assert len(names) == 15
    for name in names:
        assert hasattr(search, name), name
    front = search.front_
    assert isinstance(front, ROCFront)
    assert search.classes_.tolist() == front.classes.tolist() == [0, 1, 2]
    assert search.gini_ == front.gini(random_state=0)
    assert search.best_index_ == front.select("distance")
    assert search.gini_std_ == 0.0
    assert search.interrupted_ is False
    assert search.n_features_in_ == 2
    assert_consistent(search, frame)
    results = search.cv_results_
    assert results["rates"].shape == (3, 3, 3)
    np.testing.assert_allclose(results["mean_rates"], results["rates"].mean(axis=0))
    np.testing.assert_allclose(results["std_rates"], results["rates"].std(axis=0))
    check_is_fitted(search.best_estimator_)
    assert isinstance(search.best_estimator_, CostMatrixClassifier)
    np.testing.assert_array_equal(search.best_estimator_.cost_matrix_, search.cost_matrix_)
    np.testing.assert_allclose(
        np.exp(search.predict_log_proba(frame)), search.predict_proba(frame)
    )
    np.testing.assert_array_equal(
        search.decision_function(frame), search.estimator_.decision_function(frame)
    )
    assert not hasattr(small(GaussianNB()), "decision_function")
    assert search.score(frame, y) == (search.predict(frame) == y).mean()
    # what was tried
    n_candidates = (10 if evolve == "params" else 1) + 5
    for name in ("params", "generation", "n_entered", "seconds"):
        assert len(results[name]) == n_candidates
    n_evaluations = 10 * 10 + 5 * 10 if evolve == "params" else 10 + 5 * 10
    assert search.n_evaluations_ == n_evaluations
    book = search.logbook_
    assert isinstance(book, tools.Logbook)
    assert book.select("generation") == list(range(6))
    assert book.select("evaluations")[-1] == n_evaluations
    assert book.select("size")[-1] == len(front)
    for name in ("evaluations", "gini", "seconds"):
        assert (np.diff(book.select(name)) >= 0.0).all(), name
    assert (np.diff(book.select("distance")) <= 0.0).all()  # the best is the most negative
    assert book.select("distance")[-1] == pytest.approx(front.random_simplex_distance().min())
    assert book.select("gini")[-1] == pytest.approx(search.gini_, abs=0.05)
    assert "generation" in str(book)
    # parameters of the members
    if evolve == "costs":
        assert front.params is None
        assert search.best_params_ == {}
    else:
        np.testing.assert_equal(search.best_params_, front.params[search.best_index_])
    if evolve == "params":
        assert search.best_params_["C"] == search.estimator_.C


def test_a_new_fit_forgets_the_old_one(iris, pair):
    search = small(None, {"C": [0.1, 1.0]}).fit(*iris)
    search.fit(*pair)
    assert search.classes_.tolist() == [0, 1]
    assert outcome(search) == outcome(small(None, {"C": [0.1, 1.0]}).fit(*pair))
    with pytest.raises(ValueError, match="inconsistent numbers"):
        search.fit(iris[0], iris[1][:-1])


# --- operating points -------------------------------------------------------------


class CountedFits(LogisticRegression):
    """Counts its fits."""

    n_fits = 0

    def fit(self, X, y, sample_weight=None):
        """Fit."""
        type(self).n_fits += 1
        return super().fit(X, y, sample_weight)


@pytest.mark.parametrize(
    "rule", ["distance", "knee", LeastCost(COST), WithinLimits({2: 0.3}), 0]
)
@pytest.mark.parametrize("evolve", ["costs", "params", "weights"])
def test_another_operating_point(iris, rule, evolve):
    X, y = iris
    distributions = {"C": stats.loguniform(0.01, 10)} if evolve == "params" else None
    search = small(None, distributions, evolve=evolve, n_generations=5).fit(X, y)
    found = search.front_
    assert search.set_operating_point(rule) is search
    assert search.front_ is found
    assert search.best_index_ == found.select(rule)
    assert_consistent(search, X)
    direct = clone(search).set_params(operating_point=rule).fit(X, y)
    assert outcome(direct) == outcome(search)
    np.testing.assert_array_equal(direct.predict(X), search.predict(X))
    np.testing.assert_array_equal(direct.cv_results_["counts"], search.cv_results_["counts"])


def test_costs_alone_need_no_other_fit(iris):
    X, y = iris
    CountedFits.n_fits = 0
    search = small(CountedFits(), n_costs=50).fit(X, y)
    assert CountedFits.n_fits == 4
    fitted, index = search.estimator_, search.best_index_
    search.set_operating_point(LeastCost(COST))
    assert search.best_index_ != index
    assert search.estimator_ is fitted
    assert CountedFits.n_fits == 4
    CountedFits.n_fits = 0
    assert small(CountedFits(), cv=0.3, refit=False).fit(X, y).estimator_
    assert CountedFits.n_fits == 1


def test_other_parameters_need_another_fit(iris):
    X, y = iris
    search = small(None, {"C": stats.loguniform(0.01, 10)}, n_generations=20).fit(X, y)
    chosen = [params["C"] for params in search.front_.params]
    best = search.best_params_["C"]
    fitted = search.estimator_
    other = next(i for i, C in enumerate(chosen) if best != C)
    search.set_operating_point(other)
    assert search.estimator_ is not fitted
    assert chosen[other] == search.estimator_.C
    inner = LogisticRegression(C=chosen[other]).fit(X, y)
    np.testing.assert_array_equal(search.predict_proba(X), inner.predict_proba(X))


def test_the_same_candidate_needs_no_other_fit(iris):
    # "a classifier is fitted only if the member has other parameters than the one before"
    X, y = iris
    search = small(CountedFits(), {"C": stats.loguniform(0.01, 10)}, n_costs=50).fit(X, y)
    other = next(i for i in members_alike(search) if i != search.best_index_)
    fitted = search.estimator_
    CountedFits.n_fits = 0
    search.set_operating_point(other)
    assert search.estimator_ is fitted
    assert CountedFits.n_fits == 0


def test_the_same_parameters_need_no_other_fit(iris):
    # several candidates may have drawn the same value
    X, y = iris
    search = small(None, {"C": [1.0]}, n_costs=50).fit(X, y)
    other = next(i for i in range(len(search.front_)) if i != search.best_index_)
    fitted = search.estimator_
    search.set_operating_point(other)
    assert search.best_params_ == {"C": 1.0}
    assert search.estimator_ is fitted


def test_operating_points_that_cannot_be(iris):
    X, y = iris
    with pytest.raises(ValueError, match="operating_point"):
        small(operating_point="nearest").fit(X, y)
    search = small().fit(X, y)
    index = search.best_index_
    with pytest.raises((IndexError, ValueError), match=r"member|index"):
        search.set_operating_point(10_000)
    with pytest.raises(ValueError, match="rule"):
        search.set_operating_point("nearest")
    assert search.best_index_ == index


# --- options ----------------------------------------------------------------------


class Fragile(LogisticRegression):
    """Fails for some parameters."""

    def fit(self, X, y, sample_weight=None):
        """Fit."""
        if self.C > 1.0:
            raise RuntimeError("too strong")
        return super().fit(X, y, sample_weight)


class KnowsItsProcess(LogisticRegression):
    """Remembers where it was fitted."""

    def fit(self, X, y, sample_weight=None):
        """Fit."""
        self.process_ = os.getpid()
        return super().fit(X, y, sample_weight)


class Interrupted:
    """Costs until somebody presses Ctrl-C."""

    def __init__(self):
        self.n_calls = 0

    def __call__(self, rng, n, archive):
        """Costs."""
        self.n_calls += 1
        if self.n_calls > 3:
            raise KeyboardInterrupt
        return rng.random((n, 3, 3)) * (1.0 - np.eye(3))


def first_toolbox():
    """Parents that are always the first member."""
    toolbox = base.Toolbox()
    toolbox.register("propose_costs", random_costs)
    return toolbox


def random_costs(rng, n, archive):
    """Costs of a distribution that is not Dirichlet's."""
    return rng.random((n, 3, 3)) * (1.0 - np.eye(3))


EVOLVED = {"param_distributions": {"C": stats.uniform(0.01, 10)}, "n_generations": 15}
OPTIONS = {
    "estimator": ({}, LogisticRegression(), GaussianNB()),
    "param_distributions": ({}, None, {"C": [0.01, 0.1]}),
    "evolve": ({"n_generations": 10}, "auto", "weights"),
    "objectives": ({}, "rates", "miss_rates"),
    "n_generations": ({}, 2, 6),
    "n_costs": ({}, 10, 30),
    "n_initial": ({}, 10, 30),
    "n_offspring": ({}, 1, 3),
    "cost_alpha": ({}, 1.0, 0.2),
    "cost_alpha-array": ({}, 1.0, 5 * COST + np.eye(3)),
    "cost_proposal": ({}, "mixed", "dirichlet"),
    "cost_proposal-function": ({}, "mixed", random_costs),
    "step": (EVOLVED, 0.1, 0.5),
    "step-weights": ({"evolve": "weights", "n_generations": 15}, 0.1, 0.5),
    "step_scale": (EVOLVED, "relative", "absolute"),
    "step_scale-weights": ({"evolve": "weights", "n_generations": 15}, "relative", "absolute"),
    "selection": (EVOLVED, "pqrs", "uniform"),
    "cv": ({}, 3, StratifiedShuffleSplit(2, random_state=0)),
    "cv-folds": ({}, 3, KFold(3, shuffle=True, random_state=0)),
    "operating_point": ({"n_costs": 50}, "distance", LeastCost(COST)),
    "random_state": ({}, 0, 1),
    "toolbox": ({}, None, first_toolbox()),
}
# looked at one by one
APART = {"refit", "n_jobs", "verbose", "error_score", "on_interrupt", "store_cv_results"}


def test_all_options_are_looked_at():
    named = {name.split("-")[0] for name in OPTIONS}
    assert named | APART == set(signature(ParetoROCSearch).parameters)


@pytest.mark.parametrize("name", OPTIONS)
def test_options_matter(iris, name):
    X, y = iris
    others, *values = OPTIONS[name]
    searches = [small(**others) for _ in values]
    for search, value in zip(searches, values, strict=True):
        search.set_params(**{name.split("-")[0]: value}).fit(X, y)
        assert_consistent(search, X)
    assert outcome(searches[0]) != outcome(searches[1])


def test_refit(iris):
    X, y = iris
    assert hasattr(small(refit=True).fit(X, y), "best_estimator_")
    search = small(refit=False).fit(X, y)
    assert not hasattr(search, "best_estimator_")
    assert search.best_index_ >= 0
    assert search.set_operating_point("knee").cv_results_["counts"].shape == (3, 3, 3)
    with pytest.raises(AttributeError, match="no classifier"):
        search.predict(X)


def test_workers_work(iris):
    X, y = iris
    model = KnowsItsProcess()
    alone = small(model, cv=0.3, refit=False).fit(X, y)
    assert alone.estimator_.process_ == os.getpid()
    helped = small(model, cv=0.3, refit=False, n_jobs=2).fit(X, y)
    assert helped.estimator_.process_ != os.getpid()


def test_verbose(iris, capsys):
    X, y = iris
    small(verbose=0).fit(X, y)
    assert "".join(capsys.readouterr()) == ""
    small(verbose=1).fit(X, y)
    assert "ParetoROCSearch" in "".join(capsys.readouterr())


def test_error_score(iris):
    X, y = iris
    distributions = {"C": [0.1, 2.0]}
    with pytest.raises(RuntimeError, match="too strong"):
        small(Fragile(), distributions, error_score="raise").fit(X, y)
    with pytest.warns(FitFailedWarning, match="too strong"):
        search = small(Fragile(), distributions, store_cv_results=True).fit(X, y)
    assert search.best_params_ == {"C": 0.1}
    assert -1 in search.cv_results_["n_entered"]
    # what fits of no candidate survive is an error that tells why
    with pytest.raises(ValueError, match="too strong"):
        small(Fragile(), {"C": [2.0, 3.0]}).fit(X, y)


def test_on_interrupt(iris):
    X, y = iris
    search = small(n_generations=10, cost_proposal=Interrupted())
    with pytest.raises(KeyboardInterrupt):
        search.fit(X, y)
    assert search.interrupted_
    assert len(search.front_)
    search = small(n_generations=10, cost_proposal=Interrupted(), on_interrupt="keep")
    with pytest.warns(UserWarning, match="nterrupted after 2 of 10 generations"):
        search.fit(X, y)
    assert search.interrupted_
    assert_consistent(search, X)


def test_store_cv_results(iris):
    X, y = iris
    assert "params" not in small().fit(X, y).cv_results_
    search = small(store_cv_results=True).fit(X, y)
    assert search.cv_results_["params"] == [{}] * 3
    assert "params" in search.set_operating_point("knee").cv_results_
