"""A front as text, as HTML and as a table."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import numpy as np

from skvus._rates import off_diagonal, rates_to_points
from skvus.front._dominance import OBJECTIVES
from skvus.front._sketch import matrix_table, short_texts, sketch

if TYPE_CHECKING:
    import pandas as pd

_MOST_ROWS = 12
_LONGEST = 60
_NAMES = dict(zip(OBJECTIVES, ("rates", "miss rates", "false alarms"), strict=True))


class FrontDisplay:
    """How a front is shown; a part of `ROCFront`."""

    def to_frame(self) -> pd.DataFrame:
        """The members as a table.

        Returns
        -------
        frame : pandas.DataFrame
            A row for each member. Columns "rate a as b" and "cost a as b" for each mistake,
            "miss a" for each class, "distance" from the random simplex, and the names of
            `params`.

        Examples
        --------
        >>> from skvus import ROCFront
        >>> front = ROCFront.from_rates([[[.9, .1], [.4, .6]], [[.7, .3], [.1, .9]]])
        >>> print(front.to_frame().iloc[:, :3])
           rate 0 as 1  rate 1 as 0  miss 0
        0          0.1          0.4     0.1
        1          0.3          0.1     0.3
        """
        import pandas as pd

        columns = rate_columns(self) | miss_rate_columns(self)
        columns["distance"] = self.random_simplex_distance()
        if self.costs is not None:
            names = mistake_names(self.classes.tolist())
            costs = rates_to_points(self.costs).T
            columns |= {f"cost {name}": c for name, c in zip(names, costs, strict=True)}
        if self.params is not None:
            for key in dict.fromkeys(key for member in self.params for key in member):
                name = f"param {key}" if key in columns else key
                columns[name] = [member.get(key) for member in self.params]
        return pd.DataFrame(columns)

    def __repr__(self) -> str:
        rows = summary_rows(self, self.select())
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = ["  ".join(map(str.rjust, row, widths)).rstrip() for row in rows]
        return "\n".join([summary_title(self), *lines])

    def _repr_html_(self):
        chosen = self.select()
        return front_html(self, chosen, f"Member {chosen:,}, the farthest from random")


def mistake_names(labels):
    """Name of each mistake, as "a as b", in the order of coordinates; numbered if alike."""
    pairs = list(zip(*np.nonzero(off_diagonal(len(labels))), strict=True))
    names = [f"{labels[k]} as {labels[j]}" for k, j in pairs]
    if len(set(names)) == len(names):
        return names
    return [f"{name} [{k}, {j}]" for name, (k, j) in zip(names, pairs, strict=True)]


def rate_columns(front):
    """All rates of mistakes by name."""
    names = mistake_names(front.classes.tolist())
    points = rates_to_points(front.rates).T
    return {f"rate {name}": rates for name, rates in zip(names, points, strict=True)}


def miss_rate_columns(front):
    """All miss rates by name."""
    labels = front.classes.tolist()
    return {f"miss {x}": r for x, r in zip(labels, front.miss_rates().T, strict=True)}


def front_html(front, chosen, caption):
    """A front for notebooks: a sketch of it, the confusion matrix of a member, its summary.

    Parameters
    ----------
    front : ROCFront
    chosen : int
        The member.
    caption : str
        What is said of it.

    Returns
    -------
    html : str
    """
    labels = front.classes.tolist()
    counts = None if front.counts is None else front.counts[chosen]
    caption = f"{caption}: {'rates' if counts is None else 'cases'}"
    head, *rows = summary_rows(front, chosen, short_texts(labels, _LONGEST))
    cells = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    body = "".join(
        f"<tr><th>{escape(row[0])}</th>"
        + "".join(f"<td>{escape(cell)}</td>" for cell in row[1:])
        + "</tr>"
        for row in rows
    )
    return (
        f"<div><p>{escape(summary_title(front))}</p>"
        '<div style="display:flex;flex-wrap:wrap;gap:1em 2em;align-items:flex-start">'
        f"{sketch(front.rates, labels, chosen)}"
        '<div style="overflow-x:auto">'
        f"{matrix_table(labels, front.rates[chosen], counts, caption)}</div></div>"
        f"<details><summary>Ranges of the rates</summary><table><thead><tr>{cells}</tr></thead>"
        f"<tbody>{body}</tbody></table></details></div>"
    )


def summary_title(front):
    """What a front is, on one line."""
    number = len(front)
    plural = "" if number == 1 else "s"
    what = "" if front.objectives == "rates" else f" by {_NAMES[front.objectives]}"
    title = f"ROCFront: {number} operating point{plural} of {front.n_classes} classes{what}"
    if front.class_sizes is not None:
        sizes = [f"{size:.6g}" for size in front.class_sizes[:8]]
        sizes += ["..."] * (front.n_classes > 8)
        title += f" ({', '.join(sizes)} cases)"
    return f"{title}, {number_better(front)} better than random"


def number_better(front):
    """How many members are better than random allocation, not only as good."""
    return int((front.random_simplex_distance() < -1e-12).sum())


def summary_rows(front, chosen, names=None):
    """Rows of text: the range of each rate, and the rates of a member."""
    if names is None:
        names = [str(label) for label in front.classes.tolist()]
    if front.n_classes * (front.n_classes - 1) <= _MOST_ROWS:
        pairs = [(k, j) for k in range(len(names)) for j in range(len(names)) if k != j]
        shown = [(f"{names[k]} as {names[j]}", front.rates[:, k, j]) for k, j in pairs]
    else:
        misses = front.miss_rates()
        shown = [(f"{name} missed", misses[:, k]) for k, name in enumerate(names)]
    rows: list[tuple[str, ...]] = [("", "least", "median", "most", f"member {chosen}")]
    for name, rates in shown[:_MOST_ROWS]:
        values = (rates.min(), np.median(rates), rates.max(), rates[chosen])
        rows.append((name, *(f"{value:.4f}" for value in values)))
    if len(shown) > _MOST_ROWS:
        rows.append(("...", "", "", "", ""))
    return rows
