"""Values for the fuzzer: problems of all kinds, and ways to spoil any of their parts.

A problem is drawn once for a case, so that its parts fit each other; one or two of them are
then spoiled. Strategies draw what kinds of things there are, numbers come from a seed.
"""

from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import pandas as pd
from hypothesis import strategies as st
from scipy import sparse

SEEDS = st.integers(0, 2**16 - 1)
TINY, HUGE = 5e-324, 1.7e308


class Problem(NamedTuple):
    """Classes and cases that the arguments of one call have in common."""

    classes: np.ndarray
    codes: np.ndarray
    seed: int

    @property
    def n_classes(self):
        return len(self.classes)

    @property
    def labels(self):
        return self.classes[self.codes]

    def rng(self, salt=0):
        return np.random.default_rng([self.seed, salt])


LABELS = {
    "numbers": lambda q: np.arange(q),
    "negative": lambda q: -3 * np.arange(q),
    "small": lambda q: np.arange(q, dtype=np.int8),
    "unsigned": lambda q: np.arange(q, dtype=np.uint64) + np.uint64(2**63),
    "large": lambda q: np.arange(q) + 2**53,
    "floats": lambda q: np.arange(q, dtype=np.float32),
    "half": lambda q: np.arange(q, dtype=np.float16),
    "text": lambda q: np.array(["well", "ill", "dead", "", "\u200e", "z" * 99][:q]),
    "bytes": lambda q: np.array([b"a", b"bb", b"c", b"d", b"e", b"f"][:q]),
    "objects": lambda q: np.array(["ö", "b", "c", "d", "e", "f"][:q], dtype=object),
    "truth": lambda q: np.arange(q) if q > 2 else np.array([False, True]),
    "swapped": lambda q: np.arange(q).astype(">i4"),
}


@st.composite
def problems(draw, most_classes=5):
    """Few cases of few classes; now and then a class has one case, or none."""
    n_classes = draw(st.sampled_from([3, 2, 3, 4, most_classes]))
    classes = LABELS[draw(st.sampled_from(list(LABELS)))](n_classes)
    n = draw(st.sampled_from([12, 3, 5, 20, 40, 1]))
    seed = draw(SEEDS)
    codes = np.random.default_rng(seed).integers(0, n_classes, n)
    if draw(st.integers(0, 9)):  # most of the time every class is there
        codes = np.append(codes, np.arange(n_classes))
    return Problem(classes, codes, seed)


# --- the same array in other clothes ----------------------------------------------


def _strided(array):
    wide = np.repeat(array, 2, axis=0)
    return wide[::2]


def _read_only(array):
    array = array.copy()
    array.flags.writeable = False
    return array


def _framed(array):
    odd = np.arange(len(array))[::-1] * 7 - 3
    if array.dtype.byteorder == ">":
        array = array.astype(array.dtype.newbyteorder("="))
    if array.dtype.kind == "f" and array.dtype.itemsize == 2:
        array = array.astype(float)  # no index of half floats
    return pd.Series(array, index=odd) if array.ndim == 1 else pd.DataFrame(array, index=odd)


def _repeated_index(array):
    framed = _framed(array)
    framed.index = np.zeros(len(array), dtype=int)
    return framed


def _if_numeric(function):
    return lambda array: function(array) if array.dtype.kind in "iuf" else array


SAME_VALUES = {
    "plain": lambda array: array,
    "list": lambda array: array.tolist(),
    "tuple": lambda array: tuple(array.tolist()),
    "Fortran": np.asfortranarray,
    "strided": _strided,
    "backwards": lambda array: array[::-1].copy()[::-1],
    "read-only": _read_only,
    "objects": lambda array: array.astype(object),
    "framed": _framed,
    "repeated index": _repeated_index,
    "mask of nothing": lambda array: np.ma.masked_array(array, mask=False),
    "column": lambda array: array[:, np.newaxis] if array.ndim == 1 else array,
    "swapped": _if_numeric(lambda array: array.astype(array.dtype.newbyteorder(">"))),
}
OTHER_TYPES = {
    "single": _if_numeric(lambda array: np.clip(array, -3e38, 3e38).astype(np.float32)),
    "half": _if_numeric(lambda array: np.clip(array, -6e4, 6e4).astype(np.float16)),
    "long": _if_numeric(lambda array: array.astype(np.longdouble)),
}


@st.composite
def dressed(draw, array, types=False):
    """An array in another container, order or, on demand, precision."""
    clothes = {**SAME_VALUES, **(OTHER_TYPES if types else {})}
    return clothes[draw(st.sampled_from(list(clothes)))](array)


# --- what is wrong with a value ---------------------------------------------------


def _holding_itself():
    value = []
    value.append(value)
    return value


# functions, so that every case has objects of its own
JUNK = (
    *[lambda value=value: value for value in (None, True, False, 0, -1, 1, 2, 3, 7)],
    *[lambda value=value: value for value in (0.0, -0.0, 0.5, 1.0, -1.5, TINY, HUGE)],
    *[lambda value=value: value for value in (np.nan, np.inf, -np.inf, 1j)],
    *[lambda value=value: value for value in (2**63, -(2**63), 10**30, 10**400)],
    *[lambda value=value: value for value in ("", "auto", "nonsense", "0.5", "\ud800", b"x")],
    *[lambda value=value: value for value in (pd.NA, pd.NaT, Decimal("0.5"), Fraction(1, 3))],
    *[lambda value=value: value for value in (int, object, ..., range(3), slice(2))],
    lambda: object(),
    list,
    dict,
    set,
    tuple,
    lambda: [[]],
    lambda: [None],
    lambda: [1, 2],
    lambda: [[1, 2], [3]],
    lambda: ["a", 1],
    lambda: {"a": 1},
    lambda: {(0, 1): 0.5},
    lambda: {0: 0.5},
    lambda: {0, 1},
    lambda: (0, 1),
    _holding_itself,
    lambda: np.float32(np.nan),
    lambda: np.float16(0.5),
    lambda: np.int8(3),
    lambda: np.uint64(2**64 - 1),
    lambda: np.bool_(True),
    lambda: np.str_("auto"),
    lambda: np.datetime64("NaT", "s"),
    lambda: np.array(3),
    lambda: np.array("auto"),
    lambda: np.array([]),
    lambda: np.zeros((0, 3)),
    lambda: np.zeros((3, 0)),
    lambda: np.zeros((2, 2, 2)),
    lambda: np.eye(3),
    lambda: np.array([None, [1]], dtype=object),
    lambda: np.array(["2020-01-01"], dtype="M8[D]"),
    lambda: np.zeros(3, dtype="i4,f8"),
    lambda: np.ma.masked_array([1.0, 2.0, 3.0], mask=[0, 1, 0]),
    lambda: np.ma.masked,
    lambda: sparse.csr_array(np.eye(3)),
    lambda: pd.DataFrame({"a": [1.0, 2.0]}),
    lambda: pd.DataFrame(),
    lambda: pd.Series(["a", None]),
    lambda: pd.Series([1.0, 2.0], index=["x", "x"]),
    lambda: pd.Series(["a", "b"], dtype="category"),
    lambda: iter([1, 2]),
)


def _put(value):
    def put(array, rng):
        array = array.astype(object if array.dtype.kind not in "fc" else array.dtype)
        array.flat[rng.integers(array.size)] = value
        return array

    return put


def _masked(array, rng):
    mask = np.zeros(array.shape, dtype=bool)
    mask.flat[rng.integers(array.size)] = True
    return np.ma.masked_array(array, mask=mask)


SPOIL_ARRAY = {
    **{
        f"one {value!r}": _put(value)
        for value in (np.nan, np.inf, -np.inf, -1, 2**60, HUGE, TINY, -0.0)
    },
    "a missing one": lambda array, rng: _put(None)(array.astype(object), rng),
    "a list in it": lambda array, rng: _put([1])(array.astype(object), rng),
    "a word in it": lambda array, rng: _put("word")(array.astype(object), rng),
    "transposed": lambda array, rng: array.T,
    "one less": lambda array, rng: array[:-1],
    "one more": lambda array, rng: np.concatenate([array, array[:1]]),
    "none": lambda array, rng: array[:0],
    "one row": lambda array, rng: array[:1],
    "narrower": lambda array, rng: array[..., :-1],
    "wider": lambda array, rng: np.concatenate([array, array[..., :1]], axis=-1),
    "one axis more": lambda array, rng: array[np.newaxis],
    "flat": lambda array, rng: array.ravel(),
    "text": lambda array, rng: array.astype(str),
    "complex": lambda array, rng: array + 1j if array.dtype.kind in "iuf" else array,
    "all equal": lambda array, rng: np.full_like(array, array.flat[0]),
    "zeros": lambda array, rng: np.zeros(array.shape),
    "halves": lambda array, rng: np.full(array.shape, 0.5),
    "opposite": lambda array, rng: -array if array.dtype.kind in "if" else array,
    "times huge": lambda array, rng: array * 1e300 if array.dtype.kind in "iuf" else array,
    "times tiny": lambda array, rng: array * 1e-310 if array.dtype.kind in "iuf" else array,
    "truth": lambda array, rng: array.astype(bool) if array.dtype.kind in "iuf" else array,
    "masked": _masked,
    "sparse": lambda array, rng: (
        sparse.csr_array(np.atleast_2d(array)) if array.dtype.kind in "iuf" else array
    ),
}


@st.composite
def spoiled(draw, value):
    """Something that does not belong where `value` does, or hardly."""
    array = None
    if isinstance(value, (np.ndarray, list, tuple, pd.Series, pd.DataFrame)):
        array = None if _is_ragged(value) else np.asarray(value)
    if array is None or not array.size or not draw(st.integers(0, 3)):
        return draw(st.sampled_from(JUNK))()
    change = SPOIL_ARRAY[draw(st.sampled_from(list(SPOIL_ARRAY)))]
    with np.errstate(all="ignore"):
        try:
            return change(array, np.random.default_rng(draw(SEEDS)))
        except (ValueError, TypeError, IndexError, OverflowError, UnicodeError):
            return draw(st.sampled_from(JUNK))()  # this cannot be done to it


def _is_ragged(value):
    try:
        np.asarray(value)
    except ValueError:
        return True
    return False
