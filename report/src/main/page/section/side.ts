import type { SideTable, Stack, Test } from '../data';
import { h, svg } from '../dom';
import { time } from '../format';
import { scrolling } from './latency-table';

/** Rate on the wire, losses, stores: further facts about a test. */
export function sideTables(test: Test): HTMLElement[] {
  return test.tables.flatMap((side) => [
    ...(side.pictures.length > 0 ? [stacks(side)] : []),
    sideTable(side, `${test.name}: ${side.title}`),
  ]);
}

const BAR = 14;

/** Stacked bars, each as wide as the others: what a part is of its whole. */
function stacks(side: SideTable): HTMLElement {
  const names = side.pictures[0]?.parts.map((part) => part.name) ?? [];
  return h(
    'div',
    { class: 'strips stacks', 'aria-hidden': 'true' },
    h('h3', {}, side.title),
    h('p', { class: 'note' }, names.map((name, at) => h('span', { class: 'key' }, h('i', { class: `part series-${at + 1}` }), name))),
    side.pictures.map((each) =>
      h(
        'div',
        { class: 'row' },
        h('div', { class: 'name' }, each.name),
        h('div', { class: 'track' }, stack(each)),
        h('div', { class: 'whole' }, time(whole(each))),
      ),
    ),
  );
}

const whole = (stack: Stack): number => stack.parts.reduce((sum, part) => sum + part.ns, 0);

function stack(stack: Stack): SVGElement {
  const all = whole(stack);
  let from = 0;
  const parts = stack.parts.map((part, at) => {
    const width = all > 0 ? (100 * part.ns) / all : 0;
    const rect = svg('rect', { x: `${from}%`, width: `${width}%`, y: 0, height: BAR, class: `part series-${at + 1}` });
    const title = svg('title');
    title.textContent = `${part.name}: ${time(part.ns)}`;
    rect.append(title);
    from += width;
    return rect;
  });
  return svg('svg', { width: '100%', height: BAR }, ...parts);
}

/** One such table, `named` for readers who cannot see it. */
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
