// Confusion matrices, of the chosen operating point and of equal costs.

function classTable(front, kind, cell) {
  const { names } = front;
  const head = names.map((name) => make("th", { scope: "col" }, nameTag(name)));
  const rows = names.map((name, k) => make("tr", {},
    make("th", { scope: "row" }, nameTag(name)), ...names.map((_, j) => cell(k, j))));
  return make("table", { class: names.length > 6 ? `${kind} many` : kind },
    make("thead", {}, make("tr", {}, cornerCell(), ...head)), make("tbody", {}, ...rows));
}

function confusionTable(front, i) {
  const rates = ratesOf(front, i);
  const counts = countsOf(front, i);
  return classTable(front, "confusion",
    (k, j) => confusionCell(rates[k][j], counts && counts[k][j], k === j));
}

function confusionCell(share, count, isRight) {
  const cell = make("td", { "data-rate": share });
  if (count === null) cell.append(percent(share));
  else cell.append(grouped(count), make("small", {}, percent(share)));
  // right ones blue, mistakes orange; the darkest still carries black text
  const color = isRight ? "0, 114, 178" : "213, 94, 0";
  cell.style.background = `rgba(${color}, ${(0.06 + 0.44 * Math.min(1, share)).toFixed(3)})`;
  return cell;
}

// The costs by which a member decides, the least of them 1 if that is readable.
function ownCostTable(front, i) {
  const costs = costsOf(front, i);
  const positive = costs.flat().filter((cost) => cost > 0);
  const [least, most] = [Math.min(...positive), Math.max(...positive)];
  const unit = most / least < 1e4 ? least : most;
  return classTable(front, "own-costs",
    (k, j) => make("td", {}, String(tidy(costs[k][j] / unit))));
}

function makeMatrices(front, columns) {
  const details = byId("own-costs");
  let shown;
  byId("equal-matrix").append(confusionTable(front, front.equal));

  function drawOwnCosts() {
    if (details.hidden || !details.open) return;
    const tables = shown === null ? [] : [ownCostTable(front, shown)];
    byId("own-cost-table").replaceChildren(...tables);
  }

  function draw(view) {
    const { chosen } = view;
    const { equal } = front;
    byId("status").textContent = statusText(front, columns, view);
    byId("chosen-caption").textContent = chosen === null ? "None is chosen."
      : `Chosen: ${memberText(front, chosen)}${costText(view, chosen)}${
        chosen === equal ? ", as with equal costs" : ""}`;
    byId("equal-caption").textContent = `What equal costs choose: no. ${equal}, the fewest `
      + `mistakes here, ${errorText(front, equal)}${costText(view, equal)}`;
    if (chosen === shown) return;
    shown = chosen;
    const tables = chosen === null ? [] : [confusionTable(front, chosen)];
    details.hidden = front.costs === null || chosen === null;
    byId("chosen-matrix").replaceChildren(...tables);
    byId("chosen-params").textContent = chosen === null ? "" : paramsOf(front, chosen);
    drawOwnCosts();
  }

  details.addEventListener("toggle", drawOwnCosts);
  return { draw };
}
