"""Command line: fronts, choices from them, and their pages."""

import os

import numpy as np
import pytest
from cli_cases import (
    error_of,
    make_predictions,
    run_json,
    write_predictions,
    write_table,
)
from sklearn.linear_model import LogisticRegression

import skvus
from skvus.__main__ import main

Y, PROBA = make_predictions(90)
QUICK = ("--n-costs", "500")


@pytest.fixture
def path(tmp_path):
    return write_predictions(tmp_path / "predictions.csv", Y, PROBA)


@pytest.fixture(scope="module")
def front():
    return skvus.ROCFront.from_predictions(Y, PROBA, n_costs=500, random_state=0)


@pytest.mark.parametrize(
    ("options", "rule"),
    [
        ([], "distance"),
        (["--limit", "a:b=0.1"], skvus.WithinLimits({("a", "b"): 0.1})),
        (
            ["--limit", "a:b=0.2,c=0.3", "--limit", "a:b=0.1"],
            skvus.WithinLimits({("a", "b"): 0.1, "c": 0.3}),
        ),
        (["--cost", "a:b=5"], skvus.LeastCost([[0, 5, 1], [1, 0, 1], [1, 1, 0]])),
        (
            ["--limit", "c=.2", "--cost", "a:b=5"],
            skvus.WithinLimits(
                {"c": 0.2}, then=skvus.LeastCost([[0, 5, 1], [1, 0, 1], [1, 1, 0]])
            ),
        ),
        (
            ["--limit", "a:b=0.3", "--confidence", ".9"],
            skvus.WithinLimits({("a", "b"): 0.3}, confidence=0.9),
        ),
    ],
)
def test_the_choice_is_that_of_the_library(path, capsys, front, options, rule):
    found = run_json(capsys, "front", path, *QUICK, *options)
    index = front.select(rule)
    assert found["index"] == index
    assert found["n_members"] == len(front)
    assert found["counts"] == front.counts[index].tolist()
    assert found["rates"] == front.rates[index].tolist()
    assert found["cost_matrix"] == front.costs[index].tolist()
    assert (found["gini"], found["gini_std"]) == front.gini(random_state=0, return_std=True)


def test_files_and_the_line_of_python(path, tmp_path, capsys, front, monkeypatch):
    monkeypatch.chdir(tmp_path)
    argv = ["front", path, *QUICK, "--out", "my front.skvus", "--html", "f.html"]
    assert main([*argv, "--limit", "a:b=0.1", "--title", "A <title>"]) == 0
    out, err = capsys.readouterr()
    assert "front saved in my front.skvus" in err
    assert "page written to f.html" in err
    saved = skvus.ROCFront.load("my front.skvus")
    assert (saved.rates == front.rates).all()
    page = (tmp_path / "f.html").read_text()
    assert "<title>A &lt;title&gt;</title>" in page
    (code,) = [line.strip() for line in out.splitlines() if "CostMatrixClassifier" in line]
    X = np.random.default_rng(0).normal(size=(90, 2))
    classifier = eval(code, {"skvus": skvus, "model": LogisticRegression(), "X": X, "y": Y})
    index = front.select(skvus.WithinLimits({("a", "b"): 0.1}))
    assert (classifier.cost_matrix == front.costs[index]).all()
    for number in front.counts[index].ravel():
        assert f" {number}" in out


def test_report(tmp_path, capsys, front):
    saved = str(tmp_path / "front.skvus")
    front.save(saved)
    page = tmp_path / "page.html"
    found = run_json(capsys, "report", saved, "--html", str(page), "--limit", "b:c=0.1")
    assert found["index"] == front.select(skvus.WithinLimits({("b", "c"): 0.1}))
    assert page.stat().st_size > 10_000
    assert main(["report", saved]) == 0
    assert "operating points that none of them dominates" in capsys.readouterr().out


def test_front_of_rates_alone(tmp_path, capsys):
    rates = [[[0.9, 0.1], [0.4, 0.6]], [[0.5, 0.5], [0.1, 0.9]]]
    skvus.ROCFront.from_rates(rates, params=[{"k": 1}, {"k": 2}]).save(tmp_path / "f.skvus")
    found = run_json(capsys, "report", str(tmp_path / "f.skvus"), "--limit", "1:0=0.2")
    assert (found["index"], found["code"], found["counts"]) == (1, None, None)
    assert found["params"] == {"k": "2"}
    assert main(["report", str(tmp_path / "f.skvus"), "--limit", "1=0.2"]) == 0
    assert "k=2" in capsys.readouterr().out


def test_limits_out_of_reach(path, tmp_path, capsys):
    out, page = tmp_path / "f.skvus", tmp_path / "f.html"
    argv = ["front", path, *QUICK, "--out", str(out), "--html", str(page)]
    message = error_of(capsys, *argv, "--limit", "a=0", "--limit", "b=0,c=0", status=3)
    assert message.startswith("No member is within all limits. Nearest is member")
    assert len(skvus.ROCFront.load(out)) > 100  # what was found is kept
    assert not page.exists()
    error_of(capsys, "report", str(out), "--limit", "a=0,b=0,c=0", status=3)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--limit", "a:d=0.1"], "no such mistake. Did you mean"),
        (["--limit", "a:b=2"], "must be a rate, at most 1"),
        (["--limit", "a:b"], "--limit must be as TRUE:CALLED=RATE or CLASS=RATE"),
        (["--confidence", "0.9"], "there is no --limit"),
        (["--raw"], "--raw scores are none"),
        (["--out", "no/folder/f.skvus"], "there is no folder"),
        (["--html", "."], "is a folder; name a file"),
        (["--out", "predictions.csv"], "it would be overwritten"),
        (["--out", "f.skvus", "--html", "f.skvus"], "it would be overwritten"),
    ],
)
def test_fronts_that_are_refused(path, tmp_path, capsys, monkeypatch, options, message):
    monkeypatch.chdir(tmp_path)
    before = sorted(os.listdir())
    assert message in error_of(capsys, "front", path, *QUICK, *options)
    assert sorted(os.listdir()) == before


def test_predictions_that_make_no_front(tmp_path, capsys):
    path = write_table(tmp_path / "t.csv", {"y": Y, "pred": Y})
    assert "which columns have the scores" in error_of(capsys, "front", path)
    path = write_predictions(tmp_path / "t.csv", Y, PROBA)
    message = error_of(capsys, "front", path, "--labels", "a,b,c,d", "--scores", "p_a,p_b,p_c")
    assert "names 3 columns" in message
    proba = np.column_stack([PROBA, np.zeros(90)])
    path = write_predictions(tmp_path / "t.csv", Y, proba, "abcd")
    assert "'d'" in error_of(capsys, "front", path, "--labels", "a,b,c,d")


def test_two_classes(tmp_path, capsys):
    y, proba = make_predictions(60, labels=("ill", "well"))
    path = write_table(tmp_path / "t.csv", {"y": y, "p_ill": proba[:, 0].tolist()})
    found = run_json(capsys, "front", path, "--limit", "ill=0.1")
    # the score speaks for ill, which is the second class then
    assert found["classes"] == ["well", "ill"]
    front = skvus.ROCFront.from_predictions(y, proba[:, 0], labels=["well", "ill"])
    index = front.select(skvus.WithinLimits({"ill": 0.1}))
    assert found["rates"] == front.rates[index].tolist()


def test_weighted_front(tmp_path, capsys):
    weight = np.linspace(0.5, 2.0, 90)
    path = write_predictions(tmp_path / "t.csv", Y, PROBA, w=weight.tolist())
    found = run_json(capsys, "front", path, *QUICK, "--weight", "w")
    front = skvus.ROCFront.from_predictions(
        Y, PROBA, n_costs=500, sample_weight=weight, random_state=0
    )
    assert found["rates"] == front.rates[front.select()].tolist()


def test_files_that_are_no_fronts(tmp_path, capsys):
    (tmp_path / "t.csv").write_text("y,p\n")
    assert "is no skvus file" in error_of(capsys, "report", str(tmp_path / "t.csv"))
    assert "there is no such file" in error_of(capsys, "report", str(tmp_path / "none"))
    assert "is a folder" in error_of(capsys, "report", str(tmp_path))
    checkpoint = tmp_path / "search.skvus"
    X = PROBA[:, :2]
    skvus.ParetoROCSearch(
        LogisticRegression(),
        n_generations=3,
        checkpoint=checkpoint,
        checkpoint_every=1,
        random_state=0,
    ).fit(X, Y)
    assert "is a checkpoint of a search" in error_of(capsys, "report", str(checkpoint))


def test_hostile_class_names(tmp_path, capsys):
    labels = ("<script>alert(1)</script>", "\x1b[31mred", "日本")
    y, proba = make_predictions(90, labels=labels)
    path = write_predictions(tmp_path / "t.csv", y, proba, labels)
    page = tmp_path / "t.html"
    limit = "<script>alert(1)</script>:日本=0.2"
    assert main(["front", path, *QUICK, "--html", str(page), "--limit", limit]) == 0
    out, err = capsys.readouterr()
    assert "\x1b" not in out + err
    assert "<script>alert" not in page.read_text()
    table = out.split("rates\n")[1].splitlines()[:5]
    assert table[1].startswith("-----")
