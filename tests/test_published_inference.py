"""Worked figures of others for standard errors and paired tests.

`ASAH` ranks the cases of the data set aSAH of R's pROC: grades of the World Federation of
Neurological Surgeons as they are, S100 beta and NDKA as integers in the same order as the
concentrations, which is all that an area depends on. They follow from the placements that
pROC's own tests list. `ARTERIES` is the worked example of Obuchowski (1997), Biometrics 53:
patient, truth, ratings of two readers, with the figures of its clustered analysis as the
tests of the program neuron transcribe them.
"""

import numpy as np
import pytest

from skvus.metrics import compare_many, compare_scores, ordinal_vus_score, score_inference

WFNS_POOR = [
    3, 2, 4, 5, 5, 5, 5, 2, 5, 2, 1, 2, 5, 4, 4, 2, 5, 5, 5, 2, 5, 2, 5, 2, 4, 5, 4, 4, 1,
    4, 4, 2, 2, 5, 5, 2, 2, 5, 5, 5, 5,
]  # fmt: skip
WFNS_GOOD = [
    1, 1, 1, 1, 5, 1, 2, 2, 1, 2, 2, 1, 1, 1, 2, 1, 2, 1, 1, 3, 4, 1, 4, 1, 5, 5, 1, 1, 2,
    4, 1, 1, 2, 2, 1, 2, 1, 2, 2, 1, 1, 1, 1, 2, 1, 2, 1, 1, 3, 2, 4, 2, 1, 4, 1, 1, 5, 4,
    2, 2, 1, 1, 1, 3, 1, 2, 2, 4, 4, 1, 1, 1,
]  # fmt: skip
S100B_POOR = [
    81, 63, 103, 78, 130, 144, 140, 26, 123, 50, 26, 128, 126, 139, 144, 118, 144, 144, 144,
    26, 144, 120, 0, 50, 116, 144, 118, 144, 38, 118, 81, 63, 74, 116, 144, 88, 144, 121,
    144, 144, 130,
]  # fmt: skip
S100B_GOOD = [
    81, 88, 63, 10, 134, 111, 63, 63, 10, 38, 10, 50, 74, 26, 111, 26, 74, 81, 111, 10, 103,
    88, 125, 50, 142, 134, 103, 26, 129, 134, 74, 38, 50, 38, 10, 81, 63, 88, 96, 10, 10,
    50, 10, 50, 38, 103, 50, 38, 123, 74, 119, 26, 63, 121, 26, 10, 117, 127, 63, 96, 38,
    88, 63, 26, 10, 111, 96, 134, 111, 96, 142, 139,
]  # fmt: skip
NDKA_POOR = [
    116, 90, 98, 110, 6, 40, 74, 134, 140, 134, 134, 58, 104, 124, 24, 36, 102, 2, 144, 124,
    62, 74, 80, 102, 128, 93, 124, 36, 142, 109, 6, 49, 124, 6, 48, 134, 76, 104, 138, 74,
    110,
]  # fmt: skip
NDKA_GOOD = [
    1, 38, 30, 68, 15, 109, 15, 120, 100, 120, 113, 139, 44, 15, 85, 15, 15, 143, 91, 54,
    54, 120, 4, 30, 15, 49, 96, 30, 106, 136, 30, 15, 85, 44, 30, 96, 131, 126, 60, 78, 141,
    15, 113, 54, 68, 68, 106, 4, 113, 85, 44, 68, 120, 68, 78, 30, 54, 68, 131, 38, 85, 93,
    136, 75, 85, 44, 131, 60, 103, 126, 15, 100,
]  # fmt: skip
ARTERIES = [
    (1, 1, 87, 87), (1, 1, 79, 83), (2, 1, 88, 94), (2, 1, 95, 93), (3, 1, 100, 100),
    (3, 1, 68, 79), (4, 1, 65, 61), (4, 1, 89, 91), (5, 1, 97, 97), (5, 1, 100, 100),
    (6, 1, 100, 99), (6, 1, 89, 88), (7, 1, 77, 77), (8, 1, 94, 89), (8, 0, 45, 44),
    (9, 1, 89, 92), (9, 0, -11, -17), (10, 1, 95, 91), (10, 0, 30, 14), (11, 1, 95, 95),
    (11, 0, 10, -122), (12, 1, 100, 100), (12, 0, 19, -3), (13, 1, 75, 75), (14, 0, 70, 73),
    (14, 1, 70, 81), (15, 0, 26, 27), (15, 1, 86, 93), (16, 0, 0, 8), (16, 1, 65, 70),
    (17, 0, 6, 23), (17, 1, 100, 100), (18, 0, 76, 79), (18, 1, 96, 95), (19, 0, 44, 55),
    (19, 1, 100, 100), (20, 0, 73, 67), (20, 1, 97, 94), (21, 1, 85, 86), (22, 0, 58, 60),
    (22, 1, 100, 99), (23, 0, -2, -2), (23, 1, 100, 100), (24, 0, -3, -14), (24, 0, 0, -11),
    (25, 0, 47, -3), (25, 0, -94, -90), (26, 0, -16, 17), (26, 0, 75, 85), (27, 0, 5, -22),
    (27, 0, -1, -14), (28, 0, -6, -52), (29, 0, 37, 38), (29, 0, 47, 35), (30, 0, 42, 40),
    (30, 0, 4, 6), (31, 0, 55, 23), (31, 0, 55, 45), (32, 0, 4, -87), (32, 0, -13, -65),
    (33, 0, 49, 24), (33, 0, 35, 9), (34, 0, 53, 66), (35, 0, 2, -15), (36, 0, -48, -78),
]  # fmt: skip
HEALTHY = [
    1.21, 1.5, 1.1, 0.96, 0.93, 1.52, 1.74, 1.55, 0.88, 1.43, 1.43, 1.36, 1.38, 1.36, 1.43,
    1.38, 1.32, 1.29, 0.96, 1.23, 1.19, 1.4, 1.75, 1.44, 1.32, 1.73, 1.62, 1.39, 1.22, 1.28,
    1.56, 1.05, 1.42, 1.58, 1.69, 1.47, 1.55, 1.07,
]  # fmt: skip
INTERMEDIATE = [
    1.58, 1.98, 1.63, 1.32, 1.85, 2.07, 2.03, 0.93, 1.53, 1.91, 2.09, 2.4, 1.79, 1.37, 1.16,
    1.81, 2.47, 1.6, 1.91, 0.93, 1.47, 1.56, 0.99, 1.41, 1.47,
]  # fmt: skip
DISEASED = [
    2.31, 2.36, 1.72, 2.34, 1.97, 0.74, 2.82, 2.71, 1.67, 2.51, 2.18, 2.47, 1.88, 1.89,
    1.69, 1.35, 1.9, 2.33, 1.79, 2.03, 2.24, 2.01, 1.01, 2.88, 1.68, 1.13, 1.11, 1.23, 1.92,
    1.69, 2.18, 2.37, 1.82, 1.59, 1.94, 2.2, 2.02,
]  # fmt: skip
ASAH = {
    "wfns": WFNS_POOR + WFNS_GOOD,
    "s100b": S100B_POOR + S100B_GOOD,
    "ndka": NDKA_POOR + NDKA_GOOD,
}
OUTCOME = np.repeat([1, 0], [41, 72])


def digits(value):
    """As many digits as are printed."""
    return pytest.approx(value, rel=1e-12)


# --- pROC -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("marker", "area", "variance"),
    [  # tests/testthat/test-var.R and test-auc.R
        ("wfns", 0.823678861788618, 0.00146991470882363),
        ("ndka", 0.611957994579946, 0.0031908105493913),
        ("s100b", 0.731368563685637, 0.00266868245717244),
    ],
)
@pytest.mark.parametrize("score", ["ordinal_vus", "ordered_vus", "simplified_vus", "hand_till"])
def test_variance_of_an_area(marker, area, variance, score):
    result = score_inference(OUTCOME, ASAH[marker], score=score)
    assert result.score == digits(area)
    assert result.standard_error**2 == digits(variance)


def test_interval_of_an_area():
    # tests/testthat/test-ci.auc.R, method "delong", which is on the identity scale
    result = score_inference(OUTCOME, ASAH["ndka"], score="ordinal_vus")
    low, high = result.confidence_interval(scale="identity")
    assert (low, high) == digits((0.501244999271703, 0.722670989888189))


@pytest.mark.parametrize(
    ("first", "second", "z", "pvalue", "interval"),
    [  # tests/testthat/test-roc.test.R
        ("wfns", "s100b", 2.20898359144091, 0.0271757822291882,
         (0.0104061769564846, 0.174214419249478)),
        ("wfns", "ndka", 2.79777591868904, 0.00514557970691098,
         (0.0634011709339876, 0.3600405634833566)),
        ("ndka", "s100b", -1.39077002573558, 0.164295175223054,
         (-0.2876917446341914, 0.0488706064228094)),
    ],
)  # fmt: skip
@pytest.mark.parametrize("score", ["ordinal_vus", "ordered_vus", "pdi", "one_vs_rest_auc"])
def test_paired_test_of_two_areas(first, second, z, pvalue, interval, score):
    result = compare_scores(OUTCOME, ASAH[first], ASAH[second], score=score)
    assert result.statistic == digits(z)
    assert result.pvalue == digits(pvalue)
    assert tuple(result.confidence_interval()) == digits(interval)
    row = compare_many(OUTCOME, ASAH, score=score)
    assert min(abs(line.pvalue - pvalue) for line in row) < 1e-12


# --- Obuchowski -------------------------------------------------------------------


def test_clustered_areas_and_their_difference():
    patient, truth, first, second = np.array(ARTERIES).T
    options = {"score": "ordinal_vus", "groups": patient, "method": "delong"}
    readers = [score_inference(truth, reader, **options) for reader in (first, second)]
    assert [round(result.score, 4) for result in readers] == [0.9837, 0.9852]
    assert [round(result.standard_error, 4) for result in readers] == [0.0108, 0.0097]
    assert round(readers[0].confidence_interval(scale="identity").low, 4) == 0.9625
    result = compare_scores(truth, second, first, **options)
    assert round(result.difference, 4) == 0.0014
    assert round(result.standard_error, 4) == 0.0066
    assert round(result.pvalue, 4) == 0.8271
    assert [round(limit, 4) for limit in result.confidence_interval()] == [-0.0115, 0.0143]
    # cases taken for independent give other errors
    blind = score_inference(truth, first, score="ordinal_vus")
    assert round(blind.standard_error, 4) == 0.0106


def test_clusters_are_drawn_with_the_same_error():
    patient, truth, first, _ = np.array(ARTERIES).T
    result = score_inference(
        truth, first, score="ordinal_vus", groups=patient, n_resamples=3000, random_state=0
    )
    assert result.standard_error == pytest.approx(0.0108, rel=0.1)


# --- trinROC ----------------------------------------------------------------------


def test_three_ordered_classes():
    # vignette "Overview of the Package trinROC": empirical VUS of the marker Class2
    sizes = [len(HEALTHY), len(INTERMEDIATE), len(DISEASED)]
    marker = HEALTHY + INTERMEDIATE + DISEASED
    result = score_inference(np.repeat([0, 1, 2], sizes), marker, score="ordinal_vus")
    assert round(result.score, 4) == 0.4411
    assert ordinal_vus_score(np.repeat([0, 1, 2], sizes), marker) == digits(result.score)
