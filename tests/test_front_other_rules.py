"""Rules that choose a member of a front: the knee, whatever else, rules as objects."""

import copy
import pickle
from dataclasses import FrozenInstanceError
from functools import partial

import numpy as np
import pandas as pd
import pytest
from front_rule_cases import F, exact_rates, kappa, many, small_front, weighted_kappa
from front_twins import hull_members, optimal_members, rates_of
from hypothesis import given
from hypothesis import strategies as st

from skvus import BestScore, LeastCost, Lexicographic, ROCFront, WithinLimits

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
