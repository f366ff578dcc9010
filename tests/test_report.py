"""The page of a search, without a browser: what it holds, and where it starts."""

import base64
import json
import pickle
import re
from html.parser import HTMLParser

import numpy as np
import pytest
from scipy.stats import loguniform
from search_cases import COST, Interrupted, quick, small
from sklearn.base import clone
from sklearn.datasets import make_blobs
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler

from skvus import BestScore, LeastCost, Lexicographic, ParetoROCSearch, WithinLimits
from skvus.search._report import rule_text, text_of

NAMES = np.array(["a", "b", "c"])


@pytest.fixture(scope="module")
def search(wine):
    X, y = wine
    return quick(n_generations=5).fit(X, NAMES[y])


class Page(HTMLParser):
    """Counts tags, and takes out the text of the title, the heading and the data."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.texts, self._open = [], {}, None
        self.feed(text)
        self.data = json.loads(self.texts["data"])

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        attrs = dict(attrs)
        self._open = "data" if attrs.get("id") == "data" else tag

    def handle_endtag(self, tag):
        self._open = None

    def handle_data(self, data):
        if self._open is not None:
            self.texts[self._open] = self.texts.get(self._open, "") + data

    @property
    def notes(self):
        return dict(self.data["notes"])

    def array(self, name, dtype="<f8"):
        return np.frombuffer(base64.b64decode(self.data[name]), dtype)


def page_of(search, tmp_path, **options):
    path = tmp_path / "page.html"
    assert search.report(path, **options) == path.resolve()
    return Page(path.read_text(encoding="utf-8"))


# --- what the page holds ------------------------------------------------------------


def test_the_page_has_the_front(search, tmp_path):
    page = page_of(search, tmp_path)
    front = search.front_
    off = ~np.eye(3, dtype=bool)
    np.testing.assert_array_equal(page.array("points"), front.rates[:, off].ravel())
    np.testing.assert_array_equal(page.array("costs"), front.costs[:, off].ravel())
    np.testing.assert_array_equal(page.array("counts", "<i4"), front.counts.ravel())
    assert page.data["names"] == ["a", "b", "c"]
    assert page.data["maker"] == "search"
    assert page.data["start"]["index"] == search.best_index_
    (gini,) = re.findall(r"G = ([\d.e-]+) ", page.data["summary"])
    assert float(gini) == pytest.approx(search.gini_, rel=1e-3)
    assert page.data["title"] == page.texts["title"] == "GaussianNB: trade-offs of 3 classes"


def test_how_it_was_found(search, tmp_path):
    notes = page_of(search, tmp_path).notes
    assert notes["Classifier"] == "GaussianNB()"
    assert notes["Evolved"].startswith("costs alone")
    assert notes["Generations"] == "5 of 5"
    assert notes["Operating points evaluated"] == f"{search.n_evaluations_}"
    assert notes["Operating points kept"] == f"{len(search.front_)}"
    assert notes["Rates from"] == "3-fold cross-validation, out of fold"
    assert notes["Random state"] == "0"
    assert re.fullmatch(r"[\d.e+-]+ seconds", notes["Time"])
    assert notes["Other options"] == "n_costs=10, n_initial=10"
    assert notes["Chosen"] == f"operating point {search.best_index_}, by 'distance'"
    assert "Islands" not in notes
    assert "Parameters of the chosen one" not in notes


def test_the_page_is_the_same_each_time(search, tmp_path):
    first, again, copied = (tmp_path / f"{name}.html" for name in "abc")
    search.report(first)
    search.report(again)
    pickle.loads(pickle.dumps(search)).report(copied)
    assert first.read_bytes() == again.read_bytes() == copied.read_bytes()


def test_gini_that_is_known_is_not_measured_again(wine, tmp_path, monkeypatch):
    search = quick().fit(*wine)
    before = page_of(search, tmp_path).data["summary"]
    assert search.gini_ > 0
    monkeypatch.setattr(type(search.front_), "gini", None)
    assert page_of(search, tmp_path).data["summary"] == before


def test_title(search, tmp_path):
    page = page_of(search, tmp_path, title="Ours </title> & theirs")
    assert page.data["title"] == page.texts["title"] == "Ours </title> & theirs"
    with pytest.raises(TypeError, match="title must be text or None; got 3"):
        search.report(tmp_path / "no.html", title=3)
    assert not (tmp_path / "no.html").exists()


def test_pipelines_are_called_by_their_last_step(wine, tmp_path):
    search = quick(make_pipeline(StandardScaler(), GaussianNB())).fit(*wine)
    page = page_of(search, tmp_path)
    assert page.data["title"] == "GaussianNB: trade-offs of 3 classes"
    assert page.notes["Classifier"].startswith("Pipeline(steps=[('standardscaler', ")


class Hostile(GaussianNB):
    """Its text looks like the end of the page."""

    def __repr__(self):
        return "</script><script>alert(1)</script><!-- \u2028 & <b>"


def test_hostile_texts_stay_texts(wine, tmp_path):
    X, y = wine
    names = np.array(["<script>alert(2)</script>", "</script>", "&lt;img src=x>"])
    search = quick(Hostile()).fit(X, names[y])
    plain = quick().fit(X, NAMES[y])
    page, other = page_of(search, tmp_path), page_of(plain, tmp_path)
    assert page.tags == other.tags
    assert page.notes["Classifier"] == "</script><script>alert(1)</script><!-- & <b>"
    assert page.data["names"] == sorted(names)


# --- where it starts ----------------------------------------------------------------


def starting(search, tmp_path, rule):
    search.set_operating_point(rule)
    page = page_of(search, tmp_path)
    assert page.data["start"]["index"] == search.best_index_
    return page.data["start"], page.notes["Chosen"].partition(", by ")[2]


def test_costs_are_filled_in(search, tmp_path):
    for rule in (LeastCost(COST), COST):
        start, text = starting(search, tmp_path, rule)
        assert start["mode"] == "costs"
        assert start["costs"] == COST.tolist()
        assert start["limits"] == {}
        assert text.startswith("LeastCost(cost_matrix=((0.0, 1.0, 4.0), ")
    start, _ = starting(search, tmp_path, LeastCost(COST, priors=[0.2, 0.3, 0.5]))
    assert start["priors"] == [0.2, 0.3, 0.5]


def test_limits_are_filled_in(search, tmp_path):
    start, text = starting(search, tmp_path, WithinLimits({("a", "b"): 0.5, "c": 0.4}))
    assert start["mode"] == "distance"
    assert start["limits"] == {"0,1": 0.5, "2": 0.4}
    assert text.startswith("WithinLimits(limits={('a', 'b'): 0.5")
    rule = WithinLimits({"c": 0.4}, then=LeastCost(COST))
    start, _ = starting(search, tmp_path, rule)
    assert start["mode"] == "costs"
    assert start["limits"] == {"2": 0.4}
    assert start["costs"] == COST.tolist()


def worst(front):
    return int(front.miss_rates()[:, 0].argmax())


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        ("knee", "'knee'"),
        (5, "its index, 5"),
        (-1, "its index, -1"),
        (BestScore("f1_macro"), "BestScore(score='f1_macro')"),
        (Lexicographic([[("a", "b")], [("b", "a")]]), "Lexicographic([[('a', 'b')]"),
        (WithinLimits({"a": 0.9}, confidence=0.9), "WithinLimits(limits={'a': 0.9}"),
        (worst, "the function worst"),
    ],
)
def test_other_choices_are_picked_by_hand(search, tmp_path, rule, text):
    start, found = starting(search, tmp_path, rule)
    assert start["mode"] == "hand"
    assert start["limits"] == {}
    assert found.startswith(text)


def test_functions_do_not_end_up_in_files(search, tmp_path):
    search.set_operating_point(lambda front: 3)
    again = pickle.loads(pickle.dumps(search))
    assert page_of(again, tmp_path).data["start"]["index"] == 3
    search.set_operating_point(BestScore(lambda y_true, y_pred: (y_true == y_pred).mean()))
    again = pickle.loads(pickle.dumps(search))
    page = page_of(again, tmp_path)
    assert page.data["start"]["index"] == search.best_index_
    assert " at 0x" not in page.notes["Chosen"]


def test_the_choice_of_fit_is_that_of_the_page(wine, tmp_path):
    search = quick(operating_point=LeastCost(COST)).fit(*wine)
    start = page_of(search, tmp_path).data["start"]
    assert start["mode"] == "costs"
    assert start["index"] == search.best_index_
    search.set_operating_point("distance")
    assert page_of(search, tmp_path).data["start"]["mode"] == "distance"
    search.fit(*wine)
    assert page_of(search, tmp_path).data["start"]["mode"] == "costs"


def test_a_choice_that_fails_leaves_the_one_before(search, tmp_path):
    start, _ = starting(search, tmp_path, LeastCost(COST))
    with pytest.raises(ValueError, match="No member is within all limits"):
        search.set_operating_point(WithinLimits({"a": 0.0, "b": 0.0, "c": 0.0}))
    assert page_of(search, tmp_path).data["start"] == start


# --- searches of all kinds ----------------------------------------------------------


def test_hyperparameters(wine, tmp_path):
    space = {"var_smoothing": loguniform(1e-9, 1), "priors": [None, [0.3, 0.3, 0.4]]}
    search = quick(param_distributions=space, n_generations=4).fit(*wine)
    page = page_of(search, tmp_path)
    assert page.notes["Evolved"] == "costs and hyperparameters"
    assert page.notes["Values of var_smoothing"] == "loguniform(1e-09, 1)"
    assert page.notes["Values of priors"] == "[None, [0.3, 0.3, 0.4]]"
    text = page.notes["Parameters of the chosen one"]
    assert text == page.data["params"][page.data["paramsOf"][search.best_index_]]
    assert f"var_smoothing={search.best_params_['var_smoothing']!r}" in text


def test_weights(wine, tmp_path):
    X, y = wine
    search = small(LogisticRegression(), evolve="weights").fit(
        StandardScaler().fit_transform(X), y
    )
    page = page_of(search, tmp_path)
    assert page.notes["Evolved"] == "costs and the fitted weights"
    assert page.notes["Parameters of the chosen one"].startswith("weight_step=")
    assert page.data["start"]["index"] == search.best_index_


def test_interrupted_searches(wine, tmp_path):
    space = {"var_smoothing": loguniform(1e-9, 1)}
    Interrupted.n_fits, Interrupted.at = 0, 40
    search = quick(Interrupted(), space, n_generations=50, n_initial=5)
    with pytest.raises(KeyboardInterrupt):
        search.fit(*wine)
    page = page_of(search, tmp_path)
    assert page.notes["Chosen"].startswith("nothing yet")
    assert page.notes["Generations"] == f"{search.n_generations_} of 50, interrupted"
    assert page.data["start"]["mode"] == "distance"
    assert page.data["start"]["index"] == search.front_.select()
    search.set_operating_point(7)
    page = page_of(search, tmp_path)
    assert page.data["start"]["index"] == 7
    assert page.notes["Chosen"] == "operating point 7, by its index, 7"


def test_limits_out_of_reach_leave_a_page_to_look_at(wine, tmp_path):
    search = quick(operating_point=WithinLimits({0: 1e-6, 1: 1e-6, 2: 1e-6}))
    with pytest.raises(ValueError, match="No member is within all limits"):
        search.fit(*wine)
    page = page_of(search, tmp_path)
    assert page.notes["Chosen"].startswith("nothing yet")
    assert page.data["start"]["limits"] == {}


def test_without_a_final_classifier(wine, tmp_path):
    search = quick(refit=False).fit(*wine)
    page = page_of(search, tmp_path)
    assert page.notes["Final classifier"] == "none, since refit=False"
    assert page.data["start"]["index"] == search.best_index_


def test_islands_and_thinned_fronts(wine, tmp_path):
    search = quick(n_islands=3, n_generations=10, max_front_size=20).fit(*wine)
    notes = page_of(search, tmp_path).notes
    sizes = ", ".join(str(len(front)) for front in search.island_fronts_)
    assert notes["Islands"] == f"3, whose fronts have {sizes} points"
    worst = search.front_resolution_.max()
    assert worst > 0
    assert notes["Operating points kept"] == (
        f"{len(search.front_)}; none that was found is more than {worst:.3g} better in any "
        "objective"
    )
    assert "max_front_size=20" in notes["Other options"]


@pytest.mark.parametrize(
    ("cv", "text"),
    [
        (4, "4-fold cross-validation, out of fold"),
        (None, "5-fold cross-validation, out of fold"),
        (0.25, "a hold-out set, 25% of the cases"),
        ("resubstitution", "the training data themselves"),
        (StratifiedKFold(3), "3 splits of StratifiedKFold(n_splits=3"),
        ([(range(0, 178, 2), range(1, 178, 2))], "1 split that were given"),
    ],
)
def test_which_cases(wine, tmp_path, cv, text):
    search = quick(cv=cv, n_generations=0).fit(*wine)
    assert page_of(search, tmp_path).notes["Rates from"].startswith(text)


def test_validation_data_and_two_classes(tmp_path):
    X, y = make_blobs(150, centers=2, cluster_std=4.0, random_state=0)
    model = GaussianNB().fit(X[::2], y[::2])
    search = quick(model, cv="prefit", refit=False).fit(X[1::2], y[1::2])
    page = page_of(search, tmp_path)
    assert page.notes["Rates from"].startswith("validation data")
    assert "Final classifier" not in page.notes
    assert page.data["title"] == "GaussianNB: trade-offs of 2 classes"


def test_random_states(wine, tmp_path):
    texts = [
        page_of(quick(random_state=state, n_generations=0).fit(*wine), tmp_path).notes[
            "Random state"
        ]
        for state in (None, np.random.default_rng(0), np.random.RandomState(0))
    ]
    assert texts[0].startswith("not set")
    assert texts[1:] == ["a Generator", "a RandomState"]


def test_options_by_arrays(wine, tmp_path):
    alpha = 2.0 * (1.0 - np.eye(3))
    search = quick(cost_alpha=alpha, n_generations=0).fit(*wine)
    text = page_of(search, tmp_path).notes["Other options"]
    assert "cost_alpha=array([[0., 2., 2.], [2., 0., 2.], [2., 2., 0.]])" in text


# --- texts --------------------------------------------------------------------------


def test_texts_have_no_addresses():
    model = make_pipeline(FunctionTransformer(worst), GaussianNB())
    text = text_of(model)
    assert "<function worst>" in text
    assert "0x" not in text
    assert "\n" not in text
    assert text_of(loguniform(a=1e-3, b=2)) == "loguniform(a=0.001, b=2)"
    assert len(text_of(list(range(1000)))) == 400
    assert (
        rule_text(lambda front: 0)
        == "the function test_texts_have_no_addresses.<locals>.<lambda>"
    )


# --- errors -------------------------------------------------------------------------


def test_searches_that_are_not_fitted(search, tmp_path):
    for other in (ParetoROCSearch(GaussianNB()), clone(search)):
        with pytest.raises(NotFittedError):
            other.report(tmp_path / "no.html")
    assert not list(tmp_path.iterdir())


def test_bad_paths(wine, tmp_path, monkeypatch):
    search = quick().fit(*wine)
    monkeypatch.setattr(type(search.front_), "gini", None)  # errors come before any work
    with pytest.raises(FileNotFoundError, match="path must be in a folder that exists"):
        search.report(tmp_path / "nowhere" / "page.html")
    with pytest.raises(OSError, match="path must be that of a file"):
        search.report(tmp_path)
    for path in (None, 3, ["page.html"]):
        with pytest.raises(TypeError, match="path must be a string or path-like"):
            search.report(path)
    assert not list(tmp_path.iterdir())


def test_an_old_page_is_replaced(search, tmp_path):
    path = tmp_path / "page.html"
    path.write_text("old")
    search.report(str(path))
    assert path.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert [file.name for file in tmp_path.iterdir()] == ["page.html"]
