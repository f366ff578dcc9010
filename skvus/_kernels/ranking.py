"""Shares of tuples, one case from each class, that a column of scores puts right.

Cases come sorted by ascending score, those of equal score next to each other. All running
sums follow that one order: where a classifier is perfect, what it wins and what there is to
win are then the same float.
"""

import numpy as np

from skvus._kernels._jit import helper, kernel


@kernel
def wins_and_losses(scores, codes, weight, own, n_classes, scale):
    """Weight of the pairs in which a case of class `own` has the larger or smaller score.

    A tie is half a win and half a loss. Whole weights give exact sums.

    Parameters
    ----------
    scores, codes, weight : (n,) arrays
        Cases in ascending order of score.
    own : int
        The class to which the column of scores belongs.
    n_classes : int
        Number of classes, with or without cases.
    scale : float
        Factor for the weights of class `own`, which cancels in any ratio of the results.

    Returns
    -------
    wins, losses : (n_classes,) arrays
        Against each class; zero against `own` itself.
    """
    wins = np.zeros(n_classes)
    losses = np.zeros(n_classes)
    total = 0.0
    for i in range(scores.size):
        if codes[i] == own:
            total += scale * weight[i]
    below = 0.0
    start = 0
    while start < scores.size:
        through = below
        stop = start
        while stop < scores.size and scores[stop] == scores[start]:
            if codes[stop] == own:
                through += scale * weight[stop]
            stop += 1
        lost = 0.5 * (below + through)
        for i in range(start, stop):
            wins[codes[i]] += weight[i] * (total - lost)
            losses[codes[i]] += weight[i] * lost
        below = through
        start = stop
    wins[own] = 0.0
    losses[own] = 0.0
    return wins, losses


@helper
def top_credit(below, through, totals, own, left_out, power, coefficients):
    r"""``\int_0^1 t^power \prod_j (L_j + t E_j) dt``, with shares L below and E tied.

    Over all classes j but `own` and `left_out`, which may be the same. All coefficients are
    non-negative, so that expanding the product loses nothing.
    """
    factor = 1.0
    coefficients[0] = 1.0
    degree = 0
    for j in range(totals.size):
        if j in (own, left_out):
            continue
        share = below[j] / totals[j]
        if through[j] == below[j]:
            factor *= share
            if factor == 0.0:
                return 0.0
            continue
        tied = (through[j] - below[j]) / totals[j]
        degree += 1
        coefficients[degree] = coefficients[degree - 1] * tied
        for d in range(degree - 1, 0, -1):
            coefficients[d] = coefficients[d] * share + coefficients[d - 1] * tied
        coefficients[0] *= share
    integral = 0.0
    for d in range(degree + 1):
        integral += coefficients[d] / (d + 1 + power)
    return factor * integral


@kernel
def top_share(scores, codes, weight, own, n_classes):
    """Share of tuples whose case of class `own` has the largest score.

    With m others tied at the top it is credited 1 / (m + 1). Cases come in ascending order
    of score, and each class has one.
    """
    totals = np.zeros(n_classes)
    for i in range(scores.size):
        totals[codes[i]] += weight[i]
    below = np.zeros(n_classes)
    through = np.zeros(n_classes)
    coefficients = np.empty(n_classes)
    won = 0.0
    start = 0
    while start < scores.size:
        has_own = False
        stop = start
        while stop < scores.size and scores[stop] == scores[start]:
            through[codes[stop]] += weight[stop]
            has_own |= codes[stop] == own
            stop += 1
        if has_own:
            credit = top_credit(below, through, totals, own, own, 0, coefficients)
            for i in range(start, stop):
                if codes[i] == own:
                    won += weight[i] * credit
        for i in range(start, stop):
            below[codes[i]] = through[codes[i]]
        start = stop
    return won / totals[own]


@helper
def group_mass(scores, codes, weight, start, mass):
    """Weight of each class among the cases that share a score; returns where they end."""
    mass[:] = 0.0
    stop = start
    while stop < scores.size and scores[stop] == scores[start]:
        mass[codes[stop]] += weight[stop]
        stop += 1
    return stop


@kernel
def ordered_share(scores, codes, weight, credits):
    """Share of tuples whose scores ascend with the class.

    Parameters
    ----------
    scores, codes, weight : (n,) arrays
        Cases in ascending order of score; each class has one.
    credits : (n_classes + 1,) array
        ``credits[r]`` is the factor for a run of r equal scores.

    Returns
    -------
    share : float
        Of all tuples, with one case from each class.
    """
    n_classes = credits.size - 1
    mass = np.empty(n_classes)
    totals = np.zeros(n_classes)
    start = 0
    while start < scores.size:
        start = group_mass(scores, codes, weight, start, mass)
        totals += mass
    # shares[c]: of the tuples of the first c classes, those in order so far
    shares = np.zeros(n_classes + 1)
    shares[0] = 1.0
    sums = np.zeros(n_classes + 1)
    start = 0
    while start < scores.size:
        start = group_mass(scores, codes, weight, start, mass)
        for c in range(n_classes, 0, -1):  # downwards: shorter tuples are still the old ones
            if mass[c - 1] == 0.0:
                continue
            gain = shares[c - 1]
            run = 1.0
            for r in range(2, c + 1):  # classes c - r, ..., c - 1 are tied here
                run *= mass[c - r] / totals[c - r]
                if run == 0.0:
                    break
                gain += credits[r] * run * shares[c - r]
            sums[c] += mass[c - 1] * gain
            shares[c] = sums[c] / totals[c - 1]
    return shares[n_classes]
