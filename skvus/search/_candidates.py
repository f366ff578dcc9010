"""What is evolved beside costs: nothing, hyperparameters, or fitted weights.

A genome is a list of floats. A space draws genomes, takes steps from them and tells what they
stand for.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from scipy.stats import rv_continuous, rv_discrete, rv_histogram

from skvus._validation import did_you_mean, nearest, shorten
from skvus.search._proposals import reflected

_OTHER_SET = 0.1  # how often a step leads to another set of parameters
_PROBES = 16  # values that tell distributions apart
_FAR = 1e300  # displacements beyond it are not numbers any more


def _checked_genome(genome, n_genes, what):
    try:
        numbers = np.asarray(genome, dtype=float)
        is_right = numbers.shape == (n_genes,) and np.isfinite(numbers).all()
    except (TypeError, ValueError):
        is_right = False
    if not is_right:
        raise ValueError(
            f"mutate of toolbox must return an individual of {n_genes} finite numbers, one for "
            f"each {what}; got {shorten(genome)}."
        )
    return numbers.tolist()


class CostSpace:
    """Nothing but costs."""

    n_genes = 0
    is_drawn = False

    def draw(self, rng):
        """A random genome."""
        return []

    def step(self, rng, genome):
        """A genome nearby."""
        return list(genome)

    def repaired(self, genome):
        """The same genome within its bounds."""
        return list(genome)

    def params(self, genome):
        """What a genome stands for, by name."""
        return {}


class WeightSpace:
    """Displacements of fitted weights, in units of their size or in their own.

    Parameters
    ----------
    n_weights : int
    step : float
        Laplace scale.
    """

    is_drawn = False

    def __init__(self, n_weights, step):
        self.n_genes = n_weights
        self.size = step

    def draw(self, rng):
        """The fitted weights themselves: random ones would be far from any front."""
        return np.zeros(self.n_genes).tolist()

    def step(self, rng, genome):
        """A genome with every weight displaced."""
        steps = rng.laplace(0.0, min(self.size, _FAR), size=self.n_genes)
        return np.clip(np.asarray(genome, dtype=float) + steps, -_FAR, _FAR).tolist()

    def repaired(self, genome):
        """The same genome: weights have no bounds."""
        return _checked_genome(genome, self.n_genes, "weight")

    def params(self, genome):
        """The displacement as an array."""
        return {"weight_step": np.asarray(genome, dtype=float)}


class ParamSpace:
    """Hyperparameters with a distribution or a list of values each.

    Parameters
    ----------
    distributions : dict
        Values or distribution of each parameter.
    step : float
        Laplace scale.
    step_scale : {"relative", "absolute"}
        Whether steps are taken in quantiles or in the parameter's own scale.
    """

    is_drawn = True

    def __init__(self, distributions, step, step_scale):
        self.genes = {
            name: make_gene(name, values, step_scale) for name, values in distributions.items()
        }
        self.n_genes = len(self.genes)
        self.size = step

    def draw(self, rng):
        """A random genome, parameter by parameter."""
        return [gene.draw(rng) for gene in self.genes.values()]

    def step(self, rng, genome):
        """A genome with a step in each parameter."""
        pairs = zip(self.genes.values(), genome, strict=True)
        return [gene.step(rng, value, self.size) for gene, value in pairs]

    def repaired(self, genome):
        """The same genome within its bounds."""
        genome = _checked_genome(genome, self.n_genes, "parameter")
        pairs = zip(self.genes.values(), genome, strict=True)
        return [gene.inside(value) for gene, value in pairs]

    def params(self, genome):
        """Parameters by name."""
        pairs = zip(self.genes.items(), genome, strict=True)
        return {name: gene.value(number) for (name, gene), number in pairs}

    def identity(self, rng):
        """What tells it from other spaces: values of lists, and some of distributions."""
        return {name: gene.identity(rng) for name, gene in self.genes.items()}

    def key(self, genome, params):
        """The same for genomes with the same parameters."""
        pairs = zip(self.genes.values(), genome, params.values(), strict=True)
        return tuple(gene.key(number, value) for gene, number, value in pairs)


class ParamSpaces:
    """Several sets of hyperparameters, of which a candidate has one.

    A genome is the place of the set, as in a list of values, and the genes of all sets.

    Parameters
    ----------
    spaces : list of ParamSpace
    """

    is_drawn = True

    def __init__(self, spaces):
        self.spaces = spaces
        self.which = Choice(range(len(spaces)))
        self.n_genes = 1 + sum(space.n_genes for space in spaces)

    def draw(self, rng):
        """A random genome: the sets have equal chances."""
        place = self.which.draw(rng)
        return [place, *(number for space in self.spaces for number in space.draw(rng))]

    def step(self, rng, genome):
        """A genome with a step in each parameter of its set, now and then of another set."""
        place, *_ = genome
        if rng.random() < _OTHER_SET:
            place = self.which.step(rng, place, 0.0)
        parts = self._parts(genome)
        own = self.which.number_of(place)
        parts[own] = self.spaces[own].step(rng, parts[own])
        return [place, *(number for part in parts for number in part)]

    def repaired(self, genome):
        """The same genome within its bounds."""
        genome = _checked_genome(genome, self.n_genes, "parameter")
        pairs = zip(self.spaces, self._parts(genome), strict=True)
        inside = [number for space, part in pairs for number in space.repaired(part)]
        return [self.which.inside(genome[0]), *inside]

    def params(self, genome):
        """Parameters of its set by name."""
        own = self.which.number_of(genome[0])
        return self.spaces[own].params(self._parts(genome)[own])

    def identity(self, rng):
        """What tells it from other spaces."""
        return [space.identity(rng) for space in self.spaces]

    def key(self, genome, params):
        """The same for genomes with the same parameters."""
        own = self.which.number_of(genome[0])
        return own, *self.spaces[own].key(self._parts(genome)[own], params)

    def _parts(self, genome):
        ends = 1 + np.cumsum([space.n_genes for space in self.spaces])
        pairs = zip(self.spaces, ends, strict=True)
        return [list(genome[end - space.n_genes : end]) for space, end in pairs]


class Choice:
    """One of some values, whose place is a number in [0, 1); steps draw anew."""

    def __init__(self, values):
        self.values = values

    def draw(self, rng):
        """A random place."""
        return float(rng.random())

    def step(self, rng, place, size):
        """Another random place."""
        return float(rng.random())

    def inside(self, place):
        """The place, mirrored into [0, 1]."""
        return float(reflected(place, 0.0, 1.0))

    def number_of(self, place):
        """Number of the value."""
        return min(int(place * len(self.values)), len(self.values) - 1)

    def value(self, place):
        """The value at a place."""
        return self.values[self.number_of(place)]

    def key(self, place, value):
        """Number of the value: values need not be comparable."""
        return self.number_of(place)

    def identity(self, rng):
        """What tells it from other genes: all values."""
        return list(self.values)


class Sampler(Choice):
    """A source of values that has no quantiles; the place seeds it."""

    def identity(self, rng):
        """What tells it from other genes: some values."""
        return _some_values(self, rng)

    def value(self, place):
        """The value that the place leads to."""
        state = np.random.RandomState(int(place * (2**32 - 1)))
        return _plain(self.values.rvs(random_state=state))

    def key(self, place, value):
        """The place itself: values need not be comparable."""
        return place


class Quantile(Choice):
    """A distribution, by the quantile in [0, 1]."""

    # the ends of a distribution without bounds are infinite
    _LEAST = 1e-12

    def __init__(self, distribution):
        super().__init__(distribution)
        self.is_whole = _is_discrete(distribution)

    def identity(self, rng):
        """What tells it from other genes: some values."""
        return _some_values(self, rng)

    def step(self, rng, place, size):
        """A quantile at a Laplace step, mirrored into [0, 1]."""
        return self.inside(place + rng.laplace(0.0, size))

    def key(self, place, value):
        """The value itself."""
        return value

    def value(self, place):
        """The value of a quantile."""
        place = min(max(place, self._LEAST), 1.0 - self._LEAST)
        return _plain(_quantile(self.values, place), is_whole=self.is_whole)


class OwnScale:
    """A distribution that is drawn from, with steps in the parameter's own scale."""

    def __init__(self, distribution):
        self.distribution = distribution
        self.is_whole = _is_discrete(distribution)
        self.low, self.high = map(float, distribution.support())

    def draw(self, rng):
        """A random value, by its quantile."""
        return float(_quantile(self.distribution, rng.random()))

    def identity(self, rng):
        """What tells it from other genes: some values."""
        return _some_values(self, rng)

    def step(self, rng, number, size):
        """A value at a Laplace step, mirrored at the ends of the support."""
        return self.inside(number + rng.laplace(0.0, size))

    def inside(self, number):
        """The value, mirrored at the ends of the support."""
        return float(reflected(number, self.low, self.high))

    def key(self, number, value):
        """The value itself."""
        return value

    def value(self, number):
        """The value as a parameter; whole where the distribution is."""
        return _plain(np.rint(number) if self.is_whole else number, is_whole=self.is_whole)


def _some_values(gene, rng):
    """Values of a distribution: the object itself holds sources of randomness, which change."""
    return [gene.value(gene.draw(rng)) for _ in range(_PROBES)]


def make_gene(name, values, step_scale):
    """How a parameter is drawn and varied.

    Raises
    ------
    TypeError
        For what is neither a list of values nor a distribution with its parameters.
    """
    is_free = isinstance(values, (rv_continuous, rv_discrete)) or (
        isinstance(values, type) and hasattr(values, "icdf")
    )
    if is_free and not isinstance(values, rv_histogram):
        raise TypeError(
            f"param_distributions[{name!r}] must be a frozen distribution, such as "
            f"scipy.stats.{getattr(values, 'name', 'uniform')}(...) with its parameters; got "
            f"the distribution itself, {shorten(values)}."
        )
    if hasattr(values, "rvs") or hasattr(values, "icdf"):
        has_quantiles = hasattr(values, "ppf") or hasattr(values, "icdf")
        if not has_quantiles:
            return Sampler(values)
        median = np.asarray(_quantile(values, 0.5))
        if median.ndim or not np.isfinite(median):
            raise ValueError(
                f"param_distributions[{name!r}] must be a distribution of single numbers with "
                f"valid parameters; its median is {shorten(median.tolist())}."
            )
        if step_scale == "absolute" and hasattr(values, "support"):
            return OwnScale(values)
        return Quantile(values)
    is_list = isinstance(values, (Sequence, np.ndarray)) and not isinstance(
        values, (str, bytes)
    )
    if not is_list or getattr(values, "ndim", 1) == 0 or len(values) == 0:
        raise TypeError(
            f"param_distributions[{name!r}] must be a list of values, not empty, or a frozen "
            f"distribution of scipy.stats; got {shorten(values)}."
        )
    return Choice([_plain(value) for value in values])


def make_param_space(distributions, estimator, step, step_scale):
    """What is evolved, from the distributions that a user gave.

    Raises
    ------
    TypeError, ValueError
        For distributions that are no dict or list of such, or of parameters that there are not.
    """
    is_list = isinstance(distributions, (list, tuple))
    sets = list(distributions) if is_list else [distributions]
    if not sets or not all(isinstance(one, Mapping) and one for one in sets):
        raise TypeError(
            "param_distributions must be a dict that maps names of parameters to lists of "
            "values or distributions, at least one, or a list of such dicts; got "
            f"{shorten(distributions)}."
        )
    known = estimator.get_params(deep=True)
    for name, own_set in [(name, one) for one in sets for name in one]:
        # parameters of a part that is varied itself are known when it is there
        is_of_a_part = any(name.startswith(f"{part}__") for part in own_set)
        if name not in known and not is_of_a_part:
            raise ValueError(
                f"param_distributions must name parameters of estimator; {name!r} is none of "
                f"{type(estimator).__name__}.{_parameter_meant(name, known)} They are: "
                f"{', '.join(sorted(known))}."
            )
    spaces = [ParamSpace(one, step, step_scale) for one in sets]
    return ParamSpaces(spaces) if is_list else spaces[0]


def _parameter_meant(name, known):
    """A suggestion for what is misspelt, or is a parameter of a part."""
    part, _, own_name = str(name).rpartition("__")
    of_part = {k.rpartition("__")[2]: k for k in known if k.rpartition("__")[0] == part}
    if part and of_part:
        near = nearest(own_name, of_part)
        return "" if near is None else f" Did you mean {of_part[near]!r}?"
    for ending in (f"__{name}", f"__{own_name}"):
        parts = [other for other in known if other.endswith(ending)]
        if len(parts) == 1:
            return f" Did you mean {parts[0]!r}?"
    return did_you_mean(name, known, repr)


def _quantile(distribution, place):
    """By the name that old or new distributions of scipy have for it."""
    return (getattr(distribution, "ppf", None) or distribution.icdf)(place)


def _is_discrete(distribution):
    """Whether single values have a probability: then they are whole numbers."""
    if not hasattr(distribution, "pmf"):
        return False
    return bool(distribution.pmf(_quantile(distribution, 0.5)) > 0.0)


def _plain(value, is_whole=False):
    """Numbers of numpy as those of Python; discrete distributions have whole values."""
    if isinstance(value, np.generic) or (isinstance(value, np.ndarray) and value.ndim == 0):
        value = value.item()
    return int(value) if is_whole else value
