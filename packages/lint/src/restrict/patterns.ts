import {
  AskemaError,
  type AttributeInfo,
  type Catalog,
  type CatalogTag,
  didYouMean,
  type NameParts,
  type RelationId,
  type RelationInfo,
} from '@askema/core';

/** What a pattern matches: parts between dots, each with `*` for any characters and `?` for one, or a tag. */
interface Pattern {
  readonly written: string;
  readonly parts: readonly RegExp[];
  readonly tag?: { readonly name: RegExp; readonly value: RegExp | undefined } | undefined;
}

type Relation = Pick<RelationInfo, 'nameParts' | 'tags'>;

/** Which relations and columns patterns name. */
export interface Named {
  relation(relation: Relation): boolean;
  column(relation: Relation, column: string, info: Pick<AttributeInfo, 'tags'> | undefined): boolean;
  /** The subject of a gap: a relation, as its adapter writes it, or something in one. */
  gap(subject: string): boolean;
}

const TAG = /^tag:/i;

/** The partitions of a table, which no catalog names. */
export type Partitions = ReadonlyMap<RelationId, readonly NameParts[]>;

/** Whether a pattern asks for tags, so that they must be read. */
export function isTagPattern(text: string): boolean {
  return TAG.test(text.trim());
}

/**
 * Reads patterns of `hide` and `mask`: `relation`, `relation.column`, with its schema and database in front or not. One
 * of two parts may mean both, a relation of a schema and a column of a relation, and then it names both. Letters
 * compare without case. A name with a dot in it stands in double quotes. `tag:NAME` and
 * `tag:NAME=VALUE` name the relations and columns with such a tag.
 *
 * @throws AskemaError `CONFIG_INVALID` for a pattern that matches nothing in the catalog, with the nearest name.
 */
export function readPatterns(
  option: 'hide' | 'mask',
  written: readonly string[],
  catalog: Catalog,
  partitions: Partitions,
): Named {
  const patterns = written.map((text) => readPattern(option, text));
  const used = new Set<Pattern>();
  const matches = (
    names: readonly (string | undefined)[],
    least: number,
    tags: readonly CatalogTag[] = [],
  ): boolean => {
    const folded = names.filter((name) => name !== undefined).map(fold);
    const found = patterns.filter(({ parts, tag }) => {
      if (tag !== undefined)
        return tags.some(({ name, value = '' }) => tag.name.test(fold(name)) && (tag.value?.test(fold(value)) ?? true));
      const tail = folded.slice(-parts.length);
      return (
        parts.length >= least && tail.length === parts.length && parts.every((part, at) => part.test(tail[at] ?? ''))
      );
    });
    for (const pattern of found) used.add(pattern);
    return found.length > 0;
  };
  const named: Named = {
    relation: ({ nameParts: { database, schema, relation }, tags }) => matches([database, schema, relation], 1, tags),
    column: ({ nameParts: { database, schema, relation } }, column, info) =>
      matches([database, schema, relation, column], 2, info?.tags),
    gap: (subject) => {
      const parts = subject.split('.');
      const isPath = /[\\/]/.test(subject);
      const files = isPath ? fileNames(subject) : [];
      const paths = isPath ? files.map((name) => [name]) : [[subject], ...parts.map((_, at) => parts.slice(0, at + 1))];
      // Nobody knows of which schema these would be.
      const bare = isPath || parts.length > 1 ? files : [subject];
      const behind = patterns.filter(({ parts: [, ...rest] }) =>
        bare.some((name) => rest.some((part) => part.test(fold(name)))),
      );
      for (const pattern of behind) used.add(pattern);
      return paths.filter((path) => matches(path, 1)).length + behind.length > 0;
    },
  };
  for (const { subject } of catalog.incomplete) named.gap(subject);
  const names: string[] = [];
  for (const info of Object.values(catalog.relations)) {
    named.relation(info);
    names.push(info.nameParts.relation);
  }
  for (const { id, relation, name } of catalog.schema.attributes) {
    const info = catalog.relations[relation];
    if (info === undefined) continue;
    named.column(info, name, catalog.attributes[id]);
    for (const nameParts of partitions.get(relation) ?? []) {
      named.relation({ nameParts });
      named.column({ nameParts }, name, undefined);
    }
    names.push(`${info.nameParts.relation}.${name}`);
  }
  const idle = patterns.find((pattern) => !used.has(pattern));
  if (idle === undefined) return named;
  if (idle.tag !== undefined)
    throw new AskemaError(
      'CONFIG_INVALID',
      `\`${option}\` has ${JSON.stringify(idle.written)}, and nothing in ${catalog.name} has such a tag${taggedIn(catalog)}.`,
    );
  throw new AskemaError(
    'CONFIG_INVALID',
    `\`${option}\` has ${JSON.stringify(idle.written)}, which names nothing in ${catalog.name}. ${didYouMean(idle.written, names)}`.trim(),
  );
}

/** What the relation of a file may be called: its name and those of its folders, up to each dot. */
function fileNames(path: string): readonly string[] {
  return path.split(/[\\/]/).flatMap((segment) => {
    const parts = segment.split('.');
    return parts.map((_, at) => parts.slice(0, at + 1).join('.')).filter((name) => name !== '');
  });
}

/** The name of what a gap is about: a relation as its adapter writes it, or the path of a file. */
export function nameOfGap(subject: string): string {
  const [file, ...folders] = subject.split(/[\\/]/).reverse();
  return (folders.length === 0 ? subject.split('.').at(-1) : file?.split('.')[0]) ?? subject;
}

/** However a letter is put together; the patterns compare without case, beyond ASCII as well, whatever the engine does. */
const fold = (name: string): string => name.normalize('NFC');

/** Whether tags were read at all is not to be told from none. */
function taggedIn({ relations, attributes }: Catalog): string {
  const tags = [...Object.values(relations), ...Object.values(attributes)].flatMap(({ tags = [] }) => tags);
  const names = [...new Set(tags.map(({ name }) => name))].sort().slice(0, 10);
  return names.length === 0
    ? ': it has none, or its adapter does not read them; that of BigQuery does'
    : `; there are ${names.join(', ')}`;
}

function readPattern(option: string, text: string): Pattern {
  if (isTagPattern(text)) {
    const [, name = '', value] = /^tag:([^=]*)(?:=(.*))?$/isu.exec(text.trim()) ?? [];
    if (name.trim() !== '')
      return {
        written: text,
        parts: [],
        tag: { name: globOf(name.trim()), value: value === undefined ? undefined : globOf(value.trim()) },
      };
  }
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
  const name = fold(isQuoted ? part.slice(1, -1).replaceAll('""', '"') : part);
  const source = [...name].map((letter) =>
    isQuoted ? escaped(letter) : letter === '*' ? '.*' : letter === '?' ? '.' : escaped(letter),
  );
  return new RegExp(`^${source.join('').replace(/(?:\.\*)+/g, '.*')}$`, 'sui');
}

function escaped(letter: string): string {
  return /[\\^$.*+?()[\]{}|/]/.test(letter) ? `\\${letter}` : letter;
}
