// The list of operating points within the limits, a page at a time.

const ROWS = 20;

function makeMembers(front, change) {
  const table = byId("members");
  const head = make("tr");
  const body = make("tbody");
  table.append(make("thead", {}, head), body);
  let last = null;
  let order = { column: null, sign: 1 };
  let start = 0;
  let rows = [];

  const columns = [
    { label: "no.", value: (i) => i, text: (i) => String(i) },
    ...(front.q <= 8 ? front.names.map((name, k) => ({
      label: `${name} missed`, value: (i) => front.misses[i * front.q + k],
    })) : []),
    { label: "error", value: (i) => errorOf(front, i) },
    { label: "distance", value: (i) => distanceOf(front, i) },
    { label: "cost", value: (i) => last.expected[i] },
  ];

  head.append(...columns.map((column) => {
    const button = make("button", { type: "button", onclick: () => sortBy(column) }, nameTag(column.label));
    column.cell = make("th", { scope: "col" }, button);
    return column.cell;
  }), make("th", { scope: "col" }, front.params === null ? "" : "parameters"));

  function sortBy(column) {
    order = { column, sign: order.column === column ? -order.sign : 1 };
    start = 0;
    sorted();
    render();
  }

  function sorted() {
    rows = last.within;
    const { column, sign } = order;
    for (const other of columns) other.cell.removeAttribute("aria-sort");
    if (column === null) return;
    column.cell.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
    rows = [...rows].sort((a, b) => sign * (column.value(a) - column.value(b)) || a - b);
  }

  function render() {
    start = Math.max(0, Math.min(start, ROWS * (Math.ceil(rows.length / ROWS) - 1)));
    const page = rows.slice(start, start + ROWS);
    body.replaceChildren(...page.map(row));
    byId("page").textContent = rows.length
      ? `${grouped(start + 1)} to ${grouped(start + page.length)} of ${grouped(rows.length)}` : "none";
    byId("earlier").disabled = start === 0;
    byId("later").disabled = start + ROWS >= rows.length;
  }

  function row(i) {
    const isChosen = i === last.chosen;
    const cells = columns.map(({ value, text }) => make("td", {}, text ? text(i) : show(value(i))));
    const button = make("button", {
      type: "button", "aria-pressed": String(isChosen), onclick: () => change.pick(i),
    }, isChosen ? "chosen" : "choose");
    const params = front.params === null ? [] : [paramsTag(front.params[front.paramsOf[i]])];
    return make("tr", { "data-index": i, class: isChosen ? "is-chosen" : null }, ...cells,
      make("td", { class: "params" }, button, " ", ...params));
  }

  const show = (value) => (Number.isNaN(value) ? "–" : rate(value));
  const paramsTag = (text) => make("span", { title: text }, text);

  function draw(view) {
    const isNew = last === null || view.within !== last.within
      || (order.column && order.column.label === "cost");
    last = view;
    if (isNew) {
      start = 0;
      sorted();
    }
    const at = rows.indexOf(view.chosen);
    const isByHand = body.contains(document.activeElement);
    if (at >= 0 && !isByHand) start = ROWS * Math.floor(at / ROWS);
    render();
    if (isByHand) {
      const button = body.querySelector(`tr[data-index="${view.chosen}"] button`);
      if (button) button.focus();
    }
  }

  byId("earlier").addEventListener("click", () => { start -= ROWS; render(); });
  byId("later").addEventListener("click", () => { start += ROWS; render(); });
  return { draw };
}

function errorOf(front, i) {
  return front.priors.reduce((sum, prior, k) => sum + prior * front.misses[i * front.q + k], 0);
}
