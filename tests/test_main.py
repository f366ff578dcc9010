"""The command line as a program, and its demo."""

import os
import stat
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest

import skvus
from skvus.__main__ import main


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    """The demo writes a page into the current folder."""
    monkeypatch.chdir(tmp_path)


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
    page = Path("skvus-demo.html").read_text()
    assert first.endswith(f"in a browser:\n{Path('skvus-demo.html').absolute()}\n")
    assert "<title>skvus demo: trade-offs between three cultivars of wine</title>" in page
    main(["demo"])  # what it has written itself it replaces
    assert capsys.readouterr().out == first
    assert os.listdir() == ["skvus-demo.html"]


@pytest.fixture
def quick_demo(monkeypatch):
    """The end of the demo alone, with a search of two generations."""
    from sklearn.datasets import load_iris
    from sklearn.linear_model import LogisticRegression

    search = skvus.ParetoROCSearch(LogisticRegression(max_iter=1000), n_generations=2)
    search.fit(*load_iris(return_X_y=True))
    monkeypatch.setattr("skvus._cli._demo_command._search", lambda *_: search)
    monkeypatch.setattr("skvus._cli._demo_command._scores", lambda *_: "")


def last_line(capsys):
    return capsys.readouterr().out.splitlines()[-1]


@pytest.mark.usefixtures("quick_demo")
def test_demo_leaves_the_files_of_others(capsys):
    Path("skvus-demo.html").write_text("mine")
    Path("skvus-demo-2.html").symlink_to("nowhere")
    assert main(["demo"]) == 0
    assert last_line(capsys) == str(Path("skvus-demo-3.html").absolute())
    assert Path("skvus-demo.html").read_text() == "mine"
    assert not Path("nowhere").exists()


@pytest.mark.usefixtures("quick_demo")
def test_demo_writes_where_it_is_told(capsys, tmp_path):
    Path("page.html").write_text("old")
    assert main(["demo", "--html", "page.html"]) == 0
    assert last_line(capsys) == str(tmp_path / "page.html")
    assert os.listdir() == ["page.html"]
    assert Path("page.html").stat().st_size > 10_000
    assert main(["demo", "--html", "no/folder.html"]) == 2
    assert "a folder that exists" in capsys.readouterr().err


@pytest.mark.usefixtures("quick_demo")
def test_demo_in_a_folder_that_cannot_be_written_to(capsys, tmp_path, monkeypatch):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(elsewhere))
    report = skvus.ParetoROCSearch.report

    def refuse(search, path, **options):
        if os.path.realpath(path).startswith(str(elsewhere)):
            return report(search, path, **options)
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr(skvus.ParetoROCSearch, "report", refuse)
    assert main(["demo"]) == 0
    page = Path(last_line(capsys))
    assert page.parent.parent == elsewhere
    assert page.stat().st_size > 10_000
    if os.name == "posix":
        assert stat.S_IMODE(page.parent.stat().st_mode) == 0o700
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "none"))
    assert main(["demo"]) == 0  # nowhere at all
    assert "browser" not in capsys.readouterr().out


def test_module_runs_as_a_program():
    done = subprocess.run(
        [sys.executable, "-m", "skvus", "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == f"skvus {skvus.__version__}"


def test_the_program_of_the_package_is_main():
    (program,) = entry_points(group="console_scripts", name="skvus")
    assert program.load() is main


@pytest.mark.parametrize("argv", [[], ["nonsense"]])
def test_unknown_commands_explain_themselves(argv, capsys):
    with pytest.raises(SystemExit) as stop:
        main(argv)
    assert stop.value.code == 2
    assert "demo" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("unknown", "message"),
    [
        (["--label", "a,b"], "unrecognized arguments: --label a,b. Did you mean --labels?"),
        (["--hmtl=x.html"], "unrecognized arguments: --hmtl=x.html. Did you mean --html?"),
        (["0.9"], "unrecognized arguments: 0.9."),
        (["--zzz"], "unrecognized arguments: --zzz."),
    ],
)
def test_unknown_options_show_those_of_the_command(unknown, message, capsys):
    with pytest.raises(SystemExit) as stop:
        main(["front", "table.csv", *unknown])
    assert stop.value.code == 2
    err = capsys.readouterr().err
    assert err.startswith("usage: skvus front ")
    assert err.endswith(f"skvus front: error: {message}\n")


def test_help_lists_the_commands(capsys):
    with pytest.raises(SystemExit) as stop:
        main(["--help"])
    assert stop.value.code == 0
    out = capsys.readouterr().out
    for name in ("score", "compare", "front", "report", "demo"):
        assert f"\n    {name} " in out
