"""Command line: fronts, choices from them, and their pages."""

import os
import re
import zipfile

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


@pytest.mark.parametrize("priors", [None, [0.7, 0.2, 0.1]])
@pytest.mark.parametrize("weight", [None, np.linspace(0.5, 2.0, 90)])
def test_expected_costs_of_a_case(tmp_path, capsys, priors, weight):
    columns = {} if weight is None else {"w": weight.tolist()}
    path = write_predictions(tmp_path / "t.csv", Y, PROBA, pred=np.roll(Y, 1), **columns)
    argv = ["front", path, *QUICK, "--cost", "a:b=5,c:a=2"]
    argv += [] if weight is None else ["--weight", "w"]
    argv += [] if priors is None else ["--priors", "a=0.7,b=0.2", "--priors", "c=0.1"]
    found = run_json(capsys, *argv)
    given = found["expected_cost"]
    front = skvus.ROCFront.from_predictions(
        Y, PROBA, n_costs=500, sample_weight=weight, random_state=0
    )
    costs = np.array([[0, 5, 1], [1, 0, 1], [2, 1, 0]], dtype=float)
    assert given["cost_matrix"] == costs.tolist()
    assert given["priors"] == (priors and pytest.approx(priors))
    index = front.select(skvus.LeastCost(costs, priors=priors))
    posteriors = PROBA if priors is None else PROBA * (priors / front.priors)
    labels = np.array(["a", "b", "c"])
    called = {
        "chosen": front.predict(PROBA, index),
        "most_probable": labels[PROBA.argmax(axis=1)],
        "direct": labels[(posteriors @ costs).argmin(axis=1)],
    }
    assert found["index"] == index
    for name, y_pred in called.items():
        expected = skvus.expected_cost(
            Y, y_pred, cost_matrix=costs, priors=priors, sample_weight=weight
        )
        assert given[name] == pytest.approx(expected, rel=1e-12), name
    assert given["chosen"] < given["direct"] < given["most_probable"]
    assert main(argv) == 0
    out = capsys.readouterr().out
    table = out.split("expected cost of a case\n")[1].splitlines()[2:5]
    names = (f"operating point {index}", "the most probable class", "the given costs")
    values = (given["chosen"], given["most_probable"], given["direct"])
    for line, name, value in zip(table, names, values, strict=True):
        assert line.startswith(name)
        assert line.endswith(f" {value:.6g}")


def test_equal_costs_decide_by_the_most_probable_class(path, capsys):
    assert main(["front", path, *QUICK, "--cost", "a:b=1"]) == 0
    out = capsys.readouterr().out
    assert "the most probable class" in out
    assert "case by case" not in out


@pytest.mark.parametrize("options", [[], ["--limit", "a:b=0.1"]])
def test_the_choice_on_the_same_cases_is_optimistic(path, tmp_path, capsys, options):
    assert main(["front", path, *QUICK, *options]) == 0
    out = capsys.readouterr().out
    assert "optimistic; fresh cases tell" in out
    assert "expected cost" not in out
    rates = [[[0.9, 0.1], [0.4, 0.6]]]
    skvus.ROCFront.from_rates(rates).save(tmp_path / "f.skvus")
    argv = ["report", str(tmp_path / "f.skvus"), "--html", str(tmp_path / "f.html")]
    assert main(argv) == 0
    assert "optimistic" not in capsys.readouterr().out  # where there is no choice


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
    assert "name it with --html FILE" in error_of(capsys, "report", saved)
    for option in ("--html", "--out"):
        page.unlink(missing_ok=True)
        assert main(["report", saved, option, str(page)]) == 0
        assert page.exists()
    assert "operating points that none of them dominates" in capsys.readouterr().out


def test_front_of_rates_alone(tmp_path, capsys):
    rates = [[[0.9, 0.1], [0.4, 0.6]], [[0.5, 0.5], [0.1, 0.9]]]
    skvus.ROCFront.from_rates(rates, params=[{"k": 1}, {"k": 2}]).save(tmp_path / "f.skvus")
    found = run_json(capsys, "report", str(tmp_path / "f.skvus"), "--limit", "1:0=0.2")
    assert (found["index"], found["code"], found["counts"]) == (1, None, None)
    assert found["params"] == {"k": "2"}
    argv = ["report", str(tmp_path / "f.skvus"), "--html", str(tmp_path / "f.html")]
    assert main([*argv, "--limit", "1=0.2", "--cost", "0:1=3"]) == 0
    out = capsys.readouterr().out
    assert "k=2" in out
    assert "the most probable class" not in out  # which a front does not know
    found = run_json(capsys, *argv, "--cost", "0:1=3", "--priors", "0=.25,1=.75")
    expected = found["expected_cost"]
    assert (found["index"], expected["chosen"]) == (0, pytest.approx(0.25 * 0.3 + 0.75 * 0.4))
    assert (expected["most_probable"], expected["direct"]) == (None, None)
    assert expected["priors"] == [0.25, 0.75]


def test_limits_out_of_reach(path, tmp_path, capsys):
    out, page = tmp_path / "f.skvus", tmp_path / "f.html"
    argv = ["front", path, *QUICK, "--out", str(out), "--html", str(page)]
    message = error_of(capsys, *argv, "--limit", "a=0", "--limit", "b=0,c=0", status=3)
    assert message.startswith("No member is within all limits. Nearest is member")
    assert len(skvus.ROCFront.load(out)) > 100  # what was found is kept
    assert not page.exists()
    assert message.endswith(". A larger --n-costs reaches more, or relax a limit.")
    argv = ["--limit", "a=0,b=0,c=0", "--json"]
    message = error_of(capsys, "report", str(out), *argv, status=3)
    assert message.endswith(
        ". Relax a limit, or make a front of more costs: skvus front --n-costs."
    )


def test_limits_out_of_reach_whatever_the_costs(tmp_path, capsys):
    y, proba = make_predictions(60, labels=("ill", "well"))
    path = write_predictions(tmp_path / "two.csv", y, proba, ("ill", "well"))
    message = error_of(capsys, "front", path, "--limit", "ill=0,well=0", status=3)
    assert re.search(r", of those within the other limits [\d.]+\)\. Relax a limit\.$", message)
    rates = np.full((1, 3, 3), 1 / 3)
    skvus.ROCFront.from_rates(rates).save(tmp_path / "f.skvus")
    argv = ["report", str(tmp_path / "f.skvus"), "--json", "--limit", "0=0"]
    assert error_of(capsys, *argv, status=3).endswith("0.666667). Relax a limit.")
    message = error_of(capsys, *argv, "--confidence", "0.9", status=3)
    assert "confidence needs to know" in message


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--limit", "a:d=0.1"], "no such mistake. Did you mean"),
        (["--limit", "a:b=2"], "must be a rate, at most 1"),
        (["--limit", "a:b"], "--limit must be as TRUE:CALLED=RATE or CLASS=RATE"),
        (["--limit", "b=5%"], "a rate from 0 to 1, such as 0.05; got 'b=5%'"),
        (["--confidence", "0.9"], "there is no --limit"),
        (["--priors", "a=.2,b=.3,c=.5"], "there is no --cost"),
        (["--cost", "a:b=5", "--priors", "a=.2,b=.3"], "all classes; c are missing"),
        (["--cost", "a:b=5", "--priors", "a=.2,b=.3,d=.5"], "--priors d: there is no such"),
        (["--cost", "a:b=5", "--priors", "a=.2,b=.3,c=.6"], "sum to 1; got a sum of 1.1"),
        (["--cost", "a:b=5", "--priors", "a"], "--priors must be as CLASS=SHARE"),
        (["--cost", "a:b=5", "--priors", "a=20%"], "a share from 0 to 1, such as 0.2; got 'a"),
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
    message = error_of(capsys, "report", str(tmp_path / "t.csv"))
    assert "is no skvus file" in message
    assert f"skvus front {tmp_path / 't.csv'} --html front.html" in message
    with zipfile.ZipFile(tmp_path / "other.skvus", "w") as file:
        file.writestr("a", "b")
    message = error_of(capsys, "report", str(tmp_path / "other.skvus"))
    assert "is no skvus file, or it is damaged" in message
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
