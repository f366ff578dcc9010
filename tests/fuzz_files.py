"""A fuzzer of file loaders: bytes are damaged, archives are forged with a fitting checksum.

A loader is added with `register_loader`; its files must be archives of `skvus._files`.
"""

import hashlib
import io
import json
import os
import random
import shutil
import tempfile
import tracemalloc
import warnings
import zipfile
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from fuzz_oracle import FuzzError, time_limit
from sklearn.naive_bayes import GaussianNB

import skvus

HEADER = "header.json"
NUMBERS = (0, 1, -1, 0.5, 1e308, -0.0, 2**31, 2**63, 2**64, 10**30, True, None)
VALUES = (*NUMBERS, "", "rates", "nan", "\ud800", [], {}, [[]], {"$array": "AAAA"}, [None] * 9)
# a loader may take this much memory: a little, and some copies of the file
FEW_BYTES, COPIES = 8 * 2**20, 20


class Loader(NamedTuple):
    """A function that reads files: how files come about, and what must hold of the result."""

    name: str
    load: Callable  # of a path
    samples: tuple  # contents of good files
    check: Callable  # of what was loaded


LOADERS = {}


def register_loader(name, load, save, objects, check):
    """Add a loader of what ``save(object, path)`` writes for each of `objects`."""
    samples = []
    for item in objects:
        with tempfile.TemporaryDirectory(dir=_folder()) as folder:
            path = os.path.join(folder, "sample")
            save(item, path)
            with open(path, "rb") as file:
                samples.append(file.read())
    LOADERS[name] = Loader(name, load, tuple(samples), check)


def _folder():
    from fuzz_parameters import FOLDER

    return FOLDER.name


# --- damage: whatever happens to bytes --------------------------------------------


def _span(data, rng):
    start = rng.randrange(len(data) + 1)
    return start, min(len(data), start + rng.choice((1, 1, 2, 8, 64, 1000)))


def flip(data, rng, others):
    place = rng.randrange(len(data))
    return data[:place] + bytes([data[place] ^ (1 << rng.randrange(8))]) + data[place + 1 :]


def overwrite(data, rng, others):
    start, stop = _span(data, rng)
    return data[:start] + rng.randbytes(stop - start) + data[stop:]


def insert(data, rng, others):
    start, stop = _span(data, rng)
    return data[:start] + rng.randbytes(stop - start) + data[start:]


def delete(data, rng, others):
    start, stop = _span(data, rng)
    return data[:start] + data[stop:]


def truncate(data, rng, others):
    return data[: rng.randrange(len(data) + 1)]


def repeat(data, rng, others):
    start, stop = _span(data, rng)
    return data[:stop] + data[start:stop] * rng.choice((1, 2, 50)) + data[stop:]


def splice(data, rng, others):
    other = rng.choice(others)
    return data[: rng.randrange(len(data) + 1)] + other[rng.randrange(len(other)) :]


def whole_numbers(data, rng, others):
    """Sizes and offsets that lie."""
    value = rng.choice((0, 1, 2**16 - 1, 2**31, 2**32 - 1, 2**64 - 1)).to_bytes(8, "little")
    start = rng.randrange(len(data))
    width = rng.choice((2, 4, 8))
    return data[:start] + value[:width] + data[start + width :]


DAMAGE = (flip, overwrite, insert, delete, truncate, repeat, splice, whole_numbers)

# --- forgery: the checksum fits, the contents do not ------------------------------


def taken_apart(data):
    """The head and the parts of an archive."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    head = json.loads(parts.pop(HEADER))
    return head, {name.removesuffix(".npy"): part for name, part in parts.items()}


def put_together(head, parts, *, more=(), compression=zipfile.ZIP_STORED):
    """An archive with a fitting checksum."""
    digest = hashlib.sha256(json.dumps(head.get("header"), sort_keys=True).encode())
    for name in sorted(parts):
        digest.update(f"\n{name} {len(parts[name])}\n".encode() + parts[name])
    head = {**head, "checksum": digest.hexdigest()}
    buffer = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(buffer, "w", compression) as archive:
        warnings.simplefilter("ignore")  # that a name is there already
        archive.writestr(HEADER, json.dumps(head))
        for name, part in (*((f"{name}.npy", part) for name, part in parts.items()), *more):
            archive.writestr(name, part)
    return buffer.getvalue()


def change_head(head, parts, rng):
    head = json.loads(json.dumps(head))
    place, key = head, rng.choice(list(head))
    while isinstance(place[key], (dict, list)) and place[key] and rng.random() < 0.8:
        place = place[key]
        key = rng.choice(list(place) if isinstance(place, dict) else range(len(place)))
    place[key] = rng.choice(VALUES)
    return put_together(head, parts)


def change_part(head, parts, rng):
    name = rng.choice(list(parts))
    array = np.load(io.BytesIO(parts[name]))
    return put_together(head, {**parts, name: npy(_changed(array, rng))})


def _changed(array, rng):
    array = array.copy()
    kind = rng.choice(("entry", "entry", "type", "shape", "less", "none", "order", "same"))
    if kind == "entry" and array.size and array.dtype.kind in "fiu":
        value = rng.choice((np.nan, np.inf, -1, 0, 1, 5e-324, 1e308, 0.5))
        with np.errstate(all="ignore"):
            array.flat[rng.randrange(array.size)] = np.array(value).astype(array.dtype)
    if kind == "type" and array.dtype.kind in "fiu":
        types = ("f4", "f2", "i8", "u1", ">f8", "c16", "U9", "?", "S3")
        with np.errstate(all="ignore"):
            return array.astype(rng.choice(types))
    if kind == "shape":
        return array.reshape(rng.choice(((-1,), (1, *array.shape), (*array.shape, 1))))
    if kind in ("less", "none"):
        return array[:-1] if kind == "less" else array[:0]
    if kind == "order":
        return np.asfortranarray(array[::-1])
    return np.repeat(array, 2, axis=0) if kind == "same" else array


def npy(array):
    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, array, allow_pickle=False)
    return buffer.getvalue()


DESCRIPTIONS = (
    "{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000,), }",
    "{'descr': '|O', 'fortran_order': False, 'shape': (1,), }",
    "{'descr': '<f8', 'fortran_order': False, 'shape': (-1,), }",
    "{'descr': '<f8', 'fortran_order': True, 'shape': (2, 3, 3), }",
    "{'descr': '<U1000000000', 'fortran_order': False, 'shape': (1,), }",
    "{'descr': '<f8', 'fortran_order': False, 'shape': (0, 99999999999999999999), }",
    "{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,), }",
    "{'descr': '<V8', 'fortran_order': False, 'shape': (1,), }",
    "{'descr': '<f8', 'fortran_order': False, 'shape': (" + "1," * 200 + "), }",
    "__import__('os').getcwd()",
    "[" * 5000,
)


def hostile_npy(head, parts, rng):
    text = rng.choice(DESCRIPTIONS).encode().ljust(118) + b"\n"
    version, width = rng.choice(((b"\x01\x00", 2), (b"\x02\x00", 4), (b"\x09\x00", 2)))
    data = b"\x93NUMPY" + version + len(text).to_bytes(width, "little") + text
    data += rng.randbytes(rng.choice((0, 8, 144)))
    return put_together(head, {**parts, rng.choice(list(parts)): data})


def damaged_part(head, parts, rng):
    name = rng.choice(list(parts))
    part = rng.choice(DAMAGE)(parts[name], rng, list(parts.values()))
    return put_together(head, {**parts, name: part})


def other_parts(head, parts, rng):
    """Arrays under each other's names, missing ones, foreign ones."""
    parts, (a, b) = dict(parts), rng.sample(list(parts), 2)
    kind = rng.randrange(3)
    if kind == 0:
        parts[a], parts[b] = parts[b], parts[a]
    elif kind == 1:
        del parts[a]
    else:
        parts[rng.choice(("x", "../x", "a" * 300, "\x00", "header.json"))] = parts[a]
    return put_together(head, parts)


def repeated_entry(head, parts, rng):
    name = rng.choice([HEADER, *(f"{part}.npy" for part in parts)])
    return put_together(head, parts, more=[(name, rng.randbytes(20))])


def bomb(head, parts, rng):
    """Much from little: entries of zeros, compressed."""
    compression = rng.choice((zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA))
    # those that take long to compress bomb less
    zeros = npy(np.zeros(2**21 if compression == zipfile.ZIP_DEFLATED else 2**12))
    if rng.random() < 0.5:
        parts = {**parts, rng.choice(list(parts)): zeros}
    return put_together(head, parts, more=[("bomb.npy", zeros)], compression=compression)


def deep_header(head, parts, rng):
    depth = rng.choice((50, 500, 5000))
    value = 0
    for _ in range(min(depth, 300)):
        value = [value] if rng.random() < 0.5 else {"a": value}
    data = put_together({**head, "header": value}, parts)
    # deeper than json itself can write
    return data.replace(b"0", b"[" * depth, 1) if depth > 300 else data


FORGERIES = (
    change_head,
    change_head,
    change_part,
    change_part,
    damaged_part,
    hostile_npy,
    other_parts,
    repeated_entry,
    bomb,
    deep_header,
)

# --- cases ------------------------------------------------------------------------


class FileCase(NamedTuple):
    """A damaged file: which sample, and the seeds of what was done to it."""

    loader: Loader
    sample: int
    steps: tuple  # of seeds

    def data(self):
        """Bytes of the file, and what was done."""
        data, done = self.loader.samples[self.sample], []
        for step in self.steps:
            rng = random.Random(step)
            change = rng.choice(DAMAGE + FORGERIES)
            try:
                if change in DAMAGE:
                    data = change(data, rng, self.loader.samples)
                else:
                    data = change(*taken_apart(data), rng)
            except Exception:
                continue  # it is no archive any more, or not of this kind
            done.append(change.__name__)
        return data, done


def draw_case(name, seed):
    """A case of a loader; the same for the same seed."""
    rng, loader = random.Random(f"{name} {seed}"), LOADERS[name]
    n_steps = rng.choice((1, 1, 1, 2, 3))
    steps = tuple(rng.randrange(2**32) for _ in range(n_steps))
    return FileCase(loader, rng.randrange(len(loader.samples)), steps)


def run_file_case(case):
    """Load a damaged file; return the name of the outcome or raise a `FuzzError`."""
    data, done = case.data()
    path = os.path.join(_folder(), "case")
    with open(path, "wb") as file:
        file.write(data)
    text = f"{case.loader.name}, sample {case.sample}, steps {case.steps} ({', '.join(done)})"
    outcome = "returned"
    tracemalloc.start()
    try:
        with time_limit(), warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            loaded = case.loader.load(path)
            for warning in caught:
                raise FuzzError(f"{text}: {warning.message}", (case.loader.name, "warning"))
    except FuzzError:
        raise
    except (ValueError, OSError) as error:
        outcome = type(error).__name__
        if not str(error).strip():
            raise FuzzError(f"{text}: empty message", (case.loader.name, "empty")) from error
    except Exception as error:
        kind = type(error).__name__
        raise FuzzError(f"{text}: {kind}: {error}", (case.loader.name, kind)) from error
    finally:
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    if peak > FEW_BYTES + COPIES * len(data):
        what = f"{text}: {peak:,} bytes of memory for a file of {len(data):,}"
        raise FuzzError(what, (case.loader.name, "memory"))
    if outcome == "returned":
        try:
            case.loader.check(loaded)
        except Exception as error:
            what = f"{text}: what was loaded cannot be used: {type(error).__name__}: {error}"
            raise FuzzError(what, (case.loader.name, "use", str(error)[:40])) from error
    return outcome


def smaller(case):
    """A case that fails with fewer steps, if there is one."""
    for i in range(len(case.steps)):
        fewer = case._replace(steps=case.steps[:i] + case.steps[i + 1 :])
        try:
            run_file_case(fewer)
        except FuzzError:
            return smaller(fewer)
    return case


# --- the loaders ------------------------------------------------------------------


def _fronts():
    rng = np.random.default_rng(0)
    y, proba = np.arange(24) % 3, rng.dirichlet(np.ones(3), 24)
    drawn = skvus.ROCFront.from_predictions(y, proba, n_costs=20, random_state=0)
    params = [
        {"a": 1, "b": [np.arange(3), (None, float("nan"))], "c": "ü"},
        {"a": 0.5, "d": {"e": np.array(["x", "yy"])}},
    ]
    rates = [[[0.9, 0.1], [0.4, 0.6]], [[0.5, 0.5], [0.1, 0.9]]]
    named = skvus.ROCFront.from_rates(rates, classes=["no", "yes"], params=params)
    weighted = skvus.ROCFront.from_predictions(
        y, proba, n_costs=20, random_state=0, sample_weight=rng.random(24)
    )
    return drawn, named, weighted.miss_rate_front()


def _check_front(front):
    """What was loaded is a front: it can be used, and saved again."""
    repr(front)
    front.select()
    path = os.path.join(_folder(), "again")
    front.save(path)
    again = skvus.ROCFront.load(path)
    if again.rates.tobytes() != front.rates.tobytes():
        raise FuzzError("a front comes back as another one", ("ROCFront.load", "another"))


register_loader(
    "files of ROCFront", skvus.ROCFront.load, skvus.ROCFront.save, _fronts(), _check_front
)


def _search(path, n_generations):
    data = skvus.datasets.make_ripley_mixture(30, random_state=0)
    search = skvus.ParetoROCSearch(
        GaussianNB(),
        n_generations=n_generations,
        n_costs=5,
        n_initial=5,
        cv=2,
        random_state=0,
        checkpoint=path,
        checkpoint_every=1,
    )
    return search.fit(*data)


def _go_on(path):
    """Go on from a checkpoint; what that writes goes elsewhere."""
    with tempfile.TemporaryDirectory(dir=_folder()) as folder:
        return _search(shutil.copy(path, folder), 3)


register_loader(
    "files of ParetoROCSearch",
    _go_on,
    lambda n_generations, path: _search(path, n_generations),
    [1, 3],
    lambda search: _check_front(search.front_),
)
