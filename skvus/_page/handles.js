// What moves the limit of an axis: a slider over all of its height, with a grip at the limit.

function makeHandle(column, a, { box, frame, change, pick, focus, most, full, limit }) {
  const grip = make("div", { class: "grip" });
  const handle = make("div", {
    class: "axis", role: "slider", tabindex: a ? -1 : 0, "aria-orientation": "vertical",
    "aria-label": `At most: ${column.label}`, "aria-valuemin": 0, "data-key": column.key,
    title: `At most: ${column.label}`,
  }, grip);
  const lift = () => change.limit(column.key, null);
  const set = (value, end) => {
    if (value >= end) lift();
    else change.limit(column.key, tidy(Math.max(0, value)));
  };
  listenToPointer(handle, grip, {
    pick,
    lift,
    height: (event) => placeOf(box, event)[1],
    limitHeight: () => frame.y(Math.min(limit() ?? most(), most())),
    setHeight: (height) => set(frame.valueAt(height), most()),
  });
  handle.addEventListener("keydown", (event) => {
    const now = limit() ?? most();
    const step = most() / (event.shiftKey ? 10 : 100);
    // up to what a limit may be, even where the axis ends below
    const move = (by) => set(now + by, limit() === undefined ? most() : full());
    const moves = {
      ArrowUp: () => move(step),
      ArrowDown: () => move(-step),
      PageUp: () => move(most() / 10),
      PageDown: () => move(-most() / 10),
      Home: () => set(0, most()),
      End: lift,
      Delete: lift,
      Backspace: lift,
      ArrowLeft: () => focus(a - 1),
      ArrowRight: () => focus(a + 1),
    };
    if (!Object.hasOwn(moves, event.key)) return;
    moves[event.key]();
    event.preventDefault();
  });
  return handle;
}

// Dragging starts anywhere on the axis; of a finger, at the grip only, else it scrolls.
function listenToPointer(handle, grip, { pick, lift, height, limitHeight, setHeight }) {
  let drag = null;
  handle.addEventListener("pointerdown", (event) => {
    const isGrip = event.target === grip;
    if (event.button !== 0) return;
    const start = height(event);
    drag = {
      start,
      offset: isGrip ? limitHeight() - start : 0,
      canMove: isGrip || event.pointerType !== "touch",
      moves: false,
    };
    if (drag.canMove) handle.setPointerCapture(event.pointerId);
  });
  handle.addEventListener("pointermove", (event) => {
    if (drag === null || !drag.canMove) return;
    // a click that trembles is no drag
    if (Math.abs(height(event) - drag.start) >= 4) drag.moves = true;
    if (drag.moves) setHeight(height(event) + drag.offset);
  });
  handle.addEventListener("pointerup", (event) => {
    if (drag !== null && !drag.moves) pick(event);
    drag = null;
  });
  handle.addEventListener("pointercancel", () => { drag = null; });
  handle.addEventListener("dblclick", lift);
}
