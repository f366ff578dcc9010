"""Command line: what seldom happens, and is told or done all the same."""

import json

import numpy as np
import pytest
from cli_cases import error_of, make_predictions, run_json, write_predictions, write_table
from sklearn.metrics import confusion_matrix

import skvus
from skvus._cli import _demo_command, _output

Y, PROBA = make_predictions(90)


@pytest.fixture
def path(tmp_path):
    return write_predictions(tmp_path / "predictions.csv", Y, PROBA)


def costs_file(tmp_path, text):
    file = tmp_path / "costs.json"
    file.write_text(text)
    return str(file)


@pytest.mark.parametrize("text", ['{"a": {"b": "five"}}', "[1, 2]", '{"a": 3}', "{"])
def test_costs_in_json_of_another_form(tmp_path, path, capsys, text):
    file = costs_file(tmp_path, text)
    message = error_of(capsys, "front", path, "--cost", file)
    assert message.startswith(f'{file} must be JSON such as {{"a": {{"b": 5, "c": 1}}, ...}}: ')


@pytest.mark.parametrize(
    ("a", "said"),
    [
        ({"a": 0, "b": -1, "c": 1}, "of calling 'a' 'b' must be a number that is not negative"),
        ({"a": 2, "b": 1, "c": 1}, "of calling 'a' 'a' must be zero"),
        ({"b": 1}, "of calling 'a' 'c' must be a number that is not negative; got nan"),
    ],
)
def test_costs_in_json_that_are_none(tmp_path, path, capsys, a, said):
    rows = {"a": a, "b": {"a": 1, "c": 1}, "c": {"a": 1, "b": 1}}
    file = costs_file(tmp_path, json.dumps(rows))
    assert f"{file}: the cost {said}" in error_of(capsys, "front", path, "--cost", file)


def test_no_mistake_costs_anything(tmp_path, path, capsys):
    rows = {true: dict.fromkeys("abc", 0) for true in "abc"}
    file = costs_file(tmp_path, json.dumps(rows))
    message = error_of(capsys, "front", path, "--cost", file)
    assert message == f"{file} must have a mistake that costs something."


def test_two_files_of_costs(tmp_path, path, capsys):
    file = costs_file(tmp_path, "{}")
    message = error_of(capsys, "front", path, "--cost", file, "--cost", "a:b=2")
    assert message == "--cost takes one file, or pairs."


def test_a_front_of_one_column(tmp_path, capsys):
    table = write_table(tmp_path / "t.csv", {"y": Y.tolist(), "s": PROBA[:, 0].tolist()})
    message = error_of(capsys, "front", table, "--scores", "s")
    assert message == "a front takes a score for each class; --scores names one column."


def test_a_prefix_that_classes_begin_with(tmp_path, capsys):
    labels = ("a", "b", "x_a", "x_b")
    y, proba = make_predictions(80, labels)
    names = ["x_a", "x_b", "x_x_b", "x_x_a"]
    columns = {"y": y.tolist(), **dict(zip(names, proba.T.tolist(), strict=True))}
    table = write_table(tmp_path / "t.csv", columns)
    options = ("--scores", ",".join(names), "--score", "pdi")
    found = run_json(capsys, "score", table, *options)["scores"]["pdi"]["value"]
    assert found == pytest.approx(skvus.pdi_score(y, proba[:, [0, 1, 3, 2]]))


def test_one_class_has_two_columns(tmp_path, capsys):
    y = np.arange(60) % 3
    _, proba = make_predictions(60)
    names = ["p_0", "p_1", "p_1.0"]
    columns = {"y": y.tolist(), **dict(zip(names, proba.T.tolist(), strict=True))}
    table = write_table(tmp_path / "t.csv", columns)
    found = run_json(capsys, "score", table, "--scores", ",".join(names), "--score", "pdi")
    in_order = skvus.pdi_score(y, proba)  # names say nothing then
    assert found["scores"]["pdi"]["value"] == pytest.approx(in_order)


@pytest.mark.parametrize("command", ["compare"])
def test_weights_that_differ(tmp_path, capsys, command):
    files = [
        write_predictions(tmp_path / f"{k}.csv", Y, PROBA, w=[k] + [1] * (len(Y) - 1))
        for k in (1, 2)
    ]
    message = error_of(capsys, command, *files, "--weight", "w")
    assert message == f"{files[0]} and {files[1]} must have the same weights."


def test_predictions_of_two_kinds(tmp_path, path, capsys):
    y = Y.tolist()
    one_column = write_table(tmp_path / "s.csv", {"y": y, "s": PROBA[:, 0].tolist()})
    labels = write_table(tmp_path / "labels.csv", {"y": y, "pred": y})
    message = error_of(capsys, "compare", one_column, labels)
    assert "pred" in message or "--score" in message


def test_files_of_one_name_in_several_folders(tmp_path, capsys):
    files = []
    for k in range(2):
        (tmp_path / str(k)).mkdir()
        files.append(write_predictions(tmp_path / str(k) / "p.csv", *make_predictions(90)))
    found = run_json(capsys, "compare", *files, "--score", "pdi")
    assert files[0] in json.dumps(found)
    assert files[1] in json.dumps(found)


def test_the_error_of_a_volume_of_many_classes(tmp_path, capsys):
    labels = tuple("abcdefghi")
    y, proba = make_predictions(180, labels, skill=4.0)
    pred = np.array(labels)[proba.argmax(axis=1)]
    table = write_table(tmp_path / "t.csv", {"y": y.tolist(), "pred": pred.tolist()})
    found = run_json(capsys, "score", table, "--score", "polytope_vus", "--seed", "3")
    rates = confusion_matrix(y, pred, normalize="true")
    volume, error = skvus.polytope_vus(rates, normalize="max", random_state=3, return_std=True)
    entry = found["scores"]["polytope_vus"]
    assert entry["value"] == pytest.approx(volume, abs=6.0 * error)
    assert entry["sampling_error"] == pytest.approx(error)
    assert error > 0.0


def test_a_demo_where_all_names_are_taken(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(_demo_command, "_MOST_FILES", 3)
    taken = []
    for _ in range(2):
        taken.append(_demo_command._free_name())
        (tmp_path / taken[-1]).write_text("a page of somebody else")
    assert len(set(taken)) == 2
    with pytest.raises(OSError, match="all names are taken"):
        _demo_command._free_name()


def test_a_bar_where_somebody_is_looking(monkeypatch, capsys):
    pytest.importorskip("tqdm")
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    assert _output.verbosity() == 1
    assert list(_output.progress(["one", "two"], "scores")) == ["one", "two"]
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "scores" in shown.err
    assert "two" in shown.err
