"""What each case contributes to the scores that compare ranks.

Cases come sorted by ascending score, those of equal score next to each other, as for the
kernels in `ranking`. The component of a case is the mean credit of the tuples that contain
it.
"""

import numpy as np

from skvus._kernels._jit import helper, kernel
from skvus._kernels.ranking import group_mass, top_credit


@kernel
def pair_components(scores, codes, weight, own, totals, shares, components):
    """Add up what cases contribute to a sum of areas of class `own` against the others.

    Parameters
    ----------
    scores, codes, weight : (n,) arrays
    own : int
        The class to which the column of scores belongs.
    totals : (n_classes,) array
        Weight of each class.
    shares : (n_classes,) array
        Factor of the area against each class in the sum.
    components : (n,) array
        In the order of the cases. A case of another class wins if it is below.
    """
    # sum over the other classes: factor times the share that lies below; of many small terms,
    # so what rounding takes away is kept and given back
    beaten, lost = 0.0, 0.0
    below = 0.0
    start = 0
    while start < scores.size:
        tied, equal = 0.0, 0.0
        stop = start
        while stop < scores.size and scores[stop] == scores[start]:
            k = codes[stop]
            if k == own:
                equal += weight[stop]
            else:
                tied += shares[k] * weight[stop] / totals[k]
            stop += 1
        for i in range(start, stop):
            if codes[i] == own:
                components[i] += beaten + 0.5 * tied
            else:
                above = totals[own] - below - 0.5 * equal
                components[i] += shares[codes[i]] * above / totals[own]
        more = tied - lost
        longer = beaten + more
        lost = (longer - beaten) - more
        beaten = longer
        below += equal
        start = stop


@kernel
def top_components(scores, codes, weight, own, totals, factor, components):
    """Add `factor` times what cases contribute to the share of tuples that `own` tops.

    Parameters are those of `pair_components`. The sweep goes downwards, so that what a case
    of another class loses to, the cases of `own` above it, has been added up before.
    """
    n_classes = totals.size
    below, through = totals.copy(), np.empty(n_classes)
    mass = np.empty(n_classes)
    coefficients = np.empty(n_classes)
    # for each other class: weight of `own` above, times the chance to beat all the rest
    above = np.zeros(n_classes)
    share = np.empty(n_classes)
    stop = scores.size
    while stop > 0:
        start = stop - 1
        while start > 0 and scores[start - 1] == scores[stop - 1]:
            start -= 1
        group_mass(scores, codes, weight, start, mass)
        for j in range(n_classes):  # what is left is a sum of rounded weights
            through[j] = below[j]
            below[j] = max(0.0, below[j] - mass[j])
        if start == 0:
            below[:] = 0.0
        equal = mass[own] / totals[own]
        if equal > 0.0:
            share[own] = top_credit(below, through, totals, own, own, 0, coefficients)
        for j in range(n_classes):
            if j == own:
                continue
            share[j] = above[j]
            if equal > 0.0:
                beats = top_credit(below, through, totals, own, j, 0, coefficients)
                above[j] += equal * beats
                if mass[j] > 0.0:
                    at_par = top_credit(below, through, totals, own, j, 1, coefficients)
                    share[j] += equal * at_par
        for i in range(start, stop):
            components[i] += factor * share[codes[i]]
        stop = start


@helper
def _extend_shares(shares, mass, totals, credits, longer):
    """Shares of ordered tuples of the first c classes once a group of equal scores joins."""
    for c in range(shares.size):
        longer[c] = shares[c]
        run = 1.0
        for r in range(1, c + 1):  # classes c - r, ..., c - 1 are tied here
            run *= mass[c - r] / totals[c - r]
            if run == 0.0:
                break
            longer[c] += credits[r] * run * shares[c - r]


@kernel
def ordered_components(scores, codes, weight, totals, credits):
    """Share of the tuples with each case whose scores ascend with the class.

    Parameters
    ----------
    scores, codes, weight, totals : arrays
        As in `pair_components`.
    credits : (n_classes + 1,) array
        ``credits[r]`` is the factor for a run of r equal scores.

    Returns
    -------
    components : (n,) array
    """
    n_classes = totals.size
    mass = np.empty(n_classes)
    n_groups = 1
    for i in range(1, scores.size):
        n_groups += scores[i] != scores[i - 1]
    # before[g, c]: of the tuples of the first c classes, those in order below group g
    before = np.zeros((n_groups + 1, n_classes + 1))
    before[0, 0] = 1.0
    starts = np.empty(n_groups + 1, np.int64)
    starts[0] = 0
    for g in range(n_groups):
        starts[g + 1] = group_mass(scores, codes, weight, starts[g], mass)
        _extend_shares(before[g], mass, totals, credits, before[g + 1])
    # after[c]: of the tuples of the last c classes, those in order above the group
    after = np.zeros(n_classes + 1)
    longer = np.empty(n_classes + 1)
    after[0] = 1.0
    share = np.empty(n_classes)
    components = np.empty(scores.size)
    for g in range(n_groups - 1, -1, -1):
        group_mass(scores, codes, weight, starts[g], mass)
        for c in range(n_classes):
            share[c] = 0.0
            if mass[c] > 0.0:
                share[c] = _share_of(c, mass, totals, credits, before[g], after)
        for i in range(starts[g], starts[g + 1]):
            components[i] = share[codes[i]]
        _extend_shares(after, mass[::-1], totals[::-1], credits, longer)
        after[:] = longer
    return components


@helper
def _share_of(c, mass, totals, credits, before, after):
    """Share of ordered tuples with a case of class c in this group of equal scores.

    The classes first .. last, c among them, are those of its tuple that are tied here.
    """
    total = 0.0
    lower = 1.0
    for first in range(c, -1, -1):
        if first < c:
            lower *= mass[first] / totals[first]
        if lower == 0.0:
            break
        run = lower
        for last in range(c, totals.size):
            if last > c:
                run *= mass[last] / totals[last]
            if run == 0.0:
                break
            total += (
                credits[last - first + 1] * run * before[first] * after[totals.size - 1 - last]
            )
    return total
