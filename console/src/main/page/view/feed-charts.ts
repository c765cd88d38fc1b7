// What the price feed shows over the last two minutes.

import type { Chart } from './charts';
import { digits, rate } from './format';

export interface Sample {
  atMs: number;
  p50Ms: number | null;
  p99Ms: number | null;
  maxMs: number | null;
  received: number;
  made: number | null;
  frameMs: number | null;
  busyPercent: number;
}

export const FEED_CHARTS: Chart<Sample>[] = [
  {
    title: 'Latency', unit: 'ms', isLog: true, show: digits,
    lines: [
      { label: 'p50', colour: 'series-1', value: (s) => s.p50Ms, width: 2 },
      { label: 'p99', colour: 'series-2', value: (s) => s.p99Ms, width: 2 },
      { label: 'max', colour: 'series-3', value: (s) => s.maxMs },
    ],
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
    title: 'Decoding', unit: '% of the worker\'s time', isLog: false, show: digits,
    lines: [{ label: 'decoding', colour: 'series-1', value: (s) => s.busyPercent, width: 2 }],
  },
];
