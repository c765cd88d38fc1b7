import { type Block, type Curve, headline, latencyNames, latencyTitle, rowNamed, type Test } from '../data';
import { axisTime, percentile, time } from '../format';
import { type Line, logAxis, type Plot } from './plot';

const POINTS_PER_NINE = 20;
const MEDIAN = Math.log10(2);

/** As many lines as there are colours that stay apart. */
export const MOST_LINES = 8;

/** Latency over the nines at one step, one line for each channel. */
export function percentilePlot(test: Test, step: string): Plot | undefined {
  const lines = test.blocks.flatMap((block, at) => linesOf(test, block, step, at));
  return plotOf(test, lines, step);
}

/** Latency over the nines on one channel, one line for each step. */
export function stepsPlot(test: Test, block: Block, steps: string[]): Plot | undefined {
  const lines = steps.flatMap((step, at): Line[] => {
    const row = rowNamed(block, step);
    const found = row && headline(row);
    const curve = found && row.curves[found.name];
    return curve ? [{ label: step, ...points(curve), colour: at, dashed: false, marked: isWholeNine }] : [];
  });
  return plotOf(test, lines, 'all steps');
}

function plotOf(test: Test, lines: Line[], step: string): Plot | undefined {
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
  return `Each line ends at the longest latency seen.${dashes}${repeats}`;
}

function linesOf(test: Test, block: Block, step: string, at: number): Line[] {
  const curves = rowNamed(block, step)?.curves ?? {};
  const several = Object.keys(curves).length > 1;
  const names = latencyNames(test).filter((name) => name !== 'sendNs');
  return names.flatMap((name, of) => {
    const curve = curves[name];
    if (!curve) {
      return [];
    }
    const title = latencyTitle(name);
    const label = !block.channel ? title : several ? `${block.channel}, ${title.toLowerCase()}` : block.channel;
    const colour = block.channel ? at : of;
    return [{ label, ...points(curve), colour, dashed: name === 'serviceNs', marked: isWholeNine }];
  });
}

/** The grid of the curve, then its end. */
export function points(curve: Curve): { xs: number[]; ys: number[] } {
  const xs = curve.ns.map((_, point) => point / POINTS_PER_NINE);
  const ys = [...curve.ns];
  const end = Math.log10(Math.max(1, curve.count));
  if (end > (xs[xs.length - 1] ?? -1)) {
    xs.push(end);
    ys.push(curve.maxNs);
  } else if (ys.length > 0) {
    ys[ys.length - 1] = curve.maxNs;
  }
  return { xs, ys };
}

function isWholeNine(x: number): boolean {
  return x > 0 && Math.abs(x - Math.round(x)) < 1e-9;
}

function summary(lines: Line[], step: string): string {
  const each = lines.map((line) => {
    const at = (nine: number): string => time(line.ys[Math.round(nine * POINTS_PER_NINE)] ?? NaN);
    return `${line.label}: median ${at(MEDIAN)}, 99 % ${at(2)}, longest ${time(line.ys[line.ys.length - 1] ?? NaN)}`;
  });
  return `Latency by percentile${step && ` at ${step}`}. ${each.join('. ')}.`;
}
