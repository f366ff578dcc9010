"""Small helpers: best of several runs, and tables on the terminal."""

from time import perf_counter


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


def table(title, head, rows):
    """Print rows of strings under a head."""
    rows = [[str(cell) for cell in row] for row in [head, *rows]]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    print(f"\n{title}")
    for k, row in enumerate(rows):
        print("  " + "  ".join(map(str.rjust, row, widths)))
        if k == 0:
            print("  " + "  ".join("-" * width for width in widths))
