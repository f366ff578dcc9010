"""Searches side by side, whose candidates are evaluated together.

One search is an archipelago of one island.
"""

import time
from contextlib import nullcontext

import numpy as np

from skvus.search._state import state_of
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
        self.last_whole = None  # where functions of others may break off an insertion
        self._n_at_once = n_at_once

    @property
    def has_started(self):
        """Whether the candidates of the start were all tried."""
        return all(one.n_started == one.n_drawn for one in self.evolutions)

    @property
    def alive(self):
        """Islands with members."""
        return [one for one in self.evolutions if len(one.archive)]

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
            everyone = self.evolutions
            self._generation(everyone, lambda one: one.first(n_block), first.n_first_costs, 0)
            yield n_islands * first.n_started, n_islands * n_drawn
        if not self.n_members:
            raise ValueError(
                f"None of the {n_islands * n_drawn} candidates of the start could be fitted; "
                f"there is nothing to go on from. {self.evaluate.failure_report}"
            )

    def _start_block(self):
        cases = self.evolutions[0].cases
        n_most = _MOST_CELLS // (cases.codes.size * cases.n_classes)
        return max(1, min(self._n_at_once, n_most) // len(self.evolutions))

    def generation(self):
        """Select, perturb, sample costs, classify, insert."""
        first = self.evolutions[0]
        number = self.n_generations + 1
        self._generation(self.alive, lambda one: one.bred(), first.settings.n_costs, number)

    def _generation(self, islands, bred, n_costs, number):
        """Evaluate what islands breed together, and insert island by island."""
        before = [(one.rng.bit_generator.state, one.turn) for one in self.evolutions]
        first = self.evolutions[0]
        try:
            with nullcontext() if first.others_breed else self.guard.whole():
                batches = [bred(one) for one in islands]
            start = time.perf_counter()
            found = self._evaluated([child for batch in batches for child in batch])
            seconds = (time.perf_counter() - start) / len(found)
        except BaseException:
            for one, (state, turn) in zip(self.evolutions, before, strict=True):
                one.rng.bit_generator.state, one.turn = state, turn
                if not one.n_started:  # the first genomes were drawn just now
                    one.population = None
            raise
        # functions of others may take for ever: Ctrl-C must reach them
        with nullcontext() if first.others_propose else self.guard.whole():
            self.last_whole = state_of(self) if first.others_propose else None
            self.is_whole = False
            for one, batch in zip(islands, batches, strict=True):
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
        """Count candidates of the start; an island where none could be fitted stays empty."""
        one.n_started += n_tried
        if one.n_started == one.n_drawn and len(one.archive):
            one.log(0)

    def state(self):
        """What a search can go on from, or None."""
        return state_of(self) if self.is_whole else self.last_whole

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
        logs = [one.columns for one in self.alive]
        last = [{name: log[name][-1] for name in log} for log in logs]
        return {
            "generation": last[0]["generation"],
            "evaluations": sum(row["evaluations"] for row in last),
            "size": sum(row["size"] for row in last),
            "gini": max(row["gini"] for row in last),
            "seconds": last[0]["seconds"],
        }
