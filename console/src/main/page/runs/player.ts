// Where in a run we look: at its end while it goes on, or anywhere in it, at any speed.

export class Player {
  position = 0;
  speed = 1;
  isPlaying = false;
  private lastMs: number | undefined;

  constructor(private readonly length: () => number, private readonly isRunning: () => boolean) {}

  play(): void {
    if (!this.isRunning() && this.position >= this.length()) {
      this.position = 0;
    }
    this.isPlaying = true;
    this.lastMs = undefined;
  }

  pause(): void {
    this.isPlaying = false;
  }

  seek(seconds: number): void {
    this.position = Math.min(Math.max(0, seconds), this.length());
    this.lastMs = undefined;
    if (this.isRunning()) {
      this.isPlaying = this.position >= this.length();
    }
  }

  /** Moves on to that moment; whether something else is to be shown. */
  advance(nowMs: number): boolean {
    const before = this.position;
    const passed = this.lastMs === undefined ? 0 : (nowMs - this.lastMs) / 1000;
    this.lastMs = nowMs;
    if (!this.isPlaying) {
      return false;
    }
    this.position = this.isRunning() ? this.length() : Math.min(this.length(), this.position + passed * this.speed);
    if (!this.isRunning() && this.position >= this.length()) {
      this.isPlaying = false;
    }
    return this.position !== before || !this.isPlaying;
  }
}
