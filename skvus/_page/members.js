// The list of operating points within the limits, a page at a time.

const ROWS = 12;

function memberColumns(front, expected) {
  const misses = front.q <= 6 ? front.names.map((name, k) => ({
    head: [nameTag(name), make("br"), "missed"], value: (i) => front.misses[i * front.q + k],
  })) : [];
  return [
    { head: ["no."], value: (i) => i },
    ...misses,
    { head: ["wrong"], value: (i) => errorOf(front, i), title: "Share of the cases" },
    {
      head: ["distance"],
      value: (i) => distanceOf(front, i),
      title: "Signed distance from random allocation: negative is better than random",
    },
    { head: ["cost"], value: expected, title: "Expected cost of a case, by the costs given" },
  ];
}

function makeMembers(front, change) {
  const head = make("tr");
  const body = make("tbody");
  byId("members").append(make("thead", {}, head), body);
  const columns = memberColumns(front, (i) => last.expected[i]);
  let last = null;
  let order = { column: null, sign: 1 };
  let start = 0;
  let rows = [];

  head.append(...columns.map((column) => {
    const button = make("button", {
      type: "button", title: column.title, onclick: () => sortBy(column),
    }, ...column.head);
    column.cell = make("th", { scope: "col" }, button);
    return column.cell;
  }));
  if (front.params !== null) {
    head.append(make("th", { scope: "col", class: "params" }, "parameters"));
  }

  function sortBy(column) {
    order = { column, sign: order.column === column ? -order.sign : 1 };
    start = 0;
    sort();
    render();
  }

  function sort() {
    rows = last.within;
    const { column, sign } = order;
    for (const other of columns) other.cell.removeAttribute("aria-sort");
    if (column === null) return;
    column.cell.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
    const values = new Float64Array(front.n);
    for (const i of rows) values[i] = column.value(i);
    rows = [...rows].sort((a, b) => sign * (values[a] - values[b]) || a - b);
  }

  function render() {
    start = clamp(start, 0, Math.max(0, ROWS * (Math.ceil(rows.length / ROWS) - 1)));
    const page = rows.slice(start, start + ROWS);
    body.replaceChildren(...page.map(row));
    byId("page").textContent = rows.length
      ? `${grouped(start + 1)} to ${grouped(start + page.length)} of ${grouped(rows.length)}`
      : "none";
    byId("earlier").disabled = start === 0;
    byId("later").disabled = start + ROWS >= rows.length;
  }

  function row(i) {
    const isChosen = i === last.chosen;
    const button = make("button", {
      type: "button", "aria-pressed": String(isChosen), "aria-label": `Choose no. ${i}`,
    }, String(i));
    const cells = columns.slice(1).map(({ value }) => make("td", {}, show(value(i))));
    if (front.params !== null) {
      const params = paramsOf(front, i);
      cells.push(make("td", { class: "params", title: params }, params));
    }
    return make("tr", {
      "data-index": i, class: isChosen ? "is-chosen" : null, onclick: () => change.pick(i),
      onpointerenter: () => change.hover(i), onpointerleave: () => change.hover(null),
    }, make("th", { scope: "row" }, button), ...cells);
  }

  function show(value) {
    if (Number.isNaN(value)) return "–";
    const isPlain = value === 0 || (Math.abs(value) >= 5e-5 && Math.abs(value) < 1e6);
    return isPlain ? rate(value) : value.toExponential(2);
  }

  function draw(view) {
    const isNew = last === null || view.within !== last.within
      || (order.column === columns.at(-1) && view.expected !== last.expected);
    last = view;
    if (isNew) {
      start = 0;
      sort();
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

  function mark({ hovered }) {
    for (const tr of body.rows) {
      tr.classList.toggle("is-hovered", Number(tr.dataset.index) === hovered);
    }
  }

  byId("earlier").addEventListener("click", () => { start -= ROWS; render(); });
  byId("later").addEventListener("click", () => { start += ROWS; render(); });
  return { draw, mark };
}
