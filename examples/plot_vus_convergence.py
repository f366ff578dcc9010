"""
Few cases and few tuples: two errors of the ordered volume
==========================================================

The ordered volume under the ROC surface (VUS) of Dreiseitl [1]_ is the share of tuples, one
case from each class, that a classifier puts in the right order. Two things are easily taken
for one another here:

- the data set has few *cases*, so that its volume is not that of the population;
- the data set has too many tuples to look at, so that only some *tuples* are drawn, and the
  result is not the volume of the data set.

The first error is there to stay unless more cases are collected. The second is a matter of
computing, and for three classes there is no need for it at all. This example repeats the
paper's Figures 4 and 5, which show the first error, and sets the second beside it.

.. [1] S. Dreiseitl, "Towards more efficient multiclass AUC computations", 2019, sections 1
   and 3.1.
"""

# %%
# The data
# --------
# Three spherical Gaussians, whose draws the softmax turns into three probabilities that sum
# to one: a point in a triangle. The corner of a class is where that class has probability
# one. The paper shows 20 cases a class (Figure 5); it gives no means or standard deviations,
# only that the volume is around 0.85, and the defaults of the generator are chosen so.

from itertools import permutations
from math import factorial

import matplotlib.pyplot as plt
import numpy as np
from scipy.optimize import linear_sum_assignment

import skvus
from skvus.datasets import make_softmax_gaussians

BLUE, ORANGE, GREEN, VERMILION, GREY = "#0072B2", "#E69F00", "#009E73", "#D55E00", "#666666"

corners = np.array([[0, 0], [1, 0], [0.5, np.sqrt(0.75)]])
y_score, y = make_softmax_gaussians([20] * 3, random_state=0)
points = y_score @ corners

figure, ax = plt.subplots(figsize=(6, 5.2), layout="constrained")
ax.fill(*corners.T, facecolor="none", edgecolor=GREY, linewidth=1)
for k, (marker, colour) in enumerate(zip("^os", (BLUE, ORANGE, GREEN), strict=True)):
    ax.plot(
        *points[y == k].T, marker, color=colour, markersize=6, alpha=0.8, label=f"class {k}"
    )
    ax.plot(
        *corners[k], marker, color=colour, markersize=15, markeredgecolor="black", clip_on=False
    )
ax.set_aspect("equal")
ax.set_axis_off()
ax.set_title("20 cases a class; large: the corner of each class", fontsize=11)
ax.legend(loc="upper left", fontsize=9)

# %%
# The volume of these sixty points, 20³ tuples, and that of the population. The latter we
# take from 20 data sets of 1000 cases a class: the score of a data set is an unbiased
# estimate, whatever the number of cases, so that we may average.

large = [
    skvus.ordered_vus_score(*make_softmax_gaussians([1000] * 3, random_state=seed)[::-1])
    for seed in range(20)
]
truth, truth_error = np.mean(large), np.std(large, ddof=1) / np.sqrt(len(large))
print(f"20 cases a class: {skvus.ordered_vus_score(y, y_score):.4f}")
print(f"population:       {truth:.4f} ± {truth_error:.4f}")

# %%
# Few cases
# ---------
# Figure 4 of the paper follows the volume while the data set grows from one case a class to
# 100. One run may mean much or little, so we do 200 of them. A run starts at 0 or 1, there
# being a single tuple.

N_RUNS = 200
n_cases = np.array([1, 2, 3, 4, 5, 7, 10, 14, 20, 30, 40, 50, 60, 70, 80, 90, 100])
rng = np.random.default_rng(0)
runs = np.empty((N_RUNS, len(n_cases)))
for run in runs:
    y_score, y = make_softmax_gaussians([100] * 3, random_state=rng)
    classes = np.array([y_score[y == k] for k in range(3)])
    for i, n in enumerate(n_cases):
        run[i] = skvus.ordered_vus_score(np.repeat([0, 1, 2], n), classes[:, :n].reshape(-1, 3))
spread = runs.std(axis=0, ddof=1)

# %%
# The band is the true value plus and minus one standard deviation of the runs. That
# deviation shrinks like one over the root of the number of cases (right panel), a little
# faster at first: for one digit more it takes a hundred times the cases.

figure, (ax, spread_ax) = plt.subplots(1, 2, figsize=(10, 4.4), layout="constrained")
ax.fill_between(
    n_cases,
    truth - spread,
    np.minimum(truth + spread, 1),
    color=BLUE,
    alpha=0.15,
    linewidth=0,
    label="± one standard deviation",
)
ax.plot(n_cases, runs[1:6].T, color=GREY, linewidth=0.8, alpha=0.8)
ax.plot(n_cases, runs[0], color=BLUE, linewidth=1.8, label="one run (grey: five more)")
ax.axhline(truth, color="black", linestyle="--", linewidth=1, label=f"population, {truth:.3f}")
ax.set_xlim(1, 100)
ax.set_ylim(0, 1.02)
ax.set_xlabel("cases a class")
ax.set_ylabel("VUS")
ax.legend(loc="lower right", fontsize=9)

cases_slope = np.polyfit(np.log(n_cases[n_cases >= 5]), np.log(spread[n_cases >= 5]), 1)[0]
spread_ax.plot(n_cases, spread, "o", color=BLUE, label=f"{N_RUNS} runs")
spread_ax.plot(
    n_cases,
    spread[-1] * np.sqrt(100 / n_cases),
    color="black",
    linestyle="--",
    linewidth=1,
    label="slope -1/2",
)
spread_ax.set_xscale("log")
spread_ax.set_yscale("log")
spread_ax.set_xticks([1, 3, 10, 30, 100], ["1", "3", "10", "30", "100"])
spread_ax.set_yticks([0.03, 0.1, 0.3], ["0.03", "0.1", "0.3"])
spread_ax.minorticks_off()
spread_ax.set_xlabel("cases a class")
spread_ax.set_ylabel("standard deviation of the VUS")
spread_ax.legend(fontsize=9)
for panel in (ax, spread_ax):
    panel.grid(alpha=0.25)

print(f"{'cases a class':>13}{'mean of the runs':>19}{'deviation':>11}{'x sqrt(cases)':>15}")
for n, run, deviation in zip(n_cases, runs.T, spread, strict=True):
    if n in (1, 2, 5, 10, 20, 50, 100):
        mean = f"{run.mean():.3f} ± {deviation / np.sqrt(N_RUNS):.3f}"
        print(f"{n:13d}{mean:>19}{deviation:11.3f}{deviation * np.sqrt(n):15.3f}")
print(f"slope from 5 cases on: {cases_slope:.2f}")

# %%
# Few tuples
# ----------
# Now one data set, with 300 cases a class. It has 27 million tuples, which the exact count
# gets through in milliseconds, because it does not look at them one by one. Suppose that we
# could not count them, and drew some. ``return_details=True`` gives the standard error that
# comes from the drawing. We draw 40 times at each number of tuples.

y_score, y = make_softmax_gaussians([300] * 3, random_state=6)
exact = skvus.ordered_vus_score(y, y_score, method="exact", return_details=True)
n_tuples = np.array([100, 300, 1000, 3000, 10_000, 30_000, 100_000])
estimates, errors = np.empty((2, 40, len(n_tuples)))
for i in range(40):
    for j, n in enumerate(n_tuples.tolist()):
        result = skvus.ordered_vus_score(
            y, y_score, method="sampled", n_tuples=n, random_state=rng, return_details=True
        )
        estimates[i, j], errors[i, j] = result.score, result.standard_error
actual = np.sqrt(np.mean((estimates - exact.score) ** 2, axis=0))
tuples_slope = np.polyfit(np.log(n_tuples), np.log(actual), 1)[0]

# %%
# How far apart are the exact volumes of data sets of this size? That is the first error
# again, and no drawing of tuples can remove it.

of_this_size = [
    skvus.ordered_vus_score(*make_softmax_gaussians([300] * 3, random_state=rng)[::-1])
    for _ in range(50)
]
case_error = np.std(of_this_size, ddof=1)
print(exact)
print(f"population: {truth:.4f}; deviation between data sets of this size: {case_error:.4f}\n")
print(f"{'tuples':>7}{'one draw':>10}{'its standard error':>20}{'error of 40 draws':>19}")
for j, n in enumerate(n_tuples):
    print(f"{n:7d}{estimates[0, j]:10.4f}{errors[0, j]:20.4f}{actual[j]:19.4f}")
print(f"slope: {tuples_slope:.2f}")

figure, (ax, error_ax) = plt.subplots(1, 2, figsize=(10, 4.4), layout="constrained")
ax.axhspan(truth - case_error, truth + case_error, color=ORANGE, alpha=0.2, linewidth=0)
ax.axhline(
    truth, color=ORANGE, linestyle="--", label="population ± deviation between data sets"
)
ax.axhline(exact.score, color="black", linewidth=1, label="this data set, exact")
for i, (shift, colour) in enumerate(zip((1, 0.9, 1.11), (BLUE, GREY, GREY), strict=True)):
    ax.errorbar(
        shift * n_tuples,
        estimates[i],
        errors[i],
        fmt="o",
        color=colour,
        markersize=4,
        capsize=2,
        label=None if i else "drawn tuples ± standard error (grey: two more)",
    )
ax.set_xscale("log")
ax.set_xlabel("number of tuples drawn")
ax.set_ylabel("VUS")
ax.legend(loc="upper right", fontsize=9)
error_ax.plot(n_tuples, actual, "o", color=BLUE, label="actual error (root mean square)")
error_ax.plot(n_tuples, errors.mean(axis=0), color=BLUE, label="reported standard error")
error_ax.axhline(case_error, color=ORANGE, linestyle="--", label="deviation between data sets")
error_ax.set_xscale("log")
error_ax.set_yscale("log")
error_ax.set_xlabel("number of tuples drawn")
error_ax.set_ylabel("error")
error_ax.set_title(f"slope {tuples_slope:.2f}", fontsize=11)
error_ax.legend(fontsize=9)
for panel in (ax, error_ax):
    panel.grid(alpha=0.25)

# %%
# The estimates close in on the exact volume *of this data set*, again about with the root,
# not on that of the population. From some 300 tuples on the cases are the larger error, and
# it is they that decide how much the score is worth.
#
# What cannot be sampled, and need not be
# ---------------------------------------
# The paper says of one computation that it "cannot be approximated by sampling". It does not
# mean the tuples, but what happens within one: whether the true assignment of N cases to the
# N corners has a smaller sum of distances than each of the N! - 1 others. Indeed, looking at
# some of the others is no way to find out whether none is smaller. Here are 300 tuples of
# seven classes, and what we would believe after looking at a few of the 5039 others.

N_CLASSES = 7
y_score, y = make_softmax_gaussians([300] * N_CLASSES, N_CLASSES, scale=0.8, random_state=0)
tuples = np.stack([y_score[y == k] for k in range(N_CLASSES)], axis=1)  # 300 of them
distances = np.linalg.norm(tuples[:, :, None] - np.eye(N_CLASSES), axis=-1)
others = np.array(list(permutations(range(N_CLASSES))))[1:]  # the first is the true one
others = np.random.default_rng(0).permutation(others)
true_sums = np.trace(distances, axis1=1, axis2=2)
wrong_sums = np.array([row[range(N_CLASSES), others].sum(axis=1) for row in distances])
is_smallest = np.logical_and.accumulate(true_sums[:, None] < wrong_sums, axis=1)
looked_at = (10, 100, 1000, factorial(N_CLASSES) - 1)
believed = [is_smallest[:, n - 1].mean() for n in looked_at]
for n, share in zip(looked_at, believed, strict=True):
    print(f"looking at {n:4d} others: {share:5.1%} of the tuples seem ordered")

# %%
# The error is one-sided, and it would not average out over tuples. But neither is there a
# need to look at all N! sums: the cheapest way of assigning N cases to N corners is a
# textbook problem that takes N³ steps, and a tuple is ordered if the solution is the true
# one.

is_ordered = [
    np.array_equal(linear_sum_assignment(row)[1], np.arange(N_CLASSES)) for row in distances
]
n_differences = np.sum(is_ordered != is_smallest[:, -1])
print(f"by assignment: {np.mean(is_ordered):.1%} of the tuples are ordered")
print(f"tuples on which this differs from all {factorial(N_CLASSES)} sums: {n_differences}")
print(skvus.ordered_vus_score(y, y_score, random_state=0, return_details=True))

# %%
# The last line is the score of the whole data set, 300⁷ tuples, from drawn ones: each of
# them decided exactly, and with the standard error of the drawing.

# %%
# For the page on the paper
# -------------------------
# What it says beside what was found here.


def verdict(holds):
    """Say whether a claim holds."""
    return "yes" if holds else "**no**"


growth = [
    [n, f"{run.mean():.3f}", f"{deviation:.3f}", f"{deviation * np.sqrt(n):.2f}"]
    for n, run, deviation in zip(n_cases, runs.T, spread, strict=True)
    if n in (1, 2, 5, 10, 20, 50, 100)
]
TABLES = {
    "growth": (
        [
            "cases a class",
            "mean VUS of 200 runs",
            "deviation of a run",
            "deviation times root of the cases",
        ],
        growth,
    ),
    "claims": (
        ["claim (section)", "paper", "here", "verdict"],
        [
            [
                "VUS of the data in Figure 5 (3.1)",
                "around 0.85",
                f"{truth:.3f}",
                verdict(abs(truth - 0.85) < 0.01),
            ],
            [
                "larger data sets give more accurate values (3.1)",
                "1 to 100 cases a class",
                f"deviation from {spread[0]:.3f} to {spread[-1]:.3f}",
                verdict((np.diff(spread) < 0).all()),
            ],
            [
                "error falls with the square root of the cases (1)",
                "power -1/2",
                f"power {cases_slope:.2f}",
                verdict(abs(cases_slope + 0.5) < 0.06),
            ],
            [
                "some of the N! sums are not enough (1)",
                "cannot be approximated by sampling",
                f"{looked_at[0]} of {looked_at[-1]:,} others: {believed[0]:.1%} of the tuples "
                f"seem ordered; all: {believed[-1]:.1%}",
                verdict(believed[0] > believed[-1] + 0.1),
            ],
            [
                "all N! sums are needed (1)",
                "yes",
                f"an assignment, N³ steps, decides {len(is_ordered)} tuples of {N_CLASSES} "
                f"classes with {n_differences} errors",
                verdict(n_differences > 0),
            ],
        ],
    ),
}

plt.show()
