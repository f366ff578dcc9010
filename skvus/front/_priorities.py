"""Rules about single rates: limits that must hold, and what matters most."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from skvus._validation import check_number, did_you_mean, shorten
from skvus.front._geometry import check_front
from skvus.front._rules import SAME, Rule, RuleLike, as_rule, first_of_least, plain

if TYPE_CHECKING:
    from skvus.front._front import ROCFront


@dataclass(frozen=True)
class WithinLimits(Rule):
    """Choose among the members whose rates stay within limits.

    Parameters
    ----------
    limits : dict
        The largest rate that is tolerated. A key (true, predicted) limits the share of a true
        class that is called another one, a key that is a class its miss rate, the share of it
        that is called anything else.
    then : rule, default="distance"
        How to choose among the members within all limits; an index counts these only.
    confidence : float or None, default=None
        If given, limits must hold for the upper end of a one-sided interval of this
        confidence (Clopper and Pearson), for each rate by itself.

    See Also
    --------
    ROCFront.select : Applies it, and raises if no member is within the limits.
    ROCFront.evaluate : What the chosen member does on fresh data.

    Notes
    -----
    A limit that is met on the data that chose the member is likely to be missed on fresh data:
    among many members, those that are below it by luck are favoured. `confidence` makes up
    for the uncertainty of each rate, not for the choice among many members: in a simulation
    with 2,500 costs tried, the true rate broke its limit in two cases of three without
    confidence, in 15% with 0.90 and in 7% with 0.95.

    Rates that neither the limits nor `then` are about may come out as anything.

    Rates may exceed a limit by 1e-12, which is rounding.

    References
    ----------
    .. [1] C. J. Clopper, E. S. Pearson, "The use of confidence or fiducial limits illustrated
       in the case of the binomial", Biometrika 26, 1934.

    Examples
    --------
    >>> from skvus import ROCFront, WithinLimits
    >>> rates = [[[.9, .1], [.4, .6]], [[.7, .3], [.2, .8]], [[.5, .5], [.1, .9]]]
    >>> front = ROCFront.from_rates(rates, classes=["well", "ill"])
    >>> front.select(WithinLimits({("ill", "well"): .25}))
    1
    >>> front.select(WithinLimits({"ill": .25, "well": .1}))
    Traceback (most recent call last):
        ...
    ValueError: No member is within all limits. Nearest is member 0, ...
    """

    limits: Mapping[Any, float]
    then: RuleLike = "distance"
    confidence: float | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.limits, Mapping) or not self.limits:
            raise ValueError(
                "limits must be a non-empty dict from (true, predicted), or a class, to the "
                f"largest rate that is tolerated; got {shorten(self.limits)}."
            )
        limits = {}
        for key, limit in plain(self.limits, "limits").items():
            limits[key] = check_number(f"limits[{key!r}]", limit, minimum=0.0)
            if limit > 1.0:
                raise ValueError(f"limits[{key!r}] must be a rate, at most 1; got {limit!r}.")
        object.__setattr__(self, "limits", limits)
        if self.confidence is not None:
            object.__setattr__(self, "confidence", check_confidence(self.confidence))
        object.__setattr__(self, "then", as_rule(self.then, "then"))

    def choose(self, front: ROCFront) -> int:
        """Index of a member within all limits.

        Parameters
        ----------
        front : ROCFront
            The operating points to choose from.

        Returns
        -------
        index : int
            Which of them is chosen.
        """
        check_front(front)
        rates = np.column_stack([_rate_of(front, key, "limits") for key in self.limits])
        bounds = rates
        if self.confidence is not None:
            bounds = self._upper_bounds(front, rates)
        excess = bounds - np.array(list(self.limits.values()))
        within = np.flatnonzero(excess.max(axis=1) <= SAME)
        if not within.size:
            raise ValueError(self._nearest(bounds, excess))
        return int(within[front[within].select(self.then)])

    def _upper_bounds(self, front, rates):
        from scipy.special import betaincinv

        if front.class_sizes is None:
            raise ValueError(
                "confidence needs to know how many cases the rates are from; give class_sizes "
                "to ROCFront.from_rates."
            )
        rows = [_row_of(front, key) for key in self.limits]
        sizes = front.class_sizes[rows]
        hits = rates * sizes
        return np.where(
            rates < 1.0 - SAME,
            betaincinv(hits + 1.0, np.maximum(sizes - hits, SAME), self.confidence),
            1.0,
        )

    def _nearest(self, bounds, excess):
        """Say what the member that exceeds the limits least has, and what is in reach."""
        best = int(np.argmin(excess.max(axis=1)))
        what = "rate" if self.confidence is None else f"{self.confidence:.6g} bound of the rate"
        parts = []
        for i, (key, limit) in enumerate(self.limits.items()):
            reach = f"limit {limit:.6g}, least of any member {bounds[:, i].min():.6g}"
            others_hold = (np.delete(excess, i, axis=1) <= SAME).all(axis=1)
            if len(self.limits) > 1 and others_hold.any():
                reach += (
                    f", of those within the other limits {bounds[others_hold, i].min():.6g}"
                )
            parts.append(f"{_name(key)} = {bounds[best, i]:.6g} ({reach})")
        return (
            f"No member is within all limits. Nearest is member {best}, with a {what} of "
            f"{'; '.join(parts)}. More costs, or a cost_alpha for what matters, reach more."
        )


@dataclass(frozen=True)
class Lexicographic(Rule):
    """Choose by one group of rates first, by the next among what ties, and so on.

    Parameters
    ----------
    groups : sequence of sequences
        Lists of mistakes (true, predicted), the most important list first. The sum of the
        rates of a list is minimised. A class instead of a pair stands for its miss rate, and
        a single pair, as a tuple, or a single class may stand for a list.

    See Also
    --------
    ROCFront.select : Applies it.

    Notes
    -----
    This is how the decision regions in Figures 3 and 4 of [1]_ were chosen. Sums that agree to
    1e-12 tie. What ties in all groups is decided by the distance from the random simplex.

    References
    ----------
    .. [1] R. M. Everson, J. E. Fieldsend, "Multi-class ROC analysis from a multi-objective
       optimisation perspective", Pattern Recognition Letters 27, 2006, section 4.

    Examples
    --------
    >>> from skvus import Lexicographic, ROCFront
    >>> rates = [[[.9, .1], [.4, .6]], [[.7, .3], [.2, .8]], [[.5, .5], [.2, .8]]]
    >>> front = ROCFront.from_rates(rates, classes=["a", "b"])
    >>> front.select(Lexicographic([[("b", "a")], [("a", "b")]]))
    1
    """

    groups: Sequence[Any]

    def __repr__(self) -> str:
        return f"Lexicographic({[list(group) for group in self.groups]})"

    def __post_init__(self) -> None:
        groups = ()
        if isinstance(self.groups, (list, tuple)):
            groups = tuple(_as_group(group) for group in self.groups)
        if not groups or not all(groups):
            raise ValueError(
                "groups must be a non-empty sequence of groups of (true, predicted) pairs; got "
                f"{shorten(self.groups)}."
            )
        object.__setattr__(self, "groups", groups)

    def choose(self, front: ROCFront) -> int:
        """Index of the member that is first in lexicographic order.

        Parameters
        ----------
        front : ROCFront
            The operating points to choose from.

        Returns
        -------
        index : int
            Which of them is chosen.
        """
        check_front(front)
        sums = [sum(_rate_of(front, key, "groups") for key in group) for group in self.groups]
        return first_of_least(front, *sums)


def check_confidence(confidence):
    """Return a confidence level between 0 and 1."""
    value = check_number("confidence", confidence)
    if 0.0 < value < 1.0:
        return value
    raise ValueError(f"confidence must be between 0 and 1; got {confidence!r}.")


def _as_group(group):
    """A tuple of pairs and classes; a pair or a class by itself is a group of one."""
    items = plain(group, "groups")
    if not isinstance(items, tuple):
        return (items,)
    is_flat = not any(isinstance(item, tuple) for item in items)
    is_pair = isinstance(group, tuple) and len(items) == 2 and is_flat
    return (items,) if is_pair else items


def _rate_of(front, key, name):
    """The rate of a pair, or the miss rate of a class, for each member."""
    row, column = limited_pair(front, key, name)
    return 1.0 - front.rates[:, row, row] if column is None else front.rates[:, row, column]


def limited_pair(front, key, name="limits"):
    """Codes of the true and of the predicted class of a key, None for any that is wrong."""
    row = _row_of(front, key, name)
    if not isinstance(key, tuple):
        return row, None
    column = _code(front, key[1], key, name)
    if row == column:
        raise ValueError(f"{name} must name mistakes; {key!r} is none.")
    return row, column


def _row_of(front, key, name="limits"):
    """Code of the true class that a key is about."""
    if isinstance(key, tuple) and len(key) != 2:
        raise ValueError(f"{name} must have pairs (true, predicted) or classes; got {key!r}.")
    return _code(front, key[0] if isinstance(key, tuple) else key, key, name)


def _code(front, label, key, name):
    found = [i for i, known in enumerate(front.classes.tolist()) if known == label]
    if not found:
        raise ValueError(
            f"{name} must name classes of the front, {shorten(front.classes.tolist())}; got "
            f"{key!r}.{did_you_mean(label, front.classes.tolist(), repr)}"
        )
    return found[0]


def _name(key):
    return f"{key[0]!r} as {key[1]!r}" if isinstance(key, tuple) else f"{key!r} missed"
