"""Small searches, their data and what must hold of them."""

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

from skvus import ParetoROCSearch

NAMES = np.array(["setosa", "versicolor", "virginica"])
COST = np.array([[0.0, 1.0, 4.0], [2.0, 0.0, 1.0], [10.0, 5.0, 0.0]])


class Interrupted(GaussianNB):
    """Interrupted at a fit that is set from outside."""

    n_fits, at = 0, None

    def fit(self, X, y, sample_weight=None):
        type(self).n_fits += 1
        if type(self).n_fits == type(self).at:
            raise KeyboardInterrupt
        return super().fit(X, y, sample_weight)


def small(estimator=None, *arguments, **options):
    """A search that takes a moment."""
    defaults = {"n_generations": 2, "n_costs": 10, "n_initial": 10, "cv": 3, "random_state": 0}
    estimator = LogisticRegression() if estimator is None else estimator
    return ParetoROCSearch(estimator, *arguments, **{**defaults, **options})


def quick(estimator=None, param_distributions=None, **options):
    """A search whose fits take no time."""
    estimator = GaussianNB() if estimator is None else estimator
    return small(estimator, param_distributions, **options)


def outcome(search):
    """All that the search found, to the last bit."""
    front = search.front_
    return front.rates.tobytes(), front.costs.tobytes(), search.cost_matrix_.tobytes()


def members_alike(search):
    """Members with the parameters of the chosen one."""
    values = [tuple(np.ravel(value) for value in p.values()) for p in search.front_.params]
    chosen = values[search.best_index_]
    return [i for i, value in enumerate(values) if all(map(np.array_equal, value, chosen))]


def assert_consistent(search, X):
    """What is chosen is a member, and decides by its costs."""
    member = search.front_[search.best_index_]
    np.testing.assert_array_equal(search.cv_results_["counts"].sum(axis=0), member.counts)
    np.testing.assert_array_equal(search.cost_matrix_, search.front_.costs[search.best_index_])
    proba = search.estimator_.predict_proba(X)
    np.testing.assert_array_equal(search.predict_proba(X), proba)
    expected = search.classes_[(proba @ search.cost_matrix_).argmin(axis=1)]
    assert (search.predict(X) == expected).mean() > 0.99  # but for ties to 1e-12
    np.testing.assert_array_equal(search.best_estimator_.predict(X), search.predict(X))
