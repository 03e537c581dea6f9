import { classifyError } from '../adapter/classify-error.ts';
import type { Dialect, LexerTraits } from '../adapter/dialect.ts';
import type { AskemaError } from '../errors/askema-error.ts';
import { significantTokens } from '../sql/lex-sql.ts';
import { nameOfToken } from '../sql/name-of-token.ts';
import { isSymbol, type SqlToken } from '../sql/sql-token.ts';
import type { ProbeFailure } from './probe-run.ts';

/** What is read of a message to find the name in it. */
const MAX_NAME_CHARACTERS = 400;

/**
 * A database's refusal of a statement as Algorithm 1 reads it: the class that the adapter gave, or the one that the dialect's rules give;
 * the name that stands where the error is, or the one that the message quotes.
 */
export function probeFailure(sql: string, error: AskemaError, dialect: Dialect): ProbeFailure {
  const { errorClass, vendorCode, nearestNames, position } = error.details;
  const classified = classifyError(dialect, { vendorCode, message: error.message });
  const byCode = error.code === 'QUERY_TIMEOUT' ? 'timeout' : isRefused(error) ? 'permission' : undefined;
  const said = classified.name?.slice(0, MAX_NAME_CHARACTERS);
  const standing = position === undefined ? undefined : nameAt(sql, position.offset, dialect.lexer);
  return {
    message: error.message,
    errorClass: byCode ?? errorClass ?? classified.errorClass,
    // Messages quote names as the engine has read them, so they are not folded once more.
    name: standing ?? (said === undefined ? undefined : nameAt(said, 0, { ...dialect.lexer, nameFolding: undefined })),
    nearestNames,
  };
}

function isRefused({ code }: AskemaError): boolean {
  return code === 'QUERY_NOT_READ_ONLY' || code === 'QUERY_REFUSED';
}

/** The last part of the name that begins at an offset: of `a.b = 1` it is `b`. */
function nameAt(text: string, offset: number, lexer: LexerTraits): string | undefined {
  const tokens = significantTokens(text, lexer);
  let at = tokens.findIndex(({ start, end }) => start <= offset && offset < end);
  // A full stop at the end of a sentence is none between names.
  const touches = (before: SqlToken | undefined, after: SqlToken | undefined): boolean => before?.end === after?.start;
  while (
    isName(tokens[at], lexer) &&
    isSymbol(tokens[at + 1], '.') &&
    isName(tokens[at + 2], lexer) &&
    touches(tokens[at + 1], tokens[at + 2])
  )
    at += 2;
  const token = tokens[at];
  return token && nameOfToken(token, lexer);
}

function isName(token: SqlToken | undefined, lexer: LexerTraits): boolean {
  return token !== undefined && nameOfToken(token, lexer) !== undefined;
}
