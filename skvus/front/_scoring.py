"""Scores of predicted labels, computed from confusion matrices."""

import inspect

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.metrics import get_scorer as sklearn_scorer
from sklearn.metrics import get_scorer_names as sklearn_scorer_names

from skvus._validation import did_you_mean, one_line
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
    if isinstance(score, str) and score == "balanced_accuracy":
        return np.einsum("mkk->m", front.rates) / front.n_classes
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
        try:
            value = evaluate(front.classes, true, called, table[true, called])
        except ValueError as error:
            if not any(name in str(error) for name in ("pos_label", "average=")):
                raise
            raise ValueError(_one_class_counts(error, score, front.classes)) from error
        if np.ndim(value) != 0 or np.asarray(value).dtype.kind not in "biuf":
            raise ValueError(f"score must give one number; {score!r} gave {value!r}.")
        scores[i] = value
    return scores


def known_scores():
    """Names of the scorers of skvus and of scikit-learn."""
    return [*get_scorer_names(), *sklearn_scorer_names()]


def _one_class_counts(error, score, classes):
    """What to do about a score that takes one class for the one that counts."""
    name = score if isinstance(score, str) else getattr(score, "__name__", "f1")
    name = name.removesuffix("_score")
    if f"{name}_macro" not in sklearn_scorer_names():
        name = "f1"
    label = classes.tolist()[-1]
    # older scikit-learn looks for the default pos_label among the classes all the same
    option = f"labels=[{label!r}], average='macro', pos_label=None"
    if len(classes) == 2:
        option = f"pos_label={label!r}"
    return (
        f"score={one_line(score)} must know which class counts: {str(error).rstrip('.')}. Give "
        f"BestScore('{name}_macro'), or BestScore(make_scorer({name}_score, {option}))."
    )


def _accuracy(counts):
    return np.einsum("mkk->m", counts) / counts.sum(axis=(1, 2))


def _f1_of_classes(counts):
    totals = counts.sum(axis=1) + counts.sum(axis=2)
    # a class that is neither true nor called has an F1 of zero, as scikit-learn has it
    return 2.0 * np.einsum("mkk->mk", counts) / np.where(totals > 0.0, totals, 1.0)


def _f1_macro(counts):
    return _f1_of_classes(counts).mean(axis=1)


def _f1_weighted(counts):
    shares = counts.sum(axis=2) / counts.sum(axis=(1, 2))[:, np.newaxis]
    return (shares * _f1_of_classes(counts)).sum(axis=1)


def _matthews_corrcoef(counts):
    shares = counts / counts.sum(axis=(1, 2), keepdims=True)
    true, called = shares.sum(axis=2), shares.sum(axis=1)
    covariance = np.einsum("mkk->m", shares) - (true * called).sum(axis=1)
    spread = np.sqrt(_spread(true)) * np.sqrt(_spread(called))
    # one call for all cases has no spread, and no correlation
    return np.where(spread > 0.0, covariance / np.where(spread > 0.0, spread, 1.0), 0.0)


def _spread(shares):
    """One minus the sum of squares, as a sum of products that cannot cancel."""
    before = np.cumsum(shares, axis=1) - shares
    before[:, 0] = 0.0
    return 2.0 * (shares * before).sum(axis=1)


# Frequent scores of all members at once; a call for each member takes milliseconds.
_AT_ONCE = {
    "accuracy": _accuracy,
    "f1_macro": _f1_macro,
    "f1_weighted": _f1_weighted,
    "matthews_corrcoef": _matthews_corrcoef,
}


def _scorer_types():
    """The types of objects that are called with an estimator."""
    return type(sklearn_scorer("accuracy")), type(get_scorer("macro_average"))


def _from_scorer(score):
    if isinstance(score, str):
        try:
            score = get_scorer(score) if score in get_scorer_names() else sklearn_scorer(score)
        except ValueError as error:
            raise ValueError(
                f"score must be the name of a scorer, see skvus.get_scorer_names() and "
                f"sklearn.metrics.get_scorer_names(); got {score!r}."
                f"{did_you_mean(score, known_scores(), repr)}"
            ) from error

    def evaluate(classes, true, called, weight):
        try:
            return _called(score, classes, true, called, sample_weight=weight)
        except TypeError:  # a metric that takes no weights
            if weight.dtype.kind != "i":
                raise ValueError(
                    f"score must take sample_weight, since the front has no whole counts; got "
                    f"{score!r}."
                ) from None
            return _called(score, classes, np.repeat(true, weight), np.repeat(called, weight))
        except AttributeError as error:
            raise ValueError(
                f"score must be one of predicted labels; {score!r} needs probabilities or "
                "scores, which a confusion matrix does not tell."
            ) from error

    return evaluate


def _called(scorer, classes, true, called, **options):
    return scorer(_Recorded(classes), called[:, np.newaxis], classes[true], **options)


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
