"""Workers of joblib, and data that they get once, however many tasks they do."""

import pickle
import secrets
import threading
import warnings
from concurrent.futures import BrokenExecutor, CancelledError
from contextlib import ExitStack
from typing import Any, NamedTuple

import numpy as np

# Smaller arrays are sent together; joblib maps what is larger into the memory of workers.
_LARGE = 2**20
# How often tasks are run anew whose workers died.
_TRIES = 3
# What workers were sent last: at most so many things.
_MOST_HELD = 4
_held = {}
_lock = threading.Lock()


class Shared:
    """Something that tasks refer to, sent to a worker once.

    Where workers are threads, it is what it was. Otherwise it travels as a few arrays, which
    joblib maps into the memory of all workers of a machine, or which a cluster scatters; a
    worker unpacks it when the first task comes.

    Parameters
    ----------
    content : object
    token : str, default=None
        What tells it from others.
    sent : tuple, default=None
        The arrays that it travels as, if they are known.
    """

    def __init__(self, content, token=None, sent=None):
        self.content = content
        self._token = token or secrets.token_hex(16)
        self._sent = sent

    def __reduce__(self):
        if self._sent is None:  # the same arrays each time: that is how joblib knows them
            self._sent = _packed(self.content)
        return _arrived, (self._token, *self._sent)

    def __dask_tokenize__(self):
        return self._token


def _pickler():
    """What joblib pickles tasks with, since what a notebook defines must be sent, too."""
    try:
        import cloudpickle
    except ImportError:  # joblib before 1.6 brought its own
        from joblib.externals import cloudpickle
    return cloudpickle


def _packed(content):
    """Bytes and large buffers of an object as arrays."""
    large = []
    head = _pickler().dumps(
        content,
        protocol=5,
        buffer_callback=lambda part: part.raw().nbytes < _LARGE or large.append(part.raw()),
    )
    return np.frombuffer(head, dtype=np.uint8), [np.asarray(part) for part in large]


def _arrived(token, head, large):
    """In a worker: what was unpacked before, if it is the same."""
    with _lock:
        if token not in _held:
            for old in list(_held)[: 1 - _MOST_HELD]:
                del _held[old]
            _held[token] = pickle.loads(head, buffers=large)
        return Shared(_held[token], token, (head, large))


class Task(NamedTuple):
    """A function and its arguments, of which some may be shared."""

    function: Any
    arguments: tuple
    options: dict = {}  # noqa: RUF012 - never changed


class Done(NamedTuple):
    """What a task returned: anything else that comes back is from workers that are gone."""

    value: Any


def run(function, *arguments, **options):
    """Call a function with the contents of what is shared."""
    unpacked = [a.content if isinstance(a, Shared) else a for a in arguments]
    return Done(function(*unpacked, **options))


def in_turn(tasks):
    """What tasks return that are run one after the other."""
    return [run(task.function, *task.arguments, **task.options).value for task in tasks]


class Workers:
    """Workers for as long as a search takes; none if it is serial.

    Parameters
    ----------
    n_jobs : int or None
        As everywhere in scikit-learn.
    """

    def __init__(self, n_jobs):
        self._n_jobs = n_jobs
        self._shared = []
        self._open = ExitStack()
        self._parallel = None
        self._opened_for = None

    def __enter__(self):
        from joblib import effective_n_jobs
        from joblib.parallel import get_active_backend

        backend, _ = get_active_backend()
        # a cluster has data sent to it, which its backend must know of from the start
        self._cluster = backend if hasattr(backend, "client") else None
        self.n_workers = 1 if self._n_jobs == 1 else effective_n_jobs(self._n_jobs)
        self.is_serial = self._n_jobs == 1 or (self.n_workers == 1 and self._cluster is None)
        return self

    def __exit__(self, *error):
        self._close(*error)

    @property
    def n_threads(self):
        """How many threads of this process may count at a time."""
        from joblib import cpu_count

        return 1 if self.is_serial else min(self.n_workers, cpu_count())

    def share(self, content):
        """Make something known that many tasks will refer to."""
        shared = Shared(content)
        self._shared.append(shared)
        return shared

    def __call__(self, tasks, lost=None):
        """What the tasks return, in their order.

        If workers die, the tasks are run anew by others: whatever is asked of them, they give
        the same result again. If these die, too, each task is run alone.

        Parameters
        ----------
        tasks : list of Task
        lost : callable, default=None
            Makes the result of a task that kills its workers, from the error. Without, the
            error is raised.
        """
        if self.is_serial:
            return in_turn(tasks)
        for attempt in range(1, _TRIES + 1):
            try:
                return self._run(tasks)
            except Exception as error:
                self._close()
                if not _is_of_dead_workers(error) or (attempt == _TRIES and lost is None):
                    raise
                first_line = str(error).partition("\n")[0]
                warnings.warn(
                    f"Workers died ({type(error).__name__}: {first_line}); what they had to do "
                    "is done anew.",
                    UserWarning,
                    stacklevel=2,
                )
        return [self._alone(task, lost) for task in tasks]

    def _alone(self, task, lost):
        try:
            return self._run([task])[0]
        except Exception as error:
            self._close()
            if not _is_of_dead_workers(error):
                raise
            return lost(error)

    def _run(self, tasks):
        from sklearn.utils.parallel import delayed

        if self._opened_for != len(self._shared):
            self._reopen()
        found = self._parallel(
            delayed(run)(task.function, *task.arguments, **task.options) for task in tasks
        )
        if len(found) != len(tasks) or not all(isinstance(one, Done) for one in found):
            raise CancelledError("some results are missing")
        return [one.value for one in found]

    def _reopen(self):
        from joblib import parallel_config
        from sklearn.utils.parallel import Parallel

        self._close()
        if self._cluster is not None:
            cluster = self._cluster
            options = {
                "client": cluster.client,
                "scatter": list(self._shared),
                **getattr(cluster, "submit_kwargs", {}),
            }
            if hasattr(cluster, "wait_for_workers_timeout"):
                options["wait_for_workers_timeout"] = cluster.wait_for_workers_timeout
            self._open.enter_context(parallel_config(backend="dask", **options))
        self._parallel = self._open.enter_context(Parallel(n_jobs=self._n_jobs))
        self._opened_for = len(self._shared)

    def _close(self, *error):
        self._opened_for = self._parallel = None
        self._open.__exit__(*(error or (None, None, None)))


def _is_of_dead_workers(error):
    """Whether an error is of workers or of a cluster, not of what they were asked to do."""
    is_known = isinstance(error, (BrokenExecutor, CancelledError))
    return is_known or type(error).__module__.split(".")[0] in ("distributed", "ray")
