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
  const id = location.hash.slice(1);
  open(id);
  document.getElementById(id)?.scrollIntoView();
}

/** Opens a card, and the one that it is in. */
function open(id: string): void {
  for (let at = document.getElementById(id)?.closest('details'); at; at = at.parentElement?.closest('details')) {
    at.open = true;
  }
}

/** A link that also opens the card that it points to. */
export function linkTo(id: string, text: string): HTMLElement {
  const link = h('a', { href: `#${id}` }, text);
  link.addEventListener('click', () => open(id));
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
