import type { Schema } from '@askema/core';
import type { NamedSchema } from '@askema/text2schema';
import type { ComparedSchema } from './compared-schema.ts';

/** The names of the scorers. */
export const SCORER_NAMES = ['strict', 'paper', 'authors'] as const;

/** A scorer of {@link SCORER_NAMES}. */
export type ScorerName = (typeof SCORER_NAMES)[number];

/**
 * How a schema compares with gold. All figures are in [0, 1] (`authors` can give more, as its source does). What is
 * `per table` is the mean over the tables of gold, an unmatched one counting 0; what is `exact` is 1 or 0 for the whole
 * schema. What may be undefined, `authors` does not know.
 */
export interface SchemaScore {
  readonly tableF1: number;
  /** Exact: F1 is 1. */
  readonly tableAccuracy: number;
  /** Per table (SchemaAgent, formula 3). */
  readonly attributeF1: number;
  /** Per table: all attributes and no others. */
  readonly attributeAccuracy: number;
  /** Exact, tables included. */
  readonly attributeSchemaAccuracy?: number | undefined;
  /** Per table: the same key. */
  readonly primaryKeyAccuracy: number;
  /** Exact, tables included. */
  readonly primaryKeySchemaAccuracy?: number | undefined;
  /** Over the column pairs of the whole schema. */
  readonly foreignKeyF1?: number | undefined;
  /** Per table: the same foreign keys. */
  readonly foreignKeyAccuracy: number;
  /** Exact, tables included. */
  readonly foreignKeySchemaAccuracy?: number | undefined;
  /**
   * Over the attributes of gold whose type is known, an unmatched one counting 0; undefined where gold has no types.
   */
  readonly typeAccuracy?: number | undefined;
}

/** A metric of {@link SchemaScore}. */
export type SchemaMetric = keyof SchemaScore;

/** All metrics, in the order in which they are printed. */
export const SCHEMA_METRICS: readonly SchemaMetric[] = [
  'tableF1',
  'tableAccuracy',
  'attributeF1',
  'attributeAccuracy',
  'attributeSchemaAccuracy',
  'primaryKeyAccuracy',
  'primaryKeySchemaAccuracy',
  'foreignKeyF1',
  'foreignKeyAccuracy',
  'foreignKeySchemaAccuracy',
  'typeAccuracy',
];

/** Which table and which attributes of a prediction stand for those of gold. */
export interface SchemaMatch {
  readonly tables: readonly {
    readonly gold: string;
    readonly predicted: string;
    readonly attributes: readonly { readonly gold: string; readonly predicted: string }[];
  }[];
}

/** A score, and the matching that it rests on. */
export interface ScoredSchema {
  readonly score: SchemaScore;
  readonly match: SchemaMatch;
}

/** Harmonic mean of precision and recall; 1 where there is nothing on either side. */
export function f1(hits: number, gold: number, predicted: number): number {
  return gold + predicted === 0 ? 1 : (2 * hits) / (gold + predicted);
}

/** The mean of each metric over those scores that have it; undefined without scores. */
export function meanScore(scores: readonly SchemaScore[]): SchemaScore | undefined {
  if (scores.length === 0) return undefined;
  const means = SCHEMA_METRICS.flatMap((metric) => {
    const values = scores.flatMap((score) => score[metric] ?? []);
    return values.length === 0 ? [] : [[metric, values.reduce((sum, value) => sum + value, 0) / values.length]];
  });
  return Object.fromEntries(means) as unknown as SchemaScore;
}

/** A scorer with its ports filled. */
export interface SchemaScorer {
  readonly name: ScorerName;
  /** Which ports were on: `synonyms: wordnet`, `similarity: off`. Part of every report. */
  readonly ports: readonly string[];
  /** Undefined where the scorer drops the sample from its means, as `authors` does where no table matches. */
  score(
    gold: ComparedSchema,
    predicted: Schema | NamedSchema | ComparedSchema | undefined,
  ): Promise<ScoredSchema | undefined>;
}
