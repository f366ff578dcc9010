"""Command line: which column is what, and which class a score belongs to."""

import itertools
import shlex

import numpy as np
import pytest
from cli_cases import (
    error_of,
    make_predictions,
    run_json,
    write_predictions,
    write_table,
)

import skvus
from skvus.__main__ import main
from skvus._cli._reading import Wanted, read_columns


def texts(column):
    return list(map(repr, column.tolist()))


def scored(capsys, path, *more):
    return run_json(capsys, "score", path, "--score", "hand_till", *more)


@pytest.mark.parametrize(
    "truth", ["y", "y_true", "Truth", "target", "LABEL", "class", "obs", "Reference"]
)
@pytest.mark.parametrize("prefix", ["p_", "prob_", "Proba_", "score-", "probability.", "p", ""])
def test_usual_names_are_found(tmp_path, capsys, truth, prefix):
    y, proba = make_predictions()
    columns = {"id": range(len(y)), f"{prefix}c": texts(proba[:, 2]), "age": range(len(y))}
    columns |= {f"{prefix}a": texts(proba[:, 0]), truth: y, f"{prefix}b": texts(proba[:, 1])}
    path = write_table(tmp_path / "t.csv", columns)
    found = scored(capsys, path)
    assert found["score_columns"] == [f"{prefix}{label}" for label in "abc"]
    assert found["scores"]["hand_till"]["value"] == skvus.hand_till_score(y, proba)


@pytest.mark.parametrize(
    "form", ["class_{}", ".pred_{}", "{}_prob", "P({})", "{}", "a {} a", "x1{}"]
)
@pytest.mark.parametrize("labels", [("Barbera", "Barolo", "a"), (1, 2, 10)])
@pytest.mark.parametrize("fold", [str, str.upper, str.lower])
def test_names_with_anything_in_common(tmp_path, capsys, form, labels, fold):
    y, proba = make_predictions(labels=labels)
    columns = {"age": range(len(y)), "note_a": y, "a_rate": [0.5] * len(y), "y": y}
    columns |= {fold(form.format(label)): texts(proba[:, k]) for k, label in enumerate(labels)}
    path = write_table(tmp_path / "t.csv", columns)
    if form == "x1{}" and labels[0] == 1:  # 11, 12 and 110 may be the labels
        assert "which columns have the scores" in error_of(capsys, "score", path)
        return
    found = scored(capsys, path)
    assert found["score_columns"] == [fold(form.format(label)) for label in labels]
    assert found["scores"]["hand_till"]["value"] == skvus.hand_till_score(y, proba)


def test_names_in_common_that_fit_twice_or_not_quite(tmp_path, capsys):
    y, proba = make_predictions()
    own = {f"P({label})": texts(proba[:, k]) for k, label in enumerate("abc")}
    again = {f"{label} est": texts(proba[:, k]) for k, label in enumerate("abc")}
    message = error_of(capsys, "score", write_table(tmp_path / "t.csv", {"y": y} | own | again))
    assert "Tell with --scores 'P(a),P(b),P(c)' or --scores 'a est,b est,c est'." in message
    # other features that are named alike, and such as do not sum to one, are no scores
    half = [0.5] * len(y)
    features = {f"x_{label}": half for label in "abc"}
    path = write_table(tmp_path / "t.csv", {"y": y} | own | features)
    assert scored(capsys, path)["score_columns"] == list(own)
    path = write_table(tmp_path / "t.csv", {"y": y, "P(d)": half} | own)
    assert "which columns have the scores" in error_of(capsys, "score", path)
    upper = {f"q({label})": again[f"{label.lower()} est"] for label in "ABC"}
    path = write_table(tmp_path / "t.csv", {"y": y} | own | upper)
    assert scored(capsys, path)["score_columns"] == list(own)
    path = write_table(tmp_path / "t.csv", {"y": y, "p(A)": half, "P(A)": half} | again)
    assert scored(capsys, path)["score_columns"] == list(again)


def test_case_tells_classes_apart(tmp_path, capsys):
    y, proba = make_predictions(labels=("a", "A", "b"))
    columns = {f"is {label}": texts(proba[:, k]) for k, label in enumerate(("a", "A", "b"))}
    found = scored(capsys, write_table(tmp_path / "t.csv", {"y": y} | columns))
    assert found["score_columns"] == ["is A", "is a", "is b"]
    columns["is B"] = columns.pop("is b")
    path = write_table(tmp_path / "t.csv", {"y": y} | columns)
    assert "which columns have the scores" in error_of(capsys, "score", path)


def test_a_bad_cell_of_an_unusual_name(tmp_path, capsys):
    y, proba = make_predictions()
    columns = {"y": y} | {f"{label}_est": texts(proba[:, k]) for k, label in enumerate("abc")}
    columns["b_est"][76] = ""
    message = error_of(capsys, "score", write_table(tmp_path / "t.csv", columns))
    assert message.endswith("line 78, column 'b_est': empty.")


def test_the_option_that_may_be_meant_is_ready(tmp_path, capsys):
    y, proba = make_predictions()
    columns = {"y": y, "note": y, "one": texts(proba[:, 0]), "two": texts(proba[:, 1])}
    path = write_table(tmp_path / "t.csv", columns | {"the, third": texts(proba[:, 2])})
    message = error_of(capsys, "score", path)
    option = message.split("those scores: ")[1]
    assert option == """--scores 'one,two,"the, third"'"""
    found = scored(capsys, path, *shlex.split(option))
    assert found["scores"]["hand_till"]["value"] == skvus.hand_till_score(y, proba)
    path = write_table(tmp_path / "t.csv", columns)
    assert "those scores" not in error_of(capsys, "score", path)
    y, proba = make_predictions(labels=("no", "yes"))
    path = write_table(tmp_path / "t.csv", {"y": y, "prob": texts(proba[:, 1])})
    message = error_of(capsys, "score", path)
    assert message.endswith("If the column of numbers is the score of yes: --scores prob")
    found = scored(capsys, path, "--scores", "prob")
    assert found["scores"]["hand_till"]["value"] == skvus.hand_till_score(y, proba[:, 1])


def test_given_columns_with_any_names_in_common(tmp_path, capsys):
    y, proba = make_predictions()
    columns = {f"{label}_est": texts(proba[:, k]) for k, label in enumerate("abc")}
    path = write_table(tmp_path / "t.csv", {"y": y} | columns)
    found = scored(capsys, path, "--scores", "b_est,a_est,c_est")
    assert found["score_columns"] == list(columns)


@pytest.mark.parametrize("name", ["predict", ".pred_class", "predicted_class", "Prediction"])
def test_names_of_predicted_labels(tmp_path, capsys, name):
    y, proba = make_predictions()
    called = np.roll(y, 7)
    columns = {f".pred_{label}": texts(proba[:, k]) for k, label in enumerate("abc")}
    path = write_table(tmp_path / "t.csv", {"obs": y, name: called} | columns)
    found = run_json(capsys, "score", path, "--score", "macro_average,pdi")["scores"]
    assert found["macro_average"]["value"] == skvus.macro_average_score(y, called)
    assert found["pdi"]["value"] == skvus.pdi_score(y, proba)


def test_names_that_may_mean_something_else_come_second(tmp_path, capsys):
    y, proba = make_predictions()
    wrong = np.roll(y, 1)
    path = write_predictions(tmp_path / "t.csv", y, proba, outcome=wrong, predict=wrong, pred=y)
    found = run_json(capsys, "score", path, "--score", "macro_average")
    assert found["scores"]["macro_average"]["value"] == 1.0
    path = write_table(tmp_path / "t.csv", {"obs": y, "outcome": y, "pred": y})
    assert "obs, outcome might be it" in error_of(capsys, "score", path)


def test_what_was_found_is_told_on_stderr_alone(tmp_path, capsys):
    y, proba = make_predictions()
    path = write_predictions(tmp_path / "t.csv", y, proba)
    main(["score", path, "--score", "pdi"])
    out, err = capsys.readouterr()
    assert "truth in 'y'; scores in p_a, p_b, p_c (of a, b, c, by their names)" in err
    assert "p_a" not in out


@pytest.mark.parametrize("order", list(itertools.permutations("abc")))
def test_given_columns_go_to_classes_by_their_names(tmp_path, capsys, order):
    y, proba = make_predictions()
    path = write_predictions(tmp_path / "t.csv", y, proba, prefix="est ")
    found = scored(capsys, path, "--scores", ",".join(f"est {label}" for label in order))
    assert found["score_columns"] == ["est a", "est b", "est c"]
    assert found["scores"]["hand_till"]["value"] == skvus.hand_till_score(y, proba)


def test_other_names_go_by_order_and_labels_tell_it(tmp_path, capsys):
    y, proba = make_predictions()
    columns = {"y": y, "one": texts(proba[:, 0]), "two": texts(proba[:, 1])}
    path = write_table(tmp_path / "t.csv", columns | {"three": texts(proba[:, 2])})
    found = scored(capsys, path, "--scores", "one,two,three")
    assert found["scores"]["hand_till"]["value"] == skvus.hand_till_score(y, proba)
    assert main(["score", path, "--scores", "one,two,three"]) == 0
    assert "one, two, three (of a, b, c, by their order)" in capsys.readouterr().err
    found = scored(capsys, path, "--scores", "three,one,two", "--labels", "c,a,b")
    assert found["classes"] == ["c", "a", "b"]
    assert found["scores"]["hand_till"]["value"] == skvus.hand_till_score(y, proba)


def test_named_columns_follow_the_order_of_labels(tmp_path, capsys):
    y, proba = make_predictions()
    path = write_predictions(tmp_path / "t.csv", y, proba)
    found = run_json(capsys, "score", path, "--labels", "c,a,b", "--score", "ordinal_vus")
    assert found["score_columns"] == ["p_c", "p_a", "p_b"]
    rank = np.round(proba[:, [2, 0, 1]] @ np.arange(3.0), 10)
    expected = skvus.ordinal_vus_score(y, rank, labels=["c", "a", "b"])
    assert found["scores"]["ordinal_vus"]["value"] == expected


@pytest.mark.parametrize(
    "written", [["0", "1", "2"], ["0.0", "1.0", "2.0"], ["0", "1.0", "2."]]
)
def test_whole_numbers_are_numbers(tmp_path, capsys, written):
    y, proba = make_predictions(labels=(0, 1, 2))
    columns = {"y": [written[k] for k in y]} | {f"p_{k}": texts(proba[:, k]) for k in range(3)}
    path = write_table(tmp_path / "t.csv", columns)
    assert scored(capsys, path)["classes"] == [0, 1, 2]
    columns["y"][:3] = "0", "1", "2"  # the same classes in another spelling
    path = write_table(tmp_path / "t.csv", columns)
    assert scored(capsys, path)["classes"] == [0, 1, 2]


def test_numbers_are_sorted_as_numbers_and_codes_stay_text(tmp_path, capsys):
    y, proba = make_predictions(labels=(2, 10, -1))
    path = write_predictions(tmp_path / "t.csv", y, proba, (2, 10, -1))
    found = scored(capsys, path)
    assert (found["classes"], found["score_columns"]) == ([-1, 2, 10], ["p_-1", "p_2", "p_10"])
    y, proba = make_predictions(labels=("007", "7", "1"))
    path = write_predictions(tmp_path / "t.csv", y, proba, ("007", "7", "1"))
    assert scored(capsys, path)["classes"] == ["007", "1", "7"]


def test_two_classes_and_one_column(tmp_path, capsys):
    y, proba = make_predictions(labels=("well", "ill"))
    area = skvus.hand_till_score(y, proba[:, ::-1])
    columns = {"y": y, "p_ill": texts(proba[:, 1])}
    path = write_table(tmp_path / "t.csv", columns)
    found = scored(capsys, path)
    assert found["classes"] == ["well", "ill"]
    assert found["scores"]["hand_till"]["value"] == pytest.approx(area, rel=1e-12)
    for given in ("p_ill", "p_well"):
        column = proba[:, int(given == "p_ill")]
        path = write_table(tmp_path / "t.csv", {"y": y, given: texts(column)})
        every = run_json(capsys, "score", path, "--scores", given)["scores"]
        assert every["hand_till"]["value"] == pytest.approx(area, rel=1e-12)
        accuracy = skvus.macro_average_score(y, np.array(["well", "ill"])[proba.argmax(axis=1)])
        assert every["macro_average"]["value"] == accuracy
    path = write_table(tmp_path / "t.csv", {"y": (y == "ill") * 1, "score": texts(proba[:, 1])})
    assert scored(capsys, path)["scores"]["hand_till"]["value"] == pytest.approx(area)


def test_one_score_for_classes_in_order(tmp_path, capsys):
    y, proba = make_predictions(labels=(1, 2, 3))
    marker = proba @ [-5.0, 0.0, 3.0]
    path = write_table(tmp_path / "t.csv", {"y": y, "marker": texts(marker)})
    found = run_json(capsys, "score", path, "--scores", "marker", "--raw")
    assert list(found["scores"]) == ["ordinal_vus"]
    assert found["scores"]["ordinal_vus"]["value"] == skvus.ordinal_vus_score(y, marker)
    assert "takes a score for each class" in found["left_out"]["pdi"]
    message = error_of(capsys, "front", path, "--scores", "marker")
    assert "is negative" in message


def test_raw_scores(tmp_path, capsys):
    y, proba = make_predictions()
    decision = np.log(proba)
    path = write_predictions(tmp_path / "t.csv", y, decision, prefix="score_")
    assert "use --raw" in error_of(capsys, "score", path)
    found = run_json(capsys, "score", path, "--raw")
    assert found["scores"]["pdi"]["value"] == skvus.pdi_score(y, decision)
    assert found["scores"]["polytope_vus"]["value"] > 0
    assert found["left_out"]["simplified_vus"] == "takes probabilities"


def test_rounded_probabilities(tmp_path, capsys):
    y, proba = make_predictions()
    rounded = proba.round(2)
    path = write_predictions(tmp_path / "t.csv", y, rounded)
    found = run_json(capsys, "score", path)
    assert "ordered_vus" in found["left_out"]
    assert "see --normalize" in found["left_out"]["ordered_vus"]
    assert found["scores"]["simplified_vus"]["value"] == skvus.simplified_vus_score(y, rounded)
    assert "--normalize" in error_of(capsys, "score", path, "--score", "ordered_vus")
    nearly = proba.copy()
    nearly[29, 0] += 3e-5
    path = write_predictions(tmp_path / "near.csv", y, nearly)
    message = error_of(capsys, "score", path, "--score", "ordered_vus")
    assert "the scores of case 30 sum to 1.00003; see --normalize" in message
    path = write_predictions(tmp_path / "six.csv", y, proba.round(6), p_note=y)
    assert "ordered_vus" in run_json(capsys, "score", path)["scores"]
    path = write_predictions(tmp_path / "t.csv", y, rounded, p_note=y)
    assert "ordered_vus" in run_json(capsys, "score", path)["left_out"]
    path = write_predictions(tmp_path / "t.csv", y, rounded)
    found = run_json(capsys, "score", path, "--normalize")
    shares = rounded / rounded.sum(axis=1, keepdims=True)
    assert found["scores"]["ordered_vus"]["value"] == skvus.ordered_vus_score(y, shares)


def test_predicted_labels(tmp_path, capsys):
    y, proba = make_predictions()
    pred = np.roll(np.array(list("abc"))[proba.argmax(axis=1)], 1)
    path = write_table(tmp_path / "t.csv", {"y": y, "pred": pred})
    found = run_json(capsys, "score", path)
    assert found["scores"]["polytope_vus"]["value"] == skvus.polytope_vus_score(y, pred)
    assert "hand_till" in found["left_out"]
    path = write_predictions(tmp_path / "t.csv", y, proba, guess=pred.tolist())
    for more, called in (
        (["--pred", "guess"], pred),
        ([], np.array(list("abc"))[proba.argmax(1)]),
    ):
        found = run_json(capsys, "score", path, *more)
        assert found["scores"]["macro_average"]["value"] == skvus.macro_average_score(y, called)
        assert found["scores"]["pdi"]["value"] == skvus.pdi_score(y, proba)
    assert "predicted labels of no class: 1" in error_of(
        capsys,
        "score",
        write_table(
            tmp_path / "t.csv",
            {"y": y, "z": [1] * len(y)}
            | {f"p_{label}": texts(proba[:, k]) for k, label in enumerate("abc")},
        ),
        "--pred",
        "z",
    )


def test_a_column_that_only_looks_like_predictions(tmp_path, capsys):
    y, proba = make_predictions()
    path = write_predictions(
        tmp_path / "t.csv", y, proba, prediction=[f"{k}" for k in range(120)]
    )
    found = run_json(capsys, "score", path, "--score", "macro_average")
    called = np.array(list("abc"))[proba.argmax(1)]
    assert found["scores"]["macro_average"]["value"] == skvus.macro_average_score(y, called)


def test_weights(tmp_path, capsys):
    y, proba = make_predictions()
    weight = np.random.default_rng(1).uniform(0.5, 2.0, len(y))
    path = write_predictions(tmp_path / "t.csv", y, proba, w=texts(weight))
    found = run_json(capsys, "score", path, "--weight", "w", "--score", "pdi,polytope_vus")
    assert found["scores"]["pdi"]["value"] == skvus.pdi_score(y, proba, sample_weight=weight)
    called = np.array(list("abc"))[proba.argmax(1)]
    expected = skvus.polytope_vus_score(y, called, sample_weight=weight)
    assert found["scores"]["polytope_vus"]["value"] == expected
    path = write_predictions(tmp_path / "t.csv", y, proba, w=texts(weight - 1.0))
    assert "which no weight is" in error_of(capsys, "score", path, "--weight", "w")


@pytest.mark.parametrize(
    ("columns", "options", "message"),
    [
        ("y,label,p_a,p_b,p_c", [], "which column has the true labels: y, label might be it?"),
        ("z,p_a,p_b,p_c", [], "Tell with --truth. Columns are z, p_a, p_b, p_c."),
        ("y,p_a,p_b,p_c", ["--truth", "yy"], "no column 'yy' for --truth. Did you mean y?"),
        ("y,u,v,w", [], "which columns have the scores of the classes a, b, c, or the pred"),
        ("y,p_a,p_b,v", [], "there is no column for c"),
        ("y,p_a,p_b,p_c,q,prob_a,prob_b,prob_c", [], "--scores p_a,p_b,p_c or --scores prob_a"),
        ("y,p_a,p_b,p_c", ["--scores", "p_a,p_b"], "names 2 columns, but"),
        ("y,p_a,p_b,p_c", ["--scores", "p_a,p_b,p_d"], "no column 'p_d' for --scores. Did you"),
        ("y,p_a,p_b,x_c", ["--scores", "p_a,p_b,x_c"], "p_a, p_b of --scores are of classes"),
        ("y,p_a,p_b,p_c", ["--scores", "p_a,p_b,y"], "y cannot be two things at once"),
        ("y,p_a,p_b,p_c", ["--scores", "p_a,p_b,p_b"], "p_b cannot be two things at once"),
        ("y,p_a,p_b,p_c", ["--labels", "a,b"], "classes that --labels does not name: c"),
        ("y,p_a,p_b,p_c", ["--labels", "a,b,c,a"], "--labels names a class twice"),
        ("y,p_a,p_b,p_c", ["--labels", "a,b,c,d"], "there is no column for d"),
        ("y,p_a,p_b,p_c", ["--weight", "w"], "no column 'w' for --weight"),
        ("y,p_a,p_b,p_c,z", ["--pred", "z"], "of no class: 0.25"),
    ],
)
def test_what_is_ambiguous_or_wrong(tmp_path, capsys, columns, options, message):
    names = columns.split(",")
    y, _ = make_predictions(30)
    table = {
        name: y if name in ("y", "label") or names[0] == name else [0.25] * 30 for name in names
    }
    path = write_table(tmp_path / "t.csv", table)
    assert message in error_of(capsys, "score", path, *options)


def test_a_bad_cell_in_a_column_that_was_found_is_told(tmp_path, capsys):
    y, proba = make_predictions()
    columns = {"y": y} | {f"p_{label}": texts(proba[:, k]) for k, label in enumerate("abc")}
    columns["p_b"][76] = "oops"
    message = error_of(capsys, "score", write_table(tmp_path / "t.csv", columns))
    assert message.endswith("line 78, column 'p_b': 'oops' is no number.")


@pytest.mark.parametrize("first", [0, 7])
def test_numbered_features_are_no_scores(tmp_path, capsys, first):
    y, proba = make_predictions(labels=(0, 1, 2))
    columns = {"y": y} | {str(k): [0.5] * len(y) for k in range(first, 10)}
    path = write_table(tmp_path / "t.csv", columns)
    assert "which columns have the scores" in error_of(capsys, "score", path)
    columns |= {f"p_{k}": texts(proba[:, k]) for k in range(3)}
    found = scored(capsys, write_table(tmp_path / "t.csv", columns))
    assert found["score_columns"] == ["p_0", "p_1", "p_2"]


def test_columns_that_are_kept(tmp_path):
    y, _ = make_predictions()
    names = ["p_a", "p_later", "pixel_1", "price", "score", "b", "x", "prob_x"]
    path = write_table(tmp_path / "t.csv", {"y": y} | dict.fromkeys(names, [0.5] * len(y)))
    assert list(read_columns(path, Wanted(labels=["b"])).numbers) == names
    path = write_table(
        tmp_path / "t.csv", {"y": y} | dict.fromkeys(set(names) - {"b"}, [0.5] * 120)
    )
    assert set(read_columns(path, Wanted()).numbers) == {"p_a", "p_later", "score"}


def test_a_rare_class_that_comes_late(tmp_path, capsys):
    y, proba = make_predictions(60_000)
    order = np.argsort(y == "c", kind="stable")
    path = write_predictions(tmp_path / "t.csv", y[order], proba[order])
    assert scored(capsys, path)["class_sizes"] == [20_000] * 3
