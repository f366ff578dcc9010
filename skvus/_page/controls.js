// Limits as sliders and numbers, costs and frequencies as a table of numbers.

const KINDS = {
  rates: "Share of a class that is called another",
  misses: "Share of a class that is missed, in any way",
};

function makeLimits(front, columns, change) {
  // of many classes the miss rates are what people look for
  const kinds = front.q > 4 ? ["misses", "rates"] : ["rates", "misses"];
  const rows = [];
  for (const kind of kinds) {
    const own = columns.filter((column) => column.kind === kind)
      .map((column) => makeLimit(column, change));
    if (!own.length) continue;
    byId("limits").append(make("p", { class: "group", id: `limits-${kind}` }, KINDS[kind]),
      make("div", { class: "limit-list", role: "group", "aria-labelledby": `limits-${kind}` },
        ...own.map(({ row }) => row)));
    rows.push(...own);
  }

  function draw({ state }) {
    for (const { column, slider, field, row, most } of rows) {
      const limit = state.limits.get(column.key);
      row.classList.toggle("set", limit !== undefined);
      slider.setAttribute("aria-valuetext", limit === undefined ? "no limit" : String(limit));
      if (document.activeElement !== slider) slider.value = limit ?? most;
      if (document.activeElement !== field) field.value = limit ?? "";
    }
  }
  return { draw };
}

// Names as elements of their own: they may break the line, and neither turns the other round.
function columnTag({ name, other, label }) {
  const rest = other === null ? " missed" : make("span", {}, "as ", nameTag(other));
  return make("span", { class: "pair", title: label }, nameTag(name), " ", rest);
}

function makeLimit(column, change) {
  const most = roundUp(column.most);
  const slider = make("input", {
    type: "range", min: 0, max: most, step: "any", value: most, "data-key": column.key,
    "aria-label": `At most, slider: ${column.label}`,
  });
  const field = make("input", {
    type: "number", min: 0, max: 1, step: "any", placeholder: "any", inputmode: "decimal",
    "aria-label": `At most: ${column.label}`, "data-key": column.key,
  });
  slider.addEventListener("input", () => {
    const value = Number(slider.value);
    change.limit(column.key, value >= most ? null : tidy(value));
  });
  field.addEventListener("input", () => {
    const value = Number(field.value);
    const isLimit = field.value !== "" && value >= 0 && value <= 1;
    const isEmpty = field.value === "" && !field.validity.badInput;
    field.setCustomValidity(isEmpty || isLimit ? "" : "A rate is from 0 to 1.");
    field.reportValidity();
    change.limit(column.key, isLimit ? value : null);
  });
  const row = make("div", { class: "limit" }, columnTag(column), slider, field);
  return { column, slider, field, row, most };
}

function makeCosts(front, change) {
  const { q, names } = front;
  const fields = [];
  const costField = (k, j) => {
    const field = numberField(`Cost of calling ${names[k]} ${names[j]}`,
      (value) => change.cost(k, j, value));
    field.dataset.pair = `${k},${j}`;
    fields.push({ field, value: (state) => state.costs[k][j] });
    return make("td", {}, field);
  };
  const rows = names.map((name, k) => {
    const own = () => make("td", { class: "own" }, "0");
    const frequency = numberField(`Frequency of ${name}`, (value) => change.prior(k, value));
    frequency.dataset.prior = k;
    fields.push({ field: frequency, value: (state) => tidyShare(state.priors[k]) });
    return make("tr", {}, make("th", { scope: "row" }, nameTag(name)),
      ...names.map((_, j) => (k === j ? own() : costField(k, j))),
      make("td", { class: "frequency" }, frequency));
  });
  const head = make("tr", {}, cornerCell(),
    ...names.map((name) => make("th", { scope: "col" }, nameTag(name))),
    make("th", { scope: "col", class: "frequency" }, "frequency"));
  byId("costs").append(make("table", { class: q > 4 ? "costs many" : "costs" },
    make("thead", {}, head), make("tbody", {}, ...rows)));

  function draw({ state }) {
    for (const { field, value } of fields) {
      if (document.activeElement === field) continue;
      field.value = Number.isNaN(value(state)) ? "" : value(state);
    }
    for (const button of document.querySelectorAll("input[name=mode]")) {
      button.checked = button.value === state.mode;
    }
    byId("cost-note").textContent = costNote(state);
  }
  return { draw };
}

function costNote(state) {
  const what = "must be numbers of at least 0, and one of them positive.";
  if (!costsAreValid(state.costs)) return `Costs ${what}`;
  return priorsAreValid(state.priors) ? "" : `Frequencies ${what}`;
}

const tidyShare = (value) => Number(value.toPrecision(4));

// Which way the rows and the columns of a table of classes go.
const cornerCell = () => make("td", { class: "corner" }, "true ↓", make("br"), "called →");

function numberField(label, set) {
  return make("input", {
    type: "number", min: 0, step: "any", inputmode: "decimal", "aria-label": label,
    oninput: (event) => set(event.target.value === "" ? NaN : Number(event.target.value)),
  });
}
