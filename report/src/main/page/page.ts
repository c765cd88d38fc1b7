import type { Page } from './data';
import { h } from './dom';
import { environment } from './section/environment';
import { header } from './section/header';
import { noise } from './section/noise';
import { plan, reading } from './section/plan';
import { raw } from './section/raw';
import { summary } from './section/summary';
import { searches } from './section/search';
import { test } from './section/test';

/** The whole page. */
export function page(data: Page): DocumentFragment {
  const fragment = document.createDocumentFragment();
  const sections = [
    ...data.tests.map((each, at) => test(each, `test-${at + 1}`)),
    searches(data),
    noise(data),
    environment(data),
    plan(data),
    raw(data),
    reading(),
  ].filter((section) => section !== undefined);
  fragment.append(
    h('a', { class: 'skip', href: '#figures' }, 'Skip to the figures'),
    header(data),
    h('main', {}, summary(data), contents(sections), h('div', { id: 'figures' }, sections)),
    h('footer', {}, `Made by tickmark ${data.tickmark}. This file needs no network. Charts by uPlot (MIT licence).`),
  );
  return fragment;
}

function contents(sections: HTMLElement[]): HTMLElement {
  return h(
    'nav',
    { 'aria-label': 'Contents' },
    h(
      'ul',
      {},
      sections.map((section) =>
        h('li', {}, h('a', { href: `#${section.id}` }, section.querySelector('h2')?.firstChild?.textContent ?? '')),
      ),
    ),
  );
}
