import type { Block, LatencyColumn, OverviewColumn, Page, Row, Test, TimeLine } from '../../main/page/data';

const latency = { count: 1000, min: 8e3, mean: 1e4, stdev: 2e3, p50: 9e3, p90: 11e3, p99: 14e3, p999: 2e4, p9999: 36e3, max: 91e3 };

export function row(change: Partial<Row> = {}): Row {
  return {
    step: 0,
    name: '64 bytes',
    payloadBytes: 64,
    verdict: 'pass',
    labels: ['closed-loop'],
    noisy: false,
    counts: {
      sent: 1000, expected: 1000, received: 1000, lost: 0, notEchoed: 0, duplicated: 0, reordered: 0, notTimed: 0, maxTightSends: 0, hotThreads: 2, cores: 2,
    },
    offeredRatePerSecond: 0,
    achievedRatePerSecond: 50_000,
    latencies: { roundTripNs: latency },
    curves: { roundTripNs: { count: 1000, maxNs: 91e3, ns: Array.from({ length: 61 }, (_, at) => 8e3 + at * 100) } },
    ...change,
  };
}

export function block(change: Partial<Block> = {}): Block {
  return {
    channel: 'udp://127.0.0.1:0',
    noiseMaxNs: 50_000,
    rows: [row()],
    timeLines: [],
    roles: [],
    oneWays: [],
    ...change,
  };
}

/** Market data over time: two steps, two latencies, three counters, two roles. */
export function timeLine(change: Partial<TimeLine> = {}): TimeLine {
  const atSeconds = [0, 1, 2];
  const latency = { atSeconds, step: [0, 1, 1], p50Ns: [9e5, 2e4, 2e4], p99Ns: [2e6, 5e4, 5e4], maxNs: [3e6, 9e4, 7e4] };
  const line = (values: number[]) => ({ atSeconds, values });
  return {
    repeat: 1,
    steps: [
      { step: 0, name: 'startup', fromSeconds: 0, toSeconds: 0.9 },
      { step: 1, name: 'steady state', fromSeconds: 0.9, toSeconds: 3 },
    ],
    latencies: { responseNs: latency, postResponseNs: latency },
    ratesPerSecond: { received: line([0, 9_900, 10_000]), posts: line([0, 99, 100]), images: line([20_000, 0, 0]) },
    roles: [
      { role: 'market-consumer', cpuPercent: line([80, 40, 41]), residentMiB: line([150, 160, 161]) },
      { role: 'market-provider', cpuPercent: line([120, 60, 62]), residentMiB: line([90, 95, 95]) },
    ],
    roleCount: 2,
    latencyCount: 2,
    rateCount: 3,
    ...change,
  };
}

const latencyColumns: LatencyColumn[] = [
  { title: '50 %', key: 'p50', band: 0 },
  { title: '90 %', key: 'p90', band: 90 },
  { title: '99 %', key: 'p99', band: 99 },
  { title: '99.9 %', key: 'p999', band: 99.9 },
  { title: '99.99 %', key: 'p9999', band: 100 },
  { title: 'max', key: 'max', band: 100 },
];

const overviewColumns: OverviewColumn[] = [
  { title: 'rate', kind: 'rate', key: 'achievedRatePerSecond', aside: true },
  { title: '50 %', kind: 'time', key: 'p50', aside: false },
  { title: '99 %', kind: 'time', key: 'p99', aside: false },
  { title: '99.9 %', kind: 'time', key: 'p999', aside: true },
  { title: 'longest', kind: 'time', key: 'max', aside: false },
  { title: 'lost', kind: 'count', key: 'lost', aside: false },
  { title: 'no echo', kind: 'count', key: 'notEchoed', aside: false },
];

export function test(change: Partial<Test> = {}): Test {
  return {
    name: 'latency',
    loop: 'closed',
    sentence: '',
    circumstances: 'Round trip (closed loop).',
    latencyColumns,
    overviewColumns,
    tables: [],
    slowest: { columns: [], lists: [], notes: [] },
    blocks: [block()],
    ...change,
  };
}

export function page(change: Partial<Page> = {}): Page {
  return {
    plan: 'quick',
    description: '',
    startedAt: '2026-11-20T09:30:00+01:00',
    tickmark: '0.1.0',
    host: 'lab-3',
    verdict: { kind: 'pass', word: 'Passed', sentence: 'All met.', reasons: [] },
    sentences: ['Measured: 1 test.'],
    notes: [],
    keyFigures: [],
    cautions: [],
    missing: [],
    tests: [test()],
    searches: [],
    checks: [],
    environment: [],
    planText: '',
    raw: { columns: ['test'], rows: [['latency']] },
    ...change,
  };
}
