"""The command line."""

import subprocess
import sys

import pytest

import skvus
from skvus.__main__ import main


def test_demo_prints_every_score(capsys):
    assert main(["demo"]) == 0
    out = capsys.readouterr().out
    for name in [*skvus.get_scorer_names(), "minus expected cost"]:
        (row,) = [line for line in out.splitlines() if line.startswith(f"{name}  ")]
        values = [float(cell.rstrip("*")) for cell in row.removeprefix(name).split()]
        assert len(values) == 3
        assert row.count("*") >= 1
    assert "simplified_vus of 3 classifiers" in out
    assert "nan" not in out
    assert max(map(len, out.splitlines())) <= 90


def test_demo_is_the_same_twice(capsys):
    main(["demo"])
    first = capsys.readouterr().out
    main(["demo"])
    assert capsys.readouterr().out == first


def test_module_runs_as_a_program():
    done = subprocess.run(
        [sys.executable, "-m", "skvus", "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == f"skvus {skvus.__version__}"


@pytest.mark.parametrize("argv", [[], ["nonsense"]])
def test_unknown_commands_explain_themselves(argv, capsys):
    with pytest.raises(SystemExit) as stop:
        main(argv)
    assert stop.value.code == 2
    assert "demo" in capsys.readouterr().err
