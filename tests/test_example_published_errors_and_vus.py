"""What the example reads in Landgrebe and Duin's Tables 4 and 5."""

import numpy as np
import pytest
from scipy import stats

DEVIATIONS, ERRORS = "standard deviations", "standard errors"


@pytest.fixture(scope="module")
def run(run_example):
    return run_example("plot_published_errors_and_vus")


@pytest.fixture(scope="module")
def example(run):
    return run.variables


def test_tables_are_read(example):
    sizes = {name: table.shape for name, (_, table) in example["tables"].items()}
    expected = {"Banana": 4, "Sat": 4, "Sign": 4, "Vehicle": 5, "Digits": 7}
    assert sizes == {name: (n, 4) for name, n in expected.items()}
    labels, table = example["tables"]["Sat"]
    assert labels == ["knn3", "ldc", "qdc", "mogc2,1,2"]
    assert table[1].tolist() == [0.111, 0.001, 0.729, 0.015]
    assert example["tables"]["Digits"][1][-1].tolist() == [0.158, 0.003, 0.857, 0.024]


def test_brackets_are_smaller_than_chance(example):
    ratios = np.concatenate(list(example["shortfall"].values()))
    assert len(ratios) == 24
    assert ratios.min() > 1.9
    assert np.mean((ratios > 2) & (ratios < 5)) > 0.7
    first = np.sqrt(0.329 * 0.671 / 1015) / 0.004
    assert ratios[0] == pytest.approx(first)


def test_f_is_that_of_a_paired_t_test(example):
    # with the correlation that there is, here none
    rng = np.random.default_rng(0)
    first, second = rng.normal(size=(2, 10))
    second -= second.mean()
    first -= first.mean()
    second -= first * (first @ second) / (first @ first)  # uncorrelated
    first += 0.4
    cells = [(x.mean(), x.std(ddof=1)) for x in (first, second)]
    f_value = example["f_of_pair"](*cells, 10)
    assert f_value == pytest.approx(stats.ttest_rel(first, second).statistic ** 2)


def test_number_of_pairs(example):
    assert len(example["pairs"]) == 3 * 6 + 10 + 21
    tied, found = example["tied"], example["found_among"]
    assert [len(tied(reading)) for reading in (DEVIATIONS, ERRORS)] == [5, 20]
    assert len(found(tied(DEVIATIONS))) == 2
    assert len(found(tied(ERRORS))) == 9
    assert len(found(tied(ERRORS), ERRORS)) == 3
    assert example["always"] == found(tied(DEVIATIONS))
    assert len(example["sometimes"]) == 7


def test_pairs_that_the_paper_names(example):
    sat, vehicle = example["sat"], example["vehicle"]
    assert sat["names"] == ("ldc", "qdc")
    assert vehicle["names"] == ("fisher nmc", "ldc")
    critical = example["CRITICAL"]
    assert critical == pytest.approx(13.61, abs=0.01)
    for reading in (DEVIATIONS, ERRORS):
        assert vehicle["error"][reading] < 1 < critical < vehicle["volume"][reading]
        assert sat["volume"][reading] > critical
    assert sat["error"][DEVIATIONS] == pytest.approx(18.0)
    assert sat["error"][ERRORS] == pytest.approx(1.8)


def test_ways_to_275(example):
    assert example["needed"][DEVIATIONS] == pytest.approx(-0.76, abs=0.01)
    assert example["needed"][ERRORS] == pytest.approx(0.85, abs=0.01)
    low, high = example["limits"]
    assert low < example["f_of_four"] < 275 < high
    assert example["f_of_four"] == pytest.approx(270.3, abs=0.1)


def test_nearest_mean_after_fisher_has_the_volume_of_the_linear_classifier(example):
    for rows in example["fisher"].values():
        (error, volume), (_, same), (nearest, other) = rows
        assert same == pytest.approx(volume, abs=1e-9)
        assert abs(other - volume) < 0.03
        assert error <= nearest
    # other scores, other volumes, where the classes overlap
    (_, volume), _, (_, other) = example["fisher"]["banana"]
    assert volume > other + 0.003


def test_figure(run, example):
    assert run.n_figures == 1
    axes = example["figure"].axes
    assert len(axes) == 5
    assert [len(ax.texts) for ax in axes] == [0, 2, 0, 2, 0]
    n_joined = sum(len(ax.lines) - 1 for ax in axes)  # error bars are one line of marks
    groups = ("always", "sometimes", "reverse")
    assert n_joined == sum(len(example[name]) for name in groups)
