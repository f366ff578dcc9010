// Limits as sliders and numbers.

const KINDS = {
  rates: "Share of a class that is called another",
  misses: "Share of a class that is missed, in any way",
};
// With more, the list scrolls in a box of its own.
const MOST_ROWS = 12;

function makeLimits(front, columns, change) {
  // of many classes the miss rates are what people look for
  const kinds = front.q > 4 ? ["misses", "rates"] : ["rates", "misses"];
  const box = byId("limits");
  const rows = [];
  for (const kind of kinds) {
    const own = columns.filter((column) => column.kind === kind)
      .map((column) => makeLimit(column, change));
    if (!own.length) continue;
    box.append(make("p", { class: "group", id: `limits-${kind}` }, KINDS[kind]),
      make("div", { class: "limit-list", role: "group", "aria-labelledby": `limits-${kind}` },
        ...own.map(({ row }) => row)));
    rows.push(...own);
  }
  box.classList.toggle("tall", rows.length > MOST_ROWS);

  function draw(view) {
    for (const row of rows) row.draw(view);
  }
  return { draw, reveal: () => reveal(box) };
}

// The limits that are set are in sight; where the box is too small for that, it grows.
function reveal(box) {
  const set = [...box.querySelectorAll(".limit.set")].map((row) => row.getBoundingClientRect());
  if (!set.length) return;
  const top = Math.min(...set.map((place) => place.top));
  const bottom = Math.max(...set.map((place) => place.bottom));
  if (bottom - top > box.clientHeight) box.classList.remove("tall");
  else box.scrollTop += Math.max(0, bottom - box.getBoundingClientRect().bottom + 4);
}

// Names as elements of their own: they may break the line, and neither turns the other round.
function columnTag({ name, other, label }) {
  const rest = other === null ? " missed" : make("span", {}, "as ", nameTag(other));
  return make("span", { class: "pair", title: label }, nameTag(name), " ", rest);
}

// What is written in a field: a limit, null for none, NaN if it cannot be one.
function limitOf(text) {
  const value = numberOf(text);
  if (value === undefined) return null;
  return value >= 0 && value <= 1 ? value : NaN;
}

function unclearText(text) {
  const isComma = /^\s*[01]?,\d+\s*$/.test(text);
  return isComma ? `Write a point, not a comma: ${text.trim().replace(",", ".")}.`
    : "A rate is from 0 to 1; 5% is 0.05.";
}

function makeLimit(column, change) {
  const most = roundUp(column.most);
  const slider = make("input", {
    type: "range", min: 0, max: most, step: "any", value: most, "data-key": column.key,
    "aria-label": `At most, slider: ${column.label}`,
  });
  const note = make("p", { class: "row-note", id: `limit-note-${column.key}` });
  const field = make("input", {
    type: "text", class: "number", placeholder: "any", autocomplete: "off",
    spellcheck: "false", "aria-label": `At most: ${column.label}`, "data-key": column.key,
    "aria-describedby": note.id,
  });
  slider.addEventListener("input", () => {
    const value = Number(slider.value);
    change.limit(column.key, value >= most ? null : tidy(value));
  });
  field.addEventListener("input", () => change.limit(column.key, limitOf(field.value)));
  const row = make("div", { class: "limit" }, columnTag(column), slider, field, note);

  function noteText(isUnclear, least) {
    if (isUnclear) return unclearText(field.value);
    if (least === undefined) return "";
    return Number.isFinite(least) ? `Reachable while the others hold: ${notBelow(least)}`
      : "Not enough to raise this one";
  }

  function draw({ state, reach }) {
    const limit = state.limits.get(column.key);
    const isUnclear = state.unclear.has(column.key);
    row.classList.toggle("set", limit !== undefined || isUnclear);
    slider.setAttribute("aria-valuetext", limit === undefined ? "no limit" : String(limit));
    if (document.activeElement !== slider) slider.value = limit ?? most;
    // what is written stays as it is while it says the same
    const stated = isUnclear ? NaN : limit ?? null;
    if (!Object.is(limitOf(field.value), stated)) field.value = limit ?? "";
    markField(field, isUnclear);
    const text = noteText(isUnclear, reach.get(column.key));
    if (note.textContent !== text) note.textContent = text;
  }
  return { row, draw };
}

function markField(field, isWrong) {
  if (isWrong) field.setAttribute("aria-invalid", "true");
  else field.removeAttribute("aria-invalid");
}
