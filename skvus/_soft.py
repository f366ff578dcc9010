"""Soft classifiers: true labels and scores, checked and encoded in one place."""

from typing import NamedTuple

import numpy as np

from skvus._blocks import float_blocks
from skvus._hints import hinting, labels_for_scores
from skvus._labels import check_soft_targets, column_names, is_arrow, label_vector
from skvus._rates import why_undefined
from skvus._validation import check_sample_weight, check_scores, shorten

# How far sums of rows may be from 1: probabilities of tables have six decimals, and up to some
# twenty classes.
_ROUNDED = 1e-5
_LONGEST = 300  # characters of code that a message may hold


class SoftProblem(NamedTuple):
    """Cases of positive weight, with scores for each class.

    `scores` has shape (n, Q), or (n,) if two classes share one real score that speaks for
    the second of them. They may be the caller's array, in single precision: what is computed
    from them is computed from doubles. If `undefined` says why there is no score, `codes` may
    be None.
    """

    scores: np.ndarray
    codes: np.ndarray | None
    weight: np.ndarray
    classes: np.ndarray | None
    undefined: str | None

    @property
    def n_classes(self):
        """Number of classes, those without a case included."""
        return 2 if self.scores.ndim == 1 else self.scores.shape[1]

    def split(self, rows):
        """Rows and weights of the cases of each class.

        Only ratios of weights within a class matter: equal ones become ones, others are
        brought near one by a power of two, so that products neither overflow nor vanish.
        """
        parts = []
        for k in range(self.n_classes):
            own = np.flatnonzero(self.codes == k)
            weight = self.weight[own]
            if (weight == weight[0]).all():
                weight = np.ones(own.size)
            else:
                weight = np.ldexp(weight, -np.frexp(weight.max())[1])
            parts.append((rows[own], weight))
        return parts


def check_soft_problem(y_true, y_score, *, labels, sample_weight):
    """Check all that a score of a soft classifier takes; drop cases without weight."""
    with hinting(labels_for_scores, y_true, y_score):
        scores = check_scores(y_score)
        classes, codes = check_soft_targets(y_true, scores, labels=labels)
    check_column_names(y_score, classes)
    weight = check_sample_weight(sample_weight, len(scores))
    n_classes = 2 if scores.ndim == 1 else scores.shape[1]
    if classes is None:
        undefined = _too_many_columns(y_true, y_score, scores)
        return SoftProblem(scores, None, weight, None, undefined)
    if weight.min() == 0.0:
        kept = weight > 0.0
        scores, codes, weight = scores[kept], codes[kept], weight[kept]
    totals = np.bincount(codes, weights=weight, minlength=n_classes)
    return SoftProblem(scores, codes, weight, classes, why_undefined(classes, totals))


def _too_many_columns(y_true, y_score, scores):
    """Say that there are fewer classes than columns, and what to do about it."""
    present = np.unique(label_vector("y_true", y_true)).tolist()
    columns = "one column for two classes" if scores.ndim == 1 else f"{scores.shape[1]} columns"
    classes = "only one class" if len(present) == 1 else f"{len(present)} classes"
    text = (
        f"y_score has {columns}, y_true {classes} {shorten(present)}. If a class has no case, "
        "name all with labels="
    )
    if scores.ndim == 1:
        return f"{text}."
    known = {str(label) for label in present}
    n_others = scores.shape[1] - len(present)
    what = "the column" if n_others == 1 else f"{n_others} columns"
    others = [name for name in column_names(y_score) or () if str(name) not in known]
    if len(others) == n_others:
        what += f" {others[0]!r}" if n_others == 1 else f", {shorten(others)}"
    return f"{text}; else drop {what}."


def check_column_names(y_score, classes, *, name="y_score", or_labels=True):
    """Raise if a data frame names the classes in another order than that of its columns.

    `name` is that of what an estimator returns, if it is no parameter of the caller.
    """
    names = column_names(y_score)
    if names is None or classes is None or len(names) != classes.size:
        return
    own = {str(name): name for name in names}
    wanted = [str(label) for label in classes]
    if list(own) == wanted or sorted(map(str, names)) != sorted(wanted):
        return
    columns = [own[label] for label in wanted]
    remedy = f"give y_score{f'.select({columns})' if is_arrow(y_score) else f'[{columns}]'}"
    if or_labels:
        by_name = {str(label): label for label in classes.tolist()}
        remedy += f", or labels={[by_name[str(name)] for name in names]}"
    if len(remedy) > _LONGEST or name != "y_score":
        remedy = "sort them" + ", or name the classes in their order with labels=" * or_labels
    raise ValueError(
        f"{name} must have its columns in the order of the classes, {shorten(wanted)}; "
        f"they are named {shorten([str(own) for own in names])}: {remedy}."
    )


def non_negative_columns(scores):
    """Non-negative scores in a column for each class; s stands for (1 - s, s)."""
    if scores.ndim == 1:
        if scores.min() < 0.0 or scores.max() > 1.0:
            raise ValueError(
                "y_score must be a probability between 0 and 1 if it has one column, s, which "
                f"stands for the two columns (1 - s, s); got {scores.min():.6g} to "
                f"{scores.max():.6g}. Other scores must be given as two columns."
            )
        columns = np.empty((scores.size, 2))
        columns[:, 1] = scores
        np.subtract(1.0, columns[:, 1], out=columns[:, 0])
        return columns
    require_non_negative(scores)
    return scores


def require_non_negative(scores):
    """Raise if a score is negative: weights would turn it the wrong way."""
    if scores.min() < 0.0:
        raise ValueError(
            "y_score must not be negative when classes or mistakes are weighted; its minimum "
            f"is {scores.min():.6g}. Pass probabilities, or exp(decision_function)."
        )


def rows_sum_to_one(scores):
    """Whether each row is a probability vector, up to six decimals."""
    if scores.ndim == 1 or scores.min() < 0.0:
        return False
    with np.errstate(over="ignore"):
        return all(
            (np.abs(block.sum(axis=1) - 1.0) <= _ROUNDED).all()
            for _, block in float_blocks(scores)
        )


def require_probabilities(scores, why):
    """Raise unless each row of `scores` is a probability vector."""
    if scores.ndim == 1 or rows_sum_to_one(scores):
        return
    if scores.min() < 0.0:
        raise ValueError(
            f"y_score must not be negative {why}; its minimum is {scores.min():.6g}."
        )
    with np.errstate(over="ignore"):
        sums = np.concatenate([block.sum(axis=1) for _, block in float_blocks(scores)])
    worst = int(np.argmax(np.abs(sums - 1.0)))
    raise ValueError(
        f"y_score must have rows that sum to 1 {why}; row {worst}, "
        f"{shorten(scores[worst].tolist())}, sums to {sums[worst]:.8g}. Of percentages, "
        "counts and rounded probabilities, give y_score / y_score.sum(axis=1, keepdims=True)."
    )


def one_column(scores):
    """Scores of the second class where two columns say the same as one.

    Probabilities of two classes are ordered by the second column, as `roc_auc_score` does:
    rounding in the first must not break or make ties.
    """
    if scores.ndim == 2 and scores.shape[1] == 2 and rows_sum_to_one(scores):
        return scores[:, 1]
    return scores
