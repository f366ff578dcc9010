// How far up the axes go: for each kind of rates a level, each with half the top of the last.

const DEEPEST = 6;

function makeZoom(front, columns) {
  const kinds = new Map();
  for (const kind of ["rates", "misses"]) {
    const own = columns.filter((column) => column.kind === kind);
    if (own.length) kinds.set(kind, zoomOf(front, own));
  }
  const moved = ({ level, deepest }, step) => clamp(level + step, 0, deepest);
  return {
    full: (kind) => kinds.get(kind).full,
    top: (kind) => topOf(kinds.get(kind)),
    isZoomed: (kind) => kinds.get(kind).level > 0,
    canGo: (kind, step) => moved(kinds.get(kind), step) !== kinds.get(kind).level,
    go(step) {
      for (const zoom of kinds.values()) zoom.level = moved(zoom, step);
    },
  };
}

const topOf = ({ full, level }) => (level ? Number((full / 2 ** level).toPrecision(2)) : full);

// At the deepest, one line at least is in sight from end to end. At first all are, unless more
// than nine in ten would be squeezed into the lowest fifth.
function zoomOf(front, own) {
  const largest = Float64Array.from(front.everyone,
    (i) => own.reduce((most, column) => Math.max(most, column.value(i)), 0)).sort();
  const most = largest[front.n - 1];
  const full = roundUp(most);
  const levelOf = (value) => (most > 0
    ? clamp(Math.floor(Math.log2(full / value)), 0, DEEPEST) : 0);
  const nine = largest[Math.ceil(0.9 * front.n) - 1];
  const isSqueezed = largest.filter((value) => value < full / 5).length > 0.9 * front.n;
  return { full, deepest: levelOf(largest[0]), level: isSqueezed ? levelOf(nine) : 0 };
}
