// Confusion matrices, of the chosen operating point and of equal costs.

function confusionTable(front, i) {
  const rates = ratesOf(front, i);
  const counts = countsOf(front, i);
  const head = make("tr", {}, make("td"),
    ...front.names.map((name) => make("th", { scope: "col" }, nameTag(`called ${name}`))));
  const rows = front.names.map((name, k) => make("tr", {}, make("th", { scope: "row" }, nameTag(name)),
    ...front.names.map((_, j) => confusionCell(rates[k][j], counts && counts[k][j], k === j))));
  return make("table", { class: "confusion" }, make("thead", {}, head), make("tbody", {}, ...rows));
}

function confusionCell(share, count, isRight) {
  const percent = `${(100 * share).toFixed(1)}%`;
  const cell = make("td", { "data-rate": share });
  if (count === null) cell.append(percent);
  else cell.append(grouped(count), make("small", {}, percent));
  // right ones blue, mistakes orange; the darkest still carries black text
  const color = isRight ? "0, 114, 178" : "213, 94, 0";
  cell.style.background = `rgba(${color}, ${(0.06 + 0.44 * Math.min(1, share)).toFixed(3)})`;
  return cell;
}

function makeMatrices(front) {
  byId("equal-caption").textContent = `Equal costs: no. ${front.equal}, ${summaryOf(front, front.equal)}`;
  byId("equal-matrix").append(confusionTable(front, front.equal));

  function draw({ state, within, chosen }) {
    const box = byId("chosen-matrix");
    byId("chosen-name").textContent = chosen === null ? "none" : `no. ${chosen}`;
    byId("status").textContent = statusText(front, state, within, chosen);
    byId("chosen-caption").textContent = chosen === null ? "" : `No. ${chosen}, ${summaryOf(front, chosen)}`;
    if (chosen === null) box.replaceChildren();
    else box.replaceChildren(confusionTable(front, chosen));
  }
  return { draw };
}

function summaryOf(front, i) {
  return `${(100 * errorOf(front, i)).toFixed(1)}% wrong`;
}

function statusText(front, state, within, chosen) {
  const many = `${grouped(within.length)} of ${grouped(front.n)} operating points are within the limits`;
  if (!within.length) return "No operating point is within all limits: raise one of them.";
  if (chosen === null) return `${many}; costs or frequencies are not valid.`;
  const how = {
    distance: "the chosen one is the farthest from random allocation",
    costs: "the chosen one has the least expected cost",
    hand: "the chosen one was picked by hand",
  }[state.mode];
  return `${many}; ${how}.`;
}
