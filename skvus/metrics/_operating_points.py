"""Operating points of a soft classifier: their rates, and all of them."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from sklearn.exceptions import UndefinedMetricWarning

from skvus._costs import check_column_order, in_class_order_of_one
from skvus._rates import off_diagonal
from skvus._soft import check_soft_problem, non_negative_columns
from skvus._typing import ByClass, Floats, Seed
from skvus._validation import (
    as_float_array,
    check_generator,
    check_integer,
    check_option,
)
from skvus.metrics._equality import same_fields
from skvus.metrics._operating import (
    all_weighted_points,
    class_totals,
    collapse,
    decision_counts,
    distinct_rows,
    log_columns,
    n_vectors,
    normalised_weights,
    sampled_weightings,
    whole_units,
)
from skvus.metrics._volumes import MOST_CLASSES

if TYPE_CHECKING:
    import pandas as pd

# Distinct score vectors up to which all operating points of three classes are listed: four
# and a half million of them in about twelve seconds and 1.6 gigabytes.
MOST_VECTORS = 3000
_BLOCK_CELLS = 2**22
# Weightings of many classes: as many as fit into half a gigabyte of rates.
_MOST_WEIGHTS = 10_000
_MOST_CELLS = 2**26


class OperatingPoints(NamedTuple):
    """Operating points of a soft classifier, with a class weighting for each.

    A pair ``(rates, weights)``, made by `operating_points`.

    Parameters
    ----------
    rates : ndarray of shape (m, n_classes, n_classes)
        Confusion rates: ``rates[i, k, j]`` is the share of true class k that is called j.
    weights : ndarray of shape (m, n_classes)
        Positive class weights that sum to 1: `operating_rates` of ``weights[i]`` is
        ``rates[i]``.

    See Also
    --------
    operating_points : Makes it.

    Notes
    -----
    Two of them are equal if both arrays are, entry by entry. They cannot be hashed.

    Examples
    --------
    >>> import numpy as np
    >>> from skvus.metrics import OperatingPoints
    >>> OperatingPoints(np.eye(2)[np.newaxis], np.array([[0.5, 0.5]]))
    OperatingPoints(1 operating point of 2 classes)
    """

    rates: Floats
    weights: Floats

    def to_frame(self) -> pd.DataFrame:
        """Make a table with a row for each operating point.

        Returns
        -------
        frame : pandas.DataFrame
            Needs pandas. Columns "weight k" for each class and "rate k as j" for each mistake,
            classes by number.

        Examples
        --------
        >>> import numpy as np
        >>> from skvus.metrics import OperatingPoints
        >>> points = OperatingPoints(np.eye(2)[np.newaxis], np.array([[0.5, 0.5]]))
        >>> points.to_frame().columns[:3].tolist()
        ['weight 0', 'weight 1', 'rate 0 as 1']
        """
        import pandas as pd

        columns = {f"weight {k}": column for k, column in enumerate(self.weights.T)}
        for k, j in zip(*np.nonzero(off_diagonal(self.weights.shape[1])), strict=True):
            columns[f"rate {k} as {j}"] = self.rates[:, k, j]
        return pd.DataFrame(columns)

    def __eq__(self, other: object) -> bool:
        return same_fields(self, other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __repr__(self) -> str:
        number, n_classes = self.weights.shape
        plural = "s" * (number != 1)
        return f"OperatingPoints({number} operating point{plural} of {n_classes} classes)"


def operating_rates(
    y_true: ArrayLike,
    y_score: ArrayLike,
    weights: ByClass,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> Floats:
    r"""Confusion rates of a soft classifier for given class weights.

    A weighting :math:`\Phi` makes a crisp classifier: a case with scores :math:`p` is called
    :math:`\arg\max_j \Phi_j p_j`, the first of equals. Many weightings are applied at once.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True labels.
    y_score : array-like of shape (n_samples, n_classes) or (n_samples,)
        Non-negative scores, usually probabilities, a column for each class in the order
        of `labels`. For two classes also the probability s of the second class, which
        stands for the columns (1 - s, s).
    weights : array-like of shape (m, n_classes) or (n_classes,), or dict
        Non-negative class weights, at least one of each row positive. A dict or Series goes by
        label; a data frame must have its columns in the order of the classes.
    labels : array-like of shape (n_classes,), default=None
        The classes in the order of the columns. By default the sorted labels of `y_true`.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights of the samples.

    Returns
    -------
    rates : ndarray of shape (m, n_classes, n_classes) or (n_classes, n_classes)
        ``rates[i, k, j]`` is the share of true class k that weighting i calls j. The row of
        a class without cases is NaN, with an `UndefinedMetricWarning`.

    See Also
    --------
    operating_points : All operating points, with a weighting for each.
    weights_for_rates : The weights that reach given rates.
    polytope_vus : The volume under the surface of a set of rates.

    Notes
    -----
    The decisions are those of ``np.argmax(weights * y_score, axis=1)``, to the last bit,
    except that products neither overflow nor vanish, unless they are less than 1e-600 of the
    largest weight times the largest score of the case. Rates are sums of sample weights that
    are rounded to about 1e-16 of their class, then exact.

    O(m · n · Q) steps, and memory for the result; scores are read block by block. About two
    billion cases a second for up to three classes, 0.4 billion for four, 0.2 billion for ten.

    References
    ----------
    .. [1] C. Ferri, J. Hernández-Orallo, M. A. Salido, "Volume under the ROC surface
       for multi-class problems", ECML 2003, section 6.

    Examples
    --------
    >>> from skvus.metrics import operating_rates
    >>> y_true = [0, 0, 1, 1]
    >>> y_score = [[0.8, 0.2], [0.4, 0.6], [0.3, 0.7], [0.1, 0.9]]
    >>> operating_rates(y_true, y_score, [1, 1])
    array([[0.5, 0.5],
           [0. , 1. ]])
    >>> operating_rates(y_true, y_score, [[2, 1], [20, 1]])
    array([[[1., 0.],
            [0., 1.]],
    <BLANKLINE>
           [[1., 0.],
            [1., 0.]]])
    """
    scores, codes, weight, classes = check_weighted_problem(
        y_true, y_score, labels, sample_weight
    )
    n_classes = scores.shape[1]
    rows = _check_weights(weights, classes)
    units = whole_units(codes, weight, n_classes)
    rates = rates_of(scores, codes, units, np.atleast_2d(rows))
    return rates if rows.ndim == 2 else rates[0]


def operating_points(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pareto: bool = False,
    n_weights: int | None = None,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    random_state: Seed = None,
) -> OperatingPoints:
    r"""All operating points of a soft classifier, with class weights for each.

    Each weighting :math:`\Phi > 0` of the classes makes a crisp classifier,
    :math:`\arg\max_j \Phi_j p_j(x)`. Listed are the distinct confusion matrices of all of
    them: every one for two and three classes, those of a sample of weightings beyond.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True labels.
    y_score : array-like of shape (n_samples, n_classes) or (n_samples,)
        Non-negative scores, usually probabilities, a column for each class in the order
        of `labels`. For two classes also the probability s of the second class, which
        stands for the columns (1 - s, s).
    pareto : bool, default=False
        Whether to keep only points that no other one dominates: that has no off-diagonal
        rate larger, and one smaller.
    n_weights : int or None, default=None
        Number of weightings that are tried for four and more classes: 10,000 by default,
        fewer from 82 classes on, where their rates would take more than half a gigabyte.
    labels : array-like of shape (n_classes,), default=None
        The classes in the order of the columns. By default the sorted labels of `y_true`.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights of the samples.
    random_state : int, RandomState, Generator or None, default=None
        Used for four and more classes.

    Returns
    -------
    points : OperatingPoints
        A pair of arrays, `rates` of shape (m, n_classes, n_classes) and `weights` of shape
        (m, n_classes), in lexicographic order of the off-diagonal rates. The rates of a
        class without cases are NaN, with an `UndefinedMetricWarning`.

    See Also
    --------
    operating_rates : The rates of weightings of your own.
    weights_for_rates : The weights that reach given rates.
    soft_polytope_vus_score : The volume under the surface of all these points.

    Notes
    -----
    The weightings that decide alike are the cells of an arrangement of tropical hyperplanes
    [1]_, one for each distinct score vector. No two of them have the same confusion matrix.
    Without ties and zeros there are :math:`\binom{n+Q-1}{Q-1}` cells, one for each way to say
    how many cases are called what.

    Two classes have the n + 1 points of the ROC curve. For three, the (n+1)(n+2)/2 cells are
    met in O(n²) by sweeping along lines of constant :math:`\Phi_1` or :math:`\Phi_2`: 0.3 s for
    n = 500, 1 s for 1000, and 12 s and 1.6 gigabytes for 3000 distinct score vectors, the
    limit. With `pareto` that is 8 s and 0.4 gigabytes. From four classes on, a tenth of the
    weightings is searched to suit random costs; the others lie where random cases change
    sides. They find all 165 points of 8 cases, but few of the 10^8 of 1000 cases.

    Up to three classes, the weighting of a point lies deep inside its cell: the ratios of the
    weights may all change by some factor before a decision does. Ratios of scores that agree
    to 1e-12 count as equal; cells as thin as that, and cells that need weights more than
    1e304 apart, are left out. The trivial classifiers are points only if no score is zero:
    zeros cannot be outweighed.

    References
    ----------
    .. [1] M. Develin, B. Sturmfels, "Tropical convexity", Documenta Mathematica 9, 2004.
    .. [2] C. Ferri, J. Hernández-Orallo, M. A. Salido, "Volume under the ROC surface
       for multi-class problems", ECML 2003, section 6.

    Examples
    --------
    >>> import numpy as np
    >>> from skvus.metrics import operating_points, operating_rates
    >>> y_true = [0, 0, 1, 1, 2, 2]
    >>> y_score = [[6, 3, 1], [4, 5, 1], [2, 6, 2], [3, 4, 3], [1, 2, 7], [5, 1, 4]]
    >>> points = operating_points(y_true, y_score)
    >>> points
    OperatingPoints(26 operating points of 3 classes)
    >>> best = np.argmax(np.einsum("mii->m", points.rates))
    >>> points.rates[best]
    array([[1. , 0. , 0. ],
           [0. , 1. , 0. ],
           [0.5, 0. , 0.5]])
    >>> np.array_equal(
    ...     operating_rates(y_true, y_score, points.weights), points.rates
    ... )
    True
    >>> operating_points(y_true, y_score, pareto=True)
    OperatingPoints(3 operating points of 3 classes)
    """
    check_option("pareto", pareto, (False, True))
    if n_weights is not None:
        n_weights = check_integer("n_weights", n_weights, minimum=1, maximum=10**9)
    # without a seed nothing is drawn from the global generator unless it is needed
    rng = None if random_state is None else check_generator(random_state)
    scores, codes, weight, _ = check_weighted_problem(y_true, y_score, labels, sample_weight)
    n_classes = scores.shape[1]
    n_weights = _check_n_weights(n_weights, n_classes)
    if pareto and n_classes > MOST_CLASSES:
        raise ValueError(f"pareto=True takes at most {MOST_CLASSES} classes; got {n_classes}.")
    if n_classes <= 3:
        logs = log_columns(scores)
        if n_classes == 3:
            _refuse_too_many(n_vectors(logs))
        distinct, mass = collapse(logs, codes, weight)
        counts, phis = all_weighted_points(distinct, mass, pareto=pareto)
        weights = normalised_weights(phis)
        totals = mass.sum(axis=0)
    else:
        units = whole_units(codes, weight, n_classes)
        rng = check_generator(rng)
        phis = sampled_weightings(log_columns(scores), codes, weight, n_weights, rng)
        weights = normalised_weights(phis)
        counts = decision_counts(scores, codes, units, weights)[:, off_diagonal(n_classes)]
        counts, weights = distinct_rows(counts, weights, pareto)
        totals = class_totals(codes, units, n_classes)
    return OperatingPoints(_completed_rates(counts, totals), weights)


def check_weighted_problem(y_true, y_score, labels, sample_weight, *, all_classes=False):
    """Non-negative scores in columns, codes, weights, classes.

    A class without cases is an error if `all_classes` are needed, else a warning.
    """
    problem = check_soft_problem(y_true, y_score, labels=labels, sample_weight=sample_weight)
    scores = non_negative_columns(problem.scores)
    if problem.undefined is not None:
        if all_classes or problem.codes is None:
            raise ValueError(problem.undefined)
        message = f"{problem.undefined} Its rates are undefined."
        warnings.warn(message, UndefinedMetricWarning, stacklevel=3)
    return scores, problem.codes, problem.weight, problem.classes


def _check_weights(weights, classes):
    n_classes = len(classes)
    check_column_order("weights", weights, classes)
    rows = as_float_array("weights", in_class_order_of_one("weights", weights, classes))
    if rows.ndim not in (1, 2) or rows.shape[-1] != n_classes:
        raise ValueError(
            f"weights must have shape (m, {n_classes}) or ({n_classes},), one for each class; "
            f"got {rows.shape}."
        )
    if rows.size and rows.min() < 0.0:
        raise ValueError(f"weights must not be negative; their minimum is {rows.min():.6g}.")
    if not rows.any(axis=-1).all():
        raise ValueError("weights must have a positive entry in each row; one has only zeros.")
    return rows


def _check_n_weights(n_weights, n_classes):
    """Number of weightings to try, whose rates fit into memory."""
    most = _MOST_CELLS // n_classes**2
    if n_weights is None:
        return min(_MOST_WEIGHTS, most)
    if n_weights > 16 * most:
        raise ValueError(
            f"n_weights must be at most {16 * most} for {n_classes} classes, whose rates take "
            f"8 GB; got {n_weights}."
        )
    return n_weights


def _refuse_too_many(n_vectors):
    if n_vectors > MOST_VECTORS:
        number = (n_vectors + 1) * (n_vectors + 2) // 2
        raise ValueError(
            f"y_score has {n_vectors} distinct score vectors, which make up to {number:,} "
            f"operating points of three classes; at most {MOST_VECTORS} can be listed. Round "
            "y_score, pass a sample of the cases, or give weights of your own to "
            "operating_rates."
        )


def rates_of(scores, codes, units, weights):
    """Rates of all weightings; counts are made and turned into rates block by block."""
    n_classes = scores.shape[1]
    totals = class_totals(codes, units, n_classes)
    rates = np.empty((weights.shape[0], n_classes, n_classes))
    per_block = max(1, _BLOCK_CELLS // n_classes**2)
    for start in range(0, weights.shape[0], per_block):
        block = slice(start, start + per_block)
        counts = decision_counts(scores, codes, units, weights[block])
        rates[block] = _shares(counts, totals)
    return rates


def _completed_rates(counts, totals):
    """Rates from off-diagonal counts; what is left of a row is on the diagonal."""
    n_classes = totals.size
    matrices = np.zeros((counts.shape[0], n_classes, n_classes))
    matrices[:, off_diagonal(n_classes)] = counts
    diagonal = np.arange(n_classes)
    matrices[:, diagonal, diagonal] = totals - matrices.sum(axis=2)
    return _shares(matrices, totals)


def _shares(counts, totals):
    with np.errstate(invalid="ignore"):  # a class without cases: its row is nan
        return counts / totals[:, np.newaxis]
