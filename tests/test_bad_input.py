"""Every wrong input has its error, which names the parameter, or its documented outcome."""

import re
import warnings
from enum import Enum
from functools import partial

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import confusion_matrix
from test_invariances import CRISP, PROBABILITIES, REAL, SOFT

import skvus
from skvus._hints import hinting, labels_for_scores, scores_for_labels, swapped
from skvus.metrics import (
    angle_vus_score,
    discard_polytope,
    expected_cost,
    hand_till_crisp_score,
    hand_till_score,
    is_discarded,
    modified_macro_average_score,
    one_vs_rest_auc_score,
    operating_points,
    ordered_vus_bounds,
    ordered_vus_score,
    ordinal_vus_score,
    pdi_score,
    polytope_vus,
    polytope_vus_bounds,
    polytope_vus_score,
    random_simplex_volume,
    sample_better_than_random,
    simplified_vus_score,
    soft_polytope_vus_score,
)
from skvus.metrics._scorers import SCORERS

COST = {"expected_cost": partial(expected_cost, cost_matrix=1 - np.eye(3), priors=[1 / 3] * 3)}
CRISP_OR_COST = {**CRISP, **COST}
SCORES = {**CRISP, **SOFT}
EVERYTHING = {**SCORES, **COST}

Y_TRUE = [0, 0, 1, 1, 2, 2]
Y_PRED = [0, 1, 1, 1, 2, 0]
Y_SCORE = 0.6 * np.eye(3)[Y_PRED] + 0.4 * np.random.default_rng(0).dirichlet(np.ones(3), 6)
every_function = pytest.mark.parametrize("name", EVERYTHING)
every_score = pytest.mark.parametrize("name", SCORES)


def prediction_for(name):
    return Y_SCORE if name in SOFT else Y_PRED


MISSING = pd.Series(["a", "a", "b", "b", "c", None], dtype="string")
MIXED = np.array([0, 1, "two"], dtype=object)
LISTS = pd.Series([[label] for label in Y_TRUE])
ONE_LIST = np.array([*Y_TRUE[:5], None], dtype=object)
ONE_LIST[5] = [2]
# what is wrong with a vector of labels: value, error, message after the parameter's name
BAD_LABELS = {
    "sparse": (sparse.csr_array([Y_TRUE]), TypeError, "must be a dense array"),
    "two columns": (np.eye(6, 2, dtype=int), ValueError, "must be a non-empty one-dim"),
    "one row": ([Y_TRUE], ValueError, "must be a non-empty one-dimensional"),
    "scalar": (1, ValueError, "must be a non-empty one-dimensional"),
    "None": (None, ValueError, "must be a non-empty one-dimensional"),
    "empty": ([], ValueError, "must be a non-empty one-dimensional"),
    "ragged": ([[0], [0, 1], [1], [1], [2], [2]], ValueError, ""),
    "NaN": ([0, 0, 1, 1, 2, np.nan], ValueError, "must be finite"),
    "infinity": ([0, 0, 1, 1, 2, np.inf], ValueError, "must be finite"),
    "missing": ([0, 0, 1, 1, 2, None], ValueError, "must not contain missing"),
    "missing text": (["a", "a", "b", "b", "c", None], ValueError, "must not contain missing"),
    "NaN among text": (
        MISSING.to_numpy(na_value=np.nan),
        ValueError,
        "must not contain missing",
    ),
    "pandas NA among text": (MISSING, ValueError, "must not contain missing"),
    "pandas NA among numbers": (pd.Series([0, None] * 3, dtype="Int64"), ValueError, "must "),
    "continuous": (
        [0.1, 0.2, 1.3, 1.4, 2.5, 2.6],
        ValueError,
        "must hold .*labels.* continuous",
    ),
    "text and numbers": ([0, 0, 1, 1, 2, "two"], ValueError, "must .*text (and|or) numbers"),
    "objects": (MIXED.repeat(2), ValueError, "must not mix text and numbers"),
    "bytes and numbers": (
        [b"a", b"a", 1, 1, 2, 2],
        ValueError,
        "must not mix numbers and bytes",
    ),
    "bytes and text": (
        [b"a", b"a", "b", "b", "c", "c"],
        ValueError,
        "must not mix text and bytes",
    ),
    "lists of one": (LISTS, ValueError, "must hold one label for each case"),
    "a list among numbers": ([*Y_TRUE[:5], [2]], ValueError, "must be a one-dimensional"),
    "a list among objects": (ONE_LIST, ValueError, "must hold one label for each case"),
}


@every_function
@pytest.mark.parametrize("case", BAD_LABELS)
def test_bad_y_true(name, case):
    value, error, message = BAD_LABELS[case]
    with pytest.raises(error, match=f"y_true.*{message}"):
        EVERYTHING[name](value, prediction_for(name))


@pytest.mark.parametrize("name", CRISP_OR_COST)
@pytest.mark.parametrize("case", BAD_LABELS)
def test_bad_y_pred(name, case):
    value, error, message = BAD_LABELS[case]
    with pytest.raises(error, match=f"y_pred.*{message}"):
        EVERYTHING[name](Y_TRUE, value)


@pytest.mark.parametrize("name", CRISP_OR_COST)
def test_different_lengths(name):
    with pytest.raises(ValueError, match="y_true and y_pred must have the same length"):
        EVERYTHING[name](Y_TRUE[:5], Y_PRED)


@pytest.mark.parametrize("name", CRISP_OR_COST)
def test_probabilities_are_no_labels(name):
    with pytest.raises(
        ValueError, match=r"y_pred must be .*\(6, 3\)\. .* take y_score.argmax\(axis=1\)\.$"
    ):
        EVERYTHING[name](Y_TRUE, Y_SCORE)


@pytest.mark.parametrize("name", CRISP_OR_COST)
def test_decisions_by_probabilities_are_shown_as_code(name):
    text = np.array(["a", "b", "c"])[Y_TRUE]
    code = "np.unique(y_true)[y_score.argmax(axis=1)]"
    with pytest.raises(ValueError, match=rf"y_pred must be .* take {re.escape(code)}\.$"):
        EVERYTHING[name](text, Y_SCORE)
    code = code.replace("y_score.", "np.asarray(y_score).")
    with pytest.raises(ValueError, match=re.escape(code)):
        EVERYTHING[name](text, Y_SCORE.tolist())
    with pytest.raises(ValueError, match=r"columns: np\.unique\(y_true\)\[y_pred\]\.$"):
        EVERYTHING[name](text, Y_SCORE.argmax(axis=1))
    with pytest.raises(ValueError, match=r"y_true holds text, y_pred numbers\.$"):
        EVERYTHING[name](text, Y_SCORE.argmax(axis=1) + 1)


def test_labels_of_text_for_codes():
    code = r"np\.asarray\(labels\)\[y_true\] and np\.asarray\(labels\)\[y_pred\]"
    with pytest.raises(
        ValueError, match=f"y_true and y_pred hold numbers, labels text.*{code}"
    ):
        polytope_vus_score(Y_TRUE, Y_PRED, labels=["a", "b", "c"])
    with pytest.raises(ValueError, match=r"columns: np\.asarray\(labels\)\[y_true\]\.$"):
        pdi_score(Y_TRUE, Y_SCORE, labels=["a", "b", "c"])
    with pytest.raises(ValueError, match=r"y_true holds text, labels numbers\.$"):
        pdi_score(list("aabbcc"), Y_SCORE, labels=[0, 1, 2])


SWAPPED = r" Are the arguments swapped\? y_true comes first\.$"


@every_function
@pytest.mark.parametrize("y", [Y_TRUE, list("aabbcc"), pd.Series(list("aabbcc"))])
def test_swapped_arguments(name, y):
    with pytest.raises(ValueError, match=SWAPPED):
        EVERYTHING[name](Y_SCORE, y)


def test_swapped_arguments_of_one_column():
    for y in (list("aabbcc"), [0, 0, 1, 1, 1, 1]):
        with pytest.raises(ValueError, match=SWAPPED):
            ordinal_vus_score(Y_SCORE[:, 0], y)


@pytest.mark.parametrize("name", SOFT)
def test_labels_where_scores_are_wanted(name):
    text = np.array(["a", "b", "c"])
    message = (
        "y_score must hold numbers; got text such as 'a'. These look like labels: give predi"
    )
    for labels in (text[Y_PRED], text[Y_PRED].tolist(), pd.Series(text[Y_PRED])):
        with pytest.raises(ValueError, match=message):
            SOFT[name](text[Y_TRUE], labels)
    for labels in (Y_PRED, np.array(Y_PRED, dtype=float)):
        with pytest.raises(
            ValueError, match=r"one-dim.* predicted labels: give predict_proba\.$"
        ):
            SOFT[name](Y_TRUE, labels)
        with pytest.raises(ValueError, match=r" predicted labels: give predict_proba\.$"):
            SOFT[name](text[Y_TRUE], labels)
    with pytest.raises(ValueError, match=r"one-dimensional scores\.$"):
        SOFT[name](Y_TRUE, Y_SCORE[:, 0])


def test_columns_without_numbers_are_named():
    frame = pd.DataFrame(Y_SCORE, columns=list("abc")).assign(city="Alba", day="monday")
    with pytest.raises(ValueError, match=r"its columns \['city', 'day'\] do not\.$"):
        pdi_score(Y_TRUE, frame)
    frame = frame.assign(b=pd.NA)
    with pytest.raises(ValueError, match=r"its columns \['city', 'day'\] do not\.$"):
        pdi_score(Y_TRUE, frame)
    with pytest.raises(ValueError, match=r"y_score must be finite; it has missing values\.$"):
        pdi_score(Y_TRUE, frame[["a", "b", "c"]])


class Strange:
    """Raises at whatever it is asked."""

    def __getattr__(self, name):
        raise RuntimeError(name)

    def __len__(self):
        raise RuntimeError("len")


def test_hints_do_not_fail():
    for value in (Strange(), object(), {"a": 1}, iter([1]), b"a", 1j, [[1], [2, 3]]):
        for hint in (swapped, labels_for_scores, scores_for_labels):
            with pytest.raises(ValueError, match=r"^this$"), hinting(hint, value, value):
                raise ValueError("this")


@every_function
def test_first_missing_row_is_told(name):
    with pytest.raises(ValueError, match=r"y_true must be finite; .*, first in row 2\.$"):
        EVERYTHING[name]([0, 0, np.nan, 1, 2, np.nan], prediction_for(name))
    with pytest.raises(ValueError, match=r"y_true must not contain .*the first is in row 2\.$"):
        EVERYTHING[name](["a", "a", None, "b", "c", None], prediction_for(name))
    if name in SOFT:
        y_score = Y_SCORE.copy()
        y_score[[3, 4], [2, 0]] = np.nan
        with pytest.raises(ValueError, match=r"y_score must be finite; .*, first in row 3\.$"):
            SOFT[name](Y_TRUE, y_score)


@every_function
@pytest.mark.parametrize("null", ["\0", b"\0"])
def test_nulls_at_the_end_are_not_dropped(name, null):
    a, c = ("a", "c") if isinstance(null, str) else (b"a", b"c")
    y_true = np.array([a, a, a + null, a + null, c, c], dtype=object)
    labels = [y_true, list(y_true)]
    if isinstance(null, str) and hasattr(np.dtypes, "StringDType"):
        labels.append(y_true.astype(np.dtypes.StringDType()))
    for kept in labels:
        with pytest.raises(
            ValueError, match=r"y_true must not hold .* null character; got b?'a"
        ):
            EVERYTHING[name](kept, Y_SCORE if name in SOFT else kept)


@every_function
def test_text_among_numbers_is_not_taken_for_text(name):
    mixed = ["0", "0", 1, 1, 2, 2]
    with pytest.raises(ValueError, match="y_true must not mix text and numbers"):
        EVERYTHING[name](mixed, Y_SCORE if name in SOFT else mixed)


@pytest.mark.parametrize("name", CRISP_OR_COST)
def test_text_against_numbers(name):
    text = [str(label) for label in Y_PRED]
    with pytest.raises(ValueError, match=r"one type, .*y_true holds numbers, y_pred text"):
        EVERYTHING[name](Y_TRUE, text)
    with pytest.raises(ValueError, match=r"one type, .*y_true holds text, y_pred numbers"):
        EVERYTHING[name](text, Y_PRED)


BAD_LABELS_ARGUMENT = {
    "repeated": ([0, 1, 2, 2], ValueError, "labels must not repeat a class"),
    "one": ([0], ValueError, "labels must .*at least two"),
    "none": ([], ValueError, "labels must be .*one-dimensional"),
    "two-dimensional": ([[0, 1, 2]], ValueError, "labels must be .*one-dimensional"),
    "set": ({0, 1, 2}, ValueError, "labels must be .*one-dimensional"),
    "word": ("012", ValueError, "labels must be .*one-dimensional"),
    "text": (["0", "1", "2"], ValueError, "labels must hold labels of one type"),
    "text and numbers": ([0, 1, "two"], ValueError, "labels must .*text"),
    "objects": (MIXED, ValueError, "labels must not mix text and numbers"),
    "missing": ([0, 1, None], ValueError, "labels must not contain missing"),
    "NaN": ([0, 1, np.nan], ValueError, "labels must be finite"),
    "continuous": ([0.5, 1.5, 2.5], ValueError, "labels must .* continuous"),
    "sparse": (sparse.csr_array([[0, 1, 2]]), TypeError, "labels must be a dense array"),
}


@every_function
@pytest.mark.parametrize("case", BAD_LABELS_ARGUMENT)
def test_bad_labels(name, case):
    labels, error, message = BAD_LABELS_ARGUMENT[case]
    with pytest.raises(error, match=message):
        EVERYTHING[name](Y_TRUE, prediction_for(name), labels=labels)


@every_function
def test_unknown_labels(name):
    with pytest.raises(ValueError, match=r"labels= does not name: \[2\]"):
        EVERYTHING[name](Y_TRUE, prediction_for(name), labels=[0, 1, 7])


@pytest.mark.parametrize("name", CRISP_OR_COST)
def test_unknown_predicted_labels(name):
    with pytest.raises(ValueError, match=r"labels= does not name: \[-1\]"):
        EVERYTHING[name](Y_TRUE, [0, 1, 1, 1, 2, -1], labels=[0, 1, 2])


# no score exists: arguments of crisp and of soft scores, message
UNDEFINED = {
    "named class without cases": (
        ([0, 0, 1, 1], [0, 1, 1, 0], {"labels": [0, 1, 2]}),
        ([0, 0, 1, 1], Y_SCORE[:4], {"labels": [0, 1, 2]}),
        r"no case .*\[2\]",
    ),
    "class that is only predicted": (
        ([0, 0, 1, 1], [0, 1, 1, 2], {}),
        ([0, 0, 1, 1], Y_SCORE[:4], {}),
        r"no case .*\[2\]|3 columns",
    ),
    "one class": (
        (["a", "a"], ["a", "a"], {}),
        (["a", "a"], [0.2, 0.6], {}),
        "Only one class|one column for two classes",
    ),
    "one class of two that are named": (
        ([1, 1, 1], [0, 1, 1], {"labels": [0, 1]}),
        ([1, 1, 1], [[0.5, 0.5], [0.2, 0.8], [0.1, 0.9]], {"labels": [0, 1]}),
        r"no case .*\[0\]",
    ),
    "class without weight": (
        (Y_TRUE, Y_PRED, {"sample_weight": [1, 1, 1, 1, 0, 0]}),
        (Y_TRUE, Y_SCORE, {"sample_weight": [1, 1, 1, 1, 0, 0]}),
        r"no case .*\[2\]",
    ),
}


@every_score
@pytest.mark.parametrize("case", UNDEFINED)
def test_undefined(name, case):
    crisp, soft, message = UNDEFINED[case]
    y_true, prediction, options = soft if name in SOFT else crisp
    with pytest.warns(UndefinedMetricWarning, match=message):
        result = SCORES[name](y_true, prediction, **options)
    assert np.isnan(result)
    assert type(result) is float
    # a number was asked for: it comes without a warning, which would be an error here
    for number in (0.0, 0.25, -1):
        result = SCORES[name](y_true, prediction, **options, replace_undefined_by=number)
        assert result == number
        assert type(result) is float


@every_score
def test_replacement_changes_nothing_where_the_score_exists(name):
    expected = SCORES[name](Y_TRUE, prediction_for(name))
    replaced = SCORES[name](Y_TRUE, prediction_for(name), replace_undefined_by=0.0)
    assert replaced == expected > 0.0


@every_function
@pytest.mark.parametrize("value", ["worst", None, 1j, True, [0.0]])
def test_bad_replacement(name, value):
    with pytest.raises(ValueError, match="replace_undefined_by must be a number"):
        EVERYTHING[name](Y_TRUE, prediction_for(name), replace_undefined_by=value)


BAD_WEIGHTS = {
    "too wide": (
        [1e308, 1, 1, 1, 1, 5e-324],
        ValueError,
        "sample_weight must not span so wide",
    ),
    "too wide for all digits": (
        [1e300, 1, 1, 1, 1, 1.3e-20],
        ValueError,
        "sample_weight must not span so wide",
    ),
    "negative": ([1, 1, 1, 1, 1, -1], ValueError, "sample_weight must not be negative"),
    "NaN": ([1, 1, 1, 1, 1, np.nan], ValueError, "sample_weight must be finite"),
    "infinite": ([1, 1, 1, 1, 1, np.inf], ValueError, "sample_weight must be finite"),
    "too short": ([1] * 5, ValueError, r"sample_weight must have shape \(6,\)"),
    "too long": ([1] * 7, ValueError, r"sample_weight must have shape \(6,\)"),
    "scalar": (2.0, ValueError, r"sample_weight must have shape \(6,\)"),
    "column": (np.ones((6, 1)), ValueError, r"sample_weight must have shape \(6,\)"),
    "all zero": (np.zeros(6), ValueError, "sample_weight must have a positive entry"),
    "text": (list("abcdef"), ValueError, "sample_weight must hold numbers; got text"),
    "name": ("balanced", ValueError, "sample_weight must be a numeric array"),
    "sparse": (sparse.csr_array(np.ones((1, 6))), TypeError, "sample_weight must be a dense"),
}


@every_function
@pytest.mark.parametrize("case", BAD_WEIGHTS)
def test_bad_sample_weight(name, case):
    weights, error, message = BAD_WEIGHTS[case]
    with pytest.raises(error, match=message):
        EVERYTHING[name](Y_TRUE, prediction_for(name), sample_weight=weights)


BAD_SCORES = {
    "NaN": ([*Y_SCORE[:5], [0.5, 0.5, np.nan]], ValueError, "y_score must be finite"),
    "infinite": ([*Y_SCORE[:5], [0.5, 0.5, np.inf]], ValueError, "y_score must be finite"),
    "too few columns": (Y_SCORE[:, :2], ValueError, "y_score must have one column for each"),
    "one column": (Y_SCORE[:, 0], ValueError, "y_score must have one column for each"),
    "too short": (Y_SCORE[:5], ValueError, "y_true and y_score must have the same length"),
    "too short, too wide": (
        np.full((5, 4), 0.25),
        ValueError,
        "y_true and y_score must have the same length",
    ),
    "three-dimensional": (Y_SCORE[np.newaxis], ValueError, "y_score must have shape"),
    "empty": (np.empty((0, 3)), ValueError, "y_score must have shape"),
    "text": (
        Y_SCORE.astype(str).tolist()[:5] + [["x"] * 3],
        ValueError,
        "y_score must hold numbers; got text such as 'x'",
    ),
    "ragged": ([[1.0], [0.5, 0.5]], ValueError, "y_score must be a numeric array"),
    "sparse": (sparse.csr_array(Y_SCORE), TypeError, "y_score must be a dense array"),
}


@pytest.mark.parametrize("name", SOFT)
@pytest.mark.parametrize("case", BAD_SCORES)
def test_bad_y_score(name, case):
    y_score, error, message = BAD_SCORES[case]
    with pytest.raises(error, match=message):
        SOFT[name](Y_TRUE, y_score)


@pytest.mark.parametrize("name", SOFT)
@pytest.mark.parametrize("y_score", [Y_SCORE - 0.3, np.log(Y_SCORE)])
def test_negative_scores(name, y_score):
    if name in REAL:
        assert 0.0 <= SOFT[name](Y_TRUE, y_score) <= 1.0
    else:
        with pytest.raises(ValueError, match="y_score must not be negative"):
            SOFT[name](Y_TRUE, y_score)


@pytest.mark.parametrize("name", SOFT)
def test_rows_that_do_not_sum_to_one(name):
    y_score = Y_SCORE.copy()
    y_score[3] *= 1.5
    if name in PROBABILITIES:
        with pytest.raises(ValueError, match=r"rows that sum to 1 .*; row 3, .*sums to 1\.5"):
            SOFT[name](Y_TRUE, y_score)
        with pytest.raises(
            ValueError, match=r"y_score / y_score\.sum\(axis=1, keepdims=True\)"
        ):
            SOFT[name](Y_TRUE, 100.0 * Y_SCORE)
        y_score[3] = [0.5, 0.25, 0.250012]
        with pytest.raises(ValueError, match=r"sums to 1\.000012\."):  # not "to 1"
            SOFT[name](Y_TRUE, y_score)
        # single precision and six printed digits pass
        rounded = np.round(Y_SCORE, 6)
        rounded[0, 0] += 1.5e-6
        assert SOFT[name](Y_TRUE, rounded) == pytest.approx(SOFT[name](Y_TRUE, Y_SCORE))
    else:
        assert 0.0 <= SOFT[name](Y_TRUE, y_score) <= 1.0


@pytest.mark.parametrize("name", SOFT)
def test_more_columns_than_labels(name):
    y_score = np.column_stack([Y_SCORE, np.zeros(6)])
    with pytest.raises(ValueError, match="y_score must have one column for each of the 3"):
        SOFT[name](Y_TRUE, y_score, labels=[0, 1, 2])
    message = (
        r"y_score has 4 columns, y_true 3 classes \[0, 1, 2\]\. .* else drop the column\. "
    )
    with pytest.warns(UndefinedMetricWarning, match=message):
        assert np.isnan(SOFT[name](Y_TRUE, y_score))


@pytest.mark.parametrize(
    ("columns", "what"),
    [
        ([0, 1, 2, "sum"], "the column 'sum'"),
        (range(3, 7), "the column"),
        ("xy012", "2 columns, "),
    ],
)
def test_columns_that_are_no_classes_are_named(columns, what):
    frame = pd.DataFrame(np.zeros((6, len(columns))), columns=list(columns))
    with pytest.warns(UndefinedMetricWarning, match=f"; else drop {what}"):
        pdi_score(Y_TRUE, frame)


def test_one_class_and_one_column():
    message = r"y_score has one column for two classes, y_true only one class \['a'\]"
    with pytest.warns(UndefinedMetricWarning, match=message):
        hand_till_score(["a", "a"], [0.1, 0.2])


# functions of rates, and the name under which they take them
TAKE_RATES = {
    "polytope_vus": (polytope_vus, "rates"),
    "discard_polytope": (discard_polytope, "rates"),
    "is_discarded, first": (lambda rates: is_discarded(rates, None), "candidate"),
    "is_discarded, second": (lambda rates: is_discarded(np.eye(3), rates), "by"),
}
GOOD = np.array([[0.8, 0.1, 0.1], [0.2, 0.7, 0.1], [0.0, 0.1, 0.9]])
SHAPE = r"must have shape \(Q, Q\) or \(m, Q, Q\)"
BAD_RATES = {
    "counts": (
        confusion_matrix(Y_TRUE, Y_PRED),
        ValueError,
        r"must sum to 1.*normalize='true'",
    ),
    "columns sum to one": (GOOD.T, ValueError, r"must sum to 1; row \d of matrix 0"),
    "row of zeros": (np.diag([1.0, 1.0, 0.0]), ValueError, "must sum to 1; row 2 of matrix 0"),
    "second of a set": ([GOOD, 2 * GOOD], ValueError, r"must sum to 1; row \d of matrix 1"),
    "almost rates": (GOOD + 1e-4, ValueError, "must sum to 1"),
    "negative": ([[1.1, -0.1, 0], [0, 1, 0], [0, 0, 1]], ValueError, "must not be negative"),
    "NaN": (np.where(GOOD == 0.8, np.nan, GOOD), ValueError, "must be finite"),
    "infinite": (np.where(GOOD == 0.8, np.inf, GOOD), ValueError, "must be finite"),
    "vector": (GOOD[0], ValueError, SHAPE),
    "scalar": (1.0, ValueError, SHAPE),
    "not square": (GOOD[:2], ValueError, SHAPE),
    "set not square": (GOOD[np.newaxis, :, :2], ValueError, SHAPE),
    "four-dimensional": (GOOD[np.newaxis, np.newaxis], ValueError, SHAPE),
    "one class": ([[1.0]], ValueError, SHAPE),
    "text": ([["a", "b"], ["c", "d"]], ValueError, "must hold numbers; got text"),
    "word": ("perfect", ValueError, "must be a numeric array"),
    "ragged": ([[1.0, 0.0], [1.0]], ValueError, "must be a numeric array"),
    "matrices of two sizes": ([np.eye(2), np.eye(3)], ValueError, "must be a numeric array"),
    "complex": (GOOD + 0j, ValueError, "must be a numeric array|must be real"),
    "sparse": (sparse.csr_array(GOOD), TypeError, "must be a dense array"),
}


@pytest.mark.parametrize("function", TAKE_RATES)
@pytest.mark.parametrize("case", BAD_RATES)
def test_bad_rates(function, case):
    take, parameter = TAKE_RATES[function]
    rates, error, message = BAD_RATES[case]
    with pytest.raises(error, match=rf"\b{parameter}\b.*{message}"):
        take(rates)


@pytest.mark.parametrize("function", TAKE_RATES)
def test_rates_of_many_kinds_are_taken(function):
    take, _ = TAKE_RATES[function]
    expected = take(GOOD)
    frame = pd.DataFrame(GOOD, index=list("abc"), columns=list("abc"))
    kinds = (
        frame,
        GOOD.tolist(),
        GOOD.astype(np.float32),
        np.asfortranarray(GOOD),
        GOOD + 1e-9,
    )
    for rates in kinds:
        before = np.array(rates)
        result = take(rates)
        np.testing.assert_array_equal(np.array(rates), before)
        if function == "discard_polytope":
            assert result.volume == pytest.approx(expected.volume, rel=1e-6)
        else:
            assert result == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("empty", [[], np.empty((0, 0)), np.empty((0, 3)), np.empty((0, 0, 0))])
def test_empty_sets_need_the_number_of_classes(empty):
    for function in (polytope_vus, discard_polytope):
        with pytest.raises(ValueError, match="rates is empty: n_classes must be given"):
            function(empty)
    assert polytope_vus(empty, n_classes=3) == pytest.approx(1 / 180)
    assert is_discarded(GOOD, empty) is False


def test_no_rates_at_all():
    with pytest.raises(ValueError, match="rates"):
        polytope_vus(None)
    with pytest.raises(ValueError, match="n_classes must be given"):
        discard_polytope()
    with pytest.raises(ValueError, match="candidate") as error:
        is_discarded([], None)
    assert "n_classes" not in str(error.value)  # it takes no such parameter


def test_numbers_of_classes_that_do_not_fit():
    for function in (polytope_vus, discard_polytope):
        with pytest.raises(ValueError, match="rates must have 4 classes; got 3"):
            function(GOOD, n_classes=4)
        with pytest.raises(ValueError, match="does not fit n_classes=4"):
            function(np.empty((0, 3, 3)), n_classes=4)
        for n_classes in (1, 2.0, "3", True):
            with pytest.raises(ValueError, match="n_classes must be an integer of at least 2"):
                function(GOOD, n_classes=n_classes)
    with pytest.raises(ValueError, match="by must have 3 classes; got 2"):
        is_discarded(GOOD, np.eye(2))
    with pytest.raises(ValueError, match=r"at most \d+ classes; got 26"):
        polytope_vus(np.eye(26))
    with pytest.raises(ValueError, match="too large to list"):
        discard_polytope(n_classes=6)


LABELLED = {
    "ordered_vus_score": partial(ordered_vus_score, Y_TRUE, Y_SCORE),
    "simplified_vus_score": partial(simplified_vus_score, Y_TRUE, Y_SCORE),
    "angle_vus_score": partial(angle_vus_score, Y_TRUE, Y_SCORE),
    "pdi_score": partial(pdi_score, Y_TRUE, Y_SCORE),
    "hand_till_score": partial(hand_till_score, Y_TRUE, Y_SCORE),
    "one_vs_rest_auc_score": partial(one_vs_rest_auc_score, Y_TRUE, Y_SCORE),
    "polytope_vus": partial(polytope_vus, GOOD),
    "polytope_vus_score": partial(polytope_vus_score, Y_TRUE, Y_PRED),
    "soft_polytope_vus_score": partial(soft_polytope_vus_score, Y_TRUE, Y_SCORE),
    "hand_till_crisp_score": partial(hand_till_crisp_score, Y_TRUE, Y_PRED),
    "modified_macro_average_score": partial(modified_macro_average_score, Y_TRUE, Y_PRED),
    "is_discarded": partial(is_discarded, GOOD, None),
    "polytope_vus_bounds": polytope_vus_bounds,
}
VOLUMES = ("polytope_vus", "polytope_vus_score", "soft_polytope_vus_score")
ORDERINGS = ("ordered_vus_score", "simplified_vus_score", "angle_vus_score")
RANKINGS = ("pdi_score", "hand_till_score", "one_vs_rest_auc_score")
BAD_OPTIONS = [
    *[(f, "method", v) for f in ORDERINGS for v in ("monte_carlo", None, 1)],
    *[(f, "ties", v) for f in ORDERINGS[:2] for v in ("shared", None, 0.5)],
    *[(f, "n_tuples", v) for f in ORDERINGS for v in (1, 1e3, "many", True)],
    *[(f, "n_jobs", v) for f in ORDERINGS for v in (0, 1.5, "all", True)],
    *[(f, "random_state", v) for f in ORDERINGS for v in ("seed", -1, 0.5)],
    *[(f, "return_details", v) for f in ORDERINGS for v in ("yes", None, 2)],
    *[("ordered_vus_score", "distance", v) for v in ("Euclid", None, 2)],
    *[("simplified_vus_score", "n_steps", v) for v in (1, 10.0, None, True)],
    *[("angle_vus_score", "limit", v) for v in ("angle", None, 90)],
    *[(f, "average", v) for f in RANKINGS for v in ("micro", "none", 1)],
    *[(f, "normalize", v) for f in VOLUMES for v in ("Max", "none", True, ["max"])],
    *[(f, "normalize", np.array(["max", "range"])) for f in VOLUMES],
    *[(f, "method", v) for f in VOLUMES for v in ("montecarlo", None, 1)],
    ("soft_polytope_vus_score", "method", "monte_carlo"),
    ("polytope_vus", "method", "bound"),
    *[(f, "n_samples", v) for f in VOLUMES[:2] for v in (0, -5, 31, 1e3, "many", True)],
    *[(f, "random_state", v) for f in VOLUMES for v in ("seed", -1, 0.5, [None])],
    *[("polytope_vus", "return_std", v) for v in ("yes", None, 2)],
    *[("soft_polytope_vus_score", "return_details", v) for v in ("yes", None, 2)],
    *[("soft_polytope_vus_score", "n_costs", v) for v in (0, 10.0, None, True)],
    *[("hand_till_crisp_score", "variant", v) for v in ("1", "1A", 2, None)],
    *[
        ("modified_macro_average_score", "power", v)
        for v in (-0.1, np.nan, np.inf, "0.76", None, True)
    ],
    *[("is_discarded", "tol", v) for v in (-1e-9, np.nan, "tight", None)],
    *[("is_discarded", "return_weights", v) for v in ("yes", None)],
    *[("polytope_vus_bounds", "n_classes", v) for v in (1, 0, 3.0, "3", None, True)],
]


@pytest.mark.parametrize(("function", "option", "value"), BAD_OPTIONS)
def test_bad_options(function, option, value):
    with pytest.raises(ValueError, match=f"^{option} must be"):
        LABELLED[function](**{option: value})


def test_numbers_of_classes_that_take_forever():
    for function in (polytope_vus_bounds, ordered_vus_bounds, random_simplex_volume):
        for n_classes in (10**6, 2**63, 10**30):
            with pytest.raises(ValueError, match="n_classes must be at most"):
                function(n_classes)
    with pytest.raises(ValueError, match=r"^n must be at most"):
        sample_better_than_random(2**63, 3)


def test_bad_exact():
    with pytest.raises(ValueError, match="exact must be one of"):
        polytope_vus_bounds(3, exact="fraction")


def test_large_integers_of_two_types_are_refused():
    big = 2**53
    y = np.array([big, big + 1, big + 2])
    assert CRISP["macro_average"](y, y) == 1.0
    with pytest.raises(ValueError, match=r"one integer type for labels beyond 2\*\*53"):
        CRISP["macro_average"](y, y.astype(np.uint64))


def test_members_of_a_text_enumeration_are_their_text():
    class Colour(str, Enum):  # noqa: UP042 - the kind that numpy cuts short
        RED = "red"
        REDDISH = "reddish"

    y = [Colour.RED, Colour.REDDISH, Colour.RED]
    assert CRISP["macro_average"](y, ["red", "reddish", "red"]) == 1.0


@pytest.mark.parametrize("name", SOFT)
def test_columns_that_are_named_in_another_order(name):
    text = np.array(["a", "b", "c"])[Y_TRUE]
    expected = SOFT[name](text, Y_SCORE)
    assert SOFT[name](text, pd.DataFrame(Y_SCORE, columns=list("abc"))) == expected
    assert SOFT[name](text, pd.DataFrame(Y_SCORE, columns=list("xyz"))) == expected
    other = pd.DataFrame(Y_SCORE, columns=list("abc"))[list("cab")]
    code = (
        r"\['c', 'a', 'b'\]: give y_score\[\['a', 'b', 'c'\]\], or labels=\['c', 'a', 'b'\]\.$"
    )
    with pytest.raises(
        ValueError, match=rf"y_score must have its columns in the order.*{code}"
    ):
        SOFT[name](text, other)
    assert SOFT[name](text, other[["a", "b", "c"]]) == expected
    assert SOFT[name](text, other, labels=list("cab")) == pytest.approx(expected)


def test_code_for_columns_names_them_as_they_are():
    frame = pd.DataFrame(Y_SCORE, columns=["2", "0", "1"])
    with pytest.raises(
        ValueError, match=r"y_score\[\['0', '1', '2'\]\], or labels=\[2, 0, 1\]"
    ):
        pdi_score(Y_TRUE, frame)
    names = [f"{'a rather long name of a class ' * 3}{k}" for k in range(6)]
    y_score = pd.DataFrame(np.full((6, 6), 1 / 6), columns=names[::-1])
    with pytest.raises(
        ValueError, match=r": sort them, or name the classes in their order with labels=\."
    ):
        pdi_score(names, y_score)


@pytest.mark.parametrize("name", SOFT)
def test_columns_of_an_arrow_table_have_names_too(name):
    pyarrow = pytest.importorskip("pyarrow")
    text = np.array(["a", "b", "c"])[Y_TRUE]
    table = pyarrow.table(dict(zip("abc", Y_SCORE.T, strict=True)))
    assert SOFT[name](text, table) == SOFT[name](text, Y_SCORE)
    with pytest.raises(ValueError, match=r"give y_score\.select\(\['a', 'b', 'c'\]\), or"):
        SOFT[name](text, table.select(["c", "a", "b"]))


@every_function
def test_masks_are_not_ignored(name):
    masked = np.ma.masked_array(Y_TRUE, mask=[1, 0, 0, 0, 0, 0])
    with pytest.raises(ValueError, match="y_true must not have masked entries"):
        EVERYTHING[name](masked, prediction_for(name))
    weights = np.ma.masked_array(np.ones(6), mask=[1, 0, 0, 0, 0, 0])
    with pytest.raises(ValueError, match="sample_weight must not have masked entries"):
        EVERYTHING[name](Y_TRUE, prediction_for(name), sample_weight=weights)


@pytest.mark.parametrize("name", SOFT)
def test_numbers_that_do_not_fit_into_floats(name):
    with pytest.raises(ValueError, match="y_score must be a numeric array"):
        SOFT[name]([0, 1], [10**400, 1])
    with pytest.raises(ValueError, match="replace_undefined_by must be a number"):
        SOFT[name](Y_TRUE, Y_SCORE, replace_undefined_by=10**400)


def test_half_precision_labels():
    y = np.array(Y_TRUE, dtype=np.float16)
    assert CRISP["macro_average"](y, y) == 1.0


def test_numbers_of_tuples_of_any_integer_type():
    ours = ordered_vus_score(
        Y_TRUE, Y_SCORE, method="sampled", n_tuples=np.uint64(100), random_state=0
    )
    assert ours == ordered_vus_score(
        Y_TRUE, Y_SCORE, method="sampled", n_tuples=100, random_state=0
    )
    with pytest.raises(ValueError, match="n_tuples must be at most"):
        ordered_vus_score(Y_TRUE, Y_SCORE, n_tuples=10**30)


def test_more_than_time_or_memory_allow():
    y, proba = [0, 0, 1, 1], [[0.9, 0.1], [0.4, 0.6], [0.5, 0.5], [0.2, 0.8]]
    with pytest.raises(ValueError, match=r"n_tuples must be at most 1e\+12; got 1000000000001"):
        ordered_vus_score(y, proba, n_tuples=10**12 + 1)
    y, proba = [0, 1, 2, 3], np.eye(4)
    with pytest.raises(ValueError, match=r"n_weights must be at most \d+ for 4 classes.*8 GB"):
        operating_points(y, proba, n_weights=10**9)


def test_warnings_of_labels_point_at_the_caller():
    names = [name for name, parts in SCORERS.items() if parts[1] == "predict"]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for name in names:
            function, _, options = SCORERS[name]
            function([0, 0, 1], [0, 0, 1], labels=[0, 1, 2], **options)
    assert [warning.filename for warning in caught] == [__file__] * len(names)


def test_whole_numbers_among_objects():
    X, y = np.arange(6.0)[:, np.newaxis], np.array([0, 1, 2, 0, 1, 2], dtype=object)
    with pytest.raises(ValueError, match=r"Unknown label type.* give y\.astype\(int\)"):
        skvus.ProbabilisticKNeighborsClassifier().fit(X, y)
