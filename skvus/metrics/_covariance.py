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
        Number of units of each part.
    """
    sizes = units.sizes
    share, factor = _leverage(sample, units, sizes)
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
        return covariance, covariance[np.newaxis], np.array([units.n_units])
    parts = np.array(
        [
            f * sums[:, own] @ sums[:, own].T
            for f, own in zip(factor, units.by_class, strict=True)
        ]
    )
    return covariance, parts, sizes


def _leverage(sample, units, sizes):
    """How far a case moves the score, and the correction for few units, by class.

    Leaving out a case of weight w moves the mean of its class, of total weight W, by
    w / (W - w) times its distance. With equal weights that is DeLong's estimate; with others
    it does not take a class that hangs on one case for sure.
    """
    share = sample.weight / sample.totals()[sample.codes]
    is_lone = np.zeros(sizes.size, dtype=bool)
    is_lone[units.lone] = True
    share = np.where(is_lone[sample.codes], 0.0, share)
    counts = np.maximum(sizes, 2.0)
    if units.is_grouped:
        return share, counts / (counts - 1.0)
    return share / (1.0 - share), (counts - 1.0) / counts


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
    return covariance
