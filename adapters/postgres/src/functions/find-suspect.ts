import { postgresDialect } from '@askema/dialects';
import { isSymbol, isWord, nameOfToken, type SqlToken, significantTokens } from '@askema/sql';
import { nameKey, type Suspect, type Suspects } from './suspects.ts';

const { lexer, identifiers } = postgresDialect;

const RESERVED = new Set(identifiers.reservedWords);

/** Operators that words stand for, and these words: `IN` compares by `=`, `LIKE` is `~~`. */
const WORDED = /^(=|<>|<|>|<=|>=|!?~~?\*?)$/;
const WORDS = new Set('IN BETWEEN DISTINCT NULLIF CASE USING NATURAL LIKE ILIKE SIMILAR'.split(' '));

/** What a statement names that leads to a function which is not known to only read. */
export interface FoundSuspect {
  readonly suspect: Suspect;
  /** Where it is named, in UTF-16 code units. */
  readonly start: number;
}

/**
 * The first name in a text that leads to such a function: a call, a relation, a type or an operator. A name counts
 * wherever it stands, because a text alone does not tell a column from a relation.
 *
 * @param path the schemas in which names without one are found; undefined: all.
 */
export function findSuspect(
  sql: string,
  { functions, others, operators, everywhere }: Suspects,
  path: ReadonlySet<string> | undefined,
): FoundSuspect | undefined {
  const tokens = significantTokens(sql, lexer);
  const [first] = everywhere;
  if (first !== undefined) return { suspect: first, start: tokens[0]?.start ?? 0 };
  // TREAT(x AS f) is the call pg_catalog.f(x), whatever f is (func_expr_common_subexpr of PostgreSQL's gram.y).
  const treats = tokens.some((token, at) => isWord(token, 'TREAT') && isSymbol(tokens[at + 1], '('));
  for (const [at, token] of tokens.entries()) {
    const name = nameOfToken(token, lexer);
    if (name === undefined) continue;
    const key = nameKey(name);
    const isBehindDot = isSymbol(tokens[at - 1], '.');
    const before = isBehindDot ? tokens[at - 2] : undefined;
    const schema = before && nameOfToken(before, lexer);
    const isMeant = (suspect: Suspect): boolean =>
      schema === undefined || path === undefined
        ? path === undefined || path.has(suspect.schema)
        : nameKey(schema) === nameKey(suspect.schema);
    const isCall = isSymbol(tokens[at + 1], '(') && !(schema === undefined && isReserved(token));
    const suspect =
      others.get(key)?.find(isMeant) ??
      functions.get(key)?.find((one) => (isCall ? isMeant(one) : treats || (one.isField && isBehindDot)));
    if (suspect !== undefined) return { suspect, start: token.start };
  }
  return operators.length === 0 ? undefined : findOperator(tokens, operators, path);
}

function isReserved({ kind, text }: SqlToken): boolean {
  return kind === 'word' && RESERVED.has(text.toUpperCase()) && !/^xml(?:exists|table)$/i.test(text);
}

function findOperator(
  tokens: readonly SqlToken[],
  operators: readonly Suspect[],
  path: ReadonlySet<string> | undefined,
): FoundSuspect | undefined {
  // OPERATOR(schema.===) takes one from anywhere.
  const isAnywhere = path === undefined || tokens.some((token) => isWord(token, 'OPERATOR'));
  const open = operators.filter(({ schema }) => isAnywhere || path.has(schema));
  const worded = open.find(({ name }) => WORDED.test(name));
  let run: { text: string; readonly start: number; end: number } | undefined;
  for (const token of tokens) {
    if (worded !== undefined && token.kind === 'word' && WORDS.has(token.text.toUpperCase()))
      return { suspect: worded, start: token.start };
    if (!/^[-+*/<>=~!@#%^&|`?]+$/.test(token.text)) continue;
    run =
      run?.end === token.start
        ? { ...run, text: run.text + token.text, end: token.end }
        : { text: token.text, start: token.start, end: token.end };
    const { text, start } = run;
    const suspect = open.find(({ name }) => isOperator(text, name));
    if (suspect !== undefined) return { suspect, start };
  }
  return undefined;
}

/** As the server reads a run of operator characters: a sign at its end may be an operator of its own; `!=` is `<>`. */
function isOperator(run: string, name: string): boolean {
  const text = run === '!=' ? '<>' : run;
  return (
    (text.startsWith(name) && /^[-+]*$/.test(text.slice(name.length))) || (/^[-+]$/.test(name) && text.endsWith(name))
  );
}
