import {
  type Adapter,
  type CallContext,
  type Catalog,
  type DiagnosisFinding,
  isAskemaError,
  type PlanVerdict,
  qualifiedName,
} from '@askema/core';
import { readOnlyText } from '@askema/sql';

/** What the two guards that look at a statement before it runs made of one that writes. */
interface WriteProbe {
  /** In a few words, for the list of steps. */
  readonly outcome: string;
  readonly findings: readonly DiagnosisFinding[];
}

/**
 * Shows a statement that writes to the text half of the read-only guard, which looks at it here, and to the planner,
 * which by contract only plans. It is never handed to the executor: a guard that does not hold is not found out on
 * somebody's data. It could change nothing either: its condition is false for every row.
 */
export async function probeReadOnly(
  adapter: Adapter,
  catalog: Catalog | undefined,
  options: { readonly timeoutMs: number; readonly context: CallContext },
): Promise<WriteProbe> {
  const sql = writingStatement(adapter, catalog);
  const findings: DiagnosisFinding[] = [];
  if (readOnlyText(sql, adapter.dialect.lexer).ok)
    findings.push({
      severity: 'error',
      code: 'write-text-accepted',
      message: `The guard that looks at the text of statements takes "${sql}" for one that only reads.`,
      fix: 'Correct the lexer of the dialect; ask this database as a user who may only read until then.',
    });
  const planned = judgePlan(await plan(adapter, sql, options));
  if (planned === 'taken for reading')
    findings.push({
      severity: 'error',
      code: 'write-plan-accepted',
      message: `The planner of the adapter takes "${sql}" for a statement that only reads.`,
      fix: 'Correct the planner of the adapter; ask this database as a user who may only read until then.',
    });
  const text = findings.some(({ code }) => code === 'write-text-accepted')
    ? 'not refused by its text'
    : 'refused by its text';
  return { outcome: `DELETE ${text}; by the engine's plan: ${planned}; nothing was run`, findings };
}

function writingStatement({ dialect }: Adapter, catalog: Catalog | undefined): string {
  const table = Object.values(catalog?.relations ?? {}).find(
    ({ kind, partitioning }) => kind === 'table' && partitioning?.filterRequired !== true,
  );
  return `DELETE FROM ${qualifiedName(table?.nameParts ?? { relation: 'askema_check_no_such_table' }, dialect)} WHERE 1 = 0`;
}

async function plan(
  adapter: Adapter,
  sql: string,
  options: { readonly timeoutMs: number; readonly context: CallContext },
): Promise<PlanVerdict> {
  try {
    return await adapter.planner.check(sql, options);
  } catch (error) {
    // Refusing is one way to answer, and a user who may not even plan a DELETE is refused by the grants.
    if (isAskemaError(error) && error.code.startsWith('QUERY_') && error.code !== 'QUERY_TIMEOUT')
      return { verdict: 'invalid', error: { message: error.message, details: { ...error.details, code: error.code } } };
    throw error;
  }
}

type Judgement =
  | 'refused'
  | 'told as one that writes'
  | 'taken for reading'
  | 'not known'
  | 'refused for another reason';

function judgePlan({ verdict, statement, error }: PlanVerdict): Judgement {
  if (verdict === 'unknown') return 'not known';
  if (verdict === 'ok') {
    if (statement === 'read') return 'taken for reading';
    return statement === undefined ? 'not known' : 'told as one that writes';
  }
  const { code, errorClass } = error?.details ?? {};
  const isRefusal = code === 'QUERY_NOT_READ_ONLY' || code === 'QUERY_REFUSED' || errorClass === 'permission';
  if (isRefusal) return 'refused';
  return statement === 'write' ? 'told as one that writes' : 'refused for another reason';
}
