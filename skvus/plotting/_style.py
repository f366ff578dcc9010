"""What all displays share: colours, labels as text, axes."""

from skvus._validation import shorten

# Okabe and Ito's colours, which colour-blind readers can tell apart; black is for lines.
PALETTE = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#f0e442")
MARKERS = ("o", "^", "s", "D", "v", "P", "X")
CHOSEN = "#000000"
MUTED = "#9a9a9a"
_LONGEST = 24


def class_color(code):
    """Colour of a class, by its number."""
    return PALETTE[code % len(PALETTE)]


def class_marker(code):
    """Marker of a class, which also differs where colours repeat."""
    return MARKERS[(code + code // len(PALETTE)) % len(MARKERS)]


def as_text(label, longest=_LONGEST):
    """A label that matplotlib takes as it is: no formulas, no hidden legend entries."""
    text = " ".join(str(label).split())
    text = text if len(text) <= longest else text[: longest - 1] + "…"
    text = "".join(c for c in text if c.isprintable())
    text = (text or ascii(str(label))[:longest]).replace("$", r"\$")
    return f"\u200b{text}" if text.startswith("_") else text


def as_texts(labels, longest=_LONGEST):
    """Labels as `as_text` has them, numbered where these would be the same."""
    texts = [as_text(label, longest) for label in labels]
    return [
        text if texts.count(text) == 1 else f"{text} [{number}]"
        for number, text in enumerate(texts)
    ]


def require_matplotlib():
    """Import matplotlib's pyplot, or say how to get it."""
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError(
            'Displays need matplotlib: python -m pip install "skvus[plot]".'
        ) from error
    return plt


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
    plt = require_matplotlib()
    from matplotlib.axes import Axes

    if ax is None:
        _, ax = plt.subplots(
            figsize=figsize, layout="constrained", subplot_kw={"projection": projection}
        )
        return ax
    if not isinstance(ax, Axes):
        raise TypeError(f"ax must be matplotlib axes or None; got {shorten(ax)}.")
    if projection is None and ax.name == "3d":
        raise ValueError("ax must be flat for this plot; got axes of projection '3d'.")
    if projection is not None and ax.name != projection:
        raise ValueError(
            f"ax must be made with subplot_kw={{'projection': {projection!r}}} for this plot; "
            f"got axes of projection {ax.name!r}."
        )
    return ax


def divided_axes(ax, n_rows, n_columns, *, figsize=None, **options):
    """An array of axes: of a new figure, or in the place of the given ones."""
    plt = require_matplotlib()
    if ax is None:
        figure = plt.figure(figsize=figsize, layout="constrained")
        return figure.subplots(n_rows, n_columns, squeeze=False, **options)
    ax = check_axes(ax)
    place = ax.get_subplotspec()
    if place is None:
        raise ValueError("ax must be of a grid, as plt.subplots makes them, to be divided.")
    ax.set_axis_off()
    grid = place.subgridspec(n_rows, n_columns)
    return grid.subplots(squeeze=False, **options)
