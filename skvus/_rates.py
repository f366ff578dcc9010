"""Rate matrices: from labels to rates, and between matrices and points."""

from functools import cache

import numpy as np

from skvus._labels import check_crisp_targets
from skvus._validation import check_replacement, check_sample_weight, undefined_score


@cache
def off_diagonal(n_classes):
    """Mask of the off-diagonal entries, whose row order is the order of coordinates."""
    mask = ~np.eye(n_classes, dtype=bool)
    mask.flags.writeable = False
    return mask


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
        return undefined_score(reason, replacement)
    return function(counts / totals[:, np.newaxis])
