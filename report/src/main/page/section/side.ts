import type { SideTable, Test } from '../data';
import { h } from '../dom';
import { scrolling } from './latency-table';

/** The first columns name the row. */
const TEXT_COLUMNS = 2;

/** Rate on the wire, losses: what else there is to know of a test. */
export function sideTables(test: Test): HTMLElement[] {
  return test.tables.map((side) => scrolling(`${test.name}: ${side.title}`, table(side)));
}

function table(side: SideTable): HTMLElement {
  return h(
    'table',
    { class: 'wide' },
    h('caption', {}, side.title),
    h('thead', {}, h('tr', {}, side.columns.map((column, at) => h('th', { scope: 'col', class: kind(at) }, column)))),
    h('tbody', {}, side.rows.map((cells) => h('tr', {}, cells.map(cell)))),
  );
}

function cell(text: string, at: number): HTMLElement {
  return at === 0 ? h('th', { scope: 'row', class: kind(at) }, text) : h('td', { class: kind(at) }, text);
}

function kind(at: number): string | undefined {
  return at < TEXT_COLUMNS ? 'text' : undefined;
}
