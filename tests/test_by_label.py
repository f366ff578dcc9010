"""Rates, weights and sizes with labels of their own: in whatever order they come."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from skvus import ROCFront
from skvus.metrics import (
    discard_polytope,
    expected_cost,
    is_discarded,
    operating_rates,
    polytope_vus,
    weights_for_rates,
)

CLASSES = ["low", "mid", "high"]  # which pandas sorts as high, low, mid
RATES = np.array([[0.6, 0.2, 0.2], [0.1, 0.7, 0.2], [0.3, 0.0, 0.7]])
SHARP = np.array([[0.7, 0.2, 0.1], [0.1, 0.8, 0.1], [0.1, 0.0, 0.9]])
SORTED = sorted(CLASSES)
WEIGHTS = {"low": 3.0, "mid": 1.0, "high": 2.0}
MESSAGE = "must have its {} in the order of the classes"


def frame_of(rates, rows=SORTED, columns=SORTED):
    """Rates as a frame with its rows and columns in these orders."""
    return pd.DataFrame(rates, index=CLASSES, columns=CLASSES).loc[rows, columns]


@pytest.fixture(scope="module")
def cases():
    rng = np.random.default_rng(0)
    codes = rng.integers(3, size=80)
    scores = rng.dirichlet(np.ones(3), size=80)
    scores[np.arange(80), codes] += 0.4
    return np.array(SORTED)[codes], scores


def test_a_crosstab_makes_the_front_of_its_labels():
    y_true = np.repeat(CLASSES, 10)
    counts = (10 * RATES).round().astype(int).ravel()
    y_pred = np.repeat(np.tile(CLASSES, 3), counts)
    table = pd.crosstab(y_true, y_pred, normalize="index")
    assert list(table) == SORTED
    for rates in (table, [table], (table,)):
        front = ROCFront.from_rates(rates, classes=CLASSES, class_sizes=[10, 10, 10])
        np.testing.assert_allclose(front.rates, [RATES], atol=1e-12)
        assert front.counts[0].ravel().tolist() == counts.tolist()


@pytest.mark.parametrize("columns", [SORTED, CLASSES, CLASSES[::-1]])
def test_frames_name_the_classes_where_nobody_else_does(columns):
    front = ROCFront.from_rates(
        [frame_of(RATES, columns=columns), frame_of(SHARP, rows=CLASSES)],
        priors={"low": 0.5, "mid": 0.3, "high": 0.2},
    )
    assert front.classes.tolist() == SORTED
    assert front.priors.tolist() == [0.2, 0.5, 0.3]
    assert np.array_equal(front.rates, [frame_of(SHARP).to_numpy()])


def test_volumes_do_not_depend_on_the_order_of_columns():
    for rows, columns in ((SORTED, CLASSES), (CLASSES, SORTED), (CLASSES[::-1], CLASSES)):
        frame = frame_of(RATES, rows, columns)
        assert polytope_vus(frame) == pytest.approx(polytope_vus(RATES), rel=1e-12)
        both = polytope_vus([frame, frame_of(SHARP)])
        assert both == pytest.approx(polytope_vus([RATES, SHARP]), rel=1e-12)
        volume = discard_polytope(frame).volume
        assert volume == pytest.approx(polytope_vus(RATES), rel=1e-12)
        for candidate in (frame, [frame]):
            assert np.all(is_discarded(candidate, frame_of(SHARP)))
            assert not np.any(is_discarded(frame_of(SHARP), candidate))


def test_arrays_beside_frames_are_in_their_order():
    ordered = [frame_of(RATES, CLASSES, CLASSES), SHARP]
    assert polytope_vus(ordered) == polytope_vus([RATES, SHARP])
    front = ROCFront.from_rates([SHARP[:, :], frame_of(SHARP)], classes=CLASSES)
    assert len(front) == 1
    assert is_discarded(RATES, frame_of(SHARP, CLASSES, CLASSES[::-1]))
    with pytest.raises(ValueError, match="rates must have matrices with the same labels"):
        polytope_vus([*ordered, frame_of(RATES)])


def test_frames_without_labels_are_arrays():
    front = ROCFront.from_rates(pd.DataFrame(RATES), classes=CLASSES)
    assert np.array_equal(front.rates, [RATES])
    by_column = pd.DataFrame(dict(enumerate(RATES.T)))
    assert np.array_equal(ROCFront.from_rates(by_column, classes=[2, 1, 0]).rates, [RATES])
    assert ROCFront.from_rates(pd.DataFrame(RATES)).classes.tolist() == [0, 1, 2]
    assert np.array_equal(
        ROCFront.from_rates(pl.DataFrame(RATES), classes=CLASSES).rates[0], RATES
    )


def test_labels_that_are_numbers_are_labels():
    table = pd.crosstab([0, 0, 1, 1, 1], [0, 1, 1, 1, 0], normalize="index")
    front = ROCFront.from_rates(table, classes=[1, 0])
    np.testing.assert_allclose(front.rates, [[[2 / 3, 1 / 3], [0.5, 0.5]]])


def test_other_names_for_rows_than_for_columns_are_by_position():
    frame = frame_of(RATES, CLASSES, CLASSES).add_prefix("as ")
    assert polytope_vus([frame, frame]) == polytope_vus(RATES)
    with pytest.raises(ValueError, match="rates must have matrices with the same labels"):
        polytope_vus([frame, frame[frame.columns[::-1]]])
    with pytest.raises(ValueError, match="rates has labels, and its columns must name"):
        ROCFront.from_rates(frame, classes=CLASSES)


@pytest.mark.parametrize(
    ("rates", "message"),
    [
        (frame_of(RATES).reset_index(drop=True), MESSAGE.format("columns")),
        (frame_of(RATES).T.reset_index(drop=True).T, MESSAGE.format("rows")),
        (pl.DataFrame(RATES, schema=SORTED), MESSAGE.format("columns")),
        (frame_of(RATES)[["high", "low"]], "rates has no column 'mid': give one to classes"),
        (frame_of(RATES).rename(columns={"low": "lo"}), "columns must name .* Did you mean"),
        (frame_of(RATES).rename(index={"low": "all"}), "index must name"),
    ],
)
def test_labels_that_do_not_fit_are_refused(rates, message):
    for given in (rates, [frame_of(RATES), rates]):
        with pytest.raises(ValueError, match=f"rates .*{message}|{message}"):
            ROCFront.from_rates(given, classes=CLASSES)


def test_columns_of_arrow_have_names():
    pyarrow = pytest.importorskip("pyarrow")
    y_true, scores = SORTED * 2, np.full((6, 3), 1 / 3)
    costs = {"low": [0, 0, 3], "high": [0, 0, 1], "mid": [5, 1, 0]}  # any order has zeros
    ordered = pyarrow.table(dict(zip(SORTED, RATES.T, strict=True)))
    assert np.array_equal(ROCFront.from_rates(ordered, classes=SORTED).rates, [RATES])
    assert polytope_vus(ordered) == polytope_vus(RATES)
    for name, call in {
        "rates": lambda: ROCFront.from_rates(ordered, classes=CLASSES),
        "weights": lambda: operating_rates(y_true, scores, pyarrow.table([[1.0]] * 3, CLASSES)),
        "cost_matrix": lambda: expected_cost(
            y_true, y_true, cost_matrix=pyarrow.table(costs), labels=SORTED
        ),
    }.items():
        with pytest.raises(ValueError, match=f"{name} {MESSAGE.format('columns')}"):
            call()


def test_missing_columns_are_told_without_classes_too():
    with pytest.raises(ValueError, match=r"candidate has no column 'mid'.*reindex"):
        is_discarded(frame_of(RATES)[["high", "low"]], None)
    with pytest.raises(ValueError, match="by has labels, and its index must name"):
        is_discarded(frame_of(RATES), frame_of(RATES).rename({"low": "x"}, axis=0))


def test_costs_in_a_list_go_by_label():
    costs = np.array([[0, 1, 2], [3, 0, 4], [5, 6, 0]])
    front = ROCFront.from_rates([RATES], costs=[frame_of(costs)], classes=CLASSES)
    assert np.array_equal(front.costs, [costs])


@pytest.mark.parametrize("labels", [None, SORTED])
def test_costs_that_name_one_side_are_in_the_order_of_the_classes(cases, labels):
    costs = np.array([[0, 1, 2], [3, 0, 4], [5, 6, 0]])
    y_true, y_pred = cases[0], np.array(SORTED)[cases[1].argmax(axis=1)]
    options = {"labels": labels}
    expected = expected_cost(y_true, y_pred, cost_matrix=costs, **options)
    named = pl.DataFrame(costs, schema=SORTED)
    assert expected_cost(y_true, y_pred, cost_matrix=named, **options) == expected
    other = pl.DataFrame(costs, schema=CLASSES)
    with pytest.raises(ValueError, match=f"cost_matrix {MESSAGE.format('columns')}"):
        expected_cost(y_true, y_pred, cost_matrix=other, **options)
    frame = pd.DataFrame(costs, SORTED, SORTED).loc[CLASSES, CLASSES[::-1]]
    by_label = expected_cost(y_true, y_pred, cost_matrix=frame, **options)
    assert by_label == pytest.approx(expected, rel=1e-12)


def test_sizes_go_by_label():
    counts = pd.Series(CLASSES * 10 + ["high"] * 10).value_counts()
    for sizes in (counts, counts.to_dict(), [10, 10, 20]):
        front = ROCFront.from_rates(RATES, classes=CLASSES, class_sizes=sizes)
        assert front.class_sizes.tolist() == [10, 10, 20]
    with pytest.raises(ValueError, match="class_sizes has labels, and it must name"):
        ROCFront.from_rates(RATES, class_sizes=counts)


def test_weights_go_by_label(cases):
    expected = operating_rates(*cases, [2.0, 3.0, 1.0])  # classes are sorted
    shuffled = pd.Series(WEIGHTS)[["mid", "high", "low"]]
    for weights in (WEIGHTS, shuffled, pd.Series([2.0, 3.0, 1.0])):
        assert np.array_equal(operating_rates(*cases, weights), expected)
    given = operating_rates(*cases, WEIGHTS, labels=SORTED)
    assert np.array_equal(given, expected)
    for table in (pd.DataFrame, pl.DataFrame):
        ordered = table({name: [WEIGHTS[name]] for name in SORTED})
        assert np.array_equal(operating_rates(*cases, ordered), [expected])
        with pytest.raises(ValueError, match=f"weights {MESSAGE.format('columns')}"):
            operating_rates(*cases, table({name: [WEIGHTS[name]] for name in CLASSES}))


def test_a_count_that_names_the_classes_is_their_name(cases):
    y_true = np.searchsorted(SORTED, cases[0])
    labels = [2, 0, 1]
    scores = cases[1][:, labels]
    by_label = operating_rates(y_true, scores, pd.Series([2.0, 3.0, 1.0]), labels=labels)
    expected = operating_rates(y_true, scores, {0: 2.0, 1: 3.0, 2: 1.0}, labels=labels)
    assert np.array_equal(by_label, expected)


def test_targets_go_by_label(cases):
    target = {"low": 0.5, "mid": 0.6, "high": 0.7}
    expected = weights_for_rates(*cases, [0.7, 0.5, 0.6])
    for given in (
        target,
        pd.Series(target),
        pd.Series(target)[SORTED],
        pd.Series([0.7, 0.5, 0.6]),
    ):
        assert np.array_equal(weights_for_rates(*cases, given), expected)
    some = weights_for_rates(*cases, pd.Series({"mid": 0.9}))
    assert np.array_equal(some, weights_for_rates(*cases, {"mid": 0.9}))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda c: operating_rates(*c, {"low": 1.0}), "weights has labels, and it must name"),
        (lambda c: operating_rates(*c, {**WEIGHTS, "x": 1.0}), "weights has labels"),
        (lambda c: weights_for_rates(*c, pd.Series({"x": 0.5})), "target must name classes"),
        (
            lambda c: weights_for_rates(*c, pd.Series([0.1, 0.2], index=["low", "low"])),
            "target must not repeat a class",
        ),
    ],
)
def test_labels_of_weights_that_do_not_fit_are_refused(cases, call, message):
    with pytest.raises(ValueError, match=message):
        call(cases)


def test_what_costs_are_drawn_around_goes_by_label(cases):
    alpha = pd.DataFrame(np.arange(1.0, 10.0).reshape(3, 3), index=CLASSES, columns=CLASSES)
    options = {"n_costs": 50, "random_state": 0}
    expected = ROCFront.from_predictions(
        *cases, cost_alpha=alpha.loc[SORTED, SORTED].to_numpy(), **options
    )
    front = ROCFront.from_predictions(*cases, cost_alpha=alpha, **options)
    assert np.array_equal(front.rates, expected.rates)
    with pytest.raises(ValueError, match=f"cost_alpha {MESSAGE.format('columns')}"):
        ROCFront.from_predictions(
            *cases, cost_alpha=pl.DataFrame(alpha.to_numpy(), schema=CLASSES), **options
        )
    options["family"] = "weights"
    by_position = ROCFront.from_predictions(*cases, cost_alpha=[2.0, 3.0, 1.0], **options)
    for given in (WEIGHTS, pd.Series(WEIGHTS)):
        front = ROCFront.from_predictions(*cases, cost_alpha=given, **options)
        assert np.array_equal(front.costs, by_position.costs)
