// The choice as Python code.

function ruleCode(front, columns, state) {
  const names = new Set();
  if (state.mode === "hand") return { code: String(state.hand), names };
  let code = '"distance"';
  if (state.mode === "costs") {
    names.add("LeastCost");
    const rows = state.costs.map((row) => `[${row.map(String).join(", ")}]`);
    code = `LeastCost([${rows.join(", ")}]`;
    if (!sameNumbers(state.priors, front.priors)) {
      code += `, priors=[${shares(state.priors).map(String).join(", ")}]`;
    }
    code += ")";
  }
  const bound = columns.filter((column) => state.limits.has(column.key));
  if (bound.length) {
    names.add("WithinLimits");
    const limits = bound.map((c) => `${c.code}: ${state.limits.get(c.key)}`);
    const then = state.mode === "costs" ? `, then=${code}` : "";
    code = `WithinLimits({${limits.join(", ")}}${then})`;
  }
  return { code, names };
}

function sameNumbers(a, b) {
  return a.every((value, i) => value === b[i]);
}

function snippet(front, columns, state) {
  const { code, names } = ruleCode(front, columns, state);
  const lines = [];
  if (names.size) lines.push(`from skvus import ${[...names].sort().join(", ")}`, "");
  if (front.maker === "search") lines.push(`search.set_operating_point(${code})`);
  else lines.push(`index = front.select(${code})`, "front[index]");
  return lines.join("\n");
}
