"""The explorer page as a file: what it holds, and what it refuses. No browser is needed."""

import hashlib
import json
import re
from base64 import b64encode
from importlib.resources import files

import numpy as np
import pytest
from explorer_cases import (
    HOSTILE,
    Page,
    decoded,
    drawn_front,
    page_of,
    points_of,
    posteriors,
    repeated,
    sphere_front,
)

from skvus import (
    BestScore,
    LeastCost,
    Lexicographic,
    ROCFront,
    WithinLimits,
)
from skvus._page._render import _SCRIPTS
from skvus._rates import rates_to_points
from skvus.front import _explore
from skvus.plotting._style import PALETTE


@pytest.fixture(scope="module")
def front():
    """Three classes, with counts and costs."""
    return drawn_front(3, labels=["ill", "unsure", "well"])


# --- what it holds ----------------------------------------------------------------


FRONTS = {
    "two": lambda: drawn_front(2),
    "three": lambda: drawn_front(3),
    "weighted": lambda: drawn_front(3, weighted=True),
    "by miss rates": lambda: drawn_front(4, objectives="miss_rates"),
    "no counts": lambda: sphere_front(5, 50),
    "repeated": lambda: repeated(drawn_front(3, n_costs=50)),
}


@pytest.mark.parametrize("kind", FRONTS)
def test_numbers_are_those_of_the_front_to_the_bit(tmp_path, kind):
    made = FRONTS[kind]()
    page = page_of(made, tmp_path)
    found, expected = points_of(page, made)
    assert found.tobytes() == expected.astype("<f8").tobytes()
    data = page.data
    assert data["priors"] == made.priors.tolist()
    if made.counts is None:
        assert data["counts"] is None
    else:
        counts = decoded(data["counts"], "<i4" if data["whole"] else "<f8")
        np.testing.assert_array_equal(counts, made.counts.ravel())
    if made.costs is None:
        assert data["costs"] is None
    else:
        costs = decoded(data["costs"], "<f8")
        assert costs.tobytes() == rates_to_points(made.costs).astype("<f8").tobytes()


def test_whole_counts_take_half_the_room_and_others_are_kept(tmp_path):
    assert page_of(drawn_front(3), tmp_path).data["whole"] is True
    assert page_of(drawn_front(3, weighted=True), tmp_path).data["whole"] is False
    rates = [[[0.5, 0.5], [0.25, 0.75]]]
    huge = ROCFront.from_rates(rates, class_sizes=[2**34, 2**34])
    data = page_of(huge, tmp_path).data
    assert data["whole"] is False
    assert decoded(data["counts"], "<f8").tolist() == [2**33, 2**33, 2**32, 2**34 - 2**32]


def test_parameters_are_text_and_each_is_there_once(tmp_path):
    made = sphere_front(3, 30)
    data = page_of(made, tmp_path).data
    assert len(data["params"]) == 7
    for member, number in zip(made.params, data["paramsOf"], strict=True):
        assert data["params"][number] == f"C={member['C']!r}"


def test_summary_has_gini_with_its_error(tmp_path, front):
    data = page_of(front, tmp_path).data
    assert f"G = {front.gini():.4g} (exact)" in data["summary"]
    assert f"{len(front):,} operating points of 3 classes (60, 60, 60 cases)" in data["summary"]
    four = drawn_front(4)
    value, std = four.gini(random_state=0, return_std=True)
    assert f"G = {value:.4g} (± {std:.2g})" in page_of(four, tmp_path).data["summary"]


def test_known_gini_notes_and_maker_are_taken(tmp_path, front):
    path = _explore.write_page(
        front,
        tmp_path / "page.html",
        rule="distance",
        title=None,
        notes=[("Data <b>", 3)],
        maker="search",
        gini=(0.25, 0.5),
    )
    data = Page(path).data
    assert "G = 0.25 (± 0.5)" in data["summary"]
    assert data["notes"] == [["Data <b>", "3"]]
    assert data["maker"] == "search"


def test_equal_costs_choose_as_select_does(tmp_path, front):
    assert page_of(front, tmp_path).data["equal"] == front.select(1 - np.eye(3))


@pytest.mark.parametrize(
    ("rule", "mode", "limits"),
    [
        ("distance", "distance", {}),
        ("knee", "hand", {}),
        (5, "hand", {}),
        (-1, "hand", {}),
        (lambda front: 3, "hand", {}),
        (BestScore("accuracy"), "hand", {}),
        (Lexicographic(["ill"]), "hand", {}),
        (LeastCost([[0, 1, 2], [3, 0, 1], [1, 1, 0]]), "costs", {}),
        ([[0, 1, 2], [3, 0, 1], [1, 1, 0]], "costs", {}),
        (WithinLimits({("ill", "well"): 0.2}), "distance", {"0,2": 0.2}),
        (WithinLimits({"ill": 0.4}, then=1 - np.eye(3)), "costs", {"0": 0.4}),
        (WithinLimits({"ill": 0.4}, then="knee"), "hand", {}),
        (WithinLimits({"ill": 0.4}, then=WithinLimits({"well": 0.5})), "hand", {}),
        (WithinLimits({"ill": 0.5}, confidence=0.6), "hand", {}),
    ],
)
def test_start_is_what_the_rule_says(tmp_path, front, rule, mode, limits):
    start = page_of(front, tmp_path, rule=rule).data["start"]
    assert start["index"] == front.select(rule)
    assert start["mode"] == mode
    assert start["limits"] == limits


def test_costs_and_frequencies_by_label_come_in_the_order_of_the_classes(tmp_path, front):
    costs = {"well": {"ill": 5, "unsure": 1}, "ill": {"well": 9}, "unsure": {"ill": 2}}
    rule = LeastCost(
        {
            (a, b): costs.get(a, {}).get(b, 1)
            for a in front.classes
            for b in front.classes
            if a != b
        },
        priors={"well": 0.5, "ill": 0.3, "unsure": 0.2},
    )
    start = page_of(front, tmp_path, rule=rule).data["start"]
    assert start["costs"] == [[0, 1, 9], [2, 0, 1], [5, 1, 0]]
    np.testing.assert_allclose(start["priors"], [0.3, 0.2, 0.5], rtol=1e-15)


def test_a_miss_rate_of_two_classes_is_their_only_rate(tmp_path):
    made = drawn_front(2, labels=["no", "yes"])
    rule = WithinLimits({"yes": 0.4, ("yes", "no"): 0.3, "no": 0.9})
    start = page_of(made, tmp_path, rule=rule).data["start"]
    assert start["limits"] == {"1,0": 0.3, "0,1": 0.9}


# --- names ------------------------------------------------------------------------

LABELS = {
    "int": np.array([3, 1, 2]),
    "huge": np.array([2**53 + 1, 2**62, 5]),
    "unsigned": np.array([2**64 - 1, 0, 1], dtype=np.uint64),
    "bool": np.array([True, False]),
    "float": np.array([1.0, 2.0, -3.0]),
    "single": np.array([1.0, 2.0, 3.0], dtype=np.float32),
    "long": np.array([1.0, 2.0, 3.0], dtype=np.longdouble),
    "bytes": np.array([b"a", b"b'", b"\xff"]),
    "text": np.array(["a'b", 'a"b', "a\\b"]),
    "hostile": np.array(HOSTILE),
    "blank": np.array(["", " ", "\n"]),
}


@pytest.mark.parametrize("kind", LABELS)
def test_labels_of_any_type_are_there_as_names_code_and_json(tmp_path, kind):
    labels = LABELS[kind]
    eye = np.eye(len(labels))
    made = ROCFront.from_rates([eye], classes=labels)
    data = page_of(made, tmp_path).data
    assert len(set(data["names"])) == len(labels)
    assert all(name.strip() for name in data["names"])
    for code, label in zip(data["codes"], made.classes.tolist(), strict=True):
        again = eval(code, {"__builtins__": {}})
        assert again == label
        assert made.select(WithinLimits({again: 0.0})) == 0
    for found, label in zip(data["labels"], made.classes.tolist(), strict=True):
        assert found == label or found == str(label)
        assert not isinstance(found, int) or abs(found) <= 2**53


def test_labels_keep_their_type_in_json(tmp_path):
    for kind in ("int", "bool", "float", "text"):
        made = ROCFront.from_rates([np.eye(len(LABELS[kind]))], classes=LABELS[kind])
        assert page_of(made, tmp_path).data["labels"] == made.classes.tolist()


def test_hostile_text_opens_no_tag(tmp_path):
    eye = np.eye(len(HOSTILE))
    plain = page_of(ROCFront.from_rates([eye]), tmp_path, title="plain")
    made = ROCFront.from_rates([eye], classes=HOSTILE, params=[{"<i>": "</script>"}])
    title = "</title></script><!-- {{script}} {{data}} & \ud800"
    page = page_of(made, tmp_path, title=title)
    same = [[tag for tag, _ in each.tags] for each in (plain, page)]
    assert same[0] == same[1]
    assert page.data["names"] == HOSTILE
    assert page.data["title"] == title
    assert page.data["params"] == ["<i>='</script>'"]
    (text,) = page.inside("script", id="data")
    assert not set("<>&") & set(text)
    assert text.isascii()


def test_title_is_escaped_and_on_one_line(tmp_path, front):
    page = page_of(front, tmp_path, title='a <b> "c"\n & d')
    assert page.inside("title") == ['a <b> "c" & d']
    assert "<title>a &lt;b&gt; &quot;c&quot; &amp; d</title>" in page.text
    assert page_of(front, tmp_path).inside("title") == ["Trade-offs of 3 classes"]


# --- the file ---------------------------------------------------------------------


def test_nothing_is_loaded(tmp_path, front):
    page = page_of(front, tmp_path)
    links = [
        (tag, name, value)
        for tag, attrs in page.tags
        for name, value in attrs.items()
        if name in ("src", "href", "action", "srcset", "data", "poster", "ping", "style")
        or name.startswith("on")
    ]
    assert links == [("link", "href", "data:,")]
    for word in ("://", "@import", "url(", "fetch(", "XMLHttpRequest", "import(", "WebSocket"):
        assert word not in page.text, word
    for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("):
        assert word not in page.text, word


def test_policy_allows_this_script_and_this_style_only(tmp_path, front):
    page = page_of(front, tmp_path)
    (policy,) = [
        attrs["content"]
        for tag, attrs in page.tags
        if tag == "meta" and attrs.get("http-equiv") == "Content-Security-Policy"
    ]
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    scripts = [text for tag, attrs, text in page.contents if tag == "script" and not attrs]
    styles = page.inside("style")
    for kind, text in (("script", "".join(scripts[0])), ("style", styles[0])):
        digest = b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in policy
    assert len(scripts) == len(styles) == 1


def test_same_front_gives_the_same_bytes(tmp_path):
    paths = [drawn_front(4).explore(tmp_path / name) for name in ("a.html", "b.html")]
    assert paths[0].read_bytes() == paths[1].read_bytes()


def test_assets_are_in_the_package():
    folder = files("skvus._page")
    there = {item.name for item in folder.iterdir()}
    assert {"page.html", "page.css", *(f"{name}.js" for name in _SCRIPTS)} <= there
    assert {name for name in there if name.endswith(".js")} == {f"{s}.js" for s in _SCRIPTS}


def test_scripts_and_style_keep_to_the_width_of_the_house():
    for item in files("skvus._page").iterdir():
        if item.name.endswith((".js", ".css", ".html")):
            lines = item.read_text(encoding="utf-8").splitlines()
            assert max(map(len, lines)) <= 96, item.name


def test_path_is_returned_and_a_file_replaced(tmp_path, front):
    path = tmp_path / "page.html"
    path.write_text("before")
    assert front.explore(str(path)) == path
    assert path.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert [item.name for item in tmp_path.iterdir()] == ["page.html"]


def test_file_has_the_size_that_is_told(tmp_path):
    made = sphere_front(3, 2000)
    # the page itself, then base64 of rates and costs
    page, each = 90_000, 2 * 8 * 6 * 4 / 3 + 4
    assert made.explore(tmp_path / "page.html").stat().st_size < page + each * len(made)


# --- what it refuses --------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "error", "match"),
    [
        (None, TypeError, "path must be a string or path-like; got None"),
        (3.5, TypeError, "path must be a string or path-like; got 3.5"),
        ("", OSError, "path must be that of a file"),
        (".", OSError, "path must be that of a file"),
        ("no/such/folder/page.html", FileNotFoundError, "path must be in a folder that exists"),
    ],
)
def test_bad_paths(tmp_path, monkeypatch, front, path, error, match):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(error, match=match):
        front.explore(path)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("options", "error", "match"),
    [
        ({"title": 3}, TypeError, "title must be text or None; got 3"),
        ({"title": b"x"}, TypeError, "title must be text or None; got b'x'"),
        ({"rule": "nonsense"}, ValueError, "rule must be one of 'distance', 'knee'"),
        ({"rule": None}, ValueError, "rule must be one of"),
        ({"rule": 10**6}, ValueError, "rule must choose an index"),
        ({"rule": WithinLimits({"ill": 0.0, "well": 0.0})}, ValueError, "No member is within"),
        ({"rule": WithinLimits({"sick": 0.5})}, ValueError, "limits must name classes"),
        ({"rule": [[0, 1], [1, 0]]}, ValueError, "cost_matrix must have shape"),
    ],
)
def test_bad_options_leave_the_old_file(tmp_path, front, options, error, match):
    path = tmp_path / "page.html"
    path.write_text("before")
    with pytest.raises(error, match=match):
        front.explore(path, **options)
    assert path.read_text() == "before"
    assert len(list(tmp_path.iterdir())) == 1


def test_too_many_classes(tmp_path):
    with pytest.raises(ValueError, match="at most 30 classes; got 31"):
        ROCFront.from_rates([np.eye(31)], objectives="miss_rates").explore(
            tmp_path / "page.html"
        )
    made = ROCFront.from_rates([np.eye(30)], objectives="miss_rates")
    data = page_of(made, tmp_path).data
    assert len(data["names"]) == 30


def test_too_many_numbers(tmp_path, monkeypatch, front):
    n_numbers = 3 * front.rates.size
    monkeypatch.setattr(_explore, "MOST_NUMBERS", n_numbers - 1)
    with pytest.raises(ValueError, match=f"costs and counts; got {n_numbers:,}"):
        front.explore(tmp_path / "page.html")
    monkeypatch.setattr(_explore, "MOST_NUMBERS", n_numbers)
    front.explore(tmp_path / "page.html")


def test_a_file_that_cannot_be_finished_leaves_the_old_one(tmp_path, monkeypatch, front):
    def full(*args):
        raise OSError("no space left")

    path = tmp_path / "page.html"
    path.write_text("before")
    monkeypatch.setattr("skvus._files.os.fsync", full)
    with pytest.raises(OSError, match="no space left"):
        front.explore(path)
    assert path.read_text() == "before"
    assert len(list(tmp_path.iterdir())) == 1


def test_one_member_is_enough(tmp_path):
    rng = np.random.default_rng(0)
    y = np.arange(30) % 3
    made = ROCFront.from_predictions(y, posteriors(y, 3, rng), n_costs=1, random_state=0)[:1]
    data = page_of(made, tmp_path).data
    assert data["start"]["index"] == data["equal"] == 0
    json.dumps(data, allow_nan=False)


def test_summary_of_many_classes_is_short_and_claims_nothing(tmp_path):
    made = ROCFront.from_rates(
        [0.9 * np.eye(12) + 0.1 / 12], class_sizes=[120] * 12, objectives="miss_rates"
    )
    summary = page_of(made, tmp_path).data["summary"]
    assert "(120, 120, 120, 120, 120, 120, 120, 120, ... cases)" in summary
    path = tmp_path / "page.html"
    options = {"rule": 0, "title": None, "gini": (0.0, 0.0)}
    summary = Page(_explore.write_page(made, path, **options)).data["summary"]
    assert "G = 0 (too small for a number)" in summary


def test_colours_are_those_of_the_displays(front, tmp_path):
    page = front.explore(tmp_path / "page.html").read_text()
    (colours,) = re.findall(r"const COLORS = \[(.*?)\]", page)
    assert tuple(json.loads(f"[{colours}]")) == PALETTE
