"""Standard errors, paired tests and intervals."""

import numpy as np
from sklearn.metrics import balanced_accuracy_score, roc_auc_score

import skvus
from benchmarks.ordering import cases
from benchmarks.peers.labels import labels
from benchmarks.peers.measuring import OURS, Bout, Section, hold
from benchmarks.peers.packages import peer, those_there

TEXT = """
Of two classes there are several packages with DeLong's method. skvus has the same method for
all its scores of rankings and tuples, and any number of classes. Where classes are more, the
only way that others offer, as far as we could find, is the bootstrap.

`delong_roc_test` of rocauc-comparison takes no part in the second table: it fails with numpy 2.
"""


def _scores(n):
    y, proba = cases(n // 2, 2)
    _, other = cases(n // 2, 2, signal=1.4, seed=1)
    return y, proba[:, 1], other[:, 1]


def _one_area(n):
    y, scores, _ = _scores(n)
    pauc, compared = peer("pauc"), peer("rocauc-comparison")
    pyroc = peer("pyroc")
    return Bout(
        those_there(
            {
                OURS: lambda: (
                    skvus.score_inference(y, scores, score="hand_till").standard_error
                ),
                "pauc": lambda: np.sqrt(pauc.var(pauc.ROC(y, scores))),
                "rocauc-comparison": lambda: np.sqrt(
                    compared.delong_roc_variance(y, scores)[1]
                ),
                "pyroc": lambda: _pyroc_error(pyroc.ROC(y, {"one": scores})),
            }
        )
    )


def _pyroc_error(areas):
    low, high = areas.ci().ravel()
    return (high - low) / (2 * 1.959963984540054)


def _two_areas(n):
    y, scores, other = _scores(n)
    pauc, mlstatkit, pyroc = peer("pauc"), peer("MLstatkit"), peer("pyroc")
    return Bout(
        those_there(
            {
                OURS: lambda: skvus.compare_scores(y, scores, other, score="hand_till").pvalue,
                "pauc": lambda: pauc.compare(pauc.ROC(y, scores), pauc.ROC(y, other)).p_value,
                "MLstatkit": lambda: mlstatkit.Delong_test(y, scores, other)[1],
                "pyroc": lambda: float(
                    np.squeeze(
                        pyroc.ROC(y, {"one": scores, "other": other}).compare(
                            np.array([[1, -1]])
                        )[0]
                    )
                ),
            }
        )
    )


def _pairs(n, n_resamples):
    y, proba = cases(n // 3)
    bootstrap_ci = _bootstrap()

    def theirs():
        interval = bootstrap_ci(
            y,
            proba,
            lambda true, scores: roc_auc_score(true, scores, multi_class="ovo"),
            n_resamples=n_resamples,
            method="bootstrap_percentile",
            random_state=0,
        )[1]
        return (interval[1] - interval[0]) / (2 * 1.96)

    return Bout(
        those_there(
            {
                OURS: lambda: skvus.score_inference(y, proba, score="hand_till").standard_error,
                "confidenceinterval, bootstrap": theirs,
            }
        ),
        apart=_relative,
    )


def _recalls(n, n_resamples):
    y, called = labels(n)
    bootstrap_ci = _bootstrap()
    options = {"n_resamples": n_resamples, "random_state": 0}

    def ours():
        return skvus.score_inference(
            y, called, score="macro_average", method="bootstrap", **options
        ).standard_error

    def theirs():
        interval = bootstrap_ci(
            y, called, balanced_accuracy_score, method="bootstrap_percentile", **options
        )[1]
        return (interval[1] - interval[0]) / (2 * 1.96)

    return Bout(
        those_there({OURS: ours, "confidenceinterval, bootstrap": theirs}), apart=_relative
    )


def _bootstrap():
    if peer("confidenceinterval") is None:
        return None
    from confidenceinterval.bootstrap import bootstrap_ci

    return bootstrap_ci


def _relative(found):
    return max(abs(error / found[OURS] - 1.0) for error in found.values())


def run(quick):
    """All contests of errors and tests."""
    sizes = (300, 900, 2700) if quick else (1000, 10_000, 100_000, 1_000_000)
    few = (60,) if quick else (300, 1000, 3000)
    n_resamples = 20 if quick else 1000
    found = [
        hold(
            "Standard error of an area, two classes",
            '`score_inference(score="hand_till")` against `var` of pauc, '
            "`delong_roc_variance` of rocauc-comparison and `ROC.ci` of pyroc",
            x="cases",
            sizes=sizes,
            make=_one_area,
            quick=quick,
            power=1.5,
            tolerance=1e-9,
            chart="errors",
            if_slower="of few cases, checks of the input and the interval that comes along are "
            "most of the time",
        ),
        hold(
            "Paired test of two areas, two classes",
            '`compare_scores(score="hand_till")` against `compare` of pauc, `Delong_test` of '
            "MLstatkit and `ROC.compare` of pyroc; p-values are compared",
            x="cases",
            sizes=sizes,
            make=_two_areas,
            quick=quick,
            power=1.5,
            tolerance=1e-9,
            chart="errors",
            if_slower="of few cases, checks of the input and the intervals that come along are "
            "most of the time",
        ),
        hold(
            "Standard error of Hand and Till's M, three classes",
            '`score_inference(score="hand_till")`, by components, against '
            f"{n_resamples:,} bootstrap resamples of `roc_auc_score` by confidenceinterval",
            x="cases",
            sizes=few,
            make=lambda n: _pairs(n, n_resamples),
            quick=quick,
            power=0.5,
            agreement="two estimates of the same error, one of them by chance: relative "
            "difference",
        ),
        hold(
            "Bootstrap of the mean recall, three classes",
            f'`score_inference(score="macro_average", method="bootstrap")`, {n_resamples:,} '
            "resamples, against as many of `balanced_accuracy_score` by confidenceinterval",
            x="cases",
            sizes=few if quick else (300, 3000, 30_000),
            make=lambda n: _recalls(n, n_resamples),
            quick=quick,
            power=0.5,
            agreement="other draws, within classes here and of all cases there: relative "
            "difference",
        ),
    ]
    return Section("Standard errors and tests", TEXT, found)
