"""Ways through the library that data seldom take."""

from functools import partial

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LogisticRegression

import skvus
from skvus.metrics import _soft_polytope, _units


def predictions(n_classes=3, n=20, skill=1.5, seed=0):
    """True labels and probabilities, n cases a class."""
    rng = np.random.default_rng(seed)
    y = np.repeat(np.arange(n_classes), n)
    logits = rng.normal(size=(y.size, n_classes)) + skill * np.eye(n_classes)[y]
    proba = np.exp(logits)
    return y, proba / proba.sum(axis=1, keepdims=True)


def recall(y_true, y_pred, *, sample_weight=None):
    """Mean recall."""
    return skvus.macro_average_score(y_true, y_pred, sample_weight=sample_weight)


def test_a_soft_volume_that_cannot_be_cut_into_cells_is_sampled(monkeypatch):
    y, proba = predictions(n=6)
    exact = skvus.soft_polytope_vus_score(y, proba)

    def fails(members):
        raise ArithmeticError("cells do not add up")

    monkeypatch.setattr(_soft_polytope, "exact_volume", fails)
    drawn = skvus.soft_polytope_vus_score(y, proba, random_state=0, return_details=True)
    assert not drawn.is_exact
    assert drawn.method == "monte_carlo"
    assert drawn.score == pytest.approx(exact, abs=5.0 * drawn.standard_error)
    assert 0.0 < drawn.standard_error < 0.1
    with pytest.raises(ArithmeticError, match="cells do not add up"):
        skvus.soft_polytope_vus_score(y, proba, method="exact")


class WithoutSignature:
    """A score that does not tell what it takes."""

    __name__ = "unsigned"
    __signature__ = "none"

    def __call__(self, y_true, y_pred, sample_weight=None):
        return recall(y_true, y_pred, sample_weight=sample_weight)


@pytest.mark.parametrize(
    ("score", "name"), [(WithoutSignature(), "unsigned"), (partial(recall), "recall")]
)
def test_functions_that_hide_what_they_are(score, name):
    y, proba = predictions()
    labels, weight = proba.argmax(axis=1), np.arange(1.0, y.size + 1.0)
    result = skvus.score_inference(
        y, labels, score=score, method="jackknife", sample_weight=weight
    )
    assert result.score == pytest.approx(recall(y, labels, sample_weight=weight))
    assert result.score_name == name


def test_resamples_without_a_class(monkeypatch):
    y, proba = predictions(n=30)
    groups = np.arange(y.size) % 30
    groups[y == 2] = np.arange(30) % 2  # a class in two groups that others share
    options = {"groups": groups, "method": "bootstrap", "n_resamples": 200, "random_state": 0}
    skvus.score_inference(y, proba, score="pdi", **options)
    monkeypatch.setattr(_units, "_MOST_REDRAWS", 1)
    with pytest.raises(ValueError, match="groups must have each class in several groups"):
        skvus.score_inference(y, proba, score="pdi", **options)


def test_scorers_of_classes_that_are_objects():
    y, proba = predictions()
    names = np.array(["ash", "elm", "yew"])
    model = LogisticRegression().fit(proba, names.astype(object)[y])
    assert model.classes_.dtype == object
    scorer = skvus.get_scorer("pdi")
    expected = skvus.pdi_score(y, model.predict_proba(proba))
    assert scorer(model, proba, names[y]) == pytest.approx(expected)


def test_class_sizes_that_are_no_numbers_of_cases():
    rates = np.array([[[0.8, 0.2], [0.4, 0.6]], [[0.6, 0.4], [0.2, 0.8]]])
    whole = skvus.ROCFront.from_rates(rates, class_sizes=[10, 5])
    np.testing.assert_array_equal(np.sort(whole.counts[:, 0, 0]), [6, 8])
    for sizes in ([10.5, 5], [10, 3]):
        assert skvus.ROCFront.from_rates(rates, class_sizes=sizes).counts is None


class Sealed(ClassifierMixin, BaseEstimator):
    """A linear classifier whose weights can be seen but not set."""

    def fit(self, X, y):
        self._model = LogisticRegression().fit(X, y)
        self.classes_ = self._model.classes_
        return self

    @property
    def coef_(self):
        """Weights."""
        return self._model.coef_

    @property
    def intercept_(self):
        """Intercepts."""
        return self._model.intercept_

    def predict_proba(self, X):
        return self._model.predict_proba(X)

    def predict(self, X):
        return self._model.predict(X)


def test_weights_that_cannot_be_set():
    y, X = predictions()
    search = skvus.ParetoROCSearch(Sealed(), evolve="weights", n_generations=2, cv=2)
    with pytest.raises(TypeError, match="whose weights can be set; those of Sealed cannot"):
        search.fit(X, y)


def test_splits_of_lists_that_are_ragged():
    y, X = predictions()
    search = skvus.ParetoROCSearch(LogisticRegression(), cv=[([[0, 1], [2]], [3])])
    with pytest.raises(ValueError, match="cv"):
        search.fit(X, y)


def test_several_classifiers_of_many_classes():
    rates = np.stack([share * np.eye(9) + (1.0 - share) / 9.0 for share in (0.9, 0.8)])
    options = {"normalize": "max", "return_std": True, "random_state": 0}
    better, error = skvus.polytope_vus(rates[:1], **options)
    both, error_of_both = skvus.polytope_vus(rates, n_samples=200, **options)
    assert both == pytest.approx(better, abs=5.0 * (error + error_of_both))  # one is dominated
    assert 0.0 < error < 0.1 * better


def test_labels_that_are_complex():
    y, proba = predictions()
    with pytest.raises(ValueError, match=r"y_true must hold labels.*complex"):
        skvus.pdi_score(y.astype(complex), proba)
