"""Paired tests of two and more classifiers."""

from functools import partial

import inference_twins as twins
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import accuracy_score
from strategies import softmax_data

from skvus.metrics import compare_many, compare_scores, score_inference
from skvus.metrics._comparison_results import holm

exact = partial(pytest.approx, rel=1e-9, abs=1e-13)


def two_classifiers(sizes, seed=0):
    """Labels and posteriors of two classifiers that share some of their noise."""
    y, one = softmax_data(sizes, seed=seed)
    _, other = softmax_data(sizes, seed=seed + 1000, lead=0.5)
    both = np.sqrt(one * other)
    return y, one, both / both.sum(axis=1, keepdims=True)


# --- two classifiers --------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(
    sizes=st.tuples(st.integers(2, 12), st.integers(2, 12)),
    levels=st.sampled_from([3, 10, 10**6]),
    seed=st.integers(0, 2**32 - 1),
)
def test_two_classes_are_delongs_test(sizes, levels, seed):
    rng = np.random.default_rng(seed)
    y = np.repeat([0, 1], sizes)
    one = rng.integers(levels, size=y.size) / levels
    other = (one + rng.integers(levels, size=y.size) / levels) / 2
    a, b, var_a, var_b, cov = twins.two_class_delong(y, one, other)
    variance = var_a + var_b - 2 * cov
    for score in ("ordinal_vus", "ordered_vus", "hand_till", "pdi"):
        result = compare_scores(y, one, other, score=score)
        assert result.difference == exact(a - b)
        assert result.standard_error**2 == pytest.approx(variance, rel=1e-9, abs=1e-15)
        if result.standard_error > 0.0:
            z = (a - b) / np.sqrt(variance)
            assert result.statistic == pytest.approx(z, rel=1e-6, abs=1e-9)
            assert result.pvalue == pytest.approx(2 * norm.sf(abs(z)), rel=1e-5)


@pytest.mark.parametrize("score", ["ordered_vus", "simplified_vus", "pdi", "hand_till"])
def test_variance_of_the_difference(score):
    y, one, other = two_classifiers([5, 6, 4])
    twin = {
        "ordered_vus": partial(twins.ordering_components, distance="euclidean", ties="share"),
        "simplified_vus": partial(twins.ordering_components, distance="product", ties="share"),
        "pdi": twins.pdi_components,
        "hand_till": twins.hand_till_components,
    }[score]
    v, w = twin(y, one), twin(y, other)
    variance = sum(
        sign * twins.delong_covariance(a, b, y)
        for a, b, sign in ((v, v, 1), (w, w, 1), (v, w, -2))
    )
    result = compare_scores(y, one, other, score=score)
    assert result.standard_error**2 == exact(variance)
    groups = np.random.default_rng(0).integers(6, size=y.size)
    clustered = compare_scores(y, one, other, score=score, method="delong", groups=groups)
    variance = sum(
        sign * twins.clustered_covariance(a, b, y, groups)
        for a, b, sign in ((v, v, 1), (w, w, 1), (v, w, -1), (w, v, -1))
    )
    assert clustered.standard_error**2 == exact(variance)


def test_result_of_a_comparison():
    y, one, other = two_classifiers([40, 35, 30])
    result = compare_scores(y, one, other)
    assert result.scores == (
        exact(score_inference(y, one).score),
        exact(score_inference(y, other).score),
    )
    assert result.difference == exact(result.scores[0] - result.scores[1])
    assert result.statistic == exact(result.difference / result.standard_error)
    low, high = result.confidence_interval()
    assert (low + high) / 2 == exact(result.difference)
    assert (high - low) / 2 == exact(norm.ppf(0.975) * result.standard_error)
    back = compare_scores(y, other, one)
    assert back.difference == exact(-result.difference)
    assert back.pvalue == exact(result.pvalue)
    text = repr(result)
    assert text.startswith("ordered_vus 0.")
    assert "DeLong's method" in text
    assert "p = " in text


def test_one_sided_tests():
    y, one, other = two_classifiers([40, 35, 30])
    two_sided = compare_scores(y, one, other)
    greater = compare_scores(y, one, other, alternative="greater")
    less = compare_scores(y, one, other, alternative="less")
    assert greater.pvalue + less.pvalue == exact(1.0)
    assert min(greater.pvalue, less.pvalue) == exact(two_sided.pvalue / 2)
    assert greater.pvalue == exact(norm.sf(two_sided.statistic))
    assert greater.confidence_interval().high == 1.0
    assert less.confidence_interval().low == -1.0
    reach = norm.ppf(0.95) * two_sided.standard_error
    assert greater.confidence_interval().low == exact(two_sided.difference - reach)
    assert less.confidence_interval().high == exact(two_sided.difference + reach)


@pytest.mark.parametrize("method", ["bootstrap", "jackknife"])
@pytest.mark.parametrize("score", ["ordered_vus", "polytope_vus", "macro_average"])
def test_cases_are_drawn_for_both(method, score):
    y, one, other = two_classifiers([40, 35, 30])
    if score != "ordered_vus":
        one, other = one.argmax(axis=1), other.argmax(axis=1)
    options = {"score": score, "method": method, "n_resamples": 400, "random_state": 0}
    result = compare_scores(y, one, other, **options)
    alone = [score_inference(y, rows, **options).standard_error for rows in (one, other)]
    # they share noise, so that the difference is surer than if they did not
    assert 0.0 < result.standard_error < np.hypot(*alone)
    if score == "ordered_vus":
        closed = compare_scores(y, one, other, score=score)
        assert result.standard_error == pytest.approx(closed.standard_error, rel=0.15)
    assert compare_scores(y, one, other, n_jobs=2, **options) == result


def test_drawn_tuples_are_the_same_for_both():
    y, one, other = two_classifiers([15] * 6)
    options = {"score_params": {"method": "sampled", "n_tuples": 20_000}, "random_state": 0}
    result = compare_scores(y, one, other, **options)
    alone = [score_inference(y, rows, **options) for rows in (one, other)]
    assert not result.is_exact
    assert result.difference == exact(alone[0].score - alone[1].score)
    assert result.sampling_error < np.hypot(*(part.sampling_error for part in alone))
    assert compare_scores(y, one, other, n_jobs=2, **options) == result


def test_predictions_of_a_class_that_others_never_predict():
    y = np.repeat([0, 1, 2], 20)
    one = np.where(y == 2, 0, y)
    result = compare_scores(y, one, y, score="macro_average", random_state=0)
    assert result.difference == exact(-1 / 3)


def test_functions_can_be_compared():
    y, one, other = two_classifiers([40, 35, 30])
    result = compare_scores(
        y, one.argmax(1), other.argmax(1), score=accuracy_score, random_state=0, n_resamples=200
    )
    difference = accuracy_score(y, one.argmax(1)) - accuracy_score(y, other.argmax(1))
    assert result.difference == exact(difference)
    low, high = result.confidence_interval()
    assert low < difference < high


# --- nothing scatters -------------------------------------------------------------


@pytest.mark.parametrize("method", ["delong", "bootstrap", "jackknife"])
def test_a_classifier_does_not_differ_from_itself(method):
    y, proba = softmax_data([20, 25, 30])
    result = compare_scores(y, proba, proba, method=method, n_resamples=20, random_state=0)
    assert (result.difference, result.standard_error) == (0.0, 0.0)
    assert (result.statistic, result.pvalue) == (0.0, 1.0)
    assert result.confidence_interval() == (0.0, 0.0)


def test_increasing_transformations_change_nothing():
    y, proba = softmax_data([20, 25, 30])
    for weight in (None, np.random.default_rng(0).exponential(size=y.size)):
        result = compare_scores(y, proba, np.log(proba), score="pdi", sample_weight=weight)
        assert (result.difference, result.pvalue) == (0.0, 1.0)
        assert result.confidence_interval() == (0.0, 0.0)


def test_two_perfect_classifiers():
    y = np.repeat(np.arange(3), 20)
    rng = np.random.default_rng(0)
    one, other = (0.8 * np.eye(3)[y] + 0.2 * rng.dirichlet(np.ones(3), 60) for _ in range(2))
    result = compare_scores(y, one, other)
    assert (result.difference, result.standard_error, result.pvalue) == (0.0, 0.0, 1.0)
    # other cases might tell them apart
    reach = 1 - 0.025 ** (1 / 20)
    assert result.confidence_interval() == (exact(-reach), exact(reach))


@pytest.mark.parametrize("n", [2, 20])
def test_a_perfect_classifier_against_a_constant_one(n):
    y = np.repeat(np.arange(3), n)
    result = compare_scores(y, np.eye(3)[y], np.full((y.size, 3), 1 / 3))
    assert result.difference == exact(5 / 6)
    assert result.standard_error == 0.0
    assert result.statistic == np.inf
    # with two cases a class it may have been luck
    assert result.pvalue == exact(min(1.0, 2 * (11 / 6) ** -n))
    low, high = result.confidence_interval()
    assert low == exact(11 / 6 * 0.025 ** (1 / n) - 1)
    assert low < 5 / 6 < high < 1.0
    back = compare_scores(y, np.full((y.size, 3), 1 / 3), np.eye(3)[y], alternative="less")
    assert back.statistic == -np.inf
    assert back.pvalue == exact((11 / 6) ** -n)
    wrong = compare_scores(y, np.eye(3)[y], np.full((y.size, 3), 1 / 3), alternative="less")
    assert wrong.pvalue == 1.0


def test_one_case_in_a_class_proves_nothing():
    y, one, other = two_classifiers([40, 1, 30])
    with pytest.warns(UndefinedMetricWarning, match=r"only one case of \[1\]"):
        result = compare_scores(y, one, other)
    assert np.isfinite(result.standard_error)
    assert result.pvalue > 0.3


def test_undefined_comparisons():
    y, one, other = two_classifiers([10, 10, 10])
    kept = y < 2
    with pytest.warns(UndefinedMetricWarning, match="no case"):
        result = compare_scores(y[kept], one[kept], other[kept], labels=[0, 1, 2])
    assert np.isnan([result.difference, result.standard_error, result.pvalue]).all()
    assert np.isnan(result.confidence_interval()).all()
    assert "undefined" in repr(result)
    with pytest.warns(UndefinedMetricWarning, match="no case"):
        table = compare_many(y[kept], [one[kept], other[kept]], labels=[0, 1, 2])
    assert np.isnan(table[0].adjusted_pvalue)
    assert "nan" in repr(table)


# --- several classifiers ----------------------------------------------------------


@settings(max_examples=100, deadline=None)
@given(st.lists(st.floats(0.0, 1.0), min_size=1, max_size=8))
def test_holm(pvalues):
    assert holm(pvalues) == pytest.approx(twins.holm(pvalues), rel=1e-12, abs=1e-300)


def several(sizes=(30, 25, 35), n=4):
    y, first, _ = two_classifiers(list(sizes))
    y_scores = {"a": first}
    for k in range(1, n):
        other = two_classifiers(list(sizes), seed=k)[2]
        mixed = first**0.5 * other**0.5
        y_scores["abcdefgh"[k]] = mixed / mixed.sum(axis=1, keepdims=True)
    return y, y_scores


@pytest.mark.parametrize("method", ["delong", "bootstrap", "jackknife"])
def test_a_table_holds_the_pairs(method):
    y, y_scores = several()
    options = {"score": "simplified_vus", "method": method, "n_resamples": 30}
    table = compare_many(y, y_scores, random_state=0, **options)
    assert len(table) == 6
    for row in table:
        alone = compare_scores(
            y, y_scores[row.first], y_scores[row.second], random_state=0, **options
        )
        assert row.difference == exact(alone.difference)
        assert row.standard_error == exact(alone.standard_error)
        assert row.pvalue == exact(alone.pvalue)
        assert (row.low, row.high) == exact(tuple(alone.confidence_interval()))
        assert table[row.first, row.second].pvalue == row.pvalue
        assert row.adjusted_pvalue >= row.pvalue
    adjusted = [row.adjusted_pvalue for row in table]
    assert adjusted == exact(twins.holm([row.pvalue for row in table]))
    for name, score, error in zip(
        table.names, table.scores, table.standard_errors, strict=True
    ):
        alone = score_inference(y, y_scores[name], random_state=0, **options)
        assert score == exact(alone.score)
        assert error == exact(alone.standard_error)


def test_a_reference_is_the_second_of_each_pair():
    y, y_scores = several()
    table = compare_many(y, y_scores, reference="b", alternative="greater")
    assert [(row.first, row.second) for row in table] == [("a", "b"), ("c", "b"), ("d", "b")]
    assert table["c", "b"].alternative == "greater"
    with pytest.raises(KeyError, match="none of the pairs"):
        table["a", "c"]
    back = table["b", "c"]  # the other way round
    assert back.difference == -table["c", "b"].difference
    assert back.scores == table["c", "b"].scores[::-1]
    assert back.alternative == "less"
    assert back.pvalue == table["c", "b"].pvalue
    tie = compare_scores(y, y_scores["a"], y_scores["a"])
    assert "-0" not in repr(tie.reversed())


def test_lists_are_numbered():
    y, y_scores = several()
    named = compare_many(y, y_scores)
    for form in (list(y_scores.values()), np.array(list(y_scores.values()))):
        numbered = compare_many(y, form)
        assert numbered.names == [0, 1, 2, 3]
        assert [row[2:] for row in numbered] == [row[2:] for row in named]


def test_a_table_can_be_printed_and_framed():
    y, y_scores = several(n=3)
    table = compare_many(y, y_scores, score="pdi")
    lines = repr(table).splitlines()
    assert lines[0] == "pdi of 3 classifiers"
    assert len(lines) == 1 + 3 + 1 + 3
    assert len({len(line) for line in lines[4:]}) == 1  # columns stand below each other
    frame = table.to_frame()
    assert isinstance(frame, pd.DataFrame)
    assert list(frame.columns) == [
        "first",
        "second",
        "difference",
        "standard_error",
        "low",
        "high",
        "statistic",
        "pvalue",
        "adjusted_pvalue",
    ]
    assert frame["difference"].tolist() == [row.difference for row in table]


def test_many_classifiers_from_drawn_tuples():
    y, y_scores = several(sizes=(12,) * 6)
    options = {"score_params": {"method": "sampled", "n_tuples": 4000}, "random_state": 0}
    table = compare_many(y, y_scores, **options)
    again = compare_many(y, y_scores, n_jobs=2, **options)
    assert list(table) == list(again)
    assert not table["a", "b"].is_exact


def test_names_of_any_kind():
    y, y_scores = several()

    class Model:
        def __repr__(self):
            return "Model()"  # all look the same

    models = [Model() for _ in range(3)]
    rows = list(y_scores.values())
    table = compare_many(y, dict(zip(models, rows, strict=False)))
    assert table.names == models
    assert len(table) == 3
    tuples = compare_many(y, {("rf", 10): rows[0], ("rf", 20): rows[1]}, reference=("rf", 20))
    assert tuples[0].first == ("rf", 10)
    with pytest.raises(ValueError, match="reference must be one of 0, 1"):
        compare_many(y, rows[:2], reference=True)
    assert compare_many(y, rows[:2], reference=np.int64(1))[0].second == 1
    assert compare_many(y, y_scores, reference=np.str_("b"))[0].second == "b"


@pytest.mark.filterwarnings("ignore:score is not finite")
def test_one_bad_classifier_does_not_spoil_the_others():
    y, y_scores = several(n=2)
    a, b = (rows[:, 0] for rows in y_scores.values())

    def mean(y_true, y_score):
        return float(y_score[y_true == 0].mean())

    options = {"score": mean, "random_state": 0, "n_resamples": 50}
    alone = compare_scores(y, a, b, **options)
    for bad in (1e18, np.inf, np.nan):
        table = compare_many(y, {"a": a, "b": b, "c": np.full(y.size, bad)}, **options)
        assert table["a", "b"].difference == exact(alone.difference)
        assert table["a", "b"].standard_error == exact(alone.standard_error)
        if not np.isfinite(bad):
            assert np.isnan(table["a", "c"].pvalue)
            # the tests that are unknown count
            assert table[0].adjusted_pvalue == pytest.approx(min(1.0, 3 * alone.pvalue))


def test_a_frame_of_markers():
    y, y_scores = several()
    frame = pd.DataFrame({name: rows[:, 2] for name, rows in y_scores.items()})
    table = compare_many(y, frame, score="ordinal_vus")
    assert table.names == ["a", "b", "c", "d"]
    alone = compare_scores(y, frame["a"], frame["c"], score="ordinal_vus")
    assert table["a", "c"].pvalue == exact(alone.pvalue)


def test_percentiles_of_a_difference():
    y, one, other = two_classifiers([40, 35, 30])
    options = {"method": "bootstrap", "n_resamples": 200, "random_state": 0}
    result = compare_scores(y, one, other, **options)
    assert np.std(result.replicates, ddof=1) == exact(result.standard_error)
    low, high = result.confidence_interval(scale="percentile")
    assert (low, high) == exact(tuple(np.quantile(result.replicates, [0.025, 0.975])))
    greater = compare_scores(y, one, other, alternative="greater", **options)
    assert greater.confidence_interval(scale="percentile") == (
        exact(np.quantile(result.replicates, 0.05)),
        1.0,
    )
    with pytest.raises(ValueError, match="scale='percentile' needs method='bootstrap'"):
        compare_scores(y, one, other).confidence_interval(scale="percentile")
    with pytest.raises(ValueError, match="scale must be one of 'identity', 'percentile'"):
        result.confidence_interval(scale="logit")


def test_few_cases_have_wider_intervals_with_t():
    y, one, other = two_classifiers([300, 200, 5])
    result = compare_scores(y, one, other)
    assert 3.5 < result.degrees_of_freedom < 300
    low, high = result.confidence_interval()
    wide = result.confidence_interval(distribution="t")
    assert wide.low < low < high < wide.high


def test_functions_of_unknown_range_whose_difference_is_constant():
    y = np.repeat([0, 1], 6)
    options = {"score": accuracy_score, "random_state": 0, "n_resamples": 10}
    result = compare_scores(y, y, 1 - y, **options)
    assert (result.difference, result.standard_error) == (1.0, 0.0)
    assert result.pvalue == exact(2 * 0.5**6)  # six tosses of a coin
    bounded = compare_scores(y, y, 1 - y, score_range=(0, 1), **options)
    assert bounded.pvalue == exact(2 * 0.5**6)
    assert bounded.confidence_interval().low < 1.0 == bounded.confidence_interval().high


def test_certain_differences_are_not_printed_as_zero():
    y, one, other = two_classifiers([2000, 2000, 2000])
    result = compare_scores(y, one, other, score="hand_till")
    certain = type(result)(**{**vars(result), "pvalue": 0.0})
    assert repr(certain).endswith("p < 1e-300.")
