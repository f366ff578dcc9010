"""What the example on correctly ordered tuples finds, against what the paper says.

S. Dreiseitl, "Towards more efficient multiclass AUC computations", 2019, sections 1 and 2.
"""

from itertools import permutations

import numpy as np
import pytest

import skvus


@pytest.fixture(scope="module")
def run(run_example):
    return run_example("plot_correct_order")


@pytest.fixture(scope="module")
def found(run):
    return run.variables


def test_pictures(run):
    assert run.n_figures == 5


def test_half_are_wrong_though_all_are_in_order(found):
    # Figure 1: accuracy 50%, AUC close to 100%
    assert found["accuracy"][0.5] == pytest.approx(0.5, abs=0.01)
    assert found["accuracy"][0.71] > 0.98
    assert len({round(value, 12) for value in found["two_class"].values()}) == 1
    assert found["two_class"]["area under the ROC curve"] > 0.995


def test_sums_of_the_drawn_triplet(found):
    # Figure 2
    corners = np.eye(3)
    by_hand = [
        sum(np.linalg.norm(found["three"][i] - corners[j]) for i, j in enumerate(way))
        for way in permutations(range(3))
    ]
    np.testing.assert_allclose(found["three_sums"], by_hand)
    assert np.argmin(by_hand) == 0


def test_the_place_matters_for_distances_alone(found):
    # section 1: "depends only on the positioning of the three symbols relative to one another"
    assert 0.2 < found["by_distance"].mean() < 0.9
    assert found["by_sum"].all()
    assert found["changes"]["sum"] == 0
    assert 10 < found["changes"]["euclidean"] < 100  # of 1000: it is rare


@pytest.mark.parametrize(
    ("n_classes", "degrees"), [(3, 60), (4, 70.5288), (5, 75.5225), (10, 83.6206)]
)
def test_widest_angle_within_a_part(found, n_classes, degrees):
    # section 2: cosine 1/(N-1)
    assert found["widest_angle"](n_classes) == pytest.approx(degrees, abs=1e-4)
    # no direction in the part is further from the corner
    directions = np.random.default_rng(0).dirichlet(np.ones(n_classes), 2000) - 1 / n_classes
    directions = directions[directions.argmax(axis=1) == 0]
    corner = np.eye(n_classes)[0] - 1 / n_classes
    cosine = directions @ corner / np.linalg.norm(directions, axis=1) / np.linalg.norm(corner)
    assert np.degrees(np.arccos(cosine.min())) <= degrees + 1e-6


def test_swapped_pair_passes_the_right_angle(found):
    swapped = found["swapped"]
    assert not found["is_ordered"](swapped)
    assert (found["cosines"](swapped) >= 0).all()
    assert not found["in_own_part"](swapped)


@pytest.mark.parametrize(
    ("rule", "limit"),
    [("right angle", "right_angle"), ("cosine ≥ 1/(N-1)", "cosine"), ("own part", "sector")],
)
def test_rules_are_those_of_the_scores(found, rule, limit):
    for key, (y_score, y) in found["data_sets"].items():
        expected = skvus.angle_vus_score(y, y_score, limit=limit, method="exact")
        assert found["judged"][key][rule].mean() == pytest.approx(expected, abs=1e-3)
        ordered = skvus.ordered_vus_score(y, y_score)
        assert found["judged"][key]["distances"].mean() == pytest.approx(ordered, abs=1e-9)


def test_which_tuples_the_rules_get_wrong(found):
    # section 2: "too restrictive"
    for verdicts in found["judged"].values():
        wrong = {
            name: found["disagreement"](verdicts["distances"], verdicts[name])
            for name in found["RULES"]
        }
        for strict in ("cosine ≥ 1/(N-1)", "own part"):
            assert wrong[strict][1] > 0.1
            assert wrong[strict][1] > wrong["right angle"][1]
            assert wrong[strict][2] < 0.05 < wrong["right angle"][2]
        assert wrong["|cosine| ≤ 1/(N-1), as printed"][1] > 0.99
