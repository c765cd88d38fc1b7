// Latencies in logarithmic buckets of less than 1 % width: recording costs a few ns and allocates nothing.

const SUB_BITS = 7;
const SUB = 1 << SUB_BITS;
/** One unit: a clock of a page is no finer than 5 us, so 100 ns is enough. */
const UNIT_NS = 100;
const HIGHEST = 0x7fffffff;
/** As for every percentile of the product. */
const FEWEST_ABOVE = 10;
const BUCKETS = (31 - SUB_BITS + 1) * SUB;

function bucket(units: number): number {
  if (units < SUB) {
    return units;
  }
  const shift = 31 - Math.clz32(units) - SUB_BITS;
  return (shift + 1) * SUB + (units >> shift) - SUB;
}

/** Middle of a bucket. */
function valueNs(index: number): number {
  if (index < SUB) {
    return index * UNIT_NS;
  }
  const shift = Math.floor(index / SUB) - 1;
  return ((SUB + (index % SUB)) * 2 ** shift + 2 ** shift / 2) * UNIT_NS;
}

export interface Summary {
  count: number;
  /** NaN where nothing was timed; so the maximum. */
  meanNs: number;
  /** NaN with fewer than ten latencies above it; so the next. */
  p50Ns: number;
  p99Ns: number;
  maxNs: number;
  /** Latencies of zero or less: the offset of the clocks is not known well enough for them. */
  notPositive: number;
}

export class Histogram {
  private readonly counts = new Float64Array(BUCKETS);
  private count = 0;
  private sumNs = 0;
  private maxNs = 0;
  private notPositive = 0;

  record(ns: number): void {
    if (ns <= 0) {
      this.notPositive++;
      return;
    }
    const units = ns / UNIT_NS;
    this.counts[bucket(units > HIGHEST ? HIGHEST : units | 0)]!++;
    this.count++;
    this.sumNs += ns;
    if (ns > this.maxNs) {
      this.maxNs = ns;
    }
  }

  add(other: Histogram): void {
    for (let i = 0; i < BUCKETS; i++) {
      this.counts[i]! += other.counts[i]!;
    }
    this.count += other.count;
    this.sumNs += other.sumNs;
    this.maxNs = Math.max(this.maxNs, other.maxNs);
    this.notPositive += other.notPositive;
  }

  clear(): void {
    this.counts.fill(0);
    this.count = 0;
    this.sumNs = 0;
    this.maxNs = 0;
    this.notPositive = 0;
  }

  /** NaN with fewer than ten latencies above it: that is chance, or the maximum under another name. */
  percentileNs(part: number): number {
    if (this.count * (1 - part) < FEWEST_ABOVE * (1 - 1e-9)) {
      return NaN;
    }
    const wanted = Math.max(1, Math.ceil(part * this.count));
    let seen = 0;
    for (let i = 0; i < BUCKETS; i++) {
      seen += this.counts[i]!;
      if (seen >= wanted) {
        return Math.min(valueNs(i), this.maxNs);
      }
    }
    return this.maxNs;
  }

  summary(): Summary {
    return {
      count: this.count,
      meanNs: this.sumNs / this.count,
      p50Ns: this.percentileNs(0.5),
      p99Ns: this.percentileNs(0.99),
      maxNs: this.maxNs || NaN,
      notPositive: this.notPositive,
    };
  }

  /** Value and count of each bucket that has any; the last is the exact maximum. */
  buckets(): [number, number][] {
    const filled: [number, number][] = [];
    this.counts.forEach((count, i) => {
      if (count > 0) {
        filled.push([Math.max(1, Math.round(Math.min(valueNs(i), this.maxNs))), count]);
      }
    });
    return filled;
  }
}
