// Costs and frequencies, as a table of numbers.

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
    fields.push({ field: frequency, value: (state) => state.priors[k], shown: tidyShare });
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
    for (const { field, value, shown } of fields) {
      const now = value(state);
      const text = Number.isNaN(now) ? field.value : String((shown ?? Number)(now));
      // what is written stays as it is while it says the same
      if (!Object.is(numberOf(field.value), now) && field.value !== text) field.value = text;
      markField(field, !isAmount(now));
    }
    for (const button of document.querySelectorAll("input[name=mode]")) {
      button.checked = button.value === state.mode;
    }
    byId("cost-note").textContent = costNote(state);
  }
  return { draw };
}

function costNote(state) {
  const what = "must be numbers of at least 0 (1.5, not 1,5), and one of them positive.";
  if (!costsAreValid(state.costs)) return `Costs ${what}`;
  return priorsAreValid(state.priors) ? "" : `Frequencies ${what}`;
}

const tidyShare = (value) => Number(value.toPrecision(4));

// Which way the rows and the columns of a table of classes go.
const cornerCell = () => make("td", { class: "corner" }, "true ↓", make("br"), "called →");

function numberField(label, set) {
  return make("input", {
    type: "text", class: "number", autocomplete: "off", spellcheck: "false",
    "aria-label": label, oninput: (event) => set(numberOf(event.target.value) ?? NaN),
  });
}
