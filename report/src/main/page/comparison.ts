import type { Verdict } from './data';
import { latencyTitle } from './data';
import { h, svg } from './dom';
import { digits, rate, time } from './format';
import { card, linkTo, openAllButton } from './section/card';
import { badge, brand } from './section/header';
import { scrolling } from './section/latency-table';
import { overview as ranges, testId } from './section/overview';
import { named } from './section/strips';
import { missingBox } from './section/summary';
import { test } from './section/test';
import { themeButton } from './theme';
import { type Run, type Together, together } from './together';

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

/** Which figure of which row. */
interface FigureOfRow {
  row: number;
  name: string;
}

export interface Row {
  side: string;
  test: string;
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
  /** What is compared. */
  title: string;
  /** What the machine could have detected; empty where no build waits for it. */
  resolution: string;
  conclusion: string;
  verdict: Verdict;
  /** The verdict in a word or three. */
  word: string;
  meaning: string;
  places: string[];
  /** What each run measured, in the order of the sides. */
  runs: Run[];
  comparison: {
    tickmark: string;
    minEffect: number;
    sides: Side[];
    rows: Row[];
    settings: { side: string; values: Record<string, string> }[];
    differences: { side: string; what: string; first: string; other: string }[];
    notes: string[];
    /** Of a build that waits: figures that are worse by no more than two measurements of the first run may differ. */
    gate?: { withinItself: FigureOfRow[] } | null;
  };
}

const WORDS: Record<Outcome, string> = {
  better: 'better',
  worse: 'worse',
  no_difference: 'no difference',
  too_noisy: 'too noisy',
};

/** The outcome of a figure, beside what a gate knows of it. */
function wordOf({ comparison }: ComparisonPage, row: Row, figure: Figure): string {
  const own = comparison.gate?.withinItself ?? [];
  return own.some((each) => comparison.rows[each.row] === row && each.name === figure.name)
    ? `${WORDS[figure.outcome]}, within the noise of ${comparison.sides[0]?.name ?? 'A'}`
    : WORDS[figure.outcome];
}

/** The page of a comparison. */
export function comparisonPage(data: ComparisonPage): DocumentFragment {
  const { comparison } = data;
  const fragment = document.createDocumentFragment();
  const all = together(data.runs);
  const cards = [
    onOneAxis(data, all),
    ratios(data),
    sheet(data),
    ...rowCards(data),
    ...all.tests.map((each, at) => test(each, testId(at))),
    differences(data),
    card('reading', 'How to read it', [], h('p', {}, data.meaning)),
  ].filter((each) => each !== undefined);
  fragment.append(
    h('a', { class: 'skip', href: '#figures' }, 'Skip to the figures'),
    h(
      'header',
      {},
      h('div', { class: 'bar' }, brand(), themeButton()),
      h('h1', {}, data.title),
      h('p', { class: 'description' }, 'What changed, and how sure that is.'),
    ),
    h(
      'main',
      {},
      h(
        'section',
        { class: 'summary', 'aria-labelledby': 'verdict' },
        data.resolution !== '' && h('p', { class: 'resolution' }, data.resolution),
        h(
          'h2',
          { id: 'verdict', class: 'verdict' },
          badge(data.verdict, data.word),
          h('span', {}, data.conclusion),
        ),
        overview(data),
        sides(comparison.sides),
        notes(comparison.notes),
        missingBox(data.runs.flatMap((run) => run.missing)),
      ),
      h('div', { id: 'figures' }, h('div', { class: 'controls' }, h('h2', {}, 'Details'), openAllButton(cards)), cards),
    ),
    h('footer', {}, `Made by tickmark ${comparison.tickmark}. This file needs no network. Charts by uPlot (MIT licence).`),
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

/** The latencies of all runs on one axis, a colour for each run; open from the start. */
function onOneAxis(data: ComparisonPage, all: Together): HTMLDetailsElement | undefined {
  const picture = ranges(all.tests, all.runOf);
  const found =
    picture && card('axis', `${data.comparison.sides.map((side) => side.name).join(' and ')} on one axis`, [], picture);
  if (found) {
    found.open = true;
  }
  return found;
}

/** Headline figures of all runs side by side, where there are more than two. */
function ratios(data: ComparisonPage): HTMLDetailsElement | undefined {
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
  return card(
    'ratios',
    'Ratios',
    [h('span', { class: 'kind' }, `to ${all[0]?.name ?? ''}`)],
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

/** The guarantees of each run, in the same terms. */
function sheet(data: ComparisonPage): HTMLDetailsElement | undefined {
  const all = data.comparison.settings;
  const names = Object.keys(all[0]?.values ?? {});
  return all.length === 0
    ? undefined
    : card(
        'sheet',
        'What is compared',
        [],
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

/** Beyond the limit the exact distance does not matter. */
function bound(part: number): string {
  return part + 1 > 100 ? 'over x 100' : part + 1 < 0.01 ? 'under x 0.01' : change(part);
}

/** Ratios within this factor are drawn to scale; larger ones are drawn at the edge. */
const WIDEST = Math.log(10);

/** Half of the axis, as the logarithm of a ratio: wide enough for all, and for the smallest relevant difference. */
export function reach(figures: Figure[], minEffect: number): number {
  const ends = figures.flatMap((figure) => [figure.low, figure.high, figure.effect]).map((part) => Math.abs(Math.log1p(part)));
  return Math.min(WIDEST, Math.max(2 * Math.log1p(minEffect), ...ends) * 1.08);
}

/** The axis of changes, symmetric around no change. */
function axisOf(wide: number): (log: number) => string {
  return (log) => `${(50 * (1 + Math.min(1, Math.max(-1, log / wide)))).toFixed(2)}%`;
}

/** More lines than these do not fit one screen; then those that changed are shown, and the largest other differences. */
const MOST_LINES = 13;

/** Both sides of every headline figure beside each other, and all changes on one axis. */
function overview(data: ComparisonPage): HTMLElement | undefined {
  const { rows, sides: all, minEffect } = data.comparison;
  const first = all[0]?.name ?? 'A';
  const lines = rows.flatMap((row, at) => headlines(row).map((figure) => ({ row, at, figure })));
  const rank = ({ outcome }: Figure): number => ['worse', 'better', 'too_noisy', 'no_difference'].indexOf(outcome);
  const size = ({ effect }: Figure): number => Math.abs(Math.log1p(effect));
  const kept = new Set<(typeof lines)[number]>();
  for (const line of [...lines].sort((a, b) => rank(a.figure) - rank(b.figure) || size(b.figure) - size(a.figure))) {
    kept.add(line);
    const places = new Set([...kept].map(({ at }) => at));
    if (kept.size + places.size > MOST_LINES) { // the name of each place is a line, too
      kept.delete(line);
    }
  }
  const shown = lines.filter((line) => kept.has(line));
  if (shown.length === 0) {
    return undefined;
  }
  const wide = reach(shown.map(({ figure }) => figure), minEffect);
  const place = axisOf(wide);
  const several = all.length > 2;
  const head = (text: string, kind?: string): HTMLElement => h('th', { scope: 'col', class: kind }, text);
  const table = h(
    'table',
    {},
    h('caption', { class: 'off-screen' }, 'Every headline figure of both sides'),
    h(
      'thead',
      {},
      h(
        'tr',
        {},
        head('test, channel and figure', 'text'),
        head(first),
        head(several ? 'other' : (all[1]?.name ?? 'B')),
        head('change'),
        h('th', { scope: 'col', class: 'picture' }, axis(wide, place)),
        h('th', { scope: 'col', class: 'text' }, h('span', { class: 'off-screen' }, 'outcome')),
      ),
    ),
    rows.map((row, at) => {
      const own = shown.filter((line) => line.at === at);
      return (
        own.length > 0 &&
        h(
          'tbody',
          {},
          h(
            'tr',
            { class: 'group' },
            h('th', { scope: 'rowgroup', colspan: 6, class: 'text' }, linkTo(`row-${at + 1}`, data.places[at] ?? ''), several && h('span', { class: 'where' }, row.side)),
          ),
          own.map(({ figure }) => overviewLine(figure, wordOf(data, row, figure), minEffect, place, [first, several ? row.side : (all[1]?.name ?? 'B')])),
        )
      );
    }),
  );
  return h(
    'div',
    { class: 'overview effects' },
    h('div', { class: 'lines' }, table),
    h(
      'p',
      { class: 'note' },
      `Bar: interval of the change. Stroke: the change. Shaded: less than ${digits(100 * minEffect)} %, not worth reporting.`,
      shown.length < lines.length && ` ${shown.length} of ${lines.length} figures: those that changed first, then the largest differences.`,
    ),
  );
}

/** Rate, median and 99th percentile of the latency that decides. */
function headlines(row: Row): Figure[] {
  const judge = ['responseNs', 'roundTripNs'].find((name) => row.figures.some((figure) => figure.name === `${name}.p50`));
  return row.figures.filter(({ name }) => !name.includes('.') || ((judge === undefined || name.startsWith(`${judge}.`)) && /\.(p50|p99)$/.test(name)));
}

function overviewLine(figure: Figure, said: string, minEffect: number, place: (log: number) => string, [first, other]: [string, string]): HTMLElement {
  const cell = (name: string, value: string): HTMLElement => h('td', { 'data-name': name }, value);
  return h(
    'tr',
    {},
    h('th', { scope: 'row', class: 'text' }, h('span', { class: 'where' }, figureTitle(figure.name))),
    cell(first, shownValue(figure, figure.first)),
    cell(other, shownValue(figure, figure.other)),
    cell('change', change(figure.effect)),
    h('td', { class: `picture track ${figure.outcome.replace('_', '-')}` }, effectPicture(figure, minEffect, place, 20)),
    h('td', { class: 'text remarks' }, h('span', { class: `tag ${tagKind(figure.outcome)}` }, said)),
  );
}

function shownValue(figure: Figure, { value }: Estimate): string {
  return figure.moreIsBetter ? rate(value) : time(value);
}

/** More cards than these hide what comes after them; then those of a test are in one card. */
const MOST_CARDS = 12;

function rowCards(data: ComparisonPage): HTMLDetailsElement[] {
  const { rows } = data.comparison;
  const cards = rows.map((row, at) => rowCard(data, row, at));
  if (rows.length <= MOST_CARDS) {
    return cards;
  }
  return [...new Set(rows.map((row) => row.test))].map((name, at) => {
    const own = rows.filter((row) => row.test === name);
    return card(
      `changes-${at + 1}`,
      `Changes of ${name}`,
      [h('span', { class: 'kind' }, own.length === 1 ? '1 row' : `${own.length} rows`), h('span', { class: 'headline' }, outcomes(data, own))],
      cards.filter((_, row) => rows[row]?.test === name),
    );
  });
}

/** How many figures of these rows came out how. */
function outcomes(data: ComparisonPage, rows: Row[]): string {
  const all = rows.flatMap((row) => row.figures.map((figure) => wordOf(data, row, figure)));
  const counted = [...new Set([...Object.values(WORDS), ...all])].map((word) => ({
    word,
    times: all.filter((each) => each === word).length,
  }));
  const broken = rows.reduce((sum, row) => sum + row.broken.length, 0);
  return [...counted, { word: 'broken', times: broken }]
    .filter(({ times }) => times > 0)
    .map(({ word, times }) => `${times} ${word}`)
    .join(', ');
}

function rowCard(data: ComparisonPage, row: Row, at: number): HTMLDetailsElement {
  const first = data.comparison.sides[0]?.name ?? 'A';
  const wide = reach(row.figures, data.comparison.minEffect);
  const place = axisOf(wide);
  return card(
    `row-${at + 1}`,
    data.places[at] ?? '',
    [h('span', { class: 'kind' }, `${row.side} against ${first}`), row.broken.length > 0 && h('span', { class: 'tag bad' }, 'broken')],
    row.broken.length > 0 && h('ul', { class: 'reasons fail' }, row.broken.map((each) => h('li', {}, each))),
    row.differences.length > 0 && h('p', { class: 'note' }, `Not the same: ${row.differences.join('; ')}.`),
    row.figures.length > 0 && h(
      'div',
      { class: 'strips effects' },
      row.figures.map((figure) => effect(figure, wordOf(data, row, figure), data.comparison.minEffect, place, [first, row.side])),
      h('div', { class: 'row axis', 'aria-hidden': 'true' }, h('div', { class: 'name' }), axis(wide, place)),
    ),
    row.figures.length > 0 && h(
      'p',
      { class: 'note' },
      `Bar: interval of the change. Stroke: the change. Shaded: less than ${digits(100 * data.comparison.minEffect)} %, not worth reporting. `,
      'Left is less, right is more, by ratio.',
    ),
  );
}

function effect(
  figure: Figure,
  said: string,
  minEffect: number,
  place: (log: number) => string,
  [first, other]: [string, string],
): HTMLElement {
  const pair = (name: string, estimate: Estimate): HTMLElement =>
    h('span', { class: 'pairing' }, `${name} `, h('b', {}, shownValue(figure, estimate)));
  return h(
    'div',
    { class: 'row' },
    h('div', { class: 'name' }, figureTitle(figure.name)),
    h(
      'div',
      { class: `track ${figure.outcome.replace('_', '-')}` },
      effectPicture(figure, minEffect, place, 24),
    ),
    h(
      'div',
      { class: 'said' },
      h('span', { class: `tag ${tagKind(figure.outcome)}` }, said),
      h(
        'span',
        { class: 'pairing' },
        h('b', {}, change(figure.effect)),
        figure.low === figure.high ? '' : ` (${bound(figure.low)} .. ${bound(figure.high)})`,
      ),
      pair(first, figure.first),
      pair(other, figure.other),
      figure.outcome === 'too_noisy' && h('span', {}, figure.reason),
    ),
  );
}

/** The interval of a change over the part that is not worth reporting. */
function effectPicture(figure: Figure, minEffect: number, place: (log: number) => string, height: number): SVGElement {
  const middle = height / 2;
  const stroke = (log: number, half: number, kind: string): SVGElement =>
    svg('line', { x1: place(log), x2: place(log), y1: middle - half, y2: middle + half, class: kind });
  const band = Math.log1p(minEffect);
  const width = `${Number.parseFloat(place(band)) - Number.parseFloat(place(-band))}%`;
  const [from, to] = [place(Math.log1p(figure.low)), place(Math.log1p(figure.high))];
  return svg(
    'svg',
    { width: '100%', height, 'aria-hidden': 'true' },
    svg('rect', { x: place(-band), y: 0, height, width, class: 'noise' }),
    stroke(0, middle, 'noise-edge'),
    svg('line', { x1: from, x2: to, y1: middle, y2: middle, class: 'thick' }),
    stroke(Math.log1p(figure.effect), 0.38 * height, 'median'),
  );
}

function tagKind(outcome: Outcome): string {
  return { better: 'good', worse: 'bad', no_difference: '', too_noisy: 'careful' }[outcome];
}

function axis(wide: number, place: (log: number) => string): HTMLElement {
  return named([-1, 0, 1].map((part) => ({ text: part === 0 ? 'same' : change(Math.expm1(part * wide)), at: place(part * wide) })));
}

function differences(data: ComparisonPage): HTMLDetailsElement | undefined {
  const all = data.comparison.differences;
  return all.length === 0
    ? undefined
    : card(
        'differences',
        'Not the same',
        [],
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
