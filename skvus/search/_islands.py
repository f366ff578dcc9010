"""Searches side by side, whose candidates are evaluated together.

One search is an archipelago of one island.
"""

import time
from contextlib import nullcontext

import numpy as np

from skvus.search._toolbox import as_list

# Posteriors of candidates of the start that are in memory at once: half a gigabyte.
_MOST_CELLS = 2**26


class Islands:
    """Evolutions that know nothing of each other.

    What they are between two generations is a state that a search can go on from to the same
    end. An evaluation that is broken off leaves that of before.

    Parameters
    ----------
    evolutions : list of Evolution
    evaluate : Evaluation
        What they are evaluated by, unless the toolbox has something else.
    guard : InterruptGuard
    n_at_once : int
        How many candidates of the start are evaluated together.
    """

    def __init__(self, evolutions, evaluate, guard, n_at_once):
        self.evolutions = evolutions
        self.evaluate = evaluate
        self.guard = guard
        self.n_generations = 0  # how many are complete
        self.is_whole = True  # between generations, no insertion is half done
        self._n_at_once = n_at_once

    @property
    def has_started(self):
        """Whether the candidates of the start were all tried."""
        return all(bool(one.columns["generation"]) for one in self.evolutions)

    @property
    def n_members(self):
        """Number of members of all islands."""
        return sum(len(one.archive) for one in self.evolutions)

    @property
    def n_evaluations(self):
        """Number of operating points that were evaluated on all islands."""
        return sum(one.n_evaluations for one in self.evolutions)

    @property
    def n_left_out(self):
        """Number of candidates that could not be fitted."""
        return sum(one.n_left_out for one in self.evolutions)

    def start(self):
        """The first archives: random parameters and costs.

        Yields
        ------
        n_tried, n_drawn : int
            How many candidates were tried so far, of how many.
        """
        first = self.evolutions[0]
        n_islands, n_drawn = len(self.evolutions), first.n_drawn
        n_block = self._start_block()
        while first.n_started < n_drawn:
            self._generation(lambda one: one.first(n_block), first.n_first_costs, number=0)
            yield n_islands * first.n_started, n_islands * n_drawn

    def _start_block(self):
        cases = self.evolutions[0].cases
        n_most = _MOST_CELLS // (cases.codes.size * cases.n_classes)
        return max(1, min(self._n_at_once, n_most) // len(self.evolutions))

    def generation(self):
        """Select, perturb, sample costs, classify, insert."""
        first = self.evolutions[0]
        self._generation(lambda one: one.bred(), first.settings.n_costs, self.n_generations + 1)

    def _generation(self, bred, n_costs, number):
        """Evaluate what the islands breed together, and insert island by island."""
        before = [(one.rng.bit_generator.state, one.turn) for one in self.evolutions]
        first = self.evolutions[0]
        try:
            with nullcontext() if first.others_breed else self.guard.whole():
                batches = [bred(one) for one in self.evolutions]
            start = time.perf_counter()
            found = self._evaluated([child for batch in batches for child in batch])
            seconds = (time.perf_counter() - start) / len(found)
        except BaseException:
            for one, (state, turn) in zip(self.evolutions, before, strict=True):
                one.rng.bit_generator.state, one.turn = state, turn
            raise
        # functions of others may take for ever: Ctrl-C must reach them
        with nullcontext() if first.others_propose else self.guard.whole():
            self.is_whole = False
            for one, batch in zip(self.evolutions, batches, strict=True):
                own, found = found[: len(batch)], found[len(batch) :]
                one.accept(batch, own, n_costs, number, seconds)
                if number == 0:
                    self._start_is_over(one, len(batch))
                else:
                    one.log(number)
            self.n_generations = number
            self.is_whole = True

    def _evaluated(self, individuals):
        toolbox = self.evolutions[0].toolbox
        found = toolbox.map(toolbox.evaluate, individuals)
        return as_list("map", found, len(individuals))

    def _start_is_over(self, one, n_tried):
        """Count candidates of the start; when all were tried, there must be members."""
        one.n_started += n_tried
        if one.n_started < one.n_drawn:
            return
        if not len(one.archive):
            raise ValueError(
                f"None of the {one.n_drawn} candidates of the start could be fitted; there is "
                f"nothing to go on from. {self.evaluate.failure_report}"
            )
        one.log(0)

    def columns(self):
        """Rows of the log as columns; with several islands, their number comes first."""
        logs = [one.columns for one in self.evolutions]
        if len(logs) == 1:
            return {name: list(column) for name, column in logs[0].items()}
        numbers = [np.full(len(log["generation"]), i) for i, log in enumerate(logs)]
        joined = {"island": np.concatenate(numbers).tolist()}
        for name in logs[0]:
            joined[name] = [value for log in logs for value in log[name]]
        # by generation, then by island
        order = np.argsort(joined["generation"], kind="stable").tolist()
        return {name: [column[i] for i in order] for name, column in joined.items()}

    def summary(self):
        """The last rows of the logs: evaluations and members of all, G of the best."""
        logs = [one.columns for one in self.evolutions]
        last = [{name: log[name][-1] for name in log} for log in logs]
        return {
            "generation": last[0]["generation"],
            "evaluations": sum(row["evaluations"] for row in last),
            "size": sum(row["size"] for row in last),
            "gini": max(row["gini"] for row in last),
            "seconds": last[0]["seconds"],
        }
