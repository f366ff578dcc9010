"""Everson and Fieldsend's mixture: what is drawn, and what the best classifier can do."""

import numpy as np
import pytest
from scipy import stats
from scipy.special import logsumexp

from skvus.datasets import make_ripley_mixture

# equation 10
CENTRES = [[(0.7, 0.3), (0.3, 0.3)], [(-0.7, 0.7), (0.4, 0.7)], [(1.0, 1.0), (0.0, 1.0)]]


def log_densities(X, variance):
    """Logarithms of the three densities, an array of shape (n, 3)."""
    columns = []
    for centres in CENTRES:
        squares = [((X - centre) ** 2).sum(axis=-1) for centre in centres]
        columns.append(logsumexp(-0.5 * np.array(squares) / variance, axis=0))
    return np.stack(columns, axis=-1) - np.log(4 * np.pi * variance)


@pytest.mark.parametrize(("variance", "error"), [(0.03, 0.092), (0.3, 0.41)])
def test_bayes_errors(variance, error):
    steps = np.arange(-6.0, 6.0, 0.01)
    grid = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    density = np.exp(log_densities(grid, variance))
    np.testing.assert_allclose(density.sum(axis=0) * 1e-4, 1.0, rtol=1e-9)
    exact = 1 - density.max(axis=1).sum() * 1e-4 / 3
    assert round(exact, 3 if variance == 0.03 else 2) == error
    X, y = make_ripley_mixture(60_000, variance=variance, random_state=0)
    drawn = (log_densities(X, variance).argmax(axis=1) != y).mean()
    assert drawn == pytest.approx(exact, abs=0.009)  # 4.5 standard errors at most


@pytest.mark.parametrize("n", [3, 4, 11, 100, 300, np.int64(12)])
def test_classes_and_gaussians_are_even(n):
    X, y = make_ripley_mixture(n, variance=0, random_state=0)
    assert X.shape == (n, 2)
    assert X.dtype == np.float64
    assert y.dtype == np.int64
    sizes = np.bincount(y)
    assert sizes.sum() == n
    assert sizes.max() - sizes.min() <= 1
    for k, (first, second) in enumerate(CENTRES):
        halves = [(X[y == k] == centre).all(axis=1).sum() for centre in (first, second)]
        assert sum(halves) == sizes[k]
        assert halves[0] - halves[1] in (0, 1)


def test_defaults():
    X, y = make_ripley_mixture(random_state=0)
    assert X.shape == (300, 2)
    assert np.bincount(y).tolist() == [100, 100, 100]
    same = make_ripley_mixture(300, variance=0.03, random_state=0)
    np.testing.assert_array_equal(X, same[0])


@pytest.mark.parametrize("sizes", [[5, 1, 9], (5, 1, 9), np.array([5, 1, 9])])
def test_cases_of_each_class(sizes):
    y = make_ripley_mixture(sizes, random_state=0)[1]
    assert np.bincount(y).tolist() == [5, 1, 9]


@pytest.mark.parametrize("variance", [0.03, 0.3])
def test_moments(variance):
    X, y = make_ripley_mixture([20_000] * 3, variance=variance, random_state=0)
    for k, centres in enumerate(np.array(CENTRES)):
        half = (centres[0] - centres[1]) / 2
        np.testing.assert_allclose(X[y == k].mean(axis=0), centres.mean(axis=0), atol=0.02)
        expected = variance * np.eye(2) + np.outer(half, half)
        np.testing.assert_allclose(np.cov(X[y == k].T), expected, atol=0.02)
    # the Gaussians of class 0 are side by side, so that its second feature is normal
    z = (X[y == 0, 1] - 0.3) / np.sqrt(variance)
    assert stats.kstest(z, "norm").pvalue > 1e-4


def test_order_says_nothing():
    X, y = make_ripley_mixture(3000, random_state=0)
    assert abs(np.corrcoef(np.arange(3000), y)[0, 1]) < 0.08
    assert abs(np.corrcoef(np.arange(3000), X[:, 0])[0, 1]) < 0.08
    assert (make_ripley_mixture(3000, random_state=1)[1] != y).any()


def test_reproducible():
    X, y = make_ripley_mixture(40, random_state=3)
    again, y_again = make_ripley_mixture(40, random_state=3)
    np.testing.assert_array_equal(X, again)
    np.testing.assert_array_equal(y, y_again)
    assert np.abs(X - make_ripley_mixture(40, random_state=4)[0]).max() > 0.01


@pytest.mark.parametrize("rng", [np.random.default_rng, np.random.RandomState])
def test_generators_are_taken_and_advanced(rng):
    state = rng(3)
    first, second = (make_ripley_mixture(40, random_state=state)[0] for _ in range(2))
    np.testing.assert_array_equal(first, make_ripley_mixture(40, random_state=rng(3))[0])
    assert np.abs(first - second).max() > 0.01


@pytest.mark.parametrize("n", [2, 0, -1, 30.0, None, True])
def test_bad_n_samples(n):
    with pytest.raises(ValueError, match="n_samples must be an integer of at least 3; got"):
        make_ripley_mixture(n)


@pytest.mark.parametrize("sizes", [[], [5, 5], (5, 5, 5, 5), "30"])
def test_wrong_number_of_sizes(sizes):
    with pytest.raises(ValueError, match="n_samples must be an integer or have 3 entries"):
        make_ripley_mixture(sizes)


@pytest.mark.parametrize("variance", [-0.1, np.nan, np.inf, "1", None])
def test_bad_variance(variance):
    with pytest.raises(ValueError, match="variance must be a finite number of at least 0; got"):
        make_ripley_mixture(variance=variance)


def test_bad_random_state():
    with pytest.raises(ValueError, match="random_state must be"):
        make_ripley_mixture(random_state="seed")
