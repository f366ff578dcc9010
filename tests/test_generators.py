"""Generators of data: what is drawn, and what is said to be true of it."""

import itertools
import math

import numpy as np
import pytest
from scipy import stats
from scipy.integrate import cumulative_trapezoid
from scipy.special import softmax
from sklearn.datasets import make_blobs
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import (
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
)
from sklearn.mixture import GaussianMixture
from sklearn.neighbors import NearestCentroid
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skvus.datasets import (
    make_banana,
    make_ordered_gaussians,
    make_ripley_mixture,
    make_softmax_gaussians,
)

GENERATORS = (make_banana, make_ordered_gaussians, make_softmax_gaussians)
# unit variances; SCIENCE.md has these from two other methods
VOLUMES = {
    (-0.05, 0.0, 0.05): 0.1811128,
    (-0.3, 0.0, 0.3): 0.2627954,
    (-0.5, 0.0, 0.5): 0.3372375,
    (-1.0, 0.0, 1.0): 0.5361516,
    (-1.5, 0.0, 1.5): 0.7138768,
    (-4.0, 0.0, 4.0): 0.9953223,
    (-0.15, -0.05, 0.05, 0.15): 0.0576160,
    (-0.75, -0.25, 0.25, 0.75): 0.1620767,
    (-1.0, -0.33, 0.33, 1.0): 0.2239187,
    (-1.5, -0.5, 0.5, 1.5): 0.3692717,
    (-2.25, -0.75, 0.75, 2.25): 0.5930288,
    (-3.0, -1.0, 1.0, 3.0): 0.7708595,
}


def volume_of(means, scale=1.0):
    return make_ordered_gaussians(len(means), means, scale=scale, return_volume=True)[2]


def share_of_ordered(prices):
    """Share of tuples whose own names are cheapest; `prices[i]` is of shape (n, N)."""
    n_classes = len(prices)
    own = sum(prices[i][:, i] for i in range(n_classes))
    ordered = np.ones(own.shape, dtype=bool)
    for names in itertools.permutations(range(n_classes)):
        ordered &= own <= sum(prices[i][:, j] for i, j in enumerate(names)) + 1e-12
    return ordered


# --- what all generators share ---


@pytest.mark.parametrize("make", GENERATORS)
@pytest.mark.parametrize("n", [3, 11, 100, np.int64(12)])
def test_cases_are_split_evenly(make, n):
    X, y = make(n, random_state=0)
    assert X.shape[0] == n
    assert X.ndim == 2
    assert X.dtype == np.float64
    assert y.shape == (n,)
    assert y.dtype == np.int64
    blobs = make_blobs(int(n), centers=3, random_state=0)[1]
    np.testing.assert_array_equal(np.bincount(y), np.bincount(blobs))


@pytest.mark.parametrize("make", GENERATORS)
@pytest.mark.parametrize("sizes", [[5, 1, 9], (5, 1, 9), np.array([5, 1, 9])])
def test_cases_of_each_class(make, sizes):
    X, y = make(sizes, random_state=0)
    assert X.shape[0] == 15
    assert np.bincount(y).tolist() == [5, 1, 9]


@pytest.mark.parametrize("make", GENERATORS)
def test_defaults(make):
    X, y = make(random_state=0)
    n, columns = {
        make_banana: (5073, 2),
        make_ordered_gaussians: (300, 1),
        make_softmax_gaussians: (150, 3),
    }[make]
    assert X.shape == (n, columns)
    assert np.bincount(y).tolist() == [n // 3] * 3


@pytest.mark.parametrize("make", GENERATORS)
def test_order_says_nothing(make):
    y = make(3000, random_state=0)[1]
    # the rank correlation of a random order has a standard deviation of 0.018
    assert abs(np.corrcoef(np.arange(3000), y)[0, 1]) < 0.08
    assert np.diff(y).any()
    assert (make(3000, random_state=1)[1] != y).any()


@pytest.mark.parametrize("make", GENERATORS)
def test_reproducible(make):
    X, y = make(40, random_state=3)
    again, y_again = make(40, random_state=3)
    np.testing.assert_array_equal(X, again)
    np.testing.assert_array_equal(y, y_again)
    assert np.abs(X - make(40, random_state=4)[0]).max() > 0.01


@pytest.mark.parametrize("make", GENERATORS)
@pytest.mark.parametrize("rng", [np.random.default_rng, np.random.RandomState])
def test_generators_are_taken_and_advanced(make, rng):
    state = rng(3)
    first, second = make(40, random_state=state)[0], make(40, random_state=state)[0]
    np.testing.assert_array_equal(first, make(40, random_state=rng(3))[0])
    assert np.abs(first - second).max() > 0.01


@pytest.mark.parametrize("make", GENERATORS)
@pytest.mark.parametrize("n", [2, 0, -1, 30.0, None, True])
def test_bad_n_samples(make, n):
    with pytest.raises(ValueError, match=r"n_samples must be an integer of at least 3; got"):
        make(n)


@pytest.mark.parametrize("make", GENERATORS)
def test_more_samples_than_fit_into_memory(make):
    with pytest.raises(ValueError, match=r"n_samples must be at most 1,000,000,000; got"):
        make(2**63)
    with pytest.raises(ValueError, match=r"n_samples\[1\] must be at most"):
        make([5, 10**30, 5])


@pytest.mark.parametrize("make", GENERATORS)
@pytest.mark.parametrize("sizes", [[], [5, 5], (5, 5, 5, 5), "30"])
def test_wrong_number_of_sizes(make, sizes):
    with pytest.raises(ValueError, match=r"n_samples must be an integer or have 3 entries"):
        make(sizes)


@pytest.mark.parametrize("make", GENERATORS)
@pytest.mark.parametrize("size", [0, -1, 5.0, "5", None, [5]])
def test_bad_size_of_a_class(make, size):
    with pytest.raises(ValueError, match=r"n_samples\[1\] must be an integer of at least 1"):
        make([5, size, 5])


@pytest.mark.parametrize("make", GENERATORS)
def test_bad_random_state(make):
    with pytest.raises(ValueError, match="random_state must be"):
        make(random_state="seed")


# --- softmax of Gaussians ---


@pytest.mark.parametrize("n_classes", [2, 3, 5])
def test_softmax_rows_are_probabilities(n_classes):
    p, y = make_softmax_gaussians(40, n_classes, random_state=0)
    assert p.shape == (40, n_classes)
    assert np.unique(y).tolist() == list(range(n_classes))
    assert (p >= 0.0).all()
    np.testing.assert_allclose(p.sum(axis=1), 1.0, rtol=0, atol=1e-14)


@pytest.mark.parametrize(("scale", "separation"), [(1.0, 1.65), (0.5, 3.0), (2.0, 0.0)])
def test_softmax_logits_are_spherical_gaussians(scale, separation):
    p, y = make_softmax_gaussians(60_000, 3, scale=scale, separation=separation, random_state=0)
    for k in range(3):
        # the softmax forgets the sum; what remains is projected on the plane of sum zero
        logits = np.log(p[y == k])
        logits -= logits.mean(axis=1, keepdims=True)
        plane = np.eye(3) - 1 / 3
        # five standard errors of 20,000 cases
        np.testing.assert_allclose(
            logits.mean(axis=0), separation * plane[k], rtol=0, atol=0.035 * scale
        )
        np.testing.assert_allclose(
            np.cov(logits.T), scale**2 * plane, rtol=0, atol=0.05 * scale**2
        )


def test_softmax_without_noise():
    p, y = make_softmax_gaussians(30, 4, scale=0, separation=2.0, random_state=0)
    np.testing.assert_allclose(p, softmax(2.0 * np.eye(4), axis=1)[y], rtol=1e-14)


# the figures of the docstring; 40,000 triples have a standard error below 0.0025
@pytest.mark.parametrize(
    ("options", "truth"),
    [({}, 0.85), ({"scale": 0.5}, 0.998), ({"scale": 1.5}, 0.645), ({"scale": 3}, 0.379)],
)
def test_softmax_has_the_documented_volume(options, truth):
    p, y = make_softmax_gaussians([40_000] * 3, **options, random_state=0)
    distances = [np.linalg.norm(p[y == k][:, np.newaxis] - np.eye(3), axis=2) for k in range(3)]
    assert share_of_ordered(distances).mean() == pytest.approx(truth, abs=0.01)


def test_softmax_far_out_is_finite():
    p, y = make_softmax_gaussians(30, separation=1e6, random_state=0)
    np.testing.assert_array_equal(p, np.eye(3)[y])


@pytest.mark.parametrize(
    ("make", "name"),
    [
        (make_softmax_gaussians, "scale"),
        (make_softmax_gaussians, "separation"),
        (make_ordered_gaussians, "scale"),
        (make_banana, "noise"),
        (make_ripley_mixture, "variance"),
    ],
)
def test_numbers_that_would_overflow(make, name):
    assert np.isfinite(make(30, **{name: 1e305}, random_state=0)[0]).all()
    assert np.isfinite(make(30, **{name: np.float16(0.5)}, random_state=0)[0]).all()
    with pytest.raises(ValueError, match=rf"{name} must be .*at most 1e\+305; got 1e\+308"):
        make(30, **{name: 1e308})


def test_means_that_would_overflow():
    with pytest.raises(ValueError, match=r"means must be within ±1.7e\+308; got"):
        make_ordered_gaussians(30, [1.79e308, 0.0])


@pytest.mark.parametrize("n_classes", [1, 0, 3.0, "3", None])
def test_softmax_bad_n_classes(n_classes):
    with pytest.raises(ValueError, match="n_classes must be an integer of at least 2; got"):
        make_softmax_gaussians(10, n_classes)


@pytest.mark.parametrize("name", ["scale", "separation"])
@pytest.mark.parametrize("value", [-0.1, np.nan, np.inf, "1", None, [1.0]])
def test_softmax_bad_numbers(name, value):
    with pytest.raises(ValueError, match=f"{name} must be a finite number of at least 0; got"):
        make_softmax_gaussians(10, **{name: value})


# --- ordered Gaussians ---


@pytest.mark.parametrize("scale", [2.0, (0.5, 1.0, 3.0)])
def test_ordered_classes_are_normal(scale):
    means = (3.0, -1.0, 0.5)
    X, y = make_ordered_gaussians(6000, means, scale=scale, random_state=0)
    assert X.shape == (6000, 1)
    for k, (mean, sigma) in enumerate(zip(means, np.broadcast_to(scale, 3), strict=True)):
        z = (X[y == k, 0] - mean) / sigma
        assert stats.kstest(z, "norm").pvalue > 1e-4


@pytest.mark.parametrize("n_samples", [60, (5, 50, 5)])
@pytest.mark.parametrize("scale", [1.5, (0.5, 1.0, 3.0)])
def test_posteriors_are_those_of_the_densities(n_samples, scale):
    means = (1.0, -1.0, 2.0)
    X, _, posteriors = make_ordered_gaussians(
        n_samples, means, scale=scale, return_posteriors=True, random_state=0
    )
    densities = stats.norm.pdf(X, loc=means, scale=scale)
    expected = densities / densities.sum(axis=1, keepdims=True)
    assert posteriors.dtype == np.float64
    np.testing.assert_allclose(posteriors, expected, rtol=1e-11)


def test_posteriors_far_apart():
    _, y, posteriors, volume = make_ordered_gaussians(
        30,
        (-1e308, 1e308, 1.5e308),
        return_posteriors=True,
        return_volume=True,
        random_state=0,
    )
    np.testing.assert_array_equal(posteriors, np.eye(3)[y])
    assert volume == 1.0


def test_flags_add_to_the_same_data():
    plain = make_ordered_gaussians(30, random_state=0)
    with_p = make_ordered_gaussians(30, return_posteriors=True, random_state=0)
    with_v = make_ordered_gaussians(30, return_volume=True, random_state=0)
    full = make_ordered_gaussians(
        30, return_posteriors=True, return_volume=True, random_state=0
    )
    assert [len(data) for data in (plain, with_p, with_v, full)] == [2, 3, 3, 4]
    for data in (with_p, with_v, full):
        np.testing.assert_array_equal(data[0], plain[0])
        np.testing.assert_array_equal(data[1], plain[1])
    np.testing.assert_array_equal(full[2], with_p[2])
    assert type(full[3]) is float
    assert full[3] == with_v[2]


@pytest.mark.parametrize(("means", "truth"), VOLUMES.items())
def test_volume_of_the_papers_tables(means, truth):
    assert volume_of(means) == pytest.approx(truth, abs=5.1e-8)


@pytest.mark.parametrize("n_classes", [2, 3, 5, 8, 12, 20])
@pytest.mark.parametrize("mean", [0.0, -7.3, 1e6])
def test_volume_of_equal_classes(n_classes, mean):
    volume = volume_of([mean] * n_classes, 2.5)
    assert volume == pytest.approx(1 / math.factorial(n_classes), rel=1e-12)


@pytest.mark.parametrize("difference", [-30.0, -3.0, 0.1, 2.0, 7.0])
@pytest.mark.parametrize("scale", [1.0, (0.01, 3.0), (5.0, 4.0)])
def test_volume_of_two_classes(difference, scale):
    sigma = np.linalg.norm(np.broadcast_to(scale, 2))
    expected = stats.norm.cdf(difference / sigma)
    assert volume_of((1.0, 1.0 + difference), scale) == pytest.approx(expected, abs=1e-14)


@pytest.mark.parametrize("seed", range(5))
def test_volume_against_orthant_probabilities(seed):
    rng = np.random.default_rng(seed)
    means, scales = rng.normal(size=3) * 2, np.exp(rng.normal(size=3))
    differences = np.array([[1.0, -1.0, 0.0], [0.0, 1.0, -1.0]])
    expected = stats.multivariate_normal.cdf(
        [0.0, 0.0], mean=differences @ means, cov=differences * scales**2 @ differences.T
    )
    assert volume_of(means, scales) == pytest.approx(expected, abs=1e-10)


@pytest.mark.parametrize(("n_classes", "is_spread"), [(2, True), (4, False), (6, True)])
def test_some_order_is_certain(n_classes, is_spread):
    rng = np.random.default_rng(n_classes)
    means = rng.normal(size=n_classes)
    scales = np.exp(rng.normal(size=n_classes) * 2 * is_spread)
    volumes = [
        volume_of(means[list(order)], scales[list(order)])
        for order in itertools.permutations(range(n_classes))
    ]
    assert len(set(volumes)) == math.factorial(n_classes)
    assert math.fsum(volumes) == pytest.approx(1.0, abs=1e-12)


def test_volume_of_twelve_classes_on_a_plain_grid():
    rng = np.random.default_rng(0)
    means, scales = np.linspace(-3, 3, 12) + rng.normal(size=12) * 0.2, rng.uniform(0.5, 2, 12)
    t = np.linspace(-20, 20, 400_001)
    below = np.ones_like(t)
    for mean, scale in zip(means, scales, strict=True):
        below = cumulative_trapezoid(stats.norm.pdf(t, mean, scale) * below, t, initial=0)
    volume = volume_of(means, scales)
    assert volume > 1e-6
    # the trapezoids' error is of the order of the squared step, 1e-8
    assert volume == pytest.approx(below[-1], rel=1e-6)


# groups further apart than any case can go are independent of each other
@pytest.mark.parametrize("distance", [20.0, 1e3, 1e8])
def test_volume_of_twelve_classes_in_four_groups(distance):
    means = np.add.outer(distance * np.arange(4), [-1.0, 0.0, 1.0]).ravel()
    assert volume_of(means) == pytest.approx(volume_of([-1.0, 0.0, 1.0]) ** 4, abs=1e-10)


def test_volume_of_narrow_classes_beside_a_wide_one():
    narrow = 1e-5
    volume = volume_of([0.0, 1.0, 1.0 + narrow], [1.0, narrow, narrow])
    # the wide density is linear across the narrow classes up to terms of narrow²
    slope = stats.norm.pdf(1.0) * narrow * stats.norm.pdf(math.sqrt(0.5)) * math.sqrt(0.5)
    expected = stats.norm.cdf(1.0) * stats.norm.cdf(math.sqrt(0.5)) - slope
    assert volume == pytest.approx(expected, abs=1e-9)


def test_volume_is_a_probability():
    rng = np.random.default_rng(0)
    for _ in range(300):
        n_classes = rng.integers(2, 9)
        means, scales = 10 * rng.normal(size=n_classes), np.exp(rng.normal(size=n_classes))
        assert 0.0 <= volume_of(means, scales) <= 1.0
        assert 0.0 <= volume_of(np.sort(means) * 10) <= 1.0


def test_volume_against_monte_carlo():
    means, scales = (0.5, 0.0, 1.0, 3.0, 2.5), (1.0, 0.3, 2.0, 1.0, 0.7)
    X, y, volume = make_ordered_gaussians(
        [200_000] * 5, means, scale=scales, return_volume=True, random_state=0
    )
    cases = np.column_stack([X[y == k, 0] for k in range(5)])
    share = (np.diff(cases, axis=1) > 0).all(axis=1).mean()
    assert share == pytest.approx(volume, abs=4 * math.sqrt(volume / 200_000))


def test_volume_grows_with_the_separation():
    for pattern in ([-1.0, 0.0, 1.0], [-2.0, -1.0, 0.5, 2.0, 2.1]):
        volumes = [volume_of(np.array(pattern) * d) for d in np.linspace(0, 5, 21)]
        assert (np.diff(volumes) > 1e-4).all()


def test_volume_depends_on_the_order_of_the_means():
    # the differences of neighbours are normal with mean 1 and variance 2, and share a case
    reversed_order = stats.multivariate_normal.cdf(
        [0.0, 0.0], mean=[1.0, 1.0], cov=[[2.0, -1.0], [-1.0, 2.0]]
    )
    assert volume_of((1.0, 0.0, -1.0)) == pytest.approx(reversed_order, abs=1e-10)
    assert reversed_order < 0.02
    assert volume_of((0.0, 1.0, -1.0)) < 1 / 6 < volume_of((-1.0, 0.0, 1.0))
    # mirrored, the order of the classes turns round
    scales = (1.0, 2.0, 0.5)
    mirrored = volume_of((-1.0, -3.0, 0.0), scales[::-1])
    assert volume_of((0.0, 3.0, 1.0), scales) == pytest.approx(mirrored, rel=1e-12)


def test_volume_does_not_depend_on_units():
    means, scales = np.array([0.0, 1.0, 0.5, 3.0]), np.array([1.0, 0.5, 2.0, 1.0])
    volume = volume_of(means, scales)
    for unit in (1e-300, 1e-5, 1e5, 1e300):
        assert volume_of(unit * means, unit * scales) == pytest.approx(volume, rel=1e-12)
    assert volume_of(means + 64.0, scales) == pytest.approx(volume, rel=1e-12)


@pytest.mark.parametrize(
    ("means", "scale"), [((-1.0, 0.0, 1.0), 1.0), ((0.0, 0.1, 3.0), 1.3), ((0, 1, 1.5, 4), 2.0)]
)
def test_best_assignment_of_true_posteriors_sorts_the_scores(means, scale):
    n_classes = len(means)
    X, y, p = make_ordered_gaussians(
        [5000] * n_classes, means, scale=scale, return_posteriors=True, random_state=0
    )
    cases = np.column_stack([X[y == k, 0] for k in range(n_classes)])
    is_sorted = (np.diff(cases, axis=1) > 0).all(axis=1)
    is_ordered = share_of_ordered([-np.log(p[y == k]) for k in range(n_classes)])
    assert 0.1 < is_sorted.mean() < 0.9
    np.testing.assert_array_equal(is_ordered, is_sorted)


def test_best_assignment_does_not_mind_the_order_of_the_labels():
    X, y, p = make_ordered_gaussians(
        [5000] * 3, (0.0, 2.0, 1.0), return_posteriors=True, random_state=0
    )
    cases = np.column_stack([X[y == k, 0] for k in (0, 2, 1)])
    is_ordered = share_of_ordered([-np.log(p[y == k]) for k in range(3)])
    np.testing.assert_array_equal(is_ordered, (np.diff(cases, axis=1) > 0).all(axis=1))


@pytest.mark.parametrize("means", [[1.0], [], 1.0, [[0.0, 1.0]]])
def test_bad_shape_of_means(means):
    with pytest.raises(ValueError, match=r"means must have shape \(n_classes,\).*got shape"):
        make_ordered_gaussians(30, means)


@pytest.mark.parametrize("means", [[0.0, np.nan], [0.0, np.inf], ["a", "b"], None, "abc"])
def test_means_that_are_no_numbers(means):
    with pytest.raises(ValueError, match=r"means must (be|hold)"):
        make_ordered_gaussians(30, means)


@pytest.mark.parametrize("scale", [0.0, -1.0, [1.0, 0.0, 1.0], [1.0, 1.0], [[1.0] * 3], []])
def test_bad_scale(scale):
    with pytest.raises(ValueError, match="scale must be a positive number or 3 of them"):
        make_ordered_gaussians(30, scale=scale)


@pytest.mark.parametrize("scale", [np.nan, np.inf, "wide", None, [1.0, 1.0, np.nan]])
def test_scale_that_is_no_number(scale):
    with pytest.raises(ValueError, match="scale must be"):
        make_ordered_gaussians(30, scale=scale)


@pytest.mark.parametrize("scale", [[1.0, 2e6, 1.0], [1e-320, 1.0, 1.0]])
def test_scales_too_different(scale):
    with pytest.raises(ValueError, match=r"scale must not differ by more than a factor of 1e"):
        make_ordered_gaussians(30, scale=scale)


@pytest.mark.parametrize("name", ["return_posteriors", "return_volume"])
def test_bad_flags(name):
    with pytest.raises(ValueError, match=f"{name} must be one of False, True; got 'yes'"):
        make_ordered_gaussians(30, **{name: "yes"})


# --- banana ---


@pytest.mark.parametrize("noise", [0.5, 1.0, 2.0])
def test_banana_moments_of_the_banana(noise):
    X, y = make_banana([20_000, 1, 1], noise=noise, random_state=0)
    banana = X[y == 0]
    # means of sine and cosine on [pi/8, 11 pi/8]
    mean = 4 / np.pi * (np.cos(np.pi / 8) - np.cos(11 * np.pi / 8))
    np.testing.assert_allclose(banana.mean(axis=0), [mean, -mean], rtol=0, atol=0.12)
    assert (banana**2).sum(axis=1).mean() == pytest.approx(25 + 2 * noise**2, abs=0.6)


def test_banana_without_noise_is_its_skeleton():
    X, y = make_banana([4000, 10, 4000], noise=0, random_state=0)
    arc = X[y == 0]
    np.testing.assert_allclose(np.linalg.norm(arc, axis=1), 5.0, rtol=1e-12)
    turns = np.mod(np.arctan2(arc[:, 0], arc[:, 1]), 2 * np.pi) / np.pi
    assert stats.kstest(turns, "uniform", args=(0.125, 1.25)).pvalue > 1e-4
    np.testing.assert_array_equal(X[y == 1], np.tile([5.5, 8.5], (10, 1)))
    modes, counts = np.unique(X[y == 2], axis=0, return_counts=True)
    np.testing.assert_array_equal(modes, [[-6.0, -1.0], [-2.0, 2.5]])
    assert counts.min() > 1850  # 4.7 standard deviations


@pytest.mark.parametrize("noise", [0.5, 1.0])
def test_banana_moments_of_the_other_classes(noise):
    X, y = make_banana([1, 20_000, 20_000], noise=noise, random_state=0)
    half = np.array([2.0, 1.75])  # half the way from mode to mode
    expected = {
        1: ([5.5, 8.5], (2.5 * noise) ** 2 * np.eye(2)),
        2: ([-4.0, 0.75], (1.5 * noise) ** 2 * np.eye(2) + np.outer(half, half)),
    }
    for k, (mean, covariance) in expected.items():
        np.testing.assert_allclose(X[y == k].mean(axis=0), mean, rtol=0, atol=0.1)
        np.testing.assert_allclose(np.cov(X[y == k].T), covariance, rtol=0, atol=0.35)
    gaussian = (X[y == 1, 0] - 5.5) / (2.5 * noise)
    assert stats.kstest(gaussian, "norm").pvalue > 1e-4
    axes = np.column_stack([half, [-half[1], half[0]]]) / np.linalg.norm(half)
    along, across = ((X[y == 2] - [-4.0, 0.75]) @ axes).T
    assert stats.kurtosis(along) < -0.8  # two modes; a normal variable has 0
    assert stats.kstest(across / (1.5 * noise), "norm").pvalue > 1e-4


# The docstring's figures; 10,000 new cases have a standard error below 0.005, and the
# training set adds about as much for the nearest mean.
@pytest.mark.parametrize(
    ("classifier", "error"),
    [
        (make_pipeline(PCA(1), NearestCentroid()), 0.330),
        (QuadraticDiscriminantAnalysis(), 0.0745),
        (LinearDiscriminantAnalysis(), 0.090),
    ],
    ids=["nearest mean", "quadratic", "linear"],
)
def test_banana_has_the_documented_errors(classifier, error):
    X, y = make_banana(20_000, random_state=0)
    new, truth = make_banana(10_000, random_state=1)
    model = make_pipeline(StandardScaler(), classifier).fit(X, y)
    tolerance = 0.015 if error > 0.2 else 0.01
    assert 1 - model.score(new, truth) == pytest.approx(error, abs=tolerance)


def test_banana_suits_mixtures_best():
    X, y = make_banana(10_000, random_state=0)
    new, truth = make_banana(10_000, random_state=1)
    mixtures = [
        GaussianMixture(k, random_state=0).fit(X[y == c]) for c, k in enumerate((2, 1, 2))
    ]
    scores = np.column_stack([mixture.score_samples(new) for mixture in mixtures])
    assert (scores.argmax(axis=1) != truth).mean() == pytest.approx(0.054, abs=0.008)


@pytest.mark.parametrize("noise", [-0.1, np.nan, np.inf, "1", None])
def test_banana_bad_noise(noise):
    with pytest.raises(ValueError, match="noise must be a finite number of at least 0; got"):
        make_banana(30, noise=noise)
