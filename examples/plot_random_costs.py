"""
Which costs does a search try, and what do they find?
=====================================================

Nobody knows what mistakes will cost, so Everson and Fieldsend [1]_ draw costs at random, from
a Dirichlet distribution, and keep what is not dominated. We look at such draws, at what is
saved if the costs are known roughly, and at what costs do at the edges of the trade-off
surface.

.. [1] R. M. Everson, J. E. Fieldsend, "Multi-class ROC analysis from a multi-objective
   optimisation perspective", Pattern Recognition Letters 27, 2006, sections 2, 3, 4.3, 6 and
   Figure 1.
"""

# %%
# Draws
# -----
# Costs may as well sum to one, since their unit does not matter: three of them are a point in a
# triangle. With all parameters equal to one, Dir(1, 1, 1), the points are spread evenly, as in
# the paper's Figure 1. Smaller parameters push them to the edges, where one mistake costs
# nothing. Parameters in the ratio of the costs that one expects pull them there (crosses), the
# more the larger they are.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.linear_model import LogisticRegression

import skvus
from skvus.datasets import make_ordered_gaussians, make_ripley_mixture

BLUE, ORANGE, GREEN, VERMILION = "#0072B2", "#E69F00", "#009E73", "#D55E00"
PURPLE, GREY = "#CC79A7", "#666666"

rng = np.random.default_rng(0)
CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, np.sqrt(0.75)]])
PARAMETERS = ((1, 1, 1), (0.3, 0.3, 0.3), (3, 2, 1), (30, 20, 10))
N_POINTS = 1_000

draws = {alpha: rng.dirichlet(alpha, size=20 * N_POINTS) for alpha in PARAMETERS}
figure_1, axes = plt.subplots(1, 4, figsize=(12, 3.1), layout="constrained")
for ax, (alpha, points) in zip(axes, draws.items(), strict=True):
    ax.fill(*CORNERS.T, facecolor="none", edgecolor=GREY, linewidth=1)
    middles = (CORNERS + np.roll(CORNERS, -1, axis=0)) / 2
    ax.fill(*middles.T, facecolor="none", edgecolor=GREY, linewidth=0.7, linestyle=":")
    ax.scatter(*(points[:N_POINTS] @ CORNERS).T, s=4, color=BLUE, alpha=0.6, linewidth=0)
    ax.scatter(*(np.array(alpha) / sum(alpha) @ CORNERS), marker="+", s=120, color=VERMILION)
    for k, corner in enumerate(CORNERS):
        align = {"ha": "center", "va": "bottom" if k == 2 else "top"}
        ax.text(*(corner + [0, 0.03 if k == 2 else -0.03]), rf"$\lambda_{k + 1}$", **align)
    ax.set_title(f"Dir({', '.join(f'{a:g}' for a in alpha)})", fontsize=11, pad=14)
    ax.set_aspect("equal")
    ax.set_axis_off()

# %%
# Dotted lines cut the triangle into four equal parts: one cost is more than all others
# together, or none is. An even spread has a quarter of the draws in each of them.

shares = {}
print(f"{'':<18}{'λ1 > 1/2':>10}{'λ2 > 1/2':>10}{'λ3 > 1/2':>10}{'none':>8}")
for alpha, points in draws.items():
    corner = (points > 0.5).mean(axis=0)
    shares[alpha] = [*corner, 1 - corner.sum()]
    name = f"Dir({', '.join(f'{a:g}' for a in alpha)})"
    print(f"{name:<18}" + "".join(f"{s:10.3f}" for s in corner) + f"{1 - corner.sum():8.3f}")

# %%
# One cost for each mistake
# -------------------------
# Two classes have two mistakes. With λ12 for missing the first class and λ21 for missing the
# second one, a case is called the first class if its probability of being of that class exceeds
# t = λ21/(λ12 + λ21). The paper has t = λ12/(λ12 + λ22), where λ22 is zero, and the costs
# change places even if that is read as λ21. A classifier shows which is right:

X_line, y_line = make_ordered_gaussians(2_000, means=(0, 1.5), random_state=0)
model = LogisticRegression().fit(X_line, y_line)
places = np.linspace(-6, 8, 20_001)[:, np.newaxis]
first = model.predict_proba(places)[:, 0]
thresholds = {}
for cost_12, cost_21 in ((1, 1), (1, 3), (4, 1)):
    chooser = skvus.CostMatrixClassifier(model, [[0, cost_12], [cost_21, 0]])
    called = chooser.fit(X_line, y_line).predict(places)
    thresholds[cost_12, cost_21] = first[called == 0].min()
    print(f"λ12 = {cost_12}, λ21 = {cost_21}: called the first class from ", end="")
    print(f"{thresholds[cost_12, cost_21]:.3f}")

# %%
# Three classes
# -------------
# Three classes have six mistakes, so costs are points in five dimensions. We take the data of
# the paper, nearest neighbours whose k and β fit them well, and the probabilities of each case
# that the other cases give. For any costs that is a set of decisions, hence six rates.

OFF = ~np.eye(3, dtype=bool)
MISTAKES = ["C12", "C13", "C21", "C23", "C31", "C32"]
X, y = make_ripley_mixture(random_state=0)
neighbours = skvus.ProbabilisticKNeighborsClassifier(n_neighbors=20, beta=0.5).fit(X, y)
posteriors = neighbours.predict_proba(None)  # leave-one-out


def draw_costs(alpha, n):
    """Cost matrices from a Dirichlet distribution."""
    costs = np.zeros((n, 3, 3))
    costs[:, OFF] = rng.dirichlet(alpha, size=n)
    return costs


def rates_of(costs):
    """Rates of the decisions of least expected cost, for each cost matrix."""
    called = np.einsum("nk,mkj->mnj", posteriors, costs).argmin(axis=2)
    of_class = [[(called[:, y == k] == j).mean(axis=1) for j in range(3)] for k in range(3)]
    return np.moveaxis(np.array(of_class), 2, 0)


# %%
# Costs that are roughly known
# ----------------------------
# "In this case the evolutionary algorithm is easily focused", says the paper's conclusion: the
# parameters shall be in the ratio of the expected costs. Suppose that to miss class 2 costs
# three times as much as to call something class 2 by mistake, that a mistake between the others
# costs half as much as that, and that the costs that turn up in the end scatter around these.
# What do they cost if we may choose among the members that n draws have found?

EXPECTED = np.array([[0, 2, 1], [6, 0, 6], [1, 2, 0]])[OFF] / 18
in_the_end = draw_costs(60 * EXPECTED, 500)
WAYS = {"flat": np.ones(6), "focused, sum 6": 6 * EXPECTED, "focused, sum 30": 30 * EXPECTED}
SIZES = (10, 30, 100, 300, 1_000, 3_000)
N_RUNS = 12


def least_costs(rates):
    """Least cost that some of the members have, for each of the costs in the end."""
    return np.einsum("mkj,ckj->mc", rates, in_the_end).min(axis=0)


best = least_costs(rates_of(draw_costs(30 * EXPECTED, 20_000))).mean()
excess = {name: np.zeros((N_RUNS, len(SIZES))) for name in WAYS}
for name, alpha in WAYS.items():
    for run in range(N_RUNS):
        rates = rates_of(draw_costs(alpha, SIZES[-1]))
        for i, n in enumerate(SIZES):
            excess[name][run, i] = least_costs(rates[:n]).mean() / best - 1

focus_figure, ax = plt.subplots(figsize=(6.4, 4.2), layout="constrained")
for (name, values), colour, marker in zip(
    excess.items(), (GREY, BLUE, VERMILION), "o^s", strict=True
):
    error = values.std(axis=0, ddof=1) / np.sqrt(N_RUNS)
    ax.errorbar(
        *(SIZES, 100 * values.mean(axis=0), 100 * error),
        color=colour,
        marker=marker,
        capsize=3,
        label=name,
    )
ax.set_xscale("log")
ax.axhline(0, color="black", linewidth=0.8)
ax.set_xticks(SIZES, [f"{n:,}" for n in SIZES])
ax.minorticks_off()
ax.set(xlabel="costs drawn", ylabel="more than at best, in percent")
ax.grid(alpha=0.25)
ax.legend()
print(f"{'costs drawn':<18}" + "".join(f"{n:>8,}" for n in SIZES))
for name, values in excess.items():
    print(f"{name:<18}" + "".join(f"{mean:8.1%}" for mean in values.mean(axis=0)))

# %%
# ("At best" is what 20,000 focused draws find; bars are standard errors.) Focus helps: ten
# focused draws are as good as about a hundred flat ones. The advantage melts as more are drawn,
# and where draws cost next to nothing, as with one fitted classifier, it is not much. Flat
# costs get there, too, and do not miss anything if the expectation was wrong.
#
# At the edges
# ------------
# The middle panel of the paper's Figure 3 has no case of class 2 missed, the right one none
# falsely called class 2. The paper likens them to the ends of a ROC curve, and says that there
# large changes of costs change all rates but little, except those that were driven to
# zero. We look up such members, and others that miss at most a quarter of each class, multiply
# each of their six costs by a random factor (log-normal, typically 2 or 1/2), and see how the
# rates change.

flat_costs = draw_costs(np.ones(6), 20_000)
front = skvus.ROCFront.from_rates(
    rates_of(flat_costs), costs=flat_costs, class_sizes=np.bincount(y)
)
off_rates = front.rates[:, OFF]
GROUPS = {
    "no class 2 missed": off_rates[:, [2, 3]].max(axis=1) == 0,
    "no false class 2": off_rates[:, [0, 5]].max(axis=1) == 0,
    "balanced": front.miss_rates().max(axis=1) <= 0.25,
}
N_SHOWN, N_FACTORS = 60, 100
changes = {}
for name, is_member in GROUPS.items():
    members = rng.permutation(np.flatnonzero(is_member))[:N_SHOWN]
    factors = np.exp(rng.normal(0, np.log(2), size=(len(members), N_FACTORS, 3, 3)))
    moved = np.array(
        [
            rates_of(front.costs[member] * factor)
            for member, factor in zip(members, factors, strict=True)
        ]
    )
    shift = np.abs(moved - front.rates[members, np.newaxis])[..., OFF]
    changes[name] = shift.mean(axis=(0, 1))

print(f"{'mean change of':<20}{'members':>8}" + "".join(f"{name:>7}" for name in MISTAKES))
for name, change in changes.items():
    cells = "".join(f"{value:7.3f}" for value in change)
    print(f"{name:<20}{GROUPS[name].sum():8,}{cells}")

# %%
# It is rather the other way round. What was driven to zero stays near zero (C21 and C23 in the
# first line, which is about a single member; C12 and C32 in the second): there is slack. Those
# rates that pay for it change by more than they do in the middle of the surface.
#
# Tables for the page that sets the results of the paper beside ours:

TABLES = {
    "triangles": (
        ["parameters", "λ1 > 1/2", "λ2 > 1/2", "λ3 > 1/2", "none"],
        [
            [", ".join(f"{a:g}" for a in alpha), *(f"{share:.2f}" for share in row)]
            for alpha, row in shares.items()
        ],
    ),
    "threshold": (
        ["λ12", "λ21", "λ12/(λ12 + λ22), as printed", "λ21/(λ12 + λ21)", "a classifier"],
        [
            [a, b, f"{a / a:.2f}", f"{b / (a + b):.2f}", f"{threshold:.2f}"]
            for (a, b), threshold in thresholds.items()
        ],
    ),
    "focus": (
        ["more than at best, costs drawn:", *(f"{n:,}" for n in SIZES)],
        [
            [name, *(f"{max(mean, 0):.1%}" for mean in values.mean(axis=0))]
            for name, values in excess.items()
        ],
    ),
    "edges": (
        ["mean change of the rates, costs doubled or halved", *MISTAKES],
        [[name, *(f"{value:.2f}" for value in change)] for name, change in changes.items()],
    ),
}

plt.show()
