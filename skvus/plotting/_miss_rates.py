"""Miss-rate space: the members of a front of two or three classes as points."""

import numpy as np

from skvus.front._display import miss_rate_columns
from skvus.plotting._front_kinds import (
    RASTERIZED,
    groups_by_receiver,
    marker_size,
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

# Looks at the hollow side of the surface, past the axis of the third class.
_ELEVATION, _AZIMUTH = 22.0, 38.0
# of the width of the axes
_CUBE_ENDS = 0.91
_TICKS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)


def miss_rate_table(view):
    """Miss rates of all members."""
    return member_table(view, miss_rate_columns(view.front))


def draw_miss_rates(view, ax):
    """Draw the members in the space of the miss rates; return the artists."""
    is_flat = view.front.n_classes == 2
    size = (7.2, 4.8) if is_flat else (8.0, 5.6)
    ax = check_axes(ax, projection=None if is_flat else "3d", figsize=size)
    points = view.front.miss_rates()
    artists = _draw_plane(ax, points) if is_flat else _draw_space(ax, points, view.chosen)
    artists["points_"] = _draw_members(ax, view.front, points)
    artists["chosen_"] = ax.scatter(
        *points[view.chosen, :, np.newaxis],
        s=150,
        marker="*",
        color=ink(),
        edgecolors=paper(),
        linewidths=0.8,
        zorder=10,
        label=f"chosen: member {view.chosen:,}",
        **({} if is_flat else {"depthshade": False}),
    )
    _name_axes(ax, view)
    _add_legend(ax, artists, is_flat)
    return {"ax_": ax, **artists}


def _draw_members(ax, front, points):
    """A collection of points for each class that receives most mistakes."""
    width = marker_size(len(points))
    # what is far is not paler: colours have a meaning of their own
    unshaded = {} if front.n_classes == 2 else {"depthshade": False}
    collections = []
    for _, members, look, text in groups_by_receiver(front):
        collection = ax.scatter(
            *points[members].T,
            s=width**2,
            marker=look["marker"],
            color=look["color"],
            linewidths=0.0,
            alpha=0.9,
            zorder=look["zorder"],
            label=text,
            rasterized=len(points) > RASTERIZED,
            **unshaded,
        )
        collections.append(collection)
    return collections


def _draw_plane(ax, points):
    """What two classes have beside points: the staircase, and random allocation."""
    points = points[np.lexsort(points.T[::-1])]
    (stairs,) = ax.step(*points.T, where="post", color=MUTED, linewidth=1.0, zorder=2)
    (random,) = ax.plot(
        [0.0, 1.0], [1.0, 0.0], color=ink(), alpha=0.65, linestyle="--", linewidth=1.0
    )
    random.set_label("random allocation")
    ax.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), aspect="equal")
    return {"stairs_": [stairs], "random_": random}


def _draw_space(ax, points, chosen):
    """What three classes have beside points: random allocation, and where the chosen one is."""
    corners = 1.0 - np.eye(3)
    (random,) = ax.plot(
        *corners[[0, 1, 2, 0]].T,
        color=ink(),
        alpha=0.65,
        linestyle="--",
        linewidth=1.0,
        zorder=5,
    )
    random.set_label("random allocation")
    x, y, z = points[chosen]
    path = np.array([[x, y, z], [x, y, 0.0], [x, 0.0, 0.0], [x, y, 0.0], [0.0, y, 0.0]])
    (drop,) = ax.plot(*path.T, color=ink(), linewidth=1.2, linestyle=":", zorder=9)
    ax.computed_zorder = False
    ax.view_init(elev=_ELEVATION, azim=_AZIMUTH)
    ax.set(xlim=(0.0, 1.0), ylim=(0.0, 1.0), zlim=(0.0, 1.0))
    # where axes meet, one number is for both
    ax.set(xticks=_TICKS, yticks=_TICKS[:-1], zticks=_TICKS[1:])
    ax.set_box_aspect(None, zoom=0.84)
    return {"random_": random, "drop_line_": drop}


def _name_axes(ax, view):
    # in space axes have a part of the width or height each
    share = 1.0 if view.front.n_classes == 2 else 0.25
    longest = fitting_length(share * min(size_of(ax)))
    texts = as_texts(view.front.classes, longest)
    for axis, text in zip("xyz", texts, strict=False):
        getattr(ax, f"set_{axis}label")(f"miss rate of {text}", labelpad=6.0)
    ax.set_title(view.title)


def _add_legend(ax, artists, is_flat):
    handles = [*artists["points_"], artists["chosen_"], artists["random_"]]
    legend = ax.legend(
        handles,
        [handle.get_label() for handle in handles],
        title="most mistakes go to",
        loc="upper left",
        bbox_to_anchor=(1.0 if is_flat else _CUBE_ENDS, 1.0),
        fontsize="small",
        title_fontsize="small",
        frameon=False,
    )
    for handle in legend.legend_handles[: len(artists["points_"])]:
        handle.set_sizes([36.0])
        handle.set_alpha(1.0)
    artists["legend_"] = legend
