// Figures as people read them: three significant digits and a unit that fits.

const SPACE = '\u00a0';

export function digits(value: number): string {
  if (!Number.isFinite(value)) {
    return 'n/a';
  }
  if (Math.abs(value) >= 999.5) {
    return count(Math.round(value));
  }
  if (value === 0) {
    return '0';
  }
  const exponent = Math.floor(Math.log10(Math.abs(Number(value.toPrecision(3)))));
  return value.toFixed(Math.min(20, Math.max(0, 2 - exponent)));
}

export function time(ns: number): string {
  const size = Math.abs(ns);
  if (size < 1e3) {
    return digits(ns) + SPACE + 'ns';
  }
  if (size < 1e6) {
    return digits(ns / 1e3) + SPACE + 'µs';
  }
  return size < 1e9 ? digits(ns / 1e6) + SPACE + 'ms' : digits(ns / 1e9) + SPACE + 's';
}

/** A round time without zeros behind the point, for axes. */
export function axisTime(ns: number): string {
  const [unit, name] =
    ns < 1e3 ? [1, 'ns'] : ns < 1e6 ? [1e3, 'µs'] : ns < 1e9 ? [1e6, 'ms'] : [1e9, 's'];
  return String(Number((ns / (unit as number)).toPrecision(3))) + SPACE + name;
}

export function rate(perSecond: number): string {
  if (perSecond >= 1e6) {
    return digits(perSecond / 1e6) + SPACE + 'M/s';
  }
  return perSecond >= 1e5 ? digits(perSecond / 1e3) + SPACE + 'k/s' : digits(perSecond) + '/s';
}

/** A round rate for axes. */
export function axisRate(perSecond: number): string {
  const [unit, name] = perSecond < 1e3 ? [1, ''] : perSecond < 1e6 ? [1e3, 'k'] : [1e6, 'M'];
  return String(Number((perSecond / (unit as number)).toPrecision(3))) + name + '/s';
}

/** A whole number with thousands separators, the same in every locale. */
export function count(value: number): string {
  return String(Math.trunc(value)).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

export function bytes(value: number): string {
  return value >= 1024 && value % 1024 === 0 ? value / 1024 + SPACE + 'KiB' : value + SPACE + 'B';
}

/** A percentile from its nines: 0 is the minimum, 1 is 90 %, 2 is 99 %. */
export function percentile(nines: number): string {
  const q = 100 * (1 - 10 ** -nines);
  return Number(q.toFixed(Math.max(1, Math.ceil(nines)))) + SPACE + '%';
}

/** Microseconds with the requested decimals, and separators of thousands before them. */
export function micros(ns: number, decimals: number): string {
  const [whole, part] = (ns / 1e3).toFixed(decimals).split('.');
  return count(Number(whole)) + (part === undefined ? '' : `.${part}`);
}
