"""The polytope VUS: exact values, twins, invariances, estimates."""

import warnings
from fractions import Fraction
from itertools import product
from math import factorial, prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from slow_twins import (
    closed_form_fraction,
    corner_hull_volume,
    sampled_share,
    set_volume_fraction,
    trivial,
    two_hull_volume,
)
from strategies import floats, fraction_rates, rate_sets

from skvus import polytope_vus, polytope_vus_bounds, polytope_vus_score
from skvus.datasets import random_confusion_rates
from skvus.metrics import _volumes
from skvus.metrics._polytope import rescale, warn_if_lost

EXACT = 1e-9  # what "exact" promises, relative


@pytest.mark.parametrize("n_classes", range(2, 9))
def test_bounds_are_what_no_and_perfect_classifiers_get(n_classes):
    smallest, largest = polytope_vus_bounds(n_classes)
    assert polytope_vus([], n_classes=n_classes) == pytest.approx(smallest, rel=EXACT)
    assert polytope_vus(np.eye(n_classes)) == pytest.approx(largest, rel=EXACT)
    trivial_rates = np.array(trivial(n_classes), dtype=float)
    assert polytope_vus(trivial_rates) == pytest.approx(smallest, rel=EXACT)
    assert polytope_vus(np.eye(n_classes), normalize="max") == 1.0
    assert polytope_vus(np.eye(n_classes), normalize="range") == 1.0
    assert polytope_vus(trivial_rates, normalize="range") == pytest.approx(0.0, abs=1e-12)


@settings(max_examples=60, deadline=None)
@given(data=st.data(), n_classes=st.integers(2, 4))
def test_closed_form_against_rational_arithmetic(data, n_classes):
    rates = data.draw(fraction_rates(n_classes))
    truth = closed_form_fraction(rates)
    assert polytope_vus(floats(rates)) == pytest.approx(float(truth), rel=EXACT)


def test_closed_form_against_rational_arithmetic_for_five_classes():
    rates = [[Fraction(4 if i == j else 1, 8) for j in range(5)] for i in range(5)]
    assert polytope_vus(floats(rates)) == pytest.approx(
        float(closed_form_fraction(rates)), rel=EXACT
    )


@settings(max_examples=15, deadline=None)
@given(data=st.data(), n_members=st.integers(1, 3))
def test_sets_against_rational_arithmetic(data, n_members):
    rates = [data.draw(fraction_rates(3)) for _ in range(n_members)]
    truth = set_volume_fraction(rates)
    ours = polytope_vus([floats(r) for r in rates], method="exact")
    assert ours == pytest.approx(float(truth), rel=EXACT)


def test_the_two_rational_twins_agree():
    rates = [
        [Fraction(3, 5), Fraction(1, 5), Fraction(1, 5)],
        [Fraction(1, 7), Fraction(4, 7), Fraction(2, 7)],
        [Fraction(0), Fraction(1, 3), Fraction(2, 3)],
    ]
    assert closed_form_fraction(rates) == set_volume_fraction([rates])


@settings(max_examples=40, deadline=None)
@given(rates=rate_sets(3, min_size=1, max_size=6))
def test_three_class_sets_against_the_hull_of_all_corners(rates):
    # the twin's hull is joggled by about 1e-9 in each coordinate
    assert polytope_vus(rates, method="exact") == pytest.approx(
        corner_hull_volume(rates), rel=1e-6
    )


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), n_members=st.integers(1, 4))
def test_three_class_sets_against_two_hulls(seed, n_members):
    # Rates of 1/20 at least: with smaller ones, or the perfect classifier, the twin's dual
    # region is too elongated for Qhull.
    chances = np.full((3, 3), 0.2) + 0.4 * np.eye(3)
    rng = np.random.default_rng(seed)
    rates = np.array([[rng.multinomial(20, row) for row in chances] for _ in range(n_members)])
    rates = rates / 20.0
    rates = rates[rates[:, ~np.eye(3, dtype=bool)].any(axis=1)]
    ours = polytope_vus(rates, n_classes=3, method="exact")
    # the twin rounds its vertices to 1e-8 and joggles two hulls
    assert ours == pytest.approx(two_hull_volume(rates), rel=1e-4)


@settings(max_examples=20, deadline=None)
@given(rates=rate_sets(4, min_size=2, max_size=5), apex=st.integers(1, 10))
def test_four_class_sets_do_not_depend_on_the_apex(rates, apex):
    from skvus._kernels.cells import sum_of_cells

    points, hits = _volumes.cone_generators(rates)
    facets = _volumes.cone_facets(points)
    row_of = np.repeat(np.arange(4), 3)
    ours = sum_of_cells(points, hits, row_of, facets, 0)
    assert sum_of_cells(points, hits, row_of, facets, apex) == pytest.approx(ours, rel=EXACT)


@pytest.mark.parametrize("n_classes", [3, 4])
def test_hull_route_equals_closed_form_for_one_classifier(n_classes):
    for rates in random_confusion_rates(20, n_classes, random_state=0):
        share = _volumes.hull_volume(rates[np.newaxis])
        assert share == pytest.approx(_volumes.closed_form(rates), rel=EXACT)


@pytest.mark.parametrize(("n_classes", "n_members"), [(2, 3), (3, 1), (3, 6), (4, 4)])
def test_exact_against_plain_monte_carlo(n_classes, n_members):
    rng = np.random.default_rng(n_members)
    rates = 0.5 * np.eye(n_classes) + 0.5 * random_confusion_rates(
        n_members, n_classes, kind="dirichlet", random_state=1
    )
    share, error = sampled_share(rates, n_classes, 1500, rng)
    assert abs(polytope_vus(rates, normalize="max") - share) < 4.0 * error


def test_grid_like_points_lose_nothing():
    # Qhull's default loses up to 8% on points like these
    rng = np.random.default_rng(3)
    for _ in range(10):
        counts = rng.multinomial(4, [0.7, 0.15, 0.15], size=(5, 3))
        rates = np.stack([np.roll(counts[:, k], k, axis=1) for k in range(3)], axis=1) / 4
        exact = [[[Fraction(x).limit_denominator(4) for x in r] for r in m] for m in rates]
        truth = float(set_volume_fraction(exact))
        assert polytope_vus(rates) == pytest.approx(truth, rel=EXACT)


@settings(max_examples=40, deadline=None)
@given(data=st.data(), n_classes=st.integers(2, 4))
def test_adding_a_classifier_never_lowers_it(data, n_classes):
    rates = data.draw(rate_sets(n_classes, min_size=2, max_size=5))
    fewer = polytope_vus(rates[:-1], normalize="max")
    assert polytope_vus(rates, normalize="max") >= fewer * (1.0 - EXACT)


@settings(max_examples=40, deadline=None)
@given(data=st.data(), n_classes=st.integers(2, 4))
def test_class_permutations_order_and_repetition_change_nothing(data, n_classes):
    rates = data.draw(rate_sets(n_classes, min_size=1, max_size=5))
    ours = polytope_vus(rates)
    order = data.draw(st.permutations(range(n_classes)))
    assert polytope_vus(rates[:, order][:, :, order]) == pytest.approx(ours, rel=EXACT)
    assert polytope_vus(rates[::-1]) == pytest.approx(ours, rel=EXACT)
    assert polytope_vus(np.concatenate([rates, rates])) == pytest.approx(ours, rel=EXACT)
    with_trivial = np.concatenate([rates, trivial(n_classes)])
    assert polytope_vus(with_trivial) == pytest.approx(ours, rel=EXACT)
    mixture = rates.mean(axis=0, keepdims=True)
    assert polytope_vus(np.concatenate([rates, mixture])) == pytest.approx(ours, rel=EXACT)


def test_classifiers_worse_than_chance_add_nothing_and_transposing_matters():
    poor = np.array([[0.2, 0.4, 0.4], [0.4, 0.2, 0.4], [0.4, 0.4, 0.2]])
    assert polytope_vus(poor) == pytest.approx(1 / 180, rel=EXACT)
    skewed = np.array([[0.9, 0.1, 0.0], [0.5, 0.5, 0.0], [0.2, 0.2, 0.6]])
    columns = (skewed / skewed.sum(axis=0)).T
    assert polytope_vus(skewed) != pytest.approx(polytope_vus(columns), rel=1e-3)


def test_two_classes_are_the_area_under_the_hull():
    from scipy.spatial import ConvexHull

    rng = np.random.default_rng(0)
    for n in (1, 2, 10, 500):
        misses = rng.random((n, 2))
        rates = np.array([[[1 - a, a], [b, 1 - b]] for a, b in misses])
        corners = np.concatenate([misses, [[0, 1], [1, 0], [1, 1]]])
        ours = polytope_vus(rates)
        assert ours == pytest.approx(ConvexHull(corners).volume, rel=EXACT)


def test_normalisations_are_consistent():
    rates = random_confusion_rates(3, 3, random_state=0)
    smallest, largest = polytope_vus_bounds(3)
    raw = polytope_vus(rates)
    assert polytope_vus(rates, normalize="max") == pytest.approx(raw / largest)
    expected = (raw - smallest) / (largest - smallest)
    assert polytope_vus(rates, normalize="range") == pytest.approx(expected)


@pytest.mark.parametrize(("n_classes", "n_members"), [(2, 4), (3, 5), (4, 5)])
def test_estimates_cover_the_truth(n_classes, n_members):
    rates = 0.6 * np.eye(n_classes) + 0.4 * random_confusion_rates(
        n_members, n_classes, kind="dirichlet", random_state=2
    )
    truth = polytope_vus(rates, method="exact", normalize="max")
    inside = 0
    for seed in range(60):
        estimate, error = polytope_vus(
            rates,
            method="monte_carlo",
            normalize="max",
            n_samples=512,
            random_state=seed,
            return_std=True,
        )
        assert 0.0 < error < 0.1
        inside += abs(estimate - truth) < 2.13 * error  # t quantile of 16 replicates
    # 95% nominal: fewer than 51 of 60 has a chance below 0.001
    assert inside >= 51


@pytest.mark.parametrize("n_classes", [5, 6])
def test_sampled_maps_cover_the_closed_form(n_classes):
    for seed, kind in enumerate(["uniform_diagonal", "dirichlet", "normalized_uniform"]):
        rates = random_confusion_rates(1, n_classes, kind=kind, random_state=seed)
        truth = polytope_vus(rates, normalize="max")
        inside = 0
        for repeat in range(30):
            estimate, error = polytope_vus(
                rates,
                method="monte_carlo",
                normalize="max",
                n_samples=4000,
                random_state=repeat,
                return_std=True,
            )
            inside += abs(estimate - truth) < 2.0 * error
        assert inside >= 24  # chance below 0.001 at 95% nominal


def test_more_samples_come_closer():
    rates = 0.5 * np.eye(4) + 0.5 * random_confusion_rates(6, 4, random_state=0)
    errors = [
        polytope_vus(rates, method="monte_carlo", n_samples=n, random_state=0, return_std=True)[
            1
        ]
        for n in (256, 16384)
    ]
    assert errors[1] < errors[0] / 3


def test_large_sets_are_sampled_and_say_so():
    rates = 0.6 * np.eye(5) + 0.4 * random_confusion_rates(
        200, 5, kind="dirichlet", random_state=0
    )
    vus, error = polytope_vus(rates, random_state=0, return_std=True)
    assert error > 0.0
    assert vus > polytope_vus(rates[np.argmax(np.einsum("mii->m", rates))])
    assert polytope_vus(rates, random_state=0) == vus
    assert polytope_vus(rates, random_state=1) != vus
    assert polytope_vus(rates[:1], return_std=True)[1] == 0.0


def test_exact_refuses_what_it_cannot_do():
    rates = random_confusion_rates(60, 6, kind="dirichlet", random_state=0)
    with pytest.raises(ValueError, match=r"method='exact'.*monte_carlo"):
        polytope_vus(rates, method="exact")
    with pytest.raises(ValueError, match="method='exact'"):
        polytope_vus(random_confusion_rates(1, 9, random_state=0), method="exact")
    with pytest.raises(ValueError, match="at most 16 classes"):
        polytope_vus(np.eye(17))


def test_many_classes_do_not_overflow():
    for n_classes in (9, 12, 16):
        rates = 0.95 * np.eye(n_classes) + 0.05 / n_classes
        share, error = polytope_vus(rates, normalize="max", random_state=0, return_std=True)
        assert 0.0 < share < 1.0
        assert 0.0 < error < 0.05 * share


def test_failed_self_check_raises_or_samples(monkeypatch):
    rates = random_confusion_rates(5, 3, random_state=0)
    exact = polytope_vus(rates)
    monkeypatch.setattr(_volumes, "_AGREEMENT", -1.0)
    with pytest.raises(ArithmeticError, match="monte_carlo"):
        polytope_vus(rates, method="exact")
    vus, std = polytope_vus(rates, random_state=0, return_std=True)
    assert std > 0.0
    assert abs(vus - exact) < 4.0 * std


def test_qhull_giving_up_is_not_the_end(monkeypatch):
    from scipy.spatial import QhullError

    rates = random_confusion_rates(5, 3, random_state=0)
    exact = polytope_vus(rates)
    facets, calls = _volumes.cone_facets, []

    def moody(points):
        calls.append(points)
        if len(calls) == 1:
            raise QhullError("QH6154 initial simplex is flat")
        return facets(points)

    monkeypatch.setattr(_volumes, "cone_facets", moody)
    assert polytope_vus(rates, method="exact") == pytest.approx(exact, rel=EXACT)


def degenerate_sets(rng, kind):
    """Three-class sets that nearly lie in a plane, or whose members nearly coincide."""
    size, spacing = int(rng.integers(2, 5)), 10.0 ** -rng.uniform(5, 14)
    if kind == "near mixtures of trivial ones":
        odds = rng.dirichlet(np.ones(3), size)
        mixtures = np.repeat(odds[:, np.newaxis], 3, axis=1)
        return (1.0 - spacing) * mixtures + spacing * np.eye(3)
    base = 0.6 * np.eye(3) + 0.4 * rng.dirichlet(np.ones(3), (1, 3))
    if kind == "near one another":
        rates = np.maximum(0.0, base + spacing * rng.uniform(-1, 1, (size, 3, 3)))
        return rates / rates.sum(axis=2, keepdims=True)
    ends = np.concatenate([base, 0.6 * np.eye(3) + 0.4 * rng.dirichlet(np.ones(3), (1, 3))])
    on_line = np.einsum("kj,jab->kab", rng.dirichlet(np.ones(2), size), ends)
    noisy = np.maximum(0.0, on_line + spacing * rng.uniform(-1, 1, on_line.shape))
    return noisy / noisy.sum(axis=2, keepdims=True)


@pytest.mark.parametrize(
    "kind", ["near mixtures of trivial ones", "near one another", "near a line"]
)
def test_nearly_degenerate_sets_are_exact(kind):
    rng = np.random.default_rng(0)
    for _ in range(12):
        rates = degenerate_sets(rng, kind)
        fractions = [[[Fraction(float(x)) for x in row] for row in m] for m in rates]
        for matrix in fractions:
            for i in range(3):
                matrix[i][i] = 1 - sum(matrix[i][j] for j in range(3) if j != i)
        truth = float(set_volume_fraction(fractions))
        assert polytope_vus(rates, method="exact") == pytest.approx(truth, rel=EXACT)


@pytest.mark.parametrize("n_classes", [6, 8])
def test_sampled_maps_meet_terms_of_very_different_size(n_classes):
    # One class is never recognised: a few maps outweigh all others by far.
    rates = np.vstack([np.eye(n_classes)[1], np.eye(n_classes)[1:]])
    truth = polytope_vus(rates, normalize="max")
    inside = 0
    for seed in range(20):
        estimate, error = polytope_vus(
            rates, method="monte_carlo", normalize="max", random_state=seed, return_std=True
        )
        assert error < 0.01 * truth
        inside += abs(estimate - truth) < 2.0 * error
    assert inside >= 15


def test_nearly_equal_classifiers_stay_exact():
    rng = np.random.default_rng(0)
    base = 0.7 * np.eye(3) + 0.3 * random_confusion_rates(10, 3, random_state=0)
    truth = polytope_vus(base)
    for spacing in (1e-14, 1e-12, 1e-11):
        shifted = np.repeat(base, 4, axis=0) + spacing * rng.random((40, 3, 3))
        shifted /= shifted.sum(axis=2, keepdims=True)
        assert polytope_vus(shifted) == pytest.approx(truth, rel=EXACT)


def test_score_equals_rates_of_labels():
    rng = np.random.default_rng(0)
    y_true = rng.integers(0, 3, 200)
    y_pred = np.where(rng.random(200) < 0.6, y_true, rng.integers(0, 3, 200))
    from sklearn.metrics import confusion_matrix

    rates = confusion_matrix(y_true, y_pred, normalize="true")
    for normalize in (None, "max", "range"):
        expected = polytope_vus(rates, normalize=normalize)
        score = polytope_vus_score(y_true, y_pred, normalize=normalize)
        assert score == pytest.approx(expected, rel=EXACT)


def test_binary_score_is_the_one_point_polygon():
    rng = np.random.default_rng(1)
    for _ in range(20):
        y_true = np.append([0, 1], rng.integers(0, 2, 30))
        y_pred = rng.integers(0, 2, 32)
        miss = np.mean(y_pred[y_true == 1] == 0)
        alarm = np.mean(y_pred[y_true == 0] == 1)
        expected = max(0.5, 1.0 - (miss + alarm) / 2)
        assert polytope_vus_score(y_true, y_pred) == pytest.approx(expected)


def test_estimates_lost_in_their_error_warn():
    poor = random_confusion_rates(30, 7, kind="dirichlet", random_state=0)
    with pytest.warns(UserWarning, match=r"lost in its standard error.*n_samples"):
        polytope_vus(poor, n_samples=64, random_state=0)
    vus, std = polytope_vus(poor, n_samples=64, random_state=0, return_std=True)
    assert vus < 2.0 * std


@pytest.mark.parametrize("rate", [1e-4, 1e-6, 1e-9])
def test_very_good_sets_can_be_sampled(rate):
    rates = (1.0 - rate) * np.eye(4) + rate * random_confusion_rates(5, 4, random_state=0)
    exact = polytope_vus(rates, normalize="max")
    estimate, std = polytope_vus(
        rates, method="monte_carlo", normalize="max", random_state=0, return_std=True
    )
    assert abs(estimate - exact) < 3.0 * std


def test_the_control_variate_does_not_run_wild():
    # known volume of 2e-4 that few samples meet
    rates = 0.3 * np.eye(5) + 0.7 * random_confusion_rates(
        3, 5, kind="dirichlet", random_state=2
    )
    exact = polytope_vus(rates, method="exact", normalize="max")
    for seed in range(12):
        estimate, std = polytope_vus(
            rates, normalize="max", n_samples=2048, random_state=seed, return_std=True
        )
        assert abs(estimate - exact) < 4.0 * std
        assert estimate < 10.0 * exact


@pytest.mark.parametrize("n_classes", [2, 3, 5])
def test_bounds_are_floats_unless_exact_ones_are_asked_for(n_classes):
    assert [type(bound) for bound in polytope_vus_bounds(n_classes)] == [float, float]
    exact = polytope_vus_bounds(n_classes, exact=True)
    assert [type(bound) for bound in exact] == [Fraction, Fraction]


def test_errors_are_of_the_scale_of_the_volume():
    rates = random_confusion_rates(4, 3, random_state=0)
    options = {"method": "monte_carlo", "n_samples": 4096, "random_state": 0}
    options["return_std"] = True
    low, high = polytope_vus_bounds(3)
    vus, error = polytope_vus(rates, normalize=None, **options)
    assert error > 0.0
    expected = {"max": (vus / high, error / high)}
    expected["range"] = ((vus - low) / (high - low), error / (high - low))
    for normalize, pair in expected.items():
        found = polytope_vus(rates, normalize=normalize, **options)
        assert found == pytest.approx(pair, rel=1e-12)


# --- parts of it ------------------------------------------------------------------------


@pytest.mark.parametrize("n_classes", [3, 4])
def test_random_maps_weigh_what_they_stand_for(n_classes):
    rng = np.random.default_rng(0)
    rates = rng.dirichlet(np.ones(n_classes), n_classes)
    chances = rng.random((n_classes, n_classes)) * (1.0 - np.eye(n_classes))
    chances /= chances.sum(axis=0)
    maps, log_terms = _volumes._drawn_terms(rates, chances, 60, rng)
    weighed = []
    for phi in maps:
        assert (phi != np.arange(n_classes)).all()
        adapted = prod(chances[i, j] for j, i in enumerate(phi))
        uniform = (n_classes - 1.0) ** -n_classes
        likely = _volumes._UNIFORM * uniform + (1.0 - _volumes._UNIFORM) * adapted
        slack = 1.0 - sum(rates[i, j] for j, i in enumerate(phi))
        spare = [n_classes - 1 - (phi == i).sum() for i in range(n_classes)]
        completed = 0.0
        for powers in product(*(range(most + 1) for most in spare)):
            ways = factorial(sum(powers)) / prod(map(factorial, powers))
            completed += ways * prod(np.diagonal(rates) ** powers)
        weighed.append(max(0.0, slack) * completed / likely)
    assert 0.0 in weighed
    assert max(weighed) > 0.0
    np.testing.assert_allclose(np.exp(log_terms), weighed, rtol=1e-9)


@pytest.mark.parametrize("n_classes", [3, 4])
def test_sampled_maps_of_few_classes(n_classes):
    rng = np.random.default_rng(1)
    rates = 0.4 * np.eye(n_classes) + 0.6 * rng.dirichlet(np.ones(n_classes), n_classes)
    truth = polytope_vus(rates, normalize="max")
    estimate, error = _volumes.sampled_closed_form(rates, 1000, rng)
    assert 1e-4 * truth < error < 0.1 * truth
    assert abs(estimate - truth) < 4.0 * error


def test_the_largest_closed_form():
    most = _volumes.CLOSED_FORM_CLASSES
    rates = random_confusion_rates(1, most, random_state=0)
    assert _volumes.exact_is_allowed(rates, "exact")
    assert _volumes.exact_is_allowed(rates, "auto")
    rates = random_confusion_rates(1, most + 1, random_state=0)
    assert not _volumes.exact_is_allowed(rates, "auto")


def test_estimates_of_up_to_twice_their_error_are_lost():
    def score(share, std):
        warn_if_lost(share, std, "advice")

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        score(0.25, 0.1)
        score(0.0, 0.0)
        assert not caught
        score(0.15, 0.1)
    assert [warning.filename for warning in caught] == [__file__]


def test_estimates_below_the_minimum_are_no_less_than_zero_of_the_range():
    floor = float(_volumes.minimum_volume(3) / _volumes.maximum_volume(3))
    assert rescale(0.9 * floor, 0.1, 3, "range") == (0.0, pytest.approx(0.1 / (1.0 - floor)))


def test_fewest_samples():
    assert polytope_vus(np.eye(3), n_samples=32, normalize="max") == 1.0
    with pytest.raises(ValueError, match="n_samples must be an integer of at least 32"):
        polytope_vus(np.eye(3), n_samples=31)
