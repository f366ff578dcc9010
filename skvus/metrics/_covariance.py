"""Covariance of scores from their structural components. Pure functions on arrays."""

import numpy as np

from skvus.metrics._components import products


def component_covariance(components, sample, units):
    """Covariance of scores from the scatter of their components.

    Without groups it is sum_c cov(V_c) / n_c; components of one group are added up first
    (Obuchowski, 1997). Classes of one unit are left out.

    Returns
    -------
    covariance : (m, m) array
    parts : (n_strata, m, m) array
        What each class has in it, or everything if groups have several classes.
    sizes : (n_strata,) array
        Number of units of each part, fewer if their weights are uneven.
    """
    share, factor = _leverage(sample, units)
    away = np.array([share * (part.values - part.score) for part in components])
    alone = (away * factor[sample.codes]) @ away.T
    covariance = alone
    if not components[0].is_exact:
        covariance = _without_noise(components, share, factor, sample)
    sums = away
    if units.is_grouped:
        # besides each case by itself: others of its group and class, then of other classes
        sums = _sums(away, units.pair_of_case, units.pair_unit.size)
        covariance = covariance + (sums * factor[units.pair_class]) @ sums.T - alone
        of_groups = _sums(sums, units.pair_unit, units.n_units)
        across = of_groups @ of_groups.T - sums @ sums.T
        covariance += across * units.n_units / max(units.n_units - 1, 1)
    if not units.is_stratified:
        return covariance, covariance[np.newaxis], units.effective_sizes
    parts = np.array(
        [
            f * sums[:, own] @ sums[:, own].T
            for f, own in zip(factor, units.by_class, strict=True)
        ]
    )
    return covariance, parts, units.effective_sizes


def _leverage(sample, units):
    """How far a case moves the score, and the correction for few units, by class.

    A case moves the mean of its class by its share of the weight. Without the unit that it
    belongs to, all others weigh more; with equal weights that is in the correction already,
    and the estimates are those of DeLong and Obuchowski. With others, a class that hangs on
    one unit must not look certain, just because its mean follows that unit.
    """
    codes, n_classes = sample.codes, sample.n_classes
    size = np.bincount(codes, minlength=n_classes)
    share = sample.weight / sample.totals()[codes]
    even_share = np.bincount(units.pair_of_case, 1.0 / size[codes], units.pair_unit.size)
    is_lone = np.zeros(n_classes, dtype=bool)
    is_lone[units.lone] = True
    rest = np.where(is_lone[units.pair_class], 1.0, 1.0 - units.pair_share)
    growth = np.where(is_lone[units.pair_class], 0.0, (1.0 - even_share) / rest)
    counts = np.maximum(units.sizes, 2.0)
    return share * growth[units.pair_of_case], counts / (counts - 1.0)


def _sums(rows, index, size):
    return np.array([np.bincount(index, row, size) for row in rows])


def _without_noise(components, share, factor, sample):
    """Covariance from drawn tuples, each case by itself."""
    m = len(components)
    covariance = np.zeros((m, m))
    squares = np.bincount(sample.codes, share**2, sample.n_classes)
    for i in range(m):
        for j in range(i + 1):
            own = products(components[i], components[j])
            # a case that was hardly drawn counts as an average one
            known = ~np.isnan(own)
            codes, weight = sample.codes[known], share[known] ** 2
            sums = np.bincount(codes, weight * own[known], sample.n_classes)
            seen = np.bincount(codes, weight, sample.n_classes)
            sums *= squares / np.where(seen > 0.0, seen, 1.0)
            covariance[i, j] = covariance[j, i] = factor @ sums
    # what is left of a scatter that is lost in noise may be negative
    return covariance + np.diag(np.maximum(0.0, -np.diagonal(covariance)))
