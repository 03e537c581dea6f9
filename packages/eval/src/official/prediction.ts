import type { DatasetProblem } from '../datasets/dataset.ts';

/** An answer that was made elsewhere: a statement, or the file of its result, or both. */
export interface Prediction {
  readonly sql?: string | undefined;
  /** CSV with a header. */
  readonly csv?: string | undefined;
}

/** How predictions are laid out: as the benchmarks want them handed in, or rows of JSON or CSV. */
export type PredictionFormat = 'spider' | 'bird' | 'spider2' | 'jsonl' | 'csv';

/** Answers by the id of their question. */
export interface Predictions {
  /** The file or folder. */
  readonly source: string;
  readonly format: PredictionFormat;
  readonly answers: ReadonlyMap<string, Prediction>;
  /** What could not be read, or belongs to no question. */
  readonly problems: readonly DatasetProblem[];
}
