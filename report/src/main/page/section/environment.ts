import type { Check, Group, Page } from '../data';
import { h } from '../dom';
import { card } from './card';

/** The machine, the system and the engines. */
export function environment(data: Page): HTMLDetailsElement | undefined {
  return data.environment.length === 0 && data.checks.length === 0
    ? undefined
    : card(
        'environment',
        'Environment',
        [],
        checks(data.checks),
        h('div', { class: 'groups' }, data.environment.map(group)),
      );
}

function checks(all: Check[]): HTMLElement | undefined {
  return all.length === 0
    ? undefined
    : h(
        'div',
        {},
        h('h3', {}, 'What on this host affects the figures'),
        h(
          'ul',
          { class: 'checks' },
          all.map((check) =>
            h(
              'li',
              {},
              h('span', { class: check.severity === 'warning' ? 'tag careful' : 'tag' }, check.severity),
              check.sentence,
            ),
          ),
        ),
      );
}

function group(data: Group): HTMLElement {
  return h(
    'table',
    { class: 'facts' },
    h('caption', {}, words(data.name)),
    h(
      'tbody',
      {},
      data.facts.map((fact) => h('tr', {}, h('th', { scope: 'row' }, words(fact.name)), h('td', {}, fact.value))),
    ),
  );
}

const ACRONYMS: Record<string, string> = { cpu: 'CPU', jvm: 'JVM', os: 'Operating system', numa: 'NUMA' };

/** A key in camel case as words: logicalCores becomes Logical cores. */
export function words(key: string): string {
  const apart = key.replace(/([a-z0-9])([A-Z])(?=[a-z]|$)/g, (_, a: string, b: string) => `${a} ${b.toLowerCase()}`);
  return ACRONYMS[apart] ?? apart.charAt(0).toUpperCase() + apart.slice(1);
}
