import { type Child, h } from '../dom';

/**
 * A part of the page of which only the headline is visible when closed. Its content is present nevertheless, so that
 * the browser's own search finds it and opens the card.
 */
export function card(id: string, title: string, headline: Child[], ...content: Child[]): HTMLDetailsElement {
  return h(
    'details',
    { id, class: 'card', 'aria-labelledby': `${id}-title` },
    h('summary', {}, h('h2', { id: `${id}-title` }, title), headline),
    h('div', { class: 'inside' }, content),
  );
}

/** Opens the card that the address names, if it names one. */
export function openNamed(): void {
  const target = document.getElementById(location.hash.slice(1));
  if (target instanceof HTMLDetailsElement) {
    target.open = true;
    target.scrollIntoView();
  }
}

/** A link that also opens the card that it points to. */
export function linkTo(id: string, text: string): HTMLElement {
  const link = h('a', { href: `#${id}` }, text);
  link.addEventListener('click', () => {
    const target = document.getElementById(id);
    if (target instanceof HTMLDetailsElement) {
      target.open = true;
    }
  });
  return link;
}

/** A button that opens all cards, and then closes them. */
export function openAllButton(cards: HTMLDetailsElement[]): HTMLElement {
  const button = h('button', { type: 'button' });
  const isOpen = (): boolean => cards.every((each) => each.open);
  const label = (): void => {
    button.textContent = isOpen() ? 'Close all' : 'Open all';
  };
  button.addEventListener('click', () => {
    const open = !isOpen();
    cards.forEach((each) => (each.open = open));
    label();
  });
  cards.forEach((each) => each.addEventListener('toggle', label));
  label();
  return button;
}
