"""The report on peers: what a quick run writes, and what its texts make of numbers."""

import re
import struct

import pytest

from benchmarks import __main__ as command
from benchmarks.peers import machine, measuring, packages, page
from benchmarks.peers.measuring import Bout, Contest, Row, Section
from benchmarks.peers.searches import OUR_SEARCH, peer_wins


def contest(*rows, **options):
    rows = [Row(size, seconds, apart) for size, seconds, apart in rows]
    return Contest("A task", "what it is", "cases", rows, tolerance=1e-9, **options)


TWO_PEERS = contest(
    (100, {"skvus": 1e-3, "pauc": 4e-4, "numpy, a loop": 1e-4}, 1e-16),
    (1000, {"skvus": 2e-3, "pauc": 6e-3, "numpy, a loop": 1e-2}, 2e-16),
    (10_000, {"skvus": 4e-3, "pauc": 9e-2}, 0.0),
    if_slower="it has less to do",
)


@pytest.fixture(scope="module")
def quick(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    code = command.main(["--quick", "--output", str(folder)])
    return code, folder, (folder / "benchmarks.md").read_text()


def test_a_quick_run_agrees_with_all_peers(quick):
    assert quick[0] == 0


def test_the_page_has_all_parts(quick):
    heads = re.findall("^## (.*)", quick[2], re.MULTILINE)
    assert heads == [
        "Where a peer is faster",
        "How it is measured",
        "The machine",
        "Areas under curves",
        "Scores of labels",
        "Volumes without a peer",
        "Standard errors and tests",
        "Fronts",
        "Searches",
        "Files and imports",
        "Who takes part",
    ]


def test_pictures_are_there_and_small(quick):
    named = re.findall(r"!\[[^]]+\]\(([^)]+)\)", quick[2])
    written = {str(path.relative_to(quick[1])) for path in quick[1].rglob("*.png")}
    assert len(named) == len(set(named)) == 7
    assert set(named) == written
    for name in named:
        picture = (quick[1] / name).read_bytes()
        assert len(picture) < 150_000
        width, height = struct.unpack(">II", picture[16:24])
        assert 300 < width < 1300
        assert 200 < height < 1300


def test_tables_are_tables(quick):
    blocks = re.findall(r"(?:^\|.*\|\n)+", quick[2], re.MULTILINE)
    assert len(blocks) > 20
    for block in blocks:
        assert len({line.count("|") for line in block.splitlines()}) == 1


def test_the_page_names_no_machine_and_no_path(quick):
    import platform

    assert str(quick[1]) not in quick[2]
    assert not re.search(r"/(home|root|tmp|usr|work)/", quick[2])
    if len(platform.node()) > 4:
        assert platform.node() not in quick[2]


def test_each_peer_takes_part_or_is_said_to_be_absent(quick):
    absent = packages.missing()
    for name in packages.PEERS:
        assert f"`{name}`" in quick[2]
    said = re.search("^Not installed here, .* of the tables: (.*)[.]$", quick[2], re.M)
    assert (said[1].split(", ") if said else []) == absent


def test_reading_a_file_is_compared(quick):
    assert "### Score of a CSV file" in quick[2]


# --- texts from numbers -----------------------------------------------------------


def test_who_is_faster_is_told_with_sizes_and_a_reason():
    text = page.slower_text(TWO_PEERS)
    assert text == (
        "- **A task**: pauc in 0.4 of the time at 100 cases. Why: it has less to do.\n"
    )


def test_nobody_is_faster():
    slow = contest((100, {"skvus": 1e-3, "pauc": 4e-3}, 0.0))
    assert page.slower_text(slow) == ""
    assert "Nowhere in this run." in page.where_slower([Section("", "", [slow])])


def test_plain_ways_do_not_count_as_peers():
    text = page.summary([Section("", "", [TWO_PEERS])])
    assert "Of 3 comparisons with packages" in text
    assert "faster in 2, about equal in 0 and slower in 1" in text
    assert "median ratio is 3x" in text
    assert "the same in 1 of the 1 tasks" in text


def test_a_table_has_ratios_gaps_and_powers():
    lines = page.contest_table(TWO_PEERS).splitlines()
    assert lines[0] == "| cases | skvus | pauc | numpy, a loop | apart |"
    assert lines[2] == "| 100 | 1 ms | 400 µs, **0.4x** | 100 µs, **0.1x** | 1e-16 |"
    assert lines[4] == "| 10,000 | 4 ms | 90 ms, 22x |  | 0e+00 |"
    assert lines[5] == "| growth | 0.30 | 1.18 |  |  |"


def test_answers_that_differ_are_noticed():
    assert TWO_PEERS.agrees()
    wrong = contest((100, {"skvus": 1.0, "pauc": 1.0}, 1e-3))
    assert not wrong.agrees()
    wrong.tolerance = None  # another definition
    assert wrong.agrees()


def test_a_search_that_is_beaten_is_told():
    seconds = {OUR_SEARCH: 2.0, "pygmo, NSGA-II": 0.5, "deap, NSGA-II": 4.0}
    scored = dict.fromkeys(seconds, (10, 0.1, 0.2, 0.5))
    kept = scored | {OUR_SEARCH: (1000, 0.6, 0.1, 0.6), "deap, NSGA-II": (50, 0.1, 0.1, 0.7)}
    scored[OUR_SEARCH] = kept[OUR_SEARCH]
    first, second = peer_wins(1000, seconds, scored, kept)
    assert "pygmo, NSGA-II takes 0.25 of the time; it returns 10 members against 1,000" in first
    assert "deap, NSGA-II would have a better G if it kept" in second


# --- contests ---------------------------------------------------------------------


def test_who_takes_too_long_is_left_out(monkeypatch):
    monkeypatch.setattr(measuring, "_LIMIT", 1e-9)
    found = measuring.hold(
        "t",
        "t",
        x="n",
        sizes=(1, 2),
        make=lambda n: Bout({"skvus": lambda: n, "pauc": lambda: n + 1.0}),
        quick=True,
        tolerance=1e-9,
    )
    assert [list(row.seconds) for row in found.rows] == [["skvus", "pauc"], ["skvus"]]
    assert [row.apart for row in found.rows] == [1.0, None]
    assert not found.agrees()


def test_a_peer_that_fails_is_left_out_and_told(capsys):
    found = measuring.hold(
        "t",
        "t",
        x="n",
        sizes=(1, 2),
        make=lambda n: Bout({"skvus": lambda: 1.0, "pauc": lambda: 1.0 / (n - 1)}),
        quick=True,
        tolerance=1e-9,
    )
    assert found.failed == {"pauc"}
    assert [list(row.seconds) for row in found.rows] == [["skvus"], ["skvus"]]
    assert "pauc fails: ZeroDivisionError" in capsys.readouterr().out
    text = page.section_text(Section("s", "t", [found]), {})
    assert "Left out where an error was raised: pauc." in text


def test_peers_that_are_absent_or_broken_are_left_out(monkeypatch):
    monkeypatch.setitem(packages.PEERS, "none", ("no_such_module_at_all", "nothing"))
    assert packages.peer("none") is None
    assert "none" in packages.missing()
    kept = packages.those_there({"skvus": 1, "none": 2, "none, slowly": 3, "numpy, a loop": 4})
    assert kept == {"skvus": 1, "numpy, a loop": 4}


def test_the_machine_is_described():
    described = dict(machine.described())
    assert {"processor", "memory", "system", "Python", "libraries", "date"} <= set(described)
    assert "numpy" in described["libraries"]


# --- command ----------------------------------------------------------------------


def test_unknown_names_and_quick_runs_into_the_docs_are_refused(capsys):
    assert command.main(["nonsense"]) == 2
    assert "polytope" in capsys.readouterr().out
    assert command.main(["--quick"]) == 2
    assert "--output" in capsys.readouterr().out
