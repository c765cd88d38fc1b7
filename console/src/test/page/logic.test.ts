import { afterEach, describe, expect, it, vi } from 'vitest';
import { askedPerSecond, DEFAULTS, fromLink, readLink, sessionQuery, toLink } from '../../main/page/settings';
import { Benchmark } from '../../main/page/benchmark';
import { keep, load, pace, ratio, rendering, toCsv, toRow } from '../../main/page/rows';
import { rowsView } from '../../main/page/view/rows';
import { idleWords, Keeping, NOTHING_LASTS, verdict, type Figures, type Lasting, type Look } from '../../main/page/verdict';
import { Histogram } from '../../main/page/histogram';
import { judgedNs, Spans } from '../../main/page/spans';
import { best, Clock } from '../../main/page/worker/clock';
import { Beat } from '../../main/page/beat';
import { Session } from '../../main/page/worker/session';
import { Table } from '../../main/page/worker/table';
import { controls } from '../../main/page/view/controls';
import { order } from '../../main/page/view/order';
import { COLUMNS, LAST, MOVE } from '../../main/page/wire/tick';
import { count, digits, p99Text, percent, powers, rate, ticks, time } from '../../main/page/view/format';

describe('what is not there yet', () => {
  it('should be told by its reason: the server, the feed, or that it is stopped', () => {
    expect(idleWords(undefined, false)).toBe('Connecting to the server.');
    expect(idleWords(true, false)).toBe('Connecting to the feed.');
    expect(idleWords(true, true)).toBe('No messages.');
    expect(idleWords(false, true)).toContain('is stopped');
  });

  it('should say what a p99 lacks', () => {
    expect(p99Text({ p99Ns: NaN, count: 412 })).toBe('p99 needs 1\u202f000 prices drawn, 412 so far');
    expect(p99Text({ p99Ns: 12.3e6, count: 5000 })).toMatch(/^p99 12[.]3\d* ms$/);
  });
});

describe('a link', () => {
  it('should say only what is not as by default, and give it back', () => {
    const settings = { ...DEFAULTS, symbols: 500, conflation: 'moves', rendering: false };
    expect(toLink(DEFAULTS)).toBe('');
    expect(toLink(settings)).toBe('symbols=500&conflation=moves&rendering=false');
    expect(fromLink(toLink(settings))).toEqual(settings);
  });

  it.each([
    ['symbols=', "symbols: takes a whole number from 1 to 100000, not ''. 1000 is used instead."],
    ['symbols=-1', "not '-1'"], ['symbols=lots', "not 'lots'"], ['symbols=100001', "not '100001'"], ['messageBytes=41', 'a multiple of 8'],
    ['framesPerSecond=61', 'from 0 to 60'], ['framesPerSecond=0.2', 'a whole number'], ['renderer=oil', "table or canvas, not 'oil'"],
    ['rendering=maybe', "true or false, not 'maybe'"], ['nothing=1', "'nothing', which is not a setting"],
  ])('should say that %s cannot be taken', (link, words) => {
    expect(readLink(link).settings).toEqual(DEFAULTS);
    expect(readLink(link).words).toContain(words);
  });

  it('should have nothing to say where all is well', () => {
    expect(readLink('symbols=7&renderer=canvas&rendering=false&sleepMs=0.5').words).toBe('');
  });

  it('should become the query of a session', () => {
    expect(sessionQuery(DEFAULTS)).toBe(
      'maxFrequency=0&conflation=merge&flush=1ms&guaranteed=false&windowFrames=1024&windowBytes=2M',
    );
  });
});

describe('the beat of pictures', () => {
  /** Pictures in ten seconds of a display with 60 a second, each up to half a millisecond off. */
  const drawn = (perSecond: number): number => {
    const beat = new Beat();
    beat.rate = perSecond;
    let pictures = 0;
    for (let i = 0; i < 600; i++) {
      pictures += beat.isDue(5000 + (i * 1000) / 60 + (i % 3) / 4) ? 1 : 0;
    }
    return pictures;
  };

  it.each(Array.from({ length: 60 }, (_, i) => i + 1))('should hold %i a second', (perSecond) => {
    expect(Math.abs(drawn(perSecond) - 10 * perSecond)).toBeLessThanOrEqual(1);
  });

  it("should be the display's where none is asked for", () => {
    expect(drawn(0)).toBe(600);
  });

  it('should catch up nothing after a pause, and take another rate at once', () => {
    const beat = new Beat();
    beat.rate = 1;
    expect([0, 10, 60_000, 60_010, 60_500].map((ms) => beat.isDue(10_000 + ms))).toEqual([true, false, true, false, false]);
    beat.rate = 60;
    expect(beat.isDue(70_600)).toBe(true);
  });
});

describe('the controls', () => {
  const shown = (framesPerSecond: number) => {
    const taken: number[] = [];
    vi.stubGlobal('matchMedia', () => ({ matches: true }));
    const panel = controls({ ...DEFAULTS, framesPerSecond }, [], [], {
      changed: (settings) => taken.push(settings.framesPerSecond), toggle: () => {}, benchmark: () => {}, findLimit: () => {},
    });
    const label = [...panel.element.querySelectorAll('label')].find((each) => each.textContent === 'Frame rate')!;
    const input = panel.element.querySelector<HTMLInputElement>(`#${label.htmlFor}`)!;
    return { taken, input, type: (text: string) => { input.value = text; input.dispatchEvent(new Event('change')); } };
  };

  it.each(['61', '12.4', '-5', '1e9'])('should refuse the frame rate %j with a sentence, and leave it to be mended', (typed) => {
    const page = shown(24);
    page.type(typed);
    expect(page.taken).toEqual([]);
    expect(page.input.value).toBe(typed);
    expect(page.input.getAttribute('aria-invalid')).toBe('true');
    const refusal = page.input.closest('.field')!.querySelector<HTMLElement>('.refusal')!;
    expect(refusal.textContent).toBe(`Frame rate: takes a whole number from 0 to 60, not '${typed}'. The setting stays as it was.`);
    page.type('30');
    expect(page.taken).toEqual([30]);
    expect(refusal.hidden).toBe(true);
  });

  it.each([['1', 1], ['37', 37], ['60', 60], ['', 0], ['0', 0]])(
    'should take the frame rate %j as %i', (typed, taken) => {
      const page = shown(24);
      page.type(typed);
      expect(page.taken).toEqual([taken]);
      expect(page.input.value).toBe(taken === 0 ? '' : String(taken));
    });

  it("should say that an empty frame rate is the display's", () => {
    expect(shown(0).input.value).toBe('');
    expect(shown(0).input.placeholder).toBe("display's");
  });
});

describe('the pace of the feed', () => {
  it('should be the rate, else what the sleeps come to', () => {
    expect(askedPerSecond({ rate: 0, sleepMs: 1, threads: 2 })).toBe(2000);
    expect(askedPerSecond({ rate: 50, sleepMs: 1, threads: 2 })).toBe(50);
    expect(askedPerSecond({ rate: 0, sleepMs: 0, threads: 1 })).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('a histogram', () => {
  it('should be wrong by less than a percent anywhere', () => {
    for (let ns = 1_000; ns < 1e11; ns *= 1.37) {
      const histogram = new Histogram();
      for (let i = 0; i < 10; i++) {
        histogram.record(ns);
        histogram.record(ns * 10);
      }
      expect(Math.abs(histogram.percentileNs(0.5) - ns)).toBeLessThanOrEqual(Math.max(100, ns * 0.01));
    }
  });

  it('should report percentiles, mean and maximum', () => {
    const histogram = new Histogram();
    for (let i = 1; i <= 1000; i++) {
      histogram.record(i * 1_000_000);
    }
    const summary = histogram.summary();
    expect(summary.count).toBe(1000);
    expect(summary.meanNs).toBe(500_500_000);
    expect(summary.maxNs).toBe(1e9);
    expect(summary.p50Ns / 5e8).toBeCloseTo(1, 1);
    expect(summary.p99Ns / 9.9e8).toBeCloseTo(1, 1);
  });

  it('should report no percentile with fewer than ten latencies above it', () => {
    const histogram = new Histogram();
    for (let i = 1; i < 1000; i++) {
      histogram.record(i * 1_000_000);
    }
    expect(histogram.summary().p50Ns / 5e8).toBeCloseTo(1, 1);
    expect(histogram.summary().p99Ns).toBeNaN();
    histogram.record(1e9);
    expect(histogram.summary().p99Ns / 9.9e8).toBeCloseTo(1, 1);
  });

  it('should count what is too short to time, and not drop it in silence', () => {
    const histogram = new Histogram();
    histogram.record(0);
    histogram.record(-5);
    expect(histogram.summary()).toEqual({ count: 0, meanNs: NaN, p50Ns: NaN, p99Ns: NaN, maxNs: NaN, notPositive: 2 });
  });

  it('should add up, and give every count in its buckets', () => {
    const [one, two] = [new Histogram(), new Histogram()];
    one.record(1e6);
    two.record(1e6);
    two.record(3e9);
    one.add(two);
    expect(one.buckets().reduce((sum, [, times]) => sum + times, 0)).toBe(3);
    expect(one.summary().maxNs).toBe(3e9);
  });
});

describe('the clock', () => {
  it('should believe the sample with the shortest round trip', () => {
    const samples = [{ ns: 5, boundNs: 90, atMs: 3 }, { ns: 7, boundNs: 10, atMs: 3 }, { ns: 9, boundNs: 40, atMs: 3 }];
    expect(best(samples, 3)).toEqual({ ns: 7, boundNs: 10 });
    expect(best([], 3)).toBeUndefined();
  });

  it('should be less sure the older a sample is: two clocks drift apart', () => {
    const old = { ns: 5, boundNs: 1e6, atMs: 0 };
    expect(best([old], 10_000)).toEqual({ ns: 5, boundNs: 2e6 });
    expect(best([old, { ns: 7, boundNs: 1.5e6, atMs: 10_000 }], 10_000)).toEqual({ ns: 7, boundNs: 1.5e6 });
  });
});

describe('the clock of a server that goes and comes back', () => {
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  const sockets: Server[] = [];

  /** Answers each question at once with the time of its own clock. */
  class Server {
    static readonly OPEN = 1;
    readyState = 1;
    aheadNs = 0;
    isSilent = false;
    onopen?: () => void;
    onmessage?: (event: { data: ArrayBuffer }) => void;
    onclose: (() => void) | null = null;

    constructor() {
      sockets.push(this);
    }

    send(question: Float64Array): void {
      const sentMs = question[0]!;
      const answer = new DataView(new ArrayBuffer(16));
      answer.setFloat64(0, sentMs, true);
      answer.setBigInt64(8, BigInt(Math.round(sentMs * 1e6 + this.aheadNs)), true);
      if (!this.isSilent) {
        setTimeout(() => this.onmessage?.({ data: answer.buffer }), 0);
      }
    }

    close(): void {
      this.onclose?.();
    }
  }

  const opened = () => {
    vi.useFakeTimers();
    vi.stubGlobal('WebSocket', Server);
    sockets.length = 0;
    const known = vi.fn();
    const clock = new Clock('ws://here/feed/clock', known);
    clock.open();
    const socket = sockets[0]!;
    socket.aheadNs = 5e9;
    socket.onopen!();
    vi.advanceTimersByTime(1000);
    return { clock, known, socket };
  };

  it('should be asked again, and believed alone', () => {
    const { clock, known, socket } = opened();
    expect(clock.offset!.ns).toBeCloseTo(5e9, -3);
    socket.onclose!();
    vi.advanceTimersByTime(1000);
    expect(sockets).toHaveLength(2);
    sockets[1]!.aheadNs = 9e9;
    sockets[1]!.onopen!();
    vi.advanceTimersByTime(1000);
    expect(clock.offset!.ns).toBeCloseTo(9e9, -3);
    expect(known).toHaveBeenCalledTimes(1);
  });

  it('should be less sure while nothing is heard', () => {
    const { clock, socket } = opened();
    const boundNs = clock.boundNs(performance.now());
    socket.isSilent = true;
    vi.advanceTimersByTime(10_000);
    expect(clock.boundNs(performance.now())! - boundNs!).toBeGreaterThan(0.9e6);
  });

  it('should have no bound, not one of nothing, before it was heard', () => {
    expect(new Clock('ws://here/feed/clock', () => {}).boundNs(5)).toBeNull();
  });

  it('should be left alone where it was closed on purpose', () => {
    const { clock } = opened();
    clock.close();
    vi.advanceTimersByTime(10_000);
    expect(sockets).toHaveLength(1);
  });
});

describe('a session', () => {
  it('should count numbers that are missing between frames', () => {
    const session = new Session(new Table(2, false));
    session.frame(1, 1, 3, 100);
    session.frame(2, 6, 1, 100);
    expect(session.lost).toBe(2);
    expect(session.messages).toBe(4);
  });

  it('should keep the last value and the way it moved', () => {
    const table = new Table(2, false);
    table.put(1, 1, 99, 101, 100, 5, 5, 0);
    expect(table.ints[COLUMNS + MOVE]).toBe(0);
    table.put(1, 2, 100, 102, 101, 5, 10, 0);
    expect(table.ints[COLUMNS + LAST]).toBe(101);
    expect(table.ints[COLUMNS + MOVE]).toBe(1);
    const dirty: number[] = [];
    table.takeDirty((symbol) => dirty.push(symbol));
    table.takeDirty((symbol) => dirty.push(symbol));
    expect(dirty).toEqual([1]);
  });
});

describe('the order of the grid', () => {
  const table = new Table(3, false);
  table.put(0, 1, 0, 0, 300, 1, 1, 0);
  table.put(1, 1, 0, 0, 100, 1, 4_000_000_000, 0);
  table.put(2, 1, 0, 0, 200, 1, 7, 0);
  const names = ['BAKE', 'ADA', 'CAKE'];

  it('should sort by any column, volumes beyond 2^31 too', () => {
    expect([...order([0, 1, 2], names, table.ints, '', { by: 'symbol', isDown: false })]).toEqual([1, 0, 2]);
    expect([...order([0, 1, 2], names, table.ints, '', { by: 'last', isDown: true })]).toEqual([0, 2, 1]);
    expect([...order([0, 1, 2], names, table.ints, '', { by: 'volume', isDown: true })]).toEqual([1, 2, 0]);
  });

  it('should show what the filter wants', () => {
    expect([...order([0, 1, 2], names, table.ints, ' ake', { by: 'symbol', isDown: false })]).toEqual([0, 2]);
  });
});

const well: Figures = {
  askedPerSecond: 1000, madePerSecond: 1000, receivedPerSecond: 1000, busy: 0.1, flushMs: 1, discarded: 0, missed: 0, maxFrequency: 0, waiting: 0,
  isTimed: true, isFew: false, p99Ns: 1e6, frameMs: 17, wantedFrameMs: 16.7, rendering: true, lasting: NOTHING_LASTS, noSession: '', failedPosts: 0,
};

describe('the verdict', () => {
  it.each([
    ['none', 'good', {}],
    ['none', 'idle', { madePerSecond: 0, receivedPerSecond: 0 }],
    ['none', 'idle', { receivedPerSecond: 0, isTimed: false, p99Ns: NaN }],
    ['network', 'bad', { noSession: 'There are 9 sessions already.' }],
    ['network', 'bad', { receivedPerSecond: 0, lasting: { ...NOTHING_LASTS, isNothingReceived: true } }],
    ['queue', 'bad', { lasting: { ...NOTHING_LASTS, isQueueGrowing: true } }],
    ['server', 'bad', { madePerSecond: 985, lasting: { ...NOTHING_LASTS, isServerBehind: true } }],
    ['render', 'bad', { frameMs: 120, lasting: { ...NOTHING_LASTS, isNotShown: true } }],
    ['unknown', 'bad', { lasting: { ...NOTHING_LASTS, isUnheard: true } }],
    ['unknown', 'bad', { isTimed: false, p99Ns: NaN }],
    ['unknown', 'bad', { isTimed: false, p99Ns: NaN, frameMs: 120, failedPosts: 3 }],
    ['decode', 'bad', { isTimed: false, p99Ns: NaN, busy: 0.95 }],
    ['render', 'bad', { isTimed: false, p99Ns: NaN, frameMs: 120, lasting: { ...NOTHING_LASTS, isNotShown: true } }],
    ['server', 'bad', { madePerSecond: 800 }],
    ['decode', 'bad', { busy: 0.95 }],
    ['network', 'bad', { discarded: 0.02 }],
    ['network', 'bad', { p99Ns: 4e8 }],
    ['none', 'good', { flushMs: 500, p99Ns: 5.1e8 }],
    ['network', 'bad', { flushMs: 500, p99Ns: 6.1e8 }],
    ['render', 'careful', { frameMs: 120 }],
    ['none', 'careful', { p99Ns: 3e7 }],
    ['none', 'careful', { failedPosts: 3 }],
    ['none', 'good', { maxFrequency: 1, p99Ns: 1e9 }],
    ['queue', 'bad', { maxFrequency: 1, p99Ns: 32e9, waiting: 72_000 }],
    ['network', 'bad', { maxFrequency: 1, discarded: 0.2 }],
    ['none', 'good', { madePerSecond: undefined }],
    ['none', 'good', { askedPerSecond: 20, madePerSecond: 19 }],
    ['server', 'bad', { askedPerSecond: 20, madePerSecond: 17 }],
    ['none', 'good', { frameMs: 120, rendering: false }],
  ] as const)('should name %s as the limit, and be %s', (limit, level, change) => {
    expect(verdict({ ...well, ...change })).toMatchObject({ limit, level });
  });

  it('should not say that it keeps up where no message could be timed', () => {
    expect(verdict({ ...well, isTimed: false, p99Ns: NaN }).words).toBe("Latency is not known: no message could be timed by the server's clock.");
  });

  /** Four looks a second, of which the last is judged; one message of each is the slowest. */
  const looks = (messages: number, slowestMs: number, othersMs = 1, seconds = 10) => {
    const spans = new Spans();
    let spread = spans.close();
    for (let look = 0; look < 4 * seconds; look++) {
      for (let i = 1; i < messages; i++) {
        spans.interval.record(othersMs * 1e6);
      }
      spans.interval.record(slowestMs * 1e6);
      spread = spans.close();
    }
    return verdict({ ...well, isFew: Number.isNaN(spread.recent.p99Ns), p99Ns: judgedNs(spread) });
  };

  it('should not take the slowest of a few messages for one in a hundred', () => {
    expect(looks(250, 120)).toEqual({ level: 'good', limit: 'none', words: 'Keeping up: no limit met.' });
    expect(looks(250, 30).words).not.toContain('in a hundred');
    expect(looks(250, 120, 120)).toMatchObject({ level: 'bad', limit: 'network' });
    expect(looks(250, 30, 30).words).toContain('one message in a hundred');
  });

  it('should not count a stall for the ten seconds in which it was', () => {
    const spans = new Spans();
    for (let i = 0; i < 2000; i++) {
      spans.interval.record(i < 1000 ? 1e6 : 200e6);
    }
    expect(verdict({ ...well, p99Ns: judgedNs(spans.close()) })).toMatchObject({ level: 'bad', limit: 'network' });
    spans.interval.record(1e6);
    expect(verdict({ ...well, p99Ns: judgedNs(spans.close()) })).toMatchObject({ level: 'good', limit: 'none' });
  });

  it('should say where there are too few messages to tell how late they are, and blame those of which half are', () => {
    const few = { level: 'good', limit: 'none', words: 'Keeping up: no limit met, by too few messages to tell how late one in a hundred is.' };
    expect(looks(1, 120, 1, 2)).toEqual(few);
    expect(looks(10, 120)).toEqual(few);
    expect(looks(10, 120, 120)).toMatchObject({ level: 'bad', limit: 'network' });
  });

  it('should say why nothing is received, and how much waits', () => {
    expect(verdict({ ...well, noSession: 'There are 9 sessions already.' }).words).toBe('Nothing is received: There are 9 sessions already.');
    expect(verdict({ ...well, maxFrequency: 1, p99Ns: 32e9, waiting: 72_000 }).words).toContain('72,000 messages wait');
  });
});

describe('what lasts for three seconds', () => {
  /** Looks four times a second at a feed of 1000 a second; the server reports each second what is changed here. */
  const lasting = (seconds: number, change: (second: number) => Partial<Look>): Lasting => {
    const keeping = new Keeping();
    let last = NOTHING_LASTS;
    for (let quarter = 0; quarter <= 4 * seconds; quarter++) {
      const second = Math.floor(quarter / 4);
      last = keeping.take({
        nowMs: 1000 + 250 * quarter, seconds: 0.25, statuses: second, offered: 1000 * second, receivedAtStatus: 1000 * second, merged: 0, dropped: 0,
        messages: 250 * quarter + 1, askedPerSecond: 1000, madePerSecond: 1000, isFrameLate: false, ...change(second),
      });
    }
    return last;
  };

  it('should be nothing where all that is made is received', () => {
    expect(lasting(10, () => ({}))).toEqual(NOTHING_LASTS);
    expect(lasting(10, (second) => ({ receivedAtStatus: 995 * second })), 'half a percent').toEqual(NOTHING_LASTS);
  });

  it('should be a queue that grows, though all else is well', () => {
    expect(lasting(10, (second) => ({ receivedAtStatus: 980 * second })).isQueueGrowing).toBe(true);
    expect(lasting(3, (second) => ({ receivedAtStatus: 980 * second })).isQueueGrowing, 'not yet').toBe(false);
  });

  it('should not be a queue where the rest is merged or dropped as it was asked to be', () => {
    expect(lasting(10, (second) => ({ receivedAtStatus: 100 * second, merged: 700 * second, dropped: 200 * second }))).toEqual(NOTHING_LASTS);
  });

  it('should be that nothing is received, or reported', () => {
    expect(lasting(10, () => ({ messages: 0 })).isNothingReceived).toBe(true);
    expect(lasting(10, () => ({ messages: 0, madePerSecond: 0 })).isNothingReceived, 'nothing is made').toBe(false);
    expect(lasting(0, () => ({ messages: 0 })).isNothingReceived, 'in a quarter').toBe(false);
    expect(lasting(0, () => ({ messages: 0, seconds: 4 })).isNothingReceived, 'in four seconds of one look').toBe(true);
    expect(lasting(10, () => ({ statuses: 0 })).isUnheard).toBe(true);
    expect(lasting(10, () => ({ madePerSecond: undefined })).isUnheard, 'of the feed').toBe(true);
    expect(lasting(10, () => ({ madePerSecond: undefined, askedPerSecond: 0 })).isUnheard, 'of which nothing is asked').toBe(false);
    expect(lasting(10, (second) => (second < 5 ? {} : { messages: 5000, statuses: 5, madePerSecond: undefined })), 'of a server that stands')
      .toMatchObject({ isNothingReceived: true, isUnheard: true });
    expect(lasting(10, (second) => ({ madePerSecond: second % 3 === 0 ? 1000 : undefined })).isUnheard, 'for long').toBe(false);
  });

  it('should be a feed that makes two percent less, and pictures that are late', () => {
    expect(lasting(10, () => ({ madePerSecond: 980 })).isServerBehind).toBe(true);
    expect(lasting(10, (second) => (second < 5 ? {} : { messages: 5000, statuses: 5, madePerSecond: undefined })), 'of a server that stands')
      .toMatchObject({ isNothingReceived: true, isUnheard: true });
    expect(lasting(10, (second) => ({ madePerSecond: second % 3 === 0 ? 1000 : 980 })).isServerBehind, 'not for long').toBe(false);
    expect(lasting(10, () => ({ isFrameLate: true })).isNotShown).toBe(true);
  });
});

describe('an axis', () => {
  it('should have labels that can be told apart', () => {
    expect(ticks([0, 0.25, 0.5, 0.75, 1, null], true)).toEqual(['0', '0.25', '0.50', '0.75', '1.00', '']);
    expect(ticks([0, 0.2, 0.4, 0.6000000000000001, 0.8])).toEqual(['0', '0.2', '0.4', '0.6', '0.8']);
    expect(ticks([0, 500, 1000, 1500])).toEqual(['0', '500', '1\u202f000', '1\u202f500']);
    expect(ticks([0, 2500, 5000, 12_500], true)).toEqual(['0', '2.5 k', '5.0 k', '12.5 k']);
    expect(ticks([0, 500_000, 1_000_000], true)).toEqual(['0', '0.5 M', '1.0 M']);
    expect(powers([0.01, 0.1, 1, null, 1000])).toEqual(['0.01', '0.1', '1', '', '1\u202f000']);
    for (const step of [0.001, 0.02, 0.25, 1, 2.5, 40, 2000, 25_000, 400_000, 2.5e6]) {
      const labels = ticks([0, 1, 2, 3, 4].map((each) => each * step), true);
      expect(new Set(labels).size, labels.join(' ')).toBe(5);
    }
  });
});

describe('rows', () => {
  const result = {
    type: 'benchmarked' as const, seconds: 60, messages: 600_000, frames: 60, bytes: 100, merged: 1, dropped: 2, lost: 0,
    busy: 0.2, clockBoundNs: 1e5, buckets: [[1e6, 600_000]] as [number, number][],
    latency: { count: 600_000, meanNs: 1e6, p50Ns: 9e5, p99Ns: 2e6, maxNs: 5e6, notPositive: 0 },
    canvasScreen: new Histogram().summary(),
  };
  const row = toRow(DEFAULTS, result, undefined, {
    name: '=SUM(A1), "quoted"', at: '2026-01-01T00:00:00Z', limit: 'none', frameMs: 17, feedPerSecond: 10_000, browser: 'test', source: 'generator',
  });

  it('should say where messages came from that others sent', () => {
    expect(pace(row)).toBe('sleep 1 ms');
    expect(pace({ ...row, source: 'prices.csv' })).toBe('sleep 1 ms');
    expect(pace({ ...row, source: 'shm://prices' })).toBe('shm://prices');
  });

  it('should begin once, at the first look of its run', () => {
    const going = new Benchmark(60, 0, undefined);
    expect([going.begins(), going.begins()]).toEqual([true, false]);
  });

  it('should say for which part of the time nothing was drawn', () => {
    const going = new Benchmark(60, 0, undefined);
    expect(going.hiddenPart()).toBe(0);
    for (const isHidden of [true, false, false, true, false]) {
      going.saw({ level: 'good', limit: 'none' }, 0.25, 17, isHidden);
    }
    expect(going.hiddenPart()).toBe(0.4);
    expect(rendering(row)).toBe('table');
    expect(rendering({ ...row, hiddenPart: going.hiddenPart() })).toBe('table, 40 % hidden');
    expect(rendering({ ...row, hiddenPart: 1 })).toBe('tab hidden');
    expect(rendering({ ...row, hiddenPart: 1, settings: { ...row.settings, rendering: false } })).toBe('off');
  });

  it('should hold the rate that was received', () => {
    expect(row.perSecond).toBe(10_000);
  });

  it('should become a spreadsheet in which nothing is a formula', () => {
    const [head, line] = toCsv([row]).split('\r\n');
    expect(head!.split(',').slice(2, 10)).toEqual([
      'symbols', 'threads', 'sleepOrRate', 'channel', 'maxFrequency', 'conflation', 'frameRate', 'rendering',
    ]);
    expect(line).toContain(`"'=SUM(A1), ""quoted"""`);
  });

  it('should give away every figure in a spreadsheet, but for the buckets of latencies', () => {
    const line = toCsv([{ ...row, notPositive: 3071, feedPerSecond: 3072, busy: 0.3073, frameMs: 307.4, hiddenPart: 0.3074 }]).split('\r\n')[1]!;
    for (const figure of ['3071', '3072', '0.3073', '307.4', '0.3074']) {
      expect(line.split(',')).toContain(figure);
    }
  });

  it('should leave empty what was not measured, not be 0', () => {
    const nothing = new Histogram().summary();
    const empty = toRow(DEFAULTS, { ...result, latency: nothing, buckets: [], clockBoundNs: null, merged: null, dropped: null }, nothing, {
      name: '', at: '', limit: 'unknown', frameMs: null, feedPerSecond: null, browser: '', source: '',
    });
    expect(empty).toMatchObject({ meanNs: null, maxNs: null, clockBoundNs: null, screenMaxNs: null });
    const [head, line] = toCsv([empty]).split('\r\n').map((each) => each.split(','));
    for (const name of ['meanLatencyMs', 'p50Ms', 'p99Ms', 'maxMs', 'longestFrameMs', 'clockBoundMs', 'screenMaxMs', 'merged', 'dropped', 'feedPerSecond']) {
      expect(line![head!.indexOf(name)], name).toBe('');
    }
    const none = () => {};
    const view = rowsView({ rename: none, remove: none, use: none, link: none, exportCsv: none, exportJson: none, save: none });
    view.show([empty]);
    const results = [...view.element.querySelectorAll('td.result')].map((each) => each.textContent);
    expect([...results.slice(2, 6), ...results.slice(7)]).toEqual(['–', '–', '–', '–', '–', '–']);
  });

  it('should be empty also where an earlier version kept 0', () => {
    const { rows } = load({ getItem: () => JSON.stringify([{ ...row, meanNs: 0, maxNs: 0 }]) });
    expect(rows[0]).toMatchObject({ meanNs: null, maxNs: null, p50Ns: 9e5, feedPerSecond: 10_000 });
    const kept = [{ ...row, feedPerSecond: 0 }, { ...row, feedPerSecond: 0, messages: 0 }];
    expect(load({ getItem: () => JSON.stringify(kept) }).rows.map((each) => each.feedPerSecond)).toEqual([null, 0]);
  });

  it('should give away how thresholds came out, latency to the screen, and what a search found', () => {
    const screen = new Histogram();
    Array.from({ length: 500 }, () => screen.record(3e7));
    const about = { name: 'a', at: '', limit: 'none', frameMs: 17, feedPerSecond: 1, browser: '', source: '', latePart: 0.5, queuePerSecond: 3, flushes: 10, lateFlushes: 3 };
    const judged = toRow({ ...DEFAULTS, p99LimitMs: 5, lateLimitPercent: 1 }, result, screen.summary(), about);
    expect(judged).toMatchObject({ screenP99Ns: null, screenMaxNs: 3e7, thresholds: [{ state: 'passes' }, { state: 'fails', value: 50 }] });
    const search = { held: 40_000, failed: 42_000, limit: 'decode', isConfirmed: true, steps: [] };
    const [head, line] = toCsv([{ ...judged, search }]).split('\r\n').map((each) => each.split(','));
    const cell = (name: string) => line![head!.indexOf(name)];
    expect(['screenP99Ms', 'screenMaxMs', 'latePart', 'flushes', 'lateFlushes', 'thresholds', 'limitHeldPerSecond', 'limitFailedPerSecond', 'limitConfirmed'].map(cell))
      .toEqual(['', '30', '0.5', '10', '3', 'fails', '40000', '42000', 'true']);
    expect(cell('thresholdWords')).toBe('p99 passes: 2 of 5 ms; frames late fails: 50 of 1 %');
  });

  it('should be read also where an earlier version kept it, which knew less', () => {
    const { flash: _, p99LimitMs: __, ...settings } = DEFAULTS;
    const { rows } = load({ getItem: () => JSON.stringify([{ ...row, settings, thresholds: undefined }]) });
    expect(rows[0]!.settings).toEqual(DEFAULTS);
    expect(toCsv(rows)).toContain(',none,');
  });

  it('should be kept and found again, and survive what is no row', () => {
    const kept = new Map<string, string>();
    const storage = { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => void kept.set(key, value) };
    expect(keep(storage, [row])).toBe('');
    expect(load(storage)).toEqual({ rows: [row], words: '' });
    expect(load({ getItem: () => null })).toEqual({ rows: [], words: '' });
    expect(load({ getItem: () => 'no json' })).toEqual({ rows: [], words: 'The rows kept in this browser cannot be read, and are left out.' });
    expect(load({ getItem: () => '[null, {"x":1}]' })).toEqual({ rows: [], words: '2 of the rows kept in this browser cannot be read, and are left out.' });
  });

  it('should say that they are gone with the page where the browser keeps none', () => {
    const full = { setItem: () => { throw new Error('full'); } };
    expect(keep(full, [row])).toContain('This browser keeps no rows');
    expect(keep({ setItem: () => {} }, Array.from({ length: 201 }, () => row))).toContain('Only the last 200 of 201 rows');
  });

  it('should be compared as ratios', () => {
    expect(ratio(3, 2)).toBe('1.50 ×');
    expect(ratio(3, 0)).toBe('–');
  });
});

describe('figures', () => {
  it('should be read easily', () => {
    expect(count(1234567)).toBe('1\u202f234\u202f567');
    expect(digits(0.5)).toBe('0.50');
    expect(digits(123.4)).toBe('123');
    expect(rate(412_345)).toBe('412 k');
    expect(rate(2_500_000)).toBe('2.50 M');
    expect(time(1_500_000)).toBe('1.50 ms');
  });

  it('should show a sign only where there is a change', () => {
    expect([0.0123, -0.0123, -0.00001, 0].map(percent)).toEqual(['+1.23', '−1.23', '0.00', '0.00']);
  });
});
