"""Standard errors, comparisons and tests against plain ways to get them."""

from itertools import combinations
from time import perf_counter

import numpy as np

import skvus
from benchmarks.ordering import cases
from benchmarks.timing import seconds, show, table
from skvus.metrics import compare_many, compare_scores, permutation_test, score_inference

N_RESAMPLES = 2000
N_TIMED = 50  # of a naive loop; the rest is extrapolated


def once(function):
    """Time of one call, and what it returns."""
    start = perf_counter()
    result = function()
    return perf_counter() - start, result


def times(whole, part):
    return f"{whole / part:.3g}x"


# --- components -------------------------------------------------------------------


def exact_score(y, proba):
    return skvus.ordered_vus_score(y, proba, method="exact")


def scores_without(y, proba, left_out):
    """Scores with one case left out, one after the other."""
    return [exact_score(np.delete(y, i), np.delete(proba, i, axis=0)) for i in left_out]


def jackknife_error(y, proba):
    left = np.array(scores_without(y, proba, range(y.size)))
    parts = [left[y == k] for k in np.unique(y)]
    return np.sqrt(sum((part.size - 1) * part.var() for part in parts))


def three_classes():
    sizes, rows, spent = (100, 500, 2000), [], []
    for n in sizes:
        y, proba = cases(n)
        ours = seconds(lambda y=y, p=proba: score_inference(y, p, method="delong"))
        alone = seconds(lambda y=y, p=proba: exact_score(y, p))
        some = np.linspace(0, y.size - 1, 5).astype(int)
        naive = seconds(lambda y=y, p=proba, i=some: scores_without(y, p, i), repeats=2)
        naive *= y.size / some.size
        spent.append(ours)
        ratios = [show(alone), times(ours, alone), show(naive), times(naive, ours)]
        rows.append([n, show(ours), *ratios])
    exponents = np.diff(np.log(spent)) / np.diff(np.log(sizes))
    for row, slope in zip(rows, ["", *(f"{x:.2f}" for x in exponents)], strict=True):
        row.append(slope)
    naive = "all left out (from 5)"
    head = ["cases a class", "delong", "score alone", "ratio", naive, "ratio", "exponent"]
    table("ordered_vus of three classes, standard error by components", head, rows)
    y, proba = cases(100)
    apart = score_inference(y, proba).standard_error - jackknife_error(y, proba)
    print(f"  100 a class: {abs(apart):.0e} from the error with all cases left out in turn")


def matrix_variance(y, scores):
    """Variance of DeLong et al. (1988) from the matrix of all pairs."""
    low, high = scores[y == 0], scores[y == 1]
    wins = 0.5 * ((high[:, np.newaxis] > low).astype(float) + (high[:, np.newaxis] >= low))
    return sum(wins.mean(axis=k).var(ddof=1) / wins.shape[1 - k] for k in (0, 1))


def midranks(values):
    order = np.argsort(values)
    ordered = values[order]
    starts = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1]))
    sizes = np.diff(np.append(starts, values.size))
    ranks = np.empty(values.size)
    ranks[order] = np.repeat(starts + 0.5 * (sizes + 1), sizes)
    return ranks


def midrank_variance(y, scores):
    """The same from ranks among all cases and within a class (Sun and Xu, 2014)."""
    ranks, is_high = midranks(scores), y == 1
    low, high = scores[~is_high], scores[is_high]
    of_high = (ranks[is_high] - midranks(high)) / low.size
    of_low = (ranks[~is_high] - midranks(low)) / high.size
    return of_high.var(ddof=1) / high.size + of_low.var(ddof=1) / low.size


def ordinal_variance(y, scores):
    return score_inference(y, scores, score="ordinal_vus").standard_error ** 2


def two_classes():
    rows = []
    for n, digits in ((1000, None), (10_000, None), (10_000, 2), (100_000, None)):
        y, proba = cases(n // 2, 2)
        scores = proba[:, 1] if digits is None else proba[:, 1].round(digits)
        ours = seconds(lambda y=y, s=scores: ordinal_variance(y, s))
        variance = ordinal_variance(y, scores)
        row = [f"{n:,}" + (", tied" if digits else ""), show(ours)]
        for twin in (matrix_variance, midrank_variance):
            if twin is matrix_variance and n > 10_000:
                row += ["", "", ""]
                continue
            theirs = seconds(lambda y=y, s=scores, f=twin: f(y, s), repeats=3)
            apart = abs(twin(y, scores) / variance - 1.0)
            row += [show(theirs), times(theirs, ours), f"{apart:.0e}"]
        rows.append(row)
    head = ["cases", "ordinal_vus", "all pairs", "ratio", "difference"]
    head += ["midranks", "ratio", "difference"]
    table("DeLong's variance of two classes, against numpy (relative difference)", head, rows)


RANK_SCORES = {
    "pdi": skvus.pdi_score,
    "hand_till": skvus.hand_till_score,
    "one_vs_rest_auc": skvus.one_vs_rest_auc_score,
    "ordinal_vus": skvus.ordinal_vus_score,
}


def rank_scores():
    rows = []
    for n_classes, n, signal in ((3, 100_000, 1.5), (20, 50_000, 3.0)):
        y, proba = cases(n, n_classes, signal)
        for name, score in RANK_SCORES.items():
            scores = proba @ np.arange(n_classes) if name == "ordinal_vus" else proba
            score_inference(y[:100], scores[:100], score=name)  # compile, load
            repeats = 3 if n_classes == 3 else 1
            both = [
                min(once(call)[0] for _ in range(repeats))
                for call in (
                    lambda y=y, s=scores, n=name: score_inference(y, s, score=n),
                    lambda y=y, s=scores, f=score: f(y, s),
                )
            ]
            rows.append([n_classes, n, name, *map(show, both), times(*both)])
    head = ["classes", "cases a class", "score", "delong", "score alone", "ratio"]
    table("Scores by ranks", head, rows)


def more_classes():
    rows = []
    for n in (50, 100):
        y, proba = cases(n, 4)
        params = {"method": "exact"}
        ours = seconds(
            lambda y=y, p=proba, q=params: score_inference(y, p, score_params=q), repeats=3
        )
        alone = seconds(lambda y=y, p=proba: exact_score(y, p), repeats=3)
        rows.append([4, n, show(ours), show(alone), times(ours, alone)])
    head = ["classes", "cases a class", "delong, exact", "score alone", "ratio"]
    table("ordered_vus of four classes, all tuples counted", head, rows)
    rows = []
    for n_classes, signal in ((4, 1.5), (10, 3.0), (30, 3.0)):
        y, proba = cases(200, n_classes, signal)
        few, params = {"method": "sampled", "n_tuples": 2}, {"method": "sampled"}
        score_inference(y, proba, score_params=few, random_state=0)  # compile, load
        spent, result = once(
            lambda y=y, p=proba, q=params: score_inference(y, p, score_params=q, random_state=0)
        )
        share = result.sampling_error / result.standard_error
        row = [n_classes, show(spent), result.n_tuples, f"{result.score:.4f}"]
        rows.append([*row, f"{result.standard_error:.4f}", f"{share:.2f}"])
    head = ["classes", "delong, drawn", "tuples", "score", "error", "of it by drawing"]
    table("ordered_vus of 200 cases a class, tuples drawn", head, rows)


# --- many evaluations -------------------------------------------------------------


def naive_bootstrap(y, rows, score, n_resamples):
    """Draw cases within each class, and call the score on them."""
    rng = np.random.default_rng(0)
    members = [np.flatnonzero(y == k) for k in np.unique(y)]
    for _ in range(n_resamples):
        drawn = np.concatenate([rng.choice(own, own.size) for own in members])
        score(y[drawn], rows[drawn])


def naive_shuffles(y, rows, score, n_permutations):
    rng = np.random.default_rng(0)
    for _ in range(n_permutations):
        score(rng.permutation(y), rows)


def one_and_two_jobs(function):
    """Times and results with one process and with two, started and warm: best of two."""
    spent, results = [], []
    for n_jobs in (1, 2):
        runs = [once(lambda k=n_jobs: function(k)) for _ in range(3)]
        spent.append(min(time for time, _ in runs[1:]))
        results.append(runs[-1][1])
    return *spent, *results


def bootstrap():
    rows = []
    for name, score, n in (
        ("polytope_vus", skvus.polytope_vus_score, 150),
        ("macro_average", skvus.macro_average_score, 150),
        ("polytope_vus", skvus.polytope_vus_score, 30_000),
        ("macro_average", skvus.macro_average_score, 30_000),
        ("ordered_vus", skvus.ordered_vus_score, 150),
    ):
        y, proba = cases(n // 3)
        what = proba if name == "ordered_vus" else proba.argmax(axis=1)
        options = {"score": name, "method": "bootstrap", "n_resamples": N_RESAMPLES}
        one, two, first, second = one_and_two_jobs(
            lambda k, y=y, p=what, o=options: score_inference(
                y, p, random_state=0, n_jobs=k, **o
            )
        )
        assert first == second
        assert first.replicates.tobytes() == second.replicates.tobytes()
        naive = seconds(
            lambda y=y, p=what, f=score: naive_bootstrap(y, p, f, N_TIMED), repeats=3
        )
        naive *= N_RESAMPLES / N_TIMED
        ratios = [show(one), show(naive), times(naive, one), show(two), times(one, two)]
        rows.append([name, f"{n:,}", *ratios])
    head = ["score", "cases", "time", f"naive loop (from {N_TIMED})", "ratio", "n_jobs=2"]
    head += ["ratio"]
    table(f"Bootstrap, {N_RESAMPLES} resamples (n_jobs=2: the same bits)", head, rows)


def shuffles():
    rows = []
    for n in (50, 200):
        y, proba = cases(n)
        one, two, first, second = one_and_two_jobs(
            lambda k, y=y, p=proba: permutation_test(y, p, random_state=0, n_jobs=k)
        )
        assert first.null_distribution.tobytes() == second.null_distribution.tobytes()
        n_permutations = first.null_distribution.size
        naive = seconds(
            lambda y=y, p=proba: naive_shuffles(y, p, skvus.ordered_vus_score, N_TIMED),
            repeats=3,
        )
        naive *= n_permutations / N_TIMED
        ratios = [show(one), show(naive), times(naive, one), show(two), times(one, two)]
        rows.append([n, *ratios, f"{first.pvalue:.2g}"])
    head = ["cases a class", "time", f"naive loop (from {N_TIMED})", "ratio", "n_jobs=2"]
    head += ["ratio", "p"]
    table("ordered_vus of three classes, 1000 shuffles", head, rows)


def several_classifiers():
    y, _ = cases(1000)
    signals = (1.0, 1.2, 1.4, 1.6, 1.8)
    several = [cases(1000, signal=s, seed=k)[1] for k, s in enumerate(signals)]
    pairs = list(combinations(range(len(several)), 2))

    def one_by_one():
        return [compare_scores(y, several[a], several[b]) for a, b in pairs]

    ours = seconds(lambda: compare_many(y, several), repeats=3)
    theirs = seconds(one_by_one, repeats=3)
    apart = max(
        abs(row.standard_error - result.standard_error)
        for row, result in zip(compare_many(y, several), one_by_one(), strict=True)
    )
    times_ = [show(ours), show(theirs), times(theirs, ours), f"{apart:.0e}"]
    head = ["compare_many", f"{len(pairs)} x compare_scores", "ratio", "errors differ by"]
    table("Five classifiers, all pairs, ordered_vus of 3 x 1000 cases", head, [times_])


def run():
    """Print all tables."""
    three_classes()
    two_classes()
    rank_scores()
    more_classes()
    bootstrap()
    shuffles()
    several_classifiers()
