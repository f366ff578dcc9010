"""What a classifier around another one asks of it, and of the labels that both get."""

from inspect import Parameter, signature
from numbers import Integral

import numpy as np
from scipy.special import logsumexp
from sklearn.base import ClassifierMixin
from sklearn.frozen import FrozenEstimator
from sklearn.utils import assert_all_finite, column_or_1d
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import check_is_fitted, has_fit_parameter

from skvus._soft import check_column_names
from skvus._validation import (
    ROW_SUM_TOLERANCE,
    as_score_array,
    host_array,
    refuse_masked,
    shorten,
)


def check_estimator(estimator):
    """Raise for what is no classifier with posteriors."""
    is_instance = hasattr(estimator, "fit") and not isinstance(estimator, type)
    has_posteriors = hasattr(estimator, "predict_proba") or _will_stack(estimator)
    if not is_instance or not has_posteriors:
        got, hint = _in_one_line(estimator), ""
        if isinstance(estimator, type):
            name = estimator.__name__
            got, hint = f"the class {name}", f" Give an instance: {name}()."
        elif isinstance(estimator, ClassifierMixin) or hasattr(estimator, "decision_function"):
            hint = (
                " sklearn.calibration.CalibratedClassifierCV makes posteriors of what a "
                "classifier without them decides by."
            )
        raise TypeError(
            "estimator must be an instance of a classifier with predict_proba; got "
            f"{got}.{hint}"
        )


def labels_of(y):
    """Labels as a vector, one class for each case."""
    refuse_masked("y", y)
    labels = column_or_1d(host_array("y", y), warn=True)
    try:
        assert_all_finite(labels, input_name="y")
        kind = type_of_target(labels, input_name="y")
    except TypeError as error:  # what cannot be compared
        raise ValueError(
            f"y must hold labels of one type, and all of them; got {shorten(labels)}."
        ) from error
    if kind not in ("binary", "multiclass"):
        is_whole = labels.dtype == object and all(isinstance(y, Integral) for y in labels)
        hint = " These are whole numbers among objects: give y.astype(int)." * is_whole
        raise ValueError(
            f"y must hold one class for each case. Unknown label type: {kind}.{hint}"
        )
    return labels


def encode(labels, classes):
    """Places of the labels among the classes."""
    places = {label: place for place, label in enumerate(classes.tolist())}
    present, which = np.unique(labels, return_inverse=True)
    unknown = [label for label in present.tolist() if label not in places]
    if unknown:
        raise ValueError(
            f"y must hold classes that estimator knows, {shorten(list(places))}; got "
            f"{shorten(unknown)}, too."
        )
    return np.array([places[label] for label in present.tolist()])[which]


def frozen_part(estimator):
    """The frozen estimator that is the classifier, at the end of pipelines or not, or None."""
    while not isinstance(estimator, FrozenEstimator) and getattr(estimator, "steps", None):
        estimator = estimator.steps[-1][1]
    return estimator if isinstance(estimator, FrozenEstimator) else None


def known_classes(frozen, labels):
    """Classes of a frozen estimator, of which the labels may lack some."""
    check_is_fitted(frozen)
    return np.asarray(getattr(frozen, "classes_", np.unique(labels)))


def check_takes_weights(estimator):
    """Raise if ``fit`` neither names sample_weight nor takes what it does not name."""
    kinds = {parameter.kind for parameter in signature(estimator.fit).parameters.values()}
    if not has_fit_parameter(estimator, "sample_weight") and Parameter.VAR_KEYWORD not in kinds:
        raise TypeError(
            "sample_weight must be None for an estimator whose fit does not take it; "
            f"estimator is {_in_one_line(estimator)}."
        )


def weight_seen(estimator, fit_params):
    """The weights among what ``fit`` of an estimator gets, also by the name of a step."""
    prefix = ""
    while getattr(estimator, "steps", None):
        name, estimator = estimator.steps[-1]
        prefix += f"{name}__"
    return fit_params.get(f"{prefix}sample_weight", fit_params.get("sample_weight"))


def refuse_untrained(classes, priors, train_priors):
    """Raise for positive priors of classes that training has not seen."""
    untrained = (priors > 0.0) & (train_priors == 0.0)
    if untrained.any():
        raise ValueError(
            "priors must be 0 for classes that y has no case of, or none with a positive "
            f"weight; got {priors[untrained].tolist()} for {classes[untrained].tolist()}."
        )


def checked_posteriors(fitted, X, n_classes):
    """Posteriors of cases as non-negative floats, with a column for each class."""
    name = f"predict_proba of {type(fitted).__name__}"
    proba = fitted.predict_proba(X)
    if not isinstance(proba, np.ndarray) and hasattr(fitted, "classes_"):
        check_column_names(proba, np.asarray(fitted.classes_), name=name, or_labels=False)
    proba = as_score_array(name, proba)
    if proba.ndim != 2 or proba.shape[1] != n_classes:
        raise ValueError(
            f"{name} must have a column for each of the {n_classes} classes; got shape "
            f"{proba.shape}."
        )
    if proba.min(initial=0.0) < -ROW_SUM_TOLERANCE:
        raise ValueError(f"{name} must not be negative; its minimum is {proba.min():.6g}.")
    return np.maximum(proba, 0.0, dtype=float, order="C")


def adjusted(proba, priors, train_priors):
    """Posteriors for other class frequencies than those of training."""
    scores = proba * _ratios(priors, train_priors)
    totals = scores.sum(axis=1, keepdims=True)
    is_known = totals > 0.0
    return np.where(is_known, scores / np.where(is_known, totals, 1.0), priors)


def adjusted_logs(log_proba, priors, train_priors):
    """The same from and to logarithms."""
    with np.errstate(divide="ignore", invalid="ignore"):
        scores = np.asarray(log_proba, dtype=float) + np.log(_ratios(priors, train_priors))
        totals = logsumexp(scores, axis=1, keepdims=True)
        return np.where(totals > -np.inf, scores - totals, np.log(priors))


def _ratios(priors, train_priors):
    """How much more frequent classes are in use; those of no frequency in either stay so."""
    return priors / np.where(priors > 0.0, train_priors, 1.0)


def _will_stack(estimator):
    """Whether this stacks by scikit-learn's default, which has posteriors only when fitted."""
    from sklearn.ensemble import StackingClassifier

    while getattr(estimator, "steps", None):
        estimator = estimator.steps[-1][1]
    return isinstance(estimator, StackingClassifier) and estimator.final_estimator is None


def _in_one_line(estimator):
    text = " ".join(repr(estimator).split())
    return text if len(text) <= 80 else text[:77] + "..."
