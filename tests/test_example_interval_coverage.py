"""What the example says about intervals and false alarms."""

import numpy as np
import pytest
from scipy.stats import binomtest

NOMINAL = 0.95
BAND = (0.93, 0.97)
CLASSES = (2, 3, 4)


@pytest.fixture(scope="module")
def example(run_example):
    return run_example("plot_interval_coverage").variables


def binomial_error(share, n):
    return np.sqrt(share * (1.0 - share) / n)


def is_within(shares, limits, n):
    """Whether shares of n may come from probabilities within the limits, by two errors."""
    low, high = limits
    shares = np.asarray(shares)
    return (shares > low - 2 * binomial_error(low, n)) & (
        shares < high + 2 * binomial_error(high, n)
    )


def shares_of(coverage, scale):
    return np.array([by_scale[scale] for by_scale in coverage.values()])


def test_truth_of_ordinal_volumes(example):
    truths = example["truths"]
    # two classes: P(X < Y) of normal variables that are 1.2 apart
    assert truths["ordinal_vus", 2] == pytest.approx(0.8019280454, abs=1e-9)
    assert truths["ordinal_vus", 3] == pytest.approx(0.61202, abs=1e-5)
    assert truths["ordinal_vus", 4] == pytest.approx(0.46128, abs=1e-5)


def test_truth_of_the_ordered_volume(example):
    # far more precise than needed: the standard error of 200 cases a class is 0.025
    assert abs(example["quantile_error"]) < 1e-5
    assert example["truths"]["ordered_vus", 3] == pytest.approx(0.5921, abs=1e-4)


def test_simplified_volume_has_the_limits_of_the_ordinal_one(example):
    assert 0 <= example["largest_gap"] < 1e-12


def test_all_cells_were_simulated(example):
    ordinal = {("ordinal_vus", c, n) for c in CLASSES for n in (50, 100, 200)}
    ordered = {("ordered_vus", 3, n) for n in (50, 100, 200)}
    assert set(example["coverage"]) == ordinal | ordered
    assert set(example["near_one"]) == {
        (c, v) for c in CLASSES for v in (0.9, 0.95, 0.98, 0.99)
    }
    assert example["N_SAMPLES"] >= 400
    assert example["N_PAIRS"] >= 800


@pytest.mark.parametrize("scale", ["logit", "identity"])
def test_moderate_scores_are_covered(example, scale):
    shares = shares_of(example["coverage"], scale)
    assert is_within(shares, BAND, example["N_SAMPLES"]).all()
    # nine cells are independent, three are about the same samples as others
    assert abs(shares.mean() - NOMINAL) < 3 * binomial_error(NOMINAL, 9 * example["N_SAMPLES"])


def test_logit_covers_scores_near_one(example):
    shares = shares_of(example["near_one_coverage"], "logit")
    assert is_within(shares, BAND, example["N_SAMPLES"]).all()
    error = binomial_error(NOMINAL, shares.size * example["N_SAMPLES"])
    assert abs(shares.mean() - NOMINAL) < 0.005 + 2 * error


def test_wald_does_not(example):
    near_one = example["near_one_coverage"]
    wald, logit = shares_of(near_one, "identity"), shares_of(near_one, "logit")
    assert (wald < logit).all()
    by_volume = wald.reshape(len(CLASSES), -1)
    assert not is_within(by_volume[:, 2:], BAND, example["N_SAMPLES"]).any()
    assert (by_volume[:, -1] < 0.88).all()
    assert (by_volume[:, -1] > 0.78).all()
    assert (by_volume[:, 0] - by_volume[:, -1] > 0.05).all()


def test_side_of_the_misses(example):
    n = example["N_SAMPLES"]
    for (_, volume), by_scale in example["near_one"].items():
        above, below = by_scale["identity"]
        assert above > 0.05  # too high: twice as many as there should be
        assert below < 0.025
        if volume >= 0.98:
            assert below <= 0.01 < 0.09 < above
        logit = np.array(by_scale["logit"])
        assert (logit < 0.04 + 2 * binomial_error(0.04, n)).all()
        assert (logit > 0.005).all()
    sums = np.mean([by_scale["logit"] for by_scale in example["near_one"].values()], axis=0)
    assert sums == pytest.approx([0.0275, 0.0275], abs=0.0075)


def test_perfect_scores_are_seen_near_one_only(example):
    perfect = example["perfect"]
    assert all(share == 0 for (_, volume), share in perfect.items() if volume < 0.98)
    error = binomial_error(0.017, example["N_SAMPLES"])
    assert perfect[2, 0.99] == pytest.approx(0.017, abs=4 * error)
    assert max(perfect.values()) == perfect[2, 0.99]


def test_false_alarms(example):
    shares = list(example["false_alarms"].values())
    assert set(example["false_alarms"]) == {(r, c) for r in (0.5, 0.9) for c in CLASSES}
    assert is_within(shares, (0.04, 0.065), example["N_PAIRS"]).all()
    error = binomial_error(0.05, len(shares) * example["N_PAIRS"])
    assert 0.04 - 2 * error < np.mean(shares) < 0.055 + 2 * error


def test_false_alarms_at_other_levels(example):
    n = example["N_PAIRS"]
    for rows in example["comparisons"].values():
        for level in (0.01, 0.1, 0.2):
            share = (rows[:, 2] < level).mean()
            assert abs(share - level) < 0.01 + 3 * binomial_error(level, n)


def test_reported_error_of_a_difference(example):
    actual, reported = example["actual"], example["reported"]
    ratios = {cell: reported[cell] / actual[cell] for cell in actual}
    # a standard deviation of n numbers varies by one part in sqrt(2 n)
    spread = 1 / np.sqrt(2 * example["N_PAIRS"])
    assert all(abs(ratio - 1.02) < 3 * spread for ratio in ratios.values())
    # a shared noise leaves less to differ by
    assert all(actual[0.9, c] < 0.65 * actual[0.5, c] for c in CLASSES)


def test_false_alarms_are_what_the_text_says(example):
    for share in example["false_alarms"].values():
        alarms = binomtest(round(share * example["N_PAIRS"]), example["N_PAIRS"])
        low, high = alarms.proportion_ci(method="wilson")
        assert low < 0.05 < high
        assert 0.04 < share < 0.06


def test_equal_pairs_are_made_as_they_should_be(example):
    rng = np.random.default_rng(0)
    y, one, other = example["equal_pair"](3, 20_000, 0.9, rng)
    noises = np.array([one, other]) - example["APART"] * y
    assert noises.std(axis=1) == pytest.approx([1, 1], abs=0.01)
    assert np.corrcoef(noises)[0, 1] == pytest.approx(0.9, abs=0.005)
