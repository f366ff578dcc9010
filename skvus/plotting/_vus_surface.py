"""VUSSurfaceDisplay: true rates over all class weightings as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike

from skvus._soft import check_soft_problem
from skvus._typing import Classifier, Seed
from skvus._validation import shorten
from skvus.metrics import InferenceResult, score_inference
from skvus.plotting._checks import check_fitted
from skvus.plotting._style import as_texts, check_given_axes, require_pandas
from skvus.plotting._surface_drawing import draw_curve, draw_mesh, is_narrow
from skvus.plotting._surface_geometry import make_surface, volume_below
from skvus.plotting._surface_view import (
    check_options,
    check_problem,
    check_true_rates,
    make_view,
)

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.legend import Legend
    from matplotlib.lines import Line2D


class VUSSurfaceDisplay:
    r"""Picture of the true rates of two or three classes over all class weightings.

    Each weighting :math:`\Phi` of the classes makes a crisp classifier,
    :math:`\arg\max_j \Phi_j p_j(x)`, with a true rate for each class. For three classes these
    make a surface in space [1]_ (Figures 2, 3), for two the ROC curve, with the true rate of
    the first class in place of the false positive rate. The volume below it is the simplified
    VUS, or the AUC.

    Make it with `from_predictions` or `from_estimator`, which draw at once, or with the
    constructor and `plot`.

    Parameters
    ----------
    true_rates : ndarray of shape (n_points, 2) or (n_lines, n_steps, 3)
        True rates at points of the curve, from (0, 1) to (1, 0), or at the points of a mesh.
    weights : ndarray of the same shape, default=None
        Class weights that lead to them.
    equal_weights : ndarray of shape (n_classes,), default=None
        True rates of the classifier with equal weights, to be marked.
    volume : InferenceResult, default=None
        The simplified VUS, for the title.
    classes : array-like of shape (n_classes,), default=None
        Labels, by default numbers.
    confidence_level : float, default=0.95
        Of the interval in the title.
    name : str, default=None
        Name of the classifier.

    Attributes
    ----------
    ax_ : matplotlib.axes.Axes
        The axes, of the projection "3d" for three classes.
    figure_ : matplotlib.figure.Figure
        The figure.
    surface_ : Poly3DCollection or matplotlib.lines.Line2D
        The surface, coloured by the mean of the true rates, or the curve.
    random_ : matplotlib.lines.Line2D
        Edge of random allocation, where the true rates sum to one.
    plane_ : Poly3DCollection
        Random allocation of three classes.
    below_ : matplotlib.collections.PolyCollection
        The area below the curve of two classes.
    equal_ : matplotlib.collections.PathCollection or None
        The mark of equal weights.
    colorbar_ : matplotlib.colorbar.Colorbar
        Scale of the colours, for three classes.
    legend_ : matplotlib.legend.Legend
        The legend.

    See Also
    --------
    simplified_vus_score : The volume below the surface.
    operating_rates : The rates of weightings of your own.
    ROCFrontDisplay : Operating points of any number of classes, over costs of each mistake.

    Notes
    -----
    The points of the mesh are operating points of all cases: on each line the weights of the
    first two classes are in proportion, and that of the third grows towards the top. They are
    placed so that equal shares of the cases change sides from one to the next. Those of two
    classes are all points of the ROC curve, or 2000 of them. What lies between is drawn
    straight, also where cases tie: calling any share of them either way is between, too.

    So `volume_below` tends to the score with ``ties="share"`` as steps get smaller. For two
    classes it is the same; for three with 30 or more cases each it is within 0.003 with 40
    steps, a fifth of that on average, and within 0.002 with 100; within 0.01 with ten cases,
    more where a few weights are all that matters. The volume in the title is the score itself.

    Weights cannot outweigh a score of zero. Beyond what they reach, cases are called as if
    zeros were a tiny positive number, the same for all, as the score has it.

    A million cases of three classes take about six seconds, half of them for the interval, and
    0.4 gigabytes.

    References
    ----------
    .. [1] T. C. W. Landgrebe, R. P. W. Duin, "A simplified volume under the ROC
       hypersurface", 2007.

    Examples
    --------
    >>> from skvus.datasets import make_ordered_gaussians
    >>> from skvus.plotting import VUSSurfaceDisplay
    >>> _, y, posteriors = make_ordered_gaussians(
    ...     300, return_posteriors=True, random_state=0
    ... )
    >>> display = VUSSurfaceDisplay.from_predictions(y, posteriors)
    >>> display
    VUSSurfaceDisplay(41 x 41 operating points of 3 classes, simplified VUS 0.533, ...)
    >>> round(display.volume_below, 2), round(display.volume.score, 2)
    (0.53, 0.53)
    """

    ax_: Axes
    figure_: Figure
    surface_: Any
    random_: Line2D
    plane_: Any
    below_: Any
    equal_: Any
    colorbar_: Any
    legend_: Legend

    def __init__(
        self,
        true_rates: ArrayLike,
        *,
        weights: ArrayLike | None = None,
        equal_weights: ArrayLike | None = None,
        volume: InferenceResult | None = None,
        classes: ArrayLike | None = None,
        confidence_level: float = 0.95,
        name: str | None = None,
    ) -> None:
        self.true_rates = true_rates
        self.weights = weights
        self.equal_weights = equal_weights
        self.volume = volume
        self.classes = classes
        self.confidence_level = confidence_level
        self.name = name

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_score: ArrayLike,
        *,
        n_steps: int = 40,
        confidence_level: float = 0.95,
        name: str | None = None,
        labels: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        n_tuples: int | None = 4_000_000,
        random_state: Seed = 0,
        n_jobs: int | None = None,
        ax: Axes | None = None,
    ) -> Self:
        """Draw the surface of scores.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            True labels, of cases that the classifier was not trained on.
        y_score : array-like of shape (n_samples, n_classes) or (n_samples,)
            Non-negative scores of two or three classes, usually probabilities, a column for
            each class in the order of `labels`. For two classes also any real score of the
            second class.
        n_steps : int, default=40
            Steps in each direction of the mesh of three classes, from 2 to 500.
        confidence_level : float, default=0.95
            Of the interval in the title, between 0 and 1.
        name : str, default=None
            Name of the classifier.
        labels : array-like of shape (n_classes,), default=None
            The classes in the order of the columns. By default the sorted labels of `y_true`.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the samples.
        n_tuples : int or None, default=4_000_000
            Tuples to draw for the volume in the title, as for `simplified_vus_score`, where
            there are too many to count them.
        random_state : int, RandomState, Generator or None, default=0
            Draws them, by default always the same ones.
        n_jobs : int or None, default=None
            Number of threads that count them.
        ax : matplotlib.axes.Axes, default=None
            Where to draw; by default in a figure of its own. Those for three classes must be of
            the projection "3d".

        Returns
        -------
        display : VUSSurfaceDisplay
            With what was drawn.
        """
        check_options(n_steps, confidence_level, name, n_tuples, random_state, n_jobs)
        problem = check_soft_problem(
            y_true, y_score, labels=labels, sample_weight=sample_weight
        )
        check_problem(problem)
        check_given_axes(ax, projection="3d" if problem.n_classes == 3 else None)
        surface = make_surface(problem, n_steps)
        volume = score_inference(
            y_true,
            y_score,
            score="simplified_vus",
            score_params={"n_tuples": n_tuples},
            labels=labels,
            sample_weight=sample_weight,
            random_state=random_state,
            n_jobs=n_jobs,
        )
        display = cls(
            surface.true_rates,
            weights=surface.weights,
            equal_weights=surface.equal,
            volume=volume,
            classes=problem.classes,
            confidence_level=confidence_level,
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
        n_steps: int = 40,
        confidence_level: float = 0.95,
        name: str | None = None,
        sample_weight: ArrayLike | None = None,
        n_tuples: int | None = 4_000_000,
        random_state: Seed = 0,
        n_jobs: int | None = None,
        ax: Axes | None = None,
    ) -> Self:
        """Draw the surface of a fitted classifier.

        Parameters
        ----------
        estimator : estimator
            A fitted classifier of two or three classes with `predict_proba`.
        X : array-like of shape (n_samples, n_features)
            Cases that it was not trained on.
        y : array-like of shape (n_samples,)
            Their true labels, every class of the classifier among them.
        n_steps : int, default=40
            Steps in each direction of the mesh of three classes, from 2 to 500.
        confidence_level : float, default=0.95
            Of the interval in the title, between 0 and 1.
        name : str, default=None
            Name of the classifier, by default that of its class.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the samples.
        n_tuples : int or None, default=4_000_000
            Tuples to draw for the volume in the title, as for `simplified_vus_score`, where
            there are too many to count them.
        random_state : int, RandomState, Generator or None, default=0
            Draws them, by default always the same ones.
        n_jobs : int or None, default=None
            Number of threads that count them.
        ax : matplotlib.axes.Axes, default=None
            Where to draw; by default in a figure of its own. Those for three classes must be of
            the projection "3d".

        Returns
        -------
        display : VUSSurfaceDisplay
            With what was drawn.

        Examples
        --------
        >>> import matplotlib.pyplot as plt
        >>> from sklearn.datasets import load_iris
        >>> from sklearn.linear_model import LogisticRegression
        >>> from skvus.plotting import VUSSurfaceDisplay
        >>> X, y = load_iris(return_X_y=True)
        >>> model = LogisticRegression().fit(X[::2, :2], y[::2])
        >>> display = VUSSurfaceDisplay.from_estimator(model, X[1::2, :2], y[1::2])
        >>> display.name
        'LogisticRegression'
        >>> plt.close(display.figure_)
        """
        check_options(n_steps, confidence_level, name, n_tuples, random_state, n_jobs)
        classes = check_fitted(estimator, y)
        none = np.zeros((np.shape(y)[0], classes.size))  # a prediction may take long
        check_problem(check_soft_problem(y, none, labels=classes, sample_weight=sample_weight))
        check_given_axes(ax, projection="3d" if classes.size == 3 else None)
        return cls.from_predictions(
            y,
            estimator.predict_proba(X),
            n_steps=n_steps,
            confidence_level=confidence_level,
            name=type(estimator).__name__ if name is None else name,
            labels=classes,
            sample_weight=sample_weight,
            n_tuples=n_tuples,
            random_state=random_state,
            n_jobs=n_jobs,
            ax=ax,
        )

    @property
    def volume_below(self) -> float:
        """Volume, or area, between the origin and what is drawn."""
        return volume_below(check_true_rates(self.true_rates))

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Where to draw; by default in a figure of its own. Those for three classes must be of
            the projection "3d".

        Returns
        -------
        display : VUSSurfaceDisplay
            Itself, with `ax_`, `figure_` and the artists.

        Examples
        --------
        >>> import matplotlib.pyplot as plt
        >>> from skvus.plotting import VUSSurfaceDisplay
        >>> y_true = [0, 0, 1, 1, 2, 2]
        >>> y_score = [[.8, .1, .1], [.4, .5, .1], [.2, .7, .1]]
        >>> y_score += [[.5, .4, .1], [.1, .2, .7], [.2, .5, .3]]
        >>> display = VUSSurfaceDisplay.from_predictions(y_true, y_score)
        >>> plt.close(display.figure_)
        >>> display.plot().figure_ is display.ax_.figure
        True
        >>> plt.close(display.figure_)
        """
        view = self._view()
        draw = draw_curve if view.true_rates.ndim == 2 else draw_mesh
        artists = draw(ax, view.true_rates, view.equal_weights, view.classes)
        artists["ax_"].set_title(self._title(view, is_narrow(artists["ax_"])))
        self.figure_ = artists["ax_"].figure
        for name, artist in artists.items():
            setattr(self, name, artist)
        return self

    def frame(self) -> pd.DataFrame:
        """The numbers that are drawn, as a table.

        Returns
        -------
        frame : pandas.DataFrame
            A row for each operating point, with its weights, as far as they are known, its true
            rates and their mean. Points of three classes are numbered by line and step.

        Examples
        --------
        >>> import matplotlib.pyplot as plt
        >>> from skvus.plotting import VUSSurfaceDisplay
        >>> y_true = [0, 0, 1, 1, 2, 2]
        >>> y_score = [[.8, .1, .1], [.4, .5, .1], [.2, .7, .1]]
        >>> y_score += [[.5, .4, .1], [.1, .2, .7], [.2, .5, .3]]
        >>> display = VUSSurfaceDisplay.from_predictions(y_true, y_score)
        >>> display.frame().columns[:5].tolist()
        ['line', 'step', 'weight 0', 'weight 1', 'weight 2']
        >>> plt.close(display.figure_)
        """
        pd = require_pandas()
        view = self._view()
        names = [str(label) for label in view.classes]
        columns = {}
        if view.true_rates.ndim == 3:
            lines_and_steps = np.indices(view.true_rates.shape[:2])
            columns["line"], columns["step"] = map(np.ravel, lines_and_steps)
        flat = view.true_rates.reshape(-1, len(names))
        if view.weights is not None:
            weights = view.weights.reshape(flat.shape)
            columns |= {f"weight {name}": w for name, w in zip(names, weights.T, strict=True)}
        columns |= {f"true rate {name}": r for name, r in zip(names, flat.T, strict=True)}
        return pd.DataFrame(columns | {"mean true rate": flat.mean(axis=1)})

    def __repr__(self) -> str:
        parts = [] if self.name is None else [f"name={self.name!r}"]
        try:
            parts.append(self._view().text)
        except (TypeError, ValueError):  # plot will say why
            parts.append(shorten(self.true_rates))
        return f"VUSSurfaceDisplay({', '.join(parts)})"

    def _view(self):
        """What is to be drawn, checked."""
        return make_view(
            self.true_rates,
            weights=self.weights,
            equal_weights=self.equal_weights,
            volume=self.volume,
            classes=self.classes,
            confidence_level=self.confidence_level,
            name=self.name,
        )

    def _title(self, view, is_narrow):
        lines = [] if self.name is None else as_texts([self.name], 60)
        if view.volume is None:
            lines.append(f"True rates of {len(view.classes)} classes")
        else:
            lines.append(view.volume_text("\n(" if is_narrow else " (") + ")")
        return "\n".join(lines)
