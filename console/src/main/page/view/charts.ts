// Charts of time. Loaded after the page stands: prices need no chart to move.

import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { h } from './dom';
import { powers, ticks } from './format';
import { colour, onColours } from './theme';

const POINTS = 480;
const HEIGHT = 180;

interface Line<S> {
  label: string;
  colour: string;
  value: (sample: S) => number | null;
  width?: number;
}

export interface Chart<S> {
  title: string;
  unit: string;
  isLog: boolean;
  /** Whether thousands and millions are written as such. */
  isRate?: boolean;
  show: (value: number) => string;
  lines: Line<S>[];
}

export interface Charts<S> {
  /** One more; the oldest goes. */
  add(sample: S): void;
  /** These and no others. */
  show(samples: S[]): void;
}

/** Charts that end with the last sample, or begin with time 0. */
export function charts<S extends { atMs: number }>(into: HTMLElement, specs: Chart<S>[], isFromStart = false): Charts<S> {
  let samples: S[] = [];
  let plots: uPlot[] = [];

  function make(): void {
    plots.forEach((plot) => plot.destroy());
    into.replaceChildren();
    plots = specs.map((chart) => {
      const holder = h('div', { class: 'plot' });
      const keys = chart.lines.map((line) => h('li', { class: `key ${line.colour}` }, line.label));
      const figure = h('figure', {},
        h('figcaption', {}, chart.title, chart.unit ? h('span', {}, `, ${chart.unit}`) : undefined), h('ul', { class: 'keys' }, keys), holder);
      into.append(figure);
      const axis = {
        stroke: colour('faint'), font: '11px system-ui',
        grid: { stroke: colour('grid'), width: 1 }, ticks: { stroke: colour('grid'), width: 1 },
      };
      return new uPlot(
        {
          width: Math.max(240, holder.clientWidth), height: HEIGHT,
          cursor: { points: { show: false } },
          legend: { show: false },
          scales: {
            x: { time: false },
            y: chart.isLog
              ? { distr: 3, range: (_u, min, max) => [Math.max(0.01, 10 ** Math.floor(Math.log10(Math.max(0.01, min || 0.1)))), 10 ** Math.ceil(Math.log10(Math.max(1, max || 1)))] }
              : { range: (_u, _min, max) => [0, max > 0 ? max * 1.1 : 1] },
          },
          axes: [
            { ...axis, size: 28, values: (_u, splits) => splits.map((each) => `${each} s`) },
            { ...axis, size: 62, values: (_u, splits) => (chart.isLog ? powers(splits) : ticks(splits, chart.isRate)) },
          ],
          series: [
            { label: 'seconds', value: (_u, value) => (value === null ? '' : value.toFixed(0)) },
            ...chart.lines.map((line) => ({
              label: line.label, stroke: colour(line.colour), width: line.width ?? 1.25,
              points: { show: false }, spanGaps: false,
              value: (_u: uPlot, value: number | null) => (value === null ? '–' : chart.show(value)),
            })),
          ],
        },
        data(chart.lines),
        holder,
      );
    });
  }

  function data(lines: Line<S>[]): uPlot.AlignedData {
    const zero = isFromStart ? 0 : samples.at(-1)?.atMs ?? 0;
    return [
      samples.map((sample) => (sample.atMs - zero) / 1000),
      ...lines.map((line) => samples.map(line.value)),
    ] as uPlot.AlignedData;
  }

  function draw(): void {
    plots.forEach((plot, i) => plot.setData(data(specs[i]!.lines)));
  }

  make();
  onColours(make);
  new ResizeObserver(() => {
    plots.forEach((plot, i) => {
      const holder = into.children[i]?.querySelector('.plot');
      if (holder && holder.clientWidth > 0 && holder.clientWidth !== plot.width) {
        plot.setSize({ width: holder.clientWidth, height: HEIGHT });
      }
    });
  }).observe(into);

  return {
    add: (sample) => {
      samples.push(sample);
      if (samples.length > POINTS) {
        samples.shift();
      }
      // two pictures a second are enough to see, and cost the grid nothing
      if (samples.length % 2 === 0 && document.visibilityState === 'visible') {
        draw();
      }
    },
    show: (all) => {
      samples = all;
      draw();
    },
  };
}
