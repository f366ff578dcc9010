"""
Which classifiers can be thrown away?
=====================================

A classifier that errs at least as often as another one, in every way, is of no use, whatever
mistakes cost. Ferri, Hernández-Orallo and Salido [1]_ ask what a set of classifiers makes
discardable in that sense, and take the volume of it for the merit of the set: the volume under
the ROC surface (VUS). For three classes the region lies in a space of six dimensions. They
describe it by inequalities, feed these to a solver that lists the corners, and the corners to
one that finds the volume.

This example follows them through their sections 2 to 4, from two classes, where the region
can be drawn, to sets of classifiers of three, and shows slices of what cannot be drawn.

.. [1] C. Ferri, J. Hernández-Orallo, M. A. Salido, "Volume under the ROC surface for
   multi-class problems", ECML 2003.
"""

# %%
# Two classes
# -----------
# The paper draws the ROC diagram with the rates of both errors, misses (FNR) and false alarms
# (FPR), so that a good classifier is near the origin. Always saying yes and always saying no
# are the corners (0, 1) and (1, 0); by tossing a coin between them one gets all of the
# diagonal. What lies above it can be thrown away without knowing any classifier. Each
# classifier that becomes known lowers the border.

from itertools import product

import matplotlib.pyplot as plt
import numpy as np
from scipy.optimize import linprog
from scipy.spatial import ConvexHull, HalfspaceIntersection

import skvus
from skvus.datasets import random_confusion_rates

BLUE, ORANGE, GREEN, VERMILION, GREY = "#0072B2", "#E69F00", "#009E73", "#D55E00", "#666666"
SKY = "#56B4E9"


def two_class_rates(miss, false_alarm):
    """Rates of a classifier of two classes, the second of which is not to be missed."""
    return np.array([[1 - false_alarm, false_alarm], [miss, 1 - miss]])


known = [(0.3, 0.2), (0.08, 0.55), (0.6, 0.05), (0.45, 0.35)]  # misses and false alarms
panels = {"no classifier": [], "one classifier": known[:1], "four classifiers": known}

figure, axes = plt.subplots(1, 3, figsize=(10, 3.9), sharey=True, layout="constrained")
for ax, (name, classifiers) in zip(axes, panels.items(), strict=True):
    rates = [two_class_rates(*errors) for errors in classifiers]
    region = skvus.discard_polytope(rates, n_classes=2)
    corners = region.vertices[:, ::-1]  # the coordinates come as false alarms, misses
    around = corners - corners.mean(axis=0)
    corners = corners[np.argsort(np.arctan2(around[:, 1], around[:, 0]))]
    ax.fill(*corners.T, facecolor=SKY, alpha=0.35, edgecolor=BLUE, label="discardable")
    ax.plot([0, 1], [1, 0], "k^", clip_on=False, label="trivial classifiers")
    for miss, false_alarm in classifiers:
        others = [two_class_rates(*other) for other in classifiers if other[0] != miss]
        useless = skvus.is_discarded(two_class_rates(miss, false_alarm), others)
        ax.plot(
            miss, false_alarm, "x" if useless else "o", color=VERMILION, markersize=8, mew=2
        )
    ax.set_title(f"{name}: VUS {skvus.polytope_vus(rates, n_classes=2):.3f}", fontsize=11)
    ax.set_xlabel("misses (FNR)")
    ax.set_xlim(0, 1)
    ax.set_ylim(0, 1)
    ax.set_aspect("equal")
    ax.grid(alpha=0.25)
axes[0].set_ylabel("false alarms (FPR)")
axes[0].legend(loc="lower left", fontsize=9)

# %%
# One of the four (the cross) lies inside what the others make discardable: it adds nothing.
#
# For one classifier of two classes the paper has a formula for the area (section 5.3), the
# mean of both true rates or 1/2, whichever is larger. It is our volume. So two points with the
# same sum of errors have the same area. The paper says of (0.2, 0.2) that it "has greater AUC
# than the point (0.1, 0.3)", and, of two classes, that AUC is the geometric mean of the true
# rates; by its own formula neither is so.

pairs = np.random.default_rng(0).random((1000, 2))
formula = np.maximum(1 / 2, 1 - pairs.sum(axis=1) / 2)
volumes = np.array([skvus.polytope_vus(two_class_rates(*pair)) for pair in pairs])
geometric = np.sqrt(np.prod(1 - pairs, axis=1))
formula_gap = np.abs(volumes - formula).max()
geometric_gap = np.abs(volumes - geometric).max()
alike = [skvus.polytope_vus(two_class_rates(*pair)) for pair in ((0.2, 0.2), (0.1, 0.3))]
print(f"largest difference to the formula: {formula_gap:.1e}")
print(f"largest difference to the geometric mean: {geometric_gap:.2f}")
print(f"(0.2, 0.2): {alike[0]:.3f}, (0.1, 0.3): {alike[1]:.3f}")

# %%
# Three classes: what is useless from the outset
# ----------------------------------------------
# Theorem 1 says which classifiers of three classes can be discarded without any knowledge.
# For each class take the smaller of the two rates at which the others are mistaken for it. If
# the three sum to one or more, some mixture of trivial classifiers is as good in every way,
# and else none is. The paper leaves the proof to a report. Here are 100,000 random classifiers
# (all valid rates equally likely), put to the test by looking for the mixture.

N_RANDOM = 100_000
errors = random_confusion_rates(N_RANDOM, 3, kind="dirichlet", random_state=0)
off_diagonal = np.where(np.eye(3, dtype=bool), np.inf, errors)
column_minima = off_diagonal.min(axis=1).sum(axis=1)
useless, mixtures = skvus.is_discarded(errors, None, return_weights=True)
theorem_misses = np.sum(useless != (column_minima >= 1))
blends = mixtures[useless][:, np.newaxis, :]  # each true class is treated alike
worst_excess = (blends - off_diagonal[useless]).max()
smallest, largest = skvus.polytope_vus_bounds(3)
print(f"discardable: {useless.mean():.4f} of all; exact share {smallest / largest:.4f}")
print(f"classifiers for which the theorem is wrong: {theorem_misses}")
print(f"the mixtures err more often, at most by: {worst_excess:.1e}")

# %%
# The theorem is right on all of them. The border is sharp:

figure, ax = plt.subplots(figsize=(7.2, 3.8), layout="constrained")
bins = np.linspace(0, 1.5, 76)
for part, colour, name in (
    (~useless, BLUE, "no trivial mixture is as good"),
    (useless, VERMILION, "some mixture is"),
):
    ax.hist(column_minima[part], bins, color=colour, label=f"{name}: {part.mean():.2%}")
ax.axvline(1, color="black", linestyle="--", linewidth=1)
ax.annotate(
    "Theorem 1",
    (1, 0.9),
    xycoords=("data", "axes fraction"),
    xytext=(6, 0),
    textcoords="offset points",
)
ax.set_xlabel("sum of the smaller rates of false decisions for each class")
ax.set_ylabel("random classifiers")
ax.legend(loc="upper right", bbox_to_anchor=(1, 0.85), fontsize=9)

# %%
# Corners
# -------
# The paper's inequalities in six unknowns x1, ..., x6, the errors in the order of its table:
# each lies between 0 and 1, the errors of each true class sum to at most one, and, for the
# minimum, the eight sums that replace Theorem 1 are at least one. We hand the same
# inequalities to a program that intersects half-spaces, and the corners to one that takes
# their convex hull: the paper's way, by other software.


def half_space(unknowns, least=None, most=None):
    """Write a bound on a sum of unknowns as a @ x + b <= 0."""
    sign = np.isin(np.arange(1, 7), unknowns).astype(float)
    return [*sign, -most] if least is None else [*-sign, least]


unit_cube = [half_space([i], least=0) for i in range(1, 7)]
unit_cube += [half_space([i], most=1) for i in range(1, 7)]
valid = [half_space(pair, most=1) for pair in ((3, 5), (1, 6), (2, 4))]
eight = [half_space(three, least=1) for three in product((1, 2), (3, 4), (5, 6))]


def corners_and_volume(inequalities):
    """Corners by intersecting half-spaces, volume by the convex hull of the corners."""
    inequalities = np.array(inequalities)
    normals, offsets = inequalities[:, :-1], inequalities[:, -1]
    lengths = np.linalg.norm(normals, axis=1, keepdims=True)
    deepest = linprog([0] * 6 + [-1], np.hstack([normals, lengths]), -offsets).x[:-1]
    corners = HalfspaceIntersection(inequalities, deepest).intersections
    corners = np.unique(corners.round(9), axis=0)
    return corners, ConvexHull(corners).volume


largest_corners, largest_volume = corners_and_volume(unit_cube + valid)
smallest_corners, smallest_volume = corners_and_volume(unit_cube + valid + eight)
ours = skvus.discard_polytope(np.eye(3)), skvus.discard_polytope(n_classes=3)
print(f"{'':<9}{'corners':>8}{'of skvus':>10}{'volume':>12}{'1 / volume':>12}")
print(
    f"{'maximum':<9}{len(largest_corners):8d}{len(ours[0].vertices):10d}"
    f"{largest_volume:12.8f}{1 / largest_volume:12.4f}"
)
print(
    f"{'minimum':<9}{len(smallest_corners):8d}{len(ours[1].vertices):10d}"
    f"{smallest_volume:12.8f}{1 / smallest_volume:12.4f}"
)

# %%
# These are the paper's 27 and 9. The 41 and 25 points from which it started are not all
# corners; they seem to be what its solver came up with.
#
# A hasty step
# ------------
# To add a classifier one is tempted to add its point to the corners and take the hull. The
# paper warns against it, rightly: the perfect classifier, the origin, would then not get the
# maximum of 1/8. But what it would get is not the 1/120 that the paper prints.


def hasty_volume(*points):
    """Volume of the hull of the nine corners and further points."""
    return ConvexHull(np.vstack([ours[1].vertices, points])).volume


hasty = hasty_volume(np.zeros(6))
print(f"hull of nine corners and the origin: {hasty:.8f} = 1/{1 / hasty:.3f}")
print(
    f"without the origin: 1/{1 / ours[1].volume:.3f}, so the origin adds 1/"
    f"{1 / (hasty - ours[1].volume):.3f}"
)

# %%
# What is missing is everything that is worse than a mixture of the new classifier and the old
# ones. A slice shows it. Let all classes be alike: each is mistaken for the next one at the
# rate a and for the previous one at the rate b.

REACH, STEPS = 1.0, 241
next_rate, previous_rate = np.meshgrid(
    np.linspace(0, REACH, STEPS), np.linspace(0, REACH, STEPS)
)


def cyclic_rates(a, b):
    """Each class is mistaken for the next at rate a, for the previous at rate b."""
    shift = np.roll(np.eye(3), 1, axis=1)
    a, b = np.asarray(a)[..., None, None], np.asarray(b)[..., None, None]
    return (1 - a - b) * np.eye(3) + a * shift + b * shift.T


def errors_of(rates):
    """Errors in row order, as the corners have them."""
    return np.asarray(rates)[..., ~np.eye(3, dtype=bool)]


inside = next_rate + previous_rate <= 1 + 1e-9
slice_rates = cyclic_rates(next_rate[inside], previous_rate[inside])
slice_rates = np.clip(slice_rates, 0, 1)


def picture(members):
    """Booleans over the slice as an image that is NaN elsewhere."""
    image = np.zeros(inside.shape)
    image[inside] = members
    return image


def in_hull(points):
    """Whether the points of the slice lie in the hull of the nine corners and these."""
    hull = ConvexHull(np.vstack([ours[1].vertices, points]))
    sides = errors_of(slice_rates) @ hull.equations[:, :-1].T + hull.equations[:, -1]
    return (sides <= 1e-9).all(axis=1)


trivially = skvus.is_discarded(slice_rates, None)
cases = {"the perfect one": (0.0, 0.0), "a good one": (0.2, 0.1), "a poor one": (0.45, 0.2)}
slice_volumes = {}
figure, axes = plt.subplots(1, 3, figsize=(10, 4.3), sharey=True, layout="constrained")
for ax, (name, point) in zip(axes, cases.items(), strict=True):
    rates = cyclic_rates(*point)
    truly = skvus.is_discarded(slice_rates, rates)
    hastily = in_hull(errors_of(rates))
    slice_volumes[name] = skvus.polytope_vus(rates), hasty_volume(errors_of(rates))
    for members, colour in ((truly, SKY), (hastily, ORANGE), (trivially, GREY)):
        ax.contourf(next_rate, previous_rate, picture(members), [0.5, 1.5], colors=[colour])
    ax.plot([0, 1], [1, 0], color="black", linewidth=1)
    ax.plot(*point, "o", color=VERMILION, markersize=9, markeredgecolor="black", clip_on=False)
    true_volume, hasty_one = slice_volumes[name]
    ax.set_title(f"{name}\nVUS {true_volume:.4f}, hasty {hasty_one:.4f}", fontsize=11)
    ax.set_xlim(0, 1)
    ax.set_ylim(0, 1)
    ax.set_aspect("equal")
    ax.set_xlabel("rate a, mistaken for the next class")
axes[0].set_ylabel("rate b, mistaken for the previous class")
handles = [
    plt.Line2D([], [], ls="", marker="o", color=VERMILION, mec="black", label="the classifier"),
    *(
        plt.Rectangle((0, 0), 1, 1, color=colour, label=label)
        for colour, label in (
            (SKY, "discardable, given the classifier"),
            (ORANGE, "the hasty hull has no more than this"),
            (GREY, "discardable from the outset"),
        )
    ),
]
figure.legend(handles=handles, loc="outside lower center", ncols=4, fontsize=9)

# %%
# The hasty hull grows a thin sliver towards the classifier. The true region is everything
# above and to the right of the line that joins them. In this slice two of six dimensions are
# seen; in the other four the hasty hull is thinner still, as the volumes say.
#
# Several classifiers
# -------------------
# The paper's section 4.5 has the inequalities for four classifiers Z, W, X and Y, and no
# figures. Here are four random ones that recognise at least a third of each class. The volume
# of the set grows with each, but by less than they have alone, since much of what one makes
# discardable the others do, too.

names = list("ZWXY")
drawn = random_confusion_rates(400, 3, random_state=1)
four = drawn[(np.diagonal(drawn, axis1=1, axis2=2) > 1 / 3).all(axis=1)][:4]
alone = [skvus.polytope_vus(rates) for rates in four]
together = [skvus.polytope_vus(four[:k]) for k in range(1, 5)]
by_hull = [ConvexHull(skvus.discard_polytope(four[:k]).vertices).volume for k in range(1, 5)]
two_routes = np.abs(np.divide(by_hull, together) - 1).max()
needed = [not skvus.is_discarded(four[k], np.delete(four, k, axis=0)) for k in range(4)]
print(f"{'':<6}{'alone':>10}{'so far':>10}{'by corners and hull':>21}{'needed':>8}")
for row in zip(names, alone, together, by_hull, needed, strict=True):
    print("{:<6}{:10.5f}{:10.5f}{:21.5f}{!s:>8}".format(*row))
print(f"largest relative difference of the two ways: {two_routes:.0e}")

figure, ax = plt.subplots(figsize=(7.2, 3.8), layout="constrained")
place = np.arange(4)
ax.bar(place - 0.2, alone, 0.36, color=ORANGE, label="alone")
ax.bar(place + 0.2, together, 0.36, color=BLUE, label="with those before it")
for level, name in ((largest, "the perfect one: 1/8"), (smallest, "none: 1/180")):
    ax.axhline(level, color="black", linestyle="--", linewidth=1)
    ax.text(4.65, level, name, va="bottom", ha="right")
ax.set_xticks(place, names)
ax.set_xlim(-0.5, 4.7)
ax.set_ylim(0, 0.14)
ax.set_xlabel("classifier")
ax.set_ylabel("VUS")
ax.legend(loc="upper left", bbox_to_anchor=(0, 0.85), fontsize=9)

# %%
# W is needed as long as Y is not known, and superfluous afterwards. Both ways of computing
# the volume agree: by the list of corners and their hull, as in the paper, and by the sum over
# cells that skvus uses. The first is a matter of few classifiers, as the corners become many.
#
# For the page on the paper
# -------------------------
# Claims of the paper beside what was found here.

CLAIM = ["claim (section)", "paper", "here", "verdict"]


def verdict(holds):
    """Say whether a claim holds."""
    return "yes" if holds else "**no**"


one_each = drawn[:20]
one_hull = [ConvexHull(skvus.discard_polytope(rates).vertices).volume for rates in one_each]
one_formula = [skvus.polytope_vus(rates) for rates in one_each]
TABLES = {
    "two_classes": (
        CLAIM,
        [
            [
                "area of one classifier (5.3)",
                "max(1/2, 1 - FNR/2 - FPR/2)",
                "the VUS of 1,000 random ones is that",
                verdict(formula_gap < 1e-12),
            ],
            [
                "(0.2, 0.2) and (0.1, 0.3) (5.2)",
                "the first has the greater AUC",
                f"{alike[0]:.3f} and {alike[1]:.3f}",
                verdict(alike[0] > alike[1] + 1e-9),
            ],
            [
                "AUC of two classes (5.5)",
                "geometric mean of TPR and TNR",
                f"differs by up to {geometric_gap:.2f}",
                verdict(geometric_gap < 1e-9),
            ],
        ],
    ),
    "three_classes": (
        CLAIM,
        [
            [
                "Theorem 1 (3.1.2)",
                "discardable iff r1 + r2 + r3 ≥ 1",
                f"{N_RANDOM:,} random classifiers, {theorem_misses} exceptions",
                verdict(theorem_misses == 0),
            ],
            [
                "corners of the maximum (4.2)",
                "27 points (41 before simplification)",
                f"{len(largest_corners)}",
                verdict(len(largest_corners) == 27),
            ],
            [
                "its volume (4.2)",
                "0.125",
                f"{largest_volume:.6f}",
                verdict(np.isclose(largest_volume, 1 / 8)),
            ],
            [
                "corners of the minimum (4.3)",
                "9 points (25 before simplification)",
                f"{len(smallest_corners)}",
                verdict(len(smallest_corners) == 9),
            ],
            [
                "its volume (4.3)",
                "0.0055, approximately 1/180",
                f"{smallest_volume:.6f} = 1/{1 / smallest_volume:.3f}",
                verdict(np.isclose(smallest_volume, 1 / 180)),
            ],
            [
                "hull of these 9 and the origin (4.4)",
                "1/120",
                f"1/{1 / hasty:.3f}",
                verdict(np.isclose(hasty, 1 / 120)),
            ],
            [
                "perfect classifier with all that is worse (4.4)",
                "1/8",
                f"{slice_volumes['the perfect one'][0]:.6f}",
                verdict(np.isclose(slice_volumes["the perfect one"][0], 1 / 8)),
            ],
            [
                "any classifier, by its corners (4.4)",
                "possible",
                f"{len(one_each)} random ones, closed form and hull agree",
                verdict(np.allclose(one_hull, one_formula, rtol=1e-9)),
            ],
            [
                "four classifiers, by their corners (4.5)",
                "possible",
                f"{together[-1]:.4f} (alone: {', '.join(f'{v:.4f}' for v in alone)})",
                verdict(two_routes < 1e-9),
            ],
        ],
    ),
}
for _, rows in TABLES.values():
    for claim, *_, answer in rows:
        print(f"{claim:<56}{answer}")

plt.show()
