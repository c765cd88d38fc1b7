// The columns of the price grid: which are shown, their order, which are pinned to the left, and how wide each is.

import { ASK, BID, COLUMNS, LAST, SIZE, VOLUME } from '../wire/tick';
import { h } from './dom';
import { count, percent, price } from './format';
import { change, type SortBy } from './order';

export interface Column {
  by: SortBy;
  title: string;
  /** Least px, and what of the rest it takes. */
  leastPx: number;
  part: number;
  /** As it is read; a symbol without a price yet has none. */
  shown: (table: Int32Array, symbol: number) => string;
  /** As a spreadsheet reads it. */
  plain: (table: Int32Array, symbol: number) => string;
}

const at = (column: number) => (table: Int32Array, symbol: number): number => table[symbol * COLUMNS + column]!;

function prices(by: SortBy, title: string, column: number, leastPx: number): Column {
  const shown = (table: Int32Array, symbol: number): string => price(at(column)(table, symbol));
  return { by, title, leastPx, part: 1, shown, plain: shown };
}

function counts(by: SortBy, title: string, column: number, leastPx: number, part: number): Column {
  const value = (table: Int32Array, symbol: number): number => at(column)(table, symbol) >>> 0;
  return {
    by, title, leastPx, part, shown: (table, symbol) => count(value(table, symbol)), plain: (table, symbol) => String(value(table, symbol)),
  };
}

const ALL: Column[] = [
  { by: 'symbol', title: 'Symbol', leastPx: 72, part: 1.1, shown: () => '', plain: () => '' },
  prices('bid', 'Bid', BID, 68),
  prices('ask', 'Ask', ASK, 68),
  prices('last', 'Last', LAST, 82),
  {
    by: 'change', title: 'Change', leastPx: 76, part: 1,
    shown: (table, symbol) => `${percent(change(table, symbol))} %`,
    plain: (table, symbol) => (100 * change(table, symbol)).toFixed(2),
  },
  counts('size', 'Size', SIZE, 62, 0.8),
  counts('volume', 'Volume', VOLUME, 92, 1.2),
];

/** How wide a column may be made, px. */
export const NARROWEST = 44;
export const WIDEST = 480;
const KEY = 'tickmark.columns';
const PADDING_PX = 7;

export interface Layout {
  /** Px of those that were made wider or narrower. */
  widths: Partial<Record<SortBy, number>>;
  pinned: SortBy[];
  hidden: SortBy[];
}

const AS_BUILT: Layout = { widths: {}, pinned: ['symbol'], hidden: [] };

/** Those that are shown: those that are pinned come first; else as they were. */
export function inOrder({ pinned, hidden }: Layout): Column[] {
  const shown = ALL.filter((each) => !hidden.includes(each.by));
  return [...shown.filter((each) => pinned.includes(each.by)), ...shown.filter((each) => !pinned.includes(each.by))];
}

/** How many of the first columns stay where they are when the others are scrolled. */
export function pinnedOf({ pinned, hidden }: Layout): number {
  return pinned.filter((by) => !hidden.includes(by)).length;
}

export function read(kept: string | null): Layout {
  try {
    const { widths, pinned, hidden = [] } = JSON.parse(kept ?? '') as Layout;
    const isKnown = (by: string): boolean => ALL.some((each) => each.by === by);
    return {
      widths: Object.fromEntries(Object.entries(widths).filter(([by, px]) => isKnown(by) && px >= NARROWEST && px <= WIDEST)),
      pinned: pinned.filter(isKnown),
      hidden: hidden.filter((by) => isKnown(by) && by !== 'symbol'),
    };
  } catch {
    return AS_BUILT;
  }
}

/** Sets how the rows of the grid are laid out, by properties that they inherit: no row is touched. */
export function apply(layout: Layout, grid: HTMLElement): void {
  const columns = inOrder(layout);
  const px = (column: Column): number => layout.widths[column.by] ?? column.leastPx;
  grid.style.setProperty('--columns', columns
    .map((each) => (each.by in layout.widths ? `${px(each)}px` : `minmax(${each.leastPx}px, ${each.part}fr)`)).join(' '));
  grid.style.setProperty('--least-width', `${columns.reduce((sum, each) => sum + px(each), 2 * PADDING_PX)}px`);
}

/** The position of each pinned column, by the widths that its head has on the screen. */
export function pin(layout: Layout, grid: HTMLElement, heads: HTMLElement[]): void {
  let left = 0;
  heads.slice(0, pinnedOf(layout)).forEach((head, i) => {
    grid.style.setProperty(`--left-${i}`, `${left}px`);
    left += head.offsetWidth;
  });
}

export interface ColumnsMenu {
  element: HTMLElement;
  layout(): Layout;
  setWidth(by: SortBy, px: number): void;
}

/** What shows, hides and pins columns and brings back how they were; it keeps them in this browser. */
export function columnsMenu(storage: Pick<Storage, 'getItem' | 'setItem'>, changed: (isOrder: boolean) => void): ColumnsMenu {
  let layout = read(storage.getItem(KEY));

  function change(next: Layout, isOrder: boolean): void {
    layout = next;
    try {
      storage.setItem(KEY, JSON.stringify(layout));
    } catch {
      // it holds for this visit
    }
    shown.forEach((box, by) => (box.checked = !layout.hidden.includes(by)));
    pinned.forEach((box, by) => (box.checked = layout.pinned.includes(by)));
    changed(isOrder);
  }

  /** A box for each column, of which those that `isIn` stand in `part` of the layout. */
  function boxes(part: 'pinned' | 'hidden', verb: string, isIn: (box: HTMLInputElement) => boolean): Map<SortBy, HTMLInputElement> {
    return new Map(ALL.map(({ by, title }) => {
      const box = h('input', { type: 'checkbox', 'aria-label': `${verb} ${title}` });
      box.checked = layout[part].includes(by);
      box.addEventListener('change', () =>
        change({ ...layout, [part]: ALL.map((each) => each.by).filter((each) => (each === by ? isIn(box) : layout[part].includes(each))) }, true));
      return [by, box];
    }));
  }

  const shown = boxes('hidden', 'Show', (box) => !box.checked);
  const pinned = boxes('pinned', 'Pin', (box) => box.checked);
  shown.forEach((box, by) => (box.checked = !layout.hidden.includes(by)));
  shown.get('symbol')!.disabled = true;
  const element = h('details', { class: 'menu' },
    h('summary', {}, 'Columns'),
    h('div', { class: 'menu-body' },
      h('table', {},
        h('thead', {}, h('tr', {}, ['Column', 'Shown', 'Pinned'].map((name) => h('th', { scope: 'col' }, name)))),
        h('tbody', {}, ALL.map(({ by, title }) =>
          h('tr', {}, h('th', { scope: 'row' }, title), h('td', {}, shown.get(by)!), h('td', {}, pinned.get(by)!))))),
      h('button', { type: 'button', class: 'plain', click: () => change(AS_BUILT, true) }, 'As they were')));
  element.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      element.open = false;
      element.querySelector('summary')!.focus();
    }
  });
  return {
    element,
    layout: () => layout,
    setWidth: (by, px) =>
      change({ ...layout, widths: { ...layout.widths, [by]: Math.round(Math.min(WIDEST, Math.max(NARROWEST, px))) } }, false),
  };
}
