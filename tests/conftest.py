"""Examples run once a session, whichever tests look at them."""

import io
import runpy
from contextlib import redirect_stdout
from pathlib import Path
from typing import NamedTuple

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"


class ExampleRun(NamedTuple):
    """What an example leaves behind."""

    variables: dict
    output: str
    n_figures: int


@pytest.fixture(scope="session")
def run_example():
    """Function that runs ``examples/<stem>.py`` without showing its figures."""
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    runs = {}

    def run(stem):
        if stem not in runs:
            shown, output = [], io.StringIO()
            with pytest.MonkeyPatch.context() as patch, redirect_stdout(output):
                patch.setattr(plt, "show", lambda: shown.extend(plt.get_fignums()))
                variables = runpy.run_path(str(EXAMPLES / f"{stem}.py"), run_name="__main__")
            plt.close("all")
            runs[stem] = ExampleRun(variables, output.getvalue(), len(shown))
        return runs[stem]

    return run
