"""The figures that the example "Same error, different volume" prints and talks about."""

from itertools import combinations

import numpy as np
import pytest
from scipy import stats

# error and volume that Landgrebe and Duin print for the banana, Table 4
TABLE_4 = {
    "sc-pca1 nmc": (0.329, 0.667),
    "sc-mogc2,1,2": (0.058, 0.990),
    "sc-qdc": (0.077, 0.970),
    "sc-ldc": (0.091, 0.964),
}
CRITICAL = stats.f.ppf(0.995, 1, 9)


@pytest.fixture(scope="module")
def run(run_example):
    return run_example("plot_error_and_vus")


@pytest.fixture(scope="module")
def example(run):
    return run.variables


def row(example, table, name, model):
    return example[table][name][list(example["models"][name]).index(model)]


def squared_t(first, second):
    """Square of the paired t value."""
    return stats.ttest_rel(first, second).statistic ** 2


def test_figures_and_tables(run):
    assert run.n_figures == 2
    assert "nan" not in run.output.replace("banana", "")
    for pair in run.variables["found"]:
        assert any(
            all(part in line for part in pair["names"]) for line in run.output.split("\n")
        )


def test_scorer_gives_the_same_volumes(example):
    expected = row(example, "volumes", "iris", "ldc")
    np.testing.assert_allclose(example["again"], expected, rtol=1e-12)


def test_every_number_is_there(example):
    assert list(example["data"]) == ["banana", "iris", "wine", "digits"]
    for name, models in example["models"].items():
        for table in (example["errors"], example["volumes"]):
            assert table[name].shape == (len(models), 10)
            assert np.all((table[name] >= 0) & (table[name] <= 1))


def test_every_split_is_a_fifth_with_all_classes(example):
    for name, (X, y) in example["data"].items():
        assert len(example["splits"][name]) == 10
        for train, test in example["splits"][name]:
            assert len(test) == np.ceil(len(X) / 5)
            assert sorted([*train, *test]) == list(range(len(X)))
            assert len(np.unique(y[test])) == len(np.unique(y))


def test_scores_of_the_small_classes(example):
    X, y = example["data"]["iris"]
    for model in (
        example["NearestMean"](),
        example["GaussianMixtures"]((1, 2, 1)),
        example["PolynomialSVC"](3),
    ):
        score = model.fit(X, y).predict_proba(X)
        np.testing.assert_allclose(score.sum(axis=1), 1.0)
        np.testing.assert_array_equal(model.predict(X), score.argmax(axis=1))
        assert np.mean(model.predict(X) != y) < 0.1


def test_mixture_of_one_gaussian_is_the_quadratic_classifier(example):
    X, y = example["data"]["iris"]
    one = example["GaussianMixtures"]((1, 1, 1)).fit(X, y).predict_proba(X)
    quadratic = example["qdc"].fit(X, y).predict_proba(X)
    np.testing.assert_allclose(one, quadratic, atol=0.05)  # divisors n and n - 1


@pytest.mark.parametrize("model", TABLE_4)
def test_banana_is_near_the_paper(example, model):
    error, volume = TABLE_4[model]
    assert row(example, "errors", "banana", model).mean() == pytest.approx(error, abs=0.02)
    assert row(example, "volumes", "banana", model).mean() == pytest.approx(volume, abs=0.02)
    assert example["paper"][model].startswith(f"{error:.3f}(")
    assert f"  {volume:.3f}(" in example["paper"][model]


def test_banana_is_ordered_as_in_the_paper(example):
    order = sorted(TABLE_4, key=lambda model: TABLE_4[model][0])
    errors = [row(example, "errors", "banana", model).mean() for model in order]
    volumes = [row(example, "volumes", "banana", model).mean() for model in order]
    assert errors == sorted(errors)
    assert volumes == sorted(volumes, reverse=True)


def test_nearest_mean_is_poor(example):
    # one component of the banana is worse than all others, on every split and by far
    rest = [model for model in example["models"]["banana"] if model != "sc-pca1 nmc"]
    for table, sign in (("errors", -1), ("volumes", 1)):
        poor = row(example, table, "banana", "sc-pca1 nmc")
        for model in rest:
            other = row(example, table, "banana", model)
            assert np.min(sign * (other - poor)) > 0.15
            assert squared_t(poor, other) > CRITICAL
    # and so are the three of the digits
    for table, sign in (("errors", 1), ("volumes", -1)):
        means = {
            m: row(example, table, "digits", m).mean() for m in example["models"]["digits"]
        }
        worst = sorted(means, key=lambda model: sign * means[model])[-3:]
        assert all(model.endswith("nmc") for model in worst)


def test_volume_mostly_falls_with_the_error(example):
    for name in example["data"]:
        means = example["errors"][name].mean(axis=1), example["volumes"][name].mean(axis=1)
        assert -1 < stats.spearmanr(*means).statistic < -0.6


def test_anova_of_two_rows_is_a_paired_t_test(example):
    n_compared = 0
    for table in (example["errors"], example["volumes"]):
        for rows in table.values():
            for first, second in combinations(rows, 2):
                if np.ptp(first - second) < 1e-9:
                    continue
                n_compared += 1
                f_value, p_value = example["two_way_anova"](np.array([first, second]))
                t_value, p_of_t = stats.ttest_rel(first, second)
                assert f_value == pytest.approx(t_value**2, rel=1e-6, abs=1e-9)
                assert p_value == pytest.approx(p_of_t, rel=1e-6)
    assert n_compared > 400


def test_anova_of_three_rows_by_hand(example):
    # row means 2, 3, 7 and column means 3, 4, 5 around 4: squares 42 and 6 of 60 in all
    table = np.array([[1.0, 2.0, 3.0], [3.0, 1.0, 5.0], [5.0, 9.0, 7.0]])
    f_value, p_value = example["two_way_anova"](table)
    assert f_value == pytest.approx((42 / 2) / (12 / 4))
    assert p_value == pytest.approx(stats.f.sf(7, 2, 4))


def test_anova_without_scatter(example):
    anova = example["two_way_anova"]
    split = np.random.default_rng(0).random(10)
    assert anova(np.array([split, split])) == (0.0, 1.0)
    assert anova(np.array([split, split + 0.1])) == (np.inf, 0.0)


def test_correction_is_a_factor(example):
    # Nadeau and Bengio: 1/10 + 1/4 in place of 1/10
    gaps = np.random.default_rng(0).normal(0.3, 1.0, size=10)
    mean, error, p_value = example["corrected_t_test"](gaps, 0.25)
    plain = stats.ttest_1samp(gaps, 0.0)
    assert (mean / error) ** 2 == pytest.approx(plain.statistic**2 / 3.5)
    assert p_value > plain.pvalue
    uncorrected = example["corrected_t_test"](gaps, 0.0)
    assert uncorrected[2] == pytest.approx(plain.pvalue)
    assert example["corrected_t_test"](np.zeros(10), 0.25)[2] == 1.0
    assert example["corrected_t_test"](np.ones(10), 0.25)[2] == 0.0


def test_found_pairs_are_those_of_the_definition(example):
    expected = set()
    for name, models in example["models"].items():
        for i, j in combinations(range(len(models)), 2):
            errors, volumes = example["errors"][name], example["volumes"][name]
            if np.ptp(volumes[i] - volumes[j]) < 1e-9:
                continue
            same = np.ptp(errors[i] - errors[j]) < 1e-9
            same = same or squared_t(errors[i], errors[j]) <= CRITICAL
            if same and squared_t(volumes[i], volumes[j]) > CRITICAL:
                expected.add((name, i, j))
    assert {(pair["data"], *pair["pair"]) for pair in example["found"]} == expected
    assert len(example["found"]) == len(expected)


def test_marks_of_the_found_pairs(example):
    for pair in example["found"]:
        name, (i, j) = pair["data"], pair["pair"]
        f_volume = squared_t(example["volumes"][name][i], example["volumes"][name][j])
        ratio = example["ratio_of"](name)
        assert ratio == pytest.approx(0.25, abs=0.01)
        assert pair["f_volume"] == pytest.approx(f_volume)
        assert pair["corrected"] == (f_volume / (1 + 10 * ratio) > CRITICAL)
        if pair["any_ties"]:
            better = [
                np.mean(example["volumes_with"](ties, name, i))
                > np.mean(example["volumes_with"](ties, name, j))
                for ties in ("strict", "share", "weak")
            ]
            assert len(set(better)) == 1
        np.testing.assert_allclose(
            example["volumes_with"]("share", name, i), example["volumes"][name][i], rtol=1e-12
        )


def test_what_the_text_says_about_the_pairs(example):
    # outside the banana no pair survives the correction
    assert {pair["data"] for pair in example["real"]} == {"banana"}
    # an iris pair with nearly twice the error passes for the same
    ratios = []
    for pair in example["found"]:
        if pair["data"] == "iris":
            means = example["errors"]["iris"][pair["pair"]].mean(axis=1)
            ratios.append(means.max() / means.min())
    assert 1.6 < max(ratios) < 2.0
    # the mixtures have the smaller error on fresh data, the other two errors stay together
    together = {tuple(pair["names"]) for pair in example["same"]}
    assert together == {("sc-knn3", "sc-svc p3")}
    fresh = dict(zip(example["contenders"], example["fresh_errors"], strict=True))
    for other in ("sc-knn3", "sc-svc p3"):
        assert squared_t(fresh["sc-mogc2,1,2"], fresh[other]) > CRITICAL
        assert fresh["sc-mogc2,1,2"].mean() < fresh[other].mean()
    assert squared_t(fresh["sc-knn3"], fresh["sc-svc p3"]) < CRITICAL
    volumes = dict(zip(example["contenders"], example["fresh_volumes"], strict=True))
    assert squared_t(volumes["sc-knn3"], volumes["sc-svc p3"]) > CRITICAL
    gaps = [table["sc-knn3"].mean() - table["sc-svc p3"].mean() for table in (fresh, volumes)]
    assert abs(gaps[1]) > 10 * abs(gaps[0])


def test_other_scores_of_the_support_vectors(example):
    other = np.array(example["other_scores"])
    volumes = example["volumes"]["banana"]
    labels = list(example["models"]["banana"])
    for label, sign in (("sc-mogc2,1,2", 1), ("sc-knn3", -1)):
        gaps = sign * (volumes[labels.index(label)] - other)
        assert gaps.min() > 0
        assert example["corrected_t_test"](gaps, 0.25)[2] < 0.005


def test_what_the_text_says_about_the_clearest_pair(example):
    pair = example["clearest"]
    assert (pair["data"], pair["names"]) == ("banana", ["sc-knn3", "sc-svc p3"])
    assert pair["f_error"] < stats.f.ppf(0.95, 1, 9)
    first, second = example["errors"]["banana"][pair["pair"]]
    assert (first < second).any()
    assert (first > second).any()
    first, second = example["volumes"]["banana"][pair["pair"]]
    assert (first < second).all()
    # stairs that end early: where all rates have to be high, 3-nn has no operating point
    neighbours, vectors = (example["reached"][name] for name in pair["names"])
    assert len(neighbours) < 50 < len(vectors)
    for k in range(3):
        last = [np.delete(rates, k, axis=1).min(axis=1) for rates in (neighbours, vectors)]
        assert last[0][neighbours[:, k] > 0].max() < last[1][vectors[:, k] > 0].max()


def test_what_the_text_says_about_ties(example):
    _, strict, share, weak = example["neighbours"][3]
    vectors = row(example, "volumes", "banana", "sc-svc p3").mean()
    assert strict < share < vectors < weak
    assert weak - share > (1 - share) / 2  # most of the loss
    widths = [figures[3] - figures[1] for figures in example["neighbours"].values()]
    assert widths == sorted(widths, reverse=True)
    assert widths[-1] < widths[0] / 4
