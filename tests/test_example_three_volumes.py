"""What the example and the guide say about the three volumes."""

import numpy as np
import pytest
from sklearn.metrics import auc, roc_curve


@pytest.fixture(scope="module")
def example(run_example):
    return run_example("plot_three_volumes").variables


def test_two_classes_are_the_auc(example):
    areas = example["areas"]
    for name in ("pairs", "simplified"):
        assert areas[name] == pytest.approx(areas["scikit-learn"], rel=1e-12)
    assert areas["polytope"] > areas["scikit-learn"]


def test_the_left_is_the_area_over_the_hull(example):
    hull = example["hull"]
    assert 1 - auc(*hull.T) == pytest.approx(example["areas"]["polytope"], rel=1e-12)
    alarms, hits, _ = roc_curve(example["y"], example["score"])
    for alarm, hit in zip(alarms, hits, strict=True):  # no threshold is below the hull
        assert 1 - hit >= np.interp(alarm, *hull.T) - 1e-12


def test_the_middle_and_the_right_are_the_same_shape(example):
    heights = example["in_order"].sum(axis=1) / example["N"]
    assert heights == pytest.approx(example["reached"], rel=1e-12)


def test_all_volumes_rise_with_the_distance(example):
    first, *_, last = example["by_separation"]
    assert first["polytope, one classifier"] == pytest.approx(2 / 45, abs=1e-9)
    assert first["simplified"] == pytest.approx(1 / 6)
    assert min(last.values()) > 0.99
    for before, after in zip(
        example["by_separation"], example["by_separation"][1:], strict=False
    ):
        assert all(after[name] >= value - 1e-9 for name, value in before.items())


def test_relations(example):
    for found in [*example["by_separation"], *example["by_classes"].values()]:
        assert found["polytope, one classifier"] <= found["polytope, all weightings"] + 1e-9
        assert found["simplified"] == pytest.approx(found["tuples, by product"], abs=1e-12)
    two = example["by_classes"][2]
    assert two["tuples, by distance"] == pytest.approx(two["simplified"], abs=1e-12)
    for name in two:  # the same distance, more classes
        values = [example["by_classes"][q][name] for q in (2, 3, 4)]
        assert values == sorted(values, reverse=True)
