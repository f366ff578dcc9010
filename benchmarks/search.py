"""The search: against evolutionary peers, with nearest neighbours, and what it adds to fits."""

import random

import numpy as np
from scipy.stats import randint, uniform
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import StratifiedKFold

from benchmarks.front import _rates, problem
from benchmarks.inference import once
from benchmarks.timing import show, table
from skvus import (
    ParetoROCSearch,
    ProbabilisticKNeighborsClassifier,
    ROCFront,
    datasets,
)
from skvus._rates import off_diagonal, rates_to_points
from skvus.front._build import make_cases

_LEAST_COST = 1e-6


class Given(ClassifierMixin, BaseEstimator):
    """A fitted classifier whose features are the posteriors."""

    def __init__(self, n_classes=3):
        self.n_classes = n_classes

    @property
    def classes_(self):
        return np.arange(self.n_classes)

    def __sklearn_is_fitted__(self):
        return True

    def fit(self, X, y):
        return self

    def predict_proba(self, X):
        return np.asarray(X)


class Recorded:
    """Rates of costs by our kernel; all that were evaluated are remembered."""

    def __init__(self, y, scores):
        self.cases = make_cases(scores, y, np.ones(y.size), None)
        self.mask = off_diagonal(3)
        self.found = []

    def __call__(self, weights):
        costs = np.zeros((len(weights), 3, 3))
        costs[:, self.mask] = weights
        points = rates_to_points(self.cases.tally(costs)[0])
        self.found.append(points)
        return points


def run():
    peers()
    neighbours()
    overhead()


# --- peers ------------------------------------------------------------------------


def searched(y, scores, n_evaluations, n_costs):
    search = ParetoROCSearch(
        Given(),
        cv="prefit",
        refit=False,
        n_costs=n_costs,
        n_initial=n_costs,
        n_generations=n_evaluations // n_costs - 1,
        random_state=0,
    ).fit(scores, y)
    assert search.n_evaluations_ == n_evaluations
    return rates_to_points(search.front_.rates)


def by_pymoo(evaluate, algorithm, n_evaluations):
    from pymoo.core.problem import Problem
    from pymoo.optimize import minimize

    class Costs(Problem):
        def __init__(self):
            super().__init__(n_var=6, n_obj=6, xl=_LEAST_COST, xu=1.0)

        def _evaluate(self, x, out, *args, **kwargs):
            out["F"] = evaluate(x)

    n_generations = n_evaluations // algorithm.pop_size
    result = minimize(Costs(), algorithm, ("n_gen", n_generations), seed=0, verbose=False)
    return result.pop.get("F")


def by_deap(evaluate, size, n_evaluations):
    from deap import base, tools

    class Rates(base.Fitness):
        weights = (-1.0,) * 6

    class Individual(list):
        def __init__(self, genome):
            super().__init__(genome)
            self.fitness = Rates()

    def judged(individuals):
        points = evaluate(np.array(individuals))
        for individual, point in zip(individuals, points.tolist(), strict=True):
            individual.fitness.values = point
        return individuals

    bounds = {"low": _LEAST_COST, "up": 1.0}
    random.seed(0)
    genomes = np.random.default_rng(0).uniform(_LEAST_COST, 1.0, size=(size, 6))
    population = judged([Individual(genome) for genome in genomes.tolist()])
    population = tools.selNSGA2(population, size)  # for the crowding distances
    for _ in range(n_evaluations // size - 1):
        parents = tools.selTournamentDCD(population, size)
        offspring = [Individual(parent) for parent in parents]
        for one, other in zip(offspring[::2], offspring[1::2], strict=True):
            if random.random() <= 0.9:
                tools.cxSimulatedBinaryBounded(one, other, eta=15.0, **bounds)
            for child in (one, other):
                tools.mutPolynomialBounded(child, eta=20.0, indpb=1 / 6, **bounds)
        population = tools.selNSGA2(population + judged(offspring), size)
    return np.array([individual.fitness.values for individual in population])


def non_dominated(points):
    import moocore

    points = np.unique(points, axis=0)
    return points[moocore.is_nondominated(points)]


def contenders(n_evaluations):
    """Names, and functions of a recorder that return points."""
    found = {}
    try:
        from pymoo.algorithms.moo.nsga2 import NSGA2
        from pymoo.algorithms.moo.nsga3 import NSGA3
        from pymoo.util.ref_dirs import get_reference_directions
    except ImportError:
        print("\npymoo is not installed: no comparison with it")
    else:
        for size in (100, 500):
            found[f"pymoo NSGA-II, population {size}"] = lambda evaluate, size=size: by_pymoo(
                evaluate, NSGA2(pop_size=size), n_evaluations
            )
        directions = get_reference_directions("das-dennis", 6, n_partitions=4)
        size = len(directions)
        found[f"pymoo NSGA-III, {size} directions"] = lambda evaluate: by_pymoo(
            evaluate, NSGA3(directions, pop_size=size), n_evaluations
        )
    found["DEAP NSGA-II, population 100"] = lambda evaluate: by_deap(
        evaluate, 100, n_evaluations
    )
    return found


def peers(n_evaluations=100_000):
    y, scores = problem()
    times, final, every = {}, {}, {}
    searched(y, scores, 2000, 100)  # compile
    for n_costs, label in ((100, "skvus, n_costs=100"), (1000, "skvus, n_costs=1000")):
        times[label], final[label] = once(
            lambda n=n_costs: searched(y, scores, n_evaluations, n)
        )
        every[label] = final[label]  # its archive forgets nothing that matters
    random_costs = ROCFront.from_predictions(y, scores, n_costs=n_evaluations, random_state=0)
    every["skvus, random costs only"] = rates_to_points(random_costs.rates)
    for name, function in contenders(n_evaluations).items():
        recorder = Recorded(y, scores)
        times[name], points = once(lambda f=function, r=recorder: f(r))
        final[name] = non_dominated(points)
        every[name] = non_dominated(np.concatenate(recorder.found))
    ours = times["skvus, n_costs=100"]
    scored = qualities(final)
    table(
        f"Peers: {n_evaluations:,} evaluations of costs on the same posteriors, 300 cases of "
        "three classes\n(all evaluate with our kernel; skvus: the whole fit of "
        'ParetoROCSearch with cv="prefit")',
        ["", "time", "ratio", "members", "of union", "IGD+", "G"],
        [
            [name, show(times[name]), f"{times[name] / ours:.1f}x", *scored[name]]
            for name in final
        ],
    )
    scored = qualities(every)
    table(
        "The same if peers, too, keep all non-dominated points that they ever evaluate\n"
        "(sifted afterwards, not in their time)",
        ["", "members", "of union", "IGD+", "G"],
        [[name, *scored[name]] for name in every],
    )


def qualities(found):
    """Members, share of the front of the union, IGD+ to it, and G, as text."""
    import moocore

    union = non_dominated(np.concatenate(list(found.values())))
    on_union = set(map(tuple, union.tolist()))
    rows = {}
    for name, points in found.items():
        share = len(on_union.intersection(map(tuple, points.tolist()))) / len(union)
        distance = moocore.igd_plus(points, ref=union)
        front = ROCFront.from_rates(_rates(points))
        gini = front.gini(method="monte_carlo", random_state=0)
        rows[name] = [f"{len(points):,}", f"{100 * share:.1f}%", f"{distance:.4f}"]
        rows[name].append(f"{gini:.4f}")
    return rows


# --- nearest neighbours -----------------------------------------------------------


def neighbours(n_generations=2000):
    model = ProbabilisticKNeighborsClassifier()
    params = {"n_neighbors": randint(1, 51), "beta": uniform(0.1, 9.9)}
    X, y = datasets.make_ripley_mixture(random_state=0)
    search = ParetoROCSearch(
        model,
        params,
        n_generations=n_generations,
        n_costs=100,
        cv="resubstitution",
        random_state=0,
        store_cv_results=True,
    )
    clone(search).set_params(n_generations=5).fit(X, y)  # compile
    spent, search = once(lambda: search.fit(X, y))
    tried = search.cv_results_["params"]
    bare = once(lambda: left_out_posteriors(model, tried, X, y))[0]
    table(
        f"Nearest neighbours on {len(y)} cases of three classes: {n_generations:,} generations "
        f'of 100 costs, cv="resubstitution"\n(bare loop: the same {len(tried):,} fits with '
        "their leave-one-out posteriors)",
        ["time", "bare loop", "evaluations", "members", "G"],
        [
            [show(spent), show(bare), f"{search.n_evaluations_:,}"]
            + [f"{len(search.front_):,}", f"{search.gini_:.4f}"]
        ],
    )


def left_out_posteriors(model, settings, X, y):
    for params in settings:
        clone(model).set_params(**params).fit(X, y).predict_proba(None)


# --- overhead ---------------------------------------------------------------------


def overhead(n_generations=10, repeats=3):
    y, scores = problem(n=600)
    X = np.log(scores) + np.random.default_rng(1).normal(size=scores.shape)
    model = RandomForestClassifier(n_estimators=50, random_state=0)
    splitter = StratifiedKFold(5)
    search = ParetoROCSearch(
        model,
        {"max_depth": randint(2, 20), "min_samples_leaf": randint(1, 20)},
        n_generations=n_generations,
        n_initial=10,
        cv=splitter,
        random_state=0,
        store_cv_results=True,
    )
    clone(search).set_params(n_generations=1).fit(X, y)  # compile
    runs, loops = [], []
    for _ in range(repeats):  # in turns, so that both meet the same load
        runs.append(once(lambda: search.fit(X, y))[0])
        tried = search.cv_results_["params"]
        chosen = search.best_params_
        loops.append(once(lambda t=tried, c=chosen: bare_search(model, t, c, splitter, X, y)))
    whole = min(runs)
    bare, n_fits = min(loops)
    table(
        f"Overhead: random forests of 50 trees, {len(tried)} candidates on 5 folds of "
        f"{len(y)} cases, best of {repeats}\n(bare loop: the same {n_fits} fits, with "
        "predictions: all different candidates on all folds, and the chosen one on all data)",
        ["search", "bare loop", "difference", "overhead"],
        [[show(whole), show(bare), show(whole - bare), f"{100 * (whole / bare - 1):.1f}%"]],
    )


def bare_search(model, tried, chosen, splitter, X, y):
    n_fits = 1
    for params in {str(params): params for params in tried}.values():
        for train, test in splitter.split(X, y):
            fitted = clone(model).set_params(**params).fit(X[train], y[train])
            fitted.predict_proba(X[test])
            n_fits += 1
    clone(model).set_params(**chosen).fit(X, y)
    return n_fits
