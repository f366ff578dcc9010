"""Rate matrices: from labels to rates, and between matrices and points."""

from functools import cache

import numpy as np

from skvus._costs import check_frame_order, in_class_order
from skvus._labels import check_crisp_targets, frame_labels
from skvus._validation import (
    check_replacement,
    check_sample_weight,
    shorten,
    undefined_score,
)


@cache
def off_diagonal(n_classes):
    """Mask of the off-diagonal entries, whose row order is the order of coordinates."""
    mask = ~np.eye(n_classes, dtype=bool)
    mask.flags.writeable = False
    return mask


def in_one_order(name, matrices, classes=None):
    """Matrices of classes, those with labels brought into one order, and this order.

    Parameters
    ----------
    name : str
        Name of the parameter.
    matrices : array-like, data frame or list of them
        A data frame has the true classes as its index and the predicted ones as its columns,
        in any order; one without labels is taken by position, like an array.
    classes : ndarray of shape (Q,) or None
        The order wanted. By default that of the index of the first frame that names them.

    Returns
    -------
    matrices : list or as given
    classes : ndarray or None
        None if neither `classes` nor a frame names them.
    """
    is_list = isinstance(matrices, (list, tuple))
    listed = list(matrices) if is_list else [matrices]
    labels = [frame_labels(matrix) for matrix in listed]
    named = [own for own in labels if own != (None, None)]
    if not named:
        return matrices, classes
    if classes is None:
        rows, columns = named[0]
        if rows is None or columns is None or not _are_same(name, rows, columns):
            # which row is of which column cannot be told: as long as all are alike
            _refuse_unless(name, all(own == named[0] for own in named))
            return matrices, None
        is_whole = len(named) == len(listed)
        _refuse_unless(name, is_whole or all(own == (rows, rows) for own in named))
        classes = np.empty(len(rows), dtype=object)
        classes[:] = rows
    ordered = [_in_order(name, *pair, classes) for pair in zip(listed, labels, strict=True)]
    return (ordered if is_list else ordered[0]), classes


def _in_order(name, matrix, labels, classes):
    if None not in labels:
        _are_same(name, classes.tolist(), labels[1])
        return in_class_order(name, matrix, classes)
    check_frame_order(name, matrix, classes)
    return matrix


def _are_same(name, rows, columns):
    """Whether columns name what rows do, each once; refuse those that lack some."""
    missing = [label for label in rows if label not in set(columns)]
    if missing and columns and set(columns) < set(rows):
        raise ValueError(
            f"{name} has no column {shorten(missing[0])}: give one to classes that are never "
            "predicted, by .reindex(columns=frame.index, fill_value=0.0)."
        )
    return len(set(rows)) == len(rows) == len(columns) and not missing


def _refuse_unless(name, is_clear):
    if not is_clear:
        raise ValueError(
            f"{name} must have matrices with the same labels, in the same order where some "
            "have none or others for the rows than for the columns; got data frames that "
            "differ."
        )


def rates_to_points(rates):
    """Off-diagonal rates of (m, Q, Q) matrices as the rows of an (m, Q(Q-1)) array."""
    return rates[:, off_diagonal(rates.shape[1])]


def points_to_rates(points, n_classes):
    """Inverse of `rates_to_points`; the diagonal completes each row to one."""
    rates = np.zeros((points.shape[0], n_classes, n_classes))
    rates[:, off_diagonal(n_classes)] = points
    diagonal = np.arange(n_classes)
    rates[:, diagonal, diagonal] = np.maximum(0.0, 1.0 - rates.sum(axis=2))
    return rates


def trivial_rates(n_classes):
    """The trivial classifiers: number j always predicts class j."""
    rates = np.zeros((n_classes, n_classes, n_classes))
    classes = np.arange(n_classes)
    rates[classes, :, classes] = 1.0
    return rates


def confusion_counts(true_codes, pred_codes, weight, n_classes):
    """Weighted (Q, Q) confusion counts, rows = true class."""
    cells = true_codes * n_classes + pred_codes
    counts = np.bincount(cells, weights=weight, minlength=n_classes**2)
    return counts.reshape(n_classes, n_classes)


def why_undefined(classes, class_totals):
    """Say why the rows of a rate matrix do not all exist, or return None."""
    if classes.size < 2:
        return f"Only one class is present: {classes.tolist()}."
    empty = classes[class_totals == 0.0]
    if empty.size:
        return f"y_true has no case (of positive weight) of {empty.tolist()}."
    return None


def score_from_labels(function, y_true, y_pred, *, labels, sample_weight, replace_undefined_by):
    """Apply `function` to the rate matrix of a crisp classifier, where there is one."""
    replacement = check_replacement(replace_undefined_by)
    classes, true_codes, pred_codes = check_crisp_targets(y_true, y_pred, labels=labels)
    weight = check_sample_weight(sample_weight, true_codes.size)
    counts = confusion_counts(true_codes, pred_codes, weight, classes.size)
    totals = counts.sum(axis=1)
    reason = why_undefined(classes, totals)
    if reason is not None:
        return undefined_score(reason, replacement, stacklevel=4)
    return function(counts / totals[:, np.newaxis])
