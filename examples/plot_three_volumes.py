"""
What is it the volume of?
=========================

Three papers generalise the area under the ROC curve to more than two classes, and each takes
it for something else: the error profiles that a classifier makes obsolete, the tuples of cases
that it puts in the right order, the true rates that its weightings reach. For two classes all
three can be drawn in a square, and are nearly the same. For three and more they are not.
"""

# %%
# Two classes
# -----------
# Twelve cases of each class have a score, the higher the more it speaks for class 1.

import matplotlib.pyplot as plt
import numpy as np
from scipy.special import softmax
from sklearn.metrics import roc_auc_score

import skvus

BLUE, ORANGE, GREY = "#0072B2", "#D55E00", "#666666"

N = 12
rng = np.random.default_rng(3)
y = np.repeat([0, 1], N)
score = rng.normal(1.2 * y)

# %%
# Left: each threshold is a classifier with two rates of mistakes. Whatever is above a mixture
# of them (line) can be thrown away. Middle: each pair of one case of either class is a field,
# blue if the scores are in the right order. Right: each threshold reaches two true rates, and
# below it is what could be had, too. The middle and the right are the same shape.

points = skvus.operating_points(y, np.column_stack([-score, score]) / 2 + 10).rates
misses = np.vstack([points[:, [0, 1], [1, 0]], [[0, 1], [1, 0]]])
misses = misses[np.lexsort((misses[:, 1], misses[:, 0]))]
hull = []  # the lower convex hull, from left to right
for point in misses:
    while len(hull) > 1 and np.linalg.det([hull[-1] - hull[-2], point - hull[-1]]) <= 0:
        hull.pop()
    hull.append(point)
hull = np.array(hull)
in_order = np.sort(score[y == 0])[:, np.newaxis] < np.sort(score[y == 1])[::-1]
true_rates = np.diagonal(points, axis1=1, axis2=2)
true_rates = true_rates[np.argsort(true_rates[:, 0], kind="stable")]

areas = {
    "polytope": skvus.soft_polytope_vus_score(y, score),
    "pairs": in_order.mean(),
    "simplified": skvus.simplified_vus_score(y, score),
    "scikit-learn": roc_auc_score(y, score),
}
print(*(f"{name} {area:.4f}" for name, area in areas.items()))

figure, axes = plt.subplots(1, 3, figsize=(11, 4.2), layout="constrained")
left, middle, right = axes
left.fill_between(hull[:, 0], hull[:, 1], 1, color=BLUE, alpha=0.25, lw=0)
left.plot(*hull.T, color=BLUE)
left.plot(*misses.T, "o", color=BLUE, markersize=4)
left.set_title(f"what can be thrown away: {areas['polytope']:.3f}", fontsize=11)
left.set_xlabel("share of class 0 called 1")
left.set_ylabel("share of class 1 called 0")
for (i, j), is_right in np.ndenumerate(in_order):
    place = np.array([i, j]) / N
    middle.add_patch(
        plt.Rectangle(
            place, 1 / N, 1 / N, facecolor=BLUE, alpha=0.25 if is_right else 0, edgecolor="none"
        )
    )
middle.vlines(np.arange(N + 1) / N, 0, 1, color="white", linewidth=0.8)
middle.hlines(np.arange(N + 1) / N, 0, 1, color="white", linewidth=0.8)
middle.set_title(f"pairs in the right order: {areas['pairs']:.3f}", fontsize=11)
middle.set_xlabel("cases of class 0, the lowest score first")
middle.set_ylabel("cases of class 1, the highest score first")
middle.set(xticks=[], yticks=[])
height = [true_rates[true_rates[:, 0] >= x, 1].max(initial=0) for x in np.arange(1, N + 1) / N]
reached = np.array(height)
right.bar(
    (np.arange(N) + 0.5) / N, reached, width=1 / N, color=BLUE, alpha=0.25, edgecolor="none"
)
right.plot(*true_rates.T, "o", color=BLUE, markersize=4)
right.set_title(f"below the true rates: {areas['simplified']:.3f}", fontsize=11)
right.set_xlabel("share of class 0 that is recognised")
right.set_ylabel("share of class 1 that is recognised")
for ax in axes:
    ax.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), aspect="equal")

# %%
# The middle and the right are scikit-learn's area. The left is the area under the convex hull
# of the ROC curve: a mixture of two thresholds may do better than a threshold between them.
#
# More classes
# ------------
# Classes are Gaussians around the corners of a simplex, and the classifier knows their
# posteriors. The same distance between classes makes volumes that fall as classes are added,
# each from chance of its own.


def draw(n_classes, separation, n_cases=120):
    """Labels and the best possible posteriors, the same noise for all separations."""
    labels = np.arange(n_cases) % n_classes
    noise = np.random.default_rng(0).standard_normal((n_cases, n_classes))
    return labels, softmax(
        separation * (separation * np.eye(n_classes)[labels] + noise), axis=1
    )


def volumes(n_classes, separation):
    """All three, the first one also for the most probable class alone."""
    labels, p = draw(n_classes, separation)
    return {
        "polytope, one classifier": skvus.polytope_vus_score(labels, p.argmax(axis=1)),
        "polytope, all weightings": skvus.soft_polytope_vus_score(labels, p, random_state=0),
        "tuples, by distance": skvus.ordered_vus_score(labels, p, random_state=0),
        "tuples, by product": skvus.ordered_vus_score(
            labels, p, distance="product", random_state=0
        ),
        "simplified": skvus.simplified_vus_score(labels, p, random_state=0),
    }


SEPARATION = 2.0
by_classes = {q: volumes(q, SEPARATION) for q in (2, 3, 4)}
for q, found in by_classes.items():
    print(q, "classes:", *(f"{name} {value:.3f}," for name, value in found.items()))

separations = np.linspace(0, 4, 9)
by_separation = [volumes(3, separation) for separation in separations]
growth, ax = plt.subplots(figsize=(7.2, 4.4), layout="constrained")
styles = {
    "polytope, one classifier": (GREY, "-."),
    "polytope, all weightings": ("#CC79A7", "-"),
    "tuples, by distance": ("#E69F00", "-"),
    "simplified": (BLUE, "--"),
}
for name, (colour, style) in styles.items():
    values = [found[name] for found in by_separation]
    ax.plot(separations, values, style, color=colour, linewidth=1.8, label=name)
ax.axhline(1 / 6, color="black", linewidth=0.8, linestyle=":", label="guessing, 1/6 and 2/45")
ax.axhline(2 / 45, color="black", linewidth=0.8, linestyle=":")
ax.set_title("three classes", fontsize=11)
ax.set_xlabel("distance of the class means from the centre, in standard deviations")
ax.set_ylabel("volume")
ax.set_ylim(0, 1.02)
ax.grid(alpha=0.25)
ax.legend(fontsize=9, loc="lower right")

TABLES = {
    "classes": (
        ["classes", *by_classes[3], "chance, polytope", "chance, others"],
        [
            [
                q,
                *(f"{value:.3f}" for value in found.values()),
                f"{np.divide(*skvus.polytope_vus_bounds(q)):.2g}",
                f"1/{round(1 / skvus.simplified_vus_bounds(q)[0])}",
            ]
            for q, found in by_classes.items()
        ],
    )
}

plt.show()
