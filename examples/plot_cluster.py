"""
Does a search survive the loss of a worker?
===========================================

A search over a slow classifier is spread over the workers of a cluster. One of them is killed
on the way. We look at who did what, and at whether the front is still the one that a single
process finds.

The cluster is one of dask's with two worker processes on this machine, so that the example can
run anywhere. On several machines, only the address of the scheduler differs:

.. code-block:: console

    host0$ dask scheduler
    host1$ dask worker host0:8786 --nworkers 8 --nthreads 1
    host2$ dask worker host0:8786 --nworkers 8 --nthreads 1

.. code-block:: python

    client = Client("host0:8786")

Workers need the packages of the machine that the search runs on, in the same versions. Nothing
else is shared: the data are scattered to them once.
"""

# %%
# A classifier that takes its time
# --------------------------------
# A random forest on the digits 3, 5 and 8, some of which are hard to tell apart. Depth and the
# share of pixels that a split looks at are evolved. A fit takes some 50 ms, which is worth the
# way to a worker; there are three folds and four offspring a generation, so twelve fits at a
# time.

import os
import signal
import threading
import time
import warnings

import matplotlib.pyplot as plt
import numpy as np
from joblib import parallel_config
from scipy.stats import uniform
from sklearn.datasets import load_digits
from sklearn.ensemble import RandomForestClassifier

import skvus

BLUE, VERMILION, GREEN, GREY = "#0072B2", "#D55E00", "#009E73", "#666666"
CLASSES = [3, 5, 8]

X, y = load_digits(return_X_y=True)
keep = np.isin(y, CLASSES)
X, y = X[keep][:, ::4], y[keep]  # a quarter of the pixels, to make it harder


def make_search():
    """The search that is run alone and by the cluster."""
    return skvus.ParetoROCSearch(
        RandomForestClassifier(40, random_state=0),
        {"max_depth": [2, 3, 4, 6], "max_features": uniform(0.1, 0.9)},
        n_offspring=4,
        n_initial=8,
        n_generations=6,
        cv=3,
        random_state=0,
    )


def start_cluster():
    """A scheduler and two workers, each a process with one thread."""
    from distributed import Client

    return Client(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None)


# %%
# A worker is killed
# ------------------
# Two seconds after the search began, one worker gets SIGKILL, as if its machine had lost power.
# The scheduler gives its fits to the other worker, and a new one is started in its place. That
# has to import its libraries first; the other one may have to wait for it once, since no
# generation begins before the last is complete.

if __name__ == "__main__":  # workers import this file, and must not start a cluster themselves
    alone = make_search().fit(X, y)

    warnings.simplefilter("ignore")  # the cluster says a lot about its dead
    with start_cluster() as client:
        from distributed import get_task_stream

        processes = list(client.run(os.getpid).values())
        with get_task_stream(client) as stream, parallel_config(backend="dask"):
            started = time.time()
            killer = threading.Timer(2.0, os.kill, (processes[0], signal.SIGKILL))
            killer.start()
            helped = make_search().fit(X, y)
            killer.join()
            seconds = time.time() - started
    fits = [
        (task["worker"], step["start"] - started, step["stop"] - started)
        for task in stream.data
        for step in task["startstops"]
        if step["action"] == "compute"
    ]

# %%
# Who did what
# ------------

if __name__ == "__main__":
    workers = sorted(
        {worker for worker, _, _ in fits},
        key=lambda w: min(begin for worker, begin, _ in fits if worker == w),
    )
    figure, axes = plt.subplots(figsize=(7, 1.2 + 0.45 * len(workers)), layout="constrained")
    for row, worker in enumerate(workers):
        spans = [(begin, end - begin) for own, begin, end in fits if own == worker]
        axes.broken_barh(spans, (row - 0.3, 0.6), color=[BLUE, GREEN][row % 2], edgecolor="w")
    axes.axvline(2.0, color=VERMILION, linestyle="--")
    axes.annotate(
        "kill -9",
        (2.0, len(workers) - 0.45),
        xytext=(5, 0),
        textcoords="offset points",
        color=VERMILION,
    )
    axes.set_yticks(range(len(workers)), [f"worker {i + 1}" for i in range(len(workers))])
    axes.set(xlabel="seconds", ylim=(-0.6, len(workers)), title="Fits of a search on a cluster")
    axes.spines[["top", "right"]].set_visible(False)

    same = np.array_equal(alone.front_.rates, helped.front_.rates)
    same = same and np.array_equal(alone.front_.costs, helped.front_.costs)
    print(f"{len(fits)} tasks by {len(workers)} workers in {seconds:.1f} s")
    print(f"{len(helped.front_)} members; the same as alone to the last bit: {same}")
    plt.show()
