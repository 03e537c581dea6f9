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
