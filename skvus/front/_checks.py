"""What fronts are made of, checked and put together."""

from collections.abc import Mapping

import numpy as np

from skvus._costs import (
    check_class_costs,
    has_labels,
    in_class_order,
    in_class_order_of_one,
)
from skvus._labels import label_vector
from skvus._rates import off_diagonal
from skvus._validation import (
    as_float_array,
    check_cost_matrix,
    check_generator,
    check_integer,
    check_option,
    refuse_masked,
    shorten,
)
from skvus.front._dominance import OBJECTIVES
from skvus.metrics._equality import same_value
from skvus.metrics._operating_points import MOST_VECTORS
from skvus.metrics._prices import merge_equal

FAMILIES = ("costs", "weights")
# Rates times class sizes that are this close to whole numbers are taken for counts.
_WHOLE = 1e-6


def check_drawing(*, n_costs=1, family="costs", objectives="rates", random_state=None, **_):
    """Raise for options that are wrong whatever the data; return `n_costs`."""
    check_option("family", family, FAMILIES)
    check_option("objectives", objectives, OBJECTIVES)
    if not (isinstance(n_costs, str) and n_costs == "all"):
        n_costs = check_integer("n_costs", n_costs, minimum=1, maximum=10**9)
    # a shared source of randomness must not be drawn from for a check
    if random_state is not None and not isinstance(random_state, np.random.RandomState):
        check_generator(random_state)
    return n_costs


def check_known_labels(name, y, classes):
    """Raise if some labels are none of the classes."""
    classes = np.asarray(classes)
    labels = np.unique(label_vector(name, y))
    if (labels.dtype.kind in "US") != (classes.dtype.kind in "US"):
        raise ValueError(
            f"{name} must hold labels of one type, either text or numbers, with the classes "
            f"{shorten(classes.tolist())}; got {shorten(labels.tolist())}."
        )
    unknown = np.setdiff1d(labels, classes)
    if unknown.size:
        raise ValueError(
            f"{name} must hold the classes {shorten(classes.tolist())}; got "
            f"{shorten(unknown.tolist())}, too."
        )


def is_one_number(cost_alpha):
    """Whether all Dirichlet parameters are the same number, rather than expected costs."""
    return np.ndim(cost_alpha) == 0 and not has_labels(cost_alpha)


def check_alpha(cost_alpha, classes, family):
    """Return Dirichlet parameters, one for each mistake or for each class."""
    n_classes = len(classes)
    if family == "costs":
        cost_alpha = in_class_order("cost_alpha", cost_alpha, classes)
    else:
        cost_alpha = in_class_order_of_one("cost_alpha", cost_alpha, classes)
    refuse_masked("cost_alpha", cost_alpha)
    if isinstance(cost_alpha, np.ndarray) and cost_alpha.shape == (n_classes, n_classes):
        cost_alpha = np.where(np.eye(n_classes, dtype=bool), 1.0, cost_alpha)
    alpha = as_float_array("cost_alpha", cost_alpha)
    n_entries = n_classes if family == "weights" else n_classes * (n_classes - 1)
    shape = (n_classes,) if family == "weights" else (n_classes, n_classes)
    if alpha.ndim == 0:
        alpha = np.full(n_entries, float(alpha))
    elif alpha.shape != shape:
        raise ValueError(
            f"cost_alpha must be a number or have shape {shape}; got {alpha.shape}."
        )
    elif family == "costs":
        alpha = alpha[off_diagonal(n_classes)]
    if alpha.min() <= 0.0:
        raise ValueError(f"cost_alpha must be positive; its minimum is {alpha.min():.6g}.")
    if alpha.max() > 1e6 or alpha.min() < 1e-3:
        raise ValueError(
            "cost_alpha must be between 0.001 and 1,000,000, beyond which draws are equal or "
            f"all in one entry; got {alpha.min():.6g} to {alpha.max():.6g}."
        )
    return alpha


def check_listable(cases, family):
    """Raise unless all weightings of these cases can be listed."""
    if family != "weights" or cases.n_classes > 3:
        raise ValueError(
            "n_costs='all' takes family='weights' and two or three classes; got "
            f"family={family!r} and {cases.n_classes} classes. Give a number of costs."
        )
    if cases.n_classes == 3 and len(cases.codes) > MOST_VECTORS:
        rows = np.array(cases.scores, dtype=float, order="C") + 0.0  # no negative zeros
        n_vectors = len(merge_equal(rows, cases.weight)[0])
        if n_vectors > MOST_VECTORS:
            raise ValueError(
                f"n_costs='all' takes at most {MOST_VECTORS} distinct score vectors of three "
                f"classes; got {n_vectors}. Give a number of costs."
            )


def check_costs(costs, shape, classes):
    """Return a cost matrix for each member; one with labels goes by them."""
    if isinstance(costs, Mapping) or hasattr(costs, "columns"):
        costs = check_class_costs(costs, classes)
    elif isinstance(costs, (list, tuple)):
        costs = [in_class_order("costs", cost, classes) for cost in costs]
    array = as_float_array("costs", costs)
    if array.ndim == 2:
        array = array[np.newaxis]
    if array.shape != shape:
        raise ValueError(f"costs must have shape {shape}, like rates; got {array.shape}.")
    for i in range(len(array)):
        check_cost_matrix(array[i], name="costs")
    if not array.any(axis=(1, 2)).all():
        raise ValueError("costs must have a positive entry in each matrix; one is all zero.")
    return array


def check_params(params, n_members):
    """Return a tuple of dicts, or None."""
    if params is None:
        return None
    params = (params,) if isinstance(params, dict) or not np.iterable(params) else tuple(params)
    if len(params) != n_members or not all(isinstance(member, dict) for member in params):
        raise ValueError(
            f"params must be {n_members} dicts, one for each matrix of rates; got "
            f"{shorten(params)}."
        )
    return tuple(dict(member) for member in params)


def check_sizes(class_sizes, classes):
    """Return positive numbers of cases; a dict or Series is by label."""
    n_classes = len(classes)
    class_sizes = in_class_order_of_one("class_sizes", class_sizes, classes)
    sizes = as_float_array("class_sizes", class_sizes)
    if sizes.shape != (n_classes,) or sizes.min() <= 0.0:
        raise ValueError(
            f"class_sizes must be {n_classes} positive numbers; got {shorten(sizes.tolist())}."
        )
    return sizes


def whole_counts(rates, sizes):
    """Numbers of cases, if rates are whole numbers of them; else None."""
    if (sizes != np.rint(sizes)).any() or sizes.max() > 2**52:
        return None
    products = rates * sizes[:, np.newaxis]
    counts = np.rint(products)
    # digits of printed rates, or their own rounding in large classes
    allowed = np.maximum(_WHOLE, 4e-16 * sizes)[:, np.newaxis]
    if (np.abs(products - counts) > allowed).any():
        return None
    counts = counts.astype(np.int64)
    return counts if (counts.sum(axis=2) == sizes).all() else None


def joined(arrays):
    """All arrays in one, or None if one is missing."""
    if any(array is None for array in arrays):
        return None
    return np.concatenate(arrays)


def same_params(params, others):
    """Whether parameters are the same, arrays among them or not."""
    return params.keys() == others.keys() and all(
        type(value) is type(others[name]) and same_value(value, others[name])  # 1 is not 1.0
        for name, value in params.items()
    )


def joined_params(fronts, names):
    """Parameters of all members, with the name of their front if there are names."""
    if names is not None:
        names = [names] if isinstance(names, str) or not np.iterable(names) else list(names)
        if len(names) != len(fronts) or not all(isinstance(name, str) for name in names):
            raise ValueError(
                f"names must be {len(fronts)} strings, one for each front; got {names!r}."
            )
    if names is None and all(front.params is None for front in fronts):
        return None
    params: list[dict] = []
    for number, front in enumerate(fronts):
        own = {} if names is None else {"front": names[number]}
        members: tuple[dict, ...] = front.params or ({},) * len(front)
        params.extend({**member, **own} for member in members)
    return tuple(params)
