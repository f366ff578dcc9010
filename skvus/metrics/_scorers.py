"""Names of ready scorers."""

from sklearn.metrics import make_scorer

from skvus._validation import check_option
from skvus.metrics._crisp import (
    hand_till_crisp_score,
    macro_average_score,
    modified_macro_average_score,
    one_point_auc_score,
)
from skvus.metrics._polytope import polytope_vus_score
from skvus.metrics._soft_polytope import soft_polytope_vus_score

# name: (score function, response method, fixed parameters)
_SCORERS = {
    "hand_till_crisp_1a": (hand_till_crisp_score, "predict", {"variant": "1a"}),
    "hand_till_crisp_1b": (hand_till_crisp_score, "predict", {"variant": "1b"}),
    "hand_till_crisp_2": (hand_till_crisp_score, "predict", {"variant": "2"}),
    "hand_till_crisp_3": (hand_till_crisp_score, "predict", {"variant": "3"}),
    "macro_average": (macro_average_score, "predict", {}),
    "modified_macro_average": (modified_macro_average_score, "predict", {}),
    "one_point_auc": (one_point_auc_score, "predict", {}),
    "polytope_vus": (polytope_vus_score, "predict", {"random_state": 0}),
    "soft_polytope_vus": (soft_polytope_vus_score, "predict_proba", {"random_state": 0}),
}


def get_scorer_names():
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
    return sorted(_SCORERS)


def get_scorer(name):
    """Make the scorer of a name.

    scikit-learn has no public register of names, so its ``scoring=`` takes the scorer
    itself.

    Parameters
    ----------
    name : str
        One of `get_scorer_names`.

    Returns
    -------
    scorer : callable
        ``scorer(estimator, X, y)``; the larger the better. A new one at each call.

    See Also
    --------
    get_scorer_names : All names.
    sklearn.metrics.make_scorer : For a score with other parameters.

    Notes
    -----
    A fold in which a class has predictions but no case scores NaN, with an
    `UndefinedMetricWarning`. In a grid search the candidate's mean is then NaN: it ranks
    behind those with a number, and if all are NaN the first candidate counts as the best. A
    class that a fold neither has nor predicts goes unnoticed by crisp scores, and the fold is
    scored as a problem of fewer classes. So use stratified folds, or name the classes and say
    what to do: ``make_scorer(score, labels=[...], replace_undefined_by=...)``.

    Sampling scorers are seeded, so that candidates are compared on the same samples.
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
    check_option("name", name, get_scorer_names())
    function, response_method, parameters = _SCORERS[name]
    return make_scorer(function, response_method=response_method, **parameters)
