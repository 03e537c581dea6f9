import { isSymbol, isWord, significantTokens } from '../../../sql/index.ts';
import type { ResolvedQuery } from '../../resolved-query.ts';
import type { SyntaxUse } from './dialect-syntax.ts';

/** Constructs that the tokens show; a name of that spelling is none of them. */
export function* foreignTokens(query: ResolvedQuery): Generator<SyntaxUse, void, undefined> {
  const { sql, dialect, shape } = query;
  if (dialect.foreignSyntax === undefined) return;
  const names = new Set(shape.blocks.flatMap(({ columns }) => columns.map(({ name }) => name.span.start)));
  const tokens = significantTokens(sql.slice(0, shape.statement.end), dialect.lexer);
  for (const [index, token] of tokens.entries()) {
    if (token.start < shape.statement.start || names.has(token.start)) continue;
    const next = tokens[index + 1];
    const { start, end } = token;
    if (isSymbol(token, '::')) yield { construct: 'double-colon cast', span: { start, end } };
    // A lexer without the operator takes it as two colons, or as a parameter behind one.
    else if (token.text === ':' && next?.start === end && next.text.startsWith(':'))
      yield { construct: 'double-colon cast', span: { start, end: end + 1 } };
    else if (token.kind === 'parameter' && token.text.startsWith('::'))
      yield { construct: 'double-colon cast', span: { start, end } };
    else if (isWord(token, 'EXTRACT') && isSymbol(next, '(') && isWord(tokens[index + 3], 'FROM'))
      yield { construct: 'extract', span: { start, end } };
    else if (isWord(token, 'INTERVAL') && (next?.kind === 'string' || next?.kind === 'number'))
      yield { construct: 'interval', span: { start, end: next.end } };
    else if (isWord(token, 'MINUS') && (isWord(next, 'SELECT') || isSymbol(next, '(')) && index > 0)
      yield { construct: 'minus', span: { start, end } };
  }
}
