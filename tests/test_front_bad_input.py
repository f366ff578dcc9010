"""Bad input for what makes a front."""

import signal

import numpy as np
import pandas as pd
import pytest
from front_input_cases import (
    BAD_COSTS,
    BAD_FACTS,
    EQUAL,
    FRONT,
    MASK,
    RATES,
    SCORES,
    TAKES_LABELS,
    TAKES_SCORES,
    TAKES_WEIGHTS,
    TEXT,
    N,
    Recorded,
    Y,
    drawn,
    fails,
)
from scipy import sparse
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC

from skvus import CostMatrixClassifier, ROCFront

# --- from_predictions -------------------------------------------------------------


BAD_OPTIONS = [
    *[
        ("n_costs", v, "n_costs must be an integer of at least 1; got")
        for v in (0, -1, 1.5, 1e3)
    ],
    *[
        ("n_costs", v, "n_costs must be an integer of at least 1; got")
        for v in (True, None, "")
    ],
    ("n_costs", "some", "n_costs must be an integer of at least 1; got 'some'"),
    ("n_costs", [10], r"n_costs must be an integer of at least 1; got \[10\]"),
    ("n_costs", np.array([10]), "n_costs must be an integer of at least 1; got array"),
    (
        "n_costs",
        "all",
        "n_costs='all' takes family='weights' .*got family='costs' and 3 classes",
    ),
    ("cost_alpha", 0, "cost_alpha must be positive; its minimum is 0"),
    ("cost_alpha", -1.5, r"cost_alpha must be positive; its minimum is -1\.5"),
    ("cost_alpha", np.nan, "cost_alpha must be finite"),
    ("cost_alpha", np.inf, "cost_alpha must be finite"),
    ("cost_alpha", 1e-9, r"cost_alpha must be between 0\.001 and 1,000,000.*got 1e-09"),
    ("cost_alpha", 1e9, r"cost_alpha must be between 0\.001 and 1,000,000.*got 1e\+09"),
    (
        "cost_alpha",
        [1, 1, 1],
        r"cost_alpha must be a number or have shape \(3, 3\); got \(3,\)",
    ),
    ("cost_alpha", np.ones((2, 2)), r"cost_alpha must .* shape \(3, 3\); got \(2, 2\)"),
    ("cost_alpha", [], r"cost_alpha must .* shape \(3, 3\); got \(0,\)"),
    ("cost_alpha", np.eye(3), "cost_alpha must be positive; its minimum is 0"),
    ("cost_alpha", np.full((3, 3), -1), "cost_alpha must be positive; its minimum is -1"),
    ("cost_alpha", np.full((3, 3), np.nan), "cost_alpha must be finite"),
    (
        "cost_alpha",
        np.ma.masked_equal([[1, 2, 3], [4, 1, 5], [6, 7, 1]], 5),
        "cost_alpha must not have masked entries",
    ),
    ("cost_alpha", "flat", "cost_alpha must be a numeric array of one shape; got 'flat'"),
    ("cost_alpha", [[1], [1, 2]], "cost_alpha must be a numeric array of one shape"),
    *[
        ("family", v, "family must be one of 'costs', 'weights'; got")
        for v in ("cost", None, 1)
    ],
    ("family", ["costs"], r"family must be one of 'costs', 'weights'; got \['costs'\]"),
    *[
        ("objectives", v, "objectives must be one of 'rates', 'mis.*; got")
        for v in ("x", None, 0)
    ],
    *[
        ("random_state", v, "random_state must be None, an int, .*; got")
        for v in ("x", -1, 0.5)
    ],
    ("labels", [0, 1, 7], r"labels= does not name: \[2\]"),
    ("labels", [0, 1], r"labels= does not name: \[2\]"),
    ("labels", [0, 1, 2, 3], r"y_score must have one column for each of the 4 classes"),
    ("labels", [0, 1, 1], "labels must not repeat a class"),
    ("labels", [], "labels must be a non-empty one-dimensional"),
    ("labels", "012", "labels must be a non-empty one-dimensional"),
    ("labels", ["0", "1", "2"], "labels must hold labels of one type"),
    ("labels", [0, 1, None], "labels must not contain missing"),
]


@pytest.mark.parametrize(("option", "value", "message"), BAD_OPTIONS)
def test_bad_options_of_from_predictions(option, value, message):
    fails(ValueError, message, drawn, **{option: value})


@pytest.mark.parametrize(
    "alpha", [np.ones((3, 3)), [1.0, 2.0], [1.0, 0.0, 1.0], [1.0, np.nan, 1.0], -1.0]
)
def test_bad_alpha_of_class_weights(alpha):
    message = "cost_alpha must be (a number or have shape|positive|finite)"
    fails(ValueError, message, drawn, cost_alpha=alpha, family="weights")


def test_the_diagonal_of_alpha_is_ignored():
    for entry in (0.0, -5.0, 1e9, np.nan, np.inf):
        alpha = np.where(np.eye(3, dtype=bool), entry, 2.0)
        ours = drawn(cost_alpha=alpha)
        np.testing.assert_array_equal(ours.rates, drawn(cost_alpha=np.full((3, 3), 2.0)).rates)


def test_all_weightings_only_where_they_can_be_listed():
    y, scores = np.arange(8) % 4, np.full((8, 4), 0.25)
    message = "n_costs='all' takes family='weights' .* got family='weights' and 4 classes"
    fails(ValueError, message, drawn, y, scores, n_costs="all", family="weights")
    y, scores = np.arange(3003) % 3, np.random.default_rng(0).random((3003, 3))
    message = "n_costs='all' takes at most 3000 distinct score vectors .*; got 3003"
    fails(ValueError, message, drawn, y, scores, n_costs="all", family="weights")


def test_more_classes_than_can_be_compared():
    y, scores = np.arange(40) % 20, np.full((40, 20), 0.05)
    message = "objectives='rates' has 380 objectives for 20 classes, and at most 255"
    fails(ValueError, message, drawn, y, scores)
    fails(ValueError, message, ROCFront.from_rates, np.eye(20))
    assert len(drawn(y, scores, objectives="miss_rates", n_costs=5)) >= 1


ABSURD = {
    "n_costs": lambda n: drawn(n_costs=n),
    "n_samples of gini": lambda n: FRONT.gini(method="monte_carlo", n_samples=n),
    "n_samples of delta": lambda n: FRONT.delta(FRONT[:1], method="monte_carlo", n_samples=n),
    "n_samples of compare": lambda n: FRONT[1:].compare(
        FRONT[:1], method="monte_carlo", n_samples=n
    ),
    "n_samples of hypervolume": lambda n: FRONT.hypervolume(method="monte_carlo", n_samples=n),
    "n_samples of evaluate": lambda n: FRONT.evaluate(
        Y, SCORES, method="monte_carlo", n_samples=n
    ),
}


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs timers of POSIX")
@pytest.mark.parametrize("name", ABSURD)
def test_numbers_that_no_machine_can_work_through(name):
    def stop(*_):
        raise TimeoutError("it does not end")

    before = signal.signal(signal.SIGALRM, stop)
    # again and again: an exception in a destructor would be lost
    signal.setitimer(signal.ITIMER_REAL, 1.0, 0.2)
    try:
        with pytest.raises(ValueError, match=f"^{name.split()[0]} must be "):
            ABSURD[name](10**30)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)


BAD_SCORES = {
    "negative": (SCORES - 0.5, ValueError, "y_score must not be negative .*its minimum is -0"),
    "too few columns": (SCORES[:, :2], ValueError, "y_score must have one column for each of"),
    "too many columns": (np.c_[SCORES, SCORES], ValueError, "y_score (must|has 6 columns)"),
    "one-dimensional": (SCORES[:, 0], ValueError, "y_score must have one column for each of"),
    "one column": (SCORES[:, :1], ValueError, "y_score must have one column for each of"),
    "three-dimensional": (SCORES[np.newaxis], ValueError, r"y_score must .* got \(1, 30, 3\)"),
    "no cases": (SCORES[:0], ValueError, r"y_score must .*at least one sample; got \(0, 3\)"),
    "NaN": (np.where(SCORES > 0.5, np.nan, SCORES), ValueError, "y_score must be finite"),
    "infinite": (np.where(SCORES > 0.5, np.inf, SCORES), ValueError, "y_score must be finite"),
    "text": (SCORES.astype(str), ValueError, r"y_score must hold numbers; got text .*'0\.\d+'"),
    "word": ("proba", ValueError, "y_score must be a numeric array of one shape; got 'proba'"),
    "ragged": ([[0.5, 0.5], [1.0]], ValueError, "y_score must be a numeric array of one shape"),
    "complex": (SCORES + 0j, ValueError, "y_score must be a numeric array of one shape"),
    "sparse": (
        sparse.csr_array(SCORES),
        TypeError,
        "y_score must be a dense array; got a spar",
    ),
    "masked": (
        np.ma.masked_array(SCORES, mask=SCORES > 0.5),
        ValueError,
        "y_score must not have masked entries",
    ),
    "columns of another order": (
        pd.DataFrame(SCORES, columns=[2, 1, 0]),
        ValueError,
        "y_score must have its columns in the order of the classes",
    ),
}


@pytest.mark.parametrize("function", TAKES_SCORES)
@pytest.mark.parametrize("case", BAD_SCORES)
def test_bad_y_score(function, case):
    y_score, error, message = BAD_SCORES[case]
    fails(error, message, TAKES_SCORES[function], y_score)


@pytest.mark.parametrize("function", TAKES_SCORES)
def test_no_y_score(function):
    fails(ValueError, "y_score must .*None", TAKES_SCORES[function], None)


@pytest.mark.parametrize("function", ["evaluate", "predict", "predict by a mixture"])
def test_errors_recommend_no_parameter_that_does_not_exist(function):
    frame = pd.DataFrame(SCORES, columns=[2, 1, 0])
    with pytest.raises(ValueError, match="y_score must have its columns in the order") as error:
        TAKES_SCORES[function](frame)
    assert "labels=" not in str(error.value)


def test_scores_and_labels_of_different_lengths():
    message = "y_true and y_score must have the same length; got 30 and 5"
    fails(ValueError, message, drawn, y_score=SCORES[:5])
    fails(ValueError, message, FRONT.evaluate, Y, SCORES[:5])


def test_two_classes_in_one_column():
    for y_score in ([-0.1, 0.5], [0.5, 1.1]):
        message = "y_score must be a probability between 0 and 1 if it has one column"
        fails(ValueError, message, drawn, [0, 1], y_score)
        fails(ValueError, message, drawn([0, 1], [0.1, 0.9]).predict, y_score, 0)


BAD_LABELS = {
    "absent class": (np.where(Y == 2, 1, Y), ValueError, r"no case .*of \[2\]"),
    "one class": (np.zeros(N, dtype=int), ValueError, r"no case .*of \[1, 2\]"),
    "unknown label": (np.where(MASK, 7, Y), ValueError, r"\[7\]"),
    "text": (Y.astype(str), ValueError, "labels of one type, either text or numbers"),
    "mixed": ([0, 1, "2"] * 10, ValueError, "must not mix text and numbers"),
    "continuous": (Y + 0.5, ValueError, "must hold labels; it looks continuous"),
    "NaN": (np.where(MASK, np.nan, Y), ValueError, "must be finite"),
    "missing": ([None, *Y[1:]], ValueError, "must not contain missing"),
    "masked": (np.ma.masked_array(Y, mask=MASK), ValueError, "must not have masked entries"),
    "sparse": (sparse.csr_array([Y]), TypeError, "must be a dense array of labels"),
    "two columns": (np.c_[Y, Y], ValueError, r"one-dimensional .* got shape \(30, 2\)"),
    "empty": ([], ValueError, "must be a non-empty one-dimensional"),
    "None": (None, ValueError, "must be a non-empty one-dimensional"),
    "too short": (Y[:7], ValueError, "must have the same length; got 7 and 30"),
}


@pytest.mark.parametrize("function", TAKES_LABELS)
@pytest.mark.parametrize("case", BAD_LABELS)
def test_bad_labels(function, case):
    y_true, error, message = BAD_LABELS[case]
    fails(error, rf"\by(_true)?\b.*{message}", TAKES_LABELS[function], y_true)


@pytest.mark.parametrize("function", ["evaluate", "from_estimator"])
@pytest.mark.parametrize("case", ["unknown label", "text"])
def test_errors_of_labels_name_no_parameter_that_does_not_exist(function, case):
    y_true, error, _ = BAD_LABELS[case]
    with pytest.raises(error) as caught:
        TAKES_LABELS[function](y_true)
    assert "labels=" not in str(caught.value)
    assert "y_pred" not in str(caught.value)


def test_absent_classes_without_labels():
    message = r"y_score has 3 columns, y_true 2 classes \[0, 1\].* name all with labels="
    fails(ValueError, message, drawn, np.where(Y == 2, 1, Y))
    fails(ValueError, r"no case .*of \[2\]", drawn, sample_weight=Y != 2)


ONES = np.ones(N)
BAD_WEIGHTS = {
    "negative": (-ONES, ValueError, "sample_weight must not be negative; its minimum is -1"),
    "all zero": (
        0 * ONES,
        ValueError,
        "sample_weight must have a positive entry; all are zero",
    ),
    "class without weight": ((Y != 2) * ONES, ValueError, r"no case \(of positive weight\) of"),
    "too short": (ONES[:-1], ValueError, r"sample_weight must have shape \(30,\); got \(29,\)"),
    "column": (ONES[:, np.newaxis], ValueError, r"sample_weight must have shape \(30,\)"),
    "scalar": (2.0, ValueError, r"sample_weight must have shape \(30,\); got \(\)"),
    "NaN": (np.where(MASK, np.nan, 1), ValueError, "sample_weight must be finite"),
    "infinite": (np.where(MASK, np.inf, 1), ValueError, "sample_weight must be finite"),
    "name": ("balanced", ValueError, "sample_weight must be a numeric array .* got 'balanced'"),
    "dict": ({0: 1, 1: 2, 2: 3}, ValueError, "sample_weight must be a numeric array"),
    "sparse": (sparse.csr_array([ONES]), TypeError, "sample_weight must be a dense array"),
    "masked": (
        np.ma.masked_array(ONES, mask=MASK),
        ValueError,
        "sample_weight .*masked entries",
    ),
}


@pytest.mark.parametrize("function", TAKES_WEIGHTS)
@pytest.mark.parametrize("case", BAD_WEIGHTS)
def test_bad_sample_weight(function, case):
    weight, error, message = BAD_WEIGHTS[case]
    fails(error, message, TAKES_WEIGHTS[function], weight)


# weights that differ by much, or are as large or small as floats can be
EXTREME_WEIGHTS = {
    "one class almost without": np.where(Y == 0, 1e-200, 1.0),
    "one class with hardly any": np.where(Y == 0, 1e-300, 1.0),
    "almost the largest": np.full(N, 1e306),
    "largest of two": np.where(np.arange(N) < 3, 1e308, 1.0),
    "smallest": np.full(N, 5e-324),
}


@pytest.mark.parametrize("case", EXTREME_WEIGHTS)
def test_extreme_weights(case):
    weight = EXTREME_WEIGHTS[case]
    for front in (
        drawn(sample_weight=weight),
        drawn(Y > 0, SCORES[:, 0], sample_weight=weight),
    ):
        assert np.isfinite(front.counts).all()
        assert np.isfinite(front.class_sizes).all()
        assert front.class_sizes.min() >= 1.0 - 1e-9
    evaluation = FRONT.evaluate(Y, SCORES, sample_weight=weight)
    assert np.isfinite([evaluation.low, evaluation.high]).all()
    assert (evaluation.low <= evaluation.high).all()


def test_weights_of_equal_size_change_nothing():
    for size in (1e-300, 0.1, 1.0, 7.0, 1e300):
        front = drawn(sample_weight=np.full(N, size))
        np.testing.assert_array_equal(front.rates, FRONT.rates)
        np.testing.assert_allclose(front.counts, size * FRONT.counts, rtol=1e-12)
        np.testing.assert_allclose(front.class_sizes, FRONT.class_sizes, rtol=1e-12)


# --- from_estimator ---------------------------------------------------------------


@pytest.mark.parametrize(
    "fitted", [LogisticRegression, LinearSVC(), None, "logistic", len, SCORES, ROCFront]
)
def test_what_is_no_fitted_classifier(fitted):
    message = "fitted must be a fitted classifier with predict_proba.*; got"
    fails(TypeError, message, ROCFront.from_estimator, fitted, SCORES, Y)


def test_estimators_that_are_not_fitted():
    model = LogisticRegression()
    fails(NotFittedError, "not fitted", ROCFront.from_estimator, model, SCORES, Y)
    fitted = LinearSVC().fit(SCORES, Y)
    message = "fitted must be a fitted classifier with predict_proba.*CalibratedClassifierCV"
    fails(TypeError, message, ROCFront.from_estimator, fitted, SCORES, Y)


def test_a_classifier_without_classes():
    class Nameless:
        def predict_proba(self, X):
            return X

    message = "fitted must .*classes_"
    fails((TypeError, ValueError), message, ROCFront.from_estimator, Nameless(), SCORES, Y)


def test_the_labels_are_those_of_the_classifier():
    message = "labels are those of the fitted classifier; they cannot be given"
    fails(TypeError, message, ROCFront.from_estimator, Recorded(), SCORES, Y, labels=[0, 1, 2])
    message = "unexpected keyword argument 'n_cost'"
    fails(TypeError, message, ROCFront.from_estimator, Recorded(), SCORES, Y, n_cost=5)


@pytest.mark.parametrize(("option", "value", "message"), BAD_OPTIONS[:-8])
def test_bad_options_of_from_estimator(option, value, message):
    function = ROCFront.from_estimator
    fails(ValueError, message, function, Recorded(), SCORES, Y, **{option: value})


@pytest.mark.parametrize(
    "options", [{"n_costs": 0}, {"family": "x"}, {"objectives": "x"}, {"random_state": "x"}]
)
def test_bad_options_are_found_before_the_classifier_is_asked(options):
    classifier = Recorded()
    with pytest.raises(ValueError, match=next(iter(options))):
        ROCFront.from_estimator(classifier, SCORES, Y, **options)
    assert classifier.n_calls == 0


def test_estimators_give_the_same_front_as_their_predictions():
    model = LogisticRegression().fit(SCORES, TEXT[Y])
    ours = ROCFront.from_estimator(model, SCORES, TEXT[Y], n_costs=50, random_state=3)
    proba = model.predict_proba(SCORES)
    theirs = drawn(TEXT[Y], proba, n_costs=50, random_state=3)
    np.testing.assert_array_equal(ours.rates, theirs.rates)
    inside = CostMatrixClassifier(model).fit(SCORES, TEXT[Y])
    assert ROCFront.from_estimator(inside, SCORES, TEXT[Y], n_costs=5).n_classes == 3


# --- from_rates -------------------------------------------------------------------


BAD_RATES = {
    "counts": ([[5, 1], [2, 4]], ValueError, "Each row of rates .* must sum to 1.*sums to 6"),
    "second of two": ([RATES, 2 * RATES], ValueError, "rates .* row . of matrix 1 sums to 2"),
    "transposed": (RATES.T, ValueError, r"Each row of rates .* must sum to 1"),
    "negative": ([[1.1, -0.1], [0, 1]], ValueError, "rates must not be negative.* is -0.1"),
    "NaN": ([[np.nan, 1], [0, 1]], ValueError, "rates must be finite"),
    "no matrix": (np.empty((0, 3, 3)), ValueError, "rates must have at least one matrix"),
    "vector": ([0.5, 0.5], ValueError, r"rates must have shape \(Q, Q\) .*; got \(2,\)"),
    "not square": (RATES[:2], ValueError, r"rates must have shape \(Q, Q\) or \(m, Q, Q\)"),
    "four dimensions": ([[RATES]], ValueError, r"rates must have shape .* got \(1, 1, 3, 3\)"),
    "one class": ([[1.0]], ValueError, "rates must have shape .* with Q >= 2"),
    "two sizes": ([np.eye(2), np.eye(3)], ValueError, "rates must be a numeric array of one"),
    "text": ("rates", ValueError, "rates must be a numeric array of one shape; got 'rates'"),
    "sparse": (sparse.csr_array(RATES), TypeError, "rates must be a dense array"),
    "masked": (np.ma.masked_array(RATES, RATES > 0.8), ValueError, "rates .* masked entries"),
}


@pytest.mark.parametrize("case", BAD_RATES)
def test_bad_rates(case):
    rates, error, message = BAD_RATES[case]
    fails(error, message, ROCFront.from_rates, rates)


@pytest.mark.parametrize("rates", [[], np.empty((0, 0)), np.empty((0, 3)), [[]]])
def test_no_rates_at_all(rates):
    with pytest.raises(ValueError, match=r"^rates (must have|is empty)") as error:
        ROCFront.from_rates(rates)
    assert "n_classes" not in str(error.value)  # it takes no such parameter


@pytest.mark.parametrize("case", BAD_COSTS)
def test_bad_costs_of_rates(case):
    costs, message = BAD_COSTS[case]
    fails(ValueError, f"costs.* {message}", ROCFront.from_rates, RATES, costs=costs)


def test_which_costs_are_bad():
    costs = np.array([EQUAL] * 3)
    rates = FRONT.rates[:3]
    fails(
        ValueError,
        "costs must have shape .*like rates",
        ROCFront.from_rates,
        rates,
        costs=EQUAL,
    )
    costs[2] = 0.0
    message = "costs must have a positive entry in each matrix"
    fails(ValueError, message, ROCFront.from_rates, rates, costs=costs)


def test_labelled_costs_are_not_taken_by_position():
    frame = pd.DataFrame([[0.0, 9.0], [1.0, 0.0]], index=["a", "b"], columns=["a", "b"])
    rates = [[0.9, 0.1], [0.4, 0.6]]
    front = ROCFront.from_rates(rates, classes=["a", "b"], costs=frame)
    np.testing.assert_array_equal(front.costs[0], frame)
    try:
        front = ROCFront.from_rates(rates, classes=["b", "a"], costs=frame)
    except (TypeError, ValueError) as error:
        assert "costs" in str(error)  # noqa: PT017 - refusing is as good as sorting
    else:
        np.testing.assert_array_equal(front.costs[0], [[0.0, 1.0], [9.0, 0.0]])


@pytest.mark.parametrize(("option", "value", "error", "message"), BAD_FACTS)
def test_bad_options_of_from_rates(option, value, error, message):
    fails(error, message, ROCFront.from_rates, RATES, **{option: value})
