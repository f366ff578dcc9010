"""What the example says about archives that grow; nothing about how fast a machine is."""

import numpy as np
import pytest

METHODS = {"skvus", "scan with numpy", "DEAP"}
KINDS = ("rejected", "entered")


@pytest.fixture(scope="module")
def run(run_example):
    return run_example("plot_archive_growth")


@pytest.fixture(scope="module")
def example(run):
    return run.variables


def test_everything_was_timed(example):
    costs, sizes = example["costs"], example["SIZES"]
    assert sizes == [100, 1_000, 10_000, 100_000]
    expected = {(m, k, s) for m in METHODS - {"DEAP"} for k in KINDS for s in sizes}
    expected |= {("DEAP", k, s) for k in KINDS for s in sizes[:-1]}
    assert set(costs) == expected
    assert all(cost > 0.0 for cost in costs.values())
    assert len(example["archive"]) == sizes[-1]


def test_members_are_mutually_non_dominated(example):
    keys = example["archive"].members.keys
    assert len(np.unique(keys, axis=0)) == len(keys)
    for point in keys[:: len(keys) // 50]:
        assert (keys <= point).all(axis=1).sum() == 1  # the point itself


def test_points_are_what_they_are_called(example):
    """Those that are worse are rejected, fresh ones enter; nothing was changed."""
    archive, members = example["archive"], example["members"]
    assert np.array_equal(archive.members.keys, members)
    assert archive.insert(example["as_members"](example["worse"])).size == 0
    assert len(example["fresh"]) >= 5 * example["BATCH"]
    assert not any(example["is_dominated"](members, point) for point in example["fresh"][:20])


@pytest.mark.parametrize("kind", KINDS)
def test_an_index_beats_a_look_at_all(example, kind):
    costs = example["costs"]
    for size in (10_000, 100_000):  # by two orders of magnitude or more
        assert 5 * costs["skvus", kind, size] < costs["scan with numpy", kind, size]
    assert costs["scan with numpy", kind, 10_000] < costs["DEAP", kind, 10_000]


def test_costs_of_a_scan_grow_as_the_size(example):
    """A hundred times as many members; ours has far less to add."""
    costs = example["costs"]
    for kind in KINDS:
        scan = np.array([costs["scan with numpy", kind, s] for s in example["SIZES"]])
        ours = np.array([costs["skvus", kind, s] for s in example["SIZES"]])
        assert scan[3] > 10 * scan[1]
        assert ours[3] - ours[1] < (scan[3] - scan[1]) / 5


def test_figure(run, example):
    assert run.n_figures == 1
    ax = example["ax"]
    assert ax.get_xscale() == ax.get_yscale() == "log"
    labels = [text.get_text() for text in ax.get_legend().get_texts()]
    assert labels == [f"{m}, {k}" for m in example["METHODS"] for k in ("entered", "rejected")]
    assert ax.get_xlabel()
    assert ax.get_ylabel()
    colours = [line.get_color() for line in ax.get_lines()[:6]]
    assert len(set(colours)) == len(METHODS)
    assert "times as fast as the scan" in run.output
