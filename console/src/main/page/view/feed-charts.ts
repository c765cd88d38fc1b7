// What the price feed shows over time.

import type { Settings } from '../settings';
import type { Chart, Limit } from './charts';
import { digits, rate } from './format';

export interface Sample {
  atMs: number;
  p50Ms: number | null;
  p99Ms: number | null;
  maxMs: number | null;
  screenMs: number | null;
  received: number;
  made: number | null;
  frameMs: number | null;
  busyPercent: number;
  latePercent: number | null;
}

/** Those of the thresholds that are set. */
function limits(settings: Settings, unit: string, ...all: [keyof Settings, string][]): Limit[] {
  return all.flatMap(([key, label]) => {
    const value = settings[key] as number;
    return value > 0 ? [{ label: `${label} ≤ ${value} ${unit}`, value }] : [];
  });
}

export const feedCharts = (settings: () => Settings): Chart<Sample>[] => [
  {
    title: 'Latency', unit: 'ms', isLog: true, show: digits,
    lines: [
      { label: 'p50', colour: 'series-1', value: (s) => s.p50Ms, width: 2 },
      { label: 'p99', colour: 'series-2', value: (s) => s.p99Ms, width: 2 },
      { label: 'max', colour: 'series-3', value: (s) => s.maxMs },
      { label: 'p50 to screen', colour: 'series-4', value: (s) => s.screenMs, isDashed: true },
    ],
    limits: () => limits(settings(), 'ms', ['p99LimitMs', 'p99'], ['screenLimitMs', 'p99 to screen']),
  },
  {
    title: 'Messages per second', unit: '', isLog: false, isRate: true, show: rate,
    lines: [
      { label: 'received', colour: 'series-1', value: (s) => s.received, width: 2 },
      { label: 'feed', colour: 'series-3', value: (s) => s.made },
    ],
  },
  {
    title: 'Frame time', unit: 'ms', isLog: false, show: digits,
    lines: [{ label: 'longest between two pictures', colour: 'series-2', value: (s) => s.frameMs, width: 2 }],
  },
  {
    title: 'Decoding and late frames', unit: '%', isLog: false, show: digits,
    lines: [
      { label: 'decoding, of the worker\'s time', colour: 'series-1', value: (s) => s.busyPercent, width: 2 },
      { label: 'frames late, of ten seconds', colour: 'series-2', value: (s) => s.latePercent, isDashed: true },
    ],
    limits: () => limits(settings(), '%', ['lateLimitPercent', 'frames late']),
  },
];
