"""Every public function and method, how it is called at random, and what it may return."""

import copy
import inspect
import pickle
from functools import cache, partial

import numpy as np
from fuzz_oracle import expect, finite_numbers, number_between
from fuzz_parameters import (
    POOL,
    best_scores,
    classes_of_problem,
    fitted,
    front,
    known_labels,
    limits,
    member_keys,
    one_of,
    one_score,
    preferences,
    rule,
)
from fuzz_registry import register
from hypothesis import strategies as st
from sklearn.naive_bayes import GaussianNB

import skvus
from skvus import datasets

# --- scores of labels and of probabilities ----------------------------------------

SHARE = number_between(0.0, 1.0)
METHODS = {
    "ordered_vus_score": one_of("auto", "exact", "sampled"),
    "simplified_vus_score": one_of("auto", "exact", "sampled", "grid"),
    "angle_vus_score": one_of("auto", "exact", "sampled"),
    "polytope_vus_score": one_of("auto", "exact", "monte_carlo"),
    "polytope_vus": one_of("auto", "exact", "monte_carlo"),
    "soft_polytope_vus_score": one_of("auto", "exact", "bound"),
}
for _name in (
    "macro_average_score",
    "modified_macro_average_score",
    "one_point_auc_score",
    "hand_till_crisp_score",
    "ordered_vus_score",
    "simplified_vus_score",
    "angle_vus_score",
    "ordinal_vus_score",
    "pdi_score",
    "hand_till_score",
    "one_vs_rest_auc_score",
    "polytope_vus_score",
    "soft_polytope_vus_score",
):
    _scores = {"y_score": one_score} if _name == "ordinal_vus_score" else {}
    register(_name, getattr(skvus, _name), SHARE, **_scores, method=METHODS.get(_name))
for _name in ("operating_points", "operating_rates", "weights_for_rates"):
    register(_name, getattr(skvus, _name), finite_numbers)
register("expected_cost", skvus.expected_cost, number_between(0.0, np.inf))
register("ranking_discrepancy", skvus.ranking_discrepancy, number_between(0.0, 2.0))

# --- volumes of rates -------------------------------------------------------------

register(
    "polytope_vus",
    skvus.polytope_vus,
    finite_numbers,
    method=METHODS["polytope_vus"],
    n_classes=classes_of_problem,
    most_classes=4,
)
register("is_discarded", skvus.is_discarded)
register(
    "discard_polytope",
    skvus.discard_polytope,
    words=("classifiers",),
    n_classes=classes_of_problem,
    most_classes=4,
)
for _name in ("polytope_vus_bounds", "ordered_vus_bounds", "simplified_vus_bounds"):
    register(_name, getattr(skvus, _name), finite_numbers)
register("random_simplex_volume", skvus.random_simplex_volume, finite_numbers)
register(
    "sample_better_than_random",
    skvus.sample_better_than_random,
    finite_numbers,
    n_classes=one_of(3, 2, 5),
)

# --- how sure ---------------------------------------------------------------------

INFERENCE = {
    "method": one_of("auto", "delong", "bootstrap", "jackknife"),
    "alternative": one_of("two-sided", "less", "greater"),
    "score_params": one_of(None, None, {}, {"ties": "weak"}, {"nonsense": 1}),
}


def read(result, keywords, caught):
    """All that a result says can be read, printed, copied and pickled."""
    repr(result), str(result)
    for name in dir(result):
        if not name.startswith("_"):
            getattr(result, name)
    copy.deepcopy(result)
    expect(type(pickle.loads(pickle.dumps(result))) is type(result), "not pickled", result)


for _name in ("score_inference", "compare_scores", "compare_many", "permutation_test"):
    register(
        # functions of the user raise what they like
        _name,
        getattr(skvus, _name),
        read,
        words=("y_score",),
        delegates=True,
        **INFERENCE,
    )


@cache
def _results():
    """One of each result, some of them of classes with one case."""
    y, proba = datasets.make_softmax_gaussians(30, random_state=0)[1::-1]
    proba = np.abs(proba) / np.abs(proba).sum(axis=1, keepdims=True)
    y, other = np.asarray(y), proba[:, ::-1]
    options = {"n_resamples": 20, "random_state": 0}
    labels = proba.argmax(axis=1)
    found = {
        "InferenceResult": [
            skvus.score_inference(y, proba, **options),
            skvus.score_inference(y, proba, method="bootstrap", **options),
            skvus.score_inference(y, labels, score="polytope_vus", **options),
            skvus.score_inference(y, np.eye(3)[y], score="pdi"),
        ],
        "ComparisonResult": [
            skvus.compare_scores(y, proba, other, **options),
            skvus.compare_scores(y, proba, proba, alternative="less"),
            skvus.compare_scores(y, proba, other, method="bootstrap", **options),
        ],
        "ComparisonTable": [skvus.compare_many(y, {"a": proba, "b": other, 3: proba})],
        "PermutationResult": [skvus.permutation_test(y, proba, n_permutations=9)],
        "OrderingResult": [skvus.ordered_vus_score(y, proba, return_details=True)],
        "VUSResult": [skvus.soft_polytope_vus_score(y, proba, return_details=True)],
        "OperatingPoints": [skvus.operating_points(y, proba)],
        "DiscardPolytope": [
            skvus.discard_polytope(np.eye(3)),
            skvus.discard_polytope(n_classes=2),
        ],
    }
    surface = skvus.ROCFront.from_predictions(y, proba, n_costs=50, random_state=0)
    model = skvus.CostMatrixClassifier(GaussianNB()).fit(proba, y)
    found |= {
        "OperatingPoint": [surface[0]],
        "FrontMixture": [surface.mix([0, 1], [0.5, 0.5])],
        "FrontComparison": [surface.compare(surface[:1], n_samples=100)],
        "FrontEvaluation": [surface.evaluate(y, proba, n_samples=100)],
        "CalibrationReport": [
            model.calibration(proba, y),
            model.calibration(proba, y, n_bins=2),
        ],
    }
    return found


def a(kind):
    """Parameter that is one of the results of a kind."""
    return lambda draw, problem: draw(st.sampled_from(_results()[kind]))


for _name in (
    "CalibrationReport",
    "ComparisonResult",
    "ComparisonTable",
    "DiscardPolytope",
    "FrontComparison",
    "FrontEvaluation",
    "FrontMixture",
    "InferenceResult",
    "OperatingPoint",
    "OperatingPoints",
    "OrderingResult",
    "PermutationResult",
    "VUSResult",
):
    register(_name, lambda self: self, read, self=a(_name))
for _name, _scales in {
    "InferenceResult": ("auto", "logit", "identity", "percentile"),
    "ComparisonResult": ("identity", "percentile"),
}.items():
    register(
        f"{_name}.confidence_interval",
        getattr(skvus, _name).confidence_interval,
        self=a(_name),
        scale=one_of(*_scales),
    )
register(
    "ComparisonResult.reversed",
    skvus.ComparisonResult.reversed,
    read,
    self=a("ComparisonResult"),
)
for _name in (
    "CalibrationReport",
    "ComparisonResult",
    "ComparisonTable",
    "FrontComparison",
    "FrontEvaluation",
    "FrontMixture",
    "InferenceResult",
    "OperatingPoints",
    "PermutationResult",
):
    register(f"{_name}.to_frame", getattr(skvus, _name).to_frame, self=a(_name))

# --- scorers ----------------------------------------------------------------------

FITTED = fitted(GaussianNB)


def _score_by_name(name, parameters, estimator, X, y, sample_weight):
    parameters = parameters if isinstance(parameters, dict) else {}
    parameters = {str(key): value for key, value in parameters.items()}
    scorer = skvus.get_scorer(name, **parameters)
    repr(scorer)
    return scorer(estimator, X, y, sample_weight=sample_weight)


register(
    "get_scorer",
    _score_by_name,
    delegates=True,
    words=("y_true", "y_pred", "y_score", "get_scorer"),
    name=one_of(*skvus.get_scorer_names()),
    parameters=one_of({}, {"labels": [0, 1, 2]}, {"nonsense": 1}, {"sample_weight": None}),
    estimator=FITTED,
    y=known_labels,
)
register("get_scorer_names", skvus.get_scorer_names)


def _score_by_cost(cost_matrix, estimator, X, y, **options):
    scorer = skvus.make_cost_scorer(cost_matrix, **options)
    repr(scorer)
    return scorer(estimator, X, y)


_score_by_cost.__signature__ = inspect.signature(
    lambda cost_matrix, estimator, X, y, *, priors=None, labels=None, replace_undefined_by=0: 0
)
register(
    "make_cost_scorer",
    _score_by_cost,
    delegates=True,
    words=("y_true", "y_pred"),
    estimator=FITTED,
    y=known_labels,
)

# --- fronts -----------------------------------------------------------------------

FRONT = {"self": front, "method": one_of("auto", "exact", "monte_carlo")}


def read_front(result, keywords, caught):
    read(result, keywords, caught)
    expect(len(list(result)) == len(result) > 0, "a front of no members", result)
    for name in ("rates", "priors", "costs", "counts", "class_sizes"):
        values = getattr(result, name)
        expect(values is None or np.isfinite(values).all(), f"{name} not finite", result)


register("ROCFront", lambda self: self, read_front, self=front)
register("ROCFront.from_predictions", skvus.ROCFront.from_predictions, read_front)
register("ROCFront.from_rates", skvus.ROCFront.from_rates, read_front, words=("cost_matrix",))


def _from_estimator(fitted, X, y, *, sample_weight=None, n_costs=5, **options):
    return skvus.ROCFront.from_estimator(
        fitted, X, y, sample_weight=sample_weight, n_costs=n_costs, **options
    )


register(
    "ROCFront.from_estimator",
    _from_estimator,
    delegates=True,
    words=("y_true", "y_score"),
    y=known_labels,
)


def _merge(self, other, *, names=None, priors=None):
    return skvus.ROCFront.merge(self, other, names=names, priors=priors)


register("ROCFront.merge", _merge, read_front, words=("front",), self=front)
for _name in ("gini", "delta", "hypervolume"):
    register(f"ROCFront.{_name}", getattr(skvus.ROCFront, _name), SHARE, **FRONT)
for _name in ("compare", "evaluate"):
    register(
        f"ROCFront.{_name}", getattr(skvus.ROCFront, _name), read, words=("front",), **FRONT
    )
register("ROCFront.expected_costs", skvus.ROCFront.expected_costs, finite_numbers, **FRONT)
for _name in (
    "hull",
    "inside_random_simplex",
    "miss_rates",
    "random_simplex_distance",
    "select",
    "predict",
    "mix",
    "to_frame",
):
    register(
        f"ROCFront.{_name}",
        getattr(skvus.ROCFront, _name),
        finite_numbers,
        words=("front", "rule", "cost_matrix", "limits", "member"),
        delegates=_name in ("select", "predict"),  # a score may be anybody's
        **FRONT,
    )
register("ROCFront.miss_rate_front", skvus.ROCFront.miss_rate_front, read_front, self=front)
register(
    "ROCFront.__getitem__",
    skvus.ROCFront.__getitem__,
    words=("front",),
    self=front,
    key=member_keys,
)


def _save_and_load(self, path):
    self.save(path)
    return skvus.ROCFront.load(path)


register("ROCFront.save", _save_and_load, read_front, words=("front", "params"), self=front)
# what is there may be a page that another case has written
register("ROCFront.load", skvus.ROCFront.load, words=("no skvus file",))

# --- rules and what is chosen -----------------------------------------------------

register("LeastCost", skvus.LeastCost, read)
register(
    "WithinLimits",
    skvus.WithinLimits,
    read,
    words=("cost_matrix",),
    limits=limits,
    then=rule,
)
register("Lexicographic", skvus.Lexicographic, read, groups=preferences)
register("BestScore", skvus.BestScore, read, score=best_scores)


def _choose_by(kind, front, value):
    return kind(value).choose(front)


for _name, _parameter, _values in (
    ("LeastCost", "cost_matrix", POOL["cost_matrix"]),
    ("WithinLimits", "limits", limits),
    ("Lexicographic", "groups", preferences),
    ("BestScore", "score", best_scores),
):
    _choose = partial(_choose_by, getattr(skvus, _name))
    register(
        f"{_name}.choose",
        _choose,
        finite_numbers,
        words=(_parameter, "cost_matrix"),
        delegates=_name == "BestScore",
        front=front,
        value=_values,
    )
register("FrontMixture.predict", skvus.FrontMixture.predict, self=a("FrontMixture"))
register(
    "FrontEvaluation.expected_costs",
    skvus.FrontEvaluation.expected_costs,
    finite_numbers,
    self=a("FrontEvaluation"),
)

# --- data -------------------------------------------------------------------------

for _name in datasets.__all__:
    register(
        f"datasets.{_name}",
        getattr(datasets, _name),
        finite_numbers,
        n_samples=one_of(30, 3, [5, 5, 5], (1, 2, 3), np.int8(9)),
        n_classes=one_of(3, 2, 5, 12),
    )
