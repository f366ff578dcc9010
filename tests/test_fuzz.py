"""A small share of what `python -m benchmarks.fuzz` does, the same in every run."""

import random

import fuzz_cases  # noqa: F401 - fills the registry
import fuzz_displays  # noqa: F401
import fuzz_estimators  # noqa: F401
import pytest
from fuzz_files import LOADERS, draw_case, put_together, run_file_case, taken_apart
from fuzz_oracle import FuzzError, run_case
from fuzz_registry import NOT_FUZZED, REGISTRY, Case, Entry, cases, public_names
from hypothesis import HealthCheck, given, settings

CASES, FILES = 10, 60


def test_every_public_name_is_fuzzed():
    assert not public_names() - set(REGISTRY)
    assert not NOT_FUZZED


@pytest.mark.parametrize("name", sorted(REGISTRY))
def test_calls(name):
    @settings(
        max_examples=CASES,
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(cases(name))
    def check(case):
        run_case(case)

    check()


@pytest.mark.parametrize("name", sorted(LOADERS))
def test_files(name):
    for seed in range(FILES):
        run_file_case(draw_case(name, seed))


@pytest.mark.parametrize("name", sorted(LOADERS))
def test_what_is_put_together_again_is_loaded(name):
    # forged files get past the checksum, else forgeries would test nothing
    loader = LOADERS[name]
    for sample in loader.samples:
        assert run_file_case(draw_case(name, 0)._replace(steps=())) == "returned"
        assert taken_apart(put_together(*taken_apart(sample)))[0] == taken_apart(sample)[0]


# --- the oracle itself ------------------------------------------------------------


def called(function, *arguments):
    entry = Entry("f", function, {}, lambda *_: None, ("parameter",), False, frozenset(), 3)
    return run_case(Case(entry, arguments, {}))


def sorts(values):
    values.sort()


def warns(values):
    import numpy as np

    return np.float64(1.0) / np.float64(0.0)


def raises(error):
    def function(values):
        raise error

    return function


WRONG = {
    "input changed": sorts,
    "warning of numpy": warns,
    "other exception": raises(KeyError("parameter")),
    "no message": raises(ValueError()),
    "message of others": raises(ValueError("parameter: shapes cannot be broadcast")),
    "not from skvus": raises(ValueError("parameter must be another")),
}


@pytest.mark.parametrize("kind", WRONG)
def test_the_oracle_sees(kind):
    with pytest.raises(FuzzError):
        called(WRONG[kind], [random.Random(0).random(), -1.0])


def test_the_oracle_is_content():
    assert called(len, [1.0]) == "returned"
