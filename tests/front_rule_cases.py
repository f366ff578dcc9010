"""Fronts, costs and scores for tests of rules."""

from fractions import Fraction

import numpy as np
import sklearn.metrics
from front_twins import rate_matrix, rates_of
from hypothesis import settings
from hypothesis import strategies as st

from skvus import ROCFront

F = Fraction
NAMES = np.array(["elm", "ash", "yew", "oak"])


def small_front(seed, n_classes, text=False, n=None, n_costs=150, **options):
    """A front of small whole scores: ties in scores, in rates and in sums of rates."""
    rng = np.random.default_rng([seed, n_classes])
    n = int(rng.integers(3 * n_classes, 9 * n_classes)) if n is None else n
    y = np.append(np.arange(n_classes), rng.integers(0, n_classes, n - n_classes))
    scores = rng.integers(1, 5, size=(n, n_classes)).astype(float)
    scores[np.arange(n), y] += 1.0
    classes = NAMES[:n_classes] if text else 3 + 2 * np.arange(n_classes)
    options.setdefault("random_state", seed)
    front = ROCFront.from_predictions(
        classes[y], scores, labels=classes, n_costs=n_costs, **options
    )
    return front, classes[y], scores


def exact_rates(front):
    return [rate_matrix(counts.tolist()) for counts in front.counts]


def exact_priors(front):
    sums = front.counts[0].sum(axis=1).tolist()
    return [F(size, sum(sums)) for size in sums]


def first(rates, members):
    """Of members that tie the most distant, then that of the smallest largest rate."""
    return min(members, key=lambda i: (sum(rates_of(rates[i])), max(rates_of(rates[i])), i))


def keys_of(classes):
    """All mistakes, and all classes for their miss rates."""
    labels = classes.tolist()
    return [*((a, b) for a in labels for b in labels if a != b), *labels]


fronts = st.builds(small_front, st.integers(0, 10**6), st.integers(2, 4), st.booleans())
many = settings(max_examples=50, deadline=None)


@st.composite
def cost_matrices(draw, n_classes):
    entries = st.integers(0, 6)
    cost = [
        [0 if k == j else draw(entries) for j in range(n_classes)] for k in range(n_classes)
    ]
    cost[0][1] += 1
    return cost


def kappa(y_true, y_pred):
    return sklearn.metrics.cohen_kappa_score(y_true, y_pred)


def weighted_kappa(y_true, y_pred, *, sample_weight=None):
    return sklearn.metrics.cohen_kappa_score(y_true, y_pred, sample_weight=sample_weight)
