"""Everson and Fieldsend's experiment, with as many generations as they had.

``python -m benchmarks.reproduction`` fills the tables of docs/reproducing_everson_fieldsend.md
that are not from an example, in about ten minutes on one core; with names of tables
(``fronts panels``) it fills those alone.
"""

import runpy
import sys
import warnings
from functools import cache
from pathlib import Path

import numpy as np
from scipy import stats
from sklearn.exceptions import ConvergenceWarning
from sklearn.neural_network import MLPClassifier

from skvus import Lexicographic, ParetoROCSearch, ProbabilisticKNeighborsClassifier
from skvus.datasets import make_ripley_mixture

PAGE = Path(__file__).parents[1] / "docs" / "reproducing_everson_fieldsend.md"
SEEDS = (0, 1, 2)
SHORT, LONG = 2_000, 10_000
FRESH = 3_000  # fresh cases
# names, and steps of the weights with their unit
STEPS = {
    "MLP, steps of 1": (1.0, "absolute"),
    "MLP, steps of 0.1": (0.1, "absolute"),
    "MLP, steps of 0.003": (0.003, "absolute"),
    "MLP, relative steps of 0.1": (0.1, "relative"),
}
NAMES = ("k-nn", *STEPS)
MAIN = ("k-nn", "MLP, steps of 0.1")
PANELS = {
    "no class 2 missed": Lexicographic([[(1, 0), (1, 2)], [(2, 0), (0, 2)]]),
    "no false class 2": Lexicographic([[(0, 1), (2, 1)]]),
}
SAMPLING = {"method": "monte_carlo", "n_samples": 100_000, "random_state": 0}


class Run:
    """A search that was run, and its front."""

    def __init__(self, search, X, y):
        self.search = search.fit(X, y)
        self.front = search.front_
        self.errors = errors_of(self.front)


def errors_of(front):
    """Number of misclassified cases of each member."""
    return front.counts.sum(axis=(1, 2)) - np.einsum("mkk->m", front.counts)


def network(seed, activation="tanh"):
    return MLPClassifier(
        (5,),
        activation=activation,
        solver="lbfgs",
        alpha=0.0,
        max_iter=2000,
        random_state=seed,
    )


def ranges(most=50, least=0.1):
    """Where k and beta start from, and are mirrored."""
    return {"n_neighbors": stats.randint(1, most + 1), "beta": stats.uniform(least, 10 - least)}


def run_one(
    name, seed, n_generations, *, search_seed=None, model=None, distributions=None, **options
):
    """Algorithm 1 on one data set; data, fit and search have the same seed unless told."""
    X, y = make_ripley_mixture(random_state=seed)
    options = {
        "n_generations": n_generations,
        "cost_proposal": "dirichlet",
        "step_scale": "absolute",
        "cv": "resubstitution",
        "refit": False,  # there is one fit, of all cases
        "random_state": seed if search_seed is None else search_seed,
        **options,
    }
    if name == "k-nn":
        model = ProbabilisticKNeighborsClassifier() if model is None else model
        search = ParetoROCSearch(model, distributions or ranges(), step=1.0, **options)
        return Run(search, X, y)
    options["step"], options["step_scale"] = STEPS[name]
    model = network(seed) if model is None else model
    return Run(ParetoROCSearch(model, evolve="weights", **options), X, y)


@cache
def found(name, n_generations, seed):
    """The run of a classifier on a data set, which several tables look at."""
    return run_one(name, seed, n_generations)


def joined(values, form="{}"):
    """The values of the three data sets in one cell."""
    return ", ".join(form.format(value) for value in values)


def fronts():
    """All that the paper reports of the two fronts, for all scales of the steps."""
    rows = [
        ["k-nn, paper", "10,000", "≈ 7,500", "32", "4", "0"] + [""] * 3,
        ["MLP, paper", "10,000", "≈ 4,800", "", "", "4", "above k-nn", "", "almost 0"],
    ]
    stds = []
    for name in NAMES:
        for n_generations in (SHORT, LONG):
            runs = [found(name, n_generations, seed) for seed in SEEDS]
            least = [run.errors.min() for run in runs]
            pairs = zip(runs, least, strict=True)
            stds += [run.search.gini_std_ for run in runs]
            alone, knn_alone = "", ""
            if name != "k-nn":
                rivals = [found("k-nn", n_generations, seed).front for seed in SEEDS]
                results = [
                    run.front.compare(rival, **SAMPLING)
                    for run, rival in zip(runs, rivals, strict=True)
                ]
                alone = joined((result.delta for result in results), "{:.4f}")
                knn_alone = joined((result.other_delta for result in results), "{:.4f}")
            rows.append(
                [name, f"{n_generations:,}", joined((len(run.front) for run in runs), "{:,}")]
                + [joined(map(int, least)), joined((run.errors == n).sum() for run, n in pairs)]
                + [joined((~run.front.inside_random_simplex()).sum() for run in runs)]
                + [joined((run.search.gini_ for run in runs), "{:.3f}"), alone, knn_alone]
            )
    head = ["classifier", "T", "members", "least errors", "members with it", "outside P", "G"]
    if max(stds) > 0.001:
        raise ValueError("the page says that standard errors of G are less than 0.001")
    return [*head, "δ(MLP, k-nn)", "δ(k-nn, MLP)"], rows


def convergence():
    rows = []
    for name in NAMES:
        short, long = ([found(name, n, seed).front for seed in SEEDS] for n in (SHORT, LONG))
        other = [run_one(name, seed, SHORT, search_seed=seed + 100).front for seed in SEEDS]
        pairs = [(long, short), (long, other), (other, long), (short, other), (other, short)]
        row = [name]
        for ones, rivals in pairs:
            both = zip(ones, rivals, strict=True)
            row.append(joined((one.delta(rival, **SAMPLING) for one, rival in both), "{:.4f}"))
        rows.append(row)
    head = ["classifier", "δ(10,000, 2,000)", "δ(10,000, other)", "δ(other, 10,000)"]
    head += ["δ(2,000, other)", "δ(other, 2,000)"]
    return head, rows


def starts():
    """What the one fit of the network does to all that follows."""
    rows = []
    for activation in ("tanh", "logistic", "relu"):
        for seed in SEEDS:
            X, y = make_ripley_mixture(random_state=seed)
            for fit_seed in (seed, seed + 10):
                model = network(fit_seed, activation)
                run = run_one("MLP, steps of 0.1", seed, SHORT, model=model)
                fitted = model.fit(X, y)
                weights = [*fitted.coefs_, *fitted.intercepts_]
                knn = found("k-nn", SHORT, seed).front
                result = run.front.compare(knn, **SAMPLING)
                rows.append(
                    [activation, seed, fit_seed, (fitted.predict(X) != y).sum()]
                    + [f"{fitted.loss_:.3f}", f"{max(np.abs(w).max() for w in weights):,.0f}"]
                    + [f"{len(run.front):,}", f"{run.errors.min():.0f}", f"{result.gini:.3f}"]
                    + [f"{result.delta:.4f} / {result.other_delta:.4f}"]
                )
    head = ["units", "data", "fit", "errors of the fit", "loss", "largest weight", "members"]
    return [*head, "least errors", "G", "δ(MLP, k-nn) / δ(k-nn, MLP)"], rows


def neighbours():
    """What is not printed about k-nn: ranges and weights."""
    uniform = ProbabilisticKNeighborsClassifier(kernel="uniform")
    variants = {
        "tricube, k to 100, β from 0.01": {"distributions": ranges(100, 0.01)},
        "1/k, k to 50, β from 0.1": {"model": uniform},
    }
    rows = []
    for label, options in variants.items():
        for seed in SEEDS:
            run = run_one("k-nn", seed, SHORT, **options)
            result = run.front.compare(found("k-nn", SHORT, seed).front, **SAMPLING)
            rows.append(
                [label, seed, f"{len(run.front):,}", f"{run.errors.min():.0f}"]
                + [(~run.front.inside_random_simplex()).sum(), f"{result.gini:.3f}"]
                + [f"{result.delta:.4f} / {result.other_delta:.4f}"]
            )
    head = ["weights and ranges", "data", "members", "least errors", "outside P", "G"]
    return [*head, "δ(this, k-nn) / δ(k-nn, this)"], rows


def cases_of(name, seed, panel):
    """Cases in C12, C13, C21, C23, C31, C32 of the member that a panel shows."""
    front = found(name, LONG, seed).front
    return front.counts[front.select(PANELS[panel])][~np.eye(3, dtype=bool)].astype(int)


def panels():
    """Middle and right panels of Figures 3 and 4."""
    rows = [
        [name, seed, *(joined(cases_of(name, seed, panel)) for panel in PANELS)]
        for name in MAIN
        for seed in SEEDS
    ]
    return ["classifier", "data", *PANELS], rows


def weakly_dominated(points, by):
    """Whether each point has one of `by` that is nowhere larger."""
    return np.array([(by <= point + 1e-9).all(axis=1).any() for point in points])


def undominated(front, by):
    """Share of members that no member of another front dominates in all six rates."""
    off = ~np.eye(3, dtype=bool)
    others = by.rates[:, off]
    is_worse = []
    for point in front.rates[:, off]:
        below = others[(others <= point + 1e-9).all(axis=1)]
        is_worse.append((below < point - 1e-9).any())
    return 1.0 - np.mean(is_worse)


def gains(points, front):
    """By how much all miss rates of each point could be lowered at once."""
    return np.array([max(0.0, (point - front).min(axis=1).max()) for point in points])


def miss_rates():
    rows = []
    for n_generations in (SHORT, LONG):
        columns = []
        for seed in SEEDS:
            full = found("k-nn", n_generations, seed).front
            direct = run_one("k-nn", seed, n_generations, objectives="miss_rates").front
            projected = np.unique(full.miss_rate_front().miss_rates().round(9), axis=0)
            aimed = np.unique(direct.miss_rates().round(9), axis=0)
            is_shared = [(projected == point).all(axis=1).any() for point in aimed]
            lost = gains(full.miss_rates(), aimed)
            columns.append(
                [f"{len(aimed):,}", f"{len(projected):,}"]
                + [f"{weakly_dominated(projected, aimed).mean():.0%}"]
                + [f"{weakly_dominated(aimed, projected).mean():.0%}"]
                + [f"{np.mean(is_shared):.0%}", f"{undominated(direct, full):.0%}"]
                + [f"{np.median(lost):.3f}", f"{np.quantile(lost, 0.9):.3f}"]
            )
        rows.append([f"{n_generations:,}", *map(joined, zip(*columns, strict=True))])
    head = ["T", "aimed at", "projected", "projected, covered", "aimed at, covered", "in both"]
    return [*head, "not dominated by the full front", "median gap", "gap of 9 in 10"], rows


def fresh_gini(run, seed):
    """G of the members on fresh cases."""
    rng = np.random.default_rng(seed + 1000)
    X, y = make_ripley_mixture(FRESH, random_state=rng)
    search, front = run.search, run.front
    rates = np.empty_like(front.rates)
    candidates = {}
    for i, params in enumerate(front.params):
        candidates.setdefault(id(params), []).append(i)
    for members in candidates.values():
        search.set_operating_point(members[0])
        proba = search.estimator_.predict_proba(X)
        part = front[members].evaluate(y, proba, method="monte_carlo", n_samples=1)
        rates[members] = part.rates
    moved = type(front).from_rates(rates)
    return moved.gini(**SAMPLING), rates


def optimism():
    rows = []
    for name in MAIN:
        for n_generations in (SHORT, LONG):
            columns = []
            for seed in SEEDS:
                run = found(name, n_generations, seed)
                after, rates = fresh_gini(run, seed)
                error = 1.0 - np.trace(rates[run.front.select("distance")]) / 3
                columns.append(
                    [f"{run.search.gini_:.3f}", f"{after:.3f}"]
                    + [f"{run.errors.min() / 300:.1%}", f"{error:.1%}"]
                )
            rows.append([name, f"{n_generations:,}", *map(joined, zip(*columns, strict=True))])
    head = ["classifier", "T", "G", "G, fresh cases", "least error", "its error, fresh cases"]
    return head, rows


def claim(section, what, paper, here, is_so):
    """A line about what the paper says, with whether it is so for each data set."""
    verdict = "yes" if all(is_so) else "**no**"
    if any(is_so) and not all(is_so):
        verdict = f"on {sum(is_so)} of {len(is_so)}"
    return [f"{what} ({section})", paper, here, verdict]


def claims_on_fronts(knn, mlp):
    """Sections 4.2 and 4.3: sizes and errors."""
    sizes, mlp_sizes = ([len(run.front) for run in runs] for runs in (knn, mlp))
    errors, mlp_errors = ([int(run.errors.min()) for run in runs] for runs in (knn, mlp))
    ties = [int((run.errors == run.errors.min()).sum()) - 1 for run in knn]
    shorter = [found("k-nn", SHORT, seed).front for seed in SEEDS]
    grown = [one.front.delta(two, **SAMPLING) for one, two in zip(knn, shorter, strict=True)]
    lines = (
        ("4.2", "members, k-nn, within a factor of 2", "≈ 7,500")
        + (joined(sizes, "{:,}"), [3_750 <= n <= 15_000 for n in sizes]),
        ("4.2", "T = 2,000 is very similar: δ(10,000, 2,000) < 0.05", "not given")
        + (joined(grown, "{:.3f}"), [delta < 0.05 for delta in grown]),
        ("4.2", "least errors of 300, k-nn, within 8", "32")
        + (joined(errors), [abs(n - 32) <= 8 for n in errors]),
        ("4.2", "other members with so few", "3", joined(ties), [n > 0 for n in ties]),
        ("4.3", "members, MLP, within a factor of 2", "≈ 4,800")
        + (joined(mlp_sizes, "{:,}"), [2_400 <= n <= 9_600 for n in mlp_sizes]),
        ("4.3", "regions of the MLP are more finely tuned", "fewer errors than k-nn")
        + (joined(mlp_errors), np.less(mlp_errors, errors)),
    )
    return [claim(*line) for line in lines]


def claims_on_panels():
    """Section 4.2: middle and right panels of Figure 3."""
    middle, right = (
        np.array([cases_of("k-nn", seed, panel) for seed in SEEDS]) for panel in PANELS
    )
    names = np.array(["C12", "C13", "C21", "C23", "C31", "C32"])
    none, no_false = middle[:, 1:5].max(axis=1), right[:, [0, 5]].max(axis=1)
    more = middle[:, 5] - middle[:, 0]
    lines = (
        ("4.2", "Figure 3, middle: largest of C13, C21, C23 and C31", "0", joined(none))
        + (none == 0,),
        ("4.2", "there C32 > C12, in cases", "more than 0", joined(more, "{:+}"), more > 0),
        ("4.2", "Figure 3, right: largest of C12 and C32", "0", joined(no_false))
        + (no_false == 0,),
        ("4.2", "there the greatest rate", "C23", joined(names[right.argmax(axis=1)]))
        + (right.argmax(axis=1) == 3,),
    )
    return [claim(*line) for line in lines]


def claims_on_volumes(knn, mlp):
    """Section 5: comparison of the classifiers, and what is outside P."""
    results = [
        one.front.compare(other.front, **SAMPLING) for one, other in zip(mlp, knn, strict=True)
    ]
    ahead = [result.gini - result.other_gini for result in results]
    alone = [result.other_delta for result in results]
    outside, mlp_outside = (
        np.array([(~run.front.inside_random_simplex()).sum() for run in runs])
        for runs in (knn, mlp)
    )
    medians = [np.median(run.front.random_simplex_distance()) for run in (*knn, *mlp)]
    lines = (
        ("5", "G(MLP) - G(k-nn)", "more than 0", joined(ahead, "{:+.3f}"))
        + ([value > 0 for value in ahead],),
        ("5", "δ(k-nn, MLP), of k-nn nothing is left", "almost 0", joined(alone, "{:.4f}"))
        + ([value < 0.005 for value in alone],),
        ("5", "members outside P, k-nn", "0", joined(outside), outside == 0),
        ("5", "members outside P, MLP", "4", joined(mlp_outside), mlp_outside <= 4),
        ("5", "median distance from random, k-nn and MLP", "less than 0")
        + (joined(medians, "{:.2f}"), [value < 0 for value in medians]),
    )
    return [claim(*line) for line in lines]


def claims():
    """What the paper says of its fronts, in the order of the paper."""
    knn, mlp = ([found(name, LONG, seed) for seed in SEEDS] for name in MAIN)
    fronts = claims_on_fronts(knn, mlp)
    rows = [*fronts[:4], *claims_on_panels(), *fronts[4:], *claims_on_volumes(knn, mlp)]
    return ["claim (section)", "paper", "here, T = 10,000", "verdict"], rows


PARTS = (claims, fronts, convergence, starts, neighbours, panels, miss_rates, optimism)


def main(names):
    """Fill the tables of the page that are named, or all."""
    warnings.simplefilter("ignore", ConvergenceWarning)
    docs = runpy.run_path(str(PAGE.with_name("make_tables.py")))
    parts = {part.__name__: part for part in PARTS}
    unknown = set(names) - set(parts)
    if unknown:
        sys.exit(f"unknown: {', '.join(sorted(unknown))}; there are {', '.join(parts)}")
    for name in names or parts:
        table = parts[name]()
        print(f"\n### {name}\n\n{docs['markdown'](*table)}", flush=True)
        docs["fill"](PAGE, {"benchmarks.reproduction": {name: table}})


if __name__ == "__main__":
    main(sys.argv[1:])
