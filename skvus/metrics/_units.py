"""What varies independently: cases, or groups of cases that belong together."""

import numpy as np

from skvus._validation import refuse_masked, shorten

_MOST_REDRAWS = 1000


class Units:
    """Cases or groups of cases, and the strata among which they are drawn.

    Each class is a stratum as long as no group has cases of several classes; else all groups
    are one stratum.

    Parameters
    ----------
    codes : (n,) int array
        Class of each case.
    groups : (n,) int array or None
        Group of each case, 0 to their number less one; None if each case is one.
    n_classes : int
    """

    def __init__(self, codes, groups, n_classes):
        self.codes = codes
        self.is_grouped = groups is not None
        self.groups = np.arange(codes.size) if groups is None else groups
        self.n_units = int(self.groups.max()) + 1
        self.has_class = np.zeros((n_classes, self.n_units), dtype=bool)
        self.has_class[codes, self.groups] = True
        self.is_stratified = bool((self.has_class.sum(axis=0) == 1).all())
        if self.is_stratified:
            self.strata = [np.flatnonzero(row) for row in self.has_class]
        else:
            self.strata = [np.arange(self.n_units)]

    @property
    def sizes(self):
        """Number of units with a case of each class."""
        return self.has_class.sum(axis=1)

    @property
    def lone(self):
        """Classes with a single unit, whose variation nobody can know."""
        return np.flatnonzero(self.sizes == 1)

    def n_independent(self, weight):
        """Number of tuples without a unit in common that can be had at least."""
        if not self.is_stratified:
            return max(1, min(self.sizes.min(), self.n_units // len(self.has_class)))
        sums = np.bincount(self.groups, weight)
        effective = [sums[own].sum() ** 2 / (sums[own] ** 2).sum() for own in self.strata]
        return max(1, int(min(effective) + 1e-9))

    def resample(self, rng):
        """How often each case is drawn when each stratum is drawn anew, with replacement."""
        for _ in range(_MOST_REDRAWS):
            times = np.zeros(self.n_units, dtype=np.int64)
            for own in self.strata:
                times[own] = np.bincount(rng.integers(own.size, size=own.size), None, own.size)
            if self.is_stratified or (self.has_class & (times > 0)).any(axis=1).all():
                return times[self.groups]
        raise ValueError(
            f"groups must have each class in several groups; of {self.n_units} groups "
            f"{shorten(self.sizes.tolist())} have a case of each class, and "
            f"{_MOST_REDRAWS} resamples lacked one."
        )

    def leave_out(self, unit):
        """How often each case counts when a unit is left out: once or not at all."""
        return (self.groups != unit).astype(float)

    def is_needed(self, unit):
        """Whether a class would be empty without this unit."""
        return bool(self.has_class[self.lone, unit].any())


def check_groups(groups, kept):
    """Return groups of the cases that are kept as numbers from 0 on, or None."""
    if groups is None:
        return None
    n_samples = kept.size
    refuse_masked("groups", groups)
    array = np.asarray(groups)
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.shape != (n_samples,):
        raise ValueError(
            f"groups must have shape ({n_samples},), a group a case; got {array.shape}."
        )
    try:
        is_missing = any(value is None or value != value for value in array.tolist())
        _, which = np.unique(array[kept], return_inverse=True)
    except TypeError as error:
        raise ValueError(
            f"groups must be of one type and none of them missing; got {shorten(groups)}."
        ) from error
    if is_missing:
        raise ValueError("groups must not contain missing values.")
    return which.ravel()
