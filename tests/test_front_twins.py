"""The slow counterparts for fronts agree with hand-worked values and with each other."""

from fractions import Fraction
from itertools import pairwise, permutations
from math import comb, factorial, sqrt

import numpy as np
import pytest
from front_twins import (
    all_threshold_points,
    as_decimal,
    as_fraction,
    auc,
    best_accuracy,
    best_balanced_accuracy,
    best_score,
    clopper_pearson,
    clopper_pearson_lower,
    clopper_pearson_upper,
    confusion,
    corner_volume,
    cube_below,
    decide,
    delta,
    dominates,
    expected_costs,
    false_alarms_of,
    gini,
    gini_by_cells,
    gini_by_sampling,
    hull_members,
    labels_of,
    least_cost,
    lexicographic,
    miss_rates_of,
    most_distant,
    non_dominated,
    optimal_members,
    rate_matrix,
    rates_of,
    sample_simplex,
    simplex_distance,
    simplex_volume,
    threshold_path,
    trivial_matrix,
    weakly_dominates,
    within_limits,
)
from scipy.stats import beta, binomtest
from sklearn.metrics import (
    accuracy_score,
    balanced_accuracy_score,
    confusion_matrix,
    roc_auc_score,
    roc_curve,
)

F = Fraction
ZERO_ONE = [[0, 1, 1], [1, 0, 1], [1, 1, 0]]


def random_counts(rng, n_members, n_classes, n_cases):
    """Confusion matrices of integers, with `n_cases` of every class."""
    share = rng.dirichlet(np.ones(n_classes), size=(n_members, n_classes))
    return [[rng.multinomial(n_cases, row).tolist() for row in matrix] for matrix in share]


def random_points(rng, n_points, n_classes, n_cases, better=2):
    """Points with few errors: `better` cases right for every one left to chance."""
    counts = np.array(random_counts(rng, n_points, n_classes, n_cases))
    counts += better * n_cases * np.eye(n_classes, dtype=int)
    return [rates_of(rate_matrix(matrix.tolist())) for matrix in counts]


# --- decisions and rates ----------------------------------------------------------


def test_decisions_by_hand():
    p = [F(1, 2), F(1, 3), F(1, 6)]
    assert decide(p, ZERO_ONE) == 0
    cost = [[0, 1, 1], [4, 0, 1], [1, 1, 0]]
    assert expected_costs(p, cost) == [F(3, 2), F(2, 3), F(5, 6)]
    assert decide(p, cost) == 1
    assert decide([F(1, 3)] * 3, ZERO_ONE) == 0
    assert decide([0, F(1, 2), F(1, 2)], ZERO_ONE) == 1


def test_decisions_on_decimals_and_on_floats():
    # .1 + .2 against .3: a tie as written, not as stored.
    p = [0.3, 0.1, 0.2]
    cost = [[0, 1, 9], [1, 0, 9], [1, 0, 0]]
    assert decide(p, cost) == 1
    assert decide(np.array(p), np.array(cost)) == 1
    assert decide(p, cost, exact=as_decimal) == 0


def test_confusion_by_hand_and_by_argmax():
    y = [0, 0, 1, 2]
    scores = [[0.5, 0.25, 0.25], [0.25, 0.5, 0.25], [0.25, 0.5, 0.25], [0.25, 0.25, 0.5]]
    assert confusion(y, scores, ZERO_ONE) == [[1, 1, 0], [0, 1, 0], [0, 0, 1]]
    weighted = confusion(y, scores, ZERO_ONE, [0.5, 0.25, 3, F(1, 3)])
    assert weighted == [[F(1, 2), F(1, 4), 0], [0, 3, 0], [0, 0, F(1, 3)]]
    assert rate_matrix(weighted)[0] == [F(2, 3), F(1, 3), 0]
    rng = np.random.default_rng(0)
    y, scores = rng.integers(3, size=50), rng.dirichlet([1, 1, 1], size=50)
    expected = confusion_matrix(y, scores.argmax(axis=1)).tolist()
    assert confusion(y, scores, ZERO_ONE) == expected


def test_decisions_cost_least_of_all():
    rng = np.random.default_rng(1)
    y, scores = rng.integers(3, size=12), rng.dirichlet([1, 1, 1], size=12)
    cost = rng.integers(1, 9, size=(3, 3)) * (1 - np.eye(3, dtype=int))
    for p in scores:
        expected = p @ cost
        assert expected[decide(p, cost)] == pytest.approx(expected.min(), rel=1e-14)
    assert sum(map(sum, confusion(y, scores, cost))) == 12


def test_projections_by_hand():
    matrix = [[5, 1, 2], [3, 7, 4], [8, 9, 6]]
    assert rates_of(matrix) == (1, 2, 3, 4, 8, 9)
    assert miss_rates_of(matrix) == (3, 7, 17)
    assert false_alarms_of(matrix) == (11, 10, 6)
    assert rates_of(trivial_matrix(3, 1)) == (1, 0, 0, 0, 0, 1)


# --- dominance --------------------------------------------------------------------


def test_dominance_by_hand():
    assert dominates((1, 2), (1, 3))
    assert not dominates((1, 2), (1, 2))
    assert weakly_dominates((1, 2), (1, 2))
    assert not weakly_dominates((1, 3), (2, 2))
    points = [(2, 2), (1, 3), (2, 2), (3, 1), (2, 3), (1, 3)]
    assert non_dominated(points) == [0, 1, 3]


@pytest.mark.parametrize("projection", [miss_rates_of, false_alarms_of])
def test_reduced_front_lies_on_the_full_one(projection):
    rng = np.random.default_rng(2)
    matrices = random_counts(rng, 60, 3, 4)
    full = non_dominated([rates_of(m) for m in matrices])
    reduced = {
        projection(matrices[i]) for i in non_dominated([projection(m) for m in matrices])
    }
    projected = [projection(matrices[i]) for i in full]
    assert {projected[i] for i in non_dominated(projected)} == reduced
    assert len(reduced) < len(full)


# --- volumes ----------------------------------------------------------------------


def eulerian(d):
    """How many permutations of d have k ascents, k = 0, 1, ..."""
    row = [1]
    for n in range(2, d + 1):
        old = [0, *row, 0]
        row = [(n - k) * old[k] + (k + 1) * old[k + 1] for k in range(n)]
    return row


def test_volumes_of_the_simplex():
    assert [simplex_volume(q) for q in (2, 3, 4)] == [F(1, 2), F(29, 360), F(397, 394240)]
    for q in range(2, 7):
        d = q * (q - 1)
        assert simplex_volume(q) == F(sum(eulerian(d)[: q - 1]), factorial(d))
        two_terms = F((q - 1) ** d - d * (q - 2) ** d, factorial(d))
        relative = float(1 - two_terms / simplex_volume(q))
        assert relative == 0 if q <= 3 else 5e-5 < relative < 5e-4
        acceptance = simplex_volume(q) * factorial(d) / F(q - 1) ** d
        assert acceptance > F(9, 10)


def test_eulerian_numbers_count_permutations():
    for d in range(1, 7):
        ascents = [sum(b > a for a, b in pairwise(p)) for p in permutations(range(d))]
        assert eulerian(d) == [ascents.count(k) for k in range(d)]


@pytest.mark.parametrize("q", [2, 3, 4])
def test_volume_of_the_simplex_by_integration(q):
    d = q * (q - 1)
    assert cube_below(d, q - 1) == simplex_volume(q)
    # The cube is symmetric about its middle.
    assert cube_below(d, F(d, 2)) == F(1, 2)
    assert cube_below(d, F(1, 3)) == F(1, 3**d * factorial(d))
    assert cube_below(d, d) == cube_below(d, d + 1) == 1
    assert cube_below(d, 0) == cube_below(d, F(-1, 2)) == 0


def test_corner_of_two_classes_by_hand():
    rng = np.random.default_rng(3)
    for a, b in rng.integers(0, 8, size=(50, 2)).tolist():
        expected = max(F(7 - a - b, 7), 0) ** 2 / 2
        assert corner_volume([F(a, 7), F(b, 7)], 2) == expected
    assert corner_volume([0.25, np.float64(0.5)], 2) == F(1, 32)


@pytest.mark.parametrize("q", [2, 3, 4])
def test_corners_by_integration(q):
    d = q * (q - 1)
    assert corner_volume([0] * d, q) == simplex_volume(q)
    assert corner_volume([1, *[0] * (d - 1)], q) == 0
    # The same rate everywhere is a cube again, of another size.
    for rate in (F(1, 7), F(1, 50)):
        side = 1 - rate
        expected = side**d * cube_below(d, (q - 1 - d * rate) / side)
        assert corner_volume([rate] * d, q) == expected


def test_corners_by_sampling():
    rng = np.random.default_rng(4)
    n = 400_000
    x = sample_simplex(3, n, seed=5)
    for _ in range(20):
        p = rng.uniform(0, 0.3, size=6)
        share = float(corner_volume(p, 3) / simplex_volume(3))
        sampled = (x >= p).all(axis=1).mean()
        assert abs(sampled - share) <= 5 * sqrt(share * (1 - share) / n)


# --- G and delta ------------------------------------------------------------------


@pytest.mark.parametrize("q", [2, 3, 4])
def test_g_of_the_perfect_and_of_the_trivial(q):
    trivial = [rates_of(trivial_matrix(q, j)) for j in range(q)]
    perfect = [0] * (q * (q - 1))
    assert gini(trivial, q) == 0
    assert gini([perfect], q) == gini([perfect, *trivial], q) == 1
    assert gini([], q) == 0


def test_g_of_two_classes_by_hand():
    # A triangle of leg a is the share a^2; the pairs below overlap in one of leg 0, of 1/8.
    assert gini([(F(1, 4), F(1, 4))], 2) == F(1, 4)
    assert gini([(0, F(1, 2)), (F(1, 2), 0)], 2) == F(1, 2)
    assert gini([(0, F(1, 2)), (F(3, 8), 0)], 2) == F(1, 4) + F(25, 64) - F(1, 64)


@pytest.mark.parametrize(("q", "n_cells"), [(2, 2), (2, 9), (3, 3), (3, 4)])
def test_g_by_cells(q, n_cells):
    rng = np.random.default_rng(6)
    d = q * (q - 1)
    assert gini_by_cells([[0] * d], q, n_cells) == 1
    for n_points in (1, 2, 5):
        points = rng.binomial(n_cells, 0.5 / q, size=(n_points, d)).tolist()
        points = [[F(v, n_cells) for v in point] for point in points]
        assert gini(points, q) == gini_by_cells(points, q, n_cells)


@pytest.mark.parametrize("q", [2, 3])
def test_g_by_sampling(q):
    rng = np.random.default_rng(7)
    points = random_points(rng, 6, q, 10)
    g = float(gini(points, q))
    n = 200_000
    assert 0.05 < g < 0.95
    error = abs(gini_by_sampling(points, q, n, seed=8) - g)
    assert error <= 5 * sqrt(g * (1 - g) / n)


def test_g_by_sampling_of_four_classes():
    rng = np.random.default_rng(9)
    points = random_points(rng, 2, 4, 20, better=9)
    g = float(gini(points, 4))
    n = 1_500
    assert 0.02 < g < 0.98
    error = abs(gini_by_sampling(points, 4, n, seed=10) - g)
    assert error <= 5 * sqrt(g * (1 - g) / n)


def test_g_knows_dominance():
    rng = np.random.default_rng(11)
    points = random_points(rng, 5, 3, 3)
    worse = tuple((v + 1) / 2 for v in points[0])
    assert gini([*points, points[1], worse], 3) == gini(points, 3)
    assert gini(points[:4], 3) < gini(points, 3)


@pytest.mark.parametrize("q", [2, 3])
def test_delta_is_what_one_front_adds_to_the_other(q):
    rng = np.random.default_rng(12)
    points = random_points(rng, 7, q, 6)
    xs, ys = points[:4], points[4:]
    assert delta(xs, ys, q) == gini(points, q) - gini(ys, q)
    assert delta(ys, xs, q) == gini(points, q) - gini(xs, q)
    assert delta(xs, [], q) == gini(xs, q)
    assert delta([], ys, q) == delta(xs, xs, q) == 0


def test_delta_of_two_classes_by_hand():
    x, y = (F(1, 4), 0), (0, F(1, 2))
    assert delta([x], [y], 2) == F(9, 16) - F(1, 16)
    assert delta([y], [x], 2) == F(1, 4) - F(1, 16)


# --- two classes ------------------------------------------------------------------


def g_of_scores(y, s):
    """G of the thresholds that no other beats."""
    points = sorted(all_threshold_points(y, s))
    return gini([points[i] for i in non_dominated(points)], 2)


def never_crosses(y, s):
    """Whether no threshold, not even one that another beats, is worse than chance."""
    return all(alarm + miss <= 1 for alarm, miss in all_threshold_points(y, s))


def test_thresholds_and_auc_by_hand():
    y, s = [0, 1, 0, 1], [1, 2, 2, 3]
    assert threshold_path(y, s) == [(0, 1), (0, F(1, 2)), (F(1, 2), 0), (1, 0)]
    assert auc(y, s) == F(7, 8)


def test_thresholds_and_auc_by_scikit_learn():
    rng = np.random.default_rng(13)
    y, s = rng.integers(2, size=60), rng.integers(12, size=60)
    alarms, hits, _ = roc_curve(y, s, drop_intermediate=False)
    expected = np.array([alarms, 1 - hits]).T
    np.testing.assert_allclose(
        np.array(threshold_path(y, s), dtype=float), expected, atol=1e-12
    )
    assert float(auc(y, s)) == pytest.approx(roc_auc_score(y, s), rel=1e-12)


def test_g_is_twice_the_auc_less_one():
    rng = np.random.default_rng(14)
    n_found = 0
    for _ in range(60):
        y = [0, 1, *rng.integers(2, size=12).tolist()]
        s = (rng.permutation(14) + 6 * np.array(y)).tolist()
        s = [v + 0.5 * k for v, k in zip(s, y, strict=True)]  # no ties
        if never_crosses(y, s):
            n_found += 1
            assert g_of_scores(y, s) == 2 * auc(y, s) - 1
        else:
            assert g_of_scores(y, s) > 2 * auc(y, s) - 1
    assert 10 < n_found < 60


def test_g_with_a_tie():
    y, s = [0, 1, 0, 1], [1, 2, 2, 3]
    assert never_crosses(y, s)
    assert 2 * auc(y, s) - 1 == F(3, 4)
    assert g_of_scores(y, s) == F(1, 2)
    # A tie among cases of one class is none.
    assert g_of_scores([0, 0, 1], [1, 1, 2]) == 2 * auc([0, 0, 1], [1, 1, 2]) - 1


def test_g_with_a_crossing():
    # By falling score 1, 0, 0, 1, 1: those that no other beats all lie in P, and still.
    y, s = [1, 0, 0, 1, 1], [5, 4, 3, 2, 1]
    assert 2 * auc(y, s) - 1 == F(-1, 3)
    points = sorted(all_threshold_points(y, s))
    assert all(sum(points[i]) <= 1 for i in non_dominated(points))
    assert not never_crosses(y, s)
    assert g_of_scores(y, s) == F(1, 9)


# --- the hull ---------------------------------------------------------------------


def lower_chain(points):
    """Indices of the vertices of the lower left hull of the plane, by turning left."""
    order = sorted(range(len(points)), key=lambda i: (*points[i], i))
    chain = []
    for i in order:
        x, y = points[i]
        if chain and y >= points[chain[-1]][1]:
            continue
        while len(chain) > 1:
            (ax, ay), (bx, by) = points[chain[-2]], points[chain[-1]]
            if (bx - ax) * (y - ay) - (by - ay) * (x - ax) > 0:
                break
            chain.pop()
        chain.append(i)
    return sorted(chain)


def test_hull_by_hand():
    points = [(0, 4), (1, 1), (4, 0), (2, 1), (0, 4), (F(1, 2), F(5, 2)), (3, 3)]
    assert hull_members(points) == [0, 1, 2]
    assert hull_members([(1, 2, 3)]) == [0]
    assert hull_members([(0, 1), (F(1, 2), F(1, 2)), (1, 0)]) == [0, 2]
    assert optimal_members(points, (3, 1)) == {0, 1, 4, 5}
    assert optimal_members(points, (1, 1)) == {1}


def test_hull_in_the_plane():
    rng = np.random.default_rng(15)
    for _ in range(20):
        points = [tuple(p) for p in rng.integers(0, 30, size=(25, 2)).tolist()]
        assert hull_members(points) == lower_chain(points)


def test_hull_members_are_those_that_weights_find():
    rng = np.random.default_rng(16)
    points = random_points(rng, 12, 3, 20, better=0)
    members = hull_members(points)
    assert set(members) <= set(non_dominated(points))
    found = set()
    for alpha in (1.0, 0.2):
        for weights in rng.dirichlet([alpha] * 6, size=150):
            best = optimal_members(points, weights)
            assert best & set(members)
            if len(best) == 1:
                found |= best
    assert found <= set(members)
    assert len(found) >= len(members) - 1


# --- choosing a member ------------------------------------------------------------

COUNTS = [
    [[8, 1, 1], [2, 8, 0], [0, 4, 6]],
    [[9, 1, 0], [0, 7, 3], [2, 2, 6]],
    [[6, 2, 2], [1, 7, 2], [1, 0, 9]],
    [[10, 0, 0], [5, 5, 0], [5, 0, 5]],
]
RATES = [rate_matrix(counts) for counts in COUNTS]
CLASSES = ["a", "b", "c"]


def test_distance_from_chance():
    for q in (2, 3, 4):
        perfect = np.eye(q).tolist()
        assert simplex_distance(perfect) == pytest.approx(-sqrt((q - 1) / q))
        assert simplex_distance(trivial_matrix(q, 0)) == 0
    # Two classes: the distance of a point of the plane from the line x + y = 1.
    assert simplex_distance([[0.9, 0.1], [0.3, 0.7]]) == pytest.approx(-0.6 / sqrt(2))


def test_most_distant_has_the_best_macro_average():
    # Sums of 8, 8, 8 and 10 errors in tenths, of which the largest is 4, 3, 2 and 5.
    assert best_balanced_accuracy(RATES) == {0, 1, 2}
    assert most_distant(RATES) == {2}
    assert most_distant([*RATES, RATES[2]]) == {2, 4}
    assert most_distant(RATES) <= best_balanced_accuracy(RATES)
    assert best_score(COUNTS, balanced_accuracy_score) == {0, 1, 2}


def test_least_cost():
    even = [F(1, 3)] * 3
    assert least_cost(RATES, ZERO_ONE, even) == {0, 1, 2}
    assert least_cost(RATES, [[0, 9, 9], [1, 0, 1], [1, 1, 0]], even) == {3}
    assert least_cost(RATES, ZERO_ONE, [0, 0, 1]) == {2}
    assert least_cost(RATES, ZERO_ONE, [0, 1, 0]) == {0}


def test_accuracy_is_a_cost():
    rng = np.random.default_rng(17)
    counts = random_counts(rng, 30, 3, 5)
    rates = [rate_matrix(matrix) for matrix in counts]
    for priors in rng.dirichlet([1, 1, 1], size=20).tolist():
        # As exact numbers they must sum to one, or errors and hits do not add up.
        priors = [as_fraction(v) for v in priors]
        priors[2] = 1 - priors[0] - priors[1]
        assert best_accuracy(rates, priors) == least_cost(rates, ZERO_ONE, priors)
    even = [F(1, 3)] * 3
    assert best_accuracy(rates, even) == best_balanced_accuracy(rates)
    assert best_accuracy(rates, even) == best_score(counts, accuracy_score)


def test_accuracy_with_unequal_classes():
    counts = [[[18, 2], [2, 3]], [[15, 5], [0, 5]], [[16, 4], [0, 5]]]
    rates = [rate_matrix(matrix) for matrix in counts]
    assert best_accuracy(rates, [F(4, 5), F(1, 5)]) == {0, 2}
    assert best_score(counts, accuracy_score) == {0, 2}
    assert best_balanced_accuracy(rates) == best_score(counts, balanced_accuracy_score) == {2}


def test_limits():
    assert within_limits(RATES, {}, CLASSES) == {0, 1, 2, 3}
    assert within_limits(RATES, {("c", "b"): 0.2}, CLASSES) == {1, 2, 3}
    # 0.3 is stored as less than 3/10, and is met all the same.
    assert within_limits(RATES, {"b": 0.3}, CLASSES) == {0, 1, 2}
    assert within_limits(RATES, {"b": 0.3}, CLASSES, exact=as_fraction) == {0}
    assert within_limits(RATES, {"b": 0.3, ("a", "b"): F(1, 10)}, CLASSES) == {0, 1}
    assert within_limits(RATES, {"a": 0, "c": 0}, CLASSES) == set()


def test_lexicographic_order():
    assert lexicographic(RATES, [], CLASSES) == {0, 1, 2, 3}
    assert lexicographic(RATES, [[("a", "c")]], CLASSES) == {1, 3}
    assert lexicographic(RATES, [[("a", "c")], ["c"]], CLASSES) == {1}
    assert lexicographic(RATES, [[("b", "a"), ("c", "a")]], CLASSES) == {0, 1, 2}
    groups = [[("b", "a"), ("c", "a")], [("c", "b")]]
    assert lexicographic(RATES, groups, CLASSES) == {2}


def test_labels_have_their_confusion_matrix():
    for counts in COUNTS:
        assert confusion_matrix(*labels_of(counts)).tolist() == counts


# --- limits with confidence -------------------------------------------------------


def test_bounds_by_hand():
    assert clopper_pearson_upper(0, 10, 0.95) == pytest.approx(1 - 0.05**0.1, rel=1e-14)
    assert clopper_pearson_lower(10, 10, 0.95) == pytest.approx(0.05**0.1, rel=1e-14)
    assert clopper_pearson_upper(1, 1, 0.95) == 1.0
    assert clopper_pearson_lower(0, 5, 0.95) == 0.0
    # 1 - p^2 = 1/2 and (1 - p)^2 = 1/2.
    assert clopper_pearson_upper(1, 2, 0.5) == pytest.approx(sqrt(0.5), rel=1e-14)
    assert clopper_pearson_lower(1, 2, 0.5) == pytest.approx(1 - sqrt(0.5), rel=1e-14)


@pytest.mark.parametrize(("k", "n"), [(0, 3), (1, 7), (3, 10), (10, 10), (12, 100), (99, 100)])
@pytest.mark.parametrize("confidence", [0.8, 0.95, 0.999])
def test_bounds_by_scipy(k, n, confidence):
    upper = beta.ppf(confidence, k + 1, n - k) if k < n else 1.0
    assert clopper_pearson_upper(k, n, confidence) == pytest.approx(upper, rel=1e-9)
    interval = binomtest(k, n).proportion_ci(confidence, method="exact")
    assert clopper_pearson(k, n, confidence) == pytest.approx(tuple(interval), rel=1e-9)
    mirrored = 1 - clopper_pearson_upper(n - k, n, confidence)
    assert clopper_pearson_lower(k, n, confidence) == pytest.approx(mirrored, abs=1e-14)


def test_bounds_cover():
    n, p, confidence = 20, F(1, 5), 0.9
    covered = [k for k in range(n + 1) if p <= clopper_pearson_upper(k, n, confidence)]
    assert sum(comb(n, k) * p**k * (1 - p) ** (n - k) for k in covered) >= F(9, 10)
