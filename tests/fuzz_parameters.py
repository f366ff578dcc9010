"""What each parameter may be, by its name: functions of `draw` and the problem of a case."""

import atexit
import itertools
import os
import tempfile
from functools import cache

import numpy as np
import pandas as pd
from fuzz_values import HUGE, TINY, dressed
from hypothesis import strategies as st
from scipy import stats
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LinearRegression, Perceptron
from sklearn.metrics import balanced_accuracy_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import skvus


def one_of(*values):
    """Parameter that has one of these values."""
    return lambda draw, problem: draw(st.sampled_from(values))


def y_true(draw, problem):
    labels = problem.labels
    if draw(st.integers(0, 7)):
        return draw(dressed(labels))
    if labels.dtype.kind in "USf" or labels.dtype.byteorder == ">":
        return labels
    return pd.Series(labels).astype("category")


def y_pred(draw, problem):
    rng = problem.rng(1)
    wrong = rng.integers(0, problem.n_classes, problem.codes.size)
    codes = np.where(
        rng.random(problem.codes.size) < draw(st.sampled_from([0.3, 0, 1])),
        wrong,
        problem.codes,
    )
    return draw(dressed(problem.classes[codes]))


def _logits(problem, salt):
    logits = problem.rng(salt).normal(size=(problem.codes.size, problem.n_classes))
    logits[np.arange(problem.codes.size), problem.codes] += 1.0
    return logits


def _tiny(probability):
    """Rows as small as floats can be, or nearly."""
    return np.where(probability > 0.3, TINY, probability * 1e-300)


SCORES = {
    "probabilities": lambda p: p,
    "tenths": lambda p: np.round(p, 1),
    "certain": lambda p: (p == p.max(axis=1, keepdims=True)).astype(float),
    "equal": lambda p: np.full_like(p, 1.0 / p.shape[1]),
    "zeros": np.zeros_like,
    "counts": lambda p: np.rint(100 * p).astype(int),
    "tiny": _tiny,
    "huge": lambda p: p * HUGE,
    "of all sizes": lambda p: p ** np.arange(1, 200 * p.shape[1], 200),
    "nearly certain": lambda p: np.where(p > 0.5, 1.0 - 1e-16, 1e-17),
    "logits": np.log,
    "truth": lambda p: p > 0.4,
}


def y_score(draw, problem, salt=2):
    logits = _logits(problem, salt)
    proba = np.exp(logits - logits.max(axis=1, keepdims=True))
    proba /= proba.sum(axis=1, keepdims=True)
    # most cases are to get past the checks
    kinds = ["probabilities"] * 3 + list(SCORES)
    scores = SCORES[draw(st.sampled_from(kinds))](proba)
    if problem.n_classes == 2 and draw(st.booleans()):
        scores = scores[:, 1]
    return draw(dressed(scores, types=True))


def one_score(draw, problem):
    score = problem.codes + problem.rng(3).normal(size=problem.codes.size)
    kind = draw(st.sampled_from(["plain", "tied", "huge", "tiny", "equal"]))
    changes = {"tied": np.rint, "huge": lambda s: s * 1e307, "tiny": lambda s: s * 1e-320}
    changes |= {"plain": lambda s: s, "equal": np.zeros_like}
    return draw(dressed(changes[kind](score), types=True))


def y_scores(draw, problem):
    scores = [y_score(draw, problem, salt) for salt in (2, 4)]
    return {"a": scores[0], "b": scores[1]} if draw(st.booleans()) else scores


def labels(draw, problem):
    return draw(st.sampled_from([None, None, problem.classes, problem.classes.tolist()]))


def sample_weight(draw, problem):
    rng, n = problem.rng(5), problem.codes.size
    kinds = {
        "none": None,
        "ones": np.ones(n),
        "uniform": rng.random(n),
        "whole": rng.integers(0, 4, n),
        "some zero": rng.random(n) * (rng.random(n) < 0.8),
        "huge": rng.random(n) * HUGE,
        "tiny": np.full(n, TINY),
        "of all sizes": 10.0 ** rng.integers(-300, 300, n),
    }
    weight = kinds[draw(st.sampled_from(list(kinds)))]
    return weight if weight is None else draw(dressed(weight, types=True))


def groups(draw, problem):
    return draw(st.sampled_from([None, np.arange(problem.codes.size) // 3]))


def rates(draw, problem, most=6):
    m = draw(st.sampled_from([3, 1, most]))
    drawn = problem.rng(6).dirichlet(np.ones(problem.n_classes), (m, problem.n_classes))
    kind = draw(st.sampled_from(["smooth", "good", "whole", "equal", "one"]))
    if kind == "good":
        drawn = 0.7 * np.eye(problem.n_classes) + 0.3 * drawn
    if kind == "whole":
        drawn = (drawn == drawn.max(axis=2, keepdims=True)).astype(float)
    if kind == "equal":
        drawn[:] = drawn[0]
    if kind == "one":
        return draw(dressed(drawn[0], types=True))
    return draw(st.sampled_from([drawn, drawn.tolist(), drawn.astype(np.float32), drawn[::-1]]))


def class_costs(draw, problem):
    """A cost matrix in any of its forms."""
    labels, q = problem.classes.tolist(), problem.n_classes
    cost = problem.rng(7).random((q, q)) * (1 - np.eye(q))
    cost = cost * draw(st.sampled_from([1.0, 1e300, 1e-300, TINY * 8]))
    kind = draw(st.sampled_from(["array", "ones", "frame", "pairs", "dicts", "dressed"]))
    if kind == "ones":
        return 1 - np.eye(q)
    if kind == "frame":
        return pd.DataFrame(cost, index=labels, columns=labels)
    if kind == "pairs":
        return {(a, b): cost[i, j] for i, a in enumerate(labels) for j, b in enumerate(labels)}
    if kind == "dicts":
        return {a: {b: cost[i, j] for j, b in enumerate(labels)} for i, a in enumerate(labels)}
    return draw(dressed(cost)) if kind == "dressed" else cost


def priors(draw, problem):
    shares = problem.rng(8).dirichlet(np.ones(problem.n_classes))
    if draw(st.booleans()):
        shares = np.eye(problem.n_classes)[0]
    labels = problem.classes.tolist()
    as_dict = dict(zip(labels, shares.tolist(), strict=True))
    return draw(st.sampled_from([None, shares, shares.tolist(), as_dict, pd.Series(as_dict)]))


def random_state(draw, problem):
    kinds = (0, None, np.int64(3), np.random.RandomState, np.random.default_rng)
    kind = draw(st.sampled_from(kinds))
    return kind(0) if callable(kind) else kind


def classes_of_problem(draw, problem):
    return draw(st.sampled_from([problem.n_classes, None, problem.n_classes, 3, 40, 10**4]))


def target_rates(draw, problem):
    value = draw(st.sampled_from([0.5, 0.0, 1.0, 0.3]))
    values = np.full(problem.n_classes, value)
    by_class = dict(zip(problem.classes.tolist(), values.tolist(), strict=True))
    return draw(st.sampled_from([value, values, values.tolist(), by_class]))


def class_weights(draw, problem):
    weights = problem.rng(9).random((draw(st.sampled_from([1, 4])), problem.n_classes))
    weights = weights * draw(st.sampled_from([1.0, 1e300, 1e-310]))
    return draw(dressed(weights if draw(st.booleans()) else weights[0]))


# --- fronts and rules -------------------------------------------------------------


def front(draw, problem):
    """A front of the classes of the problem, as it comes out of each of its makers."""
    kind = draw(st.sampled_from(["bare", "counted", "sized", "drawn", "merged", "misses"]))
    q, rng = problem.n_classes, problem.rng(10)
    rates = 0.5 * np.eye(q) + 0.5 * rng.dirichlet(np.ones(q), (8, q))
    options = {"classes": problem.classes}
    if kind == "misses":
        options["objectives"] = "miss_rates"
    if kind == "sized":
        options["class_sizes"] = rng.random(q) * draw(st.sampled_from([10.0, 1e300, 1e-300]))
    if kind == "counted":
        rates = rng.multinomial(8, np.ones(q) / q, (8, q)) / 8
        options |= {"class_sizes": np.full(q, 8), "params": [{"i": i} for i in range(8)]}
    if kind in ("drawn", "merged"):
        codes = np.append(problem.codes, np.arange(q))
        drawn = skvus.ROCFront.from_predictions(
            problem.classes[codes],
            rng.dirichlet(np.ones(q), codes.size),
            n_costs=20,
            labels=problem.classes,
            random_state=0,
        )
        return (
            drawn
            if kind == "drawn"
            else skvus.ROCFront.merge(drawn, drawn[:1], names=["a", "b"])
        )
    return skvus.ROCFront.from_rates(rates, **options)


def limits(draw, problem):
    a, b = problem.classes.tolist()[:2]
    keys = ({a: 1.0}, {(a, b): 0.5}, {a: 0.4, (b, a): 0.9}, {a: 0.0})
    return draw(st.sampled_from(keys))


def preferences(draw, problem):
    a, b = problem.classes.tolist()[:2]
    return draw(st.sampled_from([[(a, b)], [[a, b]], [[(a, b), (b, a)], a], ((a, b),)]))


def best_scores(draw, problem):
    names = ("accuracy", "balanced_accuracy", "f1_macro", "matthews_corrcoef", "jaccard_macro")
    return draw(st.sampled_from([*names, "macro_average", balanced_accuracy_score]))


def last_member(front):
    return len(front) - 1


def rule(draw, problem):
    makers = {
        "word": lambda: draw(st.sampled_from(["distance", "knee"])),
        "costs": lambda: class_costs(draw, problem),
        "least cost": lambda: skvus.LeastCost(1 - np.eye(problem.n_classes)),
        "limits": lambda: skvus.WithinLimits(limits(draw, problem)),
        "order": lambda: skvus.Lexicographic(preferences(draw, problem)),
        "score": lambda: skvus.BestScore(best_scores(draw, problem)),
        "index": lambda: draw(st.sampled_from([0, -1, np.int8(0), 10**6])),
        "function": lambda: last_member,
    }
    return makers[draw(st.sampled_from(list(makers)))]()


def member_keys(draw, problem):
    keys = (0, -1, 99, slice(None, None, -1), [0], [0, 0], np.array([True]), [], 0.0, (0, 0))
    return draw(st.sampled_from(keys))


# --- classifiers ------------------------------------------------------------------


def features(draw, problem):
    X = problem.rng(11).normal(size=(problem.codes.size, 2)) + problem.codes[:, np.newaxis]
    scale = draw(st.sampled_from([1.0] * 8 + [1e150, 1e-200]))
    return draw(dressed(X * scale, types=True))


ESTIMATORS = (
    GaussianNB,
    GaussianNB,
    lambda: DecisionTreeClassifier(max_depth=2, random_state=0),
    lambda: KNeighborsClassifier(1),
    lambda: make_pipeline(StandardScaler(), GaussianNB()),
    lambda: skvus.ProbabilisticKNeighborsClassifier(2),
)


def estimator(draw, problem):
    wrong = (LinearRegression, Perceptron, lambda: GaussianNB, lambda: None)
    return draw(st.sampled_from([*ESTIMATORS * 5, GaussianNB, *wrong]))()


@cache
def _known(dtype):
    """Data of two or three classes for models that are fitted once."""
    y = np.arange(30) % (2 if dtype == "pair" else 3)
    X = np.random.default_rng(0).normal(size=(30, 2)) + y[:, np.newaxis]
    return X, np.array(["a", "b", "c"])[y] if dtype == "text" else y


def fitted(make):
    """Parameter that is a model, fitted or not."""

    @cache
    def model(dtype):
        return make() if dtype == "unfitted" else make().fit(*_known(dtype))

    return lambda draw, problem: model(
        draw(st.sampled_from(["numbers", "pair", "text", "unfitted"]))
    )


def fitted_estimator(draw, problem):
    model = fitted(GaussianNB)(draw, problem)
    return FrozenEstimator(model) if draw(st.integers(0, 4)) == 0 else model


def known_labels(draw, problem):
    y = np.array(["a", "b", "c"]) if draw(st.booleans()) else np.arange(3)
    return draw(dressed(y[problem.codes % 3]))


def distributions(draw, problem):
    return draw(st.sampled_from([None] * 5 + [{"var_smoothing": stats.loguniform(1e-9, 1)}]))


# --- files ------------------------------------------------------------------------

FOLDER = tempfile.TemporaryDirectory(prefix="skvus-fuzz-")
atexit.register(FOLDER.cleanup)


NUMBERS = itertools.count()


def path(draw, problem):
    """A path in a folder of our own, new or not, or what is none."""
    fresh = f"{next(NUMBERS)}.front"
    kinds = (fresh, "ü", "missing/a", "", "x" * 300)
    if draw(st.integers(0, 2)):
        return os.path.join(FOLDER.name, draw(st.sampled_from(kinds)))
    return draw(st.sampled_from([None, 3, 1.5, True, [], {}, object(), int, np.nan]))


# --- all of them ------------------------------------------------------------------

SOFT_SCORES = ("ordered_vus", "simplified_vus", "angle_vus", "pdi", "hand_till")
POOL = {
    "X": features,
    "a": one_score,
    "alternative": one_of("two-sided", "less", "greater"),
    "average": one_of("macro", "weighted", None),
    "b": one_score,
    "by": lambda draw, problem: draw(st.sampled_from([None, rates(draw, problem)])),
    "candidate": rates,
    "class_sizes": lambda draw, problem: draw(
        st.sampled_from([None, np.full(problem.n_classes, 8), [0.5] * problem.n_classes])
    ),
    "classes": lambda draw, problem: draw(st.sampled_from([None, problem.classes])),
    "coding": one_of("sign", "half", "above"),
    "confidence": one_of(0.95, 0.5, 1e-9, 1.0 - 1e-16),
    "confidence_level": one_of(0.95, 0.5, 1e-9, 1.0 - 1e-16),
    "cost_alpha": one_of(1.0, 0.1, 1e-3, 1e6),
    "cost_matrix": class_costs,
    "costs": class_costs,
    "distance": one_of("euclidean", "sum", "product"),
    "distribution": one_of("normal", "t"),
    "estimator": estimator,
    "exact": one_of(False, True),
    "family": one_of("costs", "weights"),
    "fitted": fitted_estimator,
    "groups": groups,
    "index": rule,
    "kind": one_of("uniform_diagonal", "dirichlet", "normalized_uniform"),
    "labels": labels,
    "limit": one_of("right_angle", "cosine", "sector"),
    "means": one_of((-1.0, 0.0, 1.0), [0.0, 1.0], np.zeros(3), [1e90, -1e90]),
    "members": one_of([0], [0, 0], np.array([0])),
    "n": one_of(1, 3, 0, np.int8(5)),
    "n_bins": one_of(10, 2, 1),
    "n_classes": one_of(3, 2, 5, 10, 40, np.int64(4), 10**4),
    "n_costs": one_of(20, 1, 2, np.int8(100), "all"),
    "n_jobs": one_of(None, 1, 2),
    "n_permutations": one_of(9, 2, np.int8(20)),
    "n_resamples": one_of(9, 2, np.int8(20)),
    "n_samples": one_of(100, 32, np.int8(100)),
    "n_steps": one_of(100, 2, np.int8(20)),
    "n_tuples": one_of(None, 2, np.int8(100), np.uint64(100)),
    "n_weights": one_of(None, 1, np.int8(100)),
    "names": one_of(None, ["a", "b"], "ab"),
    "noise": one_of(1.0, 0.0, 1e300),
    "normalize": one_of(None, "max", "range"),
    "objectives": one_of("rates", "miss_rates", "false_alarms"),
    "odds": one_of([1.0], [0.5, 0.5], np.array([1])),
    "other": front,
    "params": one_of(None, {"a": 1}, [{}, {}, {}]),
    "pareto": one_of(False, True),
    "path": path,
    "power": one_of(0.76, 0.0, 1.0, 1e300, TINY),
    "priors": priors,
    "random_state": random_state,
    "rates": rates,
    "reference": one_of(None, "a", 0),
    "replace_undefined_by": one_of(np.nan, 0.0, -1, np.float32(0.25)),
    "return_details": one_of(False, True),
    "return_posteriors": one_of(False, True),
    "return_std": one_of(False, True),
    "return_volume": one_of(False, True),
    "return_weights": one_of(False, True),
    "rule": rule,
    "sample_weight": sample_weight,
    "scale": one_of(1.0, 0.5, 1e-300, 1e300, [1.0, 2.0, 3.0]),
    "score": one_of(*SOFT_SCORES * 2, *skvus.get_scorer_names(), balanced_accuracy_score),
    "score_params": one_of(None, {}, {"ties": "weak"}, {"nonsense": 1}),
    "score_range": one_of(None, (0.0, 1.0), (-1, 1)),
    "separation": one_of(1.65, 0.0, 1e300),
    "target": target_rates,
    "ties": one_of("share", "strict", "weak"),
    "tol": one_of(1e-9, 0.0, 1.0),
    "variance": one_of(0.03, 1e-300, 1e300),
    "variant": one_of("1a", "1b", "2", "3"),
    "verbose": one_of(0, 1, True),
    "weights": class_weights,
    "y": y_true,
    "y_pred": y_pred,
    "y_score": y_score,
    "y_score_a": y_score,
    "y_score_b": lambda draw, problem: y_score(draw, problem, salt=4),
    "y_scores": y_scores,
    "y_true": y_true,
}
# these decide how long a call takes, and are never left to their defaults
ALWAYS = {"n_costs", "n_permutations", "n_resamples", "n_samples", "n_steps"}
ALWAYS |= {"n_generations", "n_initial", "cv"}  # of a search
# what is wrong with these is drawn here, not anywhere: no files in strange places
NOT_SPOILED = {"self", "path", "checkpoint"}
