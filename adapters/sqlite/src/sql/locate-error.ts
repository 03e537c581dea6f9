import { significantTokens } from './tokens.ts';

/** So many places are tried, in statements up to so many characters. */
const PLACES_LIMIT = 50;
const LENGTH_LIMIT = 100_000;

/**
 * Where in a statement SQLite's complaint points, as an offset in UTF-16 code units; undefined when that is not
 * certain, because a wrong place misleads more than none. The driver does not give SQLite's own offset.
 *
 * `near "x": syntax error`: the parser fails as soon as it has read the offending token, so the first place is right at
 * which the statement, cut after the token, gives the same complaint. `complaintOf` prepares such a beginning and
 * returns the message.
 */
export function locateError(
  sql: string,
  message: string,
  complaintOf: (beginning: string) => string | undefined,
): number | undefined {
  if (sql.length > LENGTH_LIMIT) return undefined;
  if (message.startsWith('incomplete input')) return sql.trimEnd().length;
  const near = /near "(.*)": syntax error$/s.exec(message)?.[1];
  if (near !== undefined) return locateSyntaxError(sql, message, near, complaintOf);
  if (message.startsWith('unrecognized token'))
    return [...significantTokens(sql)].find((token) => token.kind === 'illegal')?.start;
  return undefined;
}

function locateSyntaxError(
  sql: string,
  message: string,
  near: string,
  complaintOf: (beginning: string) => string | undefined,
): number | undefined {
  const places = [...significantTokens(sql)].filter((token) => token.text === near).slice(0, PLACES_LIMIT);
  return places.find((token) => complaintOf(sql.slice(0, token.end)) === message)?.start;
}
