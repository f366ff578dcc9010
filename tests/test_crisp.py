"""One-point approximations of the volume, against their formulas written out."""

import crisp_twins
import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from sklearn.metrics import balanced_accuracy_score

from skvus.metrics import (
    hand_till_crisp_score,
    macro_average_score,
    modified_macro_average_score,
    one_point_auc_score,
    polytope_vus_score,
)

PROPERTY = settings(
    deadline=None,
    max_examples=80,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
VARIANTS = ("1a", "1b", "2", "3")


def labels_of(counts):
    """True and predicted labels with the given confusion counts."""
    y_true, y_pred = [], []
    for k, row in enumerate(counts):
        for j, count in enumerate(row):
            y_true += [k] * count
            y_pred += [j] * count
    return y_true, y_pred


def every_score(y_true, y_pred, **options):
    """All scores of this file, by name."""
    scores = {
        "macro": macro_average_score(y_true, y_pred, **options),
        "modified": modified_macro_average_score(y_true, y_pred, **options),
        "one_point": one_point_auc_score(y_true, y_pred, **options),
    }
    for variant in VARIANTS:
        scores[variant] = hand_till_crisp_score(y_true, y_pred, variant=variant, **options)
    return scores


def every_twin(rates):
    return {
        "macro": crisp_twins.macro_average(rates),
        "modified": crisp_twins.modified_macro_average(rates, 0.76),
        "one_point": crisp_twins.one_point(rates),
        **{variant: twin(rates) for variant, twin in crisp_twins.HAND_TILL.items()},
    }


@st.composite
def weighted_cases(draw, min_classes=2, max_classes=6):
    """Number of classes, labels, predictions and weights; every class has a case."""
    n_classes = draw(st.integers(min_classes, max_classes))
    label = st.integers(0, n_classes - 1)
    quarters = st.integers(0, 8).map(lambda n: n / 4)
    cases = draw(st.lists(st.tuples(label, label, quarters), max_size=40))
    cases += [(k, draw(label), draw(quarters) + 0.25) for k in range(n_classes)]
    cases = draw(st.permutations(cases))
    y_true, y_pred, weights = zip(*cases, strict=True)
    return n_classes, list(y_true), list(y_pred), list(weights)


@PROPERTY
@given(weighted_cases())
def test_scores_equal_twins(cases):
    n_classes, y_true, y_pred, weights = cases
    rates = crisp_twins.rate_matrix(y_true, y_pred, weights, range(n_classes))
    scores = every_score(y_true, y_pred, sample_weight=weights)
    assert scores == pytest.approx(every_twin(rates), rel=1e-12, abs=1e-12)


@PROPERTY
@given(weighted_cases(), st.one_of(st.just(0.0), st.floats(0.05, 6.0)))
def test_modified_macro_average_equals_twin_for_any_power(cases, power):
    n_classes, y_true, y_pred, weights = cases
    rates = crisp_twins.rate_matrix(y_true, y_pred, weights, range(n_classes))
    score = modified_macro_average_score(y_true, y_pred, power=power, sample_weight=weights)
    # pow(mean, 20) loses a digit
    assert score == pytest.approx(
        crisp_twins.modified_macro_average(rates, power), rel=1e-11, abs=1e-12
    )


@PROPERTY
@given(weighted_cases(max_classes=2))
def test_two_classes_give_the_area_of_the_polygon(cases):
    _, y_true, y_pred, weights = cases
    rates = crisp_twins.rate_matrix(y_true, y_pred, weights, range(2))
    area = crisp_twins.polygon_area(rates)
    scores = every_score(y_true, y_pred, sample_weight=weights)
    for name in ("one_point", "1a", "1b", "2", "3"):
        assert scores[name] == pytest.approx(area, rel=1e-12), name
    volume = polytope_vus_score(y_true, y_pred, sample_weight=weights)
    assert volume == pytest.approx(area, rel=1e-12)


def test_figures_worked_out_by_hand():
    y_true, y_pred = labels_of([[8, 1, 1], [2, 6, 2], [0, 5, 5]])
    scores = every_score(y_true, y_pred)
    expected = {
        "macro": 19 / 30,
        "modified": ((0.8**0.76 + 0.6**0.76 + 0.5**0.76) / 3) ** (1 / 0.76),
        "one_point": 19 / 30,
        "1a": 19 / 30,
        "1b": (0.85 + 0.95 + 0.65) / 3,
        "2": (1 - (1 / 9 + 1 / 4) / 2 + 1 - 1 / 18 + 1 - (1 / 4 + 1 / 2) / 2) / 3,
        "3": (0.85 + 0.65 + 0.675) / 3,
    }
    assert scores == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("n_classes", [2, 3, 6])
def test_perfect(n_classes):
    y = [*range(n_classes)] * 2
    assert every_score(y, y) == pytest.approx(dict.fromkeys(every_score(y, y), 1.0), abs=1e-15)


@pytest.mark.parametrize("n_classes", [2, 3, 6])
def test_all_wrong(n_classes):
    y_true = [*range(n_classes)]
    y_pred = [(label + 1) % n_classes for label in y_true]
    scores = every_score(y_true, y_pred)
    assert scores["macro"] == 0.0
    assert scores["modified"] == 0.0
    assert modified_macro_average_score(y_true, y_pred, power=0) == 0.0
    assert scores["one_point"] == pytest.approx(1 / n_classes)
    assert scores["1a"] == 0.5
    assert scores["3"] == 0.5
    # a cycle of errors confuses each class with its two neighbours only
    expected = crisp_twins.rate_matrix(y_true, y_pred, [1] * n_classes, range(n_classes))
    assert scores["1b"] == pytest.approx(crisp_twins.hand_till_1b(expected))
    assert scores["2"] == 0.5


@pytest.mark.parametrize("n_classes", [2, 3, 6])
def test_trivial_classifier(n_classes):
    scores = every_score([*range(n_classes)], [0] * n_classes)
    assert scores["macro"] == pytest.approx(1 / n_classes)
    assert scores["one_point"] == pytest.approx(1 / n_classes)
    assert scores["1a"] == 0.5
    assert scores["2"] == 0.5
    assert scores["3"] == 0.5


def test_class_never_predicted():
    y_true, y_pred = labels_of([[3, 1, 0], [1, 3, 0], [2, 2, 0]])
    scores = every_score(y_true, y_pred)
    assert scores["macro"] == 0.5
    assert modified_macro_average_score(y_true, y_pred, power=0) == 0.0
    assert 0.0 < scores["modified"] < scores["macro"]
    assert scores["1a"] == pytest.approx((0.75 + 0.5 + 0.5) / 3)
    assert scores["1b"] == pytest.approx((0.75 + 0.75 + 0.75) / 3)
    assert scores["2"] == pytest.approx((0.75 + 0.5 + 0.5) / 3)
    assert scores["3"] == pytest.approx((0.6875 + 0.6875 + 0.5) / 3)


def test_pair_without_cases_counts_one_half():
    # all of class 0 is called 2, so nothing of it is left in the pair of 0 and 1
    y_true, y_pred = labels_of([[0, 0, 4], [0, 4, 0], [0, 0, 4]])
    assert hand_till_crisp_score(y_true, y_pred, variant="2") == pytest.approx(
        (0.5 + 0.5 + 1.0) / 3
    )
    # as long as one case is left, the pair is told apart perfectly
    y_true, y_pred = labels_of([[1, 0, 3], [0, 4, 0], [0, 0, 4]])
    assert hand_till_crisp_score(y_true, y_pred, variant="2") == pytest.approx(
        (1.0 + 1 - 0.75 / 2 + 1.0) / 3
    )


@PROPERTY
@given(weighted_cases())
def test_macro_average_is_balanced_accuracy(cases):
    _, y_true, y_pred, weights = cases
    expected = balanced_accuracy_score(y_true, y_pred, sample_weight=weights)
    assert macro_average_score(y_true, y_pred, sample_weight=weights) == pytest.approx(expected)


@PROPERTY
@given(weighted_cases(), st.floats(0.0, 20.0), st.floats(0.0, 20.0))
def test_modified_macro_average_grows_with_the_power(cases, low, high):
    _, y_true, y_pred, weights = cases
    low, high = sorted([low, high])
    assume(high > low)
    less, more = (
        modified_macro_average_score(y_true, y_pred, power=power, sample_weight=weights)
        for power in (low, high)
    )
    assert less <= more + 1e-12


@pytest.mark.parametrize("power", [5e-324, 1e-310, 1e-290, 1e-200, 1e-20])
def test_powers_next_to_zero_give_the_geometric_mean(power):
    y_true, y_pred = labels_of([[9, 1, 0], [2, 5, 3], [1, 2, 7]])
    assert modified_macro_average_score(y_true, y_pred, power=power) == pytest.approx(
        modified_macro_average_score(y_true, y_pred, power=0.0), rel=1e-14
    )


def test_power_one_is_the_arithmetic_and_zero_the_geometric_mean():
    y_true, y_pred = labels_of([[9, 1, 0], [2, 5, 3], [1, 2, 7]])
    arithmetic = modified_macro_average_score(y_true, y_pred, power=1)
    assert arithmetic == pytest.approx((0.9 + 0.5 + 0.7) / 3)
    assert arithmetic == macro_average_score(y_true, y_pred)
    geometric = modified_macro_average_score(y_true, y_pred, power=0)
    assert geometric == pytest.approx((0.9 * 0.5 * 0.7) ** (1 / 3))


@pytest.mark.parametrize("power", [1e-6, 1e-9, 1e-12, 1e-15, 1e-17, 1e-300])
def test_small_powers_approach_the_geometric_mean(power):
    y_true, y_pred = labels_of([[9, 1, 0], [2, 5, 3], [1, 2, 7]])
    geometric = (0.9 * 0.5 * 0.7) ** (1 / 3)
    # the generalised mean leaves the geometric one at a rate of half the variance of the
    # logarithms, here 0.03
    assert modified_macro_average_score(y_true, y_pred, power=power) == pytest.approx(
        geometric, rel=max(power, 1e-12)
    )


@pytest.mark.parametrize("power", [1e-3, 1e-12, 1e-300])
def test_small_powers_with_a_class_never_recognised_approach_zero(power):
    y_true, y_pred = labels_of([[3, 1, 0], [1, 3, 0], [2, 2, 0]])
    score = modified_macro_average_score(y_true, y_pred, power=power)
    assert score == pytest.approx(0.0, abs=1e-100)


@pytest.mark.parametrize("power", [1e3, 1e6, 1e300])
def test_large_powers_approach_the_best_class(power):
    y_true, y_pred = labels_of([[9, 1, 0], [2, 5, 3], [1, 2, 7]])
    score = modified_macro_average_score(y_true, y_pred, power=power)
    assert score == pytest.approx(0.9 * 3 ** (-1 / power), rel=1e-12)


def test_every_power_changes_the_result():
    y_true, y_pred = labels_of([[9, 1, 0], [2, 5, 3], [1, 2, 7]])
    powers = (0, 0.5, 0.76, 1, 2, 10)
    scores = [modified_macro_average_score(y_true, y_pred, power=power) for power in powers]
    assert np.diff(scores).min() > 1e-3
    assert modified_macro_average_score(y_true, y_pred) == scores[2]


def test_every_variant_changes_the_result():
    y_true, y_pred = labels_of([[8, 1, 1], [2, 6, 2], [0, 5, 5]])
    scores = [hand_till_crisp_score(y_true, y_pred, variant=variant) for variant in VARIANTS]
    assert np.diff(sorted(scores)).min() > 1e-3
    assert hand_till_crisp_score(y_true, y_pred) == scores[1]


@PROPERTY
@given(weighted_cases(min_classes=3))
def test_variant_1a_is_at_least_one_point_and_equal_only_without_active_maxima(cases):
    n_classes, y_true, y_pred, weights = cases
    rates = crisp_twins.rate_matrix(y_true, y_pred, weights, range(n_classes))
    pairs = [(rates[i][i] + rates[j][j]) / 2 for i in range(n_classes) for j in range(i)]
    pairwise = hand_till_crisp_score(y_true, y_pred, variant="1a", sample_weight=weights)
    single = one_point_auc_score(y_true, y_pred, sample_weight=weights)
    if min(pairs) >= 0.5:
        assert pairwise == pytest.approx(single, rel=1e-12)
    elif min(pairs) < 0.5 - 1e-9:
        assert pairwise > single


@PROPERTY
@given(st.integers(3, 6), st.integers(0, 2**32 - 1))
def test_variant_1a_is_one_point_for_classifiers_that_are_mostly_right(n_classes, seed):
    rng = np.random.default_rng(seed)
    counts = 20 * np.eye(n_classes, dtype=int)
    for row in counts:
        row += rng.multinomial(20, np.ones(n_classes) / n_classes)
    y_true, y_pred = labels_of(counts.tolist())
    assert hand_till_crisp_score(y_true, y_pred, variant="1a") == pytest.approx(
        one_point_auc_score(y_true, y_pred), rel=1e-12
    )


def test_variant_1a_is_not_one_point_in_general():
    # the paper says that they are equal; two classes below 1/2 are enough to part them
    y_true, y_pred = labels_of([[5, 0, 0], [2, 1, 2], [2, 2, 1]])
    assert one_point_auc_score(y_true, y_pred) == pytest.approx(1.4 / 3)
    assert hand_till_crisp_score(y_true, y_pred, variant="1a") == pytest.approx(1.7 / 3)


def test_labels_may_name_the_classes_in_any_order():
    y_true, y_pred = labels_of([[8, 1, 1], [2, 6, 2], [0, 5, 5]])
    expected = every_score(y_true, y_pred)
    assert every_score(y_true, y_pred, labels=[2, 0, 1]) == pytest.approx(expected, rel=1e-12)
