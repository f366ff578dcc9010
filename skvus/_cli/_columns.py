"""Which column is what, by their names; pure functions of names and labels."""

import csv
import io
import shlex
from collections import Counter
from typing import NamedTuple

from skvus._cli._cells import are_whole, as_label, header_hint
from skvus._cli._messages import CommandError, listed
from skvus._validation import did_you_mean

# Usual names; those that may mean something else count where there are none of the first.
_TRUTHS = (
    "y_true",
    "truth",
    "true",
    "y",
    "target",
    "label",
    "labels",
    "class",
    "actual",
    "true_label",
    "true_class",
    "ground_truth",
)
TRUTHS = (_TRUTHS, ("obs", "observed", "reference", "outcome"))
PREDICTIONS = (
    ("pred", "y_pred", "predicted", "prediction", "predictions", "predicted_class"),
    ("predict", ".pred_class"),
)
_BASES = (
    "p",
    "pr",
    "prob",
    "probs",
    "proba",
    "probas",
    "probability",
    "posterior",
    "score",
    "scores",
    "y_score",
    "y_prob",
    "y_proba",
    "pred_proba",
    "predict_proba",
    "decision",
    "decision_function",
)
_SEPARATORS = ("_", "-", ".", ":", " ", "")
# More columns of unusual names that begin and end alike are features.
_MOST_ALIKE = 100


class Matched(NamedTuple):
    """Score columns, the class of each, and how that was found out."""

    columns: list
    labels: list
    how: str


def find_column(table, columns, given, names, option, what):
    """Position of a column that is given by its name, or that has one of the usual names."""
    if given is not None:
        return position(table, columns, given, option)
    found = named(columns, names)
    if len(found) == 1:
        return found[0]
    several = f": {listed(columns[k] for k in found)} might be it" if found else ""
    raise CommandError(
        f"{table}: which column has {what}{several}? Tell with {option}. Columns are "
        f"{listed(filter(None, columns))}.{header_hint(columns)}"
    )


def named(columns, names):
    """Positions of the columns with one of the first names, else with one of the second."""
    for some in names:
        found = [k for k, column in enumerate(columns) if column.lower() in some]
        if found:
            return found
    return []


def as_option(names):
    """What follows --scores in a shell."""
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow(names)
    return f"--scores {shlex.quote(line.getvalue())}"


def position(table, columns, name, option):
    """Position of the column of a name."""
    if name in columns:
        return columns.index(name)
    raise CommandError(
        f"{table} has no column {name!r} for {option}.{did_you_mean(name, columns)} "
        f"Columns are {listed(filter(None, columns))}.{header_hint(columns)}"
    )


def possible_scores(columns, texts):
    """Columns that may be scores by their names, when some labels are known as text.

    Other classes may follow, whose columns are named like those of the classes that are known.
    """
    is_whole = are_whole(texts)
    labels = list(dict.fromkeys(as_label(text, is_whole) for text in texts))
    groups = _groups(columns, labels, _splits)
    possible = {
        column
        for column in columns
        if any(prefix in groups for prefix, _ in _splits(column)) or column.lower() in _BASES
    }
    if len(labels) < 2 or not any(len(group) == len(labels) for group in groups.values()):
        for group, others, _ in _alike(columns, labels):
            if len(others) <= _MOST_ALIKE:
                possible.update(group.values(), others)
    return [column for column in columns if column in possible]


def detect_scores(table, columns, labels, is_likely):
    """Columns of the scores, one for each label, by their names; None if there are none.

    Parameters
    ----------
    table : str
        How errors call it.
    columns : list of str
        Columns that may be scores.
    labels : list
        The classes.
    is_likely : callable
        Whether columns whose names are unusual are scores, given also the others that are
        named like them, but for the label.
    """
    groups = _groups(columns, labels, _splits)
    if not isinstance(labels[0], str) and len(groups.get("", ())) < sum(
        map(_is_number, columns)
    ):
        groups.pop("", None)  # numbered columns, of which the first few need not be scores
    whole = [group for group in groups.values() if len(group) == len(labels)]
    if whole:
        return _the_only(table, whole)
    best = max(groups.values(), key=len, default={})
    if len(labels) == 2 and len(best) == 1 and list(best.values()) != list(best):
        (label,) = best
        return _of_one_class(list(best.values()), labels, label)
    lone = [column for column in columns if column.lower() in _BASES]
    if len(labels) == 2 and not best and len(lone) == 1 and not isinstance(labels[0], str):
        return _of_one_class(lone, labels, labels[1])
    exact = [
        group
        for group, others, is_bare in _alike(columns, labels)
        if is_likely(list(group.values()), [] if is_bare else others)
    ]
    if exact:
        return _the_only(table, exact)
    if best and (len(best) > 1 or list(best.values()) != [str(label) for label in best]):
        missing = [label for label in labels if label not in best]
        raise CommandError(
            f"{table}: {listed(best.values())} look like scores of classes, but there is no "
            f"column for {listed(missing)}. Tell with --scores, and with --labels if a class "
            f"has no case. Columns are {listed(filter(None, columns))}."
        )
    return None


def _the_only(table, groups):
    """The scores, if one group of columns fits."""
    if len(groups) > 1:
        options = " or ".join(as_option(group.values()) for group in groups)
        raise CommandError(f"{table}: which columns are the scores? Tell with {options}.")
    return Matched(list(groups[0].values()), list(groups[0]), "by their names")


def left_aside(columns, matched):
    """Columns whose names begin like those of the scores, but with no label behind."""
    if len(matched.columns) < 2:
        return []
    first, label = matched.columns[0], str(matched.labels[0])
    prefix = first.removesuffix(label) if first.endswith(label) else ""
    others = [column for column in columns if prefix and column.startswith(prefix)]
    return [column for column in others if column not in matched.columns]


def order_scores(table, names, labels):
    """Columns that are given, brought into the order of the labels where their names tell."""
    if len(names) == 1 and len(labels) != 2:
        return Matched(list(names), [], "one score for all classes")
    if len(names) == 1:
        own = [label for label in labels if _ends_with(names[0], label)]
        return _of_one_class(list(names), labels, own[0] if len(own) == 1 else labels[1])
    if len(names) != len(labels):
        raise CommandError(
            f"--scores names {len(names)} columns, but {table} has {len(labels)} classes: "
            f"{listed(labels)}. Name a column for each of them; classes without a case are "
            "named with --labels."
        )
    groups = _groups(names, labels, _splits) | _groups(names, labels, _any_splits(labels))
    whole = [group for group in groups.values() if len(group) == len(labels)]
    whole = whole or [group for group, _, _ in _alike(names, labels)]
    if whole:
        if any(group != whole[0] for group in whole):
            raise CommandError(f"{table}: names of --scores fit the classes in several ways.")
        return Matched([whole[0][label] for label in labels], list(labels), "by their names")
    best = max(groups.items(), key=lambda item: len(item[1]), default=("", {}))
    is_usual = best[0] == "" or best[0] in _groups(names, labels, _splits)
    if len(best[1]) > 1 or (best[1] and is_usual):
        missing = [label for label in labels if label not in best[1]]
        raise CommandError(
            f"{table}: {listed(best[1].values())} of --scores are of classes by their names; "
            f"none is of {listed(missing)}. Classes are {listed(labels)}."
        )
    return Matched(list(names), list(labels), "by their order")


def _is_number(column):
    return are_whole([column])


def _of_one_class(names, labels, label):
    """One column for two classes; the class that it speaks for comes last."""
    other = labels[0] if label == labels[1] else labels[1]
    return Matched(names, [other, label], f"of class {label}")


def _groups(columns, labels, splits):
    """For each beginning of names, the columns that go on with a label, by label."""
    is_whole = all(isinstance(label, int) for label in labels)
    groups, doubtful = {}, set()
    for column in columns:
        for prefix, rest in splits(column):
            if is_whole and not are_whole([rest]):
                continue
            label = as_label(rest, is_whole)
            if label in labels:
                group = groups.setdefault(prefix, {})
                if label in group:  # as p_1 and p_1.0
                    doubtful.add(prefix)
                group[label] = column
    ordered = {
        prefix: {label: group[label] for label in labels if label in group}
        for prefix, group in groups.items()
    }
    return {prefix: group for prefix, group in ordered.items() if prefix not in doubtful}


def _splits(column):
    """Usual beginnings of a name, none among them, and what follows."""
    yield "", column
    lower = column.lower()
    for base in _BASES:
        for separator in _SEPARATORS:
            prefix = base + separator
            if lower.startswith(prefix) and len(column) > len(prefix):
                yield prefix, column[len(prefix) :]


def _any_splits(labels):
    """Any beginnings of names that end with a label."""
    texts = _texts(labels)

    def splits(column):
        for text in texts:
            if column.endswith(text):
                yield column[: len(column) - len(text)], text

    return splits


def _texts(labels):
    """How labels are written."""
    texts = [str(label) for label in labels]
    is_whole = all(isinstance(label, int) for label in labels)
    return texts + [f"{text}.0" for text in texts] if is_whole else texts


def _alike(columns, labels):
    """Groups of columns, one for each label, that have all else of their names in common.

    With the others that begin and end like them, and whether they are the labels alone. Upper
    and lower case are the same only if nothing fits otherwise.
    """
    is_text = isinstance(labels[0], str)
    for fold in (str, str.casefold) if is_text else (str,):
        written = [fold(column) for column in columns]
        names = dict(zip(written, columns, strict=True))
        names = {name: names[name] for name, n in Counter(written).items() if n == 1}
        own = {fold(label) if is_text else label: label for label in labels}
        found = [
            (
                {own[label]: names[column] for label, column in group.items()},
                _others(names, affixes, group.values()),
                not any(affixes),
            )
            for affixes, group in _groups(names, list(own), _affixes(list(own))).items()
            if len(group) == len(labels) and (is_text or any(affixes))
        ]
        if found:
            return found
    return []


def _affixes(labels):
    """Beginnings and ends of names with a label between, which no digit may go on."""
    texts, is_whole = _texts(labels), not isinstance(labels[0], str)

    def splits(column):
        for text in texts:
            start = column.find(text)
            while start >= 0:
                before, after = column[:start], column[start + len(text) :]
                is_part = before[-1:].isdigit() or after.removeprefix(".")[:1].isdigit()
                if not (is_whole and is_part):
                    yield (before, after), text
                start = column.find(text, start + 1)

    return splits


def _others(names, affixes, group):
    """Columns that begin and end alike, but are not in a group."""
    before, after = affixes
    return [
        column
        for name, column in names.items()
        if name not in group
        and len(name) > len(before) + len(after)
        and name.startswith(before)
        and name.endswith(after)
    ]


def _ends_with(name, label):
    """Whether a name is a usual beginning with this label behind it."""
    return any(_groups([name], [label], _splits).values())
