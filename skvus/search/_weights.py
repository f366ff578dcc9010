"""Weights of fitted classifiers: read, displaced, written."""

import numpy as np
from sklearn.frozen import FrozenEstimator

from skvus._validation import shorten


def core_of(fitted):
    """The classifier itself, at the end of pipelines or frozen."""
    while True:
        if isinstance(fitted, FrozenEstimator):
            fitted = fitted.estimator
        elif getattr(fitted, "steps", None):
            fitted = fitted.steps[-1][1]
        else:
            return fitted


def read_weights(fitted):
    """Arrays of weights of a fitted classifier.

    A classifier offers them by ``get_weights()``, a list of arrays, and takes others by
    ``set_weights(arrays)``. Linear models (`coef_`, `intercept_`) and multi-layer perceptrons
    of scikit-learn (`coefs_`, `intercepts_`) need not.
    """
    core = core_of(fitted)
    if hasattr(core, "get_weights") and hasattr(core, "set_weights"):
        arrays = core.get_weights()
    elif hasattr(core, "coefs_") and hasattr(core, "intercepts_"):
        arrays = [*core.coefs_, *core.intercepts_]
    elif hasattr(core, "coef_") and hasattr(core, "intercept_"):
        # there is no intercept to move where none was wanted
        has_intercept = getattr(core, "fit_intercept", True)
        arrays = [core.coef_, core.intercept_] if has_intercept else [core.coef_]
    else:
        raise TypeError(
            "evolve='weights' takes a classifier with coef_ and intercept_, coefs_ and "
            "intercepts_, or get_weights() and set_weights(arrays); got "
            f"{shorten(type(core).__name__)}."
        )
    try:
        arrays = [np.array(array, dtype=float) for array in arrays]
    except (TypeError, ValueError) as error:
        raise TypeError(
            f"evolve='weights' takes a classifier whose weights are a list of dense arrays of "
            f"numbers; got {shorten(arrays)} from {type(core).__name__}."
        ) from error
    if not sum(array.size for array in arrays):
        raise TypeError(f"evolve='weights' takes weights; {type(core).__name__} has none.")
    return arrays


def check_same_weights(model, other, where):
    """Raise unless two displaced classifiers have weights of the same shapes."""
    shapes = [[array.shape for array in displaced.start] for displaced in (model, other)]
    if shapes[0] != shapes[1]:
        raise ValueError(
            "evolve='weights' takes classifiers whose weights have the same shapes whatever "
            f"cases they are fitted on; got {shapes[0]} in fold 0 and {shapes[1]} in {where}. "
            "Transformers that see all categories beforehand may help."
        )


def write_weights(fitted, arrays):
    """Give a fitted classifier other weights."""
    core = core_of(fitted)
    if hasattr(core, "get_weights") and hasattr(core, "set_weights"):
        core.set_weights(arrays)
    elif hasattr(core, "coefs_"):
        half = len(core.coefs_)
        core.coefs_, core.intercepts_ = list(arrays[:half]), list(arrays[half:])
    else:
        try:
            core.coef_ = arrays[0]
            if len(arrays) > 1:
                core.intercept_ = arrays[1]
        except AttributeError as error:
            raise TypeError(
                "evolve='weights' takes a classifier whose weights can be set; those of "
                f"{type(core).__name__} cannot."
            ) from error


class Displaced:
    """A fitted classifier whose weights can be displaced from where they were.

    Parameters
    ----------
    fitted : estimator
        Changed; hand over a copy of what must stay.
    step_scale : {"relative", "absolute"}
        Whether displacements are in units of the root mean square of each array (1 for an array
        of zeros), or as such.
    """

    def __init__(self, fitted, step_scale):
        self.fitted = fitted
        self.start = read_weights(fitted)
        self.units = [_size(array) if step_scale == "relative" else 1.0 for array in self.start]

    @property
    def n_weights(self):
        """Number of weights."""
        return sum(array.size for array in self.start)

    def move(self, displacement):
        """Give the classifier the weights at a displacement, and return it."""
        displacement = np.asarray(displacement, dtype=float)
        arrays, first = [], 0
        for array, unit in zip(self.start, self.units, strict=True):
            part = displacement[first : first + array.size].reshape(array.shape)
            arrays.append(array + unit * part)
            first += array.size
        write_weights(self.fitted, arrays)
        return self.fitted


def _size(array):
    size = float(np.sqrt(np.mean(array**2))) if array.size else 0.0
    return size if size > 0.0 else 1.0
