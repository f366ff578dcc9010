"""What the example says about costs from a Dirichlet distribution (Everson and Fieldsend)."""

import numpy as np
import pytest


@pytest.fixture(scope="module")
def run(run_example):
    return run_example("plot_random_costs")


@pytest.fixture(scope="module")
def example(run):
    return run.variables


def test_draws(example):
    # section 3: all parameters one is uniform on the simplex
    assert example["shares"][1, 1, 1] == pytest.approx([0.25] * 4, abs=0.015)
    assert example["shares"][0.3, 0.3, 0.3][3] < 0.1
    for alpha, points in example["draws"].items():
        assert points.sum(axis=1) == pytest.approx(1)
        assert points.mean(axis=0) == pytest.approx(np.array(alpha) / sum(alpha), abs=0.01)
    spread = [example["draws"][alpha].std(axis=0).max() for alpha in ((3, 2, 1), (30, 20, 10))]
    assert spread[1] < spread[0] / 2


def test_threshold_of_two_classes(example):
    # section 2 has t = λ12 / (λ12 + λ22)
    for (cost_12, cost_21), threshold in example["thresholds"].items():
        assert threshold == pytest.approx(cost_21 / (cost_12 + cost_21), abs=0.001)


def test_rates(example):
    costs = np.array([example["OFF"], [[0, 0, 1], [1, 0, 1], [1, 0, 0]]], dtype=float)
    rates = example["rates_of"](costs)
    called, y = example["posteriors"].argmax(axis=1), example["y"]
    for k, j in np.ndindex(3, 3):
        assert rates[0, k, j] == pytest.approx(np.mean(called[y == k] == j))
    assert rates[1, :, 1] == pytest.approx(1.0)  # to call class 2 is free


def test_focus_helps_most_at_first(example):
    # section 6: "the evolutionary algorithm is easily focused"
    flat, _, narrow = (values.mean(axis=0) for values in example["excess"].values())
    for values in (flat, narrow):
        assert (np.diff(values) < 0).all()
    assert narrow[0] < 1.3 * flat[2]  # 10 draws against 100
    assert narrow[2] < 0.7 * flat[2]
    assert abs(narrow[-1] - flat[-1]) < 0.015


def test_what_was_driven_to_zero_stays_there(example):
    # section 4.3 has it that all other rates change little
    none, false, balanced = example["changes"].values()
    assert none[[2, 3]].max() < none[[0, 5]].max()
    assert false[[0, 5]].max() < 0.05 < 0.08 < false[[2, 3]].min()
    assert false[[2, 3]].min() > balanced[[2, 3]].max()


def test_figures(run, example):
    assert run.n_figures == 2
    assert len(example["figure_1"].axes) == 4
    for ax in example["figure_1"].axes:
        assert len(ax.collections[0].get_offsets()) == example["N_POINTS"]
    (ax,) = example["focus_figure"].axes
    assert len(ax.get_legend().get_texts()) == 3
