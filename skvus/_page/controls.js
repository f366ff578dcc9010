// Limits as sliders and numbers, costs and frequencies as a table of numbers.

function makeLimits(front, columns, change) {
  const box = byId("limits");
  const rows = [];
  let group = null;
  for (const column of columns) {
    if (column.kind !== group) {
      group = column.kind;
      const title = group === "rates" ? "Share of a class that is called another" : "Share of a class that is missed";
      box.append(make("p", { class: "group" }, title));
    }
    const most = roundUp(column.most);
    const slider = make("input", {
      type: "range", min: 0, max: most, step: "any", value: most, "aria-label": `At most, slider: ${column.label}`,
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
      const isLimit = field.value !== "" && Number.isFinite(value) && value >= 0 && value <= 1;
      field.setCustomValidity(field.value === "" || isLimit ? "" : "A rate is from 0 to 1.");
      field.reportValidity();
      change.limit(column.key, isLimit ? value : null);
    });
    const row = make("div", { class: "limit" }, nameTag(column.label), slider, field);
    box.append(row);
    rows.push({ column, slider, field, row, most });
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

function makeCosts(front, change) {
  const { q, names } = front;
  const fields = [];
  const frequencies = [];
  const head = make("tr", {}, make("td"), ...names.map((name) => make("th", { scope: "col" }, nameTag(`as ${name}`))),
    make("th", { scope: "col" }, "frequency"));
  const rows = names.map((name, k) => {
    const cells = names.map((other, j) => {
      if (k === j) return make("td", { class: "own" }, "0");
      const field = numberField(`Cost of calling ${name} ${other}`, (value) => change.cost(k, j, value));
      field.dataset.pair = `${k},${j}`;
      fields.push({ k, j, field });
      return make("td", {}, field);
    });
    const field = numberField(`Frequency of ${name}`, (value) => change.prior(k, value));
    field.dataset.prior = k;
    frequencies.push(field);
    return make("tr", {}, make("th", { scope: "row" }, nameTag(name)), ...cells, make("td", {}, field));
  });
  byId("costs").append(make("table", { class: "costs" }, make("caption", { class: "hint" },
    "Rows are true classes. Only proportions matter."), make("thead", {}, head), make("tbody", {}, ...rows)));

  function draw({ state, within }) {
    for (const { k, j, field } of fields) {
      if (document.activeElement !== field) field.value = Number.isNaN(state.costs[k][j]) ? "" : state.costs[k][j];
    }
    frequencies.forEach((field, k) => {
      if (document.activeElement !== field) field.value = Number.isNaN(state.priors[k]) ? "" : tidyShare(state.priors[k]);
    });
    for (const button of document.querySelectorAll("input[name=mode]")) button.checked = button.value === state.mode;
    byId("cost-note").textContent = costNote(state);
  }

  function costNote(state) {
    if (!costsAreValid(state.costs)) return "Costs must be numbers of at least 0, and one of them positive.";
    if (!priorsAreValid(state.priors)) return "Frequencies must be numbers of at least 0, and one of them positive.";
    return "";
  }
  return { draw };
}

const tidyShare = (value) => Number(value.toPrecision(6));

function numberField(label, set) {
  return make("input", {
    type: "number", min: 0, step: "any", inputmode: "decimal", "aria-label": label,
    oninput: (event) => set(event.target.value === "" ? NaN : Number(event.target.value)),
  });
}
