"""What notebooks show of fronts and searches: well-formed, harmless, small, and true."""

import re
import xml.etree.ElementTree as ET
from html.parser import HTMLParser

import numpy as np
import pytest
from scipy.stats import loguniform
from search_cases import quick
from sklearn import config_context
from sklearn.datasets import make_blobs
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import estimator_html_repr

from skvus import ROCFront, WithinLimits
from skvus.front._sketch import drawn_members, short_texts

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = [
    "<script>alert(1)</script>",
    '" onload="alert(2)',
    "]]> & </svg></td>",
    "'\x00\ud800\u202e\n",
    "",
    "very long " * 10_000,
    "very long " * 9_999,
]


def blobs(n_classes, n_cases=300, labels=None):
    X, y = make_blobs(n_cases, centers=n_classes, cluster_std=4.0, random_state=1)
    return X, y if labels is None else np.array(labels, dtype=object)[y]


def front_of(n_classes, n_costs=300, labels=None, **options):
    X, y = blobs(n_classes)
    model = GaussianNB().fit(X[::2], y[::2])
    front = ROCFront.from_estimator(
        model, X[1::2], y[1::2], n_costs=n_costs, random_state=0, **options
    )
    if labels is None:
        return front
    return ROCFront.from_rates(front.rates, classes=labels, priors=front.priors)


def many_members(n_classes, n_members):
    """A front of random rates, of which none dominates another."""
    rng = np.random.default_rng(0)
    misses = rng.dirichlet(np.ones(n_classes), n_members)
    rates = np.empty((n_members, n_classes, n_classes))
    rates[:] = misses[:, :, np.newaxis] / (n_classes - 1)
    diagonal = np.arange(n_classes)
    rates[:, diagonal, diagonal] = 1.0 - misses
    return ROCFront.from_rates(rates, objectives="miss_rates")


class View:
    """The parts of a view, which must be well-formed XML."""

    def __init__(self, html):
        self.html = html
        self.root = ET.fromstring(html.encode())
        (self.svg,) = self.root.iter(f"{SVG}svg")
        self.matrix, self.ranges = self.root.iter("table")

    @property
    def cells(self):
        return [[cell.text for cell in row.iter("td")] for row in self.matrix.iter("tr")][1:]

    @property
    def texts(self):
        return [text.text for text in self.svg.iter(f"{SVG}text")]

    @property
    def lines(self):
        return [line.get("points").split() for line in self.svg.iter(f"{SVG}polyline")]

    @property
    def caption(self):
        return self.matrix.find("caption").text


@pytest.fixture(scope="module")
def search(wine):
    return quick(n_generations=5).fit(*wine)


# --- the front ----------------------------------------------------------------------


@pytest.mark.parametrize("n_classes", [2, 3, 4, 5, 6, 8])
def test_matrix_is_that_of_the_chosen_member(n_classes):
    front = front_of(n_classes, objectives="rates" if n_classes < 7 else "miss_rates")
    view = View(front._repr_html_())
    chosen = front.select()
    np.testing.assert_array_equal(np.array(view.cells, dtype=int), front.counts[chosen])
    assert view.caption == f"Member {chosen}, the farthest from random: cases"
    heads = [cell.text for cell in view.matrix.iter("th")]
    assert heads[1 : n_classes + 1] == [str(label) for label in front.classes]


@pytest.mark.parametrize("n_classes", [3, 4, 5, 6])
def test_a_line_through_all_rates(n_classes):
    front = front_of(n_classes)
    view = View(front._repr_html_())
    n_rates = n_classes * (n_classes - 1)
    assert {len(line) for line in view.lines} == {n_rates}
    assert len(view.lines) <= len(front)
    # the chosen one is last, on top of the others, and true to scale
    points = np.array([place.split(",") for place in view.lines[-1]], dtype=float)
    chosen = front.rates[front.select()][~np.eye(n_classes, dtype=bool)]
    slope, base = np.polyfit(chosen, points[:, 1], 1)
    assert slope < 0
    np.testing.assert_allclose(points[:, 1], base + slope * chosen, atol=1.0)
    assert (np.diff(points[:, 0]) > 0).all()
    assert sum(text.startswith("→ ") for text in view.texts) == n_rates
    assert sum(text.startswith("true ") for text in view.texts) == n_classes


def test_two_classes_are_a_curve():
    front = front_of(2)
    view = View(front._repr_html_())
    (mark,) = view.svg.iter(f"{SVG}circle")
    x, y = front.miss_rates()[front.select()]
    assert float(mark.get("cx")) == pytest.approx(34 + 150 * x, abs=1)
    assert float(mark.get("cy")) == pytest.approx(20 + 150 * (1 - y), abs=1)
    assert "0 missed" in view.texts
    assert "1 missed ↑" in view.texts


@pytest.mark.parametrize(("n_classes", "n_axes"), [(7, 7), (20, 20), (60, 40)])
def test_many_classes_are_miss_rates(n_classes, n_axes):
    view = View(many_members(n_classes, 30)._repr_html_())
    assert {len(line) for line in view.lines} == {n_axes}
    what = "missed" if n_axes == n_classes else "missed, 40 of 60 classes"
    assert what in view.texts
    n_shown = min(n_classes, 20)
    assert len(view.cells) == n_shown + (n_shown < n_classes)


def test_rates_where_there_are_no_counts():
    front = ROCFront.from_rates([[[0.9, 0.1], [0.4, 0.6]], [[0.5, 0.5], [0.125, 0.875]]])
    view = View(front._repr_html_())
    assert view.cells == [["0.900", "0.100"], ["0.400", "0.600"]]
    assert view.caption.endswith(": rates")


def test_weights_that_are_not_whole():
    X, y = blobs(3)
    model = GaussianNB().fit(X, y)
    weight = np.linspace(0.5, 1.5, len(y))
    front = ROCFront.from_estimator(
        model, X, y, sample_weight=weight, n_costs=50, random_state=0
    )
    view = View(front._repr_html_())
    counts = [[float(text) for text in row] for row in view.cells]
    np.testing.assert_allclose(counts, front.counts[front.select()], rtol=1e-5)


def test_one_member():
    front = front_of(3)[[4]]
    view = View(front._repr_html_())
    assert len(view.lines) == 1
    assert "1 operating point" in view.html
    perfect = View(ROCFront.from_rates(np.eye(3))._repr_html_())
    assert perfect.cells[0] == ["1.000", "0.000", "0.000"]


@pytest.mark.parametrize("n_classes", [2, 3, 4, 5, 6, 20])
def test_views_of_large_fronts_are_small(n_classes):
    view = View(many_members(n_classes, 10_000)._repr_html_())
    assert len(view.html) < 80_000
    assert len(view.lines) <= 260
    assert "of them drawn" in view.svg.find(f"{SVG}title").text


def test_some_members_of_many():
    points = np.random.default_rng(0).random((5000, 6))
    drawn = drawn_members(points, 17)
    assert set(points.argmin(axis=0)) <= {*drawn, 17}
    assert 17 not in drawn
    assert 190 < len(drawn) <= 206
    assert (np.diff(drawn) > 0).all()
    assert drawn_members(points[:3], 1).tolist() == [0, 2]
    assert not drawn_members(points[:1], 0).size


def test_views_do_not_change_the_front_and_are_the_same_each_time():
    front = front_of(3)
    before = front.rates.tobytes()
    assert front._repr_html_() == front._repr_html_()
    assert front.rates.tobytes() == before


# --- hostile labels -----------------------------------------------------------------


class Tags(HTMLParser):
    """What a browser makes of it."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.attributes = set(), set()
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}


@pytest.mark.parametrize("n_classes", [2, 3, 4, 7])
def test_hostile_labels_stay_text(n_classes):
    objectives = "rates" if n_classes < 7 else "miss_rates"
    plain = front_of(n_classes, objectives=objectives)
    hostile = front_of(n_classes, labels=HOSTILE[:n_classes], objectives="rates")
    view = View(hostile._repr_html_())
    ours, expected = Tags(view.html), Tags(plain._repr_html_())
    assert ours.tags == expected.tags
    assert ours.attributes <= expected.attributes | {"transform"}
    assert len(view.html) < 80_000
    assert "script" in view.html
    view.html.encode()  # no half of a pair


def test_short_texts():
    texts = short_texts(HOSTILE)
    assert texts[0] == "<script>alert…"
    assert texts[3] == "'"
    assert texts[4] == "''"
    assert texts[5:] == ["very long ver… [5]", "very long ver… [6]"]
    assert short_texts(["a b", "a\tb", "c"]) == ["a b [0]", "a b [1]", "c"]
    assert short_texts([1.5, True, "x" * 14]) == ["1.5", "True", "x" * 14]


# --- the search ---------------------------------------------------------------------


def own_part(html):
    return View(html[html.rindex("<div><p>ROCFront") :])


def test_a_fitted_search_shows_its_choice(search):
    html = search._repr_html_()
    assert html.startswith("<style>")
    assert "GaussianNB" in html.partition("<p>ROCFront")[0]
    view = own_part(html)
    counts = search.front_.counts[search.best_index_]
    np.testing.assert_array_equal(np.array(view.cells, dtype=int), counts)
    assert view.caption == f"Chosen: member {search.best_index_}: cases"
    bundle = search._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "text/html"}
    assert bundle["text/plain"] == repr(search)
    assert own_part(bundle["text/html"]).html == view.html


def test_another_choice_is_shown(wine):
    search = quick().fit(*wine)
    search.set_operating_point(WithinLimits({1: 0.05}))
    view = own_part(search._repr_html_())
    assert search.best_index_ != search.front_.select()
    counts = search.front_.counts[search.best_index_]
    np.testing.assert_array_equal(np.array(view.cells, dtype=int), counts)


def test_a_search_without_a_choice(wine):
    search = quick(operating_point=WithinLimits({0: 1e-6, 1: 1e-6, 2: 1e-6}))
    with pytest.raises(ValueError, match="No member is within all limits"):
        search.fit(*wine)
    assert own_part(search._repr_html_()).caption.startswith("None was chosen yet. Member ")


def without_ids(html):
    """What scikit-learn shows, without the numbers that it counts its pictures by."""
    return re.sub(r"(sk-[a-z]+-id-)\d+", r"\1", html)


def test_searches_that_are_not_fitted_look_as_before():
    search = quick()
    for html in (search._repr_html_(), search._repr_mimebundle_()["text/html"]):
        assert "ParetoROCSearch" in html
        assert "GaussianNB" in html
        assert "<svg xmlns" not in html
        assert "ROCFront" not in html
        assert without_ids(html) == without_ids(estimator_html_repr(search))


def test_text_is_text(search):
    with config_context(display="text"):
        assert not hasattr(search, "_repr_html_")
        assert search._repr_mimebundle_() == {"text/plain": repr(search)}
    with config_context(display="diagram"):
        assert hasattr(search, "_repr_html_")


def test_searches_within_others(wine):
    X, y = wine
    inner = quick(n_generations=1)
    pipeline = make_pipeline(StandardScaler(), inner)
    grid = GridSearchCV(quick(n_generations=1), {"n_costs": [5, 10]}, cv=2)
    for outer in (pipeline, grid):
        before = outer._repr_html_()
        after = outer.fit(X, y)._repr_html_()
        for html in (before, after, outer._repr_mimebundle_()["text/html"]):
            assert "ParetoROCSearch" in html
            assert "GaussianNB" in html


@pytest.mark.parametrize("refit", [True, False])
def test_searches_around_others(wine, refit):
    search = quick(make_pipeline(StandardScaler(), GaussianNB()), refit=refit)
    html = search.fit(*wine)._repr_html_()
    assert "StandardScaler" in html
    assert own_part(html).caption.startswith("Chosen: ")


def test_islands_and_hyperparameters(wine):
    search = quick(param_distributions={"var_smoothing": loguniform(1e-9, 1)}, n_islands=2).fit(
        *wine
    )
    assert own_part(search._repr_html_()).lines
