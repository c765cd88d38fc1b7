/** Time between the pictures that are drawn. */
export class Pictures {
  private lastMs = 0;
  private longestMs = 0;
  private toldMs = 0;

  drawn(nowMs: number): void {
    if (this.lastMs > 0) {
      this.longestMs = Math.max(this.longestMs, nowMs - this.lastMs);
    }
    this.lastMs = nowMs;
  }

  /** Nobody looks, or they come from elsewhere: the time until the next one is none between pictures. */
  pause(): void {
    this.lastMs = 0;
    this.longestMs = 0;
    this.toldMs = 0;
  }

  /** The longest since this was last asked; where none was drawn, as before, or for how long there was none. */
  take(nowMs: number): number {
    if (this.longestMs > 0) {
      this.toldMs = this.longestMs;
    } else if (this.lastMs > 0) {
      this.toldMs = Math.max(this.toldMs, nowMs - this.lastMs);
    }
    this.longestMs = 0;
    return this.toldMs;
  }
}
