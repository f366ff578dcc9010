// Miss-rate space: a picture of two classes, a solid one of three that can be turned.

function makeSpace(front, change) {
  const { q } = front;
  const box = byId("space");
  const layer = makeCanvas(box);
  const axes = q === 2 ? [0, 1] : [0, 1, 2];
  let turn = { yaw: 0.7, pitch: 0.5 };
  let last = null;
  let spots = [];
  let grip = null;

  byId("space-hint").textContent = (q === 2 ? "" : "Drag, or use the arrow keys, to turn it. ")
    + "Colours tell which class receives most of the mistakes. Click a point to choose it.";
  byId("legend").append(...front.names.map((name, code) => {
    const patch = make("i");
    patch.style.background = colorOf(code);
    return make("li", {}, patch, nameTag(`called ${name}`));
  }));
  if (q > 3) {
    byId("space-axes").append(...axes.map((_, a) => {
      const options = front.names.map((name, k) => {
        const option = make("option", { value: k }, name);
        option.selected = k === axes[a];
        return option;
      });
      return make("select", {
        "aria-label": `Axis ${a + 1}`,
        onchange: (event) => { axes[a] = Number(event.target.value); draw(last); },
      }, ...options);
    }));
  }

  function project(point, scale) {
    if (q === 2) return [point[0] * scale, -point[1] * scale, 0];
    const [a, b, c] = point.map((value) => value - 0.5);
    const [sy, cy] = [Math.sin(turn.yaw), Math.cos(turn.yaw)];
    const [sp, cp] = [Math.sin(turn.pitch), Math.cos(turn.pitch)];
    const across = cy * a - sy * b;
    const depth = sy * a + cy * b;
    return [across * scale, -(cp * c - sp * depth) * scale, -(cp * depth + sp * c)];
  }

  function edges() {
    if (q === 2) return [[[0, 0], [1, 0]], [[0, 0], [0, 1]]];
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

  function draw(view) {
    last = view;
    const side = Math.min(box.clientWidth || 320, 460);
    box.style.height = `${side}px`;
    const context = layer.resize(box.clientWidth || side, side);
    const middle = (box.clientWidth || side) / 2;
    const scale = side * (q === 2 ? 0.8 : 0.56);
    const origin = q === 2 ? [middle - scale / 2, side * 0.88] : [middle, side / 2];
    const place = (point) => {
      const [across, down, depth] = project(point, scale);
      return [origin[0] + across, origin[1] + down, depth];
    };
    let most = 0;
    for (const k of axes) for (let i = 0; i < front.n; i++) most = Math.max(most, front.misses[i * q + k]);
    most = roundUp(most);
    drawBox(context, place, most);
    drawPoints(context, place, most, view);
  }

  function drawBox(context, place, most) {
    context.font = "13px system-ui, sans-serif";
    context.fillStyle = INK;
    for (const [from, to, isAxis] of edges()) {
      const [start, end] = [place(from), place(to)];
      context.strokeStyle = isAxis || q === 2 ? INK : "#c9c9c9";
      context.beginPath();
      context.moveTo(start[0], start[1]);
      context.lineTo(end[0], end[1]);
      context.stroke();
    }
    axes.forEach((k, a) => {
      const tip = axes.map((_, other) => (other === a ? 1.08 : 0));
      const [left, top] = place(tip);
      context.textAlign = "center";
      context.fillText(fitText(context, `${front.names[k]} missed`, 120), left, top);
      context.fillText(String(most), ...place(tip.map((v) => v * 0.93)).slice(0, 2).map((v, i) => v + (i ? 14 : 0)));
    });
  }

  function drawPoints(context, place, most, { within, chosen }) {
    const inside = new Uint8Array(front.n);
    for (const i of within) inside[i] = 1;
    const at = (i) => place(axes.map((k) => front.misses[i * q + k] / most));
    spots = front.everyone.map((i) => [...at(i), i]);
    const order = [...spots].sort((a, b) => a[2] - b[2]);
    const radius = front.n > 2000 ? 1.6 : 2.6;
    for (const [left, top, , i] of order) {
      context.globalAlpha = inside[i] ? 0.8 : 0.15;
      context.fillStyle = inside[i] ? colorOf(front.receiver[i]) : "#8a8a8a";
      context.fillRect(left - radius, top - radius, 2 * radius, 2 * radius);
    }
    context.globalAlpha = 1;
    if (chosen === null) return;
    const [left, top] = at(chosen);
    for (const [color, width] of [["#ffffff", 5], [CHOSEN, 2.5]]) {
      context.strokeStyle = color;
      context.lineWidth = width;
      context.beginPath();
      context.arc(left, top, 8, 0, 2 * Math.PI);
      context.stroke();
    }
    context.lineWidth = 1;
  }

  function turnBy(across, down) {
    turn = { yaw: turn.yaw + across, pitch: Math.min(1.5, Math.max(-1.5, turn.pitch + down)) };
    draw(last);
  }

  function pick(event) {
    const frame = box.getBoundingClientRect();
    const inside = new Set(last.within);
    let [best, nearest] = [null, 14];
    for (const [left, top, , i] of spots) {
      const gap = Math.hypot(left - event.clientX + frame.left, top - event.clientY + frame.top);
      if (gap < nearest && inside.has(i)) [best, nearest] = [i, gap];
    }
    if (best !== null) change.pick(best);
  }

  box.addEventListener("pointerdown", (event) => {
    grip = { x: event.clientX, y: event.clientY, moved: 0 };
    box.setPointerCapture(event.pointerId);
  });
  box.addEventListener("pointermove", (event) => {
    if (grip === null || q === 2) return;
    const [across, down] = [event.clientX - grip.x, event.clientY - grip.y];
    const moved = grip.moved + Math.abs(across) + Math.abs(down);
    grip = { x: event.clientX, y: event.clientY, moved };
    if (moved > 4) turnBy(-across / 120, down / 120);
  });
  box.addEventListener("pointerup", (event) => {
    if (grip !== null && grip.moved <= 4) pick(event);
    grip = null;
  });
  box.addEventListener("pointercancel", () => { grip = null; });
  box.addEventListener("keydown", (event) => {
    const turns = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, -0.1], ArrowDown: [0, 0.1] };
    if (q === 2 || !(event.key in turns)) return;
    turnBy(...turns[event.key]);
    event.preventDefault();
  });
  window.addEventListener("resize", () => { if (last) draw(last); });
  return { draw };
}
