"""Whether a score is better than chance."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike
from sklearn.exceptions import UndefinedMetricWarning

from skvus._typing import Floats, Score, Seed
from skvus._validation import check_generator, check_option, undefined_score
from skvus.metrics._estimation import check_resampling
from skvus.metrics._methods import refuse_hours
from skvus.metrics._parallel import in_parallel, spans
from skvus.metrics._statistics import Sample, make_statistic
from skvus.metrics._units import check_groups

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, repr=False)
class PermutationResult:
    """A score, and scores of the same predictions for shuffled labels.

    Made by `permutation_test`.

    Parameters
    ----------
    score : float
        The score.
    pvalue : float
        Share of shuffles, the identity among them, that are as good.
    null_distribution : ndarray of shape (n_permutations,)
        Scores of the shuffles.
    score_name : str
        Which score it is.

    See Also
    --------
    permutation_test : Makes it.

    Examples
    --------
    >>> import numpy as np
    >>> from skvus.metrics import PermutationResult
    >>> PermutationResult(0.6, 0.25, np.array([0.4, 0.5, 0.6]), "pdi")
    pdi is 0.6, by chance 0.5 on average, 0.4 to 0.6 in 3 shuffles: p = 0.25.
    """

    score: float
    pvalue: float
    null_distribution: Floats = field(compare=False)
    score_name: str

    def to_frame(self) -> pd.DataFrame:
        """Make a table of one row, to be joined with others.

        Returns
        -------
        frame : pandas.DataFrame
            Needs pandas. The columns "by_chance", "by_chance_low" and "by_chance_high" are the
            mean, the least and the most of the shuffles.

        Examples
        --------
        >>> import numpy as np
        >>> from skvus.metrics import PermutationResult
        >>> result = PermutationResult(0.6, 0.25, np.array([0.4, 0.5, 0.6]), "pdi")
        >>> result.to_frame().columns[:4].tolist()
        ['score_name', 'score', 'pvalue', 'by_chance']
        """
        import pandas as pd

        chance = self.null_distribution
        row = {
            "score_name": self.score_name,
            "score": self.score,
            "pvalue": self.pvalue,
            "by_chance": chance.mean() if chance.size else np.nan,
            "by_chance_low": np.min(chance) if chance.size else np.nan,
            "by_chance_high": np.max(chance) if chance.size else np.nan,
            "n_permutations": chance.size,
        }
        return pd.DataFrame([row])

    def __repr__(self) -> str:
        if np.isnan(self.score):
            return f"{self.score_name} is undefined."
        chance = self.null_distribution
        return (
            f"{self.score_name} is {self.score:.4g}, by chance {chance.mean():.4g} on average, "
            f"{np.min(chance):.4g} to {np.max(chance):.4g} in {chance.size} shuffles: "
            f"p = {self.pvalue:.2g}."
        )


def permutation_test(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    score: Score = "ordered_vus",
    n_permutations: int = 1000,
    alternative: Literal["greater", "less"] = "greater",
    groups: ArrayLike | None = None,
    score_params: dict[str, Any] | None = None,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    random_state: Seed = None,
    n_jobs: int | None = None,
    verbose: int = 0,
) -> PermutationResult:
    r"""Test whether a score is better than chance.

    If predictions know nothing of the labels, any shuffle of them could have come up as well.
    The p-value is the share of shuffles, the one that did come up among them, that score at
    least as much:

    .. math:: p = \frac{1 + \#\{b : \theta_b \ge \theta\}}{1 + B}

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True labels.
    y_score : array-like of shape (n_samples, n_classes) or (n_samples,)
        Predictions: what the score takes.
    score : str or callable, default="ordered_vus"
        As in `score_inference`.
    n_permutations : int, default=1000
        Number of shuffles B, at least 2. The p-value is at least 1 / (B + 1).
    alternative : {"greater", "less"}, default="greater"
        "less" for a function that is the better the smaller it is: shuffles count that score
        at most as much.
    groups : array-like of shape (n_samples,), default=None
        Cases that belong together, such as several rows from one patient. If each group is
        of one class, labels are shuffled among groups; else within each group.
    score_params : dict, default=None
        Further parameters of the score.
    labels : array-like of shape (n_classes,), default=None
        The classes in the order of the columns. By default the sorted labels of `y_true`.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights of the samples, which go with their labels; with groups of one class each
        they must be equal within a group.
    random_state : int, RandomState, Generator or None, default=None
        Used to shuffle. The same for any `n_jobs`.
    n_jobs : int or None, default=None
        Number of processes.
    verbose : int, default=0
        Whether to show a progress bar (with tqdm) or lines.

    Returns
    -------
    result : PermutationResult
        With `score`, `pvalue` and `null_distribution`. If a class has no case they are NaN,
        with an `UndefinedMetricWarning`.

    See Also
    --------
    score_inference : How sure one can be of a score.
    sklearn.model_selection.permutation_test_score : Trains anew for each shuffle, and so
        tests whether there is anything to learn.

    Notes
    -----
    The predictions must come from cases that were not used for training. A time of
    `n_permutations` evaluations of the score; what would take hours raises. The test is
    exact: at level alpha it raises a false alarm with a probability of at most alpha, for any
    number of cases.

    References
    ----------
    .. [1] B. Phipson, G. K. Smyth, "Permutation p-values should never be zero", Statistical
       Applications in Genetics and Molecular Biology 9, 2010.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import cross_val_predict
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from skvus.metrics import permutation_test
    >>> X, y = load_iris(return_X_y=True)
    >>> proba = cross_val_predict(GaussianNB(), X, y, method="predict_proba")
    >>> permutation_test(y, proba, score="pdi", n_permutations=200, random_state=0)
    pdi is 0.98..., by chance 0.33... on average, 0.2... to 0.4... in 200 shuffles: p = 0.005.
    """
    statistic = make_statistic(score, score_params)
    check_option("alternative", alternative, ("greater", "less"))
    n_permutations = check_resampling("n_permutations", n_permutations, n_jobs, verbose)
    rng = check_generator(random_state)
    sample = statistic.check(
        y_true, [("y_score", y_score)], labels=labels, sample_weight=sample_weight
    )
    groups = check_groups(groups, sample.kept)
    if sample.undefined is not None:
        nan = undefined_score(sample.undefined, np.nan)
        chance = np.full(n_permutations, np.nan)
        return PermutationResult(nan, nan, chance, statistic.name)
    refuse_hours(statistic, sample, n_permutations, "n_permutations of at most {}")
    shuffle = _Shuffle(sample, groups)
    seed = int(rng.integers(2**31))
    value = statistic.point(sample, 0, seed).score
    blocks = [
        (statistic, sample, shuffle, rng.integers(2**63, size=4), range(start, stop))
        for start, stop in spans(n_permutations)
    ]
    chance = in_parallel(_shuffled_scores, blocks, n_jobs, verbose, "shuffles")
    sign = 1.0 if alternative == "greater" else -1.0
    # equal on paper may differ in the last bits; what is no number counts against the score
    finite = np.abs(chance[np.isfinite(chance)])
    typical = finite.mean() if finite.size else 0.0
    slack = 1e-12 * max(abs(value), typical) if np.isfinite(value) else 0.0
    as_good = ~(sign * chance < sign * value - slack)
    if np.isnan(value) or np.isnan(chance).any():
        warnings.warn(
            f"score is not a number here, or in {np.isnan(chance).sum()} of {n_permutations} "
            "shuffles, which count as if they were as good.",
            UndefinedMetricWarning,
            stacklevel=2,
        )
    pvalue = np.nan if np.isnan(value) else (1 + as_good.sum()) / (1 + n_permutations)
    return PermutationResult(float(value), float(pvalue), chance, statistic.name)


def _shuffled_scores(statistic, sample, shuffle, seed, wanted):
    rng = np.random.default_rng(seed)
    scores = np.empty(len(wanted))
    once = np.ones(sample.codes.size)
    for b in range(len(wanted)):
        codes, weight = shuffle(rng)
        shuffled = Sample(codes, sample.classes, weight, *sample[3:])
        inner = int(rng.integers(2**31))
        scores[b] = statistic.value(shuffled, sample.predictions[0], once, inner)
    return scores


class _Shuffle:
    """Labels and weights in another order that would have been as likely by chance."""

    def __init__(self, sample, groups):
        self.codes, self.weight, self.groups = sample.codes, sample.weight, groups
        self.among = None  # a case of each group, if labels are shuffled among groups
        if groups is None:
            return
        _, first = np.unique(groups, return_index=True)
        if (self.codes == self.codes[first][groups]).all():
            self.among = first
            if (self.weight != self.weight[first][groups]).any():
                raise ValueError(
                    "sample_weight must be equal within each group where labels are shuffled "
                    "among groups; got several weights in one group."
                )

    def __call__(self, rng):
        if self.among is not None:
            taken = rng.permutation(self.among)[self.groups]
        elif self.groups is None:
            taken = rng.permutation(self.codes.size)
        else:
            taken = np.empty(self.codes.size, dtype=np.int64)
            members = np.argsort(self.groups, kind="stable")
            taken[members] = np.lexsort((rng.random(self.codes.size), self.groups))
        return self.codes[taken], self.weight[taken]
