"""Insertion into an archive and choice from it, against the number of its members."""

from copy import deepcopy
from time import process_time

import numpy as np

from benchmarks.timing import show, table
from skvus.search._archive import Archive, Members, partitioned_member

SIZES = (100, 1000, 10_000, 100_000, 200_000)
CLASSES = (3, 4)  # 6 and 12 objectives
BATCH = 100  # points at a time, as many as a candidate has costs
_MOST_FOR_DEAP = 10_000


def near_simplex(n, n_classes, rng, total=10_000):
    """Counts of each kind of mistake, of which hardly any dominate others."""
    shares = rng.dirichlet(np.ones(n_classes * (n_classes - 1)), size=n)
    return np.rint(total * (1.0 + 0.05 * rng.random((n, 1))) * shares).astype(np.int64)


def as_members(keys, n_classes, first=0):
    """Points with all that a member has; what that is does not matter here."""
    matrices = np.zeros((len(keys), n_classes, n_classes))
    number = first + np.arange(len(keys))
    return Members(keys, matrices, matrices.astype(int), matrices, number, number)


def fill(archive, size, n_classes, rng):
    """Insert batches until there are `size` members; return the longest pause."""
    longest = 0.0
    while len(archive) < size:
        n = min(BATCH, size - len(archive))
        new = as_members(near_simplex(n, n_classes, rng), n_classes)
        start = process_time()
        archive.insert(new)
        longest = max(longest, process_time() - start)
    return longest


def worse_points(keys, n, rng):
    """Points that a member is below, in all objectives by up to a hundredth of all cases."""
    chosen = keys[rng.integers(len(keys), size=n)]
    return chosen + rng.integers(0, 100, size=chosen.shape)


def better_points(keys, n, n_classes, rng):
    """Points that no member is below."""
    found = []
    while len(found) < n:
        (point,) = near_simplex(1, n_classes, rng)
        if not (keys <= point).all(axis=1).any():
            found.append(point)
    return np.array(found)


# --- what is timed ----------------------------------------------------------------


def ours(archive, points, n_classes):
    """Seconds for each of some points, inserted in batches into an archive of this size."""
    spent = []
    for first in range(0, len(points), BATCH):
        new = as_members(points[first : first + BATCH], n_classes)
        copy = deepcopy(archive)
        copy.make_room(new)  # counted as a pause
        start = process_time()
        copy.insert(new)
        spent.append((process_time() - start) / new.n)
    return float(np.median(spent))


def scanned(keys, points):
    """The same by comparison with all members, one point after the other, with numpy."""
    spent = []
    for point in points:
        start = process_time()
        if not (keys <= point).all(axis=1).any():
            is_worse = (point <= keys).all(axis=1)
            if is_worse.any():
                keys[~is_worse]  # a copy; in place would cost more
        spent.append(process_time() - start)
    return float(np.median(spent))


def by_deap(keys, points):
    """The same with DEAP's archive."""
    from deap import base, tools

    class Counts(base.Fitness):
        weights = (-1.0,) * keys.shape[1]

    class Individual(list):
        def __init__(self, genome):
            super().__init__(genome)
            self.fitness = Counts(genome)

    front = tools.ParetoFront()
    for row in keys.tolist():
        front.insert(Individual(row))  # known not to be dominated: no comparisons
    spent = []
    for row in points.tolist():
        new = [Individual(row)]
        start = process_time()
        front.update(new)
        spent.append(process_time() - start)
    return float(np.median(spent))


def one_call(archive, point, n_classes):
    """Seconds for one point in a call of its own."""
    new = as_members(point[np.newaxis], n_classes)
    return _median_of(lambda turn: archive.insert(new), 100)


def choice(archive, rng):
    """Seconds for the choice of a parent."""
    return _median_of(lambda turn: partitioned_member(archive, turn, rng), 60)


def _median_of(function, n):
    spent = []
    for turn in range(n):
        start = process_time()
        function(turn)
        spent.append(process_time() - start)
    return float(np.median(spent))


def exponent(sizes, costs):
    """Slope of the logarithms: 1 if costs grow as the size does."""
    return float(np.polyfit(np.log(sizes), np.log(costs), 1)[0])


# --- tables -----------------------------------------------------------------------


def run():
    for n_classes in CLASSES:
        against_size(n_classes)


def against_size(n_classes):
    rng = np.random.default_rng(0)
    archive, rows, found = Archive(), [], []
    archive.insert(as_members(near_simplex(1, n_classes, rng), n_classes))  # compiled
    partitioned_member(archive, 0, rng)
    for size in SIZES:
        pause = fill(archive, size, n_classes, rng)
        keys = archive.members.keys.copy()
        rejected = worse_points(keys, 20 * BATCH, rng)
        accepted = better_points(keys, 2 * BATCH, n_classes, rng)
        costs = [ours(archive, points, n_classes) for points in (rejected, accepted)]
        scans = [scanned(keys, points[:BATCH]) for points in (rejected, accepted)]
        peers = ["", ""]
        if size <= _MOST_FOR_DEAP:
            peers = [by_deap(keys, points[:20]) for points in (rejected, accepted)]
            peers = [f"{peer / cost:,.0f}x" for peer, cost in zip(peers, costs, strict=True)]
        ratios = [f"{scan / cost:.0f}x" for scan, cost in zip(scans, costs, strict=True)]
        alone = one_call(archive, rejected[0], n_classes)
        chosen = choice(archive, rng)
        found.append((*costs, *scans, chosen))
        rows.append(
            [f"{size:,}", show(costs[0]), ratios[0], peers[0], show(costs[1]), ratios[1]]
            + [peers[1], show(alone), show(chosen), show(pause)]
        )
    # what does not depend on the size is most of it with fewer members
    is_large = np.array(SIZES) >= 10_000
    slopes = [exponent(np.array(SIZES)[is_large], c[is_large]) for c in np.array(found).T]
    rows.append(
        ["exponent", f"{slopes[0]:.2f}", f"({slopes[2]:.2f})", "", f"{slopes[1]:.2f}"]
        + [f"({slopes[3]:.2f})", "", "", f"{slopes[4]:.2f}", ""]
    )
    table(
        f"A point for an archive, {n_classes * (n_classes - 1)} objectives, {BATCH} points a "
        "call (numpy: a scan of all members; DEAP: ParetoFront; exponent: from 10,000 on)",
        ["members", "rejected", "numpy", "DEAP", "accepted", "numpy", "DEAP"]
        + ["one call", "choice", "longest pause"],
        rows,
    )
