"""Discrepancy of two rankings."""

import crisp_twins
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.stats import kendalltau

from skvus.metrics import _agreement, ranking_discrepancy

PROPERTY = settings(
    deadline=None,
    max_examples=100,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
CODINGS = ("sign", "half", "above")

# few distinct values, so that ties abound
tied_scores = st.lists(
    st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=25
).map(lambda pairs: tuple([float(x) for x in column] for column in zip(*pairs, strict=True)))


@pytest.mark.parametrize("coding", CODINGS)
@PROPERTY
@given(scores=tied_scores)
def test_equals_twin(coding, scores):
    a, b = scores
    expected = crisp_twins.ranking_discrepancy(a, b, coding)
    assert ranking_discrepancy(a, b, coding=coding) == pytest.approx(expected, abs=1e-14)


@pytest.mark.parametrize("coding", CODINGS)
@PROPERTY
@given(scores=tied_scores)
def test_is_symmetric_and_zero_for_equal_rankings(coding, scores):
    a, b = scores
    forth = ranking_discrepancy(a, b, coding=coding)
    assert forth == ranking_discrepancy(b, a, coding=coding)
    assert ranking_discrepancy(a, np.exp(a), coding=coding) == 0.0


@PROPERTY
@given(scores=tied_scores)
def test_half_is_half_of_sign(scores):
    a, b = scores
    signed = ranking_discrepancy(a, b)
    assert ranking_discrepancy(a, b, coding="half") == pytest.approx(signed / 2, abs=1e-14)


@pytest.mark.parametrize("n", [2, 3, 10, 60])
@pytest.mark.parametrize("seed", range(3))
def test_is_one_minus_kendalls_tau_without_ties(n, seed):
    a, b = np.random.default_rng(seed).normal(size=(2, n))
    tau = kendalltau(a, b).statistic
    assert ranking_discrepancy(a, b) == pytest.approx(1.0 - tau, abs=1e-12)
    assert ranking_discrepancy(a, b, coding="half") == pytest.approx((1 - tau) / 2, abs=1e-12)
    assert ranking_discrepancy(a, b, coding="above") == pytest.approx((1 - tau) / 2, abs=1e-12)


def test_reversed_ranking():
    a = np.arange(7)
    assert ranking_discrepancy(a, -a) == 2.0
    assert ranking_discrepancy(a, -a, coding="half") == 1.0
    assert ranking_discrepancy(a, -a, coding="above") == 1.0


def test_ties_by_hand():
    # of three pairs one is tied in b only
    assert ranking_discrepancy([1, 2, 3], [1, 2, 2]) == pytest.approx(1 / 3)
    assert ranking_discrepancy([1, 2, 3], [1, 2, 2], coding="half") == pytest.approx(1 / 6)
    assert ranking_discrepancy([1, 2, 3], [1, 2, 2], coding="above") == pytest.approx(1 / 3)


def test_only_above_depends_on_the_order_of_listing():
    a, b = np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.0, 2.0])
    for coding in ("sign", "half"):
        backwards = ranking_discrepancy(a[::-1], b[::-1], coding=coding)
        assert backwards == pytest.approx(ranking_discrepancy(a, b, coding=coding))
    assert ranking_discrepancy(a[::-1], b[::-1], coding="above") == 0.0


@pytest.mark.parametrize("coding", CODINGS)
@pytest.mark.parametrize("block", [1, 7, 50, 2**21])
def test_blocks_change_nothing(monkeypatch, coding, block):
    a, b = np.random.default_rng(0).integers(0, 6, size=(2, 23)).astype(float)
    monkeypatch.setattr(_agreement, "_BLOCK", block)
    expected = crisp_twins.ranking_discrepancy(a.tolist(), b.tolist(), coding)
    assert ranking_discrepancy(a, b, coding=coding) == pytest.approx(expected, abs=1e-14)


def test_result_is_a_float_and_inputs_are_kept():
    a, b = np.array([3, 1, 2]), np.array([1, 2, 3])
    a.flags.writeable = b.flags.writeable = False
    assert type(ranking_discrepancy(a, b)) is float
    np.testing.assert_array_equal(a, [3, 1, 2])
    np.testing.assert_array_equal(b, [1, 2, 3])


@pytest.mark.parametrize(
    ("a", "b", "message"),
    [
        ([1, 2, 3], [1, 2], "a and b must be .* same length"),
        ([1], [1], "a and b must be .* at least 2"),
        ([], [], "a and b must be .* at least 2"),
        ([[1, 2]], [[1, 2]], "a and b must be one-dimensional"),
        (1.0, 1.0, "a and b must be one-dimensional"),
        ([1, np.nan], [1, 2], "a must be finite"),
        ([1, 2], [1, np.inf], "b must be finite"),
        (["x", "y"], [1, 2], "a must hold numbers; got text such as 'x'"),
        ([1, 2], [[1], [2, 3]], "b must be a numeric array"),
    ],
)
def test_bad_scores(a, b, message):
    with pytest.raises(ValueError, match=message):
        ranking_discrepancy(a, b)


def test_sparse_scores():
    with pytest.raises(TypeError, match="a must be a dense array"):
        ranking_discrepancy(sparse.csr_array([[1.0, 2.0]]), [1.0, 2.0])


@pytest.mark.parametrize("coding", ["Sign", "kendall", None, 1])
def test_bad_coding(coding):
    with pytest.raises(ValueError, match="coding must be one of 'sign', 'half', 'above'"):
        ranking_discrepancy([1, 2], [2, 1], coding=coding)
