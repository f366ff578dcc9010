"""
What a volume under a ROC surface looks at
==========================================

Two of the scores of skvus are shares of triples, one case from each class. This example draws
what they look at: posteriors of three classes as points in a triangle, in which Dreiseitl
(2019) [1]_ measures distances to the corners, and the surface of true rates over all class
weightings, the volume below which is the simplified VUS of Landgrebe and Duin (2007) [2]_.

.. [1] S. Dreiseitl, "Towards more efficient multiclass AUC computations", 2019.
.. [2] T. C. W. Landgrebe, R. P. W. Duin, "A simplified volume under the ROC hypersurface",
   2007.
"""

# %%
# Posteriors in the triangle
# --------------------------
# The closer a case is to a corner, the surer the classifier is of that class. Dreiseitl's
# Figure 5 shows twenty cases of each class. Here are ours, from Gaussians passed through a
# softmax.

import matplotlib.pyplot as plt
import numpy as np
from scipy.optimize import linear_sum_assignment
from sklearn.datasets import load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import skvus
from skvus.datasets import make_ordered_gaussians, make_softmax_gaussians
from skvus.plotting import ProbabilitySimplexDisplay, VUSSurfaceDisplay


def places_of_corners(display):
    """Where the corners of a triangle are drawn."""
    return np.array([corner.get_offsets().tolist()[0] for corner in display.corners_])


scores, labels = make_softmax_gaussians(60, random_state=0)
cases = ProbabilitySimplexDisplay.from_predictions(labels, scores)
cases.ax_.set_title(f"ordered VUS {skvus.ordered_vus_score(labels, scores):.3f}")

# %%
# Triples in the right order
# --------------------------
# A triple counts if the way from each case to the corner of its class makes the shortest sum of
# three such ways (Figure 2). Left: a triple that does, although the case of class 0 is on the
# side of class 2. Where the cases are does not matter much, but how they lie to each other.
# Right: one that does not, since it were shorter to exchange the corners of classes 0 and 2.
# Dashed lines are the ways to the own corners, solid ones those of the shortest sum.
triples = {
    "in the right order": [[0.35, 0.15, 0.5], [0.1, 0.55, 0.35], [0.05, 0.1, 0.85]],
    "not in the right order": [[0.15, 0.15, 0.7], [0.3, 0.5, 0.2], [0.45, 0.1, 0.45]],
}
triples_figure, axes = plt.subplots(1, 2, figsize=(11, 4.8), layout="constrained")
credit = {}
for ax, (title, triple) in zip(axes, triples.items(), strict=True):
    triple = np.array(triple)
    display = ProbabilitySimplexDisplay.from_predictions([0, 1, 2], triple, ax=ax)
    corners = places_of_corners(display)
    places = triple @ corners  # a posterior is the mean of the corners with its weights
    lengths = np.linalg.norm(triple[:, np.newaxis] - np.eye(3), axis=2)
    _, nearest = linear_sum_assignment(lengths)
    for place, own, other in zip(places, corners, corners[nearest], strict=True):
        ax.plot(*np.transpose([place, own]), "--", color="0.6", linewidth=1.2, zorder=1)
        ax.plot(*np.transpose([place, other]), color="0.2", linewidth=1.2, zorder=1)
    credit[title] = skvus.ordered_vus_score([0, 1, 2], triple)
    own, best = lengths.trace(), lengths[range(3), nearest].sum()
    ax.set_title(f"{title}: {own:.2f} to the own corners, {best:.2f} at best", fontsize=11)
print("ordered VUS of a single triple:", *credit.values())

# %%
# The angle heuristic (Figure 3) asks instead whether, at the mean of the three, each case is
# within 90 degrees of the direction of its corner.
mean_figure, ax = plt.subplots(figsize=(6, 4.8), layout="constrained")
triple = np.array(triples["in the right order"])
display = ProbabilitySimplexDisplay.from_predictions([0, 1, 2], triple, ax=ax)
corners = places_of_corners(display)
mean = triple.mean(axis=0)
angles = []
for case, corner in zip(triple, np.eye(3), strict=True):
    arms = np.array([case - mean, corner - mean])
    cosine = arms[0] @ arms[1] / np.prod(np.linalg.norm(arms, axis=1))
    angles.append(float(np.degrees(np.arccos(cosine))))
    path = np.array([case, mean, corner]) @ corners
    ax.plot(*path.T, color="0.4", linewidth=1.0, zorder=1)
ax.scatter(*(mean @ corners), marker="+", color="black", s=60)
ax.set_title("angles " + ", ".join(f"{angle:.0f}°" for angle in angles), fontsize=11)
angle_credit = skvus.angle_vus_score([0, 1, 2], triple)
print(f"angle VUS of the same triple: {angle_credit}")

# %%
# Decisions in the triangle
# -------------------------
# Whoever decides by posteriors cuts the triangle into regions. Class weights move the point
# where the three regions meet; costs of each kind of mistake turn the borders as well. These
# are 178 bottles of wine, out of fold; to take the third cultivar for the first one costs 10,
# any other mistake 1.
X, y = load_wine(return_X_y=True)
model = make_pipeline(StandardScaler(), LogisticRegression())
proba = cross_val_predict(model, X[:, [1, 2, 7]], y, method="predict_proba")
COSTS = np.array([[0, 1, 1], [1, 0, 1], [10, 1, 0]])
regions_figure, axes = plt.subplots(1, 2, figsize=(11, 4.8), layout="constrained")
choices = {
    "most probable class": {"weights": [1, 1, 1]},
    "a mistake that costs 10": {"cost_matrix": COSTS},
}
regions, wrong = {}, {}
for ax, (title, decision) in zip(axes, choices.items(), strict=True):
    regions[title] = ProbabilitySimplexDisplay.from_predictions(y, proba, **decision, ax=ax)
    table = regions[title].frame()
    third = table["true class"] == 2
    wrong[title] = int((third & (table["called"] == 0)).sum())
    taken = f"{wrong[title]} of {third.sum()} third ones called first"
    ax.set_title(f"{title}: {taken}", fontsize=11)
print("third cultivar taken for the first:", wrong)

# %%
# The surface of true rates
# -------------------------
# Each weighting of the classes is a classifier with three true rates. Guessing makes the plane
# where they sum to one (Landgrebe and Duin's Figure 2), a classifier that knows something rises
# above it (Figure 3). The volume below is the share of triples in the right order when prices
# are logarithms, 1/6 by chance.
rng = np.random.default_rng(0)
guessed_y, guesses = np.arange(600) % 3, rng.dirichlet(np.ones(3), size=600)
_, known_y, known = make_ordered_gaussians(
    600, means=(-1, 0, 1), return_posteriors=True, random_state=0
)
surface_figure, axes = plt.subplots(
    1, 2, figsize=(12, 5), layout="constrained", subplot_kw={"projection": "3d"}
)
surfaces = {
    "guessing": VUSSurfaceDisplay.from_predictions(
        guessed_y, guesses, name="guessing", ax=axes[0]
    ),
    "partial overlap": VUSSurfaceDisplay.from_predictions(
        known_y, known, name="partial overlap", ax=axes[1]
    ),
}
for surface in surfaces.values():
    print(surface)

# sphinx_gallery_thumbnail_number = 4
plt.show()
