"""ROCFrontDisplay: a front as a picture."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, Self, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skvus._labels import check_labels, label_vector
from skvus._typing import (
    Alpha,
    Classifier,
    CostFamily,
    DrawingOptions,
    FrontKind,
    Objectives,
    Seed,
    VolumeMethod,
)
from skvus._validation import check_option, shorten
from skvus.front import ROCFront
from skvus.front._geometry import check_front
from skvus.front._rules import RuleLike
from skvus.plotting._bars import (
    comparison_table,
    distance_table,
    draw_comparison,
    draw_distances,
)
from skvus.plotting._front_checks import (
    KINDS,
    check_labelled,
    check_measuring,
    check_picture,
    check_request,
    check_search,
)
from skvus.plotting._front_kinds import make_view
from skvus.plotting._miss_rates import draw_miss_rates, miss_rate_table
from skvus.plotting._pairs import draw_pairs, pair_table
from skvus.plotting._parallel import draw_parallel, parallel_table
from skvus.plotting._style import require_matplotlib, require_pandas

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.legend import Legend
    from matplotlib.lines import Line2D

_TABLES = {
    "miss_rates": miss_rate_table,
    "parallel": parallel_table,
    "pairs": pair_table,
    "distance": distance_table,
}
_DRAWERS = {
    "miss_rates": draw_miss_rates,
    "parallel": draw_parallel,
    "pairs": draw_pairs,
    "distance": draw_distances,
}


class ROCFrontDisplay:
    r"""Picture of a multi-class ROC surface.

    `from_estimator` and `from_predictions` make it and draw; of a front that there is already,
    ``ROCFrontDisplay(front).plot()``.

    Parameters
    ----------
    front : ROCFront
        The trade-off surface.
    kind : {"auto", "miss_rates", "parallel", "pairs", "distance", "compare"}, default="auto"
        What is drawn:

        - "miss_rates": members as points in the space of the miss rates of two or three
          classes, coloured by the class that most of their mistakes go to [1]_ (Figures 5, 6);
          dashed lines are random allocation;
        - "parallel": an axis for the rate of each mistake, a line for each member;
        - "pairs": each rate against each other one, for more than three classes each miss
          rate; the black line joins the members that are best for these two alone;
        - "distance": histogram of the signed distances from the simplex of random allocation
          (Figure 8), for several fronts as shares of their members;
        - "compare": generalised Gini coefficients of several fronts, and what the first and
          each other one dominate alone, with error bars.

        "auto" is "compare" if there are `others`, "miss_rates" for two or three classes, and
        "parallel" for more.
    name : str, default=None
        Name of the front.
    chosen : rule, default=None
        The member to highlight: an index or a rule, as for `ROCFront.select`. By default the
        member most distant from random allocation.
    others : dict of str to ROCFront, default=None
        Other fronts of the same classes by name, for "distance" and "compare".

    Attributes
    ----------
    ax_ : matplotlib.axes.Axes
        The axes, or the place of those in `axes_`.
    axes_ : ndarray of Axes
        The panels of "pairs" and "compare".
    figure_ : matplotlib.figure.Figure
        The figure.
    kind_ : str
        What was drawn.
    points_, lines_, stairs_, histograms_, bars_, error_bars_ : list of artists
        What shows the members or fronts, as far as the kind has them: an artist for each class
        that receives most mistakes, for each front, or for each panel. All lines of "parallel"
        are one artist.
    chosen_ : artist or list of artists
        The mark of the chosen member.
    random_ : matplotlib.lines.Line2D
        Random allocation.
    legend_ : matplotlib.legend.Legend
        The legend.

    See Also
    --------
    ROCFront : The trade-off surface and its numbers.
    ScoreConvergenceDisplay : How a search came to it.

    Notes
    -----
    Where few members would squeeze all others to the bottom of "parallel", the axes end
    earlier, and the label tells how many lines run on above. All members are drawn, thousands
    as an image even in vector files. Mistakes are counted in cases, or by rates and frequencies
    of the classes if the front has no counts; of classes that receive as many, the first gives
    the colour.

    References
    ----------
    .. [1] R. M. Everson, J. E. Fieldsend, "Multi-class ROC analysis from a multi-objective
       optimisation perspective", Pattern Recognition Letters 27, 2006.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.linear_model import LogisticRegression
    >>> from skvus.plotting import ROCFrontDisplay
    >>> X, y = load_iris(return_X_y=True)
    >>> model = LogisticRegression().fit(X[::2, :2], y[::2])
    >>> display = ROCFrontDisplay.from_estimator(model, X[1::2, :2], y[1::2], random_state=0)
    >>> display
    ROCFrontDisplay(kind='miss_rates', name='LogisticRegression', ... of 3 classes)
    >>> display.frame().columns.tolist()
    ['member', 'miss 0', 'miss 1', 'miss 2', 'receives most', 'chosen']
    """

    ax_: Axes
    axes_: NDArray[Any]
    figure_: Figure
    kind_: str
    points_: list[Any]
    lines_: list[Any]
    stairs_: list[Any]
    histograms_: list[Any]
    bars_: list[Any]
    error_bars_: list[Any]
    chosen_: Any
    random_: Line2D
    legend_: Legend

    def __init__(
        self,
        front: ROCFront,
        *,
        kind: FrontKind = "auto",
        name: str | None = None,
        chosen: RuleLike | None = None,
        others: Mapping[str, ROCFront] | None = None,
    ) -> None:
        self.front = front
        self.kind = kind
        self.name = name
        self.chosen = chosen
        self.others = others

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_score: ArrayLike,
        *,
        kind: FrontKind = "auto",
        name: str | None = None,
        chosen: RuleLike | None = None,
        others: Mapping[str, ROCFront] | None = None,
        labels: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        n_costs: int | Literal["all"] = 10_000,
        cost_alpha: Alpha = 1.0,
        family: CostFamily = "costs",
        objectives: Objectives = "rates",
        random_state: Seed = None,
        ax: Axes | None = None,
    ) -> Self:
        """Draw the trade-off surface of posterior probabilities.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            True labels, of cases that the classifier was not trained on.
        y_score : array-like of shape (n_samples, n_classes) or (n_samples,)
            Posterior probabilities, as for `ROCFront.from_predictions`.
        kind : {"auto", "miss_rates", "parallel", "pairs", "distance", "compare"}, \
default="auto"
            What is drawn, see `ROCFrontDisplay`.
        name : str, default=None
            Name of the front.
        chosen : rule, default=None
            The member to highlight, as for `ROCFront.select`.
        others : dict of str to ROCFront, default=None
            Other fronts by name, for "distance" and "compare".
        labels : array-like of shape (n_classes,), default=None
            The classes in the order of the columns.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the samples.
        n_costs : int or "all", default=10_000
            How many cost matrices are tried.
        cost_alpha : float or array-like, default=1.0
            Parameter of the Dirichlet distribution that costs are drawn from.
        family : {"costs", "weights"}, default="costs"
            Whether each mistake has a cost of its own, or each class a weight.
        objectives : {"rates", "miss_rates", "false_alarms"}, default="rates"
            In what no member may dominate another.
        random_state : int, RandomState, Generator or None, default=None
            Draws the costs.
        ax : matplotlib.axes.Axes, default=None
            Where to draw; by default in a figure of its own.

        Returns
        -------
        display : ROCFrontDisplay
            With what was drawn.

        Examples
        --------
        >>> import matplotlib.pyplot as plt
        >>> from skvus.plotting import ROCFrontDisplay
        >>> y_score = [[.8, .1, .1], [.4, .5, .1], [.2, .2, .6], [.5, .1, .4]]
        >>> display = ROCFrontDisplay.from_predictions([0, 1, 2, 2], y_score, random_state=0)
        >>> display.front.n_classes
        3
        >>> plt.close(display.figure_)
        """
        require_matplotlib()
        check_request(kind=kind, name=name, chosen=chosen, others=others)
        classes = np.unique(label_vector("y_true", y_true)) if labels is None else labels
        check_picture(check_labels(classes), kind=kind, others=others, ax=ax)
        front = ROCFront.from_predictions(
            y_true,
            y_score,
            labels=labels,
            sample_weight=sample_weight,
            n_costs=n_costs,
            cost_alpha=cost_alpha,
            family=family,
            objectives=objectives,
            random_state=random_state,
        )
        return cls(front, kind=kind, name=name, chosen=chosen, others=others).plot(ax)

    @classmethod
    def from_estimator(
        cls,
        estimator: Classifier,
        X: Any = None,
        y: ArrayLike | None = None,
        *,
        kind: FrontKind = "auto",
        name: str | None = None,
        chosen: RuleLike | None = None,
        others: Mapping[str, ROCFront] | None = None,
        sample_weight: ArrayLike | None = None,
        n_costs: int | Literal["all"] = 10_000,
        cost_alpha: Alpha = 1.0,
        family: CostFamily = "costs",
        objectives: Objectives = "rates",
        random_state: Seed = None,
        ax: Axes | None = None,
    ) -> Self:
        """Draw the front of a search, or the trade-off surface of any classifier.

        Parameters
        ----------
        estimator : estimator
            A fitted `ParetoROCSearch`, whose own front is drawn if there is no `X`; or any
            fitted classifier with `predict_proba`.
        X : array-like of shape (n_samples, n_features), default=None
            Cases that it was not trained on. Only a search can do without.
        y : array-like of shape (n_samples,), default=None
            Their true labels.
        kind : {"auto", "miss_rates", "parallel", "pairs", "distance", "compare"}, \
default="auto"
            What is drawn, see `ROCFrontDisplay`.
        name : str, default=None
            Name of the front, by default that of the class of the estimator.
        chosen : rule, default=None
            The member to highlight, as for `ROCFront.select`. By default the one that a search
            without `X` has chosen, if it came to that, else the one most distant from random
            allocation.
        others : dict of str to ROCFront, default=None
            Other fronts by name, for "distance" and "compare".
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the samples.
        n_costs : int or "all", default=10_000
            How many cost matrices are tried, as for `ROCFront.from_predictions`. This and the
            following options are for `X` and `y`.
        cost_alpha : float or array-like, default=1.0
            Parameter of the Dirichlet distribution that costs are drawn from.
        family : {"costs", "weights"}, default="costs"
            Whether each mistake has a cost of its own, or each class a weight.
        objectives : {"rates", "miss_rates", "false_alarms"}, default="rates"
            In what no member may dominate another.
        random_state : int, RandomState, Generator or None, default=None
            Draws the costs.
        ax : matplotlib.axes.Axes, default=None
            Where to draw; by default in a figure of its own.

        Returns
        -------
        display : ROCFrontDisplay
            With what was drawn.
        """
        require_matplotlib()
        name = type(estimator).__name__ if name is None else name
        check_request(kind=kind, name=name, chosen=chosen, others=others)
        options: DrawingOptions = {
            "n_costs": n_costs,
            "cost_alpha": cost_alpha,
            "family": family,
            "objectives": objectives,
            "random_state": random_state,
        }
        if X is None:
            data = {"y": y, "sample_weight": sample_weight}
            front = check_search(estimator, {**data, **options})
            chosen = getattr(estimator, "best_index_", None) if chosen is None else chosen
        else:
            classes = check_labelled(estimator, y, sample_weight, options)
            check_picture(classes, kind=kind, others=others, ax=ax)
            front = ROCFront.from_estimator(
                estimator, X, cast("ArrayLike", y), sample_weight=sample_weight, **options
            )
        return cls(front, kind=kind, name=name, chosen=chosen, others=others).plot(ax)

    def plot(
        self,
        ax: Axes | None = None,
        *,
        kind: FrontKind | None = None,
        method: VolumeMethod = "auto",
        n_samples: int = 100_000,
        random_state: Seed = 0,
    ) -> Self:
        """Draw.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Where to draw; by default in a figure of its own. The axes for "miss_rates" of three
            classes must be of the projection "3d"; "pairs" and "compare" divide them. In a
            figure with ``layout="constrained"`` legends beside axes have room.
        kind : str, default=None
            What is drawn, by default the `kind` of the display.
        method : {"auto", "exact", "monte_carlo"}, default="auto"
            How "compare" measures volumes, as for `ROCFront.gini`.
        n_samples : int, default=100_000
            Samples of each Monte Carlo estimate of "compare".
        random_state : int, RandomState, Generator or None, default=0
            Draws them, by default always the same ones.

        Returns
        -------
        display : ROCFrontDisplay
            Itself, with `ax_`, `figure_` and the artists.

        Examples
        --------
        >>> import matplotlib.pyplot as plt
        >>> from skvus import ROCFront
        >>> from skvus.plotting import ROCFrontDisplay
        >>> front = ROCFront.from_rates([[[.9, .1], [.4, .6]], [[.7, .3], [.1, .9]]])
        >>> display = ROCFrontDisplay(front).plot()
        >>> display.figure_ is display.ax_.figure
        True
        >>> plt.close(display.figure_)
        """
        require_matplotlib()
        check_measuring(method, n_samples, random_state)
        kind, view = self._view(kind, ax)
        compared = None
        if kind == "compare":
            table = comparison_table(view, method, n_samples, random_state)
            artists = draw_comparison(view, ax, table)
            compared = list(view.fronts.items()), table
        else:
            artists = _DRAWERS[kind](view, ax)
        self._forget()
        self._compared = compared
        self._drawn = ("kind_", "figure_", *artists)
        self.kind_ = kind
        self.figure_ = artists["ax_"].figure
        for name, artist in artists.items():
            setattr(self, name, artist)
        return self

    def frame(self, kind: FrontKind | None = None) -> pd.DataFrame:
        """The numbers that are drawn, as a table.

        Parameters
        ----------
        kind : str, default=None
            Of which kind of picture, by default the one that was drawn last, or would be.

        Returns
        -------
        frame : pandas.DataFrame
            "miss_rates", "parallel" and "pairs": a row for each member, with its rates, the
            class that most of its mistakes go to (missing if it makes none), and whether it is
            chosen. "distance": a row for each bar of each front. "compare": a row for each
            bar, with its standard error, as it was drawn last, or as `plot` would draw it if
            the fronts are others now.
        """
        pd = require_pandas()
        if kind is None:
            kind = getattr(self, "kind_", None)
        kind, view = self._view(kind)
        if kind != "compare":
            return pd.DataFrame(_TABLES[kind](view))
        fronts, table = getattr(self, "_compared", None) or (None, None)
        is_same = fronts == list(view.fronts.items())
        return pd.DataFrame(table if is_same else comparison_table(view))

    def __repr__(self) -> str:
        front, kind = self.front, getattr(self, "kind_", self.kind)
        if not isinstance(front, ROCFront):
            return f"ROCFrontDisplay({shorten(front)}, kind={kind!r})"
        number = len(front)
        parts = [f"kind={kind!r}"]
        if self.name is not None:
            parts.append(f"name={self.name!r}")
        points = f"{number:,} operating point{'' if number == 1 else 's'}"
        parts.append(f"{points} of {front.n_classes} classes")
        if self.others:
            parts.append(f"and {len(self.others)} more front{'s' * (len(self.others) > 1)}")
        return f"ROCFrontDisplay({', '.join(parts)})"

    def _view(self, kind, ax=None):
        """The kind of picture and what it shows, checked before any work is done."""
        if kind is None:
            kind = self.kind
        else:
            check_option("kind", kind, KINDS)
        check_front(self.front)
        options = {"name": self.name, "chosen": self.chosen, "others": self.others}
        check_request(kind=kind, **options)
        kind = check_picture(self.front.classes, kind=kind, others=self.others, ax=ax)
        return kind, make_view(self.front, **options)

    def _forget(self):
        """Take away the artists of another kind."""
        for name in getattr(self, "_drawn", ()):
            vars(self).pop(name, None)
