import { h } from './dom';

type Choice = 'light' | 'dark';
const KEY = 'tickmark.theme';
const listeners: (() => void)[] = [];

const prefersDark = (): MediaQueryList => matchMedia('(prefers-color-scheme: dark)');

/** Calls back after the colours changed, by the button or by the system. */
export function onColours(listener: () => void): void {
  listeners.push(listener);
}

export function colour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

function shown(): Choice {
  const chosen = document.documentElement.dataset['theme'];
  return chosen === 'dark' || chosen === 'light' ? chosen : prefersDark().matches ? 'dark' : 'light';
}

export function themeButton(): HTMLElement {
  try {
    const kept = localStorage.getItem(KEY);
    if (kept === 'light' || kept === 'dark') {
      document.documentElement.dataset['theme'] = kept;
    }
  } catch {
    // the system's choice holds
  }
  const button = h('button', { type: 'button', class: 'plain' });
  const show = (): void => {
    button.textContent = shown() === 'dark' ? 'Light' : 'Dark';
    button.setAttribute('aria-label', shown() === 'dark' ? 'Light colours' : 'Dark colours');
    listeners.forEach((each) => each());
  };
  button.addEventListener('click', () => {
    const next = shown() === 'dark' ? 'light' : 'dark';
    document.documentElement.dataset['theme'] = next;
    try {
      localStorage.setItem(KEY, next);
    } catch {
      // it holds for this visit
    }
    show();
  });
  prefersDark().addEventListener('change', show);
  show();
  return button;
}
