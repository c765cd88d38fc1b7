import type { Note, Page } from '../data';
import { h } from '../dom';
import { badge } from './header';
import { MOST_ON_SCREEN, overview } from './overview';

/** More of them would push the figures off the first screen, or hide what matters most among them. */
const MOST_SENTENCES = 3;

/** The first screen: verdict, all figures in one picture, three sentences at most; what else there is to say is closed. */
export function summary(data: Page): HTMLElement {
  const { verdict, sentences, notes } = data;
  const reasons = Math.min(MOST_SENTENCES, verdict.reasons.length);
  const told = Math.min(MOST_SENTENCES - reasons, sentences.length);
  return h(
    'section',
    { class: 'summary', 'aria-labelledby': 'verdict' },
    h('h2', { id: 'verdict', class: 'verdict' }, badge(verdict.kind, verdict.word), h('span', {}, verdict.sentence)),
    overview(data.tests, undefined, MOST_ON_SCREEN) ?? keyFigures(data),
    list(verdict.reasons.slice(0, reasons), 'reasons'),
    paragraphs(sentences.slice(0, told)),
    more(verdict.reasons.slice(reasons), sentences.slice(told)),
    answer(notes, MOST_SENTENCES - reasons - told),
    keepInMind(data.cautions),
    missingBox(data.missing),
  );
}

function paragraphs(sentences: string[]): HTMLElement | undefined {
  return sentences.length === 0 ? undefined : h('div', { class: 'sentences' }, sentences.map((sentence) => h('p', {}, sentence)));
}

function more(reasons: string[], sentences: string[]): HTMLElement | undefined {
  const count = reasons.length + sentences.length;
  return count === 0
    ? undefined
    : h('details', { class: 'more' }, h('summary', {}, `${count} more`), list(reasons, 'reasons'), paragraphs(sentences));
}

/** What an answer says besides its headline: the first sentences of its first note are open. */
function answer([first, ...others]: Note[], open: number): (HTMLElement | undefined)[] {
  if (!first) {
    return [];
  }
  return [
    open > 0 ? opened(first, open) : closed(first.title, first.sentences),
    ...others.map((note) => closed(note.title, note.sentences)),
  ];
}

/** What does not fit is closed under the same heading: it is one section. */
function opened({ title, sentences }: Note, open: number): HTMLElement {
  const rest = sentences.slice(open);
  return h(
    'div',
    { class: 'notes' },
    h('h3', {}, title),
    list(sentences.slice(0, open), ''),
    rest.length === 0 ? undefined : h('details', { class: 'more' }, h('summary', {}, `${rest.length} more`), list(rest, '')),
  );
}

/** Closed until somebody asks; paper shows it open. */
function closed(title: string, sentences: string[], kind = 'box'): HTMLElement | undefined {
  return sentences.length === 0
    ? undefined
    : h(
        'details',
        { class: kind },
        h('summary', {}, h('h3', {}, title), h('span', { class: 'kind' }, sentences.length === 1 ? '1 point' : `${sentences.length} points`)),
        list(sentences, ''),
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

/** The labels at the figures state it briefly. */
function keepInMind(cautions: string[]): HTMLElement | undefined {
  return closed('Keep in mind', cautions, 'box careful');
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
