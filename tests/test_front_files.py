"""Files of fronts: what is saved comes back bit by bit, and nothing else is taken for one."""

import copy
import hashlib
import io
import json
import os
import pathlib
import pickle
import stat
import struct
import subprocess
import sys
import threading
import time
import zipfile
import zlib
from base64 import b64encode

import numpy as np
import pytest
from strategies import softmax_data

from skvus import ROCFront

ARRAYS = ("rates", "counts", "costs", "classes", "priors", "class_sizes")
NAN = float("nan")


def drawn_front(n_classes, seed=0, classes=None, weighted=False, **options):
    y, proba = softmax_data(range(4, 4 + n_classes), seed=seed)
    weight = np.random.default_rng(seed).random(y.size) if weighted else None
    labels = None if classes is None else classes
    y = y if classes is None else np.asarray(classes)[y]
    options = {"n_costs": 60, "random_state": seed, **options}
    return ROCFront.from_predictions(y, proba, labels=labels, sample_weight=weight, **options)


def bare_front(n_members=4, n_classes=3, **options):
    """Members of equal sums of rates, so that none dominates another."""
    errors = np.random.default_rng(0).dirichlet(np.ones(n_classes * (n_classes - 1)), n_members)
    rates = np.zeros((n_members, n_classes, n_classes))
    rates[:, ~np.eye(n_classes, dtype=bool)] = errors
    rates[:, np.arange(n_classes), np.arange(n_classes)] = 1.0 - rates.sum(axis=2)
    return ROCFront.from_rates(rates, **options)


def assert_same_front(ours, theirs):
    for name in ARRAYS:
        a, b = getattr(ours, name), getattr(theirs, name)
        if a is None or b is None:
            assert a is b is None, name
            continue
        assert (a.dtype, a.shape, a.tobytes()) == (b.dtype, b.shape, b.tobytes()), name
        assert not b.flags.writeable
    assert ours.objectives == theirs.objectives
    assert_same_data(ours.params, theirs.params)


def assert_same_data(a, b):
    assert type(a) is type(b)
    if isinstance(a, dict):
        assert list(a) == list(b)
        assert_same_data(list(a.values()), list(b.values()))
    elif isinstance(a, (list, tuple)):
        assert len(a) == len(b)
        for i, j in zip(a, b, strict=True):
            assert_same_data(i, j)
    elif isinstance(a, np.ndarray):
        assert (a.dtype, a.shape, a.tobytes()) == (b.dtype, b.shape, b.tobytes())
    elif isinstance(a, float):
        assert struct.pack("d", a) == struct.pack("d", b)
    else:
        assert a == b


def round_trip(front, folder):
    path = folder / "trip.front"
    front.save(path)
    return ROCFront.load(path)


# --- there and back ---------------------------------------------------------------


@pytest.mark.parametrize("n_classes", [2, 3, 4, 5])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("objectives", ["rates", "miss_rates", "false_alarms"])
def test_round_trip(tmp_path, n_classes, weighted, objectives):
    for seed in range(3):
        front = drawn_front(n_classes, seed, weighted=weighted, objectives=objectives)
        loaded = round_trip(front, tmp_path)
        assert_same_front(front, loaded)
        assert repr(loaded) == repr(front)
        assert loaded.gini(random_state=0) == front.gini(random_state=0)
        assert_same_front(front, round_trip(loaded, tmp_path))


LABELS = {
    "text": ["well", "ill", "dead"],
    "hostile text": ["<b>", "\n", "$tuple"],
    "beyond ASCII": ["Zürich", "北京", "🙂"],
    "lone surrogate": ["\ud800", "a", "b"],
    "long text": ["x" * 1000, "y", ""],
    "integers": [7, -1, 10**12],
    "small integers": np.array([3, 1, 2], dtype=np.uint8),
    "large integers": np.array([2**64 - 1, 0, 1], dtype=np.uint64),
    "whole floats": [2.0, 0.0, 1.0],
    "bytes": [b"x", b"yy", b"z"],
    "truth values": [True, False],
    "single precision": np.array([1, 2], dtype=np.float32),
}


@pytest.mark.parametrize("kind", LABELS)
def test_labels_round_trip(tmp_path, kind):
    n_classes = len(LABELS[kind])
    front = bare_front(n_classes=n_classes, classes=LABELS[kind])
    loaded = round_trip(front, tmp_path)
    assert_same_front(front, loaded)
    assert loaded.classes.tolist() == list(LABELS[kind])
    assert loaded.delta(front, random_state=0) == 0.0


def test_labels_of_the_other_byte_order_come_back_in_the_own(tmp_path):
    front = bare_front(classes=np.array([5, 6, 7], dtype=">i4"))
    assert round_trip(front, tmp_path).classes.tolist() == [5, 6, 7]


def test_fronts_of_all_origins_round_trip(tmp_path):
    drawn, other = drawn_front(3), drawn_front(3, seed=1, weighted=True)
    merged = ROCFront.merge(drawn, other, names=["a", "b"], priors=[0.2, 0.3, 0.5])
    fronts = [
        merged,
        ROCFront.merge(merged, bare_front(), priors=merged.priors),
        merged[::-1],
        merged[merged.inside_random_simplex()],
        merged.miss_rate_front(),
        bare_front(),
        bare_front(n_members=1, costs=1.0 - np.eye(3)),
        bare_front(priors={0: 0.0, 1: 0.25, 2: 0.75}),
        bare_front(class_sizes=[10.5, 1e300, 1e-300]),
        ROCFront.from_rates(np.eye(20), objectives="miss_rates"),
        ROCFront.from_rates([[0.25, 0.75], [0.5, 0.5]], class_sizes=[4, 8]),
        # whole counts were found for rates of seven digits
        ROCFront.from_rates([[0.6666667, 0.3333333], [0.0, 1.0]], class_sizes=[3, 3]),
    ]
    for front in fronts:
        assert_same_front(front, round_trip(front, tmp_path))


def test_priors_keep_their_last_digit(tmp_path):
    n_rounded = 0
    for seed in range(40):
        front = drawn_front(3, seed, weighted=True, n_costs=5)
        n_rounded += front.priors.sum() != 1.0
        assert_same_front(front, round_trip(front, tmp_path))
    assert n_rounded  # dividing by the sum once more would have changed these


PARAMS = {
    "numbers": {"a": 0.1, "b": -0.0, "c": 5e-324, "d": 2**100, "e": -1, "f": True},
    "special floats": {"nan": NAN, "inf": float("inf"), "minus": -float("inf")},
    "text": {"a": "", "b": "ü\x00\n\u2028🙂", "": "no key", "ü": "key"},
    "nothing": {},
    "None": {"a": None},
    "hostile text": {"a": "$array", "b": "nan", "c": '{"$float": "nan"}', "d": "\ud800\x00"},
    "tuples and lists": {"a": (), "b": [], "c": (1, [2.0, (NAN,)]), "d": [[], [()]]},
    "nested dicts": {"a": {"b": {"c": [{"d": (1,)}], "": 0}}, "dtype": 1, "shape": [2]},
    "floats": {"a": np.array([[0.1, NAN], [-0.0, np.inf]])},
    "NaN with a payload": {"a": np.array([0x7FF8000000000123], dtype=np.uint64).view(float)},
    "single precision": {"a": np.array([0.1, NAN], dtype=np.float32)},
    "integers": {"a": np.arange(6).reshape(2, 3), "b": np.array([255, 0], dtype=np.uint8)},
    "large integers": {"a": np.array([2**64 - 1, 2**63], dtype=np.uint64)},
    "truth values": {"a": np.array([[True], [False]])},
    "array of text": {"a": np.array(["a", "bbb"])[:1], "b": np.array([["ü", "\ud800"]])},
    "odd shapes": {"a": np.array(1.5), "b": np.zeros((0, 3)), "c": np.zeros((2, 0, 5), "i2")},
    "not contiguous": {"a": np.asfortranarray(np.ones((2, 3)))[::-1, ::2]},
    "arrays in lists": {"a": [np.arange(2), (np.eye(2), {"b": np.ones(1)})]},
    "100 levels": {"a": eval("[" * 50 + "1" + "]" * 50)},
}


@pytest.mark.parametrize("kind", PARAMS)
def test_params_round_trip(tmp_path, kind):
    params = copy.deepcopy(PARAMS[kind])
    front = bare_front(n_members=2, params=[params, {}])
    assert_same_front(front, round_trip(front, tmp_path))
    assert_same_data(params, PARAMS[kind])


def test_numpy_scalars_come_back_as_numbers(tmp_path):
    params = {"a": np.float32(0.5), "b": np.int8(3), "c": np.bool_(True), "d": np.str_("x")}
    loaded = round_trip(bare_front(n_members=1, params=params), tmp_path)
    assert_same_data(loaded.params[0], {"a": 0.5, "b": 3, "c": True, "d": "x"})


def test_a_large_front(tmp_path):
    front = bare_front(n_members=20_000, params=[{"i": i} for i in range(20_000)])
    assert_same_front(front, round_trip(front, tmp_path))


# --- paths ------------------------------------------------------------------------


def test_paths_of_all_kinds(tmp_path, monkeypatch):
    front = bare_front()
    monkeypatch.chdir(tmp_path)

    class Somewhere:
        def __fspath__(self):
            return str(tmp_path / "d.front")

    name = "bytes.front"
    for path in ("a.front", "no suffix", pathlib.Path("b.front"), Somewhere(), name.encode()):
        front.save(path)
        assert_same_front(front, ROCFront.load(path))
        assert os.path.exists(path)
    assert sorted(os.listdir()) == ["a.front", "b.front", name, "d.front", "no suffix"]


@pytest.mark.parametrize("path", [None, 3, 1.5, ["x"], io.BytesIO()])
def test_what_is_no_path(path):
    with pytest.raises(TypeError, match="path must be a string or path-like; got "):
        ROCFront.load(path)
    with pytest.raises(TypeError, match="path must be a string or path-like; got "):
        bare_front().save(path)


def test_missing_files_and_folders(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"missing\.front"):
        ROCFront.load(tmp_path / "missing.front")
    words = r"path must be in a folder that exists; got .*a\.front'\.$"
    with pytest.raises(FileNotFoundError, match=words):
        bare_front().save(tmp_path / "missing" / "a.front")
    with pytest.raises(IsADirectoryError, match=tmp_path.name):
        ROCFront.load(tmp_path)
    with pytest.raises(OSError, match=f"path must be that of a file; .*{tmp_path.name}' is a"):
        bare_front().save(tmp_path)
    assert os.listdir(tmp_path) == []


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_devices_are_not_replaced_by_files(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(OSError, match="pipe' is a folder or a device"):
        bare_front().save(pipe)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert os.listdir(tmp_path) == ["pipe"]


@pytest.mark.skipif(os.name != "posix", reason="needs links")
def test_links_are_followed(tmp_path):
    (tmp_path / "far").mkdir()
    link = tmp_path / "link.front"
    link.symlink_to(tmp_path / "far" / "real.front")
    for front in (bare_front(), drawn_front(3)):
        front.save(link)
        assert link.is_symlink()
        assert_same_front(front, ROCFront.load(tmp_path / "far" / "real.front"))


@pytest.mark.skipif(os.name != "posix", reason="needs permissions of POSIX")
@pytest.mark.parametrize("mask", [0o022, 0o077, 0o002, 0o000])
def test_permissions_follow_the_mask(tmp_path, mask):
    path = tmp_path / "a.front"
    before = os.umask(mask)
    try:
        for _ in range(2):  # a new file, and one that is replaced
            bare_front().save(path)
            assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~mask
        assert os.umask(mask) == mask
    finally:
        os.umask(before)


@pytest.mark.skipif(os.name != "posix", reason="needs permissions of POSIX")
def test_permissions_when_several_threads_save(tmp_path):
    fronts = [bare_front(n_members=1)] * 4
    before, interval = os.umask(0o077), sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [
            threading.Thread(target=lambda i=i: [f.save(tmp_path / f"{i}") for f in fronts * 5])
            for i in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert {stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()} == {0o600}
        assert os.umask(0o077) == 0o077
    finally:
        sys.setswitchinterval(interval)
        os.umask(before)


# --- replacing --------------------------------------------------------------------


def looped():
    value = []
    value.append({"a": (value,)})
    return value


UNSAVEABLE = {
    "set": {1, 2},
    "bytes": b"x",
    "complex": 1j,
    "object": object(),
    "function": len,
    "date": np.datetime64("2020-01-01"),
    "number keys": {1: 2},
    "reserved keys": {"$array": 2},
    "masked array": np.ma.masked_array([1, 2], mask=[0, 1]),
    "array of objects": np.array([None, {}]),
    "array of dates": np.array(["2020-01-01"], dtype="M8[D]"),
    "complex array": np.array([1j]),
    "records": np.zeros(2, dtype="i4,f8"),
    "itself": looped(),
}


@pytest.mark.parametrize("kind", UNSAVEABLE)
def test_params_that_cannot_be_saved(tmp_path, kind):
    good, path = drawn_front(3), tmp_path / "a.front"
    good.save(path)
    bad = bare_front(n_members=2, params=[{}, {"x": [0, UNSAVEABLE[kind]]}])
    place = "params" if kind == "itself" else r"params\[[01]\]\['x'\]\[1\]"
    with pytest.raises(TypeError, match=f"^{place} must be plain data to be saved"):
        bad.save(path)
    with pytest.raises(TypeError, match=f"^{place} must be plain data to be saved"):
        bad.save(tmp_path / "b.front")
    assert os.listdir(tmp_path) == ["a.front"]
    assert_same_front(good, ROCFront.load(path))


def test_what_could_not_be_read_is_not_written(tmp_path):
    classes, priors = np.arange(2), np.full(2, 0.5)
    half = np.full((1, 2, 2), 0.5)
    fronts = {
        "rates has type int64": ROCFront(
            np.ones((1, 2, 2), int), classes=classes, priors=priors
        ),
        "rates do not sum to 1": ROCFront(2.0 * half, classes=classes, priors=priors),
        "priors must be": ROCFront(half, classes=classes, priors=2.0 * priors),
        "members are dominated": ROCFront(
            np.concatenate([half, np.eye(2)[np.newaxis]]), classes=classes, priors=priors
        ),
    }
    for message, front in fronts.items():
        with pytest.raises(ValueError, match=f"^The front cannot be saved: .*{message}"):
            front.save(tmp_path / "a.front")
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("step", ["fsync", "replace"])
@pytest.mark.parametrize("error", [OSError("no space left"), KeyboardInterrupt()])
def test_a_save_that_fails_leaves_the_old_file(tmp_path, monkeypatch, step, error):
    good, path = drawn_front(3), tmp_path / "a.front"
    good.save(path)

    def fail(*args, **kwargs):
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(os, step, fail)
        with pytest.raises(type(error)):
            bare_front().save(path)
    assert os.listdir(tmp_path) == ["a.front"]
    assert_same_front(good, ROCFront.load(path))


FULL_DISK = """
import resource, sys
import numpy as np
from skvus import ROCFront
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
front = ROCFront.from_rates(np.eye(3), params={"x": np.zeros(int(sys.argv[2]))})
try:
    front.save(sys.argv[1])
except OSError as error:
    print(error)
"""


@pytest.mark.skipif(os.name != "posix", reason="needs limits of POSIX")
def test_a_full_disk_leaves_the_old_file(tmp_path):
    good, path = bare_front(n_members=1), tmp_path / "a.front"
    good.save(path)
    for size, target in [(10_000, path), (300, path), (300, tmp_path / "new.front")]:
        run = subprocess.run(
            [sys.executable, "-W", "error", "-c", FULL_DISK, str(target), str(size)],
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert (run.returncode, run.stderr) == (0, "")
        assert "File too large" in run.stdout
        assert os.listdir(tmp_path) == ["a.front"]
        assert_same_front(good, ROCFront.load(path))


def test_readers_never_see_half_a_file(tmp_path):
    fronts, path = (drawn_front(3), bare_front(n_members=300)), tmp_path / "a.front"
    fronts[0].save(path)
    writers = [
        threading.Thread(target=lambda f=front: [f.save(path) for _ in range(20)])
        for front in fronts
    ]
    for writer in writers:
        writer.start()
    n_read = 0
    while n_read < 20 or any(writer.is_alive() for writer in writers):
        assert len(ROCFront.load(path)) in {len(front) for front in fronts}
        n_read += 1
    assert os.listdir(tmp_path) == ["a.front"]


# --- what is no file of a front ---------------------------------------------------


def refuse(path, message="is no skvus file|damaged"):
    """Loading must raise a plain ValueError that names the path, without long work."""
    start = time.perf_counter()
    with pytest.raises(ValueError, match=message) as caught:
        ROCFront.load(path)
    assert type(caught.value) is ValueError
    text = str(caught.value)
    assert text.startswith(repr(str(path)))
    assert text.count("\n") == 0
    assert len(text) < 500 + len(str(path))
    assert time.perf_counter() - start < 20.0


OTHER_FILES = {
    "empty": b"",
    "text": b"rates,0.1,0.2\n" * 100,
    "image": b"\x89PNG\r\n\x1a\n" + bytes(1000),
    "pickle": pickle.dumps({"rates": 1}),
    "array": b"\x93NUMPY\x01\x00v\x00{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }",
    "end of a zip": b"PK\x05\x06" + bytes(18),
    "beginning of a zip": b"PK\x03\x04" + bytes(100),
    "zeros": bytes(5000),
}


@pytest.mark.parametrize("kind", OTHER_FILES)
def test_other_files(tmp_path, kind):
    path = tmp_path / "other.front"
    path.write_bytes(OTHER_FILES[kind])
    refuse(path, "is no skvus file")


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
def test_archives_of_numpy(tmp_path, save):
    path = tmp_path / "other.npz"
    save(path, **{name: getattr(drawn_front(3), name) for name in ARRAYS})
    refuse(path, "damaged: it has no header.json")


def file_of(front, folder):
    path = folder / "good.front"
    front.save(path)
    return path.read_bytes()


def test_truncated_at_every_length(tmp_path):
    data = file_of(drawn_front(3, n_costs=8), tmp_path)
    path = tmp_path / "short.front"
    lengths = {*range(0, len(data), 13), *range(200), *range(len(data) - 200, len(data))}
    for length in sorted(lengths):
        path.write_bytes(data[:length])
        refuse(path, "is no skvus file|damaged")
    path.write_bytes(data)
    ROCFront.load(path)


def test_zeros_from_some_place_on(tmp_path):
    data = file_of(drawn_front(3, n_costs=8), tmp_path)
    path = tmp_path / "zeros.front"
    for start in range(0, len(data) - 22, 97):
        path.write_bytes(data[:start] + bytes(len(data) - start))
        refuse(path)


def damaged(data, rng):
    """Bytes changed, lost, added or copied; half of them where the zip has its structure."""
    data = bytearray(data)
    marks = (b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06")
    starts = [i for i in range(len(data)) if bytes(data[i : i + 4]) in marks]
    at_structure = rng.random() < 0.5

    def place():
        if at_structure:
            return min(len(data) - 1, int(rng.choice(starts)) + int(rng.integers(60)))
        return int(rng.integers(len(data)))

    kind, length = rng.integers(6), int(rng.integers(1, 40))
    if kind == 0:
        data[place()] ^= 1 << int(rng.integers(8))
    elif kind == 1:
        for _ in range(rng.integers(1, 9)):
            data[place()] = rng.integers(256)
    elif kind == 2:
        start = place()
        data[start : start + length] = bytes([rng.choice([0, 255])]) * length
    elif kind == 3:
        start = place()
        del data[start : start + length]
    elif kind == 4:
        start = place()
        data[start:start] = rng.bytes(length)
    else:
        source, target = place(), place()
        data[target : target + length] = data[source : source + length]
    return bytes(data)


def load_or_refuse(path):
    """The front, or None for a plain ValueError that names the path."""
    try:
        return ROCFront.load(path)
    except ValueError as error:
        if type(error) is ValueError and str(error).startswith(repr(str(path))):
            return None
        raise AssertionError("the error does not say which file it is about") from error


def fuzz_bytes(folder, n_cases, seed):
    """Load damaged files: each gives the front or a ValueError that names the path."""
    fronts = [
        drawn_front(3, n_costs=8),
        bare_front(n_members=2, classes=["a", "b", "c"], params=[{"x": NAN}, {"y": (1, [2])}]),
    ]
    rng, path = np.random.default_rng(seed), folder / "fuzz.front"
    files = [file_of(front, folder) for front in fronts]
    n_loaded = 0
    for case in range(n_cases):
        which = case % len(fronts)
        path.write_bytes(damaged(files[which], rng))
        loaded = load_or_refuse(path)
        if loaded is not None:
            assert_same_front(fronts[which], loaded)
            n_loaded += 1
    return n_loaded


def test_damaged_bytes(tmp_path):
    # dates, attributes and comments may change, little else
    assert fuzz_bytes(tmp_path, 1500, seed=0) < 300


# --- forged files: the checksum fits, the contents do not -------------------------


def taken_apart(front, folder):
    """Header and arrays, as bytes, of the file of a front."""
    with zipfile.ZipFile(io.BytesIO(file_of(front, folder))) as archive:
        names = [name for name in archive.namelist() if name.endswith(".npy")]
        parts = {name.removesuffix(".npy"): archive.read(name) for name in names}
        return json.loads(archive.read("header.json"))["header"], parts


def checksum_of(header, parts):
    digest = hashlib.sha256(json.dumps(header, sort_keys=True).encode())
    for name in sorted(parts):
        digest.update(f"\n{name} {len(parts[name])}\n".encode() + parts[name])
    return digest.hexdigest()


def forge(path, header, parts, *, text=None, more=(), compression=zipfile.ZIP_STORED, **head):
    """A file with a fitting checksum; keywords replace what the head says, None leaves out."""
    whole = {"kind": "skvus.ROCFront", "version": 1, "header": header}
    whole = {**whole, "checksum": checksum_of(header, parts), **head}
    whole = {key: value for key, value in whole.items() if value is not None or key == "header"}
    text = json.dumps(whole) if text is None else text
    with zipfile.ZipFile(path, "w", compression) as archive:
        archive.writestr("header.json", text)
        for name, data in parts.items():
            archive.writestr(f"{name}.npy", data)
        for name, data in more:
            archive.writestr(name, data)


def npy(array, **options):
    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, np.asarray(array), **options)
    return buffer.getvalue()


def npy_with(description, data=b"", version=b"\x01\x00"):
    """An array whose header says what it likes."""
    text = description.encode("latin1") + b"\n"
    size = struct.pack("<H" if version == b"\x01\x00" else "<I", len(text))
    return b"\x93NUMPY" + version + size + text + data


@pytest.fixture
def apart(tmp_path):
    front = drawn_front(3, classes=["a", "b", "c"], n_costs=20)
    front = ROCFront.merge(front, names=["own"])
    header, parts = taken_apart(front, tmp_path)
    path = tmp_path / "forged.front"
    forge(path, header, parts)
    assert_same_front(front, ROCFront.load(path))  # so that what follows is what is refused
    return front, header, parts, path


HALF = np.full((2, 3, 3), 1 / 3)
WORSE = np.stack([np.eye(3), [[0.5, 0.5, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]])


def changed(array, change):
    array = array.copy()
    change(array)
    return array


# name of the array, what becomes of it, and the message
FORGED_ARRAYS = {
    "negative rates": ("rates", lambda a: a - 2 * np.eye(3), "rates is out of range"),
    "rates above one": ("rates", lambda a: a + 0.1, "rates do not sum to 1"),
    "NaN among rates": ("rates", lambda a: a * np.nan, "rates is out of range"),
    "infinite rates": ("rates", lambda a: a + np.inf, "rates is out of range"),
    "other rates": ("rates", lambda a: np.roll(a, 1, axis=2), "counts and rates differ"),
    "fewer rates": ("rates", lambda a: a[1:], "has shape"),
    "no rates": ("rates", lambda a: a[:0], r"rates has shape \(0, 3, 3\)"),
    "one matrix": ("rates", lambda a: a[0], r"rates has shape \(3, 3\)"),
    "a number": ("rates", lambda a: np.array(0.5), r"rates has shape \(\)"),
    "a fourth dimension": ("rates", lambda a: a[np.newaxis], "rates has shape"),
    "not square": ("rates", lambda a: a[:, :, :2], "rates has shape"),
    "single precision": ("rates", lambda a: a.astype("f4"), "rates has type float32"),
    "half precision": ("rates", lambda a: a.astype("f2"), "rates has type float16"),
    "integer rates": ("rates", lambda a: a.astype(int), "rates has type int64"),
    "rates of text": ("rates", lambda a: a.astype(str), "rates has type <U"),
    "rates of truth values": ("rates", lambda a: a > 0, "rates has type bool"),
    "complex rates": ("rates", lambda a: a + 0j, "rates cannot be read"),
    "negative counts": ("counts", lambda a: a - 100, "counts is out of range"),
    "no counts of a class": ("counts", lambda a: a * 0, "counts lack a class"),
    "other counts": ("counts", lambda a: a + 1, "counts and rates differ"),
    "huge counts": ("counts", lambda a: a + 2**62, "counts "),
    "short counts": ("counts", lambda a: a[:, 0], "counts has shape"),
    "counts of text": ("counts", lambda a: a.astype(str), "counts has type"),
    "small counts": ("counts", lambda a: a.astype(np.int8), "counts has type int8"),
    "unsigned counts": ("counts", lambda a: a.astype(np.uint64), "counts has type uint64"),
    "negative costs": ("costs", lambda a: -a, "costs is out of range"),
    "zero costs": ("costs", lambda a: 0 * a, "costs are all zero"),
    "one matrix of zeros": (
        "costs",
        lambda a: a * (np.arange(len(a)) > 0)[:, None, None],
        "zero",
    ),
    "costs with a diagonal": ("costs", lambda a: a + np.eye(3), "costs have a diagonal"),
    "NaN among costs": ("costs", lambda a: a * np.nan, "costs is out of range"),
    "transposed costs": ("costs", lambda a: a[:, :2], "costs has shape"),
    "fewer classes": ("classes", lambda a: a[:2], "has shape"),
    "no classes": ("classes", lambda a: a[:0], "labels must be"),
    "class twice": ("classes", lambda a: a[[0, 1, 1]], "must not repeat a class"),
    "fractions as classes": ("classes", lambda a: np.array([0.5, 1.5, 2.5]), "continuous"),
    "NaN as class": ("classes", lambda a: np.array([0, 1, np.nan]), "must be finite"),
    "classes in a square": ("classes", lambda a: np.array([["a", "b"], ["c", "d"]]), "labels"),
    "negative priors": ("priors", lambda a: a - 1, "priors is out of range"),
    "priors above one": ("priors", lambda a: 2 * a, "priors must be non-negative and sum to 1"),
    "NaN among priors": ("priors", lambda a: a * np.nan, "priors is out of range"),
    "fewer priors": ("priors", lambda a: a[:2], r"priors has shape \(2,\)"),
    "priors of text": ("priors", lambda a: a.astype(str), "priors has type"),
    "empty classes": ("class_sizes", lambda a: 0 * a, "class_sizes are not positive"),
    "negative sizes": ("class_sizes", lambda a: -a, "class_sizes is out of range"),
    "infinite sizes": ("class_sizes", lambda a: a + np.inf, "class_sizes is out of range"),
    "fewer sizes": ("class_sizes", lambda a: a[:1], "class_sizes has shape"),
    "sizes of text": ("class_sizes", lambda a: a.astype(str), "class_sizes has type"),
}


@pytest.mark.parametrize("case", FORGED_ARRAYS)
def test_forged_arrays(apart, case):
    front, header, parts, path = apart
    name, change, message = FORGED_ARRAYS[case]
    forge(path, header, {**parts, name: npy(change(getattr(front, name)))})
    refuse(path, f"is damaged: .*{message}")


def test_dominated_and_repeated_members(apart):
    front, header, parts, path = apart
    bare = {"classes": parts["classes"], "priors": parts["priors"]}
    for rates in (WORSE, HALF, front.rates[[0, 1, 0]]):
        bare_header = {**header, "params": None}
        forge(path, bare_header, {**bare, "rates": npy(rates)})
        refuse(path, "is damaged: some members are dominated")
    # none dominates another in all rates, but in miss rates
    rates = [[[0.8, 0.2], [0.0, 1.0]], [[1.0, 0.0], [0.3, 0.7]]]
    pair = ROCFront.from_rates(rates)
    two, two_parts = taken_apart(pair, path.parent)
    forge(path, {**two, "objectives": "miss_rates"}, two_parts)
    assert len(ROCFront.load(path)) == 2
    worse = [[[0.5, 0.5, 0], [0, 1, 0], [0, 0, 1]], [[0.4, 0, 0.6], [0, 1, 0], [0, 0, 1]]]
    forge(path, {**header, "params": None}, {**bare, "rates": npy(np.array(worse, float))})
    ROCFront.load(path)
    only_misses = {"objectives": "miss_rates", "params": None}
    forge(path, only_misses, {**bare, "rates": npy(np.array(worse, float))})
    refuse(path, "is damaged: some members are dominated")


def test_missing_and_foreign_arrays(apart):
    _, header, parts, path = apart
    for name in ("rates", "classes", "priors"):
        forge(path, header, {key: data for key, data in parts.items() if key != name})
        refuse(path, "is damaged: arrays are missing")
    for name in ("counts", "costs", "class_sizes"):
        forge(path, header, {key: data for key, data in parts.items() if key != name})
        assert getattr(ROCFront.load(path), name) is None
    forge(path, header, {})
    refuse(path, "is damaged: arrays are missing")
    for name in ("extra", "Rates", "../rates", "params"):
        forge(path, header, {**parts, name: parts["rates"]})
        refuse(path, "is damaged: it has arrays that are none of a front")


def test_more_classes_than_can_be_compared(apart):
    _, _, _, path = apart
    header, parts = taken_apart(
        ROCFront.from_rates(np.eye(20), objectives="miss_rates"), path.parent
    )
    forge(path, {**header, "objectives": "rates"}, parts)
    refuse(path, "is damaged: objectives='rates' has 380 objectives")


DOUBLE = "'descr': '<f8', 'fortran_order': False, "
BAD_NPY = {
    "nothing": b"",
    "zeros": bytes(200),
    "only the magic": b"\x93NUMPY\x01\x00",
    "cut off": npy(np.eye(3))[:40],
    "one byte short": npy(np.eye(3))[:-1],
    "one byte too many": npy(np.eye(3)) + b"\x00",
    "header too short": b"\x93NUMPY\x01\x00\x10\x00" + npy(np.eye(3))[10:],
    "version 2": npy(np.eye(3), version=(2, 0)),
    "version 3": npy(np.eye(3), version=(3, 0)),
    "version 9": b"\x93NUMPY\x09\x00" + npy(np.eye(3))[8:],
    "Fortran order": npy(np.asfortranarray(np.arange(6.0).reshape(2, 3))),
    "complex": npy(np.eye(3) + 0j),
    "dates": npy(np.array(["2020-01-01"], dtype="M8[D]")),
    "records": npy(np.zeros(3, dtype="i4,f8")),
    "void": npy(np.zeros(3, dtype="V8")),
    "no bytes an entry": npy_with("{'descr': '<U0', 'fortran_order': False, 'shape': (9,), }"),
    "unknown type": npy_with(
        "{'descr': '<f7', 'fortran_order': False, 'shape': (1,), }", bytes(7)
    ),
    "huge entries": npy_with(
        "{'descr': '<U4000000000', 'fortran_order': False, 'shape': (1,), }"
    ),
    "huge shape": npy_with(f"{{{DOUBLE}'shape': (1000000000000, 3, 3), }}", bytes(72)),
    "shape beyond integers": npy_with(f"{{{DOUBLE}'shape': ({'9' * 30}, 3), }}", bytes(72)),
    "shape of many digits": npy_with(f"{{{DOUBLE}'shape': ({'9' * 9000},), }}", bytes(72)),
    "shape that overflows to 9": npy_with(f"{{{DOUBLE}'shape': ({2**64 + 9},), }}", bytes(72)),
    "huge and empty": npy_with(f"{{{DOUBLE}'shape': ({10**30}, 0), }}"),
    "many dimensions": npy_with(f"{{{DOUBLE}'shape': ({'1, ' * 2000}), }}", bytes(8)),
    "negative shape": npy_with(f"{{{DOUBLE}'shape': (-3, -3), }}", bytes(72)),
    "shape that fits anything": npy_with(f"{{{DOUBLE}'shape': (-1, 3), }}", bytes(72)),
    "fraction as shape": npy_with(f"{{{DOUBLE}'shape': (9.0,), }}", bytes(72)),
    "shape of spaces": npy_with(f"{{{DOUBLE}'shape': (3 3), }}", bytes(72)),
    "Python 2": npy_with(f"{{{DOUBLE}'shape': (9L,), }}", bytes(72)),
    "code": npy_with(f"{{{DOUBLE}'shape': (__import__('os').getpid(),), }}", bytes(72)),
    "minus signs": npy_with("-" * 9000 + "1"),
    "sums": npy_with("[1" + "+1" * 4000 + "]"),
    "brackets": npy_with("(" * 9000),
    "open string": npy_with("'''"),
    "open dict": npy_with("{'descr'"),
    "indented": npy_with(" 1\n  2\n 3"),
    "not even text": npy_with("\x00\xff"),
}


@pytest.mark.parametrize("case", BAD_NPY)
@pytest.mark.parametrize("name", ["rates", "classes"])
def test_bad_npy(apart, case, name):
    _, header, parts, path = apart
    forge(path, header, {**parts, name: BAD_NPY[case]})
    refuse(path, f"is damaged: {name} cannot be read")


def test_text_that_is_none_and_truth_values_that_are_neither(apart):
    front, header, parts, path = apart
    beyond = np.array([0x61, 0x62, 0x7FFFFFFF], dtype="<u4").view("<U1")
    forge(path, header, {**parts, "classes": npy(beyond)})
    refuse(path, "is damaged: classes cannot be read")
    two, two_parts = taken_apart(bare_front(n_classes=2, classes=[False, True]), path.parent)
    neither = np.array([1, 2], dtype=np.uint8).view(bool)
    forge(path, two, {**two_parts, "classes": npy(neither)})
    refuse(path, "is damaged: classes cannot be read")
    assert front.classes.tolist() == ["a", "b", "c"]


def test_arrays_of_the_other_byte_order_are_read(apart):
    front, header, parts, path = apart
    swapped = {
        name: npy(getattr(front, name).astype(getattr(front, name).dtype.newbyteorder(">")))
        for name in parts
    }
    forge(path, header, swapped)
    assert_same_front(front, ROCFront.load(path))


class Trap:
    """Unpickling this makes a folder."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return os.mkdir, (str(self.path),)


def test_nothing_is_unpickled(apart):
    front, header, parts, path = apart
    trap = path.parent / "trap"
    objects = np.array([Trap(trap)] * 3, dtype=object)
    armed = npy(objects, allow_pickle=True)
    np.lib.format.read_array(io.BytesIO(armed), allow_pickle=True)
    trap.rmdir()  # the trap works
    whole = pickle.dumps(Trap(trap))
    for name in parts:
        for data in (armed, whole, npy_with(f"{{{DOUBLE}'shape': (9,), }}", whole)):
            forge(path, header, {**parts, name: data})
            refuse(path, f"is damaged: {name} cannot be read")
    forge(path, header, {**parts, "extra": armed})
    refuse(path)
    forge(path, header, parts, text=whole)
    refuse(path)
    encoded = {"$array": b64encode(armed).decode()}
    forge(path, {**header, "params": [{"x": encoded}] * len(front)}, parts)
    refuse(path, "is damaged: it is no array of numbers or text")
    path.write_bytes(whole)
    refuse(path)
    np.savez(path.with_suffix(".npz"), **{"header.json": objects, "rates": objects})
    refuse(path.with_suffix(".npz"))
    assert not trap.exists()


# --- forged headers ---------------------------------------------------------------


BAD_HEADS = {
    "another kind": (
        {"kind": "skvus.Run"},
        "must be a file of kind 'skvus.ROCFront'; its kind",
    ),
    "no kind": ({"kind": None}, "must be a file of kind .*its kind is None"),
    "kind of another type": ({"kind": ["skvus.ROCFront"]}, "must be a file of kind"),
    "long kind": ({"kind": "x" * 10**6}, "must be a file of kind"),
    "newer version": ({"version": 2}, "has version 2 of the format; this release .* version 1"),
    "older version": ({"version": 0}, "has version 0 of the format"),
    "no version": ({"version": None}, "has version None of the format"),
    "version of another type": ({"version": [1]}, r"has version \[1\] of the format"),
    "long version": ({"version": "1" * 10**6}, "has version '1111.* of the format"),
    "wrong checksum": ({"checksum": "0" * 64}, "its checksum does not fit its contents"),
    "no checksum": ({"checksum": None}, "its checksum does not fit its contents"),
    "checksum of another type": ({"checksum": {}}, "its checksum does not fit its contents"),
}


@pytest.mark.parametrize("case", BAD_HEADS)
def test_bad_heads(apart, case):
    _, header, parts, path = apart
    head, message = BAD_HEADS[case]
    forge(path, header, parts, **head)
    refuse(path, message)


BAD_TEXTS = {
    "empty": "",
    "no JSON": "{kind: skvus.ROCFront}",
    "cut off": '{"kind": "skvus.ROCFront", "vers',
    "not UTF-8": b'{"kind": "\xff\xfe\xfa"}',
    "binary": bytes(range(256)),
    "NaN": '{"kind": NaN}',
    "infinity": '{"kind": "skvus.ROCFront", "version": 1, "header": {"params": -Infinity}}',
    "deep lists": "[" * 200_000,
    "deep lists that end": "[" * 100_000 + "]" * 100_000,
    "deep dicts": '{"a":' * 100_000 + "1" + "}" * 100_000,
    "number of many digits": '{"kind": ' + "9" * 100_000 + "}",
    "two values": "{} {}",
}


@pytest.mark.parametrize("case", BAD_TEXTS)
def test_headers_that_are_no_json(apart, case):
    _, header, parts, path = apart
    forge(path, header, parts, text=BAD_TEXTS[case])
    refuse(path, "is damaged: its header is no JSON")


@pytest.mark.parametrize("text", ["null", "[]", '"skvus.ROCFront"', "1", "{}", "true"])
def test_headers_that_are_other_json(apart, text):
    _, header, parts, path = apart
    forge(path, header, parts, text=text)
    refuse(path, "must be a file of kind 'skvus.ROCFront'; its kind is")


def test_a_head_without_header(apart):
    _, _, parts, path = apart
    head = {"kind": "skvus.ROCFront", "version": 1, "checksum": checksum_of(None, parts)}
    forge(path, None, parts, text=json.dumps(head))
    refuse(path, "is damaged: its checksum does not fit")


def test_headers_of_every_depth(apart):
    _, _, parts, path = apart
    for depth in range(900, 1010):
        header = "[" * depth + "]" * depth
        text = f'{{"kind": "skvus.ROCFront", "version": 1, "checksum": "", "header": {header}}}'
        forge(path, None, parts, text=text)
        refuse(path, "is damaged: its (header is no JSON|checksum does not fit)")


# Lists that JSON takes, but not what walks through them: Python 3.11 counts calls of C as well.
TOO_DEEP = 600 if sys.version_info < (3, 12) else 1200


def nested(depth):
    value = 0
    for _ in range(depth):
        value = [value]
    return value


def as_params(value):
    """A header whose first member has this among its params."""
    return lambda header: {**header, "params": [{"x": value}, *header["params"][1:]]}


def b64(data):
    return b64encode(data).decode()


BAD_HEADERS = {
    "None": (lambda header: None, "its header is incomplete"),
    "list": (lambda header: ["objectives", "params"], "its header is incomplete"),
    "number": (lambda header: 3, "its header is incomplete"),
    "empty": (lambda header: {}, "its header is incomplete"),
    "no objectives": (lambda header: {"params": None}, "its header is incomplete"),
    "more": (lambda header: {**header, "more": 1}, "its header is incomplete"),
    "objectives": (lambda header: {**header, "objectives": "cost"}, "objectives are 'cost'"),
    "no such objectives": (
        lambda header: {**header, "objectives": None},
        "objectives are None",
    ),
    "many objectives": (lambda header: {**header, "objectives": ["rates"]}, "objectives are"),
    "too few params": (
        lambda header: {**header, "params": header["params"][1:]},
        "params do not",
    ),
    "too many params": (
        lambda header: {**header, "params": header["params"] * 2},
        "params do not",
    ),
    "no list of params": (lambda header: {**header, "params": {}}, "params do not fit"),
    "params of text": (lambda header: {**header, "params": "x"}, "params do not fit"),
    "params that are lists": (
        lambda header: {**header, "params": [[] for _ in header["params"]]},
        "params are no dicts",
    ),
    "params that are arrays": (
        lambda header: {**header, "params": [{"$tuple": []} for _ in header["params"]]},
        "params are no dicts",
    ),
    "float that is none": (as_params({"$float": "x"}), "x"),
    "float of a list": (as_params({"$float": [1]}), "params have {'.float': "),
    "tuple of a number": (as_params({"$tuple": 3}), "params have {'.tuple': 3}"),
    "tuple of a dict": (as_params({"$tuple": {"a": 1}}), "params have"),
    "unknown mark": (as_params({"$code": "import os"}), "params have {'.code'"),
    "two marks": (as_params({"$float": "1", "$tuple": []}), "params have"),
    "mark and more": (as_params({"$float": "1", "a": []}), "params have"),
    "array of a list": (as_params({"$array": [1, 2]}), "params have {'.array'"),
    "array of a claim": (
        as_params({"$array": [""], "dtype": "<U400000000", "shape": [1]}),
        "params have",
    ),
    "array that is no base64": (as_params({"$array": "äöü"}), "ASCII"),
    "array of bad base64": (as_params({"$array": "abc"}), "padding"),
    "array of nothing": (as_params({"$array": ""}), "it is no array of numbers or text"),
    "array of a huge shape": (
        as_params({"$array": b64(BAD_NPY["huge shape"])}),
        "its type or shape does not fit",
    ),
    "array of huge entries": (
        as_params({"$array": b64(BAD_NPY["huge entries"])}),
        "its type or shape does not fit",
    ),
    "deep lists": (as_params(nested(TOO_DEEP)), "maximum recursion depth"),
}


@pytest.mark.parametrize("case", BAD_HEADERS)
def test_bad_headers(apart, case):
    _, header, parts, path = apart
    change, message = BAD_HEADERS[case]
    forge(path, change(header), parts)
    refuse(path, f"is damaged: .*{message}")


# --- forged archives --------------------------------------------------------------


def test_compressed_entries(apart):
    _, header, parts, path = apart
    for compression in (zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA):
        forge(path, header, parts, compression=compression)
        refuse(path, "damaged: .* is compressed")


def test_zip_bombs(apart):
    _, header, parts, path = apart
    forge(path, header, parts)
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bomb.npy", bytes(2**28))
    assert path.stat().st_size < 2**19
    refuse(path, "damaged: bomb.npy is compressed")


def test_entries_of_one_name(apart):
    _, header, parts, path = apart
    for name in ("rates.npy", "header.json"):
        with pytest.warns(UserWarning, match="Duplicate name"):
            forge(path, header, parts, more=[(name, parts["rates"])])
        refuse(path, "damaged: it has two entries of one name")


def test_entries_that_are_no_arrays(apart):
    _, header, parts, path = apart
    for name in ("notes.txt", "folder/", "../../evil.py", "rates.npy/x", "header.json.bak"):
        forge(path, header, parts, more=[(name, b"")])
        refuse(path, "damaged: it has entries that are no arrays")
    for name in ("extra.npy", "../rates.npy", "/rates.npy"):
        forge(path, header, parts, more=[(name, b"")])
        refuse(path, "is damaged: its checksum does not fit")
    assert sorted(os.listdir(path.parent)) == ["forged.front", "good.front"]


def test_no_header(apart):
    _, _, parts, path = apart
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("rates.npy", parts["rates"])
    refuse(path, "damaged: it has no header.json")
    with zipfile.ZipFile(path, "w"):
        pass
    refuse(path, "damaged: it has no header.json")


def central_entry(name, size, offset, crc, **fields):
    """An entry of the directory at the end of a zip."""
    values = {"flags": 0, "compression": 0, "extra": b"", "packed": size, **fields}
    head = struct.pack(
        "<4s6H3I5H2I",
        b"PK\x01\x02",
        *(20, 20, values["flags"], values["compression"], 0, 33),
        *(crc, values["packed"], size),
        *(len(name), len(values["extra"]), 0, 0, 0),
        *(0, offset),
    )
    return head + name + values["extra"]


def raw_zip(body, entries):
    directory = b"".join(entries)
    end = (b"PK\x05\x06", 0, 0, len(entries), len(entries), len(directory), len(body), 0)
    return body + directory + struct.pack("<4s4H2IH", *end)


def local_header(name, size, crc):
    return (
        struct.pack("<4s5H3I2H", b"PK\x03\x04", 20, 0, 0, 0, 33, crc, size, size, len(name), 0)
        + name
    )


def test_entries_that_overlap(apart):
    # each entry holds all that follow: 300 kB would become 60 MB, 10 MB a terabyte
    *_, path = apart
    names = [b"header.json", *(b"%04d.npy" % i for i in range(400))]
    body, pieces, entries = bytes(300_000), [], []
    for name in reversed(names):
        crc = zlib.crc32(body)
        pieces.append((name, len(body), crc))
        body = local_header(name, len(body), crc) + body
    offset = 0
    for name, size, crc in reversed(pieces):
        entries.append(central_entry(name, size, offset, crc))
        offset += 30 + len(name)
    path.write_bytes(raw_zip(body, entries))
    with zipfile.ZipFile(path) as archive:
        assert len(archive.read("0399.npy")) == 300_000  # a zip like any other
    refuse(path, "damaged: its entries are larger than the file")


LIES = {
    "larger than the file": ({"size": 2**32 - 2, "packed": 2**32 - 2}, "larger than the file"),
    "large unpacked": ({"size": 2**31, "packed": 4}, "is compressed"),
    "beyond the end": ({"offset": 2**31}, "no skvus file, or it is damaged"),
    "encrypted": ({"flags": 1}, "no skvus file, or it is damaged: .*encrypted"),
    "strongly encrypted": ({"flags": 64}, "no skvus file, or it is damaged"),
    "patched": ({"flags": 32}, "no skvus file, or it is damaged"),
    "unknown compression": ({"compression": 77}, "is compressed"),
    "wrong CRC": ({"crc": 1}, "no skvus file, or it is damaged: Bad CRC"),
    "huge by zip64": (
        {
            "size": 2**32 - 1,
            "packed": 2**32 - 1,
            "extra": struct.pack("<2H2Q", 1, 16, *[2**63] * 2),
        },
        "larger than the file",
    ),
    "far away by zip64": (
        {"offset": 2**32 - 1, "extra": struct.pack("<2HQ", 1, 8, 2**64 - 1)},
        "no skvus file, or it is damaged",
    ),
    "broken zip64": (
        {"size": 2**32 - 1, "packed": 2**32 - 1, "extra": b"\x01\x00\x04\x00abcd"},
        "no skvus file, or it is damaged",
    ),
    "broken extra": ({"extra": b"\x01\x00\xff\xff"}, "no skvus file, or it is damaged"),
}


@pytest.mark.parametrize("case", LIES)
def test_zips_that_lie(apart, case):
    *_, path = apart
    lies, message = LIES[case]
    name, data = b"header.json", b"null"
    fields = {"size": 4, "offset": 0, "crc": zlib.crc32(data)}
    body = local_header(name, 4, fields["crc"]) + data
    path.write_bytes(raw_zip(body, [central_entry(name, **fields)]))
    refuse(path, "must be a file of kind")  # the truth gets this far
    path.write_bytes(raw_zip(body, [central_entry(name, **{**fields, **lies})]))
    refuse(path, message)


def test_names_that_are_no_text(apart):
    *_, path = apart
    name, crc = b"header.jso\xff", zlib.crc32(b"null")
    body = local_header(name, 4, crc) + b"null"
    path.write_bytes(raw_zip(body, [central_entry(name, 4, 0, crc, flags=0x800)]))
    refuse(path, "no skvus file, or it is damaged")


# --- random forgeries -------------------------------------------------------------


HOSTILE = [
    *(None, True, -1, 0, 1e308, 10**300, "", "x", "rates", "\ud800", [], {}, [[]], [1, "a"]),
    *({"$float": "nan"}, {"$float": 1}, {"$tuple": []}, {"$tuple": None}, {"$array": ""}),
    *({"$array": "AAAA"}, {"$array": {}}, {"$": 1}, {"": {}}, nested(30)),
]


def forged_header(value, rng):
    """The same with one random node replaced, dropped or doubled."""
    if isinstance(value, dict) and value and rng.random() < 0.85:
        key = list(value)[rng.integers(len(value))]
        if rng.random() < 0.1:
            return {k: v for k, v in value.items() if k != key}
        return {**value, key: forged_header(value[key], rng)}
    if isinstance(value, list) and value and rng.random() < 0.85:
        i = rng.integers(len(value))
        kind = rng.random()
        middle = [] if kind < 0.05 else [value[i]] * 2 if kind < 0.1 else None
        middle = [forged_header(value[i], rng)] if middle is None else middle
        return [*value[:i], *middle, *value[i + 1 :]]
    return HOSTILE[rng.integers(len(HOSTILE))]


def forged_part(data, rng):
    """An array with other bytes, values, shape or type."""
    kind = rng.integers(8)
    if kind < 3:
        data = bytearray(data)
        for _ in range(rng.integers(1, 4)):
            # half of them in the header
            place = rng.integers(128 if rng.random() < 0.5 else len(data))
            data[place] = rng.integers(256)
        return bytes(data)
    array = np.lib.format.read_array(io.BytesIO(data))
    if kind == 3:
        flat = array.reshape(-1)
        flat[rng.integers(flat.size)] = flat[rng.integers(flat.size)]
    elif kind == 4:
        array = array[rng.permutation(len(array))[: rng.integers(len(array) + 1)]]
    elif kind == 5:
        array = array.reshape([(-1,), (1, -1), (-1, 1), array.shape[::-1]][rng.integers(4)])
    elif kind == 6:
        array = array.astype(["f4", "i8", "U5", "?", ">f8", "S3", "u1"][rng.integers(7)])
    elif array.dtype.kind == "f":
        special = [np.nan, np.inf, -1.0, 1e308, 5e-324, -0.0, 1e-7]
        array.reshape(-1)[rng.integers(array.size)] = special[rng.integers(len(special))]
    return npy(array)


def fuzz_forgeries(folder, n_cases, seed):
    """Load forged files: each gives a ValueError, or a front that works and can be saved."""
    fronts = [
        drawn_front(3, classes=[4, 5, 6], n_costs=20),
        drawn_front(2, weighted=True),
        bare_front(
            n_members=3,
            classes=["a", "b", "c"],
            params=[{"x": NAN}, {"y": (1, [2])}, {"z": np.arange(3), "d": {"e": None}}],
        ),
    ]
    originals = [taken_apart(front, folder) for front in fronts]
    rng, path = np.random.default_rng(seed), folder / "forged.front"
    n_loaded = 0
    for case in range(n_cases):
        header, parts = originals[case % len(originals)]
        if rng.random() < 0.4:
            header = forged_header(header, rng)
        else:
            name = list(parts)[rng.integers(len(parts))]
            with np.errstate(all="ignore"):
                try:
                    parts = {**parts, name: forged_part(parts[name], rng)}
                except ValueError:  # some arrays cannot be of some types
                    continue
        forge(path, header, parts)
        loaded = load_or_refuse(path)
        if loaded is not None:
            assert repr(loaded)
            assert 0.0 <= loaded.gini() <= 1.0
            assert len(loaded.to_frame()) == len(loaded)
            assert_same_front(loaded, round_trip(loaded, folder))
            n_loaded += 1
    return n_loaded


def test_random_forgeries(tmp_path):
    assert 20 < fuzz_forgeries(tmp_path, 600, seed=0) < 400
