"""Call every public name, and load damaged files, at random for a long time.

    python -m benchmarks.fuzz --cases 100000 --seed 0
    python -m benchmarks.fuzz --only ROCFront.load --cases 20000

Prints how many cases each name got and what came of them. Every failure is reported once,
with the smallest example that was found; the exit code is 1 if there is any.
"""

import argparse
import faulthandler
import sys
import time
from collections import Counter
from pathlib import Path

from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings
from hypothesis.errors import Flaky

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import fuzz_cases  # noqa: F401 - fills the registry
import fuzz_displays  # noqa: F401
import fuzz_estimators  # noqa: F401
from fuzz_files import LOADERS, draw_case, run_file_case, smaller
from fuzz_oracle import FuzzError, run_case
from fuzz_registry import REGISTRY, cases

CHUNK = 250  # cases between two looks at the failures
# a call that ends after this many seconds only is reported by a dump of all threads
WATCHDOG = 600
# fits take milliseconds, scores a fraction of one
SHARES = {"ParetoROCSearch.fit": 0.5, "load": 10.0}


def fuzz_calls(name, n_cases, start):
    """Outcomes of calls of a public name, and what failed."""
    outcomes, failures, known = Counter(), [], set()
    for first in range(0, n_cases, CHUNK):
        found = []
        options = settings(
            max_examples=min(CHUNK, n_cases - first),
            database=None,
            deadline=None,
            phases=(Phase.generate, Phase.shrink),
            suppress_health_check=list(HealthCheck),
            verbosity=Verbosity.quiet,
            report_multiple_bugs=False,
        )
        attempt = options(given(cases(name))(_attempt(outcomes, failures, found, known)))
        try:
            seed(f"{name} {start} {first}")(attempt)()
        except (FuzzError, Flaky) as failure:
            failures.append(str(failure))
            known.add(getattr(failure, "signature", None) or found[-1])
        except Exception as error:  # a strategy failed
            failures.append(f"{name} has no case: {type(error).__name__}: {error}")
    return outcomes, failures


def _attempt(outcomes, failures, found, known):
    """Function that runs a case; it fails for what is not known already."""

    def attempt(case):
        faulthandler.dump_traceback_later(WATCHDOG)
        outcome = "failed"
        try:
            outcome = run_case(case)
        except FuzzError as failure:
            if failure.signature[0] == "hang":  # to be made smaller by nobody with little time
                failures.append(str(failure))
                known.add(failure.signature)
            elif failure.signature not in known:
                found.append(failure.signature)
                raise
        finally:
            faulthandler.cancel_dump_traceback_later()
            if len(found) <= (outcome == "failed"):  # what shrinks an example does not count
                outcomes[outcome] += 1

    return attempt


def fuzz_loader(name, n_cases, start):
    """Outcomes of loading damaged files, and what failed."""
    outcomes, failures, known = Counter(), [], set()
    for number in range(n_cases):
        case = draw_case(name, start * 10**9 + number)
        try:
            outcomes[run_file_case(case)] += 1
        except FuzzError as failure:
            outcomes["failed"] += 1
            if failure.signature not in known:
                known.add(failure.signature)
                data, _ = smaller(case).data()
                failures.append(f"{failure}\n  seed {start * 10**9 + number}: {data!r}")
    return outcomes, failures


def share_out(n_cases, names):
    """Number of cases of each name."""
    shares = {name: SHARES.get(name, 1.0) for name in names}
    shares |= {name: SHARES["load"] for name in names if name in LOADERS}
    total = sum(shares.values())
    return {name: max(1, -int(-n_cases * share // total)) for name, share in shares.items()}


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--only", nargs="*", default=None, help="public names, or parts of them"
    )
    options = parser.parse_args(arguments)
    names = sorted({*REGISTRY, *LOADERS})
    if options.only is not None:
        names = [name for name in names if any(part in name for part in options.only)]
    total, all_failures = Counter(), []
    for name, n_cases in share_out(options.cases, names).items():
        started = time.perf_counter()
        fuzz = fuzz_loader if name in LOADERS else fuzz_calls
        outcomes, failures = fuzz(name, n_cases, options.seed)
        total += outcomes
        all_failures += failures
        seconds = time.perf_counter() - started
        listed = ", ".join(f"{outcome} {n}" for outcome, n in outcomes.most_common())
        print(f"{name:45} {outcomes.total():7} in {seconds:5.1f} s: {listed}", flush=True)
        for failure in failures:
            print(f"FAILED {failure}", flush=True)
    listed = ", ".join(f"{outcome} {n:,}" for outcome, n in total.most_common())
    print(f"\n{total.total():,} cases: {listed}; {len(all_failures)} failures")
    return 1 if all_failures else 0


if __name__ == "__main__":
    sys.exit(main())
