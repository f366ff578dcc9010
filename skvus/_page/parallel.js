// Parallel coordinates: a line for each member, a limit on each axis.

const MOST_SEGMENTS = 150000;
const QUICK_SEGMENTS = 20000;
const HEIGHT = 330;
const TOP = 40;
const NARROWEST = 52;
const LEFT = 30;

function makeParallel(front, columns, zoom, change) {
  const box = byId("parallel");
  const [backdrop, lines, marks] = [makeCanvas(box), makeCanvas(box), makeCanvas(box)];
  const showTip = makeTip(box);
  let kind = null;
  let shown = [];
  let handles = [];
  let size = null;
  let last = null;
  let drawn = null;

  const frame = {
    x: (a) => LEFT + size.gap * (a + 0.5),
    y: (value) => TOP + (size.floor - TOP) * (1 - value / size.most),
    valueAt: (height) => size.most * (1 - (height - TOP) / (size.floor - TOP)),
  };
  const { x, y } = frame;

  function show(which) {
    kind = which;
    shown = columns.filter((column) => column.kind === kind);
    handles.forEach((handle) => handle.remove());
    handles = shown.map((column, a) => makeHandle(column, a, { box, frame, change, pick, focus,
      most: () => size.most, full: () => zoom.full(kind),
      limit: () => last.state.limits.get(column.key) }));
    box.append(...handles);
    refresh();
  }

  // The first limit is in sight where there are more axes than a screen is wide.
  function reveal() {
    const a = shown.findIndex((column) => last.state.limits.has(column.key));
    const { parentElement: view } = box;
    if (x(a) + size.gap > view.clientWidth) view.scrollLeft = x(a) - view.clientWidth / 2;
  }

  function refresh() {
    size = null;
    byId("zoom-in").disabled = !zoom.canGo(kind, 1);
    byId("zoom-out").disabled = !zoom.canGo(kind, -1);
    if (last) draw(last);
  }

  function measure() {
    const room = box.parentElement.clientWidth;
    const gap = Math.max(NARROWEST, (room - LEFT) / shown.length);
    const width = LEFT + gap * shown.length;
    const labels = axisLabels(marks.context, shown, gap - 4);
    const floor = HEIGHT - 8 - 16 * labels[0].length;
    size = { room, gap, width, floor, labels };
    size.most = zoom.top(kind);
    byId("zoom-note").textContent = zoom.isZoomed(kind)
      ? `The axes end at ${size.most}; lines run on above.` : "";
    box.style.width = `${width}px`;
    box.style.height = `${HEIGHT}px`;
    for (const layer of [backdrop, lines, marks]) layer.resize(width, HEIGHT);
    for (const layer of [backdrop, lines]) clipToAxes(layer.context);
    handles.forEach((handle, a) => {
      handle.style.left = `${x(a) - 18}px`;
      handle.style.top = `${TOP - 16}px`;
      handle.style.height = `${floor - TOP + 24}px`;
      handle.setAttribute("aria-valuemax", zoom.full(kind));
    });
  }

  function clipToAxes(context) {
    context.beginPath();
    context.rect(0, TOP - 2, size.width, HEIGHT);
    context.clip();
  }

  function focus(a) {
    const next = handles[(a + handles.length) % handles.length];
    handles.forEach((handle) => { handle.tabIndex = handle === next ? 0 : -1; });
    next.focus();
  }

  // The member within the limits whose line passes nearest to a place.
  function nearestTo([px, py], reach) {
    if (py < TOP - 6) return null;
    const left = clamp(Math.floor((px - LEFT) / size.gap - 0.5), 0, shown.length - 2);
    const share = clamp((px - x(left)) / size.gap, 0, 1);
    const [from, to] = [shown[left], shown[left + 1]];
    let best = null;
    let nearest = reach;
    for (const i of last.within) {
      const gap = Math.abs((1 - share) * y(from.value(i)) + share * y(to.value(i)) - py);
      if (gap < nearest) [best, nearest] = [i, gap];
    }
    return best;
  }

  function pick(event) {
    const best = nearestTo(placeOf(box, event), 12);
    if (best !== null) change.pick(best);
  }

  function stroke(context, members, width) {
    context.lineWidth = width;
    for (const i of members) {
      context.beginPath();
      for (let a = 0; a < shown.length; a++) context.lineTo(x(a), y(shown[a].value(i)));
      context.stroke();
    }
  }

  function drawSome(layer, members, color, dim, most) {
    const { step, some } = someOf(members, most / shown.length);
    const context = layer.clear();
    context.strokeStyle = color;
    context.globalAlpha = dim * clamp(60 / (1 + some.length), 0.04, 0.8);
    stroke(context, some, 1);
    context.globalAlpha = 1;
    return step;
  }

  function drawLines(within, most) {
    const step = drawSome(lines, within, LINES, 1, most);
    byId("parallel-note").textContent = step === 1 || most < MOST_SEGMENTS ? ""
      : `One in ${step} of ${grouped(within.length)} operating points is drawn; all count.`;
    return step;
  }

  const refreshLines = sketchFirst(drawLines, QUICK_SEGMENTS, MOST_SEGMENTS);

  function drawMarks({ state, chosen, hovered }) {
    const context = marks.clear();
    shown.forEach((column, a) => drawRange(context, a, state.limits.get(column.key)));
    drawAxes(context, shown, size, frame);
    byId("elsewhere").textContent = elsewhereText(columns, kind, state);
    context.save();
    clipToAxes(context);
    for (const [i, color] of [[hovered, HOVERED], [chosen, CHOSEN]]) {
      if (i === null) continue;
      for (const [paint, width] of [["#ffffff", 6], [color, 2.5]]) {
        context.strokeStyle = paint;
        stroke(context, [i], width);
      }
    }
    context.restore();
    shown.forEach((column, a) => placeHandle(handles[a], state.limits.get(column.key)));
  }

  // What a limit shuts out, and the limit as a number.
  function drawRange(context, a, limit) {
    if (limit === undefined) return;
    const height = y(Math.min(limit, size.most));
    context.fillStyle = LIMIT;
    context.globalAlpha = 0.22;
    context.fillRect(x(a) - 9, TOP, 18, height - TOP);
    context.globalAlpha = 1;
    context.fillRect(x(a) - 13, height - 1.5, 26, 3);
    context.font = `bold ${FONT}`;
    context.textAlign = "center";
    context.fillText(`≤ ${limit}`, x(a), TOP - 22);
  }

  function placeHandle(handle, limit) {
    handle.setAttribute("aria-valuenow", limit ?? zoom.full(kind));
    handle.setAttribute("aria-valuetext", limit === undefined ? "no limit" : String(limit));
    handle.classList.toggle("set", limit !== undefined);
    const height = y(Math.min(limit ?? size.most, size.most));
    handle.firstChild.style.top = `${height - TOP + 16}px`;
  }

  function draw(view) {
    const isResized = size === null;
    last = view;
    if (isResized) {
      measure();
      drawSome(backdrop, front.everyone, MUTED, 0.45, QUICK_SEGMENTS);
    }
    if (isResized || drawn !== view.within) {
      backdrop.canvas.hidden = view.within.length === front.n;
      refreshLines(view.within);
    }
    drawn = view.within;
    drawMarks(view);
  }

  box.addEventListener("click", (event) => {
    if (!event.target.closest(".axis")) pick(event);
  });
  box.addEventListener("pointermove", (event) => {
    if (event.buttons || event.pointerType === "touch") return;
    const place = placeOf(box, event);
    const best = nearestTo(place, 6);
    change.hover(best);
    showTip(best === null ? null : memberText(front, best), ...place);
  });
  box.addEventListener("pointerleave", () => { change.hover(null); showTip(null); });
  box.addEventListener("pointerdown", () => showTip(null));
  window.addEventListener("resize", () => {
    // phones resize when their bars come and go, which changes no width
    if (size !== null && box.parentElement.clientWidth === size.room) return;
    size = null;
    if (last) draw(last);
  });
  return { show, refresh, reveal, draw, mark: (view) => { last = view; drawMarks(view); } };
}

// Lines of text below each axis; "as" has one of its own where names need the room.
function axisLabels(context, shown, room) {
  context.font = FONT;
  const lines = shown.map(({ name, other }) => (
    [name, other === null ? "missed" : `as ${other}`]));
  const isTight = lines.some(([, second]) => context.measureText(second).width > room);
  const parted = !isTight ? lines : shown.map(({ name, other }) => (other === null
    ? [name, "missed"] : [name, "as", other]));
  return parted.map((texts) => texts.map((text) => fitText(context, text, room)));
}

function drawAxes(context, shown, size, { x, y }) {
  const [first, end] = [x(0), x(shown.length - 1)];
  context.font = FONT;
  context.fillStyle = INK;
  context.lineWidth = 1;
  for (const share of [0, 0.5, 1]) {
    const height = y(share * size.most);
    context.strokeStyle = "#d4d7da";
    context.beginPath();
    context.moveTo(first, height);
    context.lineTo(end, height);
    context.stroke();
    context.textAlign = "right";
    context.fillText(String(tidy(share * size.most)), first - 14, height + 4);
  }
  context.textAlign = "center";
  context.strokeStyle = INK;
  shown.forEach((_, a) => {
    context.beginPath();
    context.moveTo(x(a), y(size.most));
    context.lineTo(x(a), y(0));
    context.stroke();
    size.labels[a].forEach((text, row) => {
      context.fillText(text, x(a), size.floor + 20 + 16 * row);
    });
  });
}
