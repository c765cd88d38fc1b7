// Which part of the time the charts show, and where their one cross-hair stands; both in ms of the samples.

export interface Span {
  fromMs: number;
  toMs: number;
}

const SHORTEST_MS = 2000;
const FACTOR = 2;

export class TimeWindow {
  /** Undefined: all of it, or the latest. */
  private zoomed: Span | undefined;
  /** Undefined: no cross-hair. */
  atMs: number | undefined;

  /** Usual: what is shown where nobody zoomed; kept: what there is. */
  constructor(private readonly usual: () => Span, private readonly kept: () => Span) {}

  get isZoomed(): boolean {
    return this.zoomed !== undefined;
  }

  span(): Span {
    return this.zoomed ?? this.usual();
  }

  to({ fromMs, toMs }: Span): void {
    const kept = this.kept();
    const length = Math.max(SHORTEST_MS, toMs - fromMs);
    const middle = (fromMs + toMs) / 2;
    const whole = { fromMs: Math.max(kept.fromMs, middle - length / 2), toMs: Math.min(kept.toMs, middle + length / 2) };
    const isAll = whole.fromMs <= kept.fromMs && whole.toMs >= kept.toMs;
    this.zoomed = isAll && this.usual().fromMs <= kept.fromMs ? undefined : whole;
  }

  /** Twice as near around the cross-hair, or around the middle; or twice as far. */
  zoom(isNearer: boolean): void {
    const { fromMs, toMs } = this.span();
    const length = (toMs - fromMs) * (isNearer ? 1 / FACTOR : FACTOR);
    const around = this.atMs !== undefined && this.atMs >= fromMs && this.atMs <= toMs ? this.atMs : (fromMs + toMs) / 2;
    const part = toMs > fromMs ? (around - fromMs) / (toMs - fromMs) : 0; // a single sample is no time
    this.to({ fromMs: around - part * length, toMs: around + (1 - part) * length });
  }

  reset(): void {
    this.zoomed = undefined;
  }

  /** Moves the cross-hair by so many samples; it begins at the last one that is shown. */
  step(timesMs: number[], by: number): void {
    const { fromMs, toMs } = this.span();
    const shown = timesMs.filter((each) => each >= fromMs && each <= toMs);
    if (shown.length === 0) {
      return;
    }
    const at = this.atMs === undefined ? shown.length : nearest(shown, this.atMs);
    this.atMs = shown[Math.max(0, Math.min(shown.length - 1, at + by))];
  }
}

/** Place of the time that is nearest, in an ascending list that is not empty. */
export function nearest(timesMs: number[], atMs: number): number {
  let [low, high] = [0, timesMs.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (timesMs[middle]! < atMs) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low > 0 && atMs - timesMs[low - 1]! <= timesMs[low]! - atMs ? low - 1 : low;
}
