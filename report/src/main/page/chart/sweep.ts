import { headline, sizes, type Test } from '../data';
import { axisTime, bytes, time } from '../format';
import { type Line, logAxis, type Plot, withValues } from './plot';

/** Median and 99th percentile against message size, two lines for each channel. */
export function sweepPlot(test: Test): Plot | undefined {
  const all = sizes(test);
  if (all.length < 2) {
    return undefined;
  }
  const lines = test.blocks.flatMap((block, at): Line[] => {
    const rows = block.rows
      .flatMap((row) => {
        const found = headline(row);
        return found ? [{ bytes: row.payloadBytes, latency: found.latency }] : [];
      })
      .sort((a, b) => a.bytes - b.bytes);
    const xs = rows.map((row) => row.bytes);
    return rows.length === 0
      ? []
      : [
          { label: `${block.channel}, median`, ...withValues(xs, rows.map((row) => row.latency.p50)), colour: at },
          { label: `${block.channel}, 99 %`, ...withValues(xs, rows.map((row) => row.latency.p99)), colour: at, dashed: true },
        ].filter((line) => line.xs.length > 0);
  });
  if (lines.length === 0) {
    return undefined;
  }
  const low = all[0] ?? 1;
  const high = all[all.length - 1] ?? 2;
  return {
    title: 'Latency by message size',
    summary: `Median and 99th percentile from ${bytes(low)} to ${bytes(high)}. ${ends(lines)}`,
    lines,
    x: {
      label: 'message size',
      log: true,
      range: [low / 1.15, high * 1.15],
      ticks: all.length <= 12 ? all : [low, high],
      tick: (value) => bytes(value).replace('\u00a0', ''),
      exact: (value) => `${value} bytes`,
    },
    y: { label: 'latency', log: true, ...logAxis(lines.flatMap((line) => line.ys)), tick: axisTime, exact: time },
    height: 300,
    note: 'Solid: median. Dashed: 99th percentile.',
  };
}

function ends(lines: Line[]): string {
  return lines
    .map((line) => `${line.label}: ${time(line.ys[0] ?? NaN)} to ${time(line.ys[line.ys.length - 1] ?? NaN)}.`)
    .join(' ');
}
