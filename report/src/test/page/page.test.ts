import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { LatencyColumn, OverviewColumn, Page } from '../../main/page/data';
import { page } from '../../main/page/page';
import { block, page as sample, row, test, timeLine } from './sample';

// charts need a real canvas; what they are given is tested in plot.test.ts
vi.mock('uplot', () => ({ default: class {} }));

function show(change: Partial<Page> = {}): HTMLElement {
  document.body.replaceChildren(page(sample(change)));
  return document.body;
}

const latencyOf = () => row().latencies['roundTripNs'];

const HOSTILE = '</script><img src=x onerror=alert(1)><b id="raw">"\'&';

describe('page', () => {
  beforeEach(() => document.body.replaceChildren());

  it('should say the verdict in a word beside its sign', () => {
    const badge = show({ verdict: { kind: 'fail', word: 'Failed', sentence: '1 of 2.', reasons: ['3 lost.'] } }).querySelector('.badge');
    expect(badge?.textContent).toBe('Failed');
    expect(badge?.querySelector('svg')).not.toBeNull();
    expect(document.querySelector('.reasons')?.textContent).toBe('3 lost.');
  });

  it('should make text of hostile names wherever they stand', () => {
    const body = show({
      plan: HOSTILE,
      description: HOSTILE,
      startedAt: HOSTILE,
      host: HOSTILE,
      tickmark: HOSTILE,
      sentences: [HOSTILE],
      notes: [{ title: HOSTILE, sentences: [HOSTILE] }],
      cautions: [HOSTILE],
      missing: [HOSTILE],
      keyFigures: [{ label: HOSTILE, value: HOSTILE, note: HOSTILE }],
      tests: [
        test({
          name: HOSTILE,
          slowest: { columns: [HOSTILE], lists: [{ title: HOSTILE, rows: [[HOSTILE]], all: 1 }], notes: [HOSTILE] },
          blocks: [block({ channel: HOSTILE, rows: [row({ labels: [HOSTILE] })] })],
        }),
        test({ loop: 'stream', name: HOSTILE, blocks: [block({ channel: HOSTILE })] }),
      ],
      checks: [{ severity: 'note', sentence: HOSTILE }],
      environment: [{ name: HOSTILE, facts: [{ name: HOSTILE, value: HOSTILE }] }],
      planText: HOSTILE,
      raw: { columns: [HOSTILE], rows: [[HOSTILE]] },
    });
    expect(body.querySelectorAll('img, script, [onerror], b#raw')).toHaveLength(0);
    expect(body.querySelector('h1')?.textContent).toBe(HOSTILE);
    expect(body.querySelector('pre')?.textContent).toBe(HOSTILE);
  });

  it('should say three sentences at most below the picture, and keep the others closed', () => {
    const notes = [{ title: 'This machine', sentences: ['One.', 'Two.', 'Three.', 'Four.'] }, { title: 'Its settings', sentences: ['Five.'] }];
    const two = [block(), block({ channel: 'shm:' })];
    const body = show({ sentences: [], notes, tests: [test({ blocks: two })] });
    expect([...body.querySelectorAll('.notes h3, .notes > ul li')].map((each) => each.textContent)).toEqual(['This machine', 'One.', 'Two.', 'Three.']);
    const rest = body.querySelector<HTMLDetailsElement>('.notes > details')!;
    expect(rest.open).toBe(false);
    expect([...rest.querySelectorAll('summary, li')].map((each) => each.textContent)).toEqual(['1 more', 'Four.']);
    const closed = [...body.querySelectorAll<HTMLDetailsElement>('.summary > details')].filter((each) => !each.open);
    expect(closed[0]?.querySelector('h3')?.textContent).toBe('Its settings');
    expect([...body.querySelectorAll('.summary h3')].filter((each) => each.textContent === 'This machine')).toHaveLength(1);
    expect([...body.querySelectorAll('.summary > *')].map((each) => each.className).slice(0, 3)).toEqual(['verdict', 'overview', 'notes']);
    const failed = show({ sentences: ['a.', 'b.'], notes, verdict: { kind: 'fail', word: 'Failed', sentence: '', reasons: ['c.', 'd.'] } });
    expect([...failed.querySelectorAll('.summary > .reasons li, .summary > .sentences p')].map((each) => each.textContent)).toEqual(['c.', 'd.', 'a.']);
    expect(failed.querySelector('.summary .notes')).toBeNull();
  });

  it('should show no more lines than fit, and first what did not pass', () => {
    const blocks = Array.from({ length: 40 }, (_, at) => block({ channel: `udp://10.0.0.${at}:0`, rows: [row({ verdict: at === 39 ? 'fail' : 'pass' })] }));
    const body = show({ tests: [test({ blocks })] });
    const lines = [...body.querySelectorAll('.overview tbody th.where')].map((cell) => cell.textContent);
    expect(lines).toHaveLength(24);
    expect(lines).toContain('udp://10.0.0.39:0');
    expect(body.querySelector('.overview .note')?.textContent).toContain('24 of 40 tests and channels');
  });

  it('should show all of the default run with every engine, closer together', () => {
    const blocks = Array.from({ length: 20 }, (_, at) => block({ channel: `udp://10.0.0.${at}:0` }));
    const body = show({ tests: [test({ blocks })] });
    expect(body.querySelectorAll('.overview table.close tbody tr')).toHaveLength(20);
    expect(body.querySelector('.overview .note')?.textContent).not.toContain('are below');
    const few = show({ tests: [test({ blocks: blocks.slice(0, 18) })] });
    expect(few.querySelector('.overview table.close')).toBeNull();
  });

  it('should close all cards but open the one that a link names', () => {
    const body = show({ tests: [test(), test({ name: 'raw' })], planText: 'x' });
    const cards = [...body.querySelectorAll<HTMLDetailsElement>('#figures > details')];
    expect(cards.map((card) => card.id)).toEqual(['test-1', 'test-2', 'plan', 'reading', 'raw']);
    expect(cards.some((card) => card.open)).toBe(false);
    (body.querySelector('.overview a[href="#test-2"]') as HTMLAnchorElement).click();
    expect(cards.filter((card) => card.open).map((card) => card.id)).toEqual(['test-2']);
    cards.forEach((card) => expect(body.querySelectorAll(`#${card.id}`)).toHaveLength(1));
  });

  it('should open the only test, and all on demand', () => {
    const cards = [...show().querySelectorAll<HTMLDetailsElement>('#figures > details')];
    expect(cards.filter((card) => card.open).map((card) => card.id)).toEqual(['test-1']);
    const all = [...document.querySelectorAll('button')].find((each) => each.textContent === 'Open all');
    all?.click();
    expect(cards.every((card) => card.open)).toBe(true);
    expect(all?.textContent).toBe('Close all');
  });

  it('should put every test and channel on one axis', () => {
    const rows = [row({ name: '64 bytes' }), row({ step: 1, name: '1,024 bytes', counts: { ...row().counts, lost: 3 } })];
    const stream = row({ labels: ['saturated'], latencies: { responseNs: latencyOf() } });
    const body = show({
      tests: [
        test({ blocks: [block({ rows }), block({ channel: 'shm:', rows })] }),
        test({ name: 'fast', loop: 'stream', blocks: [block({ rows: [stream] })] }),
        test({ name: 'gone', blocks: [block({ rows: [row({ verdict: 'void' })] })] }),
      ],
    });
    const lines = [...body.querySelectorAll('.overview tbody tr')].map((line) => [...line.children].map((cell) => cell.textContent));
    const named = [...body.querySelectorAll('.overview tbody tr')].map((line) => [...line.querySelectorAll('th')].map((cell) => cell.textContent));
    expect(named).toEqual([
      ['latency', 'udp://127.0.0.1:0, 64 bytes'],
      ['udp://127.0.0.1:0, 1,024 bytes'],
      ['shm:, 64 bytes'],
      ['shm:, 1,024 bytes'],
      ['fast', 'udp://127.0.0.1:0, 64 bytes'],
      ['gone', 'udp://127.0.0.1:0, 64 bytes'],
    ]);
    expect(lines[1]).toContain('3');
    expect(lines[4]?.slice(4, 8)).toEqual(['', '', '', '']);
    expect(lines[5]?.slice(2, 9)).toEqual(['void: not valid', '50,000/s', '9.00\u00a0µs', '14.0\u00a0µs', '20.0\u00a0µs', '91.0\u00a0µs', '']);
    expect(body.querySelectorAll('.overview td.invalid')).toHaveLength(5);
    expect(body.querySelectorAll('.overview .picture svg')).toHaveLength(4);
  });

  it('should show what was measured where nothing of it is valid', () => {
    const blocks = ['shm:', 'aeron:ipc'].map((channel) => block({ channel, rows: [row({ verdict: 'void' })] }));
    const body = show({ tests: [test({ blocks })] });
    const medians = [...body.querySelectorAll('.overview td[data-name="50 %"]')];
    expect(medians.map((cell) => [cell.className, cell.textContent])).toEqual([['invalid', '9.00\u00a0µs'], ['invalid', '9.00\u00a0µs']]);
    expect([...body.querySelectorAll('.overview td.picture')].map((cell) => cell.textContent)).toEqual(['void: not valid', 'void: not valid']);
    expect(body.querySelectorAll('.overview svg.range, .overview .scale')).toHaveLength(0);
  });

  it('should tell late echoes from losses', () => {
    const { lost: _, ...foreign } = row().counts;
    const missing = (...rows: ReturnType<typeof row>[]): string[][] => {
      const body = show({ tests: [test({ blocks: [block({ rows })] })] });
      const names = ['lost', 'no echo'].filter((name) => [...body.querySelectorAll('.overview thead th')].some((cell) => cell.textContent === name));
      return names.map((name) => [name, ...[...body.querySelectorAll(`.overview td[data-name="${name}"]`)].map((cell) => cell.textContent ?? '')]);
    };
    const late = row({ step: 1, counts: { ...row().counts, notEchoed: 5 } });
    const lost = row({ step: 1, counts: { ...row().counts, lost: 5, notEchoed: 5 } });
    const unknown = row({ step: 1, counts: { ...foreign, notEchoed: 7 } });
    expect(missing(row(), late)).toEqual([['lost', '0', '0'], ['no echo', '0', '5']]);
    expect(missing(row(), lost)).toEqual([['lost', '0', '5']]);
    expect(missing(row(), unknown)).toEqual([['lost', '0', ''], ['no echo', '0', '7']]);
    expect(missing(unknown, unknown)).toEqual([['no echo', '7', '7']]);
    show({ tests: [test({ blocks: [block({ rows: [late] })] })] });
    expect([...document.querySelectorAll('tbody .tag')].map((tag) => tag.textContent)).toEqual(['5 without an echo in time']);
  });

  it('should keep the first and the last step where all lines do not fit', () => {
    const rows = Array.from({ length: 30 }, (_, step) => row({ step, name: `step ${step}` }));
    const body = show({ tests: [test({ blocks: [block({ rows }), block({ channel: 'shm:', rows })] })] });
    const lines = [...body.querySelectorAll('.overview tbody th.where')].map((cell) => cell.textContent);
    expect(lines).toEqual(['udp://127.0.0.1:0, step 0', 'udp://127.0.0.1:0, step 29', 'shm:, step 0', 'shm:, step 29']);
    expect(body.querySelector('.overview .note')?.textContent).toContain('the first and the last step');
  });

  it('should keep the first step where even two of each channel do not fit, and name it once', () => {
    const rows = [row({ name: '16 bytes' }), row({ step: 1, name: '64 bytes' })];
    const blocks = Array.from({ length: 8 }, (_, at) => block({ channel: `udp://10.0.0.${at}:0`, rows }));
    const body = show({ tests: [test({ blocks })] });
    expect([...body.querySelectorAll('.overview tbody th.where')].map((cell) => cell.textContent)).toEqual(blocks.map(({ channel }) => channel));
    expect(body.querySelector('.overview .test')?.textContent).toBe('latency16 bytes');
    expect(body.querySelector('.overview .note')?.textContent).toContain('the first step;');
  });

  it('should show remarks as signs, and what each means once', () => {
    const rows = [row({ labels: ['saturated'], noisy: true }), row({ step: 1, name: 'b', labels: ['saturated', 'of-an-engine'] })];
    const body = show({ tests: [test({ blocks: [block({ rows })] })] });
    const signs = [...body.querySelectorAll('.overview tbody .mark')].map((mark) => mark.getAttribute('aria-label'));
    const meanings = ['saturated: the rate was not held', 'noisy: noise could explain the tail', 'of-an-engine'];
    expect(signs).toEqual([meanings[0], meanings[1], meanings[0], meanings[2]]);
    expect([...body.querySelectorAll('.overview .pairing')].map((each) => each.textContent)).toEqual(meanings);
  });

  it('should show the columns of latencies that it is told', () => {
    const latencyColumns: LatencyColumn[] = [{ title: 'shortest', key: 'min', band: 0 }, { title: 'average', key: 'mean', band: 0 }];
    const body = show({ tests: [test({ latencyColumns })] });
    const table = [...body.querySelectorAll('table')].find((each) => each.tHead?.textContent?.includes('shortest'));
    expect([...(table?.querySelectorAll('thead th') ?? [])].map((cell) => cell.textContent)).toEqual(['bytes', 'shortest', 'average']);
    expect([...(table?.querySelectorAll('tbody td') ?? [])].map((cell) => cell.textContent)).toEqual(['8.00', '10.00']);
  });

  it('should show the columns of all tests that it is told', () => {
    const overviewColumns: OverviewColumn[] = [
      { title: 'average', kind: 'time', key: 'mean', aside: false },
      { title: 'doubles', kind: 'count', key: 'duplicated', aside: true },
    ];
    const body = show({ tests: [test({ overviewColumns, blocks: [block(), block({ channel: 'shm:' })] })] });
    const heads = [...body.querySelectorAll('.overview thead th')].filter((cell) => !/text|picture/.test(cell.className));
    expect(heads.map((cell) => cell.textContent)).toEqual(['average', 'doubles']);
    const cells = [...body.querySelectorAll('.overview tbody tr:first-child td[data-name]')];
    expect(cells.map((cell) => [cell.className, cell.textContent])).toEqual([['', '10.0\u00a0µs'], ['aside none', '0']]);
  });

  it('should mark the figures that the machine disturbed, and those of the headline alone', () => {
    const latencies = { responseNs: latencyOf(), serviceNs: latencyOf() };
    const body = show({ tests: [test({ blocks: [block({ rows: [row({ disturbed: [99, 100], latencies })] })] })] });
    const marked = [...body.querySelectorAll('td[title]')].filter((cell) => cell.textContent?.endsWith(' !'));
    expect(marked.map((cell) => cell.getAttribute('title'))).toEqual(
      Array.from({ length: 3 }, () => "More than a tenth of the latency above the median is the machine's there."),
    );
  });

  it('should tell trials into which nobody looked from those that the machine did not disturb', () => {
    const trial = { purpose: 'search', ratePerSecond: 2e5, achievedPerSecond: 2e5, durationNs: 1e9, outcome: 'bad', reason: '' } as const;
    const trials = [{ ...trial, notExamined: true }, { ...trial, disturbed: true }, trial];
    const rates = { lowerBoundPerSecond: 1e5, upperBoundPerSecond: 2e5, lowPerSecond: 0, highPerSecond: 0, strictRatePerSecond: 0 };
    const search = { test: 't', channel: 'udp:', ...rates, confidence: 0.9, soakNs: 0, width: 0.01, trialNs: 1e9, searchNs: 3e9, trials, verdict: 'pass' as const };
    const body = show({ searches: [search] });
    const table = [...body.querySelectorAll('table')].find((each) => each.tHead?.textContent?.includes('tail'));
    expect([...(table?.querySelectorAll('tbody tr') ?? [])].map((line) => line.children[6]?.textContent)).toEqual(['not examined', 'disturbed', '']);
  });

  it('should name a stroke for 99.9 % only where there is one', () => {
    const few = { ...latencyOf()!, p999: undefined, p9999: undefined };
    const shown = (latency: typeof few): string => {
      const rows = [row({ latencies: { roundTripNs: latency as never } }), row({ step: 1, name: 'b', latencies: { roundTripNs: latency as never } })];
      return show({ tests: [test({ blocks: [block({ rows })] })] }).querySelector('.overview .note')?.textContent ?? '';
    };
    expect(shown(few)).not.toContain('99.9 %');
    expect(document.querySelectorAll('.overview .nines')).toHaveLength(0);
    expect(shown({ ...few, p999: 2e4 as never })).toContain('99.9 %');
    expect(document.querySelectorAll('.overview .nines')).toHaveLength(2);
  });

  it('should keep further reasons of a verdict closed', () => {
    const reasons = ['a.', 'b.', 'c.', 'd.', 'e.'];
    const body = show({ verdict: { kind: 'fail', word: 'Failed', sentence: '', reasons } });
    expect([...body.querySelectorAll('.summary > .reasons li')]).toHaveLength(3);
    const sentences = [...body.querySelectorAll('details.more .sentences p')];
    expect(body.querySelector('details.more summary')?.textContent).toBe(`${2 + sentences.length} more`);
  });

  it('should show the figures of the only line large', () => {
    const body = show({ keyFigures: [{ label: 'Longest latency', value: '1 ms', note: 'udp' }] });
    expect(body.querySelector('.key-figures')?.textContent).toContain('1 ms');
    expect(body.querySelector('.overview')).toBeNull();
  });

  it('should show labels at the figures', () => {
    const body = show({
      tests: [test({ blocks: [block({ rows: [row({ labels: ['saturated'], noisy: true, verdict: 'void' })] })] })],
    });
    const tags = [...body.querySelectorAll('tbody .tag')].map((tag) => tag.textContent);
    expect(tags).toEqual(['void', 'saturated', 'noise could explain the tail']);
  });

  it('should show all sizes of one channel, or one on choice', () => {
    const body = show({ tests: [test({ blocks: [block({ rows: [row(), row({ step: 1, name: '8,192 bytes', payloadBytes: 8192 })] })] })] });
    const choice = body.querySelector('select') as HTMLSelectElement;
    expect(body.querySelector('figcaption')?.textContent).toBe('Latency by percentile, all steps');
    choice.selectedIndex = 2;
    choice.dispatchEvent(new Event('change'));
    expect(body.querySelector('figcaption')?.textContent).toBe('Latency by percentile, 8,192 bytes');
  });

  it('should tell several rates of one size apart', () => {
    const rows = [row({ name: '64 bytes at 1,000/s' }), row({ step: 1, name: '64 bytes at 10,000/s' })];
    const body = show({ tests: [test({ blocks: [block({ rows })] })] });
    const options = [...body.querySelectorAll('#test-1 select option')].map((option) => option.textContent);
    expect(options).toEqual(['all', '64 bytes at 1,000/s', '64 bytes at 10,000/s']);
    const legend = [...body.querySelectorAll('#test-1 .legend li')].map((line) => line.textContent);
    expect(legend).toEqual(expect.arrayContaining(['64 bytes at 1,000/s', '64 bytes at 10,000/s']));
  });

  it('should show every rate of several channels', () => {
    const rows = [row({ name: '64 bytes at 1,000/s' }), row({ step: 1, name: '64 bytes at 10,000/s' })];
    const body = show({ tests: [test({ blocks: [block({ rows }), block({ channel: 'shm:', rows })] })] });
    const charts = [...body.querySelectorAll('#test-1 figcaption')].map((caption) => caption.textContent);
    expect(charts).toEqual(['Latency by percentile, 64 bytes at 1,000/s', 'Latency by percentile, 64 bytes at 10,000/s']);
  });

  it('should show tables beside the figures', () => {
    const side = {
      title: 'On the wire',
      columns: ['channel', 'step', 'bytes/message'],
      texts: 2,
      rows: [['udp://127.0.0.1:0', '700 bytes', '766']],
      pictures: [],
    };
    show({ tests: [test({ tables: [side] })] });
    expect(document.body.textContent).toContain('On the wire');
    expect([...document.querySelectorAll('td')].map((cell) => cell.textContent)).toContain('766');
    expect([...document.querySelectorAll('th.text, td.text')].map((cell) => cell.textContent)).toContain('700 bytes');
  });

  it('should list the slowest messages and why, closed', () => {
    const list = { title: 'latency on shm:: median 1 us', rows: [['0.100000', '4.00 ms', 'the echo was stalled for 4.00 ms']], all: 12 };
    const slowest = { columns: ['wanted at s', 'received after', 'why'], lists: [list], notes: ['One is missing.'] };
    const details = show({ tests: [test({ slowest })] }).querySelector('.slowest') as HTMLDetailsElement;
    expect(details.open).toBe(false);
    expect(details.querySelector('caption')?.textContent).toBe(list.title);
    expect([...details.querySelectorAll('th, td')].map((cell) => cell.textContent)).toEqual([...slowest.columns, ...list.rows[0]!]);
    expect([...details.querySelectorAll('.text')].map((cell) => cell.textContent)).toEqual(['why', 'the echo was stalled for 4.00 ms']);
    expect([...details.querySelectorAll('.note')].map((note) => note.textContent)).toEqual([
      'Messages that one stall delayed share a line.', 'One is missing.', '... and 11 more; ./tickmark why DIR --lines N shows them',
    ]);
  });

  it('should say in one sentence why nothing is known of slow messages', () => {
    const body = show({ tests: [test({ slowest: { columns: ['why'], lists: [], notes: ['This test does not say it.'] } })] });
    expect(body.querySelector('.slowest')).toBeNull();
    expect([...body.querySelectorAll('#test-1 p.note')].map((note) => note.textContent)).toContain('This test does not say it.');
  });

  it('should show times and their parts as stacked bars', () => {
    const parts = [{ name: 'in the send call', ns: 2_000 }, { name: 'in the socket', ns: 6_000 }];
    const side = { title: 'Stages', columns: ['channel'], texts: 1, rows: [['udp:']], pictures: [{ name: 'udp:, 0 to 50 %', parts }] };
    const body = show({ tests: [test({ tables: [side] })] });
    const drawn = [...body.querySelectorAll('.stacks rect')];
    expect(drawn.map((rect) => [rect.getAttribute('x'), rect.getAttribute('width')])).toEqual([['0%', '25%'], ['25%', '75%']]);
    expect(drawn[1]?.textContent).toContain('in the socket: 6');
    expect(body.querySelector('.stacks .whole')?.textContent).toMatch(/^8.00\sµs$/);
  });

  it('should show one-way latencies that were derived', () => {
    const oneWays = [{ title: 'One way, derived: half of the round trip', steps: [{ payloadBytes: 64, meanNs: 5_000, p50Ns: 4_500 }] }];
    const body = show({ tests: [test({ blocks: [block({ oneWays })] })] });
    const table = [...body.querySelectorAll('table')].find((each) => each.caption?.textContent?.includes('derived'));
    expect(table?.tBodies[0]?.textContent).toContain('4.5');
  });

  it('should show a workload of its own with what it named', () => {
    const latency = row().latencies['roundTripNs'];
    const steady = row({ name: 'steady state', payloadBytes: 0, latencies: { postRoundTripNs: latency }, curves: {} });
    const roles = [
      { role: 'consumer', metric: 'images', text: '', spread: { median: 100_000, min: 1, max: 200_000 } },
      { role: 'consumer', metric: 'api', text: 'eta' },
    ];
    const body = show({ tests: [test({ loop: 'general', blocks: [block({ channel: '', rows: [steady], roles })] })] });
    const captions = [...body.querySelectorAll('#test-1 .inside > .scroll caption')].map((caption) => caption.textContent);
    expect(captions).toEqual(['Counts and rates', 'Post round tripµs', 'What the roles report']);
    const cells = [...body.querySelectorAll('#test-1 .inside > .scroll:last-child td')].map((cell) => cell.textContent);
    expect(cells).toEqual(['images', '100,000', '1', '200,000', 'api', 'eta', '', '']);
  });

  it('should show latencies, rates, CPU and memory over time', () => {
    const steady = row({ name: 'steady state', latencies: { responseNs: latencyOf(), postResponseNs: latencyOf() } });
    const body = show({ tests: [test({ name: 'direct', loop: 'general', blocks: [block({ channel: '', rows: [steady], timeLines: [timeLine()] })] })] });
    const captions = [...body.querySelectorAll('#test-1 .pair figcaption')].map((caption) => caption.textContent);
    expect(captions).toEqual([
      'Response time over time, direct',
      'Post response over time, direct',
      'Rate over time, direct',
      'Smaller rates over time, direct',
      'CPU of each role, direct',
      'Resident memory of each role, direct',
    ]);
    expect([...body.querySelectorAll('#test-1 .pair .canvas')].every((chart) => chart.getAttribute('aria-label'))).toBe(true);
  });

  it('should show a channel that has no latency', () => {
    const lines = [timeLine({ latencies: {} })];
    const body = show({ tests: [test({ loop: 'general', blocks: [block(), block({ channel: 'shm:', rows: [row({ latencies: {} })], timeLines: lines })] })] });
    const captions = [...body.querySelectorAll('#test-1 .pair figcaption')].map((caption) => caption.textContent);
    expect(captions).toContain('CPU of each role, shm:');
  });

  it('should give each chart a text and its figures as a table', () => {
    const body = show();
    expect(body.querySelector('.canvas')?.getAttribute('aria-label')).toContain('99 % 12.0\u00a0µs');
    const details = body.querySelector('figure details') as HTMLDetailsElement;
    details.open = true;
    details.dispatchEvent(new Event('toggle'));
    expect(details.querySelectorAll('tbody tr').length).toBeGreaterThan(50);
  });

  it('should put channels with one row each into one table', () => {
    const body = show({ tests: [test({ blocks: [block(), block({ channel: 'shm:' })] })] });
    const captions = [...body.querySelectorAll('#test-1 .inside > .scroll caption')].map((caption) => caption.textContent);
    expect(captions).toEqual(['Round tripµs']);
  });

  it('should stand without tests, noise, environment and plan', () => {
    const body = show({ tests: [], raw: { columns: [], rows: [] }, missing: ['All figures.'] });
    expect(body.querySelector('.missing')?.textContent).toContain('All figures.');
    expect(body.querySelectorAll('#figures > details')).toHaveLength(1);
  });

  it('should sort the raw figures and say so', () => {
    const body = show({ raw: { columns: ['n'], rows: [[3], [1], [2]] } });
    const button = body.querySelector('#raw thead button') as HTMLButtonElement;
    button.click();
    expect(body.querySelector('#raw th')?.getAttribute('aria-sort')).toBe('ascending');
    expect([...body.querySelectorAll('#raw td')].map((cell) => cell.textContent)).toEqual(['1', '2', '3']);
  });
});
