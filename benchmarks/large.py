"""Time and peak memory of scores and fronts on data as large as they are meant for.

Each call runs in a process of its own, which first compiles or loads what it needs on a few
cases, then maps or loads the scores from a file. Its peak memory counts everything: Python,
compiled code, the data, the call.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import joblib
import numpy as np

from benchmarks.timing import in_child, show, show_bytes, table

SHAPES = {"10^7 x 3": (10**7, 3, 1.5), "10^6 x 20": (10**6, 20, 3.0)}
KINDS = ("float64", "float32", "mapped")
_BLOCK = 10**5
# what a child makes of its data: labels y, probabilities p, predicted labels c, and the number
# of classes q; few cases come first, with few=True
PER_SCORE = {
    "ordered_vus_score": "skvus.ordered_vus_score(y, p, random_state=0)",
    "simplified_vus_score": "skvus.simplified_vus_score(y, p, random_state=0)",
    "angle_vus_score": "skvus.angle_vus_score(y, p, random_state=0)",
    "ordinal_vus_score": "skvus.ordinal_vus_score(y, p[:, -1])",
    "pdi_score": "skvus.pdi_score(y, p)",
    "hand_till_score": "skvus.hand_till_score(y, p)",
    "one_vs_rest_auc_score": "skvus.one_vs_rest_auc_score(y, p)",
    "soft_polytope_vus_score": "skvus.soft_polytope_vus_score(y, p, random_state=0)",
    "weights_for_rates": "skvus.weights_for_rates(y, p, 0.0 if few else rates[q]).max()",
    "operating_rates, 100 weights": (
        "skvus.operating_rates(y, p, rng.dirichlet(np.ones(q), 100)).mean()"
    ),
    "operating_points": (
        "len(skvus.operating_points(y, p, n_weights=100 if few else None, random_state=0)[0])"
    ),
    "macro_average_score": "skvus.macro_average_score(y, c)",
    "modified_macro_average_score": "skvus.modified_macro_average_score(y, c)",
    "one_point_auc_score": "skvus.one_point_auc_score(y, c)",
    "hand_till_crisp_score": "skvus.hand_till_crisp_score(y, c)",
    "polytope_vus_score": "skvus.polytope_vus_score(y, c)",
    "expected_cost": "skvus.expected_cost(y, c, cost_matrix=1 - np.eye(q))",
    "score_inference": "skvus.score_inference(y, p, random_state=0).standard_error",
    "score_inference, pdi": "skvus.score_inference(y, p, score='pdi').standard_error",
    "score_inference, hand_till": (
        "skvus.score_inference(y, p, score='hand_till').standard_error"
    ),
    "score_inference, macro_average": (
        "skvus.score_inference(y, c, score='macro_average', random_state=0).standard_error"
    ),
    "compare_scores": "skvus.compare_scores(y, p, other(p), random_state=0).standard_error",
    "compare_scores, pdi": "skvus.compare_scores(y, p, other(p), score='pdi').standard_error",
    "compare_many": (
        "skvus.compare_many(y, {'a': p, 'b': other(p)}, random_state=0).scores.max()"
    ),
    "permutation_test, pdi, 10 shuffles": (
        "skvus.permutation_test(y, p, score='pdi', n_permutations=10).pvalue"
    ),
    "ROCFront, 100 costs": "len(front(y, p, 100))",
    "ROCFront, 1000 costs": "len(front(y, p, 10 if few else 1000))",
    "ROCFront, 100 weightings": "len(front(y, p, 100, family='weights'))",
    "ROCFront.evaluate, 10 members": "small[:10].evaluate(y, p, n_samples=1000).gini",
    "ROCFront.predict": "len(small.predict(p, 0))",
    "CostMatrixClassifier.predict": "len(classifier.predict(p))",
}
NOT_FOR = {  # refused, with advice
    "10^7 x 3": {"operating_points"},
    "10^6 x 20": {"soft_polytope_vus_score", "polytope_vus_score"},
}
SETUP = """
import joblib, numpy as np, skvus
from sklearn.base import BaseEstimator, ClassifierMixin

q, few, rng = {q}, True, np.random.default_rng(0)
rates = {{3: [0.7, 0.8, 0.75], 20: {{0: 0.95, 1: 0.9}}}}


class Known(ClassifierMixin, BaseEstimator):
    # its cases are probabilities already
    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        return X


def other(p):
    squares = np.square(p)
    squares /= squares.sum(axis=1, keepdims=True)
    return squares


def front(y, p, n_costs, **options):
    objectives = "rates" if q < 16 else "miss_rates"
    return skvus.ROCFront.from_predictions(
        y, p, n_costs=n_costs, objectives=objectives, random_state=0, **options
    )


def load(name):
    return joblib.load(f"{folder}/{{name}}{q}.joblib", mmap_mode={mode!r})


y = np.arange(12 * q) % q
p = rng.dirichlet(np.ones(q), y.size).astype({dtype!r})
p[np.arange(y.size), y] += 1
p /= p.sum(axis=1, keepdims=True)
c = p.argmax(axis=1)
small = front(y, p, 100)
classifier = skvus.CostMatrixClassifier(Known(), 1 - np.eye(q)).fit(p, y)
{call}
few, y, p, c = False, load("y"), load({scores!r}), load("c")
"""


def write_data(folder, shape):
    """Labels, probabilities of both precisions and predictions, each in a file."""
    n, q, signal = SHAPES[shape]
    rng = np.random.default_rng(0)
    y = np.arange(n) % q
    proba = np.empty((n, q))
    for start in range(0, n, _BLOCK):
        block, own = proba[start : start + _BLOCK], y[start : start + _BLOCK]
        rng.standard_normal(out=block)
        block[np.arange(own.size), own] += signal
        np.exp(block, out=block)
        block /= block.sum(axis=1, keepdims=True)
    joblib.dump(y, Path(folder) / f"y{q}.joblib")
    joblib.dump(proba.argmax(axis=1), Path(folder) / f"c{q}.joblib")
    joblib.dump(proba, Path(folder) / f"float64-{q}.joblib")
    joblib.dump(proba.astype(np.float32), Path(folder) / f"float32-{q}.joblib")


def measure(folder, shape, name, kind):
    """Run one call on data that `write_data` has written."""
    _, q, _ = SHAPES[shape]
    dtype = "float32" if kind == "float32" else "float64"
    call = PER_SCORE[name]
    setup = SETUP.format(
        q=q,
        folder=folder,
        mode="r" if kind == "mapped" else None,
        dtype=dtype,
        scores=f"{dtype}-",
        call=call,
    )
    return in_child(setup, call)


def run(shapes=tuple(SHAPES), kinds=KINDS[:1], names=tuple(PER_SCORE)):
    """Print a table for each shape; ``kinds=KINDS`` for all kinds of input, in an hour."""
    for shape in shapes:
        with TemporaryDirectory() as folder:
            write_data(folder, shape)
            rows = []
            for name in names:
                if name in NOT_FOR[shape]:
                    continue
                cells = []
                for kind in kinds:
                    child = measure(folder, shape, name, kind)
                    cells += [show(child.wall), show_bytes(child.peak)]
                    print(".", end="", flush=True, file=sys.stderr)
                rows.append([name, *cells])
        head = [shape, *(f"{kind}{what}" for kind in kinds for what in ("", ", peak"))]
        table(f"Large data, {shape}: time and peak memory of the process", head, rows)
