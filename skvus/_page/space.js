// Miss-rate space: a picture of two classes, a solid one of three that can be turned.

const QUICK_SPOTS = 2000;
const BACKDROP_SPOTS = 4000;

function makeSpace(front, zoom, change) {
  const { q } = front;
  const box = byId("space");
  const [backdrop, layer, overlay] = [makeCanvas(box), makeCanvas(box), makeCanvas(box)];
  const showTip = makeTip(box);
  const axes = q === 2 ? [0, 1] : [0, 1, 2];
  const radius = front.n > 2000 ? 2.2 : 3.2;
  const stamps = front.names.map((_, code) => makeStamp(shapeOf(code), colorOf(code), radius));
  stamps[NO_MISTAKES] = makeStamp(STAR, MUTED, radius);
  const muted = makeStamp(0, MUTED, Math.max(1.2, radius - 1));
  let turn = { yaw: 0.7, pitch: 0.5 };
  let last = null;
  let drawn = null;
  let plan = null;
  const [lefts, tops, depths] = [0, 1, 2].map(() => new Float64Array(front.n));
  const order = Int32Array.from(front.everyone);

  // Where everything is for this size, these axes and this turn.
  function measure() {
    const width = box.clientWidth || 320;
    const side = Math.min(width, 440);
    box.style.height = `${side}px`;
    const scale = side * (q === 2 ? 0.74 : 0.54);
    const origin = q === 2 ? [(width - scale) / 2 + 12, side * 0.86] : [width / 2, side / 2];
    let most = 0;
    for (const k of axes) {
      for (let i = 0; i < front.n; i++) most = Math.max(most, front.misses[i * q + k]);
    }
    const kind = q === 2 ? "rates" : "misses";
    most = zoom.isZoomed(kind) ? Math.min(roundUp(most), zoom.top(kind)) : roundUp(most);
    const project = q === 2 ? ([a, b]) => [a, -b, 0] : turned(turn);
    const place = (point) => {
      const [across, down, depth] = project(point);
      return [origin[0] + across * scale, origin[1] + down * scale, depth];
    };
    plan = { width, side, most, place };
    for (let i = 0; i < front.n; i++) {
      const point = axes.map((k) => front.misses[i * q + k] / most);
      [lefts[i], tops[i], depths[i]] = place(point);
      // beyond the axes; what has no place is neither drawn nor picked
      if (point.some((share) => share > 1 + 1e-12)) [lefts[i], tops[i]] = [NaN, NaN];
    }
    const isCut = lefts.some(Number.isNaN);
    byId("space-note").textContent = isCut
      ? `Points beyond ${most} are not drawn: zoom out.` : "";
    order.sort((a, b) => depths[a] - depths[b] || a - b);
    const context = backdrop.resize(width, side);
    drawBox(context, front, axes, plan);
    context.globalAlpha = 0.25;
    stampAll(context, someOf(order, BACKDROP_SPOTS).some, () => muted);
    for (const canvas of [layer, overlay]) canvas.resize(width, side);
    box.dataset.turn = `${turn.yaw.toFixed(2)} ${turn.pitch.toFixed(2)}`;
  }

  function stampAll(context, members, stampOf) {
    for (const i of members) {
      const { canvas, half } = stampOf(i);
      context.drawImage(canvas, lefts[i] - half, tops[i] - half, 2 * half, 2 * half);
    }
  }

  function draw(view) {
    const isNew = plan === null || drawn !== view.within;
    if (plan === null) measure();
    if (isNew) refreshSpots(view.within);
    drawn = view.within;
    mark(view);
  }

  function drawSpots(within, most) {
    const { step, some } = someOf(within, most);
    const inside = new Uint8Array(front.n);
    for (const i of some) inside[i] = 1;
    const context = layer.clear();
    context.globalAlpha = 0.85;
    stampAll(context, order.filter((i) => inside[i]), (i) => stamps[front.receiver[i]]);
    context.globalAlpha = 1;
    return step;
  }

  const refreshSpots = sketchFirst(drawSpots, QUICK_SPOTS, Infinity);

  function mark(view) {
    last = view;
    const context = overlay.clear();
    for (const [i, color] of [[view.hovered, HOVERED], [view.chosen, CHOSEN]]) {
      if (i === null) continue;
      for (const [paint, width] of [["#ffffff", 5.5], [color, 2.5]]) {
        context.strokeStyle = paint;
        context.lineWidth = width;
        context.beginPath();
        context.arc(lefts[i], tops[i], 8, 0, 2 * Math.PI);
        context.stroke();
      }
    }
  }

  const redraw = onFrame(() => {
    plan = null;
    if (last) draw(last);
  });

  function turnBy(across, down) {
    turn = { yaw: turn.yaw + across, pitch: clamp(turn.pitch + down, -1.5, 1.5) };
    redraw();
  }

  function nearestTo([px, py], reach) {
    let [best, nearest] = [null, reach];
    for (const i of last.within) {
      const gap = Math.hypot(lefts[i] - px, tops[i] - py);
      if (gap < nearest) [best, nearest] = [i, gap];
    }
    return best;
  }

  function hover(event) {
    const place = placeOf(box, event);
    const best = event.buttons ? null : nearestTo(place, 8);
    change.hover(best);
    showTip(best === null ? null : memberText(front, best), ...place);
  }

  function pick(event) {
    const best = nearestTo(placeOf(box, event), 14);
    if (best !== null) change.pick(best);
  }

  describeSpace(front, axes, redraw);
  listenToTurns(box, { turnBy: q === 2 ? null : turnBy, pick });
  box.addEventListener("pointermove", hover);
  box.addEventListener("pointerleave", () => { change.hover(null); showTip(null); });
  window.addEventListener("resize", () => {
    if (plan && box.clientWidth !== plan.width) redraw();
  });
  return { draw, mark, refresh: redraw };
}

// Hint, legend, and which classes the axes are of.
function describeSpace(front, axes, redraw) {
  const hint = front.q === 2 ? "" : "Drag, or use the arrow keys, to turn it. ";
  byId("space-hint").textContent = `${hint}Click a point to choose it. Its marker tells which `
    + "class receives most of its mistakes:";
  byId("legend").append(...front.names.map((name, code) => make("li", {},
    makeStamp(shapeOf(code), colorOf(code), 5).canvas, nameTag(name))));
  if (front.receiver.includes(NO_MISTAKES)) {
    byId("legend").append(make("li", {}, makeStamp(STAR, MUTED, 5).canvas, "no mistakes"));
  }
  if (front.q < 4) return;
  byId("space-axes").append("Axes:", ...axes.map((_, a) => {
    const options = front.names.map((name, k) => {
      const text = name.length > 60 ? `${name.slice(0, 59)}…` : name;
      const option = make("option", { value: k }, text);
      option.selected = k === axes[a];
      return option;
    });
    return make("select", {
      "aria-label": `Axis ${a + 1}`,
      onchange: (event) => { axes[a] = Number(event.target.value); redraw(); },
    }, ...options);
  }));
}

// From the unit cube to across, down and depth.
function turned({ yaw, pitch }) {
  const [sy, cy] = [Math.sin(yaw), Math.cos(yaw)];
  const [sp, cp] = [Math.sin(pitch), Math.cos(pitch)];
  return (point) => {
    const [a, b, c] = point.map((value) => value - 0.5);
    const across = cy * a - sy * b;
    const depth = sy * a + cy * b;
    return [across, -(cp * c - sp * depth), -(cp * depth + sp * c)];
  };
}

function edgesOf(n) {
  if (n === 2) return [[[0, 0], [1, 0], true], [[0, 0], [0, 1], true]];
  const found = [];
  for (const a of [0, 1, 2]) {
    for (const corner of [0, 1, 2, 3]) {
      const from = [0, 0, 0];
      from[(a + 1) % 3] = corner & 1;
      from[(a + 2) % 3] = corner >> 1;
      const to = [...from];
      to[a] = 1;
      found.push([from, to, corner === 0]);
    }
  }
  return found;
}

function drawBox(context, front, axes, { place, most, width, side }) {
  context.font = FONT;
  context.lineWidth = 1;
  for (const [from, to, isAxis] of edgesOf(axes.length)) {
    context.strokeStyle = isAxis ? INK : "#c9c9c9";
    context.beginPath();
    context.moveTo(...place(from).slice(0, 2));
    context.lineTo(...place(to).slice(0, 2));
    context.stroke();
  }
  context.fillStyle = INK;
  context.textAlign = "center";
  axes.forEach((k, a) => {
    const [left, top] = place(axes.map((_, other) => (other === a ? 1.06 : 0)));
    const text = fitText(context, front.names[k], 110);
    const lines = [text, `missed: ${most}`];
    const half = Math.max(...lines.map((line) => context.measureText(line).width)) / 2;
    const middle = clamp(left, half + 2, width - half - 2);
    // outwards of the tip, and within the picture
    const down = clamp(top > side / 2 ? top + 14 : top - 18, 12, side - 20);
    lines.forEach((line, row) => context.fillText(line, middle, down + 15 * row));
  });
  const [left, top] = place(axes.map(() => 0));
  context.fillText("0", left - 8, top + 14);
}

function listenToTurns(box, { turnBy, pick }) {
  let grip = null;
  box.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    grip = { x: event.clientX, y: event.clientY, moved: 0 };
    box.setPointerCapture(event.pointerId);
  });
  box.addEventListener("pointermove", (event) => {
    if (grip === null) return;
    const [across, down] = [event.clientX - grip.x, event.clientY - grip.y];
    const moved = grip.moved + Math.abs(across) + Math.abs(down);
    grip = { x: event.clientX, y: event.clientY, moved };
    if (moved > 4 && turnBy) turnBy(-across / 120, down / 120);
  });
  box.addEventListener("pointerup", (event) => {
    if (grip !== null && grip.moved <= 4) pick(event);
    grip = null;
  });
  box.addEventListener("pointercancel", () => { grip = null; });
  box.addEventListener("keydown", (event) => {
    const turns = {
      ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, -0.1], ArrowDown: [0, 0.1],
    };
    if (!turnBy || !Object.hasOwn(turns, event.key)) return;
    turnBy(...turns[event.key]);
    event.preventDefault();
  });
}
