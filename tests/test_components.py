"""Structural components, counted and drawn, against enumeration of all tuples."""

from functools import partial

import inference_twins as twins
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import soft_problems, softmax_data, tied_cases, tied_data

from skvus.metrics import ordered_vus_score
from skvus.metrics._components import component_steps, products
from skvus.metrics._statistics import make_statistic

exact = partial(pytest.approx, rel=1e-12, abs=1e-13)
TIES = ("share", "strict", "weak")
weights = st.sampled_from(["none", "whole", "real"])


def find(score, y, predictions, weight=None, rng=0, n_jobs=None, **parameters):
    """Components of one classifier; they come with the number of tuples."""
    statistic = make_statistic(score, parameters)
    sample = statistic.check(
        y, [("y_score", predictions)], labels=np.unique(y), sample_weight=weight
    )
    components, n_tuples = statistic.components(sample, rng, n_jobs)
    return components[0], n_tuples


def draw_weight(kind, n, seed=0):
    rng = np.random.default_rng(seed)
    return {
        "none": None,
        "whole": rng.integers(1, 4, n).astype(float),
        "real": rng.exponential(size=n),
    }[kind]


def check(found, expected):
    assert found.values == exact(np.array([float(value) for value in expected]))
    assert found.is_exact


@settings(max_examples=150, deadline=None)
@given(
    data=st.data(),
    n_classes=st.sampled_from([2, 3, 4]),
    distance=st.sampled_from(["euclidean", "sum", "product"]),
    ties=st.sampled_from(TIES),
    kind=weights,
)
def test_ordering(data, n_classes, distance, ties, kind):
    y, fractions, proba = data.draw(soft_problems(n_classes, 3))
    weight = draw_weight(kind, y.size)
    if n_classes == 2:  # the second column decides
        proba, fractions = proba[:, 1], proba[:, 1]
    found, n_tuples = find("ordered_vus", y, proba, weight, distance=distance, ties=ties)
    check(found, twins.ordering_components(y, fractions, distance, ties, weight))
    assert n_tuples == np.prod(np.bincount(y))


@settings(max_examples=25, deadline=None)
@given(data=st.data(), ties=st.sampled_from(TIES), kind=weights)
def test_ordering_of_five_classes(data, ties, kind):
    y, fractions, proba = data.draw(soft_problems(5, 2))
    weight = draw_weight(kind, y.size)
    found, _ = find("simplified_vus", y, proba, weight, ties=ties)
    check(found, twins.ordering_components(y, fractions, "product", ties, weight))


@settings(max_examples=60, deadline=None)
@given(
    data=st.data(),
    n_classes=st.sampled_from([2, 3, 4]),
    limit=st.sampled_from(["right_angle", "cosine", "sector"]),
    kind=weights,
)
def test_angles(data, n_classes, limit, kind):
    y, _, proba = data.draw(soft_problems(n_classes, 3))
    weight = draw_weight(kind, y.size)
    proba = proba[:, 1] if n_classes == 2 else proba
    found, _ = find("angle_vus", y, proba, weight, limit=limit)
    check(found, twins.angle_components(y, proba, limit, weight))


@settings(max_examples=150, deadline=None)
@given(data=st.data(), n_classes=st.sampled_from([2, 3, 4]), kind=weights)
def test_ranks(data, n_classes, kind):
    y, rows = data.draw(tied_cases(n_classes, most=8))
    weight = draw_weight(kind, y.size)
    rows = np.array(rows, dtype=float)
    if n_classes == 2:
        rows = rows[:, 1]
    check(find("pdi", y, rows, weight)[0], twins.pdi_components(y, rows, weight))
    check(find("hand_till", y, rows, weight)[0], twins.hand_till_components(y, rows, weight))
    for average in ("macro", "weighted"):
        found, _ = find("one_vs_rest_auc", y, rows, weight, average=average)
        check(found, twins.one_vs_rest_components(y, rows, weight, average=average))


@settings(max_examples=100, deadline=None)
@given(
    data=st.data(),
    n_classes=st.sampled_from([2, 3, 5]),
    ties=st.sampled_from(TIES),
    kind=weights,
)
def test_ordinal(data, n_classes, ties, kind):
    y, rows = data.draw(tied_cases(n_classes, most=9))
    weight = draw_weight(kind, y.size)
    scores = np.array(rows, dtype=float)[:, 0]
    found, _ = find("ordinal_vus", y, scores, weight, ties=ties)
    check(found, twins.ordinal_components(y, scores, ties, weight))


SCORES = ("ordered_vus", "simplified_vus", "angle_vus", "pdi", "hand_till", "one_vs_rest_auc")


@pytest.mark.parametrize("score", SCORES)
@pytest.mark.parametrize("sizes", [[30, 40], [20, 35, 28], [9, 12, 7, 11]])
def test_their_mean_is_the_score_in_every_class(score, sizes):
    y, proba = softmax_data(sizes)
    weight = np.random.default_rng(1).exponential(size=y.size)
    found, _ = find(score, y, proba, weight)
    value = make_statistic(score, None).function(y, proba, sample_weight=weight)
    for k in range(len(sizes)):
        assert np.average(found.values[y == k], weights=weight[y == k]) == exact(value)
    assert found.score == exact(value)


@pytest.mark.parametrize("distance", ["euclidean", "product"])
def test_three_classes_in_blocks_and_threads(monkeypatch, distance):
    from skvus.metrics import _components, _tuples

    y, proba = tied_data(3, n=40)
    parameters = {"distance": distance, "method": "exact"}
    whole, _ = find("ordered_vus", y, proba, **parameters)
    monkeypatch.setattr(_tuples, "_TABLE_BYTES", 12 * 7**2)  # tables of seven cases
    blocks, _ = find("ordered_vus", y, proba, **parameters)
    assert blocks.values == exact(whole.values)
    monkeypatch.setattr(_components, "_PIECE_STEPS", 50)
    pieces, _ = find("ordered_vus", y, proba, **parameters)
    threads, _ = find("ordered_vus", y, proba, n_jobs=2, **parameters)
    assert pieces.values == exact(whole.values)
    assert (threads.values == pieces.values).all()


def test_four_classes_in_pieces_and_threads(monkeypatch):
    from skvus.metrics import _tuples

    y, proba = tied_data(4, n=9)
    whole, _ = find("ordered_vus", y, proba)
    monkeypatch.setattr(_tuples, "_PIECE_STEPS", 100)
    monkeypatch.setattr(_tuples, "_LAST_BLOCK", 5)
    pieces, _ = find("ordered_vus", y, proba)
    threads, _ = find("ordered_vus", y, proba, n_jobs=2)
    assert pieces.values == exact(whole.values)
    assert (threads.values == pieces.values).all()


def test_perfect_scores_are_exactly_one_with_any_weights():
    y = np.repeat(np.arange(3), 20)
    weight = np.random.default_rng(0).exponential(size=60)
    proba = 0.9 * np.eye(3)[y] + 0.1 * np.random.default_rng(1).dirichlet(np.ones(3), 60)
    for score in SCORES:
        found, _ = find(score, y, proba, weight)
        assert found.score == 1.0
        assert (found.values == 1.0).all()


def test_many_small_terms_do_not_add_up_to_an_error():
    y, proba = softmax_data([10**5] * 3)
    found, _ = find("hand_till", y, proba)
    value = make_statistic("hand_till", None).function(y, proba)
    assert found.score == pytest.approx(value, rel=2e-14)


# --- drawn ------------------------------------------------------------------------


@pytest.mark.parametrize("score", ["ordered_vus", "simplified_vus", "angle_vus"])
@pytest.mark.parametrize("sizes", [[25, 30, 20], [12, 10, 11, 14]])
@pytest.mark.parametrize("kind", ["none", "real"])
def test_drawn_components_agree_with_counted_ones(score, sizes, kind):
    y, proba = softmax_data(sizes)
    weight = draw_weight(kind, y.size)
    whole, _ = find(score, y, proba, weight, method="exact")
    drawn, n_tuples = find(score, y, proba, weight, method="sampled", n_tuples=40_000)
    assert n_tuples >= 40_000
    error = drawn.batches.std(ddof=1) / np.sqrt(drawn.batches.size)
    assert abs(drawn.score - whole.score) < 5 * error
    assert error < 0.005
    # a case is in some thousand tuples
    noise = np.sqrt(0.25 / drawn.counts.sum(axis=0))
    assert (np.abs(drawn.values - whole.values) < 6 * noise + 1e-3).all()
    # every tuple is booked once in each class
    totals = np.bincount(y, drawn.counts.sum(axis=0))
    assert totals == exact(n_tuples)


def test_noise_of_drawing_does_not_inflate_the_scatter():
    y, proba = softmax_data([40] * 4)
    whole, _ = find("ordered_vus", y, proba, method="exact")
    truth = products(whole, whole).sum()
    estimates, naive = [], []
    for seed in range(30):
        drawn, _ = find("ordered_vus", y, proba, rng=seed, method="sampled", n_tuples=1000)
        estimates.append(np.nansum(products(drawn, drawn)))
        naive.append(((drawn.values - drawn.score) ** 2).sum())
    error = np.std(estimates, ddof=1) / np.sqrt(30)
    assert abs(np.mean(estimates) - truth) < 4 * error
    assert np.mean(naive) > 1.2 * truth  # so the correction is not for nothing


def test_products_of_two_classifiers_from_the_same_tuples():
    y, proba = softmax_data([30] * 3)
    other = softmax_data([30] * 3, seed=1)[1]
    mixed = 0.5 * proba + 0.5 * other
    truth = products(*(find("ordered_vus", y, p, method="exact")[0] for p in (proba, mixed)))
    statistic = make_statistic("ordered_vus", {"method": "sampled", "n_tuples": 2000})
    sums = []
    for seed in range(30):
        sample = statistic.check(
            y, [("a", proba), ("b", mixed)], labels=None, sample_weight=None
        )
        (one, two), _ = statistic.components(sample, seed, None)
        sums.append(np.nansum(products(one, two)))
    error = np.std(sums, ddof=1) / np.sqrt(30)
    assert abs(np.mean(sums) - truth.sum()) < 4 * error


def test_draws_are_the_same_for_any_number_of_threads():
    y, proba = softmax_data([20] * 4)
    one, _ = find("ordered_vus", y, proba, method="sampled", n_tuples=5000)
    two, _ = find("ordered_vus", y, proba, n_jobs=2, method="sampled", n_tuples=5000)
    assert (one.values == two.values).all()
    assert (one.batches == two.batches).all()


def test_a_case_that_is_never_drawn_counts_as_an_average_one():
    y, proba = softmax_data([300] * 3)
    drawn, n_tuples = find("ordered_vus", y, proba, method="sampled", n_tuples=2)
    never = drawn.counts.sum(axis=0) == 0
    assert n_tuples == 128
    assert never.any()
    assert (drawn.values[never] == drawn.score).all()
    assert np.isnan(products(drawn, drawn)[never]).all()


def test_steps_grow_with_the_cases():
    assert component_steps([100, 100]) < component_steps([100, 100, 100])
    assert component_steps([50] * 4) < component_steps([60] * 4)
    # beyond a few seconds "auto" draws
    y, proba = softmax_data([100] * 5)
    assert not find("ordered_vus", y, proba)[0].is_exact
    assert ordered_vus_score(y, proba, return_details=True, random_state=0).is_exact is False


def test_large_numbers_of_tuples_are_drawn_in_batches(monkeypatch):
    from skvus.metrics import _drawn_components

    y, proba = softmax_data([10] * 3)
    monkeypatch.setattr(_drawn_components, "_LARGEST_BATCH", 100)
    drawn, n_tuples = find("ordered_vus", y, proba, method="sampled", n_tuples=20_000)
    assert drawn.batches.size == 200
    assert n_tuples == 20_000
    assert drawn.counts.sum() == 3 * n_tuples
