// Which limit is met, in words, from the page's own figures.

import { lateFromMs } from './pictures';

export interface Figures {
  /** Messages a second; 0 where it was asked for no rate. */
  askedPerSecond: number;
  /** What the feed made; undefined where it has just begun. */
  madePerSecond: number | undefined;
  receivedPerSecond: number;
  /** Part of its time for which the worker was busy, 0 to 1. */
  busy: number;
  /** How long messages are collected for one frame, as it was asked for. */
  flushMs: number;
  /** Most messages a second of one symbol, as it was asked for; 0: all. */
  maxFrequency: number;
  /** Part of the messages that were merged or dropped because this page took none, 0 to 1. */
  discarded: number;
  /** Part of the flushes that missed their time by an interval or more, 0 to 1; 0 where they held it, see missedPart. */
  missed: number;
  /** Messages that wait at the server, and by how many there are more each second. */
  waiting: number;
  /** Whether any of what was received could be timed. */
  isTimed: boolean;
  /** Fewer messages in ten seconds than a p99 takes. */
  isFew: boolean;
  /** What one message in a hundred takes, at least; NaN where there are too few to tell even that. */
  p99Ns: number;
  /** Longest time between two frames of the page, and what is wanted. */
  frameMs: number;
  wantedFrameMs: number;
  rendering: boolean;
  lasting: Lasting;
  /** Acknowledgements that did not reach the server, and were sent again. */
  failedPosts: number;
  /** Why there is no session; empty where there is one. */
  noSession: string;
}

/** What has held for three seconds: less may be where a second begins, or a pause of the machine. */
export interface Lasting {
  /** The feed makes more than 1 % less than it was asked for. */
  isServerBehind: boolean;
  /** More than 1 % of what is made for this page is neither received nor merged or dropped as it was asked to be. */
  isQueueGrowing: boolean;
  /** Messages are made, and none is received. */
  isNothingReceived: boolean;
  /** Pictures come later than they should. */
  isNotShown: boolean;
  /** The server says nothing about the session any more, or has not yet said what the feed makes. */
  isUnheard: boolean;
}

export const NOTHING_LASTS: Lasting = {
  isServerBehind: false, isQueueGrowing: false, isNothingReceived: false, isNotShown: false, isUnheard: false,
};

export interface Verdict {
  level: 'good' | 'careful' | 'bad' | 'idle';
  limit: 'none' | 'server' | 'network' | 'queue' | 'decode' | 'render' | 'unknown';
  words: string;
}

const HELD = 0.97;
/** So much may be missing. */
const BEHIND = 0.01;
/** For so long. */
const PATIENCE_MS = 3000;
/** A second of a slow feed holds a message more or less, by where it begins. */
const SLACK_PER_S = 2;
const BUSY = 0.85;
const SLOW_NS = 100e6;
const LATE_NS = 16.7e6;

/** Flushes of a session, and those of them that were late by an interval or more. */
export interface Flushes {
  flushes: number;
  lateFlushes: number;
}

export function flushedSince(from: Flushes, now: Flushes): Flushes {
  return { flushes: now.flushes - from.flushes, lateFlushes: now.lateFlushes - from.lateFlushes };
}

/** Part of the flushes that were late, 0 to 1; 0 where that is 1 % or less, or one or two of a slow feed. */
export function missedPart({ flushes, lateFlushes }: Flushes): number {
  return isBehind(flushes, flushes - lateFlushes) ? lateFlushes / flushes : 0;
}

/** What the server counts for a session, each since it began. */
export interface Counts extends Flushes {
  offered: number;
  merged: number;
  dropped: number;
  /** Messages that came while this page could take none. */
  heldBack: number;
}

/**
 * Which part of the messages went because the page was behind. What merges while the page could take more merges because
 * of the flush interval or of the maximum frequency, as it was asked to. And which part of the flushes was late.
 */
export class Discards {
  private before: Counts | undefined;
  part = 0;
  missed = 0;

  take(now: Counts): void {
    const { before } = this;
    if (before && now.offered === before.offered) {
      return; // the server reports it once a second
    }
    if (before && now.offered > before.offered) {
      const gone = now.merged + now.dropped - before.merged - before.dropped;
      this.part = Math.min(gone, now.heldBack - before.heldBack) / (now.offered - before.offered);
      this.missed = missedPart(flushedSince(before, now));
    } else {
      this.part = this.missed = 0;
    }
    this.before = now;
  }
}

/** What the server and this page counted when the server last reported it: both after the same messages of one stream. */
export interface Mark {
  /** Counts what the server reported. */
  statuses: number;
  /** Messages that the feed made for this session. */
  offered: number;
  /** Those that this page had received. */
  receivedAtStatus: number;
  merged: number;
  dropped: number;
}

/** Messages of which nothing is to come any more. */
function settled(of: Mark): number {
  return of.receivedAtStatus + of.merged + of.dropped;
}

/** Messages that were made for this page and are neither received nor merged or dropped. */
export function unsettled(of: Mark): number {
  return of.offered - settled(of);
}

/** Whether what was done is more than 1 % behind what was to be done, in messages, messages a second, or flushes. */
export function isBehind(wanted: number, done: number): boolean {
  return wanted - done > Math.max(BEHIND * wanted, SLACK_PER_S);
}

/** What is judged from one look to the next. */
export interface Look extends Mark {
  nowMs: number;
  /** Since the last look. */
  seconds: number;
  /** Messages of this session so far. */
  messages: number;
  askedPerSecond: number;
  madePerSecond: number | undefined;
  isFrameLate: boolean;
}

/** Compares what is made, received and shown over three seconds, of one session. */
export class Keeping {
  private readonly sinceMs = new Map<keyof Lasting, number>();
  private mark: Mark | undefined;
  private isGrowing = false;
  private messages = 0;
  /** When the server last said it. */
  private made = 0;

  take(look: Look): Lasting {
    this.made = look.madePerSecond ?? this.made;
    const isReported = this.mark === undefined || look.statuses !== this.mark.statuses;
    if (isReported) {
      this.compare(look);
    }
    const isReceived = look.messages !== this.messages;
    this.messages = look.messages;
    return {
      isServerBehind: this.lasts('isServerBehind', look.nowMs, look.madePerSecond !== undefined && look.askedPerSecond > 0
        && isBehind(look.askedPerSecond, look.madePerSecond)),
      isQueueGrowing: this.lasts('isQueueGrowing', look.nowMs, this.isGrowing),
      isNothingReceived: this.lasts('isNothingReceived', look.nowMs, this.made >= 1 && !isReceived, look.nowMs - 1000 * look.seconds),
      isNotShown: this.lasts('isNotShown', look.nowMs, look.isFrameLate),
      isUnheard: this.lasts('isUnheard', look.nowMs, !isReported || (look.askedPerSecond > 0 && look.madePerSecond === undefined)),
    };
  }

  /** What was made and is settled neither way waits, or is lost. */
  private compare(now: Mark): void {
    const { mark } = this;
    if (mark && now.offered >= mark.offered) {
      const made = now.offered - mark.offered;
      this.isGrowing = isBehind(made, settled(now) - settled(mark));
    } else {
      this.isGrowing = false;
    }
    this.mark = { ...now };
  }

  private lasts(what: keyof Lasting, nowMs: number, is: boolean, fromMs = nowMs): boolean {
    if (!is) {
      this.sinceMs.delete(what);
      return false;
    }
    const sinceMs = this.sinceMs.get(what) ?? fromMs;
    this.sinceMs.set(what, sinceMs);
    return nowMs - sinceMs >= PATIENCE_MS;
  }
}

function isServerBehind(figures: Figures): boolean {
  const { askedPerSecond, madePerSecond } = figures;
  return askedPerSecond > 0 && madePerSecond !== undefined
    && madePerSecond < Math.min(HELD * askedPerSecond, askedPerSecond - SLACK_PER_S);
}

/** How late one message in a hundred is beyond what it was asked to wait for its frame, and for its turn. */
function lateNs(figures: Figures): number {
  const turnMs = figures.maxFrequency > 0 ? 1000 / figures.maxFrequency : 0;
  return figures.p99Ns - (figures.flushMs + turnMs) * 1e6;
}

export function isFrameLate(figures: Pick<Figures, 'rendering' | 'frameMs' | 'wantedFrameMs'>): boolean {
  return figures.rendering && figures.frameMs > lateFromMs(figures.wantedFrameMs);
}

/** Waiting messages as people read them. */
function many(messages: number): string {
  return Math.round(messages).toString().replace(/\B(?=(\d{3})+$)/g, ',');
}

/** Why nothing comes; isRunning: undefined as long as the server has not answered. */
export function idleWords(isRunning: boolean | undefined, hasReceived: boolean): string {
  if (isRunning === undefined) {
    return 'Connecting to the server.';
  }
  if (!isRunning) {
    return 'The feed is stopped. Start it to see prices move.';
  }
  return hasReceived ? 'No messages.' : 'Connecting to the feed.';
}

export function verdict(figures: Figures): Verdict {
  const { lasting } = figures;
  if (figures.noSession !== '') {
    return { level: 'bad', limit: 'network', words: `Nothing is received: ${figures.noSession}` };
  }
  if (lasting.isNothingReceived) {
    return { level: 'bad', limit: 'network', words: 'Nothing is received: the feed makes messages, and for three seconds none has come.' };
  }
  if (figures.receivedPerSecond < 1 && ((figures.madePerSecond ?? 0) < 1 || !figures.isTimed)) {
    return { level: 'idle', limit: 'none', words: 'No messages.' };
  }
  if (isServerBehind(figures) || lasting.isServerBehind) {
    return {
      level: 'bad',
      limit: 'server',
      words: 'Server limit: the feed cannot reach the requested rate.',
    };
  }
  const isHeldBack = figures.discarded > BEHIND;
  if (figures.busy > BUSY) {
    return {
      level: 'bad',
      limit: 'decode',
      words: 'Decode limit: the worker is busy all the time with what it receives.',
    };
  }
  if (lasting.isQueueGrowing || (figures.maxFrequency > 0 && lateNs(figures) > SLOW_NS)) {
    return {
      level: 'bad',
      limit: 'queue',
      words: `Not keeping up: messages are made faster than they are sent; ${many(figures.waiting)} messages wait at the server.`,
    };
  }
  if (isHeldBack || lateNs(figures) > SLOW_NS) {
    return {
      level: 'bad',
      limit: 'network',
      words: isHeldBack
        ? 'Network limit: messages wait at the server and are merged or dropped before they can go.'
        : 'Network limit: messages are in flight for more than 100 ms.',
    };
  }
  if (lasting.isUnheard) {
    return { level: 'bad', limit: 'unknown', words: 'Whether this page keeps up is not known: for three seconds the server has reported nothing about its session, or the feed.' };
  }
  if (lasting.isNotShown) {
    return { level: 'bad', limit: 'render', words: 'Render limit: for three seconds what was received has been shown too late.' };
  }
  if (!figures.isTimed) {
    return { level: 'bad', limit: 'unknown', words: 'Latency is not known: no message could be timed by the server\'s clock.' };
  }
  if (isFrameLate(figures)) {
    return {
      level: 'careful',
      limit: 'render',
      words: 'Render limit: the page draws fewer frames than it should; messages are in time.',
    };
  }
  if (figures.missed > 0) {
    return { level: 'careful', limit: 'none', words: `Keeping up, but ${Math.round(100 * figures.missed)} % of the flushes were late.` };
  }
  if (lateNs(figures) > LATE_NS) {
    return {
      level: 'careful',
      limit: 'none',
      words: 'Keeping up, but one message in a hundred is later than a frame of a 60 Hz display.',
    };
  }
  if (figures.failedPosts > 0) {
    return { level: 'careful', limit: 'none', words: `Keeping up, but ${many(figures.failedPosts)} acknowledgements did not reach the server and were sent again.` };
  }
  return {
    level: 'good',
    limit: 'none',
    words: `Keeping up: no limit met${figures.isFew ? ', by too few messages to tell how late one in a hundred is' : ''}.`,
  };
}
