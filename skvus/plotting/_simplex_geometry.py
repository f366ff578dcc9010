"""The simplex of two or three posteriors: which cases, where they are, regions of decisions.

Pure functions on arrays.
"""

import numpy as np

from skvus._costs import has_labels, least_cost_codes, rescaled
from skvus._labels import check_labels
from skvus._soft import non_negative_columns, rows_sum_to_one
from skvus._validation import as_float_array, shorten

# Corners of the triangle in the plane: the first two classes at its base.
CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, np.sqrt(0.75)]])
_LEAST_OF_A_CLASS = 100
_GOLDEN = 0.5 * (np.sqrt(5.0) - 1.0)
_MOST = 2**53
# below all exponents of products of floats
_LOWEST = -5000


def in_plane(posteriors):
    """Positions of triplets in the triangle."""
    return posteriors @ CORNERS


def check_choice(chosen, classes):
    """Indices of the two or three classes that are to be shown."""
    if chosen is None:
        if classes.size <= 3:
            return np.arange(classes.size)
        raise ValueError(
            "classes must name two or three of the classes if there are more, whose posteriors "
            f"are then divided by their sum; got None for {classes.size} classes."
        )
    chosen = check_labels(chosen, "classes").tolist()
    known = classes.tolist()
    if len(chosen) > 3 or any(label not in known for label in chosen):
        raise ValueError(
            f"classes must name two or three of the classes {shorten(known)}; got "
            f"{shorten(chosen)}."
        )
    return np.array([known.index(label) for label in chosen])


def chosen_cases(problem, chosen):
    """Posteriors and codes of the cases of the chosen classes, which they are, who is left out.

    Cases without any posterior for these classes have no place in their simplex.
    """
    scores = non_negative_columns(problem.scores)
    if chosen.size == problem.n_classes:
        cases = np.arange(problem.codes.size)
    else:
        cases = np.flatnonzero(np.isin(problem.codes, chosen))
    posteriors = np.array(scores[np.ix_(cases, chosen)], dtype=float)
    n_cases = cases.size
    if chosen.size < problem.n_classes:
        sums = posteriors.sum(axis=1)
        cases, posteriors = cases[sums > 0.0], posteriors[sums > 0.0]
        posteriors /= sums[sums > 0.0, np.newaxis]
    codes = np.argsort(chosen)[np.searchsorted(np.sort(chosen), problem.codes[cases])]
    return posteriors, codes, cases, n_cases - cases.size


def check_posteriors(posteriors):
    """Posteriors of two or three classes as a new array."""
    array = as_float_array("posteriors", posteriors)
    if array.ndim != 2 or array.shape[1] not in (2, 3):
        raise ValueError(
            f"posteriors must have shape (n_cases, 2) or (n_cases, 3); got {array.shape}."
        )
    if array.size and not rows_sum_to_one(array):
        sums = array.sum(axis=1)
        raise ValueError(
            "posteriors must not be negative, with rows that sum to 1; got a minimum of "
            f"{array.min():.6g} and sums of {sums.min():.6g} to {sums.max():.6g}."
        )
    return array


def check_cases(cases, n_cases):
    """Which of the given cases these are, by default the first ones."""
    if cases is None:
        return np.arange(n_cases)
    return _whole_numbers("cases", cases, n_cases, _MOST)


def check_codes(codes, posteriors):
    """Indices of true classes, one for each case."""
    return _whole_numbers("codes", codes, *posteriors.shape)


def _whole_numbers(name, numbers, n_cases, end):
    """Whole numbers from 0 on and below an end, one for each case."""
    array = as_float_array(name, numbers)
    if array.shape != (n_cases,):
        raise ValueError(
            f"{name} must have shape ({n_cases},), one for each case; got {array.shape}."
        )
    if np.mod(array, 1.0).any() or array.min(initial=0) < 0 or array.max(initial=0) >= end:
        raise ValueError(
            f"{name} must be whole numbers below {end:,}, not negative; got {shorten(numbers)}."
        )
    return array.astype(int)


def check_class_weights(weights, classes):
    """Return weights in the order of `classes`; a dict or Series is by label."""
    if has_labels(weights):
        given, labels = dict(weights.items()), classes.tolist()
        if len(given) != len(labels) or any(label not in given for label in labels):
            raise ValueError(
                f"weights has labels, and must name the classes {shorten(labels)}; got "
                f"{shorten(list(given))}."
            )
        weights = [given[label] for label in labels]
    weights = as_float_array("weights", weights)
    if weights.shape != (classes.size,):
        raise ValueError(
            f"weights must have shape ({classes.size},), one for each class; got "
            f"{weights.shape}."
        )
    if weights.min() < 0.0 or not weights.any():
        raise ValueError(
            "weights must not be negative, and at least one positive; got "
            f"{shorten(weights.tolist())}."
        )
    return weights


def weighted_codes(posteriors, weights):
    """The class that each case is called by weights, the first of equals.

    Products are rounded as those of ``weights * posteriors``, but neither overflow nor vanish.
    """
    (shares, exponents), (weights, others) = np.frexp(posteriors), np.frexp(weights)
    products, exponents = weights * shares, exponents + others
    highest = exponents.max(axis=1, keepdims=True, initial=_LOWEST, where=products > 0.0)
    return np.argmax(np.ldexp(products, exponents - highest), axis=1)


def decided_codes(posteriors, weights, cost):
    """The class that each case is called by weights or costs, None without either."""
    if weights is not None:
        return weighted_codes(posteriors, weights)
    return None if cost is None else least_cost_codes(posteriors, cost)


def decision_regions(weights, cost):
    """For each class the corners of the region that is called so, as posteriors.

    Ties go to the first class, with costs also those up to rounding, as in the decisions.
    Regions without area are left out, as None.
    """
    from skvus._kernels.costs import TIE

    if cost is None:
        values, within = -np.diag(weights), 1.0
    else:
        values, within = rescaled(cost.reshape(1, -1)).reshape(cost.shape), 1.0 + TIE
    return [_region(values, within, j) for j in range(len(values))]


def _region(values, within, j):
    """Corners of the part of the simplex where j has the least of values that are linear on it.

    Column j has its values in the corners. A class wins over later ones within a factor.
    """
    corners = np.eye(len(values))
    for i in range(len(values)):
        own, other = values[:, j], values[:, i]
        excess = within * own - other if i < j else own - within * other
        if not excess.any():
            if i < j:
                return None
            continue
        # by its own size: what is small against other costs decides here
        corners = _clipped(corners, corners @ (excess / np.abs(excess).max()))
        if len(corners) < len(values):
            return None
    # a sliver that is thinner than rounding is none
    extent = np.linalg.svd(corners - corners[0], compute_uv=False)[len(values) - 2]
    return corners if extent > 1e-9 else None


def _clipped(corners, excess):
    """The part of a convex polygon where what is linear on it is not positive."""
    kept = []
    following = np.roll(corners, -1, axis=0), np.roll(excess, -1)
    for corner, value, other, next_value in zip(corners, excess, *following, strict=True):
        if value <= 0.0:
            kept.append(corner)
        if min(value, next_value) < 0.0 < max(value, next_value):
            kept.append(corner + value / (value - next_value) * (other - corner))
    return np.array(kept).reshape(-1, corners.shape[1])


def drawn_cases(codes, n_classes, most):
    """Mask of the cases to draw: all, or as many as asked for, chosen at random but always so.

    Classes keep their shares, but none of them falls below 100 cases if it has so many and
    they fit.
    """
    sizes = np.bincount(codes, minlength=n_classes)
    if codes.size <= most:
        return np.ones(codes.size, dtype=bool)
    least = np.minimum(sizes, min(_LEAST_OF_A_CLASS, most // n_classes))
    wanted = least + (most - least.sum()) * (sizes - least) // (sizes - least).sum()
    order = np.random.default_rng(0).permutation(codes.size)
    drawn = np.zeros(codes.size, dtype=bool)
    for k in range(n_classes):
        drawn[order[codes[order] == k][: wanted[k]]] = True
    return drawn


def spread_evenly(number):
    """Numbers between -1/2 and 1/2 that fill the range evenly, however many there are."""
    return (np.arange(number) * _GOLDEN) % 1.0 - 0.5
