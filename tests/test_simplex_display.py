"""ProbabilitySimplexDisplay: points in the simplex, and regions that are what is decided."""

import matplotlib as mpl

mpl.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_rgb
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_digits, load_iris
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.naive_bayes import GaussianNB

from skvus import CostMatrixClassifier, operating_rates
from skvus._costs import least_cost_codes
from skvus.plotting import ProbabilitySimplexDisplay
from skvus.plotting._simplex_geometry import CORNERS, decision_regions, in_plane, spread_evenly

COSTS = [
    [[0, 1, 1], [1, 0, 1], [1, 1, 0]],
    [[0, 1, 5], [1, 0, 1], [2, 2, 0]],
    [[0, 10, 1], [1, 0, 10], [10, 1, 0]],
    [[0, 1, 0], [0, 0, 3], [2, 0, 0]],
    [[0, 2, 2], [1, 0, 0], [3, 3, 0]],
    [[0, 1, 1e-6], [1e6, 0, 1], [1, 1, 0]],
]


@pytest.fixture(autouse=True)
def no_figure_is_left():
    yield
    plt.close("all")


def make_posteriors(n_per_class, *, n_classes=3, distance=1.0, seed=0):
    rng = np.random.default_rng(seed)
    y = np.repeat(np.arange(n_classes), n_per_class)
    p = np.exp(rng.normal(size=(y.size, n_classes)) + distance * np.eye(n_classes)[y])
    order = rng.permutation(y.size)
    return y[order], (p / p.sum(axis=1, keepdims=True))[order]


def draw(y, p, **options):
    return ProbabilitySimplexDisplay.from_predictions(y, p, **options)


def inside(corners, points):
    """Whether points are in a convex polygon, and how far from its border, in the plane."""
    corners = in_plane(corners)
    sides = np.roll(corners, -1, axis=0) - corners
    lengths = np.linalg.norm(sides, axis=1)
    corners, sides = corners[lengths > 1e-12], sides[lengths > 1e-12]
    relative = in_plane(points)[:, np.newaxis] - corners
    turn = sides[:, 0] * relative[..., 1] - sides[:, 1] * relative[..., 0]
    turn /= np.linalg.norm(sides, axis=1)
    return (turn >= 0.0).all(axis=1), np.abs(turn).min(axis=1)


def compare_with_decisions(regions, codes, points):
    """All points that are not on a border lie in the region of their decision, and no other."""
    for k, corners in enumerate(regions):
        if corners is None:
            assert not (codes == k).any()
            continue
        is_inside, away = inside(corners, points)
        clear = away > 1e-9
        assert clear.mean() > 0.99
        assert_array_equal(is_inside[clear], (codes == k)[clear])


# regions


@pytest.mark.parametrize("cost", COSTS)
def test_regions_are_what_costs_decide(cost):
    points = np.random.default_rng(0).dirichlet(np.ones(3), size=4000)
    codes = (points @ np.array(cost)).argmin(axis=1)
    compare_with_decisions(decision_regions(None, np.array(cost, dtype=float)), codes, points)
    called = draw(points.argmax(axis=1), points, cost_matrix=cost).frame()["called"]
    assert_array_equal(called, codes)


@pytest.mark.parametrize(
    "weights", [[1, 1, 1], [1, 2, 0.3], [0, 1, 1], [1e6, 1, 1e-6], [0, 1, 0]]
)
def test_regions_are_what_weights_decide(weights):
    points = np.random.default_rng(0).dirichlet(np.ones(3), size=4000)
    codes = (np.array(weights) * points).argmax(axis=1)
    compare_with_decisions(
        decision_regions(np.array(weights, dtype=float), None), codes, points
    )
    called = draw(points.argmax(axis=1), points, weights=weights).frame()["called"]
    assert_array_equal(called, codes)


def test_decisions_of_weights_are_those_of_their_products():
    steps = np.arange(13)
    grid = np.array([(i, j, 12 - i - j) for i in steps for j in steps[: 13 - i]]) / 12.0
    y = np.arange(len(grid)) % 3
    whole = np.stack(np.meshgrid(*[np.arange(1, 6)] * 3), axis=-1).reshape(-1, 3)
    for weights in whole:
        called = ProbabilitySimplexDisplay(grid, y, weights=weights).frame()["called"]
        assert_array_equal(called, (weights * grid).argmax(axis=1))
        counts = np.histogram2d(y, called, bins=3, range=[[0, 3], [0, 3]])[0]
        assert_allclose(
            operating_rates(y, grid, weights), counts / counts.sum(axis=1, keepdims=True)
        )


@pytest.mark.parametrize(
    ("weights", "called"),
    [
        ([1e300, 1e-300, 1e-300], [0, 1, 0]),
        ([1e-300, 1e300, 1e-300], [1, 1, 0]),
        ([5e-324, 5e-324, 1e-323], [1, 2, 0]),
        ([1e308, 1e308, 1.5e308], [1, 2, 0]),
        ([0.0, 0.0, 1e-300], [0, 2, 0]),
    ],
)
def test_decisions_of_extreme_weights(weights, called):
    p = np.array([[0.25, 0.75, 0.0], [0.0, 0.5, 0.5], [1.0, 0.0, 0.0]])
    display = ProbabilitySimplexDisplay(p, [0, 1, 2], weights=weights)
    assert display.frame()["called"].tolist() == called
    display.plot()


EXTREME_COSTS = [
    [[0, 1e-13, 2e-13], [1, 0, 1e-13], [1, 1e-13, 0]],
    [[0, 1e-9, 3e-9], [1e9, 0, 1e-9], [1e9, 2e-9, 0]],
    [[0, 1e-200, 2e-200], [1e200, 0, 1e-200], [1e200, 1e-200, 0]],
    [[0, 1e-308, 2e-308], [3e-308, 0, 1e-308], [1e-308, 4e-308, 0]],
    [[0, 1e308, 1.7e308], [5e307, 0, 1.7e308], [1e308, 1e308, 0]],
    # what hardly differs is a tie, where the costs in common are not next to nothing
    [[0, 1, 1], [1, 0, 1e-13], [1, 0, 0]],
    [[0, 1, 1], [1, 0, 0], [1, 1e-13, 0]],
    [[0, 1, 1], [1, 0, 0], [1, 3e-12, 0]],
    [[0, 1, 1], [1, 0, 0], [1, 1e-11, 0]],
    [[0, 1e-14, 1], [0, 0, 1], [1, 1, 0]],
]


@pytest.mark.parametrize("cost", EXTREME_COSTS)
def test_regions_of_costs_of_very_different_sizes(cost):
    points = np.random.default_rng(0).dirichlet(np.ones(3), size=4000)
    cost = np.array(cost, dtype=float)
    compare_with_decisions(decision_regions(None, cost), least_cost_codes(points, cost), points)


@pytest.mark.parametrize("weights", [[1.0, 1e-13, 1e-13], [1e-300, 1, 2], [1e308, 1.7e308, 0]])
def test_regions_of_weights_of_very_different_sizes(weights):
    points = np.random.default_rng(0).dirichlet(np.ones(3), size=4000)
    weights = np.array(weights)
    codes = (weights / weights.max() * points).argmax(axis=1)
    compare_with_decisions(decision_regions(weights, None), codes, points)


def test_regions_of_many_random_costs():
    rng = np.random.default_rng(1)
    points = rng.dirichlet(np.ones(3), size=500)
    for _ in range(100):
        cost = rng.gamma(0.3, size=(3, 3)).round(1) * (1.0 - np.eye(3))
        if cost.any():
            values = points @ cost
            codes = (values <= values.min(axis=1, keepdims=True) * (1 + 1e-12)).argmax(axis=1)
            compare_with_decisions(decision_regions(None, cost), codes, points)


@pytest.mark.parametrize("cost", [[[0, 1], [4, 0]], [[0, 2], [0, 0]], [[0, 1], [1, 0]]])
def test_regions_of_two_classes(cost):
    s = np.random.default_rng(0).random(2000)
    points = np.column_stack([1.0 - s, s])
    codes = (points @ np.array(cost)).argmin(axis=1)
    regions = decision_regions(None, np.array(cost, dtype=float))
    for k, corners in enumerate(regions):
        own = np.full(s.size, corners is not None)
        if corners is not None:
            own = (s > corners[:, 1].min()) & (s < corners[:, 1].max())
        assert_array_equal(own, codes == k)


def test_regions_cover_the_triangle_once():
    rng = np.random.default_rng(2)
    for _ in range(200):
        cost = rng.gamma(0.5, size=(3, 3)) * (1.0 - np.eye(3))
        area = 0.0
        for corners in decision_regions(None, cost):
            if corners is not None:
                x, y = in_plane(corners).T
                area += 0.5 * (x @ np.roll(y, -1) - y @ np.roll(x, -1))
        assert area == pytest.approx(np.sqrt(0.75) / 2.0)


def test_equal_costs_leave_the_region_to_the_first_class():
    cost = np.array([[0.0, 1.0, 1.0], [1.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
    regions = decision_regions(None, cost)
    assert regions[2] is None
    assert_allclose(np.sort(regions[1], axis=0)[[0, -1]], [[0, 0, 0], [0.5, 1, 1]])


def test_regions_of_equal_weights_meet_in_the_middle():
    for k, corners in enumerate(decision_regions(np.ones(3), None)):
        assert corners[:, k].min() == pytest.approx(1.0 / 3.0)
        assert corners[:, k].max() == 1.0
        assert len(corners) == 4


# what is drawn


def test_triangle():
    y, p = make_posteriors(40)
    display = draw(np.array(list("abc"))[y], p)
    assert len(display.points_) == 3
    for k, points in enumerate(display.points_):
        assert_allclose(points.get_offsets(), p[y == k] @ CORNERS)
    assert display.regions_ == []
    assert [text.get_text() for text in display.ax_.texts] == list("abc")
    texts = [text.get_text() for text in display.legend_.get_texts()]
    assert texts == ["a (40)", "b (40)", "c (40)"]
    assert display.legend_.get_title().get_text() == "true class"
    assert display.ax_.get_title() == "Posteriors of 120 cases"
    looks = {tuple(points.get_facecolor()[0][:3]) for points in display.points_}
    shapes = {len(points.get_paths()[0].vertices) for points in display.points_}
    assert len(looks) == len(shapes) == 3


def test_regions_are_drawn_as_polygons():
    y, p = make_posteriors(10)
    display = draw(y, p, weights=[1, 1, 2])
    wanted = decision_regions(np.array([0.5, 0.5, 1.0]), None)
    for patch, corners in zip(display.regions_, wanted, strict=True):
        assert_allclose(patch.get_xy()[:-1], in_plane(corners))
    labels = [patch.get_label() for patch in display.regions_]
    assert labels == ["called 0", "called 1", "called 2"]
    title = display.legend_.get_title().get_text()
    assert title == "points: true class\nareas: called so"
    assert len(draw(y, p, weights=[0, 1, 1]).regions_) == 2


def test_two_classes_make_a_strip():
    y, p = make_posteriors(50, n_classes=2)
    display = draw(y, p[:, 1], weights=[1, 3])
    for k, points in enumerate(display.points_):
        x, height = np.asarray(points.get_offsets()).T
        assert_array_equal(x, p[y == k, 1])
        assert np.abs(height - k).max() < 0.5
        assert np.unique(height).size == 50
    ends = [np.unique(patch.get_xy()[:, 0]) for patch in display.regions_]
    assert_allclose(ends, [[0.0, 0.25], [0.25, 1.0]])
    assert display.ax_.get_xlabel() == "posterior of 1"
    assert [tick.get_text() for tick in display.ax_.get_yticklabels()] == ["0", "1"]
    both = draw(y, p, weights=[1, 3])
    for one, two in zip(display.points_, both.points_, strict=True):
        assert_allclose(one.get_offsets(), two.get_offsets())


def test_heights_fill_their_row():
    heights = spread_evenly(1000)
    assert heights.min() >= -0.5
    assert heights.max() < 0.5
    assert np.histogram(heights, bins=20)[0].min() >= 48


def test_frame_has_all_cases():
    y, p = make_posteriors(30)
    names = np.array(["x", "y", "z"])
    frame = draw(names[y], p).frame()
    columns = ["case", "posterior x", "posterior y", "posterior z", "true class", "drawn"]
    assert frame.columns.tolist() == columns
    assert_array_equal(frame["true class"], names[y])
    assert_array_equal(frame[columns[1:4]], p)
    assert frame["drawn"].all()
    called = draw(names[y], p, cost_matrix=1.0 - np.eye(3)).frame()["called"]
    assert_array_equal(called, names[p.argmax(axis=1)])


def test_many_cases_are_thinned_always_in_the_same_way():
    y, p = make_posteriors(4000)
    y = np.where(np.arange(y.size) < 11_850, np.minimum(y, 1), 2)  # 150 cases or so of the last
    display = draw(y, p, max_points=3000)
    sizes = np.bincount(y[display.drawn_])
    assert 2990 < sizes.sum() <= 3000
    assert 100 <= sizes[2] < 150
    assert_array_equal(display.drawn_, draw(y, p, max_points=3000).drawn_)
    assert_array_equal(display.frame()["drawn"], display.drawn_)
    offsets = [np.asarray(points.get_offsets()) for points in display.points_]
    assert len(offsets) == 60  # in turns
    for k in range(3):
        own = np.concatenate(offsets[k::3])
        assert_allclose(
            np.sort(own, axis=0), np.sort(in_plane(p[(y == k) & display.drawn_]), axis=0)
        )
    texts = [text.get_text() for text in display.legend_.get_texts()]
    assert texts[2] == f"2 ({sizes[2]} of {np.sum(y == 2)})"
    assert len(texts) == 3
    assert draw(y, p).drawn_.all()
    assert draw(y, p).points_[0].get_rasterized()
    assert not display.points_[0].get_rasterized()


@pytest.mark.parametrize("most", [1, 2, 3, 50])
def test_few_points(most):
    y, p = make_posteriors(100)
    display = draw(y, p, max_points=most)
    assert display.drawn_.sum() <= most
    display.figure_.canvas.draw()


def test_more_classes_need_a_choice():
    y, p = make_posteriors(30, n_classes=5)
    with pytest.raises(
        ValueError, match=r"classes must name two or three of the classes.*got None"
    ):
        draw(y, p)
    display = draw(y, p, classes=[3, 0, 4], weights={0: 1, 3: 2, 4: 1})
    frame = display.frame()
    rows = np.isin(y, [0, 3, 4])
    assert_array_equal(frame["case"], np.flatnonzero(rows))
    assert_array_equal(frame["true class"], y[rows])
    wanted = p[rows][:, [3, 0, 4]] / p[rows][:, [3, 0, 4]].sum(axis=1, keepdims=True)
    assert_allclose(frame[["posterior 3", "posterior 0", "posterior 4"]], wanted)
    assert_array_equal(
        frame["called"], np.array([3, 0, 4])[(wanted * [2, 1, 1]).argmax(axis=1)]
    )
    for k, points in enumerate(display.points_):
        own = y[rows] == [3, 0, 4][k]
        assert_allclose(points.get_offsets(), in_plane(wanted[own]))
    assert len(draw(y, p, classes=[1, 2]).points_) == 2


def test_cases_without_a_place_are_left_out():
    y = [0, 1, 2, 3, 0, 1]
    p = np.array([[0.5, 0.5, 0, 0], [0, 0, 0, 1], [0, 0.2, 0.3, 0.5], *np.eye(4)[[3, 1, 1]]])
    display = draw(y, p, classes=[0, 1, 2])
    assert display.n_left_out == 1
    assert display.frame()["case"].tolist() == [0, 2, 4, 5]
    assert display.ax_.get_title() == "Posteriors of 4 cases, 1 without any left out"
    assert draw(y, p, classes=[1, 3]).n_left_out == 0


def test_choice_among_three_classes_turns_the_triangle():
    y, p = make_posteriors(20)
    turned, plain = draw(y, p, classes=[2, 0, 1]), draw(y, p)
    assert_allclose(turned.posteriors, plain.posteriors[:, [2, 0, 1]])
    assert [text.get_text() for text in turned.ax_.texts] == ["2", "0", "1"]


def test_costs_by_label():
    y, p = make_posteriors(20)
    names = np.array(["x", "y", "z"])
    cost = pd.DataFrame(COSTS[1], index=names, columns=names)
    plain = draw(names[y], p, cost_matrix=COSTS[1]).frame()
    assert plain.equals(draw(names[y], p, cost_matrix=cost.iloc[::-1]).frame())
    weighted = draw(names[y], p, weights=pd.Series([3, 1, 2], index=["z", "y", "x"])).frame()
    assert_array_equal(weighted["called"], names[(p * [2, 1, 3]).argmax(axis=1)])


def test_estimators():
    X, y = load_iris(return_X_y=True)
    names = np.array(["u", "v", "w"])[y]
    cost = {
        ("u", "v"): 1,
        ("u", "w"): 4,
        ("v", "u"): 1,
        ("v", "w"): 1,
        ("w", "u"): 1,
        ("w", "v"): 5,
    }
    model = CostMatrixClassifier(LogisticRegression(max_iter=500), cost).fit(X[:, :2], names)
    display = ProbabilitySimplexDisplay.from_estimator(
        model, X[:, :2], names, cost_matrix=model.cost_matrix_
    )
    assert display.name == "CostMatrixClassifier"
    assert_array_equal(display.frame()["called"], model.predict(X[:, :2]))
    for bad in (RidgeClassifier().fit(X, y), GaussianNB, 3):
        with pytest.raises(TypeError, match="estimator must be a fitted classifier"):
            ProbabilitySimplexDisplay.from_estimator(bad, X, y)
    digits, y = load_digits(return_X_y=True)
    ten = GaussianNB(var_smoothing=1e-2).fit(digits, y)
    shown = ProbabilitySimplexDisplay.from_estimator(
        ten, digits, y, classes=[1, 8, 3], name="ten"
    )
    assert len(shown.codes) + shown.n_left_out == np.isin(y, [1, 3, 8]).sum()
    assert shown.ax_.get_title().startswith("ten: posteriors of 5")


class Predicts:
    """A classifier of four classes that is no estimator of scikit-learn."""

    def __init__(self, is_fitted=True):
        self.n_predictions = 0
        if is_fitted:
            self.classes_ = np.arange(4)

    def fit(self, X, y):
        return self

    def __sklearn_is_fitted__(self):
        return hasattr(self, "classes_")

    def predict_proba(self, X):
        self.n_predictions += 1
        return np.full((len(X), 4), 0.25)


def test_classifiers_of_other_libraries():
    X, y = np.zeros((8, 1)), np.arange(8) % 4
    display = ProbabilitySimplexDisplay.from_estimator(Predicts(), X, y, classes=[0, 1, 3])
    assert repr(display) == ("ProbabilitySimplexDisplay(name='Predicts', 6 cases of 3 classes)")
    with pytest.raises(TypeError, match="estimator must have classes_"):
        ProbabilitySimplexDisplay.from_estimator(Predicts(is_fitted=False), X, y)
    with pytest.raises(NotFittedError):
        ProbabilitySimplexDisplay.from_estimator(GaussianNB(), X, y)
    several = Predicts()
    several.classes_ = [np.arange(2), np.arange(2)]
    with pytest.raises(ValueError, match="classes_ of estimator must be"):
        ProbabilitySimplexDisplay.from_estimator(several, X, y)


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"classes": None}, "classes must name two or three"),
        ({"classes": [0, 7]}, "classes must name two or three"),
        ({"weights": [1, 2]}, r"weights must have shape \(3,\)"),
        ({"weights": {0: 1, 1: 2, 2: 3}}, "weights has labels"),
        ({"cost_matrix": np.ones((3, 3))}, "cost_matrix must have a zero diagonal"),
        ({"cost_matrix": 1.0 - np.eye(4)}, "cost_matrix must have shape"),
        ({"ax": "here"}, "ax must be matplotlib axes"),
        ({"y": np.arange(8)}, "y must hold the classes"),
    ],
)
def test_bad_options_are_refused_before_a_prediction(options, match):
    model = Predicts()
    given = {"y": np.arange(8) % 4, "classes": [0, 1, 3], **options}
    with pytest.raises((TypeError, ValueError), match=match):
        ProbabilitySimplexDisplay.from_estimator(model, np.zeros((8, 1)), **given)
    assert model.n_predictions == 0
    assert not plt.get_fignums()


@pytest.mark.parametrize("n_classes", [2, 3])
def test_lines_are_seen_in_a_dark_theme(n_classes):
    y, p = make_posteriors(10, n_classes=n_classes)
    with plt.style.context("dark_background"):
        display = draw(y, p, weights=np.ones(n_classes))
        colors = [patch.get_edgecolor() for patch in display.regions_]
        if n_classes == 3:
            colors.append(display.outline_.get_color())
            colors.extend(sign.get_edgecolor()[0] for sign in display.corners_)
        assert {to_rgb(color) for color in colors} == {(1.0, 1.0, 1.0)}
    assert to_rgb(draw(y, p, weights=np.ones(n_classes)).regions_[0].get_edgecolor()) == (
        0,
        0,
        0,
    )


def test_axes_may_be_given():
    y, p = make_posteriors(20)
    figure, axes = plt.subplots(1, 2)
    display = draw(y, p, ax=axes[1])
    assert display.ax_ is axes[1]
    assert display.figure_ is figure
    again = display.plot()
    assert again is display
    assert display.ax_ is not axes[1]
    space = plt.figure().add_subplot(projection="3d")
    for bad, error in ((space, ValueError), (3, TypeError)):
        with pytest.raises(error, match="ax must be"):
            draw(y, p, ax=bad)


def test_hostile_labels_stay_text():
    y, p = make_posteriors(10)
    labels = ["$x_", "<script>" * 9, "_b\n\t"]
    display = draw(np.array(labels)[y], p, labels=labels, weights=[1, 1, 1], name="$\\frac{")
    display.figure_.canvas.draw()
    assert display.ax_.texts[0].get_text() == r"\$x_"
    assert len(display.legend_.get_texts()) == 3
    assert max(len(text.get_text()) for text in display.legend_.get_texts()) < 40
    two = draw(np.array(labels)[:2][y % 2], p[:, :1], labels=labels[:2])
    two.figure_.canvas.draw()
    assert two.frame().columns[1] == "posterior $x_"


def test_repr():
    y, p = make_posteriors(400)
    assert repr(draw(y, p)) == "ProbabilitySimplexDisplay(1,200 cases of 3 classes)"
    display = draw(y, p, name="model", cost_matrix=COSTS[0])
    assert repr(display) == (
        "ProbabilitySimplexDisplay(name='model', 1,200 cases of 3 classes, cost_matrix)"
    )


def test_inputs_stay_as_they_are():
    y, p = make_posteriors(20)
    weights, before = np.array([2.0, 1.0, 4.0]), p.copy()
    display = draw(y, p, weights=weights)
    display.frame()
    assert_array_equal(p, before)
    assert weights.tolist() == [2.0, 1.0, 4.0]
    assert display.posteriors is not p
    single = draw(y, p.astype(np.float32))
    assert_allclose(single.posteriors, p, atol=1e-7)


def test_a_class_without_cases_has_a_corner():
    y, p = make_posteriors(20)
    display = draw(y[y < 2], p[y < 2], labels=[0, 1, 2])
    assert len(display.points_[2].get_offsets()) == 0
    assert len(display.corners_) == 3
    assert display.legend_.get_texts()[2].get_text() == "2 (0)"


# bad input


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"weights": [1, 1, 1], "cost_matrix": COSTS[0]}, "one of them must be None"),
        ({"weights": [1, 1]}, r"weights must have shape \(3,\)"),
        ({"weights": [1, 1, -1]}, "weights must not be negative"),
        ({"weights": [0, 0, 0]}, "at least one positive"),
        ({"weights": {0: 1, 1: 1}}, "weights has labels, and must name the classes"),
        ({"weights": {0: 1, 1: 1, 7: 1}}, "weights has labels, and must name the classes"),
        ({"cost_matrix": [[0, 1], [1, 0]]}, r"cost_matrix must have shape \(3, 3\)"),
        ({"cost_matrix": np.zeros((3, 3))}, "cost_matrix must have a positive entry"),
        ({"cost_matrix": np.ones((3, 3))}, "cost_matrix must have a zero diagonal"),
        ({"classes": [0, 5]}, "classes must name two or three of the classes"),
        ({"classes": [0]}, "classes must name at least two classes"),
        ({"classes": [0, 1, 1]}, "classes must not repeat a class"),
        ({"classes": [0, 1, 2, 3]}, "classes must name two or three of the classes"),
        ({"max_points": 0}, "max_points must be an integer of at least 1"),
        ({"name": 3}, "name must be a string or None"),
        ({"labels": [0, 1]}, "labels= does not name"),
    ],
)
def test_bad_options(options, match):
    y, p = make_posteriors(10)
    with pytest.raises((TypeError, ValueError), match=match):
        draw(y, p, **options)
    assert not plt.get_fignums()


def test_bad_data():
    y, p = make_posteriors(10)
    with pytest.raises(ValueError, match="rows that sum to 1 to lie in the simplex"):
        draw(y, 2.0 * p)
    with pytest.raises(ValueError, match="must not be negative to lie in the simplex"):
        draw(y, p - [[1.0, -1.0, 0.0]])
    with pytest.raises(ValueError, match="between 0 and 1"):
        draw(y % 2, 3.0 * p[:, 0])
    with pytest.raises(ValueError, match="has 3 columns, y_true 2 classes"):
        draw(np.minimum(y, 1), p)
    assert not plt.get_fignums()


@pytest.mark.parametrize(
    ("arguments", "options", "match"),
    [
        (([0.5, 0.5], [0, 1]), {}, "posteriors must have shape"),
        ((np.eye(4), range(4)), {}, "posteriors must have shape"),
        ((np.eye(3), [0, 1]), {}, r"codes must have shape \(3,\)"),
        ((np.eye(3), [0, 1, 3]), {}, "codes must be whole numbers below 3"),
        ((np.eye(3), [0, 1, 0.5]), {}, "codes must be whole numbers below 3"),
        ((np.eye(3), [0, 1, 2]), {"classes": ["a", "b"]}, "classes must name the 3 classes"),
        ((2 * np.eye(3), [0, 1, 2]), {}, "with rows that sum to 1; got .* sums of 2 to 2"),
        ((np.eye(3), [0, 1, 1e300]), {}, "codes must be whole numbers below 3"),
        ((np.eye(3), [0, 1, 2]), {"cases": [1]}, r"cases must have shape \(3,\)"),
        ((np.eye(3), [0, 1, 2]), {"cases": [[1], [2, 3], 4]}, "cases must be a numeric array"),
        ((np.eye(3), [0, 1, 2]), {"cases": ["a", "b", "c"]}, "cases must hold numbers"),
        ((np.eye(3), [0, 1, 2]), {"cases": [0, 1, np.nan]}, "cases must be finite"),
        ((np.eye(3), [0, 1, 2]), {"cases": [0, 1, object()]}, "cases must be a numeric array"),
        ((np.eye(3), [0, 1, 2]), {"cases": [0, 1, -2]}, "cases must be whole numbers"),
        ((np.eye(3), [0, 1, 2]), {"cases": [0, 1, 2.5]}, "cases must be whole numbers"),
        *(
            ((np.eye(3), [0, 1, 2]), {"n_left_out": number}, "n_left_out must be an integer")
            for number in ("x", [1], -3, np.nan, 1.5, True, None)
        ),
        (([[1, 0], [1]], [0, 1]), {}, "posteriors must be a numeric array"),
    ],
)
def test_constructor_data_are_checked_when_they_are_drawn(arguments, options, match):
    display = ProbabilitySimplexDisplay(*arguments, **options)
    assert repr(display).startswith("ProbabilitySimplexDisplay(")
    for use in (display.plot, display.frame):
        with pytest.raises(ValueError, match=match):
            use()
    assert not plt.get_fignums()


def test_constructor_alone():
    display = ProbabilitySimplexDisplay(np.eye(3), [0, 1, 2], weights=[1, 1, 1])
    assert display.frame()["called"].tolist() == [0, 1, 2]
    assert len(display.plot().regions_) == 3
