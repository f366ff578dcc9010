"""Kernels against numpy and enumeration, a few numbers at a time.

Quick also where nothing is compiled (NUMBA_DISABLE_JIT=1), as under coverage and mutants.
"""

from fractions import Fraction
from itertools import combinations, permutations, product
from math import comb, factorial

import numpy as np
import pytest
from scipy import optimize
from scipy.stats import norm
from slow_twins import packed

from skvus._kernels import _bits, _search, arrangement, cells, ordering, permanent
from skvus._kernels.angles import angle_credits, sum_all_angles
from skvus._kernels.boxes import union_volume
from skvus._kernels.costs import (
    cheapest_classes,
    cost_counts,
    three_class_cost_counts,
    two_class_cost_counts,
)
from skvus._kernels.covering import chosen_below, numbers_below
from skvus._kernels.dominance import cover
from skvus._kernels.gaussians import ordering_probability
from skvus._kernels.packing import Packing, _pack_generally
from skvus._kernels.rates import class_counts, three_class_counts
from skvus._kernels.simplex import shares_within
from skvus._kernels.triple_components import spread_triples
from skvus._kernels.triples import count_triples, quadrant_table
from skvus.front._coverage import Cover


@pytest.fixture
def rng():
    return np.random.default_rng(0)


# --- bits, search, samples ------------------------------------------------------------------


def test_popcount(rng):
    words = rng.integers(0, 2**64, 50, dtype=np.uint64, endpoint=False)
    for word in [*words, np.uint64(0), np.uint64(2**64 - 1), np.uint64(2**63)]:
        with np.errstate(over="ignore"):
            assert _bits.popcount(word) == int(word).bit_count()


@pytest.mark.parametrize("n", range(6))
def test_entries_below(n):
    ascending = np.array([1, 3, 3, 4, 9])[:n]
    for value in range(11):
        assert _search.n_below(ascending, value) == np.searchsorted(ascending, value)


@pytest.mark.parametrize("room", [3, 40])
def test_shares_within(rng, room):
    drawn = rng.exponential(size=(20, 4))
    points = np.full((room, 3), -1.0)
    points[0] = 7.0
    n_points = shares_within(drawn, 1.5, 0.8, points, 1)
    shares = 1.5 * drawn[:, :3] / drawn.sum(axis=1, keepdims=True)
    expected = shares[(shares <= 0.8).all(axis=1)]
    assert 3 < len(expected) < 20
    assert n_points == min(room, 1 + len(expected))
    np.testing.assert_allclose(points[1:n_points], expected[: n_points - 1])
    assert (points[0] == 7.0).all()


# --- normal variables -----------------------------------------------------------------------


@pytest.mark.parametrize(("gap", "scales"), [(0.3, (1, 1)), (-2.0, (0.1, 3)), (5, (2, 0.01))])
def test_order_of_two_normals(gap, scales):
    found = ordering_probability(np.array([0.0, gap]), np.array(scales, float))
    assert found == pytest.approx(norm.cdf(gap / np.hypot(*scales)), abs=1e-13)


def test_orders_of_normals_exhaust_all(rng):
    means, scales = rng.normal(size=4), rng.uniform(0.2, 2.0, 4)
    total = sum(
        ordering_probability(means[list(p)], scales[list(p)]) for p in permutations(range(4))
    )
    assert total == pytest.approx(1.0, abs=1e-12)
    assert ordering_probability(np.zeros(3), np.ones(3)) == pytest.approx(1 / 6, abs=1e-14)


def test_normals_that_are_far_apart():
    near = ordering_probability(np.array([0.0, 0.5]), np.ones(2))
    far = ordering_probability(np.array([0.0, 0.5, 1e6, 1e6 + 0.5]), np.ones(4))
    assert far == pytest.approx(near**2, abs=1e-13)
    assert ordering_probability(np.array([1e300, -1e300]), np.ones(2)) < 1e-30


# --- decisions ------------------------------------------------------------------------------


def tally(codes, called, units, n_classes):
    counts = np.zeros((n_classes, n_classes), np.int64)
    np.add.at(counts, (codes, called), units)
    return counts


@pytest.mark.parametrize("n_classes", [2, 3, 4])
def test_decisions_by_weights(rng, n_classes):
    n, m = 30, 300  # more weightings than are looked at together
    codes = np.sort(rng.integers(0, n_classes, n))
    scores, units = rng.integers(1, 5, (n, n_classes)) * 1.0, rng.integers(1, 4, n)
    weights = rng.integers(1, 4, (m, n_classes)) * 1.0
    expected = [tally(codes, (scores * w).argmax(axis=1), units, n_classes) for w in weights]
    some = slice(240, 270)  # that the first block ends among
    found = class_counts(scores, codes, units, np.ascontiguousarray(weights.T), False)
    np.testing.assert_array_equal(found[some], expected[some])
    np.testing.assert_array_equal(found[[0, -1]], [expected[0], expected[-1]])
    logs = class_counts(scores, codes, units, np.ascontiguousarray(weights[:9].T), True)
    sums = [tally(codes, (scores + w).argmax(axis=1), units, n_classes) for w in weights[:9]]
    np.testing.assert_array_equal(logs, sums)


def test_three_class_decisions_by_weights(rng):
    sizes = [300, 5, 260]  # more cases than are looked at together
    starts = np.cumsum([0, *sizes])
    codes = np.repeat(range(3), sizes)
    scores, units = rng.integers(1, 5, (565, 3)) * 1.0, rng.integers(1, 4, 565)
    weights = np.array([[1.0, 1.0, 1.0], [1.0, 2.0, 1.5], [3.0, 1.0, 2.0]])
    found = three_class_counts(np.ascontiguousarray(scores.T), starts, units, weights)
    expected = [tally(codes, (scores * w).argmax(axis=1), units, 3) for w in weights]
    np.testing.assert_array_equal(found, expected)


def cheapest(scores, cost):
    """The first class of least expected cost."""
    values = scores @ np.where(np.eye(len(cost), dtype=bool), 0.0, cost)
    is_least = values <= values.min(axis=1, keepdims=True) * (1.0 + 1e-12)
    return is_least.argmax(axis=1)


@pytest.mark.parametrize("n_classes", [2, 3, 4])
def test_decisions_by_costs(rng, n_classes):
    n, m = 24, 70  # more costs than are looked at together
    codes = np.sort(rng.integers(0, n_classes, n))
    scores, units = rng.integers(0, 4, (n, n_classes)) * 0.1, rng.integers(1, 4, n)
    costs = rng.integers(0, 4, (m, n_classes, n_classes)) * 0.1
    costs[:, range(n_classes), range(n_classes)] = 9.0  # which nothing looks at
    called = [cheapest(scores, cost) for cost in costs]
    np.testing.assert_array_equal(
        [cheapest_classes(scores, cost) for cost in costs[:9]], called[:9]
    )
    expected = np.array([tally(codes, some, units, n_classes) for some in called])
    by_cost = np.ascontiguousarray(costs.transpose(1, 2, 0))
    np.testing.assert_array_equal(cost_counts(scores, codes, units, by_cost), expected)


def test_two_class_decisions_by_costs(rng):
    odds = np.sort(rng.integers(1, 12, 20))
    scores = np.column_stack([np.full(20, 0.3), 0.1 * odds])
    codes, units = rng.integers(0, 2, 20), rng.integers(1, 4, 20)
    costs = rng.integers(1, 9, (30, 2, 2)) * 0.1
    found = two_class_cost_counts(scores, codes, units, costs)
    expected = [tally(codes, cheapest(scores, cost), units, 2) for cost in costs]
    np.testing.assert_array_equal(found, expected)


def test_three_class_decisions_by_costs(rng):
    sizes = [300, 5, 260]
    starts = np.cumsum([0, *sizes])
    codes = np.repeat(range(3), sizes)
    scores, units = rng.integers(0, 4, (565, 3)) * 0.1, rng.integers(1, 4, 565)
    costs = rng.integers(0, 4, (4, 3, 3)) * 0.1
    found = three_class_cost_counts(np.ascontiguousarray(scores.T), starts, units, costs)
    expected = [tally(codes, cheapest(scores, cost), units, 3) for cost in costs]
    np.testing.assert_array_equal(found, expected)


def cost_of(phi, log_scores, codes, shares, cost):
    return shares @ cost[codes, (log_scores + phi).argmax(axis=1)]


@pytest.mark.parametrize("n_classes", [2, 3, 4])
def test_search_along_a_coordinate(rng, n_classes):
    for _ in range(5):
        log_scores = np.log(rng.dirichlet(np.ones(n_classes), 12))
        log_scores[0, 0] = -np.inf
        codes, shares = rng.integers(0, n_classes, 12), rng.random(12)
        cost = rng.random((n_classes, n_classes)) * (1 - np.eye(n_classes))
        problem = log_scores, codes, shares, cost
        for j in range(n_classes):
            phi = rng.normal(size=n_classes)
            others = np.delete(log_scores + phi, j, axis=1).max(axis=1)
            steps = np.sort(others - log_scores[:, j])
            steps = steps[np.isfinite(steps)]
            least = np.inf
            for value in [steps[0] - 1, *(steps[1:] + steps[:-1]) / 2, steps[-1] + 1]:
                least = min(
                    least, cost_of(np.where(np.arange(n_classes) == j, value, phi), *problem)
                )
            found = phi.copy()
            arrangement._search_coordinate(*problem, found, j)
            assert cost_of(found, *problem) == pytest.approx(least, abs=1e-12)
            assert np.delete(found, j).tolist() == np.delete(phi, j).tolist()


def test_weightings_for_costs(rng):
    log_scores = np.log(rng.dirichlet(np.ones(3), 10))
    codes, shares = rng.integers(0, 3, 10), np.full(10, 0.1)
    costs = rng.random((5, 3, 3)) * (1 - np.eye(3))
    found = arrangement.weightings_for_costs(log_scores, codes, shares, costs, 2)
    for cost, phi in zip(costs, found, strict=True):
        expected = np.log(cost.sum(axis=1) + 1e-3)
        for j in [0, 1, 2, 0, 1, 2]:
            arrangement._search_coordinate(log_scores, codes, shares, cost, expected, j)
        np.testing.assert_allclose(phi, expected, rtol=1e-12)


# --- dominance ------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [1, 60, 300])  # 300: more than one block of bits
def test_who_is_below(rng, n):
    points = np.round(rng.random((n, 2)), 2)
    samples = np.round(rng.random((25, 2)), 2)
    samples = np.concatenate([samples, points[:5], [[1.0, 1.0], [0.0, 0.0]]])
    is_below = (points[:, np.newaxis] <= samples).all(axis=2)
    np.testing.assert_array_equal(Cover(points).covers(samples), is_below.any(axis=0))
    np.testing.assert_array_equal(Cover(points).count(samples), is_below.sum(axis=0))
    is_covered = np.arange(len(samples)) < 2
    expected = is_covered | is_below[:3].any(axis=0)
    cover(points[:3], np.ascontiguousarray(samples.T), is_covered)
    np.testing.assert_array_equal(is_covered, expected)


def test_each_of_many_is_below_itself_only():
    points = np.column_stack([np.arange(257), np.arange(257)[::-1]]) / 256
    some = points[::8]  # the last one, in a word of its own, too
    assert Cover(points).covers(some).all()
    assert (Cover(points).count(some) == 1).all()
    assert not Cover(points).covers(some - [0.0, 1e-9]).any()


@pytest.mark.parametrize("most", [2, 30])
@pytest.mark.parametrize("seed", range(6))
def test_a_few_that_cover(seed, most):
    rng = np.random.default_rng(seed)
    points, samples = rng.integers(0, 6, (9, 2)) / 6, rng.integers(0, 7, (30, 2)) / 6
    is_below = (points[:, np.newaxis] <= samples).all(axis=2)
    numbers = numbers_below(points, samples)
    np.testing.assert_array_equal(numbers, is_below.sum(axis=0))
    order = rng.permutation(30)
    worth = (is_below / np.maximum(numbers, 1)).sum(axis=1)
    expected = []
    for s in order:
        if len(expected) < most and numbers[s] and not is_below[expected, s].any():
            expected.append(int(np.argmax(np.where(is_below[:, s], worth, -1.0))))
    found = chosen_below(points, samples, numbers, order, most)
    assert found.tolist() == expected


def test_the_first_of_a_few_may_be_the_worthiest():
    points, samples = np.array([[0.0, 0.0], [0.5, 0.5]]), np.array([[1.0, 1.0], [0.2, 0.2]])
    numbers = numbers_below(points, samples)
    assert chosen_below(points, samples, numbers, np.arange(2), 2).tolist() == [0]


# --- volumes --------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [1, 2, 3, 5])
def test_determinants(rng, n):
    matrix = rng.normal(size=(n, n))
    few = rng.integers(-1, 2, (20, n, n)) * 1.0
    for some in (matrix, matrix[::-1], np.eye(n)[::-1], *few):
        expected = np.linalg.det(some)
        assert cells._determinant(some.copy()) == pytest.approx(expected, abs=1e-12)
    matrix[0] = 0.0
    assert cells._determinant(matrix) == 0.0


def test_sum_over_maps(rng):
    for n_classes in (2, 3, 4):
        rates = rng.dirichlet(np.ones(n_classes), n_classes)
        table = rng.random(n_classes**n_classes * n_classes)
        expected = 0.0
        for phi in product(range(n_classes), repeat=n_classes):
            if all(phi[j] != j for j in range(n_classes)):
                lost = sum(rates[phi[j], j] for j in range(n_classes))
                expected += max(0.0, 1.0 - lost) * table[sum(n_classes**i for i in phi)]
        assert cells.sum_over_maps(rates, table) == pytest.approx(expected, rel=1e-12)


def test_quotient_of_series():
    # 1 / (1 - 2 x - 3 y): the coefficient of x^a y^b is (a + b)! / (a! b!) 2^a 3^b
    series = np.zeros(12)
    series[0] = 1.0
    arrays = np.array([1, 3]), np.array([3, 4]), np.array([2.0, 3.0])
    cells._divide_by_linear(series, *arrays)
    expected = [comb(a + b, a) * 2**a * 3**b for b in range(4) for a in range(3)]
    assert series.tolist() == expected


def box(corner, level):
    """d! times the volume of one box below the hyperplane, by cutting off all corners."""
    total = 0.0
    for size in range(len(corner) + 1):
        for sides in combinations(corner, size):
            slack = level - sum(corner) - sum(1.0 - p for p in sides)
            total += (-1) ** size * max(slack, 0.0) ** len(corner)
    return total


@pytest.mark.parametrize(("d", "level"), [(2, 1.0), (2, 1.7), (3, 1.4), (3, 2.0), (4, 1.5)])
def test_unions_of_boxes(rng, d, level):
    # most of them mutually non-dominated
    corners = np.round(
        np.concatenate([0.7 * rng.dirichlet(np.ones(d), 6), rng.random((2, d))]), 1
    )
    expected = 0.0
    for size in range(1, 9):
        for some in combinations(corners, size):
            expected += (-1) ** (size + 1) * box(np.max(some, axis=0), level)
    assert union_volume(corners, level) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("n_points", [1, 4, 12])
def test_packing(rng, n_points, monkeypatch):
    # no programme is left to the general solver
    monkeypatch.delattr("skvus._kernels.packing._pack_generally")
    points = np.round(rng.random((n_points, 3)), 2) + 0.01
    samples = np.round(rng.random((6, 3)), 1)
    packing = Packing(points)
    values, weights = packing.values(samples, return_weights=True)
    np.testing.assert_allclose(values, [packed(points, v) for v in samples], atol=1e-9)
    np.testing.assert_allclose(weights.sum(axis=1), values, atol=1e-9)
    assert (weights @ points <= samples + 1e-9).all()
    np.testing.assert_allclose(packing.values(samples), values, atol=1e-12)


def test_packing_of_rates_of_one(rng, monkeypatch):
    # trivial classifiers have them: pivots with columns of ones
    monkeypatch.delattr("skvus._kernels.packing._pack_generally")
    points = rng.integers(0, 3, (12, 3)) / 2
    points = points[points.any(axis=1)]
    assert (points == 1.0).any(axis=0).all()
    samples = rng.integers(0, 5, (12, 3)) / 4
    expected = [packed(points, v) for v in samples]
    np.testing.assert_allclose(Packing(points).values(samples), expected, atol=1e-12)


@pytest.mark.parametrize("n_failures", [1, 2])
def test_another_solver_of_packings(rng, monkeypatch, n_failures):
    solve, methods = optimize.linprog, []

    def moody(*arguments, method, **options):
        methods.append(method)
        result = solve(*arguments, method=method, **options)
        result.status = 4 if len(methods) <= n_failures else result.status
        return result

    monkeypatch.setattr(optimize, "linprog", moody)
    columns, v = rng.random((3, 5)), rng.random(3)
    value, weights = _pack_generally(columns, v)
    assert len(set(methods)) == len(methods) == 1 + n_failures
    assert value == pytest.approx(packed(columns.T, v), abs=1e-8)
    assert weights.sum() == pytest.approx(value, abs=1e-8)
    assert (columns @ weights <= v + 1e-9).all()


def test_packing_of_near_equal_points():
    # their mean holds all of them, but pivots among them lose more than half of the digits
    rng = np.random.default_rng(24)
    points = rng.random((1, 4)) + 1e-9 * rng.normal(size=(4, 4))
    mean = points.mean(axis=0, keepdims=True)
    assert Packing(points).values(mean) == pytest.approx(1.0, abs=2e-8)


def test_the_general_solver_of_packings(rng):
    columns, v = rng.random((3, 5)), rng.random(3)
    value, weights = _pack_generally(columns, v)
    assert value == pytest.approx(packed(columns.T, v), abs=1e-9)
    assert weights.sum() == pytest.approx(value, abs=1e-9)
    assert (columns @ weights <= v + 1e-9).all()
    columns[:, 3] = 0.0
    value, weights = _pack_generally(columns, v)
    assert value == np.inf
    assert weights.tolist() == [0.0, 0.0, 0.0, 1.0, 0.0]
    with pytest.raises(ArithmeticError, match="round the rates"):
        _pack_generally(columns, v - 2.0)


# --- tuples ---------------------------------------------------------------------------------


def cheapest_assignments(rows, tolerance=0):
    """Number of cheapest assignments, 0 if the identity is none of them."""
    n = len(rows)
    costs = [sum(rows[i][p[i]] for i in range(n)) for p in permutations(range(n))]
    return sum(cost == 0 for cost in costs) if min(costs) >= 0 else 0


def weights_of_cases(rng, n_cases, n, most):
    """Weights of cases of n classes as they come: zero for the own class."""
    rows = rng.integers(-1, most, (n, n_cases, n))
    for k in range(n):
        rows[k, :, k] = 0
    return rows


@pytest.mark.parametrize(("n", "most"), [(2, 3), (3, 3), (4, 2), (4, 5), (6, 3), (6, 2)])
def test_credit_of_single_tuples(rng, n, most):
    rows = weights_of_cases(rng, 4, n, most).reshape(-1, n)
    picks = 4 * np.arange(n) + rng.integers(0, 4, (12, n))
    picks[-1] = 4 * np.arange(n)
    rows[picks[-1]] = 0  # all assignments are as cheap
    numbers = [cheapest_assignments(rows[some]) for some in picks]
    for ties, credit in enumerate([lambda m: 1 / m, lambda m: float(m == 1), lambda m: 1.0]):
        expected = [credit(m) if m else 0.0 for m in numbers]
        np.testing.assert_allclose(ordering.tuple_credits(rows, picks, 0, ties), expected)


@pytest.mark.parametrize("n", [3, 4, 6])
def test_credit_of_tuples_with_long_cycles(rng, n):
    # pairs are mostly in order, cycles of three and more at times not
    levels = rng.integers(-5, 6, (60, n, 1))
    few = 1.0 / n**1.5
    rows = rng.choice([-1, 0, 1, 3], (60, n, n), p=[few, few, 0.5 - few, 0.5 - few])
    rows += levels - levels.transpose(0, 2, 1)
    rows[:, range(n), range(n)] = 0
    numbers = np.array([cheapest_assignments(some) for some in rows])
    pairs = rows + rows.transpose(0, 2, 1)
    assert (numbers[(pairs >= 0).all(axis=(1, 2))] == 0).any()
    assert (numbers == 1).any()
    assert (numbers > 1).any()
    picks = np.arange(60 * n).reshape(60, n)
    for ties, credit in enumerate([1.0 / np.maximum(numbers, 1), numbers == 1, 1.0]):
        found = ordering.tuple_credits(rows.reshape(-1, n), picks, 0, ties)
        np.testing.assert_allclose(found, np.where(numbers > 0, credit, 0.0))


@pytest.mark.parametrize("ties", [0, 1, 2])
def test_prices_as_large_as_they_get(ties):
    # pairs are in order, a ring of six is not; going round twice is beyond what sums may be
    rows = np.full((6, 6), 2**60)
    np.fill_diagonal(rows, 0)
    rows[range(6), np.roll(range(6), -1)] = -(2**58)
    assert ordering.tuple_credits(rows, np.arange(6)[np.newaxis], 10, ties) == [0.0]


@pytest.mark.parametrize("n_cases", [3, 5])
def test_walk_over_tuples(rng, n_cases):
    n = 4
    rows = weights_of_cases(rng, n_cases, n, 3)
    last = weights_of_cases(rng, 70, n, 3)[-1]  # more than a word of bits
    weight, last_weight = rng.integers(1, 4, (3, n_cases)) * 1.0, np.ones(70)
    orders = np.argsort(last[:, :3].T, axis=1, kind="stable")
    ascending = np.take_along_axis(last[:, :3].T, orders, axis=1)
    sets = ordering.suffix_sets(orders)
    arrays = rows[:3].reshape(-1, n), weight.ravel(), n_cases * np.arange(4)
    mass, earned = ordering.walk_tuples(
        *arrays, 0, n_cases, last, last_weight, ascending, sets, 0, 0
    )
    expected, shares = np.zeros(25), np.zeros((3, n_cases))
    for picks in product(range(n_cases), repeat=3):
        firm = [rows[k, x] for k, x in enumerate(picks)]
        for case in last[:, :]:
            number = cheapest_assignments([*firm, case])
            if number:
                share = np.prod([weight[k, x] for k, x in enumerate(picks)])
                expected[number] += share
                for k, x in enumerate(picks):
                    shares[k, x] += share / weight[k, x] / number
    np.testing.assert_allclose(mass[:24], expected[1:])
    # a case earns what it shares in, without its own weight
    np.testing.assert_allclose(earned.reshape(3, -1), shares * weight, rtol=1e-12)


@pytest.mark.parametrize("tolerance", [0, 1])
@pytest.mark.parametrize("seed", range(3))
def test_triples(seed, tolerance):
    rng = np.random.default_rng(seed)
    (a0, b0), (a1, b1), (a2, b2) = (rng.integers(-4, 5, (2, n)) for n in (7, 5, 6))
    w0, w1, w2 = (rng.integers(1, 4, n) * 1.0 for n in (7, 5, 6))
    by_a, by_g = np.argsort(a0, kind="stable"), np.argsort(b2 - a2, kind="stable")
    a0, b0, w0, a2, b2, w2 = a0[by_a], b0[by_a], w0[by_a], a2[by_g], b2[by_g], w2[by_g]
    rank_b = np.argsort(np.argsort(b0, kind="stable"), kind="stable")
    table = np.zeros((8, 8))
    quadrant_table(rank_b, w0, table)
    expected, credits = np.zeros(6), np.array([1.0, 0.5, 0.25, 0.2, 0.1, 0.05])
    earned = np.zeros(7), np.zeros(5), np.zeros(6)
    for x, y, z in product(range(7), range(5), range(6)):
        slack = [a1[y] - a0[x], a1[y] - b1[y] + b2[z] - a0[x], b2[z] - b0[x]]
        slack += [a1[y] + b2[z] - a2[z] - b0[x], b2[z] - a2[z] - b1[y] + a1[y]]
        if min(slack) >= -tolerance:
            ties = sum(one <= tolerance for one in slack)
            expected[ties] += w0[x] * w1[y] * w2[z]
            earned[0][x] += credits[ties] * w1[y] * w2[z]
            earned[1][y] += credits[ties] * w0[x] * w2[z]
            earned[2][z] += credits[ties] * w0[x] * w1[y]
    assert (expected > 0.0).sum() > 2
    last = b2, b2 - a2, w2, np.argsort(b2, kind="stable"), tolerance
    sorted_b = np.sort(b0)
    mass = count_triples(table, a0, sorted_b, a1, b1, w1, *last)
    np.testing.assert_allclose(mass, expected)
    found = spread_triples(table, a0, sorted_b, rank_b, a1, b1, w1, *last, credits)
    for one, other in zip(found, earned, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-12)


@pytest.mark.parametrize("n", [3, 5, 6])
def test_permutations_along_entries(rng, n):
    for share in (0.4, 0.8, 1.0):
        tight = rng.random((n, n)) < share
        tight[range(n), range(n)] = True
        tight[1] = tight[0] = tight[0] | tight[1]  # equal rows
        expected = sum(all(tight[i, p[i]] for i in range(n)) for p in permutations(range(n)))
        assert permanent.count_permutations(tight, np.arange(n), n) == expected
        states = np.ones(n, np.int64)
        listed = permanent._from_lists(tight, np.arange(n), np.arange(n), states, n)
        assert listed == expected
        kinds = np.delete(np.arange(n), 1), np.append(2, states[2:])
        assert permanent._from_lists(tight, np.arange(n), *kinds, n) == expected
        by_state = permanent._from_table(tight, np.arange(n), *kinds, 3 * 2 ** (n - 2))
        assert by_state == expected
        estimate = permanent._estimate(tight, np.arange(n), n)
        assert estimate == pytest.approx(expected, rel=0.2)


def test_many_equal_rows_are_counted_exactly():
    # 5 rows take some of the first 20 columns, the other 25 what is left
    tight = np.ones((30, 30), bool)
    tight[:5, 20:] = False
    expected = factorial(20) // factorial(15) * factorial(25)
    found = permanent.count_permutations(tight, np.arange(30), 30)
    assert found == pytest.approx(expected, rel=1e-12)


def test_equal_states_are_merged():
    states, ways = np.array([7, 3, 7, 9, 3]), np.array([1.0, 2.0, 4.0, 8.0, 16.0])
    with np.errstate(over="ignore"):
        found = permanent._merged(states, ways)
    assert dict(zip(*map(np.ndarray.tolist, found), strict=True)) == {7: 5.0, 3: 18.0, 9: 8.0}


def towards(rows, limit):
    """Whether each case of a tuple lies towards its own corner."""
    n = len(rows)
    away, corners = rows - rows.mean(axis=0), np.eye(n) - rows.mean(axis=0)
    if limit == 2:
        return bool((np.diagonal(away)[:, np.newaxis] >= away - 1e-12).all())
    lengths = np.linalg.norm(away, axis=1) * np.linalg.norm(corners, axis=1)
    least = lengths / (n - 1) if limit == 1 else 0.0
    return bool(((away * corners).sum(axis=1) >= least - 1e-12).all())


@pytest.mark.parametrize("limit", [0, 1, 2])
@pytest.mark.parametrize("n", [2, 3, 4])
def test_angles(rng, n, limit):
    lead = np.tile([0.0, 0.3, 0.7], n)[:, np.newaxis]
    proba = (1.0 - lead) * rng.dirichlet(np.ones(n), 3 * n)
    proba += lead * np.repeat(np.eye(n), 3, axis=0)
    starts = 3 * np.arange(n + 1)
    picks = np.array(list(product(*(range(3 * k, 3 * k + 3) for k in range(n)))))
    expected = np.array([towards(proba[some], limit) for some in picks], float)
    assert 0.0 < expected.mean() < 1.0
    np.testing.assert_array_equal(angle_credits(proba, picks, limit), expected)
    weight = rng.integers(1, 4, 3 * n) * 1.0
    worth = expected * weight[picks].prod(axis=1)
    earned = sum_all_angles(proba, weight, starts, 0, 3, limit)
    np.testing.assert_allclose(
        earned, [worth[(picks == x).any(axis=1)].sum() for x in range(3 * n)]
    )
    only = sum_all_angles(proba, weight, starts, 1, 2, limit)
    np.testing.assert_allclose(only[:3], [0.0, earned[1], 0.0])


@pytest.mark.parametrize("seed", [2, 5])
def test_random_fillings_are_not_biased(seed):
    # numbers that follow a pattern are 60% off here
    tight = np.random.default_rng(seed).random((7, 7)) < 0.55
    tight[range(7), range(7)] = True
    expected = sum(all(tight[i, p[i]] for i in range(7)) for p in permutations(range(7)))
    estimate = permanent._estimate(tight, np.arange(7), 7)
    assert estimate == pytest.approx(expected, rel=0.15)


def test_fractions_of_an_estimate():
    # of all permutations of ten, each is as likely: the estimate is exact
    full = np.ones((10, 10), bool)
    assert Fraction(permanent._estimate(full, np.arange(10), 10)) == factorial(10)
