"""The search, as the paper has it, finds what Algorithm 1 finds, line by line."""

from copy import deepcopy

import numpy as np
import pytest
import search_twins as twins
from front_twins import rates_of
from scipy.stats import loguniform, randint, uniform
from sklearn.base import clone
from sklearn.datasets import make_blobs
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.tree import DecisionTreeClassifier

from skvus.search import ParetoROCSearch

AS_IN_THE_PAPER = {
    "n_offspring": 1,
    "selection": "pqrs",
    "cost_proposal": "dirichlet",
    "cost_alpha": 1.0,
    "step_scale": "absolute",
    "cv": "resubstitution",
}


def problem(n_classes, n_cases=45):
    X, y = make_blobs(
        n_samples=n_cases, centers=n_classes, n_features=2, cluster_std=5.0, random_state=4
    )
    return X, y


def by_point(members):
    """Members (params, costs, counts) in the order of their counts of mistakes."""
    return sorted(members, key=lambda member: rates_of(member[2]))


def members_of(search):
    front = search.front_
    rows = zip(front.params, front.costs.tolist(), front.counts.tolist(), strict=True)
    return by_point(rows)


def assert_same_members(found, expected):
    """The same counts exactly; costs and parameters up to the rounding of sums."""
    assert [counts for _, _, counts in found] == [counts for _, _, counts in expected]
    for (_, cost, _), (_, twin_cost, _) in zip(found, expected, strict=True):
        np.testing.assert_allclose(cost, twin_cost, rtol=1e-9, atol=0.0)
    for (params, _, _), (twin_params, _, _) in zip(found, expected, strict=True):
        assert params.keys() == twin_params.keys()
        for name, value in params.items():
            assert type(value) is type(twin_params[name])
            if isinstance(value, float):
                assert value == pytest.approx(twin_params[name], rel=1e-9)
            else:
                assert value == twin_params[name]


def refitted(estimator):
    """Function that fits with some parameters and predicts the same cases.

    Neighbours of a case are others, as ``predict_proba(None)`` has it.
    """
    is_left_out = isinstance(estimator, KNeighborsClassifier)

    def posteriors(X, y, params):
        fitted = clone(estimator).set_params(**params).fit(X, y)
        return fitted.predict_proba(None if is_left_out else X)

    return posteriors


PARAMS = {
    "neighbours": (
        KNeighborsClassifier(),
        {"n_neighbors": randint(1, 12), "p": uniform(1.0, 3.0), "weights": ["uniform"]},
        1.5,
    ),
    "either weighting": (
        KNeighborsClassifier(),
        {"weights": ["uniform", "distance"], "n_neighbors": randint(2, 30)},
        4.0,
    ),
    "naive Bayes": (GaussianNB(), {"var_smoothing": loguniform(1e-3, 10.0)}, 0.5),
    "tree": (
        DecisionTreeClassifier(random_state=0),
        {"max_depth": randint(1, 6), "ccp_alpha": uniform(0.0, 0.02)},
        0.7,
    ),
}


@pytest.mark.parametrize(("seed", "n_classes"), [(0, 2), (0, 3), (1, 3), (0, 4)])
@pytest.mark.parametrize("name", PARAMS)
def test_parameters(name, seed, n_classes):
    estimator, distributions, step = PARAMS[name]
    X, y = problem(n_classes)
    budget = {"n_costs": 10, "n_initial": 10, "step": step}
    search = ParetoROCSearch(
        estimator,
        distributions,
        evolve="params",
        n_generations=30,
        random_state=seed,
        **budget,
        **AS_IN_THE_PAPER,
    ).fit(X, y)
    expected, sizes = twins.algorithm_one(
        X, y, distributions, T=30, seed=seed, posteriors=refitted(estimator), **budget
    )
    assert search.logbook_.select("size") == sizes
    assert_same_members(members_of(search), by_point(expected))
    assert search.n_evaluations_ == 10 + 30 * 10


def test_one_first_member():
    estimator, distributions, step = PARAMS["tree"]
    X, y = problem(3)
    budget = {"n_costs": 4, "n_initial": 1, "step": step}
    search = ParetoROCSearch(
        estimator, distributions, n_generations=12, random_state=5, **budget, **AS_IN_THE_PAPER
    ).fit(X, y)
    expected, sizes = twins.algorithm_one(
        X, y, distributions, T=12, seed=5, posteriors=refitted(estimator), **budget
    )
    assert sizes[0] == 1
    assert search.logbook_.select("size") == sizes
    assert_same_members(members_of(search), by_point(expected))


def arrays_of(model):
    """Arrays of weights, in the order in which they are displaced."""
    if hasattr(model, "coefs_"):
        return [*model.coefs_, *model.intercepts_]
    return [model.coef_, model.intercept_]


def displaced(fitted):
    """Function that adds numbers to the weights one by one, and predicts."""

    def posteriors(X, y, displacement):
        model = deepcopy(fitted)
        numbers = iter(displacement)
        for array in arrays_of(model):
            for index in np.ndindex(array.shape):
                array[index] += next(numbers)
        assert next(numbers, None) is None
        return model.predict_proba(X)

    return posteriors


WEIGHTS = {
    "logistic": (LogisticRegression(), 0.2),
    "perceptron": (
        MLPClassifier((4,), alpha=1.0, solver="lbfgs", max_iter=2000, random_state=0),
        0.3,
    ),
}


@pytest.mark.parametrize(("seed", "n_classes"), [(0, 2), (0, 3), (1, 3)])
@pytest.mark.parametrize("name", WEIGHTS)
def test_weights(name, seed, n_classes):
    estimator, step = WEIGHTS[name]
    X, y = problem(n_classes)
    X = X / X.std(axis=0)
    budget = {"n_costs": 10, "n_initial": 15, "step": step}
    search = ParetoROCSearch(
        estimator,
        evolve="weights",
        n_generations=25,
        random_state=seed,
        **budget,
        **AS_IN_THE_PAPER,
    ).fit(X, y)
    fitted = clone(estimator).fit(X, y)
    n_weights = sum(array.size for array in arrays_of(fitted))
    expected, sizes = twins.algorithm_one_of_weights(
        X, y, n_weights, T=25, seed=seed, posteriors=displaced(fitted), **budget
    )
    assert search.logbook_.select("size") == sizes
    found, expected = members_of(search), by_point(expected)
    assert_same_members([({}, *rest) for _, *rest in found], [({}, *e) for _, *e in expected])
    for (params, _, _), (steps, _, _) in zip(found, expected, strict=True):
        np.testing.assert_allclose(params["weight_step"], steps, rtol=1e-9, atol=1e-12)
    assert search.n_evaluations_ == 15 + 25 * 10


def test_another_seed_finds_others():
    """The comparison can fail: neither the search nor the twin is deaf to its seed."""
    estimator, distributions, step = PARAMS["neighbours"]
    X, y = problem(3)
    budget = {"n_costs": 10, "n_initial": 10, "step": step}
    search = ParetoROCSearch(
        estimator, distributions, n_generations=30, random_state=0, **budget, **AS_IN_THE_PAPER
    ).fit(X, y)
    results = [
        twins.algorithm_one(
            X, y, distributions, T=30, seed=seed, posteriors=refitted(estimator), **budget
        )
        for seed in (0, 1)
    ]
    same, others = (by_point(members) for members, _ in results)
    assert_same_members(members_of(search), same)
    with pytest.raises(AssertionError):
        assert_same_members(members_of(search), others)
    assert results[0][1] != results[1][1]


def test_one_generation_more_or_less_shows():
    estimator, distributions, step = PARAMS["tree"]
    X, y = problem(3)
    budget = {"n_costs": 10, "n_initial": 10, "step": step}
    search = ParetoROCSearch(
        estimator, distributions, n_generations=10, random_state=0, **budget, **AS_IN_THE_PAPER
    ).fit(X, y)
    _, sizes = twins.algorithm_one(
        X, y, distributions, T=11, seed=0, posteriors=refitted(estimator), **budget
    )
    assert search.logbook_.select("size") == sizes[:-1]
    assert search.logbook_.select("generation") == list(range(11))
