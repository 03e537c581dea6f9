/**
 * The columns of a clustering key that are plain columns, in their order: `LINEAR(C1, "c 2", DATE_TRUNC('DAY', C3))` gives C1 and `c 2`. Expressions
 * are left out (user-guide/tables-clustering-keys).
 */
export function clusteringColumns(key: string, known: ReadonlySet<string>): string[] {
  const inner = /^\s*LINEAR\s*\((.*)\)\s*$/is.exec(key)?.[1] ?? key.replace(/^\s*\(/, '').replace(/\)\s*$/, '');
  return splitAtCommas(inner).flatMap((part) => {
    const name = columnName(part.trim());
    return name !== undefined && known.has(name) ? [name] : [];
  });
}

/** A name as it is stored; undefined for an expression. */
function columnName(part: string): string | undefined {
  if (/^[A-Za-z_][A-Za-z0-9_$]*$/.test(part)) return part.toUpperCase();
  if (!part.startsWith('"') || !part.endsWith('"') || part.length < 3) return undefined;
  const inner = part.slice(1, -1).replaceAll('""', '\0');
  return inner.includes('"') ? undefined : inner.replaceAll('\0', '"');
}

/** Commas inside of brackets and quotes part nothing. */
function splitAtCommas(text: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let depth = 0;
  let quote = '';
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (quote !== '') {
      if (character === quote) quote = '';
    } else if (character === '"' || character === "'") quote = character;
    else if (character === '(') depth += 1;
    else if (character === ')') depth -= 1;
    else if (character === ',' && depth === 0) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, text.slice(start)];
}
