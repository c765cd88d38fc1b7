import { logAxis } from '../chart/plot';
import type { Page, Search, SearchTrial } from '../data';
import { h, svg } from '../dom';
import { axisRate, count, rate, time } from '../format';
import { card } from './card';
import { scrolling } from './latency-table';
import { sideTable } from './side';

const HEIGHT = 260;

/** The bounds of each search, its trials as a picture, and as a table. */
export function searches(data: Page): HTMLDetailsElement | undefined {
  return data.searches.length === 0
    ? undefined
    : card(
        'searches',
        'Highest rate that holds',
        [],
        bounds(data.searches),
        data.searches.some(isUnconfirmed) && h('p', {}, '* Best bound so far, unconfirmed: the search was ended before its answer.'),
        data.references && sideTable(data.references, data.references.title),
        data.searches.map(picture),
      );
}

/** Bounds of a search that was ended are only the best so far. */
function isUnconfirmed(search: Search): boolean {
  return search.verdict === 'void' && (search.lowerBoundPerSecond > 0 || search.upperBoundPerSecond > 0);
}

function bounds(all: Search[]): HTMLElement {
  const columns = ['held', 'not held', `${Math.round(100 * (all[0]?.confidence ?? 0))} % from`, 'to', 'soaked', 'trials', 'search took'];
  return scrolling(
    'Bounds',
    h(
      'table',
      {},
      h('caption', {}, 'Bounds', h('span', { class: 'unit' }, 'messages per second')),
      h(
        'thead',
        {},
        h('tr', {}, ['test', 'channel'].map((name) => h('th', { scope: 'col', class: 'text' }, name)), columns.map((name) => h('th', { scope: 'col' }, name))),
      ),
      h(
        'tbody',
        {},
        all.map((search) =>
          h(
            'tr',
            {},
            h('th', { scope: 'row', class: 'text' }, search.test),
            h('td', { class: 'text' }, search.channel),
            [search.lowerBoundPerSecond, search.upperBoundPerSecond].map((value) => h('td', {}, value > 0 ? `${count(Math.round(value))}${isUnconfirmed(search) ? '*' : ''}` : 'n/a')),
            [
              search.lowPerSecond,
              search.highPerSecond,
              search.strictRatePerSecond,
            ].map((value) => h('td', {}, value > 0 ? count(Math.round(value)) : 'n/a')),
            h('td', {}, count(search.trials.length)),
            h('td', {}, time(search.searchNs)),
          ),
        ),
      ),
    ),
  );
}

/** Each trial at its rate, in the order in which they were done; a wider mark is a longer trial. */
function picture(search: Search): HTMLElement {
  const paced = search.trials.filter((trial) => trial.ratePerSecond > 0);
  const levels = [search.lowerBoundPerSecond, search.lowPerSecond, search.highPerSecond].filter((value) => value > 0);
  if (paced.length === 0) {
    return h('p', {}, `${search.test}: no trial at a rate was done.`);
  }
  const rates = [...paced.map((trial) => trial.ratePerSecond), ...levels];
  const { range, ticks } = logAxis(rates, 6);
  const [low, high] = range.map(Math.log10) as [number, number];
  const y = (perSecond: number): number => HEIGHT * (1 - (Math.log10(perSecond) - low) / (high - low || 1));
  const longest = Math.max(...paced.map((trial) => trial.durationNs));
  const x = (at: number): string => `${((at + 0.5) / search.trials.length) * 100}%`;
  const marks = search.trials.flatMap((trial, at) => (trial.ratePerSecond > 0 ? mark(trial, x(at), y(trial.ratePerSecond), longest) : []));
  const band =
    search.lowPerSecond > 0
      ? [svg('rect', { x: 0, width: '100%', y: y(search.highPerSecond), height: Math.max(1, y(search.lowPerSecond) - y(search.highPerSecond)), class: 'band' })]
      : [];
  const answer =
    search.lowerBoundPerSecond > 0
      ? [svg('line', { x1: 0, x2: '100%', y1: y(search.lowerBoundPerSecond), y2: y(search.lowerBoundPerSecond), class: 'answer' })]
      : [];
  const where = search.channel ? `${search.test} on ${search.channel}` : search.test;
  return h(
    'figure',
    { class: 'search' },
    h('figcaption', {}, `Trials of ${where}`),
    h(
      'div',
      { class: 'frame', role: 'img', 'aria-label': summary(search, where) },
      h('div', { class: 'rates' }, ticks.map((tick) => label(tick, y(tick)))),
      svg('svg', { width: '100%', height: HEIGHT }, ...ticks.map((tick) => grid(y(tick))), ...band, ...answer, ...marks),
    ),
    h(
      'p',
      { class: 'note' },
      'From left to right in the order done. Dot: held. Cross: not held. Larger: longer. Ring: the answer again in new processes, and the soak. ' +
        `Line: the answer. Band: ${Math.round(100 * search.confidence)} % confidence.`,
    ),
    h('details', {}, h('summary', {}, 'The trials as a table'), table(search)),
  );
}

function mark(trial: SearchTrial, x: string, y: number, longest: number): SVGElement[] {
  const size = 2.5 + 3 * Math.sqrt(trial.durationNs / longest);
  const ring = trial.purpose === 'confirmation' || trial.purpose === 'soak' ? [svg('circle', { cx: x, cy: y, r: size + 4, class: 'ring' })] : [];
  if (trial.outcome === 'good') {
    return [...ring, svg('circle', { cx: x, cy: y, r: size, class: 'good' })];
  }
  const inner = svg('path', { d: `M${-size} ${-size}L${size} ${size}M${-size} ${size}L${size} ${-size}`, class: trial.outcome });
  return [...ring, svg('svg', { x, y, overflow: 'visible' }, inner)];
}

function grid(y: number): SVGElement {
  return svg('line', { x1: 0, x2: '100%', y1: y, y2: y, class: 'grid' });
}

function label(tick: number, y: number): HTMLElement {
  const element = h('span', {}, axisRate(tick));
  element.style.top = `${y}px`;
  return element;
}

function summary(search: Search, where: string): string {
  const bad = search.trials.filter((trial) => trial.outcome === 'bad').length;
  return `${where}: ${search.trials.length} trials, ${bad} of them bad; held ${rate(search.lowerBoundPerSecond)}.`;
}

function table(search: Search): HTMLElement {
  return scrolling(
    'Trials',
    h(
      'table',
      {},
      h('thead', {}, h('tr', {}, ['trial', 'for', 'length', 'offered/s', 'achieved/s', 'outcome', 'tail', 'why'].map((name) => h('th', { scope: 'col', class: ['for', 'outcome', 'tail', 'why'].includes(name) ? 'text' : undefined }, name)))),
      h(
        'tbody',
        {},
        search.trials.map((trial, at) =>
          h(
            'tr',
            {},
            h('th', { scope: 'row' }, String(at + 1)),
            h('td', { class: 'text' }, trial.purpose),
            h('td', {}, time(trial.durationNs)),
            h('td', {}, trial.ratePerSecond > 0 ? count(Math.round(trial.ratePerSecond)) : 'max'),
            h('td', {}, count(Math.round(trial.achievedPerSecond))),
            h('td', { class: 'text' }, trial.outcome + (trial.perhapsTaken ? ', perhaps taken' : '')),
            h('td', { class: 'text' }, trial.notExamined ? 'not examined' : trial.disturbed ? 'disturbed' : ''),
            h('td', { class: 'text' }, trial.reason),
          ),
        ),
      ),
    ),
  );
}
