"""Pictures of the report: growth curves, ratios at a glance, searches."""

import matplotlib as mpl
import matplotlib.pyplot as plt
from matplotlib.ticker import FuncFormatter, NullFormatter

from benchmarks.peers.measuring import OURS, is_twin
from benchmarks.timing import show
from skvus.plotting._style import PALETTE

STYLE = {
    "figure.facecolor": "white",
    "axes.facecolor": "white",
    "savefig.facecolor": "white",
    "text.color": "#222222",
    "axes.labelcolor": "#222222",
    "xtick.color": "#222222",
    "ytick.color": "#222222",
    "axes.edgecolor": "#777777",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "font.size": 9,
    "axes.titlesize": 9.5,
    "legend.fontsize": 8,
    "legend.frameon": False,
}
DPI = 110
FASTER, SLOWER, PLAIN = PALETTE[0], PALETTE[1], "#8a8a8a"
LEAST_SHARE = 0.03  # per cent: what is less is drawn there
BROWN = "#7a4a1e"
# the same in all pictures; those that meet in one are all different
LOOKS = {
    "skvus": (PALETTE[0], "o"),
    "scikit-learn": (PALETTE[1], "^"),
    "imbalanced-learn": (PALETTE[4], "v"),
    "permetrics": (PALETTE[3], "D"),
    "pycm": (PALETTE[5], "P"),
    "skordinal": (PALETTE[6], "X"),
    "pauc": (PALETTE[2], "s"),
    "rocauc-comparison": (PALETTE[4], "v"),
    "MLstatkit": (PALETTE[6], "X"),
    "pyroc": (PALETTE[5], "P"),
    "confidenceinterval": (PALETTE[3], "D"),
    "moocore": (PALETTE[1], "^"),
    "pymoo": (PALETTE[2], "s"),
    "pygmo": (PALETTE[3], "D"),
    "paretoset": (PALETTE[4], "v"),
    "oapackage": (PALETTE[5], "P"),
    "deap": (PALETTE[6], "X"),
    "Platypus-Opt": (BROWN, "*"),
    "jmetalpy": ("#555555", "p"),
    "optuna": (PALETTE[5], "P"),
    "numpy": (PALETTE[1], "^"),
    "numba": (PALETTE[2], "s"),
    "Python": (PALETTE[3], "D"),
}
# of searches, what follows the name of the package
SHAPES = {
    "ParetoROCSearch": "o",
    "random costs": "*",
    "NSGA-II, population 100": "s",
    "NSGA-II, population 500": "D",
    "NSGA-II, population 5000": "p",
}


def _saved(figure, path):
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=DPI, bbox_inches="tight", metadata={"Software": None})
    plt.close(figure)


def growth(contests, path):
    """Time against size, a panel for each contest, with the exponents in the legend."""
    with mpl.rc_context(STYLE):
        n_columns = len(contests) if len(contests) <= 3 else 2
        n_rows = -(-len(contests) // n_columns)
        most = max(len(contest.names()) for contest in contests)
        shape = (3.5 * n_columns, n_rows * (2.9 + 0.17 * most))
        figure, axes = plt.subplots(
            n_rows, n_columns, figsize=shape, squeeze=False, layout="constrained"
        )
        for ax in axes.flat[len(contests) :]:
            ax.remove()
        for ax, contest in zip(axes.flat, contests, strict=False):
            _curves(ax, contest)
        _saved(figure, path)


def _curves(ax, contest):
    for number, name in enumerate(contest.names()):
        color, marker = LOOKS[name.split(",")[0]]
        sizes, spent = contest.points(name)
        exponent = contest.exponent(name)
        label = name if exponent is None else f"{name}: power {exponent:.1f}"
        ax.plot(
            sizes,
            spent,
            color=color,
            marker=marker,
            markersize=max(3.0, 7.0 - 0.8 * number),  # so that equal ones do not hide
            linewidth=2.4 if name == OURS else 1.2,
            linestyle="--" if is_twin(name) else "-",
            zorder=3 if name == OURS else 2,
            label=label,
        )
    ax.set(xscale="log", yscale="log", xlabel=contest.x, title=_wrapped(contest.title, 44))
    ax.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:,.0f}"))
    ax.yaxis.set_major_formatter(FuncFormatter(lambda t, _: show(t)))
    ax.xaxis.set_minor_formatter(NullFormatter())
    ax.yaxis.set_minor_formatter(NullFormatter())
    if len(contest.rows) < 5 or contest.x == "classes":
        ax.set_xticks([row.size for row in contest.rows])
    ax.grid(True, which="major", color="#e6e6e6", linewidth=0.7)
    ax.set_axisbelow(True)
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.17), handlelength=2.6)


def _wrapped(text, width):
    lines = [""]
    for word in text.split():
        if len(lines[-1]) + len(word) > width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return "\n".join(lines)


def overview(sections, path):
    """How many times as fast we are, a line for each contest, a mark for each peer and size."""
    contests = [contest for section in sections for contest in section.contests]
    with mpl.rc_context(STYLE):
        figure, ax = plt.subplots(figsize=(7.6, 0.29 * len(contests) + 1.3))
        kinds = (
            ("skvus is faster than a package", FASTER, "o", lambda name, r: r >= 1.0),
            ("a package is faster than skvus", SLOWER, "D", lambda name, r: r < 1.0),
        )
        for label, color, marker, holds in kinds:
            found = _marks(contests, lambda name, r, h=holds: not is_twin(name) and h(name, r))
            ax.scatter(*found, s=30, color=color, marker=marker, alpha=0.85, lw=0, label=label)
        found = _marks(contests, lambda name, r: is_twin(name))
        ax.scatter(*found, s=26, facecolors="none", edgecolors=PLAIN, marker="s")
        ax.scatter(
            [], [], s=26, facecolors="none", edgecolors=PLAIN, marker="s", label="plain ways"
        )
        ax.axvline(1.0, color="#222222", linewidth=1.0, zorder=1)
        ax.set(xscale="log", xlabel="time of the other / time of skvus", ylim=(-0.7, None))
        ax.set_yticks(range(len(contests)), [contest.title for contest in reversed(contests)])
        ax.set_ylim(-0.7, len(contests) - 0.3)
        ax.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:,g}"))
        ax.grid(True, axis="both", color="#ececec", linewidth=0.7)
        ax.set_axisbelow(True)
        ax.tick_params(axis="y", length=0)
        # above the axes, so that it covers no marks
        ax.legend(loc="lower center", bbox_to_anchor=(0.3, 1.0), ncols=3, columnspacing=1.2)
        _saved(figure, path)


def _marks(contests, holds):
    xs, ys = [], []
    for height, contest in enumerate(reversed(contests)):
        for row in contest.rows:
            for name, ratio in row.ratios().items():
                if holds(name, ratio):
                    xs.append(ratio)
                    ys.append(height)
    return xs, ys


def searches(tables, path):
    """Share of the best front that contenders return, against their time."""
    tables = [table for table in tables if table.data is not None]
    names = list(dict.fromkeys(name for table in tables for name in table.data[0]))
    with mpl.rc_context(STYLE):
        figure, axes = plt.subplots(
            1, len(tables), figsize=(3.9 * len(tables), 3.9), squeeze=False, sharey=True
        )
        for ax, table in zip(axes.flat, tables, strict=True):
            seconds, scored = table.data
            for name in seconds:
                _contender(ax, name, seconds[name], max(100 * scored[name][1], LEAST_SHARE))
            ax.set(xscale="log", yscale="log", xlabel="seconds", title=table.title)
            ax.xaxis.set_major_formatter(FuncFormatter(lambda t, _: show(t)))
            ax.yaxis.set_major_formatter(FuncFormatter(lambda y, _: f"{y:g}%"))
            for axis in (ax.xaxis, ax.yaxis):
                axis.set_minor_formatter(NullFormatter())
            ax.grid(True, which="major", color="#e6e6e6", linewidth=0.7)
            ax.set_axisbelow(True)
        axes[0, 0].set_ylabel("share of the front of all together")
        axes[0, 0].set_yticks([0.1, 1, 10, 100])
        axes[0, 0].set_ylim(LEAST_SHARE / 1.5, 130)
        for name in names:
            _contender(axes[0, 0], name, [], [], label=name)
        figure.legend(loc="upper center", bbox_to_anchor=(0.5, 0.0), ncols=2)
        _saved(figure, path)


def _contender(ax, name, x, y, label=None):
    package, _, algorithm = name.partition(", ")
    ax.scatter(
        x,
        y,
        s=110 if algorithm == "random costs" else 55,
        color=LOOKS[package][0],
        marker=SHAPES.get(algorithm, "^"),
        edgecolors="#222222",
        linewidths=0.5,
        zorder=3,
        label=label,
    )
