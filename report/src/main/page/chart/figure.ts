import type uPlot from 'uplot';
import { h, newId, svg } from '../dom';
import { onColours } from '../theme';
import { draw } from './canvas';
import { SHAPE_PATHS } from './palette';
import { bandAt, type Line, nearest, type Plot } from './plot';

// wider than the paper at 96 dots an inch, so that the printed chart is sharper than the screen
const PRINT_WIDTH = 860;

/** A chart with its title, legend, figures beside the pointer, and the same figures as a table. */
export function figure(first: Plot): { element: HTMLElement; show: (plot: Plot) => void } {
  const view = new View(first);
  return { element: view.element, show: (plot) => view.show(plot) };
}

class View {
  readonly element: HTMLElement;
  private readonly caption = h('figcaption');
  private readonly legend = h('ul', { class: 'legend' });
  private readonly canvas = h('div', { class: 'canvas' });
  private readonly tip = h('div', { class: 'tip', hidden: true, 'aria-live': 'polite' });
  private readonly figures = h('div');
  private readonly note = h('p', { class: 'note' });
  private readonly hidden = new Set<string>();
  private plot: Plot;
  private chart: uPlot | undefined;
  private width = 0;

  constructor(plot: Plot) {
    this.plot = plot;
    const id = newId();
    this.caption.id = id;
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute('role', 'group');
    this.canvas.setAttribute('aria-roledescription', 'chart');
    this.canvas.addEventListener('keydown', (event) => this.onKey(event));
    this.canvas.addEventListener('blur', () => (this.tip.hidden = true));
    const details = h('details', {}, h('summary', {}, 'The same as a table'), this.figures);
    details.addEventListener('toggle', () => this.table(details.open));
    this.element = h(
      'figure',
      { 'aria-labelledby': id },
      this.caption,
      this.legend,
      h('div', { class: 'plot' }, this.canvas, this.tip),
      this.note,
      details,
    );
    onColours(() => this.redraw());
    new ResizeObserver(() => this.resized()).observe(this.canvas);
    this.show(plot);
  }

  show(plot: Plot): void {
    this.plot = plot;
    this.caption.textContent = plot.title;
    this.canvas.setAttribute('aria-label', `${plot.summary} Arrow keys read the points.`);
    this.note.textContent = plot.note ?? '';
    this.note.hidden = !plot.note;
    this.legend.replaceChildren(...plot.lines.map((line) => this.entry(line)));
    if (plot.level) {
      this.legend.append(h('li', { class: 'key' }, levelSwatch(), plot.level.label));
    }
    const open = this.element.querySelector('details')?.open ?? false;
    this.table(open);
    this.redraw();
  }

  private entry(line: Line): HTMLElement {
    const button = h(
      'button',
      { type: 'button', class: 'key', 'aria-pressed': String(!this.hidden.has(line.label)) },
      swatch(line),
      h('span', {}, line.label),
    );
    button.addEventListener('click', () => {
      const hide = !this.hidden.has(line.label);
      this.hidden[hide ? 'add' : 'delete'](line.label);
      button.setAttribute('aria-pressed', String(!hide));
      this.redraw();
    });
    return h('li', {}, button);
  }

  private resized(): void {
    const width = this.canvas.clientWidth;
    if (width > 0 && width !== this.width && !isPrinting()) {
      this.redraw();
    }
  }

  /** Colours and labels are fixed when a chart is created, so it is recreated. */
  private redraw(): void {
    if (this.canvas.clientWidth === 0) {
      return; // in a closed card
    }
    const width = isPrinting() ? PRINT_WIDTH : this.canvas.clientWidth;
    this.width = width;
    this.chart?.destroy();
    this.tip.hidden = true;
    this.chart = draw(
      this.plot,
      this.canvas,
      width,
      (line) => !this.hidden.has(line.label),
      (chart) => this.onCursor(chart),
    );
  }

  private onKey(event: KeyboardEvent): void {
    const chart = this.chart;
    const xs = chart?.data[0];
    const step = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }[event.key];
    if (!chart || !xs || step === undefined) {
      return;
    }
    event.preventDefault();
    const from = chart.cursor.idx ?? (step > 0 ? -1 : xs.length);
    const at = Math.min(xs.length - 1, Math.max(0, from + step));
    chart.setCursor({ left: chart.valToPos(xs[at] ?? 0, 'x'), top: 10 });
  }

  private onCursor(chart: uPlot): void {
    const left = chart.cursor.left ?? -1;
    const at = chart.cursor.idx;
    const x = at === null || at === undefined ? undefined : chart.data[0][at];
    if (left < 0 || x === undefined) {
      this.tip.hidden = true;
      return;
    }
    const rows = this.plot.lines.filter((line) => !this.hidden.has(line.label)).map((line) => {
      const point = nearest(line, x);
      return point
        ? h('div', {}, swatch(line), h('span', {}, line.label), h('b', {}, this.plot.y.exact(point.y)))
        : undefined;
    });
    const band = bandAt(this.plot.bands, x);
    this.tip.replaceChildren(h('strong', {}, this.plot.x.exact(x) + (band && `, ${band}`)));
    rows.forEach((row) => row && this.tip.append(row));
    this.tip.hidden = false;
    const room = this.canvas.clientWidth;
    const origin = chart.bbox.left / devicePixelRatio + left;
    const right = origin + this.tip.offsetWidth + 18 > room;
    this.tip.style.left = `${Math.max(0, right ? origin - this.tip.offsetWidth - 14 : origin + 14)}px`;
  }

  private table(open: boolean): void {
    if (!open) {
      this.figures.replaceChildren();
      return;
    }
    const { plot } = this;
    const xs = [...new Set(plot.lines.flatMap((line) => line.xs))].sort((a, b) => a - b);
    const head = h(
      'tr',
      {},
      h('th', { scope: 'col' }, plot.x.label),
      plot.bands && h('th', { scope: 'col', class: 'text' }, 'step'),
      plot.lines.map((line) => h('th', { scope: 'col' }, line.label)),
    );
    const rows = xs.map((x) =>
      h(
        'tr',
        {},
        h('th', { scope: 'row' }, plot.x.exact(x)),
        plot.bands && h('td', { class: 'text' }, bandAt(plot.bands, x)),
        plot.lines.map((line) => {
          const y = line.ys[line.xs.indexOf(x)];
          return h('td', {}, y === undefined ? '' : plot.y.exact(y));
        }),
      ),
    );
    this.figures.replaceChildren(
      h(
        'div',
        { class: 'scroll tall', tabindex: 0, role: 'region', 'aria-label': `${plot.title}, as a table` },
        h('table', {}, h('thead', {}, head), h('tbody', {}, rows)),
      ),
    );
  }
}

function isPrinting(): boolean {
  return document.documentElement.classList.contains('printing');
}

/** A piece of the line with its shape, as in the chart. */
export function swatch(line: Pick<Line, 'colour' | 'dashed'>): SVGElement {
  const series = `series-${(line.colour % 8) + 1}`;
  const path = SHAPE_PATHS[line.colour % SHAPE_PATHS.length] ?? '';
  return svg(
    'svg',
    { viewBox: '-6 0 24 12', width: 24, height: 12, class: `swatch ${series}`, 'aria-hidden': 'true' },
    svg('path', { d: 'M-6 6h24', class: line.dashed ? 'stroke dashed' : 'stroke' }),
    svg('path', { d: path, class: line.dashed ? 'hollow' : 'solid' }),
  );
}

function levelSwatch(): SVGElement {
  return svg(
    'svg',
    { viewBox: '-6 0 24 12', width: 24, height: 12, class: 'swatch', 'aria-hidden': 'true' },
    svg('path', { d: 'M-6 6h24', class: 'level' }),
  );
}
