"""What users write, with the types that a checker should see; `test_typing.py` runs it, too."""

import tempfile
from fractions import Fraction
from pathlib import Path
from typing import Any, assert_type

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression  # type: ignore[import-untyped]

import skvus
from skvus.datasets import make_ordered_gaussians, make_softmax_gaussians
from skvus.plotting import ProbabilitySimplexDisplay, ROCFrontDisplay, VUSSurfaceDisplay

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def data() -> tuple[Floats, Ints]:
    return make_softmax_gaussians(60, random_state=0)


def front() -> skvus.ROCFront:
    y_score, y = data()
    return skvus.ROCFront.from_predictions(y, y_score, n_costs=50, random_state=0)


def case_datasets() -> None:
    assert_type(make_ordered_gaussians([3, 4, 5]), tuple[Floats, Ints])
    X, y, volume = make_ordered_gaussians(9, [0, 1, 2], return_volume=True, random_state=0)
    assert_type(X, Floats)
    assert_type(y, Ints)
    assert_type(volume, float)
    all_there_is = make_ordered_gaussians(9, return_posteriors=True, return_volume=True)
    assert_type(all_there_is, tuple[Floats, Ints, Floats, float])
    assert_type(skvus.datasets.random_confusion_rates(2, 3, kind="dirichlet"), Floats)


def case_scores_of_labels() -> None:
    y_true, y_pred = ["a", "b", "c", "a"], np.array(["a", "b", "c", "b"])
    assert_type(skvus.polytope_vus_score(y_true, y_pred, normalize="range"), float)
    assert_type(skvus.macro_average_score(y_true, y_pred, sample_weight=[1, 1, 1, 2]), float)
    assert_type(skvus.hand_till_crisp_score(y_true, y_pred, variant="1a"), float)
    cost = {("a", "b"): 1.0, ("a", "c"): 2, ("b", "a"): 1, ("b", "c"): 1, ("c", "a"): 3}
    assert_type(skvus.expected_cost([0, 1], (0, 0), cost_matrix=[[0, 1], [5, 0]]), float)
    assert_type(
        skvus.expected_cost(y_true, y_pred, cost_matrix={**cost, ("c", "b"): 1.5}), float
    )


def case_scores_of_probabilities() -> None:
    y_score, y = data()
    assert_type(skvus.ordered_vus_score(y, y_score), float)
    details = skvus.ordered_vus_score(y, y_score, ties="weak", return_details=True)
    assert_type(details, skvus.OrderingResult)
    assert_type(details.standard_error, float)
    assert_type(details.is_exact, bool)
    assert_type(details + 1.0, float)
    wants_details = len(y) > 10**6
    assert_type(skvus.angle_vus_score(y, y_score, return_details=wants_details), float)
    assert_type(skvus.simplified_vus_score(y.tolist(), y_score, method="grid"), float)
    volume = skvus.soft_polytope_vus_score(y, y_score, return_details=True)
    assert_type(volume, skvus.VUSResult)
    assert_type(volume.n_operating_points, int)
    assert_type(skvus.pdi_score(y, y_score), float)
    assert_type(skvus.pdi_score(y, y_score, average=None), Floats)
    assert_type(skvus.one_vs_rest_auc_score(y, y_score, average="weighted"), float)


def case_volumes() -> None:
    good = np.array([[0.8, 0.1, 0.1], [0.2, 0.7, 0.1], [0.0, 0.1, 0.9]])
    assert_type(skvus.polytope_vus([good, np.eye(3)], normalize="max"), float)
    assert_type(skvus.polytope_vus(good, return_std=True, random_state=0), tuple[float, float])
    assert_type(skvus.polytope_vus_bounds(3), tuple[float, float])
    assert_type(skvus.ordered_vus_bounds(3, exact=True), tuple[Fraction, Fraction])
    assert_type(skvus.random_simplex_volume(3, exact=True), Fraction)
    assert_type(skvus.discard_polytope(n_classes=3).vertex_rates, Floats)
    _, weights = skvus.is_discarded(good, None, return_weights=True)
    assert_type(weights, Floats)


def case_operating_points() -> None:
    y_score, y = data()
    points = skvus.operating_points(y, y_score, pareto=True)
    assert_type(points, skvus.OperatingPoints)
    rates, weights = points
    assert_type(rates, Floats)
    assert_type(skvus.operating_rates(y, y_score, weights), Floats)
    assert_type(skvus.weights_for_rates(y, y_score, {0: 0.5}), Floats)


def case_inference() -> None:
    y_score, y = data()
    result = skvus.score_inference(y, y_score, score="pdi")
    assert_type(result, skvus.InferenceResult)
    low, _ = result.confidence_interval(0.9, scale="logit")
    assert_type(low, float)
    assert_type(result.replicates, Floats | None)
    comparison = skvus.compare_scores(y, y_score, y_score[:, ::-1], alternative="greater")
    assert_type(comparison.reversed().pvalue, float)
    table = skvus.compare_many(y, {"a": y_score, "b": y_score[:, [0, 2, 1]]}, reference="a")
    assert_type(table["a", "b"], skvus.ComparisonResult)
    assert_type(table[0].adjusted_pvalue, float)
    assert_type([row.low for row in table], list[float])
    by_chance = skvus.permutation_test(y, y_score, n_permutations=5, random_state=0)
    assert_type(by_chance.null_distribution, Floats)


def case_scorers() -> None:
    y_score, y = data()
    model = LogisticRegression().fit(y_score, y)
    assert_type(skvus.get_scorer_names(), list[str])
    assert_type(skvus.get_scorer("polytope_vus", normalize="range")(model, y_score, y), float)
    scorer = skvus.make_cost_scorer([[0, 1, 1], [1, 0, 1], [4, 4, 0]], priors=[0.5, 0.3, 0.2])
    assert_type(scorer(model, y_score, y), float)


def case_fronts() -> None:
    y_score, y = data()
    found = front()
    assert_type(found.rates, Floats)
    assert_type(found.costs, Floats | None)
    assert_type(found.class_sizes, Floats | None)
    assert_type(found[0], skvus.OperatingPoint)
    assert_type(found[np.argmin(found.miss_rates()[:, 0])].rates, Floats)
    assert_type(found[:3], skvus.ROCFront)
    assert_type(found[found.inside_random_simplex()], skvus.ROCFront)
    assert_type(found.gini(method="monte_carlo", random_state=np.random.default_rng(0)), float)
    assert_type(found.delta(found[:2], return_std=True), tuple[float, float])
    assert_type(found.compare(found[:2]).other_delta, float)
    assert_type(found.mix([0, 1], [0.5, 0.5]).predict(y_score, random_state=0), NDArray[Any])
    assert_type(found.evaluate(y, y_score).low, Floats)
    for member in found:
        assert_type(member.counts, Ints | Floats | None)
    with tempfile.TemporaryDirectory() as folder:
        found.save(Path(folder, "front.zip"))
        assert_type(skvus.ROCFront.load(f"{folder}/front.zip"), skvus.ROCFront)
        assert_type(found.explore(f"{folder}/front.html", title="Front"), Path)


def case_rules() -> None:
    y_score, _ = data()
    found = front()
    assert_type(found.select(), int)
    assert_type(found.select("knee"), int)
    assert_type(found.select([[0, 1, 1], [1, 0, 1], [2, 2, 0]]), int)
    assert_type(found.select(skvus.WithinLimits({(0, 1): 0.9}, then="knee")), int)
    assert_type(found.select(skvus.Lexicographic([[(0, 1), (0, 2)], 1])), int)
    assert_type(found.select(skvus.BestScore("accuracy")), int)
    assert_type(found.select(lambda candidates: len(candidates) - 1), int)
    chosen = skvus.LeastCost(1.0 - np.eye(3), priors={0: 0.2, 1: 0.4, 2: 0.4})
    assert_type(found.predict(y_score, chosen), NDArray[Any])


def case_classifiers() -> None:
    X, y = data()
    model = skvus.CostMatrixClassifier(LogisticRegression(), [[0, 1, 1], [1, 0, 1], [9, 9, 0]])
    assert_type(model.fit(X, y).predict(X), NDArray[Any])
    assert_type(model.cost_matrix_, Floats)
    assert_type(model.decision_function(X), Floats)
    report = model.calibration(X, y)
    assert_type(report, skvus.CalibrationReport)
    assert_type(report.is_suspect, bool)
    neighbours = skvus.ProbabilisticKNeighborsClassifier(5, kernel="uniform").fit(X, y)
    assert_type(neighbours, skvus.ProbabilisticKNeighborsClassifier)
    assert_type(neighbours.predict_proba(None), Floats)


def case_search() -> None:
    X, y = data()
    search = skvus.ParetoROCSearch(
        LogisticRegression(),
        {"C": [0.1, 1.0]},
        n_generations=2,
        n_initial=2,
        cv="resubstitution",
        operating_point=skvus.WithinLimits({2: 0.9}),
        error_score="raise",
        random_state=0,
    )
    assert_type(search.fit(X, y).front_, skvus.ROCFront)
    assert_type(search.set_operating_point("distance").best_index_, int)
    assert_type(search.gini_, float)
    assert_type(search.best_estimator_, skvus.CostMatrixClassifier)
    assert_type(search.best_params_, dict[str, Any])
    assert_type(search.predict_proba(X), Floats)


def case_displays() -> None:
    y_score, y = data()
    display = ROCFrontDisplay(front(), kind="parallel", chosen="knee").plot()
    assert_type(display, ROCFrontDisplay)
    display.ax_.set_title("A front")
    with tempfile.TemporaryFile() as file:
        display.figure_.savefig(file)
    surface = VUSSurfaceDisplay.from_predictions(y, y_score, n_steps=5)
    assert_type(surface, VUSSurfaceDisplay)
    assert_type(surface.volume_below, float)
    simplex = ProbabilitySimplexDisplay.from_predictions(y, y_score, weights={0: 1, 1: 1, 2: 2})
    assert_type(simplex.drawn_, NDArray[np.bool_])
