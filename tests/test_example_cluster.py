"""What the example says about a search on a cluster."""

import numpy as np
import pytest


@pytest.fixture(scope="module")
def run(run_example):
    pytest.importorskip("distributed")
    return run_example("plot_cluster")


def test_the_cluster_finds_the_same(run):
    alone, helped = run.variables["alone"], run.variables["helped"]
    np.testing.assert_array_equal(alone.front_.rates, helped.front_.rates)
    np.testing.assert_array_equal(alone.front_.costs, helped.front_.costs)
    np.testing.assert_array_equal(
        alone.predict(run.variables["X"]), helped.predict(run.variables["X"])
    )
    assert "the same as alone to the last bit: True" in run.output


def test_the_workers_did_the_fits(run):
    """The lost worker's fits of before may be unknown; its place was taken by another."""
    fits = run.variables["fits"]
    assert len(fits) >= 10
    assert len({worker for worker, _, _ in fits}) >= 2
    assert all(begin <= end for _, begin, end in fits)


def test_one_figure(run):
    assert run.n_figures == 1
