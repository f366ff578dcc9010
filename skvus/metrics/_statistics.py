"""Scores as functions of checked arrays, so that cases can be drawn, left out or shuffled."""

from functools import lru_cache
from inspect import signature
from typing import NamedTuple

import numpy as np

from skvus._labels import check_crisp_targets, check_targets
from skvus._rates import confusion_counts, why_undefined
from skvus._validation import check_option, check_sample_weight, shorten
from skvus.metrics._polytope import polytope_vus_bounds
from skvus.metrics._scorers import SCORERS, get_scorer_names, try_out

# parameters of the scores that inference sets itself
_OURS = {
    "labels",
    "n_jobs",
    "random_state",
    "replace_undefined_by",
    "return_details",
    "sample_weight",
}


class Sample(NamedTuple):
    """Checked cases of positive weight, with the predictions of one or more classifiers.

    `kept` marks them among all cases. `undefined` says why there is no score, if there is
    none; `codes` and `classes` may then be None.
    """

    codes: np.ndarray | None
    classes: np.ndarray | None
    weight: np.ndarray
    is_weighted: bool
    predictions: list
    kept: np.ndarray
    undefined: str | None

    @property
    def n_classes(self):
        """Number of classes."""
        return self.classes.size

    def totals(self):
        """Weight of each class."""
        return np.bincount(self.codes, self.weight, minlength=self.n_classes)


class PointEstimate(NamedTuple):
    """A score, and how it was found."""

    score: float
    sampling_error: float
    is_exact: bool
    n_tuples: int


class Statistic:
    """A score on arrays; subclasses say what predictions it takes.

    Parameters
    ----------
    function : callable
        Takes true labels and predictions.
    name : str
    parameters : dict
        Further parameters of `function`.
    """

    # whether there are structural components
    has_components = False
    # whether the score is linear in each class, so that leaving out a case has a closed form
    is_linear = False

    def __init__(self, function, name, parameters):
        self.function = function
        self.name = name
        self.parameters = parameters

    def largest(self, n_classes):
        """The largest value of the score, as far as it is known."""
        if self.parameters.get("normalize", "") is None:  # a raw volume
            return polytope_vus_bounds(n_classes)[1]
        return 1.0

    def check(self, y_true, predictions, *, labels, sample_weight):
        """Check the cases, and predictions that are given by the name of their parameter."""
        encoded = self.encode_all(y_true, predictions, labels)
        weight = check_sample_weight(sample_weight, len(encoded[0][2]))
        kept = weight > 0.0
        codes, classes, _, undefined = encoded[0]
        rows = [row for _, _, row, _ in encoded]
        undefined = next((why for *_, why in encoded if why is not None), undefined)
        if undefined is None:
            totals = np.bincount(codes, weights=weight, minlength=classes.size)
            undefined = why_undefined(classes, totals)
        if not kept.all():
            codes = None if codes is None else codes[kept]
            weight, rows = weight[kept], [row[kept] for row in rows]
        return Sample(codes, classes, weight, sample_weight is not None, rows, kept, undefined)

    def encode_all(self, y_true, predictions, labels):
        """Encode the predictions of each classifier; errors name their parameter."""
        encoded = []
        for name, prediction in predictions.items():
            try:
                encoded.append(self.encode(y_true, prediction, labels))
            except (TypeError, ValueError) as error:
                generic = "y_score" if "y_score" in str(error) else "y_pred"
                raise type(error)(str(error).replace(generic, name)) from error
        return encoded

    def encode(self, y_true, prediction, labels):
        """Return codes, classes, checked predictions and why the score is undefined."""
        raise NotImplementedError

    def value(self, sample, rows, times, seed):
        """The score of predictions `rows` when each case counts so many times."""
        raise NotImplementedError

    def point(self, sample, k, seed):
        """The score of classifier k as it stands."""
        once = np.ones(sample.codes.size)
        return PointEstimate(
            self.value(sample, sample.predictions[k], once, seed), 0.0, True, 0
        )

    def alike(self, sample):
        """For each case the first one that is like it for all classifiers."""
        return np.arange(sample.codes.size)


class CrispStatistic(Statistic):
    """A score of true and predicted labels: a function of the confusion matrix."""

    def encode_all(self, y_true, predictions, labels):
        """Encode all with the same classes."""
        encoded = super().encode_all(y_true, predictions, labels)
        if labels is None and len(encoded) > 1:  # one may predict what others never do
            labels = np.unique(np.concatenate([classes for _, classes, _, _ in encoded]))
            if labels.size > 1:
                encoded = super().encode_all(y_true, predictions, labels)
        return encoded

    def encode(self, y_true, prediction, labels):
        """Encode labels."""
        classes, codes, predicted = check_crisp_targets(y_true, prediction, labels=labels)
        return codes, classes, predicted, None

    def value(self, sample, rows, times, seed):
        """The score of the cells of the confusion matrix."""
        n_classes = sample.n_classes
        counts = confusion_counts(sample.codes, rows, sample.weight * times, n_classes)
        true, predicted = np.nonzero(counts)
        parameters = dict(self.parameters)
        if "random_state" in parameter_names(self.function):
            parameters["random_state"] = seed
        return self.function(
            true,
            predicted,
            labels=np.arange(n_classes),
            sample_weight=counts[true, predicted],
            **parameters,
        )

    def alike(self, sample):
        """Cases of one weight in one cell of the confusion matrices are alike."""
        columns = np.column_stack([sample.codes, *sample.predictions, sample.weight])
        _, first, which = np.unique(columns, axis=0, return_index=True, return_inverse=True)
        return first[which.ravel()]


class AnyStatistic(Statistic):
    """Any function of true labels and predictions, which is shown rows as they are."""

    def largest(self, n_classes):
        """Nobody knows."""
        return None

    def encode(self, y_true, prediction, labels):
        """Check labels; predictions are up to the function."""
        rows = np.asarray(prediction)
        if rows.ndim == 0:
            raise ValueError(f"y_score must be an array, a row a case; got {prediction!r}.")
        classes, codes = check_targets(y_true, "y_score", len(rows), labels=labels)
        return codes, classes, rows, None

    def value(self, sample, rows, times, seed):
        """The score of cases that are repeated, because the function may take no weights."""
        chosen = np.repeat(np.arange(times.size), times.astype(int))
        parameters = dict(self.parameters)
        if sample.is_weighted:
            parameters["sample_weight"] = sample.weight[chosen]
        score = self.function(sample.classes[sample.codes[chosen]], rows[chosen], **parameters)
        if np.ndim(score) != 0 or np.asarray(score).dtype.kind not in "biuf":
            raise ValueError(
                f"score must return one number; {self.name} returned {shorten(score)}."
            )
        return float(score)


@lru_cache
def parameter_names(function):
    """Names of the parameters of one of our scores."""
    return frozenset(signature(function).parameters)


def make_statistic(score, parameters):
    """Find the statistic of a name, of a score of this package, or of any callable."""
    from skvus.metrics._soft_statistics import SOFT

    parameters = _check_parameters(parameters)
    function, name, fixed = _find(score)
    if not name:
        return AnyStatistic(function, _name_of(function), parameters)
    if parameters:
        _check_own_parameters(function, name, {**fixed, **parameters})
    parameters = {**fixed, **parameters}
    kind = SOFT.get(function, CrispStatistic)
    return kind(function, name, parameters)


def _find(score):
    """Function, name and fixed parameters; no name for functions of others."""
    if isinstance(score, str):
        check_option("score", score, get_scorer_names())
        function, _, fixed = SCORERS[score]
        return function, score, {k: v for k, v in fixed.items() if k not in _OURS}
    if not callable(score):
        raise ValueError(
            f"score must be a callable or one of {', '.join(get_scorer_names())}; "
            f"got {score!r}."
        )
    is_ours = any(function is score for function, _, _ in SCORERS.values())
    return score, _name_of(score).removesuffix("_score") if is_ours else "", {}


def _name_of(function):
    while not hasattr(function, "__name__") and hasattr(function, "func"):
        function = function.func  # of a partial
    return getattr(function, "__name__", type(function).__name__)


def _check_parameters(parameters):
    if parameters is None:
        return {}
    if not isinstance(parameters, dict) or not all(isinstance(key, str) for key in parameters):
        raise ValueError(
            f"score_params must be a dict of parameters by name; got {shorten(parameters)}."
        )
    return parameters


def _check_own_parameters(function, name, parameters):
    known = parameter_names(function) - {"y_true", "y_pred", "y_score"} - _OURS
    unknown = sorted(set(parameters) - known)
    if unknown:
        raise ValueError(
            f"score_params of {name!r} must be among {', '.join(sorted(known)) or 'none'}; "
            f"got {', '.join(unknown)}."
        )
    if "average" in parameters and parameters["average"] is None:
        raise ValueError("score_params['average'] must make one number; got None.")
    try_out(function, parameters)
