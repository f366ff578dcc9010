"""Archive, selection and proposals of the search against their slow twins."""

from fractions import Fraction
from itertools import pairwise
from math import floor, inf

import numpy as np
import pytest
import search_twins as twins
from front_twins import (
    dominates,
    false_alarms_of,
    miss_rates_of,
    rate_matrix,
    rates_of,
    weakly_dominates,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

import skvus.search._archive as archive_module
from skvus._kernels.archive import admit, indexed, parts_of_range
from skvus._kernels.dominance import cover
from skvus.front._dominance import GRID, objective_keys
from skvus.search._archive import (
    N_BINS,
    Archive,
    Members,
    partitioned_member,
    uniform_member,
    van_der_corput,
)
from skvus.search._proposals import dirichlet_costs, reflected, varied_costs

LARGEST = [1, 2, 3, 6, 7, 100, 2**15, 2**31 - 1, 2**31, 2**40, 2**52, 2**62]


@st.composite
def key_batches(draw, max_batches=5, max_rows=12):
    """The largest key, and batches of rows of keys: ties, duplicates and extremes abound."""
    largest = draw(st.sampled_from(LARGEST))
    n_keys = draw(st.sampled_from([1, 2, 3, 6, 12, 30]))
    few = draw(st.sampled_from([2, 3, 5]))  # distinct values
    values = st.sampled_from(
        sorted({min(value, largest) for value in range(few)})
        + sorted({max(largest - value, 0) for value in range(few)})
    )
    spread = st.integers(0, largest)
    number = draw(st.sampled_from([values, spread, st.one_of(values, spread)]))
    row = st.tuples(*[number] * n_keys)
    if n_keys > 3:  # rows that differ in few places, so that some dominate others
        base = draw(row)
        changes = st.dictionaries(st.integers(0, n_keys - 1), number, max_size=3)
        row = changes.map(lambda new: tuple(new.get(d, base[d]) for d in range(n_keys)))
    batch = st.lists(row, min_size=1, max_size=max_rows)
    return largest, draw(st.lists(batch, min_size=1, max_size=max_batches))


def as_members(rows, first=0, n_classes=3):
    """Members with these keys; whatever else they have tells which number they are."""
    number = first + np.arange(len(rows))
    matrices = np.broadcast_to(number[:, None, None], (len(rows), n_classes, n_classes))
    keys = np.array(rows, dtype=np.int64)
    return Members(keys, matrices / 8.0, matrices + 0, matrices * 2.0, number, number + 0)


def keys_of(archive):
    return [tuple(row) for row in archive.members.keys.tolist()]


def filled(rows):
    archive = Archive()
    archive.insert(as_members(rows))
    return archive


def assert_rows_belong_together(archive, offered):
    """The member with number i has the keys that were offered as number i, and its rows."""
    members = archive.members
    assert members.n == len(archive) == archive.size
    for i in range(members.n):
        number = int(members.candidate[i])
        assert tuple(members.keys[i].tolist()) == offered[number]
        assert (members.rates[i] == number / 8.0).all()
        assert (members.counts[i] == number).all()
        assert (members.costs[i] == number * 2.0).all()
        assert members.number[i] == number


# --- kernels ----------------------------------------------------------------------


def bounds_of(draw, n_keys, largest):
    """Bounds of the levels of an index: any will do."""
    n_bounds = draw(st.integers(1, 4))
    row = st.lists(st.integers(0, largest), min_size=n_bounds, max_size=n_bounds).map(sorted)
    return np.array([draw(row) for _ in range(n_keys)], dtype=np.int64)


def sets_of(members, bounds, n_words):
    """Bits of the members whose objective is at most at a level, as whole numbers."""
    found = []
    for d, row in enumerate(bounds.tolist()):
        levels = [sum(bound < member[d] for bound in row) for member in members]
        found.append(
            [
                sum(1 << s for s, own in enumerate(levels) if own <= level)
                for level in range(len(row) + 1)
            ]
        )
    words = 2**64 - 1
    return [
        [[number >> (64 * w) & words for w in range(n_words)] for number in row]
        for row in found
    ]


@settings(deadline=None)
@given(st.data(), key_batches(max_batches=1, max_rows=70))
def test_index_has_the_members_of_each_level(data, case):
    largest, (rows,) = case
    bounds = bounds_of(data.draw, len(rows[0]), largest)
    index = indexed(np.array(rows, dtype=np.int64), len(rows), bounds, 2)
    assert index.dtype == np.uint64
    assert index.tolist() == sets_of(rows, bounds, 2)


@settings(deadline=None, max_examples=300)
@given(st.data(), key_batches(max_rows=30))
def test_admit_is_insertion_by_the_definition(data, case):
    largest, batches = case
    n_keys = len(batches[0][0])
    bounds = bounds_of(data.draw, n_keys, largest)
    capacity = sum(map(len, batches))
    n_words = -(-capacity // 64)
    keys = np.zeros((capacity, n_keys), dtype=np.int64)
    index = indexed(keys, 0, bounds, n_words)
    origin = np.arange(capacity)
    members, expected = [], []
    for rows in batches:
        new = np.array(rows, dtype=np.int64)
        size, slots, sources = admit(keys, len(members), index, bounds, origin, new)
        known = [*members, *[None] * (capacity - len(members)), *rows]
        members = (members + [None] * len(rows))[:size]
        for slot, source in zip(slots, sources, strict=True):
            members[slot] = known[source]
        expected = twins.archive_of(rows, expected)
        assert sorted(members) == sorted(expected)
        assert keys[:size].tolist() == list(map(list, members))
        assert index.tolist() == sets_of(members, bounds, n_words)
        assert_array_equal(origin, np.arange(capacity))


@settings(deadline=None)
@given(st.lists(st.integers(0, 2**53), min_size=1), st.integers(1, 60))
def test_parts_of_a_range(values, n_parts):
    parts, counts = parts_of_range(np.array(values, dtype=np.int64), n_parts)
    width = Fraction(max(values) + 1 - min(values), n_parts)
    assert parts.tolist() == [floor((value - min(values)) / width) for value in values]
    assert counts.tolist() == [parts.tolist().count(part) for part in range(n_parts)]


@settings(deadline=None)
@given(st.data(), st.integers(1, 6))
def test_cover_marks_what_a_point_is_below(data, n_coordinates):
    row = st.tuples(*[st.integers(0, 4)] * n_coordinates)
    points = data.draw(st.lists(row, min_size=1, max_size=6))
    samples = data.draw(st.lists(row, min_size=1, max_size=20))
    found = np.zeros(len(samples), dtype=bool)
    found[0] = True  # stays so
    columns = np.ascontiguousarray(np.array(samples, dtype=float).T)
    cover(np.array(points, dtype=float), columns, found)
    expected = [any(weakly_dominates(p, sample) for p in points) for sample in samples]
    assert found.tolist() == [True, *expected[1:]]


# --- archive ----------------------------------------------------------------------


@settings(deadline=None, max_examples=300)
@given(key_batches(), st.sampled_from([1, 2, 5, 1024]))
def test_archive_is_the_twin(case, first_capacity):
    _, batches = case
    archive = Archive()
    offered, expected = [], []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(archive_module, "_FIRST_CAPACITY", first_capacity)
        for rows in batches:
            new = range(len(offered), len(offered) + len(rows))
            entered = archive.insert(as_members(rows, first=len(offered)))
            offered += rows
            expected = twins.archive_of(new, expected, point_of=offered.__getitem__)
            assert sorted(archive.members.candidate.tolist()) == sorted(expected)
            assert (entered + new[0]).tolist() == [i for i in new if i in expected]
            assert_rows_belong_together(archive, offered)


@settings(deadline=None, max_examples=200)
@given(key_batches())
def test_archive_only_improves(case):
    _, batches = case
    archive = Archive()
    offered = []
    for rows in batches:
        archive.insert(as_members(rows))
        offered += rows
        members = keys_of(archive)
        assert not any(dominates(a, b) for a in members for b in members)
        assert len(set(members)) == len(members)
        assert all(any(weakly_dominates(a, point) for a in members) for point in offered)


@settings(deadline=None)
@given(key_batches())
def test_a_batch_is_as_good_as_one_by_one(case):
    _, batches = case
    whole, single = Archive(), Archive()
    first = 0
    for rows in batches:
        whole.insert(as_members(rows, first))
        for i, row in enumerate(rows):
            single.insert(as_members([row], first + i))
        first += len(rows)
        for a, b in zip(whole.members, single.members, strict=True):
            assert_array_equal(a, b)


@settings(deadline=None)
@given(key_batches(max_batches=1), st.randoms(use_true_random=False))
def test_order_does_not_decide_which_points_stay(case, random):
    _, (rows,) = case
    shuffled = random.sample(rows, len(rows))
    assert sorted(keys_of(filled(rows))) == sorted(keys_of(filled(shuffled)))


def test_growth_beyond_the_first_capacity():
    n = 5000
    rng = np.random.default_rng(0)
    a = rng.permutation(n)
    rows = np.column_stack([a, n - a, np.zeros(n, dtype=int)]).tolist()  # none dominates
    offered = [tuple(row) for row in rows]
    archive = Archive()
    for first in range(0, n, 333):
        archive.insert(as_members(offered[first : first + 333], first))
        assert len(archive) == min(first + 333, n)
    assert sorted(keys_of(archive)) == sorted(offered)
    assert_rows_belong_together(archive, offered)
    entered = archive.insert(as_members([(n - 1, 1, 1), (0, n, 0)], n))  # known, or worse
    assert entered.size == 0
    offered += [(n - 1, 1, 1), (0, n, 0), (0, 0, 0)]
    entered = archive.insert(as_members([(0, 0, 0)], n + 2))
    assert entered.tolist() == [0]
    assert keys_of(archive) == [(0, 0, 0)]
    assert_rows_belong_together(archive, offered)


@pytest.mark.parametrize("n_keys", [6, 12])
def test_many_members_in_several_words(n_keys):
    """Hundreds of members: sets of more than one word."""
    rng = np.random.default_rng(n_keys)
    largest = 40
    points = rng.multinomial(largest, np.ones(n_keys) / n_keys, size=600)
    is_worse = rng.random(600) < 0.3  # than another one
    points[is_worse] = points[rng.permutation(600)[is_worse]]
    points[is_worse] += rng.integers(0, 2, (is_worse.sum(), n_keys))
    offered = [tuple(row) for row in np.minimum(points, largest).tolist()]
    archive, expected = Archive(), []
    for first in range(0, 600, 100):
        rows = offered[first : first + 100]
        archive.insert(as_members(rows, first))
        expected = twins.archive_of(rows, expected)
        assert sorted(keys_of(archive)) == sorted(expected)
    assert_rows_belong_together(archive, offered)
    assert 100 < len(archive) < 600


def test_too_many_members_are_refused(monkeypatch):
    archive = filled([(0, 2), (1, 1)])
    monkeypatch.setattr(archive_module, "_MOST_CELLS", 26)
    with pytest.raises(MemoryError, match="2 members of 3 classes"):
        archive.insert(as_members([(2, 0)]))
    assert len(archive) == 2  # as before


def test_genomes_of_the_dead_are_forgotten():
    archive = filled([(0, 2), (1, 1)])
    archive.genomes = {0: [0.5], 1: [0.25]}
    archive.insert(as_members([(0, 1)], first=2))
    archive.genomes[2] = [0.75]
    archive.forget_the_dead()
    assert archive.genomes == {2: [0.75]}


# --- selection --------------------------------------------------------------------


def test_van_der_corput_by_hand():
    found = [van_der_corput(number) for number in range(1, 8)]
    assert found == [1 / 2, 1 / 4, 3 / 4, 1 / 8, 5 / 8, 3 / 8, 7 / 8]


@settings(deadline=None)
@given(st.integers(1, 2**40))
def test_van_der_corput_is_the_mirror_image(number):
    assert Fraction(van_der_corput(number)) == twins.van_der_corput(number)


@st.composite
def fronts(draw):
    """Points of which none dominates another."""
    n_keys = draw(st.integers(2, 4))
    largest = draw(st.sampled_from([3, 20, 400, 2**40, 2**52]))
    row = st.tuples(*[st.integers(0, largest)] * n_keys)
    rows = draw(st.lists(row, min_size=1, max_size=40))
    if draw(st.booleans()):  # many of them
        rows += [(a, largest - a, *[0] * (n_keys - 2)) for a in range(min(largest, 60))]
    return twins.archive_of(rows)


@settings(deadline=None)
@given(fronts(), st.integers(0, 2**32 - 1), st.integers(0, 300))
def test_partitioned_selection_is_the_twin(points, seed, first_turn):
    archive = filled(points)
    rng, twin_rng = np.random.default_rng(seed), np.random.default_rng(seed)
    for turn in range(first_turn, first_turn + 20):
        chosen = keys_of(archive)[partitioned_member(archive, turn, rng)]
        assert chosen == twins.partitioned_choice(points, turn, twin_rng, N_BINS)


@settings(deadline=None)
@given(fronts(), st.integers(1, 7))
def test_partitioned_selection_with_other_numbers_of_parts(points, n_bins):
    archive = filled(points)
    rng, twin_rng = np.random.default_rng(1), np.random.default_rng(1)
    for turn in range(8):
        chosen = keys_of(archive)[partitioned_member(archive, turn, rng, n_bins)]
        assert chosen == twins.partitioned_choice(points, turn, twin_rng, n_bins)


@settings(deadline=None)
@given(fronts(), st.integers(1, 5))
def test_partitioned_selection_does_not_see_where_members_are_kept(points, size):
    """Members that went have left their places to others."""
    archive = filled(points)
    moved = Archive()
    worse = tuple(number + 1 for number in points[0])
    moved.insert(as_members([worse], first=-1))
    for first in range(0, len(points), size):
        moved.insert(as_members(points[first : first + size], first))
    assert sorted(keys_of(moved)) == sorted(keys_of(archive))
    for turn in range(6):
        chosen = [
            keys_of(kept)[partitioned_member(kept, turn, np.random.default_rng(turn))]
            for kept in (archive, moved)
        ]
        assert chosen[0] == chosen[1]


@settings(deadline=None, max_examples=25)
@given(fronts())
def test_every_occupied_part_is_chosen(points):
    """Any 64 numbers of the sequence from the first leave no gap as wide as a part."""
    archive = filled(points)
    rng = np.random.default_rng(0)
    n_objectives = len(points[0])
    chosen = [set() for _ in range(n_objectives)]
    for turn in range(64 * n_objectives):
        found = keys_of(archive)[partitioned_member(archive, turn, rng)]
        chosen[turn % n_objectives].add(found)
    for objective in range(n_objectives):
        for part in twins.parts_of(points, objective):
            assert chosen[objective].intersection(part)


def test_crowded_parts_are_chosen_no_more_often():
    # a hundred members in the upper tenth, ten single ones elsewhere
    crowd = [(900 + i, 100 - i) for i in range(100)]
    others = [(80 * i, 1000 - 80 * i) for i in range(10)]
    archive = filled(crowd + others)
    assert len(archive) == 110
    rng = np.random.default_rng(0)
    turns = range(0, 2 * 1024, 2)  # of the first objective
    found = [keys_of(archive)[partitioned_member(archive, turn, rng)] for turn in turns]
    n_parts = len(twins.parts_of(crowd + others, 0))
    n_crowded = len(twins.parts_of(crowd, 0, 5))
    assert n_parts == 10 + n_crowded
    share = np.mean([point in crowd for point in found])
    assert share == pytest.approx(n_crowded / n_parts, abs=0.01)


def test_uniform_selection():
    archive = filled([(i, 6 - i) for i in range(7)])
    rng, same = np.random.default_rng(3), np.random.default_rng(3)
    found = [uniform_member(archive, rng) for _ in range(7000)]
    assert found == [same.integers(7) for _ in range(7000)]
    assert np.abs(np.bincount(found, minlength=7) - 1000).max() < 5 * np.sqrt(1000)


# --- steps and costs --------------------------------------------------------------

ends = st.integers(-40, 40).map(lambda n: n / 4)


@settings(deadline=None)
@given(st.integers(-400, 400).map(lambda n: n / 8), ends, ends)
def test_reflection_is_the_twin(value, a, b):
    low, high = min(a, b), max(a, b)
    assert float(reflected(value, low, high)) == twins.reflect(value, low, high)
    assert float(reflected(value, low, inf)) == twins.reflect(value, low, inf)
    assert float(reflected(value, -inf, high)) == twins.reflect(value, -inf, high)
    assert float(reflected(value, -inf, inf)) == value


@settings(deadline=None)
@given(st.floats(-1e6, 1e6), st.floats(-1e3, 1e3), st.floats(0.0, 1e3))
def test_reflection_stays_inside(value, low, width):
    high = low + width
    once = float(reflected(value, low, high))
    assert low <= once <= high
    assert float(reflected(once, low, high)) == pytest.approx(once, abs=1e-9)
    if low <= value <= high:
        assert once == pytest.approx(value, abs=1e-9)
    assert low <= float(reflected(value, low, inf))
    assert float(reflected(value, -inf, high)) <= high


def test_reflection_of_many():
    found = reflected(np.array([-1.5, -0.25, 0.0, 0.5, 1.0, 1.25, 2.5, 4.0]), 0.0, 1.0)
    assert_array_equal(found, [0.5, 0.25, 0.0, 0.5, 1.0, 0.75, 0.5, 0.0])


def mask_of(n_classes):
    return ~np.eye(n_classes, dtype=bool)


def assert_are_costs(costs, n, n_classes):
    assert costs.shape == (n, n_classes, n_classes)
    assert (costs >= 0.0).all()
    assert not np.einsum("mkk->mk", costs).any()
    assert_allclose(costs.sum(axis=(1, 2)), 1.0, rtol=1e-12)


@settings(deadline=None)
@given(st.integers(2, 5), st.integers(0, 2**32 - 1), st.integers(1, 9))
def test_dirichlet_costs_are_draws_divided_by_shares(n_classes, seed, n):
    alpha = np.random.default_rng(seed + 1).uniform(0.3, 3.0, n_classes * (n_classes - 1))
    shares = np.random.default_rng(seed + 2).dirichlet(np.ones(n_classes))
    costs = dirichlet_costs(np.random.default_rng(seed), n, alpha, shares)
    assert_are_costs(costs, n, n_classes)
    drawn = np.random.default_rng(seed).dirichlet(alpha, size=n)
    weights = (costs * shares[:, np.newaxis])[:, mask_of(n_classes)]
    assert_allclose(weights / weights.sum(axis=1, keepdims=True), drawn, rtol=1e-9)
    flat = dirichlet_costs(np.random.default_rng(seed), n, alpha, np.ones(n_classes))
    assert_allclose(flat[:, mask_of(n_classes)], drawn, rtol=1e-12)


def test_dirichlet_costs_have_the_mean_of_the_distribution():
    alpha = np.array([1.0, 2.0, 3.0, 1.0, 1.0, 2.0])
    costs = dirichlet_costs(np.random.default_rng(0), 20000, alpha, np.ones(3))
    assert_allclose(costs[:, mask_of(3)].mean(axis=0), alpha / alpha.sum(), atol=0.005)


@settings(deadline=None)
@given(st.integers(2, 4), st.integers(0, 2**32 - 1), st.integers(1, 9), st.booleans())
def test_varied_costs_differ_in_one_entry(n_classes, seed, n, has_zeros):
    n_rates = n_classes * (n_classes - 1)
    given_costs = dirichlet_costs(
        np.random.default_rng(seed), n, np.ones(n_rates), np.ones(n_classes)
    )
    if has_zeros:
        given_costs[:, 0, 1] = 0.0
    before = given_costs.copy()
    varied = varied_costs(np.random.default_rng(seed), given_costs)
    assert_array_equal(given_costs, before)
    assert_are_costs(varied, n, n_classes)
    assert (varied[:, mask_of(n_classes)] > 0.0).all()
    rng = np.random.default_rng(seed)
    chosen = rng.integers(n_rates, size=n)
    logarithms = rng.laplace(0.0, 0.7, size=n)
    old = given_costs[:, mask_of(n_classes)]
    new = varied[:, mask_of(n_classes)]
    for i in range(n):
        start = [entry if entry > 0.0 else 0.001 / n_rates for entry in old[i]]
        ratios = [b / a for a, b in zip(start, new[i], strict=True)]
        own = ratios.pop(chosen[i])
        assert_allclose(ratios, ratios[0], rtol=1e-9)  # all others by the same factor
        assert own / ratios[0] == pytest.approx(np.exp(logarithms[i]), rel=1e-9)


# --- objectives -------------------------------------------------------------------

OBJECTIVES = {"rates": rates_of, "miss_rates": miss_rates_of, "false_alarms": false_alarms_of}
SMALL_SIZES = [(1, 1), (3, 4), (2, 3, 5), (4, 4, 4), (6, 10, 15), (1, 7, 2, 9)]
# the least common multiple is beyond what floats hold
LARGE_SIZES = [(99991, 99989, 99971, 99961), (2**31 - 1, 2**31 - 19, 3), (2**27, 3**17, 7)]


@st.composite
def counted(draw, sizes, max_members=8):
    """Confusion counts of classes of these sizes; equal ones and near ones are frequent."""
    n_classes = len(sizes)
    members = []
    for _ in range(draw(st.integers(1, max_members))):
        counts = []
        for size in sizes:
            few = st.sampled_from(sorted({0, 1, size // 2, size - 1, size}))
            cut = st.one_of(few, st.integers(0, size))
            cuts = draw(st.lists(cut, min_size=n_classes - 1, max_size=n_classes - 1))
            edges = [0, *sorted(cuts), size]
            counts.append([b - a for a, b in pairwise(edges)])
        members.append(counts)
    return members


def split_keys(members, objectives, convert):
    """Keys of all at once, and those of each member by a call of its own."""
    whole = objective_keys(*convert(members), objectives)
    single = [objective_keys(*convert([member]), objectives)[0] for member in members]
    assert_array_equal(whole, single)
    return whole.tolist()


def whole_counts(members):
    counts = np.array(members, dtype=np.int64)
    return counts / counts.sum(axis=2, keepdims=True), counts


@pytest.mark.parametrize("objectives", OBJECTIVES)
@settings(deadline=None)
@given(data=st.data())
def test_keys_of_counts_are_exact(objectives, data):
    sizes = data.draw(st.sampled_from(SMALL_SIZES))
    members = data.draw(counted(sizes))
    keys = split_keys(members, objectives, whole_counts)
    values = [OBJECTIVES[objectives](rate_matrix(member)) for member in members]
    for key_a, a in zip(keys, values, strict=True):
        for key_b, b in zip(keys, values, strict=True):
            for column in range(len(a)):
                assert (key_a[column] <= key_b[column]) == (a[column] <= b[column])
    assert min(map(min, keys)) >= 0


def assert_on_grid(keys, values, n_sums):
    """Multiples of the grid, next to the very values, in their order up to rounding."""
    grid = Fraction(GRID)
    for key, value in zip(keys, values, strict=True):
        for number, exact in zip(key, value, strict=True):
            assert abs(number * grid - exact) <= grid * Fraction(51, 100)
            assert 0 <= number <= largest_on_grid(n_sums)


def largest_on_grid(n_sums):
    return n_sums * 2**40


@settings(deadline=None)
@given(data=st.data())
def test_keys_of_false_alarms_beyond_machine_integers(data):
    sizes = data.draw(st.sampled_from(LARGE_SIZES))
    members = data.draw(counted(sizes))
    keys = split_keys(members, "false_alarms", whole_counts)
    values = [false_alarms_of(rate_matrix(member)) for member in members]
    assert_on_grid(keys, values, len(sizes))
    for key_a, a in zip(keys, values, strict=True):
        for key_b, b in zip(keys, values, strict=True):
            for column in range(len(a)):
                if b[column] - a[column] > 2 * Fraction(GRID):
                    assert key_a[column] < key_b[column]


@pytest.mark.parametrize("objectives", ["rates", "miss_rates"])
@settings(deadline=None)
@given(data=st.data())
def test_other_keys_are_exact_for_large_classes_too(objectives, data):
    sizes = data.draw(st.sampled_from(LARGE_SIZES))
    members = data.draw(counted(sizes))
    keys = split_keys(members, objectives, whole_counts)
    for key, member in zip(keys, members, strict=True):
        assert tuple(key) == OBJECTIVES[objectives](member)  # the counts themselves


@pytest.mark.parametrize("has_counts", [True, False])
@pytest.mark.parametrize("objectives", OBJECTIVES)
@settings(deadline=None)
@given(data=st.data())
def test_keys_of_weighted_cases_are_on_the_grid(objectives, has_counts, data):
    sizes = data.draw(st.sampled_from(SMALL_SIZES + LARGE_SIZES))
    members = data.draw(counted(sizes))
    unit = np.random.default_rng(data.draw(st.integers(0, 99))).uniform(0.1, 9.0, len(sizes))

    def weighted(some):
        rates, counts = whole_counts(some)
        return rates, counts * unit[:, np.newaxis] if has_counts else None

    keys = split_keys(members, objectives, weighted)
    values = [OBJECTIVES[objectives](rate_matrix(member)) for member in members]
    n_sums = 1 if objectives == "rates" else len(sizes)
    assert_on_grid(keys, values, n_sums)
    for key_a, a in zip(keys, values, strict=True):
        for key_b, b in zip(keys, values, strict=True):
            for column in range(len(a)):
                if b[column] - a[column] > 2 * Fraction(GRID):
                    assert key_a[column] < key_b[column]
