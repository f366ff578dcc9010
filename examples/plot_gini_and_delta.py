"""
What do G and δ measure?
========================

A front of operating points is worth what it dominates. The generalised Gini coefficient G of
Everson and Fieldsend [1]_ is the share of all that is better than random which a front
dominates; δ(X, Y) is what X dominates and Y does not. With two classes both can be seen in the
plane of the ROC curve. With more, they are volumes, and the paper's formula for what is better
than random is not exact.

.. [1] R. M. Everson, J. E. Fieldsend, "Multi-class ROC analysis from a multi-objective
   optimisation perspective", Pattern Recognition Letters 27, 2006, section 5 and Figure 7.
"""

# %%
# Two classes
# -----------
# Two measurements on the same 120 cases. X tells most of them apart, Y only those that are sure
# to be of the first class, but these very well: their ROC curves cross.
#
# The axes are the two kinds of mistakes, so that the lower left corner is perfect, and random
# decisions are on the line between the trivial classifiers. What is better than random is the
# triangle P below it. Stairs are fronts. Shaded is G(X), what X dominates of P. Horizontal
# lines are δ(X, Y), vertical ones δ(Y, X).

from fractions import Fraction
from math import factorial

import matplotlib.pyplot as plt
import numpy as np
from scipy.integrate import trapezoid
from scipy.special import expit
from sklearn.metrics import roc_auc_score

import skvus

BLUE, ORANGE, GREEN, VERMILION = "#0072B2", "#E69F00", "#009E73", "#D55E00"
PURPLE, GREY = "#CC79A7", "#666666"

rng = np.random.default_rng(4)
y = np.repeat([0, 1], 60)
measured = {
    "X": rng.normal(1.1 * y, 1.0),
    "Y": rng.normal(1.6 * y, np.where(y == 0, 2.0, 0.5)),
    "Y, rounded": None,
}
measured["Y, rounded"] = measured["Y"].round()
scores = {name: expit(x) for name, x in measured.items()}
fronts = {name: skvus.ROCFront.from_predictions(y, score) for name, score in scores.items()}
compared = fronts["X"].compare(fronts["Y"])

places = np.linspace(0, 1, 4001)


def stairs(front):
    """The least rate of the second mistake if that of the first is at most so much."""
    first, second = front.rates[:, 0, 1], front.rates[:, 1, 0]
    reached = np.where(first <= places[:, np.newaxis] + 1e-12, second, 1.0)
    return reached.min(axis=1)


lower = {name: np.minimum(stairs(front), 1 - places) for name, front in fronts.items()}
diagonal = 1 - places

figure_7, ax = plt.subplots(figsize=(6.4, 5.6), layout="constrained")
ax.fill_between(
    *(places, lower["X"], diagonal), color=BLUE, alpha=0.18, linewidth=0, label="G(X)"
)
for better, worse, hatch, label in (("X", "Y", "--", "δ(X, Y)"), ("Y", "X", "||", "δ(Y, X)")):
    colour = BLUE if better == "X" else VERMILION
    ax.fill_between(
        *(places, lower[better], lower[worse]),
        where=lower[better] < lower[worse],
        facecolor="none",
        edgecolor=colour,
        hatch=hatch,
        linewidth=0,
        label=label,
    )
for name, colour, line in (("X", BLUE, "-"), ("Y", VERMILION, "-")):
    ax.plot(places, lower[name], line, color=colour, linewidth=1.8, label=f"front of {name}")
ax.plot([0, 1], [1, 0], color=GREY, linewidth=1.2, linestyle="--", label="random allocation")
ax.set(xlim=(0, 1), ylim=(0, 1), aspect="equal")
ax.set(xlabel="first class called the second, C12", ylabel="second class called the first, C21")
ax.legend(loc="upper right")

# %%
# Areas of the picture, as shares of the triangle, are what `ROCFront` computes. G is twice the
# area between the ROC curve and the diagonal, 2 AUC - 1, as the paper says, if two things hold:
# no scores of different classes tie, and the curve does not dip below the diagonal. Where
# scores tie, the ROC curve cuts the corner of a stair. The front does not: there is no
# classifier there. And what is worse than random is not in P: the curve of Y dips,
# which lowers its AUC, but not G.


def twice_the_area(low, high):
    """Area between two lines as a share of the triangle."""
    return 2 * trapezoid(np.maximum(high - low, 0), places)


by_area = {name: twice_the_area(lower[name], diagonal) for name in fronts}
ginis = {name: front.gini() for name, front in fronts.items()}
linear = {name: 2 * roc_auc_score(y, score) - 1 for name, score in scores.items()}
print(f"{'':<12}{'G':>8}{'by area':>10}{'2 AUC - 1':>12}")
for name, gini in ginis.items():
    print(f"{name:<12}{gini:8.4f}{by_area[name]:10.4f}{linear[name]:12.4f}")
delta_areas = [
    twice_the_area(lower["X"], np.maximum(lower["X"], lower["Y"])),
    twice_the_area(lower["Y"], np.maximum(lower["X"], lower["Y"])),
]
print(f"δ(X, Y) {compared.delta:.4f}, by area {delta_areas[0]:.4f}")
print(f"δ(Y, X) {compared.other_delta:.4f}, by area {delta_areas[1]:.4f}")
print(f"G(X) - G(Y) = δ(X, Y) - δ(Y, X): {ginis['X'] - ginis['Y']:.4f}", end="")
print(f" = {compared.delta - compared.other_delta:.4f}")

# %%
# More classes
# ------------
# With Q classes there are D = Q(Q - 1) rates, and random decisions have rates that sum to
# Q - 1. What is better is the region P of the unit cube below. Equation 14 of the paper is the
# whole pyramid below; equation 15 takes off its corners outside the cube, one for each rate.
# For four classes and more these overlap, and what they share has been taken off twice.


def pyramid(q):
    """Equation 14."""
    return Fraction((q - 1) ** (q * (q - 1)), factorial(q * (q - 1)))


def without_corners(q):
    """Equation 15."""
    d = q * (q - 1)
    return pyramid(q) - Fraction(d * (q - 2) ** d, factorial(d))


volumes = {q: skvus.random_simplex_volume(q, exact=True) for q in range(2, 7)}
counted = {}  # uniform points of the cube, and their standard error
for q in (2, 3, 4):
    total = sum(rng.random((4_000_000,), dtype=np.float32) for _ in range(q * (q - 1)))
    share = np.mean(total <= q - 1)
    counted[q] = (share, np.sqrt(share * (1 - share) / total.size))
print(f"{'Q':>2}{'equation 14':>14}{'equation 15':>14}{'exact':>14}{'counted':>20}")
for q, volume in volumes.items():
    cells = f"{float(pyramid(q)):14.6g}{float(without_corners(q)):14.6g}{float(volume):14.6g}"
    if q in counted:
        cells += f"{counted[q][0]:12.6f} ±{counted[q][1]:.6f}"
    print(f"{q:2d}{cells}")

# %%
# So 0.0806 for three classes is right (29/360), and for four to six classes equation 15 is too
# small by one or two parts in ten thousand, which hardly matters.
#
# What a number is worth
# ----------------------
# P is small, and what a single member dominates of it is smaller still. Here is one that misses
# 5%, 10% or 20% of each class, evenly to the others. With six classes the G of a good
# classifier is tiny: values for different numbers of classes cannot be compared. The D-th roots
# of G (dashed) can, more or less: they are lengths rather than volumes.

MISSES = {0.05: GREEN, 0.1: BLUE, 0.2: VERMILION}
alone = {}
for miss in MISSES:
    for q in volumes:
        rates = np.full((1, q, q), miss / (q - 1))
        rates[0, np.arange(q), np.arange(q)] = 1 - miss
        alone[miss, q] = skvus.ROCFront.from_rates(rates).gini(random_state=0)
worth_figure, ax = plt.subplots(figsize=(6.6, 4.4), layout="constrained")
classes = list(volumes)
for (miss, colour), marker in zip(MISSES.items(), "os^", strict=True):
    values = np.array([alone[miss, q] for q in classes])
    roots = values ** (1 / np.array([q * (q - 1) for q in classes]))
    ax.plot(classes, values, marker + "-", color=colour, label=f"G, {miss:.0%} missed")
    ax.plot(classes, roots, marker + "--", color=colour, markerfacecolor="white", linewidth=1)
ax.set_yscale("log")
ax.set_xticks(classes, classes)
ax.set(xlabel="classes Q", ylabel="G (dashed: its D-th root)")
ax.grid(alpha=0.25)
ax.legend(loc="lower left")

perfect = skvus.ROCFront.from_rates(np.eye(3)[np.newaxis]).gini()
print(f"G of a perfect classifier of three classes: {perfect:g}")

# %%
# Tables for the page that sets the results of the paper beside ours:


def agrees(value, other):
    """Whether two shares are the same for all that the picture can tell."""
    return "yes" if abs(value - other) < 1e-3 else "no"


WHY = {"X": "", "Y": ": the curve dips", "Y, rounded": ": ties, and it dips"}
TABLES = {
    "gini": (
        ["classifier", "G", "by area", "2 AUC - 1", "G = 2 AUC - 1"],
        [
            [name, f"{ginis[name]:.4f}", f"{by_area[name]:.4f}", f"{linear[name]:.4f}"]
            + [agrees(ginis[name], linear[name]) + WHY[name]]
            for name in fronts
        ],
    ),
    "volumes": (
        [
            "Q",
            "equation 14",
            "equation 15",
            "exact",
            "exact",
            "counted",
            "equation 15 is right",
        ],
        [
            [q, f"{float(pyramid(q)):.6g}", f"{float(without_corners(q)):.6g}"]
            + [volume if volume.denominator < 10**6 else ""]
            + [f"{float(volume):.6g}"]
            + [f"{counted[q][0]:.3g}" if q in counted else ""]
            + ["yes" if without_corners(q) == volume else "nearly"]
            for q, volume in volumes.items()
        ],
    ),
}

plt.show()
