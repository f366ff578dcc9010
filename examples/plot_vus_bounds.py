"""
How small and how large can the volume be, and what does it leave out?
======================================================================

A crisp classifier with Q classes is a point in the space of its Q(Q-1) rates of error. The
volume under the ROC surface (VUS) measures how much of that space the classifier, together
with the trivial ones that always predict the same class, makes discardable. Ferri,
Hernández-Orallo and Salido [1]_ ask how small that volume can be (no classifier at all) and
how large (a perfect one): they estimate both by throwing random points for three classes,
and offer an approximation of the maximum for more. Both bounds have short exact forms, and
this example sets them beside the estimates.

It then turns to what no volume can say: which classifiers cost the same once the costs are
known.

.. [1] C. Ferri, J. Hernández-Orallo, M. A. Salido, "Volume under the ROC surface for
   multi-class problems", ECML 2003, sections 3 and 4.
"""

# %%
# Throwing points, three classes
# ------------------------------
# A random point of the six-dimensional cube is a valid classifier if the two errors of each
# true class sum to at most one: the share of such points is the maximum. It is discardable
# without any knowledge if, moreover, the smaller rate of false decisions for each predicted
# class sum to at least one (Theorem 1 of the paper): that share is the minimum.

from fractions import Fraction
from math import comb, factorial

import matplotlib.pyplot as plt
import numpy as np
from scipy.stats import norm

import skvus
from skvus.datasets import random_confusion_rates

BLUE, ORANGE, GREEN, VERMILION = "#0072B2", "#E69F00", "#009E73", "#D55E00"
PURPLE, GREY = "#CC79A7", "#666666"

N_POINTS, N_RUNS = 10**6, 5
sizes = np.unique(np.geomspace(1000, N_POINTS, 200).astype(int))


def throw_points(seed):
    """Running shares of valid and of discardable points, at each of the sizes."""
    # in row order: truth 0 taken for 1, 0 for 2, 1 for 0, 1 for 2, 2 for 0, 2 for 1
    x01, x02, x10, x12, x20, x21 = np.random.default_rng(seed).random((6, N_POINTS))
    valid = (x01 + x02 <= 1) & (x10 + x12 <= 1) & (x20 + x21 <= 1)
    least = np.minimum(x10, x20) + np.minimum(x01, x21) + np.minimum(x02, x12)
    counts = np.cumsum([valid, valid & (least >= 1)], axis=1)
    return counts[:, sizes - 1] / sizes


runs = np.array([throw_points(seed) for seed in range(N_RUNS)])
minimum, maximum = skvus.polytope_vus_bounds(3, exact=True)
targets = {
    "maximum": (maximum, 0.12483, (0.102, 0.148)),
    "minimum": (minimum, 0.00555523, (0.0005, 0.0106)),
}

# %%
# The bands are two standard errors wide to each side: one run in twenty may leave them at
# any given size.

figure, axes = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
for i, (ax, (name, (truth, printed, limits))) in enumerate(
    zip(axes, targets.items(), strict=True)
):
    p = float(truth)
    error = np.sqrt(p * (1 - p) / sizes)
    ax.fill_between(sizes, p - 2 * error, p + 2 * error, color=BLUE, alpha=0.15, lw=0)
    ax.plot(sizes, runs[1:, i].T, color=GREY, linewidth=0.8, alpha=0.7)
    ax.plot(sizes, runs[0, i], color=BLUE, linewidth=1.6, label="one run (grey: four more)")
    ax.axhline(p, color="black", linewidth=1, linestyle="--", label=f"exact, {truth}")
    ax.plot(
        N_POINTS, printed, "D", color=VERMILION, clip_on=False, label=f"paper, {printed:.8g}"
    )
    ax.set_xscale("log")
    ax.set_xlim(sizes[0], sizes[-1])
    ax.set_ylim(*limits)
    ax.set_title(f"{name} for three classes")
    ax.set_xlabel("number of random points")
    ax.grid(alpha=0.25)
    ax.legend(loc="upper right", fontsize=9)
axes[0].set_ylabel("estimated volume")

print(f"{'':<10}{'exact':>10}{'ours':>12}{'paper':>13}{'error':>11}{'paper is off by':>18}")
for i, (name, (truth, printed, _)) in enumerate(targets.items()):
    error = float(truth * (1 - truth) / N_POINTS) ** 0.5
    print(
        f"{name:<10}{float(truth):10.7f}{runs[0, i, -1]:12.6f}{printed:13.8f}"
        f"{error:11.1e}{(printed - float(truth)) / error:+12.3f} errors"
    )

# %%
# The paper's maximum lies where one expects an estimate from a million points, half a
# standard error away. Its minimum is far closer to the truth than a million points allow,
# and a share of a million points has six decimals while the printed figure has eight: it
# seems to come from more points than the text says. Its conjecture, 1/180, is right.
#
# Exact bounds, two to eight classes
# ----------------------------------
# The maximum is ``(1/(Q-1)!)**Q`` and the minimum ``(Q-1)**(Q-1) / (Q(Q-1))!``. For more than
# three classes the paper replaces the sum of Q-1 uniform numbers by a normal variable with
# mean (Q-1)/2 and variance (Q-1)/12. (It prints the latter as the standard deviation, with
# which the result would be too small by three orders of magnitude for four classes and by
# seven and more from five on.)

n_classes = np.arange(2, 9)
bounds = [skvus.polytope_vus_bounds(q, exact=True) for q in n_classes.tolist()]
smallest, largest = np.array(bounds, dtype=float).T
terms = n_classes - 1
normal = norm.cdf((1 - terms / 2) / np.sqrt(terms / 12)) ** n_classes

print(f"{'Q':>2}{'minimum':>13}{'maximum':>13}{'normal':>13}{'normal/maximum':>16}")
for q, low, high, guess in zip(n_classes, smallest, largest, normal, strict=True):
    print(f"{q:2d}{low:13.4g}{high:13.4g}{guess:13.4g}{guess / high:16.4g}")

# %%
# The approximation is 18% low for four classes, by luck nearly right for five, and then
# loses its footing: three times too high for six classes, thousands of times for eight.
# It asks the normal distribution for a probability far out in its tail, which is where a
# sum of a few uniform numbers is least like it.

figure, (ax, ratio_ax) = plt.subplots(
    1, 2, figsize=(10, 4.2), layout="constrained", width_ratios=(1.35, 1)
)
ax.fill_between(
    n_classes, smallest, largest, color=BLUE, alpha=0.1, lw=0, label="possible volumes"
)
ax.plot(n_classes, largest, "o-", color=BLUE, label="maximum")
ax.plot(n_classes, smallest, "s-", color=GREEN, label="minimum")
ax.plot(n_classes, normal, "D--", color=VERMILION, markersize=5, label="normal approximation")
ax.set_yscale("log")
ax.set_ylabel("volume (logarithmic)")
ax.legend(loc="lower left", fontsize=9)
ratio_ax.axhline(1, color="black", linewidth=1, linestyle="--")
ratio_ax.plot(n_classes, normal / largest, "D--", color=VERMILION, markersize=5)
for q, ratio in zip(n_classes, normal / largest, strict=True):
    if ratio < 2:
        text, place, side = f"{ratio:.2f}", (0, -16), "center"
    else:
        text, place, side = f"{ratio:.1f}", (-6, 5), "right"
    ratio_ax.annotate(text, (q, ratio), xytext=place, textcoords="offset points", ha=side)
ratio_ax.set_yscale("log")
ratio_ax.set_xlim(1.5, 8.4)
ratio_ax.set_ylim(0.3, 8e3)
ratio_ax.set_ylabel("normal approximation / exact maximum")
for panel in (ax, ratio_ax):
    panel.set_xticks(n_classes)
    panel.set_xlabel("number of classes Q")
    panel.grid(alpha=0.25)

# %%
# The share of the maximum collapses too
# --------------------------------------
# Dividing by the maximum does not make problems of different size comparable. Here each
# class is recognised with the same probability, and the errors spread evenly.


def even_rates(q, hit):
    """Return the rates of a classifier that errs alike everywhere."""
    rates = np.full((q, q), (1 - hit) / (q - 1))
    np.fill_diagonal(rates, hit)
    return rates


hits = (0.99, 0.95, 0.9, 0.8, 0.7)
shares = np.array(
    [
        [skvus.polytope_vus(even_rates(q, hit), normalize="max") for q in n_classes]
        for hit in hits
    ]
)
print(f"{'recognised':<11}" + "".join(f"{'Q = ' + str(q):>8}" for q in n_classes))
for hit, share in zip(hits, shares, strict=True):
    print(f"{hit:<11}" + "".join(f"{value:8.3f}" for value in share))

figure, ax = plt.subplots(figsize=(8, 4.4), layout="constrained")
for hit, share, colour, marker in zip(
    hits, shares, (GREEN, BLUE, VERMILION, PURPLE, ORANGE), "os^vD", strict=True
):
    ax.plot(n_classes, share, marker=marker, color=colour, label=f"{hit:.0%} recognised")
for q, value in zip(n_classes[1:5], shares[hits.index(0.9), 1:5], strict=True):
    ax.annotate(
        f"{value:.2f}",
        (q, value),
        xytext=(6, 3),
        textcoords="offset points",
        color=VERMILION,
    )
ax.plot(n_classes, smallest / largest, "k:", label="trivial classifiers alone")
ax.set_xticks(n_classes)
ax.set_ylim(-0.02, 1.02)
ax.set_xlabel("number of classes Q")
ax.set_ylabel("VUS, share of the maximum")
ax.grid(alpha=0.25)
figure.legend(loc="outside right upper", fontsize=9)

# %%
# Iso-performance: ties under a cost matrix, two classes
# ------------------------------------------------------
# The volume is for those who do not know the costs yet. Once they do, the expected cost is
# a linear function of the rates, and all classifiers on one hyperplane cost the same. For
# two classes the hyperplane is a line in the plane of misses and false alarms. Suppose that
# a miss costs three times as much as a false alarm.

cost_matrix = np.array([[0, 1], [3, 0]])
circle = np.array([[0.6, 0.4], [0.1, 0.9]])
square = np.array([[0.9, 0.1], [0.2, 0.8]])


def expected_cost(rates, cost_matrix):
    """Cost of a classifier known by its rates, all classes being equally frequent."""
    q = len(rates)
    return skvus.expected_cost(
        np.repeat(np.arange(q), q),
        np.tile(np.arange(q), q),
        sample_weight=rates.ravel(),  # each pair of classes weighs as much as its rate
        cost_matrix=cost_matrix,
    )


for name, rates in {"circle": circle, "square": square}.items():
    print(
        f"{name}: expected cost {expected_cost(rates, cost_matrix):.3f}, "
        f"at equal costs {expected_cost(rates, 1 - np.eye(2)):.3f}, "
        f"VUS {skvus.polytope_vus(rates):.3f}"
    )

# %%
# The shaded region is what the circle and the trivial classifiers make discardable. The
# square lies outside, and so does the circle for the square: neither is superfluous, they
# tie for these costs only.

figure, ax = plt.subplots(figsize=(6.4, 5.6), layout="constrained")
polygon = skvus.discard_polytope(circle)
corners = polygon.vertices[:, ::-1]  # the coordinates come as false alarms, misses
around = corners - corners.mean(axis=0)
corners = corners[np.argsort(np.arctan2(around[:, 1], around[:, 0]))]
ax.fill(*corners.T, color=BLUE, alpha=0.18, lw=0, label="discardable given the circle")
misses, false_alarms = np.meshgrid(np.linspace(0, 1, 50), np.linspace(0, 1, 50))
tie = expected_cost(circle, cost_matrix)
levels = tie + 0.25 * np.arange(-1, 7)
lines = ax.contour(
    misses, false_alarms, (3 * misses + false_alarms) / 2, levels, colors=GREY, linewidths=1
)
ax.clabel(
    lines,
    fmt="%.2f",
    fontsize=9,
    manual=[((2 * level - 0.5) / 3, 0.5) for level in levels[2:7]],
)
miss_axis = np.array([0, 2 * tie / 3])
ax.plot(
    miss_axis,
    2 * tie - 3 * miss_axis,
    color=VERMILION,
    linewidth=2,
    label=f"cost {tie:.2f}: a tie",
)
ax.plot(circle[1, 0], circle[0, 1], "o", color=BLUE, markersize=10, label="circle")
ax.plot(square[1, 0], square[0, 1], "s", color=ORANGE, markersize=10, label="square")
ax.plot([0, 1], [1, 0], "k^", clip_on=False, label="trivial classifiers")
ax.set_xlim(0, 1)
ax.set_ylim(0, 1)
ax.set_aspect("equal")
ax.set_xlabel("rate of misses (FNR)")
ax.set_ylabel("rate of false alarms (FPR)")
ax.set_title("Iso-cost lines when a miss costs three false alarms", fontsize=11)
ax.legend(loc="upper right", fontsize=9, framealpha=1)

# %%
# Ties under a cost matrix, three classes
# ---------------------------------------
# With three classes the ties fill a five-dimensional hyperplane, and there is room for
# classifiers that could hardly be less alike. Let the two outer classes be costly to
# confuse, as grades of a disease would be. The first classifier below errs often, but
# between neighbours; the second seldom, but then badly.

cost_matrix = np.array([[0, 1, 4], [1, 0, 1], [4, 1, 0]])
neighbours = np.array([[0.6, 0.4, 0.0], [0.2, 0.6, 0.2], [0.0, 0.4, 0.6]])
extremes = np.array([[0.88, 0.02, 0.1], [0.18, 0.64, 0.18], [0.1, 0.02, 0.88]])
pair = np.array([neighbours, extremes])
for name, rates in {"neighbours": neighbours, "extremes": extremes}.items():
    print(
        f"{name}: expected cost {expected_cost(rates, cost_matrix):.3f}, "
        f"VUS {skvus.polytope_vus(rates, normalize='max'):.3f} of the maximum"
    )
print(
    "does either make the other superfluous?",
    skvus.is_discarded(extremes, neighbours),
    skvus.is_discarded(neighbours, extremes),
)

# %%
# A cloud of random classifiers shows how loosely one cost matrix and the volume hang
# together. On every vertical line all classifiers tie under our costs; the colour is the
# cost under equal costs, and follows the volume much more closely.

cloud = random_confusion_rates(1500, 3, random_state=0)
volumes = [skvus.polytope_vus(rates, normalize="max") for rates in cloud]
costs = [expected_cost(rates, cost_matrix) for rates in cloud]
plain_costs = [expected_cost(rates, 1 - np.eye(3)) for rates in cloud]

figure, ax = plt.subplots(figsize=(8, 4.8), layout="constrained")
points = ax.scatter(costs, volumes, c=plain_costs, s=12, cmap="viridis", alpha=0.9, lw=0)
figure.colorbar(points, label="expected cost under equal costs")
pair_costs = [expected_cost(rates, cost_matrix) for rates in pair]
pair_volumes = [skvus.polytope_vus(rates, normalize="max") for rates in pair]
ax.plot(pair_costs, pair_volumes, color=VERMILION, linewidth=1.5)
for cost, volume, name, marker in zip(
    pair_costs, pair_volumes, ("neighbours", "extremes"), "os", strict=True
):
    ax.plot(
        cost, volume, marker, color=VERMILION, markersize=9, markeredgecolor="white", label=name
    )
ax.set_yscale("log")
ax.set_yticks([0.05, 0.1, 0.2, 0.5, 1], ["0.05", "0.1", "0.2", "0.5", "1"])
ax.minorticks_off()
ax.set_xlabel("expected cost when the outer classes are costly to confuse")
ax.set_ylabel("VUS, share of the maximum (logarithmic)")
ax.grid(alpha=0.25)
ax.legend(loc="upper right", title="a tie", fontsize=9)

# %%
# For the page on the paper
# -------------------------
# Claims beside what was found. "Off" is the distance of the paper's figure from the exact one,
# in standard errors of a million points.
#
# One claim is new here: that the sum of n uniform numbers is at most one with a probability
# D_n which is "complex" for n > 3. The paper gives it as the integral of a density, a sum over
# k of powers of x - k. Integrated term by term over (0, 1) it is 1/n! for every n, whence the
# exact maximum.


def share_below_one(n):
    """Integral of the paper's density of the sum of n uniform numbers over (0, 1)."""
    total = Fraction(0)
    for k in range(n + 1):
        sign = (-1) ** k * (1 if k == 0 else -1)  # the second is that of x - k
        total += sign * comb(n, k) * Fraction((1 - k) ** n - (-k) ** n, n)
    return total / (2 * factorial(n - 1))


shares_below = {n: share_below_one(n) for n in range(1, 8)}
exact_maxima = [high for _, high in bounds]
print("D_n for n = 1, 2, ...:", *shares_below.values())
assert exact_maxima == [share ** (n + 1) for n, share in shares_below.items()]


def verdict(holds):
    """Say whether a claim holds."""
    return "yes" if holds else "**no**"


estimates = []
for i, (name, (truth, printed, _)) in enumerate(targets.items()):
    error = float(truth * (1 - truth) / N_POINTS) ** 0.5
    off = (printed - float(truth)) / error
    row = [name, f"{printed:.8g}", f"{runs[0, i, -1]:.6f}", f"{error:.6f}"]
    estimates.append([*row, f"{truth}", f"{off:+.2f}", verdict(abs(off) < 2)])

printed_maxima = {2: "1", 3: "1/8", 4: "1/1296"}
maxima = []
for q, low, high, guess in zip(
    n_classes[:5].tolist(), *zip(*bounds[:5], strict=True), normal[:5], strict=True
):
    printed = printed_maxima.get(q, "")
    agrees = verdict(Fraction(printed) == high) if printed else ""
    least = f"{low}" if q < 6 else f"{float(low):.3g}"
    row = [q, printed, f"{high}", agrees, f"{guess / float(high):.2f}", least]
    maxima.append(row)

if_sigma = norm.cdf((1 - terms / 2) / (terms / 12)) ** n_classes / largest  # of Q = 2, 3, ...
claims = [
    [
        "n uniform numbers sum to at most 1 (3.1.1), n = 1, 2, 3",
        "1, 1/2, 1/6",
        ", ".join(str(shares_below[n]) for n in (1, 2, 3)),
        verdict([shares_below[n] for n in (1, 2, 3)] == [1, Fraction(1, 2), Fraction(1, 6)]),
    ],
    [
        "the same, n > 3",
        "complex, to be approximated",
        "1/n! for all n: " + ", ".join(str(shares_below[n]) for n in (4, 5, 6)),
        verdict(any(share != Fraction(1, factorial(n)) for n, share in shares_below.items())),
    ],
    [
        "standard deviation of that sum",
        "n/12",
        f"√(n/12); n/12 would make the maximum of Q = 4 {1 / if_sigma[2]:,.0f} times too small",
        verdict(if_sigma[2] > 0.5),
    ],
    [
        "same cost on one hyperplane (3)",
        "yes",
        "two unlike classifiers: cost "
        + " and ".join(f"{cost:.3f}" for cost in pair_costs)
        + ", VUS "
        + " and ".join(f"{volume:.3f}" for volume in pair_volumes)
        + " of the maximum",
        verdict(np.isclose(*pair_costs)),
    ],
]
TABLES = {
    "claims": (["claim (section)", "paper", "here", "verdict"], claims),
    "estimates": (
        ["volume", "paper", "our estimate", "standard error", "exact", "off", "agrees"],
        estimates,
    ),
    "maxima": (
        [
            "Q",
            "maximum: paper",
            "exact",
            "agrees",
            "paper's normal approximation / exact",
            "minimum, exact",
        ],
        maxima,
    ),
}

# sphinx_gallery_thumbnail_number = 5
plt.show()
