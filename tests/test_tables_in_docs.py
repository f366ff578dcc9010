"""Tables in the pages of the documentation are those that the examples compute."""

import re
import runpy
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[1] / "docs"
make_tables = runpy.run_path(str(DOCS / "make_tables.py"))
BLOCKS = [
    pytest.param(stem, name, body, id=f"{page.stem}: {stem}/{name}")
    for page in sorted(DOCS.glob("*.md"))
    for stem, name, body in make_tables["blocks"](page)
]
NUMBER = re.compile(r"\d[\d,]*\.?\d*(?:e[-+]?\d+)?")


@pytest.mark.parametrize(("stem", "name", "body"), BLOCKS)
def test_a_table_is_what_its_example_computes(stem, name, body, run_example):
    """Words to the letter; numbers nearly, for they may depend on versions of libraries."""
    fresh = make_tables["markdown"](*run_example(stem).variables["TABLES"][name]).strip("\n")
    assert NUMBER.sub("#", body) == NUMBER.sub("#", fresh)
    written, computed = (
        [float(number.replace(",", "")) for number in NUMBER.findall(text)]
        for text in (body, fresh)
    )
    assert written == pytest.approx(computed, rel=0.05, abs=0.02)


def test_a_page_is_filled(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("Before.\n\n<!-- table: a/b -->\nold\n<!-- end of table -->\n\nAfter.\n")
    make_tables["fill"](page, {"a": {"b": (["x", "y"], [[1, "2|3"]])}})
    assert page.read_text() == (
        "Before.\n\n<!-- table: a/b -->\n\n| x | y |\n| --- | --- |\n| 1 | 2\\|3 |\n\n"
        "<!-- end of table -->\n\nAfter.\n"
    )
    make_tables["fill"](page, {"a": {"b": (["x"], [[4]])}})
    assert make_tables["blocks"](page) == [("a", "b", "| x |\n| --- |\n| 4 |")]


def test_tables_of_modules_are_left_alone(tmp_path):
    page = tmp_path / "page.md"
    text = "<!-- table: benchmarks.slow/x -->\n\n| x |\n\n<!-- end of table -->\n"
    page.write_text(text)
    make_tables["fill"](page, {"a": {"b": (["x"], [[1]])}})
    assert page.read_text() == text
    assert make_tables["blocks"](page) == []
    modules = make_tables["blocks"](page, of_examples=False)
    assert modules == [("benchmarks.slow", "x", "| x |")]
    make_tables["fill"](page, {"benchmarks.slow": {"x": (["x"], [[1]])}})
    assert "| 1 |" in page.read_text()


def test_rows_that_do_not_fit_their_head_are_refused():
    with pytest.raises(ValueError, match="other lengths than its head"):
        make_tables["markdown"](["x", "y"], [[1]])
