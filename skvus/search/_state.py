"""What a search is between two generations, as arrays and JSON, and back.

All that the rest of the search depends on: members in the order in which the archive keeps
them, their genomes, the source of randomness, counts and logs. Keys of members follow from
their counts, and what is followed of the archive from its members.
"""

from typing import NamedTuple

import numpy as np

from skvus._validation import ROW_SUM_TOLERANCE
from skvus.front._dominance import objective_keys
from skvus.search._archive import Members
from skvus.search._following import COLUMNS

# Classes that are rarer than this are weighed as if they were not.
LEAST_SHARE = 1e-9
GENERATORS = ("PCG64", "PCG64DXSM", "MT19937", "Philox", "SFC64")
_NUMBERS = ("n_evaluations", "n_candidates", "n_left_out", "turn", "n_started")
_WHOLE = {"generation", "evaluations", "size"}  # columns of the log


class State(NamedTuple):
    """Plain data: what JSON holds, and arrays."""

    header: dict
    arrays: dict


def state_of(islands):
    """The state of a search; arrays are copies."""
    evaluate = islands.evaluate
    arrays = {}
    for number, one in enumerate(islands.evolutions):
        parts = _arrays_of(one)
        arrays.update({f"{number}_{name}": np.array(array) for name, array in parts.items()})
    header = {
        "n_generations": islands.n_generations,
        "failures": dict(evaluate.failures),
        "first_failed": evaluate.first_failed,
        "n_fits": evaluate.n_fits,
        "islands": [_header_of(one) for one in islands.evolutions],
    }
    return State(header, arrays)


def restore(islands, state):
    """Put a search that has not begun into a state; a ValueError for what is none of it."""
    header = state.header
    _require(isinstance(header, dict), "its header is incomplete")
    expected = {"n_generations", "failures", "first_failed", "n_fits", "islands"}
    _require(expected <= set(header), "its header is incomplete")
    parts, failures = header["islands"], header["failures"]
    is_list = isinstance(parts, list) and all(isinstance(part, dict) for part in parts)
    _require(is_list and len(parts) == len(islands.evolutions), "it has other islands")
    _require(_is_count(header["n_generations"]), "its number of generations is none")
    _require(_is_count(header["n_fits"]), "its number of fits is none")
    is_counted = isinstance(failures, dict) and all(map(_is_count, failures.values()))
    _require(is_counted, "its failures are no counts")
    _require(isinstance(header["first_failed"], (str, type(None))), "its first failure is none")
    for number, (one, part) in enumerate(zip(islands.evolutions, parts, strict=True)):
        prefix = f"{number}_"
        own = {
            name.removeprefix(prefix): array
            for name, array in state.arrays.items()
            if name.startswith(prefix)
        }
        _restore_one(one, part, own)
    islands.n_generations = header["n_generations"]
    islands.evaluate.failures.update(failures)
    islands.evaluate.first_failed = header["first_failed"]
    islands.evaluate.n_fits = header["n_fits"]


# --- one island -------------------------------------------------------------------


def _header_of(one):
    numbers = {name: int(getattr(one, name)) for name in _NUMBERS}
    return {**numbers, "seconds": one.seconds, "rng": generator_state(one.rng)}


def _arrays_of(one):
    n_genes = one.space.n_genes
    arrays = {"shares": one.shares}
    if len(one.archive):
        members = one.archive.members
        names = ("rates", "counts", "costs", "candidate", "number")
        arrays.update({name: getattr(members, name) for name in names})
    genomes = one.archive.genomes
    arrays["genome_ids"] = np.array(list(genomes), dtype=np.int64)
    arrays["genomes"] = _matrix(genomes.values(), n_genes)
    if one.population is not None:
        arrays["population"] = _matrix(one.population, n_genes)
    if one.shifts is not None:
        arrays["shifts"] = one.shifts
    for name, column in one.columns.items():
        arrays[f"log_{name}"] = np.array(column, dtype=np.int64 if name in _WHOLE else float)
    if one.candidates is not None:
        tried = one.candidates
        arrays["tried_genomes"] = _matrix([row[0] for row in tried], n_genes)
        arrays["tried_generation"] = np.array([row[1] for row in tried], dtype=np.int64)
        arrays["tried_entered"] = np.array([row[2] for row in tried], dtype=np.int64)
        arrays["tried_seconds"] = np.array([row[3] for row in tried], dtype=float)
    return arrays


def _matrix(genomes, n_genes):
    return np.array(list(genomes), dtype=float).reshape(len(genomes), n_genes)


def _restore_one(one, header, arrays):
    n_classes, n_genes = one.cases.n_classes, one.space.n_genes
    _require(all(_is_count(header.get(name)) for name in _NUMBERS), "its counts are none")
    is_time = isinstance(header.get("seconds"), (int, float)) and header["seconds"] >= 0.0
    _require(is_time, "its time is none")
    shares = _array(arrays, "shares", (n_classes,))
    _require((shares >= LEAST_SHARE).all(), "shares are not positive")
    genome_ids = _array(arrays, "genome_ids", (None,), kind="i")
    genomes = _array(arrays, "genomes", (genome_ids.size, n_genes), is_finite=False)
    members = _members_of(one, header, arrays, genome_ids)
    if "population" in arrays:
        shape = (one.n_drawn, n_genes)
        one.population = _array(arrays, "population", shape, is_finite=False).tolist()
    _require(header["n_started"] <= one.n_drawn, "more was tried than there is to start from")
    if "shifts" in arrays:
        n_keys = one.cases.n_classes
        n_keys *= one.cases.n_classes - 1 if one.settings.objectives == "rates" else 1
        one.shifts = _array(arrays, "shifts", (n_keys,), kind="i")
        _require(one.shifts.min() >= 0 and one.shifts.max() < 63, "shifts are out of range")
    n_rows = arrays["log_generation"].shape[:1] if "log_generation" in arrays else (0,)
    for name in COLUMNS:
        column = _array(arrays, f"log_{name}", n_rows, kind="i" if name in _WHOLE else "f")
        one.columns[name] = column.tolist()
    if one.candidates is not None:
        one.candidates = _candidates_of(arrays, n_genes)
    one.rng.bit_generator.state = generator_from(header.get("rng")).bit_generator.state
    for name in _NUMBERS:
        setattr(one, name, header[name])
    one.shares = shares
    one.archive.put(members, dict(zip(genome_ids.tolist(), genomes.tolist(), strict=True)))
    one.resumed(header["seconds"])


def _members_of(one, header, arrays, genome_ids):
    n_classes = one.cases.n_classes
    shape = (None, n_classes, n_classes)
    if "rates" not in arrays:  # nothing was found yet
        empty = np.empty((0, n_classes, n_classes))
        none = np.empty(0, dtype=np.int64)
        return Members(np.empty((0, 1), dtype=np.int64), empty, empty, empty, none, none)
    rates = _array(arrays, "rates", shape)
    m = len(rates)
    is_counted = one.cases.unit_weight is None
    counts = _array(arrays, "counts", rates.shape, kind="i" if is_counted else "f")
    costs = _array(arrays, "costs", rates.shape)
    candidate = _array(arrays, "candidate", (m,), kind="i")
    number = _array(arrays, "number", (m,), kind="i")
    _require(m > 0 and min(rates.min(), counts.min(), costs.min()) >= 0, "it has no rates")
    for name, sums in (("rates", rates.sum(axis=2)), ("costs", costs.sum(axis=(1, 2)))):
        _require(np.abs(sums - 1.0).max() <= ROW_SUM_TOLERANCE, f"{name} do not sum to 1")
    _require(not np.einsum("mkk->mk", costs).any(), "costs have a diagonal")
    totals = counts.sum(axis=2, keepdims=True)
    is_same = (totals == totals[0]).all() or not is_counted
    _require(is_same and (totals > 0).all(), "counts are of other cases")
    differences = np.abs(counts / totals - rates)
    _require(differences.max() <= 2.0 * ROW_SUM_TOLERANCE, "counts and rates differ")
    _require(np.isin(candidate, genome_ids).all(), "genomes are missing")
    n_evaluations = header["n_evaluations"]
    _require(number.min() >= 0 and number.max() < n_evaluations, "its numbers do not fit")
    keys = objective_keys(rates, counts, one.settings.objectives)
    return Members(keys, rates, counts, costs, candidate, number)


def _candidates_of(arrays, n_genes):
    genomes = _array(arrays, "tried_genomes", (None, n_genes), is_finite=False)
    n = len(genomes)
    generation = _array(arrays, "tried_generation", (n,), kind="i")
    entered = _array(arrays, "tried_entered", (n,), kind="i")
    seconds = _array(arrays, "tried_seconds", (n,))
    columns = (genomes.tolist(), generation.tolist(), entered.tolist(), seconds.tolist())
    return list(zip(*columns, strict=True))


# --- randomness -------------------------------------------------------------------


def generator_state(rng):
    """The state of a source of randomness as plain data."""
    return _plain(rng.bit_generator.state)


def generator_from(state):
    """A source of randomness in a state; a ValueError for what is none."""
    name = state.get("bit_generator") if isinstance(state, dict) else None
    _require(name in GENERATORS, "its source of randomness is unknown")
    bits = getattr(np.random, name)()
    try:
        bits.state = state
    except (TypeError, ValueError, KeyError, OverflowError, AttributeError) as error:
        raise ValueError("its source of randomness has no such state.") from error
    return np.random.Generator(bits)


def _plain(value):
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return value.tolist() if isinstance(value, (np.ndarray, np.generic)) else value


# --- checks -----------------------------------------------------------------------


def _array(arrays, name, shape, kind="f", is_finite=True):
    _require(name in arrays, f"{name} is missing")
    array = arrays[name]
    dtype = np.float64 if kind == "f" else np.int64
    fits = array.ndim == len(shape) and all(
        wanted in (None, n) for wanted, n in zip(shape, array.shape, strict=True)
    )
    _require(fits and array.dtype == dtype, f"{name} has shape {array.shape}")
    _require(not is_finite or np.isfinite(array).all(), f"{name} is not finite")
    return array


def _is_count(value):
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**63


def _require(condition, what):
    if not condition:
        raise ValueError(f"{what}.")
