"""What the examples on Dreiseitl's paper find, against what the paper prints.

S. Dreiseitl, "Towards more efficient multiclass AUC computations", 2019.
"""

import numpy as np
import pytest


@pytest.fixture(scope="module")
def angle(run_example):
    return run_example("plot_angle_heuristic").variables


@pytest.fixture(scope="module")
def convergence(run_example):
    return run_example("plot_vus_convergence").variables


# --- the angle heuristic ----------------------------------------------------------


# section 3.1: .998 (Figure 6) and .995 (Figure 7)
@pytest.mark.parametrize(("n_classes", "printed"), [(3, 0.998), (4, 0.995)])
def test_angles_follow_the_exact_score_on_gaussians(angle, n_classes, printed):
    rows = angle["gaussians"][n_classes]
    assert rows.shape == (50, 4)
    right_angle, cosine, sector = angle["correlations"](rows)
    assert right_angle == pytest.approx(printed, abs=0.01)
    assert min(cosine, sector) > 0.97
    # section 2: the other limits are too restrictive
    differences = (rows[:, 1:] - rows[:, :1]).mean(axis=0)
    assert abs(differences[0]) < 0.03
    assert max(differences[1:]) < -0.05


def test_network_is_as_accurate_as_the_paper_s(angle):
    # section 3.2: 61.65%
    assert angle["accuracy"] == pytest.approx(0.6165, abs=0.05)


# section 3.2: .968 (Figure 8) and .797 (Figure 9). Other data and another network: the
# example shows how far the value moves from one network and choice of classes to another.
@pytest.mark.parametrize(
    ("n_classes", "printed", "tolerance"), [(3, 0.968, 0.06), (4, 0.797, 0.12)]
)
def test_angles_follow_the_exact_score_less_closely_on_a_network(
    angle, n_classes, printed, tolerance
):
    rows = angle["network"][n_classes]
    assert rows.shape == (50, 2)
    assert angle["correlations"](rows)[0] == pytest.approx(printed, abs=tolerance)
    repeated = angle["spreads"][n_classes][:, 1]
    assert repeated.shape == (10,)
    assert np.ptp(repeated) > 0.1
    # the paper's value is among them
    assert repeated.min() < printed < repeated.max() + 0.01


def test_four_classes_correlate_less_than_three(angle):
    # section 3.2, Figure 9 against Figure 8
    three, four = (angle["spreads"][n][:, 1] for n in (3, 4))
    assert np.sum(four < three) >= 8
    assert np.median(four) < np.median(three) - 0.05


def test_volumes_on_the_network_are_high_but_do_not_spread_less_for_four_classes(angle):
    # section 3.2: "most in the range of 0.9 to 1", "a more narrow range of VUS values"
    assert 0.6 < np.mean(np.concatenate(angle["repeated"][3])[:, 0] >= 0.9) < 0.95
    three, four = (angle["spreads"][n][:, 0] for n in (3, 4))
    assert np.sum(four < three) < 5


@pytest.mark.parametrize("n_classes", [3, 4])
def test_narrow_range_explains_a_part_only(angle, n_classes):
    # section 3.2, last sentence: "may be due to the more narrow range of VUS values"
    spread, correlation = angle["narrowed"][n_classes][::-1].T  # the narrowest first
    assert correlation[0] < correlation[-1] - 0.01
    assert np.all(spread[:-1] < spread[1:])
    network_spread, network_correlation = angle["spreads"][n_classes].T
    assert np.all(network_correlation < np.interp(network_spread, spread, correlation) - 0.01)


def test_right_angle_lets_a_swapped_pair_pass(angle):
    assert angle["swapped"] == [0, 1, 0, 0]  # exact, right angle, cosine, sector
    assert angle["excess_correlation"] > 0.75


def test_agreement_does_not_extend_to_many_classes(angle):
    # section 3.1: "the agreement might extend to N > 4"
    for n_classes, rows in angle["many"].items():
        right_angle, cosine = angle["correlations"](rows)
        assert right_angle < cosine - 0.005, n_classes
        assert (rows[:, 1] - rows[:, 0]).mean() > 0.05, n_classes
    right_angle, cosine = angle["correlations"](angle["many"][10])
    assert right_angle < 0.975 < cosine


# --- few cases, few tuples --------------------------------------------------------


def test_population_is_the_paper_s(convergence):
    # section 3.1: "intermediate range of around 0.85", Figure 4
    assert convergence["truth"] == pytest.approx(0.85, abs=0.01)


def test_spread_shrinks_with_the_root_of_the_cases(convergence):
    # Figure 4, and section 1: the error decreases "with the square root of the data set
    # cardinalities"
    n_cases, spread = convergence["n_cases"], convergence["spread"]
    assert (n_cases[0], n_cases[-1]) == (1, 100)
    scaled = (spread * np.sqrt(n_cases))[n_cases >= 5]
    np.testing.assert_allclose(scaled, scaled.mean(), rtol=0.15)
    assert convergence["cases_slope"] == pytest.approx(-0.5, abs=0.06)


def test_runs_are_unbiased_and_start_with_one_tuple(convergence):
    runs, spread = convergence["runs"], convergence["spread"]
    assert set(runs[:, 0]) == {0.0, 1.0}
    error = np.hypot(spread / np.sqrt(len(runs)), convergence["truth_error"])
    assert np.all(np.abs(runs.mean(axis=0) - convergence["truth"]) < 4 * error)


def test_drawn_tuples_converge_to_the_volume_of_the_data_set(convergence):
    exact, errors = convergence["exact"], convergence["errors"]
    assert exact.is_exact
    assert exact.n_tuples == 300**3
    assert np.all(np.abs(convergence["estimates"] - exact.score) < 4 * errors)
    # 40 draws tell a root mean square to 11%
    np.testing.assert_allclose(errors.mean(axis=0), convergence["actual"], rtol=0.4)
    assert convergence["tuples_slope"] == pytest.approx(-0.5, abs=0.08)
    # what is left is the difference to the population
    assert errors[:, -1].max() < convergence["case_error"] / 10


def test_permutations_can_neither_be_sampled_nor_need_be(convergence):
    # section 1: "cannot be approximated by sampling"
    believed = convergence["believed"]
    assert np.all(np.diff(believed) < 0)
    assert believed[0] > believed[-1] + 0.3
    assert convergence["n_differences"] == 0
