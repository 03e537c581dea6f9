import { type ScorerSummary, summariseScorer } from './design-summary.ts';
import type { SchemaDataset } from './load-schema-dataset.ts';
import { SCHEMA_METRICS, type SchemaMetric, type SchemaScore, type SchemaScorer } from './schema-score.ts';

/** A requirement whose gold is not perfect by a scorer. */
export interface ImperfectGold {
  readonly id: string;
  readonly line: number;
  readonly scorer: string;
  /** Those below 1; empty where the scorer drops the sample. */
  readonly below: readonly SchemaMetric[];
  /** What the loader found wrong with it. */
  readonly defects: readonly string[];
}

/** What {@link scoreGold} found. */
export interface GoldScores {
  readonly scorers: readonly ScorerSummary[];
  /** Only against itself. */
  readonly imperfect: readonly ImperfectGold[];
}

/** `authors` has 0.999995 for a perfect table. */
const NEARLY_ONE = 0.999;

/**
 * What scorers say about gold itself. `self`: each schema against itself, which should be 100 but for rows with
 * defects. `other`: each against the schema of another requirement, half of the data set further on, which is the
 * floor.
 */
export async function scoreGold(
  dataset: SchemaDataset,
  scorers: readonly SchemaScorer[],
  against: 'self' | 'other',
): Promise<GoldScores> {
  const { items } = dataset;
  const step = against === 'self' ? 0 : Math.max(1, Math.floor(items.length / 2));
  const summaries: ScorerSummary[] = [];
  const imperfect: ImperfectGold[] = [];
  for (const scorer of scorers) {
    const scores: SchemaScore[] = [];
    for (const [position, { id, line, gold, defects }] of items.entries()) {
      const other = items[(position + step) % items.length]?.gold;
      const scored = await scorer.score(gold, other);
      if (scored !== undefined) scores.push(scored.score);
      const below = belowOne(scored?.score);
      if (against === 'self' && (scored === undefined || below.length > 0))
        imperfect.push({ id, line, scorer: scorer.name, below, defects: defects.map(({ message }) => message) });
    }
    summaries.push(summariseScorer(scorer, scores, items.length));
  }
  return { scorers: summaries, imperfect };
}

function belowOne(score: SchemaScore | undefined): SchemaMetric[] {
  return SCHEMA_METRICS.filter((metric) => (score?.[metric] ?? 1) < NEARLY_ONE);
}
