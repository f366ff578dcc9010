"""What a caller may have meant instead: hints that errors of scores and labels end with."""

from contextlib import contextmanager

import numpy as np

SWAPPED = " Are the arguments swapped? y_true comes first."


@contextmanager
def hinting(hint, *args):
    """Errors of values in the block end with what ``hint(*args)`` says, if it says anything.

    Hints are guesses about objects of any kind: where one fails, the error stays as it is.
    """
    try:
        yield
    except ValueError as error:
        if type(error) is ValueError and len(error.args) == 1:
            said = _said(hint, args)
            if said not in str(error):
                error.args = (f"{error}{said}",)
        raise


def _said(hint, args):
    try:
        return hint(*args)
    except Exception:  # the classes of others may raise anything
        return ""


def swapped(y_true, *predictions):
    """Whether scores were given for true labels, and labels for scores."""
    is_swapped = _are_scores(np.asarray(y_true)) and any(
        _labels_in(np.asarray(prediction)).size for prediction in predictions
    )
    return SWAPPED if is_swapped else ""


def labels_for_scores(y_true, y_score):
    """Whether labels were given for scores, in the wrong place or by another method."""
    if swapped(y_true, y_score):
        return SWAPPED
    labels = _labels_in(np.asarray(y_score))
    if not labels.size:
        return ""
    if labels.dtype.kind == "U":
        return " These look like labels: give predict_proba, a column for each class."
    known = np.unique(_labels_in(np.asarray(y_true)))
    if known.size <= 2:  # whole numbers may well be scores of one of them
        return ""
    if known.dtype.kind == "U":
        known = np.arange(known.size)
    is_label = np.isin(labels, known).all()
    return " These look like predicted labels: give predict_proba." if is_label else ""


def scores_for_labels(y_true, y_pred):
    """How to decide by scores that were given for predicted labels."""
    columns = np.asarray(y_pred)
    if columns.ndim != 2 or not _are_scores(columns):
        return ""
    scores = "y_score" if isinstance(y_pred, np.ndarray) else "np.asarray(y_score)"
    places = f"{scores}.argmax(axis=1)"
    known = np.unique(_labels_in(np.asarray(y_true)))
    if not np.array_equal(known, np.arange(columns.shape[1])):
        places = f"np.unique(y_true)[{places}]"
    return f" Of probabilities y_score, take {places}."


def columns_for_labels(named):
    """How to name classes by columns that were given for labels of text, by their names."""
    (first, labels), (second, others) = named.items()
    text, name, places = (
        (others, first, labels) if second == "labels" else (labels, second, others)
    )
    if text.dtype.kind != "U" or places.dtype.kind not in "iu":
        return ""
    if places.min() < 0 or places.max() >= np.unique(text).size:
        return ""
    classes = "np.asarray(labels)" if second == "labels" else f"np.unique({first})"
    listed = " and ".join(f"{classes}[{part}]" for part in name.split(" and "))
    return f" The numbers look like columns: {listed}."


def _are_scores(array):
    """Whether these are numbers in columns, or with digits after the point."""
    if array.dtype.kind not in "iuf" or not array.size:
        return False
    if array.ndim == 2 and array.shape[1] > 1:
        return True
    array = array[np.isfinite(array)]
    return array.ndim == 1 and bool((array != np.floor(array)).any())


def _labels_in(array):
    """Text or whole numbers in one column; nothing if this is anything else."""
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    none = np.empty(0)
    if array.ndim != 1 or not array.size:
        return none
    if array.dtype.kind == "O" and all(isinstance(label, str) for label in array):
        return array.astype(str)
    if array.dtype.kind == "f":
        return array if (array == np.floor(array)).all() else none
    return array if array.dtype.kind in "biuU" else none
