// The offset between the server's clock and this page's, and a bound on its error: half the shortest round trip.

import { TWO_32 } from '../wire/tick';

const FIRST = 20;
const KEPT = 60;
const EVERY_MS = 500;

export interface Offset {
  /** Server's time after the feed's epoch minus performance.now(), ns. */
  ns: number;
  boundNs: number;
}

/** The sample with the shortest round trip: its offset is wrong by half of it at most. */
export function best(samples: Offset[]): Offset | undefined {
  return samples.reduce<Offset | undefined>(
    (least, each) => (least === undefined || each.boundNs < least.boundNs ? each : least),
    undefined,
  );
}

export class Clock {
  private samples: Offset[] = [];
  private socket: WebSocket | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private sent = 0;
  offset: Offset | undefined;

  constructor(private readonly url: string, private readonly known: () => void) {}

  open(): void {
    this.socket = new WebSocket(this.url);
    this.socket.binaryType = 'arraybuffer';
    this.socket.onopen = () => this.ask();
    this.socket.onmessage = (event: MessageEvent<ArrayBuffer>) => this.hear(event.data);
    this.socket.onerror = () => this.known();
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
    });
    if (this.samples.length > KEPT) {
      this.samples.shift();
    }
    this.offset = best(this.samples);
    if (this.sent < FIRST) {
      this.ask();
    } else {
      if (this.sent === FIRST) {
        this.known();
      }
      this.timer = setTimeout(() => this.ask(), EVERY_MS);
    }
  }

  close(): void {
    clearTimeout(this.timer);
    if (this.socket) {
      this.socket.onerror = null;
      this.socket.close();
    }
  }
}
