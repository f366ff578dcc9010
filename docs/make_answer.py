"""Draw the picture of the front page: ``python docs/make_answer.py``.

Left what a classifier does and nobody can judge, in the middle all that it could do instead, on
the right what it does once a limit is named. All numbers are computed here.
"""

import sys
from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from mpl_toolkits.mplot3d import proj3d
from sklearn.datasets import load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import confusion_matrix
from sklearn.model_selection import cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import skvus
from skvus.plotting import VUSSurfaceDisplay

FOLDER = Path(__file__).parent / "_static"
NAMES = np.array(["Barolo", "Grignolino", "Barbera"])  # the cultivars of the data
DANGER = ("Barbera", "Barolo")
LIMIT = 0.05
ORANGE, BLUE = "#d55e00", "#3d7cc9"
LIGHT = {
    "text": "#1d2733",
    "muted": "#5f6b7a",
    "line": "#c9d0d8",
    "ground": "#ffffff",
    "pane": "#f3f5f7",
}
DARK = {
    "text": "#e6e9ee",
    "muted": "#a3adba",
    "line": "#4a5563",
    "ground": "#14181e",
    "pane": "#1f252d",
}


def compute():
    """Labels, out-of-fold posteriors, counts as they are and as chosen, the volume."""
    X, code = load_wine(return_X_y=True)
    X, y = X[:, [1, 2, 7]], NAMES[code]
    model = make_pipeline(StandardScaler(), LogisticRegression())
    proba = cross_val_predict(model, X, y, method="predict_proba")
    classes = np.unique(y)
    front = skvus.ROCFront.from_predictions(y, proba, random_state=0)
    chosen = front.select(skvus.WithinLimits({DANGER: LIMIT}))
    return {
        "y": y,
        "proba": proba,
        "classes": classes,
        "usual": confusion_matrix(y, classes[proba.argmax(axis=1)]),
        "chosen": front.counts[chosen].astype(int),
        "n_points": len(front),
        "volume": skvus.score_inference(y, proba, score="simplified_vus"),
    }


def draw_counts(ax, counts, classes, theme, *, is_chosen):
    """A confusion matrix; what a mistake costs is asked, or its limit told."""
    danger = tuple(classes.tolist().index(name) for name in DANGER)
    rates = counts / counts.sum(axis=1, keepdims=True)
    for (k, j), count in np.ndenumerate(counts):
        is_limited = is_chosen and (k, j) == danger
        ax.add_patch(
            mpl.patches.FancyBboxPatch(
                (j + 0.06, k + 0.06),
                0.88,
                0.88,
                boxstyle="round,pad=0,rounding_size=0.08",
                facecolor=(BLUE if k == j else ORANGE, 0.12 + 0.5 * rates[k, j]),
                edgecolor=ORANGE if is_limited else "none",
                linewidth=2.5,
            )
        )
        note = "" if k == j else "cost?"
        if is_chosen:
            note = f"at most {LIMIT:.0%}" if is_limited else ""
        ax.text(
            j + 0.5,
            k + (0.42 if note else 0.5),
            f"{count}",
            ha="center",
            va="center",
            fontsize=17,
            fontweight="bold" if k == j or is_limited else "normal",
        )
        ax.text(
            j + 0.5,
            k + 0.74,
            note,
            ha="center",
            va="center",
            fontsize=10,
            color=theme["text"] if is_limited else theme["muted"],
        )
    ax.set(xlim=(0, 3), ylim=(3, 0), aspect="equal")
    ax.set_xticks([0.5, 1.5, 2.5], [f"“{name}”" for name in classes])
    ax.set_yticks([0.5, 1.5, 2.5], classes)
    ax.xaxis.tick_top()
    ax.tick_params(length=0, labelsize=10.5)
    ax.spines[:].set_visible(False)


def draw_surface(ax, found, theme):
    """The true rates over all weightings, with the usual and the chosen operating point."""
    display = VUSSurfaceDisplay.from_predictions(found["y"], found["proba"], ax=ax)
    display.colorbar_.remove()
    display.legend_.remove()
    display.equal_.remove()
    display.surface_.set_rasterized(True)
    display.surface_.set_linewidth(0.15)
    ax.set_title("")
    ax.set_box_aspect((1, 1, 0.85), zoom=1.05)
    for axis, name in zip((ax.xaxis, ax.yaxis, ax.zaxis), found["classes"], strict=True):
        axis.set_pane_color(theme["pane"])
        axis.set_label_text(f"{name} recognised", fontsize=10)
        axis.labelpad = -3
        axis.set_ticks([0, 0.5, 1], ["0", "50%", ""])
        axis.set_tick_params(labelsize=9, pad=-2)
    rates = {
        name: np.diag(found[name]) / found[name].sum(axis=1) for name in ("usual", "chosen")
    }
    ax.plot(*np.transpose(list(rates.values())), color="white", linewidth=2, zorder=20)
    for name, colour, marker, size, word, place in (
        ("usual", BLUE, "o", 10, "as trained", (10, -5)),
        ("chosen", ORANGE, "*", 19, "as chosen", (-12, -5)),
    ):
        ax.plot(
            *rates[name][:, None],
            marker,
            color=colour,
            markersize=size,
            markeredgecolor="white",
            zorder=21,
        )
        x, y, _ = proj3d.proj_transform(*rates[name], ax.get_proj())
        ax.annotate(
            word,
            (x, y),
            xytext=place,
            textcoords="offset points",
            ha="left" if place[0] > 0 else "right",
            color="white",
            fontweight="bold",
            fontsize=10.5,
            zorder=22,
        )


def texts(found):
    """Middle, head, line below it and foot of each of the three parts."""
    volume = found["volume"]
    low, high = volume.confidence_interval()
    usual, chosen = np.diag(found["usual"]), np.diag(found["chosen"])
    most = np.argmax(usual - chosen)
    return (
        (
            0.18,
            "Six kinds of mistakes",
            "and nobody knows what each of them costs",
            "rows: what a wine is; columns: what it is called",
        ),
        (
            0.52,
            "All trade-offs of the classifier",
            f"volume below them {volume.score:.2f} ({low:.2f} to {high:.2f}), 1/6 by chance",
            "each point of the surface: one way to weigh the classes",
        ),
        (
            0.87,
            "A choice among them",
            f"no more than {LIMIT:.0%} of {DANGER[0]} called {DANGER[1]}",
            f"the price: {usual[most] - chosen[most]} {found['classes'][most]} fewer"
            " are recognised",
        ),
    )


def draw(found, theme):
    """The picture in the colours of a theme."""
    colours = {
        "text.color": theme["text"],
        "axes.labelcolor": theme["text"],
        "xtick.color": theme["text"],
        "ytick.color": theme["text"],
        "axes.edgecolor": theme["line"],
        "axes.facecolor": theme["ground"],
        "figure.facecolor": "none",
        "grid.color": theme["line"],
        "font.size": 11,
        "svg.hashsalt": "skvus",
    }
    with mpl.rc_context(colours):
        figure = plt.figure(figsize=(13, 4.9))
        left = figure.add_axes((0.065, 0.1, 0.24, 0.65))
        middle = figure.add_axes((0.362, 0.09, 0.36, 0.78), projection="3d")
        right = figure.add_axes((0.75, 0.1, 0.24, 0.65))
        draw_counts(left, found["usual"], found["classes"], theme, is_chosen=False)
        draw_surface(middle, found, theme)
        draw_counts(right, found["chosen"], found["classes"], theme, is_chosen=True)
        for x, head, line, foot in texts(found):
            figure.text(x, 0.95, head, ha="center", fontsize=15, fontweight="bold")
            for y, text in ((0.89, line), (0.03, foot)):
                figure.text(x, y, text, ha="center", fontsize=11, color=theme["muted"])
    return figure


def describe(found):
    """What the picture shows, in words, which the file holds and a test compares."""
    counts = [" ".join(map(str, found[name].ravel())) for name in ("usual", "chosen")]
    return "; ".join([line for part in texts(found) for line in part[1:]] + counts)


def main(folder):
    """Write the picture for light and for dark pages."""
    found = compute()
    about = {"Title": "skvus", "Description": describe(found), "Date": None, "Creator": None}
    for name, theme in (("answer.svg", LIGHT), ("answer-dark.svg", DARK)):
        figure = draw(found, theme)
        figure.savefig(Path(folder) / name, metadata=about, dpi=110)
        plt.close(figure)


if __name__ == "__main__":
    main(*(sys.argv[1:] or [FOLDER]))
