"""What the example says about four operating points of a screening programme."""

import numpy as np
import pytest
from sklearn.metrics import balanced_accuracy_score

import skvus

HEALTHY, INFLAMED, MALIGNANT = range(3)
NAMES = ["most probable class", "distance", "knee", "danger first"]
DANGER = (MALIGNANT, HEALTHY)


@pytest.fixture(scope="module")
def run(run_example):
    return run_example("plot_screening_operating_point")


@pytest.fixture(scope="module")
def example(run):
    return run.variables


def test_people(example):
    for y, total in ((example["y"], 3_000), (example["y_new"], 30_000)):
        classes, counts = np.unique(y, return_counts=True)
        assert classes.tolist() == example["CLASSES"].tolist()
        assert counts.sum() == total
        assert counts / total == pytest.approx([0.84, 0.12, 0.04], abs=0.02)
    X, y = example["X_new"], example["y_new"]
    means = np.array([X[y == label].mean(axis=0) for label in example["CLASSES"]])
    raised = means - means[HEALTHY]
    assert raised[INFLAMED, 0] > 2  # inflammation raises the first marker,
    assert raised[INFLAMED, 0] > 2 * raised[INFLAMED, 1]
    assert (raised[MALIGNANT] > 1.2).all()  # tumours both
    spreads = np.array([X[y == label].std(axis=0) for label in example["CLASSES"]])
    assert spreads == pytest.approx(np.ones((3, 2)), abs=0.15)
    assert spreads[HEALTHY] == pytest.approx([1, 1], abs=0.03)  # the unit of the picture


def test_probabilities_are_out_of_fold(example):
    fitted = example["fitted"].predict_proba(example["X"])
    assert example["proba"].shape == (3_000, 3)
    difference = np.abs(fitted - example["proba"])
    assert 1e-4 < difference.max() < 0.3


def test_front_has_thousands_of_trade_offs(example):
    front = example["front"]
    assert 5_000 < len(front) <= 10_000
    some = front.rates[:: len(front) // 150].reshape(-1, 9)
    off = ~np.eye(3, dtype=bool).ravel()
    better = (some[:, np.newaxis, off] < some[np.newaxis, :, off]).any(axis=2)
    assert better[~np.eye(len(some), dtype=bool)].all()


def test_choices(example):
    front, choices = example["front"], example["choices"]
    assert list(choices) == NAMES
    labels = front.predict(example["proba"], choices["most probable class"])
    assert (labels == example["CLASSES"][example["proba"].argmax(axis=1)]).all()
    recalls = np.einsum("mkk->mk", front.rates).mean(axis=1)
    assert recalls[choices["distance"]] == recalls.max()
    labels = front.predict(example["proba"], choices["distance"])
    assert balanced_accuracy_score(example["y"], labels) == pytest.approx(recalls.max())
    least = front.rates[:, *DANGER] == front.rates[:, *DANGER].min()
    assert recalls[choices["danger first"]] == recalls[least].max()


def test_knee_is_the_best_for_the_largest_share_of_costs(example):
    front = example["front"]
    off = ~np.eye(3, dtype=bool)
    points = front.rates[:, off]
    costs = np.random.default_rng(0).dirichlet(np.ones(6), size=4_000)
    wins = np.bincount((costs @ points.T).argmin(axis=1), minlength=len(front))
    # other draws than those of the rule
    assert wins[example["choices"]["knee"]] > 0.85 * wins.max()


def test_dangerous_mistakes(example):
    counts = example["chosen"].counts
    assert counts[0].sum(axis=1).tolist() == [2516, 363, 121]
    assert counts[:, *DANGER] == pytest.approx([53, 8, 2, 0], abs=2)
    assert counts[3][DANGER] == 0
    recalled = counts[:, HEALTHY, 1:].sum(axis=1)
    assert (np.diff(recalled) > 0).all()
    assert recalled == pytest.approx([67, 539, 745, 970], rel=0.15)
    # the most probable class makes the fewest mistakes of the four
    right = np.einsum("mkk->m", counts)
    assert right[0] == right.max()


def test_picture_shows_two_things_of_many(example):
    front = example["front"]
    shown = np.column_stack([example["recall_rate"](front.rates), front.rates[:, *DANGER]])
    some = shown[:: len(shown) // 300]
    worse = (some[:, np.newaxis] > shown).all(axis=2).any(axis=1)
    assert worse.mean() > 0.5  # "looks bad here"


def test_fresh_people(example):
    evaluation = example["evaluation"]
    rates = evaluation.rates[:, *DANGER]
    assert evaluation.counts[0, MALIGNANT].sum() == 1174
    assert rates == pytest.approx([0.376, 0.060, 0.032, 0.014], rel=0.15, abs=0.01)
    assert (np.diff(rates) < 0).all()
    assert (np.diff(example["recalled"]) > 0).all()
    assert example["recalled"] == pytest.approx([0.023, 0.194, 0.278, 0.352], rel=0.15)
    assert rates[3] > example["chosen"].rates[3][DANGER] == 0
    assert rates[2] > example["chosen"].rates[2][DANGER] == pytest.approx(0.017, abs=0.01)
    assert (rates[:2] <= example["chosen"].rates[:2, *DANGER]).all()
    assert rates[2] < 0.1 * rates[0]
    assert (evaluation.low[:, *DANGER] < rates).all()
    assert (rates < evaluation.high[:, *DANGER]).all()


def test_dots_in_the_picture(example):
    assert example["shown"].shape == (200, 2)
    assert np.abs(example["shown"]).max() < 6


def test_final_classifier(example):
    final, front = example["final"], example["front"]
    assert isinstance(final, skvus.CostMatrixClassifier)
    assert final.estimator_.predict_proba(example["X_new"]) == pytest.approx(
        example["fitted"].predict_proba(example["X_new"])
    )
    assert final.cost_matrix_ == pytest.approx(front.costs[example["choices"]["knee"]])
    saved, *_ = example["per_1000"].values()
    assert saved[0] - saved[1] == pytest.approx(13, abs=1)
    recalled = [example["per_1000"][f"healthy, called {c}"] for c in ("inflamed", "malignant")]
    before, after = np.sum(recalled, axis=0)
    assert after - before == pytest.approx(215, rel=0.15)


def test_output(run):
    assert run.n_figures == 2
    assert "FrontEvaluation of 4 members" in run.output
    assert "per 1,000 people screened" in run.output
