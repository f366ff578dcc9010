"""Predictions of a classifier, put together from the columns of a table."""

import csv
from dataclasses import dataclass

import numpy as np

from skvus._cli._cells import are_whole, as_label
from skvus._cli._columns import as_option, detect_scores, left_aside, order_scores
from skvus._cli._messages import CommandError, listed, note
from skvus._cli._reading import read_columns
from skvus._soft import rows_sum_to_one

# What columns of unusual names may lack of a sum of one, for each class.
_ROUNDING = 0.01


@dataclass(frozen=True, eq=False)
class Predictions:
    """Predictions of one classifier.

    `scores` has a column for each of `classes`, or one column: of two classes the score of the
    second. `off_sums` tells of a row that does not sum to one, if there is any. `has_order` is
    whether the order of the classes means something.
    """

    name: str
    y_true: np.ndarray
    classes: np.ndarray
    scores: np.ndarray | None
    score_columns: list
    pred: np.ndarray | None
    weight: np.ndarray | None
    ids: list | None
    is_raw: bool
    off_sums: str | None
    has_order: bool

    @property
    def labels(self):
        """The classes as a list."""
        return self.classes.tolist()

    @property
    def class_sizes(self):
        """Number of cases of each class."""
        return [int((self.y_true == label).sum()) for label in self.classes]

    def decisions(self):
        """Predicted labels, by default those with the largest score."""
        if self.pred is not None:
            return self.pred
        if self.scores.ndim == 2:
            return self.classes[self.scores.argmax(axis=1)]
        return self.classes[(self.scores > (0.0 if self.is_raw else 0.5)).astype(int)]

    @property
    def decided_by(self):
        """What the decisions go by, in words."""
        if self.pred is not None:
            return "the predicted labels"
        return "the largest score" if self.is_raw else "the most probable class"


def split_names(text):
    """Names that commas separate; those with a comma stand in quotes."""
    names = next(csv.reader([text], skipinitialspace=True), [])
    return [name.strip() for name in names]


def read_predictions(path, wanted, *, needs_scores=False):
    """Read predictions from a file, and tell what was found where."""
    columns = read_columns(path, wanted)
    pred = _useful_pred(columns, wanted)
    texts = [*columns.truth.texts, *(wanted.labels or []), *(pred.texts if pred else [])]
    is_whole = are_whole(texts)
    known = _known_labels(columns, wanted, is_whole)
    matched = _match(columns, wanted, known)
    if matched is None and (needs_scores or pred is None):
        raise CommandError(
            f"{columns.name}: which columns have the scores of the classes {listed(known)}"
            f"{'' if needs_scores else ', or the predicted labels'}? Tell with --scores"
            f"{'' if needs_scores else ' or --pred'}. Columns are "
            f"{listed(filter(None, columns.names))}.{_ready_option(columns, known)}"
        )
    called = {as_label(text, is_whole) for text in pred.texts} if pred else set()
    labels = matched.labels if matched is not None and matched.labels else known
    if matched is None and wanted.labels is None:
        labels = sorted({*known, *called})
    _check_labels(columns.name, labels, called)
    scores, off_sums = (None, None) if matched is None else _scores(columns, wanted, matched)
    _tell(columns, matched, labels, pred)
    return Predictions(
        name=columns.name,
        y_true=columns.truth.labels(is_whole),
        classes=np.array(labels),
        scores=scores,
        score_columns=[] if matched is None else matched.columns,
        pred=pred.labels(is_whole) if pred else None,
        weight=_weight(columns),
        ids=_ids(columns),
        is_raw=wanted.is_raw,
        off_sums=off_sums,
        has_order=is_whole or wanted.labels is not None or len(labels) == 2,
    )


def _useful_pred(columns, wanted):
    """Predicted labels, unless they are a guess and have nothing to do with the true ones."""
    if columns.pred is None or wanted.pred is not None:
        return columns.pred
    texts = columns.pred.texts
    is_whole = are_whole([*columns.truth.texts, *texts])
    true = {as_label(text, is_whole) for text in columns.truth.texts}
    return columns.pred if true & {as_label(text, is_whole) for text in texts} else None


def _known_labels(columns, wanted, is_whole):
    """The classes, as far as the truth and the options tell."""
    true = sorted({as_label(text, is_whole) for text in columns.truth.texts})
    if wanted.labels is None:
        return true
    labels = [as_label(text, is_whole) for text in wanted.labels]
    if len(set(labels)) < len(labels):
        raise CommandError(f"--labels names a class twice: {listed(labels)}.")
    unknown = [label for label in true if label not in labels]
    if unknown:
        raise CommandError(
            f"{columns.name}: there are cases of classes that --labels does not name: "
            f"{listed(unknown)}."
        )
    return labels


def _match(columns, wanted, labels):
    """Columns of scores in the order of the labels."""
    if wanted.scores is not None:
        return order_scores(columns.name, wanted.scores, labels)
    candidates = [
        name for name in columns.names if name in {*columns.numbers, *columns.dropped}
    ]

    def is_likely(names, others):
        return not set(others) & set(columns.numbers) and _sum_to_one(columns, wanted, names)

    matched = detect_scores(columns.name, candidates, labels, is_likely)
    for name in matched.columns if matched else []:
        if name in columns.dropped:
            raise columns.dropped[name]
    return matched


def _sum_to_one(columns, wanted, names):
    """Whether columns whose names are unusual are probabilities, or one with a bad cell."""
    found = [columns.numbers[name].values for name in names if name in columns.numbers]
    if len(found) < len(names) or wanted.is_raw or wanted.is_normalized:
        return bool(found)
    return bool((np.abs(sum(found) - 1.0) <= _ROUNDING * len(names)).all())


def _ready_option(columns, labels):
    """How to name the scores, if numeric columns are as many as classes, or one for two."""
    numeric = columns.numeric
    if numeric and len(numeric) == len(labels):
        return f" If the columns of numbers are those scores: {as_option(numeric)}"
    if len(numeric) == 1 and len(labels) == 2:
        label = order_scores(columns.name, numeric, labels).labels[1]
        return f" If the column of numbers is the score of {label}: {as_option(numeric)}"
    return ""


def _check_labels(name, labels, called):
    """Raise unless there are two classes, all predicted ones among them."""
    unknown = sorted(called - set(labels))
    if unknown:
        raise CommandError(
            f"{name}: there are predicted labels of no class: {listed(unknown)}. Classes are "
            f"{listed(labels)}; --labels names all of them."
        )
    if len(labels) < 2:
        raise CommandError(
            f"{name}: all cases are of class {listed(labels)}; it takes two. --labels names "
            "classes without a case."
        )


def _scores(columns, wanted, matched):
    """Scores as an array, and what row of it does not sum to one."""
    aside = left_aside(list(columns.numbers), matched)
    parts = [columns.numbers.pop(name) for name in matched.columns]
    others = list(columns.numbers.values())
    columns.numbers.clear()
    negative = next((part.negative for part in parts if part.negative), None)
    if negative and not wanted.is_raw:
        raise CommandError(
            f"{negative} is negative, which no probability is. For scores that are none, as of "
            "decision_function, use --raw."
        )
    if len(parts) == 1:
        values = parts[0].values
        if matched.labels and not wanted.is_raw and values.max() > 1.0:
            raise CommandError(
                f"{columns.name}, column {parts[0].name!r}: {values.max():.6g} is no "
                "probability. For other scores use --raw."
            )
        return values, None
    scores = np.empty((len(columns.truth.codes), len(parts)))
    for k in range(len(parts)):
        scores[:, k], parts[k] = parts[k].values, None
    if wanted.is_raw:
        return scores, None
    return scores, _checked_sums(columns.name, wanted.is_normalized, aside, others, scores)


def _checked_sums(table, is_normalized, aside, others, scores):
    """Divide rows by their sums if that is wanted; say which one is farthest from one."""
    sums = scores.sum(axis=1)
    if is_normalized and not sums.min() > 0.0:
        raise CommandError(
            f"{table}: the scores of case {int(np.argmin(sums)) + 1:,} sum to zero."
        )
    told = None
    if not rows_sum_to_one(scores):
        i = int(np.argmax(np.abs(sums - 1.0)))
        told = f"the scores of case {i + 1:,} sum to {sums[i]:.8g}"
        # of rows to be divided by their sums, names alone tell nothing
        named = [] if is_normalized else aside
        aside = _of_other_classes(others, sums, scores.shape[1]) or named
        if aside:
            raise CommandError(
                f"{table}: {told}, and {listed(aside)} may be of another class, without a "
                "case. Name all classes with --labels, or the columns with --scores."
            )
    if is_normalized:
        scores /= sums[:, np.newaxis]
        return None
    return told


def _of_other_classes(others, sums, n_classes):
    """Names of columns that make up what rows lack of a sum of one; features do not.

    Each by itself is tried, those that a linear fit takes, and all. That they come near to one
    is not enough where rows are near without them: the farthest row must come much nearer.
    """
    lack, rounding = 1.0 - sums, _ROUNDING * (n_classes + 1)
    fits = {}
    for column in others:
        values = column.values
        if values.any() and values.min() >= 0.0 and (values <= lack + rounding).all():
            fits[column.name] = values
    if not fits:
        return []
    some = slice(None, None, 1 + len(sums) // 1000)  # rows enough for a fit
    table = np.column_stack([values[some] for values in fits.values()])
    shares = np.linalg.lstsq(table, lack[some], rcond=None)[0]
    fitted = [name for name, share in zip(fits, shares, strict=True) if share > 0.5]
    most = min(rounding, np.abs(lack).max() / 4.0)
    for names in (*([name] for name in fits), fitted, list(fits)):
        if np.abs(lack - sum(fits[name] for name in names)).max() <= most:
            return names
    return []


def _weight(columns):
    if columns.weight is None:
        return None
    if columns.weight.negative:
        raise CommandError(f"{columns.weight.negative} is negative, which no weight is.")
    return columns.weight.values


def _ids(columns):
    if columns.id is None:
        return None
    return [columns.id.texts[code] for code in columns.id.codes.tolist()]


def _tell(columns, matched, labels, pred):
    """Say what was taken for what."""
    parts = [f"truth in {columns.truth.name!r}"]
    if matched is not None:
        classes = f"of {listed(labels)}, " if len(matched.columns) > 1 else ""
        parts.append(f"scores in {listed(matched.columns)} ({classes}{matched.how})")
    if pred:
        parts.append(f"predicted labels in {pred.name!r}")
    elif matched is not None and len(matched.columns) > 1:
        parts.append("decisions by the largest score")
    note(f"{columns.name}: {'; '.join(parts)}")
