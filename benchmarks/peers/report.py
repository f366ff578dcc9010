"""Run everything that peers take part in, and write the report."""

import os
from time import perf_counter

from threadpoolctl import threadpool_limits

from benchmarks.peers import (
    fronts,
    labels,
    outside,
    page,
    ranks,
    searches,
    sureness,
    tuples,
)
from benchmarks.peers.machine import load
from benchmarks.peers.packages import missing

PARTS = {
    "areas": ranks.run,
    "labels": labels.run,
    "volumes": tuples.run,
    "errors": sureness.run,
    "fronts": fronts.run,
    "searches": searches.run,
    "outside": outside.run,
}


def run(folder, *, quick=False):
    """Hold all contests, write the report; return whether all answers agree."""
    before, start = load(), perf_counter()
    if absent := missing():
        print(f"Not installed, and so left out: {', '.join(absent)}.")
    sections = []
    with threadpool_limits(1):
        for part in PARTS.values():
            sections.append(part(quick))
    busy = None if before is None else (before, load(), os.cpu_count())
    written = page.write(sections, folder, load=busy)
    print(f"\n{written.name} is written, after {(perf_counter() - start) / 60:.1f} minutes.")
    wrong = [c.title for s in sections for c in s.contests if not c.agrees()]
    for title in wrong:
        print(f"Answers that should be the same are not: {title}")
    return not wrong
