"""What must not change a score, for every score that takes labels.

A new score joins all families by an entry in `CRISP` or `SOFT`.
"""

from functools import partial

import numpy as np
import pandas as pd
import pytest

from skvus.metrics import (
    angle_vus_score,
    expected_cost,
    hand_till_crisp_score,
    hand_till_score,
    macro_average_score,
    modified_macro_average_score,
    one_point_auc_score,
    one_vs_rest_auc_score,
    ordered_vus_score,
    pdi_score,
    polytope_vus_score,
    simplified_vus_score,
    soft_polytope_vus_score,
)

# functions of (y_true, y_pred)
CRISP = {
    "macro_average": macro_average_score,
    "modified_macro_average": modified_macro_average_score,
    "geometric_average": partial(modified_macro_average_score, power=0),
    "one_point_auc": one_point_auc_score,
    "hand_till_crisp_1a": partial(hand_till_crisp_score, variant="1a"),
    "hand_till_crisp_1b": partial(hand_till_crisp_score, variant="1b"),
    "hand_till_crisp_2": partial(hand_till_crisp_score, variant="2"),
    "hand_till_crisp_3": partial(hand_till_crisp_score, variant="3"),
    "polytope_vus": polytope_vus_score,
    "polytope_vus_range": partial(polytope_vus_score, normalize="range"),
}
# functions of (y_true, y_score), exact for a few dozen cases of two or three classes
PROBABILITIES = {  # rows must sum to one
    "ordered_vus": ordered_vus_score,
    "angle_vus": angle_vus_score,
    "angle_vus_cosine": partial(angle_vus_score, limit="cosine"),
    "angle_vus_sector": partial(angle_vus_score, limit="sector"),
}
NON_NEGATIVE = {
    "soft_polytope_vus": soft_polytope_vus_score,
    "soft_polytope_vus_raw": partial(soft_polytope_vus_score, normalize=None),
    "ordered_vus_product": partial(ordered_vus_score, distance="product"),
    "simplified_vus": simplified_vus_score,
    "simplified_vus_strict": partial(simplified_vus_score, ties="strict"),
}
REAL = {
    "ordered_vus_sum": partial(ordered_vus_score, distance="sum"),
    "pdi": pdi_score,
    "hand_till": hand_till_score,
    "one_vs_rest_auc": one_vs_rest_auc_score,
    "one_vs_rest_auc_weighted": partial(one_vs_rest_auc_score, average="weighted"),
}
SOFT = {**PROBABILITIES, **NON_NEGATIVE, **REAL}


def unit_cost(y_true, y_pred, *, labels=None, sample_weight=None, even=False):
    """Expected cost with costs that are the same for every error."""
    names = list(labels) if labels is not None else sorted({*y_true, *y_pred})
    q = len(names)
    return expected_cost(
        y_true,
        y_pred,
        cost_matrix=1.0 - np.eye(q),
        priors=np.ones(q) / q if even else None,
        labels=labels,
        sample_weight=sample_weight,
    )


LOSSES = {"unit_cost": unit_cost, "unit_cost_even_priors": partial(unit_cost, even=True)}
SCORES = {**CRISP, **SOFT, **LOSSES}
SIZES = {2: [15, 9], 3: [16, 12, 8]}  # cases of each class
# exact routes sum in another order, nothing else
same = partial(pytest.approx, rel=1e-9, abs=1e-12)
every_score = pytest.mark.parametrize("name", SCORES)
every_size = pytest.mark.parametrize("n_classes", SIZES)


def problem(name, n_classes, seed=0):
    """True labels 0..Q-1 and predictions, right more often than not, of the kind wanted."""
    rng = np.random.default_rng([seed, n_classes])
    y_true = rng.permutation(np.repeat(np.arange(n_classes), SIZES[n_classes]))
    y_score = (
        rng.dirichlet(np.ones(n_classes), size=y_true.size) + 0.3 * np.eye(n_classes)[y_true]
    )
    y_score /= y_score.sum(axis=1, keepdims=True)
    return y_true, y_score if name in SOFT else y_score.argmax(axis=1)


def renamed(name, y_true, prediction, names):
    """The same problem with other labels; columns stay where they are."""
    names = np.asarray(names)
    return names[y_true], prediction if name in SOFT else names[prediction]


@every_size
@every_score
def test_score_is_a_float_and_depends_on_the_predictions(name, n_classes):
    scores = [SCORES[name](*problem(name, n_classes, seed)) for seed in range(3)]
    assert [type(score) for score in scores] == [float] * 3
    assert len(set(scores)) > 1
    assert all(0.0 < score < 1.0 for score in scores)


@every_size
@every_score
def test_order_of_samples(name, n_classes):
    y_true, prediction = problem(name, n_classes)
    expected = SCORES[name](y_true, prediction)
    weights = np.random.default_rng(1).exponential(size=y_true.size)
    weighted = SCORES[name](y_true, prediction, sample_weight=weights)
    for seed in range(3):
        order = np.random.default_rng(seed).permutation(y_true.size)
        assert SCORES[name](y_true[order], prediction[order]) == same(expected)
        assert SCORES[name](
            y_true[order], prediction[order], sample_weight=weights[order]
        ) == same(weighted)


NAMES_OF_LABELS = {
    "integers": [3, 70, 500],
    "negative integers": [-7, -1, 4],
    "small integers": np.array([1, 2, 255], dtype=np.uint8),
    "floats": [1.0, 2.0, 3.0],
    "negative floats": [-2.0, 0.0, 5.0],
    "text": ["ash", "birch", "cedar tree"],
    "integer objects": np.array([3, 70, 500], dtype=object),
    "objects": np.array(["ash", "birch", "cedar tree"], dtype=object),
    "other alphabets": ["a", "é", "中"],
    "truth": [False, True],
}


@pytest.mark.parametrize(
    ("n_classes", "kind"), [(q, kind) for q in SIZES for kind in NAMES_OF_LABELS][:-1]
)
@every_score
def test_names_and_types_of_labels(name, n_classes, kind):
    names = NAMES_OF_LABELS[kind][:n_classes]
    y_true, prediction = problem(name, n_classes)
    expected = SCORES[name](y_true, prediction)
    y_other, other = renamed(name, y_true, prediction, names)
    assert SCORES[name](y_other, other) == same(expected)
    assert SCORES[name](y_other, other, labels=names) == same(expected)


@pytest.mark.parametrize("name", {**CRISP, **LOSSES})
def test_types_of_true_and_predicted_labels_may_differ(name):
    y_true, y_pred = problem(name, 2)
    expected = SCORES[name](y_true, y_pred)
    for dtype in (bool, np.int8, np.float32):
        assert SCORES[name](y_true, y_pred.astype(dtype)) == same(expected)
        assert SCORES[name](y_true.astype(dtype), y_pred) == same(expected)


@every_score
@pytest.mark.parametrize("names", [["oak", "ash", "elm"], [2, 0, 1], [5, -3, 0]])
def test_labels_that_are_not_sorted(name, names):
    y_true, prediction = problem(name, 3)
    y_other, other = renamed(name, y_true, prediction, names)
    expected = SCORES[name](y_true, prediction)
    assert SCORES[name](y_other, other, labels=names) == same(expected)
    if name in SOFT:  # without labels= columns are taken in sorted order
        assert SCORES[name](y_other, other) != same(expected)
        in_order = other[:, np.argsort(names)]
        assert SCORES[name](y_other, in_order) == same(expected)
    else:
        assert SCORES[name](y_other, other) == same(expected)


@every_size
@every_score
def test_permutation_of_classes(name, n_classes):
    y_true, prediction = problem(name, n_classes)
    expected = SCORES[name](y_true, prediction)
    for shift in range(1, n_classes):
        moved = (np.arange(n_classes) + shift) % n_classes  # class k becomes moved[k]
        other = prediction[:, np.argsort(moved)] if name in SOFT else moved[prediction]
        assert SCORES[name](moved[y_true], other) == same(expected)


@every_size
@every_score
def test_integer_weights_are_repetitions(name, n_classes):
    y_true, prediction = problem(name, n_classes)
    times = np.random.default_rng(2).integers(1, 4, size=y_true.size)
    weighted = SCORES[name](y_true, prediction, sample_weight=times)
    repeated = SCORES[name](np.repeat(y_true, times), np.repeat(prediction, times, axis=0))
    assert weighted == same(repeated)
    assert weighted != same(SCORES[name](y_true, prediction))


@every_size
@every_score
@pytest.mark.parametrize("factor", [2.0, 1 / 3, 1e-200, 1e200])
def test_scale_of_weights(name, n_classes, factor):
    y_true, prediction = problem(name, n_classes)
    weights = np.random.default_rng(3).exponential(size=y_true.size)
    expected = SCORES[name](y_true, prediction, sample_weight=weights)
    assert SCORES[name](y_true, prediction, sample_weight=factor * weights) == same(expected)


@every_size
@every_score
def test_equal_weights_are_no_weights(name, n_classes):
    y_true, prediction = problem(name, n_classes)
    weights = np.full(y_true.size, 0.7)
    expected = SCORES[name](y_true, prediction)
    assert SCORES[name](y_true, prediction, sample_weight=weights) == same(expected)


@every_size
@every_score
def test_weights_of_zero_drop_samples(name, n_classes):
    y_true, prediction = problem(name, n_classes)
    weights = np.random.default_rng(4).integers(0, 3, size=y_true.size)
    kept = weights > 0
    assert set(y_true[kept]) == set(y_true)
    assert not kept.all()
    dropped = SCORES[name](y_true[kept], prediction[kept], sample_weight=weights[kept])
    assert SCORES[name](y_true, prediction, sample_weight=weights) == same(dropped)


@every_size
@every_score
def test_inputs_are_never_modified(name, n_classes):
    y_true, prediction = problem(name, n_classes)
    if name in SOFT:
        prediction[:4] = [0.0, 1.0, 0.0][:n_classes]  # zeros take a way of their own
    labels = np.arange(n_classes)
    weights = np.random.default_rng(5).exponential(size=y_true.size)
    inputs = [y_true, prediction, labels, weights]
    copies = [array.copy() for array in inputs]
    for writeable in (False, True):
        for array in inputs:
            array.flags.writeable = writeable
        SCORES[name](y_true, prediction, labels=labels, sample_weight=weights)
        for array, copy in zip(inputs, copies, strict=True):
            np.testing.assert_array_equal(array, copy)


def as_pandas(array):
    index = np.arange(array.shape[0])[::-1] + 100  # no container's index may matter
    if array.ndim == 1:
        return pd.Series(array, index=index)
    return pd.DataFrame(array, index=index, columns=list("uvw")[: array.shape[1]])


CONTAINERS = {
    "list": lambda array: array.tolist(),
    "tuple": lambda array: tuple(array.tolist()),
    "pandas": as_pandas,
    "not contiguous": lambda array: np.repeat(array, 2, axis=0)[::2],
    "Fortran order": np.asfortranarray,
}


@every_size
@every_score
@pytest.mark.parametrize("container", CONTAINERS)
def test_containers(name, n_classes, container):
    convert = CONTAINERS[container]
    y_true, prediction = problem(name, n_classes)
    weights = np.random.default_rng(6).exponential(size=y_true.size)
    labels = np.arange(n_classes)
    score = SCORES[name](
        convert(y_true),
        convert(prediction),
        labels=convert(labels),
        sample_weight=convert(weights),
    )
    assert score == SCORES[name](y_true, prediction, labels=labels, sample_weight=weights)
    assert type(score) is float


@every_score
@pytest.mark.parametrize("dtype", ["category", "string", "object"])
def test_text_in_pandas(name, dtype):
    y_true, prediction = problem(name, 3)
    expected = SCORES[name](y_true, prediction)
    text, other = renamed(name, y_true, prediction, ["ash", "birch", "cedar"])
    text = pd.Series(text, dtype=dtype)
    if name not in SOFT:
        other = pd.Series(other, dtype=dtype)
    assert SCORES[name](text, other) == same(expected)


@every_score
def test_nullable_integers_in_pandas(name):
    y_true, prediction = problem(name, 3)
    expected = SCORES[name](y_true, prediction)
    other = prediction if name in SOFT else pd.Series(prediction, dtype="Int64")
    assert SCORES[name](pd.Series(y_true, dtype="Int64"), other) == same(expected)


@pytest.mark.parametrize("name", {**CRISP, **SOFT})
def test_one_column_of_labels_is_a_vector(name):
    y_true, prediction = problem(name, 3)
    expected = SCORES[name](y_true, prediction)
    assert SCORES[name](y_true[:, np.newaxis], prediction) == same(expected)
    if name in CRISP:
        assert SCORES[name](y_true, pd.DataFrame({"y": prediction})) == same(expected)


@pytest.mark.parametrize("name", SOFT)
@pytest.mark.parametrize("dtype", [np.float32, np.float64, ">f8"])
def test_two_classes_take_one_column_or_two(name, dtype):
    y_true, y_score = problem(name, 2)
    y_score = np.round(y_score, 2)  # exact enough in single precision, and tied
    y_score[:, 0] = 1 - y_score[:, 1]
    expected = SCORES[name](y_true, y_score)
    for one in (y_score[:, 1], y_score[:, [1]], 5 * y_score[:, 1] - 9):
        assert SCORES[name](y_true, one.astype(dtype)) == same(expected)
