// What of the price grid is selected: a rectangle of places and columns, from where it began to where one is.

import { unformulated } from '../rows';

export interface Cell {
  place: number;
  /** -1: all columns of its row. */
  column: number;
}

export interface Range {
  top: number;
  bottom: number;
  left: number;
  right: number;
}

export class Selection {
  private from: Cell = { place: 0, column: -1 };
  /** Where the keyboard is. */
  at: Cell = { place: 0, column: -1 };

  /** Goes there; where it extends, what was selected reaches to it. */
  go(to: Cell, extends_: boolean): void {
    this.at = to;
    if (!extends_) {
      this.from = to;
    }
  }

  all(places: number): void {
    this.from = { place: 0, column: -1 };
    this.at = { place: places - 1, column: -1 };
  }

  /** Fewer rows or columns are there now. */
  keepWithin(places: number, columns: number): void {
    const within = (cell: Cell): Cell => ({
      place: Math.max(0, Math.min(places - 1, cell.place)),
      column: Math.min(columns - 1, cell.column),
    });
    this.from = within(this.from);
    this.at = within(this.at);
  }

  range(columns: number): Range {
    const { from, at } = this;
    const isWhole = from.column < 0 || at.column < 0;
    return {
      top: Math.min(from.place, at.place),
      bottom: Math.max(from.place, at.place),
      left: isWhole ? 0 : Math.min(from.column, at.column),
      right: isWhole ? columns - 1 : Math.max(from.column, at.column),
    };
  }
}

/** The cells of a range, with the titles of the columns where there is more than one cell. */
export function toTsv(range: Range, titles: string[], cell: (place: number, column: number) => string): string {
  const columns = Array.from({ length: range.right - range.left + 1 }, (_, i) => range.left + i);
  const places = Array.from({ length: range.bottom - range.top + 1 }, (_, i) => range.top + i);
  const plain = (value: string): string => unformulated(value).replace(/[\t\r\n]+/g, ' ');
  const lines = places.map((place) => columns.map((column) => cell(place, column)).join('\t'));
  return (columns.length * places.length > 1 ? [columns.map((each) => plain(titles[each]!)).join('\t'), ...lines] : lines).join('\n');
}
