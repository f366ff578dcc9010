"""Workers of joblib, and data that they get once, however many tasks they do."""

import pickle
import secrets
import threading
import warnings
from concurrent.futures import BrokenExecutor, CancelledError
from contextlib import ExitStack
from typing import NamedTuple

import numpy as np

from skvus.metrics._parallel import jobs_here, workers_here

# Smaller arrays are sent together; joblib maps what is larger into the memory of workers.
_LARGE = 2**20
# How often workers that died are replaced before tasks are run alone.
_TRIES = 3
# Tasks that rows are divided into, for each worker.
_PARTS = 4
# What workers were sent last: at most so many things.
_MOST_HELD = 4
_held: dict = {}
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


class Done(NamedTuple):
    """What calls returned: anything else that comes back is from workers that are gone."""

    values: list


def run(function, rows, options, *shared):
    """Call a function with the contents of what is shared, and with each of some rows."""
    contents = [one.content for one in shared]
    return Done([function(*contents, *row, **options) for row in rows])


def run_on_cluster(*arguments):
    """The same where workers know of the cluster.

    Joblib would send what a forest does for each tree on to other workers, a task for each.
    """
    from joblib import parallel_config

    with parallel_config(backend="threading", n_jobs=1):
        return run(*arguments)


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
        self._n_jobs = jobs_here(self._n_jobs)
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

    def __call__(self, function, shared, rows, *, lost=None, **options):
        """What a function returns for each row of arguments, in their order.

        If workers die, all is done anew by others: whatever is asked of them, they give the
        same result again. If these die, too, each row is looked at alone.

        Parameters
        ----------
        function : callable
        shared : tuple of Shared
            Its first arguments.
        rows : list of tuple
            Further arguments.
        lost : callable, default=None
            Makes the result of a row that kills its workers, from the error. Without, the
            error is raised.
        **options : dict
            Further options of the function.
        """
        if self.is_serial or not rows:
            return run(function, rows, options, *shared).values
        for attempt in range(1, _TRIES + 1):
            try:
                return self._run(function, shared, rows, options)
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
        return [self._alone(function, shared, row, options, lost) for row in rows]

    def _alone(self, function, shared, row, options, lost):
        try:
            return self._run(function, shared, [row], options)[0]
        except Exception as error:
            self._close()
            if not _is_of_dead_workers(error):
                raise
            return lost(error)

    def _run(self, function, shared, rows, options):
        from sklearn.utils.parallel import delayed

        if self._opened_for != len(self._shared):
            self._reopen()
        # a few parts for each worker, so that none is idle while another has much left
        n_rows = -(-len(rows) // (_PARTS * self.n_workers))
        parts = [rows[first : first + n_rows] for first in range(0, len(rows), n_rows)]
        start = delayed(run if self._cluster is None else run_on_cluster)
        found = self._parallel(start(function, part, options, *shared) for part in parts)
        if len(found) != len(parts) or not all(isinstance(one, Done) for one in found):
            raise CancelledError("some results are missing")
        return [value for one in found for value in one.values]

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
        parallel = Parallel(n_jobs=self._n_jobs, batch_size=1, prefer=workers_here())
        self._parallel = self._open.enter_context(parallel)
        self._opened_for = len(self._shared)

    def _close(self, *error):
        self._opened_for = self._parallel = None
        self._open.__exit__(*(error or (None, None, None)))


def _is_of_dead_workers(error):
    """Whether an error is of workers or of a cluster, not of what they were asked to do."""
    is_known = isinstance(error, (BrokenExecutor, CancelledError))
    return is_known or type(error).__module__.split(".")[0] in ("distributed", "ray")
