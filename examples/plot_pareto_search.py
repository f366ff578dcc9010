"""
Evolve a multi-class ROC surface: Everson and Fieldsend's experiment
====================================================================

Everson and Fieldsend (2006) search the trade-off surface of two classifiers on 300 points of
three classes: a probabilistic k-nearest-neighbour classifier, of which k and beta are evolved,
and a multi-layer perceptron with five hidden units, of which all 33 weights are. Does that
reproduce?

Three data sets are drawn with seeds 0, 1 and 2, none of them picked. The search is their
Algorithm 1: 100 costs from a flat Dirichlet distribution for each candidate, absolute Laplace
steps, rates on the training data. The paper gives neither the scale of the steps nor the ranges
of k and beta; here k starts from 1 to 50 and beta from 0.1 to 10, with steps of scale 1, and the
weights take steps of scale 0.1. T is 2,000 here; the paper's 10,000 is in the theory of fronts.
"""

# %%
import warnings

import matplotlib.pyplot as plt
import numpy as np
from scipy import stats
from sklearn.exceptions import ConvergenceWarning
from sklearn.neural_network import MLPClassifier

from skvus import Lexicographic, ParetoROCSearch, ProbabilisticKNeighborsClassifier
from skvus.datasets import make_ripley_mixture

N_GENERATIONS = 2000
SEEDS = range(3)
COLOURS = ["#d55e9c", "#222222", "#e0a100"]
MARKERS = ["o", "^", "x"]


def algorithm_1(seed, **options):
    """The options that make the search Algorithm 1 of the paper."""
    return {
        "n_generations": N_GENERATIONS,
        "cost_proposal": "dirichlet",
        "step_scale": "absolute",
        "cv": "resubstitution",
        "random_state": seed,
        **options,
    }


def search_knn(seed, **options):
    """Evolve k and beta; posteriors are leave-one-out, as the formula of the paper has them."""
    distributions = {"n_neighbors": stats.randint(1, 51), "beta": stats.uniform(0.1, 9.9)}
    return ParetoROCSearch(
        ProbabilisticKNeighborsClassifier(),
        distributions,
        **algorithm_1(seed, step=1.0, **options),
    )


def search_mlp(seed, **options):
    """Evolve the weights of a perceptron, from one quasi-Newton fit."""
    network = MLPClassifier((5,), solver="lbfgs", alpha=0.0, max_iter=2000, random_state=seed)
    return ParetoROCSearch(network, evolve="weights", **algorithm_1(seed, step=0.1, **options))


def errors(front):
    """Number of misclassified cases of each member."""
    return front.counts.sum(axis=(1, 2)) - np.einsum("mkk->m", front.counts)


# %%
# Search
# ------
data = {seed: make_ripley_mixture(random_state=seed) for seed in SEEDS}
with warnings.catch_warnings():
    warnings.simplefilter("ignore", ConvergenceWarning)  # without a penalty, weights run away
    found = {
        "k-nn": [search_knn(seed).fit(*data[seed]) for seed in SEEDS],
        "MLP": [search_mlp(seed).fit(*data[seed]) for seed in SEEDS],
    }

rows = []
for name, searches in found.items():
    other = found["MLP" if name == "k-nn" else "k-nn"]
    for seed, search, rival in zip(SEEDS, searches, other, strict=True):
        front = search.front_
        alone = front.delta(rival.front_, method="monte_carlo", random_state=0)
        rows.append(
            {
                "classifier": name,
                "seed": seed,
                "members": len(front),
                "errors": int(errors(front).min()),
                "outside": int((~front.inside_random_simplex()).sum()),
                "G": search.gini_,
                "delta": alone,
            }
        )

print(f"Algorithm 1, T = {N_GENERATIONS}, 100 costs a generation, 300 cases")
print("            seed  members  least errors  outside P       G  dominated alone")
for row in rows:
    print(
        f"{row['classifier']:>10}  {row['seed']:4d}  {row['members']:7,}  "
        f"{row['errors']:8d}/300  {row['outside']:9d}  {row['G']:.4f}  {row['delta']:15.4f}"
    )
print("paper k-nn     -  ~7,500         32/300          0  (T = 10,000)")
print("paper  MLP     -  ~4,800              -          4  (T = 10,000)")

# %%
# The least errors of k-nn, 25 to 33, are about the 32 of the paper, and fronts have thousands of
# members. Not all of k-nn's members are better than random, as they are in the paper. That the
# perceptron dominates k-nn almost everywhere holds for the first data set only: where the single
# quasi-Newton fit without a penalty ends in a poor optimum, small steps do not lead out of it.
#
# Distances from the random simplex (Figure 8)
# --------------------------------------------
figure, axes = plt.subplots(1, 2, figsize=(9, 3), sharey=True, layout="constrained")
for ax, (name, searches) in zip(axes, found.items(), strict=True):
    for seed, search in zip(SEEDS, searches, strict=True):
        distances = search.front_.random_simplex_distance()
        ax.hist(distances, bins=40, histtype="step", density=True, label=f"data set {seed}")
    ax.axvline(0.0, color="0.6", linewidth=0.8)
    ax.set(title=name, xlabel="distance from random allocation (negative: better)")
axes[0].set_ylabel("density of members")
axes[1].legend(frameon=False)


# %%
# Decision regions (Figures 3 and 4)
# ----------------------------------
# Left: least total error. Middle: no case of class 2 missed, then least confusion of classes 1
# and 3. Right: nothing called class 2 that is not. (The paper counts classes from 1.)
RULES = {
    "least total error": lambda front: int(errors(front).argmin()),
    "never miss class 2": Lexicographic([[(1, 0), (1, 2)], [(2, 0), (0, 2)]]),
    "never call others class 2": Lexicographic([[(0, 1), (2, 1)]]),
}
X, y = data[0]
grid_x, grid_y = np.meshgrid(np.linspace(-1.3, 1.6, 150), np.linspace(-0.3, 1.6, 120))
grid = np.column_stack([grid_x.ravel(), grid_y.ravel()])
chosen = {}
figure, axes = plt.subplots(
    2, 3, figsize=(10, 6), sharex=True, sharey=True, layout="constrained"
)
for line, (name, searches) in zip(axes, found.items(), strict=True):
    for ax, (title, rule) in zip(line, RULES.items(), strict=True):
        search = searches[0].set_operating_point(rule)
        chosen[name, title] = search.front_[search.best_index_].rates
        regions = search.predict(grid).reshape(grid_x.shape)
        ax.contourf(grid_x, grid_y, regions, [-0.5, 0.5, 1.5, 2.5], colors=COLOURS, alpha=0.25)
        for k in range(3):
            ax.scatter(*X[y == k].T, s=10, c=COLOURS[k], marker=MARKERS[k], linewidths=0.8)
        ax.set_title(f"{name}: {title}", fontsize=9)

# %%
# Miss rates (Figures 5 and 6)
# ----------------------------
# Left, the front of the three miss rates, searched for directly. Right, the members of the full
# front in the same coordinates: they do not form a surface, but lie close to one. The colour is
# the class that most of the misclassified cases are taken for.
reduced = search_knn(0, objectives="miss_rates").fit(X, y)
full = found["k-nn"][0].front_
misses = {
    "front of the miss rates": reduced.front_.miss_rates(),
    "full front": full.miss_rates(),
}
wrong = (full.rates * (1 - np.eye(3))).sum(axis=1).argmax(axis=1)
figure = plt.figure(figsize=(9, 4), layout="constrained")
for number, (title, points) in enumerate(misses.items(), start=1):
    ax = figure.add_subplot(1, 2, number, projection="3d")
    colours = "#3465a4" if number == 1 else np.array(COLOURS)[wrong]
    ax.scatter(*points.T, s=5, c=colours, depthshade=False)
    ax.set(title=f"{title}: {len(points):,} members")
    ax.set(xlabel="class 1 missed", ylabel="class 2 missed", zlabel="class 3 missed")
    ax.view_init(25, 40)
plt.show()

# %%
# Is T = 2,000 enough?
# --------------------
# The paper finds its search "very well converged" and 2,000 generations as good as 10,000. A
# second run with another seed tells how much of a front is chance: what each dominates alone.
again = search_knn(100).fit(X, y).front_
here = found["k-nn"][0].front_
differences = [
    here.delta(again, method="monte_carlo", random_state=0),
    again.delta(here, method="monte_carlo", random_state=0),
]
print(
    f"\nTwo runs on the same data dominate {differences[0]:.4f} and {differences[1]:.4f} of P "
    f"alone; G is {found['k-nn'][0].gini_:.4f} and {again.gini():.4f}."
)
