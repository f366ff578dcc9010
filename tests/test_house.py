"""The house rules: layers, public names, documentation, imports."""

import ast
import importlib
import inspect
import math
import pydoc
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import matplotlib.pyplot as plt
import pytest
from numpydoc.docscrape import get_doc_object
from numpydoc.validate import validate

import skvus

PACKAGE = Path(skvus.__file__).parent
ROOT = Path(__file__).parents[1]
MODULES = sorted(PACKAGE.rglob("*.py"))
GUIDES = [f"docs/{path.name}" for path in sorted((ROOT / "docs").glob("guide_*.md"))]
GUIDES += ["docs/which_score.md"]  # what others show is compared in test_shown_output.py
# Lower may not import higher. Neighbours may import each other.
LAYERS = {
    "_kernels": 0,
    "_typing": 0,
    "_blocks": 1,
    "_hints": 1,
    "_validation": 1,
    "_labels": 1,
    "_rates": 1,
    "_soft": 1,
    "_costs": 1,
    "_files": 1,
    "_page": 1,
    "metrics": 2,
    "datasets": 2,
    "front": 3,
    "classifiers": 3,
    "search": 4,
    "plotting": 5,
    "__init__": 6,
    "_cli": 7,
    "__main__": 8,
}
# Packages whose names skvus has as its own, too.
PACKAGES = (skvus.metrics, skvus.front, skvus.classifiers, skvus.search)
PUBLIC = [(package.__name__, name) for package in PACKAGES for name in package.__all__]
APART = (skvus.datasets, skvus.plotting)  # whose names skvus does not have
PUBLIC += [(package.__name__, name) for package in APART for name in package.__all__]
METHODS = [
    f"{package.__name__}.{name}.{method}"
    for package in (skvus.front, skvus.classifiers, skvus.search, skvus.plotting, skvus.metrics)
    for name in package.__all__
    if isinstance(getattr(package, name), type)
    for method in dir(getattr(package, name))
    if not method.startswith("_")
    and callable(getattr(getattr(package, name), method))
    # what scikit-learn and named tuples bring along is documented there
    and "skvus" in str(getattr(getattr(getattr(package, name), method), "__module__", ""))
]
# What scikit-learn asks of an estimator, and documents.
SKLEARN_METHODS = {
    *("decision_function", "fit", "get_metadata_routing"),
    *("predict", "predict_log_proba", "predict_proba"),
}
# We name what is returned, and let a summary start with what it is.
NUMPYDOC_EXCEPTIONS = {"RT02", "SS05", "ES01"}


def layer_of(path):
    return LAYERS[path.relative_to(PACKAGE).parts[0].removesuffix(".py")]


def docstrings_of(owner):
    """Docstrings of a class and of its methods, inherited ones included."""
    yield inspect.getdoc(owner) or ""
    for name in dir(owner):
        if not name.startswith("_"):
            yield inspect.getdoc(getattr(owner, name)) or ""


def imports_of(path):
    """Yield (module, name or None) for every import, those inside functions included."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, None
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            for alias in node.names:
                yield node.module, alias.name


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_nothing_imports_upward(path):
    for module, name in imports_of(path):
        if module == "skvus":
            if name is not None:
                assert LAYERS[name] <= layer_of(path)
            else:
                assert layer_of(path) > LAYERS["__init__"]
        elif module.startswith("skvus."):
            assert LAYERS[module.split(".")[1]] <= layer_of(path), module


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_private_names_of_others_are_left_alone(path):
    for module, name in imports_of(path):
        if not module.startswith("skvus") and module != "__future__":
            parts = [*module.split("."), name or ""]
            assert not any(part.startswith("_") for part in parts), (module, name)
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Attribute) and node.attr.startswith("_"):
            is_own = isinstance(node.value, ast.Name) and node.value.id == "self"
            assert is_own or node.attr.startswith("__"), node.attr


def test_kernels_know_nothing_of_scikit_learn():
    for path in (PACKAGE / "_kernels").glob("*.py"):
        for module, _ in imports_of(path):
            assert module.split(".")[0] in {"numpy", "scipy", "numba", "functools", "skvus"}


def test_importing_skvus_is_light():
    code = "import sys, skvus; print(*sorted({m.split('.')[0] for m in sys.modules}))"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    ).stdout.split()
    heavy = {"numba", "llvmlite", "moocore", "matplotlib", "plotly", "deap", "dask", "tqdm"}
    assert not heavy & set(loaded)


def test_importing_skvus_takes_little_beyond_the_metrics_of_scikit_learn():
    code = (
        "import sys, sklearn.metrics; known = set(sys.modules); import skvus\n"
        "print(*sorted(set(sys.modules) - known))"
    )
    added = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    ).stdout.split()
    known = {"skvus", *sys.stdlib_module_names}
    others = [name for name in added if name.split(".")[0] not in known]
    assert {name.split(".")[0] for name in others} == {"sklearn"}
    assert len(others) <= 15, others  # splitters and what they bring along, frozen, pipeline


def test_public_names_are_exported_and_sorted():
    for module in (skvus, *APART, *PACKAGES):
        assert module.__all__ == sorted(module.__all__)
        assert all(hasattr(module, name) for name in module.__all__)
    modules = {"classifiers", "datasets", "front", "metrics", "plotting", "search"}
    assert set(skvus.__all__) == {name for p in PACKAGES for name in p.__all__} | modules
    for package in (*PACKAGES, skvus.plotting):
        public_functions = {
            node.name
            for path in Path(package.__file__).parent.glob("*.py")
            for node in ast.parse(path.read_text()).body
            if isinstance(node, (ast.FunctionDef, ast.ClassDef))
            and ">>>" in (ast.get_docstring(node) or "")
        }
        assert public_functions == set(package.__all__)


@pytest.mark.parametrize(("module", "name"), PUBLIC)
def test_public_names_are_documented(module, name):
    errors = [
        error
        for error in validate(f"{module}.{name}")["errors"]
        if error[0] not in NUMPYDOC_EXCEPTIONS
    ]
    assert not errors
    doc = get_doc_object(getattr(importlib.import_module(module), name))
    assert any(">>>" in line for line in doc["Examples"])


@pytest.mark.parametrize("name", skvus.metrics.__all__)
def test_options_of_scores_are_named(name):
    function = getattr(skvus.metrics, name)
    if not isinstance(function, type):
        options = list(inspect.signature(function).parameters.values())[1:]
        options = [option for option in options if option.default is not option.empty]
        names = {option.name for option in options if option.kind is not option.KEYWORD_ONLY}
        assert names <= {"random_state"}  # as in samplers of scipy


@pytest.mark.parametrize("path", [*(f"{module}.{name}" for module, name in PUBLIC), *METHODS])
def test_defaults_are_those_that_are_documented(path):
    documented = {
        part.name: part.type.rpartition("default=")[2]
        for part in get_doc_object(pydoc.locate(path))["Parameters"]
        if "default=" in part.type
    }
    options = inspect.signature(pydoc.locate(path)).parameters
    for name, text in documented.items():
        default = math.nan if text == "np.nan" else ast.literal_eval(text)
        assert repr(options[name].default) == repr(default)
    if inspect.isfunction(pydoc.locate(path)):
        assert {n for n, o in options.items() if o.default is not o.empty} == set(documented)


@pytest.mark.parametrize("method", METHODS)
def test_public_methods_are_documented(method):
    # the class has the example and the references
    exceptions = NUMPYDOC_EXCEPTIONS | {"SA01", "EX01"}
    assert not [error for error in validate(method)["errors"] if error[0] not in exceptions]


@pytest.mark.parametrize("method", METHODS)
def test_public_methods_are_shown_at_work(method):
    # by an example of their own or of their class; `choose` is called by `front.select`
    module, owner, name = method.rsplit(".", 2)
    if name in SKLEARN_METHODS or name == "choose":
        return
    texts = docstrings_of(getattr(importlib.import_module(module), owner))
    lines = [line for text in texts for line in text.splitlines()]
    assert any(f".{name}(" in line for line in lines if re.match(r"\s*(>>>|\.\.\.) ", line))


@pytest.mark.parametrize(("module", "name"), PUBLIC)
def test_public_names_are_listed_in_the_api_page(module, name):
    listed = re.findall(r"^\| `([\w.]+)` \|", (ROOT / "docs/api.md").read_text(), re.MULTILINE)
    is_apart = module in {package.__name__ for package in APART}
    assert (f"{module.removeprefix('skvus.')}.{name}" if is_apart else name) in listed


def test_api_page_lists_nothing_else():
    listed = re.findall(r"^\| `([\w.]+)` \|", (ROOT / "docs/api.md").read_text(), re.MULTILINE)
    assert len(listed) == len(set(listed)) == len(PUBLIC)


def test_readme_gives_the_commands_that_ci_runs():
    readme = (ROOT / "README.md").read_text()
    command = 'python -m pip install ".[test]" && python -m pytest'
    assert f"    {command}\n" in readme
    assert f"\n{command}\n" in (ROOT / ".ci/run").read_text()
    assert "    python -m pip install . && python -m skvus demo\n" in readme


@pytest.mark.parametrize("page", ["README.md", *GUIDES])
def test_code_in_the_docs_runs(page):
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(), re.DOTALL)
    assert blocks
    namespace = {}
    try:
        for block in blocks:
            exec(compile(block, page, "exec"), namespace)
    finally:
        plt.close("all")


def test_links_in_the_docs_lead_somewhere():
    for page in [ROOT / "README.md", *(ROOT / "docs").glob("*.md"), ROOT / "CONTRIBUTING.md"]:
        for target in re.findall(r"\]\(([^)#]+)\)", page.read_text()):
            assert target.startswith("http") or (page.parent / target).exists(), (page, target)


def test_architecture_names_the_files_that_there_are():
    tree = (ROOT / "docs/architecture.md").read_text(encoding="utf-8").split("```")[1]
    named = set(re.findall(r"\b\w+\.(?:py|js|css|html)\b", tree))
    folders = [
        ROOT / "docs",
        ROOT / "docs/_site",
        *(p for p in PACKAGE.rglob("*") if p.is_dir()),
    ]
    there = {
        path.name
        for folder in [PACKAGE, *folders]
        for kind in ("py", "js", "css", "html")
        for path in folder.glob(f"*.{kind}")
    }
    assert named == there


def test_readme_names_the_oldest_versions_of_pyproject():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    python = project["requires-python"].removeprefix(">=")
    (found,) = (r for r in project["dependencies"] if r.startswith("scikit-learn>="))
    sentence = f"Python {python} or newer, scikit-learn {found.partition('>=')[2]} or newer."
    assert sentence in (ROOT / "README.md").read_text()


def test_version_stands_in_one_place():
    assert 'version = { attr = "skvus.__version__" }' in (ROOT / "pyproject.toml").read_text()
    assert re.fullmatch(r"\d+\.\d+\.\d+(\.dev\d+)?", skvus.__version__)
