"""ProbabilitySimplexDisplay: posteriors of two or three classes as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike

from skvus._costs import check_class_costs
from skvus._labels import check_labels
from skvus._soft import check_soft_problem, require_probabilities
from skvus._typing import Bools, ByClass, Classifier, Costs
from skvus._validation import check_integer, shorten
from skvus.plotting._checks import check_fitted, check_name
from skvus.plotting._simplex_drawing import SimplexView, draw_strip, draw_triangle
from skvus.plotting._simplex_geometry import (
    check_cases,
    check_choice,
    check_class_weights,
    check_codes,
    check_posteriors,
    chosen_cases,
    decided_codes,
    decision_regions,
    drawn_cases,
)
from skvus.plotting._style import as_texts, check_given_axes, require_pandas

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.legend import Legend
    from matplotlib.lines import Line2D


class ProbabilitySimplexDisplay:
    """Picture of the posteriors of two or three classes, with regions of decisions on demand.

    A case is a point in a triangle whose corners are the classes: the nearer to a corner, the
    more the classifier is for it [1]_ (Figures 2, 3, 5). Two classes make a line, with a row
    for each true class.

    Make it with `from_predictions` or `from_estimator`, which draw at once, or with the
    constructor and `plot`.

    Parameters
    ----------
    posteriors : ndarray of shape (n_cases, 2) or (n_cases, 3)
        Rows that sum to one.
    codes : ndarray of shape (n_cases,)
        Index of the true class of each case.
    classes : array-like of shape (n_classes,), default=None
        Labels, by default numbers.
    weights : array-like of shape (n_classes,) or dict, default=None
        Class weights whose decisions, ``argmax(weights * posteriors)``, are shown as regions.
    cost_matrix : array-like of shape (n_classes, n_classes), DataFrame or dict, default=None
        Costs whose decisions are shown, instead of those of weights.
    max_points : int, default=20_000
        How many cases are drawn at most.
    cases : ndarray of shape (n_cases,), default=None
        Which of the given cases these are.
    n_left_out : int, default=0
        Number of cases of these classes whose posteriors for them are all zero.
    name : str, default=None
        Name of the classifier.

    Attributes
    ----------
    ax_ : matplotlib.axes.Axes
        The axes.
    figure_ : matplotlib.figure.Figure
        The figure.
    points_ : list of PathCollection
        The cases of each class; where there are many, several parts of them that are drawn in
        turns, so that no class hides the others.
    drawn_ : ndarray of bool of shape (n_cases,)
        Which cases were drawn.
    regions_ : list of matplotlib.patches.Polygon
        The regions, of those classes that have one.
    outline_ : matplotlib.lines.Line2D
        The triangle.
    corners_ : list of PathCollection
        Its corners.
    legend_ : matplotlib.legend.Legend
        The legend.

    See Also
    --------
    ordered_vus_score : How well the posteriors are ordered.
    VUSSurfaceDisplay : True rates over all class weightings.
    CostMatrixClassifier : Decides by costs.

    Notes
    -----
    The borders of regions are straight, and drawn as such: they are polygons, not grids of
    decided points. Ties go to the first class, so that one of two classes with the same costs
    has no region. Grey lines are where a posterior is 1/4, 1/2 and 3/4.

    Of more than `max_points` cases some are drawn, chosen at random but always the same ones;
    the legend says how many. Classes keep their shares, but at least 100 cases of each are
    drawn. `frame` has all of them. Those of two classes are moved up and down within their row,
    so that they do not hide each other.

    References
    ----------
    .. [1] S. Dreiseitl, "Towards more efficient multiclass AUC computations", 2019.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.linear_model import LogisticRegression
    >>> from skvus.plotting import ProbabilitySimplexDisplay
    >>> X, y = load_iris(return_X_y=True)
    >>> model = LogisticRegression().fit(X[::2, :2], y[::2])
    >>> display = ProbabilitySimplexDisplay.from_estimator(
    ...     model, X[1::2, :2], y[1::2], weights=[1, 1, 2]
    ... )
    >>> display
    ProbabilitySimplexDisplay(name='LogisticRegression', 75 cases of 3 classes, weights)
    >>> display.frame().columns.tolist()
    ['case', 'posterior 0', 'posterior 1', 'posterior 2', 'true class', 'called', 'drawn']
    """

    ax_: Axes
    figure_: Figure
    points_: list[Any]
    drawn_: Bools
    regions_: list[Any]
    outline_: Line2D
    corners_: list[Any]
    legend_: Legend

    def __init__(
        self,
        posteriors: ArrayLike,
        codes: ArrayLike,
        *,
        classes: ArrayLike | None = None,
        weights: ByClass | None = None,
        cost_matrix: Costs | None = None,
        max_points: int = 20_000,
        cases: ArrayLike | None = None,
        n_left_out: int = 0,
        name: str | None = None,
    ) -> None:
        self.posteriors = posteriors
        self.codes = codes
        self.classes = classes
        self.weights = weights
        self.cost_matrix = cost_matrix
        self.max_points = max_points
        self.cases = cases
        self.n_left_out = n_left_out
        self.name = name

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_score: ArrayLike,
        *,
        weights: ByClass | None = None,
        cost_matrix: Costs | None = None,
        classes: ArrayLike | None = None,
        max_points: int = 20_000,
        name: str | None = None,
        labels: ArrayLike | None = None,
        ax: Axes | None = None,
    ) -> Self:
        """Draw posteriors.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            True labels.
        y_score : array-like of shape (n_samples, n_classes) or (n_samples,)
            Posterior probabilities, a column for each class in the order of `labels`. For two
            classes also that of the second one.
        weights : array-like of shape (n_classes,), dict or Series, default=None
            Class weights whose decisions, ``argmax(weights * posteriors)``, are shown as
            regions; ones show the decisions of the classifier itself. By position or by label.
        cost_matrix : array-like of shape (n_classes, n_classes), DataFrame or dict, \
default=None
            Costs whose decisions are shown, as for `CostMatrixClassifier`. Only one of weights
            and costs may be given.
        classes : array-like, default=None
            Two or three of the classes, in the order wanted: only their cases are drawn, with
            posteriors for them that are divided by their sum. Weights and costs are those of
            these classes. More than three classes need such a choice.
        max_points : int, default=20_000
            How many cases are drawn at most.
        name : str, default=None
            Name of the classifier.
        labels : array-like of shape (n_classes,), default=None
            The classes in the order of the columns. By default the sorted labels of `y_true`.
        ax : matplotlib.axes.Axes, default=None
            Where to draw; by default in a figure of its own.

        Returns
        -------
        display : ProbabilitySimplexDisplay
            With what was drawn.

        Examples
        --------
        >>> import matplotlib.pyplot as plt
        >>> from skvus.plotting import ProbabilitySimplexDisplay
        >>> y_score = [[.8, .1, .1], [.4, .5, .1], [.2, .2, .6], [.5, .1, .4]]
        >>> display = ProbabilitySimplexDisplay.from_predictions([0, 1, 2, 2], y_score)
        >>> len(display.frame())
        4
        >>> plt.close(display.figure_)
        """
        _check_options(weights, cost_matrix, max_points, name)
        check_given_axes(ax)
        problem = check_soft_problem(y_true, y_score, labels=labels, sample_weight=None)
        if problem.codes is None:
            raise ValueError(problem.undefined)
        require_probabilities(problem.scores, "to lie in the simplex")
        chosen = check_choice(classes, problem.classes)
        _check_rule(weights, cost_matrix, problem.classes[chosen])
        posteriors, codes, cases, n_left_out = chosen_cases(problem, chosen)
        display = cls(
            posteriors,
            codes,
            classes=problem.classes[chosen],
            weights=weights,
            cost_matrix=cost_matrix,
            max_points=max_points,
            cases=cases,
            n_left_out=n_left_out,
            name=name,
        )
        return display.plot(ax=ax)

    @classmethod
    def from_estimator(
        cls,
        estimator: Classifier,
        X: Any,
        y: ArrayLike,
        *,
        weights: ByClass | None = None,
        cost_matrix: Costs | None = None,
        classes: ArrayLike | None = None,
        max_points: int = 20_000,
        name: str | None = None,
        ax: Axes | None = None,
    ) -> Self:
        """Draw the posteriors of a fitted classifier.

        Parameters
        ----------
        estimator : estimator
            A fitted classifier with `predict_proba`.
        X : array-like of shape (n_samples, n_features)
            Cases, best those that it was not trained on.
        y : array-like of shape (n_samples,)
            Their true labels.
        weights : array-like of shape (n_classes,), dict or Series, default=None
            Class weights whose decisions, ``argmax(weights * posteriors)``, are shown as
            regions; ones show the decisions of the classifier itself. By position or by label.
        cost_matrix : array-like of shape (n_classes, n_classes), DataFrame or dict, \
default=None
            Costs whose decisions are shown; those of a `CostMatrixClassifier` are its
            `cost_matrix_`. Only one of weights and costs may be given.
        classes : array-like, default=None
            Two or three of the classes, as for `from_predictions`.
        max_points : int, default=20_000
            How many cases are drawn at most.
        name : str, default=None
            Name of the classifier, by default that of its class.
        ax : matplotlib.axes.Axes, default=None
            Where to draw; by default in a figure of its own.

        Returns
        -------
        display : ProbabilitySimplexDisplay
            With what was drawn.
        """
        _check_options(weights, cost_matrix, max_points, name)
        check_given_axes(ax)
        labels = check_fitted(estimator, y)
        _check_rule(weights, cost_matrix, labels[check_choice(classes, labels)])
        return cls.from_predictions(
            y,
            estimator.predict_proba(X),
            weights=weights,
            cost_matrix=cost_matrix,
            classes=classes,
            max_points=max_points,
            name=type(estimator).__name__ if name is None else name,
            labels=labels,
            ax=ax,
        )

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Where to draw; by default in a figure of its own.

        Returns
        -------
        display : ProbabilitySimplexDisplay
            Itself, with `ax_`, `figure_` and the artists.

        Examples
        --------
        >>> import matplotlib.pyplot as plt
        >>> from skvus.plotting import ProbabilitySimplexDisplay
        >>> y_score = [[.8, .1, .1], [.4, .5, .1], [.2, .2, .6], [.5, .1, .4]]
        >>> figure, (left, right) = plt.subplots(1, 2)
        >>> display = ProbabilitySimplexDisplay.from_predictions([0, 1, 2, 2], y_score, ax=left)
        >>> display.plot(ax=right).ax_ is right
        True
        >>> plt.close(figure)
        """
        view = self._view()
        draw = draw_strip if len(view.classes) == 2 else draw_triangle
        artists = draw(ax, view)
        self.figure_ = artists["ax_"].figure
        self.drawn_ = view.drawn
        for name, artist in artists.items():
            setattr(self, name, artist)
        return self

    def frame(self) -> pd.DataFrame:
        """The numbers that are drawn, as a table.

        Returns
        -------
        frame : pandas.DataFrame
            A row for each case: which of the given cases it is, its posteriors, its true class,
            what it is called if there are weights or costs, and whether it is drawn.
        """
        pd = require_pandas()
        view = self._view()
        labels = np.array(view.classes)
        columns = {"case": view.cases}
        for label, values in zip(view.classes, view.posteriors.T, strict=True):
            columns[f"posterior {label}"] = values
        columns["true class"] = labels[view.codes]
        if view.called is not None:
            columns["called"] = labels[view.called]
        return pd.DataFrame(columns | {"drawn": view.drawn})

    def __repr__(self) -> str:
        parts = [] if self.name is None else [f"name={self.name!r}"]
        try:
            n_cases, n_classes = check_posteriors(self.posteriors).shape
            parts.append(f"{n_cases:,} case{'s' * (n_cases != 1)} of {n_classes} classes")
        except (TypeError, ValueError):  # plot will say why
            parts.append(shorten(self.posteriors))
        for option in ("weights", "cost_matrix"):
            if getattr(self, option) is not None:
                parts.append(option)
        return f"ProbabilitySimplexDisplay({', '.join(parts)})"

    def _view(self):
        """What is to be drawn, checked."""
        _check_options(self.weights, self.cost_matrix, self.max_points, self.name)
        check_integer("n_left_out", self.n_left_out, minimum=0)
        posteriors = check_posteriors(self.posteriors)
        n_cases, n_classes = posteriors.shape
        codes = check_codes(self.codes, posteriors)
        classes = (
            np.arange(n_classes)
            if self.classes is None
            else check_labels(self.classes, "classes")
        )
        if classes.size != n_classes:
            raise ValueError(
                f"classes must name the {n_classes} classes of posteriors; got "
                f"{shorten(classes.tolist())}."
            )
        weights, cost = _check_rule(self.weights, self.cost_matrix, classes)
        called = decided_codes(posteriors, weights, cost)
        return SimplexView(
            posteriors,
            codes,
            drawn_cases(codes, n_classes, self.max_points),
            called,
            None if called is None else decision_regions(weights, cost),
            classes.tolist(),
            check_cases(self.cases, n_cases),
            self._title(n_cases),
        )

    def _title(self, n_cases):
        plural = "s" * (n_cases != 1)
        number = f"posteriors of {n_cases:,} case{plural}"
        if self.n_left_out:
            number += f", {self.n_left_out:,} without any left out"
        return (
            number.capitalize()
            if self.name is None
            else f"{as_texts([self.name])[0]}: {number}"
        )


def _check_options(weights, cost_matrix, max_points, name):
    """Raise for options that are wrong whatever the data."""
    if weights is not None and cost_matrix is not None:
        raise ValueError(
            "weights and cost_matrix lead to different regions, one of them must be None; got "
            f"weights={shorten(weights)} and cost_matrix={shorten(cost_matrix)}."
        )
    check_integer("max_points", max_points, minimum=1)
    check_name(name)


def _check_rule(weights, cost_matrix, classes):
    """Return weights and costs, what is given of them, in the order of the classes."""
    return (
        None if weights is None else check_class_weights(weights, classes),
        None if cost_matrix is None else check_class_costs(cost_matrix, classes),
    )
