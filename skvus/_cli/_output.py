"""What goes to standard output: tables for people, JSON for machines; and progress."""

import json
import math
import sys
import unicodedata
from typing import NamedTuple

import numpy as np

from skvus._cli._messages import printable


class Table(NamedTuple):
    """Cells as text, the first column to the left, all others to the right."""

    title: str
    head: list
    rows: list


def show(*parts):
    """Print lines of text and tables, with rich if it is there and somebody is looking."""
    console = _console()
    for part in parts:
        if not isinstance(part, Table):
            print(printable(part) if part else "", flush=True)
        elif console is None:
            print(plain(part), flush=True)
        else:
            console.print(_rich_table(part))


def _console():
    if not sys.stdout.isatty():
        return None
    try:
        from rich.console import Console
    except ImportError:
        return None
    return Console(highlight=False)


def _rich_table(table):
    from rich import box
    from rich.table import Table as RichTable
    from rich.text import Text

    title = Text(printable(table.title)) if table.title else None
    shown = RichTable(title=title, title_justify="left", box=box.SIMPLE_HEAD)
    for k, name in enumerate(table.head):
        shown.add_column(Text(printable(name)), justify="right" if k else "left")
    for row in table.rows:
        shown.add_row(*(Text(printable(cell)) for cell in row))
    return shown


def plain(table):
    """A table as aligned text, the head underlined."""
    rows = [[printable(cell) for cell in row] for row in (table.head, *table.rows)]
    widths = [max(map(_width, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(_padded(cell, width, k) for k, (cell, width) in enumerate(pairs)).rstrip()
        for pairs in (zip(row, widths, strict=True) for row in rows)
    ]
    rule = "-" * (sum(widths) + 2 * (len(widths) - 1))
    title = [printable(table.title)] if table.title else []
    return "\n".join([*title, lines[0], rule, *lines[1:]])


def _padded(cell, width, k):
    space = " " * (width - _width(cell))
    return space + cell if k else cell + space


def _width(text):
    """Columns that a text takes on a terminal."""
    marks = sum(unicodedata.combining(c) > 0 for c in text)
    return len(text) + sum(unicodedata.east_asian_width(c) in "WF" for c in text) - marks


def number(value, digits=4):
    """A number for people, what is undefined as a dash."""
    if value is None or math.isnan(value):
        return "-"
    return f"{value:.{digits}f}" if abs(value) >= 0.001 or value == 0.0 else f"{value:.2g}"


def confusion(title, labels, matrix, show_cell):
    """A table with a row for each true class."""
    head = ["true class", *(f"called {label}" for label in labels)]
    rows = [
        [str(label), *map(show_cell, row)] for label, row in zip(labels, matrix, strict=True)
    ]
    return Table(title, head, rows)


def print_json(result):
    """Print a result as JSON, and nothing else; what is no finite number becomes null."""
    print(json.dumps(_jsonable(result), allow_nan=False, indent=1), flush=True)


def _jsonable(value):
    if isinstance(value, dict):
        return {str(key): _jsonable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_jsonable(item) for item in value]
    if isinstance(value, np.ndarray | np.generic):
        return _jsonable(value.tolist())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def verbosity():
    """Whether to show progress: only where somebody is looking, and tqdm can."""
    if not sys.stderr.isatty():
        return 0
    try:
        import tqdm  # noqa: F401
    except ImportError:
        return 0
    return 1


def progress(items, what):
    """The items one after the other, with a bar that goes away when it is done."""
    if len(items) < 2 or not verbosity():
        yield from items
        return
    from tqdm.auto import tqdm

    with tqdm(items, desc=what, leave=False) as bar:
        for item in bar:
            bar.set_postfix_str(str(item))
            yield item
