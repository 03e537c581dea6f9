import {
  type AttributeId,
  type Catalog,
  castType,
  type Dialect,
  type NameParts,
  qualifiedName,
  quoteIdentifier,
  type RelationId,
  type SchemaIndex,
} from '@askema/core';
import { splitWords } from '../words/split-words.ts';
import { ofRelation } from './of-relation.ts';
import type { Mention } from './question-mentions.ts';

/** A column that may hold yes and no, with the pieces of the question that name it. */
export interface FlagCandidate {
  readonly attribute: AttributeId;
  readonly relation: RelationId;
  /** "parking" for `has_parking`. */
  readonly named: readonly string[];
  /** "inactive" for `is_active`. */
  readonly opposite: readonly string[];
}

/** Spellings of yes and no, each in lower case. */
const YES_AND_NO: readonly (readonly [yes: string, no: string])[] = [
  ['1', '0'],
  ['y', 'n'],
  ['yes', 'no'],
  ['t', 'f'],
  ['true', 'false'],
];

const LEADS: ReadonlySet<string> = new Set(splitWords('is has have can was with does allows offers'));
const TAILS: ReadonlySet<string> = new Set(splitWords('flag flg yn ind indicator available allowed included'));
const OPPOSITES = ['un', 'in', 'non', 'not ', 'im'];

/** Columns whose name the question says, all but the words that only mark a flag. */
export function flagCandidates(
  catalog: Catalog,
  index: SchemaIndex,
  relations: readonly RelationId[],
  question: string,
  mentions: readonly Mention[],
): FlagCandidate[] {
  const said = splitWords(question).join(' ');
  // Most questions name no such column.
  const maybe = relations.flatMap((relation) =>
    flagColumns(catalog, index, relation).filter(({ words }) => said.includes(words)),
  );
  if (maybe.length === 0) return [];
  // One word more: "not".
  const most = Math.max(...maybe.map(({ words }) => words.split(' ').length)) + 1;
  const short = mentions.filter(({ quoted, words }) => quoted || words <= most);
  const pieces = Map.groupBy(short, ({ text }) => splitWords(text).join(' '));
  const textsOf = (words: string): readonly string[] => (pieces.get(words) ?? []).map(({ text }) => text);
  return maybe.flatMap(({ attribute, relation, words }): FlagCandidate[] => {
    const named = textsOf(words);
    const opposite = OPPOSITES.flatMap((prefix) => textsOf(`${prefix}${words}`));
    return named.length + opposite.length > 0 ? [{ attribute, relation, named, opposite }] : [];
  });
}

/** The columns of a relation that may hold yes and no, with the words that name them. */
const flagColumns = ofRelation((catalog, index, relation) => {
  const keys = new Set([
    ...(index.primaryKey(relation)?.attributes ?? []),
    ...index.foreignKeysFrom(relation).flatMap(({ pairs }) => pairs.map(({ from }) => from)),
  ]);
  return index.attributesOf(relation).flatMap(({ id, name, type }) => {
    const isPlain = (catalog.attributes[id]?.nestedFields ?? []).length === 0;
    if (keys.has(id) || !isPlain || (type !== 'TEXT' && type !== 'NUMERIC' && type !== 'BOOL')) return [];
    return [{ attribute: id, relation, words: flagWords(name) }];
  });
});

/** The words of a name without those that only say that it is a flag. */
function flagWords(name: string): string {
  const words = splitWords(name);
  const start = words.length > 1 && LEADS.has(words[0] ?? '') ? 1 : 0;
  const end = words.length - start > 1 && TAILS.has(words.at(-1) ?? '') ? -1 : words.length;
  return words.slice(start, end).join(' ');
}

/** How a column says yes and no, from its different cells; undefined for one that says anything else. */
export function flagValues(
  cells: readonly unknown[],
): { readonly yes: string; readonly no: string | undefined } | undefined {
  const stored = cells.filter((cell): cell is string => typeof cell === 'string');
  for (const [yes, no] of YES_AND_NO) {
    const find = (wanted: string): string | undefined => stored.find((cell) => cell.trim().toLowerCase() === wanted);
    const [found, opposite] = [find(yes), find(no)];
    if (found !== undefined && stored.length === (opposite === undefined ? 1 : 2))
      // A lone 1 is a number.
      return yes === '1' && opposite === undefined ? undefined : { yes: found, no: opposite };
  }
  return undefined;
}

/** The different cells of one column, as text behind a place. */
export function flagStatement(dialect: Dialect, relation: NameParts, attribute: string): string {
  const text = `CAST(${quoteIdentifier(attribute, dialect)} AS ${castType('TEXT', dialect)})`;
  return `SELECT DISTINCT 0 AS place, ${text} AS cell FROM ${qualifiedName(relation, dialect, 'always')} AS probed WHERE ${quoteIdentifier(attribute, dialect)} IS NOT NULL`;
}
