import { Histogram, type Summary } from './histogram';

const SECONDS = 10;
/** How often in a second an interval is closed. */
const TURNS = 4;

export interface Spread {
  /** The last quarter of a second. */
  interval: Summary;
  /** The last ten seconds: a p99 needs a thousand latencies, which a quarter of a second may not have. */
  recent: Summary;
  /** The running benchmark so far. */
  run: Summary | undefined;
}

/**
 * What one message in a hundred takes, at least. An interval with too few to tell is judged by the ten seconds, but by no more
 * than its own maximum: a stall counts only while it lasts. Where these have too few as well, by their median, which no p99 is
 * below. NaN: too few even for that.
 */
export function judgedNs({ interval, recent }: Pick<Spread, 'interval' | 'recent'>): number {
  return Number.isNaN(interval.p99Ns)
    ? Math.min(Number.isNaN(recent.p99Ns) ? recent.p50Ns : recent.p99Ns, interval.maxNs)
    : interval.p99Ns;
}

/** Latencies of one kind over the three spans for which they are shown. */
export class Spans {
  readonly interval = new Histogram();
  private readonly seconds = Array.from({ length: SECONDS }, () => new Histogram());
  private readonly recent = new Histogram();
  private run: Histogram | undefined;
  private turn = 0;

  /** What came before belongs to no run. */
  begin(): void {
    this.take();
    this.run = new Histogram();
  }

  /** The run is over: all of it. */
  end(): Histogram {
    const all = this.run ?? new Histogram();
    this.run = undefined;
    return all;
  }

  /** Ends an interval, and reports all three. */
  close(): Spread {
    const interval = this.interval.summary();
    this.take();
    this.recent.clear();
    this.seconds.forEach((each) => this.recent.add(each));
    return { interval, recent: this.recent.summary(), run: this.run?.summary() };
  }

  private take(): void {
    const second = this.seconds[Math.floor(this.turn / TURNS) % SECONDS]!;
    if (this.turn % TURNS === 0) {
      second.clear();
    }
    second.add(this.interval);
    this.run?.add(this.interval);
    this.interval.clear();
    this.turn++;
  }
}
