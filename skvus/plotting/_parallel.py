"""Parallel coordinates: a line for each member, an axis for each kind of mistake."""

import numpy as np

from skvus._rates import off_diagonal, rates_to_points
from skvus.front._display import rate_columns
from skvus.plotting._front_kinds import (
    RASTERIZED,
    groups_by_receiver,
    member_table,
)
from skvus.plotting._style import (
    MUTED,
    as_texts,
    check_axes,
    fitting_length,
    ink,
    paper,
    size_of,
)

# From one true class to the next, in steps between axes.
_GAP = 1.6
_LONGEST_UPRIGHT = 14
# If such a share of the members has no rate above such a part of the axes, these end earlier.
_IN_SIGHT, _SQUEEZED = 0.97, 0.4
# Of the width of axes, what a legend beside them leaves.
_LEFT = 0.75


def parallel_table(view):
    """Rates of all mistakes of all members."""
    return member_table(view, rate_columns(view.front))


def axis_places(n_classes):
    """Where the axes of all rates are, those of a true class side by side."""
    places = np.arange(n_classes * (n_classes - 1), dtype=float)
    return places + (_GAP - 1.0) * (places // (n_classes - 1))


def axis_top(largest, chosen):
    """Where the axes end: above all members, unless few of them would squeeze the others."""
    whole, most = largest.max(), np.quantile(largest, _IN_SIGHT)
    is_squeezed = most < _SQUEEZED * whole
    top = max(most, largest[chosen]) if is_squeezed else whole
    return max(0.05, 1.04 * float(top))


def draw_parallel(view, ax):
    """Draw the members as lines; return the artists."""
    from matplotlib.patheffects import withStroke

    front = view.front
    places = axis_places(front.n_classes)
    width = 3.1 + max(1.3 * front.n_classes, 0.33 * len(places))
    ax = check_axes(ax, figsize=(float(np.clip(width, 6.4, 30.0)), 4.8))
    points = rates_to_points(front.rates)
    for place in places:
        ax.axvline(place, color=MUTED, linewidth=0.6, alpha=0.5, zorder=1)
    groups = list(groups_by_receiver(front))
    artists = {"lines_": [ax.add_collection(_member_lines(points, places, groups))]}
    (artists["chosen_"],) = ax.plot(
        places,
        points[view.chosen],
        color=ink(),
        marker="o",
        markersize=4.5,
        markeredgecolor=paper(),
        markeredgewidth=0.6,
        linewidth=1.8,
        path_effects=[withStroke(linewidth=3.4, foreground=paper())],
        zorder=10,
        label=f"chosen: member {view.chosen:,}",
    )
    _name_axes(ax, view, places)
    artists["legend_"] = _legend(ax, artists["chosen_"], groups)
    return {"ax_": ax, **artists}


def _member_lines(points, places, groups):
    """All members as lines, those most distant from random allocation on top."""
    from matplotlib.collections import LineCollection
    from matplotlib.colors import to_rgba

    number = len(points)
    alpha = float(np.clip(6.0 * number**-0.6, 0.03, 0.8))
    colors = np.empty((number, 4))
    for _, members, look, _ in groups:
        colors[members] = to_rgba(look["color"], alpha)
    order = np.argsort(-points.sum(axis=1), kind="stable")
    paths = np.empty((number, len(places), 2))
    paths[:, :, 0], paths[:, :, 1] = places, points[order]
    return LineCollection(
        paths,
        colors=colors[order],
        linewidths=0.8,
        zorder=3,
        rasterized=number > RASTERIZED // 5,
    )


def _name_axes(ax, view, places):
    """Below each axis the class that is called, above those of a class the true one."""
    n_classes = view.front.n_classes
    width = _LEFT * size_of(ax)[0]
    called = np.nonzero(off_diagonal(n_classes))[1]
    side = fitting_length(width, places[-1] + 1.0) - 2
    texts = as_texts(view.front.classes)
    is_level = max(map(len, texts)) <= side
    if not is_level:
        texts = as_texts(view.front.classes, _LONGEST_UPRIGHT)
    points = 72.0 * width / (places[-1] + 1.0)
    ax.set_xticks(
        places,
        [f"→ {texts[j]}" for j in called],
        rotation=0 if is_level else 90,
        fontsize="small" if is_level or points > 9.0 else max(0.9 * points, 3.0),
    )
    ax.set(xlim=(places[0] - 0.4, places[-1] + 0.4))
    largest = rates_to_points(view.front.rates).max(axis=1)
    top = axis_top(largest, view.chosen)
    ax.set_ylim(-0.01 * min(1.0, 2.0 * top), top)
    beyond = int((largest > top).sum())
    words = f"rate of the mistake\n({beyond:,} lines run on above)" if beyond else ""
    ax.set(ylabel=words or "rate of the mistake", title=view.title)
    middles = places.reshape(n_classes, -1).mean(axis=1)
    texts = as_texts(view.front.classes, fitting_length(width, n_classes))
    # minor ticks, since a second axis above could not be pickled
    ax.xaxis.remove_overlapping_locs = False
    ax.set_xticks(middles, [f"true\n{text}" for text in texts], minor=True, fontsize="small")
    ax.tick_params(axis="x", which="minor", length=0, labelbottom=False, labeltop=True)


def _legend(ax, chosen, groups):
    from matplotlib.lines import Line2D

    handles = [Line2D([], [], color=look["color"], linewidth=2.5) for _, _, look, _ in groups]
    texts = [text for *_, text in groups]
    return ax.legend(
        [*handles, chosen],
        [*texts, chosen.get_label()],
        title="most mistakes go to",
        loc="upper left",
        bbox_to_anchor=(1.0, 1.0),
        fontsize="small",
        title_fontsize="small",
        frameon=False,
    )
