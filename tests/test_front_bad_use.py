"""Bad input for what is done with a front; nothing is modified."""

import copy
import pickle

import numpy as np
import pandas as pd
import pytest
from front_input_cases import (
    BAD_COSTS,
    BAD_FACTS,
    BARE,
    EQUAL,
    FRONT,
    MASK,
    RATES,
    SCORES,
    TEXT,
    N,
    Y,
    drawn,
    fails,
)
from scipy import sparse

from skvus import LeastCost, OperatingPoint, ROCFront

# --- comparing and merging --------------------------------------------------------


OTHERS = {
    "None": (None, TypeError, "must be a ROCFront; got None"),
    "rates": (FRONT.rates, TypeError, "must be a ROCFront; got array"),
    "list": ([FRONT], TypeError, "must be a ROCFront; got"),
    "class": (ROCFront, TypeError, "must be a ROCFront; got <class"),
    "word": ("front", TypeError, "must be a ROCFront; got 'front'"),
    "fewer classes": (BARE, ValueError, r"must have the classes \[0, 1, 2\] .*; got \[0, 1\]"),
    "other classes": (drawn(Y + 1), ValueError, r"must have the classes .*; got \[1, 2, 3\]"),
    "text": (
        drawn(Y.astype(str)),
        ValueError,
        r"must have the classes .*; got \['0', '1', '2'\]",
    ),
    "another order": (
        drawn(labels=[1, 0, 2]),
        ValueError,
        r"must have the classes \[0, 1, 2\] in this order; got \[1, 0, 2\]",
    ),
}


@pytest.mark.parametrize("case", OTHERS)
def test_other_fronts(case):
    other, error, message = OTHERS[case]
    fails(error, f"other {message}", FRONT.delta, other)
    fails(error, f"other {message}", FRONT.compare, other)
    fails(error, f"front 1 {message}", ROCFront.merge, FRONT, other)
    fails(error, f"front 2 {message}", ROCFront.merge, FRONT, FRONT, other)


def test_bad_merges():
    fails(TypeError, "merge takes at least one front; got none", ROCFront.merge)
    fails(TypeError, "front 0 must be a ROCFront", ROCFront.merge, [FRONT, FRONT])
    by_misses = drawn(objectives="miss_rates")
    message = "fronts must have the same objectives; got 'rates' and 'miss_rates'"
    fails(ValueError, message, ROCFront.merge, FRONT, by_misses)
    others = drawn(np.where(MASK, 1, Y))
    fails(ValueError, "different priors: give priors= to merge", ROCFront.merge, FRONT, others)
    assert len(ROCFront.merge(FRONT, others, priors=[0.2, 0.3, 0.5]))
    for priors, message in [([0.5, 0.5], r"shape \(3,\)"), ([1, 1, 1], "sum to 1"), ("x", "")]:
        fails(
            ValueError, f"priors must .*{message}", ROCFront.merge, FRONT, others, priors=priors
        )


@pytest.mark.parametrize("names", [["a"], ["a", 1], ["a", "b", "c"], 3, "ab", [None, None]])
def test_bad_names(names):
    message = "names must be 2 strings, one for each front; got"
    fails((TypeError, ValueError), message, ROCFront.merge, FRONT, FRONT, names=names)


MEASURES = {
    "gini": FRONT.gini,
    "delta": lambda **options: FRONT.delta(FRONT[:3], **options),
    "compare": lambda **options: FRONT.compare(FRONT[:3], **options),
    "hypervolume": FRONT.hypervolume,
    "evaluate": lambda **options: FRONT.evaluate(Y, SCORES, **options),
}
BAD_SAMPLING = [
    *[("method", v, "method must be one of 'auto', 'exact', 'mo") for v in ("mc", None, 1)],
    *[
        ("n_samples", v, "n_samples must be an integer of at least 1")
        for v in (0, -5, 1e3, True)
    ],
    *[("n_samples", v, "n_samples must be an integer of at least 1") for v in ("many", None)],
    *[("random_state", v, "random_state must be None, an int") for v in ("seed", -1, 0.5)],
]


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize(("option", "value", "message"), BAD_SAMPLING)
def test_bad_options_of_measures(measure, option, value, message):
    fails(ValueError, f"{message}.*; got", MEASURES[measure], **{option: value})


@pytest.mark.parametrize("measure", ["gini", "delta", "hypervolume"])
@pytest.mark.parametrize("value", ["yes", None, 2, "True"])
def test_bad_return_std(measure, value):
    message = "return_std must be one of False, True; got"
    fails(ValueError, message, MEASURES[measure], return_std=value)


def test_exact_shares_of_many_classes():
    y, scores = np.arange(40) % 4, np.random.default_rng(0).dirichlet(np.ones(4), 40)
    front = drawn(y, scores)
    message = "method='exact' takes two or three classes; got .* of 4 classes"
    fails(ValueError, message, front.gini, method="exact")
    fails(ValueError, message, front.delta, front[:2], method="exact")
    fails(ValueError, message, front.compare, front[:2], method="exact")
    fails(ValueError, message, front.evaluate, y, scores, method="exact")


@pytest.mark.parametrize("n_classes", [2, 3, 6, 7, 20])
def test_every_measure_works_for_every_number_of_classes(n_classes):
    rates = 0.5 * np.eye(n_classes) + 0.5 / n_classes
    front = ROCFront.from_rates(rates, objectives="miss_rates")
    off = 0.5 / n_classes
    assert 0.0 < front.gini(n_samples=100, random_state=0) < 1.0
    assert front.delta(front, n_samples=100, random_state=0) == 0.0
    assert front.compare(front, n_samples=100, random_state=0).delta == 0.0
    exact = (1.0 - off) ** (n_classes * (n_classes - 1))
    volume, std = front.hypervolume(random_state=0, return_std=True)
    assert abs(volume - exact) <= 5.0 * std + 1e-12
    assert front.hull().tolist() == [0]
    assert front.select() == front.select("knee") == 0
    assert len(front.miss_rate_front()) == 1


@pytest.mark.parametrize("confidence", [0, 1, -1, 2, "high", None, np.nan, True, [0.5]])
def test_bad_confidence(confidence):
    message = "confidence must be (between 0 and 1|a finite number); got"
    fails(ValueError, message, FRONT.evaluate, Y, SCORES, confidence=confidence)


# --- members ----------------------------------------------------------------------


def test_members_are_operating_points():
    assert len(FRONT) == len(FRONT.rates) > 20
    members = list(FRONT)
    assert len(members) == len(FRONT)
    for i, member in enumerate(members):
        assert type(member) is OperatingPoint
        for one in (FRONT[i], FRONT[i - len(FRONT)], FRONT[np.int8(i)]):
            np.testing.assert_array_equal(one.rates, member.rates)
            np.testing.assert_array_equal(one.counts, FRONT.counts[i])
            np.testing.assert_array_equal(one.cost_matrix, FRONT.costs[i])
            assert one.params is None
    assert BARE[0].counts is BARE[0].cost_matrix is None


SOME = {
    "slice": (slice(2, 9, 3), [2, 5, 8]),
    "backwards": (slice(None, None, -1), range(len(FRONT) - 1, -1, -1)),
    "beyond the end": (slice(len(FRONT) - 2, 10**6), [len(FRONT) - 2, len(FRONT) - 1]),
    "list": ([4, 0, -1], [4, 0, len(FRONT) - 1]),
    "array": (np.array([3, 1], dtype=np.uint8), [3, 1]),
    "mask": (np.arange(len(FRONT)) < 3, [0, 1, 2]),
    "list of truth values": ([True] * 2 + [False] * (len(FRONT) - 2), [0, 1]),
    "Series": (pd.Series([5, 6]), [5, 6]),
    "range": (range(3), [0, 1, 2]),
}


@pytest.mark.parametrize("case", SOME)
def test_some_members_are_a_front(case):
    key, expected = SOME[case]
    some, expected = FRONT[key], list(expected)
    assert type(some) is ROCFront
    for name in ("rates", "counts", "costs"):
        np.testing.assert_array_equal(getattr(some, name), getattr(FRONT, name)[expected])
        assert not getattr(some, name).flags.writeable
    for name in ("classes", "priors", "class_sizes"):
        np.testing.assert_array_equal(getattr(some, name), getattr(FRONT, name))
    assert some.objectives == FRONT.objectives


def test_params_go_with_their_members():
    names = [{"name": f"m{i}"} for i in range(len(FRONT))]
    front = ROCFront.from_rates(FRONT.rates, params=names)
    assert [member.params for member in front] == names
    assert [member.params for member in front[5:2:-1]] == [names[5], names[4], names[3]]
    both = ROCFront.merge(front, FRONT[:2], names=["x", "y"])
    assert both[0].params == {"name": "m0", "front": "x"}
    assert len(both) == len(front)


ONE_INDEX = r"(index|members?)\b.*got"
BAD_KEYS = {
    "too large": (len(FRONT), r"front has \d+ members; got index \d+"),
    "too small": (-len(FRONT) - 1, r"front has \d+ members; got index -\d+"),
    "huge": (10**30, r"front has \d+ members; got index 10+"),
    "no slice": (slice(5, 5), r"must keep at least one member; got slice\(5, 5"),
    "no list": ([], r"must keep at least one member; got \[\]"),
    "no array": (np.array([], dtype=int), "must keep at least one member; got array"),
    "mask of nothing": (np.zeros(len(FRONT), bool), "must keep at least one member; got arr"),
    "repeated": ([0, 1, 0], r"has each member once; got \[0, 1, 0\]"),
    "repeated from behind": ([0, -len(FRONT)], "has each member once; got"),
    "one of them too large": ([0, 999], "999"),
    "short mask": ([True] * 3, r"of its \d+ members; got \[True"),
    "two dimensions": ([[0, 1]], "got"),
    "float": (1.5, "only integers, slices|got 1.5"),
    "floats": ([1.0, 2.0], "integer|got"),
    "text": ("a", "only integers, slices|got 'a'"),
    "pair": ((0, 1), r"too many indices|got \(0, 1\)"),
}


@pytest.mark.parametrize("case", BAD_KEYS)
def test_bad_indices(case):
    key, message = BAD_KEYS[case]
    fails(IndexError, message, FRONT.__getitem__, key)


@pytest.mark.parametrize("key", [True, False, np.True_, None])
def test_what_is_no_index_is_not_called_an_empty_front(key):
    with pytest.raises((IndexError, TypeError)) as error:
        FRONT[key]
    assert "at least one member" not in str(error.value)


def test_an_index_in_an_array_of_no_dimension():
    np.testing.assert_array_equal(FRONT[np.array(3)].rates, FRONT.rates[3])


def test_members_cannot_be_replaced():
    with pytest.raises(TypeError, match="does not support item assignment"):
        FRONT[0] = FRONT[1]
    with pytest.raises(TypeError, match="deletion"):
        del FRONT[0]


# --- decisions --------------------------------------------------------------------


NOT_A_RULE = ["best", None, True, np.True_, 1.5, int, LeastCost, slice(3), ..., np.float64(1)]


@pytest.mark.parametrize("rule", NOT_A_RULE, ids=str)
def test_what_is_no_rule(rule):
    message = "rule must be one of 'distance', 'knee', a cost matrix, .*; got"
    fails(ValueError, message, FRONT.select, rule)
    fails(ValueError, "must be one of 'distance', 'knee', .*; got", FRONT.predict, SCORES, rule)


@pytest.mark.parametrize("index", [len(FRONT), -len(FRONT) - 1, 10**30])
def test_indices_out_of_range(index):
    message = rf"must choose an index of the {len(FRONT)} members; got {index}"
    fails(ValueError, message, FRONT.select, index)
    fails(ValueError, message, FRONT.predict, SCORES, index)


@pytest.mark.parametrize("choice", [99999, "x", True, None, 1.0, [0], np.array([0])])
def test_rules_that_choose_no_index(choice):
    message = r"rule must choose an index of the \d+ members; got"
    fails(ValueError, message, FRONT.select, lambda front: choice)


def test_errors_of_rules_are_their_own():
    def broken(front):
        raise ZeroDivisionError("my own mistake")

    fails(ZeroDivisionError, "my own mistake", FRONT.select, broken)


PAIRS = [(k, j) for k in range(3) for j in range(3) if k != j]
LABELLED_COSTS = {
    "misses a pair": (dict.fromkeys(PAIRS[:-1], 1), r"must name the cost of \[\(2, 1\)\], too"),
    "misses a class": (
        {0: {1: 1, 2: 1}, 1: {0: 1, 2: 1}},
        "must name the cost of .*2, 0.*2, 1",
    ),
    "nothing": ({}, "must name the cost of"),
    "other classes": (
        {("a", "b"): 1},
        r"must name the classes \[0, 1, 2\]; 'a' is none of them",
    ),
    "no pairs": ({0: 1, 1: 2, 2: 3}, r"must have keys \(true class, predicted class\)"),
    "negative": (dict.fromkeys(PAIRS, -1), "must not be negative"),
    "all zero": (dict.fromkeys(PAIRS, 0), "must have a positive entry"),
    "text": (dict.fromkeys(PAIRS, "x"), "must hold numbers; got text such as 'x'"),
    "diagonal": ({**dict.fromkeys(PAIRS, 1), (0, 0): 1}, "must have a zero diagonal"),
    "frame of others": (
        pd.DataFrame(EQUAL, index=TEXT, columns=TEXT),
        r"(has labels|must name).* \[0, 1, 2\]; .*'a' is none of them",
    ),
    "frame that misses a row": (pd.DataFrame(EQUAL[:2]), "(has labels|must name)"),
    "frame that misses a column": (pd.DataFrame(EQUAL[:, :2]), "(has labels|must name)"),
    "frame with a row twice": (pd.DataFrame(EQUAL, index=[0, 1, 1]), "(has labels|must )"),
}
ALL_COSTS = {**BAD_COSTS, **LABELLED_COSTS}


@pytest.mark.parametrize("case", ALL_COSTS)
def test_bad_cost_matrix(case):
    cost, message = ALL_COSTS[case]
    message = f"cost_matrix {message}"
    fails(ValueError, message, FRONT.expected_costs, cost)
    if case == "masked":  # a rule keeps plain numbers: what is masked is missing there
        message = "cost_matrix must (be finite|not have masked)"
    fails(ValueError, message, lambda: FRONT.select(LeastCost(cost)))
    if not isinstance(cost, str):
        fails(ValueError, message, FRONT.select, cost)
        fails(ValueError, message, FRONT.predict, SCORES, cost)


def test_sparse_costs():
    cost = sparse.csr_array(EQUAL)
    fails(TypeError, "cost_matrix must be a dense array", FRONT.expected_costs, cost)
    fails(TypeError, "cost_matrix must be a dense array", FRONT.select, cost)
    fails(TypeError, "costs must be a dense array", ROCFront.from_rates, RATES, costs=cost)


@pytest.mark.parametrize(
    ("value", "message"), [fact[1::2] for fact in BAD_FACTS if fact[0] == "priors"], ids=str
)
def test_bad_priors(value, message):
    fails(ValueError, message, FRONT.expected_costs, EQUAL, value)
    fails(ValueError, message, lambda: FRONT.select(LeastCost(EQUAL, value)))
    fails(ValueError, message, ROCFront.merge, FRONT, priors=value)


INDICES = "members must be a non-empty list of indices; got"
BAD_MIXTURES = {
    "nothing": ([], [], INDICES),
    "number": (0, 1, INDICES),
    "None": (None, [1], INDICES),
    "floats": ([0.0, 1.0], [1, 1], INDICES),
    "truth values": ([True, False], [1, 1], INDICES),
    "text": ("ab", [1, 1], INDICES),
    "set": ({0, 1}, [1, 1], INDICES),
    "two dimensions": ([[0, 1]], [[1, 1]], INDICES),
    "huge": ([0, 10**30], [1, 1], "members must be"),
    "ragged": ([[0], [0, 1]], [1, 1], "members must be"),
    "too large": (
        [0, 999],
        [1, 1],
        r"members must be indices of the \d+ members; got \[0, 999",
    ),
    "too small": ([-999, 0], [1, 1], r"members must be indices of the \d+ members; got \[-999"),
    "many too large": (list(range(10_000)), [1, 1], "members must be indices of the"),
    "fewer odds": ([0, 1], [1], r"odds must have shape \(2,\), .*; got \(1,\)"),
    "one number": ([0, 1], 1, r"odds must have shape \(2,\), .*; got \(\)"),
    "square odds": ([0, 1], [[1, 1]], r"odds must have shape \(2,\), .*; got \(1, 2\)"),
    "negative odds": ([0, 1], [1, -1], r"odds must not be negative.*got \[1\.0, -1\.0\]"),
    "many negative odds": ([0] * 10_000, -np.ones(10_000), "odds must not be negative"),
    "no odds": ([0, 1], [0, 0], "odds must not be negative, and one of them positive; got"),
    "NaN": ([0, 1], [np.nan, 1], "odds must be finite"),
    "infinite": ([0, 1], [np.inf, 1], "odds must be finite"),
    "odds of text": ([0, 1], "ab", "odds must be a numeric array of one shape; got 'ab'"),
    "masked odds": ([0, 1], np.ma.masked_array([1, 2], mask=[0, 1]), "odds .*masked entries"),
}


@pytest.mark.parametrize("case", BAD_MIXTURES)
def test_bad_mixtures(case):
    members, odds, message = BAD_MIXTURES[case]
    fails(ValueError, message, FRONT.mix, members, odds)


def test_mixtures_of_extreme_odds():
    for odds in ([1e308, 1e308], [5e-324, 5e-324], [0, 1e-300], [5e-324, 1e308]):
        mixture = FRONT.mix([0, -1], odds)
        assert mixture.odds.sum() == pytest.approx(1.0)
        assert mixture.members.tolist() == [0, len(FRONT) - 1]
        assert len(mixture.predict(SCORES, 0)) == N
    fails(ValueError, "random_state must be None", mixture.predict, SCORES, "seed")


def test_fronts_without_costs_do_not_predict():
    message = "The front has no costs to decide by: it was made from rates alone"
    fails(ValueError, message, BARE.predict, [0.1, 0.9], 0)
    fails(ValueError, message, BARE.evaluate, [0, 1], [0.1, 0.9])
    fails(ValueError, message, BARE.mix([0, 1], [1, 1]).predict, [0.1, 0.9])


def test_scores_are_checked_before_a_rule_is_at_work():
    def rule(front):
        raise AssertionError("the rule was applied")

    fails(ValueError, "y_score must be finite", FRONT.predict, SCORES * np.nan, rule)


# --- nothing is modified, everything is accepted ----------------------------------


def kinds_of(array):
    """The same numbers as other objects."""
    array = np.asarray(array)
    read_only = array.copy()
    read_only.flags.writeable = False
    kinds = {
        "list": array.tolist(),
        "read-only": read_only,
        "Fortran order": np.asfortranarray(array),
        "strided": np.repeat(array, 2, axis=0)[::2],
        "backwards": array[::-1].copy()[::-1],
        "objects": array.astype(object),
        "other byte order": array.astype(array.dtype.newbyteorder()),
        "masked, but nothing": np.ma.masked_array(array, mask=False),
    }
    if array.ndim == 2:
        kinds["DataFrame"] = pd.DataFrame(array)
    if array.ndim == 1:
        kinds["Series"] = pd.Series(array, index=range(100, 100 + len(array)))
        kinds["column"] = None
    return {name: kind for name, kind in kinds.items() if kind is not None}


def assert_same(ours, theirs):
    for name in ("rates", "counts", "costs", "classes", "priors", "class_sizes"):
        a, b = getattr(ours, name), getattr(theirs, name)
        assert (a is None) == (b is None), name
        if a is not None:
            np.testing.assert_array_equal(a, b, err_msg=name)


WEIGHTS = np.linspace(0.5, 2.0, N)


@pytest.mark.parametrize("kind", kinds_of(SCORES))
def test_scores_of_many_kinds(kind):
    scores = kinds_of(SCORES)[kind]
    before = copy.deepcopy(scores)
    weighted = drawn(sample_weight=WEIGHTS)
    assert_same(drawn(y_score=scores), FRONT)
    assert_same(drawn(y_score=scores, sample_weight=WEIGHTS), weighted)
    np.testing.assert_array_equal(FRONT.predict(scores, 3), FRONT.predict(SCORES, 3))
    np.testing.assert_array_equal(FRONT.evaluate(Y, scores).rates, FRONT.rates)
    mixture = FRONT.mix([0, 5], [1, 1])
    np.testing.assert_array_equal(mixture.predict(scores, 0), mixture.predict(SCORES, 0))
    np.testing.assert_array_equal(np.asarray(scores), np.asarray(before))


@pytest.mark.parametrize("kind", kinds_of(Y))
def test_labels_and_weights_of_many_kinds(kind):
    y, weight = kinds_of(Y)[kind], kinds_of(WEIGHTS)[kind]
    before = copy.deepcopy((y, weight))
    assert_same(drawn(y), FRONT)
    weighted = drawn(sample_weight=WEIGHTS)
    assert_same(drawn(y, sample_weight=weight), weighted)
    ours = FRONT.evaluate(y, SCORES, sample_weight=weight)
    theirs = FRONT.evaluate(Y, SCORES, sample_weight=WEIGHTS)
    np.testing.assert_array_equal(ours.counts, theirs.counts)
    np.testing.assert_array_equal(np.asarray(y), np.asarray(before[0]))
    np.testing.assert_array_equal(np.asarray(weight), np.asarray(before[1]))


@pytest.mark.parametrize("kind", kinds_of(RATES))
def test_rates_and_costs_of_many_kinds(kind):
    rates, costs = kinds_of(RATES)[kind], kinds_of(EQUAL)[kind]
    before = copy.deepcopy((rates, costs))
    ours = ROCFront.from_rates(rates, costs=costs, class_sizes=[10, 10, 10])
    theirs = ROCFront.from_rates(RATES, costs=EQUAL, class_sizes=[10, 10, 10])
    assert_same(ours, theirs)
    np.testing.assert_array_equal(ours.counts[0], 10 * RATES)
    expected = FRONT.expected_costs(EQUAL)
    np.testing.assert_allclose(FRONT.expected_costs(costs), expected, rtol=1e-15)
    assert FRONT.select(costs) == FRONT.select(EQUAL)
    np.testing.assert_array_equal(np.asarray(rates), np.asarray(before[0]))
    np.testing.assert_array_equal(np.asarray(costs), np.asarray(before[1]))


def test_scores_in_single_precision_and_in_a_file(tmp_path):
    single = SCORES.astype(np.float32)
    assert_same(drawn(y_score=single), drawn(y_score=single.astype(float)))
    stored = np.memmap(tmp_path / "scores", dtype=float, mode="w+", shape=SCORES.shape)
    stored[:] = SCORES
    stored.flush()
    stored = np.memmap(tmp_path / "scores", dtype=float, mode="r", shape=SCORES.shape)
    front = drawn(y_score=stored)
    assert_same(front, FRONT)
    np.testing.assert_array_equal(FRONT.predict(stored, 0), FRONT.predict(SCORES, 0))
    assert type(front.rates) is np.ndarray


def test_whole_scores():
    scores = np.rint(10 * SCORES).astype(int)
    assert_same(drawn(y_score=scores), drawn(y_score=scores.astype(float)))
    assert_same(drawn(y_score=scores > 2), drawn(y_score=(scores > 2).astype(float)))


def test_fronts_do_not_change_with_what_they_were_made_of():
    rates, costs, classes = RATES.copy(), EQUAL.copy(), TEXT.copy()
    params, sizes, priors = [{"a": 1}], np.full(3, 10.0), np.array([0.2, 0.3, 0.5])
    options = {"costs": costs, "classes": classes, "class_sizes": sizes, "priors": priors}
    front = ROCFront.from_rates(rates, params=params, **options)
    for array in (rates, costs, sizes, priors):
        array[...] = 7.0
    classes[...] = "z"
    params[0]["a"] = 2
    np.testing.assert_allclose(front.rates[0], RATES, rtol=1e-15)
    np.testing.assert_array_equal(front.costs[0], EQUAL)
    np.testing.assert_array_equal(front.classes, TEXT)
    np.testing.assert_array_equal(front.class_sizes, [10, 10, 10])
    np.testing.assert_allclose(front.priors, [0.2, 0.3, 0.5], rtol=1e-15)
    assert front.params == ({"a": 1},)


ARRAYS = ("rates", "counts", "costs", "classes", "priors", "class_sizes")


def test_arrays_cannot_be_written_to():
    fronts = [FRONT, FRONT[:3], ROCFront.merge(FRONT, FRONT), FRONT.miss_rate_front()]
    for front in fronts:
        for name in ARRAYS:
            with pytest.raises(ValueError, match="read-only"):
                getattr(front, name)[0] = 0
        with pytest.raises(ValueError, match="read-only"):
            front[0].rates[0, 0] = 0.5


@pytest.mark.parametrize(
    "copied", [copy.copy, copy.deepcopy, lambda front: pickle.loads(pickle.dumps(front))]
)
def test_copies(copied):
    front = ROCFront.merge(FRONT, names=["x"])
    again = copied(front)
    assert type(again) is ROCFront
    assert_same(again, front)
    assert (again.params, again.objectives) == (front.params, front.objectives)
    assert repr(again) == repr(front)
    for name in ARRAYS:
        assert not getattr(again, name).flags.writeable, name


def test_what_is_done_with_a_front_does_not_change_it():
    before = copy.deepcopy(FRONT)
    FRONT.gini(method="monte_carlo", n_samples=100, random_state=0)
    FRONT.compare(FRONT[:4])
    FRONT.hypervolume()
    FRONT.hull()
    FRONT.miss_rate_front()
    FRONT.evaluate(Y, SCORES)
    FRONT.mix([0, 1], [1, 2]).predict(SCORES, 0)
    for rule in ("distance", "knee", EQUAL, LeastCost(EQUAL)):
        FRONT.select(rule)
    frame = FRONT.to_frame()
    frame.iloc[:, :] = 7.0
    FRONT.expected_costs(EQUAL)[:] = 7.0
    FRONT.miss_rates()[:] = 7.0
    FRONT.random_simplex_distance()[:] = 7.0
    assert_same(FRONT, before)


# --- how fronts are shown ---------------------------------------------------------


@pytest.mark.parametrize("n_classes", [2, 3, 6, 20])
def test_repr(n_classes):
    rates = 0.5 * np.eye(n_classes) + 0.5 / n_classes
    names = [f"class{k}" for k in range(n_classes)]
    front = ROCFront.from_rates(rates, classes=names, objectives="miss_rates")
    text = repr(front)
    lines = text.split("\n")
    assert text.startswith(f"ROCFront: 1 operating point of {n_classes} classes")
    assert "miss rates" in lines[0]
    assert len(lines) <= 15
    assert max(map(len, lines)) <= 96
    if n_classes <= 3:
        assert any(line.lstrip().startswith("class0 as class1") for line in lines)
    else:
        assert any(line.lstrip().startswith("class0 missed") for line in lines)
    assert (lines[-1].strip() == "...") == (n_classes == 20)
    _, _, ranges = front._repr_html_().partition("<details>")
    assert ranges.count("<tr>") == ranges.count("</tr>") == len(lines) - 1
    assert ranges.count("<table>") == ranges.count("</table>") == 1


def test_repr_of_many_members():
    text = repr(FRONT)
    assert text.startswith(f"ROCFront: {len(FRONT)} operating points of 3 classes")
    assert "10, 10, 10 cases" in text
    assert text == str(FRONT)
    chosen = FRONT.select()
    assert f"member {chosen}" in text
    assert f"{FRONT.rates[chosen, 0, 1]:.4f}" in text


HOSTILE = ["<script>alert(1)</script>", "a & b", '"quoted" <b>']


def test_html_escapes_class_names():
    html = ROCFront.from_rates(RATES, classes=HOSTILE)._repr_html_()
    assert "<script" not in html
    assert "<b>" not in html
    assert "&lt;script&gt;alert(1)&lt;/script&gt; as a &amp; b" in html
    many = [f"<i>{k}</i>" for k in range(20)]
    html = ROCFront.from_rates(np.eye(20), classes=many, objectives="miss_rates")._repr_html_()
    assert "<i>" not in html
    assert "&lt;i&gt;0&lt;/i&gt; missed" in html


def test_to_frame():
    front = ROCFront.merge(drawn(TEXT[Y]), names=["own"])
    frame = front.to_frame()
    mistakes = ["a as b", "a as c", "b as a", "b as c", "c as a", "c as b"]
    assert list(frame.columns) == [
        *(f"rate {name}" for name in mistakes),
        *("miss a", "miss b", "miss c", "distance"),
        *(f"cost {name}" for name in mistakes),
        "front",
    ]
    assert len(frame) == len(front)
    np.testing.assert_array_equal(frame["rate c as a"], front.rates[:, 2, 0])
    np.testing.assert_array_equal(frame["cost a as c"], front.costs[:, 0, 2])
    np.testing.assert_allclose(frame["miss b"], 1.0 - front.rates[:, 1, 1], atol=1e-15)
    np.testing.assert_array_equal(frame["distance"], front.random_simplex_distance())
    assert set(frame["front"]) == {"own"}
    assert list(BARE.to_frame().columns) == [
        *("rate 0 as 1", "rate 1 as 0", "miss 0", "miss 1", "distance")
    ]


def test_params_in_the_frame():
    params = [{"a": 1, "list": [1, 2]}, {"b": np.eye(2)}]
    frame = ROCFront.from_rates(BARE.rates, params=params).to_frame()
    assert list(frame.columns[-3:]) == ["a", "list", "b"]
    assert frame["list"].tolist() == [[1, 2], None]
    assert frame["a"].isna().tolist() == [False, True]


def test_params_do_not_take_the_place_of_rates():
    params = [{"distance": "far", "rate 0 as 1": "x"}, {}]
    front = ROCFront.from_rates(BARE.rates, params=params)
    frame = front.to_frame()
    assert frame["rate 0 as 1"].tolist() == front.rates[:, 0, 1].tolist()
    assert frame["distance"].tolist() == front.random_simplex_distance().tolist()


def test_evaluations_can_be_shown():
    evaluation = FRONT.evaluate(Y, SCORES)
    frame = evaluation.to_frame()
    assert list(frame.columns) == ["member", "true", "predicted", "rate", "low", "high"]
    assert len(frame) == 6 * len(FRONT)
    assert "10, 10, 10 cases" in repr(evaluation)


def test_labels_where_scores_are_wanted():
    text = np.array(["a", "b", "c"])[Y]
    fails(
        ValueError, "text such as 'a'. These look like labels: give predict", drawn, text, text
    )
    swapped = r"Are the arguments swapped\? y_true comes first\.$"
    fails(ValueError, swapped, ROCFront.from_predictions, SCORES, text)
    fails(ValueError, swapped, FRONT.evaluate, SCORES, Y)
