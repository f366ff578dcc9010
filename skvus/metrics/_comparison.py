"""Paired tests: whether classifiers that were scored on the same cases differ."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from skvus._typing import Alternative, HasArray, InferenceMethod, Score, Seed
from skvus._validation import check_option, undefined_score
from skvus.metrics._comparison_results import ComparisonResult, ComparisonTable
from skvus.metrics._estimation import estimate_scores
from skvus.metrics._intervals import difference_pvalue

ALTERNATIVES = ("two-sided", "less", "greater")


def compare_scores(
    y_true: ArrayLike,
    y_score_a: ArrayLike,
    y_score_b: ArrayLike,
    *,
    score: Score = "ordered_vus",
    method: InferenceMethod = "auto",
    alternative: Alternative = "two-sided",
    n_resamples: int = 2000,
    groups: ArrayLike | None = None,
    score_params: dict[str, Any] | None = None,
    score_range: Sequence[float] | None = None,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    random_state: Seed = None,
    n_jobs: int | None = None,
    verbose: int = 0,
) -> ComparisonResult:
    r"""Test whether two classifiers differ that were scored on the same cases.

    .. math:: z = \frac{\theta_A - \theta_B}
        {\sqrt{\mathrm{Var}_A + \mathrm{Var}_B - 2\, \mathrm{Cov}_{AB}}}, \qquad
        \mathrm{Cov}_{AB} = \sum_c \frac{1}{n_c (n_c - 1)} \sum_{x \in c}
        \big(V^A_c(x) - \theta_A\big) \big(V^B_c(x) - \theta_B\big)

    with the scores :math:`\theta` and the components V of `score_inference`. A case that is
    hard for both classifiers does not speak for either of them, so the paired test sees
    smaller differences than one that compares two intervals.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True labels.
    y_score_a : array-like of shape (n_samples, n_classes) or (n_samples,)
        Predictions of the first classifier: what the score takes.
    y_score_b : array-like of shape (n_samples, n_classes) or (n_samples,)
        Predictions of the second classifier on the same cases.
    score : str or callable, default="ordered_vus"
        As in `score_inference`.
    method : {"auto", "delong", "bootstrap", "jackknife"}, default="auto"
        As in `score_inference`; the same cases are drawn or left out for both.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        Whether the first score differs from, is less than, or is greater than the second.
    n_resamples : int, default=2000
        Number of bootstrap samples, at least 2.
    groups : array-like of shape (n_samples,), default=None
        Cases that belong together, as in `score_inference`.
    score_params : dict, default=None
        Further parameters of the score.
    score_range : tuple of two floats, default=None
        Smallest and largest value of a function, as in `score_inference`.
    labels : array-like of shape (n_classes,), default=None
        The classes in the order of the columns. By default the sorted labels of `y_true`.
    sample_weight : array-like of shape (n_samples,), default=None
        What a case stands for, as in `score_inference`.
    random_state : int, RandomState, Generator or None, default=None
        Used where cases or tuples are drawn. The same for any `n_jobs`.
    n_jobs : int or None, default=None
        Number of threads of a count, or of processes for bootstrap and jackknife.
    verbose : int, default=0
        Whether to show a progress bar (with tqdm) or lines, of bootstrap or jackknife.

    Returns
    -------
    result : ComparisonResult
        With `difference`, `standard_error`, `statistic`, `pvalue` and
        `confidence_interval()`. If a class has no case they are NaN, with an
        `UndefinedMetricWarning`.

    See Also
    --------
    compare_many : More than two classifiers.
    score_inference : One classifier, and what is said there about complexity.

    Notes
    -----
    For two classes and any score but the crisp ones it is DeLong's test [1]_. Where tuples
    are drawn, they are the same for both classifiers, so that most of the error of drawing
    cancels.

    If nothing scatters, the normal approximation has nothing to say. Classifiers that treat
    every case alike (a classifier and itself) have p = 1. Perfect ones have too, but an
    interval that is as wide as m = min :math:`n_c` tuples without a case in common allow. If
    all tuples differ by the same :math:`\delta` (a perfect classifier against a constant
    one), then :math:`p = 2 (1 + |\delta|)^{-m}`, the largest chance of that for a mean
    difference of zero; for functions without `score_range`, :math:`\delta` is taken for 1, as
    if each tuple had tossed a coin.

    Differences are taken for normal as they are. Volumes of many classes are tiny and their
    differences skewed: compare them with more cases, or by `hand_till` and the like.

    References
    ----------
    .. [1] E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson, "Comparing the areas under two
       or more correlated receiver operating characteristic curves: a nonparametric
       approach", Biometrics 44, 1988.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.model_selection import cross_val_predict
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from skvus.metrics import compare_scores
    >>> X, y = load_wine(return_X_y=True)
    >>> bayes, tree = (
    ...     cross_val_predict(model, X[:, :4], y, method="predict_proba")
    ...     for model in (GaussianNB(), DecisionTreeClassifier(random_state=0))
    ... )
    >>> compare_scores(y, bayes, tree, score="pdi")
    pdi ... against ...: the difference of ... has a standard error of ... (DeLong's method),
    z = ..., p = ...
    """
    check_option("alternative", alternative, ALTERNATIVES)
    statistic, sample, found = estimate_scores(
        y_true,
        [("y_score_a", y_score_a), ("y_score_b", y_score_b)],
        score=score,
        method=method,
        n_resamples=n_resamples,
        groups=groups,
        score_params=score_params,
        score_range=score_range,
        labels=labels,
        sample_weight=sample_weight,
        random_state=random_state,
        n_jobs=n_jobs,
        verbose=verbose,
    )
    if found is None:
        nan = undefined_score(sample.undefined, np.nan)
        return _undefined_comparison(statistic, alternative, nan)
    return _compare(statistic, sample, found, 0, 1, alternative)


def compare_many(
    y_true: ArrayLike,
    y_scores: Mapping[Any, ArrayLike] | Sequence[ArrayLike] | HasArray,
    *,
    score: Score = "ordered_vus",
    reference: Any = None,
    method: InferenceMethod = "auto",
    alternative: Alternative = "two-sided",
    n_resamples: int = 2000,
    groups: ArrayLike | None = None,
    score_params: dict[str, Any] | None = None,
    score_range: Sequence[float] | None = None,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    random_state: Seed = None,
    n_jobs: int | None = None,
    verbose: int = 0,
) -> ComparisonTable:
    """Compare several classifiers on the same cases, pair by pair.

    Holm's step-down correction keeps the probability of any false alarm at the level of the
    test: of k p-values the smallest is multiplied by k, the next by k - 1, and so on.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True labels.
    y_scores : dict, DataFrame or sequence of array-likes
        Predictions of each classifier, by name, or in a list that is numbered from 0. Where
        a prediction is one column (markers for "ordinal_vus", labels for crisp scores), also
        a data frame of them.
    score : str or callable, default="ordered_vus"
        As in `score_inference`.
    reference : object, default=None
        Name of a classifier that all others are compared with; by default all pairs are.
    method : {"auto", "delong", "bootstrap", "jackknife"}, default="auto"
        As in `score_inference`.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        Whether the first score of a pair differs from, is less than, or is greater than the
        second. With a `reference`, that is the second.
    n_resamples : int, default=2000
        Number of bootstrap samples, at least 2.
    groups : array-like of shape (n_samples,), default=None
        Cases that belong together, as in `score_inference`.
    score_params : dict, default=None
        Further parameters of the score.
    score_range : tuple of two floats, default=None
        Smallest and largest value of a function, as in `score_inference`.
    labels : array-like of shape (n_classes,), default=None
        The classes in the order of the columns. By default the sorted labels of `y_true`.
    sample_weight : array-like of shape (n_samples,), default=None
        What a case stands for, as in `score_inference`.
    random_state : int, RandomState, Generator or None, default=None
        Used where cases or tuples are drawn. The same for any `n_jobs`.
    n_jobs : int or None, default=None
        Number of threads of a count, or of processes for bootstrap and jackknife.
    verbose : int, default=0
        Whether to show a progress bar (with tqdm) or lines, of bootstrap or jackknife.

    Returns
    -------
    table : ComparisonTable
        A row for each pair; ``table.to_frame()`` makes a pandas table of it.

    See Also
    --------
    compare_scores : Two classifiers, with what is said there about special cases.
    score_inference : One classifier.
    permutation_test : A classifier against chance.

    Notes
    -----
    Components are computed once for each classifier, so that k classifiers take k times as
    long as one, not k² times.

    References
    ----------
    .. [1] S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian
       Journal of Statistics 6, 1979.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.model_selection import cross_val_predict
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from skvus.metrics import compare_many
    >>> X, y = load_wine(return_X_y=True)
    >>> models = {
    ...     "bayes": GaussianNB(),
    ...     "logistic": LogisticRegression(max_iter=10_000),
    ...     "stump": DecisionTreeClassifier(max_depth=1),
    ... }
    >>> y_scores = {
    ...     name: cross_val_predict(model, X[:, :4], y, method="predict_proba")
    ...     for name, model in models.items()
    ... }
    >>> table = compare_many(y, y_scores, score="hand_till")
    >>> [(row.first, row.second, row.adjusted_pvalue < 0.05) for row in table]
    [('bayes', 'logistic', True), ('bayes', 'stump', True), ('logistic', 'stump', True)]
    """
    check_option("alternative", alternative, ALTERNATIVES)
    predictions = _check_many(y_scores)
    names = list(predictions)
    pairs = _pairs(names, reference)
    statistic, sample, found = estimate_scores(
        y_true,
        [(f"y_scores[{name!r}]", rows) for name, rows in predictions.items()],
        score=score,
        method=method,
        n_resamples=n_resamples,
        groups=groups,
        score_params=score_params,
        score_range=score_range,
        labels=labels,
        sample_weight=sample_weight,
        random_state=random_state,
        n_jobs=n_jobs,
        verbose=verbose,
    )
    if found is None:
        nan = undefined_score(sample.undefined, np.nan)
        results = {pair: _undefined_comparison(statistic, alternative, nan) for pair in pairs}
        return ComparisonTable(names, [nan] * len(names), [nan] * len(names), results)
    results = {
        (one, other): _compare(
            statistic, sample, found, names.index(one), names.index(other), alternative
        )
        for one, other in pairs
    }
    errors = [found.error(row)[0] for row in np.eye(len(names))]
    return ComparisonTable(names, found.scores, errors, results)


def _check_many(y_scores):
    if hasattr(y_scores, "items"):  # a dict, or a data frame with a column a classifier
        predictions = dict(y_scores.items())
    elif isinstance(y_scores, (list, tuple)) or getattr(y_scores, "ndim", 0) == 3:
        predictions = dict(enumerate(y_scores))
    else:
        raise ValueError(
            "y_scores must be a dict of predictions by name, or a list of them; got "
            f"{type(y_scores).__name__}."
        )
    if len(predictions) < 2:
        raise ValueError(
            f"y_scores must hold at least two classifiers; got {len(predictions)}."
        )
    return predictions


def _pairs(names, reference):
    if reference is None:
        return list(combinations(names, 2))
    # True is no name for 1, nor is an array, whatever it is equal to
    is_name = isinstance(reference, Hashable) and not isinstance(reference, bool)
    try:
        found = [n for n in names if n is reference or (is_name and n == reference)]
    except TypeError:  # pandas.NA is equal to nothing, and not unequal either
        found = []
    if not found:
        raise ValueError(
            f"reference must be one of {', '.join(map(repr, names))}; got {reference!r}."
        )
    return [(name, found[0]) for name in names if name is not found[0]]


def _compare(statistic, sample, found, a, b, alternative):
    """Result of the test of one pair."""
    contrast = np.zeros(found.scores.size)
    contrast[a], contrast[b] = 1.0, -1.0
    difference = found.difference(contrast)
    error, drawing = found.error(contrast)
    span = np.inf if found.bounds is None else found.bounds[1] - found.bounds[0]
    n_independent = found.n_independent
    if np.array_equal(sample.predictions[a], sample.predictions[b]):
        difference = error = drawing = 0.0
        n_independent = np.inf  # nothing can tell them apart
    elif error == 0.0 == difference and not _is_extreme(found.scores[a], found.bounds):
        n_independent = np.inf  # they treat all cases alike, and not all of them well
    statistic_value, pvalue = difference_pvalue(
        difference, error, alternative, span, n_independent
    )
    return ComparisonResult(
        difference=difference,
        standard_error=error,
        statistic=statistic_value,
        pvalue=pvalue,
        scores=(float(found.scores[a]), float(found.scores[b])),
        alternative=alternative,
        score_name=statistic.name,
        method=found.method,
        is_exact=found.is_exact,
        sampling_error=drawing,
        n_independent=n_independent,
        span=span,
        degrees_of_freedom=found.degrees_of_freedom(contrast),
        replicates=_differences(found.replicates, a, b),
    )


def _differences(replicates, a, b):
    if replicates is None:
        return None
    with np.errstate(invalid="ignore"):
        return replicates[:, a] - replicates[:, b]


def _is_extreme(score, bounds):
    return bounds is not None and not bounds[0] < score < bounds[1]


def _undefined_comparison(statistic, alternative, nan):
    scores = (nan, nan)
    how = (alternative, statistic.name, "undefined", False, nan, 0)
    return ComparisonResult(nan, nan, nan, nan, scores, *how)
