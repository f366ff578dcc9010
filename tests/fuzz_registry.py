"""The registry of what is fuzzed, and how a case of it is drawn."""

import inspect
import sys
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from fuzz_oracle import anything
from fuzz_parameters import ALWAYS, NOT_SPOILED, POOL
from fuzz_values import problems, spoiled
from hypothesis import strategies as st

import skvus
from skvus import datasets, plotting


class Entry(NamedTuple):
    """A public name: how to call it, with what, and what must hold of the result."""

    name: str
    call: Callable
    parameters: dict  # name -> (function of draw and problem, kind of parameter)
    check: Callable
    words: tuple  # one of which an error must have
    delegates: bool  # whether others, estimators, may raise and warn in their own words
    untouched: frozenset  # parameters that are not spoiled
    most_classes: int  # more take minutes, as documented


class Case(NamedTuple):
    """A call."""

    entry: Entry
    arguments: tuple
    keywords: dict

    def text(self):
        """The call as code, or nearly."""
        with np.printoptions(threshold=sys.maxsize, floatmode="unique"):
            parts = [repr(value) for value in self.arguments]
            parts += [f"{name}={value!r}" for name, value in self.keywords.items()]
        return f"{self.entry.name}({', '.join(parts)})"


REGISTRY = {}
NOT_FUZZED = []  # parameters that nobody has told how to draw


def register(
    name,
    call,
    check=anything,
    /,
    *,
    words=(),
    delegates=False,
    untouched=(),
    most_classes=5,
    **changes,
):
    """Add an entry; parameters are those of the signature, drawn from the pool by name."""
    parameters = {}
    for parameter in inspect.signature(call).parameters.values():
        if parameter.kind in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL):
            continue
        source = changes.get(parameter.name, POOL.get(parameter.name))
        if source is None:
            NOT_FUZZED.append(f"{parameter.name} of {name}")
            continue
        parameters[parameter.name] = (source, parameter)
    words = (*parameters, *words)
    untouched = frozenset(untouched) | NOT_SPOILED
    REGISTRY[name] = Entry(
        name, call, parameters, check, words, delegates, untouched, most_classes
    )


@st.composite
def cases(draw, name):
    """A call of a public name: most arguments as documented, some of them spoiled."""
    entry = REGISTRY[name]
    problem = draw(problems(entry.most_classes))
    names = list(entry.parameters)
    n_spoiled = draw(st.sampled_from([0, 1, 0, 1, 2])) if names else 0
    wrong = {draw(st.sampled_from(names)) for _ in range(n_spoiled)}
    arguments, keywords = [], {}
    for parameter_name, (source, parameter) in entry.parameters.items():
        is_required = parameter.default is parameter.empty
        is_wanted = is_required or parameter_name in ALWAYS | wrong
        # of many options few at a time, or they would hardly ever go together
        if not is_wanted and draw(st.integers(0, 1 + len(names) // 8)):
            continue
        value = source(draw, problem)
        if parameter_name in wrong and parameter_name not in entry.untouched:
            value = draw(spoiled(value))
        if is_required and parameter.kind != parameter.KEYWORD_ONLY:
            arguments.append(value)
        else:
            keywords[parameter_name] = value
    return Case(entry, tuple(arguments), keywords)


def public_names():
    """Functions, classes and the methods that classes do not have from elsewhere."""
    names = {f"datasets.{name}" for name in datasets.__all__}
    found = {name: getattr(skvus, name) for name in skvus.__all__}
    found |= {f"plotting.{name}": getattr(plotting, name) for name in plotting.__all__}
    for name, value in found.items():
        if inspect.ismodule(value):
            continue
        names.add(name)
        if inspect.isclass(value):
            methods = {m: getattr(value, m, None) for m in dir(value) if not m.startswith("_")}
            names |= {
                f"{name}.{method}"
                for method, function in methods.items()
                if callable(function) and "skvus" in (getattr(function, "__module__", "") or "")
            }
    return names
