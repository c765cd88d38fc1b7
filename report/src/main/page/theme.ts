import { h } from './dom';

type Choice = 'light' | 'dark';
const KEY = 'tickmark.theme';
const dark = (): MediaQueryList => window.matchMedia('(prefers-color-scheme: dark)');
const listeners: (() => void)[] = [];

/** Calls back after the colours changed: by the button, by the system, and around printing. */
export function onColours(listener: () => void): void {
  listeners.push(listener);
}

function changed(): void {
  listeners.forEach((listener) => listener());
}

function shown(): Choice {
  const chosen = document.documentElement.dataset['theme'];
  return chosen === 'dark' || chosen === 'light' ? chosen : dark().matches ? 'dark' : 'light';
}

/** Some browsers store nothing for pages loaded from files. */
function remembered(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function remember(choice: Choice): void {
  try {
    localStorage.setItem(KEY, choice);
  } catch {
    // the choice applies to this view
  }
}

/** The button that turns light to dark and back; printing is always light. */
export function themeButton(): HTMLElement {
  const choice = remembered();
  if (choice === 'light' || choice === 'dark') {
    document.documentElement.dataset['theme'] = choice;
  }
  const button = h('button', { type: 'button', class: 'quiet' });
  const label = (): void => {
    button.textContent = shown() === 'dark' ? 'Light colours' : 'Dark colours';
  };
  button.addEventListener('click', () => {
    const next = shown() === 'dark' ? 'light' : 'dark';
    document.documentElement.dataset['theme'] = next;
    remember(next);
    label();
    changed();
  });
  dark().addEventListener('change', () => {
    label();
    changed();
  });
  printing();
  label();
  return button;
}

function printing(): void {
  let before: string | undefined;
  window.addEventListener('beforeprint', () => {
    before = document.documentElement.dataset['theme'];
    document.documentElement.dataset['theme'] = 'light';
    document.documentElement.classList.add('printing');
    document.querySelectorAll<HTMLDetailsElement>('details.box, details.more').forEach((each) => (each.open = true));
    changed();
  });
  window.addEventListener('afterprint', () => {
    document.documentElement.classList.remove('printing');
    if (before === undefined) {
      delete document.documentElement.dataset['theme'];
    } else {
      document.documentElement.dataset['theme'] = before;
    }
    changed();
  });
}
