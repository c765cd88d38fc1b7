import type { FeedState } from './api';
import { between } from './feed-rate';
import { flushedSince, unsettled, type Flushes, type Mark, type Verdict } from './verdict';

/** A worker that was stalled may be so late; one that is later reports no row any more. */
const OVERDUE_MS = 30_000;

/** What the page sees of a running benchmark; its worker counts the messages. */
export class Benchmark {
  private readonly limits = new Map<Verdict['limit'], number>();
  private readonly endsMs: number;
  private isBegun = false;
  private lookedS = 0;
  private hiddenS = 0;
  private behindS = 0;
  private first: { mark: Mark & Flushes; atMs: number } | undefined;
  private latest: { mark: Mark & Flushes; atMs: number } | undefined;
  worstFrameMs = 0;

  /** Feed: how it stood when this began. */
  constructor(readonly seconds: number, nowMs: number, private readonly feed: FeedState | undefined) {
    this.endsMs = nowMs + seconds * 1000;
  }

  secondsLeft(nowMs: number): number {
    return Math.max(0.1, (this.endsMs - nowMs) / 1000);
  }

  /** True once: at the first look of its run, which begins with the session of the page. */
  begins(): boolean {
    const is = !this.isBegun;
    this.isBegun = true;
    return is;
  }

  isOverdue(nowMs: number): boolean {
    return nowMs - this.endsMs > OVERDUE_MS;
  }

  /** A look counts by the time that it covers: a worker that was stalled looks once in all of it. */
  saw({ level, limit }: Pick<Verdict, 'level' | 'limit'>, seconds: number, frameMs: number, isHidden: boolean): void {
    this.lookedS += seconds;
    this.behindS += level === 'bad' ? seconds : 0;
    this.hiddenS += isHidden ? seconds : 0;
    this.limits.set(limit, (this.limits.get(limit) ?? 0) + seconds);
    this.worstFrameMs = Math.max(this.worstFrameMs, frameMs);
  }

  /** What the server and the page count now. */
  counted(mark: Mark & Flushes, nowMs: number): void {
    if (mark.statuses !== (this.latest ?? this.first)?.mark.statuses) {
      this.latest = { mark, atMs: nowMs };
      this.first ??= this.latest;
    }
  }

  /** By how many more messages wait each second: the slope of the queue over the whole time; null where it is too short to tell. */
  queuePerSecond(): number | null {
    const { first, latest } = this;
    return first && latest && latest.atMs > first.atMs
      ? (unsettled(latest.mark) - unsettled(first.mark)) / ((latest.atMs - first.atMs) / 1000)
      : null;
  }

  /** The flushes of its time; none where it is too short to tell. */
  flushed(): Flushes | undefined {
    return this.first && this.latest && flushedSince(this.first.mark, this.latest.mark);
  }

  /** Part of the time for which the page was hidden, and nothing was drawn, 0 to 1. */
  hiddenPart(): number {
    return this.lookedS === 0 ? 0 : this.hiddenS / this.lookedS;
  }

  /** Part of the time for which the page, or the feed, did not keep up, or it is not known, 0 to 1. */
  behindPart(): number {
    return this.lookedS === 0 ? 1 : this.behindS / this.lookedS;
  }

  /** The limit that was met for a tenth of the time or more; the most frequent of them. */
  limit(): string {
    const met = [...this.limits].filter(([limit, seconds]) => limit !== 'none' && seconds >= this.lookedS / 10);
    return met.sort((a, b) => b[1] - a[1])[0]?.[0] ?? (this.lookedS === 0 ? 'unknown' : 'none');
  }

  /** What the feed made over its time; of a shorter one, as it was lately, which is undefined where that is too long ago; null where neither is known. */
  feedPerSecond(now: FeedState | undefined, lately: number | undefined): number | null {
    return this.feed && now && now.atNs > this.feed.atNs && now.sent >= this.feed.sent ? between(this.feed, now) : lately ?? null;
  }
}
