import { isDecade, logAxis } from './plot';

/** A logarithmic axis over the width of an element. */
export interface Scale {
  /** What is named on the axis: round times, far enough apart for their names. */
  ticks: number[];
  /** Where lines go, named or not. */
  decades: number[];
  /** The position of a time, from the left edge. */
  place: (ns: number) => string;
}

/** Names are evenly spaced where there are as many as this. */
const FEW = 3;

/**
 * An axis around times, whose names are at least a part of its width apart: all of the 1-2-5 grid, or each decade, or
 * every second, and so on. Where that leaves few, others of the grid are named as far as there is room.
 */
export function latencyScale(ns: number[], apart: number): Scale {
  const { range, ticks } = logAxis(ns, Infinity);
  const [low, high] = range.map(Math.log10) as [number, number];
  const least = apart * (high - low);
  const decades = ticks.filter(isDecade);
  const every = Math.max(1, Math.ceil(least - 1e-9));
  const named = least <= Math.log10(2) ? ticks : decades.filter((tick) => Math.round(Math.log10(tick)) % every === 0);
  if (named.length < FEW) {
    const isFree = (tick: number): boolean => named.every((each) => Math.abs(Math.log10(tick / each)) >= least - 1e-9);
    [...decades, ...ticks].forEach((tick) => isFree(tick) && named.push(tick));
  }
  return {
    ticks: named.sort((a, b) => a - b),
    decades,
    place: (each) => {
      const at = (Math.log10(Math.max(each, range[0])) - low) / (high - low);
      return `${(100 * Math.min(1, Math.max(0, at))).toFixed(2)}%`;
    },
  };
}
