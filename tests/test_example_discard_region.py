"""What the example on discardable classifiers finds, against what the paper prints.

C. Ferri, J. Hernández-Orallo, M. A. Salido, "Volume under the ROC surface for multi-class
problems", ECML 2003, sections 2 to 5.
"""

from fractions import Fraction

import numpy as np
import pytest

import skvus


@pytest.fixture(scope="module")
def run(run_example):
    return run_example("plot_discard_region")


@pytest.fixture(scope="module")
def found(run):
    return run.variables


def test_pictures(run):
    assert run.n_figures == 4


def test_area_of_two_classes_is_the_mean_of_the_true_rates(found):
    # section 5.3; by it section 5.2, (0.2, 0.2) against (0.1, 0.3), and section 5.5, the
    # geometric mean, are wrong
    assert found["formula_gap"] < 1e-12
    assert found["alike"] == pytest.approx([0.8, 0.8])
    assert found["geometric_gap"] > 0.1


def test_one_of_the_four_classifiers_of_two_classes_adds_nothing(found):
    rates = [found["two_class_rates"](*errors) for errors in found["known"]]
    useless = [
        skvus.is_discarded(rates[k], [*rates[:k], *rates[k + 1 :]]) for k in range(len(rates))
    ]
    assert useless == [False, False, False, True]
    assert skvus.polytope_vus(rates) == pytest.approx(skvus.polytope_vus(rates[:3]))


def test_theorem_1(found):
    assert found["theorem_misses"] == 0
    share = found["useless"].mean()
    truth = float(Fraction(1, 180) / Fraction(1, 8))
    assert abs(share - truth) < 4 * np.sqrt(truth / found["N_RANDOM"])
    # a mixture that is as good in every way, not just the word that there is one
    weights = found["mixtures"][found["useless"]]
    assert np.all(weights >= 0)
    np.testing.assert_allclose(weights.sum(axis=1), 1, rtol=0, atol=1e-9)
    assert found["worst_excess"] < 1e-9


def test_corners_from_the_inequalities_of_the_paper(found):
    # sections 4.2 and 4.3: 27 and 9 corners
    for corners, ours in zip(
        (found["largest_corners"], found["smallest_corners"]), found["ours"], strict=True
    ):
        # x1 to x6 of the paper are rates of its columns a, b, c: here row by row
        in_row_order = corners[:, [2, 4, 0, 5, 1, 3]]
        rows = {tuple(row) for row in in_row_order.round(6)}
        assert rows == {tuple(row) for row in ours.vertices.round(6)}
    assert (len(found["largest_corners"]), len(found["smallest_corners"])) == (27, 9)
    assert found["largest_volume"] == pytest.approx(1 / 8, rel=1e-9)
    assert found["smallest_volume"] == pytest.approx(1 / 180, rel=1e-9)


def test_hasty_hull_is_too_small(found):
    # section 4.4 prints 1/120
    assert found["hasty"] == pytest.approx(1 / 60, rel=1e-9)
    for true_volume, hasty_one in found["slice_volumes"].values():
        assert 1 / 180 < hasty_one < true_volume
    assert found["slice_volumes"]["the perfect one"] == pytest.approx([1 / 8, 1 / 60])


def test_sets_of_classifiers_by_two_ways(found):
    # section 4.5
    np.testing.assert_allclose(found["by_hull"], found["together"], rtol=1e-9)
    assert np.all(np.diff(found["together"]) > 0)
    assert np.all(np.array(found["together"]) >= np.array(found["alone"]) - 1e-12)
    assert found["together"][-1] < sum(found["alone"])
    assert found["needed"] == [True, False, True, True]
