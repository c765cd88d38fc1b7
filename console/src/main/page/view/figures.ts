import { HELP } from '../help';
import type { Stats } from '../protocol';
import type { Verdict } from '../verdict';
import { h, text } from './dom';
import { bytes, count, rate } from './format';
import { thresholdsView, type ThresholdsView } from './thresholds';

const FIGURES = [
  ['made', 'Feed', HELP.made],
  ['received', 'Received', HELP.received],
  ['now', 'Latency now', `${HELP.latency} ${HELP.clock}`],
  ['p50', 'p50', HELP.p50],
  ['p99', 'p99', HELP.p99],
  ['max', 'Max', HELP.max],
  ['screen', 'To screen', HELP.screen],
  ['frame', 'Frame time', `${HELP.frame} ${HELP.busy}`],
  ['queue', 'Queue', HELP.queue],
] as const;

export type FigureName = (typeof FIGURES)[number][0];

export interface Figures {
  element: HTMLElement;
  show(name: FigureName, value: string, note?: string): void;
  say(verdict: Verdict): void;
  judged: ThresholdsView['show'];
}

/** What waits at the server, and what else became of messages: not known until it has said so of this session. */
export function queueTexts(
  of: Pick<Stats, 'statuses' | 'waiting' | 'bytesOnTheWay' | 'merged' | 'dropped'>,
): [value: string, note: string] {
  return of.statuses === 0 ? ['–', ''] : [
    count(of.waiting),
    `${bytes(of.bytesOnTheWay)} on the way${of.merged > 0 ? `, ${rate(of.merged)} merged` : ''}${of.dropped > 0 ? `, ${rate(of.dropped)} dropped` : ''}`,
  ];
}

/** The strip of live figures, and what they mean in words. */
export function figures(): Figures {
  const cells = new Map<FigureName, { value: HTMLElement; note: HTMLElement }>();
  const list = h('dl', { class: 'strip' }, FIGURES.map(([name, label, help]) => {
    const value = h('dd', { class: 'value', id: `figure-${name}` }, '–');
    const note = h('dd', { class: 'note' });
    cells.set(name, { value, note });
    return h('div', {}, h('dt', {}, label), value, note, h('dd', { class: 'help' }, help));
  }));
  const words = h('p', { class: 'verdict', role: 'status', id: 'verdict', 'data-level': 'idle' }, 'Connecting to the server.');
  const thresholds = thresholdsView();
  return {
    element: h('section', { class: 'live', 'aria-label': 'Live figures' }, words, thresholds.element, list),
    judged: thresholds.show,
    show: (name, value, note = '') => {
      const cell = cells.get(name)!;
      text(cell.value, value);
      text(cell.note, note);
    },
    say: (verdict) => {
      words.dataset['level'] = verdict.level;
      words.dataset['limit'] = verdict.limit;
      text(words, verdict.words);
    },
  };
}
