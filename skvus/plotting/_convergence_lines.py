"""Progress of searches as lines: panels that share what they go along."""

from typing import NamedTuple

import numpy as np

from skvus.plotting._convergence import CONFIDENCE, DEFAULT_NAME, SPEED
from skvus.plotting._style import (
    PALETTE,
    as_texts,
    check_axes,
    class_color,
    divided_axes,
    ink,
)

_X_LABELS = {
    "generation": "generation",
    "evaluations": "operating points evaluated",
    "seconds": "seconds",
}
_Y_LABELS = {
    "size": "members of\nthe front",
    "gini": "Gini coefficient G",
    SPEED: "evaluations\nper second",
}
_LINES = ("-", "--", "-.", ":")
# Up to so many points each has a mark of its own.
_FEW = 30
_TOO_DIFFERENT = 10.0


class _Look(NamedTuple):
    """How lines of an island, or of a search, look; who has the same number shares a name."""

    number: int | None
    color: str
    linestyle: str
    label: str


def draw_progress(view, ax):
    """Draw all panels; return the artists."""
    width = 6.4 if view.n_lines == 1 else 8.4  # there is a legend
    host = check_axes(ax, figsize=(width, 1.4 + 1.7 * len(view.panels)))
    axes = divided_axes(host, len(view.panels), 1)[:, 0]
    panels = dict(zip(view.panels, axes, strict=True))
    artists = {"size_lines_": [], "gini_lines_": [], "gini_bands_": [], "speed_lines_": []}
    named = {}
    for progress, looks, speed_look in _looks(view):
        for island, look in zip(progress.islands, looks, strict=True):
            rows = progress.rows(island)
            for panel, name in (("size", "size_lines_"), ("gini", "gini_lines_")):
                if panel in progress.panels:
                    line = _line(panels[panel], progress, rows, view.x, panel, look)
                    artists[name].append(line)
                    named.setdefault(look.number, line)
            artists["gini_bands_"] += _bands(panels.get("gini"), progress, rows, view.x, look)
        if SPEED in progress.panels:
            rows = progress.whole()
            line = _line(panels[SPEED], progress, rows, view.x, SPEED, speed_look)
            artists["speed_lines_"].append(line)
            named.setdefault(speed_look.number, line)
    _name_axes(view, panels, has_bands=bool(artists["gini_bands_"]))
    artists["legend_"] = _legend(axes[0], list(named.values()))
    return {"ax_": host, "axes_": axes, **artists}


def _looks(view):
    """For each search: its progress, the looks of its islands, and that of what they share."""
    several = len(view.searches) > 1
    texts = as_texts(view.searches)
    for i, (text, progress) in enumerate(zip(texts, view.searches.values(), strict=True)):
        n_islands = len(progress.islands)
        if not several and 1 < n_islands <= len(PALETTE):
            looks = [_look(k, f"island {k}") for k in progress.islands]
            yield progress, looks, _Look(None, ink(), "-", "all islands")
        else:
            label = text if n_islands == 1 else f"{text}: {n_islands} islands"
            yield progress, n_islands * [_look(i, label)], _look(i, label)


def _look(number, label):
    line = _LINES[(number + number // len(PALETTE)) % len(_LINES)]
    return _Look(number, class_color(number), line, label)


def _line(ax, progress, rows, x, panel, look):
    """A line through what was measured; its end is marked, or all of it if that is little."""
    along, values = progress.table[x][rows], progress.table[panel][rows]
    known = np.isfinite(values)
    is_sparse = known.sum() <= _FEW or not known[1:].all()
    (line,) = ax.plot(
        along[known],
        values[known],
        color=look.color,
        linestyle=look.linestyle,
        label=look.label,
        linewidth=1.6 if len(progress.islands) == 1 or panel == SPEED else 1.0,
        marker="o",
        markersize=3.5,
        markevery=None if is_sparse else [-1],
    )
    return line


def _bands(ax, progress, rows, x, look):
    low, high = progress.table["gini low"][rows], progress.table["gini high"][rows]
    known = np.isfinite(low)
    if not known.any():
        return []
    along, low, high = progress.table[x][rows][known], low[known], high[known]
    if along.size == 1:  # a band of no width
        return [ax.vlines(along, low, high, color=look.color, linewidth=1.2, alpha=0.6)]
    alpha = max(0.04, 0.16 / len(progress.islands))
    return [ax.fill_between(along, low, high, color=look.color, alpha=alpha, linewidth=0.0)]


def _name_axes(view, panels, *, has_bands):
    from matplotlib.ticker import MaxNLocator, StrMethodFormatter

    first, *others = panels.values()
    for panel in others:
        panel.sharex(first)
    for name, panel in panels.items():
        panel.set_ylabel(_Y_LABELS[name])
        panel.yaxis.set_major_formatter(StrMethodFormatter("{x:,.10g}"))
        panel.yaxis.set_major_locator(MaxNLocator(5, integer=name == "size"))
        panel.spines[["top", "right"]].set_visible(False)
        panel.grid(axis="y", linewidth=0.5, alpha=0.4)
        panel.label_outer()
    if has_bands:
        panels["gini"].set_ylabel(f"{_Y_LABELS['gini']}\n(band: {CONFIDENCE:.0%} limits)")
    if SPEED in panels:
        _scale_speed(panels[SPEED], view)
    last = [first, *others][-1]
    last.set_xlabel(_X_LABELS[view.x])
    last.xaxis.set_major_formatter(StrMethodFormatter("{x:,.10g}"))
    last.xaxis.set_major_locator(MaxNLocator(6, integer=view.x != "seconds"))
    last.figure.align_ylabels(list(panels.values()))
    ends = [limit(view.along) for limit in (np.min, np.max)]
    if ends[0] == ends[1]:
        last.set_xlim(ends[0] - 1.0, ends[1] + 1.0)
    first.set_title(_title(view), fontsize="medium")


def _scale_speed(panel, view):
    """From 0, or in powers of ten where searches are too different for that."""
    speeds = [one.table[SPEED] for one in view.searches.values() if SPEED in one.panels]
    typical = [np.nanmedian(speed) for speed in speeds]
    if max(typical) > _TOO_DIFFERENT * min(typical) > 0.0:
        panel.set_yscale("log")
    else:
        panel.set_ylim(bottom=0.0)


def _title(view):
    if len(view.searches) > 1:
        return f"Progress of {len(view.searches)} searches"
    ((name, progress),) = view.searches.items()
    text = progress.text
    return text if name == DEFAULT_NAME else f"{as_texts([name])[0]}: {text}"


def _legend(ax, lines):
    """Names of the lines, where there are several."""
    if len(lines) == 1:
        return None
    return ax.legend(
        handles=lines,
        loc="upper left",
        bbox_to_anchor=(1.0, 1.0),
        fontsize="small",
        frameon=False,
    )
