import { nameOfToken, significantTokens, type Token } from './tokens.ts';

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
  const name = OFFENDING_NAME.exec(message)?.[1];
  return name === undefined ? undefined : locateName(sql, name, / function/.test(message));
}

const OFFENDING_NAME =
  /(?:no such (?:table|view|column|function|collation sequence): |ambiguous column name: |has no column named |wrong number of arguments to function |misuse of aggregate: |misuse of window function )"?([^"()]+?)"?(?:\(\).*| - should this be a string literal.*)?$/;

function locateSyntaxError(
  sql: string,
  message: string,
  near: string,
  complaintOf: (beginning: string) => string | undefined,
): number | undefined {
  const places = [...significantTokens(sql)].filter((token) => token.text === near).slice(0, PLACES_LIMIT);
  return places.find((token) => complaintOf(sql.slice(0, token.end)) === message)?.start;
}

/** The only place where the name stands, dotted or not as the message writes it; undefined when there are several. */
function locateName(sql: string, name: string, isFunction: boolean): number | undefined {
  const tokens = [...significantTokens(sql)];
  const parts = name.split('.');
  const places = tokens.flatMap((_, index) => {
    const start = matchAt(tokens, index, parts, isFunction);
    return start === undefined ? [] : [start];
  });
  return places.length === 1 ? places[0] : undefined;
}

function matchAt(
  tokens: readonly Token[],
  index: number,
  parts: readonly string[],
  isFunction: boolean,
): number | undefined {
  if (tokens[index - 1]?.text === '.') return undefined;
  for (const [step, part] of parts.entries()) {
    const token = tokens[index + 2 * step];
    if (token === undefined || nameOfToken(token)?.toLowerCase() !== part.toLowerCase()) return undefined;
    if (step > 0 && tokens[index + 2 * step - 1]?.text !== '.') return undefined;
  }
  const after = tokens[index + 2 * parts.length - 1]?.text;
  return after === '.' || (after === '(') !== isFunction ? undefined : tokens[index]?.start;
}
