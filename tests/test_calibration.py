"""Reports on posteriors: right ones pass, wrong ones are named and told what is wrong."""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import make_blobs
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

from skvus.classifiers import CalibrationReport, CostMatrixClassifier, _calibration
from skvus.classifiers._calibration import calibration_report

PROPERTY = settings(deadline=None, max_examples=60, derandomize=True)
NUMBERS = ["predicted", "observed", "error", "slope"]
NUMBERS += ["statistic", "degrees_of_freedom", "pvalue", "adjusted_pvalue"]


def draw_codes(proba, rng):
    """Classes that come true with these probabilities."""
    over = rng.random((len(proba), 1)) > np.cumsum(proba, axis=1)
    return np.minimum(over.sum(axis=1), proba.shape[1] - 1)


def sharpened(proba, power):
    return proba**power / (proba**power).sum(axis=1, keepdims=True)


def report_of(codes, proba, weight=None, n_bins=10):
    proba = np.asarray(proba, dtype=float)
    if proba.ndim == 1:  # of the second class
        proba = np.column_stack([1.0 - proba, proba])
    codes = np.asarray(codes)
    weight = np.ones(codes.size) if weight is None else np.asarray(weight, dtype=float)
    classes = np.arange(proba.shape[1])
    return calibration_report(codes, proba, weight, classes, n_bins=n_bins)


def assert_same(one, other, rtol=1e-9):
    for name in NUMBERS:
        np.testing.assert_allclose(getattr(one, name), getattr(other, name), rtol=rtol)


def some_problem(seed=0, n=300, n_classes=3, power=1.5):
    rng = np.random.default_rng(seed)
    proba = rng.dirichlet(np.full(n_classes, 0.7), size=n)
    return draw_codes(proba, rng), sharpened(proba, power), rng


# --- the numbers ------------------------------------------------------------------


def test_statistic_is_pearsons_where_bins_hold_one_posterior_each():
    posteriors, sizes, hits = [0.1, 0.3, 0.6, 0.9], [50, 40, 30, 60], [9, 10, 21, 50]
    proba = np.repeat(posteriors, sizes)
    codes = np.concatenate([np.arange(n) < m for n, m in zip(sizes, hits, strict=True)])
    report = report_of(codes.astype(int), proba)
    pearson = sum(
        stats.chisquare([m, n - m], [n * p, n * (1 - p)]).statistic
        for n, m, p in zip(sizes, hits, posteriors, strict=True)
    )
    np.testing.assert_allclose(report.statistic, pearson, rtol=1e-12)
    assert report.degrees_of_freedom.tolist() == [4, 4]
    np.testing.assert_allclose(report.pvalue, stats.chi2(4).sf(pearson), rtol=1e-9)
    np.testing.assert_allclose(report.adjusted_pvalue, 2 * report.pvalue)
    # |9 - 5| + |10 - 12| + |21 - 18| + |50 - 54|
    np.testing.assert_allclose(report.error, 13 / 180)
    np.testing.assert_allclose(report.predicted, [91 / 180, 89 / 180])
    np.testing.assert_allclose(report.observed, [0.5, 0.5])
    assert report.n_cases == 180


def test_slope_is_that_of_least_squares():
    codes, proba, rng = some_problem()
    weight = rng.exponential(size=codes.size)
    report = report_of(codes, proba, weight)
    for k in range(3):
        line = np.polyfit(proba[:, k], codes == k, 1, w=np.sqrt(weight))
        assert report.slope[k] == pytest.approx(line[0], rel=1e-9)


def test_both_classes_of_two_say_the_same():
    codes, proba, _ = some_problem(n_classes=2)
    report = report_of(codes, proba)
    for name in ("error", "slope", "statistic", "pvalue"):
        np.testing.assert_allclose(*getattr(report, name), rtol=1e-9)


@PROPERTY
@given(
    seed=st.integers(0, 2**32 - 1),
    n_bins=st.integers(2, 12),
    digits=st.sampled_from([1, 2, 15]),
    concentration=st.sampled_from([0.01, 0.3, 3.0]),
)
def test_bins_are_of_equal_variance_and_cut_at_one_half(seed, n_bins, digits, concentration):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 400))
    values, counts = np.unique(
        np.round(rng.beta(concentration, concentration, size=n), digits), return_counts=True
    )
    variance = counts * values * (1.0 - values)
    bins = _calibration._bins(values, variance, counts, counts, n_bins)
    assert (np.diff(bins) >= 0).all()
    assert bins[0] == 0
    assert bins[-1] < n_bins
    assert not set(bins[values <= 0.5]) & set(bins[values > 0.5])
    held = np.bincount(bins, variance)
    for side in (values <= 0.5, values > 0.5):
        numbers = np.unique(bins[side])
        if numbers.size > 1:
            # a bin holds its share to within what one value on either end may hold
            share = variance[side].sum() / numbers.size
            assert (held[numbers] <= share + 2.0 * variance[side].max() + 1e-9).all()
            assert share >= 2.0
            if digits == 15:
                assert held[numbers].min() >= share - variance[side].max() - 1e-9


def test_fewer_bins_for_few_cases():
    for n, most in ((4, 2), (30, 4), (1000, 10)):
        codes, proba, _ = some_problem(n=n)
        assert (report_of(codes, proba).degrees_of_freedom <= most).all()
    assert (report_of(codes, proba, n_bins=3).degrees_of_freedom == 3).all()


def test_order_of_cases_does_not_matter():
    codes, proba, rng = some_problem()
    proba = np.round(proba, 1)  # ties
    order = rng.permutation(codes.size)
    assert_same(report_of(codes, proba), report_of(codes[order], proba[order]), rtol=1e-12)


def test_scale_of_weights_does_not_matter():
    codes, proba, rng = some_problem()
    weight = rng.exponential(size=codes.size)
    assert_same(report_of(codes, proba, weight), report_of(codes, proba, 1e6 * weight))
    ones = np.full(codes.size, 0.25)
    assert_same(report_of(codes, proba, ones), report_of(codes, proba))


def test_cases_of_weight_zero_are_no_cases():
    codes, proba, rng = some_problem()
    keep = rng.random(codes.size) < 0.6
    report = report_of(codes, proba, keep)
    assert_same(report, report_of(codes[keep], proba[keep]))
    assert report.n_cases == keep.sum()


def test_cases_of_next_to_no_weight_are_no_cases():
    codes, proba, rng = some_problem(n=40)
    keep = rng.random(codes.size) < 0.6
    weight = np.where(keep, 1.0, 10.0 ** rng.integers(-300, -100, codes.size))
    assert_same(report_of(codes, proba, weight), report_of(codes[keep], proba[keep]))


def test_a_weight_is_not_a_number_of_cases():
    codes, proba, _ = some_problem(n=100)
    twice = report_of(np.repeat(codes, 2), np.repeat(proba, 2, axis=0))
    once = report_of(codes, proba, np.full(100, 2.0))
    np.testing.assert_allclose(once.predicted, twice.predicted)
    assert (once.statistic < twice.statistic).all()


# --- right posteriors pass --------------------------------------------------------


@pytest.mark.parametrize("is_weighted", [False, True])
@pytest.mark.parametrize(("n_classes", "concentration"), [(2, 1.0), (3, 0.5), (4, 0.05)])
def test_false_alarms_are_as_rare_as_promised(n_classes, concentration, is_weighted):
    rng = np.random.default_rng(7)
    alarms, pvalues = 0, []
    for _ in range(250):
        proba = rng.dirichlet(np.full(n_classes, concentration), size=200)
        weight = rng.exponential(size=200) if is_weighted else None
        report = report_of(draw_codes(proba, rng), proba, weight)
        alarms += report.is_suspect
        pvalues.extend(report.pvalue)
    assert alarms <= 9  # exceeded once in 3000 times if one in a hundred is expected
    assert 0.005 < np.mean(np.array(pvalues) < 0.05) < 0.075


def test_true_model_passes():
    X, y = make_blobs(6000, centers=[[0, 0], [1, 1], [2, 0]], random_state=0)
    model = CostMatrixClassifier(LogisticRegression()).fit(X[:3000], y[:3000])
    report = model.calibration(X[3000:], y[3000:])
    assert not report.is_suspect
    assert report.suspects == []
    assert np.abs(report.slope - 1.0).max() < 0.05
    assert "No class looks badly calibrated" in repr(report)


def test_errors_too_small_to_matter_pass():
    rng = np.random.default_rng(0)
    true = rng.uniform(0.2, 0.8, size=200_000)
    codes = (rng.random(true.size) < true).astype(int)
    report = report_of(codes, true + 0.01)
    assert (report.adjusted_pvalue < 1e-6).all()
    assert not report.is_suspect
    assert report_of(codes, true + 0.03).is_suspect


# --- wrong ones do not ------------------------------------------------------------


@pytest.mark.parametrize(
    ("power", "fault"), [(3.0, "over-confident"), (1 / 3, "under-confident")]
)
@pytest.mark.parametrize("n_classes", [2, 3, 5])
def test_posteriors_of_wrong_confidence_are_suspect(n_classes, power, fault):
    rng = np.random.default_rng(1)
    for _ in range(20):
        proba = rng.dirichlet(np.full(n_classes, 0.7), size=400)
        report = report_of(draw_codes(proba, rng), sharpened(proba, power))
        assert report.is_suspect
        assert fault in repr(report)
        assert ((report.slope < 1.0) == (power > 1.0)).all()


@pytest.mark.parametrize(("shift", "fault"), [(0.1, "too high"), (-0.1, "too low")])
def test_posteriors_that_are_off_to_one_side(shift, fault):
    rng = np.random.default_rng(2)
    true = rng.uniform(0.2, 0.8, size=1000)
    report = report_of((rng.random(1000) < true).astype(int), true + shift)
    assert report.suspects == [0, 1]
    assert re.search(rf"\b1 {fault}", repr(report))


def test_posteriors_that_are_off_here_and_there():
    rng = np.random.default_rng(2)
    given = rng.uniform(0.1, 0.9, size=5000)
    true = given + 0.1 * np.cos(4 * np.pi * given)  # does not slant
    report = report_of((rng.random(5000) < true).astype(int), given)
    assert report.suspects == [0, 1]
    assert "0, 1 too high here and too low there" in repr(report)


@pytest.mark.parametrize("extreme", [0.0, 1e-12, 1e-4])
def test_saturated_posteriors_do_not_hide_their_errors(extreme):
    # one in ten is wrong, on either side alike: in sum, predictions are right
    called = np.arange(200) % 2
    codes = np.where(np.arange(200) % 20 < 2, 1 - called, called)
    report = report_of(codes, np.where(called == 1, 1.0 - extreme, extreme))
    np.testing.assert_allclose(report.predicted, report.observed, atol=1e-9)
    np.testing.assert_allclose(report.error, 0.1, atol=1e-3)
    np.testing.assert_allclose(report.slope, 0.8, atol=1e-3)
    assert report.suspects == [0, 1]
    assert "over-confident" in repr(report)


def test_one_surprise_among_saturated_posteriors_proves_nothing():
    called = np.arange(30) % 2
    codes = called.copy()
    codes[0] = 1
    assert not report_of(codes, called.astype(float)).is_suspect
    codes[:8] = 1 - called[:8]
    assert report_of(codes, called.astype(float)).is_suspect


def test_a_rare_class_counts_by_its_frequency():
    rng = np.random.default_rng(3)
    rare = rng.uniform(0.0, 0.02, size=20_000)
    proba = np.column_stack([0.7 * (1.0 - rare), 0.3 * (1.0 - rare), rare])
    wrong = np.column_stack([proba[:, :2] / (1.0 - rare)[:, np.newaxis], rare])
    wrong[:, :2] *= (1.0 - rare / 3)[:, np.newaxis]
    wrong[:, 2] = rare / 3
    report = report_of(draw_codes(proba, rng), wrong)
    assert report.error[2] < 0.02  # less than would matter for a frequent class
    assert 2 in report.suspects
    assert "2 too low" in repr(report)


@pytest.fixture(scope="module")
def copied_features():
    """Two classes whose features come three times: naive Bayes counts them thrice."""
    X, y = make_blobs(3000, centers=[[0, 0], [1, 1]], random_state=0)
    return np.hstack([X, X, X]), y


def test_naive_bayes_on_correlated_features_is_suspect(copied_features):
    X, y = copied_features
    model = CostMatrixClassifier(GaussianNB()).fit(X[:1500], y[:1500])
    report = model.calibration(X[1500:], y[1500:])
    assert report.suspects == [0, 1]
    assert "over-confident" in repr(report)
    assert "sklearn.calibration.CalibratedClassifierCV" in repr(report)
    calibrated = CalibratedClassifierCV(GaussianNB(), method="isotonic")
    better = CostMatrixClassifier(calibrated).fit(X[:1500], y[:1500])
    assert not better.calibration(X[1500:], y[1500:]).is_suspect


# --- degenerate cases -------------------------------------------------------------


@pytest.mark.parametrize("n", [1, 2, 3])
def test_next_to_no_cases(n):
    codes, proba, _ = some_problem(n=n)
    report = report_of(codes, proba)
    assert not report.is_suspect
    assert np.isfinite(report.pvalue).all()
    assert f"on {n} case{'s' * (n > 1)}\n" in repr(report)


def test_equal_posteriors_have_no_slope():
    report = report_of(np.arange(100) % 4 == 0, np.full(100, 0.75))
    assert np.isnan(report.slope).all()
    assert report.degrees_of_freedom.tolist() == [1, 1]
    assert report.suspects == [0, 1]
    assert re.search(r"\b1 too high", repr(report))


def test_classes_without_cases():
    codes, proba, _ = some_problem(n=400, power=1.0)
    proba = np.column_stack([proba, np.zeros(400)])
    report = report_of(codes, proba)
    assert report.observed[3] == report.error[3] == report.statistic[3] == 0.0
    assert report.pvalue[3] == 1.0
    assert not report.is_suspect
    missing = report_of(np.minimum(codes, 1), proba)  # class 2 was expected, and did not come
    assert 2 in missing.suspects


# --- the report -------------------------------------------------------------------


def test_table():
    codes, proba, _ = some_problem(power=3.0)
    report = report_of(codes, proba)
    frame = report.to_frame()
    assert frame.index.tolist() == [0, 1, 2]
    assert frame.index.name == "class"
    assert frame.columns.tolist() == [*NUMBERS, "is_suspect"]
    np.testing.assert_array_equal(frame["error"], report.error)
    assert frame.index[frame["is_suspect"]].tolist() == report.suspects
    lines = repr(report).splitlines()
    assert lines[0] == "Calibration of the posteriors of 3 classes on 300 cases"
    assert lines[1].split()[:4] == ["class", "predicted", "observed", "error"]
    assert [line.split()[0] for line in lines[2:5]] == ["0", "1", "2"]
    assert len({len(line) for line in lines[1:5]}) == 1
    assert max(map(len, lines)) < 96


def test_both_conditions_are_needed():
    def report(pvalue, error, frequency):
        one = np.ones(2)
        return CalibrationReport(
            np.array(["a", "b"]),
            100,
            frequency * one,
            frequency * one,
            error * one,
            one,
            one,
            one.astype(int),
            np.array([pvalue, 1.0]),
        )

    assert report(0.0049, 0.021, 0.5).suspects == ["a"]
    assert not report(0.0051, 0.021, 0.5).is_suspect  # twice this is more than 0.01
    assert not report(0.0049, 0.019, 0.5).is_suspect
    assert report(0.0049, 0.0011, 0.01).is_suspect
    assert not report(0.0049, 0.0009, 0.01).is_suspect


def test_report_is_on_posteriors_before_priors(copied_features):
    X, y = copied_features
    plain = CostMatrixClassifier(GaussianNB()).fit(X, y)
    moved = CostMatrixClassifier(GaussianNB(), priors=[0.9, 0.1]).fit(X, y)
    assert_same(plain.calibration(X, y), moved.calibration(X, y))
    assert "(before the adjustment to priors)" in repr(moved.calibration(X, y))
    assert "before" not in repr(plain.calibration(X, y))


def test_options_and_bad_input(copied_features):
    X, y = copied_features
    names = np.array(["no", "yes"])[y]
    model = CostMatrixClassifier(GaussianNB()).fit(X, names)
    weight = np.where(np.arange(len(y)) < 100, 1.0, 0.0)
    report = model.calibration(X, names, sample_weight=weight, n_bins=2)
    assert_same(report, model.calibration(X[:100], names[:100], n_bins=2))
    assert model.calibration(X[y == 1], names[y == 1]).observed.tolist() == [0.0, 1.0]
    with pytest.raises(ValueError, match="n_bins must be an integer of at least 2; got 1"):
        model.calibration(X, names, n_bins=1)
    with pytest.raises(ValueError, match="n_bins must be at most 1,000,000,000; got"):
        model.calibration(X, names, n_bins=2**63)
    with pytest.raises(ValueError, match=r"classes that estimator knows.*got \['maybe'\]"):
        model.calibration(X[:1], ["maybe"])
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        model.calibration(X[:2], names[:3])
    with pytest.raises(ValueError, match=r"sample_weight must have shape \(3,\)"):
        model.calibration(X[:3], names[:3], sample_weight=[1.0])
