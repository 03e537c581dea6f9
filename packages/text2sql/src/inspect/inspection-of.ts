import type { OutcomeBase } from '@askema/core';
import type { Text2SqlState } from '../text2sql-state.ts';
import { bestTry } from './open-findings.ts';

/** What an outcome tells of its inspection; nothing where nothing was inspected. */
export function inspectionOf({ inspect }: Pick<Text2SqlState, 'inspect'>): Pick<OutcomeBase, 'inspection'> {
  const { tries, iterations, chosen, plan } = inspect;
  if (tries.length === 0) return {};
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
