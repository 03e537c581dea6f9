import { AskemaError, abortedError } from '../errors/askema-error.ts';
import { type CallStore, FORGETFUL_CALL_STORE, memoryCallStore } from './call-store.ts';
import { CancelScope } from './cancel-scope.ts';
import { hashValue } from './hash-value.ts';
import type { Recorder } from './recorder.ts';
import { type Run, Suspension, throwIfStopped } from './run.ts';
import type { RunSpan } from './run-events.ts';
import { runLimited } from './run-limited.ts';
import type { StepContext, StepOf } from './step.ts';
import { tryExec } from './try-exec.ts';

/** One call of `exec`: of a step, or of one item of a batch. Its attempts are counted here and nowhere else. */
export interface ExecCall {
  readonly run: Run;
  readonly step: StepOf<never, never>;
  /** Of the step in its flow. */
  readonly name: string;
  readonly path: string;
  readonly span: RunSpan | undefined;
  readonly deps: unknown;
  readonly scope: CancelScope;
  readonly input: unknown;
  /** Begun so far. */
  attempts: number;
}

/** The result of `exec`: the recorded one, or that of the first attempt that succeeds, or the fallback's. */
export function callExec(call: ExecCall): Promise<unknown> {
  const { recorder } = call.run;
  if (recorder !== undefined) return recordedExec(call, recorder);
  return execute(call, (call.step.retry?.attempts ?? 1) > 1 ? memoryCallStore() : FORGETFUL_CALL_STORE);
}

async function recordedExec(call: ExecCall, recorder: Recorder): Promise<unknown> {
  const input = hashValue(call.input);
  const recorded = recorder.exec(call.path, input);
  if (recorded !== undefined) return recorded.value;
  if (call.run.ended !== undefined) throw call.run.ended;
  if (recorder.readOnly) throw whyMissing(call, recorder);
  const value = await execute(call, recorder);
  await recorder.recordExec(call.path, input, call.attempts, value);
  return value;
}

function execute(call: ExecCall, store: CallStore): Promise<unknown> {
  call.run.live += 1;
  return nextAttempt(call, store);
}

function nextAttempt(call: ExecCall, store: CallStore): Promise<unknown> {
  throwIfStopped(call.run, call.scope);
  call.attempts += 1;
  const work = (context: StepContext<never>): unknown => call.step.exec(call.input as never, context);
  return tryExec(call, store, call.path, work, (error) => afterFailure(call, store, error));
}

async function afterFailure(call: ExecCall, store: CallStore, error: AskemaError): Promise<unknown> {
  const { step, input, path } = call;
  if (call.attempts < (step.retry?.attempts ?? 1) && isRetried(step, error)) {
    await waitForRetry(call, error);
    return nextAttempt(call, store);
  }
  const { fallback } = step;
  if (fallback === undefined) throw error;
  const work = (context: StepContext<never>): unknown => fallback(input as never, error, context);
  return tryExec(call, store, `${path}/fallback`, work, (last) => {
    throw last;
  });
}

function isRetried(step: StepOf<never, never>, error: AskemaError): boolean {
  return step.retry?.when?.(error) ?? error.retryable;
}

async function waitForRetry(call: ExecCall, error: AskemaError): Promise<void> {
  const { run, step, scope, attempts: attempt } = call;
  const { delayMs = 0, factor = 2 } = step.retry ?? {};
  const wait = Math.max(delayMs * factor ** (attempt - 1), error.details.retryAfterMs ?? 0);
  if (call.span !== undefined) {
    const span = { ...call.span, path: call.path };
    run.events?.emit(span, { type: 'step-retried', step: call.name, attempt, error: error.toJSON(), delayMs: wait });
  }
  if (wait > 0) {
    const slept = run.runtime.sleep(wait, scope.signal);
    await (run.cancellable ? scope.guard(slept) : slept);
  }
}

/**
 * What a replay ends with where the journal ends: the recorded suspension, the recorded failure, or an error of its
 * own.
 */
function whyMissing(call: ExecCall, recorder: Recorder): Suspension | AskemaError {
  const { pending, end } = recorder;
  if (pending?.path.startsWith(`${call.path}/`)) return new Suspension(pending.path, pending.request);
  if (end?.status === 'failed') return AskemaError.fromJSON(end.error);
  return new AskemaError(
    'RECORDING_MISSING',
    `The journal of run \`${call.run.runId}\` has no result for \`${call.path}\`; resume the run to get it.`,
    { details: { path: call.path } },
  );
}

/**
 * The results of `exec` for every item, in the order of the items. The first failure stops the items that wait and
 * aborts those that run. When an item suspends the run, those that run may finish, because their work is paid for.
 */
export async function callBatch(call: ExecCall, items: readonly unknown[]): Promise<readonly unknown[]> {
  const concurrency = call.step.concurrency ?? 1;
  const { run } = call;
  const itemCall = (index: number, scope: CancelScope): ExecCall => ({
    ...call,
    scope,
    input: items[index],
    path: `${call.path}/${index}`,
    attempts: 0,
  });
  const results: unknown[] = new Array(items.length);
  if (concurrency === 1) {
    for (let index = 0; index < items.length; index += 1) results[index] = await callExec(itemCall(index, call.scope));
    return results;
  }
  const scope = new CancelScope(call.scope);
  let isOver = false;
  let suspension: Suspension | undefined;
  try {
    // The first failure is reported at once; a suspension only when nothing runs any more.
    await new Promise<void>((resolve, reject) => {
      const runItem = async (index: number): Promise<void> => {
        if (isOver) return;
        try {
          throwIfStopped(run, scope);
          if (run.waiting.suspension !== undefined) throw run.waiting.suspension;
          results[index] = await callExec(itemCall(index, scope));
        } catch (thrown) {
          if (thrown instanceof Suspension) {
            suspension = thrown;
            return;
          }
          isOver = true;
          scope.cancel(abortedError(`The batch \`${call.path}\``));
          reject(thrown);
        }
      };
      runLimited(items.length, concurrency, runItem).then(resolve);
    });
  } finally {
    isOver = true;
    scope.close();
  }
  if (suspension !== undefined) throw suspension;
  return results;
}
