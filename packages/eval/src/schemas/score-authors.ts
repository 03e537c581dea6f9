import type { Schema } from '@askema/core';
import { splitWords } from '@askema/grounding';
import type { NamedSchema } from '@askema/text2schema';
import { type ComparedRelation, type ComparedSchema, comparedSchemaOf } from './compared-schema.ts';
import type { NamePorts } from './name-ports.ts';
import type { SchemaScore, ScoredSchema } from './schema-score.ts';
import { commonSubstring, SIMILARITY_THRESHOLD, SUBSTRING_THRESHOLD } from './score-paper.ts';

/** Added to the sum of precision and recall of attributes, so that a perfect table has 0.999995. */
const EPSILON = 1e-5;
/** An attribute F1 so near to 1 counts as 1. */
const ALMOST_ONE = 1e-3;

/**
 * Words that the alignment by strings leaves out: function words, and nouns that spaCy counts as such. A part of its
 * list; the others do not occur in names of tables and columns.
 */
const STOP_WORDS: ReadonlySet<string> = new Set(
  'a about above after again all also amount an and any are as at back be before behind below between both bottom by call do down each empty first for forward from front full give go had has have he her here him his how i if in into is it its last made make may me more most move my name next no none not now of off on one only or other our out over own part per put quite re really same say see she should show side since so some such take than that the their them then there these they this those through to together too top toward two under until up upon us used using various very was we well were what when where whether which while who whole whose why will with within without would yet you your record'.split(
    ' ',
  ),
);

/** Names of gold with the name that stands for each; nothing keeps one name from standing for several. */
type Mapping = Map<string, string>;

/**
 * Compares a schema with gold as the published script does, its quirks kept: alignment is not one to one and depends on
 * the order of names; `Record` is cut out; the threshold of similarity rises over a whole call; substrings are compared
 * word by word against the shorter word, equal words not counting; foreign keys are only counted; keys and attributes
 * are means over the tables of gold. Undefined where nothing matches or a table is empty: the script fails there and
 * drops the sample. Types and exact schemas are unknown to it.
 *
 * Words are found by our own splitting, not by spaCy: its splitting of `id` into `i` and `d` is not imitated.
 */
export function scoreAuthors(
  gold: ComparedSchema,
  predicted: Schema | NamedSchema | ComparedSchema | undefined,
  ports: NamePorts = {},
): ScoredSchema | undefined {
  const other = predicted === undefined ? { relations: [] } : comparedSchemaOf(predicted);
  const goldTables = byName(gold);
  const tables: Mapping = new Map();
  const [names, otherNames] = [[...goldTables.keys()], other.relations.map(({ name }) => name)];
  matchSynonyms(names, otherNames, tables, ports);
  matchStrings(names, otherNames, tables);
  matchSimilar(names, otherNames, tables, ports);
  const predictedTables = byName(other);
  if (tables.size === 0) return undefined;
  const compared = [...goldTables.values()].map((table) => {
    const counterpart = predictedTables.get(tables.get(table.name) ?? '');
    return counterpart === undefined ? undefined : { table, counterpart, ...compareTables(table, counterpart, ports) };
  });
  const isBroken = compared.some(
    (each) => each !== undefined && (each.table.attributes.length === 0 || each.counterpart.attributes.length === 0),
  );
  if (isBroken) return undefined;
  const mean = (metric: 'f1' | 'isWhole' | 'hasKey' | 'hasForeignKeys'): number =>
    compared.reduce((sum, each) => sum + Number(each?.[metric] ?? 0), 0) / goldTables.size;
  const precision = tables.size / predictedTables.size;
  const recall = tables.size / goldTables.size;
  const tableF1 = (2 * precision * recall) / (precision + recall);
  const score: SchemaScore = {
    tableF1,
    tableAccuracy: Number(tableF1 === 1),
    attributeF1: mean('f1'),
    attributeAccuracy: mean('isWhole'),
    primaryKeyAccuracy: mean('hasKey'),
    foreignKeyAccuracy: mean('hasForeignKeys'),
  };
  const pairs = compared.flatMap((each) =>
    each === undefined
      ? []
      : [
          {
            gold: each.table.name,
            predicted: each.counterpart.name,
            attributes: [...each.mapping].map(([from, to]) => ({ gold: from, predicted: to })),
          },
        ],
  );
  return { score, match: { tables: pairs } };
}

/** As a dictionary would hold them: of two tables of one name the last counts. */
function byName({ relations }: ComparedSchema): ReadonlyMap<string, ComparedRelation> {
  return new Map(relations.map((relation) => [relation.name, relation]));
}

function compareTables(
  table: ComparedRelation,
  counterpart: ComparedRelation,
  ports: NamePorts,
): {
  readonly mapping: Mapping;
  readonly f1: number;
  readonly isWhole: boolean;
  readonly hasKey: boolean;
  readonly hasForeignKeys: boolean;
} {
  const mapping: Mapping = new Map();
  const names = table.attributes.map(({ name }) => name);
  const others = counterpart.attributes.map(({ name }) => name);
  matchSynonyms(names, others, mapping, ports);
  matchSimilar(names, others, mapping, ports);
  matchStrings(names, others, mapping);
  const precision = mapping.size / others.length;
  const recall = mapping.size / names.length;
  const f1 = (2 * precision * recall) / (precision + recall + EPSILON);
  const key = counterpart.primaryKey;
  return {
    mapping,
    f1,
    isWhole: Math.abs(f1 - 1) < ALMOST_ONE,
    hasKey:
      table.primaryKey.length === key.length &&
      table.primaryKey.every((column) => key.includes(mapping.get(column) ?? '')),
    hasForeignKeys: foreignColumns(table) === foreignColumns(counterpart),
  };
}

function foreignColumns({ foreignKeys }: ComparedRelation): number {
  return new Set(foreignKeys.flatMap((key) => key.attributes)).size;
}

/** The first hit in the order of the prediction counts, taken or not. */
function matchSynonyms(
  gold: readonly string[],
  predicted: readonly string[],
  mapping: Mapping,
  { synonyms }: NamePorts,
): void {
  const tokens = (name: string): readonly string[] =>
    name
      .replaceAll('Record', '')
      .split(' ')
      .map((token) => (token === 'number' ? 'ID' : token));
  for (const name of gold) {
    const own = tokens(name);
    const hit = predicted.find((other) => {
      const others = tokens(other);
      if (own.length !== others.length) return false;
      if (name.toLowerCase() === other.toLowerCase()) return true;
      return (
        synonyms !== undefined &&
        own.every((token, at) => synonyms.areSynonyms(token.toLowerCase(), (others[at] ?? '').toLowerCase()))
      );
    });
    if (hit !== undefined) mapping.set(name, hit);
  }
}

/** The threshold is the best similarity so far, over all names of the call. */
function matchSimilar(
  gold: readonly string[],
  predicted: readonly string[],
  mapping: Mapping,
  { similarity }: NamePorts,
): void {
  if (similarity === undefined) return;
  let threshold = SIMILARITY_THRESHOLD;
  for (const name of gold) {
    if (mapping.has(name)) continue;
    for (const other of predicted) {
      if ([...mapping.values()].includes(other)) continue;
      const value = similarity.of(name, other);
      if (value <= threshold) continue;
      threshold = value;
      mapping.set(name, other);
    }
  }
}

/** The last hit counts. */
function matchStrings(gold: readonly string[], predicted: readonly string[], mapping: Mapping): void {
  const words = new Map([...gold, ...predicted].map((name) => [name, tellingWords(name)]));
  for (const name of gold) {
    if (mapping.has(name)) continue;
    for (const other of predicted) {
      if ([...mapping.values()].includes(other)) continue;
      if (sharedPart(words.get(name) ?? [], words.get(other) ?? []) > SUBSTRING_THRESHOLD) mapping.set(name, other);
    }
  }
}

function tellingWords(name: string): readonly string[] {
  return splitWords(name.toLowerCase()).filter((word) => !STOP_WORDS.has(word));
}

/** The largest share of a shorter word that stands in another, different one. */
function sharedPart(a: readonly string[], b: readonly string[]): number {
  let best = 0;
  for (const left of a)
    for (const right of b)
      if (left !== right) best = Math.max(best, commonSubstring(left, right) / Math.min(left.length, right.length));
  return best;
}
