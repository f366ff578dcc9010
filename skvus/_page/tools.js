// Elements, canvases and numbers.

const COLORS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#f0e442"];
const INK = "#1b1b1b";
const CHOSEN = "#b34700";

const byId = (id) => document.getElementById(id);
const colorOf = (code) => COLORS[code % COLORS.length];
const rate = (value) => value.toFixed(4);
const grouped = (count) => (Number.isInteger(count)
  ? count.toLocaleString("en") : count.toPrecision(5));

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

const nameTag = (text) => make("span", { class: "name", title: text }, text);

// A canvas of CSS pixels in a box, however fine the screen is.
function makeCanvas(box) {
  const canvas = make("canvas", { "aria-hidden": "true" });
  box.append(canvas);
  const context = canvas.getContext("2d");
  const resize = (width, height) => {
    const scale = window.devicePixelRatio || 1;
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, width, height);
    return context;
  };
  return { canvas, context, resize };
}

function fitText(context, text, width) {
  if (context.measureText(text).width <= width) return text;
  let cut = Array.from(text).slice(0, 60);
  while (cut.length > 1 && context.measureText(`${cut.join("")}…`).width > width) {
    cut = cut.slice(0, -1);
  }
  return `${cut.join("")}…`;
}

// The least round number that is not below a value.
function roundUp(value) {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const steps = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];
  const factor = steps.find((step) => step * power >= value - 1e-12) || 10;
  return Math.min(1, factor * power);
}

// A limit with no more digits than can be told apart.
const tidy = (value) => Number(value.toPrecision(3));
