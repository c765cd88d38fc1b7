// The offset between the server's clock and this page's, and a bound on its error.

import { TWO_32 } from '../wire/tick';

const FIRST = 20;
const KEPT = 100;
const EVERY_MS = 100;
const REOPEN_MS = 500;
/** Two quartz clocks, each wrong by 50 parts in a million: so much an offset may be off for each ms of its age. */
const DRIFT_NS_PER_MS = 100;

export interface Offset {
  /** Server's time after the feed's epoch minus performance.now(), ns. */
  ns: number;
  boundNs: number;
}

interface Sample extends Offset {
  atMs: number;
}

/**
 * The sample that can be wrong by the least: by half of its round trip, and by what two clocks drift apart since. On one
 * machine there is one clock and no drift, but a page cannot know that.
 */
export function best(samples: Sample[], nowMs: number): Offset | undefined {
  const offsets = samples.map(({ ns, boundNs, atMs }) => ({ ns, boundNs: boundNs + (nowMs - atMs) * DRIFT_NS_PER_MS }));
  return offsets.reduce<Offset | undefined>(
    (least, each) => (least === undefined || each.boundNs < least.boundNs ? each : least),
    undefined,
  );
}

export class Clock {
  private samples: Sample[] = [];
  private socket: WebSocket | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private sent = 0;
  private isReported = false;
  private heardMs = 0;
  /** As it was when the server last answered. */
  offset: Offset | undefined;

  /** Known: called once, when the offset is known or cannot be. */
  constructor(private readonly url: string, private readonly known: () => void) {}

  /** What the server said before it went may be of another clock: only its age shows how wrong it may be, until the server sends again. */
  open(): void {
    this.samples = [];
    this.sent = 0;
    this.socket = new WebSocket(this.url);
    this.socket.binaryType = 'arraybuffer';
    this.socket.onopen = () => this.ask();
    this.socket.onmessage = (event: MessageEvent<ArrayBuffer>) => this.hear(event.data);
    this.socket.onclose = () => {
      this.report();
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.open(), REOPEN_MS);
    };
  }

  /** How wrong the offset may be now: it also ages while nothing is received. Null where there is none. */
  boundNs(nowMs: number): number | null {
    return this.offset ? this.offset.boundNs + (nowMs - this.heardMs) * DRIFT_NS_PER_MS : null;
  }

  private report(): void {
    if (!this.isReported) {
      this.isReported = true;
      this.known();
    }
  }

  private ask(): void {
    if (this.socket?.readyState === WebSocket.OPEN) {
      const question = new Float64Array(1);
      question[0] = performance.now();
      this.socket.send(question);
      this.sent++;
    }
  }

  private hear(answer: ArrayBuffer): void {
    const nowMs = performance.now();
    const view = new DataView(answer);
    const sentMs = view.getFloat64(0, true);
    const serverNs = view.getUint32(8, true) + view.getInt32(12, true) * TWO_32;
    this.samples.push({
      ns: serverNs - ((sentMs + nowMs) / 2) * 1e6,
      boundNs: ((nowMs - sentMs) / 2) * 1e6,
      atMs: nowMs,
    });
    if (this.samples.length > KEPT) {
      this.samples.shift();
    }
    this.offset = best(this.samples, nowMs);
    this.heardMs = nowMs;
    if (this.sent < FIRST) {
      this.ask();
    } else {
      this.report();
      this.timer = setTimeout(() => this.ask(), EVERY_MS);
    }
  }

  close(): void {
    clearTimeout(this.timer);
    if (this.socket) {
      this.socket.onclose = null;
      this.socket.close();
    }
  }
}
