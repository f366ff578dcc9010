// Elements, canvases and numbers.

// The colours of skvus.plotting, told apart in grey, too; shapes differ where colours repeat.
const COLORS = ["#0a4595", "#eaa70c", "#c8463c", "#2aa08a", "#84cdf2", "#8a3f88", "#b9b98a"];
const N_SHAPES = 7;
const LINES = "#0072b2";
const INK = "#1b1b1b";
const MUTED = "#8a8a8a";
const CHOSEN = "#000000";
const LIMIT = "#b34700";
const HOVERED = "#7a2a8f";
const FONT = "13px system-ui, sans-serif";

const byId = (id) => document.getElementById(id);
const colorOf = (code) => COLORS[code % COLORS.length];
const shapeOf = (code) => (code + Math.floor(code / COLORS.length)) % N_SHAPES;
const rate = (value) => value.toFixed(4);
const percent = (value) => `${(100 * value).toFixed(1)}%`;
// A count, for people: 1,234 or 12.346, and 1e+15 rather than a thousand billions.
function grouped(count) {
  if (count >= 1e15) return Number(count.toPrecision(5)).toExponential();
  if (Number.isInteger(count)) return count.toLocaleString("en");
  return String(Number(count.toPrecision(5)));
}
const clamp = (value, least, most) => Math.min(most, Math.max(least, value));

// An element; children that are text stay text, whatever it holds.
function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

// Names that begin as others do, which the end tells apart where they are cut.
const alike = new Map();
const LONGEST_END = 8;

const lastOf = (text, length) => Array.from(text.slice(-40)).slice(-length).join("");

function findAlike(names) {
  for (const name of names) {
    const others = names.filter((other) => other !== name
      && other.slice(0, 5) === name.slice(0, 5));
    if (name.length <= 6 || !others.length) continue;
    let length = 4;
    const hasSameEnd = (other) => lastOf(other, length) === lastOf(name, length);
    while (length <= LONGEST_END && others.some(hasSameEnd)) length++;
    alike.set(name, lastOf(name, length > LONGEST_END ? 4 : length));
  }
}

// The end that stays of such a name, with the space before it.
function endOf(text) {
  if (!alike.has(text)) return "";
  const end = alike.get(text);
  return text.slice(text.slice(0, text.length - end.length).trimEnd().length);
}

// A name on one line, cut where it must be; its direction does not affect what is around it.
function nameTag(text) {
  const end = endOf(text);
  if (!end || end.length > 2 * LONGEST_END) {
    return make("bdi", { class: "name", title: text }, text);
  }
  return make("bdi", { class: "name cut", title: text },
    make("span", {}, text.slice(0, text.length - end.length)), make("span", {}, end));
}

// A canvas of CSS pixels in a box, however fine the screen is.
function makeCanvas(box) {
  const canvas = make("canvas", { class: "layer", "aria-hidden": "true" });
  box.append(canvas);
  const context = canvas.getContext("2d");
  const resize = (width, height) => {
    const scale = window.devicePixelRatio || 1;
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
    context.setTransform(scale, 0, 0, scale, 0, 0);
    return context;
  };
  const clear = () => {
    context.clearRect(0, 0, canvas.width, canvas.height);
    return context;
  };
  return { canvas, context, resize, clear };
}

// A small text beside the pointer.
function makeTip(box) {
  const tip = make("div", { class: "tip", "aria-hidden": "true", hidden: "" });
  box.append(tip);
  return (text, left, top) => {
    tip.hidden = text === null;
    if (text === null) return;
    tip.textContent = text;
    const room = Math.max(0, box.clientWidth - tip.offsetWidth - 2);
    tip.style.left = `${clamp(left + 14, 0, room)}px`;
    tip.style.top = `${Math.max(0, top - 34)}px`;
  };
}

function placeOf(box, event) {
  const frame = box.getBoundingClientRect();
  return [event.clientX - frame.left, event.clientY - frame.top];
}

// The same function, called once before the next picture however often it is asked for.
function onFrame(action) {
  let isWaiting = false;
  return () => {
    if (isWaiting) return;
    isWaiting = true;
    requestAnimationFrame(() => {
      isWaiting = false;
      action();
    });
  };
}

// Some of the members, each time the same ones, if they are more than there is time to draw.
function someOf(members, most) {
  let step = 1;
  while (members.length > most * step) step *= 2;
  return { step, some: step === 1 ? members : members.filter((i) => i % step === 0) };
}

// At once a sketch, so that a limit can be dragged; all of them when it rests. What draws takes
// members and how many of them at most, and returns one in how many it drew.
function sketchFirst(draw, quick, full) {
  let timer = null;
  return (members) => {
    clearTimeout(timer);
    if (draw(members, quick) > 1) timer = setTimeout(() => draw(members, full), 150);
  };
}

function fitText(context, text, width) {
  if (text.length < 200 && context.measureText(text).width <= width) return text;
  const end = endOf(text).trimStart().slice(0, 2 * LONGEST_END);
  const least = end ? 0 : 1;
  let cut = Array.from(text.slice(0, 200)).slice(0, 60);
  while (cut.length > least && context.measureText(`${cut.join("")}…${end}`).width > width) {
    cut = cut.slice(0, -1);
  }
  return `${cut.join("")}…${end}`;
}

// The least round number that is not below a value.
function roundUp(value) {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const steps = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];
  const factor = steps.find((step) => step * power >= value - 1e-12) || 10;
  return tidy(Math.min(1, factor * power));
}

// A number with no more digits than can be told apart.
const tidy = (value) => Number(value.toPrecision(3));

// The number that a text is, NaN if it is none, undefined if there is nothing. Fields are of
// text: those of numbers leave out what they do not like, and make 3 of "0,3".
function numberOf(text) {
  const written = text.trim();
  if (!written) return undefined;
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(written) ? Number(written) : NaN;
}
