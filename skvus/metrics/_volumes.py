"""Volume of what a set of crisp classifiers makes discardable, as a share of the maximum.

Pure functions on arrays under `polytope_vus`. All volumes here are shares of
``VUS_max``, which keeps them away from the ends of the floating-point range.
"""

from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement
from math import ceil, factorial, inf, lgamma, log2

import numpy as np

from skvus._rates import off_diagonal, rates_to_points, trivial_rates
from skvus._validation import check_generator

# Largest number of classifiers, after pruning, that the hull route takes: in about a
# second ("auto"), and at all ("exact": up to half a minute and a gigabyte).
_AUTO_MEMBERS = {2: inf, 3: 1000, 4: 16, 5: 2}
_EXACT_MEMBERS = {2: inf, 3: 15000, 4: 45, 5: 8}
CLOSED_FORM_CLASSES = 8
MOST_CLASSES = 16  # the dominance filter takes at most 255 coordinates
# Two triangulations that differ by more than this contradict the claim to be exact.
_AGREEMENT = 1e-9
_REPLICATES = 16
_UNIFORM, _ADAPTATIONS, _PILOT = 0.1, 8, 1000


def minimum_volume(n_classes):
    """VUS of the trivial classifiers alone, an exact fraction."""
    return Fraction((n_classes - 1) ** (n_classes - 1), factorial(n_classes * (n_classes - 1)))


def maximum_volume(n_classes):
    """Volume of all valid rates, an exact fraction."""
    return Fraction(1, factorial(n_classes - 1) ** n_classes)


def non_dominated(points):
    """Mask of the rows that no other row beats or repeats; which one of equals varies."""
    import moocore

    if points.shape[0] < 2:
        return np.ones(points.shape[0], dtype=bool)
    return moocore.is_nondominated(points)


def prune(rates):
    """Members of `rates` that no other member and no trivial classifier dominates."""
    n_classes = rates.shape[1]
    everyone = np.concatenate([trivial_rates(n_classes), rates])
    kept = non_dominated(rates_to_points(everyone))[n_classes:]
    # a trivial classifier has a column of ones
    return rates[kept & ~(rates == 1.0).all(axis=1).any(axis=1)]


def volume(rates, *, method, n_samples=None, rng=None):
    """Share of the maximum, standard error and the method that was used."""
    members = prune(rates)
    if exact_is_allowed(members, method):
        try:
            return exact_volume(members), 0.0, "exact"
        except ArithmeticError:
            if method == "exact":
                raise
    rng = check_generator(rng)
    if len(members) == 1 and members.shape[1] > 2:
        return (*sampled_closed_form(members[0], n_samples or 20_000, rng), "monte_carlo")
    return (*sampled_volume(members, n_samples, rng), "monte_carlo")


def exact_volume(members):
    """Share of mutually non-dominated members, however many there are."""
    n_classes = members.shape[1]
    if not members.size:
        return float(minimum_volume(n_classes) / maximum_volume(n_classes))
    if not rates_to_points(members).any(axis=1).all():
        return 1.0
    return closed_form(members[0]) if len(members) == 1 else hull_volume(members)


def exact_is_allowed(members, method):
    """Decide between the exact routes and sampling; refuse what cannot be exact."""
    n_members, n_classes, _ = members.shape
    if n_members == 0 or not rates_to_points(members).any(axis=1).all():
        return True  # nothing but trivial classifiers, or a perfect one
    if method == "monte_carlo":
        return False
    if n_members == 1:
        limit_reached = n_classes > CLOSED_FORM_CLASSES
    else:
        limits = _EXACT_MEMBERS if method == "exact" else _AUTO_MEMBERS
        limit_reached = n_members > limits.get(n_classes, 0)
    if limit_reached and method == "exact":
        allowed = _EXACT_MEMBERS.get(n_classes, int(n_classes <= CLOSED_FORM_CLASSES))
        raise ValueError(
            f"method='exact' takes at most {allowed} mutually non-dominated classifiers "
            f"with {n_classes} classes; got {n_members}. Use method='monte_carlo', whose "
            "standard error return_std=True tells."
        )
    return not limit_reached


# --- one classifier ---------------------------------------------------------------


@lru_cache(maxsize=16)
def _spare_directions(n_classes):
    """All (c_0, ..., c_{Q-1}) with sum Q and c_i < Q: how often a map hits each row."""
    hits = np.array(list(combinations_with_replacement(range(n_classes), n_classes)))
    counts = (hits[:, :, np.newaxis] == np.arange(n_classes)).sum(axis=1)
    counts = counts[counts.max(axis=1) < n_classes]
    keys = counts @ n_classes ** np.arange(n_classes)
    return n_classes - 1 - counts, keys


@lru_cache(maxsize=32)
def _laguerre(n_classes):
    """Nodes and log weights, exact for polynomials of degree Q(Q-2)."""
    from scipy.special import roots_laguerre

    nodes, weights = roots_laguerre(n_classes * (n_classes - 2) // 2 + 1)
    with np.errstate(divide="ignore"):
        return nodes, np.log(weights)


def log_completions(diagonal, spare):
    r"""Log of ``C_n = sum_{a <= n} |a|! / prod a_i! prod r_i^a_i`` for each row n of `spare`.

    With ``|a|! = int t^|a| exp(-t) dt`` the sum factorises into truncated
    exponentials, and Gauss-Laguerre quadrature is exact for their product.
    """
    n_classes = diagonal.size
    nodes, log_weights = _laguerre(n_classes)
    steps = np.arange(n_classes)
    log_factorials = np.array([lgamma(a + 1.0) for a in steps])
    with np.errstate(divide="ignore", invalid="ignore"):
        log_terms = steps[:, np.newaxis] * np.log(diagonal[:, np.newaxis, np.newaxis] * nodes)
    log_terms[:, 0] = 0.0
    terms = np.logaddexp.accumulate(log_terms - log_factorials[:, np.newaxis], axis=1)
    total = np.zeros((spare.shape[0], nodes.size)) + log_weights
    for i in range(n_classes):
        total += terms[i, spare[:, i]]
    return np.logaddexp.reduce(total, axis=1)


def closed_form(rates):
    """Share of one (Q, Q) rate matrix, exactly; (Q-1)^Q steps."""
    from skvus._kernels.cells import sum_over_maps

    n_classes = rates.shape[0]
    spare, keys = _spare_directions(n_classes)
    # Only the reachable keys are written: the table takes address space, not memory.
    table = np.empty(n_classes**n_classes)
    table[keys] = np.exp(log_completions(np.diagonal(rates), spare))
    total = (n_classes - 1) ** (n_classes - 1) + sum_over_maps(rates, table)
    scale = Fraction(1, factorial(n_classes * (n_classes - 1))) / maximum_volume(n_classes)
    return min(1.0, total * float(scale))


def sampled_closed_form(rates, n_samples, rng):
    """Estimate of `closed_form` from random maps, with its standard error.

    The terms of the sum differ by many orders of magnitude, so maps are drawn from a
    product distribution that is adapted to them (the cross-entropy method), mixed with
    uniform draws so that no map weighs more than `1 / _UNIFORM` times its uniform share.
    """
    n_classes = rates.shape[0]
    others = off_diagonal(n_classes)
    uniform = others / (n_classes - 1.0)
    chances = uniform
    for _ in range(_ADAPTATIONS):
        maps, log_terms = _drawn_terms(rates, chances, _PILOT * n_classes, rng)
        if not np.isfinite(log_terms.max()):
            break
        weights = np.exp(log_terms - log_terms.max())
        hits = np.stack([weights @ (maps == i) for i in range(n_classes)])
        chances = 0.95 * hits / weights.sum() + 0.05 * uniform
    _, log_terms = _drawn_terms(rates, chances, n_samples, rng)
    log_scale = n_classes * lgamma(n_classes) - lgamma(n_classes * (n_classes - 1) + 1.0)
    draws = np.exp(log_terms + log_scale)
    least = np.exp(log_scale + (n_classes - 1) * np.log(n_classes - 1.0))
    largest = max(draws.max(), least)  # squares of tiny shares would underflow
    error = largest * (draws / largest).std(ddof=1) / np.sqrt(n_samples) if largest else 0.0
    return float(min(1.0, least + draws.mean())), float(error)


def _drawn_terms(rates, chances, n_samples, rng):
    """Maps, and log of what each estimates the sum over all maps to be."""
    n_classes = rates.shape[0]
    columns = np.arange(n_classes)
    is_uniform = rng.random(n_samples) < _UNIFORM
    maps = np.empty((n_samples, n_classes), dtype=np.int64)
    for j in columns:
        rows = np.delete(columns, j)
        maps[:, j] = rng.choice(rows, size=n_samples, p=chances[rows, j])
        maps[is_uniform, j] = rng.choice(rows, size=is_uniform.sum())
    log_uniform = -n_classes * np.log(n_classes - 1.0)
    log_adapted = np.log(chances[maps, columns]).sum(axis=1)
    log_chance = np.logaddexp(
        np.log(_UNIFORM) + log_uniform, np.log(1.0 - _UNIFORM) + log_adapted
    )
    hit_counts = (maps[:, :, np.newaxis] == columns).sum(axis=1)
    with np.errstate(divide="ignore"):
        log_slack = np.log(np.maximum(0.0, 1.0 - rates[maps, columns].sum(axis=1)))
    completions = log_completions(np.diagonal(rates), n_classes - 1 - hit_counts)
    return maps, log_slack + completions - log_chance


# --- many classifiers, exactly ----------------------------------------------------


def cone_generators(members):
    """Non-dominated classifiers, trivial ones included, and their diagonal rates."""
    everyone = np.concatenate([members, trivial_rates(members.shape[1])])
    everyone = everyone[non_dominated(rates_to_points(everyone))]
    points = np.ascontiguousarray(rates_to_points(everyone))
    return points, np.ascontiguousarray(np.einsum("mii->mi", everyone))


def cone_facets(points):
    """Facets of the cone over the points and all coordinate directions.

    Returns an (f, d) array of generators: below ``len(points)`` a point, above it a
    direction. Qhull runs joggled: on grid-like points its default merges facets in
    six and more dimensions and loses volume. Only the combinatorics are taken from it, so
    the joggle enters the volume of nearly degenerate sets only; it starts as small as
    Qhull allows, since its default would cost two digits there.
    """
    from scipy.spatial import ConvexHull

    section = points / (1.0 + points.sum(axis=1, keepdims=True))
    section = np.concatenate([section, np.eye(points.shape[1])])
    return ConvexHull(section, qhull_options="QJ1e-12").simplices.astype(np.int64)


def hull_volume(members):
    """Share of a set by one hull and an analytic sum over the cells of its cone."""
    from scipy.spatial import QhullError

    from skvus._kernels.cells import sum_of_cells

    points, hits = cone_generators(members)
    n_classes = members.shape[1]
    row_of = np.repeat(np.arange(n_classes), n_classes - 1)
    scale = float(Fraction(1, factorial(points.shape[1])) / maximum_volume(n_classes))
    order = np.arange(points.shape[0])
    for attempt in range(4):
        try:
            facets = cone_facets(points[order])
        except QhullError:
            sums = [np.nan, np.nan]
        else:
            sums = [
                sum_of_cells(points[order], hits[order], row_of, facets, apex)
                for apex in (0, points.shape[1] - 1)
            ]
        if abs(sums[0] - sums[1]) <= _AGREEMENT * sums[0]:
            return min(1.0, sums[0] * scale)
        order = np.random.default_rng(attempt).permutation(order)
    raise ArithmeticError(
        "The exact volume failed its self-check: classifiers that differ by about 1e-10 "
        "confuse the hull. Round the rates, or use method='monte_carlo'."
    )


# --- many classifiers, sampled ----------------------------------------------------


def default_samples(n_members, n_coordinates):
    """Power of two that keeps the linear programmes to about a second."""
    seconds_each = 3e-9 * n_members * n_coordinates + 3e-10 * n_coordinates**3 + 4e-6
    return 2 ** int(np.clip(log2(0.8 / seconds_each), 9, 14))


def uniform_rates(uniform, n_classes):
    """Map points of the unit cube to valid rates, volume to volume.

    Each row is a flat Dirichlet draw: break a stick of length one Q - 1 times and
    leave the rest to the diagonal.
    """
    sticks = uniform.reshape(-1, n_classes, n_classes - 1)
    points = np.empty_like(sticks)
    rest = np.ones(sticks.shape[:2])
    for k in range(n_classes - 1):
        points[:, :, k] = rest * (1.0 - sticks[:, :, k] ** (1.0 / (n_classes - 1 - k)))
        rest = rest - points[:, :, k]
    return points.reshape(uniform.shape), 1.0 - rest


def sampled_volume(members, n_samples, rng):
    """Randomised quasi-Monte Carlo share of a set, with its standard error.

    Along the ray through a sample v the discarded part is known from the packing
    programme: ``1 - (rho / g(v))^D``, rho the largest row sum. The best single member,
    whose volume is known, serves as control variate and as a floor.
    """
    from scipy.stats import qmc

    from skvus._kernels.packing import Packing

    n_members, n_classes, _ = members.shape
    points, _ = cone_generators(members)
    n_coordinates = points.shape[1]
    best = members[np.argmax(np.einsum("mii->m", members))]
    if n_classes <= CLOSED_FORM_CLASSES:
        base, base_error = closed_form(best), 0.0
    else:
        base, base_error = sampled_closed_form(best, 20_000, rng)
    packings = [Packing(points), Packing(cone_generators(best[np.newaxis])[0])]
    if n_samples is None:
        n_samples = default_samples(n_members, n_coordinates)
    each = 2 ** max(0, ceil(log2(n_samples / _REPLICATES)))
    ours, known = np.empty((2, _REPLICATES, each))
    for k in range(_REPLICATES):
        sampler = qmc.Sobol(n_coordinates, scramble=True, rng=rng)
        samples, row_sums = uniform_rates(sampler.random(each), n_classes)
        edge = row_sums.max(axis=1)
        for shares, packing in zip((ours, known), packings, strict=True):
            packed = np.maximum(packing.values(samples), edge)
            shares[k] = 1.0 - (edge / packed) ** n_coordinates
    covariance = np.cov(ours.ravel(), known.ravel())
    # few samples that count would make the slope wild; it is close to one where it matters
    slope = min(1.0, covariance[0, 1] / covariance[1, 1]) if covariance[1, 1] > 0.0 else 1.0
    means = ours.mean(axis=1) - slope * (known.mean(axis=1) - base)
    error = np.hypot(means.std(ddof=1) / np.sqrt(_REPLICATES), slope * base_error)
    error = np.hypot(error, 2.0 / ours.size)  # what two samples more might have met
    return float(np.clip(means.mean(), base, 1.0)), float(error)
