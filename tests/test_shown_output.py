"""Pages that show what their code prints show the truth."""

import io
import re
from contextlib import redirect_stdout
from pathlib import Path

import matplotlib.pyplot as plt
import pytest

DOCS = Path(__file__).parents[1] / "docs"
BLOCK = re.compile(r"^```(python|text)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
NUMBER = re.compile(r"(?<![\w.])[-+]?\d+(?:\.\d*)?(?:e[-+]?\d+)?")


def steps(page):
    """Each block of Python with what is shown below it, or None."""
    found = BLOCK.findall(page.read_text(encoding="utf-8"))
    for (kind, code), (next_kind, text) in zip(found, [*found[1:], ("", "")], strict=True):
        if kind == "python":
            yield code, text if next_kind == "text" else None


PAGES = [
    page for page in sorted(DOCS.glob("*.md")) if any(shown for _, shown in steps(page))
]


def same(shown, printed):
    """Words to the letter, but for blanks; numbers nearly, as versions of libraries differ.

    A search may then take other turns, so that no member has the number that it had.
    """
    shown, printed = (re.sub(r"member \d+", "member", text) for text in (shown, printed))
    words = [NUMBER.sub("#", text).split() for text in (shown, printed)]
    numbers = [[float(x) for x in NUMBER.findall(text)] for text in (shown, printed)]
    return words[0] == words[1] and numbers[0] == pytest.approx(numbers[1], rel=0.05, abs=0.03)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_what_is_shown_is_printed(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    namespace = {"__name__": "__main__"}
    try:
        for code, shown in steps(page):
            output = io.StringIO()
            with redirect_stdout(output):
                exec(compile(code, page.name, "exec"), namespace)
            if shown is not None:
                assert same(shown, output.getvalue()), f"{code}\nprints\n{output.getvalue()}"
            else:
                assert not output.getvalue(), f"{page.name} does not show what prints\n{code}"
    finally:
        plt.close("all")
    if page.stem == "getting_started":
        assert {path.name for path in tmp_path.iterdir()} == {
            "trade_offs.html",
            "trade_offs.png",
        }


def test_shown_and_printed_are_compared():
    assert same("G = 0.5031 of [ 1 -2.0]\n", "G = 0.5035 of [1. -2.001]")
    assert not same("G = 0.5", "G = 0.6")
    assert not same("G = 0.5", "H = 0.5")
    assert not same("1 2", "1")
    assert not same("3358", "4000")


def test_the_tutorial_is_among_them():
    assert "getting_started" in {page.stem for page in PAGES}
