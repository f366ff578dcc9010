"""Where the members of a front lie: distance, hull, two classes, hypervolume."""

from math import prod, sqrt

import numpy as np
import pytest
from front_measure_cases import (
    F,
    as_points,
    fraction_sets,
    front_of,
    good_rates,
    perfect_matrix,
    points_of,
    z_scores,
)
from front_twins import (
    all_threshold_points,
    auc,
    dominates,
    excess_of_mixtures,
    gini,
    hull_members,
    join,
    miss_rates_of,
    non_dominated,
    rates_of,
    simplex_distance,
    subsets,
    trivial_matrix,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import gaussian_scores

from skvus import ROCFront

# --- distance ---------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(data=st.data(), q=st.sampled_from([2, 3, 4]))
def test_distance_from_the_simplex(data, q):
    matrices = data.draw(fraction_sets(q))
    members = sorted({rates_of(matrix) for matrix in matrices})
    members = [members[i] for i in non_dominated(members)]  # in the order of the front
    by_point = {rates_of(matrix): matrix for matrix in matrices}
    front = front_of(matrices)
    expected = [simplex_distance(by_point[point]) for point in members]
    np.testing.assert_allclose(front.random_simplex_distance(), expected, rtol=0, atol=1e-14)
    inside = front.inside_random_simplex()
    assert inside.dtype == bool
    assert inside.tolist() == [sum(point) <= q - 1 for point in members]


def test_distance_is_a_distance():
    # from the foot of the perpendicular, along the diagonal
    front = ROCFront.from_rates(good_rates(np.random.default_rng(19), 10, 3, 0.4))
    for point, distance in zip(as_points(front.rates), front.random_simplex_distance(),
                               strict=True):  # fmt: skip
        foot = np.array(point) - distance / sqrt(6)
        assert foot.sum() == pytest.approx(2.0, abs=1e-13)
        assert distance < 0.0
        assert np.linalg.norm(foot - point) == pytest.approx(-distance)


# --- miss rates -------------------------------------------------------------------


@pytest.mark.parametrize("sizes", [None, "known"])
@settings(max_examples=60, deadline=None)
@given(data=st.data(), q=st.sampled_from([2, 3, 4]))
def test_front_of_miss_rates(sizes, data, q):
    matrices = data.draw(fraction_sets(q, max_size=9))
    options = {} if sizes is None else {"class_sizes": [36] * q}
    front = front_of(matrices, **options)
    assert (front.counts is None) == (sizes is None)
    by_point = {tuple(map(float, rates_of(m))): m for m in matrices}
    members = [by_point[point] for point in as_points(front.rates)]
    misses = [miss_rates_of(matrix) for matrix in members]
    np.testing.assert_allclose(
        front.miss_rates(), np.array(misses, dtype=float), rtol=0, atol=1e-14
    )
    reduced = front.miss_rate_front()
    assert isinstance(reduced, ROCFront)
    assert reduced.objectives == "miss_rates"
    # of members that tie, none dominates the other
    kept = [i for i, a in enumerate(misses) if not any(dominates(b, a) for b in misses)]
    np.testing.assert_array_equal(reduced.rates, front.rates[kept])
    if sizes is not None:
        np.testing.assert_array_equal(reduced.counts, front.counts[kept])
    # the reduced front lies on the full one: nothing is lost with what was left out before
    everything = [miss_rates_of(matrix) for matrix in matrices]
    best = {everything[i] for i in non_dominated(everything)}
    assert {misses[i] for i in kept} == best
    directly = front_of(matrices, objectives="miss_rates", **options).miss_rates()
    assert {tuple(np.round(row, 9)) for row in directly.tolist()} == {
        tuple(np.round([float(x) for x in row], 9)) for row in best
    }


def test_front_of_miss_rates_keeps_all_that_belongs_to_members():
    y, scores = gaussian_scores(60, 3, 20)
    names = np.array(["elm", "ash", "oak"])
    front = ROCFront.from_predictions(
        names[y], scores, labels=names, n_costs=400, random_state=0
    )
    reduced = front.miss_rate_front()
    assert 1 < len(reduced) < len(front)
    assert reduced.classes.tolist() == names.tolist()
    np.testing.assert_array_equal(reduced.priors, front.priors)
    np.testing.assert_array_equal(reduced.class_sizes, front.class_sizes)
    for member in reduced:
        same = [other for other in front if (other.rates == member.rates).all()]
        assert len(same) == 1
        np.testing.assert_array_equal(member.cost_matrix, same[0].cost_matrix)
        np.testing.assert_array_equal(member.counts, same[0].counts)
    # two classes have no other rates than miss rates
    two = ROCFront.from_predictions(y % 2, scores[:, 1])
    np.testing.assert_array_equal(two.miss_rate_front().rates, two.rates)


@pytest.mark.parametrize("seed", range(5))
def test_front_of_miss_rates_is_not_decided_by_rounding(seed):
    # sixths: a sixth and a sixth is a third, however rates are stored
    rng = np.random.default_rng([20, seed])
    y = np.arange(18) % 3
    scores = rng.integers(1, 6, size=(18, 3)).astype(float)
    options = {"n_costs": 300, "random_state": 0}
    plain = ROCFront.from_predictions(y, scores, **options)
    weighted = ROCFront.from_predictions(y, scores, sample_weight=np.ones(18), **options)
    bare = ROCFront.from_rates(plain.rates)
    expected = plain.miss_rate_front().rates
    for front in (weighted, bare):
        np.testing.assert_allclose(front.rates, plain.rates, rtol=0, atol=1e-12)
        found = front.miss_rate_front().rates
        assert len(found) == len(expected)
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)


# --- the hull ---------------------------------------------------------------------


@settings(max_examples=80, deadline=None)
@given(data=st.data(), q=st.sampled_from([2, 3]))
def test_hull_of_fractions(data, q):
    front = front_of(data.draw(fraction_sets(q, max_size=9)))
    assert front.hull().tolist() == hull_members(as_points(front.rates))


def grid_rates(rng, n_members, q, n_cells):
    share = 0.5 * np.eye(q) + 0.5 / q
    return rng.multinomial(n_cells, share, size=(n_members, q)) / n_cells


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(
    ("q", "n_members", "kind"),
    [(2, 60, "smooth"), (2, 60, "grid"), (3, 60, "smooth"), (3, 80, "grid"), (4, 40, "smooth"),
     (4, 40, "grid"), (5, 20, "smooth")],
)  # fmt: skip
def test_hull_against_linear_programmes(seed, q, n_members, kind):
    rng = np.random.default_rng([seed, q, n_members])
    if kind == "smooth":
        rates = good_rates(rng, n_members, q, 0.6)
    else:
        rates = grid_rates(rng, n_members, q, 12 if q == 2 else 4)
    front = ROCFront.from_rates(rates)
    hull = front.hull()
    assert hull.dtype.kind == "i"
    assert hull.tolist() == hull_members(as_points(front.rates))


@pytest.mark.parametrize("q", [2, 3, 4])
def test_hull_of_mixtures(q):
    # the trivial classifiers, mixtures of them (all on one face), and one below the face
    rng = np.random.default_rng(21)
    trivial = np.array([trivial_matrix(q, j) for j in range(q)], dtype=float)
    odds = rng.multinomial(16, np.ones(q) / q, size=25) / 16
    rates = np.concatenate([trivial, np.einsum("ij,jkl->ikl", odds, trivial)])
    front = ROCFront.from_rates(rates)
    assert len(front) > q + 5
    found = front.rates[front.hull()]
    assert sorted(as_points(found)) == sorted(as_points(trivial))
    better = 0.7 * trivial.mean(axis=0) + 0.3 * np.eye(q)
    front = ROCFront.from_rates([*rates, better])
    found = front.rates[front.hull()]
    assert sorted(as_points(found)) == sorted(as_points([*trivial, better]))


@pytest.mark.parametrize("gain", [1e-3, 1e-4, 1e-5, 1e-6])
def test_hull_has_members_that_are_optimal_for_hardly_any_cost(gain):
    # just below the line between two others; random costs will not find it
    corner = [[0.5, 0.5 - gain], [0.5, 0.5]]
    two = [[[1.0, 0.0], [1.0, 0.0]], [[0.5 + gain, corner[0][1]], corner[1]], [[0, 1], [0, 1]]]
    assert ROCFront.from_rates(two).hull().tolist() == [0, 1, 2]
    # likewise between three classifiers of three classes
    rng = np.random.default_rng(22)
    three = good_rates(rng, 3, 3, 0.8)
    between = three.mean(axis=0) + gain * (np.eye(3) - three.mean(axis=0))
    front = ROCFront.from_rates([*three, between])
    assert len(front) == 4
    assert front.hull().tolist() == [0, 1, 2, 3] == hull_members(as_points(front.rates))
    above = three.mean(axis=0) - gain * (np.eye(3) - three.mean(axis=0))
    front = ROCFront.from_rates([*three, above])
    assert len(front) == 4
    rest = sorted(as_points(three))
    assert sorted(as_points(front.rates[front.hull()])) == rest


@pytest.mark.parametrize("q", [2, 3, 4])
@pytest.mark.parametrize("gain", [1e-4, 1e-6])
def test_hull_leaves_out_what_only_a_hidden_member_beats(q, gain):
    # one that hardly any cost leads to, and another that is better than all mixtures without it
    if q == 2:
        corners = np.array([trivial_matrix(2, j) for j in range(2)], dtype=float)
    else:
        corners = good_rates(np.random.default_rng(22), 3, q, 0.8)
    middle, perfect = corners.mean(axis=0), np.eye(q)
    hidden = middle + gain * (perfect - middle)
    halves = 0.5 * (corners + hidden)
    beaten = halves - 0.2 * gain * (perfect - halves)
    front = ROCFront.from_rates([*corners, hidden, *beaten])
    assert len(front) == 2 * len(corners) + 1
    found = as_points(front.rates[front.hull()])
    expected = as_points([*corners, hidden])
    np.testing.assert_allclose(sorted(found), sorted(expected), rtol=0, atol=1e-12)


def test_hull_of_a_convex_curve_has_all_its_points():
    # n^2 times the distance of a point from the chord of its neighbours is about one
    t = np.arange(1, 200) / 200
    rates = [[[1 - a, a], [b, 1 - b]] for a, b in zip(t**2, (1 - t) ** 2, strict=True)]
    front = ROCFront.from_rates(rates)
    assert front.hull().tolist() == list(range(199))
    concave = [[[1 - a, a], [b, 1 - b]] for a, b in zip(t, np.sqrt(1 - t**2), strict=True)]
    front = ROCFront.from_rates(concave)
    assert len(front) == 199
    assert front.hull().tolist() == [0, 198]


@pytest.mark.parametrize("q", [2, 3, 4])
def test_hull_suffices_for_every_cost(q):
    y, scores = gaussian_scores(50 * q, q, 23)
    front = ROCFront.from_predictions(y, scores, n_costs=800, random_state=0)
    hull = front.hull()
    assert 1 < len(hull) < len(front)
    rng = np.random.default_rng(23)
    points = np.array(as_points(front.rates))
    for alpha in (1.0, 0.2):
        values = rng.dirichlet(np.full(q * (q - 1), alpha), size=2_000) @ points.T
        np.testing.assert_allclose(values[:, hull].min(axis=1), values.min(axis=1), atol=1e-12)
        winners = np.unique(values.argmin(axis=1))
        if alpha == 1.0:
            assert np.isin(winners, hull).all()
    others = np.setdiff1d(np.arange(len(front)), hull)
    for i in others[:: max(1, len(others) // 15)]:
        assert excess_of_mixtures(points[i], points[hull]) < 1e-8
    # the hull of the hull is itself
    assert front[hull].hull().tolist() == list(range(len(hull)))


def test_hull_of_one_and_of_the_perfect():
    for q in (2, 3, 5):
        perfect = front_of([perfect_matrix(q), trivial_matrix(q, 0)])
        assert perfect.hull().tolist() == [0]
        assert front_of([trivial_matrix(q, 1)]).hull().tolist() == [0]


# --- two classes ------------------------------------------------------------------


def never_crosses(y, s):
    return all(alarm + miss <= 1 for alarm, miss in all_threshold_points(y, s))


@settings(max_examples=150, deadline=None)
@given(data=st.data(), ties=st.booleans())
def test_relation_to_auc(data, ties):
    y = [0, 1, *data.draw(st.lists(st.integers(0, 1), max_size=12))]
    if ties:
        s = data.draw(st.lists(st.integers(0, 6), min_size=len(y), max_size=len(y)))
    else:
        s = data.draw(st.permutations(range(len(y))))
    if data.draw(st.booleans()):  # make it better than chance
        s = [2 * v + 9 * k for v, k in zip(s, y, strict=True)]
    front = ROCFront.from_predictions(y, (np.array(s) + 1) / 64)
    points = sorted(all_threshold_points(y, s))
    best = [points[i] for i in non_dominated(points)]
    np.testing.assert_allclose(
        front.rates[:, [0, 1], [1, 0]], np.array(best, dtype=float), rtol=0, atol=1e-15
    )
    expected = 2 * auc(y, s) - 1
    # what decides is whether cases of different classes tie
    has_ties = bool({v for v, k in zip(s, y, strict=True) if k}
                    & {v for v, k in zip(s, y, strict=True) if not k})  # fmt: skip
    g = front.gini()
    if not has_ties and never_crosses(y, s):
        assert g == pytest.approx(float(expected), rel=0, abs=1e-12)
    elif not has_ties:
        assert g > float(expected) + 1e-9
    elif never_crosses(y, s):
        assert g <= float(expected) + 1e-12
    if len(best) <= 7:
        assert g == pytest.approx(float(gini(best, 2)), rel=0, abs=1e-12)


def test_exceptions_to_the_relation_by_hand():
    y, s = [0, 1, 0, 1], np.array([0.1, 0.2, 0.2, 0.3])
    assert ROCFront.from_predictions(y, s).gini() == 0.5  # 2 AUC - 1 = 3/4
    y, s = [1, 0, 0, 1, 1], np.array([0.5, 0.4, 0.3, 0.2, 0.1])
    assert ROCFront.from_predictions(y, s).gini() == pytest.approx(1 / 9)  # 2 AUC - 1 = -1/3


# --- hypervolume ------------------------------------------------------------------


def hypervolume_of(points):
    """Inclusion and exclusion of the boxes between the points and one."""
    total = F(0)
    for chosen in subsets(points):
        if chosen:
            sides = [1 - v for v in join(chosen)]
            total += (-1) ** (len(chosen) + 1) * prod(sides, start=F(1))
    return total


@settings(max_examples=60, deadline=None)
@given(data=st.data(), q=st.sampled_from([2, 3, 4]))
def test_hypervolume_against_inclusion_and_exclusion(data, q):
    matrices = data.draw(fraction_sets(q))
    front = front_of(matrices)
    expected = float(hypervolume_of(points_of(matrices)))
    assert front.hypervolume() == pytest.approx(expected, rel=0, abs=1e-12)
    assert front.hypervolume(method="exact", return_std=True) == (front.hypervolume(), 0.0)
    assert isinstance(front.hypervolume(), float)


@pytest.mark.parametrize("q", [2, 3, 4, 5])
def test_sampled_hypervolume(q):
    front = ROCFront.from_rates(good_rates(np.random.default_rng(24), 8, q, 0.6))
    truth = float(hypervolume_of(as_points(front.rates)))
    assert 0.05 < truth < 0.95
    assert front.hypervolume(method="exact") == pytest.approx(truth, rel=1e-12)

    def measure(**options):
        return front.hypervolume(method="monte_carlo", n_samples=2_000, **options)

    z = z_scores(measure, truth, 60)
    assert 0.75 < z.std() < 1.3
    assert abs(z.mean()) < 4 / sqrt(60)


def test_hypervolume_by_hand():
    for q in (2, 3, 4):
        assert front_of([perfect_matrix(q)]).hypervolume() == 1.0
        assert front_of([trivial_matrix(q, j) for j in range(q)]).hypervolume() == 0.0
        uniform = ROCFront.from_rates(np.full((q, q), 1.0 / q))
        assert uniform.hypervolume() == pytest.approx((1 - 1 / q) ** (q * (q - 1)))
    rates = [[[0.5, 0.5], [0, 1]], [[1, 0], [0.25, 0.75]]]
    assert ROCFront.from_rates(rates).hypervolume() == 0.5 + 0.75 - 0.375


@pytest.mark.parametrize(("q", "auto", "exact"), [(4, 20, 30), (5, 10, 10), (6, 10, 10)])
def test_limits_of_the_exact_hypervolume(q, auto, exact):
    front = ROCFront.from_rates(good_rates(np.random.default_rng(25), 40, q, 0.6))
    assert len(front) > exact
    assert front[:auto].hypervolume(return_std=True)[1] == 0.0
    value, std = front[: auto + 1].hypervolume(n_samples=5_000, random_state=0, return_std=True)
    assert 0.0 < std < 0.01
    if exact > auto:
        truth, zero = front[: auto + 1].hypervolume(method="exact", return_std=True)
        assert zero == 0.0
        assert abs(value - truth) <= 5 * std
    message = rf"method='exact' takes at most {exact} members of {q} classes; got {exact + 1}"
    with pytest.raises(ValueError, match=message):
        front[: exact + 1].hypervolume(method="exact")


def test_gini_is_what_the_hypervolume_has_in_the_region():
    # two classes: what lies above the diagonal is dominated if the ends of the curve are there
    rng = np.random.default_rng(26)
    ends = [trivial_matrix(2, j) for j in range(2)]
    front = ROCFront.from_rates([*good_rates(rng, 30, 2, 0.8), *ends])
    assert front.inside_random_simplex().all()
    samples = rng.random((100_000, 2))
    points = np.array(as_points(front.rates))
    covered = (samples[:, np.newaxis] >= points).all(axis=2).any(axis=1)
    below = samples.sum(axis=1) <= 1.0
    assert front.gini() == pytest.approx(2 * (covered & below).mean(), abs=0.01)
    assert front.hypervolume() == pytest.approx(covered.mean(), abs=0.01)
    assert 2 * front.hypervolume() > front.gini() + 0.1
