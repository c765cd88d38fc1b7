import type { Shape } from './palette';

/** What a chart shows; figure.ts and canvas.ts draw it. */
export interface Plot {
  title: string;
  /** The chart in a sentence or two, for readers who cannot see it. */
  summary: string;
  lines: Line[];
  x: Axis;
  y: Axis;
  level?: { at: number; label: string } | undefined;
  /** Parts of x with a name, in their order; every second one is shaded. */
  bands?: Band[] | undefined;
  height?: number;
  /** What the points mean, under the chart. */
  note?: string | undefined;
}

export interface Line {
  label: string;
  xs: number[];
  ys: number[];
  /** Number of the colour and the shape. */
  colour: number;
  dashed?: boolean;
  /** Where the line carries its shape; everywhere when omitted. */
  marked?: (x: number) => boolean;
  /** Does not follow into the gaps between its points. */
  stepped?: boolean;
}

export interface Band {
  label: string;
  from: number;
  to: number;
}

export interface Axis {
  label: string;
  log: boolean;
  range: [number, number];
  ticks: number[];
  /** A value at a tick. */
  tick: (value: number) => string;
  /** A value in the text beside the pointer. */
  exact: (value: number) => string;
}

export type { Shape };

/** Bounds on the 1-2-5 grid around positive values, and the ticks between them. */
export function logAxis(values: number[], most = 12): { range: [number, number]; ticks: number[] } {
  const positive = values.filter((value) => value > 0 && Number.isFinite(value));
  const low = positive.length > 0 ? Math.min(...positive) : 1;
  const high = positive.length > 0 ? Math.max(...positive) : 10;
  const ticks: number[] = [];
  for (let decade = Math.floor(Math.log10(low)); decade <= Math.ceil(Math.log10(high)); decade++) {
    for (const step of [1, 2, 5]) {
      ticks.push(Number((step * 10 ** decade).toPrecision(1)));
    }
  }
  const from = ticks.findLastIndex((tick) => tick <= low);
  const upTo = ticks.findIndex((tick) => tick > high);
  const range: [number, number] = [ticks[from] ?? low / 2, ticks[upTo] ?? high * 2];
  const inside = ticks.filter((tick) => tick >= range[0] && tick <= range[1]);
  return { range, ticks: inside.length <= most ? inside : inside.filter(isDecade) };
}

export function isDecade(tick: number): boolean {
  return Math.abs(Math.log10(tick) - Math.round(Math.log10(tick))) < 1e-9;
}

/** Bounds from zero, and at most eight round ticks. */
export function linearAxis(from: number, to: number): { range: [number, number]; ticks: number[] } {
  const span = to > from ? to - from : 1;
  const raw = span / 6;
  const decade = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((each) => each * decade).find((each) => each >= raw) ?? raw;
  const ticks: number[] = [];
  const first = Math.floor(from / step);
  const last = Math.ceil((from + span) / step);
  for (let at = first; at <= last; at++) {
    ticks.push(Number((at * step).toPrecision(12)));
  }
  return { range: [ticks[0] ?? from, ticks[ticks.length - 1] ?? to], ticks };
}

/** All lines on one grid of x, as uPlot requires: null where a line has no point. */
export function align(lines: Line[]): [number[], ...(number | null)[][]] {
  const xs = [...new Set(lines.flatMap((line) => line.xs))].sort((a, b) => a - b);
  const at = new Map(xs.map((x, index) => [x, index]));
  const columns = lines.map((line) => {
    const column: (number | null)[] = new Array<number | null>(xs.length).fill(null);
    line.xs.forEach((x, index) => {
      column[at.get(x) ?? 0] = line.ys[index] ?? null;
    });
    return column;
  });
  return [xs, ...columns];
}

/** The name of the band that contains x; empty where there is none. */
export function bandAt(bands: Band[] | undefined, x: number): string {
  return bands?.findLast((band) => x >= band.from - 1e-9 && x <= band.to + 1e-9)?.label ?? '';
}

/** The point of a line nearest to x, unless x is outside of it. */
export function nearest(line: Line, x: number): { x: number; y: number } | undefined {
  let best: { x: number; y: number } | undefined;
  line.xs.forEach((each, index) => {
    const y = line.ys[index];
    if (y !== undefined && (best === undefined || Math.abs(each - x) < Math.abs(best.x - x))) {
      best = { x: each, y };
    }
  });
  const first = line.xs[0];
  const last = line.xs[line.xs.length - 1];
  return first === undefined || last === undefined || x < first - 1e-9 || x > last + 1e-9
    ? undefined
    : best;
}

/** The points of a line with a value to show. */
export function withValues(xs: number[], ys: (number | null | undefined)[]): { xs: number[]; ys: number[] } {
  const at = ys.flatMap((y, index): [number, number][] => (y == null ? [] : [[xs[index] ?? NaN, y]]));
  return { xs: at.map(([x]) => x), ys: at.map(([, y]) => y) };
}
