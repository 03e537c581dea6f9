import { safeText } from '../data/cell-label.ts';

export type Attributes = Readonly<Record<string, string | number | undefined>>;

/** An element as text. Names are ours; values and texts are escaped here and nowhere else. */
export function element(name: string, attributes: Attributes, children: readonly string[] | string = []): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${typeof value === 'number' ? rounded(value) : escaped(value ?? '')}"`);
  const inside = typeof children === 'string' ? children : children.join('');
  return inside === '' ? `<${name}${written.join('')}/>` : `<${name}${written.join('')}>${inside}</${name}>`;
}

/** Text of a database inside an element. */
export function textNode(text: string): string {
  return escaped(text);
}

/** Two decimals: a picture does not show more, and equal results give equal bytes. */
export function rounded(value: number): string {
  return String(Math.round(value * 100) / 100 + 0);
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, (each) => ENTITIES[each] ?? each);
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * A text that keeps its order to itself (UAX 9, isolates): a Hebrew name does not turn the number beside it around.
 * Marks that a text brings along are escaped before.
 */
export function isolated(text: string, direction: 'ltr' | 'rtl'): string {
  const safe = safeText(text);
  return direction === 'rtl' || RIGHT_TO_LEFT.test(safe) ? `\u2068${safe}\u2069` : safe;
}
