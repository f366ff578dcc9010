"""Tables and texts of fronts whose labels or parameters are made to confuse."""

import json
import re
import subprocess
import sys

import numpy as np
import pytest

from skvus import ROCFront
from skvus._validation import one_line, shorten
from skvus.front._display import mistake_names
from skvus.metrics import (
    VUSResult,
    compare_many,
    operating_points,
    ordered_vus_score,
)
from skvus.plotting import ROCFrontDisplay

PHRASES = ["a", "a as a", "b"]


class Hostile:
    def __repr__(self):
        raise RuntimeError("no text")


@pytest.fixture
def rates():
    return np.random.default_rng(0).dirichlet(np.ones(3), size=(8, 3))


def test_names_of_mistakes_are_distinct():
    assert mistake_names(["x", "y"]) == ["x as y", "y as x"]
    names = mistake_names(PHRASES)
    assert len(set(names)) == 6
    assert names[0] == "a as a as a [0, 1]"


def test_tables_keep_all_rates_whatever_the_labels(rates):
    plain = ROCFront.from_rates(rates, classes=["a", "aa", "b"])
    phrases = ROCFront.from_rates(rates, classes=PHRASES)
    expected, table = plain.to_frame(), phrases.to_frame()
    assert table.shape == expected.shape
    np.testing.assert_array_equal(table.to_numpy(), expected.to_numpy())
    shown = ROCFrontDisplay(phrases, kind="pairs").frame()
    assert sum(column.startswith("rate ") for column in shown.columns) == 6


def test_texts_of_results_can_be_printed_anywhere():
    rng = np.random.default_rng(0)
    y_true = np.repeat([0, 1, 2, 3], 5)
    y_score = 0.8 * rng.dirichlet(np.ones(4), size=20) + 0.2 * np.eye(4)[y_true]
    front = ROCFront.from_predictions(y_true, y_score, n_costs=50, random_state=0)
    sampled = {"n_samples": 100, "random_state": 0}
    few = {"method": "sampled", "n_tuples": 50, "random_state": 0, "return_details": True}
    both = {"a": y_score, "b": y_score[:, ::-1]}
    results = [
        front,
        front.compare(front[::2], **sampled),
        front.evaluate(y_true, y_score, **sampled),
        ordered_vus_score(y_true, y_score, **few),
        VUSResult(0.5, 0.01, "monte_carlo", True, 12),
        compare_many(y_true, both, score="ordered_vus", n_resamples=20, random_state=0),
    ]
    texts = [repr(result) for result in results]
    assert sum("+/-" in text for text in texts) == 5
    points = operating_points(y_true, y_score, n_weights=10, random_state=0)
    for table in (front.to_frame(), points.to_frame(), ROCFrontDisplay(front).frame()):
        texts.append(table.to_string())
    assert all(text.isascii() for text in texts)


def test_as_good_as_random_is_not_better():
    trivial = ROCFront.from_rates([[[1, 0], [1, 0]], [[0, 1], [0, 1]]])
    assert "2 operating points of 2 classes, 0 better than random" in repr(trivial)
    assert trivial.inside_random_simplex().all()


def test_texts_of_parameters_hold_no_addresses_and_one_line():
    assert one_line(test_as_good_as_random_is_not_better) == (
        "<function test_as_good_as_random_is_not_better>"
    )
    assert "\n" not in one_line(np.zeros((3, 3)))
    assert len(one_line("x" * 500)) == 80
    assert one_line(Hostile()) == shorten(Hostile()) == "<Hostile>"


def test_pages_of_members_with_functions_are_the_same_in_all_processes(tmp_path):
    code = (
        "import numpy as np, sys; from skvus import ROCFront\n"
        "def square(x): return x\n"
        "front = ROCFront.from_rates([[[.8, .2], [.3, .7]]], params=[{'f': square}])\n"
        "front.explore(sys.argv[1])"
    )
    for name in ("first.html", "second.html"):
        subprocess.run([sys.executable, "-c", code, str(tmp_path / name)], check=True)
    first, second = ((tmp_path / f"{n}.html").read_text() for n in ("first", "second"))
    assert first == second
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', first)
    assert json.loads(found[1])["params"] == ["f=<function square>"]


def test_a_page_of_members_that_have_no_text(tmp_path):
    front = ROCFront.from_rates([[[0.8, 0.2], [0.3, 0.7]]], params=[{"f": Hostile()}])
    assert "f=\\u003cHostile\\u003e" in front.explore(tmp_path / "page.html").read_text()
