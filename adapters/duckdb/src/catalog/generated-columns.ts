import { lexSql, nameOfToken, type SqlToken } from '@askema/core';
import { duckdbDialect } from '@askema/dialects';

/**
 * The generated columns of a CREATE TABLE as DuckDB stores it, by folded name. DuckDB's tables do not tell them from defaults. A definition begins
 * behind the first bracket or a comma on its level.
 */
export function generatedColumns(sql: string): Map<string, 'virtual' | 'stored'> {
  const generated = new Map<string, 'virtual' | 'stored'>();
  let depth = 0;
  let name: string | undefined;
  let isFirst = false;
  const tokens = lexSql(sql, duckdbDialect.lexer).filter(({ kind }) => kind !== 'blank' && kind !== 'comment');
  for (const token of tokens) {
    const text = token.kind === 'operator' || token.kind === 'punctuation' ? token.text : '';
    if (isFirst && depth === 1) name = nameIn(token);
    isFirst = false;
    if (text === '(') {
      depth += 1;
      isFirst = depth === 1;
    } else if (text === ')') depth -= 1;
    else if (text === ',' && depth === 1) isFirst = true;
    else if (depth === 1 && name !== undefined && token.kind === 'word') {
      const word = token.text.toUpperCase();
      if (word === 'GENERATED') generated.set(name, 'virtual');
      else if (word === 'STORED' && generated.has(name)) generated.set(name, 'stored');
    }
  }
  return generated;
}

function nameIn(token: SqlToken): string | undefined {
  return nameOfToken(token, duckdbDialect.lexer)?.toLowerCase();
}
