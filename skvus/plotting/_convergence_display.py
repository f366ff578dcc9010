"""ScoreConvergenceDisplay: how a search came to its front."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self

from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from skvus._typing import Abscissa, Log
from skvus._validation import shorten
from skvus.plotting._convergence import check_request, make_view
from skvus.plotting._convergence_lines import draw_progress
from skvus.search import ParetoROCSearch
from skvus.search._following import N_SAMPLES

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.legend import Legend


class ScoreConvergenceDisplay:
    """Picture of how a search came to its front.

    Make it with `from_estimator` or `from_logbook`, which draw at once, or with the
    constructor and `plot`. Panels, one below the other, have the number of members, the
    generalised Gini coefficient, and the operating points that were evaluated each second.

    Parameters
    ----------
    logbook : logbook, list of dict, dict or DataFrame
        The `logbook_` of a search, or its rows or columns: "generation", and what there is of
        "evaluations" and "seconds" since the start, "size", "gini" with its standard error
        "gini_std", and "island". Numbers that were not measured are None or nan.
    x : {"generation", "evaluations", "seconds"}, default="generation"
        What progress is shown along.
    name : str, default=None
        Name of the search.
    others : dict of str to ParetoROCSearch or logbook, default=None
        Other searches by name.
    n_samples : int or None, default=2048
        Number of samples that G was estimated from, for rows without "gini_std"; None if G is
        exact.

    Attributes
    ----------
    ax_ : matplotlib.axes.Axes
        The place of the panels.
    axes_ : ndarray of Axes
        The panels, of those that there are numbers for.
    figure_ : matplotlib.figure.Figure
        The figure.
    size_lines_, gini_lines_, speed_lines_ : list of matplotlib.lines.Line2D
        A line for each island of each search; of speed, for each search.
    gini_bands_ : list of matplotlib.collections.Collection
        The 95% limits of G, of each island with an estimate.
    legend_ : matplotlib.legend.Legend or None
        The legend, where there are several lines.

    See Also
    --------
    ROCFrontDisplay : The front that was found.
    ParetoROCSearch : The search, and its `logbook_`.

    Notes
    -----
    Each island has a line of its own: fronts of islands are merged in the end, and until then
    nobody knows how many members they have together. Evaluations, seconds and speed are those
    of all islands, so that searches with different numbers of islands compare by equal
    budgets. Speed is a mean over the last twentieth of all generations.

    A search estimates G from 2,048 samples, the same for all searches of as many classes.
    Limits are those of a binomial share (Clopper and Pearson). From four classes on G may be
    too small for that; `ParetoROCSearch.gini_` is more precise.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from skvus import ParetoROCSearch
    >>> from skvus.plotting import ScoreConvergenceDisplay
    >>> X, y = load_iris(return_X_y=True)
    >>> search = ParetoROCSearch(GaussianNB(), n_generations=20, random_state=0)
    >>> search = search.fit(X[:, :2], y)
    >>> display = ScoreConvergenceDisplay.from_estimator(search)
    >>> display
    ScoreConvergenceDisplay(name='ParetoROCSearch', 20 generations, 2,100 evaluations)
    >>> display.frame()["evaluations"].tolist()[:3]
    [100.0, 200.0, 300.0]
    """

    ax_: Axes
    axes_: NDArray[Any]
    figure_: Figure
    size_lines_: list[Any]
    gini_lines_: list[Any]
    speed_lines_: list[Any]
    gini_bands_: list[Any]
    legend_: Legend | None

    def __init__(
        self,
        logbook: Log,
        *,
        x: Abscissa = "generation",
        name: str | None = None,
        others: Mapping[str, ParetoROCSearch | Log] | None = None,
        n_samples: int | None = N_SAMPLES,
    ) -> None:
        self.logbook = logbook
        self.x = x
        self.name = name
        self.others = others
        self.n_samples = n_samples

    @classmethod
    def from_estimator(
        cls,
        estimator: ParetoROCSearch,
        *,
        x: Abscissa = "generation",
        name: str | None = None,
        others: Mapping[str, ParetoROCSearch | Log] | None = None,
        ax: Axes | None = None,
    ) -> Self:
        """Draw the progress of a search.

        Parameters
        ----------
        estimator : ParetoROCSearch
            A fitted search, also one that was interrupted.
        x : {"generation", "evaluations", "seconds"}, default="generation"
            What progress is shown along.
        name : str, default=None
            Name of the search, by default that of its class.
        others : dict of str to ParetoROCSearch or logbook, default=None
            Other searches by name.
        ax : matplotlib.axes.Axes, default=None
            Where to draw; by default in a figure of its own.

        Returns
        -------
        display : ScoreConvergenceDisplay
            With what was drawn.
        """
        if not isinstance(estimator, ParetoROCSearch):
            raise TypeError(
                f"estimator must be a fitted ParetoROCSearch; got {shorten(estimator)}."
            )
        check_is_fitted(estimator)
        name = type(estimator).__name__ if name is None else name
        check_request(x=x, name=name, others=others, n_samples=N_SAMPLES)
        return cls.from_logbook(estimator.logbook_, x=x, name=name, others=others, ax=ax)

    @classmethod
    def from_logbook(
        cls,
        logbook: Log,
        *,
        x: Abscissa = "generation",
        name: str | None = None,
        others: Mapping[str, ParetoROCSearch | Log] | None = None,
        n_samples: int | None = N_SAMPLES,
        ax: Axes | None = None,
    ) -> Self:
        """Draw the progress that a logbook tells of.

        Parameters
        ----------
        logbook : logbook, list of dict, dict or DataFrame
            As for `ScoreConvergenceDisplay`.
        x : {"generation", "evaluations", "seconds"}, default="generation"
            What progress is shown along.
        name : str, default=None
            Name of the search.
        others : dict of str to ParetoROCSearch or logbook, default=None
            Other searches by name.
        n_samples : int or None, default=2048
            Number of samples that G was estimated from; None if it is exact.
        ax : matplotlib.axes.Axes, default=None
            Where to draw; by default in a figure of its own.

        Returns
        -------
        display : ScoreConvergenceDisplay
            With what was drawn.

        Examples
        --------
        >>> import matplotlib.pyplot as plt
        >>> from sklearn.datasets import load_iris
        >>> from sklearn.naive_bayes import GaussianNB
        >>> from skvus import ParetoROCSearch
        >>> from skvus.plotting import ScoreConvergenceDisplay
        >>> X, y = load_iris(return_X_y=True)
        >>> search = ParetoROCSearch(GaussianNB(), n_generations=10, random_state=0)
        >>> search = search.fit(X[:, :2], y)
        >>> display = ScoreConvergenceDisplay.from_logbook(search.logbook_)
        >>> len(display.frame())
        11
        >>> plt.close(display.figure_)
        """
        return cls(logbook, x=x, name=name, others=others, n_samples=n_samples).plot(ax=ax)

    def plot(self, ax: Axes | None = None, *, x: Abscissa | None = None) -> Self:
        """Draw.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Where to draw, in panels that divide it; by default in a figure of its own.
        x : {"generation", "evaluations", "seconds"}, default=None
            What progress is shown along, by default the `x` of the display.

        Returns
        -------
        display : ScoreConvergenceDisplay
            Itself, with `ax_`, `axes_`, `figure_` and the artists.

        Examples
        --------
        >>> import matplotlib.pyplot as plt
        >>> from sklearn.datasets import load_iris
        >>> from sklearn.naive_bayes import GaussianNB
        >>> from skvus import ParetoROCSearch
        >>> from skvus.plotting import ScoreConvergenceDisplay
        >>> X, y = load_iris(return_X_y=True)
        >>> search = ParetoROCSearch(GaussianNB(), n_generations=10, random_state=0)
        >>> search = search.fit(X[:, :2], y)
        >>> display = ScoreConvergenceDisplay.from_estimator(search)
        >>> display.plot(x="seconds").ax_.get_xlabel()
        ''
        >>> plt.close("all")
        """
        artists = draw_progress(self._view(x), ax)
        self.figure_ = artists["ax_"].figure
        for name, artist in artists.items():
            setattr(self, name, artist)
        return self

    def frame(self) -> pd.DataFrame:
        """The numbers that are drawn, as a table.

        Returns
        -------
        frame : pandas.DataFrame
            A row for each generation of each island of each search. "evaluations",
            "seconds" and "evaluations per second" are those of all islands; "gini low" and
            "gini high" are 95% limits.
        """
        import pandas as pd

        tables = [
            {"search": name, **progress.table}
            for name, progress in self._view(None).searches.items()
        ]
        return pd.concat(map(pd.DataFrame, tables), ignore_index=True)

    def __repr__(self) -> str:
        parts = [] if self.name is None else [f"name={self.name!r}"]
        try:
            searches = self._view(None).searches
        except (TypeError, ValueError):  # plot will say why
            return f"ScoreConvergenceDisplay({', '.join([shorten(self.logbook), *parts])})"
        first, *others = searches.values()
        parts.append(first.text)
        if others:
            parts.append(f"and {len(others)} more search{'es' * (len(others) > 1)}")
        return f"ScoreConvergenceDisplay({', '.join(parts)})"

    def _view(self, x):
        return make_view(
            self.logbook,
            x=self.x if x is None else x,
            name=self.name,
            others=self.others,
            n_samples=self.n_samples,
        )
