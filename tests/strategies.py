"""Random inputs for hypothesis, degenerate ones included."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
from hypothesis import strategies as st


@st.composite
def fraction_rates(draw, n_classes, denominators=(1, 2, 3, 5, 7)):
    """One rate matrix of fractions on a coarse grid: ties, zeros and ones abound."""
    rates = []
    for _ in range(n_classes):
        total = draw(st.sampled_from(denominators))
        cuts = draw(
            st.lists(st.integers(0, total), min_size=n_classes - 1, max_size=n_classes - 1)
        )
        edges = [0, *sorted(cuts), total]
        row = [Fraction(b - a, total) for a, b in pairwise(edges)]
        rates.append(draw(st.permutations(row)))
    return rates


@st.composite
def rate_sets(draw, n_classes, min_size=1, max_size=8):
    """A set of rate matrices as floats: smooth, grid-like, good, poor, repeated."""
    seed = draw(st.integers(0, 2**32 - 1))
    size = draw(st.integers(min_size, max_size))
    kind = draw(st.sampled_from(["smooth", "good", "grid", "repeated"]))
    rng = np.random.default_rng(seed)
    rates = rng.dirichlet(np.ones(n_classes), size=(size, n_classes))
    if kind == "good":
        rates = 0.7 * np.eye(n_classes) + 0.3 * rates
    if kind == "grid":
        rates = rng.multinomial(4, np.ones(n_classes) / n_classes, size=(size, n_classes)) / 4
    if kind == "repeated":
        rates = np.concatenate([rates, rates[: size // 2]])
    return rates


def floats(rates):
    """Fractions to a float array."""
    return np.array([[float(x) for x in row] for row in rates])


@st.composite
def soft_problems(draw, n_classes, max_cases=4):
    """Labels, rows of fractions that sum to one, and the same as floats.

    Smooth rows, rows of tenths with ties and zeros, one-hot rows, and few distinct ones.
    """
    sizes = draw(st.lists(st.integers(1, max_cases), min_size=n_classes, max_size=n_classes))
    kind = draw(st.sampled_from(["smooth", "tenths", "one-hot", "few"]))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    y = rng.permutation(np.repeat(np.arange(n_classes), sizes))
    total = {"smooth": 10**6, "tenths": 10, "one-hot": 1, "few": 4}[kind]
    lean = draw(st.sampled_from([0.0, 0.3, 0.7]))  # towards the own class
    share = (1.0 - lean) / n_classes + lean * np.eye(n_classes)[y]
    parts = np.array([rng.multinomial(total, row) for row in share])
    fractions = [[Fraction(int(part), total) for part in row] for row in parts]
    return y, fractions, parts / total


def softmax_data(sizes, seed=0, lead=1.0):
    """Labels and posteriors of classes of these sizes."""
    rng = np.random.default_rng(seed)
    y = np.repeat(np.arange(len(sizes)), sizes)
    logits = rng.normal(size=(y.size, len(sizes)))
    logits[np.arange(y.size), y] += lead
    proba = np.exp(logits)
    return y, proba / proba.sum(axis=1, keepdims=True)


def tied_data(n_classes, seed=0, n=12):
    """Labels and posteriors in tenths."""
    rng = np.random.default_rng(seed)
    y = np.arange(n * n_classes) % n_classes
    share = 0.85 / n_classes + 0.15 * np.eye(n_classes)[y]
    return y, np.array([rng.multinomial(10, row) for row in share]) / 10


def gaussian_scores(n, n_classes, seed, shift=1.0, scale=1.0):
    rng = np.random.default_rng([seed, n, n_classes])
    y = np.append(np.arange(n_classes), rng.integers(0, n_classes, n - n_classes))
    logits = scale * rng.normal(size=(n, n_classes))
    logits[np.arange(n), y] += shift
    scores = np.exp(logits - logits.max(axis=1, keepdims=True))
    return y, scores / scores.sum(axis=1, keepdims=True)


@st.composite
def tied_cases(draw, n_classes, most=7):
    """Labels and small integer scores: ties of all kinds, zeros, empty rows."""
    n = draw(st.integers(n_classes, most))
    more = st.lists(st.integers(0, n_classes - 1), min_size=n, max_size=n)
    codes = [*range(n_classes), *draw(more)][:n]
    score = st.tuples(*[st.integers(0, 4)] * n_classes)
    return np.array(codes), draw(st.lists(score, min_size=n, max_size=n))
