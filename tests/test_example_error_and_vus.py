"""The figures that the example "Same error, different volume" prints and talks about."""

import runpy
from itertools import combinations
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pytest
from scipy import stats

from skvus import simplified_vus_score

EXAMPLE = Path(__file__).parents[1] / "examples" / "plot_error_and_vus.py"

# error and volume that Landgrebe and Duin print for the banana, Table 4
TABLE_4 = {
    "sc-pca1 nmc": (0.329, 0.667),
    "sc-mogc2,1,2": (0.058, 0.990),
    "sc-qdc": (0.077, 0.970),
    "sc-ldc": (0.091, 0.964),
}


@pytest.fixture(scope="module")
def example():
    mpl.use("Agg")
    import matplotlib.pyplot as plt

    shown = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plt, "show", lambda: shown.extend(plt.get_fignums()))
        namespace = runpy.run_path(str(EXAMPLE), run_name="__main__")
    plt.close("all")
    return namespace | {"shown": shown}


def row(example, table, name, model):
    return example[table][name][list(example["models"][name]).index(model)]


def test_two_figures(example):
    assert len(example["shown"]) == 2


def test_every_number_is_there(example):
    for name, models in example["models"].items():
        for table in (example["errors"], example["volumes"]):
            assert table[name].shape == (len(models), 10)
            assert np.all((table[name] >= 0) & (table[name] <= 1))


def test_every_split_is_a_fifth_with_all_classes(example):
    for name, (X, y) in example["data"].items():
        for train, test in example["splits"][name]:
            assert len(test) == np.ceil(len(X) / 5)
            assert sorted([*train, *test]) == list(range(len(X)))
            assert len(np.unique(y[test])) == len(np.unique(y))


@pytest.mark.parametrize("model", TABLE_4)
def test_banana_is_near_the_paper(example, model):
    error, volume = TABLE_4[model]
    assert row(example, "errors", "banana", model).mean() == pytest.approx(error, abs=0.02)
    assert row(example, "volumes", "banana", model).mean() == pytest.approx(volume, abs=0.02)


def test_banana_is_ordered_as_in_the_paper(example):
    order = sorted(TABLE_4, key=lambda model: TABLE_4[model][0])
    errors = [row(example, "errors", "banana", model).mean() for model in order]
    volumes = [row(example, "volumes", "banana", model).mean() for model in order]
    assert errors == sorted(errors)
    assert volumes == sorted(volumes, reverse=True)


def test_nearest_mean_is_poor(example):
    for table, sign in (("errors", -1), ("volumes", 1)):
        nearest = row(example, table, "banana", "sc-pca1 nmc")
        rest = [model for model in example["models"]["banana"] if model != "sc-pca1 nmc"]
        for model in rest:
            pair = np.array([nearest, row(example, table, "banana", model)])
            assert sign * (pair[1] - pair[0]).min() > 0
            assert example["two_way_anova"](pair)[1] < 0.005
    assert np.argmax(example["errors"]["digits"].mean(axis=1)) in range(3)  # all three are nmc


def test_anova_of_two_rows_is_a_paired_t_test(example):
    for name, models in example["models"].items():
        for pair in combinations(range(len(models)), 2):
            table = example["errors"][name][list(pair)]
            if np.ptp(table[0] - table[1]) < 1e-12:
                continue
            t = stats.ttest_rel(*table)
            f_value, p_value = example["two_way_anova"](table)
            assert f_value == pytest.approx(t.statistic**2, rel=1e-7, abs=1e-12)
            assert p_value == pytest.approx(t.pvalue, rel=1e-7)


def test_anova_of_many_rows():
    # the sums of squares of a table that is done by hand
    anova = runpy_free_anova()
    table = np.array([[1.0, 2.0, 3.0], [2.0, 3.0, 4.0], [6.0, 7.0, 5.0]])
    assert anova(table) == pytest.approx(26.0 / 3 / (8.0 / 3 / 4))


def runpy_free_anova():
    def f_value(table):
        centred = table - table.mean()
        rows = 3 * (centred.mean(axis=1) ** 2).sum()
        columns = 3 * (centred.mean(axis=0) ** 2).sum()
        return (rows / 2) / (((centred**2).sum() - rows - columns) / 4)

    return f_value
