"""The papers' generators of classifiers and data."""

from __future__ import annotations

from typing import Any, Literal, TypedDict, Unpack, overload

import numpy as np
from numpy.typing import ArrayLike

from skvus._kernels.gaussians import ordering_probability
from skvus._rates import points_to_rates
from skvus._typing import Floats, Ints, Seed, Sizes
from skvus._validation import (
    MOST_CELLS,
    as_float_array,
    check_generator,
    check_integer,
    check_number,
    check_option,
    shorten,
)

__all__ = [
    "make_banana",
    "make_ordered_gaussians",
    "make_ripley_mixture",
    "make_softmax_gaussians",
    "random_confusion_rates",
]

KINDS = ("uniform_diagonal", "dirichlet", "normalized_uniform")
# Beyond this ratio of standard deviations, rounding costs more than 1e-10 of a volume.
_LARGEST_SCALE_RATIO = 1e6
_MOST_SAMPLES = 10**9
# What is drawn stays finite, and so do sums of both.
_LARGEST = 1e305
_LARGEST_MEAN = 1.7e308
# Everson and Fieldsend's equation 10, two for each class.
_RIPLEY_CENTRES = np.array(
    [[0.7, 0.3], [0.3, 0.3], [-0.7, 0.7], [0.4, 0.7], [1.0, 1.0], [0.0, 1.0]]
)


def make_banana(
    n_samples: Sizes = 5073, *, noise: float = 1.0, random_state: Seed = None
) -> tuple[Floats, Ints]:
    r"""Draw a banana, a Gaussian and a bimodal Gaussian that overlap in the plane.

    The banana lies on an arc of radius 5 with an angle :math:`\theta` that is uniform on
    :math:`[\pi/8, 11\pi/8]`,

    .. math:: x = (5 \sin\theta, 5 \cos\theta) + \sigma\varepsilon,

    with standard normal :math:`\varepsilon`.

    Parameters
    ----------
    n_samples : int or sequence of 3 int, default=5073
        Number of cases in total, split as evenly as possible, or of each class. Every
        class has a case.
    noise : float, default=1.0
        Standard deviation :math:`\sigma` of the noise around the arc, at least 0. The
        standard deviation is 2.5 times as large in the Gaussian class and 1.5 times as
        large around each mode of the bimodal class.
    random_state : int, RandomState, Generator or None, default=None
        For reproducible output.

    Returns
    -------
    X : ndarray of shape (n, 2)
        The cases in random order.
    y : ndarray of shape (n,)
        Labels: 0 for the banana, 1 for the Gaussian, 2 for the bimodal class.

    See Also
    --------
    make_ordered_gaussians : Classes with a known volume.
    skvus.simplified_vus_score : The volume that this problem was made for.

    Notes
    -----
    Landgrebe and Duin [1]_ describe their data in one sentence, and refer to PRTools [2]_
    for the banana. The places and widths of the other two classes are ours: the Gaussian
    is centred on (5.5, 8.5), the modes, of equal weight, on (-2, 2.5) and (-6, -1). They
    were chosen by search so that the classifiers of Table 4, trained on 80% of the data
    with features of unit variance, come near its figures (in brackets).

    ======================================= =========== ===========
    classifier                              error       volume
    ======================================= =========== ===========
    nearest mean, first principal component .330 (.329) .674 (.667)
    mixtures of 2, 1 and 2 Gaussians        .054 (.058) .988 (.990)
    quadratic                               .074 (.077) .976 (.970)
    linear                                  .090 (.091) .970 (.964)
    ======================================= =========== ===========

    Ours are means over 20 data sets with 10 splits each; the errors of single data sets
    differ from them by up to 0.02.

    References
    ----------
    .. [1] T. C. W. Landgrebe, R. P. W. Duin, "A simplified volume under the ROC
       hypersurface", section 5 and Table 4.
    .. [2] R. P. W. Duin et al., "PRTools, a Matlab toolbox for pattern recognition", 2004,
       function gendatb.

    Examples
    --------
    >>> import numpy as np
    >>> from skvus.datasets import make_banana
    >>> X, y = make_banana(random_state=0)
    >>> X.shape, np.bincount(y).tolist()
    ((5073, 2), [1691, 1691, 1691])
    """
    noise = check_number("noise", noise, minimum=0, maximum=_LARGEST)
    sizes = _class_sizes(n_samples, 3)
    rng = check_generator(random_state)
    y = _shuffled_labels(sizes, rng)
    angle = rng.uniform(np.pi / 8, 11 * np.pi / 8, size=y.size)
    arc = 5.0 * np.column_stack([np.sin(angle), np.cos(angle)])
    modes = np.array([[-2.0, 2.5], [-6.0, -1.0]])[rng.integers(2, size=y.size)]
    gaussian = np.broadcast_to([5.5, 8.5], arc.shape)
    centres = np.choose(y[:, np.newaxis], [arc, gaussian, modes])
    widths = noise * np.array([1.0, 2.5, 1.5])[y, np.newaxis]
    return centres + widths * rng.standard_normal(centres.shape), y


class _Options(TypedDict, total=False):
    """Options of `make_ordered_gaussians` that do not change what it returns."""

    scale: ArrayLike
    random_state: Seed


@overload
def make_ordered_gaussians(
    n_samples: Sizes = ...,
    means: ArrayLike = ...,
    *,
    return_posteriors: Literal[False] = ...,
    return_volume: Literal[False] = ...,
    **options: Unpack[_Options],
) -> tuple[Floats, Ints]: ...


@overload
def make_ordered_gaussians(
    n_samples: Sizes = ...,
    means: ArrayLike = ...,
    *,
    return_posteriors: Literal[True],
    return_volume: Literal[False] = ...,
    **options: Unpack[_Options],
) -> tuple[Floats, Ints, Floats]: ...


@overload
def make_ordered_gaussians(
    n_samples: Sizes = ...,
    means: ArrayLike = ...,
    *,
    return_posteriors: Literal[False] = ...,
    return_volume: Literal[True],
    **options: Unpack[_Options],
) -> tuple[Floats, Ints, float]: ...


@overload
def make_ordered_gaussians(
    n_samples: Sizes = ...,
    means: ArrayLike = ...,
    *,
    return_posteriors: Literal[True],
    return_volume: Literal[True],
    **options: Unpack[_Options],
) -> tuple[Floats, Ints, Floats, float]: ...


def make_ordered_gaussians(
    n_samples: Sizes = 300,
    means: ArrayLike = (-1.0, 0.0, 1.0),
    *,
    scale: ArrayLike = 1.0,
    return_posteriors: bool = False,
    return_volume: bool = False,
    random_state: Seed = None,
) -> tuple[Any, ...]:
    r"""Draw one normal variable for each class, with known posteriors and volume.

    Class k is :math:`X_k \sim N(\mu_k, \sigma_k^2)` with the density :math:`f_k`. The
    volume is the probability that one case of each class comes in the order of the labels,

    .. math::

        P(X_0 < \dots < X_{C-1}) = F_{C-1}(\infty), \quad
        F_k(x) = \int_{-\infty}^x f_k(t) F_{k-1}(t)\,dt, \quad F_{-1} = 1.

    Parameters
    ----------
    n_samples : int or sequence of int, default=300
        Number of cases in total, split as evenly as possible, or of each class. Every
        class has a case.
    means : array-like of shape (n_classes,), default=(-1.0, 0.0, 1.0)
        Means of the classes, at least two, in any order.
    scale : float or array-like of shape (n_classes,), default=1.0
        Standard deviation of all classes or of each class, positive. The largest is at
        most 10^6 times the smallest.
    return_posteriors : bool, default=False
        Whether to return the true posterior probabilities of the cases too.
    return_volume : bool, default=False
        Whether to return the true volume too.
    random_state : int, RandomState, Generator or None, default=None
        For reproducible output.

    Returns
    -------
    X : ndarray of shape (n, 1)
        The cases in random order.
    y : ndarray of shape (n,)
        Labels 0 to C-1 in the order of `means`.
    posteriors : ndarray of shape (n, n_classes)
        For classes that are equally probable, whatever `n_samples` is. Only if
        `return_posteriors` is set.
    volume : float
        The probability above, which does not depend on the draw. Only if `return_volume`
        is set.

    See Also
    --------
    make_softmax_gaussians : Classes without an order.
    skvus.ordinal_vus_score : Estimates the volume from `X`.
    skvus.simplified_vus_score : Estimates it from the posteriors.

    Notes
    -----
    With one `scale` and increasing means the volume is also the limit, for infinite data,
    of Landgrebe and Duin's simplified volume [1]_ of the posteriors. That is the share of
    tuples for which the labels are the best assignment in log p. But
    :math:`\log p_j(x) = (\mu_j x - \mu_j^2 / 2) / \sigma^2` plus a term that is the same
    for all j, so an assignment is judged by :math:`\sum_i \mu_{\pi(i)} x_i`, and the best
    one gives the largest case the largest mean. If the means are in another order, the
    simplified volume remains that of the sorted means. With several scales it is another
    number.

    The integrals are computed with Gauss-Legendre rules of 16 points on panels no wider
    than the standard deviation of any class that lies there, with an error below 1e-10.
    All twelve estimates of Tables 2 and 3 of the paper are below the truth, for example
    0.51214 for the default means.

    References
    ----------
    .. [1] T. C. W. Landgrebe, R. P. W. Duin, "A simplified volume under the ROC
       hypersurface", section 4.3.

    Examples
    --------
    >>> from skvus.datasets import make_ordered_gaussians
    >>> X, y, volume = make_ordered_gaussians(90, return_volume=True, random_state=0)
    >>> X.shape, y.shape
    ((90, 1), (90,))
    >>> round(volume, 7)
    0.5361516
    """
    means = as_float_array("means", means)
    if means.ndim != 1 or means.size < 2:
        raise ValueError(
            "means must have shape (n_classes,) with at least two classes; got shape "
            f"{means.shape}."
        )
    if np.abs(means).max() > _LARGEST_MEAN:
        raise ValueError(f"means must be within ±{_LARGEST_MEAN:.6g}; got {shorten(means)}.")
    scales = _check_scales(scale, means.size)
    check_option("return_posteriors", return_posteriors, (False, True))
    check_option("return_volume", return_volume, (False, True))
    sizes = _class_sizes(n_samples, means.size)
    rng = check_generator(random_state)
    y = _shuffled_labels(sizes, rng)
    x = means[y] + scales[y] * rng.standard_normal(y.size)
    data = (x[:, np.newaxis], y)
    if return_posteriors:
        data += (_posteriors(x, means, scales),)
    if return_volume:
        data += (ordering_probability(means, scales),)
    return data


def make_ripley_mixture(
    n_samples: Sizes = 300, *, variance: float = 0.03, random_state: Seed = None
) -> tuple[Floats, Ints]:
    r"""Draw three classes in the plane, each from two round Gaussians.

    .. math:: f_j(x) = \tfrac12 N(x; \mu_{j1}, \sigma^2 I) + \tfrac12 N(x; \mu_{j2}, \sigma^2 I)

    Parameters
    ----------
    n_samples : int or sequence of 3 int, default=300
        Number of cases in total, split as evenly as possible, or of each class. Every
        class has a case, and each of its Gaussians half of them; the first has an odd one.
    variance : float, default=0.03
        Variance :math:`\sigma^2` of every Gaussian in both directions, at least 0.
    random_state : int, RandomState, Generator or None, default=None
        For reproducible output.

    Returns
    -------
    X : ndarray of shape (n, 2)
        The cases in random order.
    y : ndarray of shape (n,)
        Labels: 0 for the Gaussians around (0.7, 0.3) and (0.3, 0.3), 1 for those around
        (-0.7, 0.7) and (0.4, 0.7), 2 for those around (1, 1) and (0, 1).

    See Also
    --------
    skvus.ProbabilisticKNeighborsClassifier : A classifier that was searched on these data.
    make_banana : Other classes in the plane.
    skvus.ROCFront : The trade-offs between the errors.

    Notes
    -----
    Everson and Fieldsend [1]_ add a class to Ripley's [2]_ two. They print a covariance of
    0.3 I, with which even the best classifier errs in 41% of the cases. With 0.03 it errs in
    9.2%, which fits the 32 errors in 300 that they report; hence the default.

    References
    ----------
    .. [1] R. M. Everson, J. E. Fieldsend, "Multi-class ROC analysis from a multi-objective
       optimisation perspective", Pattern Recognition Letters 27, 2006, section 4.1.
    .. [2] B. D. Ripley, "Neural networks and related methods for classification", Journal of
       the Royal Statistical Society B 56, 1994.

    Examples
    --------
    >>> import numpy as np
    >>> from skvus.datasets import make_ripley_mixture
    >>> X, y = make_ripley_mixture(random_state=0)
    >>> X.shape, np.bincount(y).tolist()
    ((300, 2), [100, 100, 100])
    """
    variance = check_number("variance", variance, minimum=0, maximum=_LARGEST)
    sizes = [size for n in _class_sizes(n_samples, 3) for size in (n - n // 2, n // 2)]
    rng = check_generator(random_state)
    component = _shuffled_labels(sizes, rng)
    noise = np.sqrt(variance) * rng.standard_normal((component.size, 2))
    return _RIPLEY_CENTRES[component] + noise, component // 2


def make_softmax_gaussians(
    n_samples: Sizes = 150,
    n_classes: int = 3,
    *,
    scale: float = 1.0,
    separation: float = 1.65,
    random_state: Seed = None,
) -> tuple[Floats, Ints]:
    r"""Draw probability vectors: spherical Gaussians passed through the softmax.

    A case of class k gets the probabilities

    .. math:: p_j = \frac{e^{z_j}}{\sum_i e^{z_i}}, \quad z \sim N(d e_k, \sigma^2 I),

    with the unit vectors :math:`e_k`, so that all means are equally far from each other.

    Parameters
    ----------
    n_samples : int or sequence of int, default=150
        Number of cases in total, split as evenly as possible, or of each class. Every
        class has a case.
    n_classes : int, default=3
        Number of classes, at least 2.
    scale : float, default=1.0
        Standard deviation :math:`\sigma`, at least 0. The larger, the more the classes
        overlap.
    separation : float, default=1.65
        Length d of the means, at least 0.
    random_state : int, RandomState, Generator or None, default=None
        For reproducible output.

    Returns
    -------
    y_score : ndarray of shape (n, n_classes)
        Probabilities of the cases in random order.
    y : ndarray of shape (n,)
        Labels 0 to N-1.

    See Also
    --------
    make_ordered_gaussians : Classes with an order and a known volume.
    skvus.ordered_vus_score : Dreiseitl's volume.
    skvus.angle_vus_score : Its approximation by angles.

    Notes
    -----
    Dreiseitl [1]_ varies the standard deviation at fixed means, and gives neither. With
    the default values the ordered volume of three classes is 0.85, the "intermediate
    range" of his Figures 4 and 5; with a `scale` of 0.5, 0.75, 1.5, 2 and 3 it is 0.998,
    0.955, 0.645, 0.513 and 0.379.

    References
    ----------
    .. [1] S. Dreiseitl, "Towards more efficient multiclass AUC computations", 2019,
       section 3.1.

    Examples
    --------
    >>> import numpy as np
    >>> from skvus.datasets import make_softmax_gaussians
    >>> y_score, y = make_softmax_gaussians([30, 20, 10], random_state=0)
    >>> y_score.shape, np.bincount(y).tolist()
    ((60, 3), [30, 20, 10])
    """
    from scipy.special import softmax

    n_classes = check_integer("n_classes", n_classes, minimum=2)
    scale = check_number("scale", scale, minimum=0, maximum=_LARGEST)
    separation = check_number("separation", separation, minimum=0, maximum=_LARGEST)
    sizes = _class_sizes(n_samples, n_classes)
    rng = check_generator(random_state)
    y = _shuffled_labels(sizes, rng)
    z = scale * rng.standard_normal((y.size, n_classes))
    z[np.arange(y.size), y] += separation
    return softmax(z, axis=1), y


def random_confusion_rates(
    n: int,
    n_classes: int,
    *,
    kind: Literal["uniform_diagonal", "dirichlet", "normalized_uniform"] = "uniform_diagonal",
    random_state: Seed = None,
) -> Floats:
    """Draw rate matrices of random crisp classifiers.

    Parameters
    ----------
    n : int
        Number of classifiers.
    n_classes : int
        Number of classes, at least 2.
    kind : {"uniform_diagonal", "dirichlet", "normalized_uniform"}, default="uniform_diagonal"
        Distribution of each row: a diagonal uniform on (0, 1) whose remainder is split
        uniformly among the other classes; uniform on the simplex (flat Dirichlet); or
        uniform entries divided by their sum.
    random_state : int, RandomState, Generator or None, default=None
        For reproducible output.

    Returns
    -------
    rates : ndarray of shape (n, n_classes, n_classes)
        Rows sum to one.

    See Also
    --------
    skvus.polytope_vus : Volume of such matrices.
    skvus.ranking_discrepancy : How differently two scores rank them.

    Notes
    -----
    Ferri et al. [1]_ compare approximations of the VUS on 100 "normalised confusion
    matrices" without saying how they were drawn. "uniform_diagonal" comes closest to
    their figures.

    References
    ----------
    .. [1] C. Ferri, J. Hernández-Orallo, M. A. Salido, "Volume under the ROC surface
       for multi-class problems", ECML 2003, section 5.6.

    Examples
    --------
    >>> from skvus.datasets import random_confusion_rates
    >>> rates = random_confusion_rates(100, 3, random_state=0)
    >>> rates.shape
    (100, 3, 3)
    """
    n_classes = check_integer("n_classes", n_classes, minimum=2, maximum=10_000)
    n = check_integer("n", n, minimum=0, maximum=MOST_CELLS // n_classes**2)
    check_option("kind", kind, KINDS)
    rng = check_generator(random_state)
    if kind == "dirichlet":
        return rng.dirichlet(np.ones(n_classes), size=(n, n_classes))
    if kind == "normalized_uniform":
        rates = 1.0 - rng.random((n, n_classes, n_classes))  # never a row of zeros
        return rates / rates.sum(axis=2, keepdims=True)
    misses = rng.random((n, n_classes, 1))
    split = rng.dirichlet(np.ones(n_classes - 1), size=(n, n_classes))
    return points_to_rates((misses * split).reshape(n, n_classes * (n_classes - 1)), n_classes)


def _class_sizes(n_samples, n_classes):
    """Number of cases of each class, none of them empty."""
    try:
        sizes = list(n_samples)
    except TypeError:
        total = check_integer("n_samples", n_samples, minimum=n_classes, maximum=_MOST_SAMPLES)
        return [total // n_classes + (k < total % n_classes) for k in range(n_classes)]
    if len(sizes) != n_classes:
        raise ValueError(
            f"n_samples must be an integer or have {n_classes} entries, one for each class; "
            f"got {shorten(n_samples)}."
        )
    return [
        check_integer(f"n_samples[{k}]", size, minimum=1, maximum=_MOST_SAMPLES)
        for k, size in enumerate(sizes)
    ]


def _shuffled_labels(sizes, rng):
    """Labels in random order."""
    return rng.permutation(np.repeat(np.arange(len(sizes), dtype=np.int64), sizes))


def _check_scales(scale, n_classes):
    """One positive standard deviation for each class."""
    scales = as_float_array("scale", scale)
    is_in_range = scales.size and scales.min() > 0.0 and scales.max() <= _LARGEST
    if scales.shape not in ((), (n_classes,)) or not is_in_range:
        raise ValueError(
            f"scale must be a positive number or {n_classes} of them, one for each class, at "
            f"most {_LARGEST:.6g}; got {shorten(scale)}."
        )
    if scales.min() < scales.max() / _LARGEST_SCALE_RATIO:
        raise ValueError(
            f"scale must not differ by more than a factor of {_LARGEST_SCALE_RATIO:.0e} "
            f"between classes; got {shorten(scale)}."
        )
    return np.broadcast_to(scales, (n_classes,))


def _posteriors(x, means, scales):
    """Probabilities of equally frequent normal classes, an array of shape (n, C)."""
    from scipy.special import softmax

    with np.errstate(over="ignore"):  # classes too far away to matter
        z = (x[:, np.newaxis] - means) / scales
        return softmax(-0.5 * z**2 - np.log(scales), axis=1)
