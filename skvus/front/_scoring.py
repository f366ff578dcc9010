"""Scores of predicted labels, computed from confusion matrices."""

import inspect

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.metrics import get_scorer as sklearn_scorer

from skvus.metrics import get_scorer, get_scorer_names


class _Recorded(ClassifierMixin, BaseEstimator):
    """A fitted classifier whose predictions are known: X holds their codes."""

    def __init__(self, classes):
        self.classes_ = classes

    def fit(self, X, y):
        return self

    def __sklearn_is_fitted__(self):
        return True

    def predict(self, X):
        return self.classes_[X[:, 0]]


def score_members(front, score):
    """The score of each member, the higher the better."""
    counts = front.counts
    if counts is None:
        counts = front.priors[:, np.newaxis] * front.rates
    if isinstance(score, str) and score in _AT_ONCE:
        return _AT_ONCE[score](np.asarray(counts, dtype=float))
    takes_estimator = isinstance(score, (str, *_scorer_types()))
    evaluate = _from_scorer(score) if takes_estimator else _from_metric(score)
    scores = np.empty(len(front))
    for i, table in enumerate(counts):
        true, called = np.nonzero(table)
        value = evaluate(front.classes, true, called, table[true, called])
        if np.ndim(value) != 0:
            raise ValueError(f"score must give one number; {score!r} gave {value!r}.")
        scores[i] = value
    return scores


def _accuracy(counts):
    return np.einsum("mkk->m", counts) / counts.sum(axis=(1, 2))


def _balanced_accuracy(counts):
    return (np.einsum("mkk->mk", counts) / counts.sum(axis=2)).mean(axis=1)


def _f1_of_classes(counts):
    # every class has true cases, so that no denominator is zero
    return 2.0 * np.einsum("mkk->mk", counts) / (counts.sum(axis=1) + counts.sum(axis=2))


def _f1_macro(counts):
    return _f1_of_classes(counts).mean(axis=1)


def _f1_weighted(counts):
    shares = counts.sum(axis=2) / counts.sum(axis=(1, 2))[:, np.newaxis]
    return (shares * _f1_of_classes(counts)).sum(axis=1)


def _matthews_corrcoef(counts):
    shares = counts / counts.sum(axis=(1, 2), keepdims=True)
    true, called = shares.sum(axis=2), shares.sum(axis=1)
    covariance = np.einsum("mkk->m", shares) - (true * called).sum(axis=1)
    spread = (1.0 - (true**2).sum(axis=1)) * (1.0 - (called**2).sum(axis=1))
    # one call for all cases has no correlation; what is left of its spread is rounding
    return np.where(spread > 1e-15, covariance / np.sqrt(np.maximum(spread, 1e-15)), 0.0)


# Frequent scores of all members at once; a call for each member takes a millisecond.
_AT_ONCE = {
    "accuracy": _accuracy,
    "balanced_accuracy": _balanced_accuracy,
    "f1_macro": _f1_macro,
    "f1_weighted": _f1_weighted,
    "matthews_corrcoef": _matthews_corrcoef,
}


def _scorer_types():
    """The types of objects that are called with an estimator."""
    return type(sklearn_scorer("accuracy")), type(get_scorer("macro_average"))


def _from_scorer(score):
    if isinstance(score, str):
        score = get_scorer(score) if score in get_scorer_names() else sklearn_scorer(score)

    def evaluate(classes, true, called, weight):
        estimator = _Recorded(classes)
        try:
            return score(estimator, called[:, np.newaxis], classes[true], sample_weight=weight)
        except AttributeError as error:
            raise ValueError(
                f"score must be one of predicted labels; {score!r} needs more: {error}"
            ) from error

    return evaluate


def _from_metric(metric):
    parameters = inspect.signature(metric).parameters.values()
    takes_weight = any(
        p.name == "sample_weight" or p.kind == inspect.Parameter.VAR_KEYWORD for p in parameters
    )

    def evaluate(classes, true, called, weight):
        if takes_weight:
            return metric(classes[true], classes[called], sample_weight=weight)
        if weight.dtype.kind != "i":
            raise ValueError(
                f"score={metric!r} must take sample_weight: the front has no whole counts."
            )
        return metric(np.repeat(classes[true], weight), np.repeat(classes[called], weight))

    return evaluate
