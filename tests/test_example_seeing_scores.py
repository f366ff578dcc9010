"""What the example says about triangles and surfaces, and what they show."""

from itertools import permutations

import numpy as np
import pytest

import skvus


@pytest.fixture(scope="module")
def run(run_example):
    return run_example("plot_seeing_scores")


@pytest.fixture(scope="module")
def example(run):
    return run.variables


def test_twenty_cases_of_each_class(example):
    points = example["cases"].points_
    assert [len(p.get_offsets()) for p in points] == [20, 20, 20]
    value = skvus.ordered_vus_score(example["labels"], example["scores"])
    assert example["cases"].ax_.get_title() == f"ordered VUS {value:.3f}"


def test_triples(example):
    right, wrong = (np.array(triple) for triple in example["triples"].values())
    for triple, identity_is_best in ((right, True), (wrong, False)):
        assert triple.sum(axis=1) == pytest.approx(1.0)
        lengths = np.linalg.norm(triple[:, np.newaxis] - np.eye(3), axis=2)
        sums = {p: lengths[range(3), p].sum() for p in permutations(range(3))}
        best = min(sums, key=sums.get)
        assert best == ((0, 1, 2) if identity_is_best else (2, 1, 0))
    assert list(example["credit"].values()) == [1.0, 0.0]
    assert right[0].argmax() == 2  # on the side of class 2
    (left, _) = example["triples_figure"].axes[:2]
    assert len([line for line in left.lines if line.get_linestyle() == "--"]) == 3


def test_angles(example):
    assert example["angle_credit"] == 1.0
    assert max(example["angles"]) < 90


def test_costs_make_the_dear_mistake_rare(example):
    most_probable, costly = example["wrong"].values()
    assert costly < most_probable / 2
    y, proba = example["y"], example["proba"]
    assert most_probable == ((y == 2) & (proba.argmax(axis=1) == 0)).sum()
    called = (proba @ example["COSTS"]).argmin(axis=1)
    assert costly == ((y == 2) & (called == 0)).sum()
    for display in example["regions"].values():
        assert len(display.regions_) == 3


def test_surfaces(example):
    guessing, partial = example["surfaces"].values()
    for display, chance in ((guessing, True), (partial, False)):
        result = display.volume
        low, high = result.confidence_interval(0.95)
        assert (low < 1 / 6 < high) == chance
        assert display.volume_below == pytest.approx(result.score, abs=0.01)
        assert display.ax_.name == "3d"
    sums = guessing.true_rates.sum(axis=-1)
    assert np.abs(sums - 1).mean() < 0.1  # near the plane
    assert partial.true_rates.sum(axis=-1).max() > 1.4


def test_output(run):
    assert run.n_figures == 5
    assert "ordered VUS of a single triple: 1.0 0.0" in run.output
    assert run.output.count("VUSSurfaceDisplay(") == 2
