// Markers of the classes: pictures that are drawn once and stamped.

const STAR = -1;

function tracePath(context, shape, r) {
  const polygon = (...points) => points.forEach(([across, down], at) => {
    if (at) context.lineTo(across * r, down * r);
    else context.moveTo(across * r, down * r);
  });
  const bar = 0.42;
  const cross = [[-bar, -1.2], [bar, -1.2], [bar, -bar], [1.2, -bar], [1.2, bar], [bar, bar],
    [bar, 1.2], [-bar, 1.2], [-bar, bar], [-1.2, bar], [-1.2, -bar], [-bar, -bar]];
  const star = Array.from({ length: 10 }, (_, at) => {
    const [reach, turn] = [at % 2 ? 0.6 : 1.4, (at * Math.PI) / 5];
    return [reach * Math.sin(turn), -reach * Math.cos(turn)];
  });
  context.beginPath();
  if (shape === 0) context.arc(0, 0, r, 0, 2 * Math.PI);
  else if (shape === 1) polygon([0, -1.25], [1.15, 0.85], [-1.15, 0.85]);
  else if (shape === 2) polygon([-0.9, -0.9], [0.9, -0.9], [0.9, 0.9], [-0.9, 0.9]);
  else if (shape === 3) polygon([0, -1.3], [1.1, 0], [0, 1.3], [-1.1, 0]);
  else if (shape === 4) polygon([0, 1.25], [1.15, -0.85], [-1.15, -0.85]);
  else if (shape === 5) polygon(...cross);
  else if (shape === STAR) polygon(...star);
  else polygon(...cross.map(([a, b]) => [(a - b) * Math.SQRT1_2, (a + b) * Math.SQRT1_2]));
  context.closePath();
}

// A canvas with one marker in its middle; half is what to subtract to place it.
function makeStamp(shape, color, radius) {
  const half = Math.ceil(1.4 * radius + 1);
  const scale = window.devicePixelRatio || 1;
  const canvas = make("canvas", { width: 2 * half * scale, height: 2 * half * scale });
  canvas.style.width = `${2 * half}px`;
  canvas.style.height = `${2 * half}px`;
  const context = canvas.getContext("2d");
  context.setTransform(scale, 0, 0, scale, half * scale, half * scale);
  tracePath(context, shape, radius);
  context.fillStyle = color;
  context.fill();
  context.strokeStyle = "rgba(0, 0, 0, 0.45)";
  context.lineWidth = radius < 3 ? 0.4 : 0.8;
  context.stroke();
  return { canvas, half };
}
