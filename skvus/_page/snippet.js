// The choice as Python code.

function costCode(front, state) {
  const rows = state.costs.map((row) => `[${row.map(String).join(", ")}]`);
  const matrix = front.q < 4 ? `[${rows.join(", ")}]`
    : `[\n${rows.map((row) => `    ${row},`).join("\n")}\n]`;
  if (sameNumbers(state.priors, front.priors)) return `LeastCost(${matrix})`;
  return `LeastCost(${matrix}, priors=[${shares(state.priors).map(String).join(", ")}])`;
}

// Code of the rule, and the names that it needs.
function ruleCode(front, columns, state) {
  if (state.mode === "hand") return { code: String(state.hand), names: [] };
  const names = state.mode === "costs" ? ["LeastCost"] : [];
  const code = state.mode === "costs" ? costCode(front, state) : '"distance"';
  const bound = columns.filter((column) => state.limits.has(column.key));
  if (!bound.length) return { code, names };
  names.push("WithinLimits");
  const limits = bound.map((c) => `${c.code}: ${state.limits.get(c.key)}`);
  const inside = bound.length < 3 ? `{${limits.join(", ")}}`
    : `{\n${limits.map((limit) => `    ${limit},`).join("\n")}\n}`;
  const then = state.mode === "costs" ? `, then=${code}` : "";
  const isLong = inside.length + then.length > 70 && then && inside.indexOf("\n") < 0;
  if (isLong) return { code: `WithinLimits(\n    ${inside},\n    then=${code},\n)`, names };
  return { code: `WithinLimits(${inside}${then})`, names };
}

function sameNumbers(a, b) {
  return a.every((value, i) => value === b[i]);
}

function snippet(front, columns, state, chosen) {
  if (chosen === null) return "# Nothing is chosen, so there is no code for it.";
  const { code, names } = ruleCode(front, columns, state);
  const lines = names.length ? [`from skvus import ${names.join(", ")}`, ""] : [];
  const isLong = names.length > 0;
  if (isLong) lines.push(`rule = ${code}`);
  const rule = isLong ? "rule" : code;
  if (front.maker === "search") lines.push(`search.set_operating_point(${rule})`);
  else lines.push(`index = front.select(${rule})`, "front[index]", ...decideSo(front));
  return lines.join("\n");
}

// How new cases are decided as the member decides; a comment, as the page knows no model.
function decideSo(front) {
  if (front.costs === null) return [];
  if (areSorted(front)) {
    return ["# to decide so: skvus.CostMatrixClassifier(model, front.costs[index]).fit(X, y)"];
  }
  return [
    "# to decide so, with the classes in this order:",
    "# costs = pandas.DataFrame(front.costs[index], front.classes, front.classes)",
    "# skvus.CostMatrixClassifier(model, costs).fit(X, y)",
  ];
}

// Whether the classes are in the order in which classifiers have them; if unsure, they are not.
function areSorted({ labels, codes }) {
  const keys = labels.map((label) => (typeof label === "string"
    ? Array.from(label, (letter) => letter.codePointAt(0)) : [Number(label)]));
  const isSame = labels.every((label, k) => typeof label === typeof labels[0]
    && (typeof label === "string") === /^['"]/.test(codes[k]));
  return isSame && keys.every((key, k) => k === 0 || comesBefore(keys[k - 1], key));
}

function comesBefore(a, b) {
  const at = a.findIndex((value, place) => value !== b[place]);
  return at < 0 ? a.length < b.length : at < b.length && a[at] < b[at];
}
