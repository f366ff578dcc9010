"""Fill the tables of the pages with what the examples compute.

An example that computes a table for a page puts it into a dictionary ``TABLES``: name ->
(head, rows), with cells as they shall be shown. A page names it between two comments ::

    <!-- table: plot_vus_bounds/estimates -->
    <!-- end of table -->

``python docs/make_tables.py`` runs the examples that are named and writes the tables between
the comments; with names of pages (``which_score``) it does so for those alone. What takes too
long for an example is a table of a module (``benchmarks.reproduction/fronts``): it stays
as it is, and ``python -m benchmarks.reproduction`` fills it.
"""

import re
import runpy
import sys
from pathlib import Path

DOCS = Path(__file__).parent
EXAMPLES = DOCS.parent / "examples"
BLOCK = re.compile(
    r"(<!-- table: (?P<stem>[\w.]+)/(?P<name>\w+) -->\n)(?P<body>.*?)(<!-- end of table -->)",
    re.DOTALL,
)


def markdown(head, rows):
    """Rows of cells as a table in Markdown."""
    rows = [[str(cell).replace("|", "\\|") for cell in row] for row in rows]
    lines = [list(map(str, head)), ["---"] * len(head), *rows]
    if any(len(line) != len(head) for line in lines):
        raise ValueError(f"the rows of a table have other lengths than its head {head}")
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def blocks(page, *, of_examples=True):
    """(stem of an example, name of its table, what stands there) for each table of a page."""
    return [
        (match["stem"], match["name"], match["body"].strip("\n"))
        for match in BLOCK.finditer(page.read_text(encoding="utf-8"))
        if of_examples != ("." in match["stem"])  # else those of modules
    ]


def run(stem):
    """The tables that an example computes."""
    import matplotlib as mpl
    import matplotlib.pyplot as plt

    mpl.use("Agg")
    variables = runpy.run_path(str(EXAMPLES / f"{stem}.py"), run_name="__main__")
    plt.close("all")
    return variables["TABLES"]


def fill(page, tables):
    """Write the tables, as dictionaries by the stem of their example, into a page.

    What stands in the page and is not among them stays as it is.
    """

    def block(match):
        try:
            head, rows = tables[match["stem"]][match["name"]]
        except KeyError:
            return match[0]
        return f"{match[1]}\n{markdown(head, rows)}\n{match[5]}"

    page.write_text(BLOCK.sub(block, page.read_text(encoding="utf-8")), encoding="utf-8")


def main(names):
    """Fill the pages that are named, or all."""
    pages = [DOCS / f"{name}.md" for name in names] or sorted(DOCS.glob("*.md"))
    stems = {page: sorted({stem for stem, _, _ in blocks(page)}) for page in pages}
    tables = {stem: run(stem) for stem in sorted({s for many in stems.values() for s in many})}
    for page in pages:
        if stems[page]:
            fill(page, tables)


if __name__ == "__main__":
    main(sys.argv[1:])
