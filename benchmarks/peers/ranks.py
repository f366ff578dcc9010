"""Areas under curves of pairs of classes, and of one class against the rest."""

import numpy as np
from sklearn.metrics import roc_auc_score

import skvus
from benchmarks.ordering import cases
from benchmarks.peers.measuring import OURS, Bout, Section, hold
from benchmarks.peers.packages import peer, those_there

TEXT = """
Both of these are averages of areas under curves of two classes: of each pair of classes (Hand
and Till's M, one-versus-one) or of each class against all others. M with weighted cases has no
peer: scikit-learn takes no weights for pairs of classes.
"""


def _hand_till(y, proba):
    pauc = peer("pauc")
    return Bout(
        those_there(
            {
                OURS: lambda: skvus.hand_till_score(y, proba),
                "scikit-learn": lambda: roc_auc_score(y, proba, multi_class="ovo"),
                "pauc": lambda: pauc.MultiClassROC(y, proba).auc,
            }
        )
    )


def _one_versus_rest(y, proba):
    permetrics = peer("permetrics")
    return Bout(
        those_there(
            {
                OURS: lambda: skvus.one_vs_rest_auc_score(y, proba),
                "scikit-learn": lambda: roc_auc_score(y, proba, multi_class="ovr"),
                "permetrics": lambda: permetrics.ClassificationMetric().roc_auc_score(y, proba),
            }
        )
    )


def _two_classes(n, digits=None):
    y, proba = cases(n // 2, 2)
    scores = proba[:, 1] if digits is None else proba[:, 1].round(digits)
    weight = np.random.default_rng(0).random(y.size)
    return Bout(
        {
            OURS: lambda: skvus.ordinal_vus_score(y, scores, sample_weight=weight),
            "scikit-learn": lambda: roc_auc_score(y, scores, sample_weight=weight),
        }
    )


def of_classes(make):
    """A function of the number of classes: as many cases in all, a hundredth each at least."""
    return lambda n_classes: make(*cases(10_000 // n_classes, n_classes, signal=3.0))


def run(quick):
    """All contests of areas."""
    sizes = (300, 900, 2700) if quick else (1000, 10_000, 100_000, 1_000_000)
    classes = (3, 5) if quick else (3, 10, 30, 100)
    same = {"tolerance": 1e-9, "quick": quick}
    found = [
        hold(
            "Hand and Till's M, three classes",
            '`hand_till_score` against `roc_auc_score(multi_class="ovo")` of scikit-learn and '
            "`MultiClassROC` of pauc",
            x="cases",
            sizes=sizes,
            make=lambda n: _hand_till(*cases(n // 3)),
            chart="areas",
            if_slower="of few cases, most of the time goes into checks of the input",
            **same,
        ),
        hold(
            "Hand and Till's M, more classes",
            "the same, 10,000 cases",
            x="classes",
            sizes=classes,
            make=of_classes(_hand_till),
            chart="areas",
            **same,
        ),
        hold(
            "One class against the rest, three classes",
            '`one_vs_rest_auc_score` against `roc_auc_score(multi_class="ovr")` of '
            "scikit-learn and `ClassificationMetric().roc_auc_score` of permetrics",
            x="cases",
            sizes=sizes,
            make=lambda n: _one_versus_rest(*cases(n // 3)),
            chart="areas",
            if_slower="permetrics checks its input hardly at all",
            **same,
        ),
        hold(
            "One class against the rest, more classes",
            "the same, 10,000 cases",
            x="classes",
            sizes=classes,
            make=of_classes(_one_versus_rest),
            chart="areas",
            **same,
        ),
        hold(
            "Two classes, weighted cases with ties",
            "`ordinal_vus_score` against `roc_auc_score`, scores with two decimals",
            x="cases",
            sizes=sizes,
            make=lambda n: _two_classes(n, 2),
            **same,
        ),
    ]
    return Section("Areas under curves", TEXT, found)
