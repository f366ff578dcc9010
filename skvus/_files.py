"""Files of arrays and JSON: a zip archive that is data only, checked when it is read.

The archive holds ``header.json`` and one ``<name>.npy`` for each array, all stored as they are.
The header names the kind and version of the file and a checksum of the arrays. Nothing is
ever unpickled.
"""

import hashlib
import io
import json
import os
import re
import secrets
import struct
import zipfile
from contextlib import contextmanager, suppress

import numpy as np

from skvus._validation import shorten

_HEADER = "header.json"
_MOST_HEADER_BYTES = 2**28
# What `write_array` puts before the data. Numpy's own reader parses Python there, which lets
# a hostile file exhaust the memory or raise almost anything.
_NPY = re.compile(
    rb"\x93NUMPY\x01\x00(..)(\{'descr': '([<>|][biufUS]\d+)', 'fortran_order': False, "
    rb"'shape': \(([\d, ]*)\), \} *\n)",
    re.DOTALL,
)
# What the zip module raises for damaged files, often because it is sent outside of them.
_DAMAGE = (
    zipfile.BadZipFile,
    EOFError,
    NotImplementedError,
    OSError,
    OverflowError,
    RuntimeError,
    ValueError,
    struct.error,
)


def write_archive(path, *, kind, version, header, arrays, prefix=".skvus-", previous=None):
    """Write atomically: a temporary file beside it, flushed to the disk, then renamed.

    Parameters
    ----------
    path : str or path-like
        A link is followed.
    kind : str
        What the file is, checked when it is read.
    version : int
        Version of its format.
    header : dict
        Anything that JSON holds.
    arrays : dict of str to ndarray
    prefix : str, default=".skvus-"
        How the name of the temporary file begins.
    previous : str, default=None
        What an existing file is renamed to, rather than replaced.
    """
    parts = {name: array_to_bytes(array) for name, array in arrays.items()}
    head = {"kind": kind, "version": version, "header": header}
    head["checksum"] = _checksum(header, parts)
    text = json.dumps(head, allow_nan=False).encode()
    with (
        new_file(path, prefix=prefix, previous=previous) as file,
        zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive,
    ):
        archive.writestr(_HEADER, text)
        for name, data in parts.items():
            archive.writestr(f"{name}.npy", data)


def file_path(path):
    """The path of a file that is there, or that can be: as text, links followed."""
    path = os.path.realpath(path_text(path))
    if os.path.exists(path) and not os.path.isfile(path):
        raise OSError(f"path must be that of a file; {path!r} is a folder or a device.")
    if not os.path.isdir(os.path.dirname(path)):
        raise FileNotFoundError(f"path must be in a folder that exists; got {path!r}.")
    return path


@contextmanager
def new_file(path, *, prefix=".skvus-", previous=None):
    """A binary file to write to, which takes its name when it is complete."""
    path = file_path(path)
    temporary = os.path.join(os.path.dirname(path), prefix + secrets.token_hex(8))
    # a new file of its own with the usual permissions, which those of tempfile do not have
    file = open(temporary, "xb")  # noqa: SIM115 - closed below
    try:
        with file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if previous is not None and os.path.exists(path):
            os.replace(path, previous)
        os.replace(temporary, path)
    except BaseException:
        with suppress(FileNotFoundError):  # an interrupt may come when it has its name already
            os.unlink(temporary)
        raise
    _flush_folder(os.path.dirname(path))


def _flush_folder(folder):
    """See that new names survive a loss of power, where folders can be flushed."""
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(descriptor)
    except OSError:
        pass
    finally:
        os.close(descriptor)


def read_archive(path, *, kind, version):
    """Header and arrays of a file that `write_archive` made; raise a ValueError for others."""
    path = path_text(path)
    with open(path, "rb") as file:
        try:
            entries = _entries(file)
        except _DAMAGE as error:
            raise ValueError(f"{path!r} is no skvus file, or it is damaged: {error}") from error
    head = _json(entries.pop(_HEADER), path)
    if not isinstance(head, dict) or head.get("kind") != kind:
        found = shorten(head.get("kind") if isinstance(head, dict) else head)
        raise ValueError(f"{path!r} must be a file of kind {kind!r}; its kind is {found}.")
    if head.get("version") != version:
        raise ValueError(
            f"{path!r} has version {shorten(head.get('version'))} of the format; this release "
            f"of skvus reads version {version}."
        )
    parts = {name.removesuffix(".npy"): data for name, data in entries.items()}
    try:
        is_whole = "header" in head and head.get("checksum") == _checksum(head["header"], parts)
    except RecursionError:  # it may be just too deep to be written
        is_whole = False
    if not is_whole:
        raise ValueError(f"{path!r} is damaged: its checksum does not fit its contents.")
    arrays = {}
    for name, data in parts.items():
        try:
            arrays[name] = array_from_bytes(data)
        except ValueError as error:
            raise ValueError(f"{path!r} is damaged: {name} cannot be read: {error}") from error
    return head["header"], arrays


def path_text(path):
    """A path as text."""
    try:
        return os.fsdecode(path)
    except TypeError as error:
        raise TypeError(f"path must be a string or path-like; got {shorten(path)}.") from error


def _entries(file):
    """The contents of a zip archive by their names, if they may be what was written."""
    with zipfile.ZipFile(file) as archive:
        infos = archive.infolist()
        names = [info.filename for info in infos]
        if _HEADER not in names:
            raise ValueError(f"it has no {_HEADER}.")
        if len(set(names)) != len(names):
            raise ValueError("it has two entries of one name.")
        if not all(name == _HEADER or name.endswith(".npy") for name in names):
            raise ValueError("it has entries that are no arrays.")
        for info in infos:
            if info.compress_type != zipfile.ZIP_STORED or info.file_size != info.compress_size:
                raise ValueError(f"{info.filename} is compressed.")
        # stored as they are and side by side, entries cannot be larger than the file
        if sum(info.file_size for info in infos) > os.fstat(file.fileno()).st_size:
            raise ValueError("its entries are larger than the file.")
        if archive.getinfo(_HEADER).file_size > _MOST_HEADER_BYTES:
            raise ValueError("its header is too large.")
        return {name: archive.read(name) for name in names}


def _json(text, path):
    try:
        return json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path!r} is damaged: its header is no JSON ({error}).") from error


def _refuse(token):
    raise ValueError(f"{token} is none of its numbers")


def array_to_bytes(array):
    """An array in the npy format."""
    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, np.asarray(array, order="C"), allow_pickle=False)
    return buffer.getvalue()


def array_from_bytes(data):
    """Inverse of `array_to_bytes`, in native byte order; a ValueError for anything else.

    Nothing is allocated on the word of the bytes: their number must fit what they claim.
    """
    match = _NPY.match(data)
    if match is None or int.from_bytes(match[1], "little") != len(match[2]):
        raise ValueError("it is no array of numbers or text.")
    try:
        dtype = np.dtype(match[3].decode())
        shape = tuple(int(n) for n in match[4].split(b",") if n.strip())
        array = np.frombuffer(data, dtype, offset=match.end()).reshape(shape)
        array = array.astype(dtype.newbyteorder("="))
        if dtype.kind == "U":
            array.tolist()  # fails for what is no text
    except (ValueError, TypeError, OverflowError, SystemError) as error:
        raise ValueError(f"its type or shape does not fit ({error}).") from error
    if dtype.kind == "b" and array.view(np.uint8).max(initial=0) > 1:
        raise ValueError("it has truth values that are neither true nor false.")
    return array


def _checksum(header, parts):
    """SHA-256 of the header and all arrays: against damage, not against forgery."""
    digest = hashlib.sha256(json.dumps(header, sort_keys=True).encode())
    for name in sorted(parts):
        digest.update(f"\n{name} {len(parts[name])}\n".encode())
        digest.update(parts[name])
    return digest.hexdigest()
