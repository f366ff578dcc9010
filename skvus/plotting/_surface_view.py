"""What VUSSurfaceDisplay shows, checked before any work, and what is said of it."""

from decimal import Decimal
from typing import NamedTuple

import numpy as np

from skvus._labels import check_labels
from skvus._soft import require_non_negative
from skvus._validation import as_float_array, check_generator, check_integer, shorten
from skvus.metrics import InferenceResult
from skvus.metrics._intervals import check_level, decimals
from skvus.metrics._ordering import check_n_jobs
from skvus.plotting._checks import check_name

_MOST_STEPS = 500


class SurfaceView(NamedTuple):
    """Points, where they come from, the mark of equal weights, labels, and the volume."""

    true_rates: np.ndarray
    weights: np.ndarray | None
    equal_weights: np.ndarray | None
    classes: list
    volume: InferenceResult | None
    confidence_level: float

    @property
    def text(self):
        """How many points there are, and the volume."""
        size = " x ".join(f"{number:,}" for number in self.true_rates.shape[:-1])
        words = f"{size} operating points of {len(self.classes)} classes"
        return words if self.volume is None else f"{words}, {self.volume_text(', ')}"

    def volume_text(self, between):
        """The volume with its interval."""
        low, high = self.volume.confidence_interval(self.confidence_level)
        # an interval of a point has no error to take digits from
        places = min(decimals(self.volume.standard_error), 6)
        what = "AUC" if len(self.classes) == 2 else "simplified VUS"
        return (
            f"{what} {self.volume.score:.{places}f}{between}{_percent(self.confidence_level)} "
            f"interval {low:.{places}f} to {high:.{places}f}"
        )


def make_view(true_rates, *, weights, equal_weights, volume, classes, confidence_level, name):
    """What is to be shown, checked."""
    true_rates = check_true_rates(true_rates)
    n_classes = true_rates.shape[-1]
    if weights is not None:
        weights = _check_weights(weights, true_rates.shape)
    if equal_weights is not None:
        equal_weights = _check_equal_weights(equal_weights, n_classes)
    if volume is not None and not isinstance(volume, InferenceResult):
        raise TypeError(
            "volume must be an InferenceResult, as score_inference returns it, or None; got "
            f"{shorten(volume)}."
        )
    labels = _labels(classes, n_classes)
    check_name(name)
    level = check_level(confidence_level)
    return SurfaceView(true_rates, weights, equal_weights, labels, volume, level)


def check_options(n_steps, confidence_level, name, n_tuples, random_state, n_jobs):
    """Raise for options that are wrong whatever the data."""
    check_integer("n_steps", n_steps, minimum=2, maximum=_MOST_STEPS)
    check_level(confidence_level)
    check_name(name)
    if n_tuples is not None:
        check_integer("n_tuples", n_tuples, minimum=2, maximum=10**12)
    # a shared source of randomness must not be drawn from for a check
    if random_state is not None and not isinstance(random_state, np.random.RandomState):
        check_generator(random_state)
    check_n_jobs(n_jobs)


def check_problem(problem):
    """Raise unless there are cases of two or three classes with scores that weights suit."""
    if problem.n_classes > 3:
        raise ValueError(
            "VUSSurfaceDisplay shows two or three classes, whose true rates fit into a plane "
            f"or a space; got {problem.n_classes} classes. For any number simplified_vus_score "
            "gives the volume, ROCFrontDisplay with kind='parallel' the operating points."
        )
    if problem.undefined is not None:
        raise ValueError(problem.undefined)
    if problem.scores.ndim == 2:
        require_non_negative(problem.scores)


def check_true_rates(true_rates):
    """True rates as an array of one of the two shapes."""
    array = as_float_array("true_rates", true_rates)
    shape = array.shape
    if (array.ndim, shape[-1:]) not in ((2, (2,)), (3, (3,))) or min(shape[:-1]) < 2:
        raise ValueError(
            "true_rates must have shape (n_points, 2) or (n_lines, n_steps, 3), with at least "
            f"two points, lines and steps; got {shape}."
        )
    _check_range("true_rates", array)
    return array


def _check_weights(weights, shape):
    array = as_float_array("weights", weights)
    if array.shape != shape:
        raise ValueError(
            f"weights must have shape {shape}, like true_rates; got {array.shape}."
        )
    if array.min() < 0.0 or not array.any(axis=-1).all():
        raise ValueError(
            "weights must not be negative, and at least one of each point positive; got "
            f"{shorten(weights)}."
        )
    return array


def _check_equal_weights(equal_weights, n_classes):
    array = as_float_array("equal_weights", equal_weights)
    if array.shape != (n_classes,):
        raise ValueError(
            f"equal_weights must have shape ({n_classes},), a true rate for each class; got "
            f"{array.shape}."
        )
    _check_range("equal_weights", array)
    return array


def _check_range(name, rates):
    low, high = rates.min(), rates.max()
    if low < 0.0 or high > 1.0:
        raise ValueError(f"{name} must be between 0 and 1; got {low:.6g} to {high:.6g}.")


def _labels(classes, n_classes):
    """Labels of the classes, as many as there are rates."""
    if classes is None:
        return list(range(n_classes))
    classes = check_labels(classes, "classes").tolist()
    if len(classes) != n_classes:
        raise ValueError(
            f"classes must name the {n_classes} classes of true_rates; got {shorten(classes)}."
        )
    return classes


def _percent(level):
    """A level with all its digits: what is below 1 must not look like it."""
    return f"{Decimal(repr(level)).scaleb(2) + 0:g}%"
