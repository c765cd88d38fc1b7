import { HELP } from '../help';
import { pace, ratio, rendering, thresholds, type Row } from '../rows';
import { h } from './dom';
import { count, digits, ms } from './format';

export interface RowWishes {
  rename(row: Row, name: string): void;
  remove(row: Row): void;
  use(row: Row): void;
  link(row: Row): void;
  exportCsv(): void;
  exportJson(): void;
  save(): void;
}

export interface RowsView {
  element: HTMLElement;
  show(rows: Row[]): void;
  say(words: string): void;
}

const PARAMETERS: [string, (row: Row) => string][] = [
  ['Symbols', (row) => count(row.settings.symbols)],
  ['Threads', (row) => String(row.settings.threads)],
  ['Sleep or rate', pace],
  ['Channel', (row) => row.settings.channel],
  ['Max freq.', (row) => String(row.settings.maxFrequency)],
  ['Conflation', (row) => row.settings.conflation],
  ['Frame rate', (row) => (row.settings.framesPerSecond === 0 ? 'display' : String(row.settings.framesPerSecond))],
  ['Rendering', rendering],
];

const counted = (value: number | null): string => (value === null ? '–' : count(value));

const RESULTS: [string, (row: Row) => string, ((row: Row) => number) | undefined][] = [
  ['Messages', (row) => count(row.messages), (row) => row.messages],
  ['Messages/s', (row) => digits(row.perSecond), (row) => row.perSecond],
  ['Avg latency, ms', (row) => ms(row.meanNs ?? NaN), (row) => row.meanNs ?? NaN],
  ['p99, ms', (row) => ms(row.p99Ns ?? NaN), (row) => row.p99Ns ?? NaN],
  ['Max, ms', (row) => ms(row.maxNs ?? NaN), (row) => row.maxNs ?? NaN],
  ['p99 to screen', (row) => ms(row.screenP99Ns ?? NaN), (row) => row.screenP99Ns ?? NaN],
  ['Flush, ms', (row) => String(row.settings.flushMs), undefined],
  ['Merged', (row) => counted(row.merged), undefined],
  ['Dropped', (row) => counted(row.dropped), undefined],
];

/** How thresholds came out, below the limit that was met. */
const OUTCOMES: Record<string, string> = { passes: '✓ passes', fails: '✕ fails', unknown: '… unknown' };

/** A sentence for each column; those of the parameters are at the controls. */
const EXPLAINED: [string, string][] = [
  ['Messages', HELP.messages], ['Messages/s', HELP.perSecond], ['Avg latency', HELP.latency], ['p99', HELP.p99],
  ['Max', HELP.rowMax], ['Flush', HELP.flush], ['Merged', HELP.merged], ['Dropped', HELP.dropped], ['Limit met', HELP.limit], ['To screen', HELP.screen], ['✓ or ✕', HELP.thresholds],
];

/** The table of benchmark rows; one of them can be what the others are compared with. */
export function rowsView(wishes: RowWishes): RowsView {
  let rows: Row[] = [];
  let baseline = '';
  const body = h('tbody');
  const words = h('p', { class: 'said', role: 'status' });
  const empty = h('p', { class: 'empty' }, 'No rows yet. Start the feed, press Run Benchmark, and a minute later the first one is here.');
  const table = h('table', {},
    h('thead', {}, h('tr', {},
      h('th', { scope: 'col' }, 'Name'),
      PARAMETERS.map(([title]) => h('th', { scope: 'col' }, title)),
      RESULTS.map(([title], i) => h('th', { scope: 'col', class: i === 0 ? 'result first' : 'result' }, title)),
      h('th', { scope: 'col' }, 'Limit met'),
      h('th', { scope: 'col' }, h('span', { class: 'off' }, 'What to do with it')))),
    body);
  const legend = h('dl', { class: 'legend' }, EXPLAINED.map(([title, words]) => h('div', {}, h('dt', {}, title), h('dd', {}, words))));
  const scroll = h('div', { class: 'rows-scroll', tabindex: 0, role: 'region', 'aria-label': 'Table of benchmark rows' }, table);
  const exports = h('span', { class: 'exports' },
    h('button', { type: 'button', class: 'plain', click: () => wishes.exportCsv() }, 'CSV'),
    h('button', { type: 'button', class: 'plain', click: () => wishes.exportJson() }, 'JSON'),
    h('button', { type: 'button', class: 'plain', click: () => wishes.save() }, 'Result folder'));

  function line(row: Row): HTMLElement {
    const name = h('input', { type: 'text', value: row.name, 'aria-label': `Name of the row ${row.name}`, maxlength: 60 });
    name.addEventListener('change', () => wishes.rename(row, name.value));
    const held = thresholds(row);
    const base = rows.find((each) => each.id === baseline);
    return h('tr', { class: row.id === baseline ? 'baseline' : undefined },
      h('th', { scope: 'row' }, name),
      PARAMETERS.map(([, value]) => h('td', {}, value(row))),
      RESULTS.map(([, value, figure], i) => h('td', { class: i === 0 ? 'result first' : 'result' }, value(row),
        base && base !== row && figure ? h('span', { class: 'ratio' }, ratio(figure(row), figure(base))) : undefined)),
      h('td', {}, row.limit, OUTCOMES[held.outcome] && h('span', { class: 'outcome', 'data-state': held.outcome, title: held.words }, OUTCOMES[held.outcome])),
      h('td', { class: 'do' },
        h('button', { type: 'button', class: 'plain', 'aria-pressed': String(row.id === baseline), click: () => compare(row) }, row.id === baseline ? 'Compared' : 'Compare'),
        h('button', { type: 'button', class: 'plain', click: () => wishes.use(row) }, 'Use'),
        h('button', { type: 'button', class: 'plain', click: () => wishes.link(row) }, 'Link'),
        h('button', { type: 'button', class: 'plain', 'aria-label': `Delete ${row.name}`, click: () => wishes.remove(row) }, '✕')));
  }

  function compare(row: Row): void {
    baseline = baseline === row.id ? '' : row.id;
    show(rows);
  }

  function show(next: Row[]): void {
    rows = next;
    empty.hidden = rows.length > 0;
    scroll.hidden = rows.length === 0;
    exports.hidden = rows.length === 0;
    body.replaceChildren(...rows.map(line).reverse());
  }

  return {
    element: h('section', { class: 'rows', 'aria-labelledby': 'rows-title' },
      h('div', { class: 'head' }, h('h2', { id: 'rows-title' }, 'Benchmark rows'), exports), words, empty, scroll, legend),
    show,
    say: (said) => (words.textContent = said),
  };
}
