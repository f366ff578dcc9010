"""A front as text, as HTML and as a table."""

from html import escape

import numpy as np

from skvus.front._dominance import OBJECTIVES

_MOST_ROWS = 12
_NAMES = dict(zip(OBJECTIVES, ("rates", "miss rates", "false alarms"), strict=True))


class FrontDisplay:
    """How a front is shown; a part of `ROCFront`."""

    def to_frame(self):
        """The members as a table.

        Returns
        -------
        frame : pandas.DataFrame
            A row for each member. Columns "rate a → b" and "cost a → b" for each mistake, "miss
            a" for each class, "distance" from the random simplex, and the names of `params`.
        """
        import pandas as pd

        names = [str(label) for label in self.classes.tolist()]
        pairs = [(k, j) for k in range(len(names)) for j in range(len(names)) if k != j]
        columns = {f"rate {names[k]} → {names[j]}": self.rates[:, k, j] for k, j in pairs}
        misses = self.miss_rates()
        columns |= {f"miss {name}": misses[:, k] for k, name in enumerate(names)}
        columns["distance"] = self.random_simplex_distance()
        if self.costs is not None:
            columns |= {f"cost {names[k]} → {names[j]}": self.costs[:, k, j] for k, j in pairs}
        if self.params is not None:
            for key in dict.fromkeys(key for member in self.params for key in member):
                name = f"param {key}" if key in columns else key
                columns[name] = [member.get(key) for member in self.params]
        return pd.DataFrame(columns)

    def __repr__(self):
        rows = self._summary()
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = ["  ".join(map(str.rjust, row, widths)).rstrip() for row in rows]
        return "\n".join([self._title(), *lines])

    def _repr_html_(self):
        head, *rows = self._summary()
        cells = "".join(f"<th>{escape(cell)}</th>" for cell in head)
        body = "".join(
            f"<tr><th>{escape(row[0])}</th>"
            + "".join(f"<td>{escape(cell)}</td>" for cell in row[1:])
            + "</tr>"
            for row in rows
        )
        return (
            f"<div><p>{escape(self._title())}</p><table><thead><tr>{cells}</tr></thead>"
            f"<tbody>{body}</tbody></table></div>"
        )

    def _title(self):
        number = len(self)
        plural = "" if number == 1 else "s"
        what = "" if self.objectives == "rates" else f" by {_NAMES[self.objectives]}"
        inside = int(self.inside_random_simplex().sum())
        title = f"ROCFront: {number} operating point{plural} of {self.n_classes} classes{what}"
        if self.class_sizes is not None:
            sizes = [f"{size:.6g}" for size in self.class_sizes[:8]]
            sizes += ["..."] * (self.n_classes > 8)
            title += f" ({', '.join(sizes)} cases)"
        return f"{title}, {inside} better than random"

    def _summary(self):
        """Rows of text: the range of each rate, and the rates of the default choice."""
        chosen = self.select()
        names = [str(label) for label in self.classes.tolist()]
        if self.n_classes * (self.n_classes - 1) <= _MOST_ROWS:
            pairs = [(k, j) for k in range(len(names)) for j in range(len(names)) if k != j]
            shown = [(f"{names[k]} as {names[j]}", self.rates[:, k, j]) for k, j in pairs]
        else:
            misses = self.miss_rates()
            shown = [(f"{name} missed", misses[:, k]) for k, name in enumerate(names)]
        rows = [("", "least", "median", "most", f"member {chosen}")]
        for name, rates in shown[:_MOST_ROWS]:
            values = (rates.min(), np.median(rates), rates.max(), rates[chosen])
            rows.append((name, *(f"{value:.4f}" for value in values)))
        if len(shown) > _MOST_ROWS:
            rows.append(("...", "", "", "", ""))
        return rows
