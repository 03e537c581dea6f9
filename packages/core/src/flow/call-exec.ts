import { AskemaError } from '../errors/askema-error.ts';
import { type CallStore, FORGETFUL_CALL_STORE, memoryCallStore } from './call-store.ts';
import type { CancelScope } from './cancel-scope.ts';
import { hashValue } from './hash-value.ts';
import type { Recorder } from './recorder.ts';
import { type Run, Suspension, throwIfStopped } from './run.ts';
import type { Span } from './run-events.ts';
import type { StepContext, StepOf } from './step.ts';
import { tryExec } from './try-exec.ts';

/** One call of `exec`: of a step, or of one item of a batch. Its attempts are counted here and nowhere else. */
export interface ExecCall {
  readonly run: Run;
  readonly step: StepOf<never, never>;
  /** Of the step in its flow. */
  readonly name: string;
  readonly path: string;
  readonly span: Span | undefined;
  readonly deps: unknown;
  readonly scope: CancelScope;
  readonly input: unknown;
}

/** The result of `exec`: the recorded one, or that of the first attempt that succeeds, or the fallback's. */
export async function callExec(call: ExecCall): Promise<unknown> {
  const { recorder } = call.run;
  if (recorder === undefined) {
    const store = (call.step.retry?.attempts ?? 1) > 1 ? memoryCallStore() : FORGETFUL_CALL_STORE;
    return (await execute(call, store)).value;
  }
  const input = hashValue(call.input);
  const recorded = recorder.exec(call.path, input);
  if (recorded !== undefined) return recorded.value;
  if (call.run.ended !== undefined) throw call.run.ended;
  if (recorder.readOnly) throw whyMissing(call, recorder);
  const { value, attempts } = await execute(call, recorder);
  await recorder.recordExec(call.path, input, attempts, value);
  return value;
}

async function execute(
  call: ExecCall,
  store: CallStore,
): Promise<{ readonly value: unknown; readonly attempts: number }> {
  const { run, step, path, input } = call;
  const attempts = step.retry?.attempts ?? 1;
  run.live += 1;
  for (let attempt = 1; ; attempt += 1) {
    throwIfStopped(run, call.scope);
    const outcome = await tryExec(call, store, path, attempt, (context) => step.exec(input as never, context));
    if (outcome.ok) return { value: outcome.value, attempts: attempt };
    const { error } = outcome;
    await store.recordFailure(path, error, outcome.renew);
    if (attempt < attempts && isRetried(step, error)) await waitForRetry(call, attempt, error);
    else return { value: await fallBack(call, store, attempt, error), attempts: attempt };
  }
}

async function fallBack(call: ExecCall, store: CallStore, attempt: number, error: AskemaError): Promise<unknown> {
  const { step, input } = call;
  const { fallback } = step;
  if (fallback === undefined) throw error;
  const work = (context: StepContext<never>): unknown => fallback(input as never, error, context);
  const outcome = await tryExec(call, store, `${call.path}/fallback`, attempt, work);
  if (outcome.ok) return outcome.value;
  await store.recordFailure(`${call.path}/fallback`, outcome.error, outcome.renew);
  throw outcome.error;
}

function isRetried(step: StepOf<never, never>, error: AskemaError): boolean {
  return step.retry?.when?.(error) ?? error.retryable;
}

async function waitForRetry(call: ExecCall, attempt: number, error: AskemaError): Promise<void> {
  const { run, step, scope } = call;
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

/** What a replay ends with where the journal ends: the recorded suspension, the recorded failure, or an error of its own. */
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
