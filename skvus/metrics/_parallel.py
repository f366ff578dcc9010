"""Blocks of replicates in parallel, with a progress bar; how many jobs there may be."""

import os
import sys
from contextlib import contextmanager

import numpy as np

_BLOCK = 32  # replicates that a worker makes at a time
_LINES = 10  # that are printed where there is no bar
_FIRST_PROCESS = os.getpid()


def spans(n):
    """Begin and end of the blocks of n replicates, whatever the number of workers."""
    return [(start, min(start + _BLOCK, n)) for start in range(0, n, _BLOCK)]


def jobs_here(n_jobs):
    """What to ask joblib for: one job where all cores are asked for inside a worker.

    There, joblib would start as many threads as there are cores, in each of the workers that
    have the cores already. A positive number is what the caller wants, and stays.
    """
    if n_jobs is None or n_jobs > 0:
        return n_jobs
    from joblib.parallel import get_active_backend

    backend, _ = get_active_backend()
    return 1 if getattr(backend, "nesting_level", None) else n_jobs


def workers_here():
    """Which workers to prefer: threads in a process that was forked.

    There, joblib would wait forever for the processes that its parent has started.
    """
    return None if os.getpid() == _FIRST_PROCESS else "threads"


def in_parallel(function, blocks, n_jobs, verbose, what):
    """Arrays of all blocks, joined in order, with a bar that shows how far they are."""
    from joblib import Parallel, delayed

    n_jobs, prefer = jobs_here(n_jobs), workers_here()
    if n_jobs == 1 and not verbose:
        return np.concatenate([function(*block) for block in blocks])
    tasks = (delayed(function)(*block) for block in blocks)
    if not verbose:
        return np.concatenate(Parallel(n_jobs=n_jobs, prefer=prefer)(tasks))
    parts = []
    try:
        results = Parallel(n_jobs=n_jobs, prefer=prefer, return_as="generator")(tasks)
    except ValueError:  # not all backends can tell how far they are
        results = Parallel(n_jobs=n_jobs, prefer=prefer)(tasks)
    with _progress(sum(len(block[-1]) for block in blocks), what) as advance:
        for part in results:
            parts.append(part)
            advance(len(part))
    return np.concatenate(parts)


@contextmanager
def _progress(total, what):
    """A bar of tqdm, or lines in its place where it is not installed."""
    try:
        from tqdm.auto import tqdm
    except ImportError:
        yield _Lines(total, what).advance
        return
    with tqdm(total=total, desc=what) as bar:
        yield bar.update


class _Lines:
    """Some lines that tell how far it is."""

    def __init__(self, total, what):
        self._n_done, self._total, self._what = 0, total, what

    def advance(self, n):
        """So many more are done."""
        before, self._n_done = self._n_done, self._n_done + n
        if self._n_done * _LINES // self._total > before * _LINES // self._total:
            print(f"{self._what}: {self._n_done}/{self._total}", file=sys.stderr, flush=True)
