// The percentiles of a row that is final, and below them what the latency between each two consists of.

import { causesOf, curveOf, sharesOf, type Percentile, type Row, type TailBand } from '../runs/lines';
import { count, powers, time } from './format';

const HEIGHT = 300;
const LEFT = 74;
const RIGHT = 16;
const TOP = 12;
/** Where the curve ends and the bars begin. */
const MIDDLE = 170;
const BARS = 190;
const BOTTOM = HEIGHT - 26;
const LEAST_WIDTH = 300;
const MARKS = [50, 90, 99, 99.9, 99.99, 100];
/** Room for five nines; the maximum is drawn where the fifth would be. */
const MOST_NINES = 5;

function svg(tag: string, attributes: Record<string, string | number>, text?: string): SVGElement {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  Object.entries(attributes).forEach(([name, value]) => element.setAttribute(name, String(value)));
  if (text !== undefined) {
    element.textContent = text;
  }
  return element;
}

/** From the median, 0, to the maximum, 1: each further nine takes as much room. */
export function place(percentile: number): number {
  const nines = percentile >= 100 ? MOST_NINES : Math.log10(100 / (100 - percentile));
  const least = Math.log10(2);
  return Math.min(1, Math.max(0, (nines - least) / (MOST_NINES - least)));
}

/** In words, for who does not see it. */
export function told(row: Row): string {
  const curve = curveOf(row).map(({ percentile, ns }) => `${percentile === 100 ? 'maximum' : `${percentile} %`} ${time(ns)}`);
  const bands = (row.tail ?? []).map((band) =>
    `${band.fromPercentile} to ${band.toPercentile} %: ${sharesOf(band).map((each) => `${each.name} ${(100 * each.part).toFixed(0)} %`).join(', ')}`);
  return [curve.join(', '), ...bands].join('; ');
}

/** Nothing where the row has no curve. */
export function percentiles(into: HTMLElement, row: Row | undefined): void {
  const curve = row ? curveOf(row).filter((each) => each.percentile >= 50) : [];
  const shown = row === undefined ? '' : JSON.stringify([row.seconds, row.test, row.channel, row.repeat, row.label, into.clientWidth]);
  if (into.dataset['shown'] === shown) {
    return;
  }
  into.dataset['shown'] = shown;
  if (row === undefined || curve.length < 2) {
    into.replaceChildren();
    return;
  }
  const width = Math.max(LEAST_WIDTH, into.clientWidth);
  const x = (percentile: number): number => LEFT + place(percentile) * (width - LEFT - RIGHT);
  const all = [...curve, ...(row.undisturbed ?? [])].map((each) => Math.max(1, each.ns));
  const low = Math.floor(Math.log10(Math.min(...all)));
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...all))));
  const y = (ns: number): number => MIDDLE - ((Math.log10(Math.max(1, ns)) - low) / (high - low)) * (MIDDLE - TOP);
  const picture = svg('svg', { width, height: HEIGHT, role: 'img', 'aria-label': told(row) });
  for (let power = low; power <= high; power++) {
    const at = y(10 ** power);
    picture.append(svg('line', { class: 'grid', x1: LEFT, x2: width - RIGHT, y1: at, y2: at }),
      svg('text', { class: 'axis', x: LEFT - 8, y: at + 4, 'text-anchor': 'end' }, `${powers([10 ** (power - 3)])[0]} µs`));
  }
  MARKS.forEach((mark) => picture.append(
    svg('line', { class: 'grid', x1: x(mark), x2: x(mark), y1: TOP, y2: BOTTOM }),
    svg('text', { class: 'axis', x: x(mark), y: HEIGHT - 8, 'text-anchor': mark === 100 ? 'end' : mark === 50 ? 'start' : 'middle' }, mark === 100 ? 'max' : `${mark} %`)));
  const line = (points: Percentile[], name: string): void => {
    picture.append(svg('polyline', { class: name, points: points.map((each) => `${x(each.percentile)},${y(each.ns)}`).join(' ') }));
  };
  if ((row.undisturbed ?? []).length > 1) {
    line(row.undisturbed!.filter((each) => each.percentile >= 50), 'undisturbed');
  }
  line(curve, 'measured');
  curve.forEach((each) => {
    const dot = svg('circle', { class: 'measured', cx: x(each.percentile), cy: y(each.ns), r: 3 });
    dot.append(svg('title', {}, `${each.percentile === 100 ? 'maximum' : `${each.percentile} %`}: ${time(each.ns)}`));
    picture.append(dot);
  });
  (row.tail ?? []).forEach((band) => bars(picture, band, x(band.fromPercentile), x(band.toPercentile)));
  into.replaceChildren(picture);
}

/** From the bottom: the machine's part, so that it can be compared from band to band. */
function bars(picture: SVGElement, band: TailBand, from: number, to: number): void {
  let bottom = BOTTOM;
  for (const share of sharesOf(band)) {
    const height = share.part * (BOTTOM - BARS);
    bottom -= height;
    const bar = svg('rect', { class: 'share', 'data-owner': share.owner, x: from + 2, y: bottom, width: Math.max(1, to - from - 4), height });
    const causes = causesOf(band).filter((each) => each.owner === share.owner).map((each) => `${(100 * each.part).toFixed(0)} % ${each.words}`);
    bar.append(svg('title', {},
      [`${share.name}: ${(100 * share.part).toFixed(1)} % of what ${count(band.messages)} messages took above the median`, ...causes].join('\n')));
    picture.append(bar);
  }
}
