"""Progress of searches as pictures: what is read from logbooks, and what is drawn."""

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_rgb
from scipy import stats
from scipy.stats import loguniform
from search_cases import Interrupted, quick
from sklearn.exceptions import NotFittedError
from sklearn.naive_bayes import GaussianNB

from skvus.plotting import ScoreConvergenceDisplay

mpl.use("Agg")
import matplotlib.pyplot as plt

SPEED = "evaluations per second"


@pytest.fixture(autouse=True)
def figures_are_closed():
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def search(wine):
    return quick(n_generations=45).fit(*wine)


@pytest.fixture(scope="module")
def archipelago(wine):
    return quick(n_generations=6, n_islands=3).fit(*wine)


def rows_of(search):
    return [dict(row) for row in search.logbook_]


def drawn(line):
    return np.column_stack([line.get_xdata(), line.get_ydata()])


def labels_of(legend):
    return [text.get_text() for text in legend.get_texts()]


# --- what is drawn ------------------------------------------------------------------


def test_lines_are_the_logbook(search):
    display = ScoreConvergenceDisplay.from_estimator(search)
    book = pd.DataFrame(rows_of(search))
    assert len(display.axes_) == 3
    for name, panel, lines in (
        ("size", 0, display.size_lines_),
        ("gini", 1, display.gini_lines_),
    ):
        (line,) = lines
        assert line.axes is display.axes_[panel]
        np.testing.assert_array_equal(drawn(line), book[["generation", name]])
    (line,) = display.speed_lines_
    assert line.axes is display.axes_[2]
    assert len(line.get_xdata()) == 46
    assert display.legend_ is None
    assert display.figure_ is display.ax_.figure
    first, *others = display.axes_
    assert all(first.get_shared_x_axes().joined(first, other) for other in others)
    assert first.get_title() == "ParetoROCSearch: 45 generations, 460 evaluations"
    assert display.axes_[2].get_xlabel() == "generation"
    assert "95%" in display.axes_[1].get_ylabel()
    assert first.get_xlabel() == ""


@pytest.mark.parametrize("x", ["generation", "evaluations", "seconds"])
def test_along_what_can_be_chosen(search, x):
    display = ScoreConvergenceDisplay.from_estimator(search, x=x)
    book = pd.DataFrame(rows_of(search))
    for line in (*display.size_lines_, *display.gini_lines_, *display.speed_lines_):
        np.testing.assert_array_equal(line.get_xdata(), book[x])
    again = ScoreConvergenceDisplay(search.logbook_).plot(x=x)
    np.testing.assert_array_equal(again.size_lines_[0].get_xdata(), book[x])


def test_band_is_that_of_a_share(search):
    display = ScoreConvergenceDisplay.from_estimator(search)
    frame = display.frame()
    for row in frame.iloc[[0, 20, 45]].itertuples():
        result = stats.binomtest(round(row.gini * 2048), 2048)
        limits = result.proportion_ci(0.95, method="exact")
        found = frame.loc[row.Index, ["gini low", "gini high"]].to_numpy(float)
        np.testing.assert_allclose(found, [limits.low, limits.high], rtol=1e-9)
    (band,) = display.gini_bands_
    ends = band.get_paths()[0].get_extents()
    assert ends.y0 == pytest.approx(frame["gini low"].min())
    assert ends.y1 == pytest.approx(frame["gini high"].max())


def test_band_of_standard_errors_or_none():
    rows = {"generation": [0, 1, 2], "gini": [0.2, 0.5, 0.999], "gini_std": [0.1, None, 0.01]}
    frame = ScoreConvergenceDisplay(rows, n_samples=None).frame()
    reach = stats.norm.ppf(0.975)
    low, high = frame["gini low"], frame["gini high"]
    np.testing.assert_allclose(low, [0.2 - 0.1 * reach, np.nan, 0.999 - 0.01 * reach])
    np.testing.assert_allclose(high, [0.2 + 0.1 * reach, np.nan, 1.0])
    exact = {"generation": [0, 1, 2], "gini": [0.2, 0.5, 0.999]}
    display = ScoreConvergenceDisplay.from_logbook(exact, n_samples=None)
    assert display.gini_bands_ == []
    assert "95%" not in display.axes_[0].get_ylabel()
    few = ScoreConvergenceDisplay(exact, n_samples=10).frame()
    many = ScoreConvergenceDisplay(exact, n_samples=10_000).frame()
    assert (few["gini high"] - few["gini low"] > many["gini high"] - many["gini low"]).all()


def test_speed_by_hand():
    rows = {
        "generation": range(5),
        "evaluations": [10, 30, 40, 40, 90],
        "seconds": [2.0, 3.0, 3.5, 3.5, 13.5],
    }
    frame = ScoreConvergenceDisplay(rows).frame()
    np.testing.assert_allclose(frame[SPEED], [5.0, 20.0, 20.0, np.nan, 5.0])


def test_speed_is_a_mean_over_a_few_generations():
    took = np.tile([0.1, 1.9], 50)  # of 100 generations
    rows = {
        "generation": np.arange(100),
        "evaluations": 10 * np.arange(1, 101),
        "seconds": np.cumsum(took),
    }
    speed = ScoreConvergenceDisplay(rows).frame()[SPEED]
    np.testing.assert_allclose(speed[6:], 10.0, rtol=0.25)


@pytest.mark.parametrize("n_generations", [0, 1])
def test_searches_of_next_to_no_generations(wine, n_generations):
    search = quick(n_generations=n_generations).fit(*wine)
    display = ScoreConvergenceDisplay.from_estimator(search)
    for lines in (display.size_lines_, display.gini_lines_, display.speed_lines_):
        (line,) = lines
        assert len(line.get_xdata()) == n_generations + 1
        assert line.get_markevery() is None
    assert len(display.gini_bands_) == 1
    low, high = display.axes_[0].get_xlim()
    assert low < 0 <= n_generations < high
    words = "0 generations, 10" if n_generations == 0 else "1 generation, 20"
    assert repr(display) == (
        f"ScoreConvergenceDisplay(name='ParetoROCSearch', {words} evaluations)"
    )
    display.figure_.draw_without_rendering()


def test_searches_that_were_broken_off(wine):
    Interrupted.n_fits, Interrupted.at = 0, 40
    search = quick(
        Interrupted(),
        {"var_smoothing": loguniform(1e-9, 1)},
        n_generations=50,
        n_initial=5,
        on_interrupt="keep",
    )
    with pytest.warns(UserWarning, match="Interrupted"):
        search.fit(*wine)
    assert 0 < search.n_generations_ < 50
    display = ScoreConvergenceDisplay.from_estimator(search)
    assert display.size_lines_[0].get_xdata()[-1] == search.n_generations_
    assert display.size_lines_[0].get_ydata()[-1] == len(search.front_)


def test_searches_that_ended_at_their_start(wine):
    search = quick(
        param_distributions={"var_smoothing": loguniform(1e-9, 1)}, n_initial=20, max_time=0.0
    )
    with pytest.warns(UserWarning, match="ended the search at its start"):
        search.fit(*wine)
    display = ScoreConvergenceDisplay.from_estimator(search)
    assert drawn(display.size_lines_[0]).tolist() == [[0, len(search.front_)]]


# --- islands ------------------------------------------------------------------------


def test_islands_have_lines_of_their_own(archipelago):
    display = ScoreConvergenceDisplay.from_estimator(archipelago)
    book = pd.DataFrame(rows_of(archipelago))
    for name, lines in (("size", display.size_lines_), ("gini", display.gini_lines_)):
        assert len(lines) == 3
        for island, line in enumerate(lines):
            own = book[book["island"] == island]
            np.testing.assert_array_equal(drawn(line), own[["generation", name]])
    assert len({line.get_color() for line in display.size_lines_}) == 3
    assert len(display.gini_bands_) == 3
    assert labels_of(display.legend_) == ["island 0", "island 1", "island 2", "all islands"]


def test_islands_share_evaluations_and_time(archipelago):
    display = ScoreConvergenceDisplay.from_estimator(archipelago, x="evaluations")
    frame = display.frame()
    book = pd.DataFrame(rows_of(archipelago))
    together = book.groupby("generation")
    for _, own in frame.groupby("island"):
        np.testing.assert_array_equal(own["evaluations"], together["evaluations"].sum())
        np.testing.assert_array_equal(own["seconds"], together["seconds"].max())
    assert frame["evaluations"].max() == archipelago.n_evaluations_
    (line,) = display.speed_lines_
    assert len(line.get_xdata()) == 7
    np.testing.assert_array_equal(
        display.size_lines_[2].get_xdata(), together["evaluations"].sum()
    )


def test_islands_that_found_nothing_are_not_there():
    book = [
        {"island": island, "generation": generation, "evaluations": 10, "size": 5}
        for generation in range(3)
        for island in (0, 2)
    ]
    display = ScoreConvergenceDisplay.from_logbook(book)
    assert labels_of(display.legend_) == ["island 0", "island 2"]
    assert len(display.axes_) == 1
    assert display.frame()["evaluations"].tolist() == [20.0] * 6


def test_many_islands_look_alike(wine):
    search = quick(n_generations=2, n_islands=9).fit(*wine)
    display = ScoreConvergenceDisplay.from_estimator(search)
    assert len(display.size_lines_) == 9
    assert len({line.get_color() for line in display.size_lines_}) == 1
    assert "9 islands" in display.axes_[0].get_title()
    assert "of 9 islands" in repr(display)


# --- several searches ---------------------------------------------------------------


def test_several_searches(search, archipelago):
    others = {"islands": archipelago, "_log $x$": search.logbook_}
    display = ScoreConvergenceDisplay.from_estimator(search, name="own", others=others)
    assert len(display.size_lines_) == 1 + 3 + 1
    assert len(display.speed_lines_) == 3
    labels = labels_of(display.legend_)
    assert labels[:2] == ["own", "islands: 3 islands"]
    assert labels[2].endswith("_log \\$x\\$")
    assert display.axes_[0].get_title() == "Progress of 3 searches"
    frame = display.frame()
    assert frame["search"].unique().tolist() == ["own", "islands", "_log $x$"]
    counts = frame.groupby("search").size()
    assert counts.to_dict() == {"own": 46, "islands": 21, "_log $x$": 46}
    assert repr(display).endswith("45 generations, 460 evaluations, and 2 more searches)")
    display.figure_.draw_without_rendering()


def test_searches_of_like_names_are_all_in_the_legend(monkeypatch):
    """Whatever becomes of names on the way to their text."""
    monkeypatch.setattr(
        "skvus.plotting._convergence_lines.as_texts", lambda names: ["a"] * len(names)
    )
    display = ScoreConvergenceDisplay.from_logbook(GOOD, name="a", others={" a": GOOD})
    assert labels_of(display.legend_) == ["a", "a"]
    handles = display.legend_.get_lines()
    colors = [line.get_color() for line in display.size_lines_]
    assert [handle.get_color() for handle in handles] == colors


def test_lines_of_all_islands_are_seen_in_a_dark_theme(archipelago):
    with plt.style.context("dark_background"):
        (line,) = ScoreConvergenceDisplay.from_estimator(archipelago).speed_lines_
        assert to_rgb(line.get_color()) == (1.0, 1.0, 1.0)
    (line,) = ScoreConvergenceDisplay.from_estimator(archipelago).speed_lines_
    assert to_rgb(line.get_color()) == (0.0, 0.0, 0.0)


def test_searches_of_unlike_speed():
    slow = {"generation": [0, 1, 2], "evaluations": [1, 2, 3], "seconds": [1.0, 2.0, 3.0]}
    fast = {**slow, "seconds": [0.01, 0.02, 0.03]}
    one = ScoreConvergenceDisplay.from_logbook(slow, others={"alike": slow})
    assert one.axes_[0].get_yscale() == "linear"
    assert one.axes_[0].get_ylim()[0] == 0.0
    two = ScoreConvergenceDisplay.from_logbook(slow, others={"fast": fast})
    assert two.axes_[0].get_yscale() == "log"


def test_searches_with_different_columns(search):
    other = {"generation": [0, 10], "gini": [0.1, 0.2]}
    display = ScoreConvergenceDisplay.from_estimator(search, others={"other": other})
    assert len(display.size_lines_) == 1
    assert len(display.gini_lines_) == 2
    assert labels_of(display.legend_) == ["ParetoROCSearch", "other"]


# --- logbooks -----------------------------------------------------------------------


def test_logbooks_of_any_form(search):
    rows = rows_of(search)
    table = pd.DataFrame(rows)
    forms = [search.logbook_, rows, tuple(rows), table, table.to_dict("list")]
    frames = [ScoreConvergenceDisplay(form).frame() for form in forms]
    for frame in frames[1:]:
        pd.testing.assert_frame_equal(frame, frames[0])


def test_gaps_where_nothing_was_measured(search):
    rows = rows_of(search)
    for row in rows:
        if row["generation"] % 10:
            row["gini"] = None if row["generation"] % 2 else np.nan
    before = [dict(row) for row in rows]
    display = ScoreConvergenceDisplay.from_logbook(rows)
    assert str(rows) == str(before)
    (line,) = display.gini_lines_
    np.testing.assert_array_equal(line.get_xdata(), [0, 10, 20, 30, 40])
    assert line.get_markevery() is None  # all are marked
    assert display.size_lines_[0].get_markevery() == [-1]
    assert display.frame()["gini low"].notna().sum() == 5


def test_panels_without_numbers_are_left_out(search):
    rows = [{key: row[key] for key in ("generation", "size")} for row in rows_of(search)]
    display = ScoreConvergenceDisplay.from_logbook(rows)
    assert len(display.axes_) == 1
    assert display.gini_lines_ == display.speed_lines_ == []
    assert display.axes_[0].get_xlabel() == "generation"
    assert repr(display) == "ScoreConvergenceDisplay(45 generations)"


def test_given_axes_are_divided(search):
    figure, (left, right) = plt.subplots(1, 2, layout="constrained")
    display = ScoreConvergenceDisplay.from_estimator(search, ax=right)
    assert display.ax_ is right
    assert display.figure_ is figure
    assert len(figure.axes) == 5
    figure.draw_without_rendering()
    places = [panel.get_position() for panel in display.axes_]
    assert all(place.x0 > left.get_position().x1 for place in places)


# --- errors -------------------------------------------------------------------------

GOOD = {"generation": [0, 1], "size": [3, 4]}


@pytest.mark.parametrize(
    ("logbook", "error", "message"),
    [
        (None, TypeError, "logbook must be the logbook_ of a search"),
        ("rows", TypeError, "logbook must be the logbook_ of a search"),
        ([1, 2], TypeError, "logbook must be the logbook_ of a search"),
        ([], ValueError, "logbook must have a row for each generation"),
        ({"gen": [1], "size": [1]}, ValueError, "with its number as 'generation'"),
        ({"generation": [0, 1]}, ValueError, "must have a column 'size' or 'gini'"),
        ({**GOOD, "size": [None, np.nan]}, ValueError, "must have a column 'size' or 'gini'"),
        ({**GOOD, "generation": [0, 0.5]}, ValueError, "generation of logbook must be whole"),
        ({**GOOD, "generation": [0, None]}, ValueError, "generation of logbook must be whole"),
        ({**GOOD, "generation": [1, 0]}, ValueError, "must increase from row to row"),
        ({**GOOD, "generation": [0, 1e300]}, ValueError, "generation of logbook must be whole"),
        ({**GOOD, "generation": 3}, ValueError, "generation of logbook must be numbers; got 3"),
        ({**GOOD, "generation": [1, 1]}, ValueError, "must increase from row to row"),
        (
            {**GOOD, "generation": [-1, 1]},
            ValueError,
            "not be negative; its minimum is -1",
        ),
        ({**GOOD, "size": [1]}, ValueError, "must have equal lengths"),
        ({**GOOD, "size": ["a", "b"]}, ValueError, "size of logbook must be numbers"),
        ({**GOOD, "size": [1, np.inf]}, ValueError, "size of logbook must be finite"),
        ({**GOOD, "gini": [0.1, 1.5]}, ValueError, "gini of logbook must be at most 1"),
        ({**GOOD, "evaluations": [5, 3]}, ValueError, "evaluations of logbook must be those"),
        ({**GOOD, "size": [1, 10**400]}, ValueError, "size of logbook must be finite numbers"),
        ({**GOOD, "size": [1, 1e300]}, ValueError, "size of logbook must be whole numbers"),
        ({**GOOD, "size": [1, 1.5]}, ValueError, "size of logbook must be whole numbers"),
        ({**GOOD, "evaluations": [1, 1.5]}, ValueError, "evaluations of logbook must be whole"),
        ({**GOOD, "size": ["3", "4"]}, ValueError, "size of logbook must be numbers"),
        ({**GOOD, "size": "34"}, ValueError, "size of logbook must be numbers; got '34'"),
        ({**GOOD, "size": b"34"}, ValueError, "size of logbook must be numbers; got b'34'"),
        ({**GOOD, "size": {0: 3, 1: 4}}, ValueError, "size of logbook must be numbers"),
        (
            {**GOOD, "generation": [False, True]},
            ValueError,
            "generation of logbook must be num",
        ),
        (
            {**GOOD, "size": np.array([True, True])},
            ValueError,
            "size of logbook must be numbers",
        ),
        ([{"generation": "0", "size": 1}], ValueError, "generation of logbook must be numbers"),
    ],
)
def test_logbooks_that_are_none(logbook, error, message):
    with pytest.raises(error, match=message):
        ScoreConvergenceDisplay.from_logbook(logbook)
    assert repr(ScoreConvergenceDisplay(logbook)).startswith("ScoreConvergenceDisplay(")


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"x": "time"}, ValueError, "x must be one of 'generation'"),
        ({"x": "seconds"}, ValueError, "x='seconds' needs that column in all rows of logbook"),
        ({"name": 3}, TypeError, "name must be a string or None; got 3"),
        ({"others": [GOOD]}, TypeError, "others must be a dict of names"),
        ({"others": {1: GOOD}}, TypeError, "others must have strings as names; got 1"),
        ({"others": {"a": GOOD}, "name": "a"}, ValueError, "must not have the name"),
        ({"others": {"a": 3}}, TypeError, r"others\['a'\] must be the logbook_"),
        ({"n_samples": 0}, ValueError, "n_samples must be an integer of at least 1"),
        ({"n_samples": 10**400}, ValueError, "n_samples must be at most 9,007"),
        ({"ax": "axes"}, TypeError, "ax must be matplotlib axes or None"),
    ],
)
def test_wrong_options(options, error, message):
    with pytest.raises(error, match=message):
        ScoreConvergenceDisplay.from_logbook(GOOD, **options)
    assert not plt.get_fignums()


def test_only_searches_that_are_fitted(search):
    with pytest.raises(TypeError, match="must be a fitted ParetoROCSearch; got Gauss"):
        ScoreConvergenceDisplay.from_estimator(GaussianNB())
    with pytest.raises(NotFittedError):
        ScoreConvergenceDisplay.from_estimator(quick())
    with pytest.raises(
        NotFittedError, match=r"others\['b %s'\] is a search that is not fitted"
    ):
        ScoreConvergenceDisplay.from_estimator(search, others={"b %s": quick()})
    assert repr(ScoreConvergenceDisplay(GOOD, others={"b": quick()})).endswith(")")
    assert not plt.get_fignums()
