"""Predictions in files, and the command line called in this process."""

import csv
import json

import numpy as np

from skvus.__main__ import main

LABELS = ("a", "b", "c")


def make_predictions(n=120, labels=LABELS, seed=0, skill=1.5):
    """True labels and probabilities, a column for each label."""
    rng = np.random.default_rng(seed)
    codes = np.arange(n) % len(labels)
    logits = rng.normal(size=(n, len(labels)))
    logits[np.arange(n), codes] += skill
    proba = np.exp(logits)
    return np.array(labels)[codes], proba / proba.sum(axis=1, keepdims=True)


def write_table(path, columns, delimiter=","):
    """A table with a header, from columns by their names."""
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, delimiter=delimiter)
        writer.writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))
    return str(path)


def write_predictions(path, y, proba, labels=LABELS, prefix="p_", **more):
    """A table of predictions; floats are written with all their digits."""
    scores = {f"{prefix}{label}": column for label, column in zip(labels, proba.T, strict=True)}
    scores = {name: list(map(repr, column.tolist())) for name, column in scores.items()}
    return write_table(path, {"y": y.tolist(), **scores, **more})


def run_json(capsys, *argv):
    """What a command prints as JSON."""
    assert main([*argv, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def error_of(capsys, *argv, status=2):
    """The one line of an error, after notes; nothing on standard output."""
    assert main(list(argv)) == status
    out, err = capsys.readouterr()
    assert out == ""
    lines = err.splitlines()
    assert all(line.startswith("skvus: ") for line in lines)
    assert lines[-1].startswith("skvus: error: ")
    assert not any(line.startswith("skvus: error") for line in lines[:-1])
    return lines[-1].removeprefix("skvus: error: ")
