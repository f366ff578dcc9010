"""Confidence intervals of scores and of differences of scores."""

from typing import NamedTuple

import numpy as np
from scipy.special import expit, logit, ndtr, ndtri, stdtrit

from skvus._validation import check_number, check_option

SCALES = ("auto", "logit", "identity", "percentile")
DISTRIBUTIONS = ("normal", "t")


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


def quantile(tail, distribution, degrees_of_freedom):
    """How many standard errors leave `tail` beyond them."""
    check_option("distribution", distribution, DISTRIBUTIONS)
    if distribution == "normal" or np.isinf(degrees_of_freedom):
        return -float(ndtri(tail))
    return -float(stdtrit(degrees_of_freedom, tail))


def score_interval(score, error, reach, scale, bounds, unsure):
    """Interval of a score, on the logit or on its own scale.

    Parameters
    ----------
    score, error : float
    reach : float
        Number of standard errors to each side.
    scale : {"logit", "identity"}
    bounds : tuple or None
        Smallest and largest value of the score, if known.
    unsure : float
        Share of the range up to which a perfect score does not speak against the truth.
    """
    if np.isnan(score) or np.isnan(error):
        return ConfidenceInterval(np.nan, np.nan)
    if bounds is None:
        return ConfidenceInterval(score - reach * error, score + reach * error)
    bottom, top = bounds
    span = top - bottom
    share, error = (score - bottom) / span, error / span
    if share >= 1.0:
        low, high = unsure, 1.0
    elif share <= 0.0:
        low, high = 0.0, 1.0 - unsure
    elif scale == "identity":
        low, high = max(0.0, share - reach * error), min(1.0, share + reach * error)
    elif error == 0.0:
        low, high = share, share
    else:
        away = reach * error / share / (1.0 - share)
        low, high = expit(logit(share) - away), expit(logit(share) + away)
    return ConfidenceInterval(float(bottom + span * low), float(bottom + span * high))


def percentile_interval(replicates, level, alternative="two-sided", bound=np.inf):
    """Interval between percentiles of the scores of drawn cases."""
    tail = (1.0 - level) / 2.0 if alternative == "two-sided" else 1.0 - level
    low, high = np.quantile(replicates, [tail, 1.0 - tail])
    low = -bound if alternative == "less" else low
    high = bound if alternative == "greater" else high
    return ConfidenceInterval(float(low), float(high))


def difference_interval(difference, error, reach, tail, alternative, span, n_independent):
    """Interval of a difference, with one end open where the test has one side.

    Where nothing scatters, all of `n_independent` tuples differed by the same: a mean of
    `other` of numbers between -1 and 1 has a chance of no more than
    ``((1 + other) / (1 + difference)) ** n`` of that. `span` is the range of the score, or
    infinity.
    """
    if np.isnan(difference) or np.isnan(error):
        return ConfidenceInterval(np.nan, np.nan)
    if error > 0.0 or np.isinf(span):
        low, high = difference - reach * error, difference + reach * error
    else:
        share = difference / span
        unsure = tail ** (1.0 / n_independent)
        low, high = span * ((1.0 + share) * unsure - 1.0), span * (1.0 - (1.0 - share) * unsure)
    low = -span if alternative == "less" else max(low, -span)
    high = span if alternative == "greater" else min(high, span)
    return ConfidenceInterval(float(low), float(high))


def difference_pvalue(difference, error, alternative, span, n_independent):
    """Ratio of a difference to its error, and the value of the test that it is zero."""
    if np.isnan(difference) or np.isnan(error):
        return np.nan, np.nan
    sign = {"two-sided": 0, "greater": 1, "less": -1}[alternative]
    if error > 0.0:
        statistic = difference / error
        tail = ndtr(-abs(statistic)) * 2.0 if sign == 0 else ndtr(-sign * statistic)
        return float(statistic), float(tail)
    if difference == 0.0:
        return 0.0, 1.0
    statistic = float(np.copysign(np.inf, difference))
    # without a range each tuple might favour either classifier with a chance of one half
    share = 1.0 if np.isinf(span) else abs(difference) / span
    tail = (1.0 + share) ** (-float(n_independent))
    if sign == 0:
        return statistic, min(1.0, 2.0 * tail)
    return statistic, tail if sign * difference > 0.0 else 1.0


def show_pvalue(pvalue, sign=""):
    """A p-value as text; what underflows is not zero."""
    return "< 1e-300" if pvalue < 1e-300 else f"{sign}{pvalue:.3g}"


def decimals(error):
    """Decimals to print, so that two digits of the error are seen but no fewer than three."""
    if not 0.0 < error < 1.0:
        return 3
    return int(max(3, 1 - np.floor(np.log10(error))))
