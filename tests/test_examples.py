"""The gallery runs, without warnings, and draws something."""

import runpy
from pathlib import Path

import matplotlib as mpl
import pytest

EXAMPLES = sorted((Path(__file__).parents[1] / "examples").glob("plot_*.py"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example_runs(path, capsys):
    mpl.use("Agg")
    import matplotlib.pyplot as plt

    shown = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plt, "show", lambda: shown.extend(plt.get_fignums()))
        runpy.run_path(str(path), run_name="__main__")
    plt.close("all")
    assert shown
    assert capsys.readouterr().out
