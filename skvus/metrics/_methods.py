"""Three ways to the joint covariance of scores: components, drawing, leaving out.

Each returns the fields of an `Estimate` that it knows.
"""

import warnings

import numpy as np
from sklearn.exceptions import UndefinedMetricWarning

from skvus._validation import check_generator
from skvus.metrics._covariance import component_covariance
from skvus.metrics._parallel import in_parallel, spans
from skvus.metrics._units import Kinds

# cases from which on kinds of them are drawn, which is the same in distribution
_MANY_CASES = 10**6
# of about a microsecond
_MOST_STEPS = 2 * 10**10


def by_components(statistic, sample, units, rng, n_jobs):
    """The scatter of structural components."""
    components, n_tuples = statistic.components(sample, rng, n_jobs)
    return _from_components(components, n_tuples, sample, units)


def _from_components(components, n_tuples, sample, units):
    scores = np.array([part.score for part in components])
    drawing = np.zeros((scores.size, scores.size))
    is_exact = components[0].is_exact
    if not is_exact:
        batches = np.array([part.batches for part in components])
        drawing = np.atleast_2d(np.cov(batches)) / batches.shape[1]
    covariance, parts, sizes = component_covariance(components, sample, units)
    return {
        "scores": scores,
        "covariance": covariance + drawing,
        "drawing": drawing,
        "n_tuples": n_tuples,
        "is_exact": is_exact,
        "parts": parts,
        "sizes": sizes,
    }


def _points(statistic, sample, rng):
    seed = int(rng.integers(2**31))
    points = [statistic.point(sample, k, seed) for k in range(len(sample.predictions))]
    return {
        "scores": np.array([point.score for point in points]),
        "drawing": np.diag([point.sampling_error**2 for point in points]),
        "n_tuples": points[0].n_tuples,
        "is_exact": all(point.is_exact for point in points),
    }


def by_drawing(statistic, sample, units, n_resamples, rng, n_jobs, verbose):
    """The scatter of the scores of cases that are drawn with replacement."""
    rng = check_generator(rng)
    found = _points(statistic, sample, rng)
    drawn_from = _kinds(statistic, sample, units)
    if drawn_from is None:
        drawn_from = sample, units
        refuse_hours(statistic, sample, n_resamples, "n_resamples of at most {}")
    blocks = [
        (statistic, *drawn_from, rng.integers(2**63, size=4), range(start, stop))
        for start, stop in spans(n_resamples)
    ]
    replicates = in_parallel(_drawn_scores, blocks, n_jobs, verbose, "resamples")
    away = replicates - _finite_means(replicates, "resamples")
    covariance = away.T @ away / (n_resamples - 1)
    found |= {"covariance": covariance, "replicates": replicates}
    if not units.is_stratified:
        found |= {"parts": covariance[np.newaxis], "sizes": units.effective_sizes}
    return found


def _kinds(statistic, sample, units):
    """Kinds of very many cases, which are drawn in their place; None if there are none."""
    if units.is_grouped or sample.codes.size < _MANY_CASES:
        return None
    cells = statistic.cells(sample)
    if cells is None:
        return None
    kinds, sizes = cells
    return kinds, Kinds(kinds.codes, sizes, sample.n_classes)


def refuse_hours(statistic, sample, number, advice):
    """Raise, with advice, where so many evaluations of a score of ours would take hours."""
    steps = statistic.steps_a_case * sample.codes.size
    if number * steps > _MOST_STEPS:
        advice = advice.format(f"{_MOST_STEPS // steps:,}")
        raise ValueError(
            f"{statistic.name!r} of {sample.codes.size:,} cases would be evaluated {number:,} "
            f"times, which takes hours. Use {advice}, or a sample of the cases."
        )


def _finite_means(scores, what):
    """Mean score of each classifier; NaN, with a warning, if one of them is not finite."""
    is_finite = np.isfinite(scores)
    if not is_finite.all():
        n_bad = (~is_finite.all(axis=1)).sum()
        warnings.warn(
            f"score is not finite in {n_bad} of {len(scores)} {what}, so neither is its "
            "standard error.",
            UndefinedMetricWarning,
            stacklevel=5,
        )
    sums = np.where(is_finite, scores, 0.0).sum(axis=0)
    return np.where(is_finite.all(axis=0), sums / max(len(scores), 1), np.nan)


def _drawn_scores(statistic, sample, units, seed, wanted):
    rng = np.random.default_rng(seed)
    scores = np.empty((len(wanted), len(sample.predictions)))
    for b in range(len(wanted)):
        times = units.resample(rng)
        inner = int(rng.integers(2**31))
        scores[b] = [statistic.value(sample, rows, times, inner) for rows in sample.predictions]
    return scores


def by_leaving_out(statistic, sample, units, rng, n_jobs, verbose):
    """The scatter of the scores without each of the units."""
    is_drawn = statistic.is_drawn(sample)
    if statistic.is_linear and (is_drawn or not units.is_grouped):
        components, n_tuples = statistic.components(sample, rng, n_jobs)
        found = _from_components(components, n_tuples, sample, units)
        if is_drawn:  # drawing anew for each unit would bring more noise than there is scatter
            return found
        left = _left_out_components(components, sample, units)
    else:
        rng = check_generator(rng)
        found = _points(statistic, sample, rng)
        left = _left_out_scores(statistic, sample, units, rng, n_jobs, verbose)
    is_left = np.zeros(units.n_units, dtype=bool)
    is_left[units.dispensable()] = True
    mean = _finite_means(left[is_left], "scores with a case or group left out")
    left = left + (mean - mean)  # all NaN if one is
    parts = []
    for own in units.strata:
        scores = left[own[is_left[own]]]
        away = scores - scores.mean(axis=0) if len(scores) else scores
        parts.append(max(len(scores) - 1, 0) / max(len(scores), 1) * away.T @ away)
    return {
        **found,
        "covariance": np.sum(parts, axis=0) + found["drawing"],
        "parts": np.array(parts),
        "sizes": units.effective_sizes,
    }


def _left_out_components(components, sample, units):
    """Scores without each case, which are linear in its component."""
    share = sample.weight / sample.totals()[sample.codes]
    left = np.full((sample.codes.size, len(components)), np.nan)
    kept = units.dispensable()
    for k, part in enumerate(components):
        away = part.values[kept] - part.score
        left[kept, k] = part.score - share[kept] / (1.0 - share[kept]) * away
    return left


def _left_out_scores(statistic, sample, units, rng, n_jobs, verbose):
    """Scores without each unit; NaN where a class would be empty."""
    seed = int(rng.integers(2**31))
    like = np.arange(units.n_units) if units.is_grouped else statistic.alike(sample)
    wanted = np.intersect1d(like, units.dispensable())
    refuse_hours(statistic, sample, wanted.size, "method='bootstrap'")
    blocks = [
        (statistic, sample, units, seed, wanted[start:stop])
        for start, stop in spans(wanted.size)
    ]
    left = np.full((units.n_units, len(sample.predictions)), np.nan)
    if blocks:
        left[wanted] = in_parallel(_scores_without, blocks, n_jobs, verbose, "left out")
    return left[like]


def _scores_without(statistic, sample, units, seed, wanted):
    return np.array(
        [
            [
                statistic.value(sample, rows, units.leave_out(unit), seed)
                for rows in sample.predictions
            ]
            for unit in wanted
        ]
    )
