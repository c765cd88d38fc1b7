// Three charts over the last two minutes. Loaded after the page stands: prices need no chart to move.

import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { h } from './dom';
import { digits, rate } from './format';
import { colour, onColours } from './theme';

const POINTS = 480;
const HEIGHT = 190;

export interface Sample {
  atMs: number;
  p50Ms: number | null;
  p99Ms: number | null;
  maxMs: number | null;
  received: number;
  made: number | null;
  frameMs: number | null;
  busyPercent: number;
}

interface Line {
  label: string;
  colour: string;
  value: (sample: Sample) => number | null;
  width?: number;
}

const CHARTS: { title: string; unit: string; isLog: boolean; show: (value: number) => string; lines: Line[] }[] = [
  {
    title: 'Latency', unit: 'ms', isLog: true, show: digits,
    lines: [
      { label: 'p50', colour: 'series-1', value: (s) => s.p50Ms, width: 2 },
      { label: 'p99', colour: 'series-2', value: (s) => s.p99Ms, width: 2 },
      { label: 'max', colour: 'series-3', value: (s) => s.maxMs },
    ],
  },
  {
    title: 'Messages per second', unit: '', isLog: false, show: rate,
    lines: [
      { label: 'received', colour: 'series-1', value: (s) => s.received, width: 2 },
      { label: 'feed', colour: 'series-3', value: (s) => s.made },
    ],
  },
  {
    title: 'Page', unit: '', isLog: false, show: digits,
    lines: [
      { label: 'frame time, ms', colour: 'series-2', value: (s) => s.frameMs, width: 2 },
      { label: 'decoding, % of time', colour: 'series-1', value: (s) => s.busyPercent },
    ],
  },
];

export interface Charts {
  add(sample: Sample): void;
}

export function charts(into: HTMLElement): Charts {
  const samples: Sample[] = [];
  let plots: uPlot[] = [];

  function make(): void {
    plots.forEach((plot) => plot.destroy());
    into.replaceChildren();
    plots = CHARTS.map((chart) => {
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
            { ...axis, values: (_u, splits) => splits.map((each) => `${each} s`) },
            { ...axis, size: 52, values: (_u, splits) => splits.map((each) => (each === null ? '' : chart.show(each).replace(/\.00$/, ''))) },
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

  function data(lines: Line[]): uPlot.AlignedData {
    const last = samples.at(-1)?.atMs ?? 0;
    return [
      samples.map((sample) => (sample.atMs - last) / 1000),
      ...lines.map((line) => samples.map(line.value)),
    ] as uPlot.AlignedData;
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
        plots.forEach((plot, i) => plot.setData(data(CHARTS[i]!.lines)));
      }
    },
  };
}
