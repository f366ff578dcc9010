"""Contests: the same task for us and for others, at several sizes, with the same answer."""

from collections.abc import Callable
from dataclasses import dataclass, field
from time import process_time

import numpy as np

from benchmarks.timing import show

OURS = "skvus"
# whose code is ours or that of a few lines, and no package with that task
TWINS = ("numpy", "numba", "Python", "scipy")
_ENOUGH = 2.0  # seconds that one function may take at one size, and one more call
_LIMIT = 5.0  # who is expected to take longer at the next size is left out from there on


def is_twin(name):
    """Whether a name is that of a plain way rather than that of a package for the task."""
    return name.split(",")[0] in TWINS


def ratio_text(ratio):
    """A ratio as text."""
    return f"{ratio:,.0f}x" if ratio >= 100 else f"{ratio:.2g}x"


@dataclass
class Bout:
    """What is called at one size: functions by name, ours first."""

    functions: dict[str, Callable]
    # how far the answers are apart, from the answers by name; None if they are not comparable
    apart: Callable | None = None


@dataclass
class Row:
    """Seconds of the processor by name at one size, and how far the answers are apart."""

    size: int
    seconds: dict[str, float]
    apart: float | None

    def ratios(self):
        """How often we are done while another is once, by name."""
        ours = self.seconds[OURS]
        return {name: s / ours for name, s in self.seconds.items() if name != OURS}


@dataclass
class Contest:
    """One task at several sizes."""

    title: str
    task: str  # what is computed, by which function of whom
    x: str  # what the size is
    rows: list[Row]
    tolerance: float | None = None
    agreement: str = ""  # why answers differ, or what they are compared by
    if_slower: str = ""  # why a peer may be faster
    chart: str = ""
    failed: set = field(default_factory=set)  # names of those that raised an error

    def names(self):
        """Who took part, we first."""
        return list(dict.fromkeys(name for row in self.rows for name in row.seconds))

    def points(self, name):
        """Sizes and seconds."""
        found = [(row.size, row.seconds[name]) for row in self.rows if name in row.seconds]
        return tuple(np.array(column, dtype=float) for column in zip(*found, strict=True))

    def exponent(self, name):
        """Slope of the logarithms over the larger half of the sizes, or None."""
        sizes, spent = self.points(name)
        if sizes.size < 3:
            return None
        last = slice(-max(3, (sizes.size + 1) // 2), None)
        return float(np.polyfit(np.log(sizes[last]), np.log(spent[last]), 1)[0])

    def apart(self):
        """How far answers are apart at most, None if they are not compared."""
        known = [row.apart for row in self.rows if row.apart is not None]
        return max(known) if known else None

    def agrees(self):
        """Whether all answers that should be the same are."""
        if self.tolerance is None:
            return True
        apart = self.apart()
        return apart is None or apart <= self.tolerance


@dataclass
class Section:
    """Contests on one topic, and tables of other kinds."""

    title: str
    text: str
    contests: list[Contest] = field(default_factory=list)
    tables: list = field(default_factory=list)  # of Table
    wins: list[str] = field(default_factory=list)  # of peers, beyond those in contests


@dataclass
class Table:
    """A table with a text before it."""

    title: str
    text: str
    head: list[str]
    rows: list[list[str]]
    data: tuple | None = None  # what is drawn


def race(functions, *, repeats=5, at_least=0.02, is_loaded=False):
    """Best seconds of the processor for one call of each, in turns; and what they return.

    In turns, so that all meet the same load. The first call of each counts only if it took so
    long that there is no other, and if what it needs `is_loaded` and compiled. Others that
    raise an error are told, and have no seconds and no answer.
    """
    answers, best, total = {}, {}, {}
    for name, function in functions.items():
        start = process_time()
        try:
            answers[name] = function()
        except Exception as error:
            if name == OURS:
                raise
            print(f"  {name} fails: {type(error).__name__}: {error}")
            continue
        total[name] = process_time() - start
        best[name] = total[name] if is_loaded and total[name] > _ENOUGH else np.inf
    total = {name: spent if best[name] < np.inf else 0.0 for name, spent in total.items()}
    for _ in range(repeats):
        for name in answers:
            if total[name] > _ENOUGH:
                continue
            function = functions[name]
            calls, start = 0, process_time()
            while True:
                function()
                calls += 1
                spent = process_time() - start
                if spent >= at_least:
                    break
            best[name] = min(best[name], spent / calls)
            total[name] += spent
    return best, answers


def hold(title, task, *, x, sizes, make, quick=False, power=1.0, **options):
    """Let all take part at each size, until the next size would take them too long.

    `power` is that of the size by which times are expected to grow.
    """
    left, rows, failed = None, [], set()
    for position, size in enumerate(sizes):
        bout = make(size)
        functions = {k: f for k, f in bout.functions.items() if left is None or k in left}
        if quick:
            seconds, answers = race(functions, repeats=1, at_least=0.002)
        else:
            seconds, answers = race(functions, is_loaded=position > 0)
        failed |= functions.keys() - answers.keys()
        rows.append(Row(size, seconds, _apart(bout, answers)))
        if position + 1 < len(sizes):
            growth = (sizes[position + 1] / size) ** power
            left = {k for k, s in seconds.items() if k == OURS or s * growth < _LIMIT}
    contest = Contest(title, task, x, rows, failed=failed, **options)
    tell(contest)
    return contest


def _apart(bout, answers):
    if len(answers) < 2:
        return None
    if bout.apart is not None:
        return float(bout.apart(answers))
    if any(answer is None for answer in answers.values()):
        return None
    ours = np.asarray(answers[OURS], dtype=float)
    return float(max(np.abs(np.asarray(a, dtype=float) - ours).max() for a in answers.values()))


def tell(contest):
    """Print a contest that is over."""
    print(f"\n{contest.title}")
    for row in contest.rows:
        ratios = row.ratios()
        others = "".join(
            f", {name} {show(row.seconds[name])} ({ratio_text(ratio)})"
            for name, ratio in ratios.items()
        )
        apart = "" if row.apart is None else f"; apart {row.apart:.0e}"
        print(f"  {row.size:>9,}  {show(row.seconds[OURS])}{others}{apart}", flush=True)
    if not contest.agrees():
        print(f"  NOT THE SAME: {contest.apart():.2g}, more than {contest.tolerance:.0e}")
