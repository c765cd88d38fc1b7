import { logAxis } from '../chart/plot';
import { type Block, headline, type Latency, latencyTitle, rowNamed, type Row, type Test } from '../data';
import { h, svg } from '../dom';
import { axisTime, time } from '../format';
import { tags } from './latency-table';

interface Strip {
  block: Block;
  row: Row;
  latency: Latency;
  name: string;
  at: number;
}

/** The whole range of each channel on one axis, with the noise floor beside the tail. */
export function strips(test: Test, step: string): HTMLElement {
  const all = test.blocks.flatMap((block, at): Strip[] => {
    const row = rowNamed(block, step);
    const found = row && headline(row);
    return row && found ? [{ block, row, at, ...found }] : [];
  });
  const noiseNs = Math.max(0, ...all.map((each) => each.block.noiseMaxNs));
  const values = all.flatMap(({ latency }) => [latency.min, latency.max]);
  const { range, ticks } = logAxis(noiseNs > 0 ? [...values, noiseNs] : values, 9);
  const place = (ns: number): string => {
    const [low, high] = range.map(Math.log10) as [number, number];
    const at = (Math.log10(Math.max(ns, range[0])) - low) / (high - low);
    return `${(100 * Math.min(1, Math.max(0, at))).toFixed(2)}%`;
  };
  const title = all[0] ? `${latencyTitle(all[0].name)}, whole range` : 'Whole range';
  return h(
    'div',
    { class: 'strips' },
    h('h3', {}, title),
    h(
      'p',
      { class: 'note' },
      'Thin: shortest to longest. Thick: median to 99 %. Stroke: 99.99 %.',
      noiseNs > 0 && ` Shaded: at or under the longest gap of the machine itself (noise floor, ${time(noiseNs)}).`,
    ),
    all.map((each) => strip(each, place)),
    h('div', { class: 'row axis', 'aria-hidden': 'true' }, h('div', { class: 'name' }), axis(ticks, place)),
  );
}

function strip({ block, row, latency, at }: Strip, place: (ns: number) => string): HTMLElement {
  const middle = 12;
  const line = (from: number, to: number, kind: string): SVGElement =>
    svg('line', { x1: place(from), x2: place(to), y1: middle, y2: middle, class: kind });
  const stroke = (ns: number, half: number, kind: string): SVGElement =>
    svg('line', { x1: place(ns), x2: place(ns), y1: middle - half, y2: middle + half, class: kind });
  const parts = [
    line(latency.min, latency.max, 'thin'),
    ...(latency.p50 !== undefined && latency.p99 !== undefined ? [line(latency.p50, latency.p99, 'thick')] : []),
    ...(latency.p50 !== undefined ? [stroke(latency.p50, 9, 'median')] : []),
    ...(latency.p9999 !== undefined ? [stroke(latency.p9999, 6, 'nines')] : []),
    stroke(latency.max, 4, 'nines'),
  ];
  if (block.noiseMaxNs > 0) {
    const noise = svg('rect', { x: 0, y: 0, height: 24, width: place(block.noiseMaxNs), class: 'noise' });
    parts.unshift(noise, stroke(block.noiseMaxNs, 12, 'noise-edge'));
  }
  return h(
    'div',
    { class: 'row' },
    h('div', { class: 'name' }, block.channel || row.name || 'all'),
    h('div', { class: `track series-${(at % 8) + 1}` }, wide(parts)),
    h(
      'div',
      { class: 'said' },
      figures([
        ['median', latency.p50],
        ['99 %', latency.p99],
        ['99.99 %', latency.p9999],
        ['max', latency.max],
      ]),
      tags(row),
    ),
  );
}

function wide(parts: SVGElement[]): SVGElement {
  return svg('svg', { width: '100%', height: 24, 'aria-hidden': 'true' }, ...parts);
}

function figures(all: [string, number | undefined][]): HTMLElement[] {
  return all.flatMap(([name, ns]) =>
    ns === undefined ? [] : [h('span', { class: 'pairing' }, `${name} `, h('b', {}, time(ns)))]);
}

function axis(ticks: number[], place: (ns: number) => string): HTMLElement {
  return h(
    'div',
    { class: 'scale' },
    ticks.map((tick) => {
      const label = h('span', {}, axisTime(tick));
      label.style.left = place(tick);
      return label;
    }),
  );
}
