"""What is common to all pictures of a front: what is shown, checks, colours, tables."""

from typing import NamedTuple

import numpy as np

from skvus._rates import off_diagonal
from skvus._validation import check_option, shorten
from skvus.front._geometry import check_front, check_same_classes
from skvus.front._rules import as_rule
from skvus.plotting._checks import check_name, check_others
from skvus.plotting._style import MUTED, as_texts, class_color, class_marker

KINDS = ("auto", "miss_rates", "parallel", "pairs", "distance", "compare")
SEVERAL = ("distance", "compare")
DEFAULT_NAME = "this front"
NO_MISTAKES = -1
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


class Sampling(NamedTuple):
    """How volumes are measured."""

    method: str = "auto"
    n_samples: int = 100_000
    random_state: object = 0


def check_kind(kind, others):
    """Raise for a kind that there is not, or that has no place for other fronts."""
    check_option("kind", kind, KINDS)
    if others and kind not in ("auto", *SEVERAL):
        raise ValueError(
            f"kind={kind!r} shows one front; others must be None, or kind 'distance' or "
            f"'compare'; got {len(others)} other front{'' if len(others) == 1 else 's'}."
        )
    if kind == "compare" and not others:
        raise ValueError(
            "kind='compare' needs fronts to compare with: others must be a dict of names and "
            f"fronts; got {others!r}."
        )


def check_request(*, kind, name, chosen, others):
    """Raise for options that are wrong whatever the front."""
    check_name(name)
    check_others(others, name or DEFAULT_NAME, "fronts")
    check_kind(kind, others)
    if chosen is not None:
        as_rule(chosen, "chosen")
    for key, other in (others or {}).items():
        check_front(other, f"others[{shorten(key)}]")


def check_number_of_classes(kind, n_classes):
    """Raise for a kind that cannot show so many classes."""
    if kind == "miss_rates" and n_classes > 3:
        raise ValueError(
            "kind='miss_rates' is for two or three classes, whose miss rates fit into a plane "
            f"or a space; got {n_classes} classes. Use kind='parallel' or kind='pairs'."
        )


def make_view(front, *, kind, name, chosen, others):
    """What is to be shown, checked, and of which kind."""
    check_front(front)
    check_request(kind=kind, name=name, chosen=chosen, others=others)
    others = dict(others or {})
    for key, other in others.items():
        check_same_classes(front, other, f"others[{shorten(key)}]")
    if kind == "auto":
        kind = "miss_rates" if front.n_classes <= 3 else "parallel"
        kind = "compare" if others else kind
    check_number_of_classes(kind, front.n_classes)
    number = len(front)
    if isinstance(chosen, (int, np.integer)) and not -number <= chosen < number:
        raise ValueError(
            f"chosen must be a rule or an index of the {number} members; got {chosen!r}."
        )
    index = front.select("distance" if chosen is None else chosen)
    return kind, FrontView(front, name, index, others)


def receiving_classes(front):
    """Number of the class that most mistakes of each member go to, the first of equals.

    Mistakes are counted in cases, or by rates and priors where there are no counts. A member
    without mistakes has NO_MISTAKES.
    """
    cases = front.counts
    if cases is None:
        cases = front.priors[:, np.newaxis] * front.rates
    received = np.where(off_diagonal(front.n_classes), cases, 0.0).sum(axis=1)
    return np.where(received.any(axis=1), received.argmax(axis=1), NO_MISTAKES)


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
