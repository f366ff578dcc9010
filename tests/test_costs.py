"""Costs and priors by class, and the decisions of least expected cost."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skvus._costs import check_class_costs, check_class_priors, least_cost_codes, rescaled
from skvus._kernels.costs import TIE, cheapest_classes

PROPERTY = settings(deadline=None, max_examples=150, derandomize=True)
CLASSES = np.array(["cat", "dog", "eel"])
COST = np.array([[0.0, 1.0, 4.0], [2.0, 0.0, 1.0], [10.0, 5.0, 0.0]])
PAIRS = {
    (true, called): COST[k, j]
    for k, true in enumerate(CLASSES.tolist())
    for j, called in enumerate(CLASSES.tolist())
    if k != j
}
FRAME = pd.DataFrame(COST, index=CLASSES, columns=CLASSES)


def cheapest_by_hand(scores, cost):
    """The first class of least expected cost of each row, in fractions."""
    called = []
    for row in scores:
        values = [
            sum(p * c[j] for p, c in zip(row, cost, strict=True)) for j in range(len(cost))
        ]
        called.append(values.index(min(values)))
    return called


@st.composite
def tied_problems(draw):
    """Scores and costs in small fractions: ties of all kinds, zeros, rows of zeros."""
    n_classes = draw(st.integers(2, 6))
    part = st.integers(0, 4)
    rows = draw(st.lists(st.tuples(*[part] * n_classes), min_size=1, max_size=8))
    cost = draw(st.tuples(*[st.tuples(*[part] * n_classes)] * n_classes))
    below, under = draw(st.sampled_from([1, 3, 7, 10])), draw(st.sampled_from([1, 3, 10]))
    scores = [[Fraction(p, below) for p in row] for row in rows]
    cost = [
        [Fraction(0 if k == j else c, under) for j, c in enumerate(row)]
        for k, row in enumerate(cost)
    ]
    return scores, cost


@PROPERTY
@given(tied_problems())
def test_decisions_equal_the_twin_in_fractions(problem):
    scores, cost = problem
    expected = cheapest_by_hand(scores, cost)
    scores, cost = np.array(scores, dtype=float), np.array(cost, dtype=float)
    assert cheapest_classes(scores, cost).tolist() == expected
    assert least_cost_codes(scores, cost).tolist() == expected


@PROPERTY
@given(seed=st.integers(0, 2**32 - 1), n_classes=st.integers(2, 7))
def test_nothing_is_cheaper_than_the_decision(seed, n_classes):
    rng = np.random.default_rng(seed)
    scores = rng.dirichlet(np.full(n_classes, 0.5), size=20)
    cost = rng.exponential(size=(n_classes, n_classes)) * (1.0 - np.eye(n_classes))
    codes = least_cost_codes(scores, cost)
    values = scores @ cost
    np.testing.assert_array_equal(codes, values.argmin(axis=1))


def test_ties_up_to_rounding_go_to_the_lowest_class():
    cost = 1.0 - np.eye(3)
    # 0.1 + 0.2 is more than 0.3 in floating point
    scores = np.array([[0.4, 0.3, 0.1 + 0.2], [0.1, 0.45, 0.45], [0.3, 0.1 + 0.2, 0.3]])
    assert least_cost_codes(scores, cost).tolist() == [0, 1, 0]
    half = np.array([[0.5, 0.5 + offset] for offset in (-TIE, 0.1 * TIE, 10.0 * TIE)])
    assert least_cost_codes(half, 1.0 - np.eye(2)).tolist() == [0, 0, 1]


def test_a_tie_among_the_dearer_classes_does_not_matter():
    scores = np.array([[0.25, 0.25, 0.5]])
    assert least_cost_codes(scores, 1.0 - np.eye(3)).tolist() == [2]


def test_cases_without_any_score_go_to_the_first_class():
    assert least_cost_codes(np.zeros((2, 3)), COST).tolist() == [0, 0]


def test_decisions_of_no_cases():
    assert least_cost_codes(np.empty((0, 3)), COST).shape == (0,)


@pytest.mark.parametrize("exponent", [-1000, -600, 600, 1000])
def test_the_scale_of_scores_and_costs_does_not_matter(exponent):
    rng = np.random.default_rng(0)
    scores, which = rng.dirichlet([0.5] * 3, size=50), rng.integers(0, 2, size=(50, 1))
    expected = least_cost_codes(scores, COST)
    assert set(expected.tolist()) == {0, 1, 2}
    scaled = np.ldexp(scores, exponent * which)
    np.testing.assert_array_equal(least_cost_codes(scaled, COST), expected)
    np.testing.assert_array_equal(
        least_cost_codes(scaled, np.ldexp(COST, exponent // 2)), expected
    )


def test_sums_next_to_the_ends_of_floats_are_compared():
    huge = np.array([[1.5e308, 1.6e308, 1.7e308]])
    assert least_cost_codes(huge, 1.0 - np.eye(3)).tolist() == [2]
    # the first two expected costs are 2e-330 and 1e-330, the last is far above
    cost = np.array([[0.0, 1e-30, 1.0], [2e-30, 0.0, 1.0], [0.0, 0.0, 0.0]])
    assert least_cost_codes(np.array([[1e-300, 1e-300, 0.0]]), cost).tolist() == [1]


def test_rescaled_rows_are_near_one_and_in_c_order():
    rows = np.asfortranarray([[1e-300, 3e-300], [0.0, 0.0], [7e200, 2e200]])
    result = rescaled(rows)
    assert result.flags.c_contiguous
    assert result[1].tolist() == [0.0, 0.0]
    assert ((result[[0, 2]].max(axis=1) >= 0.5) & (result[[0, 2]].max(axis=1) < 1.0)).all()
    np.testing.assert_array_equal(result[2, 0] / result[2, 1], rows[2, 0] / rows[2, 1])


# --- costs by class ---------------------------------------------------------------


@pytest.mark.parametrize(
    "given",
    [
        COST,
        COST.tolist(),
        FRAME,
        FRAME.loc[["eel", "cat", "dog"], ["dog", "eel", "cat"]],
        PAIRS,
        {**PAIRS, ("dog", "dog"): 0.0},
        {(np.str_(true), called): cost for (true, called), cost in PAIRS.items()},
        {
            "eel": {"cat": 10, "dog": 5},
            "dog": {"cat": 2, "eel": 1},
            "cat": {"dog": 1, "eel": 4},
        },
    ],
    ids=["array", "list", "frame", "shuffled", "pairs", "diagonal", "numpy", "nested"],
)
def test_all_forms_of_costs_mean_the_same(given):
    np.testing.assert_array_equal(check_class_costs(given, CLASSES), COST)
    order = [2, 0, 1]
    if not isinstance(given, (np.ndarray, list)):  # by name, whatever the order
        cost = check_class_costs(given, CLASSES[order])
        np.testing.assert_array_equal(cost, COST[np.ix_(order, order)])


def test_costs_by_numbers():
    cost = check_class_costs({(1, 2): 3.0, (2, 1): 4.0}, np.array([1.0, 2.0]))
    assert cost.tolist() == [[0.0, 3.0], [4.0, 0.0]]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (COST[:2, :2], r"cost_matrix must have shape \(3, 3\).*'eel'\]; got \(2, 2\)"),
        (COST[0], "cost_matrix must be square"),
        (COST + np.eye(3), "cost_matrix must have a zero diagonal"),
        (-COST, "cost_matrix must not be negative"),
        (0.0 * COST, "cost_matrix must have a positive entry"),
        (COST * np.nan, "cost_matrix must be finite"),
        ("cheap", "cost_matrix must be a numeric array"),
        (
            FRAME.loc[["cat", "dog"]],
            r"its index must name the classes .*; got \['cat', 'dog'\]",
        ),
        (FRAME.rename(columns={"eel": "ell"}), "its columns must name .*'ell'"),
        (FRAME.loc[["cat", "dog", "dog"]], "its index must name"),
        ({}, r"must name the cost of \[\('cat', 'dog'\)"),
        ({("cat", "dog"): 1.0}, r"must name the cost of \[\('cat', 'eel'\)"),
        ({**PAIRS, ("cat", "fox"): 1.0}, r"must name the classes .*; 'fox' is none of them\.$"),
        ({**PAIRS, ("cat", "cat"): 1.0}, "zero diagonal"),
        ({"cat": {"dog": 1.0}, "dog": 2.0}, r"must have keys .*; got \['cat', 'dog'\]"),
        (
            {**PAIRS, ("cat", "dog"): "much"},
            "cost_matrix must hold numbers; got text such as 'much'",
        ),
    ],
)
def test_bad_costs(given, message):
    with pytest.raises(ValueError, match=message):
        check_class_costs(given, CLASSES)


# --- priors by class --------------------------------------------------------------


@pytest.mark.parametrize(
    "given",
    [
        [0.5, 0.3, 0.2],
        (0.5, 0.3, 0.2),
        {"eel": 0.2, "cat": 0.5, "dog": 0.3},
        pd.Series([0.3, 0.2, 0.5], index=["dog", "eel", "cat"]),
    ],
)
def test_all_forms_of_priors_mean_the_same(given):
    np.testing.assert_allclose(check_class_priors(given, CLASSES), [0.5, 0.3, 0.2], rtol=1e-15)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([0.5, 0.5], r"priors must have shape \(3,\)"),
        ([0.5, 0.5, 0.5], "priors must be non-negative and sum to 1"),
        ([1.5, -0.5, 0.0], "priors must be non-negative"),
        ([0.5, np.nan, 0.5], "priors must be finite"),
        ({}, "priors has labels, and it must name the classes"),
        ({"cat": 0.5, "dog": 0.5}, r"must name the classes .*; got \['cat', 'dog'\]"),
        ({"cat": 0.5, "dog": 0.3, "fox": 0.2}, "must name the classes .*'fox'"),
        (
            pd.Series([0.5, 0.25, 0.15, 0.1], index=["cat", "dog", "eel", "eel"]),
            r"got \['cat', 'dog', 'eel', 'eel'\]",
        ),
        (pd.Series([0.5, 0.3, 0.2]), r"got \[0, 1, 2\]"),
    ],
)
def test_bad_priors(given, message):
    with pytest.raises(ValueError, match=message):
        check_class_priors(given, CLASSES)
