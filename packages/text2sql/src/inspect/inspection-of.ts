import type { OutcomeBase } from '@askema/core';
import type { Text2SqlState } from '../text2sql-state.ts';
import { bestTry } from './open-findings.ts';

/** What an outcome tells of its inspection; nothing where nothing was inspected. */
export function inspectionOf({ inspect }: Partial<Pick<Text2SqlState, 'inspect'>>): Pick<OutcomeBase, 'inspection'> {
  // A run that an earlier version began has no such state.
  if (inspect === undefined || inspect.tries.length === 0) return {};
  const { tries, iterations, chosen, plan } = inspect;
  const standing = tries[chosen ?? bestTry(tries, plan) ?? 0];
  return {
    inspection: {
      iterations,
      findings: standing?.findings ?? [],
      tries: tries.map(({ sql, findings }) => ({
        sql,
        findings: findings.map(({ code, severity }) => ({ code, severity })),
      })),
    },
  };
}

/** The statement that stands so far, for a run whose budget ended. */
export function inspectedSql({ inspect }: Partial<Pick<Text2SqlState, 'inspect'>>): string | null {
  if (inspect === undefined) return null;
  return inspect.tries[bestTry(inspect.tries, inspect.plan) ?? -1]?.sql || null;
}
