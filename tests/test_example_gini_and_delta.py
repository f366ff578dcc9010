"""What the example says about G and δ (Everson and Fieldsend, section 5)."""

from fractions import Fraction

import numpy as np
import pytest


@pytest.fixture(scope="module")
def run(run_example):
    return run_example("plot_gini_and_delta")


@pytest.fixture(scope="module")
def example(run):
    return run.variables


def test_areas_are_the_measures(example):
    for name, gini in example["ginis"].items():
        assert example["by_area"][name] == pytest.approx(gini, abs=5e-4)
    result = example["compared"]
    assert example["delta_areas"] == pytest.approx([result.delta, result.other_delta], abs=5e-4)
    assert min(result.delta, result.other_delta) > 0.03  # the curves cross
    difference = example["ginis"]["X"] - example["ginis"]["Y"]
    assert result.delta - result.other_delta == pytest.approx(difference, abs=1e-12)


def test_gini_of_two_classes(example):
    # "this corresponds to twice the area between the ROC curve and the diagonal"
    ginis, linear = example["ginis"], example["linear"]
    assert ginis["X"] == pytest.approx(linear["X"], abs=1e-12)
    assert ginis["Y"] > linear["Y"] + 0.02  # dips
    assert ginis["Y, rounded"] < linear["Y, rounded"] - 0.02  # ties
    assert len(np.unique(example["measured"]["Y, rounded"])) < 15


def test_volumes_of_the_region(example):
    # equations 14 and 15; 1/2 and "≈ 0.0806"
    volumes, pyramid, printed = (
        example[name] for name in ("volumes", "pyramid", "without_corners")
    )
    assert [volumes[2], volumes[3]] == [Fraction(1, 2), Fraction(29, 360)]
    assert f"{float(volumes[3]):.4f}" == "0.0806"
    assert [pyramid(2), pyramid(3)] == [Fraction(1, 2), Fraction(4, 45)]
    assert all(printed(q) == volumes[q] for q in (2, 3))
    assert all(0 < 1 - printed(q) / volumes[q] < 3e-4 for q in (4, 5, 6))
    for q, (share, error) in example["counted"].items():
        assert share == pytest.approx(float(volumes[q]), abs=4 * error)


def test_gini_of_one_member(example):
    assert example["perfect"] == 1.0
    alone = example["alone"]
    for miss in example["MISSES"]:
        values = [alone[miss, q] for q in example["classes"]]
        assert (np.diff(values) < 0).all()
        assert values[0] == pytest.approx((1 - 2 * miss) ** 2)  # a triangle
    assert alone[0.2, 6] < 0.001
    roots = [alone[0.2, q] ** (1 / (q * (q - 1))) for q in example["classes"]]
    assert max(roots) - min(roots) < 0.2


def test_figures(run, example):
    assert run.n_figures == 2
    (ax,) = example["figure_7"].axes
    labels = [text.get_text() for text in ax.get_legend().get_texts()]
    assert labels[:3] == ["G(X)", "δ(X, Y)", "δ(Y, X)"]
    assert [area.get_hatch() for area in ax.collections] == [None, "--", "||"]
    assert len(example["worth_figure"].axes[0].lines) == 2 * len(example["MISSES"])
