import type { Test } from '../data';
import { h } from '../dom';
import { scrolling } from './latency-table';

/** The first columns name the row. */
const TEXT_COLUMNS = 2;

/** What the messages come to on the network. */
export function wireTable(test: Test): HTMLElement | undefined {
  const { wire } = test;
  return (
    wire &&
    scrolling(
      `${test.name}, on the wire`,
      h(
        'table',
        { class: 'wide' },
        h('caption', {}, wire.title),
        h(
          'thead',
          {},
          h('tr', {}, wire.columns.map((column, at) => h('th', { scope: 'col', ...text(at) }, column))),
        ),
        h(
          'tbody',
          {},
          wire.rows.map((cells) =>
            h('tr', {}, cells.map((cell, at) => h(at === 0 ? 'th' : 'td', { ...(at === 0 && { scope: 'row' }), ...text(at) }, cell))),
          ),
        ),
      ),
    )
  );
}

function text(at: number): { class?: string } {
  return at < TEXT_COLUMNS ? { class: 'text' } : {};
}
