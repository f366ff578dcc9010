"""Large data: no needless copies, single precision, files mapped into memory."""

import tracemalloc
from functools import partial

import joblib
import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin

import skvus
from benchmarks import large
from skvus._blocks import float_blocks, row_blocks
from skvus.metrics import _methods

BUDGET = 8e9
MODERATE = 200_000
DRAWN = {"method": "sampled", "n_tuples": 2000}


class Known(ClassifierMixin, BaseEstimator):
    """A classifier whose cases are probabilities already."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        return X


def decisions(y, p, weight):
    model = skvus.CostMatrixClassifier(Known(), 1.0 - np.eye(p.shape[1]))
    return model.fit(np.eye(p.shape[1]), np.arange(p.shape[1])).predict(p)


def front(y, p, weight, **options):
    objectives = "rates" if p.shape[1] < 16 else "miss_rates"
    found = skvus.ROCFront.from_predictions(
        y, p, sample_weight=weight, objectives=objectives, random_state=0, **options
    )
    return found.rates, found.counts, found.costs, found.priors, found.class_sizes


def small_front(n_classes):
    rng = np.random.default_rng(1)
    y = np.arange(20 * n_classes) % n_classes
    p = rng.dirichlet(np.ones(n_classes), y.size)
    objectives = "rates" if n_classes < 16 else "miss_rates"
    return skvus.ROCFront.from_predictions(
        y, p, n_costs=20, objectives=objectives, random_state=0
    )


def evaluated(y, p, weight):
    found = small_front(p.shape[1]).evaluate(y, p, sample_weight=weight, n_samples=100)
    return found.rates, found.counts


def inference(y, p, weight, **options):
    found = skvus.score_inference(y, p, sample_weight=weight, random_state=0, **options)
    return found.score, found.standard_error


def comparison(y, p, weight, **options):
    found = skvus.compare_scores(
        y, p, p[:, ::-1], sample_weight=weight, random_state=0, **options
    )
    return found.difference, found.standard_error


# from labels, scores and weights
SOFT = {
    "ordered": lambda y, p, w: skvus.ordered_vus_score(
        y, p, method="sampled", n_tuples=2000, sample_weight=w, random_state=0
    ),
    "ordered, exact": lambda y, p, w: skvus.ordered_vus_score(
        y[:60], p[:60], sample_weight=None if w is None else w[:60], random_state=0
    ),
    "ordered, sum": lambda y, p, w: skvus.ordered_vus_score(
        y, p, distance="sum", method="sampled", n_tuples=2000, sample_weight=w, random_state=0
    ),
    "simplified": lambda y, p, w: skvus.simplified_vus_score(
        y, p, method="sampled", n_tuples=2000, sample_weight=w, random_state=0
    ),
    "angle": lambda y, p, w: skvus.angle_vus_score(
        y, p, method="sampled", n_tuples=2000, sample_weight=w, random_state=0
    ),
    "ordinal": lambda y, p, w: skvus.ordinal_vus_score(y, p[:, -1], sample_weight=w),
    "pdi": lambda y, p, w: skvus.pdi_score(y, p, average=None, sample_weight=w),
    "hand_till": lambda y, p, w: skvus.hand_till_score(y, p, sample_weight=w),
    "one_vs_rest": lambda y, p, w: skvus.one_vs_rest_auc_score(y, p, sample_weight=w),
    "operating_rates": lambda y, p, w: skvus.operating_rates(
        y, p, np.linspace(1.0, 2.0, p.shape[1]), sample_weight=w
    ),
    "weights_for_rates": lambda y, p, w: skvus.weights_for_rates(
        y, p, {0: 0.6}, sample_weight=w
    ),
    "inference": lambda y, p, w: inference(y, p, w, score_params=DRAWN),
    "inference, pdi": lambda y, p, w: inference(y, p, w, score="pdi"),
    "inference, bootstrap": lambda y, p, w: inference(
        y, p, w, score="one_vs_rest_auc", method="bootstrap", n_resamples=2
    ),
    "comparison": lambda y, p, w: comparison(y, p, w, score_params=DRAWN),
    "permutation": lambda y, p, w: (
        skvus.permutation_test(
            y, p, score="hand_till", n_permutations=2, sample_weight=w, random_state=0
        ).null_distribution
    ),
    "front": lambda y, p, w: front(y, p, w, n_costs=30),
    "front, weights": lambda y, p, w: front(y, p, w, n_costs=30, family="weights"),
    "evaluate": evaluated,
    "predict": lambda y, p, w: small_front(p.shape[1]).predict(p, 0),
    "classifier": decisions,
}
FEW_CLASSES = {
    "soft_polytope": lambda y, p, w: skvus.soft_polytope_vus_score(
        y, p, n_costs=10, sample_weight=w, random_state=0
    ),
    "grid": lambda y, p, w: skvus.simplified_vus_score(
        y[:500], p[:500], method="grid", n_steps=10, random_state=0
    ),
    "points": lambda y, p, w: skvus.operating_points(y[:50], p[:50]).rates,
}
MANY_CLASSES = {
    "points": lambda y, p, w: (
        skvus.operating_points(y, p, n_weights=20, sample_weight=w, random_state=0).rates
    ),
}
CRISP = {
    "macro_average": skvus.macro_average_score,
    "modified_macro_average": skvus.modified_macro_average_score,
    "one_point_auc": skvus.one_point_auc_score,
    "hand_till_crisp": skvus.hand_till_crisp_score,
    "polytope": skvus.polytope_vus_score,
    "expected_cost": partial(skvus.expected_cost, cost_matrix=1.0 - np.eye(3)),
    "inference": lambda y, c, sample_weight: inference(
        y, c, sample_weight, score="macro_average", n_resamples=2
    ),
}


def cases(n, n_classes, *, decimals=None):
    rng = np.random.default_rng(n)
    y = np.arange(n) % n_classes
    logits = rng.normal(size=(n, n_classes))
    logits[np.arange(n), y] += 2.0
    proba = np.exp(logits)
    if decimals is not None:
        proba = proba.round(decimals) + 10.0**-decimals
    return y, proba / proba.sum(axis=1, keepdims=True), rng.integers(1, 4, n) / 3.0


def same_bits(ours, theirs):
    if isinstance(ours, tuple):
        return all(same_bits(*pair) for pair in zip(ours, theirs, strict=True))
    ours, theirs = np.asarray(ours), np.asarray(theirs)
    return ours.dtype == theirs.dtype and ours.tobytes() == theirs.tobytes()


def mapped(folder, array):
    path = folder / "array.joblib"
    joblib.dump(array, path)
    array = joblib.load(path, mmap_mode="r")
    assert isinstance(array, np.memmap)
    return array


def read_only(array):
    array = array.copy()
    array.flags.writeable = False
    return array


def every_second(array):
    wide = np.zeros((len(array), 2 * array.shape[1]), dtype=array.dtype)
    wide[:, ::2] = array
    return wide[:, ::2]


# --- blocks -----------------------------------------------------------------------


@pytest.mark.parametrize("shape", [(0, 3), (1, 3), (1000, 3), (10**6, 3), (10**5, 300), (9, 1)])
def test_blocks_are_all_rows_in_order(shape):
    blocks = row_blocks(*shape)
    rows = [row for block in blocks for row in range(block.start, block.stop)]
    assert rows == list(range(shape[0]))


def test_blocks_are_new_doubles_in_c_order():
    scores = np.asfortranarray(np.random.default_rng(0).random((500_000, 2), np.float32))
    for rows, block in float_blocks(scores):
        assert block.dtype == np.float64
        assert block.flags.c_contiguous
        assert block.flags.owndata
        assert (block == scores[rows]).all()


# --- single precision -------------------------------------------------------------


@pytest.mark.parametrize("is_weighted", [False, True])
@pytest.mark.parametrize("decimals", [None, 1], ids=["continuous", "tied"])
@pytest.mark.parametrize("name", [*SOFT, *FEW_CLASSES])
def test_single_precision_scores_as_its_doubles(name, decimals, is_weighted):
    y, proba, weight = cases(1200, 3, decimals=decimals)
    single = proba.astype(np.float32)
    weight = weight if is_weighted else None
    score = {**SOFT, **FEW_CLASSES}[name]
    assert same_bits(score(y, single, weight), score(y, single.astype(float), weight))


@pytest.mark.parametrize("name", [*SOFT, *MANY_CLASSES])
def test_single_precision_of_many_classes_scores_as_its_doubles(name):
    y, proba, _ = cases(2000, 20)
    single = proba.astype(np.float32)
    score = {**SOFT, **MANY_CLASSES}[name]
    assert same_bits(score(y, single, None), score(y, single.astype(float), None))


@pytest.mark.parametrize("name", [*SOFT, "soft_polytope"])
def test_single_precision_of_two_classes_scores_as_its_doubles(name):
    y, proba, _ = cases(1000, 2)
    single = proba.astype(np.float32)
    score = {**SOFT, **FEW_CLASSES}[name]
    assert same_bits(score(y, single, None), score(y, single.astype(float), None))


@pytest.mark.parametrize(
    "score",
    [
        skvus.ordered_vus_score,
        skvus.simplified_vus_score,
        skvus.angle_vus_score,
        skvus.pdi_score,
        skvus.hand_till_score,
        skvus.one_vs_rest_auc_score,
        skvus.soft_polytope_vus_score,
        lambda y, s: skvus.operating_rates(y, s, [1.0, 3.0]),
        lambda y, s: skvus.weights_for_rates(y, s, {1: 0.9}),
    ],
)
def test_one_column_of_single_precision_scores_as_its_doubles(score):
    y, proba, _ = cases(1000, 2)
    single = proba[:, 1].astype(np.float32)
    assert same_bits(score(y, single), score(y, single.astype(float)))


def test_sums_of_rows_are_taken_in_double_precision():
    # in single precision the sums of so many small numbers would miss one by more than allowed
    proba = np.full((3, 5000), 1.0 / 5000, dtype=np.float32)
    assert skvus.angle_vus_score(
        [0, 1, 2], proba[:, :3] * np.float32(5000 / 3), n_tuples=2
    ) == pytest.approx(1.0)
    huge = np.array([[3e38, 3e38, 3e38]] * 3, dtype=np.float32)
    assert skvus.simplified_vus_score([0, 1, 2], huge) == pytest.approx(1 / 6)
    assert np.isfinite(skvus.operating_rates([0, 1, 2], huge, [1, 2, 3])).all()


def test_bad_values_in_single_precision_are_refused():
    y, proba, _ = cases(30, 3)
    single = proba.astype(np.float32)
    single[3, 1] = np.nan
    with pytest.raises(ValueError, match="y_score must be finite"):
        skvus.pdi_score(y, single)
    single[3, 1] = -0.5
    with pytest.raises(ValueError, match="must not be negative"):
        skvus.operating_rates(y, single, [1, 1, 1])
    single[3, 1] = 0.9
    with pytest.raises(ValueError, match="rows that sum to 1"):
        skvus.ordered_vus_score(y, single)


# --- any memory -------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["mapped", "read-only", "column by column", "every second"])
@pytest.mark.parametrize("name", [*SOFT, *FEW_CLASSES])
def test_scores_in_any_memory_score_alike_and_stay_as_they_are(name, kind, tmp_path):
    y, proba, weight = cases(600, 3)
    score = {**SOFT, **FEW_CLASSES}[name]
    expected = score(y, proba, weight)
    scores = {
        "mapped": lambda: mapped(tmp_path, proba),
        "read-only": lambda: read_only(proba),
        "column by column": lambda: np.asfortranarray(proba),
        "every second": lambda: every_second(proba),
    }[kind]()
    assert same_bits(score(read_only(y), scores, read_only(weight)), expected)
    assert (scores == proba).all()


@pytest.mark.parametrize("name", CRISP)
def test_mapped_and_read_only_labels(name, tmp_path):
    y, proba, weight = cases(600, 3)
    called = proba.argmax(axis=1)
    expected = CRISP[name](y, called, sample_weight=weight)
    ours = CRISP[name](read_only(y), mapped(tmp_path, called), sample_weight=read_only(weight))
    assert same_bits(ours, expected)


def test_results_in_several_blocks_are_those_of_one(monkeypatch):
    y, proba, weight = cases(500, 3)
    whole = [score(y, proba, weight) for score in SOFT.values()]
    monkeypatch.setattr("skvus._blocks._BLOCK_CELLS", 3 * 64)
    monkeypatch.setattr("skvus._labels._BLOCK", 7)
    parts = [score(y, proba, weight) for score in SOFT.values()]
    for name, ours, theirs in zip(SOFT, parts, whole, strict=True):
        assert same_bits(ours, theirs), name


def test_labels_of_text_in_several_blocks(monkeypatch):
    names = np.array(["low", "high", "middle"])
    y, proba, _ = cases(100, 3)
    expected = skvus.macro_average_score(names[y], names[proba.argmax(axis=1)])
    monkeypatch.setattr("skvus._labels._BLOCK", 7)
    assert skvus.macro_average_score(names[y], names[proba.argmax(axis=1)]) == expected


# --- memory -----------------------------------------------------------------------

# bytes that a call may have allocated at once for each byte of double-precision scores
MOST_BYTES = {
    "ordered": 5.0,
    "simplified": 5.0,
    "angle": 5.0,
    "ordinal": 2.8,
    "pdi": 2.8,
    "hand_till": 2.8,
    "one_vs_rest": 2.8,
    "operating_rates": 1.6,
    "weights_for_rates": 4.5,
    "inference": 16.0,  # credit and number of draws of each case in each of eight groups
    "inference, pdi": 5.0,
    "front": 2.0,
    "evaluate": 2.0,
    "predict": 0.9,
    "classifier": 1.7,
}


@pytest.fixture
def small_blocks(monkeypatch):
    """Blocks that are small beside moderate data, as the usual ones are beside large data."""
    monkeypatch.setattr("skvus._blocks._BLOCK_CELLS", 2**13)
    monkeypatch.setattr("skvus._labels._BLOCK", 2**13)


def peak_bytes(function, *arguments):
    function(*(None if a is None else a[:60] for a in arguments))  # compile, load
    tracemalloc.start()
    try:
        function(*arguments)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("name", MOST_BYTES)
def test_few_copies(name, dtype, small_blocks):
    y, proba, _ = cases(MODERATE, 3)
    size = proba.nbytes
    assert peak_bytes(SOFT[name], y, proba.astype(dtype), None) <= MOST_BYTES[name] * size


@pytest.mark.parametrize("name", ["pdi", "operating_rates", "front", "predict"])
def test_scores_of_many_classes_are_not_copied(name, small_blocks):
    y, proba, _ = cases(MODERATE // 4, 20)
    size = proba.nbytes
    assert peak_bytes(SOFT[name], y, proba.astype(np.float32), None) <= 0.5 * size


# --- what would take hours --------------------------------------------------------


def test_hours_are_refused_with_advice(monkeypatch):
    y, proba, _ = cases(300, 3)
    monkeypatch.setattr(_methods, "_MOST_STEPS", 10**5)
    with pytest.raises(ValueError, match="Use n_resamples of at most 333, or a sample"):
        skvus.score_inference(y, proba, score="pdi", method="bootstrap", n_resamples=400)
    with pytest.raises(ValueError, match="Use n_resamples of at most 33, or"):
        skvus.score_inference(y, proba, score="soft_polytope_vus", n_resamples=34)
    with pytest.raises(ValueError, match="Use n_permutations of at most 333, or"):
        skvus.permutation_test(y, proba, score="pdi", n_permutations=334)
    monkeypatch.setattr(_methods, "_MOST_STEPS", 300**2 - 1)
    with pytest.raises(ValueError, match="Use method='bootstrap', or"):
        skvus.score_inference(y, proba, score="one_vs_rest_auc", method="jackknife")
    skvus.score_inference(y, proba.argmax(axis=1), score="macro_average", n_resamples=1000)


@pytest.mark.parametrize("n_classifiers", [1, 2])
def test_cells_are_drawn_as_cases_are(monkeypatch, n_classifiers):
    y, proba, _ = cases(900, 3)
    called = proba.argmax(axis=1)
    options = {"score": "macro_average", "n_resamples": 1000, "random_state": 0}

    def estimate():
        if n_classifiers == 1:
            return skvus.score_inference(y, called, **options)
        return skvus.compare_scores(y, called, np.roll(called, 30), **options)

    by_cases = estimate()
    monkeypatch.setattr(_methods, "_MANY_CASES", 1)
    by_cells = estimate()
    # standard errors from 1000 draws have an error of 2.2% each
    assert by_cells.standard_error == pytest.approx(by_cases.standard_error, rel=0.12)
    assert by_cells.standard_error != by_cases.standard_error
    if n_classifiers == 1:
        assert by_cells.score == by_cases.score
    else:
        assert by_cells.difference == by_cases.difference


# --- the real thing ---------------------------------------------------------------


@pytest.fixture(scope="module")
def large_data(tmp_path_factory):
    folder = tmp_path_factory.mktemp("large")
    for shape in large.SHAPES:
        large.write_data(folder, shape)
    return folder


@pytest.mark.long
@pytest.mark.parametrize("kind", large.KINDS)
@pytest.mark.parametrize(
    ("shape", "name"),
    [
        (shape, name)
        for shape in large.SHAPES
        for name in large.PER_SCORE
        if name not in large.NOT_FOR[shape]
    ],
)
def test_large_data_in_eight_gigabytes(large_data, shape, name, kind):
    assert large.measure(large_data, shape, name, kind).peak < BUDGET
