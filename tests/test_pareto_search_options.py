"""Operating points of a search, and what each of its options does."""

import os
from inspect import signature

import numpy as np
import pytest
from deap import base
from scipy import stats
from search_cases import COST, assert_consistent, members_alike, outcome, small
from sklearn.base import clone
from sklearn.exceptions import FitFailedWarning
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import (
    KFold,
    StratifiedShuffleSplit,
)
from sklearn.naive_bayes import GaussianNB

from skvus import LeastCost, ParetoROCSearch, WithinLimits

# --- operating points -------------------------------------------------------------


class CountedFits(LogisticRegression):
    """Counts its fits."""

    n_fits = 0

    def fit(self, X, y, sample_weight=None):
        """Fit."""
        type(self).n_fits += 1
        return super().fit(X, y, sample_weight)


@pytest.mark.parametrize(
    "rule", ["distance", "knee", LeastCost(COST), WithinLimits({2: 0.3}), 0]
)
@pytest.mark.parametrize("evolve", ["costs", "params", "weights"])
def test_another_operating_point(iris, rule, evolve):
    X, y = iris
    distributions = {"C": stats.loguniform(0.01, 10)} if evolve == "params" else None
    search = small(None, distributions, evolve=evolve, n_generations=5).fit(X, y)
    found = search.front_
    assert search.set_operating_point(rule) is search
    assert search.front_ is found
    assert search.best_index_ == found.select(rule)
    assert_consistent(search, X)
    direct = clone(search).set_params(operating_point=rule).fit(X, y)
    assert outcome(direct) == outcome(search)
    np.testing.assert_array_equal(direct.predict(X), search.predict(X))
    np.testing.assert_array_equal(direct.cv_results_["counts"], search.cv_results_["counts"])


def test_costs_alone_need_no_other_fit(iris):
    X, y = iris
    CountedFits.n_fits = 0
    search = small(CountedFits(), n_costs=50).fit(X, y)
    assert CountedFits.n_fits == 4
    fitted, index = search.estimator_, search.best_index_
    search.set_operating_point(LeastCost(COST))
    assert search.best_index_ != index
    assert search.estimator_ is fitted
    assert CountedFits.n_fits == 4
    CountedFits.n_fits = 0
    assert small(CountedFits(), cv=0.3, refit=False).fit(X, y).estimator_
    assert CountedFits.n_fits == 1


def test_other_parameters_need_another_fit(iris):
    X, y = iris
    search = small(None, {"C": stats.loguniform(0.01, 10)}, n_generations=20).fit(X, y)
    chosen = [params["C"] for params in search.front_.params]
    best = search.best_params_["C"]
    fitted = search.estimator_
    other = next(i for i, C in enumerate(chosen) if best != C)
    search.set_operating_point(other)
    assert search.estimator_ is not fitted
    assert chosen[other] == search.estimator_.C
    inner = LogisticRegression(C=chosen[other]).fit(X, y)
    np.testing.assert_array_equal(search.predict_proba(X), inner.predict_proba(X))


def test_the_same_candidate_needs_no_other_fit(iris):
    # "a classifier is fitted only if the member has other parameters than the one before"
    X, y = iris
    search = small(CountedFits(), {"C": stats.loguniform(0.01, 10)}, n_costs=50).fit(X, y)
    other = next(i for i in members_alike(search) if i != search.best_index_)
    fitted = search.estimator_
    CountedFits.n_fits = 0
    search.set_operating_point(other)
    assert search.estimator_ is fitted
    assert CountedFits.n_fits == 0


def test_the_same_parameters_need_no_other_fit(iris):
    # several candidates may have drawn the same value
    X, y = iris
    search = small(None, {"C": [1.0]}, n_costs=50).fit(X, y)
    other = next(i for i in range(len(search.front_)) if i != search.best_index_)
    fitted = search.estimator_
    search.set_operating_point(other)
    assert search.best_params_ == {"C": 1.0}
    assert search.estimator_ is fitted


def test_operating_points_that_cannot_be(iris):
    X, y = iris
    with pytest.raises(ValueError, match="operating_point"):
        small(operating_point="nearest").fit(X, y)
    search = small().fit(X, y)
    index = search.best_index_
    with pytest.raises((IndexError, ValueError), match=r"member|index"):
        search.set_operating_point(10_000)
    with pytest.raises(ValueError, match="rule"):
        search.set_operating_point("nearest")
    assert search.best_index_ == index


def test_a_front_without_the_wanted_point_is_kept(iris):
    X, y = iris
    search = small(operating_point=WithinLimits({0: 0.0, 1: 0.0, 2: 0.0}))
    with pytest.raises(ValueError, match="No member is within all limits") as error:
        search.fit(X, y)
    assert error.value.__notes__ == ["front_ is kept: set_operating_point takes another rule."]
    assert_consistent(search.set_operating_point("distance"), X)


# --- options ----------------------------------------------------------------------


class Fragile(LogisticRegression):
    """Fails for some parameters."""

    def fit(self, X, y, sample_weight=None):
        """Fit."""
        if self.C > 1.0:
            raise RuntimeError("too strong")
        return super().fit(X, y, sample_weight)


class KnowsItsProcess(LogisticRegression):
    """Remembers where it was fitted."""

    def fit(self, X, y, sample_weight=None):
        """Fit."""
        self.process_ = os.getpid()
        return super().fit(X, y, sample_weight)


class Interrupted:
    """Costs until somebody presses Ctrl-C."""

    def __init__(self):
        self.n_calls = 0

    def __call__(self, rng, n, archive):
        """Costs."""
        self.n_calls += 1
        if self.n_calls > 3:
            raise KeyboardInterrupt
        return rng.random((n, 3, 3)) * (1.0 - np.eye(3))


def first_toolbox():
    """Parents that are always the first member."""
    toolbox = base.Toolbox()
    toolbox.register("propose_costs", random_costs)
    return toolbox


def random_costs(rng, n, archive):
    """Costs of a distribution that is not Dirichlet's."""
    return rng.random((n, 3, 3)) * (1.0 - np.eye(3))


EVOLVED = {"param_distributions": {"C": stats.uniform(0.01, 10)}, "n_generations": 15}
OPTIONS = {
    "estimator": ({}, LogisticRegression(), GaussianNB()),
    "param_distributions": ({}, None, {"C": [0.01, 0.1]}),
    "evolve": ({"n_generations": 10}, "auto", "weights"),
    "objectives": ({}, "rates", "miss_rates"),
    "n_generations": ({}, 2, 6),
    "n_costs": ({}, 10, 30),
    "n_initial": ({}, 10, 30),
    "n_offspring": ({}, 1, 3),
    "cost_alpha": ({}, 1.0, 0.2),
    "cost_alpha-array": ({}, 1.0, 5 * COST + np.eye(3)),
    "cost_proposal": ({}, "mixed", "dirichlet"),
    "cost_proposal-function": ({}, "mixed", random_costs),
    "step": (EVOLVED, 0.1, 0.5),
    "step-weights": ({"evolve": "weights", "n_generations": 15}, 0.1, 0.5),
    "step_scale": (EVOLVED, "relative", "absolute"),
    "step_scale-weights": ({"evolve": "weights", "n_generations": 15}, "relative", "absolute"),
    "selection": (EVOLVED, "pqrs", "uniform"),
    "cv": ({}, 3, StratifiedShuffleSplit(2, random_state=0)),
    "cv-folds": ({}, 3, KFold(3, shuffle=True, random_state=0)),
    "operating_point": ({"n_costs": 50}, "distance", LeastCost(COST)),
    "random_state": ({}, 0, 1),
    "toolbox": ({}, None, first_toolbox()),
    "n_islands": ({}, 1, 2),
    "max_front_size": ({}, None, 7),
    "max_time": ({"n_generations": 20}, None, 0.0),
}
# looked at one by one, some in files of their own
APART = {"refit", "n_jobs", "verbose", "error_score", "on_interrupt", "store_cv_results"}
APART |= {"checkpoint", "checkpoint_every", "warm_start"}


def test_all_options_are_looked_at():
    named = {name.split("-")[0] for name in OPTIONS}
    assert named | APART == set(signature(ParetoROCSearch).parameters)


@pytest.mark.parametrize("name", OPTIONS)
def test_options_matter(iris, name):
    X, y = iris
    others, *values = OPTIONS[name]
    searches = [small(**others) for _ in values]
    for search, value in zip(searches, values, strict=True):
        search.set_params(**{name.split("-")[0]: value}).fit(X, y)
        assert_consistent(search, X)
    assert outcome(searches[0]) != outcome(searches[1])


def test_refit(iris):
    X, y = iris
    assert hasattr(small(refit=True).fit(X, y), "best_estimator_")
    search = small(refit=False).fit(X, y)
    assert not hasattr(search, "best_estimator_")
    assert search.best_index_ >= 0
    assert search.set_operating_point("knee").cv_results_["counts"].shape == (3, 3, 3)
    with pytest.raises(AttributeError, match="no classifier"):
        search.predict(X)


def test_workers_work(iris):
    X, y = iris
    model = KnowsItsProcess()
    alone = small(model, cv=0.3, refit=False).fit(X, y)
    assert alone.estimator_.process_ == os.getpid()
    helped = small(model, cv=0.3, refit=False, n_jobs=2).fit(X, y)
    assert helped.estimator_.process_ != os.getpid()


def test_verbose(iris, capsys):
    X, y = iris
    small(verbose=0).fit(X, y)
    assert "".join(capsys.readouterr()) == ""
    small(verbose=1).fit(X, y)
    assert "ParetoROCSearch" in "".join(capsys.readouterr())


def test_error_score(iris):
    X, y = iris
    distributions = {"C": [0.1, 2.0]}
    with pytest.raises(RuntimeError, match="too strong"):
        small(Fragile(), distributions, error_score="raise").fit(X, y)
    with pytest.warns(FitFailedWarning, match="too strong"):
        search = small(Fragile(), distributions, store_cv_results=True).fit(X, y)
    assert search.best_params_ == {"C": 0.1}
    assert -1 in search.cv_results_["n_entered"]
    # what fits of no candidate survive is an error that tells why
    with pytest.raises(ValueError, match="too strong"):
        small(Fragile(), {"C": [2.0, 3.0]}).fit(X, y)


def test_on_interrupt(iris):
    X, y = iris
    search = small(n_generations=10, cost_proposal=Interrupted())
    with pytest.raises(KeyboardInterrupt):
        search.fit(X, y)
    assert search.interrupted_
    assert len(search.front_)
    search = small(n_generations=10, cost_proposal=Interrupted(), on_interrupt="keep")
    with pytest.warns(UserWarning, match="nterrupted after 2 of 10 generations"):
        search.fit(X, y)
    assert search.interrupted_
    assert_consistent(search, X)


def test_store_cv_results(iris):
    X, y = iris
    assert "params" not in small().fit(X, y).cv_results_
    search = small(store_cv_results=True).fit(X, y)
    assert search.cv_results_["params"] == [{}] * 3
    assert "params" in search.set_operating_point("knee").cv_results_
