"""Bad input for fronts."""

import time

import numpy as np
import pandas as pd
import pytest

from skvus import ROCFront

N = 30
Y = np.arange(N) % 3
LEAD = np.random.default_rng(1).random((N, 1))
SCORES = 0.5 * LEAD * np.eye(3)[Y] + 0.5 * np.random.default_rng(0).dirichlet(np.ones(3), N)
EQUAL = 1.0 - np.eye(3)
RATES = np.array([[0.8, 0.1, 0.1], [0.2, 0.7, 0.1], [0.0, 0.1, 0.9]])
TEXT = np.array(["a", "b", "c"])
MASK = [True] + [False] * (N - 1)


def drawn(y_true=Y, y_score=SCORES, **options):
    options = {"n_costs": 100, "random_state": 0, **options}
    return ROCFront.from_predictions(y_true, y_score, **options)


FRONT = drawn()
BARE = ROCFront.from_rates([[[0.9, 0.1], [0.4, 0.6]], [[0.5, 0.5], [0.1, 0.9]]])
# all that takes posterior probabilities
TAKES_SCORES = {
    "from_predictions": lambda y_score: drawn(y_score=y_score),
    "evaluate": lambda y_score: FRONT.evaluate(Y, y_score),
    "predict": lambda y_score: FRONT.predict(y_score, 0),
    "predict by a mixture": lambda y_score: FRONT.mix([0, 1], [1, 1]).predict(y_score, 0),
}
TAKES_LABELS = {
    "from_predictions": lambda y_true: drawn(y_true, labels=[0, 1, 2]),
    "evaluate": lambda y_true: FRONT.evaluate(y_true, SCORES),
    "from_estimator": lambda y: ROCFront.from_estimator(Recorded(), SCORES, y, n_costs=9),
}
TAKES_WEIGHTS = {
    "from_predictions": lambda weight: drawn(sample_weight=weight),
    "evaluate": lambda weight: FRONT.evaluate(Y, SCORES, sample_weight=weight),
    "from_estimator": lambda weight: ROCFront.from_estimator(
        Recorded(), SCORES, Y, sample_weight=weight, n_costs=9
    ),
}


class Recorded:
    """A fitted classifier that gives back what it is given, and counts how often."""

    classes_ = np.arange(3)
    n_calls = 0

    def predict_proba(self, X):
        self.n_calls += 1
        return X


def fails(error, message, function, *args, **kwargs):
    """An error with this message, of readable length, without long work."""
    start = time.perf_counter()
    with pytest.raises(error, match=message) as caught:
        function(*args, **kwargs)
    assert time.perf_counter() - start < 20.0
    assert len(str(caught.value)) < 600


BAD_COSTS = {
    "negative": (-EQUAL, "must not be negative; .* is -1"),
    "all zero": (0 * EQUAL, "must have a positive entry"),
    "diagonal": (np.ones((3, 3)), "must have a zero diagonal"),
    "NaN": (EQUAL * np.nan, "must be finite"),
    "infinite": (np.where(EQUAL > 0, np.inf, 0), "must be finite"),
    "not square": (EQUAL[:2], r"must .*; got .*2, 3\)"),
    "too small": (1 - np.eye(2), r"must have shape .*; got .*2, 2\)"),
    "vector": (np.ones(3), r"must .*; got .*\(3,\)"),
    "four dimensions": ([[EQUAL]], r"must .*; got .*\(1, 1, 3, 3\)"),
    "text": ("equal", "must be a numeric array of one shape; got 'equal'"),
    "ragged": ([[0, 1], [1, 0, 1]], "must be a numeric array of one shape"),
    "masked": (np.ma.masked_array(EQUAL, mask=EQUAL > 0), "must not have masked entries"),
}


BAD_FACTS = [
    ("classes", [0, 1], ValueError, "classes must name the 3 classes of rates; got 2"),
    ("classes", [0, 1, 2, 3], ValueError, "classes must name the 3 classes of rates; got 4"),
    ("classes", [0, 1, 1], ValueError, "classes must not repeat a class"),
    ("classes", "abc", ValueError, "classes must be a non-empty one-dimensional"),
    ("classes", 3, ValueError, "classes must be a non-empty one-dimensional"),
    ("classes", ["a", "b", 3], ValueError, "classes must not mix text and numbers"),
    ("classes", [0, 1, None], ValueError, "classes must not contain missing"),
    ("classes", [0.5, 1.5, 2.5], ValueError, "classes must hold labels"),
    ("class_sizes", [1, 2], ValueError, r"class_sizes must be 3 positive numbers; got \[1.0"),
    ("class_sizes", [1, 2, 0], ValueError, "class_sizes must be 3 positive numbers; got"),
    ("class_sizes", [1, 2, -1], ValueError, "class_sizes must be 3 positive numbers; got"),
    ("class_sizes", 5, ValueError, r"class_sizes must be 3 positive numbers; got 5\.0"),
    ("class_sizes", [1, 2, np.nan], ValueError, "class_sizes must be finite"),
    ("class_sizes", "many", ValueError, "class_sizes must be a numeric array"),
    ("params", [], ValueError, "params must be 1 dicts, .*; got"),
    ("params", [{}, {}], ValueError, "params must be 1 dicts, .*; got"),
    ("params", [3], ValueError, "params must be 1 dicts, .*; got"),
    ("params", "x", ValueError, "params must be 1 dicts, .*; got"),
    ("params", [[("a", 1)]], ValueError, "params must be 1 dicts, .*; got"),
    ("params", 3, (TypeError, ValueError), "params must be 1 dicts, .*; got"),
    ("priors", [0.5, 0.5], ValueError, r"priors must have shape \(3,\), .*; got \(2,\)"),
    (
        "priors",
        [1, 1, 1],
        ValueError,
        "priors must be non-negative and sum to 1; got a sum of 3",
    ),
    ("priors", [-1, 1, 1], ValueError, "priors must be non-negative .* minimum of -1"),
    ("priors", [0, 0, 0], ValueError, "priors must be non-negative and sum to 1"),
    ("priors", [np.nan, 0.5, 0.5], ValueError, "priors must be finite"),
    ("priors", "equal", ValueError, "priors must be a numeric array of one shape; got 'equal'"),
    (
        "priors",
        {0: 0.5, 1: 0.5},
        ValueError,
        r"priors has labels, .* \[0, 1, 2\]; got \[0, 1\]",
    ),
    ("priors", {"a": 1.0}, ValueError, "priors has labels, and it must name the classes"),
    ("priors", pd.Series([0.5, 0.5]), ValueError, "priors has labels, and it must name"),
    ("objectives", "costs", ValueError, "objectives must be one of 'rates', .*; got 'costs'"),
    ("objectives", None, ValueError, "objectives must be one of 'rates', .*; got None"),
]
