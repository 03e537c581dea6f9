import {
  type Adapter,
  type CallContext,
  createCallContext,
  isAskemaError,
  QUERY_DEFAULTS,
  type QueryResult,
  toAskemaError,
} from '@askema/core';
import { throwIfOver } from '@askema/grounding';
import type { SqlParser } from '@askema/sql';
import type { BoundKnowledge } from '../bind/bound-knowledge.ts';
import type { Remark, Subject } from '../bind/problem-list.ts';
import type { CheckKnowledgeOptions, SkippedCheck } from './knowledge-check.ts';

/** A statement that ran, that failed, or that was left out. */
export type Ran =
  | { readonly kind: 'rows'; readonly result: QueryResult }
  | { readonly kind: 'failed'; readonly reason: string; readonly isTimeout: boolean }
  | { readonly kind: 'skipped' };

/** What every check works with. */
export interface CheckHost {
  readonly bound: BoundKnowledge;
  readonly parser: SqlParser | undefined;
  readonly signal: AbortSignal | undefined;
  report(subject: Subject, remark: Remark): void;
  skip(what: string, reason: string): void;
  /** Runs a statement that only reads. Rejects with `ABORTED` and `DATABASE_CLOSED`. */
  run(what: string, sql: string, maxRows?: number): Promise<Ran>;
}

export const CHECK_DEFAULTS = { maxStatements: 1_000, timeoutMs: QUERY_DEFAULTS.timeoutMs } as const;

export interface OpenHost extends CheckHost {
  readonly statements: number;
  readonly skipped: readonly SkippedCheck[];
}

export function openHost(bound: BoundKnowledge, report: CheckHost['report'], options: CheckKnowledgeOptions): OpenHost {
  const { maxStatements = CHECK_DEFAULTS.maxStatements, timeoutMs = CHECK_DEFAULTS.timeoutMs, signal } = options;
  const context = createCallContext({ path: 'knowledge-check', ...(signal !== undefined && { signal }) });
  const skipped: SkippedCheck[] = [];
  let statements = 0;
  return {
    bound,
    parser: options.parser,
    signal,
    report,
    skipped,
    get statements() {
      return statements;
    },
    skip(what, reason) {
      skipped.push({ what, reason });
    },
    async run(what, sql, maxRows = 1) {
      if (statements >= maxStatements) {
        skipped.push({ what, reason: `The limit of ${maxStatements} statements was reached.` });
        return { kind: 'skipped' };
      }
      statements += 1;
      return runOne(options.adapter, sql, { maxRows, timeoutMs, context });
    },
  };
}

async function runOne(
  adapter: Adapter,
  sql: string,
  limits: { readonly maxRows: number; readonly timeoutMs: number; readonly context: CallContext },
): Promise<Ran> {
  try {
    return { kind: 'rows', result: await adapter.query(sql, { ...limits, access: 'read' }) };
  } catch (thrown) {
    throwIfOver(thrown);
    const isTimeout = isAskemaError(thrown) && thrown.code === 'QUERY_TIMEOUT';
    return { kind: 'failed', reason: toAskemaError(thrown).message, isTimeout };
  }
}

/** The single number of a result; 0 for NULL, which a sum of no rows is. */
export function numberOf(ran: Ran, column = 0): number | undefined {
  return ran.kind === 'rows' ? Number(ran.result.rows[0]?.[column] ?? 0) : undefined;
}

/** A failed statement is told of an entry; one that took too long says nothing about it. */
export function reportFailure(host: CheckHost, subject: Subject, what: string, code: string, ran: Ran): void {
  if (ran.kind !== 'failed') return;
  if (ran.isTimeout) host.skip(what, ran.reason);
  else host.report(subject, { code, message: `${what} does not run: ${ran.reason}` });
}
