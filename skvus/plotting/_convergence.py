"""Logbooks of searches as columns: what was known after each generation, and how fast."""

import numbers
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from sklearn.exceptions import NotFittedError

from skvus._validation import check_integer, check_option, shorten
from skvus.front._decisions import binomial_limits
from skvus.plotting._checks import check_name, check_others
from skvus.search import ParetoROCSearch

X_COLUMNS = ("generation", "evaluations", "seconds")
SPEED = "evaluations per second"
PANELS = ("size", "gini", SPEED)
DEFAULT_NAME = "this search"
CONFIDENCE = 0.95
_READ = ("island", "generation", "evaluations", "seconds", "size", "gini", "gini_std")
_MOST = 2**53
# One generation may take next to no time: speed is a mean over this share of all of them.
_SHARE_OF_SPEED = 1 / 20


class Progress(NamedTuple):
    """What was logged of a search, rows by island and generation."""

    table: dict
    islands: tuple

    @property
    def n_generations(self):
        """Number of the last generation."""
        return int(self.table["generation"].max())

    @property
    def text(self):
        """How long the search was, in words."""
        number, evaluations = self.n_generations, self.table["evaluations"].max()
        words = f"{number:,} generation{'' if number == 1 else 's'}"
        if len(self.islands) > 1:
            words += f" of {len(self.islands)} islands"
        return words if np.isnan(evaluations) else f"{words}, {evaluations:,.0f} evaluations"

    @property
    def panels(self):
        """What there is to show."""
        return [name for name in PANELS if np.isfinite(self.table[name]).any()]

    def rows(self, island):
        """Indices of the rows of an island."""
        return np.flatnonzero(self.table["island"] == island)

    def whole(self):
        """Indices of one row for each generation, to show what all islands have in common."""
        return np.unique(self.table["generation"], return_index=True)[1]


class ProgressView(NamedTuple):
    """What is drawn: searches by name, and what they go along."""

    searches: dict
    x: str

    @property
    def n_lines(self):
        """How many islands there are in all."""
        return sum(len(one.islands) for one in self.searches.values())

    @property
    def along(self):
        """Where all rows of all searches are on the axis that the panels share."""
        return np.concatenate([one.table[self.x] for one in self.searches.values()])

    @property
    def panels(self):
        """What at least one search has, in the order of the panels."""
        known = {panel for one in self.searches.values() for panel in one.panels}
        return [panel for panel in PANELS if panel in known]


def make_view(logbook, *, x, name, others, n_samples):
    """What is to be shown, checked."""
    check_request(x=x, name=name, others=others, n_samples=n_samples)
    logbooks = {name or DEFAULT_NAME: (logbook, "logbook")}
    for key, other in (others or {}).items():
        what = f"others[{shorten(key)}]"
        logbooks[key] = (_logbook_of(other, what), what)
    searches = {key: read(*pair, n_samples) for key, pair in logbooks.items()}
    for (_, what), progress in zip(logbooks.values(), searches.values(), strict=True):
        if not np.isfinite(progress.table[x]).all():
            raise ValueError(f"x={x!r} needs that column in all rows of {what}.")
    return ProgressView(searches, x)


def check_request(*, x, name, others, n_samples):
    """Raise for options that are wrong whatever the logbook."""
    check_option("x", x, X_COLUMNS)
    check_name(name)
    check_others(others, name or DEFAULT_NAME, "searches or logbooks")
    if n_samples is not None:
        check_integer("n_samples", n_samples, minimum=1, maximum=_MOST)


def read(logbook, name, n_samples):
    """A logbook as columns, with what follows from them."""
    columns = _columns(logbook, name)
    if "generation" not in columns or not columns["generation"].size:
        raise ValueError(
            f"{name} must have a row for each generation, with its number as 'generation'; got "
            f"{shorten(logbook)}."
        )
    empty = np.full(columns["generation"].size, np.nan)
    columns = {key: columns.get(key, empty) for key in _READ}
    if np.isnan(columns["island"]).all():
        columns["island"] = np.zeros(empty.size)
    _check_columns(columns, name)
    order = np.lexsort((columns["generation"], columns["island"]))
    columns = {key: column[order] for key, column in columns.items()}
    low, high = _gini_limits(columns["gini"], columns.pop("gini_std"), n_samples)
    table = {**columns, "gini low": low, "gini high": high, **_of_all_islands(columns)}
    for key in ("island", "generation"):
        table[key] = table[key].astype(int)
    progress = Progress(table, tuple(np.unique(table["island"]).tolist()))
    if not progress.panels:
        raise ValueError(
            f"{name} must have a column 'size' or 'gini', or 'evaluations' and 'seconds'; got "
            f"{shorten(logbook)}."
        )
    return progress


# --- reading ------------------------------------------------------------------------


def _logbook_of(other, name):
    """What is given as a logbook, or that of a search."""
    if not isinstance(other, ParetoROCSearch):
        return other
    try:
        return other.logbook_
    except NotFittedError as error:
        raise NotFittedError(f"{name} is a search that is not fitted yet.") from error


def _columns(logbook, name):
    """Those columns of a logbook that tell of progress, as floats."""
    if isinstance(logbook, Mapping) or hasattr(logbook, "columns"):
        found = {key: logbook[key] for key in _READ if key in logbook}
    elif _is_list_of_rows(logbook):
        found = {
            key: [row.get(key) for row in logbook]
            for key in _READ
            if any(key in row for row in logbook)
        }
    else:
        raise TypeError(
            f"{name} must be the logbook_ of a search, a list of rows or a table with a column "
            f"'generation'; got {shorten(logbook)}."
        )
    columns = {key: _floats(values, key, name) for key, values in found.items()}
    if len({column.size for column in columns.values()}) > 1:
        sizes = {key: column.size for key, column in columns.items()}
        raise ValueError(f"Columns of {name} must have equal lengths; got {sizes}.")
    return columns


def _is_list_of_rows(logbook):
    is_list = isinstance(logbook, Sequence) and not isinstance(logbook, (str, bytes))
    return is_list and all(isinstance(row, Mapping) for row in logbook)


def _floats(values, key, name):
    try:
        if isinstance(values, (str, bytes, Mapping)):  # their items are no rows
            raise TypeError(values)
        column = np.array([_float(value) for value in values], dtype=float)
    except TypeError as error:
        raise ValueError(f"{key} of {name} must be numbers; got {shorten(values)}.") from error
    if np.isinf(column).any():
        raise ValueError(f"{key} of {name} must be finite numbers; got {shorten(values)}.")
    return column


def _float(value):
    """A number, nan if there is none, infinite if it is beyond floats."""
    if value is None:
        return np.nan
    if not isinstance(value, numbers.Real) or isinstance(value, bool):
        raise TypeError(value)
    try:
        return float(value)
    except OverflowError:
        return np.inf


def _check_columns(columns, name):
    for key in ("island", "generation", "evaluations", "size"):
        is_whole = (np.mod(columns[key], 1) == 0.0) & (np.abs(columns[key]) < _MOST)
        may_miss = key in ("evaluations", "size")
        if not (is_whole | (np.isnan(columns[key]) & may_miss)).all():
            raise ValueError(
                f"{key} of {name} must be whole numbers; got {shorten(columns[key].tolist())}."
            )
    for key in ("generation", "evaluations", "seconds", "size", "gini", "gini_std"):
        low = np.nanmin(columns[key], initial=0.0)
        if low < 0.0:
            raise ValueError(f"{key} of {name} must not be negative; its minimum is {low:.6g}.")
    high = np.nanmax(columns["gini"], initial=0.0)
    if high > 1.0:
        raise ValueError(f"gini of {name} must be at most 1; its maximum is {high:.6g}.")
    for island in np.unique(columns["island"]):
        rows = columns["island"] == island
        if (np.diff(columns["generation"][rows]) <= 0.0).any():
            raise ValueError(
                f"generation of {name} must increase from row to row, of several islands with "
                "their numbers as 'island'."
            )
        for key in ("evaluations", "seconds"):
            known = columns[key][rows]
            if (np.diff(known[~np.isnan(known)]) < 0.0).any():
                raise ValueError(f"{key} of {name} must be those since the start; they shrink.")


# --- what follows -------------------------------------------------------------------


def _gini_limits(gini, std, n_samples):
    """Confidence limits of G: by its standard error, or as of a share of so many samples."""
    low, high = np.full(gini.size, np.nan), np.full(gini.size, np.nan)
    known = np.flatnonzero(~np.isnan(gini))
    if n_samples is not None and known.size:
        limits = binomial_limits(gini[np.newaxis, known], np.array([n_samples]), CONFIDENCE)
        low[known], high[known] = limits[0][0], limits[1][0]
    has_std = ~np.isnan(gini) & ~np.isnan(std)
    if has_std.any():
        from scipy.special import ndtri

        reach = ndtri(0.5 + 0.5 * CONFIDENCE) * std[has_std]
        low[has_std] = np.maximum(gini[has_std] - reach, 0.0)
        high[has_std] = np.minimum(gini[has_std] + reach, 1.0)
    return low, high


def _of_all_islands(columns):
    """Evaluations and seconds of all islands together, and how fast these were."""
    generations, places = np.unique(columns["generation"], return_inverse=True)
    evaluations = _known_until(columns, "evaluations", places, generations.size).sum(axis=0)
    seconds = _known_until(columns, "seconds", places, generations.size).max(axis=0)
    speed = _speed(evaluations, seconds)
    found = {"evaluations": evaluations, "seconds": seconds, SPEED: speed}
    return {key: values[places] for key, values in found.items()}


def _known_until(columns, key, places, n_generations):
    """For each island and generation the last number that was logged; nan if none ever was."""
    if np.isnan(columns[key]).all():
        return np.full((1, n_generations), np.nan)
    islands, rows = np.unique(columns["island"], return_inverse=True)
    known = np.zeros((islands.size, n_generations))
    known[rows, places] = np.nan_to_num(columns[key])
    return np.maximum.accumulate(known, axis=1)


def _speed(evaluations, seconds):
    """Evaluations per second in a few generations up to each; at the start, since it began."""
    window = max(1, round(_SHARE_OF_SPEED * evaluations.size))
    since = np.maximum(np.arange(evaluations.size) - window, 0)
    done, took = evaluations - evaluations[since], seconds - seconds[since]
    done[0], took[0] = evaluations[0], seconds[0]
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(took > 0.0, done / took, np.nan)
