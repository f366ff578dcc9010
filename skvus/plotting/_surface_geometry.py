"""The surface of true rates over all class weightings, as points on rays from the origin.

Pure functions on arrays. A log weighting phi calls a case ``argmax_j (log p_j + phi_j)``, and
cases on a border may be called either way at random. Two weights are held in proportion while
the third grows: along such a line two true rates fall and the third rises, so that the point
where the line leaves a ray is found by bisection.
"""

import numpy as np

from skvus.metrics._operating import TIE, collapse, log_columns

# Lines for each pair of classes, at most: with fewer borders all of them are followed, and the
# surface is exact.
_MOST_LINES = 200
# Distinct score vectors; beyond, near ones are merged.
_MOST_VECTORS = 10_000
# Beyond all rates on a ray, since the entries of its direction have the sum 1.
_NO_LIMIT = 4.0
# Parts of a border on which cases of both classes lie, at most.
_MOST_PARTS = 16


def ray_grid(n_steps):
    """Directions of rays that divide the sides of a triangle, and the triangles they make.

    Returns
    -------
    directions : (T, 3) array
        Non-negative, each row with the sum 1.
    triangles : (n_steps**2, 3) array of int
    """
    first, second = np.divmod(np.arange((n_steps + 1) ** 2), n_steps + 1)
    kept = first + second <= n_steps
    number = np.cumsum(kept).reshape(n_steps + 1, n_steps + 1) - 1
    first, second = first[kept], second[kept]
    directions = np.column_stack([n_steps - first - second, first, second]) / n_steps
    up = first + second < n_steps
    i, j = first[up], second[up]
    pointing_up = np.column_stack([number[i, j], number[i + 1, j], number[i, j + 1]])
    down = first + second < n_steps - 1
    i, j = first[down], second[down]
    pointing_down = np.column_stack(
        [number[i + 1, j], number[i + 1, j + 1], number[i, j + 1]]
    )
    return directions, np.concatenate([pointing_up, pointing_down])


def volume_below(rates, triangles):
    """Volume between the origin and a surface of triangles."""
    return float(np.abs(np.linalg.det(rates[triangles])).sum() / 6.0)


def weighted_vectors(scores, codes, weight):
    """Distinct log scores, and the share of each class on each of them.

    Scores of zero become so small that whatever has fewer of them is preferred, as
    `simplified_vus_score` has it.
    """
    logs, mass = collapse(log_columns(scores), codes, weight)
    is_finite = np.isfinite(logs)
    if not is_finite.all():
        lowest = logs.min(where=is_finite, initial=0.0)
        logs = np.where(is_finite, logs, 4.0 * lowest - 1.0)
    return logs, mass / mass.sum(axis=0)


def curve(logs, mass):
    """Vertices of the curve of two true rates, from all cases of the first class right."""
    level = logs[:, 1] - logs[:, 0]
    order, ends = _levels(-level)
    sums = np.cumsum(mass[order], axis=0)[ends]
    falling = np.append(0.0, sums[:, 0])
    rising = np.append(0.0, sums[:, 1])
    rates = np.clip(np.column_stack([1.0 - falling, rising]), 0.0, 1.0)
    rates[-1] = 0.0, 1.0
    return rates[_corners(rates)]


def surface(logs, mass, directions):
    """Where the surface of three true rates cuts rays from the origin.

    Parameters
    ----------
    logs, mass : (m, 3) arrays
        Of `weighted_vectors`.
    directions : (T, 3) array
        Non-negative, none of them zero.

    Returns
    -------
    rates : (T, 3) array
        Multiples of the directions.
    is_exact : bool
        Whether all lines were followed, not a sample of them.
    """
    # the trivial classifiers, whatever the scores, reach the ends of the axes
    reach = (directions == 1.0).any(axis=1).astype(float)
    is_exact = len(logs) <= _MOST_VECTORS
    logs, mass = (logs, mass) if is_exact else _merged(logs, mass)
    for rising in range(3):
        held = [k for k in range(3) if k != rising]
        lines, are_all = _lines(logs[:, held[0]] - logs[:, held[1]], mass[:, held])
        is_exact &= are_all
        previous = None
        for gap, part, is_joined in lines:
            rates = _along_line(logs, mass, held, rising, gap, part)
            limits = _limits(rates, directions[:, [*held, rising]])
            reach = np.maximum(reach, limits.min(axis=0))
            if is_joined and previous is not None:
                reach = np.maximum(reach, _between(previous, limits))
            previous = limits
    return np.minimum(reach[:, np.newaxis] * directions, 1.0), is_exact


def _merged(logs, mass):
    """Fewer vectors, near ones as one: cases that nearly tie are mixed as if they did."""
    relative = logs - logs[:, :1]
    spread = np.abs(relative[:, 1:] - np.median(relative[:, 1:], axis=0))
    step = max(float(np.median(spread)), TIE * float(spread.max())) / 2**10
    number = _MOST_VECTORS + 1
    while number > _MOST_VECTORS:
        step *= 2.0
        cells = np.rint(relative[:, 1:] / step)
        _, first, which = np.unique(cells, axis=0, return_index=True, return_inverse=True)
        number = first.size
    merged = np.zeros((number, 3))
    np.add.at(merged, which.ravel(), mass)
    return logs[first], merged


def _lines(level, mass):
    """Borders between two classes, the share of cases there that go to the first.

    Each with whether what lies between it and the line before is part of the surface.
    """
    order, ends = _levels(level)
    values = level[order[ends]]
    sums = np.diff(np.cumsum(mass[order], axis=0)[ends], axis=0, prepend=0.0)
    # where cases of both classes lie on a border, any share of them may go to the first
    mixed = np.where(sums.min(axis=1) > 1e-12, np.rint(sums.sum(axis=1) * _MOST_LINES), 1)
    parts = np.clip(mixed, 1, _MOST_PARTS).astype(int)
    if (parts + 1).sum() <= 2 * _MOST_LINES:
        return [
            (value, part, part > 0.0)
            for value, n_parts in zip(values, parts, strict=True)
            for part in np.linspace(0.0, 1.0, n_parts + 1)
        ], True
    total = np.append(0.0, np.cumsum(sums.sum(axis=1)))
    places = np.linspace(0.0, 1.0, _MOST_LINES // 2) * total[-1]
    which = np.clip(np.searchsorted(total, places, side="right") - 1, 0, values.size - 1)
    within = (places - total[which]) / np.maximum(total[which + 1] - total[which], 1e-300)
    parts = 1.0 - np.clip(within, 0.0, 1.0)
    return [(*line, True) for line in zip(values[which], parts, strict=True)], False


def _between(before, after):
    """How far rays reach between two lines, on one of which either limit is the smaller."""
    gap, next_gap = before[0] - before[1], after[0] - after[1]
    crosses = gap * next_gap < 0.0
    share = np.divide(gap, gap - next_gap, where=crosses, out=np.zeros(gap.size))
    return np.where(crosses, before[0] + share * (after[0] - before[0]), 0.0)


def _along_line(logs, mass, held, rising, gap, part):
    """True rates at the vertices of a line: two that fall, one that rises."""
    first, second = held
    level = logs[:, first] - logs[:, second]
    near = TIE * max(1.0, abs(gap))
    to_first = np.where(level > gap + near, 1.0, np.where(level < gap - near, 0.0, part))
    best = np.maximum(logs[:, first], logs[:, second] + gap) - logs[:, rising]
    order, ends = _levels(best)
    shares = np.column_stack(
        [mass[:, first] * to_first, mass[:, second] * (1.0 - to_first), mass[:, rising]]
    )
    sums = np.vstack([np.zeros(3), np.cumsum(shares[order], axis=0)[ends]])
    rates = np.column_stack([sums[-1, :2] - sums[:, :2], sums[:, 2]])
    return np.clip(rates, 0.0, 1.0)


def _limits(rates, directions):
    """How far along each ray the rising rate and either of the falling ones allow to go."""
    return np.stack(
        [_crossing(rates[:, k], rates[:, 2], directions[:, [k, 2]]) for k in range(2)]
    )


def _crossing(falling, rising, directions):
    """Where rays in a plane meet a curve that goes from right below to left above."""
    across, along = directions.T
    ratio = np.full(falling.size, np.inf)
    np.divide(rising, falling, out=ratio, where=falling > 0.0)
    ratio[(falling == 0.0) & (rising == 0.0)] = 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        after = np.searchsorted(ratio, along / across)
        # the curve begins below its first vertex, and ends left of its last one
        x = np.concatenate([falling[:1], falling, [0.0]])
        y = np.concatenate([[0.0], rising, rising[-1:]])
        x0, y0, x1, y1 = x[after], y[after], x[after + 1], y[after + 1]
        reach = (x0 * y1 - x1 * y0) / (across * (y1 - y0) + along * (x0 - x1))
        reach = np.where(across == 0.0, rising[-1] / along, reach)
        reach = np.where(along == 0.0, falling[0] / across, reach)
    return np.where((across == 0.0) & (along == 0.0), _NO_LIMIT, reach)


def _levels(values):
    """Order of values, and where in it those end that are equal up to rounding."""
    order = np.argsort(values, kind="stable")
    ascending = values[order]
    near = TIE * np.maximum(1.0, np.abs(ascending[1:]))
    return order, np.append(np.flatnonzero(np.diff(ascending) > near), values.size - 1)


def _corners(rates):
    """Which vertices of a curve are no part of a straight line through their neighbours."""
    before, after = np.diff(rates[:-1], axis=0), np.diff(rates[1:], axis=0)
    turn = before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0]
    return np.concatenate([[True], np.abs(turn) > 1e-12, [True]])
