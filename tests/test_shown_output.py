"""Pages that show what their code prints show the truth."""

import io
import re
from contextlib import redirect_stdout
from pathlib import Path

import matplotlib.pyplot as plt
import pytest

DOCS = Path(__file__).parents[1] / "docs"
BLOCK = re.compile(
    r"^```python\n(.*?)^```$(?:\n\n^```text\n(.*?)^```$)?", re.DOTALL | re.MULTILINE
)
NUMBER = re.compile(r"(?<![\w.])[-+]?\d+(?:\.\d*)?(?:e[-+]?\d+)?")


def steps(page):
    """Each block of Python with what is shown right below it, or an empty string."""
    return BLOCK.findall(page.read_text(encoding="utf-8"))


PAGES = [page for page in sorted(DOCS.glob("*.md")) if any(shown for _, shown in steps(page))]


def same(shown, printed, rel=0.002, abs=1e-6):
    """Words to the letter, but for blanks and the numbers of members; numbers nearly."""
    shown, printed = (re.sub(r"member \d+", "member", text) for text in (shown, printed))
    words = ["".join(NUMBER.sub("#", text).split()) for text in (shown, printed)]
    numbers = [[float(x) for x in NUMBER.findall(text)] for text in (shown, printed)]
    return words[0] == words[1] and numbers[0] == pytest.approx(numbers[1], rel=rel, abs=abs)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_what_is_shown_is_printed(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    namespace = {"__name__": "__main__"}
    # with other versions of libraries a search may take other turns
    tolerance = {"rel": 0.05, "abs": 0.03} if page.stem == "getting_started" else {}
    try:
        for code, shown in steps(page):
            output = io.StringIO()
            with redirect_stdout(output):
                exec(compile(code, page.name, "exec"), namespace)
            printed = output.getvalue()
            assert same(shown, printed, **tolerance), f"{code}\nprints\n{printed}"
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
