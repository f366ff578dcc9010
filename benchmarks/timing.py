"""Small helpers: best of several runs, a run in a child process, tables on the terminal."""

import subprocess
import sys
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

_CHILD = """
import resource, sys, time


def peak_memory():
    try:  # rather than getrusage, which starts at the size of the parent on Linux
        with open("/proc/self/status") as file:
            return 1024 * next(int(s.split()[1]) for s in file if s.startswith("VmHWM"))
    except OSError:
        size = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return size if sys.platform == "darwin" else 1024 * size


{setup}
before = peak_memory()
wall, cpu = time.perf_counter(), time.process_time()
result = {call}
wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
print(wall, cpu, before, peak_memory(), f"{{float(result):.6f}}")
"""


class Child(NamedTuple):
    """What a call in a process of its own took, in seconds and bytes."""

    wall: float
    cpu: float
    before: float
    peak: float
    result: str


def in_child(setup, call):
    """Measure one call after a setup; `before` is the peak memory of the setup."""
    done = subprocess.run(
        [sys.executable, "-c", _CHILD.format(setup=setup, call=call)],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[1],
    )
    *numbers, result = done.stdout.split()
    return Child(*map(float, numbers), result)


def seconds(function, *, repeats=5, at_least=0.02):
    """Best time of one call, each repeat long enough to be measured."""
    function()  # compile, load, warm up
    best = float("inf")
    for _ in range(repeats):
        calls = 0
        start = perf_counter()
        while True:
            function()
            calls += 1
            spent = perf_counter() - start
            if spent >= at_least:
                break
        best = min(best, spent / calls)
    return best


def show(seconds_):
    """A time with a readable unit."""
    for unit, factor in (("s", 1.0), ("ms", 1e3)):
        if seconds_ * factor >= 1.0:
            return f"{seconds_ * factor:.3g} {unit}"
    return f"{seconds_ * 1e6:.3g} µs"


def show_bytes(n):
    """Memory with a readable unit."""
    return f"{n / 1e9:.2f} GB" if n >= 1e9 else f"{n / 1e6:.0f} MB"


def table(title, head, rows):
    """Print rows of strings under a head."""
    rows = [[str(cell) for cell in row] for row in [head, *rows]]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    print(f"\n{title}")
    for k, row in enumerate(rows):
        print("  " + "  ".join(map(str.rjust, row, widths)))
        if k == 0:
            print("  " + "  ".join("-" * width for width in widths))
