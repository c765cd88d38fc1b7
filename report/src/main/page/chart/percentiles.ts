import { type Block, type Curve, headline, latencyNames, latencyTitle, rowNamed, type Test } from '../data';
import { axisTime, percentile, time } from '../format';
import { type Line, logAxis, type Plot } from './plot';

const POINTS_PER_NINE = 20;
const MEDIAN = Math.log10(2);

/** As many lines as there are distinguishable colours. */
export const MOST_LINES = 8;

interface CurveLine extends Line {
  longestNs: number;
}

/** Latency over the nines at one step, one line for each channel. */
export function percentilePlot(test: Test, step: string): Plot | undefined {
  const lines = test.blocks.flatMap((block, at) => linesOf(test, block, step, at));
  return plotOf(test, lines, step);
}

/** Latency over the nines on one channel, one line for each step. */
export function stepsPlot(test: Test, block: Block, steps: string[]): Plot | undefined {
  const lines = steps.flatMap((step, at): CurveLine[] => {
    const row = rowNamed(block, step);
    const found = row && headline(row);
    const curve = found && row.curves[found.name];
    return curve?.ns.length ? [{ label: step, ...points(curve), longestNs: curve.maxNs, colour: at, dashed: false, marked: isWholeNine }] : [];
  });
  return plotOf(test, lines, 'all steps');
}

function plotOf(test: Test, lines: CurveLine[], step: string): Plot | undefined {
  if (lines.length === 0) {
    return undefined;
  }
  const noiseNs = Math.max(0, ...test.blocks.map((block) => block.noiseMaxNs));
  const end = Math.max(1, ...lines.flatMap((line) => line.xs)) + 0.1;
  const values = lines.flatMap((line) => line.ys);
  const y = logAxis(noiseNs > 0 ? [...values, noiseNs] : values);
  const nines = Array.from({ length: Math.floor(end) }, (_, at) => at + 1);
  return {
    title: step ? `Latency by percentile, ${step}` : 'Latency by percentile',
    summary: summary(lines, step),
    lines,
    x: {
      label: 'share of messages that were at least this fast',
      log: false,
      range: [0, end],
      ticks: [0, MEDIAN, ...nines],
      tick: (nine) => (nine === 0 ? 'min' : percentile(nine).replace('\u00a0', '')),
      exact: (nine) => (nine === 0 ? 'minimum' : percentile(nine)),
    },
    y: { label: 'latency', log: true, ...y, tick: axisTime, exact: time },
    level: noiseNs > 0 ? { at: noiseNs, label: `noise floor, max ${time(noiseNs)}` } : undefined,
    note: note(test, lines),
  };
}

function note(test: Test, lines: Line[]): string {
  const many = test.blocks.some((block) => block.timeLines.length > 1);
  const repeats = many ? ' All repeats added up.' : '';
  const dashes = lines.some((line) => line.dashed)
    ? ' Solid: response time, from the intended send. Dashed: service time, from the actual send.'
    : '';
  return `Each line ends where ten messages are left above it; the longest latency is in the table.${dashes}${repeats}`;
}

function linesOf(test: Test, block: Block, step: string, at: number): CurveLine[] {
  const curves = rowNamed(block, step)?.curves ?? {};
  const several = Object.keys(curves).length > 1;
  const names = latencyNames(test).filter((name) => name !== 'sendNs');
  return names.flatMap((name, of) => {
    const curve = curves[name];
    if (!curve?.ns.length) {
      return [];
    }
    const title = latencyTitle(name);
    const label = !block.channel ? title : several ? `${block.channel}, ${title.toLowerCase()}` : block.channel;
    const colour = block.channel ? at : of;
    return [{ label, ...points(curve), longestNs: curve.maxNs, colour, dashed: name === 'serviceNs', marked: isWholeNine }];
  });
}

/** The curve on its grid. */
export function points(curve: Curve): { xs: number[]; ys: number[] } {
  return { xs: curve.ns.map((_, point) => point / POINTS_PER_NINE), ys: [...curve.ns] };
}

function isWholeNine(x: number): boolean {
  return x > 0 && Math.abs(x - Math.round(x)) < 1e-9;
}

function summary(lines: CurveLine[], step: string): string {
  const each = lines.map((line) => {
    const at = (name: string, nine: number): string => {
      const ns = line.ys[Math.round(nine * POINTS_PER_NINE)];
      return ns === undefined ? '' : `${name} ${time(ns)}, `;
    };
    return `${line.label}: ${at('median', MEDIAN)}${at('99 %', 2)}longest ${time(line.longestNs)}`;
  });
  return `Latency by percentile${step && ` at ${step}`}. ${each.join('. ')}.`;
}
