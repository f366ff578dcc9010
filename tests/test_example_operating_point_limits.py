"""What the example says about limits, what they cost, and whether they hold."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.stats import binomtest

import skvus

HEALTHY, INFLAMED, MALIGNANT = range(3)
DANGER = ("malignant", "healthy")
N_COSTS = (100, 500, 2_500)
# how often limits are broken in 600 other repeats
OTHERS = {(100, 0.95): 0.02, (500, 0.95): 0.05, (2_500, 0.95): 0.073, (2_500, 0.90): 0.147}


@pytest.fixture(scope="module")
def run(run_example):
    return run_example("plot_operating_point_limits")


@pytest.fixture(scope="module")
def example(run):
    return run.variables


def recalled(rates):
    return 1 - rates[..., HEALTHY, HEALTHY]


def inflamed_missed(rates):
    return 1 - rates[..., INFLAMED, INFLAMED]


def gap(example, n_costs, confidence):
    """By how much the true rate exceeds the one where the member was chosen."""
    at_choice, true, _ = example["results"][n_costs, confidence].T
    return true - at_choice


def test_strict_limits_are_met_by_high_costs_of_the_rare_class(example):
    front = example["front"]
    sent_home = front.rates[:, MALIGNANT, HEALTHY]
    ratio = front.costs[:, MALIGNANT].sum(axis=1) / front.costs[:, HEALTHY].sum(axis=1)
    strict, loose = (np.median(ratio[which]) for which in (sent_home < 0.03, sent_home > 0.2))
    assert strict > 3 * loose


def test_flat_costs_do_worse_under_strict_limits(example):
    # an array is for the costs themselves
    flat = skvus.ROCFront.from_predictions(
        *(example["y"], example["proba"]),
        n_costs=20_000,
        cost_alpha=np.ones((3, 3)),
        random_state=0,
    )
    limits = {DANGER: 0.05, **example["others"]["three limits"]}
    rule = skvus.WithinLimits(limits, then=example["FEWEST_RECALLS"])
    least = [recalled(front.rates[front.select(rule)]) for front in (example["front"], flat)]
    assert least == pytest.approx([0.25, 0.41], rel=0.15)


def test_limits_are_kept_where_chosen(example):
    for name, swept in example["swept"].items():
        assert (swept[:, MALIGNANT, HEALTHY] <= example["limits"] + 1e-9).all()
        if name == "three limits":
            assert swept[:, MALIGNANT, INFLAMED].max() <= 0.2
            assert inflamed_missed(swept).max() <= 0.4


def test_every_limit_that_makes_a_difference(example):
    limits, n_malignant = example["limits"], example["n_malignant"]
    assert np.diff(limits) == pytest.approx(-1 / n_malignant)
    assert limits[-1] == 1 / n_malignant
    for between in (0.097, 0.031):
        rates = example["within"](between, {})
        at = np.flatnonzero(limits <= between)[0]
        assert (rates == example["swept"]["one limit"][at]).all()


def test_price_of_a_limit(example):
    within = example["within"]
    assert recalled(within(0.10, {})) == pytest.approx(0.11, rel=0.15)
    assert recalled(within(0.01, {})) > 0.4
    for swept in example["swept"].values():
        assert (np.diff(recalled(swept)) >= 0).all()


def test_what_is_not_named_is_not_protected(example):
    one, three = example["swept"]["one limit"], example["swept"]["three limits"]
    for rates in (one[:, MALIGNANT, INFLAMED], inflamed_missed(one)):
        steps = np.diff(rates)
        assert (steps > 0.05).sum() > 3  # up
        assert (steps < -0.05).sum() > 3  # and down
    assert np.mean(inflamed_missed(one) > 0.5) > 0.5
    assert (inflamed_missed(one) > 0.75).any()
    extra = recalled(three) - recalled(one)
    assert (extra >= 0).all()
    assert extra.mean() == pytest.approx(0.02, abs=0.006)
    assert extra.max() == pytest.approx(0.04, abs=0.01)


def test_unreachable(example, run):
    message, front = example["message"], example["front"]
    assert message in run.output
    assert message.startswith("No member is within all limits. Nearest is member")
    assert "limit 0.02" in message
    assert "limit 0.1" in message
    sent_home = front.rates[:, MALIGNANT, HEALTHY]
    assert not ((sent_home <= 0.02) & (recalled(front.rates) <= 0.1)).any()
    for least in (sent_home.min(), recalled(front.rates).min()):
        assert f"least of any member {least:.6g}, " in message
    least_home = sent_home[recalled(front.rates) <= 0.1].min()
    least_recalled = recalled(front.rates)[sent_home <= 0.02].min()
    assert [least_home, least_recalled] == pytest.approx([0.11, 0.34], rel=0.15)
    for least in (least_home, least_recalled):
        assert f"of those within the other limits {least:.6g})" in message


def test_members_meet_the_limit_where_chosen(example):
    for (_, confidence), found in example["results"].items():
        assert found.shape == (150, 3)
        assert found[:, 0].max() <= 0.10
        if confidence is not None:
            # about 120 cases: 5 or 6 of them at 0.95
            assert found[:, 0].max() < 0.08


def test_without_confidence(example):
    broken = [example["broken"][n_costs, None] for n_costs in N_COSTS]
    assert broken == sorted(broken)
    interval = binomtest(round(150 * broken[-1]), 150).proportion_ci()
    assert interval.low > 0.5
    at_choice, true, recalls = example["results"][2_500, None].mean(axis=0)
    assert at_choice == pytest.approx(0.095, rel=0.05)
    assert true == pytest.approx(0.114, rel=0.1)
    assert true > 0.10 > at_choice
    assert recalls == pytest.approx(0.11, rel=0.15)
    assert example["results"][2_500, None][:, 1].max() == pytest.approx(0.18, rel=0.15)


def test_with_confidence(example):
    at_choice, _, recalls = example["results"][2_500, 0.95].mean(axis=0)
    assert at_choice == pytest.approx(0.05, rel=0.15)
    assert recalls == pytest.approx(0.175, rel=0.15)
    broken = [example["broken"][n_costs, 0.95] for n_costs in N_COSTS]
    assert broken == pytest.approx([0.01, 0.03, 0.07], abs=0.03)
    assert broken == sorted(broken)
    assert example["broken"][2_500, 0.90] == pytest.approx(0.13, abs=0.03)
    assert example["broken"][2_500, 0.99] < broken[2]
    # safer, and dearer for the healthy
    by_confidence = [example["results"][2_500, c][:, 2].mean() for c in (None, 0.9, 0.95, 0.99)]
    assert by_confidence == sorted(by_confidence)


def test_150_repeats_leave_much_to_chance(example):
    for key in ((2_500, 0.95), (2_500, 0.90)):
        interval = binomtest(round(150 * example["broken"][key]), 150).proportion_ci()
        assert interval.high > 2 * interval.low
        assert interval.low < OTHERS[key] < interval.high


def test_more_members_more_luck(example):
    gaps = [gap(example, n_costs, 0.95) for n_costs in N_COSTS]
    assert [each.mean() for each in gaps] == pytest.approx([0.010, 0.015, 0.019], rel=0.2)
    for fewer, more in pairwise(gaps):
        difference = more - fewer  # on the same people
        assert difference.mean() > 2 * difference.std() / np.sqrt(150)


@pytest.mark.long
def test_600_repeats_can_tell(example):
    repeats = np.array([list(example["repeat"](seed)) for seed in range(150, 750)])
    broken = (repeats[:, :, 1] > example["LIMIT"]).mean(axis=0)
    broken = dict(zip(example["keys"], broken, strict=True))
    for (n_costs, confidence), expected in OTHERS.items():
        share = broken[n_costs, confidence]
        assert share == pytest.approx(expected, abs=0.015)
        # more than promised, and more than chance explains
        p_value = binomtest(round(600 * share), 600, 1 - confidence, "greater").pvalue
        assert (p_value < 0.05) == (n_costs == 2_500)


def test_output(run):
    assert run.n_figures == 2
    assert "limit 10%, 150 repeats" in run.output
