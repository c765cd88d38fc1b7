import { describe, expect, it, vi } from 'vitest';
import { FindLimit, tried, type Progress } from '../../main/page/find-limit';
import { LimitSearch, type Trial } from '../../main/page/limit-search';
import type { Row } from '../../main/page/rows';
import { DEFAULTS } from '../../main/page/settings';
import type { Judged } from '../../main/page/thresholds';
import { limitView } from '../../main/page/view/limit';

const PLAN = { startRate: 1000, mostRate: 10_000_000, stepSeconds: 5, confirmationSeconds: 20 };

/** All steps of a search in a world in which that holds. */
function search(holds: (trial: Trial, number: number) => boolean, plan = PLAN) {
  const it = new LimitSearch(plan);
  const trials: Trial[] = [];
  for (let trial = it.next(); trial; trial = it.next()) {
    trials.push(trial);
    it.took(holds(trial, trials.length) ? { isHeld: true, limit: 'none' } : { isHeld: false, limit: 'decode' });
    expect(trials.length).toBeLessThan(100);
  }
  return { trials, bounds: it.bounds() };
}

describe('the search for the highest rate', () => {
  it('should double until a rate does not hold, look between, and confirm with a longer step', () => {
    const { trials, bounds } = search((trial) => trial.rate <= 42_000);
    expect(trials.filter((each) => each.phase === 'doubling').map((each) => each.rate))
      .toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 64_000, 64_000]);
    expect(trials.at(-1)).toEqual({ phase: 'confirmation', rate: bounds.held, seconds: 20 });
    expect(bounds.held).toBeGreaterThan(42_000 / 1.06);
    expect(bounds.held).toBeLessThanOrEqual(42_000);
    expect(bounds.failed! / bounds.held).toBeLessThanOrEqual(1.05);
    expect(bounds).toMatchObject({ limit: 'decode', isConfirmed: true });
  });

  it('should try once more what did not hold: a single stall fails no rate', () => {
    const { bounds } = search((trial, number) => trial.rate <= 42_000 && number !== 3);
    expect(bounds.held).toBeGreaterThan(39_000);
  });

  it('should go downwards where not even the first rate holds, and end where none does', () => {
    expect(search((trial) => trial.rate <= 300).bounds).toMatchObject({ isConfirmed: true });
    expect(search(() => false).bounds).toEqual({ held: 0, failed: 125, limit: 'decode', isConfirmed: false });
  });

  it('should go below a rate that a longer step does not hold', () => {
    const { trials, bounds } = search((trial) => trial.rate <= (trial.phase === 'confirmation' ? 30_000 : 42_000));
    expect(bounds.isConfirmed).toBe(false);
    expect(bounds.failed).toBeLessThanOrEqual(42_000);
    expect(trials.filter((each) => each.phase === 'confirmation')).toHaveLength(3);
    expect(search((trial) => trial.rate <= (trial.phase === 'confirmation' ? 40_000 : 42_000)).bounds).toMatchObject({ isConfirmed: true });
  });

  it('should end at the most that can be asked for', () => {
    expect(search(() => true, { ...PLAN, mostRate: 50_000 }).bounds).toEqual({ held: 50_000, failed: null, limit: 'none', isConfirmed: true });
  });
});

const row = (rate: number, more: Partial<Row> = {}): Row => ({
  id: '', name: '', at: '', settings: { ...DEFAULTS, rate }, seconds: 5, messages: 5 * rate, perSecond: rate, meanNs: 1e6, p50Ns: 1e6, p99Ns: 2e6, maxNs: 3e6,
  notPositive: 0, frames: 1, bytes: 1, merged: 0, dropped: 0, lost: 0, busy: 0.1, frameMs: 17, clockBoundNs: 1, feedPerSecond: rate, limit: 'none', browser: '',
  buckets: [], queuePerSecond: 0, hiddenPart: 0, ...more,
});

describe('a step of the search', () => {
  it('should hold where no limit was met, and say which was', () => {
    expect(tried(row(1000), 1000)).toEqual({ isHeld: true, limit: 'none' });
    expect(tried(row(1000, { limit: 'render' }), 1000)).toEqual({ isHeld: false, limit: 'render' });
    expect(tried(row(1000, { feedPerSecond: 980 }), 1000).limit).toBe('server');
    expect(tried(row(1000, { messages: 0 }), 1000).limit).toBe('network');
  });

  it('should not hold where the queue grew over the whole of it, however little at a time', () => {
    expect(tried(row(1000, { queuePerSecond: 9 }), 1000).isHeld).toBe(true);
    expect(tried(row(1000, { queuePerSecond: 11 }), 1000).limit).toBe('queue');
  });

  it('should not hold where the flush interval was not held, of which the row fails', () => {
    expect(tried(row(1000, { flushes: 5000, lateFlushes: 250 }), 1000)).toEqual({ isHeld: false, limit: 'flush' });
    expect(tried(row(1000, { flushes: 5000, lateFlushes: 50 }), 1000).isHeld).toBe(true);
    expect(tried(row(10, { flushes: 50, lateFlushes: 2 }), 10).isHeld, 'two of a slow feed').toBe(true);
  });

  it('should not hold where a threshold does not', () => {
    const judged = { key: 'p99LimitMs' as const, name: 'p99', unit: 'ms' as const, limit: 1, value: 2 };
    expect(tried(row(1000, { thresholds: [{ ...judged, state: 'fails' }] }), 1000).limit).toBe('threshold');
    expect(tried(row(1000, { thresholds: [{ ...judged, state: 'passes' }] }), 1000).isHeld).toBe(true);
  });
});

describe('a step that could not be looked at', () => {
  const unknown: Judged = { key: 'p99LimitMs', name: 'p99', unit: 'ms', limit: 1, value: null, state: 'unknown' };
  const fails: Judged = { ...unknown, key: 'lateLimitPercent', value: 2, state: 'fails' };

  it('should not hold, and not be too much, where a threshold is not known, or how the queue grew', () => {
    expect(tried(row(1000, { thresholds: [unknown] }), 1000)).toEqual({ isHeld: false, limit: 'unknown' });
    expect(tried(row(1000, { queuePerSecond: null }), 1000)).toEqual({ isHeld: false, limit: 'unknown' });
  });

  it('should neither hold nor be blamed on the server where it is not known what the feed made', () => {
    const unknownFeed = { feedPerSecond: null };
    expect(tried(row(1000, unknownFeed), 1000)).toEqual({ isHeld: false, limit: 'unknown' });
    expect(tried(row(1000, unknownFeed), 1000, true).limit).toBe('unknown');
    expect(tried(row(1000, { ...unknownFeed, queuePerSecond: 11 }), 1000).limit, 'more than is asked for').toBe('queue');
    expect(tried(row(1000, { ...unknownFeed, thresholds: [fails] }), 1000).limit).toBe('threshold');
  });

  it('may hold in a short step, which has too few samples for a threshold', () => {
    expect(tried(row(1000, { thresholds: [unknown] }), 1000, true).isHeld).toBe(true);
    expect(tried(row(1000, { queuePerSecond: null }), 1000, true).limit).toBe('unknown');
  });

  it('should fail where something else is known to', () => {
    expect(tried(row(1000, { thresholds: [unknown, fails] }), 1000).limit).toBe('threshold');
    expect(tried(row(1000, { thresholds: [unknown], limit: 'decode' }), 1000).limit).toBe('decode');
  });
});

describe('finding the limit', () => {
  const find = (measure: (rate: number, seconds: number, stop: () => void) => Row | string | Promise<Row | string>, heldBefore = 0) => {
    const said: Progress[] = [];
    let asked = 0;
    const it = new FindLimit(PLAN, {
      setRate: async (next) => {
        asked = next;
        return true;
      },
      wait: async () => {},
      measure: async (seconds) => measure(asked, seconds, () => it.stop()),
      changed: (progress) => said.push(progress),
      heldBefore,
    });
    return { it, said };
  };

  it('should say what holds, with the row of the confirmation', async () => {
    const { it, said } = find((rate, seconds) => row(rate, { seconds, limit: rate > 5000 ? 'decode' : 'none' }));
    const { found, row: kept } = await it.run();
    expect(found.words).toMatch(/^This browser holds 4\u202f\d+ messages a second, confirmed over 20 s\. 5\u202f\d+\/s was too much \(decode\)\.$/);
    expect(kept).toMatchObject({ seconds: 20, settings: { rate: found.held } });
    expect(said.map((each) => each.steps.length)).toEqual([...said.keys()].map((i) => Math.min(i, found.steps.length)));
  });

  it('should leave a threshold to the confirmation where a short step has too few samples', async () => {
    const judged: Judged = { key: 'p99LimitMs', name: 'p99', unit: 'ms', limit: 1, value: null, state: 'unknown' };
    const { it } = find((rate, seconds) => row(rate, {
      seconds,
      limit: rate > 5000 ? 'decode' : 'none',
      thresholds: [seconds === 20 ? { ...judged, value: 0.5, state: 'passes' } : judged],
    }));
    expect((await it.run()).found.isConfirmed).toBe(true);
  });

  it('should keep the row of the rate that it answers, also where a longer step took a higher one back', async () => {
    const { it } = find((rate, seconds) => row(rate, { seconds, limit: seconds === 20 || rate > 5000 ? 'decode' : 'none' }));
    const { found, row: kept } = await it.run();
    expect(found.isConfirmed).toBe(false);
    expect(kept?.settings.rate).toBe(found.held);
  });

  it('should keep the row of a step that could not be judged', async () => {
    const { it } = find((rate, seconds) => row(rate, { seconds, queuePerSecond: null }));
    expect((await it.run()).row).toBeDefined();
  });

  it('should say the best bounds when it is stopped, and that they are not confirmed', async () => {
    const { it } = find((rate, _seconds, stop) => {
      if (rate === 8000) {
        stop();
        return new Promise(() => {});
      }
      return row(rate);
    });
    const { found, row: kept } = await it.run();
    expect(found.words).toBe('Stopped. 4\u202f000/s held. Nothing higher was tried. Not confirmed.');
    expect(found).toMatchObject({ held: 4000, failed: null, isConfirmed: false, isOver: true });
    expect(kept!.settings.rate).toBe(4000);
  });

  it('should say that the answer varies where the page had kept up with what is then too much', async () => {
    const { found } = await find((rate) => row(rate, { limit: rate > 900 ? 'render' : 'none' }), 1000).it.run();
    expect(found.isConfirmed).toBe(true);
    expect(found.words).toContain('The answer varies: 1\u202f000/s was too much (render) at one time and held at another.');
  });

  it('should say so where a step did not hold and its repetition did, and not of what a longer step finds', async () => {
    let made = 0;
    const stalled = await find((rate) => row(rate, { limit: rate > 5000 || (rate === 2000 && made++ === 0) ? 'decode' : 'none' })).it.run();
    expect(stalled.found.words).toContain('The answer varies: 2\u202f000/s');
    const longer = await find((rate, seconds) => row(rate, { seconds, limit: rate > (seconds === 20 ? 3900 : 5000) ? 'decode' : 'none' })).it.run();
    expect(longer.found.words).not.toContain('varies');
  });

  it('should take a session that ended for a rate that does not hold', async () => {
    const { it } = find((rate) => (rate > 3000 ? 'More messages were waiting than may be kept.' : row(rate)));
    const { found } = await it.run();
    expect(found).toMatchObject({ isConfirmed: true, limit: 'session ended' });
    expect(found.steps.find((each) => each.outcome === 'session ended')).toMatchObject({ perSecond: null, p99Ns: null });
  });

  it('should blame the server where the feed is the limit, and report what was merged', async () => {
    const { it } = find((rate) => row(rate, { feedPerSecond: Math.min(rate, 3000), merged: rate }));
    const { found } = await it.run();
    expect(found.words).toContain('the server is the limit, not this browser');
    const late = await find((rate) => row(rate, { flushes: 5000, lateFlushes: rate > 2000 ? 250 : 0 })).it.run();
    expect(late.found.words).toMatch(/At 2\u202f\d+\/s the server did not hold the flush interval\.$/);
    expect(found.words).toContain('17 % of them were merged before they came');
  });

  it('should end where the page was hidden: nothing was drawn', async () => {
    const { it } = find((rate) => row(rate, { hiddenPart: 0.1 }));
    expect((await it.run()).found.words).toBe('The page was hidden, and drew nothing. No rate was measured.');
  });

  it('should end where a step could not be judged, and count it neither way', async () => {
    const { it } = find((rate) => row(rate, { limit: rate > 1000 ? 'unknown' : 'none' }));
    const { found } = await it.run();
    expect(found.failed).toBeNull();
    expect(found.words)
      .toContain('2\u202f000/s could not be judged: the server said nothing about this session, or no message could be timed.');
    expect(found.words).not.toContain('too much');
  });

  it('should end where the server does not say what the feed made, and not call that too much', async () => {
    const { it } = find((rate) => row(rate, rate > 1000 ? { feedPerSecond: null } : {}));
    const { found } = await it.run();
    expect(found.failed).toBeNull();
    expect(found.words).toContain('2\u202f000/s could not be judged: the server did not say what the feed made. 1\u202f000/s held.');
  });

  it('should confirm no rate whose thresholds could not be judged, and say which', async () => {
    const unknown: Judged = { key: 'p99LimitMs', name: 'p99', unit: 'ms', limit: 5, value: null, state: 'unknown' };
    const { it } = find((rate, seconds) =>
      row(rate, { limit: rate > 5000 ? 'decode' : 'none', thresholds: seconds === 20 ? [unknown] : [] }));
    const { found } = await it.run();
    expect(found.isConfirmed).toBe(false);
    expect(found.words).toMatch(/^4\u202f\d+\/s could not be judged: p99 ≤ 5 ms: too few to tell\. .* Not confirmed\.$/);
  });
});

describe('the button that finds the limit', () => {
  it('should stop what it began, and show each step', () => {
    const pressed = vi.fn();
    const view = limitView(pressed);
    const button = view.button as HTMLButtonElement;
    expect(button.disabled).toBe(true);
    view.allow(true);
    button.click();
    const progress = { held: 1000, failed: null, limit: 'none', isConfirmed: false, words: 'Trying 2000/s.', isOver: false };
    const step = {
      phase: 'doubling' as const, rate: 1000, seconds: 5, outcome: 'holds', perSecond: 1000, p99Ns: null, screenP50Ns: 2e7, latePart: 0, queuePerSecond: 0,
    };
    view.show({ ...progress, steps: [step] });
    view.allow(false);
    expect([button.textContent, button.disabled]).toEqual(['Stop the search', false]);
    expect([...view.element.querySelectorAll('tbody tr > *')].map((each) => each.textContent)).toEqual(['1\u202f000', '–', '20.0', '✓ holds']);
    view.show({ ...progress, steps: [step], isOver: true });
    expect([button.textContent, button.disabled]).toEqual(['Find limit', true]);
    expect(pressed).toHaveBeenCalledTimes(1);
  });
});
