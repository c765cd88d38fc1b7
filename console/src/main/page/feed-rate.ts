import type { FeedState } from './api';
import { differ, FEED_KEYS } from './settings';

/** Shorter than this a message more or less is several per cent. */
const SHORTEST_NS = 5e8;

/** What the feed makes, from what the server says of it about once a second. */
export class FeedRate {
  private last: FeedState | undefined;
  /** Messages a second; undefined where a feed has just started and the rate is unknown. */
  perSecond: number | undefined;

  take(next: FeedState): void {
    const { last } = this;
    if (!last || next.isRunning !== last.isRunning || next.sent < last.sent || differ(FEED_KEYS, last, next)) {
      this.last = next;
      this.perSecond = next.isRunning ? undefined : 0;
    } else if (next.atNs - last.atNs >= SHORTEST_NS) {
      this.perSecond = between(last, next);
      this.last = next;
    }
  }
}

/** Messages a second from one state of a feed to a later one. */
export function between(from: FeedState, to: FeedState): number {
  return Math.max(0, to.sent - from.sent) / ((to.atNs - from.atNs) / 1e9);
}
