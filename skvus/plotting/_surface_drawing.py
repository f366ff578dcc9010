"""The surface of true rates as a picture: a curve in the plane, or a mesh in space."""

import numpy as np

from skvus.plotting._style import (
    MUTED,
    PALETTE,
    as_texts,
    check_axes,
    fitting_length,
    ink,
    paper,
    size_of,
)
from skvus.plotting._surface_geometry import four_corners

# Looks at the surface from where all classes are called right.
_ELEVATION, _AZIMUTH = 26.0, 38.0
_COLORS = "viridis"
# inches that the words before a label take
_WORDS = 1.0
_TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)


# inches that a title of one line needs
_TITLE = 3.8


def is_narrow(ax):
    """Whether the title needs another line."""
    return size_of(ax)[0] < _TITLE


def draw_curve(ax, true_rates, equal, classes):
    """Draw the curve of two true rates; return the artists."""
    ax = check_axes(ax, figsize=(5.6, 5.2))
    (surface,) = ax.plot(*true_rates.T, color=PALETTE[0], linewidth=1.8, zorder=3)
    surface.set_label("all class weightings")
    below = ax.fill_between(*true_rates.T, color=PALETTE[0], alpha=0.12, linewidth=0.0)
    (random,) = ax.plot([0.0, 1.0], [1.0, 0.0], color=MUTED, linestyle="--", linewidth=1.2)
    random.set_label("random allocation")
    ax.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), aspect="equal")
    artists = {"ax_": ax, "surface_": surface, "below_": below, "random_": random}
    artists["equal_"] = _draw_equal(ax, equal)
    _name_axes(ax, classes, 0.8 * min(size_of(ax)))
    artists["legend_"] = _add_legend(ax, artists, [surface], loc="lower left")
    return artists


def draw_mesh(ax, true_rates, equal, classes):
    """Draw the mesh of three true rates; return the artists."""
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection

    ax = check_axes(ax, projection="3d", figsize=(7.4, 6.0))
    width = size_of(ax)[0]
    ax.computed_zorder = False
    corners = four_corners(true_rates)
    scale = Normalize(min(1.0 / 3.0, true_rates.mean(axis=2).min()), 1.0)
    colors = ScalarMappable(scale, _COLORS)
    # what is better than random hides the plane of random allocation from here
    is_above = true_rates.sum(axis=2).mean() >= 1.0
    surface = Poly3DCollection(
        corners,
        facecolors=colors.to_rgba(corners.mean(axis=(1, 2))),
        edgecolors=(0.0, 0.0, 0.0, 0.25),
        linewidths=0.3,
        alpha=0.85,
        zorder=3,
    )
    ax.add_collection3d(surface)
    random = Poly3DCollection(
        [np.eye(3)], facecolors=MUTED, alpha=0.25, zorder=2 if is_above else 4
    )
    ax.add_collection3d(random)
    (outline,) = ax.plot(
        *np.eye(3)[[0, 1, 2, 0]].T, color=ink(), linestyle="--", linewidth=1.0, zorder=5
    )
    outline.set_label("random allocation")
    artists = {"ax_": ax, "surface_": surface, "plane_": random, "random_": outline}
    artists["equal_"] = _draw_equal(ax, equal)
    ax.view_init(elev=_ELEVATION, azim=_AZIMUTH)
    for axis in "xyz":  # short labels, which do not meet in the corner
        ax.set(**{f"{axis}lim": (0.0, 1.0), f"{axis}ticks": _TICKS})
        getattr(ax, f"{axis}axis").set_major_formatter("{x:g}")
    ax.set_box_aspect(None, zoom=0.88)
    _name_axes(ax, classes, 0.4 * width)
    bar = ax.figure.colorbar(colors, ax=ax, shrink=0.6, pad=0.08)
    bar.set_label("mean of the true rates")
    artists["colorbar_"] = bar
    artists["legend_"] = _add_legend(ax, artists, [], loc="upper left")
    return artists


def _draw_equal(ax, equal):
    """Mark the decisions of the classifier as it is."""
    if equal is None:
        return None
    options = {"depthshade": False} if ax.name == "3d" else {}
    return ax.scatter(
        *np.reshape(equal, (-1, 1)),
        s=150,
        marker="*",
        color=ink(),
        edgecolors=paper(),
        linewidths=0.8,
        zorder=10,
        label="equal weights",
        **options,
    )


def _name_axes(ax, classes, length):
    """Labels of the axes, in as many inches."""
    texts = as_texts(classes, fitting_length(length - _WORDS))
    for axis, text in zip("xyz", texts, strict=False):
        ax.set(**{f"{axis}label": f"true rate of {text}"})


def _add_legend(ax, artists, first, **options):
    handles = [*first, artists["equal_"], artists["random_"]]
    handles = [handle for handle in handles if handle is not None]
    return ax.legend(handles=handles, fontsize="small", **options)
