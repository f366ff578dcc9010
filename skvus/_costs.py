"""Cost matrices of any form, priors of any form, and the decisions that they lead to."""

from collections.abc import Mapping

import numpy as np

from skvus._blocks import float_blocks
from skvus._labels import check_labels
from skvus._validation import check_cost_matrix, check_priors, shorten


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
    return matrix


def check_named_costs(cost_matrix, labels):
    """Return labels and costs that fit; a matrix with labels of its own names the classes.

    Without `labels`, one with labels is brought into their sorted order, and an array stays as
    it is, with None for labels.
    """
    names = _names_of(cost_matrix)
    if labels is None and names is not None:
        if not names:
            raise ValueError("cost_matrix must name the costs of mistakes; got none.")
        labels = np.unique(check_labels(names, "cost_matrix"))
    if labels is None:
        return None, check_cost_matrix(cost_matrix)
    labels = check_labels(labels)
    return labels, check_class_costs(cost_matrix, labels)


def _names_of(cost_matrix):
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


def check_class_priors(priors, classes):
    """Return priors as an array in the order of `classes`; a dict or Series is by label."""
    if has_labels(priors):
        pairs = list(priors.items())
        _check_names("priors", [label for label, _ in pairs], classes)
        given = dict(pairs)
        priors = [given[label] for label in classes.tolist()]
    return check_priors(priors, n_classes=classes.size)


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
        raise ValueError(
            f"{name} must have keys (true class, predicted class) of the classes "
            f"{shorten(labels)}; got {shorten(unknown)}."
        )
    missing = [pair for pair in wanted if pair not in costs]
    if missing:
        more = f" and {len(missing) - 3} more" if len(missing) > 3 else ""
        raise ValueError(
            f"{name} must name the cost of {missing[:3]}{more}, too: each mistake has one. "
            "(Limits on some mistakes are a rule of their own, WithinLimits.)"
        )
    return [[costs.get((true, called), 0.0) for called in labels] for true in labels]


def _check_names(name, names, classes, must="it must name"):
    labels = classes.tolist()
    if len(names) != len(labels) or any(label not in names for label in labels):
        raise ValueError(
            f"{name} has labels, and {must} the classes {shorten(labels)}; got "
            f"{shorten(np.asarray(names).tolist())}. Where classes are encoded, as in "
            "cross_val_predict, give an array."
        )
