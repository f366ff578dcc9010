"""Rules that choose a member of a front."""

import copy
import pickle
from dataclasses import FrozenInstanceError
from fractions import Fraction
from functools import partial
from math import isclose

import numpy as np
import pandas as pd
import pytest
import sklearn.metrics
from front_twins import (
    all_largest,
    best_accuracy,
    best_balanced_accuracy,
    best_score,
    clopper_pearson_upper,
    expected_cost,
    hull_members,
    labels_of,
    least_cost,
    lexicographic,
    most_distant,
    optimal_members,
    rate_at,
    rate_matrix,
    rates_of,
    within_limits,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import beta
from sklearn.exceptions import UndefinedMetricWarning
from strategies import gaussian_scores

import skvus.metrics
from skvus import BestScore, LeastCost, Lexicographic, ROCFront, WithinLimits
from skvus.front._scoring import score_members

F = Fraction
NAMES = np.array(["elm", "ash", "yew", "oak"])


def small_front(seed, n_classes, text=False, n=None, n_costs=150, **options):
    """A front of small whole scores: ties in scores, in rates and in sums of rates."""
    rng = np.random.default_rng([seed, n_classes])
    n = int(rng.integers(3 * n_classes, 9 * n_classes)) if n is None else n
    y = np.append(np.arange(n_classes), rng.integers(0, n_classes, n - n_classes))
    scores = rng.integers(1, 5, size=(n, n_classes)).astype(float)
    scores[np.arange(n), y] += 1.0
    classes = NAMES[:n_classes] if text else 3 + 2 * np.arange(n_classes)
    options.setdefault("random_state", seed)
    front = ROCFront.from_predictions(
        classes[y], scores, labels=classes, n_costs=n_costs, **options
    )
    return front, classes[y], scores


def exact_rates(front):
    return [rate_matrix(counts.tolist()) for counts in front.counts]


def exact_priors(front):
    sums = front.counts[0].sum(axis=1).tolist()
    return [F(size, sum(sums)) for size in sums]


def first(rates, members):
    """Of members that tie the most distant, then that of the smallest largest rate."""
    return min(members, key=lambda i: (sum(rates_of(rates[i])), max(rates_of(rates[i])), i))


def keys_of(classes):
    """All mistakes, and all classes for their miss rates."""
    labels = classes.tolist()
    return [*((a, b) for a in labels for b in labels if a != b), *labels]


fronts = st.builds(small_front, st.integers(0, 10**6), st.integers(2, 4), st.booleans())
many = settings(max_examples=50, deadline=None)


@st.composite
def cost_matrices(draw, n_classes):
    entries = st.integers(0, 6)
    cost = [
        [0 if k == j else draw(entries) for j in range(n_classes)] for k in range(n_classes)
    ]
    cost[0][1] += 1
    return cost


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


# --- within limits ----------------------------------------------------------------


@st.composite
def limits_for(draw, classes):
    keys = draw(
        st.lists(st.sampled_from(keys_of(classes)), min_size=1, max_size=3, unique=True)
    )
    levels = st.sampled_from([0.0, 0.1, 0.2, 0.25, 0.3, 1 / 3, 0.5, 0.6, 0.75, 1.0])
    return {key: draw(levels) for key in keys}


@many
@given(case=fronts, data=st.data())
def test_within_limits(case, data):
    front, _, _ = case
    rates = exact_rates(front)
    limits = data.draw(limits_for(front.classes))
    # a third as a float is less than a third, which is rounding
    members = within_limits(
        rates, limits, front.classes.tolist(), exact=lambda x: F(x).limit_denominator(1000)
    )
    if members:
        assert front.select(WithinLimits(limits)) == first(rates, members)
    else:
        with pytest.raises(ValueError, match=r"No member is within all limits"):
            front.select(WithinLimits(limits))


def test_limits_by_hand():
    rates = [[[0.9, 0.1], [0.4, 0.6]], [[0.7, 0.3], [0.2, 0.8]], [[0.5, 0.5], [0.15, 0.85]]]
    front = ROCFront.from_rates(rates, classes=["well", "ill"])
    assert front.select(WithinLimits({"well": 0.2})) == 0
    assert front.select(WithinLimits({("ill", "well"): 0.3})) == 1
    assert front.select(WithinLimits({"ill": 0.3})) == 1
    assert front.select(WithinLimits({"ill": 0.2})) == 1  # at the limit is within it
    assert front.select(WithinLimits({"ill": 0.19})) == 2
    assert front.select(WithinLimits({"ill": 0.19, "well": 0.5})) == 2
    with pytest.raises(ValueError, match=r"No member is within all limits"):
        front.select(WithinLimits({"ill": 0.19, "well": 0.49}))
    # 1 - 0.85 is more than 0.15
    assert front.select(WithinLimits({"ill": 0.15})) == 2


def test_message_names_the_nearest_reachable_rate():
    rates = [[[0.9, 0.1], [0.4, 0.6]], [[0.7, 0.3], [0.2, 0.8]], [[0.5, 0.5], [0.125, 0.875]]]
    front = ROCFront.from_rates(rates, classes=["well", "ill"])
    with pytest.raises(ValueError, match=r"Nearest is member 2") as caught:
        front.select(WithinLimits({("ill", "well"): 0.05}))
    text = str(caught.value)
    assert "'ill' as 'well' = 0.125 (limit 0.05, least of any member 0.125)" in text
    with pytest.raises(ValueError, match=r"Nearest is member 1") as caught:
        front.select(WithinLimits({"ill": 0.15, "well": 0.2}))
    text = str(caught.value)
    ill = "limit 0.15, least of any member 0.125, of those within the other limits 0.4"
    assert f"'ill' missed = 0.2 ({ill})" in text
    well = "limit 0.2, least of any member 0.1, of those within the other limits 0.5"
    assert f"'well' missed = 0.3 ({well})" in text


@many
@given(case=fronts, data=st.data())
def test_message_tells_the_truth(case, data):
    front, _, _ = case
    rates, classes = exact_rates(front), front.classes.tolist()
    pairs = keys_of(front.classes)
    limits = dict.fromkeys(data.draw(st.permutations(pairs))[:3], 0.01)
    limits |= dict.fromkeys(classes, 0.01)  # some class is always missed
    table = [[rate_at(matrix, key, classes) for key in limits] for matrix in rates]
    worst = [max(row) for row in table]
    if min(worst) <= F(1, 100):
        return
    with pytest.raises(ValueError, match=r"No member is within all limits") as caught:
        front.select(WithinLimits(limits))
    text = str(caught.value)
    nearest = min(i for i, value in enumerate(worst) if value == min(worst))
    named = int(text.split("Nearest is member ")[1].split(",")[0])
    assert worst[named] == min(worst)
    assert named == nearest or worst.count(min(worst)) > 1
    for i, key in enumerate(limits):
        name = f"{key[0]!r} as {key[1]!r}" if isinstance(key, tuple) else f"{key!r} missed"
        least = float(min(row[i] for row in table))
        here = float(table[named][i])
        part = f"{name} = {here:.6g} (limit 0.01, least of any member {least:.6g}"
        assert f"{part})" in text or f"{part}, " in text
        others_hold = [row[i] for row in table if max(row[:i] + row[i + 1 :]) <= F(1, 100)]
        kept = float(min(others_hold, default=2))
        kept = f"{part}, of those within the other limits {kept:.6g})"
        assert (kept in text) is bool(others_hold)


# what may come next, and how to find it among some rates by hand
def then_cases(front, rates):
    classes, q = front.classes.tolist(), front.n_classes
    cost = np.arange(q * q).reshape(q, q) % 5 * (1 - np.eye(q, dtype=int))
    groups = [[classes[-1]], [(classes[0], classes[1])]]
    priors = exact_priors(front)
    return [
        ("distance", most_distant),
        (cost, lambda some: least_cost(some, cost, priors)),
        (LeastCost(cost), lambda some: least_cost(some, cost, priors)),
        (cost.tolist(), lambda some: least_cost(some, cost, priors)),
        (Lexicographic(groups), lambda some: lexicographic(some, groups, classes)),
        (BestScore("accuracy"), lambda some: best_accuracy(some, priors)),
        (BestScore("balanced_accuracy"), best_balanced_accuracy),
        (0, lambda some: {0}),
        (-1, lambda some: {len(some) - 1}),
        (lambda sub: len(sub) // 2, lambda some: {len(some) // 2}),
        (WithinLimits({classes[0]: 1.0}, then=BestScore("balanced_accuracy")),
         best_balanced_accuracy),
    ]  # fmt: skip


@settings(max_examples=25, deadline=None)
@given(case=fronts, data=st.data())
def test_rules_within_limits(case, data):
    front, _, _ = case
    rates = exact_rates(front)
    key = data.draw(st.sampled_from(keys_of(front.classes)))
    found = sorted({rate_at(m, key, front.classes.tolist()) for m in rates})
    limits = {key: float(data.draw(st.sampled_from(found)))}
    members = sorted(
        within_limits(rates, limits, front.classes.tolist(), exact=lambda x: F(x + 1e-9))
    )
    some = [rates[i] for i in members]
    for then, twin in then_cases(front, rates):
        expected = members[first(some, twin(some))]
        assert front.select(WithinLimits(limits, then=then)) == expected
    knee = front[members].select("knee")
    assert front.select(WithinLimits(limits, then="knee")) == members[knee]


def test_order_of_limits_within_limits():
    # a limit, and within it another, is both limits at once
    front, _, _ = small_front(4, 3, n=24)
    a, b, c = front.classes.tolist()
    both = WithinLimits({a: 0.5, (b, c): 0.3})
    for nested in (
        WithinLimits({a: 0.5}, then=WithinLimits({(b, c): 0.3})),
        WithinLimits({(b, c): 0.3}, then=WithinLimits({a: 0.5})),
    ):
        assert front.select(nested) == front.select(both)
    with pytest.raises(ValueError, match=r"No member is within all limits"):
        front.select(WithinLimits({a: 0.5}, then=WithinLimits({b: 0.0, c: 0.0})))


# --- limits with confidence -----------------------------------------------------------


@settings(max_examples=30, deadline=None)
@given(
    case=fronts,
    data=st.data(),
    confidence=st.sampled_from([0.05, 0.5, 0.8, 0.9, 0.95, 0.999]),
)
def test_limits_with_confidence(case, data, confidence):
    front, _, _ = case
    classes = front.classes.tolist()
    rates, sizes = exact_rates(front), front.counts[0].sum(axis=1).tolist()
    limits = {}
    chosen = st.lists(st.sampled_from(keys_of(front.classes)), min_size=1, max_size=2,
                      unique=True)  # fmt: skip
    bounds = []
    for key in data.draw(chosen):
        n = sizes[classes.index(key[0] if isinstance(key, tuple) else key)]
        hits = [rate_at(matrix, key, classes) * n for matrix in rates]
        assert all(hit.denominator == 1 for hit in hits)
        table = {hit: clopper_pearson_upper(int(hit), n, confidence) for hit in set(hits)}
        # a limit next to what some member has, on either side
        limit = data.draw(st.sampled_from(sorted(table.values())))
        limits[key] = min(1.0, max(0.0, limit + data.draw(st.sampled_from([-1e-7, 1e-7]))))
        bounds.append([table[hit] for hit in hits])
    rule = WithinLimits(limits, confidence=confidence)
    members = [
        i
        for i in range(len(front))
        if all(row[i] <= limit for row, limit in zip(bounds, limits.values(), strict=True))
    ]
    if members:
        assert front.select(rule) == first(rates, members)
        return
    with pytest.raises(ValueError, match=rf"with a {confidence:g} bound of the rate") as caught:
        front.select(rule)
    for (key, limit), row in zip(limits.items(), bounds, strict=True):
        name = f"{key[0]!r} as {key[1]!r}" if isinstance(key, tuple) else f"{key!r} missed"
        assert f"{name} = " in str(caught.value)
        reach = f"(limit {limit:.6g}, least of any member {min(row):.6g}"
        assert f"{reach})" in str(caught.value) or f"{reach}, of " in str(caught.value)


def test_confidence_asks_for_more():
    y, scores = gaussian_scores(300, 3, 1)
    front = ROCFront.from_predictions(y, scores, n_costs=500, random_state=0)
    limits = {(0, 1): 0.1}
    rates = [
        front.rates[front.select(WithinLimits(limits, confidence=c)), 0, 1]
        for c in (None, 0.5, 0.9, 0.99)
    ]
    assert sorted(rates, reverse=True) == rates
    assert rates[0] > rates[2] > rates[3]
    # none of 30 cases: the rule of three
    bare = ROCFront.from_rates(np.eye(2), class_sizes=[30, 1000])
    for limit, reached in ((0.094, False), (0.096, True)):
        rule = WithinLimits({0: limit}, confidence=0.95)
        if reached:
            assert bare.select(rule) == 0
        else:
            with pytest.raises(ValueError, match=r"0 missed = 0.0950"):
                bare.select(rule)
    assert bare.select(WithinLimits({1: 0.004}, confidence=0.95)) == 0


def test_confidence_of_a_rate_of_one():
    front = ROCFront.from_rates([[0.0, 1.0], [0.0, 1.0]], class_sizes=[5, 5])
    assert front.select(WithinLimits({(0, 1): 1.0}, confidence=0.99)) == 0
    with pytest.raises(ValueError, match=r"0 missed = 1 \(limit 0.9999"):
        front.select(WithinLimits({0: 0.9999}, confidence=0.01))


def test_confidence_of_weighted_cases():
    y, scores = gaussian_scores(60, 3, 2)
    weight = np.random.default_rng(2).exponential(size=60)
    front = ROCFront.from_predictions(
        y, scores, n_costs=300, random_state=0, sample_weight=weight
    )
    worth = [weight[y == k].sum() ** 2 / (weight[y == k] ** 2).sum() for k in range(3)]
    hits = front.rates[:, 1, 2] * worth[1]
    with np.errstate(invalid="ignore"):
        bounds = np.where(
            hits >= worth[1] - 1e-9, 1.0, beta.ppf(0.9, hits + 1, worth[1] - hits)
        )
    for limit in np.quantile(bounds, [0.0, 0.3, 0.7]) + 1e-7:
        rule = WithinLimits({(1, 2): limit}, then=lambda sub: len(sub) - 1, confidence=0.9)
        assert front.select(rule) == np.flatnonzero(bounds <= limit)[-1]
    # weights all the same are none
    plain = ROCFront.from_predictions(y, scores, n_costs=300, random_state=0)
    same = ROCFront.from_predictions(
        y, scores, n_costs=300, random_state=0, sample_weight=np.full(60, 0.3)
    )
    rule = WithinLimits({0: 0.45}, confidence=0.8)
    assert plain.select(rule) == same.select(rule)


def test_confidence_needs_sizes():
    front = ROCFront.from_rates([[0.9, 0.1], [0.4, 0.6]])
    assert front.select(WithinLimits({0: 0.1})) == 0
    with pytest.raises(ValueError, match=r"give class_sizes to ROCFront.from_rates"):
        front.select(WithinLimits({0: 0.5}, confidence=0.9))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (({},), r"limits must be a non-empty dict"),
        (([("a", 0.1)],), r"limits must be a non-empty dict"),
        ((0.1,), r"limits must be a non-empty dict"),
        (({"a": -0.1},), r"limits\['a'\] must be a finite number of at least 0"),
        (({"a": 1.1},), r"limits\['a'\] must be a rate, at most 1; got 1.1"),
        (({"a": np.nan},), r"limits\['a'\] must be a finite number"),
        (({"a": "low"},), r"limits\['a'\] must be a finite number"),
        (({"a": None},), r"limits\['a'\] must be a finite number"),
        (({"a": 0.1}, "best"), r"then must be one of 'distance', 'knee'"),
        (({"a": 0.1}, None), r"then must be one of 'distance', 'knee'"),
        (({"a": 0.1}, "distance", 0.0), r"confidence must be between 0 and 1; got 0.0"),
        (({"a": 0.1}, "distance", 1.0), r"confidence must be between 0 and 1; got 1.0"),
        (({"a": 0.1}, "distance", 95), r"confidence must be between 0 and 1; got 95"),
        (({"a": 0.1}, "distance", "high"), r"confidence must be a finite number"),
    ],
)
def test_bad_limits(arguments, message):
    with pytest.raises(ValueError, match=message):
        WithinLimits(*arguments)


@pytest.mark.parametrize(
    ("key", "message"),
    [
        ("fir", r"must name classes of the front, \['elm', 'ash', 'yew'\]; got 'fir'"),
        (("elm", "fir"), r"must name classes of the front.*got \('elm', 'fir'\)"),
        (("elm", "elm"), r"must name mistakes; \('elm', 'elm'\) is none"),
        (("elm", "ash", "yew"), r"must have pairs \(true, predicted\) or classes"),
        (0, r"must name classes of the front"),
    ],
)
def test_limits_and_groups_of_unknown_classes(key, message):
    front, _, _ = small_front(5, 3, text=True)
    with pytest.raises(ValueError, match=rf"limits {message}"):
        front.select(WithinLimits({key: 0.5}))
    with pytest.raises(ValueError, match=rf"groups {message}"):
        front.select(Lexicographic([[key]]))


@pytest.mark.parametrize("key", ["elmo", ("ash", "elmo"), ("elmo", "ash")])
def test_classes_that_are_near(key):
    front, _, _ = small_front(5, 3, text=True)
    for rule in (WithinLimits({key: 0.5}), Lexicographic([key])):
        with pytest.raises(ValueError, match=r"classes of the front.*Did you mean 'elm'\?$"):
            front.select(rule)


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("kneee", r" Did you mean 'knee'\?"),
        ("Distance", r" Did you mean 'distance'\?"),
        ("accuracy", r" Did you mean BestScore\('accuracy'\)\?"),
        ("f1_makro", r" Did you mean BestScore\('f1_macro'\)\?"),
        ("zzz", ""),
    ],
)
def test_names_that_are_near(name, hint):
    front, _, _ = small_front(5, 3, text=True)
    with pytest.raises(ValueError, match=f"rule must be one of .*; got '{name}'\\.{hint}$"):
        front.select(name)


def test_scores_that_are_near():
    front, _, _ = small_front(5, 3, text=True)
    for name, meant in (("f1_makro", "f1_macro"), ("macro_avrage", "macro_average")):
        with pytest.raises(ValueError, match=rf"got '{name}'\. Did you mean '{meant}'\?$"):
            front.select(BestScore(name))


@pytest.mark.parametrize(
    "score",
    ["f1", sklearn.metrics.f1_score, sklearn.metrics.make_scorer(sklearn.metrics.f1_score)],
)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_scores_of_one_class_are_told_how_to_name_it(score, n_classes):
    front, _, _ = small_front(5, n_classes, text=True)
    with pytest.raises(ValueError, match="must know which class counts: ") as caught:
        front.select(BestScore(score))
    code = str(caught.value).partition(" Give ")[2].removesuffix(".")
    assert "BestScore('f1_macro'), or BestScore(make_scorer(f1_score, " in code
    names = {"BestScore": BestScore, **vars(sklearn.metrics)}
    for rule in eval(code.replace(", or ", ", "), names):
        assert 0 <= front.select(rule) < len(front)


def test_other_scores_of_one_class():
    front, _, _ = small_front(5, 2, text=True)
    with pytest.raises(
        ValueError, match=r"Give BestScore\('recall_macro'\), .*recall_score, pos_l"
    ):
        front.select(BestScore("recall"))


# --- lexicographic ----------------------------------------------------------------


@many
@given(case=fronts, data=st.data())
def test_lexicographic(case, data):
    front, _, _ = case
    rates, classes = exact_rates(front), front.classes.tolist()
    keys = data.draw(st.permutations(keys_of(front.classes)))
    n_groups = data.draw(st.integers(1, 4))
    groups = [keys[i::n_groups] for i in range(n_groups)]
    groups = [group[: data.draw(st.integers(1, 3))] for group in groups if group]
    expected = first(rates, lexicographic(rates, groups, classes))
    assert front.select(Lexicographic(groups)) == expected
    assert front.select(Lexicographic(tuple(groups))) == expected


def test_a_list_of_two_classes_is_no_pair():
    front, _, _ = small_front(6, 3, text=True)
    rates, classes = exact_rates(front), front.classes.tolist()
    members = []
    for groups in ([["elm", "ash"]], [("elm", "ash")]):
        expected = first(rates, lexicographic(rates, [[*groups]] if isinstance(groups[0], tuple)
                                              else groups, classes))  # fmt: skip
        members.append(front.select(Lexicographic(groups)))
        assert members[-1] == expected
    assert members[0] != members[1]
    assert Lexicographic([["elm", "ash"]]) != Lexicographic([("elm", "ash")])


def test_single_mistakes_and_classes_are_groups():
    front, _, _ = small_front(6, 3, text=True)
    rates = exact_rates(front)
    classes = front.classes.tolist()
    for short, long in (
        ([("elm", "ash"), ("yew", "ash")], [[("elm", "ash")], [("yew", "ash")]]),
        ([("elm", "ash"), "yew"], [[("elm", "ash")], ["yew"]]),
        (["elm", ("yew", "ash")], [["elm"], [("yew", "ash")]]),
    ):
        assert Lexicographic(short) == Lexicographic(long)
        expected = first(rates, lexicographic(rates, long, classes))
        assert front.select(Lexicographic(short)) == expected
    # the order of the groups matters
    chosen = {front.select(Lexicographic([a, b])) for a in classes for b in classes if a != b}
    assert len(chosen) > 1


def test_groups_are_sums():
    rates = [
        [[0.7, 0.2, 0.1], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        [[0.75, 0.0, 0.25], [0.1, 0.9, 0.0], [0.0, 0.0, 1.0]],
        [[0.6, 0.1, 0.3], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
    ]
    front = ROCFront.from_rates(rates)
    groups = (
        [[(0, 1), (0, 2)]],
        [[(0, 1)], [(0, 2)]],
        [(0, 2), (0, 1)],
        [[(1, 0), (0, 1)]],
    )
    members = [front.select(Lexicographic(some)) for some in groups]
    firsts = [front.rates[i, 0, 0] for i in members]
    assert firsts == pytest.approx([0.75, 0.75, 0.7, 0.75])
    # 0.2 + 0.1 and 0.3 + 0.0 tie, and the rest decides
    tied = [
        [[0.7, 0.2, 0.1], [0.1, 0.9, 0.0], [0.0, 0.0, 1.0]],
        [[0.7, 0.3, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
    ]
    front = ROCFront.from_rates(tied)
    assert front.rates[front.select(Lexicographic([[(0, 1), (0, 2)]])), 0, 1] == 0.3
    assert front.rates[front.select(Lexicographic([0])), 0, 1] == 0.3


@pytest.mark.parametrize("bad", [[], (), "ab", {}, [[]], [[("a", "b")], []], b"ab"])
def test_bad_groups(bad):
    with pytest.raises(ValueError, match=r"groups must be a non-empty sequence of groups"):
        Lexicographic(bad)


@pytest.mark.parametrize("bad", [None, 5])
def test_groups_that_are_no_sequence(bad):
    with pytest.raises((TypeError, ValueError), match=r"groups must be"):
        Lexicographic(bad)


@pytest.mark.parametrize(
    "rule",
    [LeastCost(np.eye(3)), WithinLimits({0: 1}), Lexicographic([0]), BestScore("accuracy")],
)
@pytest.mark.parametrize("front", [None, np.eye(3), "front"])
def test_what_is_no_front(rule, front):
    with pytest.raises(TypeError, match="front must be a ROCFront; got"):
        rule.choose(front)


def test_costs_of_all_sizes():
    front = ROCFront.from_rates([[[1, 0], [1, 0]], [[0, 1], [0, 1]]])
    assert front.select(LeastCost([[0, 1e-10], [1e308, 0]])) == front.rates[:, 1, 1].argmax()


def test_what_holds_itself():
    endless = []
    endless.append(endless)
    with pytest.raises(ValueError, match="cost_matrix must not hold itself"):
        LeastCost(endless)
    with pytest.raises(ValueError, match="groups must not hold itself"):
        Lexicographic(endless)
    with pytest.raises(ValueError, match="limits must not hold itself"):
        WithinLimits({"a": endless})


# --- best score -------------------------------------------------------------------

AT_ONCE = {
    "accuracy": sklearn.metrics.accuracy_score,
    "balanced_accuracy": sklearn.metrics.balanced_accuracy_score,
    "f1_macro": partial(sklearn.metrics.f1_score, average="macro"),
    "f1_weighted": partial(sklearn.metrics.f1_score, average="weighted"),
    "matthews_corrcoef": sklearn.metrics.matthews_corrcoef,
}
WITH_CALLS = {
    "jaccard_macro": partial(sklearn.metrics.jaccard_score, average="macro"),
    "recall_weighted": partial(sklearn.metrics.recall_score, average="weighted"),
}
SCORES = {**AT_ONCE, **WITH_CALLS, "macro_average": skvus.metrics.macro_average_score}


@pytest.mark.parametrize("name", [*AT_ONCE, *WITH_CALLS])
@settings(max_examples=8, deadline=None)
@given(case=fronts)
def test_named_scores_are_those_of_scikit_learn(name, case):
    front, y, scores = case
    metric = SCORES[name]
    truth = [metric(y, front.predict(scores, i)) for i in range(len(front))]
    np.testing.assert_allclose(score_members(front, name), truth, rtol=0, atol=1e-12)
    members = {i for i, s in enumerate(truth) if isclose(s, max(truth), abs_tol=1e-12)}
    rates = exact_rates(front)
    assert front.select(BestScore(name)) == first(rates, members)
    if name == "accuracy":
        assert members == best_accuracy(rates, exact_priors(front))


def test_named_scores_where_a_class_is_never_called():
    # scikit-learn says so, and counts the precision as zero
    front, _, _ = small_front(0, 3)
    metric = partial(sklearn.metrics.precision_score, average="macro", zero_division=0.0)
    members = best_score(front.counts.tolist(), metric)
    is_called = front.counts.sum(axis=1).all(axis=1)
    assert not is_called.all()
    with pytest.warns(UndefinedMetricWarning):
        assert front.select(BestScore("precision_macro")) == first(exact_rates(front), members)
    assert front.select(BestScore(metric)) == first(exact_rates(front), members)
    calling = front[is_called]  # without a warning
    members = best_score(calling.counts.tolist(), metric)
    assert calling.select(BestScore("precision_macro")) == first(exact_rates(calling), members)


@pytest.mark.parametrize(
    ("name", "function"),
    [
        ("macro_average", skvus.metrics.macro_average_score),
        ("modified_macro_average", skvus.metrics.modified_macro_average_score),
        ("one_point_auc", skvus.metrics.one_point_auc_score),
        ("hand_till_crisp_2", partial(skvus.metrics.hand_till_crisp_score, variant="2")),
    ],
)
@pytest.mark.parametrize("text", [False, True])
def test_scores_of_this_package_by_name(name, function, text):
    for seed in range(4):
        front, _, _ = small_front(seed, 3, text=text, n_costs=80)
        truth = [function(*labels_of(counts)) for counts in front.counts.tolist()]
        np.testing.assert_allclose(score_members(front, name), truth, rtol=0, atol=1e-12)
        members = {i for i, s in enumerate(truth) if isclose(s, max(truth), abs_tol=1e-12)}
        assert front.select(BestScore(name)) == first(exact_rates(front), members)


def test_all_scorers_for_labels_of_this_package_work():
    front, _, _ = small_front(0, 3, text=True)
    crisp = ("hand_till_crisp", "macro_average", "modified", "one_point", "polytope_vus")
    names = [name for name in skvus.metrics.get_scorer_names() if name.startswith(crisp)]
    assert len(names) >= 8
    for name in names:
        assert 0 <= front.select(BestScore(name)) < len(front)


def kappa(y_true, y_pred):
    return sklearn.metrics.cohen_kappa_score(y_true, y_pred)


def weighted_kappa(y_true, y_pred, *, sample_weight=None):
    return sklearn.metrics.cohen_kappa_score(y_true, y_pred, sample_weight=sample_weight)


@pytest.mark.parametrize(
    "score",
    [
        kappa,
        weighted_kappa,
        sklearn.metrics.cohen_kappa_score,
        sklearn.metrics.make_scorer(sklearn.metrics.cohen_kappa_score),
        lambda y_true, y_pred, **options: weighted_kappa(y_true, y_pred, **options),
        partial(sklearn.metrics.cohen_kappa_score, weights=None),
    ],
)
@pytest.mark.parametrize(("n_classes", "text"), [(2, True), (3, False), (4, True)])
def test_scores_that_are_functions(score, n_classes, text):
    for seed in range(3):
        front, _, _ = small_front(seed, n_classes, text=text, n_costs=60)
        members = best_score(front.counts.tolist(), kappa)
        assert front.select(BestScore(score)) == first(exact_rates(front), members)


def test_functions_see_labels():
    front, y, scores = small_front(0, 3, text=True)
    seen = []

    def remember(y_true, y_pred):
        seen.append(sklearn.metrics.confusion_matrix(y_true, y_pred, labels=front.classes))
        return float(np.mean(y_true == "yew") * np.mean(y_pred == "ash"))

    index = front.select(BestScore(remember))
    np.testing.assert_array_equal(seen, front.counts)
    called = [np.mean(front.predict(scores, i) == "ash") for i in range(len(front))]
    assert called[index] == max(called)
    assert sorted(set(y)) == sorted(front.classes)


def test_a_scorer_whose_sign_is_changed():
    front, _, _ = small_front(1, 2)
    loss = sklearn.metrics.make_scorer(sklearn.metrics.zero_one_loss, greater_is_better=False)
    assert front.select(BestScore(loss)) == front.select(BestScore("accuracy"))
    wrong = sklearn.metrics.make_scorer(sklearn.metrics.zero_one_loss)
    assert front.select(BestScore(wrong)) != front.select(BestScore("accuracy"))


@pytest.mark.parametrize("name", SCORES)
@pytest.mark.parametrize("n_classes", [2, 3, 4])
def test_scores_of_weighted_cases(name, n_classes):
    y, scores = gaussian_scores(30 * n_classes, n_classes, 3)
    weight = np.random.default_rng(3).exponential(size=y.size) * 1e3
    front = ROCFront.from_predictions(
        y, scores, n_costs=80, random_state=0, sample_weight=weight
    )
    metric = SCORES[name]
    truth = [
        metric(y, front.predict(scores, i), sample_weight=weight) for i in range(len(front))
    ]
    np.testing.assert_allclose(score_members(front, name), truth, rtol=0, atol=1e-11)
    assert front.select(BestScore(name)) == np.argmax(truth)
    unweighted = [metric(y, front.predict(scores, i)) for i in range(len(front))]
    assert np.abs(np.array(truth) - unweighted).max() > 0.01


def test_functions_without_weights_take_whole_counts_only():
    y, scores = gaussian_scores(60, 3, 3)
    weighted = ROCFront.from_predictions(
        y, scores, n_costs=20, random_state=0, sample_weight=np.linspace(1, 2, 60)
    )
    bare = ROCFront.from_rates(weighted.rates)
    for front in (weighted, bare):
        with pytest.raises(
            ValueError, match=r"must take sample_weight: the front has no whole"
        ):
            front.select(BestScore(kappa))
        assert 0 <= front.select(BestScore(weighted_kappa)) < len(front)
    whole = ROCFront.from_rates(quarter_rates(20), class_sizes=[8, 4, 12])
    assert whole.select(BestScore(kappa)) == whole.select(BestScore(weighted_kappa))


def quarter_rates(n_members, n_classes=3, seed=0):
    rng = np.random.default_rng(seed)
    share = 0.5 * np.eye(n_classes) + 0.5 / n_classes
    return rng.multinomial(4, share, size=(n_members, n_classes)) / 4


@pytest.mark.parametrize("name", SCORES)
def test_fronts_without_counts_stand_for_their_priors(name):
    # a tenth, three tenths and six tenths of 40 cases, in quarters
    priors, sizes = [0.1, 0.3, 0.6], [4, 12, 24]
    for seed in range(5):
        rates = quarter_rates(15, seed=seed)
        front = ROCFront.from_rates(rates, priors=priors)
        assert front.counts is None
        counted = ROCFront.from_rates(rates, class_sizes=sizes)
        assert counted.counts.sum(axis=2).tolist() == [sizes] * len(counted)
        np.testing.assert_allclose(
            score_members(front, name), score_members(counted, name), rtol=0, atol=1e-12
        )
        assert front.select(BestScore(name)) == counted.select(BestScore(name))
    if name == "accuracy":
        other = ROCFront.from_rates(rates, priors=[0.6, 0.3, 0.1])
        assert other.select(BestScore(name)) != front.select(BestScore(name))


@pytest.mark.parametrize(
    "name",
    ["roc_auc_ovr", "roc_auc", "neg_log_loss", "neg_brier_score", "average_precision",
     "top_k_accuracy", "simplified_vus", "ordered_vus", "soft_polytope_vus", "pdi",
     "hand_till", "one_vs_rest_auc", "angle_vus"],
)  # fmt: skip
@pytest.mark.parametrize("n_classes", [2, 3])
def test_scores_of_probabilities_are_refused(name, n_classes):
    front, _, _ = small_front(0, n_classes, text=True)
    with pytest.raises(ValueError, match=r"score must be one of predicted labels.*needs prob"):
        front.select(BestScore(name))


def test_costs_of_other_libraries():
    polars = pytest.importorskip("polars")
    front, _, _ = small_front(0, 3)
    cost = np.array([[0.0, 1, 2], [3, 0, 4], [5, 6, 0]])
    assert LeastCost(polars.DataFrame(cost)) == LeastCost(cost)
    assert front.select(polars.DataFrame(cost)) == front.select(cost)
    assert LeastCost(cost, priors=polars.Series([0.2, 0.3, 0.5])) == LeastCost(
        cost, priors=[0.2, 0.3, 0.5]
    )


@pytest.mark.parametrize("kind", ["polars", "pyarrow"])
def test_costs_of_tables_in_another_order(kind):
    library = pytest.importorskip(kind)
    table = {"polars": "DataFrame", "pyarrow": "table"}[kind]
    front, _, _ = small_front(0, 3, text=True)
    names = front.classes.tolist()
    # zeros, so that the diagonal does not tell
    columns = dict(zip(names, np.array([[0, 0, 5], [0, 0, 1], [3, 1, 0]]).T, strict=True))
    make = getattr(library, table)
    assert LeastCost(make(columns)) == LeastCost(np.transpose(list(columns.values())))
    assert front.select(make(columns)) == front.select(np.asarray(make(columns)))
    moved = LeastCost(make({name: columns[name] for name in np.roll(names, 1).tolist()}))
    swapped = LeastCost(make({name: columns[name] for name in [*names[1::-1], names[2]]}))
    for bad in (moved, swapped, pickle.loads(pickle.dumps(swapped))):
        with pytest.raises(ValueError, match="cost_matrix must have its columns in the order"):
            front.select(bad)


def test_bad_scores():
    front, _, _ = small_front(0, 3)
    for bad in (None, 3, ["accuracy"], 0.5, int):
        with pytest.raises(ValueError, match=r"score must be the name of a scorer or a call"):
            BestScore(bad)
    with pytest.raises(ValueError, match=r"accuracie"):
        front.select(BestScore("accuracie"))
    with pytest.raises(ValueError, match=r"score must give one number"):
        front.select(BestScore(lambda a, b: [1.0, 2.0]))
    for value in (1j, None, "much"):
        with pytest.raises(ValueError, match=r"score must give one number; .* gave"):
            front.select(BestScore(lambda a, b, value=value: value))
    with pytest.raises(ValueError, match=r"is NaN for every member"):
        front.select(BestScore(lambda a, b: np.nan))


def test_scores_that_are_not_numbers_lose():
    front, _, _ = small_front(0, 3)
    a = front.classes[0]

    def precision(y_true, y_pred):
        called = y_pred == a
        return (y_true[called] == a).mean() if called.any() else np.nan

    values = [c[0, 0] / c[:, 0].sum() if c[:, 0].any() else -1.0 for c in front.counts]
    assert min(values) == -1.0
    members = {i for i, v in enumerate(values) if isclose(v, max(values), abs_tol=1e-12)}
    assert front.select(BestScore(precision)) == first(exact_rates(front), members)
    assert front.select(BestScore(lambda *args: -precision(*args))) not in {
        i for i, v in enumerate(values) if v == -1.0
    }


def test_infinite_scores_win():
    # a ratio of likelihoods is infinite where there are no false alarms
    front, _, _ = small_front(1, 2)
    a, b = front.classes

    def likelihood_ratio(y_true, y_pred):
        alarms = np.mean(y_pred[y_true == a] == b)
        hits = np.mean(y_pred[y_true == b] == b)
        return np.inf if alarms == 0 else hits / alarms

    infinite = {i for i, r in enumerate(front.rates) if r[0, 1] == 0.0}
    assert infinite
    index = front.select(BestScore(likelihood_ratio))
    assert index == first(exact_rates(front), infinite)
    lowest = front.select(BestScore(lambda *args: -likelihood_ratio(*args)))
    assert lowest not in infinite


@pytest.mark.parametrize(
    "name", ["adjusted_rand_score", "normalized_mutual_info_score", "v_measure_score"]
)
def test_named_scores_that_take_no_weights_serve_for_whole_counts(name):
    front, _, _ = small_front(0, 3)
    metric = getattr(sklearn.metrics, name)
    members = best_score(front.counts.tolist(), metric)
    assert front.select(BestScore(name)) == first(exact_rates(front), members)


def test_named_scores_that_take_no_weights_say_so():
    y, scores = gaussian_scores(60, 3, 3)
    weighted = ROCFront.from_predictions(
        y, scores, n_costs=20, random_state=0, sample_weight=np.linspace(1, 2, 60)
    )
    with pytest.raises((TypeError, ValueError), match=r"sample_weight"):
        weighted.select(BestScore("adjusted_rand_score"))


@pytest.mark.parametrize("share", [1e-6, 1e-9])
def test_scores_of_a_rare_class(share):
    rates = [[[1.0, 0.0], [0.5, 0.5]], [[0.9, 0.1], [0.0, 1.0]]]
    front = ROCFront.from_rates(rates, priors=[1 - share, share])
    truth = []
    for matrix in rates:
        table = np.array([[1 - share], [share]]) * np.array(matrix)
        true, called = np.nonzero(table)
        weight = table[true, called]
        score = sklearn.metrics.matthews_corrcoef(true, called, sample_weight=weight)
        truth.append(score)
    assert truth == pytest.approx([np.sqrt(0.5), 3 * np.sqrt(share)], rel=0.01)
    assert front.select(BestScore("matthews_corrcoef")) == np.argmax(truth) == 0


@pytest.mark.parametrize("name", ["accuracy", "balanced_accuracy", "f1_weighted"])
def test_scores_with_a_class_that_does_not_occur(name):
    # rates are known, the class is not expected: no warning, and no NaN
    front = ROCFront.from_rates(quarter_rates(12, seed=3), priors=[0.5, 0.5, 0.0])
    index = front.select(BestScore(name))
    rates = front.rates.tolist()
    two = [m[0][0] + m[1][1] for m in rates]
    f1 = [sum(m[k][k] / (1 + m[0][k] + m[1][k]) for k in (0, 1)) for m in rates]
    best = all_largest(f1 if name == "f1_weighted" else two)
    if name == "balanced_accuracy":  # of the classes that occur, or of all
        best |= all_largest([m[0][0] + m[1][1] + m[2][2] for m in rates])
    assert index in best


# --- knee -------------------------------------------------------------------------


def knee_of_two_classes(points):
    """Members by the exact share of weights (w, 1-w) for which they are the cheapest."""
    shares = []
    for i, (x, y) in enumerate(points):
        low, high = F(0), F(1)
        for j, (u, v) in enumerate(points):
            # w x + (1-w) y <= w u + (1-w) v  <=>  w (x - y - u + v) <= v - y
            slope, level = x - y - u + v, v - y
            if j == i:
                continue
            if slope > 0:
                high = min(high, level / slope)
            elif slope < 0:
                low = max(low, level / slope)
            elif level < 0:
                high = F(-1)
        shares.append(max(F(0), high - low))
    return shares


@many
@given(seed=st.integers(0, 10**6))
def test_knee_of_two_classes(seed):
    front, _, _ = small_front(seed, 2, n=30)
    shares = knee_of_two_classes([rates_of(m) for m in exact_rates(front)])
    assert sum(shares) == 1
    index = front.select("knee")
    best = float(max(shares))
    # found with 20,000 draws
    assert float(shares[index]) >= best - 6 * (best * (1 - best) / 20_000 * 2) ** 0.5 - 1e-12
    assert index in hull_members([rates_of(m) for m in exact_rates(front)])


@pytest.mark.parametrize("n_classes", [3, 4])
@pytest.mark.parametrize("seed", range(4))
def test_knee_is_the_most_frequent_optimum(n_classes, seed):
    front, _, _ = small_front(seed, n_classes, n=20)
    rates = exact_rates(front)
    points = np.array([rates_of(m) for m in rates], dtype=float)
    rng = np.random.default_rng([99, seed])
    draws = rng.standard_gamma(1.0, size=(30_000, points.shape[1]))
    draws /= draws.sum(axis=1, keepdims=True)
    winners = np.argmin(draws @ points.T, axis=1)
    shares = np.bincount(winners, minlength=len(front)) / len(draws)
    index = front.select("knee")
    best = shares.max()
    assert shares[index] >= best - 6 * np.sqrt(2 * best * (1 - best) / 20_000)
    assert index in hull_members([rates_of(m) for m in rates])
    # the draws themselves, in rational numbers
    for weights, winner in zip(draws[:20], winners[:20], strict=True):
        assert winner in optimal_members([rates_of(m) for m in rates], weights)
    assert front.select("knee") == index


def test_knee_by_hand():
    # three corners: (0, 1), (0.1, 0.2) and (1, 0); the second is optimal for most weights
    rates = [[[1, 0], [1, 0]], [[0.9, 0.1], [0.2, 0.8]], [[0, 1], [0, 1]],
             [[0.6, 0.4], [0.15, 0.85]]]  # fmt: skip
    front = ROCFront.from_rates(rates)
    assert front.select("knee") == 1
    # most distant, but on the edge of two others: only for weights next to each other
    rates = [[[0.9, 0.1], [0.5, 0.5]], [[0.5, 0.5], [0.08, 0.92]], [[0.7, 0.3], [0.27, 0.73]]]
    front = ROCFront.from_rates(rates)
    assert front.select("distance") == 1
    shares = knee_of_two_classes([(F(1, 10), F(1, 2)), (F(3, 10), F(27, 100)),
                                  (F(1, 2), F(8, 100))])  # fmt: skip
    assert front.select("knee") == shares.index(max(shares)) != 1


# --- anything else ----------------------------------------------------------------


def test_indices_and_functions():
    front, _, scores = small_front(7, 3)
    m = len(front)
    for index in (0, m - 1, -1, -m, np.int64(2), np.int8(-2)):
        for rule in (index, lambda _, index=index: index):
            found = front.select(rule)
            assert found == index % m
            assert type(found) is int
    for bad in (m, -m - 1, 10**9):
        for rule in (bad, lambda _, bad=bad: bad):
            with pytest.raises(ValueError, match=rf"index of the {m} members; got {bad}"):
                front.select(rule)
    for bad in (1.0, "distance", None, True, [0]):
        with pytest.raises(ValueError, match=r"rule must choose an index"):
            front.select(lambda _, bad=bad: bad)
    seen = []
    front.select(lambda given: seen.append(given) or 0)
    assert seen[0] is front
    farthest = partial(np.argmax, axis=None)
    index = front.select(lambda f: farthest(f.rates[:, 0, 0]))
    assert front.rates[index, 0, 0] == 1.0
    np.testing.assert_array_equal(front.predict(scores, lambda f: 3), front.predict(scores, 3))


@pytest.mark.parametrize("bad", ["best", "", None, 2.0, True, LeastCost, BestScore])
def test_what_is_no_rule(bad):
    front, _, _ = small_front(7, 3)
    with pytest.raises(ValueError, match=r"rule must be one of 'distance', 'knee'"):
        front.select(bad)


@pytest.mark.parametrize("n_classes", [2, 3, 4])
def test_names_of_classes_do_not_matter(n_classes):
    cost = np.arange(n_classes**2).reshape(n_classes, n_classes) % 7 * (1 - np.eye(n_classes))
    for seed in range(5):
        numbers, _, _ = small_front(seed, n_classes)
        words, _, _ = small_front(seed, n_classes, text=True)
        a, b = numbers.classes[:2].tolist()
        c, d = words.classes[:2].tolist()
        for one, two in (
            ("distance", "distance"),
            ("knee", "knee"),
            (cost, cost),
            (BestScore("f1_macro"), BestScore("f1_macro")),
            (BestScore("jaccard_macro"), BestScore("jaccard_macro")),
            (WithinLimits({(a, b): 0.3, b: 0.9}), WithinLimits({(c, d): 0.3, d: 0.9})),
            (Lexicographic([(b, a), a]), Lexicographic([(d, c), c])),
        ):
            assert numbers.select(one) == words.select(two)


def test_labels_of_any_type():
    front, _, _ = small_front(7, 3)
    a, b, _ = front.classes
    assert isinstance(a, np.integer)
    assert front.select(WithinLimits({(a, b): 0.2})) == front.select(
        WithinLimits({(int(a), int(b)): 0.2})
    )
    assert front.select(Lexicographic([[(a, b)], [b]])) == front.select(
        Lexicographic([[(int(a), int(b))], [int(b)]])
    )
    front, _, _ = small_front(7, 3, text=True)
    a, b, _ = front.classes
    assert isinstance(a, np.str_)
    assert front.select(WithinLimits({(a, b): 0.2, a: 0.9})) == front.select(
        WithinLimits({("elm", "ash"): 0.2, "elm": 0.9})
    )
    assert front.select(Lexicographic([a, (b, a)])) == front.select(
        Lexicographic(["elm", ("ash", "elm")])
    )


def test_one_member_is_always_chosen():
    front = ROCFront.from_rates([[0.9, 0.1], [0.2, 0.8]], class_sizes=[10, 10])
    for rule in ("distance", "knee", [[0, 1], [5, 0]], BestScore("accuracy"), 0, -1,
                 WithinLimits({0: 0.1}), Lexicographic([1])):  # fmt: skip
        assert front.select(rule) == 0


# --- rules as objects -------------------------------------------------------------

SPACE = {
    "LeastCost": LeastCost,
    "WithinLimits": WithinLimits,
    "Lexicographic": Lexicographic,
    "BestScore": BestScore,
}
COST = [[0, 1, 2.5], [3, 0, 1], [1, 1, 0]]
RULES = [
    lambda: LeastCost(COST),
    lambda: LeastCost(np.array(COST), priors=np.array([0.2, 0.3, 0.5])),
    lambda: LeastCost(pd.DataFrame(COST, index=[3, 5, 7], columns=[3, 5, 7])),
    lambda: LeastCost({("elm", "ash"): 1, ("ash", "elm"): 2}, priors={"elm": 0.5, "ash": 0.5}),
    lambda: WithinLimits({("elm", "ash"): 0.05, "yew": 0.1}),
    lambda: WithinLimits({3: 0.1}, then=COST, confidence=0.9),
    lambda: WithinLimits({3: 0.1}, then=Lexicographic([[(5, 3), (5, 7)], [7]])),
    lambda: WithinLimits({3: 0.1}, then="knee"),
    lambda: WithinLimits({3: 0.1}, then=WithinLimits({5: 0.2}, then=-1)),
    lambda: Lexicographic([[("b", "a"), ("b", "c")], [("c", "a")], "a"]),
    lambda: Lexicographic([3, (5, 7)]),
    lambda: BestScore("balanced_accuracy"),
]
every_rule = pytest.mark.parametrize("make", RULES)


@every_rule
def test_repr_can_be_evaluated(make):
    rule = make()
    again = eval(repr(rule), SPACE)
    assert again == rule
    assert repr(again) == repr(rule)
    assert repr(rule).startswith(type(rule).__name__ + "(")
    assert "\n" not in repr(rule)


def test_reprs_are_readable():
    assert "'elm', 'ash'): 0.05" in repr(RULES[4]())
    assert "then='distance'" in repr(RULES[4]())
    assert "confidence=0.9" in repr(RULES[5]())
    assert "(3, 0, 1)" in repr(RULES[0]())
    assert repr(BestScore("accuracy")) == "BestScore(score='accuracy')"


@pytest.mark.parametrize(
    "make",
    [
        lambda: LeastCost([list(np.array(row)) for row in COST]),
        lambda: LeastCost(COST, priors=list(np.array([0.2, 0.3, 0.5]))),
        lambda: LeastCost({(np.int64(3), np.int64(5)): np.float64(1.5)}),
        lambda: Lexicographic([list(map(tuple, np.array([[3, 5], [7, 5]])))]),
        lambda: Lexicographic([(np.str_("a"), np.str_("b"))]),
        lambda: WithinLimits({np.int64(3): np.float64(0.1)}),
        lambda: WithinLimits({3: 0.1}, then=np.int64(2), confidence=np.float64(0.9)),
    ],
)
def test_numbers_of_numpy_are_read_as_numbers(make):
    rule = make()
    assert "np." not in repr(rule)
    assert eval(repr(rule), SPACE) == rule


@every_rule
def test_equal_rules(make):
    assert make() == make()
    assert make() is not make()
    others = [other() for other in RULES if other is not make]
    assert make() not in others


def test_forms_that_mean_the_same_are_equal():
    assert LeastCost(COST) == LeastCost(np.array(COST)) == LeastCost(tuple(map(tuple, COST)))
    assert LeastCost(COST) != LeastCost(COST, priors=[0.2, 0.3, 0.5])
    assert WithinLimits({3: 0.1}, then=COST) == WithinLimits({3: 0.1}, then=LeastCost(COST))
    assert WithinLimits({3: 0.1}) != WithinLimits({3: 0.1}, confidence=0.9)
    assert WithinLimits({3: 0.1}) != WithinLimits({3: 0.1}, then="knee")
    assert Lexicographic([3]) == Lexicographic([[3]]) == Lexicographic(((3,),))
    assert Lexicographic([3, 5]) != Lexicographic([5, 3])
    assert BestScore("accuracy") != BestScore("f1_macro")
    assert BestScore(kappa) == BestScore(kappa) != BestScore(weighted_kappa)


@pytest.mark.parametrize(
    "make", [RULES[0], RULES[1], RULES[9], RULES[10], RULES[11], lambda: BestScore(kappa)]
)
def test_rules_without_names_are_hashable(make):
    assert {make(): 1}[make()] == 1
    assert len({make(), make(), BestScore("recall_macro")}) == 2


@every_rule
def test_rules_are_frozen(make):
    rule = make()
    before = repr(rule)
    for name in (*vars(rule), "new"):
        with pytest.raises(FrozenInstanceError):
            setattr(rule, name, 1)
    for name in vars(rule):
        with pytest.raises(FrozenInstanceError):
            delattr(rule, name)
    assert repr(rule) == before


def test_rules_do_not_follow_what_they_were_made_from():
    cost, priors = np.array(COST), [0.2, 0.3, 0.5]
    frame, pairs = pd.DataFrame(COST, dtype=float), {(0, 1): 1, (1, 0): 2}
    limits, groups = {3: 0.1}, [[(3, 5)], [7]]
    rules = [
        LeastCost(cost, priors=priors),
        LeastCost(frame),
        LeastCost(pairs),
        WithinLimits(limits, then=cost),
        Lexicographic(groups),
    ]
    before = [repr(rule) for rule in rules]
    cost[0, 1] = priors[0] = frame.iloc[0, 1] = pairs[0, 1] = limits[3] = 0.9
    groups[0].append((5, 3))
    groups.pop()
    assert [repr(rule) for rule in rules] == before


@every_rule
def test_copies_choose_the_same(make):
    rule = make()
    text = any(name in repr(rule) for name in ("elm", "ash"))
    front = small_front(8, 2 if "LeastCost" in repr(rule) and text else 3, text=text, n=24)[0]
    copies = [copy.copy(rule), copy.deepcopy(rule)]
    copies += [pickle.loads(pickle.dumps(rule, protocol)) for protocol in (2, 5)]
    for other in copies:
        assert other == rule
        assert repr(other) == repr(rule)
        assert type(other) is type(rule)
    if "'b'" in repr(rule):
        return
    results = []
    for other in (rule, *copies):
        try:
            results.append(front.select(other))
        except ValueError as error:
            results.append(str(error))
    assert len(set(results)) == 1


def test_pickled_functions():
    rule = pickle.loads(pickle.dumps(BestScore(kappa)))
    front, _, _ = small_front(0, 3)
    assert front.select(rule) == front.select(BestScore(kappa))


def test_rules_leave_the_front_alone():
    front, _, _ = small_front(9, 3)
    before = [front.rates.copy(), front.counts.copy(), front.costs.copy(), front.priors.copy()]
    a, b, c = front.classes.tolist()
    for rule in ("knee", COST, WithinLimits({a: 0.9}, confidence=0.6), Lexicographic([b, c]),
                 BestScore("f1_macro"), BestScore("jaccard_macro")):  # fmt: skip
        front.select(rule)
    after = [front.rates, front.counts, front.costs, front.priors]
    for one, two in zip(before, after, strict=True):
        np.testing.assert_array_equal(one, two)


@pytest.mark.parametrize("rule", [None, 1.5, True, object(), int])
def test_what_is_no_rule_gets_no_hint(rule):
    front, _, _ = small_front(5, 3, text=True)
    with pytest.raises(ValueError, match="rule must be one of") as error:
        front.select(rule)
    assert "Did you mean" not in str(error.value)
