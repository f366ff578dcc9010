"""Structural components from drawn tuples, the same tuples for all classifiers.

Pure functions on arrays; the same bits for any number of threads.
"""

import numpy as np

from skvus.metrics._components import Components
from skvus.metrics._tuples import TupleSampler, in_threads
from skvus.metrics._units import by_class

_N_GROUPS = 8
_BATCHES_A_GROUP = 8
_LARGEST_BATCH = 2**18
# draws of each case in each group, so that most products across groups exist
_DRAWS_A_CASE = 2
_LEAST_TUPLES = 10**5
_MOST_TUPLES = 2 * 10**7
_MOST_SUMS = 10**9  # of prices that are looked at
FEWEST_TUPLES = 2 * _N_GROUPS * _BATCHES_A_GROUP


def drawn_components(rules, codes, weight, n_tuples, rng, n_jobs):
    """Components of several classifiers on the same cases.

    Parameters
    ----------
    rules : list of callables
        For each classifier, from picks to credits; ``picks[:, k]`` counts the cases of
        class k in their order.
    codes, weight : (n,) arrays
    n_tuples : int or None
        By default as many as make the error of drawing a tenth of the sampling error, but
        enough to draw each case in each group.
    rng : Generator
    n_jobs : int or None

    Returns
    -------
    components : list of Components
    n_tuples : int
    """
    members = by_class(codes, int(codes.max()) + 1)
    weights = [weight[own] for own in members]
    if n_tuples is None:
        n_tuples = _enough(rules, weights, rng)
    n_batches = max(_BATCHES_A_GROUP, -(-n_tuples // (_N_GROUPS * _LARGEST_BATCH)))
    seeds = rng.integers(2**63, size=(_N_GROUPS, n_batches, 4))
    size = -(-n_tuples // (_N_GROUPS * n_batches))
    draw = TupleSampler(weights, None).draw
    pieces = [(rules, members, codes.size, draw, size, batch) for batch in seeds]
    groups = in_threads(_group, pieces, n_jobs)
    sums = np.empty((_N_GROUPS, len(rules), codes.size))
    counts = np.empty((_N_GROUPS, codes.size), dtype=np.int32)
    batches = np.empty((_N_GROUPS, len(rules), n_batches))
    for g in range(_N_GROUPS):  # what has been copied goes: all of it twice may be gigabytes
        sums[g], counts[g], batches[g] = groups[g]
        groups[g] = None
    total = counts.sum(axis=0)
    components = []
    for k in range(len(rules)):
        means = batches[:, k].ravel()
        score = float(means.mean())
        # a case that was never drawn counts as an average one
        values = np.full(codes.size, score)
        np.divide(sums[:, k].sum(axis=0), total, out=values, where=total > 0)
        components.append(Components(score, values, sums[:, k], counts, means))
    return components, size * _N_GROUPS * n_batches


def _enough(rules, weights, rng):
    most = max(2 * 10**4, min(_MOST_TUPLES, _MOST_SUMS // len(weights) ** 3))
    each = _DRAWS_A_CASE * _N_GROUPS * max(map(len, weights))
    least = min(max(_LEAST_TUPLES, each), most)
    return max(TupleSampler(weights, rule).enough_tuples(rng, least, most) for rule in rules)


def _group(rules, members, n, draw, size, seeds):
    """Credit of the drawn tuples with each case, their number, and means of batches."""
    # class by class, which is added to faster than the cases in their order
    drawn = [np.zeros(own.size, dtype=np.int32) for own in members]
    earned = [[np.zeros(own.size) for own in members] for _ in rules]
    means = np.empty((len(rules), len(seeds)))
    for b, seed in enumerate(seeds):
        picks = draw(size, np.random.default_rng(seed))
        for part, column in zip(drawn, picks.T, strict=True):
            np.add.at(part, column, 1)
        for k, rule in enumerate(rules):
            credits = rule(picks)
            means[k, b] = credits.mean()
            for part, column in zip(earned[k], picks.T, strict=True):
                part += np.bincount(column, weights=credits, minlength=part.size)
    sums, counts = np.empty((len(rules), n)), np.empty(n, dtype=np.int32)
    for c, own in enumerate(members):
        counts[own] = drawn[c]
        for k in range(len(rules)):
            sums[k, own] = earned[k][c]
    return sums, counts, means
