"""One-point approximations of the volume for crisp classifiers (Ferri et al., 2003)."""

from __future__ import annotations

from functools import partial
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from skvus._rates import off_diagonal, score_from_labels
from skvus._validation import check_number, check_option

VARIANTS = ("1a", "1b", "2", "3")


def macro_average_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
) -> float:
    r"""Mean share of each class that is recognised.

    .. math:: \frac{1}{Q} \sum_i R_{ii}

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True labels.
    y_pred : array-like of shape (n_samples,)
        Predicted labels.
    labels : array-like of shape (n_classes,), default=None
        The classes. By default those in `y_true` and `y_pred`.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights of the samples.
    replace_undefined_by : float, default=np.nan
        Returned when a class has no true case; NaN comes with a warning.

    Returns
    -------
    score : float
        Between 0 and 1; 1/Q for a trivial classifier.

    See Also
    --------
    sklearn.metrics.balanced_accuracy_score : The same, but it leaves out classes without
        true cases.
    one_point_auc_score : The same with a floor at chance.
    modified_macro_average_score : A mean that is closer to the volume.

    Notes
    -----
    O(n log n) for n samples.

    References
    ----------
    .. [1] C. Ferri, J. Hernández-Orallo, M. A. Salido, "Volume under the ROC surface
       for multi-class problems", ECML 2003, section 5.1.

    Examples
    --------
    >>> from skvus.metrics import macro_average_score
    >>> macro_average_score([0, 0, 1, 1, 2, 2], [0, 0, 1, 1, 2, 0])
    0.8333333333333334
    """
    return score_from_labels(
        partial(generalised_mean, power=1.0),
        y_true,
        y_pred,
        labels=labels,
        sample_weight=sample_weight,
        replace_undefined_by=replace_undefined_by,
    )


def modified_macro_average_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    power: float = 0.76,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
) -> float:
    r"""Generalised mean of the shares of each class that are recognised.

    .. math:: \Big(\frac{1}{Q} \sum_i R_{ii}^{\,t}\Big)^{1/t}

    With t = 0.76 it ranks random three-class classifiers whose diagonal is uniform more
    like the volume under the ROC surface than any other of the paper's approximations.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True labels.
    y_pred : array-like of shape (n_samples,)
        Predicted labels.
    power : float, default=0.76
        Exponent t, at least 0; 1 is the arithmetic mean, 0 the geometric mean.
    labels : array-like of shape (n_classes,), default=None
        The classes. By default those in `y_true` and `y_pred`.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights of the samples.
    replace_undefined_by : float, default=np.nan
        Returned when a class has no true case; NaN comes with a warning.

    Returns
    -------
    score : float
        Between 0 and 1.

    See Also
    --------
    macro_average_score : The arithmetic mean.
    polytope_vus_score : What it approximates.

    Notes
    -----
    O(n log n) for n samples. Whether it beats plain accuracy as an approximation depends
    on the distribution of classifiers; with rows uniform on the simplex it does not: see
    the example on approximations.

    References
    ----------
    .. [1] C. Ferri, J. Hernández-Orallo, M. A. Salido, "Volume under the ROC surface
       for multi-class problems", ECML 2003, section 5.2.

    Examples
    --------
    >>> from skvus.metrics import modified_macro_average_score
    >>> y_true, y_pred = [0, 0, 1, 1, 2, 2], [0, 0, 1, 1, 2, 0]
    >>> round(modified_macro_average_score(y_true, y_pred), 6)
    0.824392
    >>> round(modified_macro_average_score(y_true, y_pred, power=0), 6)
    0.793701
    """
    power = check_number("power", power, minimum=0.0)
    return score_from_labels(
        partial(generalised_mean, power=power),
        y_true,
        y_pred,
        labels=labels,
        sample_weight=sample_weight,
        replace_undefined_by=replace_undefined_by,
    )


def one_point_auc_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
) -> float:
    r"""One-point extension of the AUC: the macro average, never below chance.

    .. math:: \max\Big(\frac{1}{Q},\; 1 - \frac{1}{Q} \sum_{i \ne j} R_{ij}\Big)

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True labels.
    y_pred : array-like of shape (n_samples,)
        Predicted labels.
    labels : array-like of shape (n_classes,), default=None
        The classes. By default those in `y_true` and `y_pred`.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights of the samples.
    replace_undefined_by : float, default=np.nan
        Returned when a class has no true case; NaN comes with a warning.

    Returns
    -------
    score : float
        Between 1/Q and 1.

    See Also
    --------
    macro_average_score : The same without a floor.
    polytope_vus_score : What it approximates.

    Notes
    -----
    For two classes it is the area of the one-point ROC polygon. O(n log n) for n samples.

    References
    ----------
    .. [1] C. Ferri, J. Hernández-Orallo, M. A. Salido, "Volume under the ROC surface
       for multi-class problems", ECML 2003, section 5.4.

    Examples
    --------
    >>> from skvus.metrics import one_point_auc_score
    >>> round(one_point_auc_score([0, 0, 1, 1, 2, 2], [0, 0, 1, 1, 2, 0]), 6)
    0.833333
    >>> round(one_point_auc_score([0, 1, 2], [1, 2, 0]), 6)
    0.333333
    """
    return score_from_labels(
        one_point,
        y_true,
        y_pred,
        labels=labels,
        sample_weight=sample_weight,
        replace_undefined_by=replace_undefined_by,
    )


def hand_till_crisp_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    variant: Literal["1a", "1b", "2", "3"] = "1b",
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
) -> float:
    r"""Hand and Till's mean of two-class AUCs, for crisp classifiers.

    With R the rates, each variant averages areas of one-point ROC polygons, floored at
    1/2, over pairs i < j ("1a", "1b", "2") or over classes ("3"):

    - "1a": :math:`\max(\tfrac12, (R_{ii} + R_{jj}) / 2)`;
    - "1b": :math:`\max(\tfrac12, 1 - (R_{ij} + R_{ji}) / 2)`;
    - "2": as "1b" with the pair renormalised, :math:`R_{ij} / (R_{ii} + R_{ij})` and
      :math:`R_{ji} / (R_{jj} + R_{ji})`;
    - "3": each class against the rest, :math:`\max(\tfrac12, 1 - m_i/2 - f_i/2)` with the
      miss rate :math:`m_i = \sum_{j \ne i} R_{ij}` and the false alarms
      :math:`f_i = \sum_{k \ne i} R_{ki} / (Q - 1)`.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True labels.
    y_pred : array-like of shape (n_samples,)
        Predicted labels.
    variant : {"1b", "1a", "2", "3"}, default="1b"
        Which of the paper's variants; it uses "1b", "2" and "3".
    labels : array-like of shape (n_classes,), default=None
        The classes. By default those in `y_true` and `y_pred`.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights of the samples.
    replace_undefined_by : float, default=np.nan
        Returned when a class has no true case; NaN comes with a warning.

    Returns
    -------
    score : float
        Between 1/2 and 1.

    See Also
    --------
    polytope_vus_score : What they approximate.
    hand_till_score : The mean of two-class areas of a soft classifier.
    ranking_discrepancy : How differently two scores rank the same classifiers.

    Notes
    -----
    In variant "2" a class may lose all its cases to third classes, so that nothing is
    left to renormalise. Nothing then speaks for telling the pair apart: it counts 1/2.

    The paper calls "1a" equal to `one_point_auc_score`. For three classes and more that
    holds only while none of the maxima is active. O(n log n + Q²).

    References
    ----------
    .. [1] C. Ferri, J. Hernández-Orallo, M. A. Salido, "Volume under the ROC surface
       for multi-class problems", ECML 2003, section 5.5.

    Examples
    --------
    >>> from skvus.metrics import hand_till_crisp_score
    >>> y_true, y_pred = [0, 0, 1, 1, 2, 2], [0, 0, 1, 1, 2, 0]
    >>> for variant in ("1a", "1b", "2", "3"):
    ...     print(variant, round(hand_till_crisp_score(y_true, y_pred, variant=variant), 6))
    1a 0.833333
    1b 0.916667
    2 0.916667
    3 0.875
    """
    check_option("variant", variant, VARIANTS)
    return score_from_labels(
        partial(hand_till, variant=variant),
        y_true,
        y_pred,
        labels=labels,
        sample_weight=sample_weight,
        replace_undefined_by=replace_undefined_by,
    )


def generalised_mean(rates, *, power):
    """Generalised mean of the diagonal."""
    hits = np.diagonal(rates)
    largest = hits.max()
    if largest == 0.0:
        return 0.0
    with np.errstate(divide="ignore"):
        logs = np.log(hits / largest)
    # so little changes nothing, but would lose all digits of the products below
    if power < 1e-290:
        return float(largest * np.exp(logs.mean()))
    # neither large powers nor those near zero lose digits in this form
    with np.errstate(over="ignore"):
        log_mean = np.log1p(np.expm1(power * logs).mean()) / power
    return float(largest * np.exp(log_mean))


def one_point(rates):
    """Macro average with a floor at chance."""
    n_classes = rates.shape[0]
    return float(max(1.0 / n_classes, 1.0 - rates[off_diagonal(n_classes)].sum() / n_classes))


def hand_till(rates, *, variant):
    """Mean two-class area of one of the variants."""
    n_classes = rates.shape[0]
    hits = np.diagonal(rates)
    if variant == "3":
        false_alarms = (rates.sum(axis=0) - hits) / (n_classes - 1)
        return float(np.maximum(0.5, 1.0 - (1.0 - hits) / 2 - false_alarms / 2).mean())
    i, j = np.triu_indices(n_classes, k=1)
    if variant == "1a":
        areas = (hits[i] + hits[j]) / 2
    elif variant == "1b":
        areas = 1.0 - (rates[i, j] + rates[j, i]) / 2
    else:
        with np.errstate(invalid="ignore"):
            lost = rates[i, j] / (hits[i] + rates[i, j]) + rates[j, i] / (hits[j] + rates[j, i])
        areas = np.nan_to_num(1.0 - lost / 2, nan=0.5)
    return float(np.maximum(0.5, areas).mean())
