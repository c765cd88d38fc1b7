import { type Block, headline, type Latency, latencyNames, latencyTitle, type Row, type Test } from '../data';
import { h } from '../dom';
import { count, micros } from '../format';
import { remarks, tags } from './remarks';

/** With the end of the band of percentiles that the figure is in. */
const COLUMNS: [string, (latency: Latency) => number | undefined, number?][] = [
  ['stdev', (latency) => latency.stdev],
  ['ave', (latency) => latency.mean],
  ['min', (latency) => latency.min],
  ['50 %', (latency) => latency.p50],
  ['90 %', (latency) => latency.p90, 90],
  ['99 %', (latency) => latency.p99, 99],
  ['99.9 %', (latency) => latency.p999, 99.9],
  ['99.99 %', (latency) => latency.p9999, 100],
  ['max', (latency) => latency.max, 100],
];

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
      ? [table(blocks.flat(), latencyTitle(name), true)]
      : blocks.map((rows) => {
          const channel = rows[0]?.block.channel;
          return table(rows, channel ? `${channel}, ${latencyTitle(name).toLowerCase()}` : latencyTitle(name), false);
        });
  });
}

function entries(block: Block, name: string): Entry[] {
  return block.rows.flatMap((row) => {
    const latency = row.latencies[name];
    return latency ? [{ block, row, latency, examined: headline(row)?.name === name }] : [];
  });
}

function table(rows: Entry[], title: string, channels: boolean): HTMLElement {
  const named = rows.some(({ row }) => row.payloadBytes === 0);
  const rates = new Set(rows.map(({ row }) => row.offeredRatePerSecond)).size > 1;
  const decimals = COLUMNS.map(([, figure]) => decimalsOf(rows.map(({ latency }) => figure(latency))));
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
          COLUMNS.map(([column]) => head(column)),
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
            COLUMNS.map(([, figure, band], at) =>
              band !== undefined && figure(latency) !== undefined && examined && row.disturbed?.includes(band)
                ? h('td', { title: MARK }, `${shown(figure(latency), decimals[at] ?? 0)} !`)
                : h('td', {}, shown(figure(latency), decimals[at] ?? 0)),
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
