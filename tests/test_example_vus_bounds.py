"""What the examples on bounds and approximations find, against what the paper prints.

C. Ferri, J. Hernández-Orallo, M. A. Salido, "Volume under the ROC surface for multi-class
problems", ECML 2003, sections 3 and 5.
"""

from fractions import Fraction
from math import factorial

import numpy as np
import pytest

PRINTED = [0.087071, 0.0587879, 0.09131, 0.10404, 0.14081, 0.09677]


@pytest.fixture(scope="module")
def bounds(run_example):
    return run_example("plot_vus_bounds").variables


@pytest.fixture(scope="module")
def approximations(run_example):
    return run_example("plot_vus_approximations").variables


# --- bounds -----------------------------------------------------------------------


def test_maxima_of_the_paper(bounds):
    # section 3.1.1: 1, 1/8 and 1/1296
    assert bounds["exact_maxima"][:3] == [1, Fraction(1, 8), Fraction(1, 1296)]


def test_probability_of_a_small_sum_is_not_complex(bounds):
    # section 3.1.1: D_1 = 1, D_2 = 1/2, D_3 = 1/6, "for n > 3, D_n is complex"
    for n, share in bounds["shares_below"].items():
        assert share == Fraction(1, factorial(n))
    draws = np.random.default_rng(0).random((200_000, 4))
    assert np.mean(draws.sum(axis=1) <= 1) == pytest.approx(1 / 24, abs=0.002)


def test_normal_approximation(bounds):
    ratio = dict(zip(bounds["n_classes"], bounds["normal"] / bounds["largest"], strict=True))
    assert ratio[4] == pytest.approx(0.82, abs=0.005)
    assert ratio[6] == pytest.approx(3.1, abs=0.05)
    assert bounds["if_sigma"][2] < 0.001  # with n/12 for the standard deviation


def test_monte_carlo(bounds):
    # section 3.1.3
    truth = np.array([1 / 8, 1 / 180])
    error = np.sqrt(truth * (1 - truth) / bounds["N_POINTS"])
    assert np.all(np.abs(bounds["runs"][:, :, -1] - truth) < 4 * error)
    off = np.abs(np.array([0.12483, 0.00555523]) - truth) / error
    assert off[0] < 1
    assert off[1] < 0.01  # suspiciously near


def test_classifiers_that_tie_under_costs(bounds):
    # section 3: the same cost on one hyperplane
    first, second = bounds["pair_costs"]
    assert first == pytest.approx(second)
    assert bounds["pair_volumes"][1] > 2 * bounds["pair_volumes"][0]


# --- approximations ---------------------------------------------------------------


def test_discrepancies_of_the_paper(approximations):
    # section 5.5: within two standard deviations of a draw for one generator
    columns = approximations["without_ht1a"]
    table = approximations["tables"]["uniform_diagonal"][:, columns, 0]
    off = (PRINTED - table.mean(axis=0)) / table.std(axis=0, ddof=1)
    assert np.abs(off).max() < 2
    other = approximations["tables"]["dirichlet"][:, columns, 0]
    assert np.all((PRINTED - other.mean(axis=0)) / other.std(axis=0, ddof=1) < -3)


def test_modified_average_wins_for_one_generator_only(approximations):
    found = approximations["found"]
    assert found["uniform_diagonal"]["best"] > 0.9
    assert found["uniform_diagonal"]["only"] > 0.9
    assert found["dirichlet"]["best"] < 0.6
    assert found["dirichlet"]["order"] == 0


def test_best_power(approximations):
    # section 5.2: 0.76
    best = approximations["best_power"]
    assert best["uniform_diagonal"] == pytest.approx(0.76, abs=0.05)
    assert best["dirichlet"] > 0.85
    assert best["normalized_uniform"] > 1


def test_one_point_and_ht1a(approximations):
    # sections 5.3 and 5.4
    assert approximations["one_point_gap"] < 1e-12
    gap, unfloored = approximations["ht1a_gap"], approximations["unfloored"]
    assert 10 < unfloored.sum() < 40
    assert np.all((gap < 1e-9) == unfloored)


def test_printed_figures_are_counts_of_pairs():
    counts = np.array(PRINTED) * 4950
    np.testing.assert_allclose(counts, counts.round(), rtol=0, atol=0.03)
