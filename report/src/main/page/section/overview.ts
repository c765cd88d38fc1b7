import { latencyScale, type Scale } from '../chart/scale';
import { type Block, headline, type Latency, type OverviewColumn, type Row, type Test } from '../data';
import { h, svg } from '../dom';
import { count, rate, time } from '../format';
import { linkTo } from './card';
import { legend, marks, type Remark, remarks } from './remarks';
import { axis, range, ranges } from './strips';

/** More lines than these do not fit one screen; then each channel keeps its first and its last step, or its first. */
const MOST_LINES = 14;

/** The most lines of the first screen, 1280 by 800, where they are close together: more than the default run has. */
export const MOST_ON_SCREEN = 24;

/** So many have room between them there. */
const MOST_APART = 18;

const HEIGHT = 20;
const CLOSE_HEIGHT = 15;

/** The least part of the axis between two names: a time with its unit, where the picture is narrowest. */
const APART = 0.2;

interface Line {
  block: Block;
  row: Row;
  colour: number;
  /** Empty where the rate is what counts, and the latency is that of a queue. */
  latency: Latency | undefined;
  /** What was measured where that is not valid. */
  invalid: Latency | undefined;
}

interface Group {
  id: string;
  test: Test;
  lines: Line[];
}

/** Late echoes are not lost; what an echo service received that is not a role is not known. */
function isShown(column: OverviewColumn, rows: Row[], hasTimes: boolean): boolean {
  switch (column.kind) {
    case 'rate':
      return true;
    case 'time':
      return hasTimes;
    case 'count':
      return column.key === 'notEchoed'
        ? rows.some(({ counts }) => counts.lost === undefined || counts.notEchoed > counts.lost)
        : rows.some(({ counts }) => counts[column.key] !== undefined);
  }
}

export function testId(at: number): string {
  return `test-${at + 1}`;
}

/**
 * Every test and channel on one axis; nothing where there is only one line. The colour of a channel is its place in the
 * test, unless `colours` has another one. Where even one line of each channel is more than `most`, those that did not
 * pass are shown before others.
 */
export function overview(tests: Test[], colours = new Map<Block, number>(), most = Infinity): HTMLElement | undefined {
  const groups = bounded(groupsOf(tests, colours), most);
  const lines = groups.flatMap((group) => group.lines);
  if (lines.length < 2) {
    return undefined;
  }
  const latencies = lines.flatMap(({ latency }) => (latency ? [latency] : []));
  const noiseNs = Math.max(0, ...lines.map(({ block, latency }) => (latency ? block.noiseMaxNs : 0)));
  const scale = latencies.length > 0 ? latencyScale([...latencies.flatMap(({ min, max }) => [min, max]), ...(noiseNs > 0 ? [noiseNs] : [])], APART) : undefined;
  const hasTimes = lines.some(({ latency, invalid }) => latency ?? invalid);
  const head = (text: string, kind?: string): HTMLElement => h('th', { scope: 'col', class: kind }, text);
  const rows = lines.map(({ row }) => row);
  const columns = (tests[0]?.overviewColumns ?? []).filter((column) => isShown(column, rows, hasTimes));
  const marked = lines.flatMap(({ row }) => noted(row));
  const isClose = most !== Infinity && lines.length > MOST_APART;
  const table = h(
    'table',
    { class: isClose ? 'close' : undefined },
    h('caption', { class: 'off-screen' }, 'All tests and channels'),
    h(
      'thead',
      {},
      h(
        'tr',
        {},
        head('test', 'text'),
        head('channel', 'text'),
        hasTimes && h('th', { scope: 'col', class: 'picture' }, scale ? axis(scale) : h('span', { class: 'off-screen' }, 'range')),
        columns.map(({ title, aside }) => head(title, aside ? 'aside' : undefined)),
        marked.length > 0 && h('th', { scope: 'col', class: 'text' }, h('span', { class: 'off-screen' }, 'remarks')),
      ),
    ),
    groups.map((group) => body(group, hasTimes, scale, columns, marked.length > 0, isClose ? CLOSE_HEIGHT : HEIGHT)),
  );
  return h(
    'div',
    { class: 'overview' },
    h('div', { class: 'lines' }, table),
    scale && h('p', { class: 'note' }, ranges(latencies, noiseNs), left(tests, groups)),
    marked.length > 0 && h('p', { class: 'note' }, legend(marked)),
  );
}

function groupsOf(tests: Test[], colours: Map<Block, number>): Group[] {
  const blocks = tests.flatMap((test) => test.blocks);
  const linesWith = (most: number): number => blocks.reduce((sum, { rows }) => sum + Math.min(most, rows.length), 0);
  const isKept = (step: number, last: number): boolean =>
    step === 0 || linesWith(Infinity) <= MOST_LINES || (step === last && linesWith(2) <= MOST_LINES);
  return tests.map((test, at) => ({
    id: testId(at),
    test,
    lines: test.blocks.flatMap((block, channel) =>
      block.rows
        .filter((_, step) => isKept(step, block.rows.length - 1))
        .map((row) => ({
          block,
          row,
          colour: colours.get(block) ?? channel,
          latency: latencyOf(test, row),
          invalid: row.verdict === 'void' ? headline(row)?.latency : undefined,
        })),
    ),
  }));
}

function bounded(groups: Group[], most: number): Group[] {
  const all = groups.flatMap(({ lines }) => lines);
  const kept = new Set([...all.filter(({ row }) => row.verdict !== 'pass'), ...all.filter(({ row }) => row.verdict === 'pass')].slice(0, most));
  return groups
    .map((group) => ({ ...group, lines: group.lines.filter((line) => kept.has(line)) }))
    .filter(({ lines }) => lines.length > 0);
}

function latencyOf(test: Test, row: Row): Latency | undefined {
  const isQueue = row.verdict === 'void' || (test.loop === 'stream' && row.labels.includes('saturated'));
  return isQueue ? undefined : headline(row)?.latency;
}

/** Which steps are left out, if any. */
function left(tests: Test[], groups: Group[]): string {
  const shown = groups.reduce((sum, { lines }) => sum + lines.length, 0);
  const blocks = tests.flatMap((test) => test.blocks);
  if (shown === blocks.reduce((sum, { rows }) => sum + rows.length, 0)) {
    return '';
  }
  if (shown < blocks.length) {
    return ` ${shown} of ${blocks.length} tests and channels, those first that did not pass; all are below.`;
  }
  return ` Of each test and channel ${shown > blocks.length ? 'the first and the last step' : 'the first step'}; all are below.`;
}

/** The name of a test stands beside all of its lines. */
function body(
  group: Group,
  hasTimes: boolean,
  scale: Scale | undefined,
  columns: OverviewColumn[],
  marked: boolean,
  height: number,
): HTMLElement {
  return h(
    'tbody',
    {},
    group.lines.map((each, at) =>
      line(
        group,
        each,
        at === 0 && h('th', { scope: 'rowgroup', rowspan: group.lines.length, class: 'text test' }, linkTo(group.id, group.test.name), shared(group)),
        hasTimes,
        scale,
        columns,
        marked,
        height,
      ),
    ),
  );
}

/** The step of all lines of a test, where there are several. */
function shared({ lines }: Group): HTMLElement | false {
  const name = lines[0]?.row.name ?? '';
  return lines.length > 1 && name !== '' && lines.every(({ row }) => row.name === name) && h('span', { class: 'where' }, name);
}

/** Channel and step, without what all lines of the test share. */
function place({ lines }: Group, { block, row }: Line): string {
  const only = lines.length === 1;
  const steps = new Set(lines.map((line) => line.row.name));
  const channels = new Set(lines.map((line) => line.block.channel));
  const step = only || steps.size > 1 || channels.size === 1 ? row.name : '';
  const channel = only || channels.size > 1 ? block.channel : '';
  return [channel, step].filter((part) => part !== '').join(', ') || 'all';
}

function line(
  group: Group,
  each: Line,
  test: HTMLElement | false,
  hasTimes: boolean,
  scale: Scale | undefined,
  columns: OverviewColumn[],
  marked: boolean,
  height: number,
): HTMLElement {
  const { row, block, latency, colour } = each;
  const isMeasured = row.verdict !== 'void';
  const shown = latency ?? each.invalid;
  const cell = ({ title, aside }: OverviewColumn, text: string, isNone = false): HTMLElement =>
    h(
      'td',
      { class: [aside && 'aside', isNone && 'none', !isMeasured && text !== '' && 'invalid'].filter(Boolean).join(' ') || undefined, 'data-name': title },
      text,
    );
  const timeText = (ns: number | undefined): string => (shown ? (ns === undefined ? 'n/a' : time(ns)) : '');
  const figure = (column: OverviewColumn): HTMLElement => {
    switch (column.kind) {
      case 'rate':
        return cell(column, isMeasured || shown ? rate(row[column.key]) : '');
      case 'time':
        return cell(column, timeText(shown?.[column.key]));
      case 'count': {
        const counted = isMeasured ? row.counts[column.key] : undefined;
        return cell(column, counted === undefined ? '' : count(counted), counted === 0);
      }
    }
  };
  return h(
    'tr',
    {},
    test,
    h('th', { scope: 'row', class: 'text where', title: `${group.test.name} ${block.channel}, ${row.name}` }, place(group, each)),
    hasTimes &&
      h(
        'td',
        { class: `picture series-${(colour % 8) + 1}` },
        latency && scale ? range(latency, block.noiseMaxNs, scale, height) : h('span', { class: 'where' }, whyNone(group.test, row)),
      ),
    columns.map(figure),
    marked && h('td', { class: 'text remarks' }, marks(noted(row))),
  );
}

function whyNone(test: Test, row: Row): string {
  if (row.verdict === 'void') {
    return 'void: not valid';
  }
  return test.loop === 'stream' ? 'as fast as it goes: the rate is what counts' : 'no latency';
}

/** Remarks that have no column of their own. */
function noted(row: Row): Remark[] {
  return remarks({ ...row, counts: { ...row.counts, lost: 0, notEchoed: 0 } });
}

/** The ranges of a test's channels, small, without axis and figures; for streams their rates. */
export function thumbnail(test: Test): SVGElement | undefined {
  const rows = test.blocks.flatMap((block, at) => (block.rows[0] ? [{ row: block.rows[0], at }] : []));
  const latencies = rows.flatMap(({ row, at }) => {
    const latency = latencyOf(test, row);
    return latency ? [{ latency, at }] : [];
  });
  const height = 7;
  const bars =
    latencies.length > 0
      ? small(latencies, height)
      : test.loop === 'stream'
        ? rateBars(rows, height)
        : [];
  return bars.length === 0
    ? undefined
    : svg('svg', { width: 150, height: bars.length * height, class: 'thumbnail', 'aria-hidden': 'true' }, ...bars);
}

function small(all: { latency: Latency; at: number }[], height: number): SVGElement[] {
  const scale = latencyScale(all.flatMap(({ latency }) => [latency.min, latency.max]), 1);
  return all.map(({ latency, at }, line) => {
    const y = (line + 0.5) * height;
    const stroke = (from: number, to: number, width: number): SVGElement =>
      svg('line', { x1: scale.place(from), x2: scale.place(to), y1: y, y2: y, 'stroke-width': width });
    return svg(
      'g',
      { class: `series-${(at % 8) + 1}` },
      stroke(latency.min, latency.max, 1),
      ...(latency.p50 !== undefined && latency.p99 !== undefined ? [stroke(latency.p50, latency.p99, 4)] : []),
    );
  });
}

function rateBars(all: { row: Row; at: number }[], height: number): SVGElement[] {
  const most = Math.max(1, ...all.map(({ row }) => row.achievedRatePerSecond));
  return all.map(({ row, at }, line) =>
    svg(
      'g',
      { class: `series-${(at % 8) + 1}` },
      svg('line', {
        x1: 0,
        x2: `${(100 * row.achievedRatePerSecond) / most}%`,
        y1: (line + 0.5) * height,
        y2: (line + 0.5) * height,
        'stroke-width': 4,
      }),
    ),
  );
}
