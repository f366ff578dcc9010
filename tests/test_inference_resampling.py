"""Standard errors by bootstrap and jackknife, of any function too."""

import sys
from functools import partial

import inference_twins as twins
import numpy as np
import pytest
from inference_cases import CRISP, RANKS, TUPLES, exact, predictions_for
from scipy.stats import norm
from scipy.stats import t as student
from sklearn.metrics import accuracy_score, balanced_accuracy_score, cohen_kappa_score
from strategies import softmax_data

from skvus.metrics import (
    pdi_score,
    score_inference,
)
from skvus.metrics._scorers import SCORERS
from skvus.metrics._statistics import make_statistic

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


def test_lines_where_there_is_no_tqdm(capsys, monkeypatch):
    y, proba = softmax_data([15] * 3)
    options = {"method": "bootstrap", "n_resamples": 70, "random_state": 0}
    quiet = score_inference(y, proba, **options)
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    assert quiet == score_inference(y, proba, verbose=1, **options)
    lines = ["resamples: 32/70", "resamples: 64/70", "resamples: 70/70"]
    assert capsys.readouterr().err.splitlines() == lines
    score_inference(y, proba, verbose=1, **{**options, "n_resamples": 2000})
    assert len(capsys.readouterr().err.splitlines()) == 10


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_backends_that_cannot_tell_how_far_they_are(capsys):
    import joblib

    y, proba = softmax_data([15] * 3)
    options = {"method": "bootstrap", "n_resamples": 70, "random_state": 0, "score": "pdi"}
    quiet = score_inference(y, proba, **options)
    with joblib.parallel_config("multiprocessing", n_jobs=2):
        loud = score_inference(y, proba, verbose=1, **options)
    assert quiet == loud
