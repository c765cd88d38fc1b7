import { logAxis } from './plot';

/** A logarithmic axis over the width of an element. */
export interface Scale {
  ticks: number[];
  /** The position of a time, from the left edge. */
  place: (ns: number) => string;
}

export function latencyScale(ns: number[], mostTicks: number): Scale {
  const { range, ticks } = logAxis(ns, mostTicks);
  const [low, high] = range.map(Math.log10) as [number, number];
  return {
    ticks,
    place: (each) => {
      const at = (Math.log10(Math.max(each, range[0])) - low) / (high - low);
      return `${(100 * Math.min(1, Math.max(0, at))).toFixed(2)}%`;
    },
  };
}
