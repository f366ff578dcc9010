"""Whether a score is better than chance."""

from itertools import permutations

import numpy as np
import pytest
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import accuracy_score, zero_one_loss
from strategies import softmax_data

from skvus.metrics import (
    ordered_vus_score,
    pdi_score,
    permutation_test,
    simplified_vus_score,
)


def test_all_shuffles_of_few_cases():
    y, proba = softmax_data([2, 1, 2], seed=3)
    all_scores = [pdi_score(y[list(order)], proba) for order in permutations(range(5))]
    share = np.mean(np.array(all_scores) >= pdi_score(y, proba) - 1e-12)
    result = permutation_test(y, proba, score="pdi", n_permutations=4000, random_state=0)
    assert result.pvalue == pytest.approx(share, abs=0.03)  # four standard errors
    assert {round(s, 9) for s in result.null_distribution} == {round(s, 9) for s in all_scores}


def test_p_value_counts_the_shuffle_that_came_up():
    y = np.repeat(np.arange(3), 30)
    result = permutation_test(y, np.eye(3)[y] * 0.7 + 0.1, n_permutations=99, random_state=0)
    assert result.score == 1.0
    assert result.pvalue == 0.01
    constant = permutation_test(y, np.full((90, 3), 1 / 3), n_permutations=20, random_state=0)
    assert constant.pvalue == 1.0
    assert constant.null_distribution == pytest.approx(np.full(20, 1 / 6))


@pytest.mark.parametrize(
    ("score", "chance"),
    [("ordered_vus", 1 / 6), ("simplified_vus", 1 / 6), ("pdi", 1 / 3), ("hand_till", 1 / 2)],
)
def test_chance_is_what_it_should_be(score, chance):
    y, proba = softmax_data([30, 20, 25])
    result = permutation_test(y, proba, score=score, n_permutations=300, random_state=0)
    null = result.null_distribution
    assert null.mean() == pytest.approx(chance, abs=5 * null.std() / np.sqrt(300))
    assert result.pvalue == pytest.approx(1 / 301)
    assert f"{score} is" in repr(result)
    assert "in 300 shuffles: p = 0.0033." in repr(result)


def test_false_alarms_are_rare():
    pvalues = []
    for seed in range(200):
        y, proba = softmax_data([8, 6, 7], seed=seed, lead=0.0)
        result = permutation_test(y, proba, score="pdi", n_permutations=39, random_state=seed)
        pvalues.append(result.pvalue)
    # at most 10% in the long run; 16% is three standard errors more
    assert np.mean(np.array(pvalues) <= 0.1) < 0.165
    assert np.mean(np.array(pvalues) <= 0.5) > 0.35


@pytest.mark.parametrize("score", ["simplified_vus", "polytope_vus"])
def test_the_same_bits_for_any_number_of_jobs(score):
    y, proba = softmax_data([10] * 3)
    rows = proba.argmax(1) if score == "polytope_vus" else proba
    options = {"score": score, "n_permutations": 70, "random_state": 1}
    one = permutation_test(y, rows, **options)
    two = permutation_test(y, rows, n_jobs=2, **options)
    assert (one.null_distribution == two.null_distribution).all()
    assert one == two
    other = permutation_test(y, rows, **{**options, "random_state": 2})
    assert (one.null_distribution != other.null_distribution).any()


def test_functions_and_parameters():
    y, proba = softmax_data([20] * 3)
    result = permutation_test(
        y, proba.argmax(1), score=accuracy_score, n_permutations=50, random_state=0
    )
    assert result.score == accuracy_score(y, proba.argmax(1))
    assert abs(result.null_distribution.mean() - 1 / 3) < 0.05
    strict = permutation_test(
        y,
        proba.round(1),
        score="ordered_vus",
        score_params={"distance": "sum", "ties": "strict"},
        n_permutations=20,
        random_state=0,
    )
    assert strict.score == ordered_vus_score(y, proba.round(1), distance="sum", ties="strict")


def test_weights_go_with_their_labels():
    y, proba = softmax_data([20, 30, 10])
    weight = 1.0 / np.bincount(y)[y]
    # equal within classes, so that they change nothing if they stay with their label
    options = {"score": "one_vs_rest_auc", "n_permutations": 30, "random_state": 0}
    result = permutation_test(y, proba, sample_weight=weight, **options)
    hand_till = permutation_test(y, proba, **{**options, "score": "hand_till"})
    # with classes of equal weight the two scores are the same
    assert result.null_distribution == pytest.approx(hand_till.null_distribution)


def test_groups_of_one_class_are_shuffled_as_wholes():
    # 12 patients of three kinds with 10 equal rows each: rows alone would look like proof
    y, proba = softmax_data([4, 4, 4], seed=1, lead=0.5)
    y_rows, rows = np.repeat(y, 10), np.repeat(proba, 10, axis=0)
    patients = np.repeat(np.arange(12), 10)
    options = {"score": "simplified_vus", "n_permutations": 400, "random_state": 0}
    by_patient = permutation_test(y, proba, **options)
    grouped = permutation_test(y_rows, rows, groups=patients, **options)
    blind = permutation_test(y_rows, rows, **options)
    assert grouped.pvalue == pytest.approx(by_patient.pvalue, abs=0.1)
    assert blind.pvalue < 0.5 * grouped.pvalue
    assert grouped.score == pytest.approx(simplified_vus_score(y, proba))


def test_labels_are_shuffled_within_groups_of_several_classes():
    # the group tells the score, not the label within it
    rng = np.random.default_rng(0)
    groups = np.repeat([0, 1], 60)
    y = np.concatenate(
        [rng.permutation([0] * 50 + [1] * 10), rng.permutation([0] * 10 + [1] * 50)]
    )
    score = groups + 0.1 * rng.normal(size=120)
    options = {"score": "ordinal_vus", "n_permutations": 200, "random_state": 0}
    assert permutation_test(y, score, **options).pvalue < 0.01
    assert permutation_test(y, score, groups=groups, **options).pvalue > 0.05


def test_weights_within_a_group_must_be_equal():
    y, proba = softmax_data([4, 4, 4])
    groups = np.arange(12) // 2
    with pytest.raises(ValueError, match="sample_weight must be equal within each group"):
        permutation_test(y, proba, groups=groups, sample_weight=np.arange(1.0, 13.0))


def test_undefined():
    y, proba = softmax_data([4, 4, 4])
    with pytest.warns(UndefinedMetricWarning, match="The score is undefined"):
        result = permutation_test(y[y < 2], proba[y < 2], labels=[0, 1, 2], n_permutations=5)
    assert np.isnan(result.pvalue)
    assert "undefined" in repr(result)


def test_losses_are_better_the_smaller_they_are():
    y, proba = softmax_data([20] * 3)
    pred = proba.argmax(1)
    options = {"n_permutations": 50, "random_state": 0}
    gain = permutation_test(y, pred, score=accuracy_score, **options)
    loss = permutation_test(y, pred, score=zero_one_loss, alternative="less", **options)
    assert loss.pvalue == gain.pvalue
    assert permutation_test(y, pred, score=zero_one_loss, **options).pvalue == 1.0
    with pytest.raises(ValueError, match="alternative must be one of 'greater', 'less'"):
        permutation_test(y, pred, alternative="two-sided")


def test_what_is_not_a_number_counts_against_the_score():
    y, proba = softmax_data([10] * 3)
    options = {"n_permutations": 50, "random_state": 0}
    with pytest.warns(UndefinedMetricWarning, match="score is not a number here"):
        result = permutation_test(y, proba, score=lambda a, b: np.nan, **options)
    assert np.isnan(result.pvalue)

    def fragile(y_true, y_score):
        return 1.0 if (y_true == y).all() else np.nan

    with pytest.warns(UndefinedMetricWarning, match="in 50 of 50 shuffles"):
        assert permutation_test(y, proba, score=fragile, **options).pvalue == 1.0
    infinite = permutation_test(y, proba, score=lambda a, b: np.inf, **options)
    assert infinite.pvalue == 1.0
    best = permutation_test(
        y, proba, score=lambda a, b: np.inf if (a == y).all() else 0.0, **options
    )
    assert best.pvalue == 1 / 51
    zero = permutation_test(y, proba, score=lambda a, b: 0.0, **options)
    assert zero.pvalue == 1.0
