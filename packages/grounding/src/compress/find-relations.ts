import type { Dialect, RelationId } from '@askema/core';
import { foldName } from '@askema/core';
import { firstOfPattern } from './name-patterns.ts';
import type { SheetSource } from './relation-sheet.ts';

/** An ambiguous name describes at most so many relations. */
const MAX_FOUND = 20;

/**
 * The relations that a name means: an id, a bare or a qualified name, each part quoted or not, or a pattern of the text
 * (its first). Quoted parts compare as stored, unquoted ones after the dialect's folding; when nothing fits so, all
 * letters compare without case, since models are not exact.
 */
export function findRelations(source: SheetSource, name: string): RelationId[] {
  const { index, dialect } = source;
  const byId = index.relation(name);
  if (byId !== undefined) return [byId.id];
  const parts = splitName(name.trim(), dialect);
  const folded = parts.map(({ text, isQuoted }) => (isQuoted ? text : foldUnquoted(text, dialect)));
  for (const wanted of [folded, parts.map(({ text }) => text), [name]]) {
    const found = index.relationsNamed(wanted);
    if (found.length > 0) return found.slice(0, MAX_FOUND).map(({ id }) => id);
  }
  const found = withoutCase(
    source,
    parts.map(({ text }) => text),
  );
  const first = firstOfPattern(name);
  return found.length > 0 || first === name ? found : findRelations(source, first);
}

function withoutCase({ catalog, index }: SheetSource, parts: readonly string[]): RelationId[] {
  const wanted = parts.map((part) => foldName(part, 'insensitive'));
  const found: RelationId[] = [];
  for (const { id, name } of index.schema.relations) {
    const { database, schema } = catalog.relations[id]?.nameParts ?? {};
    const path = [database, schema, name].filter((part) => part !== undefined);
    const tail = path.slice(Math.max(0, path.length - wanted.length)).map((part) => foldName(part, 'insensitive'));
    if (tail.length === wanted.length && tail.every((part, at) => part === wanted[at])) found.push(id);
    if (found.length === MAX_FOUND) break;
  }
  return found;
}

function foldUnquoted(text: string, { identifiers }: Pick<Dialect, 'identifiers'>): string {
  if (identifiers.unquotedFolding === 'none') return text;
  return identifiers.unquotedFolding === 'upper' ? text.toUpperCase() : text.toLowerCase();
}

interface NamePart {
  readonly text: string;
  readonly isQuoted: boolean;
}

/** Parts between dots; dots inside quotes belong to the name. BigQuery quotes a whole path as well: `` `a.b.c` ``. */
function splitName(name: string, { identifiers, lexer }: SheetSource['dialect']): NamePart[] {
  const quotes = [identifiers.quote, ...lexer.identifierQuotes];
  const parts: NamePart[] = [];
  let at = 0;
  while (at <= name.length) {
    const quote = quotes.find(([open]) => name.startsWith(open, at));
    const quoted = quote === undefined ? undefined : readQuoted(name, at, quote[1], identifiers.escape);
    if (quoted !== undefined) {
      parts.push({ text: quoted.text, isQuoted: true });
      at = quoted.end + 1;
      continue;
    }
    const dot = name.indexOf('.', at);
    const end = dot < 0 ? name.length : dot;
    parts.push({ text: name.slice(at, end), isQuoted: false });
    at = end + 1;
  }
  const [only] = parts;
  if (parts.length === 1 && only?.isQuoted && identifiers.escape === 'backslash')
    return only.text.split('.').map((text) => ({ text, isQuoted: true }));
  return parts;
}

/** A quoted part that ends at a dot or at the end of the name. */
function readQuoted(
  name: string,
  start: number,
  close: string,
  escaping: 'double' | 'backslash',
): { text: string; end: number } | undefined {
  let text = '';
  for (let at = start + 1; at < name.length; at += 1) {
    const character = name[at] ?? '';
    if (escaping === 'backslash' && character === '\\') {
      at += 1;
      text += name[at] ?? '';
    } else if (character === close && escaping === 'double' && name[at + 1] === close) {
      at += 1;
      text += close;
    } else if (character === close) {
      const end = at + 1;
      return end === name.length || name[end] === '.' ? { text, end } : undefined;
    } else text += character;
  }
  return undefined;
}
