import type { Schema } from '@askema/core';
import type { NamedSchema } from '@askema/text2schema';
import type { ComparedSchema } from './compared-schema.ts';
import type { ScoredSchema, ScorerName } from './schema-score.ts';

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
