"""Blocks of replicates in parallel, with a progress bar; how many jobs there may be."""

from contextlib import contextmanager

import numpy as np

_BLOCK = 32  # replicates that a worker makes at a time


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


def in_parallel(function, blocks, n_jobs, verbose, what):
    """Arrays of all blocks, joined in order, with a bar that shows how far they are."""
    from joblib import Parallel, delayed

    n_jobs = jobs_here(n_jobs)
    if n_jobs == 1 and not verbose:
        return np.concatenate([function(*block) for block in blocks])
    tasks = (delayed(function)(*block) for block in blocks)
    if not verbose:
        return np.concatenate(Parallel(n_jobs=n_jobs)(tasks))
    parts = []
    try:
        results = Parallel(n_jobs=n_jobs, return_as="generator")(tasks)
    except ValueError:  # not all backends can tell how far they are
        results = Parallel(n_jobs=n_jobs)(tasks)
    with _progress(sum(len(block[-1]) for block in blocks), what) as advance:
        for part in results:
            parts.append(part)
            advance(len(part))
    return np.concatenate(parts)


@contextmanager
def _progress(total, what):
    """A bar of tqdm, or none where it is not installed."""
    try:
        from tqdm.auto import tqdm
    except ImportError:
        yield lambda n: None
        return
    with tqdm(total=total, desc=what) as bar:
        yield bar.update
