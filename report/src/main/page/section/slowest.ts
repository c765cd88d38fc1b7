import type { Slowest } from '../data';
import { h } from '../dom';
import { count } from '../format';
import { scrolling } from './latency-table';

/** The slowest messages and what delayed each, as `why` lists them; closed, because a glance does not need it. */
export function slowestMessages({ columns, lists, notes }: Slowest): HTMLElement[] {
  const said = notes.map((note) => h('p', { class: 'note' }, note));
  return lists.length === 0
    ? said
    : [
        h(
          'details',
          { class: 'slowest' },
          h('summary', {}, h('h3', {}, 'The slowest messages, and what delayed them')),
          h('p', { class: 'note' }, 'Messages that one stall delayed share a line.'),
          said,
          lists.map((list) => listed(columns, list)),
        ),
      ];
}

/** Below the figures of a message, as wide as all of them: why. */
function listed(columns: string[], { title, rows, all }: Slowest['lists'][number]): HTMLElement {
  const why = { colspan: columns.length - 1, class: 'text why' };
  const table = h(
    'table',
    {},
    h('caption', {}, title),
    h(
      'thead',
      {},
      h('tr', {}, columns.slice(0, -1).map((column) => h('th', { scope: 'col' }, column))),
      h('tr', {}, h('th', { scope: 'col', ...why }, columns.at(-1))),
    ),
    h(
      'tbody',
      {},
      rows.map((cells) => [
        h('tr', {}, cells.slice(0, -1).map((cell, at) => (at === 0 ? h('th', { scope: 'row' }, cell) : h('td', {}, cell)))),
        h('tr', {}, h('td', why, cells.at(-1))),
      ]),
    ),
  );
  const more = all - rows.length;
  return h(
    'div',
    {},
    scrolling(title, table),
    more > 0 && h('p', { class: 'note' }, `... and ${count(more)} more; ./tickmark why DIR --lines N shows them`),
  );
}
