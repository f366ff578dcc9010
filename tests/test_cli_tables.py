"""Command line: tables that are read, and those that are refused."""

import gzip
import io
import json
import re
import subprocess
import sys

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

GOOD = "y,p_a,p_b\na,.9,.1\nb,.2,.8\na,.6,.4\nb,.7,.3\n"


@pytest.fixture
def predictions(tmp_path):
    y, proba = make_predictions()
    return write_predictions(tmp_path / "predictions.csv", y, proba)


def pdi_of(capsys, path, *more):
    return run_json(capsys, "score", str(path), "--score", "pdi", *more)["scores"]["pdi"][
        "value"
    ]


def test_no_digit_is_lost(predictions, capsys):
    y, proba = make_predictions()
    assert pdi_of(capsys, predictions) == skvus.pdi_score(y, proba)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("bom.csv", lambda text: b"\xef\xbb\xbf" + text.encode()),
        ("dos.csv", lambda text: text.replace("\n", "\r\n").encode()),
        ("mac.csv", lambda text: text.replace("\n", "\r").encode()),
        ("tabs.tsv", lambda text: text.replace(",", "\t").encode()),
        ("tabs.csv", lambda text: text.replace(",", "\t").encode()),
        ("semicolons.csv", lambda text: text.replace(",", ";").encode()),
        ("csv2.csv", lambda text: text.replace(",", ";").replace(".", "0,").encode()),
        ("pipes.txt", lambda text: text.replace(",", "|").encode()),
        ("spaces.csv", lambda text: text.replace(",", " , ").encode()),
        ("blank.csv", lambda text: ("\n\n" + text.replace("\nb", "\n\nb") + "\n\n").encode()),
        (
            "quoted.csv",
            lambda text: text.replace("y,", '"y",').replace("\na,", '\n"a",').encode(),
        ),
        ("no_end.csv", lambda text: text.rstrip("\n").encode()),
        ("packed.csv.gz", lambda text: gzip.compress(text.encode())),
        ("packed", lambda text: gzip.compress(text.encode())),
        ("packed.tsv.gz", lambda text: gzip.compress(text.replace(",", "\t").encode())),
    ],
)
def test_forms_of_text(tmp_path, capsys, name, change):
    (tmp_path / name).write_bytes(change(GOOD))
    assert pdi_of(capsys, tmp_path / name) == 0.75


def test_standard_input(monkeypatch, capsys):
    wrapper = io.TextIOWrapper(io.BytesIO(GOOD.encode()))
    monkeypatch.setattr(sys, "stdin", wrapper)
    assert pdi_of(capsys, "-") == 0.75
    assert not wrapper.buffer.closed


def test_compressed_standard_input(predictions):
    with open(predictions, "rb") as file:
        packed = gzip.compress(file.read())
    command = [sys.executable, "-m", "skvus", "score", "-", "--score", "pdi", "--json"]
    done = subprocess.run(command, input=packed, capture_output=True, check=True)
    found = json.loads(done.stdout)["scores"]["pdi"]["value"]
    assert found == skvus.pdi_score(*make_predictions())


def test_damaged_standard_input(monkeypatch, capsys):
    wrapper = io.TextIOWrapper(io.BytesIO(gzip.compress(GOOD.encode())[:-9]))
    monkeypatch.setattr(sys, "stdin", wrapper)
    assert "standard input is no gzip file, or it is damaged" in error_of(capsys, "score", "-")
    assert not wrapper.buffer.closed


def test_decimal_commas_of_weights_and_costs(tmp_path, capsys):
    path = tmp_path / "t.csv"
    path.write_text(GOOD.replace(",", ";").replace(".", "0,"))
    costs = tmp_path / "costs.csv"
    costs.write_text("true;a;b\na;0;2,5\nb;1;0\n")
    found = run_json(capsys, "score", str(path), "--score", "pdi", "--cost", str(costs))
    assert found["expected_cost"]["cost_matrix"] == [[0, 2.5], [1, 0]]
    path.write_text("y;p_a;p_b\na;0,9;0,1\nb;1.000,2;0,8\n")
    message = error_of(capsys, "score", str(path))
    assert "line 3, column 'p_a': '1.000,2' is no number" in message


def test_labels_with_delimiters_quotes_and_lines(tmp_path, capsys):
    y, proba = make_predictions(labels=('x, "y"', "two\nlines", "é"))
    path = write_predictions(tmp_path / "odd.csv", y, proba, ('x, "y"', "two\nlines", "é"))
    found = run_json(capsys, "score", path, "--score", "hand_till")
    assert found["classes"] == ["two\nlines", 'x, "y"', "é"]
    assert found["scores"]["hand_till"]["value"] == skvus.hand_till_score(
        y, proba[:, [1, 0, 2]]
    )


def test_many_blocks(tmp_path, capsys):
    y, proba = make_predictions(45_000)
    path = write_predictions(tmp_path / "long.csv", y, proba)
    assert pdi_of(capsys, path) == skvus.pdi_score(y, proba)
    with open(path, "a") as file:
        file.write('a,.5,.5,0\n"a",.5,.5,oops\n')
    assert "line 45,003, column 'p_c': 'oops' is no number" in error_of(capsys, "score", path)


def test_parquet(tmp_path, capsys):
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    y, proba = make_predictions(labels=(0, 1, 2))
    frame = pandas.DataFrame(
        {"target": y, "note": None} | {f"p_{k}": proba[:, k] for k in y[:3]}
    )
    frame.to_parquet(tmp_path / "p.parquet")
    assert pdi_of(capsys, tmp_path / "p.parquet") == skvus.pdi_score(y, proba)
    frame["target"] = frame["target"].astype(float).astype("category")
    frame["p_0"] = frame["p_0"].astype("float32")
    frame.to_parquet(tmp_path / "q.parquet")
    assert pdi_of(capsys, tmp_path / "q.parquet") == pytest.approx(skvus.pdi_score(y, proba))
    frame.loc[7, "p_1"] = np.nan
    frame.to_parquet(tmp_path / "r.parquet")
    assert "row 8, column 'p_1': empty" in error_of(
        capsys, "score", str(tmp_path / "r.parquet")
    )
    (tmp_path / "s.parquet").write_bytes(b"PAR1 and no more")
    assert "no Parquet file" in error_of(capsys, "score", str(tmp_path / "s.parquet"))
    assert "no such file" in error_of(capsys, "score", str(tmp_path / "t.parquet"))


def test_parquet_without_pyarrow(tmp_path, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert "pip install pyarrow" in error_of(capsys, "score", str(tmp_path / "p.parquet"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "bad.csv is empty"),
        ("\n\n", "bad.csv is empty"),
        ("y,p_a,p_b\n", "has a header, but no rows"),
        ("y,p_a,p_b\n\n\n", "has a header, but no rows"),
        ("a,.9,.1\nb,.2,.8\n", "Columns are a, .9, .1. Is the header missing?"),
        ("a,.5,.5\nb,.2,.8\n", "two columns of one name: .5. Is the header missing?"),
        ("0,.9,.1\n1,.2,.8\n", "must have names of columns in its first line"),
        ("y,p_a,p_a\na,.9,.1\n", "two columns of one name: p_a"),
        ("y,p_a,p_b\na,.9,.1\nb,.2\n", "line 3: there are 2 fields, but 3 in the header"),
        ("y,p_a,p_b\n\na,.9,.1,7\n", "line 3: there are 4 fields"),
        ('y,p_a,p_b\n"a\nx",.9,.1\nb,.2\n', "line 4: there are 2 fields"),
        ("y,p_a,p_b\na,.9,.1\nb,x,.8\n", "line 3, column 'p_a': 'x' is no number"),
        ("y,p_a,p_b\na,.9,.1\nb,,.8\n", "line 3, column 'p_a': empty"),
        ("y,p_a,p_b\na,.9,1_0\nb,.2,.8\n", "line 2, column 'p_b': '1_0' is no number"),
        ("y|p_a|p_b\na|0,9|0,1\nb|0,2|0,8\n", "'0,9' is no number (write a point"),
        ("y p_a p_b\na .9 .1\n", "one column only, y p_a p_b; separators are comma, semi"),
        ('"y" "p,a" "p,b"\na .9 .1\n', 'one column only, "y" "p,a" "p,b"; separators are'),
        ("\ny p_a p_b\na .9 .1\n", "one column only, y p_a p_b"),
        ("y,p_a,p_b\na,.9,nan\nb,.2,.8\n", "line 2, column 'p_b': nan is no finite number"),
        ("y,p_a,p_b\na,.9,.1\nb,-inf,.8\n", "line 3, column 'p_a': -inf is no finite"),
        ("y,p_a,p_b\na,.9,1e999\nb,.2,.8\n", "column 'p_b': inf is no finite number"),
        ("y,p_a,p_b\n,.9,.1\nb,.2,.8\n", "line 2, column 'y': a label is missing"),
        ("y,p_a,p_b\na,.9,.1\nb,1.2,-.2\n", "line 3, column 'p_b': -0.2 is negative"),
        ('y,p_a,p_b\na,.9,.1\n"b,.2,.8\n', "line 3: unexpected end of data"),
        (f"y,p_a,p_b\n{'a' * 101},.9,.1\n", "a label of 101 characters is too long"),
    ],
)
def test_texts_that_are_refused(tmp_path, capsys, text, message):
    path = tmp_path / "bad.csv"
    path.write_text(text)
    assert message in error_of(capsys, "score", str(path))


def test_whether_the_header_is_missing(tmp_path, capsys):
    path = tmp_path / "bad.csv"
    for header, is_asked in (("a,0.0544,1e-3", True), ("y,1,p_a", False), ("y,p_a,p_b", False)):
        path.write_text(f"{header}\na,.9,.1\nb,.2,.8\n")
        message = error_of(capsys, "score", str(path), "--truth", "true")
        assert "no column 'true' for --truth" in message
        assert message.endswith(" Is the header missing?") is is_asked


def test_one_class(tmp_path, capsys):
    path = write_table(tmp_path / "one.csv", {"y": ["a", "a"], "pred": ["a", "a"]})
    assert "all cases are of class a; it takes two" in error_of(capsys, "score", path)


def test_too_many_labels(tmp_path, capsys):
    path = write_table(tmp_path / "t.csv", {"y": range(1001), "p_1": range(1001)})
    assert "more than 1,000 different labels" in error_of(capsys, "score", path)


def test_bytes_that_are_refused(tmp_path, capsys):
    (tmp_path / "latin.csv").write_bytes("y,p_a,p_b\né,.9,.1\n".encode("latin-1"))
    assert "UTF-8; it has the byte 0xe9" in error_of(
        capsys, "score", str(tmp_path / "latin.csv")
    )
    (tmp_path / "wide.csv").write_bytes(GOOD.encode("utf-16"))
    assert "UTF-8" in error_of(capsys, "score", str(tmp_path / "wide.csv"))
    (tmp_path / "no.csv.gz").write_bytes(GOOD.encode())
    assert "no gzip file" in error_of(capsys, "score", str(tmp_path / "no.csv.gz"))
    (tmp_path / "cut.csv.gz").write_bytes(gzip.compress(GOOD.encode())[:-9])
    assert "damaged" in error_of(capsys, "score", str(tmp_path / "cut.csv.gz"))


def test_what_is_no_file(tmp_path, capsys, monkeypatch):
    assert "there is no such file" in error_of(capsys, "score", str(tmp_path / "none.csv"))
    assert "is a folder" in error_of(capsys, "score", str(tmp_path))

    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied")

    path = write_table(tmp_path / "p.csv", {"y": "ab"})
    monkeypatch.setattr("builtins.open", refuse)
    assert "p.csv cannot be read: Permission denied" in error_of(capsys, "score", path)


def test_hostile_cells_never_end_in_a_traceback(tmp_path, capsys):
    rng = np.random.default_rng(0)
    pieces = ["a", "b", ".5", "1e400", "-1", "nan", ",", ";", "\n", '"', "\r", "\t", "\0", "é"]
    pieces += ["y", "p_a", "p_b", "\x1b[31m", "=1+1", "'", "\u202e", "0x1", "1_0", " ", "1.0"]
    path = tmp_path / "hostile.csv"
    statuses = set()
    for _ in range(300):
        chosen = rng.choice(pieces, size=rng.integers(1, 25))
        body = "".join(f"{piece}{rng.choice(['', ',', chr(10)])}" for piece in chosen)
        head = rng.choice(["y,p_a,p_b\n", "y,pred\n", ""])
        rows = rng.choice(["a,.5,.5\nb,.1,.9\n", "a,b\nb,b\n", ""])
        if rng.random() < 0.5:  # only the labels are odd
            head, body = "y,pred\n", "".join(f"a,{piece}\n" for piece in chosen[:2])
        path.write_text(str(head) + str(rows) + body, newline="")
        statuses.add(main(["score", str(path), "--score", "macro_average"]))
        out, err = capsys.readouterr()
        assert "\x1b" not in out + err
        assert "Traceback" not in err
    assert statuses == {0, 2}


def test_pipes_and_interrupts_leave_quietly(predictions):
    command = f"{sys.executable} -m skvus score {predictions} --json | head -1"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True
    )
    assert done.stdout.strip() == "{"
    assert "Traceback" not in done.stderr
    assert "Error" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "status", "out", "err"),
    [
        ("{} --json >&-", 0, r"$", r"(skvus: .*\n)*$"),
        ("{} >&-", 0, r"$", r"(skvus: .*\n)*$"),
        ("{} --json 2>&-", 0, r"\{[\s\S]*\}\s*$", r"$"),
        ("- <&-", 2, r"$", r"skvus: error: standard input is closed; give a file .*\n$"),
        ("- <&- 2>&-", 2, r"$", r"$"),
    ],
)
def test_streams_that_are_closed(predictions, arguments, status, out, err):
    command = f"{sys.executable} -m skvus score {arguments.format(predictions)}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    assert (done.returncode, bool(re.match(out, done.stdout))) == (status, True), done
    assert re.match(err, done.stderr), done.stderr


def test_interrupted(predictions, capsys, monkeypatch):
    def interrupt(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("skvus._cli._score_command.score_once", interrupt)
    assert main(["score", predictions]) == 130
    assert capsys.readouterr().err.endswith("skvus: interrupted\n")


def test_memory(tmp_path):
    # rows of 2 KB of which three numbers are kept
    path = tmp_path / "wide.csv"
    with open(path, "w") as file:
        file.write(f"y,p_a,p_b,{','.join(f'x{k}' for k in range(200))}\n")
        rest = "," + ",".join(["1.23456"] * 200)
        for k in range(30_000):
            file.write(f"{'ab'[k % 2]},.25,.75{rest}\n")
    code = f"""
import resource
from skvus._cli._reading import Wanted, read_columns
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
columns = read_columns({str(path)!r}, Wanted())
assert list(columns.numbers) == ["p_a", "p_b"], columns.numbers
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert int(done.stdout) < 60  # MB; all cells as objects would take 400
