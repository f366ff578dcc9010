"""What is common to all pictures of a front: what is shown, colours, tables."""

from typing import NamedTuple

import numpy as np

from skvus._rates import off_diagonal
from skvus.plotting._front_checks import DEFAULT_NAME
from skvus.plotting._style import MUTED, as_texts, class_color, class_marker

NO_MISTAKES = -1
# Numbers of mistakes that agree to this are the same, so that rounding gives no colour.
_SAME = 1e-11
# Beyond so many points a vector file gets too large for readers, and they become an image.
RASTERIZED = 5_000


class FrontView(NamedTuple):
    """What is drawn: a front, its name, the chosen member, and fronts to compare it with."""

    front: object
    name: str | None
    chosen: int
    others: dict

    @property
    def fronts(self):
        """All fronts by name, this one first."""
        return {self.name or DEFAULT_NAME: self.front} | self.others

    @property
    def title(self):
        """The name, and how many members there are."""
        number = len(self.front)
        words = f"{number:,} operating point{'' if number == 1 else 's'}"
        return words if self.name is None else f"{as_texts([self.name])[0]}: {words}"


def make_view(front, *, name, chosen, others):
    """What is to be shown, of options that are checked."""
    try:
        index = front.select("distance" if chosen is None else chosen)
    except ValueError as error:
        raise ValueError(f"chosen must fit the front: {error}") from error
    return FrontView(front, name, index, dict(others or {}))


def receiving_classes(front):
    """Number of the class that most mistakes of each member go to, the first of equals.

    Mistakes are counted in cases, or by rates and priors where there are no counts. A member
    without mistakes has NO_MISTAKES.
    """
    cases = front.counts
    if cases is None:
        cases = front.priors[:, np.newaxis] * front.rates
    received = np.where(off_diagonal(front.n_classes), cases, 0.0).sum(axis=1)
    most = received.max(axis=1)
    first = (received >= (1.0 - _SAME) * most[:, np.newaxis]).argmax(axis=1)
    return np.where(most > 0.0, first, NO_MISTAKES)


def receiver_labels(front, codes):
    """Labels of receiving classes, None where there are no mistakes."""
    labels = np.append(front.classes.astype(object), None)
    return labels[codes]


def groups_by_receiver(front):
    """For each class that receives most mistakes of some member: code, members, look, text.

    Small groups lie on large ones.
    """
    codes = receiving_classes(front)
    texts = as_texts(front.classes)
    for code in np.unique(codes).tolist():
        members = np.flatnonzero(codes == code)
        look = {"zorder": 4.0 - len(members) / len(codes)}
        if code == NO_MISTAKES:
            look |= {"color": MUTED, "marker": "*"}
            yield code, members, look, "no mistakes"
        else:
            look |= {"color": class_color(code), "marker": class_marker(code)}
            yield code, members, look, texts[code]


def member_table(view, columns):
    """Columns with the number of each member, who gets most mistakes, and which is chosen."""
    members = np.arange(len(view.front))
    labels = receiver_labels(view.front, receiving_classes(view.front))
    return {
        "member": members,
        **columns,
        "receives most": labels,
        "chosen": members == view.chosen,
    }


def marker_size(number):
    """Width of a marker in points: 6 for a few members, 1.5 for very many."""
    return float(np.clip(14.0 * max(number, 1) ** -0.22, 1.5, 6.0))
