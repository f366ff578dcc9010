// State, and what follows from it.

function initialState(front) {
  const state = { limits: new Map(Object.entries(front.start.limits)) };
  state.mode = front.start.mode;
  state.hand = front.start.index;
  state.costs = front.start.costs.map((row) => [...row]);
  state.priors = [...front.start.priors];
  return state;
}

function startPage(front) {
  const columns = makeColumns(front);
  const state = initialState(front);
  let view = null;
  let isWaiting = false;

  function apply() {
    let { within, chosen } = choose(front, columns, state);
    // the same members are the same list, so that nobody draws them again
    if (view && sameMembers(view.within, within)) within = view.within;
    const expected = costsAreValid(state.costs) && priorsAreValid(state.priors)
      ? expectedCosts(front, front.everyone, state.costs, shares(state.priors))
      : new Float64Array(front.n).fill(NaN);
    view = { state, within, chosen, expected };
    document.body.dataset.chosen = chosen === null ? "" : chosen;
    document.body.dataset.within = within.length;
    byId("snippet").textContent = snippet(front, columns, state);
    byId("export").disabled = chosen === null;
    if (isWaiting) return;
    isWaiting = true;
    requestAnimationFrame(() => {
      isWaiting = false;
      for (const part of parts) part.draw(view);
    });
  }

  const change = {
    limit(key, value) {
      if (value === null) state.limits.delete(key);
      else state.limits.set(key, value);
      if (state.mode === "hand") state.mode = "distance";
      apply();
    },
    cost(k, j, value) { state.costs[k][j] = value; state.mode = "costs"; apply(); },
    prior(k, value) { state.priors[k] = value; state.mode = "costs"; apply(); },
    pick(index) { state.mode = "hand"; state.hand = index; apply(); },
  };
  const parallel = makeParallel(front, columns, change);
  const parts = [parallel, makeMatrices(front), makeLimits(front, columns, change),
    makeCosts(front, change), makeSpace(front, change), makeMembers(front, change)];
  connectButtons(front, columns, state, change, apply, () => view);
  connectAxes(front, parallel);
  apply();
}

function sameMembers(a, b) {
  return a.length === b.length && a.every((member, at) => member === b[at]);
}

function connectAxes(front, parallel) {
  const buttons = [...document.querySelectorAll("input[name=axes]")];
  // beyond four classes there are more kinds of mistakes than a screen is wide
  const first = front.q > 4 ? "misses" : "rates";
  for (const button of buttons) {
    button.checked = button.value === first;
    button.addEventListener("change", () => parallel.show(button.value));
  }
  buttons[0].closest(".switch").hidden = front.q === 2;
  parallel.show(front.q === 2 ? "rates" : first);
}

function connectButtons(front, columns, state, change, apply, current) {
  const on = (id, action) => byId(id).addEventListener("click", action);
  on("clear-limits", () => { state.limits.clear(); apply(); });
  on("equal-costs", () => {
    state.costs = state.costs.map((row, k) => row.map((_, j) => (k === j ? 0 : 1)));
    state.mode = "costs";
    apply();
  });
  on("own-priors", () => { state.priors = [...front.priors]; apply(); });
  for (const button of document.querySelectorAll("input[name=mode]")) {
    button.addEventListener("change", () => {
      if (button.value === "hand") state.hand = current().chosen ?? front.start.index;
      state.mode = button.value;
      apply();
    });
  }
  on("copy", async () => {
    const isCopied = await copyText(byId("snippet"));
    byId("copied").textContent = isCopied ? "Copied." : "Selected: copy it with Ctrl+C.";
  });
  on("export", () => saveJson(exported(front, columns, state, current().chosen)));
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
    params: front.params === null ? null : front.params[front.paramsOf[i]],
    code: snippet(front, columns, state),
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
