"""Command line: scores, their errors, costs and comparisons."""

import io
import os
import shlex
import subprocess
import sys

import numpy as np
import pytest
from cli_cases import (
    LABELS,
    error_of,
    make_predictions,
    run_json,
    write_predictions,
    write_table,
)

import skvus
from skvus.__main__ import main
from skvus._cli import _compare_command, _demo_command, _front_command, _score_command
from skvus.metrics._scorers import SCORERS

Y, PROBA = make_predictions()
CALLED = np.array(LABELS)[PROBA.argmax(axis=1)]


@pytest.fixture
def path(tmp_path):
    return write_predictions(tmp_path / "predictions.csv", Y, PROBA)


def test_all_scores_are_those_of_the_library(path, capsys):
    found = run_json(capsys, "score", path, "--labels", "a,b,c")
    assert list(found["scores"]) == skvus.get_scorer_names()
    assert not found["left_out"]
    for name, score in found["scores"].items():
        function, kind, fixed = SCORERS[name]
        rows = CALLED if kind == "predict" else PROBA
        rows = np.round(PROBA @ np.arange(3.0), 10) if kind == "rank" else rows
        assert score["value"] == function(Y, rows, labels=LABELS, **fixed), name
        assert score["maximum"] == 1.0
        assert score["chance"] is None or 0.0 < score["chance"] < score["value"]
    assert found["n_cases"] == 120
    assert found["class_sizes"] == [40, 40, 40]
    assert found["version"] == skvus.__version__


def test_chance_is_what_a_constant_classifier_scores(tmp_path, capsys):
    constant = np.full((120, 3), 1 / 3)
    path = write_predictions(tmp_path / "t.csv", Y, constant, pred=np.roll(Y, 40 // 3).tolist())
    found = run_json(capsys, "score", path, "--labels", "a,b,c", "--normalize")["scores"]
    for name in ("hand_till", "pdi", "ordered_vus", "simplified_vus", "ordinal_vus"):
        assert found[name]["value"] == pytest.approx(found[name]["chance"], rel=1e-12), name
    assert found["soft_polytope_vus"]["value"] == pytest.approx(
        found["soft_polytope_vus"]["chance"]
    )


def test_more_classes_than_volumes_are_for(tmp_path, capsys):
    labels = tuple(range(120))
    path = write_table(tmp_path / "t.csv", {"y": labels, "pred": labels[::-1]})
    found = run_json(capsys, "score", path)
    assert "takes at most 16 classes" in found["left_out"]["polytope_vus"]
    found = run_json(capsys, "score", path, "--labels", ",".join(map(str, range(130))))
    volume = found["scores"]["polytope_vus"]
    assert (volume["value"], volume["chance"]) == (None, None)


def test_errors_and_intervals(path, capsys):
    names = "pdi,simplified_vus,polytope_vus,hand_till_crisp_2"
    found = run_json(capsys, "score", path, "--ci", "--level", "0.9", "--score", names)
    assert found["level"] == 0.9
    for name, score in found["scores"].items():
        is_crisp = SCORERS[name][1] == "predict"
        result = skvus.score_inference(
            Y,
            CALLED if is_crisp else PROBA,
            score=name,
            method="jackknife" if is_crisp else "delong",
            random_state=0,
        )
        assert score["value"] == result.score
        assert score["standard_error"] == result.standard_error
        assert (score["low"], score["high"]) == result.confidence_interval(0.9)
        assert score["method"] == ("jackknife" if is_crisp else "delong")


def test_bootstrap_where_it_is_asked_for(path, capsys):
    argv = ("score", path, "--ci", "--score", "soft_polytope_vus", "--resamples", "8")
    score = run_json(capsys, *argv)["scores"]["soft_polytope_vus"]
    assert score["method"] == "bootstrap"
    assert 0.0 < score["standard_error"] < 0.2
    other = run_json(capsys, *argv, "--seed", "1")["scores"]["soft_polytope_vus"]
    assert other["standard_error"] != score["standard_error"]
    main(["score", path, "--ci"])
    assert "soft_polytope_vus: its error takes a bootstrap" in capsys.readouterr().err


def test_large_tables_draw_tuples_and_tell_the_error(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("skvus._cli._scores._LARGE", 100)
    monkeypatch.setattr("skvus._cli._scores._TUPLES", 5000)
    y, proba = make_predictions(30_000)
    path = write_predictions(tmp_path / "t.csv", y, proba)
    argv = ("score", path, "--score", "simplified_vus")
    score = run_json(capsys, *argv)["scores"]["simplified_vus"]
    assert (score["n_tuples"], score["is_exact"]) == (5000, False)
    assert 0.0 < score["sampling_error"] < 0.01
    assert (
        run_json(capsys, *argv, "--tuples", "7000")["scores"]["simplified_vus"]["n_tuples"]
        == 7000
    )
    main(list(argv))
    assert "5,000 tuples ± 0.00" in capsys.readouterr().out


def test_what_a_lower_bound_is(tmp_path, path, capsys):
    y, proba = make_predictions(labels=tuple("abcd"))
    four = write_predictions(tmp_path / "t.csv", y, proba, "abcd")
    for path_, is_bound in ((four, True), (path, False)):
        assert main(["score", path_, "--score", "soft_polytope_vus"]) == 0
        out = capsys.readouterr().out
        assert ("A lower bound counts some operating points only" in out) is is_bound
        assert ("lower bound" in out) is is_bound


def test_expected_cost(path, tmp_path, capsys):
    costs = [[0, 5, 1], [2, 0, 1], [1, 1, 0]]
    expected = skvus.expected_cost(Y, CALLED, cost_matrix=costs)
    matrix = tmp_path / "costs.csv"
    matrix.write_text("true,a,b,c\na,0,5,1\nb,2,0,1\nc,1,1,0\n")
    nested = tmp_path / "costs.json"
    nested.write_text('{"a": {"b": 5, "c": 1}, "c": {"a": 1, "b": 1}, "b": {"a": 2, "c": 1}}')
    for given in (["a:b=5,b:a=2"], ["a:b=5", "b:a=2"], [str(matrix)], [str(nested)]):
        options = [part for text in given for part in ("--cost", text)]
        found = run_json(capsys, "score", path, "--score", "pdi", *options)["expected_cost"]
        assert found["value"] == expected
        assert found["cost_matrix"] == costs
        assert found["best_constant"] == pytest.approx(2 / 3)  # of c
    main(["score", path, "--score", "pdi", "--cost", "a:b=5,b:a=2"])
    told = f"Expected cost of a case, decided by the most probable class: {expected:.6g}; by"
    assert told in capsys.readouterr().out
    pred = np.roll(CALLED, 1)
    path = write_predictions(tmp_path / "t.csv", Y, PROBA, pred=pred.tolist())
    found = run_json(capsys, "score", path, "--score", "pdi", "--cost", str(matrix))
    assert found["expected_cost"]["decided_by"] == "the predicted labels"
    expected = skvus.expected_cost(Y, pred, cost_matrix=costs)
    assert found["expected_cost"]["value"] == expected


@pytest.mark.parametrize(
    ("cost", "message"),
    [
        ("a:b", "--cost must be as TRUE:CALLED=COST"),
        ("a:b=x", "a number from 0 on; got 'a:b=x'"),
        ("a:b=-1", "a number from 0 on"),
        ("a:b=inf", "a number from 0 on"),
        ("a:a=1", "must name one mistake"),
        ("a:d=1", "there is no such mistake. Did you mean"),
        ("a=1", "must be as TRUE:CALLED=COST, for each mistake of a class; got the class 'a'"),
        ("d=1", "there is no such mistake"),
        ("a:b=0,a:c=0,b:a=0,b:c=0,c:a=0,c:b=0", "must leave a mistake that costs something"),
        ("no.csv", "there is no such file"),
        ("no.json", "cannot be read"),
    ],
)
def test_costs_that_are_refused(path, capsys, cost, message):
    assert message in error_of(capsys, "score", path, "--cost", cost)


def test_colons_in_class_names(tmp_path, capsys):
    labels = ("x:1", "x", "1:x")
    y, proba = make_predictions(labels=labels)
    path = write_predictions(tmp_path / "t.csv", y, proba, labels)
    argv = ("score", path, "--score", "pdi", "--cost")
    # "x" called "1:x", or "x:1" called "x"
    assert "must name one mistake" in error_of(capsys, *argv, "x:1:x=7")
    costs = run_json(capsys, *argv, "x:1:1:x=7")["expected_cost"]["cost_matrix"]
    assert costs == [[0, 1, 1], [1, 0, 1], [7, 1, 0]]  # classes are 1:x, x, x:1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--score", "expected_cost"], "no score 'expected_cost'. skvus score --cost adds it."),
        (["--score", "pdj"], "there is no score 'pdj'. Did you mean pdi?"),
        (["--score", "p_a,p_b"], "(--scores names columns.)"),
        (["--raw", "--normalize"], "--raw scores are no probabilities"),
        (["--score", "ordinal_vus"], "ordinal_vus takes classes that have an order"),
    ],
)
def test_scores_that_are_refused(path, capsys, options, message):
    assert message in error_of(capsys, "score", path, *options)


@pytest.mark.parametrize(
    "options",
    [
        ["--level", "95"],
        ["--level", "x"],
        ["--resamples", "1"],
        ["--jobs", "0"],
        ["--seed", "-1"],
        ["--seed", str(2**32)],
        ["--resamples", str(10**8)],
        ["--tuples", str(10**13)],
        ["--jobs", "20000"],
        ["--scores", "a,,b"],
        ["--nonsense"],
    ],
)
def test_options_that_are_refused(path, capsys, options):
    with pytest.raises(SystemExit) as stop:
        main(["score", path, *options])
    assert stop.value.code == 2
    assert "Traceback" not in capsys.readouterr().err


def test_compare_two(tmp_path, capsys):
    y, other = make_predictions(seed=1, skill=0.5)
    a = write_predictions(tmp_path / "a.csv", Y, PROBA)
    b = write_predictions(tmp_path / "b.csv", y, other)
    found = run_json(capsys, "compare", a, b)
    result = skvus.compare_scores(Y, PROBA, other, score="simplified_vus")
    (row,) = found["comparisons"]
    assert (row["first"], row["second"]) == ("a", "b")
    assert row["difference"] == result.difference
    assert row["standard_error"] == result.standard_error
    assert row["pvalue"] == row["adjusted_pvalue"] == result.pvalue
    assert (row["low"], row["high"]) == result.confidence_interval()
    main(["compare", a, b, "--score", "pdi", "--level", "0.5", "--alternative", "greater"])
    out = capsys.readouterr().out
    assert "pdi of 2 classifiers on the same 120 cases" in out
    assert "50% interval" in out
    assert "is greater than the second" in out


def test_compare_many_by_id(tmp_path, capsys):
    ids = [f"case {k}" for k in range(len(Y))]
    a = write_predictions(tmp_path / "a.csv", Y, PROBA, patient=ids)
    files, rng = [a], np.random.default_rng(0)
    predictions = {"a": PROBA}
    for k, name in enumerate("bc"):
        y, proba = make_predictions(seed=k + 1, skill=1.0)
        order = rng.permutation(len(y))
        shuffled = [ids[i] for i in order]
        files.append(
            write_predictions(
                tmp_path / f"{name}.csv", y[order], proba[order], patient=shuffled
            )
        )
        predictions[name] = proba
    found = run_json(capsys, "compare", *files, "--id", "patient", "--score", "polytope_vus")
    labels = {
        name: np.array(LABELS)[proba.argmax(axis=1)] for name, proba in predictions.items()
    }
    table = skvus.compare_many(Y, labels, score="polytope_vus", method="jackknife")
    for row, expected in zip(found["comparisons"], table, strict=True):
        assert row["difference"] == expected.difference
        assert row["adjusted_pvalue"] == expected.adjusted_pvalue
    assert "must have the same true labels" in error_of(capsys, "compare", *files)
    main(["compare", *files, "--id", "patient"])
    assert "p (Holm)" in capsys.readouterr().out


def test_files_that_cannot_be_compared(tmp_path, capsys):
    ids = list(range(len(Y)))
    a = write_predictions(tmp_path / "a.csv", Y, PROBA, id=ids)
    short = write_predictions(tmp_path / "short.csv", Y[:-3], PROBA[:-3], id=ids[:-3])
    swapped = write_predictions(tmp_path / "swapped.csv", Y[::-1], PROBA[::-1], id=ids)
    twice = write_predictions(tmp_path / "twice.csv", Y, PROBA, id=[0, *ids[:-1]])
    others = write_predictions(
        tmp_path / "others.csv", Y, PROBA, id=[str(k) + "x" for k in ids]
    )
    classes = write_predictions(
        tmp_path / "classes.csv", *make_predictions(labels=tuple("xyz")), "xyz"
    )
    assert "120 and 117 rows" in error_of(capsys, "compare", a, short)
    message = error_of(capsys, "compare", a, swapped)
    assert "those of case 1 are 'a' and 'c', and 80 differ in all" in message
    assert "name --id" in message
    assert "those of the case '0'" in error_of(capsys, "compare", a, swapped, "--id", "id")
    assert "has the case '0' twice" in error_of(capsys, "compare", a, twice, "--id", "id")
    assert "lacks cases of" in error_of(capsys, "compare", a, others, "--id", "id")
    assert "must have the same classes" in error_of(capsys, "compare", a, classes)
    assert "takes two files or more" in error_of(capsys, "compare", a)
    assert "must name one score" in error_of(capsys, "compare", a, a, "--score", "all")
    assert "standard input, not two" in error_of(capsys, "compare", "-", "-")
    labels = write_table(tmp_path / "labels.csv", {"y": Y, "pred": CALLED})
    assert "hand_till takes scores" in error_of(
        capsys, "compare", a, labels, "--score", "hand_till"
    )
    assert main(["compare", a, labels]) == 0
    assert "polytope_vus is compared" in capsys.readouterr().err


def examples():
    for module in (_score_command, _compare_command, _front_command, _demo_command):
        for name in ("EXAMPLES", "FRONT_EXAMPLES", "REPORT_EXAMPLES"):
            yield from getattr(module, name, ())


@pytest.mark.parametrize("line", [line for line in examples() if "demo" not in line])
def test_examples_of_the_help_run(line, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    ids = list(range(len(Y)))
    for k, name in enumerate(("predictions", "a", "b", "c")):
        y, proba = make_predictions(seed=k)
        write_predictions(f"{name}.csv", y, proba, patient=ids)
    if "report" in line:
        front = skvus.ROCFront.from_predictions(Y, PROBA, n_costs=1000, random_state=0)
        front.save("front.skvus")
    if "|" in line:
        content = io.BytesIO((tmp_path / "predictions.csv").read_bytes())
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(content))
        line = line.split("|")[1].strip()
    program, *argv = shlex.split(line)
    assert program == "skvus"
    assert main(argv) == 0
    assert capsys.readouterr().out
    for option in ("--out", "--html"):
        if option in argv:
            assert os.path.getsize(argv[argv.index(option) + 1]) > 1000
    with pytest.raises(SystemExit) as stop:
        main([argv[0], "--help"])
    assert stop.value.code == 0
    out = capsys.readouterr().out
    assert f"  {program} {' '.join(argv[:1])} " in out


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals")
def test_rich_tables_on_a_terminal(path):
    pytest.importorskip("rich")
    import pty

    leader, follower = pty.openpty()
    command = [sys.executable, "-m", "skvus", "score", path, "--score", "pdi,hand_till", "--ci"]
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "100"}
    process = subprocess.Popen(
        command, stdout=follower, stderr=subprocess.PIPE, env=environment, text=True
    )
    os.close(follower)
    parts = []
    try:
        while part := os.read(leader, 4096):
            parts.append(part)
    except OSError:  # the other end is closed
        pass
    os.close(leader)
    assert "skvus: " in process.communicate()[1]
    assert process.returncode == 0
    out = b"".join(parts).decode()
    assert "\x1b[" in out
    assert "─" in out
    assert f"{skvus.pdi_score(Y, PROBA):.4f}" in out
