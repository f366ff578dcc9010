"""Fronts from predictions, from rates and from other fronts."""

from fractions import Fraction

import front_twins as twins
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import make_classification
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import confusion_matrix
from strategies import gaussian_scores

from skvus import CostMatrixClassifier, LeastCost, ROCFront, operating_points
from skvus.front import _build
from skvus.front._build import drawn_costs, make_cases
from skvus.front._dominance import Comparison, comparison_of, non_dominated_members
from skvus.metrics._operating import whole_units


@st.composite
def tenths(draw, n_classes, n_cases):
    """Scores in whole tenths: many ties, all decided exactly by the twins."""
    row = st.lists(st.integers(0, 10), min_size=n_classes, max_size=n_classes)
    rows = draw(st.lists(row, min_size=n_cases, max_size=n_cases))
    return [[Fraction(entry, 10) for entry in row] for row in rows]


@st.composite
def small_costs(draw, n_classes):
    entry = st.integers(0, 4)
    costs = [[draw(entry) if k != j else 0 for j in range(n_classes)] for k in range(n_classes)]
    costs[0][1] += not any(map(sum, costs))
    return costs


@given(st.data(), st.integers(2, 5))
@settings(max_examples=150, deadline=None)
def test_counts_equal_those_of_exact_decisions(data, n_classes):
    n_cases = data.draw(st.integers(n_classes, 12))
    scores = data.draw(tenths(n_classes, n_cases))
    costs = [data.draw(small_costs(n_classes)) for _ in range(3)]
    y = [i % n_classes for i in range(n_cases)]
    floats = np.array(scores, dtype=float)
    cases = make_cases(floats, np.array(y), np.ones(n_cases), None)
    _, counts = cases.tally(np.array(costs, dtype=float))
    assert counts.tolist() == [twins.confusion(y, scores, cost) for cost in costs]
    front = ROCFront.from_rates(
        np.eye(n_classes), costs=np.array(costs[0], dtype=float), classes=np.arange(n_classes)
    )
    assert front.predict(floats, 0).tolist() == [twins.decide(p, costs[0]) for p in scores]


@given(st.data(), st.integers(2, 4))
@settings(max_examples=40, deadline=None)
def test_three_classes_have_a_kernel_that_agrees_with_the_general_one(data, scale):
    from skvus._kernels.costs import cost_counts

    seed = data.draw(st.integers(0, 2**32 - 1))
    rng = np.random.default_rng(seed)
    y = np.concatenate([np.arange(3), rng.integers(3, size=600)])
    scores = np.round(rng.dirichlet(np.ones(3), size=y.size), scale)
    units = rng.integers(1, 5, size=y.size)
    costs = np.zeros((70, 3, 3))
    costs[:, ~np.eye(3, dtype=bool)] = (
        np.round(rng.dirichlet(np.ones(6), size=70), scale) + 0.01
    )
    general = cost_counts(scores, y, units, np.ascontiguousarray(costs.transpose(1, 2, 0)))
    assert np.array_equal(_build.counter_of_costs(scores, y, units)(costs), general)


@pytest.mark.parametrize("objectives", ["rates", "miss_rates", "false_alarms"])
@pytest.mark.parametrize(("n_classes", "family"), [(3, "costs"), (3, "weights"), (4, "costs")])
def test_front_is_what_the_twins_make_of_the_same_costs(n_classes, family, objectives):
    y, scores = gaussian_scores(10 * n_classes, n_classes, 3)
    front = ROCFront.from_predictions(
        y, scores, n_costs=150, family=family, objectives=objectives, random_state=0
    )
    from skvus._validation import check_generator

    n_entries = n_classes if family == "weights" else n_classes * (n_classes - 1)
    shares = make_cases(scores, y, np.ones(y.size), None).implied_frequencies
    blocks = drawn_costs(150, np.ones(n_entries), shares, family=family, rng=check_generator(0))
    costs = np.concatenate(list(blocks))
    assert len(costs) == 150
    tables = [twins.confusion(y, scores, cost) for cost in costs]
    matrices = [twins.rate_matrix(table) for table in tables]
    project = {
        "rates": twins.rates_of,
        "miss_rates": twins.miss_rates_of,
        "false_alarms": twins.false_alarms_of,
    }[objectives]
    values = [project(matrix) for matrix in matrices]
    expected = {
        tuple(map(tuple, table))
        for table, value in zip(tables, values, strict=True)
        if not any(twins.dominates(other, value) for other in values)
    }
    assert len(expected) > 3
    assert {tuple(map(tuple, table)) for table in front.counts.tolist()} == expected
    assert len(front) == len(expected)
    assert front.objectives == objectives
    for member in front:
        assert member.counts.tolist() == twins.confusion(y, scores, member.cost_matrix)
        assert np.isclose(member.cost_matrix.sum(), 1.0)
        assert not np.diagonal(member.cost_matrix).any()
    assert np.allclose(front.rates, front.counts / front.counts.sum(axis=2, keepdims=True))
    points = [twins.rates_of(table) for table in front.counts.tolist()]
    assert points == sorted(points)


def test_two_classes_have_all_their_thresholds():
    y, scores = gaussian_scores(60, 2, 5, shift=0.7)
    s = np.round(scores[:, 1], 2)
    front = ROCFront.from_predictions(y, s)
    expected = list(twins.all_threshold_points(y.tolist(), s.tolist()))
    best = {expected[i] for i in twins.non_dominated(expected)}
    found = {
        (Fraction(int(c[0, 1]), int(c[0].sum())), Fraction(int(c[1, 0]), int(c[1].sum())))
        for c in front.counts
    }
    # a case with a probability of zero or one is beyond any cost: ends of the curve may miss
    assert found <= best
    assert len(best - found) <= 2
    assert len(found) == len(front)
    assert len(ROCFront.from_predictions(y, s, n_costs=1, cost_alpha=0.1)) == len(front)


@pytest.mark.parametrize("seed", range(3))
def test_all_weightings_are_the_operating_points(seed):
    y, scores = gaussian_scores(40, 3, seed)
    front = ROCFront.from_predictions(y, scores, family="weights", n_costs="all")
    points = operating_points(y, scores, pareto=True)
    assert np.array_equal(front.rates, points.rates)
    # the cost of missing a class does not depend on what it is taken for
    off = front.costs[:, ~np.eye(3, dtype=bool)].reshape(-1, 3, 2)
    assert np.array_equal(off[:, :, 0], off[:, :, 1])


def test_every_option_changes_the_front():
    y, scores = gaussian_scores(90, 3, 1)
    weight = np.random.default_rng(0).uniform(1, 2, size=y.size)
    base = {"n_costs": 300, "random_state": 0}
    options = [
        {},
        {"n_costs": 400},
        {"cost_alpha": 0.3},
        {"cost_alpha": 1.0 + np.arange(9.0).reshape(3, 3)},
        {"family": "weights"},
        {"family": "weights", "cost_alpha": [1.0, 2.0, 3.0]},
        {"family": "weights", "n_costs": "all"},
        {"objectives": "miss_rates"},
        {"objectives": "false_alarms"},
        {"labels": [2, 1, 0]},
        {"sample_weight": weight},
        {"random_state": 1},
    ]
    fronts = [ROCFront.from_predictions(y, scores, **{**base, **option}) for option in options]
    seen = {front.rates.tobytes() for front in fronts}
    assert len(seen) == len(options)


def test_equal_costs_and_free_decisions_are_always_tried():
    y, scores = gaussian_scores(60, 3, 2)
    alone = ROCFront.from_predictions(y, scores, n_costs=1)
    assert len(alone) == 1
    assert np.array_equal(alone.predict(scores, 0), scores.argmax(axis=1))
    centred = np.array([[9.0, 1, 8], [2, 9, 2], [3, 1, 9]])
    for alpha in (1.0, centred):
        ends = ROCFront.from_predictions(y, scores, n_costs=5, cost_alpha=alpha)
        assert (ends.rates == 1.0).all(axis=1).any(axis=1).sum() == 3
    tried = list(
        drawn_costs(
            2,
            centred[~np.eye(3, dtype=bool)],
            np.ones(3),
            family="costs",
            rng=np.random.default_rng(),
        )
    )
    assert np.allclose(tried[0][1], (centred - 9 * np.eye(3)) / 17.0)


def test_a_rare_class_is_weighed_by_its_rate():
    rng = np.random.default_rng(0)
    priors = np.array([0.9, 0.08, 0.02])
    y = np.concatenate([np.arange(3), rng.choice(3, size=5000, p=priors)])
    x = rng.normal(size=(y.size, 3)) + 1.5 * np.eye(3)[y]
    scores = priors * np.exp(1.5 * x)
    scores /= scores.sum(axis=1, keepdims=True)
    options = {"n_costs": 2000, "random_state": 0}
    weighed = ROCFront.from_predictions(y, scores, **options).gini()
    flat = ROCFront.from_predictions(y, scores, cost_alpha=np.ones((3, 3)), **options).gini()
    assert weighed > flat + 0.02
    # weights of classes change neither rates nor what can be decided
    weight = np.array([0.01, 1.0, 100.0])[y]
    again = ROCFront.from_predictions(y, scores, sample_weight=weight, **options).gini()
    assert again == pytest.approx(weighed, abs=1e-9)


def test_sharp_alpha_stays_near_its_centre():
    y, scores = gaussian_scores(60, 3, 2)
    centre = np.array([[0.0, 1, 8], [2, 0, 2], [3, 1, 0]])
    alpha = 1000.0 * (centre + np.eye(3))
    front = ROCFront.from_predictions(y, scores, cost_alpha=alpha, random_state=0)
    is_drawn = np.abs(front.costs - centre / 17.0).max(axis=(1, 2)) < 0.03
    assert len(front) - 4 <= is_drawn.sum() < len(front)  # equal costs and the ends


@pytest.mark.parametrize("n_classes", [2, 3, 4])
def test_weights_count_like_repetitions(n_classes):
    y, scores = gaussian_scores(15 * n_classes, n_classes, 4)
    repeats = np.random.default_rng(1).integers(0, 4, size=y.size)
    options = {"n_costs": 500, "random_state": 0}
    once = ROCFront.from_predictions(y, scores, sample_weight=repeats, **options)
    often = ROCFront.from_predictions(
        np.repeat(y, repeats), np.repeat(scores, repeats, axis=0), **options
    )
    assert np.array_equal(once.rates, often.rates)
    assert np.allclose(once.counts, often.counts, rtol=1e-12, atol=0)
    assert np.allclose(once.priors, often.priors)
    scaled = ROCFront.from_predictions(y, scores, sample_weight=repeats * 1e-9, **options)
    assert np.allclose(scaled.counts, often.counts * 1e-9, rtol=1e-12, atol=0)


def test_class_sizes_with_weights_are_effective_ones():
    y, scores = gaussian_scores(60, 3, 4)
    weight = np.where(np.arange(60) % 2, 3.0, 1.0)
    front = ROCFront.from_predictions(y, scores, sample_weight=weight)
    expected = [weight[y == k].sum() ** 2 / (weight[y == k] ** 2).sum() for k in range(3)]
    assert np.allclose(front.class_sizes, expected)


def test_blocks_do_not_matter(monkeypatch):
    y, scores = gaussian_scores(60, 3, 6)
    whole = ROCFront.from_predictions(y, scores, n_costs=1000, random_state=3)
    monkeypatch.setattr(_build, "_BLOCK_CELLS", 900)
    blocks = ROCFront.from_predictions(y, scores, n_costs=1000, random_state=3)
    assert np.array_equal(whole.counts, blocks.counts)
    assert np.array_equal(whole.costs, blocks.costs)


def test_more_costs_only_add():
    y, scores = gaussian_scores(60, 3, 6)
    few, many = (
        ROCFront.from_predictions(y, scores, n_costs=n, random_state=3) for n in (500, 2000)
    )
    assert few.delta(many) == 0.0
    assert many.gini() > few.gini()


def test_one_count_in_a_million_decides():
    sizes = np.array([10**6, 10**6, 10**6])
    tables = np.array([[[900000, 100000, 0], [5, 999990, 5], [0, 7, 999993]]] * 3)
    tables[1, 0] = [900001, 99999, 0]  # better by one case
    tables[2, 1] = [4, 999990, 6]  # better in one rate, worse in another
    front = ROCFront.from_rates(tables / 1e6, class_sizes=sizes)
    assert front.counts.dtype == np.int64
    assert front.counts.tolist() == [tables[1].tolist(), tables[2].tolist()]


def test_rates_without_counts_are_compared_up_to_rounding():
    a = [[0.7, 0.3], [0.2, 0.8]]
    b = [[1.0 - (0.1 + 0.2), 0.1 + 0.2], [0.2, 0.8]]  # 0.30000000000000004
    c = [[0.7 + 1e-9, 0.3 - 1e-9], [0.2, 0.8]]
    for order in ([a, b], [b, a]):
        assert len(ROCFront.from_rates(order)) == 1
    front = ROCFront.from_rates([a, b, c])
    assert len(front) == 1
    assert front.rates[0, 0, 1] == pytest.approx(0.3 - 1e-9, abs=1e-16)


def test_weighted_rates_that_tie_on_paper_tie():
    # weights of a third and of three: sums differ in their last bits with the order
    y = [0] * 7 + [1] * 3
    s = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.9, 0.8, 0.05]
    weight = [0.1, 0.2, 0.3, 0.1, 0.2, 0.3, 1.1, 1 / 3, 1 / 3, 1 / 3]
    orders = [np.random.default_rng(seed).permutation(10) for seed in range(10)]
    fronts = [
        ROCFront.from_predictions(*(np.take(a, order) for a in (y, s)), sample_weight=w)
        for order in orders
        for w in [np.take(weight, order)]
    ]
    assert all(np.array_equal(front.rates, fronts[0].rates) for front in fronts)


@pytest.mark.parametrize("has_counts", [True, False])
@given(data=st.data())
@settings(max_examples=60, deadline=None)
def test_non_dominated_members_equal_the_twin(has_counts, data):
    n_classes = data.draw(st.integers(2, 4))
    n = data.draw(st.integers(1, 12))
    totals = data.draw(st.lists(st.integers(3, 9), min_size=n_classes, max_size=n_classes))
    objectives = data.draw(st.sampled_from(["rates", "miss_rates", "false_alarms"]))
    tables = []
    for _ in range(n):
        table = []
        for k, total in enumerate(totals):
            entry = st.integers(0, total // (n_classes - 1))
            row = [data.draw(entry) if j != k else 0 for j in range(n_classes)]
            row[k] = total - sum(row)
            table.append(row)
        tables.append(table)
    counts = np.array(tables)
    rates = counts / counts.sum(axis=2, keepdims=True)
    kept = non_dominated_members(
        comparison_of(rates, counts if has_counts else None), objectives
    )
    matrices = [twins.rate_matrix(table) for table in tables]
    project = getattr(twins, f"{objectives}_of")
    values = [project(matrix) for matrix in matrices]
    expected = [
        i
        for i in range(n)
        if tables[i] not in tables[:i]
        and not any(twins.dominates(v, values[i]) for v in values)
    ]
    assert sorted(kept.tolist()) == expected


def test_false_alarms_beyond_machine_integers():
    totals = np.array([10**6 + 3, 10**6 + 33, 10**6 + 37, 10**6 + 39])  # primes
    rng = np.random.default_rng(0)
    keys = rng.integers(0, 5, size=(30, 4, 4))
    keys[:, np.arange(4), np.arange(4)] = 0
    values = Comparison(keys, keys / totals[:, np.newaxis], totals).sums(1)
    exact = [
        [sum(Fraction(int(key[k, j]), int(totals[k])) for k in range(4)) for j in range(4)]
        for key in keys
    ]
    for j in range(4):
        column = [row[j] for row in exact]
        ranks = {value: rank for rank, value in enumerate(sorted(set(column)))}
        assert values[:, j].tolist() == [ranks[value] for value in column]


def test_whole_units_never_lose_a_class():
    weight = np.array([1e-300, 1.0, 1e300, 1.0])
    units = whole_units(np.array([0, 0, 1, 1]), np.ldexp(weight, -900), 2)
    assert units[1] > 0
    assert units[2] > 0


def test_from_estimator_is_from_predictions():
    X, y = make_classification(300, n_informative=6, n_classes=3, random_state=0)
    labels = np.array(["low", "mid", "high"])
    model = LogisticRegression().fit(X[:150], labels[y[:150]])
    options = {"n_costs": 200, "cost_alpha": 0.5, "family": "weights", "random_state": 1}
    weight = np.random.default_rng(0).uniform(size=150)
    front = ROCFront.from_estimator(
        model, X[150:], labels[y[150:]], sample_weight=weight, **options
    )
    assert front.classes.tolist() == ["high", "low", "mid"]
    same = ROCFront.from_predictions(
        labels[y[150:]], model.predict_proba(X[150:]), sample_weight=weight, **options
    )
    assert np.array_equal(front.rates, same.rates)
    index = front.select()
    predicted = front.predict(model.predict_proba(X[150:]), index)
    for k, true in enumerate(front.classes):
        own = labels[y[150:]] == true
        for j, called in enumerate(front.classes):
            share = weight[own & (predicted == called)].sum() / weight[own].sum()
            assert front.rates[index, k, j] == pytest.approx(share, abs=1e-12)


def test_merged_front_is_the_front_of_the_union():
    y, scores = gaussian_scores(60, 3, 7)
    fronts = [
        ROCFront.from_predictions(y, scores, n_costs=300, random_state=seed)
        for seed in range(3)
    ]
    merged = ROCFront.merge(*fronts)
    everyone = np.concatenate([front.counts for front in fronts])
    points = [twins.rates_of(table) for table in everyone.tolist()]
    expected = {points[i] for i in twins.non_dominated(points)}
    assert {twins.rates_of(table) for table in merged.counts.tolist()} == expected
    assert len(merged) == len(expected)
    for member in merged:
        assert member.counts.tolist() == twins.confusion(y, scores, member.cost_matrix)
    swapped = ROCFront.merge(*fronts[::-1])
    assert np.array_equal(merged.rates, swapped.rates)
    assert merged.params is None


def test_a_front_merges_itself_with_others():
    y, scores = gaussian_scores(60, 3, 7)
    a, b, c = (
        ROCFront.from_predictions(y, scores, n_costs=n, random_state=n) for n in (20, 30, 40)
    )
    for ours, theirs in (
        (a.merge(b), ROCFront.merge(a, b)),
        (a.merge(b, c, names=["a", "b", "c"]), ROCFront.merge(a, b, c, names=["a", "b", "c"])),
        (a.merge(), a),
    ):
        assert np.array_equal(ours.rates, theirs.rates)
        assert np.array_equal(ours.costs, theirs.costs)
        assert ours.params == theirs.params
    assert not np.array_equal(a.merge(b).rates, b.rates)
    other = ROCFront.from_rates(a.rates, classes=[2, 1, 0], priors=a.priors)
    with pytest.raises(ValueError, match=r"front 1 must have the classes \[0, 1, 2\] in this"):
        a.merge(other)


def test_merged_members_carry_the_name_of_their_front():
    a = ROCFront.from_rates([[0.9, 0.1], [0.4, 0.6]], params=[{"depth": 3}])
    b = ROCFront.from_rates([[[0.7, 0.3], [0.1, 0.9]], [[0.9, 0.1], [0.4, 0.6]]])
    merged = ROCFront.merge(a, b, names=["tree", "forest"])
    assert merged.params == ({"depth": 3, "front": "tree"}, {"front": "forest"})
    assert ROCFront.merge(a, b).params == ({"depth": 3}, {})
    assert ROCFront.merge(a).params == ({"depth": 3},)


def test_merging_fronts_of_different_cases():
    y, scores = gaussian_scores(60, 3, 7)
    a = ROCFront.from_predictions(y[:30], scores[:30], n_costs=50, random_state=0)
    b = ROCFront.from_predictions(y[30:54], scores[30:54], n_costs=50, random_state=0)
    if np.allclose(a.priors, b.priors):
        pytest.fail("the data do not serve: equal priors")
    with pytest.raises(ValueError, match="different priors: give priors="):
        ROCFront.merge(a, b)
    merged = ROCFront.merge(a, b, priors=[0.2, 0.3, 0.5])
    assert np.allclose(merged.priors, [0.2, 0.3, 0.5])
    assert np.array_equal(merged.class_sizes, np.minimum(a.class_sizes, b.class_sizes))
    points = [tuple(p) for p in merged.rates[:, ~np.eye(3, dtype=bool)].tolist()]
    assert twins.non_dominated(points) == list(range(len(points)))


def test_priors_are_those_of_the_data_and_serve_for_costs():
    y, scores = gaussian_scores(60, 3, 7)
    y = y[:57]
    front = ROCFront.from_predictions(y, scores[:57], n_costs=200, random_state=0)
    assert np.allclose(front.priors, np.bincount(y) / 57)
    cost = [[0, 3, 1], [2, 0, 2], [5, 1, 0]]
    totals = (front.counts * np.array(cost)).sum(axis=(1, 2)) / 57
    assert np.allclose(front.expected_costs(cost), totals)
    assert front.select(LeastCost(cost)) == np.argmin(totals)


def test_fronts_that_would_fill_the_memory_are_refused(monkeypatch):
    y, scores = gaussian_scores(60, 3, 7)
    monkeypatch.setattr(_build, "_MOST_CELLS", 900)
    with pytest.raises(ValueError, match=r"members of 3 classes already.*n_costs=\d+ or obj"):
        ROCFront.from_predictions(y, scores, random_state=0)
    assert len(ROCFront.from_predictions(y, scores, n_costs=50, random_state=0)) <= 50


def test_classifier_at_a_member_has_its_counts():
    X, y = make_classification(400, n_informative=6, n_classes=3, random_state=1)
    model = LogisticRegression().fit(X[:200], y[:200])
    front = ROCFront.from_estimator(model, X[200:], y[200:], n_costs=300, random_state=0)
    for index in range(0, len(front), len(front) // 20):
        classifier = CostMatrixClassifier(FrozenEstimator(model), front.costs[index])
        predicted = classifier.fit(X[:200], y[:200]).predict(X[200:])
        assert np.array_equal(confusion_matrix(y[200:], predicted), front.counts[index])


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_two_classes_have_a_kernel_that_agrees_with_the_general_one(data):
    from skvus._kernels.costs import cost_counts

    rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    y = np.concatenate([np.arange(2), rng.integers(2, size=40)])
    scores = np.round(rng.uniform(size=(y.size, 2)), data.draw(st.integers(1, 3)))
    units = rng.integers(1, 5, size=y.size)
    costs = np.zeros((30, 2, 2))
    costs[:, [0, 1], [1, 0]] = np.round(rng.uniform(size=(30, 2)), 1)
    costs[~costs.any(axis=(1, 2))] += 1.0 - np.eye(2)
    general = cost_counts(scores, y, units, np.ascontiguousarray(costs.transpose(1, 2, 0)))
    assert np.array_equal(_build.counter_of_costs(scores, y, units)(costs), general)


def test_evaluation_counts_weights_as_they_were_given():
    y, scores = gaussian_scores(60, 3, 4)
    weight = np.random.default_rng(0).uniform(5.0, 20.0, size=60)
    front = ROCFront.from_predictions(y, scores, sample_weight=weight, n_costs=50)
    found = front.evaluate(y, scores, sample_weight=weight)
    assert np.array_equal(found.counts, front.counts)
    assert np.allclose(found.counts[0].sum(axis=1), np.bincount(y, weights=weight))
    assert np.allclose(found.priors, front.priors)
    cost = [[0, 3, 1], [2, 0, 2], [5, 1, 0]]
    assert np.allclose(found.expected_costs(cost), front.expected_costs(cost))


def test_members_of_several_fronts_are_not_evaluated_together():
    y, scores = gaussian_scores(60, 3, 4)
    fronts = [
        ROCFront.from_predictions(y, scores[:, i], n_costs=99) for i in ([0, 1, 2], [0, 2, 1])
    ]
    merged = ROCFront.merge(*fronts, names=["a", "b"])
    with pytest.raises(ValueError, match=r"members are of several fronts, \['a', 'b'\]"):
        merged.evaluate(y, scores)
    own = [i for i, member in enumerate(merged) if member.params["front"] == "a"]
    assert np.array_equal(merged[own].evaluate(y, scores).rates, merged.rates[own])


def test_hull_of_too_many_members_is_refused():
    y, scores = gaussian_scores(400, 4, 4)
    front = ROCFront.from_predictions(y, scores, n_costs=3000)
    with pytest.raises(ValueError, match="hull takes at most 1500 members of 4 classes; got"):
        front.hull()
    assert front[:100].hull().size > 50


def test_members_on_the_simplex_add_nothing():
    table = np.array([[4, 0, 3, 0], [1, 1, 0, 5], [1, 5, 1, 0], [1, 4, 1, 1]])
    on_simplex = table / 7
    below = 0.1 * np.eye(4) + 0.9 * np.roll(np.roll(table, 1, 0), 1, 1) / 7
    both = ROCFront.from_rates([on_simplex, below])
    assert len(both) == 2
    alone = ROCFront.from_rates(below)
    options = {"random_state": 0, "return_std": True}
    assert both.gini(**options) == alone.gini(**options)
    assert 1.0e-12 < alone.gini(random_state=0) < 1.2e-12
    assert ROCFront.from_rates(on_simplex).gini(**options) == (0.0, 0.0)


def test_cheap_mistakes_count_beside_dear_ones_that_do_not_happen():
    rates = [
        [[0.5, 0.5, 0], [0, 1, 0], [0, 0, 1]],
        [[0.8, 0, 0.2], [0.1, 0.6, 0.3], [0, 0, 1]],
    ]
    front = ROCFront.from_rates(rates)
    cost = [[0, 0, 1], [0, 0, 1], [1e13, 1e13, 0]]
    values = front.expected_costs(cost)
    assert values.min() == 0.0 < values.max()
    assert values.argmin() == front.select(LeastCost(cost))


def test_hull_of_a_long_curve():
    x = np.linspace(0.0, 1.0, 8001)
    y = (1.0 - np.sqrt(x)) ** 2
    rates = np.stack([np.stack([1 - x, x], -1), np.stack([y, 1 - y], -1)], 1)
    assert len(ROCFront.from_rates(rates).hull()) == 8001


def test_implied_frequencies_are_those_of_calibrated_posteriors():
    rng = np.random.default_rng(0)
    priors = np.array([0.7, 0.2, 0.1])
    y = rng.choice(3, size=100_000, p=priors)
    scores = priors * np.exp(rng.normal(size=(y.size, 3)) + np.eye(3)[y])  # unit variance
    scores /= scores.sum(axis=1, keepdims=True)
    for weight in (np.ones(3), np.array([0.01, 1.0, 5.0])):
        cases = make_cases(scores, y, weight[y], weight[y])
        assert np.allclose(cases.implied_frequencies, priors, atol=0.02)
    perfect = make_cases(np.eye(3), np.arange(3), np.ones(3), None)
    assert np.allclose(perfect.implied_frequencies, 1 / 3)
    nothing = make_cases(np.zeros((3, 3)), np.arange(3), np.ones(3), None)
    assert np.allclose(nothing.implied_frequencies, 1 / 3)


def test_a_shared_source_of_randomness_is_drawn_from_once():
    X, y = make_classification(200, n_informative=6, n_classes=3, random_state=1)
    model = LogisticRegression().fit(X, y)
    fronts = [
        ROCFront.from_estimator(model, X, y, random_state=np.random.RandomState(5)),
        ROCFront.from_predictions(
            y, model.predict_proba(X), random_state=np.random.RandomState(5)
        ),
    ]
    assert np.array_equal(fronts[0].costs, fronts[1].costs)


def test_scores_at_the_end_of_the_range_of_floats():
    y, scores = gaussian_scores(60, 3, 7)
    usual = ROCFront.from_predictions(y, scores, n_costs=200, random_state=0)
    for scale in (2.0**1020, 2.0**-1000):
        front = ROCFront.from_predictions(y, scores * scale, n_costs=200, random_state=0)
        assert np.array_equal(front.counts, usual.counts)
