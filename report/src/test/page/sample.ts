import type { Block, Page, Row, Test } from '../../main/page/data';

const latency = { count: 1000, min: 8e3, mean: 1e4, stdev: 2e3, p50: 9e3, p90: 11e3, p99: 14e3, p999: 2e4, p9999: 36e3, max: 91e3 };

export function row(change: Partial<Row> = {}): Row {
  return {
    step: 0,
    name: '64 bytes',
    payloadBytes: 64,
    verdict: 'pass',
    labels: ['closed-loop'],
    noisy: false,
    counts: { sent: 1000, expected: 1000, received: 1000, lost: 0, duplicated: 0, reordered: 0, maxTightSends: 0, hotThreads: 2, cores: 2 },
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

export function test(change: Partial<Test> = {}): Test {
  return { name: 'latency', loop: 'closed', circumstances: 'Round trip (closed loop).', tables: [], blocks: [block()], ...change };
}

export function page(change: Partial<Page> = {}): Page {
  return {
    plan: 'quick',
    description: '',
    startedAt: '2026-11-20T09:30:00+01:00',
    tickmark: '0.1.0',
    host: 'lab-3',
    verdict: { kind: 'pass', word: 'Passed', sentence: 'All met.', reasons: [] },
    story: ['Measured: 1 test.'],
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
