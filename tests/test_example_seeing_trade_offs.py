"""What the example says about its pictures, and what they show."""

import json
import re

import numpy as np
import pytest

DELTA = ("logistic regression", "random forest")


@pytest.fixture(scope="module")
def run(run_example):
    return run_example("plot_seeing_trade_offs")


@pytest.fixture(scope="module")
def example(run):
    return run.variables


def test_each_class_has_a_corner_of_the_surface(example):
    """Where the others are sacrificed for it: most mistakes go there."""
    display, front = example["space"], example["front"]
    assert display.kind_ == "miss_rates"
    table = display.frame()
    for label in front.classes:
        others = [f"miss {other}" for other in front.classes if other != label]
        corner = table[others].min(axis=1).idxmax()
        assert table.loc[corner, "receives most"] == label
        assert table.loc[corner, f"miss {label}"] < 0.05
    assert table["chosen"].idxmax() == front.select("distance")
    shown = sum(len(np.asarray(points.get_offsets())) for points in display.points_)
    assert shown == len(front)


def test_the_limit_is_met(example):
    front, rule = example["front"], example["RULE"]
    for display in (example["parallel"], example["pairs"]):
        table = display.frame()
        (chosen,) = table.index[table["chosen"]]
        assert chosen == front.select(rule)
        assert table.loc[chosen, "rate Barbera as Grignolino"] <= 0.02
        assert front.rates[front.select("distance"), 0, 2] > 0.02  # it binds
    assert example["parallel"].kind_ == "parallel"
    assert example["pairs"].axes_.shape == (5, 5)


def test_distances_of_two_fronts(example):
    display, fronts = example["distance"], example["fronts"]
    table = display.frame()
    assert list(table["front"].unique()) == list(DELTA)
    for name in DELTA:
        rows = table[table["front"] == name]
        assert rows["members"].sum() == len(fronts[name])
        inside = rows.loc[rows["right"] <= 1e-12, "members"].sum()
        distances = fronts[name].random_simplex_distance()
        assert inside == pytest.approx((distances < 0).sum(), abs=int((distances == 0).sum()))


def test_no_classifier_is_superfluous(example):
    table = example["table"]
    ginis = table[table["measure"] == "gini"].set_index("front")["value"]
    assert ginis.idxmax() == "random forest"
    assert (table.loc[table["measure"] == "delta", "value"] > 0.02).all()
    for name, front in example["fronts"].items():
        assert ginis[name] == front.gini()


def test_twenty_rates(example):
    display = example["twenty"]
    assert display.kind_ == "parallel"
    table = display.frame()
    assert sum(column.startswith("rate ") for column in table.columns) == 20
    assert len(table) == len(example["digit_front"])


def test_page(example):
    page = example["page"].read_text()
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page)
    data = json.loads(found[1])
    assert data["title"] == "Three cultivars of wine"
    assert data["start"]["index"] == example["front"].select(example["RULE"])
    assert data["start"]["limits"] == {"0,2": 0.02}


def test_output(run):
    assert run.n_figures == 6
    assert "ROCFrontDisplay(kind='miss_rates'" in run.output
    assert "wine.html: " in run.output
