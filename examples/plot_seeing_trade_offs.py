"""
Looking at six rates at once, or at twenty
==========================================

A classifier of three classes can make six kinds of mistakes, one of five classes twenty. Each
of its operating points is a list of so many rates, and there are thousands of them. How does
one look at that?

`ROCFrontDisplay` has five pictures of it, each of which answers another question, and
`ROCFront.explore` a page to search in. Everson and Fieldsend (2006) [1]_ had the first and the
fourth picture (their Figures 6 and 8).

.. [1] R. M. Everson, J. E. Fieldsend, "Multi-class ROC analysis from a multi-objective
   optimisation perspective", Pattern Recognition Letters 27, 2006.
"""

# %%
# Three cultivars of wine, told apart by three measurements. The rates are out of fold, so that
# they are those that fresh bottles would see.

import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
from sklearn.datasets import load_digits, load_wine
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import skvus
from skvus.plotting import ROCFrontDisplay

NAMES = ["Barolo", "Grignolino", "Barbera"]  # the cultivars of the data
X, code = load_wine(return_X_y=True)
X, y = X[:, [1, 2, 7]], [NAMES[k] for k in code]

classifiers = {
    "logistic regression": make_pipeline(StandardScaler(), LogisticRegression()),
    "naive Bayes": GaussianNB(),
    "random forest": RandomForestClassifier(100, min_samples_leaf=5, random_state=0),
}
fronts = {}
for name, classifier in classifiers.items():
    proba = cross_val_predict(classifier, X, y, method="predict_proba")
    fronts[name] = skvus.ROCFront.from_predictions(y, proba, random_state=0)
front = fronts["logistic regression"]
print(front)

# %%
# Where are the operating points?
# -------------------------------
# In the space of the miss rates, for three classes. Low is good, along all three axes. The
# dashed triangle is random allocation. The colour is the class that most mistakes go to: each
# class has a corner of the surface, where the others are sacrificed for it. The star is the
# member most distant from random allocation.
space = ROCFrontDisplay(front, name="logistic regression").plot()
print(space)

# %%
# Which mistakes come with which?
# -------------------------------
# Parallel coordinates show all rates of all members. A line that is low at one axis and high at
# another is a trade-off. The black line is the chosen member: here, one that calls no more than
# 2% of the Barbera a Grignolino, and is otherwise as far from random as can be.
RULE = skvus.WithinLimits({("Barbera", "Grignolino"): 0.02})
parallel = ROCFrontDisplay(front, kind="parallel", chosen=RULE).plot()

# %%
# What does one rate cost in another?
# -----------------------------------
# Each pair of rates has a panel of its own. The black line joins the members that are the best
# for these two rates alone. Where it runs close to both axes, both can be had at once.
pairs = ROCFrontDisplay(front, kind="pairs", chosen=RULE).plot()

# %%
# How good are the members, and which classifier has the better ones?
# -------------------------------------------------------------------
# Left of zero is better than random.
forest = {"random forest": fronts["random forest"]}
distance = ROCFrontDisplay(front, kind="distance", name="logistic regression", others=forest)
distance.plot()

# %%
# G is the share of all that is better than random which a front dominates; δ is what one front
# dominates and another does not. Neither classifier makes another one superfluous if both δ are
# well above zero: for some costs the one is better, for some the other.
others = {name: fronts[name] for name in list(fronts)[1:]}
compare = ROCFrontDisplay(front, name="logistic regression", others=others).plot()
table = compare.frame()
print(table.round(4).to_string(index=False))

# %%
# Twenty rates
# ------------
# Beyond three classes there is no space to draw in, but parallel coordinates go on. These are
# five of the ten digits, told apart by a naive Bayes classifier. The axes of a true class stand
# side by side. They end where nearly all members do: a few, which sacrifice one class, run on.
digits = load_digits()
DIGITS = [1, 3, 5, 8, 9]
chosen = [label in DIGITS for label in digits.target]
X_digits, y_digits = digits.data[chosen], digits.target[chosen]
bayes = GaussianNB(var_smoothing=1e-2)
proba = cross_val_predict(bayes, X_digits, y_digits, method="predict_proba")
digit_front = skvus.ROCFront.from_predictions(y_digits, proba, random_state=0)
twenty = ROCFrontDisplay(digit_front, name="naive Bayes").plot()

# %%
# A page to explore
# -----------------
# Pictures stand still. The page does not: limits are set by dragging on an axis, costs by
# writing them into a matrix, and what is chosen follows at once, with the code that makes the
# same choice in Python. It is one file, which needs no network.
page = Path(tempfile.mkdtemp()) / "wine.html"
front.explore(page, rule=RULE, title="Three cultivars of wine")
print(f"{page.name}: {page.stat().st_size / 2**20:.1f} MB for {len(front):,} members")

# sphinx_gallery_thumbnail_number = 2
plt.show()
