import { latencyScale, type Scale } from '../chart/scale';
import { type Block, headline, type Latency, latencyTitle, rowNamed, type Row, type Test } from '../data';
import { h, svg } from '../dom';
import { axisTime, time } from '../format';
import { remarks, tags } from './remarks';

/** Lines of decades reach into the gaps between rows, so that they look like one. */
const GAP = 4;

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
  const scale = latencyScale(noiseNs > 0 ? [...values, noiseNs] : values, 0.12);
  const title = all[0] ? `${latencyTitle(all[0].name)}, whole range` : 'Whole range';
  return h(
    'div',
    { class: 'strips' },
    h('h3', {}, title),
    h('p', { class: 'note' }, ranges(all.map((each) => each.latency), noiseNs)),
    all.map((each) => strip(each, scale)),
    h('div', { class: 'row axis', 'aria-hidden': 'true' }, h('div', { class: 'name' }), axis(scale)),
  );
}

/** What the parts of these ranges mean. */
export function ranges(all: Latency[], noiseNs: number): string {
  return (
    'Thin: shortest to longest. Thick: from the median (tall stroke) to 99 %.' +
    (all.some((latency) => latency.p999 !== undefined) ? ' Short stroke: 99.9 %.' : '') +
    (noiseNs > 0 ? ` Shaded, up to the dotted line: within the longest gap of the machine itself (noise floor, ${time(noiseNs)}).` : '')
  );
}

/** A latency's whole range as a picture, over its noise floor. */
export function range(latency: Latency, noiseNs: number, { place, decades }: Scale, height: number): SVGElement {
  const middle = height / 2;
  const line = (from: number, to: number, kind: string): SVGElement =>
    svg('line', { x1: place(from), x2: place(to), y1: middle, y2: middle, class: kind });
  const stroke = (ns: number, half: number, kind: string): SVGElement =>
    svg('line', { x1: place(ns), x2: place(ns), y1: middle - half, y2: middle + half, class: kind });
  const parts = [
    line(latency.min, latency.max, 'thin'),
    ...(latency.p50 !== undefined && latency.p99 !== undefined ? [line(latency.p50, latency.p99, 'thick')] : []),
    ...(latency.p50 !== undefined ? [stroke(latency.p50, 0.38 * height, 'median')] : []),
    ...(latency.p999 !== undefined ? [stroke(latency.p999, 0.3 * height, 'nines')] : []),
  ];
  if (noiseNs > 0) {
    parts.unshift(
      svg('rect', { x: 0, y: 0, height, width: place(noiseNs), class: 'noise' }),
      stroke(noiseNs, middle, 'noise-edge'),
    );
  }
  const lines = decades.map((decade) => stroke(decade, middle + GAP, 'decade'));
  return svg('svg', { width: '100%', height, 'aria-hidden': 'true' }, ...lines, ...parts);
}

function strip({ block, row, latency, at }: Strip, scale: Scale): HTMLElement {
  return h(
    'div',
    { class: 'row' },
    h('div', { class: 'name' }, block.channel || row.name || 'all'),
    h('div', { class: `track series-${(at % 8) + 1}` }, range(latency, block.noiseMaxNs, scale, 24)),
    h(
      'div',
      { class: 'said' },
      figures([
        ['median', latency.p50],
        ['99 %', latency.p99],
        ['99.9 %', latency.p999],
        ['max', latency.max],
      ]),
      tags(remarks(row)),
    ),
  );
}

function figures(all: [string, number | undefined][]): HTMLElement[] {
  return all.flatMap(([name, ns]) =>
    ns === undefined ? [] : [h('span', { class: 'pairing' }, `${name} `, h('b', {}, time(ns)))]);
}

export function axis({ ticks, place }: Scale): HTMLElement {
  return named(ticks.map((tick) => ({ text: axisTime(tick), at: place(tick) })));
}

/** Names centred at their places, except where they would leave the edge. */
export function named(all: { text: string; at: string }[]): HTMLElement {
  return h(
    'div',
    { class: 'scale' },
    all.map(({ text, at }) => {
      const label = h('span', {}, text);
      label.style.left = within(text, at);
      return label;
    }),
  );
}

/** The middle of a name: its place, or as near to it as the edges let half of the name. */
export function within(text: string, at: string): string {
  const half = `${text.length / 2}ch`;
  return `clamp(${half}, ${at}, calc(100% - ${half}))`;
}
