"""Standard errors by structural components, weights, groups and intervals."""

import pickle
from functools import partial

import inference_twins as twins
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from inference_cases import TUPLES, closed, components_of, exact, predictions_for
from scipy.stats import norm
from strategies import softmax_data, tied_data

from skvus.metrics import (
    ordered_vus_score,
    ordinal_vus_score,
    pdi_score,
    polytope_vus_bounds,
    polytope_vus_score,
    score_inference,
)
from skvus.metrics._scorers import SCORERS

# --- DeLong -----------------------------------------------------------------------


@closed
@pytest.mark.parametrize("sizes", [[5, 6, 4], [3, 4, 3, 2]])
def test_variance_is_the_scatter_of_the_components(score, sizes):
    y, proba = softmax_data(sizes)
    rows = predictions_for(score, proba)
    result = score_inference(y, rows, score=score, method="delong")
    components = components_of(score, y, rows)
    variance = twins.delong_covariance(components, components, y)
    assert result.standard_error**2 == exact(variance)
    assert result.method == "delong"
    assert result.is_exact
    assert result.sampling_error == 0.0


@settings(max_examples=60, deadline=None)
@given(
    sizes=st.tuples(st.integers(2, 12), st.integers(2, 12)),
    levels=st.sampled_from([2, 5, 10**6]),
    seed=st.integers(0, 2**32 - 1),
)
def test_two_classes_are_delongs(sizes, levels, seed):
    rng = np.random.default_rng(seed)
    y = np.repeat([0, 1], sizes)
    scores = rng.integers(levels, size=y.size) / levels
    auc, _, variance, *_ = twins.two_class_delong(y, scores, scores)
    for score in ("ordinal_vus", "ordered_vus", "simplified_vus", "hand_till", "pdi"):
        result = score_inference(y, scores, score=score)
        assert result.score == exact(auc)
        assert result.standard_error**2 == exact(variance)


@settings(max_examples=60, deadline=None)
@given(
    sizes=st.tuples(*[st.integers(2, 8)] * 3),
    levels=st.sampled_from([3, 10, 10**6]),
    seed=st.integers(0, 2**32 - 1),
)
def test_three_ordered_classes_have_the_variance_of_the_u_statistic(sizes, levels, seed):
    rng = np.random.default_rng(seed)
    y = np.repeat([0, 1, 2], sizes)
    scores = rng.integers(levels, size=y.size) / levels
    result = score_inference(y, scores, score="ordinal_vus")
    variance = twins.ordinal_three_class_variance(*(scores[y == k] for k in range(3)))
    assert result.standard_error**2 == exact(variance)
    assert result.score == exact(ordinal_vus_score(y, scores))


@closed
def test_groups_of_components_are_obuchowskis(score):
    y, proba = softmax_data([5, 6, 5])
    rows = predictions_for(score, proba)
    components = components_of(score, y, rows)
    rng = np.random.default_rng(0)
    for groups in (rng.integers(6, size=16), np.arange(16) // 2, np.arange(16)):
        result = score_inference(y, rows, score=score, method="delong", groups=groups)
        variance = twins.clustered_covariance(components, components, y, groups)
        assert result.standard_error**2 == exact(variance)


def test_score_parameters_are_those_of_the_score():
    y, proba = tied_data(3, n=10)
    for params in ({"distance": "sum"}, {"ties": "strict"}, {"distance": "product"}):
        result = score_inference(y, proba, score="ordered_vus", score_params=params)
        assert result.score == exact(ordered_vus_score(y, proba, **params))
    y, proba = softmax_data([10, 20, 30])
    weighted = score_inference(
        y, proba, score="one_vs_rest_auc", score_params={"average": "weighted"}
    )
    components = twins.one_vs_rest_components(y, proba, average="weighted")
    variance = twins.delong_covariance(components, components, y)
    assert weighted.standard_error**2 == exact(variance)


def test_a_score_may_be_given_as_a_function():
    y, proba = softmax_data([10, 12, 14])
    assert score_inference(y, proba, score=pdi_score) == score_inference(y, proba, score="pdi")
    rates = score_inference(y, proba.argmax(1), score=polytope_vus_score, random_state=0)
    assert rates == score_inference(y, proba.argmax(1), score="polytope_vus", random_state=0)


# --- weights ----------------------------------------------------------------------


@closed
def test_weights_are_what_a_case_stands_for(score):
    y, proba = softmax_data([5, 6, 4])
    rows = predictions_for(score, proba)
    weight = np.random.default_rng(3).exponential(size=y.size)
    result = score_inference(y, rows, score=score, sample_weight=weight)
    function = SCORERS[score][0]
    assert result.score == exact(function(y, rows, sample_weight=weight))
    twin = {
        "ordered_vus": partial(twins.ordering_components, distance="euclidean", ties="share"),
        "simplified_vus": partial(twins.ordering_components, distance="product", ties="share"),
        "angle_vus": partial(twins.angle_components, limit="right_angle"),
        "ordinal_vus": partial(twins.ordinal_components, ties="share"),
        "pdi": twins.pdi_components,
        "hand_till": twins.hand_till_components,
        "one_vs_rest_auc": twins.one_vs_rest_components,
    }[score]
    components = twin(y, rows, weights=weight)
    variance = twins.delong_covariance(components, components, y, weights=weight)
    assert result.standard_error**2 == exact(variance)


@pytest.mark.parametrize("score", ["ordered_vus", "hand_till", "polytope_vus", "macro_average"])
@pytest.mark.parametrize("method", ["auto", "bootstrap", "jackknife"])
def test_equal_weights_are_no_weights_and_zeros_are_left_out(score, method):
    y, proba = softmax_data([9, 10, 11])
    rows = predictions_for(score, proba)
    options = {"score": score, "method": method, "n_resamples": 20, "random_state": 0}
    result = score_inference(y, rows, **options)
    same = score_inference(y, rows, sample_weight=np.full(y.size, 7.0), **options)
    assert same.score == exact(result.score)
    assert same.standard_error == exact(result.standard_error)
    kept = np.arange(y.size) % 4 > 0
    groups = np.arange(y.size) // 2
    some = score_inference(y, rows, sample_weight=kept.astype(float), groups=groups, **options)
    alone = score_inference(y[kept], rows[kept], groups=groups[kept], **options)
    assert some.score == exact(alone.score)
    assert some.standard_error == exact(alone.standard_error)


@pytest.mark.parametrize("score", ["pdi", "hand_till"])
def test_weights_and_groups_together(score):
    y, proba = softmax_data([6, 5, 7])
    weight = np.random.default_rng(3).exponential(size=y.size)
    twin = {"pdi": twins.pdi_components, "hand_till": twins.hand_till_components}[score]
    components = twin(y, proba, weights=weight)
    options = {"score": score, "method": "delong", "sample_weight": weight}
    for groups in (np.arange(18) % 5, np.arange(18) // 2, np.arange(18)):
        result = score_inference(y, proba, groups=groups, **options)
        variance = twins.clustered_covariance(components, components, y, groups, weight)
        assert result.standard_error**2 == exact(variance)
    # groups of one case are no groups
    assert result.standard_error == exact(score_inference(y, proba, **options).standard_error)


def test_uneven_weights_have_fewer_degrees_of_freedom():
    y, proba = softmax_data([1010, 60, 60])
    weight = np.ones(y.size)
    weight[10:1010] = 1e-6
    result = score_inference(y, proba, score="pdi", sample_weight=weight)
    kept = np.r_[0:10, 1010:1130]
    alone = score_inference(y[kept], proba[kept], score="pdi")
    assert result.degrees_of_freedom == pytest.approx(alone.degrees_of_freedom, rel=0.1)


# --- groups -----------------------------------------------------------------------


def test_groups_give_a_cluster_bootstrap():
    # each patient has several rows that are nearly the same
    y, proba = softmax_data([30] * 3)
    rng = np.random.default_rng(0)
    rows = np.repeat(proba, 6, axis=0) * rng.uniform(0.98, 1.02, size=(540, 3))
    rows /= rows.sum(axis=1, keepdims=True)
    patients = np.repeat([f"patient {i}" for i in range(90)], 6)
    options = {"score": "simplified_vus", "random_state": 0, "n_resamples": 400}
    truth = score_inference(y, proba, score="simplified_vus").standard_error
    blind = score_inference(np.repeat(y, 6), rows, **options)
    clustered = score_inference(np.repeat(y, 6), rows, groups=patients, **options)
    assert blind.standard_error < 0.6 * truth
    assert clustered.method == "bootstrap"
    assert clustered.standard_error == pytest.approx(truth, rel=0.15)
    closed_form = score_inference(
        np.repeat(y, 6), rows, groups=patients, score="simplified_vus", method="delong"
    )
    assert closed_form.standard_error == pytest.approx(truth, rel=0.05)


def test_groups_of_one_case_are_no_groups():
    y, proba = softmax_data([12, 9, 10])
    options = {"score": "pdi", "method": "bootstrap", "random_state": 0, "n_resamples": 50}
    alone = score_inference(y, proba, **options)
    groups = np.random.default_rng(1).permutation(y.size)
    grouped = score_inference(y, proba, groups=np.arange(y.size), **options)
    assert (grouped.replicates == alone.replicates).all()
    assert (grouped.n_groups, alone.n_groups) == (y.size, None)
    for method in ("delong", "jackknife"):
        one = score_inference(y, proba, score="pdi", method=method, groups=groups)
        none = score_inference(y, proba, score="pdi", method=method)
        assert one.standard_error == exact(none.standard_error)


def test_groups_with_several_classes_are_drawn_as_they_are():
    # six patients with a row of each class: all or nothing
    y = np.tile(np.arange(3), 6)
    proba = np.tile(np.eye(3), (6, 1)) * 0.5 + 1 / 6
    proba[:3] = 1 / 3 + 0.01 * np.roll(np.eye(3), 1, axis=1)  # one patient is all wrong
    proba /= proba.sum(axis=1, keepdims=True)
    groups = np.repeat(np.arange(6), 3)
    result = score_inference(
        y, proba, groups=groups, random_state=0, n_resamples=300, score="ordered_vus"
    )
    # only the number of times that this patient is drawn matters
    assert len(set(np.round(result.replicates, 9))) <= 7


def test_resamples_without_a_class_are_drawn_again():
    rng = np.random.default_rng(0)
    y = np.array([0, 1] * 10 + [2, 2, 2, 0])
    groups = np.array([*np.repeat(np.arange(10), 2), 10, 11, 11, 11])
    proba = rng.dirichlet(np.ones(3), size=y.size)
    result = score_inference(y, proba, groups=groups, random_state=0, n_resamples=200)
    assert np.isfinite(result.replicates).all()


# --- intervals --------------------------------------------------------------------


def test_intervals_on_both_scales():
    y, proba = softmax_data([30, 40, 35])
    result = score_inference(y, proba)
    z = norm.ppf(0.975)
    low, high = result.confidence_interval(scale="identity")
    assert (high - low) / 2 == exact(z * result.standard_error)
    interval = result.confidence_interval()
    theta = result.score
    odds = np.log(theta / (1 - theta))
    reach = z * result.standard_error / (theta * (1 - theta))
    assert interval.low == exact(1 / (1 + np.exp(-(odds - reach))))
    assert interval.high == exact(1 / (1 + np.exp(-(odds + reach))))
    wider = result.confidence_interval(0.99)
    assert wider.low < interval.low < theta < interval.high < wider.high
    assert tuple(interval) == (interval.low, interval.high)


def test_walds_interval_ends_at_the_range():
    y = np.repeat(np.arange(3), 8)
    proba = 0.8 * np.eye(3)[y] + 0.2 / 3
    proba[0] = [0.02, 0.9, 0.08]
    result = score_inference(y, proba)
    assert result.confidence_interval(scale="identity").high == 1.0
    assert result.confidence_interval().high < 1.0


def test_raw_volumes_have_the_logit_of_their_own_range():
    y, proba = softmax_data([30] * 3)
    pred = proba.argmax(axis=1)
    options = {"score": "polytope_vus", "random_state": 0, "n_resamples": 100}
    share = score_inference(y, pred, **options)
    raw = score_inference(y, pred, score_params={"normalize": None}, **options)
    largest = polytope_vus_bounds(3)[1]
    assert raw.bounds == (0.0, largest)
    assert raw.score == exact(share.score * largest)
    assert raw.confidence_interval().high == exact(largest * share.confidence_interval().high)


# --- sampled tuples ---------------------------------------------------------------


def test_drawn_tuples_add_their_error():
    y, proba = softmax_data([30] * 6)
    result = score_inference(y, proba, score="simplified_vus", random_state=0)
    assert not result.is_exact
    assert result.sampling_error > 0.0
    assert result.standard_error > result.sampling_error
    assert f"{result.n_tuples} tuples were drawn, with an error of" in repr(result)
    few = score_inference(
        y,
        proba,
        score="simplified_vus",
        score_params={"method": "sampled", "n_tuples": 500},
        random_state=0,
    )
    assert few.sampling_error > 3 * result.sampling_error
    assert few.standard_error > few.sampling_error


def test_drawn_and_counted_errors_agree():
    y, proba = softmax_data([60] * 4)
    counted = score_inference(y, proba)
    drawn = score_inference(y, proba, score_params={"method": "sampled"}, random_state=0)
    assert counted.is_exact
    assert drawn.standard_error == pytest.approx(counted.standard_error, rel=0.03)
    assert abs(drawn.score - counted.score) < 5 * drawn.sampling_error
    left = score_inference(
        y, proba, method="jackknife", score_params={"method": "sampled"}, random_state=0
    )
    assert left.standard_error == exact(drawn.standard_error)


def test_perfect_scores_of_many_classes():
    y = np.repeat(np.arange(8), 15)
    proba = 0.8 * np.eye(8)[y] + 0.2 * np.random.default_rng(0).dirichlet(np.ones(8), y.size)
    result = score_inference(y, proba, random_state=0)
    assert result.score == 1.0
    assert 0.0 < result.standard_error < 1e-3  # one tuple more or less
    assert result.confidence_interval() == (exact(0.025 ** (1 / 15)), 1.0)


# --- the result -------------------------------------------------------------------


def test_sentences():
    y, proba = softmax_data([20, 30, 25])
    assert repr(score_inference(y, proba)).startswith("ordered_vus is 0.")
    text = repr(score_inference(y, proba, score="hand_till"))
    assert "(DeLong's method), 95% interval 0." in text
    assert text.endswith("; all 1850 pairs were counted.")
    text = repr(score_inference(y, proba.argmax(1), score="macro_average", random_state=0))
    assert "(bootstrap)" in text
    assert "tuples" not in text


def test_results_can_be_stored():
    y, proba = softmax_data([20, 30, 25])
    result = score_inference(y, proba, method="bootstrap", n_resamples=20, random_state=0)
    again = pickle.loads(pickle.dumps(result))
    assert again == result
    assert (again.replicates == result.replicates).all()
    with pytest.raises(AttributeError):
        result.score = 1.0


def test_inputs_stay_as_they_are():
    y, proba = softmax_data([20, 30, 25])
    groups, weight = np.arange(y.size) // 2, np.ones(y.size)
    copies = [array.copy() for array in (y, proba, groups, weight)]
    for array in (y, proba, groups, weight):
        array.setflags(write=False)
    for method in ("delong", "bootstrap", "jackknife"):
        score_inference(
            y, proba, method=method, groups=groups, sample_weight=weight, n_resamples=5,
            random_state=0,
        )  # fmt: skip
    for array, copy in zip((y, proba, groups, weight), copies, strict=True):
        assert (array == copy).all()


def test_frames_and_text_labels():
    y, proba = softmax_data([20, 30, 25])
    names = np.array(["ant", "bee", "cat"])
    frame = pd.DataFrame(proba, columns=names)
    result = score_inference(pd.Series(names[y]), frame, groups=pd.Series(np.arange(75) // 3))
    assert result.score == exact(ordered_vus_score(y, proba))
    grades = pd.Series(pd.Categorical(names[y], categories=["cat", "ant", "bee"], ordered=True))
    ranked = score_inference(grades, proba[:, 0], score="ordinal_vus")
    assert ranked.score == exact(ordinal_vus_score(grades, proba[:, 0]))


def test_order_of_cases_and_names_of_classes_do_not_matter():
    y, proba = softmax_data([12, 14, 13])
    for score in (*TUPLES, "pdi", "hand_till", "one_vs_rest_auc"):
        result = score_inference(y, proba, score=score)
        order = np.random.default_rng(0).permutation(y.size)
        shuffled = score_inference(y[order], proba[order], score=score)
        renamed = score_inference(y, proba[:, [2, 0, 1]], score=score, labels=[2, 0, 1])
        for other in (shuffled, renamed):
            assert other.score == exact(result.score)
            assert other.standard_error == exact(result.standard_error)
