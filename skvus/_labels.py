"""Labels of any one type, encoded as 0..Q-1."""

import numpy as np
from scipy import sparse

from skvus._hints import columns_for_labels, hinting, scores_for_labels, swapped
from skvus._validation import check_finite, host_array, read_array, refuse_masked, shorten

_BLOCK = 2**18
_KINDS = {"U": "text", "S": "bytes"}


def check_crisp_targets(y_true, y_pred, *, labels=None):
    """Encode true and predicted labels.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,)
        Labels of any one type.
    labels : array-like or None
        The classes in the order wanted. By default the sorted labels of the data.

    Returns
    -------
    classes : ndarray of shape (Q,)
    true_codes, pred_codes : ndarray of int
    """
    with hinting(swapped, y_true, y_pred):
        y_true = label_vector("y_true", y_true)
    with hinting(scores_for_labels, y_true, y_pred):
        y_pred = label_vector("y_pred", y_pred)
    _check_same_length(y_true, "y_pred", len(y_pred))
    classes = _classes({"y_true": y_true, "y_pred": y_pred}, labels)
    return classes, _encode(y_true, classes), _encode(y_pred, classes)


def check_soft_targets(y_true, scores, *, labels=None):
    """Encode true labels to go with a checked array of scores.

    Returns
    -------
    classes : ndarray of shape (Q,) or None
        None if `labels` is unknown and there are more columns than classes in `y_true`:
        which column has no case cannot be told.
    codes : ndarray of int or None
    """
    y_true = label_vector("y_true", y_true)
    _check_same_length(y_true, "y_score", len(scores))
    classes = _classes({"y_true": y_true}, labels)
    n_columns = 2 if scores.ndim == 1 else scores.shape[1]
    if labels is None and n_columns > classes.size:
        return None, None
    if n_columns != classes.size:
        got = "one-dimensional scores" if scores.ndim == 1 else f"{n_columns} columns"
        raise ValueError(
            f"y_score must have one column for each of the {classes.size} classes "
            f"{shorten(classes.tolist())}; got {got}."
        )
    return classes, _encode(y_true, classes)


def check_targets(y_true, name, length, *, labels=None):
    """Encode true labels to go with `length` entries of the parameter `name`.

    Returns
    -------
    classes : ndarray of shape (Q,)
    codes : ndarray of int
    """
    y_true = label_vector("y_true", y_true)
    _check_same_length(y_true, name, length)
    classes = _classes({"y_true": y_true}, labels)
    return classes, _encode(y_true, classes)


def ordered_categories(y):
    """Categories of a pandas object in their order, or None if they have none."""
    dtype = getattr(y, "dtype", None)
    return list(dtype.categories) if getattr(dtype, "ordered", False) else None


def check_labels(labels, name="labels"):
    """Return the classes as an array, none of them twice."""
    classes = label_vector(name, labels)
    if classes.size < 2:
        raise ValueError(f"{name} must name at least two classes; got {classes.tolist()}.")
    if np.unique(classes).size != classes.size:
        raise ValueError(f"{name} must not repeat a class; got {shorten(classes.tolist())}.")
    return classes


def is_arrow(table):
    """Whether this is a table of pyarrow, whose columns are data."""
    return hasattr(type(table), "column_names")


def column_names(table):
    """Names of the columns of a table, or None."""
    names = getattr(table, "column_names" if is_arrow(table) else "columns", None)
    return None if names is None else list(names)


def frame_labels(frame):
    """Labels of the rows and of the columns of a data frame, lists; None where it has none.

    Numbers from 0 on that pandas counts by itself, and names that polars makes, are none.
    """
    names = column_names(frame)
    if names is None:
        return None, None
    if not hasattr(frame, "index"):
        is_made = names == [f"column_{k}" for k in range(len(names))]
        return None, None if is_made else names
    sides = [(axis.tolist(), is_counted(axis)) for axis in (frame.index, frame.columns)]
    if any(counted for _, counted in sides):  # with a count on one side numbers are one, too
        sides = [(own, own == list(range(len(own)))) for own, _ in sides]
    rows, columns = (None if counted else own for own, counted in sides)
    return rows, columns


def is_counted(index):
    """Whether an index of pandas is no more than a count from 0 on."""
    return type(index).__name__ == "RangeIndex" and index.tolist() == list(range(len(index)))


def label_vector(name, y):
    """Return labels as a vector of one type."""
    if sparse.issparse(y):
        raise TypeError(f"{name} must be a dense array of labels; got a sparse matrix.")
    refuse_masked(name, y)
    y = host_array(name, y)
    array = read_array(name, y, _why_no_labels)
    if array.dtype.kind == "T":  # text of any length
        array = np.array(array.tolist(), dtype=object)
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.ndim != 1 or array.size == 0:
        raise ValueError(
            f"{name} must be a non-empty one-dimensional array of labels; got shape "
            f"{array.shape}."
        )
    if array.dtype.kind in "US" and not hasattr(y, "dtype"):
        # numpy has made text of the numbers in a mixed list: look at the items again
        array = np.array(y, dtype=object).ravel()
    if array.dtype.kind == "O":
        array = _from_objects(name, array)
    if array.dtype.kind == "f":
        check_finite(name, array)
        if (array != np.floor(array)).any():
            raise ValueError(f"{name} must hold labels; it looks continuous: {shorten(array)}.")
    elif array.dtype.kind not in "biuUS":
        raise ValueError(f"{name} must hold labels, text or numbers; got dtype {array.dtype}.")
    return array


def _why_no_labels(y):
    return f"must be a one-dimensional array of labels; got {shorten(y)}"


def _from_objects(name, array):
    """The type that the objects have in common, if they have one."""
    missing = next((row for row, value in enumerate(array) if _is_missing(value)), None)
    if missing is not None:
        raise ValueError(
            f"{name} must not contain missing values; the first is in row {missing}."
        )
    kinds = {_kind_of(value) for value in array}
    if len(kinds) > 1:
        raise ValueError(f"{name} must not mix {' and '.join(sorted(kinds, reverse=True))}.")
    if kinds != {"numbers"}:
        _refuse_lost_ends(name, array)
    if kinds == {"text"}:
        # members of a text enumeration would come out as something else
        return np.array([str.__str__(value) for value in array])
    if any(map(np.ndim, array)):
        raise ValueError(f"{name} must hold one label for each case; got {shorten(array)}.")
    return np.array(list(array))


def _refuse_lost_ends(name, array):
    """Raise for null characters at the end, which arrays of text and bytes drop."""
    for value in array:
        if value.endswith("\0" if isinstance(value, str) else b"\0"):
            raise ValueError(
                f"{name} must not hold labels that end with a null character; got "
                f"{shorten(value)}."
            )


def _kind_of(label):
    if isinstance(label, str):
        return "text"
    return "bytes" if isinstance(label, bytes) else "numbers"


def _is_missing(value):
    try:
        return value is None or bool(value != value)
    except TypeError:  # pandas.NA has no truth value
        return True


def _check_same_length(y_true, name, length):
    if y_true.size != length:
        raise ValueError(
            f"y_true and {name} must have the same length; got {y_true.size} and {length}."
        )


def _classes(named, labels):
    """The classes of labels by the names of their parameters, or those that `labels` names."""
    seen = _sorted_labels(named)
    if labels is None:
        return seen
    classes = check_labels(labels)
    _sorted_labels({" and ".join(named): seen, "labels": classes})  # refuses a mix
    unknown = np.setdiff1d(seen, classes)
    if unknown.size:
        raise ValueError(
            f"{' or '.join(named)} has labels that labels= does not name: "
            f"{shorten(unknown.tolist())}."
        )
    return classes


def _sorted_labels(named):
    kinds = [_KINDS.get(labels.dtype.kind, "numbers") for labels in named.values()]
    if len(set(kinds)) > 1:
        first, second = named
        holds = "hold" if " and " in first else "holds"
        with hinting(columns_for_labels, named):
            raise ValueError(
                f"{first.replace(' and ', ', ')} and {second} must hold labels of one type, "
                f"either text or numbers; {first} {holds} {kinds[0]}, {second} {kinds[1]}."
            )
    joined = np.concatenate([_distinct(labels) for labels in named.values()])
    if joined.dtype.kind == "f" and float(np.abs(joined).max()) > 2**53:
        raise ValueError(
            "y_true, y_pred and labels must have one integer type for labels beyond 2**53; got "
            f"{', '.join(str(labels.dtype) for labels in named.values())}."
        )
    return np.unique(joined)


def _distinct(array):
    """Sorted labels; in blocks, which are sorted faster and take less memory than all."""
    starts = range(0, array.size, _BLOCK)
    return np.unique(np.concatenate([np.unique(array[i : i + _BLOCK]) for i in starts]))


def _encode(y, classes):
    order = np.argsort(classes)
    return order[np.searchsorted(classes, y, sorter=order)]
