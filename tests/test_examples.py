"""The gallery runs, without warnings, and draws something."""

from pathlib import Path

import pytest

STEMS = sorted(path.stem for path in (Path(__file__).parents[1] / "examples").glob("plot_*.py"))


@pytest.mark.parametrize("stem", STEMS)
def test_example_runs(stem, run_example):
    run = run_example(stem)
    assert run.n_figures > 0
    assert run.output
