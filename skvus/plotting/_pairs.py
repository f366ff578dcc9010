"""A matrix of two-way trade-offs between rates, or between miss rates."""

import numpy as np

from skvus._rates import off_diagonal
from skvus.front._display import miss_rate_columns, rate_columns
from skvus.plotting._front_kinds import (
    RASTERIZED,
    groups_by_receiver,
    marker_size,
    member_table,
)
from skvus.plotting._style import as_texts, check_axes, divided_axes, ink, paper

_MOST_CLASSES_OF_RATES = 3
_BEYOND = 2.0


def pair_table(view):
    """What the panels show of all members."""
    return member_table(view, _coordinates(view.front))


def _coordinates(front):
    """The rates of up to three classes, miss rates of more."""
    is_few = front.n_classes <= _MOST_CLASSES_OF_RATES
    return rate_columns(front) if is_few else miss_rate_columns(front)


def two_way_front(x, y):
    """Indices of the points that none dominates in two coordinates, by increasing x."""
    order = np.lexsort((y, x))
    best = np.minimum.accumulate(y[order])
    is_better = np.append(True, best[1:] < best[:-1])
    return order[is_better]


def draw_pairs(view, ax):
    """Draw a panel for each pair of rates, below the diagonal; return the artists."""
    values = np.array(list(_coordinates(view.front).values()))
    n_panels = len(values) - 1
    side = max(4.6, 1.45 * n_panels + 1.2)
    host = check_axes(ax, figsize=(side + (2.6 if n_panels == 1 else 0.8), side))
    axes = divided_axes(host, n_panels, n_panels)
    groups = list(groups_by_receiver(view.front))
    artists = {"points_": [], "stairs_": [], "chosen_": []}
    for row, column in np.ndindex(n_panels, n_panels):
        panel = axes[row, column]
        if column > row:
            panel.set_axis_off()
            continue
        drawn = _draw_panel(panel, values[column], values[row + 1], groups, view.chosen)
        for name, artist in zip(artists, drawn, strict=True):
            artists[name].append(artist)
    _name_axes(axes, _axis_texts(view.front), values)
    # the panels know how high they are, the host does not
    axes[0, (n_panels - 1) // 2].set_title(view.title)
    artists["legend_"] = _legend(axes, artists, view)
    return {"ax_": host, "axes_": axes, **artists}


def _draw_panel(panel, x, y, groups, chosen):
    """All members, the staircase of those that two rates alone would keep, the chosen one."""
    width = marker_size(len(x))
    points = [
        panel.plot(
            x[members],
            y[members],
            linestyle="",
            marker=look["marker"],
            color=look["color"],
            markersize=width,
            markeredgewidth=0.0,
            alpha=0.6,
            zorder=look["zorder"],
            label=text,
            rasterized=len(x) > RASTERIZED // 5,
        )[0]
        for _, members, look, text in groups
    ]
    best = two_way_front(x, y)
    # up and to the right the staircase leaves the panel
    (stairs,) = panel.step(
        np.concatenate([x[best[:1]], x[best], [_BEYOND]]),
        np.concatenate([[_BEYOND], y[best], y[best[-1:]]]),
        where="post",
        color=ink(),
        linewidth=1.0,
        zorder=5,
    )
    (star,) = panel.plot(
        x[chosen],
        y[chosen],
        linestyle="",
        marker="*",
        markersize=11.0,
        color=ink(),
        markeredgecolor=paper(),
        markeredgewidth=0.8,
        zorder=10,
        label=f"chosen: member {chosen:,}",
    )
    return points, stairs, star


def _axis_texts(front):
    longest = 11 if front.n_classes == 3 else 18
    texts = as_texts(front.classes, longest)
    if front.n_classes > _MOST_CLASSES_OF_RATES:
        return [f"miss rate\n{text}" for text in texts]
    pairs = zip(*np.nonzero(off_diagonal(front.n_classes)), strict=True)
    return [f"{texts[k]}\n→ {texts[j]}" for k, j in pairs]


def _name_axes(axes, texts, values):
    """Names and numbers at the left and below only; one scale for each coordinate."""
    n_panels = len(axes)
    tops = np.maximum(0.02, values.max(axis=1))
    for row, column in np.ndindex(axes.shape):
        if column > row:
            continue
        panel = axes[row, column]
        panel.set_xlim(-0.04 * tops[column], 1.06 * tops[column])
        panel.set_ylim(-0.04 * tops[row + 1], 1.06 * tops[row + 1])
        panel.locator_params(nbins=3 if n_panels > 1 else 6)
        panel.tick_params(labelsize="small")
        panel.tick_params(labelbottom=row == n_panels - 1, labelleft=column == 0)
        if row == n_panels - 1:
            panel.set_xlabel(texts[column], fontsize="small")
        if column == 0:
            panel.set_ylabel(texts[row + 1], fontsize="small")


def _legend(axes, artists, view):
    """In the free corner above the diagonal, or beside a single panel."""
    from matplotlib.lines import Line2D

    points = artists["points_"][0]
    handles = [
        Line2D([], [], linestyle="", marker=point.get_marker(), color=point.get_color())
        for point in points
    ]
    handles += [artists["chosen_"][0], artists["stairs_"][0]]
    texts = [point.get_label() for point in points]
    texts += [f"chosen: member {view.chosen:,}", "best for these two alone"]
    is_single = axes.size == 1
    legend = axes[0, -1].legend(
        handles,
        texts,
        title="most mistakes go to",
        loc="upper left" if is_single else "upper right",
        bbox_to_anchor=(1.0, 1.0) if is_single else None,
        fontsize="small",
        title_fontsize="small",
        frameon=False,
    )
    legend.set_in_layout(is_single)
    return legend
