// The price grid as rows of the document: only those in view exist, and only cells that changed are written.

import { unformulated } from '../rows';
import { FLASH_MS } from '../settings';
import { COLUMNS, LAST, MOVE, WANTED } from '../wire/tick';
import { apply, columnsMenu, inOrder, NARROWEST, pin, pinnedOf, WIDEST, type Column } from './columns';
import { h, text } from './dom';
import { change, type Sort, type SortBy } from './order';
import { Selection, toTsv } from './selection';

const ROW_HEIGHT = 28;
const SPARE = 4;
/** So much a key makes a column wider. */
const STEP_PX = 12;
/** The arrow of a sorted column, or of a price that moved, which are not part of the text. */
const MARK_PX = 14;

interface Row {
  element: HTMLElement;
  cells: HTMLElement[];
  place: number;
  sequence: number;
  /** The last price that was shown, and how long it is lit. */
  price: number;
  litUntilMs: number;
}

export interface Grid {
  element: HTMLElement;
  /** What pins columns, and copies. */
  tools: HTMLElement;
  setOrder(order: Int32Array, names: string[]): void;
  /** Writes what changed. */
  draw(table: Int32Array, nowMs: number): void;
  setSort(sort: Sort): void;
  flash(isOn: boolean): void;
}

export interface GridWishes {
  sorted(by: SortBy): void;
  /** A price is drawn because of a message that was due then (wrappedUs). */
  shown(wantedUs: number): void;
  say(words: string): void;
}

export function grid(storage: Pick<Storage, 'getItem' | 'setItem'>, wishes: GridWishes): Grid {
  let order: Int32Array = new Int32Array(0);
  let names: string[] = [];
  let rows: Row[] = [];
  let table: Int32Array = new Int32Array(0);
  let sort: Sort = { by: 'symbol', isDown: false };
  let isFlashing = false;
  let columns: Column[] = [];
  let heads: HTMLElement[] = [];
  const selection = new Selection();

  const menu = columnsMenu(storage, (isOrder) => (isOrder ? build() : layOut()));
  const headRow = h('div', { role: 'row', 'aria-rowindex': 1, class: 'grid-row' });
  const body = h('div', { class: 'grid-body', role: 'rowgroup' });
  const scroller = h('div', { class: 'grid-scroll', scroll: () => bind() },
    h('div', { role: 'rowgroup', class: 'grid-head' }, headRow), body);
  const element = h('div', { role: 'grid', 'aria-label': 'Prices', class: 'grid', id: 'grid', 'aria-multiselectable': 'true' }, scroller);
  const tools = h('div', { class: 'tools' }, menu.element,
    h('button', { type: 'button', class: 'plain', title: 'Copies what is selected for a spreadsheet', click: () => void copy() }, 'Copy'));
  element.addEventListener('keydown', onKey);
  element.addEventListener('copy', (event) => {
    event.preventDefault();
    event.clipboardData?.setData('text/plain', selected());
    wishes.say(copied());
  });
  body.addEventListener('pointerdown', onPointer);
  new ResizeObserver(() => {
    pin(menu.layout(), element, heads);
    bind();
  }).observe(scroller);
  build();

  /** The columns have another order: what stands in them is made anew. */
  function build(): void {
    columns = inOrder(menu.layout());
    selection.keepWithin(order.length, columns.length);
    const pinned = pinnedOf(menu.layout());
    element.setAttribute('aria-colcount', String(columns.length));
    heads = columns.map((column, i) => placed(h('div', { role: 'columnheader', 'aria-colindex': i + 1, class: `col-${column.by}` },
      h('button', { type: 'button', click: () => wishes.sorted(column.by) }, column.title), handle(column)), i, pinned));
    headRow.replaceChildren(...heads);
    body.replaceChildren();
    rows = [];
    showSort();
    layOut();
  }

  function layOut(): void {
    apply(menu.layout(), element);
    heads.forEach((head, i) => head.querySelector('[role=separator]')!.setAttribute('aria-valuenow', String(Math.round(menu.layout().widths[columns[i]!.by] ?? head.offsetWidth))));
    pin(menu.layout(), element, heads);
    bind();
  }

  function placed(cell: HTMLElement, column: number, pinned: number): HTMLElement {
    if (column < pinned) {
      cell.classList.add('pinned');
      cell.style.left = `var(--left-${column})`;
    }
    return cell;
  }

  /** So wide that its title and what is in view of it are seen whole. */
  function fitting(head: HTMLElement): number {
    const at = heads.indexOf(head);
    const cells = [head.querySelector<HTMLElement>('button')!, ...rows.map((row) => row.cells[at]!)];
    const needed = Math.max(...cells.map((cell) => {
      const content = document.createRange();
      content.selectNodeContents(cell);
      return content.getBoundingClientRect().width;
    }));
    const { paddingLeft, paddingRight } = getComputedStyle(rows[0]?.cells[at] ?? head);
    return Math.ceil(needed + Number.parseFloat(paddingLeft) + Number.parseFloat(paddingRight)) + MARK_PX;
  }

  /** Moved by a pointer and by the arrow keys; a double click or Enter makes the column fit what is in it. */
  function handle({ by, title }: Column): HTMLElement {
    const separator = h('div', {
      role: 'separator', tabindex: 0, class: 'handle', 'aria-orientation': 'vertical', 'aria-label': `Width of ${title}`,
      'aria-valuemin': NARROWEST, 'aria-valuemax': WIDEST, 'aria-valuenow': 0,
    });
    const width = (): number => separator.parentElement!.offsetWidth;
    separator.addEventListener('pointerdown', (down) => {
      const from = width() - down.clientX;
      separator.setPointerCapture(down.pointerId);
      // where it is let go counts even if a busy page was not told of the way there
      separator.onpointermove = separator.onpointerup = (move) => menu.setWidth(by, from + move.clientX);
    });
    separator.addEventListener('lostpointercapture', () => (separator.onpointermove = separator.onpointerup = null));
    separator.addEventListener('dblclick', () => menu.setWidth(by, fitting(separator.parentElement!)));
    separator.addEventListener('keydown', (event) => {
      const step = { ArrowLeft: -STEP_PX, ArrowRight: STEP_PX }[event.key];
      if (step !== undefined || event.key === 'Enter') {
        event.preventDefault();
        event.stopPropagation();
        menu.setWidth(by, step === undefined ? fitting(separator.parentElement!) : width() + step);
      }
    });
    return separator;
  }

  function makeRow(): Row {
    const pinned = pinnedOf(menu.layout());
    const cells = columns.map(({ by }, i) =>
      placed(h('div', { role: by === 'symbol' ? 'rowheader' : 'gridcell', 'aria-colindex': i + 1, class: `col-${by}` }), i, pinned));
    return { element: h('div', { role: 'row', class: 'grid-row', tabindex: -1 }, cells), cells, place: -1, sequence: -1, price: 0, litUntilMs: 0 };
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
        row.price = 0;
        row.litUntilMs = Math.min(row.litUntilMs, 1); // is sent with the next picture
        row.element.style.transform = `translateY(${place * ROW_HEIGHT}px)`;
        row.element.setAttribute('aria-rowindex', String(place + 2));
        row.element.classList.toggle('odd', place % 2 === 1);
      }
    }
    showSelection();
    drawRows(true, 0);
  }

  function drawRows(isAll: boolean, nowMs: number): void {
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
        if (!isAll) {
          wishes.shown(table[at + WANTED]!);
        }
        if (isFlashing) {
          light(row, table[at + LAST] ?? 0, nowMs);
        }
      }
      if (row.litUntilMs > 0 && nowMs >= row.litUntilMs) {
        row.litUntilMs = 0;
        delete row.element.dataset['flash'];
      }
    }
  }

  /** Against the price that was shown before, not the one before it in the feed. */
  function light(row: Row, price: number, nowMs: number): void {
    const before = row.price;
    row.price = price;
    if (before !== 0 && price !== before && nowMs > 0) {
      row.litUntilMs = nowMs + FLASH_MS;
      const direction = price > before ? 'up' : 'down';
      if (row.element.dataset['flash'] !== direction) {
        row.element.dataset['flash'] = direction;
      }
    }
  }

  function write(row: Row, symbol: number, at: number): void {
    const { cells } = row;
    const isKnown = (table[at + LAST] ?? 0) !== 0;
    for (let i = 0; i < cells.length; i++) {
      const { by, shown } = columns[i]!;
      text(cells[i]!, by === 'symbol' ? names[symbol] ?? '' : isKnown ? shown(table, symbol) : '–');
      if (by === 'change') {
        const part = isKnown ? change(table, symbol) : 0;
        const trend = part > 0 ? 'up' : part < 0 ? 'down' : '';
        if (cells[i]!.dataset['trend'] !== trend) {
          cells[i]!.dataset['trend'] = trend;
        }
      }
    }
    const move = table[at + MOVE] ?? 0;
    const direction = move > 0 ? 'up' : move < 0 ? 'down' : '';
    if (row.element.dataset['move'] !== direction) {
      row.element.dataset['move'] = direction;
    }
  }

  /** One row takes the focus; a single row without a chosen part is not marked. */
  function showSelection(): void {
    const range = selection.range(columns.length);
    const { at } = selection;
    const isMarked = range.top !== range.bottom || at.column >= 0;
    for (const row of rows) {
      row.element.tabIndex = row.place === at.place ? 0 : -1;
      const isIn = isMarked && row.place >= range.top && row.place <= range.bottom;
      mark(row.element, isIn && range.left === 0 && range.right === columns.length - 1);
      row.cells.forEach((cell, i) => mark(cell, isIn && i >= range.left && i <= range.right));
    }
  }

  function onKey(event: KeyboardEvent): void {
    if ((event.target as HTMLElement).closest('button, [role=separator]') || order.length === 0) {
      return;
    }
    const { at } = selection;
    const page = Math.max(1, Math.floor(scroller.clientHeight / ROW_HEIGHT) - 1);
    const steps: Record<string, [rows: number, columns: number]> = {
      ArrowDown: [1, 0], ArrowUp: [-1, 0], PageDown: [page, 0], PageUp: [-page, 0], Home: [-order.length, 0], End: [order.length, 0],
      ArrowLeft: [0, -1], ArrowRight: [0, 1], Escape: [0, -columns.length],
    };
    if ((event.ctrlKey || event.metaKey) && event.key === 'a') {
      event.preventDefault();
      selection.all(order.length);
      showSelection();
      return;
    }
    const step = steps[event.key];
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    event.preventDefault();
    const least = event.key === 'Escape' || at.column < 0 ? -1 : 0;
    selection.go({
      place: Math.max(0, Math.min(order.length - 1, at.place + step[0])),
      column: Math.max(least, Math.min(columns.length - 1, at.column + step[1])),
    }, event.shiftKey && event.key !== 'Escape');
    scrollTo(selection.at.place);
    bind();
    focus();
  }

  function scrollTo(place: number): void {
    const top = place * ROW_HEIGHT;
    const height = scroller.clientHeight - 2 * ROW_HEIGHT;
    if (top < scroller.scrollTop) {
      scroller.scrollTop = top;
    } else if (top > scroller.scrollTop + height) {
      scroller.scrollTop = top - height;
    }
    const cell = rows[0]?.cells[selection.at.column];
    if (cell && !cell.classList.contains('pinned')) {
      const pinned = heads.slice(0, pinnedOf(menu.layout())).reduce((sum, head) => sum + head.offsetWidth, 0);
      scroller.scrollLeft = Math.min(cell.offsetLeft - pinned, Math.max(scroller.scrollLeft, cell.offsetLeft + cell.offsetWidth - scroller.clientWidth));
    }
  }

  function focus(): void {
    rows.find((row) => row.place === selection.at.place)?.element.focus({ preventScroll: true });
  }

  /** The cell under the pointer; of a symbol, its whole row. */
  function cellAt(target: EventTarget | null): { place: number; column: number } | undefined {
    const cell = target instanceof Element ? target.closest('.grid-body .grid-row > div') : null;
    const row = rows.find((each) => each.element === cell?.parentElement);
    const column = row ? row.cells.indexOf(cell as HTMLElement) : -1;
    return row && { place: row.place, column: columns[column]?.by === 'symbol' ? -1 : column };
  }

  /** A touch scrolls, and selects where it does not: only a mouse or a pen draws a rectangle. */
  function onPointer(event: PointerEvent): void {
    const cell = cellAt(event.target);
    if (!cell || event.button !== 0) {
      return;
    }
    selection.go(cell, event.shiftKey);
    showSelection();
    if (event.pointerType !== 'touch') {
      event.preventDefault();
      focus();
      const move = (to: PointerEvent): void => {
        const over = cellAt(document.elementFromPoint(to.clientX, to.clientY));
        if (over) {
          selection.go(over, true);
          showSelection();
        }
      };
      const end = (): void => removeEventListener('pointermove', move);
      addEventListener('pointermove', move);
      addEventListener('pointerup', end, { once: true });
    }
  }

  function selected(): string {
    return toTsv(selection.range(columns.length), columns.map((each) => each.title), (place, column) => {
      const symbol = order[place]!;
      const { by, plain } = columns[column]!;
      return by === 'symbol' ? unformulated(names[symbol] ?? '') : (table[symbol * COLUMNS + LAST] ?? 0) === 0 ? '' : plain(table, symbol);
    });
  }

  function copied(): string {
    const { top, bottom, left, right } = selection.range(columns.length);
    return `Copied: ${bottom - top + 1} × ${right - left + 1} cells, separated by tabs.`;
  }

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(selected());
      wishes.say(copied());
    } catch {
      focus();
      if (!document.execCommand('copy')) {
        wishes.say('This browser does not let the page copy. Select rows, and press Ctrl-C.');
      }
    }
  }

  function showSort(): void {
    heads.forEach((head, i) =>
      head.setAttribute('aria-sort', columns[i]!.by === sort.by ? (sort.isDown ? 'descending' : 'ascending') : 'none'));
  }

  return {
    element,
    tools,
    setOrder: (next, symbolNames) => {
      order = next;
      names = symbolNames;
      selection.keepWithin(order.length, columns.length);
      body.style.height = `${order.length * ROW_HEIGHT}px`;
      element.setAttribute('aria-rowcount', String(order.length + 1));
      rows.forEach((row) => (row.place = -1));
      bind();
    },
    draw: (next, nowMs) => {
      const isOther = next !== table;
      table = next;
      drawRows(isOther, nowMs);
    },
    setSort: (next) => {
      sort = next;
      showSort();
    },
    flash: (isOn) => {
      isFlashing = isOn;
      rows.forEach((row) => {
        row.price = 0;
        row.litUntilMs = 0;
        delete row.element.dataset['flash'];
      });
    },
  };
}

function mark(element: HTMLElement, isSelected: boolean): void {
  if (element.getAttribute('aria-selected') !== String(isSelected)) {
    element.setAttribute('aria-selected', String(isSelected));
  }
}
