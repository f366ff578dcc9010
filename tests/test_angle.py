"""The angle heuristic against the picture that it is drawn from."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ordering_twins import enumerated_angle_score
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import roc_auc_score
from strategies import soft_problems

from skvus import angle_vus_score, ordered_vus_score, simplified_vus_score
from skvus.datasets import make_softmax_gaussians
from skvus.metrics import _angle

LIMITS = ("right_angle", "cosine", "sector")
every_limit = pytest.mark.parametrize("limit", LIMITS)


@pytest.mark.parametrize(("n_classes", "max_cases"), [(3, 5), (4, 3), (5, 2)])
@every_limit
@settings(max_examples=20, deadline=None)
@given(data=st.data())
def test_against_enumeration(n_classes, max_cases, limit, data):
    y, _, proba = data.draw(soft_problems(n_classes, max_cases))
    weight = data.draw(st.sampled_from([None, np.linspace(0.5, 2.0, len(y))]))
    truth = enumerated_angle_score(y, proba, limit, weight)
    score = angle_vus_score(y, proba, limit=limit, sample_weight=weight)
    assert score == pytest.approx(truth, rel=1e-12, abs=1e-15)


@every_limit
def test_two_classes_are_pairs_not_in_the_wrong_order(limit):
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=40)
    one = np.round(rng.random(40), 1)
    ties = np.mean(one[y == 0][:, np.newaxis] == one[y == 1])
    expected = roc_auc_score(y, one) + ties / 2
    assert ties > 0.0
    for scores in (one, np.column_stack([1 - one, one]), 9 * one - 4):
        assert angle_vus_score(y, scores, limit=limit) == pytest.approx(expected)


def test_limits_differ_and_the_cosine_is_the_strictest():
    y_score, y = make_softmax_gaussians(60, scale=1.5, random_state=0)
    right, cosine, sector = (angle_vus_score(y, y_score, limit=limit) for limit in LIMITS)
    assert cosine < right
    assert len({right, cosine, sector}) == 3


@every_limit
def test_ties_get_full_credit(limit):
    assert angle_vus_score([0, 1, 2, 0], np.full((4, 3), 1 / 3), limit=limit) == 1.0


@every_limit
def test_worked_example(limit):
    # seen from (1/3, 1/3, 1/3): towards the corner, sideways by 90 degrees, and away
    p = np.array([[0.5, 0.25, 0.25], [0.25, 0.5, 0.25], [0.25, 0.25, 0.5]])
    assert angle_vus_score([0, 1, 2], p, limit=limit) == 1.0
    assert angle_vus_score([1, 0, 2], p, limit=limit) == 0.0
    sideways = np.array([[1, 2, 0], [0, 1, 2], [2, 0, 1]]) / 3
    expected = {"right_angle": 1.0, "cosine": 0.0, "sector": 0.0}[limit]
    assert angle_vus_score([0, 1, 2], sideways, limit=limit) == expected


@every_limit
def test_sampled_estimates_agree_with_their_error(limit):
    y_score, y = make_softmax_gaussians(60, scale=1.5, random_state=0)
    weight = np.random.default_rng(0).exponential(size=60)
    exact = angle_vus_score(y, y_score, limit=limit, sample_weight=weight)
    results = [
        angle_vus_score(
            y,
            y_score,
            limit=limit,
            sample_weight=weight,
            method="sampled",
            n_tuples=3000,
            random_state=seed,
            return_details=True,
        )
        for seed in range(40)
    ]
    deviations = [(r - exact) / r.standard_error for r in results]
    assert abs(np.mean(deviations)) < 4 / np.sqrt(40)
    assert 0.65 < np.std(deviations) < 1.35


def test_methods_threads_and_pieces(monkeypatch):
    y_score, y = make_softmax_gaussians(60, random_state=0)
    exact = angle_vus_score(y, y_score, return_details=True)
    assert exact.is_exact
    assert exact.n_tuples == 20**3
    monkeypatch.setattr(_angle, "_PIECE_TUPLES", 100)
    assert angle_vus_score(y, y_score, n_jobs=2) == exact
    options = {"method": "sampled", "random_state": 0}
    sampled = angle_vus_score(y, y_score, **options)
    assert sampled != exact
    assert sampled == angle_vus_score(y, y_score, **options, n_jobs=2)
    y_score, y = make_softmax_gaussians(200, 10, random_state=0)
    assert angle_vus_score(y, y_score, random_state=0, return_details=True).method == "sampled"
    with pytest.raises(ValueError, match="Use method='sampled'"):
        angle_vus_score(y, y_score, method="exact")


def test_it_follows_the_exact_score():
    scores = []
    for seed in range(30):
        scale = 0.5 + 0.1 * seed
        y_score, y = make_softmax_gaussians(60, scale=scale, random_state=seed)
        scores.append((angle_vus_score(y, y_score), ordered_vus_score(y, y_score)))
    assert np.corrcoef(np.transpose(scores))[0, 1] > 0.99


@pytest.mark.parametrize("score", [angle_vus_score, ordered_vus_score, simplified_vus_score])
@pytest.mark.parametrize("sizes", [(4, 6), (4, 2, 3), (2, 3, 2, 4)])
def test_details_of_exact_scores(score, sizes):
    y = np.repeat(range(len(sizes)), sizes)
    proba = np.random.default_rng(0).dirichlet(np.ones(len(sizes)), y.size)
    result = score(y, proba, return_details=True)
    assert result == score(y, proba)
    assert type(score(y, proba)) is float
    assert result.standard_error == 0.0
    assert (result.method, result.n_tuples) == ("exact", np.prod(sizes))


@pytest.mark.parametrize("score", [angle_vus_score, ordered_vus_score, simplified_vus_score])
def test_details_of_undefined_scores(score):
    proba = np.random.default_rng(0).dirichlet(np.ones(3), 4)
    with pytest.warns(UndefinedMetricWarning):
        result = score([0, 0, 1, 1], proba, labels=[0, 1, 2], return_details=True)
    assert np.isnan(result)
    assert np.isnan(result.standard_error)
    assert (result.method, result.n_tuples) == ("undefined", 0)


@every_limit
def test_classes_of_other_sizes_in_another_order(limit, monkeypatch):
    monkeypatch.setattr(_angle, "_PIECE_TUPLES", 7)  # a case of the largest class each
    y = np.repeat([0, 1, 2], [2, 5, 3])
    proba = np.random.default_rng(1).dirichlet([2, 1, 1], y.size)
    proba = 0.8 * proba + 0.2 * np.eye(3)[y]
    expected = enumerated_angle_score(y, proba, limit)
    assert 0.0 < expected < 1.0
    for order in ([0, 1, 2], [1, 2, 0], [2, 0, 1]):
        labels = np.array(order)[y]
        columns = proba[:, np.argsort(order)]
        score = angle_vus_score(labels, columns, limit=limit)
        assert score == pytest.approx(expected, rel=1e-12)
