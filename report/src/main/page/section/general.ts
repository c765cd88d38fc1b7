import type { Block, RoleFigure, Row, Test } from '../data';
import { h } from '../dom';
import { count, digits, time } from '../format';
import { scrolling } from './latency-table';
import { remarks, tags } from './remarks';

type Figure = [title: string, value: (row: Row) => number];

const FIGURES: Figure[] = [
  ['offered/s', (row) => row.offeredRatePerSecond],
  ['achieved/s', (row) => row.achievedRatePerSecond],
  ['sent', (row) => row.counts.sent],
  ['expected', (row) => row.counts.expected],
  ['received', (row) => row.counts.received],
  ['lost', (row) => row.counts.lost ?? 0],
  ['duplicated', (row) => row.counts.duplicated],
  ['reordered', (row) => row.counts.reordered],
  ['not timed', (row) => row.counts.notTimed],
];

/** What was sent and received in each step; figures that no step has are omitted, losses never. */
export function countTables(test: Test): HTMLElement[] {
  return test.blocks.map((block) => {
    const shown = FIGURES.filter(
      ([title, value]) => block.rows.some((row) => value(row) > 0) || (title === 'lost' && block.rows.some((row) => row.counts.expected > 0)),
    );
    return table(
      named(block, 'Counts and rates'),
      ['step', ...shown.map(([title]) => title), 'remarks'],
      block.rows.map((row) => [
        row.name || 'all',
        ...shown.map(([, value]) => count(Math.round(value(row)))),
        h('span', {}, tags(remarks(row))),
      ]),
      1,
    );
  });
}

/** The figures that the roles report: the median over roles and repeats, and the range. */
export function roleTables(test: Test): HTMLElement[] {
  return test.blocks
    .filter((block) => block.roles.length > 0)
    .map((block) =>
      table(named(block, 'What the roles report'), ['role', 'figure', 'value', 'min', 'max'], block.roles.map(line), 2),
    );
}

/** One-way latencies that the run derived from round trips. */
export function oneWayTables(test: Test): HTMLElement[] {
  return test.blocks.flatMap((block) =>
    block.oneWays.map(({ title, steps }) =>
      table(
        named(block, title),
        ['bytes', 'ave', '50 %'],
        steps.map((step) => [count(step.payloadBytes), time(step.meanNs), time(step.p50Ns)]),
        0,
      ),
    ),
  );
}

function line({ role, metric, text, spread }: RoleFigure): string[] {
  if (!spread) {
    return [role, metric, text, '', ''];
  }
  const range = spread.min === spread.max ? ['', ''] : [number(spread.min), number(spread.max)];
  return [role, metric, number(spread.median), ...range];
}

function number(value: number): string {
  return Number.isInteger(value) ? count(value) : digits(value);
}

function named(block: Block, title: string): string {
  return block.channel ? `${block.channel}, ${title.toLowerCase()}` : title;
}

function table(title: string, columns: string[], rows: (string | HTMLElement)[][], texts: number): HTMLElement {
  const kind = (at: number): string | undefined => (at < texts || columns[at] === 'remarks' ? 'text' : undefined);
  return scrolling(
    title,
    h(
      'table',
      {},
      h('caption', {}, title),
      h('thead', {}, h('tr', {}, columns.map((column, at) => h('th', { scope: 'col', class: kind(at) }, column)))),
      h(
        'tbody',
        {},
        rows.map((cells) =>
          h(
            'tr',
            {},
            cells.map((cell, at) => h(at === 0 ? 'th' : 'td', { scope: at === 0 ? 'row' : undefined, class: kind(at) }, cell)),
          ),
        ),
      ),
    ),
  );
}
