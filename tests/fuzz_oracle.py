"""What a call may do: return what is documented, or say in its own words what is wrong."""

import contextlib
import io
import linecache
import math
import numbers
import os
import re
import signal
import threading
import traceback
import warnings

import numpy as np
import pandas as pd
from sklearn.exceptions import (
    DataConversionWarning,
    FitFailedWarning,
    NotFittedError,
    UndefinedMetricWarning,
)

import skvus

PACKAGE = os.path.dirname(skvus.__file__)
DOCUMENTED = (TypeError, ValueError, AttributeError, IndexError, NotFittedError, MemoryError)
FILE_ERRORS = (*DOCUMENTED, OSError)
WARNINGS = (UndefinedMetricWarning, FitFailedWarning, DataConversionWarning)
# what skvus says of its own accord
USER_WARNINGS = re.compile(r"is lost in its standard error")
# words of those below, who do not know the parameter
TELL_TALES = re.compile(
    r"broadcast|numba|ufunc|unhashable|subscriptable|not iterable|has no len|out of range$|"
    r"setting an array element|truth value|unsupported operand|not supported between|"
    r"cannot reshape|argument must be|has no attribute|Traceback|dtype\('|out of bounds|"
    r"Unable to allocate|cannot convert|could not convert|invalid literal|zero-size"
)
SECONDS = 30  # kernels may have to be compiled


class FuzzError(AssertionError):
    """A call did what is documented nowhere."""

    def __init__(self, what, signature):
        super().__init__(what)
        self.signature = signature  # failures with the same one are the same bug


def run_case(case):
    """Make the call of a case; return the name of its outcome or raise a `FuzzError`."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the fingerprint itself
        before = fingerprint([case.arguments, case.keywords])
    outcome, error, result = "returned", None, None
    with warnings.catch_warnings(record=True) as caught, _silence(), time_limit():
        warnings.simplefilter("always")
        try:
            result = case.entry.call(*case.arguments, **case.keywords)
            case.entry.check(result, case.keywords, caught)
        except Exception as found:
            outcome, error = type(found).__name__, found
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        after = fingerprint([case.arguments, case.keywords])
    if after != before:
        raise FuzzError(f"{case.text()} changed its input", (case.entry.name, "changed"))
    if error is not None:
        check_error(case, error)
    for warning in caught:
        check_warning(case, warning)
    return outcome


def check_error(case, error):
    """Raise unless an exception is a documented one, in words of our own."""
    kind, message = type(error).__name__, str(error)
    frames = traceback.extract_tb(error.__traceback__)
    ours = [i for i, frame in enumerate(frames) if frame.filename.startswith(PACKAGE)]
    place = frames[ours[-1]] if ours else frames[-1]
    where = f"{os.path.basename(place.filename)}:{place.name}"
    report = f"{case.text()}\n  {kind}: {message}\n  in {where}, line {place.lineno}"
    signature = (case.entry.name.split(".")[-1], kind, where)

    def fail(why):
        raise FuzzError(f"{why}: {report}", (why, *signature)) from error

    if isinstance(error, FuzzError):
        raise FuzzError(f"{case.text()}: {error}", error.signature)
    last = frames[-1]
    is_foreign = not last.filename.startswith(PACKAGE)
    below = "".join(frame.filename for frame in frames[ours[-1] + 1 if ours else 0 :])
    if is_foreign and case.entry.delegates and "sklearn" in below:
        return  # what scikit-learn says of what it was given
    if not isinstance(error, FILE_ERRORS if "path" in case.entry.words else DOCUMENTED):
        fail("undocumented exception")
    if isinstance(error, OSError):
        return
    if not message.strip():
        fail("empty message")
    if isinstance(error, NotFittedError):
        return
    line = linecache.getline(last.filename, last.lineno).strip()
    if is_foreign or not line.startswith("raise"):
        fail("not raised by us")
    if TELL_TALES.search(message):
        fail("message of an inner function")
    if not any(re.search(rf"\b{re.escape(word)}", message) for word in case.entry.words):
        fail("message names no parameter")


def check_warning(case, warning):
    """Raise unless a warning is a documented one."""
    if issubclass(warning.category, WARNINGS):
        return
    if warning.category is UserWarning and USER_WARNINGS.search(str(warning.message)):
        return
    is_ours = warning.filename.startswith(PACKAGE)
    if case.entry.delegates and not is_ours:
        return  # estimators warn as they like
    where = f"{os.path.basename(warning.filename)}:{warning.lineno}"
    text = f"{case.text()}\n  {warning.category.__name__}: {warning.message}\n  in {where}"
    raise FuzzError(f"undocumented warning: {text}", ("warning", where))


# --- results ----------------------------------------------------------------------


def expect(condition, what, result):
    if not condition:
        raise FuzzError(f"{what}; got {result!r}", (what,))


def anything(result, keywords, caught):
    """A result that says nothing by itself."""


def number_between(low, high):
    """A score in its range, or NaN with its warning, or the replacement that was asked for."""

    def check(result, keywords, caught):
        values = np.asarray(result, dtype=float)
        replacement = keywords.get("replace_undefined_by", np.nan)
        if isinstance(replacement, numbers.Real) and (values == float(replacement)).all():
            return
        if np.isnan(values).any():
            if keywords.get("average", "macro") is None and values.ndim == 2:
                values = values[~np.eye(len(values), dtype=bool)]
            is_told = any(w.category is UndefinedMetricWarning for w in caught)
            expect(is_told or not np.isnan(values).any(), "nan without a warning", result)
        else:
            expect(np.isfinite(values).all(), "the score is not finite", result)
        inside = (values >= low - 1e-9) & (values <= high + 1e-9)
        if isinstance(replacement, numbers.Real):
            inside |= values == float(replacement)
        expect((inside | np.isnan(values)).all(), f"not between {low} and {high}", result)

    return check


def finite_numbers(result, keywords, caught):
    """All numbers in a result are finite; NaN comes with a warning."""
    is_told = any(w.category is UndefinedMetricWarning for w in caught)
    for value in _numbers(result):
        if np.isnan(value).any():
            expect(is_told, "nan without a warning", result)
        else:
            expect(np.isfinite(value).all(), "not finite", result)


def _numbers(result):
    if isinstance(result, np.ndarray) and result.dtype.kind in "iufc":
        yield result
    elif isinstance(result, numbers.Real):
        yield np.float64(result)
    elif isinstance(result, (list, tuple)):
        for item in result:
            yield from _numbers(item)


# --- guards -----------------------------------------------------------------------


def fingerprint(value, depth=0):
    """What of an argument must not change; random generators and models may."""
    if value is np.ma.masked:
        return "masked"  # one object, whose methods fail
    if isinstance(value, (pd.DataFrame, pd.Series)):
        labels = [value.index.to_numpy()]
        labels += [value.columns.to_numpy()] if isinstance(value, pd.DataFrame) else []
        return [fingerprint(part) for part in (value.to_numpy(dtype=object), *labels)]
    if isinstance(value, np.ndarray):
        data = repr(value.tolist()) if value.dtype.hasobject else value.tobytes()
        mask = np.ma.getmaskarray(value).tobytes() if np.ma.isMaskedArray(value) else None
        return (str(value.dtype), value.shape, data, mask, value.flags.writeable)
    if isinstance(value, (list, tuple)) and depth < 6:
        return [fingerprint(item, depth + 1) for item in value]
    if isinstance(value, dict) and depth < 6:
        return [(repr(key), fingerprint(item, depth + 1)) for key, item in value.items()]
    if isinstance(value, (str, bytes, numbers.Number)):
        return (type(value).__name__, repr(value) if _is_short(value) else None)
    return type(value).__name__


def _is_short(value):
    return not isinstance(value, int) or math.log2(abs(value) + 1) < 2000


@contextlib.contextmanager
def _silence():
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        yield


@contextlib.contextmanager
def time_limit(seconds=SECONDS):
    """Interrupt a call that does not end, where signals can do that."""
    in_main = threading.current_thread() is threading.main_thread()
    if not hasattr(signal, "setitimer") or not in_main:
        yield
        return

    def stop(number, frame):
        raise FuzzError(f"no end within {seconds} s", ("hang", frame.f_code.co_name))

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
