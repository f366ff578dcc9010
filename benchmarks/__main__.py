"""Benchmarks.

    python -m benchmarks                   everything on PyPI that does a similar job, a report
    python -m benchmarks polytope start    suites of our own, by name
    python -m benchmarks all               all of these and the report

The report is a page with pictures, by default that of the docs; about ten minutes.
"""

import argparse
import importlib
import sys
from pathlib import Path

DOCS = Path(__file__).parents[1] / "docs"
SUITES = (
    "polytope",
    "ordering",
    "inference",
    "front",
    "search",
    "parallel",
    "archive",
    "large",
    "threads",
    "seeing",
    "start",
)


def parser():
    """The options."""
    found = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    names = ("peers", *SUITES, "all")
    found.add_argument(
        "names",
        nargs="*",
        metavar="NAME",
        help=f"what to run: {', '.join(names)} (default peers: the report)",
    )
    found.add_argument(
        "--output",
        type=Path,
        default=DOCS,
        metavar="DIR",
        help="where benchmarks.md and _static/benchmarks are written (default docs)",
    )
    found.add_argument("--quick", action="store_true", help="a small report, in seconds")
    return found


def main(arguments):
    """Run what was asked for."""
    given = parser().parse_args(arguments)
    names = given.names or ["peers"]
    if "all" in names:
        names = ["peers", *SUITES]
    unknown = set(names) - {"peers", *SUITES}
    if unknown:
        print(
            f"unknown: {', '.join(sorted(unknown))}; there are peers, {', '.join(SUITES)}, all"
        )
        return 2
    if given.quick and given.output == DOCS:
        print("--quick is for a look: say where to, with --output DIR")
        return 2
    for name in names:
        if name == "peers":
            from benchmarks.peers import report

            if not report.run(given.output, quick=given.quick):
                return 1
        else:
            importlib.import_module(f"benchmarks.{name}").run()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
