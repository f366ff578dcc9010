"""Import time, and the first call of a score in a fresh process."""

import os
import subprocess
import sys
import tempfile

from benchmarks.timing import table

SETUP = """
import time
import numpy as np
import skvus
rng = np.random.default_rng(0)
y = np.arange(60) % {q}
proba = rng.dirichlet(np.ones({q}), 60)
rates = 0.7 * np.eye({q}) + 0.3 * rng.dirichlet(np.ones({q}), (8, {q}))
start = time.perf_counter()
{call}
print(time.perf_counter() - start)
"""
CALLS = {
    "polytope_vus_score": (3, "skvus.polytope_vus_score(y, proba.argmax(axis=1))"),
    "polytope_vus, a set": (3, "skvus.polytope_vus(rates)"),
    "polytope_vus, sampled": (6, "skvus.polytope_vus(rates)"),
    "soft_polytope_vus_score": (3, "skvus.soft_polytope_vus_score(y, proba)"),
    "the same, five classes": (5, "skvus.soft_polytope_vus_score(y, proba)"),
    "is_discarded": (3, "skvus.is_discarded(rates[0], rates[1:])"),
    "discard_polytope": (3, "skvus.discard_polytope(rates)"),
    "modified_macro_average_score": (
        3,
        "skvus.modified_macro_average_score(y, proba.argmax(axis=1))",
    ),
    "ordered_vus_score": (3, "skvus.ordered_vus_score(y, proba)"),
    "ordered_vus_score, four classes": (4, "skvus.ordered_vus_score(y, proba)"),
    "ordered_vus_score, sampled": (5, "skvus.ordered_vus_score(y, proba, method='sampled')"),
    "simplified_vus_score": (3, "skvus.simplified_vus_score(y, proba)"),
    "hand_till_score": (3, "skvus.hand_till_score(y, proba)"),
    "pdi_score": (3, "skvus.pdi_score(y, proba)"),
    "ordinal_vus_score": (3, "skvus.ordinal_vus_score(y, proba[:, 2])"),
    "operating_points": (3, "skvus.operating_points(y, proba)"),
    "operating_points, five classes": (5, "skvus.operating_points(y, proba)"),
}


def first_call(code, cache):
    environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env=environment,
    )
    return float(done.stdout)


def import_seconds(module):
    code = (
        f"import time; t = time.perf_counter(); import {module}; print(time.perf_counter() - t)"
    )
    return min(first_call(code, tempfile.gettempdir()) for _ in range(5))


def run():
    """Print both tables."""
    rows = []
    for name, (n_classes, call) in CALLS.items():
        code = SETUP.format(q=n_classes, call=call)
        with tempfile.TemporaryDirectory() as cache:
            cold, warm = first_call(code, cache), first_call(code, cache)
        rows.append([name, f"{cold:.2f} s", f"{warm:.2f} s"])
    table("First call in a fresh process", ["score", "no cache", "cached"], rows)
    ours, theirs = import_seconds("skvus"), import_seconds("sklearn.metrics")
    table(
        "Import",
        ["skvus", "sklearn.metrics", "ratio"],
        [[f"{ours:.2f} s", f"{theirs:.2f} s", f"{ours / theirs:.2f}"]],
    )
