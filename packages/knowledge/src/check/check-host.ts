import {
  type AskemaError,
  createCallContext,
  isAskemaError,
  QUERY_DEFAULTS,
  type QueryResult,
  toAskemaError,
} from '@askema/core';
import type { SqlParser } from '@askema/sql';
import type { BoundKnowledge } from '../bind/bound-knowledge.ts';
import type { Remark, Subject } from '../bind/problem-list.ts';
import type { Standing } from '../model/standing.ts';
import type { CheckKnowledgeOptions, SkippedCheck } from './knowledge-check.ts';

/** A statement that ran, that the database refused, or that was left out. */
export type Ran =
  | { readonly kind: 'rows'; readonly result: QueryResult }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'skipped' };

/** Runs statements within the caps of a check. */
export interface StatementRunner {
  readonly parser: SqlParser | undefined;
  readonly signal: AbortSignal | undefined;
  readonly statements: number;
  readonly skipped: readonly SkippedCheck[];
  skip(what: string, reason: string): void;
  /**
   * Runs a statement that only reads. Rejects with `ABORTED`, and where the database is gone: that says nothing about
   * what is checked.
   */
  run(what: string, sql: string, maxRows?: number): Promise<Ran>;
}

/** What every check works with. */
export interface CheckHost extends Omit<StatementRunner, 'statements' | 'skipped'> {
  readonly bound: BoundKnowledge;
  /** Whether an entry is one of those that are checked now; the others are there because these need them. */
  isWanted(standing: Standing): boolean;
  report(subject: Subject, remark: Remark): void;
}

const CHECK_DEFAULTS = { maxStatements: 1_000, timeoutMs: QUERY_DEFAULTS.timeoutMs } as const;

export function createRunner(options: Omit<CheckKnowledgeOptions, 'knowledge'>): StatementRunner {
  const { adapter, parser, signal } = options;
  const { maxStatements = CHECK_DEFAULTS.maxStatements, timeoutMs = CHECK_DEFAULTS.timeoutMs } = options;
  const context = createCallContext({ path: 'knowledge-check', ...(signal !== undefined && { signal }) });
  const skipped: SkippedCheck[] = [];
  let statements = 0;
  const skip = (what: string, reason: string): Ran => {
    skipped.push({ what, reason });
    return { kind: 'skipped' };
  };
  return {
    parser,
    signal,
    skip,
    skipped,
    get statements() {
      return statements;
    },
    async run(what, sql, maxRows = 1) {
      if (statements >= maxStatements) return skip(what, `The limit of ${maxStatements} statements was reached.`);
      statements += 1;
      try {
        return { kind: 'rows', result: await adapter.query(sql, { maxRows, timeoutMs, access: 'read', context }) };
      } catch (thrown) {
        const error = toAskemaError(thrown);
        if (isUndecided(error)) return skip(what, error.message);
        if (!error.code.startsWith('QUERY_')) throw thrown;
        return { kind: 'failed', reason: error.message };
      }
    },
  };
}

/** Of one person: so many that could not be run, and nobody waits for more. */
const MAX_UNDECIDED = 3;

/** The same for what one person proposes, who may have proposed a thousand statements that take long. */
export function runnerFor(by: string, runner: StatementRunner): StatementRunner {
  let undecided = 0;
  return {
    ...runner,
    async run(what, sql, maxRows) {
      if (undecided >= MAX_UNDECIDED) {
        runner.skip(
          what,
          `${MAX_UNDECIDED} statements that ${by} proposes could not be run; the others were left out.`,
        );
        return { kind: 'skipped' };
      }
      const ran = await runner.run(what, sql, maxRows);
      if (ran.kind === 'skipped') undecided += 1;
      return ran;
    },
  };
}

/** Too slow, or not for this account: whether the definition holds is not known. */
function isUndecided({ code, details }: AskemaError): boolean {
  return code === 'QUERY_TIMEOUT' || details.errorClass === 'timeout' || details.errorClass === 'permission';
}

/** The single number of a result; 0 for NULL, which a sum of no rows is. */
export function numberOf(ran: Ran, column = 0): number | undefined {
  return ran.kind === 'rows' ? Number(ran.result.rows[0]?.[column] ?? 0) : undefined;
}

/** Tells of an entry that its statement failed. */
export function reportFailure(host: CheckHost, subject: Subject, what: string, code: string, ran: Ran): void {
  if (ran.kind === 'failed') host.report(subject, { code, message: `${what} does not run: ${ran.reason}` });
}

/** What `make` gives; undefined, with a remark, where what it writes cannot be written. */
export function attempt<T>(make: () => T, refuse: (message: string, error: AskemaError) => void): T | undefined {
  try {
    return make();
  } catch (thrown) {
    if (!isAskemaError(thrown)) throw thrown;
    refuse(thrown.message, thrown);
    return undefined;
  }
}
