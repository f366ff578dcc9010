"""Scores as functions of checked arrays, so that cases can be drawn, left out or shuffled."""

from abc import ABC, abstractmethod
from functools import lru_cache
from inspect import signature
from typing import NamedTuple

import numpy as np
import sklearn.metrics

from skvus._hints import hinting, swapped
from skvus._labels import check_crisp_targets, check_targets
from skvus._rates import confusion_counts, why_undefined
from skvus._validation import (
    as_float_array,
    check_option,
    check_sample_weight,
    did_you_mean,
    refuse_masked,
    shorten,
)
from skvus.metrics._polytope import polytope_vus, polytope_vus_bounds, polytope_vus_score
from skvus.metrics._scorers import SCORERS, get_scorer_names, our_name, try_out

# parameters of the scores that inference sets itself
_OURS = {
    "labels",
    "n_jobs",
    "random_state",
    "replace_undefined_by",
    "return_details",
    "sample_weight",
}


# of its range, by which a score may lie outside, and what counts as the limit itself
_SLACK, _ROUNDING = 1e-9, 1e-12


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


class Statistic(ABC):
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
    # about how many microseconds a case takes in an evaluation, if that is known
    steps_a_case = 0

    def __init__(self, function, name, parameters):
        self.function = function
        self.name = name
        self.parameters = parameters

    def bounds(self, n_classes):
        """Limits of the score."""
        if self.parameters.get("normalize", "") is None:  # a raw volume
            return 0.0, polytope_vus_bounds(n_classes)[1]
        return 0.0, 1.0

    def lone_variances(self, sample, scores, lone):
        """The most that the variance of classes of one unit can add to each score."""
        limits = self.bounds(sample.n_classes)
        if limits is None:
            return np.zeros(scores.size)
        # of all numbers between these limits with this mean
        low, high = limits
        return lone.size * np.maximum(0.0, (scores - low) * (high - scores))

    def is_drawn(self, sample):
        """Whether components would be estimated from drawn tuples."""
        return False

    def check(self, y_true, predictions, *, labels, sample_weight):
        """Check the cases, and pairs of the name of a parameter and its predictions."""
        encoded = self.encode_all(y_true, predictions, labels)
        weight = check_sample_weight(sample_weight, len(encoded[0][2]))
        kept = weight > 0.0
        codes, classes, _, undefined = encoded[0]
        rows = [row for _, _, row, _ in encoded]
        undefined = next((why for *_, why in encoded if why is not None), undefined)
        if undefined is None:
            totals = np.bincount(codes, weights=weight, minlength=classes.size)
            undefined = self.why_undefined(classes, totals)
        if not kept.all():
            codes = None if codes is None else codes[kept]
            weight, rows = weight[kept], [row[kept] for row in rows]
        return Sample(codes, classes, weight, sample_weight is not None, rows, kept, undefined)

    def why_undefined(self, classes, totals):
        """Say why there is no score, or return None."""
        return why_undefined(classes, totals)

    def encode_all(self, y_true, predictions, labels):
        """Encode the predictions of each classifier; errors name their parameter."""
        encoded = []
        with hinting(swapped, y_true, *(prediction for _, prediction in predictions)):
            for name, prediction in predictions:
                try:
                    encoded.append(self.encode(y_true, prediction, labels))
                except (TypeError, ValueError) as error:
                    generic = "y_pred" if "y_pred" in str(error) else "y_score"
                    raise type(error)(str(error).replace(generic, name)) from error
        return encoded

    @abstractmethod
    def encode(self, y_true, prediction, labels):
        """Return codes, classes, checked predictions and why the score is undefined."""

    @abstractmethod
    def value(self, sample, rows, times, seed):
        """The score of predictions `rows` when each case counts so many times."""

    def point(self, sample, k, seed):
        """The score of classifier k as it stands."""
        once = np.ones(sample.codes.size)
        return PointEstimate(
            self.value(sample, sample.predictions[k], once, seed), 0.0, True, 0
        )

    def alike(self, sample):
        """For each case the first one that is like it for all classifiers."""
        return np.arange(sample.codes.size)

    def cells(self, sample):
        """Kinds of cases that the score cannot tell apart, and how many there are of each.

        A sample with one case of each kind and an array; None if cases are all different.
        """
        return None


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
            parameters["random_state"] = np.random.default_rng(seed)
        # each class has a case, so that the score sees all of them without labels=
        return self.function(
            true, predicted, sample_weight=counts[true, predicted], **parameters
        )

    def cells(self, sample):
        """Cells of the confusion matrices of all classifiers, unless cases have weights."""
        n_classes, n_digits = sample.n_classes, 1 + len(sample.predictions)
        if sample.is_weighted or n_classes**n_digits > np.iinfo(np.int64).max:
            return None
        cell = sample.codes
        for rows in sample.predictions:
            cell = cell * n_classes + rows
        cells, sizes = np.unique(cell, return_counts=True)
        digits = []
        for _ in range(n_digits):
            cells, digit = np.divmod(cells, n_classes)
            digits.append(digit)
        *predictions, codes = digits
        ones = np.ones(codes.size)
        kinds = Sample(
            codes, sample.classes, ones, False, predictions[::-1], ones > 0.0, sample.undefined
        )
        return kinds, sizes

    def alike(self, sample):
        """Cases of one weight in one cell of the confusion matrices are alike."""
        columns = np.column_stack([sample.codes, *sample.predictions, sample.weight])
        _, first, which = np.unique(columns, axis=0, return_index=True, return_inverse=True)
        return first[which.ravel()]


class PolytopeStatistic(CrispStatistic):
    """The polytope VUS, which is drawn where there are many classes."""

    def point(self, sample, k, seed):
        """The score as it stands, with the error of drawing."""
        counts = confusion_counts(
            sample.codes, sample.predictions[k], sample.weight, sample.n_classes
        )
        score, error = polytope_vus(
            counts / counts.sum(axis=1, keepdims=True),
            random_state=np.random.default_rng(seed),
            return_std=True,
            **{"normalize": "max", **self.parameters},  # which rates alone do not get
        )
        return PointEstimate(score, error, error == 0.0, 0)


class AnyStatistic(Statistic):
    """Any function of true labels and predictions, which is shown rows as they are.

    `range_` holds the limits of its values, if the caller knows them.
    """

    def __init__(self, function, name, parameters, range_=None):
        super().__init__(function, name, parameters)
        self.range_ = range_

    def bounds(self, n_classes):
        """Limits that the caller has given, or None."""
        return self.range_

    def why_undefined(self, classes, totals):
        """Leave it to the function."""

    def check(self, y_true, predictions, *, labels, sample_weight):
        """Check what the function can be given at all."""
        if labels is not None:
            raise ValueError(
                f"labels must be None for {self.name}: it would not be handed on. Use "
                f"functools.partial({self.name}, labels=...)."
            )
        if sample_weight is not None and not _takes_weights(self.function):
            raise ValueError(
                f"sample_weight must be None for {self.name}, which does not take it."
            )
        return super().check(y_true, predictions, labels=None, sample_weight=sample_weight)

    def encode(self, y_true, prediction, labels):
        """Check labels; predictions are up to the function."""
        refuse_masked("y_score", prediction)
        try:
            rows = np.asarray(prediction)
            if rows.ndim == 0:
                raise ValueError(prediction)
        except ValueError as error:
            raise ValueError(
                f"y_score must be an array, a row a case; got {shorten(prediction)}."
            ) from error
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
        score = float(score)
        if self.range_ is not None and not np.isnan(score):
            low, high = self.range_
            if not low - _SLACK * (high - low) <= score <= high + _SLACK * (high - low):
                raise ValueError(
                    f"score_range must hold all values of {self.name}; got {self.range_!r} "
                    f"and a score of {score:.6g}."
                )
            # a perfect score may miss its limit by rounding
            near = _ROUNDING * (high - low)
            score = low if score < low + near else high if score > high - near else score
        return score


def _takes_weights(function):
    try:
        parameters = signature(function).parameters.values()
    except (TypeError, ValueError):  # no signature to be had
        return True
    return any(p.name == "sample_weight" or p.kind is p.VAR_KEYWORD for p in parameters)


@lru_cache
def parameter_names(function):
    """Names of the parameters of one of our scores."""
    return frozenset(signature(function).parameters)


def make_statistic(score, parameters, range_=None):
    """Find the statistic of a name, of a score of this package, or of any callable."""
    from skvus.metrics._soft_statistics import SOFT

    parameters = _check_parameters(parameters)
    function, name, fixed = _find(score)
    if not name:
        return AnyStatistic(function, _name_of(function), parameters, _check_range(range_))
    if range_ is not None:
        raise ValueError(
            f"score_range must be None for {name!r}, whose range is known; got {range_!r}."
        )
    if parameters:
        _check_own_parameters(function, name, {**fixed, **parameters})
    parameters = {**fixed, **parameters}
    kinds = {polytope_vus_score: PolytopeStatistic, **SOFT}
    kind = kinds.get(function, CrispStatistic)
    return kind(function, name, parameters)


def _find(score):
    """Function, name and fixed parameters; no name for functions of others."""
    if isinstance(score, str):
        check_option("score", score, get_scorer_names(), _score_meant(score))
        function, _, fixed = SCORERS[score]
        return function, score, {k: v for k, v in fixed.items() if k not in _OURS}
    if not callable(score) or isinstance(score, type):
        raise ValueError(
            f"score must be a callable or one of {', '.join(get_scorer_names())}; "
            f"got {score!r}."
        )
    if "estimator" in _first_parameter(score):
        raise ValueError(
            f"score must be a name or a function of (y_true, y_score), not a scorer; got "
            f"{shorten(score)}."
        )
    is_ours = any(function is score for function, _, _ in SCORERS.values())
    return score, _name_of(score).removesuffix("_score") if is_ours else "", {}


def _score_meant(name):
    """What a score of scikit-learn is here, or that others are given as functions."""
    if name == "expected_cost":
        return " Give the function, expected_cost, and score_params={'cost_matrix': ...}."
    hint = our_name(name) or did_you_mean(name, get_scorer_names())
    function = f"{name}_score"
    example = f", such as sklearn.metrics.{function}" * hasattr(sklearn.metrics, function)
    return hint or f" It may also be a function of (y_true, y_score){example}."


def _first_parameter(function):
    try:
        return list(signature(function).parameters)[:1]
    except (TypeError, ValueError):
        return []


def _check_range(range_):
    """Return limits as two floats, or None."""
    if range_ is None:
        return None
    limits = as_float_array("score_range", range_)
    with np.errstate(over="ignore"):
        span = np.diff(limits)[0] if limits.shape == (2,) else 0.0
    if not 0.0 < span < np.inf:
        raise ValueError(
            f"score_range must be the smallest and the largest value of the score; got "
            f"{range_!r}."
        )
    return float(limits[0]), float(limits[1])


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
