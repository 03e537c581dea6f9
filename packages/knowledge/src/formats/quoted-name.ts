import { ansiLexer } from '@askema/dialects';
import { tryParseExpression } from '../expression/parse-expression.ts';

/** A name as it stands in an expression or a source: in quotes where SQL would read it as something else. */
export function quotedName(name: string): string {
  const isPlain = /^[\p{L}_][\p{L}\p{N}_$]*$/u.test(name) && tryParseExpression(name, ansiLexer)?.kind === 'column';
  return isPlain ? name : `"${name.replaceAll('"', '""')}"`;
}
