"""
Do 95% intervals hold the truth 95 times out of 100?
====================================================

``score_inference`` puts an interval around a score, and says that it holds the score of
infinitely many cases with a confidence of 95%. That is a promise about many samples: of the
intervals that one would find on 100 of them, about 95 hold the truth. Whether it is kept can
only be seen where the truth is known.

It is for normal classes. ``make_ordered_gaussians`` draws one number for each case, and
knows the probability that one case of each class come in the right order. ``ordinal_vus``
estimates that probability, the area under the ROC curve when there are two classes, with
DeLong's standard error [1]_. So we draw many samples and count.

The same goes for tests. ``compare_scores`` at a level of 5% should raise a false alarm in 5
of 100 samples if two classifiers are equally good. In the last part we make such pairs.

.. [1] E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson, "Comparing the areas under two or
   more correlated receiver operating characteristic curves: a nonparametric approach",
   Biometrics 44, 1988.
"""

# %%
# One interval
# ------------
# Three classes of 50 cases each, 1.2 standard deviations apart. The interval comes on two
# scales. On the logit, the default, it is longer towards the middle of the range than
# towards its end. On the scale of the score itself it is Wald's, the score plus and minus
# 1.96 standard errors.

import matplotlib.pyplot as plt
import numpy as np
from scipy.optimize import brentq
from scipy.special import ndtri, softmax
from scipy.stats import binomtest

import skvus
from skvus.datasets import make_ordered_gaussians

BLUE, ORANGE, GREEN, VERMILION, GREY = "#0072B2", "#E69F00", "#009E73", "#D55E00", "#666666"
SCALES = ("logit", "identity")
STYLES = {"logit": (BLUE, "o", "logit"), "identity": (VERMILION, "s", "Wald")}
APART = 1.2  # standard deviations between neighbouring classes


def spaced_means(n_classes, apart=APART):
    """Means of classes at equal distances, around 0."""
    return apart * (np.arange(n_classes) - (n_classes - 1) / 2)


def true_volume(means):
    """P(X_1 < ... < X_C)."""
    return make_ordered_gaussians(len(means), means, return_volume=True, random_state=0)[-1]


X, y = make_ordered_gaussians([50] * 3, spaced_means(3), random_state=0)
result = skvus.score_inference(y, X[:, 0], score="ordinal_vus")
print(result)
for scale in SCALES:
    low, high = result.confidence_interval(scale=scale)
    print(f"{STYLES[scale][-1]:>5}: {low:.3f} to {high:.3f}")
print(f"truth: {true_volume(spaced_means(3)):.3f}")

# %%
# Other scores
# ------------
# Is this about one score only? ``simplified_vus`` takes the posteriors of all classes. But
# given the true posteriors of classes like these, it is the same number as ``ordinal_vus``,
# and so are its limits. We check that on a few samples. What follows holds for both, then.

largest_gap = 0.0
for n_classes, n_samples in ((2, 20), (3, 20), (4, 10)):
    for seed in range(n_samples):
        X, y, posteriors = make_ordered_gaussians(
            [50] * n_classes, spaced_means(n_classes), return_posteriors=True, random_state=seed
        )
        ours = skvus.score_inference(y, posteriors, score="simplified_vus")
        same = skvus.score_inference(y, X[:, 0], score="ordinal_vus")
        gap = np.subtract(ours.confidence_interval(), same.confidence_interval())
        largest_gap = max(largest_gap, np.abs(gap).max())
print(f"largest difference between limits in 50 samples: {largest_gap:.0e}")

# %%
# ``ordered_vus``, the default, is another number, and we know no formula for it. Still we can
# have it as precisely as we need: from cases that are not drawn, but are the quantiles of
# their class. How precisely, the ordinal volume tells, where we know both.


def quantile_sample(means, n_cases=2000):
    """Cases at the quantiles of their class, with their labels and posteriors."""
    quantiles = ndtri((np.arange(n_cases) + 0.5) / n_cases)
    x = np.add.outer(means, quantiles).ravel()
    labels = np.repeat(np.arange(len(means)), n_cases)
    return x, labels, softmax(np.multiply.outer(x, means) - np.square(means) / 2, axis=1)


x, y, posteriors = quantile_sample(spaced_means(3))
truths = {("ordinal_vus", k): true_volume(spaced_means(k)) for k in (2, 3, 4)}
truths["ordered_vus", 3] = skvus.ordered_vus_score(y, posteriors)
quantile_error = skvus.ordinal_vus_score(y, x) - truths["ordinal_vus", 3]
print(f"ordinal volume, quantiles - truth: {quantile_error:.0e}")
for (score, n_classes), truth in truths.items():
    print(f"{score}, {n_classes} classes: {truth:.4f}")

# %%
# Moderate scores
# ---------------
# Now 500 samples of each kind, with 50, 100 and 200 cases a class. The counts are themselves
# samples: of 500 intervals of 95%, between 93% and 97% may hold the truth just by chance.
# The error bars show that.

N_SAMPLES = 500


def simulate(means, n_cases, seed, scores=("ordinal_vus",)):
    """Low limit, score and high limit on many samples: by score, (n_samples, 2 scales, 3)."""
    rng = np.random.default_rng(seed)
    found = {score: np.empty((N_SAMPLES, 2, 3)) for score in scores}
    for i in range(N_SAMPLES):
        X, y, *posteriors = make_ordered_gaussians(
            [n_cases] * len(means), means, return_posteriors=len(scores) > 1, random_state=rng
        )
        for score in scores:
            rows = X[:, 0] if score == "ordinal_vus" else posteriors[0]
            result = skvus.score_inference(y, rows, score=score)
            for j, scale in enumerate(SCALES):
                low, high = result.confidence_interval(scale=scale)
                found[score][i, j] = low, result.score, high
    return found


def misses(limits, truth):
    """Shares of the intervals that lie above and below the truth, for each scale."""
    return {
        scale: ((limits[:, j, 0] > truth).mean(), (limits[:, j, 2] < truth).mean())
        for j, scale in enumerate(SCALES)
    }


def binomial_bars(shares, n):
    """Lengths of 95% error bars (Wilson's) of shares of n."""
    intervals = [
        binomtest(round(share * n), n).proportion_ci(method="wilson") for share in shares
    ]
    return np.abs(np.transpose(intervals) - shares)


sizes = (50, 100, 200)
moderate = {}
for n_classes in (2, 3, 4):
    scores = ("ordinal_vus", "ordered_vus") if n_classes == 3 else ("ordinal_vus",)
    for n_cases in sizes:
        found = simulate(spaced_means(n_classes), n_cases, [n_classes, n_cases], scores)
        for score, limits in found.items():
            truth = truths[score, n_classes]
            moderate[score, n_classes, n_cases] = misses(limits, truth)
coverage = {
    cell: {scale: 1 - sum(sides) for scale, sides in by_scale.items()}
    for cell, by_scale in moderate.items()
}
print(f"{'score':<12}{'classes':>8}{'truth':>8}{'cases a class':>15}{'logit':>8}{'Wald':>8}")
for (score, n_classes, n_cases), share in coverage.items():
    print(
        f"{score:<12}{n_classes:8d}{truths[score, n_classes]:8.3f}{n_cases:15d}"
        f"{share['logit']:8.1%}{share['identity']:8.1%}"
    )
overall = {scale: np.mean([share[scale] for share in coverage.values()]) for scale in SCALES}
print(f"{'mean':<43}{overall['logit']:8.1%}{overall['identity']:8.1%}")

# %%
# The line is at 95%, the band from 93% to 97%.


def coverage_axes(ax):
    """Draw what the coverage should be."""
    ax.axhspan(93, 97, color=GREY, alpha=0.15, linewidth=0)
    ax.axhline(95, color="black", linewidth=1)
    ax.grid(axis="y", alpha=0.25)


panels = list(truths)
figure, axes = plt.subplots(1, 4, figsize=(10, 4), sharey=True, layout="constrained")
for ax, (score, n_classes) in zip(axes, panels, strict=True):
    coverage_axes(ax)
    for scale, shift in zip(SCALES, (-0.12, 0.12), strict=True):
        colour, marker, label = STYLES[scale]
        shares = np.array([coverage[score, n_classes, n][scale] for n in sizes])
        ax.errorbar(
            np.arange(len(sizes)) + shift,
            100 * shares,
            100 * binomial_bars(shares, N_SAMPLES),
            fmt=marker,
            color=colour,
            capsize=3,
            label=label,
        )
    ax.set_xticks(range(len(sizes)), sizes)
    ax.set_xlim(-0.5, len(sizes) - 0.5)
    ax.set_xlabel("cases a class")
    ax.set_title(f"{score}\n{n_classes} classes", fontsize=11)
axes[0].set_ylim(89, 100)
axes[0].set_ylabel("intervals that hold the truth, percent")
figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=2)

# %%
# On the logit all twelve are within the band, and their mean is 95%. Wald's intervals hold
# the truth a little less often, by less than one percent on average. For scores like these
# the scale matters little. The panels with three classes are about the same samples, so they go
# up and down together.
#
# Scores near 1
# -------------
# A good classifier lets us see little of its faults. With 50 cases a class and an area of
# 0.99, few pairs are in the wrong order, and in a lucky sample none is. We move the classes
# apart until the volume is 0.9, 0.95, 0.98 and 0.99.

volumes = (0.9, 0.95, 0.98, 0.99)
near_one = {}
perfect = {}
for n_classes in (2, 3, 4):
    for volume in volumes:
        apart = brentq(
            lambda d, c, v: true_volume(spaced_means(c, d)) - v, 0.1, 20, (n_classes, volume)
        )
        seed = [n_classes, round(1000 * volume)]
        limits = simulate(spaced_means(n_classes, apart), 50, seed)["ordinal_vus"]
        near_one[n_classes, volume] = misses(limits, volume)
        perfect[n_classes, volume] = (limits[:, 0, 1] == 1).mean()
near_one_coverage = {
    cell: {scale: 1 - sum(sides) for scale, sides in by_scale.items()}
    for cell, by_scale in near_one.items()
}
print(f"{'':<15}{'logit':^27}{'Wald':^27}{'perfect':>9}")
print(f"{'classes':>7}{'truth':>8}" + f"{'covers':>9}{'above':>9}{'below':>9}" * 2)
for (n_classes, volume), by_scale in near_one.items():
    line = f"{n_classes:7d}{volume:8.2f}"
    for scale in SCALES:
        above, below = by_scale[scale]
        line += f"{1 - above - below:9.1%}{above:9.1%}{below:9.1%}"
    print(line + f"{perfect[n_classes, volume]:9.1%}")

# %%
# "Above" and "below" are intervals that lie above or below the truth altogether; there should
# be 2.5% of each. The last column is the share of samples with a perfect score.

figure, axes = plt.subplots(
    2, 3, figsize=(10, 6.4), sharex=True, sharey="row", layout="constrained"
)
for column, n_classes in zip(axes.T, (2, 3, 4), strict=True):
    ax, side_ax = column
    coverage_axes(ax)
    side_ax.axhline(2.5, color="black", linewidth=1)
    side_ax.grid(axis="y", alpha=0.25)
    for scale, shift in zip(SCALES, (-0.12, 0.12), strict=True):
        colour, marker, label = STYLES[scale]
        at = np.arange(len(volumes)) + shift
        sides = np.array([near_one[n_classes, volume][scale] for volume in volumes])
        shares = 1 - sides.sum(axis=1)
        ax.errorbar(
            at,
            100 * shares,
            100 * binomial_bars(shares, N_SAMPLES),
            fmt=marker,
            color=colour,
            capsize=3,
            label=label,
        )
        for side, fill, where, nudge in zip(
            sides.T, (colour, "white"), ("above", "below"), (-0.06, 0.06), strict=True
        ):
            side_ax.errorbar(
                at + nudge,
                100 * side,
                100 * binomial_bars(side, N_SAMPLES),
                fmt=marker,
                color=colour,
                markerfacecolor=fill,
                markersize=5,
                capsize=2,
                label=f"{label}, {where} the truth",
            )
    ax.set_title(f"{n_classes} classes", fontsize=11)
    side_ax.set_xticks(range(len(volumes)), volumes)
    side_ax.set_xlim(-0.5, len(volumes) - 0.5)
    side_ax.set_xlabel("true volume")
axes[0, 0].set_ylabel("hold the truth, percent")
axes[1, 0].set_ylabel("miss the truth, percent")
axes[0, 0].set_yticks(range(80, 101, 5))
axes[0, 0].set_ylim(78, 100)
axes[0, 0].legend(loc="lower left", fontsize=9)
figure.legend(*axes[1, 0].get_legend_handles_labels(), loc="outside lower center", ncols=4)

# %%
# Here the scale matters. At 0.99 of 100 intervals of Wald's 15 to 17 miss the truth, and they
# miss it on one side: they promise too much. A sample with few faults has a high score *and*
# a small standard error, and so a short interval where a long one is called for. The logit
# makes up for it. Its intervals keep near 95%, and miss about as often on either side.
#
# Not quite 95%: with 4000 samples each, for which there is no time here, we found 93.8% to
# 94.7% at 0.98 and 0.99. And Wald's look better here than in textbooks. A perfect score has a
# standard error of 0, and plus and minus nothing is no interval at all. ``score_inference``
# then gives an exact limit instead, on either scale.
#
# Two classifiers that are equally good
# -------------------------------------
# Both see the class of a case under noise of the same strength. Part of the noise is theirs
# alone, the rest they share: a case that is hard for one is hard for the other. Neither is
# better, so every alarm is false. We draw 1000 samples of 50 cases a class, with a correlation
# of 0.5 and 0.9 between the scores of the cases of one class.

N_PAIRS = 1000
levels = np.linspace(0, 0.2, 41)


def equal_pair(n_classes, n_cases, correlation, rng):
    """Labels and the scores of two classifiers with the same true volume."""
    y = np.repeat(np.arange(n_classes), n_cases)
    shared, *own = rng.standard_normal((3, y.size))
    noises = [np.sqrt(correlation) * shared + np.sqrt(1 - correlation) * e for e in own]
    return y, *(APART * y + noise for noise in noises)


comparisons = {}
for correlation in (0.5, 0.9):
    for n_classes in (2, 3, 4):
        rng = np.random.default_rng([n_classes, round(10 * correlation)])
        rows = np.empty((N_PAIRS, 3))
        for row in rows:
            pair = equal_pair(n_classes, 50, correlation, rng)
            result = skvus.compare_scores(*pair, score="ordinal_vus")
            row[:] = result.difference, result.standard_error, result.pvalue
        comparisons[correlation, n_classes] = rows
false_alarms = {cell: (rows[:, 2] < 0.05).mean() for cell, rows in comparisons.items()}
actual = {cell: rows[:, 0].std(ddof=1) for cell, rows in comparisons.items()}
reported = {cell: np.sqrt(np.mean(rows[:, 1] ** 2)) for cell, rows in comparisons.items()}
print(f"{'':<19}{'false alarms at 5%':>22}{'error of the difference':>28}")
print(f"{'correlation':>11}{'classes':>8}{'share':>10}{'':>12}{'actual':>18}{'reported':>10}")
for (correlation, n_classes), share in false_alarms.items():
    low, high_end = binomtest(round(share * N_PAIRS), N_PAIRS).proportion_ci(method="wilson")
    print(
        f"{correlation:11.1f}{n_classes:8d}{share:10.1%}{f'{low:.1%} to {high_end:.1%}':>16}"
        f"{actual[correlation, n_classes]:14.4f}{reported[correlation, n_classes]:10.4f}"
    )

# %%
# The band on the left is from 4% to 6.5%. The right panel looks at all levels up to 20%: the
# share of p-values below a level should be that level.

figure, (ax, level_ax) = plt.subplots(1, 2, figsize=(10, 4.4), layout="constrained")
ax.axhspan(4, 6.5, color=GREY, alpha=0.15, linewidth=0)
ax.axhline(5, color="black", linewidth=1)
level_ax.plot([0, 20], [0, 20], color="black", linewidth=1)
pair_styles = {0.5: ("o", "-", -0.12), 0.9: ("^", "--", 0.12)}
class_colours = {2: BLUE, 3: ORANGE, 4: GREEN}
for correlation, (marker, line, shift) in pair_styles.items():
    shares = np.array([false_alarms[correlation, n_classes] for n_classes in (2, 3, 4)])
    ax.errorbar(
        np.arange(3) + shift,
        100 * shares,
        100 * binomial_bars(shares, N_PAIRS),
        fmt=marker,
        color="black",
        markerfacecolor="black" if correlation == 0.5 else "white",
        capsize=3,
        label=f"correlation {correlation}",
    )
    for n_classes, colour in class_colours.items():
        pvalues = comparisons[correlation, n_classes][:, 2]
        level_ax.plot(
            100 * levels,
            [100 * (pvalues < level).mean() for level in levels],
            line,
            color=colour,
            label=f"{n_classes} classes, correlation {correlation}",
        )
ax.set_xticks(range(3), (2, 3, 4))
ax.set_xlim(-0.5, 2.5)
ax.set_ylim(0, 9)
ax.set_xlabel("classes")
ax.set_ylabel("false alarms at a level of 5%, percent")
ax.legend(loc="lower left", fontsize=9)
level_ax.set(xlim=(0, 20), ylim=(0, 23), xticks=range(0, 21, 5))
level_ax.set_xlabel("level, percent")
level_ax.set_ylabel("false alarms, percent")
level_ax.legend(loc="upper left", fontsize=9)
for panel in (ax, level_ax):
    panel.grid(alpha=0.25)

# %%
# The shares are between 4% and 6%, and all error bars include 5%. If anything, the test is a
# little shy: the reported error is mostly above the actual one, by up to 4%. That is known of
# DeLong's variance, whose bias is upwards, and small. In 60,000 samples of two classes with
# a correlation of 0.9 there were 4.2% false alarms, and the reported error was 3% too large.
#
# What was not tried: classes of different size, rows that belong together, more than four
# classes, other distributions. And the classifiers were given. An interval is about other
# cases, not about other training data.

plt.show()
