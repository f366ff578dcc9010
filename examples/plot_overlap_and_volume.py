"""
How much overlap of classes is how much volume?
===============================================

Two classes that overlap have an area under the ROC curve between 1/2 and 1. With more
classes the area becomes a volume, and the same overlap is worth something else. How much?
The simplified VUS of Landgrebe and Duin [1]_ looks at the rates of correct decisions alone,
one for each class. We draw what it is about, and compute it for normal classes, for which it
is known exactly.

.. [1] T. C. W. Landgrebe, R. P. W. Duin, "A simplified volume under the ROC hypersurface",
   2007, Figures 1 and 4, Tables 1 to 3.
"""

# %%
# Two classes
# -----------
# One class has the mean 0, the other one a larger mean, and the variance is one. All cases
# below a threshold are called the first class. The further down the threshold, the fewer cases
# of the first class are recognised, and the more of the second one.
#
# In the paper's Figure 1, A is perfect, B has some overlap, and C guesses. Both axes are rates
# of correct decisions: the ROC curve as usual, but from right to left.

from math import factorial

import matplotlib.pyplot as plt
import numpy as np
from scipy.integrate import trapezoid
from scipy.special import ndtr, ndtri
from sklearn.metrics import roc_auc_score

import skvus
from skvus.datasets import make_ordered_gaussians

BLUE, ORANGE, GREEN, VERMILION = "#0072B2", "#E69F00", "#009E73", "#D55E00"
PURPLE, SKY, GREY = "#CC79A7", "#56B4E9", "#666666"


def true_volume(means):
    """Probability that one case of each class come in the order of their means."""
    return make_ordered_gaussians(len(means), means, return_volume=True, random_state=0)[-1]


N_CASES = 100  # of each class
distances = {"A, perfect": 8.0, "B, some overlap": 1.5, "C, random": 0.0}
first_rate = np.linspace(0, 1, 401)
two_classes = {}

figure_1, ax = plt.subplots(figsize=(5.6, 4.6), layout="constrained")
for (name, distance), colour in zip(distances.items(), (GREEN, BLUE, GREY), strict=True):
    _, y, posteriors = make_ordered_gaussians(
        [N_CASES] * 2, (0, distance), return_posteriors=True, random_state=1
    )
    rates = skvus.operating_points(y, posteriors).rates
    hits = np.diagonal(rates, axis1=1, axis2=2)
    hits = hits[np.lexsort((-hits[:, 1], hits[:, 0]))]
    two_classes[name] = {
        "exact": true_volume((0, distance)),
        "score": skvus.simplified_vus_score(y, posteriors),
        "trapezoids": trapezoid(hits[:, 1], hits[:, 0]),
        "scikit-learn": roc_auc_score(y, posteriors[:, 1]),
    }
    second_rate = ndtr(distance - ndtri(first_rate))
    ax.plot(first_rate, second_rate, color=colour, linewidth=1.6)
    ax.fill_between(first_rate, second_rate, color=colour, alpha=0.07, linewidth=0)
    ax.scatter(*hits.T, s=9, color=colour, zorder=3, clip_on=False)
for letter, (x, height), colour in (
    ("A", (0.93, 0.93), GREEN),
    ("B", (0.71, 0.7), BLUE),
    ("C", (0.46, 0.46), GREY),
):
    ax.text(x, height, letter, color=colour, fontsize=14, fontweight="bold")
ax.set(xlim=(0, 1.01), ylim=(0, 1.01), aspect="equal")
ax.set_xlabel(r"rate of the first class, $\xi_{11}$")
ax.set_ylabel(r"rate of the second class, $\xi_{22}$")
ax.grid(alpha=0.25)

# %%
# Lines are for infinitely many cases, dots are the operating points of a sample of 100 cases
# of each class. The scores of C are constant, so that there are no dots but two: call all
# cases the first class, or all of them the second.
#
# With two classes the simplified VUS is the area under the ROC curve, to the last digit, and
# that is what trapezoids between the dots make of it.

print(f"{'':<17}{'exact':>9}{'sample':>9}{'trapezoids':>12}{'scikit-learn':>14}")
for name, row in two_classes.items():
    print(
        f"{name:<17}{row['exact']:9.5f}{row['score']:9.5f}{row['trapezoids']:12.5f}"
        f"{row['scikit-learn']:14.5f}"
    )

# %%
# Four classes
# ------------
# The paper's Figure 4 shows the classes of two of its experiments, the second and the fourth
# with four classes. Dotted lines are where decisions change if all weights are equal. Below are
# the rates of all decisions at these operating points, what the paper's Table 1 defines: a row
# for each true class, a column for each estimated one.
#
# The volume looks at the diagonal alone, at all operating points; the matrices are one of them.

CLASS_COLOURS = (BLUE, ORANGE, GREEN, PURPLE)
PRINTED = {  # means, estimate of the paper
    "second experiment": ((-0.75, -0.25, 0.25, 0.75), 0.07782),
    "fourth experiment": ((-1.5, -0.5, 0.5, 1.5), 0.33097),
}


def rates_of(means):
    """Rates of all decisions for equal weights, of infinitely many cases."""
    means = np.asarray(means)
    borders = np.concatenate([[-np.inf], (means[1:] + means[:-1]) / 2, [np.inf]])
    return np.diff(ndtr(borders - means[:, np.newaxis]), axis=1)


x = np.linspace(-4.5, 4.5, 361)
confusion = {name: rates_of(means) for name, (means, _) in PRINTED.items()}
figure_4, axes = plt.subplots(
    2, 2, figsize=(9.5, 6.4), layout="constrained", height_ratios=(1, 1.25)
)
for (name, (means, estimate)), (ax, matrix_ax) in zip(PRINTED.items(), axes.T, strict=True):
    for k, (mean, colour) in enumerate(zip(means, CLASS_COLOURS, strict=True)):
        density = np.exp(-((x - mean) ** 2) / 2) / np.sqrt(2 * np.pi)
        ax.plot(x, density, color=colour, label=rf"$\omega_{k + 1}$")
        ax.fill_between(x, density, color=colour, alpha=0.1, linewidth=0)
    for border in (np.array(means)[1:] + np.array(means)[:-1]) / 2:
        ax.axvline(border, color=GREY, linestyle=":", linewidth=1)
    ax.set_title(f"{name}: volume {true_volume(means):.3f} (paper {estimate:.3f})", fontsize=11)
    ax.set(ylim=(0, 0.44), yticks=[])
    rates = confusion[name]
    matrix_ax.imshow(rates, cmap="Blues", vmin=0, vmax=1)
    for i, j in np.ndindex(rates.shape):
        style = {"color": "white" if rates[i, j] > 0.55 else "black", "ha": "center"}
        weight = "bold" if i == j else "normal"
        matrix_ax.text(j, i, f"{rates[i, j]:.3f}", va="center", fontweight=weight, **style)
    labels = [rf"$\omega_{k + 1}$" for k in range(4)]
    matrix_ax.set(xlabel="estimated", xticks=range(4), yticks=range(4), xticklabels=labels)
    matrix_ax.set_yticklabels(labels)
axes[0, 0].legend(fontsize=9, loc="upper left")
axes[0, 0].set_ylabel("density")
axes[1, 0].set_ylabel("true")

# %%
# In such a matrix each row sums to one, so that it has C(C - 1) free entries (equation 5). The
# paper's equation 3 has the prior of the true class in front of each entry. Then rows sum to
# the priors, equation 5 is wrong, and no rate could reach 1, as the axes of all figures do.

for name, rates in confusion.items():
    sums = ", ".join(f"{total:.2f}" for total in rates.sum(axis=1))
    with_prior = ", ".join(f"{total:.2f}" for total in rates.sum(axis=1) / 4)
    print(f"{name}: rows sum to {sums}; with equation 3 as printed to {with_prior}")

# %%
# More classes
# ------------
# Now let there be C classes whose means are a distance d apart, so that neighbours always have
# the same overlap. Their volume is between 1/C!, for d = 0, and 1. The experiments of the paper
# are on these curves, or should be: diamonds are its estimates for three and for four classes.

TABLE_2 = {0.05: 0.16876, 0.3: 0.24140, 0.5: 0.31428, 1.0: 0.51214, 1.5: 0.70597, 4.0: 0.98582}
TABLE_3 = {0.1: 0.05688, 0.5: 0.07782, 2 / 3: 0.19972, 1.0: 0.33097, 1.5: 0.57990, 2.0: 0.75451}
spacings = np.linspace(0, 4.5, 46)
curves = {
    c: np.array([true_volume(d * np.arange(c)) for d in spacings]) for c in (2, 3, 4, 5, 6, 12)
}

figure, ax = plt.subplots(figsize=(8, 4.8), layout="constrained")
colours = (GREY, BLUE, VERMILION, GREEN, PURPLE, "black")
ends = {2: 0.3, 3: 0.62, 4: 0.86, 5: 1.04, 6: 1.2, 12: 1.93}  # where labels stand
for (c, volumes), colour in zip(curves.items(), colours, strict=True):
    ax.plot(spacings, volumes, color=colour, linewidth=1.6)
    ax.plot(0, 1 / factorial(c), "o", color=colour, markersize=4, clip_on=False, zorder=4)
    ax.text(ends[c], np.interp(ends[c], spacings, volumes), f"{c} ", color=colour, ha="right")
for table, colour in ((TABLE_2, BLUE), (TABLE_3, VERMILION)):
    ax.plot(
        *(list(table), list(table.values()), "D"),
        color=colour,
        markerfacecolor="white",
        markersize=6,
        label=f"paper, {'three' if table is TABLE_2 else 'four'} classes",
    )
ax.set(xlim=(0, 4.5), ylim=(0, 1.01))
ax.set_xlabel("distance d between means of neighbours, in standard deviations")
ax.set_ylabel("simplified VUS")
ax.grid(alpha=0.25)
ax.legend(loc="lower right")

# %%
# Numbers at the curves are numbers of classes. All curves rise: for every number of classes,
# less overlap is more volume, as the paper says. Its estimates are low, one of them by far; see
# ``plot_simplified_vus.py``.
#
# A footnote of the paper has it that with many classes good classifiers tend to 1 and poor ones
# to 0. The second half is true, but also of good ones: with the same overlap of neighbours the
# volume falls towards 0 as classes are added, whatever the overlap is, because there are ever
# more pairs of neighbours that may be mistaken. So volumes of different numbers of classes
# cannot be compared as they are.

SHOWN = (0.0, 0.5, 1.0, 2.0, 4.0)
worth = {d: {c: true_volume(d * np.arange(c)) for c in curves} for d in SHOWN}
print(f"{'d':>4}{'area of neighbours':>20}" + "".join(f"{f'C = {c}':>12}" for c in curves))
for d, row in worth.items():
    print(f"{d:4.1f}{row[2]:20.4f}" + "".join(f"{value:12.2g}" for value in row.values()))

# %%
# Priors, and many classes
# ------------------------
# Of other volumes the paper says that the area of each class against the rest depends on the
# frequencies of the classes, and of its own that it cannot be had for many classes. The first
# is so: let the class in the middle count ten times. The second is not: tuples can be drawn,
# and whether one is in order is quickly told, whatever the number of classes is. (± is from
# drawing tuples; the cases are a sample, too.)

_, y, posteriors = make_ordered_gaussians([300] * 3, return_posteriors=True, random_state=0)
weights = np.where(y == 1, 10.0, 1.0)
by_frequency = {
    score: [
        function(y, posteriors, sample_weight=sample_weight)
        for sample_weight in (None, weights)
    ]
    for score, function in (
        ("each against the rest", skvus.one_vs_rest_auc_score),
        ("simplified VUS", skvus.simplified_vus_score),
    )
}
for score, (equal, unequal) in by_frequency.items():
    print(f"{score:<22}equal classes {equal:.4f}, one ten times as frequent {unequal:.4f}")

_, y, posteriors, truth = make_ordered_gaussians(
    [100] * 12, 2 * np.arange(12), return_posteriors=True, return_volume=True, random_state=0
)
twelve = skvus.simplified_vus_score(y, posteriors, random_state=0, return_details=True)
print(f"twelve classes: {twelve.score:.4f} ± {twelve.standard_error:.4f}, truth {truth:.4f}")

# %%
# Tables for the page that sets the results of the paper beside ours:

areas = {name: f"{row['score']:.4f}" for name, row in two_classes.items()}
gap = max(
    abs(row[how] - row["score"])
    for row in two_classes.values()
    for how in ("trapezoids", "scikit-learn")
)
printed = ", ".join(str(np.prod(np.arange(c - 1, 0, -2))) for c in (4, 6, 8))
actual = ", ".join(str(c * (c - 1) // 2) for c in (4, 6, 8))
is_rising = all((np.diff(volumes) > 0).all() for volumes in curves.values())
claims = [
    ("area of each class against the rest (1)", "depends on priors")
    + (" and ".join(f"{value:.3f}" for value in by_frequency["each against the rest"]), True),
    ("simplified VUS and priors (3)", "independent of them")
    + (" and ".join(f"{value:.3f}" for value in by_frequency["simplified VUS"]), True),
    ("steps of Hand and Till's measure (1), C = 4, 6, 8",)
    + ("(C-1)(C-3)...1 = " + printed, "C(C-1)/2 = " + actual, False),
    ("many classes (1)", "infeasible, C = 3 to 6")
    + (f"C = 12: {twelve.score:.2f}, truth {truth:.2f}", False),
    ("less overlap is more volume, whatever C (1, 4.3)", "yes", "all curves rise", is_rising),
    ("many classes, good classifiers (footnote 2)", "tend to 1")
    + (f"to 0; C = 12, area of neighbours 0.92: {worth[2.0][12]:.2f}", False),
    ("rates of a true class sum to (2, equation 5)", "1", "1.00", True),
    ("with equation 3", "the same", "0.25, the prior", False),
    ("area of A, perfect (3, Figure 1)", "1", areas["A, perfect"], True),
    ("area of C, random (3, Figure 1)", "0.5", areas["C, random"], True),
    ("trapezoids, and pairs in the right order (3)", "both are the area")
    + ("both are, to 12 digits" if gap < 1e-12 else "not the same", gap < 1e-12),
]
TABLES = {
    "claims": (
        ["claim (section)", "paper", "here", "verdict"],
        [[*claim[:3], "yes" if claim[3] else "**no**"] for claim in claims],
    ),
    "areas": (
        ["classifier", "paper", "exact", "sample", "its trapezoids", "AUC of scikit-learn"],
        [
            [name, paper, *(f"{value:.4f}" for value in row.values())]
            for (name, row), paper in zip(
                two_classes.items(), ("1", "between", "0.5"), strict=True
            )
        ],
    ),
    "confusion": (
        ["true", *(f"ω{k}" for k in range(1, 5)), "row sum", "row sum with equation 3"],
        [
            [f"ω{i + 1}", *(f"{rate:.3f}" for rate in rates), f"{rates.sum():.2f}"]
            + [f"{rates.sum() / 4:.2f}"]
            for i, rates in enumerate(confusion["fourth experiment"])
        ],
    ),
    "classes": (
        ["distance of neighbours", *(f"C = {c}" for c in curves)],
        [[f"{d:g}", *(f"{value:.3g}" for value in row.values())] for d, row in worth.items()],
    ),
}

plt.show()
