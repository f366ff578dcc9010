"""Whether posteriors can be taken at their word."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.stats import chi2

from skvus._typing import Floats, Ints, Labels
from skvus.metrics._comparison_results import holm
from skvus.metrics._intervals import show_pvalue

if TYPE_CHECKING:
    import pandas as pd

# A class is suspect if chance is not a likely excuse and the error is large enough to matter.
SIGNIFICANCE = 0.01
LARGE_ERROR = 0.02
# The same for a rare class, as a share of its frequency: high costs rest on small posteriors.
LARGE_SHARE = 0.1
# Predicted variance of a bin, in cases: with less, chi-square is no good approximation.
_BIN_VARIANCE = 2.0
# Variance that is granted to every bin, in squared weights of a case: a few surprises among
# posteriors that were rounded to 0 or 1 prove nothing.
_LEAST_VARIANCE = 1.0
# Cases of less than this share of the largest weight count for nothing: squares would vanish.
_LEAST_WEIGHT = 1e-70
# Share of the error that must have one sign to be called "too high" or "too low".
_ONE_SIDED = 0.75
# How far from 1 a slope must be to tell confidence.
_SLANTED = 0.05


@dataclass(frozen=True, repr=False, eq=False)
class CalibrationReport:
    r"""Whether the posteriors of each class agree with what came true.

    Made by `CostMatrixClassifier.calibration`. Each class is seen against all others. Cases
    are sorted by their posterior p and put into bins of about equal predicted variance
    :math:`V_b = \sum p (1 - p)`, in which :math:`O_b` cases of the class were observed where
    :math:`E_b = \sum p` were expected:

    .. math::

        \text{error} = \frac{1}{n} \sum_b |O_b - E_b|, \qquad
        \chi^2 = \sum_b \frac{(O_b - E_b)^2}{\max(V_b, 1)}

    Parameters
    ----------
    classes : ndarray of shape (n_classes,)
        The classes.
    n_cases : int
        Number of cases with a positive weight.
    predicted : ndarray of shape (n_classes,)
        Mean posterior of each class.
    observed : ndarray of shape (n_classes,)
        Frequency of each class.
    error : ndarray of shape (n_classes,)
        Expected calibration error, the mean gap of the bins.
    slope : ndarray of shape (n_classes,)
        Slope of the straight line by which the posterior predicts the class best: 1 if
        calibrated, less if over-confident, more if under-confident. NaN if all posteriors
        are the same.
    statistic : ndarray of shape (n_classes,)
        Chi-square.
    degrees_of_freedom : ndarray of shape (n_classes,)
        Number of bins. None is lost: the cases have had no part in the fit.
    pvalue : ndarray of shape (n_classes,)
        Probability of such a chi-square if the posteriors are right.
    is_before_priors : bool, default=False
        Whether the posteriors are those from before an adjustment to other priors.

    See Also
    --------
    CostMatrixClassifier : Its method `calibration` makes it.

    Notes
    -----
    A class is suspect if its p-value, adjusted for the number of classes by Holm's method, is
    below 0.01 **and** its error exceeds 0.02, or a tenth of the frequency of a class for
    which that is less. The error alone would not do: calibrated posteriors have one, too, of
    the order of :math:`\sqrt{B \bar v / n}` for B bins and a mean variance :math:`\bar v`.
    Nor would the p-value: among many cases, no model is right. A report without suspects is
    no proof of calibration, least of all one of few cases. Of calibrated posteriors, about
    one report in a hundred has a suspect, in simulations; up to four for tens of classes with
    ten cases each, where chi-square is a poor approximation.

    The bins are those of Hosmer and Lemeshow [1]_, who have equal numbers of cases; but most
    cases may have posteriors next to 0 and 1, and say little. They never reach across
    p = 1/2, where over-confidence on one side would cancel that on the other, and cases with
    equal posteriors share a bin, so that the order of cases does not matter. There are fewer
    bins than asked for if they would hold a variance of less than 2. The variance of at
    least 1 is for posteriors of 0 and 1, which are taken for rounded: a single surprise does
    not refute them, four do. The error is that of Naeini et al. [2]_ for one class against
    the rest [3]_, over these bins. Spiegelhalter's test [4]_ is the one with a single degree
    of freedom.

    Weighted cases count for :math:`O_b = \sum w o`, :math:`E_b = \sum w p` and
    :math:`V_b = \sum w^2 p (1 - p)`: a case of weight 2 is one case that matters twice, not
    two cases. What is 1 and 2 above is so many times :math:`(\sum w^2 / \sum w)^2`, the
    square of the weight of a typical unit. The scale of the weights does not matter.

    References
    ----------
    .. [1] D. W. Hosmer, S. Lemeshow, R. X. Sturdivant, "Applied Logistic Regression", 3rd
       edition, Wiley 2013, section 5.2.
    .. [2] M. P. Naeini, G. F. Cooper, M. Hauskrecht, "Obtaining Well Calibrated
       Probabilities Using Bayesian Binning", AAAI 2015.
    .. [3] M. Kull et al., "Beyond temperature scaling: Obtaining well-calibrated multi-class
       probabilities with Dirichlet calibration", NeurIPS 2019.
    .. [4] D. J. Spiegelhalter, "Probabilistic prediction in patient management and clinical
       trials", Statistics in Medicine 5, 1986.

    Examples
    --------
    >>> import numpy as np
    >>> from skvus.classifiers import CalibrationReport
    >>> CalibrationReport(
    ...     classes=np.array(["ill", "well"]),
    ...     n_cases=500,
    ...     predicted=np.array([0.21, 0.79]),
    ...     observed=np.array([0.2, 0.8]),
    ...     error=np.array([0.08, 0.08]),
    ...     slope=np.array([0.7, 0.7]),
    ...     statistic=np.array([49.5, 49.5]),
    ...     degrees_of_freedom=np.array([10, 10]),
    ...     pvalue=np.array([3.3e-7, 3.3e-7]),
    ... )
    Calibration of the posteriors of 2 classes on 500 cases
    class  predicted  observed   error  slope  chi2  df        p  p (Holm)
      ill     0.2100    0.2000  0.0800   0.70  49.5  10  3.3e-07   6.6e-07
     well     0.7900    0.8000  0.0800   0.70  49.5  10  3.3e-07   6.6e-07
    Badly calibrated: ill, well over-confident (too close to 0 and 1).
    sklearn.calibration.CalibratedClassifierCV may help.
    """

    classes: Labels
    n_cases: int
    predicted: Floats
    observed: Floats
    error: Floats
    slope: Floats
    statistic: Floats
    degrees_of_freedom: Ints
    pvalue: Floats
    is_before_priors: bool = False

    @property
    def adjusted_pvalue(self) -> Floats:
        """The p-values after Holm's adjustment for the number of classes."""
        return holm(self.pvalue)

    @property
    def suspects(self) -> list[Any]:
        """Labels of the classes whose posteriors look badly calibrated."""
        return self.classes[self._suspicion()].tolist()

    @property
    def is_suspect(self) -> bool:
        """Whether some class looks badly calibrated."""
        return bool(self._suspicion().any())

    def to_frame(self) -> pd.DataFrame:
        """Make a table with a row for each class.

        Returns
        -------
        frame : pandas.DataFrame
            Needs pandas.

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> from sklearn.naive_bayes import GaussianNB
        >>> from skvus.classifiers import CostMatrixClassifier
        >>> X, y = load_iris(return_X_y=True)
        >>> model = CostMatrixClassifier(GaussianNB()).fit(X[::2], y[::2])
        >>> model.calibration(X[1::2], y[1::2]).to_frame().columns[:4].tolist()
        ['predicted', 'observed', 'error', 'slope']
        """
        import pandas as pd

        names = ["predicted", "observed", "error", "slope", "statistic", "degrees_of_freedom"]
        columns = {name: getattr(self, name) for name in [*names, "pvalue", "adjusted_pvalue"]}
        index = pd.Index(self.classes, name="class")
        return pd.DataFrame({**columns, "is_suspect": self._suspicion()}, index=index)

    def _suspicion(self):
        frequency = np.maximum(self.predicted, self.observed)
        large = np.minimum(LARGE_ERROR, LARGE_SHARE * frequency)
        return (self.adjusted_pvalue < SIGNIFICANCE) & (self.error > large)

    def _fault(self, k):
        """What is wrong with the posteriors of a class, in words."""
        bias = self.predicted[k] - self.observed[k]
        if abs(bias) > _ONE_SIDED * self.error[k]:
            return "too high" if bias > 0.0 else "too low"
        if abs(self.slope[k] - 1.0) < _SLANTED:
            return "too high here and too low there"
        if self.slope[k] < 1.0:
            return "over-confident (too close to 0 and 1)"
        return "under-confident (too far from 0 and 1)"

    def _verdict(self):
        if not self.is_suspect:
            return "No class looks badly calibrated on these cases."
        faults: dict[str, list[str]] = {}
        for k in np.flatnonzero(self._suspicion()):
            faults.setdefault(self._fault(k), []).append(str(self.classes[k]))
        listed = "; ".join(f"{', '.join(names)} {fault}" for fault, names in faults.items())
        return (
            f"Badly calibrated: {listed}.\nsklearn.calibration.CalibratedClassifierCV may help."
        )

    def __repr__(self) -> str:
        cells = [
            ["class", "predicted", "observed", "error", "slope", "chi2", "df", "p"]
            + ["p (Holm)"],
            *(
                [
                    str(label),
                    f"{self.predicted[k]:.4f}",
                    f"{self.observed[k]:.4f}",
                    f"{self.error[k]:.4f}",
                    f"{self.slope[k]:.2f}",
                    f"{self.statistic[k]:.3g}",
                    str(self.degrees_of_freedom[k]),
                    show_pvalue(self.pvalue[k]),
                    show_pvalue(self.adjusted_pvalue[k]),
                ]
                for k, label in enumerate(self.classes)
            ),
        ]
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        lines = ["  ".join(map(str.rjust, line, widths)) for line in cells]
        before = " (before the adjustment to priors)" * self.is_before_priors
        title = (
            f"Calibration of the posteriors{before} of {len(self.classes)} classes on "
            f"{self.n_cases} case{'s' * (self.n_cases != 1)}"
        )
        return "\n".join([title, *lines, self._verdict()])


def calibration_report(codes, proba, weight, classes, *, n_bins, is_before_priors=False):
    """Compare posteriors with what came true.

    O(Q · n log n) steps.

    Parameters
    ----------
    codes : ndarray of int, shape (n,)
        Places of the true classes in `classes`.
    proba : ndarray of shape (n, Q)
        Posteriors, in the order of `classes`.
    weight : ndarray of shape (n,)
        Non-negative weights of the cases, at least one of them positive.
    classes : ndarray of shape (Q,)
        The classes.
    n_bins : int
        Most bins for a class, at least 2.
    is_before_priors : bool
        Passed on to the report.

    Returns
    -------
    report : CalibrationReport
    """
    counts = weight > _LEAST_WEIGHT * weight.max()
    codes, proba, weight = codes[counts], np.clip(proba[counts], 0.0, 1.0), weight[counts]
    rows = [
        _one_against_rest(codes == k, proba[:, k], weight, n_bins) for k in range(classes.size)
    ]
    columns = {name: np.array([row[name] for row in rows]) for name in rows[0]}
    return CalibrationReport(
        classes=classes,
        n_cases=codes.size,
        **columns,
        pvalue=chi2.sf(columns["statistic"], columns["degrees_of_freedom"]),
        is_before_priors=is_before_priors,
    )


def _one_against_rest(is_class, posterior, weight, n_bins):
    """A line of the report, before p-values."""
    values, which = np.unique(posterior, return_inverse=True)
    total = weight.sum()
    weights = np.bincount(which, weight)
    squares = np.bincount(which, weight**2)
    surplus = np.bincount(which, weight * is_class) - weights * values
    predicted = weights @ values / total
    spread = weights @ (values - predicted) ** 2
    # what is left of the surplus to predict is what the slope lacks
    slope = 1.0 + surplus @ (values - predicted) / spread if values.size > 1 else np.nan

    variance = squares * values * (1.0 - values)
    bins = _bins(values, variance, weights, squares, n_bins)
    gaps = np.abs(np.bincount(bins, surplus))
    granted = _LEAST_VARIANCE * _unit(np.bincount(bins, squares), np.bincount(bins, weights))
    used = np.maximum(np.bincount(bins, variance), granted)
    return {
        "predicted": predicted,
        "observed": weight @ is_class / total,
        "error": gaps.sum() / total,
        "slope": slope,
        "statistic": (gaps**2 / used).sum(),
        "degrees_of_freedom": gaps.size,
    }


def _bins(values, variance, weights, squares, n_bins):
    """The bin of each of the sorted values, upwards without a gap, and none across 1/2."""
    half = np.searchsorted(values, 0.5, side="right")
    total = variance.sum()
    share = variance[:half].sum() / total if total > 0.0 else 0.5
    below = min(max(round(share * n_bins), 1), n_bins - 1) if half < values.size else n_bins
    numbers = [below, n_bins - below] if half > 0 else [0, n_bins]
    bins = [np.empty(0, dtype=np.int64)]
    for part, number in zip([slice(0, half), slice(half, None)], numbers, strict=True):
        if number > 0:
            unit = _unit(squares[part].sum(), weights[part].sum())
            most = variance[part].sum() / (_BIN_VARIANCE * unit)
            bins.append(len(bins) * n_bins + _parts(variance[part], min(number, int(most))))
    return np.unique(np.concatenate(bins), return_inverse=True)[1]


def _parts(variance, number):
    """Cut a sequence into parts of about equal variance, at most `number` and at least one."""
    total = variance.sum()
    if number < 2 or total == 0.0:
        return np.zeros(variance.size, dtype=np.int64)
    # by the middle of what each holds, so that the last stays within
    middle = np.cumsum(variance) - variance / 2.0
    return np.minimum((number * (middle / total)).astype(np.int64), number - 1)


def _unit(squares, weights):
    """Square of the weight of a typical unit, from sums of squares and of weights."""
    return (squares / weights) ** 2
