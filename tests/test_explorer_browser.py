"""The explorer page in a real browser: what it shows, limits, costs, the choice."""

import numpy as np
import pytest
from browser import (
    AXIS,
    COST,
    FIELD,
    PHONE,
    SLIDER,
    Explorer,
    click_at,
    index_by_code,
    index_or_none,
    opened,
)
from explorer_cases import drawn_front, repeated, sphere_front

from skvus import LeastCost, ROCFront, WithinLimits


@pytest.fixture(scope="module")
def front():
    return drawn_front(3, labels=["ill", "unsure", "well"])


@pytest.fixture(scope="module")
def path(front, tmp_path_factory):
    return front.explore(tmp_path_factory.mktemp("page") / "page.html")


@pytest.fixture
def page(browser, path):
    return Explorer(browser, path)


# --- opening ----------------------------------------------------------------------


@pytest.mark.parametrize("n_classes", [2, 3, 4, 6, 10])
@pytest.mark.parametrize("screen", [None, PHONE], ids=["desktop", "phone"])
def test_page_opens_without_errors_or_requests(browser, tmp_path, n_classes, screen):
    made = drawn_front(n_classes, size=20, n_costs=150)
    page = opened(browser, made, tmp_path, screen=screen)
    page.settle()
    assert page.errors() == []
    assert page.requests() == [page.path.as_uri()]
    assert page.run("return performance.getEntriesByType('resource').length") == 0
    assert page.chosen == made.select()
    assert int(page.body["within"]) == len(made)
    assert page.run("return document.documentElement.scrollWidth <= window.innerWidth")
    assert not page.find("#failure").is_displayed()
    # on each of the canvases something is drawn
    assert all(
        page.run(
            "return [...document.querySelectorAll('canvas:not([hidden])')].map((canvas) =>"
            "  canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)"
            "    .data.some((value) => value))"
        )
    )


def test_policy_of_the_page_is_in_force(page):
    page.run(
        "const script = document.createElement('script');"
        "script.textContent = 'document.title = \"stolen\"';"
        "document.body.append(script);"
        "const image = document.createElement('img');"
        "image.src = 'file:///nothing.png';"
        "document.body.append(image);"
    )
    page.wait(lambda: len(page.errors()) >= 1)
    assert page.run("return document.title") == "Trade-offs of 3 classes"


def test_without_params_and_costs_and_with_one_member(browser, tmp_path):
    made = ROCFront.from_rates([[[0.9, 0.1], [0.2, 0.8]]])
    page = opened(browser, made, tmp_path)
    assert page.chosen == 0
    assert not page.find("#own-costs").is_displayed()
    assert page.errors() == []


def test_damaged_data_say_so(browser, tmp_path, path):
    text = path.read_text(encoding="utf-8")
    damaged = tmp_path / "page.html"
    damaged.write_text(text.replace('"points": "', '"points": "***', 1), encoding="utf-8")
    browser.get(damaged.as_uri())
    failure = browser.find_element("id", "failure")
    assert failure.is_displayed()
    assert "could not be shown" in failure.text


# --- what it shows ----------------------------------------------------------------


def test_confusion_matrix_of_the_choice_is_beside_that_of_equal_costs(browser, tmp_path, front):
    page = opened(browser, front, tmp_path, rule=7)
    cells = "return [...document.querySelectorAll(arguments[0])].map((td) => td.dataset.rate)"
    for box, index in (("chosen", 7), ("equal", front.select(1 - np.eye(3)))):
        rates = [float(x) for x in page.run(cells, f"#{box}-matrix td[data-rate]")]
        np.testing.assert_allclose(rates, front.rates[index].ravel(), atol=1e-15)
        table = page.find(f"#{box}-matrix").text
        for count in front.counts[index].ravel():
            assert f"{count:.0f}" in table
        assert f"no. {index}" in page.text(f"#{box}-caption")
    left, right = (page.find(f"#{box}-matrix").rect for box in ("chosen", "equal"))
    assert left["x"] < right["x"]
    assert abs(left["y"] - right["y"]) < 30


def test_costs_by_which_a_member_decides_can_be_read(browser, tmp_path, front):
    page = opened(browser, front, tmp_path, rule=7)
    page.scroll_to("#own-costs")
    page.find("#own-costs summary").click()
    page.wait(lambda: page.all("#own-cost-table td"))
    shown = [float(td.text) for td in page.all("#own-cost-table td:not(.corner)")]
    costs = front.costs[7].ravel()
    np.testing.assert_allclose(shown, costs / costs[costs > 0].min(), rtol=6e-3)


def test_list_can_be_sorted_paged_and_chosen_from(page, front):
    page.scroll_to("#members")
    heads = page.all("#members thead button")
    assert [head.text.replace("\n", " ") for head in heads] == [
        "no.", "ill missed", "unsure missed", "well missed", "wrong", "distance", "cost",
    ]  # fmt: skip
    heads[1].click()
    page.settle()
    misses = front.miss_rates()[:, 0]
    by_miss = np.lexsort((np.arange(len(front)), np.round(misses, 12)))
    first = [int(row.get_attribute("data-index")) for row in page.all("#members tbody tr")]
    assert first == by_miss[: len(first)].tolist()
    page.find("#later").click()
    page.settle()
    after = [int(row.get_attribute("data-index")) for row in page.all("#members tbody tr")]
    assert after == by_miss[len(first) : 2 * len(first)].tolist()
    page.all("#members tbody button")[3].click()
    page.settle()
    assert page.chosen == after[3]
    assert index_by_code(page.snippet, front) == after[3]
    assert page.find(f"#members tr[data-index='{after[3]}'].is-chosen").is_displayed()


# --- limits -----------------------------------------------------------------------


@pytest.mark.parametrize("start", ["grip", "axis"])
def test_a_brush_filters(page, front, start):
    axis = AXIS.format("0,2")
    page.scroll_to("#parallel")
    handle = page.find(axis)
    held = page.find(f"{axis} .grip") if start == "grip" else handle
    pointer = page.pointer().move_to_element(held).click_and_hold()
    for step in (40, 40, 60) if start == "grip" else (20, 20, 30):
        pointer = pointer.move_by_offset(0, step)
    pointer.release().perform()
    page.settle()
    limit = float(handle.get_attribute("aria-valuenow"))
    assert 0.0 < limit < float(handle.get_attribute("aria-valuemax"))
    within = front.rates[:, 0, 2] <= limit
    assert 0 < within.sum() < len(front)
    assert int(page.body["within"]) == within.sum()
    rule = WithinLimits({("ill", "well"): limit})
    assert page.chosen == front.select(rule)
    assert index_by_code(page.snippet, front) == page.chosen
    page.settle()
    assert float(page.find(FIELD.format("0,2")).get_property("value")) == limit
    assert f"of {within.sum()} within" not in page.text("#status")
    assert f"{within.sum()} of {len(front)} within the limits" in page.text("#status")
    # the list and the picture follow
    assert page.text("#page").endswith(f"of {within.sum()}")
    page.pointer().move_to_element(handle).double_click().perform()
    assert int(page.body["within"]) == len(front)


def test_a_grip_stays_under_the_pointer(page):
    grip = page.find(AXIS.format("1,0") + " .grip")
    page.scroll_to("#parallel")
    before = grip.rect["y"]
    page.pointer().move_to_element(grip).click_and_hold().move_by_offset(
        0, 50
    ).release().perform()
    page.settle()
    assert abs(grip.rect["y"] - before - 50) < 1.5


def test_a_click_on_a_line_chooses_it(page, front):
    # the member with the largest rate of the first kind is alone up there
    index = int(front.rates[:, 0, 1].argmax())
    page.scroll_to("#parallel")
    left, top, right = page.run(
        "const [a, b] = [...document.querySelectorAll('.axis')].slice(0, 2)"
        "  .map((axis) => axis.getBoundingClientRect());"
        "return [a.left + a.width / 2, a.top + 16, b.left + b.width / 2]"
    )
    most = float(page.find(AXIS.format("0,1")).get_attribute("aria-valuemax"))
    height = page.run("return document.querySelector('.axis').clientHeight - 24")
    down = top + height * (1 - front.rates[index, 0, 1] / most)
    end = top + height * (1 - front.rates[index, 0, 2] / most)
    share = 0.22
    place = (left + share * (right - left), (1 - share) * down + share * end)
    click_at(page, *place)
    heights = (1 - share) * front.rates[:, 0, 1] + share * front.rates[:, 0, 2]
    near = np.flatnonzero(np.abs(heights - heights[index]) < 4 * most / height)
    assert page.chosen in near
    assert page.text("#snippet").startswith(f"index = front.select({page.chosen})")


def test_sliders_and_fields_and_axes_show_the_same_limit(page, front):
    page.type_into(FIELD.format("1"), "0.35")
    page.settle()
    assert int(page.body["within"]) == (front.miss_rates()[:, 1] <= 0.35).sum()
    assert float(page.find(SLIDER.format("1")).get_property("value")) == pytest.approx(0.35)
    page.scroll_to("#parallel")
    page.find("input[name=axes][value=misses]").click()
    page.settle()
    assert float(page.find(AXIS.format("1")).get_attribute("aria-valuenow")) == 0.35
    page.find("#clear-limits").click()
    page.settle()
    assert int(page.body["within"]) == len(front)
    assert page.find(FIELD.format("1")).get_property("value") == ""
    assert not page.find("#clear-limits").is_enabled()


@pytest.mark.parametrize(
    ("limits", "kind", "elsewhere"),
    [
        ({2: 0.2}, "misses", ""),
        ({(2, 1): 0.2}, "rates", ""),
        (
            {(2, 1): 0.2, 2: 0.3, 0: 0.5},
            "rates",
            "Also limited: 0 missed ≤ 0.5, 2 missed ≤ 0.3.",
        ),
    ],
)
def test_limits_are_in_sight_at_first(browser, tmp_path, limits, kind, elsewhere):
    made = drawn_front(4, size=20, n_costs=400)
    page = opened(browser, made, tmp_path, rule=WithinLimits(limits))
    page.settle()
    assert page.find(f"input[name=axes][value={kind}]").is_selected()
    assert page.text("#elsewhere") == elsewhere
    # in the box of the limits, without any scrolling there
    inside = page.run(
        "const box = document.getElementById('limits').getBoundingClientRect();"
        "return [...document.querySelectorAll('.limit.set')].map((row) => {"
        "  const place = row.getBoundingClientRect();"
        "  return place.top >= box.top - 1 && place.bottom <= box.bottom + 1; })"
    )
    assert inside == [True] * len(limits)
    page.scroll_to("#parallel")
    page.find("input[name=axes][value=misses]").click()
    page.settle()
    n_pairs = sum(isinstance(key, tuple) for key in limits)
    assert page.text("#elsewhere").count("≤") == n_pairs


def test_a_limit_among_ninety_axes_is_in_sight_at_first(browser, tmp_path):
    made = drawn_front(10, size=12, n_costs=100)
    page = opened(browser, made, tmp_path, rule=WithinLimits({(7, 3): 0.5}))
    page.settle()
    assert page.find("input[name=axes][value=rates]").is_selected()
    left, right, width = page.run(
        "const place = document.querySelector(arguments[0]).getBoundingClientRect();"
        "const box = document.getElementById('parallel').parentElement;"
        "const view = box.getBoundingClientRect();"
        "return [place.left - view.left, place.right - view.left, view.width]",
        AXIS.format("7,3"),
    )
    assert 0 <= left < right <= width
    place = "const r = arguments[0].getBoundingClientRect(); return [r.top, r.bottom]"
    top, bottom = page.run(place, page.find(".limit.set"))
    above, below = page.run(place, page.find("#limits"))
    assert above - 1 <= top < bottom <= below + 1


def test_up_to_twelve_limits_need_no_scrolling(page):
    height = (
        "const e = document.getElementById('limits'); return [e.scrollHeight, e.clientHeight]"
    )
    whole, shown = page.run(height)
    assert whole <= shown


def test_limits_that_none_keeps_choose_none(page):
    for key in ("0", "1", "2"):
        page.type_into(FIELD.format(key), "0")
    page.settle()
    assert page.chosen is None
    assert page.text("#status").startswith("No operating point is within all limits")
    assert not page.find("#copy").is_enabled()
    assert not page.find("#export").is_enabled()
    compile(page.snippet, "snippet", "exec")
    # nobody decides so: there are no costs to show
    assert not page.find("#own-costs").is_displayed()
    assert page.errors() == []


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("5", "A rate is from 0 to 1; 5% is 0.05."),
        ("-1", "A rate is from 0 to 1; 5% is 0.05."),
        ("5%", "A rate is from 0 to 1; 5% is 0.05."),
        ("Infinity", "A rate is from 0 to 1; 5% is 0.05."),
        ("0,3", "Write a point, not a comma: 0.3."),
    ],
)
def test_what_can_be_no_limit_is_told_and_chooses_nothing(page, front, text, says):
    selector = FIELD.format("1")
    page.type_into(FIELD.format("0"), "0.5")
    page.type_into(selector, text)
    page.settle()
    field = page.find(selector)
    assert field.get_property("value") == text
    assert field.get_attribute("aria-invalid") == "true"
    note = page.find(f"[id='{field.get_attribute('aria-describedby')}']")
    assert note.is_displayed()
    assert note.text == says
    assert page.chosen is None
    assert page.text("#status") == (
        "Nothing is chosen: the limit of “unsure missed” is not a number from 0 to 1."
    )
    assert not page.find("#copy").is_enabled()
    # it stays when one goes elsewhere, until it is mended
    page.type_into(COST.format("0,1"), "2")
    page.settle()
    assert page.chosen is None
    assert field.get_property("value") == text
    page.type_into(selector, "0.3")
    page.settle()
    assert field.get_attribute("aria-invalid") is None
    assert not note.is_displayed()
    costs = 1.0 - np.eye(3)
    costs[0, 1] = 2.0
    rule = WithinLimits({"ill": 0.5, "unsure": 0.3}, then=LeastCost(costs))
    assert page.chosen == front.select(rule) == index_by_code(page.snippet, front)


def test_fields_that_are_no_limits_are_cleared_with_the_limits(page, front):
    page.type_into(FIELD.format("0,1"), "5")
    page.settle()
    page.scroll_to("#clear-limits")
    page.find("#clear-limits").click()
    page.settle()
    assert page.find(FIELD.format("0,1")).get_property("value") == ""
    assert not page.all("[aria-invalid]")
    assert page.chosen == front.select()


def test_what_is_reachable_is_told_for_each_limit(page, front):
    misses = front.miss_rates()
    limits = {0: 0.02, 1: 0.03}
    for k, limit in limits.items():
        page.type_into(FIELD.format(k), str(limit))
    page.settle()
    assert page.chosen is None
    for k, other in ((0, 1), (1, 0)):
        least = misses[misses[:, other] <= limits[other] + 1e-12, k].min()
        text = page.find(f"[id='limit-note-{k}']").text
        reachable = float(text.removeprefix("Reachable while the others hold: "))
        assert least <= reachable <= least * 1.001
        name = front.classes[k]
        told = f"{name} missed: limit {limits[k]}, reachable {reachable:g}"
        assert told in page.text("#status")
    # what is told holds
    page.type_into(FIELD.format(1), str(reachable))
    assert page.chosen == front.select(WithinLimits({"ill": 0.02, "unsure": reachable}))
    for k in range(3):
        page.type_into(FIELD.format(k), "0")
    page.settle()
    assert page.text("#status").endswith("to raise one of them is not enough.")
    assert page.find("[id='limit-note-2']").text == "Not enough to raise this one"


# --- costs ------------------------------------------------------------------------


def test_a_cost_moves_the_choice_to_what_select_gives(page, front):
    costs = 1.0 - np.eye(3)
    seen = set()
    for k, j, text in ((0, 2, "10"), (2, 0, "0.25"), (0, 1, "30"), (1, 2, "0"), (1, 0, "1e-3")):
        costs[k, j] = float(text)
        page.type_into(COST.format(f"{k},{j}"), text)
        page.settle()
        assert page.chosen == front.select(LeastCost(costs))
        assert index_by_code(page.snippet, front) == page.chosen
        assert f"no. {page.chosen}" in page.text("#chosen-caption")
        seen.add(page.chosen)
    assert len(seen) > 2
    page.type_into("#costs input[data-prior='0']", "0.9")
    priors = [0.9, *front.priors[1:]]
    rule = LeastCost(costs, priors=np.divide(priors, sum(priors)))
    assert page.chosen == front.select(rule) == index_by_code(page.snippet, front)
    page.scroll_to("#equal-costs")
    page.find("#equal-costs").click()
    page.find("#own-priors").click()
    assert page.chosen == front.select(1 - np.eye(3))


def test_costs_that_are_none_are_named(page):
    page.type_into(COST.format("0,1"), "-1")
    page.settle()
    assert page.chosen is None
    assert page.text("#cost-note").startswith("Costs must be numbers of at least 0")
    page.type_into(COST.format("0,1"), "2")
    page.type_into("#costs input[data-prior='1']", "-3")
    page.settle()
    assert page.text("#cost-note").startswith("Frequencies must be numbers of at least 0")
    assert page.errors() == []


def test_frequencies_and_costs_of_any_size_choose_as_in_python(browser, tmp_path):
    made = drawn_front(2, size=60)
    page = opened(browser, made, tmp_path)
    chosen = set()
    for pair in (("1e308", "1.7e308"), ("1.7e308", "1e306"), ("1e-300", "3e-300")):
        for k, text in enumerate(pair):
            page.type_into(f"#costs input[data-prior='{k}']", text)
        shares = np.array(pair, dtype=float) / float(max(pair, key=float))
        rule = LeastCost(1 - np.eye(2), priors=shares / shares.sum())
        assert page.chosen == made.select(rule) == index_by_code(page.snippet, made)
        chosen.add(page.chosen)
    assert len(chosen) > 1
    page.type_into(COST.format("0,1"), "1,5")
    page.settle()
    assert page.chosen is None
    assert page.find(COST.format("0,1")).get_property("value") == "1,5"
    assert page.find(COST.format("0,1")).get_attribute("aria-invalid") == "true"


def test_mistakes_are_of_the_data_and_costs_of_what_is_entered(page, front):
    errors = 1.0 - (front.counts[:, range(3), range(3)].sum(axis=1) / front.counts[0].sum())
    assert page.text("#status").startswith(
        f"No. {page.chosen}, {errors[page.chosen]:.1%} of the cases wrong: the farthest"
    )
    equal = front.select(1 - np.eye(3))
    caption = f"What equal costs choose: no. {equal}, the fewest mistakes here, "
    caption += f"{errors[equal]:.1%} of the cases wrong"
    assert page.text("#equal-caption") == caption
    page.type_into("#costs input[data-prior='0']", "0.9")
    page.settle()
    priors = np.array([0.9, *front.priors[1:]])
    costs = front.expected_costs(1 - np.eye(3), priors=priors / priors.sum())
    wrong = f"{errors[page.chosen]:.1%} of the cases wrong"
    cost = f"expected cost {float(f'{costs[page.chosen]:.3g}')}"
    assert page.text("#status").startswith(f"No. {page.chosen}, {wrong}, {cost}: the least")
    assert page.text("#chosen-caption").startswith(
        f"Chosen: no. {page.chosen}, {wrong}, {cost}"
    )
    cost = f"expected cost {float(f'{costs[equal]:.3g}')}"
    assert page.text("#equal-caption") == f"{caption}, {cost}"


def test_a_choice_by_hand_is_given_up_for_what_was_before(page, front):
    page.type_into(COST.format("0,2"), "10")
    page.scroll_to("#members")
    page.settle()  # rows are drawn anew for the costs
    page.all("#members tbody button")[0].click()
    assert "Picked by hand" in page.wait(
        lambda: "hand" in page.text("#status") and page.text("#status")
    )
    page.type_into(FIELD.format("2"), "0.5")
    costs = 1.0 - np.eye(3)
    costs[0, 2] = 10.0
    assert page.chosen == front.select(WithinLimits({"well": 0.5}, then=LeastCost(costs)))


# --- the same choice as in Python -------------------------------------------------

TRIES = """
const [tries] = arguments;
const set = (field, value) => {
  field.value = value === null ? "" : String(value);
  field.dispatchEvent(new Event("input"));
};
const limits = new Map([...document.querySelectorAll("#limits input.number")]
  .map((field) => [field.dataset.key, field]));
const by = (mode) => {
  const button = document.querySelector(`input[name=mode][value=${mode}]`);
  button.checked = true;
  button.dispatchEvent(new Event("change"));
};
return tries.map(({ costs, priors, bounds }) => {
  document.getElementById("clear-limits").click();
  if (costs !== null) {
    for (const field of document.querySelectorAll("#costs input[data-pair]")) {
      const [k, j] = field.dataset.pair.split(",");
      set(field, costs[k][j]);
    }
    priors.forEach((prior, k) => {
      set(document.querySelector(`#costs input[data-prior="${k}"]`), prior);
    });
  }
  by(costs === null ? "distance" : "costs");
  for (const [key, bound] of Object.entries(bounds)) set(limits.get(key), bound);
  const { chosen } = document.body.dataset;
  const code = document.getElementById("snippet").textContent;
  return [chosen === "" ? null : Number(chosen), code];
});
"""

KINDS = {
    "two classes": lambda: drawn_front(2, size=40),
    "ties": lambda: drawn_front(3, size=6, n_costs=3000),
    "weighted": lambda: drawn_front(3, size=40, weighted=True, labels=["a", "b'", 'c"\\']),
    "by miss rates": lambda: drawn_front(4, size=15, objectives="miss_rates", n_costs=2000),
    "equal members": lambda: repeated(drawn_front(3, size=5, n_costs=400)),
    "truth values": lambda: drawn_front(2, size=20, labels=[False, True]),
    "floats": lambda: drawn_front(3, size=10, labels=[1.0, 2.0, 3.0]),
    "sphere": lambda: sphere_front(4, 400),
}


def _costs(rng, q):
    """Costs with ties and zeros, or of very different sizes."""
    values = [
        [0.0, 1.0, 1.0, 2.0, 3.0],
        [0.0, 1e-12, 1.0, 1e12, 1.0 + 1e-13],
        [1e-300, 1e300, 1.0, 0.0],
        [5e-324, 1.0, 1e-200],
        rng.uniform(0.0, 1.0, 50).tolist(),
        (10.0 ** rng.uniform(-4, 4, 50)).tolist(),
    ][rng.integers(6)]
    costs = rng.choice(values, (q, q))
    np.fill_diagonal(costs, 0.0)
    if not costs.any():
        costs[0, 1] = 1.0
    return costs


def _bounds(rng, made):
    """Limits at, just above and just below rates that members have, or at random."""
    q = made.n_classes
    keys = [(k, j) for k in range(q) for j in range(q) if k != j]
    keys += [] if q == 2 else [(k, None) for k in range(q)]
    bounds = {}
    for at in rng.choice(len(keys), rng.integers(0, min(5, len(keys) + 1)), replace=False):
        k, j = keys[at]
        rates = 1 - made.rates[:, k, k] if j is None else made.rates[:, k, j]
        value = np.quantile(rates, rng.uniform(0.1, 1.0) ** 0.5, method="nearest")
        value += rng.choice([0.0, 0.0, 1e-13, -1e-13, 1e-9, -1e-9])
        bounds[k, j] = float(
            np.clip(
                rng.choice([value, value, rng.uniform(), 0.0], p=[0.45, 0.45, 0.08, 0.02]),
                0.0,
                1.0,
            )
        )
    return bounds


@pytest.mark.parametrize("kind", KINDS)
def test_choices_are_those_of_select(browser, tmp_path, kind):
    made = KINDS[kind]()
    page = opened(browser, made, tmp_path)
    rng = np.random.default_rng(list(KINDS).index(kind))
    labels = made.classes.tolist()
    tries, rules = [], []
    for number in range(150):
        costs = _costs(rng, made.n_classes) if number % 4 else None
        priors = made.priors if rng.random() < 0.5 else rng.dirichlet(np.ones(made.n_classes))
        bounds = _bounds(rng, made)
        then = "distance" if costs is None else LeastCost(costs, priors=priors)
        limits = {
            labels[k] if j is None else (labels[k], labels[j]): bound
            for (k, j), bound in bounds.items()
        }
        rules.append(WithinLimits(limits, then=then) if limits else then)
        keys = {f"{k}" if j is None else f"{k},{j}": bound for (k, j), bound in bounds.items()}
        tries.append({
            "costs": None if costs is None else costs.tolist(),
            "priors": priors.tolist(),
            "bounds": keys,
        })  # fmt: skip
    found = page.run(TRIES, tries)
    expected = [index_or_none(made, rule) for rule in rules]
    assert [index for index, _ in found] == expected
    for index, code in found:
        if index is not None:
            assert index_by_code(code, made) == index
    assert expected.count(None) < 100
    assert len(set(expected)) > 5
    assert page.errors() == []
