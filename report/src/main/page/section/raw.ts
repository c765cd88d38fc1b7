import type { Page, Table } from '../data';
import { h } from '../dom';
import { count } from '../format';
import { card } from './card';
import { scrolling } from './latency-table';

type Cell = string | number;
type Direction = 'ascending' | 'descending';

/** Every row of the run, sortable, and the same as CSV. */
export function raw(data: Page): HTMLDetailsElement | undefined {
  const table = data.raw;
  if (table.rows.length === 0) {
    return undefined;
  }
  const said = h('span', { role: 'status' });
  const button = h('button', { type: 'button' }, 'Copy as CSV');
  button.addEventListener('click', () => {
    void copy(csv(table)).then((done) => {
      said.textContent = done ? `${table.rows.length} rows copied.` : 'The browser did not allow it; take stats.csv.';
    });
  });
  return card(
    'raw',
    'All figures',
    [],
    h('p', { class: 'controls' }, 'One row for each step of each repeat, nothing merged. ', button, said),
    sortable(table),
  );
}

/** Columns without a value in any row are omitted in the view, not in the CSV. */
export function shownColumns(table: Table): number[] {
  return table.columns.map((_, at) => at).filter((at) => table.rows.some((row) => row[at] !== '' && row[at] !== 0));
}

function sortable(table: Table): HTMLElement {
  const shown = shownColumns(table);
  const body = h('tbody');
  const heads = shown.map((column) => {
    const button = h('button', { type: 'button' }, table.columns[column] ?? '');
    const head = h('th', { scope: 'col', class: kind(table, column) }, button);
    button.addEventListener('click', () => {
      const next: Direction = head.getAttribute('aria-sort') === 'ascending' ? 'descending' : 'ascending';
      heads.forEach((each) => each.removeAttribute('aria-sort'));
      head.setAttribute('aria-sort', next);
      fill(body, table, shown, sorted(table.rows, column, next));
    });
    return head;
  });
  fill(body, table, shown, table.rows);
  return scrolling(
    'Table of all figures',
    h('table', { class: 'raw' }, h('thead', {}, h('tr', {}, heads)), body),
    'tall',
  );
}

function kind(table: Table, column: number): string {
  return table.rows.every((row) => typeof row[column] === 'number' || row[column] === '') ? '' : 'text';
}

function fill(body: HTMLElement, table: Table, shown: number[], rows: Cell[][]): void {
  body.replaceChildren(
    ...rows.map((row) =>
      h('tr', {}, shown.map((column) => h('td', { class: kind(table, column) }, text(row[column] ?? '')))),
    ),
  );
}

function text(cell: Cell): string {
  return typeof cell === 'string' ? cell : Number.isInteger(cell) ? count(cell) : cell.toFixed(1);
}

/** Numbers by size, text by letters, empty cells last; rows that are equal keep their order. */
export function sorted(rows: Cell[][], column: number, direction: Direction): Cell[][] {
  const sign = direction === 'ascending' ? 1 : -1;
  return [...rows].sort((left, right) => {
    const a = left[column] ?? '';
    const b = right[column] ?? '';
    if (a === '' || b === '') {
      return a === b ? 0 : a === '' ? 1 : -1;
    }
    const order =
      typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b), 'en', { numeric: true });
    return sign * order;
  });
}

/** RFC 4180. */
export function csv(table: Table): string {
  const line = (cells: Cell[]): string =>
    cells.map((cell) => (/[",\r\n]/.test(String(cell)) ? `"${String(cell).replaceAll('"', '""')}"` : String(cell))).join(',');
  return [table.columns, ...table.rows].map(line).join('\n') + '\n';
}

async function copy(content: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(content);
    return true;
  } catch {
    return copyBySelection(content);
  }
}

/** For browsers that deny the clipboard to pages loaded from files. */
function copyBySelection(content: string): boolean {
  const area = h('textarea', { class: 'off-screen', 'aria-hidden': 'true' });
  area.value = content;
  document.body.append(area);
  area.select();
  const done = document.execCommand('copy');
  area.remove();
  return done;
}
