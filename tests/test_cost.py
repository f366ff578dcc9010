"""Expected cost and its scorer."""

import crisp_twins
import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import accuracy_score
from sklearn.model_selection import (
    GridSearchCV,
    PredefinedSplit,
    StratifiedKFold,
    cross_val_score,
)
from sklearn.naive_bayes import GaussianNB

from skvus.metrics import expected_cost, macro_average_score, make_cost_scorer

PROPERTY = settings(
    deadline=None,
    max_examples=80,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
COST = np.array([[0.0, 1.0, 4.0], [2.0, 0.0, 1.0], [10.0, 5.0, 0.0]])
Y_TRUE = [0, 0, 0, 0, 1, 1, 2, 2]
Y_PRED = [0, 0, 1, 2, 1, 0, 2, 1]


@st.composite
def cost_problems(draw):
    """Labels, predictions, weights, costs and priors; every class has a case."""
    n_classes = draw(st.integers(2, 6))
    label = st.integers(0, n_classes - 1)
    amounts = st.integers(0, 12).map(lambda n: n / 4)
    cases = draw(st.lists(st.tuples(label, label, amounts), max_size=30))
    cases += [(k, draw(label), draw(amounts) + 0.25) for k in range(n_classes)]
    cost = [
        [0.0 if k == j else draw(amounts) for j in range(n_classes)] for k in range(n_classes)
    ]
    parts = draw(st.lists(st.integers(0, 9), min_size=n_classes, max_size=n_classes))
    parts[draw(label)] += 1
    priors = draw(st.sampled_from([None, [part / sum(parts) for part in parts]]))
    y_true, y_pred, weights = (list(column) for column in zip(*cases, strict=True))
    return y_true, y_pred, weights, cost, priors


@PROPERTY
@given(cost_problems())
def test_equals_twin(problem):
    y_true, y_pred, weights, cost, priors = problem
    expected = crisp_twins.expected_cost(
        y_true, y_pred, cost, priors, weights, range(len(cost))
    )
    result = expected_cost(
        y_true, y_pred, cost_matrix=cost, priors=priors, sample_weight=weights
    )
    assert result == pytest.approx(expected, rel=1e-12, abs=1e-14)
    assert type(result) is float


def test_default_is_the_mean_cost_of_the_cases():
    paid = [0, 0, 1, 4, 0, 2, 0, 5]
    assert expected_cost(Y_TRUE, Y_PRED, cost_matrix=COST) == pytest.approx(np.mean(paid))
    weights = [1, 2, 0, 3, 1, 1, 0.5, 2]
    weighted = expected_cost(Y_TRUE, Y_PRED, cost_matrix=COST, sample_weight=weights)
    assert weighted == pytest.approx(np.average(paid, weights=weights))


@pytest.mark.parametrize("weight", [1.0, 0.25])
def test_a_class_of_one_case_with_priors(weight):
    cost = [[0, 1], [4, 0]]
    found = expected_cost(
        [0, 0, 1], [0, 1, 0], cost_matrix=cost, priors=[0.3, 0.7], sample_weight=[1, 1, weight]
    )
    assert found == pytest.approx(0.3 * 0.5 + 0.7 * 4)


def test_priors_weigh_the_classes():
    class_costs = np.array([5 / 4, 2 / 2, 5 / 2])
    for priors in ([0.2, 0.5, 0.3], [1, 0, 0], [1 / 3, 1 / 3, 1 / 3]):
        result = expected_cost(Y_TRUE, Y_PRED, cost_matrix=COST, priors=priors)
        assert result == pytest.approx(class_costs @ priors)
    observed = [4 / 8, 2 / 8, 2 / 8]
    assert expected_cost(Y_TRUE, Y_PRED, cost_matrix=COST, priors=observed) == pytest.approx(
        expected_cost(Y_TRUE, Y_PRED, cost_matrix=COST)
    )


def test_unit_costs_give_the_error_rates():
    unit = 1.0 - np.eye(3)
    error = expected_cost(Y_TRUE, Y_PRED, cost_matrix=unit)
    assert error == pytest.approx(1 - accuracy_score(Y_TRUE, Y_PRED))
    even = expected_cost(Y_TRUE, Y_PRED, cost_matrix=unit, priors=np.ones(3) / 3)
    assert even == pytest.approx(1 - macro_average_score(Y_TRUE, Y_PRED))


def test_perfect_predictions_cost_nothing():
    assert expected_cost(Y_TRUE, Y_TRUE, cost_matrix=COST) == 0.0


def test_transposed_costs_are_other_costs():
    one, other = (expected_cost(Y_TRUE, Y_PRED, cost_matrix=c) for c in (COST, COST.T))
    assert abs(one - other) > 0.1


@pytest.mark.parametrize("order", [[0, 1, 2], [2, 0, 1], [1, 0, 2]])
@pytest.mark.parametrize("priors", [None, np.array([0.2, 0.5, 0.3])])
def test_labels_give_the_order_of_costs_and_priors(order, priors):
    expected = expected_cost(Y_TRUE, Y_PRED, cost_matrix=COST, priors=priors)
    permuted = expected_cost(
        Y_TRUE,
        Y_PRED,
        cost_matrix=COST[np.ix_(order, order)],
        priors=None if priors is None else priors[order],
        labels=order,
    )
    assert permuted == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("priors", [None, [0.2, 0.5, 0.3]])
def test_huge_and_tiny_costs(priors):
    y_true, y_pred = [0, 1, 2, 0, 1, 2], [0, 2, 1, 1, 1, 0]
    unit = expected_cost(y_true, y_pred, cost_matrix=1 - np.eye(3), priors=priors)
    for size in (2.0**1023, 2.0**-1000):
        cost = size * (1 - np.eye(3))
        assert expected_cost(y_true, y_pred, cost_matrix=cost, priors=priors) == size * unit


def test_labels_order_matters_when_costs_are_not_permuted():
    results = {
        expected_cost(Y_TRUE, Y_PRED, cost_matrix=COST, labels=order)
        for order in ([0, 1, 2], [1, 2, 0], [1, 0, 2])
    }
    assert len(results) == 3


# class 2 has no case, but is predicted
TWO_TRUE, THREE_PRED = [0, 0, 1, 1], [0, 1, 1, 2]


def test_absent_class_without_priors_is_defined():
    result = expected_cost(TWO_TRUE, THREE_PRED, cost_matrix=COST)
    assert result == pytest.approx((0 + 1 + 0 + 1) / 4)
    never_seen = expected_cost(TWO_TRUE, [0, 1, 1, 1], cost_matrix=COST, labels=[0, 1, 2])
    assert never_seen == pytest.approx(1 / 4)
    one_class = expected_cost([1, 1], [1, 0], cost_matrix=COST, labels=[0, 1, 2])
    assert one_class == pytest.approx(2 / 2)


def test_absent_class_with_a_positive_prior_is_undefined():
    arguments = {"cost_matrix": COST, "priors": [0.5, 0.4, 0.1]}
    with pytest.warns(UndefinedMetricWarning, match=r"no case of \[2\]"):
        assert np.isnan(expected_cost(TWO_TRUE, THREE_PRED, **arguments))
    replaced = expected_cost(TWO_TRUE, THREE_PRED, **arguments, replace_undefined_by=99)
    assert replaced == 99.0


def test_absent_class_with_a_prior_of_zero_is_defined():
    priors = [0.25, 0.75, 0.0]
    result = expected_cost(TWO_TRUE, THREE_PRED, cost_matrix=COST, priors=priors)
    assert result == pytest.approx(0.25 * 0.5 + 0.75 * 0.5)


def test_weights_of_zero_make_a_class_absent():
    arguments = {"cost_matrix": COST, "priors": [0.5, 0.4, 0.1], "sample_weight": [1, 0, 1]}
    with pytest.warns(UndefinedMetricWarning, match=r"no case of \[1\]"):
        assert np.isnan(expected_cost([0, 1, 2], [0, 1, 2], **arguments))


def test_a_class_that_nothing_names_asks_for_labels():
    with pytest.raises(ValueError, match=r"cost_matrix must have shape \(2, 2\).*labels="):
        expected_cost([0, 1], [1, 0], cost_matrix=COST)


BAD_COSTS = {
    "too large": (
        np.ones((4, 4)) - np.eye(4),
        ValueError,
        r"cost_matrix must have shape \(3, 3\)",
    ),
    "too small": (
        np.ones((2, 2)) - np.eye(2),
        ValueError,
        r"cost_matrix must have shape \(3, 3\)",
    ),
    "not square": (COST[:2], ValueError, "cost_matrix must be square"),
    "vector": (COST.ravel(), ValueError, "cost_matrix must be square"),
    "three-dimensional": (COST[np.newaxis], ValueError, "cost_matrix must be square"),
    "one class": ([[0.0]], ValueError, "cost_matrix must be square with at least two"),
    "empty": ([], ValueError, "cost_matrix must be square"),
    "diagonal": (COST + np.eye(3), ValueError, "cost_matrix must have a zero diagonal"),
    "gain on the diagonal": (COST - np.eye(3), ValueError, "cost_matrix must have a zero diag"),
    "negative": (-COST, ValueError, "cost_matrix must not be negative"),
    "NaN": (np.where(COST == 4, np.nan, COST), ValueError, "cost_matrix must be finite"),
    "infinite": (np.where(COST == 4, np.inf, COST), ValueError, "cost_matrix must be finite"),
    "text": ([["x", "y"], ["z", "u"]], ValueError, "cost_matrix must hold numbers"),
    "ragged": ([[0, 1], [1]], ValueError, "cost_matrix must be a numeric array"),
    "None": (None, ValueError, "cost_matrix must be"),
    "one pair": ({(0, 1): 1}, ValueError, r"cost_matrix must name the cost of \[\("),
    "sparse": (sparse.csr_array(COST), TypeError, "cost_matrix must be a dense array"),
}
BAD_PRIORS = {
    "too short": ([0.5, 0.5], ValueError, r"priors must have shape \(3,\)"),
    "two-dimensional": ([[0.2, 0.5, 0.3]], ValueError, r"priors must have shape \(3,\)"),
    "scalar": (1.0, ValueError, r"priors must have shape \(3,\)"),
    "percentages": ([20, 50, 30], ValueError, "priors must be non-negative and sum to 1"),
    "negative": ([1.2, 0.3, -0.5], ValueError, "priors must be non-negative and sum to 1"),
    "NaN": ([0.5, 0.5, np.nan], ValueError, "priors must be finite"),
    "text": (["x", "y", "z"], ValueError, "priors must hold numbers; got text"),
    "a set": ({0.5, 0.3, 0.2}, ValueError, "priors must be a numeric array"),
    "sparse": (sparse.csr_array([[0.2, 0.5, 0.3]]), TypeError, "priors must be a dense array"),
}


@pytest.mark.parametrize("case", BAD_COSTS)
def test_bad_cost_matrix(case):
    cost, error, message = BAD_COSTS[case]
    with pytest.raises(error, match=message):
        expected_cost(Y_TRUE, Y_PRED, cost_matrix=cost)
    with pytest.raises(error, match=message):
        make_cost_scorer(cost, labels=[0, 1, 2])


@pytest.mark.parametrize(
    ("cost", "message"),
    [
        ({(0, 1): 1}, r"cost of \[\(1, 0\)\], too"),
        ({(0, 1): 1, (0, 2): 1}, r"\[\(1, 0\), \(1, 2\), \(2, 0\)\] and 1 more, too"),
        ({0: {}}, "at least two classes"),
        ({}, "the costs of mistakes"),
    ],
)
def test_incomplete_costs_without_labels(cost, message):
    with pytest.raises(ValueError, match=f"cost_matrix must name .*{message}"):
        make_cost_scorer(cost)
    # the data tell which classes there are
    with pytest.raises(ValueError, match=r"must name the cost of \[\(\d, .* more, too"):
        expected_cost(Y_TRUE, Y_PRED, cost_matrix=cost)


WINES = np.array(["barbera", "barolo", "grignolino"])
WINE_PAIRS = {(true, called): 1.0 for true in WINES for called in WINES if true != called}
WINE_FRAME = pd.DataFrame(1.0 - np.eye(3), WINES, WINES)


@pytest.mark.parametrize(
    "cost",
    [
        {("barbara" if k == "barbera" else k, j): c for (k, j), c in WINE_PAIRS.items()},
        {tuple(w.replace("be", "ba") for w in pair): c for pair, c in WINE_PAIRS.items()},
        {**dict(list(WINE_PAIRS.items())[1:]), ("barbara", "barolo"): 1.0},
        {"barbara": {"barolo": 1.0}},
        WINE_FRAME.rename(index={"barbera": "barbara"}),
        WINE_FRAME.rename(columns={"barbera": "barbara"}),
        WINE_FRAME.rename(index={"barbera": "barbara"}, columns={"barbera": "barbara"}),
    ],
)
def test_misspelt_classes_are_told_by_the_data(cost):
    message = (
        r"must name the classes \['barbera', .* 'barbara' is none of them\. Did you mean 'barb"
    )
    for labels in (None, WINES):
        with pytest.raises(ValueError, match=rf"cost_matrix .*{message}era'\?$"):
            expected_cost(WINES, WINES, cost_matrix=cost, labels=labels)


def test_misspelt_classes_of_scorers():
    misspelt = {tuple(w.replace("be", "ba") for w in pair): 2.0 for pair in WINE_PAIRS}
    model = DummyClassifier().fit(np.zeros((3, 1)), WINES)
    scorer = make_cost_scorer(misspelt)
    with pytest.raises(
        ValueError, match=r"'barbara' is none of them\. Did you mean 'barbera'\?"
    ):
        scorer(model, np.zeros((3, 1)), WINES)
    assert make_cost_scorer(WINE_PAIRS)(model, np.zeros((3, 1)), WINES) == -2 / 3
    by_name = {("b", "a"): 2, ("a", "b"): 1}
    assert repr(make_cost_scorer(by_name)).count(
        "cost_matrix={('a', 'b'): 1.0, ('b', 'a'): 2.0}"
    )
    once = {**dict(list(WINE_PAIRS.items())[1:]), ("barbara", "barolo"): 1.0}
    with pytest.raises(ValueError, match=r"Are 'barbara' and 'barbera' the same class\?$"):
        make_cost_scorer(once)
    incomplete = dict.fromkeys([("a1", "a2"), ("a2", "a1"), ("a1", "b"), ("b", "a2")], 1.0)
    with pytest.raises(ValueError, match=r"WithinLimits\.\)$"):
        make_cost_scorer(incomplete)


def test_other_faults_of_costs_are_told_as_they_are():
    # a class that the data lack is no stranger
    with pytest.raises(ValueError, match="cost_matrix must not be negative"):
        expected_cost(WINES[:2], WINES[:2], cost_matrix=dict.fromkeys(WINE_PAIRS, -1.0))
    with pytest.raises(
        ValueError, match=r"must name the classes \[0, 1, 2\]; 'barbera' is none .* enc"
    ):
        expected_cost(Y_TRUE, Y_PRED, cost_matrix=WINE_PAIRS)
    with pytest.raises(ValueError, match="must have the same length"):
        expected_cost(WINES, WINES[:2], cost_matrix=WINE_PAIRS)
    with pytest.raises(ValueError, match="labels that labels= does not name"):
        expected_cost(WINES, WINES, cost_matrix=1.0 - np.eye(2), labels=WINES[:2])


@pytest.mark.parametrize("case", BAD_PRIORS)
def test_bad_priors(case):
    priors, error, message = BAD_PRIORS[case]
    with pytest.raises(error, match=message):
        expected_cost(Y_TRUE, Y_PRED, cost_matrix=COST, priors=priors)
    with pytest.raises(error, match=message):
        make_cost_scorer(COST, priors=priors)


def test_frames_and_lists_are_taken():
    expected = expected_cost(Y_TRUE, Y_PRED, cost_matrix=COST, priors=[0.2, 0.5, 0.3])
    result = expected_cost(
        pd.Series(Y_TRUE, index=range(5, 13)),
        np.array(Y_PRED),
        cost_matrix=pd.DataFrame(COST),
        priors=pd.Series([0.2, 0.5, 0.3]),
    )
    assert result == expected
    assert (
        expected_cost(Y_TRUE, Y_PRED, cost_matrix=COST.tolist(), priors=(0.2, 0.5, 0.3))
        == expected
    )


@pytest.fixture(scope="module")
def iris():
    """A feature on which the classes overlap."""
    X, y = load_iris(return_X_y=True)
    return X[::2, 1:2], y[::2]


@pytest.mark.parametrize("priors", [None, [0.6, 0.3, 0.1]])
def test_scorer_is_the_negated_cost_of_each_fold(iris, priors):
    X, y = iris
    folds = StratifiedKFold(3)
    scorer = make_cost_scorer(COST, priors=priors)
    scores = cross_val_score(GaussianNB(), X, y, scoring=scorer, cv=folds)
    expected = []
    for train, test in folds.split(X, y):
        predicted = GaussianNB().fit(X[train], y[train]).predict(X[test])
        expected.append(-expected_cost(y[test], predicted, cost_matrix=COST, priors=priors))
    np.testing.assert_allclose(scores, expected, rtol=1e-12)
    assert (scores < 0).all()


def test_grid_search_takes_the_cheapest(iris):
    X, y = iris
    grid = {"priors": [[1 / 3, 1 / 3, 1 / 3], [0.98, 0.01, 0.01], [0.01, 0.01, 0.98]]}
    for cost, cheapest in (([[0, 9, 9], [1, 0, 1], [1, 1, 0]], 1), (COST, 2)):
        search = GridSearchCV(GaussianNB(), grid, scoring=make_cost_scorer(cost), cv=3)
        search.fit(X, y)
        means = search.cv_results_["mean_test_score"]
        assert (means <= 0).all()
        assert search.best_index_ == np.argmax(means) == cheapest
        assert search.best_score_ == means.max()


def test_scorer_survives_clone_and_keeps_its_own_costs(iris):
    X, y = iris
    estimator = GaussianNB().fit(X, y)
    cost = COST.copy()
    scorer = make_cost_scorer(cost)
    before = scorer(estimator, X, y)
    cost *= 1000.0
    assert scorer(estimator, X, y) == before
    search = clone(GridSearchCV(GaussianNB(), {}, scoring=scorer))
    assert search.scoring(estimator, X, y) == before


@pytest.fixture
def fold_without_class_two():
    """The test cases are of classes 0 and 1, and the model calls none of them 2."""
    X, y = np.arange(30.0)[:, np.newaxis], np.repeat([0, 1, 2], 10)
    return X, y, PredefinedSplit(np.where((y < 2) & (np.arange(30) % 2 == 0), 0, -1))


def test_scorer_knows_the_classes_of_the_estimator(fold_without_class_two):
    X, y, fold = fold_without_class_two
    train, test = next(fold.split())
    predicted = GaussianNB().fit(X[train], y[train]).predict(X[test])
    expected = expected_cost(y[test], predicted, cost_matrix=COST, labels=[0, 1, 2])
    for scorer in (make_cost_scorer(COST), make_cost_scorer(COST, labels=[0, 1, 2])):
        scores = cross_val_score(
            GaussianNB(), X, y, scoring=scorer, cv=fold, error_score="raise"
        )
        np.testing.assert_allclose(scores, [-expected], rtol=1e-12)
    with pytest.raises(ValueError, match="name all classes with labels="):
        expected_cost(y[test], predicted, cost_matrix=COST)


def test_scorer_refuses_a_matrix_for_other_classes(fold_without_class_two):
    X, y, _ = fold_without_class_two
    scorer = make_cost_scorer([[0, 1], [1, 0]])
    with pytest.raises(ValueError, match=r"cost_matrix must have shape \(3, 3\)"):
        scorer(GaussianNB().fit(X, y), X, y)


def test_scorer_negates_the_replacement(fold_without_class_two):
    X, y, fold = fold_without_class_two
    options = {"labels": [0, 1, 2], "priors": [0.4, 0.3, 0.3]}
    replaced = make_cost_scorer(COST, **options, replace_undefined_by=7.0)
    assert cross_val_score(GaussianNB(), X, y, scoring=replaced, cv=fold).tolist() == [-7.0]
    undefined = make_cost_scorer(COST, **options)
    with pytest.warns(UndefinedMetricWarning, match="prior is positive"):
        assert np.isnan(cross_val_score(GaussianNB(), X, y, scoring=undefined, cv=fold)).all()


def test_scorer_refuses_bad_options_when_it_is_made():
    with pytest.raises(ValueError, match="labels must not repeat a class"):
        make_cost_scorer(COST, labels=[0, 1, 1])
    with pytest.raises(ValueError, match=r"cost_matrix must have shape \(2, 2\)"):
        make_cost_scorer(COST, labels=[0, 1])
    with pytest.raises(ValueError, match="replace_undefined_by must be a number"):
        make_cost_scorer(COST, replace_undefined_by="worst")


def test_labelled_costs_go_by_their_labels():
    y_true, y_pred = ["b", "a", "c", "a", "b"], ["a", "a", "b", "c", "b"]
    array = np.array([[0.0, 1, 2], [3, 0, 4], [5, 6, 0]])
    plain = expected_cost(y_true, y_pred, cost_matrix=array)
    shuffled = pd.DataFrame(array, list("abc"), list("abc")).loc[list("cab"), list("bca")]
    pairs = {
        (k, j): array[a, b] for a, k in enumerate("abc") for b, j in enumerate("abc") if k != j
    }
    for labelled in (shuffled, pairs):
        assert expected_cost(y_true, y_pred, cost_matrix=labelled) == plain
        # the matrix names a class that the data lack
        assert expected_cost(["a"], ["b"], cost_matrix=labelled) == 1.0
        relabelled = expected_cost(
            y_true, y_pred, cost_matrix=labelled, labels=list("cba"), priors=[0.2, 0.3, 0.5]
        )
        assert relabelled == pytest.approx(
            expected_cost(y_true, y_pred, cost_matrix=array, priors=[0.5, 0.3, 0.2])
        )
    priors = {"c": 0.2, "a": 0.5, "b": 0.3}
    for named in (priors, pd.Series(priors)):
        options = {"cost_matrix": array, "priors": [0.5, 0.3, 0.2]}
        wanted = expected_cost(y_true, y_pred, **options)
        assert expected_cost(y_true, y_pred, cost_matrix=array, priors=named) == wanted
        model = DummyClassifier().fit(np.zeros((5, 1)), y_true)
        for costs in (array, shuffled):
            scorer = make_cost_scorer(costs, priors=named)
            plain_scorer = make_cost_scorer(array, priors=[0.5, 0.3, 0.2])
            case = model, np.zeros((5, 1)), y_true
            assert scorer(*case) == plain_scorer(*case)
    with pytest.raises(ValueError, match=r"cost of \[\('a', 'd'\), .* and 3 more, too"):
        expected_cost(["a", "d"], ["b", "a"], cost_matrix=pairs)
    with pytest.raises(ValueError, match=r"index must name the classes \['a', 'b', 'c', 'd'\]"):
        expected_cost(["a", "d"], ["b", "a"], cost_matrix=shuffled)
    model = DummyClassifier().fit(np.zeros((5, 1)), y_true)
    scorers = [make_cost_scorer(costs) for costs in (array, shuffled, pairs)]
    assert len({scorer(model, np.zeros((5, 1)), y_true) for scorer in scorers}) == 1


def test_errors_of_many_classes_come_at_once():
    names = [f"class {k}" for k in range(120)]
    pairs = {(true, called): 1.0 for true in names for called in names if true != called}
    misspelt = {("clas 7" if k == "class 7" else k, j): c for (k, j), c in pairs.items()}
    with pytest.raises(ValueError, match="Are 'clas 7' and 'class 7' the same class"):
        make_cost_scorer(misspelt)
    others = {(f"x{true}", f"x{called}"): 1.0 for true, called in pairs}
    for cost in (misspelt, others):
        with pytest.raises(ValueError, match="is none of them"):
            expected_cost(names, names, cost_matrix=cost)
