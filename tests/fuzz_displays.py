"""Displays and pages for the fuzzer: what is drawn at random is looked at, then closed."""

import copy
from functools import cache

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from fuzz_estimators import MODELS
from fuzz_oracle import expect
from fuzz_parameters import (
    class_costs,
    class_weights,
    fitted,
    fitted_estimator,
    front,
    known_labels,
    one_of,
    rule,
)
from fuzz_registry import register
from hypothesis import strategies as st

import skvus
from skvus import datasets, plotting

KINDS = ("auto", "miss_rates", "parallel", "pairs", "distance", "compare")


def axes(draw, problem):
    """Axes of all sorts, and what are none."""
    kind = draw(st.sampled_from([None, None, None, "flat", "3d", "polar", "array", "nonsense"]))
    if kind in (None, "nonsense"):
        return kind
    plt.close("all")
    if kind == "array":
        return plt.subplots(1, 2)[1]
    return plt.subplots(subplot_kw={} if kind == "flat" else {"projection": kind})[1]


def looked_at(display, keywords, caught):
    """Its picture can be drawn, its numbers read, itself copied."""
    try:
        repr(display)
        expect(display.ax_.figure is not None, "no figure", display)
        display.figure_.canvas.draw()
        table = display.frame()
        expect(isinstance(table, pd.DataFrame) and len(table) > 0, "no numbers", display)
    finally:
        plt.close("all")


def others(draw, problem):
    """Other fronts by name, mostly none."""
    if draw(st.integers(0, 2)):
        return None
    return {"other": front(draw, problem)}


DRAWN = {
    "ax": axes,
    "y": known_labels,
    "estimator": fitted_estimator,
    "kind": one_of(*KINDS),
    "name": one_of(None, "a", "", "$x$", "_hidden", "n" * 200),
    "chosen": lambda draw, problem: draw(st.sampled_from([None, rule(draw, problem)])),
    "others": others,
    "method": one_of("auto", "monte_carlo"),
    "n_steps": one_of(5, 2, np.int8(3)),
    "weights": lambda draw, problem: draw(
        st.sampled_from([None, None, class_weights(draw, problem)])
    ),
    "cost_matrix": lambda draw, problem: draw(
        st.sampled_from([None, None, class_costs(draw, problem)])
    ),
    "classes": lambda draw, problem: draw(
        st.sampled_from([None, problem.classes[:3], problem.classes[:2].tolist()])
    ),
    "max_points": one_of(20_000, 1, np.int8(5)),
    "x": one_of("generation", "evaluations", "seconds"),
    "n_samples": one_of(2048, 100, None),
}
WORDS = (
    "VUSSurfaceDisplay",
    "X",
    "front",
    "y_true",
    "y_score",
    "estimator",
    "predict_proba",
    "cost_matrix",
)


for _name in ("ROCFrontDisplay", "VUSSurfaceDisplay", "ProbabilitySimplexDisplay"):
    _display = getattr(plotting, _name)
    for _way in ("from_predictions", "from_estimator"):
        register(
            f"plotting.{_name}.{_way}",
            getattr(_display, _way),
            looked_at,
            delegates=True,
            words=WORDS,
            **DRAWN,
        )


@cache
def _searches():
    X, y = datasets.make_ripley_mixture(60, random_state=0)
    search = MODELS["ParetoROCSearch"]()
    return [search.fit(X, y), copy.deepcopy(search).set_params(n_islands=2).fit(X, y)]


def _search(draw, problem):
    return draw(st.sampled_from(_searches()))


def _logbook(draw, problem):
    logbook = _search(draw, problem).logbook_
    rows = [dict(row) for row in logbook]
    return draw(st.sampled_from([logbook, rows, pd.DataFrame(rows), rows[:1]]))


_CONVERGENCE = {**DRAWN, "others": lambda draw, problem: None}
register(
    "plotting.ScoreConvergenceDisplay.from_estimator",
    plotting.ScoreConvergenceDisplay.from_estimator,
    looked_at,
    **_CONVERGENCE | {"estimator": _search},
)
register(
    "plotting.ScoreConvergenceDisplay.from_logbook",
    plotting.ScoreConvergenceDisplay.from_logbook,
    looked_at,
    words=("row", "column"),
    logbook=_logbook,
    **_CONVERGENCE,
)


def a_display(name):
    """Parameter that is a display which was not drawn."""

    def make(draw, problem):
        if name == "ROCFrontDisplay":
            return plotting.ROCFrontDisplay(front(draw, problem))
        if name == "ScoreConvergenceDisplay":
            return plotting.ScoreConvergenceDisplay(_logbook(draw, problem))
        rng = problem.rng(9)
        points = rng.dirichlet(np.ones(3), size=4)
        if name == "ProbabilitySimplexDisplay":
            return plotting.ProbabilitySimplexDisplay(points, np.array([0, 1, 2, 0]))
        return plotting.VUSSurfaceDisplay(points.reshape(2, 2, 3))

    return make


for _name in plotting.__all__:
    _display = getattr(plotting, _name)
    register(f"plotting.{_name}", lambda self: repr(self), self=a_display(_name))
    register(
        f"plotting.{_name}.plot",
        _display.plot,
        looked_at,
        words=WORDS,
        **DRAWN,
        self=a_display(_name),
    )
    register(
        f"plotting.{_name}.frame",
        _display.frame,
        words=WORDS,
        **DRAWN,
        self=a_display(_name),
    )


def is_page(path, keywords, caught):
    """A complete page."""
    text = path.read_text()
    expect(text.startswith("<!DOCTYPE html>"), "no page", path)
    expect(text.rstrip().endswith("</html>"), "half a page", path)


TITLES = one_of(None, "", "a title", "</script><script>", "\ud800", "t" * 10**4)
register(
    "ROCFront.explore",
    skvus.ROCFront.explore,
    is_page,
    words=("front", "limits", "cost_matrix"),
    delegates=True,  # rules may be anybody's
    title=TITLES,
    self=front,
)
register(
    "ParetoROCSearch.report",
    skvus.ParetoROCSearch.report,
    is_page,
    title=TITLES,
    self=fitted(MODELS["ParetoROCSearch"]),
)
