// The canvas that the worker draws on, and what scrolls behind it.

import type { Colours, ToWorker } from '../protocol';
import { TILE_HEIGHT, tilesAcross } from '../worker/canvas';
import { h } from './dom';
import { colour, onColours } from './theme';

export interface TilesView {
  element: HTMLElement;
  setOrder(order: Int32Array, names: string[]): void;
}

function colours(): Colours {
  return {
    ground: colour('panel'), text: colour('text'), faint: colour('faint'),
    up: colour('up'), down: colour('down'), upGround: colour('up-ground'), downGround: colour('down-ground'), line: colour('line'),
  };
}

export function tilesView(post: (message: ToWorker, transfer?: Transferable[]) => void): TilesView {
  let canvas: HTMLCanvasElement | undefined;
  let order: Int32Array = new Int32Array(0);
  let names: string[] = [];
  const spacer = h('div', { class: 'tiles-spacer' });
  const holder = h('div', { class: 'tiles-holder' });
  const element = h('div', {
    class: 'tiles', tabindex: 0, role: 'img', scroll: () => show(),
    'aria-label': 'Prices as tiles, drawn on a canvas. For a screen reader choose the renderer Table.',
  }, holder, spacer);
  new ResizeObserver(() => show()).observe(element);
  onColours(() => show());

  function show(): void {
    if (!canvas || element.clientWidth === 0) {
      return;
    }
    const width = element.clientWidth;
    const height = element.clientHeight;
    spacer.style.height = `${Math.ceil(order.length / tilesAcross(width)) * TILE_HEIGHT}px`;
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
    post({ type: 'view', width, height, ratio: devicePixelRatio, top: element.scrollTop, order, colours: colours() });
  }

  return {
    element,
    setOrder: (next, symbolNames) => {
      order = next;
      if (canvas === undefined || names !== symbolNames) {
        names = symbolNames;
        canvas = h('canvas', {});
        holder.replaceChildren(canvas);
        const offscreen = canvas.transferControlToOffscreen();
        post({ type: 'canvas', canvas: offscreen, names }, [offscreen]);
      }
      show();
    },
  };
}
