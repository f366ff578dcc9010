"""What the example says about the scores, and the page with it."""

import numpy as np
import pytest

import skvus

PROBABILITIES = (
    *("ordered_vus", 'ordered_vus, "sum"', 'ordered_vus, "product"', "simplified_vus"),
    *("angle_vus", "pdi", "hand_till", "one_vs_rest_auc", "ordinal_vus", "soft_polytope_vus"),
)


@pytest.fixture(scope="module")
def example(run_example):
    return run_example("plot_which_score").variables


def change(example, name, what):
    return example["changed"][name][list(example["CHANGES"]).index(what)]


def unmoved(example, what):
    return {name for name in example["SCORES"] if abs(change(example, name, what)) < 1e-12}


def test_all_scores_are_there(example):
    assert {score.name for score in example["SCORES"].values()} == {
        *skvus.get_scorer_names(),
        None,  # expected_cost
    }


def test_what_stands_which_change(example):
    every = set(example["SCORES"])
    assert every - unmoved(example, "other class sizes") == {"one_vs_rest_auc", "expected_cost"}
    stand = {"simplified_vus", 'ordered_vus, "product"', "soft_polytope_vus"}
    assert unmoved(example, "other priors") == stand
    labels = every - set(PROBABILITIES)
    assert unmoved(example, "over-confident") == stand | labels
    blind = {"macro_average", "modified_macro_average", "one_point_auc"}
    blind |= {f"hand_till_crisp_{variant}" for variant in ("1a", "1b", "3")}
    assert unmoved(example, "one kind of mistake") == blind
    assert not unmoved(example, "coarse") & (every - {"angle_vus"})
    assert change(example, "angle_vus", "over-confident") < -0.1
    for name in labels - {"expected_cost"}:
        assert change(example, name, "other priors") < -0.03


def test_the_rule_product_is_the_simplified_volume(example):
    for found in ("base", "even", "rotated", "needed"):
        values = example[found]
        assert values["simplified_vus"] == pytest.approx(
            values['ordered_vus, "product"'], rel=1e-12
        )


def test_ties(example):
    shared = {name for name, rule in example["ties"].items() if rule == "shared"}
    assert shared == set(PROBABILITIES) - {"angle_vus", "soft_polytope_vus"}
    assert example["one_answer"]["angle_vus"] == 1
    more, error = example["gifts"]["soft_polytope_vus"]
    assert more < -5 * error


def test_levels(example):
    even, one_answer, rotated = example["even"], example["one_answer"], example["rotated"]
    for name in ("ordered_vus", "simplified_vus", "ordinal_vus"):
        assert even[name] == pytest.approx(1 / 6, rel=1e-12)
    for name in ("polytope_vus", "soft_polytope_vus"):
        assert even[name] == pytest.approx(8 / 180, rel=1e-12)
    assert even["pdi"] == pytest.approx(1 / 3)
    assert one_answer["modified_macro_average"] < even["modified_macro_average"]
    for name, value in example["perfect"].items():
        assert value == pytest.approx(0 if name == "expected_cost" else 1)
    zero = {name for name, value in rotated.items() if value == 0}
    assert zero == {
        *set(PROBABILITIES) - {"hand_till", "one_vs_rest_auc", "soft_polytope_vus"},
        *("macro_average", "modified_macro_average"),
    }
    # weights are chosen on the noise
    noise = {name: np.mean(values) for name, values in example["noise"].items()}
    assert noise["soft_polytope_vus"] > 3 * even["soft_polytope_vus"]
    for name in set(PROBABILITIES) - {"soft_polytope_vus", "angle_vus"}:
        assert noise[name] == pytest.approx(even[name], abs=0.02)


def test_labels_need_more_cases(example):
    needed = example["needed"]
    labels = set(needed) - set(PROBABILITIES)
    unusual = {"angle_vus", "ordinal_vus"}
    most = max(needed[name] for name in set(PROBABILITIES) - unusual)
    assert all(needed[name] > 1.3 * most for name in labels)
    assert needed["angle_vus"] > 1.5 * needed["ordered_vus"]


def test_effort(example):
    powers = {"n": 1, "n log n": 1, "n², then drawn": 2, "n², then a bound": 2}
    powers["n³, then drawn"] = 3
    for name, effort in example["EFFORT"].items():
        # processes share cores and caches, so only the order of growth is looked at
        assert abs(example["exponents"][name] - powers[effort]) < 0.7, name


def test_what_scores_take(example):
    assert all(example["weighted"].values())
    formula = {name for name, method in example["methods"].items() if method == "formula"}
    assert formula == set(PROBABILITIES) - {"soft_polytope_vus"}
    few = {name for name, classes in example["classes"].items() if classes == "2 to 16"}
    assert few == {"polytope_vus", "soft_polytope_vus"}
    assert len(example["classes"]) == len(example["SCORES"])
    skvus.polytope_vus_score(np.arange(16), np.arange(16))  # so many are taken


def test_better_classifiers_score_more(example):
    for name, curve in example["curves"].items():
        assert (np.diff(curve) > -1e-12).all(), name
        assert curve[-1] > 0.98


def test_needs_are_true(example):
    y, p = example["y"], example["p"]
    logits = np.log(p)
    for name, score in example["SCORES"].items():
        if score.needs == "any scores":
            score(y, logits)
        elif score.needs in ("probabilities", "scores ≥ 0"):
            with pytest.raises(ValueError, match=r"y_score"):
                score(y, logits)
        if score.needs == "scores ≥ 0":
            assert score(y, 7 * p) == pytest.approx(example["base"][name])
        elif score.needs == "probabilities":
            with pytest.raises(ValueError, match="sum"):
                score(y, 7 * p)
