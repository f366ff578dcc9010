"""
When are cases in the right order?
==================================

The area under the ROC curve of two classes is the share of pairs, one case from each class,
that a classifier puts in the right order. For more classes there is no such thing as an order
of numbers; each case has a vector of probabilities. Dreiseitl [1]_ calls a tuple of one case
from each class correctly ordered if its distances to the corners of the simplex are smallest
in sum with each case at its own corner. He then replaces that rule by angles, in three forms.

This example draws the ideas of his Figures 1 to 3 and puts to the test what he says about them:
whether it matters where in the triangle the cases lie, and on which tuples the angles disagree.

.. [1] S. Dreiseitl, "Towards more efficient multiclass AUC computations", 2019, sections 1
   and 2.
"""

# %%
# Two classes: order, not a threshold
# -----------------------------------
# A classifier may tell two classes apart nearly perfectly and still be wrong about half of the
# cases, if its output is cut at 0.5 and both classes lie above. The paper's Figure 1 is such a
# classifier. Here the outputs are normal with means of 0.62 and 0.80 and a standard deviation
# of 0.04.

from itertools import permutations

import matplotlib.pyplot as plt
import numpy as np
from scipy.stats import norm
from sklearn.metrics import accuracy_score, roc_auc_score

import skvus
from skvus.datasets import make_softmax_gaussians

BLUE, ORANGE, GREEN, VERMILION, GREY = "#0072B2", "#E69F00", "#009E73", "#D55E00", "#666666"

outputs = norm([0.62, 0.80], 0.04)
rng = np.random.default_rng(0)
y = np.repeat([0, 1], 500)
y_score = outputs.rvs(size=(500, 2), random_state=rng).T.ravel()
pairs = y_score[y == 0][:, np.newaxis] < y_score[y == 1]
accuracy = {cut: accuracy_score(y, y_score > cut) for cut in (0.5, 0.71)}
two_class = {
    "share of pairs in the right order": pairs.mean(),
    "area under the ROC curve": roc_auc_score(y, y_score),
    "ordered VUS": skvus.ordered_vus_score(y, y_score),
}
for name, value in two_class.items():
    print(f"{name:<36}{value:.4f}")
for cut, share in accuracy.items():
    print(f"{f'accuracy, cut at {cut}':<36}{share:.4f}")

figure, (ax, roc_ax) = plt.subplots(
    1, 2, figsize=(10, 4), layout="constrained", width_ratios=(1.5, 1)
)
x = np.linspace(0.4, 1, 400)
for k, (colour, density) in enumerate(
    zip((BLUE, ORANGE), outputs.pdf(x[:, None]).T, strict=True)
):
    ax.fill_between(x, density, color=colour, alpha=0.35, label=f"cases of class {k}")
    ax.plot(x, density, color=colour)
for cut, style in ((0.5, "-"), (0.71, "--")):
    label = f"cut at {cut}: {accuracy[cut]:.1%} right"
    ax.axvline(cut, color="black", linestyle=style, linewidth=1.2, label=label)
ax.set_xlim(x[0], x[-1])
ax.set_ylim(0, 13.5)
ax.set_xlabel("output of the classifier for class 1")
ax.set_ylabel("density")
ax.legend(loc="upper center", ncols=2, fontsize=9)
cuts = np.linspace(0.3, 1.1, 800)
roc_ax.plot(*outputs.sf(cuts[:, None]).T, color=GREEN, linewidth=2, clip_on=False)
for cut, marker in ((0.5, "o"), (0.71, "s")):
    place = outputs.sf(cut)
    roc_ax.plot(
        *place, marker, color="black", markersize=8, clip_on=False, label=f"cut at {cut}"
    )
roc_ax.plot([0, 1], [0, 1], color=GREY, linestyle="--", linewidth=1)
roc_ax.set_aspect("equal")
roc_ax.set_xlabel("false positive rate")
roc_ax.set_ylabel("true positive rate")
roc_ax.set_title(f"area {two_class['area under the ROC curve']:.4f}", fontsize=11)
roc_ax.legend(loc="lower right", fontsize=9)
for panel in (ax, roc_ax):
    panel.grid(alpha=0.25)

# %%
# Three classes: distances to the corners
# ---------------------------------------
# Three probabilities that sum to one are a point in a triangle, whose corners stand for
# certainty. Take one case of each class and hand out the three corners among them: there are
# six ways. The cases are in the right order if to each its own is the shortest in sum. This is
# the paper's Figure 2; on the right are the sums.

CORNERS = np.array([[0, 0], [1, 0], [0.5, np.sqrt(0.75)]])
MARKERS, COLOURS = "^os", (BLUE, ORANGE, GREEN)
three = np.array([[0.55, 0.2, 0.25], [0.36, 0.44, 0.2], [0.16, 0.34, 0.5]])


def sums(tuples, price="euclidean"):
    """Sum of the prices of every way of handing out corners, the true one first."""
    n = tuples.shape[-1]
    prices = -tuples
    if price == "euclidean":
        prices = np.linalg.norm(tuples[..., np.newaxis, :] - np.eye(n), axis=-1)
    ways = permutations(range(n))
    return np.stack([prices[..., range(n), way].sum(axis=-1) for way in ways], axis=-1)


def is_ordered(tuples, price="euclidean"):
    """Whether the true way is the only cheapest one."""
    all_sums = sums(tuples, price)
    return (all_sums[..., :1] < all_sums[..., 1:]).all(axis=-1)


def draw_triangle(ax, points=None, size=9):
    """Draw the simplex, its corners, and one case of each class."""
    ax.fill(*CORNERS.T, facecolor="none", edgecolor="black", linewidth=1)
    for k, (marker, colour) in enumerate(zip(MARKERS, COLOURS, strict=True)):
        style = {"marker": marker, "color": colour, "markeredgecolor": "black", "ls": ""}
        ax.plot(*CORNERS[k], markersize=15, clip_on=False, zorder=3, **style)
        if points is not None:
            ax.plot(*(points[k] @ CORNERS), markersize=size, zorder=3, **style)
    ax.set_aspect("equal")
    ax.set_axis_off()


figure, (ax, bar_ax) = plt.subplots(1, 2, figsize=(10, 4.4), layout="constrained")
draw_triangle(ax, three)
for k, point in enumerate(three @ CORNERS):
    ax.plot(*np.array([point, CORNERS[k]]).T, color=COLOURS[k], linewidth=2)
    place = (12, -4) if k == 2 else (0, -20)
    ax.annotate(
        f"class {k}",
        CORNERS[k],
        xytext=place,
        textcoords="offset points",
        ha="left" if k == 2 else "center",
    )
for k, other in ((0, 1), (1, 0)):  # the closest rival
    ends = np.array([three[k] @ CORNERS, CORNERS[other]])
    ax.plot(*ends.T, color=GREY, linestyle="--", linewidth=1.2)
ax.set_title("solid: own corners; dashed: two of them swapped", fontsize=11)
ways = list(permutations(range(3)))
three_sums = sums(three)
bars = bar_ax.barh(range(6), three_sums, color=[BLUE] + [GREY] * 5)
bar_ax.bar_label(bars, fmt="%.3f", padding=3)
bar_ax.set_yticks(range(6), [", ".join(map(str, way)) for way in ways])
bar_ax.invert_yaxis()
bar_ax.set_xlim(0, 3.5)
bar_ax.set_xlabel("sum of distances")
bar_ax.set_ylabel("corners of the cases of class 0, 1, 2")
bar_ax.set_title("in the right order: the first is the shortest", fontsize=11)

# %%
# Does it matter where the cases lie?
# -----------------------------------
# The paper says that the order "depends only on the positioning of the three symbols relative
# to one another, and not on where on the triangle" they are, from which it takes the
# invariance of its score. With distances that is not so. The three cases below are moved
# about, without being turned or changed in size; the colour says whether they are in the right
# order with their mean at that place.

offsets = np.array([[0.12, -0.03, -0.09], [0.01, -0.018, 0.008], [-0.13, 0.048, 0.082]])


def move(offsets, n_steps):
    """Put a triplet at all places of a grid where it fits into the triangle."""
    first, second = np.meshgrid(*[np.linspace(0, 1, n_steps)] * 2)
    places = np.stack([first, second, 1 - first - second], axis=-1).reshape(-1, 3)
    moved = places[:, np.newaxis] + offsets
    return moved[(moved > -1e-9).all(axis=(1, 2))].clip(min=0)


moved = move(offsets, 121)
by_distance, by_sum = is_ordered(moved), is_ordered(moved, "sum")
print(f"by distance, in the right order at {by_distance.mean():.1%} of the places")
print(f"by squared distance, at {by_sum.mean():.0%}")

figure, axes = plt.subplots(1, 2, figsize=(10, 4.8), layout="constrained")
centres = moved.mean(axis=1) @ CORNERS
shown = {"distance": (by_distance, (0.2, 0.62)), "squared distance": (by_sum, (0.2,))}
for ax, (name, (ordered, where)) in zip(axes, shown.items(), strict=True):
    for answer, colour in ((True, "#BFD9EA"), (False, "#F3C9A8")):
        label = "right order" if answer else "wrong order"
        style = {"color": colour, "markersize": 4.5, "zorder": 1}
        ax.plot(*centres[ordered == answer].T, ".", label=label, **style)
    for share in where:  # of the class 1
        draw_triangle(ax, offsets + [0.8 - share, share, 0.2], size=7)
    ax.set_title(
        f"sum of the {name}s: right at {ordered.mean():.0%} of the places", fontsize=11
    )
axes[0].legend(loc="upper left", fontsize=9, markerscale=3)

# %%
# It is rare: of random triplets few are right at one place and wrong at another. For squared
# distances it never happens (``distance="sum"``), since these differ from the probabilities
# of the own corners by what is the same for all six ways.

rng = np.random.default_rng(0)
shapes = [draw - draw.mean(axis=0) for draw in rng.dirichlet(np.ones(3), size=(1000, 3))]
changes = {"euclidean": 0, "sum": 0}
for shape in shapes:
    moved = move(shape, 41)
    for price in changes:
        answers = is_ordered(moved, price)
        changes[price] += answers.any() and not answers.all()
for price, count in changes.items():
    print(f"{price:<10}: {count / len(shapes):.1%} of random triplets depend on the place")

# %%
# Angles in place of distances
# ----------------------------
# The paper's Figure 3: m is the mean of the three cases. Perpendiculars from m to the sides
# (grey) divide the triangle into a part for each class, and a case seems well placed in its own
# part. If m is the centre, no direction within that part is further than 60° from the
# corner. This limit turned out too strict, and 90° was taken instead: the angle at m between
# the case and its corner must not be obtuse.


def cosines(tuples):
    """Cosine of the angle at the mean between each case and its corner."""
    mean = tuples.mean(axis=-2, keepdims=True)
    towards, corner = tuples - mean, np.eye(tuples.shape[-1]) - mean
    lengths = np.linalg.norm(towards, axis=-1) * np.linalg.norm(corner, axis=-1)
    return (towards * corner).sum(axis=-1) / lengths


def in_own_part(tuples):
    """Whether each case lies in its own part of the simplex around the mean."""
    rise = tuples - tuples.mean(axis=-2, keepdims=True)
    return (np.diagonal(rise, axis1=-2, axis2=-1) >= rise.max(axis=-1) - 1e-12).all(axis=-1)


def draw_angles(ax, points):
    """Draw the mean, its perpendiculars and the angles."""
    mean = points.mean(axis=0)
    for k in range(3):
        foot = mean + mean[k] / 2
        foot[k] = 0
        ax.plot(*(np.array([mean, foot]) @ CORNERS).T, color=GREY, linewidth=2, alpha=0.6)
    for k in range(3):
        line = np.array([points[k], mean, np.eye(3)[k]]) @ CORNERS
        ax.plot(*line.T, color=COLOURS[k], linewidth=1.3)
    ax.plot(*(mean @ CORNERS), "D", color="black", markersize=5, zorder=4)
    draw_triangle(ax, points)


swapped = np.array([[0.4, 0.5, 0.1], [0.5, 0.4, 0.1], [0.0, 0.0, 1.0]])
figure, axes = plt.subplots(1, 2, figsize=(10, 4.8), layout="constrained")
for ax, points, name in zip(
    axes, (three, swapped), ("the right order", "the wrong order, and it passes"), strict=True
):
    draw_angles(ax, points)
    degrees = np.degrees(np.arccos(cosines(points).clip(-1, 1)))
    ax.set_title(name + "\nangles " + ", ".join(f"{d:.0f}°" for d in degrees), fontsize=11)
assert is_ordered(three)
assert not is_ordered(swapped)

# %%
# On the right the case of class 2 pulls the mean towards its corner. Seen from there, both
# other corners lie in about the same direction, and the two cases pass although swapped.
#
# The paper says that the widest angle within a part is the one whose cosine is 1/(N-1) for N
# classes, which approaches 90°. The edges of a part are the directions that lead to the centre
# of some of the corners, the own one among them, so that is easily checked.


def widest_angle(n):
    """Largest angle, at the centre, between a corner and an edge of its own part."""
    edges = np.tril(np.ones((n, n)))[: n - 1] - np.arange(1, n)[:, np.newaxis] / n
    corner = np.eye(n)[0] - 1 / n
    cosine = edges @ corner / np.linalg.norm(edges, axis=1) / np.linalg.norm(corner)
    return np.degrees(np.arccos(cosine.min()))


widest = {n: widest_angle(n) for n in (3, 4, 5, 10, 100)}
for n, angle in widest.items():
    print(f"{n:4d} classes: {angle:5.1f}°, cosine {np.cos(np.radians(angle)):.4f}")

# %%
# Which tuples do they disagree on?
# ---------------------------------
# Scores that are nearly equal may still come from different tuples. So here are all tuples of
# some data sets, each judged by the sums of distances and by each form of the rule. The last
# one is the stricter limit as the paper prints it, with the absolute value of the cosine *at
# most* 1/(N-1), which cannot be meant.


def all_tuples(y_score, y):
    """Every tuple of one case from each class."""
    classes = [y_score[y == k] for k in np.unique(y)]
    grid = np.indices([len(cases) for cases in classes]).reshape(len(classes), -1)
    return np.stack([cases[i] for cases, i in zip(classes, grid, strict=True)], axis=1)


RULES = {
    "right angle": lambda t: (cosines(t) >= 0).all(axis=-1),
    "cosine ≥ 1/(N-1)": lambda t: (cosines(t) >= 1 / (t.shape[-1] - 1)).all(axis=-1),
    "own part": in_own_part,
    "|cosine| ≤ 1/(N-1), as printed": lambda t: (
        np.abs(cosines(t)) <= 1 / (t.shape[-1] - 1)
    ).all(axis=-1),
}
judged, data_sets = {}, {}
for n_classes, size in ((3, 30), (4, 12)):
    for scale in (1.0, 2.0):
        key = n_classes, scale
        data_sets[key] = make_softmax_gaussians(
            [size] * n_classes, n_classes, scale=scale, random_state=0
        )
        tuples = all_tuples(*data_sets[key])
        judged[key] = {"distances": is_ordered(tuples)}
        judged[key] |= {name: rule(tuples) for name, rule in RULES.items()}


def disagreement(ordered, passed):
    """Share that passes; of the ordered tuples refused; of the others let through."""
    return passed.mean(), 1 - passed[ordered].mean(), passed[~ordered].mean()


print(f"{'rule':<32}{'passed':>8}{'ordered, refused':>18}{'others, passed':>16}")
for (n_classes, scale), verdicts in judged.items():
    ordered = verdicts["distances"]
    print(f"{n_classes} classes, scale {scale:g}: {ordered.mean():.3f} of {ordered.size:,}")
    for name in RULES:
        passed, refused, let_through = disagreement(ordered, verdicts[name])
        print(f"  {name:<30}{passed:8.3f}{refused:18.1%}{let_through:16.1%}")

# %%
# The right angle errs both ways, and its errors cancel to some degree. The two stricter forms
# refuse ordered tuples, as the paper says, and let hardly any others through. As it is printed
# the limit refuses all ordered tuples, as their cases lie in the direction of their corners.

figure, axes = plt.subplots(1, 2, figsize=(10, 3.9), sharey=True, layout="constrained")
height = np.arange(len(RULES))[::-1]
for ax, n_classes in zip(axes, (3, 4), strict=True):
    for shift, scale, colours in ((0.19, 1.0, (BLUE, ORANGE)), (-0.19, 2.0, (BLUE, ORANGE))):
        verdicts = judged[n_classes, scale]
        found = [disagreement(verdicts["distances"], verdicts[name]) for name in RULES]
        _, refused, let_through = np.array(found).T
        hatch = "" if scale == 1 else "///"
        style = {"height": 0.34, "edgecolor": "white", "hatch": hatch}
        ax.barh(height + shift, -refused, color=colours[0], **style)
        ax.barh(height + shift, let_through, color=colours[1], **style)
    ax.axvline(0, color="black", linewidth=1)
    ax.set_xlim(-1.02, 0.4)
    ax.set_xticks([-1, -0.75, -0.5, -0.25, 0, 0.25], ["1", "0.75", "0.5", "0.25", "0", "0.25"])
    ax.set_title(f"{n_classes} classes (hatched: more overlap)", fontsize=11)
    ax.set_xlabel("ordered, refused                          others, passed", x=0.55)
    ax.grid(axis="x", alpha=0.25)
axes[0].set_yticks(height, RULES)

# %%
# For the page on the paper
# -------------------------
# Its claims beside what was found here, and the table of the rules.


def verdict(holds):
    """Say whether a claim holds."""
    return "yes" if holds else "**no**"


values = list(two_class.values())
refused = [
    disagreement(found["distances"], found["cosine ≥ 1/(N-1)"])[1] for found in judged.values()
]
TABLES = {
    "claims": (
        ["claim (section)", "paper", "here", "verdict"],
        [
            [
                "Figure 1: accuracy, cut at 0.5 (1)",
                "50%",
                f"{accuracy[0.5]:.1%}",
                verdict(abs(accuracy[0.5] - 0.5) < 0.01),
            ],
            [
                "Figure 1: AUC (1)",
                "close to 1",
                f"{values[1]:.4f}",
                verdict(values[1] > 0.99),
            ],
            [
                "AUC is the share of pairs in the right order (1)",
                "equal",
                f"{values[0]:.4f} and {values[1]:.4f}",
                verdict(np.isclose(values[0], values[1])),
            ],
            [
                "the order of random triplets depends on relative positions alone (1)",
                "yes",
                f"the place decides for {changes['euclidean'] / len(shapes):.1%}",
                verdict(changes["euclidean"] == 0),
            ],
            [
                "the same for squared distances",
                "",
                f"for {changes['sum'] / len(shapes):.1%}",
                "",
            ],
            [
                "own part of the triangle: angle up to (2)",
                "cosine of 1/2",
                f"{widest[3]:.1f}°",
                verdict(np.isclose(widest[3], 60)),
            ],
            [
                "for N classes (2)",
                "cosine of 1/(N-1)",
                f"{widest[4]:.1f}°, {widest[10]:.1f}°, {widest[100]:.1f}° for 4, 10, 100",
                verdict(
                    all(
                        np.isclose(np.cos(np.radians(angle)), 1 / (n - 1))
                        for n, angle in widest.items()
                    )
                ),
            ],
            [
                "that limit is too strict (2)",
                "refuses ordered tuples",
                f"{min(refused):.0%} to {max(refused):.0%} of them",
                verdict(min(refused) > 0.1),
            ],
        ],
    ),
    "rules": (
        [
            "classes",
            "overlap",
            "ordered",
            "rule",
            "passed",
            "ordered, refused",
            "others, passed",
        ],
        [
            [
                n_classes,
                "less" if scale == 1 else "more",
                f"{found['distances'].mean():.3f}",
                name,
                "{:.3f}".format(disagreement(found["distances"], found[name])[0]),
                *(
                    f"{share:.1%}"
                    for share in disagreement(found["distances"], found[name])[1:]
                ),
            ]
            for (n_classes, scale), found in judged.items()
            for name in RULES
        ],
    ),
}
for claim, *_, answer in TABLES["claims"][1]:
    print(f"{claim:<52}{answer}")

plt.show()
