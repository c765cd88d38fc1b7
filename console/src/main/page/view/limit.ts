import type { Progress, Step } from '../find-limit';
import { HELP } from '../help';
import { h, text } from './dom';
import { count, ms } from './format';

export interface LimitView {
  button: HTMLElement;
  element: HTMLElement;
  /** Whether a search may begin; one that goes on can always be stopped. */
  allow(isAllowed: boolean): void;
  show(progress: Progress): void;
}

const latency = (ns: number | null): string => (ns === null ? '–' : ms(ns));

/** The button that finds the highest rate, and the steps as they come. */
export function limitView(pressed: () => void): LimitView {
  let isSearching = false;
  let isAllowed = false;
  const button = h('button', { type: 'button', class: 'primary outline', disabled: true, click: pressed }, 'Find limit');
  const words = h('p', { class: 'limit-words', role: 'status', id: 'limit-words' });
  const body = h('tbody');
  const scroll = h('div', { class: 'limit-steps', tabindex: 0, role: 'region', 'aria-label': 'Steps of the search' },
    h('table', {},
      h('thead', {}, h('tr', {}, ['Rate', 'p99, ms', 'p50 to screen', ''].map((each) => h('th', { scope: 'col' }, each || h('span', { class: 'off' }, 'Outcome'))))),
      body));
  const element = h('div', { class: 'limit', hidden: true }, words, scroll);

  function line(step: Step): HTMLElement {
    const isHeld = step.outcome === 'holds';
    return h('tr', { 'data-held': String(isHeld) },
      h('th', { scope: 'row' }, count(step.rate), step.phase === 'confirmation' ? h('span', { class: 'unit' }, ` ${step.seconds} s`) : undefined),
      h('td', {}, latency(step.p99Ns)),
      h('td', {}, latency(step.screenP50Ns)),
      h('td', {}, `${isHeld ? '✓' : '✕'} ${step.outcome}`));
  }

  function draw(): void {
    button.disabled = !isSearching && !isAllowed;
    text(button, isSearching ? 'Stop the search' : 'Find limit');
  }

  return {
    button,
    element: h('div', {}, h('p', { class: 'help' }, HELP.findLimit), element),
    allow: (is) => {
      isAllowed = is;
      draw();
    },
    show: (progress) => {
      isSearching = !progress.isOver;
      element.hidden = false;
      text(words, progress.words);
      scroll.hidden = progress.steps.length === 0;
      if (body.childElementCount !== progress.steps.length) {
        body.replaceChildren(...progress.steps.map(line));
        scroll.scrollTop = scroll.scrollHeight;
      }
      draw();
    },
  };
}
