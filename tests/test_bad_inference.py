"""Wrong input of inference has its error, which names the parameter."""

from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
import sklearn.metrics
from scipy import sparse
from strategies import softmax_data

from skvus.metrics import (
    compare_many,
    compare_scores,
    get_scorer,
    permutation_test,
    score_inference,
)

Y, PROBA = softmax_data([6, 5, 7])
PRED = PROBA.argmax(axis=1)


def infer(**changes):
    options = {"y_true": Y, "y_score": PROBA, **changes}
    return score_inference(options.pop("y_true"), options.pop("y_score"), **options)


def compare(**changes):
    options = {"y_true": Y, "y_score_a": PROBA, "y_score_b": PROBA[:, ::-1], **changes}
    arrays = [options.pop(name) for name in ("y_true", "y_score_a", "y_score_b")]
    return compare_scores(*arrays, **options)


def many(**changes):
    options = {"y_true": Y, "y_scores": {"a": PROBA, "b": PROBA[:, ::-1]}, **changes}
    return compare_many(options.pop("y_true"), options.pop("y_scores"), **options)


def permute(**changes):
    options = {"y_true": Y, "y_score": PROBA, "n_permutations": 5, **changes}
    return permutation_test(options.pop("y_true"), options.pop("y_score"), **options)


every = pytest.mark.parametrize("function", [infer, compare, many, permute])


@every
@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"score": "auc"}, "score must be one of 'angle_vus'"),
        ({"score": "accuracy"}, r"It may also be .* as sklearn\.metrics\.accuracy_score\.$"),
        ({"score": "best"}, r"'best'\. It may also be a function of \(y_true, y_score\)\.$"),
        ({"score": "expected_cost"}, r"function, expected_cost, and score_params=\{'cost_"),
        ({"score": "roc_auc_ovo"}, "scikit-learn calls roc_auc_ovo is 'hand_till' here"),
        ({"n_jobs": 2**63}, "n_jobs must be between ±10,000; got"),
        ({"n_jobs": -(10**30)}, "n_jobs must be between ±10,000; got"),
        ({"score": None}, "score must be a callable or one of angle_vus"),
        ({"score": 3}, "score must be a callable or one of"),
        ({"score": int}, "score must be a callable or one of"),
        ({"score_params": [1]}, "score_params must be a dict of parameters by name"),
        ({"score_params": {1: 2}}, "score_params must be a dict of parameters by name"),
        ({"score_params": {"colour": 1}}, "score_params of 'ordered_vus' must be among dist"),
        ({"score_params": {"labels": [0, 1]}}, "score_params of 'ordered_vus' must be among"),
        ({"score_params": {"n_jobs": 1}}, "score_params of 'ordered_vus' must be among"),
        ({"score_params": {"distance": "far"}}, "distance must be one of"),
        ({"score": "pdi", "score_params": {"average": None}}, r"score_params\['average'\]"),
        (
            {"score": "simplified_vus_score"},
            "score must be one of .* Did you mean simplified_vus",
        ),
        ({"n_jobs": 0}, "n_jobs must be None or an integer other than 0"),
        ({"n_jobs": 1.5}, "n_jobs must be None or an integer other than 0"),
        ({"verbose": -1}, "verbose must be an integer of at least 0"),
        ({"verbose": "yes"}, "verbose must be an integer of at least 0"),
        ({"random_state": "seed"}, "random_state must be None, an int"),
        ({"groups": [0, 1]}, r"groups must have shape \(18,\)"),
        ({"groups": np.eye(18)}, r"groups must have shape \(18,\)"),
        ({"groups": 3}, r"groups must have shape \(18,\)"),
        ({"groups": [*range(17), np.nan]}, "groups must not contain missing values"),
        ({"groups": [*"abcdefghijklmnopq", None]}, "groups must be of one type and none"),
        ({"groups": [[0]] * 17 + [[1, 2]]}, "groups must be a one-dimensional array"),
        ({"groups": np.ma.array(np.arange(18), mask=[1] + [0] * 17)}, "groups must not have"),
        ({"groups": [Decimal(k) for k in range(17)] + [Decimal("sNaN")]}, "groups must"),
        ({"groups": [*"abcdefghijklmnopq", 3]}, "groups must be of one type"),
        ({"groups": [*"abcdefghijklmnopq", np.nan]}, "groups must be of one type and none"),
        ({"groups": [1, "1"] * 9}, "groups must be of one type"),
        ({"sample_weight": np.ones(3)}, r"sample_weight must have shape \(18,\)"),
        ({"sample_weight": -np.ones(18)}, "sample_weight must not be negative"),
        ({"sample_weight": np.zeros(18)}, "sample_weight must have a positive entry"),
        ({"labels": [0, 1]}, "labels"),
        ({"labels": [0, 1, 1]}, "labels must not repeat"),
        ({"y_true": Y[:5]}, "must have the same length"),
        ({"y_true": Y + 0.5}, "y_true must hold labels"),
        ({"y_true": sparse.csr_array([Y])}, "y_true must be a dense array"),
    ],
)
def test_options(function, changes, message):
    with pytest.raises((ValueError, TypeError), match=message):
        function(**changes)


@pytest.mark.parametrize("function", [infer, compare, many])
@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"method": "wald"}, "method must be one of 'auto', 'delong'"),
        ({"n_resamples": 1}, "n_resamples must be an integer of at least 2"),
        ({"n_resamples": 10.5}, "n_resamples must be an integer of at least 2"),
        ({"n_resamples": 10**9}, "n_resamples must be at most"),
        (
            {"score": "soft_polytope_vus", "method": "delong"},
            "method='delong' takes scores that are means over tuples, which 'soft_polytope",
        ),
        (
            {"score": "simplified_vus", "method": "delong", "score_params": {"method": "grid"}},
            "method='delong' takes scores that are means over tuples",
        ),
    ],
)
def test_options_of_estimates(function, changes, message):
    with pytest.raises(ValueError, match=message):
        function(**changes)


@pytest.mark.parametrize(
    ("function", "name", "generic"),
    [
        (infer, "y_score", "y_score"),
        (permute, "y_score", "y_score"),
        (compare, "y_score_b", "y_score_b"),
        (many, "y_scores", r"y_scores\['b'\]"),
    ],
)
@pytest.mark.parametrize(
    ("bad", "score", "message"),
    [
        (PROBA[:, :2], "ordered_vus", "must have one column for each of the 3 classes"),
        (PROBA[:5], "ordered_vus", "must have the same length"),
        (PROBA * np.nan, "pdi", "must be finite"),
        (2 * PROBA, "ordered_vus", "must have rows that sum to 1"),
        (-PROBA, "simplified_vus", "must not be negative"),
        (-PROBA, "soft_polytope_vus", "must not be negative"),
        (2 * PROBA, "angle_vus", "must have rows that sum to 1"),
        (PROBA, "ordinal_vus", r"must have shape \(n_samples,\), one score"),
        ([["a"] * 3] * 18, "hand_till", "must hold numbers; got text such as 'a'"),
        (sparse.csr_array(PROBA), "pdi", "must be a dense array"),
        (PROBA, "macro_average", "must be a non-empty one-dimensional"),
        ([*"abcdefghijklmnopqr"], "macro_average", "labels of one type"),
    ],
)
def test_predictions(function, name, generic, bad, score, message):
    good = {"ordinal_vus": PROBA[:, 0], "macro_average": PRED}.get(score, PROBA)
    rows = {"a": good, "b": bad} if name == "y_scores" else bad
    changes = {name: rows, "score": score}
    if function is compare:
        changes["y_score_a"] = good
    with pytest.raises((ValueError, TypeError), match=message) as caught:
        function(**changes)
    if "labels of one type" not in message:
        assert any(part in str(caught.value) for part in (generic.replace("\\", ""), "y_true"))


def test_scores_of_no_array():
    with pytest.raises(ValueError, match="y_score must be an array, a row a case; got 3"):
        infer(y_score=3, score=lambda y, p: 0.5)


@every
def test_scorers_are_no_scores(function):
    for scorer in (get_scorer("pdi"), sklearn.metrics.get_scorer("accuracy")):
        with pytest.raises(ValueError, match="score must be a name or a function of"):
            function(score=scorer)


def test_masked_predictions_of_functions():
    masked = np.ma.array(PROBA, mask=PROBA > 0.5)
    with pytest.raises(ValueError, match="y_score must not have masked entries"):
        infer(y_score=masked, score=lambda y, p: 0.5)


@pytest.mark.parametrize("function", [infer, compare, many])
def test_ranges(function):
    for bad in ((0, 0), (1, 0), 3, (0, 1, 2), ("a", "b"), (0, np.inf), (-1e308, 1e308)):
        with pytest.raises(ValueError, match=r"score_range must (be|hold numbers)"):
            function(score=lambda y, p: 0.5, score_range=bad)
    with pytest.raises(ValueError, match="score_range must be None for 'pdi'"):
        function(score="pdi", score_range=(0, 1))


def test_functions_that_return_no_number():
    with pytest.raises(ValueError, match="score must return one number"):
        infer(score=lambda y, p: [0.1, 0.2], random_state=0)
    with pytest.raises(ValueError, match="score must return one number"):
        infer(score=lambda y, p: "good", random_state=0)
    with pytest.raises(ValueError, match="score must return one number"):
        infer(score=lambda y, p: None, random_state=0)


def test_alternatives_and_names():
    for function in (compare, many):
        with pytest.raises(ValueError, match="alternative must be one of 'two-sided', 'less'"):
            function(alternative="better")
    with pytest.raises(ValueError, match="reference must be one of 'a', 'b'; got 'c'"):
        many(reference="c")
    for bad in (np.array([]), np.array("a"), ["a"], pd.NA):
        with pytest.raises(ValueError, match="reference must be one of 'a', 'b'; got"):
            many(reference=bad)
    with pytest.raises(ValueError, match="at least two classifiers; got 1"):
        many(y_scores={"a": PROBA})
    for bad in (PROBA, 3, "ab", None):
        with pytest.raises(ValueError, match="y_scores must be a dict of predictions by name"):
            many(y_scores=bad)


def test_intervals():
    for result in (infer(), compare()):
        for level in (0.0, 1.0, 95, -0.5):
            with pytest.raises(ValueError, match="confidence_level must lie between 0 and 1"):
                result.confidence_interval(level)
        with pytest.raises(ValueError, match="confidence_level must be a finite number"):
            result.confidence_interval("95%")
        with pytest.raises(ValueError, match="distribution must be one of 'normal', 't'"):
            result.confidence_interval(distribution="cauchy")
    with pytest.raises(ValueError, match="scale must be one of 'auto', 'logit', 'identity'"):
        infer().confidence_interval(scale="log")
    with pytest.raises(ValueError, match="scale='percentile' needs method='bootstrap'"):
        infer().confidence_interval(scale="percentile")


def test_number_of_shuffles():
    for bad in (0, 1, 2.5, "many"):
        with pytest.raises(ValueError, match="n_permutations must be an integer of at least 2"):
            permute(n_permutations=bad)


def test_errors_come_before_any_work():
    def never(y_true, y_pred):
        raise AssertionError

    for changes in ({"groups": [0]}, {"n_jobs": 0}, {"sample_weight": [1.0]}):
        with pytest.raises(ValueError, match=next(iter(changes))):
            infer(score=never, **changes)


def test_numbers_of_draws_of_any_integer_type():
    small = np.int8(100)
    options = {"score": "soft_polytope_vus", "random_state": 0}
    assert infer(n_resamples=small, **options).standard_error == pytest.approx(
        infer(n_resamples=100, **options).standard_error, rel=1e-12
    )
    assert permute(n_permutations=small, **options) == permute(n_permutations=100, **options)


@every
@pytest.mark.parametrize("bad", [3, None, [[0.5], [0.5, 0.5]]])
def test_predictions_of_a_function_that_are_no_array(function, bad):
    name = {"compare": "y_score_a", "many": "y_scores"}.get(function.__name__, "y_score")
    value = {"a": bad, "b": PROBA} if name == "y_scores" else bad
    with pytest.raises(ValueError, match=r"y_score.* must be an array, a row a case; got"):
        function(**{name: value}, score=lambda y, p: 0.5)


def test_swapped_arguments_of_comparisons():
    for arguments in ((PROBA, PROBA, Y), (PROBA, Y, PROBA), (PROBA, Y, Y)):
        with pytest.raises(ValueError, match=r"arguments swapped\? y_true comes first\.$"):
            compare_scores(*arguments)
    text = np.array(["a", "b", "c"])[Y]
    with pytest.raises(ValueError, match=r"y_score_b must hold numbers; .* give predict_proba"):
        compare_scores(text, PROBA, text)


def test_probabilities_for_labels_in_inference():
    code = r"y_score_b must be .* take y_score\.argmax\(axis=1\)\.$"
    with pytest.raises(ValueError, match=code):
        compare_scores(Y, Y, PROBA, score="macro_average")
