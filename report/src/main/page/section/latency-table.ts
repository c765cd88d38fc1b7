import { type Block, headline, type Latency, type LatencyColumn, latencyNames, latencyTitle, type Row, type Test } from '../data';
import { h } from '../dom';
import { count, micros } from '../format';
import { remarks, tags } from './remarks';

const MARK = "More than a tenth of the latency above the median is the machine's there.";

interface Entry {
  block: Block;
  row: Row;
  latency: Latency;
  /** Whether its tail was charged: that of the headline is. */
  examined: boolean;
}

/** The latencies of a test: a table for each channel, or one for all where each has but one row. */
export function latencyTables(test: Test): HTMLElement[] {
  return latencyNames(test).flatMap((name) => {
    const blocks = test.blocks.map((block) => entries(block, name)).filter((rows) => rows.length > 0);
    return blocks.length > 1 && blocks.every((rows) => rows.length === 1)
      ? [table(test.latencyColumns, blocks.flat(), latencyTitle(name), true)]
      : blocks.map((rows) => {
          const channel = rows[0]?.block.channel;
          return table(test.latencyColumns, rows, channel ? `${channel}, ${latencyTitle(name).toLowerCase()}` : latencyTitle(name), false);
        });
  });
}

function entries(block: Block, name: string): Entry[] {
  return block.rows.flatMap((row) => {
    const latency = row.latencies[name];
    return latency ? [{ block, row, latency, examined: headline(row)?.name === name }] : [];
  });
}

function table(columns: LatencyColumn[], rows: Entry[], title: string, channels: boolean): HTMLElement {
  const named = rows.some(({ row }) => row.payloadBytes === 0);
  const rates = new Set(rows.map(({ row }) => row.offeredRatePerSecond)).size > 1;
  const decimals = columns.map(({ key }) => decimalsOf(rows.map(({ latency }) => latency[key])));
  const labelled = rows.some(({ row }) => remarks(row).length > 0);
  const head = (text: string, kind?: string): HTMLElement => h('th', { scope: 'col', class: kind }, text);
  return scrolling(
    title,
    h(
      'table',
      {},
      h('caption', {}, title, h('span', { class: 'unit' }, 'µs')),
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          channels && head('channel', 'text'),
          named ? head('step', 'text') : head('bytes'),
          rates && head('offered/s'),
          columns.map((column) => head(column.title)),
          labelled && head('remarks', 'text'),
        ),
      ),
      h(
        'tbody',
        {},
        rows.map(({ block, row, latency, examined }) =>
          h(
            'tr',
            {},
            channels && h('th', { scope: 'row', class: 'text' }, block.channel),
            h(channels ? 'td' : 'th', channels ? {} : { scope: 'row', class: named ? 'text' : undefined }, named ? row.name || 'all' : count(row.payloadBytes)),
            rates && h('td', {}, count(row.offeredRatePerSecond)),
            columns.map(({ key, band }, at) =>
              latency[key] !== undefined && examined && row.disturbed?.includes(band)
                ? h('td', { title: MARK }, `${shown(latency[key], decimals[at] ?? 0)} !`)
                : h('td', {}, shown(latency[key], decimals[at] ?? 0)),
            ),
            labelled && h('td', { class: 'text' }, tags(remarks(row))),
          ),
        ),
      ),
    ),
  );
}

/** As many as the shortest time of a column needs for three digits or so. */
function decimalsOf(all: (number | undefined)[]): number {
  const smallest = Math.min(...all.filter((ns) => ns !== undefined));
  return smallest < 1e3 ? 3 : smallest < 1e5 ? 2 : smallest < 1e7 ? 1 : 0;
}

/** A percentile with too few messages is not shown. */
function shown(ns: number | undefined, decimals: number): string {
  return ns === undefined ? 'n/a' : micros(ns, decimals);
}

/** A table that scrolls by itself where the page is narrower; focusable, so that keys can scroll it. */
export function scrolling(title: string, table: HTMLElement, kind = ''): HTMLElement {
  return h('div', { class: `scroll ${kind}`.trim(), tabindex: 0, role: 'region', 'aria-label': title }, table);
}
