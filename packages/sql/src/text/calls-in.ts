import type { Dialect, LexerTraits, Span } from '@askema/core';
import { significantTokens } from './lex-sql.ts';
import { isSymbol, isWord, nameOfToken, type SqlToken } from './sql-token.ts';

/** A name that a text may call as a function. */
export interface CallInText extends Span {
  /** As the engine sees it. */
  readonly name: string;
  /** What stands in front of it, behind a dot. */
  readonly schema: string | undefined;
  /** All names in front of it, outermost first, with dots between them; `schema` is the last of them. */
  readonly path: readonly string[];
  /** It stands where the columns of a CTE (`WITH name (a) AS (`) or of a sub-query (`) AS name (a)`) are named. */
  readonly namesColumns: boolean;
  /** A type behind `::`, or a clause of the dialect (`OVER (`) where no operand can stand. */
  readonly isClause: boolean;
}

/**
 * Every name in front of a bracket, but reserved words. Names of tables, types with a length and parts of clauses may
 * be among them: `VARCHAR(9)`, `AGAINST (`. Behind a dot a name may look like a number: `shop.1e5(1)`.
 *
 * @param isFunction of a reserved word: whether there is a function of that name all the same.
 */
export function callsIn(
  sql: string,
  { lexer, identifiers }: Pick<Dialect, 'lexer' | 'identifiers'>,
  isFunction: (name: string) => boolean = () => false,
): readonly CallInText[] {
  const tokens = significantTokens(sql, lexer);
  const reserved = new Set(identifiers.reservedWords);
  return tokens.flatMap((token, at): CallInText[] => {
    if (!isSymbol(tokens[at + 1], '(')) return [];
    const name = nameOfToken(token, lexer) ?? numberName(tokens, at, lexer);
    if (name === undefined) return [];
    const path = pathBefore(tokens, at, lexer);
    const schema = path.at(-1);
    const isReserved = schema === undefined && token.kind === 'word' && reserved.has(token.text.toUpperCase());
    if (isReserved && !isFunction(name)) return [];
    const isClause = isSymbol(tokens[at - 1], '::') || (path.length === 0 && isClauseAt(tokens, at, lexer, reserved));
    return [
      { name, schema, path, namesColumns: namesColumns(tokens, at), isClause, start: token.start, end: token.end },
    ];
  });
}

/** The name that a number is: `.1e5` in `shop.1e5`, or what stands behind a dot of its own. */
function numberName(tokens: readonly SqlToken[], at: number, lexer: LexerTraits): string | undefined {
  const [before, token] = [tokens[at - 1], tokens[at]];
  if (token?.kind !== 'number') return undefined;
  const isGlued = token.text.startsWith('.') && before?.end === token.start && nameOfToken(before, lexer) !== undefined;
  return isGlued || isSymbol(before, '.') ? token.text.replace(/^\./, '') : undefined;
}

function pathBefore(tokens: readonly SqlToken[], at: number, lexer: LexerTraits): readonly string[] {
  const before = isSymbol(tokens[at - 1], '.') ? tokens[at - 2] : undefined;
  const name = before && nameOfToken(before, lexer);
  return name === undefined ? [] : [...pathBefore(tokens, at - 2, lexer), name];
}

/** Words behind which a clause may open although they are reserved. */
const BEFORE_CLAUSES = new Set(['BY', 'ROW', 'SAMPLE', 'TABLESAMPLE']);

/**
 * Whether a clause opens here: behind an operand, which no call can follow; behind a word that takes one; behind the star of a
 * select list; or as one of several groupings.
 */
function isClauseAt(
  tokens: readonly SqlToken[],
  at: number,
  { statements }: LexerTraits,
  reserved: ReadonlySet<string>,
): boolean {
  const token = tokens[at];
  const before = tokens[at - 1];
  if (token?.kind !== 'word' || before === undefined) return false;
  if (statements?.clauseWords?.includes(token.text.toUpperCase()) !== true) return false;
  if (isSymbol(before, '*')) return !isOperand(tokens[at - 2], reserved);
  if (isSymbol(before, ',')) return isGrouping(tokens, at);
  return isOperand(before, reserved) || BEFORE_CLAUSES.has(before.text.toUpperCase());
}

function isOperand(token: SqlToken | undefined, reserved: ReadonlySet<string>): boolean {
  if (token?.kind === 'word') return !reserved.has(token.text.toUpperCase());
  return isSymbol(token, ')') || isSymbol(token, ']') || /^(quotedName|string|number)$/.test(token?.kind ?? '');
}

/** Tokens that a list of groupings has at most: who looks back further for each one never ends. */
const MAX_GROUPINGS = 2_000;

/** Whether this is one of the groupings of GROUP BY. */
function isGrouping(tokens: readonly SqlToken[], at: number): boolean {
  let depth = 0;
  for (let index = at - 1; index > Math.max(0, at - MAX_GROUPINGS) && depth >= 0; index -= 1) {
    if (isSymbol(tokens[index], ')')) depth += 1;
    if (isSymbol(tokens[index], '(')) depth -= 1;
    if (depth !== 0) continue;
    if (isWord(tokens[index], 'BY')) return isWord(tokens[index - 1], 'GROUP');
    if (isWord(tokens[index], 'SELECT')) return false;
  }
  return false;
}

function namesColumns(tokens: readonly SqlToken[], at: number): boolean {
  if (isSymbol(tokens[at - 1], ')') || isWord(tokens[at - 1], 'AS')) return true;
  let depth = 0;
  for (let index = at + 1; index < tokens.length; index += 1) {
    if (isSymbol(tokens[index], '(')) depth += 1;
    if (isSymbol(tokens[index], ')')) depth -= 1;
    if (depth === 0) return isWord(tokens[index + 1], 'AS') && isSymbol(tokens[index + 2], '(');
  }
  return false;
}
