import { snowflakeLexer } from '@askema/dialects';
import { isSymbol, isWord, type SqlToken, significantTokens } from '@askema/sql';
import { replaceSpans } from '../../expression/replace-spans.ts';

/** Words that end the list of relations behind FROM. */
const ENDS_FROM = /^(WHERE|GROUP|HAVING|ORDER|QUALIFY|LIMIT|SELECT|ON|USING|UNION|EXCEPT|INTERSECT|WINDOW)$/i;

/** SQL of Cortex Analyst with its tables as they are named: `__orders` is `orders`. */
export function tablesWithoutMark(sql: string, tables: readonly string[]): string {
  const names = new Set(tables.map((name) => name.toLowerCase()));
  const marked = relationNames(sql).filter(
    ({ token, isInFrom }) => token.text.startsWith('__') && (isInFrom || names.has(token.text.slice(2).toLowerCase())),
  );
  return replaceSpans(
    sql,
    marked.map(({ token }) => token),
    (token) => token.text.slice(2),
  );
}

/** The reverse: `__` in front of each of these tables. */
export function tablesWithMark(sql: string, tables: readonly string[]): string {
  const names = new Set(tables.map((name) => name.toLowerCase()));
  const found = relationNames(sql).filter(({ token }) => names.has(token.text.toLowerCase()));
  return replaceSpans(
    sql,
    found.map(({ token }) => token),
    (token) => `__${token.text}`,
  );
}

/** Names that stand in FROM and JOIN, and names in front of a dot. */
function relationNames(sql: string): { readonly token: SqlToken; readonly isInFrom: boolean }[] {
  const tokens = significantTokens(sql, snowflakeLexer);
  const open: boolean[] = [];
  let isFrom = false;
  return tokens.flatMap((token, at) => {
    if (isSymbol(token, '(')) {
      open.push(isFrom);
      isFrom = false;
    } else if (isSymbol(token, ')')) isFrom = open.pop() ?? false;
    else if (isWord(token, 'FROM') || isWord(token, 'JOIN')) isFrom = true;
    else if (token.kind === 'word' && ENDS_FROM.test(token.text)) isFrom = false;
    else if (token.kind === 'word' && !isSymbol(tokens[at - 1], '.')) {
      const before = tokens[at - 1];
      const isInFrom = isFrom && (isWord(before, 'FROM') || isWord(before, 'JOIN') || isSymbol(before, ','));
      if (isInFrom || isSymbol(tokens[at + 1], '.')) return [{ token, isInFrom }];
    }
    return [];
  });
}
