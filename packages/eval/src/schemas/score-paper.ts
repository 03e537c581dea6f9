import type { Schema } from '@askema/core';
import type { NamedSchema } from '@askema/text2schema';
import { bestAssignment } from './best-assignment.ts';
import { type ComparedSchema, comparedSchemaOf, plainName } from './compared-schema.ts';
import type { NamePorts } from './name-ports.ts';
import type { ScoredSchema } from './schema-score.ts';
import { scoreOfMatch } from './score-match.ts';

/** Names whose embeddings are nearer than this are the same (SchemaAgent, section 5.3). */
export const SIMILARITY_THRESHOLD = 0.6;
/** Names that share more than this part of the longer one are the same (SchemaAgent, section 5.3). */
export const SUBSTRING_THRESHOLD = 0.75;

/**
 * Compares a schema with gold as section 5.3 of the paper says: names are aligned by synonyms, then by similarity, then
 * by their longest common substring; formulas 1 to 3; keys must be the same sets; types of unmatched attributes count
 * 0. Where the paper leaves a reading open: alignment is one to one, the best one in each stage (its sets intersect,
 * and F1 is at most 1); equal names come first; the substring is measured against the longer name; keys are exact per
 * table of gold, which is the only reading under which its Table 1 can have key accuracies above the table accuracy.
 * Without a schema everything is 0.
 */
export function scorePaper(
  gold: ComparedSchema,
  predicted: Schema | NamedSchema | ComparedSchema | undefined,
  ports: NamePorts = {},
): ScoredSchema {
  const other = predicted === undefined ? { relations: [] } : comparedSchemaOf(predicted);
  const tables = alignNames(
    gold.relations.map(({ name }) => name),
    other.relations.map(({ name }) => name),
    ports,
  );
  const attributes = tables.map((column, row) =>
    alignNames(
      gold.relations[row]?.attributes.map(({ name }) => name) ?? [],
      column === undefined ? [] : (other.relations[column]?.attributes.map(({ name }) => name) ?? []),
      ports,
    ),
  );
  return scoreOfMatch(gold, other, { tables, attributes });
}

/** How alike two names are in one stage; 0 where they are no pair. */
type Stage = (gold: string, predicted: string) => number;

/** For each name of gold the position of its counterpart. */
function alignNames(
  gold: readonly string[],
  predicted: readonly string[],
  ports: NamePorts,
): readonly (number | undefined)[] {
  const aligned: (number | undefined)[] = gold.map(() => undefined);
  for (const stage of stagesOf(ports)) {
    const taken = new Set(aligned.filter((column) => column !== undefined));
    const weights = gold.map((name, row) =>
      predicted.map((other, column) => (aligned[row] !== undefined || taken.has(column) ? 0 : stage(name, other))),
    );
    for (const [row, column] of bestAssignment(weights).entries()) if (column !== undefined) aligned[row] = column;
  }
  return aligned;
}

function stagesOf({ synonyms, similarity }: NamePorts): readonly Stage[] {
  const isSynonym = (a: string, b: string): boolean => a === b || synonyms?.areSynonyms(a, b) === true;
  const synonymous: Stage = (gold, predicted) => {
    if (plainName(gold) === plainName(predicted)) return 1;
    const own = plainName(gold).split(' ');
    const other = plainName(predicted).split(' ');
    return own.length === other.length && own.every((word, at) => isSynonym(word, other[at] ?? '')) ? 0.5 : 0;
  };
  const similar: Stage = (gold, predicted) => above(similarity?.of(gold, predicted) ?? 0, SIMILARITY_THRESHOLD);
  const shared: Stage = (gold, predicted) => {
    const own = plainName(gold);
    const other = plainName(predicted);
    const longer = Math.max(own.length, other.length);
    return longer === 0 ? 0 : above(commonSubstring(own, other) / longer, SUBSTRING_THRESHOLD);
  };
  return [synonymous, similar, shared];
}

function above(value: number, threshold: number): number {
  return value > threshold ? value : 0;
}

/** Longer texts are compared by their beginning. */
const MAX_LENGTH = 200;

/** The length of the longest text that stands in both, in UTF-16 units. */
export function commonSubstring(a: string, b: string): number {
  const left = a.slice(0, MAX_LENGTH);
  const right = b.slice(0, MAX_LENGTH);
  let longest = 0;
  let before = new Uint16Array(right.length + 1);
  for (let row = 1; row <= left.length; row += 1) {
    const current = new Uint16Array(right.length + 1);
    for (let column = 1; column <= right.length; column += 1) {
      if (left[row - 1] !== right[column - 1]) continue;
      const length = (before[column - 1] ?? 0) + 1;
      current[column] = length;
      if (length > longest) longest = length;
    }
    before = current;
  }
  return longest;
}
