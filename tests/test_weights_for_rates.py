"""Class weights that reach wanted true rates, or that nothing does."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from operating_twins import (
    counts_by_transport,
    is_reached,
    spread_weights,
    true_rates,
)
from strategies import gaussian_scores, tied_cases

from skvus.metrics import _reaching
from skvus.metrics._operating_points import (
    operating_points,
    operating_rates,
)
from skvus.metrics._target_rates import weights_for_rates


def reaches(y, scores, target, **options):
    """Whether weights were found; if so, that they keep what they promise."""
    try:
        weights = weights_for_rates(y, scores, target, **options)
    except ValueError as error:
        if "is not reachable" not in str(error):
            raise
        return False
    assert weights.min() > 0.0
    assert weights.sum() == pytest.approx(1.0)
    assert (true_rates(operating_rates(y, scores, weights, **options)) >= target).all()
    return True


@settings(max_examples=150, deadline=None)
@given(data=st.data(), n_classes=st.integers(2, 3), above=st.sampled_from([0.0, 1e-9, 0.1]))
def test_reachable_iff_an_operating_point_reaches_it(data, n_classes, above):
    codes, scores = data.draw(tied_cases(n_classes, most=12))
    rates = operating_points(codes, scores).rates
    pick = st.integers(0, len(rates) - 1)
    one, two = (true_rates(rates[data.draw(pick)]) for _ in range(2))
    target = np.maximum(one, two) if data.draw(st.booleans()) else one
    target = np.minimum(1.0, target + above * np.eye(n_classes)[data.draw(st.integers(0, 1))])
    assert reaches(codes, scores, target) == is_reached(rates, target)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), n_classes=st.integers(2, 3))
def test_reachable_iff_with_real_scores_and_weights(seed, n_classes):
    rng = np.random.default_rng(seed)
    y, scores = gaussian_scores(20, n_classes, seed, shift=0.7)
    weight = rng.exponential(size=20)
    rates = operating_points(y, scores, sample_weight=weight).rates
    target = true_rates(rates[rng.integers(len(rates))]) * rng.uniform(0.95, 1.2, n_classes)
    target = np.minimum(target, 1.0)
    assert reaches(y, scores, target, sample_weight=weight) == is_reached(rates, target)


@pytest.mark.parametrize(("n_classes", "n"), [(4, 9), (5, 8), (6, 6)])
def test_reachable_iff_for_more_classes(n_classes, n):
    y, scores = gaussian_scores(n, n_classes, 18)
    totals = np.bincount(y)[:, np.newaxis]
    rates = np.array(sorted(counts_by_transport(y, scores))) / totals
    rng = np.random.default_rng(18)
    targets = true_rates(rates[rng.integers(len(rates), size=150)])
    targets[::2] = np.maximum(targets[::2], targets[1::2])
    wanted = [is_reached(rates, target) for target in targets]
    assert [reaches(y, scores, target) for target in targets] == wanted
    assert {True, False} == set(wanted)


@pytest.mark.parametrize("n_classes", [4, 5, 8])
@pytest.mark.parametrize("kind", ["real", "tenths", "with zeros", "extreme"])
def test_rates_of_any_weights_are_reached_again(n_classes, kind):
    y, scores = gaussian_scores(200, n_classes, 18, scale=60.0 if kind == "extreme" else 1.0)
    if kind == "tenths":
        scores = np.round(scores, 1)
    if kind == "with zeros":
        scores[scores < 0.05] = 0.0
    rng = np.random.default_rng(18)
    spread = 20.0 if kind == "extreme" else 2.0
    for weights in spread_weights(20, n_classes, spread, rng):
        target = true_rates(operating_rates(y, scores, weights))
        assert reaches(y, scores, target)
        # better for every class at once cannot be: the one that is raised least loses
        if target.max() < 1.0:
            assert not reaches(y, scores, np.minimum(1.0, target + 1e-9))


def test_equal_weights_are_returned_if_they_are_enough():
    y, scores = gaussian_scores(60, 5, 19)
    target = true_rates(operating_rates(y, scores, np.ones(5)))
    np.testing.assert_array_equal(weights_for_rates(y, scores, target), np.full(5, 0.2))
    np.testing.assert_array_equal(weights_for_rates(y, scores, 0.0), np.full(5, 0.2))


def test_a_number_is_a_target_for_all_classes():
    y, scores = gaussian_scores(300, 3, 20, shift=2.0)
    scores[:, 1] *= 0.2
    weights = weights_for_rates(y, scores, 0.7)
    np.testing.assert_array_equal(weights, weights_for_rates(y, scores, [0.7] * 3))
    assert true_rates(operating_rates(y, scores, weights)).min() >= 0.7
    assert true_rates(operating_rates(y, scores, np.ones(3))).min() < 0.7


def test_weights_stay_right_when_rounded():
    y, scores = gaussian_scores(60, 4, 21)
    target = true_rates(operating_rates(y, scores, [0.1, 0.2, 0.3, 0.4]))
    weights = np.round(weights_for_rates(y, scores, target), 4)
    assert (true_rates(operating_rates(y, scores, weights)) >= target).all()


@pytest.mark.parametrize("seed", range(60))
def test_what_is_said_to_be_reachable_is(seed):
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.repeat([0, 1], [4, 3]))
    scores = rng.integers(1, 10, size=(7, 2)).astype(float)
    target = rng.uniform(0.3, 1.0, size=2)
    try:
        weights_for_rates(y, scores, target)
    except ValueError as error:
        text = str(error).split(". ")[-1]
        if "Nor" not in text:
            weights_for_rates(y, scores, json.loads(text.removesuffix(" is.")))


def test_rates_are_compared_like_counts():
    y = np.repeat([0, 1], 10)
    scores = np.column_stack([np.r_[np.ones(6), np.zeros(4), np.zeros(10)], np.ones(20)])
    scores[:6, 1] = 0.5
    for six_of_ten in (0.6, 0.1 * 6, 0.2 * 3):
        assert weights_for_rates(y, scores, [six_of_ten, 1.0]).shape == (2,)
    with pytest.raises(ValueError, match="is not reachable"):
        weights_for_rates(y, scores, [0.6 + 1e-9, 1.0])


def test_many_classes_are_sampled_within_bounds_of_time_and_memory():
    rng = np.random.default_rng(0)
    y = np.arange(300) % 100
    points = operating_points(y, rng.dirichlet(np.ones(100), 300), random_state=0)
    assert 1000 < len(points.rates) <= 2**26 // 100**2
    with pytest.raises(ValueError, match=r"n_weights must be at most .* for 100 classes"):
        operating_points(y, rng.dirichlet(np.ones(100), 300), n_weights=10**6)


def test_unreachable_targets_say_what_is():
    y = np.array(["a", "b", "b", "c"])
    scores = np.array([[5, 5, 1], [5, 5, 1], [1, 9, 1], [1, 1, 9]])
    with pytest.raises(ValueError, match=r"target \[1.0, 1.0, 1.0\].*\['a', 'b'\]") as error:
        weights_for_rates(y, scores, 1.0)
    assert "whatever the other weights" in str(error.value)
    within = json.loads(str(error.value).split(". ")[-1].removesuffix(" is."))
    # half of class b, all of the others
    np.testing.assert_allclose(within, 0.5, rtol=0, atol=0.002)
    assert reaches(y, scores, within)
    assert reaches(y, scores, [1.0, 0.5, 1.0])
    scores[1] = [5, 0, 1]
    with pytest.raises(ValueError, match=r"not reachable: too many cases of \['b'\]"):
        weights_for_rates(y, scores, [0.0, 0.6, 0.0])
    with pytest.raises(ValueError, match=r"other's way\. Nor is any share of it\."):
        weights_for_rates(y, np.ones((4, 3)), 0.1)


def test_ties_do_not_narrow_the_region():
    # a tie goes to the first class: the second case is wrong, and need not become right
    logs, codes = np.array([[0.0, -2.0], [0.0, 0.0], [-3.0, 0.0]]), np.array([0, 1, 1])
    assert _reaching.deepest_weighting(logs, codes, np.zeros(2)).tolist() == [0.0, 0.0]


def test_rows_of_zeros_are_always_of_the_first_class():
    y, scores = [0, 0, 1], [[0, 0], [1, 2], [2, 1]]
    assert reaches(y, scores, [0.5, 1.0])
    assert not reaches([1, 0, 1], scores, [0.0, 1.0])


def test_weights_beyond_floats_are_refused():
    y, scores = [0, 1, 2], [[1, 0, 0], [1, 1e-300, 0], [0, 1, 1e-200]]
    with pytest.raises(
        ValueError, match=r"not reachable with weights at most 1e304.* 50. digits"
    ):
        weights_for_rates(y, scores, 1.0)
    assert reaches(y, scores, [1.0, 1.0, 0.0])
    assert reaches(y, scores, [1.0, 0.0, 1.0])


@pytest.mark.parametrize("step", [1e-2, 1e-6, 1e-9])
def test_long_chases_end_early(step, monkeypatch):
    # Class 1 must be `step` above class 0, which needs class 1 or else 10 above class 2: they
    # would chase each other for 10 / step rounds.
    logs = [[0.0, 0.0, -50.0], [0.0, -5.0, 10.0], [0.0, -step, -50.0], [-50.0, -50.0, 0.0]]
    y = [0, 0, 1, 2]
    monkeypatch.setattr(_reaching, "_MOST_ROUNDS", 20)
    assert reaches(y, np.exp(logs), [0.5, 1.0, 1.0])
    weights = weights_for_rates(y, np.exp(logs), [0.5, 1.0, 1.0])
    assert weights[0] > np.exp(10.0) * weights[2]
    assert not reaches(y, np.exp(logs), [1.0, 1.0, 1.0])


def test_rounds_are_limited(monkeypatch):
    y, scores = gaussian_scores(100, 4, 22)
    target = true_rates(operating_rates(y, scores, [1, 2, 3, 4]))
    monkeypatch.setattr(_reaching, "_MOST_ROUNDS", 1)
    with pytest.raises(RuntimeError, match="No decision within 1 rounds"):
        weights_for_rates(y, scores, target)


def test_targets_by_label():
    y, scores = gaussian_scores(60, 3, 25)
    text = np.array(["low", "mid", "tall"])[y]
    rates = true_rates(operating_rates(y, scores, [0.2, 0.5, 0.3]))
    expected = weights_for_rates(y, scores, [rates[0], 0.0, rates[2]])
    by_label = {"tall": rates[2], "low": rates[0]}
    np.testing.assert_array_equal(weights_for_rates(text, scores, by_label), expected)
    with pytest.raises(ValueError, match=r"target must name classes among .*; got \['high'\]"):
        weights_for_rates(text, scores, {"high": 0.5})
