"""Files of fronts that are forged are refused."""

import hashlib
import io
import json
import os
import pickle
import struct
import sys
import zipfile
import zlib
from base64 import b64encode

import numpy as np
import pytest
from front_file_cases import (
    NAN,
    assert_same_front,
    bare_front,
    drawn_front,
    file_of,
    load_or_refuse,
    refuse,
    round_trip,
)

from skvus import ROCFront

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
