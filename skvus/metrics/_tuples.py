"""Mean credit over all tuples of one case from each class: exact, or from a sample.

Pure functions on arrays. All sums are taken over fixed pieces of the work, in order, so
that results have the same bits whatever the number of threads.
"""

from math import fsum, isqrt, prod

import numpy as np

from skvus.metrics._parallel import jobs_here
from skvus.metrics._prices import PricedCases

TIES = ("share", "strict", "weak")
# Steps up to which "auto" is exact (some seconds) and beyond which "exact" gives up
# (hours). A step takes about 20 ns.
AUTO_STEPS = 10**8
MOST_STEPS = 10**12
_TABLE_BYTES = 2**28
_PIECE_STEPS = 2**24
_LAST_BLOCK = 4096
_N_BATCHES = 64
_LARGEST_BATCH = 2**18
_PILOT = 2048


# --- exact ------------------------------------------------------------------------


def exact_steps(sizes):
    """About how many steps the exact count takes for these numbers of distinct cases."""
    if len(sizes) == 2:
        return sum(sizes)
    if len(sizes) == 3:
        return min(_triple_steps(sizes, k) for k in range(3))
    *others, largest = sorted(sizes)
    words = sum(-(-size // 64) for size in _block_sizes(largest))
    return prod(others) * (len(sizes) ** 2 + len(sizes) * words) // 4


def exact_score(cases, ties, n_jobs):
    """Mean credit of all tuples of priced cases."""
    count = {2: _two_class_mass, 3: _three_class_mass}.get(len(cases.rows), _many_class_mass)
    weights, total = countable(cases.weights)
    mass = count(PricedCases(cases.rows, weights, cases.which, cases.tolerance), n_jobs)
    return min(1.0, float(_credit(mass, ties) / total))  # rounding may add up to a bit more


def countable(weights):
    """Weights whose products add up to a total that floats can hold, and that total."""
    totals = [float(weight.sum()) for weight in weights]
    if prod(totals) <= 2.0**53:  # whole numbers stay exact
        return weights, prod(totals)
    return [weight / total for weight, total in zip(weights, totals, strict=True)], 1.0


def _credit(mass, ties):
    """Total credit; entry k of `mass` belongs to k + 1 cheapest assignments."""
    from skvus._kernels.ordering import HISTOGRAM

    mass, more = mass[:HISTOGRAM], mass[HISTOGRAM:]
    if ties == "strict":
        return mass[0]
    if ties == "weak":
        return fsum([*mass, *more[:1]])
    return fsum([*(mass / np.arange(1, mass.size + 1)), *more[1:]])


def _two_class_mass(cases, n_jobs):
    """Pairs below and pairs tied, from ranks in the first class."""
    order = np.argsort(cases.rows[0], kind="stable")
    ascending = cases.rows[0][order]
    below = np.concatenate([[0.0], np.cumsum(cases.weights[0][order])])
    tolerance = cases.tolerance
    less = below[np.searchsorted(ascending, cases.rows[1] - tolerance)]
    no_more = below[np.searchsorted(ascending, cases.rows[1] + tolerance, side="right")]
    weight = cases.weights[1]
    return np.array([(weight * less).sum(), (weight * (no_more - less)).sum()])


def _triple_steps(sizes, table_class):
    """Steps when the table holds this class: pairs of the others for each block of it."""
    size = sizes[table_class]
    pairs = prod(sizes) // size
    side = _table_side(pairs, 4)
    return pairs * -(-size // side) + size * min(size, side)


def _table_side(pairs, cell_bytes):
    """Cases in a table: what memory allows, but no more cells than there are lookups."""
    return max(1, isqrt(min(_TABLE_BYTES // cell_bytes, pairs)))


class Triples:
    """Three classes in the order in which they are counted.

    The table holds the class that makes it cheapest; the larger of the others is the inner
    loop. With ``a = d_0 - d_1`` and ``b = d_0 - d_2`` of the renamed classes.
    """

    def __init__(self, cases):
        sizes = cases.sizes
        first = min(range(3), key=lambda k: _triple_steps(sizes, k))
        second, third = sorted({0, 1, 2} - {first}, key=lambda k: sizes[k])
        self.names = [first, second, third]
        self.a, self.b = (
            [cases.rows[k][:, first] - cases.rows[k][:, other] for k in self.names]
            for other in (second, third)
        )
        self.weights = [cases.weights[k] for k in self.names]
        self.by_g = np.argsort(self.b[2] - self.a[2], kind="stable")
        b2 = self.b[2][self.by_g]
        g2, w2 = b2 - self.a[2][self.by_g], self.weights[2][self.by_g]
        self.inner = (b2, g2, w2, np.argsort(b2, kind="stable"), cases.tolerance)

    def blocks(self, extra_bytes=0):
        """Yield cases of the first class, their table, a, sorted b and ranks in it."""
        w0, w1, w2 = self.weights
        is_whole = (w0 == np.rint(w0)).all() and w0.sum() < 2**31
        dtype = np.int32 if is_whole else np.float64
        side = _table_side(w1.size * w2.size, np.dtype(dtype).itemsize + extra_bytes)
        order = np.argsort(self.a[0], kind="stable")
        for start in range(0, order.size, side):
            block = order[start : start + side]
            b0 = self.b[0][block]
            rank = np.empty(block.size, dtype=np.int64)
            rank[np.argsort(b0, kind="stable")] = np.arange(block.size)
            table = _table(rank, w0[block], dtype)
            yield block, table, self.a[0][block], np.sort(b0), rank

    def pieces(self, outer, steps, *last):
        """Arguments of a kernel for parts of the second class."""
        size = max(1, steps // self.inner[0].size)
        middle = (self.a[1], self.b[1], self.weights[1])
        return [
            (*outer, *(array[start : start + size] for array in middle), *self.inner, *last)
            for start in range(0, middle[0].size, size)
        ]


def _three_class_mass(cases, n_jobs):
    from skvus._kernels.triples import count_triples

    triples = Triples(cases)
    mass = np.zeros(6)
    for _, table, a0, b0, _ in triples.blocks():
        pieces = triples.pieces((table, a0, b0), _PIECE_STEPS)
        mass += np.sum(in_threads(count_triples, pieces, n_jobs), axis=0)
    return mass


def _table(rank, w0, dtype):
    from skvus._kernels.triples import quadrant_table

    table = np.zeros((rank.size + 1, rank.size + 1), dtype=dtype)
    quadrant_table(rank, w0.astype(dtype), table)
    return table


def _block_sizes(size):
    return [min(_LAST_BLOCK, size - start) for start in range(0, size, _LAST_BLOCK)]


def walking_order(sizes):
    """Classes in the order of a walk: the largest last, where bitsets count it.

    Small classes early, where a tuple that fails saves the most; but the first is split into
    pieces, for threads and so that an interrupt does not have to wait.
    """
    names = sorted(range(len(sizes)), key=lambda k: sizes[k])
    names.insert(0, names.pop(-2))
    return names


def _many_class_mass(cases, n_jobs):
    """Walk over the tuples of all classes but the largest, which is counted by bitsets."""
    mass, _ = walk(cases, walking_order(cases.sizes), 0, n_jobs)
    return mass


def walk(cases, names, ties, n_jobs):
    """Weight of all tuples by number of ties, and credit of the cases of all but the last."""
    from skvus._kernels.ordering import suffix_sets, walk_tuples

    *rows, last = (np.ascontiguousarray(cases.rows[k][:, names]) for k in names)
    *weights, last_weight = (cases.weights[k] for k in names)
    starts = np.concatenate([[0], np.cumsum([len(part) for part in rows])])
    walked = (np.concatenate(rows), np.concatenate(weights), starts)
    below = prod(len(part) for part in rows[1:])
    size = max(1, _PIECE_STEPS // (below * _LAST_BLOCK // 64))
    pieces = []
    for start in range(0, len(last), _LAST_BLOCK):
        block = last[start : start + _LAST_BLOCK]
        columns = np.ascontiguousarray(block[:, :-1].T)
        orders = np.argsort(columns, axis=1, kind="stable")
        ranked = (np.take_along_axis(columns, orders, axis=1), suffix_sets(orders))
        tail = (block, last_weight[start : start + _LAST_BLOCK], *ranked, cases.tolerance)
        pieces += [
            (*walked, first, min(first + size, len(rows[0])), *tail, ties)
            for first in range(0, len(rows[0]), size)
        ]
    masses, earned = zip(*in_threads(walk_tuples, pieces, n_jobs), strict=True)
    return np.sum(masses, axis=0), np.split(np.sum(earned, axis=0), starts[1:-1])


def in_threads(function, pieces, n_jobs):
    """Results of all pieces, in order; the kernels release the GIL."""
    n_jobs = jobs_here(n_jobs)
    if len(pieces) == 1 or n_jobs in (None, 1):
        return [function(*piece) for piece in pieces]
    from joblib import Parallel, delayed

    return Parallel(n_jobs=n_jobs, prefer="threads")(
        delayed(function)(*piece) for piece in pieces
    )


# --- sampled ----------------------------------------------------------------------


class TupleSampler:
    """Tuples drawn case by case with the probability of its weight in its class.

    A batch spreads its draws evenly over the cases of each class (Latin hypercube), which
    removes most of the variance that single cases cause. Batches are independent: their
    scatter gives the standard error.

    Parameters
    ----------
    weights : list of arrays
        Weights of the cases of each class.
    evaluate : callable
        From an (m, Q) array of picks, the index of a case in each class, to m credits.
    """

    def __init__(self, weights, evaluate):
        self.weights = weights
        self.evaluate = evaluate
        self.heights = [np.cumsum(weight) for weight in weights]

    def draw(self, size, rng):
        """Picks of `size` tuples."""
        picks = np.empty((size, len(self.weights)), dtype=np.int64)
        for k, heights in enumerate(self.heights):
            levels = (np.arange(size) + rng.random(size)) * (heights[-1] / size)
            spread = np.searchsorted(heights, levels, side="right")  # ascending, so in cache
            picks[:, k] = rng.permutation(np.minimum(spread, heights.size - 1))
        return picks

    def enough_tuples(self, rng, least, most):
        """Number of tuples that makes the error of drawing a tenth of the sampling error.

        The sampling error is that of a U-statistic, sum_c var(V_c) / n_c with V_c the mean
        credit of a case of class c: the covariance of tuples that share that case.
        """
        size = _PILOT // max(1, len(self.weights) // 10)
        ours, others = self.draw(size, rng), self.draw(size, rng)
        credit = self.evaluate(ours)
        variance = 0.0
        for k, weight in enumerate(self.weights):
            shared = others.copy()
            shared[:, k] = ours[:, k]
            covariance = np.cov(credit, self.evaluate(shared))[0, 1]
            n_effective = weight.sum() ** 2 / (weight**2).sum()
            # a pilot of few failures sees little covariance by accident
            variance += max(0.03 * credit.var(), covariance) / n_effective
        wanted = 100.0 * credit.var() / max(variance, 1e-300)
        return int(np.clip(wanted, least, most))

    def mean_credit(self, n_tuples, rng, n_jobs):
        """Mean credit of `n_tuples` tuples, and its standard error."""
        n_batches = min(n_tuples, max(_N_BATCHES, -(-n_tuples // _LARGEST_BATCH)))
        sizes = np.diff(np.arange(n_batches + 1) * n_tuples // n_batches)
        seeds = rng.integers(2**63, size=(n_batches, 4))
        pieces = list(zip(sizes, seeds, strict=True))
        sums = np.array(in_threads(self._batch, pieces, n_jobs))
        mean = sums.sum() / n_tuples
        scatter = (sums - mean * sizes).std(ddof=1) * np.sqrt(n_batches) / n_tuples
        # one tuple more or less: no scatter among few tuples is no proof of certainty
        return float(mean), float(np.hypot(scatter, 1.0 / n_tuples))

    def _batch(self, size, seed):
        return self.evaluate(self.draw(size, np.random.default_rng(seed))).sum()


def ordering_sampler(cases, ties):
    """Sampler of tuples of priced cases."""
    rows, tolerance, rule = cases.rows, cases.tolerance, TIES.index(ties)
    # strata of cases that are alike: sorted by what other names would cost
    keys = (part.astype(float).reshape(len(part), -1).sum(axis=1) for part in rows)
    orders = [np.argsort(key, kind="stable") for key in keys]
    weights = [weight[order] for weight, order in zip(cases.weights, orders, strict=True)]
    return TupleSampler(weights, credit_function(rows, tolerance, rule, orders))


def credit_function(rows, tolerance, rule, orders=None):
    """Function from picks, the index of a row in each class, to credits of the tuples.

    With `orders`, picks count the rows of each class in another order.
    """
    if len(rows) == 2:
        if orders is not None:
            rows = [part[order] for part, order in zip(rows, orders, strict=True)]

        def evaluate(picks):
            lead = rows[1][picks[:, 1]] - rows[0][picks[:, 0]]
            tied = np.abs(lead) <= tolerance
            return np.where(tied, (0.5, 0.0, 1.0)[rule], lead > 0)
    else:
        from skvus._kernels.ordering import tuple_credits

        stacked = stack(rows, orders)
        starts = np.cumsum([0, *map(len, rows[:-1])])

        def evaluate(picks):
            return tuple_credits(stacked, picks + starts, tolerance, rule)

    return evaluate


def stack(rows, orders=None):
    """Rows of all classes in one array, those of each class in some order."""
    if orders is None:
        return np.concatenate(rows)
    ends = np.cumsum([len(part) for part in rows])
    stacked = np.empty((ends[-1], rows[0].shape[1]), dtype=rows[0].dtype)
    for part, order, end in zip(rows, orders, ends, strict=True):
        np.take(part, order, axis=0, out=stacked[end - len(part) : end], mode="clip")
    return stacked
