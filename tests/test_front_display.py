"""ROCFrontDisplay draws what the front says."""

from itertools import combinations, permutations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from front_pictures import ONE, drawn_front, group_sizes, legend_texts, receivers, sorted_rows
from matplotlib.collections import LineCollection
from matplotlib.colors import to_rgba

from skvus import BestScore, LeastCost, ROCFront, WithinLimits
from skvus.plotting import ROCFrontDisplay
from skvus.plotting._bars import bin_edges
from skvus.plotting._front_checks import KINDS
from skvus.plotting._style import PALETTE


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
    assert "rate cat as dog" in display.frame("parallel")
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
