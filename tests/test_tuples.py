"""Counted and drawn tuples: pieces of the work, threads, standard errors, entangled ties."""

from itertools import permutations

import numpy as np
import pytest
from strategies import softmax_data, tied_data

from skvus import ordered_vus_score
from skvus.metrics import _prices, _tuples

every_distance = pytest.mark.parametrize("distance", ["euclidean", "sum", "product"])
every_tie = pytest.mark.parametrize("ties", ["share", "strict", "weak"])


# --- exact: pieces of the work ----------------------------------------------------


@pytest.mark.parametrize("sizes", [(13, 30, 21), (40, 5, 17), (8, 9, 90)])
@pytest.mark.parametrize("weighted", [False, True])
def test_blocks_and_pieces_change_nothing(sizes, weighted, monkeypatch):
    y, proba = softmax_data(sizes)
    weight = np.random.default_rng(1).exponential(size=y.size) if weighted else None
    expected = ordered_vus_score(y, proba, sample_weight=weight)
    monkeypatch.setattr(_tuples, "_TABLE_BYTES", 8 * 49)
    monkeypatch.setattr(_tuples, "_PIECE_STEPS", 50)
    score = ordered_vus_score(y, proba, sample_weight=weight)
    assert score == pytest.approx(expected, rel=1e-13 if weighted else 1e-15)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("data", [softmax_data([4, 5, 3, 70]), tied_data(4, n=70)])
def test_blocks_of_the_last_class_change_nothing(weighted, data, monkeypatch):
    y, proba = data
    weight = np.random.default_rng(1).exponential(size=y.size) if weighted else None
    expected = ordered_vus_score(y, proba, sample_weight=weight, method="exact")
    monkeypatch.setattr(_tuples, "_LAST_BLOCK", 16)
    monkeypatch.setattr(_tuples, "_PIECE_STEPS", 50)
    score = ordered_vus_score(y, proba, sample_weight=weight, method="exact")
    assert score == pytest.approx(expected, rel=1e-12 if weighted else 1e-15)


@pytest.mark.parametrize("n_classes", [3, 4])
@pytest.mark.parametrize("method", ["exact", "sampled"])
def test_threads_change_no_bit(n_classes, method, monkeypatch):
    monkeypatch.setattr(_tuples, "_PIECE_STEPS", 100)
    y, proba = softmax_data([20] * n_classes)
    weight = np.random.default_rng(1).exponential(size=y.size)
    options = {"method": method, "random_state": 3, "sample_weight": weight}
    expected = ordered_vus_score(y, proba, **options)
    for n_jobs in (2, -1):
        assert ordered_vus_score(y, proba, **options, n_jobs=n_jobs) == expected


@pytest.mark.parametrize("n_classes", [2, 3, 4])
def test_classes_that_weigh_next_to_nothing(n_classes):
    y, proba = tied_data(n_classes, n=8)
    weight = np.random.default_rng(0).exponential(size=y.size)
    expected = ordered_vus_score(y, proba, sample_weight=weight)
    lighter = weight * np.array([1e-250, 1.0, 1e-200, 1e-300])[y]
    score = ordered_vus_score(y, proba, sample_weight=lighter)
    assert score == pytest.approx(expected, rel=1e-13)
    sampled = ordered_vus_score(
        y, proba, sample_weight=lighter, method="sampled", random_state=0
    )
    assert sampled == pytest.approx(expected, abs=0.01)


def test_equal_rows_are_counted_once():
    y, proba = tied_data(3, n=2000)
    result = ordered_vus_score(y, proba, method="exact", return_details=True)
    assert result.n_tuples == 2000**3
    shuffled = np.random.default_rng(0).permutation(y.size)
    assert ordered_vus_score(y[shuffled], proba[shuffled], method="exact") == result


def test_rows_that_share_a_hash_are_kept_apart(monkeypatch):
    rows = np.array([[1, 2], [2, 1], [1, 2], [3, 0]])
    weight = np.arange(1.0, 5.0)
    expected = {(1, 2): 4.0, (2, 1): 2.0, (3, 0): 4.0}

    for _ in range(2):
        distinct, total, which = _prices.merge_equal(rows, weight)
        found = {tuple(row): w for row, w in zip(distinct.tolist(), total, strict=True)}
        assert found == expected
        assert (distinct[which] == rows).all()
        # from now on all rows have the same key
        monkeypatch.setattr(_prices, "_hash_factors", lambda n: np.zeros(n, np.uint64))


# --- sampled ----------------------------------------------------------------------


@pytest.mark.parametrize("n_classes", [2, 3, 4])
@every_distance
def test_sampled_estimates_agree_with_their_error(n_classes, distance):
    y, proba = tied_data(n_classes, n=8)
    weight = np.random.default_rng(1).exponential(size=y.size)
    exact = ordered_vus_score(y, proba, distance=distance, sample_weight=weight)
    results = [
        ordered_vus_score(
            y,
            proba,
            distance=distance,
            sample_weight=weight,
            method="sampled",
            n_tuples=2000,
            random_state=seed,
            return_details=True,
        )
        for seed in range(60)
    ]
    errors = np.array([result.standard_error for result in results])
    deviations = (np.array(results) - exact) / errors
    assert abs(deviations.mean()) < 4 / np.sqrt(60)
    assert 0.7 < deviations.std() < 1.3
    assert (errors > 0.0).all()
    assert {result.method for result in results} == {"sampled"}


@every_tie
def test_sampled_ties(ties):
    y, proba = tied_data(3)
    exact = ordered_vus_score(y, proba, ties=ties)
    result = ordered_vus_score(
        y, proba, ties=ties, method="sampled", random_state=0, return_details=True
    )
    assert abs(result - exact) < 4 * result.standard_error
    assert result.standard_error < 0.005


def test_rounded_ties_do_not_add_up_over_many_tuples():
    # sums of tenths that tie on paper end a few units above or below zero
    tenths = "2321 2321 2522 3231 2422 2324 3232 3231 3231 4143 2324 3231 4143 4042 0602"
    scores = np.array([[int(digit) for digit in row] for row in tenths.split()]) / 10
    y = np.array([3, 1, 1, 2, 3, 0, 0, 0, 2, 3, 1, 2, 0, 2, 3])
    exact = ordered_vus_score(y, scores, distance="sum")
    result = ordered_vus_score(
        y,
        scores,
        distance="sum",
        method="sampled",
        n_tuples=200_000,
        random_state=0,
        return_details=True,
    )
    assert abs(result - exact) < 4 * result.standard_error
    assert 0.02 < exact < 0.98


def test_weak_credit_never_exceeds_one():
    rng = np.random.default_rng(0)
    for n_classes in (2, 3, 4):
        y = np.arange(6 * n_classes) % n_classes
        scores = np.full((y.size, n_classes), 1 / n_classes)
        for _ in range(20):
            weight = rng.random(y.size)
            assert ordered_vus_score(y, scores, ties="weak", sample_weight=weight) <= 1.0


def test_scores_that_say_nothing_in_any_range():
    y = np.array([0, 1, 0, 1])
    for scores in (np.full((4, 2), 5e-324), np.full((4, 2), 1e308), np.zeros((4, 2))):
        for distance in ("sum", "product"):
            assert ordered_vus_score(y, scores, distance=distance) == 0.5


@pytest.mark.parametrize(("rule", "credit"), [(0, 0.5), (1, 0.0), (2, 1.0)])
def test_credits_of_pairs(rule, credit):
    rows = [np.array([0, 5]), np.array([2, 3, 7])]
    picks = np.array([[0, 0], [1, 0], [1, 1], [1, 2]])
    expected = [credit, 0.0, credit, credit]
    assert _tuples.credit_function(rows, 2, rule)(picks).tolist() == expected
    orders = [np.array([1, 0]), np.array([2, 1, 0])]
    picks = np.array([[1, 2], [0, 2], [0, 1], [0, 0]])  # the same ones
    assert _tuples.credit_function(rows, 2, rule, orders)(picks).tolist() == expected


def test_large_weights_are_scaled_down():
    weights = [np.array([1e10, 3e10]), np.array([2e10, 2e10])]
    scaled, total = _tuples.countable(weights)
    assert [part.tolist() for part in scaled] == [[0.25, 0.75], [0.5, 0.5]]
    assert total == 1.0
    weights = [weight / 1e10 for weight in weights]
    assert _tuples.countable(weights) == (weights, 16.0)


def test_products_of_many_class_sizes_do_not_overflow():
    # 100^200 tuples, all of one kind or nearly so
    y = np.repeat(np.arange(200), 100)
    one_hot = np.eye(200)[y]
    assert ordered_vus_score(y, one_hot) == 1.0
    one_hot[0] = np.eye(200)[1]
    assert ordered_vus_score(y, one_hot) == pytest.approx(0.995)
    assert ordered_vus_score(y, np.full((20_000, 200), 0.005)) < 1e-300


def test_scores_of_too_wide_a_range_are_refused():
    y = np.array([0, 0, 1, 1, 2, 2])
    scores = np.array([[2.0, 0, 0], [1, 0, 0], [0, 2, 0], [0, 1, 0], [0, 0, 2], [0, 0, 1]])
    assert ordered_vus_score(y, scores, distance="sum") == 1.0
    scores[0, 0] = 1e10
    assert ordered_vus_score(y, scores, distance="sum") == 1.0
    scores[0, 0] = 1e20
    with pytest.raises(ValueError, match="y_score must not span so wide a range"):
        ordered_vus_score(y, scores, distance="sum")
    # the smallest floats are scores like others, but not beside large ones
    tiny = np.eye(3)[y] * 5e-324
    assert ordered_vus_score(y, tiny, distance="sum") == 1.0
    tiny[0, 0] = 1.0
    with pytest.raises(ValueError, match=r"up to 1e\+323 times a typical score"):
        ordered_vus_score(y, tiny, distance="sum")


def test_errors_shrink_with_the_number_of_tuples():
    y, proba = softmax_data([50, 50, 50])
    few, many = (
        ordered_vus_score(
            y, proba, method="sampled", n_tuples=n, random_state=0, return_details=True
        )
        for n in (10_000, 1_000_000)
    )
    assert 6.0 < few.standard_error / many.standard_error < 16.0
    assert abs(many - ordered_vus_score(y, proba)) < 4 * many.standard_error


def test_no_scatter_is_no_proof():
    y, proba = softmax_data([20, 20, 20], lead=9.0)
    result = ordered_vus_score(
        y, proba, method="sampled", n_tuples=100, random_state=0, return_details=True
    )
    assert result == 1.0
    assert result.standard_error == pytest.approx(0.01)


def test_default_number_of_tuples_follows_the_sampling_error():
    # many cases have a small sampling error, which takes many tuples
    numbers = []
    for n in (20, 2000):
        y, proba = softmax_data([n] * 5)
        result = ordered_vus_score(
            y, proba, method="sampled", random_state=0, return_details=True
        )
        numbers.append(result.n_tuples)
    assert 10**5 <= numbers[0] < numbers[1]


def test_random_states():
    y, proba = softmax_data([20, 20, 20])

    def score(random_state):
        return ordered_vus_score(
            y, proba, method="sampled", n_tuples=500, random_state=random_state
        )

    assert score(0) == score(0) != score(1)
    generator = np.random.default_rng(0)
    first, second = score(generator), score(generator)
    assert first != second
    assert first == score(np.random.default_rng(0))


def test_auto_counts_while_that_is_cheap():
    y, proba = softmax_data([100, 100, 100])
    exact = ordered_vus_score(y, proba, return_details=True)
    assert exact.is_exact
    assert exact.standard_error == 0.0
    assert exact.n_tuples == 10**6
    y, proba = softmax_data([20] * 10)
    sampled = ordered_vus_score(y, proba, random_state=0, return_details=True)
    assert not sampled.is_exact
    assert sampled.standard_error > 0.0
    with pytest.raises(ValueError, match=r"method='exact' would take .* Use method='sampled'"):
        ordered_vus_score(y, proba, method="exact")


def test_unbalanced_classes_are_counted_from_the_cheap_side():
    assert _tuples.exact_steps([10, 50_000, 50_000]) < 10**8
    assert _tuples.exact_steps([5, 5, 5, 100_000]) < 10**8
    assert _tuples.exact_steps([100] * 4) < 10**8 < _tuples.exact_steps([1000] * 4)
    y, proba = softmax_data([2, 3, 2, 5000])
    result = ordered_vus_score(y, proba, return_details=True)
    assert result.is_exact
    sampled = ordered_vus_score(y, proba, method="sampled", random_state=0, return_details=True)
    assert abs(sampled - result) < 4 * sampled.standard_error


@pytest.mark.parametrize("lead", [1.0, 6.0])
def test_a_hundred_classes(lead):
    y, proba = softmax_data([5] * 100, lead=lead)
    result = ordered_vus_score(y, proba, n_tuples=2000, random_state=0, return_details=True)
    assert result.method == "sampled"
    assert result < 0.01 if lead == 1.0 else result > 0.5


def test_quick_looks_agree_with_the_slow_way(monkeypatch):
    from skvus._kernels import ordering

    picks = np.random.default_rng(0).integers(4, size=(3000, 7))
    for data in (softmax_data([4] * 7, lead=2.5), tied_data(7, n=4)):
        y, proba = data
        order = np.argsort(y, kind="stable")
        rows = np.rint((proba.max(axis=1, keepdims=True) - proba) * 10**9).astype(np.int64)
        rows = (rows - rows[np.arange(y.size), y][:, np.newaxis])[order]
        absolute = picks + 4 * np.arange(7)
        for rule in range(3):
            credits = ordering.tuple_credits(rows, absolute, 10, rule)
            for t in range(0, 3000, 300):
                chosen = rows[absolute[t]].astype(object)
                costs = [
                    sum(chosen[i, names[i]] for i in range(7))
                    for names in permutations(range(7))
                ]
                number = sum(abs(cost) <= 10 for cost in costs) * (min(costs) >= -10)
                expected = {0: 1 / max(number, 1), 1: float(number == 1), 2: 1.0}[rule]
                assert credits[t] == pytest.approx(expected * (number > 0), rel=1e-12)


@pytest.mark.parametrize("n_classes", [5, 16, 24, 60])
def test_ties_around_a_ring(n_classes):
    # each case lies between its own class and the next: two cheapest assignments
    y = np.arange(n_classes)
    proba = np.zeros((n_classes, n_classes))
    proba[y, y] = proba[y, (y + 1) % n_classes] = 0.5
    assert ordered_vus_score(y, proba) == 0.5
    assert ordered_vus_score(y, proba, ties="weak") == 1.0
    assert ordered_vus_score(y, proba, ties="strict") == 0.0


def test_ties_along_a_ladder():
    # three classes in a row share each case: the assignments are tilings, Fibonacci numbers
    n = 30
    y = np.arange(n)
    scores = -np.abs(y[:, np.newaxis] - y).clip(1, 2).astype(float)
    assert 1 / ordered_vus_score(y, scores, distance="sum") == pytest.approx(1346269)


def test_ties_that_are_too_many_to_count_are_estimated():
    # every case may change places with about half of the others
    n = 64
    rng = np.random.default_rng(0)
    y = np.arange(n)
    tight = rng.random((n, n)) < 0.5
    tight |= tight.T | np.eye(n, dtype=bool)
    score = ordered_vus_score(y, tight.astype(float), distance="sum")
    # n! p^n counts random permutations; the estimate is rough, and next to nothing
    assert 0.0 < score < 1e-60
