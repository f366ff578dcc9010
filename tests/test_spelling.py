"""Prose is spelt the British way; names in code are those of scikit-learn and matplotlib.

Plain misspellings are found by codespell (`.ci/run`).
"""

import ast
import io
import re
import tokenize
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]
FOLDERS = ("skvus/**", "examples", "benchmarks/**", "tests", "docs")
CODE = [path for folder in FOLDERS for path in ROOT.glob(f"{folder}/*.py")]
AMERICAN = re.compile(
    r"\b("
    r"colors?|colored|coloring|centers?|centered|neighbors?|neighboring|behaviors?|favor\w*"
    r"|gray|artifacts?|labeled|labeling|modeled|modeling|traveled|canceled"
    r"|(?:general|initial|maxim|minim|normal|optim|organ|penal|random|real|recogn|regular"
    r"|serial|special|standard|summar|symmetr|util|vector|visual)iz(?:e[drs]?|ing|ations?)"
    r"|analyz\w+|catalogs?|defense|fulfills?|skillful"
    r")\b",
    re.IGNORECASE,
)
# what others have named: code, and the titles of papers
NAMES = re.compile(r"```.*?```|``.*?``|`[^`]*`|\$[^$]+\$|https?://\S+|\"[^\"]*\"", re.DOTALL)


def american(text):
    return [match.group() for match in AMERICAN.finditer(NAMES.sub("", text))]


def prose_of(path):
    """Docstrings without their examples and the names that they list, and comments."""
    source = path.read_text()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)):
            lines = (ast.get_docstring(node) or "").splitlines()
            code = re.compile(r"\s*(>>>|\.\.\.)|[\w., ]+ : ")
            yield "\n".join(line for line in lines if not code.match(line))
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.string


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_pages(path):
    assert not american(path.read_text())


@pytest.mark.parametrize("path", CODE, ids=lambda path: str(path.relative_to(ROOT)))
def test_docstrings_and_comments(path):
    assert not [word for text in prose_of(path) for word in american(text)]


def test_it_sees():
    assert american("The color of the centre, optimized") == ["color", "optimized"]
    assert american('In "Color", a behavior of') == ["behavior"]
    assert not american("Passed on as `color=`, by `normalize`:\n```\ncenter\n```\n")
