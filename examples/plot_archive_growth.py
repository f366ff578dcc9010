"""
Does a search slow down as its archive grows?
=============================================

`ParetoROCSearch` forgets no trade-off: its archive keeps every operating point that no other
one dominates, and each new point must be compared with all of them. With six or twelve kinds
of mistakes there may be a hundred thousand. What does one more point cost then? We compare the
archive of skvus with a scan of all members by numpy, and with ``ParetoFront`` of DEAP [1]_.

.. [1] F.-A. Fortin et al., "DEAP: Evolutionary algorithms made easy", Journal of Machine
   Learning Research 13, 2012.
"""

# %%
# Points
# ------
# Three classes have six kinds of mistakes. The points are counts of them near a simplex, so
# that hardly any dominates another: the worst case, as nearly all of them stay.
#
# The archive is an inner part of the search; here, we look at it alone. A member has more than
# its counts (rates, costs, the classifier that it is from), which does not matter here.

from copy import deepcopy
from time import process_time

import matplotlib.pyplot as plt
import numpy as np
from deap import base, tools
from matplotlib.ticker import FuncFormatter

from skvus.search._archive import Archive, Members

BLUE, VERMILION, GREEN, GREY = "#0072B2", "#D55E00", "#009E73", "#666666"
SIZES = [100, 1_000, 10_000, 100_000]
MOST_FOR_DEAP = 10_000
BATCH = 100  # points that are inserted at once, as many as the search tries costs
N_KINDS = 6


def draw_points(n, rng):
    """Counts of mistakes of n classifiers."""
    shares = rng.dirichlet(np.ones(N_KINDS), size=n)
    return np.rint(10_000 * (1 + 0.05 * rng.random((n, 1))) * shares).astype(np.int64)


def as_members(points):
    """What the archive takes."""
    matrices, numbers = np.zeros((len(points), 3, 3)), np.arange(len(points))
    return Members(points, matrices, matrices, matrices, numbers, numbers)


def is_dominated(members, point):
    """Whether a member is nowhere above a point: a look at all of them."""
    return bool((members <= point).all(axis=1).any())


# %%
# What is timed
# -------------
# Most points that a search tries are *rejected*: a member dominates them. Those that *enter*
# take longer, as all the members that they dominate must be found and taken out. We time both,
# for archives of 100 to 100,000 members. Times are those of the processor, medians of several
# runs.


def seconds(function):
    """Processor time of a call."""
    start = process_time()
    function()
    return process_time() - start


def ours(archive, points):
    """Seconds for each point with skvus, in batches."""
    times = []
    for first in range(0, len(points), BATCH):
        new, copy = as_members(points[first : first + BATCH]), deepcopy(archive)
        copy.make_room(new)
        times.append(seconds(lambda copy=copy, new=new: copy.insert(new)) / new.n)
    return np.median(times)


def scan(members, points):
    """Seconds for each point with numpy: is it dominated, and if not, what does it dominate?"""

    def insert(point):
        if not is_dominated(members, point):
            return members[~(point <= members).all(axis=1)]
        return members

    return np.median([seconds(lambda point=point: insert(point)) for point in points])


class Mistakes(base.Fitness):
    """To be minimised."""

    weights = (-1.0,) * N_KINDS


class Individual(list):
    """A point as DEAP has it."""

    def __init__(self, point):
        super().__init__(point)
        self.fitness = Mistakes(point)


def by_deap(members, points):
    """Seconds for each point with DEAP."""
    front = tools.ParetoFront()
    for member in members.tolist():
        front.insert(Individual(member))  # without a comparison: none dominates another
    return np.median(
        [seconds(lambda point=point: front.update([Individual(point)])) for point in points]
    )


rng = np.random.default_rng(0)
archive = Archive()
archive.insert(as_members(draw_points(1, rng)))  # compiles
costs = {}
longest = 0.0
for size in SIZES:
    while len(archive) < size:
        new = as_members(draw_points(min(BATCH, size - len(archive)), rng))
        longest = max(longest, seconds(lambda new=new: archive.insert(new)))
    members = archive.members.keys.copy()
    worse = members[rng.integers(size, size=10 * BATCH)]
    worse = worse + rng.integers(0, 100, size=worse.shape)
    fresh = [point for point in draw_points(700, rng) if not is_dominated(members, point)]
    for kind, points in (("rejected", worse), ("entered", np.array(fresh[: 5 * BATCH]))):
        costs["skvus", kind, size] = ours(archive, points)
        costs["scan with numpy", kind, size] = scan(members, points[:30])
        if size <= MOST_FOR_DEAP:
            costs["DEAP", kind, size] = by_deap(members, points[:10].tolist())

# %%
# How costs grow
# --------------
# The scan looks at all members, so it takes ten times as long for ten times as many; so does
# DEAP, which is written in Python. The archive of skvus has an index: for each kind of mistake
# and each of 32 levels, a set of bits tells which members are below. The intersection of six
# sets, 64 members in a machine word, leaves few members to be compared. Beyond 10,000 members
# the sets themselves are what takes time, and the cost grows nearly as the size, too, some
# hundred times lower.

METHODS = {"DEAP": GREEN, "scan with numpy": VERMILION, "skvus": BLUE}
print(f"microseconds for a point{'members':>16}" + "".join(f"{size:>10,}" for size in SIZES))
for method in METHODS:
    for kind in ("rejected", "entered"):
        row = [costs.get((method, kind, size)) for size in SIZES]
        cells = "".join(f"{1e6 * cost:10.1f}" if cost else f"{'':>10}" for cost in row)
        print(f"  {method + ', ' + kind:<38}{cells}")
ratio = costs["scan with numpy", "rejected", SIZES[-1]] / costs["skvus", "rejected", SIZES[-1]]
print(
    f"with {SIZES[-1]:,} members, skvus rejects a point {ratio:.0f} times as fast as the scan"
)

# %%
# In the figure, filled marks are points that entered, and hollow ones such that were rejected.

figure, ax = plt.subplots(figsize=(7.5, 5), layout="constrained")
for method, colour in METHODS.items():
    for kind, face, line in (("entered", colour, "-"), ("rejected", "white", "--")):
        sizes = [size for size in SIZES if (method, kind, size) in costs]
        times = [1e6 * costs[method, kind, size] for size in sizes]
        ax.plot(
            *(sizes, times, line),
            marker={"skvus": "o", "scan with numpy": "s", "DEAP": "^"}[method],
            color=colour,
            markerfacecolor=face,
            label=f"{method}, {kind}",
        )
guide = np.array([20_000, 100_000])
start = 0.35 * 1e6 * costs["scan with numpy", "rejected", 10_000]
ax.plot(guide, start * guide / 10_000, color=GREY, linewidth=1)
ax.text(1.1e5, start * 10, "as the\nsize", color=GREY, va="center")
ax.set_xscale("log")
ax.set_yscale("log")
ax.set_xlim(70, 2.5e5)
ax.set_ylim(top=10 * ax.get_ylim()[1])  # room for the legend
ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
ax.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,g}"))
ax.set_xlabel("members of the archive")
ax.set_ylabel("microseconds for a new point")
ax.legend(frameon=False, loc="upper left", ncols=3)
ax.grid(alpha=0.3)

# %%
# What it means for a search
# --------------------------
# A search tries 100 costs with each classifier that it fits. Even with 100,000 members, to
# insert or to reject them all takes some milliseconds, less than most fits. Now and then the
# archive needs more room, and its index is made anew:

whole = BATCH * costs["skvus", "entered", SIZES[-1]]
print(f"{BATCH} points that enter among {SIZES[-1]:,}: {1e3 * whole:.1f} ms")
print(f"longest pause on the way there: {1e3 * longest:.0f} ms")

# %%
# Such times depend on the machine; their ratios hardly do. ``python -m benchmarks archive`` has
# more of them: twelve kinds of mistakes, 200,000 members, the choice of parents.

plt.show()
