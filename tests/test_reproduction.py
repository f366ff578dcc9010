"""The long experiment on Everson and Fieldsend's data: what it needs no long time for."""

import re
import runpy

import numpy as np
import pytest

from benchmarks import reproduction

STEM = "benchmarks.reproduction"
MAKE_TABLES = runpy.run_path(str(reproduction.PAGE.with_name("make_tables.py")))
BLOCKS = {
    name: body
    for stem, name, body in MAKE_TABLES["blocks"](reproduction.PAGE, of_examples=False)
    if stem == STEM
}


def test_the_page_has_a_place_for_each_table():
    assert list(BLOCKS) != []
    assert set(BLOCKS) == {part.__name__ for part in reproduction.PARTS}
    assert all(body.count("\n") > 2 for body in BLOCKS.values())


def test_each_data_set_has_its_number():
    """Cells of the table of fronts, but those of the paper."""
    rows = [line for line in BLOCKS["fronts"].split("\n") if re.match(r"\| (k-nn|MLP)", line)]
    assert len(rows) == 2 + 2 * len(reproduction.NAMES)
    for row in rows[2:]:
        cells = row[2:-2].split(" | ")[2:]
        assert all(len(cell.split(", ")) == 3 for cell in cells if cell.strip())


@pytest.mark.parametrize(
    ("page", "n_figures", "n_tables"), [("landgrebe_duin", 4, 5), ("everson_fieldsend", 8, 0)]
)
def test_every_figure_and_table_has_a_counterpart(page, n_figures, n_tables):
    text = reproduction.PAGE.with_name(f"reproducing_{page}.md").read_text(encoding="utf-8")
    gallery = text.split("## Where it is in the gallery")[1].split("\n## ")[0]
    left = " ".join(re.findall(r"^\| ([^|]*) \|", gallery, re.MULTILINE))
    assert re.findall(r"Figure (\d)", left) == [str(n) for n in range(1, n_figures + 1)]
    tables = re.findall(r"Tables? (\d)(?: and (\d))?", left)
    assert [n for pair in tables for n in pair if n] == [str(n + 1) for n in range(n_tables)]


def test_verdicts():
    line = reproduction.claim("4.2", "something", "1", "1, 1, 2", [True, True, False])
    assert line == ["something (4.2)", "1", "1, 1, 2", "on 2 of 3"]
    assert reproduction.claim("5", "", "", "", np.array([True] * 3))[-1] == "yes"
    assert reproduction.claim("5", "", "", "", [False] * 3)[-1] == "**no**"


@pytest.mark.parametrize("name", ["k-nn", "MLP, steps of 0.1"])
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_the_search_is_algorithm_1(name):
    run = reproduction.run_one(name, 0, 3)
    params = run.search.get_params(deep=False)
    assert params["cost_proposal"] == "dirichlet"
    assert params["cv"] == "resubstitution"
    assert params["step_scale"] == "absolute"
    assert run.search.n_evaluations_ == 100 + 3 * 100
    right = np.einsum("mkk->m", run.front.counts)
    assert (run.errors == 300 - right).all()


def test_unknown_tables_are_refused(capsys):
    with pytest.raises(SystemExit, match="unknown: nothing; there are claims, fronts"):
        reproduction.main(["nothing"])
