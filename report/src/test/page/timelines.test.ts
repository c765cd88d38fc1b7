import { describe, expect, it } from 'vitest';
import { bandAt } from '../../main/page/chart/plot';
import { cpuOverTime, latencyOverTime, memoryOverTime, ratesOverTime } from '../../main/page/chart/timelines';
import { timeLine } from './sample';

describe('time lines', () => {
  it('should say in which step the longest latency was', () => {
    expect(latencyOverTime(timeLine(), 'responseNs', 0, 'direct')?.summary).toContain('3.00\u00a0ms, in startup');
  });

  it('should tell the steps apart', () => {
    const bands = latencyOverTime(timeLine(), 'responseNs', 0, 'direct')?.bands;
    expect([0, 0.8, 0.95, 3, 4].map((x) => bandAt(bands, x))).toEqual(['startup', 'startup', 'steady state', 'steady state', '']);
    const one = timeLine({ steps: [{ step: 0, name: '64 bytes', fromSeconds: 0, toSeconds: 3 }] });
    expect(latencyOverTime(one, 'responseNs', 0, 'direct')?.bands).toBeUndefined();
  });

  it('should have no chart of what there is not', () => {
    const empty = timeLine({ latencies: {}, ratesPerSecond: {}, roles: [] });
    expect(latencyOverTime(empty, 'responseNs', 0, '')).toBeUndefined();
    expect(ratesOverTime(empty, '').filter((plot) => plot)).toEqual([]);
    expect(cpuOverTime(empty, '')).toBeUndefined();
    expect(memoryOverTime(empty, '')).toBeUndefined();
  });

  it('should put rates that a common scale would hide on one of their own', () => {
    const labels = ratesOverTime(timeLine(), '').map((plot) => plot?.lines.map((line) => line.label));
    expect(labels).toEqual([['received', 'images'], ['posts']]);
  });

  it('should have a line for each role, in its unit', () => {
    const cpu = cpuOverTime(timeLine(), '');
    expect(cpu?.lines.map((line) => line.label)).toEqual(['market-consumer', 'market-provider']);
    expect(cpu?.y.exact(62)).toBe('62.0\u00a0%');
    expect(cpu?.summary).toBe('market-consumer: at most 80.0\u00a0%. market-provider: at most 120\u00a0%.');
    expect(memoryOverTime(timeLine(), '')?.y.exact(161)).toBe('161\u00a0MiB');
  });

  it('should say that roles are left out', () => {
    expect(cpuOverTime(timeLine({ roleCount: 40 }), '')?.note).toBe('Of 40 roles, the 2 that took most CPU.');
  });

  it('should say that latencies and counters are left out', () => {
    const line = timeLine({ latencyCount: 14, rateCount: 20 });
    expect(latencyOverTime(line, 'responseNs', 0, '')?.note).toBe('The first 2 of 14 latencies.');
    expect(ratesOverTime(line, '')[0]?.note).toBe('The first 3 of 20 counters.');
    expect(latencyOverTime(timeLine(), 'responseNs', 0, '')?.note).toBeUndefined();
  });

  it('should stand on one scale of time in all charts of a repeat', () => {
    const line = timeLine();
    const ranges = [latencyOverTime(line, 'responseNs', 0, ''), ...ratesOverTime(line, ''), cpuOverTime(line, '')].map((plot) => plot?.x.range);
    expect(new Set(ranges.map((range) => JSON.stringify(range))).size).toBe(1);
  });
});
