"""Uniform samples of a simplex from exponential variables."""

from skvus._kernels._jit import kernel


@kernel
def shares_within(drawn, scale, most, points, n_points):
    """Write shares of each row's sum, times `scale`, that are at most `most`.

    The last share of a row is left out; a row with a larger share is skipped. Writing starts at
    row `n_points` of `points`; returned is where it ended.
    """
    n_rates = drawn.shape[1] - 1
    for i in range(drawn.shape[0]):
        total = 0.0
        for d in range(n_rates + 1):
            total += drawn[i, d]
        is_within = True
        for d in range(n_rates):
            share = scale * (drawn[i, d] / total)
            points[n_points, d] = share
            is_within &= share <= most
        n_points += is_within
        if n_points == points.shape[0]:
            break
    return n_points
