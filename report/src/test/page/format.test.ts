import { describe, expect, it } from 'vitest';
import { axisTime, bytes, count, digits, micros, percentile, rate, time } from '../../main/page/format';

const plain = (text: string): string => text.replaceAll('\u00a0', ' ');

describe('format', () => {
  it('should show times with the unit that fits', () => {
    expect([0, 87, 9_120, 123_456, 1_250_000, 61e9].map((ns) => plain(time(ns)))).toEqual([
      '0 ns', '87.0 ns', '9.12 µs', '123 µs', '1.25 ms', '61.0 s',
    ]);
  });

  it('should not show what rounds up with a digit too many', () => {
    expect(digits(9.996)).toBe('10.0');
    expect(digits(999.6)).toBe('1,000');
  });

  it('should show rates as the console does', () => {
    expect([12.34, 9_999.5, 440_000, 8_400_000].map((each) => plain(rate(each)))).toEqual([
      '12.3/s', '10,000/s', '440 k/s', '8.40 M/s',
    ]);
  });

  it('should name percentiles by their nines', () => {
    expect([1, 2, 3, 4, Math.log10(2)].map((each) => plain(percentile(each)))).toEqual([
      '90 %', '99 %', '99.9 %', '99.99 %', '50 %',
    ]);
  });

  it('should keep axis labels short', () => {
    expect(plain(axisTime(200_000))).toBe('200 µs');
    expect([64, 1024, 1400, 8192].map((each) => plain(bytes(each)))).toEqual(['64 B', '1 KiB', '1400 B', '8 KiB']);
    expect(count(50_000_000)).toBe('50,000,000');
  });

  it('should separate thousands of microseconds, and keep the decimals of short ones', () => {
    expect([micros(12_345_678, 1), micros(501, 3), micros(999.96e3, 1)]).toEqual(['12,345.7', '0.501', '1,000.0']);
  });
});
