"""Posteriors of a fitted classifier, for displays of predictions."""

from sklearn.utils.validation import check_is_fitted

from skvus._validation import shorten
from skvus.front._checks import check_known_labels


def check_name(name):
    """Raise unless a name is a string or None."""
    if name is not None and not isinstance(name, str):
        raise TypeError(f"name must be a string or None; got {shorten(name)}.")


def predicted_posteriors(estimator, X, y):
    """Posteriors of a fitted classifier and its classes; y is checked against them."""
    if isinstance(estimator, type) or not hasattr(estimator, "predict_proba"):
        raise TypeError(
            "estimator must be a fitted classifier with predict_proba, which "
            "sklearn.calibration.CalibratedClassifierCV gives to others; got "
            f"{shorten(estimator)}."
        )
    if hasattr(estimator, "fit"):
        check_is_fitted(estimator)
    if not hasattr(estimator, "classes_"):
        raise TypeError(
            f"estimator must have classes_, as classifiers do; got {shorten(estimator)}."
        )
    check_known_labels("y", y, estimator.classes_)  # before a prediction that may take long
    return estimator.predict_proba(X), estimator.classes_
