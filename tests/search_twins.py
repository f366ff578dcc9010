"""Slow, obvious counterparts of the search for a front: archive, selection, Algorithm 1.

A point is a tuple of numbers, all of which are to be small.
"""

from fractions import Fraction
from math import floor

from front_twins import confusion, dominates, rates_of, weakly_dominates

from skvus._validation import check_generator

# --- archive ----------------------------------------------------------------------


def inserted(archive, new, point_of=lambda member: member):
    """Lines 9 to 11: E with θ' in it, unless θ' ⪯ φ for some φ; without what θ' dominates."""
    point = point_of(new)
    if any(weakly_dominates(point_of(member), point) for member in archive):
        return archive
    return [member for member in archive if not dominates(point, point_of(member))] + [new]


def archive_of(points, archive=(), point_of=lambda member: member):
    """The archive after all points were offered in turn."""
    archive = list(archive)
    for point in points:
        archive = inserted(archive, point, point_of)
    return archive


# --- selection --------------------------------------------------------------------


def van_der_corput(number):
    """Binary digits read backwards, behind the point: 1 = 1 to 1/2, 6 = 110 to 0.011 = 3/8."""
    digits = f"{number:b}"
    return Fraction(int(digits[::-1], 2), 2 ** len(digits))


def parts_of(points, objective, n_bins=50):
    """Occupied parts of the range of an objective, in order, each a list of points by entry.

    The range of whole numbers from the least to the largest is cut into parts of equal width.
    """
    low = min(point[objective] for point in points)
    high = max(point[objective] for point in points)
    width = Fraction(high + 1 - low, n_bins)
    parts = [[] for _ in range(n_bins)]
    for point in points:
        parts[floor((point[objective] - low) / width)].append(point)
    return [part for part in parts if part]


def partitioned_choice(points, turn, rng, n_bins=50):
    """The objectives take turns; van der Corput's numbers choose a part, chance a point."""
    n_objectives = len(points[0])
    parts = parts_of(points, turn % n_objectives, n_bins)
    number = van_der_corput(turn // n_objectives + 1)
    part = parts[floor(number * len(parts))]
    return part[rng.integers(len(part))]


# --- steps ------------------------------------------------------------------------


def reflect(value, low, high):
    """The end of a walk to `value` that turns round at `low` and `high`."""
    if low == high:
        return low
    while not low <= value <= high:
        if value < low:
            value = 2 * low - value
        if value > high:
            value = 2 * high - value
    return value


def drawn_costs(rng, n_classes):
    """A cost matrix from a flat Dirichlet distribution."""
    values = iter(rng.dirichlet([1.0] * (n_classes * (n_classes - 1))).tolist())
    return [
        [0.0 if j == k else next(values) for j in range(n_classes)] for k in range(n_classes)
    ]


def is_list(values):
    return isinstance(values, list)


def is_whole(distribution):
    """Whether all values are whole: a discrete distribution has probabilities, no density."""
    return not hasattr(distribution.dist, "pdf")


def drawn_genome(rng, distributions):
    """A number in [0, 1) for a list, the value itself for a distribution."""
    genome = {}
    for name, values in distributions.items():
        u = rng.random()
        genome[name] = u if is_list(values) else float(values.ppf(u))
    return genome


def perturbed_genome(rng, genome, distributions, step):
    """Laplace steps, mirrored into the support; a value of a list is drawn anew."""
    child = {}
    for name, values in distributions.items():
        if is_list(values):
            child[name] = rng.random()
        else:
            low, high = (float(end) for end in values.support())
            child[name] = reflect(genome[name] + rng.laplace(0.0, step), low, high)
    return child


def params_of(genome, distributions):
    """Parameters of a genome: whole where the distribution is."""
    params = {}
    for name, values in distributions.items():
        number = genome[name]
        if is_list(values):
            params[name] = values[floor(number * len(values))]
        else:
            params[name] = round(number) if is_whole(values) else number
    return params


# --- Algorithm 1 ------------------------------------------------------------------


def algorithm_one(X, y, distributions, T, n_costs, n_initial, step, seed, posteriors):
    """Members (params, costs, counts) and the size of the archive after each generation.

    ``posteriors(X, y, params)`` fits a classifier and returns the posteriors of the cases.
    """
    rng = check_generator(seed)
    first = [drawn_genome(rng, distributions) for _ in range(n_initial)]
    archive, sizes = evolved(
        rng,
        y,
        [(genome, 1) for genome in first],  # one random cost matrix for each
        lambda genome: perturbed_genome(rng, genome, distributions, step),
        lambda genome: posteriors(X, y, params_of(genome, distributions)),
        T,
        n_costs,
    )
    members = [(params_of(genome, distributions), cost, c) for genome, cost, c in archive]
    return members, sizes


def algorithm_one_of_weights(X, y, n_weights, T, n_costs, n_initial, step, seed, posteriors):
    """The same for weights: it starts from the fitted ones, with several random costs.

    ``posteriors(X, y, displacement)`` are those of the classifier with displaced weights.
    """
    rng = check_generator(seed)
    rng.integers(2**31)  # the seed of the fit
    return evolved(
        rng,
        y,
        [([0.0] * n_weights, n_initial)],
        lambda genome: [weight + rng.laplace(0.0, step) for weight in genome],
        lambda genome: posteriors(X, y, genome),
        T,
        n_costs,
    )


def evolved(rng, y, first, perturb, evaluate, T, n_costs):
    """Algorithm 1, line by line; `first` are pairs of parameters and a number of costs."""
    n_classes = max(y) + 1

    def point_of(theta):
        return rates_of(theta[2])

    def offered(E, w, n):
        p = evaluate(w)
        for _ in range(n):  # 5
            cost = drawn_costs(rng, n_classes)  # 6
            C = confusion(y, p, cost)  # 7
            theta = (w, cost, C)  # 8
            E = inserted(E, theta, point_of)  # 9, 10, 11
        return E

    E = []  # 1
    for w, n in first:
        E = offered(E, w, n)
    sizes = [len(E)]
    for t in range(T):  # 2
        chosen = partitioned_choice([point_of(theta) for theta in E], t, rng)
        (w,) = (theta[0] for theta in E if point_of(theta) == chosen)  # 3
        E = offered(E, perturb(w), n_costs)  # 4
        sizes.append(len(E))
    return E, sizes
