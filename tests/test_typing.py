"""Hints: they are everywhere, a type checker agrees with them, and what happens does, too."""

import importlib
import inspect
import os
import re
import subprocess
import sys
import types
import typing
from dataclasses import is_dataclass
from importlib.resources import files
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pytest
import typing_cases
from numpydoc.docscrape import get_doc_object

import skvus

HERE = Path(__file__).parent
ROOT = HERE.parent
MODULES = ("", ".classifiers", ".datasets", ".front", ".metrics", ".plotting", ".search")
PUBLIC = {
    member
    for module in (importlib.import_module(f"skvus{name}") for name in MODULES)
    for member in (getattr(module, name) for name in module.__all__)
    if not inspect.ismodule(member)
}
CLASSES = sorted(filter(inspect.isclass, PUBLIC), key=lambda member: member.__name__)
# Of what the language calls, that which users call by other means.
SPECIAL = {"__call__", "__getitem__", "__init__", "__iter__", "__len__", "__new__", "__repr__"}
CASES = [function for name, function in vars(typing_cases).items() if name.startswith("case_")]
MISTAKES = HERE / "typing_mistakes.py"


def ours(cls):
    """Public functions that skvus wrote into a class, by name."""
    for base in cls.__mro__:
        if not base.__module__.startswith("skvus"):
            continue
        for name, member in vars(base).items():
            if name.startswith("_") and name not in SPECIAL:
                continue
            member = getattr(member, "fget", getattr(member, "__func__", member))
            # what dataclasses and named tuples make of fields has the types of these
            is_made = name in SPECIAL and (is_dataclass(base) or hasattr(base, "_fields"))
            if is_made and "skvus" not in inspect.unwrap(member).__code__.co_filename:
                continue
            if hasattr(member, "fn"):  # of `available_if`
                member = member.fn
            if inspect.isfunction(member):
                yield f"{cls.__name__}.{name}", inspect.unwrap(member)


CALLABLES = {member.__name__: member for member in PUBLIC if not inspect.isclass(member)}
for cls in CLASSES:
    CALLABLES.update(ours(cls))


@pytest.mark.parametrize("name", CALLABLES)
def test_signatures_can_be_read(name):
    """As ``help`` shows them: short names, not what numpy and typing make of these."""
    signature = str(inspect.signature(CALLABLES[name]))
    assert not re.search(r"numpy\._typing|Union\[|typing\.|collections\.abc", signature), (
        signature
    )


@pytest.mark.parametrize("name", sorted(CALLABLES))
def test_public_callables_have_hints(name):
    signature = inspect.signature(CALLABLES[name])
    unknown = [
        parameter.name
        for position, parameter in enumerate(signature.parameters.values())
        if parameter.annotation is parameter.empty
        and not (position == 0 and parameter.name in ("self", "cls"))
    ]
    assert not unknown
    assert signature.return_annotation is not signature.empty


def test_callables_are_found():
    assert len(CALLABLES) > 150
    wanted = {
        "CostMatrixClassifier.decision_function",
        "OrderingResult.__new__",
        "ParetoROCSearch.fit",
        "ROCFront.gini",
        "ROCFront.load",
        "ROCFront.n_classes",
        "WithinLimits.choose",
        "polytope_vus",
    }
    assert wanted <= set(CALLABLES)
    assert "LeastCost.__init__" not in CALLABLES  # of a dataclass


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
def test_documented_attributes_have_types(cls):
    listed = [row.name for row in get_doc_object(cls)["Attributes"] if row.type]
    names = {name for row in listed for name in row.split(", ")}
    declared = {name for base in cls.__mro__ for name in getattr(base, "__annotations__", {})}
    computed = {name for name in dir(cls) if isinstance(getattr(cls, name), property)}
    writes_it = "__init__" in vars(cls) and not is_dataclass(cls)
    made = inspect.getsource(cls.__init__) if writes_it else ""
    assigned = set(re.findall(r"self\.(\w+)(?:: [^=]+)? = ", made))
    assert names <= declared | computed | assigned


def test_type_checkers_are_told():
    assert (files("skvus") / "py.typed").is_file()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_types_are_what_they_are_said_to_be(case, monkeypatch):
    n_checked = 0

    def check(value, expected):
        nonlocal n_checked
        n_checked += 1
        assert is_of(value, expected), (value, expected)

    monkeypatch.setattr(typing_cases, "assert_type", check)
    case()
    plt.close("all")
    assert n_checked


def is_of(value, expected):
    """Whether a value is of a type, its parts included."""
    origin, parts = typing.get_origin(expected), typing.get_args(expected)
    if expected is typing.Any:
        return True
    if hasattr(origin, "__value__"):  # an alias, as which newer numpy has NDArray
        return is_of(value, origin.__value__[parts])
    if origin in (typing.Union, types.UnionType):
        return any(is_of(value, part) for part in parts)
    if origin is np.ndarray:
        (scalar,) = typing.get_args(parts[1])
        return isinstance(value, np.ndarray) and (
            scalar is typing.Any or np.issubdtype(value.dtype, scalar)
        )
    if origin is tuple:
        pairs = zip(value, parts, strict=True)
        return isinstance(value, tuple) and all(is_of(*pair) for pair in pairs)
    if origin is list:
        return isinstance(value, list) and all(is_of(item, parts[0]) for item in value)
    return isinstance(value, origin or expected)


def mypy(*arguments, cwd):
    # an editable installation is on the path by other means, which mypy does not know
    environment = {**os.environ, "PYTHONPATH": str(Path(skvus.__file__).parents[1])}
    command = [sys.executable, "-m", "mypy", f"--cache-dir={cwd / '.mypy_cache'}", *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, env=environment)


@pytest.fixture(scope="module")
def checked(tmp_path_factory):
    """What ``mypy --strict`` says to a user, who has skvus installed, line by line."""
    paths = [str(Path(__file__).with_name(name)) for name in ("typing_cases.py", MISTAKES.name)]
    folder = tmp_path_factory.mktemp("typing")
    return mypy("--strict", "--config-file=", *paths, cwd=folder).stdout.splitlines()


def test_right_code_is_accepted(checked):
    assert checked[-1].startswith("Found ")  # it ran
    assert not [line for line in checked[:-1] if MISTAKES.name not in line]


def test_wrong_code_is_refused(checked):
    error = re.compile(rf"{MISTAKES.name}:(\d+): error: .* \[([\w-]+)\]$")
    found = {match.groups() for match in map(error.search, checked) if match}
    wanted = {
        (str(number), line.partition("# error: ")[2])
        for number, line in enumerate(MISTAKES.read_text().splitlines(), 1)
        if "# error: " in line
    }
    assert len(wanted) > 15
    assert found == wanted


def test_the_package_agrees_with_its_hints():
    if not (ROOT / "skvus").is_dir():
        pytest.skip("skvus is not here, but installed.")
    result = mypy(cwd=ROOT)
    assert result.returncode == 0, result.stdout
