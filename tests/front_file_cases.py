"""Files of fronts, and how they are refused."""

import struct
import time

import numpy as np
import pytest
from strategies import softmax_data

from skvus import ROCFront

ARRAYS = ("rates", "counts", "costs", "classes", "priors", "class_sizes")
NAN = float("nan")


def drawn_front(n_classes, seed=0, classes=None, weighted=False, **options):
    y, proba = softmax_data(range(4, 4 + n_classes), seed=seed)
    weight = np.random.default_rng(seed).random(y.size) if weighted else None
    labels = None if classes is None else classes
    y = y if classes is None else np.asarray(classes)[y]
    options = {"n_costs": 60, "random_state": seed, **options}
    return ROCFront.from_predictions(y, proba, labels=labels, sample_weight=weight, **options)


def bare_front(n_members=4, n_classes=3, **options):
    """Members of equal sums of rates, so that none dominates another."""
    errors = np.random.default_rng(0).dirichlet(np.ones(n_classes * (n_classes - 1)), n_members)
    rates = np.zeros((n_members, n_classes, n_classes))
    rates[:, ~np.eye(n_classes, dtype=bool)] = errors
    rates[:, np.arange(n_classes), np.arange(n_classes)] = 1.0 - rates.sum(axis=2)
    return ROCFront.from_rates(rates, **options)


def assert_same_front(ours, theirs):
    for name in ARRAYS:
        a, b = getattr(ours, name), getattr(theirs, name)
        if a is None or b is None:
            assert a is b is None, name
            continue
        assert (a.dtype, a.shape, a.tobytes()) == (b.dtype, b.shape, b.tobytes()), name
        assert not b.flags.writeable
    assert ours.objectives == theirs.objectives
    assert_same_data(ours.params, theirs.params)


def assert_same_data(a, b):
    assert type(a) is type(b)
    if isinstance(a, dict):
        assert list(a) == list(b)
        assert_same_data(list(a.values()), list(b.values()))
    elif isinstance(a, (list, tuple)):
        assert len(a) == len(b)
        for i, j in zip(a, b, strict=True):
            assert_same_data(i, j)
    elif isinstance(a, np.ndarray):
        assert (a.dtype, a.shape, a.tobytes()) == (b.dtype, b.shape, b.tobytes())
    elif isinstance(a, float):
        assert struct.pack("d", a) == struct.pack("d", b)
    else:
        assert a == b


def round_trip(front, folder):
    path = folder / "trip.front"
    front.save(path)
    return ROCFront.load(path)


def file_of(front, folder):
    path = folder / "good.front"
    front.save(path)
    return path.read_bytes()


def load_or_refuse(path):
    """The front, or None for a plain ValueError that names the path."""
    try:
        return ROCFront.load(path)
    except ValueError as error:
        if type(error) is ValueError and str(error).startswith(repr(str(path))):
            return None
        raise AssertionError("the error does not say which file it is about") from error


def refuse(path, message="is no skvus file|damaged"):
    """Loading must raise a plain ValueError that names the path, without long work."""
    start = time.perf_counter()
    with pytest.raises(ValueError, match=message) as caught:
        ROCFront.load(path)
    assert type(caught.value) is ValueError
    text = str(caught.value)
    assert text.startswith(repr(str(path)))
    assert text.count("\n") == 0
    assert len(text) < 500 + len(str(path))
    assert time.perf_counter() - start < 20.0
