"""Searches for the trade-off surface with as many evaluations each."""

import random
import warnings
from time import process_time

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

from benchmarks.front import problem
from benchmarks.peers.measuring import Section, Table, ratio_text
from benchmarks.peers.packages import peer
from benchmarks.timing import show
from skvus import ParetoROCSearch, ROCFront
from skvus._rates import off_diagonal, rates_to_points
from skvus.front._build import make_cases

_LEAST_COST = 1e-6
_SHORT = 4.0  # seconds; what took less runs once more
# whose time grows with the square of its trials: more would take hours
_MOST_FOR_OPTUNA = 10_000
# members of a population as large as a front; it takes some generations
_CROWD = 5000
OUR_SEARCH, OUR_DRAW = "skvus, ParetoROCSearch", "skvus, random costs"
TEXT = """
One trained classifier, its posteriors of 300 cases of three classes: which costs lead to
operating points that no others dominate? All have the same number of evaluations, and all
evaluate with the kernel of skvus, in blocks where they can (pymoo, pygmo, DEAP); they draw and
vary six costs between 10⁻⁶ and 1 with the operators and settings that are usual for each. For
skvus it is the whole fit of `ParetoROCSearch(cv="prefit", n_costs=100)`, and
`ROCFront.from_predictions`, which draws costs at random and does nothing else.

An evolutionary algorithm returns a population, usually of a few hundred spread-out solutions; a
ROC surface of six rates has thousands of members. So pygmo, the fastest of them, has a
population of thousands as well where evaluations last for some generations of it; and the first
table of each pair has what is returned, the second what there would be if all had kept what no
other point dominates of all that they ever evaluated (sifted afterwards, not in their time).

The share *of union* is that of the front of all contenders' points together which one has
found; *IGD+* is the mean distance to it, the less the better; *G* is the share of operating
points better than random that the members dominate.
"""


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

    def one(self, weights):
        """Rates of one cost matrix, as a list."""
        return self(np.array([weights]))[0].tolist()


# --- contenders -------------------------------------------------------------------


def searched(y, scores, n_evaluations, n_costs=100):
    """Points of a search over costs alone."""
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


def drawn(y, scores, n_evaluations):
    """Points of costs drawn at random."""
    front = ROCFront.from_predictions(y, scores, n_costs=n_evaluations, random_state=0)
    return rates_to_points(front.rates)


def by_pymoo(evaluate, algorithm, n_evaluations):
    """The last population of an algorithm of pymoo."""
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


def by_pygmo(evaluate, size, n_evaluations):
    """The last population of pygmo's NSGA-II, which evaluates a generation at once."""
    import pygmo

    class Costs:
        def fitness(self, x):
            return evaluate(x[np.newaxis])[0]

        def batch_fitness(self, xs):
            return evaluate(xs.reshape(-1, 6)).ravel()

        def get_bounds(self):
            return [_LEAST_COST] * 6, [1.0] * 6

        def get_nobj(self):
            return 6

        def __deepcopy__(self, memo):
            return self  # else the recorder would be copied

    at_once = pygmo.bfe(pygmo.member_bfe())
    population = pygmo.population(pygmo.problem(Costs()), size=size, b=at_once, seed=0)
    algorithm = pygmo.nsga2(gen=n_evaluations // size - 1, seed=0)
    algorithm.set_bfe(at_once)
    return pygmo.algorithm(algorithm).evolve(population).get_f()


def by_deap(evaluate, size, n_evaluations):
    """The last population of the usual loop with DEAP's operators."""
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


def by_platypus(evaluate, size, n_evaluations):
    """What Platypus's NSGA-II returns."""
    import platypus

    costs = platypus.Problem(6, 6, function=evaluate.one)
    costs.types[:] = platypus.Real(_LEAST_COST, 1.0)
    random.seed(0)
    algorithm = platypus.NSGAII(costs, population_size=size)
    algorithm.run(n_evaluations)
    return np.array([solution.objectives for solution in algorithm.result])


def by_optuna(evaluate, size, n_evaluations):
    """The best trials of optuna's NSGA-II."""
    import optuna

    optuna.logging.set_verbosity(optuna.logging.WARNING)

    def rates(trial):
        return evaluate.one([trial.suggest_float(f"c{k}", _LEAST_COST, 1.0) for k in range(6)])

    sampler = optuna.samplers.NSGAIISampler(population_size=size, seed=0)
    study = optuna.create_study(directions=["minimize"] * 6, sampler=sampler)
    study.optimize(rates, n_trials=n_evaluations)
    return np.array([trial.values for trial in study.best_trials])


def contenders(n_evaluations):
    """Names, and functions of a recorder that return points."""
    found = {}
    if peer("pymoo") is not None:
        from pymoo.algorithms.moo.nsga2 import NSGA2
        from pymoo.algorithms.moo.nsga3 import NSGA3
        from pymoo.util.ref_dirs import get_reference_directions

        algorithms = {
            f"pymoo, NSGA-II, population {size}": NSGA2(pop_size=size) for size in (100, 500)
        }
        directions = get_reference_directions("das-dennis", 6, n_partitions=4)
        algorithms[f"pymoo, NSGA-III, {len(directions)} directions"] = NSGA3(
            directions, pop_size=len(directions)
        )
        found |= {
            name: lambda evaluate, a=algorithm: by_pymoo(evaluate, a, n_evaluations)
            for name, algorithm in algorithms.items()
        }
    sizes = (100, 500) if n_evaluations < 20 * _CROWD else (100, 500, _CROWD)
    for name, run_, size in (
        *(("pygmo", by_pygmo, size) for size in sizes),
        ("deap", by_deap, 100),
        ("Platypus-Opt", by_platypus, 100),
        ("optuna", by_optuna, 100),
    ):
        if peer(name) is None or (name == "optuna" and n_evaluations > _MOST_FOR_OPTUNA):
            continue
        found[f"{name}, NSGA-II, population {size}"] = lambda evaluate, r=run_, s=size: r(
            evaluate, s, n_evaluations
        )
    return found


# --- results ----------------------------------------------------------------------


def timed(function):
    """Seconds of the processor, the lesser of two if short; and what was returned."""
    spent = []
    while len(spent) < 1 or (len(spent) < 2 and spent[0] < _SHORT):
        start = process_time()
        result = function()
        spent.append(process_time() - start)
    return min(spent), result


def non_dominated(points):
    """Distinct rows that no other dominates."""
    import moocore

    points = np.unique(points, axis=0)
    return points[moocore.is_nondominated(points)]


def qualities(found):
    """Members, share of the front of the union, IGD+ to it, and G."""
    import moocore

    union = non_dominated(np.concatenate(list(found.values())))
    on_union = set(map(tuple, union.tolist()))
    rows = {}
    for name, points in found.items():
        share = len(on_union.intersection(map(tuple, points.tolist()))) / len(union)
        gini = ROCFront.from_rates(_rates(points)).gini(method="monte_carlo", random_state=0)
        rows[name] = (len(points), share, moocore.igd_plus(points, ref=union), gini)
    return rows


def _rates(points):
    rates = np.zeros((len(points), 3, 3))
    rates[:, off_diagonal(3)] = points
    rates[:, np.arange(3), np.arange(3)] = 1.0 - rates.sum(axis=2)
    return rates


def compete(n_evaluations):
    """Seconds, final points and all non-dominated points that were ever evaluated, by name."""
    y, scores = problem()
    seconds, final, every = {}, {}, {}
    searched(y, scores, 2000)  # compile
    for name, function in ((OUR_SEARCH, searched), (OUR_DRAW, drawn)):
        seconds[name], final[name] = timed(lambda f=function: f(y, scores, n_evaluations))
        every[name] = final[name]  # an archive forgets nothing that matters
    for name, function in contenders(n_evaluations).items():
        recorders = []

        def once(function=function, recorders=recorders):
            recorders.append(Recorded(y, scores))
            return function(recorders[-1])

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of experimental features
            try:
                seconds[name], points = timed(once)
            except Exception as error:
                print(f"  {name} fails: {type(error).__name__}: {error}")
                continue
        final[name] = non_dominated(points)
        every[name] = non_dominated(np.concatenate(recorders[-1].found))
        print(f"  {name}: {show(seconds[name])}", flush=True)
    return seconds, final, every


def _percent(share):
    return f"{100 * share:.1f}%" if share >= 0.01 else f"{100 * share:.2f}%"


def as_table(title, text, scored, seconds=None):
    """A table of contenders, with times if there are any."""
    rows = []
    for name, (members, share, distance, gini) in scored.items():
        cells = [f"{members:,}", _percent(share), f"{distance:.4f}", f"{gini:.4f}"]
        if seconds is not None:
            ratio = seconds[name] / seconds[OUR_SEARCH]
            cells = [show(seconds[name]), ratio_text(ratio), *cells]
        rows.append([name, *cells])
    head = ["", *(["time", "ratio"] if seconds else []), "members", "of union", "IGD+", "G"]
    return Table(title, text, head, rows)


def peer_wins(n_evaluations, seconds, scored, all_scored):
    """Sentences on peers that are faster or better than our search."""
    found = []
    ours, all_ours = scored[OUR_SEARCH], all_scored[OUR_SEARCH]
    for name in seconds:
        if name.startswith("skvus"):
            continue
        wins = []
        if seconds[name] < seconds[OUR_SEARCH]:
            wins.append(f"takes {seconds[name] / seconds[OUR_SEARCH]:.2f} of the time")
        for column, what, sign in ((1, "share of the union", 1), (2, "IGD+", -1), (3, "G", 1)):
            if sign * scored[name][column] > sign * ours[column]:
                wins.append(f"returns points with a better {what}")
            elif sign * all_scored[name][column] > sign * all_ours[column]:
                wins.append(f"would have a better {what} if it kept all that it evaluated")
        if wins:
            members = f"it returns {scored[name][0]:,} members against {ours[0]:,}"
            found.append(
                f"**Search with {n_evaluations:,} evaluations**: {name} "
                f"{' and '.join(wins)}; {members}."
            )
    return found


def run(quick):
    """Both tables for each number of evaluations."""
    section = Section("Searches", TEXT)
    for n_evaluations in (500,) if quick else (10_000, 100_000):
        print(f"\nSearches with {n_evaluations:,} evaluations", flush=True)
        seconds, final, every = compete(n_evaluations)
        scored, all_scored = qualities(final), qualities(every)
        title = f"{n_evaluations:,} evaluations"
        section.tables += [
            as_table(title, "What is returned:", scored, seconds),
            as_table(f"{title}, all points kept", "If all kept what they found:", all_scored),
        ]
        section.wins += peer_wins(n_evaluations, seconds, scored, all_scored)
        section.tables[-2].data = seconds, scored
    return section
