"""Volume under the ROC surface of crisp classifiers (Ferri et al., 2003)."""

from __future__ import annotations

import warnings
from fractions import Fraction
from functools import partial
from typing import Literal, TypedDict, Unpack, overload

import numpy as np
from numpy.typing import ArrayLike

from skvus._rates import in_one_order, score_from_labels
from skvus._typing import Normalization, Seed, VolumeMethod
from skvus._validation import check_generator, check_integer, check_option, check_rates
from skvus.metrics._volumes import MOST_CLASSES, maximum_volume, minimum_volume, volume

NORMALIZE = (None, "max", "range")
METHODS = ("auto", "exact", "monte_carlo")


@overload
def polytope_vus_bounds(
    n_classes: int, *, exact: Literal[True]
) -> tuple[Fraction, Fraction]: ...


@overload
def polytope_vus_bounds(
    n_classes: int, *, exact: Literal[False] = False
) -> tuple[float, float]: ...


def polytope_vus_bounds(
    n_classes: int, *, exact: bool = False
) -> tuple[float, float] | tuple[Fraction, Fraction]:
    r"""Smallest and largest volume under the ROC surface.

    .. math::

        \mathrm{VUS}_{\min} = \frac{(Q-1)^{Q-1}}{(Q(Q-1))!}, \qquad
        \mathrm{VUS}_{\max} = \left(\frac{1}{(Q-1)!}\right)^{Q}

    The minimum is what the Q trivial classifiers make discardable (Ferri et al.
    conjecture 1/180 for three classes), the maximum is the volume of all valid rates.

    Parameters
    ----------
    n_classes : int
        Number of classes Q, at least 2.
    exact : bool, default=False
        Whether to return fractions.

    Returns
    -------
    minimum, maximum : float or fractions.Fraction
        As floats the minimum underflows to zero from 15 classes on, the maximum from 20.

    See Also
    --------
    polytope_vus : The volume of a set of classifiers, between these bounds.
    ordered_vus_bounds : Those of the share of tuples in the right order.
    simplified_vus_bounds : Those of the volume under the true rates.

    References
    ----------
    .. [1] C. Ferri, J. Hernández-Orallo, M. A. Salido, "Volume under the ROC surface
       for multi-class problems", ECML 2003, sections 3.1.1 and 3.1.2.

    Examples
    --------
    >>> from skvus.metrics import polytope_vus_bounds
    >>> polytope_vus_bounds(3, exact=True)
    (Fraction(1, 180), Fraction(1, 8))
    >>> polytope_vus_bounds(2)
    (0.5, 1.0)
    """
    n_classes = check_integer("n_classes", n_classes, minimum=2, maximum=500)
    check_option("exact", exact, (False, True))
    low, high = minimum_volume(n_classes), maximum_volume(n_classes)
    return (low, high) if exact else (float(low), float(high))


class _Options(TypedDict, total=False):
    """Options of `polytope_vus` beside `return_std`."""

    n_classes: int | None
    normalize: Normalization | None
    method: VolumeMethod
    n_samples: int | None
    random_state: Seed


@overload
def polytope_vus(
    rates: ArrayLike, *, return_std: Literal[True], **options: Unpack[_Options]
) -> tuple[float, float]: ...


@overload
def polytope_vus(
    rates: ArrayLike, *, return_std: Literal[False] = False, **options: Unpack[_Options]
) -> float: ...


def polytope_vus(
    rates: ArrayLike,
    *,
    n_classes: int | None = None,
    normalize: Normalization | None = None,
    method: VolumeMethod = "auto",
    n_samples: int | None = None,
    random_state: Seed = None,
    return_std: bool = False,
) -> float | tuple[float, float]:
    r"""Volume under the ROC surface of a set of crisp classifiers.

    A crisp classifier is a point in the space of its ``D = Q(Q-1)`` misclassification
    rates. It makes another one discardable if that one errs at least as often in every
    way. So does every mixture of classifiers, and the trivial classifiers, which always
    predict one class, are there for free. The volume of all valid rates that some mixture
    of `rates` and the trivial classifiers makes discardable is the VUS [1]_; for two
    classes it is the area under the convex hull of the ROC points.

    Parameters
    ----------
    rates : array-like of shape (Q, Q) or (m, Q, Q)
        Row-normalised confusion matrices, one or many: ``rates[k, j]`` is the share of
        true class k that is predicted as j. Data frames with the true classes as index and
        the predicted ones as columns go by these labels. May be empty if `n_classes` is given.
    n_classes : int, default=None
        Number of classes; needed for an empty set only.
    normalize : {None, "max", "range"}, default=None
        None gives the raw volume, "max" its share of the maximum ``(1/(Q-1)!)^Q``,
        "range" ``(v - min) / (max - min)``.
    method : {"auto", "exact", "monte_carlo"}, default="auto"
        "exact" uses the closed form for one classifier (up to 8 classes) and a hull with
        an analytic sum for several (after dominated ones are dropped: any number for two
        classes, 15000 for three, 45 for four, 8 for five, which takes up to a minute) and
        raises where neither can.
        "monte_carlo" samples. "auto" is exact where that takes about a second (1000
        classifiers for three classes, 16 for four, 2 for five; sets along certain curves,
        with far more facets than others, take up to a minute), else it samples.
    n_samples : int, default=None
        Number of samples, for several classifiers rounded up to 16 times a power of two.
        By default as many as take less than about a second.
    random_state : int, RandomState, Generator or None, default=None
        Used by sampling only.
    return_std : bool, default=False
        Whether to return the standard error of the estimate too; 0.0 when exact.

    Returns
    -------
    vus : float
        The volume.
    std : float
        Its standard error, on the same scale. Only if ``return_std=True``.

    See Also
    --------
    polytope_vus_score : The same from true and predicted labels.
    polytope_vus_bounds : Smallest and largest value.
    discard_polytope : The region itself.
    is_discarded : Whether a given classifier lies in it.

    Notes
    -----
    One classifier with diagonal :math:`r_i = R_{ii}` has the closed form

    .. math::

        \frac{1}{D!}\Big[(Q-1)^{Q-1} + \sum_\varphi
        \max\big(0, 1 - \sum_j R_{\varphi(j), j}\big)\, C_{n(\varphi)}\Big], \qquad
        C_n = \sum_{0 \le a \le n} \frac{|a|!}{\prod_i a_i!} \prod_i r_i^{a_i}

    over the :math:`(Q-1)^Q` maps :math:`\varphi` of predicted classes to other true
    classes, with :math:`n_i = Q - 1 - \#\{j : \varphi(j) = i\}`. It takes
    :math:`O((Q-1)^Q)` steps: 0.2 ms for three to five classes, 35 ms for eight. Beyond,
    maps are sampled; a share below twice its standard error warns.

    A set is triangulated: the cone over the points (1, p) and the coordinate directions
    (0, e_q) splits into simplicial cells with a volume in closed form. Two triangulations
    are compared, and a relative difference above 1e-9 raises. The number of cells, hence
    time and memory, is :math:`O(m^{\lfloor D/2 \rfloor})` in the worst case and far
    smaller in practice: 0.6 s for 1000 classifiers of three classes of which none is
    superfluous.

    Sampling is a randomised Sobol sequence over the valid rates. One linear programme for
    each sample tells where on its ray from the origin the discard region begins; the
    classifier with the best macro average, whose volume is known, serves as control
    variate. The standard error comes from 16 independent scramblings.

    The raw volume collapses as Q grows, and even its share of the maximum does: with a
    diagonal of 0.9 and evenly spread errors the share is 0.71, 0.43, 0.21 and 0.08 for
    three to six classes. Compare classifiers with the same number of classes only.

    References
    ----------
    .. [1] C. Ferri, J. Hernández-Orallo, M. A. Salido, "Volume under the ROC surface
       for multi-class problems", ECML 2003.

    Examples
    --------
    >>> import numpy as np
    >>> from skvus.metrics import polytope_vus
    >>> good = np.array([[0.8, 0.1, 0.1], [0.2, 0.7, 0.1], [0.0, 0.1, 0.9]])
    >>> round(polytope_vus(good, normalize="max"), 6)
    0.482842
    >>> careful = np.array([[0.9, 0.0, 0.1], [0.4, 0.5, 0.1], [0.1, 0.0, 0.9]])
    >>> round(polytope_vus([good, careful], normalize="max"), 6)
    0.553889
    >>> polytope_vus([], n_classes=3) * 180
    1.0
    """
    check_option("return_std", return_std, (False, True))
    n_samples = _check_volume_options(normalize, method, n_samples)
    rates = check_rates("rates", in_one_order("rates", rates)[0], n_classes=n_classes)
    check_volume_classes(rates.shape[1])
    # without a seed nothing is drawn from the global generator unless it is needed
    rng = None if random_state is None else check_generator(random_state)
    share, std, _ = volume(rates, method=method, n_samples=n_samples, rng=rng)
    vus, std_ = rescale(share, std, rates.shape[1], normalize)
    if return_std:
        return vus, std_
    warn_if_lost(share, std, "raise n_samples, or ask for return_std=True")
    return vus


def polytope_vus_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    normalize: Normalization | None = "max",
    method: VolumeMethod = "auto",
    n_samples: int | None = None,
    random_state: Seed = None,
    replace_undefined_by: float = np.nan,
) -> float:
    """Volume under the ROC surface of one crisp classifier, from labels.

    For two classes it is the area of the one-point ROC polygon, floored at 1/2.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True labels.
    y_pred : array-like of shape (n_samples,)
        Predicted labels.
    labels : array-like of shape (n_classes,), default=None
        The classes. By default those in `y_true` and `y_pred`.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights of the samples; a weight of two counts as two samples.
    normalize : {"max", "range", None}, default="max"
        Share of the maximum, position between minimum and maximum, or raw volume.
    method : {"auto", "exact", "monte_carlo"}, default="auto"
        As in `polytope_vus`. Up to 8 classes "auto" is exact.
    n_samples : int, default=None
        As in `polytope_vus`.
    random_state : int, RandomState, Generator or None, default=None
        Used by sampling only.
    replace_undefined_by : float, default=np.nan
        Returned when a class has no true case, or there is only one class. NaN comes
        with an `UndefinedMetricWarning`, any other number without.

    Returns
    -------
    score : float
        The larger the better; 1 is perfect under ``normalize="max"``.

    See Also
    --------
    polytope_vus : From rates, and for several classifiers.
    soft_polytope_vus_score : For a classifier that gives probabilities.
    modified_macro_average_score : An approximation in closed form for any Q.

    Notes
    -----
    The rates are shares of the true classes, so the score does not depend on how
    frequent they are. Complexity as in `polytope_vus`, after O(n log n) for the labels.

    References
    ----------
    .. [1] C. Ferri, J. Hernández-Orallo, M. A. Salido, "Volume under the ROC surface
       for multi-class problems", ECML 2003, section 4.4.

    Examples
    --------
    >>> from skvus.metrics import polytope_vus_score
    >>> y_true = ["cat", "cat", "dog", "dog", "fox", "fox"]
    >>> y_pred = ["cat", "dog", "dog", "dog", "fox", "fox"]
    >>> round(polytope_vus_score(y_true, y_pred), 6)
    0.519444
    >>> polytope_vus_score([0, 0, 0, 0, 1, 1], [0, 0, 0, 1, 1, 1])
    0.875
    """
    n_samples = _check_volume_options(normalize, method, n_samples)
    function = partial(
        polytope_vus,
        normalize=normalize,
        method=method,
        n_samples=n_samples,
        random_state=random_state,
    )
    return score_from_labels(
        function,
        y_true,
        y_pred,
        labels=labels,
        sample_weight=sample_weight,
        replace_undefined_by=replace_undefined_by,
    )


def _check_volume_options(normalize, method, n_samples):
    check_option("normalize", normalize, NORMALIZE)
    check_option("method", method, METHODS)
    if n_samples is None:
        return None
    return check_integer("n_samples", n_samples, minimum=32, maximum=10**9)


def warn_if_lost(share, std, advice):
    """Warn of an estimate that is no larger than twice its standard error."""
    if std > 0.0 and share < 2.0 * std:
        warnings.warn(
            f"The volume, {share:.2g} of the maximum, is lost in its standard error of "
            f"{std:.2g}: {advice}.",
            UserWarning,
            stacklevel=3,
        )


def check_volume_classes(n_classes):
    """Refuse numbers of classes at which the volume is lost in rounding."""
    if n_classes > MOST_CLASSES:
        raise ValueError(
            f"The polytope VUS takes at most {MOST_CLASSES} classes; got {n_classes}. For "
            "more, modified_macro_average_score compares crisp classifiers."
        )


def rescale(share, std, n_classes, normalize):
    """Turn a share of the maximum into the scale that was asked for."""
    smallest, largest = minimum_volume(n_classes), maximum_volume(n_classes)
    if normalize == "max":
        return share, std
    if normalize == "range":
        floor = float(smallest / largest)
        return max(0.0, (share - floor) / (1.0 - floor)), std / (1.0 - floor)
    return share * float(largest), std * float(largest)
