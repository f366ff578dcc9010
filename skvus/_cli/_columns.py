"""Which column is what, by their names; pure functions of names and labels."""

from typing import NamedTuple

from skvus._cli._cells import are_whole, as_label
from skvus._cli._messages import CommandError, did_you_mean, listed

TRUTHS = (
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
PREDICTIONS = ("pred", "y_pred", "predicted", "prediction", "predictions", "predicted_class")
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


class Matched(NamedTuple):
    """Score columns, the class of each, and how that was found out."""

    columns: list
    labels: list
    how: str


def find_column(table, columns, given, names, option, what):
    """Position of a column that is given by its name, or that has one of the usual names."""
    if given is not None:
        return position(table, columns, given, option)
    found = [k for k, column in enumerate(columns) if column.lower() in names]
    if len(found) == 1:
        return found[0]
    several = f": {listed(columns[k] for k in found)} might be it" if found else ""
    raise CommandError(
        f"{table}: which column has {what}{several}? Tell with {option}. Columns are "
        f"{listed(filter(None, columns))}."
    )


def position(table, columns, name, option):
    """Position of the column of a name."""
    if name in columns:
        return columns.index(name)
    raise CommandError(
        f"{table} has no column {name!r} for {option}.{did_you_mean(name, columns)} "
        f"Columns are {listed(filter(None, columns))}."
    )


def possible_scores(columns, texts):
    """Columns that may be scores by their names, when some labels are known as text.

    Other classes may follow, whose columns begin like those of the classes that are known.
    """
    is_whole = are_whole(texts)
    groups = _groups(columns, [as_label(text, is_whole) for text in texts], _splits)
    return [
        column
        for column in columns
        if any(prefix in groups for prefix, _ in _splits(column)) or column.lower() in _BASES
    ]


def detect_scores(table, columns, labels):
    """Columns of the scores, one for each label, by the usual names; None if there are none."""
    groups = _groups(columns, labels, _splits)
    if not isinstance(labels[0], str) and len(groups.get("", ())) < sum(
        map(_is_number, columns)
    ):
        groups.pop("", None)  # numbered columns, of which the first few need not be scores
    whole = [group for group in groups.values() if len(group) == len(labels)]
    if len(whole) > 1:
        options = " or ".join(f"--scores {','.join(group.values())}" for group in whole)
        raise CommandError(f"{table}: which columns are the scores? Tell with {options}.")
    if whole:
        return Matched(list(whole[0].values()), list(whole[0]), "by their names")
    best = max(groups.values(), key=len, default={})
    if len(labels) == 2 and len(best) == 1 and list(best.values()) != list(best):
        (label,) = best
        return _of_one_class(list(best.values()), labels, label)
    lone = [column for column in columns if column.lower() in _BASES]
    if len(labels) == 2 and not best and len(lone) == 1 and not isinstance(labels[0], str):
        return _of_one_class(lone, labels, labels[1])
    if best and (len(best) > 1 or list(best.values()) != [str(label) for label in best]):
        missing = [label for label in labels if label not in best]
        raise CommandError(
            f"{table}: {listed(best.values())} look like scores of classes, but there is no "
            f"column for {listed(missing)}. Tell with --scores, and with --labels if a class "
            f"has no case. Columns are {listed(filter(None, columns))}."
        )
    return None


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
    texts = {str(label) for label in labels}
    if all(isinstance(label, int) for label in labels):
        texts |= {f"{text}.0" for text in texts}

    def splits(column):
        for text in texts:
            if column.endswith(text):
                yield column[: len(column) - len(text)], text

    return splits


def _ends_with(name, label):
    """Whether a name is a usual beginning with this label behind it."""
    return any(_groups([name], [label], _splits).values())
