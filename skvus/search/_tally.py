"""Confusion counts of many costs, by threads where there are many cases."""

import numpy as np

from skvus.front._build import Tally, counter_of_costs

# Decisions that are worth the start of a thread: some milliseconds of work.
_WORTH_A_THREAD = 2**24


class ThreadedTally:
    """Cases in parts, each counted by a thread; sums of whole numbers do not mind the parts.

    Parameters
    ----------
    cases : Cases
    n_threads : int
    """

    def __init__(self, cases, n_threads):
        ends = np.linspace(0, cases.codes.size, n_threads + 1).astype(int)
        self._counters = [
            counter_of_costs(cases.scores[part], cases.codes[part], cases.units[part])
            for part in map(slice, ends[:-1], ends[1:])
        ]
        self._in_weights = cases.in_weights

    def __call__(self, costs):
        """Rates and counts of each cost matrix; whole counts unless cases have weights."""
        from joblib import Parallel, delayed

        parallel = Parallel(n_jobs=len(self._counters), backend="threading")
        counts = parallel(delayed(counter)(costs) for counter in self._counters)
        return self._in_weights(np.sum(counts, axis=0))


def make_tally(cases, n_costs, n_threads):
    """What counts the decisions of these cases for so many costs at a time."""
    # two classes are counted in the order of all cases, in no time
    n_decisions = cases.codes.size * n_costs if cases.n_classes > 2 else 0
    n_worth = min(n_threads, n_decisions // _WORTH_A_THREAD)
    return ThreadedTally(cases, n_worth) if n_worth > 1 else Tally(cases)
