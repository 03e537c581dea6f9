import type { Dialect } from '../dialect/dialect.ts';

/**
 * How a positional parameter stands in SQL: `?` where the dialect knows it, else numbered from 1 (PostgreSQL: `$1`).
 */
export function parameterPlaceholder(dialect: Pick<Dialect, 'lexer'>, number: number): string {
  const prefixes = dialect.lexer.parameterPrefixes;
  return prefixes.includes('?') || prefixes.length === 0 ? '?' : `${prefixes[0]}${number}`;
}
