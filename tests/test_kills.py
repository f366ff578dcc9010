"""SIGKILL at random moments: what is left is whole, and leads to the same bits."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

# In a process of its own, whose children are killed: they start warm, so that kills come at
# all moments of a search and not only while libraries are loaded.
KILLS = """
import os, random, signal, sys, time
from pathlib import Path

sys.path.insert(0, sys.argv[2])
from scipy.stats import loguniform
from search_cases import outcome, quick
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression

path, kind, n_kills = sys.argv[1], sys.argv[3], int(sys.argv[4])
X, y = load_iris(return_X_y=True)
X = X[:, :2]
options = {
    "costs": {"n_generations": 400, "n_costs": 30},
    "params": {"param_distributions": {"var_smoothing": loguniform(1e-9, 1.0)},
               "n_offspring": 2, "n_generations": 60, "n_initial": 20},
    "islands": {"n_generations": 150, "n_islands": 2, "max_front_size": 150},
}[kind]
started = time.perf_counter()
whole = quick(**options).fit(X, y)
took = time.perf_counter() - started
resumed = {**options, "checkpoint": path, "checkpoint_every": 1}
chance = random.Random(0)
killed = ended = 0
while killed < n_kills:
    child = os.fork()
    if child == 0:
        try:
            quick(**resumed).fit(X, y)
        finally:
            os._exit(0)
    time.sleep(chance.uniform(0.0, 0.3))
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    killed += os.WIFSIGNALED(status)
    ended += not os.WIFSIGNALED(status)
    if ended > 2:  # it is done: begin again, so that all kills hit a search
        ended = 0
        for name in (path, path + ".previous"):
            Path(name).unlink(missing_ok=True)
before = os.path.exists(path) or os.path.exists(path + ".previous")
search = quick(**resumed).fit(X, y)
assert outcome(search) == outcome(whole), "another front"
for name in ("generation", "evaluations", "size", "gini", "distance"):
    assert search.logbook_.select(name) == whole.logbook_.select(name), name
left = [p for p in os.listdir(os.path.dirname(path)) if ".part-" in p]
assert not left, left
print(killed, before)
"""


def run_kills(path, kind, n_kills):
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            KILLS,
            str(path),
            str(Path(__file__).parent),
            kind,
            str(n_kills),
        ],
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@pytest.mark.parametrize("kind", ["costs", "params", "islands"])
def test_kills_at_random_moments(tmp_path, kind):
    killed, _ = run_kills(tmp_path / "search.skvus", kind, 20)
    assert int(killed) >= 20


@pytest.mark.long
@pytest.mark.parametrize("kind", ["costs", "params", "islands"])
def test_many_kills(tmp_path, kind):
    killed, _ = run_kills(tmp_path / "search.skvus", kind, 300)
    assert int(killed) >= 300


def test_the_signal_is_not_one_that_python_handles():
    with pytest.raises(OSError, match="Invalid argument"):
        signal.signal(signal.SIGKILL, signal.SIG_IGN)
