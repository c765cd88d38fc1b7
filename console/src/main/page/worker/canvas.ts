// The canvas renderer: tiles of symbols, drawn in the worker. Only tiles that changed are drawn again.

import type { CanvasView } from '../protocol';
import { FLASH_MS } from '../settings';
import { percent } from '../view/format';
import { COLUMNS, LAST, MOVE, OPEN, WANTED } from '../wire/tick';
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

  private flashes: Flashes | undefined;

  /** Shown: of each tile that is drawn because of a message, when that was due (wrappedUs). */
  constructor(
    private readonly canvas: OffscreenCanvas, private readonly names: string[], private readonly shown: (wantedUs: number) => void,
  ) {
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

  flash(isOn: boolean): void {
    this.flashes = isOn ? this.flashes ?? new Flashes(this.names.length) : undefined;
  }

  draw(table: Table, nowMs: number): void {
    table.takeDirty((symbol) => {
      this.flashes?.see(symbol, table.ints[symbol * COLUMNS + LAST]!, nowMs);
      if (this.tile(symbol, table)) {
        this.shown(table.ints[symbol * COLUMNS + WANTED]!);
      }
    });
    this.flashes?.fade(nowMs, (symbol) => this.tile(symbol, table));
  }

  /** False where it is out of view. */
  private tile(symbol: number, table: Table): boolean {
    const { view, context } = this;
    const place = this.places[symbol] ?? -1;
    if (!view || place < 0) {
      return false;
    }
    const across = tilesAcross(view.width);
    const width = view.width / across;
    const y = Math.floor(place / across) * TILE_HEIGHT - view.top;
    if (y <= -TILE_HEIGHT || y >= view.height) {
      return false;
    }
    const x = (place % across) * width;
    const at = symbol * COLUMNS;
    const last = table.ints[at + LAST]!;
    const move = table.ints[at + MOVE]!;
    const first = table.ints[at + OPEN]!;
    const { colours } = view;
    const flash = this.flashes?.direction(symbol) ?? 0;
    context.fillStyle = flash > 0 ? colours.upGround : flash < 0 ? colours.downGround : colours.ground;
    context.fillRect(x, y, width, TILE_HEIGHT);
    context.fillStyle = move > 0 ? colours.up : move < 0 ? colours.down : colours.line;
    // the place of the bar says it, too: not every reader can distinguish the colours
    context.fillRect(x + 4, y + (move < 0 ? TILE_HEIGHT / 2 : 7), 3, (TILE_HEIGHT - 14) / (move === 0 ? 1 : 2));
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
    return true;
  }
}

/** Which prices changed lately, and how. */
class Flashes {
  private readonly prices: Int32Array;
  private readonly directions: Int8Array;
  private readonly untilMs: Float64Array;
  private lit: number[] = [];

  constructor(symbols: number) {
    this.prices = new Int32Array(symbols);
    this.directions = new Int8Array(symbols);
    this.untilMs = new Float64Array(symbols);
  }

  see(symbol: number, price: number, nowMs: number): void {
    const before = this.prices[symbol]!;
    this.prices[symbol] = price;
    if (before === 0 || price === before) {
      return;
    }
    if (this.directions[symbol] === 0) {
      this.lit.push(symbol);
    }
    this.directions[symbol] = price > before ? 1 : -1;
    this.untilMs[symbol] = nowMs + FLASH_MS;
  }

  direction(symbol: number): number {
    return this.directions[symbol]!;
  }

  fade(nowMs: number, each: (symbol: number) => void): void {
    const over = this.lit.filter((symbol) => nowMs >= this.untilMs[symbol]!);
    if (over.length === 0) {
      return;
    }
    this.lit = this.lit.filter((symbol) => nowMs < this.untilMs[symbol]!);
    for (const symbol of over) {
      this.directions[symbol] = 0;
      each(symbol);
    }
  }
}
