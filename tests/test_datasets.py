"""Random classifiers."""

import numpy as np
import pytest

from skvus.datasets import random_confusion_rates
from skvus.metrics import polytope_vus

KINDS = ("uniform_diagonal", "dirichlet", "normalized_uniform")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n_classes", [2, 3, 7])
@pytest.mark.parametrize("n", [0, 1, 40])
def test_shape_and_rows(kind, n_classes, n):
    rates = random_confusion_rates(n, n_classes, kind=kind, random_state=0)
    assert rates.shape == (n, n_classes, n_classes)
    assert rates.dtype == np.float64
    assert (rates >= 0.0).all()
    np.testing.assert_allclose(rates.sum(axis=2), 1.0, rtol=0, atol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_drawn_is_valid_input(kind):
    rates = random_confusion_rates(5, 3, kind=kind, random_state=0)
    assert 1 / 180 <= polytope_vus(rates) <= 1 / 8


@pytest.mark.parametrize("kind", KINDS)
def test_an_empty_draw_is_valid_input(kind):
    rates = random_confusion_rates(0, 3, kind=kind, random_state=0)
    assert polytope_vus(rates) == pytest.approx(1 / 180)


@pytest.mark.parametrize("kind", KINDS)
def test_reproducible(kind):
    first = random_confusion_rates(6, 4, kind=kind, random_state=3)
    np.testing.assert_array_equal(
        first, random_confusion_rates(6, 4, kind=kind, random_state=3)
    )
    other = random_confusion_rates(6, 4, kind=kind, random_state=4)
    assert np.abs(first - other).max() > 0.01


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("make", [np.random.default_rng, np.random.RandomState])
def test_generators_are_taken_and_advanced(kind, make):
    generator = make(3)
    first = random_confusion_rates(6, 4, kind=kind, random_state=generator)
    second = random_confusion_rates(6, 4, kind=kind, random_state=generator)
    again = random_confusion_rates(6, 4, kind=kind, random_state=make(3))
    np.testing.assert_array_equal(first, again)
    assert np.abs(first - second).max() > 0.01


def test_default_kind_is_the_uniform_diagonal():
    np.testing.assert_array_equal(
        random_confusion_rates(5, 3, random_state=0),
        random_confusion_rates(5, 3, kind="uniform_diagonal", random_state=0),
    )


def test_kinds_differ():
    draws = [random_confusion_rates(200, 3, kind=kind, random_state=0) for kind in KINDS]
    spreads = [draw[:, 0, 0].std() for draw in draws]
    # 1/sqrt(12) = 0.289 for a uniform entry, 1/sqrt(18) = 0.236 for a flat Dirichlet,
    # less for normalised uniforms, which seldom come near a corner
    assert spreads[0] > 0.26 > spreads[1] > 0.21 > spreads[2]


# 8000 draws: a mean is within 0.015 with more than four standard errors to spare
@pytest.mark.parametrize("n_classes", [2, 3, 5])
@pytest.mark.parametrize("kind", KINDS)
def test_means(kind, n_classes):
    rates = random_confusion_rates(8000 // n_classes, n_classes, kind=kind, random_state=1)
    hit = 0.5 if kind == "uniform_diagonal" else 1 / n_classes
    expected = np.full((n_classes, n_classes), (1 - hit) / (n_classes - 1))
    np.fill_diagonal(expected, hit)
    means = rates.mean(axis=0)
    assert np.diagonal(means).mean() == pytest.approx(hit, abs=0.015)
    np.testing.assert_allclose(means, expected, rtol=0, atol=0.04)


@pytest.mark.parametrize("n_classes", [2, 3, 5])
def test_uniform_diagonal_is_uniform_and_the_rest_split_uniformly(n_classes):
    rates = random_confusion_rates(4000, n_classes, random_state=2)
    quantiles = np.quantile(rates[:, 0, 0], [0.1, 0.25, 0.5, 0.75, 0.9])
    np.testing.assert_allclose(quantiles, [0.1, 0.25, 0.5, 0.75, 0.9], rtol=0, atol=0.03)
    if n_classes > 2:
        first_share = rates[:, 0, 1] / rates[:, 0, 1:].sum(axis=1)
        # a flat Dirichlet of m entries has marginals Beta(1, m - 1)
        median = 1 - 0.5 ** (1 / (n_classes - 2))
        assert np.median(first_share) == pytest.approx(median, abs=0.03)


def test_dirichlet_has_the_second_moment_of_a_flat_simplex():
    rates = random_confusion_rates(4000, 3, kind="dirichlet", random_state=2)
    assert rates.var() == pytest.approx(1 / 18, abs=0.003)


@pytest.mark.parametrize("n", [-1, 2.0, "3", None, True])
def test_bad_n(n):
    with pytest.raises(ValueError, match="n must be an integer of at least 0"):
        random_confusion_rates(n, 3)


def test_more_than_fits_into_memory():
    with pytest.raises(ValueError, match=r"^n must be at most 238,609,294; got"):
        random_confusion_rates(2**63, 3)
    with pytest.raises(ValueError, match=r"^n_classes must be at most 10,000; got"):
        random_confusion_rates(1, 10**30)


@pytest.mark.parametrize("n_classes", [1, 0, -3, 3.0, "3", None])
def test_bad_n_classes(n_classes):
    with pytest.raises(ValueError, match="n_classes must be an integer of at least 2"):
        random_confusion_rates(3, n_classes)


@pytest.mark.parametrize("kind", ["uniform", None, 0])
def test_bad_kind(kind):
    with pytest.raises(ValueError, match="kind must be one of 'uniform_diagonal'"):
        random_confusion_rates(3, 3, kind=kind)


@pytest.mark.parametrize("random_state", ["seed", -1, 1.5])
def test_bad_random_state(random_state):
    with pytest.raises(ValueError, match="random_state must be"):
        random_confusion_rates(3, 3, random_state=random_state)
