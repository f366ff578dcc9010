"""Operating points over class weights: rates, complete lists, weights for wanted rates."""

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from operating_twins import (
    as_counts,
    counts_by_transport,
    rates_by_numpy,
    spread_weights,
    true_rates,
    two_class_counts_by_hand,
)
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import confusion_matrix
from slow_twins import non_dominated_rows, off_diagonal_points, operating_counts_by_hand
from strategies import gaussian_scores, tied_cases

from skvus.metrics import _operating, _operating_points
from skvus.metrics._operating_points import (
    OperatingPoints,
    operating_points,
    operating_rates,
)
from skvus.metrics._target_rates import weights_for_rates


def assert_consistent(y, scores, points, **options):
    """Weights reproduce rates to the last bit; no point twice; sorted; weights sum to one."""
    again = operating_rates(y, scores, points.weights, **options)
    np.testing.assert_array_equal(again, points.rates)
    rows = [tuple(row) for row in off_diagonal_points(points.rates)]
    assert rows == sorted(set(rows))
    assert points.weights.min() > 0.0
    np.testing.assert_allclose(points.weights.sum(axis=1), 1.0, rtol=1e-12)


# --- operating_rates --------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    n_classes=st.integers(2, 6),
    kind=st.sampled_from(["integers", "real", "tenths"]),
)
def test_rates_are_those_of_numpy(seed, n_classes, kind):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(n_classes, 700))  # more than a block of the kernels
    y = np.append(np.arange(n_classes), rng.integers(0, n_classes, n - n_classes))
    scores = rng.integers(0, 4, size=(n, n_classes)) / {"tenths": 10.0}.get(kind, 1.0)
    weights = rng.integers(0, 4, size=(5, n_classes)) / {"tenths": 10.0}.get(kind, 1.0)
    weights[:, rng.integers(n_classes)] += 1.0
    if kind == "real":
        scores, weights = rng.random(scores.shape), spread_weights(5, n_classes, 3.0, rng)
    sample_weight = rng.exponential(size=n)
    ours = operating_rates(y, scores, weights)
    weighted = operating_rates(y, scores, weights, sample_weight=sample_weight)
    for i, row in enumerate(weights):
        np.testing.assert_array_equal(ours[i], rates_by_numpy(y, scores, row, n_classes))
        theirs = rates_by_numpy(y, scores, row, n_classes, sample_weight)
        np.testing.assert_allclose(weighted[i], theirs, rtol=0, atol=1e-13)


@pytest.mark.parametrize("n_classes", [2, 3, 5])
@pytest.mark.parametrize("exponent", [-1000, -400, 300, 900])
def test_scale_of_scores_and_weights_does_not_matter(n_classes, exponent):
    y, scores = gaussian_scores(50, n_classes, 0)
    rng = np.random.default_rng(0)
    weights = spread_weights(20, n_classes, 1.0, rng)
    expected = operating_rates(y, scores, weights)
    scores = np.ldexp(scores, exponent * rng.integers(0, 2, size=(50, 1)))
    weights = np.ldexp(weights, exponent * rng.integers(0, 2, size=(20, 1)))
    np.testing.assert_array_equal(operating_rates(y, scores, weights), expected)


def test_products_next_to_the_end_of_floats_are_compared():
    # 1e-300 * 1e-10 against 1e-10 * 3e-300, and what wins once zeros have left nothing else
    rates = operating_rates([0, 1], [[1e-300, 1e-10], [1.0, 1e-300]], [1e-10, 3e-300])
    assert rates.tolist() == [[0.0, 1.0], [1.0, 0.0]]
    assert operating_rates([0, 1], [[1.0, 1e-300]] * 2, [0.0, 1e-300])[0].tolist() == [0.0, 1.0]


@pytest.mark.parametrize("n_classes", [2, 3, 4])
def test_weights_at_both_ends_of_floats(n_classes):
    rng = np.random.default_rng(n_classes)
    y = np.arange(60) % n_classes
    scores = rng.random((60, n_classes)) * rng.integers(2, size=(60, n_classes))
    scores[np.arange(60), rng.integers(n_classes, size=60)] += 0.1  # one at least is positive
    weights = 10.0 ** rng.uniform(-307, 308, size=(50, n_classes))
    weights[:20] = 10.0 ** rng.choice([-307.0, 308.0], size=(20, n_classes))
    found = operating_rates(y, scores, weights)
    for rates, weight in zip(found, weights, strict=True):
        called = [
            max(range(n_classes), key=lambda j, row=row: Fraction(row[j]) * Fraction(weight[j]))
            for row in scores
        ]
        np.testing.assert_array_equal(
            rates, confusion_matrix(y, called, labels=range(n_classes), normalize="true")
        )


def test_one_weighting_many_and_none():
    y, scores = gaussian_scores(30, 3, 1)
    weights = spread_weights(4, 3, 1.0, np.random.default_rng(1))
    many = operating_rates(y, scores, weights)
    assert many.shape == (4, 3, 3)
    np.testing.assert_array_equal(operating_rates(y, scores, weights[2]), many[2])
    assert operating_rates(y, scores, weights[2].tolist()).shape == (3, 3)
    assert operating_rates(y, scores, np.empty((0, 3))).shape == (0, 3, 3)


@pytest.mark.parametrize("n_classes", [2, 3, 4])
def test_blocks_of_weightings_change_nothing(n_classes, monkeypatch):
    y, scores = gaussian_scores(30, n_classes, 2)
    weights = spread_weights(11, n_classes, 1.0, np.random.default_rng(2))
    expected = operating_rates(y, scores, weights)
    monkeypatch.setattr(_operating_points, "_BLOCK_CELLS", 3 * n_classes**2)
    np.testing.assert_array_equal(operating_rates(y, scores, weights), expected)


@pytest.mark.parametrize("n_classes", [2, 3, 4])
def test_ties_go_to_the_lowest_class(n_classes):
    y = np.arange(n_classes)
    for constant in (1.0, 0.0):
        scores = np.full((n_classes, n_classes), constant)
        rates = operating_rates(y, scores, np.ones(n_classes))
        np.testing.assert_array_equal(rates[:, 0], np.ones(n_classes))
    last = operating_rates(y, np.ones((n_classes, n_classes)), np.arange(n_classes))
    np.testing.assert_array_equal(last[:, -1], np.ones(n_classes))


def test_one_column_is_the_probability_of_the_second_class():
    y, scores = gaussian_scores(40, 2, 3)
    s = scores[:, 1]
    columns = np.column_stack([1.0 - s, s])
    weights = spread_weights(50, 2, 2.0, np.random.default_rng(3))
    np.testing.assert_array_equal(
        operating_rates(y, s, weights), operating_rates(y, columns, weights)
    )
    for one, two in zip(operating_points(y, s), operating_points(y, columns), strict=True):
        np.testing.assert_array_equal(one, two)
    np.testing.assert_array_equal(
        weights_for_rates(y, s, 0.5), weights_for_rates(y, columns, 0.5)
    )


# --- operating_points -------------------------------------------------------------


@settings(max_examples=150, deadline=None)
@given(case=tied_cases(3))
def test_all_points_of_three_classes_against_enumeration(case):
    codes, scores = case
    points = operating_points(codes, scores)
    truth = operating_counts_by_hand(codes.tolist(), scores)
    assert as_counts(points.rates, codes) == truth
    assert_consistent(codes, scores, points)
    pareto = operating_points(codes, scores, pareto=True)
    best = non_dominated_rows(off_diagonal_points(points.rates.tolist()))
    assert {tuple(row) for row in off_diagonal_points(pareto.rates.tolist())} == best
    assert_consistent(codes, scores, pareto)


@settings(max_examples=60, deadline=None)
@given(case=tied_cases(2, most=9))
def test_all_points_of_two_classes_against_enumeration(case):
    codes, scores = case
    points = operating_points(codes, scores)
    assert as_counts(points.rates, codes) == two_class_counts_by_hand(codes, scores)
    assert_consistent(codes, scores, points)


@pytest.mark.parametrize(("n_classes", "n"), [(2, 2), (2, 50), (3, 3), (3, 11), (3, 150)])
def test_number_of_points_without_ties(n_classes, n):
    y, scores = gaussian_scores(n, n_classes, 4)
    points = operating_points(y, scores)
    assert len(points.rates) == comb(n + n_classes - 1, n_classes - 1)
    # one for each way to say how many cases are called what
    called = np.einsum("k,mkj->mj", np.bincount(y), points.rates)
    assert len(np.unique(np.rint(called), axis=0)) == len(points.rates)
    assert_consistent(y, scores, points)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("kind", ["real", "tenths", "with zeros"])
def test_no_weighting_leads_elsewhere(n_classes, kind):
    y, scores = gaussian_scores(25, n_classes, 5, shift=0.5)
    if kind == "tenths":
        scores = np.round(scores, 1) + 0.1
    if kind == "with zeros":
        scores[scores < 0.15] = 0.0
        scores[3] = 0.0
    listed = as_counts(operating_points(y, scores).rates, y)
    weights = spread_weights(100_000, n_classes, 6.0, np.random.default_rng(5))
    found = np.unique(operating_rates(y, scores, weights), axis=0)
    assert as_counts(found, y) <= listed
    assert len(found) > 0.3 * len(listed)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_factors_of_columns_and_rows_change_weights_only(n_classes):
    y, scores = gaussian_scores(40, n_classes, 6)
    rng = np.random.default_rng(6)
    points = operating_points(y, scores)
    factors = spread_weights(1, n_classes, 5.0, rng)
    scaled = scores * factors * spread_weights(40, 1, 5.0, rng)
    other = operating_points(y, scaled)
    np.testing.assert_array_equal(other.rates, points.rates)
    np.testing.assert_array_equal(
        operating_rates(y, scores, other.weights * factors), points.rates
    )


@pytest.mark.parametrize("n_classes", [2, 3, 4])
def test_weights_of_samples_are_repetitions(n_classes):
    y, scores = gaussian_scores(30, n_classes, 7)
    times = np.random.default_rng(7).integers(0, 4, size=30)
    times[:n_classes] = 2
    again, repeated = np.repeat(y, times), np.repeat(scores, times, axis=0)
    weights = spread_weights(40, n_classes, 2.0, np.random.default_rng(7))
    rates = operating_rates(again, repeated, weights)
    ours = operating_rates(y, scores, weights, sample_weight=times)
    np.testing.assert_array_equal(ours, rates)
    sevenths = operating_rates(y, scores, weights, sample_weight=times / 7.0)
    np.testing.assert_allclose(sevenths, rates, rtol=0, atol=1e-14)
    target = true_rates(rates[0])
    np.testing.assert_array_equal(
        weights_for_rates(y, scores, target, sample_weight=times),
        weights_for_rates(again, repeated, target),
    )
    if n_classes < 4:
        ours = operating_points(y, scores, sample_weight=times)
        theirs = operating_points(again, repeated)
        np.testing.assert_array_equal(ours.rates, theirs.rates)
        np.testing.assert_array_equal(ours.weights, theirs.weights)


@pytest.mark.parametrize("n_classes", [2, 3, 4])
def test_rounding_of_sample_weights_makes_no_points(n_classes):
    # 0.1 + 0.2 - 0.2 is not 0.1, and sums in another order differ in the last bit
    y, scores = gaussian_scores(60, n_classes, 8)
    weight = 10.0 ** np.random.default_rng(8).uniform(-12, 3, size=60)
    points = operating_points(y, scores, sample_weight=weight, random_state=0)
    assert_consistent(y, scores, points, sample_weight=weight)
    if n_classes < 4:
        assert len(points.rates) == comb(60 + n_classes - 1, n_classes - 1)


def test_blocks_of_lines_change_nothing(monkeypatch):
    y, scores = gaussian_scores(40, 3, 9)
    scores = np.round(scores, 2)
    whole = [operating_points(y, scores, pareto=pareto) for pareto in (False, True)]
    monkeypatch.setattr(_operating, "_BLOCK_ROWS", 1)
    for pareto in (False, True):
        points = operating_points(y, scores, pareto=pareto)
        np.testing.assert_array_equal(points.rates, whole[pareto].rates)
        np.testing.assert_array_equal(points.weights, whole[pareto].weights)


@pytest.mark.parametrize("scale", [30.0, 150.0, 400.0])
def test_extreme_scores(scale):
    # weights that do not fit into floats are left out, and scores that vanish
    y, scores = gaussian_scores(60, 3, 10, scale=scale)
    points = operating_points(y, scores)
    assert_consistent(y, scores, points)
    everything = comb(62, 2)
    assert len(points.rates) == everything if scale < 100.0 else len(points.rates) > 100


@pytest.mark.parametrize("spread", [1e-10, 1e-11, 1e-12, 1e-13, 1e-14])
def test_near_ties_are_kept_apart_or_merged_but_never_wrong(spread):
    rng = np.random.default_rng(11)
    y = np.arange(200) % 3
    centres = rng.dirichlet(np.ones(3), size=6)
    scores = centres[rng.integers(6, size=200)] * np.exp(spread * rng.normal(size=(200, 3)))
    points = operating_points(y, scores)
    assert_consistent(y, scores, points)
    assert len(points.rates) >= comb(8, 2)
    if spread <= 1e-14:
        assert len(points.rates) == comb(8, 2)


def test_limit_comes_before_the_work(monkeypatch):
    y, scores = gaussian_scores(_operating_points.MOST_VECTORS + 1, 3, 12)
    for pareto in (False, True):
        with pytest.raises(ValueError, match=r"y_score has 3001 .*4,507,503.*Round y_score"):
            operating_points(y, scores, pareto=pareto)
    assert str(_operating_points.MOST_VECTORS) in operating_points.__doc__
    few = operating_points(y, np.round(scores, 1))  # equal rows are collapsed first
    assert len(few.rates) < comb(70, 2)
    y, scores = gaussian_scores(5000, 2, 12)
    assert len(operating_points(y, scores).rates) == 5001


@pytest.mark.parametrize(("n_classes", "n"), [(2, 9), (3, 9), (4, 8)])
def test_points_are_the_prices_of_transport(n_classes, n):
    y, scores = gaussian_scores(n, n_classes, 13)
    points = operating_points(y, scores, n_weights=50_000, random_state=0)
    assert len(points.rates) == comb(n + n_classes - 1, n_classes - 1)
    assert as_counts(points.rates, y) == counts_by_transport(y, scores)
    assert_consistent(y, scores, points)


def test_sampled_points():
    y, scores = gaussian_scores(150, 5, 14)
    scores[scores < 0.01] = 0.0
    options = {"n_weights": 400, "random_state": 0}
    points = operating_points(y, scores, **options)
    assert_consistent(y, scores, points)
    assert 300 < len(points.rates) <= 400
    again = operating_points(y, scores, **options)
    np.testing.assert_array_equal(again.rates, points.rates)
    np.testing.assert_array_equal(again.weights, points.weights)
    other = operating_points(y, scores, n_weights=400, random_state=1)
    assert other.rates.shape != points.rates.shape or (other.rates != points.rates).any()
    pareto = operating_points(y, scores, pareto=True, **options)
    rows = off_diagonal_points(points.rates.tolist())
    kept = {tuple(row) for row in off_diagonal_points(pareto.rates.tolist())}
    assert kept == non_dominated_rows(rows)
    assert len(kept) < len(rows)


def test_a_single_weighting_is_the_equal_one():
    y, scores = gaussian_scores(20, 4, 15)
    points = operating_points(y, scores, n_weights=1)
    np.testing.assert_array_equal(points.weights, np.full((1, 4), 0.25))


def test_sampled_points_reach_the_trivial_classifiers():
    y, scores = gaussian_scores(40, 4, 16)
    diagonals = true_rates(operating_points(y, scores, n_weights=50, random_state=0).rates)
    for row in np.eye(4):
        assert (diagonals == row).all(axis=1).any()


def test_repr_and_unpacking():
    y, scores = gaussian_scores(10, 3, 17)
    points = operating_points(y, scores)
    rates, weights = points
    assert isinstance(points, OperatingPoints)
    assert rates.shape == (66, 3, 3)
    assert weights.shape == (66, 3)
    assert repr(points) == "OperatingPoints(66 operating points of 3 classes)"
    one = OperatingPoints(rates[:1], weights[:1])
    assert repr(one) == "OperatingPoints(1 operating point of 3 classes)"


# --- all three --------------------------------------------------------------------

CALLS = {
    "operating_rates": lambda *args, **options: operating_rates(*args, np.ones(3), **options),
    "operating_points": operating_points,
    "weights_for_rates": lambda *args, **options: weights_for_rates(*args, 0.1, **options),
}
every_function = pytest.mark.parametrize("name", CALLS)
Y, SCORES = gaussian_scores(12, 3, 23)


@every_function
def test_bad_scores(name):
    call = CALLS[name]
    with pytest.raises(ValueError, match=r"y_score must not be negative.*-0.5"):
        call(Y, SCORES - 0.5 - SCORES.min())
    with pytest.raises(ValueError, match=r"y_score must be finite"):
        call(Y, np.where(np.eye(12, 3), np.nan, SCORES))
    with pytest.raises(ValueError, match=r"y_true and y_score must have the same length"):
        call(Y[:-1], SCORES)
    with pytest.raises(ValueError, match=r"y_score must have one column for each"):
        call(Y, SCORES[:, :2])
    with pytest.raises(ValueError, match=r"y_score has 3 columns.*labels="):
        call(Y % 2, SCORES)
    with pytest.raises(ValueError, match=r"sample_weight must not be negative"):
        call(Y, SCORES, sample_weight=-np.ones(12))
    with pytest.raises(ValueError, match=r"labels must not repeat"):
        call(Y, SCORES, labels=[0, 1, 2, 2])


@pytest.mark.parametrize("scores", [[-0.1, 0.5, 0.7], [0.1, 0.5, 1.5], [-3.0, 0.0, 5.0]])
def test_one_column_must_be_a_probability(scores):
    y = [0, 1, 1]
    message = r"y_score must be a probability between 0 and 1.*\(1 - s, s\)"
    for call in (
        lambda: operating_rates(y, scores, [1, 1]),
        lambda: operating_points(y, scores),
        lambda: weights_for_rates(y, scores, 0.5),
    ):
        with pytest.raises(ValueError, match=message):
            call()


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1, 2], r"weights must have shape \(m, 3\) or \(3,\).*\(2,\)"),
        (1.0, r"weights must have shape"),
        (np.ones((2, 2, 3)), r"weights must have shape"),
        ([1, -2, 3], r"weights must not be negative.*-2"),
        ([[1, 2, 3], [0, 0, 0]], r"weights must have a positive entry"),
        ([1, np.nan, 3], r"weights must be finite"),
        (["a", "b", "c"], r"weights must hold numbers; got text"),
    ],
)
def test_bad_weights(weights, message):
    with pytest.raises(ValueError, match=message):
        operating_rates(Y, SCORES, weights)


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ([0.5, 0.5], r"target must be a number or have shape \(3,\)"),
        ([[0.5] * 3], r"target must be a number or have shape"),
        (1.1, r"target must be between 0 and 1; got 1.1"),
        ([0.5, -0.1, 0.5], r"target must be between 0 and 1"),
        (np.nan, r"target must be finite"),
        ("high", r"target must be a numeric array"),
    ],
)
def test_bad_targets(target, message):
    with pytest.raises(ValueError, match=message):
        weights_for_rates(Y, SCORES, target)


def test_bad_options_of_points():
    with pytest.raises(ValueError, match=r"pareto must be one of False, True"):
        operating_points(Y, SCORES, pareto="yes")
    with pytest.raises(ValueError, match=r"n_weights must be an integer of at least 1"):
        operating_points(Y, SCORES, n_weights=0)
    with pytest.raises(ValueError, match=r"random_state must be"):
        operating_points(Y, SCORES, random_state="seed")
    y, scores = gaussian_scores(40, 17, 24)
    assert operating_points(y, scores, n_weights=9, random_state=0).rates.shape == (9, 17, 17)
    with pytest.raises(ValueError, match=r"pareto=True takes at most 16 classes; got 17"):
        operating_points(y, scores, pareto=True)


@pytest.mark.parametrize("n_classes", [2, 3, 4])
def test_classes_without_cases_have_no_rates(n_classes):
    y, scores = gaussian_scores(20, n_classes, 25)
    y[y == 1] = 0
    labels = np.arange(n_classes)
    weights = spread_weights(6, n_classes, 2.0, np.random.default_rng(25))
    with pytest.warns(UndefinedMetricWarning, match=r"no case.*\[1\]") as caught:
        rates = operating_rates(y, scores, weights, labels=labels)
    assert caught[0].filename == __file__
    for row, theirs in zip(weights, rates, strict=True):
        np.testing.assert_array_equal(theirs, rates_by_numpy(y, scores, row, n_classes))
    assert np.isnan(rates[:, 1]).all()
    with pytest.warns(UndefinedMetricWarning, match=r"no case.*\[1\]"):
        points = operating_points(y, scores, labels=labels, random_state=0)
    assert np.isnan(points.rates[:, 1]).all()
    others = np.delete(points.rates, 1, axis=1)
    assert len(np.unique(others, axis=0)) == len(others) > n_classes
    with pytest.warns(UndefinedMetricWarning):
        again = operating_rates(y, scores, points.weights, labels=labels)
    np.testing.assert_array_equal(again, points.rates)
    with pytest.raises(ValueError, match=r"y_true has no case .*\[1\]"):
        weights_for_rates(y, scores, 0.1, labels=labels)


@every_function
def test_labels_name_the_columns(name):
    names = np.array(["oak", "ash", "elm"])
    ours = CALLS[name](names[Y], SCORES, labels=names)
    expected = CALLS[name](Y, SCORES)
    if name != "operating_points":
        ours, expected = [ours], [expected]
    for one, two in zip(ours, expected, strict=True):
        np.testing.assert_array_equal(one, two)


@every_function
def test_inputs_are_never_modified(name):
    scores = SCORES.copy()
    scores[3:6] = [[0, 1, 0], [0, 0, 0], [1, 0, 0]]
    inputs = [Y.copy(), scores, np.arange(3), np.linspace(1.0, 2.0, 12)]
    copies = [array.copy() for array in inputs]
    for writeable in (False, True):
        for array in inputs:
            array.flags.writeable = writeable
        CALLS[name](inputs[0], inputs[1], labels=inputs[2], sample_weight=inputs[3])
        for array, copy in zip(inputs, copies, strict=True):
            np.testing.assert_array_equal(array, copy)
    weights = np.ones((2, 3))
    weights.flags.writeable = False
    operating_rates(Y, SCORES, weights)
