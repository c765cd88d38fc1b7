import { describe, expect, it } from 'vitest';
import { causesOf, curveOf, finished, held, Kept, lagOf, latencyOf, leftOutOf, levelOf, rateOf, sharesOf, stalledOf, stallsOf, type Interval, type Role, type Row, type Tick } from '../../main/page/runs/lines';
import { Player } from '../../main/page/runs/player';
import { place, told } from '../../main/page/view/percentiles';
import { runCharts } from '../../main/page/view/run-charts';

const interval = (p50Ns: number): Interval => ({ count: 10, p50Ns, p99Ns: 2 * p50Ns, p999Ns: 3 * p50Ns, maxNs: 4 * p50Ns });
const role = (more: Partial<Role>): Role => ({ role: 'r', instances: 1, step: '', counts: {}, perSecond: {}, gauges: {}, latencies: {}, ...more });
const tick = (seconds: number, ...roles: Role[]): Tick => ({
  type: 'tick', seconds, test: 't', channel: 'c', repeat: 1, number: 1, of: 1, phase: 'measuring', roles,
});

describe('a tick', () => {
  it('should show what a person waits for before what explains it, and the slower of two', () => {
    const both = tick(1, role({ latencies: { serviceNs: interval(5), responseNs: interval(7) } }), role({ latencies: { responseNs: interval(9) } }));
    expect(latencyOf(both)).toEqual({ name: 'response', interval: { ...interval(9), count: 20 } });
  });

  it('should show a latency that it does not know', () => {
    expect(latencyOf(tick(1, role({ latencies: { imageNs: interval(5) } })))?.name).toBe('image');
  });

  it('should sum rates and tell none from zero', () => {
    const summed = tick(1, role({ perSecond: { sent: 2 }, gauges: { lagNs: 4 } }), role({ perSecond: { sent: 3 }, gauges: { lagNs: 9 } }));
    expect(rateOf(summed, 'sent')).toBe(5);
    expect(rateOf(summed, 'received')).toBeUndefined();
    expect(lagOf(summed)).toBe(9);
  });

  it('should tell what the thread stood that did so for longest, and none from zero', () => {
    expect(stalledOf(tick(1, role({ gauges: { stalledNs: 4 } }), role({ gauges: { stalledNs: 9 } })))).toBe(9);
    expect(stalledOf(tick(1, role({ gauges: { stalledNs: 0 } })))).toBe(0);
    expect(stalledOf(tick(1, role({})))).toBeUndefined();
  });
});

describe('stalls of a second', () => {
  it('should be divided for the thread that was stalled longest', () => {
    const gauges = (stalledNs: number) => ({ stalledNs, stalledWaitingNs: stalledNs - 3, stalledOffCoreNs: 2, stalledOnCoreNs: 1 });
    expect(stallsOf(tick(1, role({ gauges: gauges(4) }), role({ gauges: gauges(9) })))?.map((each) => each.ns)).toEqual([6, 2, 1]);
    expect(stallsOf(tick(1, role({ gauges: { stalledNs: 9 } })))).toBeUndefined();
  });
});

describe('the charts of a run', () => {
  /** What each line of a chart shows of a tick. */
  const shown = (title: RegExp, of: Tick) => runCharts(() => 0).find((each) => title.test(each.title))!.lines.map((line) => line.value({ atMs: 0, tick: of }));

  it('should show nothing where nothing is known, not 0', () => {
    const gauges = { lagNs: 0, stalledNs: 3e6, stalledWaitingNs: 2e6, stalledOffCoreNs: 1e6, stalledOnCoreNs: 0 };
    expect([shown(/^Stalls/, tick(1, role({ gauges }))), shown(/^Lag/, tick(1, role({ gauges })))]).toEqual([[2, 1, 0], [0]]);
    expect([shown(/^Stalls/, tick(1, role({}))), shown(/^Lag/, tick(1, role({})))]).toEqual([[null, null, null], [null]]);
  });
});

describe('the state of a run', () => {
  it('should be green where it passed, and not before it has a verdict', () => {
    expect(['pass', 'fail', 'void'].map((verdict) => levelOf(true, verdict))).toEqual(['good', 'bad', 'careful']);
    expect(levelOf(false, '')).toBe('idle');
  });
});

describe('a row that is final', () => {
  const row: Row = {
    type: 'row', seconds: 2, test: 't', channel: 'c', repeat: 1, label: '', verdict: 'pass', lost: 0, reasons: [],
    ratePerSecond: 9, latencies: { serviceNs: interval(5), responseNs: interval(7) },
  };

  it('should have figures of its own, by the latency that judges', () => {
    expect(latencyOf(row)).toEqual({ name: 'response', interval: interval(7) });
  });

  it('should be shown between trials and after the last, and never while one measures', () => {
    expect(finished(tick(3), [row], false)).toBeUndefined();
    expect(finished({ ...tick(3), phase: 'noise' }, [row], false)).toBe(row);
    expect(finished(tick(3), [row], true)).toBe(row);
    expect(finished(undefined, [], true)).toBeUndefined();
  });

  it('should not hide the last tick of a run whose rows have no figures', () => {
    const { latencies: _, ...old } = row;
    expect(finished(tick(3), [old], true)).toBeUndefined();
    expect(latencyOf(old)).toBeUndefined();
  });
});

describe('the tail of a row', () => {
  it('should be divided among those that have a part of it', () => {
    const partNs = { machine: 750, system: 0, bench: 0, unknown: 0, rest: 250 };
    expect(sharesOf({ fromPercentile: 99, toPercentile: 99.9, messages: 10, partNs, cause: 'another task ran on the core' })).toEqual([
      { owner: 'machine', name: 'machine', part: 0.75 }, { owner: 'rest', name: 'engine, kernel path or unseen', part: 0.25 },
    ]);
    expect(sharesOf({ fromPercentile: 99, toPercentile: 99.9, messages: 10, partNs: {}, cause: '' })).toEqual([]);
  });
});

describe('the percentiles of a row', () => {
  const partNs = { machine: 700, system: 200, rest: 100 };
  const causes = [
    { owner: 'machine', cause: 'another task ran on the core', evidence: 'dated', ns: 700 },
    { owner: 'system', cause: 'garbage was collected', evidence: 'dated', ns: 190 },
    { owner: 'system', cause: 'pages were mapped', evidence: 'apportioned', ns: 10 },
  ];
  const row: Row = {
    type: 'row', seconds: 2, test: 't', channel: 'c', repeat: 1, label: '', verdict: 'pass', lost: 0, reasons: [],
    latencies: { responseNs: interval(5) }, curves: { serviceNs: [], responseNs: [{ percentile: 50, ns: 5_000 }, { percentile: 100, ns: 2_000_000 }] },
    tail: [{ fromPercentile: 99, toPercentile: 99.9, messages: 10, partNs, cause: '', causes }],
  };

  it('should be those of the latency that the row shows', () => {
    expect(curveOf(row).map((each) => each.ns)).toEqual([5_000, 2_000_000]);
    const { curves: _, ...old } = row;
    expect(curveOf(old)).toEqual([]);
  });

  it('should say what is left out of the undisturbed ones, and never that nothing is where that is not known', () => {
    expect(leftOutOf({ ...row, leftOut: { part: 0.00001234, refused: '' } })).toBe(', left out: 0.00123 %');
    expect(leftOutOf({ ...row, leftOut: { part: 0.3, refused: '30.0 % of the messages would be left out' } })).toBe(
      ', left out: 30 %, refused: 30.0 % of the messages would be left out');
    expect(leftOutOf(row)).toBe('');
  });

  it('should stand with as much room for each further nine, and in words', () => {
    expect(place(50)).toBe(0);
    expect(place(100)).toBe(1);
    expect(place(99.9) - place(99)).toBeCloseTo(place(99) - place(90));
    expect(told(row)).toBe('50 % 5.00 µs, maximum 2.00 ms; 99 to 99.9 %: machine 70 %, the test itself 20 %, engine, kernel path or unseen 10 %');
  });

  it('should name each cause of a twentieth or more, with how it is known', () => {
    expect(causesOf(row.tail![0]!)).toEqual([
      { owner: 'machine', words: 'another task ran on the core (dated)', part: 0.7 },
      { owner: 'system', words: 'garbage was collected (dated)', part: 0.19 },
    ]);
  });
});

describe('a threshold of a run', () => {
  it('should hold in each look that tells a p99, and be unknown where the last one does not', () => {
    const at = (seconds: number, p50Ns: number) => tick(seconds, role({ latencies: { responseNs: interval(p50Ns) } }));
    const { p99Ns: _, ...few } = interval(5);
    const ticks = [at(1, 5), at(2, 50), tick(3, role({ latencies: { responseNs: few } }))];
    expect(held(ticks, 10)).toEqual({ seconds: 2, held: 1, nowNs: undefined });
    expect(held(ticks.slice(0, 2), 10)).toEqual({ seconds: 2, held: 1, nowNs: 100 });
    expect(held([], 10)).toEqual({ seconds: 0, held: 0, nowNs: undefined });
  });
});

describe('what was kept', () => {
  it('should be shown up to a moment', () => {
    const kept = new Kept();
    kept.add([{ type: 'run', expectedSeconds: 9 }, tick(1), tick(2), { type: 'end', seconds: 3, verdict: 'pass' }]);
    expect(kept.seconds()).toBe(3);
    expect(kept.until(1.5).ticks).toHaveLength(1);
    expect(kept.until(1.5).isOver).toBe(false);
    expect(kept.until(3).isOver).toBe(true);
  });
});

describe('a player', () => {
  it('should replay at its speed, stop at the end, and begin anew', () => {
    const player = new Player(() => 10, () => false);
    player.play();
    player.speed = 4;
    player.advance(1000);
    expect(player.advance(2000)).toBe(true);
    expect(player.position).toBe(4);
    player.advance(9000);
    expect(player.position).toBe(10);
    expect(player.isPlaying).toBe(false);
    player.play();
    expect(player.position).toBe(0);
  });

  it('should follow a run that goes on until someone looks back', () => {
    let length = 5;
    const player = new Player(() => length, () => true);
    player.play();
    player.advance(0);
    expect(player.position).toBe(5);
    length = 6;
    expect(player.advance(16)).toBe(true);
    player.seek(2);
    length = 7;
    expect(player.advance(32)).toBe(false);
    expect(player.position).toBe(2);
  });
});
