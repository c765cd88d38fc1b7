// One session: counts, times and keeps what comes. The hot path of the page.

import type { Note, Sink } from '../wire/tick';
import { wrappedUs } from '../screen';
import { Spans } from '../spans';
import type { Table } from './table';

export class Session implements Sink {
  readonly spans = new Spans();
  private readonly interval = this.spans.interval;
  messages = 0;
  frames = 0;
  bytes = 0;
  lost = 0;
  busyMs = 0;
  nowNs = 0;
  lastFrame = 0;
  lastOrdinal = 0;
  bytesSinceAck = 0;
  status: Note | undefined;
  statuses = 0;
  receivedAtStatus = 0;
  /** Acknowledgements that did not reach the server, and were sent again. */
  failedPosts = 0;
  id = '';
  /** Server's ns of the moment at which the frame is handled. */
  frameNs = 0;
  onNote: (note: Note) => void = () => {};

  constructor(public table: Table) {}

  message(
    symbol: number, sequence: number, intendedNs: number, _lagNs: number,
    bid: number, ask: number, last: number, size: number, volume: number,
  ): void {
    const latencyNs = this.frameNs - intendedNs;
    this.interval.record(latencyNs);
    this.nowNs = latencyNs;
    this.table.put(symbol, sequence, bid, ask, last, size, volume, wrappedUs(intendedNs));
  }

  frame(frame: number, ordinal: number, count: number, bytes: number): void {
    if (ordinal > this.lastOrdinal + 1) {
      this.lost += ordinal - this.lastOrdinal - 1;
    }
    this.lastOrdinal = Math.max(this.lastOrdinal, ordinal + count - 1);
    this.lastFrame = frame;
    this.frames++;
    this.messages += count;
    this.bytes += bytes;
    this.bytesSinceAck += bytes;
  }

  note(note: Note): void {
    if (note.note === 'hello') {
      this.id = String(note['session']);
    } else {
      this.status = note;
      this.statuses++;
      this.receivedAtStatus = this.messages;
    }
    this.onNote(note);
  }

  figure(name: string): number {
    return Number(this.status?.[name] ?? 0);
  }
}
