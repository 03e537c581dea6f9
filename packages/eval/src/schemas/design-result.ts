import type { JsonValue, Schema, SerializedError, Usage } from '@askema/core';
import type { DesignOutcome } from '@askema/text2schema';
import type { EvaluationPrices } from '../run/cost-of.ts';
import type { DesignJudgement } from './judge-design.ts';
import type { SchemaDataset, SchemaItem } from './load-schema-dataset.ts';
import type { SchemaScore, SchemaScorer, ScorerName } from './schema-score.ts';

/** What became of the certificates of a design, checked by core's independent checker. */
export interface DesignCertificates {
  /** Decompositions that carry one; 0 where the strategy made none. */
  readonly checked: number;
  readonly valid: number;
  /** What the checker says of the others. */
  readonly problems: readonly string[];
}

/** Whether the DDL of a schema ran in a database. */
export interface DdlRun {
  readonly runs: boolean;
  /** The words of the database. */
  readonly error?: string | undefined;
}

/** One line of `results.jsonl` of a run of designs. */
export interface DesignResult {
  readonly schemaVersion: 1;
  readonly id: string;
  readonly domain: readonly string[];
  readonly goldTables: number;
  /** The outcome's type, or `threw`. */
  readonly ending: DesignOutcome['type'] | 'threw';
  /** Whole: schema, transcript, usage, artefacts. Undefined where the design threw. */
  readonly outcome?: DesignOutcome | undefined;
  readonly error?: SerializedError | undefined;
  /** By the scorers that were chosen when it was designed; a scorer that drops the sample has none. */
  readonly scores: Readonly<Partial<Record<ScorerName, SchemaScore>>>;
  readonly certificates?: DesignCertificates | undefined;
  readonly ddl?: DdlRun | undefined;
  readonly judgement?: DesignJudgement | undefined;
  /** Why there is no judgement although one was wanted. */
  readonly judgeError?: SerializedError | undefined;
  readonly elapsedMs: number;
  readonly costUsd?: number | undefined;
  /** ISO 8601. */
  readonly finishedAt: string;
}

/** Whether a line of `results.jsonl` is a whole result of a design. */
export function isDesignResult(line: Partial<DesignResult>): boolean {
  return typeof line.ending === 'string' && typeof line.goldTables === 'number';
}

/** Judges a design; see `createDesignJudge`. */
export type DesignJudge = (
  item: Pick<SchemaItem, 'requirement'>,
  schema: Schema,
  context: { readonly signal: AbortSignal | undefined; readonly runId: string },
) => Promise<DesignJudgement>;

/** What a run of designs measures, on what, and where it is kept. */
export interface DesignEvaluationOptions {
  readonly dataset: SchemaDataset;
  /** Designs a schema for one requirement; `runId` is the same on every start of the run. */
  readonly design: (
    requirement: string,
    context: { readonly signal: AbortSignal | undefined; readonly runId: string; readonly id: string },
  ) => Promise<DesignOutcome>;
  /** A directory; made when missing. Holds `results.jsonl`, `run.json` and `summary.json`. */
  readonly out: string;
  /**
   * What is measured: model, strategy, settings. A second start with another one is refused. Never put a secret here.
   */
  readonly configuration: Readonly<Record<string, JsonValue>>;
  /** Default: `strict`. The first one is what the summary shows by number of tables. */
  readonly scorers?: readonly SchemaScorer[] | undefined;
  readonly judge?: DesignJudge | undefined;
  /** Runs the DDL of a schema in a database; without it nothing is said about that. */
  readonly runDdl?: ((schema: Schema, signal: AbortSignal | undefined) => Promise<DdlRun>) | undefined;
  readonly ids?: readonly string[] | undefined;
  /** The first so many of the selected requirements. */
  readonly limit?: number | undefined;
  /** Requirements at a time. Default: 1. */
  readonly concurrency?: number | undefined;
  /** Goes on although the configuration or the requirements differ. Default: false. */
  readonly force?: boolean | undefined;
  /** A second start designs again what failed or threw. Default: false. */
  readonly retryFailed?: boolean | undefined;
  readonly prices?: EvaluationPrices | undefined;
  readonly onProgress?: ((progress: DesignProgress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Where a run of designs stands; told at its start and behind each requirement. */
export interface DesignProgress {
  readonly done: number;
  readonly total: number;
  /** With a schema. */
  readonly designed: number;
  /** Mean table F1 of the first scorer so far. */
  readonly tableF1?: number | undefined;
  readonly last?: DesignResult | undefined;
  readonly usage: Usage;
}
