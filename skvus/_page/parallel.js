// Parallel coordinates: a line for each member, a limit on each axis.

const MOST_SEGMENTS = 150000;
const HEIGHT = 300;
const TOP = 18;
const BOTTOM = 46;
const NARROWEST = 56;

function makeParallel(front, columns, change) {
  const box = byId("parallel");
  const lines = makeCanvas(box);
  const marks = makeCanvas(box);
  let shown = [];
  let handles = [];
  let size = null;
  let last = null;

  const x = (a) => size.gap * (a + 0.5);
  const y = (value) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - value / size.most);
  const valueAt = (height) => size.most * (1 - (height - TOP) / (HEIGHT - TOP - BOTTOM));

  function show(kind) {
    shown = columns.filter((column) => column.kind === kind);
    handles.forEach((handle) => handle.remove());
    handles = shown.map(makeHandle);
    size = null;
    if (last) draw(last);
  }

  function measure() {
    const room = box.parentElement.clientWidth;
    const gap = Math.max(NARROWEST, room / shown.length);
    const width = gap * shown.length;
    size = { room, gap, width, most: roundUp(Math.max(...shown.map((c) => c.most))) };
    box.style.width = `${width}px`;
    box.style.height = `${HEIGHT}px`;
    handles.forEach((handle, a) => {
      handle.style.left = `${x(a) - 16}px`;
      handle.style.top = `${TOP - 10}px`;
      handle.style.height = `${HEIGHT - TOP - BOTTOM + 20}px`;
    });
  }

  function makeHandle(column, a) {
    const handle = make("div", {
      class: "axis", role: "slider", tabindex: a ? -1 : 0, "aria-orientation": "vertical",
      "aria-label": `At most: ${column.label}`, "aria-valuemin": 0, "data-key": column.key,
    });
    const set = (value) => change.limit(column.key, value >= size.most ? null : Math.max(0, value));
    const drag = (event) => set(tidy(valueAt(event.clientY - box.getBoundingClientRect().top)));
    handle.addEventListener("pointerdown", (event) => {
      handle.setPointerCapture(event.pointerId);
      handle.dataset.from = event.clientY;
    });
    handle.addEventListener("pointermove", (event) => {
      // a click that trembles is no drag
      if (handle.dataset.from === undefined) return;
      if (Math.abs(event.clientY - handle.dataset.from) < 4 && !handle.dataset.drags) return;
      handle.dataset.drags = "yes";
      drag(event);
    });
    for (const end of ["pointerup", "pointercancel"]) {
      handle.addEventListener(end, (event) => {
        if (end === "pointerup" && !handle.dataset.drags) pick(event);
        delete handle.dataset.from;
        delete handle.dataset.drags;
      });
    }
    handle.addEventListener("dblclick", () => change.limit(column.key, null));
    handle.addEventListener("keydown", (event) => {
      const step = size.most / (event.shiftKey ? 10 : 100);
      const limit = last.state.limits.get(column.key) ?? size.most;
      const moves = {
        ArrowUp: () => set(tidy(limit + step)),
        ArrowDown: () => set(tidy(Math.max(0, limit - step))),
        Home: () => set(0),
        End: () => change.limit(column.key, null),
        Delete: () => change.limit(column.key, null),
        ArrowLeft: () => focus(a - 1),
        ArrowRight: () => focus(a + 1),
      };
      if (!(event.key in moves)) return;
      moves[event.key]();
      event.preventDefault();
    });
    box.append(handle);
    return handle;
  }

  function focus(a) {
    const next = handles[(a + handles.length) % handles.length];
    handles.forEach((handle) => { handle.tabIndex = handle === next ? 0 : -1; });
    next.focus();
  }

  // The member whose line passes nearest to a click.
  function pick(event) {
    const frame = box.getBoundingClientRect();
    const [px, py] = [event.clientX - frame.left, event.clientY - frame.top];
    const left = Math.min(Math.max(Math.floor(px / size.gap - 0.5), 0), shown.length - 2);
    const share = Math.min(Math.max((px - x(left)) / size.gap, 0), 1);
    let best = null;
    let nearest = 12;
    for (const i of last.within) {
      const height = (1 - share) * y(shown[left].value(i)) + share * y(shown[left + 1].value(i));
      if (Math.abs(height - py) < nearest) [best, nearest] = [i, Math.abs(height - py)];
    }
    if (best !== null) change.pick(best);
  }

  function stroke(context, members, color, alpha, width) {
    context.strokeStyle = color;
    context.globalAlpha = alpha;
    context.lineWidth = width;
    for (const i of members) {
      context.beginPath();
      shown.forEach((column, a) => context.lineTo(x(a), y(column.value(i))));
      context.stroke();
    }
    context.globalAlpha = 1;
  }

  function drawLines({ within }) {
    const context = lines.resize(size.width, HEIGHT);
    const inside = new Uint8Array(front.n);
    for (const i of within) inside[i] = 1;
    const outside = front.everyone.filter((i) => !inside[i]);
    // every so many, if all would take too long to draw
    const step = Math.ceil((front.n * shown.length) / MOST_SEGMENTS);
    const some = (members) => members.filter((_, at) => at % step === 0);
    const alpha = (members) => Math.min(0.8, Math.max(0.03, 60 / (1 + members.length)));
    stroke(context, some(outside), "#8a8a8a", 0.5 * alpha(some(outside)), 1);
    stroke(context, some(within), COLORS[0], alpha(some(within)), 1);
    byId("parallel-note").textContent = step === 1 ? ""
      : `One in ${step} of the ${grouped(front.n)} operating points is drawn; all count.`;
  }

  function drawMarks({ state, chosen }) {
    const context = marks.resize(size.width, HEIGHT);
    context.font = "13px system-ui, sans-serif";
    if (chosen !== null) {
      stroke(context, [chosen], "#ffffff", 0.9, 6);
      stroke(context, [chosen], CHOSEN, 1, 3);
    }
    shown.forEach((column, a) => {
      context.strokeStyle = INK;
      context.fillStyle = INK;
      context.lineWidth = 1;
      context.beginPath();
      context.moveTo(x(a), TOP);
      context.lineTo(x(a), HEIGHT - BOTTOM);
      context.stroke();
      context.textAlign = "center";
      const [first, second] = column.j === null
        ? [front.names[column.k], "missed"]
        : [front.names[column.k], `as ${front.names[column.j]}`];
      context.fillText(fitText(context, first, size.gap - 6), x(a), HEIGHT - BOTTOM + 18);
      context.fillText(fitText(context, second, size.gap - 6), x(a), HEIGHT - BOTTOM + 34);
      if (a === 0) {
        context.textAlign = "left";
        context.fillText(String(size.most), x(a) + 4, TOP - 5);
        context.fillText("0", x(a) + 4, HEIGHT - BOTTOM - 4);
      }
      drawLimit(context, column, a, state.limits.get(column.key));
    });
  }

  function drawLimit(context, column, a, limit) {
    const handle = handles[a];
    handle.setAttribute("aria-valuemax", size.most);
    handle.setAttribute("aria-valuenow", limit ?? size.most);
    handle.setAttribute("aria-valuetext", limit === undefined ? "no limit" : String(limit));
    const height = y(Math.min(limit ?? size.most, size.most));
    context.fillStyle = limit === undefined ? "#8a8a8a" : CHOSEN;
    if (limit !== undefined) {
      context.globalAlpha = 0.18;
      context.fillRect(x(a) - 9, TOP, 18, height - TOP);
      context.globalAlpha = 1;
      context.textAlign = "center";
      context.fillText(String(limit), x(a), TOP - 5);
    }
    context.beginPath();
    context.moveTo(x(a), height);
    context.lineTo(x(a) - 9, height - 10);
    context.lineTo(x(a) + 9, height - 10);
    context.fill();
  }

  function draw(view) {
    const isNew = size === null || last === null || view.within !== last.within;
    last = view;
    if (size === null) measure();
    if (isNew) drawLines(view);
    drawMarks(view);
  }

  lines.canvas.addEventListener("click", pick);
  marks.canvas.addEventListener("click", pick);
  window.addEventListener("resize", () => {
    // phones resize when their bars come and go, which changes no width
    if (size !== null && box.parentElement.clientWidth === size.room) return;
    size = null;
    if (last) draw(last);
  });
  return { show, draw };
}
