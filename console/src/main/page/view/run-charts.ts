// What a run shows from its beginning on.

import { lagOf, latencyOf, rateOf, stalledOf, STALLS, stallsOf, type Tick } from '../runs/lines';
import type { Chart } from './charts';
import { digits, rate } from './format';

export interface RunSample {
  atMs: number;
  tick: Tick;
}

const us = (ns: number | undefined): number | null => (ns === undefined ? null : ns / 1000);
const ms = (ns: number | undefined): number | null => (ns === undefined ? null : ns / 1e6);

/** Limit: the most that the p99 may be, µs; 0 is none. */
export const runCharts = (limitUs: () => number): Chart<RunSample>[] => [
  {
    title: 'Latency', unit: 'µs', isLog: true, show: digits,
    lines: [
      { label: 'p50', colour: 'series-1', value: (s) => us(latencyOf(s.tick)?.interval.p50Ns), width: 2 },
      { label: 'p99', colour: 'series-2', value: (s) => us(latencyOf(s.tick)?.interval.p99Ns), width: 2 },
      { label: 'max', colour: 'series-3', value: (s) => us(latencyOf(s.tick)?.interval.maxNs) },
      { label: 'a thread was stalled', colour: 'series-4', value: (s) => us(stalledOf(s.tick) || undefined) },
    ],
    limits: () => (limitUs() > 0 ? [{ label: `p99 ≤ ${limitUs()} µs`, value: limitUs() }] : []),
  },
  {
    title: 'Messages per second', unit: '', isLog: false, isRate: true, show: rate,
    lines: [
      { label: 'received', colour: 'series-1', value: (s) => rateOf(s.tick, 'received', 'echoed') ?? null, width: 2 },
      { label: 'sent', colour: 'series-3', value: (s) => rateOf(s.tick, 'sent') ?? null },
    ],
  },
  {
    title: 'Stalls of the most stalled thread', unit: 'ms in a second', isLog: false, show: digits,
    lines: STALLS.map(({ name }, i) => ({
      label: name, colour: `series-${[2, 1, 3][i]}`, value: (s: RunSample) => ms(stallsOf(s.tick)?.[i]?.ns), width: 2,
    })),
  },
  {
    title: 'Lag of the sender', unit: 'ms', isLog: false, show: digits,
    lines: [{ label: 'behind its schedule', colour: 'series-2', value: (s) => ms(lagOf(s.tick)), width: 2 }],
  },
];
