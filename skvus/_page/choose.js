// The rules of skvus' ROCFront.select, to the same tolerances.

const SAME = 1e-12;

// Members with the least value; those that agree to rounding stay together.
function leastOf(members, value) {
  let least = Infinity;
  for (const i of members) least = Math.min(least, value(i));
  const slack = Number.isFinite(least) ? SAME * Math.max(1, Math.abs(least)) : 0;
  return members.filter((i) => value(i) <= least + slack);
}

function byDistance(front, members) {
  const farthest = leastOf(members, (i) => front.sums[i]);
  return leastOf(farthest, (i) => front.largest[i])[0];
}

// Expected cost of each member; costs is a matrix.
function expectedCosts(front, members, costs, priors) {
  const { d, pairs, points } = front;
  const dearest = Math.max(...pairs.map(([k, j]) => costs[k][j]));
  const weights = pairs.map(([k, j]) => priors[k] * (costs[k][j] / dearest));
  const values = new Float64Array(front.n);
  for (const i of members) {
    let sum = 0;
    for (let c = 0; c < d; c++) sum += weights[c] * points[i * d + c];
    values[i] = sum;
  }
  return values;
}

function byCosts(front, members, costs, priors) {
  const values = expectedCosts(front, members, costs, priors);
  let unit = Infinity;
  for (const i of members) if (values[i] > 0) unit = Math.min(unit, values[i]);
  if (unit === Infinity) unit = 1;
  const cheapest = leastOf(members, (i) => values[i] / unit);
  return byDistance(front, cheapest);
}

function withinLimits(front, columns, limits) {
  const bound = columns.filter((column) => limits.has(column.key));
  if (!bound.length) return front.everyone;
  return front.everyone.filter((i) => bound.every((column) => keeps(column, limits, i)));
}

const keeps = (column, limits, i) => column.value(i) - limits.get(column.key) <= SAME;

// For each limit the least rate of those that keep all others; infinite if nobody does.
function reachable(front, columns, limits) {
  const bound = columns.filter((column) => limits.has(column.key));
  const least = new Map(bound.map((column) => [column.key, Infinity]));
  for (const i of front.everyone) {
    const broken = bound.filter((column) => !keeps(column, limits, i));
    // who keeps all but one is all that a limit is raised for
    for (const column of broken.length > 1 ? [] : broken.length ? broken : bound) {
      least.set(column.key, Math.min(least.get(column.key), column.value(i)));
    }
  }
  return least;
}

const isAmount = (value) => Number.isFinite(value) && value >= 0;

function costsAreValid(costs) {
  const all = costs.flat();
  return all.every(isAmount) && all.some((cost) => cost > 0);
}

function priorsAreValid(priors) {
  return priors.every(isAmount) && priors.some((prior) => prior > 0);
}

// Of a state: members within the limits, and the index of the chosen one or null.
function choose(front, columns, state) {
  const within = withinLimits(front, columns, state.limits);
  let chosen = null;
  if (state.mode === "hand") chosen = state.hand;
  else if (state.unclear.size) chosen = null;
  else if (within.length && state.mode === "distance") chosen = byDistance(front, within);
  else if (within.length && costsAreValid(state.costs) && priorsAreValid(state.priors)) {
    chosen = byCosts(front, within, state.costs, shares(state.priors));
  }
  return { within, chosen };
}

function shares(values) {
  // huge ones have a sum beyond all numbers
  const most = Math.max(...values);
  const sum = values.reduce((total, value) => total + value / most, 0);
  return values.map((value) => value / most / sum);
}
