"""Rules that choose an operating point of a front."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from skvus._costs import check_class_costs, refuse_other_order
from skvus._labels import frame_labels
from skvus._rates import rates_to_points
from skvus._typing import ByClass, Costs, Score
from skvus._validation import did_you_mean, shorten
from skvus.front._geometry import check_front
from skvus.front._hull import optimal_counts
from skvus.front._results import expected_costs
from skvus.front._scoring import known_scores, score_members

if TYPE_CHECKING:
    from skvus.front._front import ROCFront

# Values that agree to this count as equal, so that rounding does not choose.
SAME = 1e-12


class Rule(ABC):
    """A rule: applied to a front, it names a member."""

    @abstractmethod
    def choose(self, front: ROCFront) -> int:
        """Index of the member that the rule chooses.

        Parameters
        ----------
        front : ROCFront
            The operating points to choose from.

        Returns
        -------
        index : int
            Which of them is chosen.
        """

    def __getstate__(self) -> dict[str, Any]:
        # formats without code, as JSON, have no keys that are pairs of labels
        return {name: _dicts_as_lists(value) for name, value in vars(self).items()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in state.items():
            object.__setattr__(self, name, _lists_as_dicts(value))


def _dicts_as_lists(value):
    if type(value) is dict:
        return {"keys": list(value), "values": [_dicts_as_lists(v) for v in value.values()]}
    return value


def _lists_as_dicts(value):
    if isinstance(value, dict):
        values = [_lists_as_dicts(v) for v in value["values"]]
        return dict(zip(value["keys"], values, strict=True))
    return value


RuleLike = (
    Rule
    | Literal["distance", "knee"]
    | int
    | np.integer[Any]
    | Costs
    | Callable[["ROCFront"], int]
)


def first_of_least(front, *values):
    """The member with the least first value; of equals, that with the least second, and so on.

    At last the one most distant from the random simplex, then that whose largest rate is
    smallest, then the first.
    """
    points = rates_to_points(front.rates)
    left = np.arange(len(front))
    for value in (*values, points.sum(axis=1), points.max(axis=1)):
        least = value[left].min()
        slack = SAME * max(1.0, abs(least)) if np.isfinite(least) else 0.0
        left = left[value[left] <= least + slack]
    return int(left[0])


@dataclass(frozen=True)
class Distance(Rule):
    """The member most distant from the simplex of random allocation."""

    def choose(self, front: ROCFront) -> int:
        return first_of_least(front)


@dataclass(frozen=True)
class Knee(Rule):
    """The member that is optimal for the largest share of linear costs."""

    def choose(self, front: ROCFront) -> int:
        return first_of_least(front, -optimal_counts(rates_to_points(front.rates)))


@dataclass(frozen=True)
class LeastCost(Rule):
    r"""Choose the member of least expected cost.

    .. math:: \sum_{k, j} \pi_k \, c_{kj} \, R_{kj}

    Parameters
    ----------
    cost_matrix : array-like, DataFrame or dict
        ``cost_matrix[k, j]`` is the cost of predicting class j when the truth is k, with a
        zero diagonal. A data frame or a dict goes by class labels: the index of the frame are
        the true classes, its columns the predicted ones; a dict has keys (true, predicted).
    priors : array-like or dict, default=None
        Frequencies of the classes where the classifier is to be used. By default those of
        the front.

    See Also
    --------
    ROCFront.select : Applies it.
    CostMatrixClassifier : Decides by the same costs, case by case.

    Notes
    -----
    Among members with equal costs (to 1e-12 of the least) the one most distant from the random
    simplex is chosen. The cost is linear in the rates, so the chosen member is one of
    `ROCFront.hull`, or ties with one.

    References
    ----------
    .. [1] F. Provost, T. Fawcett, "Robust classification for imprecise environments",
       Machine Learning 42, 2001.

    Examples
    --------
    >>> from skvus import LeastCost, ROCFront
    >>> front = ROCFront.from_rates([[[.9, .1], [.4, .6]], [[.5, .5], [.1, .9]]])
    >>> front.select(LeastCost([[0, 1], [9, 0]], priors=[.5, .5]))
    1
    """

    cost_matrix: Costs
    priors: ByClass | None = None
    # of a table that names its columns only, whose rows cannot be brought into their order
    _columns: ClassVar[list[Any] | None] = None

    def __post_init__(self) -> None:
        rows, columns = frame_labels(self.cost_matrix)
        if rows is None and columns is not None:
            object.__setattr__(self, "_columns", columns)
        object.__setattr__(self, "cost_matrix", plain(self.cost_matrix, "cost_matrix"))
        object.__setattr__(self, "priors", plain(self.priors, "priors"))

    def choose(self, front: ROCFront) -> int:
        """Index of the member of least expected cost.

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
        refuse_other_order("cost_matrix", "columns", self._columns, front.classes)
        cost = check_class_costs(self.cost_matrix, front.classes)
        with np.errstate(over="ignore"):  # NumPy 1 would warn of costs next to zero
            values = expected_costs(front, cost / cost.max(), self.priors)
        # costs tie that agree to 1e-12 of the least, whatever the dearest mistake would cost
        positive = values[values > 0.0]
        with np.errstate(over="ignore"):  # what is dearest by far may as well be infinite
            relative = values / positive.min() if positive.size else values
        return first_of_least(front, relative)


@dataclass(frozen=True)
class BestScore(Rule):
    """Choose the member with the highest score, as threshold tuners do for two classes.

    Parameters
    ----------
    score : str or callable
        The name of a scorer for predicted labels, of scikit-learn or of skvus; or a function
        ``score(y_true, y_pred, *, sample_weight)`` for which more is better. A function that
        takes no `sample_weight` serves for whole counts.

    See Also
    --------
    ROCFront.select : Applies it.
    sklearn.model_selection.TunedThresholdClassifierCV : The same for two classes.

    Notes
    -----
    The confusion counts of the front tell all that such a score depends on. A front without
    counts stands for cases in the proportions of its priors. The scores "accuracy",
    "balanced_accuracy", "f1_macro", "f1_weighted" and "matthews_corrcoef" are computed for all
    members at once, others take a call for each member, a few milliseconds.

    Examples
    --------
    >>> from skvus import BestScore, ROCFront
    >>> rates = [[[.9, .1], [.4, .6]], [[.7, .3], [.1, .9]], [[.4, .6], [.0, 1.]]]
    >>> front = ROCFront.from_rates(rates, priors=[.9, .1])
    >>> front.select(BestScore("accuracy")), front.select(BestScore("balanced_accuracy"))
    (0, 1)
    """

    score: Score

    def __post_init__(self) -> None:
        is_function = callable(self.score) and not isinstance(self.score, type)
        if not isinstance(self.score, str) and not is_function:
            raise ValueError(
                f"score must be the name of a scorer or a callable; got {self.score!r}."
            )

    def choose(self, front: ROCFront) -> int:
        """Index of the member with the highest score.

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
        scores = score_members(front, self.score)
        if np.isnan(scores).all():
            raise ValueError(f"score={self.score!r} is NaN for every member.")
        sizes = np.abs(scores[np.isfinite(scores)])
        scale = sizes.max() if sizes.any() else 1.0
        return first_of_least(front, -np.where(np.isnan(scores), -np.inf, scores / scale))


NAMED = {"distance": Distance(), "knee": Knee()}


def as_rule(rule, name="rule"):
    """Return a rule, a callable or an index; refuse anything else."""
    if isinstance(rule, Rule) or (callable(rule) and not isinstance(rule, type)):
        return rule
    if isinstance(rule, str) and rule in NAMED:
        return rule
    if isinstance(rule, (int, np.integer)) and not isinstance(rule, bool):
        return int(rule)
    if not isinstance(rule, (str, type)) and hasattr(rule, "__len__"):
        return LeastCost(rule)
    hint = did_you_mean(rule, NAMED, repr) or did_you_mean(
        rule, known_scores(), lambda near: f"BestScore({near!r})"
    )
    raise ValueError(
        f"{name} must be one of {', '.join(map(repr, NAMED))}, a cost matrix, LeastCost, "
        "WithinLimits, Lexicographic, BestScore, an index, or a function of the front; got "
        f"{shorten(rule)}.{hint}"
    )


def apply_rule(rule, front):
    """Index of the member that a rule chooses."""
    rule = as_rule(rule)
    if isinstance(rule, str):
        rule = NAMED[rule]
    if isinstance(rule, Rule):
        return rule.choose(front)
    index = rule if isinstance(rule, int) else rule(front)
    is_index = isinstance(index, (int, np.integer)) and not isinstance(index, bool)
    if is_index and -len(front) <= index < len(front):
        return int(index) % len(front)
    raise ValueError(
        f"rule must choose an index of the {len(front)} members; got {shorten(index)}."
    )


def plain(value, name):
    """Arrays as nested tuples, labelled ones as dicts: readable, comparable, unchangeable."""
    try:
        return _plain(value, name)
    except RecursionError as error:
        raise ValueError(f"{name} must not hold itself; got {shorten(value)}.") from error


def _plain(value, name):
    if hasattr(value, "to_dict") and hasattr(value, "index"):
        labels = list(value.index)
        if len(set(labels)) < len(labels):
            raise ValueError(f"{name} must have each label once; got {shorten(labels)}.")
        value = value.to_dict("index") if hasattr(value, "columns") else value.to_dict()
    if hasattr(value, "__array__"):
        value = (value if hasattr(value, "tolist") else np.asarray(value)).tolist()
    if isinstance(value, (list, tuple)):
        return tuple(_plain(item, name) for item in value)
    if isinstance(value, Mapping):
        return {_plain(key, name): _plain(item, name) for key, item in value.items()}
    return value
