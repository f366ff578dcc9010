"""Filters, archives and volumes of points that none of them dominates."""

import numpy as np

from benchmarks.archive import BATCH, as_members
from benchmarks.front import front_of, numpy_counts, problem, random_costs
from benchmarks.peers.measuring import OURS, Bout, Section, hold
from benchmarks.peers.packages import peer, those_there
from skvus import ROCFront
from skvus._rates import off_diagonal, rates_to_points
from skvus.front._build import make_cases
from skvus.search._archive import Archive

TEXT = """
Points have six objectives, the rates of all mistakes of three classes, as different cost
matrices lead to them, and no two are the same. skvus filters with moocore, which it depends on;
what it takes longer is for checks of rate matrices and for the members that it makes of them.
pymoo and jMetalPy call moocore, too. The archive, the index in it and the volume that G is a
share of are skvus's own.
"""


def distinct(n):
    """Counts of mistakes and rate matrices of so many operating points, no two the same."""
    y, scores = problem(n=3000)
    cases = make_cases(scores, y, np.ones(y.size), None)
    rates, counts = cases.tally(random_costs(n + n // 2 + 100, 3))[:2]
    keys = counts[:, off_diagonal(3)].astype(np.int64)
    _, first = np.unique(keys, axis=0, return_index=True)
    first = np.sort(first)[:n]
    assert first.size == n
    return np.ascontiguousarray(keys[first]), rates[first]


# --- filters ----------------------------------------------------------------------


def _filter(n):
    _, rates = distinct(n)
    points = np.ascontiguousarray(rates_to_points(rates))
    return Bout(
        those_there(
            {
                OURS: lambda: len(ROCFront.from_rates(rates)),
                "moocore": lambda: int(peer("moocore").is_nondominated(points).sum()),
                "pymoo": lambda: _by_pymoo(points),
                "pygmo": lambda: len(peer("pygmo").fast_non_dominated_sorting(points)[0][0]),
                "paretoset": lambda: int(peer("paretoset").paretoset(points).sum()),
                "oapackage": lambda: _by_oapackage(points),
                "deap": lambda: _by_deap(points),
            }
        )
    )


def _by_pymoo(points):
    from pymoo.util.nds.non_dominated_sorting import NonDominatedSorting

    return len(NonDominatedSorting().do(points, only_non_dominated_front=True))


def _by_oapackage(points):
    import oapackage

    found = oapackage.ParetoDoubleLong()
    for number, point in enumerate((-points).tolist()):
        found.addvalue(oapackage.doubleVector(point), number)
    return found.number()


def _individuals(rows):
    from deap import base

    class Rates(base.Fitness):
        weights = (-1.0,) * 6

    class Individual(list):
        def __init__(self, genome):
            super().__init__(genome)
            self.fitness = Rates(genome)

    return [Individual(row) for row in rows]


def _by_deap(points):
    from deap import tools

    rows = _individuals(points.tolist())
    return len(tools.sortNondominated(rows, len(rows), first_front_only=True)[0])


# --- archives ---------------------------------------------------------------------


def _archive(n):
    keys, _ = distinct(n)
    batches = [as_members(keys[k : k + BATCH], 3) for k in range(0, n, BATCH)]
    rows = keys.tolist()
    functions = {OURS: lambda: _filled(batches)}
    functions |= {
        name: make(rows)
        for name, make in (
            ("deap", _deap_archive),
            ("Platypus-Opt", _platypus_archive),
            ("jmetalpy", _jmetal_archive),
        )
        if peer(name) is not None
    }
    return Bout(functions)


def _filled(batches):
    archive = Archive()
    for batch in batches:
        archive.insert(batch)
    return len(archive)


def _deap_archive(rows):
    from deap import tools

    individuals = _individuals(rows)

    def fill():
        front = tools.ParetoFront()
        front.update(individuals)
        return len(front)

    return fill


def _platypus_archive(rows):
    import platypus

    problem_ = platypus.Problem(6, 6)
    solutions = []
    for row in rows:
        solution = platypus.Solution(problem_)
        solution.objectives[:] = row
        solution.evaluated = True
        solutions.append(solution)

    def fill():
        archive = platypus.Archive()
        for solution in solutions:
            archive.add(solution)
        return len(archive)

    return fill


def _jmetal_archive(rows):
    from jmetal.core.solution import FloatSolution
    from jmetal.util.archive import NonDominatedSolutionsArchive

    solutions = []
    for row in rows:
        solution = FloatSolution([0.0], [1.0], 6)
        solution.objectives = row
        solutions.append(solution)

    def fill():
        archive = NonDominatedSolutionsArchive()
        for solution in solutions:
            archive.add(solution)
        return archive.size()

    return fill


# --- volumes and evaluations ------------------------------------------------------


def _volume(n):
    front = front_of(n)
    points = np.ascontiguousarray(rates_to_points(front.rates))
    corner = np.ones(6)

    def apart(found):
        others = [value for name, value in found.items() if name != OURS]
        if not others:
            return None
        return max(abs(value - front.hypervolume(method="exact")) for value in others)

    return Bout(
        those_there(
            {
                OURS: lambda: front.gini(method="exact"),
                "moocore": lambda: peer("moocore").hypervolume(points, ref=corner),
                "pymoo": lambda: _volume_by_pymoo(points, corner),
                "pygmo": lambda: peer("pygmo").hypervolume(points).compute(corner),
                "jmetalpy": lambda: _volume_by_jmetal(points, corner),
            }
        ),
        apart=apart,
    )


def _volume_by_pymoo(points, corner):
    from pymoo.indicators.hv import HV

    return HV(ref_point=corner)(points)


def _volume_by_jmetal(points, corner):
    from jmetal.core.quality_indicator import HyperVolume

    return HyperVolume(reference_point=corner.tolist()).compute(points)


def _evaluation(n, n_costs):
    y, scores = problem(n=n)
    cases = make_cases(scores, y, np.ones(y.size), None)
    costs = random_costs(n_costs, 3)
    return Bout(
        {
            OURS: lambda: cases.tally(costs)[1],
            "numpy, in blocks": lambda: numpy_counts(y, scores, costs, block=200),
        }
    )


def run(quick):
    """All contests of fronts."""
    few = {"quick": quick, "tolerance": 0.0, "power": 2.0}
    found = [
        hold(
            "Which points no other dominates",
            "`ROCFront.from_rates` against `is_nondominated` of moocore, "
            "`NonDominatedSorting` of pymoo, `fast_non_dominated_sorting` of pygmo, "
            "`paretoset`, `ParetoDoubleLong` of oapackage and `sortNondominated` of DEAP; "
            "numbers of members are compared",
            x="points",
            sizes=(100, 300) if quick else (1000, 3000, 10_000, 30_000, 100_000),
            make=_filter,
            chart="fronts",
            if_slower="a bare filter returns a mask, `ROCFront.from_rates` checks matrices of "
            "rates, finds which are the same, and sorts the members",
            **few,
        ),
        hold(
            "An archive that points enter as they come",
            f"the archive of `ParetoROCSearch`, {BATCH} points a call, against `ParetoFront` "
            "of DEAP, `Archive` of Platypus and `NonDominatedSolutionsArchive` of jMetalPy; "
            "numbers of members are compared",
            x="points",
            sizes=(100, 300) if quick else (300, 1000, 3000, 10_000, 30_000, 100_000),
            make=_archive,
            chart="fronts",
            **few,
        ),
        hold(
            "Exact volume that a front dominates",
            '`ROCFront.gini(method="exact")`, whose volume is cut by a hyperplane, against the '
            "hypervolume of the same points by moocore, pymoo, pygmo and jMetalPy "
            "(`ROCFront.hypervolume` is compared with theirs)",
            x="members",
            sizes=(10, 30) if quick else (30, 100, 300, 1000, 3000),
            make=_volume,
            chart="fronts",
            if_slower="what no hyperplane cuts is a product of sides for each box, which takes "
            "less to compute than a power for each side that may pass the hyperplane",
            **{**few, "tolerance": 1e-9},
        ),
        hold(
            "Confusion counts of 10,000 cost matrices",
            "what `ROCFront.from_predictions` does first, against numpy, which multiplies "
            "blocks of matrices",
            x="cases",
            sizes=(100, 300) if quick else (100, 300, 1000, 3000),
            make=lambda n: _evaluation(n, 100 if quick else 10_000),
            **few,
        ),
    ]
    return Section("Fronts", TEXT, found)
