import { figure } from '../chart/figure';
import { MOST_LINES, percentilePlot, stepsPlot } from '../chart/percentiles';
import type { Plot } from '../chart/plot';
import { sweepPlot } from '../chart/sweep';
import { cpuOverTime, latencyOverTime, memoryOverTime, ratesOverTime } from '../chart/timelines';
import { latencyNames, stepNames, type Test } from '../data';
import { h, newId } from '../dom';
import { card } from './card';
import { latencyTables } from './latency-table';
import { countTables, oneWayTables, roleTables } from './general';
import { thumbnail } from './overview';
import { rateBars, streamTable } from './stream';
import { sideTables } from './side';
import { slowestMessages } from './slowest';
import { strips } from './strips';

/** More small charts than these are too many to read. */
const MOST_MULTIPLES = 5;

const LOOPS: Record<Test['loop'], string> = {
  closed: 'latency, closed loop',
  open: 'latency, open loop',
  stream: 'stream',
  general: '',
};

/** One test on all its channels. */
export function test(data: Test, id: string): HTMLDetailsElement {
  const picture = thumbnail(data);
  return card(
    id,
    data.name,
    [
      LOOPS[data.loop] && h('span', { class: 'kind' }, LOOPS[data.loop]),
      picture,
      data.sentence !== '' && h('span', { class: 'headline' }, data.sentence),
    ],
    h('p', { class: 'circumstances' }, data.circumstances),
    data.loop === 'stream' && rateBars(data),
    data.loop === 'stream' && streamTable(data),
    data.loop === 'general' && countTables(data),
    byStep(data),
    sweep(data),
    overTime(data),
    data.loop !== 'stream' && latencyTables(data),
    sideTables(data),
    slowestMessages(data.slowest),
    oneWayTables(data),
    roleTables(data),
  );
}

/** What is shown for one step at a time: the range strips and the percentile curve. */
function byStep(data: Test): HTMLElement[] {
  const all = stepNames(data);
  const first = all[0];
  if (first === undefined) {
    return [];
  }
  const views = viewsOf(data, all);
  const ranges = h('div', {}, (views[0]?.steps ?? [first]).map((step) => strips(data, step)));
  const plot = views[0]?.plot();
  const chart = plot && figure(plot);
  const choice = select(
    'Step',
    views.map((view) => view.title),
    (at) => {
      const view = views[at];
      ranges.replaceChildren(...(view?.steps ?? []).map((step) => strips(data, step)));
      const next = view?.plot();
      if (chart && next) {
        chart.show(next);
      }
    },
  );
  return [
    ...(views.length > 1 ? [h('div', { class: 'controls' }, choice)] : []),
    ranges,
    ...(chart ? [chart.element] : []),
    ...multiples(data, all),
  ];
}

interface View {
  title: string;
  steps: string[];
  plot: () => Plot | undefined;
}

/** Each step; before them all in one chart, where there is one channel and colours are enough. */
function viewsOf(data: Test, all: string[]): View[] {
  const each = all.map((step) => ({ title: step, steps: [step], plot: () => percentilePlot(data, step) }));
  const only = data.blocks.length === 1 ? data.blocks[0] : undefined;
  return only && all.length > 1 && all.length <= MOST_LINES
    ? [{ title: 'all', steps: [], plot: () => stepsPlot(data, only, all) }, ...each]
    : each;
}

/** On several channels the steps after the first get small charts of their own, so that paper shows them too. */
function multiples(data: Test, all: string[]): HTMLElement[] {
  if (data.blocks.length < 2 || all.length > MOST_MULTIPLES) {
    return [];
  }
  const charts = all.slice(1).flatMap((step) => {
    const plot = percentilePlot(data, step);
    return plot ? [figure(plot).element] : [];
  });
  return charts.length > 0 ? [h('div', { class: 'pair' }, charts)] : [];
}

function sweep(data: Test): HTMLElement | undefined {
  const plot = sweepPlot(data);
  return plot && figure(plot).element;
}

/** Time lines of one channel and repeat at a time: each latency, then rates, CPU and memory. */
function overTime(data: Test): HTMLElement | undefined {
  const names = latencyNames(data);
  const all = data.blocks.flatMap((block) =>
    block.timeLines.map((line) => {
      const where = block.channel || data.name;
      const title = block.timeLines.length > 1 ? `${where}, repeat ${line.repeat}` : where;
      return {
        title,
        latencies: names.map((name) => latencyOverTime(line, name, block.noiseMaxNs, title)),
        others: [...ratesOverTime(line, title), cpuOverTime(line, title), memoryOverTime(line, title)],
      };
    }),
  );
  const shown = all
    .map(({ title, latencies, others }) => ({ title, plots: [...latencies, ...others] }))
    .filter(({ plots }) => plots.some((plot) => plot !== undefined));
  const most = Math.max(0, ...shown.map(({ plots }) => plots.length));
  if (most === 0) {
    return undefined;
  }
  const charts = Array.from({ length: most }, (_, at) => slot(shown.map(({ plots }) => plots[at])));
  const choice = select('Time line of', shown.map((each) => each.title), (at) =>
    charts.forEach((chart) => chart?.show(at)),
  );
  return h(
    'div',
    {},
    shown.length > 1 && h('div', { class: 'controls' }, choice),
    h('div', { class: 'pair' }, charts.map((chart) => chart?.element)),
  );
}

/** One chart for all choices; hidden for choices without data. */
function slot(
  plots: (Plot | undefined)[],
): { element: HTMLElement; show: (at: number) => void } | undefined {
  const some = plots.find((plot) => plot !== undefined);
  if (!some) {
    return undefined;
  }
  const chart = figure(some);
  const show = (at: number): void => {
    const plot = plots[at];
    chart.element.hidden = plot === undefined;
    if (plot) {
      chart.show(plot);
    }
  };
  show(0);
  return { element: chart.element, show };
}

function select(label: string, options: string[], onChange: (at: number) => void): HTMLElement {
  const id = newId();
  const element = h('select', { id }, options.map((option, at) => h('option', { value: at }, option)));
  element.addEventListener('change', () => onChange(element.selectedIndex));
  return h('label', { for: id }, `${label} `, element);
}
