import type { Page, Words } from '../data';
import { h, svg } from '../dom';
import { themeButton } from '../theme';

const SIGNS: Record<Words['kind'], string> = {
  pass: 'M3.5 8.5l3 3l6-7',
  fail: 'M4 4l8 8M12 4l-8 8',
  void: 'M8 3.5v5.5M8 12v.6',
  measured: 'M2 11h12M4 11V8M8 11V5M12 11V8',
};

/** A verdict, or that there is none but an answer, as a word with a sign, so that colour is never alone. */
export function badge(kind: Words['kind'], word: string): HTMLElement {
  const sign = svg(
    'svg',
    { viewBox: '0 0 16 16', width: 16, height: 16, 'aria-hidden': 'true' },
    svg('path', { d: SIGNS[kind], class: 'sign' }),
  );
  return h('span', { class: `badge ${kind}` }, sign, word);
}

/** Name of the plan, when and where it ran, and the verdict. */
export function header(data: Page): HTMLElement {
  return h(
    'header',
    {},
    h('div', { class: 'bar' }, brand(), themeButton()),
    h('h1', {}, data.plan),
    data.description !== '' && h('p', { class: 'description' }, data.description),
    h('p', { class: 'meta' }, [when(data.startedAt), data.host].filter((part) => part !== '').join(' · ')),
  );
}

export function brand(): HTMLElement {
  const mark = svg(
    'svg',
    { viewBox: '0 0 20 20', width: 20, height: 20, 'aria-hidden': 'true' },
    svg('path', { d: 'M2 17h16M4 17v-4M8 17v-3M12 17v-3M16 17v-4', class: 'ruler' }),
    svg('path', { d: 'M5 7.5l3.5 3.5l7-8', class: 'tick' }),
  );
  return h('span', { class: 'brand' }, mark, 'tickmark');
}

/** The time as the run wrote it: local to where it ran, not to the reader. */
function when(startedAt: string): string {
  const parts = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)?/.exec(startedAt);
  if (!parts) {
    return startedAt;
  }
  const zone = parts[3] === undefined ? '' : parts[3] === 'Z' ? ' UTC' : ` UTC${parts[3]}`;
  return `${parts[1]} ${parts[2]}${zone}`;
}
