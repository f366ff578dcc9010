"""ROCFrontDisplay: where fronts come from, names, bad input, what is easily overlooked."""

import builtins
import pickle

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from front_pictures import (
    HOSTILE,
    ONE,
    drawn_front,
    group_sizes,
    legend_texts,
)
from matplotlib.colors import to_rgba
from search_cases import quick
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.naive_bayes import GaussianNB

from skvus import ROCFront, WithinLimits
from skvus.plotting import ROCFrontDisplay
from skvus.plotting._style import as_text, as_texts


@pytest.fixture(autouse=True)
def no_figure_is_left():
    yield
    plt.close("all")


@pytest.fixture(scope="module", params=range(2, 7))
def front(request):
    return drawn_front(request.param)


@pytest.fixture(scope="module")
def three():
    return drawn_front(3, labels=["cat", "dog", "owl"])


# --- from an estimator, from predictions --------------------------------------------


@pytest.fixture(scope="module")
def search(iris):
    return quick(random_state=0).fit(*iris)


def test_a_search_shows_its_front_and_its_choice(search):
    search = clone(search).set_params(random_state=1).fit(*_iris())
    search.set_operating_point("knee")
    display = ROCFrontDisplay.from_estimator(search)
    assert display.front is search.front_
    assert display.name == "ParetoROCSearch"
    frame = display.frame()
    assert np.flatnonzero(frame["chosen"]).tolist() == [search.best_index_]
    other = ROCFrontDisplay.from_estimator(search, chosen=0, name="mine", kind="parallel")
    assert np.flatnonzero(other.frame()["chosen"]).tolist() == [0]
    assert other.ax_.get_title().startswith("mine: ")


def _iris():
    from sklearn.datasets import load_iris

    X, y = load_iris(return_X_y=True)
    return X[:, :2], y


def test_a_search_with_data_shows_the_front_of_its_posteriors(search, iris):
    X, y = iris
    display = ROCFrontDisplay.from_estimator(search, X, y, n_costs=50, random_state=0)
    expected = ROCFront.from_estimator(search, X, y, n_costs=50, random_state=0)
    np.testing.assert_array_equal(display.front.rates, expected.rates)


def test_any_classifier_with_data(iris):
    X, y = iris
    names = np.array(["setosa", "versicolor", "virginica"])
    model = GaussianNB().fit(X, names[y])
    weight = np.linspace(1.0, 2.0, len(y))
    options = {"n_costs": 60, "random_state": 3, "sample_weight": weight}
    display = ROCFrontDisplay.from_estimator(model, X, names[y], **options)
    expected = ROCFront.from_estimator(model, X, names[y], **options)
    np.testing.assert_array_equal(display.front.rates, expected.rates)
    assert display.name == "GaussianNB"
    assert display.ax_.get_xlabel() == "miss rate of setosa"
    by_hand = ROCFrontDisplay.from_predictions(names[y], model.predict_proba(X), **options)
    np.testing.assert_array_equal(by_hand.front.rates, expected.rates)
    assert by_hand.name is None


@pytest.mark.parametrize(
    "change",
    [
        {"n_costs": 20},
        {"cost_alpha": 0.2},
        {"family": "weights"},
        {"objectives": "miss_rates"},
        {"random_state": 1},
        {"sample_weight": np.linspace(0.1, 3.0, 150)},
    ],
    ids=lambda change: next(iter(change)),
)
def test_every_option_of_the_front_changes_it(iris, change):
    X, y = iris
    model = GaussianNB().fit(X, y)
    proba = model.predict_proba(X)
    options = {"n_costs": 60, "random_state": 0}
    for source, arguments in (
        (ROCFrontDisplay.from_estimator, (model, X, y)),
        (ROCFrontDisplay.from_predictions, (y, proba)),
    ):
        before = source(*arguments, **options).frame()
        again = source(*arguments, **options).frame()
        pd.testing.assert_frame_equal(before, again)
        after = source(*arguments, **{**options, **change}).frame()
        assert not before.equals(after)
        expected = ROCFront.from_predictions(y, proba, **{**options, **change})
        np.testing.assert_array_equal(
            after[["miss 0", "miss 1", "miss 2"]], expected.miss_rates()
        )


def test_labels_give_the_order_of_the_columns(iris):
    X, y = iris
    proba = GaussianNB().fit(X, y).predict_proba(X)
    display = ROCFrontDisplay.from_predictions(
        y, proba[:, [2, 0, 1]], labels=[2, 0, 1], n_costs=20, random_state=0
    )
    assert display.front.classes.tolist() == [2, 0, 1]
    assert display.ax_.get_xlabel() == "miss rate of 2"


@pytest.mark.parametrize(
    "change", [{"method": "monte_carlo"}, {"n_samples": 200}, {"random_state": 1}], ids=str
)
def test_every_option_of_volumes_changes_them(change):
    front = drawn_front(3, n_costs=40)
    others = {"part": front[::2]}
    options = {"method": "monte_carlo", "n_samples": 400, "random_state": 0}
    if "method" in change:
        options["method"] = "exact"
    display = ROCFrontDisplay(front, others=others)
    before = display.plot(**options).frame()
    pd.testing.assert_frame_equal(before, display.plot(**options).frame())
    assert not before.equals(display.plot(**{**options, **change}).frame())


@pytest.mark.parametrize("make", [np.random.RandomState, np.random.default_rng])
def test_one_source_of_samples_serves_all_volumes(make):
    front = drawn_front(4, n_costs=40)
    display = ROCFrontDisplay(front, others={"same": front[:]})
    frame = display.plot(n_samples=200, random_state=make(0)).frame()
    assert frame["value"][0] == frame["value"][1]
    assert frame["value"][2] == frame["value"][3] == 0.0


# --- names ----------------------------------------------------------------------------


@pytest.mark.parametrize("labels", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("kind", [*ONE, "compare"])
def test_any_label_is_shown_as_it_is(labels, kind):
    front = drawn_front(3, labels=labels, n_costs=40)
    names = [str(label) for label in labels]
    others = {names[1]: front[::2]} if kind in ("compare", "distance") else None
    display = ROCFrontDisplay(front, kind=kind, name=names[0], others=others).plot()
    display.figure_.canvas.draw()
    texts = as_texts(labels)
    if kind not in ("compare", "distance"):
        shown = legend_texts(display)[:-1]
        assert set(group_sizes(front)) <= set(shown)
        assert len(set(texts)) == 3
    assert display.frame().columns.is_unique


@pytest.mark.parametrize("labels", [[False, True], [1.0, 2.0], ["", "b"]], ids=str)
def test_two_labels_of_any_type(labels):
    front = drawn_front(2, labels=labels)
    for kind in ONE:
        display = ROCFrontDisplay(front, kind=kind).plot()
        display.figure_.canvas.draw()
        frame = display.frame("parallel")
        assert set(frame["receives most"]) <= {*labels, None}


def test_texts_are_plain_and_differ():
    assert as_text("a\n b\t c") == "a b c"
    assert as_text("$x$") == r"\$x\$"
    assert as_text("x" * 100, 10) == "x" * 9 + "…"
    assert not as_text("_a").startswith("_")
    assert as_text("_a").endswith("_a")
    assert as_text("\x07")
    texts = as_texts([f"{'x' * 50}{i}" for i in range(12)] + ["y"], 20)
    assert len(set(texts)) == 13
    assert max(map(len, texts)) <= 20


def test_names_are_shown_and_kept(three):
    display = ROCFrontDisplay(three, name="$a_b$ _", kind="distance").plot()
    assert display.ax_.get_title() == rf"\$a_b\$ _: {len(three)} operating points"
    assert display.name == "$a_b$ _"
    assert ROCFrontDisplay(three[:1]).plot().ax_.get_title() == "1 operating point"


def test_repr_tells_what_is_drawn(three):
    number = f"{len(three)} operating points of 3 classes"
    assert repr(ROCFrontDisplay(three)) == f"ROCFrontDisplay(kind='auto', {number})"
    display = ROCFrontDisplay(three, name="n", others={"a": three, "b": three}, kind="distance")
    assert repr(display.plot()) == (
        f"ROCFrontDisplay(kind='distance', name='n', {number}, and 2 more fronts)"
    )
    assert "None" in repr(ROCFrontDisplay(None))


# --- bad input ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"kind": "roc"}, ValueError, "kind must be one of 'auto', 'miss_rates'"),
        ({"kind": None}, ValueError, "kind must be one of"),
        ({"name": 3}, TypeError, "name must be a string or None; got 3"),
        ({"chosen": "best"}, ValueError, "chosen must be one of 'distance', 'knee'"),
        ({"chosen": 10**6}, ValueError, "chosen must fit the front: .* got 1000000"),
        (
            {"chosen": lambda front: 99999},
            ValueError,
            "chosen must fit the front: .* got 99999",
        ),
        ({"chosen": [[1]]}, ValueError, "chosen must fit the front: cost_matrix must be"),
        ({"chosen": True}, ValueError, "chosen must be one of"),
        ({"others": [1]}, TypeError, "others must be a dict of names and fronts"),
        ({"others": {1: None}}, TypeError, "others must have strings as names; got 1"),
        ({"others": {"a": 1}}, TypeError, r"others\['a'\] must be a ROCFront; got 1"),
        ({"kind": "compare"}, ValueError, "others must be a dict .* got None"),
        ({"kind": "compare", "others": {}}, ValueError, "others must be a dict .* got {}"),
    ],
)
def test_bad_options_are_named(three, iris, options, error, words):
    with pytest.raises(error, match=words):
        ROCFrontDisplay(three, **options).plot()
    with pytest.raises(error, match=words):
        ROCFrontDisplay(three, **options).frame()
    X, y = iris
    model = GaussianNB().fit(X, y)
    with pytest.raises(error, match=words):
        ROCFrontDisplay.from_estimator(model, X, y, n_costs=10, **options)
    with pytest.raises(error, match=words):
        ROCFrontDisplay.from_predictions(y, model.predict_proba(X), n_costs=10, **options)
    assert not plt.get_fignums()


def test_other_fronts_must_fit(three):
    part = {"part": three[::2]}
    for kind in ("miss_rates", "parallel", "pairs"):
        with pytest.raises(ValueError, match="shows one front; others must be None"):
            ROCFrontDisplay(three, kind=kind, others=part).plot()
    for other in (drawn_front(3), drawn_front(2)):
        with pytest.raises(ValueError, match=r"others\['o'\] must have the classes"):
            ROCFrontDisplay(three, others={"o": other}).plot()
    with pytest.raises(ValueError, match="others must not have the name"):
        ROCFrontDisplay(three, name="part", others=part).plot()
    with pytest.raises(ValueError, match="others must not have the name"):
        ROCFrontDisplay(three, others={"this front": three}).plot()


@pytest.mark.parametrize("front", [None, "front", np.eye(3), ROCFront, pd.DataFrame()])
def test_only_a_front_is_drawn(front):
    with pytest.raises(TypeError, match="front must be a ROCFront; got"):
        ROCFrontDisplay(front).plot()
    with pytest.raises(TypeError, match="front must be a ROCFront; got"):
        ROCFrontDisplay(front).frame()


def test_bad_options_of_plot_are_named(three):
    display = ROCFrontDisplay(three, others={"part": three[::2]})
    with pytest.raises(ValueError, match="kind must be one of"):
        display.plot(kind="roc")
    with pytest.raises(ValueError, match="method must be one of"):
        display.plot(method="fast")
    with pytest.raises(ValueError, match="n_samples must be an integer"):
        display.plot(n_samples=0)
    with pytest.raises(ValueError, match="random_state must be"):
        display.plot(random_state="seed")
    four = drawn_front(4, n_costs=20)
    display = ROCFrontDisplay(four, others={"o": four[::2]})
    with pytest.raises(ValueError, match="method='exact' takes two or three classes"):
        display.plot(method="exact")
    assert not plt.get_fignums()


def test_bad_estimators_are_named(search, iris):
    X, y = iris
    for estimator in (LinearRegression().fit(X, y), LogisticRegression, None, "model"):
        with pytest.raises(TypeError, match="estimator must be a fitted classifier"):
            ROCFrontDisplay.from_estimator(estimator, X, y)
        with pytest.raises(ValueError, match="X must be given, with y"):
            ROCFrontDisplay.from_estimator(estimator)
    with pytest.raises(NotFittedError):
        ROCFrontDisplay.from_estimator(LogisticRegression(), X, y)
    with pytest.raises(NotFittedError):
        ROCFrontDisplay.from_estimator(clone(search))
    with pytest.raises(NotFittedError):
        ROCFrontDisplay.from_estimator(clone(search), X, y)
    model = GaussianNB().fit(X, y)
    with pytest.raises(ValueError, match="X must be given, with y"):
        ROCFrontDisplay.from_estimator(model)
    with pytest.raises(ValueError, match="y must hold the true labels of X; got None"):
        ROCFrontDisplay.from_estimator(model, X)
    assert not plt.get_fignums()


@pytest.mark.parametrize(
    "option",
    [
        {"y": [0, 1]},
        {"sample_weight": np.ones(3)},
        {"n_costs": 5},
        {"n_costs": "all"},
        {"cost_alpha": np.ones((3, 3))},
        {"family": "weights"},
        {"objectives": "miss_rates"},
        {"random_state": 0},
    ],
    ids=lambda option: next(iter(option)),
)
def test_options_for_data_need_data(search, option):
    (name,) = option
    with pytest.raises(ValueError, match=f"{name} is for X and y; .* got {name}="):
        ROCFrontDisplay.from_estimator(search, **option)


def test_too_many_classes_are_refused_before_any_work(monkeypatch):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 2)), np.arange(60) % 4
    model = GaussianNB().fit(X, y)
    proba = model.predict_proba(X)
    monkeypatch.setattr(GaussianNB, "predict_proba", lambda self, X: pytest.fail("at work"))
    monkeypatch.setattr(ROCFront, "from_predictions", lambda *_, **__: pytest.fail("at work"))
    with pytest.raises(ValueError, match=r"two or three .* got 4 classes"):
        ROCFrontDisplay.from_estimator(model, X, y, kind="miss_rates")
    with pytest.raises(ValueError, match=r"two or three .* got 4 classes"):
        ROCFrontDisplay.from_predictions(y, proba, kind="miss_rates")


def test_nothing_that_is_given_changes(three, iris):
    rates, counts = three.rates.copy(), three.counts.copy()
    others = {"part": three[::2]}
    ROCFrontDisplay(three, others=others).plot(n_samples=100).frame()
    for kind in ONE:
        ROCFrontDisplay(three, kind=kind).plot().frame()
    np.testing.assert_array_equal(three.rates, rates)
    np.testing.assert_array_equal(three.counts, counts)
    assert list(others) == ["part"]
    X, y = iris
    proba = GaussianNB().fit(X, y).predict_proba(X)
    arrays = [y.copy(), proba.copy(), np.ones(len(y))]
    copies = [array.copy() for array in arrays]
    ROCFrontDisplay.from_predictions(*arrays[:2], sample_weight=arrays[2], n_costs=20)
    for array, copy in zip(arrays, copies, strict=True):
        np.testing.assert_array_equal(array, copy)


def missing(monkeypatch, package):
    real = builtins.__import__

    def imported(name, *arguments, **options):
        if name.split(".")[0] == package:
            raise ImportError(name)
        return real(name, *arguments, **options)

    monkeypatch.setattr(builtins, "__import__", imported)


def test_without_matplotlib_it_says_what_to_install(three, iris, monkeypatch):
    X, y = iris
    model = GaussianNB().fit(X, y)
    missing(monkeypatch, "matplotlib")
    words = "Displays need matplotlib: python -m pip install matplotlib"
    with pytest.raises(ImportError, match=words):
        ROCFrontDisplay(three).plot()
    monkeypatch.setattr(ROCFront, "from_predictions", lambda *_, **__: pytest.fail("at work"))
    with pytest.raises(ImportError, match=words):
        ROCFrontDisplay.from_estimator(model, X, y)
    with pytest.raises(ImportError, match=words):
        ROCFrontDisplay.from_predictions(y, y)
    assert len(ROCFrontDisplay(three).frame()) == len(three)


def test_without_pandas_it_says_what_to_install(three, monkeypatch):
    missing(monkeypatch, "pandas")
    assert ROCFrontDisplay(three).plot().points_
    with pytest.raises(ImportError, match="Tables need pandas: python -m pip install pandas"):
        ROCFrontDisplay(three).frame()


# --- what is easily overlooked --------------------------------------------------------


@pytest.mark.parametrize("n_classes", [2, 3, 5])
def test_rounding_does_not_decide_who_receives_most(n_classes):
    rng = np.random.default_rng(n_classes)
    for _ in range(200):
        tenths = rng.multinomial(10, np.full(n_classes, 1 / n_classes), size=(4, n_classes))
        front = ROCFront.from_rates(tenths / 10)
        exact = np.rint(front.rates * 10).astype(int) * ~np.eye(n_classes, dtype=bool)
        sums = exact.sum(axis=1)
        expected = [int(row.argmax()) if row.any() else None for row in sums]
        assert ROCFrontDisplay(front).frame("parallel")["receives most"].tolist() == expected


def test_rounded_weights_do_not_decide_who_receives_most():
    rng = np.random.default_rng(0)
    codes = np.arange(30) % 3
    for _ in range(40):
        proba = rng.dirichlet(np.ones(3), 30)
        front = ROCFront.from_predictions(
            codes, proba, n_costs=30, sample_weight=np.full(30, 0.1), random_state=0
        )
        exact = np.rint(front.counts * 10).astype(int) * ~np.eye(3, dtype=bool)
        expected = exact.sum(axis=1).argmax(axis=1).tolist()
        assert ROCFrontDisplay(front).frame("parallel")["receives most"].tolist() == expected


@pytest.mark.parametrize("projection", ["polar", "aitoff"])
@pytest.mark.parametrize("kind", [*ONE, "compare"])
def test_bent_axes_are_refused(kind, projection):
    front = drawn_front(2)
    others = {"part": front[::2]} if kind == "compare" else None
    bent = plt.figure().add_subplot(projection=projection)
    with pytest.raises(ValueError, match=f"ax must be flat.* projection '{projection}'"):
        ROCFrontDisplay(front, kind=kind, others=others).plot(bent)


@pytest.mark.parametrize("kind", [*ONE, "compare"])
def test_axes_without_a_figure_are_refused(three, kind):
    others = {"part": three[::2]} if kind == "compare" else None
    ax = plt.figure().add_subplot(projection="3d" if kind == "miss_rates" else None)
    ax.remove()
    with pytest.raises(ValueError, match="ax must be in a figure; got axes that were removed"):
        ROCFrontDisplay(three, kind=kind, others=others).plot(ax)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"ax": "x"}, "ax must be"),
        ({"others": {"o": drawn_front(3, labels=["a", "b", "c"])}}, r"others\['o'\] must have"),
        ({"cost_alpha": "x"}, "cost_alpha must be"),
        ({"sample_weight": [-1.0] * 150}, "sample_weight must not be negative"),
        ({"random_state": "x"}, "random_state must be"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_nothing_is_predicted_or_drawn_before_a_refusal(iris, monkeypatch, options, words):
    X, y = iris
    model = GaussianNB().fit(X, y)
    proba = model.predict_proba(X)
    monkeypatch.setattr(GaussianNB, "predict_proba", lambda self, X: pytest.fail("at work"))
    with pytest.raises((TypeError, ValueError), match=words):
        ROCFrontDisplay.from_estimator(model, X, y, **options)
    monkeypatch.setattr("skvus.front._front.sifted", lambda *_: pytest.fail("at work"))
    for labels in (None, [0, 1, 2]):
        with pytest.raises((TypeError, ValueError), match=words):
            ROCFrontDisplay.from_predictions(y, proba, labels=labels, **options)


def test_axes_are_refused_before_a_member_is_chosen(three):
    display = ROCFrontDisplay(three, chosen=lambda front: pytest.fail("at work"))
    with pytest.raises(TypeError, match="ax must be matplotlib axes"):
        display.plot(3)


@pytest.mark.parametrize("kind", ONE)
@pytest.mark.parametrize(
    "options", [{"method": "nonsense"}, {"n_samples": -1}, {"random_state": "x"}], ids=str
)
def test_options_of_volumes_are_checked_for_each_kind(three, kind, options):
    with pytest.raises(ValueError, match=f"{next(iter(options))} must be"):
        ROCFrontDisplay(three, kind=kind).plot(**options)


@pytest.mark.parametrize("make", [np.random.RandomState, np.random.default_rng])
def test_a_check_draws_no_random_numbers(three, make):
    source = make(0)
    ROCFrontDisplay(three).plot(random_state=source)
    assert source.uniform() == make(0).uniform()


def test_random_labels_have_texts_that_differ():
    rng = np.random.default_rng(0)
    parts = ["a", " ", "_", "$", "[0]", "[1]", " [2]", "\u200b", "\n", "long " * 6, "\\"]
    for longest in (5, 11, 24):
        for _ in range(400):
            labels = {"".join(rng.choice(parts, rng.integers(0, 5))) for _ in range(5)}
            texts = as_texts(sorted(labels), longest)
            assert len(set(texts)) == len(labels)
    assert len(set(as_texts(["a", " a", "a [0]"]))) == 3


def test_names_stay_as_they_are_where_nothing_is_parsed(three):
    with plt.rc_context({"text.parse_math": False}):
        title = ROCFrontDisplay(three, name="a$b").plot().ax_.title
        assert title.get_text().startswith("a$b: ")
        assert not title.get_parse_math()


def colours_of(display, kind):
    chosen = display.chosen_[0] if kind == "pairs" else display.chosen_
    if kind == "miss_rates":
        yield chosen.get_facecolor()[0], chosen.get_edgecolor()[0]
    else:
        yield chosen.get_color(), chosen.get_markeredgecolor()
    lines = display.stairs_ if kind == "pairs" else [display.__dict__.get("random_", None)]
    for line in lines:
        if line is not None:
            yield line.get_color(), None


@pytest.mark.parametrize("style", ["default", "dark_background"])
@pytest.mark.parametrize("kind", ONE)
def test_what_belongs_to_no_class_is_seen_in_any_theme(three, kind, style):
    with plt.style.context(style):
        display = ROCFrontDisplay(three, kind=kind).plot()
        text, ground = plt.rcParams["text.color"], plt.rcParams["axes.facecolor"]
        assert to_rgba(text) != to_rgba(ground)
        for face, edge in colours_of(display, kind):
            assert to_rgba(face)[:3] == to_rgba(text)[:3]
            assert edge is None or to_rgba(edge) == to_rgba(ground)


@pytest.mark.parametrize("kind", [*ONE, "compare"])
def test_a_drawn_display_can_be_pickled(three, kind):
    others = {"part": three[::2]} if kind == "compare" else None
    display = ROCFrontDisplay(three, kind=kind, others=others).plot(n_samples=100)
    again = pickle.loads(pickle.dumps(display))
    again.figure_.canvas.draw()
    pd.testing.assert_frame_equal(again.frame(), display.frame())
    n_axes = len(display.figure_.axes)
    if kind in ("pairs", "compare"):
        again.plot(again.ax_, n_samples=100)
        assert len(again.figure_.axes) == n_axes


@pytest.mark.parametrize("kind", ["pairs", "compare"])
def test_new_panels_take_the_place_of_old_ones(three, kind):
    others = {"part": three[::2]} if kind == "compare" else None
    display = ROCFrontDisplay(three, kind=kind, others=others).plot(n_samples=100)
    old, number = display.axes_.ravel().tolist(), len(display.figure_.axes)
    old[0].remove()
    for other in (display, ROCFrontDisplay(three, kind="pairs")):
        other.plot(display.ax_, n_samples=100)
        assert not set(old) & set(display.figure_.axes)
    assert set(display.figure_.axes) == {other.ax_, *other.axes_.ravel()}
    assert number > 1
    flat = ROCFrontDisplay(three, kind="distance").plot(display.ax_)
    assert flat.figure_.axes == [flat.ax_]
    assert flat.ax_.axison


def test_a_search_without_a_choice_shows_the_most_distant_member(iris):
    search = quick(random_state=0, operating_point=WithinLimits({0: 0.0, 1: 0.0, 2: 0.0}))
    with pytest.raises(ValueError, match="No member is within all limits"):
        search.fit(*iris)
    assert not hasattr(search, "best_index_")
    frame = ROCFrontDisplay.from_estimator(search).frame()
    assert np.flatnonzero(frame["chosen"]).tolist() == [search.front_.select("distance")]


def test_members_on_the_random_simplex_are_not_better_than_random():
    rates = [[[0.7, 0.3], [0.7, 0.3]], [[0.4, 0.6], [0.4, 0.6]], [[0.9, 0.1], [0.8, 0.2]]]
    front = ROCFront.from_rates(rates)
    assert len(front) == 3
    display = ROCFrontDisplay(front, kind="distance").plot()
    assert legend_texts(display)[0] == "1 of 3\nbetter than random"


def test_frame_forgets_volumes_of_other_fronts(three):
    display = ROCFrontDisplay(three, others={"part": three[::2]}).plot(n_samples=100)
    display.others["part"] = three[::3]
    fresh = ROCFrontDisplay(three, others={"part": three[::3]}).frame()
    pd.testing.assert_frame_equal(display.frame(), fresh)
    display.front = three[1:]
    fresh = ROCFrontDisplay(three[1:], others={"part": three[::3]}).frame()
    pd.testing.assert_frame_equal(display.frame(), fresh)


def test_an_artist_that_is_gone_is_not_missed(three):
    display = ROCFrontDisplay(three).plot()
    del display.legend_
    assert display.plot().legend_


@pytest.mark.parametrize("make", [int, np.random.RandomState, np.random.default_rng])
def test_bars_are_those_of_compare(monkeypatch, make):
    front, other = drawn_front(3, n_costs=60), drawn_front(3, seed=1, n_costs=60)
    # alone each front could be exact
    monkeypatch.setattr("skvus.front._measures.AUTO_MEMBERS", len(front) + len(other) - 1)
    for method in ("auto", "exact", "monte_carlo"):
        options = {"method": method, "n_samples": 300}
        display = ROCFrontDisplay(front, others={"other": other})
        frame = display.plot(**options, random_state=make(1)).frame()
        expected = front.compare(other, **options, random_state=make(1))
        assert frame["value"].tolist() == [
            expected.gini,
            expected.other_gini,
            expected.delta,
            expected.other_delta,
        ]
        assert (frame["std"] == 0.0).all() == (method == "exact")
    display = ROCFrontDisplay(front, others={"other": other, "few": front[:2]})
    frame = display.plot(n_samples=300).frame()
    assert (frame["std"][:2] > 0.0).all()
