// Which limit was met, told from the page's own figures.

export interface Figures {
  /** What the feed was asked for, messages per second; 0 where it was asked for no rate. */
  askedPerSecond: number;
  /** What the feed made; undefined where it has just begun. */
  madePerSecond: number | undefined;
  receivedPerSecond: number;
  /** Part of its time for which the worker was busy, 0 to 1. */
  busy: number;
  /** How long messages are collected for one frame, as it was asked for. */
  flushMs: number;
  /** Part of the messages that were merged or dropped because this page took none, 0 to 1. */
  discarded: number;
  isThrottled: boolean;
  p99Ns: number;
  /** Longest time between two frames of the page, and what is wanted. */
  frameMs: number;
  wantedFrameMs: number;
  rendering: boolean;
}

export interface Verdict {
  level: 'good' | 'careful' | 'bad' | 'idle';
  limit: 'none' | 'server' | 'network' | 'decode' | 'render';
  words: string;
}

const HELD = 0.97;
/** A second of a slow feed holds a message more or less, by where it begins. */
const SLACK_PER_S = 2;
const BUSY = 0.85;
const SLOW_NS = 100e6;
const LATE_NS = 16.7e6;
const DISCARDED = 0.02;

/** What the server counts for a session, each since it began. */
export interface Counts {
  offered: number;
  merged: number;
  dropped: number;
  /** Messages that came while this page could take none. */
  heldBack: number;
}

/**
 * Which part of the messages went because the page was behind. What merges while the page could take more merges because
 * of the flush interval or of the maximum frequency, as it was asked to.
 */
export class Discards {
  private before: Counts | undefined;
  part = 0;

  take(now: Counts): void {
    const { before } = this;
    if (before && now.offered === before.offered) {
      return; // the server tells it once a second
    }
    if (before && now.offered > before.offered) {
      const gone = now.merged + now.dropped - before.merged - before.dropped;
      this.part = Math.min(gone, now.heldBack - before.heldBack) / (now.offered - before.offered);
    } else {
      this.part = 0;
    }
    this.before = now;
  }
}

function isServerBehind(figures: Figures): boolean {
  const { askedPerSecond, madePerSecond } = figures;
  return askedPerSecond > 0 && madePerSecond !== undefined
    && madePerSecond < Math.min(HELD * askedPerSecond, askedPerSecond - SLACK_PER_S);
}

/** How late one message in a hundred is beyond what it was asked to wait for its frame. */
function lateNs(figures: Figures): number {
  return figures.isThrottled ? 0 : figures.p99Ns - figures.flushMs * 1e6;
}

export function verdict(figures: Figures): Verdict {
  if ((figures.madePerSecond ?? 0) < 1 && figures.receivedPerSecond < 1) {
    return { level: 'idle', limit: 'none', words: 'No messages.' };
  }
  if (isServerBehind(figures)) {
    return {
      level: 'bad',
      limit: 'server',
      words: 'Server limit: the feed cannot make the rate it was asked for.',
    };
  }
  const isHeldBack = figures.discarded > DISCARDED;
  if (figures.busy > BUSY) {
    return {
      level: 'bad',
      limit: 'decode',
      words: 'Decode limit: the worker is busy all the time with what it receives.',
    };
  }
  if (isHeldBack || lateNs(figures) > SLOW_NS) {
    return {
      level: 'bad',
      limit: 'network',
      words: isHeldBack
        ? 'Network limit: messages wait at the server and are merged or dropped before they can go.'
        : 'Network limit: messages are on their way for more than 100 ms.',
    };
  }
  if (figures.rendering && figures.frameMs > 2 * figures.wantedFrameMs && figures.frameMs > 34) {
    return {
      level: 'careful',
      limit: 'render',
      words: 'Render limit: the page draws fewer frames than it should; messages are in time.',
    };
  }
  if (lateNs(figures) > LATE_NS) {
    return {
      level: 'careful',
      limit: 'none',
      words: 'Keeping up, but one message in a hundred is later than a frame of a 60 Hz display.',
    };
  }
  return { level: 'good', limit: 'none', words: 'Keeping up: no limit met.' };
}
