import { isSymbol, isWord, type SqlToken } from './sql-token.ts';

/** One CTE by the indices of its tokens; `to` is exclusive. */
export interface CteTokens {
  /** The token of its name. */
  readonly name: number;
  /** Tokens between the brackets of its list of columns. */
  readonly columns?: { readonly from: number; readonly to: number } | undefined;
  readonly materialized?: boolean | undefined;
  /** The opening bracket of its body. */
  readonly open: number;
  /** The closing bracket, or the end of the statement when nothing closes it. */
  readonly close: number;
  /** Behind its last token. */
  readonly to: number;
}

/** One WITH by the indices of its tokens. */
export interface WithClause {
  readonly at: number;
  readonly recursive: boolean;
  readonly ctes: readonly CteTokens[];
  /** Where the names hold: from `at` to here, exclusive. */
  readonly scopeEnd: number;
  /**
   * Not inside of an expression, a FROM, or one side of a UNION: only brackets, INSERT, CREATE … AS or EXPLAIN stand in
   * front.
   */
  readonly leads: boolean;
  /** The body that this WITH begins, if it begins one: the index of that body's opening bracket. */
  readonly bodyOpen?: number | undefined;
}

/** For each opening round bracket the index of its closing one; the number of tokens where none closes it. */
export function matchBrackets(tokens: readonly SqlToken[]): Int32Array {
  const closing = new Int32Array(tokens.length).fill(tokens.length);
  const open: number[] = [];
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index];
    if (isSymbol(token, '(')) open.push(index);
    else if (isSymbol(token, ')')) {
      const start = open.pop();
      if (start !== undefined) closing[start] = index;
    }
  }
  return closing;
}

/** Words after which a bracket holds a part of a query and no longer the query of the statement. */
const QUERY_WORDS = new Set('SELECT FROM VALUES WHERE SET USING ON CALL MERGE UNION INTERSECT EXCEPT MINUS'.split(' '));
const SET_OPERATORS = ['UNION', 'INTERSECT', 'EXCEPT', 'MINUS'];

interface Frame {
  /** Index of the opening bracket; -1 for the statement itself. */
  readonly open: number;
  readonly leads: boolean;
  sawQuery: boolean;
}

/** Every WITH of a statement, at any depth, in the order of the text. One pass with a stack of its own. */
export function findWithClauses(tokens: readonly SqlToken[], closing: Int32Array): readonly WithClause[] {
  const clauses: WithClause[] = [];
  const bodies = new Set<number>();
  const frames: Frame[] = [{ open: -1, leads: true, sawQuery: false }];
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index];
    const frame = frames.at(-1);
    if (frame === undefined || token === undefined) break;
    if (isSymbol(token, '(')) {
      const behind = tokens[(closing[index] ?? tokens.length) + 1];
      const isOperand = SET_OPERATORS.some((word) => isWord(behind, word));
      frames.push({ open: index, leads: frame.leads && !frame.sawQuery && !isOperand, sawQuery: false });
    } else if (isSymbol(token, ')')) {
      if (frames.length > 1) frames.pop();
    } else if (token.kind === 'word') {
      if (QUERY_WORDS.has(token.text.toUpperCase())) frame.sawQuery = true;
      if (!isWord(token, 'WITH') || isSymbol(tokens[index - 1], '.')) continue;
      const header = readWith(tokens, closing, index);
      if (header === undefined) continue;
      const scopeEnd = frame.open < 0 ? tokens.length : (closing[frame.open] ?? tokens.length);
      clauses.push({
        at: index,
        ...header,
        scopeEnd,
        leads: frame.leads,
        bodyOpen: bodyBegunAt(tokens, bodies, index),
      });
      for (const cte of header.ctes) bodies.add(cte.open);
      frame.sawQuery = true;
    }
  }
  return clauses;
}

/** Nothing but brackets between a body's opening bracket and this WITH. */
function bodyBegunAt(tokens: readonly SqlToken[], bodies: ReadonlySet<number>, at: number): number | undefined {
  for (let index = at - 1; index >= 0 && isSymbol(tokens[index], '('); index -= 1) if (bodies.has(index)) return index;
  return undefined;
}

/**
 * `WITH [RECURSIVE] cte, cte …` at this token; undefined for another WITH (OFFSET, TIES, TIME ZONE, ORDINALITY,
 * options).
 */
export function readWith(
  tokens: readonly SqlToken[],
  closing: Int32Array,
  at: number,
): { readonly recursive: boolean; readonly ctes: readonly CteTokens[] } | undefined {
  let recursive = isWord(tokens[at + 1], 'RECURSIVE');
  let cte = readCte(tokens, closing, recursive ? at + 2 : at + 1);
  if (cte === undefined && recursive) {
    // A CTE of that name.
    recursive = false;
    cte = readCte(tokens, closing, at + 1);
  }
  if (cte === undefined) return undefined;
  const ctes: CteTokens[] = [];
  while (cte !== undefined) {
    ctes.push(cte);
    if (!isSymbol(tokens[cte.to], ',')) break;
    const next = cte.to + 1;
    cte = readCte(tokens, closing, next);
    // Snowflake's grammar has the word in front of each CTE
    // (https://docs.snowflake.com/en/sql-reference/constructs/with).
    if (cte === undefined && isWord(tokens[next], 'RECURSIVE')) {
      cte = readCte(tokens, closing, next + 1);
      recursive ||= cte !== undefined;
    }
  }
  return { recursive, ctes };
}

const NAME_KINDS = new Set(['word', 'quotedName', 'template', 'string']);

/** `name [(columns)] [USING KEY (columns)] AS [[NOT] MATERIALIZED] (body) [SEARCH …] [CYCLE …]` */
function readCte(tokens: readonly SqlToken[], closing: Int32Array, name: number): CteTokens | undefined {
  if (!NAME_KINDS.has(tokens[name]?.kind ?? '')) return undefined;
  let index = name + 1;
  let columns: CteTokens['columns'];
  if (isSymbol(tokens[index], '(')) {
    const to = closing[index] ?? tokens.length;
    columns = { from: index + 1, to };
    index = to + 1;
  }
  if (isWord(tokens[index], 'USING') && isWord(tokens[index + 1], 'KEY') && isSymbol(tokens[index + 2], '('))
    index = (closing[index + 2] ?? tokens.length) + 1;
  if (!isWord(tokens[index], 'AS')) return undefined;
  index += 1;
  let materialized: boolean | undefined;
  if (isWord(tokens[index], 'MATERIALIZED')) {
    materialized = true;
    index += 1;
  } else if (isWord(tokens[index], 'NOT') && isWord(tokens[index + 1], 'MATERIALIZED')) {
    materialized = false;
    index += 2;
  }
  if (!isSymbol(tokens[index], '(')) return undefined;
  const close = closing[index] ?? tokens.length;
  return {
    name,
    columns,
    materialized,
    open: index,
    close,
    to: behindOptions(tokens, Math.min(close + 1, tokens.length)),
  };
}

/**
 * PostgreSQL's SEARCH and CYCLE (https://www.postgresql.org/docs/current/queries-with.html); a short look, so that no
 * text makes it dear.
 */
const OPTION_TOKENS = 64;

function behindOptions(tokens: readonly SqlToken[], from: number): number {
  let index = from;
  const skipTo = (word: string): boolean => {
    for (let at = index; at < Math.min(index + OPTION_TOKENS, tokens.length); at += 1)
      if (isWord(tokens[at], word)) {
        index = at + 2;
        return true;
      }
    return false;
  };
  if (isWord(tokens[index], 'SEARCH') && !skipTo('SET')) return from;
  if (isWord(tokens[index], 'CYCLE')) {
    if (!skipTo('SET')) return from;
    if (isWord(tokens[index], 'TO')) skipTo('DEFAULT');
    if (isWord(tokens[index], 'USING')) index += 2;
  }
  return Math.min(index, tokens.length);
}
