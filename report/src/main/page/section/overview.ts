import { latencyScale, type Scale } from '../chart/scale';
import { type Block, headline, type Latency, type Page, type Row, type Test } from '../data';
import { h, svg } from '../dom';
import { count, rate, time } from '../format';
import { linkTo } from './card';
import { remarks, tags } from './latency-table';
import { axis, range, ranges } from './strips';

/** More lines than these do not fit one screen; then each channel keeps its first and its last step. */
const MOST_LINES = 24;

interface Line {
  block: Block;
  row: Row;
  at: number;
  /** Empty where the rate is what counts, and the latency is that of a queue. */
  latency: Latency | undefined;
}

interface Group {
  id: string;
  test: Test;
  lines: Line[];
}

export function testId(at: number): string {
  return `test-${at + 1}`;
}

/** Every test and channel on one axis; nothing where there is only one line. */
export function overview(data: Page): HTMLElement | undefined {
  const groups = groupsOf(data);
  const lines = groups.flatMap((group) => group.lines);
  if (lines.length < 2) {
    return undefined;
  }
  const latencies = lines.flatMap(({ latency }) => (latency ? [latency] : []));
  const noiseNs = Math.max(0, ...lines.map(({ block, latency }) => (latency ? block.noiseMaxNs : 0)));
  const scale = latencies.length > 0 ? latencyScale([...latencies.flatMap(({ min, max }) => [min, max]), ...(noiseNs > 0 ? [noiseNs] : [])], 7) : undefined;
  const head = (text: string, kind?: string): HTMLElement => h('th', { scope: 'col', class: kind }, text);
  const marked = lines.some(({ row }) => remarks(row).length > 0);
  return h(
    'div',
    { class: 'overview' },
    h(
      'table',
      {},
      h('caption', { class: 'off-screen' }, 'All tests and channels'),
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          head('test and channel', 'text'),
          scale && h('th', { scope: 'col', class: 'picture' }, axis(scale)),
          head('rate', 'aside'),
          scale && [head('50 %'), head('99 %'), head('99.9 %', 'aside'), head('longest')],
          head('lost'),
          marked && head('', 'text'),
        ),
      ),
      groups.map((group) => body(group, scale, marked)),
    ),
    scale && h('p', { class: 'note' }, ranges(noiseNs), left(groups) && ' Of each test and channel the first and the last step.'),
  );
}

function groupsOf(data: Page): Group[] {
  const all = data.tests.reduce((sum, test) => sum + test.blocks.reduce((rows, block) => rows + block.rows.length, 0), 0);
  return data.tests.map((test, at) => ({
    id: testId(at),
    test,
    lines: test.blocks.flatMap((block, channel) =>
      block.rows
        .filter((_, step) => all <= MOST_LINES || step === 0 || step === block.rows.length - 1)
        .map((row) => ({ block, row, at: channel, latency: latencyOf(test, row) })),
    ),
  }));
}

function latencyOf(test: Test, row: Row): Latency | undefined {
  const isQueue = row.verdict === 'void' || (test.loop === 'stream' && row.labels.includes('saturated'));
  return isQueue ? undefined : headline(row)?.latency;
}

function left(groups: Group[]): boolean {
  return groups.some(({ test, lines }) => lines.length < test.blocks.reduce((sum, block) => sum + block.rows.length, 0));
}

/** A test with one line is named in that line; others have their name above their lines. */
function body(group: Group, scale: Scale | undefined, marked: boolean): HTMLElement {
  const only = group.lines.length === 1 ? group.lines[0] : undefined;
  const name = linkTo(group.id, group.test.name);
  if (only) {
    return h('tbody', {}, line(group, only, [name, place(group, only, true)], scale, marked));
  }
  return h(
    'tbody',
    {},
    h('tr', { class: 'group' }, h('th', { scope: 'rowgroup', colspan: 9, class: 'text' }, name)),
    group.lines.map((each) => line(group, each, [place(group, each, false)], scale, marked)),
  );
}

/** Channel and step, without what all lines of the test share. */
function place({ lines }: Group, { block, row }: Line, only: boolean): HTMLElement {
  const steps = new Set(lines.map((line) => line.row.name));
  const channels = new Set(lines.map((line) => line.block.channel));
  const step = only || steps.size > 1 || channels.size === 1 ? row.name : '';
  const channel = only || channels.size > 1 ? block.channel : '';
  return h('span', { class: 'where' }, [channel, step].filter((part) => part !== '').join(', ') || 'all');
}

function line(group: Group, each: Line, name: HTMLElement[], scale: Scale | undefined, marked: boolean): HTMLElement {
  const { row, block, latency, at } = each;
  const isMeasured = row.verdict !== 'void';
  const cell = (name: string, text: string, kind?: string): HTMLElement => h('td', { class: kind, 'data-name': name }, text);
  const timeText = (ns: number | undefined): string => (latency ? (ns === undefined ? 'n/a' : time(ns)) : '');
  return h(
    'tr',
    {},
    h('th', { scope: 'row', class: 'text', title: `${group.test.name} ${block.channel}, ${row.name}` }, name),
    scale &&
      h(
        'td',
        { class: `picture series-${(at % 8) + 1}` },
        latency ? range(latency, block.noiseMaxNs, scale, 20) : h('span', { class: 'where' }, whyNone(group.test, row)),
      ),
    cell('rate', isMeasured ? rate(row.achievedRatePerSecond) : '', 'aside'),
    scale && [
        cell('50 %', timeText(latency?.p50)),
        cell('99 %', timeText(latency?.p99)),
        cell('99.9 %', timeText(latency?.p999), 'aside'),
        cell('longest', timeText(latency?.max)),
      ],
    cell('lost', isMeasured ? count(row.counts.lost) : ''),
    marked && h('td', { class: 'text remarks' }, tags(row, short(row))),
  );
}

function whyNone(test: Test, row: Row): string {
  if (row.verdict === 'void') {
    return 'void: no valid measurement';
  }
  return test.loop === 'stream' ? 'as fast as it goes: the rate is what counts' : 'no latency';
}

/** Remarks in a word each; losses have their own column. */
function short(row: Row): { text: string; kind: string }[] {
  return remarks({ ...row, counts: { ...row.counts, lost: 0 } }).map(({ text, kind }) => ({
    text: text === 'noise could explain the tail' ? 'noisy' : text,
    kind,
  }));
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
  const scale = latencyScale(all.flatMap(({ latency }) => [latency.min, latency.max]), 2);
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
