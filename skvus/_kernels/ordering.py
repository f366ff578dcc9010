"""Tuples of one case from each class: whether the identity is a cheapest assignment.

``rows[i, j]`` is what it costs more to call the chosen case of class i by the name of
class j. The identity is a cheapest assignment iff the graph with these weights has no
negative cycle. Classes enter one after the other; the shortest distances among those
already there say at once which cases of the next class may follow. Weights are integers,
so that sums are exact; cycles within `tolerance` of zero are ties.
"""

import numpy as np

from skvus._kernels._bits import popcount
from skvus._kernels._jit import helper, kernel
from skvus._kernels._search import n_below
from skvus._kernels.permanent import count_permutations

# numbers of cheapest assignments that are counted one by one, which keeps sums exact
HISTOGRAM = 120
_FARTHEST = -(2**61)  # sums along cycles stay above
_MANY = 6  # classes from which on a quick look pays


@helper
def _arrivals(distance, rows, k, arrive):
    """Shortest ways to class k from each class before it."""
    for i in range(k):
        best = rows[i, k]
        for j in range(k):
            best = min(best, distance[i, j] + rows[j, k])
        arrive[i] = best


@helper
def _cheapest_cycle(row, arrive, k):
    """Weight of the cheapest cycle through a case of class k with these weights."""
    best = row[0] + arrive[0]
    for j in range(1, k):
        best = min(best, row[j] + arrive[j])
    return best


@helper
def _extend(distance, row, arrive, k, longer):
    """Shortest distances when class k joins the k classes before it."""
    for j in range(k):
        leave = row[j]
        for i in range(k):
            leave = min(leave, row[i] + distance[i, j])
        longer[k, j] = leave
        longer[j, k] = arrive[j]
    longer[k, k] = 0
    for i in range(k):
        for j in range(k):
            if i != j:  # a tie may be a trifle below zero, which must not add up
                longer[i, j] = min(distance[i, j], arrive[i] + longer[k, j])


@helper
def _n_cheapest(rows, distance, n, tolerance):
    """Number of cheapest assignments, the identity among them.

    They are the permutations along arcs that lie on cycles of weight zero, and such
    cycles stay within a component: classes at distance zero of each other and back.
    """
    tight = np.zeros((n, n), np.bool_)
    for i in range(n):
        for j in range(n):
            tight[i, j] = i == j or rows[i, j] + distance[j, i] <= tolerance
    done = np.zeros(n, np.bool_)
    members = np.empty(n, np.int64)
    number = 1.0
    for i in range(n):
        if done[i]:
            continue
        size = 0
        for j in range(i, n):
            if not done[j] and (i == j or distance[i, j] + distance[j, i] <= tolerance):
                members[size] = j
                done[j] = True
                size += 1
        if size == 2:
            number *= 2.0
        elif size > 2:
            number *= count_permutations(tight, members, size)
    return number


@helper
def _bit_sum(word, weight, start):
    """Sum of the weights whose bits are set."""
    total = 0.0
    while word:
        lowest = word & (~word + np.uint64(1))
        total += weight[start + np.int64(popcount(lowest - np.uint64(1)))]
        word ^= lowest
    return total


@kernel
def suffix_sets(orders):
    """For each order of n cases and each rank the cases from that rank on, as bits."""
    n_orders, n = orders.shape
    n_words = (n + 63) // 64
    sets = np.zeros((n_orders, n + 1, n_words), np.uint64)
    for j in range(n_orders):
        for rank in range(n - 1, -1, -1):
            x = orders[j, rank]
            for word in range(n_words):
                sets[j, rank, word] = sets[j, rank + 1, word]
            sets[j, rank, x // 64] |= np.uint64(1) << np.uint64(x % 64)
    return sets


@helper
def _tie_credit(number, ties):
    """Credit of a tuple with `number` cheapest assignments: shared, strict or weak."""
    if number == 1.0 or ties == 2:
        return 1.0
    return 1.0 / number if ties == 0 else 0.0


@helper
def _record(mass, number, weight):
    """Book the weight of tuples under their number of cheapest assignments."""
    if number <= HISTOGRAM:
        mass[np.int64(number) - 1] += weight
    else:
        mass[HISTOGRAM] += weight
        mass[HISTOGRAM + 1] += weight / number


@helper
def _count_last(prefix, tied, last, by_rank, work, mass, ties):
    """Book all tuples that begin with `prefix` and end with a case of the last class.

    Returns their credit.

    `prefix` is (rows, distance, arrive), `last` is (rows, weight, the one weight of all
    cases or -1), `by_rank` is (ascending, sets, tolerance, weight of the prefix) and `work`
    is (firm, weak, longer), room for what is computed here.
    """
    rows, distance, arrive = prefix
    cases, case_weight, even = last
    ascending, sets, tolerance, weight = by_rank
    firm, weak, longer = work
    k = cases.shape[1] - 1
    doubtful = False
    credit = 0.0
    for j in range(k):
        firm[j] = n_below(ascending[j], -arrive[j] + tolerance + 1)
        weak[j] = firm[j]
        while weak[j] > 0 and ascending[j, weak[j] - 1] >= -arrive[j] - tolerance:
            weak[j] -= 1
        doubtful = doubtful or firm[j] > weak[j]
    total = 0.0
    for word in range(sets.shape[2]):
        certain = sets[0, firm[0], word]
        for j in range(1, k):
            certain &= sets[j, firm[j], word]
        if even >= 0.0:
            total += even * np.float64(popcount(certain))
        else:
            total += _bit_sum(certain, case_weight, 64 * word)
        if not doubtful:
            continue
        possible = ~certain
        for j in range(k):
            possible &= sets[j, weak[j], word]
        while possible:
            lowest = possible & (~possible + np.uint64(1))
            possible ^= lowest
            x = 64 * word + np.int64(popcount(lowest - np.uint64(1)))
            for j in range(k + 1):
                rows[k, j] = cases[x, j]
            _extend(distance, rows[k], arrive, k, longer)
            number = _n_cheapest(rows, longer, k + 1, tolerance)
            _record(mass, number, weight * case_weight[x])
            credit += weight * case_weight[x] * _tie_credit(number, ties)
    if total > 0.0:
        number = _n_cheapest(rows, distance, k, tolerance) if tied else 1.0
        _record(mass, number, weight * total)
        credit += weight * total * _tie_credit(number, ties)
    return credit


@kernel
def walk_tuples(
    rows, weight, starts, first, stop, last, last_weight, ascending, sets, tolerance, ties
):
    """Weight of the ordered tuples, by the number of their cheapest assignments.

    And the credit of the tuples with each case of all classes but the last.

    Parameters
    ----------
    rows : (n, N) int array
        Weights of the cases of all classes but the last, class after class.
    weight : (n,) array
    starts : (N,) int array
        Where each class but the last begins in `rows`, and the end.
    first, stop : int
        Cases of the first class to begin with.
    last, last_weight : arrays
        Cases of the last class.
    ascending, sets : arrays
        Their sorted weights, a row for each other class, and their `suffix_sets`.
    tolerance : int
    ties : int
        Rule of the credits: 0 shared among ties, 1 nothing for ties, 2 all for ties.

    Returns
    -------
    mass : (HISTOGRAM + 2,) array
        Entry k - 1 belongs to k cheapest assignments; the last two hold the weight and the
        shared credit of tuples with more of them.
    earned : (n,) array
        Credit of all tuples that contain a case, in the order of `rows`.
    """
    n = last.shape[1]
    mass = np.zeros(HISTOGRAM + 2)
    earned = np.zeros(rows.shape[0])
    below = np.zeros(n)  # what the cases of a class have earned under the present prefix
    chosen = np.zeros((n, n), np.int64)
    distance = np.zeros((n, n, n), np.int64)
    arrive = np.empty((n, n), np.int64)
    partial = np.ones(n)
    tied = np.zeros(n, np.bool_)
    index = np.empty(n, np.int64)
    even = last_weight[0]
    for x in range(last_weight.size):
        if last_weight[x] != even:
            even = -1.0
            break
    tail = (last, last_weight, even)
    work = (np.empty(n, np.int64), np.empty(n, np.int64), np.empty((n, n), np.int64))
    depth = 0
    index[0] = first - 1
    while depth >= 0:
        index[depth] += 1
        if index[depth] >= (stop if depth == 0 else starts[depth + 1]):
            depth -= 1
            if depth >= 0:
                earned[index[depth]] += below[depth + 1]
                below[depth] += below[depth + 1]
                below[depth + 1] = 0.0
            continue
        row = rows[index[depth]]
        tied[depth + 1] = False
        if depth > 0:
            cycle = _cheapest_cycle(row, arrive[depth], depth)
            if cycle < -tolerance:
                continue
            tied[depth + 1] = tied[depth] or cycle <= tolerance
            _extend(distance[depth], row, arrive[depth], depth, distance[depth + 1])
        for j in range(n):
            chosen[depth, j] = row[j]
        partial[depth + 1] = partial[depth] * weight[index[depth]]
        depth += 1
        _arrivals(distance[depth], chosen, depth, arrive[depth])
        if depth == n - 1:
            prefix = (chosen, distance[depth], arrive[depth])
            by_rank = (ascending, sets, tolerance, partial[depth])
            credit = _count_last(prefix, tied[depth], tail, by_rank, work, mass, ties)
            depth -= 1
            earned[index[depth]] += credit
            below[depth] += credit
        else:
            index[depth] = starts[depth] - 1
    return mass, earned


@helper
def _is_clear(chosen, potential, tolerance, ties):
    """Whether a quick look shows that the tuple is ordered, without ties unless weak.

    Bellman and Ford's passes settle, mostly after a few, iff no cycle is negative. Arcs on
    cycles of weight zero are tight under the potentials: if tight arcs form no cycle,
    nothing is tied. The other cases are left to the slower way.
    """
    n = chosen.shape[0]
    potential[:] = 0
    settled = False
    for _ in range(n):
        settled = True
        for i in range(n):
            for j in range(n):
                if potential[i] + chosen[i, j] < potential[j]:
                    potential[j] = potential[i] + chosen[i, j]
                    settled = False
                    if potential[j] < _FARTHEST:  # no way without a cycle leads here
                        return False
        if settled:
            break
    if not settled or ties == 2:
        return settled
    left = n
    gone = np.zeros(n, np.bool_)
    while left > 0:
        before = left
        for j in range(n):
            if gone[j]:
                continue
            is_source = True
            for i in range(n):
                slack = chosen[i, j] + potential[i] - potential[j]
                if i != j and not gone[i] and slack <= tolerance:
                    is_source = False
                    break
            if is_source:
                gone[j] = True
                left -= 1
        if left == before:
            return False
    return True


@helper
def _credit(chosen, distance, arrive, tolerance, ties):
    """Credit of one tuple: 0 shared among ties, 1 nothing for ties, 2 all for ties."""
    n = chosen.shape[0]
    floor = tolerance + 1 if ties == 1 else -tolerance
    for i in range(n):  # most tuples that fail do so in a pair
        for j in range(i):
            if chosen[i, j] + chosen[j, i] < floor:
                return 0.0
    if n >= _MANY and _is_clear(chosen, arrive, tolerance, ties):
        return 1.0
    tied = False
    for k in range(1, n):
        # distances of the classes so far stand in the top left corner
        _arrivals(distance, chosen, k, arrive)
        cycle = _cheapest_cycle(chosen[k], arrive, k)
        if cycle < floor:
            return 0.0
        tied = tied or cycle <= tolerance
        _extend(distance, chosen[k], arrive, k, distance)
    if tied and ties == 0:
        return 1.0 / _n_cheapest(chosen, distance, n, tolerance)
    return 1.0


@kernel
def tuple_credits(rows, picks, tolerance, ties):
    """Credits of tuples; `picks` holds the row of each class's case."""
    n = rows.shape[1]
    credits = np.empty(picks.shape[0])
    chosen = np.empty((n, n), np.int64)
    distance = np.zeros((n, n), np.int64)
    arrive = np.empty(n, np.int64)
    for t in range(picks.shape[0]):
        for k in range(n):
            chosen[k] = rows[picks[t, k]]
        credits[t] = _credit(chosen, distance, arrive, tolerance, ties)
    return credits
