"""Several fronts side by side: distances from the random simplex, and volumes."""

from dataclasses import replace

import numpy as np

from skvus._rates import rates_to_points
from skvus.front._geometry import check_sampling
from skvus.front._measures import dominated_share, exact_is_allowed
from skvus.front._results import show
from skvus.plotting._style import (
    as_texts,
    check_axes,
    class_color,
    divided_axes,
    ink,
    paper,
)

_MOST_BINS = 60
_HATCHES = ("", "//", "\\\\", "..", "xx", "++", "oo")
_LINES = ("-", "--", "-.", ":")
_LONGEST_LINE = 24
# Members are on the random simplex that rounding alone keeps from it.
_NEAR = 1e-12


# --- distances ---------------------------------------------------------------------


def distance_table(view):
    """How many members of each front lie how far from the random simplex."""
    distances = {name: front.random_simplex_distance() for name, front in view.fronts.items()}
    edges = bin_edges(np.concatenate(list(distances.values())))
    counts = {name: np.histogram(values, edges)[0] for name, values in distances.items()}
    n_bins = len(edges) - 1
    return {
        "front": np.repeat(np.array(list(distances), dtype=object), n_bins),
        "left": np.tile(edges[:-1], len(distances)),
        "right": np.tile(edges[1:], len(distances)),
        "members": np.concatenate(list(counts.values())),
        "share": np.concatenate([count / count.sum() for count in counts.values()]),
    }


def bin_edges(values):
    """Bins of one width, one edge of which is 0: none has members on both sides of random."""
    low, high = min(values.min(), 0.0), max(values.max(), 0.0)
    if high - low < 1e-9:
        return np.array([-0.01, 0.0, 0.01])
    n_bins = np.clip(2.0 * len(values) ** (1 / 3), 8, _MOST_BINS)
    width = (high - low) / n_bins
    first, last = np.floor(low / width), np.ceil(high / width)
    edges = np.arange(first, max(last, 1.0) + 1.0) * width
    # rounding must not lose the first or last member
    edges[[0, -1]] = min(edges[0], low), max(edges[-1], high)
    return edges


def draw_distances(view, ax):
    """Draw histograms of the signed distances; return the artists."""
    table = distance_table(view)
    ax = check_axes(ax, figsize=(7.6, 4.4))
    is_single = not view.others
    shape = (len(view.fronts), -1)
    lefts, rights = table["left"].reshape(shape)[0], table["right"].reshape(shape)[0]
    heights = table["members" if is_single else "share"].reshape(shape)
    edges = np.append(lefts, rights[-1])
    artists = {"histograms_": []}
    for number, text in enumerate(_texts_of(view)):
        patch = ax.stairs(
            heights[number],
            edges,
            fill=is_single,
            color=class_color(number),
            linewidth=1.8,
            linestyle=_LINES[number % len(_LINES)],
            label=text,
        )
        artists["histograms_"].append(patch)
    artists["random_"] = ax.axvline(0.0, color=ink(), linestyle="--", linewidth=1.2)
    artists["random_"].set_label("random allocation")
    artists["chosen_"] = _mark_chosen(ax, view)
    ax.set(
        xlabel="signed distance from random allocation (better ← 0 → worse)",
        ylabel="operating points" if is_single else "share of operating points",
        title=view.title if is_single else f"{len(view.fronts)} fronts",
    )
    ax.set_ylim(0.0, 1.05 * heights.max())
    handles = [*artists["histograms_"], artists["random_"], artists["chosen_"]]
    artists["legend_"] = ax.legend(
        handles,
        [handle.get_label() for handle in handles],
        loc="upper left",
        bbox_to_anchor=(1.0, 1.0),
        fontsize="small",
        frameon=False,
    )
    return {"ax_": ax, **artists}


def _texts_of(view):
    """How many members of each front are better than random."""
    fronts = view.fronts
    for text, front in zip(as_texts(fronts), fronts.values(), strict=True):
        better = int((front.random_simplex_distance() < -_NEAR).sum())
        words = f"{better:,} of {len(front):,}\nbetter than random"
        yield f"{text}:\n{words}" if view.others else words


def _mark_chosen(ax, view):
    distance = view.front.random_simplex_distance()[view.chosen]
    (mark,) = ax.plot(
        [distance],
        [0.02],
        transform=ax.get_xaxis_transform(),
        linestyle="",
        marker="*",
        markersize=13.0,
        color=ink(),
        markeredgecolor=paper(),
        clip_on=False,
        zorder=10,
        label=f"chosen: member {view.chosen:,}",
    )
    return mark


# --- volumes -----------------------------------------------------------------------


def comparison_table(view, method="auto", n_samples=100_000, random_state=0):
    """G of all fronts, and both deltas of the first with each other one."""
    sampling = check_sampling(method, n_samples, random_state)
    points = {name: rates_to_points(front.rates) for name, front in view.fronts.items()}
    first, *rivals = points
    n_classes = view.front.n_classes
    # one method for all, so that they fit together
    most = len(points[first]) + max(len(points[rival]) for rival in rivals)
    is_exact = exact_is_allowed(most, n_classes, sampling.method)
    sampling = replace(sampling, method="exact" if is_exact else "monte_carlo")
    pairs = [(name, None) for name in points]
    pairs += [pair for rival in rivals for pair in ((first, rival), (rival, first))]
    rows = []
    for name, against in pairs:
        without = points[name][:0] if against is None else points[against]
        share = dominated_share(points[name], without, n_classes, sampling)
        measure = "gini" if against is None else "delta"
        rows.append((measure, name, against, share.value, share.std))
    names = ("measure", "front", "against", "value", "std")
    types = (object, object, object, float, float)
    columns = zip(names, zip(*rows, strict=True), types, strict=True)
    return {name: np.array(column, dtype=dtype) for name, column, dtype in columns}


def draw_comparison(view, ax, table):
    """Draw bars of G and delta with error bars; return the artists."""
    n_fronts, n_deltas = len(view.fronts), 2 * len(view.others)
    size = (7.2, 2.4 + 0.34 * n_fronts + 0.42 * n_deltas)
    host = check_axes(ax, figsize=size)
    axes = divided_axes(host, 2, 1, height_ratios=(n_fronts, 1.2 * n_deltas))
    texts = dict(zip(view.fronts, as_texts(view.fronts), strict=True))
    numbers = {name: number for number, name in enumerate(view.fronts)}
    artists = {"bars_": [], "error_bars_": []}
    for panel, measure in zip(axes[:, 0], ("gini", "delta"), strict=True):
        rows = [i for i, kind in enumerate(table["measure"]) if kind == measure]
        codes = [numbers[table["front"][i]] for i in rows]
        labels = [_bar_text(table, i, texts) for i in rows]
        values, stds = table["value"][rows], table["std"][rows]
        bars, errors = _draw_bars(panel, values, stds, codes, labels)
        artists["bars_"].append(bars)
        artists["error_bars_"].append(errors)
    axes[0, 0].set_xlabel("generalised Gini coefficient G")
    axes[1, 0].set_xlabel("δ: dominated by the one alone")
    errors_text = ", lines: 2 standard errors" if table["std"].any() else ", exact"
    # the panels know how high they are, the host does not
    axes[0, 0].set_title(f"{n_fronts} fronts of {view.front.n_classes} classes{errors_text}")
    return {"ax_": host, "axes_": axes, **artists}


def _bar_text(table, row, texts):
    name, against = texts[table["front"][row]], table["against"][row]
    if against is None:
        return name
    words = f"{name}, not {texts[against]}"
    return words if len(words) <= _LONGEST_LINE else f"{name},\nnot {texts[against]}"


def _draw_bars(panel, values, stds, codes, labels):
    """Horizontal bars from top to bottom, with two standard errors and the numbers."""
    places = np.arange(len(values))
    bars = panel.barh(places, values, height=0.66, edgecolor=paper(), linewidth=0.0)
    for bar, code in zip(bars, codes, strict=True):
        bar.set(facecolor=class_color(code), hatch=_HATCHES[code % len(_HATCHES)])
    errors = panel.errorbar(
        values,
        places,
        xerr=2.0 * stds,
        fmt="none",
        ecolor=ink(),
        elinewidth=1.4,
        capsize=3.0 if stds.any() else 0.0,
    )
    ends = values + 2.0 * stds
    for place, value, std, end in zip(places, values, stds, ends, strict=True):
        panel.annotate(
            show(value, std, std == 0.0).replace("+/-", "±"),
            (end, place),
            xytext=(6, 0),
            textcoords="offset points",
            va="center",
            fontsize="small",
        )
    panel.set_yticks(places, labels, fontsize="small")
    panel.set_ylim(len(values) - 0.4, -0.6)
    panel.set_xlim(0.0, 1.28 * ends.max() or 1.0)
    panel.spines[["top", "right"]].set_visible(False)
    return bars, errors
