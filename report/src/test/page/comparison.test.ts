import { beforeEach, describe, expect, it, vi } from 'vitest';
import { change, type ComparisonPage, comparisonPage, type Figure, figureTitle, reach } from '../../main/page/comparison';
import { block, row, test } from './sample';

// charts need a real canvas; what they are given is tested in plot.test.ts
vi.mock('uplot', () => ({ default: class {} }));

const HOSTILE = '</script><img src=x onerror=alert(1)>';

function figure(wanted: Partial<Figure> = {}): Figure {
  const estimate = { value: 9000, low: 8900, high: 9100, repeats: [9000, 9000] };
  return {
    name: 'roundTripNs.p99',
    moreIsBetter: false,
    first: estimate,
    other: { ...estimate, value: 9900 },
    effect: 0.1,
    low: 0.05,
    high: 0.15,
    pValue: 0.001,
    outcome: 'worse',
    reason: '',
    ...wanted,
  };
}

function sample(figures: Figure[], wanted: Partial<ComparisonPage> = {}): ComparisonPage {
  const side = { name: 'A', path: 'results/a', plan: 'latency', startedAt: '2026-11-20T09:30:00Z', tickmark: '0.1.0', repeats: 5 };
  return {
    kind: 'comparison',
    title: 'B against A',
    resolution: '',
    conclusion: 'B against A: 1 worse.',
    verdict: 'fail',
    word: 'Worse',
    meaning: 'How to read it.',
    places: ['latency on shm:, 64 bytes'],
    runs: [],
    comparison: {
      tickmark: '0.1.0',
      minEffect: 0.03,
      sides: [side, { ...side, name: 'B', path: 'results/b' }],
      rows: [{ side: 'B', test: 'latency', differences: [], broken: [], figures }],
      settings: [],
      differences: [],
      notes: [],
    },
    ...wanted,
  };
}

function show(data: ComparisonPage): HTMLElement {
  document.body.replaceChildren(comparisonPage(data));
  return document.body;
}

describe('comparison', () => {
  beforeEach(() => document.body.replaceChildren());

  it('should say verdict, change and interval of each figure in words', () => {
    const row = show(sample([figure()])).querySelector('.effects .row');
    expect(row?.textContent).toContain('Round trip 99 %');
    expect(row?.querySelector('.tag')?.textContent).toBe('worse');
    expect(row?.textContent).toContain('+10.0 % (+5.0 % .. +15.0 %)');
  });

  it('should say of a worse figure that the first run differs from itself by as much', () => {
    const data = sample([figure(), figure({ name: 'roundTripNs.p50' })]);
    data.comparison.gate = { withinItself: [{ row: 0, name: 'roundTripNs.p50' }] };
    const tags = [...show(data).querySelectorAll('.effects .row .tag')].map((tag) => tag.textContent);
    expect(tags).toEqual(['worse', 'worse, within the noise of A']);
  });

  it('should say what the machine can see before the verdict on a build', () => {
    const body = show(sample([figure()], { title: 'head against base', resolution: 'In 45 s it can see 5 %.', verdict: 'void', word: 'Undecided' }));
    expect(body.querySelector('h1')?.textContent).toBe('head against base');
    const [first, second] = [...(body.querySelector('.summary')?.children ?? [])];
    expect(first?.textContent).toBe('In 45 s it can see 5 %.');
    expect(second?.textContent).toContain('Undecided');
  });

  it('should put both sides of each headline figure beside each other on one axis', () => {
    const latencies = ['p50', 'p90', 'p99', 'p999'].flatMap((name) => [figure({ name: `responseNs.${name}` }), figure({ name: `serviceNs.${name}` })]);
    const body = show(sample([figure({ name: 'ratePerSecond', moreIsBetter: true, outcome: 'no_difference', effect: 0 }), ...latencies]));
    const lines = [...body.querySelectorAll('.overview tbody tr:not(.group)')].map((line) => [...line.children].map((cell) => cell.textContent));
    expect(lines.map((cells) => cells[0])).toEqual(['Rate', 'Response time 50 %', 'Response time 99 %']);
    expect(lines[1]).toEqual(['Response time 50 %', '9.00\u00a0µs', '9.90\u00a0µs', '+10.0 %', '', 'worse']);
    (body.querySelector('.overview a') as HTMLAnchorElement).click();
    expect((body.querySelector('#row-1') as HTMLDetailsElement).open).toBe(true);
  });

  it('should show what changed where all figures do not fit', () => {
    const quiet = Array.from({ length: 30 }, () => figure({ name: 'roundTripNs.p50', outcome: 'no_difference', effect: 0 }));
    const body = show(sample([...quiet, figure()]));
    const names = [...body.querySelectorAll('.overview tbody tr:not(.group) th')].map((cell) => cell.textContent);
    expect(names).toHaveLength(12);
    expect(names).toContain('Round trip 99 %');
    expect(body.querySelector('.overview .note')?.textContent).toContain('12 of 31 figures');
  });

  it('should have a picture on its first screen where nothing changed', () => {
    const noisy = Array.from({ length: 30 }, (_, at) => figure({ name: 'roundTripNs.p50', outcome: 'too_noisy', effect: at / 100 }));
    const changes = [...show(sample(noisy)).querySelectorAll('.overview td[data-name="change"]')].map((cell) => cell.textContent);
    expect(changes).toHaveLength(12);
    expect(changes).toContain('+29.0 %');
    expect(changes).not.toContain('+2.0 %');
  });

  it('should keep the rows of a test in one card where there are many, and open both from the overview', () => {
    const data = sample([figure()], { places: Array.from({ length: 14 }, (_, at) => `row ${at + 1}`) });
    const first = data.comparison.rows[0]!;
    data.comparison.rows = data.places.map((_, at) => ({ ...first, test: at < 13 ? 'latency' : 'stream', broken: at === 1 ? ['Lost.'] : [] }));
    const body = show(data);
    expect([...body.querySelectorAll('#figures > details > summary')].map((each) => each.textContent)).toEqual([
      'Changes of latency13 rows13 worse, 1 broken', 'Changes of stream1 row1 worse', 'How to read it',
    ]);
    (body.querySelector('.overview a[href="#row-2"]') as HTMLAnchorElement).click();
    expect([...body.querySelectorAll<HTMLDetailsElement>('details')].filter((each) => each.open).map((each) => each.id)).toEqual(['changes-1', 'row-2']);
  });

  it('should draw nothing for a row that was not measured', () => {
    const body = show(sample([]));
    expect(body.querySelector('#row-1 h2')).not.toBeNull();
    expect(body.querySelector('.effects')).toBeNull();
  });

  it('should say why a figure is too noisy, and no interval where none is known', () => {
    const body = show(sample([figure({ outcome: 'too_noisy', reason: 'One repeat.', low: 0.1, high: 0.1 })]));
    expect(body.querySelector('.said')?.textContent).toContain('One repeat.');
    expect(body.querySelector('.said')?.textContent).not.toContain('..');
  });

  it('should make text of hostile names wherever they stand', () => {
    const data = sample([figure({ name: HOSTILE, reason: HOSTILE, outcome: 'too_noisy' })], { places: [HOSTILE], conclusion: HOSTILE });
    data.comparison.notes.push(HOSTILE);
    data.runs.push({ name: HOSTILE, tests: [test({ name: HOSTILE, blocks: [block({ channel: HOSTILE })] })], missing: [HOSTILE] });
    data.comparison.differences.push({ side: HOSTILE, what: HOSTILE, first: HOSTILE, other: HOSTILE });
    expect(show(data).querySelector('img')).toBeNull();
  });

  it('should put what both runs measured on one axis, a colour for each, and in one card of a test', () => {
    const blocks = [block({ channel: 'udp:' }), block({ channel: 'shm:' })];
    const slowest = { columns: ['why'], lists: [{ title: 'latency on udp:', rows: [['GC']], all: 1 }], notes: ['One is missing.'] };
    const runs = ['A', 'B'].map((name) => ({ name, tests: [test({ blocks, slowest })], missing: name === 'B' ? ['latency.hlog is missing.'] : [] }));
    const body = show(sample([figure()], { runs }));
    const lines = [...body.querySelectorAll('#axis tbody tr')];
    expect(lines.map((line) => line.querySelector('th.where')?.textContent)).toEqual(['A, udp:', 'B, udp:', 'A, shm:', 'B, shm:']);
    expect(lines.map((line) => line.querySelector('td.picture')?.className)).toEqual(
      ['picture series-1', 'picture series-2', 'picture series-1', 'picture series-2']);
    expect((body.querySelector('#axis') as HTMLDetailsElement).open).toBe(true);
    expect([...body.querySelectorAll('#test-1 .strips .name')].map((name) => name.textContent)).toEqual(
      ['A, udp:', 'B, udp:', 'A, shm:', 'B, shm:', '']);
    expect(body.querySelector('.missing')?.textContent).toContain('latency.hlog is missing.');
    expect([...body.querySelectorAll('.slowest caption, .slowest .note')].map((each) => each.textContent).slice(1)).toEqual(
      ['A: One is missing.', 'B: One is missing.', 'A: latency on udp:', 'B: latency on udp:']);
  });

  it('should put the single tests of two plans together, and name a run of a matrix once', () => {
    const one = { name: 'idle', tests: [test({ name: 'first', circumstances: 'One repeat.' })], missing: [] };
    const other = { name: 'shm:', tests: [test({ name: 'second', circumstances: 'Two.', blocks: [block({ channel: 'shm:', rows: [row()] })] })], missing: [] };
    const body = show(sample([figure()], { runs: [one, other] }));
    expect(body.querySelector('#test-1 h2')?.textContent).toBe('first / second');
    expect(body.querySelector('#test-1 .circumstances')?.textContent).toBe('idle: One repeat. shm:: Two.');
    expect([...body.querySelectorAll('#axis th.where')].map((name) => name.textContent)).toEqual(['idle, udp://127.0.0.1:0', 'shm:']);
    expect(body.querySelector('#test-2')).toBeNull();
  });

  it('should draw all that is within a factor of ten to scale', () => {
    expect(reach([figure()], 0.03)).toBeCloseTo(Math.log(1.15) * 1.08);
    expect(reach([figure({ high: 99 })], 0.03)).toBeCloseTo(Math.log(10));
    expect(reach([figure({ effect: 0, low: 0, high: 0 })], 0.03)).toBeGreaterThan(Math.log(1.03));
  });

  it('should show several runs as ratios, with what each promises', () => {
    const data = sample([figure()]);
    data.comparison.sides.push({ ...data.comparison.sides[1]!, name: 'aeron:ipc' });
    data.comparison.rows.push({ ...data.comparison.rows[0]!, side: 'aeron:ipc' });
    data.comparison.settings.push({ side: 'A', values: { delivery: 'all', durability: 'D0 memory' } });
    const body = show(data);
    expect(body.querySelector('#ratios')?.textContent).toContain('1.10 (1.05 .. 1.15)');
    expect(body.querySelector('#sheet')?.textContent).toContain('D0 memory');
  });

  it('should show no interval beside the ratio of a single repeat', () => {
    const data = sample([figure({ outcome: 'too_noisy', reason: 'One repeat.', low: 0.1, high: 0.1 })]);
    data.comparison.sides.push({ ...data.comparison.sides[1]!, name: 'aeron:ipc' });
    data.comparison.rows.push({ ...data.comparison.rows[0]!, side: 'aeron:ipc' });
    const ratios = show(data).querySelector('#ratios')?.textContent;
    expect(ratios).toContain('1.10 (one repeat, no interval)');
    expect(ratios).not.toContain('..');
  });

  it('should write changes with their sign', () => {
    expect([change(0.0312), change(-0.2), change(0.0001), change(41)]).toEqual(['+3.1 %', '-20.0 %', '0.0 %', 'x 42.0']);
    expect(figureTitle('ratePerSecond')).toBe('Rate');
  });
});
