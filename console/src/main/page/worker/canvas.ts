// The canvas renderer: tiles of symbols, drawn in the worker. Only tiles that changed are drawn again.

import type { CanvasView } from '../protocol';
import { percent } from '../view/format';
import { COLUMNS, LAST, MOVE, OPEN } from '../wire/tick';
import type { Table } from './table';

export const TILE_WIDTH = 132;
export const TILE_HEIGHT = 40;

/** Tiles in a row of this width. */
export function tilesAcross(width: number): number {
  return Math.max(1, Math.floor(width / TILE_WIDTH));
}

export class Tiles {
  private readonly context: OffscreenCanvasRenderingContext2D;
  private places = new Int32Array(0);
  private view: CanvasView | undefined;

  constructor(private readonly canvas: OffscreenCanvas, private readonly names: string[]) {
    this.context = canvas.getContext('2d', { alpha: false })!;
  }

  show(view: CanvasView, table: Table | undefined): void {
    this.view = view;
    this.canvas.width = Math.max(1, Math.round(view.width * view.ratio));
    this.canvas.height = Math.max(1, Math.round(view.height * view.ratio));
    this.context.setTransform(view.ratio, 0, 0, view.ratio, 0, 0);
    this.context.fillStyle = view.colours.ground;
    this.context.fillRect(0, 0, view.width, view.height);
    this.places = new Int32Array(this.names.length).fill(-1);
    view.order.forEach((symbol, place) => (this.places[symbol] = place));
    if (table) {
      const across = tilesAcross(view.width);
      const first = Math.floor(view.top / TILE_HEIGHT) * across;
      const last = Math.min(view.order.length, first + (Math.ceil(view.height / TILE_HEIGHT) + 1) * across);
      for (let place = first; place < last; place++) {
        this.tile(view.order[place]!, table);
      }
    }
  }

  draw(table: Table): void {
    table.takeDirty((symbol) => this.tile(symbol, table));
  }

  private tile(symbol: number, table: Table): void {
    const { view, context } = this;
    const place = this.places[symbol] ?? -1;
    if (!view || place < 0) {
      return;
    }
    const across = tilesAcross(view.width);
    const width = view.width / across;
    const y = Math.floor(place / across) * TILE_HEIGHT - view.top;
    if (y <= -TILE_HEIGHT || y >= view.height) {
      return;
    }
    const x = (place % across) * width;
    const at = symbol * COLUMNS;
    const last = table.ints[at + LAST]!;
    const move = table.ints[at + MOVE]!;
    const first = table.ints[at + OPEN]!;
    const { colours } = view;
    context.fillStyle = colours.ground;
    context.fillRect(x, y, width, TILE_HEIGHT);
    context.fillStyle = move > 0 ? colours.up : move < 0 ? colours.down : colours.line;
    context.fillRect(x + 4, y + 7, 3, TILE_HEIGHT - 14);
    context.font = '600 12px ui-monospace, "DejaVu Sans Mono", monospace';
    context.fillStyle = colours.text;
    context.fillText(this.names[symbol]!, x + 13, y + 17);
    context.fillStyle = move > 0 ? colours.up : move < 0 ? colours.down : colours.text;
    context.font = '13px ui-monospace, "DejaVu Sans Mono", monospace';
    context.fillText(last === 0 ? '–' : (last / 100).toFixed(2), x + 13, y + 33);
    if (first !== 0) {
      context.font = '11px ui-monospace, "DejaVu Sans Mono", monospace';
      context.fillStyle = colours.faint;
      context.textAlign = 'right';
      context.fillText(`${percent((last - first) / first)}%`, x + width - 8, y + 33);
      context.textAlign = 'left';
    }
  }
}
