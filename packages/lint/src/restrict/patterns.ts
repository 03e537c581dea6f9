import { AskemaError, type Catalog, didYouMean, foldName, type NameParts } from '@askema/core';

/** What a pattern matches: parts between dots, each with `*` for any characters and `?` for one. */
interface Pattern {
  readonly written: string;
  readonly parts: readonly RegExp[];
}

/** Which relations and columns patterns name. */
export interface Named {
  relation(nameParts: NameParts): boolean;
  column(nameParts: NameParts, column: string): boolean;
}

/**
 * Reads patterns of `hide` and `mask`: `relation`, `relation.column`, with its schema and database in front or not. One
 * of two parts may mean both, a relation of a schema and a column of a relation, and then it names both. Letters
 * compare as those of names in the catalog. A name with a dot in it stands in double quotes.
 *
 * @throws AskemaError `CONFIG_INVALID` for a pattern that matches nothing in the catalog, with the nearest name.
 */
export function readPatterns(option: 'hide' | 'mask', written: readonly string[], catalog: Catalog): Named {
  const patterns = written.map((text) => readPattern(option, text));
  const used = new Set<Pattern>();
  const matches = (names: readonly (string | undefined)[], least: number): boolean => {
    const folded = names.filter((name) => name !== undefined).map((name) => foldName(name, 'insensitive'));
    const found = patterns.filter(({ parts }) => {
      const tail = folded.slice(-parts.length);
      return (
        parts.length >= least && tail.length === parts.length && parts.every((part, at) => part.test(tail[at] ?? ''))
      );
    });
    for (const pattern of found) used.add(pattern);
    return found.length > 0;
  };
  const named: Named = {
    relation: ({ database, schema, relation }) => matches([database, schema, relation], 1),
    column: ({ database, schema, relation }, column) => matches([database, schema, relation, column], 2),
  };
  const names: string[] = [];
  for (const { nameParts } of Object.values(catalog.relations)) {
    named.relation(nameParts);
    names.push(nameParts.relation);
  }
  for (const { relation, name } of catalog.schema.attributes) {
    const parts = catalog.relations[relation]?.nameParts;
    if (parts === undefined) continue;
    named.column(parts, name);
    names.push(`${parts.relation}.${name}`);
  }
  const idle = patterns.find((pattern) => !used.has(pattern));
  if (idle === undefined) return named;
  throw new AskemaError(
    'CONFIG_INVALID',
    `\`${option}\` has ${JSON.stringify(idle.written)}, which names nothing in ${catalog.name}. ${didYouMean(idle.written, names)}`.trim(),
  );
}

function readPattern(option: string, text: string): Pattern {
  const parts = text.trim().match(/"(?:[^"]|"")+"|[^".]+|\./g) ?? [];
  const names = parts.filter((part) => part !== '.');
  const isWhole = names.length > 0 && names.length < 5 && parts.length === names.length * 2 - 1;
  if (!isWhole || parts.join('') !== text.trim())
    throw new AskemaError(
      'CONFIG_INVALID',
      `\`${option}\` has ${JSON.stringify(text)}, which is no pattern; write users, hr.*, users.password_hash or *.ssn.`,
    );
  return { written: text, parts: names.map(globOf) };
}

function globOf(part: string): RegExp {
  const isQuoted = part.startsWith('"');
  const name = foldName(isQuoted ? part.slice(1, -1).replaceAll('""', '"') : part, 'insensitive');
  const source = [...name].map((letter) =>
    isQuoted ? escaped(letter) : letter === '*' ? '.*' : letter === '?' ? '.' : escaped(letter),
  );
  return new RegExp(`^${source.join('').replace(/(?:\.\*)+/g, '.*')}$`, 'su');
}

function escaped(letter: string): string {
  return /[\\^$.*+?()[\]{}|/-]/.test(letter) ? `\\${letter}` : letter;
}
