"""What the example says about five classifiers and two poor ones."""

from itertools import combinations

import numpy as np
import pytest
from scipy.stats import norm

NAMES = ["forest", "neighbours", "logistic", "discriminant", "Bayes"]
PAIRS = list(combinations(NAMES, 2))
CLOSE = [("logistic", "discriminant"), ("logistic", "Bayes"), ("discriminant", "Bayes")]


@pytest.fixture(scope="module")
def example(run_example):
    return run_example("plot_compare_classifiers").variables


def adjusted(table):
    return {(row.first, row.second): row.adjusted_pvalue for row in table}


def test_predictions_are_out_of_fold(example):
    # a forest knows its training cases by heart
    assert example["X"].shape == (536, 16)
    for rows in example["y_scores"].values():
        assert rows.shape == (536, 3)
        assert rows.sum(axis=1) == pytest.approx(np.ones(536))
    assert example["results"]["ordered_vus"]["forest"].score < 0.995


@pytest.mark.parametrize("score", ["ordered_vus", "hand_till"])
def test_order_is_the_same_by_both_scores(example, score):
    results = example["results"][score]
    assert list(results) == NAMES
    values = [result.score for result in results.values()]
    assert values == sorted(values, reverse=True)
    for result in results.values():
        low, high = result.confidence_interval()
        assert low < result.score < high
        assert result.is_exact
        assert high - result.score < result.score - low  # longer towards the middle


def test_scores(example):
    results = example["results"]["ordered_vus"]
    expected = [0.978, 0.944, 0.869, 0.856, 0.824]
    # a forest depends on the version of scikit-learn
    assert [result.score for result in results.values()] == pytest.approx(expected, abs=0.006)


def test_table_and_intervals_agree(example):
    for score, table in example["tables"].items():
        results = example["results"][score].values()
        assert table.names == NAMES
        assert table.scores == pytest.approx([result.score for result in results], abs=1e-12)
        errors = [result.standard_error for result in results]
        assert table.standard_errors == pytest.approx(errors, abs=1e-12)
        assert [(row.first, row.second) for row in table] == PAIRS


@pytest.mark.parametrize("score", ["ordered_vus", "hand_till"])
def test_holm(example, score):
    table = example["tables"][score]
    order = sorted(table, key=lambda row: row.pvalue)
    running = 0.0
    for k, row in enumerate(order):
        running = max(running, min(1.0, (len(order) - k) * row.pvalue))
        assert row.adjusted_pvalue == pytest.approx(running, rel=1e-12)
        assert row.pvalue == pytest.approx(2 * norm.sf(abs(row.statistic)), rel=1e-9)


def test_pairing_makes_errors_smaller(example):
    for row in example["table"]:
        assert row.standard_error < example["unpaired_errors"][row.first, row.second]
        assert row.pvalue < example["unpaired_pvalues"][row.first, row.second]
    ratio = example["table"][CLOSE[0]].standard_error / example["unpaired_errors"][CLOSE[0]]
    assert 0.18 < ratio < 0.28  # "a quarter"


def test_overlap_is_no_proof_of_equality(example):
    assert [pair for pair in PAIRS if example["overlaps"][pair]] == CLOSE
    holm = adjusted(example["table"])
    assert example["unpaired_pvalues"]["logistic", "Bayes"] > 0.1
    assert 0.005 < example["table"]["logistic", "Bayes"].pvalue < 0.02
    assert holm["logistic", "Bayes"] < 0.05
    for pair in PAIRS:
        if pair not in CLOSE:
            assert holm[pair] < 0.01


def test_correction_undoes_one(example):
    pair = ("logistic", "discriminant")
    assert 0.03 < example["table"][pair].pvalue < 0.05 < adjusted(example["table"])[pair]
    pair = ("discriminant", "Bayes")
    assert 0.05 < example["table"][pair].pvalue < 0.1
    assert example["table"][pair].difference > 2 * example["table"][CLOSE[0]].difference


def test_hand_till_has_no_winner_among_the_close(example):
    holm = adjusted(example["tables"]["hand_till"])
    assert [pair for pair in PAIRS if holm[pair] > 0.05] == CLOSE


def test_other_folds(example):
    refolded = dict(zip(example["close_pairs"], example["refolded"].T, strict=True))
    assert list(refolded) == CLOSE
    assert refolded["logistic", "Bayes"].max() < 0.05
    across = refolded["logistic", "discriminant"]
    assert across.min() < 0.02
    assert across.max() > 0.08
    first = [example["table"][pair].pvalue for pair in CLOSE]
    assert example["refolded"][0] == pytest.approx(first, rel=1e-9)


def test_poor_classifiers(example):
    little, nothing = example["permutations"].values()
    assert little.pvalue == pytest.approx(0.009, abs=0.004)
    assert little.score == pytest.approx(0.239, abs=0.003)
    assert nothing.pvalue == pytest.approx(0.35, abs=0.05)
    assert nothing.score > 1 / 6
    for result in (little, nothing):
        chance = result.null_distribution
        assert chance.size == 999
        as_good = (chance >= result.score - 1e-12).sum()
        assert result.pvalue == pytest.approx((1 + as_good) / 1000)
        assert chance.mean() == pytest.approx(1 / 6, abs=4 * chance.std() / np.sqrt(999))
        # all of them are in the picture
        assert example["bins"][0] < chance.min() < chance.max() < example["bins"][-1]


def test_output(run_example):
    run = run_example("plot_compare_classifiers")
    assert run.n_figures == 3
    assert "ordered_vus of 5 classifiers" in run.output
    assert "in 999 shuffles" in run.output
