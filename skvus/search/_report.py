"""The page of a search: its front, where the page starts, and how all was found."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_is_fitted

from skvus._typing import FilePath
from skvus._validation import one_line
from skvus.front._explore import params_text, write_page
from skvus.front._priorities import WithinLimits
from skvus.front._rules import LeastCost, Rule, as_rule
from skvus.search._data import is_share

_LONGEST = 400
_EVOLVED = {
    "costs": "costs alone; the classifier is fitted once",
    "params": "costs and hyperparameters",
    "weights": "costs and the fitted weights",
}
_TOLD_IF_CHANGED = (
    "objectives",
    "n_costs",
    "n_initial",
    "n_offspring",
    "cost_alpha",
    "cost_proposal",
    "step",
    "step_scale",
    "selection",
    "toolbox",
    "error_score",
    "max_time",
    "max_front_size",
)


class SearchReport:
    """The page of a search; a part of `ParetoROCSearch`."""

    def report(self, path: FilePath, *, title: str | None = None) -> Path:
        """Write a page to explore `front_` in a browser, with how it was found.

        Parameters
        ----------
        path : str or path-like
            The HTML file to write. An existing file is replaced, when the new one is complete.
        title : str, default=None
            Heading of the page, by default the class of `estimator`, or of the last step of a
            pipeline, and the number of classes.

        Returns
        -------
        path : pathlib.Path
            The file.

        See Also
        --------
        ROCFront.explore : The same page for any front, and what it has.
        ParetoROCSearch.set_operating_point : What the page gives the code for.

        Notes
        -----
        The page starts with the chosen member: with the limits and costs that chose it, if
        these did, else picked by hand. That of a search which was broken off before a choice
        starts with the member most distant from random allocation.

        The texts of `estimator` and of the options that decided the result are part of the
        page; data are not, but for the rates, counts and parameters of all members.

        Examples
        --------
        >>> import tempfile
        >>> from pathlib import Path
        >>> from sklearn.datasets import load_iris
        >>> from sklearn.naive_bayes import GaussianNB
        >>> from skvus import ParetoROCSearch
        >>> X, y = load_iris(return_X_y=True)
        >>> search = ParetoROCSearch(GaussianNB(), n_generations=10, random_state=0)
        >>> search = search.fit(X[:, :2], y)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     search.report(Path(folder) / "search.html").name
        'search.html'
        """
        check_is_fitted(self, "front_")
        if title is None:
            name = type(_last_step(self.estimator)).__name__
            title = f"{name}: trade-offs of {self.front_.n_classes} classes"
        index = getattr(self, "best_index_", None)
        rule, _ = getattr(self, "_chosen_by", (None, None))
        start = "distance" if index is None else index
        return write_page(
            self.front_,
            path,
            rule=start if rule is None else rule,
            title=title,
            notes=_notes(self, self._judged, self._log_columns),
            maker="search",
            gini=getattr(self, "_gini", None),  # else it is measured after all checks
        )


def _last_step(estimator):
    return estimator.steps[-1][1] if isinstance(estimator, Pipeline) else estimator


def remembered_choice(rule):
    """What a search keeps of a rule: itself, if a page shows it and files hold it; its text."""
    rule = as_rule(rule)
    return (rule if _is_plain(rule) else None), rule_text(rule)


def rule_text(rule):
    """A rule as text that is the same in all processes."""
    if isinstance(rule, (str, Rule)):
        return text_of(rule)
    if isinstance(rule, int):
        return f"its index, {rule}"
    return f"the function {getattr(rule, '__qualname__', type(rule).__name__)}"


def _is_plain(rule):
    if type(rule) is WithinLimits:
        return rule.confidence is None and _is_plain(rule.then)
    return type(rule) is LeastCost or (isinstance(rule, str) and rule == "distance")


def text_of(value):
    """Anything as one line, without what differs from process to process."""
    if hasattr(value, "dist") and hasattr(value, "args"):  # a frozen distribution
        given = [one_line(x) for x in value.args]
        given += [f"{name}={one_line(x)}" for name, x in getattr(value, "kwds", {}).items()]
        text = f"{getattr(value.dist, 'name', 'distribution')}({', '.join(given)})"
    else:
        return one_line(value, _LONGEST)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


# --- how it was found ---------------------------------------------------------------


def _notes(search, judged, log):
    """Terms and texts."""
    notes = [("Classifier", text_of(search.estimator)), *_chosen_notes(search)]
    notes.append(("Evolved", _EVOLVED[judged["evolve"]]))
    notes += _distribution_notes(search.param_distributions)
    generations = f"{search.n_generations_:,} of {search.n_generations:,}"
    notes += [
        ("Generations", generations + (", interrupted" if search.interrupted_ else "")),
        ("Operating points evaluated", f"{search.n_evaluations_:,}"),
        ("Operating points kept", _kept_text(search)),
        ("Rates from", _cv_text(search.cv, len(judged["sizes"]))),
        ("Random state", _random_state_text(search.random_state)),
        ("Time", f"{max(log['seconds']):.3g} seconds"),
    ]
    if search.n_islands > 1:
        sizes = ", ".join(f"{len(front):,}" for front in search.island_fronts_)
        notes.append(("Islands", f"{search.n_islands}, whose fronts have {sizes} points"))
    changed = _changed_options(search)
    return [*notes, ("Other options", changed)] if changed else notes


def _chosen_notes(search):
    """What is chosen, by what, and the classifier that follows."""
    if not hasattr(search, "best_index_"):
        return [("Chosen", "nothing yet: the search ended before a choice")]
    _, text = getattr(search, "_chosen_by", (None, None))
    by = "" if text is None else f", by {text}"
    notes = [("Chosen", f"operating point {search.best_index_:,}{by}")]
    if search.best_params_:
        notes.append(("Parameters of the chosen one", params_text(search.best_params_)))
    if not hasattr(search, "best_estimator_"):
        notes.append(("Final classifier", "none, since refit=False"))
    return notes


def _distribution_notes(given):
    parts = [given] if isinstance(given, Mapping) else given or []
    return [
        (f"Values of {name}", text_of(values))
        for part in parts
        for name, values in part.items()
    ]


def _kept_text(search):
    text = f"{len(search.front_):,}"
    worst = float(np.max(search.front_resolution_, initial=0.0))
    if worst:
        text += f"; none that was found is more than {worst:.3g} better in any objective"
    return text


def _cv_text(cv, n_splits):
    if isinstance(cv, str):
        texts = {
            "prefit": "validation data; the classifier was fitted before",
            "resubstitution": "the training data themselves, which flatters most classifiers",
        }
        return texts[cv]
    if is_share(cv):
        return f"a hold-out set, {float(cv):.0%} of the cases"
    if cv is None or isinstance(cv, (int, np.integer)):
        return f"{n_splits}-fold cross-validation, out of fold"
    splits = f"{n_splits} split{'' if n_splits == 1 else 's'}"
    return f"{splits} of {text_of(cv)}" if hasattr(cv, "split") else f"{splits} that were given"


def _random_state_text(random_state):
    if random_state is None:
        return "not set: another run finds other points"
    if isinstance(random_state, (int, np.integer)):
        return str(random_state)
    return f"a {type(random_state).__name__}"


def _changed_options(search):
    """Options that decide the result and are not as they come."""
    defaults = inspect.signature(type(search)).parameters
    texts = {name: text_of(getattr(search, name)) for name in _TOLD_IF_CHANGED}
    return ", ".join(
        f"{name}={text}"
        for name, text in texts.items()
        if name in defaults and text != text_of(defaults[name].default)
    )
