"""The search and its data: frames, labels, weights, metadata, folds."""

import numpy as np
import pandas as pd
import pytest
import sklearn
from scipy import sparse
from search_cases import NAMES, assert_consistent, outcome, small
from sklearn.base import clone
from sklearn.ensemble import (
    HistGradientBoostingClassifier,
)
from sklearn.exceptions import NotFittedError, UnsetMetadataPassedError
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import confusion_matrix
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedGroupKFold,
    StratifiedKFold,
    cross_val_predict,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils import get_tags

from skvus import CostMatrixClassifier, ROCFront, WithinLimits

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
        # older scikit-learn does not read the names of newer polars
        has_names = hasattr(LogisticRegression().fit(frame, y), "feature_names_in_")
        assert hasattr(search, "feature_names_in_") == has_names
        if has_names:
            assert search.feature_names_in_.tolist() == ["length", "width"]
        np.testing.assert_array_equal(search.predict(frame), expected.predict(X))


def test_arrow_tables(iris):
    arrow = pytest.importorskip("pyarrow")
    X, y = iris
    expected = outcome(small().fit(X, y))
    table = arrow.table({"length": X[:, 0], "width": X[:, 1]})
    assert outcome(small().fit(table, y)) == expected
    for labels in (arrow.array(y), arrow.chunked_array([y[:20], y[20:]])):
        assert outcome(small().fit(X, labels)) == expected


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
