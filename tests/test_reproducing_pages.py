"""The pages on the papers: every figure has its picture, every claim its verdict."""

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[1] / "docs"
PAGES = sorted(DOCS.glob("reproducing*.md"))
LINK = re.compile(r"\]\(([^)#\s]+)")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_lead_somewhere(page):
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        assert (DOCS / target).exists(), target


def test_index_has_all_pages():
    index = (DOCS / "reproducing.md").read_text(encoding="utf-8")
    for page in PAGES:
        assert page.stem == "reproducing" or f"({page.name})" in index


def test_every_figure_of_dreiseitl_has_a_counterpart():
    page = (DOCS / "reproducing_dreiseitl.md").read_text(encoding="utf-8")
    gallery = page.split("## Where it is in the gallery")[1].split("\n## ")[0]
    figures = [
        int(number)
        for cells in re.findall(r"^\| ([\d, ]+) \|", gallery, re.MULTILINE)
        for number in cells.split(",")
    ]
    assert figures == list(range(1, 10))


@pytest.mark.parametrize("stem", ["reproducing_ferri", "reproducing_dreiseitl"])
def test_every_claim_has_a_verdict(stem):
    page = (DOCS / f"{stem}.md").read_text(encoding="utf-8")
    tables = re.findall(r"\| verdict \|\n\|[ |-]+\|\n((?:\|.*\n)+)", page)
    assert len(tables) >= 3
    for row in "".join(tables).splitlines():
        cells = [cell.strip() for cell in row.strip("|").split(" | ")]
        theirs, verdict = cells[1], cells[-1].rstrip(" |")
        assert bool(theirs) == bool(verdict) or verdict == "", row
        assert re.fullmatch(
            r"(yes|\*\*no\*\*)( / (yes|\*\*no\*\*))*|in part|other data|", verdict
        ), row
