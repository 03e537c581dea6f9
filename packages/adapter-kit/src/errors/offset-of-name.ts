import { classifyError, type Dialect } from '@askema/core';
import { isSymbol, nameOfToken, type SqlToken, significantTokens } from '@askema/sql';

/** Longer statements are not looked through. */
const LENGTH_LIMIT = 100_000;

/**
 * Where in a statement an unknown name stands, for an engine that names it and gives no place: its offset in UTF-16
 * code units. Undefined when the name stands there more than once or not at all, because a wrong place misleads more
 * than none.
 *
 * @param name as the engine writes it, with its qualifiers: `o.nam`. Letters compare in either case.
 * @param isFunction it is a name in front of a bracket; without it, one that is not.
 */
export function offsetOfName(
  sql: string,
  name: string,
  { lexer }: Pick<Dialect, 'lexer'>,
  isFunction = false,
): number | undefined {
  if (sql.length > LENGTH_LIMIT) return undefined;
  const tokens = significantTokens(sql, lexer);
  const parts = name.split('.').map((part) => part.toLowerCase());
  const nameAt = (index: number): string | undefined => {
    const token: SqlToken | undefined = tokens[index];
    return token === undefined ? undefined : nameOfToken(token, lexer)?.toLowerCase();
  };
  const places = tokens.filter((_, index) => {
    if (isSymbol(tokens[index - 1], '.')) return false;
    const isThere = parts.every(
      (part, step) => nameAt(index + 2 * step) === part && (step === 0 || isSymbol(tokens[index + 2 * step - 1], '.')),
    );
    const after = tokens[index + 2 * parts.length - 1];
    return isThere && !isSymbol(after, '.') && isSymbol(after, '(') === isFunction;
  });
  return places.length === 1 ? places[0]?.start : undefined;
}

/**
 * {@link offsetOfName} of the name that an engine complains of, by the error rules of the dialect; also where the
 * statement has it without the qualifiers that the engine adds.
 */
export function offsetOfComplaint(
  sql: string,
  complaint: { readonly message: string; readonly vendorCode: string },
  dialect: Pick<Dialect, 'lexer' | 'errors'>,
): number | undefined {
  const { errorClass, name = '' } = classifyError(dialect, complaint);
  const find = (wanted: string) => offsetOfName(sql, wanted, dialect, errorClass === 'function');
  return find(name) ?? find(name.slice(name.lastIndexOf('.') + 1));
}
