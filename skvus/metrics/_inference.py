"""How sure one can be of a score: standard errors and intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from skvus._typing import Distribution, Floats, InferenceMethod, Score, Seed
from skvus._validation import check_option, undefined_score
from skvus.metrics._estimation import estimate_scores
from skvus.metrics._intervals import (
    SCALES,
    ConfidenceInterval,
    check_level,
    decimals,
    percentile_interval,
    quantile,
    score_interval,
)

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, repr=False)
class InferenceResult:
    """A score, and how much it would vary with other cases.

    Made by `score_inference`.

    Parameters
    ----------
    score : float
        The score.
    standard_error : float
        Its standard error: how it varies from one set of cases to another, the error of
        drawing tuples included.
    score_name : str
        Which score it is.
    method : str
        "delong", "bootstrap" or "jackknife"; "undefined" where a class has no case.
    n_tuples : int
        Tuples, of one case from each class, that were counted or drawn; pairs of cases for
        "hand_till" and "one_vs_rest_auc"; 0 for scores that know neither.
    is_exact : bool
        Whether all of them were counted, and nothing integrated by sampling.
    sampling_error : float
        The part of `standard_error` that comes from drawing tuples, 0.0 where `is_exact`.
    n_independent : int
        Number of tuples without a case in common, which bounds a perfect score.
    bounds : tuple or None
        Smallest and largest value that the score can have, if known.
    degrees_of_freedom : float
        Satterthwaite's, for intervals that allow for small classes; infinite for a bootstrap
        of cases or of groups of one class.
    n_groups : int or None
        Number of groups, if there are any.
    replicates : ndarray of shape (n_resamples,) or None
        Scores of the drawn sets of cases, for the bootstrap.

    See Also
    --------
    score_inference : Makes it.

    Examples
    --------
    >>> from skvus.metrics import InferenceResult
    >>> result = InferenceResult(0.9, 0.02, "pdi", "delong", 27000, True, 0.0, 30)
    >>> result.confidence_interval(0.9)
    ConfidenceInterval(low=0.86..., high=0.92...)
    >>> print(result)
    pdi is 0.9 with a standard error of 0.02 (DeLong's method), 95% interval 0.853 to 0.933;
    all 27000 tuples were counted.
    """

    score: float
    standard_error: float
    score_name: str
    method: str
    n_tuples: int
    is_exact: bool
    sampling_error: float
    n_independent: int
    bounds: tuple[float, float] | None = (0.0, 1.0)
    degrees_of_freedom: float = np.inf
    n_groups: int | None = None
    replicates: Floats | None = field(default=None, compare=False)

    def confidence_interval(
        self,
        confidence_level: float = 0.95,
        scale: Literal["auto", "logit", "identity", "percentile"] = "auto",
        distribution: Distribution = "normal",
    ) -> ConfidenceInterval:
        """Limits between which the score of infinitely many cases lies, at this confidence.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Between 0 and 1.
        scale : {"auto", "logit", "identity", "percentile"}, default="auto"
            The scale on which the score is taken to be normal. The logit keeps the limits
            inside the range of the score and covers better near its ends; it needs to know
            that range. "identity" is Wald's interval, cut off at the range. "percentile"
            takes percentiles of the bootstrap, and needs one. "auto" is "logit" where the
            range is known, else "identity".
        distribution : {"normal", "t"}, default="normal"
            "t" takes quantiles of Student's distribution with `degrees_of_freedom`, which
            allows for classes of a few cases.

        Returns
        -------
        interval : ConfidenceInterval
            With `low` and `high`. A perfect score has an exact limit instead, from the
            number of tuples without a case in common.
        """
        level = check_level(confidence_level)
        check_option("scale", scale, SCALES)
        tail = (1.0 - level) / 2.0
        reach = quantile(tail, distribution, self.degrees_of_freedom)
        if scale == "percentile":
            if self.replicates is None:
                raise ValueError(
                    "scale='percentile' needs method='bootstrap'; this result is by "
                    f"{self.method!r}."
                )
            return percentile_interval(self.replicates, level)
        if scale == "logit" and self.bounds is None:
            raise ValueError(
                f"scale='logit' needs the range of {self.score_name}: give score_range, or "
                "use scale='identity'."
            )
        unsure = tail ** (1.0 / max(self.n_independent, 1))
        return score_interval(
            self.score, self.standard_error, reach, scale, self.bounds, unsure
        )

    def to_frame(self, confidence_level: float = 0.95) -> pd.DataFrame:
        """Make a table of one row, to be joined with others.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Of the limits in the columns "low" and "high".

        Returns
        -------
        frame : pandas.DataFrame
            Needs pandas.

        Examples
        --------
        >>> from skvus.metrics import InferenceResult
        >>> result = InferenceResult(0.9, 0.02, "pdi", "delong", 27000, True, 0.0, 30)
        >>> result.to_frame().columns[:4].tolist()
        ['score_name', 'score', 'standard_error', 'low']
        """
        import pandas as pd

        low, high = self.confidence_interval(confidence_level)
        row = {
            "score_name": self.score_name,
            "score": self.score,
            "standard_error": self.standard_error,
            "low": low,
            "high": high,
            "method": self.method,
            "n_tuples": self.n_tuples,
            "is_exact": self.is_exact,
            "sampling_error": self.sampling_error,
        }
        return pd.DataFrame([row])

    def __repr__(self) -> str:
        if self.method == "undefined":
            return f"{self.score_name} is undefined: a class has no case."
        how = {"delong": "DeLong's method"}.get(self.method, self.method)
        if self.n_groups is not None:
            how += f", {self.n_groups} groups"
        low, high = self.confidence_interval()
        places = decimals(self.standard_error)
        return (
            f"{self.score_name} is {self.score:.4g} with a standard error of "
            f"{self.standard_error:.2g} ({how}), 95% interval {low:.{places}f} to "
            f"{high:.{places}f}{self._how_counted()}."
        )

    def _how_counted(self):
        if not self.is_exact and self.n_tuples:
            error = f"with an error of {self.sampling_error:.2g}"
            return f"; {self.n_tuples} tuples were drawn, {error}"
        if not self.is_exact and self.sampling_error > 0.0:
            return f"; the volume was drawn, with an error of {self.sampling_error:.2g}"
        if self.n_tuples == 0:
            return ""
        kind = "pairs" if self.score_name in ("hand_till", "one_vs_rest_auc") else "tuples"
        return f"; all {self.n_tuples} {kind} were counted"


def score_inference(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    score: Score = "ordered_vus",
    method: InferenceMethod = "auto",
    n_resamples: int = 2000,
    groups: ArrayLike | None = None,
    score_params: dict[str, Any] | None = None,
    score_range: Sequence[float] | None = None,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    random_state: Seed = None,
    n_jobs: int | None = None,
    verbose: int = 0,
) -> InferenceResult:
    r"""Score with its standard error and confidence interval.

    The cases are a sample. With others, from the same source and as many of each class, the
    score would have come out somewhat differently. For a score that is a mean over tuples of
    one case from each class, the component of a case is the mean credit of the tuples with
    it, and [1]_ [2]_

    .. math:: \mathrm{Var} \approx \sum_c \frac{1}{n_c (n_c - 1)} \sum_{x \in c}
        \big(V_c(x) - \theta\big)^2

    with :math:`V_c(x)` the component of case x of class c, :math:`n_c` cases of class c and
    the score :math:`\theta`. All components come out of one count.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True labels.
    y_score : array-like of shape (n_samples, n_classes) or (n_samples,)
        What the score takes: scores for each class, one score for "ordinal_vus", predicted
        labels for crisp scores.
    score : str or callable, default="ordered_vus"
        A name of `get_scorer_names`, or a function of ``(y_true, y_score)`` that returns a
        number and, if `sample_weight` is given, takes it by that name. It is shown numpy
        arrays.
    method : {"auto", "delong", "bootstrap", "jackknife"}, default="auto"
        "delong" uses the components; for "ordered_vus", "simplified_vus", "angle_vus",
        "ordinal_vus", "pdi", "hand_till" and "one_vs_rest_auc". "bootstrap" draws cases with
        replacement, within each class; for any score. "jackknife" leaves out one case after
        the other; for any score. "auto" is "delong" where there are components and no groups,
        else "bootstrap".
    n_resamples : int, default=2000
        Number of bootstrap samples, at least 2.
    groups : array-like of shape (n_samples,), default=None
        Cases that belong together, such as several rows from one patient. Whole groups are
        then drawn, or left out; "delong" adds up their components [3]_. Where each group is
        of one class they are drawn within the classes, else among all groups, and drawn
        again if a class is missing.
    score_params : dict, default=None
        Further parameters of the score, such as ``{"distance": "sum"}``,
        ``{"ties": "strict"}``, ``{"method": "exact"}`` to count all tuples whatever it
        takes, or ``{"method": "sampled", "n_tuples": 10**6}``.
    score_range : tuple of two floats, default=None
        Smallest and largest value of a function, such as ``(-1, 1)`` for a correlation, for
        intervals on the logit scale and for what is said below of special cases. The ranges
        of the named scores are known.
    labels : array-like of shape (n_classes,), default=None
        The classes in the order of the columns. By default the sorted labels of `y_true`;
        for "ordinal_vus" the categories of an ordered pandas categorical. Not for functions.
    sample_weight : array-like of shape (n_samples,), default=None
        What a case stands for, such as the inverse of the probability with which it was
        sampled. Only ratios matter: a weight of two does not count as two cases, which would
        make the error smaller; repeat the rows for that.
    random_state : int, RandomState, Generator or None, default=None
        Used where cases or tuples are drawn. The same for any `n_jobs`.
    n_jobs : int or None, default=None
        Number of threads of a count, or of processes for bootstrap and jackknife.
    verbose : int, default=0
        Whether to show a progress bar (with tqdm) or lines, of bootstrap or jackknife.

    Returns
    -------
    result : InferenceResult
        With `score`, `standard_error`, `confidence_interval()` and how they were found. If a
        class has no case they are NaN, with an `UndefinedMetricWarning`.

    See Also
    --------
    compare_scores : Whether two classifiers differ.
    compare_many : Whether several do.
    permutation_test : Whether a score is better than chance.

    Notes
    -----
    The error is that of the cases that are scored. It knows nothing of how the classifier
    would vary with other training data.

    Components cost about twice as much as the score: 0.1 s for three classes of 2,000 cases
    each, O(n²); O(n log n) for scores by ranks. Where the score itself would draw tuples
    (three classes of more than 7,000 cases, four of more than 200; see
    `ordered_vus_score`), so does this; the noise that it brings into the components is
    taken out of their scatter, and the error of drawing is added to the standard error. A
    bootstrap takes `n_resamples` evaluations of the score, a jackknife one for each case or
    group (none for scores that are linear in each class, where without weights it equals
    "delong"); what would take hours raises. From a million cases without weights and groups
    on, a bootstrap of predicted labels draws the cells of the confusion matrix instead of the
    cases, which is the same in distribution and takes no longer for more cases.

    What comes out in special cases:

    - *A perfect score* has components without scatter and a standard error of 0. All of
      m = min :math:`n_c` tuples without a case in common were right, which happens with a
      probability of at most :math:`\theta^m`: the lower limit is
      :math:`(\alpha/2)^{1/m}`, on the logit and on the identity scale, and the upper one 1.
      Likewise for a score of 0.
    - *Constant scores* have the same score for any cases: the standard error is 0, the
      interval a point.
    - *One case in a class* says nothing about how cases of that class vary. The largest
      possible variance is taken, :math:`\theta (1 - \theta)`, with an
      `UndefinedMetricWarning`. For a few cases, less than about 15 in the class that matters
      most, intervals are too short unless they use ``distribution="t"``.
    - *Functions without* `score_range` have Wald's intervals, a point where nothing
      scatters, and one case in a class adds nothing to the error.
    - "one_vs_rest_auc" depends on how frequent the classes are; their frequencies are taken
      as given.

    References
    ----------
    .. [1] E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson, "Comparing the areas under two
       or more correlated receiver operating characteristic curves: a nonparametric
       approach", Biometrics 44, 1988.
    .. [2] C. T. Nakas, C. T. Yiannoutsos, "Ordered multiple-class ROC analysis with
       continuous measurements", Statistics in Medicine 23, 2004.
    .. [3] N. A. Obuchowski, "Nonparametric analysis of clustered ROC curve data",
       Biometrics 53, 1997.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import cross_val_predict
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from skvus.metrics import score_inference
    >>> X, y = load_iris(return_X_y=True)
    >>> proba = cross_val_predict(GaussianNB(), X, y, method="predict_proba")
    >>> result = score_inference(y, proba, score="ordered_vus")
    >>> round(result.score, 3), round(result.standard_error, 3)
    (0.982, 0.009)
    >>> result.confidence_interval()
    ConfidenceInterval(low=0.95..., high=0.99...)
    >>> score_inference(y, proba.argmax(axis=1), score="polytope_vus", random_state=0)
    polytope_vus is 0.8... with a standard error of 0.0... (bootstrap), 95% interval ...
    """
    statistic, sample, found = estimate_scores(
        y_true,
        [("y_score", y_score)],
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
        return InferenceResult(nan, nan, statistic.name, "undefined", 0, False, nan, 0)
    error, drawing = found.error([1.0])
    if not found.is_exact and found.n_tuples:
        # one tuple more or less: no scatter among few tuples is no proof of certainty
        error, drawing = (
            float(np.hypot(part, 1.0 / found.n_tuples)) for part in (error, drawing)
        )
    return InferenceResult(
        score=float(found.scores[0]),
        standard_error=error,
        score_name=statistic.name,
        method=found.method,
        n_tuples=found.n_tuples,
        is_exact=found.is_exact,
        sampling_error=drawing,
        n_independent=found.n_independent,
        bounds=found.bounds,
        degrees_of_freedom=found.degrees_of_freedom([1.0]),
        n_groups=found.n_groups,
        replicates=None if found.replicates is None else found.replicates[:, 0],
    )
