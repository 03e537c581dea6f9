import { AskemaError } from '@askema/core';
import type { DesignOutcome } from '@askema/text2schema';
import type { AuditLog } from '../contract.ts';
import { type AuditWho, keptText, outcomeOf } from './audited.ts';

/**
 * Designs between a line that says who asks for it and one that says how it ended. Where the first cannot be written,
 * nothing is designed, and the call rejects with what the log rejects with.
 */
export async function auditedDesign(
  log: AuditLog | undefined,
  { question = '', ...who }: AuditWho,
  design: () => Promise<DesignOutcome>,
): Promise<DesignOutcome> {
  if (log === undefined) return design();
  const started = performance.now();
  const id = await log.before({ ...who, kind: 'design', question: keptText(question, log.keeps?.question ?? 'hash') });
  const after = (error: unknown) => log.after(id, outcomeOf({ error, rows: 0 }, performance.now() - started));
  let outcome: DesignOutcome;
  try {
    outcome = await design();
  } catch (thrown) {
    await after(thrown);
    throw thrown;
  }
  await after('error' in outcome ? AskemaError.fromJSON(outcome.error) : undefined);
  return outcome;
}
