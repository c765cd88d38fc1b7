import type { SideTable, Test } from '../data';
import { h } from '../dom';
import { scrolling } from './latency-table';

/** Rate on the wire, losses, stores: what else there is to know of a test. */
export function sideTables(test: Test): HTMLElement[] {
  return test.tables.map((side) => sideTable(side, `${test.name}: ${side.title}`));
}

/** One such table, `named` for those who cannot see it. */
export function sideTable(side: SideTable, named: string): HTMLElement {
  const kind = (at: number): string | undefined => (at < side.texts ? 'text' : undefined);
  const cell = (text: string, at: number): HTMLElement =>
    at === 0 ? h('th', { scope: 'row', class: kind(at) }, text) : h('td', { class: kind(at) }, text);
  return scrolling(
    named,
    h(
      'table',
      { class: 'wide' },
      h('caption', {}, side.title),
      h('thead', {}, h('tr', {}, side.columns.map((column, at) => h('th', { scope: 'col', class: kind(at) }, column)))),
      h('tbody', {}, side.rows.map((cells) => h('tr', {}, cells.map(cell)))),
    ),
  );
}
