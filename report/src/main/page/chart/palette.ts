// Colours that colour-blind readers can distinguish, and a shape for each so that colour is never alone.

export interface Colours {
  text: string;
  faint: string;
  grid: string;
  ground: string;
  noise: string;
  band: string;
  series: string[];
}

const SERIES = 8;

/** The colours of the theme that is shown now. */
export function colours(): Colours {
  const style = getComputedStyle(document.documentElement);
  const read = (name: string): string => style.getPropertyValue(name).trim() || '#777777';
  return {
    text: read('--text'),
    faint: read('--faint'),
    grid: read('--grid'),
    ground: read('--ground'),
    noise: read('--noise'),
    band: read('--band'),
    series: Array.from({ length: SERIES }, (_, at) => read(`--series-${at + 1}`)),
  };
}

export function seriesColour(colours: Colours, at: number): string {
  return colours.series[at % colours.series.length] ?? colours.text;
}

export type Shape = (context: CanvasRenderingContext2D, x: number, y: number, r: number) => void;

const circle: Shape = (c, x, y, r) => c.arc(x, y, r, 0, 2 * Math.PI);
const square: Shape = (c, x, y, r) => c.rect(x - r * 0.9, y - r * 0.9, r * 1.8, r * 1.8);
const triangle: Shape = (c, x, y, r) => polygon(c, [[x, y - r * 1.2], [x + r * 1.1, y + r * 0.8], [x - r * 1.1, y + r * 0.8]]);
const diamond: Shape = (c, x, y, r) => polygon(c, [[x, y - r * 1.3], [x + r * 1.3, y], [x, y + r * 1.3], [x - r * 1.3, y]]);
const down: Shape = (c, x, y, r) => polygon(c, [[x, y + r * 1.2], [x + r * 1.1, y - r * 0.8], [x - r * 1.1, y - r * 0.8]]);
const plus: Shape = (c, x, y, r) => {
  const [near, far] = [r * 0.4, r * 1.2];
  polygon(c, [
    [x - near, y - far], [x + near, y - far], [x + near, y - near], [x + far, y - near], [x + far, y + near], [x + near, y + near],
    [x + near, y + far], [x - near, y + far], [x - near, y + near], [x - far, y + near], [x - far, y - near], [x - near, y - near],
  ]);
};
const bar: Shape = (c, x, y, r) => c.rect(x - r * 0.4, y - r * 1.3, r * 0.8, r * 2.6);

function polygon(c: CanvasRenderingContext2D, corners: [number, number][]): void {
  corners.forEach(([x, y], at) => (at === 0 ? c.moveTo(x, y) : c.lineTo(x, y)));
  c.closePath();
}

// One fewer than colours: of the first eight lines, only the first and the last share a shape.
const SHAPES: Shape[] = [circle, square, triangle, diamond, down, bar, plus];

export function shape(at: number): Shape {
  return SHAPES[at % SHAPES.length] ?? circle;
}

/** The same shapes for legends, in a box of 12 by 12. */
export const SHAPE_PATHS: string[] = [
  'M6 2.4a3.6 3.6 0 1 0 0 7.2a3.6 3.6 0 1 0 0-7.2z',
  'M2.8 2.8h6.4v6.4h-6.4z',
  'M6 1.8l4 7.2h-8z',
  'M6 1.4l4.6 4.6l-4.6 4.6l-4.6-4.6z',
  'M6 10.2l4-7.2h-8z',
  'M4.6 1.4h2.8v9.2h-2.8z',
  'M4.6 1.8h2.8v2.8h2.8v2.8h-2.8v2.8h-2.8v-2.8h-2.8v-2.8h2.8z',
];
