"""
Has a search gone on for long enough?
=====================================

A search for trade-offs never comes to an end: with every generation it finds operating points
that nobody had before. Everson and Fieldsend (2006) [1]_ judged theirs by eye. The logbook of
`ParetoROCSearch` knows better: it has the number of members, the generalised Gini coefficient G
and the time after each generation, and `ScoreConvergenceDisplay` draws them.

.. [1] R. M. Everson, J. E. Fieldsend, "Multi-class ROC analysis from a multi-objective
   optimisation perspective", Pattern Recognition Letters 27, 2006.
"""

# %%
# Two ways to spend a budget
# --------------------------
# A logistic regression on three measurements of wine, and 400 generations of 100 costs. The one
# search draws all costs at random, as the paper does, the other changes those of members it
# found lately, which is the default.

import matplotlib.pyplot as plt
from sklearn.datasets import load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import skvus
from skvus.plotting import ScoreConvergenceDisplay

X, y = load_wine(return_X_y=True)
X = X[:, [1, 2, 7]]
model = make_pipeline(StandardScaler(), LogisticRegression())
searches = {
    name: skvus.ParetoROCSearch(
        model, n_generations=400, cost_proposal=proposal, random_state=0
    ).fit(X, y)
    for name, proposal in (("members changed", "mixed"), ("all at random", "dirichlet"))
}
changed, drawn = searches.values()
display = ScoreConvergenceDisplay.from_estimator(
    changed, x="evaluations", name="members changed", others={"all at random": drawn}
)

# %%
# The number of members says little: it grows without end, as more operating points lie closer
# together. G settles, since it counts what they dominate. It is estimated from the same 2,048
# samples each time, so that the band says how far the lines may be from the truth, not how much
# they may be from each other.
#
# Where G stands still, more of the same brings little. This is what the last half of each
# budget was good for:
table = display.frame()
halves = {}
for name, rows in table.groupby("search", sort=False):
    middle = rows["evaluations"].sub(rows["evaluations"].max() / 2).abs().idxmin()
    halves[name] = rows.loc[[middle, rows.index[-1]], ["size", "gini"]]
    before, after = halves[name].to_numpy()
    print(
        f"{name:<16} members {before[0]:6,.0f} -> {after[0]:6,.0f}   "
        f"G {before[1]:.4f} -> {after[1]:.4f}"
    )

# %%
# Islands
# -------
# Three searches side by side, each with draws of its own, tell something that one cannot: how
# much of its G is luck. Each island has a line; in the end their fronts are merged.
islands = skvus.ParetoROCSearch(model, n_generations=100, n_islands=3, random_state=0).fit(X, y)
side_by_side = ScoreConvergenceDisplay.from_estimator(islands, name="three islands")
ginis = [front.gini() for front in islands.island_fronts_]
print("G of the islands ", *(f"{gini:.4f}" for gini in ginis))
print(f"G of their union  {islands.gini_:.4f}")

plt.show()
