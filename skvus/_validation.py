"""Scores, rates, weights, costs and options: one place, one wording of errors."""

import difflib
import numbers
import re
import warnings

import numpy as np
from scipy import sparse
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.utils import check_random_state

from skvus._typing import Floats

# Rates that were stored in single precision or printed with seven digits still pass.
ROW_SUM_TOLERANCE = 1e-6
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
_NEGATIVE_TOLERANCE = 1e-12
# Numbers that a function makes at once, if asked to: 16 GB of them.
MOST_CELLS = 2**31


def check_option(name, value, options, hint=""):
    """Return `value` if it is one of `options`, else raise, with a hint or what is near."""
    if not any(
        value is option or (np.isscalar(value) and value == option) for option in options
    ):
        listed = ", ".join(repr(option) for option in options)
        near = did_you_mean(value, options) if isinstance(value, str) else ""
        raise ValueError(f"{name} must be one of {listed}; got {value!r}.{hint or near}")
    return value


def nearest(name, known):
    """What of `known` is spelt most like `name`, or None; numbers are alike only if equal."""
    if not isinstance(name, (str, numbers.Number, np.generic)):
        return None
    spelt = {str(k): k for k in known}
    if str(name) in spelt:
        return spelt[str(name)]
    words = [text for text, k in spelt.items() if not is_real(k)]
    close = difflib.get_close_matches(name, words, n=1) if isinstance(name, str) else []
    return spelt[close[0]] if close else None


def did_you_mean(name, known, show=str):
    """A suggestion for what is misspelt, or nothing."""
    near = nearest(name, known)
    return "" if near is None else f" Did you mean {show(near)}?"


def check_integer(name, value, *, minimum, maximum=None):
    """Return `value` as an int that is at least `minimum`, and at most `maximum`."""
    is_integer = isinstance(value, numbers.Integral) and not isinstance(value, (bool, np.bool_))
    if is_integer and maximum is not None and value > maximum:
        raise ValueError(f"{name} must be at most {maximum:,}; got {value!r}.")
    if is_integer and value >= minimum:
        return int(value)
    raise ValueError(f"{name} must be an integer of at least {minimum}; got {value!r}.")


def check_number(name, value, *, minimum=None, maximum=None):
    """Return `value` as a finite float that is at least `minimum`, and at most `maximum`."""
    number = float(value) if is_real(value) else np.nan
    if np.isfinite(number) and maximum is not None and number > maximum:
        raise ValueError(f"{name} must be at most {maximum:.6g}; got {value!r}.")
    if np.isfinite(number) and (minimum is None or number >= minimum):
        return number
    bound = "" if minimum is None else f" of at least {minimum}"
    raise ValueError(f"{name} must be a finite number{bound}; got {value!r}.")


def is_real(value):
    """Whether a value is a number that fits into a float, and no truth value."""
    if not isinstance(value, numbers.Real) or isinstance(value, (bool, np.bool_)):
        return False
    try:
        float(value)
    except OverflowError:
        return False
    return True


def refuse_masked(name, value):
    """Raise for masked entries: numpy would quietly use what lies under the mask."""
    if np.ma.is_masked(value):
        raise ValueError(f"{name} must not have masked entries; leave these cases out.")


def check_generator(random_state):
    """Return a `numpy.random.Generator` for any `random_state` of scikit-learn."""
    if isinstance(random_state, np.random.Generator):
        return random_state
    try:
        legacy = check_random_state(random_state)
    except ValueError as error:
        raise ValueError(
            "random_state must be None, an int, a numpy RandomState or a numpy "
            f"Generator; got {random_state!r}."
            + " Integers go from 0 to 2**32 - 1."
            * isinstance(random_state, numbers.Integral)
        ) from error
    return np.random.default_rng(legacy.randint(2**32, size=4, dtype=np.uint32))


def host_array(name, value):
    """Return an array of another library as one of numpy, anything else as it is.

    Raises
    ------
    ValueError
        If numpy cannot read it where it is: on another device, with gradients to be kept, or
        of a type that numpy does not have.
    """
    if isinstance(value, np.ndarray) or not hasattr(value, "__dlpack__"):
        return value
    try:
        return np.asarray(value) if hasattr(value, "__array__") else np.from_dlpack(value)
    except Exception as error:  # each library has a type and words of its own
        raise _unreadable(name, value, error) from error


def read_array(name, value, why_not):
    """What numpy makes of a value; ``why_not(value)`` says what is wrong with no array."""
    try:
        return np.asarray(value)
    except MemoryError:
        raise
    except Exception as error:
        if hasattr(value, "__array__"):
            raise _unreadable(name, value, error) from error
        raise ValueError(f"{name} {why_not(value)}.") from error


def _unreadable(name, value, error):
    return ValueError(
        f"{name} must be an array that numpy can read: in the memory of the host, without "
        f"gradients, of a type that numpy has; got a {type(value).__name__}, which says: "
        f"{_cut(' '.join(str(error).split()), 160)}"
    )


def as_float_array(name, value):
    """Return a new float array with finite entries, refusing sparse and text input."""
    return _finite_floats(name, value, _new_floats)


def as_score_array(name, value):
    """The same without a copy of arrays of single or double precision.

    What comes back may belong to the caller and be read-only, and is not to be changed.
    """
    return _finite_floats(name, value, _same_floats)


def _new_floats(array):
    return np.array(array, dtype=float)


def _same_floats(array):
    is_ready = array.dtype in (np.float64, np.float32) and array.flags.aligned
    return array if is_ready else _new_floats(array)


def _finite_floats(name, value, convert):
    if sparse.issparse(value):
        raise TypeError(f"{name} must be a dense array; got a sparse {type(value).__name__}.")
    refuse_masked(name, value)
    value = host_array(name, value)
    array = read_array(name, value, _why_no_numbers)
    try:
        if value is None:
            raise TypeError(value)
        if array.dtype.kind not in "biufO":
            raise TypeError(array.dtype)
        with np.errstate(over="ignore"):
            array = convert(array)
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"{name} {_why_no_numbers(value)}.") from error
    check_finite(name, array)
    return array


def check_finite(name, array):
    """Raise for NaN or infinity in an array of floats, and say where the first is."""
    is_finite = np.isfinite(array)
    if not is_finite.all():
        first = np.unravel_index(is_finite.argmin(), array.shape)
        where = f", first in row {first[0]}" if first else ""
        raise ValueError(f"{name} must be finite; it contains NaN or infinity{where}.")


def _why_no_numbers(value):
    """What an array must be, and what it is that this one has instead."""
    if hasattr(value, "columns") and hasattr(value, "dtypes"):
        columns = [name for name in value.columns if not _are_numbers(value[name])]
        columns = [name for name in columns if not _has_missing(value[name])]
        if columns:
            return f"must hold numbers; its columns {shorten(columns)} do not"
    if _has_missing(value):
        return "must be finite; it has missing values"
    text = _first_text(value)
    if text is not None:
        return f"must hold numbers; got text such as {shorten(text)}"
    return f"must be a numeric array of one shape; got {one_line(value)}"


def _has_missing(value):
    """Whether missing values of pandas are all that numbers are spoiled by."""
    try:
        entries = np.asarray(value).ravel()
        known = entries[[type(entry).__name__ != "NAType" for entry in entries.flat]]
    except Exception:
        return False
    return known.size < entries.size and _are_numbers(known)


def _are_numbers(column):
    try:
        entries = np.asarray(column)
        if entries.dtype.kind == "O":
            entries = entries.astype(float)
    except Exception:  # a table of others may hold anything
        return False
    return entries.dtype.kind in "biuf"


def _first_text(value):
    """The first entry of an array that is text and no number, or None."""
    try:
        entries = np.asarray(value)
    except Exception:  # rows of different lengths
        return None
    if entries.ndim == 0 or entries.dtype.kind not in "UO":
        return None
    texts = (str.__str__(entry) for entry in entries.flat if isinstance(entry, str))
    first = None
    for text in texts:
        first = text if first is None else first
        if not _is_number(text):
            return text
    return first


def _is_number(text):
    try:
        float(text)
    except ValueError:
        return False
    return True


def check_rates(name, rates, *, n_classes=None) -> Floats:
    """Return confusion rates as an (m, Q, Q) array whose rows sum to one exactly enough.

    One (Q, Q) matrix counts as a set of one. The diagonal is recomputed from the
    off-diagonal rates, so that all that follows sees consistent rows.
    """
    if n_classes is not None:
        n_classes = check_integer("n_classes", n_classes, minimum=2, maximum=10_000)
    rates = as_float_array(name, rates)
    if rates.ndim == 2 and rates.size:
        rates = rates[np.newaxis]
    if rates.size == 0:
        if n_classes is None and rates.ndim == 3 and rates.shape[1] == rates.shape[2] >= 2:
            n_classes = rates.shape[1]
        if n_classes is None:
            hint = ": n_classes must be given, got None" if name == "rates" else ""
            raise ValueError(f"{name} is empty{hint}.")
        if rates.ndim == 3 and rates.shape[1:] not in ((n_classes, n_classes), (0, 0)):
            raise ValueError(
                f"{name} has shape {rates.shape}, which does not fit n_classes={n_classes}."
            )
        return np.empty((0, n_classes, n_classes))
    if rates.ndim != 3 or rates.shape[1] != rates.shape[2] or rates.shape[1] < 2:
        raise ValueError(
            f"{name} must have shape (Q, Q) or (m, Q, Q) with Q >= 2; got {rates.shape}."
        )
    if n_classes is not None and n_classes != rates.shape[1]:
        raise ValueError(f"{name} must have {n_classes} classes; got {rates.shape[1]}.")
    if rates.min() < -_NEGATIVE_TOLERANCE:
        raise ValueError(f"{name} must not be negative; its minimum is {rates.min():.6g}.")
    rates = np.maximum(rates, 0.0)
    sums = rates.sum(axis=2)
    worst = np.unravel_index(np.argmax(np.abs(sums - 1.0)), sums.shape)
    if abs(sums[worst] - 1.0) > ROW_SUM_TOLERANCE:
        raise ValueError(
            f"Each row of {name} (a true class) must sum to 1; row {worst[1]} of matrix "
            f"{worst[0]} sums to {sums[worst]:.6g}. Counts become rates with "
            "sklearn.metrics.confusion_matrix(..., normalize='true'), as long as every "
            "class has a case."
        )
    diagonal = np.arange(rates.shape[1])
    rates[:, diagonal, diagonal] = 0.0
    rates[:, diagonal, diagonal] = np.maximum(0.0, 1.0 - rates.sum(axis=2))
    return rates


def check_cost_matrix(cost_matrix, *, n_classes=None, name="cost_matrix"):
    """Return a (Q, Q) float array of non-negative costs with a zero diagonal."""
    if hasattr(cost_matrix, "cost_matrix"):  # a member of a front
        raise ValueError(
            f"{name} must be a matrix; got {type(cost_matrix).__name__}. Its costs are its "
            "attribute cost_matrix."
        )
    cost = as_float_array(name, cost_matrix)
    if cost.ndim != 2 or cost.shape[0] != cost.shape[1] or cost.shape[0] < 2:
        raise ValueError(
            f"{name} must be square with at least two classes; got shape {cost.shape}."
        )
    if n_classes is not None and cost.shape[0] != n_classes:
        raise ValueError(
            f"{name} must have shape ({n_classes}, {n_classes}), one row for each "
            f"class; got {cost.shape}. If a class is missing from the data, name all "
            "classes with labels=."
        )
    if np.diagonal(cost).any():
        raise ValueError(
            f"{name} must have a zero diagonal: correct decisions cost nothing; got "
            f"{np.diagonal(cost).tolist()}. Subtract the diagonal from each row first."
        )
    if cost.min() < 0.0:
        raise ValueError(f"{name} must not be negative; its minimum is {cost.min():.6g}.")
    return cost


def check_priors(priors, *, n_classes):
    """Return class priors that sum to one."""
    array = as_float_array("priors", priors)
    if array.shape != (n_classes,):
        raise ValueError(
            f"priors must have shape ({n_classes},), one for each class; got {array.shape}."
        )
    if array.min() < 0.0 or abs(array.sum() - 1.0) > ROW_SUM_TOLERANCE:
        raise ValueError(
            "priors must be non-negative and sum to 1; got a sum of "
            f"{array.sum():.6g} and a minimum of {array.min():.6g}."
        )
    return array / array.sum()


def check_sample_weight(sample_weight, n_samples):
    """Return weights as floats, ones by default."""
    if sample_weight is None:
        return np.ones(n_samples)
    weight = as_float_array("sample_weight", sample_weight)
    if weight.shape != (n_samples,):
        raise ValueError(f"sample_weight must have shape ({n_samples},); got {weight.shape}.")
    if weight.min() < 0.0:
        raise ValueError(
            f"sample_weight must not be negative; its minimum is {weight.min():.6g}."
        )
    if not weight.any():
        raise ValueError("sample_weight must have a positive entry; all are zero.")
    # a power of two changes no digit above the smallest floats, and keeps sums finite
    exponent = np.frexp(weight.max())[1]
    scaled = np.ldexp(weight, -exponent)
    if (np.ldexp(scaled, exponent) != weight).any():
        raise ValueError(
            "sample_weight must not span so wide a range: from "
            f"{weight[weight > 0.0].min():.3g} to {weight.max():.3g}."
        )
    return scaled


def check_scores(y_score):
    """Return scores as a float array of shape (n,) or (n, Q), no copy if they are one."""
    scores = as_score_array("y_score", y_score)
    if scores.ndim == 2 and scores.shape[1] == 1:
        scores = scores[:, 0]
    if scores.ndim not in (1, 2) or scores.shape[0] == 0:
        raise ValueError(
            "y_score must have shape (n_samples, n_classes), or (n_samples,) for two "
            f"classes, with at least one sample; got {scores.shape}."
        )
    return scores


def undefined_score(reason, replace_undefined_by, *, stacklevel=3):
    """Return the caller's replacement for a score that does not exist.

    NaN comes with a warning; a number was asked for and comes silently.
    """
    if np.isnan(replace_undefined_by):
        text = f"{reason} The score is undefined."
        warnings.warn(text, UndefinedMetricWarning, stacklevel=stacklevel)
        return np.nan
    return float(replace_undefined_by)


def check_replacement(replace_undefined_by):
    """Return the replacement of an undefined score: a real number or NaN."""
    if is_real(replace_undefined_by):
        return float(replace_undefined_by)
    raise ValueError(
        f"replace_undefined_by must be a number or nan; got {replace_undefined_by!r}."
    )


def shorten(value):
    """`repr` of a value, cut to a readable length."""
    return _cut(_repr(value), 80)


def one_line(value, longest=80):
    """`repr` of a value on one line, without addresses: the same in all processes."""
    return _cut(" ".join(_ADDRESS.sub("", _repr(value)).split()), longest)


def _repr(value):
    try:
        return repr(value)
    except Exception:  # whatever classes of others raise, it is not what the caller asked for
        return f"<{type(value).__name__}>"


def _cut(text, longest):
    return text if len(text) <= longest else f"{text[: longest - 3]}..."
