"""Scores of predicted labels, which need a confusion matrix only."""

import numpy as np
from sklearn.metrics import balanced_accuracy_score

import skvus
from benchmarks.ordering import cases
from benchmarks.peers.measuring import OURS, Bout, Section, hold
from benchmarks.peers.packages import peer, those_there

TEXT = """
Scores of labels are functions of a confusion matrix; what takes time is to count it, and to
check labels of any type. What others call balanced accuracy or macro-averaged recall is
`macro_average_score`; `modified_macro_average_score(power=0)` is the geometric mean of the
recalls; Ferri's third variant of Hand and Till's measure is pycm's AUNU where classes are
equally frequent; the error that is averaged over classes and grows with the distance of ordered
classes is an expected cost.

pycm computes all of its statistics, about a hundred, whenever one is asked for: who wants many
of them gets them for the time of one.
"""


def labels(n, n_classes=3):
    """True and predicted labels."""
    y, proba = cases(n // n_classes, n_classes, signal=1.5 if n_classes < 10 else 3.0)
    return y, proba.argmax(axis=1)


def _recall(y, called):
    imblearn, pycm = peer("imbalanced-learn"), peer("pycm")
    permetrics = peer("permetrics")
    return Bout(
        those_there(
            {
                OURS: lambda: skvus.macro_average_score(y, called),
                "scikit-learn": lambda: balanced_accuracy_score(y, called),
                "imbalanced-learn": lambda: imblearn.metrics.sensitivity_score(
                    y, called, average="macro"
                ),
                "permetrics": lambda: permetrics.ClassificationMetric().recall_score(
                    y, called, average="macro"
                ),
                "pycm": lambda: pycm.ConfusionMatrix(y, called).TPR_Macro,
            }
        )
    )


def _geometric(y, called):
    imblearn, skordinal = peer("imbalanced-learn"), peer("skordinal")
    return Bout(
        those_there(
            {
                OURS: lambda: skvus.modified_macro_average_score(y, called, power=0),
                "imbalanced-learn": lambda: imblearn.metrics.geometric_mean_score(
                    y, called, average="multiclass"
                ),
                "skordinal": lambda: skordinal.metrics.geometric_mean(y, called),
            }
        )
    )


def _rest(y, called):
    pycm = peer("pycm")
    return Bout(
        those_there(
            {
                OURS: lambda: skvus.hand_till_crisp_score(y, called, variant="3"),
                "pycm": lambda: pycm.ConfusionMatrix(y, called).AUNU,
            }
        )
    )


def _distance(y, called):
    imblearn, skordinal = peer("imbalanced-learn"), peer("skordinal")
    order = np.arange(3)
    cost = np.abs(order[:, np.newaxis] - order)
    priors = np.full(3, 1 / 3)
    return Bout(
        those_there(
            {
                OURS: lambda: skvus.expected_cost(y, called, cost_matrix=cost, priors=priors),
                "imbalanced-learn": lambda: imblearn.metrics.macro_averaged_mean_absolute_error(
                    y, called
                ),
                "skordinal": lambda: skordinal.metrics.average_mean_absolute_error(y, called),
            }
        )
    )


def run(quick):
    """All contests of labels."""
    for name in ("imbalanced-learn", "skordinal"):
        if (module := peer(name)) is not None:
            __import__(f"{module.__name__}.metrics")
    sizes = (300, 900, 2700) if quick else (1000, 10_000, 100_000, 1_000_000)
    options = {"x": "cases", "sizes": sizes, "tolerance": 1e-9, "quick": quick}
    lean = "it makes fewer checks of the labels before it counts them"
    found = [
        hold(
            "Mean recall of three classes",
            "`macro_average_score` against `balanced_accuracy_score` of scikit-learn, "
            "`sensitivity_score` of imbalanced-learn, `recall_score` of permetrics and "
            "`ConfusionMatrix.TPR_Macro` of pycm",
            make=lambda n: _recall(*labels(n)),
            chart="labels",
            if_slower=lean,
            **options,
        ),
        hold(
            "Mean recall of more classes",
            "the same, 10,000 cases",
            make=lambda n_classes: _recall(*labels(10_000, n_classes)),
            if_slower=lean,
            **{**options, "x": "classes", "sizes": (3, 5) if quick else (3, 10, 30, 100)},
        ),
        hold(
            "Geometric mean of recalls, three classes",
            "`modified_macro_average_score(power=0)` against `geometric_mean_score` of "
            "imbalanced-learn and `geometric_mean` of skordinal",
            make=lambda n: _geometric(*labels(n)),
            if_slower=lean,
            **options,
        ),
        hold(
            "Area of labels, one class against the rest",
            '`hand_till_crisp_score(variant="3")` against `ConfusionMatrix.AUNU` of pycm, '
            "classes equally frequent",
            make=lambda n: _rest(*labels(n)),
            if_slower=lean,
            **options,
        ),
        hold(
            "Distance of ordered labels, averaged over classes",
            "`expected_cost` against `macro_averaged_mean_absolute_error` of imbalanced-learn "
            "and `average_mean_absolute_error` of skordinal",
            make=lambda n: _distance(*labels(n)),
            if_slower=lean,
            **options,
        ),
    ]
    return Section("Scores of labels", TEXT, found)
