"""The columns of a table that are wanted, or may be, read block by block."""

from typing import NamedTuple

from skvus._cli._cells import LabelColumn, NumberColumn, is_number
from skvus._cli._columns import (
    PREDICTIONS,
    TRUTHS,
    find_column,
    named,
    position,
    possible_scores,
)
from skvus._cli._messages import CommandError, listed
from skvus._cli._tables import open_table

_PEEK = 100  # cells that tell whether a column is of numbers


class Wanted(NamedTuple):
    """What to read: names of columns, None for those to be found, and what scores are.

    `is_raw` scores are no probabilities; `is_normalized` ones are to be divided by the sums of
    their rows.
    """

    truth: str | None = None
    scores: list | None = None
    pred: str | None = None
    weight: str | None = None
    id: str | None = None
    labels: list | None = None
    is_raw: bool = False
    is_normalized: bool = False


class Columns:
    """Columns of a table, complete after `read`.

    Parameters
    ----------
    table : table of `open_table`
    wanted : Wanted

    Attributes
    ----------
    truth : LabelColumn
    pred, id : LabelColumn or None
    weight : NumberColumn or None
    numbers : dict of NumberColumn
        Columns of scores by their names, and those that may be.
    dropped : dict of CommandError
        Columns that turned out to hold something else.
    numeric : list of str
        Columns that nothing is known of, but that they begin with numbers.
    """

    def __init__(self, table, wanted):
        self.name, self.names = table.name, table.columns
        self._has_commas = table.has_commas
        self.dropped, self.numeric = {}, []
        self._wanted = wanted
        self._labels, self._numbers, self._used = {}, {}, []
        truth = find_column(
            self.name, self.names, wanted.truth, TRUTHS, "--truth", "the true labels"
        )
        self.truth = self._label_column(truth)
        self.pred = self._label_column(self._pred_position())
        self.id = self._label_column(self._position(wanted.id, "--id"), is_id=True)
        self.weight = self._number_column(self._position(wanted.weight, "--weight"))
        given = [self._position(name, "--scores") for name in wanted.scores or []]
        columns = [self._number_column(k) for k in given]
        twice = [self.names[k] for k in dict.fromkeys(self._used) if self._used.count(k) > 1]
        if twice:
            raise CommandError(f"{self.name}: {listed(twice)} cannot be two things at once.")
        self._guessed = []
        if wanted.scores is None:
            free = [k for k, name in enumerate(self.names) if name and k not in self._used]
            self._guessed = free
            columns = [self._number_column(k) for k in free]
        self.numbers = {column.name: column for column in columns}

    def _position(self, name, option):
        return None if name is None else position(self.name, self.names, name, option)

    def _pred_position(self):
        if self._wanted.pred is not None:
            return self._position(self._wanted.pred, "--pred")
        found = named(self.names, PREDICTIONS)
        is_free = len(found) == 1 and self.names[found[0]] != self._wanted.truth
        return found[0] if is_free else None

    def _label_column(self, k, is_id=False):
        if k is None:
            return None
        self._used.append(k)
        self._labels[k] = LabelColumn(self.name, self.names[k], is_id)
        return self._labels[k]

    def _number_column(self, k):
        if k is None:
            return None
        self._used.append(k)
        self._numbers[k] = NumberColumn(self.name, self.names[k], self._has_commas)
        return self._numbers[k]

    def read(self, table):
        """Read all rows."""
        is_first = True
        for block in table.blocks([*self._labels, *self._numbers]):
            for k, column in list(self._labels.items()):
                self._add(k, column, block)
            if is_first:
                self._leave_features(block)
            for k, column in list(self._numbers.items()):
                self._add(k, column, block)
            is_first = False
        if is_first:
            raise CommandError(f"{self.name} has a header, but no rows.")

    def _add(self, k, column, block):
        """Add cells; drop the column if they are wrong and nobody has asked for it."""
        try:
            column.add(block.cells[k], block.place)
        except CommandError as error:
            if column is self.pred and self._wanted.pred is None:
                self.pred = None
                del self._labels[k]
            elif k in self._guessed:
                self.dropped[column.name] = error
                del self._numbers[k], self.numbers[column.name]
            else:
                raise

    def _leave_features(self, block):
        """Leave out columns that cannot be scores by their names."""
        self.numeric = [
            self.names[k] for k in self._guessed if self._is_numeric(block.cells[k])
        ]
        names = [self.names[k] for k in self._guessed]
        labels = [*self.truth.texts, *(self._wanted.labels or [])]
        possible = set(possible_scores(names, labels))
        for k in self._guessed:
            if self.names[k] not in possible:
                del self._numbers[k], self.numbers[self.names[k]]

    def _is_numeric(self, cells):
        comma = "," if self._has_commas else "."
        return all(is_number(str(cell).replace(comma, ".")) for cell in cells[:_PEEK])


def read_columns(path, wanted):
    """Read the columns of a file."""
    with open_table(path) as table:
        columns = Columns(table, wanted)
        columns.read(table)
    return columns
