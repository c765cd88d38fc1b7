import { words, type Judged } from '../thresholds';
import { h, text } from './dom';

export interface ThresholdsView {
  element: HTMLElement;
  /** Of what: a run, or the last ten seconds. */
  show(judged: Judged[], of: string): void;
}

const SIGNS = { passes: '✓', fails: '✕', unknown: '…' };

/** Each threshold that is set, and whether it holds. */
export function thresholdsView(): ThresholdsView {
  const list = h('ul', {});
  const over = h('span', {});
  const element = h('div', { class: 'thresholds', id: 'thresholds', role: 'group', 'aria-label': 'Thresholds', hidden: true }, over, list);
  return {
    element,
    show: (judged, of) => {
      element.hidden = judged.length === 0;
      text(over, of);
      while (list.childElementCount > judged.length) {
        list.lastElementChild!.remove();
      }
      judged.forEach((each, i) => {
        const item = list.children[i] ?? list.appendChild(h('li'));
        (item as HTMLElement).dataset['state'] = each.state;
        text(item, `${SIGNS[each.state]} ${words(each)}`);
      });
    },
  };
}
