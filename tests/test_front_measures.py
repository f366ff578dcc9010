"""How good a front is: G, delta, and their samples."""

from fractions import Fraction
from itertools import permutations
from math import factorial, sqrt

import numpy as np
import pytest
from front_measure_cases import (
    METHODS,
    F,
    as_points,
    fraction_sets,
    front_of,
    good_rates,
    has_volume,
    perfect_matrix,
    points_of,
    z_scores,
)
from front_twins import (
    corner_volume,
    cube_below,
    delta,
    gini,
    gini_by_cells,
    join,
    rates_of,
    simplex_volume,
    subsets,
    trivial_matrix,
    weakly_dominates,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import gaussian_scores

from skvus import ROCFront
from skvus.front import _measures
from skvus.front._results import FrontComparison
from skvus.metrics import random_simplex_volume, sample_better_than_random

# --- volume of the region -----------------------------------------------------------


def test_volumes_of_the_region():
    values = [random_simplex_volume(q, exact=True) for q in (2, 3, 4)]
    assert values == [F(1, 2), F(29, 360), F(397, 394240)]
    assert all(isinstance(value, Fraction) for value in values)
    for q in range(2, 15):
        exact = random_simplex_volume(q, exact=True)
        assert exact == simplex_volume(q)
        value = random_simplex_volume(q)
        assert isinstance(value, float)
        assert value == float(exact)
    for q in (2, 3, 4, 5):
        assert random_simplex_volume(q, exact=True) == cube_below(q * (q - 1), q - 1)


def test_equation_15_has_two_terms():
    for q in range(2, 7):
        d = q * (q - 1)
        two_terms = F((q - 1) ** d - d * (q - 2) ** d, factorial(d))
        relative = 1.0 - float(two_terms / random_simplex_volume(q, exact=True))
        assert relative == 0.0 if q <= 3 else 5e-5 < relative < 5e-4


def test_volume_as_a_float_vanishes_where_it_says():
    assert random_simplex_volume(19) > 0.0
    assert random_simplex_volume(20) == 0.0
    assert random_simplex_volume(20, exact=True) > 0


@pytest.mark.parametrize("bad", [1, 0, -3, 2.5, "3", None, True])
def test_bad_numbers_of_classes(bad):
    with pytest.raises(ValueError, match=r"n_classes must be an integer of at least 2"):
        random_simplex_volume(bad)
    with pytest.raises(ValueError, match=r"n_classes must be an integer of at least 2"):
        sample_better_than_random(3, bad)


def test_bad_options_of_the_region():
    with pytest.raises(ValueError, match=r"exact must be one of False, True; got 'yes'"):
        random_simplex_volume(3, exact="yes")
    with pytest.raises(ValueError, match=r"n must be an integer of at least 0; got -1"):
        sample_better_than_random(-1, 3)
    with pytest.raises(ValueError, match=r"random_state must be"):
        sample_better_than_random(3, 3, "seed")


# --- samples of the region ------------------------------------------------------------


@pytest.mark.parametrize("q", [2, 3, 4, 7])
def test_samples_lie_in_the_region(q):
    x = sample_better_than_random(5_000, q, random_state=0)
    assert x.shape == (5_000, q * (q - 1))
    assert x.min() >= 0.0
    assert x.max() <= 1.0
    assert x.sum(axis=1).max() <= q - 1 + 1e-12
    assert sample_better_than_random(0, q).shape == (0, q * (q - 1))
    assert len(np.unique(x, axis=0)) == 5_000


@pytest.mark.parametrize("q", [2, 3, 4])
def test_shares_of_corners_are_exact(q):
    n, rng = 200_000, np.random.default_rng(1)
    x = sample_better_than_random(n, q, random_state=1)
    d = q * (q - 1)
    for _ in range(3 if q == 4 else 12):
        p = np.zeros(d)
        p[rng.permutation(d)[:2]] = rng.uniform(0, 0.45, size=2)
        share = float(corner_volume(p, q) / simplex_volume(q))
        assert 0.001 < share < 0.999
        found = (x >= p).all(axis=1).mean()
        assert abs(found - share) <= 5 * sqrt(share * (1 - share) / n)


@pytest.mark.parametrize("q", [2, 3, 4, 5])
def test_sums_of_samples_have_the_distribution_of_irwin_and_hall(q):
    n = 50_000
    sums = np.sort(sample_better_than_random(n, q, random_state=2).sum(axis=1))
    d = q * (q - 1)
    levels = [F(i * (q - 1), 40) for i in range(1, 40)]
    expected = np.array([float(cube_below(d, t) / cube_below(d, q - 1)) for t in levels])
    found = np.searchsorted(sums, np.array(levels, dtype=float)) / n
    np.testing.assert_array_less(
        np.abs(found - expected), 5 * np.sqrt(expected * (1 - expected) / n) + 1e-12
    )


@pytest.mark.parametrize("q", [2, 3, 5])
def test_all_rates_of_samples_are_alike(q):
    # expectation of a rate given the region, by integrating P(rate >= t) of two classes by hand
    x = sample_better_than_random(100_000, q, random_state=3)
    errors = x.std(axis=0) / sqrt(len(x))
    assert np.abs((x.mean(axis=0) - x.mean()) / errors).max() < 5.0
    if q == 2:
        assert np.abs((x.mean(axis=0) - 1 / 3) / errors).max() < 5.0
        assert np.corrcoef(x.T)[0, 1] == pytest.approx(-0.5, abs=0.02)


def test_fewer_than_one_draw_in_ten_is_rejected():
    # the share of the simplex of size Q - 1 that has no rate above 1
    for q in range(2, 16):
        d = q * (q - 1)
        accepted = random_simplex_volume(q, exact=True) * factorial(d) / F(q - 1) ** d
        assert F(9, 10) < accepted <= 1


def test_seeds_of_samples():
    one, again, other = (sample_better_than_random(50, 3, random_state=s) for s in (0, 0, 1))
    np.testing.assert_array_equal(one, again)
    assert (one != other).all()
    for make in (np.random.default_rng, np.random.RandomState):
        np.testing.assert_array_equal(
            sample_better_than_random(50, 3, make(5)), sample_better_than_random(50, 3, make(5))
        )
    assert (sample_better_than_random(5, 3) != sample_better_than_random(5, 3)).any()


# --- G, exactly -----------------------------------------------------------------------


@pytest.mark.parametrize("q", [2, 3])
@settings(max_examples=80, deadline=None)
@given(data=st.data())
def test_gini_against_inclusion_and_exclusion(q, data):
    matrices = data.draw(fraction_sets(q))
    front = front_of(matrices)
    expected = gini(points_of(matrices), q)
    assert front.gini() == pytest.approx(float(expected), rel=0, abs=1e-12)
    assert front.gini(method="exact") == front.gini()
    assert front.gini(return_std=True) == (front.gini(), 0.0)
    assert 0.0 <= front.gini() <= 1.0
    assert isinstance(front.gini(), float)


@pytest.mark.parametrize("q", [2, 3])
@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_gini_never_falls_when_members_are_added(q, data):
    matrices = data.draw(fraction_sets(q, max_size=12))
    ginis = [front_of(matrices[: i + 1]).gini() for i in range(len(matrices))]
    for i in range(1, len(matrices)):
        new = rates_of(matrices[i])
        adds = has_volume(new, q) and not any(
            weakly_dominates(old, new) for old in points_of(matrices[:i])
        )
        # rates are multiples of 1/36, so that what is new is not too small to be seen
        gain = ginis[i] - ginis[i - 1]
        assert gain > 1e-12 if adds else abs(gain) < 1e-14


@pytest.mark.parametrize(("q", "n_cells", "total"), [(2, 20, 13), (3, 4, 4), (3, 3, 3)])
@pytest.mark.parametrize("seed", range(3))
def test_gini_of_many_members_against_cells(q, n_cells, total, seed):
    # about as many mistakes in all members: few of them dominate others
    rng = np.random.default_rng([seed, q, n_cells])
    d = q * (q - 1)
    points = set()
    for _ in range(400):
        wrong = rng.multinomial(total + rng.integers(0, 2), np.ones(d) / d)
        rows = wrong.reshape(q, q - 1).sum(axis=1)
        if rows.max() <= n_cells:
            points.add(tuple(F(int(v), n_cells) for v in wrong))
    points = sorted(points)
    rates = []
    for point in points:
        matrix = [[*point[k * (q - 1) : (k + 1) * (q - 1)]] for k in range(q)]
        for k, row in enumerate(matrix):
            row.insert(k, 1 - sum(row))
        rates.append(matrix)
    front = front_of(rates)
    assert len(front) >= (9 if q == 2 else 50)
    expected = gini_by_cells(points, q, n_cells)
    assert 0.05 < expected < 0.95
    assert front.gini() == pytest.approx(float(expected), rel=0, abs=1e-12)


@pytest.mark.parametrize("q", [2, 3, 4, 6])
@pytest.mark.parametrize("method", METHODS)
def test_gini_of_the_trivial_and_of_the_perfect(q, method):
    trivial = [trivial_matrix(q, j) for j in range(q)]
    front = front_of(trivial)
    assert len(front) == q
    assert front.gini(method=method, random_state=0) == 0.0
    assert front_of([*trivial, perfect_matrix(q)]).gini(method=method, random_state=0) == 1.0
    uniform = np.full((1, q, q), 1.0 / q)  # on the simplex, too
    assert ROCFront.from_rates(uniform).gini(method="auto", random_state=0) < 1e-12


def test_gini_by_hand():
    assert front_of([[[F(3, 4), F(1, 4)], [F(1, 4), F(3, 4)]]]).gini() == 0.25
    # one rate of 1/4, the others zero: (2^6 (1 - 1/8)^6 less what passes 1) of what it is at 0
    rates = perfect_matrix(3)
    rates[1][0], rates[1][1] = F(1, 4), F(3, 4)
    expected = (F(7, 4) ** 6 - 5 * F(3, 4) ** 6 - 1) / (2**6 - 6)
    assert front_of([rates]).gini() == pytest.approx(float(expected), rel=1e-13)


def test_members_outside_the_region_do_not_count():
    good = [[F(4, 5), F(1, 5)], [F(1, 5), F(4, 5)]]
    outside = [[F(99, 100), F(1, 100)], [1, 0]]
    front = front_of([good, outside])
    assert front.inside_random_simplex().tolist() == [False, True]
    assert front.gini() == pytest.approx(0.36, rel=1e-12)
    assert front[[0]].gini() == 0.0
    for seed in range(5):
        value, std = front.gini(method="monte_carlo", random_state=seed, return_std=True)
        assert abs(value - 0.36) <= 5 * std


@pytest.mark.parametrize("q", [2, 3])
def test_names_and_order_of_classes_do_not_matter(q):
    rates = good_rates(np.random.default_rng(q), 40, q, 0.5)
    front = ROCFront.from_rates(rates)
    assert len(front) > 5
    for order in permutations(range(q)):
        moved = rates[:, order][:, :, order]
        other = ROCFront.from_rates(moved, classes=[f"class {k}" for k in order])
        assert len(other) == len(front)
        assert other.gini() == pytest.approx(front.gini(), rel=1e-12)
        assert other.hypervolume() == pytest.approx(front.hypervolume(), rel=1e-12)
        assert len(other.hull()) == len(front.hull())
        assert len(other.miss_rate_front()) == len(front.miss_rate_front())
        np.testing.assert_allclose(
            np.sort(other.random_simplex_distance()), np.sort(front.random_simplex_distance())
        )


def test_gini_depends_on_the_rates_alone():
    y, scores = gaussian_scores(90, 3, 0)
    front = ROCFront.from_predictions(y, scores, n_costs=300, random_state=0)
    bare = ROCFront.from_rates(front.rates, priors=[0.8, 0.1, 0.1])
    assert bare.gini() == front.gini()
    assert front[[0, 5, 9]].gini() < front.gini()


# --- delta and compare -------------------------------------------------------------


@pytest.mark.parametrize("q", [2, 3])
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_delta_against_inclusion_and_exclusion(q, data):
    xs = data.draw(fraction_sets(q, max_size=3))
    ys = data.draw(fraction_sets(q, max_size=3))
    one, two = front_of(xs), front_of(ys)
    expected = delta(points_of(xs), points_of(ys), q)
    ours = one.delta(two)
    assert ours == pytest.approx(float(expected), rel=0, abs=1e-12)
    assert ours == one.delta(two, method="exact")
    assert one.delta(two, return_std=True) == (ours, 0.0)
    assert 0.0 <= ours <= one.gini() + 1e-14
    union = ROCFront.merge(one, two)
    assert ours == pytest.approx(union.gini() - two.gini(), rel=0, abs=1e-12)
    assert ours - two.delta(one) == pytest.approx(one.gini() - two.gini(), rel=0, abs=1e-12)
    is_new = [
        has_volume(x, q) and not any(weakly_dominates(y, x) for y in points_of(ys))
        for x in points_of(xs)
    ]
    assert ours > 1e-12 if any(is_new) else ours < 1e-14
    if all(
        sum(x) > q - 1 or any(weakly_dominates(y, x) for y in points_of(ys))
        for x in points_of(xs)
    ):
        assert ours == 0.0
    assert one.delta(one) == 0.0


@pytest.mark.parametrize("q", [2, 3])
def test_delta_of_larger_fronts_is_what_a_union_adds(q):
    rng = np.random.default_rng(5)
    one, two = (ROCFront.from_rates(good_rates(rng, 200, q, e)) for e in (0.4, 0.5))
    union = ROCFront.merge(one, two)
    assert 0.01 < one.delta(two) < one.gini()
    assert one.delta(two) == pytest.approx(union.gini() - two.gini(), rel=1e-10)
    assert two.delta(one) == pytest.approx(union.gini() - one.gini(), rel=0, abs=1e-14)


@settings(max_examples=25, deadline=None)
@given(data=st.data(), q=st.sampled_from([2, 3]))
def test_comparison_has_all_four_numbers(data, q):
    one, two = (front_of(data.draw(fraction_sets(q, max_size=4))) for _ in range(2))
    both = one.compare(two)
    assert isinstance(both, FrontComparison)
    assert both.method == "exact"
    assert both.gini == one.gini()
    assert both.other_gini == two.gini()
    assert both.delta == one.delta(two)
    assert both.other_delta == two.delta(one)
    stds = both.gini_std, both.other_gini_std, both.delta_std, both.other_delta_std
    assert stds == (0.0,) * 4
    text = repr(both)
    if min(both.gini, both.delta, both.other_delta) >= 0.001:
        for value in (both.gini, both.other_gini, both.delta, both.other_delta):
            assert f"{value:.4f}" in text
    words = {
        (False, False): "No difference",
        (True, True): "Neither front dominates",
        (True, False): "This front dominates",
        (False, True): "The other dominates",
    }
    assert words[both.delta > 0, both.other_delta > 0] in text


@pytest.mark.parametrize("q", [2, 3])
def test_sampled_comparison(q):
    rng = np.random.default_rng(6)
    one, two = (ROCFront.from_rates(good_rates(rng, 30, q, e)) for e in (0.4, 0.45))
    exact = one.compare(two)
    sampled = one.compare(two, method="monte_carlo", n_samples=20_000, random_state=0)
    assert sampled.method == "monte_carlo"
    for name in ("gini", "other_gini", "delta", "other_delta"):
        value, std = getattr(sampled, name), getattr(sampled, f"{name}_std")
        assert 0.0 < std < 0.005
        assert 0.0 < abs(value - getattr(exact, name)) <= 5 * std
        assert f"{value:.4f} +/- {std:.2g}" in repr(sampled)
    again = one.compare(two, method="monte_carlo", n_samples=20_000, random_state=0)
    assert again == sampled
    other = one.compare(two, method="monte_carlo", n_samples=20_000, random_state=1)
    assert other != sampled
    fewer = one.compare(two, method="monte_carlo", n_samples=2_000, random_state=0)
    assert fewer.gini_std > 2 * sampled.gini_std


def test_sampled_comparison_of_equal_fronts_finds_no_difference():
    front = ROCFront.from_rates(good_rates(np.random.default_rng(7), 20, 4, 0.2))
    both = front.compare(front, n_samples=2_000, random_state=0)
    assert both.method == "monte_carlo"
    assert both.delta == both.other_delta == 0.0
    assert both.gini == both.other_gini > 0.0
    assert "No difference" in repr(both)


# --- sampling ---------------------------------------------------------------------------


@pytest.mark.parametrize("q", [2, 3])
@pytest.mark.parametrize("errors", [0.05, 0.3, 0.6])
@pytest.mark.parametrize("n_members", [1, 3, 60])
def test_sampling_agrees_with_the_exact_volume(q, errors, n_members):
    rng = np.random.default_rng([q, n_members, int(100 * errors)])
    one, two = (ROCFront.from_rates(good_rates(rng, n_members, q, errors)) for _ in range(2))
    options = {"method": "monte_carlo", "n_samples": 5_000, "random_state": 0}
    value, std = one.gini(return_std=True, **options)
    assert 0.0 < std <= 0.51 / sqrt(5_000)
    assert abs(value - one.gini()) <= 5 * std
    assert value == one.gini(**options)
    value, std = one.delta(two, return_std=True, **options)
    assert abs(value - one.delta(two)) <= 5 * std
    assert value == one.delta(two, **options)


# P is sampled if the boxes together are larger than P, otherwise the boxes are.
@pytest.mark.parametrize(
    ("q", "errors", "n_members", "from_boxes"),
    [(2, 0.2, 40, False), (3, 0.2, 8, False), (3, 0.6, 8, True), (2, 0.9, 3, True)],
)
@pytest.mark.parametrize("what", ["gini", "delta"])
def test_standard_errors_are_honest(q, errors, n_members, from_boxes, what):
    rng = np.random.default_rng([8, q, n_members, int(100 * errors)])
    one, two = (ROCFront.from_rates(good_rates(rng, n_members, q, errors)) for _ in range(2))
    others = () if what == "gini" else (two,)
    truth = getattr(one, what)(*others)
    n_samples = 2_000

    def measure(**options):
        return getattr(one, what)(*others, method="monte_carlo", n_samples=n_samples, **options)

    z = z_scores(measure, truth, 80)
    assert 0.75 < z.std() < 1.3
    assert abs(z.mean()) < 5 / sqrt(80)
    stds = [measure(random_state=seed, return_std=True)[1] for seed in range(10)]
    binomial = sqrt(truth * (1 - truth) / n_samples)
    assert (
        np.mean(stds) < 0.9 * binomial if from_boxes else 0.9 < np.mean(stds) / binomial < 1.1
    )


@pytest.mark.parametrize(("errors", "n_members"), [(0.03, 3), (0.15, 3), (0.4, 2)])
def test_sampling_of_four_classes_agrees_with_inclusion_and_exclusion(errors, n_members):
    rng = np.random.default_rng([9, n_members])
    front = ROCFront.from_rates(good_rates(rng, n_members, 4, errors))
    assert len(front) == n_members
    points = as_points(front.rates)
    truth = float(gini(points, 4))

    def measure(**options):
        return front.gini(n_samples=20_000, **options)  # "auto"

    z = z_scores(measure, truth, 12)
    assert np.abs(z).max() < 5.0
    assert abs(z.mean()) < 4 / sqrt(12)
    value, std = measure(random_state=0, return_std=True)
    assert 0.0 < std < 0.02 * value
    assert front.gini(method="monte_carlo", n_samples=20_000, random_state=0) == value


def test_sampled_delta_of_four_classes():
    rng = np.random.default_rng(10)
    one, two = (ROCFront.from_rates(good_rates(rng, n, 4, 0.12)) for n in (2, 1))
    truth = float(delta(as_points(one.rates), as_points(two.rates), 4))
    assert 0.005 < truth < 0.9
    z = z_scores(lambda **options: one.delta(two, n_samples=5_000, **options), truth, 12)
    assert np.abs(z).max() < 5.0
    assert abs(z.mean()) < 4 / sqrt(12)


@pytest.mark.parametrize("rate", [F(1, 1000), F(1, 100), F(1, 20), F(1, 8), F(19, 100)])
def test_one_member_of_five_classes(rate):
    # the same rate everywhere: what it dominates is a cube again, of another size
    d, side = 20, 1 - rate
    truth = float(side**d * cube_below(d, (4 - d * rate) / side) / simplex_volume(5))
    rates = [[1 - 4 * rate if k == j else rate for j in range(5)] for k in range(5)]
    front = front_of([rates])
    for seed in range(5):
        value, std = front.gini(n_samples=10_000, random_state=seed, return_std=True)
        assert value == pytest.approx(truth, rel=0.02)
        assert abs(value - truth) <= 5 * std
        assert 0.0 < std < 0.01 * truth


@pytest.mark.parametrize(
    ("q", "slacks"), [(5, (0.5, 0.49, 0.52)), (5, (0.1, 0.1, 0.09)), (10, (0.4, 0.41, 0.39))]
)
def test_tiny_shares_have_small_relative_errors(q, slacks):
    # members near each other, so that their boxes overlap by about a half
    d = q * (q - 1)
    rng = np.random.default_rng([11, q])
    centre = good_rates(rng, 1, q, 0.8)[0]
    corners = []
    for i, slack in enumerate(slacks):
        matrix = centre * (1 - np.eye(q))
        matrix *= (q - 1 - slack - 0.01 * slack) / matrix.sum()
        matrix[i, (i + 1) % q] += 0.01 * slack
        corners.append(matrix + np.diag(1 - matrix.sum(axis=1)))
    front = ROCFront.from_rates(corners)
    assert len(front) == 3
    # inclusion and exclusion of boxes so small that no rate can pass 1 in them
    truth = F(0)
    for chosen in subsets(as_points(corners)):
        if chosen:
            corner = [F(v) for v in join(chosen)]
            slack = q - 1 - sum(corner)
            assert 0 < slack < 1 - max(corner)
            truth += (-1) ** (len(chosen) + 1) * slack**d
    truth = float(truth / factorial(d) / simplex_volume(q))
    assert 0.0 < truth < 1e-8
    z = z_scores(lambda **options: front.gini(n_samples=4_000, **options), truth, 60)
    assert 0.75 < z.std() < 1.3
    assert abs(z.mean()) < 5 / sqrt(60)
    value, std = front.gini(n_samples=4_000, random_state=0, return_std=True)
    assert value == pytest.approx(truth, rel=0.05)
    assert 0.001 * truth < std < 0.02 * truth


def test_seeds_numbers_and_methods_of_sampling():
    front = ROCFront.from_rates(good_rates(np.random.default_rng(12), 20, 3, 0.3))
    other = ROCFront.from_rates(good_rates(np.random.default_rng(13), 20, 3, 0.35))
    measures = (front.gini, front.hypervolume, lambda **options: front.delta(other, **options))
    for measure in measures:
        options = {"method": "monte_carlo", "n_samples": 3_000, "return_std": True}
        first = measure(random_state=0, **options)
        assert measure(random_state=0, **options) == first
        assert measure(random_state=1, **options)[0] != first[0]
        for make in (np.random.default_rng, np.random.RandomState):
            results = [measure(random_state=make(3), **options) for _ in range(2)]
            assert results[0] == results[1]
        stream = np.random.default_rng(3)  # goes on from one call to the next
        assert measure(random_state=stream, **options) != measure(
            random_state=stream, **options
        )
        more = measure(random_state=0, **{**options, "n_samples": 48_000})
        assert more[0] != first[0]
        assert first[1] / more[1] == pytest.approx(4.0, rel=0.2)
        exact = measure(random_state=0, **{**options, "method": "exact"})
        assert exact == measure(random_state=7, **{**options, "method": "auto"})
        assert exact[1] == 0.0
        assert exact[0] != first[0]
        assert measure(method="monte_carlo") != measure(method="monte_carlo")


def test_blocks_of_samples_are_put_together(monkeypatch):
    rates = good_rates(np.random.default_rng(14), 10, 3, 0.5)
    front, other = ROCFront.from_rates(rates[:5]), ROCFront.from_rates(rates[5:])
    monkeypatch.setattr(_measures, "_BLOCK", 300)
    options = {"method": "monte_carlo", "n_samples": 20_001, "random_state": 0}
    for truth, found in (
        (front.gini(), front.gini(return_std=True, **options)),
        (front.delta(other), front.delta(other, return_std=True, **options)),
    ):
        assert abs(found[0] - truth) <= 5 * found[1]
        assert found[1] < 0.05 * truth


def test_a_single_sample_is_not_certain():
    good = ROCFront.from_rates(good_rates(np.random.default_rng(15), 3, 3, 0.05))
    for measure in (good.gini, good.hypervolume):
        value, std = measure(method="monte_carlo", n_samples=1, random_state=0, return_std=True)
        assert value in (0.0, 1.0)
        assert std > 0.3


def test_limits_of_the_exact_volume(monkeypatch):
    rng = np.random.default_rng(16)
    four = ROCFront.from_rates(good_rates(rng, 5, 4, 0.3))
    message = r"method='exact' takes two or three classes; got 5 members of 4 classes"
    with pytest.raises(ValueError, match=message):
        four.gini(method="exact")
    with pytest.raises(ValueError, match=r"method='exact' takes two or three classes"):
        four.delta(ROCFront.from_rates(good_rates(rng, 5, 4, 0.3)), method="exact")
    with pytest.raises(ValueError, match=r"method='exact' takes two or three classes"):
        four.compare(four, method="exact")
    monkeypatch.setattr(_measures, "AUTO_MEMBERS", 10)
    monkeypatch.setattr(_measures, "EXACT_MEMBERS", 15)
    for n_members, auto_is_exact, exact_works in ((8, True, True), (12, False, True),
                                                  (20, False, False)):  # fmt: skip
        rates = good_rates(rng, 200, 3, 0.3)
        front = ROCFront.from_rates(rates)[:n_members]
        assert (front.gini(n_samples=99, return_std=True)[1] == 0.0) is auto_is_exact
        if exact_works:
            assert front.gini(method="exact", return_std=True)[1] == 0.0
        else:
            with pytest.raises(ValueError, match=r"takes at most 15 members; got 20"):
                front.gini(method="exact")
    two = ROCFront.from_rates([[[1 - x, x], [1 - x, x]] for x in np.linspace(0.1, 0.9, 30)])
    assert two.gini(return_std=True)[1] == 0.0


def test_bad_options_of_measures():
    front = ROCFront.from_rates(good_rates(np.random.default_rng(17), 3, 3, 0.3))
    calls = (
        front.gini,
        front.hypervolume,
        lambda **options: front.delta(front, **options),
        lambda **options: front.compare(front, **options),
    )
    for call in calls:
        with pytest.raises(ValueError, match=r"method must be one of 'auto', 'exact', 'mont"):
            call(method="sampling")
        for bad in (0, 1.5, "many", True):
            with pytest.raises(ValueError, match=r"n_samples must be an integer of at least 1"):
                call(n_samples=bad)
        with pytest.raises(ValueError, match=r"random_state must be"):
            call(random_state="seed")
    for call in calls[:3]:
        with pytest.raises(ValueError, match=r"return_std must be one of False, True"):
            call(return_std="yes")


def test_fronts_of_other_classes():
    rates = good_rates(np.random.default_rng(18), 3, 3, 0.3)
    front = ROCFront.from_rates(rates, classes=["a", "b", "c"])
    others = (
        ROCFront.from_rates(rates, classes=["a", "c", "b"]),
        ROCFront.from_rates(rates),
        ROCFront.from_rates(rates[:, :2, :2] / rates[:, :2, :2].sum(2, keepdims=True)),
    )
    for other in others:
        for call in (front.delta, front.compare):
            with pytest.raises(ValueError, match=r"other must have the classes \['a', 'b', 'c"):
                call(other)
    for other in (rates, None, front[0]):
        for call in (front.delta, front.compare):
            with pytest.raises(TypeError, match=r"other must be a ROCFront"):
                call(other)
    same = ROCFront.from_rates(rates, classes=np.array(["a", "b", "c"], dtype=object))
    assert front.delta(same) == 0.0
