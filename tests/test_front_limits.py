"""Rules that choose a member of a front: limits and priorities."""

import numpy as np
import pytest
import sklearn.metrics
from front_rule_cases import (
    F,
    exact_priors,
    exact_rates,
    first,
    fronts,
    keys_of,
    many,
    small_front,
)
from front_twins import (
    best_accuracy,
    best_balanced_accuracy,
    clopper_pearson_upper,
    least_cost,
    lexicographic,
    most_distant,
    rate_at,
    within_limits,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import beta
from strategies import gaussian_scores

from skvus import BestScore, LeastCost, Lexicographic, ROCFront, WithinLimits

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
