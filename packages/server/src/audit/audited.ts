import { createHash } from 'node:crypto';
import { type Adapter, type Dialect, isAskemaError, redactSecrets } from '@askema/core';
import { redactSql } from '@askema/sql';
import type { AuditEntry, AuditLog, AuditOutcome } from '../contract.ts';
import { type Watch, type Work, type WorkEnd, watchStatements } from '../statements/watch-statements.ts';

/** Who has something run, with the question as it was asked. */
export type AuditWho = Omit<AuditEntry, 'kind' | 'sql' | 'question'> & { readonly question?: string | undefined };

/** As long as a caller's statement may be: blanks or names in front of what it does hide nothing. */
const MAX_TEXT = 100_000;

/**
 * An adapter that writes a line before each statement and one after it. Where the line before cannot be written, the
 * statement is not sent, and the call rejects with what the log rejects with. Lines never hold rows; what they hold of
 * SQL and questions, the log says in `keeps`.
 *
 * `who` is asked for each statement.
 */
export function audited(adapter: Adapter, log: AuditLog, who: () => AuditWho): Adapter {
  return watchStatements(adapter, auditWatch(log, who, adapter.dialect));
}

export function auditWatch(log: AuditLog, who: () => AuditWho, dialect: Dialect): Watch {
  return async (work) => {
    const started = performance.now();
    const id = await log.before(entryOf(work, who(), log, dialect));
    return (end) => log.after(id, outcomeOf(end, performance.now() - started));
  };
}

function entryOf(
  { kind, sql }: Work,
  { question, ...who }: AuditWho,
  { keeps }: AuditLog,
  dialect: Dialect,
): AuditEntry {
  return {
    ...who,
    kind,
    ...(question === undefined ? {} : { question: keptText(question, keeps?.question ?? 'hash') }),
    ...(sql === undefined ? {} : { sql: keptSql(sql, keeps?.sql ?? 'redacted', dialect) }),
  };
}

function keptSql(sql: string, keep: 'text' | 'redacted' | 'hash', { lexer }: Dialect): string {
  return keep === 'redacted' ? cut(redactSql(sql, lexer)) : keptText(sql, keep);
}

export function keptText(text: string, keep: 'text' | 'hash'): string {
  return keep === 'text' ? redactSecrets(cut(text)) : digestOf(text);
}

/** A line never looks like the whole where it is not: models may write longer statements than callers. */
function cut(text: string): string {
  if (text.length <= MAX_TEXT) return text;
  return `${text.slice(0, MAX_TEXT)} … (cut: ${text.length} characters, ${digestOf(text)})`;
}

function digestOf(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

const REFUSED: ReadonlySet<string> = new Set(['QUERY_NOT_READ_ONLY', 'QUERY_REFUSED', 'LIMIT_EXCEEDED']);

/** Whether an error says that something may not run. */
export function isRefusal(error: unknown): boolean {
  return isAskemaError(error) && REFUSED.has(error.code);
}

export function outcomeOf({ error, left, rows, bytes }: WorkEnd, elapsedMs: number): AuditOutcome {
  const figures = { rows, bytes, elapsedMs: Math.round(elapsedMs) };
  if (error === undefined) return { outcome: left === true ? 'cancelled' : 'done', ...figures };
  const code = isAskemaError(error) ? error.code : 'INTERNAL';
  const outcome = code === 'ABORTED' ? 'cancelled' : isRefusal(error) ? 'refused' : 'failed';
  return { outcome, code, ...figures };
}
