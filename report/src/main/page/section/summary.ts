import type { Page } from '../data';
import { h } from '../dom';
import { badge } from './header';

/** Verdict, story, the figures to see first, and what to keep in mind. */
export function summary(data: Page): HTMLElement {
  const { verdict } = data;
  return h(
    'section',
    { class: 'summary', 'aria-labelledby': 'verdict' },
    h('h2', { id: 'verdict', class: 'verdict' }, badge(verdict.kind, verdict.word), h('span', {}, verdict.sentence)),
    list(verdict.reasons, `reasons ${verdict.kind}`),
    keyFigures(data),
    h('div', { class: 'story' }, data.story.map((sentence) => h('p', {}, sentence))),
    box('Keep in mind', data.cautions, 'careful'),
    box('Missing from this report', data.missing, 'missing'),
  );
}

function keyFigures(data: Page): HTMLElement | undefined {
  return data.keyFigures.length === 0
    ? undefined
    : h(
        'dl',
        { class: 'key-figures' },
        data.keyFigures.map((figure) =>
          h(
            'div',
            {},
            h('dt', {}, figure.label),
            h('dd', {}, h('span', { class: 'value' }, figure.value), h('span', { class: 'where' }, figure.note)),
          ),
        ),
      );
}

function box(title: string, sentences: string[], kind: string): HTMLElement | undefined {
  return sentences.length === 0
    ? undefined
    : h('aside', { class: `box ${kind}` }, h('h3', {}, title), list(sentences, ''));
}

function list(sentences: string[], kind: string): HTMLElement | undefined {
  return sentences.length === 0
    ? undefined
    : h('ul', { class: kind }, sentences.map((sentence) => h('li', {}, sentence)));
}
