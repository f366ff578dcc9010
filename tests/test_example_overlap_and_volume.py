"""What the example says about overlapping normal classes."""

from math import factorial

import numpy as np
import pytest
from scipy.special import ndtr

from skvus import operating_rates
from skvus.datasets import make_ordered_gaussians


@pytest.fixture(scope="module")
def run(run_example):
    return run_example("plot_overlap_and_volume")


@pytest.fixture(scope="module")
def example(run):
    return run.variables


def test_areas_of_figure_1(example):
    # section 3: bounded by 1 and 0.5
    perfect, some, guessing = example["two_classes"].values()
    assert perfect["exact"] == pytest.approx(1, abs=1e-7)
    assert guessing["exact"] == pytest.approx(0.5, abs=1e-9)
    assert some["exact"] == pytest.approx(ndtr(1.5 / np.sqrt(2)), abs=1e-9)
    assert [perfect["score"], guessing["score"]] == [1.0, 0.5]


def test_area_is_that_of_trapezoids(example):
    # equation 6 and the sentences below it
    for row in example["two_classes"].values():
        assert row["trapezoids"] == pytest.approx(row["score"], abs=1e-12)
        assert row["scikit-learn"] == pytest.approx(row["score"], abs=1e-12)


def test_figure_1(example):
    (ax,) = example["figure_1"].axes
    assert len(ax.lines) == len(ax.collections) / 2 == 3
    assert [text.get_text() for text in ax.texts] == ["A", "B", "C"]
    for line, row in zip(ax.lines, example["two_classes"].values(), strict=True):
        area = np.sum(
            np.diff(line.get_xdata()) * (line.get_ydata()[1:] + line.get_ydata()[:-1])
        )
        assert area / 2 == pytest.approx(row["exact"], abs=0.002)
    assert len(ax.collections[-1].get_offsets()) == 2  # constant scores


def test_rates_are_those_of_a_large_sample(example):
    for name, (means, _) in example["PRINTED"].items():
        _, y, posteriors = make_ordered_gaussians(
            40_000, means, return_posteriors=True, random_state=0
        )
        rates = operating_rates(y, posteriors, np.ones(4))
        assert example["confusion"][name] == pytest.approx(rates, abs=0.015)


def test_rows_sum_to_one(example):
    # equation 5; not with the prior of equation 3
    for row in example["TABLES"]["confusion"][1]:
        assert row[-2:] == ["1.00", "0.25"]


def test_figure_4(example):
    figure = example["figure_4"]
    assert len(figure.axes) == 4
    for ax in figure.axes[:2]:
        assert len(ax.lines) == 4 + 3  # classes and borders
        assert [line.get_ydata().max() for line in ax.lines[:4]] == pytest.approx(
            [1 / np.sqrt(2 * np.pi)] * 4, abs=1e-3
        )
    shown = [text.get_text() for text in figure.axes[3].texts]
    assert shown == [f"{rate:.3f}" for rate in example["confusion"]["fourth experiment"].flat]


def test_volume_rises_with_the_distance_and_falls_with_classes(example):
    curves = example["curves"]
    for n_classes, volumes in curves.items():
        assert volumes[0] == pytest.approx(1 / factorial(n_classes), abs=1e-9)
        assert (np.diff(volumes) > 0).all()
        assert volumes[-1] > 0.98
    assert (np.diff(list(curves.values()), axis=0)[:, :-1] < 0).all()
    # the footnote: classes with an area of .92 between neighbours are good ones
    assert example["worth"][2.0][12] < 0.4 < 0.9 < example["worth"][2.0][2]


def test_estimates_of_the_paper_are_below_their_curves(example):
    for table, n_classes in ((example["TABLE_2"], 3), (example["TABLE_3"], 4)):
        assert len(table) == 6
        for distance, estimate in table.items():
            assert estimate < example["true_volume"](distance * np.arange(n_classes))


def test_priors(example):
    # section 1 on the area of each class against the rest, section 3 on the volume
    equal, unequal = example["by_frequency"]["each against the rest"]
    assert abs(equal - unequal) > 0.02
    equal, unequal = example["by_frequency"]["simplified VUS"]
    assert unequal == pytest.approx(equal, abs=1e-12)


def test_twelve_classes(example):
    # a footnote of section 1: feasible for 3 to 6
    result, truth = example["twelve"], example["worth"][2.0][12]
    assert 0 < result.standard_error < 0.005
    assert result.score == pytest.approx(truth, abs=0.05)


def test_verdicts(example):
    verdicts = [row[-1] for row in example["TABLES"]["claims"][1]]
    assert verdicts.count("**no**") == 4


def test_output(run):
    assert run.n_figures == 3
    assert "area of neighbours" in run.output
