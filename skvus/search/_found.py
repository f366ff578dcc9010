"""What the archives of a search hold, as a front."""

from typing import NamedTuple

import numpy as np

from skvus.front._dominance import (
    comparison_of,
    lexicographic_order,
    non_dominated_members,
    objective_keys,
    objective_units,
)
from skvus.front._front import ROCFront
from skvus.search._archive import Members
from skvus.search._thinning import thinned_members, widths


class Found(NamedTuple):
    """Members of a front in its order, and their genomes."""

    rates: np.ndarray
    counts: np.ndarray
    costs: np.ndarray
    number: np.ndarray
    genomes: list
    resolution: np.ndarray  # how much worse they may be than what was found, for each objective

    @classmethod
    def of(cls, islands, objectives, max_size):
        """What all islands found."""
        parts = [cls.of_one(one, max_size) for one in islands.evolutions if len(one.archive)]
        if len(parts) == 1:
            return parts[0]
        arrays = zip(*(part[:4] for part in parts), strict=True)
        whole = cls(
            *map(np.concatenate, arrays),
            [genome for part in parts for genome in part.genomes],
            np.max([part.resolution for part in parts], axis=0),
        )
        kept = non_dominated_members(comparison_of(whole.rates, whole.counts), objectives)
        whole = whole.some(kept)
        if max_size is None or len(kept) <= max_size:
            return whole
        keys = objective_keys(whole.rates, whole.counts, objectives)
        units = objective_units(whole.counts, objectives)
        shifts = [one.shifts for one in islands.evolutions if one.shifts is not None]
        before = np.max([np.zeros(units.size, dtype=np.int64), *shifts], axis=0)
        numbers = np.arange(len(keys))
        members = Members(keys, whole.rates, whole.counts, whole.costs, numbers, numbers)
        kept, after = thinned_members(members, max_size, before, units)
        return whole.some(kept, widths(after, units))

    @classmethod
    def of_one(cls, one, max_size):
        """What one island found."""
        members = one.archive.members
        units = objective_units(members.counts, one.settings.objectives)
        shifts = np.zeros(units.size, dtype=np.int64) if one.shifts is None else one.shifts
        kept = np.arange(members.n)
        if max_size is not None and members.n > max_size:
            kept, shifts = one.thinned(members, max_size)
        rates, counts = members.rates[kept], members.counts[kept]
        kept = kept[lexicographic_order(comparison_of(rates, counts))]
        owners = members.candidate[kept].tolist()
        return cls(
            members.rates[kept],
            members.counts[kept],
            members.costs[kept],
            members.number[kept],
            [one.archive.genomes[owner] for owner in owners],
            widths(shifts, units),
        )

    def some(self, kept, resolution=None):
        """Some of the members, which may stand for others."""
        arrays = (array[kept] for array in self[:4])
        resolution = self.resolution if resolution is None else resolution
        return Found(*arrays, [self.genomes[i] for i in kept.tolist()], resolution)

    def front(self, space, options):
        """The front; members of one candidate share their parameters."""
        shared = {id(genome): genome for genome in self.genomes}
        shared = {key: space.params(genome) for key, genome in shared.items()}
        params = tuple(shared[id(genome)] for genome in self.genomes) if space.n_genes else None
        return ROCFront(
            self.rates, counts=self.counts, costs=self.costs, params=params, **options
        )
