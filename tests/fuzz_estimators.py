"""Estimators for the fuzzer: fitted at random, and asked at random."""

import inspect

import numpy as np
from fuzz_oracle import expect, finite_numbers
from fuzz_parameters import (
    distributions,
    estimator,
    fitted,
    known_labels,
    one_of,
    path,
    rule,
)
from fuzz_registry import register
from hypothesis import strategies as st
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.model_selection import KFold

import skvus


def fit_and_predict(kind):
    """Function that makes an estimator with some options, fits it and lets it predict."""
    options = inspect.signature(kind).parameters.values()
    data = inspect.signature(kind.fit).parameters.values()
    data = [p for p in data if p.name in ("X", "y", "sample_weight")]

    def call(X, y, sample_weight=None, **options):
        weights = {} if sample_weight is None else {"sample_weight": sample_weight}
        model = kind(**options).fit(X, y, **weights)
        return model, model.predict(X)

    by_name = [p.replace(kind=p.KEYWORD_ONLY) for p in (*data, *options)]
    call.__signature__ = inspect.Signature(by_name)
    return call


def fitted_well(result, keywords, caught):
    """A model knows its classes, and predicts these."""
    model, predicted = result
    expect(len(predicted) == np.shape(keywords["X"])[0], "not a label for each case", predicted)
    expect(set(predicted) <= set(model.classes_.tolist()), "unknown labels", predicted)


register(
    "CostMatrixClassifier.fit",
    fit_and_predict(skvus.CostMatrixClassifier),
    fitted_well,
    delegates=True,
    words=("predict_proba",),
)
register(
    "ProbabilisticKNeighborsClassifier.fit",
    fit_and_predict(skvus.ProbabilisticKNeighborsClassifier),
    fitted_well,
    delegates=True,
    n_neighbors=one_of(2, 1, 3, np.int8(2), 10**6),
    beta=one_of(4.0, 0.0, 1e-300, 1e300, 1),
    kernel=one_of("tricube", "uniform"),
    metric=one_of("minkowski", "euclidean", "cosine", "manhattan", "nonsense"),
    p=one_of(2, 1, 3.5, np.inf),
    metric_params=one_of(None, {}),
    algorithm=one_of("auto", "brute", "kd_tree", "ball_tree"),
)
# tiny budgets; huge ones are asked for and take their time, so these are not spoiled
BUDGET = {
    "n_generations": one_of(2, 0, 1),
    "n_costs": one_of(5, 1),
    "n_initial": one_of(5, 1),
    "n_offspring": one_of(1, 2),
}
register(
    "ParetoROCSearch.fit",
    fit_and_predict(skvus.ParetoROCSearch),
    fitted_well,
    delegates=True,
    words=("toolbox", "predict_proba"),
    **BUDGET,
    param_distributions=distributions,
    evolve=one_of("auto", "costs", "params", "weights"),
    cost_proposal=one_of("mixed", "dirichlet"),
    step=one_of(0.03, 0.0, 1e300),
    step_scale=one_of("relative", "absolute"),
    selection=one_of("pqrs", "uniform"),
    cv=one_of(2, 2, 0.5, KFold(2, shuffle=True), "resubstitution", "prefit"),
    operating_point=rule,
    refit=one_of(True, False),
    n_jobs=one_of(None, 1, 1, 0, "all"),
    toolbox=one_of(None),
    error_score=one_of(np.nan, "raise", 0.0),
    on_interrupt=one_of("raise", "keep"),
    store_cv_results=one_of(False, True),
    checkpoint=lambda draw, problem: draw(st.sampled_from([None, path(draw, problem)])),
    checkpoint_every=one_of(None, 1, 2),
    max_time=one_of(None, 10.0, 1e-9),
    warm_start=one_of(False, True),
    n_islands=one_of(1, 2),
    max_front_size=one_of(None, 1, 5),
    untouched=["n_jobs"],  # many processes take long to start
)


def _small_search():
    return skvus.ParetoROCSearch(
        LinearDiscriminantAnalysis(),
        n_generations=2,
        n_costs=10,
        n_initial=5,
        cv=2,
        random_state=0,
    )


MODELS = {
    "CostMatrixClassifier": lambda: skvus.CostMatrixClassifier(LinearDiscriminantAnalysis()),
    "ProbabilisticKNeighborsClassifier": lambda: skvus.ProbabilisticKNeighborsClassifier(3),
    "ParetoROCSearch": _small_search,
}
QUESTIONS = (
    "predict",
    "predict_proba",
    "predict_log_proba",
    "decision_function",
    "expected_costs",
    "score",
    "calibration",
    "get_metadata_routing",
    "set_operating_point",
    "set_callbacks",
)
for _kind, _make in MODELS.items():
    _model = fitted(_make)
    register(_kind, lambda self: repr(self), self=_model)
    for _name in QUESTIONS:
        _method = getattr(getattr(skvus, _kind), _name, None)
        if _method is None or not _method.__module__.startswith("skvus"):
            continue
        # posteriors are those of the estimator, scores of huge weights those of scikit-learn
        is_plain = _name in ("predict", "expected_costs")
        register(
            f"{_kind}.{_name}",
            _method,
            *([finite_numbers] if is_plain else []),
            delegates=True,
            words=("predict_proba", "operating_point", "front", "cost_matrix"),
            self=_model,
            y=known_labels,
        )
register(
    "CostMatrixClassifier",
    lambda estimator, cost_matrix: repr(skvus.CostMatrixClassifier(estimator, cost_matrix)),
    estimator=estimator,
)
