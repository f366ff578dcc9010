"""Fingerprints of a search: whether another one is of the same problem, in another process.

Two objects have the same digest if they hold equal values in the same structure. Nothing
depends on where they are in memory, on the order of sets, or on the process.
"""

import hashlib
import types
from collections.abc import Mapping
from functools import partial

import numpy as np
from scipy import sparse
from sklearn.base import clone

from skvus._labels import column_names
from skvus.search._data import is_prefit

# Options that a search may change from one part to the next.
_FREE = {
    "checkpoint",
    "checkpoint_every",
    "cv",  # by the splits that it makes
    "error_score",
    "evolve",  # by what it stands for
    "max_time",
    "n_generations",
    "n_jobs",
    "on_interrupt",
    "operating_point",
    "param_distributions",  # by their values
    "random_state",  # of numbers only
    "refit",
    "toolbox",  # by what it replaces
    "verbose",
    "warm_start",
}
# What globals that functions read are looked at for: numbers, texts, arrays and lists of these.
_PLAIN = (bool, int, float, str, bytes, list, tuple, dict, np.ndarray, np.generic, type(None))
_CHUNK = 2**22  # entries of an array that are looked at at once


def fingerprint(options, evolve, space, operators, problem, splits):
    """What a search is of, as digests by name.

    Parameters
    ----------
    options : dict
        Parameters of the search.
    evolve : {"costs", "params", "weights"}
    space : object
        What is evolved.
    operators : dict
        Operators that replace ours, by name.
    problem : Problem
    splits : list of tuple
    """
    found = {name: value for name, value in options.items() if name not in _FREE}
    found["evolve"] = evolve
    seed = options["random_state"]
    found["random_state"] = int(seed) if isinstance(seed, (int, np.integer)) else None
    found["toolbox"] = {name: one for name, one in operators.items() if name != "map"}
    found["cv"] = options["cv"] if isinstance(options["cv"], str) else None
    found["splits of cv"] = [tuple(split) for split in splits]
    found["param_distributions"] = None
    if evolve == "params":
        found["param_distributions"] = space.identity(np.random.default_rng(0))
    if not is_prefit(options["cv"]):  # what a fit left is not looked at
        found["estimator"] = clone(options["estimator"])
    found["X"] = problem.X
    found["y"] = (problem.codes, problem.classes)
    found["sample_weight"] = problem.sample_weight
    found["parameters of fit"] = problem.fit_params
    return {name: digest(value) for name, value in sorted(found.items())}


def differences(one, other):
    """Names in which two fingerprints differ."""
    names = sorted(set(one) | set(other))
    return [name for name in names if one.get(name) != other.get(name)]


def digest(value):
    """Digest of any object."""
    hasher = hashlib.blake2b(digest_size=16)
    _add(hasher, value, ())
    return hasher.hexdigest()


def _add(hasher, value, around):
    """Add an object; `around` are the ids of those that hold it."""
    if id(value) in around:
        return _text(hasher, "again", len(around) - around.index(id(value)))
    if isinstance(value, np.generic) and value.dtype.kind in "biufcUS":
        value = value.item()  # equal numbers of numpy and of Python are the same
    around = (*around, id(value))
    for kinds, add in _KINDS:
        if isinstance(value, kinds):
            return add(hasher, value, around)
    if value is np.random.get_state.__self__:  # the global source is the same for all
        return _text(hasher, "global source of randomness")
    if isinstance(value, np.random.RandomState):
        return _add(hasher, value.get_state(), around)
    if hasattr(value, "dist") and hasattr(value, "args") and hasattr(value, "kwds"):
        return _add(hasher, [type(value.dist), value.args, value.kwds], around)
    if sparse.issparse(value):
        return _add_sparse(hasher, value, around)
    if hasattr(value, "iloc") or hasattr(value, "__dataframe__"):
        return _add_frame(hasher, value, around)
    if hasattr(value, "get_params") and not isinstance(value, type):
        return _add_estimator(hasher, value, around)
    return _add_parts(hasher, value, around)


def _text(hasher, *words):
    for word in words:
        data = str(word).encode("utf-8", "surrogatepass")
        hasher.update(f"{len(data)} ".encode() + data)


def _add_plain(hasher, value, around):
    _text(hasher, type(value).__name__, repr(value))


def _add_array(hasher, value, around):
    value = np.asarray(value)
    _text(hasher, "array", value.dtype.str, value.shape)
    if value.dtype.kind in "OV":
        _add(hasher, value.ravel().tolist(), around)
        return
    rows = max(1, _CHUNK // max(1, int(np.prod(value.shape[1:]))))
    for first in range(0, len(value) if value.ndim else 1, rows):  # maps are not read whole
        part = value[first : first + rows] if value.ndim else value
        hasher.update(np.ascontiguousarray(part).tobytes())


def _add_sparse(hasher, value, around):
    rows = value.tocsr()
    _text(hasher, "sparse", rows.shape)
    for part in (rows.data, rows.indices, rows.indptr):
        _add_array(hasher, part, around)


def _add_frame(hasher, value, around):
    """A data frame or a column of one, whatever made it."""
    columns = column_names(value)
    _text(hasher, "frame", columns, value.shape)
    for name in columns or [None]:
        column = value if name is None else value[name]
        dtype = getattr(column, "dtype", "")
        _text(hasher, dtype)
        if hasattr(dtype, "ordered"):  # codes may be used, which depend on the categories
            _text(hasher, dtype.ordered, list(dtype.categories))
        _add(hasher, np.asarray(column), around)


def _add_items(hasher, value, around):
    _text(hasher, type(value).__name__, len(value))
    for item in value:
        _add(hasher, item, around)


def _add_mapping(hasher, value, around):
    _text(hasher, "mapping", len(value))
    for key, item in sorted(value.items(), key=lambda pair: repr(pair[0])):
        _add(hasher, key, around)
        _add(hasher, item, around)


def _add_set(hasher, value, around):
    _text(hasher, "set", *sorted(digest(item) for item in value))


def _add_named(hasher, value, around):
    """Classes and functions by name, and functions by what they do."""
    name = getattr(value, "__qualname__", None) or getattr(value, "__name__", "")
    _text(hasher, "named", getattr(value, "__module__", ""), name)
    owner = getattr(value, "__self__", None)
    if owner is not None and not isinstance(owner, types.ModuleType):
        _add(hasher, owner, around)
    code = getattr(value, "__code__", None)
    if code is not None:
        _add_code(hasher, code, around)
        _add(hasher, [value.__defaults__, value.__kwdefaults__], around)
        _add(hasher, [_contents(cell) for cell in value.__closure__ or ()], around)
        known = value.__globals__
        read = {name: known[name] for name in _names(code) if name in known}
        plain = {name: item for name, item in read.items() if isinstance(item, _PLAIN)}
        _add(hasher, plain, around)


def _add_code(hasher, code, around):
    hasher.update(code.co_code)
    _text(hasher, code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            _add_code(hasher, constant, around)
        else:
            _add(hasher, constant, around)


def _names(code):
    """Names that a function or those in it may find among globals."""
    inner = [c for c in code.co_consts if isinstance(c, types.CodeType)]
    return sorted({*code.co_names, *(name for one in inner for name in _names(one))})


def _contents(cell):
    try:
        return cell.cell_contents
    except ValueError:  # it is empty
        return "empty"


def _add_method(hasher, value, around):
    _add_named(hasher, value.__func__, around)
    _add(hasher, value.__self__, around)


def _add_partial(hasher, value, around):
    _add(hasher, [value.func, value.args, value.keywords], around)


def _add_estimator(hasher, value, around):
    """Parameters, and what a fit left, which matters for those that are fitted already."""
    _text(hasher, type(value).__module__, type(value).__qualname__)
    params = value.get_params(deep=False)
    _add_mapping(hasher, params, around)
    state = getattr(value, "__dict__", {})
    fitted = {name: item for name, item in state.items() if name not in params}
    _add_mapping(hasher, fitted, around)


def _add_parts(hasher, value, around):
    """What copies are made of; the type alone where no copy can be made."""
    _text(hasher, type(value).__module__, type(value).__qualname__)
    try:
        parts = value.__reduce_ex__(4)
    except Exception:  # whatever an object says that cannot be copied
        return
    if isinstance(parts, str):
        _text(hasher, parts)
        return
    for part in parts[1:]:
        is_stream = hasattr(part, "__next__")
        _add(hasher, list(part) if is_stream else part, around)


_KINDS = (
    ((type(None), bool, int, float, complex, str, bytes, slice, range), _add_plain),
    ((np.ndarray, np.generic), _add_array),
    ((type, types.FunctionType, types.BuiltinFunctionType, np.ufunc), _add_named),
    ((types.MethodType,), _add_method),
    ((partial,), _add_partial),
    ((list, tuple), _add_items),
    ((Mapping,), _add_mapping),
    ((set, frozenset), _add_set),
)
