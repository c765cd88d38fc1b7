import type { Page } from '../data';
import { h } from '../dom';
import { card } from './card';

/** The plan as it was run. */
export function plan(data: Page): HTMLDetailsElement | undefined {
  return data.planText === ''
    ? undefined
    : card(
        'plan',
        'The plan as it was run',
        [],
        h('pre', { tabindex: 0, role: 'region', 'aria-label': 'Text of the plan' }, data.planText),
      );
}

const TERMS: [string, string][] = [
  ['Round trip', 'From the ping to its echo; the next ping waits for it (closed loop). Not a one-way latency.'],
  [
    'Response time',
    'From the intended send to the arrival (open loop). A stall is charged to every message that it delayed.',
  ],
  ['Service time', 'From the actual send to the arrival. It hides the time that messages waited for a late sender.'],
  ['Lost, duplicated, reordered', 'Every message is numbered; expected is what was sent, for each subscriber.'],
  ['Max tight sends', 'Most messages sent in a row without waiting for the schedule: how far the sender had to catch up.'],
  ['Saturated', 'The rate was not held. Such figures are the length of a queue, not latencies.'],
  ['Noise floor', 'Gaps that the machine shows without any messaging. A tail within them may not be the engine’s.'],
  ['Repeats', 'Percentiles, means and rates are medians of the repeats; min and max are those of all; counts are added up.'],
];

/** The words this report uses. */
export function reading(): HTMLDetailsElement {
  return card(
    'reading',
    'How to read this',
    [],
    h('dl', { class: 'terms' }, TERMS.map(([term, meaning]) => h('div', {}, h('dt', {}, term), h('dd', {}, meaning)))),
  );
}
