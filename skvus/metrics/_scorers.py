"""Scorers that know the classes of the estimator, and their names."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from inspect import signature
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import get_scorer_names as sklearn_scorer_names
from sklearn.utils.metadata_routing import UNUSED

from skvus._costs import (
    by_pairs,
    check_class_priors,
    check_named_costs,
    has_labels,
    names_of,
)
from skvus._labels import check_labels, frame_labels, label_vector, ordered_categories
from skvus._soft import check_column_names
from skvus._typing import ByClass, Costs
from skvus._validation import (
    check_option,
    check_priors,
    check_replacement,
    host_array,
    shorten,
)
from skvus.metrics._angle import angle_vus_score
from skvus.metrics._cost import expected_cost
from skvus.metrics._crisp import (
    hand_till_crisp_score,
    macro_average_score,
    modified_macro_average_score,
    one_point_auc_score,
)
from skvus.metrics._ordering import ordered_vus_score
from skvus.metrics._polytope import polytope_vus_score
from skvus.metrics._ranking import (
    hand_till_score,
    one_vs_rest_auc_score,
    ordinal_vus_score,
    pdi_score,
)
from skvus.metrics._simplified import simplified_vus_score
from skvus.metrics._soft_polytope import soft_polytope_vus_score

# scores that take any real number also take what is not a probability
_ANY_SCORE = ("predict_proba", "decision_function")
# name: (score function, response method, fixed parameters)
SCORERS: dict[str, tuple[Callable[..., Any], str | tuple[str, ...], dict[str, Any]]] = {
    "angle_vus": (angle_vus_score, "predict_proba", {"random_state": 0}),
    "hand_till": (hand_till_score, _ANY_SCORE, {}),
    "hand_till_crisp_1a": (hand_till_crisp_score, "predict", {"variant": "1a"}),
    "hand_till_crisp_1b": (hand_till_crisp_score, "predict", {"variant": "1b"}),
    "hand_till_crisp_2": (hand_till_crisp_score, "predict", {"variant": "2"}),
    "hand_till_crisp_3": (hand_till_crisp_score, "predict", {"variant": "3"}),
    "macro_average": (macro_average_score, "predict", {}),
    "modified_macro_average": (modified_macro_average_score, "predict", {}),
    "one_point_auc": (one_point_auc_score, "predict", {}),
    "one_vs_rest_auc": (one_vs_rest_auc_score, _ANY_SCORE, {}),
    "ordered_vus": (ordered_vus_score, "predict_proba", {"random_state": 0}),
    "ordinal_vus": (ordinal_vus_score, "rank", {}),
    "pdi": (pdi_score, _ANY_SCORE, {}),
    "polytope_vus": (polytope_vus_score, "predict", {"random_state": 0}),
    "simplified_vus": (simplified_vus_score, "predict_proba", {"random_state": 0}),
    "soft_polytope_vus": (soft_polytope_vus_score, "predict_proba", {"random_state": 0}),
}

# unweighted means over classes, pairs of classes, and classes against the rest
_NAMES_OF_SKLEARN = {
    "balanced_accuracy": "macro_average",
    "roc_auc": "hand_till",
    "roc_auc_ovo": "hand_till",
    "roc_auc_ovr": "one_vs_rest_auc",
}


class ClassScorer(BaseEstimator):
    """A scorer that takes the classes from the estimator.

    `sklearn.metrics.make_scorer` shows its score the labels of a fold only: a class that
    a fold neither has nor predicts would go unnoticed, and the fold be scored as a problem
    of fewer classes.

    Parameters
    ----------
    score_func : callable
        Takes ``y_true``, predictions, ``labels=`` and ``sample_weight=``.
    response_method : {"predict", "predict_proba", "decision_function", "rank"} or tuple
        Where the predictions come from; of several methods the first that the estimator
        has. "rank" is the expected rank of the class where there are probabilities, and
        what a regressor predicts.
    sign : {1, -1}
        -1 for a loss.
    kwargs : dict or None
        Further parameters of `score_func`; ``labels`` among them takes precedence.
    """

    # the estimator is an argument of a scorer, not metadata to be routed
    __metadata_request__score: ClassVar = {"estimator": UNUSED}

    def __init__(
        self,
        score_func: Callable[..., float],
        response_method: str | tuple[str, ...] = "predict",
        sign: int = 1,
        kwargs: dict[str, Any] | None = None,
    ) -> None:
        self.score_func = score_func
        self.response_method = response_method
        self.sign = sign
        self.kwargs = kwargs

    def __call__(
        self, estimator: Any, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> float:
        """Score a fitted estimator; the larger the better."""
        return self.score(estimator, X, y, sample_weight=sample_weight)

    def score(
        self, estimator: Any, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> float:
        """Score a fitted estimator; the larger the better."""
        parameters = dict(self.kwargs or {})
        known = getattr(estimator, "classes_", None)
        if parameters.get("labels") is None and self.response_method == "rank":
            parameters["labels"] = ordered_categories(y)
        if parameters.get("labels") is None and known is not None:
            classes = _all_classes(known, y)
            # of a single class no score is defined, which it will say itself
            parameters["labels"] = classes if len(classes) > 1 else None
        predictions = _response(estimator, X, self.response_method, parameters.get("labels"))
        if sample_weight is not None:
            parameters["sample_weight"] = sample_weight
        return self.sign * self.score_func(y, predictions, **parameters)

    # What `TunedThresholdClassifierCV` reads off the scorers of `make_scorer`, by these names.

    @property
    def _score_func(self):
        return self.score_func

    @property
    def _sign(self):
        return self.sign

    @property
    def _kwargs(self):
        return dict(self.kwargs or {})

    def __repr__(self):
        parameters = {
            "response_method": self.response_method,
            **({"sign": self.sign} if self.sign != 1 else {}),
            **(self.kwargs or {}),
        }
        listed = "".join(f", {key}={value!r}" for key, value in parameters.items())
        return f"ClassScorer({self.score_func.__name__}{listed})"


def _all_classes(known, y):
    """Classes of the estimator and, should training have missed some, those of the data."""
    known = np.asarray(known)
    present = np.unique(label_vector("y_true", y))
    if present.dtype.kind in "US" and known.dtype.kind == "O":
        known = known.astype(str)
    if (present.dtype.kind in "US") != (known.dtype.kind in "US"):
        return known  # the score will say that text does not go with numbers
    missed = [label for label in present.tolist() if label not in set(known.tolist())]
    return np.sort(np.concatenate([known, np.array(missed)])) if missed else known


def _response(estimator, X, methods, classes):
    """Predictions of an estimator, with a column for each of `classes` where it has any."""
    if methods == "predict":
        return _predicted(estimator, X)
    known = getattr(estimator, "classes_", None)
    places = None if known is None or classes is None else _places(known, classes)
    if methods == "rank":
        return _ranks(estimator, X, places)
    method = _first_method(estimator, (methods,) if isinstance(methods, str) else methods)
    scores = _columns(estimator, method, X)
    if places is None or places == list(range(len(classes))):
        return scores
    if scores.ndim == 1:
        scores = np.column_stack([-scores, scores])
    # classes that training has not seen are never called
    columns = np.full((len(scores), len(classes)), min(0.0, scores.min()))
    columns[:, places] = scores
    return columns


def _columns(estimator, method, X):
    """What a method says of cases, with a column for each class that the estimator knows."""
    scores, known = getattr(estimator, method)(X), getattr(estimator, "classes_", None)
    if not isinstance(scores, np.ndarray) and known is not None:
        name = f"{method} of {type(estimator).__name__}"
        check_column_names(scores, np.asarray(known), name=name, or_labels=False)
    return np.asarray(host_array(method, scores))


def _predicted(estimator, X):
    if not hasattr(estimator, "predict"):
        raise TypeError(f"estimator must have predict; got {shorten(estimator)}.")
    return estimator.predict(X)


def _places(known, classes):
    """Where the classes of an estimator stand among those to be scored."""
    known, classes = np.asarray(known).tolist(), np.asarray(classes).tolist()
    if not set(known) <= set(classes):
        raise ValueError(
            "labels must name all classes of the estimator; got "
            f"{shorten(classes)} for {shorten(known)}."
        )
    return [classes.index(label) for label in known]


def _first_method(estimator, methods):
    """The first of the methods that the estimator has."""
    method = next((name for name in methods if hasattr(estimator, name)), None)
    if method is None:
        raise AttributeError(
            f"estimator must have {' or '.join(methods)}; {type(estimator).__name__} has none. "
            "Calibrate it with sklearn.calibration.CalibratedClassifierCV, or use a score that "
            "takes decision_function: hand_till, pdi, one_vs_rest_auc, ordered_vus with "
            "distance='sum'."
        )
    shape = getattr(_innermost(estimator), "decision_function_shape", "ovr")
    if method == "decision_function" and shape == "ovo" and len(estimator.classes_) > 2:
        raise ValueError(
            "decision_function_shape must be 'ovr', a column for each class; got 'ovo'."
        )
    return method


def _innermost(estimator):
    """What decides in a pipeline, a search or another wrapper."""
    while True:
        steps = getattr(estimator, "steps", None)  # of a pipeline
        fitted = ("best_estimator_", "final_estimator_", "estimator_")
        inner = steps[-1][1] if steps else None
        for name in fitted:
            inner = getattr(estimator, name, None) if inner is None else inner
        if inner is None or inner is estimator:
            return estimator
        estimator = inner


def _ranks(estimator, X, places):
    """Expected place among the classes, or what a regressor predicts."""
    if places is None:
        return _predicted(estimator, X)
    if hasattr(estimator, "predict_proba"):
        # ties between the coarse probabilities of trees and neighbours survive the rounding
        proba = _columns(estimator, "predict_proba", X)
        return np.round(proba @ np.array(places, dtype=float), 10)
    if len(places) == 2 and hasattr(estimator, "decision_function"):
        scores = _columns(estimator, "decision_function", X)
        return scores * np.sign(places[1] - places[0])
    known = np.asarray(estimator.classes_).tolist()
    return [places[known.index(label)] for label in np.asarray(estimator.predict(X)).tolist()]


def get_scorer_names() -> list[str]:
    """Names of the scorers that `get_scorer` makes.

    Returns
    -------
    names : list of str
        Sorted.

    See Also
    --------
    get_scorer : The scorer of a name.
    make_cost_scorer : A scorer for known costs, which no name can hold.

    Examples
    --------
    >>> import skvus
    >>> "polytope_vus" in skvus.get_scorer_names()
    True
    """
    return sorted(SCORERS)


def get_scorer(name: str, **parameters: Any) -> ClassScorer:
    """Make the scorer of a name.

    scikit-learn has no public register of names, so its ``scoring=`` takes the scorer
    itself.

    Parameters
    ----------
    name : str
        One of `get_scorer_names`.
    **parameters : dict
        Parameters of the score other than its defaults, such as ``normalize="range"`` or
        ``replace_undefined_by=0.0``.

    Returns
    -------
    scorer : callable
        ``scorer(estimator, X, y)``; the larger the better. A new one at each call.

    See Also
    --------
    get_scorer_names : All names.
    make_cost_scorer : A scorer for known costs.

    Notes
    -----
    The classes are those of the fitted estimator (``classes_``). A fold without a case of
    one of them scores NaN, with an `UndefinedMetricWarning`. In a grid search every
    candidate's mean is then NaN, which warns, and the first candidate counts as the best:
    use fewer folds that are stratified, or say what such a fold is worth with
    ``replace_undefined_by``. ``make_scorer(polytope_vus_score)`` of scikit-learn cannot see
    the estimator: there a class that a fold neither has nor predicts goes unnoticed.

    A class that the data has and training has not seen gets a score of zero (the smallest of
    all, for a ``decision_function``). ``labels=`` may name the classes in any order. A
    regressor has no ``classes_``: give "ordinal_vus" its ``labels``.

    Sampling scorers are seeded, so that candidates are compared on the same samples.
    With ``sklearn.set_config(enable_metadata_routing=True)``,
    ``scorer.set_score_request(sample_weight=True)`` routes weights.

    Examples
    --------
    >>> import skvus
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import GridSearchCV
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> search = GridSearchCV(
    ...     DecisionTreeClassifier(random_state=0),
    ...     {"max_depth": [1, 2, 3]},
    ...     scoring=skvus.get_scorer("polytope_vus"),
    ... )
    >>> search.fit(*load_iris(return_X_y=True)).best_params_
    {'max_depth': 3}
    """
    hint = our_name(name)
    if isinstance(name, str) and name == "expected_cost":
        hint = " make_cost_scorer(cost_matrix) makes a scorer of costs."
    if not hint and isinstance(name, str) and name in sklearn_scorer_names():
        hint = " It is a scorer of scikit-learn, whose name scoring= takes as it is."
    check_option("name", name, get_scorer_names(), hint)
    function, response_method, fixed = SCORERS[name]
    known = set(signature(function).parameters) - {"y_true", "y_pred", "y_score"}
    known -= {"sample_weight", "return_details", "average"}
    unknown = sorted(set(parameters) - known)
    if unknown:
        raise TypeError(
            f"get_scorer({name!r}) takes {', '.join(sorted(known))}; got {', '.join(unknown)}."
        )
    try_out(function, {**fixed, **parameters})
    if parameters.get("distance") == "sum":
        response_method = _ANY_SCORE
    return ClassScorer(function, response_method, kwargs={**fixed, **parameters})


def our_name(name):
    """What the name of a score of scikit-learn is here, if it is here."""
    ours = _NAMES_OF_SKLEARN.get(name) if isinstance(name, str) else None
    return "" if ours is None else f" What scikit-learn calls {name} is {ours!r} here."


def try_out(function, parameters):
    """Call a score where it is undefined, so that it checks its parameters and no more."""
    if parameters.get("labels") is not None:
        check_labels(parameters["labels"])
    parameters = {"replace_undefined_by": 0.0, **parameters, "labels": None}
    takes_columns = "y_score" in signature(function).parameters
    prediction = [[0.5, 0.5]] if takes_columns and function is not ordinal_vus_score else [0]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        function([0], prediction, **parameters)


def make_cost_scorer(
    cost_matrix: Costs,
    *,
    priors: ByClass | None = None,
    labels: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
) -> ClassScorer:
    """Make a scorer of the negated expected cost.

    Parameters
    ----------
    cost_matrix : array-like of shape (n_classes, n_classes), DataFrame or dict
        ``cost_matrix[k, j]`` is the cost of predicting class j when the truth is k. A data
        frame has the true classes as its index and the predicted ones as its columns, a dict
        has keys (true, predicted).
    priors : array-like of shape (n_classes,), dict or Series, default=None
        Frequencies of the classes in use, a dict or Series by label; by default those of the
        data scored.
    labels : array-like of shape (n_classes,), default=None
        The classes in the order of `cost_matrix`. By default its sorted labels, if it has any,
        or ``classes_`` of the estimator that is scored.
    replace_undefined_by : float, default=np.nan
        The *cost* of a fold in which a class with a positive prior has no case; the
        scorer negates it.

    Returns
    -------
    scorer : callable
        For ``scoring=`` of `GridSearchCV`, `cross_validate` and the like. The larger the
        better, at most 0.

    See Also
    --------
    expected_cost : The loss.
    get_scorer : Scorers for costs that are not known.
    CostMatrixClassifier : Decides by least expected cost.

    Notes
    -----
    With ``sklearn.set_config(enable_metadata_routing=True)``,
    ``scorer.set_score_request(sample_weight=True)`` routes weights.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.model_selection import cross_val_score
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from skvus.metrics import make_cost_scorer
    >>> scorer = make_cost_scorer([[0, 1, 4], [1, 0, 1], [4, 1, 0]])
    >>> X, y = load_wine(return_X_y=True)
    >>> scores = cross_val_score(GaussianNB(), X, y, scoring=scorer)
    >>> round(float(scores.mean()), 3)
    -0.034
    """
    is_named = names_of(cost_matrix) is not None
    has_columns = frame_labels(cost_matrix)[1] is not None
    labels, cost = check_named_costs(cost_matrix, labels)
    # names of columns alone are compared with the classes of the estimator
    given = cost_matrix if has_columns and labels is None else cost
    if priors is not None and labels is not None:
        priors = check_class_priors(priors, labels)
    elif priors is not None and not has_labels(priors):
        priors = check_priors(priors, n_classes=cost.shape[0])
    check_replacement(replace_undefined_by)
    fixed = {
        # by name, so that errors tell that it is the costs that name the classes
        "cost_matrix": by_pairs(cost, labels) if is_named else given,
        "priors": priors,
        "labels": labels,
        "replace_undefined_by": replace_undefined_by,
    }
    return ClassScorer(expected_cost, sign=-1, kwargs=fixed)
