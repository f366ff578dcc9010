"""VUSSurfaceDisplay: a mesh of operating points, the volume below it, and what is drawn."""

import matplotlib as mpl

mpl.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_rgb
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_iris
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.linear_model import LinearRegression, LogisticRegression, RidgeClassifier
from sklearn.metrics import roc_auc_score

from skvus import operating_points, operating_rates, score_inference, simplified_vus_score
from skvus.plotting import VUSSurfaceDisplay
from skvus.plotting._surface_geometry import four_corners, volume_below


@pytest.fixture(autouse=True)
def no_figure_is_left():
    yield
    plt.close("all")


def make_scores(n_per_class, distance, *, n_classes=3, seed=0, form="smooth"):
    """Posteriors of Gaussians through a softmax; negative distances are worse than random."""
    rng = np.random.default_rng(seed)
    y = np.repeat(np.arange(n_classes), n_per_class)
    z = rng.normal(size=(y.size, n_classes)) + distance * np.eye(n_classes)[y]
    p = np.exp(z)
    p /= p.sum(axis=1, keepdims=True)
    if form == "rounded":
        p = np.round(p, 1)  # with zeros, and rows of many equal cases
        p[p.sum(axis=1) == 0.0] = 1.0
    elif form == "constant":
        p[:] = np.arange(1.0, n_classes + 1.0)
    elif form == "steep":
        p = np.exp(20.0 * z - (20.0 * z).max(axis=1, keepdims=True))
    order = rng.permutation(y.size)
    return y[order], p[order]


def draw(y, p, **options):
    return VUSSurfaceDisplay.from_predictions(y, p, **options)


def sphere(n):
    """An eighth of the unit sphere, in the order of the lines of a mesh."""
    angle, height = np.meshgrid(*[np.linspace(0.0, np.pi / 2, n)] * 2, indexing="ij")
    flat = np.cos(height)
    return np.stack([np.cos(angle) * flat, np.sin(angle) * flat, np.sin(height)], axis=-1)


# the volume below the mesh


def test_volume_below_known_surfaces():
    plane = np.stack([sphere(9)[..., k] for k in range(3)], axis=-1) ** 2  # sums to one
    assert volume_below(plane) == pytest.approx(1.0 / 6.0)
    assert volume_below(sphere(100)) == pytest.approx(np.pi / 6.0, rel=2e-4)
    cube = np.array([[[1, 0, 0], [1, 0, 1], [0, 0, 1]], [[1, 1, 0], [1, 1, 1], [0, 0, 1]]])
    cube = np.concatenate([cube, [[[0, 1, 0], [0, 1, 1], [0, 0, 1]]]]).astype(float)
    assert volume_below(cube) == pytest.approx(1.0)
    assert volume_below(np.array([[0.0, 1.0], [0.5, 1.0], [1.0, 0.0]])) == pytest.approx(0.75)


@pytest.mark.parametrize("distance", [3.0, 1.0, 0.0, -0.7])
@pytest.mark.parametrize("form", ["smooth", "rounded", "steep"])
def test_volume_below_is_the_score_with_shared_ties(form, distance):
    y, p = make_scores(100, distance, form=form, seed=1)
    score = simplified_vus_score(y, p, ties="share")
    errors = [draw(y, p, n_steps=n).volume_below - score for n in (40, 160)]
    assert abs(errors[0]) < 3e-3
    assert abs(errors[1]) < 1e-3


@pytest.mark.parametrize("form", ["smooth", "rounded"])
@pytest.mark.parametrize("seed", range(4))
def test_volume_below_of_few_cases(seed, form):
    y, p = make_scores(6, 1.0, form=form, seed=seed)
    display = draw(y, p, n_steps=200)
    assert display.volume_below == pytest.approx(simplified_vus_score(y, p), abs=6e-3)


def test_volume_below_a_few_heavy_cases():
    """Tied and crossing borders of cases that are a class by themselves."""
    p = [[3, 1, 0], [1, 1, 3], [0, 1, 2], [1, 1, 2]]
    y, weight = [0, 1, 2, 0], [6, 1, 1, 1]
    with pytest.warns(UndefinedMetricWarning, match="only one case"):
        display = draw(y, p, sample_weight=weight)
    assert simplified_vus_score(y, p, sample_weight=weight) == 0.0
    assert display.volume_below == pytest.approx(0.0, abs=1e-9)
    for seed in range(5):
        y, p = make_scores(8, 1.0, form="steep", seed=seed)
        weight = np.random.default_rng(seed).gamma(0.1, size=y.size)
        score = simplified_vus_score(y, p, sample_weight=weight)
        error = draw(y, p, n_steps=300, sample_weight=weight).volume_below - score
        assert abs(error) < 5e-3


def test_volume_below_a_constant_classifier_is_that_of_the_random_simplex():
    y, p = make_scores(10, 0.0, form="constant")
    display = draw(y, p)
    assert display.volume_below == pytest.approx(1.0 / 6.0)
    assert_allclose(np.unique(display.true_rates.reshape(-1, 3), axis=0), np.eye(3)[::-1])


def test_volume_with_weights_is_that_of_repeated_cases():
    y, p = make_scores(30, 1.0)
    times = np.random.default_rng(0).integers(0, 4, size=y.size)
    weighted = draw(y, p, sample_weight=times)
    repeated = draw(np.repeat(y, times), np.repeat(p, times, axis=0))
    assert weighted.volume.score == pytest.approx(repeated.volume.score)
    assert weighted.volume_below == pytest.approx(weighted.volume.score, abs=3e-3)
    assert weighted.volume_below != draw(y, p).volume_below


@pytest.mark.parametrize("ties", [False, True])
def test_area_below_the_curve_is_the_auc(ties):
    y, p = make_scores(40, 1.0, n_classes=2)
    p = p.round(1) if ties else p
    assert draw(y, p).volume_below == pytest.approx(roc_auc_score(y, p[:, 1]))
    assert draw(y, 5.0 * p[:, 1] - 3.0).volume_below == pytest.approx(roc_auc_score(y, p[:, 1]))
    unnormalised = p * [[1.0, 7.0]]
    assert draw(y, unnormalised).volume_below == pytest.approx(
        simplified_vus_score(y, unnormalised)
    )


def test_area_below_a_long_curve():
    y, p = make_scores(20_000, 1.0, n_classes=2)
    display = draw(y, p)
    assert len(display.true_rates) <= 2000
    assert display.volume_below == pytest.approx(roc_auc_score(y, p[:, 1]), abs=1e-5)


# the points of the mesh


@pytest.mark.parametrize("form", ["smooth", "steep", "constant"])
def test_points_are_operating_points_of_their_weights(form):
    y, p = make_scores(50, 1.0, form=form, seed=3)
    display = draw(y, p, n_steps=15)
    assert display.true_rates.shape == display.weights.shape == (16, 16, 3)
    rates = operating_rates(y, p, display.weights.reshape(-1, 3))
    wanted = np.diagonal(rates, axis1=1, axis2=2)
    assert_array_equal(display.true_rates.reshape(-1, 3), wanted)
    assert_array_equal(display.equal_weights, np.diagonal(operating_rates(y, p, [1, 1, 1])))


@pytest.mark.parametrize("columns", ["one", "two", "unnormalised"])
def test_points_of_a_curve_are_operating_points_of_their_weights(columns):
    y, p = make_scores(50, 1.0, n_classes=2, seed=3)
    p = {"one": p[:, 1], "two": p, "unnormalised": p * np.array([3.0, 0.2])}[columns]
    display = draw(y, p)
    rates = operating_rates(y, p, display.weights)
    assert_array_equal(display.true_rates, np.diagonal(rates, axis1=1, axis2=2))
    assert_array_equal(display.equal_weights, np.diagonal(operating_rates(y, p, [1, 1])))


def test_ties_at_equal_weights_go_to_the_first_class():
    y, s = [0, 0, 1, 1], [0.5, 0.2, 0.5, 0.9]
    assert draw(y, s).equal_weights.tolist() == [1.0, 0.5]
    y, p = [0, 1, 2, 2], [[1, 1, 1], [1, 1, 1], [1, 1, 1], [0, 0, 1]]
    assert draw(2 * y, 2 * p).equal_weights.tolist() == [1.0, 0.0, 0.5]


def test_real_scores_of_two_classes_have_no_weights():
    y, p = make_scores(20, 1.0, n_classes=2)
    display = draw(y, np.log(p[:, 1]))
    assert display.weights is None
    assert display.equal_ is None
    assert_array_equal(display.true_rates, draw(y, p[:, 1]).true_rates)
    assert "weight 0" not in display.frame()


def test_lines_rise_to_the_top_between_the_curves_of_two_classes():
    y, p = make_scores(80, 1.0)
    rates = draw(y, p).true_rates
    assert (np.diff(rates[:, :, :2], axis=1) <= 0.0).all()
    assert (np.diff(rates[:, :, 2], axis=1) >= 0.0).all()
    assert_array_equal(rates[:, -1], np.broadcast_to([0.0, 0.0, 1.0], (41, 3)))
    assert not rates[:, 0, 2].any()
    assert not rates[0, :, 1].any()
    assert not rates[-1, :, 0].any()
    for line, pair in ((rates[:, 0], [0, 1]), (rates[0], [0, 2]), (rates[-1], [1, 2])):
        own = np.isin(y, pair)
        curve = draw(y[own], p[own][:, pair]).true_rates
        assert {tuple(point) for point in line[:, pair]} <= {tuple(point) for point in curve}


def test_neighbours_are_near_and_no_weighting_is_far():
    y, p = make_scores(2000, 1.0)
    rates = draw(y, p).true_rates
    steps = (
        np.abs(np.diff(rates, axis=1)).sum(axis=2),
        np.abs(np.diff(rates, axis=0)).sum(axis=2),
    )
    assert max(step.max() for step in steps) < 0.12
    weights = np.exp(np.random.default_rng(0).normal(scale=2.0, size=(500, 3)))
    others = np.diagonal(operating_rates(y, p, weights), axis1=1, axis2=2)
    points = rates.reshape(-1, 1, 3)
    assert np.linalg.norm(points - others, axis=2).min(axis=0).max() < 0.05


@pytest.mark.parametrize("seed", range(3))
def test_triples_that_some_weighting_gets_right(seed):
    """The slow twin: a triple is below the staircase if one weighting calls all three right."""
    y, p = make_scores(6, 0.7, seed=seed)
    display = draw(y, p, n_steps=150)
    called = (display.weights.reshape(-1, 1, 3) * p).argmax(axis=2)
    right = np.unique(np.column_stack([called[:, y == k] == k for k in range(3)]), axis=0)
    first, second, third = (right[:, 6 * k : 6 * k + 6] for k in range(3))
    together = np.einsum("mi,mj,mk->ijk", first, second, third, optimize=True) > 0
    score = simplified_vus_score(y, p)  # of all weightings, where the mesh has some of them
    assert score - 0.03 < together.mean() <= score + 1e-12
    listed = np.diagonal(operating_points(y, p).rates, axis1=1, axis2=2)
    known = {tuple(row) for row in listed.round(9)}
    inner = display.weights.min(axis=2) > 0.0  # those with zeros are limits
    assert {tuple(row) for row in display.true_rates[inner].round(9)} <= known


def test_zeros_are_like_tiny_numbers():
    y, p = make_scores(40, 1.0, form="rounded", seed=2)
    assert (p == 0.0).any()
    tiny = np.where(p == 0.0, 1e-12, p)
    assert draw(y, p).volume_below == pytest.approx(draw(y, tiny).volume_below, abs=2e-3)
    corners = draw(y, p).true_rates[[0, -1, 0], [0, 0, -1]]
    assert_array_equal(corners, np.eye(3))
    nothing = draw([0, 1, 2] * 2, np.zeros((6, 3)))
    assert nothing.volume_below == pytest.approx(1.0 / 6.0)


def test_single_precision_order_and_memory_do_not_matter():
    y, p = make_scores(60, 1.0)
    p = p.astype(np.float32)
    before = p.copy()
    display = draw(y, p)
    assert_array_equal(p, before)
    for same in (p.astype(float), np.asfortranarray(p)):
        assert_array_equal(draw(y, same).true_rates, display.true_rates)
    scaled = draw(y, p * np.float32(0.25))
    assert_allclose(scaled.true_rates, display.true_rates)


def test_many_cases_take_few_points():
    y, p = make_scores(40_000, 1.0)
    display = draw(y, p, n_tuples=50_000)
    assert display.true_rates.shape == (41, 41, 3)
    assert display.volume.n_tuples == pytest.approx(50_000, rel=0.01)
    error = 4.0 * display.volume.sampling_error + 2e-3
    assert display.volume_below == pytest.approx(display.volume.score, abs=error)


# what is drawn


def test_three_classes_are_drawn_in_space():
    y, p = make_scores(50, 1.0)
    display = draw(np.array(list("abc"))[y], p, name="model")
    assert display.ax_.name == "3d"
    assert display.figure_ is display.ax_.figure
    labels = [getattr(display.ax_, f"get_{axis}label")() for axis in "xyz"]
    assert labels == ["true rate of a", "true rate of b", "true rate of c"]
    corners = four_corners(display.true_rates)
    assert 800 < len(corners) <= 40**2
    assert len(display.surface_.get_facecolor()) == len(corners)
    texts = [text.get_text() for text in display.legend_.get_texts()]
    assert texts == ["equal weights", "random allocation"]
    assert display.colorbar_.ax.get_ylabel() == "mean of the true rates"
    assert_allclose(np.ravel(display.equal_._offsets3d), display.equal_weights)


def test_the_plane_of_random_allocation_is_in_front_of_what_is_worse():
    for distance, is_behind in ((1.0, True), (-0.7, False)):
        display = draw(*make_scores(50, distance))
        assert (display.plane_.zorder < display.surface_.zorder) is is_behind


def test_two_classes_are_drawn_in_the_plane():
    y, p = make_scores(30, 1.0, n_classes=2)
    display = draw(y, p)
    assert display.ax_.name == "rectilinear"
    assert_array_equal(display.surface_.get_xydata(), display.true_rates)
    assert_array_equal(display.true_rates[[0, -1]], [[0.0, 1.0], [1.0, 0.0]])
    assert_array_equal(display.random_.get_xydata().sum(axis=1), [1.0, 1.0])
    assert len(display.legend_.get_texts()) == 3


def test_title_has_the_volume_with_its_interval():
    y, p = make_scores(100, 1.0)
    display = draw(y, p, name="model", confidence_level=0.9)
    result = score_inference(y, p, score="simplified_vus")
    low, high = result.confidence_interval(0.9)
    title = f"model\nsimplified VUS {result.score:.3f} (90% interval {low:.3f} to {high:.3f})"
    assert display.ax_.get_title() == title
    assert repr(display) == (
        "VUSSurfaceDisplay(name='model', 41 x 41 operating points of 3 classes, "
        f"simplified VUS {result.score:.3f}, 90% interval {low:.3f} to {high:.3f})"
    )
    y, p = make_scores(100, 1.0, n_classes=2)
    assert draw(y, p).ax_.get_title().startswith("AUC 0.")


def test_frame_has_what_is_drawn():
    y, p = make_scores(50, 1.0)
    display = draw(np.array(list("abc"))[y], p, n_steps=10)
    frame = display.frame()
    assert frame.shape == (121, 9)
    assert_array_equal(
        frame[[f"true rate {c}" for c in "abc"]], display.true_rates.reshape(-1, 3)
    )
    assert_array_equal(frame[[f"weight {c}" for c in "abc"]], display.weights.reshape(-1, 3))
    assert_array_equal(frame["line"], np.repeat(np.arange(11), 11))
    assert_allclose(frame["mean true rate"], display.true_rates.mean(axis=2).ravel())
    y, p = make_scores(50, 1.0, n_classes=2)
    columns = ["weight 0", "weight 1", "true rate 0", "true rate 1", "mean true rate"]
    assert draw(y, p).frame().columns.tolist() == columns


def test_axes_may_be_given():
    y, p = make_scores(20, 1.0)
    figure, ax = plt.subplots(subplot_kw={"projection": "3d"})
    display = draw(y, p, ax=ax)
    assert display.ax_ is ax
    assert display.figure_ is figure
    assert len(plt.get_fignums()) == 1
    again = display.plot()
    assert again is display
    assert display.ax_ is not ax
    with pytest.raises(ValueError, match="'projection': '3d'"):
        draw(y, p, ax=plt.subplots()[1])
    two, q = make_scores(20, 1.0, n_classes=2)
    with pytest.raises(ValueError, match="must be flat"):
        draw(two, q, ax=ax)
    with pytest.raises(TypeError, match="ax must be matplotlib axes or None"):
        draw(y, p, ax="here")


def test_hostile_labels_stay_text():
    y, p = make_scores(10, 1.0)
    labels = ["$x_", "<script>" * 9, "_b\n\t"]
    display = draw(np.array(labels)[y], p, labels=labels, name="$\\frac{")
    display.figure_.canvas.draw()
    assert display.ax_.get_xlabel() == r"true rate of \$x_"
    assert len(display.ax_.get_ylabel()) < 40
    assert display.frame().columns[2] == "weight $x_"


def test_estimators():
    X, y = load_iris(return_X_y=True)
    names = np.array(["u", "v", "w"])[y]
    model = LogisticRegression(max_iter=500).fit(X[::2, :2], names[::2])
    display = VUSSurfaceDisplay.from_estimator(model, X[1::2, :2], names[1::2])
    same = draw(names[1::2], model.predict_proba(X[1::2, :2]))
    assert_array_equal(display.true_rates, same.true_rates)
    assert display.name == "LogisticRegression"
    assert display.classes.tolist() == ["u", "v", "w"]
    for bad in (RidgeClassifier().fit(X, y), LogisticRegression, LinearRegression(), None):
        with pytest.raises(TypeError, match="estimator must be a fitted classifier"):
            VUSSurfaceDisplay.from_estimator(bad, X, y)
    with pytest.raises(ValueError, match="y must hold the classes"):
        VUSSurfaceDisplay.from_estimator(model, X, np.array(["u", "x", "w"])[y])
    assert plt.get_fignums() == [1, 2]


class Predicts:
    """A classifier that is no estimator of scikit-learn."""

    def __init__(self, n_classes):
        self.classes_ = np.arange(n_classes)
        self.n_predictions = 0

    def fit(self, X, y):
        return self

    def __sklearn_is_fitted__(self):
        return True

    def predict_proba(self, X):
        self.n_predictions += 1
        return np.asarray(X)


def test_classifiers_of_other_libraries():
    y, p = make_scores(10, 1.0)
    display = VUSSurfaceDisplay.from_estimator(Predicts(3), p, y, n_steps=5)
    assert_array_equal(display.true_rates, draw(y, p, n_steps=5).true_rates)


@pytest.mark.parametrize(
    ("n_classes", "options", "match"),
    [
        (4, {}, "got 4 classes"),
        (3, {"ax": "here"}, "ax must be matplotlib axes or None"),
        (3, {"random_state": "seed"}, "random_state must be"),
        (3, {"sample_weight": "many"}, "sample_weight must be a numeric array"),
        (3, {"sample_weight": [1.0]}, "sample_weight must have shape"),
        (3, {"y": [0, 1] * 15}, "y_true has no case"),
        (2, {"y": [0, 1, 2] * 10}, "y must hold the classes"),
    ],
)
def test_bad_options_are_refused_before_a_prediction(n_classes, options, match):
    y, p = make_scores(10, 1.0, n_classes=n_classes)
    model = Predicts(n_classes)
    with pytest.raises((TypeError, ValueError), match=match):
        VUSSurfaceDisplay.from_estimator(model, p, **{"y": y, **options})
    assert model.n_predictions == 0
    assert not plt.get_fignums()


def test_axes_are_looked_at_before_a_prediction():
    for n_classes in (2, 3):
        y, p = make_scores(10, 1.0, n_classes=n_classes)
        ax = plt.figure().add_subplot(projection="3d" if n_classes == 2 else None)
        model = Predicts(n_classes)
        with pytest.raises(ValueError, match="ax must be"):
            VUSSurfaceDisplay.from_estimator(model, p, y, ax=ax)
        assert model.n_predictions == 0


def test_random_state_is_looked_at_before_the_mesh(monkeypatch):
    monkeypatch.setattr("skvus.plotting._vus_surface.make_surface", None)
    with pytest.raises(ValueError, match="random_state must be"):
        draw(*make_scores(10, 1.0), random_state="seed")


def test_a_shared_random_state_is_not_drawn_from_for_a_check():
    y, p = make_scores(10, 1.0)
    shared = np.random.RandomState(0)
    with pytest.raises(ValueError, match="n_jobs must be"):
        draw(y, p, random_state=shared, n_jobs=0)
    assert shared.randint(10**6) == np.random.RandomState(0).randint(10**6)


def test_lines_are_seen_in_a_dark_theme():
    with plt.style.context("dark_background"):
        display = draw(*make_scores(10, 1.0))
        two = draw(*make_scores(10, 1.0, n_classes=2))
        assert to_rgb(display.random_.get_color()) == (1.0, 1.0, 1.0)
        for shown in (display, two):
            assert to_rgb(shown.equal_.get_facecolor()[0]) == (1.0, 1.0, 1.0)
            assert to_rgb(shown.equal_.get_edgecolor()[0]) == (0.0, 0.0, 0.0)
    assert to_rgb(draw(*make_scores(10, 1.0)).random_.get_color()) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("level", "text"),
    [
        (0.95, "95%"),
        (0.9, "90%"),
        (0.57, "57%"),
        (0.999, "99.9%"),
        (0.9999999999, "99.99999999%"),
        (np.nextafter(1.0, 0.0), "99.99999999999999%"),
        (1e-9, "1e-7%"),
    ],
)
def test_levels_keep_their_digits(level, text):
    display = draw(*make_scores(10, 1.0), confidence_level=level, n_steps=3)
    assert f"({text} interval" in display.ax_.get_title()
    assert f", {text} interval" in repr(display)


def test_labels_give_the_order_of_the_columns():
    y, p = make_scores(30, 1.0)
    display = draw(y, p[:, [2, 0, 1]], labels=[2, 0, 1])
    assert display.ax_.get_xlabel() == "true rate of 2"
    assert display.volume.score == pytest.approx(draw(y, p).volume.score)
    assert_array_equal(display.equal_weights, draw(y, p).equal_weights[[2, 0, 1]])


# bad input


def test_more_classes_are_refused_with_advice():
    y, p = make_scores(10, 1.0, n_classes=4)
    with pytest.raises(
        ValueError, match=r"got 4 classes. .*simplified_vus_score.*ROCFrontDisplay"
    ):
        draw(y, p)


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"n_steps": 1}, "n_steps must be an integer of at least 2"),
        ({"n_steps": 501}, "n_steps must be at most 500"),
        ({"n_steps": 4.0}, "n_steps must be an integer"),
        ({"confidence_level": 95}, "confidence_level must lie between 0 and 1"),
        ({"name": 3}, "name must be a string or None"),
        ({"n_tuples": 1}, "n_tuples must be an integer of at least 2"),
        ({"n_jobs": 0}, "n_jobs must be None or an integer other than 0"),
        ({"labels": [0, 1]}, "labels= does not name"),
        ({"labels": [0, 1, 2, 3]}, "y_score must have one column for each of the 4 classes"),
        ({"sample_weight": [1.0]}, "sample_weight must have shape"),
        ({"random_state": "seed"}, "random_state must be"),
    ],
)
def test_bad_options(options, match):
    y, p = make_scores(10, 1.0)
    with pytest.raises((TypeError, ValueError), match=match):
        draw(y, p, **options)
    assert not plt.get_fignums()


def test_bad_data():
    y, p = make_scores(10, 1.0)
    with pytest.raises(ValueError, match="y_score must not be negative"):
        draw(y, p - 0.5)
    with pytest.raises(ValueError, match=r"y_true has no case .*\[2\]"):
        draw(y, p, sample_weight=(y != 2).astype(float))
    with pytest.raises(ValueError, match="has 3 columns, y_true 2 classes"):
        draw(np.where(y == 2, 1, y), p)
    with pytest.raises(ValueError, match="must be finite"):
        draw(y, np.where(y[:, np.newaxis] == 1, np.nan, p))
    assert not plt.get_fignums()


@pytest.mark.parametrize(
    ("arguments", "match"),
    [
        (([[0.0, 1.0, 0.0]],), "true_rates must have shape"),
        (([[0.0, 1.0]],), "at least two points"),
        (([[0.0, 1.5], [1.0, 0.0]],), "true_rates must be between 0 and 1"),
        (("text",), "true_rates must be a numeric array"),
        (([[0.0, 1.0], [1.0]],), "true_rates must be a numeric array"),
        ((None,), "true_rates must be a numeric array"),
    ],
)
def test_constructor_data_are_checked_when_they_are_drawn(arguments, match):
    display = VUSSurfaceDisplay(*arguments)
    assert repr(display).startswith("VUSSurfaceDisplay(")
    for use in (display.plot, display.frame):
        with pytest.raises(ValueError, match=match):
            use()


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"equal_weights": [1.0, 0.5]}, r"equal_weights must have shape \(3,\)"),
        ({"equal_weights": [1.0, 0.5, np.nan]}, "equal_weights must be finite"),
        ({"equal_weights": [1.0, 0.5, 1.5]}, "equal_weights must be between 0 and 1"),
        ({"equal_weights": "abc"}, "equal_weights must be a numeric array"),
        ({"weights": [1.0, 1.0, 1.0]}, r"weights must have shape \(5, 5, 3\)"),
        ({"weights": np.full((5, 5, 3), np.nan)}, "weights must be finite"),
        ({"weights": -np.ones((5, 5, 3))}, "weights must not be negative"),
        ({"weights": np.zeros((5, 5, 3))}, "at least one of each point positive"),
        ({"weights": "text"}, "weights must be a numeric array"),
        ({"volume": 0.5}, "volume must be an InferenceResult"),
        ({"confidence_level": 95}, "confidence_level must lie between 0 and 1"),
        ({"confidence_level": "high"}, "confidence_level must be a finite number"),
        ({"classes": [0, 1]}, "classes must name the 3 classes"),
        ({"name": 3}, "name must be a string or None"),
    ],
)
def test_constructor_options_are_checked_when_they_are_drawn(options, match):
    display = VUSSurfaceDisplay(sphere(5), **options)
    assert repr(display).startswith("VUSSurfaceDisplay(")
    for use in (display.plot, display.frame):
        with pytest.raises((TypeError, ValueError), match=match):
            use()
    assert not plt.get_fignums()


def test_a_level_that_is_none_is_no_reason_to_hide():
    display = draw(*make_scores(10, 1.0), n_steps=3)
    display.confidence_level = 95
    assert repr(display).startswith("VUSSurfaceDisplay(array(")


def test_constructor_alone():
    display = VUSSurfaceDisplay(sphere(12))
    assert display.plot().ax_.get_title() == "True rates of 3 classes"
    assert display.ax_.get_zlabel() == "true rate of 2"
    assert display.equal_ is None
    assert repr(display) == "VUSSurfaceDisplay(12 x 12 operating points of 3 classes)"
    with pytest.raises(ValueError, match="classes must name the 3 classes"):
        VUSSurfaceDisplay(sphere(5), classes=["a", "b"]).plot()


def test_one_case_in_a_class_has_a_wide_interval():
    y, p = make_scores(10, 1.0)
    kept = np.append(np.flatnonzero(y == 0)[:1], np.flatnonzero(y > 0))
    with pytest.warns(UndefinedMetricWarning, match="only one case"):
        display = draw(y[kept], p[kept])
    low, high = display.volume.confidence_interval()
    assert high - low > 0.3
