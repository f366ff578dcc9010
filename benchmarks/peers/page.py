"""The report as a page of Markdown: texts around the numbers of a run."""

import numpy as np

from benchmarks.peers import charts
from benchmarks.peers.machine import described
from benchmarks.peers.measuring import OURS, is_twin, ratio_text
from benchmarks.peers.packages import LEFT_OUT, PEERS, missing, version_of
from benchmarks.timing import show

PICTURES = "_static/benchmarks"
_BUSY = 0.2  # of the cores
_CLOSE = 0.95  # ratios between this and its inverse are called equal
CAPTIONS = {
    "areas": "Time against cases and classes: areas of pairs, of one class against the rest",
    "labels": "Time against cases: mean recall",
    "tuples": "Time against cases a class: volumes, and plain ways to get them",
    "errors": "Time against cases: DeLong's standard error and test",
    "fronts": "Time against points: filters, archives and exact volumes",
}
HEAD = """\
<!-- Written by `python -m benchmarks`, texts and all: change benchmarks/peers instead. -->

# Benchmarks

How fast is skvus beside other packages that do a similar job, is the answer the same, and
where is another one better? All numbers on this page come from one run of
`python -m benchmarks` on one machine, in which everybody gets the same inputs; the run writes
the page, with its texts, tables and pictures. On your machine times will be others, ratios less
so. The tasks are those that skvus is for; much that the others can do is not among them. In a
checkout:

    python -m pip install -e ".[bench]"
    python -m benchmarks --output report
"""
HOW = """\
## How it is measured

- Seconds are those of the processor with one thread each, so that other work on the machine
  matters less. Each call is repeated, in turns with those of the others, and the best time
  counts; the first call, which compiles or loads, does not. What takes seconds runs once.
- A *ratio* is the time of the other divided by the time of skvus: **3x** means that skvus
  takes a third of the time, **0.5x** that it takes twice as long. What checks of input cost
  is part of the time on both sides.
- *Apart* is the largest difference of the answers. Where definitions are the same it must be
  rounding, or the run fails; where they are not, the text says why.
- *Growth* is the power of the size that time grows by, fitted to the larger half of the sizes.
  Who would take too long at a size is left out from there on.
- *Plain ways* are not packages but what one would write oneself.
"""


def marked(ratio):
    """A ratio as text, in bold if skvus is slower."""
    return f"**{ratio_text(ratio)}**" if ratio < _CLOSE else ratio_text(ratio)


def markdown(head, rows):
    """Rows of cells as a table."""
    lines = [head, ["---"] + ["---:"] * (len(head) - 1), *rows]
    return "".join(f"| {' | '.join(map(str, line))} |\n" for line in lines)


def contest_table(contest):
    """Times and ratios by size, differences, and powers."""
    others = [name for name in contest.names() if name != OURS]
    compared = contest.apart() is not None
    rows = []
    for row in contest.rows:
        ratios = row.ratios()
        cells = [f"{row.size:,}", show(row.seconds[OURS])]
        cells += [
            f"{show(row.seconds[name])}, {marked(ratios[name])}" if name in ratios else ""
            for name in others
        ]
        rows.append(cells + ["" if row.apart is None else f"{row.apart:.0e}"] * compared)
    powers = [contest.exponent(name) for name in (OURS, *others)]
    if powers[0] is not None:
        cells = ["" if power is None else f"{power:.2f}" for power in powers]
        rows.append(["growth", *cells] + [""] * compared)
    return markdown([contest.x, OURS, *others] + ["apart"] * compared, rows)


def slower_text(contest):
    """Who is faster than skvus in a contest, and at which sizes, or nothing."""
    found = []
    for name in contest.names():
        if name == OURS or is_twin(name):
            continue
        shares = {
            row.size: row.ratios()[name]
            for row in contest.rows
            if name in row.seconds and row.ratios()[name] < _CLOSE
        }
        if not shares:
            continue
        low, high = min(shares.values()), max(shares.values())
        share = f"{low:.2g}" if f"{low:.2g}" == f"{high:.2g}" else f"{low:.2g} to {high:.2g}"
        every = len(shares) == sum(name in row.seconds for row in contest.rows)
        sizes = _listed([f"{size:,}" for size in shares])
        where = "at every size" if every and len(shares) > 1 else f"at {sizes} {contest.x}"
        where = "" if len(contest.rows) == 1 else f" {where}"
        found.append(f"{name} in {share} of the time{where}")
    if not found:
        return ""
    reason = f". Why: {contest.if_slower}" if contest.if_slower else ""
    return f"- **{contest.title}**: {'; '.join(found)}{reason}.\n"


def _listed(words):
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def where_slower(sections):
    """The paragraph on peers that are faster or better, from the numbers."""
    lines = [slower_text(contest) for section in sections for contest in section.contests]
    lines += [f"- {win}\n" for section in sections for win in section.wins]
    lines = [line for line in lines if line]
    if not lines:
        return "## Where a peer is faster\n\nNowhere in this run.\n"
    return (
        "## Where a peer is faster\n\nThis list is made from the numbers below: every package "
        "that took less than 95% of the time of skvus at some size, or found a better front."
        "\n\n" + "".join(lines)
    )


def summary(sections):
    """How many comparisons there are, and how they end."""
    ratios = np.array(
        [
            ratio
            for section in sections
            for contest in section.contests
            for row in contest.rows
            for name, ratio in row.ratios().items()
            if not is_twin(name)
        ]
    )
    compared = [c for s in sections for c in s.contests if c.tolerance is not None]
    same = sum(contest.agrees() for contest in compared)
    if not ratios.size:
        return "No peer is installed.\n"
    slower, faster = (ratios < _CLOSE).sum(), (ratios > 1 / _CLOSE).sum()
    return (
        f"Of {ratios.size} comparisons with packages, by task, package and size, skvus is "
        f"faster in {faster}, about equal in {ratios.size - faster - slower} and slower in "
        f"{slower}; the median ratio is {np.median(ratios):.2g}x. The answers are the same in "
        f"{same} of the {len(compared)} tasks where they should be.\n"
    )


def machine_text(load):
    """The machine, the software, and how busy it was."""
    rows = [*described()]
    text = f"## The machine\n\n{markdown(['', ''], rows).replace('---:', '---')}"
    if load is None:
        return text
    before, after, cores = load
    busy = before > _BUSY * cores or after > (1 + _BUSY) * cores
    words = (
        "the machine had other work, which makes caches colder and times longer on all sides"
        if busy
        else "there was hardly any other work"
    )
    return (
        f"{text}\nIn the minute before the run {before:.1f} processes wanted one of the "
        f"{cores} cores, in its last minute {after:.1f}, the run itself included: {words}.\n"
    )


def who_takes_part():
    """Packages, what they take part in, and what was looked at."""
    rows = [
        [f"`{name}`", version_of(name) or "not installed", what]
        for name, (_, what) in PEERS.items()
    ]
    table = markdown(["package", "version", "takes part in"], rows).replace("---:", "---")
    absent = missing()
    text = (
        f"Not installed here, and so left out of the tables: {', '.join(absent)}.\n"
        if absent
        else "All of them took part in this run.\n"
    )
    others = "".join(f"- {names}: {reason}.\n" for names, reason in LEFT_OUT.items())
    return (
        f"## Who takes part\n\n{table}\n{text}\nLooked at and left out:\n\n{others}"
        "- mcca, HUM, VUROCS, bcROCsurface, HandTill2001 and others are packages of R, not on "
        "PyPI.\n"
    )


def section_text(section, drawn):
    """A section with its tables and pictures."""
    parts = [f"## {section.title}\n\n{section.text.strip()}\n"]
    left = [contest.chart for contest in section.contests]
    for contest in section.contests:
        left.pop(0)
        what = f"{contest.task}{': ' + contest.agreement if contest.agreement else ''}."
        what = what[0].upper() + what[1:]
        if contest.failed:
            what += f" Left out where an error was raised: {', '.join(sorted(contest.failed))}."
        parts.append(f"### {contest.title}\n\n{what}\n\n{contest_table(contest)}")
        if contest.chart in drawn and contest.chart not in left:
            caption = CAPTIONS[contest.chart]
            parts.append(f"![{caption}]({PICTURES}/{contest.chart}.png)\n")
    for table in section.tables:
        rows = markdown(table.head, table.rows)
        parts.append(f"### {table.title}\n\n{table.text}\n\n{rows}")
    if section.tables:
        parts.append(
            f"![Share of the front of all together against time]({PICTURES}/searches.png)\n\n"
            f"A share of less than {charts.LEAST_SHARE}% is drawn there.\n"
        )
    return "\n".join(parts)


def write(sections, folder, *, load=None):
    """Write the page and its pictures into a folder; return the path of the page."""
    pictures = folder / PICTURES
    pictures.mkdir(parents=True, exist_ok=True)
    by_chart = {}
    for section in sections:
        for contest in section.contests:
            if contest.chart:
                by_chart.setdefault(contest.chart, []).append(contest)
        if section.tables:
            charts.searches(section.tables, pictures / "searches.png")
    for name, contests in by_chart.items():
        charts.growth(contests, pictures / f"{name}.png")
    charts.overview(sections, pictures / "overview.png")
    parts = [
        HEAD,
        summary(sections),
        f"![How many times as fast skvus is, for each task]({PICTURES}/overview.png)\n",
        where_slower(sections),
        HOW,
        machine_text(load),
        *(section_text(section, by_chart) for section in sections),
        who_takes_part(),
    ]
    page = folder / "benchmarks.md"
    page.write_text("\n".join(parts), encoding="utf-8")
    return page
