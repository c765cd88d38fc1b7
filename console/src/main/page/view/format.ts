// Figures as people read them.

const THIN = '\u202f';

export function count(value: number): string {
  return Math.round(value).toString().replace(/\B(?=(\d{3})+$)/g, THIN);
}

/** Three digits that say something. */
export function digits(value: number): string {
  if (!Number.isFinite(value)) {
    return '–';
  }
  const size = Math.abs(value);
  return size >= 999.5 ? count(value) : size >= 99.95 ? value.toFixed(0) : size >= 9.995 ? value.toFixed(1) : value.toFixed(2);
}

/** Labels of an axis, with as many digits as its steps need to be distinguished. */
export function ticks(values: (number | null)[], isRate = false): string[] {
  const numbers = values.filter((each): each is number => each !== null);
  const most = Math.max(0, ...numbers.map(Math.abs));
  const [unit, suffix] = isRate && most >= 1e6 ? [1e6, ' M'] : isRate && most >= 1e4 ? [1e3, ' k'] : [1, ''];
  const isWhole = (digits: number): boolean =>
    numbers.every((each) => Math.abs((each / unit) * 10 ** digits - Math.round((each / unit) * 10 ** digits)) < 1e-6 * 10 ** digits);
  let decimals = 0;
  while (decimals < 6 && !isWhole(decimals)) {
    decimals++;
  }
  return values.map((each) => each === null ? '' : each === 0 ? '0' : `${grouped((each / unit).toFixed(decimals))}${suffix}`);
}

/** Labels of an axis on which each step is ten times the last. */
export function powers(values: (number | null)[]): string[] {
  return values.map((each) => each === null ? '' : grouped(String(Number(each.toPrecision(3)))));
}

function grouped(number: string): string {
  const [whole, part] = number.split('.');
  const thousands = whole!.replace(/\B(?=(\d{3})+$)/g, THIN);
  return part === undefined ? thousands : `${thousands}.${part}`;
}

export function ms(ns: number): string {
  return digits(ns / 1e6);
}

export function time(ns: number): string {
  return ns >= 1e9 ? `${digits(ns / 1e9)} s` : ns >= 1e6 ? `${digits(ns / 1e6)} ms` : `${digits(ns / 1e3)} µs`;
}

export function rate(perSecond: number): string {
  return perSecond >= 1e6
    ? `${(perSecond / 1e6).toFixed(2)} M`
    : perSecond >= 1e4
      ? `${(perSecond / 1e3).toFixed(perSecond >= 1e5 ? 0 : 1)} k`
      : count(perSecond);
}

export function bytes(value: number): string {
  return value >= 1e6 ? `${digits(value / 1e6)} MB` : value >= 1e3 ? `${digits(value / 1e3)} kB` : `${count(value)} B`;
}

/** A change with its sign; one that shows as zero has none. */
export function percent(part: number): string {
  const shown = Math.abs(part * 100).toFixed(2);
  return `${Number(shown) === 0 ? '' : part > 0 ? '+' : '−'}${shown}`;
}

/** A price in hundredths. */
export function price(hundredths: number): string {
  return (hundredths / 100).toFixed(2);
}

/** A p99 has ten latencies above it, and so needs a thousand. */
const P99_NEEDS = 1000;

/** The p99, or why there is none yet. */
export function p99Text({ p99Ns, count: known }: { p99Ns: number; count: number }): string {
  return Number.isNaN(p99Ns) ? `p99 needs ${count(P99_NEEDS)} prices drawn, ${count(known)} so far` : `p99 ${ms(p99Ns)} ms`;
}
