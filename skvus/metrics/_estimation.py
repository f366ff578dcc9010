"""Scores of one or more classifiers on the same cases, with their joint covariance.

Three ways to it: structural components (DeLong), drawing cases with replacement (bootstrap)
and leaving them out (jackknife).
"""

import warnings
from typing import NamedTuple

import numpy as np
from sklearn.exceptions import UndefinedMetricWarning

from skvus._validation import check_generator, check_integer, check_option
from skvus.metrics._components import products
from skvus.metrics._ordering import check_n_jobs
from skvus.metrics._statistics import make_statistic
from skvus.metrics._units import Units, check_groups

METHODS = ("auto", "delong", "bootstrap", "jackknife")
_MOST_RESAMPLES = 10**7
_BLOCK = 32  # replicates that a worker makes at a time
_ROUNDING = 1e-12  # differences that are no larger come from rounding


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
    largest : float or None
        Largest value of the score, if known.
    replicates : (n_resamples, m) array or None
    """

    scores: np.ndarray
    covariance: np.ndarray
    drawing: np.ndarray
    lone: np.ndarray
    method: str
    n_tuples: int
    is_exact: bool
    n_independent: int
    largest: float | None
    replicates: np.ndarray | None

    def error(self, contrast):
        """Standard error of a contrast, and the part that drawing tuples has in it."""
        contrast = np.asarray(contrast, dtype=float)
        variance = np.maximum(0.0, contrast @ self.covariance @ contrast)  # or NaN
        drawing = np.maximum(0.0, contrast @ self.drawing @ contrast)
        # what lone cases add is unknown: they may all pull the same way
        total = np.sqrt(variance + float(np.abs(contrast) @ self.lone) ** 2)
        if total < _ROUNDING:
            total = 0.0
        return float(total), float(np.sqrt(drawing))


def estimate_scores(
    y_true,
    predictions,
    *,
    score,
    method,
    n_resamples,
    groups,
    score_params,
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
    statistic = make_statistic(score, score_params)
    check_option("method", method, METHODS)
    check_resampling("n_resamples", n_resamples, n_jobs, verbose)
    method = _choose_method(method, statistic, groups is not None)
    # without a seed nothing is drawn from the global generator unless it is needed
    rng = None if random_state is None else check_generator(random_state)
    sample = statistic.check(y_true, predictions, labels=labels, sample_weight=sample_weight)
    groups = check_groups(groups, sample.kept)
    if sample.undefined is not None:
        return statistic, sample, None
    units = Units(sample.codes, groups, sample.n_classes)
    if method == "delong":
        found = _by_components(statistic, sample, units, rng, n_jobs)
    elif method == "jackknife":
        found = _by_leaving_out(statistic, sample, units, rng, n_jobs, verbose)
    else:
        found = _by_drawing(statistic, sample, units, n_resamples, rng, n_jobs, verbose)
    largest = statistic.largest(sample.n_classes)
    return (
        statistic,
        sample,
        Estimate(
            lone=_lone_deviations(found["scores"], sample.classes, units, largest),
            method=method,
            n_independent=units.n_independent(sample.weight),
            largest=largest,
            **{"replicates": None, **found},
        ),
    )


def check_resampling(name, n_resamples, n_jobs, verbose):
    """Check what all functions that draw have in common."""
    if check_integer(name, n_resamples, minimum=2) > _MOST_RESAMPLES:
        raise ValueError(f"{name} must be at most {_MOST_RESAMPLES}; got {n_resamples}.")
    check_n_jobs(n_jobs)
    check_integer("verbose", int(verbose) if isinstance(verbose, bool) else verbose, minimum=0)


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


def _lone_deviations(scores, classes, units, largest):
    """Standard deviations that classes of one unit may add at most, with a warning."""
    lone = units.lone
    if lone.size == 0:
        return np.zeros(scores.size)
    outcome = "the standard error takes the largest variance that is possible"
    if largest is None:
        outcome = "the standard error leaves its variance out"
    warnings.warn(
        f"y_true has only one {'group' if units.is_grouped else 'case'} of "
        f"{classes[lone].tolist()}: {outcome}.",
        UndefinedMetricWarning,
        stacklevel=4,
    )
    if largest is None:
        return np.zeros(scores.size)
    # of all numbers between 0 and `largest` with this mean
    return np.sqrt(lone.size * np.maximum(0.0, scores * (largest - scores)))


# --- structural components --------------------------------------------------------


def _by_components(statistic, sample, units, rng, n_jobs):
    components, n_tuples = statistic.components(sample, rng, n_jobs)
    return _from_components(components, n_tuples, sample, units)


def _from_components(components, n_tuples, sample, units):
    scores = np.array([part.score for part in components])
    drawing = np.zeros((scores.size, scores.size))
    is_exact = components[0].is_exact
    if not is_exact:
        batches = np.array([part.batches for part in components])
        drawing = np.atleast_2d(np.cov(batches)) / batches.shape[1]
    return {
        "scores": scores,
        "covariance": component_covariance(components, sample, units) + drawing,
        "drawing": drawing,
        "n_tuples": n_tuples,
        "is_exact": is_exact,
    }


def component_covariance(components, sample, units):
    """Covariance of scores from the scatter of their components.

    Without groups it is sum_c cov(V_c) / n_c; components of one group are added up first
    (Obuchowski, 1997). Classes of one unit are left out.
    """
    share = sample.weight / sample.totals()[sample.codes]
    sizes = units.sizes
    factor = np.where(sizes > 1, sizes / np.maximum(sizes - 1.0, 1.0), 0.0)
    away = np.array([share * (part.values - part.score) for part in components])
    alone = (away * factor[sample.codes]) @ away.T
    covariance = alone
    if not components[0].is_exact:
        covariance = _without_noise(components, share, factor, sample)
    if units.is_grouped:
        # besides each case by itself: others of its group and class, then of other classes
        sums = _sums(away, units.pair_of_case, units.pair_unit.size)
        sums[:, factor[units.pair_class] == 0.0] = 0.0
        covariance = covariance + (sums * factor[units.pair_class]) @ sums.T - alone
        of_groups = _sums(sums, units.pair_unit, units.n_units)
        across = of_groups @ of_groups.T - sums @ sums.T
        covariance += across * units.n_units / max(units.n_units - 1, 1)
    return covariance


def _sums(rows, index, size):
    return np.array([np.bincount(index, row, size) for row in rows])


def _without_noise(components, share, factor, sample):
    """Covariance from drawn tuples, each case by itself."""
    m = len(components)
    covariance = np.zeros((m, m))
    for i in range(m):
        for j in range(i + 1):
            own = share**2 * products(components[i], components[j])
            covariance[i, j] = covariance[j, i] = factor @ _class_sums(own, sample)
    return covariance


def _class_sums(values, sample):
    """Sums over each class; a case of which nothing is known counts as an average one."""
    n_classes = sample.n_classes
    unknown = np.isnan(values)
    sums = np.bincount(sample.codes, np.where(unknown, 0.0, values), minlength=n_classes)
    if unknown.any():
        sizes = np.bincount(sample.codes, minlength=n_classes)
        known = np.bincount(sample.codes[~unknown], minlength=n_classes)
        sums *= sizes / np.maximum(known, 1)
    return sums


# --- drawing and leaving out ------------------------------------------------------


def _points(statistic, sample, rng):
    seed = int(rng.integers(2**31))
    points = [statistic.point(sample, k, seed) for k in range(len(sample.predictions))]
    return {
        "scores": np.array([point.score for point in points]),
        "drawing": np.diag([point.sampling_error**2 for point in points]),
        "n_tuples": points[0].n_tuples,
        "is_exact": all(point.is_exact for point in points),
    }


def _by_drawing(statistic, sample, units, n_resamples, rng, n_jobs, verbose):
    rng = check_generator(rng)
    found = _points(statistic, sample, rng)
    seeds = rng.integers(2**63, size=(n_resamples, 4))
    blocks = [
        (statistic, sample, units, seeds[start : start + _BLOCK])
        for start in range(0, n_resamples, _BLOCK)
    ]
    replicates = np.concatenate(
        in_parallel(_drawn_scores, blocks, n_jobs, verbose, "resamples")
    )
    is_bad = ~np.isfinite(replicates).all(axis=1)
    if is_bad.any():
        warnings.warn(
            f"score is not finite in {is_bad.sum()} of {n_resamples} resamples, so neither is "
            "its standard error.",
            UndefinedMetricWarning,
            stacklevel=4,
        )
    covariance = np.atleast_2d(np.cov(replicates, rowvar=False))
    return {**found, "covariance": covariance, "replicates": replicates}


def _drawn_scores(statistic, sample, units, seeds):
    scores = np.empty((len(seeds), len(sample.predictions)))
    for b, seed in enumerate(seeds):
        rng = np.random.default_rng(seed)
        times = units.resample(rng)
        inner = int(rng.integers(2**31))
        scores[b] = [statistic.value(sample, rows, times, inner) for rows in sample.predictions]
    return scores


def _by_leaving_out(statistic, sample, units, rng, n_jobs, verbose):
    if statistic.is_linear and not units.is_grouped:
        components, n_tuples = statistic.components(sample, rng, n_jobs)
        found = _from_components(components, n_tuples, sample, units)
        if not found["is_exact"]:  # the same without the noise of drawing
            return found
        left = _left_out_components(components, sample, units)
    else:
        rng = check_generator(rng)
        found = _points(statistic, sample, rng)
        left = _left_out_scores(statistic, sample, units, rng, n_jobs, verbose)
    covariance = np.zeros(found["drawing"].shape)
    for own in units.strata:
        scores = left[own]
        scores = scores[~np.isnan(scores).any(axis=1)]
        if len(scores) > 1:
            away = scores - scores.mean(axis=0)
            covariance += (len(scores) - 1) / len(scores) * away.T @ away
    return {**found, "covariance": covariance + found["drawing"]}


def _left_out_components(components, sample, units):
    """Scores without each case, which are linear in its component."""
    total = sample.totals()[sample.codes]
    left = np.full((sample.codes.size, len(components)), np.nan)
    for k, part in enumerate(components):
        np.divide(
            total * part.score - sample.weight * part.values,
            total - sample.weight,
            out=left[:, k],
            where=units.sizes[sample.codes] > 1,
        )
    return left


def _left_out_scores(statistic, sample, units, rng, n_jobs, verbose):
    """Scores without each unit; NaN where a class would be empty."""
    seed = int(rng.integers(2**31))
    like = np.arange(units.n_units) if units.is_grouped else statistic.alike(sample)
    wanted = np.intersect1d(like, units.dispensable())
    blocks = [
        (statistic, sample, units, wanted[start : start + _BLOCK], seed)
        for start in range(0, wanted.size, _BLOCK)
    ]
    left = np.full((units.n_units, len(sample.predictions)), np.nan)
    if blocks:
        parts = in_parallel(_scores_without, blocks, n_jobs, verbose, "left out")
        left[wanted] = np.concatenate(parts)
    return left[like]


def _scores_without(statistic, sample, units, wanted, seed):
    return np.array(
        [
            [
                statistic.value(sample, rows, units.leave_out(unit), seed)
                for rows in sample.predictions
            ]
            for unit in wanted
        ]
    )


def in_parallel(function, blocks, n_jobs, verbose, what):
    """Results of all blocks, in order, with a bar that shows how far they are."""
    from joblib import Parallel, delayed

    if n_jobs == 1 and not verbose:
        return [function(*block) for block in blocks]
    tasks = (delayed(function)(*block) for block in blocks)
    if not verbose:
        return Parallel(n_jobs=n_jobs)(tasks)
    results = Parallel(n_jobs=n_jobs, return_as="generator")(tasks)
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return list(results)
    return list(tqdm(results, total=len(blocks), desc=what, unit="block"))
