import { AskemaError, type Dialect } from '@askema/core';
import { callsIn, isSymbol, isWord, nameOfToken, type SqlToken } from '@askema/sql';
import { foreignType } from './check-types.ts';
import { isHarmlessCall } from './harmless-calls.ts';

export function refused(why: string): AskemaError {
  return new AskemaError(
    'QUERY_REFUSED',
    `The statement is not run, because some relations or columns are kept back (\`hide\`, \`mask\`) and ${why}. Name each column of the relations of the schema, and use plain SELECT.`,
  );
}

/** @param mayBeTested its type is one of which IS NULL tells nothing else. */
export function maskedUse(name: string, mayBeTested = true): AskemaError {
  const uses = mayBeTested ? '(COUNT), and in WHERE or ON tested with IS NULL' : '(COUNT)';
  return new AskemaError(
    'QUERY_REFUSED',
    `The statement is not run: the values of ${JSON.stringify(name)} are masked. It may be counted ${uses}; nothing else.`,
  );
}

export function wholeRow(name: string): AskemaError {
  return refused(`${JSON.stringify(name)} may stand there for a whole row, and some of its columns are kept back`);
}

/** ORDER and GROUP in front of BY; every engine reserves them, so a relation of that name stands in quotes. */
export function isClause(tokens: readonly SqlToken[], at: number): boolean {
  const token = tokens[at];
  return (isWord(token, 'ORDER') || isWord(token, 'GROUP')) && isWord(tokens[at + 1], 'BY');
}

/** Letters beyond ASCII that some engine takes for one of ASCII: İ, ı, ſ and the sign of Kelvin. */
const LIKE_ASCII = /[\u0130\u0131\u017f\u212a]/;

const REFUSED_WORDS = /^(?:table|show|describe|desc|summarize|explain|pragma|pivot|unpivot|copy|into)$/i;

/**
 * Forms that read without naming what they read.
 *
 * @throws AskemaError `QUERY_REFUSED`
 */
export function checkTokens(sql: string, tokens: readonly SqlToken[], dialect: Dialect): void {
  checkDepth(tokens);
  const { maxLength = Number.POSITIVE_INFINITY, lengthUnit = 'characters' } = dialect.identifiers;
  const lengthOf = (name: string): number => (lengthUnit === 'bytes' ? Buffer.byteLength(name) : [...name].length);
  const inSelectList = selectLists(tokens);
  for (const [at, token] of tokens.entries()) {
    const next = tokens[at + 1];
    if (token.kind === 'unknown' || token.kind === 'template' || token.unterminated === true)
      throw refused('it has a piece that is no token of the dialect');
    if (isSymbol(token, '#') || /^#\d/.test(token.text) || /^U&$/i.test(token.text))
      throw refused(`it has ${JSON.stringify(token.text)}, which stands for a name`);
    const isName = token.kind === 'word' || token.kind === 'quotedName';
    // PostgreSQL cuts it, and then it is another name.
    if (isName && lengthOf(nameOfToken(token, dialect.lexer) ?? token.text) > maxLength)
      throw refused(`it has a name of more than ${maxLength} ${lengthUnit}`);
    if (isName && LIKE_ASCII.test(token.text))
      throw refused(`it has the name ${JSON.stringify(token.text)}, which may be another one for the database`);
    const isFirst = at === 0 || isSymbol(tokens[at - 1], '(') || isSymbol(tokens[at - 1], ';');
    if (token.kind === 'word' && REFUSED_WORDS.test(token.text) && isFirst) throw refused(`it has ${token.text}`);
    // The order of an index, whether there is one of that name, and the rows of a partition tell of what is hidden.
    if (token.kind === 'word' && /^(?:index|key)$/i.test(token.text) && isHint(tokens[at - 1]))
      throw refused('it names an index');
    if (isWord(token, 'INDEXED')) throw refused('it names an index');
    if (isWord(token, 'PARTITION') && isSymbol(next, '(')) throw refused('it names a partition');
    // Which rows there were at a time is decided by columns that the text does not name.
    if (isWord(token, 'SYSTEM_TIME')) throw refused('it asks for rows of another time');
    // InnoDB weighs words by how many rows it guesses from the bytes of a table.
    if (isWord(token, 'AGAINST')) throw refused('it searches a full text');
    if (isWord(token, 'DEFAULT') && isSymbol(next, '(')) throw refused('it computes the default of a column');
    if (isWord(token, 'FROM') && isFirst) throw refused('it has FROM without SELECT');
    if (isWord(token, 'TABLE') || (isWord(token, 'COLUMNS') && isSymbol(next, '(')))
      throw refused(`it has ${token.text}`);
    if (isSymbol(token, '*')) checkStar(tokens, at, inSelectList);
    // SQLite takes `'users'.'email'` for a column.
    if (token.kind === 'string' && (isSymbol(next, '.') || isSymbol(tokens[at - 1], '.')))
      throw refused('a text in it stands for a name');
    // `(NULL::users).*`; a field of an element, `list[1].name`, is one of a column that was looked at.
    const before = tokens[at - 1];
    if (isSymbol(token, '.') && (isSymbol(before, ')') || (isSymbol(before, ']') && isSymbol(next, '*'))))
      throw refused('it takes a row apart');
  }
  const type = foreignType(tokens, dialect);
  if (type !== undefined)
    throw refused(
      `it has ${JSON.stringify(type)} where a type of the engine itself has to stand (in front of an alias in quotes write AS)`,
    );
  const places = new Map(tokens.map(({ end }, at) => [end, at]));
  for (const { name, schema, namesColumns, end } of callsIn(sql, dialect)) {
    const before = tokens[(places.get(end) ?? 0) - 1];
    // `WITH name (a) AS (`, `INSERT`-like lists; the columns of relations are looked at by the parser.
    if (namesColumns || isWord(before, 'WITH') || isWord(before, 'RECURSIVE')) continue;
    if (!isHarmlessCall(name, schema))
      throw refused(`it calls ${JSON.stringify(name)}, which is not known to read only its arguments`);
  }
}

/** The checks below look at what a bracket holds, for each one. */
const MAX_NESTED = 1_000;

function checkDepth(tokens: readonly SqlToken[]): void {
  let depth = 0;
  for (const token of tokens) {
    if (isSymbol(token, '(')) depth += 1;
    if (isSymbol(token, ')')) depth -= 1;
    if (depth > MAX_NESTED) throw refused(`it nests brackets more than ${MAX_NESTED} deep`);
  }
}

function isHint(token: SqlToken | undefined): boolean {
  return token?.kind === 'word' && /^(?:use|force|ignore)$/i.test(token.text);
}

/** What may stand in front of a star, and behind it, in a select list. */
const BEFORE_STAR = /^(?:select|distinct|all|,|\))$/i;
const BEHIND_STAR =
  /^(?:,|\)|;|from|exclude|except|replace|rename|union|intersect|where|group|having|order|limit|offset|fetch|window|qualify)$/i;

/**
 * `row_to_json(t.*)`, `ROW(1, t.*, 2)`, `hash(*)`, `ORDER BY t.*`, `t.* IS NULL`: a star is for select lists and COUNT(*)
 * alone. One behind anything else multiplies.
 */
function checkStar(tokens: readonly SqlToken[], at: number, inSelectList: readonly boolean[]): void {
  let start = at;
  while (isSymbol(tokens[start - 1], '.')) start -= 2;
  const [before, next] = [tokens[start - 1], tokens[at + 1]];
  if (start === at && !isSymbol(before, '(') && !isSymbol(before, ',')) return;
  if (start === at && isSymbol(next, ')') && isWord(tokens[at - 2], 'COUNT')) return;
  const isItem = BEFORE_STAR.test(before?.text ?? '') && (next === undefined || BEHIND_STAR.test(next.text));
  if (!isItem || inSelectList[start] !== true) throw refused('it hands a whole row to a function');
}

const OTHER_CLAUSE = /^(?:from|where|by|having|on|using|values|limit|offset|set|returning|window|qualify)$/i;

/** For each token whether the clause in which it stands is that of SELECT, within its innermost bracket. */
function selectLists(tokens: readonly SqlToken[]): readonly boolean[] {
  const outer: boolean[] = [];
  let isSelect = false;
  return tokens.map((token, at) => {
    const before = isSelect;
    if (isSymbol(token, '(')) {
      outer.push(isSelect);
      isSelect = false;
    } else if (isSymbol(token, ')')) isSelect = outer.pop() ?? false;
    else if (isWord(token, 'SELECT')) isSelect = true;
    // IS DISTINCT FROM, DISTINCT ON
    else if (token.kind === 'word' && OTHER_CLAUSE.test(token.text) && !isWord(tokens[at - 1], 'DISTINCT'))
      isSelect = false;
    return before;
  });
}

/** The index of the first token that starts there or behind it. */
export function firstAt(tokens: readonly SqlToken[], offset: number): number {
  let [low, high] = [0, tokens.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((tokens[middle]?.start ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
