"""Whole processes: tables of text, and imports."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

from benchmarks.peers.measuring import OURS, Contest, Row, Section, tell
from benchmarks.seeing import PEER, write_table

TEXT = """
Processes from their start to their end, Python and imports included; the file is in the memory
of the system. Seconds are those of the processor, of all threads.
"""


def of_child(*arguments):
    """Seconds of the processor that a process takes, and the last line that it prints."""
    before = getrusage(RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        check=True,
        text=True,
        cwd=Path(__file__).parents[2],
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )
    after = getrusage(RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return spent, done.stdout.strip().splitlines()


def best_of(repeats, *arguments):
    """Least seconds of several runs, and what the last one printed."""
    runs = [of_child(*arguments) for _ in range(repeats)]
    return min(spent for spent, _ in runs), runs[-1][1]


def _tables(quick):
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder, "predictions.csv"))
        for n in (300,) if quick else (10_000, 100_000, 1_000_000):
            write_table(path, n)
            ours, printed = best_of(
                1 if quick else 3,
                *("-m", "skvus", "score", path, "--score", "hand_till", "--json"),
            )
            theirs, found = best_of(1 if quick else 3, "-c", PEER, path)
            apart = abs(_score_of(printed) - float(found[-1]))
            rows.append(Row(n, {OURS: ours, "pandas and scikit-learn": theirs}, apart))
    contest = Contest(
        "Score of a CSV file",
        "`skvus score --score hand_till` against a script of six lines: `pandas.read_csv`, "
        '`roc_auc_score(multi_class="ovo")`',
        "rows",
        rows,
        tolerance=1e-9,
        if_slower="skvus reads with the csv module of Python, whatever is installed, so that "
        "everybody gets the same numbers and errors that name a line; `pandas.read_csv` is "
        "compiled",
    )
    tell(contest)
    return contest


def _score_of(printed):
    return json.loads("\n".join(printed))["scores"]["hand_till"]["value"]


def _imports(quick):
    empty = best_of(2 if quick else 9, "-c", "pass")[0]
    ours, theirs = (
        best_of(2 if quick else 9, "-c", f"import {name}")[0] - empty
        for name in ("skvus", "sklearn.metrics")
    )
    contest = Contest(
        "Import",
        "`import skvus` against `import sklearn.metrics`, which is most of it; the start of "
        "Python is taken off",
        "imports",
        [Row(1, {OURS: ours, "scikit-learn": theirs}, None)],
        if_slower="skvus imports the same, and then itself",
    )
    tell(contest)
    return contest


def run(quick):
    """All contests of processes."""
    return Section("Files and imports", TEXT, [_tables(quick), _imports(quick)])
