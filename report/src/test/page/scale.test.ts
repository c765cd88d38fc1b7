import { describe, expect, it } from 'vitest';
import { latencyScale, type Scale } from '../../main/page/chart/scale';
import { within } from '../../main/page/section/strips';

const places = ({ ticks, place }: Scale): number[] => ticks.map((tick) => Number.parseFloat(place(tick)));

describe('scale', () => {
  it('should name all of the grid where there is room', () => {
    expect(latencyScale([1_100, 4_000], 0.2).ticks).toEqual([1_000, 2_000, 5_000]);
  });

  it('should name every second decade where names of all would overlap, and draw each', () => {
    const scale = latencyScale([300, 912e6], 0.2);
    expect(scale.ticks).toEqual([1e4, 1e6, 1e8]);
    expect(scale.decades).toEqual([1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9]);
  });

  it('should keep all names as far apart as they need, on axes of any length', () => {
    for (let low = 1; low < 1e4; low *= 1.7) {
      for (let high = low * 1.1; high < 1e11; high *= 1.9) {
        const at = places(latencyScale([low, high], 0.2));
        expect(at.length).toBeGreaterThanOrEqual(2);
        at.slice(1).forEach((each, before) => expect(each - (at[before] ?? 0)).toBeGreaterThan(19.9));
      }
    }
  });

  it('should move only names that would leave the edge', () => {
    expect(within('1 µs', '40.00%')).toBe('clamp(2ch, 40.00%, calc(100% - 2ch))');
  });
});
