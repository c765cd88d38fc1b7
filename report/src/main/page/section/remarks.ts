import type { Row } from '../data';
import { h, svg } from '../dom';
import { count } from '../format';

/** What qualifies a row's figures. */
export interface Remark {
  text: string;
  kind: string;
}

const NOISY = 'noise could explain the tail';

interface Mark {
  path: string;
  /** What the mark says, in a few words. */
  meaning: string;
}

/** Drawn in 16 by 16, so that no font has to have them. */
const MARKS: Record<string, Mark> = {
  failed: { path: 'M4 4l8 8M12 4l-8 8', meaning: 'failed' },
  void: { path: 'M8 3.5v5.5M8 12v.6', meaning: 'void' },
  saturated: { path: 'M3 3.5h10M8 13V6.5M5 9.5l3-3l3 3', meaning: 'saturated: the rate was not held' },
  [NOISY]: { path: 'M2.5 9.5q2.5-6 5.5-1.5t5.5-2', meaning: `noisy: ${NOISY}` },
  disturbed: { path: 'M9.5 2.5L5 8.5h5.5L6.5 13.5', meaning: 'disturbed: the machine delayed the slowest' },
  taken: { path: 'M3.5 3.5h9v9h-9zM3.5 12.5l9-9', meaning: 'taken: other tasks or the hypervisor used the cores of a repeat, which is void' },
  'perhaps-taken': { path: 'M3.5 3.5h9v9h-9zM6.5 6.5h3v2h-1.5v1M8 11v.5', meaning: 'perhaps taken: another task had a core, perhaps one of the test itself' },
  oversubscribed: { path: 'M3 6h10M3 10h10M6 3v10M10 3v10', meaning: 'oversubscribed: more hot threads than cores' },
  'as-fast-as-possible': { path: 'M3.5 4l4 4l-4 4M8.5 4l4 4l-4 4', meaning: 'as fast as possible' },
  'paced-by-sleeping': { path: 'M5.5 4v8M10.5 4v8', meaning: 'paced by sleeping' },
  'role-killed': { path: 'M8 2.5v11M4.5 6h7', meaning: 'a role was killed' },
  'clock-stepped': { path: 'M8 3a5 5 0 1 1-.01 0M8 5.5V8.5l2 1.2', meaning: 'the clock stepped' },
};
const OTHER = 'M5 8v.6M8 8v.6M11 8v.6';

/** What qualifies a row's figures; a closed loop is stated in the section's heading. */
export function remarks(row: Row): Remark[] {
  const found = row.labels
    .filter((label) => label !== 'closed-loop' && label !== 'noisy')
    .map((label) => ({ text: label, kind: label === 'saturated' ? 'careful' : 'plain' }));
  if (row.noisy) {
    found.push({ text: NOISY, kind: 'careful' });
  }
  if (row.verdict !== 'pass') {
    found.unshift({ text: row.verdict === 'fail' ? 'failed' : 'void', kind: 'bad' });
  }
  const { lost = 0, notEchoed } = row.counts;
  if (lost > 0) {
    found.push({ text: `${count(lost)} lost`, kind: 'careful' });
  }
  if (notEchoed > lost) {
    found.push({ text: `${count(notEchoed)} without an echo in time`, kind: 'careful' });
  }
  return found;
}

/** Remarks in words. */
export function tags(all: Remark[]): HTMLElement[] {
  return all.map((remark) => h('span', { class: `tag ${remark.kind}` }, remark.text));
}

/** Remarks as signs, whose meaning the legend gives. */
export function marks(all: Remark[]): HTMLElement[] {
  return all.map((remark) => h('span', { class: `mark ${remark.kind}`, role: 'img', 'aria-label': meaning(remark), title: meaning(remark) }, sign(remark)));
}

/** What the signs of all these mean, each once. */
export function legend(all: Remark[]): HTMLElement[] {
  const each = new Map(all.map((remark) => [remark.text, remark]));
  return [...each.values()].map((remark) => h('span', { class: 'pairing' }, h('span', { class: `mark ${remark.kind}`, 'aria-hidden': 'true' }, sign(remark)), meaning(remark)));
}

function meaning({ text }: Remark): string {
  return MARKS[text]?.meaning ?? text;
}

function sign({ text }: Remark): SVGElement {
  return svg('svg', { viewBox: '0 0 16 16', width: 14, height: 14, 'aria-hidden': 'true' }, svg('path', { d: MARKS[text]?.path ?? OTHER, class: 'sign' }));
}
