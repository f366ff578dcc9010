"""The discard region itself, and membership in it."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial import ConvexHull
from slow_twins import off_diagonal_points, packed, trivial, with_trivial_points
from strategies import rate_sets

from skvus import discard_polytope, is_discarded, polytope_vus
from skvus.datasets import random_confusion_rates
from skvus.metrics import _discard


@pytest.mark.parametrize("n_classes", [2, 3, 4, 5])
def test_vertices_without_classifiers(n_classes):
    polytope = discard_polytope(n_classes=n_classes)
    # each trivial classifier, as it is or with its only hits moved to one wrong class
    expected = 3 if n_classes == 2 else n_classes**2
    assert polytope.vertices.shape == (expected, n_classes * (n_classes - 1))
    assert polytope.volume == pytest.approx(polytope_vus([], n_classes=n_classes), rel=1e-12)
    assert polytope.n_classes == n_classes


@pytest.mark.parametrize("n_classes", [2, 3, 4])
def test_vertices_of_the_perfect_classifier(n_classes):
    polytope = discard_polytope(np.eye(n_classes))
    assert len(polytope.vertices) == n_classes**n_classes
    assert len(polytope.equations) == n_classes * (n_classes - 1) + n_classes


def test_vertices_are_in_lexicographic_order():
    vertices = discard_polytope(np.eye(3)).vertices.tolist()
    assert vertices == sorted(vertices)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_vertices_do_not_depend_on_guesses(n_classes, monkeypatch):
    rates = random_confusion_rates(1, n_classes, random_state=2)
    rates = 0.5 * np.eye(n_classes) + 0.5 * rates  # better than any trivial one
    expected = discard_polytope(rates).vertices
    monkeypatch.setattr(_discard, "_GUESSES", 2)
    np.testing.assert_array_equal(discard_polytope(rates).vertices, expected)


def test_theorem_1_is_in_the_facets():
    # x1+x3+x5 >= 1 and its seven companions, and the three limits of the rows
    equations = discard_polytope(n_classes=3).equations
    sums = np.round(equations[:, :-1] / np.abs(equations[:, :-1]).max(axis=1, keepdims=True))
    assert sorted(sums.sum(axis=1)) == [-3.0] * 8 + [2.0] * 3


@settings(max_examples=20, deadline=None)
@given(rates=rate_sets(3, min_size=1, max_size=5))
def test_vertices_facets_and_volume_fit_together(rates):
    polytope = discard_polytope(rates)
    values = polytope.vertices @ polytope.equations[:, :-1].T + polytope.equations[:, -1]
    assert values.max() < 1e-8
    on_facet = np.abs(values) < 1e-8
    assert (on_facet.sum(axis=0) >= 6).all()
    assert (on_facet.sum(axis=1) >= 6).all()
    assert len(np.unique(np.round(polytope.vertices, 9), axis=0)) == len(polytope.vertices)
    # the joggled hull of the vertices is good to about 1e-8
    hull = ConvexHull(polytope.vertices, qhull_options="QJ")
    assert polytope.volume == pytest.approx(hull.volume, rel=1e-6)
    assert polytope.volume == pytest.approx(polytope_vus(rates), rel=1e-9)
    assert polytope.vertex_rates.sum(axis=2) == pytest.approx(1.0)


@settings(max_examples=15, deadline=None)
@given(rates=rate_sets(3, min_size=1, max_size=4), seed=st.integers(0, 2**32 - 1))
def test_facets_decide_membership_like_the_linear_programme(rates, seed):
    polytope = discard_polytope(rates)
    candidates = random_confusion_rates(40, 3, kind="dirichlet", random_state=seed)
    points = np.array(off_diagonal_points(candidates))
    margin = (points @ polytope.equations[:, :-1].T + polytope.equations[:, -1]).max(axis=1)
    clear = np.abs(margin) > 1e-8
    assert (is_discarded(candidates, rates) == (margin < 0.0))[clear].all()


@pytest.mark.parametrize(("n_classes", "n_members", "steps"), [(3, 3, 5), (4, 2, 10)])
def test_facets_of_grid_like_sets_cut_nothing_off(n_classes, n_members, steps):
    # flat cells of a joggled hull have planes of their own that must not pass for facets
    rng = np.random.default_rng(0)
    chances = (np.eye(n_classes) + 1.0) / (n_classes + 1.0)
    for _ in range(25):
        rates = np.array(
            [[rng.multinomial(steps, row) for row in chances] for _ in range(n_members)]
        )
        polytope = discard_polytope(rates / steps)
        values = polytope.vertices @ polytope.equations[:, :-1].T + polytope.equations[:, -1]
        assert values.max() < 1e-8
        assert ((np.abs(values) < 1e-8).sum(axis=1) >= n_classes * (n_classes - 1)).all()


def test_only_vertices_are_kept():
    # a vertex is not a mixture of the others
    polytope = discard_polytope(
        0.5 * np.eye(3) + 0.5 * random_confusion_rates(2, 3, random_state=0)
    )
    from scipy.optimize import linprog

    for k, vertex in enumerate(polytope.vertices):
        others = np.delete(polytope.vertices, k, axis=0)
        system = np.column_stack([others, np.ones(len(others))]).T
        result = linprog(np.zeros(len(others)), A_eq=system, b_eq=np.append(vertex, 1.0))
        assert result.status == 2  # infeasible


def test_too_large_polytopes_are_refused_with_advice():
    with pytest.raises(ValueError, match=r"too large to list.*polytope_vus"):
        discard_polytope(random_confusion_rates(500, 3, kind="dirichlet", random_state=0))
    with pytest.raises(ValueError, match=r"6 classes is too large to list"):
        discard_polytope(n_classes=6)


@settings(max_examples=60, deadline=None)
@given(data=st.data(), n_classes=st.integers(2, 5))
def test_is_discarded_against_a_general_solver(data, n_classes):
    rates = data.draw(rate_sets(n_classes, min_size=1, max_size=8))
    candidates = data.draw(rate_sets(n_classes, min_size=1, max_size=4))
    points = with_trivial_points(rates, n_classes)
    truth = np.array([packed(points, v) for v in off_diagonal_points(candidates)])
    discarded, weights = is_discarded(candidates, rates, return_weights=True)
    clear = np.abs(truth - 1.0) > 1e-7
    assert (discarded == (truth >= 1.0))[clear].all()
    assert weights.shape == (len(candidates), len(rates) + n_classes)
    for yes, mixture, v in zip(
        discarded, weights, off_diagonal_points(candidates), strict=True
    ):
        if yes:
            assert mixture.sum() == pytest.approx(1.0)
            assert mixture.min() >= 0.0
            assert (mixture @ points <= np.array(v) + 1e-8).all()
        else:
            assert np.isnan(mixture).all()


@settings(max_examples=60, deadline=None)
@given(data=st.data(), n_classes=st.integers(2, 6))
def test_theorem_1(data, n_classes):
    candidates = data.draw(rate_sets(n_classes, min_size=1, max_size=10))
    diagonal = np.where(np.eye(n_classes, dtype=bool), np.inf, 0.0)
    minima = (candidates + diagonal).min(axis=1).sum(axis=1)
    clear = np.abs(minima - 1.0) > 1e-7
    assert (is_discarded(candidates, None) == (minima >= 1.0))[clear].all()


def test_members_trivials_and_mixtures_are_discarded():
    rates = random_confusion_rates(4, 3, random_state=0)
    assert is_discarded(rates, rates).all()
    assert is_discarded(np.array(trivial(3), dtype=float), None).all()
    mixture = 0.25 * rates.sum(axis=0)
    assert is_discarded(mixture, rates)
    assert not is_discarded(np.eye(3), rates)
    better = mixture + 0.01 * (np.eye(3) - mixture)
    assert is_discarded(better, better[np.newaxis])


def test_one_candidate_gives_a_bool_and_one_vector():
    discarded, weights = is_discarded(np.eye(3), np.eye(3), return_weights=True)
    assert discarded is True
    assert weights.tolist() == [1.0, 0.0, 0.0, 0.0]
    assert is_discarded(np.eye(2), []) is False


def test_tolerance_decides_near_misses():
    rates = np.array([[[0.8, 0.2], [0.2, 0.8]]])
    nearly = np.array([[0.8 + 1e-6, 0.2 - 1e-6], [0.2, 0.8]])
    assert not is_discarded(nearly, rates)
    assert is_discarded(nearly, rates, tol=1e-4)


@pytest.mark.parametrize("n_classes", [3, 6])
def test_many_candidates_against_many(n_classes):
    rates = 0.6 * np.eye(n_classes) + 0.4 * random_confusion_rates(
        300, n_classes, kind="dirichlet", random_state=0
    )
    candidates = random_confusion_rates(200, n_classes, kind="dirichlet", random_state=1)
    points = with_trivial_points(rates, n_classes)
    truth = [packed(points, v) >= 1.0 for v in off_diagonal_points(candidates[:30])]
    together = is_discarded(candidates, rates)
    assert together[:30].tolist() == truth
    # the working set carries over from one to the next; the answers must not
    alone = [is_discarded(candidate, rates) for candidate in candidates]
    assert together.tolist() == alone


def test_repr_reads_well():
    text = repr(discard_polytope(n_classes=3))
    assert text == "DiscardPolytope(n_classes=3, 9 vertices, 11 facets, volume=0.00555556)"


def test_near_copies_do_not_upset_the_programme():
    # two columns of one basis that differ by 1e-8 make its inverse useless
    for seed in range(60):
        members = 0.5 * np.eye(3) + 0.5 * random_confusion_rates(4, 3, random_state=seed)
        by = np.concatenate([members, members.astype(np.float32)])
        mixtures = np.concatenate([members, members.mean(axis=0, keepdims=True)])
        discarded, weights = is_discarded(mixtures, by, tol=1e-6, return_weights=True)
        assert discarded.all()
        points = with_trivial_points(by, 3)
        assert (weights @ points <= np.array(off_diagonal_points(mixtures)) + 1e-6).all()


def test_classifiers_that_are_as_good_as_perfect():
    for rate in (1e-8, 1e-10, 1e-11, 1e-13, 1e-300):
        nearly = np.full((3, 3), rate)
        np.fill_diagonal(nearly, 1.0 - 2.0 * rate)
        candidate = 0.9 * np.eye(3) + 0.1 / 3
        discarded, weights = is_discarded(candidate, nearly, return_weights=True)
        assert discarded
        assert weights[0] == pytest.approx(1.0, abs=1e-6)


def test_answers_without_weights_are_the_same():
    rates = random_confusion_rates(6, 4, random_state=0)
    candidates = random_confusion_rates(50, 4, kind="dirichlet", random_state=1)
    alone = is_discarded(candidates, rates)
    assert alone.tolist() == is_discarded(candidates, rates, return_weights=True)[0].tolist()


def test_a_tolerance_of_one_discards_everything_without_a_mixture():
    discarded, weights = is_discarded(np.eye(3), None, tol=1.0, return_weights=True)
    assert discarded
    assert np.isnan(weights).all()


@pytest.mark.parametrize("n_classes", [6, 40, 10_000])
def test_too_many_classes_are_refused_before_any_work(n_classes):
    with pytest.raises(ValueError, match="is too large to list; at most 5 classes are"):
        discard_polytope(n_classes=n_classes)
    with pytest.raises(ValueError, match="n_classes must be at most 10,000"):
        discard_polytope(n_classes=10**30)
