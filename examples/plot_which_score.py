"""
Which score should I use?
=========================

The scores of skvus measure how good a classifier of several classes is, and hardly two of them
measure the same. This example does to one classifier what happens to classifiers
in practice, and looks at which scores notice: other class frequencies, other priors,
over-confidence, coarse probabilities, mistakes of one kind. It also measures what a classifier
scores that knows nothing, and how many cases a score needs to tell a better classifier from a
worse one. The tables are those of the page *Which score should I use?* in the documentation.
"""

# %%
# The classifier
# --------------
# Three classes are Gaussians around the corners of a triangle, and the classifier knows their
# posteriors exactly. Its quality is the distance of the corners from the centre.

import warnings
from textwrap import fill
from time import process_time
from typing import NamedTuple

import matplotlib.pyplot as plt
import numpy as np
from scipy.special import softmax

import skvus

COSTS = np.array([[0, 1, 2], [1, 0, 1], [5, 1, 0]])


def draw_cases(n, separation, n_classes=3, seed=0):
    """Cases with n in each class: labels and features, one for each class."""
    y = np.repeat(np.arange(n_classes), n)
    noise = np.random.default_rng(seed).standard_normal((y.size, n_classes))
    return y, separation * np.eye(n_classes)[y] + noise


def posteriors(X, separation):
    """What the best possible classifier says about them, for classes of equal size."""
    return softmax(separation * X, axis=1)


class Score(NamedTuple):
    """A score, and what it is told of a classifier with given posteriors."""

    function: callable
    needs: str = "probabilities"
    name: str | None = None  # among the scorers
    options: dict | None = None

    def input_of(self, p):
        """What it takes of them."""
        if self.needs.startswith("labels"):
            return p.argmax(axis=1)
        if self.needs == "one score":
            return np.round(p @ np.arange(p.shape[1]), 10)  # the expected rank
        return p

    def __call__(self, y, p, **more):
        """Its value."""
        return float(self.function(y, self.input_of(p), **{**(self.options or {}), **more}))


def crisp(variant):
    """A variant of Hand and Till's measure for labels."""
    return Score(
        skvus.hand_till_crisp_score,
        "labels",
        f"hand_till_crisp_{variant}",
        {"variant": variant},
    )


SCORES = {
    "ordered_vus": Score(skvus.ordered_vus_score, name="ordered_vus"),
    'ordered_vus, "sum"': Score(
        skvus.ordered_vus_score, "any scores", "ordered_vus", {"distance": "sum"}
    ),
    'ordered_vus, "product"': Score(
        skvus.ordered_vus_score, "scores ≥ 0", "ordered_vus", {"distance": "product"}
    ),
    "simplified_vus": Score(skvus.simplified_vus_score, "scores ≥ 0", "simplified_vus"),
    "angle_vus": Score(skvus.angle_vus_score, name="angle_vus"),
    "pdi": Score(skvus.pdi_score, "any scores", "pdi"),
    "hand_till": Score(skvus.hand_till_score, "any scores", "hand_till"),
    "one_vs_rest_auc": Score(skvus.one_vs_rest_auc_score, "any scores", "one_vs_rest_auc"),
    "ordinal_vus": Score(skvus.ordinal_vus_score, "one score", "ordinal_vus"),
    "soft_polytope_vus": Score(
        skvus.soft_polytope_vus_score, "scores ≥ 0", "soft_polytope_vus"
    ),
    "polytope_vus": Score(skvus.polytope_vus_score, "labels", "polytope_vus"),
    "macro_average": Score(skvus.macro_average_score, "labels", "macro_average"),
    "modified_macro_average": Score(
        skvus.modified_macro_average_score, "labels", "modified_macro_average"
    ),
    "one_point_auc": Score(skvus.one_point_auc_score, "labels", "one_point_auc"),
    **{f"hand_till_crisp_{variant}": crisp(variant) for variant in ("1a", "1b", "2", "3")},
    "expected_cost": Score(
        skvus.expected_cost, "labels, costs", options={"cost_matrix": COSTS}
    ),
}
SIGN = {name: -1 if name == "expected_cost" else 1 for name in SCORES}

# %%
# What moves a score
# ------------------
# - *Other class sizes*: five times as many cases of class 1, copies of those that are there.
#   The classifier answers as before, case by case.
# - *Other priors*: the classifier is told that class 1 is five times as frequent, and adapts
#   its probabilities.
# - *Over-confident*: probabilities are raised to the third power, and normalised again.
# - *Coarse*: probabilities in tenths that sum to one, so that there are ties.
# - *One kind of mistake*: each class is only taken for the next one, 0 for 1, 1 for 2 and 2 for
#   0. Where the other wrong class is the more probable one, the two are exchanged.


def in_tenths(p):
    """Round so that rows still sum to one: to the largest remainders."""
    down = np.floor(10 * p)
    rank = np.argsort(np.argsort(-(10 * p - down), axis=1, kind="stable"), axis=1)
    return (down + (rank < 10 - down.sum(axis=1, keepdims=True))) / 10


def normalised(p):
    """Rows that sum to one."""
    return p / p.sum(axis=1, keepdims=True)


def of_one_kind(y, p):
    """The next class comes before the one after it."""
    changed, rows = p.copy(), np.arange(y.size)
    pair = p[rows[:, np.newaxis], np.column_stack([y + 1, y + 2]) % 3]
    changed[rows, (y + 1) % 3], changed[rows, (y + 2) % 3] = pair.max(axis=1), pair.min(axis=1)
    return changed


N, SEPARATION = 100, 1.5
y, X = draw_cases(N, SEPARATION)
p = posteriors(X, SEPARATION)
copies = np.where(y == 1, 5, 1)
CHANGES = {
    "other class sizes": (np.repeat(y, copies), np.repeat(p, copies, axis=0)),
    "other priors": (y, normalised(p * [1, 5, 1])),
    "over-confident": (y, normalised(p**3)),
    "coarse": (y, in_tenths(p)),
    "one kind of mistake": (y, of_one_kind(y, p)),
}
base = {name: score(y, p) for name, score in SCORES.items()}
changed = {
    name: np.array([score(*case) - base[name] for case in CHANGES.values()])
    for name, score in SCORES.items()
}


def shown(number):
    """Three digits after the point; a nought without any is exact."""
    if abs(number) < 1e-12:
        return "0"
    return "≈ 0" if abs(number) < 5e-4 else f"{number:+.3f}"


# %%
# The values of the expected cost are not between 0 and 1, and a fall is good news. For the
# picture all scores are on one scale, on which 0 is a classifier that knows nothing and 1 is
# a perfect one.

guesses = np.full((3, 3), 1 / 3)
even = {}  # what is known of a classifier that knows nothing
for name, score in SCORES.items():
    if score.needs.startswith("labels"):  # all classes called equally often
        truth, called = np.indices((3, 3)).reshape(2, -1)
        even[name] = score(truth, np.eye(3)[called])
    else:
        even[name] = score(np.arange(3), guesses)
perfect = {name: score(y, np.eye(3)[y]) for name, score in SCORES.items()}
# the angle heuristic likes a constant classifier best, so this is what guessing scores
rng = np.random.default_rng(0)
floor = {**even, "angle_vus": skvus.angle_vus_score(y, rng.dirichlet(np.ones(3), y.size))}
relative = np.array([changed[name] / (perfect[name] - floor[name]) for name in SCORES])

figure, ax = plt.subplots(figsize=(8.6, 7.6), layout="constrained")
image = ax.imshow(relative, cmap="PuOr", vmin=-0.3, vmax=0.3, aspect="auto")
for i, name in enumerate(SCORES):
    for j, change in enumerate(changed[name]):
        colour = "white" if abs(relative[i, j]) > 0.21 else "black"
        ax.text(j, i, shown(change), ha="center", va="center", color=colour, fontsize=9)
ax.set_xticks(range(len(CHANGES)), [fill(name, 12) for name in CHANGES])
ax.set_yticks(range(len(SCORES)), [f"{name}  {base[name]:.3f}" for name in SCORES])
ax.xaxis.tick_top()
ax.tick_params(length=0)
figure.colorbar(image, ax=ax, label="share of the way from chance to perfect", shrink=0.7)
print(f"{'':<24}{'value':>8}" + "".join(f"{name:>21}" for name in CHANGES))
for name in SCORES:
    print(f"{name:<24}{base[name]:8.3f}" + "".join(f"{shown(x):>21}" for x in changed[name]))

# %%
# Only ``one_vs_rest_auc`` and ``expected_cost`` care for the sizes of the classes. Only
# ``simplified_vus``, which is the rule "product", and ``soft_polytope_vus`` stand all of the
# first three changes: factors for classes and cases and a power for all leave each comparison
# of products as it is, and the set of all weightings, too. Scores of labels do not see
# over-confidence, which changes no decision, but they do see other priors. Most scores of
# labels are made of the true rates alone and do not care which mistake is made.
#
# Ties
# ----
# A coarse classifier should score what it does if ties are broken by lot, in the mean: no
# more, or ties would be rewarded, and no less. Ties are broken here by a change of the ninth
# digit.

N_LOTS = 8


def gift(score):
    """How much more coarse probabilities score than with ties broken by lot."""
    coarse, rng = in_tenths(p), np.random.default_rng(0)
    lots = [score(y, normalised(coarse + 1e-9 * rng.random(p.shape))) for _ in range(N_LOTS)]
    return float(score(y, coarse) - np.mean(lots)), np.std(lots, ddof=1) / N_LOTS**0.5


gifts = {name: gift(score) for name, score in SCORES.items()}
one_answer = {name: score(y, np.full(p.shape, 1 / 3)) for name, score in SCORES.items()}
for name, (more, error) in gifts.items():
    print(f"{name:<24}{more:+8.4f} ± {error:.4f}; a constant scores {one_answer[name]:.4f}")

# %%
# Nothing known, everything wrong
# -------------------------------
# What does a classifier score that knows nothing, in the long run and with thirty cases of
# each class? And one that knows everything, but has the names of the classes in rotation?

N_SMALL, N_NOISE = 30, 50
small = np.repeat(np.arange(3), N_SMALL)
noise = {
    name: [
        score(small, np.random.default_rng(seed).dirichlet(np.ones(3), small.size))
        for seed in range(N_NOISE)
    ]
    for name, score in SCORES.items()
}
rotated = {name: score(y, np.eye(3)[(y + 1) % 3]) for name, score in SCORES.items()}
for name, values in noise.items():
    print(
        f"{name:<24} known {even[name]:6.4f}, noise {np.mean(values):.3f} ± "
        f"{np.std(values):.3f}, rotated {rotated[name]:.3f}, perfect {perfect[name]:.3f}"
    )

# %%
# Better or worse?
# ----------------
# A classifier sees the features, a worse one sees them with noise. How many cases of each class
# does a score need to tell them apart by a paired test at 5%, four times in five? Mean and
# standard deviation of the difference over many small data sets tell, since their ratio grows
# with the root of the number of cases.

N_PAIRED, N_SETS = 20, 150


def difference(score, seed):
    """By how much the better one scores more."""
    y, X = draw_cases(N_PAIRED, SEPARATION, seed=seed)
    blurred = X + np.random.default_rng([seed, 1]).standard_normal(X.shape)
    # twice the variance: half the weight of the features
    return score(y, posteriors(X, SEPARATION)) - score(y, posteriors(blurred, SEPARATION / 2))


needed = {}
for name, score in SCORES.items():
    differences = SIGN[name] * np.array([difference(score, seed) for seed in range(N_SETS)])
    ratio = differences.mean() / differences.std(ddof=1)
    needed[name] = N_PAIRED * ((1.96 + 0.84) / ratio) ** 2
    print(f"{name:<24}{needed[name]:6.0f} cases of each class")

# %%
# The labels alone say less than the probabilities do, so scores of labels need more cases. The
# numbers themselves are rough: their standard error is about a tenth.
#
# One classifier, many numbers
# ----------------------------
# Is 0.6 good? That depends on the score. From left to right the classes move apart.

MAIN = {
    "hand_till": ("#0072B2", "-"),
    "hand_till_crisp_1b": ("#56B4E9", "--"),
    "pdi": ("#009E73", "-"),
    "macro_average": ("#000000", ":"),
    "simplified_vus": ("#D55E00", "-"),
    "ordered_vus": ("#E69F00", "--"),
    "soft_polytope_vus": ("#CC79A7", "-"),
    "polytope_vus": ("#999999", "-."),
}
separations = np.linspace(0, 4, 9)
curves = {name: [] for name in MAIN}
for separation in separations:
    cases, features = draw_cases(N, separation, seed=1)
    for name in MAIN:
        curves[name].append(SCORES[name](cases, posteriors(features, separation)))
levels, ax = plt.subplots(figsize=(7.6, 4.6), layout="constrained")
for name, (colour, style) in MAIN.items():
    ax.plot(separations, curves[name], style, color=colour, linewidth=1.8, label=name)
ax.set_xlabel("distance of the class means from the centre, in standard deviations")
ax.set_ylabel("score")
ax.set_ylim(0, 1.02)
ax.grid(alpha=0.25)
ax.legend(fontsize=9, loc="lower right")

# %%
# How the effort grows
# --------------------
# CPU time of three classes, fitted by a power of the number of cases between two sizes at which
# the work outweighs the overhead.

SIZES = {
    "ordered_vus": (500, 2000),
    'ordered_vus, "sum"': (500, 2000),
    'ordered_vus, "product"': (500, 2000),
    "simplified_vus": (500, 2000),
    "angle_vus": (40, 120),
    "soft_polytope_vus": (30, 120),
}


def effort(score, n):
    """Least CPU time of some calls."""
    y, X = draw_cases(n, SEPARATION)
    p = posteriors(X, SEPARATION)
    times = []
    for _ in range(3):
        start = process_time()
        score(y, p)
        times.append(process_time() - start)
    return min(times)


exponents = {}
for name, score in SCORES.items():
    few, many = SIZES.get(name, (5_000, 50_000))
    exponents[name] = np.log(effort(score, many) / effort(score, few)) / np.log(many / few)
    print(f"{name:<24} time grows like n^{exponents[name]:.1f}")

# %%
# What each takes
# ---------------
# Does a weight of three count like three cases? What finds the standard error? How many classes
# may there be?


def takes_weights(score):
    """Whether a weight of three counts like three cases."""
    weights = 1 + 2 * (np.arange(y.size) % 2)
    repeated = score(np.repeat(y, weights), np.repeat(p, weights, axis=0))
    return abs(score(y, p, sample_weight=weights) - repeated) < 1e-9


def error_method(score):
    """What finds its standard error."""
    few = slice(None, None, 10)
    found = skvus.score_inference(
        y[few],
        score.input_of(p[few]),
        score=score.name or score.function,
        score_params=None if "variant" in (score.options or {}) else score.options,
        n_resamples=20,
        random_state=0,
    )
    return {"delong": "formula"}.get(found.method, found.method)


def is_defined(score, n_classes):
    """Whether it takes so many classes."""
    cases, features = draw_cases(2, SEPARATION, n_classes)
    options = {"cost_matrix": 1 - np.eye(n_classes)} if score.needs == "labels, costs" else {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that a volume is lost in its error
        try:
            score(cases, posteriors(features, SEPARATION), **options)
        except ValueError:
            return False
    return True


def tie_rule(name, score):
    """What becomes of ties, by what they were worth."""
    more, error = gifts[name]
    if one_answer[name] == perfect[name]:
        return "for it"
    if abs(more) < 4 * error and abs(one_answer[name] - even[name]) < 1e-12:
        return "shared"
    return "to the first class" if score.needs.startswith("labels") else "not split"


weighted = {name: takes_weights(score) for name, score in SCORES.items()}
methods = {name: error_method(score) for name, score in SCORES.items()}
classes = {
    name: "2 and more" if is_defined(score, 17) else "2 to 16"
    for name, score in SCORES.items()
    if is_defined(score, 2)
}
ties = {name: tie_rule(name, score) for name, score in SCORES.items()}

# %%
# The tables of the page
# ----------------------

MEANING = {
    "ordered_vus": "share of tuples whose own corners are nearest, in sum",
    'ordered_vus, "sum"': "share of tuples whose own scores have the largest sum",
    'ordered_vus, "product"': "share of tuples whose own scores have the largest product",
    "simplified_vus": "volume under the true rates over all class weightings",
    "angle_vus": "share of tuples that lie towards their corners, seen from their mean",
    "pdi": "share of tuples where the case of a class has the largest score for it",
    "hand_till": "share of pairs of two classes in the right order",
    "one_vs_rest_auc": "share of pairs of one class and the rest in the right order",
    "ordinal_vus": "share of tuples that one score puts in the order of the classes",
    "soft_polytope_vus": "share of error profiles made obsolete by all weightings together",
    "polytope_vus": "share of error profiles made obsolete by these decisions",
    "macro_average": "mean share of a class that is recognised",
    "modified_macro_average": "the same with a power of 0.76",
    "one_point_auc": "the same, at least 1/Q",
    "hand_till_crisp_1a": "pairs of classes: mean true rate, at least 1/2",
    "hand_till_crisp_1b": "pairs of classes: mistakes between the two only",
    "hand_till_crisp_2": "the same, cases that are called neither left out",
    "hand_till_crisp_3": "one class and the rest: area of one point",
    "expected_cost": "mean cost of a case",
}
EFFORT = {
    **dict.fromkeys(SCORES, "n"),
    **dict.fromkeys(("pdi", "hand_till", "one_vs_rest_auc", "ordinal_vus"), "n log n"),
    **dict.fromkeys([name for name in SIZES if "vus" in name], "n², then drawn"),
    "angle_vus": "n³, then drawn",
    "soft_polytope_vus": "n², then a bound",
}


def level(number):
    """At most three digits after the point."""
    return f"{round(number, 3):g}"


def scorer_name(name):
    """The name, and what is added to it."""
    first, comma, more = name.partition(",")
    return f"`{first}`{comma}{more}"


TABLES = {
    "decide": (
        ["score", "meaning", "takes", "chance", "other class sizes", "other priors", "ties go"]
        + ["effort for Q = 3"],
        [
            [
                scorer_name(name),
                MEANING[name],
                score.needs,
                level(floor[name]),
                shown(changed[name][0]),
                shown(changed[name][1]),
                ties[name],
                EFFORT[name],
            ]
            for name, score in SCORES.items()
        ],
    ),
    "handling": (
        ["score", "classes", "perfect", "weights", "standard error"],
        [
            [
                scorer_name(name),
                classes[name],
                level(perfect[name]),
                "yes" if weighted[name] else "no",
                methods[name],
            ]
            for name in SCORES
        ],
    ),
    "changes": (
        ["score", "value", *CHANGES],
        [[name, f"{base[name]:.3f}", *map(shown, changed[name])] for name in SCORES],
    ),
    "levels": (
        [
            *("score", "known", f"noise, {N_SMALL} cases a class", "always the same answer"),
            *("rotated", "perfect", "cases a class needed"),
        ],
        [
            [
                name,
                level(even[name]),
                f"{np.mean(noise[name]):.2f} ± {np.std(noise[name]):.2f}",
                level(one_answer[name]),
                level(rotated[name]),
                level(perfect[name]),
                f"{needed[name]:.0f}",
            ]
            for name in SCORES
        ],
    ),
}

# sphinx_gallery_thumbnail_number = 2
plt.show()
