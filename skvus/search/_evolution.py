"""The generational loop on a toolbox of DEAP.

Everson and Fieldsend's Algorithm 1, with what makes it faster: several offspring a generation,
costs near those of members, and the ends of the surface to start from.
"""

import time
from typing import NamedTuple

import numpy as np

from skvus._validation import shorten
from skvus.front._build import all_weighting_costs
from skvus.front._dominance import objective_keys, objective_units
from skvus.search._archive import (
    Archive,
    Individuals,
    Members,
    partitioned_member,
    uniform_member,
)
from skvus.search._evaluation import Known
from skvus.search._following import COLUMNS, Following
from skvus.search._interrupts import InterruptGuard
from skvus.search._proposals import (
    dirichlet_costs,
    first_costs,
    redrawn_costs,
    varied_costs,
)
from skvus.search._state import LEAST_SHARE
from skvus.search._tally import make_tally
from skvus.search._thinning import thinned_members
from skvus.search._toolbox import (
    as_list,
    checked_costs,
    checked_posteriors,
    make_toolbox,
    replaces,
)

# Share of "mixed" costs that are varied ones of members; the members that were found in so many
# last evaluations, since where one was found there are more, or all if these are few. With
# 50,000 costs on three problems, settings near these gave 1.2 to 3.5 times the share of the
# union front of half and half from all members.
_VARIED = 0.8
_RECENT = 1000
_FEW = 20
# Counts of costs that are tried at once.
_BLOCK_CELLS = 2**22
# An archive is thinned when it has so many times as many members as are wanted.
_SLACK = 1.25


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
    max_front_size: int | None = None


class Evolution:
    """An archive and what improves it.

    Candidates are bred, evaluated by somebody else, and accepted with their posteriors.

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
    n_threads : int
        Threads that count decisions.
    guard : InterruptGuard
        Keeps insertions whole.
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
        n_threads=1,
        guard=None,
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
        self.n_left_out = 0
        self.n_candidates = 0
        self.turn = 0
        self.shares = np.ones(cases.n_classes)
        self.shifts = None  # of boxes, once the archive was thinned
        self.population = None  # genomes to start from
        self.n_started = 0  # how many of them were tried
        self.toolbox = make_toolbox(
            {
                "select": self._select,
                "mutate": self._mutate,
                "propose_costs": self._propose,
                "evaluate": evaluate,
            },
            toolbox,
            rng,
        )
        self.others_propose = callable(settings.cost_proposal) or replaces(
            toolbox, "propose_costs"
        )
        self.others_breed = replaces(toolbox, "select") or replaces(toolbox, "mutate")
        self._others_evaluate = replaces(toolbox, "evaluate")
        self._is_known = isinstance(evaluate, Known) and not self._others_evaluate
        self._guard = InterruptGuard() if guard is None else guard
        self._n_threads = n_threads
        self._following = Following(cases.n_classes)
        self._ready = None
        self._started = time.perf_counter()

    # --- operators ---------------------------------------------------------------

    def _select(self, individuals, k):
        chosen = []
        for _ in range(k):
            if self.settings.selection == "pqrs":
                index = partitioned_member(self.archive, self.turn, self.rng)
            else:
                index = uniform_member(self.archive, self.rng)
            self.turn += 1
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

    @property
    def n_drawn(self):
        """Number of candidates that the search starts from."""
        return self.settings.n_initial if self.space.is_drawn else 1

    @property
    def n_first_costs(self):
        """Number of costs that each of these is tried with."""
        if self.n_drawn == 1:
            return self.settings.n_initial
        # as in the paper: random pairs of parameters and costs
        return 1 if self.settings.cost_proposal == "dirichlet" else self.settings.n_costs

    def first(self, n):
        """The next candidates of the start, up to n of them: random parameters."""
        if self.population is None:
            self.population = [self.space.draw(self.rng) for _ in range(self.n_drawn)]
        genomes = self.population[self.n_started : self.n_started + n]
        return [self.individuals.offspring(genome) for genome in genomes]

    def bred(self):
        """Offspring of a generation: members are selected and perturbed."""
        n_offspring = self.settings.n_offspring
        if not self.space.n_genes:  # nothing is inherited: parents do not matter
            return [self.individuals.offspring([]) for _ in range(n_offspring)]
        parents = self.toolbox.select(self.individuals, n_offspring)
        return [self._mutated(parent) for parent in as_list("select", parents, n_offspring)]

    def _mutated(self, parent):
        child = self.individuals.offspring(parent)
        mutated = self.toolbox.mutate(child)
        if not isinstance(mutated, tuple) or len(mutated) != 1:
            raise TypeError(
                "mutate of toolbox must return a tuple with the individual, as operators of "
                f"DEAP do; got {shorten(mutated)}."
            )
        return self.individuals.offspring(self.space.repaired(mutated[0]))

    def accept(self, offspring, found, n_costs, generation, seconds):
        """Try candidates with costs, each with its own, and insert what is good.

        Parameters
        ----------
        offspring : list of Individual
        found : list of array-like or None
            Their posteriors; None for what could not be fitted.
        n_costs : int
        generation : int
        seconds : float
            That the evaluation of each took.
        """
        for individual, posteriors in zip(offspring, found, strict=True):
            entered = None
            if posteriors is None:
                self.n_left_out += 1
            else:
                entered = self._try_costs(individual, posteriors, n_costs)
                self._thin_if_needed()
            if self.candidates is not None:
                entry = -1 if entered is None else entered
                self.candidates.append((list(individual), generation, entry, seconds))

    def _thin_if_needed(self):
        """After each candidate, since how many come at once depends on the workers."""
        most = self.settings.max_front_size
        if most is None or len(self.archive) <= _SLACK * most:
            return
        with self._guard.whole():
            kept, self.shifts = self.thinned(self.archive.members, most)
            self.archive.keep(kept)
            self._follow_anew()

    def thinned(self, members, most):
        """Indices of at most so many members, and the shifts that lead to them."""
        units = objective_units(members.counts, self.settings.objectives)
        return thinned_members(members, most, self.shifts, units)

    def _try_costs(self, individual, posteriors, n_costs):
        cases, tally = self._made_ready(posteriors)
        if self.archive.size == 0 and self.settings.alpha_is_number:
            self.shares = np.maximum(cases.implied_frequencies, LEAST_SHARE)
        candidate = self.n_candidates
        self.n_candidates += 1
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
        self._ready = cases, make_tally(cases, self.settings.n_costs, self._n_threads)
        return self._ready

    def _insert(self, candidate, costs, rates, counts):
        """Offer operating points of a candidate to the archive; return how many entered."""
        keys = objective_keys(rates, counts, self.settings.objectives)
        owner = np.full(len(costs), candidate)
        number = self.n_evaluations + np.arange(len(costs))
        new = Members(keys, rates, counts, costs, owner, number)
        self.archive.make_room(new)
        with self._guard.whole():
            entered = self.archive.insert(new)
            self.n_evaluations += len(costs)
            if entered.size:
                self._following.add(rates[entered])
        return entered.size

    def _cost_blocks(self, cases, n_costs):
        """Yield costs to be tried, not too many at once."""
        n_classes = cases.n_classes
        is_mixed = not self.others_propose and self.settings.cost_proposal == "mixed"
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
        is_callable = callable(self.settings.cost_proposal)
        name = "cost_proposal" if is_callable else "propose_costs of toolbox"
        while n_costs > 0:
            n_block = min(n_costs, per_block)
            costs = self.toolbox.propose_costs(self.rng, n_block, self.individuals)
            yield checked_costs(name, costs, n_classes) if self.others_propose else costs
            n_costs -= n_block

    def checked(self, posteriors):
        """Posteriors as an array, if they can be such."""
        name = "evaluate of toolbox" if self._others_evaluate else "predict_proba of estimator"
        return checked_posteriors(
            name, posteriors, (self.cases.codes.size, self.cases.n_classes)
        )

    # --- what is known of it -------------------------------------------------------

    @property
    def seconds(self):
        """Since the search started, earlier parts of it included."""
        return time.perf_counter() - self._started

    def log(self, generation):
        """Note how far the search is."""
        if self.settings.objectives != "rates":  # rates may get worse where their sums improve
            self._follow_anew()
        row = (
            generation,
            self.n_evaluations,
            len(self.archive),
            self._following.gini,
            self._following.distance,
            self.seconds,
        )
        for name, value in zip(COLUMNS, row, strict=True):
            self.columns[name].append(value)

    def _follow_anew(self):
        self._following = Following(self.cases.n_classes)
        self._following.add(self.archive.members.rates)

    def resumed(self, seconds):
        """Go on with an archive and counts that were put in place, after so many seconds."""
        self._started = time.perf_counter() - seconds
        if len(self.archive):
            self._follow_anew()
