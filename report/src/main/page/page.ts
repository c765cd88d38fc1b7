import type { Page } from './data';
import { h } from './dom';
import { openAllButton } from './section/card';
import { environment } from './section/environment';
import { header } from './section/header';
import { noise } from './section/noise';
import { testId } from './section/overview';
import { plan, reading } from './section/plan';
import { raw } from './section/raw';
import { summary } from './section/summary';
import { searches } from './section/search';
import { test } from './section/test';

/** The whole page. */
export function page(data: Page): DocumentFragment {
  const fragment = document.createDocumentFragment();
  const cards = [
    searches(data),
    ...data.tests.map((each, at) => test(each, testId(at))),
    noise(data),
    environment(data),
    plan(data),
    reading(),
    raw(data),
  ].filter((each) => each !== undefined);
  const only = data.tests.length === 1 ? cards.find((each) => each.id === testId(0)) : undefined;
  if (only) {
    only.open = true;
  }
  fragment.append(
    h('a', { class: 'skip', href: '#figures' }, 'Skip to the figures'),
    header(data),
    h(
      'main',
      {},
      summary(data),
      h('div', { id: 'figures' }, h('div', { class: 'controls' }, h('h2', {}, 'Details'), openAllButton(cards)), cards),
    ),
    h('footer', {}, `Made by tickmark ${data.tickmark}. This file needs no network. Charts by uPlot (MIT licence).`),
  );
  return fragment;
}
