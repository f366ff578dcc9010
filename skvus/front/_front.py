"""The multi-class ROC surface as an object."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal, Self, Unpack, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skvus._costs import check_class_priors
from skvus._labels import check_labels
from skvus._rates import in_one_order
from skvus._typing import (
    Alpha,
    ByClass,
    Classifier,
    CostFamily,
    Counts,
    DrawingOptions,
    FilePath,
    Floats,
    Labels,
    Objectives,
    Seed,
)
from skvus._validation import (
    as_float_array,
    check_generator,
    check_option,
    check_rates,
    shorten,
)
from skvus.front._build import all_weighting_costs, drawn_costs, make_cases, sifted
from skvus.front._checks import (
    check_alpha,
    check_costs,
    check_drawing,
    check_known_labels,
    check_listable,
    check_params,
    check_sizes,
    is_one_number,
    joined,
    joined_params,
    whole_counts,
)
from skvus.front._decisions import FrontDecisions
from skvus.front._display import FrontDisplay
from skvus.front._dominance import (
    OBJECTIVES,
    check_objective_count,
    comparison_of,
    non_dominated_members,
)
from skvus.front._explore import FrontExplorer
from skvus.front._geometry import FrontGeometry, check_same_classes
from skvus.front._results import OperatingPoint
from skvus.front._storage import read_front, write_front
from skvus.metrics._operating_points import check_weighted_problem

# Classes that are rarer than this are weighed as if they were not.
_LEAST_SHARE = 1e-9


class ROCFront(FrontGeometry, FrontDecisions, FrontDisplay, FrontExplorer):
    r"""The multi-class ROC surface: operating points that none of them dominates.

    An operating point has the Q(Q-1) rates of all mistakes, ``rates[k, j]`` being the share of
    true class k that is called j. One point dominates another if no rate is larger and one is
    smaller. What no other point dominates is the trade-off surface of the classifier.

    Make one with `from_predictions`, `from_estimator`, `from_rates`, `merge` or `load`, rather
    than with the constructor, which checks nothing.

    Parameters
    ----------
    rates : ndarray of shape (m, n_classes, n_classes)
        Confusion rates of the members.
    classes : ndarray of shape (n_classes,)
        Labels.
    priors : ndarray of shape (n_classes,)
        Frequencies of the classes.
    counts : ndarray of shape (m, n_classes, n_classes) or None, default=None
        Numbers of cases, or sums of their weights.
    costs : ndarray of shape (m, n_classes, n_classes) or None, default=None
        For each member a cost matrix that leads to it.
    class_sizes : ndarray of shape (n_classes,) or None, default=None
        Number of cases of each class, or what weighted cases are worth.
    params : tuple of dict or None, default=None
        What else tells the members apart.
    objectives : {"rates", "miss_rates", "false_alarms"}, default="rates"
        In what no member dominates another.

    Attributes
    ----------
    n_classes : int
        Number of classes.

    See Also
    --------
    CostMatrixClassifier : A classifier at one of the operating points.
    LeastCost, WithinLimits, Lexicographic, BestScore : Rules to choose one.
    operating_points : All operating points over class weights, dominated ones included.

    Notes
    -----
    A cost matrix decides case by case: ``argmin_j sum_k p_k cost[k, j]``. Expected costs that
    agree to 1e-12 tie, and ties go to the first class.

    ``len(front)``, iteration and ``front[i]`` give the members (`OperatingPoint`); a slice, a
    mask or a list of indices gives a front of some of them. Members are in lexicographic order
    of their rates. Arrays cannot be written to.

    References
    ----------
    .. [1] R. M. Everson, J. E. Fieldsend, "Multi-class ROC analysis from a multi-objective
       optimisation perspective", Pattern Recognition Letters 27, 2006.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.model_selection import cross_val_predict
    >>> from skvus import ROCFront, WithinLimits
    >>> X, y = load_wine(return_X_y=True)
    >>> model = LogisticRegression(max_iter=10_000)
    >>> proba = cross_val_predict(model, X[:, :2], y, method="predict_proba")
    >>> front = ROCFront.from_predictions(y, proba, random_state=0)
    >>> index = front.select(WithinLimits({(2, 1): 0.05}))
    >>> print(front[index].rates.round(2))
    [[0.83 0.02 0.15]
     [0.08 0.77 0.14]
     [0.1  0.04 0.85]]
    """

    def __init__(
        self,
        rates: ArrayLike,
        *,
        classes: ArrayLike,
        priors: ArrayLike,
        counts: ArrayLike | None = None,
        costs: ArrayLike | None = None,
        class_sizes: ArrayLike | None = None,
        params: tuple[dict[str, Any], ...] | None = None,
        objectives: Objectives = "rates",
    ) -> None:
        self.rates: Floats = _frozen(rates)
        self.classes: Labels = _frozen(classes)
        self.priors: Floats = _frozen(priors)
        self.counts: Counts | None = _frozen(counts)
        self.costs: Floats | None = _frozen(costs)
        self.class_sizes: Floats | None = _frozen(class_sizes)
        self.params = params
        self.objectives = objectives

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_score: ArrayLike,
        *,
        n_costs: int | Literal["all"] = 10_000,
        cost_alpha: Alpha = 1.0,
        family: CostFamily = "costs",
        objectives: Objectives = "rates",
        labels: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        random_state: Seed = None,
    ) -> Self:
        """The trade-off surface of a classifier, from its posterior probabilities.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            True labels. Use data that the classifier was not trained on, or out-of-fold
            predictions (`sklearn.model_selection.cross_val_predict`): the surface of training
            data is too good to be true.
        y_score : array-like of shape (n_samples, n_classes) or (n_samples,)
            Posterior probabilities, a column for each class in the order of `labels`. For two
            classes also the probability of the second class.
        n_costs : int or "all", default=10_000
            How many cost matrices are tried. "all" tries all weightings of two or three
            classes, with ``family="weights"`` and up to 3,000 distinct score vectors. Two
            classes have few operating points; all of them are always tried.
        cost_alpha : float or array-like, default=1.0
            Parameter of the Dirichlet distribution that costs are drawn from. A number is for
            the weights that rates have in the expected cost, the cost of a mistake times the
            frequency of its class as `y_score` has it: 1 is flat, less gives more uneven
            weights, which over-confident probabilities need. A (n_classes, n_classes) array,
            data frame or dict by label, whose diagonal is ignored, or an array of length
            n_classes for class weights, is for the costs themselves: they are drawn around
            these proportions, the closer the larger the entries.
        family : {"costs", "weights"}, default="costs"
            Whether each mistake has a cost of its own, or each class a weight, which is the
            cost of missing it in any way.
        objectives : {"rates", "miss_rates", "false_alarms"}, default="rates"
            In what no member may dominate another: the rates of all mistakes, the miss rates
            of the classes (row sums), or the rates of being called each class wrongly (column
            sums).
        labels : array-like of shape (n_classes,), default=None
            The classes in the order of the columns. By default the sorted labels of `y_true`.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the samples.
        random_state : int, RandomState, Generator or None, default=None
            Draws the costs.

        Returns
        -------
        front : ROCFront
            Members with rates, counts and costs (that sum to 1).

        Notes
        -----
        The first costs that are tried are equal ones (the most probable class), the mean of
        those that are drawn, and ones that make the decision for one class free, which lead to
        the ends of the surface. Flat costs would hardly ever bring out a rare class, hence the
        weights of rates; if `y_score` takes all classes to be equally frequent, costs are drawn
        as in [1]_.

        Without weights, members are compared by whole counts, so that no rounding decides. With
        weights, rates are compared as multiples of 2^-40, about 1e-12, to which they are
        rounded.

        O(n_costs · n · Q²) steps, for two classes O(n log n): 0.4 s for a million costs on 300
        cases of three classes, 5 s for 10,000 costs on a million cases, 45 s for 10,000 costs
        on 100,000 cases of ten classes. Memory grows with the number of cases and of members,
        not with `n_costs`. Scores of single precision are read block by block (those of two
        classes are copied).

        References
        ----------
        .. [1] R. M. Everson, J. E. Fieldsend, "Multi-class ROC analysis from a multi-objective
           optimisation perspective", Pattern Recognition Letters 27, 2006, section 3.
        """
        n_costs = check_drawing(n_costs=n_costs, family=family, objectives=objectives)
        # without a seed nothing is drawn from the global generator unless it is needed
        rng = None if random_state is None else check_generator(random_state)
        scores, codes, weight, classes = check_weighted_problem(
            y_true, y_score, labels, sample_weight, all_classes=True
        )
        n_classes = len(classes)
        check_objective_count(n_classes, objectives)
        alpha = check_alpha(cost_alpha, classes, family)
        cases = make_cases(scores, codes, weight, sample_weight)
        if n_costs == "all":
            check_listable(cases, family)
        if n_costs == "all" or n_classes == 2:
            blocks = [all_weighting_costs(cases)]
        else:
            shares = np.ones(n_classes)
            if is_one_number(cost_alpha):
                shares = np.maximum(cases.implied_frequencies, _LEAST_SHARE)
            rng = check_generator(rng)
            blocks = drawn_costs(n_costs, alpha, shares, family=family, rng=rng)
        rates, counts, costs = sifted(cases, blocks, objectives)
        return cls(
            rates,
            counts=counts,
            costs=costs,
            classes=classes,
            priors=cases.shares,
            class_sizes=cases.class_sizes,
            objectives=objectives,
        )

    @classmethod
    def from_estimator(
        cls,
        fitted: Classifier,
        X: Any,
        y: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        **options: Unpack[DrawingOptions],
    ) -> Self:
        """The trade-off surface of a fitted classifier.

        Parameters
        ----------
        fitted : estimator
            A fitted classifier with `predict_proba`.
        X : array-like of shape (n_samples, n_features)
            Cases that it was not trained on.
        y : array-like of shape (n_samples,)
            Their true labels, every class of the classifier among them.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the samples.
        **options : dict
            `n_costs`, `cost_alpha`, `family`, `objectives` and `random_state`, as for
            `from_predictions`.

        Returns
        -------
        front : ROCFront
            Members with rates, counts and costs.

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> from sklearn.linear_model import LogisticRegression
        >>> from skvus import ROCFront
        >>> X, y = load_iris(return_X_y=True)
        >>> model = LogisticRegression().fit(X[::2, :2], y[::2])
        >>> front = ROCFront.from_estimator(model, X[1::2, :2], y[1::2], random_state=0)
        >>> front.n_classes, bool(len(front) > 50)
        (3, True)
        """
        if "labels" in options:
            raise TypeError("labels are those of the fitted classifier; they cannot be given.")
        check_drawing(**options)  # before a prediction that may take long
        if isinstance(fitted, type) or not hasattr(fitted, "predict_proba"):
            raise TypeError(
                "fitted must be a fitted classifier with predict_proba, which "
                "sklearn.calibration.CalibratedClassifierCV gives to others; got "
                f"{shorten(fitted)}."
            )
        proba = fitted.predict_proba(X)
        if not hasattr(fitted, "classes_"):
            raise TypeError(
                f"fitted must have classes_, as classifiers do; got {shorten(fitted)}."
            )
        check_known_labels("y", y, fitted.classes_)
        return cls.from_predictions(
            y, proba, labels=fitted.classes_, sample_weight=sample_weight, **options
        )

    @classmethod
    def from_rates(
        cls,
        rates: ArrayLike,
        *,
        costs: ArrayLike | None = None,
        classes: ArrayLike | None = None,
        priors: ByClass | None = None,
        class_sizes: ByClass | None = None,
        params: Sequence[dict[str, Any]] | None = None,
        objectives: Objectives = "rates",
    ) -> Self:
        """A front of given confusion rates; dominated ones are left out.

        Parameters
        ----------
        rates : array-like of shape (m, n_classes, n_classes) or (n_classes, n_classes)
            Confusion rates, as of ``confusion_matrix(..., normalize="true")``. Data frames, as
            of ``pandas.crosstab(y_true, y_pred, normalize="index")``, go by their labels.
        costs : array-like of the same shape, default=None
            A cost matrix that leads to each of them; without, the front cannot predict.
        classes : array-like of shape (n_classes,), default=None
            Labels, by default those of the first data frame, else 0, 1, ...
        priors : array-like or dict, default=None
            Frequencies of the classes, by default equal.
        class_sizes : array-like of shape (n_classes,) or dict, default=None
            Number of cases of each class that the rates are from; a dict or Series goes by
            label. Rates that are whole numbers of them become counts.
        params : sequence of dict, default=None
            What else tells each of them from others.
        objectives : {"rates", "miss_rates", "false_alarms"}, default="rates"
            In what no member may dominate another.

        Returns
        -------
        front : ROCFront
            The non-dominated ones, of equal ones the first.

        Notes
        -----
        Rates that are whole numbers of `class_sizes` are compared as such, others as multiples
        of 2^-40, about 1e-12, to which they are rounded.

        Examples
        --------
        >>> from skvus import ROCFront
        >>> front = ROCFront.from_rates([[[.9, .1], [.4, .6]], [[.9, .1], [.5, .5]]])
        >>> len(front)
        1
        """
        check_option("objectives", objectives, OBJECTIVES)
        if classes is not None:
            classes = check_labels(classes, "classes")
        rates, classes = in_one_order("rates", rates, classes)
        rates = as_float_array("rates", rates)
        if not rates.size:
            raise ValueError(f"rates must have at least one matrix; got shape {rates.shape}.")
        rates = check_rates("rates", rates)
        n_classes = rates.shape[1]
        check_objective_count(n_classes, objectives)
        classes = np.arange(n_classes) if classes is None else check_labels(classes, "classes")
        if classes.size != n_classes:
            raise ValueError(
                f"classes must name the {n_classes} classes of rates; got {classes.size}."
            )
        if priors is None:
            priors = np.full(n_classes, 1.0 / n_classes)
        else:
            priors = check_class_priors(priors, classes)
        costs = None if costs is None else check_costs(costs, rates.shape, classes)
        params = check_params(params, len(rates))
        sizes = None if class_sizes is None else check_sizes(class_sizes, classes)
        counts = None if sizes is None else whole_counts(rates, sizes)
        front = cls(
            rates,
            counts=counts,
            costs=costs,
            classes=classes,
            priors=priors,
            class_sizes=sizes,
            params=params,
            objectives=objectives,
        )
        return _sift(front)

    # not a class method: one that is called on a front would leave that front out
    def merge(
        *fronts: ROCFront,
        names: Sequence[str] | None = None,
        priors: ByClass | None = None,
    ) -> ROCFront:
        """The front of all members of several fronts.

        ``a.merge(b)`` is the same as ``ROCFront.merge(a, b)``.

        Parameters
        ----------
        *fronts : ROCFront
            Fronts of the same classes in the same order.
        names : sequence of str, default=None
            A name for each front, which its members carry as ``params["front"]``. Costs of
            members from different classifiers apply to the probabilities of their own one.
        priors : array-like or dict, default=None
            Frequencies of the classes; needed if those of the fronts differ.

        Returns
        -------
        front : ROCFront
            The members that no other one dominates, of equal ones the first. Costs, counts
            and sizes are kept if all fronts have them; of sizes the smallest.

        Notes
        -----
        Members are compared by whole counts if all have counts of as many cases, otherwise by
        rates that are rounded to multiples of 2^-40.

        Examples
        --------
        >>> from skvus import ROCFront
        >>> a = ROCFront.from_rates([[.9, .1], [.4, .6]])
        >>> b = ROCFront.from_rates([[[.7, .3], [.1, .9]], [[.8, .2], [.5, .5]]])
        >>> front = ROCFront.merge(a, b, names=["a", "b"])
        >>> [member.params["front"] for member in front]
        ['a', 'b']
        >>> len(a.merge(b))
        2
        """
        if not fronts:
            raise TypeError("merge takes at least one front; got none.")
        for number, front in enumerate(fronts):
            check_same_classes(fronts[0], front, f"front {number}")
            if front.objectives != fronts[0].objectives:
                raise ValueError(
                    "fronts must have the same objectives; got "
                    f"{fronts[0].objectives!r} and {front.objectives!r}."
                )
        if priors is not None:
            priors = check_class_priors(priors, fronts[0].classes)
        else:
            priors = fronts[0].priors
            if any(np.abs(front.priors - priors).max() > 1e-9 for front in fronts):
                raise ValueError("The fronts have different priors: give priors= to merge.")
        sizes = [front.class_sizes for front in fronts if front.class_sizes is not None]
        merged = type(fronts[0])(
            np.concatenate([front.rates for front in fronts]),
            counts=joined([front.counts for front in fronts]),
            costs=joined([front.costs for front in fronts]),
            classes=fronts[0].classes,
            priors=priors,
            class_sizes=np.min(sizes, axis=0) if len(sizes) == len(fronts) else None,
            params=joined_params(fronts, names),
            objectives=fronts[0].objectives,
        )
        return _sift(merged)

    def save(self, path: FilePath) -> None:
        """Write the front to a file that holds data only.

        Parameters
        ----------
        path : str or path-like
            An existing file is replaced at once, when the new one is complete.

        Examples
        --------
        >>> import tempfile
        >>> from pathlib import Path
        >>> from skvus import ROCFront
        >>> front = ROCFront.from_rates([[.9, .1], [.4, .6]])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     front.save(Path(folder) / "front.skvus")
        ...     again = ROCFront.load(Path(folder) / "front.skvus")
        >>> bool((again.rates == front.rates).all())
        True
        """
        write_front(self, path)

    @classmethod
    def load(cls, path: FilePath) -> Self:
        """Read a front from a file.

        Parameters
        ----------
        path : str or path-like
            A file that `save` wrote. Anything else, or one that was damaged, raises a
            ValueError. Nothing in it is ever executed.

        Returns
        -------
        front : ROCFront
            As it was saved.
        """
        return cls(**read_front(path))

    @property
    def n_classes(self) -> int:
        """Number of classes."""
        return len(self.classes)

    def __len__(self) -> int:
        return len(self.rates)

    def __iter__(self) -> Iterator[OperatingPoint]:
        return (self[i] for i in range(len(self)))

    @overload
    def __getitem__(self, key: int | np.integer[Any]) -> OperatingPoint: ...

    @overload
    def __getitem__(self, key: slice | Sequence[int] | NDArray[Any]) -> Self: ...

    def __getitem__(
        self, key: int | np.integer[Any] | slice | Sequence[int] | NDArray[Any]
    ) -> OperatingPoint | Self:
        if isinstance(key, np.ndarray) and key.ndim == 0 and key.dtype.kind in "iu":
            key = int(key)
        if isinstance(key, (int, np.integer)) and not isinstance(key, bool):
            if not -len(self) <= key < len(self):
                raise IndexError(f"The front has {len(self)} members; got index {key}.")
            return OperatingPoint(
                self.rates[key],
                _item(self.counts, key),
                _item(self.costs, key),
                _item(self.params, key),
            )
        try:
            if key is None or isinstance(key, (bool, np.bool_)):  # would be another axis
                raise TypeError(key)
            members = np.arange(len(self))[key]
        except (IndexError, TypeError, ValueError, OverflowError) as error:
            raise IndexError(
                "A front takes an index, a slice, a mask or a list of indices of its "
                f"{len(self)} members; got {shorten(key)}."
            ) from error
        if members.ndim != 1 or not members.size:
            raise IndexError(f"A front must keep at least one member; got {shorten(key)}.")
        if np.unique(members).size != members.size:
            raise IndexError(f"A front has each member once; got {shorten(key)}.")
        return self._sub_front(members)

    def __setstate__(self, state: dict[str, Any]) -> None:
        # copies of arrays can be written to; those of a front cannot
        for name, value in state.items():
            setattr(self, name, _frozen(value) if isinstance(value, np.ndarray) else value)

    def _sub_front(self, members, objectives=None):
        """The front of some members."""
        params = self.params
        return type(self)(
            self.rates[members],
            counts=None if self.counts is None else self.counts[members],
            costs=None if self.costs is None else self.costs[members],
            classes=self.classes,
            priors=self.priors,
            class_sizes=self.class_sizes,
            params=None if params is None else tuple(params[i] for i in members),
            objectives=self.objectives if objectives is None else objectives,
        )


def _sift(front):
    """The front of the members that no other one dominates."""
    comparison = comparison_of(front.rates, front.counts)
    return front[non_dominated_members(comparison, front.objectives)]


def _item(values, index):
    return None if values is None else values[index]


def _frozen(array):
    """A copy that cannot be written to, or None."""
    if array is None:
        return None
    array = np.array(array)
    array.flags.writeable = False
    return array
