"""Parallel coordinates: a line for each member, an axis for each kind of mistake."""

import numpy as np

from skvus._rates import off_diagonal, rates_to_points
from skvus.plotting._front_kinds import (
    RASTERIZED,
    groups_by_receiver,
    member_table,
    rate_columns,
)
from skvus.plotting._style import CHOSEN, MUTED, as_texts, check_axes

# From one true class to the next, in steps between axes.
_GAP = 1.6
_MOST_UPRIGHT = 6


def parallel_table(view):
    """Rates of all mistakes of all members."""
    return member_table(view, rate_columns(view.front))


def axis_places(n_classes):
    """Where the axes of all rates are, those of a true class side by side."""
    places = np.arange(n_classes * (n_classes - 1), dtype=float)
    return places + (_GAP - 1.0) * (places // (n_classes - 1))


def draw_parallel(view, ax):
    """Draw the members as lines; return the artists."""
    front = view.front
    places = axis_places(front.n_classes)
    ax = check_axes(ax, figsize=(max(6.4, 2.4 + 0.32 * len(places)), 4.8))
    points = rates_to_points(front.rates)
    for place in places:
        ax.axvline(place, color=MUTED, linewidth=0.6, alpha=0.5, zorder=1)
    artists = {"lines_": _draw_members(ax, front, points, places)}
    (artists["chosen_"],) = ax.plot(
        places,
        points[view.chosen],
        color=CHOSEN,
        marker="o",
        markersize=4.5,
        markeredgecolor="white",
        markeredgewidth=0.6,
        linewidth=1.8,
        zorder=10,
        label=f"chosen: member {view.chosen:,}",
    )
    _name_axes(ax, view, places)
    artists["legend_"] = _legend(ax, artists)
    return {"ax_": ax, **artists}


def _draw_members(ax, front, points, places):
    """One collection of lines for each class that receives most mistakes."""
    from matplotlib.collections import LineCollection

    alpha = float(np.clip(6.0 * len(points) ** -0.6, 0.02, 0.8))
    collections = []
    for _, members, look, text in groups_by_receiver(front):
        paths = np.empty((len(members), len(places), 2))
        paths[:, :, 0], paths[:, :, 1] = places, points[members]
        lines = LineCollection(
            paths,
            colors=look["color"],
            alpha=alpha,
            linewidths=0.8,
            label=text,
            zorder=3,
            rasterized=len(points) > RASTERIZED // 5,
        )
        collections.append(ax.add_collection(lines))
    return collections


def _name_axes(ax, view, places):
    """Below each axis the class that is called, below those of a class the true one."""
    n_classes = view.front.n_classes
    called = np.nonzero(off_diagonal(n_classes))[1]
    longest = 24 if n_classes <= 4 else 14
    texts = as_texts(view.front.classes, longest)
    is_upright = len(places) <= _MOST_UPRIGHT and max(map(len, texts)) <= 10
    ax.set_xticks(places, [f"→ {texts[j]}" for j in called], rotation=0 if is_upright else 90)
    ax.set(xlim=(places[0] - 0.4, places[-1] + 0.4), ylim=(-0.01, 1.01))
    ax.set_ylim(top=max(0.05, 1.04 * rates_to_points(view.front.rates).max()))
    ax.set(ylabel="rate of the mistake", title=view.title)
    above = ax.secondary_xaxis("top")
    middles = places.reshape(n_classes, -1).mean(axis=1)
    above.set_xticks(middles, [f"true {text}" for text in texts])
    above.tick_params(length=0)
    above.spines["top"].set_visible(False)


def _legend(ax, artists):
    from matplotlib.lines import Line2D

    lines = artists["lines_"]
    handles = [Line2D([], [], color=line.get_color()[0, :3], linewidth=2.5) for line in lines]
    handles.append(artists["chosen_"])
    texts = [handle.get_label() for handle in (*lines, artists["chosen_"])]
    return ax.legend(
        handles,
        texts,
        title="most mistakes go to",
        loc="upper left",
        bbox_to_anchor=(1.0, 1.0),
        fontsize="small",
        title_fontsize="small",
        frameon=False,
    )
