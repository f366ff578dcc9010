"""Thinned archives: who stays, and how much worse the rest may be."""

import numpy as np
import pytest
import thinning_twins as twins
from hypothesis import given, settings
from hypothesis import strategies as st
from search_cases import quick
from sklearn.linear_model import LogisticRegression

from skvus import ROCFront
from skvus.front._dominance import objective_keys, objective_units
from skvus.search._thinning import covering, thinned, widths


@st.composite
def archives(draw):
    n_objectives = draw(st.integers(1, 6))
    m = draw(st.integers(1, 60))
    most = draw(st.integers(1, 30))
    high = draw(st.sampled_from([1, 7, 1000, 2**50]))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    keys = rng.integers(0, high + 1, size=(m, n_objectives))
    sums = rng.integers(0, 5, size=m).astype(float)
    units = 1.0 / rng.choice([1, 3, 50, 64], size=n_objectives)
    fixed = rng.permutation(m)[: rng.integers(most // 4 + 1)]
    return keys, sums, rng.permutation(m), most, units, fixed


@settings(max_examples=200, deadline=None)
@given(case=archives())
def test_thinning_is_as_defined(case):
    keys, sums, number, most, units, fixed = case
    shifts = np.zeros(units.size, dtype=np.int64)
    kept, after = thinned(keys, sums, number, most, shifts, units, fixed)
    lists = (array.tolist() for array in (keys, sums, number))
    expected, widened = twins.thinned(
        *lists, most, shifts.tolist(), units.tolist(), fixed.tolist()
    )
    assert kept.tolist() == expected
    assert after.tolist() == widened
    assert not shifts.any()  # what was given stays


@settings(max_examples=100, deadline=None)
@given(case=archives(), seed=st.integers(0, 2**32))
def test_nothing_is_ever_far_from_a_member(case, seed):
    """However often it is thinned between insertions of others."""
    *_, most, units, _ = case
    rng = np.random.default_rng(seed)
    shifts = np.zeros(units.size, dtype=np.int64)
    seen = np.empty((0, units.size), dtype=np.int64)
    members = seen
    for _ in range(5):
        new = rng.integers(0, 200, size=(20, units.size))
        seen = np.vstack([seen, new])
        members = np.vstack([members, new])
        is_above = (members[:, None] >= members[None]).all(axis=2)
        is_above &= (members[:, None] > members[None]).any(axis=2)
        members = np.unique(members[~is_above.any(axis=1)], axis=0)
        fixed = rng.permutation(len(members))[: most // 4]
        numbers = np.arange(len(members))
        kept, shifts = thinned(members, members @ units, numbers, most, shifts, units, fixed)
        members = members[kept]
    assert len(members) <= most
    slack = widths(shifts, units)
    worse = ((members[None] - seen[:, None]) * units <= slack + 1e-12).all(axis=2)
    assert worse.any(axis=1).all()


@settings(max_examples=100, deadline=None)
@given(seed=st.integers(0, 2**32), m=st.integers(1, 600), most=st.integers(0, 20))
def test_covering_is_as_defined(seed, m, most):
    rng = np.random.default_rng(seed)
    points, samples = rng.random((m, 3)), rng.random((12, 3))
    chosen = covering(points, samples, most)
    assert chosen.tolist() == twins.covering(points.tolist(), samples.tolist(), most)
    if most >= 12:
        by_all = (points[:, None] <= samples).all(axis=2).any(axis=0)
        by_few = (points[chosen][:, None] <= samples).all(axis=2).any(axis=0)
        np.testing.assert_array_equal(by_few, by_all)


def test_units_are_those_of_the_keys():
    """A key times its unit is the rate that it stands for."""
    rng = np.random.default_rng(0)
    totals = np.array([4, 6, 10])
    rows = [rng.multinomial(n, [1 / 3] * 3, size=20) for n in totals]
    counts = np.stack(rows, axis=1)
    rates = counts / totals[:, None]
    off = ~np.eye(3, dtype=bool)
    wanted = {
        "rates": rates[:, off],
        "miss_rates": (rates * off).sum(axis=2),
        "false_alarms": (rates * off).sum(axis=1),
    }
    for objectives, expected in wanted.items():
        for given_counts in (counts, counts.astype(float)):
            keys = objective_keys(rates, given_counts, objectives)
            units = objective_units(given_counts, objectives)
            np.testing.assert_allclose(keys * units, expected, atol=1e-11)


# --- in a search ------------------------------------------------------------------


@pytest.mark.parametrize("objectives", ["rates", "miss_rates", "false_alarms"])
@pytest.mark.parametrize("most", [1, 5, 40, 10**6])
def test_searches_keep_at_most_so_many(iris, objectives, most):
    options = {"objectives": objectives, "n_generations": 30, "n_costs": 50}
    whole = quick(**options).fit(*iris)
    search = quick(**options, max_front_size=most).fit(*iris)
    assert 1 <= len(search.front_) <= most
    n_objectives = 6 if objectives == "rates" else 3
    assert search.front_resolution_.shape == (n_objectives,)
    if most == 10**6:
        np.testing.assert_array_equal(search.front_.rates, whole.front_.rates)
        assert not search.front_resolution_.any()
    if len(whole.front_) > most:
        assert search.front_resolution_.any()
    assert search.predict(iris[0]).shape == iris[1].shape


def test_what_a_thinned_search_promises(iris):
    """Of all costs that it tried, none leads to something that is better by the resolution."""
    tried = []

    def costs(rng, n, archive):
        drawn = rng.random((n, 3, 3)) * (1.0 - np.eye(3))
        tried.append(drawn / drawn.sum(axis=(1, 2), keepdims=True))
        return tried[-1]

    options = {"cost_proposal": costs, "n_costs": 200, "n_generations": 40, "cv": "prefit"}
    model = LogisticRegression().fit(*iris)
    search = quick(model, **options, max_front_size=40, refit=False).fit(*iris)
    proba = model.predict_proba(iris[0])
    chosen = np.argmin(np.einsum("nk,mkj->mnj", proba, np.concatenate(tried)), axis=2)
    counts = np.zeros((len(chosen), 3, 3))
    np.add.at(counts, (np.arange(len(chosen))[:, None], iris[1][None], chosen), 1)
    off = ~np.eye(3, dtype=bool)
    points = (counts / counts.sum(axis=2, keepdims=True))[:, off]
    members = search.front_.rates[:, off]
    is_near = members[None] <= points[:, None] + search.front_resolution_ + 1e-12
    assert is_near.all(axis=2).any(axis=1).all()
    assert search.front_resolution_.max() < 0.7


def test_the_default_operating_point_outlives_thinning(iris):
    whole = quick(n_generations=20, n_costs=50).fit(*iris)
    best = whole.front_[whole.best_index_]
    front = quick(n_generations=20, n_costs=50, max_front_size=50).fit(*iris).front_
    sums = (front.rates * ~np.eye(3, dtype=bool)).sum(axis=(1, 2))
    assert sums.min() <= (best.rates * ~np.eye(3, dtype=bool)).sum() + 0.05
    assert front.select("distance") == np.argmin(sums)


def test_thinned_fronts_are_better_than_random_ones(iris):
    whole = quick(n_generations=40, n_costs=100).fit(*iris).front_
    for most in (50, 150):
        thin = quick(n_generations=40, n_costs=100, max_front_size=most).fit(*iris).front_
        draws = [
            np.random.default_rng(seed).permutation(len(whole))[: len(thin)]
            for seed in range(5)
        ]
        at_random = [whole[draw].gini(random_state=0) for draw in draws]
        assert thin.gini(random_state=0) > np.mean(at_random)


def test_fronts_of_islands_are_thinned_together(iris):
    search = quick(n_generations=20, n_costs=50, max_front_size=60, n_islands=3).fit(*iris)
    assert len(search.front_) <= 60
    assert all(len(front) <= 60 for front in search.island_fronts_)
    merged = ROCFront.merge(*search.island_fronts_)
    assert len(search.front_) <= len(merged)
    known = {point.tobytes() for point in merged.rates}
    assert all(point.tobytes() in known for point in search.front_.rates)


@pytest.mark.parametrize("value", [0, -1, 2.5, "many", True])
def test_bad_sizes(iris, value):
    with pytest.raises(ValueError, match="max_front_size must be"):
        quick(max_front_size=value).fit(*iris)
