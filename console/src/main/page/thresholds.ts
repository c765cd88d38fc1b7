// What a user asks of latency and pictures, and whether it holds.

import type { Summary } from './histogram';
import type { Settings } from './settings';

type Limits = Pick<Settings, 'p99LimitMs' | 'screenLimitMs' | 'lateLimitPercent'>;

export interface Judged {
  key: keyof Limits;
  name: string;
  unit: 'ms' | '%';
  /** At most so much. */
  limit: number;
  /** Null where it is unknown: fewer than ten samples above a percentile, or no picture that was due. */
  value: number | null;
  state: 'passes' | 'fails' | 'unknown';
}

/** What thresholds are held against: a run, or the last ten seconds. */
export interface Held {
  latency: Pick<Summary, 'p99Ns'>;
  screen: Pick<Summary, 'p99Ns'> | undefined;
  /** Part of the pictures that were late, 0 to 1. */
  latePart: number | undefined;
}

/** NaN is not valid JSON: a missing value is null. */
export const orNull = (value: number | undefined): number | null => (value === undefined || Number.isNaN(value) ? null : value);

/** Each threshold that is set; none where none is. */
export function judge(limits: Limits, held: Held): Judged[] {
  const figures: [keyof Limits, string, Judged['unit'], number | null][] = [
    ['p99LimitMs', 'p99', 'ms', orNull(held.latency.p99Ns / 1e6)],
    ['screenLimitMs', 'p99 to screen', 'ms', orNull(held.screen && held.screen.p99Ns / 1e6)],
    ['lateLimitPercent', 'frames late', '%', orNull(held.latePart && held.latePart * 100)],
  ];
  return figures.flatMap(([key, name, unit, value]) => {
    const limit = limits[key];
    return limit > 0 ? [{ key, name, unit, limit, value, state: value === null ? 'unknown' : value <= limit ? 'passes' : 'fails' }] : [];
  });
}

/** One word for all: failed outweighs unknown; empty where no threshold is set. */
export function outcome(judged: Judged[]): Judged['state'] | '' {
  const states = judged.map((each) => each.state);
  return states.length === 0 ? '' : states.includes('fails') ? 'fails' : states.includes('unknown') ? 'unknown' : 'passes';
}

/** Such as "p99 fails: 7.1 of 5 ms". */
export function words({ name, unit, limit, value, state }: Judged): string {
  return value === null
    ? `${name} ≤ ${limit} ${unit}: too few to tell`
    : `${name} ${state}: ${Number(value.toPrecision(3))} of ${limit} ${unit}`;
}
