"""Small print of inference: what is told of a result, rare groups, weights and functions."""

import warnings

import inference_twins as twins
import numpy as np
import pandas as pd
import pytest
from inference_cases import exact
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import accuracy_score
from strategies import softmax_data

from skvus.metrics import (
    InferenceResult,
    compare_many,
    compare_scores,
    get_scorer,
    make_cost_scorer,
    ordered_vus_score,
    ordinal_vus_score,
    pdi_score,
    permutation_test,
    score_inference,
)
from skvus.metrics._components import component_steps
from skvus.metrics._tuples import exact_steps

DRAWN = {"method": "sampled", "n_tuples": 500}


def two_classifiers(sizes):
    """The second is much the better one."""
    y, one = softmax_data(sizes, lead=0.5)
    return y, one, softmax_data(sizes, seed=1, lead=2.0)[1]


# --- what is told -----------------------------------------------------------------


def test_a_comparison_seen_from_the_other_side():
    y, one, other = two_classifiers([6, 7, 8])
    options = {"score": "pdi", "method": "bootstrap", "n_resamples": 9, "random_state": 0}
    result = compare_scores(y, one, other, alternative="less", **options)
    expected = compare_scores(y, other, one, alternative="greater", **options)
    back = result.reversed()
    assert back.statistic == exact(expected.difference / expected.standard_error)
    assert back.replicates == exact(expected.replicates)
    for scale in ("identity", "percentile"):
        limits = back.confidence_interval(scale=scale)
        assert tuple(limits) == exact(tuple(expected.confidence_interval(scale=scale)))


def test_only_a_drawn_comparison_tells_the_error_of_drawing():
    y, one, other = two_classifiers([6, 7, 8])
    drawn = compare_scores(y, one, other, score_params=DRAWN, random_state=0)
    assert f"(DeLong's method, {drawn.sampling_error:.2g} from drawing)" in repr(drawn)
    # the same tuples for both, so that drawing does not part them
    same = compare_scores(y, one, one, score_params=DRAWN, random_state=0)
    assert not same.is_exact
    for result in (same, compare_scores(y, one, other)):
        assert "(DeLong's method)" in repr(result)


def test_nothing_is_told_of_an_undefined_score():
    y, one, other = two_classifiers([6, 7, 8])
    y, one, other = (part[y < 2] for part in (y, one, other))
    with pytest.warns(UndefinedMetricWarning):
        result = score_inference(y, one, labels=[0, 1, 2])
    assert (result.n_tuples, result.is_exact, result.n_independent) == (0, False, 0)
    with pytest.warns(UndefinedMetricWarning):
        result = compare_scores(y, one, other, labels=[0, 1, 2])
    assert (result.is_exact, result.n_independent) == (False, 0)


def test_scores_that_are_no_means_over_tuples_have_none():
    y, proba, _ = two_classifiers([6, 7, 8])
    options = {"method": "bootstrap", "n_resamples": 2, "random_state": 0}
    for score in ("macro_average", accuracy_score):
        result = score_inference(y, proba.argmax(axis=1), score=score, **options)
        assert (result.is_exact, result.n_tuples, result.sampling_error) == (True, 0, 0.0)
        assert "tuples" not in repr(result)
    result = score_inference(
        y, proba, score="soft_polytope_vus", score_params={"n_costs": 5}, **options
    )
    assert result.n_tuples == 0
    grid = {"method": "grid", "n_steps": 5}
    result = score_inference(y, proba, score="simplified_vus", score_params=grid, **options)
    assert result.n_tuples == 0
    assert "drawn" not in repr(result)


def test_the_point_estimate_is_drawn_with_the_seed():
    y, proba, _ = two_classifiers([6, 7, 8])
    options = {"method": "bootstrap", "n_resamples": 2, "score_params": DRAWN}
    results = [score_inference(y, proba, random_state=k, **options) for k in range(6)]
    assert len({result.score for result in results}) > 2
    details = ordered_vus_score(y, proba, return_details=True, random_state=0, **DRAWN)
    for result in results:
        assert result.sampling_error == pytest.approx(details.standard_error, rel=0.4)


def test_a_class_that_one_of_two_classifiers_makes_up_is_undefined_for_both():
    y = np.repeat(["b", "c"], 4)
    made_up = np.where(np.arange(8) == 0, "a", y)
    for pair in ((y, made_up), (made_up, y)):
        with pytest.warns(UndefinedMetricWarning, match=r"no case .*of \['a'\]"):
            result = compare_scores(y, *pair, score="macro_average")
        assert np.isnan([*result.scores, result.pvalue]).all()
    with pytest.warns(UndefinedMetricWarning):
        alone = compare_scores(y[:4], y[:4], y[:4], score="macro_average")
    assert np.isnan([*alone.scores, alone.pvalue]).all()


# --- intervals --------------------------------------------------------------------


@pytest.mark.parametrize("score", [0.1, 0.3, 0.7, 0.9999])
def test_an_interval_without_error_is_the_score(score):
    result = InferenceResult(score, 0.0, "pdi", "delong", 8, True, 0.0, 2)
    assert result.confidence_interval() == (score, score)


def test_a_perfect_score_whose_error_is_unknown_has_no_interval():
    result = InferenceResult(1.0, np.nan, "accuracy", "bootstrap", 0, True, 0.0, 9)
    assert np.isnan(result.confidence_interval()).all()


def test_errors_of_zero_and_of_one_are_printed_with_three_decimals():
    for error in (0.0, 1.0):
        result = InferenceResult(1.0, error, "pdi", "delong", 8, True, 0.0, 2)
        assert "95% interval 0.158 to 1.000;" in repr(result)


def test_percentiles_are_those_of_the_resamples():
    y, proba, _ = two_classifiers([6, 7, 8])
    options = {"score": "pdi", "method": "bootstrap", "n_resamples": 40, "random_state": 0}
    result = score_inference(y, proba, **options)
    for level, shares in ((0.95, [0.025, 0.975]), (0.5, [0.25, 0.75])):
        limits = result.confidence_interval(level, scale="percentile")
        assert tuple(limits) == exact(tuple(np.quantile(result.replicates, shares)))


def test_degrees_of_freedom_are_satterthwaites():
    y, one, other = two_classifiers([3, 5, 9])
    found = [np.array(twins.pdi_components(y, rows), dtype=float) for rows in (one, other)]
    results = score_inference(y, one, score="pdi"), compare_scores(y, one, other, score="pdi")
    for values, result in zip((found[0], found[0] - found[1]), results, strict=True):
        parts = [np.var(values[y == k], ddof=1) / n for k, n in enumerate([3, 5, 9])]
        divisor = sum(part**2 / (n - 1) for part, n in zip(parts, [3, 5, 9], strict=True))
        assert result.degrees_of_freedom == exact(sum(parts) ** 2 / divisor)


# --- drawn tuples -----------------------------------------------------------------


def test_errors_of_drawn_comparisons_are_those_of_counted_ones():
    y, one, other = two_classifiers([30, 30, 30])
    y_scores = [one, other, softmax_data([30, 30, 30], seed=2)[1]]
    params = {"method": "sampled", "n_tuples": 20_000}
    drawn = compare_many(y, y_scores, score_params=params, random_state=0)
    counted = compare_many(y, y_scores)
    assert drawn.standard_errors == pytest.approx(counted.standard_errors, rel=0.1)
    for pair in ((0, 1), (0, 2), (1, 2)):
        error = counted[pair].standard_error
        assert drawn[pair].standard_error == pytest.approx(error, rel=0.1)


def test_the_noise_of_few_drawn_tuples_is_counted_once():
    y, proba = softmax_data([40] * 4)
    params = {"method": "sampled", "n_tuples": 1000}
    scatter = []
    for seed in range(12):
        drawn = score_inference(y, proba, score_params=params, random_state=seed)
        scatter.append(drawn.standard_error**2 - drawn.sampling_error**2)
    error = np.std(scatter, ddof=1) / np.sqrt(12)
    truth = score_inference(y, proba).standard_error ** 2
    assert abs(np.mean(scatter) - truth) < 4 * error


def test_errors_of_drawn_tuples_follow_the_weights():
    y, vague = softmax_data([40, 40, 40])
    is_heavy = np.arange(120) % 2 == 0
    proba = np.where(is_heavy[:, np.newaxis], 0.9 * np.eye(3)[y] + 0.1 / 3, vague)
    weight = np.where(is_heavy, 4.0, 1.0)
    params = {"method": "sampled", "n_tuples": 30_000}
    drawn = score_inference(y, proba, sample_weight=weight, score_params=params, random_state=0)
    counted = score_inference(y, proba, sample_weight=weight)
    assert drawn.standard_error == pytest.approx(counted.standard_error, rel=0.1)


def test_a_class_of_which_no_case_is_drawn_twice():
    y = np.repeat([0, 1], [40_000, 100])
    score = np.random.default_rng(0).normal(size=y.size) + y
    params = {"method": "sampled", "n_tuples": 2}
    result = score_inference(y, score, score_params=params, random_state=0)
    assert not result.is_exact
    assert result.standard_error >= result.sampling_error > 0.0


def test_each_case_is_drawn_in_each_group_of_draws():
    y = np.repeat([0, 1], [20_000, 10])
    score = np.random.default_rng(0).normal(size=y.size) + y
    params = {"method": "sampled"}
    result = score_inference(y, score, score_params=params, random_state=0)
    assert result.n_tuples >= 2 * 8 * 20_000  # twice in each of eight


def test_components_are_as_dear_as_some_scores():
    # two walks of the score where there are more than three classes, here of the same size
    for n_classes, n_scores in ((2, 1), (3, 3), (4, 2), (5, 2)):
        sizes = [130] * n_classes
        assert component_steps(sizes) == n_scores * exact_steps(sizes)


def test_what_is_asked_for_is_drawn_or_counted(monkeypatch):
    from skvus.metrics import _soft_statistics

    y, proba = softmax_data([600] * 6)  # 10^15 tuples
    result = score_inference(y, proba, score_params=DRAWN, random_state=0)
    assert not result.is_exact
    monkeypatch.setattr(_soft_statistics, "AUTO_STEPS", 0)
    few = np.arange(3600) % 600 < 3
    params = {"method": "exact"}
    assert score_inference(y[few], proba[few], score_params=params).is_exact
    assert not score_inference(y[few], proba[few], random_state=0).is_exact


# --- groups -----------------------------------------------------------------------


def test_two_groups():
    y, proba = softmax_data([4, 5, 6])
    groups = np.arange(15) % 2
    result = score_inference(y, proba, score="pdi", method="delong", groups=groups)
    components = twins.pdi_components(y, proba)
    variance = twins.clustered_covariance(components, components, y, groups)
    assert result.standard_error**2 == exact(variance)
    # no tuple of three classes is without a group in common, which proves nothing
    assert result.n_independent == 1
    rows = np.eye(3)[y] * 0.7 + 0.1
    perfect = compare_scores(
        y, rows, np.sqrt(rows), score="pdi", groups=groups, method="delong"
    )
    assert perfect.confidence_interval() == (exact(0.025 - 1), exact(1 - 0.025))


def test_a_tuple_takes_a_group_for_each_class():
    y, proba = softmax_data([20, 20])
    options = {"score": "pdi", "method": "delong"}
    result = score_inference(y, proba, groups=np.arange(40) % 9, **options)
    assert result.n_independent == 4


def test_the_jackknife_of_ranks_leaves_out_whole_groups():
    y, proba = softmax_data([6, 7, 8])
    groups = np.arange(21) % 5
    variance = twins.leave_one_out_jackknife(pdi_score, y, proba, groups=groups)
    result = score_inference(y, proba, score="pdi", method="jackknife", groups=groups)
    assert result.standard_error**2 == exact(variance)


def test_groups_may_be_a_column():
    y, proba = softmax_data([6, 7, 8])
    groups = np.arange(21) % 5
    options = {"score": "pdi", "method": "delong"}
    column = score_inference(y, proba, groups=pd.DataFrame({"patient": groups}), **options)
    assert column == score_inference(y, proba, groups=groups, **options)
    with pytest.raises(ValueError, match=r"groups must have shape \(21,\)"):
        score_inference(y, proba, groups=np.column_stack([groups, groups]), **options)


def test_labels_are_shuffled_within_groups_that_begin_with_the_first_class():
    y, groups = np.array([0, 1, 0, 1, 0, 1]), np.array([0, 0, 1, 1, 2, 2])
    y_score = np.arange(6.0)
    result = permutation_test(
        y, y_score, score="ordinal_vus", groups=groups, n_permutations=60, random_state=0
    )
    swaps = [[[0, 1], [1, 0]][k >> g & 1] for k in range(8) for g in range(3)]
    expected = {ordinal_vus_score(one, y_score) for one in np.reshape(swaps, (8, 6))}
    assert set(result.null_distribution) == expected
    # one class a group, each case of the same weight
    whole = permutation_test(
        y, y_score, score="ordinal_vus", groups=y, sample_weight=np.ones(6), n_permutations=5
    )
    assert set(whole.null_distribution) <= {
        ordinal_vus_score(y, y_score),
        ordinal_vus_score(1 - y, y_score),
    }


# --- functions of others ----------------------------------------------------------


@pytest.mark.parametrize("signature", [3, ValueError])
def test_functions_whose_parameters_nobody_knows_are_given_weights(signature):
    class Compiled:
        @property
        def __signature__(self):
            if signature is ValueError:
                raise ValueError
            return signature

        def __call__(self, y_true, y_pred, sample_weight):
            return accuracy_score(y_true, y_pred, sample_weight=sample_weight)

    y, proba = softmax_data([6, 7, 8])
    called, weight = proba.argmax(axis=1), np.arange(21.0) + 1.0
    options = {"sample_weight": weight, "n_resamples": 2, "random_state": 0}
    result = score_inference(y, called, score=Compiled(), **options)
    assert result.score == accuracy_score(y, called, sample_weight=weight)


@pytest.mark.parametrize(("value", "limit"), [(1e-17, 0.0), (1.0 - 1e-16, 1.0)])
def test_a_limit_that_is_missed_by_rounding_is_met(value, limit):
    result = score_inference(
        [0, 0, 1, 1], [0, 0, 1, 1], score=lambda y_true, y_pred: value, score_range=(0, 1),
        n_resamples=2, random_state=0,
    )  # fmt: skip
    assert result.score == limit


def test_warnings_point_at_the_call():
    y = np.array([0, 0, 1])

    def never(y_true, y_pred):
        return np.nan

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", UndefinedMetricWarning)
        permutation_test(y, y, score=never, n_permutations=2)
        score_inference(y, y, score=never, n_resamples=2, random_state=0)
        score_inference(y, [0.1, 0.2, 0.3])
    assert [warning.filename for warning in caught] == [__file__] * 4


# --- scorers ----------------------------------------------------------------------


def test_scorers_are_printed_with_their_sign_if_it_is_negative():
    assert repr(get_scorer("macro_average")) == (
        "ClassScorer(macro_average_score, response_method='predict')"
    )
    assert ", sign=-1, cost_matrix=" in repr(make_cost_scorer([[0, 1], [1, 0]]))


class Fitted:
    """A classifier that says what it was told to."""

    def __init__(self, classes, method, answer):
        self.classes_ = np.array(classes)
        setattr(self, method, lambda X: answer)
        self.predict = lambda X: np.full(len(X), classes[0])


def test_columns_of_an_estimator_in_another_order_are_refused():
    y, proba = softmax_data([6, 7, 8])
    frame = pd.DataFrame(proba)
    scorer = get_scorer("pdi")
    assert scorer(Fitted([0, 1, 2], "predict_proba", frame), y, y) == pdi_score(y, proba)
    message = "predict_proba of Fitted must have its columns in the order .*: sort them\\.$"
    with pytest.raises(ValueError, match=message):
        scorer(Fitted([0, 1, 2], "predict_proba", frame[[1, 0, 2]]), y, y)


def test_an_ordinal_scorer_of_a_classifier_of_one_class():
    y = np.array([0, 1, 2])
    estimator = Fitted([1], "decision_function", y)
    score = get_scorer("ordinal_vus", labels=[0, 1, 2])(estimator, y, y)
    assert score == pytest.approx(1 / 6)  # all are called the same
