import { latencyTitle, type TimeLine } from '../data';
import { axisRate, axisTime, rate, time } from '../format';
import { linearAxis, logAxis, type Line, type Plot } from './plot';

const MARKED_UP_TO = 60;

/** Median, 99th percentile and maximum of each interval. */
export function latencyOverTime(line: TimeLine, noiseNs: number, title: string): Plot | undefined {
  if (line.atSeconds.length < 2) {
    return undefined;
  }
  const marked = (): boolean => line.atSeconds.length <= MARKED_UP_TO;
  const lines: Line[] = [
    { label: 'longest', xs: line.atSeconds, ys: line.maxNs, colour: 1, marked },
    { label: '99 %', xs: line.atSeconds, ys: line.p99Ns, colour: 4, marked },
    { label: 'median', xs: line.atSeconds, ys: line.p50Ns, colour: 0, marked },
  ];
  const values = lines.flatMap((each) => each.ys);
  return {
    title: `${latencyTitle(line.latency)} over time, ${title}`,
    summary:
      `Median, 99th percentile and longest of ${line.atSeconds.length} intervals. ` +
      `The longest latency was ${time(Math.max(...line.maxNs))}.`,
    lines,
    x: seconds(line.atSeconds),
    y: {
      label: 'latency',
      log: true,
      ...logAxis(noiseNs > 0 ? [...values, noiseNs] : values),
      tick: axisTime,
      exact: time,
    },
    level: noiseNs > 0 ? { at: noiseNs, label: `noise floor, max ${time(noiseNs)}` } : undefined,
    height: 300,
    note: steps(line),
  };
}

/** Messages per second as the roles counted them. */
export function rateOverTime(line: TimeLine, title: string): Plot | undefined {
  const names = Object.keys(line.rates).filter((name) => (line.rates[name]?.atSeconds.length ?? 0) > 1);
  if (names.length === 0) {
    return undefined;
  }
  const lines = names.map((name, at): Line => {
    const points = line.rates[name] ?? { atSeconds: [], perSecond: [] };
    return {
      label: name,
      xs: points.atSeconds,
      ys: points.perSecond,
      colour: at === 0 ? 2 : 3,
      dashed: at > 0,
      marked: () => points.atSeconds.length <= MARKED_UP_TO,
    };
  });
  const most = Math.max(...lines.flatMap((each) => each.ys));
  return {
    title: `Rate over time, ${title}`,
    summary: `Messages ${names.join(' and ')} per second; at most ${rate(most)}.`,
    lines,
    x: seconds(lines.flatMap((each) => each.xs)),
    y: { label: 'messages per second', log: false, ...linearAxis(0, most * 1.05), tick: axisRate, exact: rate },
    height: 300,
  };
}

function seconds(at: number[]): Plot['x'] {
  const from = Math.min(0, ...at);
  const to = Math.max(...at);
  const { ticks } = linearAxis(from, to);
  return {
    label: 'seconds',
    log: false,
    range: [from, to > from ? to + (to - from) * 0.02 : to + 1],
    ticks: ticks.filter((tick) => tick <= to + 1e-9),
    tick: (value) => String(Number(value.toFixed(1))),
    exact: (value) => `${Number(value.toFixed(1))} s`,
  };
}

function steps(line: TimeLine): string | undefined {
  const first = line.payloadBytes[0];
  return line.payloadBytes.some((each) => each !== first)
    ? 'The message size changes on the way: each step of the sweep follows the one before.'
    : undefined;
}
