import type { Note, Page } from '../data';
import { h } from '../dom';
import { badge } from './header';
import { overview } from './overview';

/** More reasons than these would push the figures off the first screen. */
const MOST_REASONS = 3;

/** The first screen: verdict, the story, all figures in one picture, and the cautions. */
export function summary(data: Page): HTMLElement {
  const { verdict } = data;
  return h(
    'section',
    { class: 'summary', 'aria-labelledby': 'verdict' },
    h('h2', { id: 'verdict', class: 'verdict' }, badge(verdict.kind, verdict.word), h('span', {}, verdict.sentence)),
    list(verdict.reasons.slice(0, MOST_REASONS), 'reasons'),
    moreReasons(verdict.reasons.slice(MOST_REASONS)),
    data.story.length > 0 && h('div', { class: 'story' }, data.story.map((sentence) => h('p', {}, sentence))),
    notes(data.notes),
    overview(data.tests) ?? keyFigures(data),
    keepInMind(data.cautions),
    missingBox(data.missing),
  );
}

/** What an answer says besides its headline, beside each other where there is room. */
function notes(all: Note[]): HTMLElement | undefined {
  return all.length === 0
    ? undefined
    : h('div', { class: 'notes' }, all.map((note) => h('div', {}, h('h3', {}, note.title), list(note.sentences, ''))));
}

function moreReasons(reasons: string[]): HTMLElement | undefined {
  return reasons.length === 0
    ? undefined
    : h('details', { class: 'more' }, h('summary', {}, `${reasons.length} more`), list(reasons, 'reasons'));
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

/** Closed, as the labels at the figures state it briefly; paper shows it open. */
function keepInMind(cautions: string[]): HTMLElement | undefined {
  return cautions.length === 0
    ? undefined
    : h(
        'details',
        { class: 'box careful' },
        h('summary', {}, h('h3', {}, 'Keep in mind'), h('span', { class: 'kind' }, cautions.length === 1 ? '1 point' : `${cautions.length} points`)),
        list(cautions, ''),
      );
}

/** What could not be shown. */
export function missingBox(sentences: string[]): HTMLElement | undefined {
  return sentences.length === 0
    ? undefined
    : h('aside', { class: 'box missing' }, h('h3', {}, 'Missing from this report'), list(sentences, ''));
}

function list(sentences: string[], kind: string): HTMLElement | undefined {
  return sentences.length === 0
    ? undefined
    : h('ul', { class: kind }, sentences.map((sentence) => h('li', {}, sentence)));
}
