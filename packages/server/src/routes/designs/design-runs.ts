import { AskemaError, isLanguageModel } from '@askema/core';
import type { DesignOptions, DesignOutcome, Text2Schema } from '@askema/text2schema';
import { auditedDesign } from '../../audit/audited-design.ts';
import type { ServedDesign } from '../../contract.ts';
import { logFailure } from '../../errors/public-error.ts';
import { budgetOfCallers } from '../../limits/budget-of-callers.ts';
import type { LiveRunParts, RunReader } from '../../runs/live-runs.ts';
import { answerOf, endOf, type RunRecord } from '../../runs/run-record.ts';
import type { OpenRecord } from '../../runs/run-records.ts';
import { currentRequest } from '../../statements/current-request.ts';
import { liveKey } from '../caller-runs.ts';
import type { RouteCall } from '../route.ts';

export interface DesignRun {
  /** Of the record, and of the run of text2schema. */
  readonly id: string;
  /** `id`, or `id~2` for what goes on from answers. */
  readonly run: string;
  /** What a new record begins with. */
  readonly requirement?: string | undefined;
  /** False where nobody can be asked back. */
  readonly asksBack?: boolean | undefined;
  /** Answers to what `run` goes on from, as JSON. */
  readonly answer?: { readonly run: string; readonly answer: string } | undefined;
  /** Goes on also where it had failed. */
  readonly again?: boolean | undefined;
}

/** How schemas are designed for the caller. @throws AskemaError `CAPABILITY_UNSUPPORTED` where the server designs none. */
export function designOf({ caller, parts }: RouteCall): ServedDesign {
  if (parts.design === undefined) throw new AskemaError('CAPABILITY_UNSUPPORTED', 'This server designs no schemas.');
  return parts.design({ tenant: caller.tenant, role: caller.role });
}

/**
 * Begins a design, goes on with one that was broken off, or gives the outcome of one that has ended; joins it where it is
 * under way. `accepted` rejects with what forbids it: `LIMIT_EXCEEDED`, `JOURNAL_LOCKED`.
 */
export function readDesign(call: RouteCall, design: ServedDesign, run: DesignRun): RunReader<DesignOutcome> {
  const key = liveKey(call, run.run);
  const { records, designs, metrics } = call.parts;
  return designs.join(key, call.signal, (parts) =>
    records.whileOpen(call.caller, run.id, async (record) => {
      const ended = run.again === true ? undefined : keptDesign(record.before, run.run);
      if (ended !== undefined) return ended;
      const text = record.before?.text ?? run.requirement ?? '';
      const asksBack = run.asksBack ?? record.before?.options?.asksBack !== false;
      const text2schema = await text2schemaOf(call, design, asksBack);
      call.beginQuestion(text);
      if (record.before === undefined)
        await record.begin({ kind: 'design', text, options: { asksBack: run.asksBack ?? true } });
      if (run.answer !== undefined) await record.mark({ type: 'answered', ...run.answer, next: run.run });
      // From here on it is found again.
      parts.accepted();
      const { subject, tenant, role } = call.caller;
      const route = currentRequest()?.route ?? 'server';
      const who = { requestId: call.requestId, subject, tenant, role, route, question: text };
      const outcome = await auditedDesign(call.parts.audit, who, () =>
        toOutcome(text2schema, call, { run, text, record }, parts),
      );
      // Who only left finds the design again; who has said that it shall stop does not.
      const isBrokenOff = outcome.type === 'cancelled' && !designs.isCancelled(key);
      if (isBrokenOff) return outcome;
      metrics.outcome(outcome.type);
      logFailure(outcome, 'A design failed', call.requestId, call.parts.runtime.logger);
      await record.mark({
        type: 'ended',
        run: run.run,
        outcome: outcome.type,
        json: JSON.parse(JSON.stringify(outcome)),
      });
      return outcome;
    }),
  );
}

/** With the journal of the caller, and each call of a model counted for them. */
async function text2schemaOf(
  { caller, parts }: RouteCall,
  { text2schema: options }: ServedDesign,
  asksBack: boolean,
): Promise<Text2Schema> {
  const { createText2Schema } = await import('@askema/text2schema');
  return createText2Schema({
    ...options,
    ...(isLanguageModel(options.model) ? { budget: budgetOfCallers(parts.limiter, options.budget) } : {}),
    stopOnContradiction: asksBack && options.stopOnContradiction !== false,
    journal: parts.records.journalOf(caller, 'design'),
  });
}

async function toOutcome(
  text2schema: Text2Schema,
  { caller, parts }: RouteCall,
  { run, text, record }: { readonly run: DesignRun; readonly text: string; readonly record: OpenRecord },
  { signal, onEvent }: LiveRunParts,
): Promise<DesignOutcome> {
  const given: DesignOptions = { signal, onEvent };
  const answered = run.answer ?? (record.before && answerOf(record.before, run.run));
  if (answered === undefined) return text2schema.design(text, { ...given, runId: run.id });
  // Where the process died behind them, the run has the answers already, and waits for none.
  const entries = await parts.records.journalOf(caller, 'design').read(run.id);
  const known = entries.filter(({ kind }) => kind === 'answer').length;
  const isKnown = known >= Number(run.run.slice(run.id.length + 1)) - 1;
  const answers = isKnown ? {} : { answers: readAnswers(answered.answer) };
  return text2schema.resume(run.id, { ...given, ...answers });
}

function readAnswers(json: string): readonly (string | undefined)[] {
  const answers: readonly (string | null)[] = JSON.parse(json);
  return answers.map((answer) => answer ?? undefined);
}

/** @throws AskemaError `REQUEST_CONFLICT` for one that was stopped before it came to anything. */
export function keptDesign(record: RunRecord | undefined, run: string): DesignOutcome | undefined {
  const end = record && endOf(record, run);
  if (end === undefined || end.json !== undefined) return end?.json as DesignOutcome | undefined;
  throw new AskemaError('REQUEST_CONFLICT', 'This design was stopped. Send it anew, under another key.');
}
