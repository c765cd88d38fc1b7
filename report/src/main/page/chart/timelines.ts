import { type LatencyLine, latencyTitle, type RoleLines, type TimeLine, type ValueLine } from '../data';
import { axisRate, axisTime, count, digits, rate, time } from '../format';
import { type Band, linearAxis, type Line, logAxis, type Plot, withValues } from './plot';

const MARKED_UP_TO = 60;

const MOST_TICKS = 9;

/** A rate this many times smaller than the largest is drawn on a separate scale. */
const OTHER_SCALE = 20;

/** Scales for rates; with too few, small rates share the last. */
const MOST_SCALES = 2;

/** Median, 99th percentile and maximum of each interval. */
export function latencyOverTime(all: TimeLine, name: string, noiseNs: number, where: string): Plot | undefined {
  const line = all.latencies[name];
  if (!line || line.atSeconds.length < 2) {
    return undefined;
  }
  const marked = (): boolean => line.atSeconds.length <= MARKED_UP_TO;
  const lines: Line[] = [
    { label: 'longest', xs: line.atSeconds, ys: line.maxNs, colour: 1, marked },
    { label: '99 %', ...withValues(line.atSeconds, line.p99Ns), colour: 4, marked },
    { label: 'median', ...withValues(line.atSeconds, line.p50Ns), colour: 0, marked },
  ].filter((each) => each.xs.length > 0);
  const values = lines.flatMap((each) => each.ys);
  return {
    title: `${latencyTitle(name)} over time, ${where}`,
    summary:
      `Median, 99th percentile and longest of ${line.atSeconds.length} intervals. ` +
      `The longest latency was ${time(Math.max(...line.maxNs))}${within(all, line)}.`,
    lines,
    ...frame(all),
    y: {
      label: 'latency',
      log: true,
      ...logAxis(noiseNs > 0 ? [...values, noiseNs] : values, MOST_TICKS),
      tick: axisTime,
      exact: time,
    },
    level: noiseNs > 0 ? { at: noiseNs, label: `noise floor, max ${time(noiseNs)}` } : undefined,
    note: leftOut(all.latencyCount, Object.keys(all.latencies).length, 'latencies'),
  };
}

/** How many of all are drawn, where not all are. */
function leftOut(all: number, drawn: number, what: string): string | undefined {
  return all > drawn ? `The first ${drawn} of ${all} ${what}.` : undefined;
}

/** In which step the longest was, where there are several. */
function within(all: TimeLine, line: LatencyLine): string {
  const step = line.step[line.maxNs.indexOf(Math.max(...line.maxNs))];
  const name = all.steps.find((span) => span.step === step)?.name;
  return all.steps.length > 1 && name ? `, in ${name}` : '';
}

/** What the roles counted per second; small rates separated from large ones, so that both can be read. */
export function ratesOverTime(all: TimeLine, where: string): (Plot | undefined)[] {
  const scales: { most: number; names: string[] }[] = [];
  const named = Object.entries(all.ratesPerSecond)
    .filter(([, line]) => line.atSeconds.length > 1)
    .map(([name, line]) => ({ name, most: Math.max(...line.values) }))
    .sort((a, b) => b.most - a.most);
  for (const { name, most } of named) {
    const last = scales[scales.length - 1];
    if (!last || (last.most > OTHER_SCALE * most && scales.length < MOST_SCALES)) {
      scales.push({ most, names: [name] });
    } else {
      last.names.push(name);
    }
  }
  const order = Object.keys(all.ratesPerSecond);
  return Array.from({ length: MOST_SCALES }, (_, at) => {
    const scale = scales[at];
    if (!scale) {
      return undefined;
    }
    const names = order.filter((name) => scale.names.includes(name));
    return {
      title: `${at === 0 ? 'Rate' : 'Smaller rates'} over time, ${where}`,
      summary: `Counted per second: ${names.join(', ')}; at most ${rate(scale.most)}.`,
      // dashed over the first, which what is received or echoed often covers
      lines: names.map((name, index) => valueLine(name, all.ratesPerSecond[name], colourOfRate(order.indexOf(name)), index > 0)),
      ...frame(all),
      y: { label: 'per second', log: false, ...linearAxis(0, scale.most * 1.05), tick: axisRate, exact: rate },
      note: leftOut(all.rateCount, order.length, 'counters'),
    };
  });
}

/** Colours 0, 1 and 4 mean median, longest and 99 % in the chart beside it. */
function colourOfRate(at: number): number {
  return [2, 3, 6, 5, 7, 0, 1, 4][at] ?? 0;
}

/** CPU of each role, 100 being one core. */
export function cpuOverTime(all: TimeLine, where: string): Plot | undefined {
  const percent = (value: number): string => `${digits(value)}\u00a0%`;
  return ofRoles(all, (role) => role.cpuPercent, {
    title: `CPU of each role, ${where}`,
    label: '% of one core',
    tick: (value) => `${round(value)}\u00a0%`,
    exact: percent,
  });
}

/** Resident memory of each role. */
export function memoryOverTime(all: TimeLine, where: string): Plot | undefined {
  return ofRoles(all, (role) => role.residentMiB, {
    title: `Resident memory of each role, ${where}`,
    label: 'MiB',
    tick: round,
    exact: (value) => `${digits(value)}\u00a0MiB`,
  });
}

function round(value: number): string {
  return value < 10 ? String(Number(value.toPrecision(3))) : count(value);
}

interface Words {
  title: string;
  label: string;
  tick: (value: number) => string;
  exact: (value: number) => string;
}

function ofRoles(all: TimeLine, of: (role: RoleLines) => ValueLine, words: Words): Plot | undefined {
  const lines = all.roles
    .map((role, at) => valueLine(role.role, of(role), at, at % 2 === 1))
    .filter((line) => line.xs.length > 1);
  if (lines.length === 0) {
    return undefined;
  }
  const most = Math.max(...lines.flatMap((line) => line.ys));
  return {
    title: words.title,
    summary: lines.map((line) => `${line.label}: at most ${words.exact(Math.max(...line.ys))}.`).join(' '),
    lines,
    ...frame(all),
    y: { ...words, log: false, ...linearAxis(0, most * 1.05) },
    note:
      all.roleCount > all.roles.length
        ? `Of ${all.roleCount} roles, the ${all.roles.length} that took most CPU.`
        : undefined,
  };
}

function valueLine(label: string, line: ValueLine | undefined, colour: number, dashed: boolean): Line {
  const xs = line?.atSeconds ?? [];
  return {
    label,
    xs,
    ys: line?.values ?? [],
    colour,
    dashed,
    marked: () => xs.length <= MARKED_UP_TO,
  };
}

/** What all charts of a repeat share, so that one can be read above the other: the time and the steps. */
function frame(all: TimeLine): Pick<Plot, 'x' | 'bands' | 'height'> {
  const at = [
    ...Object.values(all.latencies).flatMap((line) => line.atSeconds),
    ...Object.values(all.ratesPerSecond).flatMap((line) => line.atSeconds),
    ...all.roles.flatMap((role) => [...role.cpuPercent.atSeconds, ...role.residentMiB.atSeconds]),
  ];
  const from = Math.min(0, ...at);
  const to = Math.max(from, ...at);
  const bands = all.steps.map((span): Band => ({ label: span.name, from: span.fromSeconds, to: span.toSeconds }));
  return {
    x: {
      label: 'seconds',
      log: false,
      range: [from, to > from ? to + (to - from) * 0.02 : to + 1],
      ticks: linearAxis(from, to).ticks.filter((tick) => tick <= to + 1e-9),
      tick: (value) => String(Number(value.toFixed(1))),
      exact: (value) => `${Number(value.toFixed(1))} s`,
    },
    bands: bands.length > 1 ? bands : undefined,
    height: 260,
  };
}
