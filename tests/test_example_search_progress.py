"""What the example says about the progress of searches."""

import numpy as np
import pytest


@pytest.fixture(scope="module")
def run(run_example):
    return run_example("plot_search_progress")


@pytest.fixture(scope="module")
def example(run):
    return run.variables


def test_budgets_are_equal(example):
    table = example["display"].frame()
    for name, search in example["searches"].items():
        rows = table[table["search"] == name]
        assert rows["evaluations"].iloc[-1] == search.n_evaluations_ == 40_100
        assert rows["size"].iloc[-1] == len(search.front_)
        assert rows["gini"].iloc[-1] == pytest.approx(search.gini_, abs=0.03)
        assert rows["gini low"].iloc[-1] < search.gini_ < rows["gini high"].iloc[-1]


def test_size_grows_while_gini_settles(example):
    for rows in example["halves"].values():
        before, after = rows.to_numpy()
        assert after[0] > 1.3 * before[0]
        assert 1.0 < after[1] / before[1] < 1.1


def test_changing_members_does_better(example):
    changed, drawn = example["searches"].values()
    assert changed.gini_ > drawn.gini_
    assert len(changed.front_) > len(drawn.front_)


def test_islands(example):
    display, islands = example["side_by_side"], example["islands"]
    assert len(display.gini_lines_) == 3
    ginis = example["ginis"]
    assert len(ginis) == 3
    assert np.ptp(ginis) < 0.02  # luck
    assert islands.gini_ > max(ginis)


def test_output(run):
    assert run.n_figures == 2
    assert run.output.count("members ") >= 2
    assert "G of their union" in run.output
