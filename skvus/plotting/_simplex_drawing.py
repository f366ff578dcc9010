"""Posteriors as a picture: points in a triangle, or along a line."""

from typing import NamedTuple

import numpy as np

from skvus.plotting._front_kinds import RASTERIZED, marker_size
from skvus.plotting._simplex_geometry import CORNERS, in_plane, spread_evenly
from skvus.plotting._style import (
    MUTED,
    as_texts,
    check_axes,
    class_color,
    class_marker,
    fitting_length,
    ink,
    size_of,
)

_GRID = (0.25, 0.5, 0.75)
# What of the distance between two classes their points fill, for two classes.
_WIDTH = 0.7
# From so many points on classes are drawn in turns, or the last one would hide the others.
_DENSE = 2000
_TURNS = 20
# Circles, triangles and squares of one size differ in area, and the last would dominate.
_AREAS = (1.0, 1.5, 0.8)


class SimplexView(NamedTuple):
    """What is drawn: cases, who of them, regions, labels, who the cases are, and a title."""

    posteriors: np.ndarray
    codes: np.ndarray
    drawn: np.ndarray
    called: np.ndarray | None
    regions: list | None
    classes: list
    cases: np.ndarray
    title: str


def draw_triangle(ax, view):
    """Draw triplets of posteriors; return the artists."""
    ax = check_axes(ax, figsize=(7.4, 5.4))
    width = size_of(ax)[0]
    artists = {"ax_": ax, "regions_": _draw_regions(ax, view, in_plane)}
    (outline,) = ax.plot(*CORNERS[[0, 1, 2, 0]].T, color=ink(), linewidth=1.0, zorder=3)
    artists["outline_"] = outline
    for share in _GRID:
        for k in range(3):
            ends = (1.0 - share) * np.delete(CORNERS, k, axis=0) + share * CORNERS[k]
            ax.plot(*ends.T, color=MUTED, linewidth=0.5, alpha=0.5, zorder=2)
    artists["points_"] = _draw_points(ax, view, in_plane(view.posteriors))
    texts = as_texts(view.classes, fitting_length(0.55 * width, 2))
    artists["corners_"] = [_draw_corner(ax, k, text) for k, text in enumerate(texts)]
    ax.set(xlim=(-0.06, 1.06), ylim=(-0.1, CORNERS[2, 1] + 0.12), aspect="equal")
    ax.set_anchor("E")  # next to the legend, for which the layout would not make room else
    ax.set_axis_off()
    ax.set_title(view.title, pad=18.0)  # above the label of the third corner
    artists["legend_"] = _add_legend(ax, view, artists)
    return artists


def draw_strip(ax, view):
    """Draw posteriors of two classes along a line; return the artists."""
    ax = check_axes(ax, figsize=(7.4, 3.4))
    texts = as_texts(view.classes, fitting_length(0.25 * size_of(ax)[0]))
    points = np.column_stack([view.posteriors[:, 1], view.codes.astype(float)])
    for k in range(2):
        own = np.flatnonzero(view.codes == k)
        points[own, 1] += _WIDTH * spread_evenly(own.size)
    artists = {"ax_": ax, "regions_": _draw_regions(ax, view, _in_strip)}
    artists["points_"] = _draw_points(ax, view, points)
    ax.set(xlim=(-0.02, 1.02), ylim=(-0.6, 1.6), xlabel=f"posterior of {texts[1]}")
    ax.set(yticks=[0, 1], yticklabels=texts, ylabel="true class")
    ax.set_title(view.title)
    artists["legend_"] = _add_legend(ax, view, artists)
    return artists


def _in_strip(corners):
    """The rectangle above an interval of posteriors of the second class."""
    low, high = corners[:, 1].min(), corners[:, 1].max()
    return np.array([[low, -0.6], [high, -0.6], [high, 1.6], [low, 1.6]])


def _draw_regions(ax, view, place):
    """A polygon for each class that is called somewhere."""
    from matplotlib.patches import Polygon

    patches, texts = [], as_texts(view.classes)
    for k, corners in enumerate(view.regions or []):
        if corners is not None:
            patch = Polygon(
                place(corners),
                facecolor=(class_color(k), 0.16),
                edgecolor=ink(),
                linewidth=1.0,
                zorder=1,
                label=f"called {texts[k]}",
            )
            patches.append(ax.add_patch(patch))
    return patches


def _draw_points(ax, view, points):
    """A collection of points for each class, or for each class in each turn."""
    number = int(view.drawn.sum())
    n_turns = 1 if number <= _DENSE else _TURNS
    labels = as_texts(view.classes, fitting_length(0.25 * size_of(ax)[0]))
    rows = []
    for k, text in enumerate(labels):
        own = view.codes == k
        rows.append(np.flatnonzero(own & view.drawn))
        given = f" of {own.sum():,}" * bool(rows[k].size < own.sum())
        labels[k] = f"{text} ({rows[k].size:,}{given})"
    collections = []
    for turn in range(n_turns):
        for k, label in enumerate(labels):
            collection = ax.scatter(
                *points[rows[k][turn::n_turns]].T,
                s=_AREAS[k] * marker_size(number) ** 2,
                marker=class_marker(k),
                color=class_color(k),
                linewidths=0.0,
                alpha=float(np.clip(15.0 / np.sqrt(max(number, 1)), 0.15, 0.8)),
                zorder=4,
                label=label if turn == 0 else None,
                rasterized=number > RASTERIZED,
            )
            collections.append(collection)
    return collections


def _draw_corner(ax, k, text):
    """The sign of a class in its corner, and its label."""
    sign = ax.scatter(
        *CORNERS[k],
        s=110,
        marker=class_marker(k),
        color=class_color(k),
        edgecolors=ink(),
        zorder=5,
        clip_on=False,
    )
    ax.annotate(
        text,
        CORNERS[k],
        xytext=[(-6.0, -10.0), (6.0, -10.0), (0.0, 10.0)][k],
        textcoords="offset points",
        ha=["left", "right", "center"][k],
        va="bottom" if k == 2 else "top",
    )
    return sign


def _add_legend(ax, view, artists):
    n_classes = len(view.classes)
    legend = ax.legend(
        handles=artists["points_"][:n_classes],
        title="true class" if view.called is None else "points: true class\nareas: called so",
        loc="upper left",
        bbox_to_anchor=(1.0, 1.0),
        fontsize="small",
        title_fontsize="small",
    )
    for handle in legend.legend_handles:
        handle.set_sizes([36.0])
        handle.set_alpha(1.0)
    return legend
