"""
Choosing an operating point when one mistake is dangerous
=========================================================

A screening programme sorts people into healthy, inflamed and malignant. Six mistakes are
possible, and one of them is dangerous: to send somebody home as healthy who has a malignant
tumour. Which operating point should the classifier have?

The most probable class is one answer, and a poor one here, because malignant cases are rare.
`ROCFront` shows what else the same classifier can do: thousands of trade-offs between the six
rates of mistakes, each better than any other in at least one of them [1]_. This example
compares four, and puts one to use. The people are simulated; no number here is about a real
disease.

.. [1] R. M. Everson, J. E. Fieldsend, "Multi-class ROC analysis from a multi-objective
   optimisation perspective", Pattern Recognition Letters 27, 2006.
"""

# %%
# Simulated cases
# ---------------
# Two markers, each with a standard deviation of about one. Inflammation raises the first,
# malignant tumours raise both. Of 100 people 84 are healthy and 4 have a tumour. We have 3,000
# people to train with and to choose by; another 30,000 will tell what the choice is worth.

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import ListedColormap
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures, StandardScaler

import skvus

BLUE, ORANGE, VERMILION, GREY = "#0072B2", "#E69F00", "#D55E00", "#666666"

CLASSES = np.array(["healthy", "inflamed", "malignant"])
FREQUENCIES = np.array([0.84, 0.12, 0.04])
MEANS = np.array([[0.0, 0.0], [2.2, 0.7], [1.5, 2.3]])
COVARIANCES = np.array(
    [[[1.0, 0.3], [0.3, 1.0]], [[1.0, 0.4], [0.4, 1.0]], [[1.2, 0.0], [0.0, 1.2]]]
)
HEALTHY, INFLAMED, MALIGNANT = range(3)


def draw_people(n_people, rng):
    """Markers and conditions of people who come to be screened."""
    code = rng.choice(3, size=n_people, p=FREQUENCIES)
    noise = rng.standard_normal((n_people, 2))
    spread = np.linalg.cholesky(COVARIANCES)[code]
    return MEANS[code] + np.einsum("nij,nj->ni", spread, noise), CLASSES[code]


rng = np.random.default_rng(0)
X, y = draw_people(3_000, rng)
X_new, y_new = draw_people(30_000, rng)
for name, people in (("to choose by", y), ("fresh", y_new)):
    print(f"{name:<14}", *(f"{(people == c).sum():6} {c}" for c in CLASSES))

# %%
# The front
# ---------
# Logistic regression on the markers, their squares and their product. Its probabilities are
# out of fold: each case is predicted by a model that has not seen it. From them we try 10,000
# cost matrices, and keep the operating points that no other dominates.

model = make_pipeline(
    PolynomialFeatures(2, include_bias=False),
    StandardScaler(),
    LogisticRegression(solver="newton-cholesky"),
)
folds = StratifiedKFold(10, shuffle=True, random_state=0)
proba = cross_val_predict(model, X, y, cv=folds, method="predict_proba")
front = skvus.ROCFront.from_predictions(y, proba, random_state=0)
print(front)

# %%
# Four choices
# ------------
# - *most probable class*: equal costs. They are among those that were tried, so we can look
#   for their member.
# - *distance*: farthest from random allocation, which is the best balanced accuracy.
# - *knee*: the member that is the best one for the largest share of all costs.
# - *danger first*: `Lexicographic` makes the dangerous rate as small as it gets, then decides
#   by distance among the members that tie.

DANGER = ("malignant", "healthy")
off_diagonal = ~np.eye(3, dtype=bool)
equal_costs = np.ptp(front.costs[:, off_diagonal], axis=1) < 1e-12
choices = {
    "most probable class": int(np.flatnonzero(equal_costs)[0]),
    "distance": front.select("distance"),
    "knee": front.select("knee"),
    "danger first": front.select(skvus.Lexicographic([DANGER])),
}
chosen = front[list(choices.values())]
assert (front.predict(proba, choices["most probable class"]) == CLASSES[proba.argmax(1)]).all()

print(f"{'among 121 malignant, 2,516 healthy':<36}{'sent home':>10}{'recalled':>10}")
for name, member in zip(choices, chosen, strict=True):
    sent_home = member.counts[MALIGNANT, HEALTHY]
    recalled = member.counts[HEALTHY, INFLAMED] + member.counts[HEALTHY, MALIGNANT]
    print(f"{name:<36}{sent_home:10}{recalled:10}")

# %%
# The most probable class sends home 53 of 121 people with a tumour. That is what it takes to
# make few mistakes of any kind when 96 of 100 have no tumour. The default of `select` sends
# home 8, the knee 2, and *danger first* none. The price is paid by the healthy who are
# recalled: 67 of 2,516 for the most probable class, 970 for *danger first*.
#
# The picture has the dangerous rate against that price, for all members. It shows two things
# of many: a member that looks bad here has its merits in other rates.


def recall_rate(rates):
    """Share of the healthy who are called anything else."""
    return 1.0 - rates[:, HEALTHY, HEALTHY]


# colour, marker, and place of the label
DRAWING = {
    "most probable class": ("black", "s", (0.16, 0.44)),
    "distance": (BLUE, "D", (0.30, 0.30)),
    "knee": (VERMILION, "o", (0.42, 0.20)),
    "danger first": (ORANGE, "^", (0.60, 0.10)),
}
figure, ax = plt.subplots(figsize=(7.5, 5), layout="constrained")
ax.plot(
    *(recall_rate(front.rates), front.rates[:, MALIGNANT, HEALTHY]),
    ".",
    color="#bbbbbb",
    markersize=2,
    rasterized=True,
)
for name, rates in zip(choices, chosen.rates, strict=True):
    colour, marker, label_at = DRAWING[name]
    at = 1.0 - rates[HEALTHY, HEALTHY], rates[MALIGNANT, HEALTHY]
    ax.annotate(
        f"{name}: {at[1]:.0%} sent home,\n{at[0]:.0%} recalled",
        at,
        xytext=label_at,
        va="center",
        bbox={"facecolor": "white", "edgecolor": "none", "pad": 2},
        arrowprops={"arrowstyle": "-", "color": GREY, "shrinkB": 4},
    )
    ax.plot(*at, marker, color=colour, markersize=10, markeredgecolor="white")
ax.set_xlim(-0.02, 1.02)
ax.set_ylim(-0.02, 1.0)
ax.xaxis.set_major_formatter("{x:.0%}")
ax.yaxis.set_major_formatter("{x:.0%}")
ax.set_xlabel("healthy people who are recalled")
ax.set_ylabel("malignant cases sent home as healthy")
ax.set_title(f"{len(front):,} operating points of one classifier, on 3,000 people", fontsize=11)

# %%
# On fresh people
# ---------------
# A choice among thousands of members favours those that were lucky. So we look at the four
# with 30,000 people who had no part in it. The model is fitted once more, to all of the
# 3,000. `evaluate` applies the costs of the members to its probabilities, and puts limits
# around the rates.

fitted = model.fit(X, y)
evaluation = chosen.evaluate(y_new, fitted.predict_proba(X_new))
at_home = evaluation.rates[:, MALIGNANT, HEALTHY]
recalled = recall_rate(evaluation.rates)
print(evaluation)
print(f"\n{'malignant sent home':<22}{'chosen at':>10}{'fresh':>8}{'95% limits':>16}", end="")
print(f"{'recalled':>10}")
for i, name in enumerate(choices):
    low, high = (limits[i, MALIGNANT, HEALTHY] for limits in (evaluation.low, evaluation.high))
    before = chosen.rates[i, MALIGNANT, HEALTHY]
    print(
        f"{name:<22}{before:10.1%}{at_home[i]:8.1%}{f'{low:.1%} to {high:.1%}':>16}"
        f"{recalled[i]:10.1%}"
    )

# %%
# *Danger first* had no dangerous mistake among 121, and has some among 1,174: none in the
# sample does not mean never. The knee, too, has more than it had: 3.2% instead of 1.7%. The
# other two have no more than before. The order of the four is the same, and the dangerous rate
# of the knee is less than a tenth of what the most probable class has.
#
# Above, the regions of the plane in which each class is called, with 200 of the fresh
# malignant cases; those sent home are red. Below, what becomes of each true class.

side = np.linspace(0.0, 7.5, 301)
across, up = np.meshgrid(side - 2.5, side - 1.5)
on_grid = fitted.predict_proba(np.column_stack([across.ravel(), up.ravel()]))
shown = X_new[y_new == "malignant"][:200]
tints = ListedColormap(["#e8eef2", "#f6d98f", "#f2c4ac"])
names_at = {"healthy": (-2.3, -1.2), "inflamed": (2.9, -1.2), "malignant": (-2.3, 5.5)}
figure, axes = plt.subplots(
    2, 4, figsize=(12, 6.8), sharex="row", sharey="row", layout="constrained"
)
for i, (name, (top, bottom)) in enumerate(zip(choices, axes.T, strict=True)):
    called = np.searchsorted(CLASSES, chosen.predict(on_grid, i)).reshape(across.shape)
    top.pcolormesh(across, up, called, cmap=tints, vmin=0, vmax=2, rasterized=True)
    is_home = chosen.predict(fitted.predict_proba(shown), i) == "healthy"
    top.plot(*shown[~is_home].T, "o", color="black", markersize=2.5)
    top.plot(*shown[is_home].T, "o", color=VERMILION, markersize=4)
    top.set_title(name)
    top.set_xlabel("marker 1 (SD of the healthy)")
    top.set_aspect("equal")
    for label, at in names_at.items():
        top.text(*at, label, color=GREY)

    rates = evaluation.rates[i]
    bottom.imshow(rates, cmap="Blues", vmin=0, vmax=1.6)
    for k, j in np.ndindex(3, 3):
        is_danger = (k, j) == (MALIGNANT, HEALTHY)
        look = {"color": "#b04000", "weight": "bold"} if is_danger else {"color": "black"}
        bottom.text(j, k, f"{rates[k, j]:.1%}", ha="center", va="center", **look)
    bottom.set_xticks(range(3), CLASSES)
    bottom.set_yticks(range(3), CLASSES)
    bottom.set_xlabel("called")
axes[0, 0].set_ylabel("marker 2 (SD of the healthy)")
axes[1, 0].set_ylabel("true class")

# %%
# A classifier to keep
# --------------------
# Suppose that we settle for the knee. `CostMatrixClassifier` makes an ordinary classifier of
# the model and the costs of that member. The model is fitted already, hence
# ``FrozenEstimator``.

final = skvus.CostMatrixClassifier(FrozenEstimator(fitted), front.costs[choices["knee"]])
final.fit(X, y)
predicted = final.predict(X_new)
assert (predicted == front.predict(fitted.predict_proba(X_new), choices["knee"])).all()

print("per 1,000 people screened       most probable class    knee")
most_probable = fitted.predict(X_new)
per_1000 = {
    "malignant, sent home": (y_new == "malignant", "healthy"),
    "malignant, called inflamed": (y_new == "malignant", "inflamed"),
    "inflamed, sent home": (y_new == "inflamed", "healthy"),
    "healthy, called inflamed": (y_new == "healthy", "inflamed"),
    "healthy, called malignant": (y_new == "healthy", "malignant"),
}
for what, (people, called) in per_1000.items():
    numbers = [
        1000 * np.mean(people & (labels == called)) for labels in (most_probable, predicted)
    ]
    per_1000[what] = numbers
    print(f"{what:<30}{numbers[0]:21.1f}{numbers[1]:8.1f}")

# %%
# Of 1,000 people, 13 fewer are sent home with a tumour, and about 215 more healthy people are
# recalled. Whether that is worth it is no question of statistics. The front only says what
# there is to choose from. If a limit or a price can be named, there are rules for that, too:
# `WithinLimits` and `LeastCost`. Each has an example of its own, with the same people.

# sphinx_gallery_thumbnail_number = 2
plt.show()
