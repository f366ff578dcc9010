"""
Same error, different volume
============================

Two classifiers can make the same share of errors and still not be equally good. The error
rate judges one operating point, the decisions that a classifier makes when left alone. With
other costs, or other frequencies of the classes, its scores are cut elsewhere. The simplified
volume under the ROC hypersurface (VUS) of Landgrebe and Duin [1]_ looks at all cuts at once:
it is 1 for perfect scores and 1/Q! for random ones with Q classes. They compared classifiers
by both measures and found pairs that tie in error and differ in volume.

We repeat that experiment on data that ship with scikit-learn and skvus, with one addition: a
hard look at whether the pairs that we find are real.

.. [1] T. C. W. Landgrebe, R. P. W. Duin, "A simplified volume under the ROC hypersurface",
   2007, section 5, Tables 4 and 5.
.. [2] C. Nadeau, Y. Bengio, "Inference for the generalization error", Machine Learning 52,
   2003.
"""

# %%
# Four problems
# -------------
# The banana is made after the paper's description, with as many cases. As in the paper's
# digits problem, three digits have to be told from each other and from all the rest.

from functools import cache
from itertools import combinations

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.lines import Line2D
from scipy import stats
from scipy.special import expit, softmax
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import load_digits, load_iris, load_wine
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import (
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
)
from sklearn.mixture import GaussianMixture
from sklearn.model_selection import StratifiedShuffleSplit, cross_val_score
from sklearn.multiclass import OneVsRestClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from threadpoolctl import threadpool_limits

import skvus
from skvus.datasets import make_banana

pixels, digit = load_digits(return_X_y=True)
data = {
    "banana": make_banana(5073, random_state=0),
    "iris": load_iris(return_X_y=True),
    "wine": load_wine(return_X_y=True),
    "digits": (pixels, np.where(np.isin(digit, [3, 6, 9]), digit.astype(str), "rest")),
}
for name, (X, y) in data.items():
    classes, counts = np.unique(y, return_counts=True)
    members = ", ".join(
        f"{label}: {count}" for label, count in zip(classes, counts, strict=True)
    )
    print(f"{name:<8}{X.shape[0]:5d} cases {X.shape[1]:3d} features   classes {members}")

# %%
# The classifiers
# ---------------
# The volume needs scores, not just decisions. scikit-learn has most of the paper's
# classifiers with scores; three small classes supply the others. Their decision is always
# the class with the largest score.


class ArgmaxClassifier(ClassifierMixin, BaseEstimator):
    """What the three classifiers below have in common."""

    def predict(self, X):
        """Return the class with the largest score."""
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


class NearestMean(ArgmaxClassifier):
    """Equally likely, equally round Gaussians: the nearest mean has the largest score."""

    def fit(self, X, y):
        """Average each class."""
        self.classes_, code = np.unique(y, return_inverse=True)
        self.means_ = np.array([X[code == k].mean(axis=0) for k in range(len(self.classes_))])
        self.variance_ = np.mean((X - self.means_[code]) ** 2)
        return self

    def predict_proba(self, X):
        """Return the softmax of negative squared distances."""
        squares = ((X[:, np.newaxis] - self.means_) ** 2).sum(axis=2)
        return softmax(-squares / (2 * self.variance_), axis=1)


class GaussianMixtures(ArgmaxClassifier):
    """Bayes' rule with a mixture of Gaussians for each class."""

    def __init__(self, n_components=(1, 1, 1)):
        self.n_components = n_components  # of each class

    def fit(self, X, y):
        """Fit a mixture to each class."""
        self.classes_, code = np.unique(y, return_inverse=True)
        self.log_priors_ = np.log(np.bincount(code) / len(code))
        self.mixtures_ = [
            GaussianMixture(n, max_iter=500, random_state=0).fit(X[code == k])
            for k, n in enumerate(self.n_components)
        ]
        return self

    def predict_proba(self, X):
        """Return posterior probabilities."""
        log_densities = [mixture.score_samples(X) for mixture in self.mixtures_]
        return softmax(np.transpose(log_densities) + self.log_priors_, axis=1)


class PolynomialSVC(ArgmaxClassifier):
    """Support vectors, each class against the rest; scores are the softmax of the margins."""

    def __init__(self, degree=2):
        self.degree = degree

    def fit(self, X, y):
        """Fit a machine for each class."""
        machine = SVC(kernel="poly", degree=self.degree, coef0=1)
        self.machines_ = OneVsRestClassifier(machine).fit(X, y)
        self.classes_ = self.machines_.classes_
        return self

    def predict_proba(self, X):
        """Return the softmax of the margins."""
        return softmax(self.machines_.decision_function(X), axis=1)


# %%
# A softmax has a free scale. For the volume it does not matter: it compares products of
# scores, and if all distances or margins are doubled, all scores are squared (up to a factor
# for each case) and no comparison changes. Nor do factors for each class matter, so the
# priors are without effect too. A check with scores of the nearest mean:

X, y = data["iris"]
score = NearestMean().fit(X, y).predict_proba(X)
for name, changed in {
    "as they are": score,
    "squared": score**2,
    "square roots": score**0.5,
    "other priors": score * [0.2, 0.7, 0.1],
}.items():
    print(f"{name:<14}{skvus.simplified_vus_score(y, changed):.6f}")

# %%
# The names are the paper's: *sc* scales the features to unit variance, *pca* keeps that many
# principal components; *nmc*, *ldc* and *qdc* are the nearest mean, the linear and the
# quadratic classifier, *mogc* mixtures with so many Gaussians for each class, *knn3* three
# nearest neighbours, and *svc p2* support vectors with a polynomial of second order.


def scaled(*steps):
    """Put unit variance in front."""
    return make_pipeline(StandardScaler(), *steps)


nmc, ldc, qdc = NearestMean(), LinearDiscriminantAnalysis(), QuadraticDiscriminantAnalysis()
knn3, svc2, svc3 = KNeighborsClassifier(3), PolynomialSVC(2), PolynomialSVC(3)
small = {
    "nmc": nmc,
    "sc-nmc": scaled(nmc),
    "sc-pca2 nmc": scaled(PCA(2), nmc),
    "ldc": ldc,
    "sc-pca2 ldc": scaled(PCA(2), ldc),
    "qdc": qdc,
    "sc-pca2 qdc": scaled(PCA(2), qdc),
    "sc-pca2 mogc2,2,2": scaled(PCA(2), GaussianMixtures((2, 2, 2))),
    "knn3": knn3,
    "sc-knn3": scaled(knn3),
    "sc-svc p2": scaled(svc2),
    "sc-svc p3": scaled(svc3),
}
models = {
    "banana": {
        "nmc": nmc,
        "sc-nmc": scaled(nmc),
        "sc-pca1 nmc": scaled(PCA(1), nmc),
        "sc-ldc": scaled(ldc),
        "sc-qdc": scaled(qdc),
        "sc-mogc2,1,2": scaled(GaussianMixtures((2, 1, 2))),
        "sc-knn3": scaled(knn3),
        "sc-svc p3": scaled(svc3),
    },
    "iris": small,
    "wine": small,
    "digits": {
        "nmc": nmc,
        "sc-nmc": scaled(nmc),
        "pca10 nmc": make_pipeline(PCA(10), nmc),
        "ldc": ldc,
        "pca10 ldc": make_pipeline(PCA(10), ldc),
        # some pixels are constant within a class, its covariance matrix is singular
        "qdc": QuadraticDiscriminantAnalysis(reg_param=0.1),
        "pca10 qdc": make_pipeline(PCA(10), qdc),
        "pca10 mogc1,1,1,3": make_pipeline(PCA(10), GaussianMixtures((1, 1, 1, 3))),
        "knn3": knn3,
        "pca10 knn3": make_pipeline(PCA(10), knn3),
        "sc-svc p2": scaled(svc2),
        "sc-svc p3": scaled(svc3),
    },
}

# %%
# Ten hold-outs
# -------------
# Ten times, a random fifth of the cases is held out for testing. All classifiers see the same
# ten splits, each of which has all classes in proportion. We keep the models and their
# scores, since there will be more to ask of them.

N_SPLITS, TEST_SIZE = 10, 0.2
cv = StratifiedShuffleSplit(N_SPLITS, test_size=TEST_SIZE, random_state=0)
splits = {name: list(cv.split(X, y)) for name, (X, y) in data.items()}
fitted, scores, errors, volumes = {}, {}, {}, {}
for name, (X, y) in data.items():
    # a row for each classifier, a column for each split
    with threadpool_limits(1):  # many small fits are faster without threads
        fitted[name] = [
            [clone(model).fit(X[train], y[train]) for train, _ in splits[name]]
            for model in models[name].values()
        ]
        scores[name] = [
            [
                model.predict_proba(X[test])
                for model, (_, test) in zip(row, splits[name], strict=True)
            ]
            for row in fitted[name]
        ]
    truths = [y[test] for _, test in splits[name]]
    classes = np.unique(y)
    errors[name] = np.array(
        [
            [
                np.mean(classes[score.argmax(axis=1)] != y)
                for score, y in zip(row, truths, strict=True)
            ]
            for row in scores[name]
        ]
    )
    volumes[name] = np.array(
        [
            [skvus.simplified_vus_score(y, score) for score, y in zip(row, truths, strict=True)]
            for row in scores[name]
        ]
    )

# %%
# If the volumes are all you need, scikit-learn and a scorer of skvus give the same ones in a
# line:

again = cross_val_score(ldc, *data["iris"], cv=cv, scoring=skvus.get_scorer("simplified_vus"))
gaps = again - volumes["iris"][list(small).index("ldc")]
print(f"largest difference: {np.abs(gaps).max():.0e}")

# %%
# Mean and standard deviation over the splits, in the form of the paper's tables. For four
# classifiers of the banana the paper has figures, too.

paper = {
    "sc-pca1 nmc": "0.329(0.004)  0.667(0.083)",
    "sc-mogc2,1,2": "0.058(0.003)  0.990(0.002)",
    "sc-qdc": "0.077(0.004)  0.970(0.006)",
    "sc-ldc": "0.091(0.004)  0.964(0.007)",
}
print(
    f"{'':<8}{'classifier':<19}{'error':^14}{'VUS':^14}{'paper: error':^14}{'VUS':^14}".rstrip()
)
for name in data:
    for i, model in enumerate(models[name]):
        cells = [(row.mean(), row.std(ddof=1)) for row in (errors[name][i], volumes[name][i])]
        line = f"{name if i == 0 else '':<8}{model:<19}"
        line += "".join(f"{mean:.3f}({sd:.3f})  " for mean, sd in cells)
        print((line + (paper.get(model, "") if name == "banana" else "")).rstrip())

# %%
# The errors and volumes of the banana come close to the paper's, and were meant to: what the
# paper leaves open about the data was chosen so (see :func:`skvus.datasets.make_banana`). Does
# the volume say anything that the error does not? Rank correlations of the two columns:

rank_correlation = {
    name: stats.spearmanr(errors[name].mean(axis=1), volumes[name].mean(axis=1)).statistic
    for name in data
}
for name, rho in rank_correlation.items():
    print(f"{name:<8}{rho:6.2f}")

# %%
# Mostly, the larger the error, the smaller the volume, but not always.
#
# Analysis of variance
# --------------------
# Some splits are easier than others, for all classifiers alike. A two-way analysis of
# variance takes that out: it compares the variance between the classifiers with what is left
# when the means of the classifiers and the means of the splits are accounted for. The paper
# calls a difference significant if the F value lies beyond the 0.995 quantile.

LEVEL = 0.995


def two_way_anova(table):
    """F value and p-value of the rows (classifiers); the columns are splits."""
    n_rows, n_columns = table.shape
    rows, columns = table.mean(axis=1, keepdims=True), table.mean(axis=0, keepdims=True)
    between = n_columns * np.sum((rows - table.mean()) ** 2) / (n_rows - 1)
    n_free = (n_rows - 1) * (n_columns - 1)
    rest = np.sum((table - rows - columns + table.mean()) ** 2) / n_free
    if rest < 1e-20:  # no scatter, up to rounding
        return (0.0, 1.0) if between < 1e-20 else (np.inf, 0.0)
    return between / rest, stats.f.sf(between / rest, n_rows - 1, n_free)


print(f"{'all classifiers of':<20}{'F of error':>12}{'p':>9}{'F of VUS':>12}{'p':>9}")
for name in data:
    cells = [two_way_anova(errors[name]), two_way_anova(volumes[name])]
    print(f"{name:<20}" + "".join(f"{f:12.1f}{p:9.0e}" for f, p in cells))

# %%
# Of course not all of these classifiers are equal. Which ones differ? For two rows the
# F value is the square of the t value of a paired test.
#
# Pairs with the same error and different volumes
# -----------------------------------------------
# Following the paper, we say that two classifiers have the same error if F is not
# significant, and different volumes if F is. Two columns are ours.
#
# *Corrected.* The splits overlap: two training sets share most of their cases, so the ten
# differences are not independent, the variance of their mean is underestimated, and the
# p-values are too optimistic. Nadeau and Bengio [2]_ correct the t test by replacing 1/10 in
# that variance by 1/10 + (test size) / (training size). Is the difference of volumes still
# significant then?
#
# *Any ties.* Take one case from each class. Where the scores leave open which is which, the
# tuple earns a share of the credit, as ties do in the area under a ROC curve. It could as
# well earn nothing ("strict") or everything ("weak"). Is the difference also significant,
# with the same sign, both ways?


def corrected_t_test(differences, ratio):
    """Mean, standard error and two-sided p-value; ratio is test size / training size."""
    n = len(differences)
    mean = differences.mean()
    error = np.sqrt((1 / n + ratio) * differences.var(ddof=1))
    if error < 1e-10:  # no scatter, up to rounding
        return mean, error, float(abs(mean) < 1e-10)
    return mean, error, 2 * stats.t.sf(abs(mean / error), n - 1)


def ratio_of(name):
    """Test size / training size."""
    train, test = splits[name][0]
    return len(test) / len(train)


@cache
def volumes_with(ties, name, i):
    """Volumes of one classifier on the ten splits, with another credit for ties."""
    _, y = data[name]
    return [
        skvus.simplified_vus_score(y[test], score, ties=ties)
        for score, (_, test) in zip(scores[name][i], splits[name], strict=True)
    ]


n_pairs, found = 0, []
for name in data:
    labels = list(models[name])
    for pair in combinations(range(len(labels)), 2):
        n_pairs += 1
        f_error, p_error = two_way_anova(errors[name][list(pair)])
        f_volume, p_volume = two_way_anova(volumes[name][list(pair)])
        if p_error < 1 - LEVEL or p_volume >= 1 - LEVEL:
            continue
        tables = [volumes[name][list(pair)]]
        for ties in ("strict", "weak"):
            tables.append(np.array([volumes_with(ties, name, i) for i in pair]))
        signs = {np.sign(np.mean(first - second)) for first, second in tables}
        first, second = tables[0]
        found.append(
            {
                "data": name,
                "pair": list(pair),
                "names": [labels[i] for i in pair],
                "f_error": f_error,
                "p_error": p_error,
                "f_volume": f_volume,
                "p_volume": p_volume,
                "corrected": corrected_t_test(first - second, ratio_of(name))[2] < 1 - LEVEL,
                "any_ties": len(signs) == 1
                and all(two_way_anova(table)[1] < 1 - LEVEL for table in tables),
            }
        )
found.sort(key=lambda pair: -pair["f_volume"])

print(f"significant: F > {stats.f.ppf(LEVEL, 1, N_SPLITS - 1):.2f}")
print(f"same error, different volumes: {len(found)} of {n_pairs} pairs")
print(f"differences of volumes to expect if there were none: {n_pairs * (1 - LEVEL):.1f}\n")
print(
    f"{'':<8}{'first':<19}{'second':<19}{'error':^13}{'F':>6}{'VUS':^16}{'F':>6}"
    f"{'corrected':>11}{'any ties':>10}"
)
for pair in found:
    cells = []
    for table in (errors, volumes):
        cells.append(table[pair["data"]][pair["pair"]].mean(axis=1))
    print(
        f"{pair['data']:<8}{pair['names'][0]:<19}{pair['names'][1]:<19}"
        f"{cells[0][0]:6.3f}{cells[0][1]:7.3f}{pair['f_error']:6.1f}"
        f"{cells[1][0]:8.3f}{cells[1][1]:7.3f}{pair['f_volume']:7.1f}"
        f"{'yes' if pair['corrected'] else 'no':>11}{'yes' if pair['any_ties'] else 'no':>10}"
    )
if not found:
    print("none was found")

# %%
# All classifiers, with bars of one standard deviation; the pairs that were found are joined.
# A steep line is what we are after: little difference in error, much in volume. Both axes
# are stretched near perfection.

ORANGE, SKY, GREEN, YELLOW = "#E69F00", "#56B4E9", "#009E73", "#F0E442"
BLUE, VERMILION, PURPLE, GREY = "#0072B2", "#D55E00", "#CC79A7", "#666666"
STYLES = {
    "nmc": ("o", GREY),
    "ldc": ("s", SKY),
    "qdc": ("^", BLUE),
    "mogc": ("D", GREEN),
    "knn3": ("P", VERMILION),
    "svc p2": ("v", ORANGE),
    "svc p3": ("X", PURPLE),
}


def marker_of(model):
    """Marker by classifier; empty, half or full by the features."""
    marker, colour = next(style for family, style in STYLES.items() if family in model)
    fill = "left" if "pca" in model else "full" if model.startswith("sc") else "none"
    return {"marker": marker, "color": colour, "fillstyle": fill, "markersize": 9}


figure, axes = plt.subplots(2, 2, figsize=(10, 9), layout="constrained")
for ax, name in zip(axes.flat, data, strict=True):
    error, loss = errors[name].mean(axis=1), 1 - volumes[name].mean(axis=1)
    error_bar, loss_bar = (
        # down to 0, where the scale ends, at most
        [np.minimum(mean, table[name].std(axis=1, ddof=1)), table[name].std(axis=1, ddof=1)]
        for mean, table in ((error, errors), (loss, volumes))
    )
    for pair in found:
        if pair["data"] == name:
            ends, dashes = pair["pair"], "-" if pair["corrected"] else (0, (1, 1.5))
            ax.plot(error[ends], loss[ends], color="black", lw=2, ls=dashes, zorder=2)
    for i, model in enumerate(models[name]):
        style = marker_of(model)
        bars = {"xerr": [[b[i]] for b in error_bar], "yerr": [[b[i]] for b in loss_bar]}
        ax.errorbar(
            error[i], loss[i], **bars, elinewidth=0.8, alpha=0.6, color=style["color"], zorder=1
        )
        ax.plot(error[i], loss[i], linestyle="none", zorder=3, **style)
    ax.set_xscale("log")
    ax.set_yscale("symlog", linthresh=0.001, linscale=0.6)
    ax.set_xticks([0.01, 0.02, 0.05, 0.1, 0.2, 0.4], [".01", ".02", ".05", ".1", ".2", ".4"])
    ax.set_yticks(
        [0, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3], ["1", ".999", ".997", ".99", ".97", ".9", ".7"]
    )
    ax.minorticks_off()
    ax.set_xlim(0.7 * error.min(), 1.4 * error.max())
    ax.set_ylim(1.6 * loss.max(), 0.4 * loss.min() if loss.min() > 0.001 else -0.0002)
    ax.grid(alpha=0.25)
    ax.set_title(name)
for ax in axes[1]:
    ax.set_xlabel("error rate (left is better)")
for ax in axes[:, 0]:
    ax.set_ylabel("simplified VUS (up is better)")
handles = [
    Line2D([], [], linestyle="none", marker=marker, color=colour, markersize=9, label=family)
    for family, (marker, colour) in STYLES.items()
]
for fill, label in (("none", "features as they are"), ("full", "scaled"), ("left", "pca")):
    handles.append(
        Line2D([], [], ls="none", marker="o", color=GREY, ms=9, fillstyle=fill, label=label)
    )
handles.append(Line2D([], [], color="black", lw=2, label="pair, also when corrected"))
handles.append(
    Line2D([], [], color="black", lw=2, ls=(0, (1, 1.5)), label="pair, by ANOVA only")
)
figure.legend(handles=handles, loc="outside lower center", ncols=6, fontsize=9)

# %%
# Are they real?
# --------------
# "Not significant" does not mean "the same". The corrected test puts an interval (95%) around
# each difference, first minus second, and shows how much the errors may differ. Here are the
# pairs whose volumes differ also when corrected.


def corrected(differences, name):
    """Describe the mean difference, with a 95% interval."""
    mean, error, p = corrected_t_test(differences, ratio_of(name))
    half = stats.t.ppf(0.975, N_SPLITS - 1) * error
    return f"{mean:+.3f} [{mean - half:+.3f}, {mean + half:+.3f}]  p = {p:.1e}"


real = [pair for pair in found if pair["corrected"]]
for pair in real:
    name, (i, j) = pair["data"], pair["pair"]
    print(f"{name}: {' minus '.join(pair['names'])}")
    print(f"   error {corrected(errors[name][i] - errors[name][j], name)}")
    print(f"   VUS   {corrected(volumes[name][i] - volumes[name][j], name)}")

# %%
# The volume of support vectors is that of the scores we made up for them. Let us take the
# logistic function of each margin in place of the softmax. No decision changes; do the volumes
# of the banana's *sc-svc p3* still differ from those of the two others?

X, y = data["banana"]
labels = list(models["banana"])
other_scores = []
machines = fitted["banana"][labels.index("sc-svc p3")]
for model, (_, test) in zip(machines, splits["banana"], strict=True):
    margins = model[-1].machines_.decision_function(model[:-1].transform(X[test]))
    other_scores.append(skvus.simplified_vus_score(y[test], expit(margins)))
print(f"sc-svc p3, logistic of the margins: VUS {np.mean(other_scores):.3f}")
for label in ("sc-mogc2,1,2", "sc-knn3"):
    gaps = volumes["banana"][labels.index(label)] - other_scores
    print(f"   {label:<13} minus that {corrected(gaps, 'banana')}")

# %%
# Fresh data
# ----------
# The banana allows for a better test, since it can be drawn as often as we like. Ten times we
# draw the same number of cases for training, and 5073 others for testing. Nothing overlaps,
# so the analysis of variance needs no correction, and the larger test sets see more.

drawable = [pair for pair in real if pair["data"] == "banana"]
contenders = sorted({label for pair in drawable for label in pair["names"]})
fresh_errors, fresh_volumes = np.zeros((2, len(contenders), N_SPLITS))
for k in range(N_SPLITS):
    X_train, y_train = make_banana(len(splits["banana"][0][0]), random_state=100 + k)
    X_test, y_test = make_banana(5073, random_state=200 + k)
    for i, label in enumerate(contenders):
        with threadpool_limits(1):
            model = clone(models["banana"][label]).fit(X_train, y_train)
            score = model.predict_proba(X_test)
        fresh_errors[i, k] = np.mean(model.classes_[score.argmax(axis=1)] != y_test)
        fresh_volumes[i, k] = skvus.simplified_vus_score(y_test, score)

print(f"{'first':<14}{'second':<14}{'error':^14}{'F':>8}{'p':>9}{'VUS':^16}{'F':>8}{'p':>9}")
for pair in drawable:
    rows = [contenders.index(label) for label in pair["names"]]
    line = "".join(f"{label:<14}" for label in pair["names"])
    for table, width in ((fresh_errors[rows], 7), (fresh_volumes[rows], 8)):
        f_value, p_value = two_way_anova(table)
        line += "".join(f"{mean:{width}.3f}" for mean in table.mean(axis=1))
        line += f"{f_value:8.1f}{p_value:9.0e}"
    pair["same_fresh_error"] = two_way_anova(fresh_errors[rows])[1] >= 1 - LEVEL
    print(line)

# %%
# The mixtures of Gaussians have the smaller error after all; ten splits of one data set could
# not show it. The errors of three neighbours and of support vectors are still not told apart
# at the level of the paper. With more data they might be, but look at the sizes: the volumes
# differ by more than ten times as much as the errors.
#
# The clearest pair
# -----------------
# We draw the pair with the largest F value of the volume among those whose errors do not
# differ even at the level of 0.95. On top are the ten splits, a line for each. The bars beside
# the volumes reach from strict to weak credit for ties, sorted.
#
# Below we cut through the surfaces of half a split: how often can a class be recognised if the
# rate on the axis is demanded of each other class? :func:`skvus.operating_points` lists what
# can be had by weighting the classes.

clearest = next(pair for pair in found if pair["p_error"] > 0.05)
name, labels = clearest["data"], clearest["names"]
y = data[name][1]
classes = np.unique(y)
colours = [marker_of(label)["color"] for label in labels]

figure = plt.figure(figsize=(10, 8), layout="constrained")
upper, lower = figure.subfigures(2, 1, hspace=0.05)
figure.suptitle(f"{name}: {labels[0]} and {labels[1]}")
top = upper.subplots(1, 2)
panels = {"error rate": (errors, "f_error"), "simplified VUS": (volumes, "f_volume")}
for ax, (title, (table, f_value)) in zip(top, panels.items(), strict=True):
    ax.plot([0, 1], table[name][clearest["pair"]], color=GREY, linewidth=0.8, zorder=1)
    for k, i in enumerate(clearest["pair"]):
        ax.scatter(np.full(N_SPLITS, k), table[name][i], s=36, color=colours[k], zorder=3)
    ax.set_title(f"{title}, F = {clearest[f_value]:.1f}", fontsize=11)
    ax.set_xticks([0, 1], labels)
    ax.set_xlim(-0.35, 1.35)
    ax.grid(axis="y", alpha=0.25)
for k, i in enumerate(clearest["pair"]):
    ranges = sorted(
        zip(volumes_with("strict", name, i), volumes_with("weak", name, i), strict=True)
    )
    beside = k + (2 * k - 1) * np.linspace(0.06, 0.24, N_SPLITS)
    top[1].vlines(beside, *np.transpose(ranges), color=colours[k])
top[1].text(0.3, 0.04, "bars: ties from strict to weak", transform=top[1].transAxes, color=GREY)

reached = {}
test = splits[name][0][1][::2]
for label, i in zip(labels, clearest["pair"], strict=True):
    score = scores[name][i][0][::2]
    points = skvus.operating_points(y[test], score, random_state=0)
    reached[label] = np.einsum("mii->mi", points.rates)  # the true rates of all classes
    print(
        f"{label:<13}{len(test)} test cases, {len(np.unique(score, axis=0))} different score "
        f"vectors, {len(points.rates)} operating points"
    )

demands = np.linspace(0.8, 1, 201)
bottom = lower.subplots(1, len(classes), sharey=True)
for k, ax in enumerate(bottom):
    for label, colour, dashes in zip(labels, colours, ("-", "--"), strict=True):
        others = np.delete(reached[label], k, axis=1).min(axis=1)
        best = [reached[label][others >= demand, k].max(initial=0) for demand in demands]
        ax.plot(demands, best, dashes, color=colour, linewidth=2, label=label)
    ax.set_title(f"class {classes[k]}", fontsize=11)
    ax.set_xlabel("demanded of each other class")
    ax.grid(alpha=0.25)
bottom[0].set_ylabel("largest true rate")
bottom[0].legend(loc="lower left")

# %%
# From the left to the right, the error goes up on some splits and down on others; the volume
# goes up on all of them. Three neighbours of three classes make at most ten different score
# vectors, hence a handful of operating points, and a class that none of the three belongs to
# has the score zero, which no weight can raise. The curves of 3-nn are stairs that end early,
# where those of the support vectors go on. The error rate, one point on each surface, cannot
# see that.
#
# The bars show the other side. Most of what 3-nn loses, it loses to ties, and with full
# credit for them it would have the larger volume: what this pair tells us rests on the
# convention that a tie between two is half a success. The remedy for ties is cheap. With more
# neighbours strict and weak credit come together:

credit_names = {"strict": "strict credit", "share": "shared", "weak": "weak"}
print(
    f"{'neighbours':>10}{'error':>8}" + "".join(f"{text:>15}" for text in credit_names.values())
)
neighbours = {}
for k in (3, 9, 27):
    cells = []
    for train, test in splits["banana"]:
        X, y = data["banana"]
        model = scaled(KNeighborsClassifier(k)).fit(X[train], y[train])
        score = model.predict_proba(X[test])
        row = [skvus.simplified_vus_score(y[test], score, ties=ties) for ties in credit_names]
        cells.append([1 - model.score(X[test], y[test]), *row])
    neighbours[k] = np.mean(cells, axis=0)
    print(f"{k:10d}{neighbours[k][0]:8.3f}" + "".join(f"{v:15.3f}" for v in neighbours[k][1:]))

# %%
# What to take home
# -----------------

same = [pair for pair in drawable if pair["same_fresh_error"]]
passed = {
    "same error, different volumes": found,
    "also with corrected p-values": real,
    "and errors that fresh data cannot tell apart": same,
    "and however ties are credited": [pair for pair in same if pair["any_ties"]],
}
for condition, pairs in passed.items():
    print(f"{condition:<46}{len(pairs)}")

# %%
# As in the paper, there are classifiers that tie in error and differ in volume. Few of ours
# survive a second look. Outside the banana, ten overlapping splits promise more than they
# hold, and an error that is nearly twice as large (iris) passes for the same. On the banana
# more data separate most of the errors. The pair that is left owes its difference to ties:
# the volume tells us, rightly, that the scores of three neighbours are coarse, and the error
# does not.
#
# So look at both measures, at the size of the differences rather than at F alone, and at ties.
#
# Tables for the page that sets the results of the paper beside ours:

table_rows = []
for name in data:
    for i, model in enumerate(models[name]):
        cells = [(row.mean(), row.std(ddof=1)) for row in (errors[name][i], volumes[name][i])]
        printed = paper[model].split() if name == "banana" and model in paper else ["", ""]
        table_rows.append(
            [name, model, *(f"{mean:.3f} ({sd:.3f})" for mean, sd in cells)]
            + [cell.replace("(", " (") for cell in printed]
        )
rows_of_clearest = {
    "ten hold-outs": [table["banana"][clearest["pair"]] for table in (errors, volumes)],
    "fresh data": [
        table[[contenders.index(label) for label in clearest["names"]]]
        for table in (fresh_errors, fresh_volumes)
    ],
}
poor = list(models["banana"]).index("sc-pca1 nmc")
rest = [i for i in range(len(models["banana"])) if i != poor]
is_poor = all(
    two_way_anova(table["banana"][[poor, i]])[1] < 1 - LEVEL
    for i in rest
    for table in (errors, volumes)
)
closest = max(
    abs(float(cell.split("(")[0]) - table["banana"][list(models["banana"]).index(model)].mean())
    for model, row in paper.items()
    for cell, table in zip(row.split(), (errors, volumes), strict=True)
)
claims = [
    ("errors and volumes of *Banana* (Table 4)", "four classifiers")
    + (f"made to be like them: within {closest:.2f}", closest < 0.03),
    ("nearest mean: high error, low volume (5)", "significantly")
    + ("`sc-pca1 nmc` differs from all others in both", is_poor),
    ("the volume tends to track the error (5)", "*Banana*, *Digits*")
    + ("rank correlations: see below", max(rank_correlation.values()) < -0.6),
    ("pairs tie in error and differ in volume (5)", "two are named")
    + (" and ".join(clearest["names"]) + " of the banana", len(same) > 0),
    ("so the volume chooses the better model (5, 6)", "yes")
    + ("not if ties in score earn full credit", any(pair["any_ties"] for pair in same)),
]
TABLES = {
    "claims": (
        ["claim (section)", "paper", "here", "verdict"],
        [[*claim[:3], "yes" if claim[3] else "**no**"] for claim in claims],
    ),
    "classifiers": (
        ["data", "classifier", "error", "VUS", "paper: error", "paper: VUS"],
        table_rows,
    ),
    "clearest": (
        ["cases", "classifiers", "errors", "errors differ", "volumes", "volumes differ"],
        [
            [cases, " and ".join(clearest["names"])]
            + [
                cell
                for table in tables
                for cell in (
                    " and ".join(f"{mean:.3f}" for mean in table.mean(axis=1)),
                    "yes" if two_way_anova(table)[1] < 1 - LEVEL else "no",
                )
            ]
            for cases, tables in rows_of_clearest.items()
        ],
    ),
    "agreement": (
        ["data", "rank correlation of error and VUS"],
        [[name, f"{rank_correlation[name]:.1f}"] for name in data],
    ),
}

plt.show()
