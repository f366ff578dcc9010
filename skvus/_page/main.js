// State, and what follows from it.

function initialState(front) {
  const { start } = front;
  return {
    limits: new Map(Object.entries(start.limits)),
    // keys of the fields that hold what can be no limit
    unclear: new Set(),
    mode: start.mode,
    // what is gone back to when a choice by hand is given up
    rule: start.mode === "hand" ? "distance" : start.mode,
    hand: start.index,
    costs: start.costs.map((row) => [...row]),
    priors: [...start.priors],
  };
}

function startPage(front) {
  const columns = makeColumns(front);
  const state = initialState(front);
  let view = { within: null, hovered: null };

  const drawAll = onFrame(() => { for (const part of parts) part.draw(view); });
  const markAll = onFrame(() => { for (const part of parts) if (part.mark) part.mark(view); });

  function apply() {
    let { within, chosen } = choose(front, columns, state);
    // the same members are the same list, so that nobody draws them again
    if (view.within && sameMembers(view.within, within)) within = view.within;
    const expected = expectedOf(front, state);
    const reach = within.length ? new Map() : reachable(front, columns, state.limits);
    view = { state, within, chosen, expected, reach, hovered: null };
    document.body.dataset.chosen = chosen === null ? "" : chosen;
    document.body.dataset.within = within.length;
    byId("snippet").textContent = snippet(front, columns, state, chosen);
    byId("export").disabled = chosen === null;
    byId("copy").disabled = chosen === null;
    byId("copied").textContent = "";
    byId("clear-limits").disabled = !state.limits.size && !state.unclear.size;
    drawAll();
  }

  function setMode(mode) {
    state.mode = mode;
    if (mode !== "hand") state.rule = mode;
    apply();
  }

  const change = {
    // null is no limit, NaN what can be none
    limit(key, value) {
      state.limits.delete(key);
      state.unclear.delete(key);
      if (Number.isNaN(value)) state.unclear.add(key);
      else if (value !== null) state.limits.set(key, value);
      setMode(state.rule);
    },
    cost(k, j, value) { state.costs[k][j] = value; setMode("costs"); },
    prior(k, value) { state.priors[k] = value; setMode("costs"); },
    pick(index) { state.hand = index; setMode("hand"); },
    hover(index) {
      if (view.hovered === index) return;
      view.hovered = index;
      markAll();
    },
  };
  const zoom = makeZoom(front, columns);
  const parallel = makeParallel(front, columns, zoom, change);
  const limits = makeLimits(front, columns, change);
  const space = makeSpace(front, zoom, change);
  const parts = [parallel, makeMatrices(front, columns), limits, makeCosts(front, change),
    space, makeMembers(front, change)];
  connectModes(front, state, setMode, () => view.chosen);
  connectResults(() => exported(front, columns, state, view.chosen));
  connectAxes(front, columns, state, parallel);
  for (const [id, step] of [["zoom-in", 1], ["zoom-out", -1]]) {
    byId(id).addEventListener("click", () => {
      zoom.go(step);
      parallel.refresh();
      space.refresh();
    });
  }
  apply();
  for (const part of parts) part.draw(view);
  limits.reveal();
  parallel.reveal();
}

function expectedOf(front, state) {
  if (!costsAreValid(state.costs) || !priorsAreValid(state.priors)) {
    return new Float64Array(front.n).fill(NaN);
  }
  const dearest = Math.max(...state.costs.flat());
  return expectedCosts(front, front.everyone, state.costs, shares(state.priors))
    .map((cost) => cost * dearest);
}

function sameMembers(a, b) {
  return a.length === b.length && a.every((member, at) => member === b[at]);
}

function connectAxes(front, columns, { limits }, parallel) {
  const buttons = [...document.querySelectorAll("input[name=axes]")];
  const limited = new Set(columns.filter((column) => limits.has(column.key))
    .map((column) => column.kind));
  // beyond four classes there are more kinds of mistakes than a screen is wide
  const usual = front.q > 4 ? "misses" : "rates";
  const first = limited.size === 1 ? [...limited][0] : usual;
  for (const button of buttons) {
    button.checked = button.value === first;
    button.addEventListener("change", () => parallel.show(button.value));
  }
  buttons[0].closest(".switch").hidden = front.q === 2;
  parallel.show(front.q === 2 ? "rates" : first);
}

function connectModes(front, state, setMode, chosen) {
  const on = (id, action) => byId(id).addEventListener("click", action);
  on("clear-limits", () => {
    state.limits.clear();
    state.unclear.clear();
    setMode(state.rule);
  });
  on("equal-costs", () => {
    state.costs = state.costs.map((row, k) => row.map((_, j) => (k === j ? 0 : 1)));
    setMode("costs");
  });
  on("own-priors", () => { state.priors = [...front.priors]; setMode("costs"); });
  for (const button of document.querySelectorAll("input[name=mode]")) {
    button.addEventListener("change", () => {
      if (button.value === "hand") state.hand = chosen() ?? front.start.index;
      setMode(button.value);
    });
  }
}

function connectResults(content) {
  byId("copy").addEventListener("click", async () => {
    const isCopied = await copyText(byId("snippet"));
    byId("copied").textContent = isCopied ? "Copied." : "Selected: copy it with Ctrl+C.";
  });
  byId("export").addEventListener("click", () => saveJson(content()));
}

async function copyText(element) {
  try {
    await navigator.clipboard.writeText(element.textContent);
    return true;
  } catch {  // pages from disk may not be allowed to
    const range = document.createRange();
    range.selectNodeContents(element);
    getSelection().removeAllRanges();
    getSelection().addRange(range);
    return document.execCommand("copy");
  }
}

function exported(front, columns, state, i) {
  return {
    kind: "skvus.OperatingPoint", index: i, classes: front.labels, rates: ratesOf(front, i),
    counts: countsOf(front, i), cost_matrix: costsOf(front, i),
    params: front.params === null ? null : paramsOf(front, i),
    code: snippet(front, columns, state, i),
  };
}

function saveJson(content) {
  const address = URL.createObjectURL(
    new Blob([`${JSON.stringify(content, null, 1)}\n`], { type: "application/json" }));
  const link = make("a", { href: address, download: `operating-point-${content.index}.json` });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

function describe(front) {
  byId("title").textContent = front.title;
  byId("summary").textContent = front.summary;
  byId("notes").append(...front.notes.flatMap(
    ([term, text]) => [make("dt", {}, term), make("dd", {}, text)]));
  byId("notes-section").hidden = !front.notes.length;
  document.querySelector("main").classList.toggle("many", front.q > 4);
  findAlike(front.names);
}

try {
  const front = readFront(JSON.parse(byId("data").textContent));
  describe(front);
  document.querySelector("main").hidden = false;
  startPage(front);
  document.body.dataset.ready = "yes";
} catch (error) {
  byId("failure").textContent = `This page could not be shown: ${error.message}`;
  byId("failure").hidden = false;
  throw error;
}
