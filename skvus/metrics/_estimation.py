"""Scores of one or more classifiers on the same cases, with their joint covariance.

Three ways to it: structural components (DeLong), drawing cases with replacement (bootstrap)
and leaving them out (jackknife).
"""

import warnings
from typing import NamedTuple

import numpy as np
from sklearn.exceptions import UndefinedMetricWarning

from skvus._validation import check_generator, check_integer, check_option
from skvus.metrics._methods import by_components, by_drawing, by_leaving_out
from skvus.metrics._ordering import check_n_jobs
from skvus.metrics._statistics import make_statistic
from skvus.metrics._units import Units, check_groups

METHODS = ("auto", "delong", "bootstrap", "jackknife")
MOST_RESAMPLES = 10**7
_ROUNDING = 1e-12  # of the score


class Estimate(NamedTuple):
    """Scores with their covariance.

    Parameters
    ----------
    scores : (m,) array
    covariance : (m, m) array
        Of the scores, the error of drawing tuples included.
    drawing : (m, m) array
        The part of it that comes from drawing tuples.
    lone : (m,) array
        Standard deviations that classes of one case may add at most.
    method : str
    n_tuples : int
    is_exact : bool
    n_independent : int
        Number of tuples without a case in common.
    bounds : tuple or None
        Smallest and largest value of the score, if known.
    n_groups : int or None
    replicates : (n_resamples, m) array or None
    parts : (n_strata, m, m) array or None
        Covariance that comes from each stratum of `sizes` units.
    sizes : (n_strata,) array or None
    """

    scores: np.ndarray
    covariance: np.ndarray
    drawing: np.ndarray
    lone: np.ndarray
    method: str
    n_tuples: int
    is_exact: bool
    n_independent: int
    bounds: tuple | None
    n_groups: int | None
    replicates: np.ndarray | None = None
    parts: np.ndarray | None = None
    sizes: np.ndarray | None = None

    def difference(self, contrast):
        """Value of a contrast; zero if it comes from rounding."""
        own = np.flatnonzero(contrast)
        value = float(np.asarray(contrast)[own] @ self.scores[own])
        return 0.0 if abs(value) <= self._rounding(own) else value

    def error(self, contrast):
        """Standard error of a contrast, and the part that drawing tuples has in it."""
        own = np.flatnonzero(contrast)  # others may be NaN
        contrast = np.asarray(contrast, dtype=float)[own]
        variance, drawing = (
            np.maximum(0.0, contrast @ matrix[np.ix_(own, own)] @ contrast)  # or NaN
            for matrix in (self.covariance, self.drawing)
        )
        # what lone cases add is unknown: they may all pull the same way
        lone = float(np.abs(contrast) @ self.lone[own])
        total = np.sqrt(np.maximum(variance, drawing) + lone**2)
        if total <= self._rounding(own):
            total = 0.0
        return float(total), float(np.sqrt(drawing))

    def _rounding(self, own):
        """Differences of scores that are no larger come from rounding."""
        finite = self.scores[own][np.isfinite(self.scores[own])]
        return _ROUNDING * float(np.abs(finite).max(initial=0.0))

    def degrees_of_freedom(self, contrast):
        """Satterthwaite's degrees of freedom of a contrast; infinite if unknown."""
        if self.parts is None:
            return np.inf
        own = np.flatnonzero(contrast)
        contrast = np.asarray(contrast, dtype=float)[own]
        parts = self.parts[:, own][:, :, own]
        variances = np.einsum("i,cij,j->c", contrast, parts, contrast)
        if not variances.max() > 0.0:
            return np.inf
        variances = variances / variances.max()
        divisor = (variances**2 / np.maximum(self.sizes - 1.0, 1.0)).sum()
        return float(variances.sum() ** 2 / divisor)


def estimate_scores(
    y_true,
    predictions,
    *,
    score,
    method,
    n_resamples,
    groups,
    score_params,
    score_range,
    labels,
    sample_weight,
    random_state,
    n_jobs,
    verbose,
):
    """Check everything, then estimate; `predictions` go by the names of their parameters.

    Returns
    -------
    statistic : Statistic
    sample : Sample
    found : Estimate or None
        None if ``sample.undefined`` says why there is no score.
    """
    statistic = make_statistic(score, score_params, score_range)
    check_option("method", method, METHODS)
    n_resamples = check_resampling("n_resamples", n_resamples, n_jobs, verbose)
    method = _choose_method(method, statistic, groups is not None)
    # without a seed nothing is drawn from the global generator unless it is needed
    rng = None if random_state is None else check_generator(random_state)
    sample = statistic.check(y_true, predictions, labels=labels, sample_weight=sample_weight)
    groups = check_groups(groups, sample.kept)
    if sample.undefined is not None:
        return statistic, sample, None
    units = Units(sample.codes, groups, sample.n_classes, sample.weight)
    if method == "delong":
        found = by_components(statistic, sample, units, rng, n_jobs)
    elif method == "jackknife":
        found = by_leaving_out(statistic, sample, units, rng, n_jobs, verbose)
    else:
        found = by_drawing(statistic, sample, units, n_resamples, rng, n_jobs, verbose)
    bounds = statistic.bounds(sample.n_classes)
    found["lone"] = np.zeros(found["scores"].size)
    if units.lone.size:
        _warn_of_lone(sample.classes[units.lone], units, bounds)
        found["lone"] = np.sqrt(statistic.lone_variances(sample, found["scores"], units.lone))
    estimate = Estimate(
        method=method,
        n_independent=units.n_independent,
        bounds=bounds,
        n_groups=units.n_units if units.is_grouped else None,
        **found,
    )
    return statistic, sample, estimate


def check_resampling(name, n_resamples, n_jobs, verbose):
    """Check what all functions that draw have in common; return the number of draws."""
    n_resamples = check_integer(name, n_resamples, minimum=2)
    if n_resamples > MOST_RESAMPLES:
        raise ValueError(f"{name} must be at most {MOST_RESAMPLES}; got {n_resamples}.")
    check_n_jobs(n_jobs)
    check_integer("verbose", int(verbose) if isinstance(verbose, bool) else verbose, minimum=0)
    return n_resamples


def _choose_method(method, statistic, has_groups):
    """The method that "auto" stands for; raise if the one asked for is not to be had."""
    if method == "auto":
        is_closed = statistic.has_components and not has_groups
        return "delong" if is_closed else "bootstrap"
    if method == "delong" and not statistic.has_components:
        raise ValueError(
            "method='delong' takes scores that are means over tuples, which "
            f"{statistic.name!r} is not. Use method='bootstrap' or method='jackknife'."
        )
    return method


def _warn_of_lone(classes, units, bounds):
    outcome = (
        "the standard error takes the largest variance that is possible, percentiles do not"
    )
    if bounds is None:
        outcome = "the standard error leaves its variance out, unless score_range is given"
    warnings.warn(
        f"y_true has only one {'group' if units.is_grouped else 'case'} of "
        f"{classes.tolist()} that counts: {outcome}.",
        UndefinedMetricWarning,
        stacklevel=4,
    )
