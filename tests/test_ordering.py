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
from scipy.integrate import trapezoid
from sklearn.metrics import roc_auc_score
from sklearn.naive_bayes import GaussianNB
from strategies import soft_problems, softmax_data, tied_data

from skvus import (
    OrderingResult,
    operating_points,
    ordered_vus_bounds,
    ordered_vus_score,
    simplified_vus_bounds,
    simplified_vus_score,
)
from skvus._soft import check_soft_problem
from skvus.datasets import make_ordered_gaussians, make_softmax_gaussians
from skvus.metrics import _grid, _prices

DISTANCES = ("euclidean", "sum", "product")
TIES = ("share", "strict", "weak")
every_distance = pytest.mark.parametrize("distance", DISTANCES)
every_tie = pytest.mark.parametrize("ties", TIES)


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


@pytest.mark.parametrize("n_classes", [2, 3, 5])
def test_distances_from_the_corners(n_classes):
    proba = np.random.default_rng(0).dirichlet(np.ones(n_classes), 6)
    expected = np.linalg.norm(proba[:, np.newaxis] - np.eye(n_classes), axis=2)
    np.testing.assert_allclose(_prices._corner_distances(proba), expected, rtol=1e-12)


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
    # a hundred points on each axis unless another number is asked for
    constant = simplified_vus_score(y, np.full((6, 3), 1 / 3), method="grid")
    assert constant == pytest.approx(1 / 6 + 1 / (12 * 99**2), abs=1e-9)


def test_details_of_grids():
    y, scores = [0, 1, 0, 1], [0.1, 0.2, 0.3, 0.4]
    result = simplified_vus_score(y, scores, method="grid", return_details=True)
    assert (result.method, result.n_tuples) == ("grid", 0)
    assert np.isnan(result.standard_error)
    plain = simplified_vus_score(y, scores, method="grid")
    assert plain == result
    assert type(plain) is float


def test_grid_is_refused_when_it_is_too_large():
    y, proba = softmax_data([2] * 7)
    with pytest.raises(ValueError, match="at most 6 classes; got 7"):
        simplified_vus_score(y, proba, method="grid")
    y, proba = softmax_data([2] * 6)
    with pytest.raises(ValueError, match="n_steps must be at most 45 for 6 classes"):
        simplified_vus_score(y, proba, method="grid", n_steps=46)


@pytest.mark.parametrize(("n_classes", "most"), [(2, 2 * 10**8), (4, 584), (5, 118)])
def test_the_finest_grid(n_classes, most):
    _grid.check_grid(n_classes, most)
    message = rf"at most {most} for {n_classes} .*n_steps\*\*{n_classes - 1} points"
    with pytest.raises(ValueError, match=message):
        _grid.check_grid(n_classes, most + 1)
    with pytest.raises(ValueError, match="n_steps must be an integer of at least 2"):
        simplified_vus_score([0, 1], [0.2, 0.8], method="grid", n_steps=1)


@pytest.mark.parametrize("most", [1000, 5])
def test_trapezoids_under_a_plane(most, monkeypatch):
    # no choice among the operating points may lose the corners
    monkeypatch.setitem(_grid._MOST_VERTICES, 3, most)
    rng = np.random.default_rng(0)
    hits = np.array([(x, y, 8 - x - y) for x in range(9) for y in range(9 - x)]) / 8
    axis = np.linspace(0.0, 1.0, 5)
    heights = np.maximum(0.0, 1.0 - axis - axis[:, np.newaxis])
    expected = trapezoid(trapezoid(heights, axis), axis)
    assert _grid.grid_volume(hits, 5, rng) == pytest.approx(expected, rel=1e-9)


def test_operating_points_of_grids(monkeypatch):
    monkeypatch.setattr(_grid, "_N_WEIGHTS", 20)
    y, proba = tied_data(3, n=2)
    problem = check_soft_problem(y, proba, labels=None, sample_weight=None)
    # those of few cases are listed: nothing is drawn
    assert (_grid.surface_hits(problem, None)[:3] == np.eye(3)).all()
    y, proba = softmax_data([3, 4, 5, 6])
    problem = check_soft_problem(y, proba, labels=None, sample_weight=None)
    hits = _grid.surface_hits(problem, np.random.default_rng(0))
    is_right = proba.argmax(axis=1) == y
    assert hits[4].tolist() == [is_right[y == k].mean() for k in range(4)]


def test_seeds_decide_what_is_drawn():
    y, proba = softmax_data([5, 6, 7])
    options = {"method": "sampled", "n_tuples": 100, "return_details": True}
    first, second, other = (
        simplified_vus_score(y, proba, **options, random_state=seed) for seed in (0, 0, 1)
    )
    assert (first.method, first.n_tuples) == ("sampled", 100)
    assert first == second != other


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
    assert (
        repr(result) == "OrderingResult(0.5 +/- 0.01 sampling of tuples, sampled, 1000 tuples)"
    )
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
