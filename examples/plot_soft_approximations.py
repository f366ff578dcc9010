"""
Which score ranks soft classifiers as the exact volume does?
============================================================

Ferri, Hernández-Orallo and Salido [1]_ close with a claim that they do not show: for *soft*
classifiers, those that give probabilities, "the best approximation is HT3", the AUC of each
class against the rest, ahead of Hand and Till's measure of pairs. They mention preliminary
experiments and leave the exact volume of soft classifiers to future work.

With `soft_polytope_vus_score` that volume is at hand, so the claim can be tested. We rank
random and real classifiers by the exact volume and by eleven other scores, count as the
paper does how often the rankings differ, and judge the differences by their errors. Each
statement below is asserted in the code next to it.

.. [1] C. Ferri, J. Hernández-Orallo, M. A. Salido, "Volume under the ROC surface for
   multi-class problems", ECML 2003, section 6.
"""

# %%
# The candidates
# --------------
# The paper's HT3 for soft classifiers is the one-versus-rest AUC, which can be averaged over
# the classes equally or by their frequency (as Fawcett does). HT2 can be read in two ways: as
# Hand and Till's measure, which compares :math:`p_i` of two classes as it stands, or after
# the pair has been renormalised to :math:`p_i / (p_i + p_j)`, as the crisp HT2 does. Then
# come the scores that look at one case of each class at a time, and three that see no more
# than the most probable class.

from functools import partial
from itertools import combinations

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.lines import Line2D
from scipy.special import softmax
from scipy.stats import kendalltau, spearmanr
from sklearn.datasets import load_digits, load_iris, load_wine
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import scale
from sklearn.tree import DecisionTreeClassifier

import skvus


def renormalised_pairs(y, proba, sample_weight=None):
    """Mean AUC of the pairs, each by the probability within the pair."""
    weight = np.ones(len(y)) if sample_weight is None else sample_weight
    areas = []
    for i, j in combinations(range(3), 2):
        pair = (y == i) | (y == j)
        total = proba[pair, i] + proba[pair, j]
        share = np.full(total.size, 0.5)  # where the classifier excludes both
        np.divide(proba[pair, j], total, out=share, where=total > 0)
        areas.append(skvus.hand_till_score(y[pair], share, sample_weight=weight[pair]))
    return np.mean(areas)


def of_argmax(score):
    """Turn a crisp score into one of probabilities."""
    return lambda y, proba, **options: score(y, proba.argmax(axis=1), **options)


soft_scores = {
    "one versus rest (HT3)": skvus.one_vs_rest_auc_score,
    "the same by frequency": partial(skvus.one_vs_rest_auc_score, average="weighted"),
    "Hand and Till (HT2)": skvus.hand_till_score,
    "renormalised pairs (HT2)": renormalised_pairs,
    "PDI": skvus.pdi_score,
    "ordered, euclidean": skvus.ordered_vus_score,
    "ordered, sum": partial(skvus.ordered_vus_score, distance="sum"),
    "simplified VUS (product)": skvus.simplified_vus_score,
}
crisp_scores = {
    "accuracy": of_argmax(accuracy_score),
    "macro average": of_argmax(skvus.macro_average_score),
    "crisp polytope VUS": of_argmax(partial(skvus.polytope_vus_score, labels=[0, 1, 2])),
}
scores = soft_scores | crisp_scores
names = list(scores)

HT3, BY_FREQUENCY, HAND_TILL, PAIRS, PDI, EUCLIDEAN, SUM, SIMPLIFIED = soft_scores

# %%
# What the volume does not see
# ----------------------------
# Before any experiment: the exact volume is made of all weightings of the classes, and of
# rates within each class. So it does not change when the columns of the probabilities are
# multiplied by constants and the rows renormalised (other priors, a bias), when they are
# raised to a power and renormalised (over- or under-confidence), or when one class becomes
# more frequent. A score that changes then will be led astray by it.

rng = np.random.default_rng(0)
y = np.repeat(np.arange(3), 25)
evidence = rng.normal(size=(75, 3)) + 1.2 * np.eye(3)[y]
proba = softmax(evidence, axis=1)
changed = {
    "column bias": (softmax(evidence + [0, 1.5, -1.5], axis=1), None),
    "overconfidence": (softmax(3 * evidence, axis=1), None),
    "frequencies": (proba, np.array([6.0, 1.0, 1.0])[y]),
}
changes = {}
print(f"{'change of the score by':<26}" + "".join(f"{kind:>16}" for kind in changed))
for name, score in {"soft polytope VUS": skvus.soft_polytope_vus_score, **scores}.items():
    before = score(y, proba)
    changes[name] = [
        score(y, other, sample_weight=weight) - before for other, weight in changed.values()
    ]
    cells = [f"{change:+16.3f}" if abs(change) > 1e-9 else f"{'-':>16}" for change in changes[name]]
    print(f"{name:<26}" + "".join(cells))

unmoved = [name for name in changes if np.abs(changes[name]).max() < 1e-9]
print("unmoved by all three:", ", ".join(unmoved))
assert unmoved == ["soft polytope VUS", PAIRS, SIMPLIFIED]

# %%
# Only two of the candidates ignore all that the volume ignores: the renormalised pairs and
# the simplified VUS, which is the ordered VUS under the product rule. One versus rest is
# moved by everything. How much that matters depends on the classifiers that are compared.
#
# Random classifiers
# ------------------
# A classifier of a random quality sees three noisy numbers, of which the one of the true
# class is raised; by how much, differs from class to class. It makes probabilities of them in
# one of three ways:
#
# - *noisy*: their softmax;
# - *calibrated*: by Bayes' rule, with the strengths of the evidence and the true frequencies;
# - *biased*: a softmax with a random temperature, after the addition of a random constant
#   to each column. It has the same volume as *noisy*, which saves us the computation.
#
# There are 75 cases, in classes of equal size or of 50, 15 and 10.

N_CLASSIFIERS = 50
EQUAL, UNEQUAL = (25, 25, 25), (50, 15, 10)
SEED = 0


def random_probabilities(sizes, rng):
    """One classifier in three disguises."""
    y = np.repeat(np.arange(3), sizes)
    strength = rng.uniform(0.3, 2.2) * 3 * rng.dirichlet([4, 4, 4])
    evidence = rng.normal(size=(y.size, 3)) + np.diag(strength)[y]
    prior = np.array(sizes) / y.size
    temperature, bias = np.exp(0.5 * rng.normal()), 1.5 * rng.normal(size=3)
    return {
        "noisy": softmax(evidence, axis=1),
        "calibrated": softmax(evidence * strength - strength**2 / 2 + np.log(prior), axis=1),
        "biased": softmax(evidence / temperature + bias, axis=1),
    }


# %%
# Scores that are equal on paper may differ in their last digits, and then a ranking takes
# rounding errors for an order. We round.


def score_all(score, y, probabilities):
    """Score classifiers of the same cases."""
    return np.array([score(y, proba) for proba in probabilities]).round(12)


rng = np.random.default_rng(SEED)
truth, volumes, values, sizes_of, classifiers = {}, {}, {}, {}, {}
for kind, sizes in (("equal", EQUAL), ("unequal", UNEQUAL)):
    drawn = [random_probabilities(sizes, rng) for _ in range(N_CLASSIFIERS)]
    for disguise in ("noisy", "calibrated", "biased"):
        setting = f"{disguise}, {kind}"
        classifiers[setting] = [each[disguise] for each in drawn]
        truth[setting] = np.repeat(np.arange(3), sizes)
        sizes_of[setting] = sizes

# %%
# Real classifiers
# ----------------
# Iris (the sepals alone), wine and three digits, in samples of the same sizes; seven kinds of
# classifiers with random settings on one to three random features, so that some are poor.
# The probabilities are out of fold. Those of trees and neighbours have many ties and zeros.


def random_estimator(rng):
    """A classifier with random settings."""
    balance = [None, "balanced"][rng.integers(2)]
    depth, leaf = int(rng.integers(1, 6)), int(rng.integers(1, 8))
    tree = dict(max_depth=depth, min_samples_leaf=leaf, class_weight=balance, random_state=0)
    neighbours = int(rng.integers(1, 25))
    return [
        LogisticRegression(
            C=10 ** rng.uniform(-3, 2), class_weight=balance, solver="newton-cholesky"
        ),
        GaussianNB(var_smoothing=10 ** rng.uniform(-9, 0)),
        LinearDiscriminantAnalysis(solver="lsqr", shrinkage=rng.uniform()),
        KNeighborsClassifier(neighbours),
        KNeighborsClassifier(neighbours, weights="distance"),
        DecisionTreeClassifier(**tree),
        RandomForestClassifier(10, **tree),
    ][rng.integers(7)]


def real_probabilities(X, y, rng):
    """Out-of-fold probabilities of one random classifier."""
    features = rng.permutation(X.shape[1])[: rng.integers(1, 4)]
    folds = StratifiedKFold(3, shuffle=True, random_state=0)
    estimator = random_estimator(rng)
    return cross_val_predict(estimator, X[:, features], y, cv=folds, method="predict_proba")


def three_digits():
    """Principal components of the digits 3, 8 and 9."""
    X, y = load_digits(return_X_y=True)
    used = np.isin(y, (3, 8, 9))
    return PCA(6, random_state=0).fit_transform(X[used]), np.searchsorted((3, 8, 9), y[used])


iris, wine = load_iris(return_X_y=True), load_wine(return_X_y=True)
rng = np.random.default_rng(SEED)
for setting, (X, y), sizes in (
    ("iris, equal", (iris[0][:, :2], iris[1]), EQUAL),
    ("wine, equal", wine, EQUAL),
    ("digits, unequal", three_digits(), UNEQUAL),
):
    drawn = [rng.permutation(np.flatnonzero(y == k))[:size] for k, size in enumerate(sizes)]
    X, y = scale(X[np.concatenate(drawn)]), y[np.concatenate(drawn)]
    classifiers[setting] = [real_probabilities(X, y, rng) for _ in range(N_CLASSIFIERS)]
    truth[setting], sizes_of[setting] = y, sizes

# %%
# All scores of all of them.

for setting, drawn in classifiers.items():
    y = truth[setting]
    twin = setting.replace("biased", "noisy")
    if twin in volumes:
        volumes[setting] = volumes[twin]
        first = skvus.soft_polytope_vus_score(y, drawn[0])
        assert np.isclose(first, volumes[twin][0], rtol=1e-9)
    else:
        volumes[setting] = score_all(skvus.soft_polytope_vus_score, y, drawn)
    values[setting] = {name: score_all(score, y, drawn) for name, score in scores.items()}

print(f"{'setting':<20}{'sizes':>12}" + f"{'least':>10}{'median':>8}{'most':>8}  volume")
for setting, volume in volumes.items():
    sizes = "/".join(map(str, sizes_of[setting]))
    numbers = np.quantile(volume, (0, 0.5, 1))
    print(f"{setting:<20}{sizes:>12}" + "{:10.2f}{:8.2f}{:8.2f}".format(*numbers))

# %%
# What each score makes of the same classifiers, noisy and biased. A good approximation is a
# rising curve without scatter, whatever the disguise.

BLUE, ORANGE, GREEN, VERMILION, GREY = "#0072B2", "#E69F00", "#009E73", "#D55E00", "#666666"

figure, axes = plt.subplots(3, 4, figsize=(10, 7.4), sharex=True, layout="constrained")
for ax, name in zip(axes.flat, names, strict=False):
    for setting, marker, colour in (
        ("biased, unequal", "^", ORANGE),
        ("noisy, unequal", "o", BLUE),
    ):
        ax.scatter(
            volumes[setting],
            values[setting][name],
            s=16,
            marker=marker,
            color=colour,
            edgecolor="black",
            linewidth=0.3,
            label=setting,
        )
    pair = [
        skvus.ranking_discrepancy(volumes[s], values[s][name])
        for s in ("noisy, unequal", "biased, unequal")
    ]
    ax.set_title(f"{name}\ndiscrepancy {pair[0]:.3f}, {pair[1]:.3f}", fontsize=9)
    ax.tick_params(labelsize=8)
    ax.grid(alpha=0.25)
handles, labels = axes.flat[0].get_legend_handles_labels()
axes.flat[-1].axis("off")
axes.flat[-1].legend(
    handles[::-1], labels[::-1], loc="center", fontsize=10, title="discrepancies in this order"
)
axes.flat[-5].tick_params(labelbottom=True)
figure.supxlabel("soft polytope VUS, share of the maximum")
figure.supylabel("approximation")

# %%
# Discrepancies and their errors
# ------------------------------
# The discrepancy is a mean over all pairs of classifiers, a U-statistic. Its standard error
# follows from the means of the pairs that each classifier is part of, as DeLong's does, and
# so does that of the difference between two scores, which is much smaller: both are judged by
# the same classifiers.


def pair_means(volume, values):
    """Mean discrepancy of the pairs that each classifier is part of."""
    order, other = (np.sign(x[:, np.newaxis] - x) for x in (volume, values))
    return np.abs(order - other).sum(axis=1) / (volume.size - 1)


def mean_and_error(means):
    """Mean over all pairs, and its standard error."""
    return means.mean(), 2 * means.std(ddof=1) / np.sqrt(means.size)


means = {
    setting: {name: pair_means(volumes[setting], values[setting][name]) for name in names}
    for setting in volumes
}
results = {
    setting: {name: mean_and_error(means[setting][name]) for name in names}
    for setting in volumes
}
for setting in volumes:
    for name in names:
        discrepancy = skvus.ranking_discrepancy(volumes[setting], values[setting][name])
        assert np.isclose(results[setting][name][0], discrepancy)


def difference(setting, name, other):
    """How much more discrepant one score is than another, and the standard error."""
    return mean_and_error(means[setting][name] - means[setting][other])


def is_clear(setting, name, other):
    """Whether one score is worse than another by more than two standard errors."""
    value, error = difference(setting, name, other)
    return value > 2 * error


# %%
# In each setting we call the score with the smallest discrepancy the best, and those on a par
# with it that are not worse by two standard errors.

best, on_a_par = {}, {}
for setting in volumes:
    best[setting] = min(names, key=lambda name: results[setting][name][0])
    on_a_par[setting] = [n for n in names if not is_clear(setting, n, best[setting])]

print(f"{'':<26}" + "".join(f"{s.split(', ')[0]:>11}" for s in volumes))
print(f"{'':<26}" + "".join(f"{s.split(', ')[1]:>11}" for s in volumes))
for name in names:
    cells = []
    for setting in volumes:
        mark = "*" if name == best[setting] else "=" if name in on_a_par[setting] else " "
        cells.append(f"{results[setting][name][0]:10.3f}{mark}")
    print(f"{name:<26}" + "".join(cells))
typical = np.median([[error for _, error in results[s].values()] for s in volumes])
print(f"* best, = on a par; a typical standard error is {typical:.3f}")

figure, axes = plt.subplots(
    3, 3, figsize=(10, 9), sharex=True, sharey=True, layout="constrained"
)
height = np.arange(len(names))[::-1]
for ax, setting in zip(axes.flat, volumes, strict=True):
    for name, y_position in zip(names, height, strict=True):
        value, error = results[setting][name]
        colour = BLUE if name in on_a_par[setting] else GREY
        if name in crisp_scores:
            colour = VERMILION
        ax.errorbar(
            value,
            y_position,
            xerr=error,
            fmt="D" if name == best[setting] else "s" if name in crisp_scores else "o",
            color=colour,
            markersize=7 if name == best[setting] else 4.5,
            capsize=2,
        )
    ax.set_title(f"{setting} ({'/'.join(map(str, sizes_of[setting]))})", fontsize=10)
    ax.set_xscale("log")
    ax.set_xticks([0.05, 0.1, 0.2, 0.5], ["0.05", "0.1", "0.2", "0.5"])
    ax.minorticks_off()
    ax.grid(alpha=0.25)
axes[0, 0].set_yticks(height, names, fontsize=9)
figure.supxlabel("discrepancy from the ranking by soft polytope VUS ± standard error")
styles = (
    ("D", BLUE, "best"),
    ("o", BLUE, "on a par with it"),
    ("o", GREY, "clearly worse"),
    ("s", VERMILION, "crisp"),
)
figure.legend(
    handles=[Line2D([], [], ls="", marker=m, color=c, label=text) for m, c, text in styles],
    loc="outside upper center",
    ncols=4,
    fontsize=10,
)

plt.show()
