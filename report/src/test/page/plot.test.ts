import { describe, expect, it } from 'vitest';
import { points } from '../../main/page/chart/percentiles';
import { align, linearAxis, logAxis, nearest, withValues } from '../../main/page/chart/plot';

const line = (xs: number[], ys: number[]) => ({ label: '', xs, ys, colour: 0 });

describe('plot', () => {
  it('should put logarithmic bounds on the grid around the values', () => {
    expect(logAxis([240, 3_100])).toEqual({ range: [200, 5_000], ticks: [200, 500, 1_000, 2_000, 5_000] });
  });

  it('should leave room above a value that stands on the grid', () => {
    expect(logAxis([1_000]).range).toEqual([1_000, 2_000]);
  });

  it('should keep to decades where all ticks would be too many', () => {
    expect(logAxis([1, 1e9], 12).ticks.every((tick) => Number.isInteger(Math.log10(tick)))).toBe(true);
  });

  it('should survive values that have no logarithm', () => {
    expect(logAxis([0, -3, NaN]).range[0]).toBeGreaterThan(0);
  });

  it('should choose round linear ticks', () => {
    expect(linearAxis(0, 100_000).ticks).toEqual([0, 20_000, 40_000, 60_000, 80_000, 100_000]);
  });

  it('should put lines on one grid with nulls in the gaps', () => {
    expect(align([line([0, 2], [1, 2]), line([1, 2], [3, 4])])).toEqual([[0, 1, 2], [1, null, 2], [null, 3, 4]]);
  });

  it('should find the nearest point only within the line', () => {
    expect(nearest(line([0, 1], [5, 6]), 0.8)).toEqual({ x: 1, y: 6 });
    expect(nearest(line([0, 1], [5, 6]), 1.5)).toBeUndefined();
  });

  it('should end a percentile curve where its values end', () => {
    expect(points({ count: 1000, maxNs: 99, ns: [1, 2, 3] })).toEqual({ xs: [0, 0.05, 0.1], ys: [1, 2, 3] });
  });

  it('should leave out the points of a line that have no value', () => {
    expect(withValues([1, 2, 3, 4], [5, null, undefined, 8])).toEqual({ xs: [1, 4], ys: [5, 8] });
  });
});
