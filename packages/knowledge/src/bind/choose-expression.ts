import type { Dialect, LexerTraits } from '@askema/core';
import { ansiLexer } from '@askema/dialects';
import type { DialectExpression } from '../model/semantic-model.ts';

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
  const own = expressions.find((entry) => engineOf(entry.dialect) === dialect.name.toUpperCase());
  if (own !== undefined) return { text: own.expression, lexer: dialect.lexer };
  const standard = expressions.find((entry) => STANDARD.includes(entry.dialect.toUpperCase()));
  return standard && { text: standard.expression, lexer: ansiLexer };
}

/** The name of a dialect that stands more than once. */
export function dialectTwice(expressions: readonly DialectExpression[]): string | undefined {
  if (expressions.length < 2) return undefined;
  const names = expressions.map((entry) => engineOf(entry.dialect));
  return names.find((name, at) => names.indexOf(name) !== at);
}

function engineOf(name: string): string {
  const upper = name.toUpperCase();
  return SAME_ENGINE[upper] ?? upper;
}
