"""Command line: a class without a case is told from features, however columns are named."""

import numpy as np
import pytest
from cli_cases import error_of, make_predictions, run_json, write_predictions, write_table

import skvus
from skvus.__main__ import main

NAMES = ("barbera", "barolo", "grignolino", "nebbiolo")
HINT = "may be of another class, without a case. Name all classes with --labels"


def without(*left_out, n=120, labels=NAMES[:3], seed=0):
    """True labels and probabilities of the cases of all other classes."""
    y, proba = make_predictions(n, labels=labels, seed=seed)
    has_case = ~np.isin(y, left_out)
    return y[has_case], proba[has_case]


def features(n, rng):
    """Columns of numbers that are no scores."""
    few = rng.integers(2, size=n)
    return {
        "case": range(n),
        "age": rng.integers(20, 80, size=n).tolist(),
        "share": rng.uniform(size=n).tolist(),
        "small": rng.uniform(0.0, 0.01, size=n).tolist(),
        "tiny": (1e-4 * few).tolist(),
        "yes_no": few.tolist(),
        "zero": [0] * n,
        "change": rng.normal(size=n).tolist(),
    }


@pytest.mark.parametrize("prefix", ["", "p_"])
@pytest.mark.parametrize("digits", [16, 3, 2])
@pytest.mark.parametrize(
    "argv", [["score"], ["score", "--normalize"], ["front", "--n-costs", "9"], ["compare"]]
)
def test_a_class_without_a_case(tmp_path, capsys, prefix, digits, argv):
    y, proba = without("barolo")
    path = write_predictions(tmp_path / "t.csv", y, proba.round(digits), NAMES[:3], prefix)
    files = [path, path] if argv[0] == "compare" else [path]
    message = error_of(capsys, *argv, *files)
    assert f"and {prefix}barolo {HINT}" in message
    assert "t.csv: the scores of case " in message
    names = ",".join(NAMES[:3])
    found = run_json(capsys, "score", path, "--labels", names, "--score", "pdi")
    assert found["class_sizes"] == [40, 0, 40]


@pytest.mark.parametrize("left_out", [["barolo"], ["barolo", "nebbiolo"]])
@pytest.mark.parametrize(("digits", "n"), [(16, 120), (3, 120), (3, 5000)])
def test_classes_without_a_case_among_features(tmp_path, capsys, left_out, digits, n):
    y, proba = without(*left_out, labels=NAMES, n=n)
    more = features(len(y), np.random.default_rng(0))
    path = write_predictions(tmp_path / "t.csv", y, proba.round(digits), NAMES, "", **more)
    assert f", and {', '.join(left_out)} {HINT}" in error_of(capsys, "score", path)


@pytest.mark.parametrize("proba", [[0.4, 0.3, 0.1, 0.2], [0.2, 0.2, 0.1, 0.5]])
def test_classes_without_a_case_of_constant_scores(tmp_path, capsys, proba):
    # any share of one column may stand for the other
    y = np.array(["barbera", "barolo"])[np.arange(20) % 2]
    path = write_predictions(tmp_path / "t.csv", y, np.tile(proba, (20, 1)), NAMES, "")
    assert f"grignolino, nebbiolo {HINT}" in error_of(capsys, "score", path)


def test_a_rare_class_without_a_case(tmp_path, capsys):
    y, proba = without("barolo")
    proba = proba * [1.0, 0.002, 1.0]
    proba /= proba.sum(axis=1, keepdims=True)  # which rounding alone would explain
    path = write_predictions(tmp_path / "t.csv", y, proba, NAMES[:3], "")
    assert f"barolo {HINT}" in error_of(capsys, "score", path)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("digits", [16, 4, 2])
@pytest.mark.parametrize("options", [[], ["--normalize"]])
def test_features_are_no_classes(tmp_path, capsys, seed, digits, options):
    rng = np.random.default_rng(seed)
    y, proba = make_predictions(int(rng.integers(6, 90)), labels=NAMES[:3], seed=seed)
    proba = proba.round(digits)
    more = features(len(y), rng)
    path = write_predictions(tmp_path / "t.csv", y, proba, NAMES[:3], "", **more)
    found = run_json(capsys, "score", path, "--score", "pdi", *options)
    if options:
        proba = proba / proba.sum(axis=1, keepdims=True)
    assert found["score_columns"] == list(NAMES[:3])
    assert found["scores"]["pdi"]["value"] == skvus.pdi_score(y, proba)


@pytest.mark.parametrize("seed", range(5))
def test_features_beside_scores_that_lack_much(tmp_path, capsys, seed):
    rng = np.random.default_rng(seed)
    y, proba = make_predictions(60, labels=NAMES[:3], seed=seed)
    proba *= rng.uniform(0.5, 1.0, size=(60, 1))  # as of classifiers one against the rest
    path = write_predictions(tmp_path / "t.csv", y, proba, NAMES[:3], "", **features(60, rng))
    found = run_json(capsys, "score", path)
    assert found["score_columns"] == list(NAMES[:3])
    assert "sum to" in found["left_out"]["ordered_vus"]


def test_given_columns_and_raw_scores_are_as_they_are(tmp_path, capsys):
    y, proba = without("barolo")
    path = write_predictions(tmp_path / "t.csv", y, proba, NAMES[:3], "")
    for options in (["--scores", "barbera,grignolino"], ["--raw"]):
        found = run_json(capsys, "score", path, "--score", "pdi", *options)
        assert found["scores"]["pdi"]["value"] == skvus.pdi_score(y, proba[:, [0, 2]])


def test_zeros_cannot_be_normalized(tmp_path, capsys):
    columns = {"y": ["a", "b"], "a": [0.0, 0.5], "b": [0.0, 0.5], "c": [1.0, 0.0]}
    path = write_table(tmp_path / "t.csv", columns)
    message = error_of(capsys, "score", path, "--normalize")
    assert "the scores of case 1 sum to zero" in message


def test_its_scores_are_undefined(tmp_path, capsys):
    y, proba = make_predictions()
    proba = np.column_stack([0.9 * proba, np.full(len(y), 0.1)])
    path = write_predictions(tmp_path / "t.csv", y, proba, "abcd")
    message = error_of(capsys, "score", path)
    assert "p_d may be of another class, without a case" in message
    found = run_json(capsys, "score", path, "--labels", "a,b,c,d", "--ci")
    assert found["class_sizes"] == [40, 40, 40, 0]
    assert {score["value"] for score in found["scores"].values()} == {None}
    main(["score", path, "--labels", "a,b,c,d"])
    assert capsys.readouterr().err.count("has no case (of positive weight) of ['d']") == 1
