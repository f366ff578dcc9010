"""What the example says about fronts that promise too much."""

import numpy as np
import pytest

NAMES = ["random forest", "network", "nearest neighbours", "logistic regression"]
EVOLVED = ("network, weights evolved", "resubstitution")
OVER_FITTED = [("random forest", "resubstitution"), ("network", "resubstitution"), EVOLVED]


@pytest.fixture(scope="module")
def run(run_example):
    return run_example("plot_honest_fronts")


@pytest.fixture(scope="module")
def example(run):
    return run.variables


@pytest.fixture(scope="module")
def means(example):
    return {name: rows.mean(axis=0) for name, rows in example["results"].items()}


def test_no_data_set_was_picked(example):
    assert list(example["SEEDS"]) == list(range(8))
    expected = {(name, cases) for name in NAMES for cases in ("resubstitution", "5 folds")}
    assert set(example["results"]) == expected | {EVOLVED}
    for rows in example["results"].values():
        assert rows.shape == (8, 5)
        assert np.isfinite(rows).all()


def test_data(example):
    X, y = example["X_new"], example["y_new"]
    assert np.bincount(y).tolist() == [5_000] * 3
    for k, centres in enumerate(example["CENTRES"]):
        assert X[y == k].mean(axis=0) == pytest.approx(centres.mean(axis=0), abs=0.03)
        between = ((centres[0] - centres[1]) / 2) ** 2
        assert X[y == k].var(axis=0) == pytest.approx(0.03 + between, abs=0.01)
    assert example["X"].shape == (300, 2)


def test_resubstitution_promises_too_much(example, means):
    optimism = example["optimism"]
    measured = [optimism[name].mean() for name in OVER_FITTED]
    assert measured == pytest.approx([0.186, 0.142, 0.123], abs=0.035)
    for name in OVER_FITTED:
        assert (optimism[name] > 0.04).all()  # with every data set
        promised, delivered = means[name][2:4]
        assert delivered > 1.4 * promised
    assert means["random forest", "resubstitution"][0] > 0.99


def test_folds_take_most_of_it_away(example):
    optimism = example["optimism"]
    for name in ("random forest", "network"):
        before = optimism[name, "resubstitution"].mean()
        assert optimism[name, "5 folds"].mean() < before / 4
        assert (optimism[name, "5 folds"] < optimism[name, "resubstitution"]).all()
    in_folds = [optimism[name, "5 folds"].mean() for name in NAMES]
    assert in_folds == pytest.approx([0.010, -0.051, 0.018, -0.008], abs=0.035)


def test_where_resubstitution_does_no_harm(example):
    for name in ("nearest neighbours", "logistic regression"):
        assert abs(example["optimism"][name, "resubstitution"].mean()) < 0.035


def test_fewer_cases_explain_the_network(example, means):
    promised, delivered = means["network", "5 folds"][:2]
    assert promised < delivered - 0.02
    assert len(example["fewer_cases"]) == 8 * 5
    fewer = np.mean(example["fewer_cases"])
    assert fewer == pytest.approx(promised, abs=0.03)
    assert fewer < delivered - 0.02


def test_delivered_rates_are_those_of_the_classifier(example):
    """By the labels that members give, without `evaluate`; the last search is at hand."""
    search, X, y = example["search"], example["X_new"], example["y_new"]
    proba = search.estimator_.predict_proba(X)
    chosen = search.best_index_
    labels = search.front_.predict(proba, chosen)
    recalls = [np.mean(labels[y == k] == k) for k in range(3)]
    error = example["results"]["logistic regression", "5 folds"][-1, 3]
    assert error == pytest.approx(1 - np.mean(recalls))


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_every_member_has_its_own_network(example):
    """Rates that the search counted come back from its own training cases."""
    rng = np.random.default_rng(0)
    X, y = example["draw_cases"](100, rng)
    search = type(example["search"])(
        example["network"],
        evolve="weights",
        cv="resubstitution",
        refit=False,
        n_generations=20,
        random_state=0,
    )
    search.fit(X, y)
    assert len({id(member["weight_step"]) for member in search.front_.params}) > 3
    assert example["fresh_rates"](search, X, y) == pytest.approx(search.front_.rates)


def test_fewer_members(example, means):
    resubstitution, folds = (
        means["random forest", cases] for cases in ("resubstitution", "5 folds")
    )
    assert resubstitution[4] < folds[4] / 2
    assert resubstitution[1] < folds[1] - 0.03
    assert len(example["grown"].front_) == 1
    assert example["grown"].gini_ == 1


def test_what_remains(example, means):
    curse = [means[name, "5 folds"][3] - means[name, "5 folds"][2] for name in NAMES]
    assert curse[0] == pytest.approx(0.02, abs=0.008)
    assert curse[2] == pytest.approx(0.02, abs=0.008)
    assert min(curse) > 0
    for name in NAMES:
        spread = example["optimism"][name, "5 folds"]
        assert spread.min() < 0 < spread.max()  # either direction
        assert 0.04 < np.abs(spread).max() < 0.2


def test_output(run):
    assert run.n_figures == 1
    assert "means of 8 data sets" in run.output
    assert "trees grown to the end: 1 member" in run.output
