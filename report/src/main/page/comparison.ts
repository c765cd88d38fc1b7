import type { Verdict } from './data';
import { latencyTitle } from './data';
import { h, svg } from './dom';
import { digits, rate, time } from './format';
import { badge, brand } from './section/header';
import { scrolling } from './section/latency-table';
import { themeButton } from './theme';

export type Outcome = 'better' | 'worse' | 'no_difference' | 'too_noisy';

export interface Estimate {
  value: number;
  low: number;
  high: number;
  repeats: number[];
}

export interface Figure {
  name: string;
  moreIsBetter: boolean;
  first: Estimate;
  other: Estimate;
  effect: number;
  low: number;
  high: number;
  pValue: number;
  outcome: Outcome;
  reason: string;
}

export interface Row {
  side: string;
  differences: string[];
  broken: string[];
  figures: Figure[];
}

export interface Side {
  name: string;
  path: string;
  plan: string;
  startedAt: string;
  tickmark: string;
  repeats: number;
}

/** A comparison, as Java writes it. */
export interface ComparisonPage {
  kind: 'comparison';
  conclusion: string;
  verdict: Verdict;
  meaning: string;
  places: string[];
  comparison: {
    tickmark: string;
    minEffect: number;
    sides: Side[];
    rows: Row[];
    settings: { side: string; values: Record<string, string> }[];
    differences: { side: string; what: string; first: string; other: string }[];
    notes: string[];
  };
}

const WORDS: Record<Outcome, string> = {
  better: 'better',
  worse: 'worse',
  no_difference: 'no difference',
  too_noisy: 'too noisy',
};
const VERDICTS: Record<Verdict, string> = { pass: 'Nothing is worse', fail: 'Worse', void: 'Too noisy' };

/** The page of a comparison. */
export function comparisonPage(data: ComparisonPage): DocumentFragment {
  const { comparison } = data;
  const fragment = document.createDocumentFragment();
  fragment.append(
    h('a', { class: 'skip', href: '#figures' }, 'Skip to the figures'),
    h(
      'header',
      {},
      h('div', { class: 'bar' }, brand(), themeButton()),
      h('h1', {}, comparison.sides.map((side) => side.name).join(' · ')),
      h('p', { class: 'description' }, 'What changed, and how sure that is.'),
    ),
    h(
      'main',
      {},
      h(
        'section',
        { class: 'summary', 'aria-labelledby': 'verdict' },
        h(
          'h2',
          { id: 'verdict', class: 'verdict' },
          badge(data.verdict, VERDICTS[data.verdict]),
          h('span', {}, data.conclusion),
        ),
        sides(comparison.sides),
        notes(comparison.notes),
      ),
      h(
        'div',
        { id: 'figures' },
        ratios(data),
        sheet(data),
        comparison.rows.map((row, at) => rowSection(data, row, at)),
        differences(data),
        h(
          'section',
          { id: 'reading', 'aria-labelledby': 'reading-title' },
          h('h2', { id: 'reading-title' }, 'How to read it'),
          h('p', {}, data.meaning),
        ),
      ),
    ),
    h('footer', {}, `Made by tickmark ${comparison.tickmark}. This file needs no network.`),
  );
  return fragment;
}

function sides(all: Side[]): HTMLElement {
  return scrolling(
    'The runs',
    h(
      'table',
      { class: 'plain' },
      h('thead', {}, h('tr', {}, ['run', 'folder', 'plan', 'started', 'repeats'].map((name) => h('th', { scope: 'col', class: 'text' }, name)))),
      h(
        'tbody',
        {},
        all.map((side) =>
          h(
            'tr',
            {},
            h('th', { scope: 'row', class: 'text' }, side.name),
            [side.path, side.plan, side.startedAt, String(side.repeats)].map((cell) => h('td', { class: 'text' }, cell)),
          ),
        ),
      ),
    ),
  );
}

/** Headline figures of all runs side by side, where there are more than two. */
function ratios(data: ComparisonPage): HTMLElement | undefined {
  const { sides: all, rows } = data.comparison;
  if (all.length < 3) {
    return undefined;
  }
  const names = [...new Set(rows.flatMap((row) => row.figures.map((figure) => figure.name)))].filter(
    (name) => !name.startsWith('sendNs') && !/\.(mean|p90)$/.test(name),
  );
  const cell = (row: Row, name: string): string => {
    const figure = row.figures.find((each) => each.name === name);
    const ratio = (part: number): string => digits(1 + part);
    const interval = figure && (figure.low === figure.high ? 'one repeat, no interval' : `${ratio(figure.low)} .. ${ratio(figure.high)}`);
    return figure ? `${ratio(figure.effect)} (${interval})` : '';
  };
  return h(
    'section',
    { id: 'ratios', 'aria-labelledby': 'ratios-title' },
    h('h2', { id: 'ratios-title' }, 'Ratios', h('span', { class: 'kind' }, `to ${all[0]?.name ?? ''}`)),
    scrolling(
      'Ratios',
      h(
        'table',
        { class: 'plain' },
        h('thead', {}, h('tr', {}, h('th', { scope: 'col', class: 'text' }, 'run'), names.map((name) => h('th', { scope: 'col' }, figureTitle(name))))),
        h(
          'tbody',
          {},
          rows.map((row) =>
            h('tr', {}, h('th', { scope: 'row', class: 'text' }, row.side), names.map((name) => h('td', {}, cell(row, name)))),
          ),
        ),
      ),
    ),
  );
}

/** What each run promises, in the same words. */
function sheet(data: ComparisonPage): HTMLElement | undefined {
  const all = data.comparison.settings;
  const names = Object.keys(all[0]?.values ?? {});
  return all.length === 0
    ? undefined
    : h(
        'section',
        { id: 'sheet', 'aria-labelledby': 'sheet-title' },
        h('h2', { id: 'sheet-title' }, 'What is compared'),
        scrolling(
          'What is compared',
          h(
            'table',
            { class: 'plain' },
            h('thead', {}, h('tr', {}, ['run', ...names].map((name) => h('th', { scope: 'col', class: 'text' }, name)))),
            h(
              'tbody',
              {},
              all.map((each) =>
                h('tr', {}, h('th', { scope: 'row', class: 'text' }, each.side), names.map((name) => h('td', { class: 'text' }, each.values[name] ?? ''))),
              ),
            ),
          ),
        ),
      );
}

function notes(all: string[]): HTMLElement | undefined {
  return all.length === 0
    ? undefined
    : h('aside', { class: 'box careful' }, h('h3', {}, 'Keep in mind'), h('ul', {}, all.map((each) => h('li', {}, each))));
}

export function figureTitle(name: string): string {
  const [latency, figure] = name.split('.');
  const titles: Record<string, string> = { p50: '50 %', p90: '90 %', p99: '99 %', p999: '99.9 %' };
  return figure === undefined ? 'Rate' : `${latencyTitle(latency ?? '')} ${titles[figure] ?? figure}`;
}

export function change(part: number): string {
  const percent = 100 * part;
  if (Math.abs(percent) < 0.05) {
    return '0.0 %';
  }
  return Math.abs(percent) >= 1000 ? `x ${digits(part + 1)}` : `${percent > 0 ? '+' : ''}${percent.toFixed(1)} %`;
}

/** Far out it does not matter how far. */
function bound(part: number): string {
  return part + 1 > 100 ? 'over x 100' : part + 1 < 0.01 ? 'under x 0.01' : change(part);
}

/** Ratios within this factor are drawn to scale; what is beyond stands at the edge. */
const WIDEST = Math.log(10);

/** Half of the axis, as the logarithm of a ratio: wide enough for all, and for what is worth telling. */
export function reach(figures: Figure[], minEffect: number): number {
  const ends = figures.flatMap((figure) => [figure.low, figure.high, figure.effect]).map((part) => Math.abs(Math.log1p(part)));
  return Math.min(WIDEST, Math.max(2 * Math.log1p(minEffect), ...ends) * 1.08);
}

function rowSection(data: ComparisonPage, row: Row, at: number): HTMLElement {
  const id = `row-${at + 1}`;
  const first = data.comparison.sides[0]?.name ?? 'A';
  const wide = reach(row.figures, data.comparison.minEffect);
  const place = (log: number): string => `${(50 * (1 + Math.min(1, Math.max(-1, log / wide)))).toFixed(2)}%`;
  const versus = `${row.side} against ${first}`;
  return h(
    'section',
    { id, 'aria-labelledby': `${id}-title` },
    h('h2', { id: `${id}-title` }, data.places[at] ?? '', h('span', { class: 'kind' }, versus)),
    row.broken.length > 0 && h('ul', { class: 'reasons fail' }, row.broken.map((each) => h('li', {}, each))),
    row.differences.length > 0 && h('p', { class: 'note' }, `Not the same: ${row.differences.join('; ')}.`),
    row.figures.length > 0 && h(
      'div',
      { class: 'strips effects' },
      row.figures.map((figure) => effect(figure, data.comparison.minEffect, place, first, row.side)),
      h('div', { class: 'row axis', 'aria-hidden': 'true' }, h('div', { class: 'name' }), axis(wide, place)),
    ),
    row.figures.length > 0 && h(
      'p',
      { class: 'note' },
      `Bar: interval of the change. Stroke: the change. Shaded: less than ${digits(100 * data.comparison.minEffect)} %, not worth telling. `,
      'Left is less, right is more, by ratio.',
    ),
  );
}

function effect(
  figure: Figure,
  minEffect: number,
  place: (log: number) => string,
  first: string,
  other: string,
): HTMLElement {
  const middle = 12;
  const line = (from: number, to: number, kind: string): SVGElement =>
    svg('line', { x1: place(from), x2: place(to), y1: middle, y2: middle, class: kind });
  const stroke = (log: number, half: number, kind: string): SVGElement =>
    svg('line', { x1: place(log), x2: place(log), y1: middle - half, y2: middle + half, class: kind });
  const band = Math.log1p(minEffect);
  const width = `${Number.parseFloat(place(band)) - Number.parseFloat(place(-band))}%`;
  const show = (value: number): string => (figure.moreIsBetter ? rate(value) : time(value));
  const pair = (name: string, value: number): HTMLElement =>
    h('span', { class: 'pairing' }, `${name} `, h('b', {}, show(value)));
  return h(
    'div',
    { class: 'row' },
    h('div', { class: 'name' }, figureTitle(figure.name)),
    h(
      'div',
      { class: `track ${figure.outcome.replace('_', '-')}` },
      svg(
        'svg',
        { width: '100%', height: 24, 'aria-hidden': 'true' },
        svg('rect', { x: place(-band), y: 0, height: 24, width, class: 'noise' }),
        stroke(0, 12, 'noise-edge'),
        line(Math.log1p(figure.low), Math.log1p(figure.high), 'thick'),
        stroke(Math.log1p(figure.effect), 9, 'median'),
      ),
    ),
    h(
      'div',
      { class: 'said' },
      h('span', { class: `tag ${tagKind(figure.outcome)}` }, WORDS[figure.outcome]),
      h(
        'span',
        { class: 'pairing' },
        h('b', {}, change(figure.effect)),
        figure.low === figure.high ? '' : ` (${bound(figure.low)} .. ${bound(figure.high)})`,
      ),
      pair(first, figure.first.value),
      pair(other, figure.other.value),
      figure.outcome === 'too_noisy' && h('span', {}, figure.reason),
    ),
  );
}

function tagKind(outcome: Outcome): string {
  return { better: 'good', worse: 'bad', no_difference: '', too_noisy: 'careful' }[outcome];
}

function axis(wide: number, place: (log: number) => string): HTMLElement {
  const logs = [-1, -0.5, 0, 0.5, 1].map((part) => part * wide);
  return h(
    'div',
    { class: 'scale' },
    logs.map((log) => {
      const label = h('span', {}, log === 0 ? 'same' : change(Math.expm1(log)));
      label.style.left = place(log);
      return label;
    }),
  );
}

function differences(data: ComparisonPage): HTMLElement | undefined {
  const all = data.comparison.differences;
  return all.length === 0
    ? undefined
    : h(
        'section',
        { id: 'differences', 'aria-labelledby': 'differences-title' },
        h('h2', { id: 'differences-title' }, 'Not the same'),
        h('p', {}, 'Version, machine, plan and settings, as far as the runs differ in them.'),
        scrolling(
          'What is not the same',
          h(
            'table',
            { class: 'plain' },
            h(
              'thead',
              {},
              h('tr', {}, ['what', data.comparison.sides[0]?.name ?? 'A', 'run', 'its value'].map((name) => h('th', { scope: 'col', class: 'text' }, name))),
            ),
            h(
              'tbody',
              {},
              all.map((each) =>
                h(
                  'tr',
                  {},
                  h('th', { scope: 'row', class: 'text' }, each.what),
                  [each.first || 'none', each.side, each.other || 'none'].map((cell) => h('td', { class: 'text' }, cell)),
                ),
              ),
            ),
          ),
        ),
      );
}
