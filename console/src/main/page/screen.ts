import { Spans } from './spans';

const US = 1000;

/** The server's µs, kept in 32 bits: differences are right up to half an hour. */
export function wrappedUs(ns: number): number {
  return (ns / US) | 0;
}

/**
 * Tick to screen: from the due time of a message to the picture that follows the one in which its price was drawn. A page is not notified when a picture is displayed. When the browser asks for the next one, it has taken over the last.
 */
export class Screen {
  readonly spans = new Spans();
  private drawnUs = new Int32Array(64);
  private count = 0;
  private isPaused = true;

  /** A price whose message was due then (wrappedUs) is in the picture that is being drawn. */
  shows(wantedUs: number): void {
    if (this.isPaused) {
      return;
    }
    if (this.count === this.drawnUs.length) {
      const larger = new Int32Array(2 * this.count);
      larger.set(this.drawnUs);
      this.drawnUs = larger;
    }
    this.drawnUs[this.count++] = wantedUs;
  }

  /** The picture is drawn. */
  drawn(): void {
    this.isPaused = false;
  }

  /** The browser asks for the next picture. Without a time nothing can be said of the last one. */
  next(serverNs: number | undefined): void {
    if (serverNs !== undefined) {
      const nowUs = wrappedUs(serverNs);
      for (let i = 0; i < this.count; i++) {
        this.spans.interval.record(((nowUs - this.drawnUs[i]!) | 0) * US);
      }
    }
    this.count = 0;
  }

  /** The page was hidden, or another session begins: the next picture shows outdated prices, and is skipped. */
  pause(): void {
    this.count = 0;
    this.isPaused = true;
  }
}
