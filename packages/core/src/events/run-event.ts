import type { SerializedError } from '../errors/askema-error.ts';

/** What every event carries: where it belongs in the run and when it happened (milliseconds since the epoch). */
export interface EventBase {
  readonly runId: string;
  readonly spanId: string;
  readonly parentSpanId?: string | undefined;
  readonly path: string;
  readonly at: number;
}

/**
 * How a question or a design ended: the `type` of its outcome, such as `answered` or `needsClarification`. A run may
 * finish without an answer. Absent where a flow runs by itself: it knows nothing of outcomes.
 */
interface Ended {
  readonly outcome?: string | undefined;
}

/**
 * What a run tells its listeners. Payloads go by reference (ids, fingerprints, sizes), never rows, prompts or catalogs.
 * `call` wraps what models, solvers and adapters emit through their call context.
 */
export type RunEvent = EventBase &
  (
    | { readonly type: 'run-started'; readonly flow: string; readonly resumed: boolean }
    | ({ readonly type: 'run-finished'; readonly action: string; readonly elapsedMs: number } & Ended)
    | ({ readonly type: 'run-suspended'; readonly request: unknown } & Ended)
    | ({ readonly type: 'run-failed'; readonly error: SerializedError; readonly elapsedMs: number } & Ended)
    | { readonly type: 'step-started'; readonly step: string; readonly visit: number }
    | {
        readonly type: 'step-finished';
        readonly step: string;
        readonly action: string;
        readonly elapsedMs: number;
        readonly replayed: boolean;
      }
    | {
        readonly type: 'step-retried';
        readonly step: string;
        readonly attempt: number;
        readonly error: SerializedError;
        readonly delayMs: number;
      }
    | {
        readonly type: 'step-failed';
        readonly step: string;
        readonly error: SerializedError;
        readonly elapsedMs: number;
      }
    | { readonly type: 'call'; readonly call: string; readonly data: Readonly<Record<string, unknown>> }
  );

/** Receives every event, in order. It must not throw; what it throws is dropped. */
export type EventSink = (event: RunEvent) => void;
