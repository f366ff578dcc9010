"""Data that several files look at; examples, which run once a session."""

import io
import runpy
import signal
from contextlib import redirect_stdout
from pathlib import Path
from typing import NamedTuple

import pytest
from browser import open_browser
from sklearn.datasets import load_iris, load_wine, make_blobs

EXAMPLES = Path(__file__).parents[1] / "examples"


class ExampleRun(NamedTuple):
    """What an example leaves behind."""

    variables: dict
    output: str
    n_figures: int


@pytest.fixture(autouse=True, scope="session")
def ctrl_c_works():
    """Processes in the background ignore it, and tests send it to themselves."""
    previous = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, previous)


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
            plt.close("all")  # what other tests have left
            with pytest.MonkeyPatch.context() as patch, redirect_stdout(output):
                patch.setattr(plt, "show", lambda: shown.extend(plt.get_fignums()))
                variables = runpy.run_path(str(EXAMPLES / f"{stem}.py"), run_name="__main__")
            plt.close("all")
            runs[stem] = ExampleRun(variables, output.getvalue(), len(shown))
        return runs[stem]

    return run


@pytest.fixture(scope="module")
def iris():
    """Two features on which the classes overlap."""
    X, y = load_iris(return_X_y=True)
    return X[:, :2], y


@pytest.fixture(scope="module")
def wine():
    """Three measurements by which the classes can nearly be told apart."""
    X, y = load_wine(return_X_y=True)
    return X[:, [1, 2, 7]], y


@pytest.fixture(scope="module")
def pair():
    """Two classes that overlap."""
    return make_blobs(
        150, centers=[[0.0, 0.0], [1.8, 0.8]], cluster_std=1.0, n_features=2, random_state=0
    )


@pytest.fixture(scope="session")
def downloads(tmp_path_factory):
    """Where it saves files."""
    return tmp_path_factory.mktemp("downloads")


@pytest.fixture(scope="session")
def browser(downloads):
    """A browser without a window, for all pages of the explorer."""
    browser = open_browser(downloads)
    yield browser
    browser.quit()
