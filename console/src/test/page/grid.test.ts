import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { apply, inOrder, read } from '../../main/page/view/columns';
import { grid } from '../../main/page/view/grid';
import { Selection, toTsv } from '../../main/page/view/selection';
import { nearest, TimeWindow } from '../../main/page/view/time-window';
import { Table } from '../../main/page/worker/table';

describe('the columns of the grid', () => {
  it('should come with the pinned ones first, as they are else, and without those that are hidden', () => {
    expect(inOrder({ widths: {}, pinned: ['symbol', 'last'], hidden: ['size'] }).map((each) => each.by))
      .toEqual(['symbol', 'last', 'bid', 'ask', 'change', 'volume']);
  });

  it('should be laid out by properties that the rows inherit', () => {
    const element = document.createElement('div');
    apply({ widths: { bid: 200 }, pinned: [], hidden: [] }, element);
    expect(element.style.getPropertyValue('--columns')).toMatch(/^minmax\(72px, 1.1fr\) 200px minmax\(68px, 1fr\) /);
  });

  it('should survive what is kept and cannot be read', () => {
    const asBuilt = { widths: {}, pinned: ['symbol'], hidden: [] };
    expect([read(null), read('no json'), read('{}')]).toEqual([asBuilt, asBuilt, asBuilt]);
    expect(read('{"widths":{"bid":90,"ask":1,"nothing":90},"pinned":["last","nothing"],"hidden":["ask","symbol","nothing"]}'))
      .toEqual({ widths: { bid: 90 }, pinned: ['last'], hidden: ['ask'] });
    expect(read('{"widths":{},"pinned":["last"]}')).toEqual({ widths: {}, pinned: ['last'], hidden: [] });
  });
});

describe('what is selected', () => {
  it('should be a row where nobody chose a column, and a rectangle where somebody did', () => {
    const selection = new Selection();
    selection.go({ place: 3, column: -1 }, false);
    expect(selection.range(7)).toEqual({ top: 3, bottom: 3, left: 0, right: 6 });
    selection.go({ place: 5, column: 4 }, false);
    selection.go({ place: 2, column: 1 }, true);
    expect(selection.range(7)).toEqual({ top: 2, bottom: 5, left: 1, right: 4 });
    selection.keepWithin(4, 7);
    expect(selection.range(7)).toEqual({ top: 2, bottom: 3, left: 1, right: 4 });
    selection.keepWithin(4, 3);
    expect(selection.range(3)).toEqual({ top: 2, bottom: 3, left: 1, right: 2 });
  });

  it('should be copied with the titles where it is more than one cell', () => {
    const cell = (place: number, column: number) => `${place}.${column}`;
    expect(toTsv({ top: 1, bottom: 2, left: 1, right: 2 }, ['A', 'B', '=C'], cell)).toBe("B\t'=C\n1.1\t1.2\n2.1\t2.2");
    expect(toTsv({ top: 1, bottom: 1, left: 2, right: 2 }, ['A', 'B', '=C'], cell)).toBe('1.2');
  });
});

describe('the grid', () => {
  beforeEach(() => {
    vi.stubGlobal('ResizeObserver', class { observe(): void {} });
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    document.body.replaceChildren();
  });

  const made = () => {
    const table = new Table(3, false);
    table.put(0, 1, 99, 101, 10_000, 5, 4_000_000_000, 11);
    table.put(1, 1, 99, 101, 20_000, 5, 5, 22);
    const shown: number[] = [];
    const kept = new Map<string, string>();
    const storage = { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => void kept.set(key, value) };
    const it = grid(storage, { sorted: () => {}, shown: (us) => shown.push(us), say: () => {} });
    document.body.append(it.tools, it.element);
    it.setOrder(Int32Array.from([0, 1, 2]), ['ADA', '=BAKE', 'CAKE']);
    it.draw(table.ints, 1000);
    const row = (place: number) => [...document.querySelectorAll<HTMLElement>('.grid-body .grid-row')].find((each) => each.getAttribute('aria-rowindex') === String(place + 2))!;
    const key = (name: string, more: KeyboardEventInit = {}) => row(0).dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true, ...more }));
    const copied = () => {
      let text = '';
      const event = Object.assign(new Event('copy', { bubbles: true }), { clipboardData: { setData: (_type: string, data: string) => (text = data) } });
      row(0).dispatchEvent(event);
      return text;
    };
    return { it, table, shown, kept, row, key, copied };
  };

  it('should report when the message was wanted of what it draws because of one, not of what it shows for another reason', () => {
    const { it, table, shown } = made();
    expect(shown).toEqual([]);
    table.put(1, 2, 99, 101, 20_100, 5, 5, 33);
    it.draw(table.ints, 1016);
    it.draw(table.ints, 1032);
    expect(shown).toEqual([33]);
  });

  it('should light what rose or fell since it was last shown, for a moment, and nothing where it is not asked to', () => {
    const { it, table, row } = made();
    const flash = (price: number, nowMs: number) => {
      table.put(1, nowMs, 99, 101, price, 5, 5, 0);
      it.draw(table.ints, nowMs);
      return row(1).dataset['flash'];
    };
    expect(flash(20_100, 1016)).toBeUndefined();
    it.flash(true);
    expect(flash(20_100, 1032)).toBeUndefined();
    expect(flash(20_200, 1048)).toBe('up');
    expect(flash(20_050, 1064)).toBe('down');
    it.draw(table.ints, 1300);
    expect(row(1).dataset['flash']).toBe('down');
    it.draw(table.ints, 1364);
    expect(row(1).dataset['flash']).toBeUndefined();
    flash(20_300, 1400);
    it.flash(false);
    expect(row(1).dataset['flash']).toBeUndefined();
  });

  it('should copy rows and cells that the keyboard selected, as a spreadsheet reads them', () => {
    const { key, copied, row } = made();
    key('ArrowDown', { shiftKey: true });
    expect(copied().split('\n')).toEqual([
      'Symbol\tBid\tAsk\tLast\tChange\tSize\tVolume', 'ADA\t0.99\t1.01\t100.00\t0.00\t5\t4000000000', "'=BAKE\t0.99\t1.01\t200.00\t0.00\t5\t5",
    ]);
    expect(row(1).getAttribute('aria-selected')).toBe('true');
    key('Escape');
    ['ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight'].forEach((each) => key(each));
    expect(copied()).toBe('200.00');
    key('a', { ctrlKey: true });
    expect(copied().split('\n')).toHaveLength(4);
  });

  it('should make a column wider by the keyboard, pin another, hide a third, and keep all that', () => {
    const { kept } = made();
    const titles = () => [...document.querySelectorAll('[role=columnheader] button')].map((each) => each.textContent);
    const set = (label: string, isChecked: boolean) => {
      const box = document.querySelector<HTMLInputElement>(`input[aria-label="${label}"]`)!;
      box.checked = isChecked;
      box.dispatchEvent(new Event('change'));
    };
    const handle = document.querySelector<HTMLElement>('[aria-label="Width of Bid"]')!;
    handle.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }));
    set('Pin Last', true);
    set('Show Ask', false);
    expect(titles()).toEqual(['Symbol', 'Last', 'Bid', 'Change', 'Size', 'Volume']);
    expect(document.querySelectorAll('.grid-body .grid-row:first-child .pinned')).toHaveLength(2);
    set('Show Last', false);
    expect(document.querySelectorAll('.grid-body .grid-row:first-child .pinned')).toHaveLength(1);
    expect(JSON.parse(kept.get('tickmark.columns')!)).toEqual({ widths: { bid: 44 }, pinned: ['symbol', 'last'], hidden: ['ask', 'last'] });
    expect(document.querySelector<HTMLInputElement>('input[aria-label="Show Symbol"]')!.disabled).toBe(true);
    [...document.querySelectorAll('button')].find((each) => each.textContent === 'As they were')!.click();
    expect(titles()).toHaveLength(7);
    expect(JSON.parse(kept.get('tickmark.columns')!)).toEqual({ widths: {}, pinned: ['symbol'], hidden: [] });
  });
});

describe('the time that charts show', () => {
  const made = () => new TimeWindow(() => ({ fromMs: 480_000, toMs: 600_000 }), () => ({ fromMs: 0, toMs: 600_000 }));

  it('should be the usual until somebody zooms, around the cross-hair, and again after a reset', () => {
    const time = made();
    expect([time.span(), time.isZoomed]).toEqual([{ fromMs: 480_000, toMs: 600_000 }, false]);
    time.atMs = 490_000;
    time.zoom(true);
    expect(time.span()).toEqual({ fromMs: 485_000, toMs: 545_000 });
    time.reset();
    expect(time.isZoomed).toBe(false);
  });

  it('should reach back to all that is kept, and be no shorter than two seconds', () => {
    const time = made();
    for (let i = 0; i < 5; i++) {
      time.zoom(false);
    }
    expect(time.span()).toEqual({ fromMs: 0, toMs: 600_000 });
    time.to({ fromMs: 100_000, toMs: 100_001 });
    expect(time.span()).toEqual({ fromMs: 99_000.5, toMs: 101_000.5 });
  });

  it('should be as usual where all of it is shown, and nothing more is kept', () => {
    const time = new TimeWindow(() => ({ fromMs: 0, toMs: 9000 }), () => ({ fromMs: 0, toMs: 9000 }));
    time.zoom(true);
    expect(time.isZoomed).toBe(true);
    time.zoom(false);
    time.zoom(false);
    expect(time.isZoomed).toBe(false);
  });

  it('should stay as it is while too little is kept to show a part of it, and zoom once there is more', () => {
    let toMs = 0;
    const all = () => ({ fromMs: 0, toMs });
    const time = new TimeWindow(all, all);
    for (toMs of [0, 250, 1250]) {
      for (time.atMs of [undefined, 0, toMs]) {
        time.zoom(true);
        expect([time.span(), time.isZoomed], `${time.atMs} of ${toMs} ms`).toEqual([all(), false]);
      }
    }
    toMs = 2250;
    time.zoom(true);
    expect(time.isZoomed).toBe(true);
  });

  it('should move the cross-hair from sample to sample', () => {
    const time = made();
    const times = [100_000, 500_000, 500_250, 500_500];
    time.step(times, -1);
    expect(time.atMs).toBe(500_500);
    time.step(times, -1);
    time.step(times, -1);
    time.step(times, -1);
    expect(time.atMs).toBe(500_000);
    expect([nearest(times, 0), nearest(times, 500_130), nearest(times, 9e9)]).toEqual([0, 2, 3]);
  });
});
