"""What all displays share: colours, labels as text, axes."""

from skvus._validation import shorten

# Colour-blind readers can tell these apart, and in grey print the first six differ by at least
# 6 of 100 in lightness, the first three by 17; ink is for lines.
PALETTE = ("#0a4595", "#eaa70c", "#c8463c", "#2aa08a", "#84cdf2", "#8a3f88", "#b9b98a")
MARKERS = ("o", "^", "s", "D", "v", "P", "X")
MUTED = "#9a9a9a"
_LONGEST = 24
# inches that a character of a small text takes
_CHARACTER = 0.075
# of axes that are divided
_PANELS = "skvus_panels"


def class_color(code):
    """Colour of a class, by its number."""
    return PALETTE[code % len(PALETTE)]


def ink():
    """Colour of what belongs to no class: black, in a dark theme light."""
    return require_matplotlib().rcParams["text.color"]


def paper():
    """Colour of what sets marks off from others below them, that of the ground."""
    return require_matplotlib().rcParams["axes.facecolor"]


def class_marker(code):
    """Marker of a class, which also differs where colours repeat."""
    return MARKERS[(code + code // len(PALETTE)) % len(MARKERS)]


def as_text(label, longest=_LONGEST):
    """A label that matplotlib takes as it is: no formulas, no hidden legend entries."""
    settings = require_matplotlib().rcParams
    text = " ".join(str(label).split())
    text = text if len(text) <= longest else text[: longest - 1].rstrip() + "…"
    text = "".join(c for c in text if c.isprintable())
    text = text or ascii(str(label))[:longest]
    if settings["text.parse_math"] or settings["text.usetex"]:
        text = text.replace("$", r"\$")
    return f"\u200b{text}" if text.startswith("_") else text


def as_texts(labels, longest=_LONGEST):
    """Labels as `as_text` has them, all numbered if some of these would be the same."""
    texts = [as_text(label, longest) for label in labels]
    if len(set(texts)) == len(texts):
        return texts
    shorter = max(1, longest - len(f" [{len(texts) - 1}]"))
    return [f"{as_text(label, shorter)} [{number}]" for number, label in enumerate(labels)]


def require_matplotlib():
    """Import matplotlib's pyplot, or say how to get it."""
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError(
            "Displays need matplotlib: python -m pip install matplotlib."
        ) from error
    return plt


def require_pandas():
    """Import pandas, or say how to get it."""
    try:
        import pandas as pd
    except ImportError as error:
        raise ImportError("Tables need pandas: python -m pip install pandas.") from error
    return pd


def check_given_axes(ax, *, projection=None, is_divided=False):
    """Raise unless one can draw there: before any work is done."""
    require_matplotlib()
    from matplotlib.axes import Axes

    if ax is None:
        return
    if not isinstance(ax, Axes):
        raise TypeError(f"ax must be matplotlib axes or None; got {shorten(ax)}.")
    if ax.figure is None:
        raise ValueError("ax must be in a figure; got axes that were removed from theirs.")
    if projection is None and ax.name != "rectilinear":
        raise ValueError(
            "ax must be flat, with straight axes, for this plot; got axes of projection "
            f"{ax.name!r}."
        )
    if projection is not None and ax.name != projection:
        raise ValueError(
            f"ax must be made with subplot_kw={{'projection': {projection!r}}} for this plot; "
            f"got axes of projection {ax.name!r}."
        )
    if is_divided and ax.get_subplotspec() is None:
        raise ValueError(
            "ax must be of a grid, as plt.subplots makes them, to be divided; got "
            f"{shorten(ax)}."
        )


def check_axes(ax, *, projection=None, figsize=None):
    """The given axes, or new ones in a figure of their own.

    Parameters
    ----------
    ax : matplotlib.axes.Axes or None
    projection : str, default=None
        "3d" if that is what is drawn.
    figsize : tuple of float, default=None
        Of a new figure.
    """
    check_given_axes(ax, projection=projection)
    if ax is not None:
        _unite(ax)
        return ax
    plt = require_matplotlib()
    _, ax = plt.subplots(
        figsize=figsize, layout="constrained", subplot_kw={"projection": projection}
    )
    return ax


def divided_axes(ax, n_rows, n_columns, **options):
    """An array of axes in the place of the given ones; options are those of the grid."""
    check_given_axes(ax, is_divided=True)
    ax.set_axis_off()
    grid = ax.get_subplotspec().subgridspec(n_rows, n_columns, **options)
    panels = grid.subplots(squeeze=False)
    # the axes keep their panels, so that these last as long, even in a pickled figure
    setattr(ax, _PANELS, panels)
    return panels


def _unite(ax):
    """Take away the panels into which an earlier picture divided these axes."""
    panels = vars(ax).pop(_PANELS, None)
    if panels is None:
        return
    for panel in panels.ravel():
        if panel.figure is not None:
            panel.remove()
    ax.set_axis_on()


def fitting_length(inches, n_texts=1):
    """How many characters of a small text fit into the n-th part of a width."""
    return int(min(max(inches / n_texts / _CHARACTER, 5), _LONGEST))


def size_of(ax):
    """Width and height of axes in inches, as far as they are known before the layout."""
    place = ax.get_window_extent()
    return place.width / ax.figure.dpi, place.height / ax.figure.dpi
