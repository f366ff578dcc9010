// What is said of members and of the choice.

const WORST_SHOWN = 3;

const memberText = (front, i) => `no. ${i}, ${errorText(front, i)}`;
const errorText = (front, i) => `${percent(errorOf(front, i))} of the cases wrong`;
const capital = (text) => text[0].toUpperCase() + text.slice(1);

// What a member costs by the costs and frequencies given, when these choose.
function costText({ state, expected }, i) {
  return state.mode === "costs" && !Number.isNaN(expected[i])
    ? `, expected cost ${tidy(expected[i])}` : "";
}

function statusText(front, columns, view) {
  const { state, within, chosen } = view;
  if (state.mode === "hand") {
    const isOutside = chosen !== null && !within.includes(chosen);
    return `${capital(memberText(front, chosen))}. Picked by hand${
      isOutside ? ", beyond the limits" : ""}.`;
  }
  if (state.unclear.size) {
    return unclearLimitsText(columns.filter((column) => state.unclear.has(column.key)));
  }
  if (!within.length) return outOfReachText(columns, view);
  if (chosen === null) return "Nothing is chosen: costs or frequencies are not valid.";
  const how = state.mode === "costs" ? "least expected cost" : "farthest from random";
  return `${capital(memberText(front, chosen))}${costText(view, chosen)}: ${
    front.n === 1 ? "the only operating point" : `the ${how} among ${manyText(front, view)}`}.`;
}

function unclearLimitsText(columns) {
  const names = columns.slice(0, WORST_SHOWN).map((column) => `“${column.label}”`);
  const rest = columns.length > WORST_SHOWN ? " and others" : "";
  const what = columns.length === 1 ? `limit of ${names[0]} is not a number`
    : `limits of ${names.join(", ")}${rest} are not numbers`;
  return `Nothing is chosen: the ${what} from 0 to 1.`;
}

const manyText = (front, { state, within }) => (state.limits.size
  ? `${grouped(within.length)} of ${grouped(front.n)} within the limits`
  : "all operating points");

function outOfReachText(columns, { state, reach }) {
  const bound = columns.filter((column) => reach.has(column.key));
  const helpful = bound.filter((column) => Number.isFinite(reach.get(column.key)));
  if (!helpful.length) {
    return "No operating point is within all limits, and to raise one of them is not enough.";
  }
  const texts = helpful.slice(0, WORST_SHOWN).map((column) => `${column.label}: `
    + `limit ${state.limits.get(column.key)}, reachable ${notBelow(reach.get(column.key))}`);
  const rest = helpful.length - texts.length;
  return "No operating point is within all limits: raise one of them. "
    + `${texts.join("; ")}${rest ? `; ${rest} more are told beside the limits` : ""}.`;
}

// A short number that is not below a value, so that as a limit it holds.
function notBelow(value) {
  const short = Number(value.toPrecision(4));
  if (short >= value) return short;
  return Number((short + 10 ** (Math.floor(Math.log10(value)) - 3)).toPrecision(4));
}

// Limits that the axes do not show.
function elsewhereText(columns, kind, { limits }) {
  const texts = columns.filter((column) => column.kind !== kind && limits.has(column.key))
    .map((column) => `${column.label} ≤ ${limits.get(column.key)}`);
  return texts.length ? `Also limited: ${texts.join(", ")}.` : "";
}
