"""The search: with nearest neighbours, and what it adds to the time of fits.

For evolutionary peers see `benchmarks.peers.searches`.
"""

import numpy as np
from scipy.stats import randint, uniform
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import StratifiedKFold

from benchmarks.front import problem
from benchmarks.inference import once
from benchmarks.timing import show, table
from skvus import (
    ParetoROCSearch,
    ProbabilisticKNeighborsClassifier,
    datasets,
)


def run():
    neighbours()
    overhead()


# --- nearest neighbours -----------------------------------------------------------


def neighbours(n_generations=2000):
    model = ProbabilisticKNeighborsClassifier()
    params = {"n_neighbors": randint(1, 51), "beta": uniform(0.1, 9.9)}
    X, y = datasets.make_ripley_mixture(random_state=0)
    search = ParetoROCSearch(
        model,
        params,
        n_generations=n_generations,
        n_costs=100,
        cv="resubstitution",
        random_state=0,
        store_cv_results=True,
    )
    clone(search).set_params(n_generations=5).fit(X, y)  # compile
    spent, search = once(lambda: search.fit(X, y))
    tried = search.cv_results_["params"]
    bare = once(lambda: left_out_posteriors(model, tried, X, y))[0]
    table(
        f"Nearest neighbours on {len(y)} cases of three classes: {n_generations:,} generations "
        f'of 100 costs, cv="resubstitution"\n(bare loop: the same {len(tried):,} fits with '
        "their leave-one-out posteriors)",
        ["time", "bare loop", "evaluations", "members", "G"],
        [
            [show(spent), show(bare), f"{search.n_evaluations_:,}"]
            + [f"{len(search.front_):,}", f"{search.gini_:.4f}"]
        ],
    )


def left_out_posteriors(model, settings, X, y):
    for params in settings:
        clone(model).set_params(**params).fit(X, y).predict_proba(None)


# --- overhead ---------------------------------------------------------------------


def overhead(n_generations=10, repeats=3):
    y, scores = problem(n=600)
    X = np.log(scores) + np.random.default_rng(1).normal(size=scores.shape)
    model = RandomForestClassifier(n_estimators=50, random_state=0)
    splitter = StratifiedKFold(5)
    search = ParetoROCSearch(
        model,
        {"max_depth": randint(2, 20), "min_samples_leaf": randint(1, 20)},
        n_generations=n_generations,
        n_initial=10,
        cv=splitter,
        random_state=0,
        store_cv_results=True,
    )
    clone(search).set_params(n_generations=1).fit(X, y)  # compile
    runs, loops = [], []
    for _ in range(repeats):  # in turns, so that both meet the same load
        runs.append(once(lambda: search.fit(X, y))[0])
        tried = search.cv_results_["params"]
        chosen = search.best_params_
        loops.append(once(lambda t=tried, c=chosen: bare_search(model, t, c, splitter, X, y)))
    whole = min(runs)
    bare, n_fits = min(loops)
    table(
        f"Overhead: random forests of 50 trees, {len(tried)} candidates on 5 folds of "
        f"{len(y)} cases, best of {repeats}\n(bare loop: the same {n_fits} fits, with "
        "predictions: all different candidates on all folds, and the chosen one on all data)",
        ["search", "bare loop", "difference", "overhead"],
        [[show(whole), show(bare), show(whole - bare), f"{100 * (whole / bare - 1):.1f}%"]],
    )


def bare_search(model, tried, chosen, splitter, X, y):
    n_fits = 1
    for params in {str(params): params for params in tried}.values():
        for train, test in splitter.split(X, y):
            fitted = clone(model).set_params(**params).fit(X[train], y[train])
            fitted.predict_proba(X[test])
            n_fits += 1
    clone(model).set_params(**chosen).fit(X, y)
    return n_fits
