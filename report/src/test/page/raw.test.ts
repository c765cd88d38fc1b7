import { describe, expect, it } from 'vitest';
import { csv, shownColumns, sorted } from '../../main/page/section/raw';

describe('raw figures', () => {
  it('should sort numbers by size and leave empty cells last both ways', () => {
    const rows = [[10], [''], [9], [100]];
    expect(sorted(rows, 0, 'ascending').flat()).toEqual([9, 10, 100, '']);
    expect(sorted(rows, 0, 'descending').flat()).toEqual([100, 10, 9, '']);
  });

  it('should keep the order of rows that are equal', () => {
    expect(sorted([['b', 1], ['a', 1]], 1, 'ascending')).toEqual([['b', 1], ['a', 1]]);
  });

  it('should quote what would break a row of CSV', () => {
    expect(csv({ columns: ['a', 'b'], rows: [['x,"y"\nz', 1]] })).toBe('a,b\n"x,""y""\nz",1\n');
  });

  it('should leave out columns that say nothing', () => {
    expect(shownColumns({ columns: ['a', 'b', 'c'], rows: [[1, '', 0], [2, '', 0]] })).toEqual([0]);
  });
});
