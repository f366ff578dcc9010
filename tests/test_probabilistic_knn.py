"""Probabilistic nearest neighbours against loops, and inside scikit-learn."""

import math
import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import load_digits, load_iris
from sklearn.exceptions import DataConversionWarning, NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import estimator_checks_generator

from skvus.classifiers import CostMatrixClassifier, ProbabilisticKNeighborsClassifier
from skvus.classifiers import _probabilistic_knn as module
from skvus.datasets import make_ripley_mixture

CHECKED = [
    ProbabilisticKNeighborsClassifier(),
    ProbabilisticKNeighborsClassifier(3, 10.0, kernel="uniform"),
    ProbabilisticKNeighborsClassifier(1, algorithm="ball_tree", metric="manhattan"),
    ProbabilisticKNeighborsClassifier(7, algorithm="brute", metric="chebyshev"),
    ProbabilisticKNeighborsClassifier(kernel="uniform", p=3),
    ProbabilisticKNeighborsClassifier(metric="precomputed"),
]


@pytest.mark.parametrize(
    ("estimator", "check"),
    [
        pytest.param(model, check, id=f"{kind}-{check.func.__name__}-{number}")
        for kind, checked in enumerate(CHECKED)
        for number, (model, check) in enumerate(estimator_checks_generator(checked))
    ],
)
def test_is_an_estimator_of_scikit_learn(estimator, check):
    check(estimator)


# --- against a slow twin ----------------------------------------------------------


def twin(X, y, x, n_neighbors, beta, kernel):
    """Posteriors of one case, by the book."""
    distances = [math.sqrt(sum((a - b) ** 2 for a, b in zip(row, x, strict=True))) for row in X]
    order = sorted(range(len(X)), key=lambda i: (distances[i], i))
    h = distances[order[min(n_neighbors, len(X) - 1)]]
    totals = dict.fromkeys(sorted(set(y)), 0.0)
    for i in order[:n_neighbors]:
        if kernel == "uniform":
            totals[y[i]] += 1 / n_neighbors
        else:
            totals[y[i]] += (1 - (distances[i] / h) ** 3) ** 3 if h > 0 else 1.0
    largest = max(totals.values())
    odds = [math.exp(beta * (total - largest)) for total in totals.values()]
    return [odd / sum(odds) for odd in odds]


@st.composite
def problems(draw):
    """Cases with labels, further cases, and parameters; with ties and duplicates or without."""
    n, n_features = draw(st.integers(2, 14)), draw(st.integers(1, 3))
    kind = draw(st.sampled_from(["smooth", "grid", "few", "one"]))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    high = {"smooth": 0, "grid": 4, "few": 2, "one": 1}[kind]
    if kind == "smooth":
        X, new = rng.normal(size=(n, n_features)), rng.normal(size=(5, n_features))
    else:  # distances of small integers are exact
        X, new = (
            rng.integers(high, size=(n, n_features)),
            rng.integers(high, size=(5, n_features)),
        )
    y = rng.integers(draw(st.integers(1, 4)), size=n)
    beta = draw(st.sampled_from([0.0, 0.3, 1.0, 5.0, 100.0]))
    return X, y, new, draw(st.integers(1, n)), beta


@pytest.mark.parametrize("algorithm", ["auto", "kd_tree", "ball_tree", "brute"])
@pytest.mark.parametrize("kernel", ["tricube", "uniform"])
@given(problem=problems())
@settings(max_examples=40, deadline=None)
def test_posteriors_are_those_of_the_twin(algorithm, kernel, problem):
    X, y, new, n_neighbors, beta = problem
    model = ProbabilisticKNeighborsClassifier(
        n_neighbors, beta, kernel=kernel, algorithm=algorithm
    ).fit(X, y)
    proba = model.predict_proba(new)
    expected = [
        twin(X.tolist(), y.tolist(), x, n_neighbors, beta, kernel) for x in new.tolist()
    ]
    np.testing.assert_allclose(proba, expected, rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(np.exp(model.predict_log_proba(new)), proba, atol=1e-12)
    np.testing.assert_array_equal(model.predict(new), model.classes_[proba.argmax(axis=1)])


@pytest.mark.parametrize("algorithm", ["auto", "brute"])
@pytest.mark.parametrize("kernel", ["tricube", "uniform"])
@given(problem=problems())
@settings(max_examples=20, deadline=None)
def test_without_x_one_is_left_out(algorithm, kernel, problem):
    X, y, _, n_neighbors, beta = problem
    n_neighbors = min(n_neighbors, len(X) - 1)
    model = ProbabilisticKNeighborsClassifier(
        n_neighbors, beta, kernel=kernel, algorithm=algorithm
    ).fit(X, y)
    proba = model.predict_proba(None)
    for i in range(len(X)):
        rest = np.delete(np.arange(len(X)), i)
        refitted = clone(model).fit(X[rest], y[rest])
        # a class that had this case only has neighbours of no weight
        known = np.isin(model.classes_, refitted.classes_)
        share = proba[i, known] / proba[i, known].sum()
        np.testing.assert_allclose(
            share, refitted.predict_proba(X[i : i + 1])[0], rtol=1e-6, atol=1e-9
        )
        expected = twin(
            X[rest].tolist(), y[rest].tolist(), X[i].tolist(), n_neighbors, beta, kernel
        )
        np.testing.assert_allclose(share, expected, rtol=1e-6, atol=1e-9)
    predicted = model.classes_[proba.argmax(axis=1)]
    np.testing.assert_array_equal(model.predict(None), predicted)
    assert model.score(None, y) == (predicted == y).mean()


@pytest.mark.parametrize("kernel", ["tricube", "uniform"])
@pytest.mark.parametrize("block", [1, 7, 64])
def test_blocks_change_nothing(monkeypatch, kernel, block):
    rng = np.random.default_rng(0)
    X, y = rng.integers(3, size=(60, 2)), rng.integers(3, size=60)
    model = ProbabilisticKNeighborsClassifier(4, kernel=kernel).fit(X, y)
    expected = model.predict_proba(None), model.predict_proba(X)
    monkeypatch.setattr(module, "_BLOCK", block)
    np.testing.assert_array_equal(model.predict_proba(None), expected[0])
    np.testing.assert_array_equal(model.predict_proba(X), expected[1])


# --- special cases ----------------------------------------------------------------


def test_a_value_by_hand():
    X, y = [[1.0], [2.0], [-4.0], [9.0]], [0, 1, 1, 1]
    model = ProbabilisticKNeighborsClassifier(2, 1.0).fit(X, y)
    nearer, farther = (1 - 1 / 64) ** 3, (1 - 1 / 8) ** 3  # h = 4
    expected = 1 / (1 + math.exp(farther - nearer))
    assert model.predict_proba([[0.0]])[0, 0] == pytest.approx(expected, rel=1e-14)
    model.set_params(kernel="uniform", n_neighbors=3)
    assert model.predict_proba([[0.0]])[0, 0] == pytest.approx(1 / (1 + math.exp(1 / 3)))


def test_uniform_weights_order_classes_by_shares_of_neighbours():
    X, y = make_ripley_mixture(random_state=0)
    shares = KNeighborsClassifier(9).fit(X, y).predict_proba(X)
    model = ProbabilisticKNeighborsClassifier(9, 3.0, kernel="uniform").fit(X, y)
    odds = np.exp(3.0 * shares)
    np.testing.assert_allclose(model.predict_proba(X), odds / odds.sum(axis=1, keepdims=True))


def test_all_neighbours_give_what_all_but_one_give():
    X, y = make_ripley_mixture(30, random_state=0)
    everyone = ProbabilisticKNeighborsClassifier(30).fit(X, y)
    all_but_one = ProbabilisticKNeighborsClassifier(29).fit(X, y)
    new = make_ripley_mixture(30, random_state=1)[0]
    np.testing.assert_allclose(everyone.predict_proba(new), all_but_one.predict_proba(new))


def test_many_cases_at_one_place():
    X = np.zeros((12, 2))
    y = np.array([0, 1, 1] + [2] * 9)
    model = ProbabilisticKNeighborsClassifier(3, 1.0).fit(X, y)  # the first three count
    expected = np.exp([1.0, 2.0, 0.0]) / np.exp([1.0, 2.0, 0.0]).sum()
    np.testing.assert_allclose(model.predict_proba([[0.0, 0.0]])[0], expected)
    np.testing.assert_allclose(model.predict_proba(None)[5], expected)
    without_first = np.exp([0.0, 2.0, 1.0]) / np.exp([0.0, 2.0, 1.0]).sum()
    np.testing.assert_allclose(model.predict_proba(None)[0], without_first)


@pytest.mark.parametrize("kernel", ["tricube", "uniform"])
def test_huge_beta(kernel):
    X, y = make_ripley_mixture(random_state=0)
    model = ProbabilisticKNeighborsClassifier(5, 1e308, kernel=kernel).fit(X, y)
    proba = model.predict_proba(None)
    assert np.isfinite(proba).all()
    np.testing.assert_allclose(proba.sum(axis=1), 1.0)
    bold = ProbabilisticKNeighborsClassifier(5, 1.0, kernel=kernel).fit(X, y)
    np.testing.assert_array_equal(model.predict(None), bold.predict(None))
    logs = model.set_params(beta=1000.0).predict_log_proba(None)
    assert np.isfinite(logs).all()
    assert logs.min() < -900 if kernel == "uniform" else logs.min() < -745


def test_beta_of_zero_knows_nothing():
    X, y = make_ripley_mixture(random_state=0)
    model = ProbabilisticKNeighborsClassifier(beta=0).fit(X, y)
    np.testing.assert_allclose(model.predict_proba(X), 1 / 3)
    assert (model.predict(X) == 0).all()


def test_one_class():
    model = ProbabilisticKNeighborsClassifier(1).fit([[0.0], [1.0]], ["a", "a"])
    np.testing.assert_array_equal(model.predict_proba([[5.0]]), [[1.0]])
    np.testing.assert_array_equal(model.predict_proba(None), [[1.0], [1.0]])
    single = ProbabilisticKNeighborsClassifier(1).fit([[0.0]], [1])
    np.testing.assert_array_equal(single.predict_proba([[0.0], [2.0]]), [[1.0], [1.0]])


def test_set_params_needs_no_fit():
    X, y = make_ripley_mixture(90, random_state=0)
    model = ProbabilisticKNeighborsClassifier().fit(X, y)
    model.predict_proba(None)
    params = {"n_neighbors": np.int64(17), "beta": np.float32(0.5), "kernel": "uniform"}
    fresh = ProbabilisticKNeighborsClassifier(**params).fit(X, y)
    model.set_params(**params)
    np.testing.assert_array_equal(model.predict_proba(None), fresh.predict_proba(None))
    np.testing.assert_array_equal(model.predict_proba(X), fresh.predict_proba(X))


def test_makes_about_as_few_errors_as_in_the_paper():
    # section 4.2: 32 of 300 at best, by leave-one-out; the Bayes error is 9.2%
    X, y = make_ripley_mixture(random_state=0)
    model = ProbabilisticKNeighborsClassifier().fit(X, y)
    errors = min(
        300 * (1 - model.set_params(n_neighbors=k).score(None, y)) for k in range(1, 60)
    )
    assert 15 <= errors <= 45


# --- bad input --------------------------------------------------------------------


@pytest.mark.parametrize("value", [0, -1, 2.0, "5", None, True])
def test_bad_n_neighbors(value):
    X, y = make_ripley_mixture(30, random_state=0)
    model = ProbabilisticKNeighborsClassifier().fit(X, y)
    match = "n_neighbors must be an integer of at least 1; got"
    with pytest.raises(ValueError, match=match):
        model.set_params(n_neighbors=value).predict(X)
    with pytest.raises(ValueError, match=match):
        model.fit(X, y)


def test_too_many_neighbours():
    X, y = make_ripley_mixture(30, random_state=0)
    with pytest.raises(
        ValueError, match=r"n_neighbors must be at most .* n_samples=30; got 31"
    ):
        ProbabilisticKNeighborsClassifier(31).fit(X, y)
    model = ProbabilisticKNeighborsClassifier(30).fit(X, y)
    with pytest.raises(ValueError, match=r"at most 29, .* other than the case itself; got 30"):
        model.predict_proba(None)
    model.set_params(n_neighbors=31)
    with pytest.raises(ValueError, match="at most 30, the number of training cases; got 31"):
        model.predict_proba(X)


@pytest.mark.parametrize("value", [-0.1, np.nan, np.inf, "1", None, True, 10**400])
def test_bad_beta(value):
    X, y = make_ripley_mixture(30, random_state=0)
    with pytest.raises(ValueError, match="beta must be a finite number of at least 0; got"):
        ProbabilisticKNeighborsClassifier(beta=value).fit(X, y)


def test_bad_options():
    X, y = make_ripley_mixture(30, random_state=0)
    with pytest.raises(ValueError, match="kernel must be one of 'tricube', 'uniform'; got 'x'"):
        ProbabilisticKNeighborsClassifier(kernel="x").fit(X, y)
    with pytest.raises(ValueError, match="'algorithm' parameter"):
        ProbabilisticKNeighborsClassifier(algorithm="x").fit(X, y)
    with pytest.raises(ValueError, match="'metric' parameter"):
        ProbabilisticKNeighborsClassifier(metric="x").fit(X, y)
    with pytest.raises(ValueError, match="'p' parameter"):
        ProbabilisticKNeighborsClassifier(p=np.array([3])).fit(X, y)
    with pytest.raises(ValueError, match="'algorithm' parameter"):
        ProbabilisticKNeighborsClassifier(algorithm=np.array([])).fit(X, y)
    with pytest.raises(TypeError, match="positional"):
        ProbabilisticKNeighborsClassifier(5, 1.0, "uniform")


def test_bad_labels():
    X = make_ripley_mixture(6, random_state=0)[0]
    with pytest.raises(ValueError, match="Unknown label type: continuous"):
        ProbabilisticKNeighborsClassifier(1).fit(X, [0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
    with pytest.raises(ValueError, match="Unknown label type: unknown"):
        ProbabilisticKNeighborsClassifier(1).fit(
            X, np.array([0, "a", 1, 1, 1, 1], dtype=object)
        )
    with pytest.warns(DataConversionWarning, match="column-vector"):
        ProbabilisticKNeighborsClassifier(1).fit(X, [[0], [1], [0], [1], [0], [1]])


def test_before_fit():
    for X in (None, [[0.0]]):
        with pytest.raises(NotFittedError):
            ProbabilisticKNeighborsClassifier().predict_proba(X)
        with pytest.raises(NotFittedError):
            ProbabilisticKNeighborsClassifier().predict(X)


@pytest.mark.parametrize("algorithm", ["kd_tree", "ball_tree"])
def test_distances_that_overflow(algorithm):
    X, y = np.array([[0.0], [1e200], [-1e200], [3e200]]), [0, 1, 0, 1]
    model = ProbabilisticKNeighborsClassifier(2, algorithm=algorithm).fit(X, y)
    with pytest.raises(ValueError, match="X must have finite distances"):
        model.predict_proba(None)


# --- inside scikit-learn ----------------------------------------------------------


@pytest.mark.parametrize(
    "names", [["a", "b", "c"], [-3, 5, 7], [0.0, 1.0, 2.0], [False, True, True]]
)
def test_labels_of_any_kind(names):
    X, y = make_ripley_mixture(60, random_state=0)
    labels = np.array(names)[y]
    model = ProbabilisticKNeighborsClassifier().fit(X, labels)
    np.testing.assert_array_equal(model.classes_, np.unique(labels))
    assert model.predict(X).dtype == labels.dtype
    assert model.score(None, labels) > 0.75


def test_labels_that_are_objects():
    X, y = make_ripley_mixture(60, random_state=0)
    labels = np.array(["a", "b", "c"], dtype=object)[y]
    model = ProbabilisticKNeighborsClassifier().fit(X, labels)
    assert model.classes_.tolist() == ["a", "b", "c"]
    assert model.score(None, labels) > 0.75


def test_data_frames_and_their_names():
    X, y = make_ripley_mixture(60, random_state=0)
    frame = pd.DataFrame(X, columns=["left", "right"])
    model = ProbabilisticKNeighborsClassifier().fit(frame, pd.Series(y))
    assert model.feature_names_in_.tolist() == ["left", "right"]
    expected = ProbabilisticKNeighborsClassifier().fit(X, y)
    np.testing.assert_array_equal(model.predict_proba(frame), expected.predict_proba(X))
    np.testing.assert_array_equal(model.predict_proba(None), expected.predict_proba(None))
    with pytest.raises(ValueError, match="feature names"):
        model.predict(frame[["right", "left"]])
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        model.predict(X)


def test_searches_and_pipelines():
    X, y = load_iris(return_X_y=True)
    pipeline = make_pipeline(StandardScaler(), ProbabilisticKNeighborsClassifier())
    name = pipeline.steps[-1][0]
    grid = {f"{name}__n_neighbors": [1, 10], f"{name}__beta": [0.1, 4.0]}
    search = GridSearchCV(pipeline, grid, scoring="neg_log_loss", cv=3).fit(X, y)
    assert search.best_params_ == {f"{name}__n_neighbors": 10, f"{name}__beta": 4.0}
    assert cross_val_score(pipeline, X, y, cv=3).mean() > 0.9
    by_cost = CostMatrixClassifier(pipeline, [[0, 1, 1], [1, 0, 1], [9, 9, 0]]).fit(X, y)
    assert (by_cost.predict(X) == 2).sum() > (pipeline.fit(X, y).predict(X) == 2).sum()


@pytest.mark.parametrize("convert", [sparse.csr_array, sparse.csc_matrix, sparse.coo_array])
def test_sparse_cases(convert):
    X, y = load_digits(return_X_y=True)
    X, y = X[:200], y[:200]  # small integers: no rounding errors
    for kernel in ("tricube", "uniform"):
        dense = ProbabilisticKNeighborsClassifier(kernel=kernel).fit(X, y)
        model = ProbabilisticKNeighborsClassifier(kernel=kernel).fit(convert(X), y)
        np.testing.assert_allclose(model.predict_proba(None), dense.predict_proba(None))
        np.testing.assert_allclose(model.predict_proba(convert(X)), dense.predict_proba(X))


def test_tags():
    def takes_sparse(**params):
        return get_tags(ProbabilisticKNeighborsClassifier(**params)).input_tags.sparse

    assert takes_sparse()
    assert takes_sparse(p=1)
    assert takes_sparse(metric="cosine")
    assert not takes_sparse(p=3)
    assert not takes_sparse(algorithm="kd_tree")
    assert not takes_sparse(metric="precomputed")
    assert not takes_sparse(metric=lambda a, b: 0.0)
    X, y = make_ripley_mixture(30, random_state=0)
    with pytest.raises(TypeError, match=r"[Ss]parse"):
        ProbabilisticKNeighborsClassifier(p=3).fit(sparse.csr_array(X), y)


@pytest.mark.parametrize("kernel", ["tricube", "uniform"])
def test_precomputed_distances(kernel):
    rng = np.random.default_rng(0)
    X, y = rng.integers(6, size=(60, 2)), rng.integers(3, size=60)
    distances = np.abs(X[:, np.newaxis] - X).sum(axis=2)
    model = ProbabilisticKNeighborsClassifier(7, kernel=kernel, metric="precomputed")
    expected = ProbabilisticKNeighborsClassifier(7, kernel=kernel, metric="manhattan").fit(X, y)
    model.fit(distances, y)
    np.testing.assert_array_equal(model.predict_proba(None), expected.predict_proba(None))
    np.testing.assert_array_equal(model.predict_proba(distances), expected.predict_proba(X))
    np.testing.assert_array_equal(
        cross_val_score(model, distances, y, cv=3), cross_val_score(expected, X, y, cv=3)
    )


def test_metrics_of_any_kind():
    X, y = make_ripley_mixture(30, random_state=0)
    expected = ProbabilisticKNeighborsClassifier(metric="chebyshev").fit(X, y)
    by_function = ProbabilisticKNeighborsClassifier(metric=lambda a, b: np.abs(a - b).max())
    np.testing.assert_allclose(
        by_function.fit(X, y).predict_proba(None), expected.predict_proba(None)
    )
    widths = np.array([1.0, 4.0])
    model = ProbabilisticKNeighborsClassifier(metric="seuclidean", metric_params={"V": widths})
    expected = ProbabilisticKNeighborsClassifier().fit(X / np.sqrt(widths), y)
    np.testing.assert_allclose(
        model.fit(X, y).predict_proba(None), expected.predict_proba(None)
    )


def test_parallel_jobs_and_pickles():
    X, y = make_ripley_mixture(random_state=0)
    model = ProbabilisticKNeighborsClassifier().fit(X, y)
    parallel = ProbabilisticKNeighborsClassifier(n_jobs=2).fit(X, y)
    np.testing.assert_array_equal(parallel.predict_proba(None), model.predict_proba(None))
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict_proba(None), model.predict_proba(None))


def test_training_data_are_left_alone():
    X, y = make_ripley_mixture(random_state=0)
    copy = X.copy()
    model = ProbabilisticKNeighborsClassifier().fit(X, y)
    model.predict_proba(None)
    np.testing.assert_array_equal(X, copy)
