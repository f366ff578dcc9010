"""What varies independently: cases, or groups of cases that belong together."""

import numpy as np

from skvus._validation import host_array, read_array, refuse_masked, shorten

_MOST_REDRAWS = 1000
_NEGLIGIBLE = 1e-9  # share of a class that says nothing of its variation


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
    weight : (n,) array
    """

    def __init__(self, codes, groups, n_classes, weight):
        self.n_classes = n_classes
        self.is_grouped = groups is not None
        if groups is None:
            self.groups = np.arange(codes.size)
            self.n_units = codes.size
            self.pair_of_case, self.pair_unit, self.pair_class = self.groups, self.groups, codes
        else:
            self.groups = groups
            self.n_units = int(groups.max()) + 1
            # units and the classes of their cases, which are mostly few
            pairs, which = np.unique(groups * n_classes + codes, return_inverse=True)
            self.pair_of_case = which.ravel()
            self.pair_unit, self.pair_class = np.divmod(pairs, n_classes)
        # weight of a unit in its class, of one altogether
        shares = weight / np.bincount(codes, weight, n_classes)[codes]
        self.pair_share = np.bincount(self.pair_of_case, shares, self.pair_unit.size)
        self.by_class = by_class(self.pair_class, n_classes)
        self.is_stratified = self.pair_unit.size == self.n_units
        self.strata = [np.arange(self.n_units)]
        if self.is_stratified:
            self.strata = [self.pair_unit[own] for own in self.by_class]

    @property
    def sizes(self):
        """Number of units with a case of each class."""
        return np.bincount(self.pair_class, minlength=self.n_classes)

    @property
    def lone(self):
        """Classes that are a single unit, whose variation nobody can know."""
        largest = np.array([self.pair_share[own].max(initial=0.0) for own in self.by_class])
        return np.flatnonzero(largest > 1.0 - _NEGLIGIBLE)

    @property
    def effective_sizes(self):
        """Number of units of each stratum; units of uneven weight count for fewer."""
        shares = [self.pair_share[own] for own in self.by_class]
        if not self.is_stratified:
            shares = [np.bincount(self.pair_unit, self.pair_share) / self.n_classes]
        return np.array([1.0 / max((part**2).sum(), _NEGLIGIBLE) for part in shares])

    @property
    def n_independent(self):
        """Number of tuples without a unit in common that can be had at least."""
        sizes = [1.0 / (self.pair_share[own] ** 2).sum() for own in self.by_class if own.size]
        least = min(sizes) + _NEGLIGIBLE
        if not self.is_stratified:
            least = min(least, self.n_units / self.n_classes)
        return max(1, int(least))

    def resample(self, rng):
        """How often each case is drawn when each stratum is drawn anew, with replacement."""
        for _ in range(_MOST_REDRAWS):
            times = np.zeros(self.n_units, dtype=np.int64)
            for own in self.strata:
                if own.size:
                    drawn = rng.integers(own.size, size=own.size)
                    times[own] = np.bincount(drawn, minlength=own.size)
            if self.is_stratified or self._has_all_classes(times):
                return times[self.groups]
        raise ValueError(
            f"groups must have each class in several groups; of {self.n_units} groups "
            f"{shorten(self.sizes.tolist())} have a case of each class, and "
            f"{_MOST_REDRAWS} resamples lacked one."
        )

    def _has_all_classes(self, times):
        drawn = self.pair_class[times[self.pair_unit] > 0]
        return bool(np.bincount(drawn, minlength=self.n_classes).all())

    def leave_out(self, unit):
        """How often each case counts when a unit is left out: once or not at all."""
        return (self.groups != unit).astype(float)

    def dispensable(self):
        """Units without which each class still has a case."""
        is_lone = np.isin(self.pair_class, self.lone)
        return np.setdiff1d(np.arange(self.n_units), self.pair_unit[is_lone])


class Kinds:
    """Kinds of cases, so many of each, and each class a stratum.

    How often each kind comes up when cases are drawn with replacement has a multinomial
    distribution, whatever the number of cases.

    Parameters
    ----------
    codes : (n_kinds,) int array
        Class of each kind.
    sizes : (n_kinds,) int array
        Number of its cases.
    n_classes : int
    """

    def __init__(self, codes, sizes, n_classes):
        self.sizes = sizes
        self.strata = by_class(codes, n_classes)

    def resample(self, rng):
        """How often each kind is drawn."""
        times = np.empty(self.sizes.size, dtype=np.int64)
        for own in self.strata:
            total = self.sizes[own].sum()
            times[own] = rng.multinomial(total, self.sizes[own] / total)
        return times


def by_class(codes, n_classes):
    """Indices of each class, in their order."""
    order = np.argsort(codes, kind="stable")
    return np.split(order, np.cumsum(np.bincount(codes, minlength=n_classes))[:-1])


def _why_no_groups(groups):
    return f"must be a one-dimensional array; got {shorten(groups)}"


def check_groups(groups, kept):
    """Return groups of the cases that are kept as numbers from 0 on, or None."""
    if groups is None:
        return None
    n_samples = kept.size
    refuse_masked("groups", groups)
    array = read_array("groups", host_array("groups", groups), _why_no_groups)
    if array.dtype.kind in "US" and not hasattr(groups, "dtype"):
        array = np.array(groups, dtype=object)  # numpy makes text of numbers and of None
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.shape != (n_samples,):
        raise ValueError(
            f"groups must have shape ({n_samples},), a group a case; got {array.shape}."
        )
    try:
        is_missing = any(value is None or value != value for value in array.tolist())
        _, which = np.unique(array[kept], return_inverse=True)
    except (TypeError, ValueError, ArithmeticError) as error:
        raise ValueError(
            f"groups must be of one type and none of them missing; got {shorten(groups)}."
        ) from error
    if is_missing:
        raise ValueError("groups must not contain missing values.")
    return which.ravel()
