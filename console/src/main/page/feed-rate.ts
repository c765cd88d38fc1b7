import type { FeedState } from './api';
import { differ, FEED_KEYS } from './settings';

/** Shorter than this a message more or less is several per cent. */
const SHORTEST_NS = 5e8;
/** So long it stays known: the server is asked each second, and two answers are missing then. */
const KNOWN_MS = 2500;

/** What the feed makes, from what the server says of it about once a second. */
export class FeedRate {
  private last: FeedState | undefined;
  private heardMs = 0;
  private perSecond: number | undefined;

  take(next: FeedState, nowMs: number): void {
    const { last } = this;
    this.heardMs = nowMs;
    if (!last || next.isRunning !== last.isRunning || next.sent < last.sent || differ(FEED_KEYS, last, next)) {
      this.last = next;
      this.perSecond = next.isRunning ? undefined : 0;
    } else if (next.atNs - last.atNs >= SHORTEST_NS) {
      this.perSecond = between(last, next);
      this.last = next;
    }
  }

  /** Messages a second; undefined where a feed has just started, or the server has said nothing for too long. */
  perSecondAt(nowMs: number): number | undefined {
    return nowMs - this.heardMs > KNOWN_MS ? undefined : this.perSecond;
  }
}

/** Messages a second from one state of a feed to a later one. */
export function between(from: FeedState, to: FeedState): number {
  return Math.max(0, to.sent - from.sent) / ((to.atNs - from.atNs) / 1e9);
}
