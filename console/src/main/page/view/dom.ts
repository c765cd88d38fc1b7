// The only way this page makes elements: what comes from outside becomes text, never markup.

export type Child = Node | string | undefined | false;
type Value = string | number | boolean | undefined | ((event: Event) => void);

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, Value> = {},
  ...children: (Child | Child[])[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') {
      element.addEventListener(name, value);
    } else if (value === true) {
      element.setAttribute(name, '');
    } else if (value !== undefined && value !== false) {
      element.setAttribute(name, String(value));
    }
  }
  for (const child of children.flat()) {
    if (child !== undefined && child !== false) {
      element.append(child);
    }
  }
  return element;
}

/** Changes an element's text only where it differs: writing costs layout. */
export function text(element: Element, value: string): void {
  if (element.textContent !== value) {
    element.textContent = value;
  }
}
