"""What displays ask of names, of what is shown beside, and of classifiers."""

from collections.abc import Mapping

from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from skvus._labels import check_labels
from skvus._validation import shorten
from skvus.front._checks import check_known_labels


def check_name(name):
    """Raise unless a name is a string or None."""
    if name is not None and not isinstance(name, str):
        raise TypeError(f"name must be a string or None; got {shorten(name)}.")


def check_others(others, own_name, what):
    """Raise unless others are None or have names as keys, none of which is the own one."""
    if others is None:
        return
    if not isinstance(others, Mapping):
        raise TypeError(
            f"others must be a dict of names and {what}, or None; got {shorten(others)}."
        )
    for key in others:
        if not isinstance(key, str):
            raise TypeError(f"others must have strings as names; got {shorten(key)}.")
        if key == own_name:
            raise ValueError(f"others must not have the name {key!r}, which is taken already.")


def check_classifier(estimator):
    """Raise unless it is an object with posteriors, fitted or not."""
    if isinstance(estimator, type) or not hasattr(estimator, "predict_proba"):
        raise TypeError(
            "estimator must be a fitted classifier with predict_proba, which "
            "sklearn.calibration.CalibratedClassifierCV gives to others; got "
            f"{shorten(estimator)}."
        )


def check_fitted(estimator, y):
    """Return the classes of a fitted classifier, those of y among them: before it predicts."""
    check_classifier(estimator)
    if isinstance(estimator, BaseEstimator):  # others say so when they predict
        check_is_fitted(estimator)
    if not hasattr(estimator, "classes_"):
        raise TypeError(
            f"estimator must have classes_, as classifiers do; got {shorten(estimator)}."
        )
    classes = check_labels(estimator.classes_, "classes_ of estimator")
    check_known_labels("y", y, classes)
    return classes
