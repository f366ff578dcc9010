// The front, from the JSON that the page carries.

function decode(text, Type) {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return new Type(bytes.buffer);  // little-endian, as practically all machines are
}

function readFront(given) {
  const q = given.names.length;
  const pairs = [];
  for (let k = 0; k < q; k++) for (let j = 0; j < q; j++) if (k !== j) pairs.push([k, j]);
  const d = pairs.length;
  const points = decode(given.points, Float64Array);
  const n = points.length / d;
  const front = { ...given, q, d, n, pairs, points };
  front.costs = given.costs === null ? null : decode(given.costs, Float64Array);
  const Counts = given.whole ? Int32Array : Float64Array;
  front.counts = given.counts === null ? null : decode(given.counts, Counts);
  front.misses = new Float64Array(n * q);
  front.sums = new Float64Array(n);
  front.largest = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    for (let c = 0; c < d; c++) {
      const rate = points[i * d + c];
      front.misses[i * q + pairs[c][0]] += rate;
      front.sums[i] += rate;
      if (rate > front.largest[i]) front.largest[i] = rate;
    }
  }
  front.everyone = Array.from({ length: n }, (_, i) => i);
  front.receiver = receivers(front);
  return front;
}

const NO_MISTAKES = -1;

// The class that most mistakes of each member end in, in cases if they are known; the first of
// those that agree to rounding, as skvus.plotting has it.
function receivers(front) {
  const { n, q, d, pairs, points, priors, counts } = front;
  const found = new Int8Array(n);
  const received = new Float64Array(q);
  for (let i = 0; i < n; i++) {
    received.fill(0);
    for (let c = 0; c < d; c++) {
      const [k, j] = pairs[c];
      received[j] += counts ? counts[(i * q + k) * q + j] : priors[k] * points[i * d + c];
    }
    const most = Math.max(...received);
    found[i] = most > 0 ? received.findIndex((cases) => cases >= (1 - 1e-11) * most)
      : NO_MISTAKES;
  }
  return found;
}

// Columns that can be limited and drawn: rates of mistakes, then miss rates.
function makeColumns(front) {
  const { n, q, d, points, misses, names } = front;
  const rates = front.pairs.map(([k, j], c) => ({
    kind: "rates", key: `${k},${j}`, code: `(${front.codes[k]}, ${front.codes[j]})`, k, j,
    name: names[k], other: names[j], label: `${names[k]} as ${names[j]}`,
    value: (i) => points[i * d + c],
  }));
  const missed = names.map((name, k) => ({
    kind: "misses", key: `${k}`, code: front.codes[k], k, j: null,
    name, other: null, label: `${name} missed`, value: (i) => misses[i * q + k],
  }));
  const columns = q === 2 ? rates : [...rates, ...missed];
  for (const column of columns) {
    column.most = 0;
    for (let i = 0; i < n; i++) column.most = Math.max(column.most, column.value(i));
  }
  return columns;
}

// The rates of a member, or other numbers off the diagonal, as a matrix.
function matrixOf(front, values, i, diagonal) {
  const { q, d, pairs } = front;
  const matrix = Array.from({ length: q }, (_, k) => Array.from({ length: q },
    (_, j) => (k === j ? diagonal(k) : 0)));
  pairs.forEach(([k, j], c) => { matrix[k][j] = values[i * d + c]; });
  return matrix;
}

function ratesOf(front, i) {
  const right = (k) => Math.max(0, 1 - front.misses[i * front.q + k]);
  return matrixOf(front, front.points, i, right);
}

function countsOf(front, i) {
  if (front.counts === null) return null;
  const { q } = front;
  return Array.from({ length: q }, (_, k) => Array.from(
    front.counts.subarray((i * q + k) * q, (i * q + k + 1) * q)));
}

function costsOf(front, i) {
  return front.costs === null ? null : matrixOf(front, front.costs, i, () => 0);
}

function distanceOf(front, i) {
  return (front.sums[i] - (front.q - 1)) / Math.sqrt(front.d);
}

// Share of all cases that a member has wrong.
function errorOf(front, i) {
  let sum = 0;
  for (let k = 0; k < front.q; k++) sum += front.priors[k] * front.misses[i * front.q + k];
  return sum;
}

function paramsOf(front, i) {
  return front.params === null ? "" : front.params[front.paramsOf[i]];
}
