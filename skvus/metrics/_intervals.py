"""Confidence intervals of scores and of differences of scores."""

from typing import NamedTuple

import numpy as np
from scipy.special import expit, logit, ndtri

from skvus._validation import check_number

SCALES = ("logit", "identity", "percentile")


class ConfidenceInterval(NamedTuple):
    """Two limits, as in `scipy.stats`."""

    low: float
    high: float


def check_level(confidence_level):
    """Return a level between 0 and 1."""
    level = check_number("confidence_level", confidence_level)
    if not 0.0 < level < 1.0:
        raise ValueError(
            f"confidence_level must lie between 0 and 1, such as 0.95; got {level!r}."
        )
    return level


def score_interval(score, error, level, scale, largest, n_independent):
    """Interval of a score, normal on the logit or on its own scale.

    Parameters
    ----------
    score, error : float
    level : float
    scale : {"logit", "identity"}
    largest : float or None
        Largest value of the score; None if it has no known range.
    n_independent : int
        Number of tuples without a case in common. All of them were right where the score is
        perfect: a probability of theta has a chance of no more than ``theta ** n`` of that.
    """
    if np.isnan(score) or np.isnan(error):
        return ConfidenceInterval(np.nan, np.nan)
    z = -float(ndtri((1.0 - level) / 2.0))
    if largest is None:
        if scale == "identity":
            return ConfidenceInterval(score - z * error, score + z * error)
        if not 0.0 < score < 1.0:
            raise ValueError(
                "scale='logit' takes a score between 0 and 1; this one is "
                f"{score:.6g}. Use scale='identity'."
            )
    top = 1.0 if largest is None else largest
    unsure = ((1.0 - level) / 2.0) ** (1.0 / n_independent)
    if score >= top:
        return ConfidenceInterval(top * unsure, top)
    if score <= 0.0:
        return ConfidenceInterval(0.0, top * (1.0 - unsure))
    share, error = score / top, error / top
    if scale == "identity":
        low, high = max(0.0, share - z * error), min(1.0, share + z * error)
    elif error == 0.0:
        low, high = share, share
    else:
        reach = z * error / share / (1.0 - share)
        low, high = expit(logit(share) - reach), expit(logit(share) + reach)
    return ConfidenceInterval(float(top * low), float(top * high))


def percentile_interval(replicates, level):
    """Interval between percentiles of the scores of drawn cases."""
    tail = (1.0 - level) / 2.0
    low, high = np.quantile(replicates, [tail, 1.0 - tail])
    return ConfidenceInterval(float(low), float(high))


def difference_interval(difference, error, level, alternative, largest, n_independent):
    """Interval of a difference, with one end at infinity where the test has one side.

    Where nothing scatters, all of `n_independent` tuples differed by the same: a mean of
    `other` of numbers between -1 and 1 has a chance of no more than
    ``((1 + other) / (1 + difference)) ** n`` of that.
    """
    if np.isnan(difference) or np.isnan(error):
        return ConfidenceInterval(np.nan, np.nan)
    tail = (1.0 - level) / 2.0 if alternative == "two-sided" else 1.0 - level
    if error > 0.0 or largest is None:
        reach = -float(ndtri(tail)) * error
        low, high = difference - reach, difference + reach
    else:
        share = difference / largest
        unsure = tail ** (1.0 / n_independent)
        low, high = (1.0 + share) * unsure - 1.0, 1.0 - (1.0 - share) * unsure
        low, high = largest * low, largest * high
    bound = np.inf if largest is None else largest
    low = -bound if alternative == "less" else max(low, -bound)
    high = bound if alternative == "greater" else min(high, bound)
    return ConfidenceInterval(float(low), float(high))


def difference_pvalue(difference, error, alternative, largest, n_independent):
    """Value of the test that the difference is zero."""
    if np.isnan(difference) or np.isnan(error):
        return np.nan, np.nan
    sign = {"two-sided": 0, "greater": 1, "less": -1}[alternative]
    from scipy.special import ndtr

    if error > 0.0:
        statistic = difference / error
        tail = ndtr(-abs(statistic)) * 2.0 if sign == 0 else ndtr(-sign * statistic)
        return float(statistic), float(tail)
    if difference == 0.0:
        return 0.0, 1.0
    statistic = float(np.copysign(np.inf, difference))
    share = abs(difference) / (1.0 if largest is None else largest)
    tail = (1.0 + share) ** (-float(n_independent))
    if sign == 0:
        return statistic, min(1.0, 2.0 * tail)
    return statistic, tail if sign * difference > 0.0 else 1.0
