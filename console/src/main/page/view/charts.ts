// Charts of time, which share a cross-hair and a zoom. Loaded after the page stands: prices need no chart to move.

import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { h, text } from './dom';
import { powers, ticks } from './format';
import { colour, onColours } from './theme';
import { nearest, TimeWindow, type Span } from './time-window';

/** What is kept: ten minutes of four samples a second; and what is shown of it where nobody zooms. */
const KEPT = 2400;
const USUAL_MS = 120_000;
const HEIGHT = 180;

interface Line<S> {
  label: string;
  colour: string;
  value: (sample: S) => number | null;
  width?: number;
  isDashed?: boolean;
}

/** A line that its figure should not cross. */
export interface Limit {
  label: string;
  value: number;
}

export interface Chart<S> {
  title: string;
  unit: string;
  isLog: boolean;
  /** Whether thousands and millions are written as such. */
  isRate?: boolean;
  show: (value: number) => string;
  lines: Line<S>[];
  limits?: () => Limit[];
}

export interface Charts<S> {
  /** One more; the oldest goes. */
  add(sample: S): void;
  /** These and no others. */
  show(samples: S[]): void;
  /** Limits are others now. */
  redraw(): void;
}

/** Charts that end with the last sample, or begin with time 0. */
export function charts<S extends { atMs: number }>(into: HTMLElement, specs: Chart<S>[], isFromStart = false): Charts<S> {
  let samples: S[] = [];
  let plots: uPlot[] = [];
  /** Of each chart, where the values at the cross-hair stand. */
  let outputs: HTMLElement[][] = [];
  let limitKeys: HTMLElement[] = [];
  let isFollowing = false;
  let added = 0;

  const kept = (): Span => ({ fromMs: samples[0]?.atMs ?? 0, toMs: samples.at(-1)?.atMs ?? 0 });
  const window_ = new TimeWindow(() => {
    const all = kept();
    return isFromStart ? { fromMs: 0, toMs: all.toMs } : { fromMs: Math.max(all.fromMs, all.toMs - USUAL_MS), toMs: all.toMs };
  }, () => (isFromStart ? { ...kept(), fromMs: 0 } : kept()));
  const readout = h('p', {});
  const act = (what: () => void) => () => {
    what();
    draw();
  };
  const reset = h('button', { type: 'button', disabled: true, click: act(() => window_.reset()) }, isFromStart ? 'All' : 'Latest two minutes');
  const tools = h('div', { class: 'chart-tools' },
    readout,
    h('button', { type: 'button', 'aria-label': 'Zoom out', click: act(() => window_.zoom(false)) }, '−'),
    h('button', { type: 'button', 'aria-label': 'Zoom in', click: act(() => window_.zoom(true)) }, '+'),
    reset);
  into.tabIndex = 0;
  into.setAttribute('role', 'group');
  into.title = 'Arrow keys move the cross-hair, + and − zoom, Escape goes back; drag over a part of a chart to see it larger.';
  into.addEventListener('keydown', onKey);

  function make(): void {
    plots.forEach((plot) => plot.destroy());
    into.replaceChildren(tools);
    outputs = [];
    limitKeys = [];
    plots = specs.map((chart) => {
      const holder = h('div', { class: 'plot' });
      const values = chart.lines.map(() => h('output', {}));
      const limits = h('li', { class: 'key limit-line', hidden: true });
      outputs.push(values);
      limitKeys.push(limits);
      const keys = chart.lines.map((line, i) => h('li', { class: `key ${line.colour}${line.isDashed ? ' dashed' : ''}` }, line.label, values[i]));
      const figure = h('figure', {},
        h('figcaption', {}, chart.title, chart.unit ? h('span', {}, `, ${chart.unit}`) : undefined), h('ul', { class: 'keys' }, keys, limits), holder);
      into.append(figure);
      const axis = {
        stroke: colour('faint'), font: '11px system-ui',
        grid: { stroke: colour('grid'), width: 1 }, ticks: { stroke: colour('grid'), width: 1 },
      };
      const highest = (max: number | null): number => Math.max(max ?? 0, ...(chart.limits?.() ?? []).map((each) => each.value));
      return new uPlot(
        {
          width: Math.max(240, holder.clientWidth), height: HEIGHT,
          cursor: { points: { show: false }, y: false, sync: { key: 'charts' }, drag: { x: true, y: false, setScale: false }, bind: { dblclick: () => () => (act(() => window_.reset())(), null) } },
          legend: { show: false },
          scales: {
            x: { time: false },
            y: chart.isLog
              ? { distr: 3, range: (_u, min, max) => [Math.max(0.01, 10 ** Math.floor(Math.log10(Math.max(0.01, min || 0.1)))), 10 ** Math.ceil(Math.log10(Math.max(1, highest(max) || 1)))] }
              : { range: (_u, _min, max) => [0, highest(max) > 0 ? highest(max) * 1.1 : 1] },
          },
          axes: [
            { ...axis, size: 28, values: (_u, splits) => splits.map((each) => `${each} s`) },
            { ...axis, size: chart.isLog ? 74 : 62, values: (_u, splits) => (chart.isLog ? powers(splits) : ticks(splits, chart.isRate)) },
          ],
          series: [
            {},
            ...chart.lines.map((line) => ({
              label: line.label, stroke: colour(line.colour), width: line.width ?? 1.25,
              points: { show: false }, spanGaps: false, ...(line.isDashed ? { dash: [6, 4] } : {}),
            })),
          ],
          hooks: {
            draw: [(plot) => drawLimits(plot, chart.limits?.() ?? [])],
            setCursor: [moved],
            setSelect: [selected],
          },
        },
        data(chart.lines),
        holder,
      );
    });
    draw();
  }

  function zeroMs(): number {
    return isFromStart ? 0 : samples.at(-1)?.atMs ?? 0;
  }

  function inWindow(): S[] {
    const { fromMs, toMs } = window_.span();
    return samples.filter((each) => each.atMs >= fromMs && each.atMs <= toMs);
  }

  function data(lines: Line<S>[], shown = inWindow()): uPlot.AlignedData {
    const zero = zeroMs();
    return [
      shown.map((sample) => (sample.atMs - zero) / 1000),
      ...lines.map((line) => shown.map(line.value)),
    ] as uPlot.AlignedData;
  }

  function drawLimits(plot: uPlot, limits: Limit[]): void {
    const { ctx, bbox } = plot;
    for (const { value } of limits) {
      const y = Math.round(plot.valToPos(value, 'y', true));
      ctx.save();
      ctx.strokeStyle = colour('bad');
      ctx.lineWidth = 2 * devicePixelRatio;
      ctx.setLineDash([2 * devicePixelRatio, 4 * devicePixelRatio]);
      ctx.beginPath();
      ctx.moveTo(bbox.left, y);
      ctx.lineTo(bbox.left + bbox.width, y);
      ctx.stroke();
      ctx.restore();
    }
  }

  /** A pointer moved over one chart; the others follow by themselves. */
  function moved(plot: uPlot): void {
    if (isFollowing) {
      return;
    }
    const { left } = plot.cursor;
    window_.atMs = left === undefined || left === null || left < 0 || samples.length === 0 ? undefined : zeroMs() + 1000 * plot.posToVal(left, 'x');
    showCursor(inWindow(), false);
  }

  function selected(plot: uPlot): void {
    const { left, width } = plot.select;
    if (width > 0) {
      const at = (px: number): number => zeroMs() + 1000 * plot.posToVal(px, 'x');
      window_.to({ fromMs: at(left), toMs: at(left + width) });
      plots.forEach((each) => each.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false));
      draw();
    }
  }

  /** The values at the cross-hair, in each chart's key; and the line itself where no pointer holds it. */
  function showCursor(shown: S[], isMoved: boolean): void {
    const { atMs } = window_;
    const sample = atMs === undefined || shown.length === 0 ? undefined : shown[nearest(shown.map((each) => each.atMs), atMs)];
    specs.forEach((chart, c) => chart.lines.forEach((line, i) => {
      const value = sample && line.value(sample);
      text(outputs[c]![i]!, sample === undefined ? '' : value === null || value === undefined ? '–' : chart.show(value));
    }));
    text(readout, sample === undefined ? '' : `at ${((sample.atMs - zeroMs()) / 1000).toFixed(1)} s`);
    if (isMoved) {
      isFollowing = true;
      plots.forEach((plot) => plot.setCursor(sample ? { left: plot.valToPos((sample.atMs - zeroMs()) / 1000, 'x'), top: 0 } : { left: -10, top: -10 }, false));
      isFollowing = false;
    }
  }

  function draw(): void {
    const shown = inWindow();
    const { fromMs, toMs } = window_.span();
    const zero = zeroMs();
    plots.forEach((plot, i) => {
      plot.setData(data(specs[i]!.lines, shown), false);
      plot.setScale('x', { min: (fromMs - zero) / 1000, max: Math.max(fromMs + 1, toMs) / 1000 - zero / 1000 });
      const limits = specs[i]!.limits?.() ?? [];
      limitKeys[i]!.hidden = limits.length === 0;
      text(limitKeys[i]!, limits.map((each) => each.label).join(', '));
    });
    reset.disabled = !window_.isZoomed;
    showCursor(shown, window_.atMs !== undefined);
  }

  function onKey(event: KeyboardEvent): void {
    const keys: Record<string, () => void> = {
      ArrowLeft: () => window_.step(samples.map((each) => each.atMs), event.shiftKey ? -10 : -1),
      ArrowRight: () => window_.step(samples.map((each) => each.atMs), event.shiftKey ? 10 : 1),
      '+': () => window_.zoom(true),
      '=': () => window_.zoom(true),
      '-': () => window_.zoom(false),
      Escape: () => {
        window_.reset();
        window_.atMs = undefined;
      },
    };
    const act = keys[event.key];
    if (act && event.target === into && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      act();
      draw();
      showCursor(inWindow(), true);
    }
  }

  make();
  onColours(make);
  new ResizeObserver(() => {
    plots.forEach((plot) => {
      const holder = plot.root.parentElement;
      if (holder && holder.clientWidth > 0 && holder.clientWidth !== plot.width) {
        plot.setSize({ width: holder.clientWidth, height: HEIGHT });
      }
    });
  }).observe(into);

  return {
    add: (sample) => {
      samples.push(sample);
      if (samples.length > KEPT) {
        samples.shift();
      }
      // two pictures a second are enough to see, and cost the grid nothing
      if (++added % 2 === 0 && document.visibilityState === 'visible') {
        draw();
      }
    },
    show: (all) => {
      samples = all;
      draw();
    },
    redraw: draw,
  };
}
