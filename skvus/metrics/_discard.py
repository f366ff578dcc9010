"""The region of rates that a set of classifiers makes discardable."""

from __future__ import annotations

from itertools import product
from typing import Any, Literal, overload

import numpy as np
from numpy.typing import ArrayLike

from skvus._rates import (
    in_one_order,
    off_diagonal,
    points_to_rates,
    rates_to_points,
    trivial_rates,
)
from skvus._typing import Bools, Floats
from skvus._validation import check_number, check_option, check_rates
from skvus.metrics._volumes import (
    cone_facets,
    cone_generators,
    exact_volume,
    maximum_volume,
    prune,
)

# More generators than these take minutes: facets are many, doubtful vertices cost a linear
# programme each.
_MOST_GENERATORS = {2: 1000, 3: 150, 4: 14, 5: 6}
_INSTEAD = "Use polytope_vus for its volume and is_discarded for membership."
_GUESSES = 20_000
_SAME = 1e-9


class DiscardPolytope:
    """Region of the rates that a set of classifiers makes discardable.

    Made by `discard_polytope`. Coordinates are the off-diagonal rates in row order.

    Parameters
    ----------
    vertices : ndarray of shape (n_vertices, Q(Q-1))
        Extreme points, in lexicographic order.
    equations : ndarray of shape (n_facets, Q(Q-1) + 1)
        Facets ``[normal, offset]``: ``normal @ x + offset <= 0`` inside, as in scipy.
    volume : float
        The raw VUS, from the analytic formula rather than from the vertices.
    n_classes : int
        Number of classes Q.

    Attributes
    ----------
    vertex_rates : ndarray of shape (n_vertices, Q, Q)
        The vertices as rate matrices.

    See Also
    --------
    discard_polytope : Makes it.

    Examples
    --------
    >>> from skvus.metrics import discard_polytope
    >>> discard_polytope(n_classes=3)
    DiscardPolytope(n_classes=3, 9 vertices, 11 facets, volume=0.00555556)
    """

    def __init__(
        self, vertices: Floats, equations: Floats, volume: float, n_classes: int
    ) -> None:
        self.vertices = vertices
        self.equations = equations
        self.volume = volume
        self.n_classes = n_classes

    @property
    def vertex_rates(self) -> Floats:
        """The vertices as rate matrices."""
        return points_to_rates(self.vertices, self.n_classes)

    def __repr__(self) -> str:
        return (
            f"DiscardPolytope(n_classes={self.n_classes}, {len(self.vertices)} vertices, "
            f"{len(self.equations)} facets, volume={self.volume:.6g})"
        )


def discard_polytope(
    rates: ArrayLike | None = None, *, n_classes: int | None = None
) -> DiscardPolytope:
    """Vertices, facets and volume of the region that a set makes discardable.

    These are the polytopes that Ferri et al. [1]_ obtain from a constraint solver. For
    three classes there are 9 vertices without any classifier and 27 with the perfect one.

    Parameters
    ----------
    rates : array-like of shape (Q, Q) or (m, Q, Q), default=None
        Row-normalised confusion matrices; None for the trivial classifiers alone. Data frames
        go by their labels, as in `polytope_vus`, and the vertices are in their order.
    n_classes : int, default=None
        Number of classes; needed without `rates`.

    Returns
    -------
    polytope : DiscardPolytope
        With ``vertices``, ``equations`` and ``volume``.

    Raises
    ------
    ValueError
        If the polytope would be too large to list: with more than 1000 mutually
        non-dominated classifiers (trivial ones included) of two classes, 150 of three, 14
        of four, 6 of five, and from six classes on.
        `polytope_vus` gives the volume of those, `is_discarded` tests for membership.

    See Also
    --------
    polytope_vus : The volume alone.
    is_discarded : Whether a classifier lies inside.

    Notes
    -----
    Over the mixtures of classifiers p and the directions in which they can get worse, a
    linear function is smallest at one classifier, each row of which is either kept or has
    all its correct decisions moved to one wrong class. So the vertices are among the
    ``m Q^Q`` such points; a linear programme for each says which. The facets are those of
    the cone over the classifiers, together with the limits of the rows' sums.

    References
    ----------
    .. [1] C. Ferri, J. Hernández-Orallo, M. A. Salido, "Volume under the ROC surface
       for multi-class problems", ECML 2003, sections 4.2 to 4.4.

    Examples
    --------
    >>> import numpy as np
    >>> from skvus.metrics import discard_polytope
    >>> perfect = discard_polytope(np.eye(3))
    >>> perfect.vertices.shape, perfect.volume
    ((27, 6), 0.125)
    """
    rates, _ = in_one_order("rates", [] if rates is None else rates)
    rates = check_rates("rates", rates, n_classes=n_classes)
    n_classes = rates.shape[1]
    if n_classes not in _MOST_GENERATORS:
        raise ValueError(
            f"The polytope of rates of {n_classes} classes is too large to list; at most "
            f"{max(_MOST_GENERATORS)} classes are. {_INSTEAD}"
        )
    members = prune(rates)
    points, hits = cone_generators(members)
    _check_listable(len(points), n_classes)
    corners, owner, moved, which = _corners(points, hits)
    extreme = _extreme_corners(points, hits, owner, moved, which)
    vertices = corners[extreme]
    vertices = vertices[np.lexsort(vertices.T[::-1])]
    share = exact_volume(members)
    return DiscardPolytope(
        vertices,
        _facets(points, vertices, n_classes),
        share * float(maximum_volume(n_classes)),
        n_classes,
    )


@overload
def is_discarded(
    candidate: ArrayLike,
    by: ArrayLike | None,
    *,
    tol: float = 1e-9,
    return_weights: Literal[True],
) -> tuple[Any, Floats]: ...


@overload
def is_discarded(
    candidate: ArrayLike,
    by: ArrayLike | None,
    *,
    tol: float = 1e-9,
    return_weights: Literal[False] = False,
) -> Any: ...


def is_discarded(
    candidate: ArrayLike,
    by: ArrayLike | None,
    *,
    tol: float = 1e-9,
    return_weights: bool = False,
) -> bool | Bools | tuple[bool | Bools, Floats]:
    """Tell whether a classifier can be rejected given others and the trivial ones.

    It can if some mixture of them errs at most as often in every way, so that it never
    costs more, whatever the costs and the frequencies of the classes.

    Parameters
    ----------
    candidate : array-like of shape (Q, Q) or (k, Q, Q)
        Rates of the classifier to test, or of many. Data frames go by their labels.
    by : array-like of shape (Q, Q) or (m, Q, Q), or None
        Rates of the others; None or empty for the trivial classifiers alone. A classifier
        is discarded by every set that contains it: leave it out.
    tol : float, default=1e-9
        How far short of a full mixture still counts; allows for rounding in the rates.
    return_weights : bool, default=False
        Whether to return the mixture too.

    Returns
    -------
    discarded : bool or ndarray of shape (k,)
        One for each candidate.
    weights : ndarray of shape (m + Q,) or (k, m + Q)
        Weights of the members of `by`, then of the trivial classifiers 0..Q-1, that sum to
        one and whose mixture beats the candidate; NaN where it is not discarded. Only if
        ``return_weights=True``.

    See Also
    --------
    polytope_vus : The volume of everything that is discarded.
    discard_polytope : All of that as a polytope.
    ROCFront : What is left when no mixtures are asked for.

    Notes
    -----
    Each candidate v is one linear programme, ``g(v) = max sum(w)`` subject to
    ``w @ points <= v``; it is discarded iff ``g(v) >= 1``. Without other classifiers this
    is Theorem 1 of [1]_: the minima of the columns sum to at least one. About
    O(m Q⁴) per candidate, 10 µs for ten classifiers of three classes.

    References
    ----------
    .. [1] C. Ferri, J. Hernández-Orallo, M. A. Salido, "Volume under the ROC surface
       for multi-class problems", ECML 2003, Theorem 1 and section 4.4.

    Examples
    --------
    >>> from skvus.metrics import is_discarded
    >>> sharp = [[0.8, 0.1, 0.1], [0.0, 0.9, 0.1], [0.0, 0.2, 0.8]]
    >>> blunt = [[0.8, 0.1, 0.1], [0.2, 0.7, 0.1], [0.4, 0.2, 0.4]]
    >>> is_discarded(blunt, None), is_discarded(blunt, sharp)
    (False, True)
    >>> wary = [[0.9, 0.05, 0.05], [0.5, 0.45, 0.05], [0.6, 0.1, 0.3]]
    >>> discarded, weights = is_discarded(wary, sharp, return_weights=True)
    >>> discarded, weights.round(3)  # sharp, then always 0, 1 and 2
    (True, array([0.5, 0.5, 0. , 0. ]))
    """
    from skvus._kernels.packing import Packing

    tol = check_number("tol", tol, minimum=0.0)
    check_option("return_weights", return_weights, (False, True))
    candidate, classes = in_one_order("candidate", candidate)
    candidates = check_rates("candidate", candidate)
    one = np.ndim(candidate) == 2
    n_classes = candidates.shape[1]
    by, _ = in_one_order("by", [] if by is None else by, classes)
    others = check_rates("by", by, n_classes=n_classes)
    points = rates_to_points(np.concatenate([others, trivial_rates(n_classes)]))
    packing, vectors = Packing(points), rates_to_points(candidates)
    if not return_weights:
        discarded = packing.values(vectors) >= 1.0 - tol
        return bool(discarded[0]) if one else discarded
    packed, weights = packing.values(vectors, return_weights=True)
    discarded = packed >= 1.0 - tol
    weights[~discarded | (packed <= 0.0)] = np.nan
    weights /= weights.sum(axis=1, keepdims=True)
    return (bool(discarded[0]), weights[0]) if one else (discarded, weights)


def _check_listable(n_generators, n_classes):
    allowed = _MOST_GENERATORS[n_classes]
    if n_generators > allowed:
        raise ValueError(
            f"The polytope of {n_generators} mutually non-dominated classifiers (trivial ones "
            f"included) with {n_classes} classes is too large to list; at most {allowed} are "
            f"listed. {_INSTEAD}"
        )


def _corners(points, hits):
    """Candidate vertices, and the pieces that they are made of.

    A piece is a generator and, for each row, the coordinate that takes all the row's
    correct decisions, or -1 to keep them. Several pieces may make the same corner.
    """
    n_classes = hits.shape[1]
    mask = off_diagonal(n_classes)
    column = np.full((n_classes, n_classes), -1)
    column[mask] = np.arange(mask.sum())
    choices = np.array(list(product(range(n_classes), repeat=n_classes)))
    moved = column[np.arange(n_classes), choices]
    piece, row = np.nonzero(moved >= 0)
    corners = np.repeat(points[:, np.newaxis], len(moved), axis=1)
    corners[:, piece, moved[piece, row]] += hits[:, row]
    corners = corners.reshape(-1, points.shape[1])
    _, first, which = np.unique(
        np.round(corners, 9), axis=0, return_index=True, return_inverse=True
    )
    owner = np.repeat(np.arange(len(points)), len(moved))
    return corners[first], owner, np.tile(moved, (len(points), 1)), which.ravel()


def _extreme_corners(points, hits, owner, moved, which):
    """Mask of the corners that are the only minimiser of some linear function.

    A function with coefficients c makes the piece of generator p with targets t worth
    ``c @ p + sum_i c[t_i] hits_i(p)``. That is the least that p can be worth if c is
    negative and smallest in its row at each target, and positive on rows that stay.
    """
    extreme = np.zeros(which.max() + 1, dtype=bool)
    extreme[which[_guessed_pieces(points, hits)]] = True
    for g, targets, corner in zip(owner, moved, which, strict=True):
        if not extreme[corner]:
            extreme[corner] = _is_only_minimiser(points, hits, g, targets)
    return extreme


def _guessed_pieces(points, hits):
    """Pieces that are clearly the only minimiser of some random linear function."""
    n_points, n_classes = hits.shape
    rng = np.random.default_rng(0)
    functions = rng.normal(size=(_GUESSES, n_classes, n_classes - 1))
    functions[: _GUESSES // 2] = np.abs(functions[: _GUESSES // 2])
    functions *= rng.choice([-1.0, 1.0], size=(_GUESSES, n_classes, 1))
    cheapest = functions.argmin(axis=2)
    moves = np.minimum(0.0, functions.min(axis=2))
    values = functions.reshape(_GUESSES, -1) @ points.T + moves @ hits.T
    best = values.argmin(axis=1)
    if n_points > 1:
        least, second = np.partition(values, 1, axis=1)[:, :2].T
        is_clear = second - least > 1e-6
    else:
        is_clear = np.ones(_GUESSES, dtype=bool)
    # the choice of a row is its own class if it stays, else the class that takes its hits
    rows = np.arange(n_classes)
    choice = np.where(moves < 0.0, cheapest + (cheapest >= rows), rows)
    piece = best * n_classes**n_classes + choice @ n_classes ** rows[::-1]
    return np.unique(piece[is_clear])


def _is_only_minimiser(points, hits, generator, targets):
    from scipy.optimize import linprog

    n_coordinates = points.shape[1]
    n_classes = hits.shape[1]
    values = points.copy()
    signs = np.zeros((n_coordinates, n_coordinates))
    for i, target in enumerate(targets):
        row = np.arange(i * (n_classes - 1), (i + 1) * (n_classes - 1))
        if target < 0:
            signs[row, row] = -1.0
            continue
        values[:, target] += hits[:, i]
        signs[row, row] = -1.0
        signs[row, target] += 1.0
        signs[target, target] = 1.0
    beaten = values[generator] - values
    beaten = beaten[np.abs(beaten).max(axis=1) > _SAME]
    rows = np.concatenate([beaten, signs])
    rows = np.column_stack([rows, np.ones(len(rows))])
    objective = np.zeros(n_coordinates + 1)
    objective[-1] = -1.0  # maximise the margin
    bounds = [(-1.0, 1.0)] * n_coordinates + [(None, 1.0)]
    result = linprog(objective, A_ub=rows, b_ub=np.zeros(len(rows)), bounds=bounds)
    return result.status == 0 and -result.fun > _SAME


def _facets(points, vertices, n_classes):
    """Facets as [normal, offset], each recomputed from the vertices that lie on it."""
    n_points, n_coordinates = points.shape
    generators = np.zeros((n_points + n_coordinates, n_coordinates + 1))
    generators[:n_points, 0] = 1.0
    generators[:n_points, 1:] = points
    generators[n_points:, 1:] = np.eye(n_coordinates)
    _, _, right = np.linalg.svd(generators[cone_facets(points)])
    planes = right[:, -1]
    planes = planes[np.linalg.norm(planes[:, 1:], axis=1) > _SAME]
    limits = np.zeros((n_classes, n_coordinates + 1))
    limits[:, 0] = 1.0
    limits[:, 1:] = -np.kron(np.eye(n_classes), np.ones(n_classes - 1))
    planes = np.concatenate([planes, limits])
    planes /= np.linalg.norm(planes[:, 1:], axis=1, keepdims=True)

    homogeneous = np.column_stack([np.ones(len(vertices)), vertices])
    touching = np.unique(np.abs(homogeneous @ planes.T).T < _SAME, axis=0)
    centre = homogeneous.mean(axis=0)
    equations = []
    for on in touching:
        if on.sum() < n_coordinates:
            continue
        # the triangular factor has the same null space as its many rows
        _, singular, right = np.linalg.svd(np.linalg.qr(homogeneous[on], mode="r"))
        if singular[n_coordinates - 1] < _SAME:
            continue
        plane = right[-1] / np.linalg.norm(right[-1, 1:])
        plane *= -np.sign(plane @ centre)
        if (homogeneous @ plane).max() > _SAME:
            continue  # of a flat cell of the joggled hull: it touches, but cuts through
        equations.append(np.append(plane[1:], plane[0]))
    equations = np.round(np.array(equations), 12) + 0.0
    return equations[np.lexsort(equations.T[::-1])]
