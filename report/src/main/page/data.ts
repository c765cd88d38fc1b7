// The shapes that PageData.java writes.

export interface Page {
  plan: string;
  description: string;
  startedAt: string;
  tickmark: string;
  host: string;
  verdict: Words;
  story: string[];
  keyFigures: KeyFigure[];
  cautions: string[];
  missing: string[];
  tests: Test[];
  noise?: Noise;
  checks: Check[];
  environment: Group[];
  planText: string;
  raw: Table;
}

export type Verdict = 'pass' | 'fail' | 'void';

export interface Words {
  kind: Verdict;
  word: string;
  sentence: string;
  reasons: string[];
}

export interface Check {
  severity: 'warning' | 'note';
  sentence: string;
}

export interface KeyFigure {
  label: string;
  value: string;
  note: string;
}

export interface Test {
  name: string;
  loop: 'closed' | 'open' | 'stream';
  circumstances: string;
  blocks: Block[];
}

export interface Block {
  channel: string;
  noiseMaxNs: number;
  rows: Row[];
  timeLines: TimeLine[];
}

export interface Row {
  step: number;
  payloadBytes: number;
  verdict: Verdict;
  labels: string[];
  noisy: boolean;
  counts: Counts;
  offeredRatePerSecond: number;
  achievedRatePerSecond: number;
  latencies: Partial<Record<string, Latency>>;
  curves: Partial<Record<string, Curve>>;
}

export interface Counts {
  sent: number;
  expected: number;
  received: number;
  lost: number;
  duplicated: number;
  reordered: number;
  maxTightSends: number;
  hotThreads: number;
  cores: number;
}

export interface Latency {
  count: number;
  min: number;
  mean: number;
  stdev: number;
  p50: number;
  p90: number;
  p99: number;
  p999: number;
  p9999: number;
  max: number;
}

/** Latency over the nines: point k stands at k / 20 nines, the longest at log10(count). */
export interface Curve {
  count: number;
  maxNs: number;
  ns: number[];
}

export interface TimeLine {
  repeat: number;
  latency: string;
  atSeconds: number[];
  payloadBytes: number[];
  p50Ns: number[];
  p99Ns: number[];
  maxNs: number[];
  rates: Record<string, Rate>;
}

export interface Rate {
  atSeconds: number[];
  perSecond: number[];
}

export interface Noise {
  durationNs: number;
  cores: CoreNoise[];
}

export interface CoreNoise {
  core: number;
  minNs: number;
  p9999Ns: number;
  maxNs: number;
  gapsOver10UsPerSecond: number;
  stolenPart: number;
}

export interface Group {
  name: string;
  facts: { name: string; value: string }[];
}

export interface Table {
  columns: string[];
  rows: (string | number)[][];
}

/** The latency by which a row is judged: the response time of an open loop, else the round trip. */
export function headline(row: Row): { name: string; latency: Latency } | undefined {
  for (const name of ['responseNs', 'roundTripNs']) {
    const latency = row.latencies[name];
    if (latency) {
      return { name, latency };
    }
  }
  return undefined;
}

/** What a latency is called where people read it. */
export function latencyTitle(name: string): string {
  switch (name) {
    case 'roundTripNs':
      return 'Round trip';
    case 'responseNs':
      return 'Response time';
    case 'serviceNs':
      return 'Service time';
    case 'sendNs':
      return 'Time in the send call';
    default:
      return name;
  }
}

/** The payload sizes of a test, each once, from small to large. */
export function sizes(test: Test): number[] {
  const all = new Set(test.blocks.flatMap((block) => block.rows.map((row) => row.payloadBytes)));
  return [...all].sort((a, b) => a - b);
}

/** The first row of a block with this size; several rates of one size keep the first. */
export function rowOfSize(block: Block, payloadBytes: number): Row | undefined {
  return block.rows.find((row) => row.payloadBytes === payloadBytes);
}
