"""Scores that compare ranks: ordinal VUS, PDI, Hand and Till's M, one versus rest."""

from __future__ import annotations

from typing import Literal, Unpack, overload

import numpy as np
from numpy.typing import ArrayLike

from skvus._hints import hinting, swapped
from skvus._labels import check_targets, ordered_categories
from skvus._rates import why_undefined
from skvus._soft import check_soft_problem, one_column
from skvus._typing import Floats, ScoreOptions, Ties
from skvus._validation import (
    as_score_array,
    check_option,
    check_replacement,
    check_sample_weight,
    undefined_score,
)

TIES = ("share", "strict", "weak")


def ordinal_vus_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    ties: Ties = "share",
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
) -> float:
    r"""Volume under the ROC surface of one score for ordered classes.

    .. math:: P(X_1 < X_2 < \dots < X_K)

    with :math:`X_k` the score of a random case of the k-th of K classes: the share of all
    tuples, one case from each class, whose scores ascend with the class.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True labels.
    y_score : array-like of shape (n_samples,) or (n_samples, 1)
        One real score for each case, the larger the higher its class.
    ties : {"share", "strict", "weak"}, default="share"
        What a tuple counts that ascends but for equal scores of neighbours: "share" gives
        1/r! for each run of r equal scores, the chance that a random order of them is
        right; "strict" gives 0 and "weak" 1.
    labels : array-like of shape (n_classes,), default=None
        The classes from lowest to highest. By default the categories of an ordered pandas
        categorical, else the sorted labels of `y_true`: alphabetical order for text.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights of the samples.
    replace_undefined_by : float, default=np.nan
        Returned when a class has no true case or there is only one class. NaN comes with
        an `UndefinedMetricWarning`, any other number without.

    Returns
    -------
    score : float
        Between 0 and 1; 1/K! for a constant score (with ``ties="share"``), 0 for one in
        reverse order.

    See Also
    --------
    hand_till_score : For classes without an order.
    pdi_score : For classes without an order, by tuples.

    Notes
    -----
    Of two classes it is the AUC. Any increasing transformation of the scores leaves it as
    it is. Posteriors of ordered classes become one score as the expected rank,
    ``y_score @ np.arange(n_classes)``. Equal means equal floats: where posteriors are
    coarse (trees, neighbours), round the expected rank to some ten digits, because equal
    ranks may differ in the last.

    A dynamic programme over the distinct scores counts the tuples, O(n log n + nK) for n
    samples; where many classes are tied at one score, that score costs O(K²).

    References
    ----------
    .. [1] C. T. Nakas, C. T. Yiannoutsos, "Ordered multiple-class ROC analysis with
       continuous measurements", Statistics in Medicine 23, 2004.
    .. [2] W. Waegeman, B. De Baets, L. Boullart, "ROC analysis in ordinal regression
       learning", Pattern Recognition Letters 29, 2008.

    Examples
    --------
    >>> from skvus.metrics import ordinal_vus_score
    >>> y_true = ["low", "low", "mid", "mid", "high", "high"]
    >>> y_score = [0.1, 0.4, 0.3, 0.6, 0.6, 0.9]
    >>> order = ["low", "mid", "high"]
    >>> ordinal_vus_score(y_true, y_score, labels=order)
    0.625
    >>> [ordinal_vus_score(y_true, y_score, labels=order, ties=t) for t in ("strict", "weak")]
    [0.5, 0.75]
    """
    check_option("ties", ties, TIES)
    replacement = check_replacement(replace_undefined_by)
    with hinting(swapped, y_true, y_score):
        scores = check_one_score(y_score)
        labels = ordered_categories(y_true) if labels is None else labels
        classes, codes = check_targets(y_true, "y_score", scores.size, labels=labels)
    weight = check_sample_weight(sample_weight, scores.size)
    totals = np.bincount(codes, weights=weight, minlength=classes.size)
    reason = why_undefined(classes, totals)
    if reason is not None:
        return undefined_score(reason, replacement)
    from skvus._kernels.ranking import ordered_share

    # a sum of many shares may end one bit above one
    share = ordered_share(*_sorted(scores, codes, weight), run_credits(ties, classes.size))
    return min(1.0, share)


@overload
def pdi_score(
    y_true: ArrayLike, y_score: ArrayLike, *, average: None, **options: Unpack[ScoreOptions]
) -> Floats: ...


@overload
def pdi_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    average: Literal["macro"] = "macro",
    **options: Unpack[ScoreOptions],
) -> float: ...


def pdi_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    average: Literal["macro"] | None = "macro",
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
) -> float | Floats:
    r"""Polytomous discrimination index.

    .. math:: \frac{1}{K} \sum_k P\big(p_k(X_k) > p_k(X_j) \text{ for all } j \ne k\big)

    with :math:`p_k` the score for class k and :math:`X_j` a random case of class j, of K
    classes: how often, among one case from each class, the case of class k is the one with
    the largest score for k. With m others tied at the top it is credited 1/(m + 1).

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True labels.
    y_score : array-like of shape (n_samples, n_classes) or (n_samples,)
        Real scores, such as probabilities or a `decision_function`, a column for each class
        in the order of `labels`. For two classes also one score of the second class.
    average : {"macro", None}, default="macro"
        The mean over the classes, or None for the index of each class.
    labels : array-like of shape (n_classes,), default=None
        The classes in the order of the columns. By default the sorted labels of `y_true`.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights of the samples.
    replace_undefined_by : float, default=np.nan
        Stands for a score that does not exist because a class (a label or a column of
        `y_score`) has no true case; then none of the K indices does. NaN comes with an
        `UndefinedMetricWarning`, any other number without.

    Returns
    -------
    score : float or ndarray of shape (n_classes,)
        Between 0 and 1; 1/K for constant scores.

    See Also
    --------
    hand_till_score : Two classes at a time.
    ordinal_vus_score : For ordered classes and one score.

    Notes
    -----
    Of two classes it is the AUC. Class frequencies do not matter, nor any increasing
    transformation of a column.

    The tuples are never listed. A case of class k with score s is credited
    :math:`\int_0^1 \prod_{j \ne k} (L_j + t E_j)\, dt`, where :math:`L_j` and :math:`E_j`
    are the shares of class j below and at s: O(K n log n + nK) for n samples, plus O(m²)
    for each score at which m other classes are tied. Equal means equal floats. Columns
    are copied, in double precision, one at a time.

    References
    ----------
    .. [1] B. Van Calster, V. Van Belle, Y. Vergouwe, D. Timmerman, S. Van Huffel,
       E. W. Steyerberg, "Extending the c-statistic to nominal polytomous outcomes: the
       Polytomous Discrimination Index", Statistics in Medicine 31, 2012.
    .. [2] D. C. Dover et al., "Computing the polytomous discrimination index", Statistics
       in Medicine 40, 2021.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.model_selection import cross_val_predict
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from skvus.metrics import pdi_score
    >>> X, y = load_wine(return_X_y=True)
    >>> proba = cross_val_predict(GaussianNB(), X[:, :2], y, method="predict_proba")
    >>> round(pdi_score(y, proba), 6)
    0.811842
    >>> pdi_score(y, proba, average=None).round(4)
    array([0.8293, 0.8535, 0.7527])
    """
    check_option("average", average, ("macro", None))
    replacement = check_replacement(replace_undefined_by)
    problem = check_soft_problem(y_true, y_score, labels=labels, sample_weight=sample_weight)
    n_classes = problem.n_classes
    if problem.undefined is not None:
        value = undefined_score(problem.undefined, replacement)
        return np.full(n_classes, value) if average is None else value
    from skvus._kernels.ranking import top_share

    shares = np.empty(n_classes)
    for k, column in enumerate(columns_of(problem.scores)):
        shares[k] = top_share(*_sorted(column, problem.codes, problem.weight), k, n_classes)
    return shares if average is None else float(shares.mean())


@overload
def hand_till_score(
    y_true: ArrayLike, y_score: ArrayLike, *, average: None, **options: Unpack[ScoreOptions]
) -> Floats: ...


@overload
def hand_till_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    average: Literal["macro"] = "macro",
    **options: Unpack[ScoreOptions],
) -> float: ...


def hand_till_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    average: Literal["macro"] | None = "macro",
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
) -> float | Floats:
    r"""Hand and Till's M: the mean AUC over all pairs of classes.

    .. math:: M = \frac{2}{K(K-1)} \sum_{i<j} A_{ij}, \quad A_{ij} = \tfrac12 (A(i|j) + A(j|i))

    with K classes and :math:`A(i|j) = P(p_i(X_i) > p_i(X_j))`, where :math:`p_i` is the
    score for class i and :math:`X_j` a random case of class j. A tie counts 1/2.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True labels.
    y_score : array-like of shape (n_samples, n_classes) or (n_samples,)
        Real scores, such as probabilities or a `decision_function`, a column for each class
        in the order of `labels`. For two classes also one score of the second class.
    average : {"macro", None}, default="macro"
        The mean over the pairs, or None for the matrix of all :math:`A_{ij}`.
    labels : array-like of shape (n_classes,), default=None
        The classes in the order of the columns. By default the sorted labels of `y_true`.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights of the samples.
    replace_undefined_by : float, default=np.nan
        Stands for a score that does not exist because a class (a label or a column of
        `y_score`) has no true case: for the mean, or for the pairs with that class. NaN
        comes with an `UndefinedMetricWarning`, any other number without.

    Returns
    -------
    score : float or ndarray of shape (n_classes, n_classes)
        Between 0 and 1; 1/2 for constant scores. The matrix is symmetric, with NaN on the
        diagonal.

    See Also
    --------
    hand_till_crisp_score : For crisp classifiers.
    one_vs_rest_auc_score : Each class against all others.
    pdi_score : All classes at a time.
    sklearn.metrics.roc_auc_score : The same with ``multi_class="ovo"``, for probabilities
        without weights.

    Notes
    -----
    Class frequencies do not matter, nor any increasing transformation of a column. One sort
    and one pass for each column, O(K n log n) for n samples. Equal means equal floats.
    Columns are copied, in double precision, one at a time.

    References
    ----------
    .. [1] D. J. Hand, R. J. Till, "A simple generalisation of the area under the ROC curve
       for multiple class classification problems", Machine Learning 45, 2001.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.model_selection import cross_val_predict
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from skvus.metrics import hand_till_score
    >>> X, y = load_wine(return_X_y=True)
    >>> proba = cross_val_predict(GaussianNB(), X[:, :2], y, method="predict_proba")
    >>> round(hand_till_score(y, proba), 6)
    0.875503
    >>> hand_till_score(y, proba, average=None).round(4)
    array([[   nan, 0.9088, 0.8462],
           [0.9088,    nan, 0.8715],
           [0.8462, 0.8715,    nan]])
    """
    check_option("average", average, ("macro", None))
    replacement = check_replacement(replace_undefined_by)
    problem = check_soft_problem(y_true, y_score, labels=labels, sample_weight=sample_weight)
    value = np.nan
    if problem.undefined is not None:
        value = undefined_score(problem.undefined, replacement)
        if average is not None:
            return value
    areas = directed_areas(problem)
    areas = (areas + areas.T) / 2
    if average is not None:
        return float(areas[np.triu_indices(problem.n_classes, k=1)].mean())
    areas[np.isnan(areas)] = value
    np.fill_diagonal(areas, np.nan)
    return areas


@overload
def one_vs_rest_auc_score(
    y_true: ArrayLike, y_score: ArrayLike, *, average: None, **options: Unpack[ScoreOptions]
) -> Floats: ...


@overload
def one_vs_rest_auc_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    average: Literal["macro", "weighted"] = "macro",
    **options: Unpack[ScoreOptions],
) -> float: ...


def one_vs_rest_auc_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    average: Literal["macro", "weighted"] | None = "macro",
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
) -> float | Floats:
    r"""Mean AUC of each class against all others.

    .. math:: \sum_k c_k\, P\big(p_k(X_k) > p_k(X_{\bar k})\big)

    with :math:`p_k` the score for class k, :math:`X_k` a random case of class k, and
    :math:`X_{\bar k}` one of all cases of other classes. A tie counts 1/2. The weight
    :math:`c_k` is 1/K for K classes, or the frequency of class k.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True labels.
    y_score : array-like of shape (n_samples, n_classes) or (n_samples,)
        Real scores, such as probabilities or a `decision_function`, a column for each class
        in the order of `labels`. For two classes also one score of the second class.
    average : {"macro", "weighted", None}, default="macro"
        The mean over the classes, the mean weighted by their frequencies, or None for the
        AUC of each class.
    labels : array-like of shape (n_classes,), default=None
        The classes in the order of the columns. By default the sorted labels of `y_true`.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights of the samples.
    replace_undefined_by : float, default=np.nan
        Stands for a score that does not exist because a class (a label or a column of
        `y_score`) has no true case: for the mean, or for that class. NaN comes with an
        `UndefinedMetricWarning`, any other number without.

    Returns
    -------
    score : float or ndarray of shape (n_classes,)
        Between 0 and 1; 1/2 for constant scores.

    See Also
    --------
    hand_till_score : The same with classes of the rest counted equally.
    hand_till_crisp_score : Variant "3" for crisp classifiers.
    sklearn.metrics.roc_auc_score : The same with ``multi_class="ovr"``, for probabilities.

    Notes
    -----
    "macro" is HT3 of [1]_ for soft classifiers, "weighted" is the average of [2]_. The cases
    of the other classes are pooled, so that the score depends on class frequencies even
    under "macro". Were the classes of the rest to count equally, "macro" would be Hand and
    Till's M exactly, and it is for classes of equal size. One sort and one pass for each
    column, O(K n log n) for n samples. Equal means equal floats.
    Columns are copied, in double precision, one at a time.

    References
    ----------
    .. [1] C. Ferri, J. Hernández-Orallo, M. A. Salido, "Volume under the ROC surface
       for multi-class problems", ECML 2003, section 5.5.
    .. [2] T. Fawcett, "Using rule sets to maximize ROC performance", ICDM 2001.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.model_selection import cross_val_predict
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from skvus.metrics import one_vs_rest_auc_score
    >>> X, y = load_wine(return_X_y=True)
    >>> proba = cross_val_predict(GaussianNB(), X[:, :2], y, method="predict_proba")
    >>> round(one_vs_rest_auc_score(y, proba), 6)
    0.878083
    >>> one_vs_rest_auc_score(y, proba, average=None).round(4)
    array([0.8812, 0.8998, 0.8532])
    """
    check_option("average", average, ("macro", "weighted", None))
    replacement = check_replacement(replace_undefined_by)
    problem = check_soft_problem(y_true, y_score, labels=labels, sample_weight=sample_weight)
    value = np.nan
    if problem.undefined is not None:
        value = undefined_score(problem.undefined, replacement)
        if average is not None:
            return value
    wins, losses = _wins_and_losses(problem)
    areas = _area(wins.sum(axis=1), losses.sum(axis=1))
    if average is None:
        areas[np.isnan(areas)] = value
        return areas
    weights = np.bincount(problem.codes, problem.weight) if average == "weighted" else None
    return float(np.average(areas, weights=weights))


def check_one_score(y_score):
    """Return one score for each case as a vector."""
    scores = as_score_array("y_score", y_score)
    if scores.ndim == 2 and scores.shape[1] == 1:
        scores = scores[:, 0]
    if scores.ndim != 1 or scores.size == 0:
        raise ValueError(
            "y_score must have shape (n_samples,), one score that ascends with the class, for "
            f"at least one sample; got {scores.shape}. Posteriors become one score as the "
            "expected rank, `y_score @ np.arange(n_classes)`."
        )
    return np.ascontiguousarray(scores, dtype=float)


def run_credits(ties, n_classes):
    """Credit of a run of 0, 1, ..., `n_classes` equal scores."""
    runs = np.arange(1.0, n_classes + 1)
    credits = {"share": np.cumprod(1.0 / runs), "strict": 1.0 * (runs == 1), "weak": runs**0}
    return np.append(1.0, credits[ties])


def area_shares(totals, average):
    """Factor of the area of class k against class j in a mean of areas.

    `average` is "pairs" for Hand and Till's M, or how areas against the rest are averaged.
    """
    n_classes = totals.size
    if average == "pairs":
        return np.full((n_classes, n_classes), 1.0 / (n_classes * (n_classes - 1)))
    rest = (1.0 - np.eye(n_classes)) @ totals  # no difference, which rounding could spoil
    own = (
        totals / totals.sum() if average == "weighted" else np.full_like(totals, 1 / n_classes)
    )
    return (own / rest)[:, np.newaxis] * totals


def columns_of(scores):
    """Yield a vector of scores for each class, as doubles: one column at a time is copied."""
    scores = one_column(scores)
    if scores.ndim == 1:
        scores = np.ascontiguousarray(scores, dtype=float)
        yield from (-scores, scores)
    else:
        for k in range(scores.shape[1]):
            yield np.ascontiguousarray(scores[:, k], dtype=float)


def _sorted(column, codes, weight):
    """Cases in ascending order of score, as the kernels take them."""
    order = np.argsort(column)
    return column[order], codes[order], weight[order]


def _wins_and_losses(problem):
    """Weight of the pairs that class k wins and loses against class j in column k."""
    from skvus._kernels.ranking import wins_and_losses

    n_classes = problem.n_classes
    wins, losses = np.zeros((2, n_classes, n_classes))
    if problem.codes is None:
        return wins, losses
    totals = np.bincount(problem.codes, problem.weight, minlength=n_classes)
    # products of two tiny weights must not vanish; a power of two changes no digit
    scales = np.ldexp(1.0, np.minimum(-np.frexp(totals)[1], 1000))
    for k, column in enumerate(columns_of(problem.scores)):
        wins[k], losses[k] = wins_and_losses(
            *_sorted(column, problem.codes, problem.weight), k, n_classes, scales[k]
        )
    return wins, losses


def directed_areas(problem):
    """Areas of class k against class j in column k; NaN on the diagonal."""
    return _area(*_wins_and_losses(problem))


def _area(wins, losses):
    """Share of wins, NaN where there is nothing to win."""
    with np.errstate(invalid="ignore"):
        return wins / (wins + losses)
