"""What the example on soft approximations finds: who ranks as the exact volume does."""

import numpy as np
import pytest

import skvus

HT3, WEIGHTED = "one versus rest (HT3)", "one versus rest, weighted"
HAND_TILL, PAIRS = "Hand and Till (HT2)", "renormalised pairs (HT2)"
SIMPLIFIED = "simplified VUS (product)"
CRISP = ("accuracy", "macro average", "crisp polytope VUS")
RANDOM = [
    f"{kind}, {sizes}" for kind in ("calibrated", "biased") for sizes in ("equal", "unequal")
]
REAL = ["iris, equal", "digits, equal", "wine, unequal"]


@pytest.fixture(scope="module")
def run(run_example):
    return run_example("plot_soft_approximations")


@pytest.fixture(scope="module")
def found(run):
    return run.variables


@pytest.fixture(scope="module")
def discrepancy(found):
    """Recomputed from the scores."""
    return {
        setting: {
            name: skvus.ranking_discrepancy(found["volumes"][setting], values)
            for name, values in by_name.items()
        }
        for setting, by_name in found["values"].items()
    }


def test_settings_and_figures(run, found):
    assert list(found["results"]) == RANDOM + REAL
    assert run.n_figures == 3
    for setting, volumes in found["volumes"].items():
        assert volumes.size == (80 if setting in RANDOM else 50)
        # poor and good classifiers, none of them perfect
        assert 0.0 < volumes.min() < 0.3
        assert 0.7 < volumes.max() <= 1.0


def test_printed_discrepancies(found, discrepancy):
    for setting, by_name in discrepancy.items():
        for name, value in by_name.items():
            mean, error = found["results"][setting][name]
            assert mean == pytest.approx(value)
            assert 0.02 < value < (0.8 if name in CRISP else 0.5)
            assert 0.005 < error < 0.15


@pytest.mark.parametrize("setting", [RANDOM[0], RANDOM[3], REAL[2]])
@pytest.mark.parametrize("name", [HT3, SIMPLIFIED, "accuracy"])
def test_standard_error_is_that_of_the_jackknife(found, setting, name):
    volumes, values = found["volumes"][setting], found["values"][setting][name]
    n = volumes.size
    left_out = [
        skvus.ranking_discrepancy(np.delete(volumes, i), np.delete(values, i)) for i in range(n)
    ]
    jackknife = np.sqrt((n - 1) * np.var(left_out))
    assert found["results"][setting][name][1] == pytest.approx(jackknife, rel=0.05)


def test_biased_classifiers_have_the_volume_of_calibrated_ones(found):
    for sizes in ("equal", "unequal"):
        y = found["truth"][f"biased, {sizes}"]
        expected = found["volumes"][f"calibrated, {sizes}"]
        for k in (1, 40, 79):
            biased = found["classifiers"][f"biased, {sizes}"][k]
            assert skvus.soft_polytope_vus_score(y, biased) == pytest.approx(expected[k])


def test_scores_that_are_as_invariant_as_the_volume(found):
    moved = {name: np.abs(change) > 1e-9 for name, change in found["changes"].items()}
    bias, confidence, frequencies = 0, 1, 2
    for name in ("soft polytope VUS", PAIRS, SIMPLIFIED):
        assert not moved[name].any()
    for name in (HT3, WEIGHTED):
        assert moved[name].all()
    for name in (HAND_TILL, "PDI", "ordered, euclidean", "ordered, sum"):
        assert moved[name].tolist() == [True, True, False]
    for name in CRISP:
        assert moved[name][bias]
        assert not moved[name][confidence]
        assert moved[name][frequencies] == (name == "accuracy")


@pytest.mark.parametrize("setting", [s for s in RANDOM + REAL if s.endswith(", equal")])
def test_one_versus_rest_is_hand_and_till_for_classes_of_equal_size(found, setting):
    values = found["values"][setting]
    assert values[HT3] == pytest.approx(values[HAND_TILL], abs=1e-9)
    assert values[WEIGHTED] == pytest.approx(values[HAND_TILL], abs=1e-9)


def test_one_versus_rest_is_nowhere_clearly_ahead(found):
    assert found["ahead"] == []
    assert all(len(names) > 0 for names in found["on_a_par"].values())


@pytest.mark.parametrize("sizes", ["equal", "unequal"])
def test_simplified_wins_among_biased_classifiers(found, discrepancy, sizes):
    setting = f"biased, {sizes}"
    by_name = discrepancy[setting]
    assert min(by_name, key=by_name.get) == SIMPLIFIED
    # clear of those that are moved by a bias, and untouched by it itself
    assert all(by_name[name] > 1.3 * by_name[SIMPLIFIED] for name in (HT3, HAND_TILL, "PDI"))
    assert by_name[SIMPLIFIED] == discrepancy[f"calibrated, {sizes}"][SIMPLIFIED]
    kendall, spearman = np.array([found["correlations"][setting][n] for n in by_name]).T
    names = list(by_name)
    assert names[kendall.argmax()] == names[spearman.argmax()] == SIMPLIFIED


def test_soft_scores_hardly_differ_among_calibrated_classifiers(discrepancy):
    alike = (HAND_TILL, "PDI", "ordered, euclidean", "ordered, sum", SIMPLIFIED)
    for setting in RANDOM[:2]:
        values = [discrepancy[setting][name] for name in alike]
        assert max(values) < 0.12
        assert max(values) - min(values) < 0.05


def test_crisp_scores_are_far_off(found, discrepancy):
    for family, by_name in found["pooled"].items():
        for name in CRISP:
            value, error = by_name[name]
            assert value > 3 * error, (family, name)
    for setting in RANDOM:
        soft = [v for n, v in discrepancy[setting].items() if n not in CRISP and n != WEIGHTED]
        assert min(discrepancy[setting][name] for name in CRISP) > max(soft)


def test_one_versus_rest_suffers_from_unequal_frequencies(found):
    curves = {name: curve[:, 0] for name, curve in found["reweighted"].items()}
    assert np.ptp(curves[HAND_TILL]) == 0.0
    assert curves[HT3][0] == curves[WEIGHTED][0] == curves[HAND_TILL][0]
    assert curves[HT3][-1] > 2 * curves[HT3][0]
    assert curves[WEIGHTED][-1] > 3 * curves[WEIGHTED][0]
    for name in (HT3, WEIGHTED):
        assert (np.diff(curves[name][2:]) > -0.01).all()


def test_kendall_is_one_minus_discrepancy_without_ties(found, discrepancy):
    for setting, by_name in discrepancy.items():
        for name, value in by_name.items():
            both = found["volumes"][setting], found["values"][setting][name]
            if all(np.unique(x).size == x.size for x in both):
                assert found["correlations"][setting][name][0] == pytest.approx(1 - value)
