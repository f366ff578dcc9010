"""Permutations along the True entries of a matrix: its permanent.

Columns are filled one after the other. The state says how many rows of each kind (rows that
are equal) are used up, so that equal rows cost little. Three ways: a table of all states,
lists of the states that can be reached, and, where even these are too many, an estimate.

Kernels of `ordering` are compiled with these helpers but their cache does not see this
file: when you change it, touch that one.
"""

import numpy as np

from skvus._kernels._jit import helper

_MOST_TABLED = 2**14
_MOST_LISTED = 2**18
_TRIALS = 1000


@helper
def count_permutations(tight, members, size):
    """Number of permutations of `members` along entries that are True, as a float."""
    example = np.empty(size, np.int64)
    times = np.zeros(size, np.int64)
    n_kinds = 0
    for i in range(size):
        kind = n_kinds
        for g in range(n_kinds):
            same = True
            for j in range(size):
                if tight[members[i], members[j]] != tight[example[g], members[j]]:
                    same = False
                    break
            if same:
                kind = g
                break
        if kind == n_kinds:
            example[n_kinds] = members[i]
            n_kinds += 1
        times[kind] += 1
    n_states = 1.0
    for g in range(n_kinds):
        n_states *= times[g] + 1
    number = -1.0
    if n_states <= _MOST_TABLED:
        number = _from_table(tight, members, example[:n_kinds], times, np.int64(n_states))
    elif n_states < 2.0**62:
        number = _from_lists(tight, members, example[:n_kinds], times, size)
    if number < 0.0:
        number = _estimate(tight, members, size)
    return number


@helper
def _from_table(tight, members, example, times, n_states):
    """Pass on the ways of each state; its number of used rows tells the column."""
    ways = np.zeros(n_states)
    ways[0] = 1.0
    used = np.empty(example.size, np.int64)
    for state in range(n_states - 1):
        if ways[state] == 0.0:
            continue
        column = 0
        left = state
        for g in range(example.size):
            used[g] = left % (times[g] + 1)
            left //= times[g] + 1
            column += used[g]
        stride = 1
        for g in range(example.size):
            if used[g] < times[g] and tight[example[g], members[column]]:
                ways[state + stride] += ways[state] * (times[g] - used[g])
            stride *= times[g] + 1
    return ways[n_states - 1]


@helper
def _from_lists(tight, members, example, times, size):
    """The same with the states that can still be completed; -1 if they are too many."""
    n_kinds = example.size
    last = np.zeros(n_kinds, np.int64)
    for g in range(n_kinds):
        for c in range(size):
            if tight[example[g], members[c]]:
                last[g] = c
    states = np.zeros(1, np.int64)
    ways = np.ones(1)
    for c in range(size):
        more = np.empty(states.size * n_kinds, np.int64)
        more_ways = np.empty(more.size)
        n_more = 0
        for s in range(states.size):
            missing = -1  # a kind whose last chance is this column
            n_missing = 0
            stride = 1
            for g in range(n_kinds):
                unused = times[g] - (states[s] // stride) % (times[g] + 1)
                if last[g] == c and unused > 0:
                    missing = g
                    n_missing += unused
                stride *= times[g] + 1
            if n_missing > 1:
                continue
            stride = 1
            for g in range(n_kinds):
                unused = times[g] - (states[s] // stride) % (times[g] + 1)
                fits = unused > 0 and tight[example[g], members[c]]
                if fits and (n_missing == 0 or missing == g):
                    more[n_more] = states[s] + stride
                    more_ways[n_more] = ways[s] * unused
                    n_more += 1
                stride *= times[g] + 1
        if n_more > _MOST_LISTED:
            return -1.0
        states, ways = _merged(more[:n_more], more_ways)
    return ways[0]


@helper
def _merged(states, ways):
    """Distinct states and the sum of their ways, by a hash table."""
    n_slots = 2
    while n_slots < 2 * states.size:
        n_slots *= 2
    slots = np.full(n_slots, -1, np.int64)
    distinct = np.empty(states.size, np.int64)
    sums = np.empty(states.size)
    n_distinct = 0
    for s in range(states.size):
        mixed = np.uint64(states[s]) * np.uint64(0x9E3779B97F4A7C15)
        slot = np.int64((mixed >> np.uint64(20)) % np.uint64(n_slots))
        while slots[slot] >= 0 and distinct[slots[slot]] != states[s]:
            slot = (slot + 1) % n_slots
        if slots[slot] < 0:
            slots[slot] = n_distinct
            distinct[n_distinct] = states[s]
            sums[n_distinct] = 0.0
            n_distinct += 1
        sums[slots[slot]] += ways[s]
    return distinct[:n_distinct], sums[:n_distinct]


@helper
def _estimate(tight, members, size):
    """Unbiased estimate by random fillings (Rasmussen), at least 1: the identity."""
    total = 0.0
    free = np.empty(size, np.bool_)
    seed = np.uint64(1)
    for _ in range(_TRIALS):
        free[:] = True
        product = 1.0
        for c in range(size):
            n_open = 0
            for i in range(size):
                n_open += free[i] and tight[members[i], members[c]]
            product *= n_open
            if n_open == 0:
                break
            # a small generator of its own, so that results do not depend on threads
            seed = seed * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
            pick = np.int64((seed >> np.uint64(33)) % np.uint64(n_open))
            for i in range(size):
                if free[i] and tight[members[i], members[c]]:
                    if pick == 0:
                        free[i] = False
                        break
                    pick -= 1
        total += product
    return max(1.0, total / _TRIALS)
