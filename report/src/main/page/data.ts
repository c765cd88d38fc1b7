// The shapes that PageData.java writes.

export interface Page {
  plan: string;
  description: string;
  startedAt: string;
  tickmark: string;
  host: string;
  verdict: Words;
  sentences: string[];
  notes: Note[];
  keyFigures: KeyFigure[];
  cautions: string[];
  missing: string[];
  tests: Test[];
  searches: Search[];
  references?: SideTable;
  noise?: Noise;
  checks: Check[];
  environment: Group[];
  planText: string;
  raw: Table;
}

export interface Note {
  title: string;
  sentences: string[];
}

export type Verdict = 'pass' | 'fail' | 'void';

export interface Words {
  kind: Verdict | 'measured';
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
  loop: 'closed' | 'open' | 'stream' | 'general';
  sentence: string;
  circumstances: string;
  latencyColumns: LatencyColumn[];
  overviewColumns: OverviewColumn[];
  tables: SideTable[];
  slowest: Slowest;
  blocks: Block[];
}

/** The slowest messages of a test, in one list for each step of a channel; why is the last column. */
export interface Slowest {
  columns: string[];
  lists: { title: string; rows: string[][]; all: number }[];
  /** Which lists are missing and why. */
  notes: string[];
}

/** A column of the tables of latencies. */
export interface LatencyColumn {
  title: string;
  key: keyof Latency;
  /** End of the band of percentiles that the figure is in; 0 where it is in none. */
  band: number;
}

/** A figure in the table of all tests: of a row, of its headline latency or of its counts. */
export type OverviewColumn = { title: string; /** Left out where the page is narrow. */ aside: boolean } & (
  | { kind: 'rate'; key: 'offeredRatePerSecond' | 'achievedRatePerSecond' }
  | { kind: 'time'; key: keyof Latency }
  | { kind: 'count'; key: keyof Counts }
);

/** A small table in addition to other figures; its first columns are text. */
export interface SideTable {
  title: string;
  columns: string[];
  texts: number;
  rows: string[][];
  pictures: Stack[];
}

/** A time and the parts that add up to it. */
export interface Stack {
  name: string;
  parts: { name: string; ns: number }[];
}

export interface Block {
  channel: string;
  noiseMaxNs: number;
  rows: Row[];
  timeLines: TimeLine[];
  roles: RoleFigure[];
  oneWays: OneWay[];
}

/** One-way latency that was derived from round trips. */
export interface OneWay {
  title: string;
  steps: { payloadBytes: number; meanNs: number; p50Ns: number }[];
}

export interface RoleFigure {
  role: string;
  metric: string;
  text: string;
  spread?: { median: number; min: number; max: number };
}

export interface Row {
  step: number;
  name: string;
  payloadBytes: number;
  verdict: Verdict;
  labels: string[];
  noisy: boolean;
  /** Percentiles of whose latency above the median more than a tenth is the machine's; 100 is the maximum. */
  disturbed?: number[];
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
  /** Of an echo service that is not a role it is not known. */
  lost?: number;
  /** Pings whose echo did not come in time. */
  notEchoed: number;
  duplicated: number;
  reordered: number;
  notTimed: number;
  maxTightSends: number;
  hotThreads: number;
  cores: number;
}

export interface Latency {
  count: number;
  min: number;
  mean: number;
  stdev: number;
  /** A percentile with fewer than ten messages above it is absent. */
  p50?: number;
  p90?: number;
  p99?: number;
  p999?: number;
  p9999?: number;
  max: number;
}

/** Latency over the nines: point k stands at k / 20 nines, as far as ten messages are above it. */
export interface Curve {
  count: number;
  maxNs: number;
  ns: number[];
}

/** A repeat over time; all times are seconds from its first point. */
export interface TimeLine {
  repeat: number;
  steps: Span[];
  latencies: Record<string, LatencyLine>;
  ratesPerSecond: Record<string, ValueLine>;
  roles: RoleLines[];
  roleCount: number;
  latencyCount: number;
  rateCount: number;
}

/** The time of a step. */
export interface Span {
  step: number;
  name: string;
  fromSeconds: number;
  toSeconds: number;
}

export interface LatencyLine {
  atSeconds: number[];
  step: number[];
  /** Null where fewer than ten messages are above it. */
  p50Ns: (number | null)[];
  p99Ns: (number | null)[];
  maxNs: number[];
}

export interface ValueLine {
  atSeconds: number[];
  values: number[];
}

/** CPU and memory of a role. */
export interface RoleLines {
  role: string;
  cpuPercent: ValueLine;
  residentMiB: ValueLine;
}

/** A search for the highest rate that holds. */
export interface Search {
  test: string;
  channel: string;
  lowerBoundPerSecond: number;
  upperBoundPerSecond: number;
  confidence: number;
  lowPerSecond: number;
  highPerSecond: number;
  strictRatePerSecond: number;
  soakNs: number;
  width: number;
  trialNs: number;
  searchNs: number;
  trials: SearchTrial[];
  verdict: Verdict;
}

export interface SearchTrial {
  purpose: 'seed' | 'search' | 'confirmation' | 'soak';
  ratePerSecond: number;
  achievedPerSecond: number;
  durationNs: number;
  outcome: 'good' | 'bad' | 'void';
  reason: string;
  /** By the machine; absent in results of 0.1.0. */
  disturbed?: boolean;
  /** A core of its own, by another task; absent in results of 0.1.0. */
  perhapsTaken?: boolean;
  /** Nobody looked into its tail, so that `disturbed` is not known; absent in results of 0.1.0. */
  notExamined?: boolean;
}

export interface Noise {
  durationNs: number;
  cores: CoreNoise[];
}

export interface CoreNoise {
  core: number;
  minNs: number;
  /** Absent with fewer than ten values above it. */
  p9999Ns?: number;
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

const KNOWN = ['roundTripNs', 'responseNs', 'serviceNs', 'sendNs'];

/** The latencies of a test by name, common ones first. */
export function latencyNames(test: Test): string[] {
  const names = new Set(test.blocks.flatMap((block) => block.rows.flatMap((row) => Object.keys(row.latencies))));
  return [...KNOWN.filter((name) => names.has(name)), ...[...names].filter((name) => !KNOWN.includes(name))];
}

/** The latency by which a row is judged: the response time, otherwise the round trip, otherwise the first of the workload's own. */
export function headline(row: Row): { name: string; latency: Latency } | undefined {
  for (const name of ['responseNs', 'roundTripNs', ...Object.keys(row.latencies).filter((each) => each !== 'sendNs')]) {
    const latency = row.latencies[name];
    if (latency) {
      return { name, latency };
    }
  }
  return undefined;
}

/** The name of a latency for people. */
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
    default: {
      const words = name
        .replace(/Ns$/, '')
        .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
        .toLowerCase();
      return words.charAt(0).toUpperCase() + words.slice(1);
    }
  }
}

/** The payload sizes of a test, each once, from small to large. */
export function sizes(test: Test): number[] {
  const all = new Set(test.blocks.flatMap((block) => block.rows.map((row) => row.payloadBytes)));
  return [...all].sort((a, b) => a - b);
}

/** The names of a test's steps that have a latency, each once, in order. */
export function stepNames(test: Test): string[] {
  const rows = test.blocks.flatMap((block) => block.rows).filter((row) => Object.keys(row.latencies).length > 0);
  return [...new Set(rows.sort((a, b) => a.step - b.step).map((row) => row.name))];
}

export function rowNamed(block: Block, name: string): Row | undefined {
  return block.rows.find((row) => row.name === name);
}
