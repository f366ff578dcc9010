"""Fronts to draw, and what must be seen of them."""

import numpy as np

from skvus import ROCFront
from skvus.plotting._style import as_texts

ONE = ("miss_rates", "parallel", "pairs", "distance")
HOSTILE = {
    "text": ["$x$", "_a", "<script>alert(1)</script>"],
    "lines": ["a\nb", "tab\there", " "],
    "long": [
        "very long name of a class " * 9 + "1",
        "very long name of a class " * 9 + "2",
        "c",
    ],
    "dollars": ["$", r"\$\frac{1", "$$_^{"],
    "integers": [-3, 0, 10**15],
    "floats": [-1.0, 0.0, 1e15],
}


def drawn_front(n_classes, *, seed=0, spread=1.5, labels=None, n_costs=150, n_samples=120):
    """A front of random posteriors."""
    rng = np.random.default_rng(seed)
    codes = np.arange(n_samples) % n_classes
    logits = rng.normal(size=(n_samples, n_classes))
    logits[np.arange(n_samples), codes] += spread
    proba = np.exp(logits)
    proba /= proba.sum(axis=1, keepdims=True)
    labels = np.arange(n_classes) if labels is None else np.asarray(labels)
    return ROCFront.from_predictions(
        labels[codes], proba, labels=labels, n_costs=n_costs, random_state=seed
    )


def receivers(front):
    """Slow twin: who gets most of the mistakes of each member."""
    found = []
    for counts in front.counts:
        totals = [
            sum(counts[k][j] for k in range(front.n_classes) if k != j)
            for j in range(front.n_classes)
        ]
        found.append(totals.index(max(totals)) if max(totals) else None)
    return found


def group_sizes(front):
    """Numbers of members by the text of the legend, in its order."""
    codes = receivers(front)
    texts = dict(
        zip(
            [None, *range(front.n_classes)],
            ["no mistakes", *as_texts(front.classes)],
            strict=True,
        )
    )
    return {text: codes.count(code) for code, text in texts.items() if code in codes}


def legend_texts(display):
    return [text.get_text() for text in display.legend_.get_texts()]


def sorted_rows(array):
    array = np.asarray(array, dtype=float)
    return array[np.lexsort(array.T)]
