"""Tables in files, a block of rows at a time: CSV, TSV, also compressed, and Parquet.

One reader for text, whatever is installed, so that the same file gives the same numbers and the
same errors everywhere.
"""

import csv
import gzip
import io
import os
import sys
import zlib
from contextlib import contextmanager
from functools import partial
from itertools import chain, islice
from typing import NamedTuple

from skvus._cli._cells import header_hint, is_number
from skvus._cli._messages import CommandError, listed

_CELLS = 100_000  # of a block of text, as objects
_NUMBERS = 500_000  # of a block of arrays
_DELIMITERS = (",", ";", "\t", "|")
_PARQUET = (".parquet", ".pq")
_GZIP = b"\x1f\x8b"


class Block(NamedTuple):
    """Some rows: the cells of each column that is wanted, and where a row is in the file."""

    cells: dict
    size: int
    place: object


@contextmanager
def open_table(path):
    """A table to read; `path` is a file, or ``-`` for standard input."""
    if path.lower().endswith(_PARQUET):
        with _readable(path, path):
            yield _ParquetTable(path)
        return
    name = "standard input" if path == "-" else path
    with _readable(name, path), _text(path) as file:
        yield _TextTable(file, name, path)


@contextmanager
def _readable(name, path):
    """Say in one line why a file cannot be read."""
    if path != "-" and os.path.isdir(path):
        raise CommandError(f"{name} is a folder, not a table.")
    try:
        yield
    except FileNotFoundError as error:
        raise CommandError(f"{name}: there is no such file.") from error
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise CommandError(f"{name} is no gzip file, or it is damaged: {error}.") from error
    except UnicodeDecodeError as error:
        byte = error.object[error.start]
        raise CommandError(
            f"{name} must be text in UTF-8; it has the byte 0x{byte:02x} ({error.reason})."
        ) from error
    except OSError as error:
        raise CommandError(f"{name} cannot be read: {error.strerror or error}.") from error


@contextmanager
def _text(path):
    """A file as text, decompressed if it begins as gzip does."""
    with _binary(path) as file:
        is_packed = path.lower().endswith(".gz") or file.peek(2)[:2] == _GZIP
        unpacked = gzip.GzipFile(fileobj=file) if is_packed else file
        wrapper = io.TextIOWrapper(unpacked, encoding="utf-8-sig", newline="")
        try:
            yield wrapper
        finally:
            wrapper.detach()


@contextmanager
def _binary(path):
    """A file, or standard input, which stays open."""
    if path != "-":
        with open(path, "rb") as file:
            yield file
        return
    if sys.stdin is None:
        raise CommandError("standard input is closed; give a file in place of -")
    buffer = sys.stdin.buffer
    if hasattr(buffer, "peek"):
        yield buffer
        return
    file = io.BufferedReader(buffer)
    try:
        yield file
    finally:
        file.detach()


class _TextTable:
    """A table of delimited text with a header.

    Parameters
    ----------
    file : iterable of lines
    name : str
        How errors call it.
    path : str
        Whose extension may tell the delimiter.

    Attributes
    ----------
    columns : list of str
        Names of the columns.
    has_commas : bool
        Whether numbers may have decimal commas, as they do where semicolons separate.
    """

    def __init__(self, file, name, path):
        self.name = name
        first = file.readline()
        delimiter = _delimiter(first, path.lower().removesuffix(".gz"))
        self.has_commas = delimiter == ";"
        if first.strip() and first.count('"') % 2 == 0:  # else it goes on in the next line
            _check_separated(name, _unquoted(first).count(delimiter) + 1, first.strip())
        lines = chain([first] if first else [], file)
        self._reader = csv.reader(
            lines, delimiter=delimiter, strict=True, skipinitialspace=True
        )
        header = []
        while not header:
            rows = self._next_rows(1)
            if not rows:
                raise CommandError(f"{name} is empty.")
            header = rows[0]
        self.columns = _checked_header(name, header)
        _check_separated(name, len(self.columns), self.columns[0])

    def blocks(self, wanted):
        """Yield blocks of rows with the cells of the columns `wanted`, as text."""
        n_rows = max(10, _CELLS // len(self.columns))
        while True:
            start = self._reader.line_num
            rows = self._next_rows(n_rows)
            if not rows:
                return
            full = [row for row in rows if row] if [] in rows else rows
            place = partial(_line_of, rows, start)
            self._check_lengths(full, place)
            if full:
                columns = list(zip(*full, strict=True))
                yield Block({k: columns[k] for k in wanted}, len(full), place)

    def _next_rows(self, n):
        try:
            return list(islice(self._reader, n))
        except csv.Error as error:
            raise CommandError(
                f"{self.name}, line {self._reader.line_num:,}: {error}."
            ) from error

    def _check_lengths(self, rows, place):
        n_columns = len(self.columns)
        if set(map(len, rows)) <= {n_columns}:
            return
        i = next(i for i, row in enumerate(rows) if len(row) != n_columns)
        raise CommandError(
            f"{self.name}, {place(i)}: there are {len(rows[i])} fields, but {n_columns} in the "
            "header."
        )


def _line_of(rows, start, i):
    """Where row i of those that are not blank begins."""
    line, left = start + 1, i
    for row in rows:
        if row and not left:
            break
        left -= bool(row)
        line += 1 + sum(cell.count("\n") or cell.count("\r") for cell in row)
    return f"line {line:,}"


def _delimiter(header, path):
    """What stands between the columns: tabs in a TSV, else what the header has most of."""
    if path.endswith((".tsv", ".tab")):
        return "\t"
    return max(_DELIMITERS, key=_unquoted(header).count)


def _unquoted(header):
    return "".join(header.split('"')[::2])


def _check_separated(name, n_columns, header):
    if n_columns == 1:
        raise CommandError(
            f"{name} has one column only, {listed([header])}; separators are comma, semicolon, "
            "tab or |."
        )


def _checked_header(name, header):
    """Names of columns, those without a name left alone."""
    columns = [cell.strip() for cell in header]
    named = [column for column in columns if column]
    twice = sorted({column for column in named if named.count(column) > 1})
    if twice:
        raise CommandError(
            f"{name} has two columns of one name: {listed(twice)}.{header_hint(columns)}"
        )
    if named and all(is_number(column) for column in columns) and len(columns) > 1:
        raise CommandError(
            f"{name} must have names of columns in its first line; it begins with "
            f"{listed(columns, 5)}."
        )
    return columns


class _ParquetTable:
    """A table of a Parquet file, which pyarrow reads."""

    has_commas = False

    def __init__(self, path):
        try:
            from pyarrow import parquet
        except ImportError as error:
            raise CommandError(
                f"{path}: Parquet takes pyarrow, which is not installed. Use CSV, or "
                "pip install pyarrow."
            ) from error
        self.name = path
        try:
            self._file = parquet.ParquetFile(path)
        except ValueError as error:
            raise CommandError(f"{path} is no Parquet file, or it is damaged.") from error
        self.columns = _checked_header(path, list(self._file.schema_arrow.names))

    def blocks(self, wanted):
        """Yield blocks of rows: arrays of numbers, text for all else."""
        names, start = [self.columns[k] for k in wanted], 0
        try:
            n_rows = max(1000, _NUMBERS // len(names))
            for batch in self._file.iter_batches(batch_size=n_rows, columns=names):
                arrays = (batch.column(batch.schema.get_field_index(name)) for name in names)
                cells = dict(zip(wanted, map(_cells_of, arrays), strict=True))
                yield Block(cells, len(batch), partial(_row_of, start))
                start += len(batch)
        except ValueError as error:
            raise CommandError(f"{self.name} is damaged: {error}.") from error


def _cells_of(array):
    if array.null_count == 0 and str(array.type) in ("double", "float"):
        return array.to_numpy(zero_copy_only=False)
    return ["" if cell is None else str(cell) for cell in array.to_pylist()]


def _row_of(start, i):
    return f"row {start + i + 1:,}"
