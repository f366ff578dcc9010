"""The members that none of them dominates, and the choice of parents among them."""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

_FIRST_CAPACITY = 1024
# levels of an objective that the index tells apart, fewer if there are many objectives
_MOST_LEVELS = 32
_MOST_SETS = 4096
# members that the levels are made from: enough to divide any number of them evenly
_MOST_SORTED = 2**14
# members whose counts and costs take up to a gigabyte each
_MOST_CELLS = 2**27
# equal parts of the range of an objective that partitioned selection chooses from
N_BINS = 50


class Members(NamedTuple):
    """Rows that belong together, one for each member."""

    keys: np.ndarray
    rates: np.ndarray
    counts: np.ndarray
    costs: np.ndarray
    candidate: np.ndarray
    number: np.ndarray  # of the evaluation, so ascending in the order of entry

    @property
    def n(self):
        """Number of members."""
        return len(self.keys)


class Archive:
    """An unbounded archive of mutually non-dominated members.

    Notes
    -----
    A new member takes O(m D / 64) steps for m members with D objectives, usually far fewer.
    """

    def __init__(self):
        self._rows = None
        self._n_since = 0  # members that entered since the index was made
        self.size = 0
        self.genomes = {}

    @property
    def members(self):
        """The members as they are now; arrays are views."""
        return Members(*(array[: self.size] for array in self._rows))

    def __len__(self):
        return self.size

    def insert(self, new):
        """Insert in turn what no member weakly dominates, and drop what it dominates.

        Parameters
        ----------
        new : Members
            In any order, which decides among equals.

        Returns
        -------
        entered : ndarray of int
            Which of the new ones are members now.
        """
        from skvus._kernels.archive import admit

        self.make_room(new)
        keys, *others = self._rows
        capacity = len(keys)
        new_keys = np.ascontiguousarray(new.keys)
        self.size, slots, sources = admit(
            keys, self.size, self._index, self._bounds, self._origin, new_keys
        )
        is_new = sources >= capacity
        entered, places = sources[is_new] - capacity, slots[is_new]
        moved_from, moved_to = sources[~is_new], slots[~is_new]
        for old, rows in zip(others, new[1:], strict=True):
            if moved_from.size:
                old[moved_to] = old[moved_from]
            old[places] = rows[entered]
        self._n_since += entered.size
        return np.sort(entered)

    def make_room(self, new):
        """Make sure that all new members could enter."""
        from skvus._kernels.archive import admit

        needed = self.size + new.n
        if needed * new.counts[0].size > _MOST_CELLS:
            raise MemoryError(
                f"The archive has {self.size:,} members of {new.counts.shape[1]} classes, "
                "whose counts and costs fill the memory. Use max_front_size, fewer "
                "n_generations, or objectives='miss_rates'."
            )
        if self._rows is not None and needed <= len(self._origin):
            if self._n_since > len(self._origin):  # its levels are those of others
                self._set(self._rows, self._origin, new.keys)
            return
        capacity = max(_FIRST_CAPACITY, 2 * needed)
        rows = [np.empty((capacity, *array.shape[1:]), dtype=array.dtype) for array in new]
        if self._rows is not None:
            for row, old in zip(rows, self._rows, strict=True):
                row[: self.size] = old[: self.size]
        self._set(rows, np.arange(capacity), new.keys)

        if self.size == 0:  # compiled before anything is at stake
            admit(rows[0], 0, self._index, self._bounds, self._origin, rows[0][:0])

    def _set(self, rows, origin, new_keys):
        """Take over rows, with an index for them: all at once, as Ctrl-C may come before.

        Levels by the values that there are: a wrong guess costs time, nothing else.
        """
        from skvus._kernels.archive import indexed

        known = np.concatenate([rows[0][: self.size], new_keys])
        known = known[:: -(-len(known) // _MOST_SORTED)]
        n_levels = max(2, min(_MOST_LEVELS, _MOST_SETS // known.shape[1]))
        ranks = np.linspace(0, len(known) - 1, n_levels)[1:].astype(int)
        bounds = np.ascontiguousarray(np.sort(known, axis=0)[ranks].T)
        index = indexed(rows[0], self.size, bounds, -(-len(origin) // 64))
        self._rows, self._origin, self._bounds, self._index = rows, origin, bounds, index
        self._n_since = 0

    def keep(self, kept):
        """Drop all members but some, whose places are ascending."""
        for rows in self._rows:
            rows[: kept.size] = rows[kept]
        self.size = kept.size
        self._set(self._rows, self._origin, self._rows[0][:0])
        self.forget_the_dead()

    def put(self, members, genomes):
        """Take over members that none of them dominates, in their order, with their genomes."""
        if members.n:
            self.make_room(members)
            for rows, new in zip(self._rows, members, strict=True):
                rows[: members.n] = new
            self.size = members.n
            self._set(self._rows, self._origin, members.keys[:0])
        self.genomes = genomes

    def forget_the_dead(self):
        """Drop the genomes that no member has any more."""
        alive = set(np.unique(self.members.candidate).tolist())
        self.genomes = {key: genome for key, genome in self.genomes.items() if key in alive}


def uniform_member(archive, rng):
    """Index of a member, all with equal chance."""
    return int(rng.integers(len(archive)))


def partitioned_member(archive, turn, rng, n_bins=N_BINS):
    """Index of a member by partitioned quasi-random selection.

    The objectives take turns. The range of the objective is cut into parts of equal width; a
    part is chosen, among those that are not empty, by the next number of van der Corput's
    sequence, and one of its members at random. Regions with many members are chosen no more
    often than others.

    Parameters
    ----------
    archive : Archive
    turn : int
        Number of the choice, from 0.
    rng : Generator
    n_bins : int, default=50

    References
    ----------
    .. [1] J. E. Fieldsend, R. M. Everson, S. Singh, "Using unconstrained elite archives for
       multiobjective optimization", IEEE Transactions on Evolutionary Computation 7, 2003.
    """
    from skvus._kernels.archive import parts_of_range

    members = archive.members
    n_objectives = members.keys.shape[1]
    parts, counts = parts_of_range(members.keys[:, turn % n_objectives], n_bins)
    occupied = np.flatnonzero(counts)
    number = van_der_corput(turn // n_objectives + 1)
    part = occupied[int(number * occupied.size)]
    inside = np.flatnonzero(parts == part)
    # in the order of entry, which does not depend on where the archive keeps its members
    place = int(rng.integers(inside.size))
    return int(inside[np.argpartition(members.number[inside], place)[place]])


def van_der_corput(number):
    """Digits of a positive whole number to base 2, mirrored at the point: 1/2, 1/4, 3/4, ..."""
    value, share = 0.0, 0.5
    while number:
        number, digit = divmod(number, 2)
        value += digit * share
        share /= 2.0
    return value


class Individuals(Sequence):
    """An archive as a population of DEAP, made one by one as they are looked at.

    Parameters
    ----------
    archive : Archive
    space : object
        What is evolved; it makes the parameters of a genome.
    n_classes : int
    """

    def __init__(self, archive, space, n_classes):
        self.archive = archive
        self.space = space
        self.n_classes = n_classes

    @property
    def costs(self):
        """Cost matrices of all members."""
        return self._copy_of("costs")

    @property
    def rates(self):
        """Confusion rates of all members."""
        return self._copy_of("rates")

    def __len__(self):
        return len(self.archive)

    def __getitem__(self, index):
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        if not -len(self) <= index < len(self):
            raise IndexError(f"The archive has {len(self)} members; got index {index}.")
        members = self.archive.members
        found = self.offspring(self.archive.genomes[int(members.candidate[index])])
        rates = members.rates[index]
        found.fitness.values = rates[~np.eye(len(rates), dtype=bool)].tolist()
        found.costs = members.costs[index].copy()
        found.index = int(index) % len(self)
        return found

    def offspring(self, genome):
        """An individual that has not been evaluated."""
        return individual_class(self.n_classes * (self.n_classes - 1))(genome, self.space)

    def _copy_of(self, name):
        if not len(self):
            return np.empty((0, self.n_classes, self.n_classes))
        return getattr(self.archive.members, name).copy()


@cache
def individual_class(n_rates):
    """A list of numbers with a fitness that DEAP's operators read: rates to be minimised."""
    from deap import base

    fitness = type("Rates", (base.Fitness,), {"weights": (-1.0,) * n_rates})

    class Individual(list):
        """The genome of a member."""

        def __init__(self, genome, space):
            super().__init__(genome)
            self.space = space
            self.fitness = fitness()
            self.costs = None
            self.index = None
            self._read = None  # genome and what it stands for: quantiles take their time

        def __reduce__(self):  # by what makes it: the class has no name to be found by
            return _individual, (n_rates, list(self), self.space)

        @property
        def key(self):
            """What tells apart genomes that stand for something else."""
            return self.space.key(self, self.params)

        @property
        def params(self):
            """What the genome stands for, by name."""
            if self._read is None or self._read[0] != self:
                self._read = list(self), self.space.params(self)
            return self._read[1]

    return Individual


def _individual(n_rates, genome, space):
    return individual_class(n_rates)(genome, space)
