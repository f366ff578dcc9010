"""Expected cost of crisp decisions when the costs are known."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from skvus._costs import (
    check_class_priors,
    check_frame_order,
    check_named_costs,
    named_error,
    names_of,
)
from skvus._labels import check_crisp_targets, check_labels
from skvus._rates import confusion_counts
from skvus._typing import ByClass, Costs
from skvus._validation import (
    check_cost_matrix,
    check_replacement,
    check_sample_weight,
    undefined_score,
)


def expected_cost(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    cost_matrix: Costs,
    priors: ByClass | None = None,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
) -> float:
    r"""Expected cost of a case, a loss.

    .. math:: \sum_{k, j} \pi_k \, c_{kj} \, R_{kj}

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True labels.
    y_pred : array-like of shape (n_samples,)
        Predicted labels.
    cost_matrix : array-like of shape (n_classes, n_classes), DataFrame or dict
        ``cost_matrix[k, j]`` is the cost of predicting class j when the truth is k.
        Non-negative, with a zero diagonal. A data frame has the true classes as its index and
        the predicted ones as its columns, a dict has keys (true, predicted).
    priors : array-like of shape (n_classes,), dict or Series, default=None
        Frequencies of the classes where the classifier is to be used; a dict or Series is by
        label. By default those of `y_true`, which makes the result the mean cost of the cases.
    labels : array-like of shape (n_classes,), default=None
        The classes in the order of `cost_matrix` and `priors`. By default the sorted labels
        of `cost_matrix`, if it has any, or of the data; name them when a class may be missing.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights of the samples.
    replace_undefined_by : float, default=np.nan
        Returned when a class with a positive prior has no true case; NaN comes with a
        warning. Without `priors` the cost is always defined.

    Returns
    -------
    cost : float
        The smaller the better.

    See Also
    --------
    make_cost_scorer : A scorer made of it.
    CostMatrixClassifier : Decides by least expected cost.
    LeastCost : Chooses a member of a front by it.

    Notes
    -----
    Two classifiers that tie under one cost matrix lie on an iso-performance hyperplane of
    the ROC space [1]_. O(n log n + Q²).

    References
    ----------
    .. [1] C. Ferri, J. Hernández-Orallo, M. A. Salido, "Volume under the ROC surface
       for multi-class problems", ECML 2003, section 3.

    Examples
    --------
    >>> from skvus.metrics import expected_cost
    >>> cost_matrix = [[0, 1, 1], [1, 0, 1], [10, 10, 0]]
    >>> y_true, y_pred = [0, 0, 1, 1, 2, 2], [0, 1, 1, 1, 2, 0]
    >>> round(expected_cost(y_true, y_pred, cost_matrix=cost_matrix), 6)
    1.833333
    >>> round(expected_cost(y_true, y_pred, cost_matrix=cost_matrix, priors=[.5, .4, .1]), 6)
    0.75
    """
    replacement = check_replacement(replace_undefined_by)
    try:
        order, cost = check_named_costs(cost_matrix, labels)
        classes, true_codes, pred_codes = check_crisp_targets(y_true, y_pred, labels=order)
    except ValueError as error:
        raise _told_by_data(error, cost_matrix, labels, y_true, y_pred) from None
    check_frame_order("cost_matrix", cost_matrix, classes)
    exponent = np.frexp(cost.max())[1]
    cost = np.ldexp(cost, -exponent)  # which changes no digit, and keeps sums finite
    check_cost_matrix(cost, n_classes=classes.size)
    weight = check_sample_weight(sample_weight, true_codes.size)
    counts = confusion_counts(true_codes, pred_codes, weight, classes.size)
    totals = counts.sum(axis=1)
    if priors is None:
        return float(np.ldexp((cost * counts).sum() / totals.sum(), exponent))
    priors = check_class_priors(priors, classes)
    missing = (totals == 0.0) & (priors > 0.0)
    if missing.any():
        reason = f"y_true has no case of {classes[missing].tolist()}, whose prior is positive."
        return undefined_score(reason, replacement)
    present = totals > 0.0
    class_costs = (cost * counts)[present].sum(axis=1) / totals[present]
    return float(np.ldexp(priors[present] @ class_costs, exponent))


def _told_by_data(error, cost_matrix, labels, y_true, y_pred):
    """An error of costs that alone name the classes, in terms of the labels of the data."""
    names = names_of(cost_matrix)
    try:
        if names is None or (labels is not None and set(names) != set(check_labels(labels))):
            return error
        present, *_ = check_crisp_targets(y_true, y_pred)
        return named_error(error, cost_matrix, present)
    except (TypeError, ValueError):  # data of which no labels can be had
        return error
