"""The polytope VUS of soft classifiers, and the operating points behind it."""

from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial import ConvexHull
from sklearn.metrics import roc_auc_score, roc_curve
from slow_twins import non_dominated_rows, off_diagonal_points, operating_counts_by_hand

from skvus import polytope_vus, polytope_vus_score, soft_polytope_vus_score
from skvus.metrics import _operating, _soft_polytope


def gaussian_posteriors(n, n_classes, shift, seed):
    rng = np.random.default_rng(seed)
    y = np.append(np.arange(n_classes), rng.integers(0, n_classes, n - n_classes))
    logits = rng.normal(size=(n, n_classes))
    logits[np.arange(n), y] += shift
    proba = np.exp(logits)
    return y, proba / proba.sum(axis=1, keepdims=True)


@st.composite
def tied_cases(draw):
    """Labels and small integer scores: ties of all kinds, zeros, empty rows."""
    n = draw(st.integers(3, 7))
    codes = [0, 1, 2, *draw(st.lists(st.integers(0, 2), min_size=n - 3, max_size=n - 3))]
    score = st.tuples(*[st.integers(0, 4)] * 3)
    scores = draw(st.lists(score, min_size=n, max_size=n))
    return codes, scores


@settings(max_examples=150, deadline=None)
@given(case=tied_cases())
def test_three_class_operating_points_against_enumeration(case):
    codes, scores = case
    by_hand = operating_counts_by_hand(codes, scores)
    truth = non_dominated_rows(off_diagonal_points([[*map(list, c)] for c in by_hand]))
    logs = _operating.log_columns(np.array(scores, dtype=float))
    distinct, mass = _operating.collapse(logs, np.array(codes), np.ones(len(codes)))
    totals = np.repeat(np.bincount(codes), 2)
    points = _operating.all_operating_points(distinct, mass) * totals
    assert {tuple(row) for row in np.round(points).astype(int).tolist()} == truth


@pytest.mark.parametrize("n", [1, 5, 20])
def test_number_of_cells_without_ties(n):
    from skvus._kernels.arrangement import sweep_lines

    # each case is a unit of its own "class", so that every cell has counts of its own
    rng = np.random.default_rng(n)
    u, w = rng.normal(size=(2, n))
    d = u - w
    mass = np.zeros((n, 3))
    mass[:, 0] = 2.0 ** np.arange(n)
    order_u, order_w, order_d = (np.argsort(x) for x in (u, w, d))
    up = (u, w, -d, order_w, order_d[::-1].copy(), mass, np.array([0, 1, 2]))
    right = (w, u, d, order_u, order_d, mass, np.array([0, 2, 1]))
    lines = np.append(np.sort(u), 100.0)
    cells = np.concatenate([sweep_lines(lines, *up), sweep_lines(np.sort(w), *right)])
    # each cell is met once
    assert len(cells) == len(np.unique(cells, axis=0)) == (n + 1) * (n + 2) // 2


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), n=st.integers(3, 12))
def test_random_weightings_never_leave_the_region(seed, n):
    y, proba = gaussian_posteriors(n, 3, 1.0, seed)
    exact = soft_polytope_vus_score(y, proba, method="exact")
    rng = np.random.default_rng(seed)
    eye = np.eye(3)
    rates = []
    for phi in np.exp(3.0 * rng.normal(size=(40, 3))):
        called = np.argmax(proba * phi, axis=1)
        rates.append([eye[called[y == k]].mean(axis=0) for k in range(3)])
    assert polytope_vus(rates, normalize="max") <= exact * (1.0 + 1e-9)


def test_dense_weightings_reach_the_exact_volume():
    y, proba = gaussian_posteriors(12, 3, 1.0, 0)
    eye = np.eye(3)
    grid = np.linspace(-6.0, 6.0, 161)
    rates = []
    for a in grid:
        for b in grid:
            called = np.argmax(np.log(proba) + [0.0, a, b], axis=1)
            rates.append([eye[called[y == k]].mean(axis=0) for k in range(3)])
    rates = np.unique(np.round(rates, 12), axis=0)
    ours = soft_polytope_vus_score(y, proba)
    assert ours == pytest.approx(polytope_vus(rates, normalize="max"), rel=1e-9)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), decimals=st.sampled_from([1, 2, 15]))
def test_two_classes_are_the_area_under_the_roc_hull(seed, decimals):
    rng = np.random.default_rng(seed)
    y = np.append([0, 1], rng.integers(0, 2, 40))
    p = np.round(rng.beta(1 + y, 2 - y), decimals)
    fpr, tpr, _ = roc_curve(y, p)
    corners = np.column_stack([np.append(fpr, [0, 1, 1]), np.append(tpr, [0, 1, 0])])
    area = ConvexHull(corners, qhull_options="QJ").volume
    # the zeros and ones of rounded probabilities cannot be outweighed as columns, but the
    # trivial classifiers stand in for what they cut off
    assert soft_polytope_vus_score(y, p) == pytest.approx(area, rel=1e-6)
    columns = np.column_stack([1.0 - p, p])
    assert soft_polytope_vus_score(y, columns) == pytest.approx(area, rel=1e-6)
    assert soft_polytope_vus_score(y, p) >= roc_auc_score(y, p) - 1e-9


def test_any_real_score_will_do_for_two_classes():
    y = np.array([0, 0, 1, 0, 1, 1])
    s = np.array([-3.0, -1.0, 0.5, 0.7, 2.0, 9.0])
    assert soft_polytope_vus_score(y, s) == soft_polytope_vus_score(y, s * 1e6)
    assert soft_polytope_vus_score(y, s) == pytest.approx(17 / 18)
    assert soft_polytope_vus_score(y, s.reshape(-1, 1)) == soft_polytope_vus_score(y, s)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_rescaled_columns_and_rows_change_nothing(n_classes):
    y, proba = gaussian_posteriors(60, n_classes, 1.0, 1)
    ours = soft_polytope_vus_score(y, proba)
    columns = proba * np.array([0.3, 5.0, 1.7])[:n_classes]
    rows = columns * np.linspace(0.1, 10.0, 60)[:, np.newaxis]
    assert soft_polytope_vus_score(y, columns) == pytest.approx(ours, rel=1e-9)
    assert soft_polytope_vus_score(y, rows) == pytest.approx(ours, rel=1e-9)


def test_one_hot_scores_are_the_crisp_classifier():
    rng = np.random.default_rng(0)
    y = np.append([0, 1, 2], rng.integers(0, 3, 60))
    called = np.where(rng.random(63) < 0.7, y, rng.integers(0, 3, 63))
    crisp = polytope_vus_score(y, called)
    assert soft_polytope_vus_score(y, np.eye(3)[called]) == pytest.approx(crisp, rel=1e-9)
    assert soft_polytope_vus_score(y, np.eye(3)[y]) == 1.0


def test_constant_scores_are_worth_the_minimum():
    y = [0, 1, 2, 2]
    constant = np.full((4, 3), 1 / 3)
    assert soft_polytope_vus_score(y, constant, normalize=None) == pytest.approx(1 / 180)
    assert soft_polytope_vus_score(y, constant, normalize="range") == pytest.approx(
        0, abs=1e-12
    )
    assert soft_polytope_vus_score(y, np.zeros((4, 3)), normalize=None) == pytest.approx(
        1 / 180
    )


def test_ties_on_paper_are_ties():
    # 0.2/0.1 = 0.4/0.2 on paper, but not in the last bit of the logarithms; exact integer
    # scores of the same ratios must give the same answer
    rng = np.random.default_rng(5)
    y = np.append([0, 1, 2], rng.integers(0, 3, 40))
    tenths = rng.integers(1, 9, size=(43, 3))
    assert soft_polytope_vus_score(y, tenths / 10.0) == pytest.approx(
        soft_polytope_vus_score(y, tenths * 7.0), rel=1e-12
    )


@pytest.mark.parametrize(("n_classes", "shift"), [(2, 1.0), (3, 0.5), (3, 2.0)])
def test_bounds_lie_just_below_the_exact_value(n_classes, shift):
    y, proba = gaussian_posteriors(150, n_classes, shift, 2)
    exact = soft_polytope_vus_score(y, proba, method="exact")
    bound = soft_polytope_vus_score(y, proba, method="bound", random_state=0)
    assert 0.97 * exact < bound <= exact * (1.0 + 1e-9)
    rough = soft_polytope_vus_score(y, proba, method="bound", n_costs=3, random_state=0)
    assert rough < bound


def test_details_tell_exact_from_bound():
    y, proba = gaussian_posteriors(100, 3, 1.0, 3)
    exact = soft_polytope_vus_score(y, proba, return_details=True)
    assert exact.is_exact
    assert not exact.is_lower_bound
    assert exact.standard_error == 0.0
    assert exact.n_operating_points > 10
    assert float(exact) == exact.score == soft_polytope_vus_score(y, proba)
    bound = soft_polytope_vus_score(
        y, proba, method="bound", random_state=0, return_details=True
    )
    assert bound.is_lower_bound
    assert not bound.is_exact
    assert "lower bound" in repr(bound)
    y, proba = gaussian_posteriors(100, 5, 1.0, 3)
    sampled = soft_polytope_vus_score(y, proba, random_state=0, return_details=True)
    assert sampled.is_lower_bound
    assert sampled.method == "monte_carlo"
    assert sampled.standard_error > 0.0
    assert "+/-" in repr(sampled)
    assert float(sampled) == soft_polytope_vus_score(y, proba, random_state=0)
    assert float(sampled) != soft_polytope_vus_score(y, proba, random_state=1)


def test_auto_switches_to_a_bound_for_many_distinct_scores():
    y, proba = gaussian_posteriors(700, 3, 1.0, 4)
    result = soft_polytope_vus_score(y, proba, random_state=0, return_details=True)
    assert result.is_lower_bound
    few = soft_polytope_vus_score(y, np.round(proba, 1), return_details=True)
    assert few.is_exact  # equal rows are collapsed first
    y, proba = gaussian_posteriors(20, 4, 1.0, 4)
    with pytest.raises(ValueError, match=r"method='exact'.*method='bound'"):
        soft_polytope_vus_score(y, proba, method="exact")


def test_two_classes_are_exact_however_many():
    y, proba = gaussian_posteriors(600, 2, 1.0, 4)
    result = soft_polytope_vus_score(y, proba, return_details=True)
    assert result.is_exact
    assert not result.is_lower_bound


def test_limits_of_three_classes(monkeypatch):
    y, proba = gaussian_posteriors(6, 3, 0.0, 4)
    score = partial(soft_polytope_vus_score, y, proba, n_costs=1, return_details=True)
    monkeypatch.setattr(_soft_polytope, "_AUTO_CASES", 5)
    assert score(method="exact").standard_error == 0.0
    assert not score(method="exact").is_lower_bound
    assert score(random_state=0).is_lower_bound
    monkeypatch.setattr(_soft_polytope, "_AUTO_CASES", 6)
    assert not score().is_lower_bound
    monkeypatch.setattr(_soft_polytope, "_EXACT_CASES", 5)
    with pytest.raises(ValueError, match="at most 5 distinct"):
        score(method="exact")


def test_hulls_that_fail(monkeypatch):
    y, proba = gaussian_posteriors(8, 3, 1.0, 4)

    def fails(members):
        raise ArithmeticError("flat")

    def samples(members, *, method, rng):
        return 0.5, 0.1, method

    monkeypatch.setattr(_soft_polytope, "exact_volume", fails)
    monkeypatch.setattr(_soft_polytope, "volume", samples)
    with pytest.raises(ArithmeticError, match="flat"):
        soft_polytope_vus_score(y, proba, method="exact")
    result = soft_polytope_vus_score(y, proba, normalize="max", return_details=True)
    assert (result, result.standard_error, result.method) == (0.5, 0.1, "monte_carlo")


def test_first_cases_that_are_alike_hide_no_others():
    logs = np.log(np.random.default_rng(0).dirichlet(np.ones(3), 30))
    logs[:12] = logs[0]
    assert _operating.n_vectors(logs, beyond=3) > 3
    assert _operating.n_vectors(logs) == 19


def test_differences_next_to_infinite_ones_are_merged():
    values = np.array([1.0, -np.inf, 1.0 + 1e-15, 2.0, np.nan, -np.inf])
    expected = [1.0, -np.inf, 1.0, 2.0, np.inf, -np.inf]
    assert _operating._snap(values).tolist() == expected


def test_a_sample_has_its_share_of_every_class():
    codes = np.repeat([0, 1, 2], [3000, 1500, 900])
    weight = np.ones(codes.size)
    weight[:1000] = 0.0
    rng = np.random.default_rng(0)
    sample = _operating._stratified_sample(codes, weight, 3, rng)
    share = _operating._SEARCH_CASES // 3
    assert len(np.unique(sample)) == len(sample)
    assert np.bincount(codes[sample]).tolist() == [share] * 3
    assert sample.min() >= 1000


def test_a_search_on_a_sample_still_gives_a_valid_bound(monkeypatch):
    y, proba = gaussian_posteriors(300, 3, 1.0, 5)
    exact = soft_polytope_vus_score(y, proba)
    monkeypatch.setattr(_operating, "_SEARCH_CASES", 60)
    bound = soft_polytope_vus_score(y, proba, method="bound", random_state=0)
    assert 0.8 * exact < bound <= exact


def test_blocks_of_lines_change_nothing(monkeypatch):
    y, proba = gaussian_posteriors(40, 3, 1.0, 6)
    ours = soft_polytope_vus_score(y, proba)
    monkeypatch.setattr(_operating, "_BLOCK_ROWS", 1)
    assert soft_polytope_vus_score(y, proba) == pytest.approx(ours, rel=1e-12)


@pytest.mark.parametrize("n_classes", [2, 3, 4])
def test_weights_count_as_repetitions(n_classes):
    y, proba = gaussian_posteriors(30, n_classes, 1.0, 7)
    weight = np.random.default_rng(0).integers(1, 4, 30)
    for method in ("auto", "bound"):
        weighted = soft_polytope_vus_score(
            y, proba, sample_weight=weight, method=method, random_state=0
        )
        repeated = soft_polytope_vus_score(
            np.repeat(y, weight),
            np.repeat(proba, weight, axis=0),
            method=method,
            random_state=0,
        )
        # sums are added up in another order
        assert weighted == pytest.approx(repeated, rel=1e-9 if method == "auto" else 0.02)


def test_limits_are_documented_where_they_are_used():
    text = soft_polytope_vus_score.__doc__
    assert str(_soft_polytope._AUTO_CASES) in text
    assert str(_soft_polytope._EXACT_CASES) in text


def test_results_are_floats_that_know_more():
    import pickle

    y, proba = gaussian_posteriors(40, 3, 1.0, 8)
    result = soft_polytope_vus_score(y, proba, return_details=True)
    assert f"{result:.3f}" == f"{float(result):.3f}"
    assert result == float(result)
    assert 0.0 < result < 1.0
    again = pickle.loads(pickle.dumps(result))
    assert repr(again) == repr(result)
    assert vars(again) == vars(result)


def test_undefined_results_have_details_too():
    result = soft_polytope_vus_score(
        [0, 1, 1], np.full((3, 3), 1 / 3), replace_undefined_by=0.5, return_details=True
    )
    assert result == 0.5
    assert np.isnan(result.standard_error)
    assert (result.method, result.n_operating_points) == ("undefined", 0)
    assert not result.is_exact
    assert not result.is_lower_bound


def test_soft_estimates_lost_in_their_error_warn():
    rng = np.random.default_rng(0)
    y = np.arange(300) % 8
    proba = rng.dirichlet(np.ones(8), 300)
    with pytest.warns(UserWarning, match=r"lost in its standard error.*return_details"):
        soft_polytope_vus_score(y, proba, n_costs=50, random_state=0)


def test_a_bound_that_reaches_the_maximum_is_no_bound():
    y = np.arange(20) % 4
    result = soft_polytope_vus_score(y, np.eye(4)[y], random_state=0, return_details=True)
    assert result == 1.0
    assert result.is_exact
    assert repr(result) == "VUSResult(1, exact, 1 operating point)"


def test_very_unequal_weights_are_sampled_where_the_hull_fails():
    y, proba = gaussian_posteriors(450, 3, 1.0, 9)
    weight = 10.0 ** np.random.default_rng(0).uniform(-12, 0, 450)
    options = {"sample_weight": weight, "random_state": 0, "return_details": True}
    result = soft_polytope_vus_score(y, proba, **options)
    bound = soft_polytope_vus_score(y, proba, method="bound", **options)
    assert not result.is_lower_bound
    slack = 4.0 * (result.standard_error + bound.standard_error) + 1e-9
    assert 0.9 * bound - slack < result
    assert bound <= result + slack


def test_distinct_one_dimensional_scores_stay_distinct():
    # probabilities next to zero, or time stamps: only their order matters
    for scores in (
        [1e-15, 2e-14, 1e-13, 5e-13],
        1.7e9 + 1e-4 * np.arange(4),
        [-1e308, 0, 1, 1e308],
    ):
        assert soft_polytope_vus_score([0, 0, 1, 1], scores) == 1.0
        assert soft_polytope_vus_score([1, 1, 0, 0], scores) == 0.5
