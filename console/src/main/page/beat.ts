/** When to draw, at a rate that need not divide the display's: on average it holds, and what is late is not caught up. */
export class Beat {
  private nextMs = 0;
  private perSecond = 0;

  /** Pictures a second; 0: whenever the display shows one. */
  set rate(perSecond: number) {
    if (perSecond !== this.perSecond) {
      this.perSecond = perSecond;
      this.nextMs = 0;
    }
  }

  /** Asked at each picture of the display. */
  isDue(nowMs: number): boolean {
    if (this.perSecond <= 0) {
      return true;
    }
    // the display's own pictures come a little early or late
    if (nowMs < this.nextMs - 1) {
      return false;
    }
    const everyMs = 1000 / this.perSecond;
    this.nextMs = nowMs - this.nextMs > everyMs ? nowMs + everyMs : this.nextMs + everyMs;
    return true;
  }
}
