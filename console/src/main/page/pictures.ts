/** A picture that is later than this is seen to be late. */
const SLOW_FRAME_MS = 34;
const DISPLAY_MS = 1000 / 60;

/** Pictures that were due, and those of them that did not come when they should; both since the page was opened. */
export interface Due {
  due: number;
  late: number;
}

/** How long after the last one a picture should come. */
export function wantedFrameMs(framesPerSecond: number): number {
  return framesPerSecond > 0 ? 1000 / framesPerSecond : DISPLAY_MS;
}

/** After so long a picture is late. */
export function lateFromMs(wantedMs: number): number {
  return Math.max(2 * wantedMs, SLOW_FRAME_MS);
}

/** Time between the pictures that are drawn. */
export class Pictures {
  private lastMs = 0;
  private longestMs = 0;
  private reportedMs = 0;
  private wantedMs = DISPLAY_MS;
  private due = 0;
  private late = 0;

  drawn(nowMs: number): void {
    if (this.lastMs > 0) {
      const ms = nowMs - this.lastMs;
      this.longestMs = Math.max(this.longestMs, ms);
      // a renderer that is stalled for a second has missed sixty pictures, not one
      const due = Math.max(1, Math.round(ms / this.wantedMs));
      this.due += due;
      this.late += ms > lateFromMs(this.wantedMs) ? due - 1 : 0;
    }
    this.lastMs = nowMs;
  }

  /** The page is hidden, or pictures come from elsewhere: the time until the next one is none between pictures. */
  pause(framesPerSecond = 0): void {
    this.lastMs = 0;
    this.longestMs = 0;
    this.reportedMs = 0;
    this.wantedMs = wantedFrameMs(framesPerSecond);
  }

  /** The longest since this was last asked; where none was drawn, as before, or for how long there was none. */
  take(nowMs: number): number {
    if (this.longestMs > 0) {
      this.reportedMs = this.longestMs;
    } else if (this.lastMs > 0) {
      this.reportedMs = Math.max(this.reportedMs, nowMs - this.lastMs);
    }
    this.longestMs = 0;
    return this.reportedMs;
  }

  counts(): Due {
    return { due: this.due, late: this.late };
  }
}

/** So many looks of a quarter of a second are ten seconds. */
const LOOKS = 40;

/** Which part of the pictures that were due was late, 0 to 1; undefined where none was due. */
export class LateFrames {
  private looks: Due[] = [];
  private from: Due | undefined;
  private isBeginning = false;

  /** What has been counted by now; the counts of another renderer start from 0. */
  take(counts: Due): void {
    if (counts.due < (this.looks.at(-1)?.due ?? 0)) {
      this.clear();
    }
    this.looks.push(counts);
    if (this.isBeginning) {
      this.from = counts;
      this.isBeginning = false;
    }
    if (this.looks.length > LOOKS + 1) {
      this.looks.shift();
    }
  }

  /** Of the last ten seconds. */
  recent(): number | undefined {
    return this.since(this.looks[0]);
  }

  begin(): void {
    this.from = this.looks.at(-1);
    this.isBeginning = this.from === undefined;
  }

  /** Since the run began. */
  run(): number | undefined {
    return this.since(this.from);
  }

  clear(): void {
    this.looks = [];
    this.from = undefined;
  }

  private since(from: Due | undefined): number | undefined {
    const now = this.looks.at(-1);
    return from && now && now.due > from.due ? (now.late - from.late) / (now.due - from.due) : undefined;
  }
}
