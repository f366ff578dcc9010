"""Rules that choose a member of a front: distance and costs."""

import numpy as np
import pandas as pd
import pytest
from front_rule_cases import (
    NAMES,
    F,
    cost_matrices,
    exact_priors,
    exact_rates,
    first,
    fronts,
    many,
    small_front,
)
from front_twins import (
    best_balanced_accuracy,
    expected_cost,
    hull_members,
    labels_of,
    least_cost,
    most_distant,
    rates_of,
)
from hypothesis import given
from hypothesis import strategies as st

import skvus.metrics
from skvus import LeastCost, ROCFront, WithinLimits

# --- distance ---------------------------------------------------------------------


@many
@given(case=fronts)
def test_most_distant_member(case):
    front, y, _ = case
    rates = exact_rates(front)
    index = front.select()
    assert index == first(rates, most_distant(rates)) == min(most_distant(rates))
    assert front.select("distance") == index
    assert type(index) is int
    assert index in best_balanced_accuracy(rates)
    distances = front.random_simplex_distance()
    assert distances[index] == pytest.approx(distances.min(), abs=1e-12)
    averages = []
    for counts in front.counts.tolist():
        true, called = labels_of(counts)
        averages.append(skvus.metrics.macro_average_score(true, called))
    assert averages[index] == pytest.approx(max(averages), abs=1e-12)
    assert set(y) == set(front.classes)


def test_ties_of_distance_by_hand():
    # sums of 0.6: the largest rate decides; of rates that agree in that too, the first
    rates = [
        [[0.5, 0.5], [0.1, 0.9]],
        [[0.8, 0.2], [0.4, 0.6]],
        [[0.6, 0.4], [0.2, 0.8]],
        [[0.95, 0.05], [0.9, 0.1]],
    ]
    front = ROCFront.from_rates(rates)
    assert front.rates[:, 0, 1].tolist() == pytest.approx([0.05, 0.2, 0.4, 0.5])
    assert front.select() == 1
    assert front[[0, 2, 3]].select() == 1
    assert front[[0, 3]].select() == 1
    # 0.1 + 0.2 is not 0.3, which must not decide
    tenths = [[[0.9, 0.1], [0.2, 0.8]], [[1.0, 0.0], [0.3, 0.7]], [[0.8, 0.2], [0.1, 0.9]]]
    for order in ([0, 1, 2], [2, 1, 0], [1, 2, 0]):
        front = ROCFront.from_rates([tenths[i] for i in order])
        assert front.rates[front.select(), 0, 1] == 0.1


# --- least cost -------------------------------------------------------------------


@many
@given(case=fronts, data=st.data())
def test_least_cost(case, data):
    front, _, _ = case
    q = front.n_classes
    rates = exact_rates(front)
    cost = data.draw(cost_matrices(q))
    expected = first(rates, least_cost(rates, cost, exact_priors(front)))
    assert front.select(LeastCost(cost)) == expected
    parts = [1 + data.draw(st.integers(0, 5)) for _ in range(q)]
    priors = [F(part, sum(parts)) for part in parts]
    given_priors = [float(p) for p in priors]
    if data.draw(st.booleans()):
        given_priors = dict(zip(front.classes.tolist()[::-1], given_priors[::-1], strict=True))
    expected = first(rates, least_cost(rates, cost, priors))
    assert front.select(LeastCost(cost, priors=given_priors)) == expected
    costs = front.expected_costs(cost, priors=given_priors)
    truth = [float(expected_cost(matrix, cost, priors)) for matrix in rates]
    np.testing.assert_allclose(costs, truth, rtol=0, atol=1e-13)


@many
@given(case=fronts, data=st.data())
def test_costs_in_any_form(case, data):
    front, _, scores = case
    q, labels = front.n_classes, front.classes.tolist()
    array = np.array(data.draw(cost_matrices(q)), dtype=float)
    expected = front.select(LeastCost(array))
    order = data.draw(st.permutations(range(q)))
    frame = pd.DataFrame(array, index=labels, columns=labels)
    pairs = {(a, b): array[k, j] for k, a in enumerate(labels) for j, b in enumerate(labels)}
    shuffled = [labels[k] for k in order]
    forms = [
        array,
        array.tolist(),
        tuple(map(tuple, array.tolist())),
        frame,
        frame.loc[shuffled],
        frame.loc[shuffled, shuffled[::-1]],
        pairs,
        {(a, b): c for (a, b), c in pairs.items() if a != b},
        {a: {b: pairs[a, b] for b in shuffled if b != a} for a in shuffled},
    ]
    for form in forms:
        assert front.select(form) == expected
        assert front.select(LeastCost(form)) == expected
        np.testing.assert_array_equal(
            front.predict(scores, form), front.predict(scores, expected)
        )
    # the unit of the costs does not matter
    for unit in (1e-9, 1e9):
        assert front.select(unit * array) == expected


def test_transposed_costs_are_other_costs():
    front, _, _ = small_front(1, 3, text=True)
    cost = np.array([[0, 9, 1], [1, 0, 1], [1, 1, 0]])
    frame = pd.DataFrame(cost, index=NAMES[:3], columns=NAMES[:3])
    assert front.select(cost) != front.select(cost.T)
    assert front.select(frame) == front.select(cost)
    assert front.select(frame.T) == front.select(cost.T)
    # elm must not be called ash
    assert front.rates[front.select(cost), 0, 1] < front.rates[front.select(cost.T), 0, 1]


def test_priors_matter():
    rates = [[[0.9, 0.1], [0.4, 0.6]], [[0.5, 0.5], [0.1, 0.9]]]
    cost = [[0, 1], [1, 0]]
    front = ROCFront.from_rates(rates, classes=["a", "b"], priors=[0.9, 0.1])
    assert front.select(LeastCost(cost)) == front.select(cost) == 0
    assert front.select(LeastCost(cost, priors=[0.1, 0.9])) == 1
    assert front.select(LeastCost(cost, priors={"b": 0.9, "a": 0.1})) == 1
    assert front.select(LeastCost(cost, priors=pd.Series({"b": 0.9, "a": 0.1}))) == 1


def test_ties_of_costs_by_hand():
    # one mistake costs, and none makes it: the most distant of the two, in either order
    rates = [
        [[1.0, 0.0, 0.0], [0.2, 0.7, 0.1], [0.3, 0.3, 0.4]],
        [[1.0, 0.0, 0.0], [0.3, 0.7, 0.0], [0.1, 0.2, 0.7]],
        [[0.9, 0.1, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
    ]
    cost = [[0, 1, 0], [0, 0, 0], [0, 0, 0]]
    front = ROCFront.from_rates(rates)
    chosen = front.select(cost)
    np.testing.assert_allclose(front.rates[chosen], rates[1])
    assert front.select() != chosen


def test_chosen_member_lies_on_the_hull_or_ties():
    rng = np.random.default_rng(0)
    front, _, _ = small_front(2, 3, n=25)
    hull = hull_members([rates_of(m) for m in exact_rates(front)])
    assert len(hull) < len(front)
    chosen = {front.select(rng.dirichlet(np.ones(9)).reshape(3, 3) * (1 - np.eye(3)))
              for _ in range(200)}  # fmt: skip
    assert chosen <= set(hull)
    assert len(chosen) > 3


@pytest.mark.parametrize(
    ("cost", "message"),
    [
        ([[0, 1], [1, 0]], r"cost_matrix must have shape \(3, 3\)"),
        (np.zeros((3, 3)), r"cost_matrix must have a positive entry"),
        (np.ones((3, 3)), r"cost_matrix must have a zero diagonal"),
        (np.eye(3) - 1, r"cost_matrix must not be negative"),
        ([1, 2, 3], r"cost_matrix must be square"),
        ({("elm", "ash"): 1}, r"cost_matrix must name the cost of"),
        ({("elm", "fir"): 1}, r"cost_matrix must name the classes .*; 'fir' is none of them\."),
        ({"elm": 0.1}, r"keys \(true class, .* for limits: WithinLimits\(\{'elm': 0.1\}\)\."),
        ({"elm": 2}, r"must have keys \(true class, predicted class\).*; got \['elm'\]\.$"),
        (pd.DataFrame(1 - np.eye(3)), r"cost_matrix"),
    ],
)
def test_bad_costs(cost, message):
    front, _, _ = small_front(3, 3, text=True)
    for rule in (cost, LeastCost(cost), WithinLimits({"elm": 1.0}, then=cost)):
        with pytest.raises(ValueError, match=message):
            front.select(rule)


def test_bad_priors():
    front, _, _ = small_front(3, 3, text=True)
    cost = 1 - np.eye(3)
    for priors, message in (
        ([0.5, 0.5], r"priors must have shape \(3,\)"),
        ([0.5, 0.6, 0.7], r"priors must be non-negative and sum to 1"),
        ({"elm": 0.5, "ash": 0.5}, r"priors has labels, and it must name"),
    ):
        with pytest.raises(ValueError, match=message):
            front.select(LeastCost(cost, priors=priors))
