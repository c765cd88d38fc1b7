// The only way this page makes elements: content of files becomes text, never markup.

/** What an element can hold; undefined and false are skipped. */
export type Child = Node | string | undefined | false | Child[];
type Handler = (event: Event) => void;

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string | number | boolean | Handler | undefined> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  set(element, attributes);
  append(element, children);
  return element;
}

const SVG = 'http://www.w3.org/2000/svg';

export function svg(
  tag: string,
  attributes: Record<string, string | number> = {},
  ...children: SVGElement[]
): SVGElement {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) {
    element.setAttribute(name, String(value));
  }
  element.append(...children);
  return element;
}

function set(
  element: Element,
  attributes: Record<string, string | number | boolean | Handler | undefined>,
): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') {
      element.addEventListener(name, value);
    } else if (value === true) {
      element.setAttribute(name, '');
    } else if (value !== undefined && value !== false) {
      element.setAttribute(name, String(value));
    }
  }
}

function append(parent: Element, children: Child[]): void {
  for (const child of children) {
    if (Array.isArray(child)) {
      append(parent, child);
    } else if (child !== undefined && child !== false) {
      parent.append(child);
    }
  }
}

let lastId = 0;

/** An id that no name from a file can collide with. */
export function newId(): string {
  lastId += 1;
  return `id-${lastId}`;
}
