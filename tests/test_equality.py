"""Results with arrays can be compared and looked for in lists, but not be hashed."""

import operator
from copy import deepcopy
from unittest import mock

import numpy as np
import pandas as pd
import pytest

from skvus import OperatingPoint, ROCFront
from skvus.front._checks import same_params
from skvus.metrics import OperatingPoints, operating_points

RATES = np.array([[0.9, 0.1], [0.4, 0.6]])
OTHERS = np.array([[0.7, 0.3], [0.1, 0.9]])


class Odd:
    def __eq__(self, other):
        raise RuntimeError("no comparison")

    __hash__ = None


def points():
    return operating_points([0, 0, 1, 1, 2, 2], np.arange(18.0).reshape(6, 3) % 7)


def test_members_are_equal_if_all_fields_are():
    front = ROCFront.from_rates(
        [RATES, OTHERS], class_sizes=[10, 10], params=[{"x": np.arange(3)}, {}]
    )
    assert front[0] == front[0]
    assert not operator.ne(front[0], front[0])
    assert front[0] != front[1]
    assert front[1] in list(front)
    assert front[1] in front
    assert list(front).index(front[1]) == 1
    assert front[0] == deepcopy(front)[0]
    assert front[0] == tuple(front[0])
    assert tuple(front[0]) == front[0]
    for field in front[0]._fields:
        other = front[0]._replace(**{field: "other"})
        assert operator.ne(front[0], other)
        assert not operator.eq(front[0], other)
    assert front[0] != front[0]._replace(params={"x": np.arange(4)})
    assert front[0] != front[0]._replace(rates=RATES + 1e-15)


def test_sets_of_points_are_equal_if_both_arrays_are():
    assert points() == points()
    assert not operator.ne(points(), points())
    assert points() in [None, points()]
    assert points() != OperatingPoints(points().rates, points().weights[::-1])
    assert points() != OperatingPoints(points().rates[1:], points().weights[1:])


def test_undefined_rates_equal_themselves():
    missing = np.array([[np.nan, np.nan], [0.4, 0.6]])
    one, other = (OperatingPoints(missing.copy()[np.newaxis], np.ones((1, 2))) for _ in "ab")
    assert one == other
    assert one != OperatingPoints(RATES[np.newaxis], np.ones((1, 2)))


@pytest.mark.parametrize("other", [None, 1, "x", (), [], RATES, np.float64(1.0), Odd(), (1, 2)])
def test_nothing_else_is_equal(other):
    member = ROCFront.from_rates(RATES)[0]
    if isinstance(other, Odd):
        assert OperatingPoint(RATES, None, None, {"x": other}) != OperatingPoint(
            RATES, None, None, {"x": Odd()}
        )
        return
    for result in (member, points()):
        assert not operator.eq(result, other)
        assert operator.ne(result, other)
    assert member == mock.ANY


def test_results_with_arrays_cannot_be_hashed():
    for result in (ROCFront.from_rates(RATES)[0], points()):
        with pytest.raises(TypeError, match="unhashable"):
            hash(result)


def test_params_are_compared_by_type_and_value():
    assert same_params({"a": [np.arange(2), np.nan]}, {"a": [np.arange(2), np.nan]})
    assert same_params({"a": np.array(["x"])}, {"a": np.array(["x"])})
    assert not same_params({"a": 1}, {"a": 1.0})
    assert not same_params({"a": np.arange(2)}, {"a": [0, 1]})
    assert not same_params({"a": np.array(["x"])}, {"a": np.array([1])})
    assert not same_params({"a": pd.DataFrame([1])}, {"a": pd.DataFrame([1])})
    assert not same_params({"a": 1}, {"b": 1})
