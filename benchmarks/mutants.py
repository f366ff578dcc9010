"""Change kernels and metrics at random: does a test notice?

    python -m benchmarks.mutants --most 60 --out mutants.jsonl
    python -m benchmarks.mutants --only _kernels.ordering --out mutants.jsonl
    python -m benchmarks.mutants --table mutants.jsonl

Mutants are those of cosmic-ray's operators, at most one at a place, drawn with a fixed seed.
cosmic-ray itself starts Python and compiles kernels anew for each; here a process imports the
tests once and forks for each mutant (`mutation_plugin`), which takes a fraction of a second.
Kernels are tested as Python code, metrics on top of compiled kernels. A run goes on where the
last one stopped. Needs cosmic-ray, and a system that forks.
"""

import argparse
import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]


class Group(NamedTuple):
    """Modules that are tested by the same files, in one process.

    Mutants that survive the quick ones of `tests` may be tried again by the slower ones, and by
    `more` files.
    """

    modules: str
    tests: str
    more: str = ""


KERNELS = [
    Group("_bits _search angles", "kernels_alone", "angle ordering"),
    Group("ordering permanent", "kernels_alone", "ordering tuples components"),
    Group("cells packing", "kernels_alone", "discard polytope"),
    Group("boxes simplex", "kernels_alone", "front_geometry front_measures front_twins"),
    Group("gaussians", "kernels_alone", "datasets generators"),
    Group("costs rates", "kernels_alone", "costs front_building operating_points"),
    Group(
        "covering dominance",
        "kernels_alone",
        "thinning search_archive front_geometry front_measures",
    ),
    Group("triples triple_components", "kernels_alone", "components ordering tuples"),
    Group("rank_components ranking", "components ranking"),
    Group("archive", "archive_index search_archive"),
    Group("arrangement", "kernels_alone soft_polytope weights_for_rates", "operating_points"),
]
METRICS = [
    Group("agreement cost crisp", "agreement cost crisp", "published_values bad_input"),
    Group("polytope volumes discard", "discard polytope", "published_values bad_input"),
    Group("random_simplex", "front_measures", "generators"),
    Group(
        "operating operating_points reaching soft_polytope target_rates",
        "operating_points soft_polytope weights_for_rates",
        "bad_input",
    ),
    Group(
        "grid ordering prices simplified tuples",
        "ordering tuples",
        "angle bad_input invariances",
    ),
    Group("angle", "angle", "bad_input"),
    Group("ranking", "ranking", "bad_input"),
    Group("components drawn_components", "components"),
    Group(
        # not `parallel`, whose workers do not go with processes that are forked here
        "comparison comparison_results covariance estimation inference intervals methods "
        "permutation soft_statistics statistics units",
        "comparison inference inference_details inference_special_cases permutation",
        "bad_inference inference_resampling published_inference",
    ),
    Group("scorers", "scorers"),
]


def run_group(group, only, compiled, options):
    """Let pytest run the tests of a group, under the plugin that makes mutants."""
    names = group.tests.split()
    tried = len(names) if options.again else 0
    if options.again:
        names += group.more.split()
    files = [f"tests/test_{name}.py" for name in names]
    # of several threads of OpenMP, a fork would wait for those that it has not
    environment = os.environ | {
        "MPLBACKEND": "Agg",
        "OMP_NUM_THREADS": "1",
        "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "tests")]),
        "SKVUS_EXAMPLES": "3",
        "SKVUS_MUTANTS": json.dumps(
            {
                "modules": [f"skvus.{module}" for module in only],
                "most": options.most,
                "seed": options.seed,
                "seconds": options.seconds,
                "again": options.again,
                "tried": files[:tried],
                "out": str(Path(options.out).absolute()),
            }
        ),
    }
    if not compiled:
        environment["NUMBA_DISABLE_JIT"] = "1"
    plugins = ["-p", "few_examples", "-p", "benchmarks.mutation_plugin"]
    # what wraps around silently when compiled tells so in Python
    quiet = ["-W", "ignore:overflow encountered in scalar:RuntimeWarning"]
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-rN",
        "--tb=no",
        "-s",
        *plugins,
        *quiet,
        *files,
    ]
    return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode


def table(path):
    """Markdown: for each module how many mutants there were and what became of them."""
    entries = {}  # of a mutant that was tried again the last
    for line in Path(path).read_text().splitlines():
        entry = json.loads(line)
        entries[entry["id"]] = entry
    counts, places = {}, {}
    for entry in entries.values():
        module = entry["module"].removeprefix("skvus.")
        counts.setdefault(module, Counter())[entry["outcome"]] += 1
        places[module] = entry["places"]
    rows = ["| module | places | tried | killed | by time | survived | share killed |"]
    rows.append("|" + "---|" * 7)
    rows += [_row(f"`{module}`", places[module], counts[module]) for module in sorted(counts)]
    rows.append(_row("all", sum(places.values()), sum(counts.values(), Counter())))
    return "\n".join(rows)


def _row(name, n_places, counts):
    killed, late, survived = (counts[key] for key in ("killed", "time", "survived"))
    tried = killed + late + survived
    return (
        f"| {name} | {n_places} | {tried} | {killed} | {late} | {survived} | "
        f"{(killed + late) / max(tried, 1):.0%} |"
    )


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--most", type=int, default=60, help="mutants of a module")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=1e9, help="for each group of modules")
    parser.add_argument("--out", default="mutants.jsonl", help="a line for each mutant")
    parser.add_argument("--only", nargs="*", default=None, help="modules, or parts of names")
    parser.add_argument(
        "--again", action="store_true", help="try what has survived by more tests"
    )
    parser.add_argument("--table", metavar="FILE", help="print what a file says, and end")
    options = parser.parse_args(arguments)
    if options.table:
        print(table(options.table))
        return 0
    groups = [(group, "_kernels.", False) for group in KERNELS]
    groups += [(group, "metrics._", True) for group in METRICS]
    for group, prefix, compiled in groups:
        only = [
            prefix + name
            for name in group.modules.split()
            if options.only is None or any(part in prefix + name for part in options.only)
        ]
        if only and run_group(group, only, compiled, options) != 0:
            return 1
    print(table(options.out))
    return 0


if __name__ == "__main__":
    sys.exit(main())
