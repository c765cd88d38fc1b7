import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { BenchmarkResult, FromWorker, Opening, Stats, ToWorker } from '../../main/page/protocol';

const sockets: Socket[] = [];
const AHEAD_NS = 5e9;

/** The server of the clock answers at once where it is there; that of the channel says what a test says. */
class Socket {
  static readonly OPEN = 1;
  static hasClock = true;
  readonly readyState = 1;
  onopen?: () => void;
  onmessage?: (event: { data: unknown }) => void;
  onclose: (() => void) | null = null;

  constructor(readonly url: string) {
    sockets.push(this);
    if (this.isClock) {
      setTimeout(() => (Socket.hasClock ? this.onopen?.() : this.onclose?.()), 10);
    }
  }

  get isClock(): boolean {
    return this.url.includes('/feed/clock');
  }

  send(question: Float64Array): void {
    if (this.isClock) {
      const sentMs = question[0]!;
      const answer = new DataView(new ArrayBuffer(16));
      answer.setFloat64(0, sentMs, true);
      answer.setBigInt64(8, BigInt(Math.round(sentMs * 1e6 + AHEAD_NS)), true);
      setTimeout(() => this.onmessage?.({ data: answer.buffer }), 0);
    }
  }

  close(): void {}
}

describe('the worker', () => {
  let said: FromWorker[];
  let scope: {
    postMessage(message: FromWorker): void;
    onmessage: ((event: { data: ToWorker }) => void) | null;
    crossOriginIsolated: boolean;
  };

  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] });
    vi.resetModules();
    sockets.length = 0;
    Socket.hasClock = true;
    said = [];
    scope = { postMessage: (message) => void said.push(message), onmessage: null, crossOriginIsolated: false };
    vi.stubGlobal('self', scope);
    vi.stubGlobal('WebSocket', Socket);
    await import('../../main/page/worker/main');
  });

  afterEach(() => {
    vi.clearAllTimers();
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  const tell = (data: ToWorker) => scope.onmessage!({ data });
  const open = (number = 1) => tell({
    type: 'open', number, token: 'a-token', origin: 'http://here', channel: 'it', transport: 'websocket', encoding: 'json', query: '',
    guaranteed: false, ackFrames: 64, ackBytes: 64_000,
  } satisfies Opening);

  /** The channel that was opened last. */
  const channel = () => sockets.findLast((each) => !each.isClock)!;
  const hello = () => channel().onmessage!({
    data: JSON.stringify({ note: 'hello', session: 'mine', missing: 0, symbols: 1, symbolCount: 1, firstSymbol: 0 }),
  });

  /** A message each 50 ms that was due a millisecond ago. */
  const receive = (ms: number) => {
    for (let i = 1; i <= ms / 50; i++) {
      vi.advanceTimersByTime(50);
      const dueNs = performance.now() * 1e6 + AHEAD_NS - 1e6;
      channel().onmessage!({ data: JSON.stringify({ f: i, o: i, m: [[0, i, dueNs, 0, 1, 2, 3, 4, 5]] }) });
    }
  };

  const stats = () => said.filter((each): each is Stats => each.type === 'stats');
  const results = () => said.filter((each): each is BenchmarkResult => each.type === 'benchmarked');

  it('should begin a benchmark with its session where it was asked for before there was one', () => {
    open();
    tell({ type: 'benchmark', seconds: 1 });
    vi.advanceTimersByTime(3000); // no session, no row
    expect(results()).toEqual([]);
    hello();
    receive(1500);
    expect(results()).toHaveLength(1);
    const [{ messages, latency, seconds }] = results() as [BenchmarkResult];
    expect(messages).toBeGreaterThanOrEqual(19);
    expect(latency.count).toBe(messages);
    expect(seconds).toBeLessThan(1.5);
  });

  it('should time the messages of a session that replaces another', () => {
    open();
    vi.advanceTimersByTime(500);
    hello();
    receive(500);
    open(2);
    tell({ type: 'benchmark', seconds: 1 });
    vi.advanceTimersByTime(500);
    hello();
    receive(1500);
    expect(results()).toHaveLength(1);
    expect(results()[0]!.messages).toBeGreaterThanOrEqual(19);
    expect(results()[0]!.latency.count).toBe(results()[0]!.messages);
  });

  it('should forget a benchmark that waits where it is not wanted any more', () => {
    open();
    tell({ type: 'benchmark', seconds: 1 });
    tell({ type: 'benchmark', seconds: 0 });
    vi.advanceTimersByTime(500);
    hello();
    receive(1500);
    expect(results()).toEqual([]);
  });

  it('should report no bound of a clock that does not answer, and no latency', () => {
    Socket.hasClock = false;
    open();
    tell({ type: 'benchmark', seconds: 1 });
    vi.advanceTimersByTime(500);
    hello();
    receive(1500);
    expect(new Set(stats().map((each) => each.clockBoundNs))).toEqual(new Set([null]));
    expect(results()[0]).toMatchObject({ clockBoundNs: null, buckets: [], latency: { count: 0, meanNs: NaN, maxNs: NaN } });
    expect(results()[0]!.latency.notPositive).toBe(results()[0]!.messages);
  });

  it('should report the worst bound of a clock that answers', () => {
    open();
    tell({ type: 'benchmark', seconds: 1 });
    vi.advanceTimersByTime(500);
    hello();
    receive(1500);
    expect(results()[0]!.clockBoundNs).toBeGreaterThanOrEqual(0);
  });

  it('should not know what was merged or dropped where the server said nothing meanwhile', () => {
    const status = (merged: number) => channel().onmessage!({ data: JSON.stringify({ note: 'status', merged, dropped: 2 * merged }) });
    open();
    vi.advanceTimersByTime(500);
    hello();
    status(3);
    tell({ type: 'benchmark', seconds: 1 });
    receive(1500);
    tell({ type: 'benchmark', seconds: 1 });
    status(5);
    receive(1500);
    expect(results().map((each) => [each.merged, each.dropped])).toEqual([[null, null], [2, 4]]);
  });

  it('should say how much time a look covers', () => {
    open();
    vi.advanceTimersByTime(500);
    hello();
    receive(1000);
    expect(stats().length).toBeGreaterThan(2);
    expect(stats().at(-1)!.seconds).toBeCloseTo(0.25);
  });
});
