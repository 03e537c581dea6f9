import type { JobContext, Jobs, JsonValue, Runner, SerializedError } from '@askema/core';
import type { LatencySummary } from '../run/evaluation-result.ts';

/** One thing to do. The id names it across starts. */
export interface BatchItem<Input> {
  readonly id: string;
  readonly input: Input;
}

/** What the work of an item is given beside its input. */
export interface BatchContext {
  readonly id: string;
  /** From 1; a further one for an item that had failed. */
  readonly attempt: number;
  /** The same on every start for one attempt: a good run id for a flow with a journal. */
  readonly runId: string;
  readonly signal: AbortSignal;
  /**
   * Does `work` once, also when the item is begun again after a crash, where the runner is durable. See `Runner.run`.
   */
  readonly run: JobContext['run'];
}

/** What a `Runner` does for a batch. */
export interface BatchJobs<Input, Output> extends Jobs {
  readonly item: (
    input: { readonly id: string; readonly attempt: number; readonly input: Input },
    context: JobContext,
  ) => Promise<BatchResult<Output>>;
}

/** What `runBatch` takes. */
export interface BatchOptions<Input, Output> {
  readonly items: readonly BatchItem<Input>[];
  /**
   * Does one item. Its output is plain data: JSON, `bigint`, `Uint8Array` (an `Outcome`, for example). What it throws
   * makes the item `failed` and never ends the run.
   */
  readonly work: (input: Input, context: BatchContext) => Promise<Output>;
  /** A directory; made when missing. Holds `results.jsonl`, `run.json` and `summary.json`. */
  readonly out: string;
  /** For messages. Default: `batch`. */
  readonly name?: string | undefined;
  /**
   * What is done: model, flow, settings. A second start with another configuration is refused. Never put a secret here.
   */
  readonly configuration?: Readonly<Record<string, JsonValue>> | undefined;
  readonly force?: boolean | undefined;
  /** A second start does again what failed. Default: false. */
  readonly retryFailed?: boolean | undefined;
  /** Items at a time. Default: 1. */
  readonly concurrency?: number | undefined;
  /** US dollars of one output; undefined where that is not known. */
  readonly costOf?: ((output: Output) => number | undefined) | undefined;
  /** Ends the run before the items that are not begun, once the finished ones cost so much. Needs `costOf`. */
  readonly budgetUsd?: number | undefined;
  readonly shard?: { readonly index: number; readonly of: number } | undefined;
  /** As for `runEvaluation`. */
  readonly runner?:
    | ((jobs: BatchJobs<Input, Output>, concurrency: number) => Promise<Runner<BatchJobs<Input, Output>>>)
    | undefined;
  readonly runId?: string | undefined;
  readonly onProgress?: ((progress: BatchProgress<Output>) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** One item that ended. In `results.jsonl` its `output` is encoded with `encodeValue`. */
export interface BatchResult<Output> {
  readonly schemaVersion: 1;
  readonly id: string;
  readonly status: 'done' | 'failed';
  readonly output?: Output | undefined;
  readonly error?: SerializedError | undefined;
  readonly elapsedMs: number;
  readonly costUsd?: number | undefined;
  readonly attempt: number;
  /** ISO 8601. */
  readonly finishedAt: string;
}

/** How a batch stands, after each item. */
export interface BatchProgress<Output> {
  /** Items with a result, failed ones included. */
  readonly finished: number;
  readonly failed: number;
  readonly total: number;
  readonly last?: BatchResult<Output> | undefined;
  /** Of this start. */
  readonly elapsedMs: number;
  readonly remainingMs?: number | undefined;
  /** All that the run cost, earlier starts and attempts included. */
  readonly costUsd?: number | undefined;
  readonly budgetUsd?: number | undefined;
}

/** How a batch ended; also `summary.json` of its folder. */
export interface BatchSummary {
  readonly schemaVersion: 1;
  readonly name: string;
  readonly configuration: Readonly<Record<string, JsonValue>>;
  readonly total: number;
  readonly done: number;
  readonly failed: number;
  /** Items without a result: the run was stopped. */
  readonly unfinished: number;
  readonly stopped?: 'budget' | 'signal' | undefined;
  readonly latency?: LatencySummary | undefined;
  readonly spentUsd?: number | undefined;
  readonly budgetUsd?: number | undefined;
  readonly shard?: { readonly index: number; readonly of: number } | undefined;
  readonly failures: readonly { readonly id: string; readonly error: SerializedError }[];
}
