"""Class weights with which each class reaches a given true rate."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from skvus._costs import named_values
from skvus._typing import ByClass, Floats
from skvus._validation import as_float_array, shorten
from skvus.metrics._operating import log_columns, normalised_weights, whole_units
from skvus.metrics._operating_points import check_weighted_problem, rates_of
from skvus.metrics._reaching import deepest_weighting, least_weighting

_RATE_TOLERANCE = 1e-12


def weights_for_rates(
    y_true: ArrayLike,
    y_score: ArrayLike,
    target: ByClass,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> Floats:
    r"""Class weights with which each class reaches a given true rate.

    The multi-class counterpart of a threshold with at least so much sensitivity and
    specificity. Weights :math:`\Phi` with :math:`\arg\max_j \Phi_j p_j = k` for a share of at
    least ``target[k]`` of the cases of each class k are found whenever there are any, for any
    number of classes.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True labels.
    y_score : array-like of shape (n_samples, n_classes) or (n_samples,)
        Non-negative scores, usually probabilities, a column for each class in the order
        of `labels`. For two classes also the probability s of the second class, which
        stands for the columns (1 - s, s).
    target : float, array-like of shape (n_classes,) or dict
        The rate between 0 and 1 that each class should reach at least: one for all, one for
        each in the order of the columns, or a dictionary or Series from labels to rates,
        which asks nothing of the classes that it does not name.
    labels : array-like of shape (n_classes,), default=None
        The classes in the order of the columns. By default the sorted labels of `y_true`.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights of the samples.

    Returns
    -------
    weights : ndarray of shape (n_classes,)
        Positive class weights that sum to 1: equal ones if they are enough.

    Raises
    ------
    ValueError
        If the target is not reachable. The message names classes that cannot reach their
        targets together, and tells rates in the same proportion that can be reached.

    See Also
    --------
    operating_rates : The rates of given weights.
    operating_points : All rates that weights can reach.

    Notes
    -----
    The rate of class k rises with :math:`\Phi_k` and falls with the other weights, so the
    weights that reach the target are closed under componentwise minima. From equal weights,
    the classes are raised by turns to what they need given the others, a quantile of their
    cases; no solution above equal weights is ever passed, and every solution can be scaled to
    lie there. When all classes of a set need more even if the rest has no weight, there is no
    solution, since only ratios matter. Classes that chase each other are raised together
    until one of them has enough, which keeps the rounds few: 1 to 50 for up to 30 classes,
    each O(n · (Q + log n)); 10^5 cases of ten classes take 0.4 s, and three arrays of double
    precision as large as `y_score`. Last, the weights are moved
    away from where they would spoil a case that is right. Ratios of scores that agree to
    1e-12 count as equal.

    The weights are chosen on the cases that they are judged by: on new cases the rates will
    be lower, the more so the fewer cases a class has.

    References
    ----------
    .. [1] T. Landgrebe, R. Duin, "On Neyman-Pearson optimisation for multiclass
       classifiers", 16th Annual Symposium of the Pattern Recognition Association of South
       Africa, 2005.

    Examples
    --------
    >>> import numpy as np
    >>> from skvus.metrics import operating_rates, weights_for_rates
    >>> y_true = [0, 0, 1, 1, 2, 2]
    >>> y_score = [[6, 3, 1], [4, 5, 1], [2, 6, 2], [3, 4, 3], [1, 2, 7], [5, 1, 4]]
    >>> weights = weights_for_rates(y_true, y_score, [0.5, 1, 1])
    >>> np.diagonal(operating_rates(y_true, y_score, weights))
    array([0.5, 1. , 1. ])
    >>> weights_for_rates(y_true, y_score, 1.0)
    Traceback (most recent call last):
    ...
    ValueError: target [1.0, 1.0, 1.0] is not reachable: ...
    """
    scores, codes, weight, classes = check_weighted_problem(
        y_true, y_score, labels, sample_weight, all_classes=True
    )
    n_classes = scores.shape[1]
    wanted = _check_target(_in_columns(target, classes), n_classes)
    logs = log_columns(scores)
    logs -= logs.max(axis=1, keepdims=True)
    units = whole_units(codes, weight, n_classes)
    phi, blocked = least_weighting(logs, codes, units, wanted)
    if phi is None:
        raise ValueError(_why_not(logs, codes, units, wanted, classes[blocked].tolist()))
    if phi.any():
        phi = deepest_weighting(logs, codes, phi)
    weights = normalised_weights(phi)
    reached = np.diagonal(rates_of(scores, codes, units, weights[np.newaxis])[0])
    if (reached < wanted).any():  # the weights do not fit into floats
        raise ValueError(
            f"target {shorten(wanted.tolist())} is not reachable with weights at most 1e304 "
            f"apart; they would have to be {np.ptp(phi) / np.log(10.0):.0f} digits apart."
        )
    return weights


def _in_columns(target, classes):
    """Rates in the order of the classes, if they come by label."""
    given = named_values("target", target, classes)
    if given is None:
        return target
    known = classes.tolist()
    unknown = [label for label in given if label not in known]
    if unknown:
        raise ValueError(
            f"target must name classes among {shorten(known)}; got {shorten(unknown)}."
        )
    return [given.get(label, 0.0) for label in known]


def _check_target(target, n_classes):
    wanted = as_float_array("target", target)
    if wanted.shape not in ((), (n_classes,)):
        raise ValueError(
            f"target must be a number or have shape ({n_classes},), one for each class; got "
            f"shape {wanted.shape}."
        )
    if wanted.min() < 0.0 or wanted.max() > 1.0:
        raise ValueError(f"target must be between 0 and 1; got {shorten(wanted.tolist())}.")
    # a rate is a ratio of counts: 0.1 * 6 must not ask for more than 6 of 10 cases
    return np.broadcast_to(np.maximum(0.0, wanted - _RATE_TOLERANCE), n_classes)


def _why_not(logs, codes, units, target, classes):
    """Say which classes are in the way of a target, and how much of it can be reached."""
    low, high = 0.0, 1.0
    for _ in range(10):
        middle = 0.5 * (low + high)
        is_reachable = least_weighting(logs, codes, units, middle * target)[0] is not None
        low, high = (middle, high) if is_reachable else (low, middle)
    reason = f"{shorten(classes)} are in each other's way"
    if len(classes) == 1:
        reason = f"too many cases of {classes} have a score of zero"
    elif len(classes) < target.size:
        reason += ", whatever the other weights"
    low = np.floor(1000.0 * low) / 1000.0  # so that what is said to be reachable is
    within = np.floor(1e6 * low * target) / 1e6
    share = f"{shorten(within.tolist())} is" if low > 0.0 else "Nor is any share of it"
    return (
        f"target {shorten(np.round(target, 9).tolist())} is not reachable: {reason}. {share}."
    )
