"""Rules that choose a member of a front: scores."""

import pickle
from functools import partial
from math import isclose

import numpy as np
import pytest
import sklearn.metrics
from front_rule_cases import (
    exact_priors,
    exact_rates,
    first,
    fronts,
    kappa,
    small_front,
    weighted_kappa,
)
from front_twins import all_largest, best_accuracy, best_score, labels_of
from hypothesis import given, settings
from sklearn.exceptions import UndefinedMetricWarning
from strategies import gaussian_scores

import skvus.metrics
from skvus import BestScore, LeastCost, ROCFront
from skvus.front._scoring import score_members

# --- best score -------------------------------------------------------------------

AT_ONCE = {
    "accuracy": sklearn.metrics.accuracy_score,
    "balanced_accuracy": sklearn.metrics.balanced_accuracy_score,
    "f1_macro": partial(sklearn.metrics.f1_score, average="macro"),
    "f1_weighted": partial(sklearn.metrics.f1_score, average="weighted"),
    "matthews_corrcoef": sklearn.metrics.matthews_corrcoef,
}
WITH_CALLS = {
    "jaccard_macro": partial(sklearn.metrics.jaccard_score, average="macro"),
    "recall_weighted": partial(sklearn.metrics.recall_score, average="weighted"),
}
SCORES = {**AT_ONCE, **WITH_CALLS, "macro_average": skvus.metrics.macro_average_score}


@pytest.mark.parametrize("name", [*AT_ONCE, *WITH_CALLS])
@settings(max_examples=8, deadline=None)
@given(case=fronts)
def test_named_scores_are_those_of_scikit_learn(name, case):
    front, y, scores = case
    metric = SCORES[name]
    truth = [metric(y, front.predict(scores, i)) for i in range(len(front))]
    np.testing.assert_allclose(score_members(front, name), truth, rtol=0, atol=1e-12)
    members = {i for i, s in enumerate(truth) if isclose(s, max(truth), abs_tol=1e-12)}
    rates = exact_rates(front)
    assert front.select(BestScore(name)) == first(rates, members)
    if name == "accuracy":
        assert members == best_accuracy(rates, exact_priors(front))


def test_named_scores_where_a_class_is_never_called():
    # scikit-learn says so, and counts the precision as zero
    front, _, _ = small_front(0, 3)
    metric = partial(sklearn.metrics.precision_score, average="macro", zero_division=0.0)
    members = best_score(front.counts.tolist(), metric)
    is_called = front.counts.sum(axis=1).all(axis=1)
    assert not is_called.all()
    with pytest.warns(UndefinedMetricWarning):
        assert front.select(BestScore("precision_macro")) == first(exact_rates(front), members)
    assert front.select(BestScore(metric)) == first(exact_rates(front), members)
    calling = front[is_called]  # without a warning
    members = best_score(calling.counts.tolist(), metric)
    assert calling.select(BestScore("precision_macro")) == first(exact_rates(calling), members)


@pytest.mark.parametrize(
    ("name", "function"),
    [
        ("macro_average", skvus.metrics.macro_average_score),
        ("modified_macro_average", skvus.metrics.modified_macro_average_score),
        ("one_point_auc", skvus.metrics.one_point_auc_score),
        ("hand_till_crisp_2", partial(skvus.metrics.hand_till_crisp_score, variant="2")),
    ],
)
@pytest.mark.parametrize("text", [False, True])
def test_scores_of_this_package_by_name(name, function, text):
    for seed in range(4):
        front, _, _ = small_front(seed, 3, text=text, n_costs=80)
        truth = [function(*labels_of(counts)) for counts in front.counts.tolist()]
        np.testing.assert_allclose(score_members(front, name), truth, rtol=0, atol=1e-12)
        members = {i for i, s in enumerate(truth) if isclose(s, max(truth), abs_tol=1e-12)}
        assert front.select(BestScore(name)) == first(exact_rates(front), members)


def test_all_scorers_for_labels_of_this_package_work():
    front, _, _ = small_front(0, 3, text=True)
    crisp = ("hand_till_crisp", "macro_average", "modified", "one_point", "polytope_vus")
    names = [name for name in skvus.metrics.get_scorer_names() if name.startswith(crisp)]
    assert len(names) >= 8
    for name in names:
        assert 0 <= front.select(BestScore(name)) < len(front)


@pytest.mark.parametrize(
    "score",
    [
        kappa,
        weighted_kappa,
        sklearn.metrics.cohen_kappa_score,
        sklearn.metrics.make_scorer(sklearn.metrics.cohen_kappa_score),
        lambda y_true, y_pred, **options: weighted_kappa(y_true, y_pred, **options),
        partial(sklearn.metrics.cohen_kappa_score, weights=None),
    ],
)
@pytest.mark.parametrize(("n_classes", "text"), [(2, True), (3, False), (4, True)])
def test_scores_that_are_functions(score, n_classes, text):
    for seed in range(3):
        front, _, _ = small_front(seed, n_classes, text=text, n_costs=60)
        members = best_score(front.counts.tolist(), kappa)
        assert front.select(BestScore(score)) == first(exact_rates(front), members)


def test_functions_see_labels():
    front, y, scores = small_front(0, 3, text=True)
    seen = []

    def remember(y_true, y_pred):
        seen.append(sklearn.metrics.confusion_matrix(y_true, y_pred, labels=front.classes))
        return float(np.mean(y_true == "yew") * np.mean(y_pred == "ash"))

    index = front.select(BestScore(remember))
    np.testing.assert_array_equal(seen, front.counts)
    called = [np.mean(front.predict(scores, i) == "ash") for i in range(len(front))]
    assert called[index] == max(called)
    assert sorted(set(y)) == sorted(front.classes)


def test_a_scorer_whose_sign_is_changed():
    front, _, _ = small_front(1, 2)
    loss = sklearn.metrics.make_scorer(sklearn.metrics.zero_one_loss, greater_is_better=False)
    assert front.select(BestScore(loss)) == front.select(BestScore("accuracy"))
    wrong = sklearn.metrics.make_scorer(sklearn.metrics.zero_one_loss)
    assert front.select(BestScore(wrong)) != front.select(BestScore("accuracy"))


@pytest.mark.parametrize("name", SCORES)
@pytest.mark.parametrize("n_classes", [2, 3, 4])
def test_scores_of_weighted_cases(name, n_classes):
    y, scores = gaussian_scores(30 * n_classes, n_classes, 3)
    weight = np.random.default_rng(3).exponential(size=y.size) * 1e3
    front = ROCFront.from_predictions(
        y, scores, n_costs=80, random_state=0, sample_weight=weight
    )
    metric = SCORES[name]
    truth = [
        metric(y, front.predict(scores, i), sample_weight=weight) for i in range(len(front))
    ]
    np.testing.assert_allclose(score_members(front, name), truth, rtol=0, atol=1e-11)
    assert front.select(BestScore(name)) == np.argmax(truth)
    unweighted = [metric(y, front.predict(scores, i)) for i in range(len(front))]
    assert np.abs(np.array(truth) - unweighted).max() > 0.01


def test_functions_without_weights_take_whole_counts_only():
    y, scores = gaussian_scores(60, 3, 3)
    weighted = ROCFront.from_predictions(
        y, scores, n_costs=20, random_state=0, sample_weight=np.linspace(1, 2, 60)
    )
    bare = ROCFront.from_rates(weighted.rates)
    for front in (weighted, bare):
        with pytest.raises(
            ValueError, match=r"must take sample_weight: the front has no whole"
        ):
            front.select(BestScore(kappa))
        assert 0 <= front.select(BestScore(weighted_kappa)) < len(front)
    whole = ROCFront.from_rates(quarter_rates(20), class_sizes=[8, 4, 12])
    assert whole.select(BestScore(kappa)) == whole.select(BestScore(weighted_kappa))


def quarter_rates(n_members, n_classes=3, seed=0):
    rng = np.random.default_rng(seed)
    share = 0.5 * np.eye(n_classes) + 0.5 / n_classes
    return rng.multinomial(4, share, size=(n_members, n_classes)) / 4


@pytest.mark.parametrize("name", SCORES)
def test_fronts_without_counts_stand_for_their_priors(name):
    # a tenth, three tenths and six tenths of 40 cases, in quarters
    priors, sizes = [0.1, 0.3, 0.6], [4, 12, 24]
    for seed in range(5):
        rates = quarter_rates(15, seed=seed)
        front = ROCFront.from_rates(rates, priors=priors)
        assert front.counts is None
        counted = ROCFront.from_rates(rates, class_sizes=sizes)
        assert counted.counts.sum(axis=2).tolist() == [sizes] * len(counted)
        np.testing.assert_allclose(
            score_members(front, name), score_members(counted, name), rtol=0, atol=1e-12
        )
        assert front.select(BestScore(name)) == counted.select(BestScore(name))
    if name == "accuracy":
        other = ROCFront.from_rates(rates, priors=[0.6, 0.3, 0.1])
        assert other.select(BestScore(name)) != front.select(BestScore(name))


@pytest.mark.parametrize(
    "name",
    ["roc_auc_ovr", "roc_auc", "neg_log_loss", "neg_brier_score", "average_precision",
     "top_k_accuracy", "simplified_vus", "ordered_vus", "soft_polytope_vus", "pdi",
     "hand_till", "one_vs_rest_auc", "angle_vus"],
)  # fmt: skip
@pytest.mark.parametrize("n_classes", [2, 3])
def test_scores_of_probabilities_are_refused(name, n_classes):
    front, _, _ = small_front(0, n_classes, text=True)
    with pytest.raises(ValueError, match=r"score must be one of predicted labels.*needs prob"):
        front.select(BestScore(name))


def test_costs_of_other_libraries():
    polars = pytest.importorskip("polars")
    front, _, _ = small_front(0, 3)
    cost = np.array([[0.0, 1, 2], [3, 0, 4], [5, 6, 0]])
    assert LeastCost(polars.DataFrame(cost)) == LeastCost(cost)
    assert front.select(polars.DataFrame(cost)) == front.select(cost)
    assert LeastCost(cost, priors=polars.Series([0.2, 0.3, 0.5])) == LeastCost(
        cost, priors=[0.2, 0.3, 0.5]
    )


@pytest.mark.parametrize("kind", ["polars", "pyarrow"])
def test_costs_of_tables_in_another_order(kind):
    library = pytest.importorskip(kind)
    table = {"polars": "DataFrame", "pyarrow": "table"}[kind]
    front, _, _ = small_front(0, 3, text=True)
    names = front.classes.tolist()
    # zeros, so that the diagonal does not tell
    columns = dict(zip(names, np.array([[0, 0, 5], [0, 0, 1], [3, 1, 0]]).T, strict=True))
    make = getattr(library, table)
    assert LeastCost(make(columns)) == LeastCost(np.transpose(list(columns.values())))
    assert front.select(make(columns)) == front.select(np.asarray(make(columns)))
    moved = LeastCost(make({name: columns[name] for name in np.roll(names, 1).tolist()}))
    swapped = LeastCost(make({name: columns[name] for name in [*names[1::-1], names[2]]}))
    for bad in (moved, swapped, pickle.loads(pickle.dumps(swapped))):
        with pytest.raises(ValueError, match="cost_matrix must have its columns in the order"):
            front.select(bad)


def test_bad_scores():
    front, _, _ = small_front(0, 3)
    for bad in (None, 3, ["accuracy"], 0.5, int):
        with pytest.raises(ValueError, match=r"score must be the name of a scorer or a call"):
            BestScore(bad)
    with pytest.raises(ValueError, match=r"accuracie"):
        front.select(BestScore("accuracie"))
    with pytest.raises(ValueError, match=r"score must give one number"):
        front.select(BestScore(lambda a, b: [1.0, 2.0]))
    for value in (1j, None, "much"):
        with pytest.raises(ValueError, match=r"score must give one number; .* gave"):
            front.select(BestScore(lambda a, b, value=value: value))
    with pytest.raises(ValueError, match=r"is NaN for every member"):
        front.select(BestScore(lambda a, b: np.nan))


def test_scores_that_are_not_numbers_lose():
    front, _, _ = small_front(0, 3)
    a = front.classes[0]

    def precision(y_true, y_pred):
        called = y_pred == a
        return (y_true[called] == a).mean() if called.any() else np.nan

    values = [c[0, 0] / c[:, 0].sum() if c[:, 0].any() else -1.0 for c in front.counts]
    assert min(values) == -1.0
    members = {i for i, v in enumerate(values) if isclose(v, max(values), abs_tol=1e-12)}
    assert front.select(BestScore(precision)) == first(exact_rates(front), members)
    assert front.select(BestScore(lambda *args: -precision(*args))) not in {
        i for i, v in enumerate(values) if v == -1.0
    }


def test_infinite_scores_win():
    # a ratio of likelihoods is infinite where there are no false alarms
    front, _, _ = small_front(1, 2)
    a, b = front.classes

    def likelihood_ratio(y_true, y_pred):
        alarms = np.mean(y_pred[y_true == a] == b)
        hits = np.mean(y_pred[y_true == b] == b)
        return np.inf if alarms == 0 else hits / alarms

    infinite = {i for i, r in enumerate(front.rates) if r[0, 1] == 0.0}
    assert infinite
    index = front.select(BestScore(likelihood_ratio))
    assert index == first(exact_rates(front), infinite)
    lowest = front.select(BestScore(lambda *args: -likelihood_ratio(*args)))
    assert lowest not in infinite


@pytest.mark.parametrize(
    "name", ["adjusted_rand_score", "normalized_mutual_info_score", "v_measure_score"]
)
def test_named_scores_that_take_no_weights_serve_for_whole_counts(name):
    front, _, _ = small_front(0, 3)
    metric = getattr(sklearn.metrics, name)
    members = best_score(front.counts.tolist(), metric)
    assert front.select(BestScore(name)) == first(exact_rates(front), members)


def test_named_scores_that_take_no_weights_say_so():
    y, scores = gaussian_scores(60, 3, 3)
    weighted = ROCFront.from_predictions(
        y, scores, n_costs=20, random_state=0, sample_weight=np.linspace(1, 2, 60)
    )
    with pytest.raises((TypeError, ValueError), match=r"sample_weight"):
        weighted.select(BestScore("adjusted_rand_score"))


@pytest.mark.parametrize("share", [1e-6, 1e-9])
def test_scores_of_a_rare_class(share):
    rates = [[[1.0, 0.0], [0.5, 0.5]], [[0.9, 0.1], [0.0, 1.0]]]
    front = ROCFront.from_rates(rates, priors=[1 - share, share])
    truth = []
    for matrix in rates:
        table = np.array([[1 - share], [share]]) * np.array(matrix)
        true, called = np.nonzero(table)
        weight = table[true, called]
        score = sklearn.metrics.matthews_corrcoef(true, called, sample_weight=weight)
        truth.append(score)
    assert truth == pytest.approx([np.sqrt(0.5), 3 * np.sqrt(share)], rel=0.01)
    assert front.select(BestScore("matthews_corrcoef")) == np.argmax(truth) == 0


@pytest.mark.parametrize("name", ["accuracy", "balanced_accuracy", "f1_weighted"])
def test_scores_with_a_class_that_does_not_occur(name):
    # rates are known, the class is not expected: no warning, and no NaN
    front = ROCFront.from_rates(quarter_rates(12, seed=3), priors=[0.5, 0.5, 0.0])
    index = front.select(BestScore(name))
    rates = front.rates.tolist()
    two = [m[0][0] + m[1][1] for m in rates]
    f1 = [sum(m[k][k] / (1 + m[0][k] + m[1][k]) for k in (0, 1)) for m in rates]
    best = all_largest(f1 if name == "f1_weighted" else two)
    if name == "balanced_accuracy":  # of the classes that occur, or of all
        best |= all_largest([m[0][0] + m[1][1] + m[2][2] for m in rates])
    assert index in best
