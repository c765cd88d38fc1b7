import type { Block, Row, Test } from '../data';
import { h } from '../dom';
import { count, rate, time } from '../format';
import { scrolling } from './latency-table';
import { remarks, tags } from './remarks';

interface Entry {
  block: Block;
  row: Row;
}

function entries(test: Test): Entry[] {
  return test.blocks.flatMap((block) => block.rows.map((row) => ({ block, row })));
}

/** A bar for the rate that each channel sent, and a mark for the requested rate. */
export function rateBars(test: Test): HTMLElement {
  const all = entries(test);
  const most = Math.max(1, ...all.map(({ row }) => Math.max(row.achievedRatePerSecond, row.offeredRatePerSecond)));
  return h(
    'div',
    { class: 'bars' },
    h('h3', {}, 'Rate sent'),
    all.map(({ block, row }) => {
      const fill = h('div', { class: 'fill' });
      fill.style.width = `${(100 * row.achievedRatePerSecond) / most}%`;
      const track = h('div', { class: 'track', 'aria-hidden': 'true' }, fill);
      if (row.offeredRatePerSecond > 0) {
        const mark = h('div', { class: 'asked' });
        mark.style.left = `${(100 * row.offeredRatePerSecond) / most}%`;
        track.append(mark);
      }
      return h(
        'div',
        { class: 'row' },
        h('div', { class: 'name' }, block.channel, h('span', { class: 'where' }, `${count(row.payloadBytes)} bytes`)),
        track,
        h('div', { class: 'said' }, h('b', {}, rate(row.achievedRatePerSecond)), ` ${held(row)} `, tags(remarks({ ...row, noisy: false }))),
      );
    }),
  );
}

function held(row: Row): string {
  const asked = row.offeredRatePerSecond;
  return asked > 0 ? `of ${rate(asked)} asked for` : '';
}

/** Rates, losses and response times of a streaming test. */
export function streamTable(test: Test): HTMLElement {
  const responses = entries(test).some(({ row }) => row.latencies['responseNs']);
  const columns = ['bytes', 'offered/s', 'achieved/s', 'received', 'lost', 'duplicated', 'reordered', 'max tight sends'];
  const times = responses ? ['response 50 %', '99 %', 'max'] : [];
  return scrolling(
    `${test.name}, rates`,
    h(
      'table',
      { class: 'wide' },
      h('caption', {}, 'Rates and losses'),
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          h('th', { scope: 'col', class: 'text' }, 'channel'),
          [...columns, ...times].map((column) => h('th', { scope: 'col' }, column)),
        ),
      ),
      h('tbody', {}, entries(test).map(({ block, row }) => line(block, row, responses))),
    ),
  );
}

function offered(row: Row): string {
  if (row.offeredRatePerSecond > 0) {
    return count(Math.round(row.offeredRatePerSecond));
  }
  return row.labels.includes('paced-by-sleeping') ? 'sleep' : 'max';
}

function line(block: Block, row: Row, responses: boolean): HTMLElement {
  const { counts } = row;
  const response = row.latencies['responseNs'];
  const cells = [
    count(row.payloadBytes),
    offered(row),
    count(Math.round(row.achievedRatePerSecond)),
    count(counts.received),
    count(counts.lost ?? 0),
    count(counts.duplicated),
    count(counts.reordered),
    count(counts.maxTightSends),
  ];
  const times = [response?.p50, response?.p99, response?.max].map((ns) => (ns === undefined ? 'n/a' : time(ns)));
  return h(
    'tr',
    {},
    h('th', { scope: 'row', class: 'text' }, block.channel),
    [...cells, ...(responses ? times : [])].map((cell) => h('td', {}, cell)),
  );
}
