"""The generational loop on a toolbox of DEAP.

Everson and Fieldsend's Algorithm 1, with what makes it faster: several offspring a generation,
costs near those of members, and the ends of the surface to start from.
"""

import random
import time
from typing import NamedTuple

import numpy as np

from skvus._rates import rates_to_points
from skvus._validation import as_float_array, shorten
from skvus.front._build import Tally, all_weighting_costs
from skvus.front._dominance import objective_keys
from skvus.metrics._random_simplex import uniform_below_simplex
from skvus.search._archive import (
    Archive,
    Individuals,
    Members,
    partitioned_member,
    uniform_member,
)
from skvus.search._evaluation import Known
from skvus.search._interrupts import InterruptGuard
from skvus.search._proposals import (
    dirichlet_costs,
    first_costs,
    redrawn_costs,
    varied_costs,
)

OPERATORS = ("select", "mutate", "propose_costs", "evaluate", "map")
COLUMNS = ("generation", "evaluations", "size", "gini", "distance", "seconds")
# Samples of the region that is better than random, to follow G by.
_SAMPLES = 2048
# Share of "mixed" costs that are varied ones of members; the members that were found in so many
# last evaluations, since where one was found there are more, or all if these are few. With
# 50,000 costs on three problems, settings near these gave 1.2 to 3.5 times the share of the
# union front of half and half from all members.
_VARIED = 0.8
_RECENT = 1000
_FEW = 20
# Candidates of the start that are evaluated at once, however many workers there are.
_START_BLOCK = 16
# Counts of costs that are tried at once.
_BLOCK_CELLS = 2**22
# Classes that are rarer than this are weighed as if they were not.
_LEAST_SHARE = 1e-9


class Settings(NamedTuple):
    """What a search was asked to do."""

    n_generations: int
    n_costs: int
    n_initial: int
    n_offspring: int
    selection: str
    cost_proposal: object
    alpha: np.ndarray
    alpha_is_number: bool
    objectives: str


class Evolution:
    """An archive and what improves it.

    Parameters
    ----------
    cases : Cases
        Validation cases; their scores are those of a candidate.
    space : object
        What is evolved beside costs.
    evaluate : callable
        Posteriors of an individual; its ``many`` those of several.
    settings : Settings
    rng : Generator
    toolbox : deap.base.Toolbox or None
        Operators that replace ours.
    store : bool
        Whether to remember every candidate.
    is_serial : bool
        Whether candidates are evaluated one after the other.
    """

    def __init__(
        self,
        *,
        cases,
        space,
        evaluate,
        settings,
        rng,
        toolbox=None,
        store=False,
        is_serial=True,
    ):
        self.cases = cases
        self.space = space
        self.settings = settings
        self.rng = rng
        self.archive = Archive()
        self.individuals = Individuals(self.archive, space, cases.n_classes)
        self.columns = {name: [] for name in COLUMNS}
        self.n_evaluations = 0
        self.candidates = [] if store else None
        self.shares = np.ones(cases.n_classes)
        self.evaluate = evaluate
        self.guard = InterruptGuard()
        self.toolbox = self._make_toolbox(evaluate, toolbox)
        is_one_by_one = is_serial and not replaces(toolbox, "map")
        self._start_block = 1 if is_one_by_one else _START_BLOCK
        self._others_propose = callable(settings.cost_proposal) or replaces(
            toolbox, "propose_costs"
        )
        self._others_evaluate = replaces(toolbox, "evaluate")
        self._is_known = isinstance(evaluate, Known) and not self._others_evaluate
        self._followed = _FollowedGini(cases.n_classes)
        self._least_distance = np.inf
        self._n_candidates = 0
        self.n_left_out = 0
        self._ready = None
        self._turn = 0
        self._started = time.perf_counter()

    # --- operators ---------------------------------------------------------------

    def _make_toolbox(self, evaluate, given):
        from deap import base

        toolbox = base.Toolbox()
        toolbox.register("select", self._select)
        toolbox.register("mutate", self._mutate)
        toolbox.register("propose_costs", self._propose)
        toolbox.register("evaluate", evaluate)
        toolbox.register("map", _evaluated_together)
        for name in OPERATORS:
            if replaces(given, name):
                operator = getattr(given, name)
                # what may run elsewhere is handed on as it is
                is_ours_to_call = name not in ("evaluate", "map")
                toolbox.register(name, self._seeded(operator) if is_ours_to_call else operator)
        return toolbox

    def _seeded(self, operator):
        """An operator that finds the global `random` seeded by us, and leaves it as it was."""

        def call(*arguments):
            state = random.getstate()
            random.seed(int(self.rng.integers(2**63)))
            try:
                return operator(*arguments)
            finally:
                random.setstate(state)

        return call

    def _select(self, individuals, k):
        chosen = []
        for _ in range(k):
            if self.settings.selection == "pqrs":
                index = partitioned_member(self.archive, self._turn, self.rng)
            else:
                index = uniform_member(self.archive, self.rng)
            self._turn += 1
            chosen.append(individuals[index])
        return chosen

    def _mutate(self, individual):
        individual[:] = self.space.step(self.rng, individual)
        return (individual,)

    def _propose(self, rng, n, individuals):
        settings = self.settings
        if callable(settings.cost_proposal):
            return settings.cost_proposal(rng, n, individuals)
        if settings.cost_proposal == "dirichlet":
            return dirichlet_costs(rng, n, settings.alpha, np.ones(self.cases.n_classes))
        n_varied = int(_VARIED * n) if len(individuals) else 0
        drawn = dirichlet_costs(rng, n - n_varied, settings.alpha, self.shares)
        if not n_varied:
            return drawn
        members = self.archive.members
        recent = np.flatnonzero(members.number >= self.n_evaluations - max(_RECENT, n))
        if recent.size < _FEW:
            recent = np.arange(members.n)
        chosen = recent[rng.integers(recent.size, size=n_varied)]
        if settings.alpha_is_number:
            varied = varied_costs(rng, members.costs[chosen])
        else:
            varied = redrawn_costs(rng, members.costs[chosen], settings.alpha)
        return np.concatenate([drawn, varied])

    # --- the loop ----------------------------------------------------------------

    def start(self):
        """The first archive: random parameters and costs.

        Yields
        ------
        n_tried, n_drawn : int
            How many candidates were tried so far, of how many.
        """
        settings = self.settings
        n_drawn = settings.n_initial if self.space.is_drawn else 1
        population = [
            self.individuals.offspring(self.space.draw(self.rng)) for _ in range(n_drawn)
        ]
        if n_drawn == 1:
            n_costs = settings.n_initial
        elif settings.cost_proposal == "dirichlet":
            n_costs = 1  # as in the paper: random pairs of parameters and costs
        else:
            n_costs = settings.n_costs
        for first in range(0, n_drawn, self._start_block):
            block = population[first : first + self._start_block]
            self._try(block, n_costs, generation=0)
            yield first + len(block), n_drawn
        if not len(self.archive):
            raise ValueError(
                f"None of the {n_drawn} candidates of the start could be fitted; there is "
                f"nothing to go on from. {self.evaluate.failure_report}"
            )
        self.log(0)

    def generation(self, number):
        """Select, perturb, sample costs, classify, insert."""
        n_offspring = self.settings.n_offspring
        if self.space.n_genes:
            parents = _as_list("select", self.toolbox.select(self.individuals, n_offspring))
            if len(parents) != n_offspring:
                raise ValueError(
                    f"select of toolbox must return {n_offspring} individuals; got "
                    f"{len(parents)}."
                )
            offspring = [self._mutated(parent) for parent in parents]
        else:  # nothing is inherited: parents do not matter
            offspring = [self.individuals.offspring([]) for _ in range(n_offspring)]
        self._try(offspring, self.settings.n_costs, generation=number)
        self.log(number)

    def _mutated(self, parent):
        child = self.individuals.offspring(parent)
        mutated = self.toolbox.mutate(child)
        if not isinstance(mutated, tuple) or len(mutated) != 1:
            raise TypeError(
                "mutate of toolbox must return a tuple with the individual, as operators of "
                f"DEAP do; got {shorten(mutated)}."
            )
        return self.individuals.offspring(self.space.repaired(mutated[0]))

    def _try(self, offspring, n_costs, generation):
        """Evaluate candidates, each with costs of its own, and insert what is good."""
        start = time.perf_counter()
        found = _as_list("map", self.toolbox.map(self.toolbox.evaluate, offspring))
        if len(found) != len(offspring):
            raise ValueError(
                f"map of toolbox must return {len(offspring)} results; got {len(found)}."
            )
        seconds = (time.perf_counter() - start) / len(offspring)
        for individual, posteriors in zip(offspring, found, strict=True):
            entered = None
            if posteriors is None:
                self.n_left_out += 1
            else:
                entered = self._try_costs(individual, posteriors, n_costs)
            if self.candidates is not None:
                self.candidates.append((individual.params, generation, entered, seconds))

    def _try_costs(self, individual, posteriors, n_costs):
        cases, tally = self._made_ready(posteriors)
        if self.archive.size == 0 and self.settings.alpha_is_number:
            self.shares = np.maximum(cases.implied_frequencies, _LEAST_SHARE)
        candidate = self._n_candidates
        self._n_candidates += 1
        self.archive.genomes[candidate] = list(individual)
        n_entered = sum(
            self._insert(candidate, costs, *tally(costs))
            for costs in self._cost_blocks(cases, n_costs)
        )
        if not n_entered:
            del self.archive.genomes[candidate]
        elif len(self.archive.genomes) > 2 * len(self.archive) + 1000:
            self.archive.forget_the_dead()
        return n_entered

    def _made_ready(self, posteriors):
        """Cases with these posteriors, and their tally."""
        if self._ready is not None and self._is_known:  # with costs alone, always the same
            return self._ready
        cases = self.cases.with_scores(self.checked(posteriors))
        self._ready = cases, Tally(cases)
        return self._ready

    def _insert(self, candidate, costs, rates, counts):
        """Offer operating points of a candidate to the archive; return how many entered."""
        keys = objective_keys(rates, counts, self.settings.objectives)
        owner = np.full(len(costs), candidate)
        number = self.n_evaluations + np.arange(len(costs))
        new = Members(keys, rates, counts, costs, owner, number)
        self.archive.make_room(new)  # what is compiled there, Ctrl-C may stop
        with self.guard.whole():
            entered = self.archive.insert(new)
            self.n_evaluations += len(costs)
            if entered.size:
                points = rates_to_points(rates[entered])
                self._followed.add(points)
                self._least_distance = min(self._least_distance, points.sum(axis=1).min())
        return entered.size

    def _cost_blocks(self, cases, n_costs):
        """Yield costs to be tried, not too many at once."""
        n_classes = cases.n_classes
        is_mixed = not self._others_propose and self.settings.cost_proposal == "mixed"
        if is_mixed and n_classes == 2 and self.settings.alpha_is_number:
            # few operating points: all of them, once
            if not self.archive.size or not self._is_known:
                yield all_weighting_costs(cases)
            return
        if is_mixed and self.archive.size == 0:
            is_known = not self.settings.alpha_is_number
            first = first_costs(self.settings.alpha, self.shares, is_known=is_known)[:n_costs]
            n_costs -= len(first)
            yield first
        per_block = max(1, _BLOCK_CELLS // n_classes**2)
        while n_costs > 0:
            n_block = min(n_costs, per_block)
            costs = self.toolbox.propose_costs(self.rng, n_block, self.individuals)
            yield self._checked_costs(costs) if self._others_propose else costs
            n_costs -= n_block

    def _checked_costs(self, costs):
        """Cost matrices of others, so that they sum to one."""
        n_classes = self.cases.n_classes
        is_callable = callable(self.settings.cost_proposal)
        name = "cost_proposal" if is_callable else "propose_costs of toolbox"
        costs = as_float_array(f"what {name} returns", costs)
        if costs.ndim != 3 or costs.shape[1:] != (n_classes, n_classes) or not len(costs):
            raise ValueError(
                f"{name} must return costs of shape (n, {n_classes}, {n_classes}); got "
                f"{costs.shape}."
            )
        if costs.min() < 0.0 or np.einsum("mkk->mk", costs).any():
            raise ValueError(
                f"{name} must return costs that are not negative, with zero diagonals."
            )
        largest = costs.max(axis=(1, 2), keepdims=True)
        if not (largest > 0.0).all():
            raise ValueError(f"{name} must return matrices with a positive cost each.")
        costs = costs / largest  # sums must not overflow
        return costs / costs.sum(axis=(1, 2), keepdims=True)

    def checked(self, posteriors):
        """Posteriors as an array, if they can be such."""
        name = "predict_proba of estimator"
        if self._others_evaluate:
            name = "evaluate of toolbox"
        posteriors = as_float_array(name, posteriors)
        shape = (self.cases.codes.size, self.cases.n_classes)
        if posteriors.shape != shape:
            raise ValueError(
                f"{name} must return posteriors of shape {shape} for the validation cases; got "
                f"{posteriors.shape}."
            )
        if posteriors.min() < 0.0:
            raise ValueError(f"{name} must not be negative; got {posteriors.min():.6g}.")
        return posteriors

    def log(self, generation):
        """Note how far the search is."""
        n_classes = self.cases.n_classes
        n_rates = n_classes * (n_classes - 1)
        if self.settings.objectives != "rates":  # rates may get worse where their sums improve
            self._followed = _FollowedGini(n_classes)
            self._followed.add(rates_to_points(self.archive.members.rates))
        row = (
            generation,
            self.n_evaluations,
            len(self.archive),
            self._followed.value,
            float((self._least_distance - (n_classes - 1)) / np.sqrt(n_rates)),
            time.perf_counter() - self._started,
        )
        for name, value in zip(COLUMNS, row, strict=True):
            self.columns[name].append(value)


class _FollowedGini:
    """Share of samples of the better-than-random region that the archive dominates.

    The archive only improves, so what is dominated stays so: only new members and samples that
    are left need a look.
    """

    def __init__(self, n_classes):
        samples = uniform_below_simplex(_SAMPLES, n_classes, np.random.default_rng(0))
        self._left = np.ascontiguousarray(samples.T)

    @property
    def value(self):
        """Share of the samples that is dominated."""
        return 1.0 - self._left.shape[1] / _SAMPLES

    def add(self, points):
        """Take note of the rates of new members."""
        from skvus._kernels.dominance import cover

        is_covered = np.zeros(self._left.shape[1], dtype=bool)
        cover(points, self._left, is_covered)
        if is_covered.any():
            self._left = np.ascontiguousarray(self._left[:, ~is_covered])


def replaces(toolbox, name):
    """Whether a toolbox has an operator; all have the map of Python, which replaces nothing."""
    operator = getattr(toolbox, name, None)
    return operator is not None and getattr(operator, "func", None) is not map


def _as_list(name, results):
    try:
        return list(results)
    except TypeError as error:
        if results is not None:
            raise
        raise TypeError(f"{name} of toolbox must return a sequence; got None.") from error


def _evaluated_together(evaluate, individuals):
    """The map of the search: candidates and folds in parallel, if the evaluation can."""
    many = getattr(getattr(evaluate, "func", evaluate), "many", None)
    return map(evaluate, individuals) if many is None else many(individuals)
