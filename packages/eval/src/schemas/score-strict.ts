import type { Schema } from '@askema/core';
import type { NamedSchema } from '@askema/text2schema';
import { bestAssignment } from './best-assignment.ts';
import { type ComparedRelation, type ComparedSchema, comparedSchemaOf } from './compared-schema.ts';
import {
  ATTRIBUTE_THRESHOLD,
  attributeLikeness,
  isTelling,
  type NameWords,
  nameLikeness,
  nameWords,
  type Synonyms,
} from './name-likeness.ts';
import type { ScoredSchema } from './schema-score.ts';
import { f1 } from './schema-score.ts';
import { scoreOfMatch } from './score-match.ts';

/** A table whose name is so like another one's is the same, whatever its attributes. */
const TABLE_NAME_THRESHOLD = 0.85;
/** Otherwise the mean of the likeness of the names and the F1 of the attributes decides, */
const TABLE_THRESHOLD = 0.6;
/** where the names have at least so much in common. */
const TABLE_NAME_FLOOR = 0.3;
/** Whatever its name, a table is the same where the F1 of the attributes is so high, */
const TABLE_ATTRIBUTES_THRESHOLD = 0.75;
/** and so many attributes are the same by their own names, those that only name a kind (`ID`, `Name`) not counted. */
const TABLE_TELLING_ATTRIBUTES = 4;

/** What the strict scorer may use beside the spelling of names. */
export interface StrictOptions {
  /** Default: none; only the folded spellings count. */
  readonly synonyms?: Synonyms | undefined;
}

/**
 * Compares a schema with gold. Tables are assigned one to one so that the sum of `(likeness of names + F1 of
 * attributes) / 2` is largest, then attributes within each pair of tables; {@link TABLE_NAME_THRESHOLD}, {@link
 * TABLE_THRESHOLD}, {@link TABLE_NAME_FLOOR}, {@link TABLE_ATTRIBUTES_THRESHOLD}, {@link TABLE_TELLING_ATTRIBUTES} and
 * {@link ATTRIBUTE_THRESHOLD} say what a pair is at all. Keys must be the same sets, foreign keys the same column pairs
 * with their targets; what is unmatched counts 0; nothing is above 1. Without a schema everything is 0.
 */
export function scoreStrict(
  gold: ComparedSchema,
  predicted: Schema | NamedSchema | ComparedSchema | undefined,
  options: StrictOptions = {},
): ScoredSchema {
  const other = predicted === undefined ? { relations: [] } : comparedSchemaOf(predicted);
  const own = gold.relations.map(takeApart);
  const others = other.relations.map(takeApart);
  const compared = own.map((left) => others.map((right) => compareTables(left, right, options.synonyms)));
  const tables = bestAssignment(compared.map((row) => row.map(({ weight }) => weight)));
  const attributes = tables.map((column, row) =>
    column === undefined ? [] : (compared[row]?.[column]?.attributes ?? []),
  );
  return scoreOfMatch(gold, other, { tables, attributes });
}

interface TableWords {
  readonly name: NameWords;
  readonly attributes: readonly NameWords[];
}

function takeApart({ name, attributes }: ComparedRelation): TableWords {
  return { name: nameWords(name), attributes: attributes.map((attribute) => nameWords(attribute.name)) };
}

function compareTables(
  left: TableWords,
  right: TableWords,
  synonyms: Synonyms | undefined,
): { readonly weight: number; readonly attributes: readonly (number | undefined)[] } {
  const weights = left.attributes.map((own) =>
    right.attributes.map((other) => {
      const likeness = attributeLikeness(own, left.name, other, right.name, synonyms);
      return likeness >= ATTRIBUTE_THRESHOLD ? likeness : 0;
    }),
  );
  const attributes = bestAssignment(weights);
  const matched = attributes.filter((column) => column !== undefined).length;
  const overlap = f1(matched, left.attributes.length, right.attributes.length);
  const likeness = nameLikeness(left.name, right.name, synonyms);
  const mean = (likeness + overlap) / 2;
  const isPair =
    likeness >= TABLE_NAME_THRESHOLD ||
    (likeness >= TABLE_NAME_FLOOR && mean >= TABLE_THRESHOLD) ||
    (overlap >= TABLE_ATTRIBUTES_THRESHOLD && tellingPairs(left, right, attributes) >= TABLE_TELLING_ATTRIBUTES);
  return { weight: isPair ? mean : 0, attributes };
}

/** Attributes that are the same without the name of their table, and say more than a kind. */
function tellingPairs(left: TableWords, right: TableWords, attributes: readonly (number | undefined)[]): number {
  const pairs = attributes.filter((column, row) => {
    const [own, other] = [left.attributes[row], column === undefined ? undefined : right.attributes[column]];
    if (own === undefined || other === undefined || !isTelling(own)) return false;
    return nameLikeness(own, other) >= ATTRIBUTE_THRESHOLD;
  });
  return pairs.length;
}
