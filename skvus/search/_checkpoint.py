"""Files that a search can go on from: written while it runs, two of them, data only."""

import os
import time
import warnings
from contextlib import suppress

from skvus._files import path_text, read_archive, write_archive
from skvus._validation import shorten
from skvus.search._fingerprint import differences
from skvus.search._state import State, generator_from

KIND, VERSION = "skvus.ParetoROCSearch.checkpoint", 1
# Without a number of generations: a file is written when this many seconds are over, and so
# many times the seconds that the last one took, so that a search is hardly slower.
_SECONDS = 1.0
_TIMES = 20.0
_LONGEST_NAME = 220


class Checkpoint:
    """The files of one search.

    Parameters
    ----------
    path : str or path-like
    every : int or None
        Generations, or steps of the start, from one file to the next; None goes by time.

    Notes
    -----
    The file before the last is kept beside it, with ".previous" behind its name. Whenever a
    process is killed, one of the two is whole.
    """

    def __init__(self, path, every):
        self.path = os.path.realpath(path_text(path))
        self.previous = f"{self.path}.previous"
        self._prefix = f".{os.path.basename(self.path)}.part-"
        self._every = every
        self._fingerprint = None
        self._rng_state = None
        self._n_steps = 0
        self._last = time.monotonic()
        self._took = 0.0
        self._is_damaged = False
        self._refused = None
        self._has_warned = False

    def saved(self):
        """Yield what a search may go on from: the last file, then the one before.

        Raises
        ------
        ValueError
            If there are files, and none of them is good.
        """
        self._remove_parts()
        found = [path for path in (self.path, self.previous) if os.path.exists(path)]
        for path in found:
            try:
                saved = Saved.read(path)
            except (ValueError, OSError) as error:
                self.refuse(path, error)
            else:
                yield saved
        if found:
            raise ValueError(
                f"checkpoint is refused: {self._refused}. There is no good one: remove "
                f"{' and '.join(map(repr, found))} to start anew."
            )

    def refuse(self, path, error):
        """Take note that a file is not good, and tell so if there is another one."""
        self._refused = str(error).rstrip(".")
        if path == self.path:
            self._is_damaged = True
            if os.path.exists(self.previous):
                warnings.warn(
                    f"checkpoint is refused: {self._refused}. The one before it, "
                    f"{os.path.basename(self.previous)!r}, is tried instead.",
                    UserWarning,
                    stacklevel=2,
                )

    def begin(self, identity, rng_state):
        """What all files of the search have in common."""
        self._fingerprint = identity
        self._rng_state = rng_state
        self._last = time.monotonic()

    def is_due(self):
        """Count a step; tell whether it is time for a file."""
        self._n_steps += 1
        if self._every is not None:
            return self._n_steps % self._every == 0
        return time.monotonic() - self._last >= max(_SECONDS, _TIMES * self._took)

    def write(self, state):
        """Write a file; if that fails, warn and go on, the last one is still good."""
        start = time.monotonic()
        header = {
            "fingerprint": self._fingerprint,
            "rng": self._rng_state,
            "state": state.header,
        }
        try:
            write_archive(
                self.path,
                kind=KIND,
                version=VERSION,
                header=header,
                arrays=state.arrays,
                prefix=self._prefix,
                # what is damaged must not take the place of what is not
                previous=None if self._is_damaged else self.previous,
            )
            self._is_damaged = False
        except OSError as error:
            if not self._has_warned:
                warnings.warn(
                    f"checkpoint could not be written ({error}); the search goes on, and tries "
                    "again.",
                    UserWarning,
                    stacklevel=2,
                )
            self._has_warned = True
        self._last = time.monotonic()
        self._took = self._last - start

    def _remove_parts(self):
        """Remove what processes left that were killed while they wrote."""
        folder = os.path.dirname(self.path)
        with suppress(OSError):
            for name in os.listdir(folder):
                if name.startswith(self._prefix):
                    os.unlink(os.path.join(folder, name))


class Saved:
    """What an earlier search left to go on from.

    Parameters
    ----------
    fingerprint : dict
        Of the problem.
    rng_state : dict
        Of the source of randomness when the search began.
    state : State
    where : str
        How errors call it.
    advice : str
        What to do about another search.
    """

    def __init__(self, fingerprint, rng_state, state, where, advice):
        self.fingerprint = fingerprint
        self.rng_state = rng_state
        self.state = state
        self.where = where
        self.advice = advice

    @classmethod
    def read(cls, path):
        """From a file; a ValueError for anything that cannot be one."""
        header, arrays = read_archive(path, kind=KIND, version=VERSION)
        is_whole = isinstance(header, dict) and set(header) == {"fingerprint", "rng", "state"}
        is_whole = is_whole and all(isinstance(part, dict) for part in header.values())
        if not is_whole:
            raise ValueError(f"{path!r} is damaged: its header is incomplete.")
        generator_from(header["rng"])
        advice = (
            "use another file for another search; inside cross-validation, whose searches have "
            "other data each, leave checkpoint out"
        )
        state = State(header["state"], arrays)
        return cls(header["fingerprint"], header["rng"], state, path, advice)

    @property
    def rng(self):
        """The source of randomness as it was when the search began."""
        return generator_from(self.rng_state)

    def check(self, identity, n_generations):
        """Raise unless it is of the same problem, and not beyond what is asked for."""
        found = differences(self.fingerprint, identity)
        if found:
            raise ValueError(
                f"{self.where} is of another search: {', '.join(found)} changed since. Fit "
                f"with what it was made with, or {self.advice}."
            )
        done = self.state.header.get("n_generations")
        if isinstance(done, int) and done > n_generations:
            raise ValueError(
                f"n_generations must be at least {done}, which are done already; got "
                f"{n_generations}."
            )


def check_checkpoint(path):
    """Raise for what cannot be the path of a file, or of no folder that can be written to."""
    try:
        path = os.path.realpath(os.fsdecode(path))
    except (TypeError, ValueError) as error:
        raise TypeError(
            f"checkpoint must be None or the path of a file; got {shorten(path)}."
        ) from error
    folder = os.path.dirname(path)
    if len(os.fsencode(os.path.basename(path))) > _LONGEST_NAME:
        raise ValueError(
            f"checkpoint must have a name of at most {_LONGEST_NAME} bytes, since files beside "
            f"it have longer ones; got {os.path.basename(path)!r}."
        )
    if os.path.exists(path) and not os.path.isfile(path):
        raise ValueError(f"checkpoint must be the path of a file; {path!r} is none.")
    if not os.path.isdir(folder) or not os.access(folder, os.W_OK):
        raise ValueError(
            f"checkpoint must be in a folder that can be written to; {folder!r} is none."
        )
