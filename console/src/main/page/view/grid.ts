// The price grid as rows of the document: only those in view exist, and only cells that changed are written.

import { ASK, BID, COLUMNS, LAST, MOVE, SIZE, VOLUME } from '../wire/tick';
import { h, text } from './dom';
import { count, percent, price } from './format';
import { change, type Sort, type SortBy } from './order';

const ROW_HEIGHT = 28;
const SPARE = 4;
const HEADS: [SortBy, string][] = [
  ['symbol', 'Symbol'], ['bid', 'Bid'], ['ask', 'Ask'], ['last', 'Last'],
  ['change', 'Change'], ['size', 'Size'], ['volume', 'Volume'],
];

interface Row {
  element: HTMLElement;
  cells: HTMLElement[];
  place: number;
  sequence: number;
}

export interface Grid {
  element: HTMLElement;
  setOrder(order: Int32Array, names: string[]): void;
  /** Writes what changed. */
  draw(table: Int32Array): void;
  setSort(sort: Sort): void;
}

export function grid(sorted: (by: SortBy) => void): Grid {
  let order: Int32Array = new Int32Array(0);
  let names: string[] = [];
  let rows: Row[] = [];
  let active = 0;
  let table: Int32Array = new Int32Array(0);

  const heads = HEADS.map(([by, title], column) =>
    h('div', { role: 'columnheader', 'aria-colindex': column + 1, 'aria-sort': 'none', class: `col-${by}` },
      h('button', { type: 'button', click: () => sorted(by) }, title)));
  const body = h('div', { class: 'grid-body', role: 'rowgroup' });
  const scroller = h('div', { class: 'grid-scroll', scroll: () => bind() },
    h('div', { role: 'rowgroup', class: 'grid-head' }, h('div', { role: 'row', 'aria-rowindex': 1, class: 'grid-row' }, heads)),
    body);
  const element = h('div', {
    role: 'grid', 'aria-label': 'Prices', class: 'grid', id: 'grid', 'aria-colcount': HEADS.length,
  }, scroller);
  element.addEventListener('keydown', onKey);
  new ResizeObserver(() => bind()).observe(scroller);

  function makeRow(): Row {
    const cells = HEADS.map(([by], column) =>
      h('div', { role: column === 0 ? 'rowheader' : 'gridcell', 'aria-colindex': column + 1, class: `col-${by}` }));
    return { element: h('div', { role: 'row', class: 'grid-row', tabindex: -1 }, cells), cells, place: -1, sequence: -1 };
  }

  /** Gives the rows that exist to the places in view. */
  function bind(): void {
    const inView = Math.ceil(scroller.clientHeight / ROW_HEIGHT) + SPARE;
    const wanted = Math.min(order.length, inView);
    while (rows.length < wanted) {
      const row = makeRow();
      rows.push(row);
      body.append(row.element);
    }
    while (rows.length > wanted) {
      rows.pop()!.element.remove();
    }
    const first = Math.max(0, Math.min(order.length - wanted, Math.floor(scroller.scrollTop / ROW_HEIGHT)));
    for (let i = 0; i < wanted; i++) {
      const place = first + i;
      const row = rows[place % wanted]!;
      if (row.place !== place) {
        row.place = place;
        row.sequence = -1;
        row.element.style.transform = `translateY(${place * ROW_HEIGHT}px)`;
        row.element.setAttribute('aria-rowindex', String(place + 2));
        row.element.tabIndex = place === active ? 0 : -1;
        row.element.classList.toggle('odd', place % 2 === 1);
      }
    }
    drawRows(true);
  }

  function drawRows(isAll: boolean): void {
    for (const row of rows) {
      const symbol = order[row.place];
      if (symbol === undefined) {
        continue;
      }
      const at = symbol * COLUMNS;
      const sequence = table[at] ?? 0;
      if (isAll || sequence !== row.sequence) {
        row.sequence = sequence;
        write(row, symbol, at);
      }
    }
  }

  function write(row: Row, symbol: number, at: number): void {
    const { cells } = row;
    text(cells[0]!, names[symbol] ?? '');
    const isKnown = (table[at + LAST] ?? 0) !== 0;
    const part = isKnown ? change(table, symbol) : 0;
    text(cells[1]!, isKnown ? price(table[at + BID]!) : '–');
    text(cells[2]!, isKnown ? price(table[at + ASK]!) : '–');
    text(cells[3]!, isKnown ? price(table[at + LAST]!) : '–');
    text(cells[4]!, isKnown ? `${percent(part)} %` : '–');
    text(cells[5]!, isKnown ? count(table[at + SIZE]!) : '–');
    text(cells[6]!, isKnown ? count(table[at + VOLUME]! >>> 0) : '–');
    const move = table[at + MOVE] ?? 0;
    const direction = move > 0 ? 'up' : move < 0 ? 'down' : '';
    if (row.element.dataset['move'] !== direction) {
      row.element.dataset['move'] = direction;
    }
    const trend = part > 0 ? 'up' : part < 0 ? 'down' : '';
    if (cells[4]!.dataset['trend'] !== trend) {
      cells[4]!.dataset['trend'] = trend;
    }
  }

  function onKey(event: KeyboardEvent): void {
    const page = Math.max(1, Math.floor(scroller.clientHeight / ROW_HEIGHT) - 1);
    const steps: Record<string, number> = {
      ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -order.length, End: order.length,
    };
    const step = steps[event.key];
    if (step === undefined || (event.target as HTMLElement).tagName === 'BUTTON' || order.length === 0) {
      return;
    }
    event.preventDefault();
    active = Math.max(0, Math.min(order.length - 1, active + step));
    const top = active * ROW_HEIGHT;
    const height = scroller.clientHeight - 2 * ROW_HEIGHT;
    if (top < scroller.scrollTop) {
      scroller.scrollTop = top;
    } else if (top > scroller.scrollTop + height) {
      scroller.scrollTop = top - height;
    }
    bind();
    for (const row of rows) {
      row.element.tabIndex = row.place === active ? 0 : -1;
      if (row.place === active) {
        row.element.focus({ preventScroll: true });
      }
    }
  }

  return {
    element,
    setOrder: (next, symbolNames) => {
      order = next;
      names = symbolNames;
      active = Math.min(active, Math.max(0, order.length - 1));
      body.style.height = `${order.length * ROW_HEIGHT}px`;
      element.setAttribute('aria-rowcount', String(order.length + 1));
      rows.forEach((row) => (row.place = -1));
      bind();
    },
    draw: (next) => {
      const isOther = next !== table;
      table = next;
      drawRows(isOther);
    },
    setSort: (sort) => {
      heads.forEach((head, i) =>
        head.setAttribute('aria-sort', HEADS[i]![0] === sort.by ? (sort.isDown ? 'descending' : 'ascending') : 'none'));
    },
  };
}
