"""Perfect, constant and undefined scores, lone cases, heavy weights."""

import inference_twins as twins
import numpy as np
import pytest
from inference_cases import closed, exact, predictions_for
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import accuracy_score
from strategies import softmax_data

from skvus.metrics import (
    compare_scores,
    hand_till_score,
    ordinal_vus_score,
    polytope_vus_score,
    score_inference,
)
from skvus.metrics._scorers import SCORERS

# --- special cases ----------------------------------------------------------------


@closed
@pytest.mark.parametrize("method", ["delong", "bootstrap", "jackknife"])
def test_perfect_separation(score, method):
    y = np.repeat(np.arange(3), [20, 25, 30])
    proba = 0.8 * np.eye(3)[y] + 0.2 * np.random.default_rng(0).dirichlet(np.ones(3), y.size)
    rows = y + 0.1 * proba[:, 0] if score == "ordinal_vus" else proba
    result = score_inference(
        y, rows, score=score, method=method, n_resamples=20, random_state=0
    )
    assert (result.score, result.standard_error) == (1.0, 0.0)
    for scale in ("logit", "identity"):
        low, high = result.confidence_interval(scale=scale)
        assert low == exact(0.025 ** (1 / 20))
        assert high == 1.0
    assert "nan" not in repr(result)


@pytest.mark.parametrize("weighted", [False, True])
def test_tiny_scores_are_not_zero(weighted):
    rng = np.random.default_rng(0)
    y_true = np.repeat(np.arange(20), 20)
    y_score = rng.normal(size=400) + 0.05 * y_true  # about as good as chance, 1 in 20!
    weights = {"sample_weight": rng.uniform(0.5, 1.5, size=400)} if weighted else {}
    score = ordinal_vus_score(y_true, y_score, **weights)
    assert 0.0 < score < 1e-13
    error = None
    for method, groups in (("jackknife", np.arange(400)), ("delong", None)):
        result = score_inference(
            y_true, y_score, score="ordinal_vus", method=method, groups=groups, **weights
        )
        assert result.score == pytest.approx(score, rel=1e-9, abs=0.0)
        # leaving out a case of much weight moves the score a little more than it hangs on it
        error = error or result.standard_error
        assert result.standard_error == pytest.approx(error, rel=0.2, abs=0.0)


def test_a_score_of_zero():
    y = np.repeat([0, 1, 2], 10)
    result = score_inference(y, -y.astype(float), score="ordinal_vus")
    assert (result.score, result.standard_error) == (0.0, 0.0)
    assert result.confidence_interval() == (0.0, 1 - exact(0.025 ** (1 / 10)).expected)


@pytest.mark.parametrize("score", ["ordered_vus", "simplified_vus", "pdi", "hand_till"])
@pytest.mark.parametrize("method", ["delong", "bootstrap", "jackknife"])
def test_constant_scores(score, method):
    y = np.repeat(np.arange(3), 10)
    rows = np.full((30, 3), 1 / 3)
    result = score_inference(
        y, rows, score=score, method=method, n_resamples=20, random_state=0
    )
    chance = {"pdi": 1 / 3, "hand_till": 1 / 2}.get(score, 1 / 6)
    assert result.score == exact(chance)
    assert result.standard_error == 0.0
    low, high = result.confidence_interval()
    assert low == high == exact(chance)


@pytest.mark.parametrize("score", ["ordered_vus", "hand_till", "ordinal_vus", "macro_average"])
@pytest.mark.parametrize("method", ["auto", "bootstrap", "jackknife"])
def test_one_case_in_a_class(score, method):
    y, proba = softmax_data([20, 1, 25])
    rows = predictions_for(score, proba)
    options = {"score": score, "method": method, "n_resamples": 50, "random_state": 0}
    with pytest.warns(UndefinedMetricWarning, match=r"only one case of \[1\]"):
        result = score_inference(y, rows, **options)
    assert np.isfinite(result.standard_error)
    theta = result.score
    if score != "hand_till":  # no less than what the one case may hide
        assert result.standard_error**2 >= theta * (1 - theta)
    assert 0.0 <= result.confidence_interval().low <= theta
    assert theta <= result.confidence_interval().high <= 1.0


@pytest.mark.parametrize("score", ["ordered_vus", "one_vs_rest_auc", "macro_average"])
@pytest.mark.parametrize("method", ["auto", "bootstrap", "jackknife"])
def test_one_case_in_every_class(score, method):
    y, proba = [0, 1, 2], [[0.5, 0.3, 0.2], [0.2, 0.5, 0.3], [0.4, 0.1, 0.5]]
    rows = y if score == "macro_average" else proba
    with pytest.warns(UndefinedMetricWarning, match=r"only one case of \[0, 1, 2\]"):
        result = score_inference(y, rows, score=score, method=method, n_resamples=5)
    assert result.score == 1.0
    assert result.confidence_interval() == (exact(0.025), 1.0)


def test_one_group_in_a_class():
    y, proba = softmax_data([20, 10, 25])
    groups = np.where(y == 1, 99, np.arange(y.size))
    for method in ("delong", "bootstrap", "jackknife"):
        with pytest.warns(UndefinedMetricWarning, match=r"only one group of \[1\]"):
            result = score_inference(
                y, proba, groups=groups, method=method, n_resamples=20, random_state=0
            )
        assert np.isfinite(result.standard_error)


def test_one_case_in_a_class_and_a_function_of_unknown_range():
    y, proba = softmax_data([20, 1, 25])
    options = {"score": accuracy_score, "n_resamples": 50, "random_state": 0}
    with pytest.warns(UndefinedMetricWarning, match="leaves its variance out"):
        result = score_inference(y, proba.argmax(1), **options)
    assert np.isfinite(result.standard_error)
    with pytest.warns(UndefinedMetricWarning, match="largest variance that is possible"):
        bounded = score_inference(y, proba.argmax(1), score_range=(0, 1), **options)
    hidden = result.score * (1 - result.score)
    assert bounded.standard_error**2 == exact(result.standard_error**2 + hidden)


def test_one_case_in_one_of_many_classes_hides_little_of_a_mean_of_areas():
    y, proba = softmax_data([*[6] * 9, 1])
    for score in ("hand_till", "one_vs_rest_auc"):
        with pytest.warns(UndefinedMetricWarning, match=r"only one case of \[9\]"):
            result = score_inference(y, proba, score=score)
        # the class has part in a fifth of the sum
        assert result.standard_error < 0.2
    with pytest.warns(UndefinedMetricWarning, match="only one case"):
        result = score_inference(y, proba, score="hand_till")
    areas = hand_till_score(y, proba, average=None)
    part = 2 * areas[9, :9].sum() / 90
    components = twins.hand_till_components(y, proba)[:-1]
    variance = twins.delong_covariance(components, components, y[:-1])
    assert result.standard_error**2 == exact(variance + part * (2 * 9 / 90 - part))


def test_a_class_that_hangs_on_one_case_is_not_taken_for_sure():
    y, proba = softmax_data([20] * 3)
    weight = np.ones(60)
    weight[::20] = 1000.0
    delong = score_inference(y, proba, sample_weight=weight).standard_error
    jackknife = score_inference(y, proba, sample_weight=weight, method="jackknife")
    assert delong == pytest.approx(jackknife.standard_error, rel=0.1)
    weight[::20] = 1e14
    with pytest.warns(UndefinedMetricWarning, match=r"case of \[0, 1, 2\] that counts"):
        alone = score_inference(y, proba, sample_weight=weight)
    assert alone.standard_error**2 == pytest.approx(
        3 * alone.score * (1 - alone.score), rel=1e-6, abs=1e-9
    )
    assert alone.n_independent == 1


@pytest.mark.parametrize("score", ["pdi", "ordered_vus", "hand_till", "one_vs_rest_auc"])
def test_classes_of_very_different_weight(score):
    y, proba = softmax_data([6, 7, 8])
    weight = np.where(y == 0, 1e-170, 1.0)
    result = score_inference(y, proba, score=score, sample_weight=weight)
    value = SCORERS[score][0](y, proba, sample_weight=weight)
    assert result.score == exact(value)
    assert np.isfinite(result.standard_error)


def test_drawn_tuples_of_uneven_weights():
    y, proba = softmax_data([1010, 60, 60])
    weight = np.ones(y.size)
    weight[10:1010] = 1e-6
    exactly = score_inference(y, proba, sample_weight=weight)
    drawn = score_inference(
        y, proba, sample_weight=weight, score_params={"method": "sampled"}, random_state=0
    )
    assert drawn.standard_error == pytest.approx(exactly.standard_error, rel=0.05)


@pytest.mark.parametrize("share", [0.9, 0.99, 0.999])
def test_drawn_tuples_and_one_heavy_case(share):
    y, proba = softmax_data([30, 60, 60])
    weight = np.ones(y.size)
    weight[0] = 29 * share / (1 - share)
    options = {"sample_weight": weight, "random_state": 0}
    exactly = score_inference(y, proba, **options)
    drawn = score_inference(y, proba, score_params={"method": "sampled"}, **options)
    assert drawn.standard_error >= drawn.sampling_error
    assert drawn.standard_error == pytest.approx(exactly.standard_error, rel=0.5)


def test_the_error_is_never_less_than_that_of_drawing():
    for seed in range(20):
        y, proba = softmax_data([2, 24, 2], seed=seed)
        params = {"method": "sampled", "n_tuples": 200}
        result = score_inference(y, proba, score_params=params, random_state=seed)
        assert result.standard_error >= result.sampling_error


def test_a_range_that_is_missed_by_rounding():
    y = np.repeat([0, 1, 2], [11, 12, 13])

    def correlation(y_true, y_score):
        return np.corrcoef(y_true, y_score)[0, 1]

    result = score_inference(
        y, y * 0.1, score=correlation, score_range=(-1, 1), random_state=0, n_resamples=20
    )
    assert result.score == 1.0
    assert result.confidence_interval().low < 0.5


def test_drawn_tuples_are_not_drawn_anew_for_each_group():
    y, proba = softmax_data([40] * 3)
    options = {
        "method": "jackknife",
        "groups": np.arange(120),
        "score_params": {"method": "sampled", "n_tuples": 5000},
        "random_state": 0,
    }
    drawn = score_inference(y, proba, **options)
    exactly = score_inference(y, proba)
    assert drawn.standard_error == pytest.approx(exactly.standard_error, rel=0.1)


def test_a_grid_has_a_bootstrap_and_a_jackknife():
    y, proba = softmax_data([8, 9, 10])
    for method in ("bootstrap", "jackknife"):
        result = score_inference(
            y,
            proba,
            score="simplified_vus",
            method=method,
            n_resamples=20,
            score_params={"method": "grid", "n_steps": 20},
            random_state=0,
        )
        assert 0.0 < result.standard_error < 0.3
        assert "nan" not in repr(result)


@pytest.mark.parametrize("score", ["ordered_vus", "ordinal_vus", "polytope_vus"])
def test_a_class_without_cases_is_undefined(score):
    y, proba = softmax_data([10, 10, 10])
    rows = predictions_for(score, proba)[y < 2]
    with pytest.warns(UndefinedMetricWarning, match="The score is undefined"):
        result = score_inference(y[y < 2], rows, score=score, labels=[0, 1, 2])
    assert np.isnan([result.score, result.standard_error, *result.confidence_interval()]).all()
    assert result.method == "undefined"
    assert "undefined" in repr(result)


def test_a_function_that_is_not_finite_everywhere():
    y, proba = softmax_data([10] * 3)

    def fragile(y_true, y_pred):
        return np.nan if (y_true == y_pred).all() or (y_pred[0] == 0) else 0.5

    for method in ("bootstrap", "jackknife"):
        with pytest.warns(UndefinedMetricWarning, match="score is not finite in"):
            result = score_inference(
                y, proba.argmax(1), score=fragile, method=method, random_state=0
            )
        assert np.isnan(result.standard_error)
        assert np.isnan(result.confidence_interval()).all()


@pytest.mark.parametrize("parameters", [{}, {"normalize": None}, {"normalize": "range"}])
@pytest.mark.parametrize(("n_classes", "is_exact"), [(3, True), (9, False)])
def test_a_volume_that_is_drawn_says_so(n_classes, is_exact, parameters):
    y = np.repeat(np.arange(n_classes), 10)
    called = np.where(np.arange(y.size) % 10 == 0, (y + 1) % n_classes, y)
    options = {"method": "bootstrap", "n_resamples": 10, "random_state": 0}
    result = score_inference(
        y, called, score="polytope_vus", score_params=parameters, **options
    )
    assert result.score == pytest.approx(
        polytope_vus_score(y, called, random_state=1, **parameters), rel=0.05
    )
    assert result.is_exact == is_exact
    assert (result.sampling_error == 0.0) == is_exact
    assert ("volume was drawn" in str(result)) != is_exact
    assert result.sampling_error < 0.05 * result.score
    comparison = compare_scores(y, called, y, score="polytope_vus", **options)
    assert comparison.is_exact == is_exact
