import { ASK, BID, COLUMNS, LAST, MOVE, OPEN, SEQUENCE, SIZE, VOLUME, WANTED } from '../wire/tick';

/** The last value of each symbol; in shared memory where the page is isolated, so that it need not be copied. */
export class Table {
  readonly ints: Int32Array;
  readonly shared: SharedArrayBuffer | undefined;
  private readonly isDirty: Uint8Array;
  private readonly dirty: Int32Array;
  private dirtyCount = 0;

  constructor(readonly symbols: number, canShare: boolean) {
    const bytes = symbols * COLUMNS * 4;
    this.shared = canShare ? new SharedArrayBuffer(bytes) : undefined;
    this.ints = new Int32Array(this.shared ?? new ArrayBuffer(bytes));
    this.isDirty = new Uint8Array(symbols);
    this.dirty = new Int32Array(symbols);
  }

  put(
    symbol: number, sequence: number, bid: number, ask: number,
    last: number, size: number, volume: number, wantedUs: number,
  ): void {
    const { ints } = this;
    const at = symbol * COLUMNS;
    const before = ints[at + LAST]!;
    if (before === 0) {
      ints[at + OPEN] = last;
    } else if (last !== before) {
      ints[at + MOVE] = last > before ? 1 : -1;
    }
    ints[at + BID] = bid;
    ints[at + ASK] = ask;
    ints[at + LAST] = last;
    ints[at + SIZE] = size;
    ints[at + VOLUME] = volume;
    ints[at + WANTED] = wantedUs;
    ints[at + SEQUENCE] = sequence;
    if (this.isDirty[symbol] === 0) {
      this.isDirty[symbol] = 1;
      this.dirty[this.dirtyCount++] = symbol;
    }
  }

  /** Those that changed since they were last asked for. */
  takeDirty(each: (symbol: number) => void): void {
    const count = this.dirtyCount;
    this.dirtyCount = 0;
    for (let i = 0; i < count; i++) {
      const symbol = this.dirty[i]!;
      this.isDirty[symbol] = 0;
      each(symbol);
    }
  }
}
