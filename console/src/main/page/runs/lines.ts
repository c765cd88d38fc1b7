// What a run kept of itself, second by second, as live.jsonl has it.

export interface Entry {
  id: string;
  plan: string;
  startedAt: string;
  state: 'running' | 'finished' | 'broken off' | 'damaged' | 'not listed';
  verdict: string;
  canReplay: boolean;
}

export interface Interval {
  count: number;
  /** A percentile with fewer than ten latencies above it is absent. */
  p50Ns?: number | undefined;
  p99Ns?: number | undefined;
  p999Ns?: number | undefined;
  maxNs: number;
}

export interface Role {
  role: string;
  instances: number;
  step: string;
  counts: Record<string, number>;
  perSecond: Record<string, number>;
  gauges: Record<string, number>;
  latencies: Record<string, Interval>;
}

export interface Tick {
  type: 'tick';
  seconds: number;
  test: string;
  channel: string;
  repeat: number;
  number: number;
  of: number;
  phase: string;
  roles: Role[];
  missing?: number;
  noiseMaxNs?: number;
}

/** Messages between two percentiles, and whose their latency above the median was. */
export interface TailBand {
  fromPercentile: number;
  toPercentile: number;
  messages: number;
  /** By owner: machine, system, bench, unknown, and the rest, which no stall explains. */
  partNs: Record<string, number>;
  /** The largest of all; empty where the rest is larger. */
  cause: string;
  /** All of them, the largest first; absent in runs of before lines had them. */
  causes?: TailCause[];
}

export interface TailCause {
  owner: string;
  cause: string;
  /** Whether a record dates it, a counter apportions it, or nothing shows it. */
  evidence: string;
  ns: number;
}

/** 50 to 100, which is the maximum. */
export interface Percentile {
  percentile: number;
  ns: number;
}

export interface Row {
  type: 'row';
  seconds: number;
  test: string;
  channel: string;
  repeat: number;
  label: string;
  verdict: string;
  lost: number;
  reasons: string[];
  /** Absent, as the latencies, in runs of before rows had them. */
  ratePerSecond?: number;
  latencies?: Record<string, Interval>;
  tail?: TailBand[];
  /** By latency, and without the messages that the machine disturbed; absent as above. */
  curves?: Record<string, Percentile[]>;
  undisturbed?: Percentile[];
  /** What they leave out; absent where that is not known. */
  leftOut?: { part: number; refused: string };
}

export type Line = Tick | Row | { type: 'run'; expectedSeconds: number } | { type: 'end'; seconds: number; verdict: string };

export interface Part {
  lines: Line[];
  /** Left out of them, as they cannot be read. */
  damagedLines: number;
  next: number;
  state: Entry['state'];
}

/** What a person waits for comes before what explains it. */
const LATENCIES = ['responseNs', 'roundTripNs', 'stableNs', 'serviceNs'];

/** The figures of a row that is final, where no trial is measuring at that moment. */
export function finished(tick: Tick | undefined, rows: Row[], isOver: boolean): Row | undefined {
  const row = rows.at(-1);
  return row?.latencies !== undefined && (isOver || tick?.phase !== 'measuring') ? row : undefined;
}

/** Which latency a tick, or a row that is final, shows: one for all its figures. */
export function latencyOf(of: Pick<Tick, 'roles'> | Row): { name: string; interval: Interval } | undefined {
  const all = ('roles' in of ? of.roles.map((role) => role.latencies) : [of.latencies ?? {}]).flatMap(Object.entries<Interval>);
  const name = [...LATENCIES, ...all.map(([each]) => each)].find((each) => all.some(([other]) => other === each));
  const found = all.filter(([each]) => each === name).map(([, interval]) => interval);
  if (name === undefined || found.length === 0) {
    return undefined;
  }
  const largest = (of: (interval: Interval) => number | undefined): number | undefined => {
    const known = found.flatMap((each) => of(each) ?? []);
    return known.length === 0 ? undefined : Math.max(...known);
  };
  return {
    name: name.replace(/Ns$/, ''),
    interval: {
      count: found.reduce((sum, each) => sum + each.count, 0),
      p50Ns: largest((each) => each.p50Ns),
      p99Ns: largest((each) => each.p99Ns),
      p999Ns: largest((each) => each.p999Ns),
      maxNs: Math.max(...found.map((each) => each.maxNs)),
    },
  };
}

/** In how many of the seconds that have a p99 it was at most so much; the last of them last. */
export function held(ticks: Tick[], limitNs: number): { seconds: number; held: number; nowNs: number | undefined } {
  const known = ticks.flatMap((tick) => latencyOf(tick)?.interval.p99Ns ?? []);
  return { seconds: known.length, held: known.filter((each) => each <= limitNs).length, nowNs: ticks.at(-1) && latencyOf(ticks.at(-1)!)?.interval.p99Ns };
}

/** A rate summed over the roles that have it; undefined where none has. */
export function rateOf(tick: Tick, ...names: string[]): number | undefined {
  const rates = tick.roles.flatMap((role) => names.flatMap((name) => (name in role.perSecond ? [role.perSecond[name]!] : [])));
  return rates.length === 0 ? undefined : rates.reduce((sum, each) => sum + each, 0);
}

function gaugeOf(tick: Tick, name: string): number | undefined {
  const values = tick.roles.flatMap((role) => (name in role.gauges ? [role.gauges[name]!] : []));
  return values.length === 0 ? undefined : Math.max(...values);
}

export const lagOf = (tick: Tick): number | undefined => gaugeOf(tick, 'lagNs');

/** How long a watched thread stood in that second, of the one that did so for longest. */
export const stalledOf = (tick: Tick): number | undefined => gaugeOf(tick, 'stalledNs');

/** What a thread was stalled in a second by, as far as its counters tell at once. */
export const STALLS: { gauge: string; name: string }[] = [
  { gauge: 'stalledWaitingNs', name: 'waited for a core' },
  { gauge: 'stalledOffCoreNs', name: 'off its core: the JVM, a stop, a disk' },
  { gauge: 'stalledOnCoreNs', name: 'on its core: an interrupt, a page, the hypervisor' },
];

/** Of the role whose thread was stalled for longest; undefined where no thread is watched, or an older run did not say. */
export function stallsOf(tick: Tick): { name: string; ns: number }[] | undefined {
  const longest = tick.roles.filter((role) => 'stalledWaitingNs' in role.gauges)
    .reduce<Role | undefined>((most, role) => (most === undefined || role.gauges['stalledNs']! > most.gauges['stalledNs']! ? role : most), undefined);
  return longest && STALLS.map(({ gauge, name }) => ({ name, ns: longest.gauges[gauge] ?? 0 }));
}

/** The curve that its tail divides: of the latency that the row shows. */
export function curveOf(row: Row): Percentile[] {
  return row.curves?.[`${latencyOf(row)?.name}Ns`] ?? [];
}

/** What the undisturbed curve leaves out, and why there is none, in the words of the terminal; empty where that is not known. */
export function leftOutOf({ leftOut }: Row): string {
  return leftOut === undefined
    ? '' : `, left out: ${Number((100 * leftOut.part).toPrecision(3))} %${leftOut.refused === '' ? '' : `, refused: ${leftOut.refused}`}`;
}

export const OWNERS: Record<string, string> = {
  machine: 'machine', system: 'the test itself', bench: 'the bench', unknown: 'stall, cause unknown', rest: 'engine, kernel path or unseen',
};

export interface Share {
  owner: string;
  name: string;
  part: number;
}

/** Whose the latency of a band above the median was: what has any, by its name. */
export function sharesOf(band: TailBand): Share[] {
  const all = Object.values(band.partNs).reduce((sum, each) => sum + each, 0);
  return Object.entries(OWNERS).flatMap(([owner, name]) => {
    const part = all > 0 ? (band.partNs[owner] ?? 0) / all : 0;
    return part > 0 ? [{ owner, name, part }] : [];
  });
}

/** The causes of a band that are a twentieth of it or more, with their parts of it. */
export function causesOf(band: TailBand): { owner: string; words: string; part: number }[] {
  const all = Object.values(band.partNs).reduce((sum, each) => sum + each, 0);
  return (band.causes ?? []).filter((each) => each.ns >= 0.05 * all)
    .map((each) => ({ owner: each.owner, words: `${each.cause} (${each.evidence})`, part: each.ns / all }));
}

/** The colour of a run's state: that of its verdict, and none before there is one. */
export function levelOf(isOver: boolean, verdict: string): 'good' | 'careful' | 'bad' | 'idle' {
  return !isOver ? 'idle' : verdict === 'pass' ? 'good' : verdict === 'fail' ? 'bad' : 'careful';
}

export class Kept {
  readonly ticks: Tick[] = [];
  readonly rows: Row[] = [];
  expectedSeconds = 0;
  damagedLines = 0;
  verdict = '';
  private endSeconds = 0;

  add(lines: Line[]): void {
    for (const line of lines) {
      switch (line.type) {
        case 'tick': this.ticks.push(line); break;
        case 'row': this.rows.push(line); break;
        case 'run': this.expectedSeconds = line.expectedSeconds; break;
        case 'end': this.verdict = line.verdict; this.endSeconds = line.seconds; break;
      }
    }
  }

  seconds(): number {
    return Math.max(this.endSeconds, this.ticks.at(-1)?.seconds ?? 0, this.rows.at(-1)?.seconds ?? 0);
  }

  until(seconds: number): { ticks: Tick[]; rows: Row[]; isOver: boolean } {
    return {
      ticks: this.ticks.filter((tick) => tick.seconds <= seconds),
      rows: this.rows.filter((row) => row.seconds <= seconds),
      isOver: this.endSeconds > 0 && seconds >= this.endSeconds,
    };
  }
}
