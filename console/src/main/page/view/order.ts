import { ASK, BID, COLUMNS, LAST, OPEN, SIZE, VOLUME } from '../wire/tick';

export type SortBy = 'symbol' | 'bid' | 'ask' | 'last' | 'change' | 'size' | 'volume';

export interface Sort {
  by: SortBy;
  isDown: boolean;
}

const COLUMN: Partial<Record<SortBy, number>> = { bid: BID, ask: ASK, last: LAST, size: SIZE, volume: VOLUME };

/** Part by which a symbol moved since its first price. */
export function change(table: Int32Array, symbol: number): number {
  const open = table[symbol * COLUMNS + OPEN]!;
  return open === 0 ? 0 : (table[symbol * COLUMNS + LAST]! - open) / open;
}

/** The symbols to show, in order; equal ones as they were. */
export function order(
  symbols: number[], names: string[], table: Int32Array, filter: string, sort: Sort,
): Int32Array {
  const wanted = filter.trim().toUpperCase();
  const shown = wanted === '' ? [...symbols] : symbols.filter((each) => names[each]!.includes(wanted));
  if (sort.by === 'symbol') {
    shown.sort((a, b) => (names[a]! < names[b]! ? -1 : names[a]! > names[b]! ? 1 : 0));
  } else {
    const column = COLUMN[sort.by];
    const value = (symbol: number): number =>
      column === undefined ? change(table, symbol)
        : column === VOLUME ? table[symbol * COLUMNS + column]! >>> 0
          : table[symbol * COLUMNS + column]!;
    const values = new Map(shown.map((each) => [each, value(each)]));
    shown.sort((a, b) => values.get(a)! - values.get(b)!);
  }
  if (sort.isDown) {
    shown.reverse();
  }
  return Int32Array.from(shown);
}
