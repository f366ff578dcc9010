"""Columns that grow block by block: labels, and numbers."""

import re

import numpy as np

from skvus._cli._messages import CommandError, printable

# Where truth is an index or a measurement by mistake.
_MOST_LABELS = 1000
_LONGEST_LABEL = 100
# Zeros in front make text of all labels, so that 007 and 7 are not the same.
_WHOLE = re.compile(r"-?(?:0|[1-9][0-9]{0,17})(?:\.0*)?")


def are_whole(texts):
    """Whether labels are whole numbers, such as 1 and 1.0, which then are the same."""
    return all(_WHOLE.fullmatch(text) for text in texts)


def as_label(text, is_whole):
    """A label: an int if all of them are whole numbers, else text."""
    return int(text.partition(".")[0]) if is_whole else text


class LabelColumn:
    """Labels of a column, by the order in which they come.

    Parameters
    ----------
    table : str
        How errors call the file.
    name : str
        Name of the column.
    is_id : bool, default=False
        Whether it identifies cases, so that there may be any number of labels.
    """

    def __init__(self, table, name, is_id=False):
        self.name = name
        self.texts = []
        self._where = f"{table}, {{}}, column {name!r}"
        self._is_id = is_id
        self._known = {}
        self._of_text = {}
        self._parts = []

    def add(self, cells, place):
        """Take some more cells."""
        if not isinstance(cells, tuple | list):
            cells = list(map(str, cells.tolist()))
        for cell in dict.fromkeys(cells):
            if cell not in self._known:
                self._learn(cell, cells, place)
        codes = np.fromiter(map(self._known.__getitem__, cells), np.int32, len(cells))
        self._parts.append(codes)

    def _learn(self, cell, cells, place):
        text = cell.strip()
        if text not in self._of_text:
            reason = self._why_refused(text)
            if reason:
                where = self._where.format(place(cells.index(cell)))
                raise CommandError(f"{where}: {reason}.")
            self._of_text[text] = len(self.texts)
            self.texts.append(text)
        self._known[cell] = self._of_text[text]

    def _why_refused(self, text):
        if not text or text.lower() == "nan":
            return "a label is missing"
        if self._is_id:
            return None
        if len(text) > _LONGEST_LABEL:
            return f"a label of {len(text):,} characters is too long"
        if len(self.texts) >= _MOST_LABELS:
            return (
                f"there are more than {_MOST_LABELS:,} different labels, too many for classes"
            )
        return None

    @property
    def codes(self):
        """For each case the position of its label in `texts`."""
        return np.concatenate(self._parts)

    def labels(self, is_whole):
        """The label of each case."""
        return np.array([as_label(text, is_whole) for text in self.texts])[self.codes]


class NumberColumn:
    """Finite numbers of a column; it keeps in mind where the first negative one is.

    Parameters
    ----------
    table : str
        How errors call the file.
    name : str
        Name of the column.
    has_commas : bool, default=False
        Whether numbers may have decimal commas.
    """

    def __init__(self, table, name, has_commas=False):
        self.name = name
        self.negative = None
        self._has_commas = has_commas
        self._where = f"{table}, {{}}, column {name!r}"
        self._parts = []

    def add(self, cells, place):
        """Take some more cells; raise for what is no finite number."""
        if isinstance(cells, np.ndarray):
            values = cells.astype(float)
        else:
            values = self._parsed(cells, place)
        if not np.isfinite(values).all():
            i = int(np.argmin(np.isfinite(values)))
            where = self._where.format(place(i))
            raise CommandError(f"{where}: {values[i]} is no finite number.")
        if self.negative is None and values.size and values.min() < 0.0:
            i = int(np.argmax(values < 0.0))
            self.negative = f"{self._where.format(place(i))}: {values[i]:.6g}"
        self._parts.append(values)

    def _parsed(self, cells, place):
        text, numbers = "".join(cells), cells
        if self._has_commas and "," in text:
            numbers = [cell.replace(",", ".") for cell in cells]
        try:
            if "_" in text:  # which Python takes in numbers
                raise ValueError(cells)
            return np.array(list(map(float, numbers)), dtype=float)
        except ValueError as error:
            i = next(i for i, cell in enumerate(numbers) if not is_number(cell))
            what = f"{printable(cells[i])[:40]!r} is no number" if cells[i].strip() else "empty"
            hint = (
                " (write a point, not a comma)" if re.fullmatch(r"-?\d*,\d+", cells[i]) else ""
            )
            raise CommandError(f"{self._where.format(place(i))}: {what}{hint}.") from error

    @property
    def values(self):
        """The numbers of all cases."""
        return np.concatenate(self._parts)


def is_number(cell):
    """Whether a cell is a number, also none that is finite."""
    try:
        float(cell)
    except ValueError:
        return False
    return "_" not in cell


def header_hint(columns):
    """A question if names of columns are mostly numbers, as those of a first row are."""
    names = [column for column in columns if column]
    n_numbers = sum(map(is_number, names))
    return " Is the header missing?" if 2 * n_numbers > len(names) else ""
