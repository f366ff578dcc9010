"""What the example says about prices, wrong probabilities and other frequencies."""

import numpy as np
import pytest
from sklearn.metrics import confusion_matrix

import skvus

HEALTHY, INFLAMED, MALIGNANT = range(3)
BAYES, RECALIBRATED, FRONT = range(3)
PRICES = [10, 20, 50, 100, 200, 500, 1000]


@pytest.fixture(scope="module")
def run(run_example):
    return run_example("plot_cost_matrix_sensitivity")


@pytest.fixture(scope="module")
def example(run):
    return run.variables


@pytest.fixture(scope="module")
def excess(example):
    """Mean cost above the best possible, by way and price."""
    assert example["excess"].shape == (10, 3, 7)
    return example["excess"].mean(axis=0)


def at(price):
    return PRICES.index(price)


def test_readings_are_nearly_the_same(example):
    X, y = example["draw_people"](5_000, np.random.default_rng(1))
    assert X.shape == (5_000, 12)
    healthy = np.corrcoef(X[y == "healthy"].T)
    assert (healthy[:6, :6] > 0.8).all()
    assert (healthy[6:, 6:] > 0.8).all()


def test_true_probabilities_are_calibrated(example):
    X, y = example["draw_people"](40_000, np.random.default_rng(1))
    proba = example["true_proba"](X)
    assert proba.sum(axis=1) == pytest.approx(np.ones(len(y)))
    for k, label in enumerate(example["CLASSES"]):
        for low, high in ((0.0, 0.1), (0.1, 0.5), (0.5, 1.0)):
            inside = (proba[:, k] > low) & (proba[:, k] <= high)
            expected = proba[inside, k].mean()
            error = np.sqrt(expected * (1 - expected) / inside.sum())
            assert np.mean(y[inside] == label) == pytest.approx(expected, abs=4 * error)


def test_naive_bayes_is_too_sure(example, run):
    assert "Badly calibrated" in run.output
    assert "over-confident" in run.output
    training, (X, y), bayes, calibrated, *_ = example["repeats"][0]
    model = skvus.CostMatrixClassifier(bayes).fit(*training)
    fresh = example["draw_people"](3_000, np.random.default_rng(1))
    report = model.calibration(*fresh)
    assert report.is_suspect
    assert (report.slope < 0.8).all()
    better = skvus.CostMatrixClassifier(calibrated).fit(X, y).calibration(*fresh)
    assert (better.error < report.error).all()
    # nearly certain of most people whom it calls healthy
    called = example["proba"][example["proba"].argmax(axis=1) == HEALTHY]
    assert np.mean(called[:, HEALTHY] > 0.99) > 0.5


def test_rates_on_fresh_people(example):
    called = example["direct_calls"](example["bayes"], *example["training"], 100)
    true = example["CLASSES"][example["fresh"]]
    expected = confusion_matrix(true, called, normalize="true")
    assert example["rates_on_fresh"](called) == pytest.approx(expected)
    # where the price and the costs are concerned, the library agrees
    cost = skvus.expected_cost(
        true, called, cost_matrix=example["price_array"](100), priors=example["FREQUENCIES"]
    )
    assert example["cost_per_person"](expected, 100) == pytest.approx(cost)


def test_dearer_mistakes_are_rarer(example):
    front, members = example["front"], example["members"]
    sent_home = front.rates[members, MALIGNANT, HEALTHY]
    assert (np.diff(sent_home) <= 0).all()
    assert sent_home[0] > 0.1
    assert sent_home[-1] == 0
    recalled = 1 - front.rates[members, HEALTHY, HEALTHY]
    assert (np.diff(recalled) >= 0).all()
    for member, price in zip(members, PRICES, strict=True):
        costs = front.expected_costs(example["price_list"](price))
        assert costs[member] == costs.min()


def test_unequal_costs_are_needed(example, excess):
    ratios, of_default = [], np.empty((10, len(PRICES)))
    for seed, (_, people, bayes, _, front, proba) in enumerate(example["repeats"]):
        default = skvus.ROCFront.from_estimator(
            bayes, *people, n_costs=5_000, random_state=seed
        )
        for i, price in enumerate(PRICES):
            called = default.predict(proba, skvus.LeastCost(example["price_list"](price)))
            rates, best = example["rates_on_fresh"](called), example["best_rates"][i]
            of_default[seed, i] = example["excess_cost"](rates, price, best)
        for each in (front, default):
            costs = each.costs[each.select(skvus.LeastCost(example["price_list"](200)))]
            ratios.append(costs[MALIGNANT, HEALTHY] / costs[HEALTHY, INFLAMED])
    assert np.median(ratios[::2]) > 10 * 200
    assert np.median(ratios[1::2]) > 5 * 200  # and not only where such costs are drawn
    mean_of_default = of_default.mean(axis=0)
    differences = mean_of_default - excess[FRONT]
    assert np.abs(differences[: at(50) + 1]).max() < 0.05  # nearly as well up to 50
    assert mean_of_default[at(200)] == pytest.approx(0.23, abs=0.05)
    assert mean_of_default[at(500)] > 0.5
    assert excess[FRONT, [at(200), at(500)]] == pytest.approx([0.06, 0.15], abs=0.03)
    # the same people decide for both: more than chance
    paired = of_default[:, at(200) :] - example["excess"][:, FRONT, at(200) :]
    assert (paired.mean(axis=0) > 2 * paired.std(axis=0) / np.sqrt(10)).all()


def test_rates_of_the_choice_are_flattering(example):
    differences = []
    for i, (_, _, _, _, front, _) in enumerate(example["repeats"]):
        for j, price in enumerate(PRICES):
            before = front.expected_costs(
                example["price_list"](price), priors=example["FREQUENCIES"]
            ).min()
            after = example["cost_per_person"](example["swept"][i, FRONT, j], price)
            differences.append(after / before - 1)
    assert np.mean(differences) > 0.03


def test_one_front_on_fresh_people(example):
    front, evaluation, chosen = (example[name] for name in ("front", "evaluation", "chosen"))
    assert evaluation.counts.sum(axis=2).tolist() == [[10_000] * 3] * len(chosen)
    costs = {}
    for price, member in zip(PRICES, example["members"], strict=True):
        arguments = example["price_list"](price), example["FREQUENCIES"]
        place = chosen.index(member)
        before = front.expected_costs(*arguments)[member]
        after = evaluation.expected_costs(*arguments)[place]
        by_hand = example["cost_per_person"](evaluation.rates[place], price)
        assert after == pytest.approx(by_hand)
        costs[price] = before, after
    for price in (10, 20, 50, 100):
        assert costs[price][1] == pytest.approx(costs[price][0], rel=0.12)
    assert costs[1000] == pytest.approx((0.75, 0.99), rel=0.2)
    assert costs[1000][1] > 1.05 * costs[1000][0]
    assert front.rates[example["members"][-1], MALIGNANT, HEALTHY] == 0
    assert evaluation.rates[chosen.index(example["members"][-1]), MALIGNANT, HEALTHY] > 0


def test_best_possible_is_the_best(example, excess):
    assert excess.min() > 0
    assert example["excess"].min() > -0.02


def test_naive_bayes_hardly_listens(example, excess):
    sent_home = example["swept"][:, BAYES, :, MALIGNANT, HEALTHY].mean(axis=0)
    assert sent_home[0] == pytest.approx(0.09, rel=0.15)
    assert sent_home[-1] == pytest.approx(0.05, rel=0.15)
    best = example["best_rates"][:, MALIGNANT, HEALTHY]
    assert best[0] > 10 * best[-1]
    assert excess[BAYES, at(1000)] == pytest.approx(2.0, abs=0.2)  # three times the best
    assert excess[BAYES, at(20)] < 0.1
    assert excess[BAYES, at(50)] < 0.1


def test_front(example, excess):
    assert excess[FRONT, : at(200) + 1].max() < 0.1
    assert excess[FRONT, at(1000)] == pytest.approx(0.33, rel=0.2)
    assert excess[FRONT, at(1000)] < 0.3 * excess[BAYES, at(1000)]
    sent_home = example["swept"][:, FRONT, -1, MALIGNANT, HEALTHY].mean()
    assert sent_home == pytest.approx(0.012, abs=0.003)
    assert example["best_rates"][-1, MALIGNANT, HEALTHY] == pytest.approx(0.003, abs=0.001)
    sizes = [front.class_sizes[MALIGNANT] for *_, front, _ in example["repeats"]]
    assert np.mean(sizes) == pytest.approx(120, abs=10)


def test_recalibration(excess):
    assert excess[RECALIBRATED, : at(200) + 1].max() < 0.1
    for price in (500, 1000):
        assert excess[RECALIBRATED, at(price)] < excess[FRONT, at(price)]


def test_wrong_price(example):
    wrong = example["wrong_price"].mean(axis=0)
    listening = [wrong[RECALIBRATED], wrong[FRONT], example["wrong_price_best"]]
    for of_way in listening:
        assert of_way[at(10)] > of_way[at(1000)] > of_way[at(100)]
        assert of_way[at(10)] > 2 * of_way[at(1000)]
    assert wrong[FRONT, at(10)] == pytest.approx(0.8, rel=0.2)
    assert wrong[FRONT, at(1000)] == pytest.approx(0.12, abs=0.03)
    assert wrong[BAYES, at(10)] == min(of_way[at(10)] for of_way in (*listening, wrong[BAYES]))
    assert np.ptp(wrong[BAYES]) < 0.25


def test_other_frequencies(example):
    assert example["malignant_shares"].tolist() == [0.005, 0.01, 0.04, 0.1, 0.3]
    for priors in example["elsewhere"]:
        assert priors.sum() == pytest.approx(1)
        assert priors[HEALTHY] == pytest.approx(7 * priors[INFLAMED])
    bayes, recalibrated, front, not_told = example["moved"].mean(axis=0)
    assert front[:4].max() < 0.1
    assert not_told[0] == pytest.approx(0.4, rel=0.2)
    assert not_told[-1] > 1
    assert front[0] < not_told[0]
    assert front[-1] < 0.5 < not_told[-1]
    assert bayes[-1] > 1
    assert recalibrated.max() < 0.2
    # at home, all is as in the sweep
    at_home = example["excess"][:, :, at(100)].mean(axis=0)
    assert [bayes[2], recalibrated[2], front[2]] == pytest.approx(at_home, abs=0.03)


def test_output(run):
    assert run.n_figures == 2
    assert "cost above the best possible" in run.output
