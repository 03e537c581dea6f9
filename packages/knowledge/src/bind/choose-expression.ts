import type { Dialect, LexerTraits } from '@askema/core';
import { ansiLexer } from '@askema/dialects';
import type { DialectExpression } from '../model/semantic-model.ts';
import type { Remark } from './problem-list.ts';

/** The expression that an engine is given, with the traits by which its text is read. */
export interface ChosenExpression {
  readonly text: string;
  readonly lexer: LexerTraits;
}

/** Dialects that are read as standard SQL. OSSIE_SQL_2026 is Ossie's own subset of it. */
const STANDARD: readonly string[] = ['ANSI_SQL', 'OSSIE_SQL_2026'];

/** Names of dialects in models, where they differ from the name of ours in upper case. */
const SAME_ENGINE: Readonly<Record<string, string>> = { POSTGRESQL: 'POSTGRES' };

/** The engine's own expression, else the standard one; undefined where there is neither. */
export function chooseExpression(
  expressions: readonly DialectExpression[],
  dialect: Dialect,
): ChosenExpression | undefined {
  return usableExpressions(expressions, dialect)[0];
}

/** Those that the engine could be given: several only where a dialect stands twice. */
export function usableExpressions(
  expressions: readonly DialectExpression[],
  dialect: Dialect,
): readonly ChosenExpression[] {
  const own = expressions.filter((entry) => engineOf(entry.dialect) === dialect.name.toUpperCase());
  if (own.length > 0) return own.map(({ expression }) => ({ text: expression, lexer: dialect.lexer }));
  const standard = expressions.filter((entry) => STANDARD.includes(entry.dialect.toUpperCase()));
  return standard.map(({ expression }) => ({ text: expression, lexer: ansiLexer }));
}

/** What is wrong with the dialects of expressions. */
export function remarksOnDialects(
  expressions: readonly DialectExpression[],
  where: string,
  dialect: Dialect,
): readonly Remark[] {
  const engines = expressions.length < 2 ? [] : expressions.map((entry) => engineOf(entry.dialect));
  const twice = engines.find((name, at) => engines.indexOf(name) !== at);
  if (twice !== undefined)
    return [
      { code: 'dialect-twice', message: `${where} has two expressions for ${twice}.`, advice: 'Leave one of them.' },
    ];
  if (usableExpressions(expressions, dialect).length > 0) return [];
  const names = expressions.map((entry) => entry.dialect).join(', ') || 'no dialect';
  return [
    {
      code: 'no-expression',
      message: `${where} has an expression for ${names} only.`,
      advice: 'Add one for ANSI_SQL.',
    },
  ];
}

function engineOf(name: string): string {
  const upper = name.toUpperCase();
  return SAME_ENGINE[upper] ?? upper;
}
