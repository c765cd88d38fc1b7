import uPlot from 'uplot';
import { type Colours, colours, seriesColour, shape } from './palette';
import { align, type Band, type Line, type Plot } from './plot';

const FONT = '12px system-ui, sans-serif';
const NARROW = 520;

/** Draws a plot into an element; the caller destroys it. */
export function draw(
  plot: Plot,
  into: HTMLElement,
  width: number,
  shown: (line: Line) => boolean,
  onCursor: (chart: uPlot) => void,
): uPlot {
  const theme = colours();
  const options: uPlot.Options = {
    width,
    height: plot.height ?? (width < NARROW ? 280 : 340),
    padding: [plot.bands ? 18 : 14, 26, 0, 4],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 7 } },
    scales: {
      x: { time: false, range: plot.x.range, ...(plot.x.log ? { distr: 3, log: 10 } : {}) },
      y: { range: plot.y.range, ...(plot.y.log ? { distr: 3, log: 10 } : {}) },
    },
    axes: [axis(plot, 'x', theme, width), axis(plot, 'y', theme, width)],
    series: [{}, ...plot.lines.map((line) => series(line, theme, shown(line)))],
    hooks: {
      drawClear: [ground(theme), (chart) => bands(chart, plot, theme)],
      draw: [(chart) => level(chart, plot, theme), (chart) => marks(chart, plot, theme)],
      setCursor: [onCursor],
    },
  };
  return new uPlot(options, align(plot.lines) as uPlot.AlignedData, into);
}

function axis(plot: Plot, which: 'x' | 'y', theme: Colours, width: number): uPlot.Axis {
  const spec = plot[which];
  const crowded = which === 'x' && width < NARROW && spec.ticks.length > 6;
  const labelled = (value: number): boolean => !crowded || spec.ticks.indexOf(value) % 2 === 0;
  return {
    stroke: theme.faint,
    font: FONT,
    label: spec.label,
    labelFont: FONT,
    labelSize: 22,
    labelGap: 2,
    size: which === 'y' ? 58 : 34,
    gap: 6,
    grid: { stroke: theme.grid, width: 1 },
    ticks: { stroke: theme.grid, width: 1, size: 5 },
    splits: () => spec.ticks,
    // uPlot hides labels of its own choice on logarithmic scales unless told not to
    filter: (_chart, splits) => splits,
    values: (_chart, splits) => splits.map((value) => (labelled(value) ? spec.tick(value) : '')),
  };
}

function series(line: Line, theme: Colours, show: boolean): uPlot.Series {
  const common: uPlot.Series = {
    show,
    label: line.label,
    stroke: seriesColour(theme, line.colour),
    width: line.dashed ? 1.5 : 2,
    spanGaps: true,
    points: { show: false },
  };
  return line.dashed ? { ...common, dash: [6, 4] } : common;
}

function ground(theme: Colours): (chart: uPlot) => void {
  return (chart) => {
    chart.ctx.fillStyle = theme.ground;
    chart.ctx.fillRect(0, 0, chart.ctx.canvas.width, chart.ctx.canvas.height);
  };
}

/** Steps: every second one is shaded, and named where there is room. */
function bands(chart: uPlot, plot: Plot, theme: Colours): void {
  const { ctx, bbox } = chart;
  const scale = devicePixelRatio;
  ctx.save();
  ctx.font = `${11 * scale}px system-ui, sans-serif`;
  ctx.textBaseline = 'bottom';
  (plot.bands ?? []).forEach((band, at) => {
    const [left, right] = edges(chart, band);
    if (at % 2 === 1) {
      ctx.fillStyle = theme.band;
      ctx.fillRect(left, bbox.top, right - left, bbox.height);
    }
    ctx.fillStyle = theme.faint;
    if (ctx.measureText(band.label).width + 4 * scale <= right - left) {
      ctx.fillText(band.label, left + 2 * scale, bbox.top - scale);
    }
  });
  ctx.restore();
}

function edges(chart: uPlot, band: Band): [number, number] {
  const { left, width } = chart.bbox;
  const place = (x: number): number => Math.min(left + width, Math.max(left, chart.valToPos(x, 'x', true)));
  return [place(band.from), place(band.to)];
}

/** The noise floor: the machine itself can cause anything below it. */
function level(chart: uPlot, plot: Plot, theme: Colours): void {
  const { ctx, bbox } = chart;
  if (!plot.level || plot.level.at < plot.y.range[0] || plot.level.at > plot.y.range[1]) {
    return;
  }
  const scale = devicePixelRatio;
  const y = Math.round(chart.valToPos(plot.level.at, 'y', true));
  ctx.save();
  ctx.strokeStyle = theme.noise;
  ctx.lineWidth = 1.5 * scale;
  ctx.setLineDash([2 * scale, 3 * scale]);
  ctx.beginPath();
  ctx.moveTo(bbox.left, y);
  ctx.lineTo(bbox.left + bbox.width, y);
  ctx.stroke();
  ctx.restore();
}

function marks(chart: uPlot, plot: Plot, theme: Colours): void {
  const { ctx } = chart;
  const scale = devicePixelRatio;
  ctx.save();
  ctx.setLineDash([]);
  plot.lines.forEach((line, at) => {
    if (!chart.series[at + 1]?.show) {
      return;
    }
    const outline = shape(line.colour);
    ctx.strokeStyle = seriesColour(theme, line.colour);
    ctx.fillStyle = line.dashed ? theme.ground : ctx.strokeStyle;
    ctx.lineWidth = 1.5 * scale;
    line.xs.forEach((x, index) => {
      const y = line.ys[index];
      if (y !== undefined && (line.marked?.(x) ?? true)) {
        ctx.beginPath();
        outline(ctx, chart.valToPos(x, 'x', true), chart.valToPos(y, 'y', true), 3.4 * scale);
        ctx.fill();
        ctx.stroke();
      }
    });
  });
  ctx.restore();
}
