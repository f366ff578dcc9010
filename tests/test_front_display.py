"""ROCFrontDisplay draws what the front says."""

import builtins
import pickle
from itertools import combinations, permutations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from matplotlib.collections import LineCollection
from matplotlib.colors import to_rgba
from search_cases import quick
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.naive_bayes import GaussianNB

from skvus import BestScore, LeastCost, ROCFront, WithinLimits
from skvus.plotting import ROCFrontDisplay
from skvus.plotting._bars import bin_edges
from skvus.plotting._front_checks import KINDS
from skvus.plotting._style import PALETTE, as_text, as_texts

ONE = ("miss_rates", "parallel", "pairs", "distance")
HOSTILE = {
    "text": ["$x$", "_a", "<script>alert(1)</script>"],
    "lines": ["a\nb", "tab\there", " "],
    "long": [
        "very long name of a class " * 9 + "1",
        "very long name of a class " * 9 + "2",
        "c",
    ],
    "dollars": ["$", r"\$\frac{1", "$$_^{"],
    "integers": [-3, 0, 10**15],
    "floats": [-1.0, 0.0, 1e15],
}


@pytest.fixture(autouse=True)
def no_figure_is_left():
    yield
    plt.close("all")


def drawn_front(n_classes, *, seed=0, spread=1.5, labels=None, n_costs=150, n_samples=120):
    """A front of random posteriors."""
    rng = np.random.default_rng(seed)
    codes = np.arange(n_samples) % n_classes
    logits = rng.normal(size=(n_samples, n_classes))
    logits[np.arange(n_samples), codes] += spread
    proba = np.exp(logits)
    proba /= proba.sum(axis=1, keepdims=True)
    labels = np.arange(n_classes) if labels is None else np.asarray(labels)
    return ROCFront.from_predictions(
        labels[codes], proba, labels=labels, n_costs=n_costs, random_state=seed
    )


@pytest.fixture(scope="module", params=range(2, 7))
def front(request):
    return drawn_front(request.param)


@pytest.fixture(scope="module")
def three():
    return drawn_front(3, labels=["cat", "dog", "owl"])


def receivers(front):
    """Slow twin: who gets most of the mistakes of each member."""
    found = []
    for counts in front.counts:
        totals = [
            sum(counts[k][j] for k in range(front.n_classes) if k != j)
            for j in range(front.n_classes)
        ]
        found.append(totals.index(max(totals)) if max(totals) else None)
    return found


def group_sizes(front):
    """Numbers of members by the text of the legend, in its order."""
    codes = receivers(front)
    texts = dict(
        zip(
            [None, *range(front.n_classes)],
            ["no mistakes", *as_texts(front.classes)],
            strict=True,
        )
    )
    return {text: codes.count(code) for code, text in texts.items() if code in codes}


def legend_texts(display):
    return [text.get_text() for text in display.legend_.get_texts()]


def sorted_rows(array):
    array = np.asarray(array, dtype=float)
    return array[np.lexsort(array.T)]


# --- the pictures -------------------------------------------------------------------


@pytest.mark.parametrize("n_classes", [2, 3])
def test_miss_rates_are_points_by_the_class_that_gets_most_mistakes(n_classes):
    front = drawn_front(n_classes)
    display = ROCFrontDisplay(front, kind="miss_rates", name="ours").plot()
    sizes = {artist.get_label(): len(artist.get_offsets()) for artist in display.points_}
    assert sizes == group_sizes(front)
    points = front.miss_rates()
    if n_classes == 3:
        found = np.concatenate([np.array(artist._offsets3d).T for artist in display.points_])
    else:
        found = np.concatenate([artist.get_offsets() for artist in display.points_])
    np.testing.assert_array_equal(sorted_rows(found), sorted_rows(points))
    assert display.ax_.name == ("3d" if n_classes == 3 else "rectilinear")
    assert [display.ax_.get_xlabel(), display.ax_.get_ylabel()] == [
        "miss rate of 0",
        "miss rate of 1",
    ]
    if n_classes == 3:
        assert display.ax_.get_zlabel() == "miss rate of 2"
    index = front.select("distance")
    assert legend_texts(display) == [*sizes, f"chosen: member {index}", "random allocation"]
    assert display.legend_.get_title().get_text() == "most mistakes go to"
    assert display.ax_.get_title() == f"ours: {len(front)} operating points"
    assert display.figure_ is display.ax_.figure
    assert display.kind_ == "miss_rates"


@pytest.mark.parametrize("n_classes", [4, 5, 6])
def test_miss_rates_say_for_how_many_classes_they_are(n_classes):
    with pytest.raises(ValueError, match=f"two or three .* got {n_classes} classes. Use kind="):
        ROCFrontDisplay(drawn_front(n_classes), kind="miss_rates").plot()
    assert not plt.get_fignums()


def test_random_allocation_of_two_classes_is_the_diagonal():
    display = ROCFrontDisplay(drawn_front(2)).plot()
    x, y = display.random_.get_data()
    np.testing.assert_array_equal(x + y, 1.0)
    stairs = np.column_stack(display.stairs_[0].get_data())
    np.testing.assert_array_equal(
        stairs, sorted_rows(display.front.miss_rates()[:, ::-1])[:, ::-1]
    )


def test_random_allocation_of_three_classes_joins_the_trivial_classifiers(three):
    corners = np.array(ROCFrontDisplay(three).plot().random_.get_data_3d()).T
    assert {tuple(corner) for corner in corners} == {(0, 1, 1), (1, 0, 1), (1, 1, 0)}


def test_parallel_has_a_line_for_each_member_and_an_axis_for_each_mistake(front):
    display = ROCFrontDisplay(front, kind="parallel").plot()
    (lines,) = display.lines_
    assert isinstance(lines, LineCollection)
    n_classes, number = front.n_classes, len(front)
    paths = np.array(lines.get_segments())
    assert paths.shape == (number, n_classes * (n_classes - 1), 2)
    off = ~np.eye(n_classes, dtype=bool)
    np.testing.assert_array_equal(sorted_rows(paths[:, :, 1]), sorted_rows(front.rates[:, off]))
    # the best lie on top, each in the colour of its class
    sums = paths[:, :, 1].sum(axis=1)
    assert (np.diff(sums) <= 1e-12).all()
    codes = dict(zip(map(tuple, front.rates[:, off]), receivers(front), strict=True))
    for path, color in zip(paths, lines.get_colors(), strict=True):
        assert tuple(color[:3]) == to_rgba(PALETTE[codes[tuple(path[:, 1])]])[:3]
    sizes = group_sizes(front)
    called = [j for k in range(n_classes) for j in range(n_classes) if j != k]
    ticks = [text.get_text() for text in display.ax_.get_xticklabels()]
    assert ticks == [f"→ {j}" for j in called]
    above = display.ax_.get_xticklabels(minor=True)
    assert [text.get_text() for text in above] == [f"true\n{k}" for k in range(n_classes)]
    index = front.select("distance")
    np.testing.assert_array_equal(display.chosen_.get_ydata(), front.rates[index][off])
    assert legend_texts(display) == [*sizes, f"chosen: member {index}"]
    largest, top = front.rates[:, off].max(axis=1), display.ax_.get_ylim()[1]
    assert (largest <= top).mean() >= 0.95
    assert ("run on above" in display.ax_.get_ylabel()) == (largest > top).any()


def test_few_members_do_not_squeeze_the_others():
    """The chosen one is in sight, whichever it is; how many are not is told."""
    rng = np.random.default_rng(0)
    off = 0.05 * rng.random((200, 3, 3))
    off[:4] = 0.45
    rates = np.where(np.eye(3, dtype=bool), 0.0, off)
    rates += np.eye(3) * (1.0 - rates.sum(axis=2))[:, :, np.newaxis]
    front = ROCFront(rates, classes=[0, 1, 2], priors=np.full(3, 1 / 3))
    outside = int(np.argmax(front.rates[:, 0, 1]))
    ax = ROCFrontDisplay(front, kind="parallel").plot().ax_
    assert 0.04 < ax.get_ylim()[1] < 0.1
    assert ax.get_ylabel().endswith("(4 lines run on above)")
    ax = ROCFrontDisplay(front, kind="parallel", chosen=outside).plot().ax_
    assert ax.get_ylim()[1] > 0.45
    assert ax.get_ylabel() == "rate of the mistake"
    ax = ROCFrontDisplay(front[front.rates[:, 0, 1] < 0.4], kind="parallel").plot().ax_
    assert ax.get_ylabel() == "rate of the mistake"


def test_pairs_show_each_against_each_other(front):
    display = ROCFrontDisplay(front, kind="pairs").plot()
    n_classes = front.n_classes
    is_few = n_classes <= 3
    off = ~np.eye(n_classes, dtype=bool)
    values = front.rates[:, off].T if is_few else front.miss_rates().T
    n_panels = len(values) - 1
    assert display.axes_.shape == (n_panels, n_panels)
    shown = [(i, j) for i in range(n_panels) for j in range(n_panels) if j <= i]
    assert len(display.points_) == len(display.stairs_) == len(display.chosen_) == len(shown)
    sizes = group_sizes(front)
    index = front.select("distance")
    for (row, column), groups, stairs, star in zip(
        shown, display.points_, display.stairs_, display.chosen_, strict=True
    ):
        x, y = values[column], values[row + 1]
        assert {group.get_label(): len(group.get_xdata()) for group in groups} == sizes
        found = np.concatenate([np.column_stack(group.get_data()) for group in groups])
        np.testing.assert_array_equal(sorted_rows(found), sorted_rows(np.column_stack([x, y])))
        best = {
            (a, b)
            for a, b in zip(x, y, strict=True)
            if not ((x <= a) & (y <= b) & ((x < a) | (y < b))).any()
        }
        steps = np.column_stack(stairs.get_data())[1:-1]
        assert {tuple(step) for step in steps} == best
        assert star.get_data() == (x[index], y[index])
        panel = display.axes_[row, column]
        assert panel.get_xlim()[1] >= x.max()
        assert panel.get_ylim()[1] >= y.max()
    if is_few:
        names = [f"{k}\n→ {j}" for k in range(n_classes) for j in range(n_classes) if j != k]
    else:
        names = [f"miss rate\n{k}" for k in range(n_classes)]
    assert [panel.get_xlabel() for panel in display.axes_[-1]] == names[:-1]
    assert [panel.get_ylabel() for panel in display.axes_[:, 0]] == names[1:]
    best_text = "best for these two alone"
    assert legend_texts(display) == [*sizes, f"chosen: member {index}", best_text]


def test_distances_are_counted(front):
    display = ROCFrontDisplay(front, kind="distance", name="ours").plot()
    (patch,) = display.histograms_
    values, edges, _ = patch.get_data()
    distances = front.random_simplex_distance()
    assert values.sum() == len(front)
    for left, right, count in zip(edges[:-1], edges[1:], values, strict=True):
        inside = (left <= distances) & (distances < right)
        assert abs(inside.sum() - count) <= (np.abs(distances - right) < 1e-12).sum()
    assert np.abs(edges).min() == 0.0
    np.testing.assert_allclose(np.diff(edges), edges[1] - edges[0])
    index = front.select("distance")
    assert display.chosen_.get_xdata()[0] == distances[index]
    better = int((distances < -1e-12).sum())
    assert legend_texts(display) == [
        f"{better} of {len(front)}\nbetter than random",
        "random allocation",
        f"chosen: member {index}",
    ]
    assert display.ax_.get_ylabel() == "operating points"


def test_distances_of_several_fronts_are_shares(front):
    others = {"half": front[::2], "one": front[:1]}
    display = ROCFrontDisplay(front, kind="distance", others=others).plot()
    assert len(display.histograms_) == 3
    all_edges = [patch.get_data().edges for patch in display.histograms_]
    for one, other in combinations(all_edges, 2):
        np.testing.assert_array_equal(one, other)
    for patch in display.histograms_:
        assert patch.get_data().values.sum() == pytest.approx(1.0)
    assert [text.split(":")[0] for text in legend_texts(display)[:3]] == [
        "this front",
        "half",
        "one",
    ]
    assert display.ax_.get_ylabel() == "share of operating points"


def test_no_member_falls_out_of_a_histogram():
    # of 30,000 distances the least one is that of a sixtieth of itself, rounded
    values = np.full(30_000, -0.5)
    values[:2] = -0.9925854900749523, 0.0
    edges = bin_edges(values)
    assert np.histogram(values, edges)[0].sum() == 30_000
    rng = np.random.default_rng(0)
    for size in rng.integers(1, 100, size=200):
        values = rng.integers(-1000, 300, size=size) / 1000
        edges = bin_edges(values)
        assert np.histogram(values, edges)[0].sum() == size
        assert 0.0 in edges
        assert (np.diff(edges) > 0.0).all()
    np.testing.assert_array_equal(bin_edges(np.zeros(3)), [-0.01, 0.0, 0.01])


def test_a_front_on_the_simplex_has_a_histogram():
    trivial = ROCFront.from_rates([[[1.0, 0.0], [1.0, 0.0]]])
    assert ROCFrontDisplay(trivial, kind="distance").plot().frame()["members"].sum() == 1


def test_bars_are_gini_and_delta_with_two_standard_errors(front):
    others = {"weak": drawn_front(front.n_classes, seed=1, spread=0.5), "part": front[::2]}
    display = ROCFrontDisplay(front, others=others, name="ours")
    display.plot(n_samples=2_000, random_state=5)
    assert display.kind_ == "compare"
    options = {"n_samples": 2_000, "random_state": 5, "return_std": True}
    fronts = {"ours": front, **others}
    expected = [
        {name: one.gini(**options) for name, one in fronts.items()},
        {
            f"{a}, not {b}": fronts[a].delta(fronts[b], **options)
            for pair in (("ours", "weak"), ("ours", "part"))
            for a, b in (pair, pair[::-1])
        },
    ]
    for panel, bars, errors, numbers in zip(
        display.axes_[:, 0], display.bars_, display.error_bars_, expected, strict=True
    ):
        assert [text.get_text() for text in panel.get_yticklabels()] == list(numbers)
        values, stds = np.array(list(numbers.values())).T
        np.testing.assert_array_equal([bar.get_width() for bar in bars], values)
        segments = np.array(errors[2][0].get_segments())
        low, high = segments[:, 0, 0], segments[:, 1, 0]
        np.testing.assert_allclose((high - low) / 4.0, stds, atol=1e-15)
        np.testing.assert_allclose((high + low) / 2.0, values, atol=1e-15)
    assert display.bars_[0][0].get_facecolor() == display.bars_[1][0].get_facecolor()
    assert display.bars_[0][1].get_facecolor() == display.bars_[1][1].get_facecolor()
    is_exact = front.n_classes <= 3
    assert ("exact" in display.axes_[0, 0].get_title()) == is_exact


def test_five_fronts_of_nothing_have_bars_of_no_length():
    trivial = ROCFront.from_rates([[[1.0, 0.0], [1.0, 0.0]]])
    display = ROCFrontDisplay(trivial, others={f"f{i}": trivial for i in range(4)}).plot()
    assert [bar.get_width() for bar in display.bars_[0]] == [0.0] * 5
    assert [bar.get_width() for bar in display.bars_[1]] == [0.0] * 8
    display.figure_.canvas.draw()


def test_every_kind_can_be_saved(front, tmp_path):
    auto = "miss_rates" if front.n_classes <= 3 else "parallel"
    for kind in set(KINDS) - ({"miss_rates"} if front.n_classes > 3 else set()):
        others = {"part": front[::3]} if kind == "compare" else None
        display = ROCFrontDisplay(front, kind=kind, others=others).plot(n_samples=500)
        display.figure_.savefig(tmp_path / "front.png", dpi=40)
        assert display.kind_ == (auto if kind == "auto" else kind)


def tick_labels(axis, which="major"):
    """Those that are seen."""
    low, high = sorted(axis.get_view_interval())
    ticks = axis.get_major_ticks() if which == "major" else axis.get_minor_ticks()
    ticks = [tick for tick in ticks if low <= tick.get_loc() <= high]
    texts = [text for tick in ticks for text in (tick.label1, tick.label2)]
    return [text for text in texts if text.get_visible() and text.get_text()]


def groups_of_texts(figure):
    """Texts that must not overlap."""
    for ax in figure.axes:
        yield [ax.title]
        if ax.axison:
            yield [*tick_labels(ax.xaxis, "minor"), ax.title]
            yield [*tick_labels(ax.xaxis), ax.xaxis.label, ax.yaxis.label]
            yield [*tick_labels(ax.yaxis), ax.yaxis.label, ax.title]
            yield ax.texts
    for which in ("xaxis", "yaxis"):
        yield [getattr(ax, which).label for ax in figure.axes if ax.axison]


@pytest.mark.parametrize(
    ("kind", "n_classes"),
    [("miss_rates", 2)]
    + [(kind, n) for kind in ("parallel", "pairs", "compare", "distance") for n in range(2, 7)],
)
def test_long_names_do_not_overlap_or_leave_the_figure(kind, n_classes):
    labels = [f"a class with a really long name, the {i}th one" for i in range(n_classes)]
    front = drawn_front(n_classes, labels=labels, n_costs=30)
    names = [f"a pipeline with a really long name, {i}" for i in range(5)]
    others = dict.fromkeys(names[1:], front[::2]) if kind in ("compare", "distance") else None
    display = ROCFrontDisplay(front, kind=kind, name=names[0], others=others)
    figure = display.plot(n_samples=100).figure_
    figure.canvas.draw()
    groups = [
        [text.get_window_extent() for text in group if text.get_text()]
        for group in groups_of_texts(figure)
    ]
    if kind != "compare":
        legend = display.legend_.get_window_extent()
        others = [ax.get_window_extent() for ax in figure.axes if ax.axison]
        others += [ax.title.get_window_extent() for ax in figure.axes if ax.title.get_text()]
        assert not any(legend.padded(-2.0).overlaps(box) for box in others)
        groups.append([legend])
    for boxes in groups:
        for one, other in combinations(boxes, 2):
            assert not one.padded(-1.0).overlaps(other.padded(-1.0))
        for box in boxes:
            assert min(box.x0, box.y0) > -1.0
            assert box.x1 < figure.bbox.width + 1.0
            assert box.y1 < figure.bbox.height + 1.0
    assert max(map(len, groups)) > 1


@pytest.mark.parametrize("n_classes", range(2, 7))
def test_names_fit_into_the_axes_that_are_given(n_classes):
    labels = [f"{'WIDE NAME ' * 5}{i}" for i in range(n_classes)]
    front = drawn_front(n_classes, labels=labels, n_costs=30)
    figure, axes = plt.subplots(
        1, 2, figsize=(2.4 * n_classes + 4.0, 4.0), layout="constrained"
    )
    for ax in axes:
        ROCFrontDisplay(front, kind="parallel").plot(ax)
        figure.canvas.draw()
        boxes = [text.get_window_extent() for text in tick_labels(ax.xaxis, "minor")]
        assert len(boxes) == n_classes
        assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))


@pytest.mark.parametrize(
    ("size", "name"),
    [((8.0, 5.6), "WIDE NAME " * 5), ((6.4, 4.8), "long name ")],
)
def test_names_in_space_stay_apart(size, name):
    labels = [f"{name}{i}" for i in range(3)]
    front = drawn_front(3, labels=labels, n_costs=30)
    figure = plt.figure(figsize=size, layout="constrained")
    ax = figure.add_subplot(projection="3d")
    display = ROCFrontDisplay(front, name="A MODEL").plot(ax)
    figure.canvas.draw()
    texts = [ax.xaxis.label, ax.yaxis.label, ax.zaxis.label, ax.title, display.legend_]
    boxes = [text.get_window_extent() for text in texts]
    legend = boxes[-1]
    assert not any(legend.overlaps(box) for box in boxes[:-1])
    assert all(min(box.x0, box.y0) > -1.0 for box in boxes)
    assert max(box.x1 for box in boxes) < figure.bbox.width + 1.0
    # the middles of the names, as their boxes are not turned
    places = np.array([[(box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2] for box in boxes[:3]])
    assert np.linalg.norm(places[[0, 0, 1]] - places[[1, 2, 2]], axis=1).min() > 80.0


def test_members_without_mistakes_are_a_group_of_their_own():
    rates = [[[1, 0, 0], [0, 1, 0], [0, 0, 1]]]
    front = ROCFront.from_rates(rates)
    for kind in ONE:
        display = ROCFrontDisplay(front, kind=kind).plot()
        if kind != "distance":
            assert legend_texts(display)[0] == "no mistakes"
            assert display.frame()["receives most"].tolist() == [None]
        display.figure_.canvas.draw()


def test_without_counts_mistakes_are_weighed_by_the_frequencies_of_the_classes():
    rates = [[[0.5, 0.5, 0.0], [0.0, 0.7, 0.3], [0.0, 0.0, 1.0]]]
    even = ROCFront.from_rates(rates, classes=["a", "b", "c"])
    odd = ROCFront.from_rates(rates, classes=["a", "b", "c"], priors=[0.1, 0.8, 0.1])
    assert ROCFrontDisplay(even).frame()["receives most"].tolist() == ["b"]
    assert ROCFrontDisplay(odd).frame()["receives most"].tolist() == ["c"]


# --- the table ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "n_classes"),
    [("miss_rates", 2), ("miss_rates", 3)]
    + [(kind, n_classes) for kind in ("parallel", "pairs") for n_classes in range(2, 7)],
)
def test_frame_has_the_members(kind, n_classes):
    front = drawn_front(n_classes)
    frame = ROCFrontDisplay(front, kind=kind, chosen=1).frame()
    whole = front.to_frame()
    names = [name for name in frame if name.startswith(("rate", "miss"))]
    is_rates = kind == "parallel" or (kind == "pairs" and front.n_classes <= 3)
    start = "rate" if is_rates else "miss"
    assert names == [name for name in whole if name.startswith(start)]
    pd.testing.assert_frame_equal(frame[names], whole[names])
    assert frame["member"].tolist() == list(range(len(front)))
    assert frame["receives most"].tolist() == receivers(front)
    assert np.flatnonzero(frame["chosen"]).tolist() == [1]


def test_frame_has_the_bars_of_a_histogram(front):
    display = ROCFrontDisplay(front, kind="distance", others={"part": front[::2]}).plot()
    frame = display.frame()
    for patch, name in zip(display.histograms_, ("this front", "part"), strict=True):
        part = frame[frame["front"] == name]
        values, edges, _ = patch.get_data()
        np.testing.assert_array_equal(part["share"], values)
        np.testing.assert_array_equal(part["left"], edges[:-1])
        np.testing.assert_array_equal(part["right"], edges[1:])
        members = display.front if name == "this front" else front[::2]
        assert part["members"].sum() == len(members)


def test_frame_has_the_volumes_that_were_drawn():
    front = drawn_front(4, n_costs=40)
    display = ROCFrontDisplay(front, others={"part": front[::2]})
    before = display.frame()
    display.plot(n_samples=300, random_state=1)
    frame = display.frame()
    widths = [bar.get_width() for bars in display.bars_ for bar in bars]
    assert frame["value"].tolist() == widths
    assert frame["measure"].tolist() == ["gini"] * 2 + ["delta"] * 2
    assert frame["against"].isna().tolist() == [True, True, False, False]
    assert frame["against"].tolist()[2:] == ["part", "this front"]
    assert (frame["std"] > before["std"]).any()  # fewer samples
    pd.testing.assert_frame_equal(ROCFrontDisplay(front, others=display.others).frame(), before)


def test_frame_is_of_what_was_drawn_last_or_asked_for(three):
    display = ROCFrontDisplay(three, kind="miss_rates")
    assert "miss cat" in display.frame()
    assert "rate cat → dog" in display.frame("parallel")
    display.plot(kind="distance")
    assert "share" in display.frame()
    assert "miss cat" in display.frame("miss_rates")
    assert display.kind == "miss_rates"


# --- where to draw ------------------------------------------------------------------


@pytest.mark.parametrize("kind", [*ONE, "compare"])
def test_given_axes_are_used(three, kind):
    projection = "3d" if kind == "miss_rates" else None
    figure, axes = plt.subplots(1, 2, subplot_kw={"projection": projection})
    others = {"part": three[::2]} if kind == "compare" else None
    display = ROCFrontDisplay(three, kind=kind, others=others).plot(axes[1])
    assert display.ax_ is axes[1]
    assert display.figure_ is figure
    assert plt.get_fignums() == [figure.number]
    assert not axes[0].has_data()
    if kind in ("pairs", "compare"):
        left = axes[1].get_position().x0
        assert all(panel.get_position().x0 >= left for panel in display.axes_.ravel())


def test_subfigures_have_axes_to_draw_in(three):
    figure = plt.figure(layout="constrained")
    left, _ = figure.subfigures(1, 2)
    display = ROCFrontDisplay(three, kind="pairs").plot(left.subplots())
    assert display.figure_ is left
    figure.canvas.draw()


def test_axes_of_the_wrong_kind_are_refused(three):
    _, flat = plt.subplots()
    with pytest.raises(
        ValueError, match=r"ax must be made with subplot_kw=\{'projection': '3d'"
    ):
        ROCFrontDisplay(three).plot(flat)
    deep = plt.figure().add_subplot(projection="3d")
    for kind in ONE[1:]:
        with pytest.raises(ValueError, match="ax must be flat"):
            ROCFrontDisplay(three, kind=kind).plot(deep)
    with pytest.raises(ValueError, match="ax must be flat"):
        ROCFrontDisplay(drawn_front(2)).plot(deep)
    free = plt.figure().add_axes([0.1, 0.1, 0.8, 0.8])
    with pytest.raises(ValueError, match="ax must be of a grid"):
        ROCFrontDisplay(three, kind="pairs").plot(free)
    with pytest.raises(TypeError, match="ax must be matplotlib axes or None; got 3"):
        ROCFrontDisplay(three).plot(3)
    n_figures = len(plt.get_fignums())
    with pytest.raises(ValueError, match="ax must be of a grid"):  # before volumes are measured
        ROCFrontDisplay(three, others={"o": three}).plot(free, n_samples=10**9)
    assert len(plt.get_fignums()) == n_figures


def test_one_display_can_be_drawn_again(three):
    display = ROCFrontDisplay(three)
    first = display.plot().ax_
    assert display.plot() is display
    assert display.ax_ is not first
    display.plot(kind="parallel")
    assert display.kind_ == "parallel"
    assert hasattr(display, "lines_")
    assert not hasattr(display, "points_")
    display.plot(kind="pairs")
    assert hasattr(display, "axes_")
    display.plot(kind="distance")
    assert not hasattr(display, "axes_")


def test_a_refused_kind_leaves_what_was_drawn(three):
    display = ROCFrontDisplay(three).plot()
    artists = display.points_
    with pytest.raises(ValueError, match="kind='compare' needs fronts to compare with"):
        display.plot(kind="compare")
    assert display.points_ is artists
    assert display.kind_ == "miss_rates"


# --- the chosen member --------------------------------------------------------------


@pytest.mark.parametrize(
    "rule",
    [
        3,
        -1,
        np.int64(2),
        "knee",
        "distance",
        BestScore("accuracy"),
        lambda front: len(front) // 2,
    ],
    ids=str,
)
def test_chosen_member_is_what_select_gives(three, rule):
    display = ROCFrontDisplay(three, chosen=rule).plot()
    index = three.select(rule)
    assert np.flatnonzero(display.frame()["chosen"]).tolist() == [index]
    place = np.array(display.chosen_._offsets3d).ravel()
    np.testing.assert_array_equal(place, three.miss_rates()[index])
    assert f"chosen: member {index:,}" in legend_texts(display)


def test_rules_with_labels_choose(three):
    costs = dict.fromkeys(permutations(["cat", "dog", "owl"], 2), 1.0)
    for rule in (LeastCost(costs | {("cat", "dog"): 5.0}), WithinLimits({("cat", "dog"): 0.2})):
        frame = ROCFrontDisplay(three, kind="distance", chosen=rule).frame("parallel")
        assert np.flatnonzero(frame["chosen"]).tolist() == [three.select(rule)]


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
    words = r'Displays need matplotlib: python -m pip install "skvus\[plot\]"'
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
    with pytest.raises(ImportError, match=r'Tables need pandas: .* "skvus\[plot\]"'):
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
