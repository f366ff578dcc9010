"""Run all benchmarks, or those named: ``python -m benchmarks polytope start``."""

import sys

from benchmarks import (
    archive,
    front,
    inference,
    large,
    ordering,
    parallel,
    polytope,
    search,
    seeing,
    start,
    threads,
)

SUITES = {
    "polytope": polytope.run,
    "ordering": ordering.run,
    "inference": inference.run,
    "front": front.run,
    "search": search.run,
    "parallel": parallel.run,
    "archive": archive.run,
    "large": large.run,
    "threads": threads.run,
    "seeing": seeing.run,
    "start": start.run,
}


def main(names):
    unknown = set(names) - set(SUITES)
    if unknown:
        print(f"unknown: {', '.join(sorted(unknown))}; there are {', '.join(SUITES)}")
        return 2
    for name in names or SUITES:
        SUITES[name]()
    return 0


sys.exit(main(sys.argv[1:]))
