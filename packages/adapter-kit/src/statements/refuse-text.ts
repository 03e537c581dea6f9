import { type Access, AskemaError, type Dialect, positionAt } from '@askema/core';
import { readOnlyText, splitStatements } from '@askema/sql';
import { throwIfTooDeep } from './too-deep.ts';

/**
 * Why a statement may not run, by its text alone; undefined when nothing speaks against it. The engine has the last
 * word: {@link prepareGuarded} asks it first.
 *
 * @param never first words of statements that no call may run, whatever it was granted, in upper case. Default: those
 * that the dialect names (`neverRun`).
 *
 * `QUERY_FAILED` for a text without a statement, `QUERY_NOT_READ_ONLY` with the place for a text that is not known to
 * only read, `QUERY_REFUSED` for two statements or one of `never`.
 *
 * @throws AskemaError `QUERY_REFUSED` for a text that nests too deep ({@link throwIfTooDeep}).
 */
export function refuseText(
  sql: string,
  access: Access,
  { lexer }: Pick<Dialect, 'lexer'>,
  never: readonly string[] = lexer.statements?.neverRun ?? [],
): AskemaError | undefined {
  throwIfTooDeep(sql, lexer);
  const statements = splitStatements(sql, lexer);
  if (statements.length === 0)
    return new AskemaError('QUERY_FAILED', 'The statement is empty; send one statement.', {
      details: { sql, errorClass: 'syntax' },
    });
  if (access === 'read') {
    const verdict = readOnlyText(sql, lexer);
    return verdict.ok ? undefined : notReadOnlyError(sql, verdict.reason, verdict.position);
  }
  if (statements.length > 1)
    return refusedError(sql, 'There is more than one statement: send one at a time; each is a transaction of its own.');
  const word = firstWordOf(sql, { lexer });
  return never.includes(word)
    ? refusedError(sql, `${word} does not run here: each call is a transaction of its own.`)
    : undefined;
}

/**
 * Lets the engine look at a statement before its text is refused: a mistake in its syntax is said first, with its
 * place. Any other complaint about a statement that is refused anyway gives way to the refusal.
 */
export async function prepareGuarded<T>(
  refusal: AskemaError | undefined,
  prepare: () => Promise<T>,
  isSyntax: (thrown: unknown) => boolean,
): Promise<T> {
  let prepared: T;
  try {
    prepared = await prepare();
  } catch (thrown) {
    throw refusal === undefined || isSyntax(thrown) ? thrown : refusal;
  }
  if (refusal !== undefined) throw refusal;
  return prepared;
}

/** `QUERY_NOT_READ_ONLY`. @param offset where in `sql`, in UTF-16 code units. */
export function notReadOnlyError(sql: string, reason: string, offset: number): AskemaError {
  return new AskemaError('QUERY_NOT_READ_ONLY', `The statement does not run where only reading is allowed: ${reason}`, {
    details: { sql, errorClass: 'permission', position: positionAt(sql, offset) },
  });
}

function refusedError(sql: string, reason: string): AskemaError {
  return new AskemaError('QUERY_REFUSED', reason, { details: { sql, errorClass: 'permission' } });
}

/** The word that a text begins with behind its comments and opening brackets, in upper case. */
export function firstWordOf(sql: string, { lexer }: Pick<Dialect, 'lexer'>): string {
  const start = splitStatements(sql, lexer)[0]?.start ?? 0;
  return (/^[(\s]*([a-z]+)/i.exec(sql.slice(start))?.[1] ?? '').toUpperCase();
}
