import type { FeedState } from './api';
import { between } from './feed-rate';
import { unsettled, type Mark, type Verdict } from './verdict';

/** What the page sees of a running benchmark; its worker counts the messages. */
export class Benchmark {
  private readonly limits = new Map<Verdict['limit'], number>();
  private readonly endsMs: number;
  private looks = 0;
  private hiddenLooks = 0;
  private behindLooks = 0;
  private first: { mark: Mark; atMs: number } | undefined;
  private latest: { mark: Mark; atMs: number } | undefined;
  worstFrameMs = 0;

  /** Feed: how it stood when this began. */
  constructor(readonly seconds: number, nowMs: number, private readonly feed: FeedState | undefined) {
    this.endsMs = nowMs + seconds * 1000;
  }

  secondsLeft(nowMs: number): number {
    return Math.max(0.1, (this.endsMs - nowMs) / 1000);
  }

  saw({ level, limit }: Pick<Verdict, 'level' | 'limit'>, frameMs: number, isHidden: boolean): void {
    this.looks++;
    this.behindLooks += level === 'bad' ? 1 : 0;
    this.hiddenLooks += isHidden ? 1 : 0;
    this.limits.set(limit, (this.limits.get(limit) ?? 0) + 1);
    this.worstFrameMs = Math.max(this.worstFrameMs, frameMs);
  }

  /** What the server and the page count now. */
  counted(mark: Mark, nowMs: number): void {
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

  /** Part of the time for which the page was hidden, and nothing was drawn, 0 to 1. */
  hiddenPart(): number {
    return this.looks === 0 ? 0 : this.hiddenLooks / this.looks;
  }

  /** Part of the time for which the page, or the feed, did not keep up, 0 to 1. */
  behindPart(): number {
    return this.looks === 0 ? 0 : this.behindLooks / this.looks;
  }

  /** The limit that was met for a tenth of the time or more; the most frequent of them. */
  limit(): string {
    const all = [...this.limits.values()].reduce((sum, each) => sum + each, 0);
    const met = [...this.limits].filter(([limit, times]) => limit !== 'none' && times >= all / 10);
    return met.sort((a, b) => b[1] - a[1])[0]?.[0] ?? 'none';
  }

  /** What the feed made over its time; of a shorter one, as it was lately. */
  feedPerSecond(now: FeedState | undefined, lately: number): number {
    return this.feed && now && now.atNs > this.feed.atNs && now.sent >= this.feed.sent ? between(this.feed, now) : lately;
  }
}
