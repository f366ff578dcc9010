"""Ordered and simplified VUS against enumeration, and what must be true of them."""

import pickle
from fractions import Fraction
from itertools import permutations
from math import factorial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ordering_twins import dominated_volume, enumerated_score
from sklearn.metrics import roc_auc_score
from sklearn.naive_bayes import GaussianNB
from strategies import soft_problems

from skvus import (
    OrderingResult,
    operating_points,
    ordered_vus_bounds,
    ordered_vus_score,
    simplified_vus_bounds,
    simplified_vus_score,
)
from skvus.datasets import make_ordered_gaussians, make_softmax_gaussians
from skvus.metrics import _tuples

DISTANCES = ("euclidean", "sum", "product")
TIES = ("share", "strict", "weak")
every_distance = pytest.mark.parametrize("distance", DISTANCES)
every_tie = pytest.mark.parametrize("ties", TIES)


def softmax_data(sizes, seed=0, lead=1.0):
    """Labels and posteriors of classes of these sizes."""
    rng = np.random.default_rng(seed)
    y = np.repeat(np.arange(len(sizes)), sizes)
    logits = rng.normal(size=(y.size, len(sizes)))
    logits[np.arange(y.size), y] += lead
    proba = np.exp(logits)
    return y, proba / proba.sum(axis=1, keepdims=True)


def tied_data(n_classes, seed=0, n=12):
    """Labels and posteriors in tenths."""
    rng = np.random.default_rng(seed)
    y = np.arange(n * n_classes) % n_classes
    share = 0.85 / n_classes + 0.15 * np.eye(n_classes)[y]
    return y, np.array([rng.multinomial(10, row) for row in share]) / 10


# --- against enumeration ----------------------------------------------------------


@pytest.mark.parametrize(("n_classes", "max_cases"), [(2, 6), (3, 5), (4, 3), (5, 2)])
@every_distance
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_exact_equals_rational_enumeration(n_classes, max_cases, distance, data):
    y, fractions, scores = data.draw(soft_problems(n_classes, max_cases))
    for ties in TIES:
        truth = float(enumerated_score(y, fractions, distance, ties))
        score = ordered_vus_score(y, scores, distance=distance, ties=ties, method="exact")
        assert score == pytest.approx(truth, rel=1e-15, abs=0.0)


@pytest.mark.parametrize(("n_classes", "max_cases"), [(2, 6), (3, 4), (4, 3)])
@every_distance
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_weights_against_enumeration(n_classes, max_cases, distance, data):
    y, fractions, scores = data.draw(soft_problems(n_classes, max_cases))
    weight = data.draw(
        st.lists(st.floats(0.01, 3.0), min_size=len(y), max_size=len(y)).map(np.array)
    )
    for ties in TIES:
        truth = float(enumerated_score(y, fractions, distance, ties, weight))
        score = ordered_vus_score(y, scores, distance=distance, ties=ties, sample_weight=weight)
        assert score == pytest.approx(truth, rel=1e-12, abs=1e-14)


@pytest.mark.parametrize("sizes", [(7, 9), (5, 8, 6), (1, 9, 4), (4, 3, 5, 2), (2, 3, 1, 2, 3)])
@every_distance
@every_tie
def test_exact_equals_float_enumeration(sizes, distance, ties):
    y, proba = softmax_data(sizes)
    truth = float(enumerated_score(y, proba, distance, ties))
    score = ordered_vus_score(y, proba, distance=distance, ties=ties)
    assert score == pytest.approx(truth, rel=1e-15)
    assert 0.0 < score <= 1.0


def test_six_classes_against_enumeration():
    # more than 120 cheapest assignments take a way of their own
    rng = np.random.default_rng(0)
    y = np.repeat(np.arange(6), [1, 2, 1, 2, 1, 1])
    for called in (np.zeros(8, dtype=int), np.where(rng.random(8) < 0.6, y, 0)):
        fractions = [[Fraction(int(j == call)) for j in range(6)] for call in called]
        for ties in TIES:
            truth = float(enumerated_score(y, fractions, "euclidean", ties))
            score = ordered_vus_score(y, np.eye(6)[called], ties=ties)
            assert score == pytest.approx(truth, rel=1e-15)
            assert score > 0.0 or ties == "strict"


@pytest.mark.parametrize("n_classes", [3, 4])
def test_real_scores_under_sum(n_classes):
    y, proba = softmax_data([4] * n_classes)
    logits = np.log(proba)
    truth = float(enumerated_score(y, logits, "sum", "share"))
    for scale, shift in ((1.0, 0.0), (1e-250, 0.0), (1e250, 0.0), (1.0, 1e4), (-1e-3, 5.0)):
        score = ordered_vus_score(y, scale * logits + shift, distance="sum")
        if scale > 0:
            assert score == pytest.approx(truth, rel=1e-15)
        else:
            assert score < truth


def test_logits_under_sum_are_probabilities_under_product():
    y, proba = softmax_data([30, 40, 50])
    ours = ordered_vus_score(y, proba, distance="product")
    assert ordered_vus_score(y, np.log(proba), distance="sum") == ours
    assert simplified_vus_score(y, proba) == ours
    assert ordered_vus_score(y, proba, distance="sum") != ours
    assert ordered_vus_score(y, proba) != ours


def test_posteriors_next_to_a_corner_keep_their_digits():
    # distances of 1e-9 from a corner, from squares that differ in the 18th digit
    y = np.array([0, 1, 2, 0, 1, 2])
    tiny = 1e-9 * np.array([[0, 1, 2], [3, 0, 1], [2, 1, 0], [0, 2, 1], [1, 0, 3], [1, 1, 0]])
    proba = np.eye(3)[[0, 0, 0, 0, 0, 0]] * 1.0
    proba[:, 1:] = tiny[:, 1:]
    proba[:, 0] = 1.0 - proba[:, 1:].sum(axis=1)
    truth = float(enumerated_score(y, proba, "euclidean", "share"))
    assert ordered_vus_score(y, proba) == pytest.approx(truth, rel=1e-15)
    assert truth != pytest.approx(1 / 6, abs=0.05)


# --- two classes ------------------------------------------------------------------


@every_distance
@pytest.mark.parametrize("decimals", [1, 15])
@pytest.mark.parametrize("seed", range(3))
def test_two_classes_are_the_area_under_the_curve(distance, decimals, seed):
    rng = np.random.default_rng(seed)
    y = rng.integers(2, size=60)
    one = np.round(rng.random(60) + 0.3 * y, decimals) / 2
    weight = rng.exponential(size=60)
    for weights in (None, weight):
        truth = roc_auc_score(y, one, sample_weight=weights)
        for scores in (np.column_stack([1 - one, one]), one, 7 * one - 3):
            score = ordered_vus_score(y, scores, distance=distance, sample_weight=weights)
            assert score == pytest.approx(truth, rel=1e-13)


@every_distance
def test_saturated_posteriors_of_two_classes(distance):
    # the first column knows more digits than roc_auc_score looks at
    y = np.array([0, 0, 0, 1, 1, 1])
    first = np.array([1.0, 1e-17, 1e-18, 1e-19, 1e-20, 1e-18])
    proba = np.column_stack([first, 1.0 - first])
    expected = roc_auc_score(y, proba[:, 1])
    score = ordered_vus_score(y, proba, distance=distance)
    assert score == pytest.approx(expected, rel=1e-15)


def test_two_classes_whose_rows_do_not_sum_to_one():
    y = np.array([0, 0, 1, 1])
    scores = np.array([[1.0, 2.0], [4.0, 1.0], [3.0, 9.0], [0.0, 0.0]])
    assert ordered_vus_score(y, scores, distance="sum") == roc_auc_score(
        y, scores[:, 1] - scores[:, 0]
    )
    positive = scores + 1.0
    assert simplified_vus_score(y, positive) == roc_auc_score(
        y, positive[:, 1] / positive[:, 0]
    )


# --- invariances ------------------------------------------------------------------


@pytest.mark.parametrize("n_classes", [2, 3, 4, 5, 6, 10, 100])
@every_distance
def test_constant_classifier_scores_by_chance(n_classes, distance):
    y = np.arange(2 * n_classes) % n_classes
    scores = np.tile(np.arange(1, n_classes + 1) / sum(range(n_classes + 1)), (y.size, 1))
    by_chance = 1 / factorial(n_classes)
    score = ordered_vus_score(y, scores, distance=distance)
    assert score == pytest.approx(by_chance, rel=1e-14)
    assert score == pytest.approx(ordered_vus_bounds(n_classes)[0], rel=1e-14)
    assert ordered_vus_score(y, scores, distance=distance, ties="strict") == 0.0
    assert ordered_vus_score(y, scores, distance=distance, ties="weak") == 1.0


@pytest.mark.parametrize("n_classes", [2, 3, 4, 7, 100])
@every_distance
@every_tie
@pytest.mark.parametrize("method", ["exact", "sampled"])
def test_perfect_classifier_scores_one(n_classes, distance, ties, method):
    y = np.arange(3 * n_classes) % n_classes
    proba = 0.5 * np.eye(n_classes)[y] + 0.5 / n_classes
    if method == "exact" and n_classes > 7:
        y, proba = y[:n_classes], proba[:n_classes]
    score = ordered_vus_score(
        y, proba, distance=distance, ties=ties, method=method, n_tuples=50, random_state=0
    )
    assert score == 1.0


@pytest.mark.parametrize("n_classes", [2, 3, 4])
@every_tie
def test_columns_may_be_rescaled_under_the_product_rule(n_classes, ties):
    y, proba = tied_data(n_classes)
    proba = (proba + 0.1) / (1 + 0.1 * n_classes)  # tied, but positive
    expected = simplified_vus_score(y, proba, ties=ties)
    for factors in ([3.0, 0.7, 1e-8, 1e8], [1e-3, 1e3, 7.0, 0.3]):
        rescaled = proba * factors[:n_classes]
        assert simplified_vus_score(y, rescaled, ties=ties) == pytest.approx(
            expected, rel=1e-14
        )
    if n_classes > 2:
        euclidean = ordered_vus_score(y, proba, ties=ties)
        rescaled = proba * [3.0, 0.7, 0.1, 1.0][:n_classes]
        rescaled /= rescaled.sum(axis=1, keepdims=True)
        assert ordered_vus_score(y, rescaled, ties=ties) != euclidean


def test_zeros_are_worse_than_any_product():
    y = np.array([0, 1, 2])
    fine = np.array([[0.5, 0.5, 0.0], [0.3, 0.7, 0.0], [1e-300, 0.5, 0.5]])
    assert simplified_vus_score(y, fine, ties="strict") == 1.0
    # the third class cannot be called, so its case is worth nothing
    poor = np.array([[0.5, 0.3, 0.2], [0.3, 0.6, 0.1], [0.5, 0.5, 0.0]])
    assert simplified_vus_score(y, poor, ties="weak") == 0.0
    nothing = np.zeros((3, 3))
    assert simplified_vus_score(y, nothing) == pytest.approx(1 / 6)


@pytest.mark.parametrize("n_classes", [3, 4])
@every_distance
@every_tie
def test_class_order_is_irrelevant_to_the_last_bit(n_classes, distance, ties):
    y, proba = tied_data(n_classes, n=6)
    expected = ordered_vus_score(y, proba, distance=distance, ties=ties)
    for order in permutations(range(n_classes)):
        renamed = np.argsort(order)[y]
        other = ordered_vus_score(renamed, proba[:, order], distance=distance, ties=ties)
        assert other == pytest.approx(expected, rel=1e-15)


def test_ties_bracket_the_shared_credit():
    y, proba = tied_data(3)
    strict, share, weak = (
        ordered_vus_score(y, proba, ties=ties) for ties in ("strict", "share", "weak")
    )
    assert strict < share < weak


# --- the volume under a surface ---------------------------------------------------


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("seed", range(4))
def test_strict_credit_is_the_volume_under_the_staircase(n_classes, seed):
    sizes = np.random.default_rng(seed).integers(2, 7, size=n_classes)
    y, proba = softmax_data(sizes, seed)
    points = operating_points(y, proba)
    hits = np.diagonal(points.rates, axis1=1, axis2=2)
    volume = dominated_volume(hits)
    assert simplified_vus_score(y, proba, ties="strict") == pytest.approx(volume, abs=1e-12)


def test_four_classes_and_sampled_staircases():
    y, proba = softmax_data([3, 2, 3, 2], lead=1.5)
    points = operating_points(y, proba, n_weights=20_000, random_state=0)
    volume = dominated_volume(np.diagonal(points.rates, axis1=1, axis2=2))
    assert simplified_vus_score(y, proba, ties="strict") == pytest.approx(volume, abs=1e-12)


@pytest.mark.parametrize("means", [(-1.0, 0.0, 1.0), (-1.5, -0.5, 0.5, 1.5)])
def test_known_volume(means):
    *_, volume = make_ordered_gaussians(10, means, return_volume=True)
    scores = []
    for seed in range(40):
        _, y, posteriors = make_ordered_gaussians(
            30 * len(means), means, return_posteriors=True, random_state=seed
        )
        scores.append(simplified_vus_score(y, posteriors))
    error = np.std(scores, ddof=1) / np.sqrt(len(scores))
    assert abs(np.mean(scores) - volume) < 3.5 * error
    assert error < 0.02


@pytest.mark.parametrize("n_classes", [2, 3, 4])
def test_grid_comes_near_the_exact_volume(n_classes):
    y, proba = softmax_data([60] * n_classes, lead=1.5)
    exact = simplified_vus_score(y, proba)
    grid = simplified_vus_score(y, proba, method="grid", n_steps=40, random_state=0)
    assert grid == pytest.approx(exact, abs=0.04)
    assert grid != exact
    finer = simplified_vus_score(y, proba, method="grid", n_steps=41, random_state=0)
    assert finer != grid


def test_grid_of_perfect_and_constant_classifiers():
    y = np.array([0, 1, 2, 0, 1, 2])
    assert simplified_vus_score(y, np.eye(3)[y], method="grid") == pytest.approx(1.0)
    constant = simplified_vus_score(y, np.full((6, 3), 1 / 3), method="grid", n_steps=1000)
    assert constant == pytest.approx(1 / 6, rel=1e-5)


def test_grid_is_refused_when_it_is_too_large():
    y, proba = softmax_data([2] * 7)
    with pytest.raises(ValueError, match="at most 6 classes; got 7"):
        simplified_vus_score(y, proba, method="grid")
    y, proba = softmax_data([2] * 6)
    with pytest.raises(ValueError, match="n_steps must be at most 45 for 6 classes"):
        simplified_vus_score(y, proba, method="grid", n_steps=46)


# --- exact: pieces of the work ----------------------------------------------------


@pytest.mark.parametrize("sizes", [(13, 30, 21), (40, 5, 17), (8, 9, 90)])
@pytest.mark.parametrize("weighted", [False, True])
def test_blocks_and_pieces_change_nothing(sizes, weighted, monkeypatch):
    y, proba = softmax_data(sizes)
    weight = np.random.default_rng(1).exponential(size=y.size) if weighted else None
    expected = ordered_vus_score(y, proba, sample_weight=weight)
    monkeypatch.setattr(_tuples, "_TABLE_BYTES", 8 * 49)
    monkeypatch.setattr(_tuples, "_PIECE_STEPS", 50)
    score = ordered_vus_score(y, proba, sample_weight=weight)
    assert score == pytest.approx(expected, rel=1e-13 if weighted else 1e-15)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("data", [softmax_data([4, 5, 3, 70]), tied_data(4, n=70)])
def test_blocks_of_the_last_class_change_nothing(weighted, data, monkeypatch):
    y, proba = data
    weight = np.random.default_rng(1).exponential(size=y.size) if weighted else None
    expected = ordered_vus_score(y, proba, sample_weight=weight, method="exact")
    monkeypatch.setattr(_tuples, "_LAST_BLOCK", 16)
    monkeypatch.setattr(_tuples, "_PIECE_STEPS", 50)
    score = ordered_vus_score(y, proba, sample_weight=weight, method="exact")
    assert score == pytest.approx(expected, rel=1e-12 if weighted else 1e-15)


@pytest.mark.parametrize("n_classes", [3, 4])
@pytest.mark.parametrize("method", ["exact", "sampled"])
def test_threads_change_no_bit(n_classes, method, monkeypatch):
    monkeypatch.setattr(_tuples, "_PIECE_STEPS", 100)
    y, proba = softmax_data([20] * n_classes)
    weight = np.random.default_rng(1).exponential(size=y.size)
    options = {"method": method, "random_state": 3, "sample_weight": weight}
    expected = ordered_vus_score(y, proba, **options)
    for n_jobs in (2, -1):
        assert ordered_vus_score(y, proba, **options, n_jobs=n_jobs) == expected


@pytest.mark.parametrize("n_classes", [2, 3, 4])
def test_classes_that_weigh_next_to_nothing(n_classes):
    y, proba = tied_data(n_classes, n=8)
    weight = np.random.default_rng(0).exponential(size=y.size)
    expected = ordered_vus_score(y, proba, sample_weight=weight)
    lighter = weight * np.array([1e-250, 1.0, 1e-200, 1e-300])[y]
    score = ordered_vus_score(y, proba, sample_weight=lighter)
    assert score == pytest.approx(expected, rel=1e-13)
    sampled = ordered_vus_score(
        y, proba, sample_weight=lighter, method="sampled", random_state=0
    )
    assert sampled == pytest.approx(expected, abs=0.01)


def test_equal_rows_are_counted_once():
    y, proba = tied_data(3, n=2000)
    result = ordered_vus_score(y, proba, method="exact", return_details=True)
    assert result.n_tuples == 2000**3
    shuffled = np.random.default_rng(0).permutation(y.size)
    assert ordered_vus_score(y[shuffled], proba[shuffled], method="exact") == result


def test_rows_that_share_a_hash_are_kept_apart(monkeypatch):
    from skvus.metrics import _prices

    rows = np.array([[1, 2], [2, 1], [1, 2], [3, 0]])
    weight = np.arange(1.0, 5.0)
    expected = {(1, 2): 4.0, (2, 1): 2.0, (3, 0): 4.0}

    for _ in range(2):
        distinct, total = _prices.merge_equal(rows, weight)
        found = {tuple(row): w for row, w in zip(distinct.tolist(), total, strict=True)}
        assert found == expected
        # from now on all rows have the same key
        monkeypatch.setattr(_prices, "_hash_factors", lambda n: np.zeros(n, np.uint64))


# --- sampled ----------------------------------------------------------------------


@pytest.mark.parametrize("n_classes", [2, 3, 4])
@every_distance
def test_sampled_estimates_agree_with_their_error(n_classes, distance):
    y, proba = tied_data(n_classes, n=8)
    weight = np.random.default_rng(1).exponential(size=y.size)
    exact = ordered_vus_score(y, proba, distance=distance, sample_weight=weight)
    results = [
        ordered_vus_score(
            y,
            proba,
            distance=distance,
            sample_weight=weight,
            method="sampled",
            n_tuples=2000,
            random_state=seed,
            return_details=True,
        )
        for seed in range(60)
    ]
    errors = np.array([result.standard_error for result in results])
    deviations = (np.array(results) - exact) / errors
    assert abs(deviations.mean()) < 4 / np.sqrt(60)
    assert 0.7 < deviations.std() < 1.3
    assert (errors > 0.0).all()
    assert {result.method for result in results} == {"sampled"}


@every_tie
def test_sampled_ties(ties):
    y, proba = tied_data(3)
    exact = ordered_vus_score(y, proba, ties=ties)
    result = ordered_vus_score(
        y, proba, ties=ties, method="sampled", random_state=0, return_details=True
    )
    assert abs(result - exact) < 4 * result.standard_error
    assert result.standard_error < 0.005


def test_rounded_ties_do_not_add_up_over_many_tuples():
    # sums of tenths that tie on paper end a few units above or below zero
    tenths = "2321 2321 2522 3231 2422 2324 3232 3231 3231 4143 2324 3231 4143 4042 0602"
    scores = np.array([[int(digit) for digit in row] for row in tenths.split()]) / 10
    y = np.array([3, 1, 1, 2, 3, 0, 0, 0, 2, 3, 1, 2, 0, 2, 3])
    exact = ordered_vus_score(y, scores, distance="sum")
    result = ordered_vus_score(
        y,
        scores,
        distance="sum",
        method="sampled",
        n_tuples=200_000,
        random_state=0,
        return_details=True,
    )
    assert abs(result - exact) < 4 * result.standard_error
    assert 0.02 < exact < 0.98


def test_weak_credit_never_exceeds_one():
    rng = np.random.default_rng(0)
    for n_classes in (2, 3, 4):
        y = np.arange(6 * n_classes) % n_classes
        scores = np.full((y.size, n_classes), 1 / n_classes)
        for _ in range(20):
            weight = rng.random(y.size)
            assert ordered_vus_score(y, scores, ties="weak", sample_weight=weight) <= 1.0


def test_scores_that_say_nothing_in_any_range():
    y = np.array([0, 1, 0, 1])
    for scores in (np.full((4, 2), 5e-324), np.full((4, 2), 1e308), np.zeros((4, 2))):
        for distance in ("sum", "product"):
            assert ordered_vus_score(y, scores, distance=distance) == 0.5


def test_products_of_many_class_sizes_do_not_overflow():
    # 100^200 tuples, all of one kind or nearly so
    y = np.repeat(np.arange(200), 100)
    one_hot = np.eye(200)[y]
    assert ordered_vus_score(y, one_hot) == 1.0
    one_hot[0] = np.eye(200)[1]
    assert ordered_vus_score(y, one_hot) == pytest.approx(0.995)
    assert ordered_vus_score(y, np.full((20_000, 200), 0.005)) < 1e-300


def test_scores_of_too_wide_a_range_are_refused():
    y = np.array([0, 0, 1, 1, 2, 2])
    scores = np.array([[2.0, 0, 0], [1, 0, 0], [0, 2, 0], [0, 1, 0], [0, 0, 2], [0, 0, 1]])
    assert ordered_vus_score(y, scores, distance="sum") == 1.0
    scores[0, 0] = 1e10
    assert ordered_vus_score(y, scores, distance="sum") == 1.0
    scores[0, 0] = 1e20
    with pytest.raises(ValueError, match="y_score must not span so wide a range"):
        ordered_vus_score(y, scores, distance="sum")


def test_errors_shrink_with_the_number_of_tuples():
    y, proba = softmax_data([50, 50, 50])
    few, many = (
        ordered_vus_score(
            y, proba, method="sampled", n_tuples=n, random_state=0, return_details=True
        )
        for n in (10_000, 1_000_000)
    )
    assert 6.0 < few.standard_error / many.standard_error < 16.0
    assert abs(many - ordered_vus_score(y, proba)) < 4 * many.standard_error


def test_no_scatter_is_no_proof():
    y, proba = softmax_data([20, 20, 20], lead=9.0)
    result = ordered_vus_score(
        y, proba, method="sampled", n_tuples=100, random_state=0, return_details=True
    )
    assert result == 1.0
    assert result.standard_error == pytest.approx(0.01)


def test_default_number_of_tuples_follows_the_sampling_error():
    # many cases have a small sampling error, which takes many tuples
    numbers = []
    for n in (20, 2000):
        y, proba = softmax_data([n] * 5)
        result = ordered_vus_score(
            y, proba, method="sampled", random_state=0, return_details=True
        )
        numbers.append(result.n_tuples)
    assert 10**5 <= numbers[0] < numbers[1]


def test_random_states():
    y, proba = softmax_data([20, 20, 20])

    def score(random_state):
        return ordered_vus_score(
            y, proba, method="sampled", n_tuples=500, random_state=random_state
        )

    assert score(0) == score(0) != score(1)
    generator = np.random.default_rng(0)
    first, second = score(generator), score(generator)
    assert first != second
    assert first == score(np.random.default_rng(0))


def test_auto_counts_while_that_is_cheap():
    y, proba = softmax_data([100, 100, 100])
    exact = ordered_vus_score(y, proba, return_details=True)
    assert exact.is_exact
    assert exact.standard_error == 0.0
    assert exact.n_tuples == 10**6
    y, proba = softmax_data([20] * 10)
    sampled = ordered_vus_score(y, proba, random_state=0, return_details=True)
    assert not sampled.is_exact
    assert sampled.standard_error > 0.0
    with pytest.raises(ValueError, match=r"method='exact' would take .* Use method='sampled'"):
        ordered_vus_score(y, proba, method="exact")


def test_unbalanced_classes_are_counted_from_the_cheap_side():
    assert _tuples.exact_steps([10, 50_000, 50_000]) < 10**8
    assert _tuples.exact_steps([5, 5, 5, 100_000]) < 10**8
    assert _tuples.exact_steps([100] * 4) < 10**8 < _tuples.exact_steps([1000] * 4)
    y, proba = softmax_data([2, 3, 2, 5000])
    result = ordered_vus_score(y, proba, return_details=True)
    assert result.is_exact
    sampled = ordered_vus_score(y, proba, method="sampled", random_state=0, return_details=True)
    assert abs(sampled - result) < 4 * sampled.standard_error


@pytest.mark.parametrize("lead", [1.0, 6.0])
def test_a_hundred_classes(lead):
    y, proba = softmax_data([5] * 100, lead=lead)
    result = ordered_vus_score(y, proba, n_tuples=2000, random_state=0, return_details=True)
    assert result.method == "sampled"
    assert result < 0.01 if lead == 1.0 else result > 0.5


def test_quick_looks_agree_with_the_slow_way(monkeypatch):
    from skvus._kernels import ordering

    picks = np.random.default_rng(0).integers(4, size=(3000, 7))
    for data in (softmax_data([4] * 7, lead=2.5), tied_data(7, n=4)):
        y, proba = data
        order = np.argsort(y, kind="stable")
        rows = np.rint((proba.max(axis=1, keepdims=True) - proba) * 10**9).astype(np.int64)
        rows = (rows - rows[np.arange(y.size), y][:, np.newaxis])[order]
        absolute = picks + 4 * np.arange(7)
        for rule in range(3):
            credits = ordering.tuple_credits(rows, absolute, 10, rule)
            for t in range(0, 3000, 300):
                chosen = rows[absolute[t]].astype(object)
                costs = [
                    sum(chosen[i, names[i]] for i in range(7))
                    for names in permutations(range(7))
                ]
                number = sum(abs(cost) <= 10 for cost in costs) * (min(costs) >= -10)
                expected = {0: 1 / max(number, 1), 1: float(number == 1), 2: 1.0}[rule]
                assert credits[t] == pytest.approx(expected * (number > 0), rel=1e-12)


@pytest.mark.parametrize("n_classes", [5, 16, 24, 60])
def test_ties_around_a_ring(n_classes):
    # each case lies between its own class and the next: two cheapest assignments
    y = np.arange(n_classes)
    proba = np.zeros((n_classes, n_classes))
    proba[y, y] = proba[y, (y + 1) % n_classes] = 0.5
    assert ordered_vus_score(y, proba) == 0.5
    assert ordered_vus_score(y, proba, ties="weak") == 1.0
    assert ordered_vus_score(y, proba, ties="strict") == 0.0


def test_ties_along_a_ladder():
    # three classes in a row share each case: the assignments are tilings, Fibonacci numbers
    n = 30
    y = np.arange(n)
    scores = -np.abs(y[:, np.newaxis] - y).clip(1, 2).astype(float)
    assert 1 / ordered_vus_score(y, scores, distance="sum") == pytest.approx(1346269)


def test_ties_that_are_too_many_to_count_are_estimated():
    # every case may change places with about half of the others
    n = 64
    rng = np.random.default_rng(0)
    y = np.arange(n)
    tight = rng.random((n, n)) < 0.5
    tight |= tight.T | np.eye(n, dtype=bool)
    score = ordered_vus_score(y, tight.astype(float), distance="sum")
    # n! p^n counts random permutations; the estimate is rough, and next to nothing
    assert 0.0 < score < 1e-60


# --- bounds and results -----------------------------------------------------------


@pytest.mark.parametrize("bounds", [ordered_vus_bounds, simplified_vus_bounds])
def test_bounds(bounds):
    for n_classes in (2, 3, 12):
        assert bounds(n_classes) == (1 / factorial(n_classes), 1.0)
        assert bounds(n_classes, exact=True) == (Fraction(1, factorial(n_classes)), 1)
    assert bounds(300) == (0.0, 1.0)
    for bad in (1, 2.5, "3", None, True):
        with pytest.raises(ValueError, match="n_classes must be an integer of at least 2"):
            bounds(bad)
    with pytest.raises(ValueError, match="exact must be one of"):
        bounds(3, exact="fraction")


def test_worse_than_chance():
    y, proba = softmax_data([30, 30, 30], lead=-2.0)
    assert ordered_vus_score(y, proba) < 1 / 6
    assert simplified_vus_score(y, proba) < 1 / 6


def test_results_are_floats_that_read_well():
    result = OrderingResult(0.5, 0.01, "sampled", 1000)
    assert repr(result) == "OrderingResult(0.5 ± 0.01 sampling of tuples, sampled, 1000 tuples)"
    assert repr(OrderingResult(0.5, 0.0, "exact", 1)) == "OrderingResult(0.5, exact, 1 tuple)"
    assert repr(OrderingResult(0.5, np.nan, "grid", 0)) == "OrderingResult(0.5, grid)"
    copy = pickle.loads(pickle.dumps(result))
    assert copy == result
    assert repr(copy) == repr(result)
    assert type(result.score) is float
    assert (result + 1.0, result > 0.4) == (1.5, True)


def test_a_classifier_that_is_better_scores_more():
    scores = []
    for scale in (3.0, 1.5, 0.7):
        y_score, y = make_softmax_gaussians(150, scale=scale, random_state=0)
        scores.append(ordered_vus_score(y, y_score))
    assert scores == sorted(scores)


def test_naive_bayes_saturates_without_harm():
    rng = np.random.default_rng(0)
    y = np.arange(90) % 3
    X = rng.normal(size=(90, 40)) + 2 * y[:, np.newaxis]
    proba = GaussianNB().fit(X, y).predict_proba(X)
    assert (proba < 1e-20).any()
    scores = [ordered_vus_score(y, proba, distance=distance) for distance in DISTANCES]
    assert min(scores) > 0.9
