"""Files of fronts: there and back, paths, replacing, what is none."""

import copy
import io
import os
import pathlib
import pickle
import stat
import subprocess
import sys
import threading

import numpy as np
import pytest
from front_file_cases import (
    ARRAYS,
    NAN,
    assert_same_data,
    assert_same_front,
    bare_front,
    drawn_front,
    file_of,
    load_or_refuse,
    refuse,
    round_trip,
)

from skvus import ROCFront

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
