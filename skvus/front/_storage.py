"""A front as arrays and JSON, and back; what is read is checked like any other input."""

import math
from base64 import b64decode, b64encode

import numpy as np

from skvus._files import (
    array_from_bytes,
    array_to_bytes,
    path_text,
    read_archive,
    write_archive,
)
from skvus._labels import check_labels
from skvus._rates import off_diagonal
from skvus._validation import ROW_SUM_TOLERANCE, check_priors, shorten
from skvus.front._dominance import (
    OBJECTIVES,
    check_objective_count,
    comparison_of,
    non_dominated_members,
)

KIND, VERSION = "skvus.ROCFront", 1
_OF_MEMBERS = {"rates", "counts", "costs"}
_ARRAYS = _OF_MEMBERS | {"classes", "priors", "class_sizes"}


def write_front(front, path):
    """Write a front to a file."""
    arrays = {name: getattr(front, name) for name in sorted(_ARRAYS)}
    arrays = {name: array for name, array in arrays.items() if array is not None}
    header = {"objectives": front.objectives, "params": _params_to_json(front.params)}
    try:
        _check_contents(header, arrays)  # what could not be read is not written
    except ValueError as error:
        raise ValueError(f"The front cannot be saved: {error}") from error
    write_archive(path, kind=KIND, version=VERSION, header=header, arrays=arrays)


def read_front(path):
    """What a front is made of, from a file; a ValueError for anything that cannot be one."""
    header, arrays = read_archive(path, kind=KIND, version=VERSION)
    try:
        return _check_contents(header, arrays)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path_text(path)!r} is damaged: {error}") from error


def _check_contents(header, arrays):
    is_whole = isinstance(header, dict) and set(header) == {"objectives", "params"}
    _require(is_whole, "its header is incomplete")
    objectives, params = header["objectives"], header["params"]
    _require({"rates", "classes", "priors"} <= set(arrays), "arrays are missing")
    _require(set(arrays) <= _ARRAYS, "it has arrays that are none of a front")
    rates, classes = arrays["rates"], check_labels(arrays["classes"])
    n_classes = classes.size
    _require(rates.ndim == 3 and len(rates) > 0, f"rates has shape {rates.shape}")
    for name in sorted(set(arrays) - {"classes"}):
        array = arrays[name]
        shape = (len(rates), n_classes, n_classes) if name in _OF_MEMBERS else (n_classes,)
        types = (np.float64, np.int64) if name == "counts" else (np.float64,)
        _require(array.dtype in types, f"{name} has type {array.dtype}")
        _require(array.shape == shape, f"{name} has shape {array.shape} instead of {shape}")
        _require(np.isfinite(array).all() and array.min() >= 0, f"{name} is out of range")
    sums = rates.sum(axis=2)
    _require(np.abs(sums - 1.0).max() <= ROW_SUM_TOLERANCE, "rates do not sum to 1")
    check_priors(arrays["priors"], n_classes=n_classes)
    if "costs" in arrays:
        costs = arrays["costs"]
        _require(costs[:, off_diagonal(n_classes)].any(axis=1).all(), "costs are all zero")
        _require(not np.einsum("mkk->mk", costs).any(), "costs have a diagonal")
    if "counts" in arrays:
        counts = arrays["counts"]
        totals = counts.sum(axis=2, keepdims=True)
        _require((totals > 0).all(), "counts lack a class")
        # counts may have been found for rates with few digits
        differences = np.abs(counts / totals - rates)
        _require(differences.max() <= 2.0 * ROW_SUM_TOLERANCE, "counts and rates differ")
    if "class_sizes" in arrays:
        _require(arrays["class_sizes"].all(), "class_sizes are not positive")
    _require(objectives in OBJECTIVES, f"objectives are {shorten(objectives)}")
    check_objective_count(n_classes, objectives)
    comparison = comparison_of(rates, arrays.get("counts"))
    kept = non_dominated_members(comparison, objectives)
    _require(kept.size == len(rates), "some members are dominated")
    if params is not None:
        _require(isinstance(params, list) and len(params) == len(rates), "params do not fit")
        params = tuple(_from_json(member) for member in params)
        _require(all(isinstance(member, dict) for member in params), "params are no dicts")
    contents = {name: arrays.get(name) for name in _ARRAYS}
    return {**contents, "classes": classes, "objectives": objectives, "params": params}


def _require(condition, what):
    if not condition:
        raise ValueError(f"{what}.")


def _params_to_json(params):
    if params is None:
        return None
    try:
        return [_to_json(member, f"params[{i}]") for i, member in enumerate(params)]
    except RecursionError as error:
        raise TypeError(
            "params must be plain data to be saved; they hold themselves, or are nested too "
            "deeply."
        ) from error


def _to_json(value, name):
    """Plain data as JSON; arrays, tuples and special numbers are marked."""
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else {"$float": repr(value)}
    is_array = isinstance(value, np.ndarray) and not np.ma.isMaskedArray(value)
    if is_array and value.dtype.kind in "biufU":
        # as bytes, so that no digit is lost and what is read takes no more memory than the file
        return {"$array": b64encode(array_to_bytes(value)).decode()}
    if isinstance(value, (list, tuple)):
        items = [_to_json(item, f"{name}[{i}]") for i, item in enumerate(value)]
        return items if isinstance(value, list) else {"$tuple": items}
    if isinstance(value, dict) and all(
        isinstance(key, str) and not key.startswith("$") for key in value
    ):
        return {key: _to_json(item, f"{name}[{key!r}]") for key, item in value.items()}
    raise TypeError(
        f"{name} must be plain data to be saved: numbers, text, arrays, lists and dicts of "
        f"these, with keys that are text and do not start with $; got {shorten(value)}."
    )


def _from_json(value):
    if isinstance(value, list):
        return [_from_json(item) for item in value]
    if not isinstance(value, dict):
        return value
    if not any(key.startswith("$") for key in value):
        return {key: _from_json(item) for key, item in value.items()}
    _require(len(value) == 1, f"params have {shorten(value)}")
    mark, content = next(iter(value.items()))
    if mark == "$float" and isinstance(content, str):
        return float(content)
    if mark == "$tuple" and isinstance(content, list):
        return tuple(_from_json(item) for item in content)
    _require(mark == "$array" and isinstance(content, str), f"params have {shorten(value)}")
    return array_from_bytes(b64decode(content, validate=True))
