"""Figures of Landgrebe and Duin, and what the example says about them."""

from math import factorial

import numpy as np
import pytest

ODD = 7  # the second row of Table 3, less than half of the truth


@pytest.fixture(scope="module")
def example(run_example):
    return run_example("plot_simplified_vus").variables


def relative(example, values):
    return np.asarray(values) / example["truth"] - 1.0


def test_value_of_guessing(example):
    # section 4.1, list (9): C = 2 to 12, from Qhull; the bound 1/C! is proven in appendix A
    assert list(example["listed"]) == list(range(2, 13))
    for n_classes, printed in example["listed"].items():
        bound = 1 / factorial(n_classes)
        assert example["chance"][n_classes] == pytest.approx(bound, rel=1e-15)
        # nine digits of Qhull, and half a unit of the last decimal of the print
        assert abs(printed - bound) < 1.5e-9 * bound + 0.5e-14


def test_guessing_is_no_lower_bound(example):
    # section 4.1 and appendix A call 1/C! the lower bound
    scores = example["scores_of"]
    assert scores["guessing"] == pytest.approx(1 / 6, rel=1e-12)
    assert 0 < scores["inverted"] < 0.1 < 1 / 6 < 0.5 < scores["true posteriors"]


def test_integration_table(example):
    # section 4.2, the unnumbered table (C, r, VUS estimation), to all of its 7 digits
    table = {
        (3, 50): "0.1667014",
        (3, 100): "0.1666752",
        (4, 50): "0.0417014",
        (4, 100): "0.0416752",
        (5, 50): "0.0083507",
        (5, 100): "0.0083376",
        (6, 20): "0.0014275",
        (6, 40): "0.0013980",
    }
    assert {cell: f"{value:.7f}" for cell, value in example["constant"].items()} == table
    assert {(c, r): f"{printed:.7f}" for c, r, printed in example["integration"]} == table


def test_grid_converges_on_a_plane_but_not_on_a_sample(example):
    # section 4.2: "a higher step size results in higher accuracy"
    steps = example["steps"]
    for errors in example["plane_errors"].values():
        assert errors == pytest.approx(1 / (12 * (steps - 1) ** 2), rel=0.05)
    last = np.array([errors[-1] for errors in example["sample_errors"].values()])
    before = np.array([errors[-2] for errors in example["sample_errors"].values()])
    assert (last > 0.01).all()  # settled, above the exact volume of the sample
    assert np.abs(last - before).max() < 0.001
    assert (np.diff(last) < 0).all()  # more cases help
    overlapping, separable = example["surface_errors"].values()
    assert abs(overlapping[-1]) < 1e-4
    assert -0.01 < separable[-1] < -0.005


# section 4.3: Table 2, then Table 3; means, r and estimate
PRINTED = [
    ((-0.05, 0.0, 0.05), 200, 0.16876),
    ((-0.3, 0.0, 0.3), 100, 0.24140),
    ((-0.5, 0.0, 0.5), 100, 0.31428),
    ((-1.0, 0.0, 1.0), 100, 0.51214),
    ((-1.5, 0.0, 1.5), 100, 0.70597),
    ((-4.0, 0.0, 4.0), 100, 0.98582),
    ((-0.15, -0.05, 0.05, 0.15), 70, 0.05688),
    ((-0.75, -0.25, 0.25, 0.75), 50, 0.07782),
    ((-1.00, -0.33, 0.33, 1.00), 50, 0.19972),
    ((-1.50, -0.50, 0.50, 1.5), 50, 0.33097),
    ((-2.25, -0.75, 0.75, 2.25), 50, 0.57990),
    ((-3.00, -1.00, 1.00, 3.0), 50, 0.75451),
]
TRUTH = [
    *(0.1811128, 0.2627954, 0.3372375, 0.5361516, 0.7138768, 0.9953223),
    *(0.0576160, 0.1620767, 0.2239187, 0.3692717, 0.5930288, 0.7708595),
]


def test_tables_are_those_of_the_paper(example):
    # section 4.3, Tables 2 and 3
    assert example["experiments"] == PRINTED


def test_all_twelve_estimates_are_low(example):
    # section 4.3, Tables 2 and 3, against P(X_1 < ... < X_C)
    assert example["truth"] == pytest.approx(TRUTH, abs=6e-8)
    assert (example["paper"] < example["truth"]).all()
    others = np.delete(relative(example, example["paper"]), ODD)
    assert others.min() > -0.11
    assert -0.53 < relative(example, example["paper"])[ODD] < -0.51


def test_our_means_are_near_the_truth(example):
    # section 4.3: what the estimates of Tables 2 and 3 should scatter around
    error = example["sd"] / np.sqrt(example["sampled"].shape[1])
    assert (np.abs(example["means_of_samples"] - example["truth"]) < 4 * error).all()


def test_simplified_volume_of_true_posteriors_is_the_ordinal_one(example):
    checked = example["sampled"][:, : example["N_CHECKED"]]
    assert example["simplified"] == pytest.approx(checked, abs=1e-12)


def test_grid_on_one_sample(example):
    # section 4.2's procedure with the r of Tables 2 and 3
    excess = example["on_grid"] - example["simplified"][:, 0]
    assert (excess[:6] > 0).all()
    assert (excess[6:] < 0).all()
    assert np.abs(excess / example["truth"]).max() < 0.06


def test_chance_depends_on_shared_random_numbers(example):
    # section 4.3: all twelve are low
    assert example["independent"] < 0.001
    assert all(0.1 < share < 0.45 for share in example["together"])
    off = example["off"]  # in standard deviations of samples of 100 cases a class
    assert set(np.flatnonzero(off < -2)) == {5, ODD}


def test_what_the_trapezoid_rule_explains(example):
    # section 4.3, Table 2, last row: most of the gap for the means ±4
    loss = example["causes"]["trapezoid"]
    assert 0.7 < loss[5] / relative(example, example["paper"])[5] < 1
    assert np.abs(np.delete(loss, 5)).max() < 0.004


def test_what_few_operating_points_explain(example):
    # section 4.2: "a sparse set of points", "linear resampling and interpolation"
    assert max(losses.max() for losses in example["few_points"]) < 0
    gap = np.abs(example["causes"]["10 weight steps"] - relative(example, example["paper"]))
    assert (gap[[1, 2, 3, 8, 9]] < 0.02).all()
    assert (gap[[0, 4, 6, 7, 10, 11]] > 0.02).all()
    # 30 steps, fewer than the paper's r, leave less than most of the paper's gaps
    is_less = example["causes"]["30 weight steps"] > relative(example, example["paper"])
    assert is_less.sum() == 8
    fits = list(example["steps_that_fit"].values())
    assert np.round(fits).tolist() == [10, 10, 10, 22, 11, 9]
    assert list(example["steps_that_fit"]) == [example["names"][i] for i in (1, 2, 3, 4, 8, 9)]
    first, odd = example["few_points"][0], example["few_points"][ODD]  # fewer than four steps
    assert first.min() > relative(example, example["paper"])[0]
    assert odd.min() > relative(example, example["paper"])[ODD]
    for i in (6, 10, 11):  # more than thirty
        assert example["few_points"][i].max() < relative(example, example["paper"])[i]
    separable = example["few_points"][5]
    assert separable.max() < relative(example, example["paper"])[5]
    assert separable[-1] < separable[-2] < separable[-3]  # 100, 50 and 30 steps
    assert example["reached"].min() > 0.65


def test_what_training_explains(example):
    # section 4.3 does not say whether the classifiers were trained
    loss = example["causes"]["trained on 20"]
    assert (loss[[1, 2, 6]] < -0.1).all()  # more than the paper's
    assert np.abs(loss[[4, 5, 10, 11]]).max() < 0.01
    assert (loss > relative(example, example["paper"]))[[4, 5, 10, 11]].all()


def test_the_odd_one(example):
    # section 4.3, Table 3, second row: .07782
    assert example["misprint"] / example["truth"][ODD] == pytest.approx(1.097, abs=0.001)
    assert PRINTED[6][2] < example["misprint"] < PRINTED[8][2]
    assert example["outer_mean"] == pytest.approx(0.302, abs=0.001)
