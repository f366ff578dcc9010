"""Cost matrices of any form, priors of any form, and the decisions that they lead to."""

from collections import Counter
from collections.abc import Mapping

import numpy as np

from skvus._blocks import float_blocks
from skvus._labels import check_labels, frame_labels, is_counted, label_vector
from skvus._typing import Floats
from skvus._validation import (
    check_cost_matrix,
    check_priors,
    did_you_mean,
    is_real,
    nearest,
    shorten,
)

_FEW = 10  # names that an error looks at, or shows


def check_class_costs(cost_matrix, classes):
    """Return costs as a (Q, Q) array in the order of `classes`.

    Parameters
    ----------
    cost_matrix : array-like, DataFrame or dict
        An array is taken by position. A data frame has the true classes as its index and
        the predicted ones as its columns, in any order. A dict maps (true, predicted) to a
        cost, or each true class to a dict of costs; what is right may be left out.
    classes : ndarray of shape (Q,)
        The classes in the order wanted.
    """
    cost = check_cost_matrix(in_class_order("cost_matrix", cost_matrix, classes))
    if cost.shape[0] != classes.size:
        raise ValueError(
            f"cost_matrix must have shape ({classes.size}, {classes.size}), a row and a column "
            f"for each of the classes {shorten(classes.tolist())}; got {cost.shape}."
        )
    if not cost.any():
        raise ValueError("cost_matrix must have a positive entry; all costs are zero.")
    return cost


def in_class_order(name, matrix, classes):
    """What a data frame or a dict says of pairs of classes, as rows; all else as it is."""
    if isinstance(matrix, Mapping):
        return _from_mapping(name, matrix, classes)
    if hasattr(matrix, "index") and hasattr(matrix, "columns"):
        return _from_frame(name, matrix, classes)
    check_frame_order(name, matrix, classes)
    return matrix


def check_frame_order(name, frame, classes):
    """Raise if a frame with labels on one side has the classes there in another order.

    Whether the other side follows cannot be told.
    """
    rows, columns = frame_labels(frame)
    if rows is None or columns is None:
        refuse_other_order(name, "rows", rows, classes)
        refuse_other_order(name, "columns", columns, classes)


def check_column_order(name, frame, classes):
    """Raise if a frame with a column for each class has them in another order."""
    refuse_other_order(name, "columns", frame_labels(frame)[1], classes)


def refuse_other_order(name, side, labels, classes):
    """Raise if labels are those of the classes in another order; None are no labels."""
    wanted, own = ([str(label) for label in some] for some in (classes, labels or ()))
    if own != wanted and sorted(own) == sorted(wanted):
        raise ValueError(
            f"{name} must have its {side} in the order of the classes, {shorten(wanted)}; they "
            f"are named {shorten(own)}."
        )


def check_named_costs(cost_matrix, labels):
    """Return labels and costs that fit; a matrix with labels of its own names the classes.

    Without `labels`, one with labels is brought into their sorted order, and an array stays as
    it is, with None for labels.
    """
    names = names_of(cost_matrix)
    if labels is None and names is not None:
        if not names:
            raise ValueError("cost_matrix must name the costs of mistakes; got none.")
        labels = np.unique(check_labels(names, "cost_matrix"))
    if labels is None:
        return None, check_cost_matrix(cost_matrix)
    labels = check_labels(labels)
    return labels, check_class_costs(cost_matrix, labels)


def names_of(cost_matrix):
    """The true classes of a data frame, all classes of a dict, or None."""
    if isinstance(cost_matrix, Mapping):
        names: list = []
        for key, row in cost_matrix.items():
            names += key if isinstance(key, tuple) else [key]
            names += row if isinstance(row, Mapping) else []
        return list(dict.fromkeys(names))
    if hasattr(cost_matrix, "index") and hasattr(cost_matrix, "columns"):
        return list(cost_matrix.index)
    return None


def by_pairs(cost, labels):
    """Costs as a dict of mistakes, (true, predicted)."""
    names = labels.tolist()
    rows = zip(names, cost.tolist(), strict=True)
    return {(t, p): c for t, row in rows for p, c in zip(names, row, strict=True) if t != p}


def named_error(error, cost_matrix, present):
    """The same error, or one that compares the names of costs with the labels of the data.

    Parameters
    ----------
    error : ValueError
        Of costs that name the classes themselves.
    cost_matrix : DataFrame or dict
    present : ndarray
        Labels of the data, which may lack some that the costs name.
    """
    names, known = names_of(cost_matrix), present.tolist()
    present_names = set(known)
    strangers = [name for name in names if name not in present_names]
    is_misspelt = any(nearest(name, known) is not None for name in strangers[:_FEW])
    lacks_some = not present_names <= set(names)
    if not lacks_some and not (is_misspelt and "must name" in str(error)):
        return error
    try:
        if not is_misspelt and len(strangers) < len(names):
            # costs may be of classes that the data lack, beside those that they do not know
            present = np.unique(label_vector("cost_matrix", [*known, *strangers]))
        check_class_costs(cost_matrix, present)
    except ValueError as better:
        return better
    return error


def check_class_priors(priors, classes) -> Floats:
    """Return priors as an array in the order of `classes`; a dict or Series is by label."""
    if has_labels(priors):
        pairs = list(priors.items())
        _check_names("priors", [label for label, _ in pairs], classes)
        given = dict(pairs)
        priors = [given[label] for label in classes.tolist()]
    return check_priors(priors, n_classes=classes.size)


def in_class_order_of_one(name, values, classes):
    """One value for each class, by the labels of a dict or Series; all else as it is."""
    given = named_values(name, values, classes)
    if given is None:
        return values
    _check_names(name, list(given), classes)
    return [given[label] for label in classes.tolist()]


def named_values(name, values, classes):
    """What a dict or Series says of classes as a dict; None of all else.

    A Series whose index is a mere count has no labels, unless they are those of the classes.
    """
    if not has_labels(values) or hasattr(values, "columns"):
        return None
    pairs = list(values.items())
    is_count = hasattr(values, "index") and is_counted(values.index)
    if is_count and {label for label, _ in pairs} != set(classes.tolist()):
        return None
    given = dict(pairs)
    if len(given) < len(pairs):
        raise ValueError(
            f"{name} must not repeat a class; got {shorten([label for label, _ in pairs])}."
        )
    return given


def has_labels(priors):
    """Whether priors go by label rather than by position."""
    return isinstance(priors, Mapping) or hasattr(priors, "to_dict")


def least_cost_codes(scores, cost):
    """Index of the class of least expected cost for each row of non-negative scores.

    Ties, up to rounding, go to the lowest class.
    """
    from skvus._kernels.costs import cheapest_classes

    cost = rescaled(cost.reshape(1, -1)).reshape(cost.shape)
    codes = np.empty(len(scores), dtype=np.int64)
    for rows, block in float_blocks(scores):
        codes[rows] = cheapest_classes(rescaled(block), cost)
    return codes


def rescaled(rows):
    """Rows times powers of two, their largest entry near one: products stay in range.

    As doubles in C order, the only one that kernels are compiled for.
    """
    products = np.empty(rows.shape)
    for part, block in float_blocks(rows):
        exponents = np.frexp(block.max(axis=1, keepdims=True))[1]
        np.ldexp(block, -exponents, out=products[part])
    return products


def _from_frame(name, frame, classes):
    """Costs of a data frame, by its labels."""
    _check_names(name, list(frame.index), classes, "its index must name")
    _check_names(name, list(frame.columns), classes, "its columns must name")
    rows = {label: position for position, label in enumerate(frame.index)}
    columns = {label: position for position, label in enumerate(frame.columns)}
    labels = classes.tolist()
    order = np.ix_([rows[label] for label in labels], [columns[label] for label in labels])
    return np.asarray(frame)[order]


def _from_mapping(name, costs, classes):
    """Costs of a dict of pairs, or of a dict of dicts."""
    if costs and all(isinstance(row, Mapping) for row in costs.values()):
        costs = {(true, called): c for true, row in costs.items() for called, c in row.items()}
    labels = classes.tolist()
    wanted = [(true, called) for true in labels for called in labels if true != called]
    possible = {*wanted, *((label, label) for label in labels)}
    unknown = [pair for pair in costs if pair not in possible]
    if unknown:
        if all(isinstance(key, tuple) and len(key) == 2 for key in unknown):
            stranger = _stranger([label for pair in unknown for label in pair], classes)
            raise ValueError(f"{name} must name the classes {shorten(labels)};{stranger}")
        is_limits = name == "cost_matrix" and all(
            is_real(limit) and 0.0 <= limit <= 1.0 for limit in costs.values()
        )
        limits = repr(dict(costs)) if len(costs) <= _FEW else "..."
        raise ValueError(
            f"{name} must have keys (true class, predicted class) of the classes "
            f"{shorten(labels)}; got {shorten(unknown)}."
            + f" A dict is taken for costs; for limits: WithinLimits({limits})."
            * is_limits
        )
    missing = [pair for pair in wanted if pair not in costs]
    if missing:
        more = f" and {len(missing) - 3} more" if len(missing) > 3 else ""
        raise ValueError(
            f"{name} must name the cost of {missing[:3]}{more}, too: each mistake has one. "
            "(Limits on some mistakes are a rule of their own, WithinLimits.)"
            f"{_two_names_of_one(costs, labels)}"
        )
    return [[costs.get((true, called), 0.0) for called in labels] for true in labels]


def _check_names(name, names, classes, must="it must name"):
    labels = classes.tolist()
    if len(names) != len(labels) or any(label not in names for label in labels):
        raise ValueError(
            f"{name} has labels, and {must} the classes {shorten(labels)}; got "
            f"{shorten(np.asarray(names).tolist())}.{_stranger(names, classes)}"
        )


def _stranger(names, classes):
    """Say which name is none of the classes, and what it may stand for; or nothing."""
    known = classes.tolist()
    present = set(known)
    strangers = [name for name in names if name not in present]
    if not strangers:
        return ""
    name = strangers[0].item() if isinstance(strangers[0], np.generic) else strangers[0]
    hint = did_you_mean(name, known, repr)
    if not hint and isinstance(name, str) != isinstance(known[0], str):
        hint = " Where classes are encoded, as in cross_val_predict, give an array."
    return f" {name!r} is none of them.{hint}"


def _two_names_of_one(costs, labels):
    """Ask whether two names are of one class, if the costs would then be complete."""
    mistakes = [pair for pair in costs if pair[0] != pair[1]]
    if len(mistakes) != (len(labels) - 1) * (len(labels) - 2):
        return ""
    often = Counter(label for pair in mistakes for label in pair)
    # of a class with one name there are as many as that, from it and to it
    rare = [label for label in labels if often[label] < 2 * (len(labels) - 2)]
    words = [label for label in rare if isinstance(label, str)]
    near = nearest(words[0], words[1:]) if len(words) == len(rare) == 2 else None
    if near is None or any({*words} == {*pair} for pair in mistakes):
        return ""
    merged = {
        tuple(near if label == words[0] else label for label in pair) for pair in mistakes
    }
    is_complete = len(merged) == len(mistakes)
    return f" Are {words[0]!r} and {near!r} the same class?" if is_complete else ""
