import { AskemaError, type Dialect, type Parameter, quoteString } from '@askema/core';

/**
 * A value as a literal of SQL, for statements that an adapter writes itself. Values of users belong into parameters.
 * Bytes are `X'…'`, as the standard, SQLite and MySQL write them.
 *
 * @throws AskemaError `INPUT_INVALID` for NaN and infinity, which SQL has no literal for, and for text with NUL.
 */
export function quoteValue(value: Parameter, dialect: Pick<Dialect, 'lexer'>): string {
  if (value === null) return 'NULL';
  if (typeof value === 'string') return quoteString(value, dialect);
  if (value instanceof Uint8Array) return `X'${Buffer.from(value).toString('hex')}'`;
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new AskemaError('INPUT_INVALID', `${value} has no literal in SQL; give a finite number, or null.`);
  return typeof value === 'boolean' ? (value ? 'TRUE' : 'FALSE') : String(value);
}
