import { describe, expect, it } from 'vitest';
import { LateFrames, Pictures } from '../../main/page/pictures';
import { Screen, wrappedUs } from '../../main/page/screen';
import { Spans } from '../../main/page/spans';
import { judge, outcome, words } from '../../main/page/thresholds';
import { DEFAULTS } from '../../main/page/settings';

describe('tick to screen', () => {
  const MS = 1e6;

  it('should reach from when a message was wanted to the picture after the one that shows it', () => {
    const screen = new Screen();
    screen.drawn();
    screen.next(100 * MS);
    screen.shows(wrappedUs(90 * MS));
    screen.shows(wrappedUs(95 * MS));
    screen.drawn();
    screen.next(116 * MS);
    screen.next(132 * MS);
    const { interval } = screen.spans.close();
    expect(interval).toMatchObject({ count: 2, maxNs: 26 * MS });
    expect(interval.meanNs).toBe(23.5 * MS);
  });

  it('should leave out what the first picture shows after nobody looked: it is old by then', () => {
    const screen = new Screen();
    screen.drawn();
    screen.shows(0);
    screen.pause();
    screen.next(9000 * MS);
    screen.shows(0);
    screen.drawn();
    screen.next(9016 * MS);
    expect(screen.spans.close().interval.count).toBe(0);
    screen.shows(wrappedUs(9010 * MS));
    screen.next(9032 * MS);
    expect(screen.spans.close().interval.maxNs).toBe(22 * MS);
  });

  it('should say nothing where the clock of the server is not known', () => {
    const screen = new Screen();
    screen.drawn();
    screen.shows(5);
    screen.next(undefined);
    screen.next(50 * MS);
    expect(screen.spans.close().interval.count).toBe(0);
  });

  it('should be right after the clock has gone round in 32 bits, and hold any number of prices', () => {
    const screen = new Screen();
    const hourNs = 3_600_000 * MS;
    screen.drawn();
    for (let i = 0; i < 500; i++) {
      screen.shows(wrappedUs(3 * hourNs));
    }
    screen.next(3 * hourNs + 20 * MS);
    expect(screen.spans.close().interval).toMatchObject({ count: 500, maxNs: 20 * MS, meanNs: 20 * MS });
  });
});

describe('the spans of a latency', () => {
  it('should be a quarter of a second, ten seconds, and the run', () => {
    const spans = new Spans();
    const recorded = (value: number) => {
      spans.interval.record(value);
      return spans.close();
    };
    recorded(5e6);
    spans.begin();
    expect(recorded(1e6)).toMatchObject({ interval: { count: 1 }, recent: { count: 2 }, run: { count: 1 } });
    for (let i = 0; i < 60; i++) {
      recorded(1e6);
    }
    const last = recorded(1e6);
    expect(last.run!.count).toBe(62);
    expect(last.recent.count).toBeGreaterThan(35);
    expect(last.recent.count).toBeLessThanOrEqual(40);
    expect(spans.end().summary().count).toBe(62);
    expect(recorded(1e6).run).toBeUndefined();
  });

  it('should report no percentile of the ten seconds with fewer than ten latencies above it', () => {
    const spans = new Spans();
    for (let i = 0; i < 999; i++) {
      spans.interval.record(1e6);
    }
    expect(spans.close().recent.p99Ns).toBeNaN();
    spans.interval.record(1e6);
    expect(spans.close().recent.p99Ns).not.toBeNaN();
  });
});

describe('late pictures', () => {
  it('should be those that were due and did not come: whoever stands still for a second owes sixty', () => {
    const pictures = new Pictures();
    pictures.drawn(1000);
    pictures.drawn(1016.7);
    pictures.drawn(1033.3);
    expect(pictures.counts()).toEqual({ due: 2, late: 0 });
    pictures.drawn(2033.3);
    expect(pictures.counts()).toEqual({ due: 62, late: 59 });
  });

  it('should be judged by the rate that was asked for', () => {
    const pictures = new Pictures();
    pictures.pause(2);
    [1000, 1500, 2000, 4000].forEach((each) => pictures.drawn(each));
    expect(pictures.counts()).toEqual({ due: 6, late: 3 });
  });

  it('should be a part of the last ten seconds, and of the run', () => {
    const late = new LateFrames();
    expect(late.recent()).toBeUndefined();
    late.take({ due: 100, late: 50 });
    late.begin();
    late.take({ due: 200, late: 51 });
    expect([late.recent(), late.run()]).toEqual([0.01, 0.01]);
    for (let i = 0; i < 50; i++) {
      late.take({ due: 201 + i, late: 51 });
    }
    expect(late.recent()).toBe(0);
    expect(late.run()).toBeCloseTo(1 / 150);
  });

  it('should begin anew with the counts of another renderer, and with a run that begins before anything was counted', () => {
    const late = new LateFrames();
    late.begin();
    late.take({ due: 100, late: 50 });
    late.take({ due: 200, late: 50 });
    expect(late.run()).toBe(0);
    late.take({ due: 5, late: 5 });
    expect(late.recent()).toBeUndefined();
  });
});

describe('thresholds', () => {
  const set = { ...DEFAULTS, p99LimitMs: 5, lateLimitPercent: 1 };
  const held = { latency: { p99Ns: 4e6 }, screen: { p99Ns: 3e7 }, latePart: 0.02 };

  it('should be judged where they are set', () => {
    expect(judge(DEFAULTS, held)).toEqual([]);
    expect(judge(set, held).map((each) => [each.key, each.state, each.value])).toEqual([['p99LimitMs', 'passes', 4], ['lateLimitPercent', 'fails', 2]]);
    expect(judge({ ...set, screenLimitMs: 30 }, held).map((each) => each.state)).toEqual(['passes', 'passes', 'fails']);
  });

  it('should neither pass nor fail where there is too little to tell', () => {
    const unknown = judge({ ...set, screenLimitMs: 30 }, { latency: { p99Ns: NaN }, screen: undefined, latePart: undefined });
    expect(unknown.map((each) => each.state)).toEqual(['unknown', 'unknown', 'unknown']);
    expect(words(unknown[0]!)).toBe('p99 ≤ 5 ms: too few to tell');
  });

  it('should come out as one word, in which what fails outweighs what is not known', () => {
    expect(outcome(judge(DEFAULTS, held))).toBe('');
    expect(outcome(judge(set, held))).toBe('fails');
    expect(outcome(judge(set, { ...held, latePart: 0 }))).toBe('passes');
    expect(outcome(judge(set, { ...held, latePart: undefined }))).toBe('unknown');
    expect(words(judge(set, held)[1]!)).toBe('frames late fails: 2 of 1 %');
  });
});
