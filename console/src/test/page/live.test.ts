import { afterEach, describe, expect, it, vi } from 'vitest';
import type { FeedState } from '../../main/page/api';
import { Benchmark } from '../../main/page/benchmark';
import { FeedRate } from '../../main/page/feed-rate';
import { HELP } from '../../main/page/help';
import { Pictures } from '../../main/page/pictures';
import type { Opening } from '../../main/page/protocol';
import { DEFAULTS, fitting } from '../../main/page/settings';
import { Discards, NOTHING_LASTS, verdict, type Figures } from '../../main/page/verdict';
import { controls } from '../../main/page/view/controls';
import { figures, queueTexts } from '../../main/page/view/figures';
import { rowsView } from '../../main/page/view/rows';
import { open } from '../../main/page/worker/channel';
import { Session } from '../../main/page/worker/session';
import { Table } from '../../main/page/worker/table';

afterEach(() => vi.unstubAllGlobals());

const feed = (atS: number, sent: number, more: Partial<FeedState> = {}): FeedState => ({
  isRunning: true, symbols: 10, threads: 1, sleepMs: 1, rate: 1000, messageBytes: 40, source: 'generator', isChannel: false,
  lost: 0, maxLagNs: 0, backPressured: 0, sent, atNs: atS * 1e9, ...more,
});

describe('the rate of the feed', () => {
  const after = (...states: FeedState[]): number | undefined => {
    const feedRate = new FeedRate();
    states.forEach((each) => feedRate.take(each, each.atNs / 1e6));
    return feedRate.perSecondAt(states.at(-1)!.atNs / 1e6);
  };

  it('should be what was made from one look to the next', () => {
    expect(after(feed(1, 500), feed(2, 1500), feed(4, 3700))).toBe(1100);
  });

  it('should not be known of a feed that has just begun, so that nobody calls it too slow', () => {
    expect(after(feed(1, 0, { isRunning: false }), feed(9, 0))).toBeUndefined();
    expect(after(feed(1, 500), feed(2, 1500), feed(3, 20))).toBeUndefined();
    expect(after(feed(1, 500), feed(2, 1500), feed(3, 2000, { rate: 50_000 }))).toBeUndefined();
  });

  it('should wait for a time in which a message more or less is little', () => {
    expect(after(feed(1, 500), feed(2, 1500), feed(2.1, 1800), feed(3, 2500))).toBe(1000);
  });

  it('should be none of one that stands still', () => {
    expect(after(feed(1, 500), feed(2, 500, { isRunning: false }))).toBe(0);
  });

  it('should not be known any more once two answers of the server are missing, nor be in a row', () => {
    const feedRate = new FeedRate();
    [feed(1, 500), feed(2, 1500)].forEach((each) => feedRate.take(each, each.atNs / 1e6));
    expect([2000, 4000, 5000].map((askedMs) => feedRate.perSecondAt(askedMs))).toEqual([1000, 1000, undefined]);
    const row = new Benchmark(5, 2500, feed(2, 1500));
    expect([4000, 7000].map((askedMs) => row.feedPerSecond(feed(2, 1500), feedRate.perSecondAt(askedMs)))).toEqual([1000, null]);
    feedRate.take(feed(8, 7500), 8000);
    expect(feedRate.perSecondAt(8000), 'heard again').toBe(1000);
  });
});

describe('a benchmark that goes on', () => {
  it('should report the feed of its whole time, not of its last second', () => {
    expect(new Benchmark(60, 0, feed(10, 5_000)).feedPerSecond(feed(70, 35_000), 1000)).toBe(500);
    expect(new Benchmark(60, 0, undefined).feedPerSecond(feed(70, 35_000), 1000)).toBe(1000);
  });

  it('should not know what the feed made where the server said nothing since it began, nor before', () => {
    const silent = feed(10, 0);
    expect(new Benchmark(5, 0, silent).feedPerSecond(silent, undefined)).toBeNull();
  });

  it('should name the limit that was met for a tenth of the time', () => {
    const benchmark = new Benchmark(60, 0, undefined);
    for (let i = 0; i < 100; i++) {
      benchmark.saw({ level: i < 12 ? 'bad' : 'careful', limit: i < 9 ? 'server' : i < 20 ? 'render' : 'none' }, 0.25, i === 50 ? 80 : 17, false);
    }
    expect(benchmark.limit()).toBe('render');
    expect(benchmark.behindPart()).toBe(0.12);
    expect(benchmark.worstFrameMs).toBe(80);
    expect(benchmark.secondsLeft(45_000)).toBe(15);
  });

  it('should weigh a look by the time that it covers: a worker that was stalled looks once', () => {
    const benchmark = new Benchmark(10, 0, undefined);
    for (let i = 0; i < 16; i++) {
      benchmark.saw({ level: 'good', limit: 'none' }, 0.25, 17, false);
    }
    benchmark.saw({ level: 'bad', limit: 'network' }, 6, 17, true);
    expect([benchmark.limit(), benchmark.behindPart(), benchmark.hiddenPart()]).toEqual(['network', 0.6, 0.6]);
  });

  it('should not have kept up where nobody looked', () => {
    const benchmark = new Benchmark(10, 0, undefined);
    expect([benchmark.limit(), benchmark.behindPart()]).toEqual(['unknown', 1]);
  });

  it('should be overdue half a minute after its end', () => {
    const benchmark = new Benchmark(10, 5_000, undefined);
    expect([45_000, 45_001].map((nowMs) => benchmark.isOverdue(nowMs))).toEqual([false, true]);
  });
});

describe('the pictures', () => {
  it('should report the longest time between two of them', () => {
    const pictures = new Pictures();
    [1000, 1017, 1084, 1100].forEach((each) => pictures.drawn(each));
    expect(pictures.take(1110)).toBe(67);
    pictures.drawn(1117);
    expect(pictures.take(1120)).toBe(17);
  });

  it('should report where none comes any more, and take a slow rate for what it is', () => {
    const pictures = new Pictures();
    [1000, 2000].forEach((each) => pictures.drawn(each));
    expect([2250, 2500, 2750, 5000].map((each) => pictures.take(each))).toEqual([1000, 1000, 1000, 3000]);
  });

  it('should not count the time for which nobody looked', () => {
    const pictures = new Pictures();
    [1000, 1017].forEach((each) => pictures.drawn(each));
    pictures.pause();
    expect(pictures.take(60_000)).toBe(0);
    [60_000, 60_017].forEach((each) => pictures.drawn(each));
    expect(pictures.take(60_020)).toBe(17);
  });
});

describe('the queue', () => {
  it('should not be known, rather than empty, until the server has told of this session', () => {
    const none = { statuses: 0, waiting: 0, bytesOnTheWay: 0, merged: 0, dropped: 0 };
    expect(queueTexts(none)).toEqual(['–', '']);
    expect(queueTexts({ ...none, statuses: 1 })).toEqual(['0', '0 B on the way']);
    expect(queueTexts({ statuses: 9, waiting: 1200, bytesOnTheWay: 5, merged: 7, dropped: 8 })).toEqual(['1\u202f200', '5 B on the way, 7 merged, 8 dropped']);
  });
});

describe('what is discarded', () => {
  const part = (...counts: [offered: number, merged: number, heldBack: number][]): number => {
    const discards = new Discards();
    counts.forEach(([offered, merged, heldBack]) => discards.take({ offered, merged, dropped: 0, heldBack, flushes: 0, lateFlushes: 0 }));
    return discards.part;
  };

  it('should be blamed on the way only where this page took none meanwhile', () => {
    expect(part([0, 0, 0], [1000, 400, 600])).toBe(0.4);
    // twenty messages of a symbol in one flush interval: merged as they were asked to be
    expect(part([0, 0, 0], [1000, 950, 0])).toBe(0);
    expect(part([0, 0, 0], [1000, 950, 10])).toBe(0.01);
  });

  it('should stay until the server tells more, and begin anew with a session', () => {
    expect(part([0, 0, 0], [1000, 400, 600], [1000, 400, 600])).toBe(0.4);
    expect(part([0, 0, 0], [1000, 400, 600], [50, 0, 0])).toBe(0);
  });
});

describe('flushes that were late', () => {
  /** As the server reports them each second, of so many. */
  const reported = (perSecond: number, ...late: number[]): Session[] => {
    let lateFlushes = 0;
    return late.map((each, i) => {
      const session = new Session(new Table(1, false));
      lateFlushes += each;
      session.note({ note: 'status', offered: 1000 * (i + 1), flushes: perSecond * (i + 1), lateFlushes });
      return session;
    });
  };
  const counts = (of: Session) => ({
    offered: of.figure('offered'), merged: 0, dropped: 0, heldBack: 0, flushes: of.figure('flushes'), lateFlushes: of.figure('lateFlushes'),
  });
  const well: Figures = {
    askedPerSecond: 1000, madePerSecond: 1000, receivedPerSecond: 1000, busy: 0.1, flushMs: 4, discarded: 0, missed: 0, maxFrequency: 0,
    waiting: 0, isTimed: true, isFew: false, p99Ns: 1e6, frameMs: 17, wantedFrameMs: 16.7, rendering: true, lasting: NOTHING_LASTS, noSession: '', failedPosts: 0,
  };
  const words = (perSecond: number, ...late: number[]) => {
    const discards = new Discards();
    reported(perSecond, ...late).forEach((each) => discards.take(counts(each)));
    return verdict({ ...well, missed: discards.missed });
  };

  it('should be said, and not be green', () => {
    expect(words(250, 0, 75)).toMatchObject({ level: 'careful', words: 'Keeping up, but 30 % of the flushes were late.' });
    expect(words(1000, 0, 10).level, 'one percent').toBe('good');
    expect(words(1000, 0, 11).level, 'more').toBe('careful');
    expect(words(250, 0, 75, 0).level, 'not any more').toBe('good');
  });

  it('should not be blamed for one or two of a slow feed', () => {
    expect([1, 2, 3].map((late) => words(10, 0, late).level)).toEqual(['good', 'good', 'careful']);
  });

  it('should be kept in the row: those of its own time', () => {
    const flushed = (...late: number[]) => {
      const benchmark = new Benchmark(10, 0, undefined);
      reported(250, ...late).forEach((each, i) =>
        benchmark.counted({ ...counts(each), statuses: i + 1, receivedAtStatus: each.figure('offered') }, 1000 * i));
      return benchmark.flushed();
    };
    expect(flushed(200, 75, 0)).toEqual({ flushes: 500, lateFlushes: 75 });
    expect([flushed(), flushed(200)], 'too short to tell').toEqual([undefined, { flushes: 0, lateFlushes: 0 }]);
  });
});

describe('a link made elsewhere', () => {
  it('should become what there is here, and say so', () => {
    const { settings, words } = fitting({ ...DEFAULTS, conflation: 'moves' }, ['ws-binary'], ['merge', 'buffer']);
    expect(settings).toEqual(DEFAULTS);
    expect(words).toBe("This console has no conflation policy 'moves'; merge is used instead.");
    expect(fitting(DEFAULTS, ['ws-binary'], ['merge']).words).toBe('');
  });
});

describe('the panel', () => {
  const panel = () => {
    vi.stubGlobal('matchMedia', () => ({ matches: true }));
    const made = controls(DEFAULTS, [], [], { changed: () => {}, toggle: () => {}, benchmark: () => {}, findLimit: () => {} });
    const button = (name: RegExp) => [...made.element.querySelectorAll('button')].find((each) => name.test(each.textContent!))!;
    const input = (name: string) => {
      const label = [...made.element.querySelectorAll('label')].find((each) => each.textContent === name)!;
      return made.element.querySelector<HTMLInputElement>(`#${label.htmlFor}`)!;
    };
    return { made, button, input };
  };

  it('should let nobody start or stop a feed before it is known whether one runs', () => {
    const { made, button } = panel();
    expect([button(/feed$/).disabled, button(/Run Benchmark/).disabled]).toEqual([true, true]);
    made.setRunning(true, false);
    expect([button(/Stop feed$/).disabled, button(/Run Benchmark/).disabled]).toEqual([false, false]);
  });

  it('should start no second benchmark while one goes on', () => {
    const { made, button } = panel();
    made.setRunning(true, false);
    made.setBenchmark(42);
    made.setRunning(true, false); // the state of the server comes once a second
    expect(button(/42 s left/).disabled).toBe(true);
    made.setBenchmark(0);
    expect(button(/Run Benchmark/).disabled).toBe(false);
    made.setRunning(false, false);
    expect(button(/Run Benchmark/).disabled).toBe(true);
  });

  it('should say where prices come from, and let nobody set what is set there', () => {
    const { made, input } = panel();
    made.setSource('prices.csv', false);
    expect(made.element.textContent).toContain('Prices come from prices.csv, over and over');
    expect([input('Symbols').disabled, input('Threads').disabled]).toEqual([true, false]);
    made.setSource('shm://prices', true);
    expect(made.element.textContent).toContain('Prices come from shm://prices');
    expect([input('Symbols').disabled, input('Threads').disabled]).toEqual([true, true]);
    made.setSource('generator', false);
    expect(input('Symbols').disabled).toBe(false);
  });

  it('should explain each parameter and figure somewhere', () => {
    const rows = rowsView({
      rename: () => {}, remove: () => {}, use: () => {}, link: () => {}, exportCsv: () => {}, exportJson: () => {}, save: () => {},
    });
    const said = panel().made.element.textContent! + figures().element.textContent! + rows.element.textContent!;
    expect(Object.values(HELP).filter((each) => !said.includes(each))).toEqual([]);
  });
});

describe('a channel that is refused', () => {
  const opening: Opening = {
    type: 'open', number: 1, token: 'a-token', origin: 'http://here', channel: 'it', transport: 'websocket', encoding: 'binary', query: '', guaranteed: false,
    ackFrames: 1, ackBytes: 1,
  };
  let socket: { onopen?: () => void; onclose?: (event: { reason: string }) => void };

  const reason = async (status: number, opens: boolean): Promise<string> => {
    vi.stubGlobal('fetch', async () => new Response('{"detail":"There are 9 sessions already."}', { status }));
    vi.stubGlobal('WebSocket', class {
      onopen?: () => void;
      onclose?: (event: { reason: string }) => void;

      constructor() {
        socket = this;
      }
    });
    const session = new Session(new Table(1, false));
    const ended = new Promise<string>((end) => open(opening, session, (work) => work(), { ended: end }));
    if (opens) {
      socket.onopen?.();
    }
    socket.onclose!({ reason: '' });
    return ended;
  };

  it('should say why, as the server does', async () => {
    expect(await reason(503, false)).toBe('There are 9 sessions already.');
  });

  it('should call a connection broken that was open, or would be opened now', async () => {
    expect(await reason(503, true)).toBe('the connection was closed');
    expect(await reason(426, false)).toBe('the connection was closed');
  });

  it('should say why also where it is no socket', async () => {
    vi.stubGlobal('fetch', async () => new Response('{"detail":"There are 9 sessions already."}', { status: 503 }));
    for (const transport of ['stream', 'polling'] as const) {
      const session = new Session(new Table(1, false));
      const ended = await new Promise((end) => open({ ...opening, transport }, session, (work) => work(), { ended: end }));
      expect(ended).toBe('There are 9 sessions already.');
    }
  });

  it('should say the reason of a close frame', async () => {
    vi.stubGlobal('WebSocket', class {
      onclose?: (event: { reason: string }) => void;

      constructor() {
        socket = this;
      }
    });
    const ended = new Promise<string>((end) => open(opening, new Session(new Table(1, false)), (work) => work(), { ended: end }));
    socket.onclose!({ reason: 'the server ends' });
    expect(await ended).toBe('The server closed the connection: the server ends.');
  });
});

describe('an acknowledgement that does not arrive', () => {
  it('should be counted, and sent again', async () => {
    vi.useFakeTimers();
    const session = new Session(new Table(1, false));
    const posted: string[] = [];
    const opening: Opening = {
      type: 'open', number: 1, token: 'a-token', origin: 'http://here', channel: 'it', transport: 'stream', encoding: 'binary', query: 'a=1',
      guaranteed: false, ackFrames: 100, ackBytes: 1e6,
    };
    vi.stubGlobal('fetch', async (url: string, options: RequestInit = {}) => {
      if (options.method !== 'POST') {
        expect(url).toBe('http://here/feed/it?a=1&token=a-token');
        return new Promise(() => {}); // a stream in which nothing comes
      }
      posted.push(url);
      if (posted.length === 1) {
        throw new TypeError('the network is gone');
      }
      return new Response(null, { status: posted.length === 2 ? 503 : 204 });
    });
    const channel = open(opening, session, (work) => work(), { ended: () => {} });
    session.id = 'mine';
    session.lastFrame = 7;
    await vi.advanceTimersByTimeAsync(100);
    expect(session.failedPosts).toBe(2);
    expect(posted).toEqual(Array.from({ length: 3 }, () => 'http://here/feed/ack?session=mine&frame=7&ordinal=0&token=a-token'));
    channel.close();
    vi.useRealTimers();
  });
});
