"""Ordinal VUS, PDI, Hand and Till's M and one-versus-rest areas."""

from functools import partial
from math import factorial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ranking_twins import (
    hand_till_by_pairs,
    one_vs_rest_by_pairs,
    ordinal_by_tuples,
    pdi_by_tuples,
)
from scipy.integrate import quad
from scipy.stats import expon, norm
from sklearn.datasets import load_wine
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import roc_auc_score
from sklearn.svm import LinearSVC

from skvus.metrics._ranking import (
    hand_till_score,
    one_vs_rest_auc_score,
    ordinal_vus_score,
    pdi_score,
)

# scores with a column for each class, their averages, and what constant scores are worth
BY_COLUMNS = {
    "pdi": pdi_score,
    "hand_till": hand_till_score,
    "one_vs_rest": one_vs_rest_auc_score,
    "one_vs_rest_weighted": partial(one_vs_rest_auc_score, average="weighted"),
}
PARTS = {
    "pdi": partial(pdi_score, average=None),
    "hand_till": partial(hand_till_score, average=None),
    "one_vs_rest": partial(one_vs_rest_auc_score, average=None),
}
EVERYTHING = {**BY_COLUMNS, "ordinal": ordinal_vus_score}
close = partial(pytest.approx, rel=1e-12, abs=1e-14)
by_columns = pytest.mark.parametrize("name", BY_COLUMNS)
everything = pytest.mark.parametrize("name", EVERYTHING)
in_parts = pytest.mark.parametrize("name", PARTS)


@st.composite
def tied_problems(draw, max_classes=5):
    """Few cases of unequal classes with scores on a coarse grid, and whole weights."""
    n_classes = draw(st.integers(2, max_classes))
    sizes = draw(st.lists(st.integers(1, 4), min_size=n_classes, max_size=n_classes))
    sizes = [min(size, 3) if n_classes == 5 else size for size in sizes]
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    codes = rng.permutation(np.repeat(np.arange(n_classes), sizes))
    levels = draw(st.sampled_from([2, 4, 30]))
    scores = rng.integers(levels, size=(codes.size, n_classes)) - levels // 2
    if draw(st.booleans()):  # a classifier that knows something
        scores += np.eye(n_classes, dtype=int)[codes] * (levels // 2)
    largest = draw(st.sampled_from([1, 4]))
    return codes.tolist(), scores.tolist(), rng.integers(1, largest + 1, codes.size).tolist()


def random_problem(n_classes, n=200, seed=0, units=None):
    """Labels and probabilities of unequal classes, right more often than not.

    With `units`, probabilities are multiples of 1/units, so that many are equal.
    """
    rng = np.random.default_rng([seed, n_classes])
    others = np.floor(n_classes * rng.random(n) ** 1.5).astype(int)
    y_true = np.append(np.arange(n_classes), others)  # each class has a case
    proba = rng.dirichlet(np.ones(n_classes), y_true.size) + 0.3 * np.eye(n_classes)[y_true]
    proba /= proba.sum(axis=1, keepdims=True)
    return y_true, proba if units is None else rng.multinomial(units, proba) / units


# --- against every tuple, one by one ----------------------------------------------


@settings(max_examples=150, deadline=None)
@given(tied_problems(), st.sampled_from(["share", "strict", "weak"]))
def test_ordinal_vus_counts_tuples(problem, ties):
    codes, scores, weights = problem
    one = [row[0] + code for row, code in zip(scores, codes, strict=True)]
    expected = ordinal_by_tuples(codes, one, weights, ties)
    assert ordinal_vus_score(codes, one, ties=ties, sample_weight=weights) == close(
        float(expected)
    )


@settings(max_examples=150, deadline=None)
@given(tied_problems())
def test_pdi_counts_tuples(problem):
    codes, scores, weights = problem
    expected = pdi_by_tuples(codes, scores, weights)
    parts = pdi_score(codes, scores, average=None, sample_weight=weights)
    assert parts == close(np.array(expected, dtype=float))
    mean = float(sum(expected) / len(expected))
    assert pdi_score(codes, scores, sample_weight=weights) == close(mean)


@settings(max_examples=150, deadline=None)
@given(tied_problems())
def test_hand_till_counts_pairs(problem):
    codes, scores, weights = problem
    expected = hand_till_by_pairs(codes, scores, weights)
    n_classes = len(expected)
    matrix = hand_till_score(codes, scores, average=None, sample_weight=weights)
    assert matrix.shape == (n_classes, n_classes)
    assert np.isnan(np.diagonal(matrix)).all()
    np.testing.assert_array_equal(matrix, matrix.T)
    pairs = [expected[i][j] for i in range(n_classes) for j in range(i)]
    assert matrix[np.tril_indices(n_classes, -1)] == close(np.array(pairs, dtype=float))
    mean = float(sum(pairs) / len(pairs))
    assert hand_till_score(codes, scores, sample_weight=weights) == close(mean)


@settings(max_examples=150, deadline=None)
@given(tied_problems())
def test_one_vs_rest_counts_pairs(problem):
    codes, scores, weights = problem
    expected = one_vs_rest_by_pairs(codes, scores, weights)
    parts = one_vs_rest_auc_score(codes, scores, average=None, sample_weight=weights)
    assert parts == close(np.array(expected, dtype=float))
    mean = float(sum(expected) / len(expected))
    assert one_vs_rest_auc_score(codes, scores, sample_weight=weights) == close(mean)
    frequencies = np.bincount(codes, weights=weights)
    weighted = one_vs_rest_auc_score(codes, scores, average="weighted", sample_weight=weights)
    assert weighted == close(np.average(np.array(expected, dtype=float), weights=frequencies))


@pytest.mark.parametrize("n_classes", [3, 20, 150])
def test_pdi_with_many_classes_tied(n_classes):
    # a case of each class at 0 and another of class 0 at 1, in every column
    codes = [*range(n_classes), 0]
    y_score = np.zeros((n_classes + 1, n_classes))
    y_score[-1] = 1.0
    expected = np.full(n_classes, 0.5 / n_classes)
    expected[0] += 0.5
    assert pdi_score(codes, y_score, average=None) == close(expected)


# --- two classes: the AUC ---------------------------------------------------------


@settings(max_examples=150, deadline=None)
@given(tied_problems(max_classes=2), st.booleans())
def test_one_score_of_two_classes_is_the_auc(problem, is_weighted):
    codes, scores, weights = problem
    one = np.array(scores)[:, 1]
    weights = weights if is_weighted else None
    expected = roc_auc_score(codes, one, sample_weight=weights)
    for y_score in (one, one[:, np.newaxis], one.astype(np.float32)):
        for score in EVERYTHING.values():
            assert score(codes, y_score, sample_weight=weights) == close(expected)
        for name, shape in (("pdi", 2), ("hand_till", (2, 2)), ("one_vs_rest", 2)):
            parts = PARTS[name](codes, y_score, sample_weight=weights)
            wanted = np.full(shape, expected)
            if name == "hand_till":
                np.fill_diagonal(wanted, np.nan)
            assert parts == pytest.approx(wanted, rel=1e-12, abs=1e-14, nan_ok=True)


@by_columns
def test_two_columns_of_probabilities_are_the_auc(name):
    for seed in range(5):
        y_true, proba = random_problem(2, n=60, seed=seed, units=10)
        second = proba[:, 1]
        proba[:, 0] += 1e-9 * np.arange(y_true.size)  # rounding must not break ties
        weights = np.random.default_rng(seed).exponential(size=y_true.size)
        for sample_weight in (None, weights):
            expected = roc_auc_score(y_true, second, sample_weight=sample_weight)
            assert BY_COLUMNS[name](y_true, proba, sample_weight=sample_weight) == close(
                expected
            )
            by_label = 1 - BY_COLUMNS[name](
                y_true, proba, labels=[1, 0], sample_weight=sample_weight
            )
            assert by_label == close(expected)


def test_two_columns_that_are_no_probabilities_both_count():
    y_true = [0, 0, 1, 1]
    y_score = np.array([[5.0, 1.0], [4.0, 3.0], [1.0, 2.0], [2.0, 4.0]])
    assert one_vs_rest_auc_score(y_true, y_score, average=None).tolist() == [1.0, 0.75]
    assert pdi_score(y_true, y_score, average=None).tolist() == [1.0, 0.75]
    assert hand_till_score(y_true, y_score) == 0.875


# --- scikit-learn's averages ------------------------------------------------------


@pytest.mark.parametrize("n_classes", [3, 4, 7, 12])
@pytest.mark.parametrize("units", [None, 10])
def test_scikit_learn_agrees(n_classes, units):
    y_true, proba = random_problem(n_classes, n=400, units=units)
    assert np.ptp(np.bincount(y_true)) > 10  # classes of unequal size
    expected = roc_auc_score(y_true, proba, multi_class="ovo")
    assert hand_till_score(y_true, proba) == close(expected)
    weights = np.random.default_rng(0).exponential(size=y_true.size)
    for sample_weight in (None, weights):
        for average in ("macro", "weighted"):
            options = {"average": average, "sample_weight": sample_weight}
            expected = roc_auc_score(y_true, proba, multi_class="ovr", **options)
            assert one_vs_rest_auc_score(y_true, proba, **options) == close(expected)


def test_classes_of_equal_size_make_one_vs_rest_hand_and_tills_m():
    rng = np.random.default_rng(0)
    y_true = np.repeat(np.arange(4), 25)
    y_score = rng.integers(9, size=(100, 4)) + 4 * np.eye(4)[y_true]
    expected = hand_till_score(y_true, y_score)
    assert one_vs_rest_auc_score(y_true, y_score) == close(expected)
    unequal = np.where(y_true == 0, 5.0, 1.0)
    assert hand_till_score(y_true, y_score, sample_weight=unequal) == close(expected)
    assert pdi_score(y_true, y_score, sample_weight=unequal) == close(
        pdi_score(y_true, y_score)
    )
    pooled = one_vs_rest_auc_score(y_true, y_score, sample_weight=unequal)
    assert abs(pooled - expected) > 1e-4
    evened = 1.0 / np.bincount(y_true, weights=unequal)[y_true] * unequal
    assert one_vs_rest_auc_score(y_true, y_score, sample_weight=evened) == close(expected)


# --- known volumes ----------------------------------------------------------------


def quantiles(distribution, n=20_000):
    """Evenly spread quantiles, which stand for a sample without noise."""
    return distribution.ppf((np.arange(n) + 0.5) / n)


@pytest.mark.parametrize("mean", [0.0, 0.3, 0.5, 1.0, 1.5, 4.0])
def test_ordinal_volume_of_three_gaussians(mean):
    distributions = [norm(-mean), norm(0.0), norm(mean)]
    truth, _ = quad(
        lambda x: norm.cdf(x + mean) * norm.pdf(x) * norm.sf(x - mean), -9, 9, epsabs=1e-12
    )
    # values of the same integral that are quoted in the docs of the ordering scores
    known = {0.0: 1 / 6, 0.3: 0.2627954, 0.5: 0.3372375, 1.0: 0.5361516}
    assert truth == pytest.approx(known.get(mean, truth), abs=1e-7)
    y_true = np.repeat([0, 1, 2], 20_000)
    y_score = np.concatenate([quantiles(d) for d in distributions])
    # equal quantiles are ties, which share their credit; a grid of 1/n is that fine
    assert ordinal_vus_score(y_true, y_score) == pytest.approx(truth, abs=2e-5)


def test_ordinal_volume_of_exponentials():
    # P(X_1 < ... < X_K) = prod_k rate_k / (rate_k + ... + rate_K)
    rates = np.array([7.0, 3.0, 2.0, 0.5, 0.4])
    truth = np.prod(rates / np.cumsum(rates[::-1])[::-1])
    y_score = np.concatenate([quantiles(expon(scale=1 / rate)) for rate in rates])
    y_true = np.repeat(np.arange(5), 20_000)
    assert ordinal_vus_score(y_true, y_score) == pytest.approx(truth, abs=2e-5)


def test_pdi_of_independent_exponentials():
    # column k: largest of independent uniforms to the powers 1/a_j, which is
    # that of class k with chance a_k / sum(a)
    powers = np.array([3.0, 1.0, 0.5])
    n = 5000
    grid = (np.arange(n) + 0.5) / n
    column = np.concatenate([grid ** (1 / a) for a in powers])
    y_true = np.repeat([0, 1, 2], n)
    shares = pdi_score(y_true, np.column_stack([column] * 3), average=None)
    assert shares == pytest.approx(powers / powers.sum(), abs=1e-4)
    assert pdi_score(y_true, np.column_stack([column] * 3)) == close(1 / 3)


# --- constant, perfect and inverted scores ----------------------------------------


@pytest.mark.parametrize("n_classes", [2, 3, 5, 9, 30])
@pytest.mark.parametrize("is_weighted", [False, True])
def test_constant_perfect_and_inverted(n_classes, is_weighted):
    rng = np.random.default_rng(n_classes)
    y_true = rng.permutation(np.arange(7 * n_classes) % n_classes)
    weights = rng.exponential(size=y_true.size) if is_weighted else None
    constant = np.full((y_true.size, n_classes), 1 / n_classes)
    noise = rng.random(constant.shape)
    perfect = 2 * np.eye(n_classes)[y_true] + noise
    chance = {"pdi": 1 / n_classes}
    for name, score in BY_COLUMNS.items():
        score = partial(score, sample_weight=weights)
        expected = pytest.approx(chance.get(name, 0.5), abs=1e-15)
        assert score(y_true, constant) == expected
        assert score(y_true, perfect) == 1.0
        assert score(y_true, np.floor(perfect)) == 1.0  # with ties in each class
        assert score(y_true, -perfect) == 0.0
    score = partial(ordinal_vus_score, y_true, sample_weight=weights)
    assert score(constant[:, 0]) == pytest.approx(
        1 / factorial(n_classes), abs=1e-15, rel=1e-14
    )
    assert score(constant[:, 0], ties="strict") == 0.0
    assert score(constant[:, 0], ties="weak") == 1.0
    for ties in ("share", "strict", "weak"):
        assert score(y_true + 0.9 * noise[:, 0], ties=ties) == 1.0
        assert score(1.0 * y_true, ties=ties) == 1.0
        assert score(-1.0 * y_true, ties=ties) == 0.0


def test_constant_scores_of_very_many_classes():
    y_true = np.arange(400)
    assert ordinal_vus_score(y_true, np.zeros(400)) == 0.0  # 1/400! underflows
    assert ordinal_vus_score(y_true, np.zeros(400), ties="weak") == 1.0
    assert ordinal_vus_score(y_true, y_true) == 1.0
    assert pdi_score(y_true, np.zeros((400, 400))) == close(1 / 400)


def test_order_of_classes_is_that_of_labels():
    y_true = ["low", "mid", "high"]
    y_score = [1, 2, 3]
    assert ordinal_vus_score(y_true, y_score, labels=y_true) == 1.0
    assert ordinal_vus_score(y_true, y_score, labels=y_true[::-1]) == 0.0
    assert ordinal_vus_score(y_true, y_score) == 0.0  # "high" < "low" < "mid"
    assert ordinal_vus_score([2, 10, 7], [1, 3, 2]) == 1.0


def test_floats_one_bit_apart_are_not_tied():
    up = np.nextafter(0.3, 1.0)
    assert ordinal_vus_score([0, 1, 2], [0.3, up, np.nextafter(up, 1.0)]) == 1.0
    assert hand_till_score([0, 1], [0.3, up]) == 1.0
    assert hand_till_score([0, 1], [0.0, -0.0]) == 0.5


def test_rounding_never_lifts_a_volume_above_one():
    for seed in range(200):
        rng = np.random.default_rng(seed)
        y_true = np.append(np.arange(7), rng.integers(7, size=20))
        y_score = (y_true + rng.integers(2, size=y_true.size)) // 2  # never descends
        weights = rng.random(y_true.size)
        score = ordinal_vus_score(y_true, y_score, ties="weak", sample_weight=weights)
        assert 1.0 - 1e-14 < score <= 1.0


# --- invariances ------------------------------------------------------------------


@by_columns
@pytest.mark.parametrize("n_classes", [2, 3, 6])
def test_increasing_transformations_of_a_column(name, n_classes):
    y_true, proba = random_problem(n_classes, units=100)
    y_score = np.log(proba + 0.01)  # two such columns are no probabilities
    y_score[:, 0] = y_score[:, 0] ** 3
    expected = BY_COLUMNS[name](y_true, y_score)
    y_score[:, -1] = 1000 + np.exp(y_score[:, -1])
    y_score[:, 0] *= 1e-300
    assert BY_COLUMNS[name](y_true, y_score) == close(expected)


def test_increasing_transformation_of_an_ordinal_score():
    y_true, proba = random_problem(4, units=100)
    y_score = np.round(proba @ np.arange(4), 2)  # sums that should be equal are
    assert ordinal_vus_score(y_true, np.exp(y_score)) == ordinal_vus_score(y_true, y_score)


def test_ordinal_score_in_reverse():
    y_true, proba = random_problem(4, units=10)
    y_score = np.round(proba @ np.arange(4), 1)
    for ties in ("share", "strict", "weak"):
        expected = ordinal_vus_score(y_true, y_score, ties=ties)
        backwards = ordinal_vus_score(y_true, -y_score, ties=ties, labels=[3, 2, 1, 0])
        assert backwards == close(expected)


@everything
def test_weights(name):
    y_true, proba = random_problem(4, n=80, units=10)
    y_score = np.round(proba @ np.arange(4), 1) if name == "ordinal" else proba
    score = EVERYTHING[name]
    rng = np.random.default_rng(1)
    times = rng.integers(0, 4, size=y_true.size)
    times[:4] = 1  # the classes all keep a case
    repeated = score(np.repeat(y_true, times), np.repeat(y_score, times, axis=0))
    assert score(y_true, y_score, sample_weight=times) == close(repeated)
    assert abs(repeated - score(y_true, y_score)) > 1e-3
    weights = rng.exponential(size=y_true.size)
    expected = score(y_true, y_score, sample_weight=weights)
    for factor in (1e-200, 1 / 3, 1e200):
        scaled = score(y_true, y_score, sample_weight=factor * weights)
        assert scaled == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("name", ["pdi", "hand_till", "ordinal"])
def test_classes_of_hardly_any_weight(name):
    y_true, proba = random_problem(3, n=50)
    y_score = proba @ np.arange(3) if name == "ordinal" else proba
    expected = EVERYTHING[name](y_true, y_score)
    weights = np.array([1e-200, 1e-250, 1.0])[y_true]
    assert EVERYTHING[name](y_true, y_score, sample_weight=weights) == close(expected)


# --- what is taken and returned ---------------------------------------------------


def test_decision_functions_are_scores():
    X, y = load_wine(return_X_y=True)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    y_score = LinearSVC(random_state=0).fit(X[::2, :3], y[::2]).decision_function(X[:, :3])
    assert y_score.min() < 0.0
    for score in BY_COLUMNS.values():
        assert 0.6 < score(y, y_score) < 1.0
    ovr = [roc_auc_score(y == k, y_score[:, k]) for k in range(3)]
    assert one_vs_rest_auc_score(y, y_score, average=None) == close(np.array(ovr))


@everything
def test_averages_are_floats_and_inputs_stay_as_they_are(name):
    y_true, y_score = random_problem(3, n=30)
    y_score = y_score[:, 0] if name == "ordinal" else y_score
    inputs = [y_true, y_score, np.array([0, 1, 2]), np.linspace(0, 1, y_true.size)]
    inputs[3][:3] = 1.0
    copies = [array.copy() for array in inputs]
    for array in inputs:
        array.flags.writeable = False
    result = EVERYTHING[name](y_true, y_score, labels=inputs[2], sample_weight=inputs[3])
    assert type(result) is float
    for array, copy in zip(inputs, copies, strict=True):
        np.testing.assert_array_equal(array, copy)


@in_parts
def test_macro_is_the_mean_of_the_parts(name):
    y_true, y_score = random_problem(5)
    parts = PARTS[name](y_true, y_score)
    assert parts.shape == ((5, 5) if name == "hand_till" else (5,))
    assert np.unique(parts[~np.isnan(parts)]).size == (10 if name == "hand_till" else 5)
    assert BY_COLUMNS[name](y_true, y_score) == close(np.nanmean(parts))


# --- errors -----------------------------------------------------------------------

Y_TRUE = [0, 0, 1, 1, 2, 2]


@pytest.mark.parametrize("value", ["Share", "shared", None, 0.5, True, ["share"]])
def test_bad_ties(value):
    with pytest.raises(
        ValueError, match=r"^ties must be one of 'share', 'strict', 'weak'; got"
    ):
        ordinal_vus_score(Y_TRUE, np.arange(6), ties=value)


@by_columns
@pytest.mark.parametrize("value", ["micro", "Macro", "none", False, ["macro"]])
def test_bad_average(name, value):
    with pytest.raises(ValueError, match=r"^average must be one of 'macro'.*None; got"):
        BY_COLUMNS[name](Y_TRUE, np.eye(3)[Y_TRUE], average=value)


def test_only_one_vs_rest_takes_the_weighted_average():
    for score in (pdi_score, hand_till_score):
        with pytest.raises(ValueError, match="average must be one of 'macro', None"):
            score(Y_TRUE, np.eye(3)[Y_TRUE], average="weighted")


BAD_ONE_SCORE = {
    "columns": (np.eye(3)[Y_TRUE], r"^y_score must have shape .*\(6, 3\).* @ np.arange\(n_cl"),
    "two columns": (np.ones((6, 2)), r"^y_score must have shape .*\(6, 2\).*expected rank"),
    "three-dimensional": (np.ones((6, 1, 1)), r"^y_score must have shape .*\(6, 1, 1\)"),
    "empty": ([], r"^y_score must have shape \(n_samples,\).*got \(0,\)"),
    "number": (0.5, r"^y_score must have shape \(n_samples,\).*got \(\)"),
    "too short": (np.ones(5), "^y_true and y_score must have the same length; got 6 and 5"),
    "NaN": ([0, 1, 2, 3, 4, np.nan], "^y_score must be finite"),
    "text": (list("abcdef"), "^y_score must hold numbers; got text such as 'a'"),
}


@pytest.mark.parametrize("case", BAD_ONE_SCORE)
def test_bad_ordinal_scores(case):
    y_score, message = BAD_ONE_SCORE[case]
    with pytest.raises(ValueError, match=message):
        ordinal_vus_score(Y_TRUE, y_score)


def test_bad_labels_of_an_ordinal_score():
    with pytest.raises(ValueError, match=r"labels= does not name: \[2\]"):
        ordinal_vus_score(Y_TRUE, np.arange(6), labels=[0, 1, 7])
    with pytest.raises(ValueError, match="labels must not repeat"):
        ordinal_vus_score(Y_TRUE, np.arange(6), labels=[0, 1, 2, 2])
    with pytest.raises(ValueError, match="y_true must hold labels"):
        ordinal_vus_score([0.5, 1.5, 2.5], np.arange(3))


@by_columns
def test_bad_columns(name):
    for y_score in (np.arange(6), np.ones((6, 2))):
        with pytest.raises(
            ValueError, match=r"^y_score must have one column for each of the 3"
        ):
            BY_COLUMNS[name](Y_TRUE, y_score)


# --- scores that do not exist -----------------------------------------------------

FOUR = np.random.default_rng(0).random((4, 3))
NO_SCORE = {
    "class without cases": ([0, 0, 1, 1], FOUR, {"labels": [0, 1, 2]}, r"no case .*\[2\]"),
    "column without class": ([0, 0, 1, 1], FOUR, {}, "3 columns"),
    "class without weight": (
        [0, 0, 1, 2],
        FOUR,
        {"sample_weight": [1, 1, 1, 0]},
        r"no case .*\[2\]",
    ),
    "one class": (["a"] * 4, FOUR[:, 0], {}, "one column for two classes"),
}


@by_columns
@pytest.mark.parametrize("case", NO_SCORE)
def test_undefined_averages(name, case):
    y_true, y_score, options, message = NO_SCORE[case]
    with pytest.warns(UndefinedMetricWarning, match=message) as caught:
        result = BY_COLUMNS[name](y_true, y_score, **options)
    assert np.isnan(result)
    assert type(result) is float
    assert caught[0].filename == __file__
    result = BY_COLUMNS[name](y_true, y_score, **options, replace_undefined_by=0)
    assert result == 0.0
    assert type(result) is float


@pytest.mark.parametrize(
    ("y_true", "options", "message"),
    [
        ([0, 0, 1, 1], {"labels": [0, 1, 2]}, r"no case .*\[2\]"),
        ([0, 0, 1, 2], {"sample_weight": [1, 1, 1, 0]}, r"no case .*\[2\]"),
        ([5, 5, 5, 5], {}, r"Only one class is present: \[5\]"),
    ],
)
def test_undefined_ordinal_volumes(y_true, options, message):
    with pytest.warns(UndefinedMetricWarning, match=message) as caught:
        result = ordinal_vus_score(y_true, FOUR[:, 0], **options)
    assert np.isnan(result)
    assert caught[0].filename == __file__
    result = ordinal_vus_score(y_true, FOUR[:, 0], **options, replace_undefined_by=0.25)
    assert result == 0.25


def test_parts_that_are_undefined():
    y_true, y_score = random_problem(4, n=40)
    kept = y_true != 1
    y_some, s_some = y_true[kept], y_score[kept]
    some = {
        name: partial(part, y_some, s_some, labels=range(4)) for name, part in PARTS.items()
    }
    others = [0, 2, 3]
    for value in (np.nan, 0.25):
        if np.isnan(value):
            with pytest.warns(UndefinedMetricWarning, match=r"no case .*\[1\]") as caught:
                result = {name: part() for name, part in some.items()}
            assert [warning.filename for warning in caught] == [__file__] * 3
        else:
            result = {n: part(replace_undefined_by=value) for n, part in some.items()}
        np.testing.assert_array_equal(result["pdi"], np.full(4, value))
        complete = PARTS["hand_till"](y_some, s_some[:, others], labels=others)
        np.testing.assert_array_equal(result["hand_till"][np.ix_(others, others)], complete)
        expected = [value, np.nan, value, value]
        np.testing.assert_array_equal(result["hand_till"][1], expected)
        np.testing.assert_array_equal(result["hand_till"][:, 1], expected)
        areas = [roc_auc_score(y_some == k, s_some[:, k]) for k in others]
        assert result["one_vs_rest"][others] == close(np.array(areas))
        np.testing.assert_array_equal(result["one_vs_rest"][1], value)


@in_parts
def test_all_parts_are_undefined_where_the_class_is_unknown(name):
    with pytest.warns(UndefinedMetricWarning, match="3 columns"):
        assert np.isnan(PARTS[name]([0, 0, 1, 1], FOUR)).all()
    result = PARTS[name]([0, 0, 1, 1], FOUR, replace_undefined_by=0.5)
    if name == "hand_till":
        assert np.isnan(np.diagonal(result)).all()
        result = result[~np.eye(3, dtype=bool)]
    assert (result == 0.5).all()


def test_one_class_alone_has_no_rest():
    areas = PARTS["one_vs_rest"]([0] * 4, FOUR, labels=[0, 1, 2], replace_undefined_by=-1)
    assert areas.tolist() == [-1.0] * 3
