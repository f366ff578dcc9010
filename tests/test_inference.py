"""Standard errors and intervals: three methods, weights, groups, special cases."""

import pickle
from functools import partial

import inference_twins as twins
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm
from scipy.stats import t as student
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import accuracy_score, balanced_accuracy_score, cohen_kappa_score
from strategies import softmax_data, tied_data

from skvus.metrics import (
    get_scorer_names,
    hand_till_score,
    ordered_vus_score,
    ordinal_vus_score,
    pdi_score,
    polytope_vus_bounds,
    polytope_vus_score,
    score_inference,
)
from skvus.metrics._scorers import SCORERS
from skvus.metrics._statistics import make_statistic

exact = partial(pytest.approx, rel=1e-10, abs=1e-13)
TUPLES = ("ordered_vus", "simplified_vus", "angle_vus")
RANKS = ("ordinal_vus", "pdi", "hand_till", "one_vs_rest_auc")
CRISP = [name for name in get_scorer_names() if SCORERS[name][1] == "predict"]
closed = pytest.mark.parametrize("score", [*TUPLES, *RANKS])


def predictions_for(score, proba):
    if score == "ordinal_vus":
        return proba @ np.arange(proba.shape[1])
    return proba.argmax(axis=1) if score in CRISP else proba


def components_of(score, y, rows):
    by_twin = {
        "ordered_vus": lambda: twins.ordering_components(y, rows, "euclidean", "share"),
        "simplified_vus": lambda: twins.ordering_components(y, rows, "product", "share"),
        "angle_vus": lambda: twins.angle_components(y, rows, "right_angle"),
        "ordinal_vus": lambda: twins.ordinal_components(y, rows, "share"),
        "pdi": lambda: twins.pdi_components(y, rows),
        "hand_till": lambda: twins.hand_till_components(y, rows),
        "one_vs_rest_auc": lambda: twins.one_vs_rest_components(y, rows),
    }
    return by_twin[score]()


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


# --- bootstrap and jackknife ------------------------------------------------------


@pytest.mark.parametrize("score", [*TUPLES, *RANKS, *CRISP, "soft_polytope_vus"])
def test_every_score_has_a_bootstrap(score):
    # the volume over all weightings takes its time
    y, proba = softmax_data([12, 10, 11] if score == "soft_polytope_vus" else [40, 50, 45])
    rows = predictions_for(score, proba)
    result = score_inference(
        y, rows, score=score, method="bootstrap", n_resamples=150, random_state=0
    )
    other = score_inference(y, rows, score=score, method="jackknife")
    assert result.method == "bootstrap"
    assert result.replicates.shape == (150,)
    assert np.std(result.replicates, ddof=1) == exact(result.standard_error)
    statistic = make_statistic(score, None)
    assert result.score == exact(statistic.function(y, rows, **statistic.parameters))
    # 150 resamples leave an error of 6%; jackknife and bootstrap differ a little more
    if score not in ("soft_polytope_vus", "one_point_auc"):
        assert result.standard_error == pytest.approx(other.standard_error, rel=0.3)
    low, high = result.confidence_interval(scale="percentile")
    assert low < high
    assert ((low <= result.replicates) & (result.replicates <= high)).mean() > 0.9


@pytest.mark.parametrize("score", [*TUPLES, "ordinal_vus", "pdi", "hand_till"])
def test_the_jackknife_of_a_linear_score_is_delongs(score):
    y, proba = softmax_data([8, 9, 7])
    rows = predictions_for(score, proba)
    result = score_inference(y, rows, score=score, method="jackknife")
    assert result.standard_error == exact(
        score_inference(y, rows, score=score, method="delong").standard_error
    )
    variance = twins.leave_one_out_jackknife(
        lambda y, rows: SCORERS[score][0](y, rows), y, rows
    )
    assert result.standard_error**2 == exact(variance)


@pytest.mark.parametrize("score", ["one_vs_rest_auc", "polytope_vus", "hand_till_crisp_2"])
def test_the_jackknife_of_any_other_score_leaves_cases_out(score):
    y, proba = softmax_data([8, 9, 7])
    rows = predictions_for(score, proba)
    function = make_statistic(score, None)
    value = partial(function.function, **function.parameters)
    variance = twins.leave_one_out_jackknife(value, y, rows)
    result = score_inference(y, rows, score=score, method="jackknife")
    assert result.standard_error**2 == exact(variance)


@pytest.mark.parametrize("score", ["ordered_vus", "polytope_vus"])
def test_the_jackknife_leaves_out_whole_groups(score):
    y, proba = softmax_data([8, 9, 7])
    rows = predictions_for(score, proba)
    groups = np.random.default_rng(0).integers(7, size=y.size)
    variance = twins.leave_one_out_jackknife(SCORERS[score][0], y, rows, groups=groups)
    result = score_inference(y, rows, score=score, method="jackknife", groups=groups)
    assert result.standard_error**2 == exact(variance)


def test_the_weighted_jackknife_leaves_cases_out():
    y, proba = softmax_data([6, 5, 7])
    weight = np.random.default_rng(0).exponential(size=y.size)
    result = score_inference(y, proba, score="pdi", method="jackknife", sample_weight=weight)
    variance = 0.0
    for k in range(3):
        left = [
            pdi_score(
                np.delete(y, x), np.delete(proba, x, 0), sample_weight=np.delete(weight, x)
            )
            for x in np.flatnonzero(y == k)
        ]
        variance += (len(left) - 1) * np.var(left)
    assert result.standard_error**2 == exact(variance)


@pytest.mark.parametrize("score", ["ordered_vus", "polytope_vus", "soft_polytope_vus"])
def test_the_same_bits_for_any_number_of_jobs(score):
    y, proba = softmax_data([15] * 3)
    rows = predictions_for(score, proba)
    options = {"score": score, "method": "bootstrap", "n_resamples": 70, "random_state": 3}
    one = score_inference(y, rows, n_jobs=1, **options)
    two = score_inference(y, rows, n_jobs=2, **options)
    assert (one.replicates == two.replicates).all()
    assert one == two
    other = score_inference(y, rows, **{**options, "random_state": 4})
    assert (one.replicates != other.replicates).any()


def test_threads_give_the_same_bits_too():
    import joblib

    y, proba = softmax_data([15] * 3)
    options = {"score": "pdi", "method": "bootstrap", "n_resamples": 70, "random_state": 3}
    one = score_inference(y, proba, **options)
    with joblib.parallel_config(backend="threading", n_jobs=2):
        two = score_inference(y, proba, **options)
    assert (one.replicates == two.replicates).all()


def test_random_states_of_all_kinds():
    y, proba = softmax_data([15] * 3)
    options = {"score": "pdi", "method": "bootstrap", "n_resamples": 10}
    for make in (lambda: 5, lambda: np.random.RandomState(5), lambda: np.random.default_rng(5)):
        one = score_inference(y, proba, random_state=make(), **options)
        assert one == score_inference(y, proba, random_state=make(), **options)


def test_nothing_is_drawn_from_the_global_generator_without_need():
    y, proba = softmax_data([15] * 3)
    np.random.seed(0)  # noqa: NPY002
    before = np.random.get_state()[1].copy()  # noqa: NPY002
    score_inference(y, proba)
    score_inference(y, proba, method="jackknife")
    assert (np.random.get_state()[1] == before).all()  # noqa: NPY002


def test_any_function_of_labels_and_predictions():
    y, proba = softmax_data([30] * 3)
    pred = proba.argmax(axis=1)
    names = np.array(["x", "y", "z"])
    result = score_inference(
        names[y], names[pred], score=balanced_accuracy_score, random_state=0, n_resamples=300
    )
    assert result.score == balanced_accuracy_score(y, pred)
    macro = score_inference(y, pred, score="macro_average", random_state=0, n_resamples=300)
    assert result.score_name == "balanced_accuracy_score"
    assert result.replicates == exact(macro.replicates)  # the same cases are drawn
    assert result.bounds is None
    left = score_inference(y, pred, score=balanced_accuracy_score, method="jackknife")
    ours = score_inference(y, pred, score="macro_average", method="jackknife")
    assert left.standard_error == exact(ours.standard_error)


def test_functions_take_weights_if_there_are_any():
    y, proba = softmax_data([30] * 3)
    pred = proba.argmax(axis=1)
    weight = np.random.default_rng(0).exponential(size=y.size)
    options = {"random_state": 0, "n_resamples": 50, "sample_weight": weight}
    result = score_inference(y, pred, score=accuracy_score, **options)
    assert result.score == exact(accuracy_score(y, pred, sample_weight=weight))
    with pytest.raises(ValueError, match="sample_weight must be None for <lambda>"):
        score_inference(y, pred, score=lambda y, p: 0.5, **options)


def test_functions_decide_what_is_undefined():
    y = np.repeat([1, 2], 5)
    one_class = score_inference(y * 0, y * 0, score=accuracy_score, random_state=0)
    assert one_class.score == 1.0
    with pytest.raises(ValueError, match="labels must be None for accuracy_score"):
        score_inference(y, y, score=accuracy_score, labels=[1, 2, 3])
    # a class without weight is no class
    weight = np.where(y == 2, 0.0, 1.0)
    alone = score_inference(
        y, y, score=accuracy_score, sample_weight=weight, random_state=0, n_resamples=5
    )
    assert alone.score == 1.0


def test_a_function_of_unknown_range_has_walds_interval():
    y, proba = softmax_data([30] * 3)
    flipped = (proba.argmax(axis=1) + 1) % 3
    options = {"score": cohen_kappa_score, "random_state": 0, "n_resamples": 200}
    result = score_inference(y, flipped, **options)
    reach = norm.ppf(0.975) * result.standard_error
    assert result.confidence_interval() == exact((result.score - reach, result.score + reach))
    assert result.confidence_interval() == result.confidence_interval(scale="identity")
    with pytest.raises(ValueError, match="scale='logit' needs the range of cohen_kappa_score"):
        result.confidence_interval(scale="logit")
    assert "cohen_kappa_score is -0" in repr(result)


def test_the_range_of_a_function_makes_a_logit():
    y, proba = softmax_data([30] * 3)
    pred = proba.argmax(axis=1)
    options = {"random_state": 0, "n_resamples": 100}
    macro = score_inference(y, pred, score="macro_average", **options)
    balanced = score_inference(
        y, pred, score=balanced_accuracy_score, score_range=(0, 1), **options
    )
    assert tuple(balanced.confidence_interval()) == exact(tuple(macro.confidence_interval()))
    kappa = score_inference(y, pred, score=cohen_kappa_score, score_range=(-1, 1), **options)
    share = (kappa.score + 1) / 2
    odds = np.log(share / (1 - share))
    reach = norm.ppf(0.975) * kappa.standard_error / 2 / (share * (1 - share))
    assert kappa.confidence_interval().low == exact(2 / (1 + np.exp(reach - odds)) - 1)
    perfect = score_inference(y, y, score=cohen_kappa_score, score_range=(-1, 1), **options)
    assert perfect.confidence_interval() == (exact(2 * 0.025 ** (1 / 30) - 1), 1.0)
    with pytest.raises(ValueError, match="score_range must hold all values of cohen_kappa"):
        score_inference(y, pred, score=cohen_kappa_score, score_range=(0.9, 1), **options)


def test_tiny_scores_are_not_taken_for_rounding():
    y, proba = softmax_data([30] * 3)
    pred = proba.argmax(axis=1)

    def tiny(y_true, y_pred):
        return 1e-20 * accuracy_score(y_true, y_pred)

    options = {"random_state": 0, "n_resamples": 100}
    result = score_inference(y, pred, score=tiny, **options)
    large = score_inference(y, pred, score=accuracy_score, **options)
    assert result.standard_error == pytest.approx(1e-20 * large.standard_error, rel=1e-9)


def test_few_cases_have_wider_intervals_with_t():
    y, proba = softmax_data([300, 200, 5])
    result = score_inference(y, proba, score="pdi")
    assert 3.5 < result.degrees_of_freedom < 10
    low, _ = result.confidence_interval(scale="identity")
    wide = result.confidence_interval(scale="identity", distribution="t")
    assert wide.low < low
    reach = student.ppf(0.975, result.degrees_of_freedom) * result.standard_error
    assert wide.low == exact(result.score - reach)
    # with as many cases in each class they add up
    y, proba = softmax_data([50, 50])
    balanced = score_inference(y, proba, score="pdi")
    assert 49 <= balanced.degrees_of_freedom <= 98
    jackknife = score_inference(y, proba, score="pdi", method="jackknife")
    assert jackknife.degrees_of_freedom == exact(balanced.degrees_of_freedom)
    groups = np.arange(100) % 7
    for method in ("delong", "bootstrap", "jackknife"):
        grouped = score_inference(
            y, proba, score="pdi", method=method, groups=groups, n_resamples=20, random_state=0
        )
        assert grouped.degrees_of_freedom == pytest.approx(6.0, abs=0.03)
        assert "7 groups" in repr(grouped)


def test_progress_bar(capsys):
    pytest.importorskip("tqdm")
    y, proba = softmax_data([15] * 3)
    options = {"method": "bootstrap", "n_resamples": 70, "random_state": 0}
    quiet = score_inference(y, proba, **options)
    assert capsys.readouterr().err == ""
    assert quiet == score_inference(y, proba, verbose=1, **options)
    assert "resamples" in capsys.readouterr().err


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_backends_that_cannot_tell_how_far_they_are(capsys):
    import joblib

    y, proba = softmax_data([15] * 3)
    options = {"method": "bootstrap", "n_resamples": 70, "random_state": 0, "score": "pdi"}
    quiet = score_inference(y, proba, **options)
    with joblib.parallel_config("multiprocessing", n_jobs=2):
        loud = score_inference(y, proba, verbose=1, **options)
    assert quiet == loud


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
